//! A scene built from an empty one by clicks and typing into forms only, and one that is saved and passes `check`.

use super::window::*;
use hitstop::cli::Status;
use hitstop::core::diagnose::Verdict;
use hitstop::core::scene::Scene;
use hitstop::program;

/// The window, with a count of clicks and keys.
struct CountedWindow {
    window: Window,
    clicks: usize,
    keys: usize,
}

impl CountedWindow {
    /// With a new scene.
    fn new() -> Self {
        let window = Window::new_scene();
        let (clicks, keys) = (0, 1);
        Self {
            window,
            clicks,
            keys,
        }
    }

    fn fill(&mut self, name: &str, text: &str) {
        self.clicks += 1;
        self.keys += text.len() + 2;
        self.window.fill(name, text);
    }

    fn vector(&mut self, name: &str, numbers: [&str; 3]) {
        for (axis, number) in ["x", "y", "z"].into_iter().zip(numbers) {
            self.fill(&format!("{name} {axis}"), number);
        }
    }

    fn add(&mut self, shape: &str, name: &str) {
        self.clicks += 2;
        self.window.menu("Add", shape);
        if !name.is_empty() {
            self.fill("name", name);
        }
    }

    fn click(&mut self, label: &str) {
        self.clicks += 1;
        // Lists of a form show what is in sight only.
        self.window.harness.get_by_label(label).scroll_to_me();
        self.window.settle();
        self.window.click(label);
    }

    fn escape(&mut self) {
        self.keys += 1;
        self.window.key(Key::Escape);
    }

    fn choose(&mut self, name: &str, item: &str) {
        self.clicks += 2;
        self.window.choose(name, item);
    }

    fn expect(&mut self, form: &str) {
        self.click("Expect…");
        self.click(form);
    }

    /// The fields of an expectation in a frame.
    fn frame_and_tolerance(&mut self, number: usize, frame: &str, tolerance: &str) {
        self.fill(&format!("expectation {number} frame"), frame);
        self.fill(&format!("expectation {number} tolerance"), tolerance);
    }

    /// Expects the scene of this text: the same objects and camera, the same findings, every expectation fulfilled.
    fn is(&mut self, text: &str) {
        self.window.looked_through();
        let file = write(&self.window.folder, "expected.ron", text);
        let wanted = level::open(&file, &()).unwrap();
        let scene: &Scene = self.window.scene();
        let expected = wanted.replay.scene();
        assert_eq!(scene.objects, expected.objects);
        assert_eq!(
            (&scene.name, scene.dt, scene.frames),
            (&expected.name, expected.dt, expected.frames)
        );
        assert_eq!(
            (scene.detection, scene.response),
            (expected.detection, expected.response)
        );
        let [camera, other] = [scene, expected].map(|scene| scene.camera.clone().unwrap());
        assert!(camera.pose.rotation.abs_diff_eq(other.pose.rotation, 1e-15));
        assert_eq!(camera.pose.position, other.pose.position);
        assert_eq!(
            (camera.movement, camera.probe, camera.near, camera.aspect),
            (other.movement, other.probe, other.near, other.aspect)
        );
        assert!((camera.fov - other.fov).abs() < 1e-15);
        let report = diagnose(&wanted, &Options::default(), &()).unwrap();
        let own = super::window::report(self.window.model()).unwrap();
        let found = |report: &Report| -> Vec<_> {
            let findings = report.findings.iter();
            findings
                .map(|one| {
                    (
                        one.kind,
                        one.cause,
                        one.frame,
                        one.a.clone(),
                        one.b.clone(),
                        one.expected,
                    )
                })
                .collect()
        };
        assert_eq!(found(own), found(&report));
        assert_eq!(own.expectations.len(), report.expectations.len());
        for result in &own.expectations {
            assert_eq!(
                result.verdict,
                Verdict::Held,
                "{}: {}",
                result.text,
                result.got
            );
        }
    }
}

impl Window {
    /// Opens a field of a few choices, and selects one.
    pub fn choose(&mut self, name: &str, item: &str) {
        fn field<'t>(window: &'t Window, name: &'t str) -> egui_kittest::Node<'t> {
            let start = format!("{name}: ");
            window.harness.get_by(move |node| {
                node.role() == Role::ComboBox
                    && node.label().is_some_and(|label| label.starts_with(&start))
            })
        }
        field(self, name).scroll_to_me();
        self.settle();
        field(self, name).click_accesskit();
        self.settle();
        let items = self.harness.query_all_by_label(item);
        items
            .last()
            .unwrap_or_else(|| panic!("{name} has no {item}"))
            .click_accesskit();
        self.settle();
    }
}

/// Every shape but the plane, a camera that is pushed back in each frame, and expectations.
const TYPED: &str = r#"Scene(
    version: 1,
    name: "Typed",
    dt: 0.016666666666666666,
    frames: 4,
    detection: Overlap,
    response: Push,
    objects: [
        (name: "bullet", shape: Sphere(radius: 0.05), position: (-5.0, 1.0, 0.0), velocity: (400.0, 0.0, 0.0)),
        (name: "paper", shape: Box(half_extents: (0.005, 1.0, 1.0)), position: (0.0, 1.0, 0.0), motion: Fixed),
        (name: "surface", shape: Mesh(vertices: [(-10.0, -5.0, -10.0), (-10.0, -5.0, 10.0), (10.0, -5.0, 10.0), (10.0, -5.0, -10.0)], triangles: [(0, 1, 2), (0, 2, 3)]), motion: Fixed),
        (name: "end", shape: Triangle(a: (-2.0, -1.0, -5.0), b: (2.0, -1.0, -5.0), c: (0.0, 6.0, -5.0)), position: (0.0, 0.0, 100.0), motion: Fixed),
    ],
    camera: (position: (0.0, 1.6, 95.5), look_at: (0.0, 1.6, 0.0), motion: Velocity((0.0, 0.0, -2.0)), probe: Standard),
    expect: [
        // 5 m, less the radius and half the thickness, of 400/60 m.
        Hit(a: "bullet", b: "paper", frame: 0, fraction: 0.74175, tolerance: 1e-9),
        Finds(kind: Tunnels, cause: C01, a: "bullet", b: "paper", frame: 0),
        Position(object: "bullet", frame: 1, is: (1.6666666666666667, 1.0, 0.0), tolerance: 1e-9),
        // Every frame walks 1/30 m farther in, and is pushed back by as much.
        CameraPush(frame: 3, is: (0.0, 0.0, 0.03333333333333333), tolerance: 1e-6),
    ],
)"#;

#[test]
fn a_scene_is_built_with_forms_alone() {
    let mut window = CountedWindow::new();
    window.fill("title", "Typed");
    window.fill("frames", "4");
    window.click("Has camera");
    window.vector("camera position", ["0", "1.6", "100 - 4.5"]);
    window.choose("camera motion", "by velocity");
    window.fill("camera velocity z", "-2");
    window.add("Sphere", "bullet");
    window.fill("radius", "0.05");
    window.vector("position", ["-5", "1", "0"]);
    window.fill("velocity x", "400");
    window.add("Box", "paper");
    window.vector("half extents", ["0.01/2", "1", "1"]);
    window.vector("position", ["0", "1", "0"]);
    window.choose("motion", "fixed");
    window.add("Mesh", "surface");
    window.vector("position", ["0", "0", "0"]);
    window.click("4 vertices, 4 triangles");
    let corners = [["-10", "-10"], ["-10", "10"], ["10", "10"], ["10", "-10"]];
    for (vertex, [x, z]) in corners.into_iter().enumerate() {
        window.vector(&format!("vertex {vertex}"), [x, "-5", z]);
    }
    for name in ["Remove triangle 3", "Remove triangle 2"] {
        // Through the accessibility tree, as it is in a list that scrolls within one that scrolls.
        window.window.harness.get_by_label(name).click_accesskit();
        window.window.settle();
        assert!(!window.window.has(name), "{name}");
    }
    for (triangle, corners) in [["0", "1", "2"], ["0", "2", "3"]].into_iter().enumerate() {
        for (letter, corner) in ["a", "b", "c"].into_iter().zip(corners) {
            window.fill(&format!("triangle {triangle} {letter}"), corner);
        }
    }
    window.add("Triangle", "end");
    window.vector("a", ["-2", "-1", "-5"]);
    window.vector("b", ["2", "-1", "-5"]);
    window.vector("c", ["0", "6", "-5"]);
    window.vector("position", ["0", "0", "100"]);
    window.escape();
    window.expect("A hit at a fraction of a frame");
    window.frame_and_tolerance(1, "0", "1e-9");
    window.fill("expectation 1 fraction", "(5-0.05-0.005)/(400/60)");
    window.choose("expectation 1 a", "bullet");
    window.choose("expectation 1 b", "paper");
    window.expect("A finding");
    window.choose("expectation 2 cause", "C01 too fast for too thin");
    window.choose("expectation 2 a", "bullet");
    window.choose("expectation 2 b", "paper");
    window.click("expectation 2 frame is given");
    window.expect("A position");
    window.choose("expectation 3 object", "bullet");
    window.frame_and_tolerance(3, "1", "1e-9");
    window.vector("expectation 3 is", ["-5 + 400/60", "1", "0"]);
    window.expect("A push of the camera");
    window.frame_and_tolerance(4, "3", "1e-6");
    window.fill("expectation 4 is z", "2/60");
    window.is(TYPED);
}

#[test]
fn a_new_test_takes_ten_clicks() {
    let mut window = CountedWindow::new();
    window.add("Box", "");
    window.add("Sphere", "");
    // A metre beside the box, toward it: 10 m in the second that the scene lasts.
    window.fill("velocity x", "-10");
    window.escape();
    window.expect("That two touch");
    window.window.looked_through();
    let report = report(window.window.model()).unwrap();
    assert_eq!(report.expectations[0].verdict, Verdict::Held);
    let path = window.window.folder.path().join("mine.ron");
    // Ctrl+S, a name and Enter, in a dialog of the system.
    window.keys += "mine".len() + 2;
    window.window.apply(Command::SaveTo(path.clone()));
    window
        .window
        .until("it is saved", |model| !model.is_saving());
    let check = ["hitstop".into(), "check".into(), path.into_os_string()];
    assert_eq!(program::run(&check), Status::Clean);
    // At a click and two keys a second this is a quarter of a minute.
    assert!(
        window.clicks <= 10 && window.keys <= 16,
        "{} clicks, {} keys",
        window.clicks,
        window.keys
    );
}
