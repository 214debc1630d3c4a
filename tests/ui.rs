//! The window, driven through its accessibility tree: no display, no renderer.
#![cfg(feature = "gui")]

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, ThemePreference, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;
use hitstop::app::apply::apply;
use hitstop::app::command::{Command, TABLE};
use hitstop::app::dock::Pane;
use hitstop::app::files::Settings;
use hitstop::app::jobs::Source;
use hitstop::app::model::Model;
use hitstop::app::model::asked::Answer;
use hitstop::app::model::playback::Inside;
use hitstop::app::view_state::{Layer, Show};
use hitstop::app::viewport::Viewport;
use hitstop::app::{App, setup};
use hitstop::core::diagnose::{Options, diagnose};
use hitstop::core::level;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A ball through a sheet of paper in frame 1: clear at both ends, a hit in between.
///
/// Radii and distances are sums of powers of two. The ball travels 8 m a frame from x = -12; it touches at x = -0.625, after
/// 11.375 m: frame 1, fraction 0.421875.
const BULLET: &str = r#"Scene(
    version: 1,
    name: "Bullet",
    notes: "A bullet and a sheet of paper.",
    dt: 0.0625,
    frames: 40,
    detection: Overlap,
    response: Push,
    objects: [
        (name: "bullet", shape: Sphere(radius: 0.5), position: (-12.0, 0.0, 0.0), velocity: (128.0, 0.0, 0.0)),
        (name: "paper", shape: Box(half_extents: (0.125, 2.0, 2.0)), motion: Fixed),
        (name: "bystander", shape: Box(half_extents: (1.0, 1.0, 1.0)), position: (0.0, 0.0, 30.0), motion: Fixed),
    ],
)"#;

const IMPACT: f64 = 0.421875;

/// What the harness holds: the app begins with the first pass, when there is a context for it.
struct Held {
    app: Option<App>,
    start: Option<(Settings, Option<Source>)>,
}

struct Window {
    harness: Harness<'static, Held>,
    folder: TempDir,
}

impl Window {
    fn open(source: impl FnOnce(&TempDir) -> Option<Source>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = Settings::at(folder.path().join("settings.json"));
        let start = Some((settings, source(&folder)));
        let held = Held { app: None, start };
        let harness = Harness::builder()
            .with_size(vec2(1400.0, 900.0))
            .with_context_setup(setup)
            .build_ui_state(
                |ui, held: &mut Held| {
                    if let Some((settings, source)) = held.start.take() {
                        let viewport = Viewport::default();
                        held.app = Some(App::new(ui.ctx(), settings, source, viewport));
                    }
                    if let Some(app) = &mut held.app {
                        app.ui(ui);
                    }
                },
                held,
            );
        Self { harness, folder }
    }

    /// With the start page.
    fn start_page() -> Self {
        let mut window = Self::open(|_| None);
        window.until("the bundled levels are listed", |model| {
            !model.bundle.is_empty()
        });
        window
    }

    /// With a scene of this text, checked.
    fn with(text: &str) -> Self {
        let mut window = Self::open(|folder| Some(Source::File(write(folder, "scene.ron", text))));
        window.until("the level is checked", |model| {
            let document = model.document.as_ref();
            document.is_some_and(|document| document.report.is_some())
        });
        window
    }

    /// The bullet at the start of frame 0, nothing selected.
    fn bullet() -> Self {
        let mut window = Self::with(BULLET);
        window.key(Key::Escape);
        window.key(Key::Home);
        window
    }

    fn model(&self) -> &Model {
        &self.harness.state().app.as_ref().unwrap().model
    }

    fn until(&mut self, what: &str, is: impl Fn(&Model) -> bool) {
        let begun = Instant::now();
        while !is(self.model()) {
            let waited = begun.elapsed();
            assert!(waited < Duration::from_secs(60), "waited for: {what}");
            self.harness.step();
            std::thread::sleep(Duration::from_millis(2));
        }
        self.settle();
    }

    fn settle(&mut self) {
        for _ in 0..4 {
            self.harness.step();
        }
    }

    fn key(&mut self, key: Key) {
        self.harness.key_press(key);
        self.settle();
    }

    fn keys(&mut self, modifiers: Modifiers, key: Key) {
        self.harness.key_press_modifiers(modifiers, key);
        self.settle();
    }

    fn click(&mut self, label: &str) {
        self.harness.get_by_label(label).click();
        self.settle();
    }

    /// Clicks a row of the list of objects.
    fn click_row(&mut self, name: &str) {
        let row = self.harness.get_by_role_and_label(Role::ListItem, name);
        row.click();
        self.settle();
    }

    /// Scrolls to a thing, and clicks it.
    fn click_far(&mut self, label: &str) {
        self.harness.get_by_label(label).scroll_to_me();
        self.settle();
        self.settle();
        self.click(label);
    }

    fn has(&self, label: &str) -> bool {
        self.harness.query_all_by_label(label).next().is_some()
    }

    fn rect(&self, label: &str) -> Rect {
        self.harness.get_by_label(label).rect()
    }

    /// Presses at one share of a thing's width and lets go at another.
    fn drag(&mut self, label: &str, from: f32, to: f32) {
        let rect = self.rect(label);
        let at = |share: f32| pos2(rect.left() + share * rect.width(), rect.center().y);
        self.harness.hover_at(at(from));
        self.harness.drag_at(at(from));
        self.settle();
        self.harness.hover_at(at(to));
        self.settle();
        self.harness.drop_at(at(to));
        self.settle();
    }

    fn moment(&self) -> (u32, f64) {
        let playhead = self.model().playback.playhead();
        (playhead.frame, playhead.fraction)
    }
}

fn write(folder: &TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path
}

#[test]
fn the_start_page_lists_the_levels_and_opens_one() {
    let mut window = Window::start_page();
    let titles: Vec<String> = window
        .model()
        .bundle
        .iter()
        .map(|entry| entry.title.clone())
        .collect();
    assert!(titles.len() >= 10);
    for title in &titles {
        assert!(window.has(title), "{title}");
    }
    window.click(&titles[0]);
    window.until("the level is open", |model| model.document.is_some());
    assert!(window.has("Timeline"));
    assert!(!window.has("Open a file"), "the start page is gone");
}

#[test]
fn a_path_can_be_typed() {
    let mut window = Window::start_page();
    let path = write(&window.folder, "typed.ron", BULLET);
    let field = window.harness.get_by_role(Role::TextInput);
    field.focus();
    field.type_text(&path.display().to_string());
    window.settle();
    window.key(Key::Enter);
    window.until("the level is open", |model| model.document.is_some());
    assert_eq!(window.model().settings.recent, [path]);
}

#[test]
fn opening_goes_to_the_first_finding() {
    let window = Window::with(BULLET);
    let (frame, fraction) = window.moment();
    assert_eq!(frame, 1);
    assert!((fraction - IMPACT).abs() < 1e-9, "{fraction}");
    assert_eq!(window.model().finding, Some(0));
    assert_eq!(window.model().selection.pair(), Some((0, 1)));
    assert!(window.has("Copy finding as text"));
}

/// 8 m a frame, a ball of radius 0.5 and paper of 0.25: seen over 1.25 m, held over 0.625 m. At the 64 phases the frame end
/// is 0, 0.125, .. 7.875 m past the touch: the eleven up to 1.25 m are seen.
#[test]
fn the_selected_finding_is_asked_what_if() {
    let mut window = Window::with(BULLET);
    window.until("the question is answered", |model| {
        let asked = model.asked.as_ref();
        asked.is_some_and(|asked| matches!(asked.answer(), Answer::Known(_)))
    });
    assert!(window.has("What if"));
    let contains = |window: &Window, label: &str| {
        window.harness.query_all_by_label_contains(label).count() > 0
    };
    assert!(contains(&window, "Starting phases: 53 of 64 not seen"));
    // Steps of 8 m: 7 and 13 of them; speeds of 1.25 m and 0.625 m in 1/16 s.
    for value in ["substeps", "7", "13", "20 m/s", "10 m/s", "thickness"] {
        assert!(window.has(value), "{value}");
    }
    window.key(Key::Escape);
    assert!(window.model().asked.is_none());
    assert!(!window.has("What if"));
}

#[test]
fn a_finding_that_is_clicked_is_gone_to() {
    let mut window = Window::bullet();
    assert_eq!(window.model().finding, None);
    assert_eq!(window.moment(), (0, 0.0));
    let row = window.harness.get_by(|node| {
        let label = node.label().unwrap_or_default();
        node.role() == Role::ListItem && label.starts_with("Tunnels")
    });
    row.click();
    window.settle();
    assert_eq!(window.model().selection.pair(), Some((0, 1)));
    assert_eq!(window.moment().0, 1);
    assert!((window.moment().1 - IMPACT).abs() < 1e-9);
}

#[test]
fn play_and_pause_by_key_and_by_button() {
    let mut window = Window::bullet();
    window.key(Key::Space);
    assert!(window.model().playback.playing().is_some());
    assert!(window.model().playback.playhead().position() > 0.0);
    window.key(Key::Space);
    assert_eq!(window.model().playback.playing(), None);
    window.click("Play or pause");
    assert!(window.model().playback.playing().is_some());
    window.click("Play or pause");
    assert_eq!(window.model().playback.playing(), None);
    // The button now has the focus: Space still plays, and only once.
    window.key(Key::Space);
    assert!(window.model().playback.playing().is_some());
}

#[test]
fn frames_are_stepped_by_keys() {
    let mut window = Window::bullet();
    window.key(Key::ArrowRight);
    assert_eq!(window.moment(), (1, 0.0));
    window.keys(Modifiers::SHIFT, Key::ArrowRight);
    assert_eq!(window.moment(), (11, 0.0));
    window.key(Key::Comma);
    assert_eq!(window.moment(), (10, 0.0));
    window.key(Key::End);
    assert_eq!(window.moment(), (39, 1.0));
    window.key(Key::Home);
    assert_eq!(window.moment(), (0, 0.0));
}

#[test]
fn phases_are_stepped_both_ways() {
    let mut window = Window::bullet();
    let phases = window
        .model()
        .document
        .as_ref()
        .unwrap()
        .frame()
        .phases
        .len();
    window.keys(Modifiers::ALT, Key::Period);
    let mut seen = vec![window.model().playback.inside()];
    while window.moment().0 == 0 {
        window.keys(Modifiers::ALT, Key::Period);
        seen.push(window.model().playback.inside());
        assert!(seen.len() <= phases + 1);
    }
    assert_eq!(window.model().playback.inside(), Inside::Phase(0));
    window.keys(Modifiers::ALT, Key::Comma);
    assert_eq!(window.moment(), (0, 1.0));
    assert_eq!(window.model().playback.inside(), Inside::Last);
}

#[test]
fn the_outliner_filters_and_selects() {
    let mut window = Window::bullet();
    for name in ["bullet", "paper", "bystander"] {
        assert!(window.has(name), "{name}");
    }
    window.keys(Modifiers::COMMAND, Key::F);
    let field = window.harness.get_by_role(Role::TextInput);
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
    assert!(!window.model().look.cheat_sheet);
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

/// The scene's text as it is on disk now, after a change was made and the level was checked again.
fn changed_text(window: &mut Window, results: usize) -> String {
    window.until("the changed scene is checked", |model| {
        let report = model
            .document
            .as_ref()
            .and_then(|document| document.report.as_ref());
        report.is_some_and(|report| report.expectations.len() == results)
    });
    std::fs::read_to_string(window.folder.path().join("scene.ron")).unwrap()
}

#[test]
fn a_finding_a_hit_and_a_position_become_expectations_of_the_scene() {
    let commented = BULLET.replace("    frames: 40,", "    frames: 40, // a comment that stays");
    let mut window = Window::with(&commented);
    window.click("Make this an expectation");
    let text = changed_text(&mut window, 1);
    assert!(text.contains("// a comment that stays"), "{text}");
    let wanted = "Finds(kind: Tunnels, cause: C01, a: \"bullet\", b: \"paper\", frame: 1),";
    assert!(text.contains(wanted), "{text}");
    window.click("Tunnels: bullet \u{2192} paper, frame 1");
    window.click_far("Expect this hit");
    let text = changed_text(&mut window, 2);
    assert!(text.contains("frame: 1, fraction: 0.421875),"), "{text}");
    window.click("bystander");
    window.click_far("Expect this position");
    let text = changed_text(&mut window, 3);
    assert!(
        text.contains("Position(object: \"bystander\", frame: 1, is: (0.0, 0.0, 30.0)),"),
        "{text}"
    );
    let held = "holds: Position(object: \"bystander\"";
    let shown = window.harness.query_all_by_label_contains(held).count();
    assert_eq!(shown, 2, "in the list, and beside the object");
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
    window.click("Make this an expectation");
    changed_text(&mut window, 3);
    window.click("Tunnels: bullet \u{2192} paper, frame 1");
    window.click("Make this an expectation");
    let said = &window.model().messages.shown()[0].problem.what;
    assert_eq!(said, "the scene expects this already");
}

#[test]
fn a_recording_is_told_that_expectations_need_a_scene() {
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
    window.click("Make this an expectation");
    let shown = window.model().messages.shown();
    assert!(
        shown
            .iter()
            .any(|message| message.problem.what.contains("need a scene"))
    );
}

#[test]
fn panels_are_hidden_and_shown() {
    let mut window = Window::bullet();
    assert!(window.has("bystander"));
    window.keys(Modifiers::ALT, Key::Num1);
    assert!(!window.has("bystander"));
    window.keys(Modifiers::ALT, Key::Num1);
    assert!(window.has("bystander"));
}

#[test]
fn tab_leaves_only_the_picture() {
    let mut window = Window::bullet();
    window.key(Key::Tab);
    assert!(window.model().look.bare);
    assert!(!window.has("bystander") && !window.has("Timeline"));
    window.key(Key::Tab);
    assert!(window.has("bystander") && window.has("Timeline"));
}

#[test]
fn the_places_of_panels_are_remembered() {
    let mut window = Window::bullet();
    window.keys(Modifiers::ALT, Key::Num1);
    let kept = Settings::at(window.folder.path().join("settings.json"));
    let layout = kept.layout.expect("a layout").checked();
    assert!(!layout.is_shown(Pane::Outliner) && layout.is_shown(Pane::Findings));
    assert_eq!(layout, window.model().dock);
}

#[test]
fn the_story_of_the_pair_is_told() {
    let mut window = Window::with(BULLET);
    assert!(!window.has("Copy the story"));
    window.keys(Modifiers::ALT, Key::Num4);
    assert!(window.has("Copy the story"));
    // From x = -12 at 8 m a frame: 11.375 m to the face at -0.625, in frame 1 at 3.375 / 8.
    assert!(window.has("hits at 0.421875"));
    assert!(window.has("nothing, 3.375 m apart"), "at the frame's start");
    assert!(
        window.has("nothing, 3.375 m apart")
            && window.has("So an overlap test at frame ends does not see this hit.")
    );
}

#[test]
fn every_other_object_has_its_reason() {
    let mut window = Window::with(BULLET);
    window.keys(Modifiers::ALT, Key::Num5);
    window.click_row("bullet");
    window.until("the candidates are there", |model| {
        model.candidates.list().is_some_and(|list| list.of == 0)
    });
    assert!(window.has("paper: hits at 0.422"));
    // Its swept box reaches z = 0.5, the bystander begins at 29.
    assert!(window.has("bystander: culled on z by 28.5 m"));
    window.click("paper: hits at 0.422");
    assert_eq!(window.model().selection.pair(), Some((0, 1)));
}

#[test]
fn anything_is_found_by_a_few_letters() {
    let mut window = Window::bullet();
    window.keys(Modifiers::COMMAND, Key::K);
    let field = window.harness.get_by_label("Search everything");
    field.type_text("nxtfra");
    window.settle();
    assert!(window.has("Time: Next frame"));
    window.key(Key::Enter);
    assert_eq!(window.moment(), (1, 0.0));
    assert!(!window.model().look.palette);
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
    assert!(!window.model().look.palette);
    assert_eq!(
        window.model().selection.objects(),
        [2],
        "only the palette was closed"
    );
}

#[test]
fn time_stands_still_at_a_finding() {
    let mut window = Window::bullet();
    window.key(Key::Space);
    let mut steps = 0;
    while !window.model().playback.is_held() {
        window.harness.step();
        steps += 1;
        assert!(steps < 1_000, "it is met");
    }
    assert_eq!(window.moment(), (1, IMPACT));
    window.harness.step();
    assert_eq!(window.moment(), (1, IMPACT), "time stands still");
    assert!(window.has("hitstop"));
    window.key(Key::Space);
    window.key(Key::Home);
    window.keys(Modifiers::COMMAND, Key::H);
    assert!(window.model().holds().is_empty());
}

#[test]
fn the_cheat_sheet_lists_every_key() {
    let mut window = Window::bullet();
    window.key(Key::Questionmark);
    assert!(window.model().look.cheat_sheet);
    for entry in TABLE.iter().filter(|entry| !entry.keys.is_empty()) {
        let found = window.harness.query_all_by_label(entry.text).count();
        assert!(found > 0, "{}", entry.text);
    }
    window.key(Key::Escape);
    assert!(!window.model().look.cheat_sheet);
}

#[test]
fn a_broken_file_is_shown_with_its_line_until_dismissed() {
    let broken = BULLET.replace("radius: 0.5", "radius: -0.5");
    let line = 1 + broken
        .lines()
        .position(|line| line.contains("-0.5"))
        .unwrap();
    let mut window =
        Window::open(|folder| Some(Source::File(write(folder, "broken.ron", &broken))));
    window.until("the error is shown", |model| {
        !model.messages.shown().is_empty()
    });
    let message = window.model().messages.shown()[0].clone();
    let at = message.problem.at.unwrap();
    assert_eq!(at.line, line);
    assert!(window.model().document.is_none());
    let place = format!("line {line}");
    let shown = window.harness.query_all_by_label_contains(&place).count();
    assert_eq!(shown, 1);
    window.click(&format!("Dismiss: {}", message.problem.what));
    assert!(window.model().messages.shown().is_empty());
}

#[test]
fn a_file_broken_meanwhile_leaves_the_open_level() {
    let mut window = Window::bullet();
    std::fs::write(window.folder.path().join("scene.ron"), "nonsense").unwrap();
    window.key(Key::F5);
    window.until("the error is shown", |model| {
        !model.messages.shown().is_empty()
    });
    assert!(window.model().document.is_some());
}

#[test]
fn the_theme_is_switched_and_remembered() {
    let mut window = Window::bullet();
    window.click("Light");
    assert_eq!(window.model().look.theme, ThemePreference::Light);
    assert!(window.has("Dark"));
    window.click("Dark");
    assert_eq!(window.model().look.theme, ThemePreference::Dark);
    let kept = Settings::at(window.folder.path().join("settings.json"));
    assert_eq!(kept.theme.as_deref(), Some("dark"));
}

#[test]
fn everything_is_scaled_by_keys() {
    let mut window = Window::bullet();
    window.keys(Modifiers::COMMAND, Key::Plus);
    window.keys(Modifiers::COMMAND, Key::Plus);
    assert_eq!(window.model().look.zoom, 1.2);
    window.keys(Modifiers::COMMAND, Key::Num0);
    assert_eq!(window.model().look.zoom, 1.0);
}

#[test]
fn dragging_the_gap_plot_moves_inside_the_frame() {
    let mut window = Window::with(BULLET);
    window.drag("Gap over the frame", 0.3, 0.8);
    let (frame, fraction) = window.moment();
    assert_eq!(frame, 1);
    assert!((0.7..0.9).contains(&fraction), "{fraction}");
}

#[test]
fn dragging_the_ruler_moves_through_time_and_inside_frames() {
    let mut window = Window::bullet();
    window.drag("Timeline", 0.5, 0.7503);
    let at = window.model().playback.playhead().position();
    assert!((29.9..30.4).contains(&at), "{at}");
    window.drag("Inside the frame", 0.2, 0.5);
    let (frame, fraction) = window.moment();
    assert_eq!(frame, at.floor() as u32);
    assert!((fraction - 0.5).abs() < 0.01, "{fraction}");
}

#[test]
fn closing_a_level_goes_back_to_the_start_page() {
    let mut window = Window::bullet();
    window.keys(Modifiers::COMMAND, Key::W);
    assert!(window.model().document.is_none());
    assert!(window.has("Open a file"));
    assert!(window.has("scene.ron"), "it is among the recent files");
}

#[test]
fn every_command_of_the_table_can_be_carried_out() {
    // Those that leave the program or open the system's dialog are for a real window.
    let left_out = [Command::Quit, Command::OpenDialog, Command::MakeScene];
    let entries = TABLE
        .iter()
        .filter(|entry| !left_out.contains(&entry.command));
    let mut window = Window::bullet();
    for entry in entries.filter(|entry| !entry.keys.is_empty()) {
        let keys = entry.keys[0];
        window.keys(keys.modifiers, keys.logical_key);
        if window.model().document.is_none() {
            window = Window::bullet();
        }
    }
}

/// What the person chose is written beside the window: the two objects of the finding, and the finding expected of them.
#[test]
fn a_finding_becomes_a_scene_on_disk() {
    let mut window = Window::bullet();
    window.key(Key::CloseBracket);
    assert!(window.model().selected_finding().is_some());
    assert!(
        window.has("Make this frame a scene…"),
        "the finding offers it"
    );
    let path = window.folder.path().join("frame.ron");
    let app = window.harness.state_mut().app.as_mut().unwrap();
    apply(&mut app.model, Command::SaveScene(path.clone()));
    assert!(
        window.model().saving(),
        "it is not done by the window itself"
    );
    window.until("the scene is saved", |model| !model.saving());
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
fn a_place_that_cannot_be_written_is_said() {
    let mut window = Window::bullet();
    let path = window.folder.path().join("gone/frame.ron");
    let app = window.harness.state_mut().app.as_mut().unwrap();
    apply(&mut app.model, Command::SaveScene(path));
    window.until("the scene is not saved", |model| !model.saving());
    assert_eq!(window.model().messages.shown().len(), 1);
}

/// A log without velocities, contacts and the rest says so in one line, and more when it is asked.
#[test]
fn what_a_log_lacks_is_one_line_that_unfolds() {
    let log = r#"{"hitstop":1,"dt":0.1,"objects":[{"id":0,"name":"ball","shape":{"sphere":{"radius":1}}}]}
{"frame":0,"bodies":[{"id":0,"p":[0,0,0]}]}
{"frame":1,"bodies":[{"id":0,"p":[1,0,0]}]}
"#;
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "log.jsonl", log))));
    window.until("the log is checked", |model| {
        let document = model.document.as_ref();
        document.is_some_and(|document| document.report.is_some())
    });
    let report = window
        .model()
        .document
        .as_ref()
        .unwrap()
        .report
        .as_ref()
        .unwrap();
    let (count, first) = (report.not_judged.len(), report.not_judged[0]);
    assert!(count > 3);
    let line = format!(
        "{} {}: {}; log {}",
        first.cause.id(),
        first.cause.title(),
        first.why,
        first.log
    );
    assert!(!window.has(&line));
    window.click(&format!("{count} causes could not be judged"));
    window.until("it is unfolded", |_| true);
    for _ in 0..30 {
        window.harness.step();
    }
    assert!(window.has(&line));
}
