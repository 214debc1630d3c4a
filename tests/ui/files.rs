//! Opening and closing levels, and files that cannot be read.

use super::window::*;
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
