{% for line in comment %}
// {{ line }}
{% endfor %}
{% macro collider(s) %}
{%- if s.kind == "sphere" -%} Collider::sphere({{ s.radius }})
{%- elif s.kind == "box" and s.rounded -%} Collider::round_cuboid({% for half in s.half %}2.0 * {{ half }}, {% endfor %}{{ s.radius }})
{%- elif s.kind == "box" -%} Collider::cuboid({% for half in s.half %}2.0 * {{ half }}, {% endfor %})
{%- elif s.kind == "capsule" -%} Collider::capsule_endpoints({{ s.radius }}, Vec3::new({{ s.a }}), Vec3::new({{ s.b }}))
{%- elif s.kind == "cylinder" -%} Collider::cylinder({{ s.radius }}, {{ s.height }})
{%- elif s.kind == "cone" -%} Collider::cone({{ s.radius }}, {{ s.height }})
{%- elif s.kind == "hull" and not s.rounded -%} Collider::convex_hull(&[{% for p in s.points %}Vec3::new({{ p }}), {% endfor %}]).unwrap()
{%- elif s.kind == "mesh" -%} Collider::trimesh(vec![{% for p in s.points %}Vec3::new({{ p }}), {% endfor %}], vec![{% for t in s.triangles %}[{{ t }}], {% endfor %}])
{%- elif s.kind == "plane" and s.offset == "0.0" -%} Collider::half_space(Vec3::new({{ s.normal }}))
{%- elif s.kind == "compound" -%} Collider::compound(vec![{% for part in s.parts %}(Vec3::new({{ part.p }}), Quat::from_xyzw({{ part.xyzw }}), {{ collider(part.shape)|trim }}), {% endfor %}])
{%- else %}{{ fail("has no " ~ ("rounded " if s.rounded else "") ~ s.kind ~ (" away from its origin" if s.kind == "plane" else ""), s) }}{% endif %}
{% endmacro %}
use avian3d::prelude::*;
use bevy::{prelude::*, time::TimeUpdateStrategy};
use core::time::Duration;

{% if fixed %}
/// true: {{ fix.text }}
const FIX: bool = {{ "true" if set else "false" }};
{% endif %}
const SUBSTEPS: usize = {% if fix.substeps > 1 %}if FIX { {{ fix.substeps }} } else { 1 }{% else %}1{% endif %};
{% if fix.speed %}
const SPEED: f32 = if FIX { {{ fix.speed }} } else { 1.0 };
{% endif %}
const DT: f64 = {{ dt }};

/// One step of the engine, of so many seconds.
fn step(app: &mut App, seconds: f64) {
    let step = Duration::from_secs_f64(seconds);
    app.world_mut().resource_mut::<Time<Fixed>>().set_timestep(step);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(step));
    app.update();
}

fn fails(phase: f64) -> bool {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::ZERO))
        .insert_resource(Gravity(Vec3::new({{ gravity }})));
    app.finish();
    app.cleanup();
{% for b in bodies %}
    // {{ b.name }}
    let {{ b.id }} = app.world_mut().spawn((
        RigidBody::{{ "Static" if b.motion == "fixed" else b.motion|capitalize }}, {{ collider(b.shape)|trim }}, Mass({{ b.mass }}), SleepingDisabled,
        Transform::from_xyz({{ b.p }}).with_rotation(Quat::from_xyzw({{ b.xyzw }})),
        LinearVelocity(Vec3::new({{ b.v }}){{ " * SPEED" if fix.speed }}), AngularVelocity(Vec3::new({{ b.w }})),
{% if b.motion != "fixed" and (b.swept or ccd == "off" or ccd == "off, then on") %}
{% set before = "CcdFilter::DEFAULT" if "default" in ccd else "CcdFilter::NONE" %}
        SweptCcd::default().with_filter({{ before if not b.swept else "CcdFilter::ALL" if ccd == "on" else "if FIX { CcdFilter::" ~ ("DEFAULT" if "CcdFilter::DEFAULT" in fix.text else "ALL") ~ " } else { " ~ before ~ " }" }}),
{% endif %}
{% if not collides and loop.first %}
        CollisionLayers::new(LayerMask::ALL, {{ "if FIX { LayerMask::ALL } else { LayerMask::NONE }" if fix.mask else "LayerMask::NONE" }}),
{% endif %}
    )).id();
{% if b.is_set and b.spins %}{{ fail("has no template for a body that is turned by its angle", b.shape) }}{% endif %}
{% endfor %}
    app.update();
    for index in 0..{{ steps }} * SUBSTEPS {
        let dt = DT * (if index < SUBSTEPS { 1.0 - phase } else { 1.0 }) / SUBSTEPS as f64;
{% for b in bodies if b.is_set %}
        {{ "if !FIX " if fix.drive }}{
            app.world_mut().get_mut::<Position>({{ b.id }}).unwrap().0 += Vec3::new({{ b.v }}) * dt as f32;
            app.world_mut().get_mut::<LinearVelocity>({{ b.id }}).unwrap().0 = Vec3::ZERO;
        }
{% endfor %}
        step(&mut app, dt);
    }
    let world = app.world();
{% if check.is_place %}
    let [at, base] = [{{ check.mover }}, {{ check.base }}].map(|body| *world.get::<Position>(body).unwrap());
    let place = world.get::<Rotation>({{ check.base }}).unwrap().0.inverse() * (at.0 - base.0);
    (place - Vec3::new({{ check.point }})).dot(Vec3::new({{ check.normal }})) < {{ check.least }}
{% else %}
    let speed = |body| world.get::<LinearVelocity>(body).unwrap().0;
{% if check.base %}
    // Farther apart they cannot have met.
    let at = |body| world.get::<Position>(body).unwrap().0;
    let is_near = at({{ check.mover }}).distance(at({{ check.base }})) < {{ check.near }};
{% endif %}
    {{ "is_near && " if check.base }}(speed({{ check.mover }}){{ " - speed(" ~ check.base ~ ")" if check.base }}).dot(Vec3::new({{ check.normal }})) < {{ check.least }}
{% endif %}
}

fn main() {
    let failed = (0..{{ phases }}).filter(|phase| fails(f64::from(*phase) / {{ phases }}.0)).count();
    println!("{failed} of {{ phases }} phases");
    assert_eq!(failed, 0, "{{ check.fault }}");
}
