//! Records a level in a real engine, rapier, with this project's recorder: a warehouse in which balls are shot at walls.
//!
//! `cargo run --manifest-path benches/Cargo.toml --example record_rapier` rewrites the two bundled recordings: `warehouse.jsonl`, in which nothing is swept and
//! fast balls pass the thin wall, and its clean twin `warehouse_ccd.jsonl`, in which every ball is. Rapier sweeps fast bodies
//! against fixed ones by default; only `max_ccd_substeps = 0` switches that off.
//!
//! The engine computes in `f32`, so the log has `scalar: "f32"` and short numbers. The same binary writes the same bytes each time.

use glam::{DQuat, DVec3};
use hitstop::core::log::{Header, Recorder, Scalar, Snapshot};
use hitstop::core::replay::{Body, LoggedContact};
use hitstop::core::scene::{Movement, Object};
use hitstop::core::shape::{Pose, Shape};
use rapier3d::prelude::*;
use std::collections::HashMap;
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;

/// Seconds of a step: 60 a second.
const DT: f32 = 1.0 / 60.0;
/// Steps that are recorded: three seconds.
const STEPS: u32 = 180;
/// Metres: the balls'.
const RADIUS: f32 = 0.1;
/// Metres: half the thin wall's thickness. An overlap test detects a ball of this radius up to 0.24 m a frame, 14.4 m/s.
const THIN: f32 = 0.02;

fn main() -> Result<(), Box<dyn Error>> {
    record("scenes/recordings/warehouse.jsonl", "Warehouse", false)?;
    record(
        "scenes/recordings/warehouse_ccd.jsonl",
        "Warehouse, every ball swept",
        true,
    )
}

fn record(path: &str, name: &str, ccd: bool) -> Result<(), Box<dyn Error>> {
    let mut level = Level::new(name, ccd, BufWriter::new(File::create(path)?))?;
    level.building()?;
    level.crates()?;
    level.balls()?;
    level.write()?;
    for _ in 0..STEPS {
        level.world.step();
        level.write()?;
    }
    level.recorder.finish()?;
    println!("{path}: {} frames", STEPS + 1);
    Ok(())
}

/// The engine's world, and the recorder.
struct Level {
    world: PhysicsWorld,
    recorder: Recorder<BufWriter<File>>,
    /// The moving bodies: the engine's handle and the recorder's number.
    moving: Vec<(RigidBodyHandle, u32)>,
    numbers: HashMap<ColliderHandle, u32>,
    ccd: bool,
    step: u32,
}

impl Level {
    fn new(name: &str, ccd: bool, output: BufWriter<File>) -> Result<Self, Box<dyn Error>> {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = DT;
        if !ccd {
            world.integration_parameters.max_ccd_substeps = 0;
        }
        let header = Header {
            name: name.into(),
            dt: f64::from(DT),
            gravity: Some(vector(world.gravity)),
            scalar: Scalar::F32,
            ..Header::default()
        };
        Ok(Self {
            world,
            recorder: Recorder::new(output, header)?,
            moving: Vec::new(),
            numbers: HashMap::new(),
            ccd,
            step: 0,
        })
    }

    fn building(&mut self) -> Result<(), Box<dyn Error>> {
        self.fixed_box("floor", [0.0, -0.5, 0.0], [15.0, 0.5, 8.0], 0.0)?;
        self.fixed_box("thin wall", [0.0, 1.5, 0.0], [THIN, 1.5, 4.0], 0.0)?;
        self.fixed_box("back wall", [-12.0, 2.0, 0.0], [1.0, 2.0, 5.0], 0.0)?;
        self.fixed_box("thick wall", [6.0, 2.0, 0.0], [1.0, 2.0, 5.0], 0.0)?;
        self.fixed_box("ramp", [-3.0, 0.2, 5.5], [2.0, 0.1, 1.0], 0.25)
    }

    fn crates(&mut self) -> Result<(), Box<dyn Error>> {
        let half = 0.25;
        for level in 0..4_u8 {
            let position = [-6.0, half + 2.0 * half * f32::from(level), -5.5];
            let body = RigidBodyBuilder::dynamic().translation(position.into());
            let collider = ColliderBuilder::cuboid(half, half, half).density(200.0);
            let shape = Shape::Box {
                half_extents: DVec3::splat(f64::from(half)),
            };
            self.dynamic(
                &format!("crate {}", level + 1),
                shape,
                body,
                collider,
                false,
            )?;
        }
        Ok(())
    }

    /// From slow enough to be stopped to ten times that, in a row; and one that rolls down the ramp.
    fn balls(&mut self) -> Result<(), Box<dyn Error>> {
        let speeds: [f32; 6] = [5.0, 10.0, 30.0, 60.0, 90.0, 120.0];
        for (lane, speed) in speeds.into_iter().enumerate() {
            let z = -2.5 + lane as f32;
            // Each starts at another phase of its step, as this decides whether a ball is missed.
            let x = -8.0 - 0.13 * lane as f32;
            self.ball(
                &format!("bullet {speed} m/s"),
                [x, 1.5, z],
                [speed, 0.0, 0.0],
            )?;
        }
        self.ball("rolling ball", [-4.2, 1.2, 5.5], [0.0, 0.0, 0.0])
    }

    fn ball(&mut self, name: &str, at: [f32; 3], velocity: [f32; 3]) -> Result<(), Box<dyn Error>> {
        let body = RigidBodyBuilder::dynamic()
            .translation(at.into())
            .linvel(velocity.into())
            .ccd_enabled(self.ccd);
        let collider = ColliderBuilder::ball(RADIUS)
            .restitution(0.2)
            .density(1000.0);
        let shape = Shape::Sphere {
            radius: f64::from(RADIUS),
        };
        self.dynamic(name, shape, body, collider, self.ccd)
    }

    fn fixed_box(
        &mut self,
        name: &str,
        at: [f32; 3],
        half: [f32; 3],
        tilt: f32,
    ) -> Result<(), Box<dyn Error>> {
        let [x, y, z] = half;
        let body = RigidBodyBuilder::fixed()
            .translation(at.into())
            .rotation(Vector::Z * -tilt);
        let (body, collider) = self.world.insert(body, ColliderBuilder::cuboid(x, y, z));
        let shape = Shape::Box {
            half_extents: DVec3::from_array(half.map(f64::from)),
        };
        let number = self.recorder.add_object(Object {
            pose: pose(&self.world.bodies[body]),
            movement: Movement::Fixed,
            ..Object::new(name, shape, DVec3::ZERO)
        })?;
        self.numbers.insert(collider, number);
        Ok(())
    }

    fn dynamic(
        &mut self,
        name: &str,
        shape: Shape,
        body: RigidBodyBuilder,
        collider: ColliderBuilder,
        ccd: bool,
    ) -> Result<(), Box<dyn Error>> {
        let (handle, collider) = self.world.insert(body, collider);
        let body = &self.world.bodies[handle];
        let number = self.recorder.add_object(Object {
            pose: pose(body),
            mass: f64::from(self.world.colliders[collider].mass()),
            ccd: Some(ccd),
            ..Object::new(name, shape, DVec3::ZERO)
        })?;
        self.moving.push((handle, number));
        self.numbers.insert(collider, number);
        Ok(())
    }

    /// Records all poses, and the contacts that the engine has just found.
    fn write(&mut self) -> Result<(), Box<dyn Error>> {
        let bodies: Vec<Body> = self
            .moving
            .iter()
            .map(|&(handle, number)| {
                let body = &self.world.bodies[handle];
                Body {
                    velocity: Some(vector(body.linvel())),
                    spin: Some(vector(body.angvel())),
                    asleep: body.is_sleeping(),
                    ..Body::new(number, pose(body))
                }
            })
            .collect();
        let contacts = self.contacts();
        self.recorder.snapshot(&Snapshot {
            time: Some(f64::from(self.step) * f64::from(DT)),
            bodies: &bodies,
            contacts: &contacts,
            ..Snapshot::default()
        })?;
        self.step += 1;
        Ok(())
    }

    /// The deepest point of every pair that touches, in a fixed order.
    fn contacts(&self) -> Vec<LoggedContact> {
        let touching = self.world.contact_pairs().filter_map(|pair| {
            let (manifold, point) = pair.find_deepest_contact()?;
            let (a, b) = (self.numbers[&pair.collider1], self.numbers[&pair.collider2]);
            let place = self.world.colliders[pair.collider1].position();
            (point.dist <= 0.0).then(|| LoggedContact {
                a,
                b,
                point: vector(place.transform_point(point.local_p1)),
                // Rapier's normal points out of the first.
                normal: -vector(manifold.data.normal),
                depth: f64::from(-point.dist),
            })
        });
        let mut contacts: Vec<_> = touching.collect();
        contacts.sort_by_key(|contact| (contact.a, contact.b));
        contacts
    }
}

/// The engine uses another version of glam.
fn vector(vector: Vector) -> DVec3 {
    DVec3::from_array(vector.to_array().map(f64::from))
}

fn pose(body: &RigidBody) -> Pose {
    let rotation = body.rotation();
    Pose {
        position: vector(body.translation()),
        rotation: DQuat::from_array(rotation.to_array().map(f64::from)),
    }
}
