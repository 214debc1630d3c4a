//! The program as run from a shell: arguments, files, exit status.

mod game_log;
#[path = "../../docs/record/hitstop_log.rs"]
mod hitstop_log;
mod json_schema;
mod leaks;
mod listen;
mod shell;

mod check;
mod ci;
mod compare;
mod conformance;
#[cfg(feature = "parquet")]
mod findings_table;
mod fleet;
mod formats;
mod gltf;
#[cfg(feature = "mcp")]
mod mcp;
mod record_js;
mod record_unity;
mod recorders;
mod report;
mod repro;
mod result_cache;
#[cfg(unix)]
mod runs;
#[cfg(unix)]
mod runs_bisect;
#[cfg(unix)]
mod signals;
mod untrusted;
mod why;
