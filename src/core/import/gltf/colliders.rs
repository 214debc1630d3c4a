//! The colliders that a glTF file marks by extensions
//! (`KHR_physics_rigid_bodies` with `KHR_implicit_shapes`, `OMI_physics_body` with `OMI_physics_shape`, `OMI_collider`).

use super::document::{Document, Node};
use super::round_hull::Round;
use super::world::World;
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Capsule, Cone, ConvexHull, Cylinder, Pose, Segment, Shape, SolidShape};
use glam::DVec3;
use serde_json::{Map, Value};
use std::sync::Arc;

/// Why a collider without a volume is left out.
pub(super) const NO_SIZE: &str = "its collider has no size, and is left out";

/// Body of a node and its motion type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Body {
    /// The number of its node.
    pub(super) node: usize,
    pub(super) pose: Pose,
    kinematic: bool,
    mass: Option<f64>,
    /// World.
    velocity: DVec3,
    spin: DVec3,
}

impl Body {
    pub(super) fn moves(self, object: &mut Object) {
        // A mass of 0 is an infinite one: nothing pushes it.
        object.movement = match self.kinematic || self.mass == Some(0.0) {
            true => Movement::Kinematic,
            false => Movement::Velocity,
        };
        (object.velocity, object.spin) = (self.velocity, self.spin);
        object.mass = self.mass.filter(|mass| *mass > 0.0).unwrap_or(object.mass);
    }
}

/// The motion type that a node sets for itself and its children; `None` where it sets none, or is static.
pub(super) fn body(number: usize, node: &Node, world: &World) -> Option<Body> {
    let motion = ["KHR_physics_rigid_bodies", "OMI_physics_body"]
        .iter()
        .find_map(|name| node.extensions.get(*name)?.get("motion"))?;
    let kind = motion
        .get("type")
        .and_then(Value::as_str)
        .unwrap_or("dynamic");
    if kind == "static" {
        return None;
    }
    let flag = motion.get("isKinematic").and_then(Value::as_bool);
    let vector = |name: &str| motion.get(name).and_then(vector).unwrap_or(DVec3::ZERO);
    Some(Body {
        node: number,
        pose: world.pose,
        kinematic: flag.unwrap_or(kind == "kinematic"),
        mass: motion.get("mass").and_then(finite),
        velocity: world.pose.vector(vector("linearVelocity")),
        spin: world.pose.vector(vector("angularVelocity")),
    })
}

/// A collider of a node.
pub(super) struct Collider {
    pub(super) shape: Form,
    pub(super) sensor: bool,
    /// The number of its collision filter.
    pub(super) filter: Option<usize>,
}

pub(super) enum Form {
    /// The number of a mesh of the file; true for its convex hull.
    Mesh(usize, bool),
    /// The number of a node with the meshes below it; true for their convex hull.
    Node(usize, bool),
    Simple(Shape),
    Round(Round),
}

/// The colliders of a node's extensions; for unsupported ones, the reason.
pub(super) fn of_extensions(document: &Document, node: &Node) -> Vec<Result<Collider, String>> {
    let mut found = Vec::new();
    if let Some(body) = node.extensions.get("KHR_physics_rigid_bodies") {
        let shapes = list(&document.extensions, "KHR_implicit_shapes", "shapes");
        for (key, sensor) in [("collider", false), ("trigger", true)] {
            let Some(collider) = body.get(key) else {
                continue;
            };
            if let Some(geometry) = collider.get("geometry") {
                let filter = collider.get("collisionFilter").and_then(index);
                let read = khr(shapes, geometry, sensor);
                found.push(read.map(|read| Collider { filter, ..read }));
            }
        }
    }
    if let Some(body) = node.extensions.get("OMI_physics_body") {
        let shapes = list(&document.extensions, "OMI_physics_shape", "shapes");
        for (key, sensor) in [("collider", false), ("trigger", true)] {
            let index = body.get(key).and_then(|one| index(one.get("shape")?));
            found.extend(index.map(|at| collider(shapes.get(at), sensor, Height::Whole)));
        }
    }
    // As in versions before bodies existed.
    for (name, key, number) in [
        ("OMI_collider", "colliders", "collider"),
        ("OMI_physics_shape", "shapes", "shape"),
    ] {
        let index = node
            .extensions
            .get(name)
            .and_then(|one| index(one.get(number)?));
        if let Some(index) = index {
            let shape = list(&document.extensions, name, key).get(index);
            let sensor = shape.and_then(|one| one.get("isTrigger")?.as_bool());
            found.push(collider(shape, sensor.unwrap_or(false), Height::Whole));
        }
    }
    found
}

fn khr(shapes: &[Value], geometry: &Value, sensor: bool) -> Result<Collider, String> {
    if let Some(shape) = geometry.get("shape").and_then(index) {
        return collider(shapes.get(shape), sensor, Height::BetweenCentres);
    }
    let hull = geometry.get("convexHull").and_then(Value::as_bool) == Some(true);
    let of = |key: &str| geometry.get(key).and_then(index);
    let shape = match (of("mesh"), of("node")) {
        (Some(mesh), _) => Form::Mesh(mesh, hull),
        (None, Some(node)) => Form::Node(node, hull),
        (None, None) => return Err("its collider names no shape".into()),
    };
    Ok(Collider {
        shape,
        sensor,
        filter: None,
    })
}

/// Meaning of a capsule's height.
#[derive(Clone, Copy, PartialEq)]
enum Height {
    /// From end to end.
    Whole,
    /// Between the centres of the end spheres.
    BetweenCentres,
}

/// A shape of the extensions: its numbers directly, or in a field named after its kind.
fn collider(shape: Option<&Value>, sensor: bool, height: Height) -> Result<Collider, String> {
    let shape = shape.ok_or("its collider names a missing shape")?;
    let kind = shape.get("type").and_then(Value::as_str).unwrap_or("");
    let of = shape.get(kind).unwrap_or(shape);
    let number = |name: &str| of.get(name).and_then(finite);
    let is_flat_kind = height == Height::Whole;
    let form = match kind {
        "box" => {
            let size = of.get("size").and_then(vector).unwrap_or(DVec3::ONE);
            Form::Simple(Shape::Box {
                half_extents: size * 0.5,
            })
        }
        "sphere" => Form::Simple(Shape::Sphere {
            radius: number("radius").unwrap_or(0.5),
        }),
        "capsule" => {
            let ends = (number("radiusBottom"), number("radiusTop"));
            let radius = number("radius").or(ends.0);
            // KHR_implicit_shapes names both ends; so does what follows it.
            let whole = is_flat_kind && ends.0.is_none();
            let radius = radius.unwrap_or(if whole { 0.5 } else { 0.25 });
            let long = number("height").unwrap_or(if whole { 2.0 } else { 0.5 });
            let between = if whole { long - 2.0 * radius } else { long };
            let end = DVec3::Y * (between.max(0.0) * 0.5);
            let segment = Segment { a: -end, b: end };
            match ends.1.filter(|top| ends.0.is_some() && *top != radius) {
                Some(top) => Form::Round(Round {
                    half_height: end.y,
                    radii: [radius, top],
                    has_round_ends: true,
                }),
                None => Form::Simple(Shape::Capsule(Capsule { segment, radius })),
            }
        }
        "cylinder" => {
            let usual = if is_flat_kind {
                (0.5, 2.0)
            } else {
                (0.25, 0.5)
            };
            let bottom = number("radiusBottom").or(number("radius"));
            let radius = bottom.unwrap_or(usual.0);
            let top = number("radiusTop").or(number("radius")).unwrap_or(usual.0);
            let half_height = 0.5 * number("height").unwrap_or(usual.1);
            if top != radius && top != 0.0 {
                Form::Round(Round {
                    half_height,
                    radii: [radius, top],
                    has_round_ends: false,
                })
            } else {
                Form::Simple(Shape::Solid(match top == radius {
                    true => SolidShape::Cylinder(Cylinder {
                        half_height,
                        radius,
                    }),
                    false => SolidShape::Cone(Cone {
                        half_height,
                        radius,
                    }),
                }))
            }
        }
        "mesh" | "trimesh" | "hull" | "convex" => {
            let mesh = of
                .get("mesh")
                .and_then(index)
                .ok_or("its collider names no mesh")?;
            return Ok(Collider {
                shape: Form::Mesh(mesh, matches!(kind, "hull" | "convex")),
                sensor,
                filter: None,
            });
        }
        other => {
            return Err(format!(
                "a collider of the kind \"{other}\" is not supported, and is left out"
            ));
        }
    };
    Ok(Collider {
        shape: form,
        sensor,
        filter: None,
    })
}

/// A shape scaled by its node; where it is no such shape any more, the hull and its error, metres.
pub(super) fn scaled(shape: Shape, world: &World) -> Result<(Shape, f64), &'static str> {
    if let (Some(_), Shape::Box { half_extents }) = (world.linear, &shape) {
        let corners = (0..8).map(|index| {
            let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
            world.local(*half_extents * DVec3::new(side(0), side(1), side(2)))
        });
        let hull = ConvexHull::new(corners.collect(), 0.0).map_err(|_| NO_SIZE)?;
        return Ok((Shape::Solid(SolidShape::Hull(Arc::new(hull))), 0.0));
    }
    let scale = world.scale.abs();
    let even = scale.max_element() - scale.min_element() <= 1e-6 * scale.max_element();
    let round = (scale.x - scale.z).abs() <= 1e-6 * scale.max_element();
    let even = even && world.linear.is_none();
    let round = round && world.linear.is_none();
    let shape = match shape {
        Shape::Box { half_extents } => Shape::Box {
            half_extents: half_extents * scale,
        },
        Shape::Solid(SolidShape::Cylinder(it)) if round => {
            Shape::Solid(SolidShape::Cylinder(Cylinder {
                half_height: it.half_height * scale.y,
                radius: it.radius * scale.x,
            }))
        }
        // Mirrored it would be another shape.
        Shape::Solid(SolidShape::Cone(it)) if round && world.scale.y > 0.0 => {
            Shape::Solid(SolidShape::Cone(Cone {
                half_height: it.half_height * scale.y,
                radius: it.radius * scale.x,
            }))
        }
        Shape::Sphere { radius } if even => Shape::Sphere {
            radius: radius * scale.x,
        },
        Shape::Capsule(Capsule { segment, radius }) if even => Shape::Capsule(Capsule {
            segment: Segment {
                a: segment.a * scale,
                b: segment.b * scale,
            },
            radius: radius * scale.x,
        }),
        shape => {
            let round =
                Round::of(&shape).ok_or("its node is scaled unevenly, and it is left out")?;
            return round.hull(world);
        }
    };
    let solid = match &shape {
        Shape::Box { half_extents } => half_extents.min_element() > 0.0,
        Shape::Sphere { radius } | Shape::Capsule(Capsule { radius, .. }) => *radius > 0.0,
        Shape::Solid(
            SolidShape::Cylinder(Cylinder {
                half_height,
                radius,
            })
            | SolidShape::Cone(Cone {
                half_height,
                radius,
            }),
        ) => *half_height > 0.0 && *radius > 0.0,
        _ => true,
    };
    match solid {
        true => Ok((shape, 0.0)),
        false => Err(NO_SIZE),
    }
}

pub(super) fn list<'d>(extensions: &'d Map<String, Value>, name: &str, key: &str) -> &'d [Value] {
    let list = extensions
        .get(name)
        .and_then(|one| one.get(key)?.as_array());
    list.map_or(&[], Vec::as_slice)
}

pub(super) fn index(value: &Value) -> Option<usize> {
    usize::try_from(value.as_u64()?).ok()
}

fn finite(value: &Value) -> Option<f64> {
    value.as_f64().filter(|number| number.is_finite())
}

fn vector(value: &Value) -> Option<DVec3> {
    let numbers: Option<Vec<f64>> = value.as_array()?.iter().map(finite).collect();
    <[f64; 3]>::try_from(numbers?).ok().map(DVec3::from_array)
}
