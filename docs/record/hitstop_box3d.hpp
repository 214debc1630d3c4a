// Records a world of Box3D with hitstop.hpp and hitstop_box.hpp; C++17. Run with Box3D 30c67b5 (August 2026).
//
//     hitstop::Header header;
//     header.dt = 1.0 / 60.0;
//     hitstop::Box3DRecorder log(file, world, header);          // or (world, header, 10.0): see hitstop.hpp
//     log.frame(0.0);
//     for (;;) {
//         b3World_Step(world, dt, 4);                           // the 4 substeps are the solver's: a line after each step
//         log.frame(time += dt);
//     }
//
// No change to the game: bodies, shapes, contacts and joints are read from the world. Before `frame`, `log.log()` takes a camera, pushes and the queries
// of the game, with `log.number(shape)` of what they hit. A custom filter decides for itself: give its pairs to `log.log().ignore`.
#pragma once

#include <box3d/box3d.h>

#include "hitstop.hpp"

namespace hitstop {

inline Vec3 vec(b3Vec3 v) { return {v.x, v.y, v.z}; }
#ifdef BOX3D_DOUBLE_PRECISION
inline Vec3 vec(b3Pos v) { return {v.x, v.y, v.z}; }
#endif
inline Quat quat(b3Quat q) { return {q.v.x, q.v.y, q.v.z, q.s}; }
inline Vec3 turn(b3Vec3 spin) { return vec(spin); }

}  // namespace hitstop

#include "hitstop_box.hpp"

namespace hitstop {

/// A sphere that is not at the origin is a compound of one.
inline std::string box3d_sphere(const b3Sphere &it) {
    const std::string text = sphere(it.radius);
    const bool is_centred = it.center.x == 0 && it.center.y == 0 && it.center.z == 0;
    return is_centred ? text : compound({{text, vec(it.center), {0, 0, 0, 1}}});
}

inline std::string box3d_capsule(const b3Capsule &it) { return capsule(vec(it.center1), vec(it.center2), it.radius); }

inline std::string box3d_hull(const b3HullData &it) {
    std::vector<Vec3> points;
    for (int i = 0; i < it.vertexCount; ++i) points.push_back(vec(b3GetHullPoints(&it)[i]));
    return convex_hull(points);
}

/// Adds the triangles of a mesh, which collides from its front.
inline void box3d_triangles(const b3Mesh &it, b3Transform place, std::vector<Vec3> &vertices, std::vector<uint32_t> &indices) {
    const uint32_t first = static_cast<uint32_t>(vertices.size());
    for (int i = 0; i < it.data->vertexCount; ++i)
        vertices.push_back(vec(b3TransformPoint(place, b3Mul(it.scale, b3GetMeshVertices(it.data)[i]))));
    const bool is_mirrored = it.scale.x * it.scale.y * it.scale.z < 0;
    for (int i = 0; i < it.data->triangleCount; ++i) {
        const b3MeshTriangle corners = b3GetMeshTriangles(it.data)[i];
        const int32_t second = is_mirrored ? corners.index3 : corners.index2, third = is_mirrored ? corners.index2 : corners.index3;
        for (int32_t index : {corners.index1, second, third}) indices.push_back(first + static_cast<uint32_t>(index));
    }
}

/// As the engine splits it, without its holes.
inline std::string box3d_heights(const b3HeightFieldData &it) {
    std::vector<Vec3> vertices;
    std::vector<uint32_t> indices;
    const uint16_t *heights = b3GetHeightFieldCompressedHeights(&it);
    const uint8_t *materials = b3GetHeightFieldMaterialIndices(&it);
    for (int32_t row = 0; row < it.rowCount; ++row) {
        for (int32_t column = 0; column < it.columnCount; ++column) {
            const double height = it.minHeight + it.heightScale * heights[row * it.columnCount + column];
            vertices.push_back({it.scale.x * column, it.scale.y * height, it.scale.z * row});
            if (row + 1 == it.rowCount || column + 1 == it.columnCount) continue;
            if (materials[row * (it.columnCount - 1) + column] == B3_HEIGHT_FIELD_HOLE) continue;
            const uint32_t a = static_cast<uint32_t>(row * it.columnCount + column), b = a + 1, c = a + static_cast<uint32_t>(it.columnCount), d = c + 1;
            const uint32_t up[] = {a, c, b, d, b, c}, down[] = {a, b, c, d, c, b};
            const uint32_t *corners = it.clockwise ? down : up;
            indices.insert(indices.end(), corners, corners + 6);
        }
    }
    return mesh(vertices, indices, true);
}

/// A baked compound: its convex children, or the triangles of its meshes. Empty for one that has both, or more than 256 children.
inline std::string box3d_compound(const b3CompoundData &it) {
    const int convex = it.capsuleCount + it.hullCount + it.sphereCount;
    std::vector<Vec3> vertices;
    std::vector<uint32_t> indices;
    for (int i = 0; i < it.meshCount; ++i) {
        const b3CompoundMesh child = b3GetCompoundMesh(&it, i);
        box3d_triangles({child.meshData, child.scale}, child.transform, vertices, indices);
    }
    if (convex == 0) return mesh(vertices, indices, true);
    if (it.meshCount > 0 || convex > 256) return "";
    std::vector<Part> parts;
    for (int i = 0; i < it.capsuleCount; ++i) parts.push_back({box3d_capsule(b3GetCompoundCapsule(&it, i).capsule), {0, 0, 0}, {0, 0, 0, 1}});
    for (int i = 0; i < it.hullCount; ++i) {
        const b3CompoundHull child = b3GetCompoundHull(&it, i);
        parts.push_back({box3d_hull(*child.hull), vec(child.transform.p), quat(child.transform.q)});
    }
    for (int i = 0; i < it.sphereCount; ++i) {
        const b3Sphere child = b3GetCompoundSphere(&it, i).sphere;
        parts.push_back({sphere(child.radius), vec(child.center), {0, 0, 0, 1}});
    }
    return compound(parts);
}

HITSTOP_BOX_API(Box3DApi, b3);

struct Box3D : Box3DApi {
    using Of = Space;
    static constexpr const char *refusal =
        "of a baked compound give what you made it of to `compound` before its body is added; one of both meshes and convex children, or of more "
        "than 256, is better made as several shapes";
#ifdef BOX3D_DOUBLE_PRECISION
    static constexpr Scalar scalar = Scalar::F64;
#else
    static constexpr Scalar scalar = Scalar::F32;
#endif

    static const char *engine_name() { return "box3d"; }
    static double margin() { return B3_SPECULATIVE_DISTANCE; }
    static Vec3 gravity(World world) { return vec(b3World_GetGravity(world)); }
    static uint64_t key(Shape shape) { return static_cast<uint64_t>(shape.index1) << 16 | shape.generation; }

    /// Of baked compounds: the engine does not give back what they were made of.
    std::unordered_map<uint64_t, const b3CompoundData *> compounds;

    static std::vector<Shape> reached(World world) {
        std::vector<Shape> all;
        const float huge = B3_HUGE;
        const b3QueryFilter filter = b3DefaultQueryFilter();
        auto take = [](Shape shape, void *context) {
            static_cast<std::vector<Shape> *>(context)->push_back(shape);
            return true;
        };
        b3World_OverlapAABB(world, {{-huge, -huge, -huge}, {huge, huge, huge}}, filter, take, &all);
        return all;
    }

    std::string shape(Shape shape) const {
        switch (b3Shape_GetType(shape)) {
            case b3_sphereShape:
                return box3d_sphere(b3Shape_GetSphere(shape));
            case b3_capsuleShape:
                return box3d_capsule(b3Shape_GetCapsule(shape));
            case b3_hullShape:
                return box3d_hull(*b3Shape_GetHull(shape));
            case b3_heightShape:
                return box3d_heights(*b3Shape_GetHeightField(shape));
            case b3_meshShape: {
                std::vector<Vec3> vertices;
                std::vector<uint32_t> indices;
                box3d_triangles(b3Shape_GetMesh(shape), b3Transform_identity, vertices, indices);
                return mesh(vertices, indices, true);
            }
            default: {
                const auto found = compounds.find(key(shape));
                return found == compounds.end() ? "" : box3d_compound(*found->second);
            }
        }
    }

    template <class Take>
    static void points(const Contact &contact, Vec3 centre, bool on_b, Take take) {
        for (int i = 0; i < contact.manifoldCount; ++i) {
            const b3Manifold &manifold = contact.manifolds[i];
            for (int k = 0; k < manifold.pointCount; ++k) {
                const b3ManifoldPoint &point = manifold.points[k];
                // Its `totalNormalImpulse` adds the whole impulse after each pass of the solver: about twice what is applied.
                take(centre + vec(on_b ? point.anchorB : point.anchorA), vec(manifold.normal), point.separation, -1);
            }
        }
    }
};

class Box3DRecorder : public BoxRecorder<Box3D> {
public:
    using BoxRecorder<Box3D>::BoxRecorder;

    /// What a baked compound was made of, before its body is added.
    void compound(b3ShapeId shape, const b3CompoundData *data) { engine_.compounds[Box3D::key(shape)] = data; }
};

}  // namespace hitstop
