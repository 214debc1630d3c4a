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
    writeln!(out, ".SH \"EXIT STATUS\"")?;
    for (status, meaning) in [
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
    ] {
        writeln!(out, ".TP\n\\fB{status}\\fR\n{meaning}")?;
    }
    page.render_version_section(out)
}
