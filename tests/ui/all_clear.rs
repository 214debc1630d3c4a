//! A green tick only where all was judged, and what no change fixes.

use super::findings::{listed, three_bullets};
use super::window::*;

/// "No findings in this level" stood there with a green tick once.
#[test]
fn what_was_not_judged_is_not_all_clear() {
    // A camera that passes a wall to and fro, as a platform does.
    let header = r#"{"hitstop": 1, "dt": 0.1, "objects": [
        {"id": 0, "name": "wall", "motion": "fixed", "shape": {"box": {"half_extents": [0.1, 5, 5]}}},
        {"id": 1, "name": "camera", "motion": "kinematic", "shape": {"box": {"half_extents": [0.2, 0.2, 0.2]}}}]}"#;
    let frame = |frame: u32| {
        let x = 30.0 - 4.0 * (f64::from(frame) - 10.0).abs();
        format!(
            r#"{{"frame": {frame}, "bodies": [{{"id": 0, "p": [0, 0, 0]}}, {{"id": 1, "p": [{x}, 0, 0]}}]}}"#
        )
    };
    let lines = [header.replace('\n', "")]
        .into_iter()
        .chain((0..=20).map(frame));
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", &text))));
    let judged = |model: &Model| report(model).is_some() && model.diagnosing().is_none();
    window.until("it is diagnosed", judged);
    assert!(!window.has("No findings in this level."));
    let line = window
        .harness
        .query_by_label_contains("camera passed wall twice and was not judged");
    assert!(line.is_some());
    window.click("Judge it");
    let found = |model: &Model| report(model).is_some_and(|report| report.findings.len() == 2);
    window.until("both passes are found", found);
    // The log read again is judged in the same way.
    write(
        &window.folder,
        "log.jsonl",
        &format!("{text}\n{}", frame(21)),
    );
    window.until("it is read again", |model| {
        session(model).document.replay().frames() == 21 && judged(model) && found(model)
    });

    // Without passes, the causes that were not checked are named.
    let still = "{\"hitstop\": 1, \"dt\": 0.1, \"objects\": [{\"id\": 1, \"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 1}}}]}\n{\"frame\": 0, \"bodies\": [{\"id\": 1, \"p\": [0, 0, 0]}]}\n{\"frame\": 1, \"bodies\": [{\"id\": 1, \"p\": [0, 0, 0]}]}\n";
    let path = write(&window.folder, "still.jsonl", still);
    window.apply(Command::Open(path.clone()));
    window.until("it is diagnosed", |model| {
        model.document().unwrap().source == Source::File(path.clone()) && judged(model)
    });
    assert!(!window.has("No findings in this level."));
    window.click("What to log");
    let listed = window
        .harness
        .query_all_by_label_contains("the log carries no velocities");
    assert!(listed.count() > 0);
}

/// The causes that no change helps with stood in a line that was cut off.
#[test]
fn the_card_of_the_level_names_what_it_cannot_fix() {
    // They do not collide with the paper.
    let masked = (0..4).map(|index| {
        let y = f64::from(index) * 0.3 - 0.45;
        format!(
            "        (name: \"masked {index}\", shape: Sphere(radius: 0.05), position: (-12.0, {y:?}, 1.5), velocity: (128.0, 0.0, 0.0), mask: 2),\n"
        )
    });
    let masked: String = masked.collect();
    let scene = three_bullets().replace("    ],\n)", &(masked + "    ],\n)"));
    let mut window = Window::with(&scene);
    window.until("the changes are known", |model| {
        !session(model).derived.level_fixes.is_empty()
    });
    let all = listed(&window).len();
    let findings = window.session().document.findings();
    let of_masks = findings
        .iter()
        .filter(|finding| finding.cause.id() == "C18")
        .count();
    assert!(2 * of_masks >= all, "{of_masks} of {all}");
    let share = (100.0 * of_masks as f64 / all as f64).round();
    let line = format!("{share} % are C18 ");
    let link = window.harness.query_by_label_contains(&line);
    link.unwrap().click_accesskit();
    window.settle();
    assert_eq!(listed(&window).len(), of_masks);
}

/// Numbers by hand: a ball of radius 0.5 m and a wall 0.2 m thick hold up to 0.5 + 0.1 m along the normal.
#[test]
fn a_level_without_findings_has_its_closest_calls() {
    let header = r#"{"hitstop": 1, "dt": 0.1, "objects": [
        {"id": 0, "name": "ball", "shape": {"sphere": {"radius": 0.5}}},
        {"id": 1, "name": "wall", "motion": "fixed", "shape": {"box": {"half_extents": [0.1, 9, 9]}}}]}"#;
    let frame = |(frame, (x, v)): (usize, (f64, f64))| {
        format!(
            r#"{{"frame": {frame}, "bodies": [{{"id": 0, "p": [{x}, 0.25, 0], "v": [{v}, 0, 0]}}]}}"#
        )
    };
    let states = [(-1.1, 3.0), (-0.8, 3.0), (-0.6, 0.0), (-0.6, 0.0)];
    let lines = states.into_iter().enumerate().map(frame);
    let lines = [header.replace('\n', "")].into_iter().chain(lines);
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", &text))));
    window.until("it is diagnosed", |model| {
        report(model).is_some() && model.diagnosing().is_none()
    });
    window.settle();
    assert!(window.has("Closest calls: 50 % of the limit"));
    assert!(window.has("All of 1 pair hold."));
    window.click_row("ball at wall");
    assert_eq!(window.model().selection.pair(), Some((0, 1)));
    assert_eq!(window.model().playback.playhead().frame, 1);
    // Ten times the speed is five times the limit; recorded again it holds.
    window.drag("Factor on the speed", 0.5, 1.2);
    assert!(window.has("1 of 1 pair would not hold."));
    window.click("As recorded");
    assert!(window.has("All of 1 pair hold."));
    window.drag("Steps a second", 0.5, -0.2);
    assert!(window.has("1 of 1 pair would not hold."));
}
