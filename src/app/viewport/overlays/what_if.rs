//! A finding with other numbers: where the two would start, touch and end, as large as they would be.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::outline::{ghost, outline};
use crate::core::diagnose::what_if::session::Ghost;
use crate::core::shape::Pose;
use egui::Color32;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let Some(tried) = input.what_if else {
        return;
    };
    let verdict = builder.palette.outcome(tried.outcome);
    let word = format!("what if: {}", tried.outcome.name());
    let mut named = false;
    for one in &tried.ghosts {
        let name = (!named && one.start != one.end).then_some(word.as_str());
        named |= name.is_some();
        body(builder, one, tried.values.substeps > 1, verdict, name);
    }
    let style = LineStyle::new(builder.palette.contact, 7.0).through(0.8);
    builder.point(tried.point, style);
}

fn body(
    builder: &mut DrawListBuilder,
    one: &Ghost,
    cut: bool,
    verdict: Color32,
    name: Option<&str>,
) {
    let palette = builder.palette;
    let finite = [one.start, one.impact, one.test, one.end];
    if !finite.iter().all(Pose::is_finite) {
        return;
    }
    if one.start == one.end {
        // It stands still: only its size can be new.
        outline(
            builder,
            &one.shape,
            &one.impact,
            LineStyle::new(verdict, 1.6).through(0.5),
        );
        return;
    }
    let (start, end) = (one.start.position, one.end.position);
    let style = LineStyle::new(verdict, 1.6).through(0.5);
    builder.dashes(start, end, style);
    for (pose, color, fill) in [
        (&one.start, palette.ghost_start, 0.12),
        (&one.impact, palette.ghost_impact, 0.16),
        (&one.end, verdict, if cut { 0.08 } else { 0.28 }),
    ] {
        ghost(builder, &one.shape, pose, (color, fill));
    }
    if cut {
        ghost(builder, &one.shape, &one.test, (verdict, 0.28));
        builder.point(
            one.test.position,
            LineStyle {
                width: 6.0,
                ..style
            },
        );
    }
    if let Some(name) = name {
        let placed = one.shape.placed(&one.test);
        let around = builder.cover(&placed);
        let half = around.map_or([3.0; 2], |rect| [rect.width() * 0.5, rect.height() * 0.5]);
        let way = builder.heading(start, end - start);
        builder.label_around(
            (one.test.position, half),
            -way.perp(),
            name,
            verdict,
            Rank::Now,
        );
    }
}
