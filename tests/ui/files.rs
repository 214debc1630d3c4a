//! Opening and closing levels, and files that cannot be read.

use super::window::*;

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
    assert!(!window.has("Open file…"), "the start page is gone");
}

#[test]
fn a_path_can_be_typed() {
    let mut window = Window::start_page();
    let path = write(&window.folder, "typed.ron", BULLET);
    let field = window.harness.get_by_role(Role::TextInput);
    field.focus();
    field.type_text(&path.display().to_string());
    window.settle();
    window.key(Key::Enter);
    window.until("the level is open", |model| model.session.is_some());
    assert_eq!(window.model().settings.recent, [path]);
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
    assert!(window.has("Open file…"));
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
