//! Opening and closing levels, and files that cannot be read.

use super::window::*;
use egui_kittest::kittest::NodeT as _;
use hitstop::app::command::arguments::Output;
use hitstop::core::diagnose::Family;

#[test]
fn the_start_page_lists_the_levels_and_opens_one() {
    let mut window = Window::start_page();
    let titles: Vec<String> = window
        .model()
        .bundle
        .iter()
        .map(|entry| entry.title.clone())
        .collect();
    assert!(titles.len() >= 10);
    for title in &titles {
        assert!(window.has(title), "{title}");
    }
    window.click(&titles[0]);
    window.until("the level is open", |model| model.session.is_some());
    assert!(window.has("Timeline"));
    assert!(!window.has("Recent files"), "the start page is gone");
}

#[test]
fn recent_files_come_with_their_age_and_can_be_removed() {
    let mut window = Window::open(|folder| {
        let path = write(folder, "kept.ron", BULLET);
        let missing = folder.path().join("deleted.ron");
        let mut settings = Settings::at(folder.path().join("settings.json"));
        settings.remember(&missing);
        settings.remember(&path);
        settings.save().unwrap();
        None
    });
    window.until("the files are checked", |model| model.recent.len() == 2);
    assert!(window.has("kept.ron"));
    assert!(window.has("deleted.ron, missing"));
    window.click("Remove deleted.ron from the list");
    assert!(!window.has("deleted.ron, missing"));
    let path = window.folder.path().join("kept.ron");
    assert_eq!(window.saved_settings().recent, [path]);
    window.click("kept.ron");
    window.until("the level is open", |model| model.session.is_some());
}

#[test]
fn examples_are_grouped_by_causes_and_filtered() {
    let mut window = Window::start_page();
    for family in Family::ALL {
        assert!(window.has(family.title()), "{}", family.title());
    }
    assert!(window.has("Start here"), "on the first day");
    window.fill("Filter examples", "winding");
    assert!(!window.has(Family::Numbers.title()));
    assert!(window.has(Family::Surfaces.title()));
    window.fill("Filter examples", "no such level");
    assert!(window.has("No example contains this text."));
    let day = 24 * 60 * 60;
    let settings = &mut window.model_mut().settings;
    settings.first_start = settings.first_start.map(|at| at - day);
    window.settle();
    assert!(!window.has("Start here") && window.has("Featured"));
}

#[test]
fn a_scene_is_created_from_the_start_page() {
    let mut window = Window::start_page();
    window.click("New scene");
    window.until("the scene is open", |model| model.scene_doc().is_some());
}

#[test]
fn a_broken_file_is_shown_with_its_line_until_dismissed() {
    let broken = BULLET.replace("radius: 0.5", "radius: -0.5");
    let line = 1 + broken
        .lines()
        .position(|line| line.contains("-0.5"))
        .unwrap();
    let mut window =
        Window::open(|folder| Some(Source::File(write(folder, "broken.ron", &broken))));
    window.until("the error is shown", |model| {
        !model.messages.shown().is_empty()
    });
    let message = window.model().messages.shown()[0].clone();
    let at = message.problem.at.unwrap();
    assert_eq!(at.line, line);
    assert!(window.model().session.is_none());
    let place = format!("line {line}");
    let shown = window.harness.query_all_by_label_contains(&place).count();
    assert_eq!(shown, 1);
    window.click(&format!("Dismiss: {}", message.problem.what));
    assert!(window.model().messages.shown().is_empty());
}

#[test]
fn a_failed_reload_keeps_the_open_level() {
    let mut window = Window::bullet();
    std::fs::write(window.folder.path().join("scene.ron"), "nonsense").unwrap();
    window.key(Key::F5);
    window.until("the error is shown", |model| {
        !model.messages.shown().is_empty()
    });
    assert!(window.model().session.is_some());
}

#[test]
fn closing_a_level_goes_back_to_the_start_page() {
    let mut window = Window::bullet();
    window.keys(Modifiers::COMMAND, Key::W);
    assert!(window.model().session.is_none());
    assert!(window.has("Recent files"));
    assert!(window.has("scene.ron"), "it is among the recent files");
}

#[test]
fn unreadable_settings_are_set_aside_and_reported() {
    let by_hand = "{ \"zoom\": 2, }";
    let window = Window::open(|folder| {
        write(folder, "settings.json", by_hand);
        None
    });
    assert!(window.has("settings could not be read; defaults are used"));
    let aside = window.folder.path().join("settings.broken.json");
    assert!(
        window
            .harness
            .query_by_label_contains(&aside.display().to_string())
            .is_some()
    );
    assert_eq!(std::fs::read_to_string(aside).unwrap(), by_hand);
}

#[test]
fn the_report_and_the_findings_are_saved_as_the_command_line_does() {
    let mut window = Window::bullet();
    let path = |name: &str| window.folder.path().join(name);
    let (page, json, sarif) = (path("a.html"), path("a.json"), path("a.sarif"));
    window.apply(Command::WriteOutput(Output::Report, page.clone()));
    window.until("the page is saved", |_| page.exists());
    assert!(std::fs::read_to_string(&page).unwrap().contains("<svg"));
    // Pages that play the level, and only its loop, which has no finding.
    let replay_page = |window: &mut Window, name: &str| {
        let played = window.folder.path().join(name);
        window.apply(Command::WriteOutput(Output::ReplayPage, played.clone()));
        window.until("the page is saved", |_| played.exists());
        let text = std::fs::read_to_string(&played).unwrap();
        assert!(text.contains("<canvas"));
        text.contains("too fast for too thin")
    };
    assert!(replay_page(&mut window, "whole.html"));
    window.apply(Command::SetLoop(4.0, 9.0));
    assert!(!replay_page(&mut window, "loop.html"));
    window.apply(Command::WriteOutput(Output::Findings, json.clone()));
    window.until("the findings are saved", |_| json.exists());
    let text = std::fs::read_to_string(&json).unwrap();
    let read: Report = serde_json::from_str(&text).unwrap();
    assert_eq!(read.findings[0].cause.id(), "C01");
    window.apply(Command::WriteOutput(Output::Findings, sarif.clone()));
    window.until("the findings are saved", |_| sarif.exists());
    window.apply(Command::WriteOutput(
        Output::Findings,
        path_of(&window, "a.txt"),
    ));
    window.until("it is refused", |model| {
        let shown = model.messages.shown().iter();
        let mut what = shown.map(|message| message.problem.what.as_str());
        what.any(|what| what == "unsupported output format")
    });
    window.open_menu("File");
    let convert = window
        .harness
        .get_by_role_and_label(Role::MenuItem, "Save recording as…");
    assert!(convert.accesskit_node().is_disabled(), "it is a scene");
}

fn path_of(window: &Window, name: &str) -> PathBuf {
    window.folder.path().join(name)
}

#[test]
fn a_recording_is_converted_and_opened_by_the_button_of_its_message() {
    let warehouse = include_str!("../../scenes/recordings/straight_push.jsonl");
    let mut window =
        Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", warehouse))));
    window.until("the level is checked", |model| report(model).is_some());
    let table = path_of(&window, "log.csv");
    window.apply(Command::WriteOutput(Output::Recording, table.clone()));
    window.until("the table is saved", |model| {
        let mut shown = model.messages.shown().iter();
        shown.any(|message| message.opens.as_ref() == Some(&table))
    });
    window.click("Open it");
    window.until("the table is open", |model| {
        let document = model.document();
        document.is_some_and(|document| document.source == Source::File(table.clone()))
    });
}

#[test]
fn a_recording_that_another_program_writes_again_is_reloaded() {
    let log = |speed: f64| {
        let header = r#"{"hitstop": 1, "dt": 0.1, "objects": [
            {"id": 0, "name": "wall", "motion": "fixed", "shape": {"box": {"half_extents": [0.1, 5, 5]}}},
            {"id": 1, "name": "ball", "shape": {"sphere": {"radius": 0.25}}}]}"#;
        let frames = (0..3).map(|frame| {
            let x = f64::from(frame).mul_add(speed * 0.1, -2.0);
            format!(
                r#"{{"frame": {frame}, "bodies": [{{"id": 0, "p": [0, 0, 0]}}, {{"id": 1, "p": [{x}, 0, 0]}}]}}"#
            )
        });
        let lines = [header.replace('\n', "")].into_iter().chain(frames);
        lines.collect::<Vec<_>>().join("\n")
    };
    let mut window =
        Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", &log(30.0)))));
    let findings = |model: &Model| model.document().map_or(9, |one| one.findings().len());
    window.until("it is diagnosed", |model| findings(model) == 1);
    window.settle();
    // The ball is slower now, and stays before the wall.
    write(&window.folder, "log.jsonl", &log(1.0));
    window.until("it is read again", |model| findings(model) == 0);
    window.until("the changes are known", |model| {
        session(model).changes.is_some()
    });
    assert!(window.has("1 fixed"));
}
