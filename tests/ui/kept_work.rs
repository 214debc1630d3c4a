//! What the user has done stays: unsaved changes while another level is read, and what was set while the level is read again.

use super::window::*;
use egui_kittest::kittest::NodeT as _;
use hitstop::core::edit::EditableScene;
use hitstop::core::replay::ObjectId;
use std::io::Write as _;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};

/// A ball through walls at x = 0 and x = 40 m, 4 m a frame: frames 2 and 12. From frame 20 on it comes back, through the first in frame 37.
fn log(names: &[&str], frames: u32) -> String {
    let object = |(id, name): (usize, &&str)| match *name {
        "ball" => {
            format!(r#"{{"id": {id}, "name": "ball", "shape": {{"sphere": {{"radius": 0.25}}}}}}"#)
        }
        _ => format!(
            r#"{{"id": {id}, "name": "{name}", "motion": "fixed", "shape": {{"box": {{"half_extents": [0.1, 5, 5]}}}}}}"#
        ),
    };
    let objects: Vec<String> = names.iter().enumerate().map(object).collect();
    let mut text = format!(
        "{{\"hitstop\": 1, \"dt\": 0.1, \"objects\": [{}]}}\n",
        objects.join(", ")
    );
    for frame in 0..=frames {
        let body = |(id, name): (usize, &&str)| {
            let x = match *name {
                "ball" => 70.0 - 4.0 * (f64::from(frame) - 20.0).abs(),
                "far" => 40.0,
                "other" => 400.0,
                _ => 0.0,
            };
            format!(r#"{{"id": {id}, "p": [{x}, 0, 0]}}"#)
        };
        let bodies: Vec<String> = names.iter().enumerate().map(body).collect();
        text += &format!(
            "{{\"frame\": {frame}, \"bodies\": [{}]}}\n",
            bodies.join(", ")
        );
    }
    text
}

fn selected(window: &Window) -> Option<(String, u32)> {
    let finding = window.model().selected_finding()?;
    Some((finding.b.clone(), finding.frame))
}

fn id(window: &Window, name: &str) -> ObjectId {
    let replay = window.session().document.replay();
    replay.object_named(name).unwrap()
}

fn diagnosed(model: &Model) -> bool {
    report(model).is_some() && model.diagnosing().is_none() && model.loading().is_none()
}

#[test]
fn a_reload_keeps_the_work() {
    let mut window = Window::open(|folder| {
        Some(Source::File(write(
            folder,
            "log.jsonl",
            &log(&["near", "far", "ball"], 20),
        )))
    });
    window.until("it is diagnosed", diagnosed);
    assert_eq!(selected(&window), Some(("near".to_owned(), 2)));
    window.apply(Command::NextFinding);
    assert_eq!(selected(&window), Some(("far".to_owned(), 12)));
    let ids = ["near", "ball"].map(|name| id(&window, name));
    window.apply(Command::Select(Some(ids[0])));
    window.apply(Command::HideSelected);
    window.apply(Command::Select(Some(ids[1])));
    window.apply(Command::ToggleFollow);
    window.apply(Command::LockSelected);
    window.apply(Command::NextFinding);
    assert_eq!(
        selected(&window),
        Some(("far".to_owned(), 12)),
        "the last one"
    );
    window.apply(Command::SetLoop(11.0, 14.0));
    window.apply(Command::SetSpeed(0.25));
    window.apply(Command::FilterFindings("ball".into()));

    // The engine adds an object before the others, and a frame.
    let text = log(&["other", "near", "far", "ball"], 21);
    write(&window.folder, "log.jsonl", &text);
    window.until("it is read again", |model| {
        diagnosed(model) && session(model).document.replay().objects().len() == 4
    });
    assert_eq!(selected(&window), Some(("far".to_owned(), 12)));
    assert_eq!(window.moment().0, 12);
    let [near, ball, far] = ["near", "ball", "far"].map(|name| id(&window, name));
    assert_eq!(window.model().selection.objects(), [ball, far]);
    let visibility = &window.session().visibility;
    assert!(visibility.hides(near) && !visibility.hides(far) && visibility.hidden() == 1);
    assert!(visibility.locks(ball) && visibility.locked() == 1);
    assert_eq!(visibility.followed, Some(ball));
    let playback = &window.model().playback;
    assert_eq!(
        (playback.frames(), playback.loop_bounds()),
        (21, (11.0, 14.0))
    );
    assert!(playback.looping() && playback.speed() == 0.25);
    assert_eq!(window.model().ui_state.findings.filter, "ball");
}

/// The first of the pair was selected once.
#[test]
fn a_new_diagnosis_selects_the_same_finding() {
    let text = log(&["near", "ball"], 40);
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", &text))));
    window.until("it is diagnosed", diagnosed);
    assert_eq!(window.session().document.findings().len(), 2);
    window.apply(Command::NextFinding);
    assert_eq!(selected(&window), Some(("near".to_owned(), 37)));
    let before = std::sync::Arc::as_ptr(window.session().document.report.as_ref().unwrap());
    window.apply(Command::Reload);
    window.until("it is diagnosed again", |model| {
        let report = session(model).document.report.as_ref();
        diagnosed(model) && report.is_some_and(|now| std::sync::Arc::as_ptr(now) != before)
    });
    assert_eq!(selected(&window), Some(("near".to_owned(), 37)));
}

/// A scene with a change that is not saved.
fn edited() -> Window {
    let mut window = Window::bullet();
    change(&mut window, "0.25");
    window
}

fn change(window: &mut Window, radius: &str) {
    let text = BULLET.replace("radius: 0.5", &format!("radius: {radius}"));
    window.apply(Command::EditText(text));
    window.settle();
    assert!(window.model().has_unsaved());
}

fn text(window: &Window) -> String {
    let shown = window.model().scene_doc().and_then(EditableScene::text);
    shown.map(|text| text.to_string()).unwrap_or_default()
}

fn asks(model: &Model) -> bool {
    model.prompt.is_some()
}

#[test]
fn changes_made_while_another_level_is_read_are_asked_about() {
    let mut window = Window::bullet();
    let other = write(&window.folder, "log.jsonl", &log(&["near", "ball"], 4));
    window.apply(Command::Open(other.clone()));
    // Before the file is read.
    let text_before = BULLET.replace("radius: 0.5", "radius: 0.25");
    window.apply(Command::EditText(text_before.clone()));
    window.until("it asks", asks);
    assert!(text(&window).contains("radius: 0.25"));
    window.click("Cancel");
    assert_eq!(text(&window), text_before);
    assert!(window.model().has_unsaved());

    window.apply(Command::Open(other.clone()));
    window.until("it asks", asks);
    window.click("Save the changes");
    window.until("the other is open", |model| {
        model.document().unwrap().source == Source::File(other.clone())
    });
    let saved = std::fs::read_to_string(window.folder.path().join("scene.ron")).unwrap();
    assert_eq!(saved, text_before);
}

#[test]
fn opening_the_open_file_again_asks_about_its_changes() {
    let mut window = edited();
    let path = window.folder.path().join("scene.ron");
    window.apply(Command::Open(path));
    window.until("it asks", asks);
    assert!(text(&window).contains("radius: 0.25"));
    window.click("Discard the changes");
    window.until("it is read again", |model| {
        let shown = model.scene_doc().and_then(EditableScene::text);
        shown.is_some_and(|shown| **shown == *BULLET)
    });
    assert!(!window.model().has_unsaved() && window.model().prompt.is_none());
}

/// A file that cannot be read took the changes with it once: they were discarded before.
#[test]
fn a_file_that_cannot_be_read_leaves_the_changes() {
    let mut window = edited();
    let broken = write(&window.folder, "broken.ron", "nonsense");
    window.apply(Command::Open(broken));
    window.until("the error is shown", |model| {
        !model.messages.shown().is_empty()
    });
    assert!(window.model().prompt.is_none() && window.model().has_unsaved());
    let own = window.folder.path().join("recovery/0.json");
    window.until("it is autosaved", |_| own.exists());
}

/// A window that listens while a scene has unsaved changes.
fn listening() -> (Window, TcpStream) {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let address: SocketAddr = free.local_addr().unwrap();
    drop(free);
    let mut window = edited();
    window.model_mut().open(Source::Live(address));
    window.until("it listens", |_| TcpStream::connect(address).is_ok());
    let mut game = TcpStream::connect(address).unwrap();
    let text = log(&["near", "ball"], 6);
    game.write_all(text.as_bytes()).unwrap();
    window.until("it asks", asks);
    (window, game)
}

#[test]
fn a_game_that_connects_asks_before_it_replaces_changes() {
    let (mut window, mut game) = listening();
    assert!(text(&window).contains("radius: 0.25"));
    let more = "{\"frame\": 7, \"bodies\": []}\n";
    game.write_all(more.as_bytes()).unwrap();
    window.click("Discard the changes");
    window.until("it is received", |model| {
        model.is_live() && session(model).document.replay().frames() == 7
    });
    assert_eq!(window.moment(), (6, 1.0), "the newest frame");

    let (mut window, game) = listening();
    window.click("Cancel");
    assert!(window.model().has_unsaved() && !window.model().is_listening());
    window.until("it is kept", |model| {
        let recent = model.settings.recent.first();
        recent.is_some_and(|path| path.starts_with(window_received(model)))
    });
    drop(game);
}

fn window_received(model: &Model) -> PathBuf {
    let settings = model.settings.file().unwrap();
    settings.parent().unwrap().join("received")
}

#[test]
fn a_recording_that_is_received_is_kept_when_the_window_closes() {
    let (mut window, game) = listening();
    window.click("Discard the changes");
    window.until("it is received", Model::is_live);
    window.harness.state_mut().close();
    let received = window.folder.path().join("received");
    let files: Vec<_> = std::fs::read_dir(&received).unwrap().collect();
    assert_eq!(files.len(), 1);
    let file = files[0].as_ref().unwrap().path();
    assert_eq!(level::open(&file, &()).unwrap().replay.frames(), 6);
    drop(game);
}

/// Its lines held the indices of findings of the report before.
#[test]
fn the_open_palette_lists_the_findings_of_a_new_report() {
    let text = log(&["near", "far", "ball"], 20);
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", &text))));
    window.until("it is diagnosed", diagnosed);
    window.apply(Command::TogglePalette);
    window.settle();
    window
        .harness
        .input_mut()
        .events
        .push(egui::Event::Text("far".into()));
    window.settle();
    let lines = |window: &Window| {
        let found = window.harness.query_all_by_label_contains("far");
        found
            .filter(|node| egui_kittest::kittest::NodeT::accesskit_node(node).role() != Role::Label)
            .count()
    };
    assert!(lines(&window) > 0);
    write(&window.folder, "log.jsonl", &log(&["near", "ball"], 21));
    window.until("it is read again", |model| {
        diagnosed(model) && session(model).document.replay().objects().len() == 2
    });
    assert!(window.model().ui_state.palette);
    assert_eq!(lines(&window), 0);
}

/// The view that opens the wall of the selected finding.
#[test]
fn the_cut_survives_an_edit_an_undo_and_a_click_on_the_pair() {
    let mut window = Window::bullet();
    window.apply(Command::SelectFinding(0));
    window.settle();
    let is_open = |window: &Window| {
        let node = window.harness.get_by_label("Viewport");
        let value = node.accesskit_node().value().unwrap_or_default();
        value.contains("cut open")
    };
    assert!(is_open(&window));
    for name in ["paper", "bullet"] {
        window.click_row(name);
        assert!(is_open(&window), "a click on {name}");
    }
    // Edits that keep the finding.
    let radius = |window: &Window| {
        let scene_doc = window.model().scene_doc();
        scene_doc.map(|scene_doc| scene_doc.scene.objects[1].tags.clone())
    };
    let before = radius(&window);
    let text = BULLET.replace(
        "motion: Fixed),\n        (name: \"by",
        "motion: Fixed, tags: [\"thin\"]),\n        (name: \"by",
    );
    window.apply(Command::EditText(text));
    window.until("it is diagnosed again", diagnosed);
    window.settle();
    assert_ne!(radius(&window), before);
    assert!(is_open(&window), "an edit");
    window.apply(Command::Undo);
    window.until("it is diagnosed again", diagnosed);
    window.settle();
    assert_eq!(radius(&window), before);
    assert!(is_open(&window), "an undo");
    // Another object is not of the pair.
    window.click_row("bystander");
    assert!(!is_open(&window));
}
