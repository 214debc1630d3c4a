//! Lines of a JSON Lines log, field by field.

use super::json_error::sentence;
use super::json_notes::{Entries, Lenient, MarkLine, MoveLine, TextLine, ValueLine};
use super::open_fields::Open;
use crate::core::file::from_json;
use crate::core::schema::{
    self, Axis, Bits, LengthName, LogTurn, Number, ObjectLine, Scalar, ShapeText, special_number,
};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::ser::{Error, Serialize, Serializer};
use serde_json::value::RawValue;

/// Three numbers, or two in a flat level.
pub type Vec3 = schema::Vec3<Number>;
/// An angular velocity.
pub type Spin = schema::Spin<Number>;

/// A number of the log itself (seconds, metres per unit), at full precision whatever the engine's.
#[derive(Clone, Copy, serde::Deserialize)]
#[serde(transparent)]
pub struct Own(pub Number);

impl Serialize for Own {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(Number(value)) = *self;
        let raw = RawValue::from_string(short(value)).map_err(S::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// The shortest text that reads back to the same bits; whole numbers without `.0`, but for minus zero.
pub(super) fn short(value: f64) -> String {
    let mut text = format!("{value:?}");
    if text.ends_with(".0") && text != "-0.0" {
        text.truncate(text.len() - 2);
    }
    text
}

/// Quotes bare `NaN`, `-Infinity` and the like outside strings, with the same length, for [`Number`]; columns stay
/// correct. False when there were none.
pub(super) fn quote_special_numbers(line: &mut [u8]) -> bool {
    let mut changed = false;
    let mut at = 0;
    while at < line.len() {
        match line[at] {
            b'"' => at = end_of_string(line, at),
            b'a'..=b'z' | b'A'..=b'Z' => {
                let end = end_of_word(line, at);
                let from = at - usize::from(at > 0 && matches!(line[at - 1], b'-' | b'+'));
                let value = std::str::from_utf8(&line[from..end])
                    .ok()
                    .and_then(special_number);
                if let Some(value) = value.filter(|_| end - from >= 3) {
                    quote(&mut line[from..end], value);
                    changed = true;
                }
                at = end;
            }
            _ => at += 1,
        }
    }
    changed
}

fn end_of_string(line: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < line.len() {
        match line[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    line.len()
}

fn end_of_word(line: &[u8], start: usize) -> usize {
    let is_letter = |byte: &u8| byte.is_ascii_alphabetic();
    let length = line[start..].iter().take_while(|b| is_letter(b)).count();
    let end = start + length;
    // Microsoft's `nan(ind)`.
    if line.get(end) == Some(&b'(')
        && let Some(close) = line[end..].iter().position(|&byte| byte == b')')
    {
        return end + close + 1;
    }
    end
}

/// `word` is at least three bytes long: a quote, a letter, a quote; four for minus infinity, which has five or more.
fn quote(word: &mut [u8], value: f64) {
    let last = word.len() - 1;
    word.fill(b' ');
    word[0] = b'"';
    word[last] = b'"';
    if value.is_nan() {
        word[1] = b'N';
    } else if value > 0.0 {
        word[1] = b'I';
    } else {
        word[1] = b'-';
        word[2] = b'I';
    }
}

/// The part of the first line that identifies the format.
#[derive(serde::Deserialize)]
pub struct Peek {
    #[serde(default)]
    pub hitstop: Option<serde_json::Value>,
    #[serde(default)]
    schema: Option<IgnoredAny>,
    #[serde(default)]
    findings: Option<IgnoredAny>,
}

/// What a result of `hitstop check` is, which is opened as a level.
pub const IS_RESULT: &str = "this is a result of `hitstop check`, not a level";

impl Peek {
    /// Whether it is a line that `hitstop check --format json` writes.
    pub fn is_result(&self) -> bool {
        self.hitstop.is_none() && self.schema.is_some() && self.findings.is_some()
    }
}

/// An axis, as the header names it.
#[derive(Clone, Copy, serde::Deserialize, serde::Serialize)]
pub enum Up {
    #[serde(rename = "x", alias = "X")]
    X,
    #[serde(rename = "y", alias = "Y")]
    Y,
    #[serde(rename = "z", alias = "Z")]
    Z,
    #[serde(rename = "-y", alias = "-Y")]
    MinusY,
}

impl From<Up> for Axis {
    fn from(name: Up) -> Self {
        match name {
            Up::X => Self::X,
            Up::Y => Self::Y,
            Up::Z => Self::Z,
            Up::MinusY => Self::MinusY,
        }
    }
}

impl From<Axis> for Up {
    fn from(axis: Axis) -> Self {
        match axis {
            Axis::X => Self::X,
            Axis::Y => Self::Y,
            Axis::Z => Self::Z,
            Axis::MinusY => Self::MinusY,
        }
    }
}

/// The first line.
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct HeaderLine {
    #[serde(rename = "hitstop")]
    pub version: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dt: Option<Own>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub flat: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<Up>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<Own>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<LengthName>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirrored: Option<Up>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scalar: Option<Scalar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gravity: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ccd_threshold: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lens: Option<LensLine>,
    #[serde(default)]
    pub objects: Vec<Open<ObjectLine>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<[u64; 2]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<[u64; 2]>,
    #[serde(rename = "x", skip_serializing)]
    pub _own: Option<IgnoredAny>,
}

/// The camera's near plane, its vertical field of view (degrees) and its aspect.
#[derive(Clone, Copy, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
pub struct LensLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub near: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fov: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aspect: Option<Number>,
}

fn zero() -> Number {
    Number(0.0)
}

/// To the bit: minus zero is written.
fn is_zero(Number(value): &Number) -> bool {
    value.to_bits() == 0
}

fn is_false(value: &bool) -> bool {
    !value
}

/// Every later line.
#[derive(Default, serde::Deserialize, serde::Serialize)]
pub struct FrameLine {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frame: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub t: Option<Own>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dt: Option<Own>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gap: Option<bool>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spawn: Vec<Open<ObjectLine>>,
    /// Fixed objects without bodies that end before this frame.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<u64>,
    /// Of the whole log, as in the header.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignore: Vec<[u64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bodies: Option<Vec<Open<BodyLine>>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<[u64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub substeps: Option<u32>,
    /// An empty list says that the engine made no contact; without one it is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contacts: Option<Vec<Open<ContactLine>>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pushes: Vec<Open<PushLine>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queries: Vec<Open<QueryLine>>,
    /// Lines of the program's own log.
    #[serde(default, skip_serializing_if = "Lenient::is_empty")]
    pub log: Entries<TextLine>,
    #[serde(default, skip_serializing_if = "Lenient::is_empty")]
    pub values: Entries<Open<ValueLine>>,
    #[serde(default, skip_serializing_if = "Lenient::is_empty")]
    pub marks: Entries<Open<MarkLine>>,
    #[serde(default, skip_serializing_if = "Lenient::is_empty")]
    pub moves: Entries<Open<MoveLine>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Lenient<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub camera: Option<Open<CameraLine>>,
}

#[derive(serde::Deserialize, serde::Serialize)]
pub struct BodyLine {
    pub id: u64,
    pub p: Vec3,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q: Option<LogTurn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub v: Option<Vec3>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub w: Option<Spin>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub teleported: bool,
    #[serde(default, skip_serializing_if = "is_false")]
    pub asleep: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub island: Option<Lenient<u32>>,
}

#[derive(serde::Deserialize, serde::Serialize)]
pub struct ContactLine {
    pub a: u64,
    pub b: u64,
    pub point: Vec3,
    pub normal: Vec3,
    pub depth: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impulse: Option<Lenient<Number>>,
}

#[derive(serde::Deserialize, serde::Serialize)]
pub struct PushLine {
    pub id: u64,
    pub push: Vec3,
}

#[derive(Clone, Copy, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum QueryWord {
    Ray,
    Sweep,
}

#[derive(serde::Deserialize, serde::Serialize)]
pub struct QueryLine {
    pub kind: QueryWord,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
    pub from: Vec3,
    pub to: Vec3,
    #[serde(default = "zero", skip_serializing_if = "is_zero")]
    pub radius: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shape: Option<ShapeText<Number>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q: Option<LogTurn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mask: Option<Bits>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tag: Option<Lenient<String>>,
    pub hit: Option<Open<HitLine>>,
}

#[derive(serde::Deserialize, serde::Serialize)]
pub struct HitLine {
    pub id: u64,
    pub fraction: Number,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub normal: Option<Vec3>,
}

#[derive(serde::Deserialize, serde::Serialize)]
pub struct CameraLine {
    pub p: Vec3,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub q: Option<LogTurn>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push: Option<Vec3>,
    #[serde(default, skip_serializing_if = "is_false")]
    pub teleported: bool,
}

/// A fault of a line, its column (from 1), and the fix.
#[derive(Debug, PartialEq)]
pub struct LineError {
    pub column: usize,
    pub what: String,
    pub help: String,
}

/// Reads one line strictly; `line` may be changed (special numbers get quoted).
pub(super) fn parse<T: DeserializeOwned>(line: &mut [u8]) -> Result<T, LineError> {
    let Ok(text) = std::str::from_utf8(line) else {
        return Err(LineError {
            column: 1,
            what: "the line is not UTF-8 text".into(),
            help: "save the log as plain UTF-8 text".into(),
        });
    };
    // Only for lines that fail.
    let error = match serde_json::from_str(text) {
        Ok(value) => return Ok(value),
        Err(error) if !quote_special_numbers(line) => error,
        Err(_) => match from_json(line) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        },
    };
    let (what, help) = sentence(&error);
    Err(LineError {
        column: column_of(line, error.column()),
        what,
        help,
    })
}

fn column_of(line: &[u8], byte_column: usize) -> usize {
    let before = &line[..byte_column.saturating_sub(1).min(line.len())];
    String::from_utf8_lossy(before).chars().count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(line: &str) -> String {
        let mut bytes = line.as_bytes().to_vec();
        quote_special_numbers(&mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn special_numbers_are_quoted_in_place() {
        assert_eq!(
            quoted(r#"[NaN,-Infinity,inf,-nan(ind),true,null,"NaN \" inf",1e5]"#),
            r#"["N","-I     ","I","N      ",true,null,"NaN \" inf",1e5]"#
        );
    }

    #[test]
    fn numbers_of_every_spelling() {
        let mut line = br#"[1, -2.5, 3e2, null, NaN, -inf, Infinity, "-Infinity"]"#.to_vec();
        let numbers: Vec<Number> = parse(&mut line).unwrap();
        let values: Vec<f64> = numbers.into_iter().map(|number| number.0).collect();
        assert_eq!(values[..3], [1.0, -2.5, 300.0]);
        assert!(values[3].is_nan() && values[4].is_nan());
        let endless = f64::INFINITY;
        assert_eq!(values[5..], [-endless, endless, -endless]);
    }

    #[test]
    fn an_unknown_field_names_the_nearest_one_and_its_column() {
        let mut line = br#"{"hitstop": 1, "objets": []}"#.to_vec();
        let error = parse::<HeaderLine>(&mut line).err().unwrap();
        assert_eq!(error.what, "the field `objets` is not known");
        assert_eq!(error.help, "did you mean `objects`?");
        assert_eq!(error.column, 23);
    }

    #[test]
    fn columns_count_characters_not_bytes() {
        let mut line = "{\"é\": 1}".as_bytes().to_vec();
        let error = parse::<HeaderLine>(&mut line).err().unwrap();
        assert_eq!(error.column, 4);
    }
}
