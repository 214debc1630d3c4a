//! Levels that grow while they are shown: received from a game, or read from a file that it goes on writing.

use super::window::*;
use hitstop::app::help_topics::HelpPage;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};

/// The ball passes the wall in frame 2.
const HEADER: &str = r#"{"hitstop": 1, "dt": 0.1, "objects": [{"id": 0, "name": "wall", "motion": "fixed", "shape": {"box": {"half_extents": [0.1, 5, 5]}}}, {"id": 1, "name": "ball", "shape": {"sphere": {"radius": 0.25}}}]}"#;

fn lines(frames: std::ops::Range<u32>) -> String {
    let line = |frame| {
        let x = f64::from(frame).mul_add(3.0, -7.5);
        format!(
            "{{\"frame\": {frame}, \"bodies\": [{{\"id\": 0, \"p\": [0, 0, 0]}}, {{\"id\": 1, \"p\": [{x}, 0, 0]}}]}}\n"
        )
    };
    frames.map(line).collect()
}

fn frames(model: &Model) -> u32 {
    model
        .document()
        .map_or(0, |document| document.replay().frames())
}

fn findings(model: &Model) -> usize {
    model
        .document()
        .map_or(0, |document| document.findings().len())
}

fn position(model: &Model) -> f64 {
    model.playback.playhead().position()
}

/// A window that listens, and its address.
fn listening() -> (Window, SocketAddr) {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let mut window = Window::open(|_| Some(Source::Live(address)));
    window.until("it listens", |_| TcpStream::connect(address).is_ok());
    (window, address)
}

/// The pair that is left out was missing from the report, as no finding comes with it.
#[test]
fn what_is_not_judged_is_updated_though_no_finding_changes() {
    let (mut window, address) = listening();
    let mut game = TcpStream::connect(address).unwrap();
    // A lift through a door, both of which the level moves.
    let header = HEADER
        .replace(r#""motion": "fixed""#, r#""motion": "kinematic""#)
        .replace(
            r#""name": "ball", "shape": {"sphere": {"radius": 0.25}}"#,
            r#""name": "lift", "motion": "kinematic", "shape": {"box": {"half_extents": [0.25, 0.25, 0.25]}}"#,
        );
    let mut send = |text: &str| game.write_all(text.as_bytes()).unwrap();
    send(&format!("{header}\n{}", lines(0..2)));
    let left_out = |model: &Model| {
        let listed = report(model).map(|report| report.not_judged.iter());
        listed.map(|mut list| list.any(|one| one.why.starts_with("lift passed wall once")))
    };
    window.until("the first part is judged", |model| {
        left_out(model).is_some()
    });
    assert_eq!(left_out(window.model()), Some(false));
    send(&lines(2..8));
    window.until("the lift is left out", |model| {
        left_out(model) == Some(true)
    });
    assert!(window.model().is_live());
    assert_eq!(findings(window.model()), 0);
}

#[test]
fn frames_and_findings_are_shown_as_they_are_received() {
    let (mut window, address) = listening();
    assert!(window.has(&format!("Listening on {address}")));
    let mut game = TcpStream::connect(address).unwrap();
    let mut send = |text: &str| game.write_all(text.as_bytes()).unwrap();
    send(&format!("{HEADER}\n{}", lines(0..3)));
    window.until("two frames are shown", |model| frames(model) == 2);
    assert!(window.model().is_live());
    assert_eq!(position(window.model()), 2.0, "the newest frame is shown");
    send(&lines(3..8));
    window.until("the finding is listed", |model| findings(model) == 1);
    assert!(window.model().is_live(), "the game runs on");
    window.until("the rest is shown", |model| position(model) == 7.0);
    assert!(window.has("Receiving: 8 frames"));
    window.key(Key::Home);
    send(&lines(9..12));
    window.until("more has arrived", |model| frames(model) == 10);
    assert_eq!(position(window.model()), 0.0, "it stays where the user is");
    assert!(window.has("Receiving: 11 frames, 1 missing"));
    window.key(Key::End);
    send(&lines(12..14));
    window.until("it follows again", |model| position(model) == 12.0);
    drop(game);
    window.until("the whole is diagnosed", |model| {
        !model.is_live() && session(model).document.is_diagnosed() && model.diagnosing().is_none()
    });
    assert_eq!(findings(window.model()), 1);
    // The next run of the game replaces it, and can be compared with it.
    let mut game = TcpStream::connect(address).unwrap();
    let next = format!("{HEADER}\n{}", lines(0..3));
    game.write_all(next.as_bytes()).unwrap();
    window.until("the next run is shown", |model| frames(model) == 2);
    assert!(session(window.model()).compare.has_run_before());
    // The first run is kept as a file.
    let kept = window.folder.path().join("received");
    window.until("it is kept", |model| !model.settings.recent.is_empty());
    let file = window.model().settings.recent[0].clone();
    assert!(file.starts_with(&kept));
    assert_eq!(level::open(&file, &()).unwrap().replay.frames(), 12);
}

/// The steps of a program that connects, as the page of its lines shows them.
#[test]
fn the_page_of_ones_own_engine_shows_what_has_arrived() {
    let (mut window, address) = listening();
    window.apply(Command::Help(HelpPage::Connect));
    window.settle();
    let done = |window: &Window| {
        let texts = window.texts();
        texts.iter().filter(|text| text.ends_with(", done")).count()
    };
    assert_eq!(done(&window), 1, "{:?}", window.texts());
    let mut game = TcpStream::connect(address).unwrap();
    let mut send = |text: &str| game.write_all(text.as_bytes()).unwrap();
    send(&format!("{HEADER}\n{}", lines(0..2)));
    window.until("a frame is shown", |model| frames(model) == 1);
    window.settle();
    assert_eq!(done(&window), 3, "{:?}", window.texts());
    assert!(window.has("Connected, the header is read: 2 objects"));
    send(&lines(2..8));
    window.until("the finding is listed", |model| findings(model) == 1);
    window.settle();
    assert_eq!(done(&window), 4, "{:?}", window.texts());
    assert!(window.has("The first finding: 1 finding"));
    let mujoco = window.harness.get_by_role_and_label(Role::Button, "MuJoCo");
    mujoco.click_accesskit();
    window.settle();
    assert!(window.has("Copy"), "the lines can be copied");
    assert_eq!(done(&window), 4, "on the page of each engine");
}

#[test]
fn a_file_that_is_written_without_a_pause_is_followed() {
    let text = format!("{HEADER}\n{}", lines(0..2));
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", &text))));
    window.until("it is shown", |model| frames(model) == 1);
    let path = window.folder.path().join("log.jsonl");
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut file = std::fs::File::options().append(true).open(path).unwrap();
            for frame in (2..).take_while(|_| !stop.load(Ordering::Relaxed)) {
                file.write_all(lines(frame..frame + 1).as_bytes()).unwrap();
                std::thread::sleep(Duration::from_millis(16));
            }
        });
        window.until("it grows", |model| frames(model) > 60);
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_file_that_grows_is_followed() {
    let text = format!("{HEADER}\n{}", lines(0..2));
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", &text))));
    window.until("it is diagnosed", |model| report(model).is_some());
    window.settle();
    window.key(Key::End);
    let path = window.folder.path().join("log.jsonl");
    let mut file = std::fs::File::options().append(true).open(path).unwrap();
    file.write_all(lines(2..6).as_bytes()).unwrap();
    window.until("the finding is listed", |model| findings(model) == 1);
    assert_eq!(position(window.model()), 5.0, "the newest frame is shown");
    assert!(window.model().is_live());
    file.write_all(lines(6..9).as_bytes()).unwrap();
    window.until("the rest is shown", |model| frames(model) == 8);
    window.until("it is complete", |model| {
        !model.is_live() && session(model).document.is_diagnosed()
    });
}
