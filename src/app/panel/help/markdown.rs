//! Draws the Markdown of the program's own documents: headings, paragraphs, lists, tables and code. Pictures are left out.

use crate::app::theme::Surfaces;
use egui::text::{LayoutJob, TextFormat};
use egui::{Align, FontId, Frame, Grid, Label, Layout, RichText, TextStyle, Ui, vec2};

/// A block of text.
#[derive(Debug, PartialEq)]
enum Block<'t> {
    Heading(&'t str),
    Paragraph(String),
    /// A list item: its mark and its text.
    Item(&'t str, String),
    Code(Vec<&'t str>),
    /// The rows of a table, the heads first.
    Table(Vec<Vec<&'t str>>),
}

/// Draws a text.
pub fn show(ui: &mut Ui, text: &str) {
    for (index, block) in blocks(text).iter().enumerate() {
        match block {
            Block::Heading(text) => {
                ui.add_space(6.0);
                ui.label(RichText::new(*text).strong().size(15.0));
            }
            Block::Paragraph(text) => {
                ui.add(Label::new(inline(ui, text)).wrap());
            }
            Block::Item(mark, text) => {
                ui.horizontal_top(|ui| {
                    ui.label(*mark);
                    ui.add(Label::new(inline(ui, text)).wrap());
                });
            }
            Block::Code(lines) => {
                let frame = Frame::new().fill(Surfaces::of(ui.visuals()).sunken);
                frame.inner_margin(8).corner_radius(4).show(ui, |ui| {
                    let text = lines.join("\n");
                    let copy = Layout::right_to_left(Align::Min);
                    ui.with_layout(copy, |ui| {
                        if ui.small_button("Copy").clicked() {
                            ui.copy_text(text.clone());
                        }
                        let code = RichText::new(&text).monospace();
                        ui.with_layout(Layout::top_down(Align::Min), |ui| {
                            ui.add(Label::new(code).wrap());
                        });
                    });
                });
            }
            Block::Table(rows) => table(ui, index, rows),
        }
        ui.add_space(4.0);
    }
}

fn table(ui: &mut Ui, index: usize, rows: &[Vec<&str>]) {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(1).max(1);
    let width = (ui.available_width() / columns as f32 - 10.0).max(60.0);
    Grid::new(("table", index))
        .striped(true)
        .spacing(vec2(10.0, 4.0))
        .max_col_width(width * 1.6)
        .show(ui, |ui| {
            for (number, row) in rows.iter().enumerate() {
                for cell in row {
                    let text = inline(ui, cell);
                    if number == 0 {
                        ui.label(RichText::new(&text.text).weak());
                    } else {
                        ui.add(Label::new(text).wrap());
                    }
                }
                ui.end_row();
            }
        });
}

/// The blocks of a text.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut lines = text.lines();
    // The next line continues the paragraph or the list item before it.
    let mut continues = false;
    while let Some(line) = lines.next() {
        let line = line.trim();
        let item = mark_and_text(line);
        let is_open = std::mem::replace(&mut continues, false);
        if line.starts_with("```") {
            let code = lines.by_ref().take_while(|line| !line.starts_with("```"));
            blocks.push(Block::Code(code.collect()));
        } else if line.is_empty() || line.starts_with("![") || line.starts_with("<a ") {
        } else if line.starts_with('#') {
            blocks.push(Block::Heading(line.trim_start_matches('#').trim()));
        } else if let Some(row) = line.strip_prefix('|') {
            let cells = row.trim_end_matches('|').split('|').map(str::trim);
            let cells: Vec<&str> = cells.collect();
            match blocks.last_mut() {
                Some(Block::Table(_)) if cells.iter().all(|cell| is_rule(cell)) => {}
                Some(Block::Table(rows)) => rows.push(cells),
                _ => blocks.push(Block::Table(vec![cells])),
            }
        } else if let Some((mark, text)) = item {
            blocks.push(Block::Item(mark, text.to_owned()));
            continues = true;
        } else {
            match blocks.last_mut() {
                Some(Block::Paragraph(text) | Block::Item(_, text)) if is_open => {
                    text.push(' ');
                    text.push_str(line);
                }
                _ => blocks.push(Block::Paragraph(line.to_owned())),
            }
            continues = true;
        }
    }
    blocks
}

/// Returns true for a cell of the line below the heads of a table.
fn is_rule(cell: &str) -> bool {
    !cell.is_empty() && cell.chars().all(|c| matches!(c, '-' | ':'))
}

/// The mark and the text of a list item.
fn mark_and_text(line: &str) -> Option<(&str, &str)> {
    if let Some(text) = line.strip_prefix("- ") {
        return Some(("•", text));
    }
    let (mark, text) = line.split_once(' ')?;
    let digits = mark.strip_suffix('.')?;
    let is_number = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    is_number.then_some((mark, text))
}

/// The text of a line, with code in the monospaced font, strong parts, and links by their text.
fn inline(ui: &Ui, text: &str) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (part, style) in parts(text) {
        let (font, color) = match style {
            Style::Plain => (TextStyle::Body, ui.visuals().text_color()),
            Style::Strong => (TextStyle::Body, ui.visuals().strong_text_color()),
            Style::Code => (TextStyle::Monospace, ui.visuals().strong_text_color()),
        };
        let font: FontId = font.resolve(ui.style());
        job.append(&part, 0.0, TextFormat::simple(font, color));
    }
    job
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Style {
    Plain,
    Strong,
    Code,
}

/// The parts of a line with their styles.
fn parts(text: &str) -> Vec<(String, Style)> {
    let mut parts = Vec::new();
    // First, as the text of a link may be code.
    for (index, code) in without_links(text).split('`').enumerate() {
        if index % 2 == 1 {
            parts.push((code.to_owned(), Style::Code));
            continue;
        }
        for (index, part) in code.split("**").enumerate() {
            let style = [Style::Plain, Style::Strong][index % 2];
            parts.push((part.replace('*', ""), style));
        }
    }
    parts.retain(|(part, _)| !part.is_empty());
    parts
}

/// The text with each link replaced by its text.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("](") {
        let (start, label) = before.rsplit_once('[').unwrap_or((before, ""));
        plain.push_str(start);
        plain.push_str(label);
        rest = after.split_once(')').map_or("", |(_, rest)| rest);
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::help_topics::TOPICS;

    #[test]
    fn a_text_is_cut_into_blocks() {
        let text = "# One\nA line\nand *more*.\n\n- an item\n  of two lines\n2. second\n\n```ron\n# code\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n![picture](x.png)\n";
        let wanted = [
            Block::Heading("One"),
            Block::Paragraph("A line and *more*.".to_owned()),
            Block::Item("•", "an item of two lines".to_owned()),
            Block::Item("2.", "second".to_owned()),
            Block::Code(vec!["# code"]),
            Block::Table(vec![vec!["a", "b"], vec!["1", "2"]]),
        ];
        assert_eq!(blocks(text), wanted);
    }

    #[test]
    fn a_line_is_cut_into_styles() {
        let parts = parts("see [the guide](guide.md#a), **not** `*p` [`image`](log.md)");
        let wanted = [
            ("see the guide, ", Style::Plain),
            ("not", Style::Strong),
            (" ", Style::Plain),
            ("*p", Style::Code),
            (" ", Style::Plain),
            ("image", Style::Code),
        ];
        assert_eq!(parts, wanted.map(|(part, style)| (part.to_owned(), style)));
    }

    #[test]
    fn no_mark_of_the_documents_is_left() {
        for topic in TOPICS.iter() {
            for block in blocks(topic.text) {
                if let Block::Paragraph(text) | Block::Item(_, text) = block {
                    let plain = parts(&text).into_iter();
                    let plain = plain.filter(|(_, style)| *style != Style::Code);
                    let plain: String = plain.map(|(part, _)| part).collect();
                    let marks = ["](", "**", "```"];
                    assert!(
                        marks.iter().all(|mark| !plain.contains(mark)),
                        "{}: {plain}",
                        topic.title
                    );
                }
            }
        }
    }
}
