//! Recordings that are cut off, damaged, of another format or made to exhaust memory; and one that arrives over a socket.

use super::stream::{SIMULATION, Stream};
use super::{DYNAMIC, STATIC, notices, read, read_bytes};
use crate::common::levels::bodies_of;
use hitstop::core::level::LevelParts;
use hitstop::core::live::Listener;
use hitstop::core::log::Format;
use hitstop::core::problem::Problems;
use std::io::Write;
use std::net::{Ipv4Addr, TcpStream};
use std::thread;
use std::time::Duration;

/// Three states, of one body that moves 1 m a step.
fn small() -> Stream {
    let mut stream = Stream::metres();
    stream.ball(10, DYNAMIC, [0.0; 3], 0.5);
    stream.ball(20, STATIC, [0.0, -1.0, 0.0], 0.5);
    for x in [1.0, 2.0] {
        stream.step(&[(10, [x, 0.0, 0.0])]);
    }
    stream
}

#[test]
fn a_recording_that_is_cut_off_keeps_its_frames() {
    let whole = small().bytes;
    let all = bodies_of(&read_bytes(Format::Ovd, &whole).unwrap());
    let (mut frames, mut whole_commands) = (0, 0);
    for length in 0..whole.len() {
        match read_bytes(Format::Ovd, &whole[..length]) {
            Ok(recording) => {
                let bodies = bodies_of(&recording);
                assert_eq!(bodies[..], all[..bodies.len()], "{length}");
                assert!(recording.frames.len() >= frames);
                frames = recording.frames.len();
                let cut = format!(
                    "the recording is cut off at byte {length}; the frames before are kept"
                );
                match notices(&recording)[..] {
                    [] => whole_commands += 1,
                    [what] => assert_eq!(what, cut),
                    ref all => panic!("{all:?}"),
                }
            }
            Err(Problems(problems)) => {
                assert_eq!(frames, 0, "{length}");
                assert!(problems.iter().any(|it| it.what.contains("no step")) || length < 12);
            }
        }
    }
    assert_eq!(frames, 3);
    // After the state before the first step: a value, two ends of frames and a start, and so on.
    assert_eq!(whole_commands, 10);
}

#[test]
fn a_command_that_is_not_known_ends_the_recording() {
    let mut stream = small();
    let place = stream.bytes.len();
    stream.bytes.push(2);
    stream.step(&[]);
    let recording = read(&stream);
    assert_eq!(recording.frames.len(), 3);
    let what = format!(
        "byte {place} is 2, which is not a command of OmniPVD; what follows is not read, the frames before are kept"
    );
    assert_eq!(notices(&recording), [what]);
}

#[test]
fn other_files_and_versions_are_refused() {
    for (bytes, expected) in [
        (
            &[][..],
            "this is not a recording of OmniPVD: it has 0 bytes",
        ),
        (
            b"{\"hitstop\": 1}\n",
            "this is not a recording of OmniPVD: its first bytes are not a version",
        ),
        (
            &[0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0],
            "the recording has the version 0.5.0 of OmniPVD, which is not read",
        ),
    ] {
        let Problems(problems) = read_bytes(Format::Ovd, bytes).unwrap_err();
        assert_eq!(problems[0].what, expected);
        assert!(!problems[0].help.is_empty());
    }
}

/// Nothing is allocated for bytes that a command announces; what is too long is skipped.
#[test]
fn announced_sizes_take_no_memory() {
    let mut stream = small();
    stream.announce(6, 10, "PxRigidActor.globalPose", u32::MAX);
    let recording = read(&stream);
    assert_eq!(recording.frames.len(), 3);
    assert!(notices(&recording)[1].starts_with("the recording is cut off at byte"));
    assert!(
        notices(&recording)[0].starts_with("1 value is too long"),
        "{:?}",
        notices(&recording)
    );
}

/// Shapes that share one mesh count as often as they are there.
#[test]
fn a_mesh_that_is_named_often_is_read_up_to_a_limit() {
    let mut stream = Stream::metres();
    // A million triangles, of which all but one are holes.
    let mut triangles = vec![0; 3_000_000];
    triangles.extend([0, 1, 2]);
    stream.create(900, "PxTriangleMesh");
    stream.floats(
        900,
        "PxTriangleMesh.verts",
        &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0],
    );
    stream.wholes(900, "PxTriangleMesh.tris", &triangles);
    for actor in (100..120).step_by(2) {
        let geometry = stream.geometry("PxTriangleMeshGeometry", &[("scale", &[1.0; 3])]);
        stream.objects(geometry, "PxTriangleMeshGeometry.triangleMesh", &[900]);
        stream.shape(actor + 1, geometry, SIMULATION);
        stream.actor(actor, STATIC, [0.0; 3], &[actor + 1]);
    }
    stream.step(&[]);
    let recording = read(&stream);
    assert_eq!(recording.objects.len(), 3);
    assert!(
        notices(&recording)[0].ends_with("actor 106, and 6 more"),
        "{:?}",
        notices(&recording)
    );
}

/// PhysX writes its stream to a socket as it does to a file.
#[test]
fn a_stream_of_physx_is_received_live() {
    let listener = Listener::new(Ipv4Addr::LOCALHOST.into(), 0).unwrap();
    let address = listener.address();
    let bytes = small().bytes;
    let all = bodies_of(&read_bytes(Format::Ovd, &bytes).unwrap());
    // As ovphysx 0.7 sends it.
    let bytes = [b"LDVO\x01\0\0\0", &*bytes].concat();
    let game = thread::spawn(move || {
        let mut viewer = TcpStream::connect(address).unwrap();
        // The rest of a command comes later, and so does the first one.
        for part in bytes.chunks(bytes.len() / 2 + 1) {
            thread::sleep(Duration::from_millis(100));
            viewer.write_all(part).unwrap();
        }
    });
    let client = listener.accept(&()).unwrap().unwrap();
    let mut states = Vec::new();
    let parts = LevelParts {
        every: Duration::ZERO,
        take: &mut |level| states.push(level.replay.recording().unwrap().frames.len()),
    };
    let level = client.receive(parts, &mut |_| ()).unwrap();
    game.join().unwrap();
    assert_eq!(bodies_of(level.replay.recording().unwrap()), all);
    // Later ones may be left out.
    assert_eq!(states[0], 1);
}
