// The types of Jolt that hitstop_jolt.hpp uses, with plain members, for a test that has no engine. The test writes the headers of Jolt, each of
// which includes this one.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace JPH {

typedef unsigned int uint;

struct Vec3 {
    float x = 0, y = 0, z = 0;
    Vec3() {}
    Vec3(float x_, float y_, float z_) : x(x_), y(y_), z(z_) {}
    static Vec3 sReplicate(float v) { return Vec3(v, v, v); }
    float GetX() const { return x; }
    float GetY() const { return y; }
    float GetZ() const { return z; }
    Vec3 operator+(const Vec3 &o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
    Vec3 operator-(const Vec3 &o) const { return Vec3(x - o.x, y - o.y, z - o.z); }
    Vec3 operator-() const { return Vec3(-x, -y, -z); }
    float Dot(const Vec3 &o) const { return x * o.x + y * o.y + z * o.z; }
};
typedef const Vec3 &Vec3Arg;
typedef Vec3 RVec3;

/// The rotations of the test are none.
struct Quat {
    float x = 0, y = 0, z = 0, w = 1;
    Vec3 operator*(const Vec3 &v) const { return v; }
    Quat() {}
    Quat(float x_, float y_, float z_, float w_) : x(x_), y(y_), z(z_), w(w_) {}
    static Quat sIdentity() { return Quat(); }
    float GetX() const { return x; }
    float GetY() const { return y; }
    float GetZ() const { return z; }
    float GetW() const { return w; }
};
typedef const Quat &QuatArg;

/// A translation: the shapes of the test are not rotated in their parents.
struct Mat44 {
    Vec3 translation;
    static Mat44 sIdentity() { return Mat44(); }
    static Mat44 sTranslation(const Vec3 &v) {
        Mat44 matrix;
        matrix.translation = v;
        return matrix;
    }
    static Mat44 sRotationTranslation(const Quat &, const Vec3 &v) { return sTranslation(v); }
    Mat44 operator*(const Mat44 &o) const { return sTranslation(translation + o.translation); }
    Vec3 GetTranslation() const { return translation; }
    Quat GetQuaternion() const { return Quat(); }
};
typedef const Mat44 &Mat44Arg;

struct Float3 {
    float x = 0, y = 0, z = 0;
};

struct AABox {
    static AABox sBiggest() { return AABox(); }
};

enum class EShapeType { Convex, Compound, Decorated, Mesh };
enum class EShapeSubType { Sphere, Box, Capsule, Cylinder, ConvexHull, RotatedTranslated, StaticCompound, Mesh };

struct Shape {
    static constexpr int cGetTrianglesMinTrianglesRequested = 32;
    struct GetTrianglesContext {
        bool done = false;
    };
    EShapeType type;
    EShapeSubType kind;
    Vec3 centre;
    Shape(EShapeType type_, EShapeSubType kind_) : type(type_), kind(kind_) {}
    EShapeType GetType() const { return type; }
    EShapeSubType GetSubType() const { return kind; }
    Vec3 GetCenterOfMass() const { return centre; }
    void GetTrianglesStart(GetTrianglesContext &, const AABox &, const Vec3 &, const Quat &, const Vec3 &) const {}
    /// One triangle.
    int GetTrianglesNext(GetTrianglesContext &context, int, Float3 *corners) const {
        if (context.done) return 0;
        context.done = true;
        corners[0] = Float3{0, 0, 0};
        corners[1] = Float3{1, 0, 0};
        corners[2] = Float3{0, 1, 0};
        return 1;
    }
};

struct SphereShape : Shape {
    float radius;
    explicit SphereShape(float r) : Shape(EShapeType::Convex, EShapeSubType::Sphere), radius(r) {}
    float GetRadius() const { return radius; }
};
struct BoxShape : Shape {
    Vec3 half;
    explicit BoxShape(Vec3 h) : Shape(EShapeType::Convex, EShapeSubType::Box), half(h) {}
    Vec3 GetHalfExtent() const { return half; }
    float GetConvexRadius() const { return 0.25f; }
};
struct CapsuleShape : Shape {
    CapsuleShape() : Shape(EShapeType::Convex, EShapeSubType::Capsule) {}
    float GetHalfHeightOfCylinder() const { return 1; }
    float GetRadius() const { return 0.5f; }
};
struct CylinderShape : Shape {
    CylinderShape() : Shape(EShapeType::Convex, EShapeSubType::Cylinder) {}
    float GetHalfHeight() const { return 1; }
    float GetRadius() const { return 0.5f; }
};
struct ConvexHullShape : Shape {
    std::vector<Vec3> points;
    ConvexHullShape() : Shape(EShapeType::Convex, EShapeSubType::ConvexHull) {}
    uint GetNumPoints() const { return static_cast<uint>(points.size()); }
    Vec3 GetPoint(uint i) const { return points[i]; }
    float GetConvexRadius() const { return 0; }
};
struct RotatedTranslatedShape : Shape {
    const Shape *inner;
    Vec3 position;
    RotatedTranslatedShape(const Shape *inner_, Vec3 position_)
        : Shape(EShapeType::Decorated, EShapeSubType::RotatedTranslated), inner(inner_), position(position_) {}
    Quat GetRotation() const { return Quat(); }
    Vec3 GetPosition() const { return position; }
    const Shape *GetInnerShape() const { return inner; }
};
struct CompoundShape : Shape {
    struct SubShape {
        const Shape *mShape;
        Vec3 position;
        Vec3 GetPositionCOM() const { return position; }
        Quat GetRotation() const { return Quat(); }
    };
    std::vector<SubShape> parts;
    CompoundShape() : Shape(EShapeType::Compound, EShapeSubType::StaticCompound) {}
    const std::vector<SubShape> &GetSubShapes() const { return parts; }
};

enum class EMotionType { Static, Kinematic, Dynamic };
enum class EMotionQuality { Discrete, LinearCast };

struct BodyID {
    uint32_t index = 0;
    bool operator<(const BodyID &o) const { return index < o.index; }
};

struct MotionProperties {
    EMotionQuality quality = EMotionQuality::Discrete;
    float inverse_mass = 1;
    EMotionQuality GetMotionQuality() const { return quality; }
    float GetInverseMassUnchecked() const { return inverse_mass; }
};

struct Body {
    BodyID id;
    const Shape *shape = nullptr;
    EMotionType motion = EMotionType::Static;
    MotionProperties properties;
    Vec3 position, velocity, spin;
    bool sensor = false, active = true, added = true;
    BodyID GetID() const { return id; }
    const Shape *GetShape() const { return shape; }
    EMotionType GetMotionType() const { return motion; }
    const MotionProperties *GetMotionProperties() const { return &properties; }
    Vec3 GetPosition() const { return position; }
    Quat GetRotation() const { return Quat(); }
    Vec3 GetLinearVelocity() const { return velocity; }
    Vec3 GetAngularVelocity() const { return spin; }
    bool IsStatic() const { return motion == EMotionType::Static; }
    bool IsDynamic() const { return motion == EMotionType::Dynamic; }
    bool IsSensor() const { return sensor; }
    bool IsActive() const { return active; }
    bool IsInBroadPhase() const { return added; }
};

struct BodyLockInterface {
    std::vector<Body> *bodies;
};

struct PhysicsSystem {
    mutable std::vector<Body> bodies;
    BodyLockInterface GetBodyLockInterface() const { return BodyLockInterface{&bodies}; }
};

struct BodyLockRead {
    const Body *body;
    BodyLockRead(const BodyLockInterface &lock, BodyID id) : body(&(*lock.bodies)[id.index]) {}
    bool Succeeded() const { return true; }
    const Body &GetBody() const { return *body; }
};

struct CharacterVirtual {
    struct Contact {
        Vec3 mPosition, mContactNormal;
        float mDistance;
        BodyID mBodyB;
        bool mIsSensorB, mWasDiscarded, mHadCollision;
    };
    enum class EGroundState { OnGround, OnSteepGround, NotSupported, InAir };
    struct ExtendedUpdateSettings {
        Vec3 mStickToFloorStepDown = Vec3(0, -0.5f, 0), mWalkStairsStepUp = Vec3(0, 0.25f, 0);
    };
    const Shape *shape = nullptr;
    Vec3 position, offset, velocity;
    std::vector<Contact> contacts;
    const Shape *GetShape() const { return shape; }
    Vec3 GetPosition() const { return position; }
    Quat GetRotation() const { return Quat(); }
    Vec3 GetShapeOffset() const { return offset; }
    Vec3 GetUp() const { return Vec3(0, 1, 0); }
    float GetCosMaxSlopeAngle() const { return 0.5f; }
    float GetCharacterPadding() const { return 0.0625f; }
    EGroundState GetGroundState() const { return EGroundState::OnSteepGround; }
    Vec3 GetLinearVelocity() const { return velocity; }
    const std::vector<Contact> &GetActiveContacts() const { return contacts; }
};

struct ContactManifold {
    Vec3 mWorldSpaceNormal;
    std::vector<Vec3> mRelativeContactPointsOn1, mRelativeContactPointsOn2;
    Vec3 GetWorldSpaceContactPointOn1(uint i) const { return mRelativeContactPointsOn1[i]; }
    Vec3 GetWorldSpaceContactPointOn2(uint i) const { return mRelativeContactPointsOn2[i]; }
};

struct ContactSettings {};

struct ContactListener {
    virtual ~ContactListener() {}
    virtual void OnContactAdded(const Body &, const Body &, const ContactManifold &, ContactSettings &) {}
    virtual void OnContactPersisted(const Body &, const Body &, const ContactManifold &, ContactSettings &) {}
};

}  // namespace JPH
