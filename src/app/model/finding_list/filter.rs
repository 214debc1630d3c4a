//! The text filter of the findings: tokens that all must fit.

use super::OfReport;
use crate::core::diagnose::Finding;
use crate::core::log::unit_of_length;
use crate::core::replay::ObjectId;
use crate::core::scene::UserUnits;

/// The tokens of a filter text.
///
/// `wall` fits a part of a name, a cause or a kind; `"wall"` the whole name of an object; `C01` a cause; `frame 60` or `frame 60..90` the
/// frames by the log's own numbers; `>0.2` or `>0.2m` the depth, in the unit of the level or another; `selected`, `new` and `expected` are lists; `-` before a token excludes what fits.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filter {
    tokens: Vec<(Token, bool)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// Lower case.
    Part(String),
    Name(String),
    /// Lower case.
    Cause(String),
    /// Both included.
    Frames(u64, u64),
    /// A number, and the metres of its unit; that of the level if it names none.
    DeeperThan(f64, Option<f64>),
    Selected,
    New,
    Expected,
}

/// What a filter may ask for besides the finding itself.
pub struct Surroundings<'s> {
    /// The selected objects.
    pub selected: &'s [ObjectId],
    /// Indices of the findings that are new since the last run, ascending.
    pub new: &'s [usize],
    /// Those of the level.
    pub units: UserUnits,
    /// All findings, and what is known of them.
    pub findings: &'s [Finding],
    pub of_report: &'s OfReport,
}

impl Filter {
    /// Reads a text. Any text is valid: what is no other token is a part of a name.
    pub fn parse(text: &str) -> Self {
        let mut words = split(text).into_iter().peekable();
        let mut tokens = Vec::new();
        while let Some(word) = words.next() {
            let (word, fits) = signed(word);
            let lower = word.to_lowercase();
            let frames = matches!(lower.as_str(), "frame" | "frames" | "frame:" | "frames:")
                .then(|| words.peek().and_then(|next| range(next)))
                .flatten();
            let token = if let Some((from, to)) = frames {
                words.next();
                Token::Frames(from, to)
            } else if let Some(depth) = word.strip_prefix('>') {
                // The number may stand apart, and the unit too.
                let number = match depth.is_empty() {
                    true => words.peek().and_then(|next| length(next)),
                    false => length(depth),
                };
                if number.is_some() && depth.is_empty() {
                    words.next();
                }
                let unit = words.peek().and_then(|next| unit_of_length(next));
                match number {
                    Some((number, None)) if unit.is_some() => {
                        words.next();
                        Token::DeeperThan(number, unit)
                    }
                    Some((number, unit)) => Token::DeeperThan(number, unit),
                    None => Token::Part(lower),
                }
            } else {
                one(word, lower)
            };
            tokens.push((token, fits));
        }
        Self { tokens }
    }

    /// Whether it asks for the selected objects.
    pub fn follows_selection(&self) -> bool {
        let mut tokens = self.tokens.iter();
        tokens.any(|(token, _)| *token == Token::Selected)
    }

    /// Whether all tokens fit a finding, the one at an index of the report.
    pub fn fits(&self, index: usize, finding: &Finding, around: &Surroundings<'_>) -> bool {
        let mut tokens = self.tokens.iter();
        tokens.all(|(token, fits)| token.fits(index, finding, around) == *fits)
    }
}

impl Token {
    fn fits(&self, index: usize, finding: &Finding, around: &Surroundings<'_>) -> bool {
        match self {
            Self::Part(part) => around.of_report.contains(index, part, around.findings),
            Self::Name(name) => finding.a == *name || finding.b == *name,
            Self::Cause(id) => {
                let mut causes = std::iter::once(&finding.cause).chain(&finding.also);
                causes.any(|cause| cause.id().eq_ignore_ascii_case(id))
            }
            Self::Frames(from, to) => {
                let first = finding.number();
                let last = first + u64::from(finding.last_frame - finding.frame);
                first <= *to && *from <= last
            }
            Self::DeeperThan(depth, unit) => {
                let metres = depth * unit.unwrap_or(around.units.metres());
                finding.depth().is_some_and(|known| known > metres)
            }
            Self::Selected => around.selected.iter().any(|id| finding.is_about(*id)),
            Self::New => around.new.binary_search(&index).is_ok(),
            Self::Expected => finding.expected,
        }
    }
}

/// A word without the `-` before it, and whether it must fit: not with the `-`.
fn signed(word: &str) -> (&str, bool) {
    match word.strip_prefix('-') {
        Some(rest) if !rest.is_empty() => (rest, false),
        _ => (word, true),
    }
}

/// A filter of texts: parts that all must be in it; `-` before one excludes what has it, and quotes keep blanks.
pub struct Words(Vec<(String, bool)>);

impl Words {
    /// Reads a text. Any text is valid.
    pub fn parse(text: &str) -> Self {
        let word = |word: &str| {
            let (word, fits) = signed(word);
            (word.trim_matches('"').to_lowercase(), fits)
        };
        Self(split(text).into_iter().map(word).collect())
    }

    /// Whether a text, in lower case, fits.
    pub fn fit(&self, text: &str) -> bool {
        self.0
            .iter()
            .all(|(word, fits)| text.contains(word) == *fits)
    }
}

/// A word that is a token by itself.
fn one(word: &str, lower: String) -> Token {
    let unquoted = word.strip_prefix('"');
    let digits = lower.strip_prefix('c').unwrap_or_default();
    let frames = || range(lower.strip_prefix("frame:")?);
    match lower.as_str() {
        _ if unquoted.is_some() => Token::Name(
            unquoted
                .unwrap_or_default()
                .trim_end_matches('"')
                .to_owned(),
        ),
        "selected" => Token::Selected,
        "new" => Token::New,
        "expected" => Token::Expected,
        _ if digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            Token::Cause(lower)
        }
        _ => match frames() {
            Some((from, to)) => Token::Frames(from, to),
            None => Token::Part(lower),
        },
    }
}

/// The words of a text. A quoted name is one word, with its first quote.
fn split(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let quote = match rest.as_bytes() {
            [b'"', ..] => Some(1),
            [b'-', b'"', ..] => Some(2),
            _ => None,
        };
        let end = match quote {
            Some(start) => rest[start..].find('"').map(|at| start + at + 1),
            None => rest.find(char::is_whitespace),
        };
        let (word, more) = rest.split_at(end.unwrap_or(rest.len()));
        words.push(word);
        rest = more.trim_start();
    }
    words
}

/// `60`, `60..90`, `60..` or `..90`.
fn range(text: &str) -> Option<(u64, u64)> {
    match text.split_once("..") {
        None => text.parse().ok().map(|frame| (frame, frame)),
        Some(("", "")) => None,
        Some(("", to)) => Some((0, to.trim_start_matches('=').parse().ok()?)),
        Some((from, "")) => Some((from.parse().ok()?, u64::MAX)),
        Some((from, to)) => Some((from.parse().ok()?, to.trim_start_matches('=').parse().ok()?)),
    }
}

/// `0.2` or `0.2m`: a number, and the metres of its unit.
fn length(text: &str) -> Option<(f64, Option<f64>)> {
    let number = text.trim_end_matches(char::is_alphabetic);
    let unit = match &text[number.len()..] {
        "" => None,
        unit => Some(unit_of_length(unit)?),
    };
    let value = number.parse().ok().filter(|value: &f64| value.is_finite());
    Some((value?, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_split_into_tokens() {
        let part = |text: &str| Token::Part(text.to_owned());
        for (text, tokens) in [
            ("", vec![]),
            ("Wall 3", vec![part("wall"), part("3")]),
            ("c01", vec![Token::Cause("c01".to_owned())]),
            ("c123", vec![part("c123")]),
            ("frame 60..90", vec![Token::Frames(60, 90)]),
            ("frames 60", vec![Token::Frames(60, 60)]),
            ("frame:..9", vec![Token::Frames(0, 9)]),
            ("frame 60..", vec![Token::Frames(60, u64::MAX)]),
            ("door frame", vec![part("door"), part("frame")]),
            ("frame door", vec![part("frame"), part("door")]),
            (">0.2 m", vec![Token::DeeperThan(0.2, Some(1.0))]),
            (">20cm", vec![Token::DeeperThan(20.0, Some(0.01))]),
            ("> 0.2 x", vec![Token::DeeperThan(0.2, None), part("x")]),
            (">deep", vec![part(">deep")]),
            ("selected new", vec![Token::Selected, Token::New]),
            (
                "\"the wall\" b",
                vec![Token::Name("the wall".to_owned()), part("b")],
            ),
            ("\"open", vec![Token::Name("open".to_owned())]),
            ("\"", vec![Token::Name(String::new())]),
            ("-", vec![part("-")]),
        ] {
            let read = Filter::parse(text).tokens;
            assert_eq!(
                read,
                tokens
                    .into_iter()
                    .map(|one| (one, true))
                    .collect::<Vec<_>>(),
                "{text}"
            );
        }
        let excluded = |text| Filter::parse(text).tokens;
        assert_eq!(excluded("-wall"), [(part("wall"), false)]);
        assert_eq!(
            excluded("-\"a b\""),
            [(Token::Name("a b".to_owned()), false)]
        );
    }
}
