//! Writes recordings as Parquet: `tables FOLDER RECORDING..`

use std::path::PathBuf;

fn main() -> std::io::Result<()> {
    let mut paths = std::env::args_os().skip(1).map(PathBuf::from);
    let folder = paths.next().unwrap_or_default();
    hitstop_fuzz::write_tables(&Vec::from_iter(paths), &folder)
}
