//! The selected finding with other numbers.

use super::window::*;
use hitstop::app::model::what_if::Bench;
use hitstop::core::diagnose::phase_sweep::PhaseOutcome;
use hitstop::core::diagnose::what_if::map::Phases;

/// The bullet's finding selected, and the panel open: radius 0.5, paper 0.25 thick, 8 m a frame, contact at 0.421875.
fn what_if_window() -> Window {
    let mut window = Window::with(BULLET);
    window.until("a finding is selected", |model| model.finding().is_some());
    window.keys(Modifiers::ALT, Key::Num8);
    window.until("the finding is on the bench", |model| {
        session(model)
            .derived
            .what_if
            .as_ref()
            .is_some_and(|what_if| what_if.bench().is_some())
    });
    window.until("the map is there", |model| {
        bench(model).map().is_some() && !bench(model).is_mapping()
    });
    window
}

fn bench(model: &Model) -> &Bench {
    session(model)
        .derived
        .what_if
        .as_ref()
        .unwrap()
        .bench()
        .unwrap()
}

fn outcome(window: &Window) -> PhaseOutcome {
    bench(window.model()).tried().unwrap().outcome
}

#[test]
fn what_if_needs_a_selected_finding() {
    let mut window = Window::bullet();
    window.keys(Modifiers::ALT, Key::Num8);
    assert!(window.has("What if, live"));
    assert!(window.session().derived.what_if.is_none());
}

#[test]
fn a_slider_changes_the_verdict_and_the_viewport() {
    let mut window = what_if_window();
    assert_eq!(outcome(&window), PhaseOutcome::Missed);
    assert!(
        window.model().tried().is_none(),
        "as recorded there is no ghost"
    );
    // Past the touch 0.578125 of 8 m; the slowest is well inside the 0.625 m in which the push-out leads back.
    window.drag("speed slider", 0.9, 0.02);
    assert_eq!(outcome(&window), PhaseOutcome::Resolved);
    assert!(window.has("Now: held"));
    let tried = window.model().tried().expect("a ghost");
    assert!(tried.values.speed < 128.0 * 0.1);
    window.click("Recorded values");
    assert_eq!(outcome(&window), PhaseOutcome::Missed);
    assert!(window.model().tried().is_none());
}

#[test]
fn the_starting_phase_decides_detection() {
    let mut window = what_if_window();
    window.drag("phase slider", 0.42, 0.999);
    // The touch is near the end of the frame.
    assert_eq!(outcome(&window), PhaseOutcome::Resolved);
    let counts = bench(window.model()).tried().unwrap().counts;
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
            .asked
            .as_ref()
            .is_some_and(|asked| matches!(asked.answer(), Answer::Known(_)))
    });
    // 8 m a frame: 1.25 m are detected, 0.625 m are pushed back.
    window.click("What is enough for substeps");
    window.click("substeps detected 7");
    assert_eq!(bench(window.model()).values().substeps, 7);
    assert!(window.has("substeps to be detected now 7"));
    window.click("What is enough for substeps");
    window.click("substeps held 13");
    let tried = bench(window.model()).tried().unwrap();
    assert_eq!(tried.counts.resolved(), tried.counts.phases);
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
    let values = *bench(window.model()).values();
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
    let worst = bench(window.model()).map().unwrap().clone();
    window.click("Map of this phase");
    window.until("the map of this phase", |model| {
        bench(model)
            .map()
            .is_some_and(|map| map.phases == Phases::This)
    });
    let this = bench(window.model()).map().unwrap().clone();
    let missed = |map: &hitstop::core::diagnose::what_if::map::Map| {
        map.cells
            .iter()
            .filter(|cell| **cell == PhaseOutcome::Missed)
            .count()
    };
    assert!(missed(&this) < missed(&worst));
    window.drag("thickness slider", 0.3, 0.98);
    window.until("a map of the thick wall", |model| {
        !bench(model).is_mapping() && bench(model).map().is_some_and(|map| *map != this)
    });
    assert!(missed(bench(window.model()).map().unwrap()) < missed(&this));
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
    let text = copied.unwrap_or_else(|| bench(window.model()).comparison_text("bullet and paper"));
    assert!(text.starts_with("What if: bullet and paper"), "{text}");
    assert!(text.contains("limit, detected: 1.25 m -> 1.25 m"), "{text}");
    assert!(text.contains("substeps to be held: 13 -> 13"), "{text}");
}

#[test]
fn a_changed_scene_is_tested_with_its_own_numbers() {
    let mut window = what_if_window();
    assert_eq!(bench(window.model()).before().values.speed, 128.0);
    let slower = BULLET.replace("(128.0, 0.0, 0.0)", "(112.0, 0.0, 0.0)");
    assert_ne!(slower, BULLET);
    window.model_mut().edit_text(slower);
    window.settle();
    window.until("the changed finding is on the bench", |model| {
        let what_if = session(model).derived.what_if.as_ref();
        let bench = what_if.and_then(|what_if| what_if.bench());
        bench.is_some_and(|bench| bench.before().values.speed == 112.0)
    });
}
