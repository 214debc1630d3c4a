//! Explanation of the camera and one object in a frame: its path, a sphere of its probe's length, its near plane, and its probe.

use super::presence::Presence;
use super::steps::sentence_of;
use super::{Outcome, outcome_of};
use crate::core::diagnose::detect::camera::{near_corners, pokes};
use crate::core::number::{number, seconds};
use crate::core::query::probe::{ProbeAnswer, probe};
use crate::core::query::{RayHit, Steps};
use crate::core::replay::unswept::{carrier, crosses};
use crate::core::replay::{Frame, ObjectId, Phase, ProbeTriangles, Replay};
use crate::core::scene::{Camera, Movement, Object};
use crate::core::schema::UserUnits;
use crate::core::shape::{Motion, Pose, Shape};
use glam::DVec3;

/// Result of the probe against one object at the end of the camera's path.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeResult {
    /// The longest of its lines, metres.
    pub reach: f64,
    /// Its response if this were the only object.
    pub answer: ProbeAnswer,
    /// Trace of the probe.
    pub steps: Steps,
}

/// The camera and one object in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraExplanation {
    /// The object.
    pub object: ObjectId,
    /// Its name, as the level writes it.
    pub name: String,
    /// Its shape's word.
    pub kind: &'static str,
    /// Which frame.
    pub frame: u32,
    /// Its number as the user counts.
    pub number: u64,
    /// Seconds.
    pub dt: f64,
    /// Units and axes of the text.
    pub units: UserUnits,
    /// How the object is there.
    pub presence: Presence,
    /// A sensor or dynamic object: the camera and the diagnosis ignore it.
    pub unheeded: bool,
    /// The camera's path before its probe acts, and its pose after; `None` without a camera, or where it is teleported.
    pub camera_motion: Option<(Motion, Pose)>,
    /// Where the camera's path crosses the object's surface; fractions of the frame, in the object's frame of reference.
    pub path: Option<RayHit>,
    /// Trace of that ray cast.
    pub path_steps: Steps,
    /// A sphere of the probe's length, swept along the path.
    pub ball: Option<(Outcome, Steps)>,
    /// Where a corner of the near plane is behind the surface, at the frame's end.
    pub near: Option<RayHit>,
    /// The probe against this object; `None` without a probe.
    pub probe: Option<ProbeResult>,
    /// The push of the frame on the camera, by all objects together, metres.
    pub pushed: DVec3,
}

/// Explains the camera and an object over a frame of a level.
pub fn explain_camera(replay: &Replay, frame: &Frame, id: ObjectId) -> CameraExplanation {
    let object = replay.objects().get(id as usize);
    let mut explanation = CameraExplanation {
        object: id,
        name: object.map_or_else(|| format!("object {id}"), |object| object.name.clone()),
        kind: object.map_or("nothing", |object| object.shape.kind_name()),
        frame: frame.number,
        dt: frame.dt,
        units: replay.units(),
        number: replay.number(frame.number),
        presence: Presence::of(replay.objects(), frame, id),
        unheeded: false,
        camera_motion: frame.camera,
        path: None,
        path_steps: Steps::default(),
        ball: None,
        near: None,
        probe: None,
        pushed: DVec3::ZERO,
    };
    for phase in &frame.phases {
        if let Phase::CameraPush { answer } = phase {
            explanation.pushed += answer.push;
        }
    }
    let (Some(object), Some((camera_motion, after))) = (object, &frame.camera) else {
        return explanation;
    };
    explanation.unheeded = object.sensor || object.movement == Movement::Velocity;
    let Some(carried) = carrier(frame, id, object) else {
        return explanation;
    };
    explanation.sweep_path(camera_motion, object, &carried);
    if let Some(lens) = replay.scene().camera.as_ref() {
        explanation.test_probe(lens, camera_motion, after, object, &carried);
    }
    explanation
}

impl CameraExplanation {
    fn sweep_path(&mut self, camera_motion: &Motion, object: &Object, carried: &Motion) {
        self.path = crosses(camera_motion, object, carried, &mut self.path_steps);
    }

    fn test_probe(
        &mut self,
        lens: &Camera,
        camera_motion: &Motion,
        after: &Pose,
        object: &Object,
        carried: &Motion,
    ) {
        let path = Motion {
            start: camera_motion.start,
            end: *after,
        };
        self.near = pokes(&path, &near_corners(lens, after), object, carried);
        let lines = lens.probe.lines();
        let reach = lines.iter().map(|line| line.length()).fold(0.0, f64::max);
        if lines.is_empty() || !reach.is_finite() || !camera_motion.end.is_finite() {
            return;
        }
        let mut steps = Steps::default();
        let ball = Shape::Sphere { radius: reach };
        let swept = outcome_of(&ball, camera_motion, &object.shape, carried, &mut steps);
        self.ball = Some((swept, steps));
        let mut steps = Steps::default();
        let at = camera_motion.end.position;
        let near = ProbeTriangles::of(self.object, object, &carried.end, at, reach);
        let answer = probe(at, lines, &near.triangles, lens.probe_mode, &mut steps);
        self.probe = Some(ProbeResult {
            reach,
            answer,
            steps,
        });
    }

    /// The explanation in sentences, in order of time.
    pub fn sentences(&self) -> Vec<String> {
        let name = &self.name;
        let mut out = vec![format!(
            "In frame {} ({}), the camera and `{name}` ({}).",
            self.number,
            seconds(self.dt),
            self.kind.to_lowercase()
        )];
        let Some((camera_motion, after)) = &self.camera_motion else {
            out.push(
                "The camera has no path in this frame: it is absent or teleported.".to_owned(),
            );
            return out;
        };
        out.push(format!(
            "The camera moves {}, from {} to {}.",
            self.units.length(camera_motion.displacement().length()),
            self.units.point(camera_motion.start.position),
            self.units.point(camera_motion.end.position)
        ));
        match self.presence {
            Presence::Unknown => out.push(format!("There is no {name} in this level.")),
            _ if self.unheeded => out.push(format!(
                "The camera ignores `{name}`, which is a sensor or dynamic."
            )),
            Presence::Travels => out.extend(self.meeting()),
            presence => out.extend(presence.sentence(name, self.units)),
        }
        if self.pushed != DVec3::ZERO {
            out.push(format!(
                "In this frame the camera was pushed by {}, {}, to {}.",
                self.units.length(self.pushed.length()),
                self.units.point(self.pushed),
                self.units.point(after.position)
            ));
        }
        out
    }

    fn meeting(&self) -> Vec<String> {
        let name = &self.name;
        if self.path_steps.0.is_empty() {
            return vec![format!("A number of `{name}` is not finite.")];
        }
        let mut out = vec![format!("Its path, as a segment, against `{name}`:")];
        out.extend(
            self.path_steps
                .0
                .iter()
                .map(|step| sentence_of(step, self.units)),
        );
        out.push(match &self.path {
            Some(hit) => format!(
                "The camera path crosses `{name}` at {} of the frame ({}), from {}.",
                number(hit.fraction),
                seconds(hit.fraction * self.dt),
                if hit.back { "inside" } else { "outside" }
            ),
            None => format!("The camera path does not cross `{name}`."),
        });
        if let Some((swept, steps)) = &self.ball {
            out.push(format!(
                "A sphere of the probe's length around it, swept against `{name}`, gives {}:",
                swept.name()
            ));
            out.extend(steps.0.iter().map(|step| sentence_of(step, self.units)));
        }
        if let Some(hit) = &self.near {
            out.push(format!(
                "At the end of the frame its near plane cuts through at {}.",
                self.units.point(hit.point)
            ));
        }
        match &self.probe {
            Some(test) => out.extend(self.probe_sentences(test)),
            None => out.push("The camera has no probe.".to_owned()),
        }
        out
    }

    fn probe_sentences(&self, test: &ProbeResult) -> Vec<String> {
        let mut out = vec![format!(
            "At the end of the path its probe, {} long, is tested against `{}` alone:",
            self.units.length(test.reach),
            self.name
        )];
        out.extend(
            test.steps
                .0
                .iter()
                .map(|step| sentence_of(step, self.units)),
        );
        if self.path.is_some() && test.answer.hits.is_empty() {
            out.push(
                "So the probe does not detect the surface that the camera crossed.".to_owned(),
            );
        }
        out
    }
}
