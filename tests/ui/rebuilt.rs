//! Scenes of the bundle, built again from an empty one by clicks and by typing into forms alone; and a test of one's own, from
//! nothing to a file that `check` passes.

use super::window::*;
use hitstop::core::diagnose::Verdict;
use hitstop::core::scene::Scene;
use std::process;

/// A person at the window, counted.
struct Person {
    window: Window,
    clicks: usize,
    keys: usize,
}

impl Person {
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
        self.window.click_far(label);
    }

    fn escape(&mut self) {
        self.keys += 1;
        self.window.key(Key::Escape);
    }

    fn choose(&mut self, name: &str, item: &str) {
        self.clicks += 2;
        self.window.choose(name, item);
    }

    fn expect(&mut self, claim: &str) {
        self.click("Expect…");
        self.click(claim);
    }

    /// The fields of a claim about a moment.
    fn moment(&mut self, number: usize, frame: &str, tolerance: &str) {
        self.fill(&format!("expectation {number} frame"), frame);
        self.fill(&format!("expectation {number} tolerance"), tolerance);
    }

    /// Holds what was built against the bundled scene: the same objects, the same findings, every claim true.
    fn is(&mut self, name: &str) {
        self.window.looked_through();
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
            .join("scenes")
            .join(name);
        let wanted = level::open(&file, &()).unwrap();
        let scene: &Scene = self.window.scene();
        let bundled = wanted.replay.scene();
        assert_eq!(scene.objects, bundled.objects);
        assert_eq!(
            (&scene.name, scene.dt, scene.frames),
            (&bundled.name, bundled.dt, bundled.frames)
        );
        assert_eq!(
            (scene.detection, scene.response),
            (bundled.detection, bundled.response)
        );
        let report = diagnose(&wanted, &Options::default(), &()).unwrap();
        let own = self
            .window
            .model()
            .document
            .as_ref()
            .unwrap()
            .report
            .as_ref()
            .unwrap();
        let found = |report: &hitstop::core::diagnose::Report| -> Vec<_> {
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
    /// Opens a field of a few choices, and takes one.
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
        self.settle();
        field(self, name).click();
        self.settle();
        let items = self.harness.query_all_by_label(item);
        items
            .last()
            .unwrap_or_else(|| panic!("{name} has no {item}"))
            .click();
        self.settle();
    }
}

#[test]
fn the_bullet_and_the_paper() {
    let mut person = Person::new();
    person.fill("title", "Bullet through paper");
    person.fill("frames", "4");
    person.add("Sphere", "bullet");
    person.fill("radius", "0.05");
    person.vector("position", ["-5", "1", "0"]);
    person.fill("velocity x", "400");
    person.add("Box", "paper");
    person.vector("half extents", ["0.01/2", "1", "1"]);
    person.vector("position", ["0", "1", "0"]);
    person.choose("motion", "fixed");
    person.escape();
    person.expect("A hit at a fraction of a frame");
    person.moment(1, "0", "1e-9");
    // 5 m, less the radius and half the thickness, of 400/60 m.
    person.fill("expectation 1 fraction", "(5-0.05-0.005)/(400/60)");
    person.expect("A finding");
    person.choose("expectation 2 cause", "C01 too fast for too thin");
    person.choose("expectation 2 a", "bullet");
    person.choose("expectation 2 b", "paper");
    person.click("expectation 2 frame is given");
    person.expect("A position");
    person.moment(3, "1", "1e-9");
    person.vector("expectation 3 is", ["-5 + 400/60", "1", "0"]);
    person.is("bullet_through_paper.ron");
}

#[test]
fn the_fall_on_a_surface_of_triangles() {
    let mut person = Person::new();
    person.fill("title", "Fast fall on a surface");
    person.fill("frames", "6");
    person.add("Sphere", "ball");
    person.vector("position", ["0", "10", "0"]);
    person.fill("velocity y", "-200");
    person.add("Mesh", "surface");
    person.vector("position", ["0", "0", "0"]);
    person.click("4 vertices, 4 triangles");
    for (vertex, [x, z]) in [["-10", "-10"], ["-10", "10"], ["10", "10"], ["10", "-10"]]
        .into_iter()
        .enumerate()
    {
        person.vector(&format!("vertex {vertex}"), [x, "-5", z]);
    }
    for name in ["Remove triangle 3", "Remove triangle 2"] {
        // Through the accessibility tree, as it lies in a list that scrolls within one that scrolls.
        person.window.harness.get_by_label(name).click_accesskit();
        person.window.settle();
        person.clicks += 1;
        assert!(!person.window.has(name), "{name}");
    }
    for (triangle, corners) in [["0", "1", "2"], ["0", "2", "3"]].into_iter().enumerate() {
        for (letter, corner) in ["a", "b", "c"].into_iter().zip(corners) {
            person.fill(&format!("triangle {triangle} {letter}"), corner);
        }
    }
    person.escape();
    person.expect("A hit at a fraction of a frame");
    // 14.5 m at 10/3 m a frame: 4.35 frames.
    person.moment(1, "4", "1e-9");
    person.fill("expectation 1 fraction", "0.35");
    person.expect("A finding");
    person.choose("expectation 2 cause", "C01 too fast for too thin");
    person.choose("expectation 2 a", "ball");
    person.choose("expectation 2 b", "surface");
    person.click("expectation 2 frame is given");
    person.fill("expectation 2 frame", "4");
    person.is("fast_chain.ron");
}

#[test]
fn the_camera_in_the_corridor() {
    let mut person = Person::new();
    person.fill("title", "Camera corridor");
    person.fill("frames", "180");
    person.click("A camera plays in this scene");
    person.vector("camera position", ["0", "1.6", "0"]);
    person.choose("camera motion", "by velocity");
    person.fill("camera velocity z", "-2");
    for (name, half, at) in [
        ("left", ["0.1", "1.5", "6"], ["-1.1", "1.5", "0"]),
        ("right", ["0.1", "1.5", "6"], ["1.1", "1.5", "0"]),
    ] {
        person.add("Box", name);
        person.vector("half extents", half);
        person.vector("position", at);
        person.choose("motion", "fixed");
    }
    person.add("Triangle", "end");
    for (corner, at) in [
        ("a", ["-2", "-1", "-5"]),
        ("b", ["2", "-1", "-5"]),
        ("c", ["0", "6", "-5"]),
    ] {
        person.vector(corner, at);
    }
    person.vector("position", ["0", "0", "0"]);
    person.add("Box", "floor");
    person.vector("half extents", ["1.2", "0.1", "6"]);
    person.vector("position", ["0", "-0.1", "0"]);
    person.choose("motion", "fixed");
    person.escape();
    person.expect("A push of the camera");
    // Every frame walks 1/30 m farther in, and is pulled back by as much.
    person.moment(1, "179", "1e-6");
    person.fill("expectation 1 is z", "2/60");
    person.click("Expect no findings");
    person.is("camera_corridor.ron");
    let camera = person.window.scene().camera.clone().unwrap();
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("scenes/camera_corridor.ron");
    let wanted = level::open(&file, &())
        .unwrap()
        .replay
        .scene()
        .camera
        .clone()
        .unwrap();
    assert!(
        camera
            .pose
            .rotation
            .abs_diff_eq(wanted.pose.rotation, 1e-15)
    );
    assert_eq!(camera.pose.position, wanted.pose.position);
    assert_eq!(
        (camera.movement, camera.probe),
        (wanted.movement, wanted.probe)
    );
    assert_eq!((camera.near, camera.aspect), (wanted.near, wanted.aspect));
    assert!((camera.fov - wanted.fov).abs() < 1e-15);
}

#[test]
fn a_test_of_ones_own_is_ten_clicks() {
    let mut person = Person::new();
    person.add("Box", "");
    person.add("Sphere", "");
    // A metre beside the box, toward it: 10 m in the second that the scene lasts.
    person.fill("velocity x", "-10");
    person.escape();
    person.expect("That two touch");
    person.window.looked_through();
    let document = person.window.model().document.as_ref().unwrap();
    assert_eq!(
        document.report.as_ref().unwrap().expectations[0].verdict,
        Verdict::Held
    );
    let path = person.window.folder.path().join("mine.ron");
    // Ctrl+S, a name and Enter, in a dialog of the system.
    person.keys += "mine".len() + 2;
    person.window.apply(Command::SaveTo(path.clone()));
    person.window.until("it is saved", |model| !model.writing());
    let checked = process::Command::new(env!("CARGO_BIN_EXE_hitstop"))
        .arg("check")
        .arg(&path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert_eq!(checked.status.code(), Some(0), "{said}");
    // At a click and two keys a second this is a quarter of a minute.
    assert!(
        person.clicks <= 10 && person.keys <= 16,
        "{} clicks, {} keys",
        person.clicks,
        person.keys
    );
}
