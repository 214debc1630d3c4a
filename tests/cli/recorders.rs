//! The recorders of docs/record/, where their languages are installed.

use glam::DVec3;
use hitstop::core::level::{self, LevelParts};
use hitstop::core::live::Listener;
use hitstop::core::progress::Progress;
use hitstop::core::replay::{FrameData, LoggedMove, MoveHit, NoteKind, NoteLevel, Recording};
use hitstop::core::shape::{Compound, Shape, SolidShape};
use std::fs;
use std::io::Write;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Whether a program starts; a test without it says so and ends. With HITSTOP_REQUIRE_COMPILERS it fails.
pub fn is_there(program: &str) -> bool {
    let is_there = Command::new(program).arg("--version").output().is_ok();
    if !is_there {
        let is_required = std::env::var_os("HITSTOP_REQUIRE_COMPILERS").is_some();
        assert!(!is_required, "there is no `{program}`");
        eprintln!("skipped: there is no `{program}`");
    }
    is_there
}

pub fn run(command: &mut Command) {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {errors}");
    assert_eq!(errors, "", "{command:?}");
}

/// Frames, objects and contacts of a log that has no notice.
pub fn counts(log: &Path) -> (usize, usize, usize) {
    let level = level::open(log, &()).unwrap();
    assert!(level.notices.is_empty(), "{:?}", level.notices);
    let recording = level.replay.recording().unwrap();
    let (frames, contacts) = (recording.frames.len(), recording.data.totals().contacts);
    (frames, recording.objects.len(), contacts)
}

/// Ends what would wait forever.
struct Until(Instant);

impl Progress for Until {
    fn report(&self, _: u64, _: u64) {}

    fn cancelled(&self) -> bool {
        Instant::now() > self.0
    }
}

/// Frames and objects that a program sends; the port is its last argument.
pub fn received(program: &mut Command) -> (usize, usize) {
    let listener = Listener::new(Ipv4Addr::LOCALHOST.into(), 0).unwrap();
    program.arg(listener.address().port().to_string());
    let child = program.stderr(Stdio::piped()).spawn().unwrap();
    let until = Until(Instant::now() + Duration::from_secs(120));
    let client = listener.accept(&until).unwrap().unwrap();
    let parts = LevelParts {
        every: Duration::MAX,
        take: &mut |_| {},
    };
    let level = client.receive(parts, &mut |_| ()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(level.notices.is_empty(), "{:?}", level.notices);
    let recording = level.replay.recording().unwrap();
    (recording.frames.len(), recording.objects.len())
}

#[test]
fn the_cpp_header_sends_what_it_records() {
    if !is_there("c++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let code = r#"
#include "hitstop.hpp"
#include "hitstop_live.hpp"
#include <cstdlib>

int main(int, char **arguments) {
    hitstop::LiveOutput viewer("127.0.0.1", static_cast<uint16_t>(std::atoi(arguments[1])));
    hitstop::Recorder log(viewer, hitstop::Header());
    log.add({"ball", hitstop::sphere(0.1)});
    for (int frame = 0; frame < 5000; ++frame) {
        if (frame == 7) log.add({"late", hitstop::sphere(0.1)});
        log.begin_frame(frame / 60.0);
        if (frame >= 7) log.body(1, {0, 9, 0}, {0, 0, 0, 1}, {0, 0, 0}, {0, 0, 0});
        log.body(0, {0.01 * frame, 0, 0}, {0, 0, 0, 1}, {0.6, 0, 0}, {0, 0, 0});
        log.end_frame();
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
}
"#;
    fs::write(at("send.cpp"), code).unwrap();
    run(Command::new("c++")
        .args(["-std=c++11", "-Wall", "-Wextra", "-pedantic", "-pthread"])
        .arg("-I")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/record"))
        .arg("-o")
        .args([at("send"), at("send.cpp")]));
    assert_eq!(received(&mut Command::new(at("send"))), (5000, 2));
    assert_eq!(
        refused(&mut Command::new(at("send"))),
        "hitstop: the viewer answers: no room\n"
    );
}

#[test]
fn the_python_recorder_sends_what_it_records() {
    if !is_there("python3") {
        return;
    }
    let code = r#"
import sys, time
from hitstop_log import Recorder, body

log = Recorder("tcp:127.0.0.1:" + sys.argv[1], dt=0.1)
ball = log.add("ball", {"sphere": {"radius": 0.5}})
for frame in range(5000):
    if frame == 7:
        late = log.add("late", {"sphere": {"radius": 0.5}})
    bodies = [body(ball, [0.1 * frame, 0, 0], v=[1, 0, 0])]
    if frame >= 7:
        bodies.append(body(late, [0, 9, 0]))
    log.frame(0.1 * frame, bodies)
    time.sleep(0.0001)
log.close()
"#;
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/record");
    let python = || {
        let mut python = Command::new("python3");
        python.arg("-c").arg(code).env("PYTHONPATH", &modules);
        python.env("PYTHONDONTWRITEBYTECODE", "1");
        python
    };
    assert_eq!(received(&mut python()), (5000, 2));
    assert_eq!(
        refused(&mut python()),
        "hitstop: the viewer answers: no room\n"
    );
}

#[test]
fn the_file_for_rust_sends_what_it_records() {
    if !is_there("rustc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let code = r#"
mod hitstop_log;
use hitstop_log::{Header, Object, Recorder, Scalar, Shape};

fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).unwrap();
    let mut log = Recorder::open(format!("tcp:127.0.0.1:{port}"), Header::new("", Scalar::F64).dt(0.1))?;
    let ball = log.add(Object::new("ball", Shape::sphere(0.5)));
    let mut late = None;
    for frame in 0..5000 {
        if frame == 7 {
            late = Some(log.add(Object::new("late", Shape::sphere(0.5))));
        }
        let time = 0.1 * f64::from(frame);
        log.body(ball, [time, 0.0, 0.0]).v([1.0, 0.0, 0.0]);
        if let Some(late) = late {
            log.body(late, [0.0, 9.0, 0.0]);
        }
        log.frame(time)?;
        std::thread::sleep(std::time::Duration::from_micros(100));
    }
    log.close()
}
"#;
    fs::write(at("send.rs"), code).unwrap();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("docs/record/hitstop_log.rs");
    fs::copy(file, at("hitstop_log.rs")).unwrap();
    run(Command::new("rustc")
        .args(["--edition", "2021", "-D", "warnings", "-o"])
        .args([at("send"), at("send.rs")]));
    assert_eq!(received(&mut Command::new(at("send"))), (5000, 2));
    assert_eq!(
        refused(&mut Command::new(at("send"))),
        "hitstop: the viewer answers: no room\n"
    );
}

/// A receiver that answers the first connection with an error, and reads no more.
pub fn refused(program: &mut Command) -> String {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let child = program
        .arg(port.to_string())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stream = listener.accept().unwrap().0;
    // The recorder ends without a viewer.
    drop(listener);
    stream.write_all(b"{\"error\":\"no room\"}\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

/// The log that a program of `stubs` writes, without a notice. `headers` are those of the engine.
fn log_of_stub(name: &str, standard: &str, headers: &[&str]) -> Arc<Recording> {
    let folder = tempfile::tempdir().unwrap();
    for header in headers {
        let path = folder.path().join(header);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("#include \"{name}_stub.h\"\n")).unwrap();
    }
    let (program, log) = (folder.path().join(name), folder.path().join("run.jsonl"));
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let stubs = root.join("tests/cli/stubs");
    run(Command::new("c++")
        .args([standard, "-Wall", "-Wextra", "-pedantic", "-I"])
        .arg(root.join("docs/record"))
        .arg("-I")
        .arg(&stubs)
        .arg("-I")
        .arg(folder.path())
        .arg("-o")
        .arg(&program)
        .arg(stubs.join(format!("{name}.cpp"))));
    run(Command::new(&program).arg(&log));
    let level = level::open(&log, &()).unwrap();
    assert!(level.notices.is_empty(), "{:?}", level.notices);
    Arc::clone(level.replay.recording().unwrap())
}

#[test]
fn the_recorder_for_physx_writes_each_shape_and_contacts() {
    if !is_there("c++") {
        return;
    }
    let recording = log_of_stub("physx", "-std=c++14", &["PxPhysicsAPI.h"]);
    let shapes: Vec<_> = recording.objects.iter().map(|one| &one.shape).collect();
    let [
        Shape::Box { half_extents, .. },
        Shape::Capsule { .. },
        Shape::Plane(_),
        Shape::Solid(SolidShape::Hull(hull)),
        Shape::Mesh(triangle),
        Shape::Mesh(field),
        Shape::Sphere { radius },
        Shape::Capsule { .. },
        Shape::Sphere { .. },
        Shape::Sphere { .. },
    ] = &shapes[..]
    else {
        panic!("{shapes:?}");
    };
    assert_eq!(*half_extents, DVec3::new(0.5, 1.0, 2.0));
    let corners = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|corner| 2.0 * corner);
    assert_eq!(hull.points(), corners);
    // A mirrored mesh keeps its front, toward +Z.
    assert!(triangle.triangles().eq([[0, 2, 1]]));
    assert_eq!(field.count(), 3, "two cells, of which one half is a hole");
    assert_eq!(*radius, 0.25);
    assert_eq!(recording.engine.name.as_deref(), Some("physx"));
    let ball = &recording.objects[6];
    assert_eq!(ball.ccd, Some(true));
    let frames: Vec<_> = (0..5).map(|frame| recording.data.at(frame)).collect();
    assert_eq!(
        frames[0].bodies[0].pose.position,
        DVec3::new(-2.0, 0.0, 0.0)
    );
    assert_eq!(frames[0].bodies[0].velocity, Some(DVec3::X * 60.0));
    let [contact] = &frames[2].contacts[..] else {
        panic!("one contact");
    };
    assert_eq!((contact.a, contact.b, contact.depth), (6, 0, 0.25));
    assert_eq!(contact.normal, DVec3::NEG_X);
    assert_eq!(frames[2].contacts.impulses(), [12.0]);
    // The controller is where it moved to, not where its actor is, and falls by 1 m/s.
    assert!(recording.objects[7].character);
    let player = &frames[3].bodies[1];
    let (fallen, speed) = (player.pose.position.y, player.velocity.unwrap().y);
    assert!((fallen - 13.95).abs() < 1e-6 && (speed + 1.0).abs() < 1e-3);
    assert_query(&frames[3], (7, 1, -0.125), 0.3);
    let made = move_of(&frames[3], 7);
    let met = MoveHit {
        object: 1,
        normal: Some(DVec3::Y),
        point: Some(DVec3::Y * 12.0),
    };
    assert_move(made, 15.0, 13.95, DVec3::new(0.5, -2.0, 0.0), met);
    assert_eq!(made.grounded, Some(true));
    assert_eq!([made.max_step, made.snap], [Some(0.25), None]);
    assert_eq!(made.skin, Some(0.125));
    assert_eq!(frames[4].bodies.len(), 0, "both were removed");
    assert!(recording.has_empty_contacts, "the last step has none");
    assert_eq!(ends(&recording), [(0, 5)], "a static actor is removed");
    // One that becomes kinematic goes on as another object.
    assert_eq!(
        [5, 6].map(|frame| recording.data.at(frame).bodies[0].object),
        [8, 9]
    );
    assert_eq!(recording.objects[9].name, "late 2");
}

/// The fixed objects that end, and the first frame without each.
fn ends(recording: &Recording) -> Vec<(u32, usize)> {
    let all = recording.static_bodies.iter();
    all.filter_map(|it| Some((it.object, it.until?))).collect()
}

/// The contact of a character, by its objects and its depth, and the hit of a query on the same body.
fn assert_query(frame: &FrameData, contact: (u32, u32, f64), fraction: f64) {
    let all = frame.contacts.iter().map(|it| (it.a, it.b, it.depth));
    assert_eq!(all.filter(|it| *it == contact).count(), 1);
    let hit = frame.queries[0].hit.unwrap();
    assert_eq!(hit.object, contact.1);
    assert!((hit.fraction - fraction).abs() < 1e-6);
}

/// The only move of a frame, which is of an object.
fn move_of(frame: &FrameData, object: u32) -> &LoggedMove {
    let moves = frame.notes.iter().filter_map(|note| match &note.kind {
        NoteKind::Move(made) => Some((note.object, &**made)),
        _ => None,
    });
    let all: Vec<_> = moves.collect();
    let [(of, made)] = all[..] else {
        panic!("one move");
    };
    assert_eq!(of, Some(object));
    made
}

/// A move along y with one sweep, of a character that climbs slopes of 60 degrees.
fn assert_move(made: &LoggedMove, from: f64, to: f64, wish: DVec3, met: MoveHit) {
    let is_at = |place: DVec3, y: f64| (place - DVec3::Y * y).length() < 1e-6;
    assert!(is_at(made.from, from) && is_at(made.to, to), "{made:?}");
    assert_eq!((made.wish, made.up), (wish, Some(DVec3::Y)));
    assert_eq!(made.max_slope, Some(60.0));
    let [sweep] = &made.sweeps[..] else {
        panic!("one sweep");
    };
    assert!(is_at(sweep.from, from) && is_at(sweep.to, to), "{sweep:?}");
    assert_eq!((&*sweep.kind, sweep.hit), ("slide", Some(met)));
}

#[test]
fn the_recorder_for_jolt_writes_each_shape_and_contacts() {
    if !is_there("c++") {
        return;
    }
    let recorder = include_str!("../../docs/record/hitstop_jolt.hpp");
    let included = recorder.lines().filter_map(|line| {
        let name = line.strip_prefix("#include <")?.strip_suffix('>')?;
        name.starts_with("Jolt/").then_some(name)
    });
    let recording = log_of_stub("jolt", "-std=c++17", &included.collect::<Vec<_>>());
    let shapes: Vec<_> = recording.objects.iter().map(|one| &one.shape).collect();
    let [
        Shape::Solid(SolidShape::RoundedBox(rounded)),
        Shape::Capsule { .. },
        Shape::Solid(SolidShape::Cylinder(_)),
        Shape::Solid(SolidShape::Hull(hull)),
        Shape::Compound(moved),
        Shape::Compound(compound),
        Shape::Mesh(mesh),
        Shape::Sphere { radius },
        Shape::Capsule { .. },
        Shape::Capsule { .. },
    ] = &shapes[..]
    else {
        panic!("{shapes:?}");
    };
    // Its convex radius rounds the box from inside.
    assert_eq!(rounded.half_extents, DVec3::new(0.25, 0.75, 1.75));
    assert_eq!(rounded.radius, 0.25);
    // Points and parts are relative to centres of mass.
    assert_eq!(hull.points()[0], DVec3::X);
    let places = |compound: &Compound| -> Vec<_> {
        let parts = compound.parts().iter();
        parts.map(|part| part.pose.position).collect()
    };
    assert_eq!(places(moved), [DVec3::Y * 3.0]);
    assert_eq!(
        places(compound),
        [DVec3::new(1.0, 2.0, 0.0), DVec3::new(1.0, 3.0, 0.0)]
    );
    assert!(mesh.triangles().eq([[0, 1, 2]]));
    assert_eq!(*radius, 0.25);
    assert_eq!(recording.engine.name.as_deref(), Some("jolt"));
    let ball = &recording.objects[7];
    assert_eq!((ball.ccd, ball.mass), (Some(true), 2.0));
    let frames: Vec<_> = (0..5).map(|frame| recording.data.at(frame)).collect();
    let [contact] = &frames[2].contacts[..] else {
        panic!("one contact");
    };
    assert_eq!((contact.a, contact.b, contact.depth), (7, 0, 0.25));
    assert_eq!(contact.normal, DVec3::NEG_X);
    assert!(recording.objects[8].character);
    let player = frames[3].bodies[1].pose.position.y;
    assert_eq!(player, 18.5, "the shape is half a metre above the position");
    assert_query(&frames[3], (8, 2, -0.125), 0.05);
    // That with the sensor is left out.
    let depths: Vec<_> = frames[3].contacts.iter().map(|it| it.depth).collect();
    assert_eq!(depths, [-0.5, -0.5, -0.125]);
    let made = move_of(&frames[3], 8);
    // Of four contacts the one that was in the way.
    let met = MoveHit {
        object: 2,
        normal: Some(DVec3::NEG_Y),
        point: Some(DVec3::Y * 20.0),
    };
    assert_move(made, 17.5, 18.5, DVec3::new(0.5, 2.0, 0.0), met);
    assert_eq!(made.grounded, Some(false), "the slope is too steep");
    assert_eq!([made.max_step, made.snap], [Some(0.25), Some(0.5)]);
    assert_eq!(made.skin, Some(0.0625));
    assert_eq!(frames[3].queries[0].object, Some(8));
    assert_eq!(frames[4].bodies.len(), 0, "both were removed");
    // One static body becomes kinematic and goes on as another object, and one is removed.
    assert_eq!(ends(&recording), [(1, 5), (3, 5)]);
    let [door] = &recording.data.at(5).bodies[..] else {
        panic!("one body");
    };
    assert_eq!((door.object, &*recording.objects[9].name), (9, "body 1 2"));
}

#[test]
fn the_recorder_for_unreal_writes_its_axes_as_those_of_the_log() {
    if !is_there("c++") {
        return;
    }
    let recorder = [
        include_str!("../../docs/record/HitstopUnreal.h"),
        include_str!("../../docs/record/HitstopUnreal.cpp"),
    ];
    let included = recorder
        .iter()
        .flat_map(|it| it.lines())
        .filter_map(|line| {
            let name = line.strip_prefix("#include \"")?.strip_suffix('"')?;
            (!["hitstop.hpp", "HitstopUnreal.h"].contains(&name)).then_some(name)
        });
    let recording = log_of_stub("unreal", "-std=c++17", &included.collect::<Vec<_>>());
    // Metres and Y up: Unreal's X, Z and Y.
    let shapes: Vec<_> = recording.objects.iter().map(|one| &one.shape).collect();
    let [
        Shape::Sphere { .. },
        Shape::Box { half_extents },
        Shape::Box { .. },
        Shape::Capsule { .. },
        Shape::Compound(_),
        Shape::Solid(SolidShape::Hull(hull)),
        Shape::Mesh(_),
    ] = &shapes[..]
    else {
        panic!("{shapes:?}");
    };
    assert!((*half_extents - DVec3::new(1.0, 0.4, 2.0)).length() < 1e-9);
    assert!((hull.points()[2] - DVec3::new(0.0, 0.0, 1.1)).length() < 1e-9);
    let ball = &recording.objects[0];
    assert_eq!((ball.layer, ball.mask, ball.mass), (2, !4, 2.0));
    assert!(recording.objects[3].character);
    let last = recording.data.at(4);
    let [ball, lift, _] = &last.bodies[..] else {
        panic!("three bodies");
    };
    assert!((ball.pose.position - DVec3::Z * 0.04).length() < 1e-9);
    assert!((ball.velocity.unwrap() - DVec3::Z * 0.6).length() < 1e-6);
    // A point ahead of the ball, along X, moves to its right and down: w x r = (1, 2, 3) x (1, 0, 0) = (0, 3, -2).
    let ahead = ball.spin.unwrap().cross(DVec3::X);
    assert!((ahead - DVec3::new(0.0, -2.0, 3.0)).length() < 1e-6);
    let rise = lift.velocity.unwrap() - DVec3::Y * 1.2;
    assert!(rise.length() < 1e-6, "that of its motion");
    let [_, warning, _, mark] = &recording.data.at(2).notes[..] else {
        panic!("two lines, a value and a mark");
    };
    assert_eq!(warning.kind, NoteKind::Line(NoteLevel::Warning));
    let NoteKind::Mark(aim) = &mark.kind else {
        panic!("{mark:?}");
    };
    assert_eq!((mark.object, &*mark.text), (Some(0), "aim"));
    assert!((aim.points[0] - DVec3::new(0.01, 0.03, 0.02)).length() < 1e-9);
    assert!((aim.radius - 0.05).abs() < 1e-9);
    let camera = recording.frames[3].camera.unwrap();
    assert!(camera.teleported);
    assert!((camera.pose.rotation * DVec3::NEG_Z - DVec3::Z).length() < 1e-6);
    assert!((camera.pose.rotation * DVec3::Y - DVec3::Y).length() < 1e-6);
}

#[test]
fn the_cpp_header_writes_logs_without_a_notice() {
    if !is_there("c++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/record/example.cpp");
    run(Command::new("c++")
        .args(["-std=c++11", "-Wall", "-Wextra", "-pedantic", "-o"])
        .arg(at("example"))
        .arg(source));
    run(Command::new(at("example")).args([at("run.jsonl"), at("last.jsonl")]));
    // The ball touches the wall once, in the second second.
    assert_eq!(counts(&at("run.jsonl")), (240, 3, 1));
    assert_eq!(counts(&at("last.jsonl")), (61, 3, 0));
}

#[test]
fn the_python_recorder_writes_logs_without_a_notice() {
    if !is_there("python3") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let code = r#"
import sys
from hitstop_log import Recorder, body, contact

sphere = {"sphere": {"radius": 0.5}}
whole = Recorder(sys.argv[1], name="Two balls", dt=0.1, gravity=[0, 0, 0])
last = Recorder(None, keep=1, dt=0.1)
for log in (whole, last):
    first = log.add("first", sphere)
    for frame in range(50):
        if frame == 20:
            second = log.add("second", sphere)
        bodies = [body(first, [0.1 * frame, 0, 0], v=[1, 0, 0])]
        if frame >= 20:
            bodies.append(body(second, [0, 9, 0], asleep=True))
        log.frame(0.1 * frame, bodies)
whole.close()
last.save(sys.argv[2])
try:
    Recorder(sys.argv[2] + ".zst")
    sys.exit("a name that is not compressed")
except ValueError:
    pass
"#;
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/record");
    let mut python = Command::new("python3");
    let logs = [at("run.jsonl.gz"), at("last.jsonl")];
    python.arg("-c").arg(code).args(logs);
    // Nothing is written beside the module.
    python.env("PYTHONPATH", modules);
    run(python.env("PYTHONDONTWRITEBYTECODE", "1"));
    assert_eq!(counts(&at("run.jsonl.gz")), (50, 2, 0));
    assert_eq!(counts(&at("last.jsonl")), (11, 2, 0));
}
