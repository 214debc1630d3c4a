//! The results of several files, written in their order as they come.

use super::print::print_note;
use super::summary::{summary, total};
use super::text::{COLUMNS, columns, text};
use super::{Format, Status, report_problems};
use crate::core::diagnose::Report;
use crate::core::escape::for_log;
use crate::core::fleet::{Earlier, Fleet};
#[cfg(feature = "parquet")]
use crate::report::findings_table::FindingsTable;
use crate::report::{Checked, FailOn, fleet_page, json, junit, sarif};
use crate::save::Output;
use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};

/// How results are written.
#[derive(Debug, Default)]
pub struct Style {
    /// In which format.
    pub format: Format,
    /// Without files that have nothing to report, as text and JSON.
    pub quiet: bool,
    /// With the evidence of each finding, as text.
    pub verbose: bool,
    /// Only with the sums over all files, as text.
    pub is_summary: bool,
    /// Without colours, as text.
    pub is_plain: bool,
    /// The kinds that fail.
    pub fail_on: FailOn,
    /// Name of the list of known findings.
    pub baseline: Option<String>,
}

/// Writes results to an output.
pub struct Results<'o> {
    style: &'o Style,
    form: Form<'o>,
    /// The worst so far.
    status: Status,
}

/// What the format needs.
enum Form<'o> {
    Text(&'o mut Output, Box<Fleet>),
    Page(&'o mut Output, Box<Fleet>),
    Json(&'o mut Output),
    /// Written as one document at the end.
    Document(&'o mut Output, Vec<Checked>),
    #[cfg(feature = "parquet")]
    Table(Box<FindingsTable<&'o mut Output>>),
}

impl<'o> Results<'o> {
    /// No results yet.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(style: &'o Style, out: &'o mut Output) -> io::Result<Self> {
        Ok(Self {
            form: match style.format {
                Format::Text => Form::Text(out, Box::default()),
                Format::Html => Form::Page(out, Box::default()),
                Format::Json => Form::Json(out),
                Format::Junit | Format::Sarif => Form::Document(out, Vec::new()),
                #[cfg(feature = "parquet")]
                Format::Parquet => Form::Table(Box::new(FindingsTable::new(out)?)),
            },
            style,
            status: Status::Clean,
        })
    }

    /// Sets the comparison with earlier results, for formats that have sums over all files.
    pub fn set_earlier(&mut self, earlier: Earlier) {
        if let Form::Text(_, fleet) | Form::Page(_, fleet) = &mut self.form {
            fleet.earlier = Some(earlier);
        }
    }

    /// Adds the next result; its problems and notices go to standard error.
    ///
    /// # Errors
    /// Those of the output.
    pub fn add(&mut self, result: Checked) -> io::Result<()> {
        let status = match &result.outcome {
            Ok(report) => {
                report.notices.iter().for_each(|notice| print_note(notice));
                status_of(report, &self.style.fail_on)
            }
            Err(problems) => {
                report_problems(&problems.0, false);
                Status::BadInput
            }
        };
        self.status = self.status.max(status);
        let is_shown = !self.style.quiet || status != Status::Clean;
        match &mut self.form {
            Form::Text(out, fleet) => {
                if let Ok(report) = &result.outcome
                    && is_shown
                    && !self.style.is_summary
                {
                    let columns = match self.style.is_plain {
                        true => COLUMNS,
                        false => columns(),
                    };
                    let text = text(report, &self.style.fail_on, (columns, self.style.verbose));
                    out.write_all(self.style.shown(&text).as_bytes())?;
                }
                fleet.add(&result.into_report())
            }
            Form::Page(_, fleet) => fleet.add(&result.into_report()),
            Form::Json(out) if is_shown => json::write_line(result.into_report(), out),
            Form::Json(_) => Ok(()),
            Form::Document(_, results) => {
                results.push(result);
                Ok(())
            }
            #[cfg(feature = "parquet")]
            Form::Table(table) => table.add(&result.into_report()),
        }
    }

    /// Writes what comes after the last result; returns the worst status among them.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(self) -> io::Result<Status> {
        let Self {
            style,
            form,
            status,
        } = self;
        match form {
            Form::Text(out, fleet) => {
                let text = match style.is_summary {
                    true => summary(&fleet),
                    false if fleet.files > 1 => total(&fleet),
                    false => String::new(),
                };
                if !(style.quiet && status == Status::Clean) {
                    out.write_all(style.shown(&text).as_bytes())?;
                }
            }
            Form::Page(out, fleet) => out.write_all(fleet_page(&fleet).as_bytes())?,
            Form::Json(_) => {}
            Form::Document(out, results) => out.write_all(style.document(&results)?.as_bytes())?,
            #[cfg(feature = "parquet")]
            Form::Table(table) => table.finish()?,
        }
        Ok(status)
    }
}

impl Style {
    fn shown<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.is_plain {
            true => Cow::Owned(anstream::adapter::strip_str(text).to_string()),
            false => for_log(text),
        }
    }

    /// The one document of a format that has one for all results.
    fn document(&self, results: &[Checked]) -> io::Result<String> {
        let document = match self.format {
            Format::Junit => junit(results, &self.fail_on),
            _ => sarif(results, &self.fail_on, self.baseline.as_deref()),
        };
        document.ok_or_else(|| ErrorKind::InvalidData.into())
    }
}

/// The status that a report alone has.
pub(super) fn status_of(report: &Report, fail_on: &FailOn) -> Status {
    let found = report
        .findings
        .iter()
        .any(|finding| !finding.is_accepted() && fail_on.kinds.contains(&finding.kind))
        || report
            .findings
            .beyond()
            .any(|kind| fail_on.kinds.contains(&kind));
    let failed = report
        .expectations
        .iter()
        .any(|expectation| !expectation.passed);
    if found || failed || fail_on.fails(report.margins.as_ref()) {
        Status::Findings
    } else {
        Status::Clean
    }
}
