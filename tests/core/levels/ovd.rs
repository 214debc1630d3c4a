//! Recordings of OmniPVD, the debugger of PhysX.

mod broken;
mod shapes;
mod steps;
mod stream;

use crate::common::levels::{bodies_of, diagnosed};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Kind};
use hitstop::core::level::{self, Level, ReadOptions};
use hitstop::core::log::{self, Format};
use hitstop::core::problem::Problems;
use hitstop::core::replay::{Body, LoggedContact, Recording};
use hitstop::core::scene::{Axis, DiskFolder, MemoryFolder, Movement, Object};
use hitstop::core::shape::Shape;
use std::path::Path;
use stream::{SCENE, SIMULATION, Stream, TRIGGER, at};

const DYNAMIC: &str = "PxRigidDynamic";
const STATIC: &str = "PxRigidStatic";

fn read_bytes(format: Format, bytes: &[u8]) -> Result<Recording, Problems> {
    let (length, folder) = (bytes.len() as u64, MemoryFolder::default());
    log::read(format, bytes, length, "run.ovd", None, &folder, &())
}

#[track_caller]
fn read(stream: &Stream) -> Recording {
    read_bytes(Format::Ovd, &stream.bytes).unwrap_or_else(|problems| panic!("{problems}"))
}

fn open(name: &str) -> Level {
    let path = Path::new("tests/core/levels/ovd").join(name);
    level::open(&path, &()).unwrap_or_else(|problems| panic!("{problems}"))
}

/// The notices but for that of the units.
fn notices(recording: &Recording) -> Vec<&str> {
    let all = recording.notices.iter().map(|notice| &*notice.what);
    all.filter(|what| !what.starts_with("the recording does not name its unit"))
        .collect()
}

fn object<'r>(recording: &'r Recording, name: &str) -> &'r Object {
    let found = recording.objects.iter().find(|object| object.name == name);
    found.unwrap_or_else(|| panic!("no {name}"))
}

/// A body of a frame, if it is there.
fn body(recording: &Recording, frame: usize, name: &str) -> Option<Body> {
    let index = recording
        .objects
        .iter()
        .position(|object| object.name == name);
    recording.body_at(frame, index.unwrap() as u32)
}

#[track_caller]
fn close(one: DVec3, other: DVec3) {
    assert!((one - other).length() < 1e-6, "{one} is not {other}");
}

/// The log beside the recording was made by another reader, in Python.
#[test]
fn a_recording_of_physx_is_the_log_of_another_reader() {
    let (ours, theirs) = (
        open("ball_and_wall.ovd.zst"),
        open("ball_and_wall.jsonl.zst"),
    );
    let [ours, theirs] = [&ours, &theirs].map(|level| level.replay.recording().unwrap());
    assert_eq!(ours.frames.len(), 31);
    assert_eq!(bodies_of(ours), bodies_of(theirs));
    let contacts = |recording: &Recording| -> Vec<LoggedContact> {
        let frames = recording.data.iter();
        frames.flat_map(|data| data.contacts.clone()).collect()
    };
    assert_eq!(contacts(ours), contacts(theirs));
    assert_eq!((ours.dt, ours.gravity), (theirs.dt, theirs.gravity));
    for (ours, theirs) in ours.objects.iter().zip(&theirs.objects) {
        let parts = |it: &Object| {
            (
                it.name.clone(),
                it.shape.clone(),
                it.mass,
                it.ccd,
                it.sensor,
            )
        };
        assert_eq!(parts(ours), parts(theirs));
        assert_eq!(ours.movement, theirs.movement);
    }
}

/// The ball is 1/3 m before the wall's middle and moves 2/3 m: it touches at 0.12 m, after 0.32 of the frame.
#[test]
fn a_ball_through_a_wall_is_found_in_a_recording_of_physx() {
    let level = open("ball_and_wall.ovd.zst");
    let report = diagnosed(&level);
    let [finding] = &report.findings[..] else {
        panic!("{:?}", report.findings);
    };
    assert_eq!((finding.kind, finding.frame), (Kind::Tunnels, 4));
    assert!((finding.fraction - 0.32).abs() < 1e-5);
    assert_eq!(
        (finding.cause, &finding.also[..]),
        (Cause::TooFast, &[Cause::Ccd][..])
    );
    let not_judged: Vec<_> = report.not_judged.iter().filter_map(|it| it.cause).collect();
    assert_eq!(not_judged, [Cause::OwnQuery, Cause::Bits]);
}

#[test]
fn units_and_axes_follow_from_the_scale_and_from_gravity() {
    let mut stream = Stream::new(3, [0.0, 0.0, -981.0], 100.0);
    stream.ball(10, DYNAMIC, [100.0, 200.0, 300.0], 50.0);
    stream.step(&[(10, [100.0, 200.0, 200.0])]);
    let recording = read(&stream);
    close(recording.gravity.unwrap(), DVec3::new(0.0, -9.81, 0.0));
    close(
        bodies_of(&recording)[0].pose.position,
        DVec3::new(1.0, 3.0, -2.0),
    );
    assert_eq!(recording.objects[0].shape, Shape::Sphere { radius: 0.5 });
    assert_eq!(recording.notices.len(), 1, "{:?}", recording.notices);
    // The user names others.
    let path = Path::new("tests/core/levels/ovd/ball_and_wall.ovd.zst");
    let options = ReadOptions {
        unit: Some(0.01),
        up: Some(Axis::Y),
        ..ReadOptions::default()
    };
    let level = level::open_with(path, &options, &DiskFolder::of(path), &()).unwrap();
    assert!(level.notices.is_empty(), "{:?}", level.notices);
    let bodies = bodies_of(level.replay.recording().unwrap());
    close(bodies[1].pose.position, DVec3::new(-0.03, 0.0, 0.01));
}

#[test]
fn bodies_have_the_velocity_of_their_shape() {
    let mut stream = Stream::metres();
    stream.ball(10, DYNAMIC, [5.0, 0.0, 0.0], 0.5);
    // The shape is 2 m above the actor's origin, the centre of mass 1 m; the actor is turned a quarter about Z.
    stream.floats(11, "PxShape.localPose", &at([0.0, 2.0, 0.0]));
    stream.floats(10, "PxRigidBody.cMassLocalPose", &at([0.0, 1.0, 0.0]));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    stream.floats(
        10,
        "PxRigidActor.globalPose",
        &[0.0, 0.0, half, half, 5.0, 0.0, 0.0],
    );
    stream.floats(10, "PxRigidBody.linearVelocity", &[1.0, 0.0, 0.0]);
    stream.floats(10, "PxRigidBody.angularVelocity", &[0.0, 0.0, 3.0]);
    stream.set(10, "PxRigidDynamic.isSleeping", &[1]);
    stream.step(&[]);
    let body = bodies_of(&read(&stream))[0];
    close(body.pose.position, DVec3::new(3.0, 0.0, 0.0));
    close(body.pose.rotation * DVec3::X, DVec3::Y);
    // 1 m beside the centre of mass, at -X.
    close(body.velocity.unwrap(), DVec3::new(1.0, -3.0, 0.0));
    close(body.spin.unwrap(), DVec3::Z * 3.0);
    assert!(body.asleep);
}

#[test]
fn kinds_of_actors_and_shapes() {
    let mut stream = Stream::metres();
    let kinds = [
        (10, STATIC, 0, SIMULATION),
        (20, DYNAMIC, 0, SIMULATION),
        (30, DYNAMIC, 1, TRIGGER),
        (40, DYNAMIC, 4, SIMULATION),
        // Only for queries.
        (50, DYNAMIC, 0, 2),
    ];
    for (actor, class, flags, shape) in kinds {
        stream.ball(actor, class, [actor as f32, 0.0, 0.0], 1.0);
        stream.set(actor + 1, "PxShape.shapeFlags", &[shape]);
        stream.set(actor, "PxRigidBody.rigidBodyFlags", &[flags, 0]);
    }
    stream.floats(20, "PxRigidBody.mass", &[7.0]);
    stream.wholes(21, "PxShape.simulationFilterData", &[0, 1, 0, 0]);
    // Not simulated, and not in the scene.
    stream.ball(60, DYNAMIC, [0.0; 3], 1.0);
    stream.set(60, "PxActor.flags", &[8]);
    stream.ball(70, DYNAMIC, [0.0; 3], 1.0);
    stream.remove(SCENE, "PxScene.actors", 70);
    let mut with_ccd = stream.clone();
    stream.step(&[]);
    let recording = read(&stream);
    let kind = |it: &Object| (it.name.clone(), it.movement.clone(), it.sensor, it.ccd);
    let kinds: Vec<_> = recording.objects.iter().map(kind).collect();
    let of = |number: u32| format!("actor {number}");
    assert_eq!(
        kinds,
        [
            (of(10), Movement::Fixed, false, None),
            (of(20), Movement::Velocity, false, Some(false)),
            (of(30), Movement::Kinematic, true, Some(false)),
            // The scene does not have the flag.
            (of(40), Movement::Velocity, false, Some(false)),
        ]
    );
    assert_eq!(object(&recording, "actor 20").mass, 7.0);
    assert_eq!(
        notices(&recording),
        [
            "eENABLE_CCD of a body has no effect, as the scene does not have the flag of that name: actor 40",
            "shapes are only for queries, and left out: actor 50",
            "shapes have filter data, by which the program decides which pairs collide: how is not in the recording, so that all pairs are judged: actor 20",
        ]
    );
    with_ccd.wholes(SCENE, "PxScene.flags", &[2]);
    with_ccd.step(&[]);
    assert_eq!(object(&read(&with_ccd), "actor 40").ccd, Some(true));
}

/// What the program places is a teleport, but not what it places before each step: that is moved so.
#[test]
fn a_body_that_the_program_places_is_teleported() {
    let mut stream = Stream::metres();
    stream.ball(10, DYNAMIC, [0.0; 3], 0.5);
    stream.step(&[(10, [1.0, 0.0, 0.0])]);
    stream.place(10, [50.0, 0.0, 0.0]);
    stream.step(&[(10, [51.0, 0.0, 0.0])]);
    stream.step(&[(10, [52.0, 0.0, 0.0])]);
    for x in [53.0, 54.0, 55.0] {
        stream.place(10, [x, 0.0, 0.0]);
        stream.step(&[]);
    }
    let bodies = bodies_of(&read(&stream));
    let teleported: Vec<bool> = bodies.iter().map(|body| body.teleported).collect();
    assert_eq!(teleported, [false, false, true, false, true, false, false]);
}

#[test]
fn objects_come_and_go_and_change() {
    let mut stream = Stream::metres();
    stream.ball(10, DYNAMIC, [0.0; 3], 0.5);
    stream.ball(20, STATIC, [5.0, 0.0, 0.0], 1.0);
    stream.ball(30, STATIC, [9.0, 0.0, 0.0], 1.0);
    stream.step(&[]);
    // A fixed one is moved, and the other is gone.
    stream.place(20, [6.0, 0.0, 0.0]);
    stream.destroy(30);
    stream.step(&[]);
    // An address is used again, and a body becomes kinematic.
    stream.destroy(10);
    stream.ball(10, DYNAMIC, [0.0, 7.0, 0.0], 2.0);
    stream.step(&[]);
    stream.set(10, "PxRigidBody.rigidBodyFlags", &[1]);
    stream.step(&[]);
    let recording = read(&stream);
    assert!(notices(&recording).is_empty(), "{:?}", recording.notices);
    let expected = [
        ("actor 20", vec![0, 1]),
        ("actor 20 (2)", vec![2, 3, 4]),
        ("actor 30", vec![0, 1]),
        ("actor 10", vec![0, 1, 2]),
        ("actor 10 (2)", vec![3]),
        ("actor 10 (3)", vec![4]),
    ];
    let mut text = Vec::new();
    log::write(Format::JsonLines, &recording, &mut text).unwrap();
    let as_log = read_bytes(Format::JsonLines, &text).unwrap();
    for recording in [&recording, &as_log] {
        for (name, frames) in &expected {
            let all = 0..recording.frames.len();
            let there = all.filter(|frame| body(recording, *frame, name).is_some());
            assert_eq!(there.collect::<Vec<usize>>(), *frames, "{name}");
        }
    }
    let moved = body(&recording, 2, "actor 20 (2)").unwrap();
    close(moved.pose.position, DVec3::X * 6.0);
    assert_eq!(
        object(&recording, "actor 10 (3)").movement,
        Movement::Kinematic
    );
}

#[test]
fn parts_joints_and_groups_are_not_tested() {
    let mut stream = Stream::metres();
    stream.ball(10, DYNAMIC, [0.0; 3], 0.5);
    let second = stream.sphere(0.25);
    stream.shape(12, second, SIMULATION);
    stream.floats(12, "PxShape.localPose", &at([0.0, 1.0, 0.0]));
    stream.add(10, "PxRigidActor.shapes", 12);
    for actor in [20, 30, 40, 50] {
        stream.ball(actor, DYNAMIC, [actor as f32, 0.0, 0.0], 0.5);
    }
    let joint = |stream: &mut Stream, joint: u64, actors: [u64; 2], flags: u8| {
        stream.create(joint, "PxFixedJoint");
        stream.objects(joint, "PxJoint.actor0", &actors[..1]);
        stream.objects(joint, "PxJoint.actor1", &actors[1..]);
        stream.set(joint, "PxJoint.constraintFlags", &[flags, 0]);
    };
    joint(&mut stream, 80, [10, 20], 0);
    // This one lets its bodies collide, and the other end of the last is the world.
    joint(&mut stream, 81, [20, 30], 8);
    joint(&mut stream, 82, [30, 0], 0);
    stream.create(90, "PxAggregate");
    stream.set(90, "PxAggregate.selfCollision", &[0]);
    for actor in [40, 50] {
        stream.add(90, "PxAggregate.actors", actor);
    }
    stream.step(&[]);
    stream.destroy(80);
    stream.step(&[]);
    let recording = read(&stream);
    let names: Vec<&str> = recording.objects.iter().map(|it| &*it.name).collect();
    assert_eq!(
        names[..3],
        ["actor 10 part 0", "actor 10 part 1", "actor 20"]
    );
    let bodies: Vec<_> = recording
        .objects
        .iter()
        .map(|it| it.body.as_deref())
        .collect();
    assert!(bodies[0].is_some() && bodies[0] == bodies[1]);
    assert_eq!(bodies[2], None);
    close(bodies_of(&recording)[1].pose.position, DVec3::Y);
    let joined: Vec<_> = recording
        .joints
        .iter()
        .map(|it| (it.a, it.b, it.from..it.until))
        .collect();
    assert_eq!(joined, [(0, 2, 0..2), (1, 2, 0..2)]);
    assert_eq!(object(&recording, "actor 40").ignores, ["actor 50"]);
}

#[test]
fn contacts_are_those_of_their_step() {
    let mut stream = Stream::metres();
    stream.ball(10, DYNAMIC, [0.0; 3], 0.5);
    stream.ball(20, STATIC, [0.0, -1.0, 0.0], 0.5);
    stream.begin_step(0.1);
    stream.contact([10, 20], [0.0, -0.5, 0.0], [0.0, 1.0, 0.0], -0.125);
    stream.end_step();
    stream.step(&[]);
    // Two points are announced, and one is there.
    stream.begin_step(0.1);
    stream.contact([10, 20], [0.0, -0.5, 0.0], [0.0, 1.0, 0.0], -0.125);
    stream.wholes(SCENE, "PxScene.pairsContactCounts", &[2]);
    stream.end_step();
    let recording = read(&stream);
    let contacts: Vec<_> = recording
        .data
        .iter()
        .map(|it| it.contacts.to_vec())
        .collect();
    let contact = LoggedContact {
        a: 0,
        b: 1,
        point: DVec3::new(0.0, -0.5, 0.0),
        normal: DVec3::Y,
        depth: 0.125,
    };
    assert_eq!(contacts, [vec![], vec![contact], vec![], vec![]]);
    assert!(recording.has_empty_contacts);
    assert_eq!(
        notices(&recording),
        ["the contacts of a step contradict each other, and are left out: frame 3"]
    );
}

#[test]
fn one_scene_is_read_and_the_rest_is_named() {
    let mut stream = Stream::new(2, [0.0; 3], 1.0);
    stream.ball(10, DYNAMIC, [1.0, 2.0, 3.0], 0.5);
    // As streams of the time have it.
    stream.create(80, "PxRigidDynamic");
    stream.floats(80, "PxRigidActor.translation", &[4.0, 5.0, 6.0]);
    stream.floats(80, "PxRigidActor.rotation", &[0.0, 0.0, 0.0, 1.0]);
    stream.add(80, "PxRigidActor.shapes", 11);
    stream.add(SCENE, "PxScene.actors", 80);
    stream.create(5, "PxScene");
    stream.text_of(5, "PxScene.name", "other");
    stream.create(60, "PxPBDParticleSystem");
    stream.add(SCENE, "PxScene.actors", 60);
    stream.create(70, "PxRigidDynamic");
    stream.place(70, [0.0; 3]);
    stream.add(SCENE, "PxScene.actors", 70);
    stream.floats(99, "PxRigidBody.mass", &[1.0]);
    stream.step(&[]);
    stream.floats(5, "PxScene.elapsedTime", &[0.5]);
    stream.floats(SCENE, "PxScene.gravity", &[0.0, -5.0, 0.0]);
    stream.step(&[]);
    let recording = read(&stream);
    assert_eq!(recording.frames.len(), 3);
    assert_eq!(recording.gravity, Some(DVec3::ZERO));
    close(
        bodies_of(&recording)[1].pose.position,
        DVec3::new(4.0, 5.0, 6.0),
    );
    let what: Vec<&str> = notices(&recording)
        .iter()
        .map(|it| it.split(": ").next().unwrap())
        .collect();
    assert_eq!(
        what,
        [
            "actors that are not rigid bodies are not read",
            "bodies without a shape are left out",
            "gravity changes, and the first one is taken for all frames",
            "scenes but the first that is stepped are left out",
            "values of objects that the recording does not create are left out",
        ]
    );
}
