//! The view is moved by a wheel, by a trackpad and by commands.

use super::window::*;
use egui::{Event, MouseWheelSource, MouseWheelUnit, TouchPhase, Vec2};
use egui_kittest::kittest::NodeT as _;

/// Half the height of what a camera one metre from its target shows there, metres: the tangent of 0.349 rad.
const HALF_HEIGHT: f64 = 0.363_915;

/// The target and the eye of the viewport, as it reports them.
fn camera(window: &Window) -> [[f64; 3]; 2] {
    let node = window.harness.get_by_label("Viewport");
    let value = node.accesskit_node().value().expect("a value");
    let words = value.split([' ', ',']);
    let numbers: Vec<f64> = words.filter_map(|word| word.parse().ok()).collect();
    let [x, y, z, eye_x, eye_y, eye_z] = numbers[..] else {
        panic!("{value}")
    };
    [[x, y, z], [eye_x, eye_y, eye_z]]
}

fn minus(one: [f64; 3], other: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|axis| one[axis] - other[axis])
}

fn length(vector: [f64; 3]) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

/// Scrolls at the centre of the viewport, until what is smoothed has passed.
fn scroll(window: &mut Window, source: MouseWheelSource, unit: MouseWheelUnit, delta: Vec2) {
    let center = window.rect("Viewport").center();
    window.harness.hover_at(center);
    window.harness.event(Event::MouseWheel {
        unit,
        delta,
        phase: TouchPhase::Move,
        source,
        modifiers: Modifiers::NONE,
    });
    window.harness.run_steps(60);
}

#[test]
fn two_fingers_pan_and_pinch_and_the_wheel_zooms() {
    let mut window = Window::bullet();
    window.keys(Modifiers::COMMAND, Key::Num1);
    window.harness.run_steps(30);
    let height = f64::from(window.rect("Viewport").height());
    let [target, eye] = camera(&window);
    let before = minus(eye, target);
    let metres = 2.0 * HALF_HEIGHT * length(before) / height;
    // The fingers drag the level along: 30 points to the right, 40 down.
    for (source, unit) in [
        (MouseWheelSource::Trackpad, MouseWheelUnit::Point),
        (MouseWheelSource::Momentum, MouseWheelUnit::Point),
        (MouseWheelSource::Unknown, MouseWheelUnit::Point),
    ] {
        let [from, _] = camera(&window);
        scroll(&mut window, source, unit, vec2(30.0, 40.0));
        let [target, eye] = camera(&window);
        let (moved, now) = (minus(target, from), minus(eye, target));
        assert!(length(minus(now, before)) < 0.01, "{source:?}: {now:?}");
        let wanted = 50.0 * metres;
        assert!(
            (length(moved) - wanted).abs() < 0.01 * wanted,
            "{source:?}: {moved:?}, {wanted}"
        );
        // Seen from the back, +Y is up.
        assert!(
            (moved[1] - 40.0 * metres).abs() < 0.01 * wanted,
            "{moved:?}"
        );
    }
    // A wheel zooms by e over 350 points, and where the system names no source a wheel turns by lines.
    for (source, unit, lines) in [
        (MouseWheelSource::Wheel, MouseWheelUnit::Point, 35.0),
        (MouseWheelSource::Unknown, MouseWheelUnit::Line, 1.0),
    ] {
        let [from, eye] = camera(&window);
        let distance = length(minus(eye, from));
        scroll(&mut window, source, unit, vec2(0.0, lines));
        let points = match unit {
            MouseWheelUnit::Line => {
                lines
                    * window
                        .harness
                        .ctx
                        .options(|it| it.input_options.line_scroll_speed)
            }
            _ => lines,
        };
        let [target, eye] = camera(&window);
        let wanted = distance / (f64::from(points) / 350.0).exp();
        let now = length(minus(eye, target));
        assert!((now - wanted).abs() < 0.01, "{source:?}: {now} {wanted}");
        // The pointer is at the centre.
        assert!(length(minus(target, from)) < 0.02, "{target:?} {from:?}");
    }
    // Two fingers that move apart.
    let [target, eye] = camera(&window);
    window.harness.event(Event::Zoom(1.25));
    window.harness.run_steps(2);
    let [target_after, eye_after] = camera(&window);
    let (before, now) = (
        length(minus(eye, target)),
        length(minus(eye_after, target_after)),
    );
    assert!((before / now - 1.25).abs() < 1e-3, "{before} {now}");
    window.apply(Command::ToggleCheatSheet);
    window.settle();
    assert!(window.has("Two fingers on a trackpad"));
}

/// Nine cubes of 1 m from x = -4 to 4, and one at 1000.
#[test]
fn frame_all_takes_what_flew_away_at_the_second_press() {
    let cube = |name: &str, x: i32| {
        format!(
            r#"(name: "{name}", shape: Box(half_extents: (0.5, 0.5, 0.5)), position: ({x}.0, 0.0, 0.0)),"#
        )
    };
    let mut cubes: String = (-4..=4).map(|x| cube(&format!("cube {x}"), x)).collect();
    cubes += &cube("far", 1000);
    let text =
        format!(r#"Scene(version: 1, name: "Cubes", dt: 0.5, frames: 2, objects: [{cubes}])"#);
    let mut window = Window::with(&text);
    window.harness.run_steps(5);
    let [opened, _] = camera(&window);
    assert!(opened[0].abs() < 0.01, "{opened:?}");
    let mut press = |target_x: f64| {
        window.keys(Modifiers::SHIFT, Key::F);
        window.harness.run_steps(40);
        let [target, _] = camera(&window);
        assert!((target[0] - target_x).abs() < 0.01, "{target:?} {target_x}");
    };
    // The level was opened with the nine, from -4.5 to 4.5 m. Now to 1000.5 m, and again without the far one.
    press(498.0);
    press(0.0);
    press(498.0);
}
