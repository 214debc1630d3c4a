//! `hitstop listen` without a window.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

fn hitstop() -> Command {
    Command::new(env!("CARGO_BIN_EXE_hitstop"))
}

#[test]
fn a_received_recording_is_judged_and_saved_as_its_file_is() {
    let file = "scenes/recordings/warehouse.jsonl";
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved.jsonl");
    let mut listening = hitstop()
        .args(["listen", "--once", "--port", "0", "--save"])
        .arg(&saved)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(listening.stderr.take().unwrap());
    let mut line = String::new();
    errors.read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on ").unwrap();
    assert!(address.starts_with("127.0.0.1:"), "{line}");
    let mut game = TcpStream::connect(address).unwrap();
    game.write_all(&std::fs::read(file).unwrap()).unwrap();
    drop(game);
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    let mut report = String::new();
    let mut output = listening.stdout.take().unwrap();
    output.read_to_string(&mut report).unwrap();
    let check = |path| hitstop().arg("check").arg(path).output().unwrap();
    let checked = check(file.into());
    assert_eq!(listening.wait().unwrap().code(), checked.status.code());
    // All but the name of the file.
    let body = |text: String| text.split_once("  ").unwrap().1.to_owned();
    let checked = body(String::from_utf8(checked.stdout).unwrap());
    assert_eq!(body(report), checked);
    assert_eq!(
        body(String::from_utf8(check(saved).stdout).unwrap()),
        checked
    );
    for part in [
        "a recorder has connected",
        "the recording has ended",
        "saved as",
    ] {
        assert!(rest.contains(part), "{part}: {rest}");
    }
}

#[test]
fn a_port_in_use_is_an_error() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let outcome = hitstop()
        .args(["listen", "--no-window", "--port", &port])
        .output()
        .unwrap();
    assert_eq!(outcome.status.code(), Some(2));
    let text = String::from_utf8(outcome.stderr).unwrap();
    assert!(text.contains("choose another port"), "{text}");
}
