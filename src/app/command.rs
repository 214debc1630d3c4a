//! Every change anyone can make, from menu, key, list, drag or test, is one value of one enum.

use super::view_state::{Layer, Show};
use crate::core::replay::ObjectId;

/// One change. Panels push them; `apply` is the one place that carries them out.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Only this object is selected; `None` selects nothing.
    Select(Option<ObjectId>),
    /// In if it was out, out if it was in.
    ToggleSelect(ObjectId),
    /// These two are the selected pair.
    SelectPair(ObjectId, ObjectId),
    /// Move the playhead; pauses.
    Seek {
        /// Which frame.
        frame: u32,
        /// Where inside it, in [0, 1].
        fraction: f64,
    },
    /// Draw a layer for these.
    ShowLayer(Layer, Show),
    /// The viewport's camera goes to the selection (all when nothing is selected).
    FrameSelection,
    /// The viewport's camera goes to the whole level.
    FrameAll,
}
