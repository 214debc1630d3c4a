//! Frames of a recording: the log's bodies, merged with the scene's objects.

use super::frame::{PushesByObject, StartBoxes};
use super::player::lock;
use super::step::camera::{self, CameraStep};
use super::step::{WHOLE_ADVANCE, body_at, keyframe_body, whole_step};
use super::{
    Body, BodyState, CameraState, Frame, FrameMotion, FrameState, ObjectId, Phase, Recording,
};
use crate::core::query::probe::ProbeAnswer;
use crate::core::scene::{Movement, Object, Objects, Scene, ignore_pairs};
use crate::core::shape::{Motion, Pose};
use glam::DVec3;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Data of a recording's frames besides the recording.
#[derive(Debug)]
pub struct RecordingFrames {
    recording: Arc<Recording>,
    /// Seconds from the first state, by state.
    times: Vec<f64>,
    /// The log's time of its first state, if `times` are the log's.
    pub start_time: f64,
    /// True when the log carries the camera itself.
    pub logs_camera: bool,
    /// States of the scene's camera so far: its pushes add up from the beginning.
    cameras: Mutex<Vec<CameraState>>,
}

impl RecordingFrames {
    /// Of a recording, for a scene.
    pub fn new(scene: &Scene, recording: Arc<Recording>) -> Self {
        let (start_time, times) = times(&recording);
        Self {
            times,
            start_time,
            logs_camera: recording.frames.iter().any(|frame| frame.camera.is_some()),
            cameras: Mutex::new(scene.camera.iter().map(camera::first).collect()),
            recording,
        }
    }

    /// Number of intervals.
    pub fn frames(&self) -> u32 {
        self.times.len().saturating_sub(1) as u32
    }

    /// Seconds of an interval.
    pub fn dt(&self, frame: u32) -> f64 {
        let next = self.recording.frames.get(frame as usize + 1);
        next.map_or(self.recording.dt, |next| next.dt)
    }

    /// Seconds at a state.
    pub fn time(&self, frame: u32) -> f64 {
        self.times.get(frame as usize).copied().unwrap_or(0.0)
    }

    /// State `number`; objects that only the scene has stay, or follow their keyframes.
    pub fn state(&self, objects: &Objects, number: u32) -> FrameState {
        let mut bodies: Vec<(ObjectId, BodyState)> = Vec::new();
        if (number as usize) < self.recording.frames.len() {
            self.recording.visit_bodies(number as usize, |body| {
                if (body.object as usize) < objects.len() {
                    bodies.push((body.object, state_of(body)));
                }
            });
        }
        let unlogged = self.recording.objects.len()..objects.len();
        bodies.extend(unlogged.map(|id| (id as ObjectId, self.unlogged(&objects[id], number))));
        bodies.into_iter().collect()
    }

    /// The body of an object in state `number`, as [`Self::state`] has it.
    pub fn body(&self, objects: &Objects, number: u32, id: ObjectId) -> Option<BodyState> {
        let object = objects.get(id as usize)?;
        match (id as usize) < self.recording.objects.len() {
            true => self
                .recording
                .body_at(number as usize, id)
                .map(|body| state_of(&body)),
            false => Some(self.unlogged(object, number)),
        }
    }

    /// The body of an object that only the scene has.
    fn unlogged(&self, object: &Object, number: u32) -> BodyState {
        match &object.movement {
            Movement::Keyframes(keyframes) => {
                keyframe_body(keyframes, number, self.dt(number), object.pose)
            }
            _ => body_at(object.pose, DVec3::ZERO, DVec3::ZERO),
        }
    }

    /// Frame `number`, between two states; the candidates and their sweep only if it `sweeps`.
    pub fn frame(
        &self,
        (scene, objects): (&Scene, &Objects),
        number: u32,
        [start, end]: [Arc<FrameState>; 2],
        sweeps: bool,
    ) -> Frame {
        let pushes = self.pushes(number);
        let motion = match self.is_gap(number) {
            true => FrameMotion::Segments(Vec::new()),
            false => FrameMotion::BetweenStates(PushesByObject::new(pushes.clone())),
        };
        let motion_of = |id: ObjectId| motion.whole(id, &start, &end);
        let are_joined = |a, b| self.recording.are_joined(number as usize, a, b);
        let mut phases = match sweeps {
            true => whole_step(objects, start.ids(), motion_of, are_joined),
            false => vec![Phase::Start, WHOLE_ADVANCE],
        };
        push_phases(&pushes, motion_of, &end, &mut phases);
        let camera = self.camera_step(scene, objects, number, &end);
        phases.extend(camera.as_ref().and_then(|(_, phase)| phase.clone()));
        phases.push(Phase::End);
        Frame {
            number,
            dt: self.dt(number),
            start,
            end,
            motion,
            phases,
            camera: camera.map(|(moved, _)| moved),
            gave_up: false,
            start_boxes: StartBoxes::default(),
        }
    }

    /// True when frames are missing between state `number` and the next, so that the motion is unknown.
    fn is_gap(&self, number: u32) -> bool {
        let next = self.recording.frames.get(number as usize + 1);
        next.is_some_and(|next| next.gap)
    }

    /// Logged pushes between state `number` and the next; those that are not finite are ignored.
    fn pushes(&self, number: u32) -> Vec<(u32, DVec3)> {
        let data = self.recording.data.events(number as usize + 1);
        let finite = data.pushes.iter().filter(|push| push.push.is_finite());
        finite.map(|push| (push.object, push.push)).collect()
    }

    /// The camera at a state.
    pub fn camera(&self, scene: &Scene, objects: &Objects, number: u32) -> Option<CameraState> {
        if self.logs_camera {
            let logged = self.recording.frames.get(number as usize)?.camera?;
            return Some(CameraState { pose: logged.pose });
        }
        let camera = scene.camera.as_ref()?;
        let mut cameras = lock(&self.cameras);
        while cameras.len() <= number as usize {
            let before = cameras.len() as u32 - 1;
            let end = self.state(objects, before + 1);
            let last = cameras.last()?;
            let step = camera::step(camera, last, before, self.dt(before), objects, &end);
            cameras.push(CameraState { pose: step.end });
        }
        cameras.get(number as usize).copied()
    }

    /// The camera's motion and end over a frame, and the phase of its push; `None` across a gap or a cut.
    fn camera_step(
        &self,
        scene: &Scene,
        objects: &Objects,
        number: u32,
        end: &FrameState,
    ) -> Option<((Motion, Pose), Option<Phase>)> {
        let start = self.camera(scene, objects, number)?;
        if self.is_gap(number) {
            return None;
        }
        if self.logs_camera {
            let logged = self.recording.frames.get(number as usize + 1)?.camera?;
            if logged.teleported {
                return None;
            }
            let push = logged.push.filter(|push| push.is_finite());
            let mut travel = Motion {
                start: start.pose,
                end: logged.pose,
            };
            travel.end.position -= push.unwrap_or_default();
            let phase = push.map(|push| Phase::CameraPush {
                answer: ProbeAnswer {
                    hits: Vec::new(),
                    push,
                },
            });
            return Some(((travel, logged.pose), phase));
        }
        let camera = scene.camera.as_ref()?;
        let step = camera::step(camera, &start, number, self.dt(number), objects, end);
        let phase = CameraStep::phase(&step);
        Some(((step.travel, step.end), phase))
    }
}

fn state_of(body: &Body) -> BodyState {
    BodyState {
        pose: body.pose,
        velocity: body.velocity,
        spin: body.spin,
        asleep: body.asleep,
        teleported: body.teleported,
    }
}

/// Logged pushes as phases, in the log's order; each object's begin at the end of its segment.
fn push_phases(
    pushes: &[(u32, DVec3)],
    motion_of: impl Fn(ObjectId) -> Option<Motion>,
    end: &FrameState,
    phases: &mut Vec<Phase>,
) {
    let mut at: HashMap<u32, DVec3> = HashMap::new();
    let present: Vec<(u32, DVec3)> = pushes
        .iter()
        .copied()
        .filter(|(object, _)| end.body(*object).is_some())
        .collect();
    let of = present.len() as u32;
    let mut totals: HashMap<u32, DVec3> = HashMap::new();
    for &(object, push) in pushes {
        *totals.entry(object).or_default() += push;
    }
    for ((object, push), number) in present.into_iter().zip(1..) {
        let first = motion_of(object).map_or_else(
            || {
                let pose = end.body(object).map_or(Pose::IDENTITY, |body| body.pose);
                pose.position - totals[&object]
            },
            |motion| motion.end.position,
        );
        let before = *at.entry(object).or_insert(first);
        at.insert(object, before + push);
        phases.push(Phase::Push {
            number,
            of,
            at: 1.0,
            object,
            against: None,
            push,
            before,
            after: before + push,
            contact: None,
        });
    }
}

/// The log's first time and all from it on, if they are finite for every state and rise; else 0 and the sum of its steps.
fn times(recording: &Recording) -> (f64, Vec<f64>) {
    let logged: Option<Vec<f64>> = recording
        .frames
        .iter()
        .map(|frame| frame.time.filter(|time| time.is_finite()))
        .collect();
    let rises = |times: &Vec<f64>| times.is_sorted_by(|before, time| before < time);
    if let Some(times) = logged.filter(rises) {
        let first = times.first().copied().unwrap_or(0.0);
        return (first, times.iter().map(|time| time - first).collect());
    }
    let mut time = 0.0;
    let steps = recording.frames.iter().enumerate().map(|(index, frame)| {
        if index > 0 && frame.dt.is_finite() {
            time += frame.dt;
        }
        time
    });
    (0.0, steps.collect())
}

/// The recording's objects first (their ids are the recording's), then those that only the scene has.
///
/// An object in both keeps the scene's values; its pose and, unless the scene gives it, its movement come from the log.
pub fn merge(scene: &Scene, recording: &Recording) -> Vec<Object> {
    let mut by_name: HashMap<&str, &Object> = HashMap::new();
    for object in &scene.objects {
        by_name.entry(&object.name).or_insert(object);
    }
    let mut objects: Vec<Object> = Vec::with_capacity(recording.objects.len());
    for logged in &recording.objects {
        objects.push(match by_name.remove(logged.name.as_str()) {
            Some(authored) => merge_one(authored, logged),
            None => logged.clone(),
        });
    }
    let only_scene = scene.objects.iter().filter(|object| {
        by_name
            .get(object.name.as_str())
            .is_some_and(|kept| std::ptr::eq(*kept, *object))
    });
    objects.extend(only_scene.cloned());
    if !scene.ignore.is_empty() {
        ignore_pairs(objects.iter_mut(), &scene.ignore);
    }
    objects
}

fn merge_one(authored: &Object, logged: &Object) -> Object {
    let movement = match authored.movement {
        Movement::Velocity => logged.movement.clone(),
        _ => authored.movement.clone(),
    };
    Object {
        pose: logged.pose,
        velocity: logged.velocity,
        spin: logged.spin,
        ccd: authored.ccd.or(logged.ccd),
        body: authored.body.clone().or_else(|| logged.body.clone()),
        ignores: [&*authored.ignores, &*logged.ignores].concat(),
        scale: authored.scale.or(logged.scale),
        character: authored.character || logged.character,
        one_way: authored.one_way.or(logged.one_way),
        movement,
        ..authored.clone()
    }
}
