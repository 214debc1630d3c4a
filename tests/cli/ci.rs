//! Features for CI: baselines, failures, colours, completions, the manual.

use crate::shell::{
    BULLET, CLEAN, RECORDED, folder, hitstop, hitstop_with, status, stderr, stdout, text_of,
};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// A scene of `scenes/` without its expectations, which are its last field.
fn unexpected(name: &str) -> String {
    let text = std::fs::read_to_string(Path::new("scenes").join(name)).unwrap();
    let (before, _) = text
        .split_once("\n    expect: [")
        .expect("it has expectations");
    format!("{before}\n)\n")
}

/// Balls at these heights that pass a sheet in frame 0, one finding each, and in the frame given instead where it is not 0.
fn shots(frames: &[u32]) -> String {
    let dt = 0.0625;
    let mut objects = String::new();
    for (index, frame) in frames.iter().enumerate() {
        // Each travels 8 m a frame, and passes the middle of the sheet half way through its frame.
        let x = -4.0 - 8.0 * f64::from(*frame);
        objects += &format!(
            "(name: \"ball {index}\", shape: Sphere(radius: 0.25), position: ({x:?}, {:?}, 0.0), velocity: (128.0, 0.0, 0.0)),\n",
            3.0 * index as f64
        );
    }
    format!(
        "Scene(version: 1, name: \"shots\", dt: {dt}, frames: 64, objects: [\n{objects}(name: \"sheet\", shape: Box(half_extents: (0.125, 99.0, 1.0)), motion: Fixed)])"
    )
}

#[test]
fn known_findings_do_not_fail_and_new_ones_do() {
    let folder = folder(&[("shots.ron", &shots(&[0, 20]))]);
    let at = |name: &str| text_of(folder.path().join(name));
    let (level, list) = (at("shots.ron"), at("known.json"));
    assert_eq!(status(&hitstop(&["check", &level])), 1);
    let written = hitstop(&["check", &level, "--write-baseline", &list]);
    assert_eq!(status(&written), 0, "{}", stderr(&written));
    let stored: Value = serde_json::from_str(&std::fs::read_to_string(&list).unwrap()).unwrap();
    assert_eq!(stored["findings"].as_array().unwrap().len(), 2);
    assert_eq!(
        stored["findings"][0]["file"], "shots.ron",
        "named from the list's folder"
    );
    let again = hitstop(&["check", &level, "--baseline", &list]);
    assert_eq!(status(&again), 0, "{}", stdout(&again));
    assert_eq!(stdout(&again).matches("(known)").count(), 2);
    assert!(!stderr(&again).contains("not found"));

    // Ten frames later is the same, eleven is another.
    std::fs::write(&level, shots(&[10, 20])).unwrap();
    assert_eq!(status(&hitstop(&["check", &level, "--baseline", &list])), 0);
    std::fs::write(&level, shots(&[11, 20])).unwrap();
    let moved = hitstop(&["check", &level, "--baseline", &list]);
    assert_eq!(status(&moved), 1);
    assert!(
        stderr(&moved).contains("but not found") && stderr(&moved).contains("ball 0"),
        "{}",
        stderr(&moved)
    );

    // A third ball is new.
    std::fs::write(&level, shots(&[0, 20, 5])).unwrap();
    let more = hitstop(&["check", &level, "--baseline", &list, "--format", "json"]);
    assert_eq!(status(&more), 1);
    let report: Value = serde_json::from_str(&stdout(&more)).unwrap();
    let known: Vec<(bool, &str)> = report["findings"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["known"].as_bool().unwrap(), one["a"].as_str().unwrap()))
        .collect();
    assert_eq!(
        known,
        [(true, "ball 0"), (false, "ball 2"), (true, "ball 1")]
    );
    assert_eq!(
        status(&hitstop(&[
            "check",
            &level,
            "--baseline",
            &list,
            "--fail-on",
            "Clips"
        ])),
        0
    );
}

#[test]
fn a_baseline_reports_missing_findings_of_checked_files_only() {
    let folder = folder(&[("a.ron", &shots(&[0])), ("b.ron", &shots(&[30]))]);
    let at = |name: &str| text_of(folder.path().join(name));
    let (root, list) = (text_of(folder.path()), at("known.json"));
    assert_eq!(
        status(&hitstop(&["check", &root, "--write-baseline", &list])),
        0
    );
    for name in ["a.ron", "b.ron"] {
        std::fs::write(at(name), shots(&[])).unwrap();
    }
    let gone = |arguments: &[&str]| {
        let mut all = vec!["check", "--baseline", &list];
        all.extend(arguments);
        let output = hitstop(&all);
        assert_eq!(status(&output), 0, "{}", stderr(&output));
        stderr(&output).matches("but not found").count()
    };
    assert_eq!(gone(&[&root]), 2);
    assert_eq!(gone(&[&at("a.ron")]), 1);
    assert_eq!(gone(&[&at("b.ron"), "--frames", "0..20"]), 0);
    assert_eq!(gone(&[&at("b.ron"), "--frames", "20..40"]), 1);
}

#[test]
fn an_unusable_baseline_is_status_2() {
    let folder = folder(&[
        ("no.json", "[1, 2]"),
        ("later.json", "{\"hitstop_baseline\": 7, \"findings\": []}"),
        ("broken.ron", "Scene("),
    ]);
    let at = |name: &str| text_of(folder.path().join(name));
    for (list, wanted) in [
        ("no.json", "not a list of known findings"),
        ("later.json", "version 7"),
        ("none.json", "none.json"),
    ] {
        let output = hitstop(&["check", BULLET, "--baseline", &at(list)]);
        assert_eq!(status(&output), 2, "{list}");
        assert!(
            stderr(&output).contains(wanted),
            "{list}: {}",
            stderr(&output)
        );
    }
    let output = hitstop(&[
        "check",
        &at("broken.ron"),
        RECORDED,
        "--write-baseline",
        &at("new.json"),
    ]);
    assert_eq!(status(&output), 2);
    assert!(
        !folder.path().join("new.json").exists(),
        "half a list would forget the rest"
    );
    let output = hitstop(&[
        "check",
        BULLET,
        "--write-baseline",
        &at("no/such/folder.json"),
    ]);
    assert_eq!(status(&output), 2);
    let both = hitstop(&[
        "check",
        BULLET,
        "--write-baseline",
        &at("x.json"),
        "--frames",
        "0..1",
    ]);
    assert_eq!(
        status(&both),
        2,
        "a part of the frames is no list of what is known"
    );
}

#[test]
fn a_baseline_never_overwrites_an_input_or_another_file() {
    let level = shots(&[0]);
    let list = "{\"hitstop_baseline\": 1, \"findings\": []}";
    let folder = folder(&[
        ("a.ron", &level),
        ("b.ron", &level),
        ("notes.json", "[1, 2]"),
        ("wall.obj", "v 0 0 0\n"),
        ("known.json", list),
        ("later.json", "{\"hitstop_baseline\": 7, \"new\": true}"),
        ("empty.json", ""),
    ]);
    let at = |name: &str| text_of(folder.path().join(name));
    let refused = |named: &str, file: &str, wanted: &str| {
        let before = std::fs::read_to_string(at(file)).unwrap();
        let output = hitstop(&[
            "check",
            &at("a.ron"),
            &at("b.ron"),
            "--write-baseline",
            named,
        ]);
        assert_eq!(status(&output), 2, "{named}: {}", stdout(&output));
        let text = stderr(&output);
        let all = [wanted, named, "help: "].map(|part| text.contains(part));
        assert_eq!(all, [true; 3], "{text}");
        assert_eq!(std::fs::read_to_string(at(file)).unwrap(), before);
    };
    refused(&at("b.ron"), "b.ron", "an input");
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    refused(&at(&format!("../{name}/b.ron")), "b.ron", "an input");
    refused(&at("notes.json"), "notes.json", "not a baseline");
    refused(&at("wall.obj"), "wall.obj", "not a baseline");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(at("b.ron"), at("link.json")).unwrap();
        refused(&at("link.json"), "b.ron", "an input");
        std::fs::hard_link(at("b.ron"), at("hard.json")).unwrap();
        refused(&at("hard.json"), "b.ron", "not a baseline");
        std::os::unix::fs::symlink(at("notes.json"), at("link2.json")).unwrap();
        refused(&at("link2.json"), "notes.json", "not a baseline");
    }
    // As in `check --write-baseline *.ron`.
    let output = hitstop(&["check", "--write-baseline", &at("a.ron"), &at("b.ron")]);
    assert_eq!(status(&output), 2, "{}", stdout(&output));
    assert_eq!(std::fs::read_to_string(at("a.ron")).unwrap(), level);

    for file in ["known.json", "later.json", "empty.json"] {
        let output = hitstop(&["check", &at("a.ron"), "--write-baseline", &at(file)]);
        assert_eq!(status(&output), 0, "{file}: {}", stderr(&output));
        let written = std::fs::read_to_string(at(file)).unwrap();
        assert!(written.contains("\"hitstop_baseline\": 1") && written.contains("a.ron"));
    }
}

#[test]
fn baselines_appear_in_sarif_and_junit() {
    let folder = folder(&[("shots.ron", &shots(&[0]))]);
    let at = |name: &str| text_of(folder.path().join(name));
    let (level, list) = (at("shots.ron"), at("known.json"));
    hitstop(&["check", &level, "--write-baseline", &list]);
    std::fs::write(&level, shots(&[0, 9])).unwrap();
    let output = hitstop(&["check", &level, "--baseline", &list, "--format", "sarif"]);
    let log: Value = serde_json::from_str(&stdout(&output)).unwrap();
    let states: Vec<&str> = log["runs"][0]["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["baselineState"].as_str().unwrap())
        .collect();
    assert_eq!(states, ["unchanged", "new"]);
    let output = hitstop(&["check", &level, "--baseline", &list, "--format", "junit"]);
    let text = stdout(&output);
    assert!(
        text.contains("failures=\"1\"") && text.contains("ball 1") && !text.contains("and 1 more"),
        "{text}"
    );
}

#[test]
fn exactly_the_selected_kinds_fail() {
    let scenes = [
        "wall_row.ron",
        "past_the_middle.ron",
        "starts_inside.ron",
        "camera_corridor_fast.ron",
    ];
    let texts = scenes.map(|name| (name, unexpected(name)));
    let folder = folder(&texts.each_ref().map(|(name, text)| (*name, text.as_str())));
    let root = text_of(folder.path());
    let reports = stdout(&hitstop(&["check", &root, "--format", "json"]));
    let found: BTreeSet<String> = reports
        .lines()
        .flat_map(|line| {
            let report: Value = serde_json::from_str(line).unwrap();
            let findings = report["findings"].as_array().unwrap().clone();
            findings
                .into_iter()
                .map(|one| one["kind"].as_str().unwrap().to_owned())
        })
        .collect();
    assert!(found.len() >= 4, "{found:?}");
    let kinds = [
        "Tunnels",
        "WrongSide",
        "StartsInside",
        "CameraCrosses",
        "BadNumber",
    ];
    for chosen in 0..1_u32 << kinds.len() {
        let chosen: Vec<&str> = (0..kinds.len())
            .filter(|bit| chosen >> bit & 1 == 1)
            .map(|bit| kinds[bit])
            .collect();
        let word = if chosen.is_empty() {
            "none".to_owned()
        } else {
            chosen.join(",")
        };
        let output = hitstop(&["check", &root, "--quiet", "--fail-on", &word]);
        let wanted = i32::from(chosen.iter().any(|kind| found.contains(*kind)));
        assert_eq!(status(&output), wanted, "--fail-on {word}");
        assert_eq!(stdout(&output).is_empty(), wanted == 0, "--fail-on {word}");
    }
    for wrong in ["", "Tunnels,", "none,Tunnels", "Tunels"] {
        assert_eq!(
            status(&hitstop(&["check", &root, "--fail-on", wrong])),
            2,
            "{wrong:?}"
        );
    }
}

#[test]
fn any_number_of_jobs_gives_the_same_documents() {
    for format in ["text", "json", "junit", "sarif"] {
        let run = |jobs: &str| {
            let output = hitstop(&[
                "check", "--format", format, "--jobs", jobs, BULLET, RECORDED, CLEAN,
            ]);
            assert_eq!(status(&output), 1);
            stdout(&output)
        };
        let one = run("1");
        assert!(one.lines().count() > 2, "{format}");
        assert_eq!(one, run("3"), "{format}");
    }
    for wrong in ["0", "-1", "many", "1025"] {
        assert_eq!(
            status(&hitstop(&["check", BULLET, "--jobs", wrong])),
            2,
            "{wrong}"
        );
    }
}

#[test]
fn colours_are_written_on_request() {
    const ESCAPE: char = '\u{1b}';
    for (arguments, variables, wanted) in [
        (&["--color", "auto"][..], &[][..], false),
        (&["--color", "always"], &[], true),
        (&["--color", "never"], &[], false),
        (&[], &[], false),
        (&["--color", "always"], &[("NO_COLOR", "1")], true),
        (&[], &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], false),
        (&[], &[("CLICOLOR_FORCE", "1")], true),
        (&["--color", "never"], &[("CLICOLOR_FORCE", "1")], false),
    ] {
        let mut all = vec!["check", BULLET, "no_such_file.ron"];
        all.extend(arguments);
        let output = hitstop_with(&all, variables);
        assert_eq!(
            stdout(&output).contains(ESCAPE),
            wanted,
            "{arguments:?} {variables:?}"
        );
        assert_eq!(
            stderr(&output).contains(ESCAPE),
            wanted,
            "{arguments:?} {variables:?}, errors"
        );
    }
    for format in ["json", "junit", "sarif"] {
        let output = hitstop(&["check", BULLET, "--color", "always", "--format", format]);
        assert!(
            !stdout(&output).contains(ESCAPE),
            "{format} is for programs"
        );
    }
    assert_eq!(status(&hitstop(&["check", BULLET, "--color", "loud"])), 2);
}

#[test]
fn completions_cover_every_command_and_option() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = hitstop(&["completions", shell]);
        assert_eq!(status(&output), 0, "{shell}");
        let script = stdout(&output);
        for word in [
            "check",
            "convert",
            "report",
            "completions",
            "man",
            "write-baseline",
            "fail-on",
        ] {
            assert!(script.contains(word), "{shell} does not know {word}");
        }
    }
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&hitstop(&["completions", shell]));
        assert!(
            script.contains("sarif"),
            "{shell} does not know the formats"
        );
    }
    assert_eq!(status(&hitstop(&["completions", "tcsh"])), 2);
}

/// The script is run by its shell, if there is one.
#[test]
fn bash_completes_the_formats() {
    let script = stdout(&hitstop(&["completions", "bash"]));
    let completion = "\nCOMP_WORDS=(hitstop check --format \"\")\nCOMP_CWORD=3\n_hitstop hitstop \"\" --format\necho \"${COMPREPLY[@]}\"\n";
    let folder = folder(&[("complete.sh", &(script + completion))]);
    let run = std::process::Command::new("bash")
        .arg(folder.path().join("complete.sh"))
        .output();
    match run {
        Ok(output) => {
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(
                printed.trim(),
                match cfg!(feature = "parquet") {
                    true => "text json junit sarif parquet html",
                    false => "text json junit sarif html",
                },
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        Err(error) => eprintln!("not run, as there is no bash here: {error}"),
    }
}

#[test]
fn the_manual_is_roff_and_covers_every_command() {
    let output = hitstop(&["man"]);
    assert_eq!(status(&output), 0);
    let page = stdout(&output);
    assert!(
        page.contains(".TH hitstop 1") || page.contains(".TH HITSTOP 1"),
        "{}",
        &page[..200]
    );
    for wanted in [
        "HITSTOP CHECK",
        "HITSTOP CONVERT",
        "HITSTOP REPORT",
        ".SH \"EXAMPLES\"",
        ".SH \"ENVIRONMENT\"",
        ".SH \"FILES\"",
        "EXIT STATUS",
        "\\-\\-write\\-baseline",
        "\\-\\-fail\\-on",
        "\\-\\-out",
    ] {
        assert!(page.contains(wanted), "{wanted}");
    }
    for line in page.lines().filter(|line| line.starts_with('.')) {
        let request: String = line[1..]
            .chars()
            .take_while(|c| c.is_alphabetic())
            .collect();
        let known = [
            "TH", "SH", "SS", "TP", "RS", "RE", "br", "ie", "el", "PP", "IP", "B", "nf", "fi",
        ];
        assert!(known.contains(&request.as_str()), "{line}");
    }
}

/// Findings that could not be listed are not known.
#[test]
fn an_unwritable_baseline_marks_nothing_as_known() {
    let folder = folder(&[]);
    let list = folder.path().join("none/known.json");
    let output = hitstop(&["check", RECORDED, "--write-baseline", &text_of(list)]);
    assert_eq!(status(&output), 2);
    assert!(!stdout(&output).contains("known"), "{}", stdout(&output));
}
