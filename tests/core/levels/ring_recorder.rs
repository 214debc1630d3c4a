//! The last seconds of a level, kept in memory and saved as a log.

use crate::common::levels::bodies_at;
use glam::DVec3;
use hitstop::core::log::{self, Format};
use hitstop::core::replay::Recording;
use hitstop::core::scene::MemoryFolder;
use hitstop::prelude::*;

const DT: f64 = 0.25;

fn header() -> Header {
    Header {
        dt: DT,
        ..Header::default()
    }
}

fn ball(name: &str) -> Object {
    Object::new(name, Shape::Sphere { radius: 0.5 }, DVec3::ZERO)
}

fn read(bytes: &[u8]) -> Recording {
    let folder = MemoryFolder::default();
    log::read(Format::JsonLines, bytes, 0, "run", None, &folder, &()).unwrap()
}

fn saved(ring: &RingRecorder) -> Recording {
    let mut bytes = Vec::new();
    ring.save(&mut bytes).unwrap();
    read(&bytes)
}

/// Forty frames of 0.25 s; objects are added before frames 0, 3, 20 and 38.
fn record(mut add: impl FnMut(Object) -> u32, mut frame: impl FnMut(&Snapshot<'_>)) {
    let mut ids = Vec::new();
    for number in 0..40_u32 {
        match number {
            0 => ids.push(add(ball("first"))),
            3 => {
                ids.push(add(Object {
                    ignores: vec!["first".into()],
                    ..ball("second")
                }));
                add(Object {
                    movement: Movement::Fixed,
                    ..ball("wall")
                });
            }
            20 => ids.push(add(ball("third"))),
            38 => ids.push(add(ball("fourth"))),
            _ => {}
        }
        let at = |id: &u32| Body::new(*id, Pose::at(DVec3::new(f64::from(number), 0.0, 0.0)));
        let bodies: Vec<Body> = ids.iter().map(at).collect();
        frame(&Snapshot {
            time: (number % 3 > 0).then_some(f64::from(number) * DT),
            bodies: &bodies,
            ..Snapshot::default()
        });
    }
}

#[test]
fn the_last_seconds_are_those_of_the_whole_log() {
    let whole = std::cell::RefCell::new(Recorder::new(Vec::new(), header()).unwrap());
    record(
        |object| whole.borrow_mut().add_object(object).unwrap(),
        |snapshot| assert!(whole.borrow_mut().snapshot(snapshot).is_ok()),
    );
    let whole = read(&whole.into_inner().finish().unwrap());
    assert_eq!(whole.frames.len(), 40);
    for (seconds, kept) in [(2.0, 9), (5.5, 23), (9.6, 39), (9.75, 40), (1000.0, 40)] {
        let ring = std::cell::RefCell::new(RingRecorder::new(seconds, header()).unwrap());
        record(
            |object| ring.borrow_mut().add_object(object).unwrap(),
            |snapshot| assert!(ring.borrow_mut().snapshot(snapshot).is_ok()),
        );
        let ring = ring.into_inner();
        assert_eq!(ring.frames(), kept, "{seconds} s");
        let part = saved(&ring);
        assert!(part.notices.is_empty(), "{:?}", part.notices);
        let from = 40 - kept;
        let numbers = |it: &Recording| it.frames.iter().map(|f| f.number).collect::<Vec<_>>();
        assert_eq!(numbers(&part), numbers(&whole)[from..]);
        for frame in 0..kept {
            assert_eq!(
                bodies_at(&part, frame),
                bodies_at(&whole, from + frame),
                "{seconds} s"
            );
        }
        let names = |it: &Recording| {
            let objects = it.objects.iter();
            let named = objects.map(|o| (o.name.clone(), o.ignores.clone()));
            named.collect::<Vec<_>>()
        };
        assert_eq!(names(&part), names(&whole), "{seconds} s");
    }
}

#[test]
fn it_goes_on_after_a_save_and_refuses_what_a_recorder_refuses() {
    let mut ring = RingRecorder::new(1.0, header()).unwrap();
    let id = ring.add_object(ball("ball")).unwrap();
    let mut add = |time: f64| {
        let bodies = [Body::new(id, Pose::IDENTITY)];
        let snapshot = Snapshot {
            time: Some(time),
            bodies: &bodies,
            ..Snapshot::default()
        };
        let added = ring.snapshot(&snapshot).is_ok();
        (added, ring.frames(), saved(&ring).frames.len())
    };
    assert_eq!(add(0.0), (true, 1, 1));
    assert_eq!(add(0.5), (true, 2, 2));
    assert_eq!(add(0.5), (false, 2, 2), "time must rise");
    assert_eq!(add(9.0), (true, 1, 1), "both are older than a second");
    assert!(RingRecorder::new(0.0, header()).is_err());
    assert!(RingRecorder::new(f64::NAN, header()).is_err());
}
