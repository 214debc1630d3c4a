//! The visible time range, shared by the ruler, the lanes and the plots.

/// Shortest visible span, frames.
const SHORTEST: f64 = 0.05;
/// Factor of one zoom step.
const ZOOM: f64 = 1.5;

/// The visible time range and the pointer on it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeAxis {
    /// Start and span in frames; `None` for the whole level.
    shown: Option<(f64, f64)>,
    /// Position of the pointer, frames.
    pub pointed: Option<f64>,
    /// Position of the playhead at the last call of `follow`.
    last: f64,
}

impl TimeAxis {
    /// Start and span in frames, of a level of `frames`.
    pub fn shown(&self, frames: u32) -> (f64, f64) {
        self.shown.unwrap_or((0.0, f64::from(frames)))
    }

    /// Returns true if only a part of the level is visible.
    pub fn is_zoomed(&self) -> bool {
        self.shown.is_some()
    }

    /// Shows a range, clamped to the level.
    pub fn show(&mut self, from: f64, span: f64, frames: u32) {
        let frames = f64::from(frames);
        if !(from.is_finite() && span.is_finite()) {
            return;
        }
        let span = span.max(SHORTEST.min(frames));
        self.shown = (span < frames).then(|| (from.clamp(0.0, frames - span), span));
    }

    /// Shows the whole level.
    pub fn fit(&mut self) {
        self.shown = None;
    }

    /// Zooms by one step around a time, which keeps its place on the screen if it is visible.
    pub fn zoom(&mut self, closer: bool, around: f64, frames: u32) {
        let (from, span) = self.shown(frames);
        let around = if (from..=from + span).contains(&around) {
            around
        } else {
            from + 0.5 * span
        };
        let factor = if closer { 1.0 / ZOOM } else { ZOOM };
        let share = (around - from) / span;
        let span = (span * factor).max(SHORTEST);
        self.show(around - share * span, span, frames);
    }

    /// Scrolls by a page when the playhead leaves the visible range.
    pub fn follow(&mut self, at: f64, frames: u32) {
        let moved = std::mem::replace(&mut self.last, at) != at;
        if let Some((from, span)) = self.shown.filter(|_| moved)
            && !(from..=from + span).contains(&at)
        {
            self.show(at - 0.1 * span, span, frames);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_stays_inside_the_level() {
        let mut axis = TimeAxis::default();
        assert_eq!(axis.shown(60), (0.0, 60.0));
        axis.show(-5.0, 10.0, 60);
        assert_eq!(axis.shown(60), (0.0, 10.0));
        axis.show(58.0, 10.0, 60);
        assert_eq!(axis.shown(60), (50.0, 10.0));
        axis.show(f64::NAN, 10.0, 60);
        assert_eq!(axis.shown(60), (50.0, 10.0));
        axis.show(3.0, 60.0, 60);
        assert!(!axis.is_zoomed());
        axis.show(3.0, 0.0, 60);
        assert_eq!(axis.shown(60), (3.0, SHORTEST));
    }

    #[test]
    fn zooming_keeps_its_centre_and_is_reversible() {
        let mut axis = TimeAxis::default();
        axis.zoom(true, 15.0, 60);
        let (from, span) = axis.shown(60);
        assert!((span - 40.0).abs() < 1e-9 && (from - 5.0).abs() < 1e-9);
        axis.zoom(false, 15.0, 60);
        axis.zoom(false, 15.0, 60);
        assert!(!axis.is_zoomed());
    }

    #[test]
    fn the_range_scrolls_with_the_playhead_only() {
        let mut axis = TimeAxis::default();
        axis.show(0.0, 10.0, 60);
        axis.follow(20.0, 60);
        assert_eq!(axis.shown(60), (19.0, 10.0));
        axis.show(40.0, 10.0, 60);
        axis.follow(20.0, 60);
        assert_eq!(axis.shown(60), (40.0, 10.0), "it did not move");
    }
}
