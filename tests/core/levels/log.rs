//! Logs read, written, read again; and the levels made of them.

use glam::{DQuat, DVec3};
use hitstop::core::level;
use hitstop::core::log::{self, Format, Header, Recorder, Scalar, Snapshot};
use hitstop::core::replay::{
    Body, LoggedCamera, LoggedContact, LoggedHit, LoggedPush, LoggedQuery, QueryKind,
    RecordedFrame, Recording, Still,
};
use hitstop::core::scene::{Axis, MemoryFolder, Movement, Object, Units};
use hitstop::core::shape::{Capsule, Facing, Mesh, Plane, Pose, Segment, Shape, Triangle};
use proptest::prelude::*;
use std::sync::Arc;

fn read(format: Format, text: &str) -> Recording {
    let folder = MemoryFolder::default();
    let length = text.len() as u64;
    log::read(format, text.as_bytes(), length, "test", None, &folder, &()).unwrap()
}

fn written(format: Format, recording: &Recording) -> String {
    let mut bytes = Vec::new();
    log::write(format, recording, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

const HEADER: &str = r#"{"hitstop":1,"name":"n","dt":0.5,"objects":[{"id":7,"name":"ball","shape":{"sphere":{"radius":0.5}}},{"id":3,"name":"wall","shape":{"box":{"half_extents":[1,2,3]}},"motion":"fixed","position":[9,0,0]}]}"#;

#[test]
fn the_example_of_the_specification() {
    let text = concat!(
        r#"{"hitstop": 1, "name": "warehouse", "dt": 0.0166667, "up": "y", "length": 1.0, "gravity": [0, -9.81, 0], "objects": [{"id": 0, "name": "ball", "shape": {"sphere": {"radius": 0.1}}, "motion": "dynamic", "ccd": false}, {"id": 1, "name": "wall", "shape": {"box": {"half_extents": [0.05, 2, 2]}}, "motion": "fixed", "position": [0, 1, 0], "rotation": [0, 0, 0, 1]}]}"#,
        "\n",
        r#"{"frame": 0, "t": 0.0, "bodies": [{"id": 0, "p": [-5, 1, 0], "q": [0, 0, 0, 1], "v": [40, 0, 0]}]}"#,
        "\n"
    );
    let recording = read(Format::JsonLines, text);
    assert!(recording.notices.is_empty(), "{:?}", recording.notices);
    assert_eq!(recording.name, "warehouse");
    assert_eq!(recording.gravity, DVec3::new(0.0, -9.81, 0.0));
    assert_eq!(recording.objects[0].shape, Shape::Sphere { radius: 0.1 });
    assert_eq!(recording.objects[0].ccd, Some(false));
    assert_eq!(recording.objects[0].velocity, DVec3::X * 40.0);
    let wall = Still { object: 1, from: 0 };
    assert_eq!(recording.still, [wall], "the wall is in no frame's bodies");
    let bodies: Vec<Body> = recording.bodies_at(0).collect();
    assert_eq!(bodies.len(), 2);
    assert_eq!(bodies[0].pose.position, DVec3::new(-5.0, 1.0, 0.0));
    assert_eq!(bodies[1].pose.position, DVec3::Y);
}

#[test]
fn centimetres_with_z_up_become_metres_with_y_up() {
    let text = concat!(
        r#"{"hitstop":1,"dt":0.5,"up":"z","length":0.01,"gravity":[0,0,-981],"objects":[{"id":0,"shape":{"box":{"half_extents":[100,200,300]}}}]}"#,
        "\n",
        r#"{"frame":0,"bodies":[{"id":0,"p":[100,200,300],"q":[0,0,1,0],"v":[0,0,-50],"w":[0,0,2]}]}"#
    );
    let recording = read(Format::JsonLines, text);
    assert_eq!(recording.gravity, DVec3::new(0.0, -9.81, 0.0));
    let half_extents = DVec3::new(1.0, 3.0, 2.0);
    assert_eq!(recording.objects[0].shape, Shape::Box { half_extents });
    let body = recording.bodies[0];
    assert_eq!(body.pose.position, DVec3::new(1.0, 3.0, -2.0));
    assert_eq!(body.pose.rotation, DQuat::from_xyzw(0.0, 1.0, 0.0, 0.0));
    assert_eq!(body.velocity, Some(DVec3::new(0.0, -0.5, 0.0)));
    assert_eq!(
        body.spin,
        Some(DVec3::new(0.0, 2.0, 0.0)),
        "turned, not scaled"
    );
}

#[test]
fn numbers_that_are_none_are_kept_to_be_found() {
    let text = format!(
        "{HEADER}\n{}\n",
        r#"{"frame":0,"bodies":[{"id":7,"p":[NaN,-Infinity,null],"v":[inf,1,2]}]}"#
    );
    let recording = read(Format::JsonLines, &text);
    assert!(recording.notices.is_empty());
    let body = recording.bodies[0];
    assert!(body.pose.position.x.is_nan() && body.pose.position.z.is_nan());
    assert_eq!(body.pose.position.y, f64::NEG_INFINITY);
    assert_eq!(body.velocity.unwrap().x, f64::INFINITY);
}

#[test]
fn spawned_objects_appear_and_fixed_ones_stay() {
    let text = format!(
        "{HEADER}\n{}\n{}\n{}\n{}\n",
        r#"{"frame":0,"bodies":[{"id":7,"p":[0,0,0]}]}"#,
        r#"{"spawn":[{"id":8,"name":"late","shape":{"sphere":{"radius":1}}}]}"#,
        r#"{"frame":1,"bodies":[{"id":7,"p":[1,0,0]},{"id":8,"p":[5,5,5]}],"spawn":[{"id":9,"name":"gate","shape":{"sphere":{"radius":1}},"motion":"fixed","position":[4,4,4]}]}"#,
        r#"{"frame":2,"bodies":[{"id":8,"p":[6,5,5]}]}"#,
    );
    let recording = read(Format::JsonLines, &text);
    assert!(recording.notices.is_empty(), "{:?}", recording.notices);
    let names_at = |frame: usize| -> Vec<&str> {
        let bodies = recording.bodies_at(frame);
        bodies
            .map(|body| &*recording.objects[body.object as usize].name)
            .collect()
    };
    assert_eq!(names_at(0), ["ball", "wall"]);
    assert_eq!(names_at(1), ["ball", "late", "wall", "gate"]);
    assert_eq!(names_at(2), ["late", "wall", "gate"]);
    assert_eq!(
        recording.bodies.len(),
        4,
        "what stands still costs no body a frame"
    );
    let again = read(Format::JsonLines, &written(Format::JsonLines, &recording));
    assert_eq!(again, recording);
}

#[test]
fn a_bare_log_is_a_level() {
    let text = format!(
        "{HEADER}\n{}\n{}\n",
        r#"{"frame":0,"bodies":[{"id":7,"p":[0,0,0]}]}"#,
        r#"{"frame":1,"bodies":[{"id":7,"p":[1,0,0]}],"camera":{"p":[0,1,0]}}"#
    );
    let mut folder = MemoryFolder::default();
    folder
        .files
        .insert("logs/a.jsonl".into(), text.into_bytes());
    let level = level::open_in(&folder, "logs/a.jsonl", &()).unwrap();
    assert_eq!(level.replay.frames(), 1);
    assert_eq!(level.replay.dt(0), 0.5);
    assert!(level.notices.is_empty());
    assert!(level.replay.scene().camera.is_some());
    let travel = level.replay.frame(0).legs[0][0].motion;
    assert_eq!(travel.displacement(), DVec3::X);
}

#[test]
fn a_scene_lends_a_csv_its_shapes_units_and_dt() {
    let scene = r#"Scene(version: 1, units: (length: 0.01, up: Z), dt: 0.25, recording: "run.csv", objects: [
        (name: "ball", shape: Sphere(radius: 20.0)),
        (name: "wall", shape: Box(half_extents: (5.0, 200.0, 200.0)), motion: Fixed),
    ])"#;
    let log = "name,frame,PX,py,pz\nball,0,100,0,300\nball,1,200,0,300\n";
    let mut folder = MemoryFolder::default();
    folder.files.insert("a.ron".into(), scene.into());
    folder.files.insert("run.csv".into(), log.into());
    let level = level::open_in(&folder, "a.ron", &()).unwrap();
    assert!(level.notices.is_empty(), "{:?}", level.notices);
    let replay = &level.replay;
    assert_eq!((replay.frames(), replay.dt(0)), (1, 0.25));
    let ball = replay.object_named("ball").unwrap() as usize;
    assert_eq!(replay.objects()[ball].shape, Shape::Sphere { radius: 0.2 });
    let state = replay.state(1);
    let position = state.bodies[ball].unwrap().pose.position;
    assert_eq!(position, DVec3::new(2.0, 3.0, 0.0));
    let wall = replay.object_named("wall").unwrap() as usize;
    assert!(
        state.bodies[wall].is_some(),
        "the scene's wall stands there"
    );
}

#[test]
fn csv_rows_in_any_order_with_time_alone() {
    let text = "time;name;px;py;pz;radius\n0.5;a;2;0;0;0.1\n0.0;b;0;0;0;0.2\n0.0;a;1;0;0;0.1\n";
    let recording = read(Format::Csv, text);
    assert!(recording.notices.is_empty(), "{:?}", recording.notices);
    assert_eq!(recording.dt, 0.5);
    let frames: Vec<_> = recording
        .frames
        .iter()
        .map(|f| (f.number, f.time, f.bodies.len()))
        .collect();
    assert_eq!(frames, [(0, Some(0.0), 2), (1, Some(0.5), 1)]);
    assert_eq!(recording.objects[0].shape, Shape::Sphere { radius: 0.1 });
    assert_eq!(recording.objects[0].pose.position, DVec3::X);
}

#[test]
fn single_precision_comes_back_exactly() {
    let header = Header {
        scalar: Scalar::F32,
        units: Units {
            length: 0.5,
            up: Axis::Y,
        },
        ..Header::default()
    };
    let mut recorder = Recorder::new(Vec::new(), header).unwrap();
    let ball = Object::new("ball", Shape::Sphere { radius: 1.0 }, DVec3::ZERO);
    let ball = recorder.add_object(ball).unwrap();
    let mut seed = 1_u32;
    let mut positions = Vec::new();
    for frame in 0..500 {
        let mut number = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f32::from_bits(seed & 0xBFFF_FFFF)
        };
        let position = [number(), number(), number()];
        let place = DVec3::from_array(position.map(f64::from));
        let bodies = [Body::new(ball, Pose::at(place))];
        recorder.frame(f64::from(frame), &bodies).unwrap();
        positions.push(place * 0.5);
    }
    let text = String::from_utf8(recorder.finish().unwrap()).unwrap();
    let recording = read(Format::JsonLines, &text);
    assert!(recording.notices.is_empty());
    for (body, position) in recording.bodies.iter().zip(positions) {
        assert_eq!(body.pose.position, position);
    }
}

#[test]
fn the_recorder_refuses_what_could_not_be_read() {
    let mut recorder = Recorder::new(Vec::new(), Header::default()).unwrap();
    let object = |name: &str, radius| Object::new(name, Shape::Sphere { radius }, DVec3::ZERO);
    let ball = recorder.add_object(object("ball", 1.0)).unwrap();
    for (bad, why) in [
        (object("ball", 1.0), "its name is taken"),
        (object(" ", 1.0), "it has no name"),
        (object("b", -1.0), "a negative radius"),
        (object("c", f64::NAN), "no radius"),
    ] {
        assert!(recorder.add_object(bad).is_err(), "{why}");
    }
    let body = Body::new(ball, Pose::IDENTITY);
    let stranger = Body::new(9, Pose::IDENTITY);
    assert!(recorder.frame(0.0, &[body, body]).is_err(), "two bodies");
    assert!(recorder.frame(0.0, &[stranger]).is_err(), "not known");
    assert!(recorder.frame(f64::NAN, &[body]).is_err(), "no time");
    recorder.frame(1.0, &[body]).unwrap();
    assert!(recorder.frame(1.0, &[body]).is_err(), "time stands still");
    let late = recorder.add_object(object("late", 1.0)).unwrap();
    let bodies = [body, Body::new(late, Pose::IDENTITY)];
    let snapshot = Snapshot {
        bodies: &bodies,
        ..Snapshot::default()
    };
    assert_eq!(recorder.snapshot(&snapshot).unwrap(), 1);
    let text = String::from_utf8(recorder.finish().unwrap()).unwrap();
    let recording = read(Format::JsonLines, &text);
    assert!(recording.notices.is_empty(), "{:?}", recording.notices);
    assert_eq!(recording.objects.len(), 2);
    assert_eq!(recording.frames[1].bodies.len(), 2);
}

#[test]
fn the_bundled_recordings_are_what_they_say() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/recordings");
    for (file, swept) in [("warehouse.jsonl", false), ("warehouse_ccd.jsonl", true)] {
        let level = level::open(&folder.join(file), &()).unwrap();
        assert!(level.notices.is_empty(), "{file}: {:?}", level.notices);
        let replay = &level.replay;
        assert_eq!(replay.frames(), 180, "{file}");
        let mut passed = 0;
        for speed in [5, 10, 30, 60, 90, 120] {
            let ball = replay.object_named(&format!("bullet {speed} m/s")).unwrap();
            let x = |frame| {
                replay.state(frame).bodies[ball as usize]
                    .unwrap()
                    .pose
                    .position
                    .x
            };
            passed += u32::from((0..=180).any(|frame| x(frame) > 0.0));
        }
        // The thin wall's middle is at x = 0; swept balls stay before it, unswept ones above 14.4 m/s may not.
        assert_eq!(passed, if swept { 0 } else { 4 }, "{file}");
    }
}

// Bit for bit: what is written reads back the same, whatever it is.

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => -1e3..1e3,
        2 => any::<f64>(),
        1 => Just(-0.0),
        1 => Just(f64::NAN),
        1 => Just(f64::NEG_INFINITY),
        1 => Just(5e-324),
        1 => Just(f64::MAX),
    ]
}

fn finite() -> impl Strategy<Value = f64> {
    number().prop_filter("finite", |value| value.is_finite())
}

fn above_zero() -> impl Strategy<Value = f64> {
    finite().prop_filter_map("above zero", |value| (value != 0.0).then_some(value.abs()))
}

fn vector(number: impl Strategy<Value = f64>) -> impl Strategy<Value = DVec3> {
    proptest::collection::vec(number, 3).prop_map(|v| DVec3::new(v[0], v[1], v[2]))
}

fn rotation() -> impl Strategy<Value = DQuat> {
    prop_oneof![
        Just(DQuat::IDENTITY),
        (-1.0..1.0, -1.0..1.0, -1.0..1.0, 0.1..1.0)
            .prop_map(|(x, y, z, w)| DQuat::from_xyzw(x, y, z, w).normalize()),
    ]
}

fn shape() -> impl Strategy<Value = Shape> {
    let point = || vector(-1e3..1e3);
    let facing = || prop_oneof![Just(Facing::Both), Just(Facing::Front)];
    prop_oneof![
        above_zero().prop_map(|radius| Shape::Sphere { radius }),
        vector(0.0..9.0).prop_map(|half_extents| Shape::Box { half_extents }),
        (point(), point()).prop_map(|(a, b)| Shape::Segment(Segment { a, b })),
        (point(), point(), above_zero()).prop_map(|(a, b, radius)| Shape::Capsule(Capsule {
            segment: Segment { a, b },
            radius
        })),
        (point(), point(), point(), facing())
            .prop_map(|(a, b, c, facing)| Shape::Triangle(Triangle { a, b, c, facing })),
        (rotation(), -9.0..9.0).prop_map(|(rotation, offset)| Shape::Plane(Plane {
            normal: rotation * DVec3::Y,
            offset
        })),
        (point(), point(), point(), facing()).prop_map(|(a, b, c, facing)| {
            let mesh = Mesh::new(vec![a, b, c, a + b], vec![[0, 1, 2], [3, 2, 1]], facing);
            Shape::Mesh(Arc::new(mesh.unwrap()))
        }),
    ]
}

fn object(index: usize) -> impl Strategy<Value = Object> {
    (
        shape(),
        (
            any::<u32>(),
            any::<u32>(),
            any::<bool>(),
            any::<Option<bool>>(),
        ),
        (any::<Option<[u8; 3]>>(), above_zero(), 0..2_u8, "\\PC{0,6}"),
    )
        .prop_map(
            move |(shape, (layer, mask, sensor, ccd), (color, mass, motion, tag))| Object {
                layer,
                mask,
                sensor,
                ccd,
                color,
                mass,
                movement: [Movement::Velocity, Movement::Kinematic][motion as usize].clone(),
                tags: vec![tag.clone()],
                ..Object::new(format!("{tag} {index}"), shape, DVec3::ZERO)
            },
        )
}

fn body(object: u32) -> impl Strategy<Value = Body> {
    (
        vector(number()),
        rotation(),
        proptest::option::of(vector(number())),
        proptest::option::of(vector(number())),
        any::<(bool, bool)>(),
    )
        .prop_map(
            move |(position, rotation, velocity, spin, (teleported, asleep))| Body {
                object,
                pose: Pose { position, rotation },
                velocity,
                spin,
                teleported,
                asleep,
            },
        )
}

type Said = (LoggedContact, LoggedPush, LoggedQuery, Option<LoggedCamera>);

fn said() -> impl Strategy<Value = Said> {
    let v = || vector(number());
    (
        v(),
        v(),
        number(),
        v(),
        any::<bool>(),
        proptest::option::of(v()),
        rotation(),
    )
        .prop_map(|(point, normal, depth, to, sweep, maybe, rotation)| {
            let hit = LoggedHit {
                object: 1,
                fraction: depth,
                normal: maybe,
            };
            let pose = Pose {
                position: to,
                rotation,
            };
            let query = LoggedQuery {
                kind: if sweep {
                    QueryKind::Sweep
                } else {
                    QueryKind::Ray
                },
                object: sweep.then_some(0),
                from: point,
                to,
                radius: depth,
                mask: sweep.then_some(5),
                hit: sweep.then_some(hit),
            };
            let contact = LoggedContact {
                a: 0,
                b: 1,
                point,
                normal,
                depth,
            };
            let push = LoggedPush {
                object: 1,
                push: to,
            };
            let camera = sweep.then_some(LoggedCamera {
                pose,
                push: maybe,
                teleported: maybe.is_some(),
            });
            (contact, push, query, camera)
        })
}

fn recording() -> impl Strategy<Value = Recording> {
    let frame = (
        body(0),
        proptest::option::of(body(1)),
        said(),
        (1..4_u64, above_zero(), any::<Option<bool>>()),
    );
    let frames = proptest::collection::vec(frame, 1..6);
    (object(0), object(1), vector(finite()), 0.001..1.0, frames).prop_map(
        |(a, b, gravity, dt, frames)| {
            let mut recording = Recording {
                name: "it".into(),
                dt,
                gravity,
                objects: vec![a, b],
                ..Recording::default()
            };
            for (first, second, (contact, push, query, camera), (gap, odd_dt, time)) in frames {
                let before = recording.frames.last();
                let number = before.map_or(0, |frame: &RecordedFrame| frame.number + gap);
                let bodies = recording.bodies.len();
                let said = recording.contacts.len();
                recording.bodies.push(first);
                recording.bodies.extend(second);
                recording.contacts.push(contact);
                recording.pushes.push(push);
                recording.queries.push(query);
                recording.frames.push(RecordedFrame {
                    number,
                    time: time.map(|_| number as f64 * dt),
                    dt: if time == Some(true) { dt } else { odd_dt },
                    gap: number > 0 && time.is_none(),
                    bodies: bodies..recording.bodies.len(),
                    contacts: said..said + 1,
                    pushes: said..said + 1,
                    queries: said..said + 1,
                    camera,
                });
            }
            recording
        },
    )
}

/// Every number to its bits; all that are none look alike.
fn bits(value: &impl std::fmt::Debug) -> String {
    // Rust prints the shortest text that reads back to the same bits, and minus zero as such.
    format!("{value:?}")
}

proptest! {
    #[test]
    fn json_lines_come_back_bit_for_bit(recording in recording()) {
        let text = written(Format::JsonLines, &recording);
        let again = read(Format::JsonLines, &text);
        prop_assert_eq!(bits(&again.notices), "[]");
        prop_assert_eq!(bits(&again.frames), bits(&recording.frames));
        prop_assert_eq!(bits(&again.bodies), bits(&recording.bodies));
        prop_assert_eq!(bits(&again.contacts), bits(&recording.contacts));
        prop_assert_eq!(bits(&again.pushes), bits(&recording.pushes));
        prop_assert_eq!(bits(&again.queries), bits(&recording.queries));
        prop_assert_eq!(bits(&(again.dt, again.gravity)), bits(&(recording.dt, recording.gravity)));
        for (again, object) in again.objects.iter().zip(&recording.objects) {
            prop_assert_eq!(bits(&again.shape), bits(&object.shape));
            let rest = |o: &Object| bits(&(o.name.clone(), o.layer, o.mask, o.sensor, o.ccd, o.color, o.mass, o.movement.clone(), o.tags.clone()));
            prop_assert_eq!(rest(again), rest(object));
        }
        prop_assert_eq!(written(Format::JsonLines, &again), written(Format::JsonLines, &read(Format::JsonLines, &written(Format::JsonLines, &again))));
    }

    #[test]
    fn csv_keeps_every_body_and_names_the_rest(recording in recording()) {
        let mut bytes = Vec::new();
        let losses = log::write(Format::Csv, &recording, &mut bytes).unwrap();
        prop_assert!(losses.iter().any(|loss| loss.what.contains("contacts")));
        let again = read(Format::Csv, std::str::from_utf8(&bytes).unwrap());
        // Names are trimmed, and objects stand in the order of their first row.
        let poses = |recording: &Recording| -> Vec<String> {
            let body = |body: &Body| {
                let name = recording.objects[body.object as usize].name.trim();
                bits(&(name, body.pose, body.velocity, body.spin, body.asleep, body.teleported))
            };
            recording.bodies.iter().map(body).collect()
        };
        prop_assert_eq!(poses(&again), poses(&recording));
        let numbers = |r: &Recording| r.frames.iter().map(|f| f.number).collect::<Vec<_>>();
        prop_assert_eq!(numbers(&again), numbers(&recording));
    }

    #[test]
    fn no_text_makes_the_readers_panic(text in "\\PC{0,200}", rest in "[\\{\\}\\[\\]\":,a-z0-9.eNI\n -]{0,200}") {
        let folder = MemoryFolder::default();
        for text in [text.clone(), format!("{HEADER}\n{rest}"), format!("frame,name,px,py,pz\n{rest}")] {
            for format in [Format::JsonLines, Format::Csv] {
                let _ = log::read(format, text.as_bytes(), 0, "test", None, &folder, &());
            }
        }
    }
}
