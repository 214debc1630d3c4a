//! `hitstop tune` and `determinism`, with small programs in sh.

pub use crate::game_log::log;
use crate::shell::{folder, status, stderr, stdout};
use serde_json::Value;
use std::fmt::Write as _;
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

/// A log of 16 balls at 40 m/s, of which those with an even number are in front of `wall 1` and the others of `wall 2`.
fn many(passes: impl Fn(usize) -> bool) -> String {
    let balls = (0..16).map(|ball| {
        format!(r#"{{"id":{ball},"name":"ball {ball}","shape":{{"sphere":{{"radius":0.1}}}}}},"#)
    });
    let mut text =
        String::from(r#"{"hitstop":1,"name":"game","dt":0.016666666666666666,"objects":["#);
    text.extend(balls);
    let wall = |number: usize| {
        let z = 10 * number;
        format!(
            r#"{{"id":{},"name":"wall {number}","shape":{{"box":{{"half_extents":[0.05,3,2]}}}},"motion":"fixed","position":[0,0,{z}]}}"#,
            15 + number
        )
    };
    writeln!(text, "{},{}]}}", wall(1), wall(2)).unwrap();
    for frame in 0..8 {
        let state = |ball: usize| {
            let x = -2.3 + f64::from(frame) * 2.0 / 3.0;
            let x = if passes(ball) { x } else { x.min(-0.15) };
            let y = -2.5 + 0.7 * (ball / 2) as f64;
            let z = 10 * (ball % 2 + 1);
            format!(r#"{{"id":{ball},"p":[{x:.4},{y:.1},{z}]}},"#)
        };
        let states: String = (0..16).map(state).collect();
        let last = r#"{"id":16,"p":[0,0,10]}"#;
        writeln!(text, r#"{{"frame":{frame},"bodies":[{states}{last}]}}"#).unwrap();
    }
    text
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
    let script = "cp bad.jsonl {log}; echo first; yes 0123456789abcdef | head -c 1000000000; echo; echo done; exit {code}";
    let output = tune(
        folder.path(),
        &["--param", "code=0,1", "--runs", "1"],
        script,
    );
    let tuned = json(&output);
    assert_eq!(tuned["base"]["with_finding"], 1, "{}", stderr(&output));
    let lines = &tuned["searches"][0]["rows"][1]["failures"][0]["last_lines"];
    let lines = lines.as_array().unwrap();
    assert_eq!((&lines[0], &lines[5]), (&"first".into(), &"..".into()));
    assert_eq!(lines.last().unwrap(), "done");
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
        &["--runs", "2", "--jobs", "2", "--timeout", "30"],
        script,
    );
    assert_eq!(json(&output)["base"]["runs"], 2);
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

/// Of 16 balls against two walls another one passes in each run: all with q = 1, and in every fourth run with q = 2.
#[test]
fn of_many_bodies_any_that_passes_the_same_obstacles_counts() {
    let runs = 8;
    let every = |nth: usize| {
        move |run: usize| many(|ball| run.is_multiple_of(nth) && ball == (5 * run + 1) % 16)
    };
    let mut files = vec![("good.jsonl".to_owned(), many(|_| false))];
    for run in 0..runs {
        files.push((format!("1-{run}.jsonl"), every(1)(run)));
        files.push((format!("2-{run}.jsonl"), every(4)(run)));
    }
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    let folder = folder(&files);
    let script = "cp {q}-{run}.jsonl {log} 2>/dev/null || cp good.jsonl {log}";
    let options = ["--param", "q=1..3", "--runs", "8", "--phase", "run=0..8"];
    let output = tune(folder.path(), &options, script);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let tuned = json(&output);
    let wanted = ["Tunnels, WrongSide or Sinks of any body against wall *"];
    assert_eq!(tuned["looked_for"], serde_json::json!(wanted));
    let search = &tuned["searches"][0];
    let row = |name: &str| &search["rows"][search[name].as_u64().unwrap() as usize];
    assert_eq!(row("found")["value"], "3");
    // The ball of the first run, number 1, passes in run 0 alone; in run 4 it is number 5, and its wall is the same.
    assert_eq!(row("below")["with_finding"], 2);
    assert_eq!(row("below")["new_kinds"], serde_json::json!({}));
    let command = ["--", "sh", "-c", script];
    let text = stdout(&hitstop_in(
        folder.path(),
        &[&["tune"], &options[..], &command].concat(),
    ));
    assert!(text.lines().next().unwrap().contains(wanted[0]), "{text}");
    // One of them by its name.
    let options = [&options[..], &["--finding", "ball 1:wall 2"]].concat();
    let found = json(&tune(folder.path(), &options, script));
    assert_eq!(found["base"]["with_finding"], 1, "{found}");
}

/// Now and then a ball passes the floor too, with both values.
#[test]
fn findings_that_the_first_value_has_too_are_not_new() {
    let balls = [&[0][..], &[0, 1], &[], &[1]];
    let logs = balls.map(|balls| {
        let text = many(|ball| balls.contains(&ball));
        text.replace("\"wall 2\"", "\"floor\"")
    });
    let names = ["1-0.jsonl", "1-1.jsonl", "2-0.jsonl", "2-1.jsonl"];
    let files: Vec<_> = names
        .iter()
        .zip(&logs)
        .map(|(name, text)| (*name, &**text))
        .collect();
    let folder = folder(&files);
    let options = ["--param", "q=1,2", "--runs", "2", "--phase", "run=0..2"];
    let tuned = json(&tune(folder.path(), &options, "cp {q}-{run}.jsonl {log}"));
    assert_eq!(
        tuned["looked_for"][0],
        "Tunnels, WrongSide or Sinks of any body against wall *"
    );
    assert_eq!(
        tuned["base"]["new_kinds"],
        serde_json::json!({"Tunnels": 1})
    );
    let row = &tuned["searches"][0]["rows"][1];
    assert_eq!(row["with_finding"], 0, "the floor is not looked for");
    assert_eq!(row["new_kinds"], serde_json::json!({}));
}

/// A run needs a body of each sort that the first one had, and not each of them.
#[test]
fn runs_without_some_of_many_bodies_count_and_without_all_do_not() {
    let good = many(|_| false);
    let without = |is_gone: &dyn Fn(usize) -> bool| {
        let all = 0..16;
        all.filter(|ball| is_gone(*ball))
            .fold(good.clone(), |text, ball| {
                let state = |line: &str| match line.split_once(&format!(r#"{{"id":{ball},"p":"#)) {
                    Some((before, rest)) => {
                        before.to_owned() + rest.split_once("},").unwrap().1 + "\n"
                    }
                    None => line.to_owned() + "\n",
                };
                text.lines().map(state).collect()
            })
    };
    let folder = folder(&[
        ("1.jsonl", &many(|ball| ball == 1)),
        ("2.jsonl", &without(&|ball| ball < 4)),
        ("3.jsonl", &without(&|_| true)),
    ]);
    for (value, runs, errors) in [(2, 2, 0), (3, 0, 2)] {
        let param = format!("q=1,{value}");
        let options = ["--param", &param, "--runs", "2"];
        let tuned = json(&tune(folder.path(), &options, "cp {q}.jsonl {log}"));
        let row = &tuned["searches"][0]["rows"][1];
        assert_eq!(
            (&row["runs"], &row["errors"]),
            (&runs.into(), &errors.into()),
            "{row}"
        );
        if errors > 0 {
            let what = row["failures"][0]["what"].as_str().unwrap();
            assert!(what.contains("no state of \"ball *\""), "{what}");
        }
    }
}

/// A ball of 0.1 m is 0.15 m from the touch to the middle of the wall, one of 0.25 m is 0.3 m; steps of 2/3 m must be shorter.
#[test]
fn what_diagnosis_names_is_of_all_findings() {
    let large = many(|ball| ball < 2).replacen(r#""radius":0.1"#, r#""radius":0.25"#, 1);
    let folder = folder(&[("bad.jsonl", &large), ("good.jsonl", &many(|_| false))]);
    let script = "if [ {substeps} -ge 5 ]; then cp good.jsonl {log}; else cp bad.jsonl {log}; fi";
    let options = ["--param", "substeps=1..8", "--runs", "1"];
    let suggested = &json(&tune(folder.path(), &options, script))["searches"][0]["suggested"];
    let number = |name: &str| suggested[name].as_str().unwrap().parse::<f64>().unwrap();
    assert!(
        number("value") >= 5.0 && (3.0..5.0).contains(&number("least")),
        "{suggested}"
    );
    assert_eq!(
        (&suggested["findings"], &suggested["of"]),
        (&2.into(), &2.into())
    );
}

/// The first run has no finding, and the others no result: that is not a program without the finding.
#[test]
fn runs_without_a_result_are_shown_where_no_run_has_the_finding() {
    let folder = logs();
    let script =
        "if [ -e first ]; then echo no memory; exit 3; fi; touch first; cp good.jsonl {log}";
    let command = ["tune", "--runs", "4", "--", "sh", "-c", script];
    let output = hitstop_in(folder.path(), &command);
    assert_eq!(status(&output), 1);
    let text = stdout(&output);
    for wanted in ["exit status 3", "| no memory", "3 runs have no result"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    std::fs::remove_file(folder.path().join("first")).unwrap();
    let base = &json(&tune(folder.path(), &["--runs", "4"], script))["base"];
    assert_eq!((&base["runs"], &base["errors"]), (&1.into(), &3.into()));
}

/// The text of the progress: the runs that are done never exceed those that are expected, and the bracket is in it.
#[test]
fn the_progress_has_the_runs_and_the_bracket() {
    use hitstop::run::{Parameter, Phase, Program, Template, TuneSettings, Watch};
    let folder = logs();
    let script = "if [ {q} -ge 40 ]; then cp good.jsonl {log}; else cp bad.jsonl {log}; fi";
    let program = Program {
        command: Template::new(&["sh", "-c", script].map(str::to_owned)),
        folder: Some(folder.path().to_owned()),
        limit: LONG,
        jobs: 1,
        log: "log.jsonl".to_owned(),
        read: Default::default(),
    };
    let settings = TuneSettings {
        parameters: vec![Parameter::parse("q=1..64").unwrap()],
        runs: 4,
        // Else equal runs would end early.
        phase: Some(Phase::parse("start=0..1").unwrap()),
        want: 0,
        findings: Vec::new(),
    };
    let said = std::sync::Mutex::new(Vec::new());
    let watch = Watch {
        progress: &(),
        say: &|text| said.lock().unwrap().push(text.to_owned()),
    };
    let tuned = hitstop::run::tune(&program, &settings, watch).unwrap();
    assert!(tuned.searches[0].found.is_some());
    let said = said.into_inner().unwrap();
    // 1 run for the question, 4 of the first value, and two thirds of 4 for 7 halvings and 3 values beside the result: 27.
    assert_eq!(said[0], "first run: 0 of about 32 runs");
    let last = said.last().unwrap();
    assert!(
        said.iter().any(|text| text.starts_with("q 33..64: ")),
        "{said:?}"
    );
    for text in &said {
        let (done, rest) = text
            .split_once(": ")
            .unwrap()
            .1
            .split_once(" of about ")
            .unwrap();
        let expected = rest.split_once(" run").unwrap().0;
        let [done, expected] = [done, expected].map(|text| text.parse::<usize>().unwrap());
        assert!(done <= expected && expected < 48, "{text}");
        assert!(done == 0 || text.ends_with(" left"), "{text}");
    }
    assert!(last.ends_with(", 0 s left"), "{last}");
}

#[test]
fn what_is_looked_for_can_be_narrowed() {
    let folder = logs();
    for (finding, wanted) in [
        ("Tunnels:C01:wall:ball", 0),
        ("Sinks", 1),
        ("Sinks:wall:ball", 1),
        ("wall:ball", 0),
        ("Tunnels:ba*:w*l", 0),
    ] {
        let options = ["--runs", "1", "--want", "1", "--finding", finding];
        let output = tune(folder.path(), &options, "cp bad.jsonl {log}");
        assert_eq!(status(&output), wanted, "{finding}");
        if finding == "Sinks:wall:ball" {
            let seen = &json(&output)["seen"];
            let wanted = ["Tunnels C01: ball → wall, frame 3"];
            assert_eq!(*seen, serde_json::json!(wanted));
        }
    }
}

/// Said after the first of 16 runs, with the nearest name and what the run has.
#[test]
fn a_name_that_no_object_has_is_an_error_of_the_command() {
    let folder = logs();
    for (finding, named) in [
        ("Tunnels:a:b", "\"a\""),
        ("bal:wall", "\"bal\": did you mean `ball`?"),
        ("ball:gaet", "\"gaet\""),
        ("b*ll *:wall", "\"b*ll *\""),
    ] {
        let options = ["--finding", finding];
        let output = tune(
            folder.path(),
            &options,
            "echo 1 >> runs; cp bad.jsonl {log}",
        );
        assert_eq!(status(&output), 2, "{finding}");
        let said = stderr(&output);
        for wanted in [named, "it has Tunnels C01: ball → wall, frame 3"] {
            assert!(said.contains(wanted), "{finding}: {said}");
        }
        let runs = std::fs::read_to_string(folder.path().join("runs")).unwrap();
        assert_eq!(runs.lines().count(), 1);
        std::fs::remove_file(folder.path().join("runs")).unwrap();
    }
}

/// A program that starts at one place each time: 3 runs are one, and confirm nothing, however many more there were.
#[test]
fn equal_runs_are_one_run() {
    let folder = logs();
    let script = "if [ {substeps} -ge 5 ]; then cp good.jsonl {log}; else cp bad.jsonl {log}; fi";
    let command = |options: &[&'static str], script| {
        let all = [&["tune"], options, &["--", "sh", "-c", script]].concat();
        hitstop_in(folder.path(), &all)
    };
    let param = ["--param", "substeps=1..8"];
    let output = tune(folder.path(), &param, script);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let tuned = json(&output);
    let search = &tuned["searches"][0];
    let row = &search["rows"][search["found"].as_u64().unwrap() as usize];
    assert_eq!((&row["value"], &row["runs"]), (&"5".into(), &3.into()));
    assert_eq!(row["equal"], true);
    // 0 of 1: a rate below 95 % has none in 1 run of 20.
    assert!(
        (row["bound"].as_f64().unwrap() - 0.95).abs() < 1e-6,
        "{row}"
    );
    let text = stdout(&command(&param, script)).replace('\n', " ");
    for wanted in [
        "substeps 5 removes it in this run, which is the same each time; one notch less, 4: ",
        "other starts were not tried",
        "--phase NAME=LOW..HIGH",
    ] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    assert!(!text.contains("at 95 %"), "{text}");
    // A start that the program does not get.
    let phase = [
        "--param",
        "substeps=1..8",
        "--phase",
        "begin=0..1",
        "--runs",
        "4",
    ];
    let output = command(&phase, script);
    assert_eq!(status(&output), 1);
    let text = stdout(&output).replace('\n', " ");
    for wanted in ["the command has no {begin}", "{substeps}", "HITSTOP_BEGIN"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    // One that it reads from the environment, and one that is in the command and changes nothing.
    let reads = "[ $HITSTOP_BEGIN ] && sed \"1s/game/$HITSTOP_BEGIN/; s/-2.3/-2.3$(echo $HITSTOP_BEGIN | tr -d .)/\" good.jsonl > {log}";
    let output = command(&["--phase", "begin=1..2", "--runs", "4"], reads);
    assert!(!stdout(&output).contains("equal"), "{}", stdout(&output));
    let output = command(
        &["--phase", "begin=0..1", "--runs", "4"],
        "cp bad.jsonl {log}; : {begin}",
    );
    let text = stdout(&output).replace('\n', " ");
    assert!(text.contains("the program gets {begin}"), "{text}");
    // A parameter that the program does not get.
    let output = command(&["--param", "substeps=1..4"], "cp bad.jsonl {log}");
    let text = stdout(&output).replace('\n', " ");
    let wanted = "all values of `substeps` are equal to the bit: the command has no {substeps}";
    assert!(text.contains(wanted), "{text}");
}

/// Of 8 values those from 4 on go on forever: one of them is tried, and no other.
#[test]
fn values_beyond_one_that_hangs_are_not_tried() {
    let folder = logs();
    let script = "if [ {q} -ge 4 ]; then sleep 60; fi; if [ {q} = 3 ]; then cp good.jsonl {log}; else cp bad.jsonl {log}; fi";
    let options = ["--param", "q=1..8", "--runs", "3", "--timeout", "0.5"];
    let output = tune(folder.path(), &options, script);
    let search = &json(&output)["searches"][0];
    let rows = search["rows"].as_array().unwrap();
    let values: Vec<_> = rows
        .iter()
        .map(|row| row["value"].as_str().unwrap())
        .collect();
    assert_eq!(values, ["1", "2", "3", "4"]);
    assert_eq!(search["hung"], "4");
    assert_eq!(search["found"], 2);
    let text = stdout(&hitstop_in(
        folder.path(),
        &[&["tune"], &options[..], &["--", "sh", "-c", script]].concat(),
    ));
    assert!(
        text.contains("q 4: its runs reach the time limit"),
        "{text}"
    );
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
        (&["--param", "n=1-64"], "{n}", "n=1..64"),
        (
            &["--param", "n=0..4", "--phase", "s=0..1"],
            "[ {n} != 0 ]",
            "of the first with n 0 and s 0",
        ),
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
    // Equal, but for a run that crashes.
    let script = "if [ -e 2 ]; then kill -SEGV $$; fi; if [ -e 1 ]; then touch 2; fi; touch 1; cp bad.jsonl {log}";
    let output = run(&["--runs", "3"], script);
    assert_eq!(status(&output), 1);
    assert_eq!(json(&output)["errors"], 1);
}
