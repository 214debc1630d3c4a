//! Whatever can be clicked, typed in or dragged has a name, and says what it is when the pointer rests on it.

use super::window::*;
use egui_kittest::kittest::{By, NodeT as _};
use std::collections::BTreeSet;

/// A level of everything: a finding, a camera with a probe, a note, a pair.
const EVERYTHING: &str = r#"Scene(
    version: 1,
    name: "Everything",
    dt: 0.0625,
    frames: 40,
    detection: Overlap,
    response: Push,
    objects: [
        (name: "bullet", shape: Sphere(radius: 0.5), position: (-12.0, 0.0, 0.0), velocity: (128.0, 0.0, 0.0)),
        (name: "paper", shape: Box(half_extents: (0.125, 2.0, 2.0)), motion: Fixed),
        (name: "bystander", shape: Box(half_extents: (1.0, 1.0, 1.0)), position: (0.0, 0.0, 30.0), motion: Fixed),
    ],
    camera: (position: (0.25, 0.0, -1.75), look_at: (0.25, 0.0, -2.0), probe: Lines([(0.0, 0.0, 0.5), (0.5, 0.0, 0.0)])),
    bookmarks: [(frame: 2, note: "a note")],
    expect: [Finds(kind: Tunnels, a: "bullet", b: "paper")],
)"#;

/// What a person acts on.
const ACTED_ON: &[Role] = &[
    Role::Button,
    Role::CheckBox,
    Role::ComboBox,
    Role::Link,
    Role::ListItem,
    Role::MenuItem,
    Role::MultilineTextInput,
    Role::RadioButton,
    Role::Slider,
    Role::SpinButton,
    Role::TextInput,
];

/// Menus, which open to tell; and what the toolkit draws, named by what everybody knows.
const WELL_KNOWN: &[&str] = &[
    "File",
    "Edit",
    "Add",
    "Time",
    "Findings",
    "Compare",
    "Camera",
    "Selection",
    "View",
    "Help",
    "Close",
    "Scroll tabs left",
    "Scroll tabs right",
];

/// Everything that is acted on, with what it lacks.
fn lacking(window: &Window) -> BTreeSet<String> {
    let root = window.harness.root();
    let acted_on = By::new().predicate(|node| ACTED_ON.contains(&node.role()));
    let mut lacking = BTreeSet::new();
    let mut seen = 0;
    for node in root.query_all(acted_on) {
        seen += 1;
        let node = node.accesskit_node();
        let (role, name) = (node.role(), node.label().unwrap_or_default());
        if name.trim().is_empty() {
            lacking.insert(format!("{role:?} at {:?} has no name", node.bounding_box()));
        }
        let told = node
            .description()
            .is_some_and(|text| !text.trim().is_empty());
        if !told && !WELL_KNOWN.contains(&name.as_str()) {
            lacking.insert(format!("{role:?} {name:?} does not say what it is"));
        }
    }
    assert!(seen > 20, "only {seen} things to act on");
    lacking
}

fn assert_told(lacking: &BTreeSet<String>, place: &str) {
    let list: Vec<&str> = lacking.iter().map(String::as_str).collect();
    assert!(list.is_empty(), "{place}:\n{}", list.join("\n"));
}

#[test]
fn everything_in_every_panel_has_a_name_and_says_what_it_is() {
    let mut window = Window::with(EVERYTHING);
    window.apply(Command::SelectFinding(0));
    window.apply(Command::TogglePin);
    window.apply(Command::CompareDetection);
    window.until("compared", |model| model.compare.result().is_some());
    let mut missing = BTreeSet::new();
    for &pane in Pane::ALL {
        if !window.model().dock.is_shown(pane) {
            window.apply(Command::TogglePane(pane));
        }
        window.settle();
        window.until("nothing is worked at", |model| {
            model.find.working().is_none() && model.compare.work().is_none()
        });
        assert!(window.model().dock.is_shown(pane), "{pane:?}");
        missing.extend(lacking(&window));
    }
    assert_told(&missing, "with a finding selected");
}

#[test]
fn the_window_with_one_object_or_none_says_what_it_is() {
    let mut window = Window::with(EVERYTHING);
    for selected in [None, Some(0), Some(1)] {
        window.apply(Command::Select(selected));
        for pane in [
            Pane::Inspector,
            Pane::Explain,
            Pane::Candidates,
            Pane::WhatIf,
        ] {
            if !window.model().dock.is_shown(pane) {
                window.apply(Command::TogglePane(pane));
            }
            window.settle();
            assert_told(&lacking(&window), &format!("{pane:?} of {selected:?}"));
        }
    }
}

#[test]
fn the_start_page_says_what_it_is() {
    assert_told(&lacking(&Window::start_page()), "the start page");
}

#[test]
fn tabs_tell_their_panel_and_a_plus_brings_those_that_are_closed() {
    let mut window = Window::bullet();
    assert!(!window.model().dock.is_shown(Pane::Bookmarks));
    let plus = window.harness.query_all_by_label("More panels").nth(1);
    plus.expect("a plus in the upper right").click();
    window.settle();
    let menu = &window.harness;
    menu.get_by_role_and_label(Role::MenuItem, "Bookmarks")
        .click();
    window.settle();
    assert!(window.model().dock.is_shown(Pane::Bookmarks));
}
