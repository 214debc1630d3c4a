//! A finding with the what-if values: the poses at the start, at the impact and at the end, with the shapes of these values.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::outline::{ghost, outline};
use crate::core::diagnose::what_if::session::Ghost;
use crate::core::shape::Pose;
use egui::Color32;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let Some(what_if) = input.what_if else {
        return;
    };
    let color = builder.palette.outcome(what_if.outcome);
    let text = format!("What if: {}", what_if.outcome.name());
    let mut labelled = false;
    for one in &what_if.ghosts {
        let label = (!labelled && one.start != one.end).then_some(text.as_str());
        labelled |= label.is_some();
        body(builder, one, what_if.values.substeps > 1, color, label);
    }
    let style = LineStyle::new(builder.palette.contact, 7.0).occluded(0.8);
    builder.point(what_if.point, style);
}

fn body(
    builder: &mut DrawListBuilder,
    one: &Ghost,
    substepped: bool,
    color: Color32,
    label: Option<&str>,
) {
    let palette = builder.palette;
    let finite = [one.start, one.impact, one.test, one.end];
    if !finite.iter().all(Pose::is_finite) {
        return;
    }
    if one.start == one.end {
        // Only the size of a body at rest can differ.
        outline(
            builder,
            &one.shape,
            &one.impact,
            LineStyle::new(color, 1.6).occluded(0.5),
        );
        return;
    }
    let (start, end) = (one.start.position, one.end.position);
    let style = LineStyle::new(color, 1.6).occluded(0.5);
    builder.dashes(start, end, style);
    for (pose, color, alpha) in [
        (&one.start, palette.ghost_start, 0.12),
        (&one.impact, palette.ghost_impact, 0.16),
        (&one.end, color, if substepped { 0.08 } else { 0.28 }),
    ] {
        ghost(builder, &one.shape, pose, (color, alpha));
    }
    if substepped {
        ghost(builder, &one.shape, &one.test, (color, 0.28));
        builder.point(one.test.position, style.width(6.0));
    }
    if let Some(label) = label {
        let placed = one.shape.placed(&one.test);
        let covered = builder.screen_bounds(&placed);
        let half = covered.map_or([3.0; 2], |rect| [rect.width() * 0.5, rect.height() * 0.5]);
        let along = builder.screen_direction(start, end - start);
        builder.label_around(
            (one.test.position, half),
            -along.perp(),
            label,
            color,
            Rank::Now,
        );
    }
}
