//! New objects, one of each shape, and the new camera.

use crate::core::scene::{Camera, MeshSource, Movement, Object, Probe};
use crate::core::shape::{
    Capsule, ChainFacing, Compound, CompoundPart, Cone, ConvexHull, Cylinder, Facing, Mesh, Plane,
    Pose, RoundedBox, Segment, Shape, SolidShape, Triangle,
};
use glam::{DVec2, DVec3};
use std::sync::Arc;

/// The shape of a new object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its `name`")]
pub enum NewShape {
    Sphere,
    Box,
    Capsule,
    Cylinder,
    Cone,
    RoundedBox,
    ConvexHull,
    Compound,
    Segment,
    Triangle,
    Plane,
    Mesh,
}

impl NewShape {
    /// Every shape.
    pub const ALL: [Self; 12] = [
        Self::Sphere,
        Self::Box,
        Self::Capsule,
        Self::Cylinder,
        Self::Cone,
        Self::RoundedBox,
        Self::ConvexHull,
        Self::Compound,
        Self::Segment,
        Self::Triangle,
        Self::Plane,
        Self::Mesh,
    ];

    /// The name of a new object of it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sphere => "sphere",
            Self::Box => "box",
            Self::Capsule => "capsule",
            Self::Cylinder => "cylinder",
            Self::Cone => "cone",
            Self::RoundedBox => "rounded box",
            Self::ConvexHull => "convex hull",
            Self::Compound => "compound",
            Self::Segment => "segment",
            Self::Triangle => "triangle",
            Self::Plane => "plane",
            Self::Mesh => "mesh",
        }
    }

    /// That of an existing shape.
    pub fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Sphere { .. } => Self::Sphere,
            Shape::Box { .. } => Self::Box,
            Shape::Segment(_) => Self::Segment,
            Shape::Capsule(_) => Self::Capsule,
            Shape::Solid(SolidShape::Cylinder(_)) => Self::Cylinder,
            Shape::Solid(SolidShape::Cone(_)) => Self::Cone,
            Shape::Solid(SolidShape::RoundedBox(_)) => Self::RoundedBox,
            Shape::Solid(SolidShape::Hull(_)) => Self::ConvexHull,
            Shape::Triangle(_) => Self::Triangle,
            Shape::Plane(_) => Self::Plane,
            Shape::Mesh(_) => Self::Mesh,
            Shape::Compound(_) => Self::Compound,
        }
    }

    /// The shapes of flat levels, with their names there.
    pub const FLAT: [(Self, &'static str); 9] = [
        (Self::Sphere, "circle"),
        (Self::Box, "box"),
        (Self::RoundedBox, "rounded box"),
        (Self::Capsule, "capsule"),
        (Self::ConvexHull, "polygon"),
        (Self::Compound, "compound"),
        (Self::Segment, "segment"),
        (Self::Mesh, "chain"),
        (Self::Plane, "plane"),
    ];

    /// That of an existing shape of a flat level.
    pub fn of_flat(shape: &Shape) -> Self {
        match Self::of(shape) {
            Self::RoundedBox | Self::Compound if shape.as_stadium().is_some() => Self::Capsule,
            Self::Mesh if shape.chain_segments().0.len() == 1 => Self::Segment,
            other => other,
        }
    }

    /// A shape of a flat level of about a metre around the origin, with its source if it is a chain; `None` where there is none.
    pub fn flat_shape(self) -> Option<(Shape, Option<MeshSource>)> {
        let half = DVec2::splat(0.5);
        let chain = |points: &[[f64; 2]]| {
            let points: Vec<DVec2> = points
                .iter()
                .map(|point| DVec2::from_array(*point))
                .collect();
            let chain = Shape::chain(&points, false, ChainFacing::Both).ok()?;
            Some((chain, Some(MeshSource::Inline)))
        };
        let shape = match self {
            Self::Sphere => Shape::circle(0.5),
            Self::Box => Shape::rectangle(half, 0.0),
            Self::RoundedBox => Shape::rectangle(half - 0.1, 0.1),
            Self::Capsule => Shape::stadium(half.with_x(0.0) * -1.0, half.with_x(0.0), 0.25),
            Self::ConvexHull => {
                let points = [[-0.5, -0.5], [0.5, -0.5], [0.0, 0.5]].map(DVec2::from_array);
                Shape::polygon(&points, 0.0).ok()?.0
            }
            Self::Compound => {
                let part = |shape, x: f64| CompoundPart {
                    shape,
                    pose: Pose::at(DVec3::X * x),
                };
                let bar = Shape::rectangle(DVec2::new(0.4, 0.05), 0.0);
                let parts = vec![
                    part(Shape::circle(0.2), -0.4),
                    part(Shape::circle(0.2), 0.4),
                    part(bar, 0.0),
                ];
                Shape::Compound(Arc::new(Compound::new(parts).ok()?))
            }
            Self::Plane => self.shape().0,
            Self::Segment => return chain(&[[-0.5, 0.0], [0.5, 0.0]]),
            Self::Mesh => return chain(&[[-1.0, 0.0], [0.0, 0.25], [1.0, 0.0]]),
            Self::Cylinder | Self::Cone | Self::Triangle => return None,
        };
        Some((shape, None))
    }

    /// A shape of about a metre around the origin, with its source if it is a mesh.
    pub fn shape(self) -> (Shape, Option<MeshSource>) {
        let upright = Segment {
            a: DVec3::new(0.0, -0.5, 0.0),
            b: DVec3::new(0.0, 0.5, 0.0),
        };
        let shape = match self {
            Self::Sphere => Shape::Sphere { radius: 0.5 },
            Self::Box => Shape::Box {
                half_extents: DVec3::splat(0.5),
            },
            Self::Capsule => Shape::Capsule(Capsule {
                segment: upright,
                radius: 0.25,
            }),
            Self::Cylinder => Shape::Solid(SolidShape::Cylinder(Cylinder {
                half_height: 0.5,
                radius: 0.5,
            })),
            Self::Cone => Shape::Solid(SolidShape::Cone(Cone {
                half_height: 0.5,
                radius: 0.5,
            })),
            Self::RoundedBox => Shape::Solid(SolidShape::RoundedBox(RoundedBox {
                half_extents: DVec3::splat(0.4),
                radius: 0.1,
            })),
            Self::ConvexHull => match octahedron() {
                Some(hull) => Shape::Solid(SolidShape::Hull(Arc::new(hull))),
                None => Shape::Sphere { radius: 0.5 },
            },
            Self::Compound => match dumbbell() {
                Some(compound) => Shape::Compound(Arc::new(compound)),
                None => Shape::Sphere { radius: 0.5 },
            },
            Self::Segment => Shape::Segment(upright),
            Self::Triangle => Shape::Triangle(Triangle {
                a: DVec3::new(-0.5, -0.5, 0.0),
                b: DVec3::new(0.5, -0.5, 0.0),
                c: DVec3::new(0.0, 0.5, 0.0),
                facing: Facing::Both,
            }),
            Self::Plane => Shape::Plane(Plane {
                normal: DVec3::Y,
                offset: 0.0,
            }),
            Self::Mesh => match tetrahedron() {
                Some(mesh) => return (Shape::Mesh(Arc::new(mesh)), Some(MeshSource::Inline)),
                None => Shape::Sphere { radius: 0.5 },
            },
        };
        (shape, None)
    }
}

/// Two spheres with a bar between them.
fn dumbbell() -> Option<Compound> {
    let part = |shape, x: f64| CompoundPart {
        shape,
        pose: Pose::at(DVec3::X * x),
    };
    let ball = Shape::Sphere { radius: 0.2 };
    let bar = Shape::Box {
        half_extents: DVec3::new(0.4, 0.05, 0.05),
    };
    Compound::new(vec![
        part(ball.clone(), -0.4),
        part(ball, 0.4),
        part(bar, 0.0),
    ])
    .ok()
}

fn octahedron() -> Option<ConvexHull> {
    let points = DVec3::AXES
        .into_iter()
        .flat_map(|axis| [axis * 0.5, axis * -0.5]);
    ConvexHull::new(points.collect(), 0.0).ok()
}

/// Closed, with faces oriented outwards.
fn tetrahedron() -> Option<Mesh> {
    let corners = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)];
    let corners =
        corners.map(|(x, y, z)| DVec3::new(f64::from(x), f64::from(y), f64::from(z)) * 0.5);
    let faces = vec![[0, 1, 2], [0, 3, 1], [0, 2, 3], [1, 3, 2]];
    Mesh::new(corners.to_vec(), faces, Facing::Both).ok()
}

/// A new object of a shape of a flat level, a circle where it has none; a surface is fixed.
pub fn new_flat_object(shape: NewShape, at: DVec3) -> Object {
    let name = NewShape::FLAT.into_iter().find(|(one, _)| *one == shape);
    let known = name.zip(shape.flat_shape());
    let ((_, name), (form, mesh)) =
        known.unwrap_or(((NewShape::Sphere, "circle"), (Shape::circle(0.5), None)));
    Object {
        name: name.to_owned(),
        ..made(shape, (form, mesh), at)
    }
}

/// A new object of a shape. A flat or infinite one is fixed.
pub fn new_object(shape: NewShape, at: DVec3) -> Object {
    made(shape, shape.shape(), at)
}

fn made(shape: NewShape, (form, mesh): (Shape, Option<MeshSource>), at: DVec3) -> Object {
    let still = matches!(
        shape,
        NewShape::Plane | NewShape::Triangle | NewShape::Segment | NewShape::Mesh
    );
    Object {
        mesh,
        movement: if still {
            Movement::Fixed
        } else {
            Movement::Velocity
        },
        ..Object::new(shape.name(), form, at)
    }
}

/// A camera at eye height, four metres in front of the origin.
pub fn new_camera() -> Camera {
    Camera::at(Pose::at(DVec3::new(0.0, 1.6, 4.0)), Probe::Standard)
}

/// The position a metre beside an object; half a metre above the origin without one.
pub fn position_beside(object: Option<&Object>) -> DVec3 {
    let Some(object) = object else {
        return DVec3::Y * 0.5;
    };
    let position = object.pose.position;
    let bounds = object.shape.placed(&object.pose).aabb();
    let right = bounds.map_or(position.x, |bounds| bounds.max.x);
    DVec3::new(right + 1.0, position.y, position.z)
}
