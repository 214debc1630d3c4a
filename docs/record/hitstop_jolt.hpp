// Records bodies and characters of Jolt with hitstop.hpp. Run with Jolt 5.0 and 5.5; C++17.
//
//     hitstop::JoltRecorder log(file, header);                  // or (header, 10.0): see hitstop.hpp
//     system.SetContactListener(&log);
//     log.add(system, floor_id, "floor");                       // every body that matters
//     log.frame(system, 0.0);
//     for (;;) {
//         log.move(*character, from, velocity * dt, &settings); // after its ExtendedUpdate
//         system.Update(dt, 1, &allocator, &jobs);              // one collision step: a line after each
//         log.frame(system, time += dt);
//     }
//
// Jolt's layers are a table of the program's own: pass what it decides as `layer` and `mask`. A CharacterVirtual is added as a body is. Before `frame`,
// `log.log()` takes a camera, pushes, ignored pairs and the queries of the game, with `log.number(id)` of what they hit.
#pragma once

#include <Jolt/Jolt.h>

#include <Jolt/Physics/Body/BodyLock.h>
#include <Jolt/Physics/Character/CharacterVirtual.h>
#include <Jolt/Physics/Collision/ContactListener.h>
#include <Jolt/Physics/Collision/Shape/BoxShape.h>
#include <Jolt/Physics/Collision/Shape/CapsuleShape.h>
#include <Jolt/Physics/Collision/Shape/CompoundShape.h>
#include <Jolt/Physics/Collision/Shape/ConvexHullShape.h>
#include <Jolt/Physics/Collision/Shape/CylinderShape.h>
#include <Jolt/Physics/Collision/Shape/RotatedTranslatedShape.h>
#include <Jolt/Physics/Collision/Shape/SphereShape.h>
#include <Jolt/Physics/PhysicsSystem.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

#include "hitstop.hpp"

namespace hitstop {

inline Vec3 vec(JPH::Vec3Arg v) { return {v.GetX(), v.GetY(), v.GetZ()}; }
#ifdef JPH_DOUBLE_PRECISION
inline Vec3 vec(JPH::RVec3Arg v) { return {v.GetX(), v.GetY(), v.GetZ()}; }
#endif
inline Quat quat(JPH::QuatArg q) { return {q.GetX(), q.GetY(), q.GetZ(), q.GetW()}; }

/// A convex shape around its own origin, if the log has one like it.
inline std::optional<std::string> jolt_convex(const JPH::Shape *shape) {
    switch (shape->GetSubType()) {
        case JPH::EShapeSubType::Sphere:
            return sphere(static_cast<const JPH::SphereShape *>(shape)->GetRadius());
        case JPH::EShapeSubType::Box: {
            const auto *it = static_cast<const JPH::BoxShape *>(shape);
            // Its convex radius rounds the box from inside.
            float radius = it->GetConvexRadius();
            return box(vec(it->GetHalfExtent() - JPH::Vec3::sReplicate(radius)), radius);
        }
        case JPH::EShapeSubType::Capsule: {
            const auto *it = static_cast<const JPH::CapsuleShape *>(shape);
            double half = it->GetHalfHeightOfCylinder();
            return capsule({0, -half, 0}, {0, half, 0}, it->GetRadius());
        }
        case JPH::EShapeSubType::ConvexHull: {
            const auto *it = static_cast<const JPH::ConvexHullShape *>(shape);
            std::vector<Vec3> points;
            for (JPH::uint i = 0; i < it->GetNumPoints(); ++i) points.push_back(vec(it->GetCenterOfMass() + it->GetPoint(i)));
            return convex_hull(points, it->GetConvexRadius());
        }
        default:
            return std::nullopt;
    }
}

/// The convex parts of a shape, at their places in a frame; false if one of them is not convex.
inline bool jolt_parts(const JPH::Shape *shape, JPH::Mat44Arg place, std::vector<Part> &parts) {
    if (shape->GetSubType() == JPH::EShapeSubType::RotatedTranslated) {
        const auto *it = static_cast<const JPH::RotatedTranslatedShape *>(shape);
        JPH::Mat44 inner = JPH::Mat44::sRotationTranslation(it->GetRotation(), it->GetPosition());
        return jolt_parts(it->GetInnerShape(), place * inner, parts);
    }
    if (shape->GetType() == JPH::EShapeType::Compound) {
        for (const JPH::CompoundShape::SubShape &sub : static_cast<const JPH::CompoundShape *>(shape)->GetSubShapes()) {
            // Relative to the centres of mass of both.
            JPH::Vec3 centre = shape->GetCenterOfMass() + sub.GetPositionCOM();
            JPH::Mat44 inner = JPH::Mat44::sRotationTranslation(sub.GetRotation(), centre) *
                               JPH::Mat44::sTranslation(-sub.mShape->GetCenterOfMass());
            if (!jolt_parts(sub.mShape, place * inner, parts)) return false;
        }
        return true;
    }
    std::optional<std::string> convex = jolt_convex(shape);
    // A cylinder lies along Y; the log's lies along the up axis.
    if (shape->GetSubType() == JPH::EShapeSubType::Cylinder) {
        const auto *it = static_cast<const JPH::CylinderShape *>(shape);
        convex = cylinder(it->GetHalfHeight(), it->GetRadius());
    }
    if (convex) parts.push_back({*convex, vec(place.GetTranslation()), quat(place.GetQuaternion())});
    return convex.has_value();
}

/// The surface of any shape, as a mesh.
inline std::string jolt_mesh(const JPH::Shape *shape) {
    constexpr int most = JPH::Shape::cGetTrianglesMinTrianglesRequested;
    JPH::Shape::GetTrianglesContext context;
    JPH::Float3 corners[3 * most];
    std::vector<Vec3> vertices;
    std::vector<uint32_t> indices;
    std::map<std::tuple<float, float, float>, uint32_t> known;
    shape->GetTrianglesStart(context, JPH::AABox::sBiggest(), shape->GetCenterOfMass(), JPH::Quat::sIdentity(),
                             JPH::Vec3::sReplicate(1));
    while (int count = shape->GetTrianglesNext(context, most, corners)) {
        for (int i = 0; i < 3 * count; ++i) {
            JPH::Float3 c = corners[i];
            auto found = known.emplace(std::make_tuple(c.x, c.y, c.z), static_cast<uint32_t>(vertices.size()));
            if (found.second) vertices.push_back({c.x, c.y, c.z});
            indices.push_back(found.first->second);
        }
    }
    return mesh(vertices, indices, true);
}

/// A shape as the log writes it.
inline std::string jolt_shape(const JPH::Shape *shape) {
    std::vector<Part> parts;
    if (!jolt_parts(shape, JPH::Mat44::sIdentity(), parts)) return jolt_mesh(shape);
    const JPH::EShapeSubType kind = shape->GetSubType();
    bool is_whole = shape->GetType() != JPH::EShapeType::Compound && kind != JPH::EShapeSubType::RotatedTranslated;
    return is_whole ? parts[0].shape : compound(parts);
}

class JoltRecorder : public JPH::ContactListener {
public:
    JoltRecorder(std::ostream &out, Header header) : log_(out, named(std::move(header))) {}
    JoltRecorder(Header header, double seconds) : log_(named(std::move(header)), seconds) {}

    /// Static bodies are written once. If the program moves some, set this before the first frame: they are written in every frame.
    bool fixed_can_move = false;

    /// The body's number in the log. When its motion type or shape changes, it becomes a new object.
    uint32_t add(const JPH::PhysicsSystem &system, JPH::BodyID id, const std::string &name, int64_t layer = -1,
                 int64_t mask = -1) {
        JPH::BodyLockRead lock(system.GetBodyLockInterface(), id);
        bodies_.push_back({id, 0, name, layer, mask, JPH::EMotionType::Static, nullptr, {0, 0, 0}});
        describe(lock.GetBody(), bodies_.back());
        return bodies_.back().number;
    }

    /// The character's number in the log, with the contacts of its last update. Call `remove` before it is destroyed.
    uint32_t add(const JPH::CharacterVirtual &character, const std::string &name, int64_t layer = -1, int64_t mask = -1) {
        characters_.push_back({&character, 0, name, layer, mask, nullptr});
        describe(characters_.back());
        return characters_.back().number;
    }

    void remove(const JPH::CharacterVirtual &character) {
        auto is_it = [&](const KnownCharacter &it) { return it.character == &character; };
        characters_.erase(std::remove_if(characters_.begin(), characters_.end(), is_it), characters_.end());
    }

    /// A character's move: call it after its update and before `frame`, with its position before, the displacement that the game asked for (the velocity times
    /// the length of the step), and the settings of `ExtendedUpdate`. Jolt does not tell its sweeps: each contact that was in the way has one of the whole move.
    void move(const JPH::CharacterVirtual &character, JPH::RVec3 from, JPH::Vec3 wish, const JPH::CharacterVirtual::ExtendedUpdateSettings *settings = nullptr) {
        auto is_it = [&](const KnownCharacter &it) { return it.character == &character; };
        auto known = std::find_if(characters_.begin(), characters_.end(), is_it);
        if (known == characters_.end()) return;
        const JPH::Vec3 up = character.GetUp();
        const Vec3 to = origin(character);
        Move made(vec(from + character.GetRotation() * character.GetShapeOffset()), vec(wish), to);
        made.grounded = character.GetGroundState() == JPH::CharacterVirtual::EGroundState::OnGround;
        made.up = vec(up);
        // The engine has its cosine, of single precision.
        made.max_slope = std::round(1e4 * std::acos(character.GetCosMaxSlopeAngle()) * 180 / 3.14159265358979) / 1e4;
        made.skin = character.GetCharacterPadding();
        if (settings) {
            made.max_step = settings->mWalkStairsStepUp.Dot(up);
            made.snap = -settings->mStickToFloorStepDown.Dot(up);
        }
        for (const auto &it : character.GetActiveContacts()) {
            auto found = numbers_.find(it.mBodyB);
            if (found == numbers_.end() || !it.mHadCollision || it.mWasDiscarded || it.mContactNormal.Dot(wish) >= 0) continue;
            Sweep sweep("slide", made.from, to);
            sweep.hit = found->second;
            sweep.normal = vec(it.mContactNormal);
            sweep.point = vec(it.mPosition);
            made.sweeps.push_back(sweep);
        }
        log_.move(known->number, made);
    }

    uint32_t number(JPH::BodyID id) const { return numbers_.at(id); }

    Recorder &log() { return log_; }

    /// Writes the state after a step, and the contacts of the step.
    void frame(const JPH::PhysicsSystem &system, double time) {
        std::lock_guard<std::mutex> guard(mutex_);
        log_.begin_frame(time);
        for (Known &it : bodies_) {
            JPH::BodyLockRead lock(system.GetBodyLockInterface(), it.id);
            // A body that was removed does not exist in the frame.
            const bool is_there = lock.Succeeded() && lock.GetBody().IsInBroadPhase();
            if (is_once(it) && is_there != !it.is_gone) {
                if (!is_there) log_.remove(it.number);
                else describe(lock.GetBody(), it);
            }
            it.is_gone = !is_there;
            if (!is_there) continue;
            const JPH::Body &body = lock.GetBody();
            if (body.GetMotionType() != it.motion || body.GetShape() != it.shape) {
                if (is_once(it)) log_.remove(it.number);
                describe(body, it);
            }
            const Vec3 at = vec(body.GetPosition());
            if (is_once(it)) {
                if ((at.x != it.at.x || at.y != it.at.y || at.z != it.at.z) && notes_.insert(it.name).second)
                    std::cerr << "hitstop: " << it.name << " moved, but it is static; set fixed_can_move before the first frame" << std::endl;
                continue;
            }
            const bool is_static = body.IsStatic();
            log_.body(it.number, at, quat(body.GetRotation()), is_static ? Vec3{0, 0, 0} : vec(body.GetLinearVelocity()),
                      is_static ? Vec3{0, 0, 0} : vec(body.GetAngularVelocity()), !is_static && !body.IsActive());
        }
        for (KnownCharacter &known : characters_) {
            const JPH::CharacterVirtual *character = known.character;
            if (character->GetShape() != known.shape) describe(known);
            log_.body(known.number, origin(*character), quat(character->GetRotation()), vec(character->GetLinearVelocity()), {0, 0, 0});
            for (const auto &it : character->GetActiveContacts()) {
                auto found = numbers_.find(it.mBodyB);
                if (found != numbers_.end() && !it.mIsSensorB && !it.mWasDiscarded)
                    contacts_.push_back({known.number, found->second, vec(it.mPosition), vec(it.mContactNormal), -it.mDistance});
            }
        }
        // They come from several threads, in any order.
        std::sort(contacts_.begin(), contacts_.end(), [](const Contact &x, const Contact &y) { return x.key() < y.key(); });
        for (const Contact &it : contacts_) log_.contact(it.a, it.b, it.point, it.normal, it.depth);
        // The listener is called: from now on a step without contacts has none.
        has_contacts_ |= !contacts_.empty();
        if (has_contacts_) log_.lists_contacts();
        contacts_.clear();
        log_.end_frame();
    }

    /// Of the constructor that keeps the last seconds.
    void save(std::ostream &out) const { log_.save(out); }

    void OnContactAdded(const JPH::Body &body1, const JPH::Body &body2, const JPH::ContactManifold &manifold,
                        JPH::ContactSettings &) override {
        collect(body1, body2, manifold);
    }

    void OnContactPersisted(const JPH::Body &body1, const JPH::Body &body2, const JPH::ContactManifold &manifold,
                            JPH::ContactSettings &) override {
        collect(body1, body2, manifold);
    }

private:
    struct Contact {
        uint32_t a, b;
        Vec3 point, normal;
        double depth;

        std::tuple<uint32_t, uint32_t, double, double, double> key() const { return {a, b, point.x, point.y, point.z}; }
    };

    struct Known {
        JPH::BodyID id;
        uint32_t number;
        std::string name;
        int64_t layer, mask;
        /// As they were when it was described.
        JPH::EMotionType motion;
        const JPH::Shape *shape;
        Vec3 at;
        int count = 0;
        bool is_gone = false;
    };

    struct KnownCharacter {
        const JPH::CharacterVirtual *character;
        uint32_t number;
        std::string name;
        int64_t layer, mask;
        const JPH::Shape *shape;
        int count = 0;
    };

    bool is_once(const Known &it) const { return it.motion == JPH::EMotionType::Static && !fixed_can_move; }

    /// The name of an object, with a number if it is not the first of its body.
    template <class Any>
    static std::string called(Any &it) {
        return ++it.count == 1 ? it.name : it.name + ' ' + std::to_string(it.count);
    }

    /// Adds a body as it is now, as an object of its own.
    void describe(const JPH::Body &body, Known &it) {
        static const Motion motions[] = {Motion::Fixed, Motion::Kinematic, Motion::Dynamic};
        it.motion = body.GetMotionType();
        it.shape = body.GetShape();
        it.at = vec(body.GetPosition());
        Object object(called(it), jolt_shape(it.shape), motions[static_cast<int>(it.motion)]);
        object.position = it.at;
        object.rotation = quat(body.GetRotation());
        object.layer = it.layer;
        object.mask = it.mask;
        object.sensor = body.IsSensor();
        if (!body.IsStatic()) object.ccd = body.GetMotionProperties()->GetMotionQuality() == JPH::EMotionQuality::LinearCast;
        if (body.IsDynamic() && body.GetMotionProperties()->GetInverseMassUnchecked() > 0)
            object.mass = 1.0 / body.GetMotionProperties()->GetInverseMassUnchecked();
        numbers_[it.id] = it.number = log_.add(object);
    }

    void describe(KnownCharacter &it) {
        it.shape = it.character->GetShape();
        Object object(called(it), jolt_shape(it.shape), Motion::Kinematic);
        object.position = origin(*it.character);
        object.rotation = quat(it.character->GetRotation());
        object.layer = it.layer;
        object.mask = it.mask;
        object.character = true;
        it.number = log_.add(object);
    }

    static Header named(Header header) {
        if (header.engine.empty()) header.engine = "jolt";
        return header;
    }

    /// Of the character's shape.
    static Vec3 origin(const JPH::CharacterVirtual &character) {
        return vec(character.GetPosition() + character.GetRotation() * character.GetShapeOffset());
    }

    void collect(const JPH::Body &body1, const JPH::Body &body2, const JPH::ContactManifold &manifold) {
        std::lock_guard<std::mutex> guard(mutex_);
        auto one = numbers_.find(body1.GetID()), two = numbers_.find(body2.GetID());
        if (one == numbers_.end() || two == numbers_.end()) return;
        JPH::Vec3 normal = manifold.mWorldSpaceNormal;
        for (JPH::uint i = 0; i < manifold.mRelativeContactPointsOn1.size(); ++i) {
            JPH::RVec3 on1 = manifold.GetWorldSpaceContactPointOn1(i), on2 = manifold.GetWorldSpaceContactPointOn2(i);
            // `mPenetrationDepth` is that of the deepest point.
            double depth = JPH::Vec3(on1 - on2).Dot(normal);
            contacts_.push_back({two->second, one->second, vec(on2), vec(normal), depth});
        }
    }

    Recorder log_;
    std::mutex mutex_;
    std::map<JPH::BodyID, uint32_t> numbers_;
    std::vector<Known> bodies_;
    std::vector<KnownCharacter> characters_;
    std::set<std::string> notes_;
    std::vector<Contact> contacts_;
    bool has_contacts_ = false;
};

}  // namespace hitstop
