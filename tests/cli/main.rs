//! The program as a shell runs it: its words, its files, its exit status.

mod shell;

mod check;
mod ci;
mod compare;
mod formats;
mod report;
#[cfg(unix)]
mod signals;
