//! Seeded cases: a convex body, a centre, its motion and a radius, with every kind of close decision.

use super::stats::bound_of;
pub use crate::common::random::Random;
use glam::DVec3;

impl Random {
    /// Some error bounds up or down, or none.
    pub fn near(&mut self, value: f64, bound: f64) -> f64 {
        let by = self.pick(&[0.0, 0.5, 12.0, 16.0, 100.0, 1e3, 1e5, 1e7]);
        value + by * bound * self.pick(&[1.0, -1.0])
    }
}

/// A body of one to three corners, and a sphere on its path past it.
#[derive(Clone, Debug)]
pub struct Case {
    pub kind: &'static str,
    pub corners: Vec<DVec3>,
    pub center: DVec3,
    pub displacement: DVec3,
    pub other: DVec3,
    pub radii: [f64; 2],
}

impl Case {
    fn moved(mut self, by: DVec3) -> Self {
        for corner in &mut self.corners {
            *corner += by;
        }
        self.center += by;
        self
    }
}

/// Integer vectors of integer length: Pythagorean quadruples.
const AWAY: [([f64; 3], f64); 8] = [
    ([3.0, 4.0, 0.0], 5.0),
    ([0.0, -4.0, 3.0], 5.0),
    ([1.0, 2.0, 2.0], 3.0),
    ([-2.0, 3.0, 6.0], 7.0),
    ([4.0, -4.0, 7.0], 9.0),
    ([0.0, 0.0, -2.0], 2.0),
    ([12.0, 0.0, 5.0], 13.0),
    ([2.0, 6.0, -9.0], 11.0),
];

/// A body of `count` corners; the kinds of closeness in turn.
pub fn case(seed: u64, count: usize) -> Case {
    let mut random = Random(seed);
    let kind = [
        "open",
        "one ulp",
        "exact touch",
        "exact graze",
        "tiny and fast",
        "still",
        "coincident",
        "subnormal",
        "sliver",
        "ends touching",
    ][seed as usize % 10];
    let offset = [0.0, 1e5, 1e6, 1e7][random.below(4) as usize];
    let away = DVec3::new(1.0, -1.0, 0.5) * offset;
    match kind {
        "open" => open(&mut random, count, kind).moved(away),
        "sliver" => sliver(&mut random, count, kind).moved(away),
        "one ulp" => nearly(open(&mut random, count, kind).moved(away), &mut random),
        "tiny and fast" => {
            let mut case = open(&mut random, count, kind);
            case.radii = [1e-3, 0.0];
            case.center = case.corners[0] + random.point(80.0);
            case.displacement =
                (case.corners[0] - case.center + random.point(0.002)) * random.range(0.9, 2.0);
            case.other = DVec3::ZERO;
            let case = case.moved(away);
            if random.below(2) == 0 {
                nearly(case, &mut random)
            } else {
                case
            }
        }
        "still" => {
            let mut case = nearly(open(&mut random, count, kind).moved(away), &mut random);
            (case.displacement, case.other) = if random.below(2) == 0 {
                (DVec3::ZERO, DVec3::ZERO)
            } else {
                (case.displacement, case.displacement)
            };
            case.center = touching(&case).unwrap_or(case.center);
            case
        }
        "coincident" => {
            let mut case = open(&mut random, count, kind).moved(away);
            case.center = case.corners[random.below(count as u64) as usize];
            case
        }
        kind => whole_numbers(&mut random, count, kind, bound_of(offset + 20.0)).moved(away),
    }
}

fn open(random: &mut Random, count: usize, kind: &'static str) -> Case {
    Case {
        kind,
        corners: (0..count).map(|_| random.point(3.0)).collect(),
        center: random.point(6.0),
        displacement: random.point(10.0),
        other: random.point(4.0),
        radii: [
            random.range(0.1, 1.5),
            if random.below(2) == 0 {
                0.0
            } else {
                random.range(0.1, 1.0)
            },
        ],
    }
}

/// Corners (nearly) on one line or in one place.
fn sliver(random: &mut Random, count: usize, kind: &'static str) -> Case {
    let mut case = open(random, count, kind);
    let (a, along) = (case.corners[0], random.point(3.0));
    let off = [0.0, 0.0, 1e-15, 1e-13, 1e-10, 1e-6][random.below(6) as usize];
    for corner in &mut case.corners[1..] {
        let fraction = [0.0, 0.5, 1.0, 2.0][random.below(4) as usize];
        *corner = a + along * fraction + random.point(off);
    }
    case
}

/// A centre about as far from the body as the sum of radii; `None` where it lies on it.
fn touching(case: &Case) -> Option<DVec3> {
    let path = case.center - case.corners[0];
    Some(case.corners[0] + path.try_normalize()? * (case.radii[0] + case.radii[1]))
}

/// A radius that differs from the closest approach, as sampled, by some error bounds.
fn nearly(mut case: Case, random: &mut Random) -> Case {
    let step = case.displacement - case.other;
    let fraction = |point: DVec3, from: DVec3, along: DVec3| {
        let square = along.length_squared();
        if square > 0.0 {
            ((point - from).dot(along) / square).clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    // On the path from a random corner of the body: a graze of that corner, if nothing else is nearer.
    let corner = case.corners[random.below(case.corners.len() as u64) as usize];
    let nearest = case.center + step * fraction(corner, case.center, step);
    let distance = (nearest - corner).length();
    let rest = distance - case.radii[1];
    let bound = bound_of(case.center.abs().max(step.abs()).max_element() + distance);
    if rest > 1e-3 {
        case.radii[0] = random.near(rest, bound).abs();
    } else {
        case.radii = [random.near(distance, bound).abs(), 0.0];
    }
    case
}

/// Built of integers, so that the closest approach is one: touching exactly, or off by some error bounds.
fn whole_numbers(random: &mut Random, count: usize, kind: &'static str, bound: f64) -> Case {
    let (away, length) = AWAY[random.below(8) as usize];
    let away = DVec3::from_array(away);
    // The body extends to its first corner, and no farther in the direction of `away`.
    let first = random.grid(4);
    let behind = |random: &mut Random| {
        let by = random.grid(6);
        if by.dot(away) > 0.0 { -by } else { by }
    };
    let mut corners = vec![first];
    corners.extend((1..count).map(|_| first + behind(random)));
    let touching = first + away;
    // Perpendicular to `away`: the closest approach is at half of the path.
    let square = away.cross(random.grid(3));
    let aside = if square == DVec3::ZERO {
        away.any_orthogonal_vector()
    } else {
        square
    };
    let (center, step) = match kind {
        "exact graze" => (touching - aside, aside * 2.0),
        "ends touching" => {
            let step = behind(random);
            (touching - step, step)
        }
        "subnormal" => {
            let tiny = [5e-324, 1e-310, 1e-300, 1e-200, 1e-30][random.below(5) as usize];
            (touching, random.grid(3) * tiny)
        }
        _ => (touching, random.grid(5)),
    };
    let part = [0.0, 0.25, 0.5][random.below(3) as usize] * length;
    Case {
        kind,
        corners,
        center,
        displacement: step,
        other: DVec3::ZERO,
        radii: [random.near(length - part, bound), part],
    }
}
