//! Records a level with the library's recorder: a mesh, a dynamic capsule, a compound, and a kinematic platform. Try it:
//!
//! ```text
//! cargo run --no-default-features --example record_shapes > shapes.jsonl && hitstop check shapes.jsonl
//! ```

use hitstop::prelude::*;
use std::error::Error;
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut recorder = Recorder::new(
        std::io::stdout().lock(),
        Header {
            name: "shapes".into(),
            dt: DT,
            gravity: Some(DVec3::new(0.0, -9.81, 0.0)),
            engine: Engine {
                name: Some("my engine".into()),
                margin: Some(0.01),
                ..Engine::default()
            },
            ..Header::default()
        },
    )?;

    // Two triangles, counter-clockwise seen from above; a ray or body from below passes.
    let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z);
    let corners = vec![
        corner(-9.0, -9.0),
        corner(9.0, -9.0),
        corner(9.0, 9.0),
        corner(-9.0, 9.0),
    ];
    let floor = Mesh::new(corners, vec![[0, 2, 1], [0, 3, 2]], Facing::Front)?;
    let floor = recorder.add_object(Object {
        movement: Movement::Fixed,
        ..Object::new("floor", Shape::Mesh(Arc::new(floor)), DVec3::ZERO)
    })?;

    // `Movement::Velocity` is a dynamic body; it is the default.
    let half = DVec3::Y * 0.5;
    let capsule = Capsule {
        segment: Segment { a: -half, b: half },
        radius: 0.3,
    };
    let hero = recorder.add_object(Object {
        layer: 1,
        mask: u32::MAX,
        ccd: Some(false),
        ..Object::new("hero", Shape::Capsule(capsule), DVec3::ZERO)
    })?;

    let weight = |x: f64| CompoundPart {
        shape: Shape::Sphere { radius: 0.2 },
        pose: Pose::at(DVec3::X * x),
    };
    let dumbbell = Compound::new(vec![weight(-0.4), weight(0.4)])?;
    let dumbbell = Shape::Compound(Arc::new(dumbbell));
    let dumbbell = recorder.add_object(Object::new("dumbbell", dumbbell, DVec3::ZERO))?;

    let slab = Shape::Box {
        half_extents: DVec3::new(1.0, 0.1, 1.0),
    };
    let platform = recorder.add_object(Object {
        movement: Movement::Kinematic,
        // Meant to pass each other; parts of one body get the same `body`.
        ignores: vec!["dumbbell".into()],
        ..Object::new("platform", slab, DVec3::ZERO)
    })?;

    for step in 0..60 {
        let time = f64::from(step) * DT;
        let moving = |id: u32, position: DVec3, velocity: DVec3| Body {
            velocity: Some(velocity),
            spin: Some(DVec3::ZERO),
            ..Body::new(id, Pose::at(position))
        };
        let bodies = [
            moving(hero, DVec3::new(time, 0.8, 0.0), DVec3::X),
            moving(dumbbell, DVec3::new(-3.0, 0.2, 0.0), DVec3::ZERO),
            moving(platform, DVec3::new(4.0, 1.0 + time, 0.0), DVec3::Y),
        ];
        // Every point of every pair, also those that do not touch yet: their depth is negative.
        let contacts = [LoggedContact {
            a: hero,
            b: floor,
            point: DVec3::new(time, 0.0, 0.0),
            normal: DVec3::Y,
            depth: 0.0,
        }];
        recorder.snapshot(&Snapshot {
            time: Some(time),
            bodies: &bodies,
            contacts: &contacts,
            ..Snapshot::default()
        })?;
    }
    // Flushes what is left.
    let _output = recorder.finish()?;
    Ok(())
}
