//! Files of other programs, and what must come out of them. The expected values are those of the program that made the file.

use glam::DVec3;
use hitstop::core::diagnose::{Kind, Options, diagnose};
use hitstop::core::import::{Geometry, read_geometry};
use hitstop::core::level::{self, Level};
use hitstop::core::scene::{DiskFolder, MemoryFolder, Movement, Object, Units};
use hitstop::core::shape::{Aabb, ConvexHull, Facing, Shape, SolidShape};
use std::path::PathBuf;

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/core/levels/files")
}

fn open(file: &str) -> Level {
    level::open(&folder().join(file), &()).unwrap_or_else(|problems| panic!("{file}: {problems}"))
}

fn read(file: &str) -> Geometry {
    let folder = DiskFolder { root: folder() };
    read_geometry(&folder, file, Units::default())
        .unwrap_or_else(|problem| panic!("{file}: {problem}"))
}

fn bounds(object: &Object) -> Aabb {
    object.shape.placed(&object.pose).aabb().unwrap()
}

fn hull(object: &Object) -> &ConvexHull {
    match &object.shape {
        Shape::Solid(SolidShape::Hull(hull)) => hull,
        other => panic!("{} is a {}", object.name, other.kind_name()),
    }
}

fn notices(geometry: &Geometry) -> Vec<&str> {
    let notices = geometry.notices.iter();
    notices.map(|notice| notice.what.as_str()).collect()
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
    let objects = level.replay.objects();
    assert_eq!(objects.len(), 2);
    let [wall, ball] = [0, 1].map(|id| &objects[id]);
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

/// A dumbbell of two boxes below a node, and a box with an arm below it: the geometry of a node includes its children.
#[test]
fn the_geometry_of_a_node_includes_its_children() {
    let geometry = read("k03_khr_geometry_of_child_meshes.gltf");
    let found = objects(&geometry);
    let [dumbbell, with_arm] = found.as_slice() else {
        panic!("two objects")
    };
    let extent = |object| (bounds(object).min.x, bounds(object).max.x);
    assert_eq!(extent(dumbbell), (-2.5, 2.5));
    assert_eq!(hull(dumbbell).faces().len(), 6);
    assert_eq!(extent(with_arm), (-0.5, 3.5));
    let Shape::Mesh(mesh) = &with_arm.shape else {
        panic!("a mesh")
    };
    assert_eq!(mesh.count(), 24);
    assert!(notices(&geometry).is_empty());
}

#[test]
fn instances_are_objects() {
    let geometry = read("k04_gpu_instancing.gltf");
    let at = |object: &Object| object.pose.position;
    let found: Vec<DVec3> = objects(&geometry).iter().map(at).collect();
    assert_eq!(found, [0.0, 2.0, 4.0, 6.0, 8.0].map(|x| DVec3::X * x));
}

#[test]
fn physics_extensions_that_are_not_read_have_one_notice() {
    let geometry = read("k05_khr_rigid_bodies_2023.gltf");
    let found = notices(&geometry);
    let names = "KHR_collision_shapes, KHR_rigid_bodies";
    assert!(found.len() == 1 && found[0].contains(names), "{found:?}");
}

#[test]
fn a_skin_is_the_reason_why_its_mesh_is_left_out() {
    let folder = DiskFolder { root: folder() };
    for file in ["k06_skinned_mesh.gltf", "k16_animated_character.gltf"] {
        let problem = read_geometry(&folder, file, Units::default()).unwrap_err();
        assert!(problem.what.contains("with a skin"), "{problem}");
        assert!(problem.help.contains("bake"), "{problem}");
    }
}

#[test]
fn meshes_without_a_mark_are_counted() {
    let geometry = read("k09_one_marked_of_three.gltf");
    let wanted = geometry.usual();
    assert_eq!(objects(&geometry).len(), 1);
    let notice = geometry.unmarked(wanted, "a.gltf").unwrap();
    assert!(
        notice.what.starts_with("2 meshes without a mark"),
        "{notice}"
    );
}

/// Spheres of 0.5 m and 0.2 m, 1 m apart, and circles of these radii: every point of the surface is inside by the stated error at most.
#[test]
fn tapered_shapes_are_hulls_within_an_error() {
    let geometry = read("k12_tapered_shapes.gltf");
    let found = objects(&geometry);
    let [capsule, frustum] = found.as_slice() else {
        panic!("two objects")
    };
    // Largest distance along any direction: of two balls, the farther one; 1 - cos²(π/32) of 0.5 m.
    let error = 0.5 * (std::f64::consts::PI / 32.0).sin().powi(2) + 1e-12;
    let support = |object: &Object, along: DVec3| {
        let points = hull(object).points().iter();
        points
            .map(|point| point.dot(along))
            .fold(f64::NEG_INFINITY, f64::max)
    };
    for index in 0..200 {
        let (around, y) = (f64::from(index) * 2.399_963, 1.0 - f64::from(index) / 100.0);
        let across = (1.0 - y * y).max(0.0).sqrt();
        let along = DVec3::new(around.cos() * across, y, around.sin() * across);
        let balls = (0.5 - 0.5 * y).max(0.2 + 0.5 * y);
        let circles = (0.5 * across - 0.5 * y).max(0.2 * across + 0.5 * y);
        for (object, exact) in [(capsule, balls), (frustum, circles)] {
            let missing = exact - support(object, along);
            assert!(
                (-1e-9..=error).contains(&missing),
                "{} {along}: {missing}",
                object.name
            );
        }
    }
    assert!(
        notices(&geometry)
            .iter()
            .all(|what| what.contains("convex hull, at most"))
    );
    assert_eq!(notices(&geometry).len(), 2);
}

/// A sphere of 0.1 m, twice as high as wide.
#[test]
fn an_unevenly_scaled_sphere_is_a_hull() {
    let geometry = read("k13_uneven_scale.gltf");
    let found = objects(&geometry);
    let half = bounds(&found[0]).half_extents();
    assert!(half.distance(DVec3::new(0.1, 0.2, 0.1)) < 1e-12, "{half}");
    assert_eq!(hull(&found[0]).points().len(), 32 * 15 + 2);
    assert!(
        notices(&geometry)[0].contains("0.00192 m inside"),
        "{:?}",
        notices(&geometry)
    );
}

/// A grid of 11 x 11 x 11 points, of which 8 are corners.
#[test]
fn a_hull_of_many_inner_points_has_its_corners_alone() {
    let geometry = read("k14_hull_of_many_inner_points.gltf");
    let found = objects(&geometry);
    assert_eq!(hull(&found[0]).faces().len(), 6);
    assert!(hull(&found[0]).points().len() <= 1024);
    assert!(notices(&geometry).is_empty());
}

/// A lift without `motion` that an animation moves, in a file in which a crate has one.
#[test]
fn animated_colliders_without_motion_are_kinematic() {
    let level = open("k15_lift_without_motion.gltf");
    let movement = |index: usize| level.replay.objects()[index].movement.clone();
    assert_eq!(
        [0, 1, 2].map(movement),
        [Movement::Fixed, Movement::Kinematic, Movement::Velocity]
    );
}

/// A pyramid upside down, closed by a face whose fifth corner is above an edge: 8 triangles, each edge in two of them.
#[test]
fn a_bent_face_has_no_hole() {
    let geometry = read("k20_bent_face.obj");
    let Shape::Mesh(mesh) = &objects(&geometry)[0].shape else {
        panic!("a mesh")
    };
    assert_eq!(mesh.count(), 8);
    let mut edges = std::collections::BTreeMap::new();
    for [a, b, c] in mesh.triangles() {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *edges.entry((from.min(to), from.max(to))).or_insert(0) += 1;
        }
    }
    assert!(edges.values().all(|count| *count == 2), "{edges:?}");
    let level = open("k20_ball_through_bent_face.ron");
    let report = diagnose(&level, &Options::default(), &()).unwrap();
    assert!(report.expectations.iter().all(|one| one.passed));
    assert_eq!(report.expectations.len(), 1);
}

fn table(text: &str) -> Level {
    let files = [("run.csv".to_owned(), text.as_bytes().to_vec())];
    let folder = MemoryFolder {
        files: files.into_iter().collect(),
    };
    level::open_in(&folder, "run.csv", &()).unwrap_or_else(|problems| panic!("{text}: {problems}"))
}

/// A ball at x = 1, 3 m and y = 2 m, every 20 ms, as other programs write it.
#[test]
fn tables_of_other_programs_are_read() {
    for text in [
        "frame,time,name,x,y,z\n0,0,ball,1,2,0\n1,0.02,ball,3,2,0\n",
        "time,name,Position.x,Position.y,Position.z\n0,ball,1,2,0\n0.02,ball,3,2,0\n",
        "t;name;pos_x;pos_y;pos_z\n0,00;ball;1,0;2,0;0\n0,02;ball;3,0;2,0;0\n",
        "time (ms),object,x (cm),y (cm),z (cm)\n0,ball,100,200,0\n20,ball,300,200,0\n",
        "time_ms,ball_x,ball_y,ball_z,score\n0,1,2,0,7\n20,3,2,0,7\n",
        "t,x,y\n0,1,2\n0.02,3,2\n",
        "# a trajectory\n# timestamp tx ty tz qx qy qz qw\n0.00 1 2 0 0 0 0 1\n0.02 3 2 0 0 0 0 1\n",
        "0.00 1 2 0 0 0 0 1\n0.02 3 2 0 0 0 0 1\n",
        "#timestamp [ns],p_RS_R_x [m],p_RS_R_y [m],p_RS_R_z [m],q_RS_w [],q_RS_x [],q_RS_y [],q_RS_z [],b_w_RS_S_x [rad s^-1]\n\
         1403636580838555648,1,2,0,1,0,0,0,0\n1403636580858555648,3,2,0,1,0,0,0,0\n",
        "timestamp,track_id,x,y\n1700000000000,7,1,2\n1700000000020,7,3,2\n",
        "robot,arm\nframe,base\ntime,px,py,pz,effort\n0,1,2,0,9\n0.02,3,2,0,9\n",
        "t,x,y,vx,vy\n0,1,2,100,0\n0.02,3,2,100,0\n",
    ] {
        let level = table(text);
        let at = |state| level.replay.state(state).body(0).unwrap().pose;
        let wanted = [DVec3::new(1.0, 2.0, 0.0), DVec3::new(3.0, 2.0, 0.0)];
        assert_eq!([0, 1].map(|state| at(state).position), wanted, "{text}");
        assert_eq!(at(0).rotation, glam::DQuat::IDENTITY, "{text}");
        assert!((level.replay.dt(0) - 0.02).abs() < 3e-7, "{text}");
        assert_eq!(level.replay.objects().len(), 1, "{text}");
    }
    let numbered = table("id,t,x,y\n1,0,1,2\n2,0.02,3,2\n");
    let mut notices = numbered.notices.iter();
    assert!(notices.any(|it| it.what.contains("each row is of another body")));
    let problems = |text: &str| {
        let files = [("run.csv".to_owned(), text.as_bytes().to_vec())];
        let folder = MemoryFolder {
            files: files.into_iter().collect(),
        };
        level::open_in(&folder, "run.csv", &())
            .unwrap_err()
            .to_string()
    };
    assert!(problems("1,2,3\n4,5,6\n").contains("no names of columns"));
    // Rows of several bodies that no column names, and columns of one name.
    let found = problems("type,t,x,y\nodom,0,1,2\nlidar,0,5,6\nodom,1,1,2\nlidar,1,5,6\n");
    assert!(
        found.contains("2 of 4 rows have the moment of another") && found.contains("name=type"),
        "{found}"
    );
    let found = problems("Frame,Time,X,Y,Z,W,X,Y,Z\n0,0,0,0,0,1,1,2,3\n");
    assert!(found.contains("the column `X` is there twice"), "{found}");
    let found = problems("1 2 3 4 5 6\n");
    assert!(found.contains("\"time,px,py,pz,,\""), "{found}");
    // Angles and accelerations are no positions.
    let found =
        problems("time,accel_x,accel_y,accel_z,rotation_x,rotation_y,rotation_z\n0,1,2,3,4,5,6\n");
    assert!(
        found.contains("columns are missing") && found.contains("Position.X"),
        "{found}"
    );
}

#[test]
fn tables_of_the_reports_are_read() {
    for (file, bodies) in [
        ("k30_columns_xyz.csv", vec!["ball"]),
        ("k32_decimal_comma.csv", vec!["ball"]),
        ("k34_one_row_a_frame.csv", vec!["ball", "crate"]),
    ] {
        let level = open(file);
        let names: Vec<_> = level
            .replay
            .objects()
            .iter()
            .map(|object| object.name.as_str())
            .collect();
        assert_eq!(names, bodies, "{file}");
        assert!((level.replay.dt(0) - 0.016_667).abs() < 1e-9, "{file}");
        let second = level.replay.state(1).body(0).unwrap().pose.position;
        assert_eq!(second, DVec3::new(-4.35, 1.0, 0.0), "{file}");
    }
}

/// Milliseconds in a column that names no unit.
#[test]
fn a_frame_that_is_too_long_has_a_notice_before_all_others() {
    let level = open("k33_milliseconds.csv");
    let first = level.notices[0].to_string();
    assert!(
        first.contains("not plausible") && first.contains("milliseconds"),
        "{first}"
    );
}

#[cfg(feature = "parquet")]
#[test]
fn a_column_of_timestamps_is_the_time() {
    let level = open("k36_timestamp_column.parquet");
    assert!(
        (level.replay.dt(0) - 1.0 / 60.0).abs() < 1e-6,
        "{}",
        level.replay.dt(0)
    );
    assert!(
        level
            .notices
            .iter()
            .all(|notice| !notice.what.contains("plausible"))
    );
}

#[test]
fn a_format_that_is_not_read_has_its_way_out() {
    for (file, help) in [
        ("level.fbx", "export it as glTF"),
        ("level.usda", "export it as glTF"),
        ("robot.urdf", "recorders for MuJoCo"),
        ("level.tscn", "recorders for Godot"),
        ("level.bullet", "recorders for MuJoCo"),
        ("run.pxd2", "OmniPVD"),
        ("run.b3rec", "make a log of it"),
        ("run.mcap", "as a table"),
        ("run.json", "to .jsonl"),
        ("level.glb.gz", "only logs are read compressed"),
        ("level.xyz", "open a scene"),
    ] {
        let files = [(file.to_owned(), Vec::new())];
        let folder = MemoryFolder {
            files: files.into_iter().collect(),
        };
        let found = level::open_in(&folder, file, &()).unwrap_err().to_string();
        assert!(
            found.contains("unsupported file format") && found.contains(help),
            "{found}"
        );
    }
}

/// The first error of a file with the ending of another kind is that, not what its reader stumbles over.
#[test]
fn a_wrong_ending_is_the_first_error() {
    let log = r#"{"hitstop":1,"dt":0.1,"objects":[]}"#;
    for (file, content, wanted) in [
        ("run.csv", &b"PAR1\0\0"[..], ".parquet"),
        ("level.jsonl", b"glTF\x02\0\0\0", ".glb"),
        ("level.obj", b"glTF\x02\0\0\0", ".glb"),
        ("run.csv", log.as_bytes(), ".jsonl"),
        ("run.ron", log.as_bytes(), ".jsonl"),
        ("run.glb", log.as_bytes(), ".jsonl"),
        ("level.jsonl", b"Scene(dt: 0.1)", ".ron"),
        // Its own ending: the error is another.
        ("run.jsonl", log.as_bytes(), "has no frame"),
        ("level.glb", b"glTF\x01\0\0\0", "version"),
    ] {
        let files = [(file.to_owned(), content.to_vec())];
        let folder = MemoryFolder {
            files: files.into_iter().collect(),
        };
        let found = &level::open_in(&folder, file, &()).unwrap_err().0[0];
        assert!(found.to_string().contains(wanted), "{file}: {found}");
    }
}

/// A row without an id was left out in silence once, and a header of version 2 read as version 1.
#[cfg(feature = "parquet")]
#[test]
fn parquet_rows_without_a_number_are_counted_and_other_versions_refused() {
    for (file, expected) in [
        ("pq_id_null.parquet", 1),
        ("pq_frame_null.parquet", 1),
        ("pq_ok.parquet", 0),
    ] {
        let level = open(file);
        let notices = level.notices.iter();
        let found: Vec<_> = notices
            .filter(|notice| notice.what.contains("left out"))
            .collect();
        assert_eq!(found.len(), expected, "{file}: {found:?}");
        assert!(
            found.iter().all(|notice| notice.what.starts_with("1 row ")),
            "{file}: {found:?}"
        );
    }
    let problems = level::open(&folder().join("pq_v2_objects.parquet"), &()).unwrap_err();
    assert!(problems.to_string().contains("version 2"), "{problems}");
    // Types of columns that were taken for no value.
    let problems = level::open(&folder().join("pq_px_f16.parquet"), &()).unwrap_err();
    assert!(problems.to_string().contains("column `px`"), "{problems}");
    let level = open("pq_rest_struct.parquet");
    let mut notices = level.notices.iter();
    assert!(notices.any(|notice| notice.what.contains("column `rest`")));
}
