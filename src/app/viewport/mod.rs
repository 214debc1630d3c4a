//! The picture in the middle: the level at the playhead, in three dimensions.

use super::command::Command;
use super::selection::Selection;
use super::view_state::{Layers, Playhead};
use crate::core::diagnose::Finding;
use crate::core::replay::{Frame, Replay};
use crate::core::shape::Aabb;

/// Everything the viewport reads to draw one picture.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The level.
    pub replay: &'a Replay,
    /// The inside of the frame at the playhead.
    pub frame: &'a Frame,
    /// When.
    pub playhead: Playhead,
    /// What is selected.
    pub selection: &'a Selection,
    /// What to draw, for whom.
    pub layers: &'a Layers,
    /// The finding that was clicked, if any.
    pub finding: Option<&'a Finding>,
}

/// The picture's own state: where it is looked at from, and what draws it.
#[derive(Default)]
pub struct Viewport {}

impl Viewport {
    /// Draws the moment into the space that is left in `ui`, and turns clicks and drags into commands.
    pub fn ui(&mut self, ui: &mut egui::Ui, moment: &Moment<'_>, commands: &mut Vec<Command>) {
        let _ = (ui, moment, commands);
        todo!("helper viewport")
    }

    /// Moves the looking camera so that a box (metres, world) fills the picture, softly or at once.
    pub fn look_at(&mut self, bounds: Aabb, softly: bool) {
        let _ = (bounds, softly);
        todo!("helper viewport")
    }
}
