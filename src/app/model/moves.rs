//! The moves of the selected object in the shown frame, explained.

use crate::core::explain_move::{MoveExplanation, explain_moves};
use crate::core::replay::{Frame, ObjectId, Replay};

/// The explanations, of an object and a frame.
#[derive(Default)]
pub struct MovesView {
    of: Option<(ObjectId, u32)>,
    moves: Vec<MoveExplanation>,
}

impl MovesView {
    /// The explanations of the selected object; none where it has no moves or several objects are selected.
    pub fn list(&self) -> &[MoveExplanation] {
        &self.moves
    }

    /// Explains the moves of an object in a frame, unless they are known.
    pub(super) fn update(&mut self, replay: &Replay, frame: &Frame, objects: &[ObjectId]) {
        let of = match objects {
            [object] => Some((*object, frame.number)),
            _ => None,
        };
        if self.of != of {
            self.of = of;
            let object = of.map(|(object, _)| object);
            let moves = object.map(|object| explain_moves(replay, frame, object));
            self.moves = moves.unwrap_or_default();
        }
    }
}
