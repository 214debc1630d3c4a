// Records actors of PhysX with hitstop.hpp. Compiled against the headers of PhysX 5.6, C++14.
//
//     header.margin = 0.04;                                     // the sum of two contact offsets
//     hitstop::PhysXRecorder log(file, header);                 // or (header, 10.0): see hitstop.hpp
//     scene_desc.simulationEventCallback = &log;                // or call its onContact from yours
//     log.add(*floor, "floor");                                 // every actor that matters
//     log.frame(0.0);
//     for (;;) {
//         scene->simulate(dt);
//         scene->fetchResults(true);
//         log.frame(time += dt);
//     }
//
// Contacts need `eNOTIFY_CONTACT_POINTS`, `eNOTIFY_TOUCH_FOUND` and `eNOTIFY_TOUCH_PERSISTS` among the pair flags of the filter shader.
// Filter data are the program's own: pass what they decide as `layer` and `mask`. Call `remove` before an actor is released. A PxController is added as an
// actor is; its hits need `desc.reportCallback = &log`, and `log.move` its moves. Before `frame`, `log.log()` takes a camera, pushes, ignored pairs and the queries of the game, with
// `log.number(actor, shape)` of what they hit.
#pragma once

#include <PxPhysicsAPI.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <set>
#include <vector>

#include "hitstop.hpp"

namespace hitstop {

inline Vec3 vec(const physx::PxVec3 &v) { return {v.x, v.y, v.z}; }
inline Quat quat(const physx::PxQuat &q) { return {q.x, q.y, q.z, q.w}; }

inline std::string physx_triangles(const physx::PxTriangleMeshGeometry &geometry) {
    const physx::PxTriangleMesh &source = *geometry.triangleMesh;
    const physx::PxMat33 scale = geometry.scale.toMat33();
    std::vector<Vec3> vertices;
    for (physx::PxU32 i = 0; i < source.getNbVertices(); ++i) vertices.push_back(vec(scale * source.getVertices()[i]));
    std::vector<uint32_t> indices(3 * source.getNbTriangles());
    const bool is_short = source.getTriangleMeshFlags() & physx::PxTriangleMeshFlag::e16_BIT_INDICES;
    for (size_t i = 0; i < indices.size(); ++i) {
        indices[i] = is_short ? static_cast<const physx::PxU16 *>(source.getTriangles())[i]
                              : static_cast<const physx::PxU32 *>(source.getTriangles())[i];
    }
    // A mirrored mesh turns its faces.
    if (geometry.scale.hasNegativeDeterminant())
        for (size_t i = 0; i + 2 < indices.size(); i += 3) std::swap(indices[i + 1], indices[i + 2]);
    return mesh(vertices, indices, !(geometry.meshFlags & physx::PxMeshGeometryFlag::eDOUBLE_SIDED));
}

inline std::string physx_heights(const physx::PxHeightFieldGeometry &geometry) {
    const physx::PxHeightField &source = *geometry.heightField;
    const uint32_t rows = source.getNbRows(), columns = source.getNbColumns();
    std::vector<Vec3> vertices;
    std::vector<uint32_t> indices;
    for (uint32_t row = 0; row < rows; ++row) {
        for (uint32_t column = 0; column < columns; ++column) {
            const physx::PxHeightFieldSample &sample = source.getSample(row, column);
            vertices.push_back({row * geometry.rowScale, sample.height * geometry.heightScale, column * geometry.columnScale});
            if (row + 1 == rows || column + 1 == columns) continue;
            uint32_t a = row * columns + column, b = a + 1, c = a + columns, d = c + 1;
            // The flag selects the diagonal that splits the cell: from a to d, or from b to c.
            const uint32_t split[2][6] = {{b, c, a, c, b, d}, {a, d, c, d, a, b}};
            const uint32_t *corners = split[sample.tessFlag() ? 1 : 0];
            const physx::PxU8 materials[2] = {sample.materialIndex0, sample.materialIndex1};
            for (int half = 0; half < 2; ++half) {
                if (materials[half] == physx::PxHeightFieldMaterial::eHOLE) continue;
                indices.insert(indices.end(), corners + 3 * half, corners + 3 * half + 3);
            }
        }
    }
    return mesh(vertices, indices);
}

/// A shape around its own origin; empty for one that the log does not have.
inline std::string physx_shape(const physx::PxGeometry &geometry) {
    switch (geometry.getType()) {
        case physx::PxGeometryType::eSPHERE:
            return sphere(static_cast<const physx::PxSphereGeometry &>(geometry).radius);
        case physx::PxGeometryType::eBOX:
            return box(vec(static_cast<const physx::PxBoxGeometry &>(geometry).halfExtents));
        case physx::PxGeometryType::eCAPSULE: {
            const auto &it = static_cast<const physx::PxCapsuleGeometry &>(geometry);
            double half = it.halfHeight;
            return capsule({-half, 0, 0}, {half, 0, 0}, it.radius);
        }
        case physx::PxGeometryType::ePLANE:
            return plane({1, 0, 0}, 0);
        case physx::PxGeometryType::eCONVEXMESH: {
            const auto &it = static_cast<const physx::PxConvexMeshGeometry &>(geometry);
            const physx::PxMat33 scale = it.scale.toMat33();
            std::vector<Vec3> points;
            for (physx::PxU32 i = 0; i < it.convexMesh->getNbVertices(); ++i)
                points.push_back(vec(scale * it.convexMesh->getVertices()[i]));
            return convex_hull(points);
        }
        case physx::PxGeometryType::eTRIANGLEMESH:
            return physx_triangles(static_cast<const physx::PxTriangleMeshGeometry &>(geometry));
        case physx::PxGeometryType::eHEIGHTFIELD:
            return physx_heights(static_cast<const physx::PxHeightFieldGeometry &>(geometry));
        default:
            return "";
    }
}

class PhysXRecorder : public physx::PxSimulationEventCallback, public physx::PxUserControllerHitReport {
public:
    PhysXRecorder(std::ostream &out, Header header) : log_(out, named(std::move(header))) {}
    PhysXRecorder(Header header, double seconds) : log_(named(std::move(header)), seconds) {}

    /// Static actors are written once. If the program moves some, set this before the first frame: they are written in every frame.
    bool fixed_can_move = false;

    /// Adds the shapes of an actor, each as an object; they are not tested against each other. A shape whose size changes, or whose actor becomes kinematic
    /// or dynamic, goes on as another object.
    void add(const physx::PxRigidActor &actor, const std::string &name, int64_t layer = -1, int64_t mask = -1) { add(actor, nullptr, name, layer, mask); }

    /// Adds a character, whose shapes are those of its actor; its velocity is that of its moves.
    void add(const physx::PxController &controller, const std::string &name, int64_t layer = -1, int64_t mask = -1) {
        add(*controller.getActor(), &controller, name, layer, mask);
    }

    /// A character's move: call it after `PxController::move`, with its position before, the displacement that it was asked for and the answer. PhysX does not
    /// tell its sweeps: each of its hits has one of the whole move.
    void move(const physx::PxController &controller, const physx::PxExtendedVec3 &from, const physx::PxVec3 &wish, physx::PxControllerCollisionFlags flags) {
        auto is_it = [&](const Known &it) { return it.controller == &controller; };
        auto known = std::find_if(known_.begin(), known_.end(), is_it);
        if (known == known_.end()) return;
        const auto &at = controller.getPosition();
        const Vec3 to = {at.x, at.y, at.z};
        Move made({from.x, from.y, from.z}, vec(wish), to);
        made.grounded = static_cast<bool>(flags & physx::PxControllerCollisionFlag::eCOLLISION_DOWN);
        made.up = vec(controller.getUpDirection());
        // The engine has its cosine, of single precision; 0: there is no limit.
        const double cosine = controller.getSlopeLimit();
        if (cosine > 0) made.max_slope = std::round(1e4 * std::acos(cosine) * 180 / 3.14159265358979) / 1e4;
        made.max_step = controller.getStepOffset();
        made.skin = controller.getContactOffset();
        for (; moved_ < contacts_.size(); ++moved_) {
            const Contact &it = contacts_[moved_];
            if (it.a != known->number) continue;
            Sweep sweep("slide", made.from, to);
            sweep.hit = it.b;
            sweep.normal = it.normal;
            sweep.point = it.point;
            made.sweeps.push_back(sweep);
        }
        log_.move(known->number, made);
    }

    uint32_t number(const physx::PxRigidActor &actor, const physx::PxShape &shape) const { return numbers_.at({&actor, &shape}); }

    Recorder &log() { return log_; }

    /// Takes an actor out of the frames to come.
    void remove(const physx::PxRigidActor &actor) {
        for (const Known &it : known_)
            if (it.actor == &actor && is_once(it)) log_.remove(it.number);
        auto is_of = [&](const Known &it) { return it.actor == &actor; };
        known_.erase(std::remove_if(known_.begin(), known_.end(), is_of), known_.end());
        for (auto it = numbers_.begin(); it != numbers_.end();) it = it->first.first == &actor ? numbers_.erase(it) : std::next(it);
    }

    /// Writes the state after a step, and the contacts of the step.
    void frame(double time) {
        log_.begin_frame(time);
        for (Known &it : known_) {
            if (motion(*it.actor) != it.motion || size(*it.shape) != it.size) {
                if (is_once(it)) log_.remove(it.number);
                describe(it);
            }
            const physx::PxTransform place = it.place();
            const physx::PxRigidBody *body = it.actor->is<physx::PxRigidBody>();
            if (is_once(it)) {
                if (place.p.x != it.last.x || place.p.y != it.last.y || place.p.z != it.last.z)
                    note(it.name + " moved, but it is static; set fixed_can_move before the first frame");
            } else if (it.controller) {
                const float rate = time > time_ ? static_cast<float>(1 / (time - time_)) : 0;
                log_.body(it.number, vec(place.p), quat(place.q), vec((place.p - it.last) * rate), {0, 0, 0});
                it.last = place.p;
            } else if (!body) {
                log_.body(it.number, vec(place.p), quat(place.q), {0, 0, 0}, {0, 0, 0});
            } else {
                // Of a shape that is not at the centre of mass, too.
                const physx::PxVec3 spin = body->getAngularVelocity();
                const physx::PxVec3 arm = place.p - body->getGlobalPose().transform(body->getCMassLocalPose().p);
                const physx::PxRigidDynamic *dynamic = body->is<physx::PxRigidDynamic>();
                const bool is_asleep = dynamic && dynamic->getScene() && dynamic->isSleeping();
                log_.body(it.number, vec(place.p), quat(place.q), vec(body->getLinearVelocity() + spin.cross(arm)), vec(spin), is_asleep);
            }
        }
        time_ = time;
        for (const Contact &it : contacts_) log_.contact(it.a, it.b, it.point, it.normal, it.depth, it.impulse);
        // The callback is called: from now on a step without contacts has none.
        has_contacts_ |= !contacts_.empty();
        if (has_contacts_) log_.lists_contacts();
        contacts_.clear();
        moved_ = 0;
        log_.end_frame();
    }

    /// Of the constructor that keeps the last seconds.
    void save(std::ostream &out) const { log_.save(out); }

    /// The normal leads from the second shape to the first, as in the log.
    void onContact(const physx::PxContactPairHeader &header, const physx::PxContactPair *pairs, physx::PxU32 count) override {
        const auto removed = physx::PxContactPairHeaderFlag::eREMOVED_ACTOR_0 | physx::PxContactPairHeaderFlag::eREMOVED_ACTOR_1;
        if (header.flags & removed) return;
        for (physx::PxU32 i = 0; i < count; ++i) {
            auto one = numbers_.find({header.actors[0], pairs[i].shapes[0]});
            auto two = numbers_.find({header.actors[1], pairs[i].shapes[1]});
            if (one == numbers_.end() || two == numbers_.end()) continue;
            std::vector<physx::PxContactPairPoint> points(pairs[i].contactCount);
            physx::PxU32 read = pairs[i].extractContacts(points.data(), static_cast<physx::PxU32>(points.size()));
            const bool has_impulses = pairs[i].flags & physx::PxContactPairFlag::eINTERNAL_HAS_IMPULSES;
            for (physx::PxU32 k = 0; k < read; ++k) {
                const double impulse = has_impulses ? points[k].impulse.dot(points[k].normal) : -1;
                contacts_.push_back({one->second, two->second, vec(points[k].position), vec(points[k].normal), -points[k].separation, impulse});
            }
        }
    }

    /// A controller keeps its contact offset off what it hits.
    void onShapeHit(const physx::PxControllerShapeHit &hit) override {
        const physx::PxRigidActor *actor = hit.controller->getActor();
        const auto &at = hit.worldPos;
        for (const Known &it : known_) {
            auto other = numbers_.find({hit.actor, hit.shape});
            if (it.actor != actor || other == numbers_.end()) continue;
            contacts_.push_back({it.number, other->second, {at.x, at.y, at.z}, vec(hit.worldNormal), -hit.controller->getContactOffset(), -1});
        }
    }

    void onControllerHit(const physx::PxControllersHit &) override {}
    void onObstacleHit(const physx::PxControllerObstacleHit &) override {}

    void onConstraintBreak(physx::PxConstraintInfo *, physx::PxU32) override {}
    void onWake(physx::PxActor **, physx::PxU32) override {}
    void onSleep(physx::PxActor **, physx::PxU32) override {}
    void onTrigger(physx::PxTriggerPair *, physx::PxU32) override {}
    void onAdvance(const physx::PxRigidBody *const *, const physx::PxTransform *, const physx::PxU32) override {}

private:
    struct Known {
        const physx::PxRigidActor *actor;
        const physx::PxShape *shape;
        const physx::PxController *controller;
        std::string name, body;
        int64_t layer, mask;
        int count;
        uint32_t number;
        /// As they were when it was described.
        Motion motion;
        std::string size;
        /// Of the frame before; of a static one, at first.
        physx::PxVec3 last;

        /// Of the shape; a controller is ahead of its actor, which follows in the next step.
        physx::PxTransform place() const {
            physx::PxTransform pose = actor->getGlobalPose() * shape->getLocalPose();
            if (!controller) return pose;
            const auto &at = controller->getPosition();
            pose.p = physx::PxVec3(static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z));
            return pose;
        }
    };

    struct Contact {
        uint32_t a, b;
        Vec3 point, normal;
        double depth;
        /// Negative: not known.
        double impulse;
    };

    void add(const physx::PxRigidActor &actor, const physx::PxController *controller, const std::string &name, int64_t layer, int64_t mask) {
        std::vector<physx::PxShape *> shapes(actor.getNbShapes());
        actor.getShapes(shapes.data(), static_cast<physx::PxU32>(shapes.size()));
        for (size_t i = 0; i < shapes.size(); ++i) {
            const std::string own = shapes.size() == 1 ? name : name + " part " + std::to_string(i);
            Known it{&actor, shapes[i], controller, own, name, layer, mask, 0, 0, Motion::Fixed, "", {}};
            if (physx_shape(shapes[i]->getGeometry()).empty()) {
                note(own + " is not recorded: the log has no shape like it");
                continue;
            }
            describe(it);
            known_.push_back(it);
        }
    }

    bool is_once(const Known &it) const { return it.motion == Motion::Fixed && !fixed_can_move; }

    /// Prints once what the log does not have.
    void note(const std::string &what) {
        if (notes_.insert(what).second) std::cerr << "hitstop: " << what << std::endl;
    }

    static Motion motion(const physx::PxRigidActor &actor) {
        const physx::PxRigidBody *body = actor.is<physx::PxRigidBody>();
        if (!body) return Motion::Fixed;
        return body->getRigidBodyFlags() & physx::PxRigidBodyFlag::eKINEMATIC ? Motion::Kinematic : Motion::Dynamic;
    }

    /// Of shapes that are often changed.
    static std::string size(const physx::PxShape &shape) {
        const physx::PxGeometry &geometry = shape.getGeometry();
        const auto type = geometry.getType();
        const bool is_small = type == physx::PxGeometryType::eSPHERE || type == physx::PxGeometryType::eBOX || type == physx::PxGeometryType::eCAPSULE;
        return is_small ? physx_shape(geometry) : "";
    }

    /// Adds a shape as it is now, as an object of its own.
    void describe(Known &it) {
        it.motion = motion(*it.actor);
        it.size = size(*it.shape);
        Object object(++it.count == 1 ? it.name : it.name + ' ' + std::to_string(it.count), physx_shape(it.shape->getGeometry()), it.motion);
        if (const physx::PxRigidBody *body = it.actor->is<physx::PxRigidBody>()) {
            object.ccd = static_cast<bool>(body->getRigidBodyFlags() & physx::PxRigidBodyFlag::eENABLE_CCD);
            if (body->getMass() > 0) object.mass = body->getMass();
        }
        const physx::PxTransform place = it.actor->getGlobalPose() * it.shape->getLocalPose();
        object.position = vec(place.p);
        object.rotation = quat(place.q);
        object.layer = it.layer;
        object.mask = it.mask;
        object.sensor = it.shape->getFlags() & physx::PxShapeFlag::eTRIGGER_SHAPE;
        object.body = it.body;
        object.character = it.controller != nullptr;
        it.last = it.place().p;
        numbers_[{it.actor, it.shape}] = it.number = log_.add(object);
    }

    static Header named(Header header) {
        if (header.engine.empty()) header.engine = "physx";
        return header;
    }

    Recorder log_;
    /// A shape can be of several actors.
    std::map<std::pair<const physx::PxActor *, const physx::PxShape *>, uint32_t> numbers_;
    std::vector<Known> known_;
    std::set<std::string> notes_;
    std::vector<Contact> contacts_;
    /// Contacts before this one are of moves that are recorded.
    size_t moved_ = 0;
    bool has_contacts_ = false;
    /// Of the last frame.
    double time_ = 0;
};

}  // namespace hitstop
