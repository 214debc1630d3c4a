//! Rays straight down sometimes pass a height field.
//! https://github.com/dimforge/rapier/issues/165
//!
//! A drone flies diagonally over a terrain and measures its height with a ray. `--fixed`: the same triangles as a mesh.

use hitstop_gallery_rapier::{Command, Log, json};
use rapier3d::parry::utils::Array2;
use rapier3d::prelude::*;
use std::error::Error;

/// Metres between two heights, and how many there are in a row.
const CELL: f32 = 1.0;
const COUNT: usize = 6;
const SIZE: f32 = CELL * (COUNT - 1) as f32;
const ALTITUDE: f32 = 3.0;

fn main() -> Result<(), Box<dyn Error>> {
    match Command::from_arguments()? {
        Command::Record { path, fixed } => record(&path, fixed)?,
        Command::Phases => {
            for (name, fixed) in [("height field", false), ("--fixed, a mesh", true)] {
                let world = world(fixed);
                // Every quarter of a metre inside the terrain.
                let places =
                    (-9..10).flat_map(|i| (-9..10).map(move |j| [i, j].map(|n| n as f32 * 0.25)));
                let missed = places.filter(|&[x, z]| cast(&world, x, z).is_none());
                println!("{name}: {} of 361 rays miss", missed.count());
            }
        }
    }
    Ok(())
}

/// The height at a corner, `i` along z and `j` along x.
fn height(i: usize, j: usize) -> f32 {
    ((i * 7 + j * 5) % 4) as f32 * 0.25
}

/// The terrain as a height field, and as a mesh of the same triangles.
fn colliders() -> (Collider, Collider) {
    let mut heights = Array2::repeat(COUNT, COUNT, 0.0);
    for i in 0..COUNT {
        for j in 0..COUNT {
            heights[(i, j)] = height(i, j);
        }
    }
    let field = ColliderBuilder::heightfield(heights, Vector::new(SIZE, 1.0, SIZE)).build();
    let field_shape = field.shape().as_heightfield().expect("built above");
    let (vertices, triangles) = field_shape.to_trimesh();
    let mesh = ColliderBuilder::trimesh(vertices, triangles).expect("it has triangles");
    (field, mesh.build())
}

fn world(fixed: bool) -> PhysicsWorld {
    let (field, mesh) = colliders();
    let mut world = PhysicsWorld::new();
    world.insert_collider(if fixed { mesh } else { field }, None);
    world.step();
    world
}

fn cast(world: &PhysicsWorld, x: f32, z: f32) -> Option<RayIntersection> {
    let ray = Ray::new(Vector::new(x, ALTITUDE, z), Vector::NEG_Y);
    let hit = world
        .query_pipeline()
        .cast_ray_and_get_normal(&ray, ALTITUDE + 1.0, true)?;
    Some(hit.1)
}

fn record(path: &str, fixed: bool) -> Result<(), Box<dyn Error>> {
    let world = world(fixed);
    // Logged as the mesh in both cases, since a log does not say along which diagonal the cells of a height field are split.
    let mesh = colliders().1;
    let mesh = mesh.shape().as_trimesh().expect("built above");
    let vertices: Vec<[f32; 3]> = mesh.vertices().iter().map(|at| at.to_array()).collect();
    let triangles = mesh.indices();
    let mut log = Log::create(path)?;
    log.line(&format!(
        r#"{{"hitstop":1,"name":"Rays through a terrain","dt":{},"scalar":"f32","engine":"rapier","objects":[{{"id":0,"name":"terrain","shape":{{"mesh":{{"vertices":{vertices:?},"triangles":{triangles:?}}}}},"motion":"fixed"}},{{"id":1,"name":"drone","shape":{{"sphere":{{"radius":0.1}}}},"motion":"kinematic"}}]}}"#,
        1.0 / 60.0_f32
    ))?;
    for frame in 0..13_u32 {
        let x = -2.25 + frame as f32 * 0.25;
        let z = -1.5 - x;
        let hit = cast(&world, x, z).map_or("null".into(), |hit| {
            let fraction = hit.time_of_impact / (ALTITUDE + 1.0);
            format!(
                r#"{{"id":0,"fraction":{fraction},"normal":{}}}"#,
                json(hit.normal)
            )
        });
        let at = format!("[{x},{ALTITUDE},{z}]");
        let body = format!(r#"{{"id":1,"p":{at}}}"#);
        let query = format!(
            r#","queries":[{{"kind":"ray","id":1,"from":{at},"to":[{x},-1,{z}],"hit":{hit}}}]"#
        );
        log.frame(frame, &[body], &query)?;
    }
    Ok(())
}
