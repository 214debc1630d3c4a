//! Walk mode: keys and mouse move a camera, the probe pushes it out of surfaces, and every step is recorded.

use super::job::{JobDone, JobKind};
use super::messages::Operation;
use super::probe_test::ProbeTest;
use super::{Model, Session};
use crate::app::command::arguments::WalkInput;
use crate::app::source::Source;
use crate::app::view_state::Playhead;
use crate::core::log::{WalkStep, write_walk};
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use crate::core::query::probe::ProbeMode;
use crate::core::replay::{BodyState, Frame, FrameState, Replay};
use crate::core::shape::{Motion, Pose};
use crate::save::save_atomic;
use glam::{DQuat, DVec3, EulerRot};
use std::f64::consts::FRAC_PI_2;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Greatest number of steps; then the walk ends.
///
/// A quarter of an hour at 60 steps a second.
const WALK_STEPS: usize = 54_000;
/// Speed, metres per second: normal, and with Shift.
const SPEEDS: (f64, f64) = (2.0, 12.0);
/// Shortest and longest time step, seconds.
const STEPS: (f64, f64) = (1.0 / 240.0, 0.1);
/// Greatest number of steps per update; the rest is dropped, as after a time with the window hidden.
const MOST_AT_ONCE: f64 = 8.0;
/// Greatest pitch, radians: less than vertical, so that "ahead" stays defined.
const STEEPEST: f64 = FRAC_PI_2 - 1e-3;

/// A walk, running or not saved yet.
pub struct Walk {
    /// Time step, seconds.
    dt: f64,
    position: DVec3,
    yaw: f64,
    pitch: f64,
    steps: Vec<WalkStep>,
    test: Option<Arc<ProbeTest>>,
    /// Time left for the next step, seconds.
    rest: f64,
    active: bool,
}

impl Walk {
    /// Starts a walk at a pose without its roll; the time step is that of the level's frames.
    pub fn start(pose: Pose, dt: f64) -> Self {
        let (yaw, pitch, _) = pose.rotation.to_euler(EulerRot::YXZ);
        let dt = if dt.is_finite() { dt } else { 1.0 / 60.0 };
        Self {
            dt: dt.clamp(STEPS.0, STEPS.1),
            position: pose.position,
            yaw,
            pitch: pitch.clamp(-STEEPEST, STEEPEST),
            steps: Vec::new(),
            test: None,
            rest: 0.0,
            active: true,
        }
    }

    /// Pose of the camera.
    pub fn pose(&self) -> Pose {
        Pose {
            position: self.position,
            rotation: DQuat::from_euler(EulerRot::YXZ, self.yaw, self.pitch, 0.0),
        }
    }

    /// Returns true while the walk is running.
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Ends the walk.
    pub fn end(&mut self) {
        self.active = false;
    }

    /// The recorded steps.
    pub fn steps(&self) -> &[WalkStep] {
        &self.steps
    }

    /// Time step, seconds.
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// Test of the probe in the last step.
    pub fn probe_test(&self) -> Option<&Arc<ProbeTest>> {
        self.test.as_ref()
    }

    /// Rotates the camera, and takes as many whole steps as fit in the time.
    pub fn advance(
        &mut self,
        input: &WalkInput,
        (replay, frame, at): (&Replay, &Frame, Playhead),
        (lines, mode): (&[DVec3], ProbeMode),
    ) {
        if !self.active {
            return;
        }
        let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
        self.yaw += finite(input.turn[0]);
        self.pitch = (self.pitch + finite(input.turn[1])).clamp(-STEEPEST, STEEPEST);
        self.rest = (self.rest + finite(input.seconds).max(0.0)).min(MOST_AT_ONCE * self.dt);
        let speed = if input.fast { SPEEDS.1 } else { SPEEDS.0 };
        let state = state_at(frame, at.fraction);
        if self.steps.is_empty() {
            // The first step is the start pose.
            self.step(
                DVec3::ZERO,
                (replay, frame.number, &state, at),
                (lines, mode),
            );
        }
        while self.rest >= self.dt && self.active {
            self.rest -= self.dt;
            let direction = input.direction.try_normalize().unwrap_or(DVec3::ZERO);
            let displacement = self.pose().rotation * direction * speed * self.dt;
            self.step(
                displacement,
                (replay, frame.number, &state, at),
                (lines, mode),
            );
        }
    }

    fn step(
        &mut self,
        displacement: DVec3,
        (replay, frame, state, at): (&Replay, u32, &FrameState, Playhead),
        (lines, mode): (&[DVec3], ProbeMode),
    ) {
        let start = self.pose();
        let motion = Motion {
            start,
            end: Pose {
                position: start.position + displacement,
                ..start
            },
        };
        let test = ProbeTest::along(motion, lines, mode, replay.objects(), state, frame);
        let push = test.answer.push;
        self.position = motion.end.position + push;
        self.steps.push(WalkStep {
            frame: at.frame,
            fraction: at.fraction,
            pose: self.pose(),
            push,
        });
        self.test = Some(Arc::new(test));
        self.active = self.steps.len() < WALK_STEPS;
    }
}

/// State of all bodies at a fraction of a frame.
fn state_at(frame: &Frame, fraction: f64) -> FrameState {
    if fraction <= 0.0 {
        return FrameState::clone(&frame.start);
    }
    let ids = frame.ids();
    let bodies = ids.iter().filter_map(|&id| {
        let pose = frame.pose(id, fraction)?;
        let body = *frame.start.body(id).or_else(|| frame.end.body(id))?;
        Some((id, BodyState { pose, ..body }))
    });
    bodies.collect()
}

/// A walk that is being saved.
pub(super) struct Saving {
    path: PathBuf,
    lines: Vec<DVec3>,
    mode: ProbeMode,
}

/// Writes a walk as a recording; returns false, with nothing written, when stopped.
fn save(
    replay: &Replay,
    steps: &[WalkStep],
    dt: f64,
    path: &Path,
    progress: &dyn Progress,
) -> Result<bool, Problem> {
    let written = write_walk(replay, steps, dt, Vec::new(), progress);
    let bytes = written.map_err(|error| {
        let help = "save under another name, or walk again";
        Problem::new(path.display().to_string(), error.to_string(), help)
    })?;
    let Some(bytes) = bytes else {
        return Ok(false);
    };
    save_atomic(path, &bytes)?;
    Ok(true)
}

impl Model {
    /// Starts a walk at a pose and pauses playback.
    pub fn start_walk(&mut self, pose: Pose) {
        if let Some(Session { document, walk, .. }) = &mut self.session
            && pose.is_finite()
        {
            self.playback.pause();
            let dt = document.replay().dt(document.frame().number);
            *walk = Some(Walk::start(pose, dt));
        }
    }

    /// The running walk.
    pub fn walking(&self) -> Option<&Walk> {
        let walk = self.session.as_ref()?.walk.as_ref();
        walk.filter(|walk| walk.is_active())
    }

    /// Advances the walk by the input of keys and mouse.
    pub(in crate::app) fn advance_walk(&mut self, input: &WalkInput) {
        let Some(Session {
            document,
            probe,
            walk: Some(walk),
            ..
        }) = &mut self.session
        else {
            return;
        };
        let frame = document.frame();
        let playhead = self.playback.playhead();
        let fraction = if playhead.frame == frame.number {
            playhead.fraction
        } else {
            0.0
        };
        let at = Playhead {
            frame: frame.number,
            fraction,
        };
        let probe = (probe.lines(), probe.mode());
        walk.advance(input, (document.replay(), frame, at), probe);
    }

    /// Writes the walk to a file in the background; it is opened when written.
    pub(in crate::app) fn save_walk(&mut self, path: PathBuf) {
        let Some(Session {
            document,
            probe,
            walk: Some(walk),
            ..
        }) = &self.session
        else {
            return;
        };
        let (replay, steps) = (Arc::clone(document.replay()), walk.steps().to_vec());
        let (dt, to) = (walk.dt(), path.clone());
        self.jobs.start(JobKind::SaveWalk, move |job| {
            JobDone::SaveWalk(save(&replay, &steps, dt, &to, job))
        });
        self.saving_walk = Some(Saving {
            path,
            lines: probe.lines().to_vec(),
            mode: probe.mode(),
        });
    }

    /// Handles the result of saving a walk: opens it.
    pub(super) fn take_walk(&mut self, outcome: Result<bool, Problem>) {
        let Some(saving) = self.saving_walk.take() else {
            return;
        };
        match outcome {
            Ok(true) => {
                if let Some(session) = &mut self.session {
                    session.walk = None;
                }
                self.messages.succeeded(Operation::Export);
                let source = Source::File(saving.path);
                self.walk_probe = Some((source.clone(), saving.lines, saving.mode));
                self.open(source);
            }
            Ok(false) => {}
            Err(problem) => self.messages.failed(Operation::Export, problem),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_levels::{level, wall};
    use crate::core::query::probe::STANDARD_PROBE;

    fn walked(inputs: &[WalkInput], lines: &[DVec3]) -> Walk {
        // A wall with its face at z = -2; the camera looks along -Z.
        let replay = level(
            0.05,
            [wall("wall", DVec3::new(5.0, 5.0, 0.5), DVec3::Z * -2.5)],
        );
        let frame = replay.frame(0);
        let mut walk = Walk::start(Pose::IDENTITY, replay.dt(0));
        for input in inputs {
            let at = Playhead::default();
            walk.advance(input, (&replay, &frame, at), (lines, ProbeMode::Deepest));
        }
        walk
    }

    fn ahead(seconds: f64) -> WalkInput {
        WalkInput {
            direction: DVec3::NEG_Z,
            seconds,
            ..WalkInput::default()
        }
    }

    #[test]
    fn walks_two_metres_a_second_and_records_every_step() {
        let walk = walked(&[ahead(0.1); 5], &STANDARD_PROBE);
        assert!((walk.pose().position - DVec3::Z * -1.0).length() < 1e-12);
        assert_eq!(walk.steps().len(), 11, "the start pose, and ten steps");
        assert!(walk.steps().iter().all(|step| step.push == DVec3::ZERO));
    }

    #[test]
    fn the_probe_keeps_the_camera_half_a_metre_from_the_wall() {
        let walk = walked(&[ahead(0.1); 30], &STANDARD_PROBE);
        assert!((walk.pose().position - DVec3::Z * -1.5).length() < 1e-9);
        let last = walk.steps().last().unwrap();
        assert!((last.push - DVec3::Z * 0.1).length() < 1e-9);
        let without = walked(&[ahead(0.1); 30], &[]);
        assert!((without.pose().position - DVec3::Z * -6.0).length() < 1e-9);
    }

    #[test]
    fn it_rotates_and_moves_ahead() {
        let turn = WalkInput {
            turn: [FRAC_PI_2, 9.0],
            ..WalkInput::default()
        };
        let walk = walked(&[turn], &[]);
        let look = walk.pose().rotation * DVec3::NEG_Z;
        assert!(look.y > 0.999, "no farther than straight up");
        let level = WalkInput {
            turn: [FRAC_PI_2, 0.0],
            ..ahead(0.1)
        };
        let walk = walked(&[level], &[]);
        assert!((walk.pose().position - DVec3::X * -0.2).length() < 1e-12);
    }

    #[test]
    fn nan_input_is_ignored_and_long_updates_are_cut() {
        let odd = WalkInput {
            direction: DVec3::NAN,
            turn: [f64::NAN; 2],
            seconds: f64::NAN,
            fast: true,
        };
        let walk = walked(&[odd], &STANDARD_PROBE);
        assert_eq!(walk.pose().position, DVec3::ZERO);
        let walk = walked(&[ahead(1e9)], &STANDARD_PROBE);
        assert_eq!(walk.steps().len(), 9);
    }
}
