// A level of Jolt with every kind of shape and a CharacterVirtual, recorded by docs/record/hitstop_jolt.hpp.
//
//     jolt LOG bug|healthy
#include "hitstop_jolt.hpp"

#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/CastResult.h>
#include <Jolt/Physics/Collision/RayCast.h>
#include <Jolt/Physics/Collision/Shape/MeshShape.h>
#include <Jolt/Physics/Collision/Shape/StaticCompoundShape.h>
#include <Jolt/RegisterTypes.h>

#include <cmath>
#include <cstring>
#include <fstream>

using namespace JPH;

// Two layers: what stands still, and what moves.
static constexpr ObjectLayer STILL = 0, MOVES = 1;

struct BroadPhaseLayers final : BroadPhaseLayerInterface {
    uint GetNumBroadPhaseLayers() const override { return 2; }
    BroadPhaseLayer GetBroadPhaseLayer(ObjectLayer layer) const override { return BroadPhaseLayer(static_cast<BroadPhaseLayer::Type>(layer)); }
#if defined(JPH_EXTERNAL_PROFILE) || defined(JPH_PROFILE_ENABLED)
    const char *GetBroadPhaseLayerName(BroadPhaseLayer) const override { return ""; }
#endif
};
struct BroadPhaseFilter final : ObjectVsBroadPhaseLayerFilter {
    bool ShouldCollide(ObjectLayer a, BroadPhaseLayer b) const override { return a == MOVES || b == BroadPhaseLayer(MOVES); }
};
struct PairFilter final : ObjectLayerPairFilter {
    bool ShouldCollide(ObjectLayer a, ObjectLayer b) const override { return a == MOVES || b == MOVES; }
};

static Float3 hill(int x, int z) {
    return Float3(static_cast<float>(x), 0.5f + 0.3f * std::sin(0.7f * static_cast<float>(x)) * std::cos(0.6f * static_cast<float>(z)), static_cast<float>(z));
}

int main(int, char **arguments) {
    RegisterDefaultAllocator();
    Factory::sInstance = new Factory();
    RegisterTypes();
    TempAllocatorImpl memory(32 << 20);
    JobSystemSingleThreaded jobs(cMaxPhysicsJobs);
    BroadPhaseLayers layers;
    BroadPhaseFilter broad_phase;
    PairFilter pairs;
    PhysicsSystem system;
    system.Init(1024, 0, 4096, 4096, layers, broad_phase, pairs);

    std::ofstream file(arguments[1]);
    hitstop::Header header;
    header.margin = 0.02;
    hitstop::JoltRecorder log(file, header);
    system.SetContactListener(&log);
    auto add = [&](const std::string &name, const Shape *shape, RVec3 at, bool moves, Vec3 velocity = Vec3::sZero(), bool is_swept = false) {
        BodyCreationSettings settings(shape, at, Quat::sIdentity(), moves ? EMotionType::Dynamic : EMotionType::Static, moves ? MOVES : STILL);
        settings.mLinearVelocity = velocity;
        if (is_swept) settings.mMotionQuality = EMotionQuality::LinearCast;
        log.add(system, system.GetBodyInterface().CreateAndAddBody(settings, EActivation::Activate), name, moves ? 2 : 1, moves ? 3 : 2);
    };

    add("floor", new BoxShape(Vec3(40, 0.5f, 40)), RVec3(0, -0.5f, 0), false);
    add("wall", new BoxShape(Vec3(0.05f, 1, 3)), RVec3(5, 1, 0), false);
    add("ball", new SphereShape(0.1f), RVec3(0.5f, 0.4f, 0), true, Vec3(60, 0, 0), std::strcmp(arguments[2], "bug") != 0);
    add("pill", new CapsuleShape(0.4f, 0.3f), RVec3(-5, 1.5f, 0), true);
    add("drum", new CylinderShape(0.5f, 0.4f), RVec3(-7, 1.5f, 0), true);
    for (int i = 0; i < 4; ++i) add("crate " + std::to_string(i), new BoxShape(Vec3(0.5f, 0.5f, 0.5f)), RVec3(-10, 0.5f + 1.02f * static_cast<float>(i), 0), true);
    const Array<Vec3> points = {Vec3(-0.5f, -0.4f, -0.4f), Vec3(0.5f, -0.4f, -0.4f), Vec3(0, -0.4f, 0.6f), Vec3(0, 0.6f, 0)};
    const ConvexHullShapeSettings hull(points);
    add("rock", hull.Create().Get(), RVec3(-13, 1, 0), true);
    StaticCompoundShapeSettings parts;
    parts.AddShape(Vec3(0.4f, 0, 0), Quat::sIdentity(), new SphereShape(0.3f));
    parts.AddShape(Vec3(-0.4f, 0.2f, 0), Quat::sRotation(Vec3::sAxisZ(), 0.5f), new BoxShape(Vec3(0.3f, 0.2f, 0.2f)));
    add("two", parts.Create().Get(), RVec3(-16, 1.5f, 0), true);
    TriangleList triangles;
    for (int x = 0; x < 10; ++x) {
        for (int z = 0; z < 10; ++z) {
            triangles.push_back(Triangle(hill(x, z), hill(x, z + 1), hill(x + 1, z)));
            triangles.push_back(Triangle(hill(x + 1, z), hill(x, z + 1), hill(x + 1, z + 1)));
        }
    }
    const MeshShapeSettings hills(triangles);
    add("hills", hills.Create().Get(), RVec3(10, 0.5f, 10), false);
    add("roller", new SphereShape(0.3f), RVec3(14.3f, 3, 14.2f), true);
    add("block", new BoxShape(Vec3(0.5f, 1, 2)), RVec3(4, 1, -6), false);
    const RotatedTranslatedShapeSettings body(Vec3(0, 0.9f, 0), Quat::sIdentity(), new CapsuleShape(0.5f, 0.4f));
    Ref<CharacterVirtualSettings> settings = new CharacterVirtualSettings;
    settings->mShape = body.Create().Get();
    Ref<CharacterVirtual> player = new CharacterVirtual(settings, RVec3(0, 0.5f, -6), Quat::sIdentity(), &system);
    const uint32_t number = log.add(*player, "player", 2, 3);
    system.OptimizeBroadPhase();

    log.frame(system, 0);
    for (int i = 1; i <= 150; ++i) {
        player->SetLinearVelocity(Vec3(3, player->GetLinearVelocity().GetY() - 9.81f / 60, 0.3f));
        const RVec3 from = player->GetPosition();
        player->Update(1.0f / 60, Vec3(0, -9.81f, 0), system.GetDefaultBroadPhaseLayerFilter(MOVES), system.GetDefaultLayerFilter(MOVES), {}, {}, memory);
        log.move(*player, from, player->GetLinearVelocity() / 60.0f);
        system.Update(1.0f / 60, 1, &memory, &jobs);
        const RRayCast ray(player->GetPosition() + Vec3(0, 1, 0), Vec3(0, -3, 0));
        RayCastResult hit;
        hitstop::Query query(hitstop::vec(ray.mOrigin), hitstop::vec(ray.mOrigin + ray.mDirection));
        query.id = number;
        if (system.GetNarrowPhaseQuery().CastRay(ray, hit)) {
            query.hit = log.number(hit.mBodyID);
            query.fraction = hit.mFraction;
        }
        log.log().query(query);
        log.frame(system, i / 60.0);
    }
    return file.good() ? 0 : 1;
}
