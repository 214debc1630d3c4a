//! A pile of bodies in avian3d, recorded for two seconds, without a window.

use avian3d::prelude::*;
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use std::time::Duration;

fn main() {
    let path = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "pile.jsonl.zst".into());
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, TransformPlugin, PhysicsPlugins::default()))
        .add_plugins(hitstop_bevy::avian::RecordPlugin::new(path))
        .insert_resource(Time::<Fixed>::from_hz(60.0))
        // A step for each update, however long it takes.
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(
            1.0 / 60.0,
        )))
        .add_systems(Startup, level);
    app.finish();
    app.cleanup();
    for _ in 0..120 {
        app.update();
    }
}

fn level(mut commands: Commands) {
    let at = Transform::from_xyz;
    commands.spawn((
        Name::new("floor"),
        RigidBody::Static,
        Collider::cuboid(10.0, 1.0, 10.0),
        at(0.0, -0.5, 0.0),
    ));
    commands.spawn((
        Name::new("wall"),
        RigidBody::Static,
        Collider::cuboid(0.02, 3.0, 4.0),
        at(4.0, 1.5, 0.0),
    ));
    for level in 0..3_u8 {
        let y = 0.35 + 0.8 * f32::from(level);
        let place = at(0.01 * f32::from(level), y, 0.0);
        commands.spawn((
            Name::new("crate"),
            RigidBody::Dynamic,
            Collider::cuboid(0.6, 0.6, 0.6),
            place,
        ));
    }
    let tilted = Quat::from_rotation_x(1.2);
    commands.spawn((
        Name::new("ball"),
        RigidBody::Dynamic,
        Collider::sphere(0.3),
        at(1.5, 1.0, 0.0),
    ));
    commands.spawn((
        Name::new("capsule"),
        RigidBody::Dynamic,
        Collider::capsule(0.2, 0.8),
        at(-2.0, 1.5, 0.0).with_rotation(tilted),
    ));
    commands.spawn((
        Name::new("cylinder"),
        RigidBody::Dynamic,
        Collider::cylinder(0.2, 0.8),
        at(-2.0, 1.5, 2.0).with_rotation(tilted),
    ));
    let bullet = (
        Name::new("bullet"),
        RigidBody::Dynamic,
        Collider::sphere(0.05),
        at(2.4, 1.5, 1.0),
    );
    commands.spawn((
        bullet,
        LinearVelocity(Vec3::X * 60.0),
        GravityScale(0.0),
        SweptCcd::default().with_filter(CcdFilter::NONE),
    ));
    commands
        .spawn((
            Name::new("dumbbell"),
            RigidBody::Dynamic,
            at(0.0, 1.0, -2.0),
        ))
        .with_children(|parts| {
            parts.spawn((
                Name::new("left"),
                Collider::sphere(0.25),
                at(-0.5, 0.0, 0.0),
            ));
            parts.spawn((
                Name::new("right"),
                Collider::sphere(0.35),
                at(0.5, 0.0, 0.0),
            ));
        });
}
