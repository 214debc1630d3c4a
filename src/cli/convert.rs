//! `hitstop convert`: reads a file and writes another.

use super::print::say;
use super::progress::Bar;
use super::{ConvertArguments, Status, report_problems};
use crate::convert::{Converted, Part, convert};

/// Runs the command; losses are reported on standard error.
pub fn run(arguments: &ConvertArguments) -> Status {
    let bar = Bar::new(true);
    bar.say("converting");
    let part = part_of(arguments);
    let options = arguments.read.options();
    let outcome = convert(&arguments.input, &arguments.output, &part, &options, &bar);
    bar.clear();
    match outcome {
        Ok(Converted { notices, what }) => {
            report_problems(&notices, true);
            say(&format!("wrote {}: {what}", arguments.output.display()));
            Status::Clean
        }
        Err(problems) => {
            report_problems(&problems.0, false);
            Status::BadInput
        }
    }
}

fn part_of(arguments: &ConvertArguments) -> Part {
    match (&arguments.pair, arguments.finding, arguments.frame) {
        (Some(pair), ..) => Part::Pair(pair.clone(), arguments.frame),
        (None, Some(finding), _) => Part::Finding(finding.get()),
        (None, None, Some(frame)) => Part::Frame(frame),
        (None, None, None) => Part::Whole,
    }
}
