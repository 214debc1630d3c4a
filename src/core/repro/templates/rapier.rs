{% for line in comment %}
// {{ line }}
{% endfor %}
{% macro collider(s) %}
{%- if s.kind == "sphere" -%} SharedShape::ball({{ s.radius }})
{%- elif s.kind == "box" and s.rounded -%} SharedShape::round_cuboid({{ s.half|join(", ") }}, {{ s.radius }})
{%- elif s.kind == "box" -%} SharedShape::cuboid({{ s.half|join(", ") }})
{%- elif s.kind == "capsule" -%} SharedShape::capsule(Vector::new({{ s.a }}), Vector::new({{ s.b }}), {{ s.radius }})
{%- elif s.kind == "cylinder" -%} SharedShape::cylinder({{ s.half_height }}, {{ s.radius }})
{%- elif s.kind == "cone" -%} SharedShape::cone({{ s.half_height }}, {{ s.radius }})
{%- elif s.kind == "hull" and s.rounded -%} SharedShape::round_convex_hull(&[{% for p in s.points %}Vector::new({{ p }}), {% endfor %}], {{ s.radius }}).unwrap()
{%- elif s.kind == "hull" -%} SharedShape::convex_hull(&[{% for p in s.points %}Vector::new({{ p }}), {% endfor %}]).unwrap()
{%- elif s.kind == "mesh" -%} SharedShape::trimesh_with_flags(vec![{% for p in s.points %}Vector::new({{ p }}), {% endfor %}], vec![{% for t in s.triangles %}[{{ t }}], {% endfor %}], EDGES).unwrap()
{%- elif s.kind == "plane" -%} SharedShape::halfspace(Vector::new({{ s.normal }}))
{%- elif s.kind == "compound" -%} SharedShape::compound(vec![{% for part in s.parts %}(Pose::from_parts(Vector::new({{ part.p }}), Rotation::from_xyzw({{ part.xyzw }})), {{ collider(part.shape) }}), {% endfor %}])
{%- else %}{{ fail("has no " ~ s.kind, s) }}{% endif %}
{% endmacro %}
use rapier3d::prelude::*;

{% if fixed %}
/// true: {{ fix.text }}
const FIX: bool = {{ "true" if set else "false" }};
{% endif %}
{% set meshes = bodies|selectattr("shape.kind", "equalto", "mesh")|list|length > 0 %}
const SUBSTEPS: usize = {% if fix.substeps > 1 %}if FIX { {{ fix.substeps }} } else { 1 }{% else %}1{% endif %};
{% if "on" in ccd %}
const CCD: bool = {{ "true" if ccd == "on" else "FIX" }};
{% endif %}
{% if fix.speed %}
const SPEED: f32 = if FIX { {{ fix.speed }} } else { 1.0 };
{% endif %}
{% if meshes %}
const EDGES: TriMeshFlags = {% if fix.edges %}if FIX { TriMeshFlags::FIX_INTERNAL_EDGES } else { TriMeshFlags::empty() }{% else %}TriMeshFlags::empty(){% endif %};
{% endif %}
const DT: f32 = {{ dt }};

fn fails(phase: f32) -> bool {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new({{ gravity }});
{# The world's setting is of what is fixed; against others a body is swept only where it says so itself. #}
{% set on_fixed = bodies|selectattr("motion", "equalto", "fixed")|list|length > 0 %}
{% if not on_fixed %}
{% elif ccd == "off" %}
    world.integration_parameters.max_ccd_substeps = 0;
{% elif ccd == "off, then on" %}
    world.integration_parameters.max_ccd_substeps = CCD as usize;
{% endif %}
{% for b in bodies %}
    // {{ b.name }}
    let {{ b.id }} = world.insert_body(
        RigidBodyBuilder::{{ "kinematic_velocity_based" if b.motion == "kinematic" else b.motion }}()
            .pose(Pose::from_parts(Vector::new({{ b.p }}), Rotation::from_xyzw({{ b.xyzw }})))
{% if b.motion != "fixed" %}
            .linvel(Vector::new({{ b.v }}){{ " * SPEED" if fix.speed }}){{ ".angvel(Vector::new(" ~ b.w ~ "))" if b.spins }}{{ ".ccd_enabled(CCD)" if b.swept }},
{% endif %}
    );
{% if b.shape.kind == "plane" and b.shape.offset != "0.0" %}{{ fail("has no plane away from its body's origin", b.shape) }}{% endif %}
    let shape = {{ collider(b.shape)|trim }};
    world.insert_collider(ColliderBuilder::new(shape).mass({{ b.mass }}){% if not collides %}{% if loop.first and fix.mask %}.collision_groups(InteractionGroups::new(Group::GROUP_1, if FIX { Group::ALL } else { Group::NONE }, InteractionTestMode::And)){% elif loop.first %}.collision_groups(InteractionGroups::none()){% endif %}{% endif %}, Some({{ b.id }}));
{% endfor %}
    for step in 0..{{ steps }} {
        let part = if step == 0 { 1.0 - phase } else { 1.0 };
        let dt = DT * part / SUBSTEPS as f32;
        world.integration_parameters.dt = dt;
        for _ in 0..SUBSTEPS {
{% for b in bodies if b.is_set %}
{% if b.spins %}{{ fail("has no template for a body that is turned by its angle", b.shape) }}{% endif %}
            {{ "if !FIX " if fix.drive }}{
                let mut pose = *world.bodies[{{ b.id }}].position();
                pose.translation += Vector::new({{ b.v }}) * dt;
                world.bodies[{{ b.id }}].set_position(pose, true);
                world.bodies[{{ b.id }}].set_linvel(Vector::ZERO, true);
            }
{% endfor %}
            world.step();
        }
    }
{% if check.is_place %}
    let (base, at) = (*world.bodies[{{ check.base }}].position(), world.bodies[{{ check.mover }}].translation());
    (base.inverse_transform_point(at) - Vector::new({{ check.point }})).dot(Vector::new({{ check.normal }})) < {{ check.least }}
{% else %}
    let velocity = world.bodies[{{ check.mover }}].linvel(){{ " - world.bodies[" ~ check.base ~ "].linvel()" if check.base }};
{% if check.base %}
    // Farther apart they cannot have met.
    let from = world.bodies[{{ check.mover }}].translation() - world.bodies[{{ check.base }}].translation();
    let is_near = from.dot(from) < {{ check.near }} * {{ check.near }};
{% endif %}
    {{ "is_near && " if check.base }}velocity.dot(Vector::new({{ check.normal }})) < {{ check.least }}
{% endif %}
}

fn main() {
    let failed = (0..{{ phases }}).filter(|phase| fails(*phase as f32 / {{ phases }}.0)).count();
    println!("{failed} of {{ phases }} phases");
    assert_eq!(failed, 0, "{{ check.fault }}");
}
