//! The What-if panel: sliders for the values of the selected finding, the outcome before and after, and a map.

mod map;

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::what_if::{Stage, WhatIfState};
use crate::app::model::what_if_search::SearchState;
use crate::app::number_field::{Kind, number_field};
use crate::app::style;
use crate::app::theme::{Palette, readable};
use crate::app::{keyboard_focus, text, widget};
use crate::core::diagnose::Kind as FindingKind;
use crate::core::diagnose::what_if::comparison::ROWS;
use crate::core::diagnose::what_if::session::Values;
use crate::core::diagnose::what_if::{Change, Parameter, Threshold};
use crate::core::scene::UserUnits;
use egui::accesskit::Role;
use egui::{Grid, Rangef, Rect, RichText, ScrollArea, Slider, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;
use std::ops::RangeInclusive;

/// Width of a value's field, points.
const FIELD: f32 = 78.0;
/// The smallest value of a slider, in its unit.
const SMALLEST: f64 = 1e-9;
/// Height of the zones below a slider, points.
const ZONE: f32 = 3.0;

/// Draws the panel.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let what_if = model.derived().and_then(|derived| derived.what_if.as_ref());
    let Some(what_if) = what_if else {
        let help = "Click a finding that an overlap test missed, to change its dt, speed, sizes and phase and see the outcome.";
        widget::empty_state(ui, icons::ICON_EXPERIMENT, "No finding selected", help);
        return;
    };
    match what_if.stage() {
        Stage::Preparing => {
            widget::empty_state(ui, icons::ICON_EXPERIMENT, "Preparing…", "");
        }
        Stage::Unable => {
            let help = "It needs a hit that an overlap test missed, clipped or pushed out on the wrong side, of two objects that were apart before.";
            widget::empty_state(
                ui,
                icons::ICON_EXPERIMENT,
                "What-if is not available for this finding",
                help,
            );
        }
        Stage::Fault(fault) => {
            let text = format!("Internal error (please report it): {fault}");
            ui.colored_label(Palette::of(ui.visuals()).bad, text);
        }
        Stage::Ready(state) => show_ready(ui, model, state, commands),
    }
}

fn show_ready(ui: &mut Ui, model: &Model, state: &WhatIfState, commands: &mut Vec<Command>) {
    let title = model
        .selected_finding()
        .map_or_else(String::new, |finding| {
            format!(
                "{} and {}, frame {}",
                finding.a,
                finding.b,
                finding.number()
            )
        });
    widget::heading(ui, &title, |ui| {
        widget::command_button(ui, &Command::CopyWhatIf, model, commands);
        widget::command_button(ui, &Command::ResetWhatIf, model, commands);
    });
    ScrollArea::vertical()
        .id_salt("what if live")
        .auto_shrink(false)
        .show(ui, |ui| {
            headline(ui, state);
            if state.session().began_before() {
                let note = "The two overlapped already at the start of this frame: the values apply to the first test after their first touch.";
                ui.label(RichText::new(note).weak());
            }
            ui.add_space(4.0);
            sliders(ui, model, state, commands);
            ui.add_space(6.0);
            map::show(ui, state, model.units(), commands);
            ui.add_space(6.0);
            comparison(ui, state, model.units());
            keyboard_focus::follow(ui);
        });
}

/// Draws the recorded outcome and the changed one.
fn headline(ui: &mut Ui, state: &WhatIfState) {
    let palette = Palette::of(ui.visuals());
    let ground = ui.visuals().panel_fill;
    ui.horizontal_wrapped(|ui| {
        let mut outcome_label = |outcome| {
            let color = readable(palette.outcome(outcome), ground);
            let text = RichText::new(outcome.name())
                .strong()
                .size(16.0)
                .color(color);
            ui.label(text).on_hover_text(outcome.help());
        };
        outcome_label(state.recorded().outcome);
        if !state.is_changed() {
            ui.label(RichText::new("As recorded; move a slider").weak());
            return;
        }
        ui.label(icons::ICON_ARROW_FORWARD.rich_text().size(16.0).weak());
        match state.changed() {
            Some(changed) => {
                let color = readable(palette.outcome(changed.outcome), ground);
                let name = changed.outcome.name();
                let label = ui.label(RichText::new(name).strong().size(16.0).color(color));
                let name = format!("Now: {name}");
                label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
                label.on_hover_text(changed.outcome.help());
            }
            None => {
                ui.label(
                    RichText::new("No result: the shapes overlap from the start")
                        .color(palette.bad),
                )
                .on_hover_text("With these sizes the two overlap everywhere on their path");
            }
        }
    });
}

/// A parameter as its slider shows it.
struct Shown {
    what: Parameter,
    help: &'static str,
    unit: &'static str,
    /// Units per SI unit.
    scale: f64,
}

impl Shown {
    /// The same in the user's unit.
    fn in_units(&self, units: UserUnits) -> Self {
        Self {
            unit: units.unit(self.unit),
            scale: units.value(self.scale, self.unit),
            ..*self
        }
    }
}

const SHOWN: [Shown; 5] = [
    Shown {
        what: Parameter::Dt,
        help: "Length of a frame",
        unit: "ms",
        scale: 1e3,
    },
    Shown {
        what: Parameter::Substeps,
        help: "Steps per frame, with an overlap test at the end of each",
        unit: "",
        scale: 1.0,
    },
    Shown {
        what: Parameter::Speed,
        help: "Relative speed of the two",
        unit: "m/s",
        scale: 1.0,
    },
    Shown {
        what: Parameter::Radius,
        help: "Radius of the moving object; for a box half its width along the contact normal",
        unit: "m",
        scale: 1.0,
    },
    Shown {
        what: Parameter::Thickness,
        help: "Thickness of the obstacle; its near side stays in place",
        unit: "m",
        scale: 1.0,
    },
];

fn sliders(ui: &mut Ui, model: &Model, state: &WhatIfState, commands: &mut Vec<Command>) {
    let mut values = *state.values();
    let recorded = state.session().recorded();
    let units = model.units();
    for shown in &SHOWN {
        let shown = shown.in_units(units);
        let Shown { what, scale, .. } = shown;
        let name = what.name();
        let range = state.session().range(what);
        let mut value = values.get(what) * scale;
        ui.horizontal(|ui| {
            label(ui, name, shown.help, values.get(what) != recorded.get(what));
            match range {
                Ok((low, high)) => {
                    let range = low * scale..=high * scale;
                    let change = limits(model, what);
                    let zones = change.map(|change| Zones::of(change, scale));
                    if number(ui, name, &mut value, range, &shown, zones) {
                        values = values.with(what, value / scale);
                    }
                    presets(ui, change, (what, units), &mut values);
                }
                Err(why) => {
                    ui.label(RichText::new(why).font(style::small()).weak());
                }
            }
        });
    }
    ui.horizontal(|ui| {
        let help = "Time of impact within the frame: 0 at its start, 1 at its end. The rest of the frame is the motion past the impact";
        label(ui, "phase", help, values.phase != recorded.phase);
        slider(ui, "phase", &mut values.phase, 0.0..=1.0, None);
        let kind = Kind::between(0.0, 1.0).with_speed(0.002);
        field(ui, "phase", &mut values.phase, kind);
    });
    if values != *state.values() {
        commands.push(Command::SetWhatIfValues(state.session().checked(values)));
    }
}

fn label(ui: &mut Ui, name: &str, help: &str, changed: bool) {
    let text = RichText::new(name);
    let text = if changed { text.strong() } else { text };
    let size = vec2(62.0, ui.spacing().interact_size.y);
    let label = egui::Label::new(text).selectable(false);
    ui.allocate_ui_with_layout(
        size,
        egui::Layout::left_to_right(egui::Align::Center),
        |ui| {
            ui.set_min_width(size.x);
            ui.add(label).on_hover_text(help);
        },
    );
}

/// Draws a slider and a field for the same value; returns true when it was changed.
fn number(
    ui: &mut Ui,
    name: &str,
    value: &mut f64,
    range: RangeInclusive<f64>,
    shown: &Shown,
    zones: Option<Zones>,
) -> bool {
    let before = *value;
    let whole = shown.what == Parameter::Substeps;
    slider(ui, name, value, range.clone(), Some(zones));
    let speed = if whole {
        0.1
    } else {
        (*value * 0.01).max(1e-9)
    };
    let kind = Kind::between(*range.start(), *range.end()).with_unit(shown.unit);
    field(ui, name, value, kind.with_speed(speed));
    *value != before
}

/// Draws a slider; a logarithmic one has zones below it.
fn slider(
    ui: &mut Ui,
    name: &str,
    value: &mut f64,
    range: RangeInclusive<f64>,
    log: Option<Option<Zones>>,
) {
    ui.spacing_mut().slider_width = (ui.available_width() - FIELD - 44.0).max(60.0);
    let slider = Slider::new(value, range.clone())
        .logarithmic(log.is_some())
        .smallest_positive(SMALLEST)
        .show_value(false);
    let response = ui.add(slider);
    let now = *value;
    let mut help = format!("{name}: drag to update the view and the values below");
    if let Some(zones) = log.flatten() {
        zones.paint(ui, response.rect, &range);
        help.push_str(".\nThe colours below it: where the hit is missed, where it is only detected, and where it is held from every starting phase");
    }
    let name = format!("{name} slider");
    response.widget_info(|| WidgetInfo::slider(true, now, &name));
    response.on_hover_text(help);
}

fn field(ui: &mut Ui, name: &str, value: &mut f64, kind: Kind) {
    let size = vec2(FIELD, ui.spacing().interact_size.y);
    let at_rest = |number| kind.with_its_unit(&text::number(number));
    let name = format!("{name} value");
    ui.add_sized(size, |ui: &mut Ui| {
        number_field(ui, &name, value, kind, at_rest)
    })
    .on_hover_text("Drag, or click and type");
}

/// The limits of a value, everything else as recorded, once they are found.
fn limits(model: &Model, what: Parameter) -> Option<&Change> {
    let search = model.derived()?.what_if_search.as_ref()?;
    let SearchState::Known(limits) = search.state() else {
        return None;
    };
    let any = |change: &&Change| change.holds.is_some() || change.detects.is_some();
    limits.change(what).filter(any)
}

/// Where a slider's value is missed, detected or held, everything else as recorded; in the slider's unit.
#[derive(Clone, Copy)]
struct Zones {
    detects: Option<f64>,
    holds: Option<f64>,
    /// Smaller values are better.
    is_most: bool,
}

impl Zones {
    fn of(change: &Change, scale: f64) -> Self {
        let scaled = |limit: &Option<Threshold>| limit.as_ref().map(|limit| limit.after * scale);
        Self {
            detects: scaled(&change.detects),
            holds: scaled(&change.holds),
            is_most: change.what.is_most(),
        }
    }

    /// Draws a coloured line below a logarithmic slider.
    fn paint(&self, ui: &Ui, slider: Rect, range: &RangeInclusive<f64>) {
        let (low, high) = (range.start().max(SMALLEST), *range.end());
        let knob = slider.height() / 2.5;
        let across = slider.x_range().shrink(knob);
        let span = (high / low).ln();
        let x = |value: f64| {
            let share = (value.max(low) / low).ln() / span;
            across.min + across.span() * share.clamp(0.0, 1.0) as f32
        };
        let palette = Palette::of(ui.visuals());
        let y = Rangef::new(slider.bottom() - ZONE, slider.bottom());
        let (worst, best) = match self.is_most {
            true => (across.max, across.min),
            false => (across.min, across.max),
        };
        let end = |limit: Option<f64>| limit.map_or(best, x);
        let detects = end(self.detects.or(self.holds));
        let holds = end(self.holds);
        for (from, to, color) in [
            (worst, detects, palette.kind(FindingKind::Tunnels)),
            (detects, holds, palette.kind(FindingKind::WrongSide)),
            (holds, best, palette.good),
        ] {
            let part = Rangef::new(from.min(to), from.max(to));
            ui.painter()
                .rect_filled(Rect::from_x_y_ranges(part, y), 1.0, color);
        }
    }
}

/// Draws a menu of the limits found by the search, everything else as recorded.
fn presets(
    ui: &mut Ui,
    change: Option<&Change>,
    (what, units): (Parameter, UserUnits),
    values: &mut Values,
) {
    let Some(change) = change else {
        return;
    };
    let limits = [("held", &change.holds), ("detected", &change.detects)];
    let menu = ui.menu_button(
        icons::ICON_FLAG.rich_text().size(15.0),
        widget::content(|ui| {
            for (word, limit) in limits {
                let Some(limit) = limit else {
                    continue;
                };
                let text = format!(
                    "{} {word} {}",
                    what.name(),
                    change.value(limit.after, units)
                );
                if ui.button(&text).clicked() {
                    *values = values.with(what, limit.after);
                    ui.close();
                }
            }
        }),
    );
    let name = format!("Limits of {}", what.name());
    menu.response
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    menu.response
        .on_hover_text("The smallest change of this value alone that suffices at every phase");
}

/// Draws every value before and after.
fn comparison(ui: &mut Ui, state: &WhatIfState, units: UserUnits) {
    widget::heading(ui, "Before and after", |_| {});
    let ground = ui.visuals().panel_fill;
    let palette = Palette::of(ui.visuals());
    Grid::new("before and after")
        .num_columns(3)
        .spacing(vec2(10.0, 3.0))
        .striped(true)
        .show(ui, |ui| {
            for head in ["", "recorded", "now"] {
                ui.label(RichText::new(head).weak());
            }
            ui.end_row();
            for row in ROWS {
                ui.label(RichText::new(row.name).weak())
                    .on_hover_text(row.help);
                let was = row.value(state.recorded(), units);
                ui.label(RichText::new(&was).monospace());
                let is = state
                    .changed()
                    .map_or_else(|| "-".to_owned(), |changed| row.value(changed, units));
                let text = RichText::new(&is).monospace();
                let text = if is == was {
                    text.weak()
                } else {
                    text.color(readable(palette.playhead, ground))
                };
                let label = ui.label(text);
                let name = format!("{} now {is}", row.name);
                label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
                ui.end_row();
            }
        });
}
