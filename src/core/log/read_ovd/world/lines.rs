//! Writes the lines of a log from the objects of the stream.

use super::super::super::json::{BodyLine, ContactLine, FrameLine, HeaderLine, Own, Up};
use super::super::super::open_fields::Open;
use super::super::super::read_json::Reader;
use super::super::commands::Names;
use super::super::objects::{
    IDENTITY, Object, chained, grouped, handles, numbers, text_of, wholes,
};
use super::MAX_POSES;
use super::{End, JOINT_COST, World};
use crate::core::problem::{Problem, Problems};
use crate::core::schema::{Axis, LogTurn, Number, Scalar, Spin, Vec3};
use glam::DVec3;

impl World<'_> {
    /// Begins a step of a scene: the first one of all begins the log.
    pub(super) fn begin_step(&mut self, scene: u64, names: &Names) -> Result<(), End> {
        if scene != *self.scene.get_or_insert(scene) {
            let what = "scenes but the first that is stepped are left out";
            let name = self.objects.get(&scene).map(|it| text_of(it, "name"));
            let name = name.filter(|name| !name.is_empty());
            self.note(what, name.unwrap_or("one without a name".to_owned()), scene);
            return Ok(());
        }
        let Some(of_scene) = self.objects.get_mut(&scene) else {
            return Ok(());
        };
        // Only steps with contacts have them.
        for name in PAIRS {
            self.held -= of_scene.values.remove(name).map_or(0, |value| value.len());
        }
        let dt = of_scene.number("elapsedTime");
        let dt = dt.filter(|dt| *dt > 0.0 && dt.is_finite());
        if self.reader.is_none() {
            self.has_contacts = names.has("pairsActors");
            self.begin_log(scene, dt).map_err(End::Failed)?;
            self.write_line(None, names);
        }
        self.step = Some(dt);
        Ok(())
    }

    fn begin_log(&mut self, scene: u64, dt: Option<f64>) -> Result<(), Problems> {
        let of_class = |class: &str| {
            let all = self.objects.values().filter(|one| &*one.class == class);
            all.min_by_key(|one| one.serial)
        };
        let scene = &self.objects[&scene];
        let gravity: Option<[f64; 3]> = scene.floats("gravity");
        let scale = [Some(scene), of_class("PxPhysics")].into_iter().flatten();
        let mut scale = scale.filter_map(|it| it.number("tolerancesScale"));
        let units = scale.find(|units| *units > 0.0 && units.is_finite());
        let length = self.options.unit.unwrap_or(1.0 / units.unwrap_or(1.0));
        let along = |axis: usize| gravity.map_or(0.0, |gravity| gravity[axis].abs());
        let steepest = [1, 2, 0]
            .into_iter()
            .reduce(|one, other| match along(other) > along(one) {
                true => other,
                false => one,
            });
        let up = self.options.up.unwrap_or(match steepest {
            Some(0) => Axis::X,
            Some(2) => Axis::Z,
            _ => Axis::Y,
        });
        let (axis, name, up) = match up {
            Axis::X => (DVec3::X, "x", Up::X),
            Axis::Y | Axis::MinusY => (DVec3::Y, "y", Up::Y),
            Axis::Z => (DVec3::Z, "z", Up::Z),
        };
        self.up = axis;
        let mut assumed = Vec::new();
        if self.options.unit.is_none() {
            assumed.push(format!("a unit of {length} m, from `tolerancesScale`"));
        }
        if self.options.up.is_none() {
            let from = match gravity {
                Some(gravity) if gravity != [0.0; 3] => "against gravity",
                _ => "as there is no gravity",
            };
            assumed.push(format!("{name} up, {from}"));
        }
        let version = of_class("PxOmniPvdMetaData").map(|it| {
            [
                "physxVersionMajor",
                "physxVersionMinor",
                "physxVersionBugfix",
            ]
            .map(|name| wholes(it.value(name)).next().unwrap_or(0).to_string())
            .join(".")
        });
        let header = HeaderLine {
            version: 1,
            name: Some(text_of(scene, "name")),
            build: None,
            dt: dt.map(own),
            flat: false,
            up: Some(up),
            unit: None,
            length: Some(own(length)),
            mirrored: None,
            scalar: Some(Scalar::F32),
            gravity: gravity.map(|gravity| Vec3::deep(gravity.map(Number))),
            engine: Some(version.map_or("PhysX".to_owned(), |version| format!("PhysX {version}"))),
            engine_version: None,
            ccd_threshold: None,
            margin: None,
            lens: None,
            objects: Vec::new(),
            ignore: Vec::new(),
            joints: Vec::new(),
            _own: None,
        };
        let mut reader = Reader::with_header(header, 1, self.file, self.folder)?;
        if !assumed.is_empty() {
            let what = format!(
                "the recording does not name its unit and its up axis; assumed: {}",
                assumed.join(", and ")
            );
            let help = "name others with --unit (cm, m, ..) and --up (x, y, z)";
            reader.notice(Problem::new(self.file, what, help));
        }
        self.reader = Some(reader);
        Ok(())
    }

    /// Writes the state after a step, or before the first one.
    pub(super) fn write_line(&mut self, step: Option<Option<f64>>, names: &Names) {
        for touched in std::mem::take(&mut self.touched) {
            for owner in self.owners.get(&touched).into_iter().flatten() {
                if let Some(actor) = self.actors.get(owner) {
                    self.changed.insert(actor.serial, *owner);
                }
            }
        }
        for handle in std::mem::take(&mut self.changed).into_values() {
            if let Some(mut actor) = self.actors.remove(&handle) {
                self.update(handle, &mut actor, names);
                self.actors.insert(handle, actor);
            }
        }
        self.spawn();
        let bodies = self.bodies(step.is_some());
        let scene = self.scene.and_then(|scene| self.objects.get(&scene));
        let scene = scene.filter(|_| step.is_some() && self.has_contacts);
        let contacts = scene.map(|scene| self.contacts(scene));
        if let Some(None) = contacts {
            let what = "the contacts of a step contradict each other, and are left out";
            self.note(what, format!("frame {}", self.frame), self.frame);
        }
        let joints = self.joints(names);
        self.cost += 1 + bodies.len() + JOINT_COST * joints.len();
        let line = FrameLine {
            frame: Some(self.frame),
            dt: step.flatten().map(own),
            bodies: Some(bodies),
            contacts: contacts.flatten(),
            joints,
            ..FrameLine::default()
        };
        self.read_line(line);
        self.frame += 1;
    }

    fn read_line(&mut self, line: FrameLine) {
        // As in JSON Lines, after the header.
        let number = self.frame as usize + 2;
        if let Some(reader) = &mut self.reader {
            reader.parsed(number, Ok(line.into()));
        }
    }

    /// Hands on the objects that begin and end with the next line.
    fn spawn(&mut self) {
        let line = std::mem::take(&mut self.line);
        if line.spawn.is_empty() && line.remove.is_empty() {
            return;
        }
        let mut line = line;
        line.remove.retain(|id| self.is_read(*id));
        self.read_line(line);
        if let Some(reader) = &mut self.reader {
            reader.set_margin(self.margins[0] + self.margins[1]);
        }
    }

    /// Whether the log took an object: its shape may be none.
    fn is_read(&self, id: u64) -> bool {
        is_known(self.reader.as_ref(), id)
    }

    /// The bodies of the actors that move.
    fn bodies(&mut self, is_step: bool) -> Vec<Open<BodyLine>> {
        let mut bodies = Vec::new();
        for handle in self.moving.values() {
            let (Some(actor), Some(object)) =
                (self.actors.get_mut(handle), self.objects.get(handle))
            else {
                continue;
            };
            // A body that the program places before each step is moved by it, step by step.
            let teleported = is_step && actor.placed && !actor.placed_before;
            if is_step {
                (actor.placed_before, actor.placed) = (actor.placed, false);
            }
            let pose = object.place("globalPose").unwrap_or(IDENTITY);
            let centre = object.pose("cMassLocalPose").unwrap_or(IDENTITY);
            let centre = chained(pose, centre).0;
            let vector = |name| object.floats(name).map(DVec3::from_array);
            let spin = vector("angularVelocity");
            let sleeper = object.handle("articulation");
            let sleeper = sleeper
                .and_then(|it| self.objects.get(&it))
                .unwrap_or(object);
            for spawned in actor.spawned.values() {
                let Some(id) = spawned.id.filter(|id| is_known(self.reader.as_ref(), *id)) else {
                    continue;
                };
                let (p, q) = chained(pose, spawned.local);
                // The velocity in the stream is that of the centre of mass.
                let turning = spin.map_or(DVec3::ZERO, |spin| spin.cross(p - centre));
                let body = BodyLine {
                    id,
                    p: p.into(),
                    q: Some(LogTurn::Quaternion(
                        (q * spawned.turn).to_array().map(Number),
                    )),
                    v: vector("linearVelocity").map(|velocity| (velocity + turning).into()),
                    w: spin.map(|spin| Spin(spin.into())),
                    teleported,
                    asleep: sleeper.value("isSleeping") == [1],
                    island: None,
                };
                bodies.push(body.into());
            }
        }
        bodies
    }

    /// The contacts of the step; `None` where they contradict each other.
    fn contacts(&self, scene: &Object) -> Option<Vec<Open<ContactLine>>> {
        let [actors, counts, points, normals, separations, shapes] =
            PAIRS.map(|name| scene.value(name));
        let vectors =
            |bytes| grouped(numbers(bytes)).map(|it: [f64; 3]| Vec3::deep(it.map(Number)));
        let mut points = vectors(points)
            .zip(vectors(normals))
            .zip(numbers(separations));
        let mut shapes = grouped::<u64, 2>(handles(shapes));
        let mut contacts = Vec::new();
        for (pair, count) in grouped::<u64, 2>(handles(actors)).zip(wholes(counts)) {
            for _ in 0..count {
                let ((point, normal), separation) = points.next()?;
                let [of_a, of_b] = shapes.next()?;
                let (a, b) = (self.object_of(pair[0], of_a), self.object_of(pair[1], of_b));
                // Those of shapes that are left out are, too.
                if let (Some((a, rest_of_a)), Some((b, rest_of_b))) = (a, b) {
                    let depth = Number(rest_of_a + rest_of_b - separation);
                    let contact = ContactLine {
                        a,
                        b,
                        point,
                        normal,
                        depth,
                        impulse: None,
                    };
                    contacts.push(contact.into());
                }
            }
        }
        Some(contacts)
    }

    /// The object of the log that is a shape of an actor, and its rest offset.
    fn object_of(&self, actor: u64, shape: u64) -> Option<(u64, f64)> {
        let id = self.actors.get(&actor)?.spawned.get(&shape)?.id?;
        let rest = self.objects.get(&shape)?.number("restOffset");
        self.is_read(id).then_some((id, rest.unwrap_or(0.0)))
    }

    /// The pairs that joints connect, and take out of collisions.
    fn joints(&self, names: &Names) -> Vec<[u64; 2]> {
        let collides = ["eBROKEN", "eCOLLISION_ENABLED"];
        let collides = collides.map(|flag| names.flag("PxConstraintFlag", flag));
        let collides = collides[0] | collides[1];
        let ids = |actor: Option<u64>| {
            let actor = actor.and_then(|handle| self.actors.get(&handle));
            let spawned = actor.into_iter().flat_map(|actor| actor.spawned.values());
            let ids = spawned.filter_map(|it| it.id);
            ids.filter(|id| self.is_read(*id))
        };
        let mut pairs = Vec::new();
        for handle in self.joints.values() {
            let Some(joint) = self.objects.get(handle) else {
                continue;
            };
            if joint.bits("constraintFlags") & collides != 0 {
                continue;
            }
            let end = |one, other| joint.handle(one).or_else(|| joint.handle(other));
            for a in ids(end("actor0", "parentLink")) {
                pairs.extend(ids(end("actor1", "childLink")).map(|b| [a, b]));
                if JOINT_COST * pairs.len() > MAX_POSES {
                    return pairs;
                }
            }
        }
        pairs
    }
}

/// The attributes of a step's contacts.
const PAIRS: [&str; 6] = [
    "pairsActors",
    "pairsContactCounts",
    "pairsContactPoints",
    "pairsContactNormals",
    "pairsContactSeparations",
    "pairsContactShapes",
];

fn own(value: f64) -> Own {
    Own(Number(value))
}

fn is_known(reader: Option<&Reader<'_>>, id: u64) -> bool {
    reader.is_some_and(|reader| reader.has(id))
}
