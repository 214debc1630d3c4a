//! Segments against triangles, pair by pair: the hit of each that meets.

use super::columns::{Block, Segments, Triangles, vector};
use super::{BLOCK, Lanes, passing};
use crate::core::query::RayHit;
use crate::core::query::crossing::{ray_cast_near, surely_misses};
use crate::core::shape::Segment;

/// The hits of a batch of segments, by pair, in order.
pub type RayHits = Vec<(u32, RayHit)>;

/// The hits of `segments[i]` with `triangles[i]`, for every i that both have; `hits` is emptied first.
pub fn ray_cast_triangle_pairs(
    lanes: Lanes,
    segments: &Segments,
    triangles: &Triangles,
    hits: &mut RayHits,
) {
    hits.clear();
    lanes.run(
        #[inline(always)]
        || cast_all(segments, triangles, hits),
    );
}

#[inline(always)]
fn cast_all(segments: &Segments, triangles: &Triangles, hits: &mut RayHits) {
    let count = segments.len().min(triangles.len());
    let blocks = segments.blocks().iter().zip(triangles.blocks());
    let mut met = [0; BLOCK];
    for (number, (segment, triangle)) in blocks.enumerate() {
        let first = number * BLOCK;
        let missed = misses(segment, triangle);
        let found = passing(count.saturating_sub(first), &mut met, |place| {
            missed[place] == 0
        });
        for &place in &met[..found] {
            let pair = first + usize::from(place);
            hits.extend(single(segments, triangles, pair).map(|hit| (pair as u32, hit)));
        }
    }
}

#[inline(never)]
fn single(segments: &Segments, triangles: &Triangles, pair: usize) -> Option<RayHit> {
    ray_cast_near(&segments.get(pair), &triangles.get(pair), &mut ())
}

/// For each pair of a block, not 0 where the segment surely misses.
#[inline(always)]
fn misses(segment: &Block<6>, triangle: &Block<9>) -> [u64; BLOCK] {
    let mut missed = [0; BLOCK];
    for (i, missed) in missed.iter_mut().enumerate() {
        let way = Segment {
            a: vector(segment, 0, i),
            b: vector(segment, 3, i),
        };
        let corners = [
            vector(triangle, 0, i),
            vector(triangle, 3, i),
            vector(triangle, 6, i),
        ];
        *missed = u64::from(surely_misses(&way, corners));
    }
    missed
}
