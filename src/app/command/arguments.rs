//! The arguments of commands.

use glam::DVec3;

/// What of the view is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// What is seen now, as a PNG.
    Picture,
    /// The loop as it plays, as an animated GIF.
    Loop,
    /// The inside of the frame at the playhead, slowly, as an animated GIF.
    Inside,
}

impl Export {
    /// What the file's name ends with.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Picture => "png",
            Self::Loop | Self::Inside => "gif",
        }
    }
}

/// The answer to a question over the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Save first, and then do it. Of a file changed outside: keep what is here. Of one to be overwritten: save elsewhere.
    Save,
    /// Let the changes go. Of a file changed outside: take what is there. Of one to be overwritten: overwrite it.
    Discard,
    /// Do nothing.
    Cancel,
}

/// A set of lines to begin with.
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
    /// In the order of the menu.
    pub const ALL: [Self; 5] = [
        Self::Standard,
        Self::T,
        Self::Box,
        Self::Spokes,
        Self::NearPlane,
    ];

    /// As the menu writes it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Standard => "The published five",
            Self::T => "A T",
            Self::Box => "A box",
            Self::Spokes => "A ball of 24 spokes",
            Self::NearPlane => "The near plane's corners",
        }
    }
}

/// The input of a walk in one pass of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stride {
    /// Right, up and back, each -1 to 1, as the camera looks.
    pub way: DVec3,
    /// Radians to the left and up.
    pub turn: [f64; 2],
    /// Seconds since the last pass.
    pub seconds: f64,
    /// Run.
    pub fast: bool,
}
