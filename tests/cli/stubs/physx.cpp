// One of each shape at rest, and a ball that goes through a box: positions follow from the frame number.
#include "hitstop_physx.hpp"

#include <fstream>

int main(int, char **arguments) {
    using namespace physx;
    std::ofstream file(arguments[1]);
    hitstop::Header header;
    header.gravity = {0, 0, 0};
    hitstop::PhysXRecorder log(file, header);

    PxSphereGeometry ball_geometry;
    ball_geometry.radius = 0.25f;
    PxBoxGeometry box_geometry;
    box_geometry.halfExtents = PxVec3(0.5f, 1, 2);
    PxCapsuleGeometry capsule_geometry;
    PxPlaneGeometry plane_geometry;
    PxConvexMesh tetrahedron;
    tetrahedron.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    PxConvexMeshGeometry hull_geometry;
    hull_geometry.convexMesh = &tetrahedron;
    hull_geometry.scale.scale = PxVec3(2, 2, 2);
    PxTriangleMesh triangle;
    triangle.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    triangle.indices = {0, 1, 2};
    PxTriangleMeshGeometry mesh_geometry;
    mesh_geometry.triangleMesh = &triangle;
    mesh_geometry.scale.scale = PxVec3(-1, 1, 1);
    PxHeightField field;
    field.rows = 2;
    field.columns = 3;
    field.samples.resize(6);
    field.samples[0].split = true;
    field.samples[1].materialIndex1 = PxHeightFieldMaterial::eHOLE;
    PxHeightFieldGeometry field_geometry;
    field_geometry.heightField = &field;

    const PxGeometry *geometries[] = {&box_geometry, &capsule_geometry, &plane_geometry, &hull_geometry, &mesh_geometry, &field_geometry};
    PxShape shapes[6], ball_shape;
    PxRigidActor fixed[6];
    for (int i = 0; i < 6; ++i) {
        shapes[i].geometry = geometries[i];
        fixed[i].shapes = {&shapes[i]};
        fixed[i].pose.p = PxVec3(0, 10.0f * static_cast<float>(i), 0);
        log.add(fixed[i], "fixed " + std::to_string(i));
    }
    // The ball is one unit beside its centre of mass, so that its velocity has a part of the spin.
    ball_shape.geometry = &ball_geometry;
    ball_shape.pose.p = PxVec3(0, 0, 1);
    PxScene scene;
    PxRigidDynamic ball;
    ball.scene = &scene;
    ball.flags = PxRigidBodyFlag::eENABLE_CCD;
    ball.shapes = {&ball_shape};
    ball.velocity = PxVec3(60, 0, 0);
    log.add(ball, "ball");
    // Its actor is a step behind.
    PxShape player_shape;
    player_shape.geometry = &capsule_geometry;
    PxRigidDynamic actor;
    actor.flags = PxRigidBodyFlag::eKINEMATIC;
    actor.shapes = {&player_shape};
    PxController player;
    player.actor = &actor;
    player.position.y = 14;
    log.add(player, "player");
    for (int frame = 0; frame < 7; ++frame) {
        player.position.y = 14 - frame / 60.0;
        ball.pose.p = PxVec3(static_cast<float>(frame) - 2, 0, -1);
        if (frame == 2) {
            PxContactPairHeader pair;
            pair.actors[0] = &ball;
            pair.actors[1] = &fixed[0];
            PxContactPair contact;
            contact.shapes[0] = &ball_shape;
            contact.shapes[1] = &shapes[0];
            contact.contactCount = 1;
            contact.flags = PxContactPairFlag::eINTERNAL_HAS_IMPULSES;
            contact.points = {{PxVec3(-0.5f, 0, 0), -0.25f, PxVec3(-1, 0, 0), PxVec3(-12, 0, 0)}};
            log.onContact(pair, &contact, 1);
        }
        if (frame == 3) {
            PxControllerShapeHit hit;
            hit.controller = &player;
            hit.worldPos.y = 12;
            hit.worldNormal = PxVec3(0, 1, 0);
            hit.shape = &shapes[1];
            hit.actor = &fixed[1];
            log.onShapeHit(hit);
            PxExtendedVec3 from;
            from.y = 15;
            log.move(player, from, PxVec3(0.5f, -2, 0), PxControllerCollisionFlag::eCOLLISION_DOWN);
            hitstop::Query ray({0, 14, 0}, {0, 4, 0});
            ray.hit = log.number(fixed[1], shapes[1]);
            ray.fraction = 0.3;
            ray.normal = {0, 1, 0};
            ray.tag = "ground";
            log.log().query(ray);
            log.log().value("grounded", true, ray.hit);
        }
        if (frame == 4) {
            log.remove(ball);
            log.remove(actor);
        }
        if (frame == 5) {
            log.remove(fixed[0]);
            log.add(ball, "late");
        }
        if (frame == 6) ball.flags = PxRigidBodyFlag::eKINEMATIC;
        log.frame(frame / 60.0);
    }
    return file.good() ? 0 : 1;
}
