//! The selected finding with its numbers changed by hand: sliders, what follows from them before and after, and a map.

mod map;

use crate::app::command::Command;
use crate::app::exact_field::exact_field;
use crate::app::model::Model;
use crate::app::model::asked::Answer;
use crate::app::model::what_if::{Bench, Stage};
use crate::app::style;
use crate::app::theme::{Palette, readable};
use crate::app::{text, widget};
use crate::core::diagnose::what_if::comparison::ROWS;
use crate::core::diagnose::what_if::session::Values;
use crate::core::diagnose::what_if::{Change, Parameter};
use egui::accesskit::Role;
use egui::{Grid, RichText, ScrollArea, Slider, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;
use std::ops::RangeInclusive;

/// Width of a value's field, points.
const FIELD: f32 = 78.0;

/// Draws the panel.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let what_if = model.derived().and_then(|derived| derived.what_if.as_ref());
    let Some(what_if) = what_if else {
        let help = "Click a finding that an overlap test missed: change its dt, speed, sizes and phase here, and see what the test says then.";
        widget::empty_state(ui, icons::ICON_EXPERIMENT, "What if, live", help);
        return;
    };
    match what_if.stage() {
        Stage::Preparing => {
            widget::empty_state(ui, icons::ICON_EXPERIMENT, "Taking the finding apart", "");
        }
        Stage::Unable => {
            let help = "Only what an overlap test missed, clipped or pushed out on the wrong side can be tried, and only where the two came from apart.";
            widget::empty_state(
                ui,
                icons::ICON_EXPERIMENT,
                "Luck does not decide this finding",
                help,
            );
        }
        Stage::Fault(fault) => {
            let text = format!("This is internal error: {fault}");
            ui.colored_label(Palette::of(ui.visuals()).bad, text);
        }
        Stage::Ready(bench) => bench_ui(ui, model, bench, commands),
    }
}

fn bench_ui(ui: &mut Ui, model: &Model, bench: &Bench, commands: &mut Vec<Command>) {
    let title = model
        .selected_finding()
        .map_or_else(String::new, |finding| {
            format!("{} and {}, frame {}", finding.a, finding.b, finding.frame)
        });
    widget::heading(ui, &title, |ui| {
        widget::command_button(ui, &Command::CopyWhatIf, model, commands);
        widget::command_button(ui, &Command::ResetWhatIf, model, commands);
    });
    ScrollArea::vertical()
        .id_salt("what if live")
        .auto_shrink(false)
        .show(ui, |ui| {
            headline(ui, bench);
            if bench.trial().began_before() {
                let note = "The two overlapped already when this frame began: what is tried is the first test after they first touched.";
                ui.label(RichText::new(note).weak());
            }
            ui.add_space(4.0);
            sliders(ui, model, bench, commands);
            ui.add_space(6.0);
            map::show(ui, bench, commands);
            ui.add_space(6.0);
            comparison(ui, bench);
        });
}

/// The verdict as it is, and as it would be.
fn headline(ui: &mut Ui, bench: &Bench) {
    let palette = Palette::of(ui.visuals());
    let ground = ui.visuals().panel_fill;
    ui.horizontal_wrapped(|ui| {
        let mut word = |outcome| {
            let color = readable(palette.outcome(outcome), ground);
            let text = RichText::new(outcome.name())
                .strong()
                .size(16.0)
                .color(color);
            ui.label(text).on_hover_text(outcome.help());
        };
        word(bench.before().outcome);
        if !bench.is_changed() {
            ui.label(RichText::new("as recorded; move a slider").weak());
            return;
        }
        ui.label(icons::ICON_ARROW_FORWARD.rich_text().size(16.0).weak());
        match bench.tried() {
            Some(tried) => {
                let color = readable(palette.outcome(tried.outcome), ground);
                let word = tried.outcome.name();
                let label = ui.label(RichText::new(word).strong().size(16.0).color(color));
                let name = format!("Now: {word}");
                label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
                label.on_hover_text(tried.outcome.help());
            }
            None => {
                ui.label(RichText::new("does not fit before the touch").color(palette.bad))
                    .on_hover_text("Made so large, the two overlap everywhere on their way");
            }
        }
    });
}

/// How a slider shows its value.
struct Shown {
    what: Parameter,
    help: &'static str,
    unit: &'static str,
    /// Units per SI unit.
    scale: f64,
}

const SHOWN: [Shown; 5] = [
    Shown {
        what: Parameter::Dt,
        help: "Length of a frame",
        unit: " ms",
        scale: 1e3,
    },
    Shown {
        what: Parameter::Substeps,
        help: "Steps that a frame is cut in, with an overlap test at the end of each",
        unit: "",
        scale: 1.0,
    },
    Shown {
        what: Parameter::Speed,
        help: "Relative speed of the two",
        unit: " m/s",
        scale: 1.0,
    },
    Shown {
        what: Parameter::Radius,
        help: "Radius of the body; of a box half its width along the contact normal",
        unit: " m",
        scale: 1.0,
    },
    Shown {
        what: Parameter::Thickness,
        help: "Thickness of the solid; its near side stays where it is",
        unit: " m",
        scale: 1.0,
    },
];

fn sliders(ui: &mut Ui, model: &Model, bench: &Bench, commands: &mut Vec<Command>) {
    let mut values = *bench.values();
    let recorded = bench.trial().recorded();
    for shown in &SHOWN {
        let Shown { what, scale, .. } = *shown;
        let name = what.name();
        let range = bench.trial().range(what);
        let mut value = values.get(what) * scale;
        ui.horizontal(|ui| {
            label(ui, name, shown.help, values.get(what) != recorded.get(what));
            match range {
                Ok((low, high)) => {
                    let range = low * scale..=high * scale;
                    if number(ui, name, &mut value, range, shown) {
                        values = values.with(what, value / scale);
                    }
                    presets(ui, model, what, &mut values);
                }
                Err(why) => {
                    ui.label(RichText::new(why).font(style::small()).weak());
                }
            }
        });
    }
    ui.horizontal(|ui| {
        let help = "Where in the frame they first touch: 0 as it begins, 1 as it ends. The rest of the frame is the way past the touch";
        label(ui, "phase", help, values.phase != recorded.phase);
        slider(ui, "phase", &mut values.phase, 0.0..=1.0, false);
        let size = Some(vec2(FIELD, ui.spacing().interact_size.y));
        let response = exact_field(ui, size, &mut values.phase, text::number, |field| {
            field.speed(0.002).range(0.0..=1.0)
        });
        named(response, "phase value", values.phase);
    });
    if values != *bench.values() {
        commands.push(Command::SetWhatIfValues(bench.trial().checked(values)));
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

/// A slider and a field for the same value; true when it was changed.
fn number(
    ui: &mut Ui,
    name: &str,
    value: &mut f64,
    range: RangeInclusive<f64>,
    shown: &Shown,
) -> bool {
    let before = *value;
    let whole = shown.what == Parameter::Substeps;
    slider(ui, name, value, range.clone(), true);
    let speed = if whole {
        0.1
    } else {
        (*value * 0.01).max(1e-9)
    };
    let size = Some(vec2(FIELD, ui.spacing().interact_size.y));
    let response = exact_field(ui, size, value, text::number, |field| {
        field.speed(speed).range(range).suffix(shown.unit)
    });
    named(response, &format!("{name} value"), before);
    *value != before
}

fn slider(ui: &mut Ui, name: &str, value: &mut f64, range: RangeInclusive<f64>, log: bool) {
    ui.spacing_mut().slider_width = (ui.available_width() - FIELD - 44.0).max(60.0);
    let slider = Slider::new(value, range)
        .logarithmic(log)
        .smallest_positive(1e-9)
        .show_value(false);
    let response = ui.add(slider);
    let now = *value;
    let help = format!("{name}: drag, and the view and the numbers below answer at once");
    let name = format!("{name} slider");
    response.widget_info(|| WidgetInfo::slider(true, now, &name));
    response.on_hover_text(help);
}

fn named(response: egui::Response, name: &str, value: f64) {
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::SpinButton, true, name);
        info.value = Some(value);
        info
    });
    response.on_hover_text("Drag, or click and type");
}

/// The values that bisection found to be enough, everything else as recorded.
fn presets(ui: &mut Ui, model: &Model, what: Parameter, values: &mut Values) {
    let asked = model.derived().and_then(|derived| derived.asked.as_ref());
    let change = match asked.map(|asked| asked.answer()) {
        Some(Answer::Known(answer)) => answer.change(what),
        _ => None,
    };
    let any = |change: &&Change| change.holds.is_some() || change.detects.is_some();
    let Some(change) = change.filter(any) else {
        return;
    };
    let enough = [("held", &change.holds), ("detected", &change.detects)];
    let menu = ui.menu_button(icons::ICON_FLAG.rich_text().size(15.0), |ui| {
        for (word, enough) in enough {
            let Some(enough) = enough else {
                continue;
            };
            let text = format!("{} {word} {}", what.name(), change.value(enough.after));
            if ui.button(&text).clicked() {
                *values = values.with(what, enough.after);
                ui.close();
            }
        }
    });
    let name = format!("What is enough for {}", what.name());
    menu.response
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    menu.response
        .on_hover_text("The smallest change of this alone that is enough at every phase");
}

/// Every number before and after.
fn comparison(ui: &mut Ui, bench: &Bench) {
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
                let was = row.value(bench.before());
                ui.label(RichText::new(&was).monospace());
                let is = bench
                    .tried()
                    .map_or_else(|| "-".to_owned(), |tried| row.value(tried));
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
