//! The recorder of bevy_rapier3d: every collider, after each step.

use crate::log::{Log, wide};
use bevy::prelude::*;
use bevy_rapier3d::parry;
use bevy_rapier3d::plugin::{PhysicsSet, RapierConfiguration, ReadRapierContext};
use bevy_rapier3d::rapier::prelude::{ColliderHandle, RigidBody, RigidBodyType};
use hitstop::prelude::{Body, DVec3, Engine, Header, LoggedContact, Movement, Object, Scalar};
use parry_shape::at;
use std::path::PathBuf;

#[path = "parry_shape.rs"]
mod parry_shape;

/// Records the app's colliders into a file.
pub struct RecordPlugin {
    path: PathBuf,
}

impl RecordPlugin {
    /// A name that ends in `.zst` or `.gz` compresses.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into() }
    }
}

/// Physics in another schedule than `PostUpdate` need the system in that one, and a step of fixed length.
impl Plugin for RecordPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Log::new(&self.path));
        app.add_systems(PostUpdate, record.after(PhysicsSet::Writeback));
    }
}

fn record(
    mut log: ResMut<Log>,
    context: ReadRapierContext,
    configuration: Query<&RapierConfiguration>,
    names: Query<&Name>,
) {
    let Ok(context) = context.single() else {
        return;
    };
    let parameters = &context.simulation.integration_parameters;
    let dt = f64::from(parameters.dt);
    log.open(|| Header {
        name: "Bevy with bevy_rapier3d".into(),
        dt,
        gravity: configuration
            .iter()
            .next()
            .map(|it| wide(it.gravity.to_array())),
        scalar: Scalar::F32,
        engine: Engine {
            name: Some("rapier".into()),
            margin: Some(f64::from(parameters.prediction_distance())),
            ..Engine::default()
        },
        ..Header::default()
    });
    let (colliders, rigid_bodies) = (&context.colliders.colliders, &context.rigidbody_set.bodies);
    let entity = |handle: ColliderHandle| context.colliders.collider_entity(handle);
    let mut bodies = Vec::new();
    for (handle, collider) in colliders.iter() {
        let Some(entity) = entity(handle) else {
            continue;
        };
        let owner = collider
            .parent()
            .and_then(|parent| rigid_bodies.get(parent));
        let kind = owner.map_or(RigidBodyType::Fixed, RigidBody::body_type);
        let pose = at(collider.position());
        let number = log.number(entity, || {
            let shape = parry_shape::logged(collider.shape())?;
            let name = names.get(entity).map_or("collider", |name| name.as_str());
            let groups = collider.collision_groups();
            Some(Object {
                pose,
                movement: match kind {
                    RigidBodyType::Dynamic => Movement::Velocity,
                    RigidBodyType::Fixed => Movement::Fixed,
                    _ => Movement::Kinematic,
                },
                mass: owner
                    .map_or(1.0, |body| f64::from(body.mass()))
                    .clamp(1e-9, 1e12),
                layer: groups.memberships.bits(),
                mask: groups.filter.bits(),
                body: collider
                    .parent()
                    .map(|parent| format!("body {}", parent.into_raw_parts().0)),
                ccd: owner.map(RigidBody::is_ccd_enabled),
                sensor: collider.is_sensor(),
                ..Object::new(name, shape, DVec3::ZERO)
            })
        });
        if let (Some(number), Some(owner)) = (number, owner)
            && kind != RigidBodyType::Fixed
        {
            let velocity = owner.velocity_at_point(collider.position().translation);
            bodies.push(Body {
                velocity: Some(wide(velocity.to_array())),
                spin: Some(wide(owner.angvel().to_array())),
                asleep: owner.is_sleeping(),
                ..Body::new(number, pose)
            });
        }
    }
    let known = |handle: ColliderHandle| entity(handle).and_then(|entity| log.known(entity));
    let mut contacts = Vec::new();
    for pair in context.simulation.narrow_phase.contact_pairs() {
        let (Some(a), Some(b)) = (known(pair.collider1), known(pair.collider2)) else {
            continue;
        };
        let at = |handle: ColliderHandle| colliders[handle].position();
        for manifold in pair.manifolds() {
            // Rapier's normal points out of the first. A pair that has hardly moved keeps its points with the distances of an earlier
            // step: here they are those of now.
            let normal = manifold.data.normal;
            contacts.extend(manifold.points.iter().map(|point| {
                let one = at(pair.collider1).transform_point(point.local_p1);
                let two = at(pair.collider2).transform_point(point.local_p2);
                LoggedContact {
                    a,
                    b,
                    point: wide(one.to_array()),
                    normal: -wide(normal.to_array()),
                    depth: f64::from((one - two).dot(normal)),
                }
            }));
        }
    }
    contacts.sort_by_key(|contact| (contact.a, contact.b));
    log.frame(dt, &bodies, &contacts);
}
