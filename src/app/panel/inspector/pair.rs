//! The values of the selected pair in the shown frame.

use crate::app::command::Command;
use crate::app::dock::Pane;
use crate::app::model::document::Document;
use crate::app::theme::Palette;
use crate::app::widget;
use crate::core::diagnose::expected_hit;
use crate::core::diagnose::explain::{Outcome, OverlapTest, SweptInterval};
use crate::core::query::Feature;
use crate::core::replay::ObjectId;
use crate::core::scene::UserUnits;
use crate::view::gap_curve::{Mark, MarkKind};
use crate::view::pair_view::PairView;
use egui::{RichText, Ui};

/// Scale for the precision of positions that belong to no object, metres.
const METRE: f64 = 1.0;

/// Draws the overlap tests and the sweeps of the pair.
pub fn show(ui: &mut Ui, document: &Document, pair: &PairView, commands: &mut Vec<Command>) {
    let units = document.units();
    let name = |id: ObjectId| {
        let object = document.replay().objects().get(id as usize);
        object.map_or_else(String::new, |object| object.name.clone())
    };
    widget::facts(ui, "pair", |ui| {
        widget::fact(ui, "first", name(pair.a));
        widget::fact(ui, "second", name(pair.b));
        widget::fact(
            ui,
            "overlap test at start",
            OverlapTest::summary(pair.explanation.end_tests[0].as_ref(), units).1,
        );
        widget::fact(
            ui,
            "overlap test at end",
            OverlapTest::summary(pair.explanation.end_tests[1].as_ref(), units).1,
        );
        if let Some(gap) = pair.explanation.after_pushes {
            widget::fact(
                ui,
                "after the pushes",
                format!("{} apart", units.length(gap)),
            );
        }
    });
    let help = "Every frame of this pair: gap, depth, speed, contact and push";
    if ui
        .small_button("Pair history")
        .on_hover_text(help)
        .clicked()
    {
        commands.push(Command::ShowPane(Pane::PairHistory));
    }
    // A contact at exactly 1 is the next frame's.
    let is_hit = |mark: &&Mark| mark.kind == MarkKind::Impact && mark.fraction < 1.0;
    if let Some(mark) = pair.curve.marks.iter().find(is_hit) {
        let wanted = || expected_hit(&name(pair.a), &name(pair.b), pair.frame, mark.fraction);
        widget::expect_button(ui, "Expect this hit", wanted, commands);
    }
    let intervals = &pair.explanation.intervals;
    for (index, interval) in intervals.iter().enumerate() {
        ui.push_id(index, |ui| of_sweep(ui, intervals.len(), interval, units));
    }
    if intervals.is_empty() {
        let why =
            "Not swept: one of them is not present at both ends of the frame, or was teleported.";
        ui.label(RichText::new(why).weak());
    }
}

fn of_sweep(ui: &mut Ui, intervals: usize, swept: &SweptInterval, units: UserUnits) {
    let palette = Palette::of(ui.visuals());
    let (severity, summary) = swept.outcome_in_frame().summary(units);
    let color = palette.severity(severity);
    ui.add_space(2.0);
    ui.horizontal(|ui| {
        ui.label("Sweep:");
        ui.label(RichText::new(summary).strong().color(color));
        if intervals > 1 {
            let part = format!("from {:.3} to {:.3}", swept.from, swept.to);
            ui.label(RichText::new(part).weak());
        }
    });
    widget::facts(ui, "sweep", |ui| outcome_facts(ui, swept, units));
    if swept.sweep.rotation_ignored {
        ui.label(RichText::new("The sweep ignores its rotation").weak());
    }
    if let Some(followed) = &swept.followed {
        let text = match &followed.touch {
            Some(touch) => format!("With its rotation they touch at {:.6}", touch.fraction),
            None => "With its rotation they do not overlap".to_owned(),
        };
        ui.label(RichText::new(text).weak());
    }
}

fn outcome_facts(ui: &mut Ui, swept: &SweptInterval, units: UserUnits) {
    let fraction = |fraction: f64| format!("{fraction:.6}");
    match swept.outcome_in_frame() {
        Outcome::Hits(impact) => {
            widget::fact(ui, "time of impact", fraction(impact.fraction));
            widget::fact(ui, "point", units.place(impact.point, METRE));
            widget::fact(ui, "normal", units.unit_vector(impact.normal));
            widget::fact(ui, "feature of first", feature(impact.feature_a));
            widget::fact(ui, "feature of second", feature(impact.feature_b));
            if let Some(triangle) = impact.triangle {
                widget::fact(ui, "triangle", triangle.to_string());
            }
        }
        Outcome::Misses { fraction: at, .. } => widget::fact(ui, "closest at", fraction(at)),
        Outcome::Grazes { fraction: at } => widget::fact(ui, "grazes at", fraction(at)),
        Outcome::Overlapping { .. } | Outcome::Receding | Outcome::Later => {}
    }
}

fn feature(feature: Feature) -> String {
    match feature {
        Feature::Vertex(index) => format!("vertex {index}"),
        Feature::Edge(index) => format!("edge {index}"),
        Feature::Face(index) => format!("face {index}"),
        Feature::Round => "round".into(),
    }
}
