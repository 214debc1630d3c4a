//! A generated level for the program: a log of positions, or a scene that it steps.

use super::geometry::{self, TestShape};
use super::levels::{Cell, FRAMES, LevelRandom, TestObject};
use crate::common::levels::{add_frame, recording_of};
use glam::{DQuat, DVec3};
use hitstop::core::replay::{Body, Recording, Replay};
use hitstop::core::scene::{Detection, Movement, Object, Response, Scene};
use hitstop::core::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cylinder, Facing, HeightField, Mesh, Plane,
    Pose, RoundedBox, Segment, Shape, SolidShape, Triangle,
};
use std::sync::Arc;

fn core_shape(shape: &TestShape) -> Shape {
    match shape {
        TestShape::Sphere(radius) => Shape::Sphere { radius: *radius },
        TestShape::Box(half) | TestShape::Row(half, _) => Shape::Box {
            half_extents: *half,
        },
        TestShape::Capsule(half, radius) => Shape::Capsule(Capsule {
            segment: Segment {
                a: DVec3::X * -*half,
                b: DVec3::X * *half,
            },
            radius: *radius,
        }),
        TestShape::RoundedBox(half, radius) => Shape::Solid(SolidShape::RoundedBox(RoundedBox {
            half_extents: *half,
            radius: *radius,
        })),
        TestShape::Cylinder(half, radius) => Shape::Solid(SolidShape::Cylinder(Cylinder {
            half_height: *half,
            radius: *radius,
        })),
        TestShape::Cone(half, radius) => Shape::Solid(SolidShape::Cone(Cone {
            half_height: *half,
            radius: *radius,
        })),
        TestShape::HeightField(rows, cell) => {
            let field = HeightField {
                heights: rows.clone(),
                cell: *cell,
            };
            Shape::Mesh(Arc::new(field.mesh(1000).expect("a small grid")))
        }
        TestShape::HalfSpace => Shape::Plane(Plane {
            normal: DVec3::Y,
            offset: 0.0,
        }),
        TestShape::Triangles(list, front) => of_triangles(list, *front),
        TestShape::Shell(half, front) => of_triangles(&geometry::box_triangles(*half), *front),
    }
}

fn of_triangles(list: &[[DVec3; 3]], front: bool) -> Shape {
    let facing = if front { Facing::Front } else { Facing::Both };
    if let [[a, b, c]] = list[..] {
        return Shape::Triangle(Triangle { a, b, c, facing });
    }
    let corners = list.iter().flatten().copied().collect();
    let triangles = (0..list.len() as u32)
        .map(|index| [3 * index, 3 * index + 1, 3 * index + 2])
        .collect();
    let mesh = Mesh::new(corners, triangles, facing).expect("made of finite corners");
    Shape::Mesh(Arc::new(mesh))
}

/// The same points as another shape: a box as a convex hull, or rotated as the only part of a compound; a box, sphere or
/// cylinder as a compound that contains it twice.
fn equivalent(number: usize, shape: Shape) -> Shape {
    let half_extents = match &shape {
        Shape::Box { half_extents } => *half_extents,
        Shape::Sphere { .. }
        | Shape::Solid(SolidShape::Cylinder(_) | SolidShape::RoundedBox(_)) => DVec3::ZERO,
        _ => return shape,
    };
    let part = |shape: Shape, rotation: DQuat| CompoundPart {
        shape,
        pose: Pose {
            rotation,
            ..Pose::IDENTITY
        },
    };
    let compound = |parts: Vec<CompoundPart>| {
        Shape::Compound(Arc::new(Compound::new(parts).expect("convex parts")))
    };
    match (number % 5, &shape) {
        (0, Shape::Box { .. }) => {
            let corner = |bits: i32| {
                let sign = |bit: i32| if bits >> bit & 1 == 1 { 1.0 } else { -1.0 };
                half_extents * DVec3::new(sign(0), sign(1), sign(2))
            };
            let hull = ConvexHull::new((0..8).map(corner).collect(), 0.0);
            Shape::Solid(SolidShape::Hull(Arc::new(hull.expect("a box has corners"))))
        }
        (1, Shape::Box { .. }) => {
            let half_extents = DVec3::new(half_extents.z, half_extents.y, half_extents.x);
            let quarter = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
            compound(vec![part(Shape::Box { half_extents }, quarter)])
        }
        (2, _) => compound(vec![
            part(shape.clone(), DQuat::IDENTITY),
            part(shape.clone(), DQuat::IDENTITY),
        ]),
        _ => shape,
    }
}

/// An object of the log: one of those that an object of the level is written as.
struct Written<'t> {
    cell: usize,
    /// Of the object of the level.
    number: usize,
    source: &'t TestObject,
    shape: TestShape,
    /// In the space of the object of the level.
    at: DVec3,
}

impl Written<'_> {
    fn position(&self, state: usize) -> DVec3 {
        let pose = self.source.pose(state);
        pose.at + pose.rotation * self.at
    }
}

fn written(cells: &[Cell]) -> impl Iterator<Item = Written<'_>> {
    let objects = (0..)
        .zip(cells)
        .flat_map(|(cell, objects)| objects.iter().map(move |object| (cell, object)));
    objects.enumerate().flat_map(|(number, (cell, source))| {
        let parts = source.shape.written().into_iter();
        parts.map(move |(shape, at)| Written {
            cell,
            number,
            source,
            shape,
            at,
        })
    })
}

/// The object of the level that each object of the log belongs to.
pub fn owners(cells: &[Cell]) -> Vec<usize> {
    written(cells).map(|one| one.number).collect()
}

fn core_object((id, written): (usize, Written<'_>)) -> Object {
    let source = written.source;
    let shape = equivalent(id, core_shape(&written.shape));
    let mut object = Object::new(id.to_string(), shape, written.position(0));
    object.pose.rotation = source.rotation;
    object.velocity = source.velocity;
    object.sensor = source.sensor;
    // The half space of one cell is unbounded; its layer confines it.
    object.layer = 1 << written.cell;
    object.mask = 1 << written.cell;
    if source.fixed {
        object.movement = Movement::Fixed;
    }
    object
}

pub fn scene(dt: f64, objects: Vec<Object>) -> Scene {
    Scene {
        dt,
        frames: FRAMES as u32,
        ..Scene::new("accuracy", objects)
    }
}

fn objects(cells: &[Cell]) -> Vec<Object> {
    written(cells).enumerate().map(core_object).collect()
}

/// A log of positions only.
pub fn recording(cells: &[Cell], dt: f64) -> Recording {
    let mut recording = recording_of(dt, objects(cells));
    for frame in 0..=FRAMES {
        let objects = (0..).zip(written(cells));
        let present = objects.filter(|(_, written)| frame >= written.source.appears);
        let bodies = present.map(|(id, written)| {
            let pose = Pose {
                position: written.position(frame),
                rotation: written.source.pose(frame).rotation,
            };
            Body {
                teleported: written.source.put == Some(frame),
                ..Body::new(id, pose)
            }
        });
        add_frame(&mut recording, dt, bodies);
    }
    recording
}

pub fn recorded(recording: Recording) -> Replay {
    let scene = scene(recording.dt, Vec::new());
    Replay::recorded(Arc::new(scene), Arc::new(recording))
}

/// A scene with a random response and detection.
pub fn stepped(random: &mut LevelRandom, cells: &[Cell], dt: f64) -> Replay {
    let response = [
        Response::Ignore,
        Response::Push,
        Response::Slide,
        Response::Stop,
        Response::Bounce { restitution: 0.6 },
    ];
    let detection = [Detection::Overlap, Detection::Overlap, Detection::Sweep];
    Replay::stepped(Arc::new(Scene {
        response: response[random.below(5)],
        detection: detection[random.below(3)],
        ..scene(dt, objects(cells))
    }))
}
