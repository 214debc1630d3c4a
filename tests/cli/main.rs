//! The program as a shell runs it: its words, its files, its exit status.

mod json_schema;
mod shell;

mod check;
mod ci;
mod compare;
mod formats;
mod report;
#[cfg(unix)]
mod signals;
mod untrusted;
