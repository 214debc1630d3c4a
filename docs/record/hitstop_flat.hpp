// Writes a flat level (2D) as a Hitstop log: hitstop.hpp, with points of two numbers, angles as rotations and numbers as spins. C++11, no dependencies.
//
//     hitstop::flat::Header header;
//     header.unit = "px";                              // and header.up = "-y", where y leads down
//     hitstop::flat::Recorder log(file, header);
//     uint32_t ball = log.add({"ball", hitstop::flat::circle(10)});
//     ..
//     log.body(ball, {x, y}, angle, {vx, vy}, spin);
#pragma once

#include "hitstop.hpp"

namespace hitstop {

struct Vec2 {
    double x, y;
};

inline Vec2 operator+(Vec2 a, Vec2 b) { return {a.x + b.x, a.y + b.y}; }
inline bool operator==(Vec2 a, Vec2 b) { return a.x == b.x && a.y == b.y; }
inline std::string list(Vec2 v, Scalar scalar = Scalar::F64) { return list({v.x, v.y}, scalar); }

/// As `Space`.
struct Plane {
    typedef Vec2 Vec;
    typedef double Turn;
    typedef double Spin;
    static constexpr bool is_flat = true;
    static Vec unscaled() { return {1, 1}; }
    static Vec gravity() { return {0, -9.81}; }
    static Turn unturned() { return 0; }
};

namespace flat {

typedef BasicHeader<Plane> Header;
typedef BasicObject<Plane> Object;
typedef BasicQuery<Plane> Query;
typedef BasicSweep<Plane> Sweep;
typedef BasicMove<Plane> Move;
typedef BasicRecorder<Plane> Recorder;
typedef BasicPart<Plane> Part;

inline std::string circle(double radius) { return "{\"circle\":{\"radius\":" + number(radius) + "}}"; }
inline std::string box(Vec2 half_extents, double radius = 0) { return rounded("box", "half_extents", list(half_extents), radius); }
inline std::string capsule(Vec2 a, Vec2 b, double radius) { return line("capsule", a, b, radius); }
inline std::string segment(Vec2 a, Vec2 b) { return line("segment", a, b, 0); }
inline std::string plane(Vec2 normal, double offset) { return rounded("plane", "normal", list(normal) + ",\"offset\":" + number(offset), 0); }

/// May be concave.
inline std::string polygon(const std::vector<Vec2> &points, double radius = 0) { return rounded("polygon", "points", list(points), radius); }
inline std::string compound(const std::vector<Part> &parts) { return compound_of(parts); }

/// A loop joins its last point to its first. It collides from its "left", its "right" or "both".
inline std::string chain(const std::vector<Vec2> &points, bool loop = false, const std::string &facing = "both") {
    const std::string more = (loop ? ",\"loop\":true" : "") + (facing == "both" ? "" : ",\"facing\":" + quoted(facing));
    return rounded("chain", "points", list(points) + more, 0);
}

}  // namespace flat

}  // namespace hitstop
