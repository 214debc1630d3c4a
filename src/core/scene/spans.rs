//! Byte ranges of the values in a scene's text.
//!
//! RON gives no positions after parsing, so a small scanner walks the text again when there is a problem. It knows strings,
//! characters, comments and nesting, no types, and never fails: for a missing value it gives the nearest enclosing one.

use super::tokens::{skip_trivia, token};
use crate::core::problem::Place;
use crate::core::schema::Step;
use std::ops::Range;

/// A value of the text, in the order of its beginning; the values inside it follow it, up to `end`.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// Byte offset of its first character.
    start: usize,
    /// Length in bytes of the identifier, number or string it begins with; 0 for a bare bracket.
    word: usize,
    /// Byte range of the field name before it.
    key: (usize, usize),
    /// Index of the first node after everything inside it.
    end: usize,
    /// Byte offset of its closing bracket; 0 for a value without brackets or with none that closes.
    close: usize,
}

/// The values of a text with their byte ranges.
pub(super) struct Spans<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    lines: Lines<'t>,
}

impl<'t> Spans<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            nodes: Scanner::new(text).scan(),
            lines: Lines::new(text),
        }
    }

    /// The position of a value, or of the nearest existing value around it.
    pub(super) fn of(&self, steps: &[Step]) -> Place {
        let mut at = 0;
        for step in steps {
            match self.inside(at, *step) {
                Some(next) => at = next,
                None => break,
            }
        }
        let start = self.nodes.get(at).map_or(0, |node| node.start);
        self.lines.place(start)
    }

    /// The positions of the items of a list, in order; empty if there is no such list.
    pub(super) fn items(&self, steps: &[Step]) -> Vec<Place> {
        let list = self.find(steps);
        let items = list.into_iter().flat_map(|list| self.children(list));
        items
            .map(|item| self.lines.place(self.nodes[item].start))
            .collect()
    }

    /// The root value; `None` for a text without a value.
    pub(super) fn root(&self) -> Option<usize> {
        (!self.nodes.is_empty()).then(|| self.unwrapped(0))
    }

    /// The field of a value, by its name, in a newtype variant too.
    pub(super) fn field(&self, outer: usize, name: &'static str) -> Option<usize> {
        self.inside(outer, Step::Field(name))
    }

    /// The values inside another, in order.
    pub(super) fn inner(&self, outer: usize) -> Vec<usize> {
        self.children(outer).collect()
    }

    /// The value itself, or the one inside `Some(..)`.
    pub(super) fn unwrapped(&self, node: usize) -> usize {
        match self.only_child(node) {
            Some(child) if self.word(node) == "Some" => child,
            _ => node,
        }
    }

    /// The identifier, number or string that a value begins with; empty for a bare bracket.
    pub(super) fn word(&self, node: usize) -> &'t str {
        let Node { start, word, .. } = self.nodes[node];
        &self.text[start..start + word]
    }

    /// The field name of a value; empty for an item.
    pub(super) fn key(&self, node: usize) -> &'t str {
        let (from, to) = self.nodes[node].key;
        self.text[from..to].trim_start_matches("r#")
    }

    /// Bytes of a value, without the name before it.
    pub(super) fn range(&self, node: usize) -> Range<usize> {
        let Node {
            start, word, close, ..
        } = self.nodes[node];
        let end = if close > 0 { close + 1 } else { start + word };
        start..end
    }

    /// Byte offset of the name before a value, or of the value where it has none.
    pub(super) fn start(&self, node: usize) -> usize {
        let Node { start, key, .. } = self.nodes[node];
        if key.0 == key.1 { start } else { key.0 }
    }

    /// Byte offsets just inside the brackets of a value.
    pub(super) fn body(&self, node: usize) -> Option<Range<usize>> {
        let Node {
            start, word, close, ..
        } = self.nodes[node];
        let open = skip_trivia(self.text, start + word);
        (close > open).then_some(open + 1..close)
    }

    /// The value at a path, inside `Some(..)` too.
    fn find(&self, steps: &[Step]) -> Option<usize> {
        let found = steps
            .iter()
            .try_fold(0, |outer, step| self.inside(outer, *step))?;
        let node = self.nodes.get(found)?;
        let is_some = &self.text[node.start..node.start + node.word] == "Some";
        match self.only_child(found) {
            Some(child) if is_some => Some(child),
            _ => Some(found),
        }
    }

    fn inside(&self, outer: usize, step: Step) -> Option<usize> {
        let mut outer = outer;
        loop {
            let node = self.nodes.get(outer)?;
            let wrapped = self.only_child(outer);
            let is_some = &self.text[node.start..node.start + node.word] == "Some";
            if let (true, Some(child)) = (is_some, wrapped) {
                outer = child;
                continue;
            }
            let found = match step {
                Step::Index(index) => self.children(outer).nth(index),
                Step::Field(name) => self.children(outer).find(|&child| {
                    let (from, to) = self.nodes[child].key;
                    self.text[from..to].trim_start_matches("r#") == name
                }),
            };
            match (found, step, wrapped) {
                (Some(found), _, _) => return Some(found),
                // A newtype variant: the field is in the struct it wraps.
                (None, Step::Field(_), Some(child)) => outer = child,
                (None, _, _) => return None,
            }
        }
    }

    fn children(&self, outer: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes.get(outer).map_or(0, |node| node.end);
        let mut next = outer + 1;
        std::iter::from_fn(move || {
            let child = next;
            if child >= end {
                return None;
            }
            next = self.nodes[child].end.max(child + 1);
            Some(child)
        })
    }

    /// The single unnamed value inside another, if there is no more.
    fn only_child(&self, outer: usize) -> Option<usize> {
        let mut children = self.children(outer);
        let child = children.next()?;
        let alone = children.next().is_none() && self.nodes[child].key.0 == self.nodes[child].key.1;
        alone.then_some(child)
    }
}

/// Byte offset of the bracket (or its name) that is open at a position of a text, which may be broken.
pub(super) fn enclosing(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or(text);
    let mut scanner = Scanner::new(before);
    scanner.run();
    let innermost = scanner.open.last().copied();
    innermost.map_or(0, |index| scanner.nodes[index].start)
}

struct Scanner<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    /// Open nodes.
    open: Vec<usize>,
    /// The last value at this level, before its comma.
    last: Option<usize>,
    /// The last field name, before its value.
    key: (usize, usize),
}

impl<'t> Scanner<'t> {
    fn new(text: &'t str) -> Self {
        Self {
            text,
            nodes: Vec::new(),
            open: Vec::new(),
            last: None,
            key: (0, 0),
        }
    }

    fn scan(mut self) -> Vec<Node> {
        self.run();
        let end = self.nodes.len();
        for index in self.open {
            self.nodes[index].end = end;
        }
        self.nodes
    }

    fn run(&mut self) {
        let mut at = self.skip_attributes();
        while at < self.text.len() {
            at = match self.text.as_bytes()[at] {
                b'(' | b'[' | b'{' => self.open_bracket(at),
                b')' | b']' | b'}' => self.close_bracket(at),
                b',' => {
                    self.last = None;
                    self.key = (0, 0);
                    at + 1
                }
                b':' => self.colon(at),
                _ => {
                    let length = token(&self.text[at..]);
                    self.push(at, length);
                    at + length
                }
            };
            at = skip_trivia(self.text, at);
        }
    }

    /// Skips `#![enable(..)]` lines.
    fn skip_attributes(&self) -> usize {
        let mut at = skip_trivia(self.text, 0);
        while self.text[at..].starts_with('#') {
            while at < self.text.len() {
                let byte = self.text.as_bytes()[at];
                at += match byte {
                    b'"' => token(&self.text[at..]),
                    _ => self.text[at..].chars().next().map_or(1, char::len_utf8),
                };
                if byte == b']' {
                    break;
                }
                at = skip_trivia(self.text, at);
            }
            at = skip_trivia(self.text, at);
        }
        at
    }

    fn push(&mut self, start: usize, word: usize) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node {
            start,
            word,
            key: self.key,
            end: index + 1,
            close: 0,
        });
        self.last = Some(index);
        self.key = (0, 0);
        index
    }

    fn open_bracket(&mut self, at: usize) -> usize {
        // `Name(` is one value; anything else begins a new one.
        let index = match self.last {
            Some(last) if last + 1 == self.nodes.len() && self.nodes[last].word > 0 => last,
            _ => self.push(at, 0),
        };
        self.open.push(index);
        self.last = None;
        self.key = (0, 0);
        at + 1
    }

    fn close_bracket(&mut self, at: usize) -> usize {
        if let Some(index) = self.open.pop() {
            self.nodes[index].end = self.nodes.len();
            self.nodes[index].close = at;
            self.last = Some(index);
        }
        self.key = (0, 0);
        at + 1
    }

    fn colon(&mut self, at: usize) -> usize {
        if let Some(last) = self.last.take()
            && last + 1 == self.nodes.len()
            && let Some(node) = self.nodes.pop()
        {
            self.key = (node.start, node.start + node.word);
        }
        at + 1
    }
}

/// Byte offsets to lines and columns.
pub(super) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self {
            text,
            starts: std::iter::once(0)
                .chain(breaks.map(|(at, _)| at + 1))
                .collect(),
        }
    }

    /// Line and column of a byte; an offset inside a character or past the end goes to the one before.
    pub(super) fn place(&self, offset: usize) -> Place {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        Place {
            line,
            column: 1 + self.text[start..offset].chars().count(),
        }
    }

    /// Byte of a line and column, both from 1; clamped to the text.
    pub(super) fn offset(&self, line: usize, column: usize) -> usize {
        let Some(start) = self.starts.get(line.saturating_sub(1)) else {
            return self.text.len();
        };
        let rest = &self.text[*start..];
        rest.char_indices()
            .nth(column.saturating_sub(1))
            .map_or(self.text.len(), |(at, _)| start + at)
    }
}
