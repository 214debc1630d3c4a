//! The recorder of avian3d 0.8: every collider, after each step. With 0.7 a `ColliderTransform` has a `Rotation`, `place.rotation.0`, and there is
//! no filter: a body with `SweptCcd` has `ccd: Some(true)`, others none.

use crate::log::{Log, wide, wide_rotation};
use avian3d::dynamics::rigid_body::mass_properties::components::{
    ComputedCenterOfMass, ComputedMass,
};
use avian3d::parry;
use avian3d::prelude::{
    AngularVelocity, CcdFilter, Collider, ColliderOf, ColliderTransform, CollisionLayers,
    Collisions, Gravity, LinearVelocity, NarrowPhaseConfig, PhysicsLengthUnit, PhysicsSchedule,
    PhysicsStepSystems, Position, RigidBody, Rotation, Sensor, Sleeping, SweptCcd,
};
use bevy::prelude::*;
use hitstop::prelude::{
    Body, DVec3, Engine, Header, LoggedContact, Movement, Object, Pose, Scalar,
};
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

impl Plugin for RecordPlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(Log::new(&self.path));
        app.add_systems(PhysicsSchedule, record.in_set(PhysicsStepSystems::Last));
    }
}

type ColliderData<'a> = (
    Entity,
    &'a Collider,
    &'a ColliderOf,
    Option<&'a ColliderTransform>,
    Option<&'a Name>,
    Option<&'a CollisionLayers>,
    Has<Sensor>,
);

type BodyData<'a> = (
    &'a RigidBody,
    &'a Position,
    &'a Rotation,
    Option<&'a LinearVelocity>,
    Option<&'a AngularVelocity>,
    Option<&'a ComputedMass>,
    Option<&'a ComputedCenterOfMass>,
    Has<Sleeping>,
    Option<&'a SweptCcd>,
);

fn record(
    mut log: ResMut<Log>,
    time: Res<Time>,
    gravity: Res<Gravity>,
    (narrow_phase, unit): (Res<NarrowPhaseConfig>, Res<PhysicsLengthUnit>),
    colliders: Query<ColliderData>,
    rigid_bodies: Query<BodyData>,
    collisions: Collisions,
) {
    let dt = time.delta_secs_f64();
    if dt <= 0.0 {
        return;
    }
    log.open(|| Header {
        name: "Bevy with avian3d".into(),
        dt,
        gravity: Some(wide(gravity.0.to_array())),
        scalar: Scalar::F32,
        engine: Engine {
            name: Some("avian".into()),
            version: Some("0.8".into()),
            margin: Some(f64::from(unit.0 * narrow_phase.contact_tolerance)),
            ..Engine::default()
        },
        ..Header::default()
    });
    let mut bodies = Vec::new();
    for (entity, collider, owner, place, name, layers, sensor) in &colliders {
        let Ok(owned) = rigid_bodies.get(owner.body) else {
            continue;
        };
        let (rigid, position, rotation, velocity, spin, mass, centre, asleep, swept) = owned;
        let body = Pose {
            position: wide(position.0.to_array()),
            rotation: wide_rotation(rotation.0.to_array()),
        };
        let part = place.map_or(Pose::IDENTITY, |place| Pose {
            position: wide(place.translation.to_array()),
            rotation: wide_rotation(place.rotation.to_array()),
        });
        let pose = Pose {
            position: body.position + body.rotation * part.position,
            rotation: body.rotation * part.rotation,
        };
        let number = log.number(entity, || {
            let shape = parry_shape::logged(&**collider.shape_scaled())?;
            let name = name.map_or("collider", |name| name.as_str());
            Some(Object {
                pose,
                movement: match rigid {
                    RigidBody::Dynamic => Movement::Velocity,
                    RigidBody::Static => Movement::Fixed,
                    RigidBody::Kinematic => Movement::Kinematic,
                },
                mass: mass
                    .map_or(1.0, |mass| f64::from(mass.value()))
                    .clamp(1e-9, 1e12),
                layer: layers.map_or(1, |layers| layers.memberships.0),
                mask: layers.map_or(u32::MAX, |layers| layers.filters.0),
                body: Some(format!("body {}", owner.body)),
                ccd: swept.and_then(ccd),
                sensor,
                ..Object::new(name, shape, DVec3::ZERO)
            })
        });
        if let Some(number) = number
            && *rigid != RigidBody::Static
        {
            let linear = velocity.map_or(DVec3::ZERO, |velocity| wide(velocity.0.to_array()));
            let spin = spin.map_or(DVec3::ZERO, |spin| wide(spin.0.to_array()));
            let centre = centre.map_or(DVec3::ZERO, |centre| wide(centre.0.to_array()));
            let arm = pose.position - body.position - body.rotation * centre;
            bodies.push(Body {
                velocity: Some(linear + spin.cross(arm)),
                spin: Some(spin),
                asleep,
                ..Body::new(number, pose)
            });
        }
    }
    let mut contacts = Vec::new();
    for pair in collisions.iter() {
        // The normal leads from the first to the second.
        let (Some(b), Some(a)) = (log.known(pair.collider1), log.known(pair.collider2)) else {
            continue;
        };
        for manifold in &pair.manifolds {
            contacts.extend(manifold.points.iter().map(|point| LoggedContact {
                a,
                b,
                point: wide(point.point.to_array()),
                normal: wide(manifold.normal.to_array()),
                depth: f64::from(point.penetration),
            }));
        }
    }
    contacts.sort_by_key(|contact| (contact.a, contact.b));
    log.frame(dt, &bodies, &contacts);
}

/// Known where the body has a filter of its own: each other one is swept against bodies that are not dynamic.
fn ccd(swept: &SweptCcd) -> Option<bool> {
    match swept.filter {
        CcdFilter::NONE => Some(false),
        filter => filter.contains(CcdFilter::DYNAMIC).then_some(true),
    }
}
