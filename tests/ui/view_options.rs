//! Hiding, following, clipping, measuring and coloring in the viewport.

use super::window::*;
use egui::vec2;
use egui_kittest::kittest::NodeT as _;

/// Two walls behind each other, and a runner above them.
const WALLS: &str = r#"Scene(
    version: 1,
    name: "Walls",
    dt: 0.5,
    frames: 8,
    objects: [
        (name: "front", shape: Box(half_extents: (2.0, 2.0, 0.5)), position: (0.0, 0.0, 3.0), motion: Fixed),
        (name: "back", shape: Box(half_extents: (2.0, 2.0, 0.5)), position: (0.0, 0.0, -3.0), motion: Fixed),
        (name: "runner", shape: Sphere(radius: 0.25), position: (0.0, 20.0, 0.0), velocity: (3.0, 0.0, 0.0)),
    ],
)"#;

/// The walls from the front, in parallel projection.
pub fn walls() -> Window {
    let mut window = Window::with(WALLS);
    window.apply(Command::ToggleOrthographic);
    window.apply(Command::ViewFrom(Side::Front));
    window.apply(Command::SelectMany(vec![0, 1], false));
    window.apply(Command::FrameSelection);
    window.settle();
    // The view moves there over some passes.
    window.harness.run_steps(20);
    window.apply(Command::Select(None));
    window.settle();
    window
}

/// Clicks the viewport beside its centre.
fn click_view(window: &mut Window, right: f32) {
    let at = window.rect("Viewport").center() + vec2(right, 0.0);
    window.harness.hover_at(at);
    window.settle();
    window.harness.drag_at(at);
    window.harness.drop_at(at);
    window.settle();
}

/// The point that the view turns around.
fn target(window: &Window) -> Vec<f64> {
    let node = window.harness.get_by_label("Viewport");
    let value = node.accesskit_node().value().expect("a value");
    let words = value.split_whitespace().skip(2).take(3);
    words.map(|word| word.parse().expect("a number")).collect()
}

#[test]
fn a_hidden_wall_is_not_picked_until_all_are_shown() {
    let mut window = walls();
    click_view(&mut window, 0.0);
    assert_eq!(window.model().selection.objects(), [0]);
    window.key(Key::H);
    assert!(window.has("1 hidden"));
    click_view(&mut window, 0.0);
    assert_eq!(window.model().selection.objects(), [1]);
    window.keys(Modifiers::SHIFT, Key::H);
    assert!(window.has("2 hidden"), "all but the back wall");
    window.keys(Modifiers::SHIFT, Key::F);
    window.harness.run_steps(20);
    assert_eq!(target(&window), [0.0, 0.0, -3.0]);
    window.click("2 hidden");
    assert_eq!(window.session().visibility.hidden(), 0);
    click_view(&mut window, 0.0);
    assert_eq!(window.model().selection.objects(), [0]);
}

#[test]
fn a_click_goes_through_a_locked_wall_until_all_are_unlocked() {
    let mut window = walls();
    click_view(&mut window, 0.0);
    window.apply(Command::LockSelected);
    window.settle();
    assert!(window.model().selection.objects().is_empty());
    click_view(&mut window, 0.0);
    assert_eq!(window.model().selection.objects(), [1]);
    window.apply(Command::Select(Some(0)));
    window.settle();
    assert_eq!(window.model().selection.objects(), [0]);
    window.key(Key::Escape);
    window.click("1 locked");
    click_view(&mut window, 0.0);
    assert_eq!(window.model().selection.objects(), [0]);
}

#[test]
fn the_clipping_plane_is_seen_through() {
    let mut window = walls();
    // Through the point between the walls.
    window.key(Key::C);
    click_view(&mut window, 0.0);
    assert_eq!(window.model().selection.objects(), [1]);
    assert!(window.has("Clipping plane"));
    window.apply(Command::SetClip(1.0));
    window.settle();
    click_view(&mut window, 0.0);
    assert_eq!(window.model().selection.objects(), [0]);
    window.key(Key::C);
    assert!(!window.has("Clipping plane"));
}

#[test]
fn the_view_moves_with_the_followed_object() {
    let mut window = walls();
    let before = target(&window);
    window.apply(Command::Select(Some(2)));
    window.key(Key::T);
    assert!(window.has("Following runner"));
    // Two frames of half a second at 3 m/s.
    window.apply(Command::Seek {
        frame: 2,
        fraction: 0.0,
    });
    window.settle();
    let after = target(&window);
    assert!((after[0] - before[0] - 3.0).abs() < 2e-3, "{after:?}");
    assert_eq!(after[1..], before[1..]);
    window.click("Following runner");
    window.key(Key::Home);
    assert_eq!(target(&window), after);
}

#[test]
fn two_clicks_measure_along_a_face() {
    let mut window = walls();
    window.key(Key::D);
    click_view(&mut window, -40.0);
    assert!(!window.has("Measured"));
    click_view(&mut window, 40.0);
    assert!(window.has("Measured"));
    for reading in ["Ruler, Along y: 0 m", "Ruler, Along z: 0 m"] {
        assert!(window.has(reading), "{reading}");
    }
    assert!(!window.has("Ruler, Along x: 0 m"));
    assert!(window.model().selection.objects().is_empty());
    window.key(Key::D);
    assert!(!window.has("Measured"));
}

#[test]
fn colors_and_mesh_views_are_in_menus() {
    let mut window = walls();
    window.click("View");
    window.click("Color by");
    window.click_item("Color by speed");
    assert_eq!(window.model().layers.color_by, ColorBy::Speed);
    window.apply(Command::MeshView(MeshView::XRay));
    window.settle();
    assert_eq!(window.model().layers.mesh_view, MeshView::XRay);
    window.apply(Command::ResetLayers);
    assert_eq!(window.model().layers.mesh_view, MeshView::Solid);
}

#[test]
fn following_a_pair_follows_the_one_that_moves() {
    let mut window = Window::bullet();
    for pair in [(0, 1), (1, 0)] {
        window.apply(Command::SelectPair(pair.0, pair.1));
        window.apply(Command::ToggleFollow);
        window.settle();
        assert_eq!(window.session().visibility.followed, Some(0), "{pair:?}");
        window.apply(Command::ToggleFollow);
        assert_eq!(window.session().visibility.followed, None);
    }
}
