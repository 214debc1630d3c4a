//! What differs between the level and another replay: the list by first difference, and how one object's difference grows.

mod growth;
mod list;

use crate::app::command::Command;
use crate::app::exact_field::{exact, exact_field, read};
use crate::app::model::compare::{Compare, Other};
use crate::app::model::document::Document;
use crate::app::model::{Model, Session};
use crate::app::style;
use crate::app::theme::Palette;
use crate::app::{text, text_focus, widget};
use crate::core::replay::compare::{Alignment, Comparison};
use egui::accesskit::Role;
use egui::{Button, Color32, ProgressBar, RichText, Sense, TextEdit, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;
use list::List;
use std::path::PathBuf;

/// Least and largest height of the curve, points.
const PLOT: (f32, f32) = (110.0, 170.0);

/// The panel's own state: the path that is typed, and the filter of the list.
#[derive(Default)]
pub struct ComparePanel {
    path: String,
    list: List,
}

impl ComparePanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(Session {
            document, compare, ..
        }) = &model.session
        else {
            return;
        };
        if compare.against().is_none() {
            self.choice(ui, document, compare, commands);
            return;
        }
        let other = compare.other();
        heading(ui, other, commands);
        let job = model.comparing();
        if let Some(job) = &job {
            work(ui, &job.text, job.share, commands);
        }
        let (Some(other), Some(found)) = (other, compare.result()) else {
            if job.is_none() {
                stopped(ui, compare, commands);
            }
            return;
        };
        summary(ui, model, found);
        settings(ui, compare, commands);
        let room = ui.available_height();
        let plot = (room * 0.42).clamp(PLOT.0, PLOT.1);
        let room = (room - plot).max(90.0);
        self.list.ui(ui, room, model, found, commands);
        growth::show(ui, model, other, commands);
    }

    /// What there is to compare with.
    fn choice(
        &mut self,
        ui: &mut Ui,
        document: &Document,
        compare: &Compare,
        commands: &mut Vec<Command>,
    ) {
        let help = "Two replays with one playhead: the first frame in which each object differs, by how much, and how that grows.";
        widget::empty_state(ui, icons::ICON_COMPARE_ARROWS, "Compare", help);
        ui.add_space(4.0);
        let recorded = document.replay().recording().is_some();
        let why_not = "A recording is what it is: there is no other detection to step it with";
        choose(ui, &Command::CompareDetection, !recorded, why_not, commands);
        let why_not = "Change the scene, or its file and check again (F5): what it was is kept to compare with";
        let before = compare.has_run_before();
        choose(ui, &Command::CompareRunBefore, before, why_not, commands);
        choose(ui, &Command::CompareFile, true, "", commands);
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 84.0).max(80.0);
            let field = TextEdit::singleline(&mut self.path)
                .hint_text("or the path of a scene or a log")
                .desired_width(width)
                .margin(vec2(8.0, 4.0));
            let response = ui.add(field);
            text_focus::restore_at_escape(&response, &mut self.path);
            let entered = response.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
            let path = self.path.trim();
            let go = ui.add_enabled(!path.is_empty(), Button::new("Compare"));
            go.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Compare with this path"));
            if (entered || go.clicked()) && !path.is_empty() {
                commands.push(Command::CompareWith(PathBuf::from(path)));
            }
        });
    }
}

/// A way to compare as a wide button; where it cannot be chosen, its hover text says why.
fn choose(
    ui: &mut Ui,
    command: &Command,
    enabled: bool,
    why_not: &str,
    commands: &mut Vec<Command>,
) {
    let Some(entry) = command.entry() else {
        return;
    };
    let button = Button::new((entry.icon.rich_text().size(16.0), entry.text));
    let button = button.min_size(vec2(ui.available_width(), 28.0));
    let response = ui.add_enabled(enabled, button);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, entry.text));
    let response = response
        .on_hover_text(entry.tooltip)
        .on_disabled_hover_text(why_not);
    if response.clicked() {
        commands.push(entry.command.clone());
    }
}

/// The two sides in their colours, and the way out.
fn heading(ui: &mut Ui, other: Option<&Other>, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    ui.horizontal(|ui| {
        side(ui, palette.moving, "A", "this level");
        ui.add_space(10.0);
        let name = other.map_or("…", |other| other.name.as_str());
        side(ui, palette.other, "B", name);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let stop = Command::StopComparing;
            widget::command_button(ui, &stop, true, false, commands);
        });
    });
}

fn side(ui: &mut Ui, color: Color32, letter: &str, name: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(9.0, 9.0), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, color);
    ui.label(RichText::new(letter).strong());
    ui.label(name);
}

/// The work was stopped: how to go on.
fn stopped(ui: &mut Ui, compare: &Compare, commands: &mut Vec<Command>) {
    let help = "The picture shows both; what differs is not known.";
    widget::empty_state(ui, icons::ICON_CANCEL, "Stopped", help);
    ui.vertical_centered(|ui| {
        if ui.button("Compare again").clicked() {
            commands.push(Command::CompareBy(compare.settings));
        }
    });
}

fn work(ui: &mut Ui, what: &str, share: Option<f32>, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let bar = match share {
            Some(share) => ProgressBar::new(share).text(format!("{:.0} %", share * 100.0)),
            None => ProgressBar::new(0.0).animate(true),
        };
        ui.label(what);
        let width = (ui.available_width() - 40.0).max(60.0);
        ui.add(bar.desired_width(width).desired_height(14.0));
        widget::command_button(ui, &Command::StopJob, true, false, commands);
    });
}

/// The verdict, what else there is to know, and the state hashes at the playhead.
fn summary(ui: &mut Ui, model: &Model, found: &Comparison) {
    let palette = Palette::of(ui.visuals());
    let (icon, color) = if found.equal {
        (icons::ICON_CHECK_CIRCLE, palette.good)
    } else {
        (icons::ICON_DIFFERENCE, palette.bad)
    };
    ui.horizontal_top(|ui| {
        ui.label(icon.rich_text().size(17.0).color(color));
        let verdict = RichText::new(found.verdict()).strong();
        ui.add(egui::Label::new(verdict).wrap());
    });
    let notes = found.notes().join(" ");
    let notes = RichText::new(notes).font(style::small()).weak();
    ui.add(egui::Label::new(notes).wrap());
    let playhead = model.playback.playhead();
    // The end of the last frame is a state of its own.
    let state = playhead.frame + u32::from(playhead.fraction >= 1.0);
    let same = found
        .hashes
        .as_ref()
        .and_then(|hashes| hashes.same.get(state as usize));
    if let Some(&same) = same {
        let (word, color) = if same {
            ("every bit is the same", palette.good)
        } else {
            ("some bit differs", palette.bad)
        };
        ui.horizontal(|ui| {
            let label = RichText::new(format!("Here, at state {state}:")).font(style::small());
            ui.label(label.weak())
                .on_hover_text("By the hash of every number of the state, the camera's included");
            ui.label(RichText::new(word).font(style::small()).color(color));
        });
    }
}

/// What counts as the same, and what two moments have in common.
fn settings(ui: &mut Ui, compare: &Compare, commands: &mut Vec<Command>) {
    let now = compare.settings;
    let mut wanted = now;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let small = |text: &str| RichText::new(text).font(style::small()).weak();
        ui.label(small("Same within"));
        let tolerance = &mut wanted.tolerance;
        limit(ui, "Tolerance of positions", &mut tolerance.position);
        ui.label(small("m and"));
        limit(ui, "Tolerance of rotations", &mut tolerance.rotation);
        ui.label(small("rad"));
        ui.add_space(8.0);
        ui.label(small("by"));
        let alignment = compare.alignment();
        for (choice, word, help) in [
            (Alignment::Frame, "frame", "Frame n beside frame n"),
            (
                Alignment::Time,
                "time",
                "What is at the same time, also between two frames",
            ),
        ] {
            let on = alignment == Some(choice);
            let response = ui.add(Button::selectable(on, small(word).strong()));
            let name = format!("Compare by {word}");
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, &name));
            if response.on_hover_text(help).clicked() {
                wanted.alignment = Some(choice);
            }
        }
    });
    if wanted != now {
        commands.push(Command::CompareBy(wanted));
    }
}

/// A tolerance; nothing is "exact": every bit counts.
fn limit(ui: &mut Ui, name: &str, value: &mut f64) {
    let shown = *value;
    let stands = exact(shown);
    let at_rest = |value| match value {
        0.0 => "exact".to_owned(),
        value => text::number(value),
    };
    let response = exact_field(ui, None, value, at_rest, |field| {
        let field = field.range(0.0..=1e6).speed(0.001);
        field.custom_parser(move |typed| match typed.trim() {
            "exact" | "" => Some(0.0),
            number => read(number, &stands),
        })
    });
    response.widget_info(|| {
        let mut info = WidgetInfo::drag_value(true, shown);
        info.label = Some(name.to_owned());
        info
    });
    response.on_hover_text(format!(
        "{name}: up to this much is no difference. 0 asks for the same bits."
    ));
}
