//! Writes a recording of any size, to measure with: balls that bounce between two walls, of which one in 500 is too fast for them.
//!
//! `cargo run --release --example reference_recording -- OBJECTS FRAMES FILE`

use glam::DVec3;
use hitstop::prelude::*;
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

const DT: f64 = 1.0 / 60.0;
const RADIUS: f64 = 0.2;
/// From the middle to the faces of the walls, and to where the fast balls turn.
const NEAR: f64 = 4.0;
const FAR: f64 = 30.0;

/// Place and velocity of a ball that moves to and fro between -`end` and `end`.
fn to_and_fro(end: f64, travelled: f64, speed: f64) -> (f64, f64) {
    let along = travelled.rem_euclid(4.0 * end);
    match along < 2.0 * end {
        true => (along - end, speed),
        false => (3.0 * end - along, -speed),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [objects, frames, file] = &args[..] else {
        return Err("give the number of objects, the number of frames and a file".into());
    };
    let (objects, frames): (u32, u32) = (objects.parse()?, frames.parse()?);
    let header = Header {
        name: format!("{objects} objects, {frames} frames"),
        dt: DT,
        ..Header::default()
    };
    let output = BufWriter::with_capacity(1 << 20, File::create(file)?);
    let mut recorder = Recorder::new(output, header)?;
    let side = f64::from(objects).sqrt().ceil();
    let wall = Shape::Box {
        half_extents: DVec3::new(0.05, side, side),
    };
    for (name, x) in [("left", -NEAR - 0.05), ("right", NEAR + 0.05)] {
        let at = DVec3::new(x, 0.0, 0.0);
        recorder.add_object(Object {
            movement: Movement::Fixed,
            ..Object::new(name, wall.clone(), at)
        })?;
    }
    let balls: Vec<u32> = (2..objects)
        .map(|index| {
            let shape = Shape::Sphere { radius: RADIUS };
            let object = Object::new(format!("ball {index}"), shape, DVec3::ZERO);
            recorder.add_object(object)
        })
        .collect::<Result<_, _>>()?;
    for frame in 0..frames {
        let bodies = balls.iter().map(|&id| {
            let lane = f64::from(id);
            let (y, z) = (
                (lane % side) - side / 2.0,
                (lane / side).floor() - side / 2.0,
            );
            let (end, speed) = match id % 500 {
                7 => (FAR, 80.0),
                _ => (NEAR - RADIUS, 1.0 + (lane * 0.618).fract() * 9.0),
            };
            let travelled = lane * 1.37 + speed * DT * f64::from(frame);
            let (x, velocity) = to_and_fro(end, travelled, speed);
            Body {
                velocity: Some(DVec3::X * velocity),
                ..Body::new(id, Pose::at(DVec3::new(x, y * 1.5, z * 1.5)))
            }
        });
        let bodies: Vec<Body> = bodies.collect();
        recorder.snapshot(&Snapshot {
            bodies: &bodies,
            ..Snapshot::default()
        })?;
    }
    recorder.finish()?;
    Ok(())
}
