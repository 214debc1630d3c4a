//! Who may know whom: the rooms of the core know only the rooms before them, and nobody in the core knows the window.

use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of `src/core`, left to right.
const ROOMS: [&str; 14] = [
    "problem",
    "progress",
    "escape",
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

/// The words of Rust text: names, `::`, and every other sign by itself; no comments, strings or characters.
fn words(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let at = |index: usize| chars.get(index).copied().unwrap_or('\0');
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut words, mut i) = (Vec::new(), 0);
    while i < chars.len() {
        match (at(i), at(i + 1)) {
            ('/', '/') => i = end_of(i, |i| at(i) == '\n' || i >= chars.len()),
            ('/', '*') => {
                let mut depth = 0;
                loop {
                    match (at(i), at(i + 1)) {
                        ('/', '*') => (depth, i) = (depth + 1, i + 2),
                        ('*', '/') => (depth, i) = (depth - 1, i + 2),
                        _ => i += 1,
                    }
                    if depth == 0 || i >= chars.len() {
                        break;
                    }
                }
            }
            ('r', '"' | '#') if at(i + 1) == '"' || matches!(at(i + 2), '"' | '#') => {
                let hashes = (i + 1..).take_while(|&i| at(i) == '#').count();
                let closes = |i: usize| at(i) == '"' && (1..=hashes).all(|k| at(i + k) == '#');
                i = end_of(i + hashes + 2, |i| closes(i) || i >= chars.len()) + hashes + 1;
            }
            ('"', _) => {
                i += 1;
                while i < chars.len() && at(i) != '"' {
                    i += if at(i) == '\\' { 2 } else { 1 };
                }
                i += 1;
            }
            // A character, not a lifetime.
            ('\'', '\\') => i = end_of(i + 3, |i| at(i) == '\'' || i >= chars.len()) + 1,
            ('\'', _) if at(i + 2) == '\'' => i += 3,
            (':', ':') => {
                words.push("::".to_owned());
                i += 2;
            }
            (c, _) if is_name(c) => {
                let end = end_of(i, |i| !is_name(at(i)));
                words.push(chars[i..end].iter().collect());
                i = end;
            }
            (c, _) => {
                if !c.is_whitespace() {
                    words.push(c.to_string());
                }
                i += 1;
            }
        }
    }
    words
}

fn end_of(from: usize, is_end: impl Fn(usize) -> bool) -> usize {
    (from..).find(|&i| is_end(i)).unwrap()
}

/// Every path that a file's code names, but for its unit tests: `use` trees spread out, `self` and `super` resolved.
struct Paths {
    words: Vec<String>,
    at: usize,
    /// Of the code at hand.
    module: Vec<String>,
    found: Vec<Vec<String>>,
}

impl Paths {
    /// Of a file by its place below `src`.
    fn of(file: &str, text: &str) -> Vec<Vec<String>> {
        let place = file.strip_suffix(".rs").unwrap();
        let place = place.strip_suffix("/mod").unwrap_or(place);
        let module = std::iter::once("crate").chain(place.split('/'));
        let mut paths = Self {
            words: words(text),
            at: 0,
            module: module.map(str::to_owned).collect(),
            found: Vec::new(),
        };
        paths.block();
        paths.found
    }

    fn word(&self, ahead: usize) -> &str {
        self.words.get(self.at + ahead).map_or("", String::as_str)
    }

    fn follows(&self, words: &[&str]) -> bool {
        words
            .iter()
            .enumerate()
            .all(|(ahead, word)| self.word(ahead) == *word)
    }

    /// To the end of the block that is open, or of the file.
    fn block(&mut self) {
        while self.at < self.words.len() {
            match self.word(0) {
                "}" => {
                    self.at += 1;
                    return;
                }
                "{" => {
                    self.at += 1;
                    self.block();
                }
                "#" if self.follows(&["#", "[", "cfg", "(", "test", ")", "]", "mod"]) => {
                    self.at += 10;
                    let found = self.found.len();
                    self.block();
                    self.found.truncate(found);
                }
                // Code from elsewhere, and another name for the whole: as bad as naming everything.
                "#" if self.follows(&["#", "[", "path"]) => self.name_everything(),
                "include" if self.word(1) == "!" => self.name_everything(),
                "extern" if self.word(1) == "crate" => self.name_everything(),
                "mod" if self.word(2) == "{" => {
                    let name = self.word(1).to_owned();
                    self.at += 3;
                    self.module.push(name);
                    self.block();
                    self.module.pop();
                }
                // Who may see it, not what it knows.
                "pub" if self.follows(&["pub", "(", "in"]) => {
                    while !matches!(self.word(0), ")" | "") {
                        self.at += 1;
                    }
                }
                "use" => {
                    self.at += 1;
                    self.tree(&[]);
                }
                _ => self.inline(),
            }
        }
    }

    fn name_everything(&mut self) {
        self.found.push(vec!["crate".to_owned()]);
        self.at += 1;
    }

    /// One branch of a `use`, behind what it stands on.
    fn tree(&mut self, before: &[String]) {
        let mut path = before.to_vec();
        loop {
            match self.word(0) {
                "::" => self.at += 1,
                "{" => {
                    self.at += 1;
                    while !matches!(self.word(0), "}" | "") {
                        self.tree(&path);
                        if self.word(0) == "," {
                            self.at += 1;
                        }
                    }
                    self.at += 1;
                    return;
                }
                "as" => self.at += 2,
                "," | "}" | ";" | "" => break,
                "*" => self.at += 1,
                "self" if !path.is_empty() => self.at += 1,
                name => {
                    path.push(name.to_owned());
                    self.at += 1;
                }
            }
        }
        let path = self.resolved(&path);
        self.found.push(path);
    }

    /// A word of code, and the path that begins with it.
    fn inline(&mut self) {
        let is_name = |word: &str| word.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let mut path = Vec::new();
        while is_name(self.word(0)) {
            path.push(self.word(0).to_owned());
            self.at += 1;
            if self.word(0) != "::" {
                break;
            }
            self.at += 1;
        }
        match path.len() {
            0 => self.at += 1,
            1 => {}
            _ => {
                let path = self.resolved(&path);
                self.found.push(path);
            }
        }
    }

    fn resolved(&self, path: &[String]) -> Vec<String> {
        let relative = path
            .first()
            .is_some_and(|word| word == "self" || word == "super");
        let mut whole = if relative {
            self.module.clone()
        } else {
            Vec::new()
        };
        for word in path {
            match word.as_str() {
                "self" => {}
                "super" => drop(whole.pop()),
                _ => whole.push(word.clone()),
            }
        }
        whole
    }
}

fn begins(path: &[String], start: &[&str]) -> bool {
    path.len() >= start.len() && path.iter().zip(start).all(|(word, wanted)| word == wanted)
}

/// What a file of the core names that it must not know.
fn too_far(file: &str, text: &str) -> Vec<String> {
    let room = file.split(['/', '.']).next().unwrap();
    let Some(place) = ROOMS.iter().position(|name| *name == room) else {
        assert_eq!(
            file, "mod.rs",
            "src/core/{file} belongs to no room; add the room to this list"
        );
        return Vec::new();
    };
    let is_far = |path: &Vec<String>| {
        // The whole of the core, or of the crate, in one name.
        let whole = ["crate"]
            .iter()
            .chain(&["core"])
            .take(path.len())
            .eq(path.iter());
        whole
            || ROOMS[place + 1..]
                .iter()
                .any(|later| begins(path, &["crate", "core", later]))
    };
    let paths = Paths::of(&format!("core/{file}"), text);
    paths
        .iter()
        .filter(|path| is_far(path))
        .map(|path| path.join("::"))
        .collect()
}

/// What a file of the core names of the world outside.
fn outside(file: &str, text: &str) -> Vec<String> {
    let crates = [
        "egui",
        "eframe",
        "rfd",
        "clap",
        "rand",
        "indicatif",
        "anstream",
    ];
    let is_outside = |path: &Vec<String>| {
        let whole = path.len() == 1 && (path[0] == "std" || path[0] == "crate");
        let other = [
            &["std", "time"],
            &["crate", "app"],
            &["crate", "cli"],
            &["crate", "report"],
        ];
        whole
            || crates.contains(&path[0].as_str())
            || other.iter().any(|start| begins(path, *start))
    };
    let paths = Paths::of(&format!("core/{file}"), text);
    let paths = paths.iter().filter(|path| !path.is_empty());
    paths
        .filter(|path| is_outside(path))
        .map(|path| path.join("::"))
        .collect()
}

fn names_files(file: &str, text: &str) -> bool {
    let paths = Paths::of(&format!("core/{file}"), text);
    paths.iter().any(|path| begins(path, &["std", "fs"]))
}

/// The panels that a file of the window knows, but for its own.
fn panels(file: &str, text: &str, panels: &[String]) -> Vec<String> {
    let own = file
        .strip_prefix("panel/")
        .map(|file| file.split(['/', '.']).next().unwrap());
    let knows = |path: &Vec<String>| match path.get(3) {
        _ if path.len() < 3 => ["crate", "app"].iter().take(path.len()).eq(path.iter()),
        _ if !begins(path, &["crate", "app", "panel"]) => false,
        None => true,
        Some(panel) => own.is_none() || (panels.contains(panel) && own != Some(panel.as_str())),
    };
    let paths = Paths::of(&format!("app/{file}"), text);
    paths
        .iter()
        .filter(|path| knows(path))
        .map(|path| path.join("::"))
        .collect()
}

#[test]
fn rooms_of_the_core_know_only_the_rooms_before_them() {
    for (file, text) in files_of("core") {
        let far = too_far(&file, &text);
        assert!(
            far.is_empty(),
            "src/core/{file} knows a room that comes after its own: {far:?}"
        );
    }
}

#[test]
fn the_core_knows_no_window_and_no_command_line() {
    for (file, text) in files_of("core") {
        let outside = outside(&file, &text);
        assert!(outside.is_empty(), "src/core/{file} names {outside:?}");
    }
}

#[test]
fn the_page_of_a_report_knows_the_core_alone() {
    for (file, text) in files_of("report") {
        let paths = Paths::of(&format!("report/{file}"), &text);
        let strangers: Vec<String> = paths
            .iter()
            .filter(|path| {
                ["app", "cli", "bundled"]
                    .iter()
                    .any(|room| begins(path, &["crate", room]))
            })
            .map(|path| path.join("::"))
            .collect();
        assert!(
            strangers.is_empty(),
            "src/report/{file} knows {strangers:?}"
        );
        assert!(!names_files(&file, &text), "src/report/{file} reads files");
    }
}

#[test]
fn only_scenes_logs_and_levels_read_files() {
    for (file, text) in files_of("core") {
        let mut rooms = ["scene/", "log/", "level"].iter();
        let allowed = rooms.any(|room| file.starts_with(room));
        assert!(
            allowed || !names_files(&file, &text),
            "src/core/{file} reads files"
        );
    }
}

#[test]
fn panels_do_not_know_each_other_and_the_viewport_knows_none() {
    let files = files_of("app");
    let stem = |file: &str| {
        Some(
            file.strip_prefix("panel/")?
                .split(['/', '.'])
                .next()?
                .to_owned(),
        )
    };
    let all: Vec<String> = files.iter().filter_map(|(file, _)| stem(file)).collect();
    assert!(all.len() > 5, "{all:?}");
    for (file, text) in files {
        let judged = file.starts_with("viewport/") || file.starts_with("panel/");
        if judged && file != "panel/mod.rs" {
            let known = panels(&file, &text, &all);
            assert!(known.is_empty(), "src/app/{file} knows {known:?}");
        }
    }
}

/// Ways around the rules above, and what only looks like one.
#[test]
fn no_way_of_writing_a_path_evades_the_rules() {
    for text in [
        "use crate::core::replay::Frame;",
        "use crate::core::{replay, shape};",
        "use crate::{core::{shape::Pose, replay::{Frame, Leg}}};",
        "use super::super::replay::Frame;",
        "use super::super::{shape, replay as past};",
        "use super::super as up;",
        "use crate::core as c;",
        "use crate::core::*;",
        "use crate::core::{self};",
        "use crate as whole;",
        "pub(crate) use self::super::super::replay;",
        "fn f() -> super::super::replay::Frame { todo!() }",
        "fn f() { let x = crate :: core /* really */ :: replay::frame(); }",
        "mod inner { use super::super::super::replay::Frame; }",
        "macro_rules! m { () => { $crate::core::replay::Frame } }",
        "#[cfg(test)]\nmod tests { }\nuse crate::core::replay::Frame;",
        "const S: &str = \"// \\\" {\"; use crate::core::replay::Frame;",
        "const R: &str = r#\"a\" // {\"#; use crate::core::replay::Frame;",
        "const C: char = '\"'; use crate::core::replay::Frame; const D: char = '\"';",
        "extern crate self as me; use me::core::replay;",
        "#[path = \"../replay/mod.rs\"] mod past;",
        "include!(\"../replay/mod.rs\");",
    ] {
        assert!(!too_far("query/ray_cast.rs", text).is_empty(), "{text}");
    }
    for text in [
        "use super::super::shape::{Pose, Motion};",
        "use super::{probe, *};",
        "pub(super) fn f<'a>(x: &'a str) {}",
        "pub(in crate::core) fn f() {}",
        "// use crate::core::replay::Frame;",
        "/* use /* nested */ crate::core::replay::Frame; */",
        "const S: &str = \"crate::core::replay::Frame\";",
        "fn replay() { replay::x(); }",
        "#[cfg(test)]\nmod tests { use crate::core::replay::Frame; fn f() { if x { y } } }",
    ] {
        assert_eq!(too_far("query/ray_cast.rs", text), [""; 0], "{text}");
    }
    let far = too_far("level.rs", "use super::diagnose::Report;");
    assert_eq!(far, ["crate::core::diagnose::Report"]);
    assert!(!too_far("level.rs", "use super::*;").is_empty());

    for text in [
        "use std::{fmt, time::Instant};",
        "fn f() { std::time::Instant::now(); }",
        "use std as s;",
        "use {clap::Parser, std::fmt};",
        "use crate::{cli, core::shape};",
        "use super::super::super::app;",
    ] {
        assert!(!outside("query/ray_cast.rs", text).is_empty(), "{text}");
    }
    assert!(names_files("replay/mod.rs", "use std::{fmt, fs::File};"));
    assert!(names_files("replay/mod.rs", "fn f() { std::fs::read(p); }"));

    let all = ["findings", "timeline"].map(str::to_owned);
    for (file, text) in [
        ("panel/findings.rs", "use super::timeline::Ruler;"),
        ("panel/findings.rs", "use super::super::panel::timeline;"),
        (
            "panel/findings.rs",
            "use crate::app::{panel::timeline, text};",
        ),
        ("panel/timeline/ruler.rs", "use super::super::findings;"),
        ("panel/findings.rs", "use super::super as up;"),
        ("viewport/hud.rs", "use super::super::panel::findings;"),
        ("viewport/hud.rs", "use crate::app::{panel};"),
    ] {
        assert!(!panels(file, text, &all).is_empty(), "{file}: {text}");
    }
    let own = "use super::ruler::Ruler; use crate::app::text;";
    assert_eq!(panels("panel/timeline/phases.rs", own, &all), [""; 0]);
}
