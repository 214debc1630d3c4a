//! The moving drawings of the causes: each of the level that its page names, made by a background job when the page is first shown.

use super::Model;
use super::job::{JobDone, JobKind};
use crate::app::help_topics::{self, HelpPage};
use crate::bundled;
use crate::core::diagnose::{Cause, Finding, Options, diagnose};
use crate::core::level::{self, Level};
use crate::core::progress::Progress;
use crate::view::drawing::Film;
use crate::view::pair_view::PairView;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Width of a drawing, points, and its moments.
const SIZE: (f64, usize) = (640.0, 61);

/// The drawings, by their causes; `None` of one that is being made or cannot be.
pub type CauseFilms = BTreeMap<Cause, Option<Arc<Film>>>;

impl Model {
    /// The drawing of a cause, once it is made.
    pub fn cause_film(&self, cause: Cause) -> Option<&Film> {
        self.cause_films.get(&cause)?.as_deref()
    }

    /// Returns true while a drawing is made.
    pub fn is_drawing_cause(&self) -> bool {
        self.jobs.is_running(JobKind::DrawCause)
    }

    /// Starts making the drawing of the cause whose page is shown.
    pub(super) fn draw_cause(&mut self) {
        let page = self.ui_state.help;
        let mut causes = Cause::ALL.into_iter();
        let shown = page.and_then(|page| causes.find(|it| HelpPage::Cause(*it).index() == page));
        let new = shown.filter(|cause| !self.cause_films.contains_key(cause));
        let Some(cause) = new.filter(|_| !self.is_drawing_cause()) else {
            return;
        };
        self.cause_films.insert(cause, None);
        self.jobs.start(JobKind::DrawCause, move |job| {
            JobDone::DrawCause(cause, film(cause, job).map(Arc::new))
        });
    }
}

/// The bundled level of a cause, and its first finding with it.
pub fn level_and_finding(cause: Cause, progress: &dyn Progress) -> Option<(Level, Finding)> {
    let file = help_topics::level_of(cause)?;
    let level = level::open_in(&bundled::folder(), file, progress).ok()?;
    let found = diagnose(&level, &Options::default(), progress)?.findings;
    let first = |is: &dyn Fn(&&Finding) -> bool| found.iter().find(is).cloned();
    let finding = first(&|finding| finding.cause == cause);
    let finding = finding.or_else(|| first(&|finding| finding.also.contains(&cause)))?;
    Some((level, finding))
}

fn film(cause: Cause, progress: &dyn Progress) -> Option<Film> {
    let (level, finding) = level_and_finding(cause, progress)?;
    let (frame, pair) = PairView::of_finding(&level.replay, &finding)?;
    Film::of(&level.replay, &frame, &finding, pair.as_ref(), SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::drawing::Item;

    /// The middle of what the first moments draw, points.
    fn middle(items: &[Item]) -> Option<glam::DVec2> {
        let points = items.iter().flat_map(|item| match item {
            Item::Circle { center, .. } => vec![*center],
            Item::Fill { outlines, .. } => outlines.concat(),
            Item::Line { points, .. } => points.clone(),
            Item::Text { .. } => Vec::new(),
        });
        let points: Vec<_> = points.collect();
        let sum: glam::DVec2 = points.iter().sum();
        (!points.is_empty()).then(|| sum / points.len() as f64)
    }

    #[test]
    fn every_cause_has_a_drawing_and_the_mover_goes_along_its_path() {
        let mut moving = 0;
        for cause in Cause::ALL {
            let film = film(cause, &()).unwrap_or_else(|| panic!("{} has none", cause.id()));
            assert_eq!(film.moments.len(), SIZE.1);
            let ends = [&film.moments[0], &film.moments[SIZE.1 - 1]];
            if let [Some(from), Some(to)] = ends.map(|items| middle(items)) {
                moving += usize::from(from.distance(to) > 20.0);
            }
        }
        assert!(moving >= 15, "{moving}");
    }
}
