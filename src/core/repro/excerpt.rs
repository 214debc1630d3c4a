//! Some objects of a level in some of its states, as a recording.

use crate::core::level::Level;
use crate::core::replay::{
    Body, FrameData, Joint, LoggedCamera, LoggedContact, LoggedNote, LoggedPush, MoveHit, NoteKind,
    ObjectId, Phase, RecordedFrame, Recording, StaticBody,
};
use crate::core::scene::{Camera, Lens, Movement, Object};
use crate::core::schema::MeshSource;
use std::ops::RangeInclusive;

/// What of a level a recording is made of.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// Ascending.
    pub objects: Vec<ObjectId>,
    /// Its states: frame n leads from state n to n + 1.
    pub states: RangeInclusive<u32>,
    /// With the level's camera.
    pub camera: bool,
}

/// The chosen part of a level. Times, frame numbers and what the log gives beside the states stay.
pub fn excerpt(level: &Level, choice: &Choice) -> Recording {
    let replay = &level.replay;
    let log = replay.recording().map(|log| &**log);
    let scene = replay.scene();
    let new_id = |old: ObjectId| choice.objects.binary_search(&old).ok().map(|id| id as u32);
    let names: Vec<&str> = choice.objects.iter().map(|id| name(level, *id)).collect();
    let kept = |id: &ObjectId| {
        let object = &replay.objects()[*id as usize];
        let mut object = Object {
            color: None,
            tags: Vec::new(),
            mesh: object.mesh.as_ref().map(|_| MeshSource::Inline),
            ..object.clone()
        };
        object
            .ignores
            .retain(|other| names.contains(&other.as_str()));
        object
    };
    let lens = scene.camera.as_ref().map(|camera: &Camera| Lens {
        near: camera.near,
        fov: camera.fov,
        aspect: camera.aspect,
    });
    let mut made = Recording {
        name: scene.name.clone(),
        build: log.and_then(|log| log.build.clone()),
        dt: log.map_or(scene.dt, |log| log.dt),
        gravity: log.map_or(Some(scene.gravity), |log| log.gravity),
        engine: replay.engine(),
        units: replay.units(),
        lens: log
            .and_then(|log| log.lens)
            .or(lens)
            .filter(|_| choice.camera),
        value_names: log.map_or_else(Vec::new, |log| log.value_names.clone()),
        has_bits: log.is_none_or(|log| log.has_bits),
        has_empty_contacts: log.is_some_and(Recording::logs_contacts),
        objects: choice.objects.iter().map(kept).collect(),
        ..Recording::default()
    };
    let (first, last) = (*choice.states.start(), *choice.states.end());
    for (new, old) in choice.objects.iter().enumerate() {
        if let Some(still) = still(level, *old, &choice.states) {
            made.objects[new].pose = still.pose;
            made.static_bodies.push(StaticBody {
                object: new as u32,
                from: 0,
                until: None,
            });
        }
    }
    for number in first..=last {
        let line = log.and_then(|log| log.frames.get(number as usize));
        let camera = || {
            let logged = line.and_then(|line| line.camera);
            logged.or_else(|| {
                let pose = replay.camera(number)?.pose;
                Some(LoggedCamera {
                    pose,
                    push: None,
                    teleported: false,
                })
            })
        };
        let frame = RecordedFrame {
            number: line.map_or(u64::from(number), |line| line.number),
            time: line.map_or(Some(replay.time(number)), |line| line.time),
            dt: match number.checked_sub(1) {
                Some(before) => replay.dt(before),
                None => made.dt,
            },
            gap: line.is_some_and(|line| line.gap) && number > first,
            camera: choice.camera.then(camera).flatten(),
            ..RecordedFrame::default()
        };
        made.push(
            frame,
            data(level, number, &made.static_bodies, &choice.objects, new_id),
        );
    }
    if let Some(log) = log {
        let frame_of = |index: usize| {
            let index = u32::try_from(index).ok()?;
            let inside = choice.states.contains(&index);
            inside.then(|| (index - first) as usize)
        };
        let joints = log.joints.iter().filter_map(|joint| {
            let (a, b) = (new_id(joint.a)?, new_id(joint.b)?);
            if joint.is_always() {
                return Some(Joint::always(a, b));
            }
            let from = joint.from.max(first as usize);
            let until = joint.until.min(last as usize + 1);
            let states = from.checked_sub(first as usize)?..until.checked_sub(first as usize)?;
            (!states.is_empty()).then(|| Joint::between(a, b, states))
        });
        made.joints = joints.collect();
        made.joints.sort_unstable();
        let substeps = log.substeps.iter();
        let kept = substeps.filter_map(|(frame, steps)| Some((frame_of(*frame)?, *steps)));
        made.substeps = kept.collect();
    }
    made
}

fn name(level: &Level, id: ObjectId) -> &str {
    &level.replay.objects()[id as usize].name
}

/// The body of a fixed object that is at one pose in all of the states.
fn still(level: &Level, id: ObjectId, states: &RangeInclusive<u32>) -> Option<Body> {
    if level.replay.objects()[id as usize].movement != Movement::Fixed {
        return None;
    }
    let pose = level.replay.body(*states.start(), id)?.pose;
    let stays = |number| {
        level
            .replay
            .body(number, id)
            .is_some_and(|body| body.pose == pose)
    };
    states.clone().all(stays).then(|| Body::new(id, pose))
}

/// What a state has of the chosen objects.
fn data(
    level: &Level,
    number: u32,
    still: &[StaticBody],
    objects: &[ObjectId],
    new_id: impl Fn(ObjectId) -> Option<u32>,
) -> FrameData {
    let replay = &level.replay;
    let bodies = objects.iter().zip(0..).filter_map(|(old, new)| {
        let listed = still.iter().all(|one| one.object != new);
        let body = replay.body(number, *old).filter(|_| listed)?;
        Some(Body {
            object: new,
            pose: body.pose,
            velocity: body.velocity,
            spin: body.spin,
            teleported: body.teleported,
            asleep: body.asleep,
            island: None,
        })
    });
    let mut data = FrameData {
        bodies: bodies.collect(),
        ..FrameData::default()
    };
    let Some(log) = replay.recording() else {
        // The pushes that led to the state.
        if let Some(before) = number.checked_sub(1) {
            for phase in &replay.frame(before).phases {
                if let Phase::Push { object, push, .. } = phase
                    && let Some(object) = new_id(*object)
                {
                    data.pushes.push(LoggedPush {
                        object,
                        push: *push,
                    });
                }
            }
        }
        return data;
    };
    let events = log.data.events(number as usize);
    for (number, contact) in events.contacts.iter().enumerate() {
        if let (Some(a), Some(b)) = (new_id(contact.a), new_id(contact.b)) {
            let contact = LoggedContact { a, b, ..*contact };
            data.contacts
                .push_with(contact, events.contacts.impulse(number));
        }
    }
    for push in &events.pushes {
        if let Some(object) = new_id(push.object) {
            data.pushes.push(LoggedPush { object, ..*push });
        }
    }
    for query in &events.queries {
        let by = query.object.and_then(&new_id);
        let on = query.hit.as_ref().map(|hit| new_id(hit.object));
        if on != Some(None) && (by.is_some() || query.object.is_none()) {
            let mut query = query.clone();
            query.object = by;
            if let (Some(hit), Some(Some(object))) = (&mut query.hit, on) {
                hit.object = object;
            }
            data.queries.push(query);
        }
    }
    for note in log.data.notes(number as usize) {
        let object = note.object.map(&new_id);
        if object != Some(None) {
            let mut kind = note.kind;
            if let NoteKind::Move(made) = &mut kind {
                for sweep in &mut made.sweeps {
                    let met = sweep.hit.and_then(|hit| Some((hit, new_id(hit.object)?)));
                    sweep.hit = met.map(|(hit, object)| MoveHit { object, ..hit });
                }
            }
            data.notes.push(LoggedNote {
                object: object.flatten(),
                text: note.text,
                kind,
            });
        }
    }
    data
}
