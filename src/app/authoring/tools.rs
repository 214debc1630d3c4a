//! The editing tools of the viewport and snapping.

use serde::{Deserialize, Serialize};

/// The editing tool: the effect of dragging a handle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tool {
    /// No handles.
    #[default]
    Select,
    /// Moves objects.
    Move,
    /// Rotates objects.
    Rotate,
    /// Scales objects.
    Scale,
    /// Draws new objects of a flat level.
    Draw(Drawn),
}

/// What is drawn in a flat level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// From its centre to its rim.
    Circle,
    /// From corner to corner.
    Box,
    /// Corner by corner.
    Polygon,
    /// Point by point.
    Chain,
}

impl Drawn {
    /// Everything.
    pub const ALL: [Self; 4] = [Self::Circle, Self::Box, Self::Polygon, Self::Chain];

    /// The name of a new object.
    pub fn name(self) -> &'static str {
        match self {
            Self::Circle => "circle",
            Self::Box => "box",
            Self::Polygon => "polygon",
            Self::Chain => "chain",
        }
    }

    /// Whether one drag draws it.
    pub fn is_dragged(self) -> bool {
        matches!(self, Self::Circle | Self::Box)
    }
}

/// The snapping of a dragged object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Snap {
    /// To multiples of a length or of an angle.
    #[default]
    Grid,
    /// To the surface under the pointer, in contact with it.
    Surface,
    /// To the first object in its path, in contact with it.
    Contact,
}

/// The current tool and its settings.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tools {
    /// Not stored: every run starts with Select.
    #[serde(skip)]
    pub tool: Tool,
    /// Handles are along the object's own axes instead of the world's.
    pub local: bool,
    /// Drags snap without Ctrl, and do not with Ctrl; else the opposite.
    pub snapping: bool,
    /// The kind of snapping.
    pub snap: Snap,
    /// Step of the grid, metres, > 0.
    pub step: f64,
    /// Step of rotations, degrees, > 0.
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

/// The range of grid steps, metres.
pub const STEPS: std::ops::RangeInclusive<f64> = 1e-4..=1e3;

impl Tools {
    /// The snapping of a drag, if any; `inverted` while Ctrl is held.
    pub fn snaps(&self, inverted: bool) -> Option<Snap> {
        (self.snapping != inverted).then_some(self.snap)
    }

    /// Switches a kind of snapping on, or off if it is on.
    pub fn toggle_snap(&mut self, snap: Snap) {
        self.snapping = !(self.snapping && self.snap == snap);
        self.snap = snap;
    }

    /// Sets the step of the grid; ignores values that are not finite and positive.
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
    fn ctrl_inverts_snapping_and_a_second_click_turns_it_off() {
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
