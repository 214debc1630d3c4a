//! The help window.

use super::window::*;
use egui_kittest::kittest::NodeT as _;
use hitstop::app::help_topics::HelpPage;
use hitstop::core::diagnose::Cause;

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

#[test]
fn the_drawing_of_a_cause_moves_until_its_slider_is_dragged() {
    let mut window = Window::with(BULLET);
    window.click("C01");
    window.until("it is drawn", |model| {
        model.cause_film(Cause::ALL[0]).is_some()
    });
    let slider = "Time in the frame";
    let at = |window: &Window| {
        let node = window.harness.get_by_label(slider);
        node.accesskit_node().numeric_value().unwrap()
    };
    let first = at(&window);
    window.harness.run_steps(8);
    let later = at(&window);
    assert!(later > first, "{first} to {later}");
    window.drag(slider, 0.5, 0.75);
    let dragged = at(&window);
    assert!((0.6..0.9).contains(&dragged), "{dragged}");
    window.harness.run_steps(8);
    assert_eq!(at(&window), dragged);
    window.click("Play the drawing");
    window.harness.run_steps(8);
    assert!(at(&window) > dragged);
    // The page of another cause begins anew, and one of no cause draws nothing.
    window.apply(Command::Help(HelpPage::Guide));
    window.settle();
    assert!(!window.has(slider));
}

#[test]
fn a_level_of_the_tour_is_fixed_by_a_change_and_not_by_taking_things_away() {
    let mut window = Window::start_page();
    window.menu("Help", "Fix the causes…");
    assert!(window.has("0 of 16 fixed"), "{:?}", window.texts());
    window.click("Open the level of C01");
    window.until("it is judged", |model| model.tour_lacks().is_some());
    let lacks = |window: &Window| window.model().tour_lacks().unwrap().join("; ");
    assert!(lacks(&window).starts_with("there is still a finding: "));
    let edited = |window: &mut Window, from: &str, to: &str| {
        let text = window
            .model()
            .scene_doc()
            .unwrap()
            .text()
            .unwrap()
            .to_string();
        assert!(text.contains(from), "{text}");
        let text = text.replacen(from, to, 1);
        window.apply(Command::EditText(text));
        window.until("it is judged", |model| {
            model.diagnosing().is_none() && !model.jobs.is_running(JobKind::JudgeTour)
        });
        lacks(window)
    };
    // Slower than half, or as if the paper were not there.
    let slow = edited(&mut window, "400.0", "4.0");
    assert_eq!(
        slow,
        "bullet is less than half as fast as before; bullet no longer meets anything"
    );
    let aside = edited(&mut window, "4.0, 0.0, 0.0", "0.0, 400.0, 0.0");
    assert_eq!(aside, "bullet no longer meets anything");
    assert!(!window.model().is_fixed(Cause::ALL[0]));
    let swept = edited(&mut window, "(0.0, 400.0, 0.0)", "(400.0, 0.0, 0.0)");
    assert!(swept.starts_with("there is still a finding: "), "{swept}");
    let swept = edited(&mut window, "detection: Overlap", "detection: Sweep");
    assert_eq!(swept, "");
    assert!(window.model().is_fixed(Cause::ALL[0]));
    window.apply(Command::Help(HelpPage::Tour));
    window.settle();
    assert!(window.has("1 of 16 fixed"));
    assert!(window.saved_settings().fixed_causes.contains("C01"));
    window.click("Hint for C01");
    assert!(window.has("C01 too fast for too thin"));
}
