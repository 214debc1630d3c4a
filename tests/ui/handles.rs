//! Scenes edited in the viewport: handles are dragged.

use super::window::*;
use egui::{Event, Pos2, Vec2};
use glam::DVec3;
use hitstop::app::authoring::{Snap, Tool};
use hitstop::core::edit::Edit;
use hitstop::core::query::gap;
use hitstop::core::scene::{MemoryFolder, Object, Scene, parse};
use hitstop::core::shape::Shape;

impl Window {
    fn scene_doc(&self) -> &Scene {
        &self.model().scene_doc().unwrap().scene
    }

    fn object(&self, index: usize) -> &Object {
        &self.scene_doc().objects[index]
    }

    fn position(&self, index: usize) -> DVec3 {
        self.object(index).pose.position
    }

    fn undo_names(&self) -> (Vec<&str>, usize) {
        self.model().scene_doc().unwrap().history.names()
    }

    /// The centre of a handle.
    fn handle_center(&self, name: &str) -> Pos2 {
        self.rect(name).center()
    }

    fn set_modifiers(&mut self, modifiers: Modifiers) {
        self.harness.event(Event::ModifiersChanged(modifiers));
        self.harness.step();
    }

    /// Presses at a point of the window and moves on in steps; the button stays down.
    fn press_and_move(&mut self, from: Pos2, by: Vec2) {
        self.harness.hover_at(from);
        self.settle();
        self.harness.drag_at(from);
        self.settle();
        for step in 1..=4 {
            self.harness.hover_at(from + by * (step as f32 / 4.0));
            self.settle();
        }
    }

    fn drag_from(&mut self, from: Pos2, by: Vec2) {
        self.press_and_move(from, by);
        self.harness.drop_at(from + by);
        self.settle();
    }

    fn drag_handle(&mut self, name: &str, by: Vec2) {
        self.drag_from(self.handle_center(name), by);
    }

    /// The bullet selected, in front view without perspective: x to the right, y up.
    fn bullet_from_the_front() -> Self {
        let mut window = Self::bullet();
        window.click_row("bullet");
        window.set_front_view();
        window
    }

    fn set_front_view(&mut self) {
        self.key(Key::Num1);
        self.key(Key::Num5);
        self.keys(Modifiers::SHIFT, Key::F);
        // The view moves there over some passes.
        self.harness.run_steps(20);
        self.key(Key::W);
    }

    /// Metres that a point of the viewport covers: the bullet is moved to a whole grid, 8 m on, and back.
    fn metres_per_point(&mut self) -> f64 {
        let before = self.handle_center("Move freely");
        let mut object = self.object(0).clone();
        object.pose.position.x += 8.0;
        let there = vec![(0, object)];
        self.apply(Command::Edit(Edit::Objects("Move", there)));
        self.settle();
        let after = self.handle_center("Move freely");
        self.apply(Command::Undo);
        self.settle();
        8.0 / f64::from(after.x - before.x)
    }
}

fn close(a: f64, b: f64, most: f64) -> bool {
    (a - b).abs() <= most
}

#[test]
fn dragging_an_arrow_moves_along_its_axis_as_one_undo_step() {
    let mut window = Window::bullet_from_the_front();
    assert_eq!(window.model().settings.tools.tool, Tool::Move);
    let scale = window.metres_per_point();
    let before = window.handle_center("Move freely");
    window.drag_handle("Move along x", vec2(60.0, 25.0));
    let place = window.position(0);
    assert!(close(place.x, -12.0 + 60.0 * scale, scale), "{place}");
    assert_eq!((place.y, place.z), (0.0, 0.0));
    let after = window.handle_center("Move freely");
    assert!(
        (after - before - vec2(60.0, 0.0)).length() < 1.0,
        "it follows the pointer"
    );
    assert_eq!(window.undo_names(), (vec!["Move bullet"], 1));
    // Written numbers are short: no more digits than the viewport shows.
    assert_eq!((place.x * 1000.0).round() / 1000.0, place.x);
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.position(0), DVec3::new(-12.0, 0.0, 0.0));
}

#[test]
fn escape_cancels_a_drag_and_keeps_the_selection() {
    let mut window = Window::bullet_from_the_front();
    let knob = window.handle_center("Move freely");
    window.press_and_move(knob, vec2(40.0, -40.0));
    assert!(window.position(0).y > 0.0);
    window.key(Key::Escape);
    assert_eq!(window.position(0), DVec3::new(-12.0, 0.0, 0.0));
    window.harness.hover_at(knob + vec2(90.0, 0.0));
    window.settle();
    window.harness.drop_at(knob + vec2(90.0, 0.0));
    window.settle();
    assert_eq!(window.position(0), DVec3::new(-12.0, 0.0, 0.0));
    assert_eq!(window.undo_names().1, 0);
    assert_eq!(window.model().selection.objects(), [0]);
}

#[test]
fn letters_choose_the_tool_but_not_in_a_text_field_nor_while_flying() {
    let mut window = Window::bullet();
    for (key, tool) in [
        (Key::W, Tool::Move),
        (Key::E, Tool::Rotate),
        (Key::R, Tool::Scale),
        (Key::Q, Tool::Select),
    ] {
        window.key(key);
        assert_eq!(window.model().settings.tools.tool, tool);
    }
    window.keys(Modifiers::COMMAND, Key::F);
    window.key(Key::W);
    assert_eq!(
        window.model().settings.tools.tool,
        Tool::Select,
        "it is typed"
    );
    window.key(Key::Escape);
    window.key(Key::Escape);
    let center = window.rect("Viewport").center();
    let button = |pressed| Event::PointerButton {
        pos: center,
        button: egui::PointerButton::Secondary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    window.harness.hover_at(center);
    window.harness.event(button(true));
    window.settle();
    window.key(Key::W);
    assert_eq!(window.model().settings.tools.tool, Tool::Select, "it flies");
    window.harness.event(button(false));
    window.settle();
    window.click("Scale tool");
    assert_eq!(window.model().settings.tools.tool, Tool::Scale);
}

#[test]
fn dragging_a_ring_rotates_about_its_axis() {
    let mut window = Window::bullet_from_the_front();
    window.apply(Command::Select(Some(1)));
    window.key(Key::E);
    let pivot = {
        window.key(Key::W);
        let pivot = window.handle_center("Move freely");
        window.key(Key::E);
        pivot
    };
    let at = |degrees: f32| {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        pivot + vec2(cosine, -sine) * 74.0
    };
    let (from, to) = (at(30.0), at(120.0));
    window.drag_from(from, to - from);
    let turn = window.object(1).pose.rotation;
    let half = std::f64::consts::FRAC_1_SQRT_2;
    assert!(
        close(turn.z.abs(), half, 2e-3) && turn.z * turn.w > 0.0,
        "{turn}"
    );
    assert!(turn.x == 0.0 && turn.y == 0.0, "{turn}");
    assert_eq!(window.position(1), DVec3::ZERO, "around its centre");
    assert_eq!(window.undo_names(), (vec!["Rotate paper"], 1));
}

#[test]
fn scaling_doubles_the_radius_exactly() {
    let mut window = Window::bullet_from_the_front();
    window.key(Key::R);
    // A drag of a hundred points up doubles the size.
    window.drag_handle("Scale uniformly", vec2(0.0, -100.0));
    assert_eq!(window.object(0).shape, Shape::Sphere { radius: 1.0 });
    assert_eq!(window.undo_names(), (vec!["Scale bullet"], 1));
}

#[test]
fn snapping_to_the_grid_is_exact() {
    let mut window = Window::bullet_from_the_front();
    window.apply(Command::GridStep(0.1));
    window.apply(Command::ToggleSnap(Snap::Grid));
    window.settle();
    window.drag_handle("Move along x", vec2(33.0, 0.0));
    let x = window.position(0).x;
    let tenths = (x * 10.0).round();
    assert!(x != -12.0 && x == tenths / 10.0, "{x}");
    // Ctrl inverts the setting.
    window.set_modifiers(Modifiers::COMMAND);
    window.drag_handle("Move along y", vec2(0.0, -33.0));
    window.set_modifiers(Modifiers::NONE);
    let y = window.position(0).y;
    assert!(y > 0.0 && y != (y * 10.0).round() / 10.0, "{y}");
}

#[test]
fn snapping_ends_at_contact() {
    let mut window = Window::bullet_from_the_front();
    window.apply(Command::ToggleSnap(Snap::Contact));
    window.settle();
    let scale = window.metres_per_point();
    window.drag_handle("Move along x", vec2((14.0 / scale) as f32, 0.0));
    // Half of 0.25 m of paper, and a radius of 0.5 m, before the origin.
    let place = window.position(0);
    assert!(close(place.x, -0.625, 1e-14), "{place}");
    let (ball, paper) = (window.object(0), window.object(1));
    let placed = [ball, paper].map(|one| one.shape.placed(&one.pose));
    let gap = gap(&placed[0], &placed[1]).unwrap().distance;
    assert!(gap.abs() < 1e-14, "{gap}");
    // Dragged into the paper, and out again by the command.
    window.apply(Command::ToggleSnap(Snap::Contact));
    window.drag_handle("Move along x", vec2((0.3 / scale) as f32, 0.0));
    window.apply(Command::SnapToContact);
    window.settle();
    assert!(
        close(window.position(0).x, -0.625, 1e-14),
        "{}",
        window.position(0)
    );
}

#[test]
fn surface_snapping_uses_the_surface_under_the_pointer() {
    let mut window = Window::bullet_from_the_front();
    window.apply(Command::ToggleSnap(Snap::Surface));
    window.settle();
    let scale = window.metres_per_point();
    // From the bullet to the visible face of the bystander: 12 m to the right, where z is 31 m, in contact at 31.5 m.
    window.drag_handle("Move freely", vec2((12.0 / scale) as f32, 0.0));
    let place = window.position(0);
    assert!(close(place.z, 31.5, 1e-12), "{place}");
    assert!(
        close(place.x, 0.0, 2.0 * scale) && close(place.y, 0.0, 2.0 * scale),
        "{place}"
    );
}

#[test]
fn the_velocity_is_dragged_by_its_tip_and_by_the_end_of_the_frame() {
    let mut window = Window::bullet_from_the_front();
    let scale = window.metres_per_point();
    let tip = window.handle_center("Velocity");
    window.drag_from(tip, vec2(0.0, -40.0));
    let velocity = window.object(0).velocity;
    // The arrow is the displacement of a frame, 1/16 s.
    let up = 40.0 * scale * 16.0;
    assert!(close(velocity.y, up, scale * 16.0), "{velocity}");
    assert!(velocity.x == 128.0 && velocity.z == 0.0, "{velocity}");
    assert_eq!(window.undo_names(), (vec!["Velocity of bullet"], 1));
    let end = window.handle_center("End of the frame");
    window.drag_from(end, vec2(-30.0, 0.0));
    let slower = window.object(0).velocity;
    assert!(
        close(slower.x, 128.0 - 30.0 * scale * 16.0, scale * 16.0),
        "{slower}"
    );
    assert!(close(slower.y, velocity.y, 1e-9), "{slower}");
    // (end - start) / dt, from its position in the replay at that time.
    let frame = window.model().document().unwrap().replay().frame(0);
    let segment = &frame.segments(0)[0];
    let displacement = segment.motion.displacement() / (segment.to - segment.from);
    assert!(
        (displacement * 16.0 - slower).length() < 1e-9,
        "{displacement}"
    );
    // Along an axis.
    window.set_modifiers(Modifiers::ALT);
    window.drag_handle("Velocity", vec2(40.0, -11.0));
    window.set_modifiers(Modifiers::NONE);
    let faster = window.object(0).velocity;
    assert!(faster.x > slower.x && faster.y == slower.y, "{faster}");
}

#[test]
fn a_box_selects_objects_with_their_centre_inside_and_ctrl_adds() {
    let mut window = Window::bullet_from_the_front();
    window.key(Key::Num7);
    window.keys(Modifiers::SHIFT, Key::F);
    for _ in 0..20 {
        window.harness.step();
    }
    let mut places = Vec::new();
    for id in 0..3 {
        window.apply(Command::Select(Some(id)));
        window.settle();
        places.push(window.handle_center("Move freely"));
    }
    window.key(Key::Q);
    window.key(Key::Escape);
    let around = |a: Pos2, b: Pos2| Rect::from_two_pos(a, b).expand(14.0);
    let both = around(places[0], places[1]);
    window.set_modifiers(Modifiers::SHIFT);
    window.drag_from(both.min, both.size());
    assert_eq!(window.model().selection.objects(), [0, 1]);
    let last = around(places[2], places[2]);
    window.drag_from(last.min, last.size());
    assert_eq!(window.model().selection.objects(), [2]);
    window.set_modifiers(Modifiers::SHIFT | Modifiers::COMMAND);
    window.drag_from(both.min, both.size());
    window.set_modifiers(Modifiers::NONE);
    assert_eq!(window.model().selection.objects(), [2, 0, 1]);
}

#[test]
fn objects_are_grouped_by_a_tag_and_selected_by_it() {
    let mut window = Window::bullet();
    window.apply(Command::SelectPair(0, 2));
    window.settle();
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::G);
    window.settle();
    let field = window.harness.get_by_label("tag");
    field.focus();
    field.type_text("movers");
    window.settle();
    window.click("Add tag");
    assert_eq!(window.object(0).tags, ["movers"]);
    assert!(window.object(1).tags.is_empty());
    assert_eq!(window.object(2).tags, ["movers"]);
    assert_eq!(window.undo_names(), (vec!["Group 2 objects"], 1));
    window.key(Key::Escape);
    assert!(window.model().selection.objects().is_empty());
    window.keys(Modifiers::COMMAND | Modifiers::SHIFT, Key::G);
    window.click("Select group movers");
    assert_eq!(window.model().selection.objects(), [0, 2]);
    window.apply(Command::Select(Some(2)));
    window.keys(Modifiers::ALT, Key::G);
    assert_eq!(window.model().selection.objects(), [0, 2]);
}

/// A triangle in front view, a lift with keyframes, a camera with a probe of one line.
const SHAPED: &str = r#"Scene(
    version: 1,
    name: "Shapes",
    dt: 0.0625,
    frames: 16,
    objects: [
        (name: "flat", shape: Triangle(a: (-2.0, -2.0, 0.0), b: (2.0, -2.0, 0.0), c: (0.0, 2.0, 0.0)), motion: Fixed),
        (name: "lift", shape: Box(half_extents: (1.0, 0.25, 1.0)), // goes up
         motion: Keyframes([(frame: 0, position: (8.0, 0.0, 0.0)), (frame: 8, position: (8.0, 4.0, 0.0))])),
    ],
    camera: (position: (4.0, 0.0, 0.0), probe: Lines([(0.0, 2.0, 0.0)])),
)"#;

fn shaped() -> Window {
    let mut window = Window::with(SHAPED);
    window.key(Key::Escape);
    window.key(Key::Home);
    window.set_front_view();
    window
}

#[test]
fn corners_and_ends_of_probe_lines_are_dragged() {
    let mut window = shaped();
    let top = window.handle_center("Start of probe line 1");
    let bottom = window.handle_center("End of probe line 1");
    // Four metres, from end to end.
    let scale = 4.0 / f64::from(bottom.y - top.y);
    window.drag_from(top, vec2(30.0, 0.0));
    let Some(camera) = &window.scene_doc().camera else {
        panic!("it has a camera");
    };
    let line = camera.probe.lines()[0];
    assert!(
        close(line.x, 30.0 * scale, scale) && close(line.y, 2.0, 2e-3),
        "{line}"
    );
    assert_eq!(window.undo_names().1, 1);

    window.click_row("flat");
    window.drag_handle("Corner 3", vec2(0.0, 20.0));
    let Shape::Triangle(triangle) = &window.object(0).shape else {
        panic!("it stays a triangle");
    };
    assert!(
        close(triangle.c.y, 2.0 - 20.0 * scale, scale),
        "{triangle:?}"
    );
    assert_eq!(triangle.a, DVec3::new(-2.0, -2.0, 0.0));
    let (names, done) = window.undo_names();
    assert_eq!((names[1], done), ("Reshape flat", 2));
    window.keys(Modifiers::COMMAND, Key::Z);
    window.keys(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.text(), SHAPED);
}

#[test]
fn a_save_or_an_undo_during_a_drag_has_the_text_of_the_scene() {
    let mut window = Window::bullet_from_the_front();
    let original = window.text().to_owned();
    window.press_and_move(window.handle_center("Move along x"), vec2(40.0, 0.0));
    let drag_to = |window: &mut Window, x: f64| {
        let mut object = window.object(0).clone();
        object.pose.position.x = x;
        let objects = vec![(0, object)];
        window.apply(Command::Edit(Edit::Objects("Move", objects)));
        assert_eq!(window.position(0).x, x);
        assert_eq!(window.model().scene_doc().unwrap().text(), None);
    };
    drag_to(&mut window, 5.0);
    let path = window.folder.path().join("dragged.ron");
    window.apply(Command::SaveTo(path.clone()));
    window.until("it is saved", |model| {
        !model.is_saving() && !model.has_unsaved()
    });
    let saved = std::fs::read_to_string(path).unwrap();
    assert_eq!(window.text(), saved);
    let scene = parse(&saved, "saved", &MemoryFolder::default()).unwrap();
    assert_eq!(scene.objects[0].pose.position.x, 5.0);
    drag_to(&mut window, 6.0);
    window.apply(Command::Undo);
    assert_eq!(window.text(), original);
    assert_eq!(window.undo_names(), (vec!["Move bullet"], 0));
}

#[test]
fn keyframes_are_set_at_the_playhead_and_moved_there() {
    use hitstop::core::scene::Movement;
    let mut window = shaped();
    window.click_row("lift");
    window.apply(Command::Seek {
        frame: 4,
        fraction: 0.0,
    });
    window.settle();
    window.keys(Modifiers::SHIFT, Key::K);
    let keys = |window: &Window| match &window.object(1).movement {
        Movement::Keyframes(keys) => keys
            .iter()
            .map(|key| (key.frame, key.position.x, key.position.y))
            .collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    // Half of the path, as it is shown.
    assert_eq!(keys(&window), [(0, 8.0, 0.0), (4, 8.0, 2.0), (8, 8.0, 4.0)]);
    window.drag_handle("Move along x", vec2(40.0, 0.0));
    let moved = keys(&window);
    assert!(moved[1].1 > 8.0 && moved[1].2 == 2.0, "{moved:?}");
    assert_eq!((moved[0], moved[2]), ((0, 8.0, 0.0), (8, 8.0, 4.0)));
    let text = window.text();
    assert!(text.contains("// goes up"), "{text}");
    let (names, done) = window.undo_names();
    assert_eq!(
        (&names[..], done),
        (&["Keyframe of lift", "Move lift"][..], 2)
    );
}
