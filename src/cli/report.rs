//! `hitstop report`: one page to attach to a bug.

use super::check_file::add_level_fixes;
use super::progress::Bar;
use super::{ReportArguments, Status, report_problems};
use crate::core::diagnose::{Options, Report, diagnose};
use crate::core::level::{self, Level};
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::scene::DiskFolder;
use crate::report::html;
use crate::save::save_atomic;

/// Runs the command. Findings do not change the exit status.
pub fn run(arguments: &ReportArguments) -> Status {
    let bar = Bar::new(!arguments.no_progress);
    let outcome = write(arguments, &bar);
    bar.clear();
    match outcome {
        Ok(()) => Status::Clean,
        Err(problems) => {
            report_problems(&problems.0, false);
            Status::BadInput
        }
    }
}

fn write(arguments: &ReportArguments, bar: &Bar) -> Result<(), Problems> {
    let (input, out) = (&arguments.input, &arguments.out);
    let name = out.display().to_string();
    let html_name = out.extension().is_some_and(|ending| {
        ["html", "htm"]
            .iter()
            .any(|known| ending.eq_ignore_ascii_case(known))
    });
    if !html_name {
        let what = "the output file must end in .html";
        return Err(Problem::new(name, what, "write --out report.html").into());
    }
    bar.say("reading");
    let folder = DiskFolder::of(input);
    let level = level::open_with(input, &arguments.read.options(), &folder, bar)?;
    bar.say("diagnosing");
    let Some(mut report) = diagnose(&level, &Options::default(), bar) else {
        unreachable!("nothing here cancels");
    };
    bar.say("comparing fixes");
    report.file = input.display().to_string();
    let page = page(&level, report, bar);
    if let Some(problem) = level.lost_frames() {
        return Err(problem.into());
    }
    Ok(save_atomic(out, page.as_bytes())?)
}

/// The page of a report, with the changes that fix most.
pub fn page(level: &Level, mut report: Report, progress: &dyn Progress) -> String {
    add_level_fixes(&level.replay, &mut report, progress);
    html(level, &report)
}
