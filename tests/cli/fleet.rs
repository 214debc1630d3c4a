//! Many files: shards, merged results, patterns and lists, sums.

use crate::shell::{BULLET, folder, hitstop, status, stderr, stdout, text_of};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// A ball that moves along x, `speed` metres a frame, from -5; at x = 0 is a wall of 0.1 m.
pub fn recording(speed: f64, frames: u32) -> String {
    let mut text = String::from(
        r#"{"hitstop":1,"name":"hall","build":"1.4.2","engine":"jolt","dt":0.015625,"objects":[{"id":0,"name":"ball","shape":{"sphere":{"radius":0.05}}},{"id":1,"name":"wall","shape":{"box":{"half_extents":[0.05,2,2]}},"motion":"fixed"}]}"#,
    );
    for frame in 0..frames {
        let x = f64::from(frame) * speed - 5.0;
        write!(
            text,
            "\n{{\"frame\":{frame},\"bodies\":[{{\"id\":0,\"p\":[{x},0,0]}}]}}"
        )
        .unwrap();
    }
    text
}

/// A folder of recordings of different lengths, of which every third has a finding, two scenes, one of which replays a log, and a file that
/// cannot be used.
pub fn fleet() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for index in 0..24 {
        let speed = if index % 3 == 0 { 0.9 } else { 0.002 };
        let text = recording(speed, 12 + 3 * (index / 2));
        write(&format!("run-{}/{index:02}.jsonl", index % 4), &text);
    }
    write("broken.jsonl", "{\"hitstop\":1,\n");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in ["warehouse.ron", "bullet_through_paper.ron"] {
        write(
            name,
            &fs::read_to_string(root.join("scenes").join(name)).unwrap(),
        );
    }
    let log = "recordings/warehouse.jsonl";
    write(
        log,
        &fs::read_to_string(root.join("scenes").join(log)).unwrap(),
    );
    folder
}

pub fn json(path: &Path, options: &[&str]) -> String {
    let path = text_of(path);
    let mut arguments = vec!["check", &path, "--format", "json"];
    arguments.extend(options);
    let output = hitstop(&arguments);
    assert!(status(&output) <= 2, "{}", stderr(&output));
    stdout(&output)
}

pub fn rows(text: &str) -> Vec<Value> {
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The paths of the results, from the folder.
fn files(text: &str, folder: &Path) -> Vec<String> {
    let start = text_of(folder) + "/";
    let rows = rows(text).into_iter();
    let files = rows.map(|row| row["file"].as_str().unwrap().to_owned());
    files
        .map(|file| file.strip_prefix(&start).unwrap_or(&file).to_owned())
        .collect()
}

fn bytes_of(files: &[String], folder: &Path) -> u64 {
    let sizes = files.iter();
    sizes
        .map(|file| folder.join(file).metadata().unwrap().len())
        .sum()
}

#[test]
fn shards_are_disjoint_complete_balanced_and_the_same_for_every_path() {
    let (one, other) = (fleet(), fleet());
    let whole = files(&json(one.path(), &[]), one.path());
    assert_eq!(whole.len(), 24 + 3, "the log of a scene is checked with it");
    let mut all = Vec::new();
    let mut sizes = Vec::new();
    for index in 1..=4 {
        let shard = format!("{index}/4");
        let part = files(&json(one.path(), &["--shard", &shard]), one.path());
        let same = json(other.path(), &["--shard", &shard]);
        assert_eq!(part, files(&same, other.path()), "shard {shard}");
        let mut with_log = part.clone();
        if part.contains(&"warehouse.ron".to_owned()) {
            with_log.push("recordings/warehouse.jsonl".to_owned());
        }
        sizes.push(bytes_of(&with_log, one.path()));
        all.extend(part);
    }
    let (set, number) = (all.iter().collect::<BTreeSet<_>>(), all.len());
    assert_eq!(set.len(), number, "disjoint");
    assert_eq!(set, whole.iter().collect(), "complete");
    // The scene with its log is larger than all others together: the others share the rest.
    sizes.sort_unstable();
    assert!(sizes[2] - sizes[0] < 2000, "{sizes:?}");
}

#[test]
fn files_of_one_size_are_assigned_by_their_content() {
    let text = |x: u32| recording(0.002, 20) + &format!("\n{{\"x\":{{\"run\":{x}}}}}");
    let texts: Vec<String> = (0..16).map(|index| text(1000 + index)).collect();
    let make = |names: &dyn Fn(usize) -> String| {
        let folder = tempfile::tempdir().unwrap();
        for (index, text) in texts.iter().enumerate() {
            fs::write(folder.path().join(names(index)), text).unwrap();
        }
        folder
    };
    let (one, other) = (
        make(&|index| format!("{index:02}.jsonl")),
        make(&|index| format!("{:02}.jsonl", 15 - index)),
    );
    let contents = |folder: &Path| -> BTreeSet<String> {
        let part = files(&json(folder, &["--shard", "1/3"]), folder);
        let read = part
            .iter()
            .map(|file| fs::read_to_string(folder.join(file)).unwrap());
        read.collect()
    };
    assert_eq!(contents(one.path()), contents(other.path()));
    assert!((5..=6).contains(&contents(one.path()).len()));
}

#[test]
fn merged_shards_are_the_bytes_of_one_run() {
    let folder = fleet();
    let out = tempfile::tempdir().unwrap();
    let whole = json(folder.path(), &[]);
    let mut arguments = vec!["merge".to_owned()];
    for index in [3, 1, 2] {
        let path = out.path().join(format!("{index}.jsonl"));
        let text = json(folder.path(), &["--shard", &format!("{index}/3")]);
        fs::write(&path, text).unwrap();
        arguments.push(text_of(&path));
    }
    let merge = |options: &[&str]| {
        let mut all: Vec<&str> = arguments.iter().map(String::as_str).collect();
        all.extend(options);
        hitstop(&all)
    };
    let merged = merge(&["--format", "json"]);
    assert_eq!(status(&merged), 2, "one file cannot be used");
    assert!(stdout(&merged) == whole);
    // A path that is in two files counts once, as in the last.
    let again = text_of(out.path().join("3.jsonl"));
    assert!(stdout(&merge(&[&again, "--format", "json"])) == whole);
    let to_file = text_of(out.path().join("merged.jsonl"));
    assert_eq!(stdout(&merge(&["--format", "json", "--out", &to_file])), "");
    assert!(fs::read_to_string(to_file).unwrap() == whole);
    let path = text_of(folder.path());
    let junit = hitstop(&["check", &path, "--format", "junit"]);
    assert!(stdout(&merge(&["--format", "junit"])) == stdout(&junit));
}

#[test]
fn results_that_cannot_be_merged_are_refused_with_their_line() {
    let good = stdout(&hitstop(&["check", BULLET, "--format", "json"]));
    let old = good.replace("\"schema\":6", "\"schema\":3");
    let odd = good.replace("\"last_frame\":0", "\"last_frame\":-1");
    let later = good.replacen(
        "\"frame\":0,\"last_frame\":0",
        "\"frame\":7,\"last_frame\":0",
        1,
    );
    let files = [
        ("good.jsonl", &*good),
        ("old.jsonl", &old),
        ("odd.jsonl", &odd),
        ("later.jsonl", &later),
        ("cut.jsonl", &good[..good.len() / 2]),
        ("log.jsonl", &recording(0.9, 4)),
    ];
    let folder = folder(&files);
    let at = |name: &str| text_of(folder.path().join(name));
    let out = at("out.jsonl");
    for (name, wanted) in [
        ("old.jsonl", "the result has schema 3"),
        ("odd.jsonl", "not a result of `hitstop check`"),
        ("later.jsonl", "do not fit together"),
        ("cut.jsonl", "not a result of `hitstop check`"),
        ("log.jsonl", "not a result of `hitstop check`"),
        ("none.jsonl", "there is no such file"),
    ] {
        let output = hitstop(&["merge", &at("good.jsonl"), &at(name), "--out", &out]);
        assert_eq!(status(&output), 2, "{name}");
        assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
        assert!(!Path::new(&out).exists(), "{name}");
    }
    let good = at("good.jsonl");
    let output = hitstop(&["merge", &good, "--out", &good]);
    assert!(stderr(&output).contains("would overwrite an input"));
    let output = hitstop(&["merge", &good, "--format", "sarif"]);
    assert!(stderr(&output).contains("check --format sarif"));
}

#[test]
fn a_file_that_fails_is_one_row_with_its_error() {
    let folder = fleet();
    let path = text_of(folder.path());
    let output = hitstop(&["check", &path, "--format", "json"]);
    assert_eq!(status(&output), 2);
    let rows = rows(&stdout(&output));
    let broken = &rows[0];
    assert!(broken["file"].as_str().unwrap().ends_with("broken.jsonl"));
    let error = &broken["error"][0];
    assert_eq!(error["line"], 1, "{error}");
    for field in ["file", "what", "help"] {
        assert!(error[field].is_string(), "{error}");
    }
    assert_eq!(broken["findings"], Value::Array(Vec::new()));
    let judged = rows[1..].iter().filter(|row| row.get("error").is_none());
    assert_eq!(judged.count(), rows.len() - 1);
    assert_eq!(rows[3]["build"], "1.4.2");
    assert_eq!(rows[3]["engine"], "jolt");
    let built = json(folder.path(), &["--build", "1.5.0"]);
    let built = self::rows(&built);
    assert!(built[1..].iter().all(|row| row["build"] == "1.5.0"));
}

/// `--list` names the files that are judged: no hidden ones, no others, and no log that a scene replays.
#[test]
fn the_files_of_a_run_are_listed() {
    let log = recording(0.0, 3);
    let scene = r#"Scene(version: 1, recording: "b.jsonl")"#;
    let files = [
        ("a.csv", &*log),
        ("b.jsonl", &log),
        ("b.ron", scene),
        (".c.jsonl", &log),
        ("d.jsonl.bak", &log),
    ];
    let folder = folder(&files);
    let at = |name: &str| text_of(folder.path().join(name));
    let output = hitstop(&["check", "--list", &text_of(folder.path())]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(
        stdout(&output),
        format!("{}\n{}\n", at("a.csv"), at("b.ron"))
    );
}

#[test]
fn patterns_and_lists_name_files() {
    let folder = fleet();
    let at = |name: &str| text_of(folder.path().join(name));
    let checked = |arguments: &[&str]| {
        let mut all = vec!["check", "--format", "json"];
        all.extend(arguments);
        let output = hitstop(&all);
        (files(&stdout(&output), folder.path()), stderr(&output))
    };
    let (all, _) = checked(&[&at("**/0?.jsonl")]);
    assert_eq!(all.len(), 10);
    assert!(all.is_sorted());
    assert_eq!(checked(&[&at("run-[01]")]).0.len(), 12, "folders");
    let literal = "run-0/[1].jsonl";
    fs::write(at(literal), recording(0.9, 4)).unwrap();
    assert_eq!(checked(&[&at(literal)]).0, [literal]);
    for (pattern, wanted) in [
        ("*.nothing", "the pattern matches no scene"),
        ("a***b", "invalid pattern"),
        ("**/a/**/b/**/c/**/d/**/e", "has `**` 5 times"),
    ] {
        let (none, error) = checked(&[&at(pattern)]);
        assert!(none.is_empty() && error.contains(wanted), "{error}");
    }
    let list = at("list.txt");
    let listed = [
        at("run-1/01.jsonl"),
        String::new(),
        at("run-3/*.jsonl"),
        at("gone.jsonl"),
    ];
    fs::write(&list, listed.join("\r\n")).unwrap();
    let (all, error) = checked(&["--files-from", &list, &at("run-0/00.jsonl")]);
    assert_eq!(all.len(), 9, "{error}");
    assert_eq!(all[..2], ["run-0/00.jsonl", "run-1/01.jsonl"]);
    assert!(error.contains("there is no such file"), "{error}");
    // From a pipe.
    let shell = format!(
        "cat '{list}' | '{}' check --files-from /dev/stdin --list",
        env!("CARGO_BIN_EXE_hitstop")
    );
    if cfg!(unix) {
        let piped = std::process::Command::new("sh")
            .args(["-c", &shell])
            .output()
            .unwrap();
        assert_eq!(stdout(&piped).lines().count(), 8, "{}", stderr(&piped));
    }
    fs::write(&list, "\n").unwrap();
    let (none, error) = checked(&["--files-from", &list]);
    assert!(
        none.is_empty() && error.contains("names no file"),
        "{error}"
    );
    fs::write(&list, b"\xFF\n").unwrap();
    assert!(checked(&["--files-from", &list]).1.contains("UTF-8"));
    assert!(checked(&[]).1.contains("<FILE|DIR>"));
}

#[test]
fn bad_arguments_are_refused() {
    for (arguments, wanted) in [
        (&["--shard", "0/4"][..], "expected I/N"),
        (&["--shard", "5/4"], "expected I/N"),
        (&["--shard", "1"], "expected I/N"),
        (&["--shard", "1/99999999999"], "expected I/N"),
        (
            &["--shard", "1/2", "--write-baseline", "x"],
            "cannot be used with",
        ),
        (&["--timing", "--cache", "x"], "cannot be used with"),
        (&["--out", BULLET], "would overwrite an input"),
        (
            &["--out", "new.json", "--write-baseline", "./new.json"],
            "would overwrite an input",
        ),
        (
            &["--out", "Cargo.toml", "--files-from", "Cargo.toml"],
            "would overwrite an input",
        ),
        (
            &["--out", "no/such/folder/x.jsonl"],
            "the folder does not exist",
        ),
        (&["--files-from", "no-such-list"], "there is no such file"),
    ] {
        let output = hitstop(&[&["check", BULLET], arguments].concat());
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(stderr(&output).contains(wanted), "{}", stderr(&output));
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
    // More parts than files.
    let output = hitstop(&["check", BULLET, "--shard", "2/2", "--format", "json"]);
    assert_eq!((status(&output), &*stdout(&output)), (0, ""));
}

#[test]
fn sums_are_by_cause_level_object_build_and_fix() {
    let files = [
        ("a.jsonl", &*recording(0.9, 12)),
        ("b.jsonl", &recording(0.9, 13).replace("1.4.2", "1.10")),
        ("c.jsonl", &recording(0.002, 14).replace("hall", "yard")),
        ("d.jsonl", "no log"),
    ];
    let folder = folder(&files);
    let path = text_of(folder.path());
    let output = hitstop(&["check", &path, "--summary"]);
    let text = stdout(&output);
    let lines: Vec<String> = text
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    for wanted in [
        "C01 too fast for too thin 2 in 2 files",
        "hall 2 in 2 files",
        "ball 2 in 2 files",
        "wall 2 in 2 files",
        "1.4.2 1 in 2 files 0.5 a file",
        "1.10 1 in 1 file 1 a file",
        "4 files, 2 findings, 1 file unusable",
    ] {
        assert!(lines.iter().any(|line| line == wanted), "{wanted}:\n{text}");
    }
    let place = |start: &str| {
        lines
            .iter()
            .position(|line| line.starts_with(start))
            .unwrap()
    };
    assert!(place("1.4.2") < place("1.10"));
    assert!(
        lines
            .iter()
            .any(|line| line.starts_with("substeps 2 100 % from "))
    );
    let results = text_of(folder.path().join("results.txt"));
    hitstop(&["check", &path, "--format", "json", "--out", &results]);
    assert_eq!(stdout(&hitstop(&["merge", &results])), text);
}

#[test]
fn earlier_results_make_findings_known() {
    let old = [
        ("a.jsonl", &*recording(0.9, 12)),
        ("b.jsonl", &recording(0.9, 12)),
        ("gone.jsonl", &recording(0.002, 12)),
    ];
    let folder = folder(&old);
    let out = tempfile::tempdir().unwrap();
    let at = |name: &str| text_of(out.path().join(name));
    let check = |name: &str| {
        let path = text_of(folder.path());
        hitstop(&["check", &path, "--out", &at(name)])
    };
    assert_eq!(status(&check("old.jsonl")), 1);
    // One finding stays, one is fixed, one is new, in a new file.
    fs::write(folder.path().join("b.jsonl"), recording(0.002, 12)).unwrap();
    let gone = folder.path().join("gone.jsonl");
    let merge = |options: &[&str]| {
        check("new.jsonl");
        let (new, old) = (at("new.jsonl"), at("old.jsonl"));
        let output = hitstop(&[&["merge", &new, "--against", &old], options].concat());
        (status(&output), stdout(&output))
    };
    assert_eq!(merge(&[]).0, 0, "nothing is new");
    fs::remove_file(gone).unwrap();
    fs::write(folder.path().join("new.jsonl"), recording(0.9, 12)).unwrap();
    let (status, text) = merge(&[]);
    assert_eq!(status, 1);
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.join(" ");
    for wanted in [
        "new 1 fixed 1 unchanged 1 files without an earlier result 1 files with only an earlier result 1",
        "3 files, 2 findings, 1 known, 1 new",
    ] {
        assert!(words.contains(wanted), "{text}");
    }
    let known: Vec<Value> = rows(&merge(&["--format", "json"]).1)
        .iter()
        .flat_map(|row| row["findings"].as_array().unwrap().clone())
        .map(|finding| finding["known"].clone())
        .collect();
    assert_eq!(known, [true, false]);
}

/// The names are those of a hostile log.
#[test]
fn the_page_is_whole_and_escapes_names() {
    let hostile = "<script>alert(1)</script>";
    let files = [
        ("a.jsonl", &*recording(0.9, 12).replace("hall", hostile)),
        ("b.jsonl", &recording(0.9, 12).replace("1.4.2", hostile)),
        ("c.jsonl", &recording(0.9, 12).replace("ball", hostile)),
        ("d.jsonl", hostile),
    ];
    let folder = folder(&files);
    let page = text_of(folder.path().join("fleet.html"));
    let output = hitstop(&["check", &text_of(folder.path()), "--out", &page]);
    assert_eq!(status(&output), 2);
    let text = fs::read_to_string(page).unwrap();
    let text = text.replace("<!DOCTYPE html>", "");
    let document = uppsala::parse(&text);
    assert!(document.is_ok(), "{:?}", document.err());
    assert!(!text.contains("<script") && text.contains("&lt;script&gt;"));
    for wanted in [
        "Builds",
        "Levels with most findings",
        "Fixes that would remove most findings",
    ] {
        assert!(text.contains(wanted), "{wanted}");
    }
    assert!(!text.contains("NaN"));
}

#[test]
fn text_in_a_file_has_no_colours() {
    let out = tempfile::tempdir().unwrap();
    let path = text_of(out.path().join("out.txt"));
    let output = hitstop(&["check", BULLET, "--out", &path, "--color", "always"]);
    assert_eq!((status(&output), &*stdout(&output)), (0, ""));
    let text = fs::read_to_string(path).unwrap();
    assert_eq!(text, stdout(&hitstop(&["check", BULLET])));
    assert!(!text.contains('\u{1b}'));
}

/// An output that is interrupted is not there at all, and what was there before stays.
#[cfg(unix)]
#[test]
fn an_interrupted_output_leaves_the_file_before() {
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().unwrap();
    let texts: Vec<String> = (0..40).map(|index| recording(0.002, 400 + index)).collect();
    for (index, text) in texts.iter().enumerate() {
        fs::write(folder.path().join(format!("{index}.jsonl")), text).unwrap();
    }
    let out = tempfile::tempdir().unwrap();
    let path = out.path().join("out.jsonl");
    fs::write(&path, "before\n").unwrap();
    let caught = (0..20).any(|_| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_hitstop"))
            .arg("check")
            .arg(folder.path())
            .args(["--format", "json", "--out"])
            .arg(&path)
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while fs::read_dir(out.path()).unwrap().count() < 2 && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(200));
        }
        Command::new("kill")
            .arg(child.id().to_string())
            .status()
            .unwrap();
        child.wait().unwrap().signal().is_some()
    });
    assert!(caught, "every run ended before it was interrupted");
    assert_eq!(fs::read_dir(out.path()).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(&path).unwrap(), "before\n");
}

/// Results lie beside the levels they are of, and have the endings of logs: they are no levels with nothing to find.
#[test]
fn results_of_earlier_runs_are_not_read_as_levels() {
    let folder = folder(&[("run.jsonl", &recording(0.9, 12))]);
    let place = |name: &str| text_of(folder.path().join(name));
    let results = ["a.jsonl", "b.jsonl.zst", "c.parquet"];
    let run = place("run.jsonl");
    for (format, result) in [("json", "a.jsonl"), ("parquet", "c.parquet")] {
        let made = hitstop(&["check", &run, "--format", format, "--out", &place(result)]);
        assert_eq!(status(&made), 1, "{}", stderr(&made));
    }
    let text = fs::read(place("a.jsonl")).unwrap();
    fs::write(place("b.jsonl.zst"), zstd::encode_all(&*text, 3).unwrap()).unwrap();
    for result in results {
        for command in ["check", "report"] {
            let page = place("page.html");
            let more = ["--out", &page];
            let read = hitstop(&[&[command, &place(result)][..], &more].concat());
            let said = stderr(&read);
            assert_eq!(status(&read), 2, "{result}: {said}");
            assert!(
                said.contains("this is a result of `hitstop check`"),
                "{said}"
            );
        }
    }
    // The folder has one level; a pattern that matches results alone has none.
    let list = hitstop(&["check", &place(""), "--list"]);
    assert_eq!((status(&list), &*stdout(&list)), (0, &*format!("{run}\n")));
    let note = "3 results of `hitstop check` are left out, as they are not levels";
    assert!(stderr(&list).contains(note), "{}", stderr(&list));
    let pattern = hitstop(&["check", &place("[a-c].*")]);
    assert_eq!(status(&pattern), 2);
    assert!(
        stderr(&pattern).contains("matches no scene"),
        "{}",
        stderr(&pattern)
    );
    // The next run may write its result where the last one did.
    let again = hitstop(&[
        "check",
        &place(""),
        "--format",
        "json",
        "--out",
        &place("a.jsonl"),
    ]);
    assert_eq!(status(&again), 1, "{}", stderr(&again));
}
