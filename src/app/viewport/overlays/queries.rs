//! The queries of the log: path, swept shape and the engine's answer; of the selected wrong one also the exact answer.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::outline::ghost;
use crate::app::text;
use crate::app::view_state::{Layer, Show};
use crate::core::diagnose::{Key, Source};
use crate::core::escape::escaped;
use crate::core::replay::LoggedQuery;
use crate::core::shape::Pose;
use egui::Color32;

/// Most queries that are drawn besides the selected one.
const MOST: usize = 64;
/// Most queries whose tags are written.
const MOST_TAGS: usize = 16;

/// Draws the selected wrong query, and those of the frame whose objects the layer is drawn for.
pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let layer = input.layers.get(Layer::Queries);
    let Some(recording) = input.replay.recording().filter(|_| layer != Show::None) else {
        return;
    };
    let selected = input.finding.and_then(|finding| match finding.source {
        Source::Query(number) => Some((number, finding)),
        _ => None,
    });
    if let Some((number, finding)) = selected
        && let Some(query) = recording.query(number)
    {
        let palette = builder.palette;
        path(builder, &query, 1.0);
        let engine = match query.hit {
            Some(hit) => (
                hit.fraction,
                format!("Engine: hit at {}", text::number(hit.fraction)),
            ),
            None => (1.0, "Engine: no hit".to_owned()),
        };
        answer(builder, &query, engine, palette.bad, 1.0);
        let exact = match finding.value(Key::ExactFraction) {
            Some(at) => (at, format!("Exact: hit at {}", text::number(at))),
            None => (1.0, "Exact: no hit".to_owned()),
        };
        answer(builder, &query, exact, palette.good, -1.0);
    }
    // Those of the line to which the frame leads.
    let line = input.frame.number as usize + 1;
    let Some(first) = recording.frames.get(line).map(|line| line.first.queries) else {
        return;
    };
    let events = recording.data.events(line);
    let is_drawn = |(number, query): &(usize, &LoggedQuery)| {
        let is_selected = query.object.is_some_and(|id| input.selection.contains(id));
        selected.is_none_or(|(shown, _)| shown != *number)
            && input.layers.shows(Layer::Queries, is_selected)
    };
    let all = || (first..).zip(&events.queries).filter(is_drawn);
    let count = all().count();
    if count > MOST {
        let text = format!(
            "{MOST} of {} drawn",
            text::count_of(count, "query", "queries")
        );
        builder.legend.push((builder.palette.swept, text));
    }
    for (_, query) in all().take(MOST) {
        path(builder, query, 0.5);
        if let Some(hit) = query.hit {
            let style = LineStyle::new(builder.palette.swept, 6.0).occluded(0.6);
            builder.point(query.from.lerp(query.to, hit.fraction), style);
        }
        if let Some(tag) = query.tag.as_deref().filter(|_| count <= MOST_TAGS) {
            let along = builder.screen_direction(query.from, query.to - query.from);
            let (tag, color) = (escaped(tag), builder.palette.swept);
            builder.label(query.from, -along, tag, color, Rank::Push);
        }
    }
}

fn path(builder: &mut DrawListBuilder, query: &LoggedQuery, alpha: f32) {
    let style = LineStyle::new(builder.palette.swept, 1.8).occluded(0.6);
    builder.arrow(query.from, query.to, style.alpha(alpha));
}

/// Draws what is swept at an answer, with its label above or below the path.
fn answer(
    builder: &mut DrawListBuilder,
    query: &LoggedQuery,
    (fraction, label): (f64, String),
    color: Color32,
    side: f64,
) {
    let at = query.from.lerp(query.to, fraction);
    if !at.is_finite() {
        return;
    }
    if let Some(swept) = query.swept_shape() {
        let pose = Pose {
            position: at,
            rotation: swept.rotation,
        };
        ghost(builder, &swept.shape, &pose, (color, 0.25));
    }
    builder.point(at, LineStyle::new(color, 8.0).occluded(0.7));
    let along = builder.screen_direction(at, query.to - query.from);
    builder.label(at, along.perp() * side, label, color, Rank::Now);
}
