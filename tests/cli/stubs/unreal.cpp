// A ball that falls in front of the camera, a lift, a character, and one of each kind of shape at rest.
#include "HitstopUnreal.cpp"

float GNearClippingPlane = 10;
std::vector<UPrimitiveComponent *> AllComponents;

struct UStaticMesh : UObject, IInterface_CollisionDataProvider {
    bool GetPhysicsTriMeshData(FTriMeshCollisionData *data, bool) override {
        data->Vertices.insert(data->Vertices.end(), {FVector3f{0, 0, 0}, FVector3f{100, 0, 0}, FVector3f{0, 100, 0}});
        data->Indices.push_back({0, 1, 2});
        return true;
    }
};

int main(int, char **arguments) {
    UWorld world;
    APlayerController player;
    APlayerCameraManager camera;
    // To the right of Unreal's forward: along +Y, which is -Y in the log.
    camera.rotation.quaternion = {0, 0, std::sqrt(0.5), std::sqrt(0.5)};
    camera.location = FVector(100, 200, 300);
    player.PlayerCameraManager = &camera;
    world.player = &player;
    AActor actor;
    actor.name = "Actor";
    ACharacter hero;
    hero.name = "Hero";

    UBodySetup sphere, box, capsule, both, hull, mesh;
    sphere.AggGeom.SphereElems.push_back({FVector(), 25});
    FKBoxElem block;
    block.X = 100;
    block.Y = 200;
    block.Z = 40;
    box.AggGeom.BoxElems.push_back(block);
    FKSphylElem pill;
    pill.Radius = 40;
    pill.Length = 100;
    capsule.AggGeom.SphylElems.push_back(pill);
    block.Center = FVector(0, 50, 0);
    both.AggGeom.SphereElems.push_back({FVector(), 25});
    both.AggGeom.BoxElems.push_back(block);
    FKConvexElem corner;
    for (FVector point : {FVector(0, 0, 0), FVector(100, 0, 0), FVector(0, 100, 0), FVector(0, 0, 100)}) corner.VertexData.push_back(point);
    corner.transform.translation = FVector(0, 10, 0);
    hull.AggGeom.ConvexElems.push_back(corner);
    UStaticMesh source;
    mesh.flag = CTF_UseComplexAsSimple;
    mesh.outer = &source;

    UCapsuleComponent body;
    UPrimitiveComponent ball, floor, lift, parts, rock, ramp, landscape;
    hero.capsule = &body;
    UBodySetup *setups[] = {&sphere, &box, &box, &capsule, &both, &hull, &mesh, nullptr};
    UPrimitiveComponent *all[] = {&ball, &floor, &lift, &body, &parts, &rock, &ramp, &landscape};
    const char *names[] = {"Ball", "Floor", "Lift", "Capsule", "Parts", "Rock", "Ramp", "Landscape"};
    for (size_t i = 0; i < 8; ++i) {
        all[i]->setup = setups[i];
        all[i]->name = names[i];
        all[i]->world = &world;
        all[i]->owner = &actor;
        all[i]->location = FVector(0, 1000.0 * static_cast<double>(i), 0);
        all[i]->Mobility = i == 2 || i == 3 ? EComponentMobility::Movable : EComponentMobility::Static;
        AllComponents.push_back(all[i]);
    }
    body.owner = &hero;
    ball.simulates = true;
    ball.mass = 2;
    ball.BodyInstance.bUseCCD = true;
    ball.velocity = FVector(0, 60, 0);
    ball.spin = FVector(1, 2, 3);
    ball.type = ECC_WorldDynamic;
    ball.responses[ECC_Pawn] = ECR_Ignore;
    floor.scale = FVector(2, 2, 2);

    UHitstopRecorder recorder;
    recorder.world = &world;
    recorder.Path = arguments[1];
    recorder.BeginPlay();
    for (int frame = 1; frame < 5; ++frame) {
        ball.location.Y += 1;
        lift.location.Z += 2;
        camera.bGameCameraCutThisFrame = frame == 3;
        if (frame == 2) {
            TArray<FVector> path;
            path.insert(path.end(), {FVector(1, 2, 3), FVector(4, 5, 6)});
            recorder.Message("jump", &ball);
            recorder.Value("speed", 60, &ball);
            recorder.Mark(path, "aim", &ball, 5);
            recorder.Log()->message("low", hitstop::Query::NONE, hitstop::Level::Warning);
        }
        recorder.TickComponent(1.0f / 60, LEVELTICK_All, nullptr);
    }
    recorder.EndPlay(EEndPlayReason::Quit);
    return recorder.Number(&ball) == 0 ? 0 : 1;
}
