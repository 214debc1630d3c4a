{% for line in comment %}
// {{ line }}
{% endfor %}
{% macro flattened(points) %}[{% for p in points %}{{ p }}, {% endfor %}]{% endmacro %}
{% macro made(s) %}
{%- if s.kind == "sphere" -%} ColliderDesc.ball({{ s.radius }})
{%- elif s.kind == "box" and s.rounded -%} ColliderDesc.roundCuboid({{ s.half|join(", ") }}, {{ s.radius }})
{%- elif s.kind == "box" -%} ColliderDesc.cuboid({{ s.half|join(", ") }})
{%- elif s.kind == "capsule" -%} ColliderDesc.capsule({{ s.half_height }}, {{ s.radius }}).setTranslation({{ s.centre }}).setRotation(turn({{ s.from_y.xyzw }}))
{%- elif s.kind == "cylinder" -%} ColliderDesc.cylinder({{ s.half_height }}, {{ s.radius }})
{%- elif s.kind == "cone" -%} ColliderDesc.cone({{ s.half_height }}, {{ s.radius }})
{%- elif s.kind == "hull" and not s.rounded -%} ColliderDesc.convexHull(new Float32Array({{ flattened(s.points) }}))
{%- elif s.kind == "mesh" -%} ColliderDesc.trimesh(new Float32Array({{ flattened(s.points) }}), new Uint32Array([{{ s.triangles|join(", ") }}]){{ ", FIX ? rapier.TriMeshFlags.FIX_INTERNAL_EDGES : 0" if fix.edges }})
{%- else %}{{ fail("has no template for a " ~ ("rounded " if s.rounded else "") ~ s.kind, s) }}{% endif %}
{% endmacro %}
import rapier from '@dimforge/rapier3d-compat';

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
const vector = (x, y, z) => ({ x, y, z });
const turn = (x, y, z, w) => ({ x, y, z, w });
const sum = (a, b, share) => vector(a.x + share * b.x, a.y + share * b.y, a.z + share * b.z);
const dot = (a, b) => a.x * b.x + a.y * b.y + a.z * b.z;

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
  const {{ b.id }} = world.createRigidBody(RigidBodyDesc.{{ "kinematicVelocityBased" if b.motion == "kinematic" else b.motion }}().setTranslation({{ b.p }}).setRotation(turn({{ b.xyzw }})));
{% if b.motion != "fixed" %}
  {{ b.id }}.setLinvel({{ "sum(vector(0, 0, 0), vector(" ~ b.v ~ "), SPEED)" if fix.speed else "vector(" ~ b.v ~ ")" }}, true);
  {{ b.id }}.setAngvel(vector({{ b.w }}), true);
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
        {{ b.id }}.setLinvel(vector(0, 0, 0), true);
      }
{% endfor %}
      world.step();
    }
  }
{% if check.is_place %}
  // The normal and the point, turned and moved with the base.
  const [q, base] = [{{ check.base }}.rotation(), {{ check.base }}.translation()];
  const cross = (a, b) => vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
  const turned = (v) => sum(v, cross(q, sum(cross(q, v), v, q.w)), 2);
  const point = sum(base, turned(vector({{ check.point }})), 1);
  const value = dot(sum({{ check.mover }}.translation(), point, -1), turned(vector({{ check.normal }})));
{% else %}
  const value = dot(sum({{ check.mover }}.linvel(), {{ check.base ~ ".linvel()" if check.base else "vector(0, 0, 0)" }}, -1), vector({{ check.normal }}));
{% if check.base %}
  // Farther apart they cannot have met.
  const from = sum({{ check.mover }}.translation(), {{ check.base }}.translation(), -1);
  const isNear = Math.hypot(from.x, from.y, from.z) < {{ check.near }};
{% endif %}
{% endif %}
  world.free();
  return {{ "isNear && " if check.base and not check.is_place }}value < {{ check.least }};
}

await rapier.init();
const failed = Array.from({ length: {{ phases }} }, (_, phase) => fails(phase / {{ phases }})).filter(Boolean).length;
console.log(`${failed} of {{ phases }} phases`);
if (failed > 0) throw new Error('{{ check.fault }}');
