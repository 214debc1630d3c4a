//! Flat levels: the view of a drawing, fields of the plane, shapes of the plane.

use super::window::*;
use egui_kittest::kittest::NodeT as _;
use hitstop::app::authoring::{Drawn, Tool};
use hitstop::core::edit::{NewShape, Template};

const FLAT: &str = r#"Scene(
    version: 1,
    name: "flat",
    flat: true,
    frames: 4,
    dt: 0.015625,
    objects: [
        (name: "bullet", shape: Circle(radius: 0.125), position: (-6.0, 1.0), velocity: (256.0, 0.0)),
        (name: "wall", shape: Box(half_extents: (0.0625, 1.0)), position: (0.0, 1.0), rotation: Angle(10.0), motion: Fixed),
        (name: "ground", shape: Chain(points: [(-8.0, 0.0), (0.0, -1.0), (8.0, 0.0)], facing: Left), motion: Fixed),
    ],
)
"#;

/// The target and the eye of the view, and its projection.
fn view(window: &Window) -> (Vec<f64>, String) {
    let node = window.harness.get_by_label("Viewport");
    let value = node.accesskit_node().value().expect("a value");
    let numbers = value.split([' ', ',']).filter_map(|word| word.parse().ok());
    let projection = value.rsplit(' ').next().unwrap_or_default().to_owned();
    (numbers.collect(), projection)
}

fn is_from_the_front(window: &Window) -> bool {
    let (numbers, projection) = view(window);
    let [x, y, _, eye_x, eye_y, eye_z] = numbers[..] else {
        panic!("{numbers:?}");
    };
    (x, y) == (eye_x, eye_y) && eye_z > 0.0 && projection == "orthographic"
}

fn fields(window: &Window, title: &str) -> usize {
    ["x", "y", "z"]
        .iter()
        .filter(|axis| window.has(&format!("{title} {axis}")))
        .count()
}

#[test]
fn a_flat_level_is_seen_as_a_drawing_and_dragged_like_one() {
    let mut window = Window::with(FLAT);
    // The finding is chosen, and its view is a drawing, too.
    window.harness.run_steps(40);
    assert!(is_from_the_front(&window), "{:?}", view(&window));
    window.keys(Modifiers::SHIFT, Key::F);
    window.harness.run_steps(40);
    let before = view(&window).0;
    // From the empty top of the view, a quarter of its width to the right.
    let rect = window.rect("Viewport");
    let at = |share: f32| pos2(rect.left() + share * rect.width(), rect.top() + 90.0);
    window.harness.hover_at(at(0.4));
    window.harness.drag_at(at(0.4));
    window.harness.hover_at(at(0.65));
    window.harness.drop_at(at(0.65));
    window.settle();
    assert!(is_from_the_front(&window), "it is not turned");
    let after = view(&window).0;
    assert!(
        after[0] < before[0] && after[1] == before[1],
        "{before:?} {after:?}"
    );
}

#[test]
fn a_level_in_space_after_a_flat_one_is_seen_in_space() {
    let mut window = Window::with(FLAT);
    window.apply(Command::New(Template::BulletAndWall));
    window.until("the new scene is diagnosed", |model| {
        report(model).is_some()
    });
    window.harness.run_steps(40);
    let (_, projection) = view(&window);
    assert!(!is_from_the_front(&window), "{projection}");
}

#[test]
fn the_fields_of_a_flat_object_are_those_of_the_plane() {
    let mut window = Window::with(FLAT);
    // The fields of the finding would be there twice.
    window.key(Key::Escape);
    window.apply(Command::Select(Some(1)));
    window.settle();
    assert_eq!(fields(&window, "position"), 2);
    assert_eq!(fields(&window, "half extents"), 2);
    assert_eq!(
        (fields(&window, "rotation"), fields(&window, "spin")),
        (0, 0)
    );
    window.fill("rotation", "30");
    window.fill("half extents y", "2");
    window.looked_through();
    let text = window.text();
    let wall = r#"(name: "wall", shape: Box(half_extents: (0.0625, 2.0)), position: (0.0, 1.0), rotation: Angle(30.0), motion: Fixed)"#;
    assert!(text.contains(wall), "{text}");
    // A chain: its points, and its side.
    window.apply(Command::Select(Some(2)));
    window.settle();
    window.fill("point 2 y", "-2");
    window.looked_through();
    let chain = "Chain(points: [(-8.0, 0.0), (0.0, -2.0), (8.0, 0.0)], facing: Left)";
    assert!(window.text().contains(chain), "{}", window.text());
}

#[test]
fn new_objects_of_a_flat_level_are_flat() {
    let mut window = Window::with(FLAT);
    for shape in [
        NewShape::Sphere,
        NewShape::ConvexHull,
        NewShape::Mesh,
        NewShape::Capsule,
    ] {
        window.apply(Command::AddShape(shape));
        window.looked_through();
    }
    let text = window.text();
    for part in [
        r#"(name: "circle", shape: Circle(radius: 0.5)"#,
        r#"(name: "polygon", shape: Polygon(points: [(-0.5, -0.5), (0.5, -0.5), (0.0, 0.5)])"#,
        r#"(name: "chain", shape: Chain(points: [(-1.0, 0.0), (0.0, 0.25), (1.0, 0.0)])"#,
        r#"(name: "capsule", shape: Capsule(half_height: 0.5, radius: 0.25)"#,
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    // What a flat level does not have has a reason.
    let before = window.scene().objects.len();
    window.apply(Command::AddShape(NewShape::Cylinder));
    window.settle();
    assert_eq!(window.scene().objects.len(), before);
}

impl Window {
    /// Presses at one place of the viewport, as shares of its size, and releases at another.
    fn stroke(&mut self, from: [f32; 2], to: [f32; 2]) {
        let rect = self.rect("Viewport");
        let at = |[x, y]: [f32; 2]| rect.min + rect.size() * vec2(x, y);
        self.harness.hover_at(at(from));
        self.harness.step();
        self.harness.drag_at(at(from));
        self.harness.step();
        self.harness.hover_at(at(to));
        self.harness.step();
        self.harness.drop_at(at(to));
        self.looked_through();
        self.settle();
    }
}

/// The middle of the view shows its target, and each drag or click is where the mouse is.
#[test]
fn shapes_are_drawn_with_the_mouse() {
    let mut window = Window::with(FLAT);
    window.key(Key::Escape);
    window.keys(Modifiers::SHIFT, Key::F);
    window.harness.run_steps(40);
    let count = window.scene().objects.len();
    let last = |window: &Window| window.scene().objects.last().unwrap().clone();
    let target = view(&window).0;
    let near = |at: f64, wanted: f64| (at - wanted).abs() < 0.2;

    window.apply(Command::UseTool(Tool::Draw(Drawn::Circle)));
    window.settle();
    window.stroke([0.5, 0.5], [0.6, 0.5]);
    let circle = last(&window);
    assert!(matches!(circle.shape, hitstop::core::shape::Shape::Sphere { radius } if radius > 0.2));
    assert!(near(circle.pose.position.x, target[0]) && near(circle.pose.position.y, target[1]));
    // A click draws nothing.
    window.stroke([0.4, 0.3], [0.4, 0.3]);
    assert_eq!(window.scene().objects.len(), count + 1);

    window.apply(Command::UseTool(Tool::Draw(Drawn::Box)));
    window.settle();
    window.stroke([0.3, 0.4], [0.7, 0.6]);
    let drawn = last(&window);
    assert!(near(drawn.pose.position.x, target[0]) && near(drawn.pose.position.y, target[1]));
    assert!(matches!(
        drawn.shape,
        hitstop::core::shape::Shape::Box { .. }
    ));

    window.apply(Command::UseTool(Tool::Draw(Drawn::Polygon)));
    window.settle();
    for corner in [[0.3, 0.3], [0.5, 0.3], [0.5, 0.45], [0.3, 0.3]] {
        window.stroke(corner, corner);
        // No double click.
        window.harness.run_steps(60);
    }
    let (corners, _) = last(&window).shape.as_polygon().expect("a polygon");
    assert_eq!(corners.len(), 3);

    window.apply(Command::UseTool(Tool::Draw(Drawn::Chain)));
    window.settle();
    for point in [[0.2, 0.7], [0.4, 0.75], [0.6, 0.7]] {
        window.stroke(point, point);
        window.harness.run_steps(60);
    }
    window.key(Key::Enter);
    window.looked_through();
    let (points, is_closed, _) = last(&window).shape.as_chain().expect("a chain");
    assert_eq!((points.len(), is_closed), (3, false));
    // What is begun is dropped by Esc.
    window.stroke([0.2, 0.7], [0.2, 0.7]);
    window.key(Key::Escape);
    window.key(Key::Enter);
    assert_eq!(window.scene().objects.len(), count + 4);
}
