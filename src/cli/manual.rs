//! `hitstop completions` and `hitstop man`, generated from the argument definitions.

use super::print::write_out;
use super::{Arguments, Status};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};

/// Prints the completions of a shell.
pub fn completions(shell: Shell) -> Status {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "hitstop", &mut script);
    write_out(&script)
}

/// Prints the manual: a page for the program, then one for each command, all in one roff document.
pub fn man() -> Status {
    let mut page = Vec::new();
    match pages(&mut page) {
        Ok(()) => write_out(&page),
        Err(_) => Status::Fault,
    }
}

fn pages(out: &mut Vec<u8>) -> io::Result<()> {
    let mut program = Arguments::command();
    program.build();
    let page = clap_mangen::Man::new(program.clone()).section("1");
    page.render_title(out)?;
    page.render_name_section(out)?;
    page.render_synopsis_section(out)?;
    page.render_description_section(out)?;
    page.render_options_section(out)?;
    for command in program.get_subcommands() {
        let name = command.get_name().to_uppercase();
        writeln!(out, ".SH \"HITSTOP {name}\"")?;
        let page = clap_mangen::Man::new(command.clone());
        let mut parts = Vec::new();
        page.render_synopsis_section(&mut parts)?;
        page.render_description_section(&mut parts)?;
        page.render_options_section(&mut parts)?;
        // Sections of a command are subsections of the manual.
        out.extend(
            String::from_utf8_lossy(&parts)
                .replace(".SH ", ".SS ")
                .into_bytes(),
        );
    }
    entries(out, "EXAMPLES", &EXAMPLES)?;
    entries(out, "EXIT STATUS", &STATUS)?;
    entries(out, "ENVIRONMENT", &ENVIRONMENT)?;
    entries(out, "FILES", &FILES)?;
    page.render_version_section(out)
}

/// A section of terms and what they are.
fn entries(out: &mut Vec<u8>, title: &str, entries: &[(&str, &str)]) -> io::Result<()> {
    writeln!(out, ".SH \"{title}\"")?;
    for (term, meaning) in entries {
        let term = term.replace('\\', "\\e").replace('-', "\\-");
        writeln!(out, ".TP\n\\fB{term}\\fR\n{meaning}")?;
    }
    Ok(())
}

const EXAMPLES: [(&str, &str); 8] = [
    (
        "hitstop level.jsonl",
        "Opens a log in the window, at its first finding.",
    ),
    (
        "hitstop check levels --baseline known.json",
        "Diagnoses each level of a folder; fails on a finding that is not in the list.",
    ),
    (
        "hitstop check level.jsonl --what-if",
        "Also prints the smallest change of each number that removes a finding.",
    ),
    (
        "hitstop report level.jsonl --replay --out level.html",
        "Writes a page that plays the recording in a browser.",
    ),
    (
        "hitstop convert level.jsonl bug.ron --finding 1",
        "Makes a scene of the two objects of a finding: a test.",
    ),
    (
        "hitstop tune --param substeps=1..64 -- ./game --substeps {substeps} --record {log}",
        "Finds the number of substeps at which the findings of a game are gone.",
    ),
    (
        "hitstop repro level.jsonl --finding 1 --for log --out small.jsonl",
        "Shrinks a log for a bug report.",
    ),
    (
        "hitstop listen --no-window --once --save run.jsonl.zst",
        "Receives one recording of a running game, checks it and keeps it.",
    ),
];

const STATUS: [(&str, &str); 4] = [
    ("0", "nothing to report"),
    (
        "1",
        "findings that fail, expectations that failed, levels or runs that differ, or a value or revision that was not found",
    ),
    (
        "2",
        "the input could not be used, or the output not be written",
    ),
    ("3", "internal error"),
];

const ENVIRONMENT: [(&str, &str); 4] = [
    ("NO_COLOR", "Where it is set, output has no colours."),
    (
        "HITSTOP_LOG, HITSTOP_PORT, HITSTOP_NAME",
        "Set for a program that tune, determinism or bisect runs: the path of its log, the port that receives its recording, and the value of the parameter NAME.",
    ),
    (
        "HITSTOP_FILE",
        "Set for the command of repro: the file that was written.",
    ),
    (
        "AWS_ACCESS_KEY_ID and others",
        "Credentials and address of an object store, in a build with the feature object-store.",
    ),
];

const FILES: [(&str, &str); 3] = [
    (
        "$XDG_CONFIG_HOME/hitstop",
        "Settings of the window, and changes of scenes that were not saved; by default in ~/.config. Commands on the command line read none of it.",
    ),
    (
        "$XDG_DATA_HOME/hitstop",
        "Recordings that were received from games; by default in ~/.local/share.",
    ),
    (
        "$XDG_CACHE_HOME/hitstop",
        "Large recordings, so that they open at once; by default in ~/.cache. It can be deleted.",
    ),
];
