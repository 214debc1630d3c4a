//! A finding with other numbers: where the two would start, touch and end, as large as they would be.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use super::super::outline::{ghost, outline};
use super::super::picture::Rank;
use crate::core::diagnose::phase_sweep::PhaseOutcome;
use crate::core::diagnose::what_if::session::Ghost;
use crate::core::shape::Pose;
use egui::Color32;

pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>) {
    let Some(tried) = moment.what_if else {
        return;
    };
    let verdict = canvas.palette.outcome(tried.outcome);
    let word = match tried.outcome {
        PhaseOutcome::Missed => "what if: tunnels",
        PhaseOutcome::Clipped => "what if: clips",
        PhaseOutcome::WrongSide => "what if: wrong side",
        PhaseOutcome::Resolved => "what if: held",
    };
    let mut named = false;
    for one in &tried.ghosts {
        let name = (!named && one.start != one.end).then_some(word);
        named |= name.is_some();
        body(canvas, one, tried.values.substeps > 1, verdict, name);
    }
    let pen = Pen::new(canvas.palette.contact, 7.0).through(0.8);
    canvas.point(tried.point, pen);
}

fn body(canvas: &mut Canvas, one: &Ghost, cut: bool, verdict: Color32, name: Option<&str>) {
    let palette = canvas.palette;
    let finite = [one.start, one.impact, one.test, one.end];
    if !finite.iter().all(Pose::is_finite) {
        return;
    }
    if one.start == one.end {
        // It stands still: only its size can be new.
        outline(
            canvas,
            &one.shape.placed(&one.impact),
            Pen::new(verdict, 1.6).through(0.5),
        );
        return;
    }
    let (start, end) = (one.start.position, one.end.position);
    let pen = Pen::new(verdict, 1.6).through(0.5);
    canvas.dashes(start, end, pen);
    for (pose, color, fill) in [
        (&one.start, palette.ghost_start, 0.12),
        (&one.impact, palette.ghost_impact, 0.16),
        (&one.end, verdict, if cut { 0.08 } else { 0.28 }),
    ] {
        ghost(canvas, &one.shape.placed(pose), color, fill);
    }
    if cut {
        ghost(canvas, &one.shape.placed(&one.test), verdict, 0.28);
        canvas.point(one.test.position, Pen { width: 6.0, ..pen });
    }
    if let Some(name) = name {
        let placed = one.shape.placed(&one.test);
        let around = canvas.cover(&placed);
        let half = around.map_or([3.0; 2], |rect| [rect.width() * 0.5, rect.height() * 0.5]);
        let way = canvas.heading(start, end - start);
        canvas.label_around(
            (one.test.position, half),
            -way.perp(),
            name,
            verdict,
            Rank::Now,
        );
    }
}
