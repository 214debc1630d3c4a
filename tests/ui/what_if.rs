//! The selected finding with other numbers.

use super::window::*;
use hitstop::app::model::what_if::WhatIfState;
use hitstop::core::diagnose::phase_sweep::PhaseOutcome;
use hitstop::core::diagnose::what_if::applies_to;
use hitstop::core::diagnose::what_if::session::Phases;
use hitstop::core::scene::UserUnits;

/// The bullet's finding selected, and the panel open: radius 0.5, paper 0.25 thick, 8 m a frame, contact at 0.421875.
fn what_if_window() -> Window {
    let mut window = Window::with(BULLET);
    window.until("a finding is selected", |model| model.finding().is_some());
    window.keys(Modifiers::ALT, Key::Num8);
    window.until("the What-if is ready", |model| {
        session(model)
            .derived
            .what_if
            .as_ref()
            .is_some_and(|what_if| what_if.ready().is_some())
    });
    window.until("the map is there", |model| {
        state(model).map().is_some() && !state(model).is_mapping()
    });
    window
}

fn state(model: &Model) -> &WhatIfState {
    session(model)
        .derived
        .what_if
        .as_ref()
        .unwrap()
        .ready()
        .unwrap()
}

fn outcome(window: &Window) -> PhaseOutcome {
    state(window.model()).changed().unwrap().outcome
}

#[test]
fn what_if_needs_a_selected_finding() {
    let mut window = Window::bullet();
    window.keys(Modifiers::ALT, Key::Num8);
    assert!(window.has("No finding selected"));
    assert!(window.session().derived.what_if.is_none());
}

#[test]
fn a_slider_changes_the_verdict_and_the_viewport() {
    let mut window = what_if_window();
    assert_eq!(outcome(&window), PhaseOutcome::Missed);
    assert!(
        window.model().what_if_outcome().is_none(),
        "as recorded there is no ghost"
    );
    // Past the touch 0.578125 of 8 m; the slowest is well inside the 0.625 m in which the push-out leads back.
    window.drag("speed slider", 0.9, 0.02);
    assert_eq!(outcome(&window), PhaseOutcome::Resolved);
    assert!(window.has("Now: held"));
    let changed = window.model().what_if_outcome().expect("a ghost");
    assert!(changed.values.speed < 128.0 * 0.1);
    window.click("Recorded values");
    assert_eq!(outcome(&window), PhaseOutcome::Missed);
    assert!(window.model().what_if_outcome().is_none());
}

#[test]
fn the_starting_phase_decides_detection() {
    let mut window = what_if_window();
    window.drag("phase slider", 0.42, 0.999);
    // The touch is near the end of the frame.
    assert_eq!(outcome(&window), PhaseOutcome::Resolved);
    let counts = state(window.model()).changed().unwrap().counts;
    assert!(
        counts.missed > 32,
        "but every other phase is as bad as before"
    );
}

#[test]
fn limits_found_by_bisection_are_one_click_away() {
    let mut window = what_if_window();
    window.until("what if is searched", |model| {
        session(model)
            .derived
            .what_if_search
            .as_ref()
            .is_some_and(|search| matches!(search.state(), SearchState::Known(_)))
    });
    // 8 m a frame: 1.25 m are detected, 0.625 m are pushed back.
    window.click("Limits of substeps");
    window.click("substeps detected 7");
    assert_eq!(state(window.model()).values().substeps, 7);
    assert!(window.has("substeps to be detected now 7"));
    window.click("Limits of substeps");
    window.click("substeps held 13");
    let changed = state(window.model()).changed().unwrap();
    assert_eq!(changed.counts.resolved(), changed.counts.phases);
}

#[test]
fn the_map_is_clicked_and_describes_its_cells() {
    let mut window = what_if_window();
    window
        .harness
        .get_by_label("Map of dt against speed")
        .scroll_to_me();
    window.settle();
    window.settle();
    let rect = window.rect("Map of dt against speed");
    // The lower left corner is slow with many steps: it is held.
    let corner = pos2(rect.left() + 60.0, rect.bottom() - 40.0);
    window.harness.hover_at(corner);
    window.settle();
    window.harness.drag_at(corner);
    window.harness.drop_at(corner);
    window.settle();
    assert_eq!(outcome(&window), PhaseOutcome::Resolved);
    let values = *state(window.model()).values();
    assert!(values.dt < 0.0625 && values.speed < 128.0);
    let map = window.harness.get_by_label("Map of dt against speed");
    let value = map.value().unwrap();
    assert!(
        value.contains("dt ") && value.ends_with(": held"),
        "{value}"
    );
}

#[test]
fn the_map_is_recomputed_for_another_phase_or_size() {
    let mut window = what_if_window();
    let worst = state(window.model()).map().unwrap().clone();
    window.click("Map of this phase");
    window.until("the map of this phase", |model| {
        state(model)
            .map()
            .is_some_and(|map| map.phases == Phases::This)
    });
    let this = state(window.model()).map().unwrap().clone();
    let missed = |map: &hitstop::core::diagnose::what_if::map::Map| {
        map.cells
            .iter()
            .filter(|cell| **cell == PhaseOutcome::Missed)
            .count()
    };
    assert!(missed(&this) < missed(&worst));
    window.drag("thickness slider", 0.3, 0.98);
    window.until("a map of the thick wall", |model| {
        !state(model).is_mapping() && state(model).map().is_some_and(|map| *map != this)
    });
    assert!(missed(state(window.model()).map().unwrap()) < missed(&this));
}

#[test]
fn before_and_after_are_copied() {
    let mut window = what_if_window();
    window.click("substeps value");
    window.click("Copy what-if as text");
    let commands = window.harness.output().platform_output.commands.clone();
    let copied = commands.iter().find_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    // The copy is made in the pass of the click; the model gives the same text at any time.
    let text = copied.unwrap_or_else(|| {
        state(window.model()).comparison_text("bullet and paper", UserUnits::default())
    });
    assert!(text.starts_with("What if: bullet and paper"), "{text}");
    assert!(text.contains("limit, detected: 1.25 m -> 1.25 m"), "{text}");
    assert!(text.contains("substeps to be held: 13 -> 13"), "{text}");
}

#[test]
fn a_changed_scene_is_tested_with_its_own_numbers() {
    let mut window = what_if_window();
    assert_eq!(state(window.model()).recorded().values.speed, 128.0);
    let slower = BULLET.replace("(128.0, 0.0, 0.0)", "(112.0, 0.0, 0.0)");
    assert_ne!(slower, BULLET);
    window.model_mut().edit_text(slower);
    window.settle();
    window.until("the changed What-if is ready", |model| {
        let what_if = session(model).derived.what_if.as_ref();
        let state = what_if.and_then(|what_if| what_if.ready());
        state.is_some_and(|state| state.recorded().values.speed == 112.0)
    });
}

/// The panel in front said that it has nothing about the finding.
#[test]
fn a_finding_without_what_if_shows_its_card() {
    let within = "position: (-12.0, 0.0, 0.0), velocity: (128.0, 0.0, 0.0)";
    let mut window = Window::with(&BULLET.replace(within, "position: (0.25, 0.0, 0.0)"));
    assert!(!applies_to(&window.session().document.findings()[0]));
    window.apply(Command::ShowPane(Pane::WhatIf));
    window.settle();
    window.apply(Command::SelectFinding(0));
    assert!(window.model().shows(Pane::Inspector));

    let mut window = Window::with(BULLET);
    assert!(applies_to(&window.session().document.findings()[0]));
    window.apply(Command::ShowPane(Pane::WhatIf));
    window.settle();
    window.apply(Command::SelectFinding(0));
    assert!(window.model().shows(Pane::WhatIf));

    // The first finding of the next level comes with its card.
    let other = BULLET.replace("128.0", "120.0");
    let path = window.folder.path().join("other.ron");
    std::fs::write(&path, other).unwrap();
    window.apply(Command::Open(path));
    window.until("its finding is selected", |model| {
        model.finding().is_some() && session(model).document.level.file.ends_with("other.ron")
    });
    assert!(window.model().shows(Pane::Inspector));
}
