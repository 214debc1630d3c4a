//! Shots as a recording: each in a frame of its own, from before a surface to behind it or into it.

use super::crossing::Crossing;
use super::mover::Mover;
use crate::core::level::{self, Level};
use crate::core::replay::{Body, FrameData, ObjectId, RecordedFrame, Recording, StaticBody};
use crate::core::scene::{Movement, Object};
use crate::core::shape::Pose;
use glam::DVec3;

/// A mover before and after a step.
#[derive(Clone, Copy, Debug)]
pub struct Shot {
    mover: usize,
    from: Pose,
    to: Pose,
}

impl Shot {
    /// The slowest shot through a crossing, or into it as far as the push leads on where the longest step is too short for that. Lengths in metres.
    pub fn of(mover: usize, crossing: &Crossing, longest: f64) -> Self {
        let Crossing {
            length,
            resolved,
            room,
            ..
        } = *crossing;
        let (from, to) = match length {
            // No test detects it: any step across the surface will do.
            0.0 => {
                let length = longest.min(3.0 * room);
                (-0.4 * length, 0.6 * length)
            }
            _ if length + 2.0 * room <= longest => (-room, length + room),
            _ => (-room, resolved.midpoint(length.min(longest - room))),
        };
        Self {
            mover,
            from: crossing.pose(from),
            to: crossing.pose(to),
        }
    }

    /// Metres.
    pub fn length(&self) -> f64 {
        self.from.position.distance(self.to.position)
    }
}

/// The fixed objects of a level and the movers; shot n is from state 2 n to the next, then the mover is taken to the next shot.
pub fn recording(level: &Level, movers: &[Mover], shots: &[Shot], step: f64) -> Level {
    let replay = &level.replay;
    let objects = replay.objects().iter().zip(0..);
    let fixed = objects.filter_map(|(object, id): (&Object, ObjectId)| {
        let pose = replay
            .body(0, id)
            .filter(|_| object.movement == Movement::Fixed)?
            .pose;
        Some(Object {
            pose,
            ..object.clone()
        })
    });
    let mut objects: Vec<Object> = fixed.collect();
    let count = objects.len() as u32;
    let static_bodies = (0..count).map(|object| StaticBody {
        object,
        from: 0,
        until: None,
    });
    let static_bodies = static_bodies.collect();
    let mut names: std::collections::HashSet<String> =
        objects.iter().map(|object| object.name.clone()).collect();
    let is_shot = |mover: &usize| shots.iter().any(|shot| shot.mover == *mover);
    let movers_shot: Vec<usize> = (0..movers.len()).filter(is_shot).collect();
    for mover in &movers_shot {
        let mut object = movers[*mover].object();
        while !names.insert(object.name.clone()) {
            object.name += " (mover)";
        }
        objects.push(object);
    }
    let mut recording = Recording {
        name: format!("{}: leaks", replay.scene().name),
        dt: step,
        engine: replay.engine(),
        units: replay.units(),
        has_bits: replay.recording().is_some_and(|log| log.has_bits),
        objects,
        static_bodies,
        ..Recording::default()
    };
    for (number, shot) in shots.iter().enumerate() {
        let place = movers_shot.partition_point(|mover| *mover < shot.mover);
        let object = count + place as u32;
        let velocity = (shot.to.position - shot.from.position) / step;
        for (state, pose) in [shot.from, shot.to].into_iter().enumerate() {
            let body = Body {
                velocity: Some(velocity),
                spin: Some(DVec3::ZERO),
                teleported: state == 0,
                ..Body::new(object, pose)
            };
            let frame = RecordedFrame {
                number: (2 * number + state) as u64,
                dt: step,
                ..RecordedFrame::default()
            };
            let data = FrameData {
                bodies: vec![body],
                ..FrameData::default()
            };
            recording.push(frame, data);
        }
    }
    level::recorded(&level.file.display().to_string(), recording)
}
