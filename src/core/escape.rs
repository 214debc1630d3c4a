//! Text from files and names, made safe to print.

use std::borrow::Cow;

/// True for a character that a terminal, a browser or an editor acts on instead of drawing it: controls (C0, DEL, C1), line and
/// paragraph separators, and marks that change the direction of text.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

/// The text on one line, every character of [`is_unsafe`] as its escape: `\n`, `\u{1b}`.
pub fn escaped(text: &str) -> Cow<'_, str> {
    escaped_with(text, is_unsafe, |c| c.escape_default().to_string())
}

/// A text for people without what services of continuous integration take as commands: `::` where a line begins, and `##[` anywhere.
pub fn for_log(text: &str) -> Cow<'_, str> {
    let begins = |line: &str| {
        let mut rest = line.trim_start();
        // Colours are taken off before it is read.
        while let Some(style) = rest.strip_prefix("\u{1b}[") {
            rest = style
                .split_once('m')
                .map_or("", |(_, rest)| rest)
                .trim_start();
        }
        rest.starts_with("::")
    };
    if !text.contains(HASHES) && !text.lines().any(begins) {
        return Cow::Borrowed(text);
    }
    let lines = text.split_inclusive('\n').map(|line| match begins(line) {
        true => line.replacen(':', r"\u{3a}", 1),
        false => line.to_owned(),
    });
    Cow::Owned(lines.collect::<String>().replace(HASHES, r"#\u{23}["))
}

/// Begins a command wherever it is in a line.
pub const HASHES: &str = "##[";

/// The text with an escape in place of some characters.
pub fn escaped_with(
    text: &str,
    is_meant: impl Fn(char) -> bool,
    escape: impl Fn(char) -> String,
) -> Cow<'_, str> {
    if !text.chars().any(&is_meant) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_meant(c) {
            out += &escape(c);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// The parts of a text, and whether each is a name or code, which sentences set between back-ticks. A name may contain one: then the text is one
/// part.
pub fn parts(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_marked = text.matches('`').count().is_multiple_of(2);
    let ends = if is_marked { usize::MAX } else { 1 };
    let parts = text.splitn(ends, '`').enumerate();
    parts.map(|(index, part)| (part, index % 2 == 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// ECMA-48 for C0 and C1, Unicode Bidi_Control, and the two separators of Unicode.
    #[test]
    fn every_control_and_direction_mark_is_escaped_and_nothing_else() {
        let controls = (0..0x20).chain(0x7F..=0x9F);
        let marks = [0x61C, 0x200E, 0x200F, 0x2028, 0x2029];
        let overrides = (0x202A..=0x202E).chain(0x2066..=0x2069);
        let wanted: Vec<u32> = controls.chain(marks).chain(overrides).collect();
        let found: Vec<u32> = (0..=0x10FFFF)
            .filter(|code| char::from_u32(*code).is_some_and(is_unsafe))
            .collect();
        let mut sorted = wanted;
        sorted.sort_unstable();
        assert_eq!(found, sorted);
    }

    #[test]
    fn no_line_is_a_command_of_a_ci_service() {
        for (text, shown) in [
            ("a::b ::c\n", "a::b ::c\n"),
            ("  ::warning::it\n::x", "  \\u{3a}:warning::it\n\\u{3a}:x"),
            (" \u{1b}[1m::x", " \u{1b}[1m\\u{3a}:x"),
            ("wall ##[add-mask]wall", "wall #\\u{23}[add-mask]wall"),
        ] {
            assert_eq!(for_log(text), shown);
        }
    }

    #[test]
    fn escapes_are_those_of_rust() {
        assert_eq!(
            escaped("a\u{1b}[2J\r\n\t\u{9b}\u{202e}b"),
            r"a\u{1b}[2J\r\n\t\u{9b}\u{202e}b"
        );
        assert!(matches!(escaped("mur à gauche → 壁"), Cow::Borrowed(_)));
    }
}
