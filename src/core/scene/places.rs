//! Where in a scene's text a value stands.
//!
//! RON gives no places once it has parsed, so a small scanner walks the text again when something is wrong. It knows strings,
//! characters, comments and nesting, nothing of the types, and never fails: what it cannot find, it places at the nearest
//! enclosing value.

use crate::core::problem::Place;

/// One step from a value to one inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Field(&'static str),
    Index(usize),
}

/// The way to a value, from the scene inward; made on the stack while validation descends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Path<'p> {
    inner: Option<(&'p Path<'p>, Step)>,
}

impl<'p> Path<'p> {
    pub(super) const ROOT: Self = Self { inner: None };

    pub(super) fn field(&'p self, name: &'static str) -> Self {
        Self {
            inner: Some((self, Step::Field(name))),
        }
    }

    pub(super) fn index(&'p self, index: usize) -> Self {
        Self {
            inner: Some((self, Step::Index(index))),
        }
    }

    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut path = self;
        while let Some((outer, step)) = path.inner {
            steps.push(step);
            path = outer;
        }
        steps.reverse();
        steps
    }
}

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
}

/// The values of a text with their places.
pub(super) struct Places<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    lines: Lines<'t>,
}

impl<'t> Places<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            nodes: Scanner::new(text).scan(),
            lines: Lines::new(text),
        }
    }

    /// The place of a value, or of the nearest value around it that is there.
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

    /// The one unnamed value inside another, if it has no more than that.
    fn only_child(&self, outer: usize) -> Option<usize> {
        let mut children = self.children(outer);
        let child = children.next()?;
        let alone = children.next().is_none() && self.nodes[child].key.0 == self.nodes[child].key.1;
        alone.then_some(child)
    }
}

/// Byte offset of the bracket (or the name before it) that is open around a place of a text, which may be broken.
pub(super) fn enclosing(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or(text);
    let mut scanner = Scanner::new(before);
    scanner.run();
    let innermost = scanner.open.last().copied();
    innermost.map_or(0, |index| scanner.nodes[index].start)
}

/// Byte offset after whitespace and comments.
pub(super) fn skip_trivia(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        at = skip_lines_and_blanks(text, at);
        let rest = &text[at..];
        if !rest.starts_with("/*") {
            return at;
        }
        at += block_comment(rest).unwrap_or(rest.len());
    }
}

/// Byte offset after whitespace and comments that end with their line.
fn skip_lines_and_blanks(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        let rest = text[at..].trim_start_matches(is_blank);
        at = text.len() - rest.len();
        if !rest.starts_with("//") {
            return at;
        }
        at += rest.find('\n').unwrap_or(rest.len());
    }
}

/// Whitespace as RON sees it.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200E}' | '\u{200F}' | '\u{FEFF}')
}

/// Length of a block comment, which may hold others; `None` when it is not closed.
fn block_comment(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while at < bytes.len() {
        match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => (depth, at) = (depth + 1, at + 2),
            b"*/" => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
    None
}

/// Byte offset of the block comment that has no end.
pub(super) fn unclosed_comment(text: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at = skip_lines_and_blanks(text, at);
        let rest = &text[at..];
        if rest.is_empty() {
            return None;
        }
        at += match rest.starts_with("/*") {
            true => match block_comment(rest) {
                Some(length) => length,
                None => return Some(at),
            },
            false if rest.starts_with(['(', ')', '[', ']', '{', '}', ',', ':']) => 1,
            false => token(rest),
        };
    }
}

struct Scanner<'t> {
    text: &'t str,
    nodes: Vec<Node>,
    /// Nodes whose bracket is not closed yet.
    open: Vec<usize>,
    /// The value just read at this level, before its comma.
    last: Option<usize>,
    /// The field name just read, before its value.
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

    /// Past `#![enable(..)]` lines.
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

/// Length of the string, character, number or identifier a text begins with; at least one character.
fn token(text: &str) -> usize {
    let first = text.chars().next().map_or(1, char::len_utf8);
    let body = text.strip_prefix('b').unwrap_or(text);
    let prefix = text.len() - body.len();
    if body.starts_with('"') {
        return prefix + quoted(body, b'"');
    }
    if let Some(length) = character(body) {
        return prefix + length;
    }
    if let Some(length) = raw_string(body) {
        return prefix + length;
    }
    let ends = |c: char| is_blank(c) || "()[]{},:\"'/".contains(c);
    let rest = &text[first..];
    first + rest.find(ends).unwrap_or(rest.len())
}

/// Length of a quoted string with escapes; all of the text when it is not closed.
fn quoted(text: &str, quote: u8) -> usize {
    let bytes = text.as_bytes();
    let mut at = 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

/// Length of `'c'`, `'\n'` and the like.
fn character(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('\'')?;
    if inner.starts_with('\\') {
        return Some(quoted(text, b'\''));
    }
    let c = inner.chars().next()?;
    inner[c.len_utf8()..]
        .starts_with('\'')
        .then_some(c.len_utf8() + 2)
}

/// Length of `r"..."`, `r#"..."#` and so on.
fn raw_string(text: &str) -> Option<usize> {
    let inner = text.strip_prefix('r')?;
    let hashes = inner.len() - inner.trim_start_matches('#').len();
    let body = inner[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let length = body
        .find(&close)
        .map_or(body.len(), |end| end + close.len());
    Some(1 + hashes + 1 + length)
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
