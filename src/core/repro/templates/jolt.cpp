{% for line in comment %}
// {{ line }}
{% endfor %}
{% macro made(s) %}
{%- if s.kind == "sphere" -%} new SphereShape({{ s.radius }}f)
{%- elif s.kind == "box" and s.rounded -%} new BoxShape(Vec3({{ s.half|join(", ") }}) + Vec3::sReplicate({{ s.radius }}f), {{ s.radius }}f)
{%- elif s.kind == "box" -%} new BoxShape(Vec3({{ s.half|join(", ") }}), 0.0f)
{%- elif s.kind == "capsule" -%} new RotatedTranslatedShape(Vec3({{ s.centre }}), Quat({{ s.from_y.xyzw }}), new CapsuleShape({{ s.half_height }}f, {{ s.radius }}f))
{%- elif s.kind == "cylinder" -%} new CylinderShape({{ s.half_height }}f, {{ s.radius }}f, 0.0f)
{%- elif s.kind == "hull" and not s.rounded -%} ConvexHullShapeSettings(Array<Vec3>{ {% for p in s.points %}Vec3({{ p }}), {% endfor %} }, 0.0f).Create().Get()
{%- elif s.kind == "mesh" -%} MeshShapeSettings(VertexList{ {% for p in s.points %}Float3({{ p }}), {% endfor %} }, IndexedTriangleList{ {% for t in s.triangles %}IndexedTriangle({{ t }}, 0), {% endfor %} }).Create().Get()
{%- else %}{{ fail("has no template for a " ~ ("rounded " if s.rounded else "") ~ s.kind, s) }}{% endif %}
{% endmacro %}
#include <Jolt/Jolt.h>
#include <Jolt/Core/Factory.h>
#include <Jolt/Core/JobSystemSingleThreaded.h>
#include <Jolt/Core/TempAllocator.h>
#include <Jolt/Physics/Body/BodyCreationSettings.h>
#include <Jolt/Physics/Collision/BroadPhase/BroadPhaseLayerInterfaceTable.h>
#include <Jolt/Physics/Collision/BroadPhase/ObjectVsBroadPhaseLayerFilterTable.h>
#include <Jolt/Physics/Collision/ObjectLayerPairFilterTable.h>
{% for kind, name in [("box", "Box"), ("capsule", "Capsule"), ("capsule", "RotatedTranslated"), ("cylinder", "Cylinder"), ("hull", "ConvexHull"), ("mesh", "Mesh"), ("sphere", "Sphere")] if bodies|selectattr("shape.kind", "equalto", kind)|list|length > 0 %}
#include <Jolt/Physics/Collision/Shape/{{ name }}Shape.h>
{% endfor %}
#include <Jolt/Physics/PhysicsSystem.h>
#include <Jolt/RegisterTypes.h>
#include <cstdio>
using namespace JPH;

{% if fixed %}
constexpr bool FIX = {{ "true" if set else "false" }}; // true: {{ fix.text }}
{% endif %}
constexpr int SUBSTEPS = {{ "FIX ? " ~ fix.substeps ~ " : 1" if fix.substeps > 1 else "1" }};
{% if "on" in ccd %}
constexpr bool CCD = {{ "true" if ccd == "on" else "FIX" }};
{% endif %}
{% if fix.speed %}
constexpr float SPEED = FIX ? {{ fix.speed }}f : 1.0f;
{% endif %}
constexpr double DT = {{ dt }};

static bool fails(double phase) {
    // Each body has a layer of its own.
    BroadPhaseLayerInterfaceTable layers({{ bodies|length }}, 1);
    ObjectLayerPairFilterTable pairs({{ bodies|length }});
    for (ObjectLayer a = 0; a < {{ bodies|length }}; ++a) {
        layers.MapObjectToBroadPhaseLayer(a, BroadPhaseLayer(0));
        for (ObjectLayer b = 0; b < a; ++b)
            {{ ("if (FIX) " if fix.mask else "if (a > 1) ") if not collides }}pairs.EnableCollision(a, b);
    }
    ObjectVsBroadPhaseLayerFilterTable broad(layers, 1, pairs, {{ bodies|length }});
    PhysicsSystem world;
    world.Init(16, 0, 64, 64, layers, broad, pairs), world.SetGravity(Vec3({{ gravity }}));
    BodyInterface &bodies = world.GetBodyInterface();
    auto add = [&](ObjectLayer layer, const Shape *shape, RVec3 p, Quat q, EMotionType motion, Vec3 v, Vec3 w, float mass, bool swept) {
        BodyCreationSettings body(shape, p, q, motion, layer);
        body.mLinearVelocity = v, body.mAngularVelocity = w;
        body.mLinearDamping = body.mAngularDamping = 0.0f;
        body.mMaxLinearVelocity = body.mMaxAngularVelocity = 1e6f;
        body.mMotionQuality = swept ? EMotionQuality::LinearCast : EMotionQuality::Discrete;
        body.mOverrideMassProperties = EOverrideMassProperties::CalculateInertia, body.mMassPropertiesOverride.mMass = mass;
        return bodies.CreateAndAddBody(body, EActivation::Activate);
    };
{% for b in bodies %}
    // {{ b.name }}
    BodyID {{ b.id }} = add({{ loop.index0 }}, {{ made(b.shape)|trim }}, RVec3({{ b.p }}), Quat({{ b.xyzw }}), EMotionType::{{ "Static" if b.motion == "fixed" else b.motion|capitalize }}, {{ "SPEED * " if fix.speed }}Vec3({{ b.v }}), Vec3({{ b.w }}), {{ b.mass }}f, {{ "CCD" if b.swept else "false" }});
{% endfor %}
    TempAllocatorMalloc memory;
    JobSystemSingleThreaded jobs(cMaxPhysicsJobs);
    for (int step = 0; step < {{ steps }}; ++step) {
        float dt = float(DT * (step == 0 ? 1 - phase : 1) / SUBSTEPS);
        for (int i = 0; i < SUBSTEPS; ++i) {
{% for b in bodies if b.is_set %}
            {{ "if (!FIX) " if fix.drive }}{
                bodies.SetPosition({{ b.id }}, bodies.GetPosition({{ b.id }}) + dt * Vec3({{ b.v }}), EActivation::Activate);
                bodies.SetLinearVelocity({{ b.id }}, Vec3::sZero());
            }
{% endfor %}
            world.Update(dt, 1, &memory, &jobs);
        }
    }
{% if check.is_place %}
    Vec3 place = bodies.GetRotation({{ check.base }}).Conjugated() * Vec3(bodies.GetPosition({{ check.mover }}) - bodies.GetPosition({{ check.base }}));
    return (place - Vec3({{ check.point }})).Dot(Vec3({{ check.normal }})) < {{ check.least }};
{% else %}
    Vec3 velocity = bodies.GetLinearVelocity({{ check.mover }}){{ " - bodies.GetLinearVelocity(" ~ check.base ~ ")" if check.base }};
{% if check.base %}
    // Farther apart they cannot have met.
    bool isNear = Vec3(bodies.GetPosition({{ check.mover }}) - bodies.GetPosition({{ check.base }})).Length() < {{ check.near }};
{% endif %}
    return {{ "isNear && " if check.base }}velocity.Dot(Vec3({{ check.normal }})) < {{ check.least }};
{% endif %}
}

int main() {
    RegisterDefaultAllocator(), Factory::sInstance = new Factory, RegisterTypes();
    int failed = 0;
    for (int phase = 0; phase < {{ phases }}; ++phase) failed += fails(phase / {{ phases }}.0);
    std::printf("%d of {{ phases }} phases\n", failed);
    return failed > 0; // {{ check.fault }}
}
