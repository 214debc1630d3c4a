//! The camera's line probe in one frame, with any lines: what each line met, what the order of the triangles has to do with
//! it, and what a sweep of the camera's way saw.

use crate::core::query::probe::{ProbeAnswer, ProbeHit, ProbeMode, probe};
use crate::core::query::{ProbeSweep, sweep_probe};
use crate::core::replay::{Frame, FrameState, ObjectId, ProbeTriangles, Replay};
use crate::core::scene::Object;
use crate::core::shape::{Aabb, Motion, Triangle};
use glam::DVec3;

/// Most lines of a probe that is edited by hand.
///
/// Each line meets each triangle near it; a ball of spokes needs some dozens.
pub const PROBE_LINES: usize = 256;

/// A probe at the end of its camera's way through a frame, before it acts.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeLook {
    /// Which frame.
    pub frame: u32,
    /// The camera's way, before the probe acts.
    pub way: Motion,
    /// Its lines, as offsets.
    pub lines: Vec<DVec3>,
    /// How it acts.
    pub mode: ProbeMode,
    /// What it found; the triangles are places in `near`.
    pub answer: ProbeAnswer,
    /// What it may meet.
    pub near: ProbeTriangles,
    /// The same way, swept.
    pub sweep: ProbeSweep,
    /// Whose surface the camera's own path goes through.
    pub path_owner: Option<(ObjectId, u32)>,
}

/// The same probe with its triangles in another order.
#[derive(Clone, Debug, PartialEq)]
pub struct Shuffled {
    /// The order's seed.
    pub seed: u64,
    /// What it found; the triangles are places in the first order.
    pub answer: ProbeAnswer,
    /// Lines that met another triangle, or asked for another push.
    pub lines: Vec<u32>,
    /// How far apart the camera ends, metres.
    pub apart: f64,
}

impl ProbeLook {
    /// In a frame of a level; `None` without a camera there.
    pub fn of(replay: &Replay, frame: &Frame, lines: &[DVec3], mode: ProbeMode) -> Option<Self> {
        let (way, _) = frame.camera?;
        Some(Self::on(
            way,
            lines,
            mode,
            replay.objects(),
            &frame.end,
            frame.number,
        ))
    }

    /// On any way, among everything solid of a state. At most [`PROBE_LINES`] lines are looked along.
    pub fn on(
        way: Motion,
        lines: &[DVec3],
        mode: ProbeMode,
        objects: &[Object],
        state: &FrameState,
        frame: u32,
    ) -> Self {
        let lines: Vec<DVec3> = lines.iter().copied().take(PROBE_LINES).collect();
        let (from, to) = (way.start.position, way.end.position);
        let length = lines.iter().map(|line| line.length()).fold(0.0, f64::max);
        let sound = from.is_finite() && to.is_finite() && length.is_finite();
        let (near, sweep, path_owner) = if sound {
            let around = |grown: f64| {
                let both = Aabb {
                    min: from.min(to),
                    max: from.max(to),
                };
                ProbeTriangles::inside(&both.grown(grown), objects, state)
            };
            let near = ProbeTriangles::near(to, length, objects, state);
            let along = around(2.0 * length);
            let sweep = sweep_probe(from, to, &lines, &along.triangles, &mut ());
            let hit = sweep.path.and_then(|hit| hit.triangle);
            let owner = hit.and_then(|hit| along.owners.get(hit as usize).copied());
            (near, sweep, owner)
        } else {
            let nothing = sweep_probe(from, to, &[], &[], &mut ());
            (ProbeTriangles::default(), nothing, None)
        };
        let answer = if lines.is_empty() {
            ProbeAnswer::default()
        } else {
            probe(to, &lines, &near.triangles, mode, &mut ())
        };
        Self {
            frame,
            way,
            lines,
            mode,
            answer,
            near,
            sweep,
            path_owner,
        }
    }

    /// The hits of a line, in the order they acted.
    pub fn hits_of(&self, line: u32) -> impl Iterator<Item = &ProbeHit> {
        self.answer.hits.iter().filter(move |hit| hit.line == line)
    }

    /// Whose triangle a hit is, and which of it.
    pub fn owner(&self, hit: &ProbeHit) -> Option<(ObjectId, u32)> {
        self.near.owners.get(hit.triangle as usize).copied()
    }

    /// The same acting in another mode.
    #[must_use]
    pub fn acting(&self, mode: ProbeMode) -> Self {
        let at = self.way.end.position;
        Self {
            mode,
            answer: probe(at, &self.lines, &self.near.triangles, mode, &mut ()),
            ..self.clone()
        }
    }

    /// The same with the triangles in an order that a seed gives.
    pub fn shuffled(&self, seed: u64) -> Shuffled {
        let order = order_of(self.near.triangles.len(), seed);
        let triangles: Vec<Triangle> = order
            .iter()
            .map(|place| self.near.triangles[*place as usize])
            .collect();
        let mut answer = probe(
            self.way.end.position,
            &self.lines,
            &triangles,
            self.mode,
            &mut (),
        );
        for hit in &mut answer.hits {
            hit.triangle = order[hit.triangle as usize];
        }
        let met = |answer: &ProbeAnswer, line: u32| -> Vec<([DVec3; 3], DVec3)> {
            let hits = answer.hits.iter().filter(|hit| hit.line == line);
            // Doubles of a triangle are one.
            hits.map(|hit| {
                let Triangle { a, b, c, .. } = self.near.triangles[hit.triangle as usize];
                ([a, b, c], hit.push)
            })
            .collect()
        };
        let lines = (0..self.lines.len() as u32)
            .filter(|line| met(&self.answer, *line) != met(&answer, *line))
            .collect();
        let apart = (answer.push - self.answer.push).length();
        Shuffled {
            seed,
            answer,
            lines,
            apart,
        }
    }
}

/// An order of so many things: the same for the same seed, on every machine.
///
/// Fisher and Yates' shuffle (Knuth, The Art of Computer Programming 2, 3.4.2), with SplitMix64 (Steele, Lea and Flood 2014).
fn order_of(count: usize, seed: u64) -> Vec<u32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    };
    let mut order: Vec<u32> = (0..count as u32).collect();
    for last in (1..count).rev() {
        // The bias of a remainder is below 2^-32 for any level.
        let other = (next() % (last as u64 + 1)) as usize;
        order.swap(last, other);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::query::probe::STANDARD_PROBE;
    use crate::core::replay::BodyState;
    use crate::core::shape::{Facing, Mesh, Pose, Shape};
    use std::sync::Arc;

    /// A level of one mesh at the origin.
    fn level(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> (Vec<Object>, FrameState) {
        let mesh = Mesh::new(vertices, triangles, Facing::Both).unwrap();
        let object = Object::new("room", Shape::Mesh(Arc::new(mesh)), DVec3::ZERO);
        let body = BodyState {
            pose: Pose::IDENTITY,
            velocity: None,
            spin: None,
            asleep: false,
            teleported: false,
        };
        let state = FrameState {
            bodies: vec![Some(body)],
        };
        (vec![object], state)
    }

    /// Two walls that meet in a corner, x = 0.3 and z = 0.2, each of two triangles, and a slanted roof above.
    fn corner() -> (Vec<Object>, FrameState) {
        let points = [
            (0.3, -2.0, -2.0),
            (0.3, 2.0, -2.0),
            (0.3, 2.0, 2.0),
            (0.3, -2.0, 2.0),
            (-2.0, -2.0, 0.2),
            (2.0, -2.0, 0.2),
            (2.0, 2.0, 0.2),
            (-2.0, 2.0, 0.2),
            (-2.0, 0.4, -2.0),
            (2.0, 0.1, -2.0),
            (0.0, 0.45, 2.0),
        ];
        let vertices = points.map(|(x, y, z)| DVec3::new(x, y, z)).to_vec();
        let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7], [8, 9, 10]];
        level(vertices, triangles)
    }

    fn look(mode: ProbeMode, at: DVec3) -> ProbeLook {
        let (objects, state) = corner();
        let way = Motion::still(Pose::at(at));
        ProbeLook::on(way, &STANDARD_PROBE, mode, &objects, &state, 0)
    }

    #[test]
    fn an_order_holds_each_once_and_depends_on_the_seed_alone() {
        let order = order_of(100, 7);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
        assert_eq!(order, order_of(100, 7));
        assert_ne!(order, order_of(100, 8));
        assert!(order_of(0, 1).is_empty());
    }

    #[test]
    fn the_deepest_first_does_not_care_for_the_order() {
        for step in 0..40 {
            let off = f64::from(step) * 0.01;
            let look = look(
                ProbeMode::Deepest,
                DVec3::new(off - 0.15, off * 0.3, 0.1 - off),
            );
            for seed in 0..20 {
                let other = look.shuffled(seed);
                assert_eq!(
                    other.answer.push, look.answer.push,
                    "step {step} seed {seed}"
                );
                assert!(other.lines.is_empty() && other.apart == 0.0);
            }
        }
    }

    #[test]
    fn in_order_another_order_gives_another_push() {
        let look = look(ProbeMode::InOrder, DVec3::new(0.05, 0.0, 0.0));
        assert!(look.answer.hits.len() > 1);
        let other = (0..50).map(|seed| look.shuffled(seed));
        let differ: Vec<Shuffled> = other.filter(|other| other.apart > 1e-3).collect();
        assert!(!differ.is_empty(), "{:?}", look.answer);
        assert!(differ.iter().all(|other| !other.lines.is_empty()));
        // A hit names its triangle in the first order: it lies in that triangle's plane.
        for hit in differ.iter().flat_map(|other| &other.answer.hits) {
            let triangle = look.near.triangles[hit.triangle as usize];
            let normal = triangle.normal().unwrap();
            assert!((hit.point - triangle.a).dot(normal).abs() < 1e-12);
            assert_eq!(look.owner(hit), Some((0, hit.triangle)));
        }
    }

    /// From x = -5 to x = -0.05: the wall at 0.3 is beyond the path, within the reach of the lines.
    #[test]
    fn the_way_is_swept_too() {
        let (objects, state) = corner();
        let way = |to: f64| Motion {
            start: Pose::at(DVec3::new(-5.0, 0.0, 0.0)),
            end: Pose::at(DVec3::new(to, 0.0, 0.0)),
        };
        let look = |to| {
            let mode = ProbeMode::Deepest;
            ProbeLook::on(way(to), &STANDARD_PROBE, mode, &objects, &state, 0)
        };
        let held = look(-0.05);
        assert_eq!((held.sweep.path, held.sweep.probe_sees), (None, true));
        let through = look(5.0);
        assert!(!through.sweep.probe_sees);
        let path = through.sweep.path.unwrap();
        assert!((path.fraction - 0.53).abs() < 1e-12, "{path:?}");
        assert!(matches!(through.path_owner, Some((0, 0 | 1))));
    }

    #[test]
    fn what_is_no_number_sees_nothing() {
        let look = look(ProbeMode::InOrder, DVec3::NAN);
        assert!(look.answer.hits.is_empty() && look.near.triangles.is_empty());
        assert_eq!(look.shuffled(3).apart, 0.0);
    }
}
