{% for line in comment %}
// {{ line }}
{% endfor %}
{% macro flattened(points) %}new Float32Array([{% for p in points %}{{ p }}, {% endfor %}]){% endmacro %}
{% macro made(s) %}
{%- if s.kind == "circle" -%} ColliderDesc.ball({{ s.radius }})
{%- elif s.kind == "box" and s.rounded -%} ColliderDesc.roundCuboid({{ s.half|join(", ") }}, {{ s.radius }})
{%- elif s.kind == "box" -%} ColliderDesc.cuboid({{ s.half|join(", ") }})
{%- elif s.kind == "capsule" -%} ColliderDesc.capsule({{ s.half_height }}, {{ s.radius }}).setTranslation({{ s.centre }}).setRotation({{ s.angle }} - Math.PI / 2)
{%- elif s.kind == "polygon" and s.rounded -%} ColliderDesc.roundConvexHull({{ flattened(s.points) }}, {{ s.radius }})
{%- elif s.kind == "polygon" -%} ColliderDesc.convexHull({{ flattened(s.points) }})
{%- elif s.kind == "chain" and not s.one_sided and not s.closed -%} ColliderDesc.polyline({{ flattened(s.points) }})
{%- elif s.kind == "chain" %}{{ fail("has no template for a chain that is " ~ ("one-sided" if s.one_sided else "closed"), s) }}
{%- else %}{{ fail("has no template for a " ~ s.kind, s) }}{% endif %}
{% endmacro %}
import rapier from '@dimforge/rapier2d-compat';

const { ColliderDesc, RigidBodyDesc, World } = rapier;
{% if fixed %}
const FIX = {{ "true" if set else "false" }}; // true: {{ fix.text }}
{% endif %}
const SUBSTEPS = {{ "FIX ? " ~ fix.substeps ~ " : 1" if fix.substeps > 1 else "1" }};
{% if "on" in ccd %}
const CCD = {{ "true" if ccd == "on" else "FIX" }};
{% endif %}
{% if fix.speed %}
const SPEED = FIX ? {{ fix.speed }} : 1;
{% endif %}
const DT = {{ dt }};
const vector = (x, y) => ({ x, y });
const sum = (a, b, share) => vector(a.x + share * b.x, a.y + share * b.y);

function fails(phase) {
  const world = new World(vector({{ gravity }}));
{# The world's setting is of what is fixed; against others a body is swept only where it says so itself. #}
{% set on_fixed = bodies|selectattr("motion", "equalto", "fixed")|list|length > 0 %}
{% if not on_fixed %}
{% elif ccd == "off" %}
  world.maxCcdSubsteps = 0;
{% elif ccd == "off, then on" %}
  world.maxCcdSubsteps = CCD ? 1 : 0;
{% endif %}
{% for b in bodies %}
  // {{ b.name }}
  const {{ b.id }} = world.createRigidBody(RigidBodyDesc.{{ "kinematicVelocityBased" if b.motion == "kinematic" else b.motion }}().setTranslation({{ b.p }}).setRotation({{ b.angle }}));
{% if b.motion != "fixed" %}
  {{ b.id }}.setLinvel({{ "sum(vector(0, 0), vector(" ~ b.v ~ "), SPEED)" if fix.speed else "vector(" ~ b.v ~ ")" }}, true);
  {{ b.id }}.setAngvel({{ b.w }}, true);
{% if b.swept %}
  {{ b.id }}.enableCcd(CCD);
{% endif %}
{% endif %}
  world.createCollider({{ made(b.shape)|trim }}.setMass({{ b.mass }}){{ ".setCollisionGroups(" ~ ("FIX ? 0xffffffff : 0" if fix.mask else "0") ~ ")" if not collides and loop.first }}, {{ b.id }});
{% endfor %}
  for (let step = 0; step < {{ steps }}; step += 1) {
    world.timestep = (DT * (step === 0 ? 1 - phase : 1)) / SUBSTEPS;
    for (let substep = 0; substep < SUBSTEPS; substep += 1) {
{% for b in bodies if b.is_set %}
      {{ "if (!FIX) " if fix.drive }}{
        {{ b.id }}.setTranslation(sum({{ b.id }}.translation(), vector({{ b.v }}), world.timestep), true);
        {{ b.id }}.setLinvel(vector(0, 0), true);
      }
{% endfor %}
      world.step();
    }
  }
{% if check.is_place %}
  const from = sum({{ check.mover }}.translation(), {{ check.base }}.translation(), -1);
  const [c, s] = [Math.cos({{ check.base }}.rotation()), Math.sin({{ check.base }}.rotation())];
  const value = sum(vector(c * from.x + s * from.y, c * from.y - s * from.x), vector({{ check.point }}), -1);
{% else %}
  const value = sum({{ check.mover }}.linvel(), {{ check.base ~ ".linvel()" if check.base else "vector(0, 0)" }}, -1);
{% if check.base %}
  // Farther apart they cannot have met.
  const from = sum({{ check.mover }}.translation(), {{ check.base }}.translation(), -1);
  const isNear = Math.hypot(from.x, from.y) < {{ check.near }};
{% endif %}
{% endif %}
  const normal = vector({{ check.normal }});
  world.free();
  return {{ "isNear && " if check.base and not check.is_place }}value.x * normal.x + value.y * normal.y < {{ check.least }};
}

await rapier.init();
const failed = Array.from({ length: {{ phases }} }, (_, phase) => fails(phase / {{ phases }})).filter(Boolean).length;
console.log(`${failed} of {{ phases }} phases`);
if (failed > 0) throw new Error('{{ check.fault }}');
