//! Added, removed, moved and changed list items, with their comments.

use super::Patch;
use crate::core::scene::layout::Doc;
use crate::core::scene::tokens::{comments, rest_of_line, skip_trivia};
use std::ops::Range;

/// Items of a list.
impl Patch<'_> {
    /// Changes the items of a list; for each new item the index of the old one, if any.
    ///
    /// An item owns the comments on its line and directly above it; those above a blank line belong to the list.
    pub(in crate::core::scene) fn list(
        &mut self,
        node: usize,
        pairs: &[Option<usize>],
        mut change: impl FnMut(&mut Self, usize, usize, usize),
        fresh: impl Fn(usize) -> Doc,
    ) {
        let Some(body) = self.spans.body(node) else {
            return;
        };
        let inner = self.spans.inner(node);
        let outer_edits = std::mem::take(&mut self.edits);
        for (j, i) in pairs.iter().enumerate() {
            if let Some((i, item)) = i.and_then(|i| Some((i, *inner.get(i)?))) {
                change(self, item, i, j);
            }
        }
        let edits = std::mem::replace(&mut self.edits, outer_edits);
        let same =
            pairs.len() == inner.len() && pairs.iter().enumerate().all(|(j, i)| *i == Some(j));
        if same {
            self.edits.extend(edits);
            return;
        }
        let text = self.list_text(&body, &inner, pairs, edits, fresh);
        self.edits.push((body, text));
    }

    fn list_text(
        &self,
        body: &Range<usize>,
        inner: &[usize],
        pairs: &[Option<usize>],
        edits: Vec<(Range<usize>, String)>,
        fresh: impl Fn(usize) -> Doc,
    ) -> String {
        let ranges = self.ranges(body, inner);
        let first = inner.first().map(|&item| self.spans.start(item));
        let lines = match first {
            Some(first) => self.text[body.start..first].contains('\n'),
            None => true,
        };
        let indent = match first.filter(|_| lines) {
            Some(first) => self.indent(first),
            None => self.indent(body.start) + 4,
        };
        let mut list = ListText {
            out: self.text[body.start..ranges.head].to_owned(),
            new_line: self.new_line,
            indent,
        };
        let mut rest_of = edits;
        for (i, range) in ranges.items.iter().enumerate() {
            // Comments above a blank line stay, before the first remaining item.
            if !pairs.contains(&Some(i)) {
                list.add(&self.detached(range));
            }
        }
        for (j, i) in pairs.iter().enumerate() {
            let last = j + 1 == pairs.len();
            let Some((range, &item)) = i.and_then(|i| Some((ranges.items.get(i)?, inner.get(i)?)))
            else {
                let text = self.line_ends(fresh(j).print_at(indent, indent));
                list.fresh(&text, lines, last);
                continue;
            };
            let (mine, others) = rest_of
                .into_iter()
                .partition(|(at, _)| range.start <= at.start && at.end <= range.end);
            rest_of = others;
            let mut mine: Vec<(Range<usize>, String)> = mine;
            if self.after_comma(item).is_none() && !last {
                let end = self.spans.range(item).end;
                mine.push((end..end, ",".to_owned()));
            }
            list.add(&self.rendered(range.clone(), mine));
        }
        let tail = &self.text[ranges.tail..body.end];
        if !tail.contains('\n') && lines && (inner.is_empty() || list.in_comment()) {
            let close = " ".repeat(self.indent(body.start));
            list.add(&format!("{}{}{close}", tail.trim_end(), self.new_line));
        } else {
            list.add(tail);
        }
        list.out
    }

    /// A list's text, cut into its items.
    fn ranges(&self, body: &Range<usize>, inner: &[usize]) -> ItemRanges {
        let head = rest_of_line(self.text, body.start).min(body.end);
        let mut from = head;
        let items = inner.iter().map(|&item| {
            let end = self.spans.range(item).end;
            let comma = self.after_comma(item);
            let end = rest_of_line(self.text, comma.unwrap_or(end)).min(body.end);
            let range = from..end;
            from = end;
            range
        });
        let items = items.collect();
        ItemRanges {
            head,
            items,
            tail: from,
        }
    }

    /// The comments above the last blank line before an item.
    fn detached(&self, range: &Range<usize>) -> String {
        let lead = &self.text[range.start..skip_trivia(self.text, range.start).min(range.end)];
        let (mut at, mut end) = (0, 0);
        for line in lead.split_inclusive('\n') {
            // The text after the last line end is the item's own line.
            if line.trim().is_empty() && line.ends_with('\n') {
                end = at;
            }
            at += line.len();
        }
        match comments(&lead[..end]).is_empty() {
            true => String::new(),
            false => lead[..end].trim_end().to_owned(),
        }
    }
}

/// Byte ranges of a list: the head, each item with its comments and comma, and the tail.
struct ItemRanges {
    head: usize,
    items: Vec<Range<usize>>,
    tail: usize,
}

/// The text of a list under construction.
struct ListText {
    out: String,
    new_line: &'static str,
    indent: usize,
}

impl ListText {
    /// Whether added text would become part of a comment.
    fn in_comment(&self) -> bool {
        let line = self.out.rfind('\n').map_or(0, |end| end + 1);
        let last = &self.out[line..];
        last.contains("//") && comments(last).iter().any(|c| c.starts_with("//"))
    }

    fn add(&mut self, text: &str) {
        let begins_line = text.is_empty() || text.starts_with(['\n', '\r']);
        if !begins_line && self.in_comment() {
            self.line();
            self.out.push_str(text.trim_start_matches(' '));
        } else {
            self.out.push_str(text);
        }
    }

    fn line(&mut self) {
        self.out.push_str(self.new_line);
        self.out.push_str(&" ".repeat(self.indent));
    }

    fn fresh(&mut self, text: &str, lines: bool, last: bool) {
        if lines || self.in_comment() {
            self.line();
            self.out.push_str(text);
            self.out.push(',');
        } else {
            if !self.out.is_empty() && !self.out.ends_with(' ') {
                self.out.push(' ');
            }
            self.out.push_str(text);
            if !last {
                self.out.push(',');
            }
        }
    }
}
