//! The engine log: its rows, the filter, the lane, where a row leads; marks, values and layers of the log.

use super::window::*;

/// A player above a floor, whose ground ray of the last line misses the floor that is 0.5 m below it.
const LOG: &str = r#"{"hitstop": 1, "dt": 0.1, "gravity": [0, 0, 0], "objects": [{"id": 0, "name": "player", "shape": {"sphere": {"radius": 0.5}}}, {"id": 1, "name": "floor", "motion": "fixed", "position": [0, -2, 0], "shape": {"box": {"half_extents": [9, 1, 9]}}}], "joints": []}
{"frame": 10, "bodies": [{"id": 0, "p": [0, 0, 0]}], "log": ["level loaded"]}
{"frame": 11, "bodies": [{"id": 0, "p": [0.1, 0, 0]}], "queries": [{"kind": "ray", "tag": "ground", "id": 0, "from": [0.1, 0, 0], "to": [0.1, -2, 0], "hit": {"id": 1, "fraction": 0.5}}], "values": [{"name": "state", "id": 0, "text": "walking"}, {"name": "fuel", "id": 0, "value": 0.75}, {"name": "fps", "value": 60}]}
{"frame": 12, "bodies": [{"id": 0, "p": [0.2, 0, 0]}], "queries": [{"kind": "ray", "tag": "ground", "id": 0, "from": [0.2, 0, 0], "to": [0.2, -2, 0], "hit": {"id": 1, "fraction": 0.5}}], "values": [{"name": "state", "id": 0, "text": "walking"}], "contacts": [{"a": 0, "b": 1, "point": [0.2, -1, 0], "normal": [0, 1, 0], "depth": -0.5, "impulse": 2.5}]}
{"frame": 13, "bodies": [{"id": 0, "p": [0.3, 0, 0]}], "queries": [{"kind": "ray", "tag": "ground", "id": 0, "from": [0.3, 0, 0], "to": [0.3, -2, 0], "hit": null}], "log": [{"text": "no ground below", "id": 0, "level": "warning"}], "values": [{"name": "state", "id": 0, "text": "falling"}], "marks": [{"points": [[0.3, 0, 0], [0.3, -1, 0]], "name": "probe", "id": 0}]}
"#;

fn opened() -> Window {
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "game.jsonl", LOG))));
    window.until("it is diagnosed", |model| report(model).is_some());
    window.apply(Command::ShowPane(Pane::EngineLog));
    window.until("it is listed", |model| {
        session(model).derived.engine_log.list().is_some()
    });
    window.settle();
    window
}

fn rows(window: &Window) -> Vec<String> {
    // A row has its text as a tooltip, too.
    let mut texts = window.texts();
    texts.retain(|text| text.starts_with("Frame 1") && text.contains(": "));
    texts.dedup();
    texts
}

fn filtered(window: &mut Window, filter: &str) -> Vec<String> {
    window.apply(Command::FilterEngineLog(filter.to_owned()));
    window.until("it is listed", |model| {
        !model.jobs.is_running(JobKind::EngineLog)
    });
    window.settle();
    rows(window)
}

const GROUND: &str = "Frame 11: ray \"ground\" of player hits floor at 0.5";
const WRONG: &str = "Frame 13: ray \"ground\" of player hits nothing, which is wrong";

#[test]
fn each_entry_is_a_row_and_a_state_only_where_it_changes() {
    let mut window = opened();
    let wanted = [
        "Frame 10: level loaded",
        GROUND,
        "Frame 11: player: state is walking",
        "Frame 12: ray \"ground\" of player hits floor at 0.5",
        WRONG,
        "Frame 13: player: no ground below",
        "Frame 13: player: state is falling",
        "Frame 13: mark \"probe\" of player, 2 points",
    ];
    assert_eq!(rows(&window), wanted);
    assert_eq!(
        filtered(&mut window, "ground ray"),
        [wanted[1], wanted[3], wanted[4]]
    );
    assert_eq!(
        filtered(&mut window, "ground -nothing ray"),
        [wanted[1], wanted[3]]
    );
    assert_eq!(filtered(&mut window, "WARNING"), [wanted[5]]);
    assert_eq!(filtered(&mut window, "\"is falling\""), [wanted[6]]);
    assert!(filtered(&mut window, "rain").is_empty());
    assert!(window.has("No matches"));
    // The numbers of the frame are in the panel and in the inspector.
    filtered(&mut window, "");
    window.apply(Command::ShowPane(Pane::Plots));
    window.apply(Command::Seek {
        frame: 0,
        fraction: 0.0,
    });
    window.apply(Command::Select(Some(0)));
    window.settle();
    // Numbers can be plotted by their names.
    for text in ["fps", "60", "fuel", "0.75", "Plot fuel", "Plot fps"] {
        assert!(window.has(text), "{text}: {:?}", window.texts());
    }
}

#[test]
fn a_row_leads_to_its_frame_and_its_objects_and_a_wrong_one_to_the_finding() {
    let mut window = opened();
    window.click_row(GROUND);
    let model = window.model();
    assert_eq!(
        model.playback.playhead().position(),
        1.0,
        "the state of frame 11"
    );
    assert_eq!(model.selection.objects(), [0, 1]);
    assert_eq!(model.finding(), None);
    window.click_row(WRONG);
    let finding = window.model().selected_finding().expect("it is selected");
    assert_eq!(finding.cause.id(), "C22");
    assert!(window.has("Lane of the engine log"));
}

/// Three rays of a player: one is filtered by its mask, one ends above the floor, one passes a block.
#[test]
fn a_ray_that_rightly_meets_nothing_has_its_reason() {
    let log = r#"{"hitstop": 1, "dt": 0.1, "gravity": [0, 0, 0], "objects": [{"id": 0, "name": "player", "shape": {"sphere": {"radius": 0.5}}}, {"id": 1, "name": "floor", "motion": "fixed", "layer": 2, "position": [0, -2, 0], "shape": {"box": {"half_extents": [9, 1, 9]}}}, {"id": 2, "name": "block", "motion": "fixed", "layer": 2, "position": [5, 0, 0], "shape": {"box": {"half_extents": [1, 0.5, 1]}}}]}
{"frame": 0, "bodies": [{"id": 0, "p": [0, 0, 0]}]}
{"frame": 1, "bodies": [{"id": 0, "p": [0, 0, 0]}], "queries": [{"kind": "ray", "tag": "masked", "id": 0, "from": [0, 0, 0], "to": [0, -2, 0], "mask": 4, "hit": null}, {"kind": "ray", "tag": "short", "id": 0, "from": [0, 0, 0], "to": [0, -0.75, 0], "hit": null}, {"kind": "ray", "tag": "ahead", "id": 0, "from": [0, 0.75, 0], "to": [9, 0.75, 0], "hit": null}]}
"#;
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "game.jsonl", log))));
    window.until("it is diagnosed", |model| report(model).is_some());
    let link = "In the engine log: queries";
    window.settle();
    window.click(link);
    window.until("it is listed", |model| {
        session(model).derived.engine_log.list().is_some()
    });
    window.settle();
    for (tag, reason) in [
        (
            "masked",
            "It hits nothing: floor is in its way, but its layer 0x2 is not in the mask of the query.",
        ),
        ("short", "It hits nothing: it ends 0.25 m before floor."),
        ("ahead", "It hits nothing: it passes 0.25 m beside block."),
    ] {
        window.click_row(&format!("Frame 1: ray \"{tag}\" of player hits nothing"));
        assert!(window.has(reason), "{reason}: {:?}", window.texts());
    }
}

#[test]
fn a_level_without_such_a_log_says_what_to_log() {
    let mut window = Window::with(BULLET);
    window.apply(Command::ShowPane(Pane::EngineLog));
    window.settle();
    assert!(window.has("Nothing is logged"));
}

/// A character before a block of 0.35 m that it climbs up to 0.3 m.
const STEP: &str = r#"{"hitstop": 1, "dt": 0.1, "gravity": [0, -9.81, 0], "objects": [{"id": 0, "name": "player", "motion": "kinematic", "shape": {"capsule": {"half_height": 0.6, "radius": 0.3}}}, {"id": 1, "name": "floor", "motion": "fixed", "position": [0, -1, 0], "shape": {"box": {"half_extents": [9, 1, 9]}}}, {"id": 2, "name": "kerb", "motion": "fixed", "position": [2, 0.175, 0], "shape": {"box": {"half_extents": [1, 0.175, 9]}}}]}
{"frame": 0, "bodies": [{"id": 0, "p": [0.6, 0.9, 0]}]}
{"frame": 1, "bodies": [{"id": 0, "p": [0.7, 0.9, 0]}], "moves": [{"id": 0, "from": [0.6, 0.9, 0], "wish": [0.2, 0, 0], "to": [0.7, 0.9, 0], "max_slope": 45, "max_step": 0.3, "sweeps": [{"kind": "slide", "from": [0.6, 0.9, 0], "wish": [0.2, 0, 0], "to": [0.7, 0.9, 0], "hit": {"id": 2, "normal": [-1, 0, 0]}}]}]}
"#;

#[test]
fn a_stopped_move_leads_to_what_stopped_it() {
    let mut window = Window::open(|folder| Some(Source::File(write(folder, "step.jsonl", STEP))));
    window.until("it is diagnosed", |model| report(model).is_some());
    window.apply(Command::ShowPane(Pane::EngineLog));
    window.until("it is listed", |model| {
        session(model).derived.engine_log.list().is_some()
    });
    window.settle();
    // Another tab covers the inspector.
    window.apply(Command::ShowPane(Pane::Explain));
    window.settle();
    window.click_row("Frame 1: player meets kerb: 0.1 m of 0.2 m");
    let reason = "kerb is a step of 0.35 m, 0.05 m more than the highest step of 0.3 m";
    let wanted = [
        "It asks for 0.2 m along (1, 0, 0), goes 0.1 m of it.",
        "slide 0.1 m of 0.2 m: meets kerb with normal (-1, 0, 0)",
        reason,
    ];
    for text in wanted {
        assert!(window.has(text), "{text}: {:?}", window.texts());
    }
    window.key(Key::Y);
    window.until("it is explained", |model| {
        !model.jobs.is_running(JobKind::ExplainMotion)
    });
    window.settle();
    assert!(window.has(reason), "{:?}", window.texts());
}

/// A picture of 2 x 1 pixels.
const PNG: &[u8] = b"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x02\x00\x00\x00\x01\x08\x00\x00\x00\x00\xd1\x49\x20\x56\x00\x00\x00\x0b\x49\x44\x41\x54\x78\x9c\x63\x60\xf8\x0f\x00\x01\x02\x01\x00\x42\xbe\xbc\x68\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";

/// Frames of a game: a picture of 2 x 1 pixels, a file that is not a picture, one outside of the folder of the log, and a JPEG file.
#[test]
fn the_picture_of_the_game_is_the_latest_one() {
    let log = r#"{"hitstop": 1, "dt": 0.1, "objects": [{"id": 0, "name": "player", "shape": {"sphere": {"radius": 0.5}}}]}
{"frame": 0, "bodies": [{"id": 0, "p": [0, 0, 0]}]}
{"frame": 1, "bodies": [{"id": 0, "p": [0, 0, 0]}], "image": "shots/1.png"}
{"frame": 2, "bodies": [{"id": 0, "p": [0, 0, 0]}]}
{"frame": 3, "bodies": [{"id": 0, "p": [0, 0, 0]}], "image": "game.jsonl"}
{"frame": 4, "bodies": [{"id": 0, "p": [0, 0, 0]}], "image": "../1.png"}
{"frame": 5, "bodies": [{"id": 0, "p": [0, 0, 0]}], "image": "shots/5.png"}
"#;
    let mut window = Window::open(|folder| {
        let shots = folder.path().join("shots");
        std::fs::create_dir(&shots).unwrap();
        std::fs::write(shots.join("1.png"), PNG).unwrap();
        // Its content decides what it is.
        std::fs::write(shots.join("5.png"), include_bytes!("shot.jpg")).unwrap();
        Some(Source::File(write(folder, "game.jsonl", log)))
    });
    window.until("it is diagnosed", |model| report(model).is_some());
    window.apply(Command::ShowPane(Pane::GamePicture));
    let mut shown = |frame: u32, wanted: &str| {
        window.apply(Command::Seek {
            frame,
            fraction: 0.0,
        });
        window.until("it is read", |model| {
            !model.jobs.is_running(JobKind::GamePicture)
        });
        window.settle();
        let texts = window.texts();
        assert!(
            texts.iter().any(|text| text.contains(wanted)),
            "{wanted}: {texts:?}"
        );
    };
    shown(0, "No picture yet");
    shown(1, "frame 1: shots/1.png");
    shown(2, "frame 1: shots/1.png");
    shown(3, "The picture of frame 3 cannot be shown");
    // Its path leads out of the folder, so that it was left out with a notice.
    shown(4, "The picture of frame 3 cannot be shown");
    shown(5, "frame 5: shots/5.png");
}
