//! Steps, contacts and margins of a recording whose values are odd or missing.

use super::stream::{SIMULATION, Stream};
use super::{DYNAMIC, STATIC, body, notices, object, read};
use crate::common::cancelled::Cancelled;
use hitstop::core::log::{self, Format};
use hitstop::core::scene::MemoryFolder;

/// A ball over another one, fixed.
fn two_balls() -> Stream {
    let mut stream = Stream::metres();
    stream.ball(10, DYNAMIC, [0.0; 3], 0.5);
    stream.ball(20, STATIC, [0.0, -1.0, 0.0], 0.5);
    stream
}

/// The step of another length stands for one that is no length.
#[test]
fn a_step_without_a_length_takes_the_one_of_the_recording() {
    for (odd, expected) in [(0.25, 0.25), (0.0, 0.125), (f32::INFINITY, 0.125)] {
        let mut stream = two_balls();
        for dt in [0.125, odd, 0.125] {
            stream.begin_step(dt);
            stream.end_step();
        }
        let recording = read(&stream);
        let steps: Vec<f64> = recording.frames.iter().map(|frame| frame.dt).collect();
        assert_eq!(steps[1..], [0.125, expected, 0.125], "{odd}");
        assert!(notices(&recording).is_empty(), "{:?}", recording.notices);
    }
}

/// Where contacts are not recorded, a step without one says nothing.
#[test]
fn a_recording_without_contacts_is_not_one_of_no_contact() {
    let mut stream = two_balls();
    stream.step(&[]);
    assert!(read(&stream).has_empty_contacts);
    // Of the same length.
    let (known, other) = (b"pairsActors", b"otherActors");
    let at = stream.bytes.windows(11).position(|part| part == known);
    let at = at.expect("it is registered");
    stream.bytes[at..at + 11].copy_from_slice(other);
    assert!(!read(&stream).has_empty_contacts);
}

#[test]
fn a_contact_of_what_was_never_created_is_left_out() {
    let mut stream = two_balls();
    stream.begin_step(0.1);
    stream.contact([10, 70], [0.0, -0.5, 0.0], [0.0, 1.0, 0.0], -0.125);
    stream.end_step();
    let recording = read(&stream);
    assert_eq!(recording.objects.len(), 2);
    let contacts = recording.data.iter().map(|data| data.contacts.len());
    assert_eq!(contacts.sum::<usize>(), 0);
}

/// PhysX adds the contact offsets of two shapes: the largest are 0.0625 and 0.25 m.
#[test]
fn the_margin_is_the_sum_of_the_two_largest_contact_offsets() {
    for offsets in [[0.25, 0.0625, 0.03125], [0.03125, 0.0625, 0.25]] {
        let mut stream = Stream::metres();
        for (actor, offset) in [10, 20, 30].into_iter().zip(offsets) {
            let geometry = stream.sphere(0.5);
            stream.shape(actor + 1, geometry, SIMULATION);
            stream.floats(actor + 1, "PxShape.contactOffset", &[offset]);
            let x = actor as f32;
            stream.actor(actor, DYNAMIC, [x, 0.0, 0.0], &[actor + 1]);
        }
        stream.step(&[]);
        assert_eq!(read(&stream).engine.margin, Some(0.3125), "{offsets:?}");
    }
}

#[test]
fn a_cone_with_a_margin_is_left_out() {
    for (margin, expected) in [(0.0, 1), (0.25, 0)] {
        let mut stream = Stream::metres();
        let class = "PxConvexCoreCone";
        let core = stream.geometry(class, &[("height", &[2.0]), ("radius", &[0.5])]);
        let geometry = stream.geometry("PxConvexCoreGeometry", &[("margin", &[margin])]);
        stream.objects(geometry, "PxConvexCoreGeometry.core", &[core]);
        stream.shape(11, geometry, SIMULATION);
        stream.actor(10, DYNAMIC, [0.0; 3], &[11]);
        stream.ball(20, DYNAMIC, [9.0, 0.0, 0.0], 0.5);
        stream.step(&[]);
        let recording = read(&stream);
        assert_eq!(recording.objects.len(), 1 + expected, "{margin}");
        let says = |what: &&str| what.contains("a cone with a margin is not read");
        let count = notices(&recording).into_iter().filter(says).count();
        assert_eq!(count, 1 - expected, "{margin}");
    }
}

/// An aggregate of bodies names them; one of articulations has no members in the recording.
#[test]
fn an_aggregate_without_members_is_told_once() {
    for (members, expected) in [(&[10, 20][..], 0), (&[], 1)] {
        let mut stream = Stream::metres();
        stream.ball(10, DYNAMIC, [0.0; 3], 0.5);
        stream.ball(20, DYNAMIC, [9.0, 0.0, 0.0], 0.5);
        stream.create(90, "PxAggregate");
        stream.set(90, "PxAggregate.selfCollision", &[0]);
        for actor in members {
            stream.add(90, "PxAggregate.actors", *actor);
        }
        stream.step(&[]);
        let recording = read(&stream);
        let says = |what: &&str| what.contains("aggregates of articulations");
        let count = notices(&recording).into_iter().filter(says).count();
        assert_eq!(count, expected);
    }
}

#[test]
fn reading_can_be_cancelled() {
    let mut stream = two_balls();
    stream.step(&[]);
    let (bytes, folder) = (&stream.bytes[..], MemoryFolder::default());
    let length = bytes.len() as u64;
    let read = log::read(
        Format::Ovd,
        bytes,
        length,
        "run.ovd",
        None,
        &folder,
        &Cancelled,
    );
    let problems = read.unwrap_err().to_string();
    assert!(problems.contains("reading was cancelled"), "{problems}");
}

/// Steps of another scene are left out, whether its address is lower or higher.
#[test]
fn the_scene_that_is_stepped_first_is_read() {
    for first in [0, 5] {
        let mut stream = two_balls();
        stream.create(first, "PxScene");
        stream.floats(first, "PxScene.elapsedTime", &[0.5]);
        stream.step(&[]);
        let recording = read(&stream);
        let says = |what: &&str| what.starts_with("scenes but the first");
        assert_eq!(notices(&recording).into_iter().filter(says).count(), 1);
    }
}

#[test]
fn the_version_of_physx_is_read() {
    let mut stream = two_balls();
    let class = "PxOmniPvdMetaData";
    stream.create(3, class);
    for (part, number) in [("Major", 5), ("Minor", 6), ("Bugfix", 1)] {
        stream.wholes(3, &format!("{class}.physxVersion{part}"), &[number]);
    }
    stream.step(&[]);
    let engine = read(&stream).engine;
    assert_eq!(engine.name.as_deref(), Some("PhysX 5.6.1"));
}

#[test]
fn links_of_an_articulation_are_tested_unless_its_flag_says_no() {
    for (flags, ignored) in [(2, &["actor 20"][..]), (0, &[])] {
        let mut stream = Stream::metres();
        stream.create(90, "PxArticulationReducedCoordinate");
        let flag = "PxArticulationReducedCoordinate.articulationFlags";
        stream.set(90, flag, &[flags]);
        for (link, x) in [(10, 0.0), (20, 9.0)] {
            stream.ball(link, "PxArticulationLink", [x, 0.0, 0.0], 0.5);
            stream.objects(link, "PxArticulationLink.articulation", &[90]);
        }
        stream.step(&[]);
        assert_eq!(read(&stream).objects[0].ignores, ignored, "{flags}");
    }
}

#[test]
fn a_shape_that_is_taken_from_its_actor_is_gone() {
    let mut stream = Stream::metres();
    let sphere = stream.sphere(0.5);
    let shapes = [11, 12, 13];
    for shape in shapes {
        stream.shape(shape, sphere, SIMULATION);
    }
    stream.actor(10, DYNAMIC, [0.0; 3], &shapes);
    stream.step(&[]);
    stream.remove(10, "PxRigidActor.shapes", 12);
    stream.step(&[]);
    let recording = read(&stream);
    for (part, frames) in [(0, 3), (1, 2), (2, 3)] {
        let name = format!("actor 10 part {part}");
        let there = (0..3).filter(|frame| body(&recording, *frame, &name).is_some());
        assert_eq!(there.count(), frames, "{name}");
    }
}

/// A mass that is none is as one that is not there.
#[test]
fn a_mass_that_is_not_above_zero_is_left_out() {
    for (mass, expected) in [(3.0, 3.0), (0.0, 1.0), (-2.0, 1.0), (f32::INFINITY, 1.0)] {
        let mut stream = two_balls();
        stream.floats(10, "PxRigidBody.mass", &[mass]);
        stream.step(&[]);
        assert_eq!(object(&read(&stream), "actor 10").mass, expected, "{mass}");
    }
}
