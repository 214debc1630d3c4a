//! Untrusted input: names with terminal escapes, devices instead of files, levels without content.

use crate::shell::{BULLET, folder, hitstop, status, stderr, stdout, text_of};
use hitstop::core::escape::is_unsafe;
use serde_json::Value;
use std::path::Path;

/// Clears a screen, sets a window's title, reverses text, and forges lines and commands of CI services; 45 is a colour that no report uses.
const NAME: &str = "\u{1b}[45m\u{1b}]0;pwn\u{7}\u{1b}[2J\u{9b}45m\u{202e}\u{2066}\u{200f}\u{2028}a\tb\r\nforged: nothing found\r ::error::no ##[add-mask]o";

/// The name in the quotes of JSON and RON.
fn quoted(name: &str) -> String {
    let escape = |c: char| match c {
        '\u{1b}' => "\\u001b".to_owned(),
        c if c < ' ' => format!("\\u{:04x}", u32::from(c)),
        c => c.to_string(),
    };
    name.chars().map(escape).collect()
}

/// A ball of that name passes a wall of that name in frame 2; an expectation fails, and a line is bad.
fn hostile_log() -> String {
    let name = quoted(NAME);
    let header = format!(
        r#"{{"hitstop":1,"name":"{name}","dt":0.5,"objects":[{{"id":0,"name":"{name}","shape":{{"sphere":{{"radius":0.1}}}}}},{{"id":1,"name":"{name}","shape":{{"box":{{"half_extents":[0.05,1,1]}}}},"motion":"fixed","{name}":1}}]}}"#
    );
    let frames = [-1.25, -0.75, -0.25, 0.25, 0.75].iter().enumerate();
    let frames = frames
        .map(|(frame, x)| format!(r#"{{"frame":{frame},"bodies":[{{"id":0,"p":[{x},0,0]}}]}}"#));
    let bad = format!(r#"{{"frame":9,"bodies":"{name}"}}"#);
    let lines: Vec<String> = [header].into_iter().chain(frames).chain([bad]).collect();
    lines.join("\n")
}

fn hostile_scene() -> String {
    let name = quoted(NAME).replace("\\u00", "\\x");
    format!(
        r#"Scene(version: 1, name: "{name}", dt: 0.5, frames: 2, objects: [
            (name: "{name}", shape: Sphere(radius: 0.1), position: (-0.25, 0, 0), velocity: (1, 0, 0)),
            (name: "wall{name}", shape: Box(half_extents: (0.05, 1, 1)), motion: Fixed)],
        expect: [NoFindings, NeverTouches(a: "{name}", b: "wall{name}"),
            Touches(a: "{name}", b: "wall{name}", expected_to_fail: "{name}")])"#
    )
}

/// Without the colours of the report itself.
fn without_colours(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        out += before;
        let digits = after.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        let style = &after[..after.len() - digits.len()];
        match digits.strip_prefix('m') {
            Some(more) if style != "45" => rest = more,
            _ => {
                out += "\u{1b}[";
                rest = after;
            }
        }
    }
    out + rest
}

#[track_caller]
fn is_safe(text: &str, arguments: &[&str]) {
    let plain = without_colours(text);
    let found: Vec<char> = plain
        .chars()
        .filter(|c| *c != '\n' && is_unsafe(*c))
        .collect();
    assert!(found.is_empty(), "{arguments:?}: {found:?} in {plain}");
    let forged = plain
        .lines()
        .find(|line| line.trim_start().starts_with("forged"));
    assert_eq!(forged, None, "{arguments:?}: {plain}");
}

/// What a service of continuous integration does not take as a command.
#[track_caller]
fn is_safe_in_log(text: &str, arguments: &[&str]) {
    is_safe(text, arguments);
    let plain = without_colours(text);
    let command = plain
        .lines()
        .find(|line| line.trim_start().starts_with("::") || line.contains("##["));
    assert_eq!(command, None, "{arguments:?}: {plain}");
}

/// Names were printed unescaped: a log could clear the screen of its reader, and forge a report.
#[test]
fn names_are_escaped_for_the_terminal_and_begin_no_line() {
    let folder = folder(&[
        ("a.jsonl", &hostile_log()),
        ("b.ron", &hostile_scene()),
        ("bad.ron", &format!("Scene(version: 1,\n \t{NAME} x")),
        ("known.json", "{\"hitstop_baseline\": 1, \"findings\": []}"),
    ]);
    let at = |name: &str| text_of(folder.path().join(name));
    let (log, scene, bad, known) = (at("a.jsonl"), at("b.ron"), at("bad.ron"), at("known.json"));
    let listed = at("listed.json");
    hitstop(&["check", &log, "--write-baseline", &listed]);
    let gone = std::fs::read_to_string(&listed)
        .unwrap()
        .replace("\"frame\":2", "\"frame\":4000");
    std::fs::write(&listed, gone).unwrap();
    let page = at("page.html");
    for arguments in [
        vec!["check", &log],
        vec!["check", "--what-if", &scene],
        vec!["check", &bad],
        vec!["check", &log, "--baseline", &known],
        vec!["check", &log, "--baseline", &listed],
        vec!["check", &scene, "--format", "json"],
        vec!["check", &scene, "--format", "sarif"],
        vec!["check", &log, "--summary"],
        vec!["leaks", &scene, "--trials", "2"],
        vec!["why", &log, NAME, "--frame", "2"],
        vec!["why", &log, NAME, "--format", "json"],
        vec!["compare", &log, &scene],
        vec!["compare", &log, &scene, "--format", "json"],
        vec!["convert", &log, &scene],
        vec!["report", &log, "--out", &page],
        vec!["check", "--fail-on", NAME, &log],
        vec![NAME, NAME],
    ] {
        for colour in ["always", "never"] {
            let mut all = arguments.clone();
            all.extend(["--color", colour]);
            let output = hitstop(&all);
            is_safe_in_log(&stdout(&output), &all);
            is_safe_in_log(&stderr(&output), &all);
        }
    }
    let text = stdout(&hitstop(&["check", &log]));
    assert!(text.contains(r"\u{1b}[45m\u{1b}]0;pwn\u{7}"), "{text}");
    is_safe(&std::fs::read_to_string(&page).unwrap(), &["the page"]);
}

#[cfg(unix)]
#[test]
fn file_names_are_escaped_for_the_terminal() {
    let folder = folder(&[]);
    let path = folder.path().join(NAME.to_owned() + ".jsonl");
    std::fs::write(&path, hostile_log()).unwrap();
    let gone = text_of(folder.path().join(NAME.to_owned() + "gone.ron"));
    let path = text_of(path);
    for arguments in [
        vec!["check", &path],
        vec!["check", text_of(folder.path()).leak()],
        vec!["check", &gone],
        vec!["compare", &path, &path],
        vec!["check", "--format", "sarif", &path],
    ] {
        for colour in ["always", "never"] {
            let mut all = arguments.clone();
            all.extend(["--color", colour]);
            let output = hitstop(&all);
            is_safe(&stdout(&output), &all);
            is_safe(&stderr(&output), &all);
        }
    }
}

/// JSON and XML have escapes of their own, so that nothing is lost.
#[test]
fn documents_keep_every_character_of_a_name() {
    let folder = folder(&[("a.jsonl", &hostile_log())]);
    let path = text_of(folder.path().join("a.jsonl"));
    let json: Value =
        serde_json::from_str(&stdout(&hitstop(&["check", "--format", "json", &path]))).unwrap();
    assert_eq!(json["name"], NAME);
    let sarif: Value =
        serde_json::from_str(&stdout(&hitstop(&["check", "--format", "sarif", &path]))).unwrap();
    assert_eq!(sarif["runs"][0]["results"][0]["properties"]["a"], NAME);
    let junit = stdout(&hitstop(&["check", "--format", "junit", &path]));
    let found: Vec<char> = junit
        .chars()
        .filter(|c| !matches!(c, '\n' | '\t') && is_unsafe(*c))
        .collect();
    assert!(found.is_empty(), "{found:?}");
    let document = uppsala::parse(&junit).unwrap();
    let text = format!("{document:?}");
    assert!(
        text.contains("\\u{202e}") || text.contains('\u{202e}'),
        "{text}"
    );
}

/// Runs the program, and kills it when it takes longer than any command here may.
#[cfg(unix)]
fn ends(arguments: &[&str]) -> std::process::Output {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};
    let mut child = Command::new(env!("CARGO_BIN_EXE_hitstop"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            panic!("{arguments:?} does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    child.wait_with_output().unwrap()
}

/// In a folder they were left out in silence once, and the run was green.
#[cfg(unix)]
#[test]
fn what_cannot_be_opened_in_a_folder_is_named() {
    let folder = folder(&[(
        "a.jsonl",
        &std::fs::read_to_string(crate::shell::RECORDED).unwrap(),
    )]);
    let at = |name: &str| folder.path().join(name);
    std::os::unix::fs::symlink("/no/such/file", at("gone.jsonl")).unwrap();
    std::os::unix::fs::symlink(folder.path(), at("folder.jsonl")).unwrap();
    let output = hitstop(&["check", &text_of(folder.path()), "--fail-on", "none"]);
    assert_eq!(status(&output), 2, "{}", stdout(&output));
    assert!(
        stderr(&output).contains("gone.jsonl: there is no such file"),
        "{}",
        stderr(&output)
    );
    assert!(
        !stderr(&output).contains("folder.jsonl"),
        "{}",
        stderr(&output)
    );
}

/// Pipes and devices were read without end.
#[cfg(unix)]
#[test]
fn pipes_and_devices_are_refused_everywhere() {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    let folder = folder(&[]);
    let at = |name: &str| text_of(folder.path().join(name));
    for ending in ["ron", "jsonl", "csv", "glb", "obj"] {
        let made = std::process::Command::new("mkfifo")
            .arg(at(&format!("pipe.{ending}")))
            .status();
        assert!(made.unwrap().success());
        symlink(at(&format!("pipe.{ending}")), at(&format!("link.{ending}"))).unwrap();
        symlink("/dev/zero", at(&format!("zero.{ending}"))).unwrap();
        symlink(folder.path(), at(&format!("folder.{ending}"))).unwrap();
        let _socket = UnixListener::bind(at(&format!("socket.{ending}"))).unwrap();
    }
    let (page, made) = (at("page.html"), at("made.ron"));
    let refused = |arguments: &[&str], kind: &str| {
        let output = ends(arguments);
        assert_eq!(status(&output), 2, "{arguments:?}: {}", stderr(&output));
        let printed = stderr(&output);
        let wanted = format!("this is a {kind}, not a file");
        assert!(
            printed.contains(&wanted) && printed.contains("help:"),
            "{arguments:?}: {printed}"
        );
    };
    for (name, kind) in [
        ("pipe", "pipe"),
        ("link", "pipe"),
        ("zero", "device"),
        ("socket", "socket"),
        ("folder", "folder"),
    ] {
        for ending in ["ron", "jsonl", "csv", "glb", "obj"] {
            let path = at(&format!("{name}.{ending}"));
            if matches!(ending, "glb" | "obj") {
                // The link to a device leads out of the folder, which is another reason.
                if name != "zero" {
                    refused(&["convert", &path, &made], kind);
                }
                continue;
            }
            refused(&["convert", &path, &made], kind);
            if name != "folder" {
                refused(&["check", &path], kind);
            }
            refused(&["compare", &path, BULLET], kind);
            refused(&["compare", BULLET, &path], kind);
            refused(&["report", &path, "--out", &page], kind);
            refused(&["check", BULLET, "--baseline", &path], kind);
        }
    }
    assert!(!Path::new(&page).exists() && !Path::new(&made).exists());
}

/// A level that was emptied by accident passed.
#[test]
fn an_empty_level_is_an_error() {
    let header = r#"{"hitstop":1,"dt":0.5,"objects":[{"id":0,"shape":{"sphere":{"radius":1}}}]}"#;
    let bare = r#"{"hitstop":1,"dt":0.5}"#;
    let frames = "{\"frame\":0,\"bodies\":[]}\n{\"frame\":1,\"bodies\":[]}\n";
    let folder = folder(&[
        (
            "scene.ron",
            "Scene(version: 1, name: \"x\", dt: 0.1, frames: 2, objects: [])",
        ),
        ("objects.jsonl", &format!("{bare}\n{frames}")),
        ("bodies.jsonl", &format!("{header}\n{frames}")),
        ("frames.jsonl", header),
        ("rows.csv", "frame,time,name,px,py,pz\n"),
    ]);
    for (name, expected) in [
        ("scene.ron", "no objects"),
        ("objects.jsonl", "no object"),
        ("bodies.jsonl", "no frame of the log has a body"),
        ("frames.jsonl", "no frame"),
        ("rows.csv", "no frame"),
    ] {
        let path = text_of(folder.path().join(name));
        let output = hitstop(&["check", &path]);
        assert_eq!(status(&output), 2, "{name}: {}", stdout(&output));
        let printed = stderr(&output);
        assert!(
            printed.contains(expected) && printed.contains("help:"),
            "{name}: {printed}"
        );
    }
}

/// One quote swallowed every row behind it, and the rest was "nothing found", status 0.
#[test]
fn a_stray_quote_in_a_csv_skips_only_its_row() {
    let row = |frame: i32| {
        let quote = if frame == 5 { "\"" } else { "" };
        // 2 m a frame from frame 10 on, past a ball at rest at x = 6 m.
        let x = (frame - 10).max(0) * 2 + 1;
        format!("{frame},{quote}ball,{x},0,0,0.1\n{frame},post,6,0,0,0.1\n")
    };
    let rows: String = (0..20).map(row).collect();
    let folder = folder(&[("a.csv", &format!("frame,name,px,py,pz,radius\n{rows}"))]);
    let path = text_of(folder.path().join("a.csv"));
    let output = hitstop(&["check", &path]);
    assert_eq!(status(&output), 1, "{}{}", stdout(&output), stderr(&output));
    assert!(
        stdout(&output).contains("ball → post"),
        "{}",
        stdout(&output)
    );
    let printed = stderr(&output);
    assert!(
        printed.contains("a.csv:12") && printed.contains("quote"),
        "{printed}"
    );
}

/// `convert` wrote scenes that `check` refuses.
#[test]
fn convert_writes_no_scene_that_check_refuses() {
    let object = r#"{"id":0,"name":"far ball","shape":{"sphere":{"radius":0.1}}}"#;
    let frame = |number: u32, x: &str| {
        format!(r#"{{"frame":{number},"bodies":[{{"id":0,"p":[{x},0,0]}}]}}"#)
    };
    let lines = [
        format!(r#"{{"hitstop":1,"dt":0.5,"objects":[{object}]}}"#),
        frame(0, "-1"),
        frame(1, "1e20"),
        frame(2, "1e20"),
        frame(3, "null"),
        frame(4, "null"),
    ];
    let folder = folder(&[("a.jsonl", &lines.join("\n")), ("old.ron", "old")]);
    let at = |name: &str| text_of(folder.path().join(name));
    for (output, frame) in [("new.ron", "1"), ("old.ron", "1"), ("none.ron", "3")] {
        let result = hitstop(&["convert", &at("a.jsonl"), &at(output), "--frame", frame]);
        assert_eq!(status(&result), 2, "{output}: {}", stderr(&result));
        let printed = stderr(&result);
        assert!(
            printed.contains(output) && printed.contains("help:"),
            "{printed}"
        );
        if frame == "1" {
            assert!(
                printed.contains("far ball") && printed.contains("too far out"),
                "{printed}"
            );
        } else {
            assert!(printed.contains("no objects"), "{printed}");
        }
    }
    assert_eq!(std::fs::read_to_string(at("old.ron")).unwrap(), "old");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
}
