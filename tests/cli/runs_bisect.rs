//! `hitstop bisect`, in repositories made here.

use crate::runs::{hitstop_in, json, log};
use crate::shell::{folder, status, stderr, stdout};
use std::fmt::Write as _;
use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A repository, and beside it what its program needs.
struct Repository(TempDir);

impl Repository {
    /// Of revisions `change 1` to `change COUNT`, each with its number in the file `n`, and with these files. From `added` on there is one more.
    fn new(count: usize, files: &[(&str, &str)], added: Option<(usize, &str)>) -> Self {
        let folder = folder(&[("bad.jsonl", &log(true)), ("good.jsonl", &log(false))]);
        let repository = Self(folder);
        std::fs::create_dir(repository.path()).unwrap();
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        let mut stream = String::new();
        let file = |name: &str, text: &str| {
            format!("M 100644 inline {name}\ndata {}\n{text}\n", text.len())
        };
        for number in 1..=count {
            let message = format!("change {number}");
            let time = 1_700_000_000 + number;
            write!(
                stream,
                "commit refs/heads/main\ncommitter T <t@example.com> {time} +0000\ndata {}\n{message}\n",
                message.len()
            )
            .unwrap();
            stream += &file("n", &number.to_string());
            if number == 1 {
                stream.extend(files.iter().map(|(name, text)| file(name, text)));
            }
            stream.extend(
                added
                    .filter(|(at, _)| *at == number)
                    .map(|it| file(it.1, "x")),
            );
        }
        let mut import = Command::new("git")
            .args(["fast-import", "--quiet"])
            .current_dir(repository.path())
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        import
            .stdin
            .take()
            .unwrap()
            .write_all(stream.as_bytes())
            .unwrap();
        assert!(import.wait().unwrap().success());
        repository.git(&["reset", "--quiet", "--hard"]);
        repository
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("game")
    }

    fn git(&self, arguments: &[&str]) -> String {
        let identity = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
        let output = Command::new("git")
            .args([&identity, arguments].concat())
            .current_dir(self.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    }

    /// The revision of a number, of so many.
    fn revision(number: usize, count: usize) -> String {
        format!("main~{}", count - number)
    }

    /// What must stay as it is.
    fn state(&self) -> Vec<String> {
        [
            &["rev-parse", "HEAD"][..],
            &["status", "--porcelain=v2", "--branch"],
            &["ls-files", "--stage"],
            &["diff"],
            &["stash", "list"],
            &["for-each-ref"],
            &["worktree", "list", "--porcelain"],
        ]
        .map(|arguments| self.git(arguments))
        .to_vec()
    }

    /// Changes in the checkout, in the index and in the stash, and hooks that leave a trace.
    fn with_work_of_the_user(self) -> Self {
        let write = |name: &str, text: &str| std::fs::write(self.path().join(name), text).unwrap();
        write("n", "stashed");
        self.git(&["stash", "--quiet"]);
        write("staged", "1");
        self.git(&["add", "staged"]);
        write("n", "mine");
        write("untracked", "1");
        let hook = self.path().join(".git/hooks/post-checkout");
        std::fs::create_dir_all(hook.parent().unwrap()).unwrap();
        let trace = self.0.path().join("hook-ran");
        std::fs::write(&hook, format!("#!/bin/sh\ntouch '{}'\n", trace.display())).unwrap();
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&hook, executable).unwrap();
        self
    }

    fn bisect(&self, options: &[&str], script: &str) -> std::process::Output {
        let data = self.0.path().to_str().unwrap();
        let script = script.replace("DATA", data);
        let start = ["bisect", "--format", "json"];
        let command = ["--", "sh", "-c", &script];
        hitstop_in(&self.path(), &[&start, options, &command].concat())
    }
}

/// The log with the finding from a revision on.
fn from(number: usize) -> String {
    format!(
        "if [ $(cat n) -ge {number} ]; then cp DATA/bad.jsonl {{log}}; else cp DATA/good.jsonl {{log}}; fi"
    )
}

/// Builds fail at every tenth revision and at six in a row; each changes a file of the repository, and adds one that later revisions have.
const BUILD: &str = r#"
n=$(cat n); echo $n > built; echo $n > later; mkdir -p objects; echo $n > objects/$n
if [ $((n % 10)) = 3 ] || { [ $n -gt 99 ] && [ $n -lt 106 ]; }; then echo "no build of $n"; exit 1; fi
"#;

#[test]
fn the_first_bad_of_200_revisions_is_found_and_the_checkout_stays() {
    let files = [
        ("build.sh", BUILD),
        ("built", ""),
        (".gitignore", "objects\n"),
    ];
    let repository = Repository::new(200, &files, Some((150, "later"))).with_work_of_the_user();
    let before = repository.state();
    let ends = [Repository::revision(1, 200), "main".to_owned()];
    let [good, bad] = &ends;
    let options = ["--good", good, "--bad", bad, "--build", "sh build.sh"];
    let script = "[ $(cat built) = $(cat n) ] || exit 1; ".to_owned() + &from(137);
    let output = repository.bisect(&options, &script);
    assert_eq!(status(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let result = json(&output);
    let title = |name: &str| {
        let tested = &result["tested"][result[name].as_u64().unwrap() as usize];
        tested["title"].as_str().unwrap().to_owned()
    };
    assert!(title("first_bad").ends_with(" change 137"));
    assert!(title("last_good").ends_with(" change 136"));
    assert_eq!(
        result["finding"]["line"],
        "Tunnels C01: ball → wall, frame 3"
    );
    let first = &result["difference"];
    assert_eq!(
        (&first["frame"], &first["object"]),
        (&4.into(), &"ball".into())
    );
    let tested = result["tested"].as_array().unwrap();
    assert!(tested.len() < 20, "{}", tested.len());
    let skipped = tested.iter().filter(|one| one["verdict"] == "skipped");
    for one in skipped {
        let what = one["skipped"]["what"].as_str().unwrap();
        assert!(what.contains("the build failed"), "{what}");
        assert!(
            one["skipped"]["last_lines"][0]
                .as_str()
                .unwrap()
                .starts_with("no build")
        );
    }
    assert_eq!(repository.state(), before);
    assert!(!repository.0.path().join("hook-ran").exists());
}

#[test]
fn skipped_revisions_beside_the_first_bad_one_are_named() {
    let repository = Repository::new(12, &[], None);
    let good = Repository::revision(1, 12);
    let build = "n=$(cat n); [ $n -lt 6 ] || [ $n -gt 8 ]";
    let output = repository.bisect(
        &["--good", &good, "--bad", "main", "--build", build],
        &from(7),
    );
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let result = json(&output);
    let mut titles: Vec<&str> = result["candidates"]
        .as_array()
        .unwrap()
        .iter()
        .map(|title| title.as_str().unwrap().split_once(' ').unwrap().1)
        .collect();
    titles.sort_unstable();
    // It works up to 5 and fails from 9 on.
    assert_eq!(titles, ["change 6", "change 7", "change 8", "change 9"]);
}

/// Every second run has the finding, from a revision on.
fn flaky(number: usize) -> String {
    let count = "c=$(cat DATA/count 2>/dev/null || echo 0); echo $((c + 1)) > DATA/count; ";
    let has = format!("[ $(cat n) -ge {number} ] && [ $((c % 2)) = 1 ]");
    format!("{count}if {has}; then cp DATA/bad.jsonl {{log}}; else cp DATA/good.jsonl {{log}}; fi")
}

#[test]
fn a_finding_in_every_second_run_is_bisected() {
    let repository = Repository::new(20, &[], None);
    let good = Repository::revision(1, 20);
    let output = repository.bisect(&["--good", &good, "--bad", "main"], &flaky(12));
    assert_eq!(status(&output), 0, "{}{}", stdout(&output), stderr(&output));
    let result = json(&output);
    let first = &result["tested"][result["first_bad"].as_u64().unwrap() as usize];
    assert!(first["title"].as_str().unwrap().ends_with("change 12"));
}

#[test]
fn revisions_that_do_not_differ_cannot_be_told() {
    let repository = Repository::new(5, &[], None);
    let good = Repository::revision(1, 5);
    // The good one has it as often as the bad one.
    let output = repository.bisect(
        &["--good", &good, "--bad", "main", "--runs", "6"],
        &flaky(1),
    );
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let unknown = json(&output)["unknown"].clone();
    assert!(
        unknown.as_str().unwrap().contains("do not differ at 95 %"),
        "{unknown}"
    );
    // A good end that is bad too: that is said of it, and of the bad one.
    let output = repository.bisect(&["--good", &good, "--bad", "main"], &from(1));
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let result = json(&output);
    let verdicts = result["tested"].as_array().unwrap().iter();
    let verdicts: Vec<_> = verdicts
        .map(|one| one["verdict"].as_str().unwrap())
        .collect();
    assert_eq!(verdicts, ["bad", "bad"]);
    let unknown = result["unknown"].as_str().unwrap();
    assert!(
        unknown.contains("it is bad too; give an earlier --good"),
        "{unknown}"
    );
    // Its log has no such object: more runs would not help.
    let renamed = from(3).replace(
        "cp DATA/good.jsonl {log}",
        "sed s/ball/bat/ DATA/good.jsonl > {log}",
    );
    let output = repository.bisect(&["--good", &good, "--bad", "main"], &renamed);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    let result = json(&output);
    // In the order in which they were tested.
    assert_eq!(result["tested"][0]["verdict"], "bad");
    assert_eq!(result["tested"][1]["verdict"], "skipped");
    let unknown = result["unknown"].as_str().unwrap();
    assert!(
        unknown.contains("no state of \"ball\"") && unknown.contains("--finding"),
        "{unknown}"
    );
    // Any body against the wall: the good end has the bat.
    let ends = ["--good", &*good, "--bad", "main"];
    for finding in ["*:wall", "Tunnels", "ba*:wall"] {
        let output = repository.bisect(&[&ends[..], &["--finding", finding]].concat(), &renamed);
        assert_eq!(status(&output), 0, "{finding}: {}", stderr(&output));
        let result = json(&output);
        let index = result["first_bad"].as_u64().unwrap() as usize;
        let title = result["tested"][index]["title"].as_str().unwrap();
        assert!(title.ends_with("change 3"), "{finding}: {title}");
    }
    // A run with neither says nothing.
    let gone = renamed.replace("s/ball/bat/", "s/wall/gate/");
    let output = repository.bisect(&[&ends[..], &["--finding", "*:wall"]].concat(), &gone);
    let unknown = json(&output)["unknown"].clone();
    assert!(
        unknown.as_str().unwrap().contains("no state of \"wall\""),
        "{unknown}"
    );
    let before = repository.state();
    for (ends, what) in [
        ([&*good, "nothing"], "no revision \"nothing\""),
        (["main", &good], "not an earlier revision"),
        (["main", "main"], "not an earlier revision"),
    ] {
        let output = repository.bisect(&["--good", ends[0], "--bad", ends[1]], &from(3));
        assert_eq!(status(&output), 2);
        assert!(stderr(&output).contains(what), "{}", stderr(&output));
    }
    let build = ["--build", "echo why; exit 1"];
    let output = repository.bisect(
        &[&["--good", &*good, "--bad", "main"], &build[..]].concat(),
        &from(3),
    );
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("| why"), "{}", stderr(&output));
    let build = ["--build", "[ $(cat n) != 1 ]"];
    let ends = ["--good", &*good, "--bad", "main"];
    let output = repository.bisect(&[&ends, &build[..]].concat(), &from(3));
    assert_eq!(status(&output), 2);
    let said = stderr(&output);
    assert!(
        said.contains("the good revision (")
            && said.contains("change 1) cannot be used: the build failed"),
        "{said}"
    );
    assert_eq!(repository.state(), before);
}

#[test]
fn ctrl_c_ends_the_children_and_leaves_the_repository_as_it_was() {
    let repository = Repository::new(5, &[], None).with_work_of_the_user();
    let before = repository.state();
    let data = repository.0.path().to_str().unwrap().to_owned();
    let script = format!(
        "cp {data}/bad.jsonl {{log}}; if [ -e {data}/second ]; then while :; do echo 1 >> {data}/alive; sleep 0.05; done; fi; touch {data}/second"
    );
    let good = Repository::revision(1, 5);
    let child = Command::new(env!("CARGO_BIN_EXE_hitstop"))
        .args([
            "bisect", "--good", &good, "--bad", "main", "--", "sh", "-c", &script,
        ])
        .current_dir(repository.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let alive = Path::new(&data).join("alive");
    let begun = Instant::now();
    while !alive.exists() {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "the second run never began"
        );
        std::thread::sleep(Duration::from_millis(20));
    }
    Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(
        output.status.signal(),
        Some(2),
        "it ends by the signal itself"
    );
    // What is known: the finding of the first run.
    let text = stdout(&output);
    assert!(
        text.contains("Tunnels C01: ball → wall") && text.contains("Cancelled"),
        "{text}"
    );
    let length = || std::fs::metadata(&alive).unwrap().len();
    let then = length();
    std::thread::sleep(Duration::from_millis(500));
    assert_eq!(length(), then, "the program goes on");
    assert_eq!(repository.state(), before);
}

#[test]
fn a_list_of_builds_is_bisected_without_a_repository() {
    let folder = folder(&[("bad.jsonl", &log(true)), ("good.jsonl", &log(false))]);
    let names: Vec<String> = (1..=12).map(|number| format!("build-{number}")).collect();
    for (number, name) in (1..).zip(&names) {
        let build = folder.path().join(name);
        std::fs::create_dir(&build).unwrap();
        std::fs::write(build.join("n"), number.to_string()).unwrap();
    }
    let bisect = |first: usize, broken: &str| {
        let script = format!("[ $(cat n) != {broken} ] || exit 1; {}", from(first));
        let script = script.replace("DATA", folder.path().to_str().unwrap());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let start = ["bisect", "--format", "json", "--jobs", "2", "--builds"];
        let command = ["--", "sh", "-c", &script];
        json(&hitstop_in(
            folder.path(),
            &[&start[..], &names, &command].concat(),
        ))
    };
    for first in [2, 8, 12] {
        let result = bisect(first, "6");
        let index = result["first_bad"].as_u64().unwrap() as usize;
        assert_eq!(result["tested"][index]["title"], format!("build-{first}"));
    }
    // The folder of temporary files may be given relative to this one, and the program by its place in each build.
    std::fs::create_dir(folder.path().join("tmp")).unwrap();
    for name in &names {
        let program = folder.path().join(name).join("game");
        std::fs::write(&program, "#!/bin/sh\nif [ $(cat n) -ge 8 ]; then cp ../bad.jsonl \"$1\"; else cp ../good.jsonl \"$1\"; fi\n").unwrap();
        let executable = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        std::fs::set_permissions(&program, executable).unwrap();
    }
    let output = Command::new(env!("CARGO_BIN_EXE_hitstop"))
        .args(["bisect", "--format", "json", "--builds"])
        .args(&names)
        .args(["--", "./game", "{log}"])
        .current_dir(folder.path())
        .env("TMPDIR", "tmp")
        .output()
        .unwrap();
    let result = json(&output);
    let index = result["first_bad"].as_u64().unwrap() as usize;
    assert_eq!(result["tested"][index]["title"], "build-8");
    let left = std::fs::read_dir(folder.path().join("tmp"))
        .unwrap()
        .count();
    assert_eq!(left, 0, "temporary files are removed");
    // A build that crashes is skipped, and may be the first bad one.
    let candidates = bisect(7, "6")["candidates"].clone();
    assert_eq!(candidates, serde_json::json!(["build-6", "build-7"]));
}
