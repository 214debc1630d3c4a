//! The Leaks panel: what is searched, the places, their shots.

use super::window::*;
use hitstop::app::command::arguments::Output;
use hitstop::app::model::leaks::LeaksForm;

/// A wall of 4 cm: a ball of 10 cm is held up to half of 24 cm in a frame, and detected up to 24 cm.
const WALL: &str = r#"Scene(
    version: 1,
    name: "Wall",
    dt: 0.016666666666666666,
    frames: 4,
    objects: [
        (name: "thin", shape: Box(half_extents: (0.02, 2.0, 2.0)), motion: Fixed),
        (name: "lamp", shape: Sphere(radius: 0.2), position: (3.0, 0.0, 0.0), motion: Fixed),
    ],
)"#;

fn searched(movers: &str) -> Window {
    let mut window = Window::with(WALL);
    window.apply(Command::SetLeaksForm(LeaksForm {
        movers: movers.to_owned(),
        trials: 500,
        ..LeaksForm::default()
    }));
    window.apply(Command::ShowPane(Pane::Leaks));
    window.settle();
    window.click("Look for leaks");
    window.until("it is searched", |model| {
        session(model).derived.leaks.result().is_some() && !model.jobs.is_running(JobKind::Leaks)
    });
    window.settle();
    window
}

#[test]
fn a_place_is_listed_and_shown_and_its_shots_are_saved() {
    let mut window = searched("ball: sphere 0.1, up to 30 m/s");
    let row = "thin: held up to 7.2 m/s (C01)";
    window.click(row);
    assert_eq!(window.model().selection.objects(), [0]);
    let verdict = window
        .harness
        .query_all_by_label_contains("ball: held up to 7.2 m/s");
    assert_eq!(verdict.count(), 1);
    let path = window.folder.path().join("shots.jsonl");
    window.apply(Command::WriteOutput(Output::Shots, path.clone()));
    window.until("they are saved", |_| path.exists());
    window.apply(Command::Open(path));
    window.until("they are judged", |model| {
        let document = model.document();
        document.is_some_and(|it| it.source.name().ends_with("shots.jsonl"))
            && report(model).is_some_and(|report| !report.findings.is_empty())
    });
}

#[test]
fn what_cannot_be_searched_is_said() {
    let window = searched("ball: sphere, up to 30 m/s");
    let says =
        |window: &Window, text: &str| window.harness.query_all_by_label_contains(text).count();
    assert_eq!(says(&window, "sphere with 0 measures"), 1);
    // Nothing moves by itself.
    let mut window = searched("");
    assert_eq!(says(&window, "so it gives no mover"), 1);
    // An edit makes the result one of another level.
    window.apply(Command::Select(Some(0)));
    window.apply(Command::Delete);
    window.settle();
    assert!(window.session().derived.leaks.result().is_none());
}
