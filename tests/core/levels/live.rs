//! Levels that grow: received over a socket, or read from a file that another program goes on writing.

use crate::common::levels::bodies_of;
use crate::common::sentences::check_report;
use hitstop::core::diagnose::{Diagnosis, Finding, Options, diagnose};
use hitstop::core::file::open_growing;
use hitstop::core::level::{self, Level, LevelParts, ReadOptions};
use hitstop::core::live::{Client, Listener};
use hitstop::core::log::{self, Compression, Compressor, Format};
use hitstop::core::problem::Problems;
use hitstop::core::progress::Progress;
use hitstop::core::scene::MemoryFolder;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// A progress that is cancelled from elsewhere.
#[derive(Default)]
struct Stop(AtomicBool);

impl Stop {
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Progress for Stop {
    fn report(&self, _: u64, _: u64) {}

    fn cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

fn recording(name: &str) -> (PathBuf, String) {
    let path = Path::new("scenes/recordings").join(name);
    let text = std::fs::read_to_string(&path).unwrap();
    (path, text)
}

fn states(level: &Level) -> usize {
    level.replay.recording().unwrap().frames.len()
}

fn received(client: Client<'_>, take: &mut dyn FnMut(Level)) -> Result<Level, Problems> {
    let every = Duration::ZERO;
    client.receive(LevelParts { every, take }, &mut |_| ())
}

fn listener() -> Listener {
    Listener::new(Ipv4Addr::LOCALHOST.into(), 0).unwrap()
}

fn answer(mut client: TcpStream) -> String {
    let mut text = String::new();
    client.read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_recording_is_received_line_by_line() {
    let (path, text) = recording("jolt_two_bullets.jsonl");
    let listener = listener();
    let (shown, is_shown) = mpsc::channel();
    let address = listener.address();
    let whole = level::open(&path, &()).unwrap();
    thread::scope(|scope| {
        let game = scope.spawn(move || {
            let mut socket = TcpStream::connect(address).unwrap();
            let mut lines = text.split_inclusive('\n');
            // Each of the first frames is shown before the next is sent.
            for line in lines.by_ref().take(4) {
                socket.write_all(line.as_bytes()).unwrap();
            }
            while is_shown.recv().unwrap() < 3 {}
            // A line may come in pieces.
            for line in lines {
                let (start, end) = line.split_at(line.len() / 2);
                socket.write_all(start.as_bytes()).unwrap();
                socket.flush().unwrap();
                socket.write_all(end.as_bytes()).unwrap();
            }
        });
        let client = listener.accept(&()).unwrap().unwrap();
        let mut before = 0;
        let level = received(client, &mut |part| {
            assert!(states(&part) > before, "each has more frames");
            before = states(&part);
            let _ = shown.send(before);
        });
        let (level, whole) = (level.unwrap(), whole);
        game.join().unwrap();
        assert_eq!(level.replay.recording(), whole.replay.recording());
        assert_eq!(level.notices.len(), whole.notices.len());
    });
}

#[test]
fn a_wrong_client_gets_an_error_line_and_the_next_is_received() {
    let (_, text) = recording("jolt_two_bullets.jsonl");
    let frames = text.lines().count() - 1;
    let listener = listener();
    for (sent, error) in [
        ("GET / HTTP/1.1\r\n\r\n", "not a JSON object"),
        ("{\"hitstop\":9}\n", "version 9"),
        ("", "empty"),
    ] {
        let mut game = TcpStream::connect(listener.address()).unwrap();
        game.write_all(sent.as_bytes()).unwrap();
        game.shutdown(Shutdown::Write).unwrap();
        let client = listener.accept(&()).unwrap().unwrap();
        let problems = received(client, &mut |_| panic!("it has no frame")).unwrap_err();
        let answer = answer(game);
        assert!(answer.starts_with("{\"error\":\"") && answer.ends_with("\"}\n"));
        assert!(answer.contains(error), "{answer} {problems}");
    }
    let mut game = TcpStream::connect(listener.address()).unwrap();
    let client = listener.accept(&()).unwrap().unwrap();
    let second = TcpStream::connect(listener.address()).unwrap();
    let second_address = second.local_addr().unwrap();
    let (refused, is_refused) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(move || refused.send(answer(second)).unwrap());
        scope.spawn(move || {
            let answer = is_refused.recv().unwrap();
            assert!(answer.contains("another recording"), "{answer}");
            game.write_all(text.as_bytes()).unwrap();
        });
        let mut others = Vec::new();
        let parts = LevelParts {
            every: Duration::ZERO,
            take: &mut |_| (),
        };
        let level = client
            .receive(parts, &mut |from| others.push(from))
            .unwrap();
        assert_eq!(states(&level), frames);
        assert_eq!(others, [second_address]);
    });
}

/// A game that has sent the header and five frames of a log, and goes on without a line.
fn recorder_of_five_frames(listener: &Listener, log: &str) -> TcpStream {
    let mut game = TcpStream::connect(listener.address()).unwrap();
    let few: String = log.split_inclusive('\n').take(6).collect();
    game.write_all(few.as_bytes()).unwrap();
    game
}

#[test]
fn a_recorder_that_is_silent_gives_way_to_the_next() {
    let (_, text) = recording("jolt_two_bullets.jsonl");
    let listener = listener();
    let hangs = recorder_of_five_frames(&listener, &text);
    let client = listener.accept(&()).unwrap().unwrap();
    let (header, frames) = text.split_at(text.find('\n').unwrap() + 1);
    thread::scope(|scope| {
        let address = listener.address();
        let next = scope.spawn(move || {
            // A recorder connects again until it is received; a browser, and what sends nothing, do not take its place.
            let _quiet = TcpStream::connect(address).unwrap();
            loop {
                let mut browser = TcpStream::connect(address).unwrap();
                browser.write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
                let mut game = TcpStream::connect(address).unwrap();
                game.write_all(header.as_bytes()).unwrap();
                game.set_read_timeout(Some(Duration::from_millis(500))).unwrap();
                if matches!(game.read(&mut [0; 256]), Err(error) if error.kind() == ErrorKind::WouldBlock) {
                    return game;
                }
            }
        });
        let level = received(client, &mut |_| ()).unwrap();
        assert_eq!(states(&level), 5, "what arrived is kept");
        let notices: Vec<_> = level.notices.iter().map(|it| &*it.what).collect();
        assert!(
            notices.iter().any(|it| it.contains("another recorder")),
            "{notices:?}"
        );
        let answer = answer(hangs);
        assert!(
            answer.contains("another recorder has connected"),
            "{answer}"
        );
        let client = listener.accept(&()).unwrap().unwrap();
        let mut game = next.join().unwrap();
        game.write_all(frames.as_bytes()).unwrap();
        drop(game);
        let level = received(client, &mut |_| ()).unwrap();
        assert_eq!(states(&level), text.lines().count() - 1);
    });
}

#[test]
fn a_recorder_that_waited_is_received_when_the_silent_one_ends() {
    let (_, text) = recording("jolt_two_bullets.jsonl");
    let listener = listener();
    let hangs = recorder_of_five_frames(&listener, &text);
    let client = listener.accept(&()).unwrap().unwrap();
    let address = listener.address();
    thread::scope(|scope| {
        let waits = scope.spawn(move || {
            thread::sleep(Duration::from_millis(5500));
            let waits = TcpStream::connect(address).unwrap();
            thread::sleep(Duration::from_millis(500));
            drop(hangs);
            waits
        });
        assert_eq!(states(&received(client, &mut |_| ()).unwrap()), 5);
        let mut game = waits.join().unwrap();
        let client = listener.accept(&()).unwrap().unwrap();
        game.write_all(text.as_bytes()).unwrap();
        drop(game);
        let level = received(client, &mut |_| ()).unwrap();
        assert_eq!(states(&level), text.lines().count() - 1);
    });
}

#[test]
fn what_arrived_is_kept_when_listening_stops() {
    let (_, text) = recording("jolt_two_bullets.jsonl");
    let listener = listener();
    let stop = Stop::default();
    let mut game = TcpStream::connect(listener.address()).unwrap();
    let client = listener.accept(&stop).unwrap().unwrap();
    let few: String = text.split_inclusive('\n').take(6).collect();
    game.write_all(few.as_bytes()).unwrap();
    let level = received(client, &mut |part| {
        if states(&part) == 5 {
            stop.set();
        }
    });
    assert_eq!(states(&level.unwrap()), 5);
    assert!(listener.accept(&stop).unwrap().is_none());
}

#[test]
fn a_growing_file_is_followed_until_it_is_replaced() {
    let (_, text) = recording("jolt_two_bullets.jsonl");
    let folder = tempfile::tempdir().unwrap();
    for compression in [None, Some(Compression::Gzip), Some(Compression::Zstd)] {
        let path = folder.path().join("level.jsonl");
        let file = std::fs::File::create(&path).unwrap();
        let mut output = Compressor::new(file, compression).unwrap();
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        let (first, rest) = lines.split_at(5);
        output.write_all(first.concat().as_bytes()).unwrap();
        output.flush().unwrap();
        let read = AtomicU64::new(0);
        let opened = open_growing(&path, &read, &()).unwrap();
        let mut rest = Some(rest.concat());
        let mut take = |part: Level| {
            if states(&part) >= 4
                && let Some(rest) = rest.take()
            {
                output.write_all(rest.as_bytes()).unwrap();
                output.flush().unwrap();
            }
            if states(&part) == lines.len() - 1 {
                std::fs::write(&path, "").unwrap();
            }
        };
        let parts = LevelParts {
            every: Duration::ZERO,
            take: &mut take,
        };
        let none = MemoryFolder::default();
        let format = Format::JsonLines;
        let level = level::open_log(format, opened, "level", &none, &(), Some(parts)).unwrap();
        assert_eq!(states(&level), lines.len() - 1, "{compression:?}");
    }
}

#[test]
fn every_format_is_handed_on_while_it_is_read() {
    let (path, _) = recording("warehouse.jsonl");
    let whole = level::open(&path, &()).unwrap();
    let recording = whole.replay.recording().unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (format, name) in [
        (Format::JsonLines, "level.jsonl"),
        (Format::Csv, "level.csv"),
        #[cfg(feature = "parquet")]
        (Format::Parquet, "level.parquet"),
    ] {
        let mut bytes = Vec::new();
        log::write(format, recording, &mut bytes).unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let bodies = |level: &Level| -> Vec<usize> {
            let data = level.replay.recording().unwrap().data.clone();
            data.iter().map(|frame| frame.bodies.len()).collect()
        };
        let mut parts = Vec::new();
        let level = level::open_in_parts(
            &path,
            &ReadOptions::default(),
            &(),
            Some(LevelParts {
                every: Duration::ZERO,
                take: &mut |part| parts.push(bodies(&part)),
            }),
        );
        let all = bodies(&level.unwrap());
        assert_eq!(all.len(), recording.frames.len(), "{format:?}");
        assert!(!parts.is_empty(), "{format:?}");
        assert!(parts.iter().all(|part| all.starts_with(part)), "{format:?}");
    }
}

/// Each frame is judged by what is known then, so only levels whose facts do not change have the same findings.
#[test]
fn a_level_that_grows_has_the_findings_of_the_whole() {
    let key = |one: &Finding| {
        let names = (one.a.clone(), one.b.clone());
        (one.frame, one.last_frame, one.kind, one.cause, names)
    };
    for name in [
        "jolt_two_bullets.jsonl",
        "gallery_bumps.jsonl",
        "warehouse.jsonl",
    ] {
        let (path, text) = recording(name);
        let whole = level::open(&path, &()).unwrap();
        let report = diagnose(&whole, &Options::default(), &()).unwrap();
        assert!(!report.findings.is_empty(), "{name}");
        let mut diagnosis = Diagnosis::starting_at(0);
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        for count in (3..=lines.len()).step_by(7).chain([lines.len()]) {
            let folder = MemoryFolder {
                files: [(name.to_owned(), lines[..count].concat().into_bytes())].into(),
            };
            let part = level::open_in(&folder, name, &()).unwrap();
            let last = part.replay.frames() - 1;
            diagnosis
                .advance(&part.replay, last, &(), &mut |_| ())
                .unwrap();
            check_report(&diagnosis.report(&part.replay, &part.file));
        }
        let grown = diagnosis.report(&whole.replay, &whole.file);
        assert_eq!(grown.frames, report.frames);
        let keys = |findings: &[Finding]| findings.iter().map(key).collect::<Vec<_>>();
        assert_eq!(keys(&grown.findings), keys(&report.findings), "{name}");
    }
}

/// A recording of PhysX in centimetres, for which no file says so: its ball begins 3 units before the wall.
#[test]
fn what_the_user_says_holds_for_a_received_recording() {
    let mut listener = listener();
    listener.options.unit = Some(0.01);
    let file = std::fs::read("tests/core/levels/ovd/ball_and_wall.ovd.zst").unwrap();
    let mut game = TcpStream::connect(listener.address()).unwrap();
    let bytes = zstd::decode_all(&file[..]).unwrap();
    thread::spawn(move || game.write_all(&bytes).unwrap());
    let client = listener.accept(&()).unwrap().unwrap();
    let level = received(client, &mut |_| ()).unwrap();
    let place = bodies_of(level.replay.recording().unwrap())[1]
        .pose
        .position;
    assert!((place.x + 0.03).abs() < 1e-6, "{place}");
}
