{% for line in comment %}
// {{ line }}
{% endfor %}
{% macro vertices(points) %}[{% for p in points %}[{{ p }}], {% endfor %}].map(point){% endmacro %}
{% macro made(b) %}
{%- set s = b.shape -%}
{%- if s.kind == "circle" -%} Bodies.circle(0, 0, SCALE * {{ s.radius }}, options)
{%- elif s.kind == "box" and not s.rounded -%} Bodies.rectangle(0, 0, 2 * SCALE * {{ s.half[0] }}, 2 * SCALE * {{ s.half[1] }}, options)
{%- elif s.kind == "polygon" and not s.rounded -%} Bodies.fromVertices(0, 0, [{{ vertices(s.points) }}], options)
{%- else %}{{ fail("has no " ~ ("rounded " if s.rounded else "") ~ s.kind, s) }}{% endif %}
{% endmacro %}
import matter from 'matter-js';

const { Bodies, Body, Composite, Engine, Vector{{ ", Vertices" if bodies|map(attribute="shape.kind")|select("eq", "polygon")|list }} } = matter;
{% if fixed %}
const FIX = {{ "true" if set else "false" }}; // true: {{ fix.text }}
{% endif %}
const SUBSTEPS = {{ "FIX ? " ~ fix.substeps ~ " : 1" if fix.substeps > 1 else "1" }};
{% if fix.speed %}
const SPEED = FIX ? {{ fix.speed }} : 1;
{% endif %}
const DT = {{ dt }};
// The numbers below are in metres with y up; matter has SCALE pixels of a metre, and velocities per 1/60 s.
const SCALE = 100;
const point = ([x, y]) => ({ x: SCALE * x, y: SCALE * y });

function fails(phase) {
  // Pixels per millisecond squared.
  const [gx, gy] = [{{ gravity }}];
  const engine = Engine.create({ gravity: { x: gx, y: gy, scale: SCALE / 1e6 } });
{% if bodies|selectattr("moved")|list %}
  const driven = [];
{% endif %}
{% for b in bodies %}
{% set options = "isStatic: " ~ ("false" if b.motion == "dynamic" else "true") ~ ", frictionAir: 0" %}
  // {{ b.name }}
  const {{ b.id }} = ((options) => {{ made(b)|trim }})({ {{ options }} });
{% if b.motion == "dynamic" %}
  Body.setMass({{ b.id }}, {{ b.mass }});
{% endif %}
{% if b.shape.kind == "polygon" %}
  {{ b.id }}.centre = Vertices.centre({{ vertices(b.shape.points) }});
{% endif %}
{% if b.turned %}
  Body.setAngle({{ b.id }}, {{ b.angle }});
{% endif %}
  Body.setPosition({{ b.id }}, {% if b.shape.kind == "polygon" %}Vector.add(point([{{ b.p }}]), Vector.rotate({{ b.id }}.centre, {{ b.angle }})){% else %}point([{{ b.p }}]){% endif %});
{% if b.motion == "dynamic" %}
  Body.setVelocity({{ b.id }}, Vector.mult(point([{{ b.v }}]), {{ "SPEED" if fix.speed else "1" }} / 60));
  Body.setAngularVelocity({{ b.id }}, {{ b.w }} / 60);
{% endif %}
{% if b.moved %}
  {{ "if (!FIX) " if fix.drive and b.motion == "dynamic" }}driven.push({ body: {{ b.id }}, v: point([{{ b.v }}]), w: {{ b.w }}, isSet: {{ ("!FIX" if fix.drive else "true") if b.is_set else "false" }} });
{% endif %}
{% endfor %}
{% if not collides %}
  if ({{ "!FIX" if fix.mask else "true" }}) mover.collisionFilter.mask = 0;
{% endif %}
  Composite.add(engine.world, [{% for b in bodies %}{{ b.id }}{{ ", " if not loop.last }}{% endfor %}]);
  for (let step = 0; step < {{ steps }}; step += 1) {
    const dt = (DT * (step === 0 ? 1 - phase : 1)) / SUBSTEPS;
    for (let substep = 0; substep < SUBSTEPS; substep += 1) {
{% if bodies|selectattr("moved")|list %}
      for (const { body, v, w, isSet } of driven) {
        Body.setPosition(body, Vector.add(body.position, Vector.mult(v, dt)));
        Body.setAngle(body, body.angle + w * dt);
        Body.setVelocity(body, Vector.mult(v, isSet ? 0 : 1 / 60));
        Body.setAngularVelocity(body, isSet ? 0 : w / 60);
      }
{% endif %}
      Engine.update(engine, 1000 * dt);
    }
  }
{% if check.is_place %}
{% if bodies|map(attribute="shape.kind")|select("eq", "polygon")|list %}
  const place = (body) => Vector.sub(body.position, Vector.rotate(body.centre ?? Vector.create(), body.angle));
{% else %}
  const place = (body) => body.position;
{% endif %}
  const from = Vector.sub(place({{ check.mover }}), place({{ check.base }}));
  const local = Vector.rotate(from, -{{ check.base }}.angle);
  return Vector.dot(Vector.sub(local, point([{{ check.point }}])), point([{{ check.normal }}])) / SCALE ** 2 < {{ check.least }};
{% else %}
  const velocity = Vector.sub(Body.getVelocity({{ check.mover }}), {{ "Body.getVelocity(" ~ check.base ~ ")" if check.base else "Vector.create()" }});
{% if check.base %}
  // Farther apart they cannot have met.
  const isNear = Vector.magnitude(Vector.sub({{ check.mover }}.position, {{ check.base }}.position)) < SCALE * {{ check.near }};
{% endif %}
  return {{ "isNear && " if check.base }}Vector.dot(velocity, point([{{ check.normal }}])) * 60 / SCALE ** 2 < {{ check.least }};
{% endif %}
}

const failed = Array.from({ length: {{ phases }} }, (_, phase) => fails(phase / {{ phases }})).filter(Boolean).length;
console.log(`${failed} of {{ phases }} phases`);
if (failed > 0) throw new Error('{{ check.fault }}');
