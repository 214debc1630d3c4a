//! Runs the user's program again and again, and judges what it records: `hitstop tune`, `determinism` and `bisect`; and a reproduction: `hitstop repro`.
//!
//! A command comes from the command line, or from the user of the window, who sees it before it runs: never from a log or a scene. Each run is a
//! process group with a time limit, and a log that was not judged whole is an error of its run, never "no findings".

mod bisect;
mod bracket;
mod build_list;
mod determinism;
mod git;
mod history;
mod names;
mod present;
mod process;
mod program;
mod question;
mod reproduction;
mod sentence;
mod statistics;
mod template;
mod time_left;
mod trial;
mod tune;
mod unused;
mod values;

pub use bisect::{BisectSettings, Bisected, Revision, Revisions, Verdict, bisect};
pub use determinism::{Determined, Difference, determinism};
pub use program::{Failure, Program, Watch};
pub use question::{Pattern, Sighting};
pub use reproduction::failing_phases;
pub use statistics::upper_bound;
pub use template::Template;
pub use trial::Batch;
pub use tune::{Row, Search, Suggestion, TuneSettings, Tuned, expected_runs, tune};
pub use values::{Parameter, Phase, RESERVED, proposed_values};
