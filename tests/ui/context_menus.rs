//! The context menus of findings and objects, and the sections of menus.

use super::window::*;

impl Window {
    /// Opens the context menu of the row of a list.
    fn secondary_click(&mut self, label: &str) {
        self.harness
            .get_by_role_and_label(Role::ListItem, label)
            .click_secondary();
        self.settle();
    }

    fn item(&mut self, label: &str) {
        self.harness
            .get_by_role_and_label(Role::MenuItem, label)
            .click_accesskit();
        self.settle();
    }
}

#[test]
fn the_menu_of_a_finding_goes_to_it_and_adds_an_expectation() {
    let mut window = Window::bullet();
    let row = "Tunnels: bullet \u{2192} paper, frame 1";
    window.secondary_click(row);
    window.item("Go to the finding");
    assert_eq!(window.model().finding(), Some(0));
    window.key(Key::Escape);
    window.secondary_click(row);
    window.item("Add as expectation");
    let scene = &window.model().scene_doc().unwrap().scene;
    assert_eq!(scene.expect.len(), 1);
    // What has changed since then moves the row.
    window.until("it is diagnosed again", |model| {
        session(model).changes.is_some() && model.diagnosing().is_none()
    });
    window.secondary_click(row);
    window.item("Explain C01");
    assert!(window.model().ui_state.help.is_some());
    window.key(Key::Escape);
    window.secondary_click(row);
    window.item("List only Tunnels");
    assert!(!window.model().ui_state.findings.hidden_kinds.is_empty());
}

#[test]
fn the_menu_of_an_object_selects_renames_and_lists_its_findings() {
    let mut window = Window::bullet();
    window.secondary_click("paper");
    window.item("Select and frame");
    assert_eq!(window.model().selection.objects(), [1]);
    window.secondary_click("bullet");
    window.item("Rename…");
    assert_eq!(window.model().selection.objects(), [0]);
    let field = window
        .harness
        .get_by_role_and_label(Role::TextInput, "name");
    assert!(field.is_focused());
    window.secondary_click("bystander");
    assert!(window.has("No findings"));
    window.key(Key::Escape);
    window.secondary_click("paper");
    window.item("1 finding");
    window.click("Frame 1: Tunnels bullet \u{2192} paper");
    assert_eq!(window.model().finding(), Some(0));
}

#[test]
fn the_menu_of_an_object_hides_isolates_and_follows_it() {
    let mut window = Window::bullet();
    let hidden = |window: &Window| -> Vec<bool> {
        let visibility = &window.model().session.as_ref().unwrap().visibility;
        [0, 1, 2].map(|id| visibility.hides(id)).to_vec()
    };
    window.secondary_click("paper");
    window.item("Hide");
    assert_eq!(hidden(&window), [false, true, false]);
    window.secondary_click("bullet");
    window.item("Show all objects");
    assert_eq!(hidden(&window), [false, false, false]);
    window.secondary_click("bullet");
    window.item("Isolate");
    assert_eq!(hidden(&window), [false, true, true]);
    window.secondary_click("bullet");
    window.item("Follow object");
    let session = window.model().session.as_ref().unwrap();
    assert_eq!(session.visibility.followed, Some(0));
}

#[test]
fn the_object_under_the_pointer_in_the_view_has_a_menu() {
    let mut window = Window::bullet();
    window.apply(Command::Select(Some(1)));
    window.apply(Command::FrameSelection);
    for _ in 0..40 {
        window.harness.step();
    }
    let center = window.model().dock.rect(Pane::Viewport).unwrap().center();
    window.harness.hover_at(center);
    window.settle();
    let events = &mut window.harness.input_mut().events;
    for pressed in [true, false] {
        events.push(egui::Event::PointerButton {
            pos: center,
            button: egui::PointerButton::Secondary,
            pressed,
            modifiers: Modifiers::NONE,
        });
    }
    window.settle();
    window.item("Copy name");
}
