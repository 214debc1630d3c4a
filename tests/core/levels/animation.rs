//! Animated glTF files as recordings: poses by formula, frames, and broken files.

use base64::Engine as _;
use glam::{DQuat, DVec3};
use hitstop::convert::{Part, convert, convert_level};
use hitstop::core::diagnose::{Kind, Options, diagnose};
use hitstop::core::level::{self, Level, ReadOptions};
use hitstop::core::problem::{Problem, Problems};
use hitstop::core::scene::{DiskFolder, MemoryFolder, Movement};
use std::f64::consts::{FRAC_PI_2, TAU};

/// A ball and a thin wall as colliders: shapes 0 and 1.
const SHAPES: &str = r#""extensions": {"KHR_implicit_shapes": {"shapes": [{"type": "sphere", "sphere": {"radius": 0.25}},
    {"type": "box", "box": {"size": [0.125, 8, 8]}}]}}"#;

/// A node with a collider and more fields.
pub(super) fn node(name: &str, shape: usize, more: &str) -> String {
    format!(
        r#"{{"name": "{name}", {more} "extensions": {{"KHR_physics_rigid_bodies": {{"collider": {{"geometry": {{"shape": {shape}}}}}}}}}}}"#
    )
}

/// The keys of a property: the node, the property, the interpolation, times, and values in one row.
pub(super) type Keys<'k> = (usize, &'k str, &'k str, Vec<f64>, Vec<f64>);

/// A document of these nodes, each property of them an animation of its own.
pub(super) fn document(nodes: &[String], keys: &[Keys<'_>]) -> String {
    let (mut bytes, mut views, mut accessors, mut clips) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for (index, (node, path, interpolation, times, values)) in keys.iter().enumerate() {
        let (kind, parts) = match *path {
            "rotation" => ("VEC4", 4),
            _ => ("VEC3", 3),
        };
        for (kind, count, numbers) in [
            ("SCALAR", times.len(), times),
            (kind, values.len() / parts, values),
        ] {
            views.push(format!(
                r#"{{"buffer": 0, "byteOffset": {}, "byteLength": {}}}"#,
                bytes.len(),
                4 * numbers.len()
            ));
            accessors.push(format!(
                r#"{{"bufferView": {}, "componentType": 5126, "count": {count}, "type": "{kind}"}}"#,
                accessors.len()
            ));
            bytes.extend(
                numbers
                    .iter()
                    .flat_map(|number| (*number as f32).to_le_bytes()),
            );
        }
        clips.push(format!(
            r#"{{"channels": [{{"sampler": 0, "target": {{"node": {node}, "path": "{path}"}}}}],
                "samplers": [{{"input": {}, "output": {}, "interpolation": "{interpolation}"}}]}}"#,
            2 * index,
            2 * index + 1
        ));
    }
    let data = base64::engine::general_purpose::STANDARD.encode(&bytes);
    let (views, accessors, clips) = (views.join(","), accessors.join(","), clips.join(","));
    format!(
        r#"{{"asset": {{"version": "2.0"}}, {SHAPES}, "nodes": [{}], "animations": [{clips}],
        "buffers": [{{"byteLength": {}, "uri": "data:application/octet-stream;base64,{data}"}}],
        "bufferViews": [{views}], "accessors": [{accessors}]}}"#,
        nodes.join(","),
        bytes.len()
    )
}

pub(super) fn open(text: &str) -> Result<Level, Problems> {
    let files = [("level.gltf".to_owned(), text.as_bytes().to_vec())];
    let folder = MemoryFolder {
        files: files.into_iter().collect(),
    };
    level::open_in(&folder, "level.gltf", &())
}

pub(super) fn fault(text: &str) -> String {
    open(text).expect_err("it is refused").to_string()
}

/// The positions of the first object in each state.
fn positions(level: &Level) -> Vec<DVec3> {
    let states = 0..=level.replay.frames();
    let at = |state| level.replay.state(state).body(0).unwrap().pose.position;
    states.map(at).collect()
}

fn assert_near(got: DVec3, want: DVec3) {
    assert!(got.distance(want) < 1e-6, "{got} is not {want}");
}

/// Times of keys, 1/32 s apart: exact in `f32`.
pub(super) fn times(count: u32) -> Vec<f64> {
    (0..count).map(|key| f64::from(key) / 32.0).collect()
}

#[test]
fn each_key_is_a_state() {
    let ball = [node("ball", 0, ""), node("wall", 1, "")];
    let values = vec![0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 3.0, 1.0, 0.0];
    let level = open(&document(
        &ball,
        &[(0, "translation", "LINEAR", times(3), values)],
    ))
    .unwrap();
    let replay = &level.replay;
    assert_eq!((replay.frames(), replay.dt(0)), (2, 1.0 / 32.0));
    assert_eq!(replay.objects()[0].movement, Movement::Velocity);
    assert_eq!(replay.objects()[1].movement, Movement::Fixed);
    let expected = [0.0, 1.0, 3.0].map(|x| DVec3::new(x, 1.0, 0.0));
    assert_eq!(positions(&level), expected);
    assert!(level.notices.is_empty(), "{:?}", level.notices);
}

#[test]
fn values_between_keys_follow_the_interpolation() {
    // A second node has keys for the frames between.
    let nodes = [
        node("ball", 0, ""),
        node("other", 0, r#""translation": [0, 9, 0],"#),
    ];
    let fine = (
        1,
        "translation",
        "STEP",
        times(5),
        [0.0, 9.0, 0.0].repeat(5),
    );
    let keys = vec![0.0, 4.0 / 32.0];
    let second = 4.0 / 32.0;
    // From 0 to 1 m, with tangents of 0 and of 8 m/s.
    let cubic = [
        [0.0; 3],
        [0.0; 3],
        [0.0; 3],
        [8.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0; 3],
    ]
    .concat();
    let spline = |s: f64| (3.0 - 2.0 * s) * s * s + (s - 1.0) * s * s * second * 8.0;
    for (interpolation, values, at) in [
        (
            "STEP",
            vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            [0.0, 0.0, 0.0, 0.0, 1.0],
        ),
        (
            "LINEAR",
            vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
            [0.0, 0.25, 0.5, 0.75, 1.0],
        ),
        (
            "CUBICSPLINE",
            cubic,
            [0.0, 0.25, 0.5, 0.75, 1.0].map(spline),
        ),
    ] {
        let coarse = (0, "translation", interpolation, keys.clone(), values);
        let level = open(&document(&nodes, &[coarse, fine.clone()])).unwrap();
        let found = positions(&level);
        assert_eq!(found.len(), 5, "{interpolation}");
        for (got, x) in found.into_iter().zip(at) {
            assert_near(got, DVec3::new(x, 0.0, 0.0));
        }
    }
}

/// A child at 2 m from a parent that turns about Y, by a quarter from key to key, and is itself moved and scaled by half.
#[test]
fn a_child_moves_with_its_parent() {
    let pivot =
        r#"{"name": "pivot", "children": [0], "translation": [1, 0, 0], "scale": [0.5, 0.5, 0.5]}"#;
    let nodes = [
        node("ball", 0, r#""translation": [2, 0, 0],"#),
        pivot.to_owned(),
    ];
    let (mut values, fine) = (
        Vec::new(),
        (
            0,
            "translation",
            "STEP",
            times(5),
            [2.0, 0.0, 0.0].repeat(5),
        ),
    );
    for quarter in 0..3 {
        values.extend(DQuat::from_rotation_y(f64::from(quarter) * FRAC_PI_2).to_array());
    }
    // The shorter way, also where the sign of a key is the other.
    values[4..8]
        .iter_mut()
        .for_each(|number| *number = -*number);
    let turn = (
        1,
        "rotation",
        "LINEAR",
        vec![0.0, 2.0 / 32.0, 4.0 / 32.0],
        values,
    );
    let level = open(&document(&nodes, &[turn, fine])).unwrap();
    for (at, state) in positions(&level).into_iter().zip(0..) {
        let angle = f64::from(state) * TAU / 8.0;
        assert_near(at, DVec3::new(1.0 + angle.cos(), 0.0, -angle.sin()));
    }
    let state = level.replay.state(1);
    let body = state.body(0).unwrap();
    let turned = body.pose.rotation * DVec3::X;
    assert_near(
        turned,
        DVec3::new((TAU / 8.0).cos(), 0.0, -(TAU / 8.0).sin()),
    );
}

#[test]
fn what_is_no_rigid_motion_has_a_notice() {
    let skinned = r#"{"name": "figure", "skin": 0}"#.to_owned();
    let nodes = [node("ball", 0, ""), skinned];
    let path = |x: f64| vec![0.0, 0.0, 0.0, x, 0.0, 0.0];
    let keys = [
        (0, "translation", "LINEAR", vec![0.0, 1.0], path(1.0)),
        (0, "translation", "LINEAR", vec![0.0, 1.0], path(2.0)),
        (0, "scale", "LINEAR", vec![0.0, 1.0], path(2.0)),
    ];
    let level = open(&document(&nodes, &keys)).unwrap();
    // Keys a second apart give no frames.
    assert_eq!(level.replay.frames(), 60);
    assert_near(positions(&level)[30], DVec3::new(0.5, 0.0, 0.0));
    let notices: Vec<_> = level.notices.iter().map(ToString::to_string).collect();
    for text in [
        "animated scales are left out",
        "the first is taken",
        "60 frames a second",
        "meshes with a skin",
    ] {
        assert!(
            notices.iter().any(|notice| notice.contains(text)),
            "{text}: {notices:?}"
        );
    }
}

/// A model of two balls that overlap, below a node that moves; the wall has keys but stays.
#[test]
fn parts_of_a_model_do_not_collide_and_what_stays_is_fixed() {
    let model = r#"{"name": "model", "children": [0, 1]}"#.to_owned();
    let nodes = [
        node("ball", 0, ""),
        node("other", 0, r#""translation": [0.25, 0, 0],"#),
        model,
        node("wall", 1, r#""translation": [9, 0, 0],"#),
    ];
    let moves = (
        2,
        "translation",
        "LINEAR",
        times(4),
        (0..12).map(f64::from).collect(),
    );
    let stays = (
        3,
        "translation",
        "LINEAR",
        times(4),
        [9.0, 0.0, 0.0].repeat(4),
    );
    let keeps = (3, "scale", "LINEAR", times(4), vec![1.0; 12]);
    let level = open(&document(&nodes, &[moves, stays, keeps])).unwrap();
    let objects = level.replay.objects();
    let moves: Vec<_> = objects
        .iter()
        .map(|object| object.movement != Movement::Fixed)
        .collect();
    assert_eq!(moves, [true, true, false]);
    assert!(objects[0].body.is_some() && objects[0].body == objects[1].body);
    assert!(level.notices.is_empty(), "{:?}", level.notices);
    let report = diagnose(&level, &Options::default(), &()).unwrap();
    assert_eq!(report.findings.total(), 0, "{:?}", report.findings[0]);
}

/// A ball is held on one side of the wall for four frames, then on the other.
#[test]
fn a_held_value_that_changes_is_a_teleport() {
    let nodes = [
        node("ball", 0, ""),
        node("wall", 1, ""),
        node("other", 0, r#""translation": [0, 9, 0],"#),
    ];
    let held = (
        0,
        "translation",
        "STEP",
        vec![0.0, 4.0 / 32.0],
        vec![-2.0, 0.0, 0.0, 2.0, 0.0, 0.0],
    );
    let fine = (
        2,
        "translation",
        "LINEAR",
        times(6),
        (0..18).map(|part| f64::from(part / 3)).collect(),
    );
    let level = open(&document(&nodes, &[held, fine])).unwrap();
    let jumped = |state| level.replay.state(state).body(0).unwrap().teleported;
    assert_eq!([3, 4, 5].map(jumped), [false, true, false]);
    let report = diagnose(&level, &Options::default(), &()).unwrap();
    assert!(
        report
            .findings
            .iter()
            .all(|found| found.kind != Kind::Tunnels)
    );
}

/// Uneven scale above a rotation: the ball is there until it would be stretched.
#[test]
fn what_is_stretched_is_left_out() {
    let pivot = r#"{"name": "pivot", "children": [0], "scale": [2, 1, 1]}"#.to_owned();
    let nodes = [node("ball", 0, ""), pivot];
    let quarter = DQuat::from_rotation_z(FRAC_PI_2).to_array();
    let values = [
        DQuat::IDENTITY.to_array(),
        DQuat::IDENTITY.to_array(),
        quarter,
        quarter,
    ]
    .concat();
    let turn = (0, "rotation", "LINEAR", times(4), values);
    let text = document(&nodes, &[turn]).replace(r#""shape": 0"#, r#""shape": 1"#);
    let level = open(&text).unwrap();
    let is_there = |state| level.replay.state(state).body(0).is_some();
    assert_eq!([0, 1, 2, 3].map(is_there), [true, true, false, false]);
    assert!(
        level.notices[0].what.contains("left out from frame 2 on"),
        "{}",
        level.notices[0]
    );
}

#[test]
fn a_scene_may_name_an_animation() {
    let folder = tempfile::tempdir().unwrap();
    let values = vec![-8.0, 0.0, 0.0, -4.0, 0.0, 0.0, 4.0, 0.0, 0.0];
    let text = document(
        &[node("ball", 0, ""), node("wall", 1, "")],
        &[(0, "translation", "LINEAR", times(3), values)],
    );
    let path = folder.path().join("level.gltf");
    std::fs::write(&path, text).unwrap();
    let level = level::open(&path, &()).unwrap();
    let scene = folder.path().join("level.ron");
    convert_level(&level, &scene, &Part::Whole, &()).unwrap();
    let again = level::open(&scene, &()).unwrap();
    assert_eq!(again.replay.recording(), level.replay.recording());
    let report = diagnose(&again, &Options::default(), &()).unwrap();
    assert_eq!(report.findings[0].kind, Kind::Tunnels);
}

#[test]
fn a_ball_that_passes_the_wall_is_found_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    for (reach, kinds) in [(4.0, vec![Kind::Tunnels]), (-4.0, vec![])] {
        let nodes = [
            node("ball", 0, r#""translation": [-5, 0, 0],"#),
            node("wall", 1, ""),
        ];
        let values = vec![
            -8.0, 0.0, 0.0, -4.0, 0.0, 0.0, reach, 0.0, 0.0, reach, 0.0, 0.0,
        ];
        let text = document(&nodes, &[(0, "translation", "LINEAR", times(4), values)]);
        let path = folder.path().join("level.gltf");
        std::fs::write(&path, text).unwrap();
        let log = folder.path().join("level.jsonl");
        convert(&path, &log, &Part::Whole, &ReadOptions::default(), &()).unwrap();
        for file in [path, log] {
            let level = level::open(&file, &()).unwrap();
            let report = diagnose(&level, &Options::default(), &()).unwrap();
            let found: Vec<Kind> = report.findings.iter().map(|finding| finding.kind).collect();
            assert_eq!(found, kinds, "{}", file.display());
        }
    }
}

/// No animation, and one of a single key: the file is opened as its objects, as an OBJ file is.
#[test]
fn a_file_without_motion_has_its_objects_and_says_so() {
    let nodes = [node("ball", 0, "")];
    let still = (0, "translation", "LINEAR", vec![0.0], vec![0.0; 3]);
    for channels in [&[][..], &[still]] {
        let level = open(&document(&nodes, channels)).unwrap();
        assert_eq!(level.replay.objects().len(), 1);
        let first = level.notices[0].to_string();
        assert!(
            first.contains("nothing moves") && first.contains("1 object"),
            "{first}"
        );
    }
}

#[test]
fn a_broken_animation_is_an_error() {
    let nodes = [node("ball", 0, "")];
    let row = || vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let of = |node, path, interpolation, times, values| {
        document(&nodes, &[(node, path, interpolation, times, values)])
    };
    let good = of(0, "translation", "LINEAR", times(2), row());
    for (text, what) in [
        (
            of(7, "translation", "LINEAR", times(2), row()),
            "moves node 7, which is not there",
        ),
        (
            of(0, "translation", "LINEAR", vec![1.0, 0.5], row()),
            "times of its keys must rise",
        ),
        (
            of(0, "translation", "LINEAR", vec![0.0, f64::NAN], row()),
            "times of its keys must rise",
        ),
        (
            of(0, "translation", "LINEAR", times(2), vec![0.0; 3]),
            "one value for each key",
        ),
        (
            of(0, "translation", "CUBICSPLINE", times(2), row()),
            "one value for each key",
        ),
        (
            of(0, "translation", "LINEAR", times(2), vec![f64::INFINITY; 6]),
            "not finite",
        ),
        (
            of(0, "translation", "BEZIER", times(2), row()),
            "\"BEZIER\" is not known",
        ),
        (
            of(0, "translation", "LINEAR", vec![0.0, 1e9], row()),
            "at most 1000000",
        ),
        (
            of(0, "rotation", "LINEAR", times(2), vec![0.0; 8]),
            "a rotation has no length",
        ),
        (
            good.replace(r#""sampler": 0"#, r#""sampler": 3"#),
            "has no sampler",
        ),
        (
            good.replace(r#""input": 0"#, r#""input": 9"#),
            "no accessor 9",
        ),
        (
            good.replace(
                r#""count": 2, "type": "VEC3""#,
                r#""count": 3, "type": "VEC3""#,
            ),
            "beyond its end",
        ),
        (
            good.replace(r#""componentType": 5126"#, r#""componentType": 5125"#),
            "must be floats",
        ),
    ] {
        let found = fault(&text);
        assert!(found.contains(what), "{what}: {found}");
    }
}

/// A chain of nodes outside the scene, each with the next as a child twice.
#[test]
fn nodes_that_share_children_take_no_time() {
    let mut nodes = vec![node("ball", 0, "")];
    nodes.extend((1..60).map(|index| format!(r#"{{"children": [{0}, {0}]}}"#, index + 1)));
    nodes.push("{}".to_owned());
    let values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0];
    let text = document(&nodes, &[(0, "translation", "LINEAR", times(2), values)]);
    let text = text.replacen('{', r#"{"scene": 0, "scenes": [{"nodes": [0]}], "#, 1);
    assert_eq!(open(&text).unwrap().replay.frames(), 1);
}

/// Two animations move the same ball, by 1 m and by 3 m; the second has no name.
#[test]
fn one_of_several_animations_is_chosen() {
    let times = vec![0.0, 0.5];
    let to = |x: f64| vec![0.0, 0.0, 0.0, x, 0.0, 0.0];
    let keys = [1.0, 3.0].map(|x| (0, "translation", "LINEAR", times.clone(), to(x)));
    let text = document(&[node("ball", 0, "")], &keys);
    let text = text.replacen(r#"{"channels""#, r#"{"name": "walk", "channels""#, 1);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("level.gltf");
    std::fs::write(&path, text).unwrap();
    let open = |name: Option<&str>| {
        let options = ReadOptions {
            animation: name.map(str::to_owned),
            ..ReadOptions::default()
        };
        level::open_with(&path, &options, &DiskFolder::of(&path), &())
    };
    for (name, x) in [(None, 1.0), (Some("walk"), 1.0), (Some("1"), 3.0)] {
        let level = open(name).unwrap();
        let last = level.replay.state(level.replay.frames());
        let position = last.body(0).unwrap().pose.position;
        assert_eq!(position, DVec3::new(x, 0.0, 0.0), "{name:?}");
        let is_named = |notice: &Problem| notice.help.contains("--animation NAME: walk, 1");
        assert_eq!(
            level.notices.iter().any(is_named),
            name.is_none(),
            "{name:?}"
        );
    }
    let found = open(Some("run")).unwrap_err().to_string();
    assert!(
        found.contains("no animation `run`") && found.contains("walk, 1"),
        "{found}"
    );
}
