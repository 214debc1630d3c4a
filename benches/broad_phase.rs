//! Candidate pairs of one frame, against parry's tree: rebuilt, and refitted.

use glam::DVec3;
use glam_parry::Vec3;
use hitstop::core::broad_phase::{Entry, candidate_pairs};
use hitstop::core::shape::Aabb;
use hitstop_benches::{Seeded, contestant, race};
use parry3d::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// Boxes of about a metre, swept by a frame's motion, a few neighbours each; two frames of the same objects.
fn frames(count: usize) -> [Vec<Entry>; 2] {
    let mut seeded = Seeded::new(count as u64);
    let reach = (count as f64).cbrt() * 0.8;
    let objects: Vec<(DVec3, f64, DVec3)> = (0..count)
        .map(|_| {
            (
                seeded.vector(reach),
                seeded.range(0.25, 0.5),
                seeded.vector(0.3),
            )
        })
        .collect();
    [0.0, 1.0].map(|frame| {
        let entry = |&(center, radius, step): &(DVec3, f64, DVec3)| {
            let (from, to) = (center + step * frame, center + step * (frame + 1.0));
            let single = |v: DVec3| v.as_vec3().as_dvec3();
            let bounds = Aabb {
                min: single(from.min(to) - DVec3::splat(radius)),
                max: single(from.max(to) + DVec3::splat(radius)),
            };
            Entry {
                bounds: Some(bounds),
                moves: true,
            }
        };
        objects.iter().map(entry).collect()
    })
}

fn parry_boxes(entries: &[Entry]) -> Vec<parry3d::bounding_volume::Aabb> {
    let single = |v: DVec3| Vec3::new(v.x as f32, v.y as f32, v.z as f32);
    entries
        .iter()
        .filter_map(|entry| entry.bounds)
        .map(|b| parry3d::bounding_volume::Aabb::new(single(b.min), single(b.max)))
        .collect()
}

fn pairs_of(tree: &Bvh, workspace: &mut BvhWorkspace) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    tree.traverse_bvtt_single_tree::<false>(workspace, &mut |a, b| {
        pairs.push((a.min(b), a.max(b)))
    });
    pairs
}

fn main() {
    for (count, goal) in [(1_000, 6.0), (10_000, 4.0), (100_000, 4.0)] {
        let frames = frames(count);
        let boxes = frames.each_ref().map(|frame| parry_boxes(frame));
        let ours = candidate_pairs(&frames[0]);
        let tree = || Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes[0]);
        let mut theirs = pairs_of(&tree(), &mut BvhWorkspace::default());
        theirs.sort_unstable();
        let mut exact = theirs.clone();
        exact.retain(|pair| ours.binary_search(pair).is_ok());
        let title = format!(
            "Candidate pairs of {count} objects, per object ({} pairs; theirs {}, {} in both)",
            ours.len(),
            theirs.len(),
            exact.len()
        );
        let (mut rebuilding, mut refitting) = (BvhWorkspace::default(), BvhWorkspace::default());
        let (mut kept, mut turn, mut at_rebuilt, mut at_ours) = (tree(), 0, 0, 0);
        race(
            &title,
            count,
            5.0,
            vec![
                contestant("parry: tree rebuilt, pairs", None, || {
                    at_rebuilt = 1 - at_rebuilt;
                    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes[at_rebuilt]);
                    pairs_of(&tree, &mut rebuilding).len() as f64
                }),
                contestant("parry: tree refitted, pairs", None, || {
                    turn = 1 - turn;
                    for (number, aabb) in (0..).zip(&boxes[turn]) {
                        kept.insert_or_update_partially(*aabb, number, 0.0);
                    }
                    kept.refit(&mut refitting);
                    pairs_of(&kept, &mut refitting).len() as f64
                }),
                contestant("ours, sorted", Some(goal), || {
                    at_ours = 1 - at_ours;
                    candidate_pairs(&frames[at_ours]).len() as f64
                }),
            ],
        );
    }
}
