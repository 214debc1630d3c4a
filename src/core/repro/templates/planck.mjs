{% for line in comment %}
// {{ line }}
{% endfor %}
{% macro vertices(points) %}[{% for p in points %}new Vec2({{ p }}), {% endfor %}]{% endmacro %}
{# Its boxes and polygons have a skin of a centimetre around them. #}
{% macro half(side, radius) %}{{ (side|float + radius|float - 0.01)|round(7) if side|float + radius|float > 0.0101 else side }}{% endmacro %}
{% macro made(s) %}
{%- if s.kind == "circle" -%} new Circle({{ s.radius }})
{%- elif s.kind == "box" and s.radius|float <= 0.01 -%} new Box({{ half(s.half[0], s.radius) }}, {{ half(s.half[1], s.radius) }})
{%- elif s.kind == "polygon" and s.radius|float <= 0.01 and s.points|length <= 12 -%} new Polygon({{ vertices(s.points) }})
{%- elif s.kind == "chain" and not s.one_sided -%} new Chain({{ vertices(s.points) }}, {{ "true" if s.closed else "false" }})
{%- elif s.kind == "chain" %}{{ fail("has no one-sided chain", s) }}
{%- elif s.kind == "polygon" and s.radius|float <= 0.01 %}{{ fail("has no polygon of more than 12 corners", s) }}
{%- else %}{{ fail("has no " ~ ("rounded " if s.rounded else "") ~ s.kind, s) }}{% endif %}
{% endmacro %}
import { Box, Chain, Circle, Polygon, Settings, Vec2, World } from 'planck';

{% if fixed %}
const FIX = {{ "true" if set else "false" }}; // true: {{ fix.text }}
{% endif %}
const SUBSTEPS = {{ "FIX ? " ~ fix.substeps ~ " : 1" if fix.substeps > 1 else "1" }};
{% if bodies|selectattr("swept")|list|length > 0 %}
const CCD = {{ "true" if ccd == "on" else "FIX" }};
{% endif %}
{% if fix.speed %}
const SPEED = FIX ? {{ fix.speed }} : 1;
{% endif %}
const DT = {{ dt }};
// Metres of a step; the default of 2 would slow the bodies down.
Settings.maxTranslation = 1000;

function fails(phase) {
  const world = new World({ gravity: new Vec2({{ gravity }}){{ ", continuousPhysics: false" if ccd == "off" else ", continuousPhysics: FIX" if ccd == "off, then on" }} });
{% for b in bodies %}
  // {{ b.name }}
  const {{ b.id }} = world.createBody({ type: '{{ "static" if b.motion == "fixed" else b.motion }}', position: new Vec2({{ b.p }}), angle: {{ b.angle }}{{ ", bullet: CCD" if b.swept }} });
{% if b.shape.kind == "compound" %}
{{ fail("has no template for a compound", b.shape) }}
{% else %}
  {{ b.id }}.createFixture({ shape: {{ made(b.shape)|trim }}, density: 1{{ ", filterMaskBits: " ~ ("FIX ? 0xffff : 0" if fix.mask else "0") if not collides and loop.first }} });
{% endif %}
{% if b.motion == "dynamic" %}
  const {{ b.id }}Mass = { mass: 0, center: new Vec2(), I: 0 };
  {{ b.id }}.getMassData({{ b.id }}Mass);
  {{ b.id }}.setMassData({ ...{{ b.id }}Mass, I: {{ b.id }}Mass.I * {{ b.mass }} / {{ b.id }}Mass.mass, mass: {{ b.mass }} });
{% endif %}
{% if b.motion != "fixed" %}
  {{ b.id }}.setLinearVelocity({{ "Vec2.mul(SPEED, new Vec2(" ~ b.v ~ "))" if fix.speed else "new Vec2(" ~ b.v ~ ")" }});
  {{ b.id }}.setAngularVelocity({{ b.w }});
{% endif %}
{% endfor %}
  for (let step = 0; step < {{ steps }}; step += 1) {
    const dt = (DT * (step === 0 ? 1 - phase : 1)) / SUBSTEPS;
    for (let substep = 0; substep < SUBSTEPS; substep += 1) {
{% for b in bodies if b.is_set %}
      {{ "if (!FIX) " if fix.drive }}{
        {{ b.id }}.setTransform(Vec2.combine(1, {{ b.id }}.getPosition(), dt, new Vec2({{ b.v }})), {{ b.id }}.getAngle());
        {{ b.id }}.setLinearVelocity(new Vec2(0, 0));
      }
{% endfor %}
      world.step(dt, 8, 3);
    }
  }
{% if check.is_place %}
  const from = {{ check.base }}.getLocalPoint({{ check.mover }}.getPosition());
  return Vec2.dot(Vec2.sub(from, new Vec2({{ check.point }})), new Vec2({{ check.normal }})) < {{ check.least }};
{% else %}
  const base = {{ check.base ~ ".getLinearVelocity()" if check.base else "new Vec2(0, 0)" }};
{% if check.base %}
  // Farther apart they cannot have met.
  const isNear = Vec2.distance({{ check.mover }}.getPosition(), {{ check.base }}.getPosition()) < {{ check.near }};
{% endif %}
  return {{ "isNear && " if check.base }}Vec2.dot(Vec2.sub({{ check.mover }}.getLinearVelocity(), base), new Vec2({{ check.normal }})) < {{ check.least }};
{% endif %}
}

const failed = Array.from({ length: {{ phases }} }, (_, phase) => fails(phase / {{ phases }})).filter(Boolean).length;
console.log(`${failed} of {{ phases }} phases`);
if (failed > 0) throw new Error('{{ check.fault }}');
