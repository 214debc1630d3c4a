//! RON errors as problems with a position and help.

use super::spans::{Lines, enclosing};
use super::tokens::unclosed_comment;
use crate::core::problem::Problem;
use crate::core::schema::{camel, did_you_mean};
use ron::error::{Error, SpannedError};

/// A parse error in `part`, which begins at byte `start` of the text with these lines, as a problem of `file`.
pub(super) fn problem(
    error: &SpannedError,
    part: &str,
    start: usize,
    whole: &Lines<'_>,
    file: &str,
) -> Problem {
    let lines = Lines::new(part);
    let begin = lines.offset(error.span.start.line, error.span.start.col);
    let end = lines.offset(error.span.end.line, error.span.end.col);
    let (what, help) = match number_with_letters(part, end) {
        Some(number) if error.code == Error::ExpectedComma => (
            format!("`{number}` is not a number"),
            "write digits only, such as 6 or 0.5".to_owned(),
        ),
        _ => words(&error.code, part.get(end..).unwrap_or("")),
    };
    let offset = match &error.code {
        Error::MissingStructField { .. } => enclosing(part, end),
        Error::UnclosedBlockComment => unclosed_comment(part).unwrap_or(end),
        Error::ExpectedDifferentStructName { .. }
        | Error::NoSuchStructField { .. }
        | Error::NoSuchEnumVariant { .. }
        | Error::DuplicateStructField { .. }
        | Error::IntegerOutOfBounds => begin,
        _ => end,
    };
    let place = whole.place(start + offset);
    Problem::new(file, what, help).at(place.line, place.column)
}

/// The word around a byte of a text, if it begins as a number and the byte is no part of that.
fn number_with_letters(text: &str, at: usize) -> Option<&str> {
    let is_in_word = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let before = text.get(..at)?.trim_end_matches(is_in_word).len();
    let rest = text.get(at..)?;
    let end = rest.find(|c| !is_in_word(c)).unwrap_or(rest.len());
    let word = &text[before..at + end];
    (before < at && end > 0 && word.starts_with(|c: char| c.is_ascii_digit())).then_some(word)
}

/// What is wrong, and how to fix it.
fn words(error: &Error, rest: &str) -> (String, String) {
    let of = |outer: &Option<String>| {
        let outer = outer.as_deref().unwrap_or_default();
        match outer {
            "" => String::new(),
            outer => format!(" of {outer}"),
        }
    };
    let just = |what: &str, help: &str| (what.to_owned(), help.to_owned());
    match error {
        Error::NoSuchStructField {
            expected,
            found,
            outer,
        } => (
            format!("`{found}` is not a field{}", of(outer)),
            did_you_mean(found, expected.iter().copied()),
        ),
        Error::NoSuchEnumVariant {
            expected,
            found,
            outer,
        } => (format!("`{found}` is not a form{}", of(outer)), {
            // Shape names are those of logs.
            let forms: Vec<_> = expected.iter().map(|form| camel(form)).collect();
            did_you_mean(found, forms.iter().map(String::as_str))
        }),
        Error::MissingStructField { field, outer } => (
            format!("the field `{field}`{} is missing", of(outer)),
            format!("add `{field}: ..`"),
        ),
        Error::DuplicateStructField { field, outer } => (
            format!("the field `{field}`{} is given twice", of(outer)),
            "remove one".to_owned(),
        ),
        Error::ExpectedComma => just(
            "a comma is missing before this",
            "write `,` after the value that comes before it",
        ),
        Error::IntegerOutOfBounds => just(
            "this whole number is out of range",
            "write one from 0 to 4294967295; parts of a colour end at 255",
        ),
        Error::ExpectedIdentifier if rest.starts_with('}') || rest.starts_with(']') => {
            just("this bracket closes nothing", "remove it, or write `)`")
        }
        Error::Eof => just(
            "the text ends too early",
            "close what is open: `)`, `]` or `\"`",
        ),
        Error::ExceededRecursionLimit => just(
            "brackets are nested too deep",
            "remove the ones that hold nothing",
        ),
        Error::TrailingCharacters => just("something follows after the scene's end", "remove it"),
        Error::ExpectedIdentifier if rest.starts_with('"') => {
            just("a word was expected here", "write it without quotes")
        }
        Error::ExpectedIdentifier
        | Error::InvalidIdentifier(_)
        | Error::SuggestRawIdentifier(_) => just(
            "the name of a field, or a word, was expected here",
            "write a field as `name: value`, a form as `Sphere(radius: 1.0)`",
        ),
        Error::ExpectedInteger => just("a whole number was expected here", "write digits: 60"),
        Error::ExpectedFloat => just("a number was expected here", "write it as 1.0 or 1e-3"),
        Error::ExpectedBoolean => just("true or false was expected here", "write one of the two"),
        Error::ExpectedArray => just("a list was expected here", "write it as `[.., ..]`"),
        Error::ExpectedMapColon => just(
            "a colon is missing before this",
            "write a field as `name: value`",
        ),
        Error::ExpectedString if rest.starts_with(|c: char| c.is_alphabetic()) => {
            just("a text was expected here", "put it in double quotes")
        }
        Error::ExpectedStringEnd => {
            just("a string that begins here has no end", "close it with `\"`")
        }
        Error::UnclosedBlockComment => just("a comment has no end", "close it with `*/`"),
        Error::ExpectedDifferentStructName { expected, found } if *expected == "Scene" => (
            format!("a scene begins with `Scene(`, here it is `{found}`"),
            "write `Scene(` as the first word".to_owned(),
        ),
        Error::ExpectedNamedStructLike("Scene") => {
            just("this is not a scene", "a scene begins with `Scene(`")
        }
        Error::InvalidValueForType { expected, found } => {
            (format!("expected {expected}, found {found}"), String::new())
        }
        other => {
            let text = other.to_string();
            let mut letters = text.chars();
            let lower = letters.next().map(|first| first.to_ascii_lowercase());
            (lower.into_iter().chain(letters).collect(), String::new())
        }
    }
}
