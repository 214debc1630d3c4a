// Writes a level as a Hitstop log, in JSON Lines. C++11, no dependencies: copy this file into your project.
//
//     std::ofstream file("run.jsonl");                 // JSON Lines: `hitstop convert` makes .jsonl.zst and .parquet of it
//     hitstop::Recorder log(file, header);             // or log(header, 10.0): keeps the last ten seconds, for log.save(file)
//     uint32_t ball = log.add({"ball", hitstop::sphere(0.1)});
//     for (;;) {
//         world.step();
//         log.begin_frame(time);
//         log.body(ball, position, rotation, velocity, spin);
//         log.end_frame();
//     }
//
// Numbers are in the units and axes of the header, right-handed. Format: docs/log-format.md.
#pragma once

#include <cstdint>
#include <cstdio>
#include <deque>
#include <limits>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace hitstop {

struct Vec3 {
    double x, y, z;
};

struct Quat {
    double x, y, z, w;
};

/// Precision of the engine: numbers are written with as many digits as it has.
enum class Scalar { F32, F64 };

enum class Motion { Dynamic, Fixed, Kinematic };

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

/// `radius` is added outside: a rounded box.
inline std::string box(Vec3 half_extents, double radius = 0) {
    std::string rounded = radius > 0 ? ",\"radius\":" + number(radius) : "";
    return "{\"box\":{\"half_extents\":" + list(half_extents) + rounded + "}}";
}

inline std::string capsule(Vec3 a, Vec3 b, double radius) {
    return "{\"capsule\":{\"a\":" + list(a) + ",\"b\":" + list(b) + ",\"radius\":" + number(radius) + "}}";
}

/// Along the up axis.
inline std::string cylinder(double half_height, double radius) {
    return "{\"cylinder\":{\"half_height\":" + number(half_height) + ",\"radius\":" + number(radius) + "}}";
}

/// Solid behind its surface, where `dot(normal, point) < offset`.
inline std::string plane(Vec3 normal, double offset) {
    return "{\"plane\":{\"normal\":" + list(normal) + ",\"offset\":" + number(offset) + "}}";
}

inline std::string list(const std::vector<Vec3> &points) {
    std::string text = "[";
    for (const Vec3 &point : points) {
        if (text.size() > 1) text += ',';
        text += list(point);
    }
    return text + ']';
}

/// Of 4 to 1,024 points; `radius` is added outside.
inline std::string convex_hull(const std::vector<Vec3> &points, double radius = 0) {
    std::string rounded = radius > 0 ? ",\"radius\":" + number(radius) : "";
    return "{\"convex_hull\":{\"points\":" + list(points) + rounded + "}}";
}

/// Three indices a triangle. `front`: only the side from which the corners run counter-clockwise collides.
inline std::string mesh(const std::vector<Vec3> &vertices, const std::vector<uint32_t> &indices, bool front = false) {
    std::string triangles = "[";
    for (size_t i = 0; i + 2 < indices.size(); i += 3) {
        if (i) triangles += ',';
        triangles += '[' + std::to_string(indices[i]) + ',' + std::to_string(indices[i + 1]) + ',' +
                     std::to_string(indices[i + 2]) + ']';
    }
    return "{\"mesh\":{\"vertices\":" + list(vertices) + ",\"triangles\":" + triangles + "],\"facing\":\"" +
           (front ? "front" : "both") + "\"}}";
}

/// A convex part of a compound.
struct Part {
    std::string shape;
    Vec3 position;
    Quat rotation;
};

/// Of convex parts only.
inline std::string compound(const std::vector<Part> &parts) {
    std::string text = "{\"compound\":[";
    for (size_t i = 0; i < parts.size(); ++i) {
        if (i) text += ',';
        text += "{\"shape\":" + parts[i].shape + ",\"position\":" + list(parts[i].position) +
                ",\"rotation\":" + list(parts[i].rotation) + '}';
    }
    return text + "]}";
}

struct Header {
    std::string name = "level";
    double dt = 1.0 / 60.0;
    /// 'x', 'y' or 'z'.
    char up = 'y';
    /// Metres per unit.
    double length = 1;
    Scalar scalar = Scalar::F32;
    Vec3 gravity = {0, -9.81, 0};
    /// "jolt", "physx", ..: findings name its settings.
    std::string engine;
    /// Distance at which it makes contacts; negative: not written.
    double margin = -1;
    /// Version of the game, by which results are counted.
    std::string build;
};

struct Object {
    std::string name;
    std::string shape;
    Motion motion = Motion::Dynamic;
    /// Pose of a fixed object; of others the frames have it.
    Vec3 position = {0, 0, 0};
    Quat rotation = {0, 0, 0, 1};
    double mass = 1;
    /// Continuous detection: 0, 1, or -1 for unknown.
    int ccd = -1;
    uint32_t layer = 1;
    uint32_t mask = 0xFFFFFFFFu;
    bool sensor = false;
    /// Parts with the same name are not tested against each other.
    std::string body;

    Object(std::string name_, std::string shape_, Motion motion_ = Motion::Dynamic)
        : name(std::move(name_)), shape(std::move(shape_)), motion(motion_) {}
};

/// The result of a query.
struct Hit {
    uint32_t id;
    /// Of the way from `from` to `to`.
    double fraction;
    Vec3 normal;
};

class Recorder {
public:
    /// Writes each frame at once.
    Recorder(std::ostream &out, Header header) : out_(&out), header_(std::move(header)) {}

    /// Keeps the frames of the last `seconds` in memory, for `save`.
    Recorder(Header header, double seconds) : out_(nullptr), header_(std::move(header)), seconds_(seconds) {}

    /// The object's number, from 0. One that is added after the first frame appears in the next.
    uint32_t add(const Object &object) {
        static const char *const motions[] = {"dynamic", "fixed", "kinematic"};
        std::string text = "{\"id\":" + std::to_string(count_) + ",\"name\":" + quoted(object.name) +
                           ",\"shape\":" + object.shape + ",\"motion\":\"" + motions[static_cast<int>(object.motion)] +
                           "\",\"position\":" + list(object.position, header_.scalar) +
                           ",\"rotation\":" + list(object.rotation, header_.scalar);
        if (object.motion == Motion::Dynamic) text += ",\"mass\":" + number(object.mass, header_.scalar);
        if (object.ccd >= 0) text += std::string(",\"ccd\":") + (object.ccd ? "true" : "false");
        text += ",\"layer\":" + std::to_string(object.layer) + ",\"mask\":" + std::to_string(object.mask);
        if (object.sensor) text += ",\"sensor\":true";
        if (!object.body.empty()) text += ",\"body\":" + quoted(object.body);
        if (!waiting_.empty()) waiting_ += ',';
        waiting_ += text + '}';
        return count_++;
    }

    /// Two objects that are never tested against each other; call it before the first frame.
    void ignore(uint32_t a, uint32_t b) { append(ignored_, '[' + std::to_string(a) + ',' + std::to_string(b) + ']'); }

    /// Begins the state after `time` seconds.
    void begin_frame(double time) {
        time_ = time;
        bodies_.clear();
        contacts_.clear();
        queries_.clear();
        camera_.clear();
    }

    /// `position` is that of the shape's origin; `spin` is about world axes.
    void body(uint32_t id, Vec3 position, Quat rotation, Vec3 velocity, Vec3 spin, bool asleep = false,
              bool teleported = false) {
        Scalar s = header_.scalar;
        append(bodies_, "{\"id\":" + std::to_string(id) + ",\"p\":" + list(position, s) + ",\"q\":" + list(rotation, s) +
                            ",\"v\":" + list(velocity, s) + ",\"w\":" + list(spin, s) +
                            (asleep ? ",\"asleep\":true" : "") + (teleported ? ",\"teleported\":true" : "") + '}');
    }

    /// One point of a pair; `normal` leads from b to a, `depth` is negative while they are apart.
    void contact(uint32_t a, uint32_t b, Vec3 point, Vec3 normal, double depth) {
        Scalar s = header_.scalar;
        append(contacts_, "{\"a\":" + std::to_string(a) + ",\"b\":" + std::to_string(b) + ",\"point\":" + list(point, s) +
                              ",\"normal\":" + list(normal, s) + ",\"depth\":" + number(depth, s) + '}');
    }

    /// A ray, or the sweep of a sphere if `radius` is above 0; `hit` is null for a miss.
    void query(Vec3 from, Vec3 to, double radius, const Hit *hit) {
        Scalar s = header_.scalar;
        std::string text = std::string("{\"kind\":\"") + (radius > 0 ? "sweep" : "ray") + "\",\"from\":" + list(from, s) +
                           ",\"to\":" + list(to, s) + ",\"radius\":" + number(radius, s) + ",\"hit\":";
        text += !hit ? "null"
                     : "{\"id\":" + std::to_string(hit->id) + ",\"fraction\":" + number(hit->fraction, s) +
                           ",\"normal\":" + list(hit->normal, s) + '}';
        append(queries_, text + '}');
    }

    /// Looks along its own -Z, its +Y up.
    void camera(Vec3 position, Quat rotation) {
        camera_ = "{\"p\":" + list(position, header_.scalar) + ",\"q\":" + list(rotation, header_.scalar) + '}';
    }

    void end_frame() {
        Line line;
        line.time = time_;
        if (frames_ == 0)
            line.objects = header_line();
        else if (!waiting_.empty())
            line.objects = "{\"spawn\":[" + waiting_ + "]}\n";
        waiting_.clear();
        line.frame = "{\"frame\":" + std::to_string(frames_++) + ",\"t\":" + number(time_) + ",\"bodies\":[" + bodies_ + ']';
        if (!contacts_.empty()) line.frame += ",\"contacts\":[" + contacts_ + ']';
        if (!queries_.empty()) line.frame += ",\"queries\":[" + queries_ + ']';
        if (!camera_.empty()) line.frame += ",\"camera\":" + camera_;
        line.frame += "}\n";
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

    std::string header_line() const {
        std::string text = "{\"hitstop\":1,\"name\":" + quoted(header_.name) + ",\"dt\":" + number(header_.dt);
        if (header_.up != 'y') text += std::string(",\"up\":\"") + header_.up + '"';
        if (header_.length != 1) text += ",\"length\":" + number(header_.length);
        if (header_.scalar == Scalar::F32) text += ",\"scalar\":\"f32\"";
        text += ",\"gravity\":" + list(header_.gravity, header_.scalar);
        if (!header_.engine.empty()) text += ",\"engine\":" + quoted(header_.engine);
        if (!header_.build.empty()) text += ",\"build\":" + quoted(header_.build);
        if (header_.margin >= 0) text += ",\"margin\":" + number(header_.margin, header_.scalar);
        if (!ignored_.empty()) text += ",\"ignore\":[" + ignored_ + ']';
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
    std::string ignored_, bodies_, contacts_, queries_, camera_;
    /// The header, and the objects that were added before the first frame that is kept.
    std::string objects_;
    std::deque<Line> lines_;
};

}  // namespace hitstop
