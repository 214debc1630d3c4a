//! Segments against triangles, pair by pair: the hit of each that meets.

use super::columns::{Block, Segments, Triangles, vector};
use super::{BLOCK, Lanes, passing};
use crate::core::query::{Crossing, RayHit, ray_cast_triangle};
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
        let verdicts = cross(segment, triangle);
        let found = passing(count.saturating_sub(first), &mut met, |place| {
            verdicts[place] != Crossing::MISS
        });
        for &place in &met[..found] {
            let pair = first + usize::from(place);
            let sure = verdicts[usize::from(place)] == Crossing::HIT;
            hits.extend(single(segments, triangles, pair, sure).map(|hit| (pair as u32, hit)));
        }
    }
}

/// The numbers of a sure hit, else all of the question.
#[inline(never)]
fn single(segments: &Segments, triangles: &Triangles, pair: usize, sure: bool) -> Option<RayHit> {
    let (segment, triangle) = (segments.get(pair), triangles.get(pair));
    if sure {
        Crossing::new(&segment, [triangle.a, triangle.b, triangle.c]).hit(&triangle)
    } else {
        ray_cast_triangle(&segment, &triangle, &mut ())
    }
}

#[inline(always)]
fn cross(segment: &Block<6>, triangle: &Block<9>) -> [u64; BLOCK] {
    let mut verdicts = [0; BLOCK];
    for (i, verdict) in verdicts.iter_mut().enumerate() {
        let way = Segment {
            a: vector(segment, 0, i),
            b: vector(segment, 3, i),
        };
        let corners = [
            vector(triangle, 0, i),
            vector(triangle, 3, i),
            vector(triangle, 6, i),
        ];
        *verdict = Crossing::new(&way, corners).verdict();
    }
    verdicts
}
