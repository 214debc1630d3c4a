//! avian 0.7, and 0.8 with `--cfg swept`: reads levels from standard input, writes where the bodies end. See levels.py.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use std::time::Duration;

const STEP: f64 = 1.0 / 60.0;
const DEPTH: f32 = 2.0;
const SUBSTEPS: f64 = 6.0;

fn spawn(world: &mut World, body: &[f64]) -> Entity {
    let v: Vec<f32> = body.iter().map(|value| *value as f32).collect();
    let collider = match v[1] == 0.0 {
        true => Collider::sphere(v[2]),
        false => Collider::cuboid(2.0 * v[2], 2.0 * v[3], 2.0 * DEPTH),
    };
    let motion = [RigidBody::Static, RigidBody::Kinematic, RigidBody::Dynamic][v[0] as usize];
    let place = Transform::from_xyz(v[4], v[5], 0.0).with_rotation(Quat::from_rotation_z(v[6]));
    let velocities = (LinearVelocity(Vec3::X * v[7]), AngularVelocity(Vec3::Z * v[8]));
    let sleeps = SleepingDisabled;
    let id = world.spawn((motion, collider, place, velocities, Mass(v[10]), sleeps)).id();
    #[cfg(swept)]
    world.entity_mut(id).insert(SweptCcd::default().with_filter(match v[9] == 0.0 {
        true => CcdFilter::NONE,
        false => CcdFilter::ALL,
    }));
    id
}

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let numbers: Vec<f64> = line.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let (head, bodies) = numbers.split_at(4);
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()))
            .insert_resource(Time::<Fixed>::from_hz(60.0))
            .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(STEP)))
            .insert_resource(Gravity(Vec3::Y * head[3] as f32))
            .insert_resource(SubstepCount((SUBSTEPS * head[1]) as u32));
        app.finish();
        app.cleanup();
        let world = app.world_mut();
        #[cfg(not(swept))]
        {
            let margin = if head[2] == 0.0 { 0.0 } else { f32::MAX };
            world.resource_mut::<NarrowPhaseConfig>().default_speculative_margin = margin;
        }
        let bodies: Vec<Entity> = bodies.chunks(11).map(|body| spawn(world, body)).collect();
        // The first update has no time behind it.
        for _ in 0..=head[0] as usize {
            app.update();
        }
        for body in bodies {
            let at = app.world().get::<Transform>(body).unwrap();
            let (_, _, angle) = at.rotation.to_euler(EulerRot::XYZ);
            print!("{} {} {angle} ", at.translation.x, at.translation.y);
        }
        println!();
    }
}
