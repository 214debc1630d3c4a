//! Who may know whom: the rooms of the core know only the rooms before them, and nobody in the core knows the window.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of `src/core`, left to right.
const ROOMS: [&str; 13] = [
    "problem",
    "progress",
    "number",
    "tolerance",
    "shape",
    "query",
    "bounds",
    "broad_phase",
    "scene",
    "replay",
    "log",
    "level",
    "diagnose",
];

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

fn files_of(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(folder);
    let mut paths = Vec::new();
    rust_files(&root, &mut paths);
    paths.sort();
    assert!(!paths.is_empty());
    let relative = |path: &Path| {
        path.strip_prefix(&root)
            .unwrap()
            .to_string_lossy()
            .replace('\\', "/")
    };
    paths
        .iter()
        .map(|path| (relative(path), fs::read_to_string(path).unwrap()))
        .collect()
}

/// The code of a file before its unit tests, without comments.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    code.lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn rooms_of_the_core_know_only_the_rooms_before_them() {
    for (file, text) in files_of("core") {
        let room = file.split(['/', '.']).next().unwrap();
        let Some(place) = ROOMS.iter().position(|name| *name == room) else {
            assert_eq!(
                file, "mod.rs",
                "src/core/{file} belongs to no room; add the room to this list"
            );
            continue;
        };
        let code = code(&text);
        for later in &ROOMS[place + 1..] {
            assert!(
                !code.contains(&format!("crate::core::{later}")),
                "src/core/{file} knows `{later}`, which comes after `{room}`"
            );
        }
    }
}

#[test]
fn the_core_knows_no_window_and_no_command_line() {
    for (file, text) in files_of("core") {
        let code = code(&text);
        for outside in [
            "egui",
            "eframe",
            "rfd",
            "clap",
            "crate::app",
            "crate::cli",
            "std::time",
            "rand::",
        ] {
            assert!(!code.contains(outside), "src/core/{file} names {outside}");
        }
    }
}

#[test]
fn only_scenes_logs_and_levels_read_files() {
    for (file, text) in files_of("core") {
        let allowed = ["scene/", "log/", "level"]
            .iter()
            .any(|room| file.starts_with(room));
        assert!(
            allowed || !code(&text).contains("std::fs"),
            "src/core/{file} reads files"
        );
    }
}

#[test]
fn panels_do_not_know_each_other() {
    for (file, text) in files_of("app") {
        let Some(panel) = file
            .strip_prefix("panel/")
            .filter(|panel| *panel != "mod.rs")
        else {
            continue;
        };
        let others = code(&text);
        assert!(!others.contains("super::super::panel::"), "src/app/{file}");
        assert!(
            !others.contains("crate::app::panel::"),
            "src/app/panel/{panel} knows another panel"
        );
    }
}

#[test]
fn the_viewport_does_not_know_the_panels() {
    for (file, text) in files_of("app") {
        if file.starts_with("viewport/") {
            assert!(
                !code(&text).contains("panel::"),
                "src/app/{file} knows a panel"
            );
        }
    }
}
