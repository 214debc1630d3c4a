//! Results of earlier runs: `check --cache`.

use crate::fleet::{fleet, json, recording, rows};
use crate::shell::{BULLET, hitstop, status, stderr, stdout, text_of};
use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Sets the time of change of all files of a folder, so that it is not a recent one.
fn age(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            age(&path);
        } else {
            let then = SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000);
            let file = fs::File::options().append(true).open(path).unwrap();
            file.set_modified(then).unwrap();
        }
    }
}

/// Replaces the content of all logs by others of the same size and time of change.
fn replace_contents(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            replace_contents(&path);
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            let length = path.metadata().unwrap().len() as usize;
            fs::write(path, vec![b' '; length]).unwrap();
        }
    }
    age(folder);
}

/// Another build of the same version may judge differently.
#[test]
fn another_program_takes_no_results() {
    let folder = fleet();
    let cache = tempfile::tempdir().unwrap();
    let other = cache.path().join("other");
    fs::copy(env!("CARGO_BIN_EXE_hitstop"), &other).unwrap();
    // A byte behind its end changes nothing but the file.
    let mut file = fs::File::options().append(true).open(&other).unwrap();
    std::io::Write::write_all(&mut file, b" ").unwrap();
    drop(file);
    let of_run = folder.path().join("run-0");
    let kept = |program: &Path| {
        let mut check = std::process::Command::new(program);
        check
            .arg("check")
            .arg(&of_run)
            .args(["--fail-on", "none", "--cache"]);
        check.arg(cache.path()).output().unwrap();
        let files = fs::read_dir(cache.path().join("hitstop-results")).unwrap();
        let is_result = |name: String| name.ends_with(".result");
        files
            .filter(|it| is_result(text_of(it.as_ref().unwrap().file_name())))
            .count()
    };
    let own = Path::new(env!("CARGO_BIN_EXE_hitstop"));
    let first = kept(own);
    assert!(first > 0);
    assert_eq!((kept(own), kept(&other)), (first, 2 * first));
}

#[test]
fn unchanged_files_are_not_read_again_and_an_interrupted_run_goes_on() {
    let folder = fleet();
    let cache = tempfile::tempdir().unwrap();
    let cache = text_of(cache.path());
    age(folder.path());
    fs::remove_file(folder.path().join("broken.jsonl")).unwrap();
    let whole = json(folder.path(), &[]);
    // The results of one folder, as after an interruption; then those of all.
    for part in ["run-0", "run-1"] {
        json(&folder.path().join(part), &["--cache", &cache]);
    }
    let kept = |name: &str| {
        let files = fs::read_dir(Path::new(&cache).join("hitstop-results")).unwrap();
        let files = files.filter(|it| text_of(it.as_ref().unwrap().file_name()).ends_with(name));
        files.count()
    };
    assert_eq!((kept(".result"), kept(".hash")), (12, 12));
    replace_contents(&folder.path().join("run-0"));
    assert!(json(folder.path(), &["--cache", &cache]) == whole);
    replace_contents(folder.path());
    assert!(json(folder.path(), &["--cache", &cache]) == whole);
    for options in [["--jobs", "1"], ["--shard", "1/1"]] {
        let again = json(folder.path(), &["--cache", &cache, options[0], options[1]]);
        assert!(again == whole, "{options:?}");
    }
    // A changed file is read.
    let changed = folder.path().join("run-2/02.jsonl");
    fs::write(&changed, recording(0.9, 14)).unwrap();
    let now = json(folder.path(), &["--cache", &cache]);
    let findings = |text: &str| {
        let rows = rows(text).into_iter();
        let counts = rows.map(|row| row["findings"].as_array().unwrap().len());
        counts.sum::<usize>()
    };
    assert_eq!(findings(&now), findings(&whole) + 1);
}

#[test]
fn stored_results_depend_on_the_options_and_on_other_files() {
    let folder = fleet();
    let cache = tempfile::tempdir().unwrap();
    let cache_name = text_of(cache.path());
    fs::remove_file(folder.path().join("broken.jsonl")).unwrap();
    let path = text_of(folder.path());
    let run = |options: &[&str]| {
        let mut arguments = vec!["check", &path];
        arguments.extend(options);
        let output = hitstop(&arguments);
        (status(&output), stdout(&output), stderr(&output))
    };
    for _ in 0..2 {
        for options in [
            &["--format", "json"][..],
            &["--format", "text"],
            &["--format", "junit"],
            &["--format", "sarif"],
            &["--format", "json", "--what-if"],
            &["--format", "json", "--frames", "..4"],
            &["--format", "json", "--detection", "sweep"],
        ] {
            let with_cache = [options, &["--cache", &cache_name]].concat();
            assert!(run(options) == run(&with_cache), "{options:?}");
        }
    }
    // The log of a scene.
    let log = folder.path().join("recordings/warehouse.jsonl");
    let text = fs::read_to_string(&log).unwrap();
    let shorter: Vec<&str> = text.lines().collect();
    fs::write(&log, shorter[..shorter.len() / 2].join("\n")).unwrap();
    let options = ["--format", "json"];
    let with_cache = [&options[..], &["--cache", &cache_name]].concat();
    assert!(run(&options) == run(&with_cache));
    // Damaged results count as absent.
    let stored = cache.path().join("hitstop-results");
    for (index, entry) in fs::read_dir(stored).unwrap().enumerate() {
        let path = entry.unwrap().path();
        let bytes = fs::read(&path).unwrap();
        match index % 3 {
            0 => fs::write(path, &bytes[..bytes.len() / 2]).unwrap(),
            1 => fs::write(path, b"something else").unwrap(),
            _ => {}
        }
    }
    assert!(run(&options) == run(&with_cache));
    let output = hitstop(&["check", BULLET, "--cache", BULLET]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("--cache cannot be used"));
}

#[test]
fn runs_at_the_same_time_share_results() {
    let folder = fleet();
    age(folder.path());
    let cache = tempfile::tempdir().unwrap();
    let cache = text_of(cache.path());
    let whole = json(folder.path(), &[]);
    std::thread::scope(|scope| {
        let run = || json(folder.path(), &["--cache", &cache]);
        let runs = [scope.spawn(run), scope.spawn(run), scope.spawn(run)];
        for run in runs {
            assert!(run.join().unwrap() == whole);
        }
    });
    assert!(json(folder.path(), &["--cache", &cache]) == whole);
}

/// Stored results once had the file's content alone.
#[test]
fn stored_results_depend_on_what_the_user_says_about_the_file() {
    let table = "time,a,b,c\n0,1,2,0\n0.02,3,2,0\n";
    let obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    let folder = crate::shell::folder(&[("run.csv", table), ("level.obj", obj)]);
    age(folder.path());
    let at = |name: &str| text_of(folder.path().join(name));
    let cache = at("cache");
    let check = |options: &[&str]| {
        let run = at("run.csv");
        let all = [&["check", &run, "--cache", &cache], options].concat();
        status(&hitstop(&all))
    };
    assert_eq!(check(&["--columns", "px=a,py=b,pz=c"]), 0);
    assert_eq!(check(&["--columns", "px=a,py=b,pz=missing"]), 2);
    assert_eq!(check(&[]), 2);
    let scene = at("level.ron");
    for arguments in [
        &["check", &at("level.obj")][..],
        &[
            "convert",
            &at("level.obj"),
            &scene,
            "--unit",
            "cm",
            "--up",
            "z",
        ],
        &[
            "report",
            &at("level.obj"),
            "--out",
            &at("a.html"),
            "--unit",
            "0.5",
        ],
    ] {
        let output = hitstop(arguments);
        assert_eq!(status(&output), 0, "{arguments:?}: {}", stderr(&output));
    }
    assert!(fs::read_to_string(&scene).unwrap().contains("0.01"));
    let output = hitstop(&["check", &at("level.obj"), "--unit", "ell"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("expected m, cm"));
}
