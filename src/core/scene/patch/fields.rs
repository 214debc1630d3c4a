//! Added, removed and changed fields.

use super::Patch;
use crate::core::scene::layout::Doc;
use crate::core::scene::tokens::rest_of_line;

/// Fields of a value with names.
impl Patch<'_> {
    /// Changes the fields of a value; fields that neither side prints stay.
    pub(in crate::core::scene) fn fields(&mut self, node: usize, old: &[Doc], new: &[Doc]) {
        let named = |docs: &[Doc], name: &str| {
            docs.iter().find_map(|doc| match doc {
                Doc::Named(other, value) if *other == name => Some((**value).clone()),
                _ => None,
            })
        };
        let names = |docs: &[Doc]| -> Vec<&'static str> {
            let names = docs.iter().filter_map(|doc| match doc {
                Doc::Named(name, _) => Some(*name),
                _ => None,
            });
            names.collect()
        };
        let mut inserted = Vec::new();
        let mut before = None;
        for name in names(new) {
            let Some(wanted) = named(new, name) else {
                continue;
            };
            match (self.spans.field(node, name), named(old, name)) {
                (Some(field), Some(was)) => self.value(field, &was, &wanted),
                (None, Some(was)) if was == wanted => {}
                (Some(field), None) => self.replace(self.spans.unwrapped(field), &wanted),
                (None, _) => inserted.push((before, name, wanted)),
            }
            before = self.spans.field(node, name).or(before);
        }
        for name in names(old) {
            let gone = named(new, name).is_none();
            if let Some(field) = self.spans.field(node, name).filter(|_| gone) {
                self.remove_field(node, field, inserted.is_empty());
            }
        }
        for group in inserted.chunk_by(|one, other| one.0 == other.0) {
            let fields = group
                .iter()
                .map(|(_, name, value)| Doc::Named(name, Box::new(value.clone())));
            self.insert_fields(node, group[0].0, &fields.collect::<Vec<Doc>>());
        }
    }

    /// Removes a field with its comma; comments stay.
    fn remove_field(&mut self, node: usize, field: usize, alone: bool) {
        let (start, value) = (self.spans.start(field), self.spans.range(field));
        let mut range = start..self.after_comma(field).unwrap_or(value.end);
        let cached = self.comments_of(&self.text[range.clone()], start);
        let line_left = rest_of_line(self.text, range.end);
        let blank_line = self.text[range.end..line_left].trim().is_empty();
        let ends_line = self.text[line_left..].starts_with(['\n', '\r']);
        if self.begins_line(start) && ends_line && blank_line && cached.is_empty() {
            range.start = self.text[..start].rfind('\n').map_or(start, |end| end + 1);
            range.end = line_left
                + if self.text[line_left..].starts_with('\r') {
                    2
                } else {
                    1
                };
        } else if self.after_comma(field).is_some() {
            let rest = &self.text[range.end..];
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            if !rest[blanks..].starts_with(['\n', '\r', '/']) {
                range.end += blanks;
            }
        } else if alone {
            // The last field, and the comma before it.
            let inner = self.spans.inner(node);
            let before = inner.iter().rev().find(|&&other| other < field);
            let comma = before.and_then(|&before| self.after_comma(before));
            if let Some(comma) = comma.filter(|&comma| self.text[comma..start].trim().is_empty())
                && self
                    .edits
                    .iter()
                    .all(|(at, _)| at.end < comma || at.start >= value.end)
            {
                range.start = comma - 1;
            }
        }
        self.edits.push((range, cached));
    }

    /// Inserts fields after another, or first.
    fn insert_fields(&mut self, node: usize, before: Option<usize>, fields: &[Doc]) {
        let Some(before) = before else {
            let Some(body) = self.spans.body(node) else {
                return;
            };
            let mut text = self.inline(fields, body.start);
            if !self.spans.inner(node).is_empty() {
                text.push_str(", ");
            }
            self.edit(body.start..body.start, text);
            return;
        };
        let value = self.spans.range(before);
        let start = self.spans.start(before);
        if !self.begins_line(start) {
            let text = self.inline(fields, value.end);
            self.edit(value.end..value.end, format!(", {text}"));
            return;
        }
        let comma = self.after_comma(before);
        let indent = self.indent(start);
        let line = format!("{}{}", self.new_line, " ".repeat(indent));
        let printed = fields
            .iter()
            .map(|field| self.line_ends(field.print_at(indent, indent)));
        let mut text = line.clone() + &printed.collect::<Vec<_>>().join(&format!(",{line}"));
        let end = rest_of_line(self.text, comma.unwrap_or(value.end));
        if comma.is_some() {
            text.push(',');
            // The next field on the line moves to a new line.
            let rest = self.text[end..].trim_start_matches(' ');
            if !rest.starts_with(['\n', '\r', ')', ']']) {
                text.push_str(&line);
            }
        } else {
            self.edit(value.end..value.end, ",".to_owned());
        }
        self.edit(end..end, text);
    }

    fn inline(&self, fields: &[Doc], at: usize) -> String {
        let printed = fields.iter().map(|field| self.printed(field, at));
        printed.collect::<Vec<_>>().join(", ")
    }
}
