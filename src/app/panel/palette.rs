//! The command palette: a search over commands, objects, findings and levels.

mod actions;

use crate::app::availability::unavailable;
use crate::app::command::{Command, TABLE};
use crate::app::edited_fields;
use crate::app::list_row::ListRow;
use crate::app::model::Model;
use crate::app::style::ROW;
use crate::app::widget;
use egui::{Context, Key, Modal, Modifiers, RichText, ScrollArea, Ui};
use egui_material_icons::{MaterialIcon, icons};
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// The number of lines shown; more letters narrow the search.
const MAX_LINES: usize = 60;

/// The state of the palette while it is open.
#[derive(Default)]
pub struct CommandPalette {
    query: String,
    selected: usize,
    was_open: bool,
    found: Vec<Line>,
    /// The query that `found` was made for.
    searched: Option<String>,
}

/// A line of the palette.
#[derive(Clone, Debug)]
struct Line {
    text: String,
    /// Synonyms; lines found by these come after those found by their text.
    synonyms: &'static str,
    /// The command can be carried out now.
    is_available: bool,
    /// The shortcut, what the line is (a finding, an object ..), or the reason why the command is not available.
    aside: String,
    help: String,
    icon: MaterialIcon,
    command: Command,
}

impl CommandPalette {
    /// Draws the palette if it is open.
    pub fn ui(&mut self, ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
        if !model.ui_state.palette {
            self.was_open = false;
            return;
        }
        let opened = !std::mem::replace(&mut self.was_open, true);
        if opened {
            *self = Self {
                was_open: true,
                ..Self::default()
            };
        }
        let modal = Modal::new(egui::Id::unique("command palette")).show(ctx, |ui| {
            ui.set_width(560.0);
            self.contents(ui, model, commands);
        });
        if modal.should_close() {
            commands.push(Command::TogglePalette);
        }
    }

    fn contents(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let step = ui.input_mut(|input| {
            let down = input.consume_key(Modifiers::NONE, Key::ArrowDown);
            let up = input.consume_key(Modifiers::NONE, Key::ArrowUp);
            isize::from(down) - isize::from(up)
        });
        let (name, hint) = ("Search everything", "Command, object, finding or level");
        let response = edited_fields::line(ui, &mut self.query, name, hint, f32::INFINITY);
        response.request_focus();
        self.update(ui, model);
        let last = self.found.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(step).min(last);
        ui.add_space(4.0);
        if self.found.is_empty() {
            ui.label(RichText::new("No matches").weak());
            return;
        }
        let mut done = None;
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical()
            .max_height(ROW * 14.0)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                for (index, line) in self.found.iter().enumerate() {
                    let response = row(ui, line, index == self.selected);
                    if index == self.selected && step != 0 {
                        response.scroll_to_me(None);
                    }
                    if response.clicked() {
                        done = Some(index);
                    }
                }
            });
        if ui.input(|input| input.key_pressed(Key::Enter)) {
            done = Some(self.selected);
        }
        if let Some(line) = done.and_then(|index| self.found.get(index)) {
            commands.push(Command::TogglePalette);
            commands.push(line.command.for_shortcut());
        }
    }

    /// Updates the lines if the query changed.
    fn update(&mut self, ui: &Ui, model: &Model) {
        if self.searched.as_ref() == Some(&self.query) {
            return;
        }
        self.searched = Some(self.query.clone());
        self.selected = 0;
        self.found = search(&self.query, lines(ui, model));
    }
}

/// The lines that contain the letters of a query in order, best first; the first lines of all if the query is empty.
fn search(query: &str, lines: Vec<Line>) -> Vec<Line> {
    let pattern = Pattern::parse(query, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut found: Vec<((bool, u32), Line)> = lines
        .into_iter()
        .filter_map(|line| {
            let text = Utf32Str::new(&line.text, &mut letters);
            if let Some(score) = pattern.score(text, &mut matcher) {
                return Some(((true, score), line));
            }
            let with_synonyms = format!("{} {}", line.text, line.synonyms);
            let matches = has_every_word(&with_synonyms, query);
            (matches && !line.synonyms.is_empty()).then_some(((false, 0), line))
        })
        .collect();
    // A stable sort: equal scores stay in the order of the menus.
    found.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    found.truncate(MAX_LINES);
    found.into_iter().map(|(_, line)| line).collect()
}

/// Returns true if each word of the query is the beginning of a word of the text.
fn has_every_word(text: &str, query: &str) -> bool {
    let (text, query) = (text.to_lowercase(), query.to_lowercase());
    let mut wanted = query.split_whitespace();
    wanted.all(|wanted| {
        text.split([' ', ':', ','])
            .any(|word| word.starts_with(wanted))
    })
}

/// All lines.
fn lines(ui: &Ui, model: &Model) -> Vec<Line> {
    let mut lines: Vec<Line> = TABLE
        .iter()
        .filter(|entry| entry.command != Command::TogglePalette)
        .map(|entry| {
            let why_not = unavailable(&entry.command, model).map(str::to_owned);
            Line {
                text: format!("{}: {}", entry.group.title(), entry.text),
                synonyms: entry.command.search_words(),
                is_available: why_not.is_none(),
                aside: why_not
                    .or_else(|| widget::shortcut(ui, entry))
                    .unwrap_or_default(),
                help: entry.tooltip.to_owned(),
                icon: entry.icon,
                command: entry.command.clone(),
            }
        })
        .collect();
    lines.extend(actions::lines(model));
    let line = |text: &str, aside: &str, icon, command| Line {
        text: text.to_owned(),
        synonyms: "",
        is_available: true,
        aside: aside.to_owned(),
        help: String::new(),
        icon,
        command,
    };
    if let Some(document) = model.document() {
        for (index, finding) in document.findings().iter().enumerate().take(5_000) {
            let text = format!(
                "{} {} {}, frame {}",
                finding.kind.name(),
                finding.a,
                finding.b,
                finding.frame
            );
            let command = Command::SelectFinding(index);
            lines.push(line(&text, "finding", icons::ICON_FACT_CHECK, command));
        }
        for (id, object) in (0..).zip(document.replay().objects()) {
            let icon = widget::shape_icon(&object.shape);
            let command = Command::Select(Some(id));
            lines.push(line(&object.name, "object", icon, command));
        }
    }
    for path in &model.settings.recent {
        let text = path.display().to_string();
        let command = Command::Open(path.clone());
        lines.push(line(&text, "recent file", icons::ICON_HISTORY, command));
    }
    for entry in &model.bundle {
        let command = Command::OpenBundled(entry.file.to_owned());
        lines.push(line(&entry.title, "example", icons::ICON_MOVIE, command));
    }
    lines
}

fn row(ui: &mut Ui, line: &Line, selected: bool) -> egui::Response {
    let row = ListRow {
        text: &line.text,
        selected,
        dimmed: !line.is_available,
        disabled: !line.is_available,
        icon: Some((line.icon, None)),
        aside: (&line.aside, None),
        ..ListRow::default()
    };
    let response = row.show(ui);
    if line.help.is_empty() {
        response
    } else {
        response.on_hover_text(&line.help)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Line {
        Line {
            text: text.to_owned(),
            synonyms: if text.contains("screen") {
                "monitor"
            } else {
                ""
            },
            is_available: true,
            aside: String::new(),
            help: String::new(),
            icon: icons::ICON_MOVIE,
            command: Command::SelectNothing,
        }
    }

    fn found(query: &str) -> Vec<String> {
        let lines = ["Time: Next frame", "Time: Next phase", "View: Full screen"];
        let found = search(query, lines.map(line).to_vec());
        found.into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn a_few_letters_in_order_match() {
        assert_eq!(found("nxfr"), ["Time: Next frame"]);
        assert_eq!(found("FULL"), ["View: Full screen"]);
        assert_eq!(found("next").len(), 2);
        assert_eq!(found("moni view"), ["View: Full screen"]);
        assert!(found("moni time").is_empty());
        assert!(found("zebra").is_empty());
        assert_eq!(found("").len(), 3, "all lines for an empty query");
    }
}
