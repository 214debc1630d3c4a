//! The recorder of docs/record/ for Unity, with stubs of its types.

use crate::recorders::{counts, is_there, run};
use glam::DVec3;
use hitstop::core::level;
use hitstop::core::shape::{Shape, SolidShape};
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
        .arg(recorders.join("HitstopRecorder.cs"))
        .arg(recorders.join("HitstopLive.cs")));
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
}
