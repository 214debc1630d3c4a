//! Levels as glTF files.

use crate::shell::{folder, hitstop, status, stderr, text_of};
use hitstop::core::level;

/// A level written as glTF and imported again: shapes, names and every pose to 1e-6, which is that of numbers in `f32`.
#[test]
fn a_level_comes_back_from_gltf() {
    let shapes = [
        r#"{"sphere": {"radius": 0.25}}"#,
        r#"{"box": {"half_extents": [0.5, 0.25, 0.125]}}"#,
        r#"{"capsule": {"half_height": 0.5, "radius": 0.125}}"#,
        r#"{"cylinder": {"half_height": 0.5, "radius": 0.25}}"#,
        r#"{"cone": {"half_height": 0.5, "radius": 0.25}}"#,
    ];
    let objects = shapes.iter().enumerate().map(|(id, shape)| {
        format!(
            r#"{{"id": {id}, "name": "<{id}> \"body\"", "shape": {shape}, "motion": "dynamic"}}"#
        )
    });
    let wall = r#"{"id": 9, "name": "wall", "shape": {"box": {"half_extents": [0.02, 3, 30]}}, "motion": "fixed", "position": [2, 1, 0], "rotation": [0, 0, 0, 1]}"#;
    let objects: Vec<String> = objects.chain([wall.to_owned()]).collect();
    let mut log = format!(
        "{{\"hitstop\": 1, \"name\": \"all\", \"dt\": 0.015625, \"objects\": [{}]}}\n",
        objects.join(", ")
    );
    for frame in 0..40_u32 {
        let bodies = (0..shapes.len() as u32).map(|id| {
            let (along, turn) = (
                f64::from(frame) * 4.0 - 80.0,
                0.05 * f64::from(frame * (id + 1)),
            );
            let (sin, cos) = turn.sin_cos();
            format!(
                r#"{{"id": {id}, "p": [{along}, 1.1, {}], "q": [{}, {}, 0, {cos}]}}"#,
                3 * id,
                0.6 * sin,
                0.8 * sin
            )
        });
        let bodies: Vec<String> = bodies.collect();
        log += &format!(
            "{{\"frame\": {frame}, \"bodies\": [{}]}}\n",
            bodies.join(", ")
        );
    }
    let folder = folder(&[("a.jsonl", &log)]);
    let at = |name: &str| text_of(folder.path().join(name));
    let output = hitstop(&["convert", &at("a.jsonl"), &at("a.glb")]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let open = |name: &str| {
        level::open(at(name).as_ref(), &())
            .unwrap_or_else(|it| panic!("{it}"))
            .replay
    };
    let (before, after) = (open("a.jsonl"), open("a.glb"));
    assert_eq!(before.frames(), after.frames());
    assert_eq!(before.objects().len(), after.objects().len());
    for (id, object) in before.objects().iter().enumerate() {
        let other = after
            .object_named(&object.name)
            .unwrap_or_else(|| panic!("{}", object.name));
        assert_eq!(
            object.shape.kind_name(),
            after.objects()[other as usize].shape.kind_name()
        );
        let [one, two] = [(&before, id as u32), (&after, other)]
            .map(|(replay, id)| replay.objects()[id as usize].shape.reach().unwrap());
        assert!((one - two).abs() < 1e-6, "{}: {one} {two}", object.name);
        for state in 0..=before.frames() {
            let [one, two] = [(&before, id as u32), (&after, other)]
                .map(|(replay, id)| replay.body(state, id).unwrap().pose);
            assert!(
                one.position.distance(two.position) < 1e-6,
                "{} {state}: {one:?} {two:?}",
                object.name
            );
            assert!(
                one.rotation.dot(two.rotation).abs() > 1.0 - 1e-12,
                "{} {state}",
                object.name
            );
        }
    }
    // The findings are nodes.
    let bytes = std::fs::read(at("a.glb")).unwrap();
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let text = std::str::from_utf8(&bytes[20..20 + length]).unwrap();
    let document: serde_json::Value = serde_json::from_str(text).unwrap();
    let nodes = document["nodes"].as_array().unwrap();
    let findings: Vec<_> = nodes
        .iter()
        .filter(|node| node["extras"]["kind"] == "Tunnels")
        .collect();
    assert_eq!(findings.len(), shapes.len(), "each passes the wall");
    let ball = findings
        .iter()
        .find(|node| node["extras"]["a"] == "<0> \"body\"");
    let at = ball.unwrap()["translation"][0].as_f64().unwrap();
    assert!((at - 1.98).abs() < 1e-6, "it touches the near face: {at}");
}
