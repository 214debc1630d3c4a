//! Logs read, written, read again; and the levels made from them.

use crate::common::levels::{bodies_at, bodies_of};
use crate::common::random::Random;
use crate::common::rounds;
use glam::{DQuat, DVec3};
use hitstop::core::level;
use hitstop::core::log::{self, Format, Header, Recorder, Scalar, Snapshot};
use hitstop::core::replay::{
    Body, FrameData, LoggedCamera, LoggedContact, LoggedContacts, LoggedHit, LoggedNote,
    LoggedPush, LoggedQuery, NoteKind, NoteLevel, NoteMark, NoteValue, QueryKind, RecordedFrame,
    Recording, StaticBody, SweptShape,
};
use hitstop::core::scene::{MemoryFolder, Movement, Object, Units};
use hitstop::core::shape::{Capsule, Facing, Mesh, Plane, Pose, Segment, Shape, Triangle};
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
    assert_eq!(recording.gravity, Some(DVec3::new(0.0, -9.81, 0.0)));
    assert_eq!(recording.objects[0].shape, Shape::Sphere { radius: 0.1 });
    assert_eq!(recording.objects[0].ccd, Some(false));
    assert_eq!(recording.objects[0].velocity, DVec3::X * 40.0);
    let wall = StaticBody {
        object: 1,
        from: 0,
        until: None,
    };
    assert_eq!(
        recording.static_bodies,
        [wall],
        "the wall is in no frame's bodies"
    );
    let bodies = bodies_at(&recording, 0);
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
    assert_eq!(recording.gravity, Some(DVec3::new(0.0, -9.81, 0.0)));
    let half_extents = DVec3::new(1.0, 3.0, 2.0);
    assert_eq!(recording.objects[0].shape, Shape::Box { half_extents });
    let body = bodies_of(&recording)[0];
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
fn non_finite_numbers_are_kept_for_diagnosis() {
    let text = format!(
        "{HEADER}\n{}\n",
        r#"{"frame":0,"bodies":[{"id":7,"p":[NaN,-Infinity,null],"v":[inf,1,2]}]}"#
    );
    let recording = read(Format::JsonLines, &text);
    assert!(recording.notices.is_empty());
    let body = bodies_of(&recording)[0];
    assert!(body.pose.position.x.is_nan() && body.pose.position.z.is_nan());
    assert_eq!(body.pose.position.y, f64::NEG_INFINITY);
    assert_eq!(body.velocity.unwrap().x, f64::INFINITY);
}

/// The direction of a one-way platform is turned to the axes of the level, and has to be one.
#[test]
fn a_one_way_platform_has_a_direction() {
    let header = |more: &str| {
        format!(
            r#"{{"hitstop":1,"dt":0.1,"up":"z","length":0.01,"objects":[{{"id":0,"name":"ledge","motion":"fixed","shape":{{"box":{{"half_extents":[1,1,1]}}}}{more}}}]}}"#
        )
    };
    let line = r#"{"frame":0,"bodies":[]}"#;
    let text = format!(
        "{}\n{line}\n",
        header(r#","one_way":[0,0,2],"character":true"#)
    );
    let recording = read(Format::JsonLines, &text);
    let ledge = &recording.objects[0];
    assert_eq!(ledge.one_way, Some(DVec3::Y * 2.0));
    assert!(ledge.character && ledge.is_character());
    assert!(ledge.lets_pass(DVec3::Y) && ledge.lets_pass(DVec3::new(5.0, 0.1, 0.0)));
    assert!(!ledge.lets_pass(DVec3::NEG_Y) && !ledge.lets_pass(DVec3::X));
    for way in ["[0,0,0]", r#"[0,"NaN",0]"#] {
        let text = format!("{}\n{line}\n", header(&format!(r#","one_way":{way}"#)));
        let folder = MemoryFolder::default();
        let length = text.len() as u64;
        let format = Format::JsonLines;
        let read = log::read(format, text.as_bytes(), length, "test", None, &folder, &());
        let problems = read.unwrap_err().to_string();
        assert!(
            problems.contains("`one_way` is not a direction"),
            "{problems}"
        );
    }
}

#[test]
fn an_empty_list_of_contacts_is_not_a_missing_one() {
    for (more, logs) in [("", false), (r#","contacts":[]"#, true)] {
        let line = format!(r#"{{"frame":0,"bodies":[{{"id":7,"p":[0,0,0]}}]{more}}}"#);
        let recording = read(Format::JsonLines, &format!("{HEADER}\n{line}\n"));
        assert!(recording.notices.is_empty());
        assert_eq!(recording.logs_contacts(), logs, "{line}");
        let again = read(Format::JsonLines, &written(Format::JsonLines, &recording));
        assert_eq!(again, recording);
    }
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
        let bodies = bodies_at(&recording, frame);
        let bodies = bodies.into_iter();
        bodies
            .map(|body| &*recording.objects[body.object as usize].name)
            .collect()
    };
    assert_eq!(names_at(0), ["ball", "wall"]);
    assert_eq!(names_at(1), ["ball", "late", "wall", "gate"]);
    assert_eq!(names_at(2), ["late", "wall", "gate"]);
    assert_eq!(
        recording.data.totals().bodies,
        4,
        "what stands still costs no body a frame"
    );
    let again = read(Format::JsonLines, &written(Format::JsonLines, &recording));
    assert_eq!(again, recording);
}

/// A camera that looks along the world's -Z with Y up, in the axes of three engines; and the header's lens, in centimetres.
#[test]
fn a_camera_looks_along_its_own_axes_whatever_is_up() {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    for (up, q) in [
        ("y", "[0,0,0,1]".to_owned()),
        // Its -Z is the world's +Y, its +Y the world's +Z.
        ("z", format!("[{half},0,0,{half}]")),
        // Its +Y is the world's +X.
        ("x", format!("[0,0,{},{half}]", -half)),
    ] {
        let text = format!(
            r#"{{"hitstop":1,"up":"{up}","length":0.01,"lens":{{"near":20,"fov":90}},"objects":[{{"id":0,"shape":{{"sphere":{{"radius":1}}}}}}]}}
{{"frame":0,"bodies":[{{"id":0,"p":[0,0,0]}}],"camera":{{"p":[0,0,0],"q":{q}}}}}
{{"frame":1,"bodies":[{{"id":0,"p":[0,0,0]}}],"camera":{{"p":[0,0,0],"q":{q}}}}}
"#
        );
        let mut folder = MemoryFolder::default();
        folder.files.insert("a.jsonl".into(), text.into_bytes());
        let level = level::open_in(&folder, "a.jsonl", &()).unwrap();
        let camera = level.replay.scene().camera.clone().unwrap();
        let ahead = camera.pose.vector(DVec3::NEG_Z);
        assert!(ahead.distance(DVec3::NEG_Z) < 1e-12, "{up}: {ahead}");
        let over = camera.pose.vector(DVec3::Y);
        assert!(over.distance(DVec3::Y) < 1e-12, "{up}: {over}");
        assert!((camera.near - 0.2).abs() < 1e-15);
        assert!((camera.fov - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
        assert_eq!(camera.aspect, 16.0 / 9.0);
    }
}

#[test]
fn a_minimal_log_is_a_level() {
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
    // Two frames a second.
    let [notice] = level.notices.as_slice() else {
        panic!("{:?}", level.notices);
    };
    assert!(notice.what.contains("not plausible"), "{notice}");
    assert!(level.replay.scene().camera.is_some());
    let travel = level.replay.frame(0).segments(0)[0].motion;
    assert_eq!(travel.displacement(), DVec3::X);
}

#[test]
fn a_csv_takes_shapes_units_and_dt_from_its_scene() {
    let scene = r#"Scene(version: 1, units: (length: 0.01, up: Z), dt: 0.125, recording: "run.csv", objects: [
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
    assert_eq!((replay.frames(), replay.dt(0)), (1, 0.125));
    let ball = replay.object_named("ball").unwrap() as usize;
    assert_eq!(replay.objects()[ball].shape, Shape::Sphere { radius: 0.2 });
    let state = replay.state(1);
    let position = state.body(ball as u32).unwrap().pose.position;
    assert_eq!(position, DVec3::new(2.0, 3.0, 0.0));
    let wall = replay.object_named("wall").unwrap();
    assert!(state.body(wall).is_some(), "the scene's wall stands there");
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
        .zip(recording.data.iter())
        .map(|(f, data)| (f.number, f.time, data.bodies.len()))
        .collect();
    assert_eq!(frames, [(0, Some(0.0), 2), (1, Some(0.5), 1)]);
    assert_eq!(recording.objects[0].shape, Shape::Sphere { radius: 0.1 });
    assert_eq!(recording.objects[0].pose.position, DVec3::X);
}

/// Lines may end in a line feed, in a carriage return, or in both.
#[test]
fn rows_of_a_csv_may_end_in_a_carriage_return() {
    let text = "frame,time,name,px,py,pz,radius\n0,0,a,0,0,0,1\n1,0.5,a,1,0,0,1\n";
    let recording = read(Format::Csv, text);
    assert_eq!(recording.frames.len(), 2);
    for end in ["\r", "\r\n"] {
        assert!(read(Format::Csv, &text.replace('\n', end)) == recording);
    }
}

/// Two rows of two bodies each, by the headings.
#[test]
fn a_wide_table_with_as_many_rows_as_bodies_has_no_notice_of_names() {
    let text = "time,left_x,left_y,left_z,right_x,right_y,right_z\n0,0,0,0,9,0,0\n1,1,0,0,9,0,0\n";
    let recording = read(Format::Csv, text);
    assert_eq!(recording.objects.len(), 2);
    let mut whats = recording.notices.iter().map(|notice| &*notice.what);
    assert!(!whats.any(|what| what.contains("each row is of another body")));
}

#[test]
fn single_precision_round_trips_exactly() {
    let header = Header {
        scalar: Scalar::F32,
        units: Units {
            length: 0.5,
            ..Units::default()
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
    for (body, position) in bodies_of(&recording).iter().zip(positions) {
        assert_eq!(body.pose.position, position);
    }
}

#[test]
fn the_recorder_refuses_unreadable_input() {
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
    let impulses = Snapshot {
        bodies: &[body],
        impulses: &[1.0],
        ..Snapshot::default()
    };
    assert!(recorder.snapshot(&impulses).is_err(), "of no contact");
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
    assert_eq!(recording.data.at(1).bodies.len(), 2);
}

#[test]
fn a_recorded_frame_has_the_fields_that_were_given() {
    let mut recorder = Recorder::new(Vec::new(), Header::default()).unwrap();
    let ball = Object::new("ball", Shape::Sphere { radius: 1.0 }, DVec3::ZERO);
    let id = recorder.add_object(ball).unwrap();
    let at = Pose::at(DVec3::new(1.0, 2.5, -3.0));
    recorder.frame(0.5, &[Body::new(id, at)]).unwrap();
    let text = String::from_utf8(recorder.finish().unwrap()).unwrap();
    let line = r#"{"frame":0,"t":0.5,"bodies":[{"id":0,"p":[1,2.5,-3]}]}"#;
    assert_eq!(text.lines().nth(1), Some(line));
}

#[test]
fn a_recorder_without_a_frame_writes_its_objects() {
    let mut recorder = Recorder::new(Vec::new(), Header::default()).unwrap();
    let ball = Object::new("ball", Shape::Sphere { radius: 1.0 }, DVec3::ZERO);
    recorder.add_object(ball).unwrap();
    let text = String::from_utf8(recorder.finish().unwrap()).unwrap();
    assert_eq!(text.lines().count(), 1);
    assert!(text.contains(r#""name":"ball""#), "{text}");
}

#[test]
fn the_bundled_recordings_are_as_described() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/recordings");
    for (file, swept) in [("warehouse.jsonl", false), ("warehouse_ccd.jsonl", true)] {
        let level = level::open(&folder.join(file), &()).unwrap();
        assert!(level.notices.is_empty(), "{file}: {:?}", level.notices);
        let replay = &level.replay;
        assert_eq!(replay.frames(), 180, "{file}");
        let mut passed = 0;
        for speed in [5, 10, 30, 60, 90, 120] {
            let ball = replay.object_named(&format!("bullet {speed} m/s")).unwrap();
            let x = |frame| replay.state(frame).body(ball).unwrap().pose.position.x;
            passed += u32::from((0..=180).any(|frame| x(frame) > 0.0));
        }
        // The thin wall's centre is at x = 0; swept balls stay in front of it, unswept ones above 14.4 m/s may not.
        assert_eq!(passed, if swept { 0 } else { 4 }, "{file}");
    }
}

/// Numbers, rotations and recordings of every kind that a log may contain.
impl Random {
    fn number(&mut self) -> f64 {
        match self.below(15) {
            0..8 => self.range(-1e3, 1e3),
            8..10 => f64::from_bits(self.bits()),
            10 => -0.0,
            11 => f64::NAN,
            12 => f64::NEG_INFINITY,
            13 => 5e-324,
            _ => f64::MAX,
        }
    }

    fn finite(&mut self) -> f64 {
        let number = self.number();
        if number.is_finite() { number } else { 1.0 }
    }

    fn above_zero(&mut self) -> f64 {
        let number = self.finite().abs();
        if number > 0.0 { number } else { 1.0 }
    }

    fn any_vector(&mut self) -> DVec3 {
        DVec3::new(self.number(), self.number(), self.number())
    }

    fn unit_rotation(&mut self) -> DQuat {
        self.maybe(Self::rotation).unwrap_or(DQuat::IDENTITY)
    }

    fn shape(&mut self) -> Shape {
        let [a, b, c] = [(); 3].map(|()| self.point(1e3));
        let (segment, radius) = (Segment { a, b }, self.above_zero());
        let facing = self.pick(&[Facing::Both, Facing::Front]);
        match self.below(7) {
            0 => Shape::Sphere { radius },
            1 => Shape::Box {
                half_extents: a.abs(),
            },
            2 => Shape::Segment(segment),
            3 => Shape::Capsule(Capsule { segment, radius }),
            4 => Shape::Triangle(Triangle { a, b, c, facing }),
            5 => Shape::Plane(Plane {
                normal: self.unit_rotation() * DVec3::Y,
                offset: self.range(-9.0, 9.0),
            }),
            _ => {
                let mesh = Mesh::new(vec![a, b, c, a + b], vec![[0, 1, 2], [3, 2, 1]], facing);
                Shape::Mesh(Arc::new(mesh.unwrap()))
            }
        }
    }

    fn object(&mut self, index: usize) -> Object {
        let tag = self.text(6);
        Object {
            layer: self.bits() as u32,
            mask: self.bits() as u32,
            sensor: self.yes(),
            character: self.yes(),
            one_way: self.maybe(|random| DVec3::Z * random.above_zero()),
            ccd: self.maybe(Self::yes),
            color: self.maybe(|random| [(); 3].map(|()| random.bits() as u8)),
            mass: self.above_zero(),
            movement: [Movement::Velocity, Movement::Kinematic][self.index(2)].clone(),
            tags: vec![tag.clone()],
            ..Object::new(format!("{tag} {index}"), self.shape(), DVec3::ZERO)
        }
    }

    fn body(&mut self, object: u32) -> Body {
        Body {
            object,
            pose: Pose {
                position: self.any_vector(),
                rotation: self.unit_rotation(),
            },
            velocity: self.maybe(Self::any_vector),
            spin: self.maybe(Self::any_vector),
            teleported: self.yes(),
            asleep: self.yes(),
            island: self.maybe(|random| random.bits() as u32),
        }
    }

    fn query(&mut self) -> LoggedQuery {
        let is_sweep = self.yes();
        let hit = LoggedHit {
            object: 1,
            fraction: self.number(),
            normal: self.maybe(Self::any_vector),
        };
        LoggedQuery {
            kind: if is_sweep {
                QueryKind::Sweep
            } else {
                QueryKind::Ray
            },
            object: is_sweep.then_some(0),
            from: self.any_vector(),
            to: self.any_vector(),
            radius: hit.fraction,
            shape: is_sweep.then(|| {
                Arc::new(SweptShape {
                    shape: Shape::Box {
                        half_extents: DVec3::new(1.0, 2.0, 0.25),
                    },
                    rotation: DQuat::from_rotation_z(0.5),
                })
            }),
            mask: is_sweep.then_some(5),
            tag: self.maybe(|random| Arc::from(random.text(9))),
            hit: is_sweep.then_some(hit),
        }
    }

    fn contacts(&mut self) -> LoggedContacts {
        let mut contacts = LoggedContacts::default();
        for _ in 0..=self.index(3) {
            let contact = LoggedContact {
                a: 0,
                b: 1,
                point: self.any_vector(),
                normal: self.any_vector(),
                depth: self.number(),
            };
            let impulse = self.maybe(Self::finite);
            contacts.push_with(contact, impulse);
        }
        contacts
    }

    /// Lines, values, marks: the order of a log.
    fn notes(&mut self) -> Vec<LoggedNote> {
        let mut notes = Vec::new();
        for kind in 0..3 {
            for _ in 0..self.index(4) {
                let kind = match kind {
                    0 => NoteKind::Line(self.pick(&[
                        NoteLevel::Debug,
                        NoteLevel::Info,
                        NoteLevel::Warning,
                        NoteLevel::Error,
                    ])),
                    1 => NoteKind::Value(match self.below(3) {
                        0 => NoteValue::Number(self.number()),
                        1 => NoteValue::Flag(self.yes()),
                        _ => NoteValue::Text(self.text(20)),
                    }),
                    _ => NoteKind::Mark(NoteMark {
                        points: (0..=self.index(4)).map(|_| self.any_vector()).collect(),
                        radius: self.above_zero(),
                        color: self.maybe(|random| [(); 3].map(|()| random.bits() as u8)),
                    }),
                };
                notes.push(LoggedNote {
                    object: self.maybe(|random| random.index(2) as u32),
                    text: self.text(12),
                    kind,
                });
            }
        }
        notes
    }

    fn recording(&mut self) -> Recording {
        let mut recording = Recording {
            name: "it".into(),
            build: self.maybe(|random| format!("1.{}", random.index(20))),
            dt: self.range(0.001, 1.0),
            gravity: Some(DVec3::new(self.finite(), self.finite(), self.finite())),
            objects: vec![self.object(0), self.object(1)],
            ..Recording::default()
        };
        let mut number = 0;
        for _ in 0..1 + self.index(5) {
            let mut bodies = vec![self.body(0)];
            bodies.extend(self.maybe(|random| random.body(1)));
            let data = FrameData {
                bodies,
                contacts: self.contacts(),
                pushes: vec![LoggedPush {
                    object: 1,
                    push: self.any_vector(),
                }],
                queries: vec![self.query()],
                notes: self.notes(),
            };
            // With a time, which may disagree with the length of a frame; or with an odd length.
            let (has_time, is_regular) = (self.yes(), self.yes());
            let time = has_time.then_some(number as f64 * recording.dt);
            let frame = RecordedFrame {
                number,
                time,
                dt: if has_time && is_regular {
                    recording.dt
                } else {
                    self.above_zero()
                },
                gap: number > 0 && time.is_none(),
                camera: self.maybe(|random| LoggedCamera {
                    pose: random.body(0).pose,
                    push: random.maybe(Self::any_vector),
                    teleported: random.yes(),
                }),
                ..RecordedFrame::default()
            };
            recording.push(frame, data);
            number += 1 + self.below(3);
        }
        recording
    }
}

/// Rust prints the shortest text that reads back to the same bits, and the sign of zero. All NaN are equal here.
fn bits(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

/// The notices of what was written by a recorder, but for objects without a body, which have one.
fn others(recording: &Recording) -> String {
    let mut notices = recording.notices.clone();
    notices.retain(|notice| !notice.what.starts_with("no line has these objects"));
    bits(&notices)
}

#[test]
fn json_lines_round_trip_bit_for_bit() {
    for seed in 0..rounds(2560) {
        let recording = Random(seed).recording();
        let text = written(Format::JsonLines, &recording);
        let again = read(Format::JsonLines, &text);
        let all = |it: &Recording| {
            let objects = it.objects.iter().map(|o| {
                let flags = (o.layer, o.mask, o.sensor, o.ccd, o.color, o.mass);
                let flags = (flags, o.character, o.one_way);
                bits(&(&o.name, &o.shape, flags, &o.movement, &o.tags))
            });
            let head = bits(&(it.dt, it.gravity, objects.collect::<Vec<_>>()));
            let data: Vec<_> = it.data.iter().collect();
            (head, bits(&it.frames), bits(&data))
        };
        assert_eq!(others(&again), "[]", "seed {seed}");
        assert_eq!(all(&again), all(&recording), "seed {seed}");
        let twice = written(Format::JsonLines, &again);
        let thrice = written(Format::JsonLines, &read(Format::JsonLines, &twice));
        assert_eq!(twice, thrice, "seed {seed}");
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_keeps_every_line() {
    let folder = MemoryFolder::default();
    for seed in 0..rounds(2560) {
        let text = written(Format::JsonLines, &Random(seed).recording());
        let recording = read(Format::JsonLines, &text);
        // A read log's objects have the poses of their first bodies.
        let text = written(Format::JsonLines, &recording);
        let mut bytes = Vec::new();
        let losses = log::write(Format::Parquet, &recording, &mut bytes).unwrap();
        assert!(losses.is_empty());
        let again = log::read(Format::Parquet, &*bytes, 0, "test", None, &folder, &()).unwrap();
        assert_eq!(others(&again), "[]", "seed {seed}");
        assert_eq!(written(Format::JsonLines, &again), text, "seed {seed}");
    }
}

/// The first rows that go back come after frames that were read already, one of which has a bad row, and one a row twice.
#[test]
fn rows_of_a_csv_give_the_same_recording_in_every_order() {
    let row = |frame: u32, name: &str| match (frame, name) {
        (7, "b") => format!("{frame},{},b,oops,0,0,0.1", 0.5 * f64::from(frame)),
        _ => format!("{frame},{},{name},{frame},1,2,0.1", 0.5 * f64::from(frame)),
    };
    let frames = (0..20).filter(|frame| *frame != 7);
    let mut sorted = vec![row(0, "a"), row(0, "b"), row(0, "c")];
    for frame in frames.clone().skip(1) {
        sorted.extend((frame == 8).then(|| row(7, "b")));
        sorted.extend(["a", "b", "c"].map(|name| row(frame, name)));
    }
    sorted.push(row(19, "c"));
    let mut by_object: Vec<String> = ["a", "b", "c"]
        .iter()
        .flat_map(|name| frames.clone().map(|frame| row(frame, name)))
        .collect();
    by_object.extend([row(19, "c"), row(7, "b")]);
    let mut shuffled = sorted.clone();
    shuffled[3..].reverse();
    let [one, rest @ ..] = [sorted, by_object, shuffled].map(|rows| {
        let text = format!("frame,time,name,px,py,pz,radius\n{}\n", rows.join("\n"));
        let mut recording = read(Format::Csv, &text);
        let whats = recording.notices.iter().map(|notice| notice.what.clone());
        let mut notices: Vec<_> = whats.collect();
        notices.sort();
        recording.notices.clear();
        (recording, notices)
    });
    assert_eq!(one.0.frames.len(), 19);
    assert!(one.0.frames[7].gap, "a row of frame 7 was left out");
    assert_eq!(one.1.len(), 2, "{:?}", one.1);
    for other in rest {
        assert_eq!(other, one);
    }
}

#[test]
fn csv_keeps_every_body_and_lists_what_it_omits() {
    for seed in 0..rounds(2560) {
        let recording = Random(seed).recording();
        let mut bytes = Vec::new();
        let losses = log::write(Format::Csv, &recording, &mut bytes).unwrap();
        assert!(losses.iter().any(|loss| loss.what.contains("contact")));
        let loses_notes = losses.iter().any(|loss| loss.what.contains("mark"));
        assert_eq!(loses_notes, recording.data.totals().notes > 0);
        let again = read(Format::Csv, std::str::from_utf8(&bytes).unwrap());
        // Names are trimmed, and objects are in the order of their first row.
        let all = |it: &Recording| {
            let body = |body: &Body| {
                let name = it.objects[body.object as usize].name.trim();
                let flags = (body.asleep, body.teleported, body.island);
                bits(&(name, body.pose, body.velocity, body.spin, flags))
            };
            let bodies: Vec<String> = bodies_of(it).iter().map(body).collect();
            let numbers: Vec<u64> = it.frames.iter().map(|frame| frame.number).collect();
            (bodies, numbers)
        };
        assert_eq!(all(&again), all(&recording), "seed {seed}");
    }
}

#[test]
fn log_readers_never_panic() {
    const PIECES: &[u8] = b"{}[]\":,abcdefghijklmnopqrstuvwxyz0123456789.eNI\n -";
    let folder = MemoryFolder::default();
    for seed in 0..rounds(2560) {
        let mut random = Random(seed);
        let text = random.text(200);
        let length = random.index(201);
        let rest: String = (0..length)
            .map(|_| char::from(random.pick(PIECES)))
            .collect();
        for text in [
            text,
            format!("{HEADER}\n{rest}"),
            format!("frame,name,px,py,pz\n{rest}"),
        ] {
            for format in [Format::JsonLines, Format::Csv] {
                let _ = log::read(format, text.as_bytes(), 0, "test", None, &folder, &());
            }
        }
    }
}
