//! Two viewports, and the replays of a comparison side by side or as a wipe.

use super::view_options::walls;
use super::window::*;
use egui_kittest::kittest::NodeT as _;

/// Half the height of what a camera one metre from its target shows there, metres: the tangent of 20 degrees.
const HALF_HEIGHT: f32 = 0.364;

/// The target, the eye and the projection of a viewport, as it reports them.
fn camera(window: &Window, name: &str) -> String {
    let node = window.harness.get_by_label(name);
    node.accesskit_node().value().expect("a value")
}

/// Points of the screen per metre at the target of a viewport.
fn points_per_metre(window: &Window, name: &str) -> f32 {
    let value = camera(window, name).replace(',', "");
    let numbers: Vec<f32> = value
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    let [x, y, z, eye_x, eye_y, eye_z] = numbers[..] else {
        panic!("{value}")
    };
    let distance = ((eye_x - x).powi(2) + (eye_y - y).powi(2) + (eye_z - z).powi(2)).sqrt();
    window.rect(name).height() * 0.5 / (distance * HALF_HEIGHT)
}

/// Clicks a viewport at an offset from its target, metres right and down.
fn click_at(window: &mut Window, name: &str, [right, down]: [f32; 2]) {
    let scale = points_per_metre(window, name);
    let at = window.rect(name).center() + vec2(right, down) * scale;
    window.harness.hover_at(at);
    window.settle();
    window.harness.drag_at(at);
    window.harness.drop_at(at);
    window.settle();
}

/// Moves the divider by some points.
fn move_divider(window: &mut Window, points: f32) {
    let name = "Divider of the viewports";
    let width = window.rect(name).width();
    window.drag(name, 0.5, 0.5 + points / width);
}

fn selected(window: &Window) -> &[u32] {
    window.model().selection.objects()
}

/// From the front the front wall covers the centre, from above the runner; beside it are the two walls, at 3 m.
#[test]
fn two_viewports_have_a_camera_each() {
    let mut window = walls();
    let whole = window.rect("Viewport").width();
    window.keys(Modifiers::COMMAND, Key::Backslash);
    for name in ["Viewport", "Second viewport"] {
        let width = window.rect(name).width();
        assert!((width - whole * 0.5).abs() <= 1.0, "{name}: {width}");
    }
    let value = camera(&window, "Second viewport");
    assert!(value.ends_with("orthographic"), "{value}");
    for (name, offset, object) in [
        ("Viewport", [0.0, 0.0], 0),
        ("Second viewport", [0.0, 0.0], 2),
        ("Second viewport", [1.0, 3.0], 0),
        ("Second viewport", [1.0, -3.0], 1),
    ] {
        click_at(&mut window, name, offset);
        assert_eq!(selected(&window), [object], "{name} {offset:?}");
    }

    // Each is rotated alone, and a command moves the one that was pressed last.
    let both = |window: &Window| ["Viewport", "Second viewport"].map(|name| camera(window, name));
    let before = both(&window);
    window.drag("Viewport", 0.1, 0.3);
    let after = both(&window);
    assert!(after[0] != before[0] && after[1] == before[1], "{after:?}");
    window.drag("Second viewport", 0.1, 0.3);
    window.apply(Command::ToggleOrthographic);
    window.settle();
    let last = both(&window);
    assert_eq!(last[0], after[0]);
    assert!(last[1].ends_with("perspective"), "{}", last[1]);
}

#[test]
fn the_divider_is_dragged_and_kept_with_the_layout() {
    let mut window = Window::bullet();
    window.click("View");
    window.click_item("Two viewports");
    window.key(Key::Escape);
    let before = window.rect("Viewport").width();
    move_divider(&mut window, 60.0);
    let after = window.rect("Viewport").width();
    assert!((after - before - 60.0).abs() <= 2.0, "{before} {after}");
    let saved = window.saved_settings().view_layout;
    assert!(saved.split && saved.divider > 0.52, "{saved:?}");
    window.apply(Command::ResetPanels);
    window.settle();
    assert!(!window.has("Second viewport"));
}

#[test]
fn a_finding_moves_the_first_viewport_only() {
    let mut window = Window::bullet();
    window.apply(Command::FrameAll);
    window.harness.run_steps(30);
    window.apply(Command::ToggleSplitView);
    window.settle();
    let before = ["Viewport", "Second viewport"].map(|name| camera(&window, name));
    window.apply(Command::SelectFinding(0));
    window.settle();
    window.harness.run_steps(30);
    assert_ne!(camera(&window, "Viewport"), before[0]);
    assert_eq!(camera(&window, "Second viewport"), before[1]);
}

/// A board, and a ball before it.
fn board(name: &str, color: &str, ball: f32) -> String {
    format!(
        r#"Scene(version: 1, name: "{name}", dt: 0.5, frames: 4, objects: [
            (name: "board", shape: Box(half_extents: (9.0, 3.0, 0.5)), motion: Fixed, color: "{color}"),
            (name: "ball", shape: Sphere(radius: 0.5), position: ({ball:?}, 0.0, 2.0)),
        ])"#
    )
}

/// Compares a red board with a blue one, from the front, in parallel projection. The ball is at 2 m to the right and to the left.
fn compare_boards(window: &mut Window, view: CompareView) {
    let other = write(&window.folder, "other.ron", &board("Blue", "#0000ff", -2.0));
    window.apply(Command::CompareWith(other));
    window.until("it is compared", |model| {
        session(model).compare.result().is_some() && model.comparing().is_none()
    });
    window.apply(Command::ToggleOrthographic);
    window.apply(Command::ViewFrom(Side::Front));
    window.settle();
    window.harness.run_steps(30);
    window.click(view.name());
}

#[test]
fn a_comparison_is_shown_side_by_side_with_one_camera() {
    let mut window = Window::with(&board("Red", "#ff0000", 2.0));
    assert!(
        window.harness.query_by_label("Wipe").is_none(),
        "nothing is compared"
    );
    compare_boards(&mut window, CompareView::SideBySide);
    for text in ["A  Red", "B  other.ron", "1 object differs at this time"] {
        assert!(window.has(text), "{text}");
    }
    let [a, b] = ["Viewport", "Viewport of B"];
    assert_eq!(camera(&window, a), camera(&window, b));
    window.apply(Command::Select(Some(1)));
    window.apply(Command::FrameSelection);
    window.settle();
    window.harness.run_steps(30);
    // The target is between the balls, each of which is 2 m beside it in its own picture.
    for (name, right, object) in [(a, 2.0, 1), (a, -2.0, 0), (b, -2.0, 1), (b, 2.0, 0)] {
        click_at(&mut window, name, [right, 0.0]);
        assert_eq!(selected(&window), [object], "{name} {right}");
    }
    window.drag(b, 0.3, 0.5);
    assert_eq!(camera(&window, a), camera(&window, b));
    window.click("Close comparison");
    assert!(!window.has(b));
}

#[test]
fn left_of_a_wipe_is_the_level_and_right_of_it_the_other() {
    let Some(mut window) = Window::drawn(&board("Red", "#ff0000", 2.0)) else {
        return;
    };
    compare_boards(&mut window, CompareView::Wipe);
    assert_eq!(
        window.rect("Viewport").width(),
        window.rect("Viewport of B").width()
    );
    // A meter above the target, where no ball is; red is 0 and blue 2.
    let lift = points_per_metre(&window, "Viewport") * 2.0;
    let strongest = |window: &mut Window, x: f32| {
        let image = window.harness.render().unwrap();
        let y = window.rect("Viewport").center().y - lift;
        let pixel = image.get_pixel(x as u32, y as u32).0;
        (0..3).max_by_key(|&part| pixel[part]).expect("a part")
    };
    let divider = window.rect("Divider of the viewports").center().x;
    assert_eq!(strongest(&mut window, divider - 40.0), 0);
    assert_eq!(strongest(&mut window, divider + 40.0), 2);
    move_divider(&mut window, -80.0);
    assert_eq!(strongest(&mut window, divider - 40.0), 2);
    assert_eq!(strongest(&mut window, divider - 120.0), 0);
    move_divider(&mut window, 160.0);
    assert_eq!(strongest(&mut window, divider + 40.0), 0);
    // All of the picture is the other's.
    move_divider(&mut window, -5000.0);
    let left = window.rect("Viewport of B").left();
    assert_eq!(strongest(&mut window, left + 40.0), 2);
}
