//! Dependencies between modules: those of the core use only the ones before them, and nothing in the core uses the window.
//!
//! A scan of text laid out by `rustfmt`: comments end their line, and unit tests are the last module of a file.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The modules of `src/core`, in order.
const MODULES: &str = "problem progress escape file bytes table number random tolerance shape query bounds broad_phase schema import scene replay log level live diagnose explain_motion explain_move explain_query leaks repro fleet edit";

/// The modules of `src/core/diagnose`, in order.
const OF_DIAGNOSE: &str = "kind cause evidence fix shape_metrics level_facts judge facts finding what_if causes detect report diagnosis minimal_scene";

/// Paths that the core does not use: the window, the command line, saving, clocks.
const OUTSIDE: &str = "crate::app crate::cli crate::report crate::run crate::save crate::view std::process std::time egui eframe rfd clap rand indicatif anstream";

/// The files below `src`/`folder`: their path below `src`, and their text.
fn files(folder: &str) -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let (mut found, mut folders) = (Vec::new(), vec![root.join(folder)]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let place = path.strip_prefix(&root).unwrap().to_string_lossy();
                let text = fs::read_to_string(&path).unwrap();
                found.push((place.replace('\\', "/"), text));
            }
        }
    }
    assert!(!found.is_empty());
    found
}

/// The paths that a file uses, unit tests left out: `use` trees expanded, `self` and `super` resolved.
fn paths(file: &str, text: &str) -> Vec<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let lines = code.lines().map(|line| line.split("//").next().unwrap());
    let code = String::from_iter(lines.flat_map(|line| [" ", line.trim()]));
    // Visibility is no dependency.
    let code = code.replace("pub(in crate", "pub(");
    let mut parts = code.split(" use ");
    let (mut found, mut inline) = (Vec::new(), parts.next().unwrap().to_owned());
    for part in parts {
        let (tree, rest) = part.split_once(';').unwrap_or((part, ""));
        spread("", tree, &mut found);
        inline += rest;
    }
    let words = inline.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    found.extend(words.filter(|word| word.contains("::")).map(str::to_owned));
    found.iter().map(|path| resolved(file, path)).collect()
}

/// Collects the paths of a `use` tree.
fn spread(before: &str, tree: &str, found: &mut Vec<String>) {
    let Some((head, rest)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap();
        return found.push(format!("{before}{}", path.trim()));
    };
    let before = format!("{before}{}", head.trim());
    let inner = rest.rsplit_once('}').map_or(rest, |inner| inner.0);
    let mut depth = 0;
    let branches = inner.split(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    });
    for branch in branches.filter(|branch| !branch.trim().is_empty()) {
        spread(&before, branch, found);
    }
}

/// The path of a file's module.
fn module_of(file: &str) -> String {
    let place = file.trim_end_matches(".rs").trim_end_matches("/mod");
    format!("crate/{place}").replace('/', "::")
}

fn resolved(file: &str, path: &str) -> String {
    let is_relative = path.starts_with("self") || path.starts_with("super");
    let module = module_of(file);
    let mut whole: Vec<&str> = module.split("::").filter(|_| is_relative).collect();
    for name in path.split("::") {
        match name {
            "self" | "*" | "" => {}
            "super" => drop(whole.pop()),
            _ => whole.push(name),
        }
    }
    whole.join("::")
}

/// Whether a path is one of these modules, or in it.
fn is_in<'m>(path: &str, mut modules: impl Iterator<Item = &'m str>) -> bool {
    modules.any(|module| {
        let rest = path.strip_prefix(module);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
    })
}

/// The paths in a file of the core that it must not use.
fn too_far(file: &str, text: &str) -> Vec<String> {
    let own = file.split(['/', '.']).nth(1).unwrap();
    let mut later = MODULES.split(' ').skip_while(|module| *module != own);
    let known = later.next().is_some() || file == "core/mod.rs";
    assert!(known, "src/{file}: add its module to the list");
    // These read what another program is writing. No result may depend on the time.
    let waits = ["file", "log", "level", "live"].contains(&own);
    let mut paths = paths(file, text);
    paths.retain(|path| {
        let module = path.strip_prefix("crate::core::").unwrap_or_default();
        // A scene references mesh files, and their content becomes objects of a scene.
        let is_near = own == "import" && is_in(module, ["scene"].into_iter());
        !is_near && is_in(module, later.clone())
            || ["crate", "crate::core"].contains(&path.as_str())
            || is_in(path, OUTSIDE.split(' ')) && !(waits && is_in(path, ["std::time"].into_iter()))
            || is_in(path, ["std::fs"].into_iter()) && own != "file"
    });
    paths
}

/// The panels that a panel or a file of the viewport uses, except itself.
fn other_panels(file: &str, text: &str) -> Vec<String> {
    let own = file.strip_prefix("app/panel/").unwrap_or_default();
    let own = own.split(['/', '.']).take(1);
    let mut paths = paths(file, text);
    paths.retain(|path| {
        let panel = path.strip_prefix("crate::app::panel::");
        panel.is_some_and(|panel| !is_in(panel, own.clone()))
            || ["crate", "crate::app", "crate::app::panel"].contains(&path.as_str())
    });
    paths
}

/// The modules among these files that import each other in a circle, and those on a path from one circle to another. The parents of a
/// module are no imports.
fn circles(files: &[(String, String)]) -> Vec<String> {
    let modules: BTreeSet<String> = files.iter().map(|(file, _)| module_of(file)).collect();
    let imports = |(file, text): &(String, String)| {
        let own = module_of(file);
        let module = |mut path: String| {
            while !path.is_empty() && !modules.contains(&path) {
                path.truncate(path.rfind("::").unwrap_or(0));
            }
            (!is_in(&own, [&*path].into_iter())).then_some(path)
        };
        let paths = paths(file, text).into_iter();
        let found = paths.flat_map(|path| [format!("{own}::{path}"), path]);
        (own.clone(), found.filter_map(module).collect())
    };
    let mut left: BTreeMap<String, BTreeSet<String>> = files.iter().map(imports).collect();
    loop {
        let (before, all) = (left.len(), left.clone());
        let used: BTreeSet<&String> = all.values().flatten().collect();
        left.retain(|module, imports| {
            used.contains(module) && imports.iter().any(|one| all.contains_key(one))
        });
        if left.len() == before {
            return left.into_keys().collect();
        }
    }
}

#[test]
fn core_modules_depend_on_earlier_ones_only_and_not_on_the_window() {
    for (file, text) in files("core") {
        assert_eq!(too_far(&file, &text), [""; 0], "src/{file}");
    }
}

#[test]
fn modules_of_diagnosis_depend_on_earlier_ones_only() {
    for (file, text) in files("core/diagnose") {
        let own = file.split(['/', '.']).nth(2).unwrap();
        if own == "mod" {
            continue;
        }
        let later = OF_DIAGNOSE.split(' ').skip_while(|module| *module != own);
        assert!(
            later.clone().next().is_some(),
            "src/{file}: add its module to the list"
        );
        let mut paths = paths(&file, &text);
        paths.retain(|path| {
            let module = path.strip_prefix("crate::core::diagnose").unwrap_or("::");
            let module = module.trim_start_matches("::");
            // What the module exports again is above all of them.
            path == "crate::core::diagnose"
                || is_in(module, later.clone().skip(1))
                || path.starts_with("crate::core::diagnose::")
                    && module.starts_with(char::is_uppercase)
        });
        assert_eq!(paths, [""; 0], "src/{file}");
    }
}

#[test]
fn the_html_report_depends_on_the_core_only_and_reads_no_file() {
    for (file, text) in files("report") {
        let others = [
            "crate::app",
            "crate::cli",
            "crate::bundled",
            "crate::save",
            "std::fs",
        ];
        let mut paths = paths(&file, &text);
        paths.retain(|path| is_in(path, others.into_iter()));
        assert_eq!(paths, [""; 0], "src/{file}");
    }
}

#[test]
fn what_runs_programs_depends_on_the_core_only() {
    for (file, text) in files("run") {
        let mut paths = paths(&file, &text);
        paths.retain(|path| {
            path.starts_with("crate::") && !is_in(path, ["crate::core", "crate::run"].into_iter())
        });
        assert_eq!(paths, [""; 0], "src/{file}");
    }
}

#[test]
fn nothing_but_the_program_uses_the_command_line() {
    for (file, text) in ["app", "convert", "report", "run", "view"]
        .map(files)
        .concat()
    {
        let mut paths = paths(&file, &text);
        paths.retain(|path| is_in(path, ["crate::cli"].into_iter()));
        assert_eq!(paths, [""; 0], "src/{file}");
    }
}

#[test]
fn panels_do_not_depend_on_each_other_nor_the_viewport_on_them() {
    for (file, text) in ["viewport", "panel", "authoring"]
        .map(|folder| files(&format!("app/{folder}")))
        .concat()
    {
        assert_eq!(other_panels(&file, &text), [""; 0], "src/{file}");
    }
}

#[test]
fn no_modules_import_each_other_in_a_circle() {
    let mut files = ["app", "cli", "convert", "core", "report", "run", "view"]
        .map(files)
        .concat();
    // A scene references mesh files, and their content becomes objects of a scene.
    files.retain(|(file, _)| !file.starts_with("core/import/"));
    assert_eq!(circles(&files), [""; 0]);
    let file = |name: &str, text: &str| (format!("app/{name}.rs"), text.to_owned());
    let tied = [
        file("a/mod", "mod b;\nuse b::B;\n"),
        file("a/b", "use super::super::c::{C, D};\nuse super::A;\n"),
        file("c", "fn f() -> crate::app::a::A { todo!() }\n"),
        file("d", "use super::a::A;\nuse std::fmt;\n"),
    ];
    assert_eq!(
        circles(&tied),
        ["crate::app::a", "crate::app::a::b", "crate::app::c"]
    );
    assert_eq!(circles(&tied[..2]), [""; 0]);
}

#[test]
fn every_path_spelling_is_found() {
    for (is_far, text) in [
        (
            true,
            "pub(crate) use crate::{\n    core::{shape::Pose, replay::{Frame, Leg}},\n};",
        ),
        (true, "use super::super::{shape, replay as past};"),
        (true, "use super::super as up;"),
        (true, "use crate::core::*;"),
        (true, "fn f() -> super::super::replay::Frame { todo!() }"),
        (true, "use std::{fmt, time::Instant};"),
        (true, "use std::time::Duration;"),
        (true, "fn f() { std::fs::read(path); }"),
        (true, "fn f(ui: &mut egui::Ui) {}"),
        (false, "use super::super::shape::{Pose, Motion};"),
        (false, "// use crate::core::replay::Frame;"),
        (
            false,
            "#[cfg(test)]\nmod tests {\n    use crate::core::replay::Frame;\n}",
        ),
    ] {
        assert_eq!(
            !too_far("core/query/ray_cast.rs", text).is_empty(),
            is_far,
            "{text}"
        );
    }
    let text = "use super::timeline::Ruler;";
    assert_eq!(other_panels("app/panel/findings.rs", text).len(), 1);
    assert_eq!(other_panels("app/panel/timeline.rs", text).len(), 0);
}
