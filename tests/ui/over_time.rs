//! Over time: find, lanes, pins, plots, bookmarks, the loop.

use super::window::*;
use hitstop::app::model::find::Outcome;
use hitstop::core::replay::Subject;
use hitstop::core::replay::history::Quantity;
use hitstop::core::replay::search_query::Condition;

/// A log of six states, half a second each: a ball that is absent in state 2 and teleported in state 4, and a wall.
const LOG: &str = r#"{"hitstop": 1, "name": "log", "dt": 0.5, "objects": [{"id": 0, "name": "ball", "shape": {"sphere": {"radius": 0.5}}}, {"id": 1, "name": "wall", "shape": {"box": {"half_extents": [0.5, 2, 2]}}, "motion": "fixed"}]}
{"frame": 0, "bodies": [{"id": 0, "p": [4, 0, 0]}]}
{"frame": 1, "bodies": [{"id": 0, "p": [3, 0, 0]}]}
{"frame": 2, "bodies": []}
{"frame": 3, "bodies": [{"id": 0, "p": [2, 0, 0]}]}
{"frame": 4, "bodies": [{"id": 0, "p": [8, 0, 0], "teleported": true}]}
{"frame": 5, "bodies": [{"id": 0, "p": [9, 0, 0]}]}
"#;

fn log() -> Window {
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", LOG))));
    window.until("the log is checked", |model| report(model).is_some());
    window.key(Key::Escape);
    window.key(Key::Home);
    window
}

/// The bullet and the paper selected, with complete histories.
fn with_histories() -> Window {
    let mut window = Window::with(BULLET);
    window.until("the histories are whole", |model| {
        let track = session(model).derived.histories.get(Subject::Pair(0, 1));
        track.is_some_and(|track| track.upto == 40)
            && session(model).derived.histories.progress().is_none()
    });
    window
}

fn found(window: &mut Window) {
    window.until("the search is done", |model| {
        !model.jobs.is_running(JobKind::Find)
    });
}

#[test]
fn the_next_frame_where_they_touch_is_found_and_selected() {
    let mut window = Window::bullet();
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::F);
    assert!(window.model().shows(Pane::Find));
    let field = window.harness.get_by_label("Object a");
    field.focus();
    field.type_text("bullet");
    window.settle();
    let field = window.harness.get_by_label("Object b");
    field.focus();
    field.type_text("pap");
    window.settle();
    assert_eq!(window.session().find.query.b, None, "not a whole name yet");
    window.click("Use paper");
    assert_eq!(window.session().find.query.b, Some(1));
    window.click("Next match");
    found(&mut window);
    assert_eq!(window.moment(), (1, IMPACT));
    assert_eq!(window.model().selection.pair(), Some((0, 1)));
    assert!(window.has("bullet begins to touch paper"));
    // There is no other.
    window.key(Key::Escape);
    window.key(Key::F3);
    found(&mut window);
    assert!(matches!(
        window.session().find.outcome,
        Outcome::NotFound { .. }
    ));
    assert!(window.has("no such frame after frame 1 + 0.4219"));
    assert_eq!(window.moment(), (1, IMPACT), "it stays");
    window.key(Key::End);
    window.keys(Modifiers::SHIFT, Key::F3);
    found(&mut window);
    assert_eq!(window.moment(), (1, IMPACT), "backward");
}

#[test]
fn a_search_with_a_limit_shows_the_value() {
    let mut window = Window::bullet();
    window.apply(Command::OpenFind);
    window.settle();
    let mut query = window.session().find.query;
    query.kind = Condition::Faster;
    query.limit = 100.0;
    window.apply(Command::SetQuery(query));
    window.settle();
    window.key(Key::End);
    window.keys(Modifiers::SHIFT, Key::F3);
    found(&mut window);
    assert_eq!(window.moment(), (39, 0.0));
    assert_eq!(window.model().selection.objects(), [0]);
    assert!(window.has("bullet moves at 128 m/s"));
    // A query that lacks an object shows the panel and what it lacks.
    query.kind = Condition::Appears;
    window.apply(Command::SetQuery(query));
    window.apply(Command::SelectNothing);
    window.key(Key::F3);
    assert!(window.has("choose an object: enter its name or use the selection"));
}

#[test]
fn the_next_impact_is_a_key_away() {
    let mut window = Window::bullet();
    window.key(Key::N);
    found(&mut window);
    assert_eq!(window.moment(), (1, IMPACT));
    assert_eq!(
        window.model().selection.objects(),
        [0],
        "the one that moves"
    );
    window.key(Key::N);
    found(&mut window);
    let said = window
        .model()
        .messages
        .shown()
        .last()
        .map(|one| &one.problem.what);
    assert_eq!(
        said.map(String::as_str),
        Some("no such impact after frame 1 + 0.4219")
    );
    window.key(Key::End);
    window.keys(Modifiers::SHIFT, Key::N);
    found(&mut window);
    assert_eq!(window.moment(), (1, IMPACT));
}

#[test]
fn lanes_show_the_selection_and_go_to_their_marks() {
    let mut window = with_histories();
    assert!(window.has("Lane of bullet \u{2194} paper") && window.has("Lane of bullet"));
    window.key(Key::Home);
    // Near the impact, which is at 1.421875 of 40: a click goes to it exactly.
    let rect = window.rect("Lane of paper");
    let inner = rect.shrink2(vec2(10.0, 0.0));
    let x = inner.left() + inner.width() * (1.421875 / 40.0) + 2.0;
    let at = pos2(x, rect.center().y);
    window.harness.hover_at(at);
    window.settle();
    let pointed = window.model().time.pointed.expect("the pointer is on time");
    assert!((pointed - 1.42).abs() < 0.2, "{pointed}");
    window.harness.drag_at(at);
    window.harness.drop_at(at);
    window.settle();
    assert_eq!(window.moment(), (1, IMPACT));
    // Elsewhere a click goes to a point in time.
    window.drag("Lane of paper", 0.3, 0.6);
    let position = window.model().playback.playhead().position();
    assert!((23.5..24.6).contains(&position), "{position}");
    assert_eq!(
        window.model().selection.pair(),
        Some((0, 1)),
        "the selection stays"
    );
    window.click("Select paper");
    assert_eq!(window.model().selection.objects(), [1]);
}

#[test]
fn time_is_zoomed_panned_and_fitted_for_the_lanes_and_plots_alike() {
    let mut window = with_histories();
    window.keys(Modifiers::SHIFT, Key::ArrowUp);
    window.keys(Modifiers::SHIFT, Key::ArrowUp);
    let (from, span) = window.model().time.shown(40);
    assert!((span - 40.0 / 2.25).abs() < 1e-9, "{span}");
    assert!((from..=from + span).contains(&(1.0 + IMPACT)));
    window.apply(Command::ShowTime {
        from: 10.0,
        span: 10.0,
    });
    window.settle();
    window.drag("Lane of paper", 0.5, 0.5001);
    let at = window.model().playback.playhead().position();
    assert!((at - 15.0).abs() < 0.1, "{at}");
    // The plots show the same range, and change it.
    window.apply(Command::TogglePane(Pane::Plots));
    window.settle();
    window.drag("Plot of speed", 0.5, 0.75);
    let at = window.model().playback.playhead().position();
    assert!((at - 17.5).abs() < 0.1, "{at}");
    window
        .harness
        .hover_at(window.rect("Plot of speed").center());
    window.harness.event(egui::Event::Zoom(2.0));
    window.settle();
    let (from, span) = window.model().time.shown(40);
    let (center, halved) = (from + 0.5 * span, (span - 5.0).abs() < 1e-3);
    assert!(halved && (center - 15.0).abs() < 0.1, "{from} {span}");
    window.key(Key::Z);
    assert!(!window.model().time.is_zoomed());
    // The wheel over the ruler zooms around the pointer.
    let center = window.rect("Timeline").center();
    window.harness.hover_at(center);
    window.harness.event(egui::Event::MouseWheel {
        unit: egui::MouseWheelUnit::Point,
        delta: vec2(0.0, 120.0),
        phase: egui::TouchPhase::Move,
        source: egui::MouseWheelSource::Wheel,
        modifiers: Modifiers::NONE,
    });
    for _ in 0..30 {
        window.harness.step();
    }
    let (from, span) = window.model().time.shown(40);
    assert!(
        span < 30.0 && (from + 0.5 * span - 20.0).abs() < 0.5,
        "{from} {span}"
    );
}

#[test]
fn the_loop_is_dragged_by_its_ends() {
    let mut window = Window::bullet();
    window.apply(Command::SetLoop(10.0, 20.0));
    window.settle();
    let ruler = window.rect("Timeline").shrink2(vec2(10.0, 0.0));
    let x = |frame: f32| ruler.left() + ruler.width() * frame / 40.0;
    let end = window.rect("Loop end").center();
    assert!((end.x - x(20.0)).abs() < 1.0);
    window.harness.hover_at(end);
    window.harness.drag_at(end);
    window.settle();
    window.harness.hover_at(pos2(x(30.0), end.y));
    window.settle();
    window.harness.drop_at(pos2(x(30.0), end.y));
    window.settle();
    assert_eq!(window.model().playback.loop_bounds(), (10.0, 30.0));
    let middle = pos2(x(20.0), end.y);
    window.harness.hover_at(middle);
    window.harness.drag_at(middle);
    window.settle();
    for frame in [23.0, 25.0] {
        window.harness.hover_at(pos2(x(frame), end.y));
        window.settle();
    }
    window.harness.drop_at(pos2(x(25.0), end.y));
    window.settle();
    assert_eq!(window.model().playback.loop_bounds(), (15.0, 35.0));
}

#[test]
fn pins_stay_through_seeks_selections_and_reopening() {
    let mut window = Window::with(BULLET);
    window.key(Key::Home);
    window.key(Key::P);
    assert_eq!(window.session().pins.list(), [Subject::Pair(0, 1)]);
    assert!(window.has("Pinned bullet \u{2194} paper"));
    // From x = -12 with radius 0.5 to the face at -0.125.
    assert!(window.has("11.4 m"), "the gap at the start");
    window.key(Key::Escape);
    window.key(Key::ArrowRight);
    assert!(window.has("3.38 m"), "the gap a frame later");
    window.click("bystander");
    assert!(window.has("Lane of bullet \u{2194} paper") && window.has("Lane of bystander"));
    let path = window.folder.path().join("scene.ron");
    window.apply(Command::CloseLevel);
    window.settle();
    window.apply(Command::Open(path));
    window.until("it is open again", |model| model.session.is_some());
    assert_eq!(window.session().pins.list(), [Subject::Pair(0, 1)]);
    window.click("Unpin bullet \u{2194} paper");
    assert!(window.session().pins.list().is_empty());
}

#[test]
fn absent_objects_are_shown_as_absent() {
    let mut window = log();
    window.click_row("ball");
    window.key(Key::P);
    assert!(window.has("Pinned ball") && window.has("(4, 0, 0)"));
    window.apply(Command::Seek {
        frame: 2,
        fraction: 0.25,
    });
    window.settle();
    assert!(window.has("ball is not present at this frame"));
    assert_eq!(
        window.model().selection.objects(),
        [0],
        "and is still selected"
    );
    window.until("the histories are whole", |model| {
        let track = session(model).derived.histories.get(Subject::Object(0));
        track.is_some_and(|track| track.upto == 5)
    });
    let track = window
        .session()
        .derived
        .histories
        .get(Subject::Object(0))
        .unwrap();
    assert_eq!(track.history.teleports, [4.0]);
}

#[test]
fn plots_are_chosen_clicked_and_saved_as_a_table() {
    let mut window = with_histories();
    window.apply(Command::TogglePane(Pane::Plots));
    window.settle();
    assert!(window.has("Plot of gap") && window.has("Plot of speed"));
    window.click("Plot depth");
    assert!(window.has("Plot of depth"));
    window.click("Plot depth");
    assert!(!window.has("Plot of depth"));
    window.drag("Plot of speed", 0.4, 0.7);
    let at = window.model().playback.playhead().position();
    assert!((20.0..32.0).contains(&at), "{at}");
    let path = window.folder.path().join("plots.csv");
    window.apply(Command::SaveCsv(path.clone()));
    window.until("the table is saved", |model| {
        let messages = model.messages.shown();
        messages
            .iter()
            .any(|one| one.problem.what == "the table is saved")
    });
    let table = std::fs::read_to_string(path).unwrap();
    let pair = "bullet \u{2194} paper,gap,m";
    assert!(table.starts_with("subject,quantity,unit,frame,fraction,time,value\n"));
    // Frame 1 begins 3.375 m apart; the hit is in it.
    assert!(
        table.contains(&format!("{pair},1,0,0.0625,3.375\n")),
        "{table}"
    );
    assert!(table.contains(&format!("{pair},1,{IMPACT},")));
    assert!(table.contains("bullet,speed,m/s,0,0,0,128\n"));
    assert!(!table.contains("depth"), "only what is plotted");
}

#[test]
fn the_history_of_a_pair_is_sorted_visited_copied_and_saved() {
    let mut window = with_histories();
    window.click("Pair history");
    assert!(window.model().shows(Pane::PairHistory));
    // 8 m a frame: the ball starts frame 1 at x = -4, 0.625 farther than the face of the paper, and passes its middle.
    let hit =
        "frame 1, gap 3.38, depth 0.625, speed 128, contact exact, push \u{2013}, finding: Tunnels";
    let first = "frame 0, gap 11.4, depth \u{2013}, speed 128, contact \u{2013}, push \u{2013}";
    assert!(window.has(first) && window.has(hit));
    assert!(window.rect(first).top() < window.rect(hit).top());
    window.click("Sort by depth");
    window.click("Sort by depth");
    assert!(
        window.rect(hit).top() < window.rect(first).top(),
        "the deepest is first"
    );
    window.click(hit);
    assert_eq!(window.moment(), (1, 0.0));
    let copy = window.harness.get_by_label("Copy pair history");
    copy.click_accesskit();
    let copied = (0..3).find_map(|_| {
        window.harness.step();
        let commands = &window.harness.output().platform_output.commands;
        commands.iter().find_map(|command| match command {
            egui::OutputCommand::CopyText(text) => Some(text.clone()),
            _ => None,
        })
    });
    let path = window.folder.path().join("pair.csv");
    window.apply(Command::SavePairHistory(path.clone()));
    window.until("the table is saved", |model| {
        let messages = model.messages.shown();
        messages
            .iter()
            .any(|one| one.problem.what == "the table is saved")
    });
    let table = std::fs::read_to_string(path).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 41, "a header and 40 frames");
    assert_eq!(lines[2], "1,0.0625,3.375,0.625,128,true,false,0");
    assert_eq!(copied.as_deref(), Some(table.as_str()));
    window.key(Key::Escape);
    assert!(window.has("No pair selected"));
}

#[test]
fn an_empty_table_is_refused() {
    let mut window = Window::bullet();
    let path = window.folder.path().join("plots.csv");
    window.apply(Command::Plot(Quantity::Speed, false));
    window.apply(Command::SaveCsv(path.clone()));
    let said = &window.model().messages.shown()[0].problem.what;
    assert_eq!(said, "nothing is plotted");
    assert!(!path.exists());
}

#[test]
fn a_bookmark_with_its_note_goes_into_the_scene_and_comes_back() {
    let mut window = Window::bullet();
    let path = window.folder.path().join("scene.ron");
    window.key(Key::ArrowRight);
    window.keys(Modifiers::SHIFT, Key::B);
    assert!(window.model().shows(Pane::Bookmarks));
    let note = window.harness.get_by_label("Note of frame 1 + 0.0000");
    assert!(note.is_focused());
    note.type_text("here it flies");
    window.settle();
    window.key(Key::Enter);
    window.keys(Modifiers::COMMAND, Key::S);
    window.until("it is saved", |model| !model.has_unsaved());
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("(frame: 1, note: \"here it flies\"),"),
        "{text}"
    );
    assert!(
        text.contains("velocity: (128.0, 0.0, 0.0)),"),
        "the rest stays"
    );
    // Another one at the end, then from one to the other.
    window.key(Key::End);
    window.key(Key::B);
    window.key(Key::B);
    assert_eq!(window.session().bookmarks.list().len(), 2, "one a moment");
    window.key(Key::Home);
    window.key(Key::F4);
    assert_eq!(window.moment(), (1, 0.0));
    window.key(Key::F4);
    assert_eq!(window.moment(), (39, 1.0));
    window.keys(Modifiers::SHIFT, Key::F4);
    assert_eq!(window.moment(), (1, 0.0));
    window.click("Remove frame 39 + 1.0000");
    window.keys(Modifiers::COMMAND, Key::S);
    window.until("it is saved", |model| !model.has_unsaved());
    window.key(Key::F5);
    window.until("it is read again", |model| model.loading().is_none());
    let notes: Vec<&str> = window
        .session()
        .bookmarks
        .list()
        .iter()
        .map(|one| one.note.as_str())
        .collect();
    assert_eq!(notes, ["here it flies"]);
}

#[test]
fn bookmarks_of_a_log_are_stored_on_this_machine_with_a_note() {
    let mut window = log();
    window.key(Key::B);
    window.keys(Modifiers::ALT, Key::B);
    assert!(window.has("Note of frame 0 + 0.0000"));
    assert!(window.has("Save frame as test scene…"));
    let kept = window.saved_settings();
    assert_eq!(kept.bookmarks.values().map(Vec::len).sum::<usize>(), 1);
    let path = window.folder.path().join("log.jsonl");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), LOG, "untouched");
    window.apply(Command::CloseLevel);
    window.apply(Command::Open(path));
    window.until("it is open again", |model| model.session.is_some());
    assert_eq!(window.session().bookmarks.list().len(), 1);
}

#[test]
fn lanes_and_pins_follow_a_change_of_the_scene() {
    let mut window = Window::bullet();
    let pair = Subject::Pair(0, 1);
    let impacts = |model: &Model, of| {
        let track = session(model).derived.histories.get(of)?;
        (track.upto == 40).then(|| track.history.impacts.clone())
    };
    window.click_row("bullet");
    window.key(Key::P);
    window.click_row("bystander");
    window.key(Key::P);
    window.apply(Command::PinSubject(pair));
    window.until("the lane is known", |model| impacts(model, pair).is_some());
    assert_eq!(impacts(window.model(), pair).unwrap(), [1.0 + IMPACT]);
    // At 7 m a frame the path of 11.375 m takes 1.625 frames.
    let slower = BULLET.replace("(128.0, 0.0, 0.0)", "(112.0, 0.0, 0.0)");
    window.model_mut().edit_text(slower);
    window.until("the changed lane is known", |model| {
        impacts(model, pair).is_some_and(|impacts| impacts == [1.625])
    });
    window.click_row("paper");
    window.key(Key::Delete);
    let pinned = window.session().pins.list();
    assert_eq!(pinned, [Subject::Object(0), Subject::Object(1)]);
    assert_eq!(window.model().subject_name(pinned[1]), "bystander");
}
