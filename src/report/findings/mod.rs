//! Findings for other programs: JSON, JUnit XML, SARIF, and a table in Parquet.

mod checked;
mod fail_on;
mod fingerprint;
pub mod json;
mod junit;
mod safe;
mod sarif;
#[cfg(feature = "parquet")]
pub mod table;

pub use self::checked::{Checked, LineIndex};
pub use self::fail_on::FailOn;
pub use self::junit::junit;
pub use self::safe::safe_json;
pub use self::sarif::sarif;

use crate::core::diagnose::Report;
use crate::core::level::Level;
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// A format for the findings of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingsFormat {
    /// One line of JSON.
    Json,
    /// JUnit XML.
    Junit,
    /// SARIF 2.1.0.
    Sarif,
}

impl FindingsFormat {
    /// The format of a file's ending.
    ///
    /// # Errors
    /// For another ending.
    pub fn of_path(path: &Path) -> Result<Self, Problem> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("json") => Ok(Self::Json),
            Some("xml") => Ok(Self::Junit),
            Some("sarif") => Ok(Self::Sarif),
            _ => {
                let (file, help) = (path.display(), "name the file .json, .sarif or .xml");
                let what = "unsupported output format";
                Err(Problem::new(file.to_string(), what, help))
            }
        }
    }
}

/// Writes the findings of an open level, as `hitstop check` prints them.
///
/// # Errors
/// Those of the output.
pub fn write_findings(
    level: &Level,
    mut report: Report,
    format: FindingsFormat,
    out: &mut dyn Write,
    progress: &dyn Progress,
) -> io::Result<()> {
    if format == FindingsFormat::Json {
        report.add_level_fixes(&level.replay, progress);
        return json::write_line(report, out);
    }
    let file = PathBuf::from(&report.file);
    let checked = [Checked {
        line_index: LineIndex::of(&file, level),
        file,
        outcome: Ok(report),
    }];
    let document = match format {
        FindingsFormat::Junit => junit(&checked, &FailOn::default()),
        _ => sarif(&checked, &FailOn::default(), None),
    };
    let document = document.ok_or(ErrorKind::InvalidData)?;
    out.write_all(document.as_bytes())
}
