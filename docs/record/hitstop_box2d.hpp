// Records a world of Box2D 3 with hitstop.hpp and hitstop_box.hpp; C++17. Run with Box2D 617d32a (August 2026, before 3.2).
//
//     hitstop::Header header;
//     header.dt = 1.0 / 60.0;
//     hitstop::Box2DRecorder log(file, world, header);          // or (world, header, 10.0): see hitstop.hpp
//     log.frame(0.0);
//     for (;;) {
//         b2World_Step(world, dt, 4);                           // the 4 substeps are the solver's: a line after each step
//         log.frame(time += dt);
//     }
//
// The level has a depth along z (docs/record.md, "2D engines"), and z is 0 in all positions. No change to the game: bodies, shapes, contacts and joints are
// read from the world. Before `frame`, `log.log()` takes a camera, pushes and the queries of the game, with `log.number(shape)` of what they hit. A custom
// filter or a pre-solve callback decides for itself: give pairs that never collide to `log.log().ignore`.
#pragma once

#include <box2d/box2d.h>

#include <cmath>

#include "hitstop.hpp"

namespace hitstop {

inline Vec3 vec(b2Vec2 v) { return {v.x, v.y, 0}; }
#ifdef BOX2D_DOUBLE_PRECISION
inline Vec3 vec(b2Pos v) { return {v.x, v.y, 0}; }
#endif
inline Quat quat(b2Rot q) {
    const double half = std::atan2(q.s, q.c) / 2;
    return {0, 0, std::sin(half), std::cos(half)};
}
inline Vec3 turn(float spin) { return {0, 0, spin}; }

}  // namespace hitstop

#include "hitstop_box.hpp"

namespace hitstop {

HITSTOP_BOX_API(Box2DApi, b2);

struct Box2D : Box2DApi {
    static constexpr const char *refusal = "its kind is not known here";
#ifdef BOX2D_DOUBLE_PRECISION
    static constexpr Scalar scalar = Scalar::F64;
#else
    static constexpr Scalar scalar = Scalar::F32;
#endif

    /// Half the depth of the level: more than the half extents of all bodies that move.
    double depth = 20 * unit();

    static std::string engine_name() {
        const b2Version it = b2GetVersion();
        return "box2d " + std::to_string(it.major) + '.' + std::to_string(it.minor) + '.' + std::to_string(it.revision);
    }
    /// The distance of speculative contacts: four linear slops of 5 mm.
    static double margin() { return 0.02 * unit(); }
    static Vec3 gravity(World world) { return vec(b2World_GetGravity(world)); }

    /// A chain is one object.
    static uint64_t key(Shape shape) {
        const uint64_t own = static_cast<uint64_t>(shape.index1) << 16 | shape.generation;
        if (b2Shape_GetType(shape) != b2_chainSegmentShape) return own;
        const b2ChainId chain = b2Shape_GetParentChain(shape);
        return uint64_t(1) << 63 | static_cast<uint64_t>(chain.index1) << 16 | chain.generation;
    }

    static std::vector<Shape> reached(World world) {
        std::vector<Shape> all;
        const float huge = 1e5f * b2GetLengthUnitsPerMeter();
        auto take = [](Shape shape, void *context) {
            static_cast<std::vector<Shape> *>(context)->push_back(shape);
            return true;
        };
        b2World_OverlapAABB(world, {}, {{-huge, -huge}, {huge, huge}}, {UINT64_MAX, UINT64_MAX}, take, &all);
        return all;
    }

    std::string shape(Shape shape) const {
        switch (b2Shape_GetType(shape)) {
            case b2_circleShape: {
                const b2Circle it = b2Shape_GetCircle(shape);
                const std::string text = sphere(it.radius);
                return it.center.x == 0 && it.center.y == 0 ? text : compound({{text, vec(it.center), {0, 0, 0, 1}}});
            }
            case b2_capsuleShape: {
                const b2Capsule it = b2Shape_GetCapsule(shape);
                return capsule(vec(it.center1), vec(it.center2), it.radius);
            }
            case b2_polygonShape: {
                const b2Polygon it = b2Shape_GetPolygon(shape);
                std::vector<Vec3> points;
                for (int i = 0; i < it.count; ++i)
                    for (double z : {-depth, depth}) points.push_back({it.vertices[i].x, it.vertices[i].y, z});
                return convex_hull(points, it.radius);
            }
            case b2_segmentShape:
                return edges({b2Shape_GetSegment(shape)}, false);
            case b2_chainSegmentShape: {
                const b2ChainId chain = b2Shape_GetParentChain(shape);
                std::vector<b2ShapeId> segments(static_cast<size_t>(b2Chain_GetSegmentCount(chain)));
                b2Chain_GetSegments(chain, segments.data(), static_cast<int>(segments.size()));
                std::vector<b2Segment> all;
                for (b2ShapeId segment : segments) all.push_back(b2Shape_GetChainSegment(segment).segment);
                return edges(all, true);
            }
            default:
                return "";
        }
    }

    /// Upright walls along segments; the front is on the right of their direction.
    std::string edges(const std::vector<b2Segment> &segments, bool front) const {
        std::vector<Vec3> vertices;
        std::vector<uint32_t> indices;
        for (const b2Segment &it : segments) {
            const uint32_t first = static_cast<uint32_t>(vertices.size());
            for (b2Vec2 point : {it.point1, it.point2})
                for (double z : {-depth, depth}) vertices.push_back({point.x, point.y, z});
            for (uint32_t corner : {0, 2, 3, 0, 3, 1}) indices.push_back(first + corner);
        }
        return mesh(vertices, indices, front);
    }

    template <class Take>
    static void points(const Contact &contact, Vec3 centre, bool on_b, Take take) {
        for (int i = 0; i < contact.manifold.pointCount; ++i) {
            const b2ManifoldPoint &point = contact.manifold.points[i];
            const Vec3 arm = vec(on_b ? point.anchorB : point.anchorA);
            take(Vec3{centre.x + arm.x, centre.y + arm.y, 0}, vec(contact.manifold.normal), point.separation);
        }
    }
};

class Box2DRecorder : public BoxRecorder<Box2D> {
public:
    using BoxRecorder<Box2D>::BoxRecorder;

    /// Half the depth of the level, 20 m if it is not given: more than the half extents of all bodies that move.
    void depth(double half) { engine_.depth = half; }
};

}  // namespace hitstop
