//! Segments against triangles, pair by pair: the hit of each that meets.

use super::columns::{Block, Segments, Triangles, VectorRoom, corners, point, vector};
use super::sift::sift;
use super::{BLOCK, Lanes};
use crate::core::query::RayHit;
use crate::core::query::crossing::{Crossing, ray_cast_near};
use crate::core::query::misses_triangle::surely_misses;
use crate::core::query::triangle_view::pick;
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
    let (first, second) = (segments.rows(), triangles.rows());
    let (mut ways, mut by) = ([[0.0; BLOCK]; 6], [[0.0; BLOCK]; 9]);
    let mut views = Views::EMPTY;
    sift(
        segments.len().min(triangles.len()),
        #[inline(always)]
        |number| {
            let ((segment, [here]), (triangle, [there])) =
                (first.rounded(number), second.rounded(number));
            misses(segment, triangle, here.max(there))
        },
        #[inline(always)]
        |pair| {
            first.fetch(pair);
            second.fetch(pair);
        },
        #[inline(always)]
        |pairs| {
            first.gather(pairs, &mut ways);
            second.gather(pairs, &mut by);
            views.look(&ways, &by);
            for (place, &pair) in pairs.iter().enumerate() {
                if views.verdict[place] == Crossing::HIT {
                    hits.push((pair, views.hit(place)));
                } else if views.verdict[place] == Crossing::DOUBT {
                    let hit = single(segments, triangles, pair as usize);
                    hits.extend(hit.map(|hit| (pair, hit)));
                }
            }
        },
    );
}

#[cold]
#[inline(never)]
fn single(segments: &Segments, triangles: &Triangles, pair: usize) -> Option<RayHit> {
    ray_cast_near(&segments.get(pair), &triangles.get(pair), &mut ())
}

/// For each pair of a block, not 0 where the segment surely misses; `place` is the largest coordinate of the block.
#[inline(always)]
fn misses(segment: &Block<6, f32>, triangle: &Block<9, f32>, place: f32) -> [u32; BLOCK] {
    let mut missed = [0; BLOCK];
    for (i, missed) in missed.iter_mut().enumerate() {
        let way = [point(segment, 0, i), point(segment, 3, i)];
        let corners = [
            point(triangle, 0, i),
            point(triangle, 3, i),
            point(triangle, 6, i),
        ];
        *missed = u32::from(surely_misses(way, corners, |all| all + place));
    }
    missed
}

/// What the segments of a block meet, a column for each number.
struct Views {
    verdict: [u64; BLOCK],
    fraction: [f64; BLOCK],
    point: VectorRoom,
    normal: VectorRoom,
    weights: VectorRoom,
    /// Not 0 where the back is hit.
    back: [u64; BLOCK],
}

impl Views {
    const EMPTY: Self = Self {
        verdict: [0; BLOCK],
        fraction: [0.0; BLOCK],
        point: VectorRoom::EMPTY,
        normal: VectorRoom::EMPTY,
        weights: VectorRoom::EMPTY,
        back: [0; BLOCK],
    };

    #[inline(always)]
    fn look(&mut self, segment: &Block<6>, triangle: &Block<9>) {
        for i in 0..BLOCK {
            let way = Segment {
                a: vector(segment, 0, i),
                b: vector(segment, 3, i),
            };
            let corners = corners(triangle, i);
            let crossing = Crossing::new(&way, corners);
            let verdict = crossing.verdict();
            let numbers = crossing.numbers(corners);
            let open = (verdict == Crossing::HIT) & !numbers.clear;
            self.verdict[i] = if open { Crossing::DOUBT } else { verdict };
            self.fraction[i] = numbers.fraction;
            self.point.set(i, numbers.point);
            self.normal
                .set(i, pick(numbers.back, -numbers.front, numbers.front));
            self.weights.set(i, numbers.weights);
            self.back[i] = u64::from(numbers.back);
        }
    }

    #[inline(always)]
    fn hit(&self, place: usize) -> RayHit {
        RayHit {
            fraction: self.fraction[place],
            point: self.point.at(place),
            normal: self.normal.at(place),
            weights: self.weights.at(place),
            back: self.back[place] != 0,
            triangle: None,
        }
    }
}
