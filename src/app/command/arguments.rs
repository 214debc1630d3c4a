//! The arguments of commands.

use glam::DVec3;

/// An export of the viewport.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// The current view, as a PNG.
    Image,
    /// The loop at the playback speed, as an animated GIF.
    Loop,
    /// The frame at the playhead in slow motion, as an animated GIF.
    Frame,
}

/// A file that is written about the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Output {
    /// The report, as one HTML page.
    Report,
    /// The level as one HTML page that plays it.
    ReplayPage,
    /// The findings, as JSON, SARIF or JUnit XML.
    Findings,
    /// The recording, in another format.
    Recording,
    /// The shots of the found leaks, as a recording.
    Shots,
}

/// The answer to a prompt. A prompt is about unsaved changes, a file changed by another program, or a file to overwrite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptReply {
    /// Saves first, then continues. File changed: keeps the changes here. File to overwrite: saves to another file.
    Save,
    /// Discards the changes. File changed: loads the file. File to overwrite: overwrites it.
    Discard,
    /// Does nothing.
    Cancel,
}

/// A preset of probe lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its `title`")]
pub enum Preset {
    Standard,
    T,
    Box,
    Spokes,
    NearPlane,
}

impl Preset {
    /// Every preset, in the order of the menu.
    pub const ALL: [Self; 5] = [
        Self::Standard,
        Self::T,
        Self::Box,
        Self::Spokes,
        Self::NearPlane,
    ];

    /// The title in the menu.
    pub fn title(self) -> &'static str {
        match self {
            Self::Standard => "Standard (five lines)",
            Self::T => "T",
            Self::Box => "Box",
            Self::Spokes => "24 spokes",
            Self::NearPlane => "Near plane corners",
        }
    }
}

/// The input of a walk in one pass of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WalkInput {
    /// The direction in camera space: right, up and back, each -1 to 1.
    pub direction: DVec3,
    /// The rotation to the left and up, radians.
    pub turn: [f64; 2],
    /// Seconds since the last pass.
    pub seconds: f64,
    /// Runs instead of walking.
    pub fast: bool,
}
