//! Keys, menus, the palette and the look of the window.

use super::window::*;
use egui_kittest::kittest::NodeT as _;
use hitstop::app::entry::unavailable;

/// Tab hid the panels once, and on the start page only raised a message.
#[test]
fn controls_are_reached_by_tab_and_pressed_by_enter() {
    let mut window = Window::start_page();
    let focused = |window: &Window, label: &str| window.harness.get_by_label(label).is_focused();
    let tab_to = |window: &mut Window, label: &str| {
        for _ in 0..250 {
            window.key(Key::Tab);
            if focused(window, label) {
                return;
            }
        }
        panic!("{label} is not reached");
    };
    tab_to(&mut window, "New scene");
    window.key(Key::ArrowDown);
    assert!(!focused(&window, "New scene"), "arrows move the focus, too");
    window.key(Key::ArrowUp);
    assert!(focused(&window, "New scene"));
    assert!(window.model().messages.shown().is_empty());
    window.key(Key::Enter);
    window.until("the scene is open", |model| model.scene_doc().is_some());

    let mut window = Window::bullet();
    tab_to(&mut window, "Next frame");
    assert!(!window.model().ui_state.panels_hidden);
    window.key(Key::Space);
    assert_eq!(window.moment().0, 1, "the button is pressed, nothing plays");
    assert!(window.model().playback.playing().is_none());
    window.key(Key::Escape);
    window.key(Key::ArrowRight);
    assert_eq!(
        window.moment().0,
        2,
        "without the focus the keys are shortcuts"
    );
}

/// A control below the edge of its panel got the focus, out of view.
#[test]
fn what_tab_reaches_is_in_view() {
    for mut window in [Window::start_page(), Window::bullet()] {
        let mut reached = std::collections::HashSet::new();
        for _ in 0..150 {
            window.key(Key::Tab);
            // The panel follows in the next pass.
            window.harness.run_steps(2);
            let ctx = &window.harness.ctx;
            let Some(id) = ctx.memory(egui::Memory::focused) else {
                continue;
            };
            let control = ctx.read_response(id).expect("a control");
            let visible = control.rect.intersect(control.interact_rect);
            assert!(
                visible.area() >= 0.5 * control.rect.area(),
                "{:?} in view of {:?}, after {} others",
                visible,
                control.rect,
                reached.len()
            );
            reached.insert(id);
        }
        assert!(reached.len() > 40, "{}", reached.len());
    }
}

#[test]
fn typing_does_not_trigger_shortcuts() {
    let mut window = Window::bullet();
    window.keys(Modifiers::COMMAND, Key::F);
    for key in [
        Key::Space,
        Key::ArrowRight,
        Key::L,
        Key::End,
        Key::Questionmark,
    ] {
        window.key(key);
    }
    assert_eq!(window.model().playback.playing(), None);
    assert_eq!(window.moment(), (0, 0.0));
    assert!(!window.model().ui_state.cheat_sheet);
}

#[test]
fn layers_are_chosen_in_the_view_menu() {
    let mut window = Window::bullet();
    window.click("View");
    window.click("Bounding boxes: All");
    assert_eq!(window.model().layers.get(Layer::Boxes), Show::All);
    window.click("Velocities: None");
    assert_eq!(window.model().layers.get(Layer::Velocities), Show::None);
    window.click("Default layers");
    assert_eq!(window.model().layers.get(Layer::Boxes), Show::None);
}

#[test]
fn the_palette_finds_commands_and_objects_by_a_few_letters() {
    let mut window = Window::bullet();
    window.keys(Modifiers::COMMAND, Key::K);
    let field = window.harness.get_by_label("Search everything");
    field.type_text("nxtfra");
    window.settle();
    assert!(window.has("Time: Next frame"));
    window.key(Key::Enter);
    assert_eq!(window.moment(), (1, 0.0));
    assert!(!window.model().ui_state.palette);
    window.keys(Modifiers::COMMAND, Key::K);
    window
        .harness
        .get_by_label("Search everything")
        .type_text("bystander");
    window.settle();
    window.key(Key::Enter);
    assert_eq!(window.model().selection.objects(), [2]);
    window.keys(Modifiers::COMMAND, Key::K);
    window.key(Key::Escape);
    assert!(!window.model().ui_state.palette);
    assert_eq!(
        window.model().selection.objects(),
        [2],
        "only the palette was closed"
    );
}

#[test]
fn the_palette_keeps_what_was_chosen_for_the_next_start() {
    let mut window = Window::bullet();
    for words in ["next frame", "last frame", "next frame"] {
        palette(&mut window, words);
        window.key(Key::Enter);
    }
    let chosen = window.saved_settings().choices;
    assert_eq!(chosen[0], "Time: Next frame");
    assert_eq!(chosen.len(), 2, "{chosen:?}");
    let mut next = Window::open(|folder| {
        let mut settings = Settings::at(folder.path().join("settings.json"));
        settings.choices = chosen;
        settings.save().unwrap();
        scene_file(BULLET)(folder)
    });
    next.key(Key::Home);
    palette(&mut next, "");
    next.key(Key::Enter);
    assert_eq!(next.moment(), (1, 0.0));
}

#[test]
fn the_cheat_sheet_lists_every_key() {
    let mut window = Window::bullet();
    window.key(Key::Questionmark);
    assert!(window.model().ui_state.cheat_sheet);
    for entry in TABLE.iter().filter(|entry| !entry.keys.is_empty()) {
        let found = window.harness.query_all_by_label(entry.text).count();
        assert!(found > 0, "{}", entry.text);
    }
    window.key(Key::Escape);
    assert!(!window.model().ui_state.cheat_sheet);
}

#[test]
fn the_theme_is_switched_and_remembered() {
    let mut window = Window::bullet();
    window.click("Light");
    assert_eq!(window.model().ui_state.theme, ThemePreference::Light);
    assert!(window.has("Dark"));
    window.click("Dark");
    assert_eq!(window.model().ui_state.theme, ThemePreference::Dark);
    let kept = window.saved_settings();
    assert_eq!(kept.theme.as_deref(), Some("dark"));
}

#[test]
fn keys_scale_the_interface() {
    let mut window = Window::bullet();
    window.keys(Modifiers::COMMAND, Key::Plus);
    window.keys(Modifiers::COMMAND, Key::Plus);
    assert_eq!(window.model().ui_state.zoom, 1.2);
    window.keys(Modifiers::COMMAND, Key::Num0);
    assert_eq!(window.model().ui_state.zoom, 1.0);
}

#[test]
fn every_command_of_the_table_runs() {
    // Those that close the program or open the system's dialog need a real window.
    let left_out = [Command::Quit, Command::OpenDialog, Command::SaveFrameAs];
    let entries = TABLE
        .iter()
        .filter(|entry| !left_out.contains(&entry.command));
    let mut window = Window::bullet();
    for entry in entries.filter(|entry| !entry.keys.is_empty()) {
        let keys = entry.keys[0];
        window.keys(keys.modifiers, keys.logical_key);
        if window.model().session.is_none() {
            window = Window::bullet();
        }
    }
}

#[test]
fn an_unavailable_command_is_disabled_and_shows_its_reason() {
    let mut window = Window::bullet();
    window.key(Key::Delete);
    let message = window.model().messages.shown().last().unwrap();
    assert_eq!(message.text(), "notice: Delete: Nothing is selected");
    assert_eq!(window.scene().objects.len(), 3);
    let is_disabled = |window: &mut Window, role: Role, label: &str| {
        let found = window.harness.get_by_role_and_label(role, label);
        found.accesskit_node().is_disabled()
    };
    for selected in [false, true] {
        window.apply(Command::Select(selected.then_some(0)));
        window.open_menu("Edit");
        assert_eq!(
            is_disabled(&mut window, Role::MenuItem, "Delete"),
            !selected
        );
        window.key(Key::Escape);
        palette(&mut window, "edit delete");
        assert_eq!(
            is_disabled(&mut window, Role::ListItem, "Edit: Delete"),
            !selected
        );
        window.key(Key::Escape);
    }

    window.apply(Command::CloseLevel);
    for entry in TABLE {
        if let Some(reason) = unavailable(&entry.command, window.model()) {
            let is_sentence = reason.starts_with(char::is_uppercase) && !reason.ends_with('.');
            assert!(is_sentence, "{}: {reason}", entry.text);
        }
    }
    assert_eq!(
        unavailable(&Command::NextFrame, window.model()),
        Some("No level is open")
    );
    assert_eq!(unavailable(&Command::OpenDialog, window.model()), None);
}

fn palette(window: &mut Window, words: &str) {
    window.keys(Modifiers::COMMAND, Key::K);
    let field = window.harness.get_by_label("Search everything");
    field.type_text(words);
    window.settle();
}

#[test]
fn an_array_is_found_and_its_form_opens() {
    let mut window = Window::bullet();
    palette(&mut window, "array ring");
    window.key(Key::Enter);
    let message = window.model().messages.shown().last();
    assert_eq!(
        message.map(|message| message.problem.what.as_str()),
        Some("Nothing is selected")
    );
    window.click_row("bullet");
    palette(&mut window, "array ring");
    window.key(Key::Enter);
    window.until("the form is open", |_| true);
    assert!(window.has("array order: ring"));
    window.click("Add 8 copies");
    assert_eq!(window.scene().objects.len(), 3 + 8);
}

#[test]
fn the_palette_finds_the_commands_of_forms() {
    let mut window = Window::bullet();
    palette(&mut window, "camera plays");
    window.key(Key::Enter);
    assert!(window.scene().camera.is_some());
    palette(&mut window, "camera plays");
    assert!(window.has("Camera: No camera plays in this scene"));
    window.key(Key::Escape);
    palette(&mut window, "probe spokes");
    window.key(Key::Enter);
    assert_eq!(window.session().probe.lines().len(), 24);
    palette(&mut window, "add line");
    window.key(Key::Enter);
    assert_eq!(window.session().probe.lines().len(), 25);
    palette(&mut window, "probe deepest");
    window.key(Key::Enter);
    assert_eq!(
        window.session().probe.mode(),
        hitstop::core::query::probe::ProbeMode::Deepest
    );
    palette(&mut window, "bounding boxes all");
    window.key(Key::Enter);
    assert_eq!(window.model().layers.get(Layer::Boxes), Show::All);
    // By a keyword that is not in their text.
    for (word, line) in [
        ("screenshot", "File: Save image…"),
        ("clone", "Edit: Duplicate"),
        ("shortcuts", "Help: Keyboard and mouse"),
    ] {
        palette(&mut window, word);
        assert!(window.has(line), "{word}");
        window.key(Key::Escape);
    }
}

/// Presses a key that has a letter or sign of its own at the place of another.
fn press_at(window: &mut Window, (key, place): (Key, Key), pressed: bool) {
    window.harness.event(egui::Event::Key {
        key,
        physical_key: Some(place),
        pressed,
        repeat: false,
        modifiers: Modifiers::NONE,
    });
}

/// On a Dvorak keyboard the keys beside P are `/` and `=`; on a French one W is at the place of Z.
#[test]
fn brackets_and_movement_keys_are_keys_by_their_place() {
    let walls = BULLET.replace(
        "(name: \"by",
        "(name: \"second\", shape: Box(half_extents: (0.125, 2.0, 2.0)), position: (12.0, 0.0, 0.0), motion: Fixed),
        (name: \"by",
    ).replace("response: Push", "response: Ignore");
    let mut window = Window::with(&walls);
    let findings = report(window.model()).unwrap().findings.len();
    assert!(findings >= 2, "{findings}");
    let finding = |window: &Window| window.model().finding();
    window.apply(Command::SelectFinding(0));
    window.settle();
    let first = finding(&window);
    for (key, place) in [
        (Key::Equals, Key::CloseBracket),
        (Key::Slash, Key::OpenBracket),
    ] {
        let before = finding(&window);
        press_at(&mut window, (key, place), true);
        press_at(&mut window, (key, place), false);
        window.settle();
        assert_ne!(finding(&window), before, "{place:?}");
    }
    assert_eq!(finding(&window), first);
    // With the right button held, Z at the place of W flies ahead, and W at that of Z does not.
    let eye = |window: &Window| {
        let node = window.harness.get_by_label("Viewport");
        node.accesskit_node().value()
    };
    window.harness.run_steps(40);
    let center = window.rect("Viewport").center();
    window.harness.hover_at(center);
    for (key, place, moves) in [(Key::W, Key::Z, false), (Key::Z, Key::W, true)] {
        let button = |pressed| egui::Event::PointerButton {
            pos: center,
            button: egui::PointerButton::Secondary,
            pressed,
            modifiers: Modifiers::NONE,
        };
        window.harness.event(button(true));
        // A press that moves is not a click.
        window
            .harness
            .event(egui::Event::PointerMoved(center + vec2(0.0, 20.0)));
        window.harness.run_steps(2);
        let before = eye(&window);
        press_at(&mut window, (key, place), true);
        window.harness.run_steps(5);
        assert_eq!(eye(&window) != before, moves, "{key:?} at {place:?}");
        press_at(&mut window, (key, place), false);
        window.harness.event(button(false));
        window.harness.run_steps(2);
    }
}
