//! The recorder in JavaScript, `docs/record/js`, and what receives recordings of web pages.

use super::recorders::{counts, is_there, received, refused};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStderr, Command, Stdio};
use std::time::Duration;

fn package() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/record/js")
}

#[test]
fn the_recorder_in_javascript_writes_what_each_engine_has() {
    if !is_there("node") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("node")
        .arg(package().join("test.mjs"))
        .arg(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    // Frames, objects and contacts of logs without a notice.
    let logs = [
        ("run.jsonl.gz", (50, 2, 0)),
        ("last.jsonl", (11, 2, 0)),
        ("world.jsonl", (6, 5, 0)),
        ("steps.jsonl", (3, 1, 0)),
        ("rapier.jsonl", (2, 3, 1)),
        ("matter.jsonl", (2, 2, 1)),
        ("planck.jsonl", (2, 2, 1)),
        ("p2.jsonl", (2, 3, 1)),
        ("cannon.jsonl", (2, 3, 2)),
        ("ammo.jsonl", (2, 3, 1)),
        ("havok.jsonl", (2, 5, 0)),
        ("arcade.jsonl", (2, 5, 0)),
        ("box2d.jsonl", (2, 2, 1)),
        ("grown.jsonl", (2, 2, 0)),
    ];
    for (name, expected) in logs {
        assert_eq!(counts(&folder.path().join(name)), expected, "{name}");
    }
}

/// A program that sends 5,000 frames to the address that begins with `start` and ends with its argument.
fn sender(start: &str) -> Command {
    let module = package().join("hitstop.js");
    let code = format!(
        r#"
import {{ setTimeout as wait }} from 'node:timers/promises';
import {{ pathToFileURL }} from 'node:url';
const {{ Recorder }} = await import(pathToFileURL({module:?}).href);
const log = new Recorder({start:?} + process.argv.at(-1), {{ dt: 0.1 }});
const ball = log.add('ball', {{ sphere: {{ radius: 0.5 }} }});
for (let frame = 0; frame < 5000; frame++) {{
  if (frame === 7) log.add('late', {{ sphere: {{ radius: 0.5 }} }});
  const late = frame < 7 ? [] : [{{ id: 1, p: [0, 9, 0] }}];
  log.frame(0.1 * frame, [{{ id: ball, p: [0.1 * frame, 0, 0], v: [1, 0, 0] }}, ...late]);
  if (frame % 100 === 0) await wait(5);
}}
await log.close();
"#
    );
    let mut node = Command::new("node");
    node.args(["--input-type=module", "--eval", &code, "--"]);
    node
}

#[test]
fn the_recorder_in_javascript_sends_what_it_records() {
    if !is_there("node") {
        return;
    }
    assert_eq!(received(&mut sender("tcp:127.0.0.1:")), (5000, 2));
    assert_eq!(
        refused(&mut sender("tcp:127.0.0.1:")),
        "hitstop: the viewer answers: no room\n"
    );
}

/// `hitstop listen --once --http`, its messages, and where it takes posts.
fn listening(more: &[&str]) -> (Child, BufReader<ChildStderr>, SocketAddr) {
    let mut listening = Command::new(env!("CARGO_BIN_EXE_hitstop"))
        .args(["listen", "--once", "--port", "0", "--http", "0"])
        .args(more)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut errors = BufReader::new(listening.stderr.take().unwrap());
    let mut lines = String::new();
    while !lines.contains("for web pages") {
        assert_ne!(errors.read_line(&mut lines).unwrap(), 0, "{lines}");
    }
    let (_, address) = lines.split_once("http://").unwrap();
    let address = address.split(' ').next().unwrap().parse().unwrap();
    (listening, errors, address)
}

/// The answer to the bytes of a request.
fn answer(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    // A request has ten seconds; without an answer the test ends.
    let limit = Some(Duration::from_secs(120));
    stream.set_read_timeout(limit).unwrap();
    stream.write_all(request).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    text
}

fn post(address: SocketAddr, path: &str, origin: &str, body: &str) -> String {
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nOrigin: {origin}\r\nContent-Length: {length}\r\n\r\n"
    );
    answer(address, &[head.as_bytes(), body.as_bytes()].concat())
}

const PAGE: &str = "http://localhost:5173";

#[test]
fn a_level_that_a_page_posts_is_judged_as_its_file_is() {
    let file = "scenes/recordings/warehouse.jsonl";
    let text = std::fs::read_to_string(file).unwrap();
    let (mut listening, mut errors, address) =
        listening(&["--origin", "https://Game.example/", "--origin", "null"]);
    // A line may be cut between posts.
    let (first, rest) = text.split_at(text.len() / 3);
    let (second, third) = rest.split_at(rest.len() / 2);
    let ok = |answer: String, origin: &str| {
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
        let allowed = format!("Access-Control-Allow-Origin: {origin}\r\n");
        assert!(answer.contains(&allowed), "{answer}");
    };
    let asked = format!(
        "OPTIONS /run/0 HTTP/1.1\r\nOrigin: {PAGE}\r\nAccess-Control-Request-Method: POST\r\n\r\n"
    );
    ok(answer(address, asked.as_bytes()), PAGE);
    ok(post(address, "/run/0", PAGE, first), PAGE);
    // A post that is cut off counts as not sent.
    let mut cut = TcpStream::connect(address).unwrap();
    cut.write_all(b"POST /run/1 HTTP/1.1\r\nContent-Length: 9000\r\n\r\n{\"frame\":")
        .unwrap();
    drop(cut);
    ok(post(address, "/run/1", "null", second), "null");
    let own = "https://game.example";
    ok(post(address, "/run/2?end", own, third), own);
    let (mut report, mut rest) = (String::new(), String::new());
    let mut output = listening.stdout.take().unwrap();
    output.read_to_string(&mut report).unwrap();
    errors.read_to_string(&mut rest).unwrap();
    let checked = Command::new(env!("CARGO_BIN_EXE_hitstop"))
        .args(["check", file])
        .output()
        .unwrap();
    assert_eq!(
        listening.wait().unwrap().code(),
        checked.status.code(),
        "{rest}"
    );
    let body = |text: &str| text.split_once("  ").unwrap().1.to_owned();
    let checked = String::from_utf8(checked.stdout).unwrap();
    assert_eq!(body(&report), body(&checked));
}

#[test]
fn posts_that_are_not_of_a_page_of_this_machine_are_refused() {
    let (mut listening, mut errors, address) = listening(&[]);
    let header = "{\"hitstop\":1,\"objects\":[]}\n";
    for origin in [
        "https://evil.example",
        "null",
        "http://localhost.evil.example",
        "http://localhost:80.evil.example",
        "http://127.0.0.1@evil.example",
        "file://localhost",
    ] {
        let answer = post(address, "/run/0", origin, header);
        assert!(answer.starts_with("HTTP/1.1 403 "), "{origin}: {answer}");
        assert!(!answer.contains("Access-Control"), "{origin}: {answer}");
        let mut line = String::new();
        errors.read_line(&mut line).unwrap();
        let wanted = format!(
            "a page of {origin} was refused; to allow it, start with `--origin {origin}`\n"
        );
        assert_eq!(line, wanted);
    }
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000));
    let refused = [
        (answer(address, b"GET /run/0 HTTP/1.1\r\n\r\n"), "405 "),
        (answer(address, b"\x16\x03\x01\r\n\r\n"), "400 "),
        (answer(address, long.as_bytes()), "431 "),
        (
            answer(
                address,
                b"POST /run/0 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n",
            ),
            "411 ",
        ),
        (
            answer(
                address,
                b"POST /run/0 HTTP/1.1\r\nContent-Length: 4194305\r\n\r\n",
            ),
            "413 ",
        ),
        (
            answer(
                address,
                b"POST /run/0 HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
            ),
            "400 ",
        ),
        (post(address, "/../run/0", PAGE, header), "404 "),
        (post(address, "/run/1", PAGE, header), "409 "),
    ];
    for (answer, status) in refused {
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{status}: {answer}"
        );
        assert!(answer.contains("{\"error\":\""), "{status}: {answer}");
    }
    assert!(post(address, "/run/0", PAGE, header).starts_with("HTTP/1.1 200 "));
    let skipped = post(address, "/run/2", PAGE, header);
    assert!(
        skipped.contains("post 2 came where 1 was the next"),
        "{skipped}"
    );
    // The recording ended with that.
    assert_eq!(listening.wait().unwrap().code(), Some(2));
}

#[test]
fn the_recorder_in_javascript_posts_what_it_records() {
    if !is_there("node") {
        return;
    }
    let (mut listening, mut errors, address) = listening(&[]);
    let output = sender("http://127.0.0.1:")
        .arg(address.port().to_string())
        .output()
        .unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let mut rest = String::new();
    errors.read_to_string(&mut rest).unwrap();
    assert!(
        rest.contains("the recording has ended after 4") && rest.contains("999 frames"),
        "{rest}"
    );
    assert_eq!(listening.wait().unwrap().code(), Some(0));
}
