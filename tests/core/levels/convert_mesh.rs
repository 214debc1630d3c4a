//! Mesh files converted to scenes: named where the scene's only object is the whole file, else copied.

use hitstop::convert::{Part, convert};
use hitstop::core::level::{self, ReadOptions};
use hitstop::core::scene::MeshSource;
use hitstop::core::shape::Shape;
use std::path::Path;

const TRIANGLE: &str = "v 0 0 0\nv 1 0 0\nv 0 2 0\nf 1 2 3\n";

/// Converts a file with this text; the text of the scene, and what is said of it.
fn converted(from: &Path, text: &str, to: &Path, options: &ReadOptions) -> (String, String) {
    std::fs::write(from, text).unwrap();
    let made = convert(from, to, &Part::Whole, options, &()).unwrap();
    (std::fs::read_to_string(to).unwrap(), made.what)
}

#[test]
fn a_scene_names_the_mesh_file_that_is_its_only_object() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("meshes")).unwrap();
    std::fs::create_dir_all(at("scenes")).unwrap();
    let usual = ReadOptions::default();
    for (from, to, name) in [
        ("a.obj", "a.ron", "a.obj"),
        ("meshes/b.obj", "b.ron", "meshes/b.obj"),
    ] {
        let (scene, what) = converted(&at(from), TRIANGLE, &at(to), &usual);
        assert!(scene.contains(&format!("file: \"{name}\"")), "{scene}");
        assert_eq!(
            what,
            format!("a scene of 1 object, whose mesh stays in {name}")
        );
        let level = level::open(&at(to), &()).unwrap();
        let object = &level.replay.objects()[0];
        assert_eq!(object.mesh, Some(MeshSource::File(name.to_owned())));
        let Shape::Mesh(mesh) = &object.shape else {
            panic!("{:?}", object.shape);
        };
        assert_eq!(mesh.vertex(2).to_array(), [0.0, 2.0, 0.0]);
    }
    let in_inches = ReadOptions {
        unit: Some(0.0254),
        ..ReadOptions::default()
    };
    let parted = TRIANGLE.replace("f 1", "o a\nf 1 2 3\no b\nf 1");
    let left_out = TRIANGLE.replace("f 1", "o a-noimp\nf 1 2 3\no b\nf 1");
    let around = TRIANGLE.replace("f 1", "v 0 0 1\no USP_a\nf 1 2 4\nf 1");
    for (why, to, text, options) in [
        ("not below the scene", "scenes/a.ron", TRIANGLE, &usual),
        ("in another unit", "c.ron", TRIANGLE, &in_inches),
        ("of several objects", "c.ron", &parted, &usual),
        ("with a part that is left out", "c.ron", &left_out, &usual),
        ("which marks another shape", "c.ron", &around, &usual),
    ] {
        let (scene, what) = converted(&at("a.obj"), text, &at(to), options);
        assert!(!scene.contains("file:"), "{why}: {scene}");
        assert!(!what.contains("stays in"), "{why}: {what}");
    }
}
