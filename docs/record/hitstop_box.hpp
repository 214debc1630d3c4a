// What the recorders of Box2D 3 and Box3D share: include hitstop_box2d.hpp or hitstop_box3d.hpp, C++17.
#pragma once

#include <algorithm>
#include <iostream>
#include <set>
#include <unordered_map>

#include "hitstop.hpp"

namespace hitstop {

/// The functions of an engine whose names begin with `b`, as a struct that the recorder takes.
#define HITSTOP_BOX_API(Name, b)                                                                                          \
    struct Name {                                                                                                         \
        using World = b##WorldId;                                                                                         \
        using Body = b##BodyId;                                                                                           \
        using Shape = b##ShapeId;                                                                                         \
        using Joint = b##JointId;                                                                                         \
        using Contact = b##ContactData;                                                                                   \
        using Filter = b##Filter;                                                                                         \
        static double unit() { return b##GetLengthUnitsPerMeter(); }                                                      \
        static bool is_continuous(World world) { return b##World_IsContinuousEnabled(world); }                            \
        static bool is_valid(Body body) { return b##Body_IsValid(body); }                                                 \
        static bool is_valid(Shape shape) { return b##Shape_IsValid(shape); }                                             \
        static bool is_enabled(Body body) { return b##Body_IsEnabled(body); }                                             \
        static bool is_awake(Body body) { return b##Body_IsAwake(body); }                                                 \
        static bool is_bullet(Body body) { return b##Body_IsBullet(body); }                                               \
        static bool is_sensor(Shape shape) { return b##Shape_IsSensor(shape); }                                           \
        static double mass(Body body) { return b##Body_GetMass(body); }                                                   \
        static Filter filter(Shape shape) { return b##Shape_GetFilter(shape); }                                           \
        static Body body(Shape shape) { return b##Shape_GetBody(shape); }                                                 \
        static Body body_a(Joint joint) { return b##Joint_GetBodyA(joint); }                                              \
        static Body body_b(Joint joint) { return b##Joint_GetBodyB(joint); }                                              \
        static bool collides(Joint joint) { return b##Joint_GetCollideConnected(joint); }                                 \
        static const char *name(Body body) { return b##Body_GetName(body); }                                              \
        static Motion motion(Body body) {                                                                                 \
            const b##BodyType type = b##Body_GetType(body);                                                               \
            return type == b##_staticBody ? Motion::Fixed : type == b##_kinematicBody ? Motion::Kinematic : Motion::Dynamic; \
        }                                                                                                                 \
        static std::vector<Shape> shapes(Body body) {                                                                     \
            std::vector<Shape> all(static_cast<size_t>(b##Body_GetShapeCount(body)));                                     \
            all.resize(static_cast<size_t>(b##Body_GetShapes(body, all.data(), static_cast<int>(all.size()))));           \
            return all;                                                                                                   \
        }                                                                                                                 \
        static std::vector<Joint> joints(Body body) {                                                                     \
            std::vector<Joint> all(static_cast<size_t>(b##Body_GetJointCount(body)));                                     \
            all.resize(static_cast<size_t>(b##Body_GetJoints(body, all.data(), static_cast<int>(all.size()))));           \
            return all;                                                                                                   \
        }                                                                                                                 \
        static std::vector<Contact> contacts(Body body) {                                                                 \
            std::vector<Contact> all(static_cast<size_t>(b##Body_GetContactCapacity(body)));                              \
            all.resize(static_cast<size_t>(b##Body_GetContactData(body, all.data(), static_cast<int>(all.size()))));      \
            return all;                                                                                                   \
        }                                                                                                                 \
        static std::vector<Body> moved(World world) {                                                                     \
            const b##BodyEvents events = b##World_GetBodyEvents(world);                                                   \
            std::vector<Body> all;                                                                                        \
            for (int i = 0; i < events.moveCount; ++i) all.push_back(events.moveEvents[i].bodyId);                        \
            return all;                                                                                                   \
        }                                                                                                                 \
        static auto position(Body body) { return vec(b##Body_GetPosition(body)); }                                        \
        static auto rotation(Body body) { return quat(b##Body_GetRotation(body)); }                                       \
        static auto centre(Body body) { return vec(b##Body_GetWorldCenter(body)); }                                       \
        static auto velocity(Body body) { return vec(b##Body_GetLocalPointVelocity(body, {})); }                          \
        static auto spin(Body body) { return turn(b##Body_GetAngularVelocity(body)); }                                    \
    }

/// Records a world: bodies as they are made and destroyed, one object for each shape.
///
/// `Engine` has the functions above, and those that differ: `Of` is its kind of level, `reached` gives the shapes of a world, `shape` a text or nothing, `key` what one object is
/// made of, `points` those of a contact; and `engine_name`, `scalar`, `gravity`, `margin`, `refusal`.
template <class Engine>
class BoxRecorder {
public:
    using World = typename Engine::World;
    using Body = typename Engine::Body;
    using Shape = typename Engine::Shape;
    using Of = typename Engine::Of;
    using Vec = typename Of::Vec;
    using Header = BasicHeader<Of>;
    using Query = BasicQuery<Of>;

    BoxRecorder(std::ostream &out, World world, Header header) : log_(out, of(world, std::move(header))), world_(world) {}
    BoxRecorder(World world, Header header, double seconds) : log_(of(world, std::move(header)), seconds), world_(world) {}

    /// Static bodies are written once. If the program moves, disables or destroys some, set this before the first frame: they are written in
    /// every frame.
    bool fixed_can_move = false;

    /// For the camera, pushes, queries and pairs of the program's own.
    BasicRecorder<Of> &log() { return log_; }

    /// The number of a shape in the log.
    uint32_t number(Shape shape) {
        auto found = numbers_.find(Engine::key(shape));
        if (found != numbers_.end()) return found->second;
        add(Engine::body(shape));
        return numbers_.at(Engine::key(shape));
    }

    /// Adds a body that `frame` does not find by itself: one that neither moves nor is reached by a query, as all of its shapes are sensors or
    /// have no category or mask.
    void add(Body body) {
        if (known_.count(key(body)) == 0) {
            known_[key(body)] = bodies_.size();
            const char *name = Engine::name(body);
            const std::string own = name ? name : "";
            bodies_.push_back({body, unique(own.empty() ? "body " + std::to_string(bodies_.size()) : own), Engine::motion(body),
                               Engine::position(body), Engine::rotation(body), Engine::centre(body)});
        }
        add_shapes(bodies_[known_[key(body)]]);
    }

    /// The body was placed by the program since the last frame.
    void teleported(Body body) { teleported_.insert(key(body)); }

    /// Writes the state after a step, and the contacts of the step. Call it once before the first.
    void frame(double time) {
        for (const Body &body : Engine::moved(world_))
            if (Engine::is_valid(body)) add(body);
        std::vector<Shape> reached = Engine::reached(world_);
        std::sort(reached.begin(), reached.end(), [](const Shape &a, const Shape &b) { return a.index1 < b.index1; });
        for (const Shape &shape : reached) number(shape);
        log_.begin_frame(time);
        for (size_t i = 0; i < bodies_.size(); ++i) {
            Known &it = bodies_[i];
            if (!is_there(it)) continue;
            const Motion motion = Engine::motion(it.body);
            if (motion != it.motion) note(it.name + " became " + (motion == Motion::Fixed ? "static" : "movable") + "; the log keeps its first type");
            if (is_listed(it)) list(it);
            // Points are relative to the centres at the step's start, where they were at the frame before.
            if (it.motion != Motion::Fixed && !is_first_) list_contacts(it);
            list_joints(it);
        }
        if (!is_first_) log_.lists_contacts();
        log_.end_frame();
        for (Known &it : bodies_)
            if (!it.is_gone) it.centre = Engine::centre(it.body);
        teleported_.clear();
        is_first_ = false;
    }

    /// Of the constructor that keeps the last seconds.
    void save(std::ostream &out) const { log_.save(out); }

protected:
    Engine engine_;

private:
    struct Known {
        Body body;
        std::string name;
        Motion motion;
        Vec position;
        typename Of::Turn rotation;
        /// Of mass, at the frame before.
        Vec centre;
        bool is_gone = false;
    };

    static Header of(World world, Header header) {
        if (header.engine.empty()) header.engine = Engine::engine_name();
        if (header.margin < 0) header.margin = Engine::margin();
        if (Engine::unit() != 1) header.length = 1 / Engine::unit();
        header.gravity = Engine::gravity(world);
        header.scalar = Engine::scalar;
        return header;
    }

    static uint64_t key(Body body) { return static_cast<uint64_t>(body.index1) << 16 | body.generation; }

    /// Prints once what the log does not have.
    void note(const std::string &what) {
        if (notes_.insert(what).second) std::cerr << "hitstop: " << what << std::endl;
    }

    std::string unique(const std::string &name) {
        std::string free = name;
        for (int count = 2; !names_.insert(free).second; ++count) free = name + ' ' + std::to_string(count);
        return free;
    }

    void add_shapes(const Known &it) {
        const std::vector<Shape> shapes = Engine::shapes(it.body);
        std::set<uint64_t> keys;
        for (const Shape &shape : shapes) keys.insert(Engine::key(shape));
        size_t count = 0;
        for (const Shape &shape : shapes) {
            if (numbers_.count(Engine::key(shape))) continue;
            const std::string text = engine_.shape(shape);
            if (text.empty()) {
                note("a shape of " + it.name + " is not recorded: " + Engine::refusal);
                numbers_[Engine::key(shape)] = Query::NONE;
                continue;
            }
            BasicObject<Of> object(keys.size() == 1 ? it.name : unique(it.name + " part " + std::to_string(++count)), text, it.motion);
            object.position = Engine::position(it.body);
            object.rotation = Engine::rotation(it.body);
            object.body = it.name;
            object.sensor = Engine::is_sensor(shape);
            if (it.motion == Motion::Dynamic && Engine::mass(it.body) > 0) object.mass = Engine::mass(it.body);
            // Every dynamic body is swept against static ones; a bullet against others, too.
            if (it.motion == Motion::Dynamic && !Engine::is_continuous(world_)) object.ccd = 0;
            else if (it.motion == Motion::Dynamic && Engine::is_bullet(it.body)) object.ccd = 1;
            const typename Engine::Filter filter = Engine::filter(shape);
            object.layer = bits(filter.categoryBits);
            object.mask = bits(filter.maskBits);
            const uint32_t number = log_.add(object);
            numbers_[Engine::key(shape)] = number;
            // Of one negative group, none collide with each other.
            if (filter.groupIndex > 0) note("positive group indices are not in the log: pairs collide as their masks say");
            if (filter.groupIndex >= 0) continue;
            std::vector<uint32_t> &group = groups_[filter.groupIndex];
            for (uint32_t other : group) log_.ignore(number, other);
            group.push_back(number);
        }
    }

    /// The log has 32 layers, the engine 64.
    uint32_t bits(uint64_t all) {
        const uint32_t low = static_cast<uint32_t>(all), high = static_cast<uint32_t>(all >> 32);
        if (high == 0 || high == 0xFFFFFFFFu) return low;
        note("filter bits above the 32nd share a layer with those 32 below");
        return low | high;
    }

    bool is_listed(const Known &it) const { return it.motion != Motion::Fixed || fixed_can_move; }

    /// Whether a body is in the world; notes a static one that is not, or is elsewhere.
    bool is_there(Known &it) {
        if (it.is_gone) return false;
        it.is_gone = !Engine::is_valid(it.body);
        if (is_listed(it)) return !it.is_gone && Engine::is_enabled(it.body);
        const char *help = "; set fixed_can_move before the first frame";
        if (it.is_gone || !Engine::is_enabled(it.body)) {
            note(it.name + " was removed, but it is static" + help);
            return false;
        }
        if (!(Engine::position(it.body) == it.position && Engine::rotation(it.body) == it.rotation))
            note(it.name + " moved, but it is static" + help);
        return true;
    }

    /// The objects of a body.
    std::set<uint32_t> objects(const Known &it) {
        std::set<uint32_t> all;
        for (const Shape &shape : Engine::shapes(it.body)) all.insert(number(shape));
        all.erase(Query::NONE);
        return all;
    }

    void list(const Known &it) {
        const bool is_asleep = it.motion == Motion::Dynamic && !Engine::is_awake(it.body);
        for (uint32_t number : objects(it))
            log_.body(number, Engine::position(it.body), Engine::rotation(it.body), Engine::velocity(it.body), Engine::spin(it.body), is_asleep,
                      teleported_.count(key(it.body)) > 0);
    }

    void list_contacts(const Known &it) {
        for (const typename Engine::Contact &contact : Engine::contacts(it.body)) {
            const uint32_t one = number(contact.shapeIdA), two = number(contact.shapeIdB);
            if (one == Query::NONE || two == Query::NONE) continue;
            const Known &a = bodies_[known_.at(key(Engine::body(contact.shapeIdA)))];
            const Known &b = bodies_[known_.at(key(Engine::body(contact.shapeIdB)))];
            // Both bodies have it.
            if (&b == &it && a.motion != Motion::Fixed) continue;
            // A static body has not moved since.
            const bool on_b = b.motion == Motion::Fixed;
            // Of a pair that sleeps the engine keeps the impulse of an earlier step.
            const bool is_solved = Engine::is_awake(a.body) || Engine::is_awake(b.body);
            Engine::points(contact, on_b ? b.centre : a.centre, on_b, [&](Vec point, Vec normal, double separation, double impulse) {
                log_.contact(two, one, point, normal, -separation, is_solved ? impulse : -1);
            });
        }
    }

    void list_joints(const Known &it) {
        for (const auto &joint : Engine::joints(it.body)) {
            if (Engine::collides(joint) || key(Engine::body_a(joint)) != key(it.body)) continue;
            const auto other = known_.find(key(Engine::body_b(joint)));
            if (other == known_.end()) continue;
            for (uint32_t a : objects(it))
                for (uint32_t b : objects(bodies_[other->second])) log_.joint(a, b);
        }
    }

    BasicRecorder<Of> log_;
    World world_;
    /// Their addresses stay while others are added.
    std::deque<Known> bodies_;
    /// Bodies by their id, objects by the shapes that they are made of.
    std::unordered_map<uint64_t, size_t> known_;
    std::unordered_map<uint64_t, uint32_t> numbers_;
    std::unordered_map<int, std::vector<uint32_t>> groups_;
    std::set<uint64_t> teleported_;
    std::set<std::string> names_, notes_;
    bool is_first_ = true;
};

}  // namespace hitstop
