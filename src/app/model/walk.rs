//! A walk through the level with the probe: keys and mouse move the camera, the probe holds it, and every step is kept.

use super::job::{JobDone, JobKind};
use super::messages::Deed;
use super::probe_look::ProbeLook;
use super::{Model, Session};
use crate::app::command::arguments::WalkInput;
use crate::app::source::Source;
use crate::app::view_state::Playhead;
use crate::core::log::{WalkStep, write_walk};
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use crate::core::query::probe::ProbeMode;
use crate::core::replay::{Frame, FrameState, Replay};
use crate::core::shape::{Motion, Pose};
use crate::save::save_atomic;
use glam::{DQuat, DVec3, EulerRot};
use std::f64::consts::FRAC_PI_2;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Most steps of a walk; then it ends by itself.
///
/// A quarter of an hour at 60 steps a second.
const WALK_STEPS: usize = 54_000;
/// Metres per second, and with Shift.
const SPEEDS: (f64, f64) = (2.0, 12.0);
/// Shortest and longest step, seconds.
const STEPS: (f64, f64) = (1.0 / 240.0, 0.1);
/// More steps than this in one pass are left out: a window that was hidden does not run ahead.
const MOST_AT_ONCE: f64 = 8.0;
/// Looking straight up or down leaves "ahead" defined, radians.
const STEEPEST: f64 = FRAC_PI_2 - 1e-3;

/// A walk, while it lasts and until it is saved.
pub struct Walk {
    /// Seconds of a step.
    dt: f64,
    position: DVec3,
    yaw: f64,
    pitch: f64,
    steps: Vec<WalkStep>,
    look: Option<Arc<ProbeLook>>,
    /// Seconds that make no whole step yet.
    rest: f64,
    active: bool,
}

impl Walk {
    /// Begins at a pose, upright; steps are as long as the level's frames.
    pub fn start(pose: Pose, dt: f64) -> Self {
        let (yaw, pitch, _) = pose.rotation.to_euler(EulerRot::YXZ);
        let dt = if dt.is_finite() { dt } else { 1.0 / 60.0 };
        Self {
            dt: dt.clamp(STEPS.0, STEPS.1),
            position: pose.position,
            yaw,
            pitch: pitch.clamp(-STEEPEST, STEEPEST),
            steps: Vec::new(),
            look: None,
            rest: 0.0,
            active: true,
        }
    }

    /// Where the camera stands and looks.
    pub fn pose(&self) -> Pose {
        Pose {
            position: self.position,
            rotation: DQuat::from_euler(EulerRot::YXZ, self.yaw, self.pitch, 0.0),
        }
    }

    /// Is it still going on?
    pub fn is_active(&self) -> bool {
        self.active
    }

    /// Stands still from now on.
    pub fn end(&mut self) {
        self.active = false;
    }

    /// Every step so far.
    pub fn steps(&self) -> &[WalkStep] {
        &self.steps
    }

    /// Seconds of a step.
    pub fn dt(&self) -> f64 {
        self.dt
    }

    /// What the probe found on the last step.
    pub fn look(&self) -> Option<&Arc<ProbeLook>> {
        self.look.as_ref()
    }

    /// Turns, and takes as many whole steps as the time holds.
    pub fn stride(
        &mut self,
        stride: &WalkInput,
        (replay, frame, at): (&Replay, &Frame, Playhead),
        (lines, mode): (&[DVec3], ProbeMode),
    ) {
        if !self.active {
            return;
        }
        let sound = |value: f64| if value.is_finite() { value } else { 0.0 };
        self.yaw += sound(stride.turn[0]);
        self.pitch = (self.pitch + sound(stride.turn[1])).clamp(-STEEPEST, STEEPEST);
        self.rest = (self.rest + sound(stride.seconds).max(0.0)).min(MOST_AT_ONCE * self.dt);
        let speed = if stride.fast { SPEEDS.1 } else { SPEEDS.0 };
        let state = state_at(replay, frame, at.fraction);
        if self.steps.is_empty() {
            // Where it began.
            self.step(
                DVec3::ZERO,
                (replay, frame.number, &state, at),
                (lines, mode),
            );
        }
        while self.rest >= self.dt && self.active {
            self.rest -= self.dt;
            let way = stride.direction.try_normalize().unwrap_or(DVec3::ZERO);
            let way = self.pose().rotation * way * speed * self.dt;
            self.step(way, (replay, frame.number, &state, at), (lines, mode));
        }
    }

    fn step(
        &mut self,
        way: DVec3,
        (replay, frame, state, at): (&Replay, u32, &FrameState, Playhead),
        (lines, mode): (&[DVec3], ProbeMode),
    ) {
        let start = self.pose();
        let way = Motion {
            start,
            end: Pose {
                position: start.position + way,
                ..start
            },
        };
        let look = ProbeLook::on(way, lines, mode, replay.objects(), state, frame);
        let push = look.answer.push;
        self.position = way.end.position + push;
        self.steps.push(WalkStep {
            frame: at.frame,
            fraction: at.fraction,
            pose: self.pose(),
            push,
        });
        self.look = Some(Arc::new(look));
        self.active = self.steps.len() < WALK_STEPS;
    }
}

/// Everything as it stands at a moment of a frame.
fn state_at(replay: &Replay, frame: &Frame, fraction: f64) -> FrameState {
    if fraction <= 0.0 {
        return FrameState::clone(&frame.start);
    }
    let bodies = (0..replay.objects().len() as u32).map(|id| {
        let pose = frame.pose(id, fraction)?;
        let body = frame.start.bodies.get(id as usize).copied().flatten();
        let body = body.or_else(|| frame.end.bodies.get(id as usize).copied().flatten())?;
        Some(crate::core::replay::BodyState { pose, ..body })
    });
    FrameState {
        bodies: bodies.collect(),
    }
}

/// A walk that is being saved.
pub(super) struct Saving {
    path: PathBuf,
    lines: Vec<DVec3>,
    mode: ProbeMode,
}

/// Writes a walk as a recording, whole or not at all; false when stopped.
fn save(
    replay: &Replay,
    steps: &[WalkStep],
    dt: f64,
    path: &Path,
    progress: &dyn Progress,
) -> Result<bool, Problem> {
    let written = write_walk(replay, steps, dt, Vec::new(), progress);
    let bytes = written.map_err(|error| {
        let help = "walk again, or save under another name";
        Problem::new(path.display().to_string(), error.to_string(), help)
    })?;
    let Some(bytes) = bytes else {
        return Ok(false);
    };
    save_atomic(path, &bytes)?;
    Ok(true)
}

impl Model {
    /// Begins a walk at a pose; time stands still unless it is told to play.
    pub fn start_walk(&mut self, pose: Pose) {
        if let Some(Session { document, walk, .. }) = &mut self.session
            && pose.is_finite()
        {
            self.playback.pause();
            let dt = document.replay().dt(document.frame().number);
            *walk = Some(Walk::start(pose, dt));
        }
    }

    /// The walk that is going on.
    pub fn walking(&self) -> Option<&Walk> {
        let walk = self.session.as_ref()?.walk.as_ref();
        walk.filter(|walk| walk.is_active())
    }

    /// Takes what keys and mouse say.
    pub(in crate::app) fn stride(&mut self, stride: &WalkInput) {
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
        walk.stride(stride, (document.replay(), frame, at), probe);
    }

    /// Writes the walk to a file beside the window, to be opened when it is there.
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

    /// Opens a walk that was saved.
    pub(super) fn take_walk(&mut self, outcome: Result<bool, Problem>) {
        let Some(saving) = self.saving_walk.take() else {
            return;
        };
        match outcome {
            Ok(true) => {
                if let Some(session) = &mut self.session {
                    session.walk = None;
                }
                self.messages.succeeded(Deed::Export);
                let source = Source::File(saving.path);
                self.kept_probe = Some((source.clone(), saving.lines, saving.mode));
                self.open(source);
            }
            Ok(false) => {}
            Err(problem) => self.messages.failed(Deed::Export, problem),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_levels::{level, wall};
    use crate::core::query::probe::STANDARD_PROBE;

    fn walked(strides: &[WalkInput], lines: &[DVec3]) -> Walk {
        // A wall with its face at z = -2; the camera looks along -Z.
        let replay = level(
            0.05,
            [wall("wall", DVec3::new(5.0, 5.0, 0.5), DVec3::Z * -2.5)],
        );
        let frame = replay.frame(0);
        let mut walk = Walk::start(Pose::IDENTITY, replay.dt(0));
        for stride in strides {
            let at = Playhead::default();
            walk.stride(stride, (&replay, &frame, at), (lines, ProbeMode::Deepest));
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
    fn it_walks_two_metres_a_second_and_keeps_every_step() {
        let walk = walked(&[ahead(0.1); 5], &STANDARD_PROBE);
        assert!((walk.pose().position - DVec3::Z * -1.0).length() < 1e-12);
        assert_eq!(walk.steps().len(), 11, "where it began, and ten steps");
        assert!(walk.steps().iter().all(|step| step.push == DVec3::ZERO));
    }

    #[test]
    fn the_probe_holds_it_half_a_metre_before_the_wall() {
        let walk = walked(&[ahead(0.1); 30], &STANDARD_PROBE);
        assert!((walk.pose().position - DVec3::Z * -1.5).length() < 1e-9);
        let last = walk.steps().last().unwrap();
        assert!((last.push - DVec3::Z * 0.1).length() < 1e-9);
        let without = walked(&[ahead(0.1); 30], &[]);
        assert!((without.pose().position - DVec3::Z * -6.0).length() < 1e-9);
    }

    #[test]
    fn it_turns_and_goes_where_it_looks() {
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
    fn odd_input_moves_nothing_and_time_does_not_run_ahead() {
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
