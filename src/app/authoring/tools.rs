//! What the pointer does to objects in the picture, and what it snaps to.

use serde::{Deserialize, Serialize};

/// What a drag of a selected object does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// Nothing: the picture is only looked at.
    #[default]
    Select,
    /// Moves it.
    Move,
    /// Turns it.
    Turn,
    /// Makes its shape larger or smaller.
    Scale,
}

/// What a dragged object snaps to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Snap {
    /// Whole steps of a length, or of an angle.
    #[default]
    Grid,
    /// The surface under the pointer, which it then touches.
    Surface,
    /// The first thing in its way, which it then touches.
    Contact,
}

/// The tool in hand and its settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tools {
    /// Never kept: every run begins by looking.
    #[serde(skip)]
    pub tool: Tool,
    /// Along the object's own axes instead of the world's.
    pub local: bool,
    /// Does it snap without Ctrl held? Ctrl says the opposite.
    pub snapping: bool,
    /// What to.
    pub snap: Snap,
    /// Of the grid, metres, > 0.
    pub step: f64,
    /// Of turns, degrees, > 0.
    pub degrees: f64,
}

impl Default for Tools {
    fn default() -> Self {
        Self {
            tool: Tool::Select,
            local: false,
            snapping: false,
            snap: Snap::Grid,
            step: 0.25,
            degrees: 15.0,
        }
    }
}

/// The finest and the coarsest grid, metres.
pub const STEPS: std::ops::RangeInclusive<f64> = 1e-4..=1e3;

impl Tools {
    /// What a drag snaps to now; `inverted` while Ctrl is held.
    pub fn snaps(&self, inverted: bool) -> Option<Snap> {
        (self.snapping != inverted).then_some(self.snap)
    }

    /// Snap to this from now on, or to nothing when it did.
    pub fn toggle_snap(&mut self, snap: Snap) {
        self.snapping = !(self.snapping && self.snap == snap);
        self.snap = snap;
    }

    /// Another grid; what is no length is left out.
    pub fn set_step(&mut self, metres: f64) {
        if metres.is_finite() && metres > 0.0 {
            self.step = metres.clamp(*STEPS.start(), *STEPS.end());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ctrl_says_the_opposite_and_a_second_click_turns_it_off() {
        let mut tools = Tools::default();
        assert_eq!(tools.snaps(false), None);
        assert_eq!(tools.snaps(true), Some(Snap::Grid));
        tools.toggle_snap(Snap::Contact);
        assert_eq!(tools.snaps(false), Some(Snap::Contact));
        assert_eq!(tools.snaps(true), None);
        tools.toggle_snap(Snap::Surface);
        assert_eq!(tools.snaps(false), Some(Snap::Surface));
        tools.toggle_snap(Snap::Surface);
        assert_eq!(tools.snaps(false), None);
        for no_length in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            tools.set_step(no_length);
            assert_eq!(tools.step, 0.25);
        }
    }
}
