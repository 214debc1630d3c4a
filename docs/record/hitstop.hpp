// Writes a level as a Hitstop log, in JSON Lines. C++11, no dependencies: copy this file into your project.
//
//     std::ofstream file("run.jsonl");                 // JSON Lines: `hitstop convert` makes .jsonl.zst and .parquet of it
//     hitstop::Recorder log(file, header);             // or log(header, 10.0): keeps the last ten seconds, for log.save(file)
//     uint32_t ball = log.add({"ball", hitstop::sphere(0.1)});
//     for (;;) {
//         world.step();
//         log.begin_frame(time);
//         log.body(ball, position, rotation, velocity, spin);
//         log.end_frame();                             // before it: contact, push, query, joint, camera, substeps, gap; message, value, mark, move
//     }
//
// Numbers are in the units and axes of the header, right-handed. For flat levels (2D) there is hitstop_flat.hpp. Format: docs/log-format.md.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace hitstop {

struct Vec3 {
    double x, y, z;
};

struct Quat {
    double x, y, z, w;
};

inline Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline bool operator==(Vec3 a, Vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }
inline bool operator==(Quat a, Quat b) { return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w; }

/// Vectors, rotations and spins of a level.
struct Space {
    typedef Vec3 Vec;
    typedef Quat Turn;
    typedef Vec3 Spin;
    static constexpr bool is_flat = false;
    static Vec unscaled() { return {1, 1, 1}; }
    static Vec gravity() { return {0, -9.81, 0}; }
    static Turn unturned() { return {0, 0, 0, 1}; }
};

/// Precision of the engine: numbers are written with as many digits as it has.
enum class Scalar { F32, F64 };

enum class Motion { Dynamic, Fixed, Kinematic };

/// Of a line of the program's own log.
enum class Level { Debug, Info, Warning, Error };

/// Numbers as text: nine digits hold every float, seventeen every double. A comma of the C locale becomes a point.
inline std::string number(double value, Scalar scalar = Scalar::F64) {
    char text[40];
    std::snprintf(text, sizeof text, scalar == Scalar::F32 ? "%.9g" : "%.17g", value);
    for (char *at = text; *at; ++at)
        if (*at == ',') *at = '.';
    return text;
}

inline std::string list(std::initializer_list<double> values, Scalar scalar = Scalar::F64) {
    std::string text = "[";
    for (double value : values) {
        if (text.size() > 1) text += ',';
        text += number(value, scalar);
    }
    return text + ']';
}

/// A rotation or a spin of a flat level.
inline std::string list(double angle, Scalar scalar = Scalar::F64) { return number(angle, scalar); }
inline std::string list(Vec3 v, Scalar scalar = Scalar::F64) { return list({v.x, v.y, v.z}, scalar); }
inline std::string list(Quat q, Scalar scalar = Scalar::F64) { return list({q.x, q.y, q.z, q.w}, scalar); }

/// A text in quotes.
inline std::string quoted(const std::string &text) {
    std::string out = "\"";
    for (unsigned char c : text) {
        char escape[8];
        if (c == '"' || c == '\\') {
            out += '\\';
            out += static_cast<char>(c);
        } else if (c < 0x20) {
            std::snprintf(escape, sizeof escape, "\\u%04x", c);
            out += escape;
        } else {
            out += static_cast<char>(c);
        }
    }
    return out + '"';
}

// Shapes, in the object's local space.

inline std::string sphere(double radius) { return "{\"sphere\":{\"radius\":" + number(radius) + "}}"; }

/// A shape with one list of numbers; a `radius` is added outside.
inline std::string rounded(const char *kind, const char *field, const std::string &numbers, double radius) {
    const std::string more = radius > 0 ? ",\"radius\":" + number(radius) : "";
    return std::string("{\"") + kind + "\":{\"" + field + "\":" + numbers + more + "}}";
}

/// `radius` is added outside: a rounded box.
inline std::string box(Vec3 half_extents, double radius = 0) { return rounded("box", "half_extents", list(half_extents), radius); }

template <class Vec> std::string line(const char *kind, Vec a, Vec b, double radius) {
    return rounded(kind, "a", list(a) + ",\"b\":" + list(b), radius);
}

inline std::string capsule(Vec3 a, Vec3 b, double radius) { return line("capsule", a, b, radius); }

/// Along the up axis.
inline std::string cylinder(double half_height, double radius) {
    return "{\"cylinder\":{\"half_height\":" + number(half_height) + ",\"radius\":" + number(radius) + "}}";
}

/// Along the up axis, its tip above.
inline std::string cone(double half_height, double radius) {
    return "{\"cone\":{\"half_height\":" + number(half_height) + ",\"radius\":" + number(radius) + "}}";
}

inline std::string segment(Vec3 a, Vec3 b) { return line("segment", a, b, 0); }

/// `front`: only the side from which the corners run counter-clockwise collides.
inline std::string triangle(Vec3 a, Vec3 b, Vec3 c, bool front = false) {
    return "{\"triangle\":{\"a\":" + list(a) + ",\"b\":" + list(b) + ",\"c\":" + list(c) +
           (front ? ",\"facing\":\"front\"}}" : "}}");
}

/// Solid behind its surface, where `dot(normal, point) < offset`.
inline std::string plane(Vec3 normal, double offset) { return rounded("plane", "normal", list(normal) + ",\"offset\":" + number(offset), 0); }

template <class Vec> std::string list(const std::vector<Vec> &points) {
    std::string text = "[";
    for (const Vec &point : points) {
        if (text.size() > 1) text += ',';
        text += list(point);
    }
    return text + ']';
}

/// Of 4 to 1,024 points; `radius` is added outside.
inline std::string convex_hull(const std::vector<Vec3> &points, double radius = 0) { return rounded("convex_hull", "points", list(points), radius); }

/// Three indices a triangle. `front`: only the side from which the corners run counter-clockwise collides.
inline std::string mesh(const std::vector<Vec3> &vertices, const std::vector<uint32_t> &indices, bool front = false) {
    std::string triangles = "[";
    for (size_t i = 0; i + 2 < indices.size(); i += 3) {
        if (i) triangles += ',';
        triangles += '[' + std::to_string(indices[i]) + ',' + std::to_string(indices[i + 1]) + ',' +
                     std::to_string(indices[i + 2]) + ']';
    }
    return "{\"mesh\":{\"vertices\":" + list(vertices) + ",\"triangles\":" + triangles +
           (front ? "],\"facing\":\"front\"}}" : "]}}");
}

/// Rows along z, `columns` heights in each along x, centred; `cell` is the distance of two columns and of two rows. Each cell is split from its
/// corner of least x and z to the opposite one, or along its other diagonal if `anti`. With `up` of z rows run along -y.
inline std::string height_field(const std::vector<double> &heights, size_t columns, double cell_x, double cell_z,
                                bool anti = false) {
    std::string text = "{\"height_field\":{\"heights\":[";
    for (size_t i = 0; i < heights.size(); ++i) {
        text += i % columns ? "," : i ? "],[" : "[";
        text += number(heights[i]);
    }
    return text + "]],\"cell\":" + list({cell_x, cell_z}) + (anti ? ",\"diagonal\":\"anti\"}}" : "}}");
}

/// A convex part of a compound.
template <class Of> struct BasicPart {
    std::string shape;
    typename Of::Vec position;
    typename Of::Turn rotation;
};

template <class Of> std::string compound_of(const std::vector<BasicPart<Of>> &parts) {
    std::string text = "{\"compound\":[";
    for (size_t i = 0; i < parts.size(); ++i) {
        if (i) text += ',';
        text += "{\"shape\":" + parts[i].shape + ",\"position\":" + list(parts[i].position) +
                ",\"rotation\":" + list(parts[i].rotation) + '}';
    }
    return text + "]}";
}

typedef BasicPart<Space> Part;

/// Of convex parts only.
inline std::string compound(const std::vector<Part> &parts) { return compound_of(parts); }

/// Pairs of objects.
typedef std::vector<std::pair<uint32_t, uint32_t>> Pairs;

template <class Of> struct BasicHeader {
    std::string name = "level";
    double dt = 1.0 / 60.0;
    /// "x", "y" or "z"; "-y" where y leads down.
    std::string up = "y";
    /// Name of the unit, "px" or "cm"; empty: metres.
    std::string unit;
    /// Metres per unit; 0: those of the unit's name.
    double length = 0;
    /// The axis that you negate, 'x', 'y' or 'z', as the program's axes are left-handed: results are shown in the program's.
    char mirrored = 0;
    Scalar scalar = Scalar::F32;
    typename Of::Vec gravity = Of::gravity();
    /// "jolt", "physx", ..: findings name its settings.
    std::string engine;
    /// Distance at which it makes contacts; negative: not written.
    double margin = -1;
    /// Version of the game, by which results are counted.
    std::string build;
    /// Threshold of the engine's continuous detection, if it was changed; negative: not written.
    double ccd_threshold = -1;
    /// Of the camera; a near plane of 0: not written. The vertical field of view is in degrees.
    double near_plane = 0, field_of_view = 60, aspect = 16.0 / 9.0;
    /// Objects that a joint connects in every frame: they are not tested.
    Pairs joints;
};

template <class Of> struct BasicObject {
    typedef typename Of::Vec Vec;
    std::string name;
    std::string shape;
    Motion motion = Motion::Dynamic;
    /// Pose of a fixed object; of others the frames have it.
    Vec position = {};
    typename Of::Turn rotation = Of::unturned();
    double mass = 1;
    /// Continuous detection: 0, 1, or -1 for unknown.
    int ccd = -1;
    /// 32 bits each; negative: not known. Of an engine without filters write layer 1 and mask 0xFFFFFFFF: what is not filtered must collide.
    int64_t layer = -1, mask = -1;
    bool sensor = false;
    /// Parts with the same name are not tested against each other.
    std::string body;
    /// By which the engine scales the shape, which is given scaled.
    Vec scale = Of::unscaled();
    /// A character that is not a sphere or a capsule.
    bool character = false;
    /// Direction in which others pass a one-way platform; zero: they do not.
    Vec one_way = {};
    /// Red, green, blue from 0 to 255, or empty.
    std::vector<double> color;
    std::vector<std::string> tags;

    BasicObject(std::string name_, std::string shape_, Motion motion_ = Motion::Dynamic)
        : name(std::move(name_)), shape(std::move(shape_)), motion(motion_) {}
};

/// A cast of the engine: a ray, the sweep of a sphere if `radius` is above 0, or that of `shape` if there is one.
template <class Of> struct BasicQuery {
    typedef typename Of::Vec Vec;
    static constexpr uint32_t NONE = 0xFFFFFFFFu;

    Vec from, to;
    double radius = 0;
    std::string shape;
    /// Of the shape.
    typename Of::Turn rotation = Of::unturned();
    /// The object that casts.
    uint32_t id = NONE;
    /// Layers that are tested; negative: not known.
    int64_t mask = -1;
    /// The object that is hit; a miss has none.
    uint32_t hit = NONE;
    /// Of the path from `from` to `to`.
    double fraction = 0;
    /// Zero where the engine gives none: it is not written.
    Vec normal = {};
    /// What the program calls the query ("ground"), or empty.
    std::string tag;

    BasicQuery(Vec from_, Vec to_, double radius_ = 0) : from(from_), to(to_), radius(radius_) {}
};

/// A part of a character's move.
template <class Of> struct BasicSweep {
    typedef typename Of::Vec Vec;

    /// "move", "slide", "step_up", "step_forward", "step_down", "snap", "floor", "push_out" or another word.
    std::string kind;
    Vec from, to;
    /// The object that it met; a miss has none.
    uint32_t hit = 0xFFFFFFFFu;
    /// Toward the character, and where it met it; a normal of zero: both are not known.
    Vec normal = {};
    Vec point = {};
    /// The displacement that it was asked for, if `has_wish`; else it is that which it made.
    Vec wish = {};
    bool has_wish = false;

    BasicSweep(std::string kind_, Vec from_, Vec to_) : kind(std::move(kind_)), from(from_), to(to_) {}
};

/// A character's move in a step, as its controller made it.
template <class Of> struct BasicMove {
    typedef typename Of::Vec Vec;

    /// Places of the shape's origin, and the displacement that the game asked for.
    Vec from, wish, to;
    /// Whether it stands on a floor after the move: 0, 1, or -1 for unknown.
    int grounded = -1;
    /// Zero: that of the level.
    Vec up = {};
    /// Negative: not known. The steepest floor in degrees, the highest step, how far down it is held to the floor, and the distance that it keeps.
    double max_slope = -1, max_step = -1, snap = -1, skin = -1;
    /// In the order in which they were made.
    std::vector<BasicSweep<Of>> sweeps;

    BasicMove(Vec from_, Vec wish_, Vec to_) : from(from_), wish(wish_), to(to_) {}
};

template <class Of> class BasicRecorder {
public:
    typedef typename Of::Vec Vec;
    typedef typename Of::Turn Turn;
    typedef typename Of::Spin Spin;
    typedef BasicHeader<Of> Header;
    typedef BasicObject<Of> Object;
    typedef BasicQuery<Of> Query;
    typedef BasicMove<Of> Move;

    /// Writes each frame at once.
    BasicRecorder(std::ostream &out, Header header) : out_(&out), header_(std::move(header)) {}

    /// Keeps the frames of the last `seconds` in memory, for `save`.
    BasicRecorder(Header header, double seconds) : out_(nullptr), header_(std::move(header)), seconds_(seconds) {}

    /// The object's number, from 0. One that is added after the first frame appears in the next.
    uint32_t add(const Object &object) {
        static const char *const motions[] = {"dynamic", "fixed", "kinematic"};
        Scalar s = header_.scalar;
        std::string text = "{\"id\":" + std::to_string(count_) + ",\"name\":" + quoted(object.name) +
                           ",\"shape\":" + object.shape + ",\"motion\":\"" + motions[static_cast<int>(object.motion)] +
                           "\",\"position\":" + list(object.position, s) + ",\"rotation\":" + list(object.rotation, s);
        if (object.motion == Motion::Dynamic) text += ",\"mass\":" + number(object.mass, s);
        if (object.ccd >= 0) text += std::string(",\"ccd\":") + (object.ccd ? "true" : "false");
        if (object.layer >= 0) text += ",\"layer\":" + std::to_string(object.layer);
        if (object.mask >= 0) text += ",\"mask\":" + std::to_string(object.mask);
        if (object.sensor) text += ",\"sensor\":true";
        if (object.character) text += ",\"character\":true";
        if (!object.body.empty()) text += ",\"body\":" + quoted(object.body);
        if (!(object.scale == Of::unscaled())) text += ",\"scale\":" + list(object.scale, s);
        if (!(object.one_way == Vec{})) text += ",\"one_way\":" + list(object.one_way, s);
        std::string color, tags;
        for (double part : object.color) append(color, number(part));
        for (const std::string &tag : object.tags) append(tags, quoted(tag));
        if (!color.empty()) text += ",\"color\":[" + color + ']';
        if (!tags.empty()) text += ",\"tags\":[" + tags + ']';
        append(waiting_, text + '}');
        return count_++;
    }

    /// Two objects that are never tested against each other.
    void ignore(uint32_t a, uint32_t b) { append(ignored_, pair(a, b)); }

    /// A fixed object that is gone from the frame that ends next on.
    void remove(uint32_t id) { append(removed_, std::to_string(id)); }

    /// Begins the state after `time` seconds. What the engine did on the way to it (contacts, pushes, queries) may be given before.
    void begin_frame(double time) { time_ = time; }

    /// `position` is that of the shape's origin; `spin` is about world axes. `island`: the number of the engine's island that it is in, from 0;
    /// negative: none.
    void body(uint32_t id, Vec position, Turn rotation, Vec velocity, Spin spin, bool asleep = false, bool teleported = false, int64_t island = -1) {
        Scalar s = header_.scalar;
        append(bodies_, "{\"id\":" + std::to_string(id) + ",\"p\":" + list(position, s) + ",\"q\":" + list(rotation, s) +
                            ",\"v\":" + list(velocity, s) + ",\"w\":" + list(spin, s) +
                            (asleep ? ",\"asleep\":true" : "") + (teleported ? ",\"teleported\":true" : "") +
                            (island >= 0 ? ",\"island\":" + std::to_string(island) : "") + '}');
    }

    /// One point of a pair; `normal` leads from b to a, `depth` is negative while they are apart. `impulse`: what the engine applied there along the normal
    /// in this step; negative: not known.
    void contact(uint32_t a, uint32_t b, Vec point, Vec normal, double depth, double impulse = -1) {
        Scalar s = header_.scalar;
        lists_contacts();
        append(contacts_, "{\"a\":" + std::to_string(a) + ",\"b\":" + std::to_string(b) + ",\"point\":" + list(point, s) +
                              ",\"normal\":" + list(normal, s) + ",\"depth\":" + number(depth, s) +
                              (impulse >= 0 ? ",\"impulse\":" + number(impulse, s) : "") + '}');
    }

    /// The contacts of the frame are all that the engine made; without this, those of a frame that has none are unknown.
    void lists_contacts() { lists_contacts_ = true; }

    /// A correction of the position by the engine or by the program.
    void push(uint32_t id, Vec push) {
        append(pushes_, "{\"id\":" + std::to_string(id) + ",\"push\":" + list(push, header_.scalar) + '}');
    }

    void query(const Query &it) {
        Scalar s = header_.scalar;
        const bool is_ray = it.radius <= 0 && it.shape.empty();
        std::string text = std::string("{\"kind\":\"") + (is_ray ? "ray" : "sweep") + '"';
        if (it.id != Query::NONE) text += ",\"id\":" + std::to_string(it.id);
        text += ",\"from\":" + list(it.from, s) + ",\"to\":" + list(it.to, s);
        if (it.radius > 0) text += ",\"radius\":" + number(it.radius, s);
        if (!it.shape.empty()) text += ",\"shape\":" + it.shape + ",\"q\":" + list(it.rotation, s);
        if (it.mask >= 0) text += ",\"mask\":" + std::to_string(it.mask);
        if (!it.tag.empty()) text += ",\"tag\":" + quoted(it.tag);
        text += ",\"hit\":";
        if (it.hit == Query::NONE) {
            text += "null";
        } else {
            text += "{\"id\":" + std::to_string(it.hit) + ",\"fraction\":" + number(it.fraction, s);
            if (!(it.normal == Vec{})) text += ",\"normal\":" + list(it.normal, s);
            text += '}';
        }
        append(queries_, text + '}');
    }

    /// Two objects that a joint connects in this frame: they are not tested. A joint that stays is one of the header, or `ignore`.
    void joint(uint32_t a, uint32_t b) { append(joints_, pair(a, b)); }

    /// Steps of the engine since the frame before.
    void substeps(uint32_t count) { rest_ += ",\"substeps\":" + std::to_string(count); }

    /// Frames are missing before this one.
    void gap() { rest_ += ",\"gap\":true"; }

    /// Looks along its own -Z, its +Y up. `teleported`: after a cut. `push`: the correction that the program made.
    void camera(Vec position, Turn rotation, bool teleported = false, Vec push = {}) {
        Scalar s = header_.scalar;
        rest_ += ",\"camera\":{\"p\":" + list(position, s) + ",\"q\":" + list(rotation, s);
        if (!(push == Vec{})) rest_ += ",\"push\":" + list(push, s);
        rest_ += teleported ? ",\"teleported\":true}" : "}";
    }

    /// A line of the program's own log; `id` is the object that it is about.
    void message(const std::string &text, uint32_t id = Query::NONE, Level level = Level::Info) {
        static const char *const levels[] = {"debug", "info", "warning", "error"};
        std::string more = about(id);
        if (level != Level::Info) more += std::string(",\"level\":\"") + levels[static_cast<int>(level)] + '"';
        append(messages_, more.empty() ? quoted(text) : "{\"text\":" + quoted(text) + more + '}');
    }

    /// A value of the program: a number, or true or false.
    template <class Value>
    typename std::enable_if<std::is_arithmetic<Value>::value>::type value(const std::string &name, Value value, uint32_t id = Query::NONE) {
        const double number_of = static_cast<double>(value);
        add_value(name, "value", std::is_same<Value, bool>::value ? (number_of != 0 ? "true" : "false") : number(number_of), id);
    }

    /// The name of a state.
    void value(const std::string &name, const std::string &state, uint32_t id = Query::NONE) { add_value(name, "text", quoted(state), id); }

    /// A drawing of the program: a point, a line of two, or a polyline of up to 256, with a sphere of `radius` at each. `color`: red, green, blue from 0 to
    /// 255, or empty.
    void mark(const std::vector<Vec> &points, const std::string &name = "", uint32_t id = Query::NONE, double radius = 0, const std::vector<double> &color = {}) {
        Scalar s = header_.scalar;
        std::string places, parts;
        for (const Vec &point : points) append(places, list(point, s));
        for (double part : color) append(parts, number(part));
        append(marks_, "{\"points\":[" + places + ']' + (name.empty() ? "" : ",\"name\":" + quoted(name)) + about(id) +
                           (radius > 0 ? ",\"radius\":" + number(radius, s) : "") + (parts.empty() ? "" : ",\"color\":[" + parts + ']') + '}');
    }

    /// The move of a character.
    void move(uint32_t id, const Move &it) {
        Scalar s = header_.scalar;
        std::string text = "{\"id\":" + std::to_string(id) + ",\"from\":" + list(it.from, s) + ",\"wish\":" + list(it.wish, s) + ",\"to\":" + list(it.to, s);
        if (it.grounded >= 0) text += std::string(",\"grounded\":") + (it.grounded ? "true" : "false");
        if (!(it.up == Vec{})) text += ",\"up\":" + list(it.up, s);
        const std::pair<const char *, double> limits[] = {{"max_slope", it.max_slope}, {"max_step", it.max_step}, {"snap", it.snap}, {"skin", it.skin}};
        for (const auto &limit : limits)
            if (limit.second >= 0) text += std::string(",\"") + limit.first + "\":" + number(limit.second, s);
        std::string sweeps;
        for (const BasicSweep<Of> &one : it.sweeps) {
            std::string part = "{\"kind\":" + quoted(one.kind) + ",\"from\":" + list(one.from, s) + ",\"to\":" + list(one.to, s);
            if (one.has_wish) part += ",\"wish\":" + list(one.wish, s);
            if (one.hit != Query::NONE) {
                part += ",\"hit\":{\"id\":" + std::to_string(one.hit);
                if (!(one.normal == Vec{})) part += ",\"normal\":" + list(one.normal, s) + ",\"point\":" + list(one.point, s);
                part += '}';
            }
            append(sweeps, part + '}');
        }
        if (!sweeps.empty()) text += ',' + field("sweeps", sweeps);
        append(moves_, text + '}');
    }

    void end_frame() {
        Line line;
        line.time = time_;
        if (frames_ == 0) {
            line.objects = header_line();
            waiting_.clear();
            ignored_.clear();
        }
        std::string more;
        for (const auto &it : {std::make_pair("spawn", &waiting_), std::make_pair("ignore", &ignored_), std::make_pair("remove", &removed_)}) {
            if (!it.second->empty()) append(more, field(it.first, *it.second));
            it.second->clear();
        }
        if (!more.empty()) line.objects += '{' + more + "}\n";
        line.frame = "{\"frame\":" + std::to_string(frames_++) + ",\"t\":" + number(time_) + ",\"bodies\":[" + bodies_ + ']';
        if (lists_contacts_) line.frame += ",\"contacts\":[" + contacts_ + ']';
        for (const auto &it : {std::make_pair("pushes", &pushes_), std::make_pair("queries", &queries_), std::make_pair("joints", &joints_),
                               std::make_pair("log", &messages_), std::make_pair("values", &values_), std::make_pair("marks", &marks_),
                               std::make_pair("moves", &moves_)})
            if (!it.second->empty()) line.frame += ',' + field(it.first, *it.second);
        line.frame += rest_ + "}\n";
        for (std::string *it : {&bodies_, &contacts_, &pushes_, &queries_, &joints_, &messages_, &values_, &marks_, &moves_, &rest_}) it->clear();
        lists_contacts_ = false;
        if (out_) {
            *out_ << line.objects << line.frame;
            return;
        }
        lines_.push_back(std::move(line));
        while (lines_.front().time < time_ - seconds_ - 1e-6 * header_.dt) {
            objects_ += lines_.front().objects;
            lines_.pop_front();
        }
    }

    /// Writes the frames that are kept, and goes on keeping them.
    void save(std::ostream &out) const {
        out << objects_;
        for (const Line &line : lines_) out << line.objects << line.frame;
        out.flush();
    }

private:
    struct Line {
        double time;
        /// The line before it, with the objects that it adds, if any.
        std::string objects;
        std::string frame;
    };

    static void append(std::string &list, const std::string &item) {
        if (!list.empty()) list += ',';
        list += item;
    }

    static std::string about(uint32_t id) { return id == Query::NONE ? "" : ",\"id\":" + std::to_string(id); }

    void add_value(const std::string &name, const char *field, const std::string &text, uint32_t id) {
        append(values_, "{\"name\":" + quoted(name) + about(id) + ",\"" + field + "\":" + text + '}');
    }

    static std::string pair(uint32_t a, uint32_t b) { return '[' + std::to_string(a) + ',' + std::to_string(b) + ']'; }

    /// A list of items; nothing if there are none.
    static std::string field(const char *name, const std::string &items) {
        return items.empty() ? "" : std::string("\"") + name + "\":[" + items + ']';
    }

    std::string header_line() const {
        std::string text = "{\"hitstop\":1,\"name\":" + quoted(header_.name) + ",\"dt\":" + number(header_.dt);
        if (Of::is_flat) text += ",\"flat\":true";
        if (header_.up != "y") text += ",\"up\":" + quoted(header_.up);
        if (!header_.unit.empty()) text += ",\"unit\":" + quoted(header_.unit);
        if (header_.length > 0) text += ",\"length\":" + number(header_.length);
        if (header_.mirrored) text += std::string(",\"mirrored\":\"") + header_.mirrored + '"';
        if (header_.scalar == Scalar::F32) text += ",\"scalar\":\"f32\"";
        text += ",\"gravity\":" + list(header_.gravity, header_.scalar);
        if (!header_.engine.empty()) text += ",\"engine\":" + quoted(header_.engine);
        if (!header_.build.empty()) text += ",\"build\":" + quoted(header_.build);
        if (header_.margin >= 0) text += ",\"margin\":" + number(header_.margin, header_.scalar);
        if (header_.ccd_threshold >= 0) text += ",\"ccd_threshold\":" + number(header_.ccd_threshold, header_.scalar);
        if (header_.near_plane > 0)
            text += ",\"lens\":{\"near\":" + number(header_.near_plane, header_.scalar) + ",\"fov\":" +
                    number(header_.field_of_view, header_.scalar) + ",\"aspect\":" + number(header_.aspect, header_.scalar) + '}';
        std::string joints;
        for (const auto &it : header_.joints) append(joints, pair(it.first, it.second));
        if (!joints.empty()) text += ',' + field("joints", joints);
        if (!ignored_.empty()) text += ',' + field("ignore", ignored_);
        return text + ",\"objects\":[" + waiting_ + "]}\n";
    }

    std::ostream *out_;
    Header header_;
    double seconds_ = 0;
    uint32_t count_ = 0;
    uint64_t frames_ = 0;
    double time_ = 0;
    /// Objects that are not written yet.
    std::string waiting_;
    std::string ignored_;
    std::string removed_;
    /// Of the frame: lists, and its other fields as they are written.
    std::string bodies_, contacts_, pushes_, queries_, joints_, messages_, values_, marks_, moves_, rest_;
    bool lists_contacts_ = false;
    /// The header, and the objects that were added before the first frame that is kept.
    std::string objects_;
    std::deque<Line> lines_;
};

typedef BasicHeader<Space> Header;
typedef BasicObject<Space> Object;
typedef BasicQuery<Space> Query;
typedef BasicSweep<Space> Sweep;
typedef BasicMove<Space> Move;
typedef BasicRecorder<Space> Recorder;

}  // namespace hitstop
