//! Overlays of the viewport: the ruler and the spheres of meshes.

use super::window::*;
use egui_kittest::kittest::NodeT as _;

/// A ball 3 to the left of a tetrahedron's corner at the origin, 4 below it.
const MESH: &str = r#"Scene(
    version: 1,
    name: "Mesh",
    dt: 1.0,
    frames: 3,
    objects: [
        (name: "ball", shape: Sphere(radius: 0.5), position: (-3.0, 4.0, 0.0), velocity: (0.0, -8.0, 0.0)),
        (name: "spike", shape: Mesh(
            vertices: [(0.0, 0.0, 0.0), (9.0, -1.0, -1.0), (9.0, -1.0, 1.0), (9.0, 1.0, 0.0)],
            triangles: [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)],
        ), motion: Fixed),
        (name: "post", shape: Sphere(radius: 1.0), position: (-3.0, 4.0, 0.0), motion: Fixed),
    ],
)"#;

#[test]
fn the_ruler_measures_the_selected_pair_at_the_playhead() {
    let mut window = Window::with(MESH);
    window.key(Key::Escape);
    window.key(Key::Home);
    window.keys(Modifiers::SHIFT, Key::R);
    assert!(window.has("Ruler: select two objects"));
    window.apply(Command::SelectPair(0, 1));
    window.settle();
    assert!(window.has("ball to spike"));
    // 3, 4, 5 to the corner, less the radius: 0.9 of each.
    for reading in [
        "Ruler, Distance: 4.5 m",
        "Ruler, Along x: 2.7 m",
        "Ruler, Along y: -3.6 m",
        "Ruler, Along z: 0 m",
        "Ruler, In plane xy: 4.5 m",
        "Ruler, In plane yz: 3.6 m",
        "Ruler, In plane zx: 2.7 m",
    ] {
        assert!(window.has(reading), "{reading}");
    }
    // Half a frame later the ball is at the height of the corner.
    window.apply(Command::Seek {
        frame: 0,
        fraction: 0.5,
    });
    window.settle();
    assert!(window.has("Ruler, Distance: 2.5 m"));
    // Coincident centres: 1.5 deep along any axis.
    window.key(Key::Home);
    window.apply(Command::SelectPair(0, 2));
    window.settle();
    assert!(window.has("ball to post") && window.has("Ruler, Depth: 1.5 m"));
    window.click("View");
    window.click("Measure and cut");
    window.click("Ruler");
    assert!(!window.model().layers.has(Switch::Ruler) && !window.has("ball to post"));
}

#[test]
fn an_arrow_points_to_a_selected_object_that_is_out_of_view() {
    let far = MESH.replace(
        "radius: 1.0), position: (-3.0",
        "radius: 1.0), position: (-300.0",
    );
    let mut window = Window::with(&far);
    for (object, is_out) in [(1, false), (2, true)] {
        window.apply(Command::Select(Some(object)));
        window.settle();
        if object == 1 {
            window.key(Key::F);
        }
        assert_eq!(window.has("post is out of view"), is_out);
    }
    window.key(Key::F);
    assert!(!window.has("post is out of view"));
}

#[test]
fn the_ruler_is_found_in_the_palette() {
    let mut window = Window::with(MESH);
    window.keys(Modifiers::COMMAND, Key::K);
    let field = window.harness.get_by_label("Search everything");
    field.type_text("measure distance");
    window.settle();
    assert!(window.has("View: Ruler"));
    window.key(Key::Enter);
    assert!(window.model().layers.has(Switch::Ruler));
}

#[test]
fn the_level_of_sphere_trees_is_chosen_in_the_view_menu() {
    // Five quads are ten triangles: two levels below the root.
    let quads = "HeightField(heights: [[0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], cell: (1.0, 1.0))";
    let text = MESH.replace("Sphere(radius: 1.0)", quads);
    let mut window = Window::with(&text);
    window.click("View");
    window.click("Sphere trees: All");
    assert_eq!(window.model().layers.get(Layer::SphereTrees), Show::All);
    assert!(!window.has("Sphere trees: level 3"));
    window.click("Sphere trees: level 0");
    assert_eq!(window.model().layers.sphere_level, 0);
    window.click("Default layers");
    assert_eq!(window.model().layers.get(Layer::SphereTrees), Show::None);
    window.key(Key::Escape);
    window.keys(Modifiers::COMMAND, Key::K);
    let field = window.harness.get_by_label("Search everything");
    field.type_text("sphere trees level");
    window.settle();
    assert!(window.has("View: Sphere trees, level 2"));
    assert!(!window.has("View: Sphere trees, level 3"));
}

/// The position of the eye and the projection, as the viewport describes them.
fn eye_and_projection(window: &Window) -> (Vec<f64>, bool) {
    let view = window.harness.get_by_label("Viewport");
    let value = view.accesskit_node().value().unwrap_or_default();
    let numbers = |text: &str| -> Vec<f64> {
        let words = text.split([' ', ',']);
        words.filter_map(|word| word.parse().ok()).collect()
    };
    let (target, eye) = value.split_once(" from ").expect("target and eye");
    let (target, eye) = (numbers(target), numbers(eye));
    let from_target = eye.iter().zip(target).map(|(eye, at)| eye - at).collect();
    (from_target, value.ends_with("orthographic"))
}

#[test]
fn a_click_on_an_axis_looks_along_it_and_keeps_the_selection() {
    let mut window = Window::bullet();
    window.click_row("bullet");
    let selected = window.model().selection.objects().to_vec();
    assert!(!selected.is_empty());
    for (axis, number) in [("+X", 0), ("+Y", 1), ("+Z", 2)] {
        window.click(&format!("View from {axis}"));
        window.harness.run_steps(20);
        let (eye, _) = eye_and_projection(&window);
        let distance = eye.iter().map(|part| part * part).sum::<f64>().sqrt();
        assert!(eye[number] > 0.999 * distance, "{axis}: {eye:?}");
    }
    assert_eq!(window.model().selection.objects(), selected);
}

#[test]
fn the_view_commands_turn_the_view_and_switch_the_projection() {
    let mut window = Window::bullet();
    window.key(Key::Num5);
    let (_, orthographic) = eye_and_projection(&window);
    assert!(!orthographic);
    window.key(Key::Num5);
    window.keys(Modifiers::COMMAND, Key::Num3);
    window.harness.run_steps(20);
    let (eye, orthographic) = eye_and_projection(&window);
    assert!(orthographic && eye[0] < 0.0, "{eye:?}");
    assert!(eye[1].abs() < 1e-3 && eye[2].abs() < 1e-3, "{eye:?}");
}

/// The ball flies along x against a wall across x: edge-on, the eye is across both.
#[test]
fn a_finding_is_seen_edge_on_until_the_view_is_turned() {
    let mut window = Window::with(BULLET);
    let is_edge_on = |window: &mut Window| {
        window.harness.run_steps(40);
        let (eye, orthographic) = eye_and_projection(window);
        assert!(!orthographic || eye[0].abs() < 1e-3, "{eye:?}");
        orthographic
    };
    assert!(is_edge_on(&mut window));
    window.drag("Viewport", 0.1, 0.3);
    assert!(!is_edge_on(&mut window));
    window.key(Key::F);
    assert!(is_edge_on(&mut window));
    window.key(Key::Num5);
    assert!(!is_edge_on(&mut window));
}

/// In a narrower window the view of a finding is from farther away, so that the whole path is in it; a view that the user chose stays.
#[test]
fn the_view_of_a_finding_is_fitted_to_a_resized_window() {
    let mut window = Window::with(BULLET);
    let distance = |window: &mut Window, size| {
        window.harness.set_size(size);
        window.harness.run_steps(60);
        let (eye, _) = eye_and_projection(window);
        eye.iter().map(|part| part * part).sum::<f64>().sqrt()
    };
    let [wide, narrow] = [vec2(1400.0, 800.0), vec2(700.0, 800.0)];
    let before = distance(&mut window, wide);
    assert!(distance(&mut window, narrow) > 1.3 * before);
    window.drag("Viewport", 0.1, 0.3);
    let turned = distance(&mut window, narrow);
    assert!((distance(&mut window, wide) - turned).abs() < 1e-3 * turned);
}

/// A log of a ball, of a line with so many queries that hit nothing.
fn with_queries(count: usize) -> Window {
    let query = r#"{"kind": "ray", "from": [0, 50, 0], "to": [0, 90, 0], "hit": null}"#;
    let queries = vec![query; count].join(",");
    let log = format!(
        r#"{{"hitstop": 1, "dt": 0.1, "objects": [{{"id": 0, "name": "ball", "shape": {{"sphere": {{"radius": 1}}}}}}]}}
{{"frame": 0, "bodies": [{{"id": 0, "p": [0, 0, 0]}}]}}
{{"frame": 1, "bodies": [{{"id": 0, "p": [0, 0, 0]}}], "queries": [{queries}]}}
"#
    );
    let mut window =
        Window::open(|folder| Some(Source::File(write(folder, "queries.jsonl", &log))));
    window.until("it is diagnosed", |model| report(model).is_some());
    window.apply(Command::ShowLayer(Layer::Queries, Show::All));
    window.settle();
    window
}

#[test]
fn the_layer_of_queries_says_how_many_it_leaves_out() {
    assert!(with_queries(100).has("64 of 100 queries drawn"));
    let window = with_queries(64);
    let has_note = window.texts().iter().any(|text| text.contains("drawn"));
    assert!(!has_note);
}

/// A sweep that hits a door which nothing of its path touches, with settings, causes that were not checked, and a wrong query.
#[test]
fn texts_have_no_back_ticks() {
    let mut window = Window::start_page();
    for level in ["own_query.ron", "recordings/warehouse.jsonl"] {
        window.apply(Command::OpenBundled(level.into()));
        window.until("it is diagnosed", |model| report(model).is_some());
        let report = serde_json::to_string(report(window.model()).unwrap()).unwrap();
        assert!(report.contains('`'), "{level}");
        window.apply(Command::ShowPane(Pane::Explain));
        let title = window
            .texts()
            .into_iter()
            .find(|text| text.ends_with("not checked") || text.ends_with("pairs not judged"));
        if let Some(title) = title {
            window.click(&title);
        }
        window.settle();
        let texts = window.texts();
        let marked: Vec<_> = texts.iter().filter(|text| text.contains('`')).collect();
        assert!(marked.is_empty(), "{level}: {marked:#?}");
    }
}
