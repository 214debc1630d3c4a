//! The Text panel: the scene's text, with problems underlined. Text without problems becomes the scene at once.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::theme::Palette;
use crate::app::{edited_fields, widget};
use crate::core::problem::Problem;
use egui::text::{LayoutJob, TextFormat};
use egui::{FontId, Label, RichText, ScrollArea, Stroke, TextEdit, TextStyle, Ui};
use egui_material_icons::icons;
use std::ops::Range;

/// The Text panel.
#[derive(Default)]
pub struct TextPanel {
    buffer: String,
}

impl TextPanel {
    /// Draws the text and its problems.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(scene_doc) = model.scene_doc() else {
            let help = "Recordings are read-only. Save a frame as a test scene to edit it.";
            widget::empty_state(ui, icons::ICON_DESCRIPTION, "No scene", help);
            return;
        };
        let (text, problems) = match &scene_doc.draft {
            Some((draft, problems)) => (Some(draft.as_str()), problems.as_slice()),
            None => (scene_doc.text().map(|text| &**text), &[][..]),
        };
        // While the text is rewritten in the background the previous one is shown.
        let is_current = text.is_some();
        if let Some(text) = text.filter(|text| *text != self.buffer) {
            text.clone_into(&mut self.buffer);
            // Changed elsewhere, or another file: the field's own undo would restore another text.
            edited_fields::clear_undo(ui.ctx(), edited_fields::scene_text());
        }
        let palette = Palette::of(ui.visuals());
        let marks: Vec<Range<usize>> = problems
            .iter()
            .filter_map(|problem| place(&self.buffer, problem))
            .collect();
        let font = TextStyle::Monospace.resolve(ui.style());
        let (plain, comment) = (palette.text, palette.text_weak);
        let underline = Stroke::new(2.0, palette.bad);
        let mut layouter = |ui: &Ui, text: &dyn egui::TextBuffer, _width: f32| {
            let job = laid_out(text.as_str(), &marks, &font, [plain, comment], underline);
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        // Problems are listed below the text, and the field has an id of its own: neither lines nor focus move when there are any.
        let room = ui.available_height() - problems_height(ui, problems);
        let area = ScrollArea::both().id_salt("text").auto_shrink(false);
        area.max_height(room.max(40.0)).show(ui, |ui| {
            let field = TextEdit::multiline(&mut self.buffer)
                .id(edited_fields::scene_text())
                .code_editor()
                .interactive(is_current)
                .desired_width(f32::INFINITY)
                .layouter(&mut layouter);
            let response = ui.add(field);
            ui.ctx().accesskit_node_builder(response.id, |node| {
                node.set_label("The scene as text");
                node.set_description("Edit it here, in the viewport or in the forms");
            });
            if response.changed() {
                commands.push(Command::EditText(self.buffer.clone()));
            }
        });
        problem_list(ui, problems);
    }
}

/// Greatest number of problems that are listed.
const LISTED: usize = 3;

/// The problems, each on one line.
fn problem_list(ui: &mut Ui, problems: &[Problem]) {
    let palette = Palette::of(ui.visuals());
    for problem in problems.iter().take(LISTED) {
        let place = problem
            .at
            .map(|at| format!("line {}, column {}: ", at.line, at.column));
        let what = format!("{}{}", place.unwrap_or_default(), problem.what);
        let help = match problem.help.as_str() {
            "" => String::new(),
            help => format!(": {help}"),
        };
        let text = widget::marked(ui, &format!("{what}{help}"), TextStyle::Body, palette.bad);
        ui.add(Label::new(text).truncate());
    }
    if problems.len() > LISTED {
        ui.label(RichText::new(format!("and {} more", problems.len() - LISTED)).weak());
    }
}

fn problems_height(ui: &Ui, problems: &[Problem]) -> f32 {
    let lines = problems.len().min(LISTED + 1) as f32;
    lines * (ui.text_style_height(&TextStyle::Body) + ui.spacing().item_spacing.y)
}

/// The bytes of the word at a problem's place.
fn place(text: &str, problem: &Problem) -> Option<Range<usize>> {
    let at = problem.at?;
    let line_start = match at.line {
        0 | 1 => 0,
        line => text.match_indices('\n').nth(line - 2)?.0 + 1,
    };
    let line = text[line_start..].split('\n').next().unwrap_or_default();
    let column = line.char_indices().nth(at.column.saturating_sub(1));
    let start = line_start + column.map_or(line.len(), |(byte, _)| byte);
    let word = text[start..].split([' ', ',', '\n', '(', ')']).next();
    let length = word.map_or(0, str::len).max(1);
    let mut end = (start + length).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    // At the end of the text the character before is underlined.
    let start = if start == end {
        text[..start].char_indices().next_back()?.0
    } else {
        start
    };
    Some(start..end)
}

fn laid_out(
    text: &str,
    marks: &[Range<usize>],
    font: &FontId,
    [plain, comment]: [egui::Color32; 2],
    underline: Stroke,
) -> LayoutJob {
    let mut job = LayoutJob::default();
    let mut cuts: Vec<usize> = marks
        .iter()
        .flat_map(|mark| [mark.start, mark.end])
        .collect();
    let mut comments: Vec<Range<usize>> = Vec::new();
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        if let Some(at) = comment_start(line) {
            comments.push(from + at..from + line.len());
            cuts.extend([from + at, from + line.len()]);
        }
        from += line.len();
    }
    cuts.extend([0, text.len()]);
    cuts.retain(|&cut| cut <= text.len() && text.is_char_boundary(cut));
    cuts.sort_unstable();
    cuts.dedup();
    for cut in cuts.windows(2) {
        let within = |range: &Range<usize>| range.start <= cut[0] && cut[1] <= range.end;
        let next = comments.partition_point(|range| range.end <= cut[0]);
        let is_comment = comments.get(next).is_some_and(within);
        let format = TextFormat {
            underline: if marks.iter().any(within) {
                underline
            } else {
                Stroke::NONE
            },
            ..TextFormat::simple(font.clone(), if is_comment { comment } else { plain })
        };
        job.append(&text[cut[0]..cut[1]], 0.0, format);
    }
    job
}

/// The byte at which a line's comment starts; `//` in quotes starts none.
fn comment_start(line: &str) -> Option<usize> {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in line.char_indices() {
        if !quoted && line[at..].starts_with("//") {
            return Some(at);
        }
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_underlined_at_its_word() {
        let text = "Scene(\n    räus: 1,\n)";
        let problem = |line, column| Problem::new("x", "", "").at(line, column);
        assert_eq!(&text[place(text, &problem(2, 5)).unwrap()], "räus:");
        assert_eq!(&text[place(text, &problem(3, 1)).unwrap()], ")");
        assert_eq!(&text[place(text, &problem(3, 9)).unwrap()], ")");
        assert_eq!(place(text, &problem(30, 1)), None);
        assert_eq!(place("", &problem(1, 1)), None);
        assert_eq!(comment_start("a: \"//\", // b"), Some(9));
        assert_eq!(comment_start("a: \"\\\"//\""), None);
    }
}
