//! The help window.

use super::window::*;

#[test]
fn the_guide_is_searched_and_a_topic_chosen() {
    let mut window = Window::start_page();
    window.menu("Help", "Guide");
    assert!(window.has("1. Write a log"));
    window.fill("Search the help", "winding");
    assert!(!window.has("1. Write a log"));
    window.click("C08 back face or winding");
    let evidence = window.harness.query_by_label_contains("Evidence.");
    assert!(evidence.is_some());
    window.key(Key::Escape);
    assert_eq!(window.model().ui_state.help, None);
}

#[test]
fn the_cause_of_a_finding_is_explained_with_examples() {
    let mut window = Window::with(BULLET);
    window.click("C01");
    let meaning = "In one frame the mover travels farther";
    assert!(window.harness.query_by_label_contains(meaning).is_some());
    window.click("Bullet through paper");
    window.until("the example is open", |model| {
        let document = model.document();
        document.is_some_and(|document| document.title() == "Bullet through paper")
    });
}

#[test]
fn the_page_about_the_program_has_version_and_files() {
    let mut window = Window::start_page();
    window.menu("Help", "About Hitstop");
    let settings = window.folder.path().join("settings.json");
    let mut manifest = include_str!("../../Cargo.toml").lines();
    let version = manifest.find_map(|line| line.strip_prefix("version = "));
    let version = version.unwrap().trim_matches('"');
    for text in [version, &settings.display().to_string()] {
        assert!(
            window.harness.query_by_label_contains(text).is_some(),
            "{text}"
        );
    }
    window.click("Licences of the crates that are built in");
    let first = "Hitstop is built with the crates below.";
    assert!(window.harness.query_by_label_contains(first).is_some());
}
