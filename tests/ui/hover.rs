//! Every node that can be clicked, typed in or dragged has a name, and a description that is shown at the pointer.

use super::window::*;
use egui_kittest::kittest::{By, NodeT as _};
use std::collections::BTreeSet;

/// A level with everything: a finding, a camera with a probe, a note, a pair.
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

/// Roles that the user acts on.
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

/// Roles that need a name, but no description.
const NAMED: &[Role] = &[Role::GraphicsObject, Role::Tab];

/// Menus, which need no description as they open; and nodes of the toolkit.
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

/// Every node that is acted on, with the properties it lacks.
fn lacking(window: &Window) -> BTreeSet<String> {
    let root = window.harness.root();
    let roles = [ACTED_ON, NAMED].concat();
    let acted_on = By::new().predicate(move |node| roles.contains(&node.role()));
    let mut lacking = BTreeSet::new();
    let mut seen = 0;
    for node in root.query_all(acted_on) {
        seen += 1;
        let node = node.accesskit_node();
        let (role, name) = (node.role(), node.label().unwrap_or_default());
        if name.trim().is_empty() {
            lacking.insert(format!("{role:?} at {:?} has no name", node.bounding_box()));
        }
        let is_known = NAMED.contains(&role) || WELL_KNOWN.contains(&name.as_str());
        if node.description().unwrap_or_default().trim().is_empty() && !is_known {
            lacking.insert(format!("{role:?} {name:?} has no description"));
        }
    }
    assert!(seen > 20, "only {seen} things to act on");
    lacking
}

fn assert_none(lacking: BTreeSet<String>, place: &str) {
    let list = Vec::from_iter(lacking).join("\n");
    assert!(list.is_empty(), "{place}:\n{list}");
}

/// Menus, and the areas above the panels: names suffice.
fn assert_named(window: &Window, place: &str) {
    let mut lacking = lacking(window);
    lacking.retain(|what| what.ends_with("has no name"));
    assert_none(lacking, place);
}

#[test]
fn everything_in_every_panel_has_a_name_and_a_description() {
    let mut window = Window::with(EVERYTHING);
    window.apply(Command::SelectFinding(0));
    window.apply(Command::TogglePin);
    window.apply(Command::CompareDetection);
    window.until("compared", |model| {
        session(model).compare.result().is_some()
    });
    let mut missing = BTreeSet::new();
    for &pane in Pane::ALL {
        if !window.model().dock.is_shown(pane) {
            window.apply(Command::TogglePane(pane));
        }
        window.settle();
        window.until("nothing is worked at", |model| {
            !model.jobs.is_running(JobKind::Find) && model.comparing().is_none()
        });
        assert!(window.model().dock.is_shown(pane), "{pane:?}");
        missing.extend(lacking(&window));
    }
    assert_none(missing, "with a finding selected");
}

#[test]
fn everything_in_menus_the_palette_the_keys_and_the_hints_has_a_name() {
    let mut window = Window::of_newcomer(BULLET);
    assert_named(&window, "hints");
    window.apply(Command::ShowHint(None));
    for menu in ["File", "Time", "Findings", "Selection", "View", "Help"] {
        // The menu bar comes before a tab of the same name.
        let named = window.harness.query_all_by_label(menu).next();
        named.expect(menu).click();
        window.settle();
        assert_named(&window, menu);
        window.key(Key::Escape);
    }
    for command in [Command::TogglePalette, Command::ToggleCheatSheet] {
        window.apply(command.clone());
        window.settle();
        assert_named(&window, &format!("{command:?}"));
        window.key(Key::Escape);
    }
}

#[test]
fn the_window_with_one_object_or_none_has_names_and_descriptions() {
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
            assert_none(lacking(&window), &format!("{pane:?} of {selected:?}"));
        }
    }
}

#[test]
fn the_start_page_has_names_and_descriptions() {
    assert_none(lacking(&Window::start_page()), "the start page");
}

#[test]
fn a_plus_opens_closed_panels() {
    let mut window = Window::bullet();
    assert!(!window.model().dock.is_shown(Pane::Bookmarks));
    let plus = window.harness.query_all_by_label("More panels").next();
    plus.expect("a plus in the upper left").click();
    window.settle();
    let menu = &window.harness;
    menu.get_by_role_and_label(Role::MenuItem, "Bookmarks")
        .click();
    window.settle();
    assert!(window.model().dock.is_shown(Pane::Bookmarks));
}
