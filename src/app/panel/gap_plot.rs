//! The gap plot: the distance of the selected pair over the frame, which touches where it crosses zero; of a camera and the
//! selected object its clearance. It shows a lens on the overlap, with the whole frame as a strip above.

mod strip;

use crate::app::axis_ticks::{AxisTicks, round_step};
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::other_gap::OtherGap;
use crate::app::text::short_name;
use crate::app::theme::Palette;
use crate::app::{style, widget};
use crate::core::replay::ObjectId;
use crate::core::scene::UserUnits;
use crate::view::camera_view::CameraView;
use crate::view::gap_curve::{GapCurve, MarkKind};
use crate::view::pair_view::PairView;
use egui::accesskit::Role;
use egui::{Button, RichText, Ui, Vec2b, WidgetInfo};
use egui_material_icons::icons;
use egui_plot::{
    GridMark, HLine, HoverPosition, Line, LineStyle, MarkerShape, PlotPoints, PlotUi, Points, VLine,
};
use std::ops::RangeInclusive;

/// In a panel lower than this the strip of the whole frame is hidden, points.
const LOW: f32 = 80.0;

/// The part of the frame that is visible; fractions.
type Lens = RangeInclusive<f64>;

const WHOLE: Lens = 0.0..=1.0;
/// The shortest lens that the wheel zooms to.
const SHORTEST: f64 = 1e-9;

/// The state of the panel: the lens.
#[derive(Default)]
pub struct GapPlot {
    /// The lens is off.
    whole: bool,
    /// The lens as it was moved, with the frame and the objects that it is of.
    moved: Option<(u32, Objects, Lens)>,
    /// While the lens is dragged: the fraction from its start to the pointer.
    grabbed: f64,
}

/// A pair, or the object and the camera.
type Objects = (ObjectId, Option<ObjectId>);

/// A plotted curve with its marks.
struct Plotted<'a> {
    title: String,
    /// The name of the line.
    name: &'static str,
    frame: u32,
    /// Its number as the user counts.
    number: u64,
    units: UserUnits,
    objects: Objects,
    curve: &'a GapCurve,
    /// The names of a crossing into and out of the overlap.
    crossings: [&'static str; 2],
    /// Results of the overlap tests at start and end: gap, and whether they touch.
    ends: [Option<(f64, bool)>; 2],
    /// The gap at the end after the pushes.
    after_pushes: Option<f64>,
    /// The reach of the camera's probe.
    reach: Option<f64>,
    /// The gap in the replay that the level is compared with, and its name.
    other: Option<(&'a OtherGap, &'a str)>,
}

impl<'a> Plotted<'a> {
    fn of_pair(pair: &'a PairView) -> Self {
        let [a, b] = &pair.explanation.names;
        let ends = pair.ends();
        Self {
            title: format!("{a} \u{2194} {b}"),
            name: "gap",
            frame: pair.frame,
            number: pair.explanation.number,
            units: pair.explanation.units,
            objects: (pair.a, Some(pair.b)),
            curve: &pair.curve,
            crossings: ["Impact", "Separation"],
            ends: ends.map(|end| end.map(|end| (end.gap, end.contact.is_some()))),
            after_pushes: pair.explanation.after_pushes,
            reach: None,
            other: None,
        }
    }

    fn of_camera(view: &'a CameraView) -> Self {
        let explanation = &view.explanation;
        Self {
            title: format!("Clearance of the camera to {}", explanation.name),
            name: "clearance",
            frame: explanation.frame,
            number: explanation.number,
            units: explanation.units,
            objects: (explanation.object, None),
            curve: &view.clearance,
            crossings: ["Crosses at", "Leaves at"],
            ends: [None, None],
            after_pushes: view.after_push,
            reach: view.reach(),
            other: None,
        }
    }

    /// The ticks for all that is drawn in a lens, and for zero.
    fn ticks(&self, lens: &Lens) -> AxisTicks {
        let curve = self.curve;
        let inside = |at: f64, gap: f64| lens.contains(&at).then_some(gap);
        let samples = curve
            .samples
            .iter()
            .filter_map(|[at, gap]| inside(*at, *gap));
        let marks = curve.marks.iter();
        let marks = marks.filter_map(|mark| inside(mark.fraction, mark.gap));
        let edges = [*lens.start(), *lens.end()].into_iter();
        let edges = edges.filter_map(|at| curve.at(at));
        let ends = [0.0, 1.0].into_iter().zip(self.ends);
        let ends = ends.filter_map(|(at, end)| inside(at, end?.0));
        let after = self.after_pushes.and_then(|gap| inside(1.0, gap));
        let all = samples.chain(marks).chain(edges).chain(ends).chain(after);
        let others = self.other.iter().flat_map(|(other, _)| &other.samples);
        let others = others.filter_map(|[at, gap]| inside(*at, *gap));
        let all = all.chain(self.reach).chain(others);
        AxisTicks::of(all, true, self.units.metres())
    }
}

impl GapPlot {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(derived) = model.derived() else {
            return;
        };
        let plotted = match (&derived.pair, &derived.camera_view) {
            (Some(pair), _) => {
                let compare = model.session.as_ref().map(|session| &session.compare);
                let other = compare.and_then(|compare| {
                    Some((compare.other_gap(pair.frame)?, &*compare.other()?.name))
                });
                Plotted {
                    other,
                    ..Plotted::of_pair(pair)
                }
            }
            (None, Some(view)) => Plotted::of_camera(view),
            (None, None) => {
                let help = "Select two objects (Ctrl+click adds one) or a finding to plot their distance over this frame.";
                widget::empty_state(ui, icons::ICON_SHOW_CHART, "No pair selected", help);
                return;
            }
        };
        self.header(ui, &plotted);
        if plotted.curve.samples.is_empty() {
            let help = "One of the objects is not present at both ends of this frame, was teleported, or the shapes have no distance (two planes).";
            widget::empty_state(ui, icons::ICON_SHOW_CHART, "No gap in this frame", help);
            return;
        }
        let playhead = model.playback.playhead();
        let here = (playhead.frame == plotted.frame).then_some(playhead.fraction);
        let mut lens = self.lens(&plotted);
        let before = lens.clone();
        if lens != WHOLE && ui.available_height() > LOW {
            strip::show(ui, plotted.curve, here, &mut lens, &mut self.grabbed);
        }
        plot(ui, &plotted, here, &mut lens, commands);
        if lens != before {
            self.moved = Some((plotted.frame, plotted.objects, lens));
        }
    }

    /// The visible part of the frame: the overlap, unless it was moved.
    fn lens(&self, plotted: &Plotted<'_>) -> Lens {
        let of_curve = || plotted.curve.lens().unwrap_or(WHOLE);
        match &self.moved {
            _ if self.whole => WHOLE,
            Some((frame, objects, lens))
                if (*frame, *objects) == (plotted.frame, plotted.objects) =>
            {
                lens.clone()
            }
            _ => of_curve(),
        }
    }

    fn header(&mut self, ui: &mut Ui, plotted: &Plotted<'_>) {
        widget::heading(ui, &plotted.title, |ui| {
            let palette = Palette::of(ui.visuals());
            let label = RichText::new("Whole frame").font(style::small());
            let response = ui.add(Button::selectable(self.whole, label));
            let on = self.whole;
            response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, "Whole frame"));
            let help = "Show the whole frame, not only the part in which they overlap";
            if response.on_hover_text(help).clicked() {
                (self.whole, self.moved) = (!on, None);
            }
            ui.label(RichText::new(format!("Frame {}", plotted.number)).weak());
            if let Some(reach) = plotted.reach {
                let text = format!("Reach of the probe {}", plotted.units.length(reach));
                ui.colored_label(palette.camera, text);
            }
            let other = plotted.other.filter(|(gap, _)| !gap.samples.is_empty());
            if let Some((_, name)) = other {
                ui.colored_label(palette.other, format!("B  {}", short_name(name)));
            }
            for mark in plotted.curve.marks.iter().rev() {
                let (label, color) = match mark.kind {
                    MarkKind::Impact => (plotted.crossings[0], palette.ghost_impact),
                    MarkKind::Leaves => (plotted.crossings[1], palette.ghost_end),
                    MarkKind::Closest => ("Closest", palette.velocity),
                };
                ui.colored_label(color, format!("{label} {:.4}", mark.fraction));
            }
        });
    }
}

fn plot(
    ui: &mut Ui,
    plotted: &Plotted<'_>,
    here: Option<f64>,
    lens: &mut Lens,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui.visuals());
    let ticks = plotted.ticks(lens);
    let (from, to) = (*lens.start(), *lens.end());
    // The marks at the ends of the frame are not cut in half.
    let margin = if *lens == WHOLE { 0.01 } else { 0.0 };
    let step = round_step((to - from) / 8.0);
    let decimals = (-step.log10()).ceil().max(0.0) as usize;
    let curve = plotted.curve;
    let fraction_text = move |fraction: f64| format!("fraction {fraction:.*}", decimals.max(2) + 2);
    let response = ticks
        .apply_to(
            widget::fixed_plot(ui, "gap").show_axes(true),
            plotted.units.unit("m"),
        )
        .auto_bounds(Vec2b::new(false, false))
        .y_axis_min_width(52.0)
        .x_grid_spacer(move |_| fraction_marks(from, to, step))
        .x_axis_formatter(move |mark, _| format!("{:.decimals$}", mark.value))
        .label_formatter(|at| {
            let (name, [at, gap]) = match at {
                HoverPosition::NearDataPoint {
                    plot_name,
                    position,
                    ..
                } => (*plot_name, [position.x, position.y]),
                HoverPosition::Elsewhere { position } => {
                    (plotted.name, [position.x, curve.at(position.x)?])
                }
            };
            let gap = plotted.units.length(gap);
            Some(format!("{name}\n{}\n{gap}", fraction_text(at)))
        })
        .show(ui, |plot| {
            plot.set_plot_bounds_x(from - margin..=to + margin);
            plot.set_plot_bounds_y(ticks.bounds());
            draw(plot, palette, plotted, here);
        });
    let transform = response.transform;
    let response = response.response;
    let name = "Gap over the frame";
    let value = here.unwrap_or(0.0);
    response.widget_info(|| WidgetInfo::slider(true, value, name));
    let help = "The distance of the pair over the frame; drag to move inside the frame, turn the wheel to zoom";
    widget::describe(&response, help);
    if let Some(pointer) = widget::dragged_to(&response) {
        let fraction = transform.value_from_position(pointer).x;
        let fraction = fraction.clamp(0.0, 1.0);
        if here != Some(fraction) {
            let frame = plotted.frame;
            commands.push(Command::Seek { frame, fraction });
        }
    }
    if let Some(pointer) = response.hover_pos() {
        let scroll = ui.input(|input| input.smooth_scroll_delta().y);
        if scroll != 0.0 {
            let around = transform.value_from_position(pointer).x.clamp(from, to);
            *lens = zoomed(lens, around, (f64::from(-scroll) * 0.004).exp());
        }
    }
    if response.double_clicked() {
        *lens = curve.lens().unwrap_or(WHOLE);
    }
}

/// The lens zoomed around a fraction.
fn zoomed(lens: &Lens, around: f64, factor: f64) -> Lens {
    let length = ((lens.end() - lens.start()) * factor).clamp(SHORTEST, 1.0);
    let share = (around - lens.start()) / (lens.end() - lens.start());
    let from = (around - share * length).clamp(0.0, 1.0 - length);
    from..=(from + length).min(1.0)
}

/// Grid lines at the multiples of a step inside a lens.
fn fraction_marks(from: f64, to: f64, step: f64) -> Vec<GridMark> {
    let first = (from / step).ceil();
    let count = ((to / step).floor() - first).clamp(0.0, 100.0) as u32;
    let mark = |index: u32| GridMark {
        value: (first + f64::from(index)) * step,
        step_size: step,
    };
    (0..=count).map(mark).collect()
}

fn draw<'a>(plot: &mut PlotUi<'a>, palette: &Palette, plotted: &Plotted<'a>, here: Option<f64>) {
    let curve = plotted.curve;
    plot.hline(
        HLine::new("touching", 0.0)
            .color(palette.contact)
            .width(1.0)
            .allow_hover(false),
    );
    if let Some(reach) = plotted.reach {
        let line = HLine::new("reach of the probe", reach).color(palette.camera);
        plot.hline(line.style(LineStyle::dashed_dense()).width(1.5));
    }
    let runs = curve
        .samples
        .chunk_by(|one, next| (one[1] <= 0.0) == (next[1] <= 0.0));
    for run in runs.filter(|run| run[0][1] <= 0.0) {
        plot.line(
            Line::new("overlap", PlotPoints::from(run.to_vec()))
                .color(palette.bad)
                .width(0.0)
                .fill(0.0)
                .fill_alpha(0.35)
                .allow_hover(false),
        );
    }
    let points: PlotPoints<'_> = curve.samples.iter().copied().collect();
    plot.line(
        Line::new(plotted.name, points)
            .color(palette.velocity)
            .width(2.0)
            .allow_band(false)
            .allow_hover(true),
    );
    if let Some((other, name)) = plotted.other {
        let points: PlotPoints<'_> = other.samples.iter().copied().collect();
        let line = Line::new(format!("B  {name}"), points).color(palette.other);
        let line = line.style(LineStyle::dashed_dense());
        plot.line(line.width(1.5).allow_band(false));
    }
    for mark in &curve.marks {
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
    for (fraction, end) in [0.0, 1.0].into_iter().zip(plotted.ends) {
        if let Some((gap, touches)) = end {
            let (name, color) = match touches {
                true => ("overlap test: contact", palette.bad),
                false => ("overlap test: no contact", palette.good),
            };
            plot.points(dot(name, [fraction, gap], color).radius(5.5));
        }
    }
    if let Some(gap) = plotted.after_pushes {
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

fn dot<'a>(name: &str, at: [f64; 2], color: egui::Color32) -> Points<'a> {
    Points::new(name, vec![at]).color(color).radius(4.5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zooming_keeps_the_pointer_in_place_inside_the_frame() {
        assert_eq!(zoomed(&(0.25..=0.75), 0.5, 0.5), 0.375..=0.625);
        assert_eq!(zoomed(&(0.25..=0.75), 0.25, 0.5), 0.25..=0.5);
        assert_eq!(zoomed(&(0.25..=0.75), 0.5, 4.0), WHOLE);
        assert_eq!(zoomed(&(0.0..=0.5), 0.25, 1.5), 0.0..=0.75);
    }

    #[test]
    fn grid_lines_are_the_multiples_inside_the_lens() {
        let values = |from, to, step| -> Vec<f64> {
            let marks = fraction_marks(from, to, step).into_iter();
            marks.map(|mark| mark.value).collect()
        };
        assert_eq!(values(0.3, 1.1, 0.25), [0.5, 0.75, 1.0]);
        assert_eq!(values(0.0, 1.0, 0.5), [0.0, 0.5, 1.0]);
    }
}
