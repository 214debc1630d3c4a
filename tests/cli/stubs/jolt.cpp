// A body of each shape, a ball that goes through a box, and a character beside a body, which casts a ray at it.
#include "hitstop_jolt.hpp"

#include <fstream>

int main(int, char **arguments) {
    using namespace JPH;
    std::ofstream file(arguments[1]);
    hitstop::Header header;
    header.gravity = {0, 0, 0};
    hitstop::JoltRecorder log(file, header);

    SphereShape sphere(0.25f);
    BoxShape box(Vec3(0.5f, 1, 2));
    CapsuleShape capsule;
    CylinderShape cylinder;
    ConvexHullShape hull;
    hull.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    hull.centre = Vec3(1, 0, 0);
    RotatedTranslatedShape moved(&sphere, Vec3(0, 3, 0));
    CompoundShape compound;
    compound.centre = Vec3(1, 0, 0);
    compound.parts = {{&sphere, Vec3(0, 2, 0)}, {&moved, Vec3(0, 0, 0)}};
    Shape mesh(EShapeType::Mesh, EShapeSubType::Mesh);
    const Shape *shapes[] = {&box, &capsule, &cylinder, &hull, &moved, &compound, &mesh, &sphere};

    PhysicsSystem system;
    system.bodies.resize(8);
    for (uint32_t i = 0; i < 8; ++i) {
        Body &body = system.bodies[i];
        body.id.index = i;
        body.shape = shapes[i];
        body.position = Vec3(0, 10.0f * static_cast<float>(i % 7), 0);
    }
    Body &ball = system.bodies[7];
    ball.motion = EMotionType::Dynamic;
    ball.properties.quality = EMotionQuality::LinearCast;
    ball.properties.inverse_mass = 0.5f;
    ball.velocity = Vec3(60, 0, 0);
    for (uint32_t i = 0; i < 8; ++i) log.add(system, BodyID{i}, "body " + std::to_string(i));
    CharacterVirtual character;
    character.shape = &capsule;
    character.position = Vec3(0, 18, 0);
    character.offset = Vec3(0, 0.5f, 0);
    character.velocity = Vec3(0, -1, 0);
    uint32_t player = log.add(character, "player");
    for (int frame = 0; frame < 6; ++frame) {
        ball.position = Vec3(static_cast<float>(frame) - 2, 0, 0);
        if (frame == 2) {
            // The normal leads from the first body to the second.
            ContactManifold manifold;
            manifold.mWorldSpaceNormal = Vec3(-1, 0, 0);
            manifold.mRelativeContactPointsOn1 = {Vec3(-0.5f, 0, 0)};
            manifold.mRelativeContactPointsOn2 = {Vec3(-0.25f, 0, 0)};
            ContactSettings settings;
            log.OnContactAdded(system.bodies[0], ball, manifold, settings);
        }
        if (frame == 3) {
            character.contacts = {{Vec3(0, 20, 0), Vec3(0, -1, 0), 0.125f, BodyID{2}, false, false, true}, {Vec3(0, 20, 0), Vec3(0, -1, 0), 0, BodyID{3}, true, true, true}};
            // One that it only comes near to, and one that it leaves.
            character.contacts.push_back({Vec3(0, 18, 0), Vec3(0, -1, 0), 0.5f, BodyID{1}, false, false, false});
            character.contacts.push_back({Vec3(0, 18, 0), Vec3(0, 1, 0), 0.5f, BodyID{1}, false, false, true});
            const CharacterVirtual::ExtendedUpdateSettings settings;
            log.move(character, Vec3(0, 17, 0), Vec3(0.5f, 2, 0), &settings);
            hitstop::Query ray({0, 18.5, 0}, {0, 28.5, 0});
            ray.id = player;
            ray.hit = log.number(BodyID{2});
            ray.fraction = 0.05;
            ray.normal = {0, -1, 0};
            log.log().query(ray);
        }
        if (frame == 4) {
            ball.added = false;
            log.remove(character);
        }
        if (frame == 5) {
            system.bodies[1].motion = EMotionType::Kinematic;
            system.bodies[3].added = false;
        }
        log.frame(system, frame / 60.0);
    }
    return file.good() ? 0 : 1;
}
