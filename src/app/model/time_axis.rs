//! Which part of time is shown: one axis for the ruler, the lanes and the plots.

/// Never less than this part of a frame is shown.
const SHORTEST: f64 = 0.05;
/// One step of zooming.
const ZOOM: f64 = 1.5;

/// Which part of time is shown, and where on it the pointer is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TimeAxis {
    /// From and span in frames; `None` shows everything.
    shown: Option<(f64, f64)>,
    /// Where the pointer is, frames from the start.
    pub pointed: Option<f64>,
    /// Where the playhead was when it was last followed.
    last: f64,
}

impl TimeAxis {
    /// From and span in frames, of a level of so many.
    pub fn shown(&self, frames: u32) -> (f64, f64) {
        self.shown.unwrap_or((0.0, f64::from(frames)))
    }

    /// Is only a part shown?
    pub fn is_zoomed(&self) -> bool {
        self.shown.is_some()
    }

    /// Shows a part, kept inside the level.
    pub fn show(&mut self, from: f64, span: f64, frames: u32) {
        let frames = f64::from(frames);
        if !(from.is_finite() && span.is_finite()) {
            return;
        }
        let span = span.max(SHORTEST.min(frames));
        self.shown = (span < frames).then(|| (from.clamp(0.0, frames - span), span));
    }

    /// Shows everything.
    pub fn fit(&mut self) {
        self.shown = None;
    }

    /// A step closer to a moment, or farther from it; the moment keeps its place on the screen when it is on it.
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

    /// When the playhead leaves what is shown, the page turns.
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
    fn what_is_shown_stays_inside_the_level() {
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
    fn zooming_keeps_its_moment_in_place_and_comes_back() {
        let mut axis = TimeAxis::default();
        axis.zoom(true, 15.0, 60);
        let (from, span) = axis.shown(60);
        assert!((span - 40.0).abs() < 1e-9 && (from - 5.0).abs() < 1e-9);
        axis.zoom(false, 15.0, 60);
        axis.zoom(false, 15.0, 60);
        assert!(!axis.is_zoomed());
    }

    #[test]
    fn the_page_turns_with_the_playhead_only() {
        let mut axis = TimeAxis::default();
        axis.show(0.0, 10.0, 60);
        axis.follow(20.0, 60);
        assert_eq!(axis.shown(60), (19.0, 10.0));
        axis.show(40.0, 10.0, 60);
        axis.follow(20.0, 60);
        assert_eq!(axis.shown(60), (40.0, 10.0), "it did not move");
    }
}
