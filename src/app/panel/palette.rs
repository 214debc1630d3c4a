//! The command palette: a search over commands, objects, findings and levels.

mod actions;

use crate::app::command::Command;
use crate::app::edited_fields;
use crate::app::entry::TABLE;
use crate::app::list_row::ListRow;
use crate::app::model::Model;
use crate::app::style::ROW;
use crate::app::widget;
use crate::core::diagnose::Report;
use egui::{Context, Key, Modal, Modifiers, RichText, ScrollArea, Ui};
use egui_material_icons::{MaterialIcon, icons};
use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use std::sync::Arc;

/// The number of lines shown; more letters narrow the search.
const MAX_LINES: usize = 60;

/// The state of the palette while it is open.
#[derive(Default)]
pub struct CommandPalette {
    query: String,
    selected: usize,
    was_open: bool,
    found: Vec<Line>,
    /// The query, the level and the report that `found` was made for: its lines have indices of findings and objects.
    searched: Option<(String, Option<u64>, Option<Arc<Report>>)>,
}

/// What a line of the palette stands for, in the order of equally good matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LineKind {
    Object,
    Command,
    Example,
    RecentFile,
    Finding,
}

/// A line of the palette.
#[derive(Clone, Debug)]
struct Line {
    kind: LineKind,
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
        let mut done = None;
        ui.spacing_mut().item_spacing.y = 0.0;
        // The height is always the same, so that the box stays in its place while the results change.
        let height = ROW * 14.0;
        ScrollArea::vertical()
            .max_height(height)
            .min_scrolled_height(height)
            .auto_shrink(false)
            .show(ui, |ui| {
                if self.found.is_empty() {
                    ui.label(RichText::new("No matches").weak());
                }
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
            commands.push(Command::RememberChoice(line.text.clone()));
        }
    }

    /// Updates the lines if the query changed.
    fn update(&mut self, ui: &Ui, model: &Model) {
        let document = model.document();
        let level = document.map(|document| document.revision);
        let report = document.and_then(|document| document.report.as_ref());
        if let Some((query, of, about)) = &self.searched {
            let same_report = about.as_ref().map(Arc::as_ptr) == report.map(Arc::as_ptr);
            if *query == self.query && *of == level && same_report {
                return;
            }
        }
        self.searched = Some((self.query.clone(), level, report.cloned()));
        self.selected = 0;
        self.found = search(&self.query, lines(ui, model), &model.settings.choices);
    }
}

/// How well a line matches a query; the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Match {
    /// The title is the query.
    Exact,
    /// The title begins with the query.
    Prefix,
    /// Each word of the query begins a word of the text.
    Words,
    /// The same, with the synonyms.
    Synonyms,
    /// The letters of the query are in the text, in order.
    Letters,
}

/// The lines that match a query, best first. For an empty query all lines, those chosen lately first.
fn search(query: &str, lines: Vec<Line>, recent: &[String]) -> Vec<Line> {
    let query = query.trim().to_lowercase();
    let mut lines = lines;
    if query.is_empty() {
        // A stable sort: the others stay in the order of the menus.
        let position = |line: &Line| recent.iter().position(|text| *text == line.text);
        lines.sort_by_key(|line| position(line).unwrap_or(usize::MAX));
        lines.truncate(MAX_LINES);
        return lines;
    }
    let is_name_of_object = lines
        .iter()
        .any(|line| line.kind == LineKind::Object && line.text.to_lowercase() == query);
    let pattern = Pattern::parse(&query, CaseMatching::Ignore, Normalization::Smart);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let mut letters = Vec::new();
    let mut found: Vec<_> = lines
        .into_iter()
        .filter_map(|line| {
            let text = Utf32Str::new(&line.text, &mut letters);
            let score = pattern.score(text, &mut matcher);
            let matched = line.matched(&query);
            let matched = matched.or_else(|| score.map(|_| Match::Letters))?;
            // A level of exactly this name comes before a command of this name, which may replace the level.
            let kind = match (line.kind, matched) {
                (LineKind::Example, Match::Exact) => LineKind::Object,
                (kind, _) => kind,
            };
            // After the name of an object come the objects with that word in their name.
            let follows =
                is_name_of_object && line.kind == LineKind::Object && matched < Match::Letters;
            let score = std::cmp::Reverse(score.unwrap_or(0));
            let rank = (!follows, matched, kind, score);
            Some((rank, line))
        })
        .collect();
    found.sort_by_key(|(rank, _)| *rank);
    found.truncate(MAX_LINES);
    found.into_iter().map(|(_, line)| line).collect()
}

impl Line {
    /// How well its words match a query in lower case; `None` if they do not.
    fn matched(&self, query: &str) -> Option<Match> {
        let text = self.text.to_lowercase();
        let title = match self.kind {
            LineKind::Command => text.split_once(": ").map_or(&*text, |(_, title)| title),
            _ => &text,
        };
        let title = title.trim_end_matches('…');
        if title == query {
            Some(Match::Exact)
        } else if title.starts_with(query) {
            Some(Match::Prefix)
        } else if has_every_word(&text, query) {
            Some(Match::Words)
        } else {
            let with_synonyms = format!("{text} {}", self.synonyms);
            has_every_word(&with_synonyms, query).then_some(Match::Synonyms)
        }
    }
}

/// Returns true if each word of the query is the beginning of a word of the text, both in lower case.
fn has_every_word(text: &str, query: &str) -> bool {
    let mut wanted = query.split_whitespace();
    wanted.all(|wanted| {
        text.split([' ', ':', ',', '/', '\\', '_'])
            .any(|word| word.starts_with(wanted))
    })
}

/// All lines.
fn lines(ui: &Ui, model: &Model) -> Vec<Line> {
    let mut lines: Vec<Line> = TABLE
        .iter()
        .filter(|entry| entry.command != Command::TogglePalette)
        .map(|entry| {
            let why_not = entry.unavailable(model).map(str::to_owned);
            Line {
                kind: LineKind::Command,
                text: format!("{}: {}", entry.group.title(), entry.text),
                synonyms: entry.words,
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
    let line = |kind, text: &str, aside: &str, icon, command| Line {
        kind,
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
                finding.number()
            );
            let command = Command::SelectFinding(index);
            lines.push(line(
                LineKind::Finding,
                &text,
                "finding",
                icons::ICON_FACT_CHECK,
                command,
            ));
        }
        for (id, object) in (0..).zip(document.replay().objects()) {
            let icon = widget::shape_icon(&object.shape);
            let command = Command::Select(Some(id));
            lines.push(line(
                LineKind::Object,
                &object.name,
                "object",
                icon,
                command,
            ));
        }
    }
    for path in &model.settings.recent {
        let text = path.display().to_string();
        let command = Command::Open(path.clone());
        lines.push(line(
            LineKind::RecentFile,
            &text,
            "recent file",
            icons::ICON_HISTORY,
            command,
        ));
    }
    for entry in &model.bundle {
        let command = Command::OpenBundled(entry.file.to_owned());
        lines.push(line(
            LineKind::Example,
            &entry.title,
            "example",
            icons::ICON_MOVIE,
            command,
        ));
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

    fn line(kind: LineKind, text: &str) -> Line {
        Line {
            kind,
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
        let commands = [
            "New: Bullet and wall",
            "New: Corridor",
            "File: Open…",
            "File: Save report…",
            "File: Export findings…",
            "Time: Next frame",
            "Time: Next phase",
            "View: Full screen",
        ];
        let examples = ["Wall row", "Corridor", "Open seam", "Small report"];
        let findings = ["Tunnels ball wall, frame 3"];
        let objects = ["my wall", "wall 2", "wall"];
        let of = |kind, texts: &[&str]| -> Vec<Line> {
            texts.iter().map(|text| line(kind, text)).collect()
        };
        let lines = [
            of(LineKind::Command, &commands),
            of(LineKind::Finding, &findings),
            of(LineKind::Object, &objects),
            of(LineKind::Example, &examples),
        ];
        let found = search(query, lines.concat(), &["View: Full screen".to_owned()]);
        let texts = found.into_iter().map(|line| line.text);
        texts.collect()
    }

    #[test]
    fn a_few_letters_in_order_match() {
        assert_eq!(found("nxfr"), ["Time: Next frame"]);
        assert_eq!(found("FULL"), ["View: Full screen"]);
        assert_eq!(found("next").len(), 2);
        assert_eq!(found("moni view"), ["View: Full screen"]);
        assert!(found("moni time").is_empty());
        assert!(found("zebra").is_empty());
    }

    #[test]
    fn objects_come_first_and_whole_names_before_parts() {
        let wall = [
            "wall",
            "wall 2",
            "my wall",
            "Wall row",
            "New: Bullet and wall",
            "Tunnels ball wall, frame 3",
        ];
        assert_eq!(found("wall"), wall);
        assert_eq!(found("wa")[2..4], ["Wall row", "my wall"], "no whole name");
        assert_eq!(found("corridor"), ["Corridor", "New: Corridor"]);
        assert_eq!(found("open")[..2], ["File: Open…", "Open seam"]);
        assert_eq!(found("report")[0], "File: Save report…");
        assert_eq!(found("export")[0], "File: Export findings…");
    }

    #[test]
    fn an_empty_query_lists_what_was_chosen_first() {
        let all = found("");
        assert_eq!(all[..2], ["View: Full screen", "New: Bullet and wall"]);
        assert_eq!(all.len(), 16);
    }
}
