//! Recordings that a game sends to a viewer while it runs.

use crate::common::levels::bodies_at;
use glam::DVec3;
use hitstop::core::level::{Level, LevelParts};
use hitstop::core::live::{Client, Listener};
use hitstop::core::replay::Recording;
use hitstop::prelude::*;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

fn listener() -> Listener {
    Listener::new(Ipv4Addr::LOCALHOST.into(), 0).unwrap()
}

fn received(client: Client<'_>) -> Arc<Recording> {
    let mut ignore = |_: Level| {};
    let parts = LevelParts {
        every: Duration::MAX,
        take: &mut ignore,
    };
    let level = client.receive(parts, &mut |_| ()).unwrap();
    Arc::clone(level.replay.recording().unwrap())
}

fn numbers(recording: &Recording) -> Vec<u64> {
    recording.frames.iter().map(|frame| frame.number).collect()
}

fn recorder(address: SocketAddr, limit: usize) -> Recorder<LiveOutput> {
    let output = LiveOutput::to(address, limit).unwrap();
    Recorder::new(output, Header::default()).unwrap()
}

fn add(recorder: &mut Recorder<LiveOutput>, name: &str) {
    let ball = Object::new(name, Shape::Sphere { radius: 0.5 }, DVec3::ZERO);
    recorder.add_object(ball).unwrap();
}

/// Frame `number` of the first `count` objects, at which each has moved as many metres.
fn frame(recorder: &mut Recorder<LiveOutput>, number: u64, count: u32) {
    let at = Pose::at(DVec3::X * number as f64);
    let bodies: Vec<Body> = (0..count).map(|id| Body::new(id, at)).collect();
    recorder.frame(number as f64 / 60.0, &bodies).unwrap();
}

#[test]
fn a_viewer_receives_every_frame_in_order() {
    let listener = listener();
    let mut recorder = recorder(listener.address(), 1 << 20);
    thread::scope(|scope| {
        let viewer = scope.spawn(|| received(listener.accept(&()).unwrap().unwrap()));
        add(&mut recorder, "first");
        for number in 0..100 {
            frame(&mut recorder, number, 1);
        }
        add(&mut recorder, "second");
        for number in 100..200 {
            frame(&mut recorder, number, 2);
        }
        let output = recorder.finish().unwrap();
        assert_eq!(output.dropped(), 0);
        drop(output);
        let whole = viewer.join().unwrap();
        assert_eq!(numbers(&whole), (0..200).collect::<Vec<u64>>());
        assert_eq!(bodies_at(&whole, 99).len(), 1);
        assert_eq!(bodies_at(&whole, 199).len(), 2);
    });
}

#[test]
fn a_late_viewer_receives_the_objects_and_the_latest_frames() {
    // A port at which there is no viewer yet.
    let address = listener().address();
    let mut recorder = recorder(address, 4 << 10);
    add(&mut recorder, "first");
    frame(&mut recorder, 0, 1);
    add(&mut recorder, "second");
    for number in 1..500 {
        frame(&mut recorder, number, 2);
    }
    let listener = Listener::new(address.ip(), address.port()).unwrap();
    let client = listener.accept(&()).unwrap().unwrap();
    frame(&mut recorder, 500, 2);
    let output = recorder.finish().unwrap();
    // No viewer has missed a frame.
    assert_eq!(output.dropped(), 0);
    thread::scope(|scope| {
        let viewer = scope.spawn(|| received(client));
        drop(output);
        let late = viewer.join().unwrap();
        let first = late.frames[0].number;
        assert!((400..500).contains(&first), "{first}");
        assert_eq!(numbers(&late), (first..=500).collect::<Vec<u64>>());
        assert_eq!(bodies_at(&late, 0).len(), 2);
    });
}

#[test]
fn frames_are_dropped_for_a_viewer_that_does_not_read() {
    const OBJECTS: u32 = 200;
    let listener = listener();
    let mut recorder = recorder(listener.address(), 100 << 10);
    let client = listener.accept(&()).unwrap().unwrap();
    for number in 0..OBJECTS {
        add(&mut recorder, &number.to_string());
    }
    // More than every buffer between the two takes.
    let written = 3000;
    for number in 0..written {
        frame(&mut recorder, number, OBJECTS);
    }
    let output = recorder.finish().unwrap();
    let dropped = output.dropped();
    assert!(dropped > 0);
    thread::scope(|scope| {
        let viewer = scope.spawn(|| received(client));
        drop(output);
        let some = viewer.join().unwrap();
        assert_eq!(some.frames.len() as u64 + dropped, written);
        // Those before the first that is sent leave no gap.
        assert_eq!(some.missing_frames() + some.frames[0].number, dropped);
        assert_eq!(some.frames.last().unwrap().number, written - 1);
    });
}

#[test]
fn the_error_of_a_viewer_is_kept() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let output = LiveOutput::to(listener.local_addr().unwrap(), 1 << 20).unwrap();
    let mut recorder = Recorder::new(output, Header::default()).unwrap();
    let (mut viewer, _) = listener.accept().unwrap();
    viewer
        .write_all(b"{\"error\": \"another recording\"}\n")
        .unwrap();
    drop(viewer);
    // The next attempt comes after the answer was read.
    let mut number = 0;
    listener.set_nonblocking(true).unwrap();
    while listener.accept().is_err() {
        frame(&mut recorder, number, 0);
        number += 1;
        thread::sleep(Duration::from_millis(5));
    }
    let output = recorder.finish().unwrap();
    assert_eq!(output.answer().as_deref(), Some("another recording"));
}
