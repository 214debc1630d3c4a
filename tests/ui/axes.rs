//! A log in other axes, another unit and with other numbers of frames than ours is shown in its own.

use super::window::*;
use egui_kittest::kittest::NodeT as _;

/// Unreal's axes: x forward, y to the right, z up, in centimetres; the recorder negates y. A ball of 25 cm flies along x through a wall at x = 0,
/// 400 cm a frame, at y = 150 of the program and z = 200. Frame 18003 is the one of the crossing, from x = -100, 300.3 s.
pub fn unreal() -> String {
    let mut log = String::from(
        r#"{"hitstop": 1, "name": "Unreal", "dt": 0.1, "up": "z", "length": 0.01, "mirrored": "y", "objects": [
{"id": 0, "name": "ball", "shape": {"sphere": {"radius": 25}}},
{"id": 1, "name": "wall", "motion": "fixed", "shape": {"box": {"half_extents": [10, 500, 300]}}}]}"#,
    )
    .replace('\n', " ");
    for frame in 0..8 {
        let (x, t) = (-1300 + 400 * frame, 300.0 + 0.1 * f64::from(frame));
        log += &format!(
            "\n{{\"frame\": {}, \"t\": {t}, \"bodies\": [{{\"id\": 0, \"p\": [{x}, -150, 200], \"v\": [4000, 0, 0]}}]}}",
            18000 + frame
        );
    }
    log + "\n"
}

#[test]
fn a_log_is_shown_in_its_own_axes_units_and_numbers() {
    let mut window =
        Window::open(|folder| Some(Source::File(write(folder, "unreal.jsonl", &unreal()))));
    window.until("it is diagnosed", |model| report(model).is_some());
    let has = |window: &Window, part: &str| {
        let texts = window.texts();
        assert!(
            texts.iter().any(|text| text.contains(part)),
            "{part} in {texts:#?}"
        );
    };
    // The finding: its frame, its numbers and its sentence.
    assert_eq!(window.moment().0, 3);
    has(&window, "Tunnels: ball \u{2192} wall, frame 18003");
    has(&window, "frame 18003 + ");
    has(&window, "moves toward it 400 cm");
    has(
        &window,
        "ball (radius 25 cm) moves 400 cm in this frame (4000 cm/s)",
    );
    has(&window, "4000 cm/s");
    let wrong = window.texts();
    let wrong: Vec<_> = wrong.iter().filter(|text| text.contains(" m/s")).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    // Go to frame, and the time of the log.
    window.look_at("Frame");
    let field = |window: &Window, name: &str| {
        let field = window.harness.get_by_role_and_label(Role::SpinButton, name);
        field.accesskit_node().numeric_value().unwrap()
    };
    assert_eq!(field(&window, "Frame"), 18003.0);
    window.key(Key::End);
    window.key(Key::Home);
    assert_eq!(field(&window, "Frame"), 18000.0);
    assert!((field(&window, "Time") - 300.0).abs() < 1e-9);
    // The position of the object in the inspector, y to the right, and the gizmo.
    window.click_row("ball");
    has(&window, "(-1300, 150, 200)");
    has(&window, "(4000, 0, 0) cm/s");
    has(&window, "sphere, radius 25 cm");
    // The eye above: from +Z of the program.
    window.click("View from +Z");
}

/// Z up, in centimetres: the fields have the numbers of the scene's text, and what is typed into them is written there.
#[test]
fn a_scene_is_edited_in_its_own_axes_and_units() {
    let text = r#"Scene(
    version: 1,
    name: "Bullet",
    dt: 0.0625,
    frames: 40,
    units: (length: 0.01, up: Z),
    response: Push,
    objects: [
        (name: "bullet", shape: Sphere(radius: 50.0), position: (-1200.0, 10.0, 200.0), rotation: Euler(z: 30.0), velocity: (12800.0, 0.0, 70.0), spin: (0.0, 0.0, 3.0)),
        (name: "paper", shape: Box(half_extents: (12.5, 300.0, 200.0)), motion: Fixed),
    ],
)"#;
    let mut window = Window::with(text);
    window.key(Key::Escape);
    window.key(Key::Home);
    window.click_row("paper");
    let field = |window: &Window, name: &str| {
        let field = window.harness.get_by_role_and_label(Role::SpinButton, name);
        field.accesskit_node().numeric_value().unwrap()
    };
    let vector = |window: &Window, name: &str| {
        ["x", "y", "z"].map(|axis| field(window, &format!("{name} {axis}")))
    };
    assert_eq!(vector(&window, "half extents"), [12.5, 300.0, 200.0]);
    window.click_row("bullet");
    assert_eq!(vector(&window, "position"), [-1200.0, 10.0, 200.0]);
    assert_eq!(vector(&window, "velocity"), [12800.0, 0.0, 70.0]);
    assert_eq!(vector(&window, "spin"), [0.0, 0.0, 3.0]);
    assert_eq!(field(&window, "radius"), 50.0);
    assert_eq!(vector(&window, "rotation"), [0.0, 0.0, 30.0]);
    // A field that is looked at changes nothing.
    for name in ["position y", "velocity z", "radius", "rotation z"] {
        window.look_at(name);
    }
    assert_eq!(window.text(), text);
    // What is typed is in the unit of the text, or has its own.
    for (name, typed, before, after) in [
        (
            "position z",
            "250",
            "position: (-1200.0, 10.0, 200.0)",
            "position: (-1200.0, 10.0, 250.0)",
        ),
        ("radius", "0.25 m", "radius: 50.0", "radius: 25.0"),
        (
            "velocity y",
            "1 m/s",
            "velocity: (12800.0, 0.0, 70.0)",
            "velocity: (12800.0, 100.0, 70.0)",
        ),
        (
            "spin z",
            "2",
            "spin: (0.0, 0.0, 3.0)",
            "spin: (0.0, 0.0, 2.0)",
        ),
        ("rotation z", "45", "Euler(z: 30.0)", "Euler(z: 45.0)"),
    ] {
        let wanted = window.text().replace(before, after);
        window.fill(name, typed);
        assert_eq!(window.text(), wanted, "{name}");
    }
    assert!(window.texts().iter().all(|text| !text.ends_with(" m/s")));
}
