//! What the user is asked before a file is read: the columns of a table, and which animation.

use super::window::*;
use base64::Engine as _;
use hitstop::core::log::Column;

/// A ball at x = 2, 4, 6 m, y = 1 m.
const TABLE_OF_A_BALL: &str = "clock,east,up,north\n0,2,1,0\n0.02,4,1,0\n0.04,6,1,0\n";

impl Window {
    /// Chooses what a column is.
    fn set_column(&mut self, column: usize, before: &str, wanted: &str) {
        self.click(&format!("Column {column}: {before}"));
        let item = self
            .harness
            .get_by(|node| node.role() != Role::Label && node.label().as_deref() == Some(wanted));
        item.click_accesskit();
        self.settle();
    }

    fn is_enabled(&self, button: &str) -> bool {
        let node = self.harness.get_by_role_and_label(Role::Button, button);
        !egui_kittest::kittest::NodeT::accesskit_node(&node).is_disabled()
    }

    /// The position of the first object in a state of the open file, once it is open.
    fn x_of(&mut self, path: &std::path::Path, state: u32) -> f64 {
        self.until("the file is open", |model| {
            let open = model.document();
            open.is_some_and(|open| open.source == Source::File(path.to_owned()))
        });
        let replay = self.session().document.replay();
        let bodies = replay.state(state);
        bodies.body(0).unwrap().pose.position.x
    }
}

#[test]
fn a_table_asks_for_its_columns_and_keeps_the_answer() {
    let mut window = Window::bullet();
    let path = write(&window.folder, "run.csv", TABLE_OF_A_BALL);
    window.apply(Command::Open(path.clone()));
    let asks = |model: &Model| model.asking().is_some();
    window.until("it asks", asks);
    for shown in ["Open run.csv", "east", "0.02", "6"] {
        assert!(window.has(shown), "{shown}");
    }
    assert!(window.has("Column 1: time"), "guessed by its heading");
    assert!(!window.is_enabled("Open"));
    let missing = window
        .harness
        .query_by_label_contains("columns are missing: px, py, pz");
    assert!(missing.is_some());

    // The open level stays.
    window.click("Cancel");
    assert!(window.model().scene_doc().is_some() && window.model().asking().is_none());

    window.apply(Command::Open(path.clone()));
    window.until("it asks", asks);
    window.set_column(2, "not read", "px");
    window.set_column(3, "not read", "py");
    window.set_column(4, "not read", "pz");
    assert!(window.has("The first rows have 1 object in 3 frames."));
    window.click("Unit cm");
    window.click("Open");
    assert_eq!(window.x_of(&path, 2), 0.06);

    // Another program writes it again, and it is opened again as a recent file.
    write(
        &window.folder,
        "run.csv",
        &TABLE_OF_A_BALL.replace(",6,", ",8,"),
    );
    window.key(Key::F5);
    window.until("it is read again", |model| {
        let replay = session(model).document.replay();
        replay.state(2).body(0).unwrap().pose.position.x == 0.08
    });
    let answer = window.saved_settings().read_as;
    assert_eq!(answer.len(), 1);
    window.keys(Modifiers::COMMAND, Key::W);
    window.click("run.csv");
    assert_eq!(window.x_of(&path, 2), 0.08);

    // Another answer.
    window.menu("File", "Reading options…");
    window.until("it asks", asks);
    window.set_column(3, "py", Column::Px.name());
    assert!(window.has("Column 2: not read"), "there is one px");
    window.set_column(2, "not read", "py");
    window.click("Unit m");
    window.click("Open");
    window.until("it is read again", |model| {
        let replay = session(model).document.replay();
        replay.state(2).body(0).unwrap().pose.position.y == 8.0
    });
}

#[test]
fn several_animations_ask_which_one() {
    // Times, and a path of 1 m and one of 3 m.
    let numbers = [
        0.0_f32, 0.5, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0,
    ];
    let bytes: Vec<u8> = numbers.iter().flat_map(|one| one.to_le_bytes()).collect();
    let data = base64::engine::general_purpose::STANDARD.encode(bytes);
    let clip = |name: &str, output: usize| {
        format!(
            r#"{{"name": "{name}", "channels": [{{"sampler": 0, "target": {{"node": 0, "path": "translation"}}}}],
                "samplers": [{{"input": 0, "output": {output}}}]}}"#
        )
    };
    let view = |at: usize, length: usize| {
        format!(r#"{{"buffer": 0, "byteOffset": {at}, "byteLength": {length}}}"#)
    };
    let accessor = |view: usize, kind: &str| {
        format!(r#"{{"bufferView": {view}, "componentType": 5126, "count": 2, "type": "{kind}"}}"#)
    };
    let text = format!(
        r#"{{"asset": {{"version": "2.0"}},
        "extensions": {{"KHR_implicit_shapes": {{"shapes": [{{"type": "sphere", "sphere": {{"radius": 0.25}}}}]}}}},
        "nodes": [{{"name": "ball", "extensions": {{"KHR_physics_rigid_bodies": {{"collider": {{"geometry": {{"shape": 0}}}}}}}}}}],
        "animations": [{}, {}], "bufferViews": [{}, {}, {}], "accessors": [{}, {}, {}],
        "buffers": [{{"byteLength": 56, "uri": "data:application/octet-stream;base64,{data}"}}]}}"#,
        clip("walk", 1),
        clip("run", 2),
        view(0, 8),
        view(8, 24),
        view(32, 24),
        accessor(0, "SCALAR"),
        accessor(1, "VEC3"),
        accessor(2, "VEC3"),
    );
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "level.gltf", &text))));
    let path = window.folder.path().join("level.gltf");
    let asks = |model: &Model| model.asking().is_some();
    window.until("it asks", asks);
    let chosen = |window: &Window| {
        let options = &window.model().asking().unwrap().options;
        options.animation.clone()
    };
    assert_eq!(chosen(&window).as_deref(), Some("walk"), "the first");
    window.click("run, 0.5 s");
    assert_eq!(chosen(&window).as_deref(), Some("run"));
    window.key(Key::Enter);
    assert_eq!(window.x_of(&path, u32::MAX), 3.0);
    window.key(Key::F5);
    window.until("it is read again", |model| {
        !model.jobs.is_running(JobKind::Open)
    });
    assert!(window.model().asking().is_none());
}
