//! The gap plot: the distance of the selected pair over the frame; the pair touches where it crosses zero.

use crate::app::axis_ticks::AxisTicks;
use crate::app::command::Command;
use crate::app::model::document::Document;
use crate::app::model::{Model, Session};
use crate::app::theme::Palette;
use crate::app::{text, widget};
use crate::view::pair_view::{MarkKind, PairView};
use egui::{RichText, Ui, Vec2b, WidgetInfo};
use egui_material_icons::icons;
use egui_plot::{
    GridMark, HLine, HoverPosition, Line, LineStyle, MarkerShape, PlotPoints, PlotUi, Points, VLine,
};

/// Draws the gap plot.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(Session {
        document, derived, ..
    }) = &model.session
    else {
        return;
    };
    let Some(pair) = &derived.pair else {
        let help = "Select two objects (Ctrl+click adds one) or a finding to plot their distance over this frame.";
        widget::empty_state(ui, icons::ICON_SHOW_CHART, "No pair selected", help);
        return;
    };
    header(ui, document, pair);
    if pair.samples.is_empty() {
        let help = "One of the objects is not present at both ends of this frame, was teleported, or the shapes have no distance (two planes).";
        widget::empty_state(ui, icons::ICON_SHOW_CHART, "No gap in this frame", help);
        return;
    }
    plot(ui, model, pair, commands);
}

fn header(ui: &mut Ui, document: &Document, pair: &PairView) {
    let name = |id: u32| {
        let object = document.replay().objects().get(id as usize);
        object.map_or("?", |object| object.name.as_str())
    };
    let title = format!("Gap of {} and {}", name(pair.a), name(pair.b));
    widget::heading(ui, &title, |ui| {
        let palette = Palette::of(ui.visuals());
        ui.label(RichText::new(format!("Frame {}", pair.frame)).weak());
        for mark in pair.marks.iter().rev() {
            let (label, color) = match mark.kind {
                MarkKind::Impact => ("Impact at", palette.ghost_impact),
                MarkKind::Leaves => ("Separation at", palette.ghost_end),
                MarkKind::Closest => ("Closest at", palette.velocity),
            };
            ui.colored_label(color, format!("{label} {:.4}", mark.fraction));
        }
    });
}

fn plot(ui: &mut Ui, model: &Model, pair: &PairView, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    let playhead = model.playback.playhead();
    let here = (playhead.frame == pair.frame).then_some(playhead.fraction);
    let ticks = ticks(pair);
    let plot = widget::fixed_plot(ui, "gap").show_axes(true);
    let response = ticks
        .apply_to(plot, "m")
        .auto_bounds(Vec2b::new(true, false))
        .include_x(-0.01)
        .include_x(1.01)
        .set_margin_fraction(egui::Vec2::ZERO)
        .y_axis_min_width(52.0)
        .x_grid_spacer(|_| {
            (0..=10)
                .map(|tenth| mark(f64::from(tenth) * 0.1, 0.1))
                .collect()
        })
        .x_axis_formatter(|mark, _| match mark.value {
            value if (0.0..=1.0).contains(&value) => text::number(value),
            _ => String::new(),
        })
        .label_formatter(|at| match at {
            HoverPosition::NearDataPoint {
                plot_name,
                position,
                ..
            } => Some(format!(
                "{plot_name}\nfraction {:.4}\n{} m",
                position.x,
                text::number(position.y)
            )),
            HoverPosition::Elsewhere { position } => {
                let gap = gap_at(&pair.samples, position.x)?;
                Some(format!(
                    "fraction {:.4}\n{} m",
                    position.x,
                    text::number(gap)
                ))
            }
        })
        .show(ui, |plot| {
            plot.set_plot_bounds_y(ticks.bounds());
            draw(plot, palette, pair, here);
        });
    let name = "Gap over the frame";
    let value = here.unwrap_or(0.0);
    response
        .response
        .widget_info(|| WidgetInfo::slider(true, value, name));
    let help = "The distance of the pair over the frame; drag to move inside the frame";
    widget::describe(&response.response, help);
    if let Some(pointer) = widget::dragged_to(&response.response) {
        let fraction = response.transform.value_from_position(pointer).x;
        let fraction = fraction.clamp(0.0, 1.0);
        if here != Some(fraction) {
            commands.push(Command::Seek {
                frame: pair.frame,
                fraction,
            });
        }
    }
}

/// The ticks for everything that is drawn, and for zero.
fn ticks(pair: &PairView) -> AxisTicks {
    let samples = pair.samples.iter().map(|[_, gap]| *gap);
    let marks = pair.marks.iter().map(|mark| mark.gap);
    let ends = pair.ends().into_iter().flatten().map(|end| end.gap);
    let all = samples.chain(marks).chain(ends);
    AxisTicks::of(all.chain(pair.explanation.after_pushes), true)
}

fn mark(value: f64, step_size: f64) -> GridMark {
    GridMark { value, step_size }
}

fn draw<'a>(plot: &mut PlotUi<'a>, palette: &Palette, pair: &'a PairView, here: Option<f64>) {
    plot.hline(
        HLine::new("touching", 0.0)
            .color(palette.contact)
            .width(1.0)
            .allow_hover(false),
    );
    let runs = pair
        .samples
        .chunk_by(|one, next| (one[1] < 0.0) == (next[1] < 0.0));
    for run in runs.filter(|run| run[0][1] < 0.0) {
        plot.line(
            Line::new("overlap", PlotPoints::from(run.to_vec()))
                .color(palette.bad)
                .width(0.0)
                .fill(0.0)
                .fill_alpha(0.35)
                .allow_hover(false),
        );
    }
    let points: PlotPoints<'_> = pair.samples.iter().copied().collect();
    plot.line(
        Line::new("gap", points)
            .color(palette.velocity)
            .width(2.0)
            .allow_band(false)
            .allow_hover(true),
    );
    for mark in &pair.marks {
        let (name, color, shape) = match mark.kind {
            MarkKind::Impact => ("time of impact", palette.ghost_impact, MarkerShape::Circle),
            MarkKind::Leaves => ("separation", palette.ghost_end, MarkerShape::Circle),
            MarkKind::Closest => ("closest approach", palette.velocity, MarkerShape::Diamond),
        };
        if mark.kind == MarkKind::Impact {
            plot.vline(
                VLine::new("impact", mark.fraction)
                    .color(color)
                    .style(LineStyle::dashed_dense())
                    .allow_hover(false),
            );
        }
        plot.points(dot(name, [mark.fraction, mark.gap], color).shape(shape));
    }
    for (fraction, end) in [0.0, 1.0].into_iter().zip(pair.ends()) {
        if let Some(end) = end {
            let (name, color) = match end.contact {
                Some(_) => ("overlap test: contact", palette.bad),
                None => ("overlap test: no contact", palette.good),
            };
            plot.points(dot(name, [fraction, end.gap], color).radius(5.5));
        }
    }
    if let Some(gap) = pair.explanation.after_pushes {
        let point = dot("after the pushes", [1.0, gap], palette.push);
        plot.points(point.shape(MarkerShape::Square).filled(false));
    }
    if let Some(fraction) = here {
        plot.vline(
            VLine::new("playhead", fraction)
                .color(palette.playhead)
                .width(2.0)
                .allow_hover(false),
        );
    }
}

/// The gap between two samples at a fraction; `None` outside the samples.
fn gap_at(samples: &[[f64; 2]], fraction: f64) -> Option<f64> {
    let after = samples.partition_point(|[at, _]| *at <= fraction);
    let [[from, gap], [to, next]] = [*samples.get(after.checked_sub(1)?)?, *samples.get(after)?];
    Some(gap + (next - gap) * (fraction - from) / (to - from))
}

fn dot<'a>(name: &str, at: [f64; 2], color: egui::Color32) -> Points<'a> {
    Points::new(name, vec![at]).color(color).radius(4.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gap_under_the_cursor_is_interpolated_between_samples() {
        let samples = [[0.0, 2.0], [0.5, -1.0], [1.0, 3.0]];
        assert_eq!(gap_at(&samples, 0.25), Some(0.5));
        assert_eq!(gap_at(&samples, 0.75), Some(1.0));
        assert_eq!(gap_at(&samples, -0.01), None);
        assert_eq!(gap_at(&samples, 1.01), None);
    }
}
