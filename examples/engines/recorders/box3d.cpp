// A level of Box3D with every kind of shape, recorded by docs/record/hitstop_box3d.hpp, and by the engine itself for boxrec2hitstop.cpp.
//
//     box3d LOG RECORDING bug|healthy
#include <cstring>
#include <fstream>

#include "hitstop_box3d.hpp"

#define ENGINE(name) b3##name
using Vector = b3Vec3;
#include "box_run.hpp"

static b3WorldId world;

static b3BodyId body(b3BodyType type, b3Vec3 at, const char *name) {
    b3BodyDef def = b3DefaultBodyDef();
    def.type = type;
    def.position = {at.x, at.y, at.z};
    def.name = name;
    return b3CreateBody(world, &def);
}

static void box(b3BodyId to, b3Vec3 half, const b3ShapeDef &def = b3DefaultShapeDef()) {
    const b3BoxHull hull = b3MakeBoxHull(half.x, half.y, half.z);
    b3CreateHullShape(to, &def, &hull.base);
}

static void sphere(b3BodyId to, b3Vec3 centre, float radius, const b3ShapeDef &def = b3DefaultShapeDef()) {
    const b3Sphere it = {centre, radius};
    b3CreateSphereShape(to, &def, &it);
}

static void capsule(b3BodyId to, float half, float radius) {
    const b3ShapeDef def = b3DefaultShapeDef();
    const b3Capsule it = {{-half, 0, 0}, {half, 0, 0}, radius};
    b3CreateCapsuleShape(to, &def, &it);
}

int main(int, char **arguments) {
    b3WorldDef settings = b3DefaultWorldDef();
    settings.enableContinuous = std::strcmp(arguments[3], "bug") != 0;
    world = b3CreateWorld(&settings);
    const b3ShapeDef plain = b3DefaultShapeDef();

    box(body(b3_staticBody, {0, -0.5f, 0}, "floor"), {40, 0.5f, 40});
    box(body(b3_staticBody, {5, 1, 0}, "wall"), {0.05f, 1, 3});
    const b3BodyId ball = body(b3_dynamicBody, {0, 0.4f, 0}, "ball");
    sphere(ball, {0, 0, 0}, 0.1f);
    b3Body_SetLinearVelocity(ball, {60, 0, 0});

    // One of each shape, a stack, a body of two shapes, and one that rides a lift.
    capsule(body(b3_dynamicBody, {-5, 1, 0}, "pill"), 0.3f, 0.2f);
    b3CreateHullShape(body(b3_dynamicBody, {-12, 1, -5}, "rock"), &plain, b3CreateRock(0.5f));
    b3CreateHullShape(body(b3_dynamicBody, {-14, 1, -5}, "drum"), &plain, b3CreateCylinder(1, 0.4f, 0, 16));
    for (int i = 0; i < 5; ++i) box(body(b3_dynamicBody, {-10, 0.5f + 1.05f * static_cast<float>(i), 5}, "crate"), {0.5f, 0.5f, 0.5f});
    const b3BodyId two = body(b3_dynamicBody, {-5, 1, 3}, "two");
    sphere(two, {0.2f, 0.1f, 0}, 0.3f);
    sphere(two, {-0.2f, 0.1f, 0}, 0.3f);
    const b3BodyId lift = body(b3_kinematicBody, {15, 0.2f, 0}, "lift");
    box(lift, {1, 0.2f, 1});
    b3Body_SetLinearVelocity(lift, {0, 0.5f, 0});
    box(body(b3_dynamicBody, {15, 0.8f, 0}, "rider"), {0.3f, 0.3f, 0.3f});

    // A mesh, a mirrored one and a height field with holes, each with a ball on it.
    b3MeshData *waves = b3CreateWaveMesh(20, 20, 0.5f, 0.2f, 0.1f, 0.1f);
    b3CreateMeshShape(body(b3_staticBody, {20, 1, 20}, "mesh"), &plain, waves, {1, 1, 1});
    b3CreateMeshShape(body(b3_staticBody, {-20, 1, 20}, "mirrored mesh"), &plain, waves, {-1, 1, 1});
    b3CreateHeightFieldShape(body(b3_staticBody, {20, 1, -20}, "terrain"), &plain, b3CreateWave(20, 20, {0.5f, 1, 0.5f}, 0.1f, 0.1f, true));
    for (b3Vec3 at : {b3Vec3{20, 3, 20}, b3Vec3{-20, 3, 20}, b3Vec3{23, 3, -17}}) sphere(body(b3_dynamicBody, at, "roller"), {0, 0, 0}, 0.3f);

    // A baked compound.
    const b3BoxHull block = b3MakeBoxHull(0.3f, 0.3f, 0.3f);
    b3CompoundSphereDef dome = {};
    dome.sphere = {{0, 0.5f, 0}, 0.5f};
    b3CompoundHullDef step = {};
    step.hull = &block.base;
    step.transform = b3Transform_identity;
    step.transform.p = {2, 0.3f, 0};
    b3CompoundDef parts = {};
    parts.spheres = &dome;
    parts.sphereCount = 1;
    parts.hulls = &step;
    parts.hullCount = 1;
    b3CompoundData *baked = b3CreateCompound(&parts);
    b3ShapeDef baked_def = plain;
    const b3ShapeId baked_shape = b3CreateBakedCompoundShape(body(b3_staticBody, {10, 0, -10}, "baked"), &baked_def, baked);
    sphere(body(b3_dynamicBody, {12, 2, -10}, "on baked"), {0, 0, 0}, 0.1f);

    // Pairs that never collide: joined, of one negative group, or by their masks; and a sensor.
    const b3BodyId arms[] = {body(b3_dynamicBody, {0, 3, 10}, "arm"), body(b3_dynamicBody, {0.5f, 3, 10}, "arm")};
    for (b3BodyId arm : arms) capsule(arm, 0.3f, 0.15f);
    b3SphericalJointDef elbow = b3DefaultSphericalJointDef();
    elbow.base.bodyIdA = arms[0];
    elbow.base.bodyIdB = arms[1];
    elbow.base.localFrameA.p = {0.25f, 0, 0};
    elbow.base.localFrameB.p = {-0.25f, 0, 0};
    b3CreateSphericalJoint(world, &elbow);
    b3ShapeDef grouped = plain;
    grouped.filter.groupIndex = -1;
    for (float x : {0.0f, 0.2f}) box(body(b3_dynamicBody, {x, 0.5f, -10}, "ghost"), {0.3f, 0.3f, 0.3f}, grouped);
    b3ShapeDef sensor = plain;
    sensor.isSensor = true;
    box(body(b3_staticBody, {-5, 0.5f, 0}, "gate"), {0.3f, 0.3f, 0.3f}, sensor);

    std::ofstream file(arguments[1]);
    hitstop::Box3DRecorder log(file, world, hitstop::Header());
    log.compound(baked_shape, baked);
    const bool is_saved = run(world, log, arguments[2], [](int k) -> Ray {
        const float x = -26 + 0.17f * static_cast<float>(k), z = k % 2 ? 20.2f + 0.01f * static_cast<float>(k) : -18 + 0.02f * static_cast<float>(k);
        return {{x, 6, z}, {0.3f, -7, 0.2f}};
    });
    return file.good() && is_saved ? 0 : 1;
}
