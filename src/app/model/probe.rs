//! The camera's line probe as edited in its panel, and its test in the shown frame.

use super::probe_shapes::{box_probe, near_plane_probe, spoke_probe, t_probe};
use super::probe_test::{PROBE_LINES, ProbeTest, Shuffled};
use crate::app::command::arguments::Preset;
use crate::core::query::probe::{ProbeMode, STANDARD_PROBE};
use crate::core::replay::{Frame, Replay};
use crate::core::scene::{self, Camera, Probe as Lines};
use crate::core::shape::Pose;
use glam::DVec3;
use std::sync::Arc;

/// The edited probe of a document; the scene itself is not changed.
pub struct Probe {
    camera: Camera,
    lines: Vec<DVec3>,
    mode: ProbeMode,
    /// The line under the pointer in the list.
    pub pointed: Option<u32>,
    seed: u64,
    test: Option<Arc<ProbeTest>>,
    /// The input of the test: a key for the cache.
    test_input: Option<(Arc<Frame>, Vec<DVec3>, ProbeMode)>,
    shuffled: Vec<(ProbeMode, Shuffled)>,
}

impl Probe {
    /// The scene's probe; the published lines if it has none.
    pub fn of(replay: &Replay) -> Self {
        let camera = replay.scene().camera.clone();
        let camera = camera.unwrap_or_else(|| Camera::at(Pose::IDENTITY, Lines::Standard));
        Self {
            lines: camera.probe.lines().to_vec(),
            mode: camera.probe_mode,
            camera,
            pointed: None,
            seed: 0,
            test: None,
            test_input: None,
            shuffled: Vec::new(),
        }
    }

    /// The lines, each from `+offset` to `-offset` around the camera, metres.
    pub fn lines(&self) -> &[DVec3] {
        &self.lines
    }

    /// How hits on several triangles are resolved.
    pub fn mode(&self) -> ProbeMode {
        self.mode
    }

    /// Sets the lines; drops those that are not finite or too many.
    pub fn set_lines(&mut self, mut lines: Vec<DVec3>) {
        lines.retain(|line| line.is_finite());
        lines.truncate(PROBE_LINES);
        self.lines = lines;
    }

    /// Sets the mode.
    pub fn set_mode(&mut self, mode: ProbeMode) {
        self.mode = mode;
    }

    /// Sets the lines to a preset.
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

    /// Resets lines and mode to those of the scene.
    pub fn reset(&mut self) {
        self.lines = self.camera.probe.lines().to_vec();
        self.mode = self.camera.probe_mode;
    }

    /// Returns true if the probe differs from the scene's.
    pub fn is_changed(&self) -> bool {
        self.lines != self.camera.probe.lines() || self.mode != self.camera.probe_mode
    }

    /// The test in the shown frame; `None` without a camera there.
    pub fn test(&self) -> Option<&Arc<ProbeTest>> {
        self.test.as_ref()
    }

    /// Tests the probe in a frame, unless that is done.
    pub fn refresh(&mut self, replay: &Replay, frame: &Arc<Frame>) {
        let known = self.test_input.as_ref().is_some_and(|(of, lines, mode)| {
            Arc::ptr_eq(of, frame) && *lines == self.lines && *mode == self.mode
        });
        if known {
            return;
        }
        self.test_input = Some((Arc::clone(frame), self.lines.clone(), self.mode));
        self.test = ProbeTest::of(replay, frame, &self.lines, self.mode).map(Arc::new);
        self.update_shuffled();
    }

    /// Shuffles the order of the triangles.
    pub fn shuffle(&mut self) {
        self.seed += 1;
        self.update_shuffled();
    }

    fn update_shuffled(&mut self) {
        let seed = self.seed;
        self.shuffled = match &self.test {
            Some(test) if seed > 0 => [ProbeMode::InOrder, ProbeMode::Deepest]
                .map(|mode| (mode, test.in_mode(mode).shuffled(seed)))
                .to_vec(),
            _ => Vec::new(),
        };
    }

    /// The test of each mode with shuffled triangles; empty before the first shuffle.
    pub fn shuffled(&self) -> &[(ProbeMode, Shuffled)] {
        &self.shuffled
    }

    /// The scene's camera with this probe, in the scene format.
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

    /// Called when the scene changed: an edited probe stays.
    pub(super) fn scene_changed(&mut self, replay: &Replay) {
        let before = std::mem::replace(self, Self::of(replay));
        self.keep_changes(before);
    }

    /// Keeps the edits of the probe before.
    pub(super) fn keep_changes(&mut self, before: Self) {
        if before.is_changed() {
            self.set(before.lines, before.mode);
        }
    }

    /// Sets lines and mode to those of another document's probe.
    pub fn set(&mut self, lines: Vec<DVec3>, mode: ProbeMode) {
        self.set_lines(lines);
        self.mode = mode;
    }
}
