//! A pile of bodies in bevy_rapier3d, recorded for two seconds, without a window.

use bevy::prelude::*;
use bevy_rapier3d::prelude::*;

fn main() {
    let path = std::env::args()
        .nth(1)
        .unwrap_or_else(|| "pile.jsonl.zst".into());
    let mut app = App::new();
    app.add_plugins((
        MinimalPlugins,
        TransformPlugin,
        RapierPhysicsPlugin::<NoUserData>::default(),
    ))
    .add_plugins(hitstop_bevy::rapier::RecordPlugin::new(path))
    // A step for each update, however long it takes.
    .insert_resource(TimestepMode::Fixed {
        dt: 1.0 / 60.0,
        substeps: 1,
    })
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
        Collider::cuboid(5.0, 0.5, 5.0),
        at(0.0, -0.5, 0.0),
    ));
    commands.spawn((
        Name::new("wall"),
        Collider::cuboid(0.01, 1.5, 2.0),
        at(4.0, 1.5, 0.0),
    ));
    for level in 0..3_u8 {
        let y = 0.35 + 0.8 * f32::from(level);
        let place = at(0.01 * f32::from(level), y, 0.0);
        commands.spawn((
            Name::new("crate"),
            RigidBody::Dynamic,
            Collider::cuboid(0.3, 0.3, 0.3),
            place,
        ));
    }
    let tilted = Quat::from_rotation_x(1.2);
    commands.spawn((
        Name::new("ball"),
        RigidBody::Dynamic,
        Collider::ball(0.3),
        at(1.5, 1.0, 0.0),
    ));
    commands.spawn((
        Name::new("capsule"),
        RigidBody::Dynamic,
        Collider::capsule_y(0.4, 0.2),
        at(-2.0, 1.5, 0.0).with_rotation(tilted),
    ));
    commands.spawn((
        Name::new("cylinder"),
        RigidBody::Dynamic,
        Collider::cylinder(0.4, 0.2),
        at(-2.0, 1.5, 2.0).with_rotation(tilted),
    ));
    let bullet = (
        Name::new("bullet"),
        RigidBody::Dynamic,
        Collider::ball(0.05),
        at(2.4, 1.5, 1.0),
    );
    commands.spawn((bullet, Velocity::linear(Vec3::X * 60.0), GravityScale(0.0)));
    commands
        .spawn((
            Name::new("dumbbell"),
            RigidBody::Dynamic,
            at(0.0, 1.0, -2.0),
        ))
        .with_children(|parts| {
            parts.spawn((Name::new("left"), Collider::ball(0.25), at(-0.5, 0.0, 0.0)));
            parts.spawn((Name::new("right"), Collider::ball(0.35), at(0.5, 0.0, 0.0)));
        });
}
