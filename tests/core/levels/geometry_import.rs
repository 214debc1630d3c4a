//! Mesh files imported into a scene: glTF, GLB and OBJ, built by hand, and broken in every way.

use crate::common::random::Random;
use crate::common::rounds;
use base64::Engine as _;
use glam::{DQuat, DVec3};
use hitstop::core::import::{Geometry, ImportAs, read_geometry};
use hitstop::core::scene::{DiskFolder, Folder, MemoryFolder, Movement, Object, Units, parse};
use hitstop::core::shape::{Cylinder, Facing, Shape, SolidShape};

/// A triangle of three points on the axes, as the bytes of a buffer: positions, then indices as `u16`.
fn bytes() -> Vec<u8> {
    let points: [f32; 9] = [1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 4.0];
    let mut bytes: Vec<u8> = points
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    bytes.extend([0_u16, 1, 2].iter().flat_map(|index| index.to_le_bytes()));
    bytes
}

/// A document over [`bytes`], with these nodes and more.
fn document(uri: &str, nodes: &str, more: &str) -> String {
    format!(
        r#"{{"asset": {{"version": "2.0"}}, {more}
        "buffers": [{{{uri} "byteLength": 42}}],
        "bufferViews": [{{"buffer": 0, "byteLength": 36}}, {{"buffer": 0, "byteOffset": 36, "byteLength": 6}}],
        "accessors": [{{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}},
                      {{"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}}],
        "meshes": [{{"primitives": [{{"attributes": {{"POSITION": 0}}, "indices": 1}}]}}],
        "nodes": [{nodes}], "scene": 0, "scenes": [{{"nodes": [0]}}]}}"#
    )
}

fn glb(json: &str) -> Vec<u8> {
    let mut text = json.as_bytes().to_vec();
    while !text.len().is_multiple_of(4) {
        text.push(b' ');
    }
    let mut blob = bytes();
    while !blob.len().is_multiple_of(4) {
        blob.push(0);
    }
    let mut file = b"glTF".to_vec();
    file.extend(2_u32.to_le_bytes());
    file.extend(((12 + 8 + text.len() + 8 + blob.len()) as u32).to_le_bytes());
    file.extend((text.len() as u32).to_le_bytes());
    file.extend(b"JSON");
    file.extend(text);
    file.extend((blob.len() as u32).to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(blob);
    file
}

/// A valid GLB file whose header has another length.
fn of_length(length: u32) -> Vec<u8> {
    let mut file = glb(&document("", r#"{"mesh": 0}"#, ""));
    file[8..12].copy_from_slice(&length.to_le_bytes());
    file
}

fn folder(files: &[(&str, Vec<u8>)]) -> MemoryFolder {
    let files = files
        .iter()
        .map(|(name, bytes)| ((*name).to_owned(), bytes.clone()));
    MemoryFolder {
        files: files.collect(),
    }
}

fn read(name: &str, bytes: Vec<u8>) -> Geometry {
    read_geometry(&folder(&[(name, bytes)]), name, Units::default())
        .unwrap_or_else(|problem| panic!("{problem}"))
}

fn fault(name: &str, bytes: Vec<u8>) -> String {
    let found = read_geometry(&folder(&[(name, bytes)]), name, Units::default());
    found.expect_err("it is refused").to_string()
}

fn colliders(nodes: &str, more: &str) -> (Vec<Object>, Geometry) {
    let geometry = read("a.glb", glb(&document("", nodes, more)));
    (
        geometry.objects(ImportAs::Colliders, Facing::Both),
        geometry,
    )
}

/// The corners of an object's triangles, in the world.
fn world(object: &Object) -> Vec<DVec3> {
    let Shape::Mesh(mesh) = &object.shape else {
        panic!("{object:?} is no mesh");
    };
    let corners = mesh.triangles().flatten();
    corners
        .map(|corner| object.pose.point(mesh.vertex(corner as usize)))
        .collect()
}

const CORNERS: [DVec3; 3] = [
    DVec3::X,
    DVec3::new(0.0, 2.0, 0.0),
    DVec3::new(0.0, 0.0, 4.0),
];

#[test]
fn buffers_are_read_from_chunk_text_and_file() {
    let node = r#"{"name": "wall", "mesh": 0}"#;
    let base64 = base64::engine::general_purpose::STANDARD.encode(bytes());
    let inside = format!(r#""uri": "data:application/octet-stream;base64,{base64}","#);
    let beside = document(r#""uri": "my%20wall.bin","#, node, "").into_bytes();
    let files = folder(&[
        ("meshes/wall.gltf", beside),
        ("meshes/my wall.bin", bytes()),
    ]);
    for geometry in [
        read("wall.glb", glb(&document("", node, ""))),
        read("wall.gltf", document(&inside, node, "").into_bytes()),
        read_geometry(&files, "meshes/wall.gltf", Units::default()).unwrap(),
    ] {
        assert_eq!(geometry.name, "wall");
        assert_eq!(geometry.usual(), ImportAs::Parts);
        let objects = geometry.objects(ImportAs::Parts, Facing::Front);
        assert_eq!((objects.len(), objects[0].name.as_str()), (1, "wall"));
        assert_eq!(world(&objects[0]), CORNERS);
        assert_eq!(objects[0].movement, Movement::Fixed);
        let Shape::Mesh(mesh) = &objects[0].shape else {
            unreachable!()
        };
        assert_eq!(mesh.facing(), Facing::Front);
    }
}

#[test]
fn nodes_inherit_their_parents_transforms() {
    // The inner node is 1 m along x of one that is scaled by two, rotated a quarter about y (x to -z) and at (10, 0, 0).
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let nodes = format!(
        r#"{{"name": "a", "mesh": 0, "children": [1, 2], "translation": [10, 0, 0], "rotation": [0, {half}, 0, {half}], "scale": [2, 2, 2]}},
        {{"name": "b", "mesh": 0, "translation": [1, 0, 0]}},
        {{"name": "b", "mesh": 0, "matrix": [-1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1]}}"#
    );
    let geometry = read("a.glb", glb(&document("", &nodes, "")));
    let objects = geometry.objects(ImportAs::Parts, Facing::Both);
    let names: Vec<&str> = objects.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "b 2"]);
    let turned = |p: DVec3| DVec3::new(10.0 + 2.0 * p.z, 2.0 * p.y, -2.0 * p.x);
    let close = |found: Vec<DVec3>, wanted: [DVec3; 3]| {
        for (found, wanted) in found.into_iter().zip(wanted) {
            assert!(found.distance(wanted) < 1e-12, "{found} is not {wanted}");
        }
    };
    close(world(&objects[0]), CORNERS.map(turned));
    close(world(&objects[1]), CORNERS.map(|p| turned(p + DVec3::X)));
    // Mirrored: the same three points in the opposite order, so that the front is unchanged.
    let mirrored = CORNERS.map(|p| turned(p * DVec3::new(-1.0, 1.0, 1.0)));
    close(world(&objects[2]), [mirrored[0], mirrored[2], mirrored[1]]);
    let one = geometry.objects(ImportAs::OneMesh, Facing::Both);
    assert_eq!((one.len(), world(&one[0]).len()), (1, 9));
    let spin = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
    assert!(objects[0].pose.rotation.abs_diff_eq(spin, 1e-12));
}

#[test]
fn a_sheared_node_keeps_its_vertex_positions() {
    let nodes = r#"{"children": [1], "scale": [1, 3, 1]},
        {"name": "s", "mesh": 0, "rotation": [0, 0, 0.3826834323650898, 0.9238795325112867]}"#;
    let objects =
        read("a.glb", glb(&document("", nodes, ""))).objects(ImportAs::Parts, Facing::Both);
    let turn = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4);
    for (found, corner) in world(&objects[0]).into_iter().zip(CORNERS) {
        let wanted = turn * corner * DVec3::new(1.0, 3.0, 1.0);
        assert!(found.distance(wanted) < 1e-12, "{found} is not {wanted}");
    }
}

#[test]
fn strips_and_fans_keep_their_winding() {
    let mut json = document("", r#"{"mesh": 0}"#, "");
    let square: [f32; 12] = [0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.];
    let base64 =
        base64::engine::general_purpose::STANDARD.encode(square.map(f32::to_le_bytes).concat());
    json = json.replace(
        r#"[{ "byteLength": 42}]"#,
        &format!(r#"[{{"byteLength": 48, "uri": "data:;base64,{base64}"}}]"#),
    );
    json = json
        .replace(r#""byteLength": 36}"#, r#""byteLength": 48}"#)
        .replace(
            r#""count": 3, "type": "VEC3""#,
            r#""count": 4, "type": "VEC3""#,
        );
    for (mode, wanted) in [
        (5, vec![[0, 1, 2], [1, 3, 2]]),
        (6, vec![[1, 2, 0], [2, 3, 0]]),
    ] {
        let json = json.replace(r#", "indices": 1"#, &format!(r#", "mode": {mode}"#));
        let geometry = read("a.gltf", json.into_bytes());
        let objects = geometry.objects(ImportAs::Parts, Facing::Both);
        let Shape::Mesh(mesh) = &objects[0].shape else {
            unreachable!()
        };
        assert_eq!(mesh.triangles().collect::<Vec<_>>(), wanted);
        assert_eq!(objects[0].name, "node 0");
    }
}

#[test]
fn collider_names_follow_godot_and_unreal() {
    let nodes = r#"{"name": "root", "children": [1, 2, 3, 4, 5, 6]}, {"name": "house", "mesh": 0}, {"name": "house-colonly", "mesh": 0},
        {"name": "Crate-col2", "mesh": 0}, {"name": "UBX_Crate_01", "mesh": 0, "translation": [0, 0, 10]}, {"name": "sky-noimp", "mesh": 0}, {"name": "USP_x", "mesh": 0}"#;
    let (found, geometry) = colliders(nodes, "");
    assert_eq!(geometry.usual(), ImportAs::Colliders);
    let names: Vec<&str> = found.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["house", "Crate", "Crate_01", "x"]);
    assert_eq!(world(&found[0]), CORNERS);
    let half_extents = DVec3::new(0.5, 1.0, 2.0);
    assert_eq!(found[2].shape, Shape::Box { half_extents });
    assert_eq!(found[2].pose.position, DVec3::new(0.5, 1.0, 12.0));
    assert_eq!(found[3].shape, Shape::Sphere { radius: 2.0 });
    let detected = geometry.objects(ImportAs::Parts, Facing::Both);
    let names: Vec<&str> = detected.iter().map(|object| object.name.as_str()).collect();
    assert_eq!(names, ["house", "Crate"]);
    assert_eq!(geometry.triangles(ImportAs::OneMesh), 2, "colliders alone");
}

#[test]
fn extensions_mark_colliders_with_shape_motion_and_trigger() {
    let shapes = r#""extensions": {"KHR_implicit_shapes": {"shapes": [{"type": "box", "box": {"size": [2, 4, 6]}},
        {"type": "capsule", "capsule": {"height": 3, "radiusBottom": 0.5, "radiusTop": 0.5}}, {"type": "cylinder"}]}},"#;
    let nodes = r#"{"name": "body", "children": [1, 2, 3, 4], "scale": [2, 2, 2], "translation": [0, 5, 0],
         "extensions": {"KHR_physics_rigid_bodies": {"motion": {"mass": 8, "linearVelocity": [1, 2, 3]}}}},
        {"name": "hull", "extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": 0}}}}},
        {"name": "pill", "translation": [1, 0, 0], "extensions": {"KHR_physics_rigid_bodies": {"trigger": {"geometry": {"shape": 1}}}}},
        {"name": "tin", "translation": [0, 0, 3], "extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"shape": 2}}}}},
        {"name": "soup", "extensions": {"KHR_physics_rigid_bodies": {"collider": {"geometry": {"mesh": 0, "convexHull": true}}}}}"#;
    let (found, geometry) = colliders(nodes, shapes);
    let names: Vec<&str> = found.iter().map(|object| object.name.as_str()).collect();
    // The box and the cylinder are one; the trigger and the flat hull, which stays a triangle, belong to the same body.
    assert_eq!(names, ["body", "pill", "soup"]);
    let bodies: Vec<_> = found.iter().map(|object| object.body.as_deref()).collect();
    assert_eq!(bodies, [Some("body"); 3]);
    let Shape::Compound(compound) = &found[0].shape else {
        panic!("{:?}", found[0].shape);
    };
    let half_extents = DVec3::new(2.0, 4.0, 6.0);
    assert_eq!(compound.parts()[0].shape, Shape::Box { half_extents });
    // Their default sizes, at the node's scale of two.
    let tin = Cylinder {
        half_height: 0.5,
        radius: 0.5,
    };
    let tin = Shape::Solid(SolidShape::Cylinder(tin));
    assert_eq!(compound.parts()[1].shape, tin);
    assert_eq!(compound.parts()[1].pose.position, DVec3::Z * 6.0);
    assert_eq!(found[0].pose.position, DVec3::Y * 5.0);
    assert_eq!(
        (found[0].mass, found[0].velocity),
        (8.0, DVec3::new(1.0, 2.0, 3.0))
    );
    assert_eq!(found[0].movement, Movement::Velocity);
    assert_eq!(found[1].pose.position, DVec3::new(2.0, 5.0, 0.0));
    let Shape::Capsule(pill) = &found[1].shape else {
        panic!("{:?}", found[1].shape);
    };
    assert_eq!((pill.radius, pill.segment.b), (1.0, DVec3::Y * 3.0));
    assert!(found[1].sensor && !found[0].sensor);
    assert_eq!(world(&found[2])[0], DVec3::new(2.0, 5.0, 0.0));
    let messages: Vec<&str> = geometry
        .notices
        .iter()
        .map(|notice| notice.what.as_str())
        .collect();
    assert!(
        messages.len() == 1 && messages[0].contains("soup") && messages[0].contains("convex hull"),
        "{messages:?}"
    );

    let shapes = r#""extensions": {"OMI_physics_shape": {"shapes": [{"type": "capsule", "capsule": {"radius": 0.5, "height": 3}}]},
        "OMI_collider": {"colliders": [{"type": "sphere", "radius": 3, "isTrigger": true}]}},"#;
    let nodes = r#"{"name": "root", "children": [1, 2]},
        {"name": "a", "extensions": {"OMI_physics_body": {"motion": {"type": "kinematic"}, "collider": {"shape": 0}}}},
        {"name": "b", "extensions": {"OMI_collider": {"collider": 0}}}"#;
    let (found, _) = colliders(nodes, shapes);
    let Shape::Capsule(pill) = &found[0].shape else {
        panic!("{:?}", found[0].shape);
    };
    // 3 m from end to end: the centres of its ends are 2 m apart.
    assert_eq!((pill.radius, pill.segment.b), (0.5, DVec3::Y));
    assert_eq!(found[0].movement, Movement::Kinematic);
    assert_eq!(found[1].shape, Shape::Sphere { radius: 3.0 });
    assert!(found[1].sensor && found[1].movement == Movement::Fixed);
}

/// A tetrahedron at a position, as an object of an OBJ file; its vertices are counted from the `before`th.
fn tetrahedron(name: &str, before: usize, x: f64) -> String {
    let mut text = format!("o {name}\n");
    for [dx, y, z] in [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
    ] {
        text += &format!("v {} {y} {z}\n", x + dx);
    }
    for corners in [[1, 3, 2], [1, 2, 4], [1, 4, 3], [2, 3, 4]] {
        let [a, b, c] = corners.map(|corner| corner + before);
        text += &format!("f {a} {b} {c}\n");
    }
    text
}

#[test]
fn convex_colliders_are_hulls_and_several_of_one_object_a_compound() {
    let names = [
        "Wall",
        "UCX_Wall_00",
        "UCX_Wall_01",
        "Rock-convcol",
        "Tree-convcolonly",
        "Floor-col",
        "UBX_Box_01",
    ];
    let text: String = (0..)
        .zip(names)
        .map(|(index, name)| tetrahedron(name, 4 * index, 10.0 * index as f64))
        .collect();
    let geometry = read("a.obj", text.into_bytes());
    assert!(geometry.notices.is_empty(), "{:?}", geometry.notices);
    assert_eq!(geometry.usual(), ImportAs::Colliders);
    let found = geometry.objects(ImportAs::Colliders, Facing::Both);
    let kinds: Vec<_> = found
        .iter()
        .map(|object| (object.name.as_str(), object.shape.kind_name()))
        .collect();
    assert_eq!(
        kinds,
        [
            ("Wall", "Compound"),
            ("Rock", "ConvexHull"),
            ("Tree", "ConvexHull"),
            ("Floor", "Mesh"),
            ("Box_01", "Box"),
        ]
    );
    let Shape::Compound(wall) = &found[0].shape else {
        unreachable!()
    };
    let bounds = wall.aabb_at(&found[0].pose);
    assert_eq!(
        (bounds.min, bounds.max),
        (DVec3::X * 10.0, DVec3::new(21.0, 1.0, 1.0))
    );
    let detected = geometry.objects(ImportAs::Parts, Facing::Both);
    let detected: Vec<_> = detected
        .iter()
        .map(|object| (object.name.as_str(), object.shape.kind_name()))
        .collect();
    assert_eq!(
        detected,
        [("Wall", "Mesh"), ("Rock", "Mesh"), ("Floor", "Mesh")]
    );
}

#[test]
fn a_scene_references_a_glb_file_as_its_mesh() {
    let nodes = r#"{"mesh": 0, "translation": [0, 0, 1]}"#;
    let files = folder(&[("meshes/a.glb", glb(&document("", nodes, "")))]);
    // glTF is in metres with Y up, whatever the units of the scene.
    let text =
        "Scene(version: 1, name: \"x\", units: (length: 0.01, up: Z), dt: 1, frames: 1, objects: [
        (name: \"a\", shape: Mesh(file: \"meshes/a.glb\", facing: Front), motion: Fixed)])";
    let scene = parse(text, "x.ron", &files).unwrap_or_else(|problems| panic!("{problems}"));
    assert_eq!(
        world(&scene.objects[0]),
        CORNERS.map(|corner| corner + DVec3::Z)
    );
}

/// The help once ended with an empty folder name, for a file in the current folder.
#[test]
fn a_missing_file_is_reported_with_its_folder() {
    let here = std::env::current_dir().unwrap();
    for root in ["", "."] {
        let folder = DiskFolder { root: root.into() };
        let problem = folder.open("gone.bin").err().unwrap();
        assert_eq!(problem.file, "gone.bin");
        assert!(problem.help.contains(here.to_str().unwrap()), "{problem}");
    }
}

#[test]
fn unreadable_files_have_a_reason() {
    let node = r#"{"mesh": 0}"#;
    let good = document("", node, "");
    let uri = |uri: &str| document(&format!(r#""uri": "{uri}","#), node, "").into_bytes();
    for (bytes, wanted) in [
        (uri("../secret.bin"), "outside the folder"),
        (uri("%2e%2e/secret.bin"), "outside the folder"),
        (uri("/etc/passwd"), "outside the folder"),
        (uri("https://example.com/a.bin"), "on the network"),
        (uri("other.bin"), "no such file"),
        (uri("data:;base64,!!"), "not base64"),
        (uri("data:;base64,AAAA"), "3 bytes, and should have 42"),
        (
            good.replace("2.0", "1.0").into_bytes(),
            "glTF 1.0 is not read",
        ),
        (
            good.replace("\"mesh\": 0", "\"mesh\": 7").into_bytes(),
            "no mesh 7",
        ),
        (
            glb(&good.replace("\"POSITION\": 0", "\"POSITION\": 9")),
            "no accessor 9",
        ),
        (
            glb(&good.replace("\"count\": 3", "\"count\": 4")),
            "beyond its end",
        ),
        (
            glb(&good.replace("\"count\": 3", "\"count\": 99999999999")),
            "too many vertices",
        ),
        (
            glb(&good.replace(
                "\"byteLength\": 36",
                "\"byteLength\": 36, \"byteStride\": 0",
            )),
            "beyond its end",
        ),
        (
            glb(&document("", r#"{"mesh": 0, "children": [0]}"#, "")),
            "in itself",
        ),
        (
            glb(&document(
                "",
                r#"{"translation": [1e300, 0, 0], "mesh": 0}"#,
                "",
            )),
            "a position that is not finite",
        ),
        (
            glb(&document("", r#"{"name": "empty"}"#, "")),
            "contains no geometry",
        ),
        (
            glb(&document(
                "",
                node,
                r#""extensionsRequired": ["KHR_draco_mesh_compression"],"#,
            )),
            "compressed",
        ),
        (
            glb(&document("", node, r#""extensionsRequired": ["MY_own"],"#)),
            "MY_own",
        ),
        (b"{".to_vec(), "not a glTF document"),
        (b"glTF".to_vec(), "GLB version"),
        (b"glTF\x02\0\0\0\x0C\0\0\0".to_vec(), "is truncated"),
        (
            of_length(u32::MAX),
            "its header says 4294967295 bytes, the file has",
        ),
        (of_length(12), "its header says 12 bytes, the file has"),
        (
            glb(&document(
                "",
                r#"{"name": "tilted", "mesh": 0, "rotation": [0, 0, 0, 0]}"#,
                "",
            )),
            "the rotation of node 0 \"tilted\" has no length",
        ),
    ] {
        let messages = fault("a.gltf", bytes);
        assert!(
            messages.contains(wanted),
            "{messages:?} does not say {wanted:?}"
        );
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret.bin"), bytes()).unwrap();
    let inner = folder.path().join("inner");
    std::fs::create_dir(&inner).unwrap();
    std::fs::write(inner.join("a.gltf"), uri("../secret.bin")).unwrap();
    let found = read_geometry(&DiskFolder { root: inner }, "a.gltf", Units::default());
    assert!(found.unwrap_err().what.contains("outside"));
}

/// A file with changed numbers and bytes, cut off at the end.
fn broken(random: &mut Random) -> Vec<u8> {
    let nodes = r#"{"mesh": 0, "children": [1]}, {"name": "UBX_a", "mesh": 0, "scale": [1, 2, 3], "rotation": [0, 0.6, 0, 0.8],
        "extensions": {"OMI_collider": {"collider": 0}}}"#;
    let more =
        r#""extensions": {"OMI_collider": {"colliders": [{"type": "capsule", "radius": 1}]}},"#;
    let base64 = base64::engine::general_purpose::STANDARD.encode(bytes());
    let uri = format!(r#""uri": "data:;base64,{base64}","#);
    let is_packed = random.yes();
    let mut json = document(if is_packed { "" } else { &uri }, nodes, more);
    for _ in 0..random.below(4) {
        let digits = json.char_indices().filter(|(_, c)| c.is_ascii_digit());
        let digits: Vec<usize> = digits.map(|(at, _)| at).collect();
        let at = random.pick(&digits);
        let number = random.below(5);
        let number = if random.yes() {
            number.wrapping_sub(2)
        } else {
            number
        };
        json.replace_range(at..=at, &number.to_string());
    }
    let mut file = if is_packed {
        glb(&json)
    } else {
        json.into_bytes()
    };
    for _ in 0..random.below(6) {
        let at = random.index(file.len());
        file[at] = random.bits() as u8;
    }
    if random.yes() {
        file.truncate(random.index(file.len()));
    }
    file
}

#[test]
fn broken_files_never_panic() {
    for seed in 0..rounds(3000) {
        let file = broken(&mut Random(seed));
        for name in ["a.glb", "a.gltf"] {
            let folder = folder(&[(name, file.clone())]);
            let Ok(geometry) = read_geometry(&folder, name, Units::default()) else {
                continue;
            };
            for wanted in [ImportAs::OneMesh, ImportAs::Parts, ImportAs::Colliders] {
                for object in geometry.objects(wanted, Facing::Both) {
                    assert!(object.pose.is_finite(), "seed {seed}: {object:?}");
                }
            }
        }
    }
}

#[test]
fn random_bytes_never_panic() {
    let starts: [&[u8]; 3] = [
        b"glTF\x02\0\0\0",
        b"{\"asset\": {\"version\": \"2.0\"},",
        b"o a\nv 1 2 3\n",
    ];
    for seed in 0..rounds(3000) {
        let mut random = Random(seed);
        let file = [random.pick(&starts), &random.bytes(200)].concat();
        for name in ["a.glb", "a.gltf", "a.obj"] {
            let _ = read_geometry(&folder(&[(name, file.clone())]), name, Units::default());
        }
    }
}
