//! The same level for the program: as a log of positions, or as a scene that it steps itself.

use super::geometry::Form;
use super::levels::{Cell, Chance, FRAMES, Thing};
use crate::common::levels::{add_frame, recording_of};
use glam::{DQuat, DVec3};
use hitstop::core::replay::{Body, Recording, Replay};
use hitstop::core::scene::{Detection, Movement, Object, Response, Scene};
use hitstop::core::shape::{
    Capsule, Compound, CompoundPart, Cone, ConvexHull, Cylinder, Facing, HeightField, Mesh, Plane,
    Pose, RoundedBox, Segment, Shape, SolidShape, Triangle,
};
use std::sync::Arc;

fn shape(form: &Form) -> Shape {
    match form {
        Form::Ball(radius) => Shape::Sphere { radius: *radius },
        Form::Box(half) => Shape::Box {
            half_extents: *half,
        },
        Form::Capsule(half, radius) => Shape::Capsule(Capsule {
            segment: Segment {
                a: DVec3::X * -*half,
                b: DVec3::X * *half,
            },
            radius: *radius,
        }),
        Form::Rounded(half, radius) => Shape::Solid(SolidShape::RoundedBox(RoundedBox {
            half_extents: *half,
            radius: *radius,
        })),
        Form::Cylinder(half, radius) => Shape::Solid(SolidShape::Cylinder(Cylinder {
            half_height: *half,
            radius: *radius,
        })),
        Form::Cone(half, radius) => Shape::Solid(SolidShape::Cone(Cone {
            half_height: *half,
            radius: *radius,
        })),
        Form::Field(rows, cell) => {
            let field = HeightField {
                heights: rows.clone(),
                cell: *cell,
            };
            Shape::Mesh(Arc::new(field.mesh(1000).expect("a small grid")))
        }
        Form::Ground => Shape::Plane(Plane {
            normal: DVec3::Y,
            offset: 0.0,
        }),
        Form::Sheet(list, front) => {
            let facing = if *front { Facing::Front } else { Facing::Both };
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
    }
}

/// The same set of points as another shape: a box as the hull of its corners, or turned as the only part of a compound; a box,
/// ball or cylinder as a compound that has it twice.
fn otherwise(number: usize, shape: Shape) -> Shape {
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

fn object(number: usize, cell: usize, thing: &Thing) -> Object {
    let shape = otherwise(number, shape(&thing.form));
    let mut object = Object::new(number.to_string(), shape, thing.places[0]);
    object.pose.rotation = thing.turn;
    object.velocity = thing.velocity;
    object.sensor = thing.sensor;
    // The ground of one cell has no end; its layer has.
    object.layer = 1 << cell;
    object.mask = 1 << cell;
    if thing.fixed {
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
    let things = (0..)
        .zip(cells)
        .flat_map(|(cell, things)| things.iter().map(move |thing| (cell, thing)));
    let objects = things
        .enumerate()
        .map(|(number, (cell, thing))| object(number, cell, thing));
    objects.collect()
}

/// A log of positions, and nothing else.
pub fn recording(cells: &[Cell], dt: f64) -> Recording {
    let mut recording = recording_of(dt, objects(cells));
    for frame in 0..=FRAMES {
        let things = (0..).zip(cells.iter().flatten());
        let present = things.filter(|(_, thing)| frame >= thing.appears);
        let bodies = present.map(|(number, thing)| {
            let place = thing.place(frame);
            let pose = Pose {
                position: place.at,
                rotation: place.turn,
            };
            Body {
                teleported: thing.put == Some(frame),
                ..Body::new(number, pose)
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

/// A scene, with a response and a detection of its own.
pub fn stepped(chance: &mut Chance, cells: &[Cell], dt: f64) -> Replay {
    let response = [
        Response::Ignore,
        Response::Push,
        Response::Slide,
        Response::Stop,
        Response::Bounce { restitution: 0.6 },
    ];
    let detection = [Detection::Overlap, Detection::Overlap, Detection::Sweep];
    Replay::stepped(Arc::new(Scene {
        response: response[chance.of(5)],
        detection: detection[chance.of(3)],
        ..scene(dt, objects(cells))
    }))
}
