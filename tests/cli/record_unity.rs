//! The recorder of docs/record/ for Unity, with stubs of its types.

use crate::recorders::{counts, is_there, run};
use glam::DVec3;
use hitstop::core::level;
use hitstop::core::shape::{Shape, SolidShape};
use serde_json::{Value, json};
use std::f64::consts::PI;
use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn the_recorder_for_unity_writes_each_collider() {
    if !is_there("mcs") || !is_there("mono") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("unity.exe");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let recorders = root.join("docs/record");
    run(Command::new("mcs")
        .arg(format!("-out:{}", program.display()))
        .arg(root.join("tests/cli/stubs/unity.cs"))
        .args(
            ["Level", "Live", "Recorder", "Recorder2D"]
                .map(|it| recorders.join(format!("Hitstop{it}.cs"))),
        ));
    let output = Command::new("mono")
        .arg(&program)
        .arg(folder.path())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let log = folder.path().join("run.jsonl");
    assert!(text.contains(&format!("Hitstop records to {}", log.display())));
    assert!(text.contains("turn on Read/Write in the import settings of its mesh, statue"));
    assert!(
        text.contains("error: Hitstop cannot write run.jsonl.zst: the path must end in .jsonl")
    );
    let level = level::open(&log, &()).unwrap();
    let recording = level.replay.recording().unwrap();
    let objects = &recording.objects;
    assert_eq!(objects.len(), 7);
    // The floor and both walls are marked Static.
    assert_eq!(recording.static_bodies.len(), 3);
    let [door, player, ball, rock] = &recording.data.at(1).bodies[..] else {
        panic!("four bodies");
    };
    assert!(
        door.pose.position.x > 10.0,
        "a door without a Rigidbody moves"
    );
    assert_eq!(player.velocity, Some(DVec3::X * 0.5));
    assert!(
        fs::read_to_string(&log)
            .unwrap()
            .contains("\"ignore\":[[1,3]]")
    );
    assert_eq!((ball.pose.position.y, rock.pose.position.y), (20.0, 40.0));
    assert!((recording.lens.unwrap().near - 0.3).abs() < 1e-6);
    let cameras: Vec<_> = recording
        .frames
        .iter()
        .map(|it| it.camera.unwrap())
        .collect();
    assert_eq!(cameras[0].pose.position, DVec3::new(0.0, 2.0, 5.0));
    assert!((cameras[0].pose.rotation * DVec3::NEG_Z - DVec3::X).length() < 1e-6);
    let cuts: Vec<_> = (0..10).filter(|&it| cameras[it].teleported).collect();
    assert_eq!(cuts, [5], "where the second camera takes over");
    let Shape::Solid(SolidShape::Hull(hull)) = &objects[4].shape else {
        panic!("{:?}", objects[4].shape);
    };
    assert!((500..=1000).contains(&hull.points().len()));
    let triangles = [5, 6].map(|wall| match &objects[wall].shape {
        Shape::Mesh(mesh) => mesh.triangles().next().unwrap(),
        shape => panic!("{shape:?}"),
    });
    assert_eq!(
        triangles,
        [[0, 1, 2], [0, 2, 1]],
        "a mirrored mesh keeps its front"
    );
    // Disabled and enabled again: the same log goes on after a gap.
    assert_eq!(recording.frames.len(), 10);
    assert_eq!(counts(&folder.path().join("run 2.jsonl")).0, 6);
    // A ball that becomes kinematic and a player that crouches are other objects from then on.
    let changed = level::open(&folder.path().join("run 3.jsonl"), &()).unwrap();
    let changed = changed.replay.recording().unwrap();
    let bodies = &changed.data.at(1).bodies;
    let ids: Vec<_> = bodies.iter().map(|it| it.object).collect();
    assert_eq!(ids, [1, 4, 7, 8], "door, rock, player and ball");
    let [player, ball] = [7, 8].map(|it| &changed.objects[it]);
    assert!(matches!(&player.shape, Shape::Sphere { .. }));
    assert_eq!(ball.movement, changed.objects[2].movement);
    assert_ne!(ball.movement, changed.objects[3].movement);
    let text = fs::read_to_string(folder.path().join("run 3.jsonl")).unwrap();
    let parts = [
        r#""log":[{"text":"made \"ball\"","id":3}]"#,
        r#""depth":0.1,"impulse":3}"#,
        r#""log":[{"text":"kinematic","level":"warning","id":8},{"text":"alone"}]"#,
        r#"{"name":"speed","value":0.5,"id":7},{"name":"grounded","value":true,"id":7},{"name":"state","text":"falling"}"#,
        r#""marks":[{"points":[[1,2,-3],[4,5,-6]],"name":"aim","radius":0.5,"color":[255,128,0],"id":7}]"#,
        r#""moves":[{"from":[0,0,-9],"to":[0,0,-10],"wish":[0,-1,-2],"grounded":true,"max_slope":45,"max_step":0.25,"skin":0.125,"#,
        r#""sweeps":[{"kind":"slide","from":[0,0,-9],"to":[0,0,-10],"hit":{"id":1,"normal":[0,0,-1],"point":[1,2,-3]}}],"id":7}]"#,
    ];
    for part in parts {
        assert!(text.contains(part), "{part}");
    }
    assert_flat(&folder.path().join("flat.jsonl"));
}

/// The level in 2D.
fn assert_flat(log: &Path) {
    assert_eq!(counts(log), (3, 5, 1));
    let text = fs::read_to_string(log).unwrap();
    let header: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    assert_eq!(header["flat"], true);
    let shapes = ["ball", "ground 2", "ledge", "lift"].map(|name| {
        let all = header["objects"].as_array().unwrap().iter();
        let mut found = all.filter(|it| it["name"].as_str().unwrap().starts_with(name));
        found.next().unwrap()
    });
    let [ball, ground, ledge, lift] = shapes;
    assert_eq!(ball["shape"], json!({"circle": {"radius": 0.5}}));
    let outline = json!({"points": [[-9, 0], [9, 0], [9, 9]], "loop": true});
    assert_eq!(ground["shape"]["chain"], outline);
    // What Unity gives is in the level; the ledge is turned by a quarter to the left.
    let corners = ledge["shape"]["polygon"]["points"].as_array().unwrap();
    let right = corners[1].as_array().unwrap();
    assert!(right[0].as_f64().unwrap().abs() < 1e-6 && right[1] == -2);
    assert_eq!(ledge["one_way"][0], -1);
    let parts = lift["shape"]["compound"].as_array().unwrap();
    assert_eq!(parts[0]["position"], json!([1, 0]));
    assert_eq!(parts[1]["shape"]["capsule"]["b"], json!([0, 1]));
    let level = level::open(log, &()).unwrap();
    let recording = level.replay.recording().unwrap();
    let spin = recording.data.at(0).bodies[0].spin.unwrap().z;
    assert!((spin - PI).abs() < 1e-6, "180 degrees a second");
    let contact = &recording.data.at(2).contacts[0];
    assert_eq!((contact.normal, contact.depth), (DVec3::Y, 0.1_f32.into()));
    assert!(text.contains(r#""impulse":3}],"marks":[{"points":[[1,2],[4,5]],"id":0}]"#));
    assert_eq!(
        (contact.a, contact.b),
        (0, 2),
        "of two outlines the nearest"
    );
}
