// A level in ODE 0.16, Z up, recorded with docs/record/hitstop.hpp: ODE has no continuous detection, and a fast bullet passes a thin wall.
//
//     apt-get install libode-dev
//     c++ -O2 -I ../../docs/record ode_level.cpp -lode -o ode_level
//     ./ode_level bullet.jsonl 60 && hitstop check bullet.jsonl
//
// The second argument is the speed of the bullet, in m/s.
#include "hitstop.hpp"

#include <ode/ode.h>

#include <cstdlib>
#include <fstream>

using namespace hitstop;

static const int frames = 30;
static const double dt = 1 / 60.0;

struct Level {
    struct Moving {
        dBodyID body;
        uint32_t id;
    };

    dWorldID world = dWorldCreate();
    dSpaceID space = dSimpleSpaceCreate(0);
    dJointGroupID touching = dJointGroupCreate(0);
    std::vector<Moving> moving;
    Recorder &log;

    explicit Level(Recorder &out) : log(out) { dWorldSetGravity(world, 0, 0, -9.81); }

    // The number of an object is the data of its geom.
    static uint32_t number(dGeomID geom) { return static_cast<uint32_t>(reinterpret_cast<size_t>(dGeomGetData(geom))); }

    void add(Object object, dGeomID geom, const dMass *mass = nullptr, Vec3 velocity = {0, 0, 0}) {
        Vec3 at = object.position;
        if (mass) {
            dBodyID body = dBodyCreate(world);
            dBodySetMass(body, mass);
            dGeomSetBody(geom, body);
            dBodySetPosition(body, at.x, at.y, at.z);
            dBodySetLinearVel(body, velocity.x, velocity.y, velocity.z);
            object.mass = mass->mass;
            object.ccd = 0;
            moving.push_back({body, log.add(object)});
            dGeomSetData(geom, reinterpret_cast<void *>(static_cast<size_t>(moving.back().id)));
            return;
        }
        object.motion = Motion::Fixed;
        // A plane has no position.
        if (dGeomGetClass(geom) != dPlaneClass) dGeomSetPosition(geom, at.x, at.y, at.z);
        dGeomSetData(geom, reinterpret_cast<void *>(static_cast<size_t>(log.add(object))));
    }

    /// Makes joints of the contacts of two geoms, and records them. ODE's normal points into the first, as that of the log.
    static void touch(void *data, dGeomID a, dGeomID b) {
        Level &level = *static_cast<Level *>(data);
        if (!dGeomGetBody(a) && !dGeomGetBody(b)) return;
        dContact contacts[16];
        int count = dCollide(a, b, 16, &contacts[0].geom, sizeof contacts[0]);
        for (int i = 0; i < count; ++i) {
            contacts[i].surface = dSurfaceParameters();
            contacts[i].surface.mode = dContactApprox1;
            contacts[i].surface.mu = 0.6;
            dJointID joint = dJointCreateContact(level.world, level.touching, &contacts[i]);
            dJointAttach(joint, dGeomGetBody(a), dGeomGetBody(b));
            const dContactGeom &it = contacts[i].geom;
            level.log.contact(number(a), number(b), {it.pos[0], it.pos[1], it.pos[2]},
                              {it.normal[0], it.normal[1], it.normal[2]}, it.depth);
        }
    }

    /// Records the state, after a step if it is not the first.
    void frame(int index) {
        log.begin_frame(index * dt);
        if (index > 0) {
            dSpaceCollide(space, this, touch);
            dWorldStep(world, dt);
            dJointGroupEmpty(touching);
        }
        for (const Moving &one : moving) {
            const dReal *p = dBodyGetPosition(one.body), *q = dBodyGetQuaternion(one.body);
            const dReal *v = dBodyGetLinearVel(one.body), *w = dBodyGetAngularVel(one.body);
            log.body(one.id, {p[0], p[1], p[2]}, {q[1], q[2], q[3], q[0]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]},
                     !dBodyIsEnabled(one.body));
        }
        log.end_frame();
    }
};

static Object at(const char *name, const std::string &shape, Vec3 position) {
    Object object(name, shape);
    object.position = position;
    return object;
}

int main(int count, char **arguments) {
    if (count != 3) return 2;
    double speed = std::atof(arguments[2]);
    dInitODE2(0);
    Header header;
    header.name = "ODE";
    header.engine = "ode";
    header.up = 'z';
    header.gravity = {0, 0, -9.81};
    header.dt = dt;
    header.scalar = sizeof(dReal) == 4 ? Scalar::F32 : Scalar::F64;
    std::ofstream file(arguments[1]);
    Recorder log(file, header);
    Level level(log);
    dSpaceID space = level.space;
    dMass mass;

    level.add(at("floor", plane({0, 0, 1}, 0), {0, 0, 0}), dCreatePlane(space, 0, 0, 1, 0));
    level.add(at("wall", box({0.05, 2, 1}), {0, 0, 1}), dCreateBox(space, 0.1, 4, 2));
    float corners[] = {-2, 0, 0, 2, 0, 0, -2, 3, 1.5f, 2, 3, 1.5f};
    dTriIndex triangles[] = {0, 1, 3, 0, 3, 2};
    dTriMeshDataID data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildSingle(data, corners, 12, 4, triangles, 6, 3 * sizeof(dTriIndex));
    level.add(at("ramp", mesh({{-2, 0, 0}, {2, 0, 0}, {-2, 3, 1.5}, {2, 3, 1.5}}, {0, 1, 3, 0, 3, 2}), {-6, 3, 0}),
              dCreateTriMesh(space, data, nullptr, nullptr, nullptr));

    dMassSetBoxTotal(&mass, 2, 0.6, 0.6, 0.6);
    level.add(at("crate", box({0.3, 0.3, 0.3}), {3, 2, 0.3}), dCreateBox(space, 0.6, 0.6, 0.6), &mass);
    level.add(at("upper crate", box({0.3, 0.3, 0.3}), {3.1, 2, 0.9}), dCreateBox(space, 0.6, 0.6, 0.6), &mass);
    dMassSetSphereTotal(&mass, 1, 0.25);
    level.add(at("ball", sphere(0.25), {-6, 5, 1.35}), dCreateSphere(space, 0.25), &mass);
    dMassSetCapsuleTotal(&mass, 1, 3, 0.2, 0.8);
    level.add(at("capsule", capsule({0, 0, -0.4}, {0, 0, 0.4}, 0.2), {3, -2, 0.8}), dCreateCapsule(space, 0.2, 0.8), &mass);
    dMassSetSphereTotal(&mass, 0.1, 0.08);
    level.add(at("bullet", sphere(0.08), {-1.3, 0, 1}), dCreateSphere(space, 0.08), &mass, {speed, 0, 0});

    for (int frame = 0; frame < frames; ++frame) level.frame(frame);
    dCloseODE();
    return file.good() ? 0 : 1;
}
