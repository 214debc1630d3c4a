//! The Compare panel: the differences to another replay, in the order of their first frames, and the difference of one object
//! over time.

mod findings;
mod growth;
mod list;

use crate::app::command::Command;
use crate::app::entry::unavailable;
use crate::app::list_row::ListRow;
use crate::app::model::compare::{Compare, Other};
use crate::app::model::document::Document;
use crate::app::model::{Model, Session, ShownJob};
use crate::app::number_field::{Kind, number_field, parsed_field};
use crate::app::style;
use crate::app::theme::Palette;
use crate::app::view_options::CompareView;
use crate::app::{edited_fields, text, widget};
use crate::core::replay::compare::{Alignment, Comparison};
use egui::accesskit::Role;
use egui::{Button, Color32, ProgressBar, RichText, Sense, Ui, WidgetInfo, vec2};
use egui_material_icons::icons;
use list::List;
use std::path::PathBuf;

/// The least and the largest height of the curve, points.
const PLOT: (f32, f32) = (110.0, 170.0);

/// Width of the button that closes the comparison, points.
const CLOSE: f32 = 40.0;

/// The state of the panel: the path field and the list.
#[derive(Default)]
pub struct ComparePanel {
    path: String,
    list: List,
}

impl ComparePanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(Session { compare, .. }) = &model.session else {
            return;
        };
        if compare.against().is_none() {
            self.choice(ui, model, commands);
            return;
        }
        let other = compare.other();
        heading(ui, model, other, commands);
        tracks(ui, compare, commands);
        pictures(ui, model, commands);
        let job = model.comparing();
        if let Some(job) = &job {
            progress(ui, job, commands);
        }
        let (Some(other), Some(found)) = (other, compare.result()) else {
            if job.is_none() {
                stopped(ui, compare, commands);
            }
            return;
        };
        summary(ui, model, found, commands);
        findings::show(ui, model, other, commands);
        settings(ui, model, compare, commands);
        let height = ui.available_height();
        let plot = (height * 0.42).clamp(PLOT.0, PLOT.1);
        let height = (height - plot).max(90.0);
        self.list.ui(ui, height, model, found, commands);
        growth::show(ui, model, other, commands);
    }

    /// The choice of what to compare with.
    fn choice(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let help = "Shows two replays with one playhead: the first frame at which each object differs, by how much, and how the difference grows.";
        widget::empty_state(ui, icons::ICON_COMPARE_ARROWS, "Compare", help);
        ui.add_space(4.0);
        for command in [
            Command::CompareDetection,
            Command::CompareRunBefore,
            Command::CompareFile,
        ] {
            choose(ui, &command, model, commands);
        }
        ui.horizontal(|ui| {
            let width = (ui.available_width() - 84.0).max(80.0);
            let name = "Path of a scene or a log";
            let response = edited_fields::line(ui, &mut self.path, name, name, width);
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

/// A wide button for a command; if it is disabled, the tooltip is the reason.
fn choose(ui: &mut Ui, command: &Command, model: &Model, commands: &mut Vec<Command>) {
    let Some(entry) = command.entry() else {
        return;
    };
    let why_not = unavailable(command, model);
    let button = Button::new((entry.icon.rich_text().size(16.0), entry.text));
    let button = button.min_size(vec2(ui.available_width(), 28.0));
    let response = ui.add_enabled(why_not.is_none(), button);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, why_not.is_none(), entry.text));
    let response = response
        .on_hover_text(entry.tooltip)
        .on_disabled_hover_text(why_not.unwrap_or_default());
    if response.clicked() {
        commands.push(entry.command.clone());
    }
}

/// The names and colours of the two replays, and the close button.
fn heading(ui: &mut Ui, model: &Model, other: Option<&Other>, commands: &mut Vec<Command>) {
    let palette = Palette::of(ui.visuals());
    ui.horizontal(|ui| {
        side(ui, palette.moving, "A", "This level");
        ui.add_space(10.0);
        let name = other.map_or("…", |other| other.name.as_str());
        side(ui, palette.other, "B", name);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            let stop = Command::StopComparing;
            widget::command_button(ui, &stop, model, commands);
            if model
                .session
                .as_ref()
                .is_some_and(|it| !it.compare.tracks().all().is_empty())
            {
                widget::command_button(ui, &Command::CompareFile, model, commands);
            }
        });
    });
}

/// The files that the level is compared with, each with its first difference; a click shows one as B.
fn tracks(ui: &mut Ui, compare: &Compare, commands: &mut Vec<Command>) {
    let tracks = compare.tracks();
    if tracks.all().len() < 2 {
        return;
    }
    let palette = Palette::of(ui.visuals());
    for (index, track) in tracks.all().iter().enumerate() {
        let is_shown = index == tracks.shown();
        let (name, result) = (track.name(), track.result.as_ref());
        let (aside, color) = match result {
            None => ("comparing…".to_owned(), None),
            Some(Err(_)) => ("not compared".to_owned(), Some(palette.bad)),
            Some(Ok(found)) => first_difference(found, palette),
        };
        let label = format!("{name}: {aside}");
        let row = ListRow {
            text: &name,
            name: Some(&label),
            selected: is_shown,
            dot: is_shown.then_some(palette.other),
            aside: (&aside, color),
            ..ListRow::default()
        };
        let help = match result {
            Some(Ok(found)) => {
                (found.first.as_ref()).map_or_else(|| found.verdict(), |it| it.sentence())
            }
            Some(Err(why)) => why.clone(),
            None => label.clone(),
        };
        if row.show(ui).on_hover_text(help).clicked() && !is_shown {
            commands.push(Command::ShowTrack(index));
        }
    }
}

/// Where the level first differs from another, in few words.
fn first_difference(found: &Comparison, palette: &Palette) -> (String, Option<Color32>) {
    let state = found.differing.iter().position(|differs| *differs);
    match (&found.first, state) {
        (Some(first), _) => (format!("{}, frame {}", first.object, first.frame), None),
        (None, Some(state)) => (format!("from frame {state} on"), None),
        (None, None) if found.equal => ("equal".to_owned(), Some(palette.good)),
        (None, None) => ("different length or steps".to_owned(), None),
    }
}

/// The choice of how the viewport shows the two.
fn pictures(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new("Show").font(style::small()).weak());
        for view in CompareView::ALL {
            let command = Command::CompareView(view);
            let on = model.layers.compare_view == view;
            let text = RichText::new(view.name()).font(style::small());
            let response = ui.add(Button::selectable(on, text));
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, view.name()));
            let help = command.entry().map_or("", |entry| entry.tooltip);
            if response.on_hover_text(help).clicked() {
                commands.push(command);
            }
        }
    });
}

fn side(ui: &mut Ui, color: Color32, letter: &str, name: &str) {
    let (rect, _) = ui.allocate_exact_size(vec2(9.0, 9.0), Sense::hover());
    ui.painter().rect_filled(rect, 2.0, color);
    ui.label(RichText::new(letter).strong());
    let font = egui::TextStyle::Body.resolve(ui.style());
    let shown = widget::shortened(ui.painter(), name, &font, ui.available_width() - CLOSE);
    ui.label(shown).on_hover_text(name);
}

/// The placeholder after the comparison was stopped.
fn stopped(ui: &mut Ui, compare: &Compare, commands: &mut Vec<Command>) {
    let help = "The viewport shows both replays. The differences are unknown.";
    widget::empty_state(ui, icons::ICON_CANCEL, "Comparison stopped", help);
    ui.vertical_centered(|ui| {
        if ui.button("Compare again").clicked() {
            commands.push(Command::SetCompareSettings(compare.settings));
        }
    });
}

fn progress(ui: &mut Ui, job: &ShownJob, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let bar = match job.share {
            Some(done) => ProgressBar::new(done).text(format!("{:.0} %", done * 100.0)),
            None => ProgressBar::new(0.0).animate(true),
        };
        ui.label(&job.text);
        let width = (ui.available_width() - 40.0).max(60.0);
        ui.add(bar.desired_width(width).desired_height(14.0));
        let stop = widget::icon_button(ui, icons::ICON_CANCEL, "Stop comparing", "", false);
        if stop.clicked() {
            commands.push(Command::StopComparisonJob);
        }
    });
}

/// The verdict, the notes, and the result of the state hashes at the playhead.
fn summary(ui: &mut Ui, model: &Model, found: &Comparison, commands: &mut Vec<Command>) {
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
    if let Some(first) = &found.first {
        let sentence = RichText::new(first.sentence()).font(style::small());
        let link = ui.add(egui::Link::new(sentence));
        if link.on_hover_text("Go there").clicked() {
            let row = found.objects.iter();
            let mut row = row.zip(0..).filter(|(row, _)| row.subject == first.subject);
            commands.extend(
                row.next()
                    .map(|(_, index)| Command::SelectDifference(index)),
            );
            commands.push(Command::SeekState(first.frame));
        }
    }
    let notes = found.notes().join(" ");
    let notes = RichText::new(notes).font(style::small()).weak();
    ui.add(egui::Label::new(notes).wrap());
    let state = model.playback.playhead().state();
    let same = found
        .hashes
        .as_ref()
        .and_then(|hashes| hashes.same.get(state as usize));
    if let Some(&same) = same {
        let (result, color) = if same {
            ("bitwise equal", palette.good)
        } else {
            ("not bitwise equal", palette.bad)
        };
        ui.horizontal(|ui| {
            let number = model.document().map_or(0, |it| it.replay().number(state));
            let label = RichText::new(format!("Frame {number}:")).font(style::small());
            ui.label(label.weak()).on_hover_text(
                "By a hash of all numbers of the state with which the frame begins, including the camera's",
            );
            ui.label(RichText::new(result).font(style::small()).color(color));
        });
    }
}

/// The tolerances, and how the frames are matched.
fn settings(ui: &mut Ui, model: &Model, compare: &Compare, commands: &mut Vec<Command>) {
    let now = compare.settings;
    let both = (model.document().map(Document::replay)).zip(compare.other().map(|it| &it.replay));
    let by_tick = both.is_some_and(|(a, b)| a.tick(0).is_some() && b.tick(0).is_some());
    let mut wanted = now;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let small = |text: &str| RichText::new(text).font(style::small()).weak();
        ui.label(small("Equal within"));
        let tolerance = &mut wanted.tolerance;
        limit(ui, "Tolerance of positions", &mut tolerance.position);
        ui.label(small("m and"));
        let mut angle = tolerance.rotation.to_degrees();
        limit(ui, "Tolerance of rotations", &mut angle);
        // Only a change, as the conversion rounds.
        if angle != tolerance.rotation.to_degrees() {
            tolerance.rotation = angle.to_radians();
        }
        ui.label(small("degrees"));
        ui.add_space(8.0);
        ui.label(small("Match by"));
        let alignment = compare.alignment();
        let choices = [
            (
                Alignment::Frame,
                "frame",
                "Compare frames with the same number",
            ),
            (
                Alignment::Time,
                "time",
                "Compare at the same time, also between two frames",
            ),
            (
                Alignment::Tick,
                "tick",
                "Compare states with the same logged tick",
            ),
        ];
        for (choice, label, help) in choices {
            if choice == Alignment::Tick && !by_tick {
                continue;
            }
            let on = alignment == Some(choice);
            let response = ui.add(Button::selectable(on, small(label).strong()));
            let name = format!("Match by {label}");
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, &name));
            if response.on_hover_text(help).clicked() {
                wanted.alignment = Some(choice);
            }
        }
        if let Some(alignment) = alignment {
            ui.label(small("B ahead by"));
            let kind = Kind::between(-1e9, 1e9).with_speed(1.0);
            let at_rest = |value| text::number(value);
            let name = "Offset of the other replay";
            let field = number_field(ui, name, &mut wanted.offset, kind, at_rest);
            let unit = alignment.unit();
            field.on_hover_text(format!(
                "Each state of A is compared with that of B so many {unit} later"
            ));
            ui.label(small(unit));
        }
    });
    if wanted != now {
        commands.push(Command::SetCompareSettings(wanted));
    }
}

/// A field for a tolerance; zero is shown as "exact".
fn limit(ui: &mut Ui, name: &str, value: &mut f64) {
    let kind = Kind::between(0.0, 1e6).with_speed(0.001);
    let at_rest = |value| match value {
        0.0 => "exact".to_owned(),
        value => text::number(value),
    };
    let parse = |typed: &str| match typed.trim() {
        "exact" | "" => Ok(0.0),
        number => kind.parse(number),
    };
    parsed_field(ui, name, value, kind, at_rest, parse).on_hover_text(format!(
        "{name}: smaller differences are ignored. 0 means bitwise equal."
    ));
}
