//! The levels in rapier: reads levels from standard input, writes logs with the recorder of this project. See ../run.py.
//!
//! An object of several colliders is logged as its parts, which have the same `body`.

use hitstop::prelude::{
    Body, DQuat, DVec3, Engine, Facing, Header, LoggedContact, Mesh, Movement, Object,
    Pose as LogPose, Recorder, Scalar, Shape, Snapshot,
};
use rapier3d::parry::query;
use rapier3d::prelude::*;
use serde_json::Value;
use std::collections::HashMap;
use std::error::Error;
use std::io::{BufRead, Write};
use std::sync::Arc;

type Fallible<T> = Result<T, Box<dyn Error>>;

fn main() -> Fallible<()> {
    let mut output = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let log = Level::new(&serde_json::from_str(&line?)?)?.run()?;
        output.write_all(&log)?;
        writeln!(output)?;
    }
    Ok(())
}

/// One collider, and the object that it is in the log.
struct Part {
    body: RigidBodyHandle,
    number: u32,
    /// Of the collider in its body.
    local: Pose,
    fixed: bool,
}

/// A body that is placed at the start of each step.
struct Moved {
    body: RigidBodyHandle,
    velocity: Vector,
    spin: Vector,
    /// Placed by its position, with velocity 0.
    by_position: bool,
    /// A character: pushed out of this body after each step.
    tests: Option<String>,
}

struct Level {
    world: PhysicsWorld,
    recorder: Recorder<Vec<u8>>,
    steps: Vec<f32>,
    parts: Vec<Part>,
    bodies: HashMap<String, RigidBodyHandle>,
    moved: Vec<Moved>,
    numbers: HashMap<ColliderHandle, u32>,
    joints: Vec<[u32; 2]>,
    time: f64,
}

impl Level {
    fn new(level: &Value) -> Fallible<Self> {
        let steps: Vec<f32> = list(&level["dts"]).map(number).collect();
        let mut world = PhysicsWorld::new();
        world.gravity = vector(&level["gravity"]);
        let objects: Vec<&Value> = list(&level["objects"]).collect();
        // By default rapier sweeps fast bodies against fixed ones; only this switches it off.
        if !objects.iter().any(|object| object["ccd"] == true) {
            world.integration_parameters.max_ccd_substeps = 0;
        }
        if let Some(margin) = level["margin"].as_f64() {
            world.integration_parameters.normalized_prediction_distance = margin as f32;
        }
        let header = Header {
            name: text(&level["name"]),
            dt: f64::from(steps[0]),
            gravity: Some(wide(world.gravity)),
            scalar: Scalar::F32,
            engine: Engine {
                name: Some("rapier".into()),
                margin: level["margin"].as_f64(),
                ..Engine::default()
            },
            ..Header::default()
        };
        let mut made = Self {
            world,
            recorder: Recorder::new(Vec::new(), header)?,
            steps,
            parts: Vec::new(),
            bodies: HashMap::new(),
            moved: Vec::new(),
            numbers: HashMap::new(),
            joints: Vec::new(),
            time: 0.0,
        };
        let logs_masks = !list(&level["hide"]).any(|field| field == "mask");
        for object in &objects {
            made.add(object, logs_masks)?;
        }
        for joint in list(&level["joints"]) {
            made.join(joint, &objects);
        }
        Ok(made)
    }

    fn add(&mut self, object: &Value, logs_masks: bool) -> Fallible<()> {
        let (name, x) = (text(&object["name"]), &object["x"]);
        let (velocity, spin) = (vector(&x["v"]), vector(&x["w"]));
        let drive = x.get("drive").map(vector);
        let builder = match object["motion"].as_str() {
            Some("fixed") => RigidBodyBuilder::fixed(),
            // A character goes where its program puts it.
            Some("kinematic") if x.get("tests").is_some() => {
                RigidBodyBuilder::kinematic_position_based()
            }
            Some("kinematic") => RigidBodyBuilder::kinematic_velocity_based(),
            _ => RigidBodyBuilder::dynamic(),
        };
        let pose = place(&object["position"], object.get("rotation"));
        let body = self.world.insert_body(
            builder
                .pose(pose)
                .linvel(velocity)
                .angvel(spin)
                .ccd_enabled(object["ccd"] == true),
        );
        if drive.is_some() || x.get("tests").is_some() {
            self.moved.push(Moved {
                body,
                velocity: drive.unwrap_or(velocity),
                spin,
                by_position: drive.is_some(),
                tests: x.get("tests").map(text),
            });
        }
        let compound = object["shape"].get("compound");
        let parts: Vec<(&Value, Pose)> = match compound {
            Some(parts) => list(parts)
                .map(|part| {
                    (
                        &part["shape"],
                        place(&part["position"], part.get("rotation")),
                    )
                })
                .collect(),
            None => vec![(&object["shape"], Pose::IDENTITY)],
        };
        for (index, (shape, local)) in parts.iter().enumerate() {
            let (collider, logged) = shapes(shape, x["smooth"] == true)?;
            let mut collider = collider
                .position(*local)
                .friction(x["friction"].as_f64().unwrap_or(0.5) as f32)
                .restitution(x["restitution"].as_f64().unwrap_or(0.0) as f32)
                .mass(object["mass"].as_f64().unwrap_or(1.0) as f32 / parts.len() as f32);
            let mut entry = Object::new(&name, logged, DVec3::ZERO);
            if let (Some(layer), Some(mask)) = (object["layer"].as_u64(), object["mask"].as_u64()) {
                let groups = [layer, mask].map(|bits| Group::from_bits_retain(bits as u32));
                collider = collider.collision_groups(InteractionGroups::new(
                    groups[0],
                    groups[1],
                    InteractionTestMode::And,
                ));
                if logs_masks {
                    (entry.layer, entry.mask) = (layer as u32, mask as u32);
                }
            }
            if compound.is_some() {
                entry.name = format!("{name} part {}", index + 1);
                entry.body = Some(name.clone());
            }
            entry.pose = log_pose(&(pose * *local));
            entry.movement = match object["motion"].as_str() {
                Some("fixed") => Movement::Fixed,
                Some("kinematic") => Movement::Kinematic,
                _ => Movement::Velocity,
            };
            entry.ccd = object.get("ccd").and_then(Value::as_bool);
            let fixed = entry.movement == Movement::Fixed;
            let number = self.recorder.add_object(entry)?;
            let collider = self.world.insert_collider(collider, Some(body));
            self.numbers.insert(collider, number);
            self.parts.push(Part {
                body,
                number,
                local: *local,
                fixed,
            });
        }
        self.bodies.insert(name, body);
        Ok(())
    }

    fn join(&mut self, joint: &Value, objects: &[&Value]) {
        let ids = [0, 1].map(|side| joint[side].as_u64().unwrap_or(0) as usize);
        let bodies = ids.map(|id| self.bodies[&text(&objects[id]["name"])]);
        let anchors = bodies.map(|body| {
            self.world.bodies[body]
                .position()
                .inverse_transform_point(vector(&joint[2]))
        });
        let ball = SphericalJointBuilder::new()
            .local_anchor1(anchors[0])
            .local_anchor2(anchors[1])
            .contacts_enabled(false);
        self.world.insert_impulse_joint(bodies[0], bodies[1], ball);
        self.joints.push(ids.map(|id| id as u32));
    }

    fn run(mut self) -> Fallible<Vec<u8>> {
        self.write(None)?;
        for dt in std::mem::take(&mut self.steps) {
            self.world.integration_parameters.dt = dt;
            for moved in &self.moved {
                let body = &mut self.world.bodies[moved.body];
                let mut pose = *body.position();
                pose.translation += moved.velocity * dt;
                if moved.tests.is_some() {
                    body.set_next_kinematic_position(pose);
                } else {
                    body.set_position(pose, true);
                }
            }
            self.world.step();
            self.push_characters();
            self.time += f64::from(dt);
            self.write(Some(f64::from(dt)))?;
        }
        Ok(self.recorder.finish()?)
    }

    /// Pushes each character out of its obstacle the shortest way, as its program would after an overlap test.
    fn push_characters(&mut self) {
        for moved in &self.moved {
            let Some(obstacle) = &moved.tests else {
                continue;
            };
            let collider = |body: RigidBodyHandle| {
                &self.world.colliders[self.world.bodies[body].colliders()[0]]
            };
            let (one, two) = (collider(moved.body), collider(self.bodies[obstacle]));
            let mut pose = *self.world.bodies[moved.body].position();
            let contact = query::contact(&pose, one.shape(), two.position(), two.shape(), 0.0);
            if let Ok(Some(contact)) = contact {
                pose.translation += contact.normal1 * contact.dist;
                self.world.bodies[moved.body].set_position(pose, true);
            }
        }
    }

    fn write(&mut self, dt: Option<f64>) -> Fallible<()> {
        let bodies: Vec<Body> = self
            .parts
            .iter()
            .filter(|part| !part.fixed)
            .map(|part| {
                let body = &self.world.bodies[part.body];
                let moved = self.moved.iter().find(|moved| moved.body == part.body);
                // A character's velocity is its program's.
                let character = moved.filter(|moved| !moved.by_position);
                let velocity = character.map_or(body.linvel(), |moved| moved.velocity);
                let spin = character.map_or(body.angvel(), |moved| moved.spin);
                let pose = *body.position() * part.local;
                let arm = pose.translation - body.center_of_mass();
                Body {
                    velocity: Some(wide(velocity + spin.cross(arm))),
                    spin: Some(wide(spin)),
                    asleep: body.is_sleeping(),
                    ..Body::new(part.number, log_pose(&pose))
                }
            })
            .collect();
        let contacts = self.contacts();
        self.recorder.snapshot(&Snapshot {
            time: Some(self.time),
            dt,
            bodies: &bodies,
            contacts: &contacts,
            joints: &self.joints,
            ..Snapshot::default()
        })?;
        Ok(())
    }

    /// All points, in a fixed order. Rapier's normal points out of the first. It keeps the points of a pair that has hardly moved,
    /// with the distances of the step in which it last computed them: here they are those of now, negative where they overlap.
    fn contacts(&self) -> Vec<LoggedContact> {
        let mut contacts = Vec::new();
        for pair in self.world.contact_pairs() {
            let (a, b) = (self.numbers[&pair.collider1], self.numbers[&pair.collider2]);
            let at = |collider: ColliderHandle| self.world.colliders[collider].position();
            for manifold in pair.manifolds() {
                let normal = manifold.data.normal;
                contacts.extend(manifold.points.iter().map(|point| {
                    let one = at(pair.collider1).transform_point(point.local_p1);
                    let two = at(pair.collider2).transform_point(point.local_p2);
                    LoggedContact {
                        a,
                        b,
                        point: wide(one),
                        normal: -wide(normal),
                        depth: f64::from((one - two).dot(normal)),
                    }
                }));
            }
        }
        contacts.sort_by_key(|contact| (contact.a, contact.b));
        contacts
    }
}

/// The shape in the engine, and in the log.
fn shapes(shape: &Value, smooth: bool) -> Fallible<(ColliderBuilder, Shape)> {
    let (kind, value) = shape
        .as_object()
        .and_then(|shape| shape.iter().next())
        .ok_or("a shape has one field")?;
    let radius = number(&value["radius"]);
    Ok(match kind.as_str() {
        "sphere" => (
            ColliderBuilder::ball(radius),
            Shape::Sphere {
                radius: f64::from(radius),
            },
        ),
        "box" => {
            let half = vector(&value["half_extents"]);
            let logged = Shape::Box {
                half_extents: wide(half),
            };
            (ColliderBuilder::cuboid(half.x, half.y, half.z), logged)
        }
        "capsule" => {
            let half = number(&value["half_height"]);
            let end = DVec3::new(0.0, f64::from(half), 0.0);
            let logged = Shape::Capsule(hitstop::prelude::Capsule {
                segment: hitstop::prelude::Segment { a: -end, b: end },
                radius: f64::from(radius),
            });
            (ColliderBuilder::capsule_y(half, radius), logged)
        }
        "mesh" => {
            let vertices: Vec<Vector> = list(&value["vertices"]).map(vector).collect();
            let corner = |corner: &Value| corner.as_u64().unwrap_or(0) as u32;
            let triangles: Vec<[u32; 3]> = list(&value["triangles"])
                .map(|triangle| [0, 1, 2].map(|index| corner(&triangle[index])))
                .collect();
            let logged = vertices.iter().copied().map(wide).collect();
            let logged = Mesh::new(logged, triangles.clone(), Facing::Both)?;
            let flags = match smooth {
                true => TriMeshFlags::FIX_INTERNAL_EDGES,
                false => TriMeshFlags::empty(),
            };
            (
                ColliderBuilder::trimesh_with_flags(vertices, triangles, flags)?,
                Shape::Mesh(Arc::new(logged)),
            )
        }
        other => return Err(format!("no shape {other}").into()),
    })
}

fn list(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn number(value: &Value) -> f32 {
    value.as_f64().unwrap_or(0.0) as f32
}

/// Three numbers; zero where there are none.
fn vector(value: &Value) -> Vector {
    Vector::from_array([0, 1, 2].map(|axis| number(&value[axis])))
}

fn place(position: &Value, rotation: Option<&Value>) -> Pose {
    let rotation = rotation.map_or(Rotation::IDENTITY, |q| {
        Rotation::from_array([0, 1, 2, 3].map(|index| number(&q[index]))).normalize()
    });
    Pose::from_parts(vector(position), rotation)
}

fn wide(vector: Vector) -> DVec3 {
    DVec3::from_array(vector.to_array().map(f64::from))
}

fn log_pose(pose: &Pose) -> LogPose {
    LogPose {
        position: wide(pose.translation),
        rotation: DQuat::from_array(pose.rotation.to_array().map(f64::from)),
    }
}
