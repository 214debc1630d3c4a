//! The program as run from a shell: arguments, files, exit status.

mod json_schema;
mod listen;
mod shell;

mod check;
mod ci;
mod compare;
mod fleet;
mod formats;
mod recorders;
mod report;
#[cfg(unix)]
mod signals;
mod untrusted;
