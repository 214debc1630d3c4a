//! Files that a program leaves when a signal ends it.

use crate::shell::{folder, text_of};
use std::fmt::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A log of one ball: large enough that writing it takes a while.
fn long_log() -> String {
    let mut text = String::from(
        r#"{"hitstop":1,"name":"long","dt":0.015625,"objects":[{"id":0,"name":"ball","shape":{"sphere":{"radius":0.5}}}]}"#,
    );
    for frame in 0..240_000 {
        let x = f64::from(frame) * 0.015_625;
        write!(
            text,
            "\n{{\"frame\":{frame},\"bodies\":[{{\"id\":0,\"p\":[{x},0,0]}}]}}"
        )
        .unwrap();
    }
    text
}

fn temporary_files(folder: &Path) -> Vec<String> {
    let names = std::fs::read_dir(folder).unwrap();
    let names = names.map(|entry| text_of(entry.unwrap().file_name()));
    names.filter(|name| name.ends_with(".tmp")).collect()
}

/// The system ends a program that writes more than `ulimit -f` allows, unless it handles the signal.
#[test]
fn a_file_that_may_not_be_so_large_is_an_error() {
    let folder = folder(&[("long.jsonl", &long_log())]);
    let out = tempfile::tempdir().unwrap();
    let script = r#"ulimit -f 100; exec "$@""#;
    let limited = Command::new("bash")
        .args([
            "-c",
            script,
            "bash",
            env!("CARGO_BIN_EXE_hitstop"),
            "convert",
        ])
        .args([
            &folder.path().join("long.jsonl"),
            &out.path().join("long.csv"),
        ])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&limited.stderr);
    assert_eq!(limited.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("larger than a file may be here"),
        "{errors}"
    );
    assert_eq!(std::fs::read_dir(out.path()).unwrap().count(), 0);
}

#[test]
fn a_signal_while_writing_leaves_no_temporary_file() {
    let folder = folder(&[("long.jsonl", &long_log())]);
    let out = tempfile::tempdir().unwrap();
    for (name, number) in [("INT", 2), ("TERM", 15)] {
        // A run may finish before the signal arrives; then it is repeated.
        let caught = (0..30).any(|_| {
            let target = out.path().join("long.csv");
            let _ = std::fs::remove_file(&target);
            let mut child = Command::new(env!("CARGO_BIN_EXE_hitstop"))
                .arg("convert")
                .args([&folder.path().join("long.jsonl"), &target])
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let status = loop {
                if let Some(status) = child.try_wait().unwrap() {
                    break status;
                }
                if temporary_files(out.path()).is_empty() {
                    std::thread::sleep(Duration::from_micros(200));
                    continue;
                }
                let arguments = [format!("-{name}"), child.id().to_string()];
                Command::new("kill").args(arguments).status().unwrap();
                break child.wait().unwrap();
            };
            assert_eq!(
                temporary_files(out.path()),
                Vec::<String>::new(),
                "SIG{name}"
            );
            if let Some(signal) = status.signal() {
                assert_eq!(signal, number, "the program ends by the signal itself");
            }
            status.signal().is_some() && !target.exists()
        });
        assert!(caught, "SIG{name} never came while the file was written");
    }
}
