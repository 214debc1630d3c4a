//! Findings: selected, searched, made an expectation or a scene.

use super::window::*;
use egui_kittest::kittest::NodeT as _;
use hitstop::core::diagnose::Kind;
use hitstop::core::diagnose::what_if::Parameter;
use hitstop::core::repro::engine_of;
use std::collections::BTreeSet;

/// 8 m a frame, a ball of radius 0.5 and paper of 0.25: detected over 1.25 m, held over 0.625 m. At the 64 phases the frame end
/// is 0, 0.125, .. 7.875 m past the touch: the eleven up to 1.25 m are detected.
#[test]
fn what_if_is_searched_for_the_selected_finding() {
    let mut window = Window::with(BULLET);
    window.until("the question is answered", |model| {
        let search = session(model).derived.what_if_search.as_ref();
        search.is_some_and(|search| matches!(search.state(), SearchState::Known(_)))
    });
    let contains = |window: &Window, label: &str| {
        window.harness.query_all_by_label_contains(label).count() > 0
    };
    assert!(contains(&window, "Starting phases: 53 of 64 not detected"));
    // Steps of 8 m: 7 and 13 of them; speeds of 1.25 m and 0.625 m in 1/16 s.
    for value in ["substeps", "7", "13", "20 m/s", "10 m/s", "thickness"] {
        assert!(window.has(value), "{value}");
    }
    window.key(Key::Escape);
    assert!(window.session().derived.what_if_search.is_none());
    assert!(!contains(&window, "Starting phases"));
}

/// 8 m a frame against 0.625 m: 13 substeps hold it, 7 only detect it. Limits are a thousandth on the safe side.
#[test]
fn the_holding_value_is_copied() {
    let mut window = Window::with(BULLET);
    for label in [
        "Suggested fixes",
        "holds at",
        "13",
        "9.99 m/s",
        "detects at",
        "7",
        "20 m/s",
        "To scale: moves toward it 8 m, detected up to 1.25 m, held up to 0.625 m",
    ] {
        assert!(window.has(label), "{label}");
    }
    window.click("Copy substeps");
    let copied = |window: &Window| {
        let commands = &window.harness.output().platform_output.commands;
        commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    };
    assert!(window.has("copied"));
    if let Some(text) = copied(&window) {
        assert_eq!(text, "13");
    }
}

/// Jolt sweeps a body with a setting of its own, and has one for 13 collision steps.
#[test]
fn the_engine_s_own_settings_are_shown_and_copied() {
    let mut window = Window::with(&BULLET.replace("version: 1,", "version: 1, engine: \"jolt\","));
    for label in [
        "mMotionQuality = EMotionQuality::LinearCast",
        "inCollisionSteps = 13",
    ] {
        assert!(window.has(label), "{label}");
    }
    window.click("Copy setting of continuous detection");
    assert!(window.has("copied"));
}

/// The card comes to the front; the explanation and the What-if, which are of the finding too, stay there.
#[test]
fn a_chosen_finding_is_always_shown() {
    let mut window = Window::with(BULLET);
    for (pane, then) in [
        (Pane::Candidates, Pane::Inspector),
        (Pane::Camera, Pane::Inspector),
        (Pane::Explain, Pane::Explain),
        (Pane::WhatIf, Pane::WhatIf),
    ] {
        window.apply(Command::ShowPane(pane));
        window.apply(Command::SelectFinding(0));
        window.settle();
        assert!(window.model().dock.is_shown(then), "{pane:?}");
    }
}

/// Also while the What-if panel is closed, which prepares it first.
#[test]
fn a_fix_is_tried_in_the_what_if() {
    let mut window = Window::with(BULLET);
    for (label, parameter, value) in [
        ("Try substeps", Parameter::Substeps, 13.0),
        ("Try max speed", Parameter::Speed, 9.99),
    ] {
        window.click(label);
        window.until("the value is tried", |model| {
            let what_if = session(model).derived.what_if.as_ref();
            what_if
                .and_then(|what_if| what_if.ready())
                .is_some_and(|ready| ready.values().get(parameter) == value)
        });
        assert!(window.has("Now: held"), "{label}");
        // The card is in front again.
        window.apply(Command::ShowPane(Pane::Inspector));
        window.settle();
    }
}

#[test]
fn clicking_a_finding_goes_to_it() {
    let mut window = Window::bullet();
    assert_eq!(window.model().finding(), None);
    assert_eq!(window.moment(), (0, 0.0));
    let row = window.harness.get_by(|node| {
        let label = node.label().unwrap_or_default();
        node.role() == Role::ListItem && label.starts_with("Tunnels")
    });
    row.click_accesskit();
    window.settle();
    assert_eq!(window.model().selection.pair(), Some((0, 1)));
    assert_eq!(window.moment().0, 1);
    assert!((window.moment().1 - IMPACT).abs() < 1e-9);
}

#[test]
fn a_list_row_with_the_focus_is_chosen_by_enter() {
    let mut window = Window::bullet();
    for (name, object) in [("paper", 1), ("bullet", 0)] {
        let row = window.harness.get_by_role_and_label(Role::ListItem, name);
        row.focus();
        window.settle();
        window.key(Key::Enter);
        assert_eq!(window.model().selection.objects(), [object], "{name}");
    }
}

/// The scene's text on disk, after a change is made, diagnosed and saved.
fn changed_text(window: &mut Window, results: usize) -> String {
    window.until("the changed scene is checked", |model| {
        report(model).is_some_and(|report| report.expectations.len() == results)
    });
    window.keys(Modifiers::COMMAND, Key::S);
    window.until("it is saved", |model| !model.has_unsaved());
    std::fs::read_to_string(window.folder.path().join("scene.ron")).unwrap()
}

#[test]
fn a_finding_a_hit_and_a_position_become_expectations_of_the_scene() {
    let commented = BULLET.replace("    frames: 40,", "    frames: 40, // a comment that stays");
    let mut window = Window::with(&commented);
    window.click("Add as expectation");
    let text = changed_text(&mut window, 1);
    assert!(text.contains("// a comment that stays"), "{text}");
    let wanted = "Finds(kind: Tunnels, cause: C01, a: \"bullet\", b: \"paper\", frame: 1),";
    assert!(text.contains(wanted), "{text}");
    window.click("Tunnels: bullet \u{2192} paper, frame 1");
    window.click("Expect this hit");
    let text = changed_text(&mut window, 2);
    assert!(text.contains("frame: 1, fraction: 0.421875),"), "{text}");
    window.click("bystander");
    window.click("Expect this position");
    let text = changed_text(&mut window, 3);
    assert!(
        text.contains("Position(object: \"bystander\", frame: 1, is: (0.0, 0.0, 30.0)),"),
        "{text}"
    );
    let held = "holds: Position(object: \"bystander\"";
    let shown = |window: &Window| window.harness.query_all_by_label_contains(held).count();
    assert_eq!(shown(&window), 1, "beside the object");
    window.click("Expectations: 3 of 3 passed");
    assert_eq!(shown(&window), 2, "in the list too");
}

#[test]
fn an_expectation_is_added_once_and_a_failed_one_is_marked() {
    let failing = BULLET.replace(
        "    ],\n)",
        "    ],\n    expect: [Touches(a: \"bullet\", b: \"bystander\"), NoFindings(kind: Sinks, expected_to_fail: \"bug 7\")],\n)",
    );
    let mut window = Window::with(&failing);
    for mark in ["failed: Touches(", "holds unexpectedly: NoFindings("] {
        assert!(
            window.harness.query_all_by_label_contains(mark).count() > 0,
            "{mark}"
        );
    }
    assert!(
        window.has("2 expectations failed"),
        "the status bar says so"
    );
    window.click("Add as expectation");
    changed_text(&mut window, 3);
    window.click("Tunnels: bullet \u{2192} paper, frame 1");
    window.click("Add as expectation");
    let mut messages = window.model().messages.shown().iter();
    assert!(
        messages.any(|message| message.problem.what == "the scene already has this expectation")
    );
}

#[test]
fn expectations_of_a_recording_need_a_scene() {
    let log = [
        r#"{"hitstop": 1, "dt": 0.1, "objects": [{"id": 0, "name": "ball", "shape": {"sphere": {"radius": 0.1}}}, {"id": 1, "name": "wall", "shape": {"box": {"half_extents": [0.05, 2, 2]}}, "motion": "fixed", "position": [0, 0, 0]}]}"#,
        r#"{"frame": 0, "bodies": [{"id": 0, "p": [-1, 0, 0]}]}"#,
        r#"{"frame": 1, "bodies": [{"id": 0, "p": [1, 0, 0]}]}"#,
    ];
    let mut window =
        Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", &log.join("\n")))));
    window.until("the log is checked", |model| {
        model.selected_finding().is_some()
    });
    let button = window.harness.get_by_label("Add as expectation");
    assert!(button.accesskit_node().is_disabled());
    window.keys(Modifiers::COMMAND, Key::E);
    let problem = &window.model().messages.shown().last().unwrap().problem;
    assert!(
        problem.what.starts_with("Recordings are read-only"),
        "{problem}"
    );
}

/// The selection is written in the background: the two objects of the finding, and the finding as an expectation.
#[test]
fn a_finding_becomes_a_scene_on_disk() {
    let mut window = Window::bullet();
    window.key(Key::CloseBracket);
    assert!(window.model().selected_finding().is_some());
    assert!(
        window.has("Save frame as test scene…"),
        "the finding offers it"
    );
    let path = window.folder.path().join("frame.ron");
    window.apply(Command::SaveFrameTo(path.clone()));
    assert!(
        window.model().is_saving_excerpt(),
        "it is not done by the window itself"
    );
    window.until("the scene is saved", |model| !model.is_saving_excerpt());
    let messages = window.model().messages.shown();
    assert!(
        messages
            .iter()
            .any(|message| message.problem.what == "the scene is saved"),
        "{messages:?}"
    );

    let level = level::open(&path, &()).unwrap();
    let report = diagnose(&level, &Options::default(), &()).unwrap();
    assert_eq!(report.objects, 2, "the bystander is left out");
    assert_eq!(report.findings.len(), 1);
    assert!(report.findings[0].expected);
    assert!((report.findings[0].fraction - IMPACT).abs() < 1e-9);
}

#[test]
fn a_finding_becomes_a_program_on_disk() {
    let mut window = Window::bullet();
    window.key(Key::CloseBracket);
    window.click("Reproduction as code");
    assert!(window.has("rapier…") && !window.has("matter…"));
    let path = window.folder.path().join("repro.py");
    let engine = engine_of("pybullet", false).unwrap();
    window.apply(Command::SaveReproduction(engine, path.clone()));
    window.until("the program is saved", |model| !model.is_saving_excerpt());
    let shown = window.model().messages.shown();
    assert_eq!(shown.last().unwrap().problem.what, "the program is saved");
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("import pybullet") && text.contains("Tunnels C01"),
        "{text}"
    );
    // An engine of the other space.
    let flat = engine_of("matter", true).unwrap();
    window.apply(Command::SaveReproduction(flat, path));
    window.until("it is refused", |model| !model.is_saving_excerpt());
    let problem = &window.model().messages.shown().last().unwrap().problem;
    assert!(problem.what.contains("matter is flat"), "{problem}");
}

#[test]
fn an_unwritable_destination_is_reported() {
    let mut window = Window::bullet();
    let path = window.folder.path().join("gone/frame.ron");
    window.apply(Command::SaveFrameTo(path));
    window.until("the scene is not saved", |model| !model.is_saving_excerpt());
    assert_eq!(window.model().messages.shown().len(), 1);
}

/// A log without velocities, contacts and the rest shows one line, and more when it is unfolded.
#[test]
fn missing_log_data_is_one_line_that_unfolds() {
    let log = r#"{"hitstop":1,"dt":0.1,"objects":[{"id":0,"name":"ball","shape":{"sphere":{"radius":1}}}]}
{"frame":0,"bodies":[{"id":0,"p":[0,0,0]}]}
{"frame":1,"bodies":[{"id":0,"p":[1,0,0]}]}
"#;
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", log))));
    window.until("the log is checked", |model| report(model).is_some());
    let report = report(window.model()).unwrap();
    let (count, first) = (report.not_judged.len(), report.not_judged[0].clone());
    assert!(count > 3);
    let line = first.sentence();
    assert!(line.contains('`'), "{line}");
    // Code is set apart by its background.
    let line = line.replace('`', "");
    assert!(!window.has(&line));
    window.click(&format!("{count} causes not checked"));
    window.until("it is unfolded", |_| true);
    for _ in 0..30 {
        window.harness.step();
    }
    assert!(window.has(&line));
}

#[test]
fn a_missing_position_is_reported_in_the_viewport_and_the_explanation() {
    let log = r#"{"hitstop": 1, "dt": 0.1, "objects": [{"id": 0, "name": "ball", "shape": {"sphere": {"radius": 0.5}}}]}
{"frame": 0, "bodies": [{"id": 0, "p": ["NaN", 0, 0]}]}
{"frame": 1, "bodies": [{"id": 0, "p": ["NaN", 0, 0]}]}
"#;
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "nan.jsonl", log))));
    window.until("it is checked", |model| model.selected_finding().is_some());
    assert!(window.has("The position of ball is not a number"));
    window.keys(Modifiers::ALT, Key::Num4);
    assert!(window.has("ball, frame 0"));
    window.keys(Modifiers::COMMAND, Key::E);
    let problem = &window.model().messages.shown().last().unwrap().problem;
    assert!(
        problem.what.contains("Save frame as test scene"),
        "{problem}"
    );
}

/// Three bullets through the paper, of 8 m, 3 m and 3 m a frame: 13 substeps hold the first, 5 the others.
pub fn three_bullets() -> String {
    let others = [("slug", 1.3), ("shot", -1.3)].map(|(name, y)| {
        format!(
            "        (name: \"{name}\", shape: Sphere(radius: 0.5), position: (-5.2, {y}, 0.0), velocity: (48.0, 0.0, 0.0)),\n"
        )
    });
    BULLET.replace("    ],\n)", &(others.concat() + "    ],\n)"))
}

/// The indices of the findings that the list shows.
pub fn listed(window: &Window) -> Vec<usize> {
    let findings = window.model().document().unwrap().findings();
    let mut listed: Vec<_> = (0..findings.len()).collect();
    listed.retain(|&index| window.model().lists(index));
    listed
}

/// A click on a kind lists it alone, a second one all; with Ctrl it is hidden.
#[test]
fn a_kind_is_listed_alone() {
    let overlap = "        (name: \"inside\", shape: Sphere(radius: 0.5), position: (0.0, 0.0, 1.5)),\n    ],\n)";
    let mut window = Window::with(&three_bullets().replace("    ],\n)", overlap));
    let kinds = |window: &Window| {
        let findings = window.model().document().unwrap().findings();
        let kinds = listed(window).into_iter();
        kinds
            .map(|index| findings[index].kind.name())
            .collect::<BTreeSet<_>>()
    };
    let all = kinds(&window);
    assert!(all.len() > 1, "{all:?}");
    window.click("List Tunnels");
    assert_eq!(kinds(&window), BTreeSet::from(["Tunnels"]));
    window.click("List Tunnels");
    assert_eq!(kinds(&window), all);
    window.apply(Command::ShowKind(Kind::Tunnels, false));
    window.settle();
    assert!(!kinds(&window).contains("Tunnels"));
}

/// 13 substeps hold all bullets; the fewer that hold the slower ones leave the first.
#[test]
fn the_card_of_the_level_lists_what_stays() {
    let mut window = Window::with(&three_bullets());
    window.until("the changes are known", |model| {
        !session(model).derived.level_fixes.is_empty()
    });
    assert!(window.has("What would fix most"));
    let rows = &window.session().derived.level_fixes;
    let partial = rows.iter().find(|row| row.stays.len() == 1).unwrap();
    let (text, stays) = (partial.text.clone(), partial.stays[0]);
    assert_eq!(listed(&window).len(), 3);
    window.click(&text);
    assert_eq!(listed(&window), [stays]);
    window.click(&text);
    assert_eq!(listed(&window).len(), 3);

    // "No finding fits" stood there once.
    let rows = &window.session().derived.level_fixes;
    let whole = rows.iter().find(|row| row.stays.is_empty()).unwrap();
    let text = whole.text.clone();
    window.click(&text);
    assert!(window.has("This change fixes all 3 findings."));
}

/// Twelve balls through two walls, one after the other, and the level of 13 findings that the thirteenth ball, which sinks, adds.
fn many_bullets(balls: usize) -> String {
    let row = |index: usize| {
        let (y, speed) = (index as f64 * 2.0 - 12.0, 64.0 + 16.0 * (index / 6) as f64);
        format!(
            "        (name: \"ball {index}\", shape: Sphere(radius: 0.5), position: (-5.2, {y:?}, 0.0), velocity: ({speed:?}, 0.0, 0.0)),\n"
        )
    };
    let balls: String = (0..balls).map(row).collect();
    let walls = "        (name: \"paper\", shape: Box(half_extents: (0.125, 40.0, 2.0)), motion: Fixed),\n        (name: \"far\", shape: Box(half_extents: (0.125, 40.0, 2.0)), position: (64.0, 0.0, 0.0), motion: Fixed),\n";
    format!(
        "Scene(\n    version: 1,\n    name: \"Many\",\n    dt: 0.0625,\n    frames: 40,\n    detection: Overlap,\n    response: Ignore,\n    objects: [\n{balls}{walls}    ],\n)"
    )
}

fn type_filter(window: &mut Window, text: &str) {
    window.apply(Command::FilterFindings(text.to_owned()));
    window.settle();
}

#[test]
fn findings_are_filtered_by_words() {
    let mut window = Window::with(&many_bullets(12));
    let all = listed(&window).len();
    assert!(all > 12, "{all}");
    let names = |window: &Window, text: &str| {
        let findings = window.model().document().unwrap().findings();
        listed(window)
            .into_iter()
            .map(|index| findings[index].title())
            .filter(|title| title.contains(text))
            .count()
    };
    type_filter(&mut window, "paper");
    assert_eq!(listed(&window).len(), 12);
    assert_eq!(names(&window, "paper"), 12);
    assert!(window.has(&format!("12 of {all} findings")));
    type_filter(&mut window, "-paper");
    assert_eq!(
        (listed(&window).len(), names(&window, "paper")),
        (all - 12, 0)
    );
    type_filter(&mut window, "\"ball 1\" C01");
    assert_eq!(names(&window, "ball 1 "), listed(&window).len());
    assert!(!listed(&window).is_empty());
    type_filter(&mut window, "frame 0..2 tunnels");
    assert!(!listed(&window).is_empty());
    type_filter(&mut window, "frame 100..");
    assert!(listed(&window).is_empty());
    window.apply(Command::Select(Some(3)));
    type_filter(&mut window, "");
    window.click("Only of the selection");
    assert_eq!(names(&window, "ball 3 "), listed(&window).len());
    window.click("Only of the selection");
    assert_eq!(listed(&window).len(), all);
}

#[test]
fn findings_are_grouped_and_sorted() {
    let mut window = Window::with(&many_bullets(12));
    let all = listed(&window).len();
    let number_in = |window: &Window, group: &str| {
        let groups = &window.model().finding_list().unwrap().groups;
        let group = groups.iter().find(|node| node.title == group);
        group.map(|node| node.members.len())
    };
    window.apply(Command::GroupFindings(GroupBy::Surface));
    window.settle();
    assert_eq!(number_in(&window, "paper"), Some(12));
    assert_eq!(number_in(&window, "far"), Some(all - 12));
    window.apply(Command::GroupFindings(GroupBy::Mover));
    window.settle();
    assert_eq!(
        number_in(&window, "ball *"),
        None,
        "of one level it is left out"
    );
    // A click opens a group, a second one closes it; that of the selected finding is always open.
    window.apply(Command::SelectNothing);
    window.apply(Command::GroupFindings(GroupBy::Surface));
    window.settle();
    let rows = |window: &Window| {
        let rows = window.harness.query_all_by_role(Role::ListItem);
        rows.filter(|row| {
            row.accesskit_node()
                .label()
                .is_some_and(|label| label.contains("\u{2192} far"))
        })
        .count()
    };
    assert_eq!(rows(&window), 0);
    let far = format!("far: {}", all - 12);
    window.click(&far);
    assert!(rows(&window) > 0);
    window.click(&far);
    assert_eq!(rows(&window), 0);
    // In the order of time.
    window.apply(Command::GroupFindings(GroupBy::Nothing));
    window.apply(Command::SortFindings(SortBy::Frame));
    window.settle();
    let frames = |window: &Window| {
        let findings = window.model().document().unwrap().findings();
        let order = &window.model().finding_list().unwrap().order;
        order
            .iter()
            .map(|&index| findings[index].frame)
            .collect::<Vec<_>>()
    };
    assert!(frames(&window).is_sorted());
    assert_eq!(frames(&window).len(), all);
}

#[test]
fn a_reload_counts_what_is_fixed_and_new() {
    let mut window = Window::with(&three_bullets());
    assert!(window.session().changes.is_none());
    // The slug stops, and a fourth ball flies.
    let slower =
        three_bullets().replacen("velocity: (48.0, 0.0, 0.0)", "velocity: (0.0, 0.0, 0.0)", 1);
    let other = "        (name: \"other\", shape: Sphere(radius: 0.5), position: (-5.2, 0.0, 1.4), velocity: (48.0, 0.0, 0.0)),\n    ],\n)";
    let path = window.folder.path().join("scene.ron");
    std::fs::write(&path, slower.replace("    ],\n)", other)).unwrap();
    window.apply(Command::Reload);
    window.until("the changes are known", |model| {
        session(model).changes.is_some()
    });
    for text in ["1 fixed", "1 new", "2 unchanged"] {
        assert!(window.has(text), "{text}");
    }
    let fixed = window.session().fixed_findings()[0].title();
    assert_eq!(fixed, "slug \u{2192} paper");
    window.click("1 new");
    let findings = window.model().document().unwrap().findings();
    let titles: Vec<_> = listed(&window)
        .iter()
        .map(|&at| findings[at].title())
        .collect();
    assert_eq!(titles, ["other \u{2192} paper"]);
}

#[test]
fn a_step_goes_back_to_the_finding_that_escape_left() {
    let mut window = Window::with(&three_bullets());
    window.apply(Command::SelectFinding(1));
    window.settle();
    window.key(Key::Escape);
    assert_eq!(window.model().finding(), None);
    for expected in [1, 2, 0] {
        window.apply(Command::NextFinding);
        window.settle();
        assert_eq!(window.model().finding(), Some(expected));
    }
}

/// Two balls with one centre have no direction to be pushed in (C24), from frame 0 on; a bullet crosses a sheet of paper in frame 1.
#[test]
fn the_finding_that_does_most_harm_is_chosen_first() {
    let two = r#"objects: [
        (name: "one", shape: Sphere(radius: 0.5), position: (0.0, 20.0, 0.0), motion: Fixed),
        (name: "two", shape: Sphere(radius: 0.5), position: (0.0, 20.0, 0.0)),"#;
    let mut window = Window::with(&BULLET.replacen("objects: [", two, 1));
    window.until("a finding is chosen", |model| {
        model.selected_finding().is_some()
    });
    let report = report(window.model()).unwrap();
    assert!(report.findings.iter().any(|one| one.b != "paper"));
    let chosen = window.model().selected_finding().unwrap();
    assert_eq!((&*chosen.a, &*chosen.b), ("bullet", "paper"));
    let tops = |window: &Window| {
        let rows = window.harness.query_all_by_role(Role::ListItem);
        let rows = rows.filter(|row| {
            row.accesskit_node()
                .label()
                .is_some_and(|it| it.contains(", frame "))
        });
        Vec::from_iter(rows.map(|row| row.rect().top()))
    };
    // Nothing moves when the changes that fix most are known.
    let before = tops(&window);
    window.until("the changes are known", |model| {
        !model.jobs.is_running(JobKind::LevelFixes)
    });
    assert_eq!(tops(&window), before);
    assert!(before.len() > 1);
}

/// A ball falls through a thin floor in a frame, another one rolls over its edge.
#[test]
fn bodies_that_ended_outside_lead_to_what_let_them_out() {
    let header = r#"{"hitstop": 1, "dt": 0.1, "objects": [{"id": 0, "name": "floor", "motion": "fixed", "shape": {"box": {"half_extents": [5, 0.02, 5]}}}, {"id": 1, "name": "through", "shape": {"sphere": {"radius": 0.1}}}, {"id": 2, "name": "over", "shape": {"sphere": {"radius": 0.1}}}]}"#;
    let frame = |frame: u32| {
        let t = f64::from(frame);
        let (falls, rolls) = (0.5 - 0.4 * t, 4.5 + 0.5 * t);
        format!(
            r#"{{"frame": {frame}, "bodies": [{{"id": 1, "p": [0, {falls}, 0]}}, {{"id": 2, "p": [{rolls}, 0.13, 0]}}]}}"#
        )
    };
    let lines = [header.to_owned()].into_iter().chain((0..4).map(frame));
    let text = lines.collect::<Vec<_>>().join("\n");
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", &text))));
    window.until("it is diagnosed", |model| {
        report(model).is_some() && model.diagnosing().is_none()
    });
    window.settle();
    window.click("2 bodies ended outside");
    window.settle();
    window.click("over: over an edge or through an opening");
    window.settle();
    assert_eq!(window.model().playback.playhead().frame, 2);
    assert_eq!(window.model().selection.objects(), [2]);
    window.click("through: through floor (finding 1)");
    window.settle();
    assert_eq!(window.model().selection.pair(), Some((1, 0)));
}

#[test]
fn objects_are_coloured_by_their_listed_findings() {
    let mut window = Window::with(&three_bullets());
    window.apply(Command::ColorBy(ColorBy::Findings));
    window.settle();
    let count = |window: &Window, name: &str| {
        let session = window.session();
        let id = session.document.replay().object_named(name).unwrap();
        let by_object = session.finding_list.by_object(session.document.findings());
        by_object.get(id).map(|of_object| of_object.count)
    };
    assert_eq!(count(&window, "paper"), Some(3));
    assert_eq!(count(&window, "slug"), Some(1));
    assert_eq!(count(&window, "bystander"), None);
    window.apply(Command::FilterFindings("slug".to_owned()));
    window.settle();
    assert_eq!(count(&window, "paper"), Some(1), "of the listed ones");
    assert_eq!(count(&window, "bullet"), None);
}
