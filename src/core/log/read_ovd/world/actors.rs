//! The objects of the log that an actor is: one for each of its shapes.

use super::super::commands::Names;
use super::super::objects::{IDENTITY, Object, chained, text_of};
use super::super::shapes::{Made, shape_of};
use super::{Actor, MAX_POSES, PAIR_COST, Spawned, State, UPDATE_COST, World};
use crate::core::schema::{BodyName, LogTurn, MotionWord, Number, ObjectLine};
use crate::core::tolerance::MAX_SCENE_OBJECTS;
use glam::DQuat;

const FILTERS: &str = "shapes have filter data, by which the program decides which pairs collide: how is not in the recording, so that all pairs are judged";

impl World<'_> {
    /// Compares an actor with its objects in the log.
    pub(super) fn update(&mut self, handle: u64, actor: &mut Actor, names: &Names) {
        self.cost += UPDATE_COST * (1 + actor.shapes.len());
        let mut old = std::mem::take(&mut actor.spawned);
        for (part, shape, state) in self.states(handle, actor, names) {
            let spawned = match old.remove(&shape) {
                Some(same) if same.state == state => same,
                other => {
                    self.remove(other);
                    self.new_object((handle, &*actor), (part, shape), state, names)
                }
            };
            let local = self.objects[&shape].place("localPose");
            let local = local.unwrap_or(IDENTITY);
            actor.spawned.insert(shape, Spawned { local, ..spawned });
        }
        self.remove(old.into_values());
        let moves = |it: &Spawned| it.state.motion != MotionWord::Fixed;
        match actor.spawned.values().any(moves) {
            true => self.moving.insert(actor.serial, handle),
            false => self.moving.remove(&actor.serial),
        };
    }

    /// The shapes of an actor that collide at present.
    fn states(&mut self, handle: u64, actor: &Actor, names: &Names) -> Vec<(usize, u64, State)> {
        let object = &self.objects[&handle];
        let has = |of: Option<&Object>, name: &str, class: &str, flag: &str| {
            of.is_some_and(|it| it.bits(name) & names.flag(class, flag) != 0)
        };
        let of_body = |flag| has(Some(object), "rigidBodyFlags", "PxRigidBodyFlag", flag);
        let articulation = object.handle("articulation");
        let in_scene = actor
            .scene
            .or_else(|| self.articulations.get(&articulation?).copied());
        let is_off = has(Some(object), "flags", "PxActorFlag", "eDISABLE_SIMULATION");
        if in_scene != self.scene || is_off {
            return Vec::new();
        }
        let articulation = articulation.and_then(|it| self.objects.get(&it));
        let is_base = object.handle("inboundJoint").is_none()
            && has(
                articulation,
                "articulationFlags",
                "PxArticulationFlag",
                "eFIX_BASE",
            );
        let Some(pose) = object.place("globalPose") else {
            self.note(
                "actors without a pose are left out",
                text_of(object, "name"),
                handle,
            );
            return Vec::new();
        };
        let motion = match &*object.class {
            "PxRigidStatic" => MotionWord::Fixed,
            _ if is_base || of_body("eKINEMATIC") => MotionWord::Kinematic,
            _ => MotionWord::Dynamic,
        };
        let mut ccd = of_body("eENABLE_CCD");
        let scene = self.scene.and_then(|scene| self.objects.get(&scene));
        let mut notes = Vec::new();
        if ccd && !has(scene, "flags", "PxSceneFlag", "eENABLE_CCD") {
            ccd = false;
            notes.push((
                "eENABLE_CCD of a body has no effect, as the scene does not have the flag of that name",
                handle,
            ));
        }
        if actor.shapes.is_empty() {
            notes.push(("bodies without a shape are left out", handle));
        }
        let mut states = Vec::new();
        for (part, shape) in actor.shapes.values().enumerate() {
            let of_shape = self.objects.get(shape);
            let flag = |name| has(of_shape, "shapeFlags", "PxShapeFlag", name);
            let is_sensor = flag("eTRIGGER_SHAPE");
            let Some(of_shape) = of_shape else { continue };
            if !is_sensor && !flag("eSIMULATION_SHAPE") {
                notes.push(("shapes are only for queries, and left out", *shape));
                continue;
            }
            if of_shape
                .value("simulationFilterData")
                .iter()
                .take(16)
                .any(|it| *it != 0)
            {
                notes.push((FILTERS, *shape));
            }
            let local = of_shape.place("localPose").unwrap_or(IDENTITY);
            let state = State {
                version: (of_shape.serial, of_shape.version),
                motion,
                ccd,
                is_sensor,
                is_part: actor.shapes.len() > 1,
                pose: (motion == MotionWord::Fixed).then(|| chained(pose, local)),
            };
            states.push((part, *shape, state));
        }
        let name = text_of(object, "name");
        for (what, which) in notes {
            self.note(what, name.clone(), which);
        }
        states
    }

    /// A new object of the log.
    fn new_object(
        &mut self,
        (handle, actor): (u64, &Actor),
        (part, shape): (usize, u64),
        state: State,
        names: &Names,
    ) -> Spawned {
        self.cost += PAIR_COST;
        let name = text_of(&self.objects[&handle], "name");
        let name = self.free_name(match (name.trim(), state.is_part) {
            ("", _) => "actor".to_owned(),
            (_, true) => format!("{name} part {part}"),
            (_, false) => name,
        });
        let body = state.is_part.then_some(BodyName::Number(actor.serial));
        let of_shape = &self.objects[&shape];
        let offset = |name| {
            of_shape
                .number(name)
                .filter(|it| it.is_finite())
                .unwrap_or(0.0)
        };
        let rest = offset("restOffset");
        let margin = offset("contactOffset") - rest;
        let geometry = of_shape.handle("geom").unwrap_or(0);
        let made = match self.ids < MAX_SCENE_OBJECTS as u64 {
            true => shape_of(&self.objects, geometry, (rest, self.up), self.room),
            false => Err(format!("as up to {MAX_SCENE_OBJECTS} objects are read")),
        };
        let mut spawned = Spawned {
            state,
            id: None,
            local: IDENTITY,
            turn: DQuat::IDENTITY,
        };
        let Made {
            text,
            turn,
            size,
            inexact,
        } = match made {
            Ok(made) => made,
            Err(why) => {
                self.note(format!("shapes are left out, {why}"), name, shape);
                return spawned;
            }
        };
        if let Some(inexact) = inexact {
            self.note(inexact, name.clone(), shape);
        }
        self.room = self.room.saturating_sub(size);
        let [largest, second] = self.margins;
        self.margins = match margin > largest {
            true => [margin, largest],
            false => [largest, second.max(margin)],
        };
        let id = self.ids;
        self.ids += 1;
        (spawned.id, spawned.turn) = (Some(id), turn);
        let (position, rotation) = spawned.state.pose.unwrap_or(IDENTITY);
        let State {
            motion,
            ccd,
            is_sensor,
            ..
        } = spawned.state;
        let mass = self.objects[&handle].number("mass");
        let object = ObjectLine {
            id,
            name: Some(name),
            shape: text,
            motion: Some(motion),
            position: Some(position.into()),
            rotation: Some(LogTurn::Quaternion(
                (rotation * turn).to_array().map(Number),
            )),
            ccd: (motion != MotionWord::Fixed).then_some(ccd),
            scale: None,
            layer: None,
            mask: None,
            body,
            sensor: is_sensor,
            character: false,
            one_way: None,
            mass: mass
                .filter(|mass| *mass > 0.0 && mass.is_finite())
                .map(Number),
            color: None,
            tags: Vec::new(),
        };
        self.line.spawn.push(object.into());
        self.exclude((handle, actor), id, names);
        spawned
    }

    /// Excludes an object from collisions with those of its aggregate or articulation, where that has none of its own.
    fn exclude(&mut self, (handle, actor): (u64, &Actor), id: u64, names: &Names) {
        let of = |group: &u64| self.objects.get(group);
        let articulation = self.objects[&handle].handle("articulation");
        let flag = names.flag("PxArticulationFlag", "eDISABLE_SELF_COLLISION");
        let articulation = articulation
            .filter(|group| of(group).is_some_and(|it| it.bits("articulationFlags") & flag != 0));
        let aggregate = actor
            .aggregate
            .filter(|group| of(group).is_some_and(|it| it.value("selfCollision") == [0]));
        for group in [articulation, aggregate].into_iter().flatten() {
            let members = self.groups.entry(group).or_default();
            self.cost += PAIR_COST * members.len();
            if self.cost > MAX_POSES {
                return;
            }
            let others = members.iter().filter(|(other, _)| *other != handle);
            self.line
                .ignore
                .extend(others.map(|(_, other)| [*other, id]));
            members.push((handle, id));
        }
    }

    /// A name that no other object has: actors may share one, and be several objects.
    fn free_name(&mut self, name: String) -> String {
        let count = self.names.entry(name.clone()).or_default();
        *count += 1;
        match count {
            1 => name,
            count => format!("{name} ({count})"),
        }
    }
}
