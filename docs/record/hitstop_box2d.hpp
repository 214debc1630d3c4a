// Records a world of Box2D 3 with hitstop.hpp, hitstop_flat.hpp and hitstop_box.hpp; C++17. Run with Box2D 617d32a (August 2026, before 3.2).
//
//     hitstop::flat::Header header;                             // header.unit = "px", header.up = "-y", ..: see hitstop_flat.hpp
//     header.dt = 1.0 / 60.0;
//     hitstop::Box2DRecorder log(file, world, header);          // or (world, header, 10.0): see hitstop.hpp
//     log.frame(0.0);
//     for (;;) {
//         b2World_Step(world, dt, 4);                           // the 4 substeps are the solver's: a line after each step
//         log.frame(time += dt);
//     }
//
// No change to the game: bodies, shapes, contacts and joints are read from the world. Before `frame`, `log.log()` takes a camera, pushes and the queries of the game, with `log.number(shape)` of what they hit. A custom
// filter or a pre-solve callback decides for itself: give pairs that never collide to `log.log().ignore`.
#pragma once

#include <box2d/box2d.h>

#include <cmath>

#include "hitstop_flat.hpp"

namespace hitstop {

inline Vec2 vec(b2Vec2 v) { return {v.x, v.y}; }
#ifdef BOX2D_DOUBLE_PRECISION
inline Vec2 vec(b2Pos v) { return {v.x, v.y}; }
#endif
inline double quat(b2Rot q) { return std::atan2(q.s, q.c); }
inline double turn(float spin) { return spin; }

}  // namespace hitstop

#include "hitstop_box.hpp"

namespace hitstop {

HITSTOP_BOX_API(Box2DApi, b2);

struct Box2D : Box2DApi {
    using Of = Plane;
    static constexpr const char *refusal = "its kind is not known here";
#ifdef BOX2D_DOUBLE_PRECISION
    static constexpr Scalar scalar = Scalar::F64;
#else
    static constexpr Scalar scalar = Scalar::F32;
#endif

    static std::string engine_name() {
        const b2Version it = b2GetVersion();
        return "box2d " + std::to_string(it.major) + '.' + std::to_string(it.minor) + '.' + std::to_string(it.revision);
    }
    /// The distance of speculative contacts: four linear slops of 5 mm.
    static double margin() { return 0.02 * unit(); }
    static Vec2 gravity(World world) { return vec(b2World_GetGravity(world)); }

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

    static std::string shape(Shape shape) {
        switch (b2Shape_GetType(shape)) {
            case b2_circleShape: {
                const b2Circle it = b2Shape_GetCircle(shape);
                const std::string text = flat::circle(it.radius);
                return it.center.x == 0 && it.center.y == 0 ? text : flat::compound({{text, vec(it.center), 0}});
            }
            case b2_capsuleShape: {
                const b2Capsule it = b2Shape_GetCapsule(shape);
                return flat::capsule(vec(it.center1), vec(it.center2), it.radius);
            }
            case b2_polygonShape: {
                const b2Polygon it = b2Shape_GetPolygon(shape);
                std::vector<Vec2> points;
                for (int i = 0; i < it.count; ++i) points.push_back(vec(it.vertices[i]));
                return flat::polygon(points, it.radius);
            }
            case b2_segmentShape: {
                const b2Segment it = b2Shape_GetSegment(shape);
                return flat::segment(vec(it.point1), vec(it.point2));
            }
            case b2_chainSegmentShape: {
                const b2ChainId chain = b2Shape_GetParentChain(shape);
                std::vector<b2ShapeId> segments(static_cast<size_t>(b2Chain_GetSegmentCount(chain)));
                b2Chain_GetSegments(chain, segments.data(), static_cast<int>(segments.size()));
                std::vector<Vec2> points;
                for (b2ShapeId segment : segments) points.push_back(vec(b2Shape_GetChainSegment(segment).segment.point1));
                const Vec2 end = vec(b2Shape_GetChainSegment(segments.back()).segment.point2);
                const bool loop = end == points.front();
                if (!loop) points.push_back(end);
                return flat::chain(points, loop, "right");
            }
            default:
                return "";
        }
    }

    template <class Take>
    static void points(const Contact &contact, Vec2 centre, bool on_b, Take take) {
        for (int i = 0; i < contact.manifold.pointCount; ++i) {
            const b2ManifoldPoint &point = contact.manifold.points[i];
            take(centre + vec(on_b ? point.anchorB : point.anchorA), vec(contact.manifold.normal), point.separation, point.totalNormalImpulse);
        }
    }
};

using Box2DRecorder = BoxRecorder<Box2D>;

}  // namespace hitstop
