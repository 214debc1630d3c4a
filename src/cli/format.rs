//! Output formats of results.

use clap::ValueEnum;
use clap::builder::{PathBufValueParser, TypedValueParser};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Reads the path of an output, whose ending may name a format; one that this build does not write is refused.
pub fn output_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        let ending = path.extension();
        let is_parquet = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"));
        match cfg!(feature = "parquet") || !is_parquet {
            true => Ok(path),
            false => Err("this build has no Parquet: build it with --features parquet, or name the file .jsonl"),
        }
    })
}

/// How to print a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Text for reading
    #[default]
    Text,
    /// One JSON object per file, each on one line
    Json,
    /// One JUnit XML document, for test reports
    Junit,
    /// One SARIF 2.1.0 document, for code scanning
    Sarif,
    /// One table of files and findings in Parquet, for --out
    #[cfg(feature = "parquet")]
    Parquet,
    /// One HTML page with charts over all files
    Html,
}

impl Format {
    /// The format that is asked for, else that of a file's ending, else text.
    pub fn or_of(asked: Option<Self>, out: Option<&Path>) -> Self {
        let ending = out.and_then(Path::extension).and_then(OsStr::to_str);
        let of_ending = match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("json" | "jsonl") => Self::Json,
            Some("xml") => Self::Junit,
            Some("sarif") => Self::Sarif,
            #[cfg(feature = "parquet")]
            Some("parquet") => Self::Parquet,
            Some("html" | "htm") => Self::Html,
            _ => Self::Text,
        };
        asked.unwrap_or(of_ending)
    }

    /// Whether it has the changes that fix most findings of a level.
    pub fn has_level_fixes(self) -> bool {
        matches!(self, Self::Text | Self::Json)
    }

    /// Whether it has the places of objects in the text of a scene.
    pub fn has_places(self) -> bool {
        self == Self::Sarif
    }
}
