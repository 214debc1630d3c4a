//! Lasers pass a ship, although continuous detection is on for both.
//! https://github.com/dimforge/rapier.js/issues/286
//!
//! Both fly, and rapier's sweep of the one against the other misses. `--fixed`: 7 substeps, as Hitstop says.
//! `phases` also tries rapier's soft CCD, with a prediction as long as both move in one step.

use hitstop_gallery_rapier::{Command, Log, body_json, contacts_json};
use rapier3d::prelude::*;
use std::error::Error;

const DT: f32 = 1.0 / 60.0;
/// Metres: half of a laser, a small box. It flies along -z.
const LASER: [f32; 3] = [0.05, 0.05, 0.4];
/// Metres: half of the ship.
const SHIP: [f32; 3] = [2.0, 1.0, 0.5];
const LASER_SPEED: f32 = 300.0;
const SHIP_SPEED: f32 = 60.0;
const STEPS: u32 = 8;
/// With `--fixed`.
const SUBSTEPS: u32 = 7;

fn main() -> Result<(), Box<dyn Error>> {
    match Command::from_arguments()? {
        Command::Record { path, fixed } => {
            let mut log = Log::create(&path)?;
            log.line(&format!(
                r#"{{"hitstop":1,"name":"Lasers and a ship","dt":{DT},"scalar":"f32","engine":"rapier","objects":[{{"id":0,"name":"ship","shape":{{"box":{{"half_extents":{SHIP:?}}}}},"ccd":true,"mass":500}},{{"id":1,"name":"laser","shape":{{"box":{{"half_extents":{LASER:?}}}}},"ccd":true,"mass":0.1}}]}}"#
            ))?;
            let mut level = Level::new(0.0, if fixed { SUBSTEPS } else { 1 }, 0.0);
            for frame in 0..=STEPS {
                if frame > 0 {
                    level.step();
                }
                let [ship, laser] = [level.ship, level.laser].map(|body| &level.world.bodies[body]);
                let contacts = contacts_json(&level.world, |collider| {
                    u32::from(level.world.colliders[collider].parent() == Some(level.laser))
                });
                log.frame(frame, &[body_json(0, ship), body_json(1, laser)], &contacts)?;
            }
        }
        Command::Phases => {
            let closing = (LASER_SPEED + SHIP_SPEED) * DT;
            for (name, substeps, soft) in [
                ("as reported", 1, 0.0),
                ("soft CCD", 1, closing),
                ("one substep less than with --fixed", SUBSTEPS - 1, 0.0),
                ("--fixed", SUBSTEPS, 0.0),
            ] {
                let through = (0..64)
                    .filter(|&phase| passes(phase as f32 / 64.0, substeps, soft))
                    .count();
                println!("{name}: {through} of 64 lasers pass the ship");
            }
        }
    }
    Ok(())
}

struct Level {
    world: PhysicsWorld,
    ship: RigidBodyHandle,
    laser: RigidBodyHandle,
    substeps: u32,
}

impl Level {
    /// `phase`: share of a step by which the laser starts closer; `soft`: its soft CCD prediction, metres.
    fn new(phase: f32, substeps: u32, soft: f32) -> Self {
        let mut world = PhysicsWorld::new();
        world.integration_parameters.dt = DT / substeps as f32;
        world.gravity = Vector::ZERO;
        let closing = (LASER_SPEED + SHIP_SPEED) * DT;
        let ship = RigidBodyBuilder::dynamic()
            .linvel(Vector::new(0.0, 0.0, SHIP_SPEED))
            .ccd_enabled(true);
        let laser = RigidBodyBuilder::dynamic()
            .translation(Vector::new(0.3, 0.0, 26.5 - phase * closing))
            .linvel(Vector::new(0.0, 0.0, -LASER_SPEED))
            .ccd_enabled(true)
            .soft_ccd_prediction(soft);
        let collider = |[x, y, z]: [f32; 3]| ColliderBuilder::cuboid(x, y, z);
        let (ship, _) = world.insert(ship, collider(SHIP).mass(500.0));
        let (laser, _) = world.insert(laser, collider(LASER).mass(0.1));
        Self {
            world,
            ship,
            laser,
            substeps,
        }
    }

    fn step(&mut self) {
        for _ in 0..self.substeps {
            self.world.step();
        }
    }
}

fn passes(phase: f32, substeps: u32, soft: f32) -> bool {
    let mut level = Level::new(phase, substeps, soft);
    for _ in 0..STEPS {
        level.step();
    }
    let z = |body: RigidBodyHandle| level.world.bodies[body].translation().z;
    z(level.laser) < z(level.ship)
}
