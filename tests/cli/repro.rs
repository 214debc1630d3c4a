//! `hitstop repro`: the small log, and a program with how it ran.

use crate::shell::{RECORDED, folder, hitstop, status, stderr, stdout, text_of};

fn repro(more: &[&str]) -> std::process::Output {
    let fixed = ["repro", RECORDED, "--finding", "1", "--no-progress"];
    hitstop(&[&fixed[..], more].concat())
}

#[test]
fn the_small_log_has_the_finding() {
    let files = folder(&[]);
    let out = text_of(files.path().join("small.jsonl.zst"));
    let made = repro(&["--for", "log", "--out", &out]);
    assert_eq!(status(&made), 0, "{}", stderr(&made));
    assert!(
        stderr(&made).contains("1 frame of 2 objects, from 180 frames"),
        "{}",
        stderr(&made)
    );
    let first = |file: &str| {
        let report = stdout(&hitstop(&[
            "check",
            file,
            "--format",
            "json",
            "--fail-on",
            "none",
        ]));
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        ["kind", "cause", "a", "b"].map(|field| report["findings"][0][field].clone())
    };
    assert_eq!(first(&out), first(RECORDED));
}

#[test]
fn the_input_is_not_overwritten() {
    let files = folder(&[("level.jsonl", &std::fs::read_to_string(RECORDED).unwrap())]);
    let level = text_of(files.path().join("level.jsonl"));
    let made = hitstop(&[
        "repro",
        &level,
        "--finding",
        "1",
        "--for",
        "log",
        "--out",
        &level,
    ]);
    assert_eq!(status(&made), 2);
    assert!(
        stderr(&made).contains("would overwrite an input"),
        "{}",
        stderr(&made)
    );
    assert_eq!(
        std::fs::read(&level).unwrap(),
        std::fs::read(RECORDED).unwrap()
    );
}

#[test]
fn what_cannot_be_written_is_an_error() {
    for (arguments, says) in [
        (&["--for", "unity"][..], "\"unity\" has no template"),
        (&["--for", "box2d"], "box2d is an engine of flat levels"),
        (&["--for", "log", "--out", "x.csv"], "JSON Lines"),
        (&["--for", "scene", "--out", "x.jsonl"], ".ron"),
        (&["--finding", "99999"], "99999"),
        (&["--for", "rapier", "--fix", "99"], "there is no fix 99"),
        (&["--for", "rapier", "--", "true"], "--out"),
    ] {
        let made = match arguments[0] {
            "--finding" => hitstop(&[
                "repro",
                RECORDED,
                "--for",
                "log",
                arguments[0],
                arguments[1],
            ]),
            _ => repro(arguments),
        };
        assert_eq!(status(&made), 2, "{arguments:?}");
        assert!(
            stderr(&made).contains(says),
            "{arguments:?}: {}",
            stderr(&made)
        );
    }
}

/// The command stands in for Python and an engine: it reads whether the fix is set, and prints what such a program would.
#[cfg(unix)]
#[test]
fn a_program_is_run_before_and_after_its_fix() {
    let files = folder(&[]);
    let out = text_of(files.path().join("repro.py"));
    let run = |script: &str| {
        let made = repro(&[
            "--for",
            "mujoco",
            "--out",
            &out,
            "--timeout",
            "5",
            "--",
            "sh",
            "-c",
            script,
            "sh",
            "{file}",
        ]);
        (
            status(&made),
            stderr(&made),
            std::fs::read_to_string(&out).unwrap_or_default(),
        )
    };
    let prints = |before: u32, after: u32| {
        format!(
            "grep -q '^FIX = True' \"$1\" && n={after} || n={before}; echo $n of 64 phases; test $n = 0"
        )
    };
    for (before, after, code, says, help) in [
        (
            57,
            0,
            0,
            "# Reproduces here: 57 of 64 phases, with the fix 0.",
            None,
        ),
        (
            57,
            3,
            1,
            "# Reproduces here: 57 of 64 phases, with the fix 3.",
            Some("help: the fix is too weak in this engine"),
        ),
        (
            64,
            64,
            1,
            "# Reproduces here: 64 of 64 phases, with the fix 64.",
            Some("help: the fix changes nothing in this program"),
        ),
        (
            0,
            0,
            1,
            "# Does not reproduce here: 0 of 64 phases, with the fix 0.",
            Some("help: the engine holds the body in this program"),
        ),
    ] {
        let (got, errors, text) = run(&prints(before, after));
        assert_eq!(got, code, "{errors}");
        assert_eq!(errors.contains("help: "), help.is_some(), "{errors}");
        assert!(help.is_none_or(|help| errors.contains(help)), "{errors}");
        assert!(
            text.contains(says) && text.contains("FIX = False"),
            "{says}: {text}"
        );
    }
    for (script, says) in [
        (
            "echo oh; exit 3",
            "did not print `N of 64 phases`; it ended with exit status: 3",
        ),
        (
            "echo 5 of 64 phases",
            "it fails in 5 of 64 phases, and ended with exit status: 0",
        ),
        ("echo 99 of 64 phases; exit 1", "did not print"),
        ("kill -9 $$", "signal: 9"),
        ("sleep 60", "ended at the time limit of 5 s"),
        ("echo '{log}'", "`{log}` of the command has no value"),
    ] {
        let (got, errors, text) = run(script);
        assert_eq!(got, 2, "{script}: {errors}");
        assert!(errors.contains(says), "{script}: {errors}");
        assert!(text.contains("FIX = False"), "{script}");
    }
    let (got, errors, _) = {
        let made = repro(&["--for", "mujoco", "--out", &out, "--", "/no/such/program"]);
        (status(&made), stderr(&made), ())
    };
    assert_eq!(got, 2);
    assert!(
        errors.contains("/no/such/program cannot be run"),
        "{errors}"
    );
}
