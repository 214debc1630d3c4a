//! Runs tests: all once, to know what they reach, and those that reach a mutant with it switched on.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::{Duration, Instant};

use crate::Result;

/// A test that takes longer alone is left out.
const LONGEST: Duration = Duration::from_secs(20);
/// The tests of a mutant may take so many times their time, and this.
const PATIENCE: (u32, Duration) = (10, Duration::from_secs(10));

pub struct Test {
    binary: PathBuf,
    pub name: String,
    pub time: Duration,
    pub reached: BTreeSet<u32>,
}

pub enum Outcome {
    /// By what: a test, or how the program ended.
    Caught(String),
    Missed(String),
}

/// Calls `work` with 0, 1, .. below `count`, on two threads.
pub fn side_by_side(count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed))
                    .take_while(|i| *i < count)
                    .for_each(&work)
            });
        }
    });
}

/// Each test that passes without a mutant, quickest first, and what is said of the others.
pub fn record(
    tree: &Path,
    folder: &Path,
    binaries: &[PathBuf],
) -> Result<(Vec<Test>, Vec<String>)> {
    let mut names = Vec::new();
    for binary in binaries {
        let listed = Command::new(binary)
            .args(["--list", "--format", "terse"])
            .current_dir(tree)
            .output()?;
        let ignored = Command::new(binary)
            .args(["--list", "--format", "terse", "--ignored"])
            .current_dir(tree)
            .output()?;
        let (listed, ignored) = (
            String::from_utf8(listed.stdout)?,
            String::from_utf8(ignored.stdout)?,
        );
        let listed = listed
            .lines()
            .filter(|line| !ignored.lines().any(|other| other == *line));
        names.extend(
            listed
                .filter_map(|line| Some((binary, line.strip_suffix(": test")?)))
                // What the program found before is not what is right.
                .filter(|(_, name)| !name.starts_with("corpus::"))
                .map(|(binary, name)| (binary, name.to_owned())),
        );
    }
    let found = Mutex::new((Vec::new(), Vec::new()));
    side_by_side(names.len(), |i| {
        let (binary, name) = &names[i];
        let file = folder.join(format!("reached-{i}"));
        let start = Instant::now();
        let failed = failure(tree, binary, &[name], "record", &file, LONGEST);
        let reached = fs::read_to_string(&file).unwrap_or_default();
        let _ = fs::remove_file(file);
        let reached = reached
            .lines()
            .filter_map(|number| number.parse().ok())
            .collect();
        let test = Test {
            binary: (*binary).clone(),
            name: name.clone(),
            time: start.elapsed(),
            reached,
        };
        let mut found = found.lock().expect("no panic");
        match failed {
            None => found.0.push(test),
            Some(why) => found.1.push(format!("{name}: {why}")),
        }
    });
    let (mut tests, left_out) = found.into_inner()?;
    tests.sort_by_key(|test| test.time);
    Ok((tests, left_out))
}

/// Runs the tests that reach a mutant, quickest first, for as long as they take less than `budget` without it.
pub fn judge(tree: &Path, tests: &[Test], number: u32, budget: Duration) -> Outcome {
    let tests = Vec::from_iter(tests.iter().filter(|test| test.reached.contains(&number)));
    let (mut at, mut done) = (0, Duration::ZERO);
    while at < tests.len() && done < budget {
        // Each batch is as long as all before it: few programs are started, and little is run for nothing.
        let (first, goal) = (at, done.max(Duration::from_millis(300)));
        let mut time = Duration::ZERO;
        while at < tests.len() && time < goal && done + time < budget {
            time += tests[at].time;
            at += 1;
        }
        done += time;
        let batch = &tests[first..at];
        for binary in BTreeSet::from_iter(batch.iter().map(|test| &test.binary)) {
            let of_binary = batch.iter().filter(|test| test.binary == *binary);
            let names = Vec::from_iter(of_binary.map(|test| test.name.as_str()));
            let limit = time * PATIENCE.0 + PATIENCE.1;
            if let Some(why) = failure(
                tree,
                binary,
                &names,
                &number.to_string(),
                Path::new(""),
                limit,
            ) {
                return Outcome::Caught(why);
            }
        }
    }
    match tests.len() {
        0 => Outcome::Missed("not reached".to_owned()),
        all => Outcome::Missed(format!("by {at} of {all} tests")),
    }
}

/// Why tests do not pass: the first that fails, or how the program ended.
fn failure(
    tree: &Path,
    binary: &Path,
    names: &[&str],
    mutant: &str,
    reached: &Path,
    limit: Duration,
) -> Option<String> {
    // A mutant may allocate without end.
    let child = Command::new("sh")
        .args(["-c", "ulimit -v 8388608; exec \"$0\" \"$@\""])
        .arg(binary)
        .args(names)
        .args(["--exact", "--test-threads", "1"])
        .current_dir(tree)
        .env("HITSTOP_MUTANT", mutant)
        .env("HITSTOP_REACHED", reached)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut child) = child else {
        return Some("cannot be run".to_owned());
    };
    let output = child.stdout.take()?;
    let (sender, receiver) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in BufReader::new(output)
            .lines()
            .map_while(std::result::Result::ok)
        {
            if let Some(test) = line
                .strip_prefix("test ")
                .and_then(|line| line.strip_suffix(" ... FAILED"))
            {
                return sender.send(Some(test.to_owned()));
            }
        }
        sender.send(None)
    });
    let why = match receiver.recv_timeout(limit) {
        Ok(None) => None,
        Ok(test) => test,
        Err(_) => Some("takes too long".to_owned()),
    };
    if why.is_some() {
        let _ = child.kill();
    }
    let ended = child.wait();
    let _ = reader.join();
    why.or_else(|| match ended {
        Ok(status) if status.success() => None,
        Ok(status) => Some(status.to_string()),
        Err(error) => Some(error.to_string()),
    })
}
