//! Helpers that run the program from a shell.

use std::path::Path;
use std::process::{Command, Output};

pub const BULLET: &str = "scenes/bullet_through_paper.ron";
pub const RECORDED: &str = "scenes/recordings/warehouse.jsonl";
pub const CLEAN: &str = "scenes/recordings/warehouse_ccd.jsonl";

/// Runs the program in the repository's root, without a display.
pub fn hitstop(arguments: &[&str]) -> Output {
    hitstop_with(arguments, &[])
}

/// The same, with variables of the environment.
pub fn hitstop_with(arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hitstop"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .envs(variables.iter().copied())
        .output()
        .expect("the program starts")
}

pub fn status(output: &Output) -> i32 {
    output.status.code().expect("the program ends by itself")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A folder with files in it.
pub fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

pub fn text_of(path: impl AsRef<Path>) -> String {
    path.as_ref().to_str().unwrap().to_owned()
}
