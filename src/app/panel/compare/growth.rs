//! The plot of one object's difference between the two replays over all frames.

use crate::app::axis_ticks::AxisTicks;
use crate::app::command::Command;
use crate::app::model::compare::Other;
use crate::app::model::document::Document;
use crate::app::model::{Model, Session};
use crate::app::theme::Palette;
use crate::app::time_map::seek_to;
use crate::app::{style, text, widget};
use crate::core::replay::Replay;
use crate::core::replay::compare::{GrowthPoint, PoseDifference};
use crate::core::scene::UserUnits;
use egui::{RichText, Ui, Vec2b, WidgetInfo};
use egui_plot::{HoverPosition, Line, PlotPoint, PlotPoints, VLine};
use std::sync::Arc;

/// Draws the curve of the selected object in the remaining space.
pub fn show(ui: &mut Ui, model: &Model, other: &Other, commands: &mut Vec<Command>) {
    let Some(Session {
        document, compare, ..
    }) = &model.session
    else {
        return;
    };
    let Some(chosen) = compare.chosen() else {
        return;
    };
    let name = chosen.title(document.replay(), &other.replay);
    let small = |text: String| RichText::new(text).font(style::small()).weak();
    let Some(curve) = compare.curve() else {
        ui.horizontal(|ui| {
            ui.spinner();
            ui.label(small(format!("Comparing {name} in all frames…")));
        });
        return;
    };
    // Metres, unless only the rotation differs.
    let metres = |apart: &PoseDifference| apart.position;
    let degrees = |apart: &PoseDifference| apart.rotation.map(f64::to_degrees);
    let apart = || curve.points.iter().filter_map(|point| point.apart.as_ref());
    let turns = apart().any(|apart| apart.rotation.is_some_and(|angle| angle > 0.0));
    let moves = apart().any(|apart| apart.position.is_none_or(|metres| metres > 0.0));
    let (part, unit): (fn(&PoseDifference) -> Option<f64>, _) = if turns && !moves {
        (degrees, "degrees")
    } else {
        (metres, "m")
    };
    let units = document.units();
    let here = model.playback.playhead().position();
    if let Some(point) = at(&curve.points, here) {
        let apart = point.apart.as_ref().map(|apart| (part(apart), unit));
        ui.label(small(format!(
            "{name}: {}",
            difference_text(document.replay().number(point.frame), apart, units)
        )));
    }
    let runs = runs(&curve.points, part);
    plot(ui, (&runs, unit), document, here, commands);
}

/// The text of the difference at the start of a frame.
fn difference_text(
    frame: u64,
    apart: Option<(Option<f64>, &'static str)>,
    units: UserUnits,
) -> String {
    match apart {
        None => format!("not present in both at frame {frame}"),
        Some((None, _)) => format!("not finite at frame {frame}"),
        Some((Some(value), unit)) => {
            let value = units.text(value, unit);
            format!("{value} apart at the start of frame {frame}")
        }
    }
}

/// The last point at or before a position in frames.
fn at(points: &[GrowthPoint], here: f64) -> Option<&GrowthPoint> {
    let after = points.partition_point(|point| f64::from(point.frame) <= here);
    points.get(after.checked_sub(1)?)
}

/// The curve as runs of frame and value, interrupted where there is no value.
fn runs(points: &[GrowthPoint], part: fn(&PoseDifference) -> Option<f64>) -> Vec<Vec<[f64; 2]>> {
    let value = |point: &GrowthPoint| part(point.apart.as_ref()?);
    points
        .split(|point| value(point).is_none())
        .map(|run| {
            let pairs = run
                .iter()
                .filter_map(|point| Some((point.frame, value(point)?)));
            pairs
                .map(|(frame, value)| [f64::from(frame), value])
                .collect()
        })
        .filter(|run: &Vec<_>| !run.is_empty())
        .collect()
}

fn plot(
    ui: &mut Ui,
    (runs, unit): (&[Vec<[f64; 2]>], &'static str),
    document: &Document,
    here: f64,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui.visuals());
    let (replay, units) = (Arc::clone(document.replay()), document.units());
    let (frames, numbers) = (replay.frames(), Arc::clone(&replay));
    let values = runs.iter().flatten().map(|[_, apart]| *apart);
    let ticks = AxisTicks::of(values, true, units.value(1.0, unit).recip());
    let response = ticks
        .apply_to(widget::fixed_plot(ui, "growth"), units.unit(unit))
        .auto_bounds(Vec2b::new(true, false))
        .include_x(0.0)
        .include_x(f64::from(frames))
        .set_margin_fraction(egui::vec2(0.01, 0.0))
        .y_axis_min_width(48.0)
        .x_axis_formatter(move |mark, _| text::frame_mark(&numbers, mark.value))
        .label_formatter(move |at| match at {
            HoverPosition::NearDataPoint { position, .. } => Some(hover(position, unit, &replay)),
            HoverPosition::Elsewhere { .. } => None,
        })
        .show(ui, |plot| {
            plot.set_plot_bounds_y(ticks.bounds());
            for run in runs {
                let points: PlotPoints<'_> = run.iter().copied().collect();
                let line = Line::new("apart", points).allow_band(false);
                plot.line(line.color(palette.other).width(2.0));
            }
            plot.vline(
                VLine::new("playhead", here)
                    .color(palette.playhead)
                    .width(2.0)
                    .allow_hover(false),
            );
        });
    let name = "Difference over all frames";
    response
        .response
        .widget_info(|| WidgetInfo::slider(true, here, name));
    let help = "The difference of the selected object; drag to move the playhead";
    widget::describe(&response.response, help);
    if let Some(pointer) = widget::dragged_to(&response.response) {
        let position = response.transform.value_from_position(pointer).x;
        let position = position.clamp(0.0, f64::from(frames));
        if position != here {
            commands.push(seek_to(position, frames));
        }
    }
}

fn hover(position: &PlotPoint, unit: &'static str, replay: &Replay) -> String {
    format!(
        "frame {}\n{} apart",
        replay.number(position.x as u32),
        replay.units().text(position.y, unit)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(frame: u32, position: Option<f64>) -> GrowthPoint {
        let apart = position.map(|metres| PoseDifference {
            position: Some(metres),
            rotation: Some(0.0),
        });
        GrowthPoint { frame, apart }
    }

    #[test]
    fn a_curve_is_interrupted_where_there_is_no_value() {
        let points = [
            point(0, None),
            point(1, Some(1.0)),
            point(2, Some(2.0)),
            point(3, None),
            point(4, Some(4.0)),
        ];
        let found = runs(&points, |apart| apart.position);
        assert_eq!(found, [vec![[1.0, 1.0], [2.0, 2.0]], vec![[4.0, 4.0]]]);
        assert_eq!(at(&points, 2.7).map(|point| point.frame), Some(2));
        assert_eq!(at(&points, 9.0).map(|point| point.frame), Some(4));
        assert!(at(&points[1..], 0.5).is_none());
    }
}
