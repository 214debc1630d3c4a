//! The program `hitstop`.

use std::ffi::OsString;
use std::process::ExitCode;

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    hitstop::program::run(&Vec::<OsString>::from_iter(std::env::args_os())).into()
}
