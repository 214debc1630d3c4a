//! Layout of bracketed text to a width: on one line where it fits, else filled, or one item per line.

use crate::core::schema::Vec3;

/// Width of a line in characters.
const WIDTH: usize = 120;

/// A printable document.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Doc {
    Text(String),
    /// `(x, y, z)`, never broken.
    Vector(Vec<String>),
    Group {
        open: String,
        items: Vec<Doc>,
        close: &'static str,
        /// One item per line with a trailing comma, always; otherwise as many as fit.
        lines: bool,
    },
    /// `name: value`
    Named(&'static str, Box<Doc>),
}

impl From<String> for Doc {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Doc {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

pub(super) fn named(name: &'static str, value: Doc) -> Doc {
    Doc::Named(name, Box::new(value))
}

/// `Name(..)`
pub(super) fn brackets(name: &str, items: Vec<Doc>) -> Doc {
    Doc::Group {
        open: format!("{name}("),
        items,
        close: ")",
        lines: false,
    }
}

/// `[..]`, filled.
pub(super) fn list(items: Vec<Doc>) -> Doc {
    Doc::Group {
        open: "[".to_owned(),
        items,
        close: "]",
        lines: false,
    }
}

/// `[..]`, one item a line.
pub(super) fn lines(items: Vec<Doc>) -> Doc {
    Doc::lines("[", items, "]")
}

/// The shortest digits that read back as the same number, always marked as a float.
pub(super) fn float(value: f64) -> Doc {
    Doc::Text(format!("{value:?}"))
}

pub(super) fn vector(vector: Vec3) -> Doc {
    let count = if vector.is_flat { 2 } else { 3 };
    // Negative zero is written as zero.
    let parts = vector.parts[..count].iter().map(|part| part + 0.0);
    Doc::Vector(parts.map(|part| format!("{part:?}")).collect())
}

/// A quoted text with the necessary escapes.
pub(super) fn quoted(text: &str) -> Doc {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    Doc::Text(out)
}

impl Doc {
    pub(super) fn lines(open: &str, items: Vec<Self>, close: &'static str) -> Self {
        Self::Group {
            open: open.to_owned(),
            items,
            close,
            lines: true,
        }
    }

    /// With a line end.
    pub(super) fn print(&self) -> String {
        let mut text = self.print_at(0, 0);
        text.push('\n');
        text
    }

    /// Printed at `column`, on a line with this indent.
    pub(super) fn print_at(&self, column: usize, indent: usize) -> String {
        let mut printer = Printer {
            out: String::new(),
            column,
        };
        printer.doc(self, indent);
        printer.out
    }

    /// The rest of `width` characters after this on one line; `None` when it does not fit.
    fn fit(&self, width: usize) -> Option<usize> {
        match self {
            Self::Text(text) => width.checked_sub(text.chars().count()),
            Self::Vector(parts) => {
                width.checked_sub(parts.iter().map(String::len).sum::<usize>() + 6)
            }
            Self::Named(name, value) => value.fit(width.checked_sub(name.len() + 2)?),
            Self::Group {
                open,
                items,
                close,
                lines,
            } => {
                if *lines && !items.is_empty() {
                    return None;
                }
                let mut width = width.checked_sub(open.chars().count() + close.len())?;
                for (index, item) in items.iter().enumerate() {
                    width = width.checked_sub(if index > 0 { 2 } else { 0 })?;
                    width = item.fit(width)?;
                }
                Some(width)
            }
        }
    }
}

struct Printer {
    out: String,
    column: usize,
}

impl Printer {
    fn text(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.chars().count();
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push('\n');
        self.out.push_str(&" ".repeat(indent));
        self.column = indent;
    }

    /// `indent` is that of the line with the outermost open item.
    fn doc(&mut self, doc: &Doc, indent: usize) {
        match doc {
            Doc::Text(text) => self.text(text),
            Doc::Vector(parts) => self.text(&format!("({})", parts.join(", "))),
            Doc::Named(name, value) => {
                self.text(name);
                self.text(": ");
                self.doc(value, indent);
            }
            Doc::Group {
                open,
                items,
                close,
                lines,
            } => {
                self.text(open);
                match lines {
                    true => self.item_lines(items, indent),
                    false => self.filled(items, indent + 1),
                }
                self.text(close);
            }
        }
    }

    fn item_lines(&mut self, items: &[Doc], indent: usize) {
        for item in items {
            self.new_line(indent + 4);
            self.doc(item, indent + 4);
            self.text(",");
        }
        if !items.is_empty() {
            self.new_line(indent);
        }
    }

    fn filled(&mut self, items: &[Doc], indent: usize) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.text(",");
                // One more for the following comma or bracket.
                let width = WIDTH.saturating_sub(self.column + 2);
                if item.fit(width).is_some() {
                    self.text(" ");
                } else {
                    self.new_line(indent);
                }
            }
            self.doc(item, indent);
        }
    }
}
