//! What recording costs a program, per body and frame: 1,000 bodies that fly and spin, with rotation and both velocities.

use glam::{DQuat, DVec3};
use hitstop::core::log::{LogOutput, ParquetOutput};
use hitstop::prelude::*;
use hitstop_benches::{Seeded, contestant, race};

const BODIES: u32 = 1000;
const FRAMES: usize = 120;
const DT: f64 = 1.0 / 60.0;

fn header(scalar: Scalar) -> Header {
    Header {
        scalar,
        ..Header::default()
    }
}

fn objects() -> impl Iterator<Item = Object> {
    let shape = Shape::Sphere { radius: 0.5 };
    (0..BODIES).map(move |id| Object::new(format!("ball {id}"), shape.clone(), DVec3::ZERO))
}

/// The bodies of every frame, as an engine in single precision computes them.
fn motion() -> Vec<Vec<Body>> {
    let mut seeded = Seeded::new(1);
    let mut bodies: Vec<(DVec3, DQuat, DVec3, DVec3)> = (0..BODIES)
        .map(|_| {
            let start = seeded.vector(50.0);
            (
                start,
                seeded.rotation(),
                seeded.vector(10.0),
                seeded.vector(3.0),
            )
        })
        .collect();
    let mut frames = Vec::new();
    for _ in 0..FRAMES {
        for (position, rotation, velocity, spin) in &mut bodies {
            velocity.y -= 9.81 * DT;
            *position = (*position + *velocity * DT).as_vec3().as_dvec3();
            *velocity = velocity.as_vec3().as_dvec3();
            let turned = DQuat::from_scaled_axis(*spin * DT) * *rotation;
            *rotation = turned.normalize().as_quat().as_dquat();
        }
        let body = |(id, &(position, rotation, velocity, spin)): (u32, &_)| Body {
            velocity: Some(velocity),
            spin: Some(spin),
            ..Body::new(id, Pose { position, rotation })
        };
        frames.push((0..).zip(&bodies).map(body).collect());
    }
    frames
}

fn record<W: LogOutput>(motion: &[Vec<Body>], scalar: Scalar, output: W) -> W {
    let mut recorder = Recorder::new(output, header(scalar)).expect("a valid header");
    for object in objects() {
        recorder.add_object(object).expect("a valid object");
    }
    for (step, bodies) in motion.iter().enumerate() {
        let written = recorder.frame(step as f64 * DT, bodies);
        written.expect("a valid frame");
    }
    recorder.finish().expect("memory takes every byte")
}

fn main() {
    let motion = motion();
    let bodies = BODIES as usize * FRAMES;
    let compressed = |scalar, compression| {
        let output = Compressor::new(Vec::new(), compression).expect("a compressor");
        let output = record(&motion, scalar, output).finish();
        output.expect("memory takes every byte").len()
    };
    let ring = |scalar| {
        let mut ring = RingRecorder::new(1.0, header(scalar)).expect("a valid header");
        for object in objects() {
            ring.add_object(object).expect("a valid object");
        }
        for (step, bodies) in motion.iter().enumerate() {
            let snapshot = Snapshot {
                time: Some(step as f64 * DT),
                bodies,
                ..Snapshot::default()
            };
            ring.snapshot(&snapshot).expect("a valid frame");
        }
        ring.frames()
    };
    for (title, scalar) in [("f32", Scalar::F32), ("f64", Scalar::F64)] {
        let [plain, zstd, gzip] = [None, Some(Compression::Zstd), Some(Compression::Gzip)];
        let named = [
            ("JSON Lines", plain),
            ("with zstd", zstd),
            ("with gzip", gzip),
        ];
        for (name, compression) in named {
            let bytes = compressed(scalar, compression) as f64 / bodies as f64;
            println!("{title}, {name}: {bytes:.0} bytes for a body and frame");
        }
        let mut contestants: Vec<_> = named
            .into_iter()
            .map(|(name, compression)| {
                contestant(name, None, move || compressed(scalar, compression) as f64)
            })
            .collect();
        let table = || {
            let output = record(&motion, scalar, ParquetOutput::new(Vec::new())).finish();
            output.expect("memory takes every byte").len()
        };
        println!(
            "{title}, Parquet: {} bytes for a body and frame",
            table() / bodies
        );
        contestants.push(contestant("Parquet", None, || table() as f64));
        contestants.push(contestant("ring", None, || ring(scalar) as f64));
        race(
            &format!("a body of a frame, {title}"),
            bodies,
            4.0,
            contestants,
        );
    }
}
