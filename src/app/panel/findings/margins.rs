//! The closest calls: how much of its limit each pair without a finding takes, drawn and as a list, also at other step rates and speeds.

use crate::app::command::Command;
use crate::app::list_row::{ListRow, TALL_ROW};
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::source::Source;
use crate::app::theme::Palette;
use crate::app::{style, text, widget};
use crate::core::diagnose::{Margin, Margins};
use crate::core::number::{count, significant};
use crate::core::replay::as_logged::frames_text;
use crate::core::scene::UserUnits;
use egui::accesskit::Role;
use egui::{CollapsingHeader, RichText, ScrollArea, Slider, Ui, WidgetInfo};
use egui_material_icons::icons;
use egui_plot::{GridInput, GridMark, Line, MarkerShape, PlotPoints, Points};
use std::ops::RangeInclusive;

/// Height of the closed header, points.
const CLOSED: f32 = 28.0;
/// Height of the picture, points.
const HEIGHT: f32 = 130.0;
/// Labels closer than this to the ends of an axis are left out, powers of ten.
const EDGE: f64 = 0.15;
/// Width of a slider, and of a panel in which both are side by side, points.
const SLIDER: f32 = 70.0;
const WIDE: f32 = 285.0;
/// Pairs in the picture: the closest ones.
const DRAWN: usize = 1000;
/// With more of them the dots are smaller.
const MANY: usize = 100;
/// A dot is picked within this distance, points.
const PICK_RADIUS: f32 = 8.0;
/// Steps a second, and factors on the speed, that can be tried.
const RATES: RangeInclusive<f64> = 5.0..=1000.0;
const SPEEDS: RangeInclusive<f64> = 0.1..=10.0;

/// What is tried on the margins of a level.
#[derive(Default)]
pub struct MarginsView {
    /// Steps a second, where not as recorded.
    rate: Option<f64>,
    /// Doublings of the speed; 0 as recorded.
    doublings: f64,
    /// The level that it is of.
    of: Option<Source>,
    is_open: bool,
}

impl MarginsView {
    /// Draws the closest calls, unfolded where there are no findings.
    pub fn show(
        &mut self,
        ui: &mut Ui,
        model: &Model,
        document: &Document,
        commands: &mut Vec<Command>,
    ) {
        let Some(margins) = margins_of(document) else {
            return;
        };
        let Some(closest) = margins.pairs.first() else {
            if document.findings().is_empty() && document.has_motion() {
                let words = RichText::new(format!(
                    "Closest calls: {}.",
                    margins.sentence(document.units())
                ));
                ui.add(egui::Label::new(words.weak()).wrap());
            }
            return;
        };
        if self.of.as_ref() != Some(&document.source) {
            *self = Self {
                of: Some(document.source.clone()),
                ..Self::default()
            };
        }
        let share = percent(closest.share);
        let title = match closest.share > 1.0 {
            true => format!("Margins: the worst is {share} of the limit"),
            false => format!("Closest calls: {share} of the limit"),
        };
        let is_healthy = document.findings().is_empty();
        let title = widget::header_title(ui, &title, &egui::TextStyle::Button.resolve(ui.style()));
        let header = CollapsingHeader::new(title).id_salt(("margins", is_healthy));
        // A low panel scrolls; in others the list has what is left.
        let room = ui.available_height();
        let area = ScrollArea::vertical()
            .id_salt("closest calls")
            .max_height(room);
        let area = area.min_scrolled_height(0.0).auto_shrink([false, true]);
        area.show(ui, |ui| {
            let top = ui.cursor().top();
            let header = header.default_open(is_healthy);
            let shown = header.show_unindented(ui, |ui| {
                self.sliders(ui, closest.dt);
                let dt = self.dt(closest.dt) / closest.dt;
                let at = |margin: &Margin| margin.share_at(dt * margin.dt, self.speed());
                let lost = margins.pairs.iter().filter(|margin| at(margin) > 1.0);
                summary(ui, margins, (lost.count(), !self.is_changed()));
                let left = |ui: &Ui| room - (ui.cursor().top() - top);
                if left(ui) > HEIGHT + 1.2 * TALL_ROW {
                    plot(ui, margins, document.units(), &at, commands);
                }
                let height = left(ui).max(2.0 * TALL_ROW);
                list(
                    ui,
                    model,
                    (margins, document.units()),
                    height,
                    &at,
                    commands,
                );
            });
            self.is_open = !shown.fully_closed();
        });
    }

    /// The height that it takes of a panel with a list of findings above it, points.
    pub fn reserved(&self, document: &Document, available: f32) -> f32 {
        match (has_pairs(document), self.is_open) {
            (false, _) => 0.0,
            (true, false) => CLOSED,
            (true, true) => available * 0.6,
        }
    }

    fn is_changed(&self) -> bool {
        self.rate.is_some() || self.doublings != 0.0
    }

    fn speed(&self) -> f64 {
        self.doublings.exp2()
    }

    /// Seconds of the step that is tried.
    fn dt(&self, recorded: f64) -> f64 {
        self.rate.map_or(recorded, f64::recip)
    }

    fn sliders(&mut self, ui: &mut Ui, recorded: f64) {
        ui.spacing_mut().slider_width = SLIDER;
        let is_wide = ui.available_width() >= WIDE;
        ui.horizontal(|ui| {
            self.rate_slider(ui, recorded);
            if is_wide {
                self.speed_slider(ui);
            }
        });
        if !is_wide {
            ui.horizontal(|ui| self.speed_slider(ui));
        }
    }

    fn rate_slider(&mut self, ui: &mut Ui, recorded: f64) {
        let mut rate = self.rate.unwrap_or(recorded.recip());
        let slider = Slider::new(&mut rate, RATES).suffix(" Hz");
        let slider = slider.custom_formatter(|rate, _| significant(rate, 3));
        let response = ui.add(slider.logarithmic(true));
        response.widget_info(|| WidgetInfo::slider(true, rate, "Steps a second"));
        if response.changed() {
            self.rate = Some(rate);
        }
        response.on_hover_text("Steps a second, at which the pairs below are judged");
    }

    /// The slider of the speed, and the button that takes both back.
    fn speed_slider(&mut self, ui: &mut Ui) {
        let mut speed = self.speed();
        let slider = Slider::new(&mut speed, SPEEDS).suffix("x speed");
        let slider = slider.custom_formatter(|speed, _| significant(speed, 2));
        let response = ui.add(slider.logarithmic(true));
        response.widget_info(|| WidgetInfo::slider(true, speed, "Factor on the speed"));
        if response.changed() {
            self.doublings = speed.log2();
        }
        response.on_hover_text("Factor on the speed of every body");
        let help = "Judge at the rate and the speed of the recording again";
        ui.add_enabled_ui(self.is_changed(), |ui| {
            let icon = icons::ICON_RESTART_ALT;
            if widget::icon_button(ui, icon, "As recorded", help, false).clicked() {
                (self.rate, self.doublings) = (None, 0.0);
            }
        });
    }
}

fn percent(share: f64) -> String {
    format!("{} %", significant(100.0 * share, 2))
}

/// Whether there is a pair to show; else a sentence is shown.
pub fn has_pairs(document: &Document) -> bool {
    margins_of(document).is_some_and(|margins| !margins.pairs.is_empty())
}

fn margins_of(document: &Document) -> Option<&Margins> {
    document.report.as_ref()?.margins.as_ref()
}

/// How many pairs would not hold, and what was left out.
fn summary(ui: &mut Ui, margins: &Margins, (lost, as_recorded): (usize, bool)) {
    let all = count(margins.pairs.len(), "pair");
    let palette = Palette::of(ui.visuals());
    let (words, color) = match (lost, as_recorded) {
        (0, _) => (format!("All of {all} hold."), palette.text_weak),
        (lost, false) => (format!("{lost} of {all} would not hold."), palette.bad),
        (lost, true) => (
            format!(
                "{lost} of {all} held in a step that is longer than an overlap test holds from every start: by a sweep, or by chance."
            ),
            palette.bad,
        ),
    };
    ui.add(egui::Label::new(RichText::new(words).color(color)).wrap());
    if margins.swept > 0 {
        let swept = count(margins.swept, "object");
        let words = format!(
            "Without the pairs of {swept} that the engine sweeps: they have no such limit."
        );
        let words = RichText::new(words).font(style::small()).weak();
        ui.add(egui::Label::new(words).wrap());
    }
}

/// The step of each pair against its limit, both axes logarithmic. What is right of the line would not hold.
fn plot(
    ui: &mut Ui,
    margins: &Margins,
    units: UserUnits,
    at: &dyn Fn(&Margin) -> f64,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui.visuals());
    let unit = units.unit("m");
    let drawn = &margins.pairs[..margins.pairs.len().min(DRAWN)];
    let limit = |margin: &Margin| units.value(margin.limit, "m").log10();
    let dots: Vec<[f64; 2]> = drawn
        .iter()
        .map(|margin| [limit(margin) + at(margin).log10(), limit(margin)])
        .collect();
    let values = || dots.iter().flatten().copied();
    let low = values().fold(f64::INFINITY, f64::min) - 0.2;
    let high = values().fold(f64::NEG_INFINITY, f64::max) + 0.2;
    let label = move |mark: GridMark, _: &RangeInclusive<f64>| match mark.step_size < 1.0
        || mark.value < low + EDGE
        || mark.value > high - EDGE
    {
        true => String::new(),
        false => format!("{} {unit}", text::number(10.0_f64.powf(mark.value))),
    };
    let shown = widget::fixed_plot(ui, "margins plot")
        .height(HEIGHT)
        .x_grid_spacer(decades)
        .y_grid_spacer(decades)
        .x_axis_formatter(label)
        .y_axis_formatter(label)
        .x_axis_label("step")
        .y_axis_label("limit")
        .show_x(false)
        .show_y(false)
        .label_formatter(|_| None)
        .show(ui, |plot| {
            plot.set_plot_bounds_x(low..=high);
            plot.set_plot_bounds_y(low..=high);
            let ends: PlotPoints<'_> = vec![[low, low], [high, high]].into();
            plot.line(
                Line::new("limit", ends)
                    .color(palette.bad)
                    .width(1.5)
                    .allow_hover(false),
            );
            for (is_lost, color) in [(false, palette.velocity), (true, palette.bad)] {
                let of = dots
                    .iter()
                    .filter(|[step, limit]| (step > limit) == is_lost);
                let points: PlotPoints<'_> = of.copied().collect();
                let name = if is_lost { "would not hold" } else { "hold" };
                let points = Points::new(name, points)
                    .shape(MarkerShape::Circle)
                    .radius(if drawn.len() > MANY { 2.0 } else { 3.0 });
                plot.points(points.color(color).allow_hover(false));
            }
        });
    let name = "Steps of pairs against their limits";
    shown
        .response
        .widget_info(|| WidgetInfo::labeled(Role::Canvas, true, name));
    let Some(pointer) = shown.response.hover_pos() else {
        return;
    };
    let distance = |dot: &[f64; 2]| {
        let place = shown.transform.position_from_point(&(*dot).into());
        place.distance(pointer)
    };
    let near = dots.iter().map(distance).zip(drawn);
    let near = near.filter(|(distance, _)| *distance <= PICK_RADIUS);
    let Some((_, margin)) = near.min_by(|one, other| one.0.total_cmp(&other.0)) else {
        return;
    };
    if shown.response.clicked() {
        show_call(margin, commands);
    }
    let sentence = format!("{}\nClick to show it", margin.sentence(units));
    shown.response.on_hover_text_at_pointer(sentence);
}

/// Grid lines at 1, 2 and 5 times the powers of ten.
fn decades(input: GridInput) -> Vec<GridMark> {
    let (low, high) = input.bounds;
    let whole = low.floor() as i32..=high.ceil() as i32;
    let marks = whole.flat_map(|power| {
        [1.0, 2.0, 5.0].map(|digit: f64| GridMark {
            value: f64::from(power) + digit.log10(),
            step_size: if digit == 1.0 { 1.0 } else { 0.3 },
        })
    });
    marks.collect()
}

fn list(
    ui: &mut Ui,
    model: &Model,
    (margins, units): (&Margins, UserUnits),
    height: f32,
    at: &dyn Fn(&Margin) -> f64,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui.visuals());
    let pair = model.selection.pair();
    let area = ScrollArea::vertical()
        .id_salt("margins")
        .auto_shrink([false, true]);
    area.max_height(height)
        .show_rows(ui, TALL_ROW, margins.pairs.len(), |ui, rows| {
            for margin in &margins.pairs[rows] {
                let share = at(margin);
                let text = format!("{} at {}", margin.a, margin.b);
                let frames = frames_text(margin.frame, margin.frame, margin.log_frame);
                let length = |metres| units.length(metres);
                let numbers = format!("{} of {}", length(share * margin.limit), length(margin.limit));
                let share_text = percent(share);
                let objects = margin.objects.map(|[a, b]| (a, b));
                let is_selected = objects.is_some_and(|(a, b)| pair == Some((a, b)) || pair == Some((b, a)));
                let row = ListRow {
                    text: &text,
                    selected: is_selected,
                    bar: Some(if share > 1.0 { palette.bad } else { palette.velocity }),
                    aside: (&share_text, (share > 1.0).then_some(palette.bad)),
                    below: Some([(&numbers, None), (&frames, None)]),
                    ..ListRow::default()
                };
                let help = "The longest step toward the surface, and the longest that an overlap test holds.\nClick to show it";
                if row.show(ui).on_hover_text(help).clicked() {
                    show_call(margin, commands);
                }
            }
        });
}

/// Selects the pair at the frame of its closest call.
fn show_call(margin: &Margin, commands: &mut Vec<Command>) {
    if let Some([a, b]) = margin.objects {
        commands.push(Command::SelectPair(a, b));
        commands.push(Command::Seek {
            frame: margin.frame,
            fraction: 0.0,
        });
        commands.push(Command::FrameSelection);
    }
}
