//! The camera's probe: edited, shuffled, walked with.

use super::window::*;
use egui_kittest::kittest::NodeT as _;
use hitstop::app::command::arguments::Preset;
use hitstop::app::entry::unavailable;
use hitstop::app::view_state::Switch;
use hitstop::core::query::probe::ProbeMode;

/// A camera 0.3 m before a wall of two triangles, facing it.
const ROOM: &str = r#"Scene(
    version: 1,
    name: "Room",
    dt: 0.03125,
    frames: 8,
    response: Ignore,
    objects: [
        (name: "wall", shape: Mesh(vertices: [(-4, -4, -2), (4, -4, -2), (4, 4, -2), (-4, 4, -2)], triangles: [(0, 1, 2), (0, 2, 3)]), motion: Fixed),
    ],
    camera: (position: (0.25, 0.0, -1.75), look_at: (0.25, 0.0, -2.0), probe: Lines([(0.0, 0.0, 0.5), (0.5, 0.0, 0.0)])),
)"#;

fn probe_window() -> Window {
    let mut window = Window::with(ROOM);
    window.keys(Modifiers::ALT, Key::Num9);
    window.until("the probe was looked at", |model| {
        model.probe_test().is_some()
    });
    window
}

fn lines(window: &Window) -> Vec<glam::DVec3> {
    window.session().probe.lines().to_vec()
}

#[test]
fn each_probe_line_shows_what_it_hits() {
    let window = probe_window();
    // From 0.5 behind to 0.5 ahead of a camera that is 0.25 before the wall: hit at 0.75, pushed back by 0.25.
    let test = window.model().probe_test().unwrap();
    assert_eq!(test.answer.hits.len(), 1);
    assert_eq!(test.answer.hits[0].fraction, 0.75);
    assert!((test.answer.push - glam::DVec3::Z * 0.25).length() < 1e-12);
    assert!(window.has("The probe: pushes the camera 0.25 m: (0, 0, 0.25)"));
    assert!(window.has("Line 1 hits wall, triangle 0"));
    assert!(window.has("nothing"), "the second line");
}

#[test]
fn the_second_viewport_looks_through_the_camera() {
    let through = Command::Toggle(Switch::ThroughCamera);
    let divider = "Divider of the viewports";
    let window = Window::bullet();
    let reason = unavailable(&through, window.model());
    assert_eq!(reason, Some("The level has no camera"));

    let mut window = Window::with(ROOM);
    assert!(!window.has(divider));
    window.apply(through.clone());
    window.settle();
    assert!(window.has(divider));
    // The camera's place and direction.
    let view = window.harness.get_by_label("Second viewport");
    let view = view.accesskit_node().value().unwrap_or_default();
    let wanted = "looking at 0.250 0.000 -2.750 from 0.250 0.000 -1.750, perspective";
    assert_eq!(view, wanted);
    window.apply(through);
    window.settle();
    assert!(!window.has(divider));
}

#[test]
fn lines_are_added_removed_and_dragged() {
    let mut window = probe_window();
    window.click("Add a line");
    assert_eq!(lines(&window).len(), 3);
    window.click("Remove line 1");
    assert_eq!(lines(&window), [glam::DVec3::X * 0.5, glam::DVec3::Z * 0.5]);
    window.drag("Line 1 start y", 0.5, 1.4);
    let dragged = lines(&window)[0];
    assert!(dragged.y > 0.05 && dragged.x == 0.5, "{dragged}");
    assert_eq!(window.model().probe_test().unwrap().lines, lines(&window));
    window.click("The scene's probe");
    assert_eq!(lines(&window), [glam::DVec3::Z * 0.5, glam::DVec3::X * 0.5]);
}

#[test]
fn probe_modes_and_line_sets_are_chosen() {
    let mut window = probe_window();
    window.click("Acts deepest first");
    assert_eq!(
        window.model().probe_test().unwrap().mode,
        ProbeMode::Deepest
    );
    window.apply(Command::SetProbePreset(Preset::Spokes));
    window.settle();
    assert_eq!(window.model().probe_test().unwrap().lines.len(), 24);
}

#[test]
fn a_shuffle_shows_which_mode_depends_on_the_order() {
    let mut window = probe_window();
    window.click("Shuffle triangles");
    assert!(window.has("deepest first: nothing changes"));
}

#[test]
fn the_camera_is_copied_as_a_scene_writes_it() {
    let window = probe_window();
    let model = window.model();
    let replay = model.document().unwrap().replay();
    let text = session(model).probe.as_ron(replay);
    assert!(text.starts_with("camera: ("), "{text}");
    // In a scene of its own it reads back to the same camera.
    let scene = format!("Scene(version: 1, name: \"x\", dt: 0.1, frames: 1, objects: [], {text})");
    let folder = hitstop::core::scene::MemoryFolder::default();
    let read = hitstop::core::scene::parse(&scene, "x.ron", &folder).unwrap();
    assert_eq!(read.camera.unwrap().probe.lines(), lines(&window));
}

#[test]
fn a_walk_is_stopped_by_the_probe_and_ends_with_escape() {
    let mut window = probe_window();
    window.keys(Modifiers::ALT, Key::W);
    assert!(window.model().walking().is_some());
    window.harness.key_down(Key::W);
    for _ in 0..30 {
        window.harness.step();
    }
    window.harness.key_up(Key::W);
    let walk = window.model().walking().expect("still walking");
    assert!(walk.steps().len() > 5, "{}", walk.steps().len());
    // Half a metre before the wall at z = -2.
    let z = walk.pose().position.z;
    assert!((z + 1.5).abs() < 1e-9, "{z}");
    window.key(Key::Escape);
    assert!(window.model().walking().is_none());
    let steps = window.session().walk.as_ref().unwrap().steps().len();
    window.harness.key_down(Key::W);
    window.settle();
    window.harness.key_up(Key::W);
    assert_eq!(window.session().walk.as_ref().unwrap().steps().len(), steps);
}

#[test]
fn typing_letters_does_not_walk() {
    let mut window = probe_window();
    window.keys(Modifiers::ALT, Key::W);
    window.keys(Modifiers::COMMAND, Key::F);
    assert!(window.harness.get_by_role(Role::TextInput).is_focused());
    let before = window.model().walking().expect("walking").pose().position;
    window.harness.key_down(Key::D);
    for _ in 0..20 {
        window.harness.step();
    }
    window.harness.key_up(Key::D);
    let after = window.model().walking().unwrap().pose().position;
    assert_eq!(before.x, after.x);
}

#[test]
fn the_mouse_looks_around() {
    let mut window = probe_window();
    window.keys(Modifiers::ALT, Key::W);
    let before = window.model().walking().unwrap().pose();
    let moved = egui::Event::MouseMoved(vec2(100.0, 0.0));
    window.harness.event(moved);
    window.settle();
    let after = window.model().walking().unwrap().pose();
    let [one, other] = [before, after].map(|pose| pose.rotation * glam::DVec3::NEG_Z);
    // To the right is toward +X.
    assert!(other.x > one.x + 0.1, "{one} {other}");
}

#[test]
fn a_walk_becomes_a_recording_that_opens() {
    let mut window = probe_window();
    window.click("Add a line");
    window.keys(Modifiers::ALT, Key::W);
    window.harness.key_down(Key::S);
    for _ in 0..6 {
        window.harness.step();
    }
    window.harness.key_up(Key::S);
    window.key(Key::Escape);
    let walked = window.session().walk.as_ref().unwrap().steps().to_vec();
    assert!(walked.len() > 3);
    let path = window.folder.path().join("walk.jsonl");
    window.apply(Command::SaveWalk(path.clone()));
    window.until("the walk is open", |model| {
        let document = model.document();
        document.is_some_and(|document| document.source == Source::File(path.clone()))
    });
    let model = window.model();
    let replay = model.document().unwrap().replay();
    assert_eq!(replay.frames() as usize, walked.len() - 1);
    for (number, step) in (0..).zip(&walked) {
        assert_eq!(
            replay.camera(number).unwrap().pose.position,
            step.pose.position
        );
    }
    assert_eq!(lines(&window).len(), 3, "the probe that walked goes along");
}

#[test]
fn the_explanation_covers_the_camera_and_the_wall_it_crossed() {
    // From 0.3 m before the wall to 1.7 m behind it in one frame: through it at 0.15 of the path.
    let through = ROOM.replace(
        "camera: (position: (0.25, 0.0, -1.75),",
        "camera: (motion: Velocity((0.0, 0.0, -64.0)), position: (0.25, 0.0, -1.7),",
    );
    let mut window = Window::with(&through);
    let model = window.model();
    let finding = model.selected_finding().expect("the camera's finding");
    assert_eq!(finding.kind.name(), "CameraCrosses");
    let strip = "To scale: moves toward it 2 m, detected up to ";
    let mut strips = window.harness.query_all_by_label_contains(strip);
    assert!(strips.next().is_some());
    drop(strips);
    window.keys(Modifiers::ALT, Key::Num4);
    assert!(window.has("camera and wall, frame 0"));
    assert!(window.has("crosses it at 0.15"));
    assert!(window.has("Copy explanation"));
    window.key(Key::Escape);
    assert!(!window.has("camera and wall, frame 0"));
}

#[test]
fn a_camera_is_added_where_there_is_none() {
    let mut window = Window::bullet();
    window.keys(Modifiers::ALT, Key::Num9);
    window.click("Add a camera");
    assert!(window.scene().camera.is_some());
    window.undo();
    assert!(window.scene().camera.is_none());
    window.menu("Add", "Camera");
    assert!(window.scene().camera.is_some());
    assert_eq!(window.scene().objects.len(), 3, "the objects stay");
    assert!(!window.has("Add a camera"));
}
