//! Lists and panels: hidden, shown, filtered, remembered.

use super::window::*;
use egui_kittest::kittest::NodeT as _;
use hitstop::app::dock::Dock;

#[test]
fn the_outliner_filters_and_selects() {
    let mut window = Window::bullet();
    for name in ["bullet", "paper", "bystander"] {
        assert!(window.has(name), "{name}");
    }
    window.keys(Modifiers::COMMAND, Key::F);
    let field = window.harness.get_by_label("Filter objects");
    assert!(field.is_focused());
    field.type_text("stand");
    window.settle();
    assert!(window.has("bystander") && !window.has("paper"));
    window.click("Clear the filter");
    assert!(window.has("paper"));
    window.click("paper");
    assert_eq!(window.model().selection.objects(), [1]);
    let other = window
        .harness
        .get_by_role_and_label(Role::ListItem, "bullet");
    other.click_modifiers(Modifiers::COMMAND);
    window.settle();
    assert_eq!(window.model().selection.pair(), Some((1, 0)));
}

#[test]
fn panels_are_hidden_and_shown() {
    let mut window = Window::bullet();
    assert!(window.has("bystander"));
    window.menu("View", "Panels");
    window.click_item("Objects");
    assert!(!window.has("bystander"));
    window.key(Key::Escape);
    window.keys(Modifiers::ALT, Key::Num1);
    assert!(window.has("bystander"));
}

#[test]
fn a_key_hides_the_panels() {
    let mut window = Window::bullet();
    window.key(Key::F6);
    assert!(window.model().ui_state.panels_hidden);
    assert!(!window.has("bystander") && !window.has("Timeline"));
    window.key(Key::F6);
    assert!(window.has("bystander") && window.has("Timeline"));
}

#[test]
fn a_key_that_focuses_a_field_shows_its_panel() {
    for (key, role) in [(Key::F, Role::TextInput), (Key::G, Role::SpinButton)] {
        let mut window = Window::bullet();
        window.key(Key::F6);
        window.keys(Modifiers::COMMAND, key);
        assert!(!window.model().ui_state.panels_hidden);
        assert!(window.harness.query_all_by_role(role).next().is_some());
    }
}

#[test]
fn the_panel_layout_is_remembered() {
    let mut window = Window::bullet();
    window.apply(Command::TogglePane(Pane::Outliner));
    window.settle();
    let kept = window.saved_settings();
    let layout = kept.layout.expect("a layout").checked();
    assert!(!layout.is_shown(Pane::Outliner) && layout.is_shown(Pane::Findings));
    assert_eq!(layout, window.model().dock);
}

#[test]
fn the_pair_is_explained() {
    let mut window = Window::with(BULLET);
    assert!(!window.has("Copy explanation"));
    window.keys(Modifiers::ALT, Key::Num4);
    assert!(window.has("Copy explanation"));
    // From x = -12 at 8 m a frame: 11.375 m to the face at -0.625, in frame 1 at 3.375 / 8.
    assert!(window.has("hits at 0.422"));
    assert!(window.has("apart by 3.38 m"), "at the frame's start");
    assert!(
        window.has("apart by 3.38 m")
            && window.has("So an overlap test at frame ends does not detect this hit.")
    );
    // Names have a colour of their own, without the marks in the text.
    assert!(window.has("Over the whole frame, bullet moves 8 m relative to paper, by (8, 0, 0)."));
}

#[test]
fn every_other_object_has_its_reason() {
    let mut window = Window::with(BULLET);
    window.keys(Modifiers::ALT, Key::Num5);
    window.click_row("bullet");
    window.until("the candidates are there", |model| {
        session(model)
            .derived
            .candidates
            .list()
            .is_some_and(|list| list.of == 0)
    });
    assert!(window.has("paper: hits at 0.422"));
    // Its swept box extends to z = 0.5, the bystander begins at 29.
    assert!(window.has("bystander: culled on z by 28.5 m"));
    window.click("paper: hits at 0.422");
    assert_eq!(window.model().selection.pair(), Some((0, 1)));
}

/// Six tabs do not fit into 350 points, and the active one is the last.
#[test]
fn the_active_tab_is_visible_from_the_start_and_after_a_resize() {
    let mut window = Window::open(|folder| {
        let mut settings = Settings::at(folder.path().join("settings.json"));
        let mut dock = Dock::default();
        for pane in [Pane::WhatIf, Pane::Camera, Pane::Compare] {
            dock.show(pane);
        }
        settings.layout = Some(dock);
        settings.save().unwrap();
        Some(Source::File(write(folder, "scene.ron", BULLET)))
    });
    // Its finding has brought the inspector to the front.
    window.until("the finding is selected", |model| model.finding().is_some());
    window.settle();
    window.apply(Command::ShowPane(Pane::Compare));
    for width in [1400.0, 1250.0, 1180.0, 1100.0, 1000.0, 1130.0, 1300.0] {
        window.harness.set_size(vec2(width, 900.0));
        for _ in 0..3 {
            window.settle();
        }
        // Below the menu of that name, above the button.
        let tabs = window.harness.query_all_by(|node| {
            node.role() == Role::Button && node.label().as_deref() == Some("Compare")
        });
        let below = tabs.map(|tab| tab.rect()).filter(|tab| tab.top() > 30.0);
        let tab = below.min_by(|one, other| one.top().total_cmp(&other.top()));
        let (tab, pane) = (
            tab.unwrap(),
            window.model().dock.rect(Pane::Compare).unwrap(),
        );
        // The bar is wider than the panel inside its margins.
        let across = pane.expand(8.0).x_range();
        assert!(
            across.contains(tab.left()) && across.contains(tab.right()),
            "{width}: {tab} in {pane}"
        );
        assert!(
            !window.has("Scroll tabs right"),
            "it would cover the last tab"
        );
    }
}

/// The start page covers every panel: a command to show one must not close it behind the page.
#[test]
fn no_panel_is_closed_behind_the_start_page() {
    let mut window = Window::start_page();
    assert!(window.model().dock.is_shown(Pane::GapPlot));
    window.apply(Command::TogglePane(Pane::GapPlot));
    assert!(window.model().dock.is_shown(Pane::GapPlot));
}

#[test]
fn names_with_numbers_are_sorted_by_the_numbers() {
    let numbers = [10, 2, 33, 1, 9, 100, 3];
    let objects = numbers.map(|number| {
        format!(
            r#"(name: "ball {number}", shape: Sphere(radius: 0.5), position: ({number}, 0, 5)),"#
        )
    });
    let text = format!(
        r#"Scene(version: 1, name: "Balls", dt: 0.0625, frames: 4, objects: [
            (name: "cue", shape: Sphere(radius: 0.5), velocity: (1, 0, 0)), {} ])"#,
        objects.concat()
    );
    let mut window = Window::with(&text);
    window.keys(Modifiers::ALT, Key::Num5);
    window.click_row("cue");
    window.until("the candidates are there", |model| {
        session(model)
            .derived
            .candidates
            .list()
            .is_some_and(|list| list.of == 0)
    });
    window.click("Sort by name");
    let mut rows: Vec<(f32, u32)> = numbers
        .iter()
        .map(|number| {
            let rows = format!("ball {number}: ");
            let row = window.harness.get_by_label_contains(&rows);
            (row.rect().top(), *number)
        })
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let order: Vec<u32> = rows.into_iter().map(|(_, number)| number).collect();
    assert_eq!(order, [1, 2, 3, 9, 10, 33, 100]);
}

#[test]
fn the_keys_of_a_panel_show_it_and_never_close_it() {
    let mut window = Window::with(BULLET);
    window.apply(Command::TogglePanels);
    window.settle();
    for _ in 0..2 {
        window.keys(Modifiers::ALT, Key::Num4);
        assert!(window.model().shows(Pane::Explain));
    }
    window.keys(Modifiers::ALT, Key::Num3);
    assert!(window.model().shows(Pane::Inspector) && !window.model().shows(Pane::Explain));
    // The menu item is a switch.
    window.menu("View", "Panels");
    window.click_item("Inspector");
    assert!(!window.model().shows(Pane::Inspector));
}

/// The names in a list that shows each with a reason, from the top.
fn candidates(window: &Window) -> Vec<String> {
    let rows = window.harness.query_all_by_role(Role::ListItem);
    let mut rows: Vec<(f32, String)> = rows
        .filter_map(|row| {
            let label = row.accesskit_node().label()?;
            let (name, _) = label.split_once(": ")?;
            let is_candidate = ["bystander", "paper", "zebra"].contains(&name);
            is_candidate.then(|| (row.rect().top(), name.to_owned()))
        })
        .collect();
    rows.sort_by(|a, b| a.0.total_cmp(&b.0));
    rows.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn a_list_that_is_filtered_follows_a_renamed_object() {
    let mut window = Window::bullet();
    window.keys(Modifiers::COMMAND, Key::F);
    let field = window.harness.get_by_label("Filter objects");
    field.type_text("pap");
    window.settle();
    let is_listed = |window: &Window, name: &str| {
        let mut rows = window.harness.query_all_by_role(Role::ListItem);
        rows.any(|row| row.accesskit_node().label().as_deref() == Some(name))
    };
    assert!(is_listed(&window, "paper"));
    let text = BULLET
        .replace("paper", "sheet")
        .replace("bystander", "papaya");
    window.apply(Command::EditText(text));
    window.settle();
    assert!(!is_listed(&window, "sheet"));
    assert!(is_listed(&window, "papaya"));
}

#[test]
fn candidates_sorted_by_name_follow_a_renamed_object() {
    let mut window = Window::bullet();
    window.click_row("bullet");
    window.apply(Command::ShowPane(Pane::Candidates));
    window.until("the list is there", |model| {
        session(model).derived.candidates.list().is_some()
    });
    window.click("Sort by name");
    assert_eq!(candidates(&window), ["bystander", "paper"]);
    window.apply(Command::EditText(BULLET.replace("bystander", "zebra")));
    window.until("the new list is there", |model| {
        let list = session(model).derived.candidates.list();
        list.is_some_and(|list| list.candidates.iter().any(|one| one.name == "zebra"))
    });
    assert_eq!(candidates(&window), ["paper", "zebra"]);
}

/// The text that Ctrl+C copies.
fn copied(window: &mut Window) -> Vec<String> {
    window.harness.event(egui::Event::Copy);
    let mut texts = Vec::new();
    for _ in 0..3 {
        window.harness.step();
        for command in &window.harness.output().platform_output.commands {
            if let egui::OutputCommand::CopyText(text) = command {
                texts.push(text.clone());
            }
        }
    }
    texts
}

#[test]
fn selected_text_of_a_label_is_copied_and_objects_otherwise() {
    let mut window = Window::bullet();
    window.click_row("paper");
    window.keys(Modifiers::COMMAND, Key::F);
    let field = window.harness.get_by_label("Filter objects");
    field.type_text("pap");
    window.settle();
    // The field loses the focus.
    window.key(Key::Enter);
    assert!(!window.harness.ctx.text_edit_focused());
    window.drag("1 of 3", 0.0, 0.5);
    assert_eq!(copied(&mut window), ["1 o"]);
    window.drag("Viewport", 0.01, 0.01);
    window.click_row("paper");
    let texts = copied(&mut window);
    assert_eq!(texts.len(), 1);
    assert!(texts[0].starts_with("(name: \"paper\""), "{texts:?}");
}

/// In a window of 800 x 600 the numbers of the card stood letter below letter.
#[test]
fn numbers_are_not_broken_in_a_small_window() {
    let mut window = Window::with(BULLET);
    window.until("a finding is chosen", |model| {
        model.selected_finding().is_some()
    });
    window.harness.set_size(vec2(800.0, 600.0));
    window.settle();
    let numbers = window.harness.query_all_by(|node| {
        let text = node.value().unwrap_or_default();
        text.len() < 12 && text.starts_with(|first: char| first.is_ascii_digit())
    });
    let heights: Vec<f32> = numbers.map(|label| label.rect().height()).collect();
    assert!(heights.len() > 1);
    assert!(heights.iter().all(|height| *height < 30.0), "{heights:?}");
}

/// 1440x900 at a scale of 200 %, and 800x600.
#[test]
fn a_low_window_shows_the_card_the_lanes_and_the_phases_whole() {
    let mut window = Window::bullet();
    window.apply(Command::SelectFinding(0));
    for size in [vec2(720.0, 450.0), vec2(800.0, 600.0)] {
        window.harness.set_size(size);
        window.settle();
        window.settle();
        let dock = window.model().dock.rect(Pane::Timeline).unwrap();
        for name in [
            "Inside the frame",
            "Lane of bullet \u{2194} paper",
            "Timeline",
        ] {
            let rect = window.rect(name);
            assert!(dock.contains_rect(rect), "{size}: {name} {rect} in {dock}");
        }
        let card = window.model().dock.rect(Pane::Inspector).unwrap();
        for name in ["Copy substeps", "may move"] {
            let rect = window.rect(name);
            let width = rect.x_range();
            assert!(
                card.x_range().contains(width.min) && card.x_range().contains(width.max),
                "{size}: {name} {rect} in {card}"
            );
        }
        window.apply(Command::ShowPane(Pane::GapPlot));
        window.settle();
        let (plot, pane) = (
            window.rect("Gap over the frame"),
            window.model().dock.rect(Pane::GapPlot).unwrap(),
        );
        assert!(
            pane.contains_rect(plot) && plot.height() > 50.0,
            "{size}: {plot} in {pane}"
        );
        window.apply(Command::ShowPane(Pane::Timeline));
        window.settle();
    }
}

#[test]
fn panels_are_arranged_for_the_height_of_the_window_until_the_user_moves_one() {
    let mut window = Window::bullet();
    let shown =
        |window: &Window| [Pane::GapPlot, Pane::Timeline].map(|pane| window.model().shows(pane));
    let resize = |window: &mut Window, height: f32| {
        window.harness.set_size(vec2(1000.0, height));
        window.settle();
        window.settle();
    };
    for (height, gap) in [(900.0, true), (560.0, false), (900.0, true)] {
        resize(&mut window, height);
        assert_eq!(shown(&window), [gap, true], "{height}");
    }
    window.apply(Command::TogglePane(Pane::GapPlot));
    window.settle();
    resize(&mut window, 560.0);
    // It would be a tab of the timeline, in front of which it comes.
    window.apply(Command::TogglePane(Pane::GapPlot));
    window.settle();
    assert_eq!(shown(&window), [true, true]);
    // The layout of a new window of this height.
    window.apply(Command::ResetPanels);
    window.settle();
    assert_eq!(shown(&window), [false, true]);
}
