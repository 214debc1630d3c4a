//! The table of files and findings: `check --format parquet`.

use crate::fleet::{fleet, json, rows};
use crate::shell::{BULLET, hitstop, status, stderr, stdout, text_of};
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::record::{Field, Row};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn value(field: &Field) -> Value {
    match field {
        Field::Null => Value::Null,
        Field::Bool(flag) => json!(flag),
        Field::Long(number) => json!(number),
        Field::Double(number) => json!(number),
        Field::Str(text) => json!(text),
        other => panic!("{other:?}"),
    }
}

/// The rows of a table, absent values left out.
fn table_rows(path: &Path) -> Vec<Value> {
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let object = |row: Row| -> Value {
        let columns = row.get_column_iter();
        let present = columns.map(|(name, field)| (name.clone(), value(field)));
        present.filter(|(_, value)| !value.is_null()).collect()
    };
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| object(row.unwrap())).collect()
}

/// The same value with every number as one of floating point: 72 and 72.0 are one number.
fn numbers(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().into(),
        Value::Array(all) => all.iter().map(numbers).collect(),
        Value::Object(all) => {
            let fields = all
                .iter()
                .map(|(name, value)| (name.clone(), numbers(value)));
            Value::Object(fields.collect())
        }
        other => other.clone(),
    }
}

/// The rows that a result of JSON should have.
fn wanted(report: &Value) -> Vec<Value> {
    let version = env!("CARGO_PKG_VERSION");
    let mut common = json!({"file": report["file"], "version": version});
    for (name, column) in [("name", "level"), ("build", "build"), ("engine", "engine")] {
        if report[name].as_str().is_some_and(|text| !text.is_empty()) {
            common[column] = report[name].clone();
        }
    }
    let findings = report["findings"].as_array().unwrap();
    let mut file = common.clone();
    file["row"] = json!("file");
    match report.get("error") {
        Some(error) => {
            let [file_name, what, help] =
                ["file", "what", "help"].map(|it| error[0][it].as_str().unwrap());
            let (line, column) = (&error[0]["line"], &error[0]["column"]);
            file["error"] = json!(format!("{file_name}:{line}:{column}: {what} ({help})"));
        }
        None => {
            file["frames"] = report["frames"].clone();
            file["objects"] = report["objects"].clone();
            file["findings"] = json!(findings.len());
        }
    }
    let mut rows = vec![file];
    for (index, finding) in findings.iter().enumerate() {
        let mut row = common.clone();
        row["row"] = json!("finding");
        row["index"] = json!(index);
        for name in [
            "kind",
            "cause",
            "frame",
            "last_frame",
            "fraction",
            "time",
            "expected",
            "known",
            "text",
        ] {
            row[name] = finding[name].clone();
        }
        for name in ["a", "b"] {
            if finding[name] != "" {
                row[name] = finding[name].clone();
            }
        }
        // The table has Y up.
        assert_eq!(report["units"]["length"], 1.0);
        let with_y_up = |name: &str| {
            let [x, y, z] = [0, 1, 2].map(|at| finding[name][at].as_f64().unwrap());
            match report["units"]["up"].as_str() {
                Some("z") => [x, z, -y],
                _ => [x, y, z],
            }
        };
        let (point, normal) = (with_y_up("point"), with_y_up("normal"));
        for (axis, at) in ["x", "y", "z"].into_iter().zip(0..) {
            row[format!("point_{axis}")] = json!(point[at]);
            if normal != [0.0; 3] {
                row[format!("normal_{axis}")] = json!(normal[at]);
            }
        }
        let depths = [
            "deepest",
            "depth",
            "depth_after",
            "exact_depth",
            "unreported_depth",
        ];
        let depths = depths
            .into_iter()
            .filter_map(|name| finding["evidence"][name].as_f64());
        if let Some(depth) = depths.max_by(f64::total_cmp) {
            row["depth"] = json!(depth);
        }
        if let Some(fix) = finding["fixes"].get(0) {
            row["fix"] = fix["what"].clone();
            row["fix_unit"] = fix["unit"].clone();
            for name in ["holds", "detects"] {
                if let Some(number) = fix[name].as_f64() {
                    row[format!("fix_{name}")] = json!(number);
                }
            }
            row["fixes"] = numbers(&finding["fixes"]);
        }
        rows.push(row);
    }
    let margins = report["margins"]["pairs"].as_array();
    for (index, margin) in margins.into_iter().flatten().enumerate() {
        let mut row = common.clone();
        row["row"] = json!("margin");
        row["index"] = json!(index);
        for name in ["a", "b", "frame", "share", "displacement", "limit", "dt"] {
            row[name] = margin[name].clone();
        }
        rows.push(row);
    }
    rows
}

#[test]
fn the_table_has_the_values_of_the_json() {
    let folder = fleet();
    for name in ["scenes", &*text_of(folder.path())] {
        let out = tempfile::tempdir().unwrap();
        let table = out.path().join("out.parquet");
        let arguments = [
            "check",
            name,
            "--margins",
            "--format",
            "parquet",
            "--out",
            &text_of(&table),
        ];
        let output = hitstop(&arguments);
        assert_eq!(stdout(&output), "");
        let all = json(Path::new(name), &["--margins"]);
        // The table is in metres, and the JSON in the units of the level: exactly the same numbers are those of levels in metres.
        let in_metres = |report: &&Value| report["units"]["length"] == 1.0;
        let reports = rows(&all);
        let reports: Vec<&Value> = reports.iter().filter(in_metres).collect();
        assert!(!reports.is_empty());
        let files: Vec<&Value> = reports.iter().map(|report| &report["file"]).collect();
        let wanted: Vec<Value> = reports.iter().flat_map(|report| wanted(report)).collect();
        let rows_of = |path: &Path| {
            let mut rows = table_rows(path);
            rows.retain(|row| files.contains(&&row["file"]));
            rows
        };
        let mut found = rows_of(&table);
        for row in &mut found {
            if let Some(text) = row.get("fixes").and_then(Value::as_str) {
                row["fixes"] = numbers(&serde_json::from_str(text).unwrap());
            }
        }
        for (found, wanted) in found.iter().zip(&wanted) {
            assert_eq!(found, wanted);
        }
        assert_eq!(found.len(), wanted.len());
        assert!(found.iter().any(|row| row["row"] == "margin"), "{name}");
        // The same from results.
        let results = text_of(out.path().join("all.jsonl"));
        fs::write(&results, all).unwrap();
        let merged = text_of(out.path().join("merged.parquet"));
        hitstop(&["merge", &results, "--format", "parquet", "--out", &merged]);
        assert_eq!(rows_of(Path::new(&merged)), rows_of(&table), "{name}");
    }
}

#[test]
fn the_columns_are_documented() {
    let out = tempfile::tempdir().unwrap();
    let table = out.path().join("out.parquet");
    hitstop(&[
        "check",
        BULLET,
        "--format",
        "parquet",
        "--out",
        &text_of(&table),
    ]);
    let reader = SerializedFileReader::new(fs::File::open(table).unwrap()).unwrap();
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let text = include_str!("../../docs/fleet.md");
    for column in schema.columns() {
        let name = format!("`{}`", column.name());
        assert!(text.contains(&name), "docs/fleet.md lacks {name}");
    }
}

#[test]
fn a_table_needs_a_file() {
    let output = hitstop(&["check", BULLET, "--format", "parquet"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("--out"), "{}", stderr(&output));
}
