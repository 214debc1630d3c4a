{% for line in comment %}
# {{ line }}
{% endfor %}
{% macro shape(s) %}
{%- if s.kind == "sphere" -%} bullet.GEOM_SPHERE, radius={{ s.radius }}
{%- elif s.kind == "box" and not s.rounded -%} bullet.GEOM_BOX, halfExtents=[{{ s.half|join(", ") }}]
{%- elif s.kind == "capsule" -%} bullet.GEOM_CAPSULE, radius={{ s.radius }}, height={{ s.height }}, collisionFramePosition=[{{ s.centre }}], collisionFrameOrientation=[{{ s.from_z.xyzw }}]
{%- elif s.kind == "cylinder" -%} bullet.GEOM_CYLINDER, radius={{ s.radius }}, height={{ s.height }}, collisionFrameOrientation=[{{ s.from_z.xyzw }}]
{%- elif s.kind == "mesh" -%} bullet.GEOM_MESH, vertices=[{% for p in s.points %}[{{ p }}], {% endfor %}], indices=[{{ s.triangles|join(", ") }}]
{%- elif s.kind == "hull" -%} bullet.GEOM_MESH, vertices=[{% for p in s.points %}[{{ p }}], {% endfor %}]
{%- elif s.kind == "plane" and s.offset == "0.0" -%} bullet.GEOM_PLANE, planeNormal=[{{ s.normal }}]
{%- else %}{{ fail("has no " ~ ("rounded " if s.rounded else "") ~ s.kind ~ (" away from its origin" if s.kind == "plane" else ""), s) }}{% endif %}
{% endmacro %}
import pybullet as bullet

{% if fixed %}
FIX = {{ "True" if set else "False" }}  # True: {{ fix.text }}
{% endif %}
SUBSTEPS = {{ fix.substeps ~ " if FIX else 1" if fix.substeps > 1 else "1" }}
{% if "on" in ccd %}
CCD = {{ "True" if ccd == "on" else "FIX" }}
{% endif %}
{% if fix.speed %}
SPEED = {{ fix.speed }} if FIX else 1.0
{% endif %}
DT = {{ dt }}
bullet.connect(bullet.DIRECT)
{% set driven = bodies|selectattr("moved")|list|length > 0 %}
{% if driven %}


def moved(body, v, w, dt):
    p, q = bullet.getBasePositionAndOrientation(body)
    speed = sum(x * x for x in w) ** 0.5
    turn = bullet.getQuaternionFromAxisAngle([x / (speed or 1) for x in w], speed * dt)
    return [a + b * dt for a, b in zip(p, v)], bullet.multiplyTransforms([0, 0, 0], turn, [0, 0, 0], q)[1]
{% endif %}


def fails(phase):
    bullet.resetSimulation()
    bullet.setGravity({{ gravity }})
{% if driven %}
    driven = []
{% endif %}
{% for b in bodies %}
    # {{ b.name }}
    shape = bullet.createCollisionShape({{ shape(b.shape)|trim }})
{# A body without mass has no velocity: one that is driven is heavy. #}
    {{ b.id }} = bullet.createMultiBody({{ "0" if b.motion == "fixed" else "1e6" if b.motion == "kinematic" else b.mass }}, shape, -1, [{{ b.p }}], [{{ b.xyzw }}]{{ ", useMaximalCoordinates=CCD" if "on" in ccd }})
    bullet.changeDynamics({{ b.id }}, -1, linearDamping=0, angularDamping=0, maxJointVelocity=1e6{{ ", ccdSweptSphereRadius=0.5 * " ~ b.inner ~ " if CCD else 0" if b.swept or b.motion == "kinematic" and "on" in ccd }})
{% if b.motion != "fixed" %}
    v, w = {{ "[SPEED * x for x in [" ~ b.v ~ "]]" if fix.speed else "[" ~ b.v ~ "]" }}, [{{ b.w }}]
    bullet.resetBaseVelocity({{ b.id }}, v, w)
{% if b.moved %}
    driven{{ " += [] if FIX else " if fix.drive and b.motion == "dynamic" else " += " }}[({{ b.id }}, v, w, {{ ("not FIX" if fix.drive else "True") if b.is_set else "False" }})]
{% endif %}
{% endif %}
{% endfor %}
{% if not collides %}
    bullet.setCollisionFilterPair(mover, obstacle, -1, -1, {{ "int(FIX)" if fix.mask else "0" }})
{% endif %}
    for step in range({{ steps }}):
        dt = DT * ((1 - phase) if step == 0 else 1) / SUBSTEPS
        bullet.setTimeStep(dt)
        for _ in range(SUBSTEPS):
{% if driven %}
            after = [moved(body, v, w, dt) for body, v, w, _ in driven]
            for (body, v, w, is_set), place in zip(driven, after):
                if is_set:
                    bullet.resetBasePositionAndOrientation(body, *place)
                    bullet.resetBaseVelocity(body, [0, 0, 0], [0, 0, 0])
{% endif %}
            bullet.stepSimulation()
{% if driven %}
            for (body, v, w, is_set), place in zip(driven, after):
                bullet.resetBasePositionAndOrientation(body, *place)
                bullet.resetBaseVelocity(body, [0, 0, 0] if is_set else v, [0, 0, 0] if is_set else w)
{% endif %}
{% if check.is_place %}
    at, base = bullet.getBasePositionAndOrientation({{ check.mover }})[0], bullet.getBasePositionAndOrientation({{ check.base }})
    place = bullet.multiplyTransforms(*bullet.invertTransform(*base), at, [0, 0, 0, 1])[0]
    return sum((a - b) * n for a, b, n in zip(place, [{{ check.point }}], [{{ check.normal }}])) < {{ check.least }}
{% else %}
    v, base = bullet.getBaseVelocity({{ check.mover }})[0], {{ "bullet.getBaseVelocity(" ~ check.base ~ ")[0]" if check.base else "[0, 0, 0]" }}
{% if check.base %}
    # Farther apart they cannot have met.
    places = [bullet.getBasePositionAndOrientation(body)[0] for body in ({{ check.mover }}, {{ check.base }})]
    is_near = sum((a - b) ** 2 for a, b in zip(*places)) < {{ check.near }} ** 2
{% endif %}
    return {{ "is_near and " if check.base }}sum((a - b) * n for a, b, n in zip(v, base, [{{ check.normal }}])) < {{ check.least }}
{% endif %}


failed = sum(fails(phase / {{ phases }}) for phase in range({{ phases }}))
print(f"{failed} of {{ phases }} phases")
assert failed == 0, "{{ check.fault }}"
