//! Test of a line probe in one frame: the hits of each line, their dependence on the order of the triangles, and a sweep of
//! the camera's path.

use crate::core::query::probe::{ProbeAnswer, ProbeHit, ProbeMode, probe};
use crate::core::query::{ProbeSweep, sweep_probe};
use crate::core::random::SplitMix64;
use crate::core::replay::{Frame, FrameState, ObjectId, ProbeTriangles, Replay};
use crate::core::scene::Objects;
use crate::core::shape::{Aabb, Motion, Triangle};
use glam::DVec3;

/// Greatest number of lines of an edited probe.
///
/// Each line is tested with each triangle near it; a ball of spokes needs some dozens.
pub const PROBE_LINES: usize = 256;

/// Test of a probe at the end of its camera's motion through a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct ProbeTest {
    /// Number of the frame.
    pub frame: u32,
    /// The camera's motion before the probe's push.
    pub motion: Motion,
    /// The lines, as offsets.
    pub lines: Vec<DVec3>,
    /// How hits are resolved.
    pub mode: ProbeMode,
    /// Hits and push; triangles are indices into `near`.
    pub answer: ProbeAnswer,
    /// The triangles within reach of the lines.
    pub near: ProbeTriangles,
    /// Sweep along the same motion.
    pub sweep: ProbeSweep,
    /// Object and triangle that the camera's path crosses.
    pub path_owner: Option<(ObjectId, u32)>,
}

/// The same probe with its triangles in another order.
#[derive(Clone, Debug, PartialEq)]
pub struct Shuffled {
    /// Seed of the order.
    pub seed: u64,
    /// Hits and push; triangles are indices in the first order.
    pub answer: ProbeAnswer,
    /// Lines with other hits or pushes than in the first order.
    pub lines: Vec<u32>,
    /// Distance between the two end positions of the camera, metres.
    pub distance: f64,
}

impl ProbeTest {
    /// Tests a probe in a frame of a level; `None` without a camera there.
    pub fn of(replay: &Replay, frame: &Frame, lines: &[DVec3], mode: ProbeMode) -> Option<Self> {
        let (motion, _) = frame.camera?;
        Some(Self::along(
            motion,
            lines,
            mode,
            replay.objects(),
            &frame.end,
            frame.number,
        ))
    }

    /// Tests a probe on any motion, among the solid objects of a state. At most [`PROBE_LINES`] lines are tested.
    pub fn along(
        motion: Motion,
        lines: &[DVec3],
        mode: ProbeMode,
        objects: &Objects,
        state: &FrameState,
        frame: u32,
    ) -> Self {
        let lines: Vec<DVec3> = lines.iter().copied().take(PROBE_LINES).collect();
        let (from, to) = (motion.start.position, motion.end.position);
        let length = lines.iter().map(|line| line.length()).fold(0.0, f64::max);
        let finite = from.is_finite() && to.is_finite() && length.is_finite();
        let (near, sweep, path_owner) = if finite {
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
            motion,
            lines,
            mode,
            answer,
            near,
            sweep,
            path_owner,
        }
    }

    /// The hits of a line, in the order they were resolved.
    pub fn hits_of(&self, line: u32) -> impl Iterator<Item = &ProbeHit> {
        self.answer.hits.iter().filter(move |hit| hit.line == line)
    }

    /// Object and triangle of a hit.
    pub fn owner(&self, hit: &ProbeHit) -> Option<(ObjectId, u32)> {
        self.near.owners.get(hit.triangle as usize).copied()
    }

    /// The same test in another mode.
    #[must_use]
    pub fn in_mode(&self, mode: ProbeMode) -> Self {
        let at = self.motion.end.position;
        Self {
            mode,
            answer: probe(at, &self.lines, &self.near.triangles, mode, &mut ()),
            ..self.clone()
        }
    }

    /// The same test with the triangles in an order given by a seed.
    pub fn shuffled(&self, seed: u64) -> Shuffled {
        let order = permutation(self.near.triangles.len(), seed);
        let triangles: Vec<Triangle> = order
            .iter()
            .map(|place| self.near.triangles[*place as usize])
            .collect();
        let mut answer = probe(
            self.motion.end.position,
            &self.lines,
            &triangles,
            self.mode,
            &mut (),
        );
        for hit in &mut answer.hits {
            hit.triangle = order[hit.triangle as usize];
        }
        let hits_of = |answer: &ProbeAnswer, line: u32| -> Vec<([DVec3; 3], DVec3)> {
            let hits = answer.hits.iter().filter(|hit| hit.line == line);
            // By vertices, as duplicates of a triangle count as one.
            hits.map(|hit| {
                let Triangle { a, b, c, .. } = self.near.triangles[hit.triangle as usize];
                ([a, b, c], hit.push)
            })
            .collect()
        };
        let lines = (0..self.lines.len() as u32)
            .filter(|line| hits_of(&self.answer, *line) != hits_of(&answer, *line))
            .collect();
        let distance = (answer.push - self.answer.push).length();
        Shuffled {
            seed,
            answer,
            lines,
            distance,
        }
    }
}

/// A permutation of `count` indices: the same for the same seed, on every machine.
///
/// Fisher and Yates' shuffle (Knuth, The Art of Computer Programming 2, 3.4.2).
fn permutation(count: usize, seed: u64) -> Vec<u32> {
    let mut random = SplitMix64(seed);
    let mut order: Vec<u32> = (0..count as u32).collect();
    for last in (1..count).rev() {
        // The bias of a remainder is below 2^-32 for any level.
        let other = (random.bits() % (last as u64 + 1)) as usize;
        order.swap(last, other);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::query::probe::STANDARD_PROBE;
    use crate::core::replay::BodyState;
    use crate::core::scene::Object;
    use crate::core::shape::{Facing, Mesh, Pose, Shape};
    use std::sync::Arc;

    /// A level of one mesh at the origin.
    fn level(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> (Objects, FrameState) {
        let mesh = Mesh::new(vertices, triangles, Facing::Both).unwrap();
        let object = Object::new("room", Shape::Mesh(Arc::new(mesh)), DVec3::ZERO);
        let body = BodyState {
            pose: Pose::IDENTITY,
            velocity: None,
            spin: None,
            asleep: false,
            teleported: false,
        };
        let state = [(0, body)].into_iter().collect();
        (vec![object].into(), state)
    }

    /// Two walls of a corner, x = 0.3 and z = 0.2, each of two triangles, and a slanted roof above.
    fn corner() -> (Objects, FrameState) {
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

    fn test(mode: ProbeMode, at: DVec3) -> ProbeTest {
        let (objects, state) = corner();
        let motion = Motion::still(Pose::at(at));
        ProbeTest::along(motion, &STANDARD_PROBE, mode, &objects, &state, 0)
    }

    #[test]
    fn an_order_is_a_permutation_that_depends_on_the_seed_only() {
        let order = permutation(100, 7);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<u32>>());
        assert_eq!(order, permutation(100, 7));
        assert_ne!(order, permutation(100, 8));
        assert!(permutation(0, 1).is_empty());
    }

    #[test]
    fn deepest_first_does_not_depend_on_the_order() {
        for step in 0..40 {
            let off = f64::from(step) * 0.01;
            let test = test(
                ProbeMode::Deepest,
                DVec3::new(off - 0.15, off * 0.3, 0.1 - off),
            );
            for seed in 0..20 {
                let other = test.shuffled(seed);
                assert_eq!(
                    other.answer.push, test.answer.push,
                    "step {step} seed {seed}"
                );
                assert!(other.lines.is_empty() && other.distance == 0.0);
            }
        }
    }

    #[test]
    fn in_order_another_order_gives_another_push() {
        let test = test(ProbeMode::InOrder, DVec3::new(0.05, 0.0, 0.0));
        assert!(test.answer.hits.len() > 1);
        let other = (0..50).map(|seed| test.shuffled(seed));
        let differ: Vec<Shuffled> = other.filter(|other| other.distance > 1e-3).collect();
        assert!(!differ.is_empty(), "{:?}", test.answer);
        assert!(differ.iter().all(|other| !other.lines.is_empty()));
        // A hit's triangle is an index in the first order: the hit lies in that triangle's plane.
        for hit in differ.iter().flat_map(|other| &other.answer.hits) {
            let triangle = test.near.triangles[hit.triangle as usize];
            let normal = triangle.normal().unwrap();
            assert!((hit.point - triangle.a).dot(normal).abs() < 1e-12);
            assert_eq!(test.owner(hit), Some((0, hit.triangle)));
        }
    }

    /// From x = -5 to x = -0.05: the wall at 0.3 is not on the path, but within reach of the lines.
    #[test]
    fn the_path_is_swept() {
        let (objects, state) = corner();
        let motion = |to: f64| Motion {
            start: Pose::at(DVec3::new(-5.0, 0.0, 0.0)),
            end: Pose::at(DVec3::new(to, 0.0, 0.0)),
        };
        let test = |to| {
            let mode = ProbeMode::Deepest;
            ProbeTest::along(motion(to), &STANDARD_PROBE, mode, &objects, &state, 0)
        };
        let held = test(-0.05);
        assert_eq!((held.sweep.path, held.sweep.probe_sees), (None, true));
        let through = test(5.0);
        assert!(!through.sweep.probe_sees);
        let path = through.sweep.path.unwrap();
        assert!((path.fraction - 0.53).abs() < 1e-12, "{path:?}");
        assert!(matches!(through.path_owner, Some((0, 0 | 1))));
    }

    #[test]
    fn nan_inputs_never_hit() {
        let test = test(ProbeMode::InOrder, DVec3::NAN);
        assert!(test.answer.hits.is_empty() && test.near.triangles.is_empty());
        assert_eq!(test.shuffled(3).distance, 0.0);
    }
}
