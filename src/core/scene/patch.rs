//! Changes to a scene's text where the scene changed.
//!
//! The change is given as the writer's output before and after; equal parts are not touched, however they are written.
//! Comments inside a replaced value are put before it.

mod align;
mod fields;
mod list;

pub(super) use align::{align, pair_gaps};

use super::layout::Doc;
use super::spans::Spans;
use super::tokens::{comments, skip_trivia};
use std::ops::Range;

/// A text with pending edits.
pub(super) struct Patch<'t> {
    pub(super) text: &'t str,
    pub(super) spans: Spans<'t>,
    /// Disjoint; edits at one position in the order of creation.
    edits: Vec<(Range<usize>, String)>,
    new_line: &'static str,
    /// Replace differing values as a whole.
    coarse: bool,
}

impl<'t> Patch<'t> {
    pub(super) fn new(text: &'t str, coarse: bool) -> Self {
        Self {
            text,
            spans: Spans::new(text),
            edits: Vec::new(),
            new_line: if text.contains("\r\n") { "\r\n" } else { "\n" },
            coarse,
        }
    }

    /// The edited text.
    pub(super) fn finish(mut self) -> String {
        let edits = std::mem::take(&mut self.edits);
        self.rendered(0..self.text.len(), edits)
    }

    fn rendered(&self, range: Range<usize>, mut edits: Vec<(Range<usize>, String)>) -> String {
        edits.sort_by_key(|(at, _)| (at.start, at.end));
        let mut out = String::with_capacity(range.len());
        let mut from = range.start;
        for (at, text) in edits {
            out.push_str(&self.text[from..at.start.max(from)]);
            out.push_str(&text);
            from = at.end.max(from);
        }
        out.push_str(&self.text[from..range.end]);
        out
    }

    pub(super) fn edit(&mut self, range: Range<usize>, text: String) {
        self.edits.push((range, text));
    }

    /// Changes a value to the new one.
    pub(super) fn value(&mut self, node: usize, old: &Doc, new: &Doc) {
        if old == new {
            return;
        }
        let node = self.spans.unwrapped(node);
        let inside = !self.coarse
            && match (old, new) {
                (Doc::Vector(old), Doc::Vector(new)) => self.vector(node, old, new),
                (
                    Doc::Group {
                        open, items: old, ..
                    },
                    Doc::Group {
                        open: same,
                        items: new,
                        ..
                    },
                ) if open == same => self.group(node, open, old, new),
                _ => false,
            };
        if !inside {
            self.replace(node, new);
        }
    }

    /// Changes only the numbers that differ; false for another form of a vector.
    fn vector(&mut self, node: usize, old: &[String], new: &[String]) -> bool {
        let inner = self.spans.inner(node);
        let keyed = |axis: usize| {
            let name = ["x", "y", "z"][axis];
            let found = inner.iter().find(|&&part| self.spans.key(part) == name);
            found.copied()
        };
        let plain = inner.iter().all(|&part| self.spans.key(part).is_empty());
        let parts: Option<Vec<usize>> = match plain && inner.len() == old.len() {
            true => Some(inner.to_vec()),
            false => (0..old.len()).map(keyed).collect(),
        };
        let Some(parts) = parts.filter(|_| old.len() == new.len()) else {
            return false;
        };
        for (part, (old, new)) in parts.into_iter().zip(old.iter().zip(new)) {
            if old != new {
                self.edits.push((self.spans.range(part), new.clone()));
            }
        }
        true
    }

    /// Changes only the fields or items that differ; false where the text has another form.
    fn group(&mut self, node: usize, open: &str, old: &[Doc], new: &[Doc]) -> bool {
        let word = open.trim_end_matches(['(', '[']);
        if self.spans.word(node) != word || self.spans.body(node).is_none() {
            return false;
        }
        let inner = self.spans.inner(node);
        let is_named = |docs: &[Doc]| docs.iter().all(|doc| matches!(doc, Doc::Named(..)));
        let keyed = |keyed: bool| {
            inner
                .iter()
                .all(|&node| self.spans.key(node).is_empty() != keyed)
        };
        if is_named(old) && is_named(new) && keyed(true) {
            self.fields(node, old, new);
            return true;
        }
        if !keyed(false) || inner.len() != old.len() {
            return false;
        }
        if open.ends_with('[') {
            let pairs = align(old.len(), new.len(), |i, j| old[i] == new[j]);
            self.list(
                node,
                &pairs,
                |patch, node, i, j| patch.value(node, &old[i], &new[j]),
                |j| new[j].clone(),
            );
            return true;
        }
        if old.len() != new.len() {
            return false;
        }
        for (node, (old, new)) in inner.into_iter().zip(old.iter().zip(new)) {
            self.value(node, old, new);
        }
        true
    }

    fn replace(&mut self, node: usize, doc: &Doc) {
        let range = self.spans.range(node);
        let printed = self.printed(doc, range.start);
        let cached = self.comments_of(&self.text[range.clone()], range.start);
        self.edits.push((range, cached + &printed));
    }

    /// The comments of a text, to be placed before something else.
    pub(super) fn comments_of(&self, text: &str, at: usize) -> String {
        let mut cached = String::new();
        for comment in comments(text) {
            cached.push_str(comment);
            if comment.starts_with("//") {
                cached.push_str(self.new_line);
                cached.push_str(&" ".repeat(self.indent(at)));
            } else {
                cached.push(' ');
            }
        }
        cached
    }

    fn printed(&self, doc: &Doc, at: usize) -> String {
        let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let column = self.text[line..at].chars().count();
        let text = doc.print_at(column, self.indent(at));
        self.line_ends(text)
    }

    fn line_ends(&self, text: String) -> String {
        match self.new_line {
            "\n" => text,
            new_line => text.replace('\n', new_line),
        }
    }

    /// Indent of the line at a position.
    fn indent(&self, at: usize) -> usize {
        let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let blanks = self.text[line..].bytes();
        blanks.take_while(|byte| *byte == b' ').count()
    }

    /// Whether a position is the first on its line.
    fn begins_line(&self, at: usize) -> bool {
        let line = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        line > 0 && self.text[line..at].bytes().all(|byte| byte == b' ')
    }

    /// Byte offset after the comma that follows a value.
    fn after_comma(&self, node: usize) -> Option<usize> {
        let at = skip_trivia(self.text, self.spans.range(node).end);
        self.text[at..].starts_with(',').then_some(at + 1)
    }
}
