//! The level compared with another replay: by detection, by file, by its own earlier run.

use super::window::*;
use hitstop::app::model::other_level::Against;
use hitstop::core::level::ReadOptions;
use hitstop::core::replay::compare::{Alignment, DifferenceKind, Subject};

/// Two bodies 8 m apart, without response: one of them moves, and nothing else happens.
fn scene(speed: f64, frames: u32) -> String {
    format!(
        r#"Scene(version: 1, name: "Runner", dt: 0.0625, frames: {frames}, response: Ignore, objects: [
            (name: "runner", shape: Sphere(radius: 0.5), velocity: ({speed:?}, 0.0, 0.0)),
            (name: "post", shape: Box(half_extents: (0.5, 0.5, 0.5)), position: (0.0, 0.0, 8.0), motion: Fixed),
        ])"#
    )
}

fn compared(window: &mut Window) {
    window.until("the difference is known", |model| {
        let Some(Session { compare, .. }) = &model.session else {
            return false;
        };
        let drawn = compare.chosen().is_none() || compare.curve().is_some();
        compare.result().is_some() && model.comparing().is_none() && drawn
    });
}

/// At 8 m a frame from x = -12 the bullet is at 4 m at frame 2, past the paper; the sweep has it at -0.625 in frame 1 and pushes
/// it no farther.
#[test]
fn overlap_is_compared_with_sweep_by_one_command() {
    let mut window = Window::bullet();
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::D);
    compared(&mut window);
    assert!(window.model().shows(Pane::Compare));
    assert!(window.has("This level") && window.has("Sweep"));
    let found = window.session().compare.result().unwrap();
    assert_eq!(found.objects.len(), 1);
    let first = found.objects[0].first.unwrap();
    assert_eq!(first.frame, 2);
    let DifferenceKind::Apart(apart) = first.kind else {
        panic!("{first:?}")
    };
    assert!(apart.position.unwrap() > 4.0);
    assert!(window.has(&found.verdict()));
    assert!(
        window.has("bitwise equal"),
        "at frame 0, where the playhead is"
    );
    let row = format!("bullet, {}", found.objects[0].first_text(found.units));
    let first = window.texts();
    let first = first
        .iter()
        .find(|text| text.starts_with("First difference at frame 2: position of bullet, "));
    let first = first.expect("the first difference").clone();
    window.click(&first);
    assert_eq!(window.moment(), (1, 1.0), "the end of frame 1");
    window.key(Key::Home);

    window.click(&row);
    assert_eq!(window.moment(), (1, 1.0));
    assert_eq!(window.model().selection.objects(), [0]);
    assert!(window.has("not bitwise equal"));
    // The other side of the viewport is at the same time.
    window.until("the other frame is there", |model| {
        let replay = model.document().unwrap().replay();
        let moment = session(model)
            .compare
            .frame_at(replay, model.playback.playhead());
        moment.is_some_and(|(frame, fraction)| frame.number == 2 && fraction == 0.0)
    });

    // The gap plot shows both: here the bullet is 3.375 m behind the paper, there it touches its front.
    window.apply(Command::Seek {
        frame: 2,
        fraction: 0.0,
    });
    window.apply(Command::SelectPair(0, 1));
    window.until("the gap of the other is known", |model| {
        session(model).compare.other_gap(2).is_some()
    });
    assert!(window.has("B  Sweep"));
    let gap = &window.session().compare.other_gap(2).unwrap().samples;
    let of_level = &window.session().derived.pair.as_ref().unwrap().curve;
    assert!(gap[0][0] == 0.0 && gap[0][1].abs() < 1e-8, "{gap:?}");
    assert!((of_level.at(0.0).unwrap() - 3.375).abs() < 1e-9);

    window.click("Close comparison");
    assert!(window.session().compare.other().is_none());
    assert!(window.has("Compare with other detection"));
}

#[test]
fn the_curve_is_drawn_and_seeks() {
    let mut window = Window::with(&scene(8.0, 40));
    let other = write(&window.folder, "other.ron", &scene(10.0, 40));
    window.apply(Command::CompareWith(other));
    compared(&mut window);
    let curve = window.session().compare.curve().unwrap();
    assert_eq!(curve.points.len(), 41);
    for point in &curve.points {
        let metres = point.apart.unwrap().position.unwrap();
        assert_eq!(
            metres,
            f64::from(point.frame) * 0.125,
            "2 m/s over 1/16 s a frame"
        );
    }
    window.drag("Difference over all frames", 0.3, 0.75);
    let at = window.model().playback.playhead().position();
    assert!((20.0..36.0).contains(&at), "{at}");
    assert!(window.session().compare.chosen() == Some(Subject::Name { a: 0, b: 0 }));
    // The selection is followed.
    window.click_row("post");
    window.until("the post is followed", |model| {
        let curve = session(model).compare.curve();
        curve.is_some_and(|curve| curve.subject == Subject::Name { a: 1, b: 1 })
    });
}

#[test]
fn a_path_is_typed_and_different_lengths_and_steps_are_reported() {
    let mut window = Window::with(&scene(8.0, 40));
    let half = scene(8.0, 40).replace("dt: 0.0625", "dt: 0.03125");
    let path = write(&window.folder, "half.ron", &half);
    window.apply(Command::TogglePane(Pane::Compare));
    window.settle();
    let field = window
        .harness
        .get_all_by_role(Role::TextInput)
        .last()
        .unwrap();
    field.focus();
    field.type_text(&path.display().to_string());
    window.settle();
    window.key(Key::Enter);
    compared(&mut window);
    let compare = &window.session().compare;
    assert_eq!(compare.alignment(), Some(Alignment::Time));
    let found = compare.result().unwrap();
    assert!(found.objects.is_empty() && !found.equal);
    assert_eq!(found.states, 21, "B ends after 1.25 s");
    let shows_note =
        |window: &Window, text: &str| window.harness.query_all_by_label_contains(text).count() > 0;
    assert!(shows_note(
        &window,
        "Only the first 21 states could be compared"
    ));
    window.click("Match by frame");
    compared(&mut window);
    let found = window.session().compare.result().unwrap();
    assert_eq!((found.states, found.objects.len()), (41, 1));
}

#[test]
fn an_unreadable_file_is_reported_and_ends_the_comparison() {
    let mut window = Window::bullet();
    let gone = window.folder.path().join("gone.ron");
    window.apply(Command::CompareWith(gone));
    window.until("the error is shown", |model| {
        !model.messages.shown().is_empty()
    });
    assert!(window.session().compare.against().is_none());
    assert!(window.model().session.is_some());
}

#[test]
fn reloading_keeps_the_previous_run() {
    let mut window = Window::with(&scene(8.0, 40));
    window.apply(Command::TogglePane(Pane::Compare));
    window.settle();
    assert!(!window.session().compare.has_run_before());

    // The same file: the same bits, by the state hash.
    reload(&mut window);
    window.click("Compare with previous run");
    compared(&mut window);
    let found = window.session().compare.result().unwrap();
    assert!(found.equal);
    assert_eq!(found.hashes.as_ref().unwrap().equal, 41);
    assert!(window.has("No differences"));

    // An edit: the state before is compared with the state after.
    write(&window.folder, "scene.ron", &scene(9.0, 40));
    reload(&mut window);
    compared(&mut window);
    let compare = &window.session().compare;
    assert_eq!(compare.against(), Some(&Against::RunBefore));
    let found = compare.result().unwrap();
    assert_eq!(found.objects.len(), 1);
    // 1 m/s over 40 frames of 1/16 s.
    assert_eq!(found.objects[0].largest_position.unwrap().value, 2.5);
}

fn reload(window: &mut Window) {
    window.key(Key::F5);
    window.until("the level is read and checked again", |model| {
        model.loading().is_none() && report(model).is_some()
    });
}

#[test]
fn a_tolerance_is_typed_and_a_filter_chooses() {
    let many: String = (0..9)
        .map(|index| {
            let speed = 1.0 + f64::from(index);
            format!("(name: \"ball {index}\", shape: Sphere(radius: 0.1), position: (0.0, {index}.0, 0.0), velocity: ({speed:?}, 0.0, 0.0)),")
        })
        .collect();
    let text = |objects: &str| {
        format!(
            "Scene(version: 1, name: \"Many\", dt: 0.0625, frames: 16, response: Ignore, objects: [{objects}])"
        )
    };
    let mut window = Window::with(&text(&many));
    let still = many.replace("velocity", "spin");
    let other = write(&window.folder, "still.ron", &text(&still));
    window.apply(Command::CompareWith(other));
    compared(&mut window);
    assert_eq!(window.session().compare.result().unwrap().objects.len(), 9);
    let listed = |window: &Window| {
        let rows = window.harness.query_all_by_label_contains(", frame ");
        rows.count()
    };
    let before = listed(&window);
    let field = window
        .harness
        .get_all_by_role(Role::TextInput)
        .last()
        .unwrap();
    field.focus();
    field.type_text("ball 4");
    window.settle();
    assert_eq!(listed(&window), 1, "of {before}");
    window.click("Clear the filter");

    // Ball i is (i + 1) m apart after the second; with 4.5 m and any angle five of them differ.
    let mut settings = window.session().compare.settings;
    settings.tolerance.position = 4.5;
    settings.tolerance.rotation = 4.0;
    window.apply(Command::SetCompareSettings(settings));
    compared(&mut window);
    assert_eq!(window.session().compare.result().unwrap().objects.len(), 5);
}

/// Distance between the runner of the level and of the other at the end of frame 0, metres.
fn apart_after_a_frame(window: &Window) -> Option<f64> {
    let curve = window.session().compare.curve()?;
    curve.points.get(1)?.apart?.position
}

#[test]
fn an_edit_is_compared_with_the_saved_scene() {
    let mut window = Window::with(&scene(8.0, 40));
    window.model_mut().edit_text(scene(16.0, 40));
    window.settle();
    window.apply(Command::CompareRunBefore);
    compared(&mut window);
    assert_eq!(apart_after_a_frame(&window), Some(0.5), "8 m/s over 1/16 s");
    // A second edit is compared with the same.
    window.model_mut().edit_text(scene(32.0, 40));
    window.until("the new difference is known", |model| {
        session(model).compare.curve().is_some() && model.comparing().is_none()
    });
    assert_eq!(apart_after_a_frame(&window), Some(1.5));
    // The saved scene is the reference of the next edit.
    window.keys(Modifiers::COMMAND, Key::S);
    window.until("it is saved", |model| !model.has_unsaved());
    window.model_mut().edit_text(scene(40.0, 40));
    window.until("the new previous run is there", |model| {
        session(model).compare.curve().is_some() && model.comparing().is_none()
    });
    assert_eq!(apart_after_a_frame(&window), Some(0.5));
}

/// The files of two runs, dropped over the window together.
#[test]
fn two_files_dropped_at_once_are_compared() {
    let mut window = Window::start_page();
    let one = write(&window.folder, "one.ron", &scene(8.0, 40));
    let other = write(&window.folder, "other.ron", &scene(10.0, 40));
    drop_files(&mut window, &[&one, &other]);
    compared(&mut window);
    assert!(window.model().shows(Pane::Compare));
    assert_eq!(
        window.session().compare.against(),
        Some(&Against::File(other.clone(), ReadOptions::default()))
    );
    assert_eq!(window.model().settings.recent, std::slice::from_ref(&one));

    // Ten of them are too many, and nothing is opened.
    drop_files(&mut window, &[&one; 10]);
    let problem = &window.model().messages.shown().last().unwrap().problem;
    assert_eq!(problem.what, "10 files were dropped at once");
    assert!(window.model().loading().is_none());

    // The next one that is opened is not compared with the file dropped before.
    drop_files(&mut window, &[&other]);
    window.until("the other is open", |model| {
        let document = model.document();
        document.is_some_and(|document| document.source == Source::File(other.clone()))
    });
    window.settle();
    assert!(window.model().comparing().is_none());
}

/// Two runs beside the first, from frame 1 on 2 and 4 m/s faster, one that is equal, and one that cannot be read.
#[test]
fn several_files_have_their_first_differences_and_lanes_and_one_is_shown() {
    let mut window = Window::start_page();
    let file = |name: &str, speed: f64| write(&window.folder, name, &scene(speed, 40));
    let [one, two, three, same] = [
        file("one.ron", 8.0),
        file("two.ron", 10.0),
        file("three.ron", 12.0),
        file("same.ron", 8.0),
    ];
    let broken = write(&window.folder, "broken.ron", "Scene(");
    drop_files(&mut window, &[&one, &two, &three, &same, &broken]);
    let all_known = |model: &Model| {
        let tracks = model
            .session
            .as_ref()
            .map(|session| session.compare.tracks());
        tracks.is_some_and(|tracks| {
            tracks.all().len() == 4 && tracks.all().iter().all(|track| track.result.is_some())
        })
    };
    window.until("all are compared", all_known);
    compared(&mut window);
    let rows = [
        "two.ron: runner, frame 0",
        "three.ron: runner, frame 0",
        "same.ron: equal",
        "broken.ron: not compared",
    ];
    for row in rows {
        assert!(window.has(row), "{row}: {:?}", window.texts());
    }
    let shown = |window: &Window| window.session().compare.other().unwrap().name.clone();
    assert_eq!(shown(&window), "two.ron");
    // A lane of each that was compared.
    for name in ["two.ron", "three.ron", "same.ron"] {
        let lane = format!("Lane of the differences to {name}");
        assert!(window.has(&lane), "{lane}");
    }
    let found = window.session().compare.result().unwrap();
    assert_eq!(
        found.objects[0].largest_position.unwrap().value,
        0.125 * 40.0
    );
    window.click_row("three.ron: runner, frame 0");
    compared(&mut window);
    assert_eq!(shown(&window), "three.ron");
    let found = window.session().compare.result().unwrap();
    assert_eq!(
        found.objects[0].largest_position.unwrap().value,
        0.25 * 40.0
    );
    // Each has an offset of its own; a tolerance is that of all.
    let offset = |window: &Window| window.session().compare.settings.offset;
    let mut settings = window.session().compare.settings;
    settings.offset = 1.0;
    settings.tolerance.position = 1.0;
    window.apply(Command::SetCompareSettings(settings));
    window.until("all are compared again", all_known);
    window.click_row("two.ron: runner, frame 9");
    compared(&mut window);
    assert_eq!(offset(&window), 0.0);
    // What cannot be read is left out where it is shown.
    window.click_row("broken.ron: not compared");
    window.until("it is left out", |model| {
        session(model).compare.tracks().all().len() == 3
    });
    compared(&mut window);
    assert_eq!(shown(&window), "two.ron");
}

#[derive(Debug)]
struct Dropped(PathBuf);

impl egui::DroppedFile for Dropped {
    fn path(&self) -> &std::path::Path {
        &self.0
    }

    fn bytes(&self) -> Result<Vec<u8>, String> {
        std::fs::read(&self.0).map_err(|error| error.to_string())
    }
}

fn drop_files(window: &mut Window, paths: &[&PathBuf]) {
    let files = &mut window.harness.input_mut().dropped_files;
    for path in paths {
        files.push(std::sync::Arc::new(Dropped((*path).clone())));
    }
    window.settle();
}

/// The overlap test misses what the sweep hits.
#[test]
fn findings_are_compared() {
    let mut window = Window::bullet();
    compare_findings(&mut window);
    for text in ["1 only in A", "0 only in B", "0 in both"] {
        assert!(window.has(text), "{text}");
    }
    window.apply(Command::SelectNothing);
    window.click("1 only in A");
    window.click("Tunnels C01: bullet \u{2192} paper, frame 1");
    assert_eq!(window.model().finding(), Some(0));
}

#[test]
fn equal_motion_without_a_response_is_explained() {
    let mut window = Window::with(&BULLET.replace("response: Push", "response: Ignore"));
    compare_findings(&mut window);
    let verdict = window.session().compare.result().unwrap().verdict();
    assert!(verdict.contains("the response is Ignore"), "{verdict}");
    for text in [verdict.as_str(), "0 only in A", "1 in both"] {
        assert!(window.has(text), "{text}");
    }
}

fn compare_findings(window: &mut Window) {
    window.apply(Command::CompareDetection);
    window.until("the findings are compared", |model| {
        let Session { compare, .. } = session(model);
        compare.changes().is_some() && compare.result().is_some()
    });
}
