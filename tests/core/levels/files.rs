//! Files of other programs, and what must come out of them. The expected values are those of the program that made the file.

use glam::DVec3;
use hitstop::core::diagnose::{Kind, Options, diagnose};
use hitstop::core::import::{Geometry, read_geometry};
use hitstop::core::level::{self, Level};
use hitstop::core::scene::{MemoryFolder, Object, Units};
use hitstop::core::shape::Facing;
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/core/levels/files")
}

fn open(file: &str) -> Level {
    level::open(&folder().join(file), &()).unwrap_or_else(|problems| panic!("{file}: {problems}"))
}

fn objects(geometry: &Geometry) -> Vec<Object> {
    geometry.objects(geometry.usual(), Facing::Both)
}

fn kinds(level: &Level) -> Vec<Kind> {
    let report = diagnose(level, &Options::default(), &()).unwrap();
    report.findings.iter().map(|found| found.kind).collect()
}

/// The wall is in the system "ghosts", the ball in "solid"; each collides with its own.
#[test]
fn collision_filters_are_layers_and_masks() {
    let level = open("k01_khr_collision_filter.gltf");
    let [wall, ball] = level.replay.objects() else {
        panic!("two objects")
    };
    assert!(wall.layer & ball.mask == 0 && ball.layer & wall.mask == 0);
    assert!(wall.layer & wall.mask != 0 && ball.layer & ball.mask != 0);
    assert_eq!(kinds(&level), []);
    assert!(level.notices.is_empty(), "{:?}", level.notices);
}

/// The rules of the extension: all systems of the other listed, or not all of them excluded; a collider without a filter collides.
#[test]
fn collision_filters_follow_the_extension() {
    let filters = [
        r#"{"collisionSystems": ["a"], "collideWithSystems": ["b"]}"#,
        r#"{"collisionSystems": ["b", "c"], "notCollideWithSystems": ["a"]}"#,
        r#"{"collisionSystems": ["b"]}"#,
        r#"{"collisionSystems": ["a"], "collideWithSystems": ["b"]}"#,
    ];
    let node = |filter: &str| {
        format!(
            r#"{{"name": "n", "extensions": {{"KHR_physics_rigid_bodies": {{"collider": {{{filter} "geometry": {{"shape": 0}}}}}}}}}}"#
        )
    };
    let mut nodes: Vec<String> = (0..filters.len())
        .map(|index| node(&format!(r#""collisionFilter": {index},"#)))
        .collect();
    nodes.push(node(""));
    let text = format!(
        r#"{{"asset": {{"version": "2.0"}}, "nodes": [{}], "extensions": {{"KHR_implicit_shapes": {{"shapes": [{{"type": "sphere"}}]}},
        "KHR_physics_rigid_bodies": {{"collisionFilters": [{}]}}}}}}"#,
        nodes.join(","),
        filters.join(",")
    );
    let files = [("a.gltf".to_owned(), text.into_bytes())];
    let folder = MemoryFolder {
        files: files.into_iter().collect(),
    };
    let found = objects(&read_geometry(&folder, "a.gltf", Units::default()).unwrap());
    let collide = |a: usize, b: usize| {
        found[a].layer & found[b].mask != 0 && found[b].layer & found[a].mask != 0
    };
    for (a, b, expected) in [
        (0, 0, false),
        // "b" and "c" are not all listed.
        (0, 1, false),
        (0, 2, true),
        (1, 2, true),
        (0, 3, false),
        (2, 3, true),
        (0, 4, true),
        (1, 4, true),
    ] {
        assert_eq!(collide(a, b), expected, "{a} and {b}");
    }
}

/// The door hangs on the post by a joint without `enableCollision`; its other end is a node without a body, inside the post.
#[test]
fn jointed_bodies_do_not_collide() {
    let level = open("k02_khr_joint_no_collision.gltf");
    assert_eq!(level.replay.objects().len(), 2);
    assert_eq!(kinds(&level), []);
    let text = std::fs::read_to_string(folder().join("k02_khr_joint_no_collision.gltf")).unwrap();
    let joint = r#""KHR_physics_rigid_bodies":{"joint":{"connectedNode":1,"joint":0}}"#;
    assert!(text.contains(joint));
    let of_omi = r#""OMI_physics_joint":{"constraints":[0],"nodeA":0,"nodeB":2}"#;
    let collides = joint.replace(r#""joint":0"#, r#""joint":0,"enableCollision":true"#);
    for (joint_text, expected) in [
        (of_omi, vec![]),
        (collides.as_str(), vec![Kind::StartsInside]),
    ] {
        let files = [(
            "a.gltf".to_owned(),
            text.replace(joint, joint_text).into_bytes(),
        )];
        let files = MemoryFolder {
            files: files.into_iter().collect(),
        };
        let level = level::open_in(&files, "a.gltf", &()).unwrap();
        assert_eq!(kinds(&level), expected, "{joint_text}");
    }
}

/// Ten keys, 1/12 s apart.
#[test]
fn even_keys_of_any_rate_are_the_frames() {
    let level = open("k07_bake_12_fps.gltf");
    assert_eq!(level.replay.frames(), 9);
    assert!((level.replay.dt(0) - 1.0 / 12.0).abs() < 1e-7);
    assert_eq!(kinds(&level), [Kind::Tunnels]);
    assert!(level.notices.is_empty(), "{:?}", level.notices);
    let x = level.replay.state(0).body(1).unwrap().pose.position;
    assert_eq!(x, DVec3::new(-3.0, 0.0, 0.0));
}
