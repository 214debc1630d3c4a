//! Which parts of an animated glTF file are one body, and keys that a pointer gives a node.

use super::animation::{document, fault, node, open, times};
use glam::DVec3;
use hitstop::core::diagnose::{Options, diagnose};
use std::f64::consts::FRAC_1_SQRT_2;

/// Keys of a quarter turn about z and back.
fn turns(node: usize) -> super::animation::Keys<'static> {
    let half = [0.0, 0.0, FRAC_1_SQRT_2, FRAC_1_SQRT_2];
    let none = [0.0, 0.0, 0.0, 1.0];
    let values = [none, half, none, half].concat();
    (node, "rotation", "LINEAR", times(4), values)
}

fn moves(node: usize) -> super::animation::Keys<'static> {
    let values = (0..4).flat_map(|key| [f64::from(key) * 0.01, 0.0, 0.0]);
    (node, "translation", "LINEAR", times(4), values.collect())
}

/// The bodies of the objects, and whether anything is found.
fn judged(text: &str) -> (Vec<Option<String>>, bool) {
    let level = open(text).unwrap();
    let objects = level.replay.objects().iter();
    let bodies = objects.map(|object| object.body.clone()).collect();
    let report = diagnose(&level, &Options::default(), &()).unwrap();
    (bodies, report.findings.total() > 0)
}

/// The wheel overlaps its chassis, through a node without geometry between them; the ground has both below it.
#[test]
fn a_wheel_that_only_turns_is_part_of_what_it_hangs_on() {
    let nodes = [
        node(
            "ground",
            1,
            r#""children": [1], "translation": [0, -9, 0],"#,
        ),
        node(
            "chassis",
            1,
            r#""children": [2], "translation": [0, 20, 0],"#,
        ),
        r#"{"name": "axle", "children": [3]}"#.to_owned(),
        node("wheel", 0, ""),
    ];
    let hung = Some("node 1".to_owned());
    let wanted = (vec![None, hung.clone(), hung], false);
    assert_eq!(judged(&document(&nodes, &[turns(3)])), wanted);
    // The axle turns, and the wheel on it, too.
    assert_eq!(judged(&document(&nodes, &[turns(2), turns(3)])), wanted);
    // What moves by itself is a body of its own, wherever it stands in the file.
    let (bodies, is_found) = judged(&document(&nodes, &[moves(3)]));
    assert_eq!((bodies, is_found), (vec![None; 3], true));
}

/// Colliders of one body of the physics extension, of which one turns: another body of the same name is not theirs.
#[test]
fn an_animated_collider_of_a_body_stays_its_part() {
    let body = |node: String| node.replace(r#"bodies": {"#, r#"bodies": {"motion": {}, "#);
    let nodes = [
        body(node("car", 1, r#""children": [1],"#)),
        node("wheel", 0, ""),
        body(node(
            "car",
            0,
            r#""children": [3], "translation": [0, 30, 0],"#,
        )),
        node("wheel", 0, r#""translation": [0, 0.1, 0],"#),
    ];
    let (bodies, is_found) = judged(&document(&nodes, &[turns(1), turns(3)]));
    let [one, two] = ["node 0", "node 2"].map(|name| Some(name.to_owned()));
    assert_eq!(bodies, [one.clone(), one, two.clone(), two]);
    assert!(!is_found);
}

/// A document whose channel for this property is a pointer.
fn pointed(path: &str, pointer: &str, channel: super::animation::Keys<'_>) -> String {
    let nodes = [node("ball", 0, ""), node("wall", 1, "")];
    let text = document(&nodes, &[channel, moves(0)]);
    let plain = format!(r#""target": {{"node": 1, "path": "{path}"}}"#);
    assert!(text.contains(&plain), "{text}");
    let target = format!(
        r#""target": {{"path": "pointer", "extensions": {{"KHR_animation_pointer": {{"pointer": "{pointer}"}}}}}}"#
    );
    text.replace(&plain, &target)
}

#[test]
fn a_pointer_to_a_node_is_its_channel_and_another_is_named_once() {
    let text = pointed("translation", "/nodes/1/translation", moves(1));
    let level = open(&text).unwrap();
    assert!(level.notices.is_empty(), "{:?}", level.notices);
    let place = |state| level.replay.state(state).body(1).unwrap().pose.position;
    assert!(place(3).distance(DVec3::X * 0.03) < 1e-6, "{}", place(3));
    let text = pointed("translation", "/materials/0/emissiveFactor", moves(1));
    let level = open(&text).unwrap();
    let [notice] = &level.notices[..] else {
        panic!("{:?}", level.notices);
    };
    assert_eq!(
        notice.what,
        "animated values that are not read: /materials/0/emissiveFactor"
    );
    let missing = pointed("translation", "/nodes/7/translation", moves(1));
    assert!(fault(&missing).contains("moves node 7, which is not there"));
    // Without another channel it is the cause of the error.
    let alone = text.replace(
        r#"{"node": 0, "path": "translation"}"#,
        r#"{"path": "translation"}"#,
    );
    let cause = fault(&alone);
    assert!(
        cause.contains("no node has an animation that is read: animated values"),
        "{cause}"
    );
}
