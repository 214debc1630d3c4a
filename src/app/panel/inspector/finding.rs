//! The values of the selected finding.

use super::{in_build, section, strip};
use crate::app::command::Command;
use crate::app::help_topics::HelpPage;
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::{style, text, widget};
use crate::core::diagnose::what_if::Parameter;
use crate::core::diagnose::{Finding, Fix};
use crate::core::escape;
use crate::core::repro::{engine_of, engines_for};
use crate::core::scene::UserUnits;
use crate::run::Tuned;
use egui::accesskit::Role;
use egui::text::{LayoutJob, TextFormat};
use egui::{Button, Grid, Label, RichText, TextStyle, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;
use std::cmp::Reverse;

/// Draws the menu of engines as whose program the finding can be saved, that of the level first.
fn reproductions(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let flat = model.units().units.flat;
    let own = model.document().and_then(|document| {
        let name = document.level.replay.engine().name?;
        engine_of(&name, flat)
    });
    let others = engines_for(flat).filter(|engine| own.is_none_or(|own| own.name != engine.name));
    let icon = icons::ICON_CODE.rich_text().size(17.0);
    let menu = ui.menu_button(
        icon,
        widget::content(|ui| {
            ui.label(RichText::new("Reproduction as code").weak());
            for engine in own.into_iter().chain(others) {
                let entry = ui.button(format!("{}…", engine.name));
                if entry.on_hover_text(engine.run).clicked() {
                    commands.push(Command::ReproductionDialog(engine));
                }
            }
        }),
    );
    let help = "Save the finding as a program of an engine that fails before its fix and passes after it, for a bug report";
    let response = menu.response.on_hover_text(help);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Reproduction as code"));
}

/// Draws the finding with its fixes and its evidence.
pub fn show(ui: &mut Ui, model: &Model, finding: &Finding, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    let units = model.units();
    widget::heading(ui, "Finding", |ui| {
        widget::command_button(ui, &Command::ExpectFinding, model, commands);
        widget::command_button(ui, &Command::CopyFinding, model, commands);
        widget::command_button(ui, &Command::SaveFrameAs, model, commands);
        reproductions(ui, model, commands);
    });
    widget::card(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            let kind = RichText::new(finding.kind.name()).strong();
            ui.label(kind.color(palette.kind(finding.kind)));
            ui.label(RichText::new(finding.cause.title()).strong());
            let id = ui.link(finding.cause.id());
            if id.on_hover_text("Explain this cause in the help").clicked() {
                commands.push(Command::Help(HelpPage::Cause(finding.cause)));
            }
            if finding.expected {
                ui.colored_label(palette.good, "expected")
                    .on_hover_text("The scene expects this finding");
            }
        });
        names(ui, finding, commands);
        let obstacle = model.document().zip(finding.object_b);
        let is_ball = obstacle.is_some_and(|(document, id)| {
            let object = document.replay().objects().get(id as usize);
            object.is_some_and(|object| object.shape.is_ball())
        });
        strip::show(ui, finding, is_ball, units);
        if !finding.fixes.is_empty() {
            ui.add_space(6.0);
            ui.label(RichText::new("Suggested fixes").strong());
            own_settings(ui, finding, commands);
            fixes(ui, model, finding, commands);
        }
        in_build::show(ui, model, finding, commands);
        ui.add_space(6.0);
        let sentence = marked_names(ui, &finding.text, &[&finding.a, &finding.b]);
        ui.label(sentence);
        if !finding.also.is_empty() {
            let also: Vec<String> = finding
                .also
                .iter()
                .map(|cause| format!("{} {}", cause.id(), cause.title()))
                .collect();
            let label = ui.label(RichText::new(format!("Also: {}", also.join(", "))).weak());
            let reasons: Vec<String> = finding
                .reasons
                .iter()
                .map(|why| text::prose(&why.text))
                .collect();
            if !reasons.is_empty() {
                label.on_hover_text(reasons.join("\n\n"));
            }
        }
    });
    if !finding.evidence.is_empty() {
        section(ui, "Evidence", true, |ui| {
            widget::facts(ui, "evidence", |ui| {
                for (key, value) in &finding.evidence {
                    widget::fact(ui, &text::words(key.name()), key.text(*value, units));
                }
            });
        });
    }
}

/// Between the names of a pair.
const ARROW: &str = " \u{2192} ";
/// The width of the borders of two chips and of the space between them, points.
const CHIPS: f32 = 30.0;

/// Draws the two objects as chips; a click selects one of them.
fn names(ui: &mut Ui, finding: &Finding, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let pair = [
            (&finding.a, finding.object_a),
            (&finding.b, finding.object_b),
        ];
        let pair = pair.into_iter().filter(|(name, _)| !name.is_empty());
        // Each is shortened by itself, where the two do not fit.
        let title = match finding.b.as_str() {
            "" => finding.a.clone(),
            b => format!("{}{ARROW}{b}", finding.a),
        };
        let width = ui.available_width() - CHIPS;
        let title = widget::shortened(ui.painter(), &title, &style::small(), width);
        let mut shown = title.split(ARROW);
        for (place, (name, id)) in pair.enumerate() {
            let text = shown.next().unwrap_or(name);
            if place > 0 {
                ui.label(RichText::new("\u{2192}").weak());
            }
            let chip = Button::new(RichText::new(text).font(style::small())).small();
            let response = ui.add_enabled(id.is_some(), chip.truncate());
            let label = format!("{name} of the finding");
            response.widget_info(|| WidgetInfo::labeled(Role::Button, id.is_some(), &label));
            let help = format!("Select {name}");
            widget::describe(&response, &help);
            if response.on_hover_text(help).clicked() {
                commands.push(Command::Select(id));
            }
        }
        if let Some(pile) = &finding.pile {
            let all = text::count_of(pile.bodies, "body", "bodies");
            ui.label(RichText::new(format!("of a pile of {all}")).weak());
        }
    });
}

/// A sentence in which names and code are set apart.
fn marked_names(ui: &Ui, sentence: &str, names: &[&str]) -> LayoutJob {
    let font = TextStyle::Body.resolve(ui.style());
    let plain = TextFormat::simple(font.clone(), ui.visuals().text_color());
    let name_format = widget::name_format(ui, font);
    let mut job = LayoutJob::default();
    for (mut rest, is_code) in escape::parts(sentence) {
        if is_code {
            job.append(rest, 0.0, name_format.clone());
            continue;
        }
        while let Some((at, name)) = first_name(rest, names) {
            job.append(&rest[..at], 0.0, plain.clone());
            job.append(name, 0.0, name_format.clone());
            rest = &rest[at + name.len()..];
        }
        job.append(rest, 0.0, plain.clone());
    }
    job
}

/// The first of the names that is a word of its own in a text, the longest at its place.
fn first_name<'n>(text: &str, names: &[&'n str]) -> Option<(usize, &'n str)> {
    let is_apart = |at: usize, name: &str| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        let joins = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        !joins(before) && !joins(after)
    };
    let names = names.iter().filter(|name| !name.is_empty());
    let places = names.flat_map(|name| {
        let places = text.match_indices(*name).map(|(at, _)| (at, *name));
        places.filter(|(at, name)| is_apart(*at, name)).take(1)
    });
    places.min_by_key(|(at, name)| (*at, Reverse(name.len())))
}

/// In a card narrower than this the values of a fix are below its name, points.
const NARROW: f32 = 300.0;
/// In one narrower than this they are below each other, too.
const NARROWEST: f32 = 220.0;
/// The width of a confirmed value, points.
const CONFIRMED: f32 = 90.0;

/// Where the values of a fix are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// In columns of their own.
    Columns,
    /// In a line below its name.
    Below,
    /// The same, each in its own line.
    Stacked,
}

/// How a table of fixes is drawn.
#[derive(Clone, Copy)]
struct Look<'l> {
    values: Values,
    units: UserUnits,
    /// What the runs of the user's own build say.
    tuned: Option<&'l Tuned>,
}

/// Explains the weaker value of a fix.
const DETECTS: &str =
    "From this value on the hit is detected, but the push-out may be on the far side";

/// Draws the engine's own settings, each with a button to copy it.
fn own_settings(ui: &mut Ui, finding: &Finding, commands: &mut Vec<Command>) {
    for fix in finding.fixes.iter().flat_map(Fix::together) {
        let Some(setting) = &fix.setting else {
            continue;
        };
        let name = text::words(fix.what.name());
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new(&name).font(style::small()).weak());
            ui.label(RichText::new(setting).monospace());
            if let Some(object) = &fix.object {
                ui.label(RichText::new(format!("of {object}")).weak());
            }
            let icon = icons::ICON_CONTENT_COPY;
            let label = format!("Copy setting of {name}");
            if widget::icon_button(ui, icon, &label, setting, false).clicked() {
                commands.push(Command::CopyText(setting.clone()));
            }
        });
    }
}

/// Draws a table of the fixes with values: the value that holds, the weaker one that only detects, and buttons to try and to copy the first.
fn fixes(ui: &mut Ui, model: &Model, finding: &Finding, commands: &mut Vec<Command>) {
    let tuned = in_build::tuned(model, finding);
    let room = if tuned.is_some() { CONFIRMED } else { 0.0 };
    let values = match ui.available_width() {
        width if width >= NARROW + room => Values::Columns,
        width if width >= NARROWEST => Values::Below,
        _ => Values::Stacked,
    };
    let look = Look {
        values,
        units: model.units(),
        tuned,
    };
    let table = Grid::new("fixes")
        .num_columns(5)
        .spacing(vec2(
            if values == Values::Columns { 10.0 } else { 4.0 },
            2.0,
        ))
        .striped(true);
    table.show(ui, |ui| {
        let heads: &[&str] = match (values, tuned.is_some()) {
            (Values::Stacked, _) => &["change\nholds at\ndetects at", ""],
            (Values::Below, _) => &["change: holds at, detects at", ""],
            (Values::Columns, false) => &["change", "holds at", "detects at", ""],
            (Values::Columns, true) => &["change", "holds at", "confirmed", "detects at", ""],
        };
        for head in heads {
            ui.label(RichText::new(*head).font(style::small()).weak());
        }
        ui.end_row();
        let has_value = |fix: &&Fix| fix.holds.is_some() || fix.detects.is_some();
        for fix in finding.fixes.iter().filter(has_value) {
            one_fix(ui, fix, "", look, commands);
            if let Some(with) = &fix.with {
                one_fix(ui, with, "together with ", look, commands);
            }
        }
    });
}

fn one_fix(ui: &mut Ui, fix: &Fix, before: &str, look: Look<'_>, commands: &mut Vec<Command>) {
    let Look {
        values,
        units,
        tuned,
    } = look;
    let name = text::words(fix.what.name());
    let in_columns = values == Values::Columns;
    let numbers = |ui: &mut Ui| {
        let holds = fix.held_text(units);
        let holds = RichText::new(holds.as_deref().unwrap_or("no value")).monospace();
        ui.add(Label::new(holds).extend());
        if let Some(tuned) = tuned {
            in_build::confirmed(ui, tuned, fix.what, in_columns);
        }
        let detects = fix.detects.map(|value| units.text(value, fix.what.unit()));
        if in_columns || detects.is_some() {
            let value = RichText::new(detects.unwrap_or_default())
                .monospace()
                .weak();
            ui.add(Label::new(value).extend()).on_hover_text(DETECTS);
        }
    };
    let whole = |ui: &mut Ui| {
        ui.label(format!("{before}{name}"));
        match values {
            Values::Below => drop(ui.horizontal(numbers)),
            Values::Columns | Values::Stacked => numbers(ui),
        }
    };
    match in_columns {
        true => whole(ui),
        false => drop(ui.vertical(whole)),
    }
    ui.horizontal(|ui| {
        let Some(value) = fix.held() else {
            return;
        };
        let parameter = fix.detects.and(Parameter::of_limit(fix.what));
        if let Some(parameter) = parameter {
            let help = "Set this value in the What-if panel and show its outcome";
            let icon = icons::ICON_EXPERIMENT;
            if widget::icon_button(ui, icon, &format!("Try {name}"), help, false).clicked() {
                commands.push(Command::TryFix(parameter, value));
            }
        }
        let shown = units.value(value, fix.what.unit());
        let help = format!("{} = {shown}", fix.what.name());
        let icon = icons::ICON_CONTENT_COPY;
        if widget::icon_button(ui, icon, &format!("Copy {name}"), &help, false).clicked() {
            commands.push(Command::CopyText(shown.to_string()));
        }
    });
    ui.end_row();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_words() {
        for (text, names, found) in [
            ("the end of end 2", ["end", "end 2"], Some((4, "end"))),
            ("end 2 hits end", ["end", "end 2"], Some((0, "end 2"))),
            ("bending ends", ["end", ""], None),
            ("ball 12 and ball 1.", ["ball 1", "x"], Some((12, "ball 1"))),
            (
                "\u{e4}nd \u{2192} nd",
                ["nd", "\u{2192}"],
                Some((5, "\u{2192}")),
            ),
        ] {
            assert_eq!(first_name(text, &names), found, "{text}");
        }
    }
}
