//! Reports as JSON: every length, speed, point and direction is in the units and axes of the level's file, in memory in metres, Y up.

use super::safe::SafeJson;
use crate::core::diagnose::{Finding, FindingList, Key, Report};
use crate::core::file::from_json;
use crate::core::scene::UserUnits;
use glam::DVec3;
use serde::ser::{Error as _, SerializeMap, SerializeSeq, Serializer};
use serde::{Deserialize, Serialize};
use serde_json::{Error, Map, Number, Value};
use std::io::{self, BufWriter, Write};

/// Writes a report as one line, with the characters escaped that a terminal interprets.
///
/// # Errors
/// Those of the output.
pub fn write_line(report: Report, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    write(report, SafeJson(&mut out))?;
    out.write_all(b"\n")?;
    out.flush()
}

/// Writes a report.
pub fn write(report: Report, out: impl Write) -> Result<(), Error> {
    let mut out = serde_json::Serializer::new(out);
    if report.units == UserUnits::default() {
        return report.serialize(&mut out);
    }
    let to_file = Conversion::to_file(report.units);
    let findings = report.findings;
    let rest = Report {
        findings: FindingList::default(),
        ..report
    };
    let Value::Object(mut rest) = serde_json::to_value(rest)? else {
        return Err(Error::custom("a report is an object"));
    };
    each(&mut rest, "level_fixes", |fix| to_file.quantity(fix));
    to_file.margins(&mut rest);
    let mut all = out.serialize_map(None)?;
    for (name, value) in &rest {
        match name.as_str() {
            "findings" => all.serialize_entry(name, &InUnits(&findings, to_file))?,
            _ => all.serialize_entry(name, value)?,
        }
    }
    SerializeMap::end(all)
}

/// Reads a report that was written so.
pub fn read(bytes: &[u8]) -> Result<Report, Error> {
    /// The units alone.
    #[derive(Deserialize)]
    struct Units {
        #[serde(default)]
        units: UserUnits,
    }
    let Units { units } = from_json(bytes)?;
    let mut report: Report = match units == UserUnits::default() {
        true => from_json(bytes)?,
        false => converted(bytes, units)?,
    };
    // Those of older versions have no order.
    report.put_in_order();
    Ok(report)
}

/// Reads a report whose numbers are in these units.
fn converted(bytes: &[u8], units: UserUnits) -> Result<Report, Error> {
    let mut value: Value = from_json(bytes)?;
    let to_metres = Conversion {
        units,
        to_file: false,
    };
    if let Value::Object(fields) = &mut value {
        each(fields, "level_fixes", |fix| to_metres.quantity(fix));
        each(fields, "findings", |finding| to_metres.finding(finding));
        to_metres.margins(fields);
    }
    serde_json::from_value(value)
}

/// A finding as it is written.
pub fn finding(finding: &Finding, units: UserUnits) -> Result<Value, Error> {
    let mut value = serde_json::to_value(finding)?;
    if let (Value::Object(fields), true) = (&mut value, units != UserUnits::default()) {
        Conversion::to_file(units).finding(fields);
    }
    Ok(value)
}

/// Findings as they are written; one at a time is in memory.
struct InUnits<'f>(&'f FindingList, Conversion);

impl Serialize for InUnits<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(findings, to_file) = self;
        let mut all = serializer.serialize_seq(Some(findings.total()))?;
        // The error of the serializer is not an `io::Error`.
        let mut failed = None;
        let read = findings.for_each(&mut |_, one| {
            let one = finding(one, to_file.units)?;
            all.serialize_element(&one).map_err(|error| {
                failed = Some(error);
                io::Error::other("not written")
            })
        });
        match failed {
            Some(error) => Err(error),
            None => {
                read.map_err(S::Error::custom)?;
                SerializeSeq::end(all)
            }
        }
    }
}

/// From metres, Y up, to the units and axes of a file, or back.
#[derive(Clone, Copy)]
struct Conversion {
    units: UserUnits,
    to_file: bool,
}

impl Conversion {
    fn to_file(units: UserUnits) -> Self {
        Self {
            units,
            to_file: true,
        }
    }

    fn finding(self, fields: &mut Map<String, Value>) {
        self.vector(fields.get_mut("point"), self.units.metres());
        self.vector(fields.get_mut("normal"), 1.0);
        if let Some(Value::Object(pile)) = fields.get_mut("pile") {
            self.vector(pile.get_mut("place"), self.units.metres());
        }
        self.reason(fields);
        each(fields, "reasons", |reason| self.reason(reason));
        if let Some(Value::Object(what_if)) = fields.get_mut("what_if") {
            each(what_if, "changes", |change| self.quantity(change));
            if let Some(Value::Object(with)) = what_if.get_mut("with") {
                self.quantity(with);
            }
        }
    }

    /// The closest calls of a report.
    fn margins(self, report: &mut Map<String, Value>) {
        if let Some(Value::Object(margins)) = report.get_mut("margins") {
            each(margins, "pairs", |margin| {
                for name in ["displacement", "limit"] {
                    margin
                        .get_mut(name)
                        .into_iter()
                        .for_each(|it| self.number(it, "m"));
                }
            });
        }
    }

    /// The evidence and the fixes of a cause.
    fn reason(self, fields: &mut Map<String, Value>) {
        if let Some(Value::Object(evidence)) = fields.get_mut("evidence") {
            for (name, value) in evidence {
                let key = Key::ALL.iter().find(|key| key.name() == name);
                self.number(value, key.map_or("", |key| key.unit_name()));
            }
        }
        each(fields, "fixes", |fix| self.quantity(fix));
    }

    /// The numbers of a change and the name of their unit, and those of another change that it needs.
    fn quantity(self, fields: &mut Map<String, Value>) {
        let is_unit = |si: &&'static str| {
            let (from, _) = self.names(si);
            fields.get("unit").is_some_and(|unit| unit == from)
        };
        if let Some(si) = ["m", "m/s"].into_iter().find(is_unit) {
            let (_, to) = self.names(si);
            fields.insert("unit".to_owned(), to.into());
            for value in fields.values_mut() {
                match value {
                    // The threshold of a change.
                    Value::Object(threshold) if threshold.contains_key("after") => {
                        for name in ["after", "below"] {
                            if let Some(value) = threshold.get_mut(name) {
                                self.number(value, si);
                            }
                        }
                    }
                    value => self.number(value, si),
                }
            }
        }
        if let Some(Value::Object(with)) = fields.get_mut("with") {
            self.quantity(with);
        }
    }

    /// The names of a unit before and after.
    fn names(self, si: &'static str) -> (&'static str, &'static str) {
        let own = self.units.unit(si);
        if self.to_file { (si, own) } else { (own, si) }
    }

    fn number(self, value: &mut Value, si: &str) {
        if let (Some(number), false) = (value.as_f64(), si.is_empty()) {
            let number = match self.to_file {
                true => self.units.value(number, si),
                false => self.units.si(number, si),
            };
            *value = Number::from_f64(number).map_or(Value::Null, Value::Number);
        }
    }

    /// Three numbers along the axes, of which one is so many metres in the file. What is not a number stays.
    fn vector(self, value: Option<&mut Value>, metres: f64) {
        let Some(Value::Array(parts)) = value else {
            return;
        };
        let numbers: Option<Vec<f64>> = parts.iter().map(Value::as_f64).collect();
        let Some(Ok(vector)) = numbers.map(<[f64; 3]>::try_from) else {
            return;
        };
        let vector = match self.to_file {
            true => self.units.direction(DVec3::from(vector)) / metres,
            false => self.units.our_direction(DVec3::from(vector)) * metres,
        };
        // Without the sign of a zero.
        let vector = vector + DVec3::ZERO;
        *parts = vector.to_array().map(Value::from).to_vec();
    }
}

/// Does something with each object of a list.
fn each(fields: &mut Map<String, Value>, list: &str, on: impl FnMut(&mut Map<String, Value>)) {
    if let Some(Value::Array(list)) = fields.get_mut(list) {
        let objects = list.iter_mut().filter_map(Value::as_object_mut);
        objects.for_each(on);
    }
}
