//! The camera's line probe, edited by hand: its lines, how it acts, what it finds in the shown frame.

use super::probe_look::{PROBE_LINES, ProbeLook, Shuffled};
use super::probe_shapes::{box_probe, near_plane_probe, spoke_probe, t_probe};
use crate::app::command::arguments::Preset;
use crate::core::query::probe::{ProbeMode, STANDARD_PROBE};
use crate::core::replay::{Frame, Replay};
use crate::core::scene::{self, Camera, Probe as Lines};
use crate::core::shape::Pose;
use glam::DVec3;
use std::sync::Arc;

/// A document's probe; the scene itself is not changed.
pub struct Probe {
    camera: Camera,
    lines: Vec<DVec3>,
    mode: ProbeMode,
    /// The line that the list points at.
    pub pointed: Option<u32>,
    seed: u64,
    look: Option<Arc<ProbeLook>>,
    /// What the look was made of.
    of: Option<(Arc<Frame>, Vec<DVec3>, ProbeMode)>,
    shuffled: Vec<(ProbeMode, Shuffled)>,
}

impl Probe {
    /// As the scene has it; the published lines where it has none.
    pub fn of(replay: &Replay) -> Self {
        let camera = replay.scene().camera.clone();
        let camera = camera.unwrap_or_else(|| Camera::at(Pose::IDENTITY, Lines::Standard));
        Self {
            lines: camera.probe.lines().to_vec(),
            mode: camera.probe_mode,
            camera,
            pointed: None,
            seed: 0,
            look: None,
            of: None,
            shuffled: Vec::new(),
        }
    }

    /// Its lines, each from `+offset` to `-offset` around the camera, metres.
    pub fn lines(&self) -> &[DVec3] {
        &self.lines
    }

    /// How it acts on several triangles.
    pub fn mode(&self) -> ProbeMode {
        self.mode
    }

    /// Other lines; what is not finite, and what is too many, is left out.
    pub fn set_lines(&mut self, mut lines: Vec<DVec3>) {
        lines.retain(|line| line.is_finite());
        lines.truncate(PROBE_LINES);
        self.lines = lines;
    }

    /// Acts otherwise.
    pub fn set_mode(&mut self, mode: ProbeMode) {
        self.mode = mode;
    }

    /// A set of lines.
    pub fn preset(&mut self, preset: Preset) {
        let camera = &self.camera;
        self.lines = match preset {
            Preset::Standard => STANDARD_PROBE.to_vec(),
            Preset::T => t_probe(0.5),
            Preset::Box => box_probe(0.4),
            Preset::Spokes => spoke_probe(24, 0.5),
            Preset::NearPlane => near_plane_probe(camera.near, camera.fov, camera.aspect),
        };
    }

    /// As the scene has it.
    pub fn reset(&mut self) {
        self.lines = self.camera.probe.lines().to_vec();
        self.mode = self.camera.probe_mode;
    }

    /// Is it otherwise than in the scene?
    pub fn is_changed(&self) -> bool {
        self.lines != self.camera.probe.lines() || self.mode != self.camera.probe_mode
    }

    /// What it finds in the shown frame; `None` without a camera there.
    pub fn look(&self) -> Option<&Arc<ProbeLook>> {
        self.look.as_ref()
    }

    /// Looks at a frame, if it has not yet.
    pub fn refresh(&mut self, replay: &Replay, frame: &Arc<Frame>) {
        let known = self.of.as_ref().is_some_and(|(of, lines, mode)| {
            Arc::ptr_eq(of, frame) && *lines == self.lines && *mode == self.mode
        });
        if known {
            return;
        }
        self.of = Some((Arc::clone(frame), self.lines.clone(), self.mode));
        self.look = ProbeLook::of(replay, frame, &self.lines, self.mode).map(Arc::new);
        self.shuffle_again();
    }

    /// Another order of the triangles.
    pub fn shuffle(&mut self) {
        self.seed += 1;
        self.shuffle_again();
    }

    fn shuffle_again(&mut self) {
        let seed = self.seed;
        self.shuffled = match &self.look {
            Some(look) if seed > 0 => [ProbeMode::InOrder, ProbeMode::Deepest]
                .map(|mode| (mode, look.acting(mode).shuffled(seed)))
                .to_vec(),
            _ => Vec::new(),
        };
    }

    /// What another order of the triangles makes of each mode, once it was asked for.
    pub fn shuffled(&self) -> &[(ProbeMode, Shuffled)] {
        &self.shuffled
    }

    /// The scene's camera with this probe, as a scene writes it.
    pub fn as_ron(&self, replay: &Replay) -> String {
        let standard = self.lines == STANDARD_PROBE;
        let probe = match &self.lines[..] {
            [] => Lines::Off,
            _ if standard => Lines::Standard,
            lines => Lines::Lines(lines.to_vec()),
        };
        let camera = Camera {
            probe,
            probe_mode: self.mode,
            ..self.camera.clone()
        };
        scene::write_camera(&camera, replay.scene().units)
    }

    /// The scene was changed; what was changed by hand stays.
    pub(super) fn follow(&mut self, replay: &Replay) {
        let before = std::mem::replace(self, Self::of(replay));
        self.keep_changes(before);
    }

    /// Takes over what was changed by hand in the one before.
    pub(super) fn keep_changes(&mut self, before: Self) {
        if before.is_changed() {
            self.take_over(before.lines, before.mode);
        }
    }

    /// The lines and the mode of another document's probe.
    pub fn take_over(&mut self, lines: Vec<DVec3>, mode: ProbeMode) {
        self.set_lines(lines);
        self.mode = mode;
    }
}
