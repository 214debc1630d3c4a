#include "HitstopUnreal.h"

#include "Camera/PlayerCameraManager.h"
#include "Components/CapsuleComponent.h"
#include "Components/PrimitiveComponent.h"
#include "Engine/World.h"
#include "GameFramework/Character.h"
#include "GameFramework/PlayerController.h"
#include "Interfaces/Interface_CollisionDataProvider.h"
#include "Misc/App.h"
#include "Misc/Paths.h"
#include "PhysicsEngine/BodySetup.h"
#include "PhysicsEngine/PhysicsSettings.h"
#include "UObject/UObjectIterator.h"

DEFINE_LOG_CATEGORY_STATIC(LogHitstop, Log, All);

namespace {

std::string Text(const FString &String) { return TCHAR_TO_UTF8(*String); }

/** The convex elements of simple collision, scaled. */
std::vector<hitstop::Part> Parts(const FKAggregateGeom &Geometry, const FVector &Scale) {
    std::vector<hitstop::Part> All;
    for (const FKSphereElem &Elem : Geometry.SphereElems) {
        const FKSphereElem It = Elem.GetFinalScaled(Scale, FTransform::Identity);
        All.push_back({hitstop::sphere(It.Radius), Hitstop(It.Center), {0, 0, 0, 1}});
    }
    for (const FKBoxElem &Elem : Geometry.BoxElems) {
        const FKBoxElem It = Elem.GetFinalScaled(Scale, FTransform::Identity);
        All.push_back({hitstop::box({It.X / 2, It.Y / 2, It.Z / 2}), Hitstop(It.Center), Hitstop(It.Rotation.Quaternion())});
    }
    for (const FKSphylElem &Elem : Geometry.SphylElems) {
        const FKSphylElem It = Elem.GetFinalScaled(Scale, FTransform::Identity);
        const std::string Shape = hitstop::capsule({0, 0, -It.Length / 2}, {0, 0, It.Length / 2}, It.Radius);
        All.push_back({Shape, Hitstop(It.Center), Hitstop(It.Rotation.Quaternion())});
    }
    for (const FKConvexElem &Elem : Geometry.ConvexElems) {
        std::vector<hitstop::Vec3> Points;
        for (const FVector &Vertex : Elem.VertexData) Points.push_back(Hitstop(Elem.GetTransform().TransformPosition(Vertex) * Scale));
        All.push_back({hitstop::convex_hull(Points), {0, 0, 0}, {0, 0, 0, 1}});
    }
    return All;
}

/** The triangles of complex collision, from both sides; empty if the mesh does not give them. */
std::string Mesh(const UBodySetup &Setup, const FVector &Scale) {
    auto *Provider = Cast<IInterface_CollisionDataProvider>(Setup.GetOuter());
    FTriMeshCollisionData Data;
    if (!Provider || !Provider->GetPhysicsTriMeshData(&Data, true)) return "";
    std::vector<hitstop::Vec3> Vertices;
    for (const FVector3f &Vertex : Data.Vertices) Vertices.push_back(Hitstop(FVector(Vertex) * Scale));
    std::vector<uint32_t> Indices;
    for (const FTriIndices &Triangle : Data.Indices)
        for (int32 Index : {Triangle.v0, Triangle.v1, Triangle.v2}) Indices.push_back(static_cast<uint32_t>(Index));
    return Indices.empty() ? "" : hitstop::mesh(Vertices, Indices);
}

/** A shape around the component's origin; empty for one that the log does not have. */
std::string Shape(UPrimitiveComponent &Component) {
    UBodySetup *Setup = Component.GetBodySetup();
    if (!Setup) return "";
    const FVector Scale = Component.GetComponentScale();
    if (Setup->GetCollisionTraceFlag() == CTF_UseComplexAsSimple) return Mesh(*Setup, Scale);
    // A tapered capsule is not a shape of the log.
    const std::vector<hitstop::Part> All = Parts(Setup->AggGeom, Scale);
    if (All.empty() || All.size() > 256 || Setup->AggGeom.TaperedCapsuleElems.Num() > 0) return "";
    const hitstop::Part &First = All[0];
    const bool bIsPlain = First.position.x == 0 && First.position.y == 0 && First.position.z == 0 && First.rotation.w == 1;
    return All.size() == 1 && bIsPlain ? First.shape : hitstop::compound(All);
}

bool IsCharacter(const UPrimitiveComponent &Component) {
    const ACharacter *Character = Cast<ACharacter>(Component.GetOwner());
    return Character && Character->GetCapsuleComponent() == &Component;
}

hitstop::Motion MotionOf(const UPrimitiveComponent &Component) {
    if (Component.IsSimulatingPhysics()) return hitstop::Motion::Dynamic;
    return Component.Mobility == EComponentMobility::Static ? hitstop::Motion::Fixed : hitstop::Motion::Kinematic;
}

/** The component that a welded one is a part of. */
const USceneComponent &WeldRoot(const UPrimitiveComponent &Component) {
    const USceneComponent *Root = &Component;
    for (const UPrimitiveComponent *It = &Component; It && It->IsWelded(); It = Cast<UPrimitiveComponent>(Root)) Root = It->GetAttachParent();
    return *Root;
}

}  // namespace

UHitstopRecorder::UHitstopRecorder() {
    PrimaryComponentTick.bCanEverTick = true;
    PrimaryComponentTick.TickGroup = TG_PostPhysics;
}

void UHitstopRecorder::BeginPlay() {
    Super::BeginPlay();
    hitstop::Header Header;
    Header.name = Text(GetWorld()->GetMapName());
    Header.build = Text(FApp::GetBuildVersion());
    Header.up = 'z';
    Header.length = 0.01;
    Header.mirrored = 'y';
    // Times are those of the frames.
    Header.dt = 1.0 / 60.0;
    Header.gravity = {0, 0, GetWorld()->GetGravityZ()};
    Header.engine = "unreal";
    const APlayerController *Player = GetWorld()->GetFirstPlayerController();
    if (Player && Player->PlayerCameraManager) {
        // The field of view is horizontal, of a picture of 16:9.
        const double Half = FMath::Tan(FMath::DegreesToRadians(Player->PlayerCameraManager->GetFOVAngle() / 2)) / Header.aspect;
        Header.field_of_view = FMath::RadiansToDegrees(2 * FMath::Atan(Half));
        Header.near_plane = GNearClippingPlane;
    }
    if (KeepSeconds > 0) {
        Recorder.reset(new hitstop::Recorder(Header, KeepSeconds));
    } else {
        const FString Full = FPaths::ConvertRelativePathToFull(FPaths::ProjectSavedDir(), Path);
        File.open(Text(Full));
        if (!File) {
            UE_LOG(LogHitstop, Error, TEXT("Hitstop cannot write %s"), *Full);
            return;
        }
        UE_LOG(LogHitstop, Display, TEXT("Hitstop records to %s"), *Full);
        Recorder.reset(new hitstop::Recorder(File, Header));
    }
    if (UPhysicsSettings::Get()->bSubstepping) Note("physics substepping is on: the log has one line for all substeps of a frame");
    Record();
}

void UHitstopRecorder::EndPlay(const EEndPlayReason::Type Reason) {
    File.flush();
    Super::EndPlay(Reason);
}

void UHitstopRecorder::TickComponent(float DeltaTime, ELevelTick TickType, FActorComponentTickFunction *Function) {
    Super::TickComponent(DeltaTime, TickType, Function);
    Time += DeltaTime;
    if (Recorder && DeltaTime > 0) Record();
}

void UHitstopRecorder::Save() {
    if (!Recorder || KeepSeconds <= 0) return;
    const FString Full = FPaths::ConvertRelativePathToFull(FPaths::ProjectSavedDir(), Path);
    std::ofstream Kept(Text(Full));
    Recorder->save(Kept);
    UE_LOG(LogHitstop, Display, TEXT("Hitstop wrote %s"), *Full);
}

void UHitstopRecorder::Message(const FString &Line, const UPrimitiveComponent *Component) {
    if (Recorder) Recorder->message(Text(Line), Number(Component));
}

void UHitstopRecorder::Value(const FString &Name, double Amount, const UPrimitiveComponent *Component) {
    if (Recorder) Recorder->value(Text(Name), Amount, Number(Component));
}

void UHitstopRecorder::Mark(const TArray<FVector> &Points, const FString &Name, const UPrimitiveComponent *Component, float Radius) {
    std::vector<hitstop::Vec3> Places;
    for (const FVector &Point : Points) Places.push_back(Hitstop(Point));
    if (Recorder) Recorder->mark(Places, Text(Name), Number(Component), Radius);
}

uint32 UHitstopRecorder::Number(const UPrimitiveComponent *Component) const {
    const auto It = Component ? Known.find(Component->GetUniqueID()) : Known.end();
    return It != Known.end() && It->second.Component.Get() == Component ? It->second.Number : hitstop::Query::NONE;
}

/** The component as it is known, which is added if it is new; null if it is not recorded. */
UHitstopRecorder::FKnown *UHitstopRecorder::Find(UPrimitiveComponent &Component) {
    const hitstop::Motion Motion = MotionOf(Component);
    auto It = Known.find(Component.GetUniqueID());
    // One that begins or ends to simulate goes on as another object.
    const bool bIsNew = It == Known.end() || It->second.Component.Get() != &Component ||
                        (It->second.Number != hitstop::Query::NONE && It->second.Motion != Motion);
    if (bIsNew) {
        FKnown Added{&Component, Add(Component, Motion), Motion, Component.GetComponentLocation()};
        It = Known.insert_or_assign(Component.GetUniqueID(), Added).first;
    }
    return It->second.Number == hitstop::Query::NONE ? nullptr : &It->second;
}

uint32 UHitstopRecorder::Add(UPrimitiveComponent &Component, hitstop::Motion Motion) {
    const std::string Own = Text(Component.GetOwner() ? Component.GetOwner()->GetName() : FString()) + "." + Text(Component.GetName());
    const std::string Made = Shape(Component);
    if (Made.empty()) {
        Note(Own + " is not recorded: it has no simple collision that the log can have");
        return hitstop::Query::NONE;
    }
    std::string Name = Own;
    for (int Count = 2; !Names.insert(Name).second; ++Count) Name = Own + " " + std::to_string(Count);
    hitstop::Object Object(Name, Made, Motion);
    Object.position = Hitstop(Component.GetComponentLocation());
    Object.rotation = Hitstop(Component.GetComponentQuat());
    Object.body = Text(WeldRoot(Component).GetPathName());
    Object.character = IsCharacter(Component);
    uint32 Blocked = 0, Overlapped = 0;
    for (int Channel = 0; Channel < 32; ++Channel) {
        const ECollisionResponse Response = Component.GetCollisionResponseToChannel(static_cast<ECollisionChannel>(Channel));
        if (Response == ECR_Block) Blocked |= 1u << Channel;
        if (Response == ECR_Overlap) Overlapped |= 1u << Channel;
    }
    Object.sensor = Blocked == 0;
    Object.layer = 1u << static_cast<int>(Component.GetCollisionObjectType());
    Object.mask = Object.sensor ? Overlapped : Blocked;
    if (Motion == hitstop::Motion::Dynamic) {
        Object.mass = Component.GetMass();
        Object.ccd = Component.BodyInstance.bUseCCD;
    }
    return Recorder->add(Object);
}

void UHitstopRecorder::Record() {
    Recorder->begin_frame(Time);
    for (TObjectIterator<UPrimitiveComponent> It; It; ++It) {
        UPrimitiveComponent &Component = **It;
        if (Component.GetWorld() != GetWorld() || !Component.IsRegistered() || Component.GetCollisionEnabled() == ECollisionEnabled::NoCollision) continue;
        FKnown *Found = Find(Component);
        if (!Found || Found->Motion == hitstop::Motion::Fixed) continue;
        const FVector At = Component.GetComponentLocation();
        const bool bSimulates = Found->Motion == hitstop::Motion::Dynamic;
        FVector Velocity = FVector::ZeroVector, Spin = FVector::ZeroVector;
        if (bSimulates) {
            Velocity = Component.GetPhysicsLinearVelocityAtPoint(At);
            Spin = Component.GetPhysicsAngularVelocityInRadians();
        } else if (Time > Before) {
            // What is moved by its position has the velocity of its motion.
            Velocity = (At - Found->Location) / (Time - Before);
        }
        Found->Location = At;
        // A spin is mirrored as a rotation is.
        Recorder->body(Found->Number, Hitstop(At), Hitstop(Component.GetComponentQuat()), Hitstop(Velocity), {-Spin.X, Spin.Y, -Spin.Z},
                       bSimulates && !Component.IsAnyRigidBodyAwake());
    }
    RecordCamera();
    Recorder->end_frame();
    Before = Time;
}

void UHitstopRecorder::RecordCamera() {
    const APlayerController *Player = GetWorld()->GetFirstPlayerController();
    if (!Player || !Player->PlayerCameraManager) return;
    const hitstop::Quat Q = Hitstop(Player->PlayerCameraManager->GetCameraRotation().Quaternion());
    // Unreal's camera looks along its X with Z up, the log's along its -Z with Y up: turned by (0.5, -0.5, -0.5, 0.5) first.
    const hitstop::Quat Turned = {(Q.w + Q.x - Q.y + Q.z) / 2, (-Q.w + Q.x + Q.y + Q.z) / 2, (-Q.w - Q.x - Q.y + Q.z) / 2, (Q.w - Q.x + Q.y + Q.z) / 2};
    Recorder->camera(Hitstop(Player->PlayerCameraManager->GetCameraLocation()), Turned, bHasCamera && Player->PlayerCameraManager->bGameCameraCutThisFrame);
    bHasCamera = true;
}

void UHitstopRecorder::Note(const std::string &What) {
    if (Notes.insert(What).second) UE_LOG(LogHitstop, Warning, TEXT("Hitstop: %s"), *FString(UTF8_TO_TCHAR(What.c_str())));
}
