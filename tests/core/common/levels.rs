//! Levels from text, without a file.

use super::sentences::check_report;
use hitstop::core::diagnose::{Options, Report, diagnose};
use hitstop::core::level::{self, Level};
use hitstop::core::scene::MemoryFolder;

/// A level of one file.
#[track_caller]
pub fn opened(file: &str, text: String) -> Level {
    let folder = MemoryFolder {
        files: [(file.to_owned(), text.into_bytes())].into(),
    };
    level::open_in(&folder, file, &()).unwrap_or_else(|problems| panic!("{problems}"))
}

pub fn diagnosed(level: &Level) -> Report {
    let report = diagnose(level, &Options::default(), &()).expect("nobody cancels");
    check_report(&report);
    report
}

/// A log of 60 frames a second: the header's other fields, its objects, and one line a frame, numbered from 0.
pub fn log_of(header: &str, objects: &[&str], frames: &[impl AsRef<str>]) -> String {
    let objects = objects.join(",");
    let mut log =
        format!("{{\"hitstop\":1,\"dt\":0.016666666666666666{header},\"objects\":[{objects}]}}\n");
    for (number, frame) in frames.iter().enumerate() {
        log += &format!("{{\"frame\":{number},{}}}\n", frame.as_ref());
    }
    log
}

/// A scene of objects, each a line of RON.
pub fn scene_of(fields: &str, objects: &[&str]) -> String {
    let objects = objects.join(", ");
    format!("Scene(version: 1, name: \"x\", {fields}, objects: [{objects}])")
}
