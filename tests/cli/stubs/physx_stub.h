// The types of PhysX that hitstop_physx.hpp uses, with plain members, for a test that has no engine.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace physx {

typedef uint8_t PxU8;
typedef uint16_t PxU16;
typedef int16_t PxI16;
typedef uint32_t PxU32;

struct PxVec3 {
    float x = 0, y = 0, z = 0;
    PxVec3() {}
    PxVec3(float x_, float y_, float z_) : x(x_), y(y_), z(z_) {}
    PxVec3 operator+(const PxVec3 &o) const { return PxVec3(x + o.x, y + o.y, z + o.z); }
    PxVec3 operator-(const PxVec3 &o) const { return PxVec3(x - o.x, y - o.y, z - o.z); }
    PxVec3 operator*(float s) const { return PxVec3(x * s, y * s, z * s); }
    float dot(const PxVec3 &o) const { return x * o.x + y * o.y + z * o.z; }
    PxVec3 cross(const PxVec3 &o) const { return PxVec3(y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x); }
};

struct PxQuat {
    float x = 0, y = 0, z = 0, w = 1;
    PxQuat() {}
    PxQuat(float x_, float y_, float z_, float w_) : x(x_), y(y_), z(z_), w(w_) {}
    PxQuat operator*(const PxQuat &o) const {
        return PxQuat(w * o.x + x * o.w + y * o.z - z * o.y, w * o.y + y * o.w + z * o.x - x * o.z,
                      w * o.z + z * o.w + x * o.y - y * o.x, w * o.w - x * o.x - y * o.y - z * o.z);
    }
    PxVec3 rotate(const PxVec3 &v) const {
        PxVec3 u(x, y, z), t = u.cross(v) * 2;
        return v + t * w + u.cross(t);
    }
};

struct PxTransform {
    PxQuat q;
    PxVec3 p;
    PxTransform() {}
    PxTransform(const PxVec3 &p_, const PxQuat &q_ = PxQuat()) : q(q_), p(p_) {}
    PxVec3 transform(const PxVec3 &v) const { return q.rotate(v) + p; }
    PxTransform operator*(const PxTransform &o) const { return PxTransform(transform(o.p), q * o.q); }
};

/// A diagonal.
struct PxMat33 {
    PxVec3 d;
    PxVec3 operator*(const PxVec3 &v) const { return PxVec3(d.x * v.x, d.y * v.y, d.z * v.z); }
};

struct PxMeshScale {
    PxVec3 scale = PxVec3(1, 1, 1);
    PxMat33 toMat33() const {
        PxMat33 matrix;
        matrix.d = scale;
        return matrix;
    }
    bool hasNegativeDeterminant() const { return scale.x * scale.y * scale.z < 0; }
};

struct PxTriangleMeshFlag { enum Enum { e16_BIT_INDICES = 2 }; };
struct PxMeshGeometryFlag { enum Enum { eDOUBLE_SIDED = 2 }; };
struct PxHeightFieldMaterial { enum Enum { eHOLE = 127 }; };
struct PxRigidBodyFlag { enum Enum { eKINEMATIC = 1, eENABLE_CCD = 4 }; };
struct PxShapeFlag { enum Enum { eTRIGGER_SHAPE = 4 }; };
struct PxContactPairFlag { enum Enum { eINTERNAL_HAS_IMPULSES = 16 }; };
struct PxContactPairHeaderFlag { enum Enum { eREMOVED_ACTOR_0 = 1, eREMOVED_ACTOR_1 = 2 }; };
struct PxGeometryType { enum Enum { eSPHERE, ePLANE, eCAPSULE, eBOX, eCONVEXMESH, eTRIANGLEMESH, eHEIGHTFIELD, eCUSTOM }; };

struct PxTriangleMesh {
    std::vector<PxVec3> vertices;
    std::vector<PxU16> indices;
    PxU32 getNbVertices() const { return static_cast<PxU32>(vertices.size()); }
    const PxVec3 *getVertices() const { return vertices.data(); }
    PxU32 getNbTriangles() const { return static_cast<PxU32>(indices.size() / 3); }
    const void *getTriangles() const { return indices.data(); }
    PxU32 getTriangleMeshFlags() const { return PxTriangleMeshFlag::e16_BIT_INDICES; }
};

struct PxConvexMesh {
    std::vector<PxVec3> vertices;
    PxU32 getNbVertices() const { return static_cast<PxU32>(vertices.size()); }
    const PxVec3 *getVertices() const { return vertices.data(); }
};

struct PxHeightFieldSample {
    PxI16 height = 0;
    PxU8 materialIndex0 = 0, materialIndex1 = 0;
    bool split = false;
    PxU8 tessFlag() const { return split ? 1 : 0; }
};

struct PxHeightField {
    PxU32 rows = 0, columns = 0;
    std::vector<PxHeightFieldSample> samples;
    PxU32 getNbRows() const { return rows; }
    PxU32 getNbColumns() const { return columns; }
    const PxHeightFieldSample &getSample(PxU32 row, PxU32 column) const { return samples[row * columns + column]; }
};

struct PxGeometry {
    PxGeometryType::Enum type;
    explicit PxGeometry(PxGeometryType::Enum type_) : type(type_) {}
    PxGeometryType::Enum getType() const { return type; }
};

struct PxSphereGeometry : PxGeometry {
    float radius = 1;
    PxSphereGeometry() : PxGeometry(PxGeometryType::eSPHERE) {}
};
struct PxBoxGeometry : PxGeometry {
    PxVec3 halfExtents;
    PxBoxGeometry() : PxGeometry(PxGeometryType::eBOX) {}
};
struct PxCapsuleGeometry : PxGeometry {
    float radius = 1, halfHeight = 1;
    PxCapsuleGeometry() : PxGeometry(PxGeometryType::eCAPSULE) {}
};
struct PxPlaneGeometry : PxGeometry {
    PxPlaneGeometry() : PxGeometry(PxGeometryType::ePLANE) {}
};
struct PxConvexMeshGeometry : PxGeometry {
    PxMeshScale scale;
    PxConvexMesh *convexMesh = nullptr;
    PxConvexMeshGeometry() : PxGeometry(PxGeometryType::eCONVEXMESH) {}
};
struct PxTriangleMeshGeometry : PxGeometry {
    PxMeshScale scale;
    PxU8 meshFlags = 0;
    PxTriangleMesh *triangleMesh = nullptr;
    PxTriangleMeshGeometry() : PxGeometry(PxGeometryType::eTRIANGLEMESH) {}
};
struct PxHeightFieldGeometry : PxGeometry {
    PxHeightField *heightField = nullptr;
    float heightScale = 1, rowScale = 1, columnScale = 1;
    PxHeightFieldGeometry() : PxGeometry(PxGeometryType::eHEIGHTFIELD) {}
};

struct PxShape {
    const PxGeometry *geometry = nullptr;
    PxTransform pose;
    PxU32 flags = 0;
    const PxGeometry &getGeometry() const { return *geometry; }
    PxTransform getLocalPose() const { return pose; }
    PxU32 getFlags() const { return flags; }
};

struct PxScene {};

struct PxActor {
    virtual ~PxActor() {}
};

struct PxRigidActor : PxActor {
    PxTransform pose;
    std::vector<PxShape *> shapes;
    PxU32 getNbShapes() const { return static_cast<PxU32>(shapes.size()); }
    PxU32 getShapes(PxShape **buffer, PxU32 size) const {
        for (PxU32 i = 0; i < size; ++i) buffer[i] = shapes[i];
        return size;
    }
    PxTransform getGlobalPose() const { return pose; }
    template <class T> const T *is() const { return dynamic_cast<const T *>(this); }
};

struct PxRigidBody : PxRigidActor {
    PxU32 flags = 0;
    float mass = 1;
    PxTransform centre;
    PxVec3 velocity, spin;
    PxU32 getRigidBodyFlags() const { return flags; }
    float getMass() const { return mass; }
    PxTransform getCMassLocalPose() const { return centre; }
    PxVec3 getLinearVelocity() const { return velocity; }
    PxVec3 getAngularVelocity() const { return spin; }
};

struct PxRigidDynamic : PxRigidBody {
    PxScene *scene = nullptr;
    bool sleeping = false;
    PxScene *getScene() const { return scene; }
    bool isSleeping() const { return sleeping; }
};

struct PxExtendedVec3 {
    double x = 0, y = 0, z = 0;
};

struct PxControllerCollisionFlag {
    enum Enum { eCOLLISION_SIDES = 1, eCOLLISION_UP = 2, eCOLLISION_DOWN = 4 };
};
typedef uint8_t PxControllerCollisionFlags;

struct PxController {
    PxExtendedVec3 position;
    PxRigidDynamic *actor = nullptr;
    const PxExtendedVec3 &getPosition() const { return position; }
    PxRigidDynamic *getActor() const { return actor; }
    float getContactOffset() const { return 0.125f; }
    float getSlopeLimit() const { return 0.5f; }
    float getStepOffset() const { return 0.25f; }
    PxVec3 getUpDirection() const { return PxVec3(0, 1, 0); }
};

struct PxControllerHit {
    PxController *controller;
    PxExtendedVec3 worldPos;
    PxVec3 worldNormal;
};
struct PxControllerShapeHit : PxControllerHit {
    PxShape *shape;
    PxRigidActor *actor;
};
struct PxControllersHit : PxControllerHit {};
struct PxControllerObstacleHit : PxControllerHit {};

struct PxUserControllerHitReport {
    virtual ~PxUserControllerHitReport() {}
    virtual void onShapeHit(const PxControllerShapeHit &) = 0;
    virtual void onControllerHit(const PxControllersHit &) = 0;
    virtual void onObstacleHit(const PxControllerObstacleHit &) = 0;
};

struct PxContactPairPoint {
    PxVec3 position;
    float separation;
    PxVec3 normal;
    PxVec3 impulse;
};

struct PxContactPairHeader {
    PxActor *actors[2];
    PxU32 flags = 0;
};

struct PxContactPair {
    PxShape *shapes[2];
    PxU32 contactCount = 0;
    PxU32 flags = 0;
    std::vector<PxContactPairPoint> points;
    PxU32 extractContacts(PxContactPairPoint *buffer, PxU32 size) const {
        for (PxU32 i = 0; i < size; ++i) buffer[i] = points[i];
        return size;
    }
};

struct PxConstraintInfo;
struct PxTriggerPair;

struct PxSimulationEventCallback {
    virtual ~PxSimulationEventCallback() {}
    virtual void onConstraintBreak(PxConstraintInfo *, PxU32) = 0;
    virtual void onWake(PxActor **, PxU32) = 0;
    virtual void onSleep(PxActor **, PxU32) = 0;
    virtual void onContact(const PxContactPairHeader &, const PxContactPair *, PxU32) = 0;
    virtual void onTrigger(PxTriggerPair *, PxU32) = 0;
    virtual void onAdvance(const PxRigidBody *const *, const PxTransform *, const PxU32) = 0;
};

}  // namespace physx
