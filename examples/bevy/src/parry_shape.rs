// Shapes of parry. A part of both plugins, as each has its own version of parry: `parry` is the one of the module above.

use super::parry::shape::{Shape as EngineShape, TypedShape};
use crate::log::{wide, wide_rotation};
use hitstop::prelude::*;
use std::sync::Arc;

/// The shape as the log has it; `None` if it has none like it.
pub fn logged(shape: &dyn EngineShape) -> Option<Shape> {
    let number = |value: f32| f64::from(value);
    Some(match shape.as_typed_shape() {
        TypedShape::Ball(it) => Shape::Sphere {
            radius: number(it.radius),
        },
        TypedShape::Cuboid(it) => Shape::Box {
            half_extents: wide(it.half_extents.to_array()),
        },
        TypedShape::Capsule(it) => Shape::Capsule(Capsule {
            segment: Segment {
                a: wide(it.segment.a.to_array()),
                b: wide(it.segment.b.to_array()),
            },
            radius: number(it.radius),
        }),
        TypedShape::Cylinder(it) => Shape::Solid(SolidShape::Cylinder(Cylinder {
            half_height: number(it.half_height),
            radius: number(it.radius),
        })),
        TypedShape::Cone(it) => Shape::Solid(SolidShape::Cone(Cone {
            half_height: number(it.half_height),
            radius: number(it.radius),
        })),
        TypedShape::RoundCuboid(it) => Shape::Solid(SolidShape::RoundedBox(RoundedBox {
            half_extents: wide(it.inner_shape.half_extents.to_array()),
            radius: number(it.border_radius),
        })),
        TypedShape::ConvexPolyhedron(it) => {
            let points = it.points().iter().map(|point| wide(point.to_array()));
            let hull = ConvexHull::new(points.collect(), 0.0).ok()?;
            Shape::Solid(SolidShape::Hull(Arc::new(hull)))
        }
        TypedShape::HalfSpace(it) => Shape::Plane(Plane {
            normal: wide(it.normal.to_array()),
            offset: 0.0,
        }),
        TypedShape::Triangle(it) => Shape::Triangle(Triangle {
            a: wide(it.a.to_array()),
            b: wide(it.b.to_array()),
            c: wide(it.c.to_array()),
            facing: Facing::Both,
        }),
        TypedShape::TriMesh(it) => mesh(
            it.vertices().iter().map(|vertex| vertex.to_array()),
            it.indices().to_vec(),
        )?,
        TypedShape::HeightField(it) => {
            let (vertices, triangles) = it.to_trimesh();
            mesh(vertices.iter().map(|vertex| vertex.to_array()), triangles)?
        }
        TypedShape::Compound(it) => {
            let part = |(pose, shape): &(_, super::parry::shape::SharedShape)| {
                Some(CompoundPart {
                    shape: logged(&**shape)?,
                    pose: at(pose),
                })
            };
            let parts: Option<Vec<_>> = it.shapes().iter().map(part).collect();
            Shape::Compound(Arc::new(Compound::new(parts?).ok()?))
        }
        _ => return None,
    })
}

/// A pose of the engine.
pub fn at(pose: &super::parry::math::Pose) -> Pose {
    Pose {
        position: wide(pose.translation.to_array()),
        rotation: wide_rotation(pose.rotation.to_array()),
    }
}

fn mesh(vertices: impl Iterator<Item = [f32; 3]>, triangles: Vec<[u32; 3]>) -> Option<Shape> {
    let mesh = Mesh::new(vertices.map(wide).collect(), triangles, Facing::Both).ok()?;
    Some(Shape::Mesh(Arc::new(mesh)))
}
