//! A thin slab falls through a mesh floor of two triangles.
//! https://github.com/dimforge/rapier/issues/524
//!
//! The slab lands on a corner and tips over. The solver cannot keep all of it above a surface without thickness, and once its middle is
//! below, the contacts push it on. `--fixed`: 2 substeps. `phases` also tries a floor with thickness, and soft CCD.

use hitstop_gallery_rapier::{Command, Log, body_json, contacts_json};
use rapier3d::prelude::*;
use std::error::Error;

const DT: f32 = 1.0 / 60.0;
/// Metres: half of the slab, as in the report.
const SLAB: [f32; 3] = [1.0, 0.015, 1.0];
/// Metres: half of the floor's width.
const FLOOR: f32 = 5.0;
const TRIANGLES: [[u32; 3]; 2] = [[0, 1, 2], [0, 2, 3]];
const STEPS: u32 = 60;

#[derive(Clone, Copy, PartialEq)]
enum Change {
    None,
    Substeps(u32),
    SolidFloor,
    SoftCcd,
}

fn main() -> Result<(), Box<dyn Error>> {
    match Command::from_arguments()? {
        Command::Record { path, fixed } => {
            let change = if fixed {
                Change::Substeps(2)
            } else {
                Change::None
            };
            let mut level = Level::new([1.5, 0.3, 1.5], 1.4, change);
            let mut log = Log::create(&path)?;
            let points = slab_points().map(|point| point.to_array());
            let vertices = floor_vertices().map(|vertex| vertex.to_array());
            log.line(&format!(
                r#"{{"hitstop":1,"name":"Slab on a mesh","dt":{DT},"scalar":"f32","engine":"rapier","gravity":[0,-9.81,0],"objects":[{{"id":0,"name":"floor","shape":{{"mesh":{{"vertices":{vertices:?},"triangles":{TRIANGLES:?}}}}},"motion":"fixed"}},{{"id":1,"name":"slab","shape":{{"convex_hull":{{"points":{points:?}}}}},"ccd":true}}]}}"#
            ))?;
            for frame in 0..=STEPS {
                if frame > 0 {
                    level.step();
                }
                let slab = body_json(1, &level.world.bodies[level.slab]);
                let contacts = contacts_json(&level.world, |collider| {
                    u32::from(collider == level.collider)
                });
                log.frame(frame, &[slab], &contacts)?;
            }
        }
        Command::Phases => {
            for (name, change) in [
                ("as reported", Change::None),
                ("soft CCD of 0.5 m", Change::SoftCcd),
                ("a box as the floor", Change::SolidFloor),
                ("--fixed, 2 substeps", Change::Substeps(2)),
            ] {
                let starts = (0..7).flat_map(|a| {
                    (0..7).flat_map(move |b| (0..4).map(move |h| [a, b, h].map(|i| i as f32)))
                });
                let through = starts.filter(|&[a, b, h]| {
                    let mut level = Level::new([a * 0.25, 0.3, b * 0.25], 1.1 + h * 0.3, change);
                    for _ in 0..240 {
                        level.step();
                    }
                    level.world.bodies[level.slab].translation().y < -0.5
                });
                println!(
                    "{name}: {} of 196 slabs fall through the floor",
                    through.count()
                );
            }
        }
    }
    Ok(())
}

fn floor_vertices() -> [Vector; 4] {
    [(-1.0, -1.0), (-1.0, 1.0), (1.0, 1.0), (1.0, -1.0)]
        .map(|(x, z)| Vector::new(x * FLOOR, 0.0, z * FLOOR))
}

fn slab_points() -> [Vector; 8] {
    std::array::from_fn(|i| {
        let sign = |bit: usize| if i & bit == 0 { -1.0 } else { 1.0 };
        Vector::new(sign(1) * SLAB[0], sign(2) * SLAB[1], sign(4) * SLAB[2])
    })
}

struct Level {
    world: PhysicsWorld,
    slab: RigidBodyHandle,
    collider: ColliderHandle,
    substeps: u32,
}

impl Level {
    /// `tilt`: the slab's rotation vector, radians.
    fn new(tilt: [f32; 3], height: f32, change: Change) -> Self {
        let mut world = PhysicsWorld::new();
        let substeps = if let Change::Substeps(count) = change {
            count
        } else {
            1
        };
        world.integration_parameters.dt = DT / substeps as f32;
        let floor = if change == Change::SolidFloor {
            ColliderBuilder::cuboid(FLOOR, 0.5, FLOOR).translation(Vector::new(0.0, -0.5, 0.0))
        } else {
            ColliderBuilder::trimesh(floor_vertices().to_vec(), TRIANGLES.to_vec())
                .expect("two triangles")
        };
        world.insert_collider(floor.build(), None);
        let body = RigidBodyBuilder::dynamic()
            .translation(Vector::new(0.3, height, 0.2))
            .rotation(Vector::from(tilt))
            .soft_ccd_prediction(if change == Change::SoftCcd { 0.5 } else { 0.0 })
            .ccd_enabled(true);
        let hull = ColliderBuilder::convex_hull(&slab_points()).expect("eight corners");
        let (slab, collider) = world.insert(body, hull);
        Self {
            world,
            slab,
            collider,
            substeps,
        }
    }

    fn step(&mut self) {
        for _ in 0..self.substeps {
            self.world.step();
        }
    }
}
