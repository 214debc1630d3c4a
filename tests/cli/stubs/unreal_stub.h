// The types of Unreal that HitstopUnreal.h uses, with plain members, for a test that has no engine. The test writes the headers of Unreal, each of
// which includes this one.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

typedef uint32_t uint32;
typedef int32_t int32;

#define UCLASS(...)
#define UPROPERTY(...)
#define UFUNCTION(...)
#define GENERATED_BODY() \
    typedef UActorComponent Super;
#define TEXT(text) text
#define TCHAR_TO_UTF8(text) text
#define UTF8_TO_TCHAR(text) text
#define DEFINE_LOG_CATEGORY_STATIC(name, ...)
#define UE_LOG(category, level, ...) (std::printf("%s: ", #level), std::printf(__VA_ARGS__), std::printf("\n"))

struct FString {
    std::string text;
    FString() {}
    FString(const char *text_) : text(text_) {}
    FString(const std::string &text_) : text(text_) {}
    const char *operator*() const { return text.c_str(); }
};

struct FVector3f {
    float X = 0, Y = 0, Z = 0;
};

struct FVector {
    double X = 0, Y = 0, Z = 0;
    static const FVector ZeroVector;
    FVector() {}
    FVector(double x, double y, double z) : X(x), Y(y), Z(z) {}
    explicit FVector(const FVector3f &v) : X(v.X), Y(v.Y), Z(v.Z) {}
    FVector operator-(const FVector &o) const { return FVector(X - o.X, Y - o.Y, Z - o.Z); }
    FVector operator*(const FVector &o) const { return FVector(X * o.X, Y * o.Y, Z * o.Z); }
    FVector operator/(double s) const { return FVector(X / s, Y / s, Z / s); }
};
const FVector FVector::ZeroVector;

struct FQuat {
    double X = 0, Y = 0, Z = 0, W = 1;
};

/// Only its quaternion.
struct FRotator {
    FQuat quaternion;
    FQuat Quaternion() const { return quaternion; }
};

/// A translation.
struct FTransform {
    FVector translation;
    static const FTransform Identity;
    FVector TransformPosition(const FVector &v) const { return FVector(v.X + translation.X, v.Y + translation.Y, v.Z + translation.Z); }
};
const FTransform FTransform::Identity;

template <class T>
struct TArray : std::vector<T> {
    int32 Num() const { return static_cast<int32>(this->size()); }
};

struct FMath {
    static double Tan(double x) { return std::tan(x); }
    static double Atan(double x) { return std::atan(x); }
    static double DegreesToRadians(double x) { return x * 3.14159265358979323846 / 180; }
    static double RadiansToDegrees(double x) { return x * 180 / 3.14159265358979323846; }
};

// Elements of simple collision; a scale of the test is the same along all axes.

struct FKSphereElem {
    FVector Center;
    float Radius = 0;
    FKSphereElem GetFinalScaled(const FVector &scale, const FTransform &) const {
        FKSphereElem scaled = *this;
        scaled.Center = Center * scale;
        scaled.Radius *= static_cast<float>(scale.X);
        return scaled;
    }
};
struct FKBoxElem {
    FVector Center;
    FRotator Rotation;
    float X = 0, Y = 0, Z = 0;
    FKBoxElem GetFinalScaled(const FVector &scale, const FTransform &) const {
        FKBoxElem scaled = *this;
        scaled.Center = Center * scale;
        scaled.X *= static_cast<float>(scale.X);
        scaled.Y *= static_cast<float>(scale.Y);
        scaled.Z *= static_cast<float>(scale.Z);
        return scaled;
    }
};
struct FKSphylElem {
    FVector Center;
    FRotator Rotation;
    float Radius = 0, Length = 0;
    FKSphylElem GetFinalScaled(const FVector &, const FTransform &) const { return *this; }
};
struct FKConvexElem {
    TArray<FVector> VertexData;
    FTransform transform;
    const FTransform &GetTransform() const { return transform; }
};
struct FKTaperedCapsuleElem {};
struct FKAggregateGeom {
    TArray<FKSphereElem> SphereElems;
    TArray<FKBoxElem> BoxElems;
    TArray<FKSphylElem> SphylElems;
    TArray<FKConvexElem> ConvexElems;
    TArray<FKTaperedCapsuleElem> TaperedCapsuleElems;
};

enum ECollisionTraceFlag { CTF_UseDefault, CTF_UseComplexAsSimple };
enum ECollisionResponse { ECR_Ignore, ECR_Overlap, ECR_Block };
enum ECollisionChannel { ECC_WorldStatic, ECC_WorldDynamic, ECC_Pawn };
namespace ECollisionEnabled {
enum Type { NoCollision, QueryAndPhysics };
}
namespace EComponentMobility {
enum Type { Static, Movable };
}
namespace EEndPlayReason {
enum Type { Quit };
}
enum ELevelTick { LEVELTICK_All };
enum ETickingGroup { TG_PrePhysics, TG_PostPhysics };

struct FTriIndices {
    int32 v0, v1, v2;
};
struct FTriMeshCollisionData {
    TArray<FVector3f> Vertices;
    TArray<FTriIndices> Indices;
};

struct UWorld;
struct AActor;

struct UObject {
    std::string name;
    virtual ~UObject() {}
    FString GetName() const { return name; }
    FString GetPathName() const { return name; }
    uint32 GetUniqueID() const { return static_cast<uint32>(reinterpret_cast<uintptr_t>(this) >> 4); }
};

template <class To, class From>
To *Cast(From *from) {
    return dynamic_cast<To *>(from);
}
template <class To, class From>
const To *Cast(const From *from) {
    return dynamic_cast<const To *>(from);
}

template <class T>
struct TWeakObjectPtr {
    T *object;
    TWeakObjectPtr(T *object_) : object(object_) {}
    T *Get() const { return object; }
};

struct IInterface_CollisionDataProvider {
    virtual ~IInterface_CollisionDataProvider() {}
    virtual bool GetPhysicsTriMeshData(FTriMeshCollisionData *data, bool all) = 0;
};

struct UBodySetup : UObject {
    FKAggregateGeom AggGeom;
    ECollisionTraceFlag flag = CTF_UseDefault;
    UObject *outer = nullptr;
    ECollisionTraceFlag GetCollisionTraceFlag() const { return flag; }
    UObject *GetOuter() const { return outer; }
};

struct FActorComponentTickFunction {
    bool bCanEverTick = false;
    ETickingGroup TickGroup = TG_PrePhysics;
};

struct UActorComponent : UObject {
    FActorComponentTickFunction PrimaryComponentTick;
    UWorld *world = nullptr;
    AActor *owner = nullptr;
    UWorld *GetWorld() const { return world; }
    AActor *GetOwner() const { return owner; }
    virtual void BeginPlay() {}
    virtual void EndPlay(const EEndPlayReason::Type) {}
    virtual void TickComponent(float, ELevelTick, FActorComponentTickFunction *) {}
};

struct USceneComponent : UActorComponent {
    FVector location, scale = FVector(1, 1, 1);
    FQuat quat;
    USceneComponent *parent = nullptr;
    EComponentMobility::Type Mobility = EComponentMobility::Movable;
    FVector GetComponentLocation() const { return location; }
    FQuat GetComponentQuat() const { return quat; }
    FVector GetComponentScale() const { return scale; }
    USceneComponent *GetAttachParent() const { return parent; }
};

struct FBodyInstance {
    bool bUseCCD = false;
};

struct UPrimitiveComponent : USceneComponent {
    UBodySetup *setup = nullptr;
    FBodyInstance BodyInstance;
    bool simulates = false, registered = true, welded = false, awake = true;
    float mass = 1;
    FVector velocity, spin;
    ECollisionChannel type = ECC_WorldStatic;
    std::vector<ECollisionResponse> responses = std::vector<ECollisionResponse>(32, ECR_Block);
    UBodySetup *GetBodySetup() { return setup; }
    bool IsSimulatingPhysics() const { return simulates; }
    bool IsRegistered() const { return registered; }
    bool IsWelded() const { return welded; }
    bool IsAnyRigidBodyAwake() { return awake; }
    float GetMass() const { return mass; }
    FVector GetPhysicsLinearVelocityAtPoint(FVector) { return velocity; }
    FVector GetPhysicsAngularVelocityInRadians() const { return spin; }
    ECollisionEnabled::Type GetCollisionEnabled() const { return ECollisionEnabled::QueryAndPhysics; }
    ECollisionChannel GetCollisionObjectType() const { return type; }
    ECollisionResponse GetCollisionResponseToChannel(ECollisionChannel channel) const { return responses[static_cast<size_t>(channel)]; }
};
struct UCapsuleComponent : UPrimitiveComponent {};

struct AActor : UObject {};
struct ACharacter : AActor {
    UCapsuleComponent *capsule = nullptr;
    UCapsuleComponent *GetCapsuleComponent() const { return capsule; }
};

struct APlayerCameraManager {
    FVector location;
    FRotator rotation;
    bool bGameCameraCutThisFrame = false;
    FVector GetCameraLocation() const { return location; }
    FRotator GetCameraRotation() const { return rotation; }
    float GetFOVAngle() const { return 90; }
};
struct APlayerController {
    APlayerCameraManager *PlayerCameraManager = nullptr;
};

struct UWorld {
    APlayerController *player = nullptr;
    APlayerController *GetFirstPlayerController() const { return player; }
    FString GetMapName() const { return "Level"; }
    float GetGravityZ() const { return -980; }
};

extern float GNearClippingPlane;

struct UPhysicsSettings {
    bool bSubstepping = true;
    static UPhysicsSettings *Get() {
        static UPhysicsSettings settings;
        return &settings;
    }
};

struct FApp {
    static FString GetBuildVersion() { return "1.2"; }
};

struct FPaths {
    static FString ProjectSavedDir() { return ""; }
    static FString ConvertRelativePathToFull(const FString &, const FString &path) { return path; }
};

/// All components of the test.
extern std::vector<UPrimitiveComponent *> AllComponents;

template <class T>
struct TObjectIterator {
    size_t at = 0;
    explicit operator bool() const { return at < AllComponents.size(); }
    T *operator*() const { return AllComponents[at]; }
    void operator++() { ++at; }
};
