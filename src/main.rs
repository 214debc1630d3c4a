//! The program `hitstop`.

use std::ffi::OsString;
use std::process::ExitCode;

fn main() -> ExitCode {
    hitstop::program::run(&Vec::<OsString>::from_iter(std::env::args_os())).into()
}
