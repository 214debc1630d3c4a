//! Swept spheres, pair by pair: the outcome of each, by name.
//!
//! Most pairs are clear in `f32`, which takes half the memory and twice as many at a time; those that are not are gathered and
//! done again in `f64`, and what is open there singly. Each step answers only outside its error bounds, so that all agree.

use super::columns::{Block, MovingSpheres, VectorRoom, vector};
use super::rounded_spheres::{Noise, outcome, surely_apart};
use super::sift::sift;
use super::{BLOCK, Lanes};
use crate::core::query::sweep::{Meeting, Parabola, sweep_sphere_sphere};
use crate::core::query::{SweepKind, SweepOutcome};

/// The outcome of every pair of a batch, one byte each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SweepKinds(Vec<u8>);

impl SweepKinds {
    /// Of one pair.
    ///
    /// # Panics
    /// When `index` is not below `len`.
    pub fn get(&self, index: usize) -> SweepKind {
        const KINDS: [SweepKind; 6] = [
            SweepKind::Overlapping,
            SweepKind::Receding,
            SweepKind::Later,
            SweepKind::Misses,
            SweepKind::Grazes,
            SweepKind::Hits,
        ];
        KINDS[usize::from(self.0[index])]
    }

    /// The number of pairs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The pairs that meet within the motion or overlap from its start, in order.
    pub fn meetings(&self) -> impl Iterator<Item = usize> + '_ {
        let meets =
            |kind: u8| kind == SweepKind::Overlapping as u8 || kind == SweepKind::Hits as u8;
        let kinds = self.0.iter().enumerate();
        kinds
            .filter(move |(_, kind)| meets(**kind))
            .map(|(index, _)| index)
    }
}

/// Sweeps `first[i]` against `second[i]`, for every i that both have; `kinds` is emptied first.
pub fn sweep_sphere_pairs(
    lanes: Lanes,
    first: &MovingSpheres,
    second: &MovingSpheres,
    kinds: &mut SweepKinds,
) {
    let count = first.len().min(second.len());
    kinds.0.clear();
    kinds.0.resize(count, 0);
    lanes.run(
        #[inline(always)]
        || sweep_all(first, second, &mut kinds.0),
    );
}

/// The pairs of a batch that meet, each with its outcome, in order.
pub type Meetings = Vec<(u32, SweepOutcome)>;

/// What [`meeting_sphere_sphere`](crate::core::query::sweep::meeting_sphere_sphere) answers of `first[i]` and `second[i]`, for
/// every i that both have and that meet; `meetings` is emptied first. Quicker than [`sweep_sphere_pairs`], as most pairs pass
/// each other by and nobody asks how.
pub fn meeting_sphere_pairs(
    lanes: Lanes,
    first: &MovingSpheres,
    second: &MovingSpheres,
    meetings: &mut Meetings,
) {
    meetings.clear();
    lanes.run(
        #[inline(always)]
        || meet_all(first, second, meetings),
    );
}

#[inline(always)]
fn sweep_all(first: &MovingSpheres, second: &MovingSpheres, kinds: &mut [u8]) {
    let mut open = Vec::new();
    for (number, kinds) in kinds.chunks_mut(BLOCK).enumerate() {
        let (a, b, noise) = block(first, second, number);
        let mut codes = [0; BLOCK];
        for (i, code) in codes.iter_mut().enumerate() {
            *code = outcome(row(a, i), row(b, i), noise);
        }
        let mut doubt = 0;
        let mut bytes = [0; BLOCK];
        for (byte, code) in bytes.iter_mut().zip(codes) {
            *byte = code as u8;
            doubt |= code & !7;
        }
        kinds.copy_from_slice(&bytes[..kinds.len()]);
        if doubt != 0 {
            let from = (number * BLOCK) as u32;
            let in_doubt = |&(_, kind): &(u32, &u8)| *kind == Parabola::DOUBT as u8;
            open.extend((from..).zip(&*kinds).filter(in_doubt).map(|(pair, _)| pair));
        }
    }
    let mut gathered = [[[0.0; BLOCK]; 7]; 2];
    for pairs in open.chunks(BLOCK) {
        let codes = parabolas(first, second, pairs, &mut gathered, Parabola::quick);
        for (&pair, code) in pairs.iter().zip(codes) {
            kinds[pair as usize] = if code == Parabola::DOUBT {
                single(first, second, pair).kind() as u8
            } else {
                code as u8
            };
        }
    }
}

#[inline(always)]
fn meet_all(first: &MovingSpheres, second: &MovingSpheres, meetings: &mut Meetings) {
    let mut gathered = [[[0.0; BLOCK]; 7]; 2];
    let mut views = Views::EMPTY;
    sift(
        first.len().min(second.len()),
        #[inline(always)]
        |number| {
            let (a, b, noise) = block(first, second, number);
            let mut apart = [0; BLOCK];
            for (i, apart) in apart.iter_mut().enumerate() {
                *apart = u32::from(surely_apart(row(a, i), row(b, i), noise));
            }
            apart
        },
        #[inline(always)]
        |pair| {
            first.rows().fetch(pair);
            second.rows().fetch(pair);
        },
        #[inline(always)]
        |pairs| {
            first.rows().gather(pairs, &mut gathered[0]);
            second.rows().gather(pairs, &mut gathered[1]);
            views.look(&gathered);
            for (place, &pair) in pairs.iter().enumerate() {
                match views.kind[place] {
                    Parabola::HITS | Parabola::OVERLAPPING => {
                        meetings.push((pair, views.meeting(place).outcome()));
                    }
                    Parabola::DOUBT => {
                        let outcome = single(first, second, pair);
                        let meets = outcome.kind().meets();
                        meetings.extend(meets.then_some((pair, outcome)));
                    }
                    _ => {}
                }
            }
        },
    );
}

/// The meetings of a block's pairs, a column for each number.
struct Views {
    kind: [u64; BLOCK],
    fraction: [f64; BLOCK],
    point: VectorRoom,
    normal: VectorRoom,
    depth: [f64; BLOCK],
}

impl Views {
    const EMPTY: Self = Self {
        kind: [0; BLOCK],
        fraction: [0.0; BLOCK],
        point: VectorRoom::EMPTY,
        normal: VectorRoom::EMPTY,
        depth: [0.0; BLOCK],
    };

    #[inline(always)]
    fn look(&mut self, [first, second]: &[Block<7>; 2]) {
        for i in 0..BLOCK {
            let meeting = Meeting::of(
                [vector(first, 0, i), vector(second, 0, i)],
                [first[3][i], second[3][i]],
                [vector(first, 4, i), vector(second, 4, i)],
            );
            self.kind[i] = meeting.kind;
            self.fraction[i] = meeting.fraction;
            self.point.set(i, meeting.point);
            self.normal.set(i, meeting.normal);
            self.depth[i] = meeting.depth;
        }
    }

    #[inline(always)]
    fn meeting(&self, place: usize) -> Meeting {
        Meeting {
            kind: self.kind[place],
            fraction: self.fraction[place],
            point: self.point.at(place),
            normal: self.normal.at(place),
            depth: self.depth[place],
        }
    }
}

#[inline(always)]
fn row(block: &Block<7, f32>, at: usize) -> [f32; 7] {
    let [x, y, z, radius, dx, dy, dz] = block;
    [x[at], y[at], z[at], radius[at], dx[at], dy[at], dz[at]]
}

/// Rounded numbers of both by the number of their block, with the error bounds.
#[inline(always)]
fn block<'b>(
    first: &'b MovingSpheres,
    second: &'b MovingSpheres,
    number: usize,
) -> (&'b Block<7, f32>, &'b Block<7, f32>, Noise) {
    let (a, [near, fast]) = first.rows().rounded(number);
    let (b, [more, faster]) = second.rows().rounded(number);
    (a, b, Noise::of([near + more, fast + faster]))
}

/// The parabolas of some pairs in `f64`, each asked the same.
#[inline(always)]
fn parabolas(
    first: &MovingSpheres,
    second: &MovingSpheres,
    pairs: &[u32],
    gathered: &mut [Block<7>; 2],
    question: impl Fn(&Parabola) -> u64,
) -> [u64; BLOCK] {
    let [one, other] = gathered;
    first.rows().gather(pairs, one);
    second.rows().gather(pairs, other);
    let (first, second) = (&*one, &*other);
    let mut answers = [0; BLOCK];
    for (i, answer) in answers.iter_mut().enumerate() {
        let between = vector(second, 0, i) - vector(first, 0, i);
        let step = vector(second, 4, i) - vector(first, 4, i);
        *answer = question(&Parabola::new(between, step, first[3][i] + second[3][i]));
    }
    answers
}

#[inline(never)]
fn single(first: &MovingSpheres, second: &MovingSpheres, pair: u32) -> SweepOutcome {
    let ((a, d), (b, e)) = (first.get(pair as usize), second.get(pair as usize));
    sweep_sphere_sphere(&a, d, &b, e, &mut ())
}
