//! `hitstop tune` and `determinism`, with small programs in sh.

pub use crate::game_log::log;
use crate::shell::{folder, status, stderr, stdout};
use serde_json::Value;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A generous limit for whatever is waited for.
const LONG: Duration = Duration::from_secs(60);

/// A folder with a log of either sort.
fn logs() -> TempDir {
    folder(&[("bad.jsonl", &log(true)), ("good.jsonl", &log(false))])
}

/// Runs the program in a folder, without a terminal.
pub fn hitstop_in(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hitstop"));
    command.args(arguments).current_dir(folder);
    command.output().unwrap()
}

pub fn json(output: &Output) -> Value {
    let text = stdout(output);
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{}", stderr(output)))
}

fn tune(folder: &Path, options: &[&str], script: &str) -> Output {
    let start = ["tune", "--format", "json"];
    let command = ["--", "sh", "-c", script];
    hitstop_in(folder, &[&start, options, &command].concat())
}

/// A ball of 93 mm against a wall of 100 mm at 5 m, 1 m a frame, stepped with overlap tests in whole micrometres. It is held if one of the places
/// that are tested is less than 143 mm before the middle of the wall.
const GAME: &str = r#"
n=$1; x=$2; travel=1000000; gap=143000; wall=5000000
echo '{"hitstop":1,"dt":0.016666666666666666,"objects":[{"id":0,"name":"ball","shape":{"sphere":{"radius":0.093}}},{"id":1,"name":"wall","shape":{"box":{"half_extents":[0.05,2,2]}},"motion":"fixed","position":[5,0,0]}]}'
frame=0; step=$((travel / n))
while [ $frame -le 10 ]; do
  printf '{"frame":%d,"bodies":[{"id":0,"p":[%d.%06d,0,0]}]}\n' $frame $((x / 1000000)) $((x % 1000000))
  k=0
  while [ $k -lt $n ]; do
    x=$((x + step)); off=$((x - wall)); k=$((k + 1))
    if [ $off -gt -$gap ] && [ $off -lt $gap ]; then
      step=0
      if [ $off -lt 0 ]; then x=$((wall - gap)); else x=$((wall + gap)); fi
    fi
  done
  frame=$((frame + 1))
done
"#;

/// A step of 1/7 m is shorter than 143 mm, so that one place at least is in front of the middle; one of 1/6 m is 24 mm longer, and 16 starts in a
/// frame lie 21 mm apart within it. So 7 is the answer.
#[test]
fn tune_finds_the_substeps_that_hold_a_stepped_program() {
    let folder = folder(&[("game.sh", GAME)]);
    let options = [
        "--param",
        "substeps=1..64",
        "--phase",
        "start=1000000..2000000",
    ];
    let script = "sh game.sh {substeps} {start} > {log}";
    let output = tune(folder.path(), &options, script);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let tuned = json(&output);
    let search = &tuned["searches"][0];
    let row = |name: &str| &search["rows"][search[name].as_u64().unwrap() as usize];
    assert_eq!(row("found")["value"], "7");
    assert_eq!(
        (&row("found")["runs"], &row("found")["with_finding"]),
        (&16.into(), &0.into())
    );
    assert_eq!(row("below")["value"], "6");
    assert!(row("below")["with_finding"].as_u64().unwrap() > 0);
    assert_eq!(search["monotone"], true);
    assert_eq!(row("found")["apart"], 0);
    // Without a name that says something, the search finds it all the same, whichever end holds.
    for (range, value) in [("q=1..64", "7"), ("q=1,2,3,4,5,6,7,8", "7")] {
        let options = ["--param", range, "--phase", "start=1000000..2000000"];
        let output = tune(folder.path(), &options, "sh game.sh {q} {start} > {log}");
        let search = &json(&output)["searches"][0];
        let found = search["found"].as_u64().unwrap() as usize;
        assert_eq!(search["rows"][found]["value"], value, "{range}");
    }
}

/// Where the ball stands still 1 m before the wall there is no finding, and nothing is held.
#[test]
fn runs_in_which_the_two_never_meet_are_told() {
    let passes = log(true);
    let still: String = passes
        .lines()
        .map(|line| match line.split_once("\"p\":[") {
            Some((start, _)) => format!("{start}\"p\":[-1.15,0,0]}}]}}\n"),
            None => format!("{line}\n"),
        })
        .collect();
    let folder = folder(&[("bad.jsonl", &log(true)), ("still.jsonl", &still)]);
    let script = "if [ {speed} -ge 2 ]; then cp bad.jsonl {log}; else cp still.jsonl {log}; fi";
    let output = tune(folder.path(), &["--param", "speed=1..4"], script);
    assert_eq!(status(&output), 1, "nothing is confirmed by them");
    let tuned = json(&output);
    let rows = tuned["searches"][0]["rows"].as_array().unwrap();
    for row in rows {
        let apart = match row["value"] == "1" {
            true => &row["runs"],
            false => &0.into(),
        };
        assert_eq!(&row["apart"], apart, "{row}");
    }
    assert!(rows.iter().any(|row| row["value"] == "1"), "{tuned}");
}

/// A ball that is driven by its position, 2/3 m a frame: diagnosis names a velocity of 40 m/s together with 5 substeps, whose steps are shorter than
/// the 0.15 m from the touch to the middle of the wall. Neither holds alone.
#[test]
fn two_parameters_that_are_one_fix_are_tried_together() {
    let driven = log(true).replace("\"p\"", r#""v":[0,0,0],"p""#);
    let good = log(false).replace("\"p\"", r#""v":[40,0,0],"p""#);
    let folder = folder(&[("bad.jsonl", &driven), ("good.jsonl", &good)]);
    let script = "if [ {drive_speed} -ge 40 ] && [ {substeps} -ge 5 ]; then cp good.jsonl {log}; else cp bad.jsonl {log}; fi";
    let options = [
        "--param",
        "drive_speed=10..60:10",
        "--param",
        "substeps=1..8",
        "--runs",
        "1",
    ];
    let output = tune(folder.path(), &options, script);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let tuned = json(&output);
    let searches = tuned["searches"].as_array().unwrap();
    let found = |index: usize, name: &str| {
        let row = searches[index][name].as_u64()?;
        Some(searches[index]["rows"][row as usize]["value"].clone())
    };
    assert_eq!((found(0, "found"), found(1, "found")), (None, None));
    assert_eq!(searches[2]["with"], serde_json::json!([["substeps", "5"]]));
    assert_eq!(
        (found(2, "found"), found(2, "below")),
        (Some("40".into()), Some("30".into()))
    );
    assert_eq!(searches.len(), 3);
}

/// The log of one run in four has the finding: 16 of 64. The upper bound of Clopper and Pearson, by exact fractions, is 35.4 %.
#[test]
fn a_program_that_fails_now_and_then_has_its_bound() {
    let folder = logs();
    let script =
        "if [ $(({seed} % 4)) = 1 ]; then cp bad.jsonl {log}; else cp good.jsonl {log}; fi";
    let options = ["--runs", "64", "--phase", "seed=0..64", "--jobs", "2"];
    let output = tune(
        folder.path(),
        &[&options[..], &["--want", "15"]].concat(),
        script,
    );
    assert_eq!(status(&output), 1);
    let base = &json(&output)["base"];
    assert_eq!(
        (&base["runs"], &base["with_finding"]),
        (&64.into(), &16.into())
    );
    let bound = base["bound"].as_f64().unwrap();
    assert!((bound - 0.354_618).abs() < 1e-4, "{bound}");
    let output = tune(
        folder.path(),
        &[&options[..], &["--want", "16"]].concat(),
        script,
    );
    assert_eq!(status(&output), 0);
}

/// Each program writes a log with the finding for q = 1. What it does for q = 2 is never a run without the finding.
#[test]
fn a_run_without_a_whole_log_is_an_error_and_never_without_findings() {
    let good = log(false);
    let half = &good[..good.len() - 20];
    let lines: Vec<&str> = good.lines().collect();
    let gap = [&lines[..3], &lines[4..]].concat().join("\n");
    let short = lines[..4].join("\n");
    let renamed = good.replace("\"ball\"", "\"bullet\"");
    let absent = good.replace(r#""id":0,"p""#, r#""id":2,"p""#);
    let absent = absent.replace(
        r#""objects":["#,
        r#""objects":[{"id":2,"name":"other","shape":{"sphere":{"radius":1}}},"#,
    );
    let ignored = good.replace(r#","objects""#, r#","ignore":[[0,1]],"objects""#);
    let folder = folder(&[
        ("bad.jsonl", &log(true)),
        ("good.jsonl", &good),
        ("half.jsonl", half),
        ("gap.jsonl", &gap),
        ("short.jsonl", &short),
        ("renamed.jsonl", &renamed),
        ("absent.jsonl", &absent),
        ("ignored.jsonl", &ignored),
        ("empty.jsonl", ""),
    ]);
    for (script, what) in [
        ("cp good.jsonl {log}; kill -SEGV $$", "crashed"),
        ("cp good.jsonl {log}; echo late; exit 3", "exit status 3"),
        ("cp good.jsonl {log}; sleep 300", "time limit"),
        ("cp half.jsonl {log}", "1 line could not be read"),
        ("cp gap.jsonl {log}", "frames are missing"),
        ("cp short.jsonl {log}", "before the finding"),
        ("cp renamed.jsonl {log}", "no state of \"ball\""),
        ("cp absent.jsonl {log}", "no state of \"ball\""),
        ("cp ignored.jsonl {log}", "not tested against each other"),
        ("cp empty.jsonl {log}", "empty"),
        (":", "wrote no log"),
    ] {
        let script = format!("if [ {{q}} = 1 ]; then cp bad.jsonl {{log}}; else {script}; fi");
        let options = ["--param", "q=1,2", "--runs", "2", "--timeout", "2"];
        let output = tune(folder.path(), &options, &script);
        assert_eq!(status(&output), 1, "{script}: {}", stderr(&output));
        let tuned = json(&output);
        let row = &tuned["searches"][0]["rows"][1];
        assert_eq!(
            (&row["runs"], &row["errors"]),
            (&0.into(), &2.into()),
            "{script}"
        );
        let said = row["failures"][0]["what"].as_str().unwrap();
        assert!(said.contains(what), "{script}: {said}");
        if what == "exit status 3" {
            assert_eq!(row["failures"][0]["last_lines"][0], "late");
        }
    }
    // Where no run has a result, the command cannot be used.
    let output = tune(folder.path(), &[], "echo why; exit 1");
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("exit status 1") && stderr(&output).contains("| why"));
}

#[test]
fn a_program_may_print_a_gigabyte() {
    let folder = logs();
    let script = "cp bad.jsonl {log}; yes 0123456789abcdef | head -c 1000000000; echo; echo done; exit {code}";
    let output = tune(
        folder.path(),
        &["--param", "code=0,1", "--runs", "1"],
        script,
    );
    let tuned = json(&output);
    assert_eq!(tuned["base"]["with_finding"], 1, "{}", stderr(&output));
    let lines = &tuned["searches"][0]["rows"][1]["failures"][0]["last_lines"];
    assert_eq!(lines.as_array().unwrap().last().unwrap(), "done");
    assert!(stdout(&output).len() < 50_000);
}

/// Whether a file grows for as long as a process lives.
fn grows(file: &Path) -> bool {
    let length = || std::fs::metadata(file).map_or(0, |it| it.len());
    let before = length();
    std::thread::sleep(Duration::from_millis(600));
    length() > before
}

#[test]
fn the_whole_group_of_a_run_ends_with_it() {
    let folder = logs();
    let child = "(while :; do echo 1 >> alive; sleep 0.05; done) &";
    for after in ["sleep 300", "while [ ! -s alive ]; do sleep 0.05; done"] {
        let script = format!("cp bad.jsonl {{log}}; {child} {after}");
        let _ = std::fs::remove_file(folder.path().join("alive"));
        let begun = Instant::now();
        tune(folder.path(), &["--runs", "1", "--timeout", "5"], &script);
        assert!(begun.elapsed() < LONG);
        assert!(folder.path().join("alive").exists());
        assert!(!grows(&folder.path().join("alive")), "{after}");
    }
}

/// Each run waits for another one that is under way.
#[test]
fn several_runs_go_on_at_once() {
    let folder = logs();
    let script = "cp bad.jsonl {log}; touch here-$$; until set -- here-* && [ $# -ge 2 ]; do sleep 0.02; done";
    let output = tune(
        folder.path(),
        &["--runs", "4", "--jobs", "2", "--timeout", "30"],
        script,
    );
    assert_eq!(json(&output)["base"]["runs"], 4);
}

#[test]
fn a_recording_may_be_sent_to_the_port() {
    let folder = logs();
    let path = folder.path().to_path_buf();
    // In place of a game that sends: each run says where, and waits until it is done.
    let script =
        "echo $HITSTOP_PORT > port.new; mv port.new port; while [ -e port ]; do sleep 0.02; done";
    let sender = std::thread::spawn(move || {
        for _ in 0..3 {
            let begun = Instant::now();
            let port = loop {
                match std::fs::read_to_string(path.join("port")) {
                    Ok(port) => break port,
                    Err(_) if begun.elapsed() < LONG => {
                        std::thread::sleep(Duration::from_millis(10))
                    }
                    Err(error) => panic!("no port: {error}"),
                }
            };
            let address = format!("127.0.0.1:{}", port.trim());
            let mut stream = std::net::TcpStream::connect(address).unwrap();
            stream.write_all(log(true).as_bytes()).unwrap();
            drop(stream);
            std::fs::remove_file(path.join("port")).unwrap();
        }
    });
    let output = tune(folder.path(), &["--runs", "2"], script);
    sender.join().unwrap();
    let base = json(&output)["base"].clone();
    assert_eq!(
        (&base["runs"], &base["with_finding"]),
        (&2.into(), &2.into())
    );
}

#[test]
fn what_is_looked_for_can_be_narrowed() {
    let folder = logs();
    for (finding, wanted) in [
        ("Tunnels:C01:wall:ball", 0),
        ("Sinks", 1),
        ("Tunnels:a:b", 1),
        ("wall:ball", 0),
        ("Tunnels:ba*:w*l", 0),
        ("b*ll *:wall", 1),
    ] {
        let options = ["--runs", "1", "--want", "1", "--finding", finding];
        let output = tune(folder.path(), &options, "cp bad.jsonl {log}");
        assert_eq!(status(&output), wanted, "{finding}");
    }
}

/// `timeout` signals its program and its whole group, which are one: the second is no wish to end at once.
#[cfg(unix)]
#[test]
fn a_signal_that_comes_twice_at_once_prints_what_is_known() {
    let folder = logs();
    let marker = folder.path().join("second");
    // The first run has the finding; the second goes on until it is ended.
    let script =
        "if [ -e first ]; then touch second; sleep 60; else touch first; cp bad.jsonl {log}; fi";
    let options = [
        "tune",
        "--param",
        "q=1..8",
        "--jobs",
        "1",
        "--no-progress",
        "--",
    ];
    let program = Command::new(env!("CARGO_BIN_EXE_hitstop"))
        .current_dir(folder.path())
        .args(options)
        .args(["sh", "-c", script])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begun = Instant::now();
    while !marker.exists() {
        assert!(begun.elapsed() < LONG);
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = program.id().to_string();
    let twice = format!("kill -TERM {id}; kill -TERM {id}");
    let killed = Command::new("sh").args(["-c", &twice]).status();
    assert!(killed.unwrap().success());
    let output = program.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("Cancelled"), "{text}");
}

#[test]
fn commands_that_cannot_be_used_say_so() {
    let folder = logs();
    for (options, script, what) in [
        (&["--param", "n=1..4"][..], "{m}", "`{m}`"),
        (
            &["--param", "n=1..4", "--phase", "n=0..1"],
            "{n}",
            "given twice",
        ),
        (&["--param", "n=4..1"], "{n}", "above the start"),
        (&["--finding", "Tunels"], ":", "unknown kind"),
        (&["--log-name", "../x.jsonl"], ":", "without a folder"),
    ] {
        let output = tune(folder.path(), options, script);
        assert_eq!(status(&output), 2, "{options:?}");
        assert!(stderr(&output).contains(what), "{}", stderr(&output));
    }
    let output = hitstop_in(folder.path(), &["tune", "--", "./none", "{log}"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("./none cannot be run"));
}

#[test]
fn determinism_names_the_first_difference() {
    let folder = logs();
    let run = |options: &[&str], script| {
        let start = ["determinism", "--format", "json"];
        hitstop_in(
            folder.path(),
            &[&start, options, &["--", "sh", "-c", script]].concat(),
        )
    };
    let output = run(&["--runs", "3"], "cp bad.jsonl {log}");
    assert_eq!(status(&output), 0);
    assert_eq!(json(&output)["runs"], 3);
    // Frame 4 is the first after the wall: at 0.3667 m in one, at -0.15 m in the other.
    let script = "if [ {threads} = 1 ]; then cp bad.jsonl {log}; else cp good.jsonl {log}; fi";
    let output = run(&["--param", "threads=1,4"], script);
    assert_eq!(status(&output), 1);
    let all = json(&output);
    let differences = all["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 2);
    let first = &differences[0]["first"];
    assert_eq!(
        (&first["frame"], &first["object"]),
        (&4.into(), &"ball".into())
    );
    assert_eq!(
        (&first["field"], &first["text"]),
        (&"position".into(), &"0.517 m apart".into())
    );
    let output = run(&["--param", "threads=1,4"], "exit 1");
    assert_eq!(status(&output), 2);
}
