{% for line in comment %}
// {{ line }}
{% endfor %}
{% macro made(s) %}
{%- if s.kind == "sphere" -%} new btSphereShape({{ s.radius }})
{%- elif s.kind == "box" and not s.rounded -%} new btBoxShape(btVector3({{ s.half|join(", ") }}))
{%- elif s.kind == "capsule" -%} in({{ s.centre }}, {{ s.from_y.xyzw }}, new btCapsuleShape({{ s.radius }}, {{ s.height }}))
{%- elif s.kind == "cylinder" -%} new btCylinderShape(btVector3({{ s.radius }}, {{ s.half_height }}, {{ s.radius }}))
{%- elif s.kind == "cone" -%} new btConeShape({{ s.radius }}, {{ s.height }})
{%- elif s.kind == "hull" and not s.rounded -%} hull({ {% for p in s.points %}{{ "{" ~ p ~ "}" }}, {% endfor %} })
{%- elif s.kind == "mesh" -%} mesh({ {% for p in s.points %}{{ "{" ~ p ~ "}" }}, {% endfor %} }, { {{ s.triangles|join(", ") }} })
{%- elif s.kind == "plane" -%} new btStaticPlaneShape(btVector3({{ s.normal }}), {{ s.offset }})
{%- elif s.kind == "compound" -%} compound({ {% for part in s.parts %}in({{ part.p }}, {{ part.xyzw }}, {{ made(part.shape)|trim }}), {% endfor %} })
{%- else %}{{ fail("has no " ~ ("rounded " if s.rounded else "") ~ s.kind, s) }}{% endif %}
{% endmacro %}
{% set kinds = bodies|map(attribute="shape.kind")|list %}
#include <btBulletDynamicsCommon.h>
{% if bodies|selectattr("moved")|list|length > 0 %}
#include <LinearMath/btTransformUtil.h>
{% endif %}
#include <cstdio>
#include <vector>

{% if fixed %}
const bool FIX = {{ "true" if set else "false" }}; // true: {{ fix.text }}
{% endif %}
const int SUBSTEPS = {{ "FIX ? " ~ fix.substeps ~ " : 1" if fix.substeps > 1 else "1" }};
{% if "on" in ccd %}
const bool CCD = {{ "true" if ccd == "on" else "FIX" }};
{% endif %}
{% if fix.speed %}
const btScalar SPEED = FIX ? {{ fix.speed }} : 1.0;
{% endif %}
const double DT = {{ dt }};

{% if "capsule" in kinds or "compound" in kinds %}
static btCollisionShape *in(btScalar x, btScalar y, btScalar z, btScalar qx, btScalar qy, btScalar qz, btScalar qw, btCollisionShape *shape) {
    auto whole = new btCompoundShape;
    whole->addChildShape(btTransform(btQuaternion(qx, qy, qz, qw), btVector3(x, y, z)), shape);
    return whole;
}
{% endif %}
{% if "compound" in kinds %}
static btCollisionShape *compound(std::vector<btCollisionShape *> parts) {
    auto whole = new btCompoundShape;
    for (auto part : parts) whole->addChildShape(btTransform::getIdentity(), part);
    return whole;
}
{% endif %}
{% if "hull" in kinds %}
static btCollisionShape *hull(std::vector<std::vector<btScalar>> points) {
    auto shape = new btConvexHullShape;
    for (auto &p : points) shape->addPoint(btVector3(p[0], p[1], p[2]));
    return shape;
}
{% endif %}
{% if "mesh" in kinds %}
static btCollisionShape *mesh(std::vector<std::vector<btScalar>> points, std::vector<int> corners) {
    auto triangles = new btTriangleMesh;
    auto at = [&](int corner) { auto &p = points[corner]; return btVector3(p[0], p[1], p[2]); };
    for (size_t i = 0; i < corners.size(); i += 3) triangles->addTriangle(at(corners[i]), at(corners[i + 1]), at(corners[i + 2]));
    return new btBvhTriangleMeshShape(triangles, true);
}
{% endif %}

{% if bodies|selectattr("moved")|list|length > 0 %}
static btTransform moved(btRigidBody *body, btVector3 v, btVector3 w, btScalar dt) {
    btTransform to;
    btTransformUtil::integrateTransform(body->getWorldTransform(), v, w, dt, to);
    return to;
}
{% endif %}

static bool fails(double phase) {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &configuration);
    world.setGravity(btVector3({{ gravity }}));
    auto add = [&](btCollisionShape *shape, btVector3 p, btQuaternion q, btScalar mass, bool driven, btVector3 v, btVector3 w, btScalar swept, int mask) {
        btVector3 inertia(0, 0, 0);
        if (mass > 0) shape->calculateLocalInertia(mass, inertia);
        auto body = new btRigidBody(mass, new btDefaultMotionState(btTransform(q, p)), shape, inertia);
        if (driven) body->setCollisionFlags(body->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
        body->setLinearVelocity(v), body->setAngularVelocity(w), body->setActivationState(DISABLE_DEACTIVATION);
        if (swept > 0) body->setCcdMotionThreshold(1e-7), body->setCcdSweptSphereRadius(swept);
        world.addRigidBody(body, 1, mask);
        return body;
    };
{% for b in bodies %}
    // {{ b.name }}
    auto {{ b.id }} = add({{ made(b.shape)|trim }}, btVector3({{ b.p }}), btQuaternion({{ b.xyzw }}), {{ b.mass if b.motion == "dynamic" else "0" }}, {{ "true" if b.motion == "kinematic" else "false" }}, {{ "SPEED * " if fix.speed and b.motion == "dynamic" }}btVector3({{ b.v }}), btVector3({{ b.w }}), {{ "CCD ? 0.5 * " ~ b.inner ~ " : 0" if b.swept else "0" }}, {{ "-1" if collides or not loop.first else "FIX ? -1 : 0" if fix.mask else "0" }});
{% endfor %}
    for (int step = 0; step < {{ steps }}; ++step) {
        btScalar dt = DT * (step == 0 ? 1 - phase : 1) / SUBSTEPS;
        for (int i = 0; i < SUBSTEPS; ++i) {
{% for b in bodies if b.moved %}
{% if b.motion == "kinematic" %}
            // Its velocity is that of the way to the new place, unless it is put there.
            auto to_{{ b.id }} = moved({{ b.id }}, btVector3({{ b.v }}), btVector3({{ b.w }}), dt);
            {{ b.id }}->getMotionState()->setWorldTransform(to_{{ b.id }});
{% if b.is_set %}
            {{ "if (!FIX) " if fix.drive }}{{ b.id }}->setInterpolationWorldTransform(to_{{ b.id }});
{% endif %}
{% else %}
            {{ "if (!FIX) " if fix.drive }}{
                {{ b.id }}->setCenterOfMassTransform(moved({{ b.id }}, btVector3({{ b.v }}), btVector3({{ b.w }}), dt));
                {{ b.id }}->setLinearVelocity(btVector3(0, 0, 0)), {{ b.id }}->setAngularVelocity(btVector3(0, 0, 0));
            }
{% endif %}
{% endfor %}
            world.stepSimulation(dt, 0);
        }
    }
{% if check.is_place %}
    btVector3 place = {{ check.base }}->getWorldTransform().inverse() * {{ check.mover }}->getWorldTransform().getOrigin();
    return (place - btVector3({{ check.point }})).dot(btVector3({{ check.normal }})) < {{ check.least }};
{% else %}
    btVector3 velocity = {{ check.mover }}->getLinearVelocity(){{ " - " ~ check.base ~ "->getLinearVelocity()" if check.base }};
{% if check.base %}
    // Farther apart they cannot have met.
    bool isNear = {{ check.mover }}->getWorldTransform().getOrigin().distance({{ check.base }}->getWorldTransform().getOrigin()) < {{ check.near }};
{% endif %}
    return {{ "isNear && " if check.base }}velocity.dot(btVector3({{ check.normal }})) < {{ check.least }};
{% endif %}
}

int main() {
    int failed = 0;
    for (int phase = 0; phase < {{ phases }}; ++phase) failed += fails(phase / {{ phases }}.0);
    std::printf("%d of {{ phases }} phases\n", failed);
    return failed > 0; // {{ check.fault }}
}
