{% for line in comment %}
// {{ line }}
{% endfor %}
{% macro made(s) %}
{%- if s.kind == "sphere" -%} new Sphere({{ s.radius }})
{%- elif s.kind == "box" and not s.rounded -%} new Box(new Vec3({{ s.half|join(", ") }}))
{%- elif s.kind == "cylinder" %}{{ fail("collides a cylinder as a hull of flat sides", s) }}
{%- elif s.kind == "mesh" -%} new Trimesh([{% for p in s.points %}{{ p }}, {% endfor %}], [{{ s.triangles|join(", ") }}])
{%- else %}{{ fail("has no template for a " ~ ("rounded " if s.rounded else "") ~ s.kind, s) }}{% endif %}
{% endmacro %}
import { Body, Box, Quaternion, Sphere, Trimesh, Vec3, World } from 'cannon-es';

{% if fixed %}
const FIX = {{ "true" if set else "false" }}; // true: {{ fix.text }}
{% endif %}
const SUBSTEPS = {{ "FIX ? " ~ fix.substeps ~ " : 1" if fix.substeps > 1 else "1" }};
{% if fix.speed %}
const SPEED = FIX ? {{ fix.speed }} : 1;
{% endif %}
const DT = {{ dt }};

function fails(phase) {
  const world = new World({ gravity: new Vec3({{ gravity }}) });
{% for b in bodies %}
  // {{ b.name }}
  const {{ b.id }} = new Body({
    mass: {{ b.mass if b.motion == "dynamic" else "0" }}, type: Body.{{ "STATIC" if b.motion == "fixed" else b.motion|upper }}, shape: {{ made(b.shape)|trim }},
    position: new Vec3({{ b.p }}), quaternion: new Quaternion({{ b.xyzw }}), linearDamping: 0, angularDamping: 0,
{% if b.motion != "fixed" %}
    velocity: new Vec3({{ b.v }}){{ ".scale(SPEED)" if fix.speed }}, angularVelocity: new Vec3({{ b.w }}),
{% endif %}
{% if not collides and loop.first %}
    collisionFilterMask: {{ "FIX ? -1 : 0" if fix.mask else "0" }},
{% endif %}
  });
  world.addBody({{ b.id }});
{% endfor %}
  for (let step = 0; step < {{ steps }}; step += 1) {
    const dt = (DT * (step === 0 ? 1 - phase : 1)) / SUBSTEPS;
    for (let substep = 0; substep < SUBSTEPS; substep += 1) {
{% for b in bodies if b.is_set %}
      {{ "if (!FIX) " if fix.drive }}{
        {{ b.id }}.position.addScaledVector(dt, new Vec3({{ b.v }}), {{ b.id }}.position);
        {{ b.id }}.velocity.set(0, 0, 0);
      }
{% endfor %}
      world.step(dt);
    }
  }
{% if check.is_place %}
  const place = {{ check.base }}.pointToLocalFrame({{ check.mover }}.position);
  return place.vsub(new Vec3({{ check.point }})).dot(new Vec3({{ check.normal }})) < {{ check.least }};
{% else %}
  const velocity = {{ check.mover }}.velocity{{ ".vsub(" ~ check.base ~ ".velocity)" if check.base }};
{% if check.base %}
  // Farther apart they cannot have met.
  const isNear = {{ check.mover }}.position.distanceTo({{ check.base }}.position) < {{ check.near }};
{% endif %}
  return {{ "isNear && " if check.base }}velocity.dot(new Vec3({{ check.normal }})) < {{ check.least }};
{% endif %}
}

const failed = Array.from({ length: {{ phases }} }, (_, phase) => fails(phase / {{ phases }})).filter(Boolean).length;
console.log(`${failed} of {{ phases }} phases`);
if (failed > 0) throw new Error('{{ check.fault }}');
