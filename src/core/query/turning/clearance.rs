//! How deep two turning shapes overlap at most between two moments, along one direction.
//!
//! The gap of two convex shapes is at least their distance along any direction. The place of a point along a fixed direction is a sine of
//! time, which lies off the chord between two moments by at most its second derivative times the square of the time over 8. So the distance
//! along a direction at two moments bounds the gap between them, whatever the points do across the direction: a body that spins about it
//! keeps its distance exactly. For shapes that turn together the direction turns with them.

use super::Turning;
use super::parts::{
    Indices, Views, bounds_of, depth_in, farthest, leads_out_of_fronts, part, parts, separated,
};
use super::search::{Gaps, Look, Near};
use crate::core::query::dispatch::gap_until;
use crate::core::query::outcome::Gap;
use crate::core::query::view::View;
use crate::core::shape::{Aabb, Placed, Shape};
use crate::core::tolerance::{BOUND_ULPS, TURNING_LEAF};
use glam::{DQuat, DVec3};
use smallvec::{SmallVec, smallvec};
use std::rc::Rc;

/// Parts of a shape near the other up to which each is tested. More are left to shorter stretches, near which there are fewer.
const MOST_PARTS: usize = 4096;

/// Pairs of parts up to which each is tested along a direction of its own, which takes its closest points; and up to which their boxes are
/// compared.
const MOST_PAIRS: usize = 1024;
const MOST_BOXES: usize = 1 << 16;

/// Two shapes that turn while they travel.
pub(super) struct TurningPair<'s> {
    bodies: [(&'s Shape, &'s Turning); 2],
    /// Metres per motion by which their gap changes at most.
    rate: f64,
    /// The error bound of a distance, metres: what overlaps by less touches.
    pub bound: f64,
}

impl<'s> TurningPair<'s> {
    pub fn new(a: (&'s Shape, &'s Turning), b: (&'s Shape, &'s Turning), rate: f64) -> Self {
        let largest = |(shape, turning): (&Shape, &Turning)| {
            let (start, end) = (turning.motion.start.position, turning.motion.end.position);
            start.abs().max(end.abs()).max_element() + shape.reach().unwrap_or(0.0)
        };
        Self {
            bodies: [a, b],
            rate,
            bound: BOUND_ULPS * f64::EPSILON * largest(a).max(largest(b)),
        }
    }

    /// Both shapes at a fraction of the motion.
    pub fn placed(&self, at: f64) -> (Placed<'s>, Placed<'s>) {
        let [a, b] = self
            .bodies
            .map(|(shape, turning)| shape.placed(&turning.pose(at)));
        (a, b)
    }

    /// The pairs of parts that can come together within a stretch of the motion; `None` when they are one or too many.
    fn near_pairs(
        &self,
        between: &Views<'_>,
        near: &[Indices; 2],
        stretch: f64,
    ) -> Option<Vec<[u32; 2]>> {
        let count = near[0].len() * near[1].len();
        if !(2..=MOST_BOXES).contains(&count) {
            return None;
        }
        let margin = self.margin(stretch);
        let bounds = |view: &View<'_>, parts: &Indices, margin: f64| -> Vec<Option<Aabb>> {
            let of_part = |&index: &u32| Some(bounds_of(view, index)?.grown(margin));
            parts.iter().map(of_part).collect()
        };
        let first = bounds(&between[0], &near[0], margin);
        let second = bounds(&between[1], &near[1], 0.0);
        let mut pairs = Vec::new();
        for (&i, one) in near[0].iter().zip(&first) {
            for (&j, other) in near[1].iter().zip(&second) {
                if one
                    .zip(*other)
                    .is_none_or(|(one, other)| one.overlaps(&other))
                {
                    pairs.push([i, j]);
                }
            }
            if pairs.len() > MOST_PAIRS {
                return None;
            }
        }
        Some(pairs)
    }

    /// Metres by which the gap changes at most on either side of the middle of a stretch, and rounding.
    fn margin(&self, stretch: f64) -> f64 {
        0.5 * self.rate * stretch + self.bound
    }

    /// How long a point of one body stays inside a part of the other, as a fraction of the motion.
    ///
    /// As a convex part has it, the point stays near the chord between two of its places, which is as deep inside as the less deep of these.
    fn stays_inside(&self, point: DVec3, [own, other]: [usize; 2], at: f64) -> f64 {
        let [(_, own), (shape, other)] = [own, other].map(|body| self.bodies[body]);
        let placed = shape.placed(&other.pose(at));
        let view = View::of(&placed);
        let mut holds = (0.0, 0);
        for index in 0..view.composite().map_or(1, |parts| parts.solids() as u32) {
            let depth = depth_in(point, &part(&view, index));
            if depth > holds.0 {
                holds = (depth, index);
            }
        }
        let (depth, index) = holds;
        let local = own.pose(at).point_to_local(point);
        // As the part has it, the point moves on a curve: its own turn, the part's turn, and the turn of its velocity.
        let travel = (own.motion.displacement() - other.motion.displacement()).length();
        let (spin, around) = (own.turn.length(), other.turn.length());
        let reach = local.length();
        let swing = spin * reach;
        let curve = spin * swing
            + 2.0 * around * (travel + swing)
            + around * around * (reach + self.farthest_apart());
        let mut span = 1.0 - at;
        while depth > 0.0 && span > TURNING_LEAF {
            let least = curve * span * span / 8.0 + self.bound;
            let later = at + span;
            let inside = depth >= least && {
                let placed = shape.placed(&other.pose(later));
                let point = own.pose(later).point(local);
                depth_in(point, &part(&View::of(&placed), index)) >= least
            };
            if inside {
                return span;
            }
            span *= 0.25;
        }
        0.0
    }

    /// The largest distance of their positions on the way, metres.
    fn farthest_apart(&self) -> f64 {
        let [a, b] = self.bodies.map(|(_, turning)| turning.motion);
        let start = a.start.position.distance(b.start.position);
        start.max(a.end.position.distance(b.end.position))
    }

    /// Of some pairs of parts, those that may come nearer than `least` within a stretch; and the least gap in its middle, where it is below
    /// what can change on either side of that. `None` when a pair has no answer there.
    fn among(
        &self,
        pairs: &[[u32; 2]],
        least: f64,
        span: [f64; 2],
        views: &[Views<'_>; 3],
    ) -> Option<Look> {
        let [start, between, end] = views;
        let margin = self.margin(span[1] - span[0]);
        let mut distance = f64::INFINITY;
        let mut near = Vec::new();
        for pair in pairs {
            let gap = separated(&parts(between, pair), margin)?;
            distance = distance.min(gap.distance);
            let parts = pair.map(|index| smallvec![index]);
            if gap.distance <= margin
                && !self.stays_above(least, span, [start, end], &parts, gap.normal)
            {
                near.push(*pair);
            }
        }
        Some(Look {
            distance,
            near: Near::Pairs(near.into()),
        })
    }

    /// The parts of both that can come together within a stretch of the motion; `None` when they are too many.
    fn near_parts(&self, between: &Views<'_>, stretch: f64) -> Option<[Indices; 2]> {
        let margin = self.margin(stretch);
        let of = |own: &View<'_>, other: &View<'_>| {
            let Some(parts) = own.composite() else {
                return Some(smallvec![0]);
            };
            let mut near = Indices::new();
            match other.extent() {
                Some(other) => {
                    let region = other.bounds.grown(margin);
                    parts.for_each_in(&region, &mut |index| near.push(index));
                }
                None => near.extend(0..parts.count() as u32),
            }
            (near.len() <= MOST_PARTS).then_some(near)
        };
        let [a, b] = between;
        Some([of(a, b)?, of(b, a)?])
    }

    /// True when the distance of some parts along a direction, fixed or turning with one of the bodies, is surely at least `least` between
    /// two fractions. `normal` is the direction in the middle of these, from b toward a.
    fn stays_above(
        &self,
        least: f64,
        span: [f64; 2],
        ends: [&Views<'_>; 2],
        near: &[Indices; 2],
        normal: DVec3,
    ) -> bool {
        let half = 0.5 * (span[1] - span[0]);
        let turns = self.bodies.map(|(_, turning)| turning.turn);
        let mut spins: SmallVec<[DVec3; 3]> = smallvec![DVec3::ZERO];
        for turn in turns {
            if !spins.contains(&turn) {
                spins.push(turn);
            }
        }
        spins.into_iter().any(|spin| {
            let allowed = least + 0.5 * half * half * self.bend(spin, normal);
            ends.into_iter().zip([-half, half]).all(|([a, b], later)| {
                let along = match spin {
                    DVec3::ZERO => normal,
                    _ => DQuat::from_scaled_axis(spin * later) * normal,
                };
                farthest(b, &near[1], along) + farthest(a, &near[0], -along) <= -allowed
            })
        })
    }

    /// The second derivative that the distance along a direction has at most, metres per motion squared. `normal` is the direction at some
    /// moment, and turns by `spin` over the motion.
    fn bend(&self, spin: DVec3, normal: DVec3) -> f64 {
        let across = spin.cross(normal).length();
        let of_points = self.bodies.map(|(shape, turning)| {
            // Of the direction in the body's space.
            let bend = match (turning.turn, spin) {
                (DVec3::ZERO, DVec3::ZERO) => return 0.0,
                (turn, DVec3::ZERO) => turn.length() * turn.cross(normal).length(),
                (turn, spin) => turn.distance(spin) * (turn.length() + spin.length()),
            };
            let reach = || shape.reach().unwrap_or(f64::INFINITY);
            if bend == 0.0 { 0.0 } else { bend * reach() }
        });
        let [a, b] = self.bodies.map(|(_, turning)| turning.motion);
        let travel = (a.displacement() - b.displacement()).length();
        of_points[0]
            + of_points[1]
            + across * (2.0 * travel + spin.length() * self.farthest_apart())
    }
}

impl Gaps for TurningPair<'_> {
    fn rate(&self) -> f64 {
        self.rate
    }

    fn gap(&self, at: f64, enough: f64, near: &Near) -> Option<Gap> {
        let (a, b) = self.placed(at);
        let Near::Pairs(pairs) = near else {
            return gap_until(&a, &b, enough);
        };
        let views = [View::of(&a), View::of(&b)];
        let mut least: Option<Gap> = None;
        for pair in pairs.iter() {
            let limit = least.map_or(f64::INFINITY, |gap| gap.distance);
            if limit < enough {
                break;
            }
            let found = separated(&parts(&views, pair), limit);
            least = found.filter(|gap| gap.distance < limit).or(least);
        }
        least
    }

    fn overlapping(&self, at: f64) -> Near {
        let (a, b) = self.placed(at);
        let views = [View::of(&a), View::of(&b)];
        let pairs = self
            .near_parts(&views, 0.0)
            .and_then(|near| self.near_pairs(&views, &near, 0.0));
        let overlaps = |pair: &[u32; 2]| {
            separated(&parts(&views, pair), 0.0).is_some_and(|gap| gap.distance < 0.0)
        };
        pairs.map_or(Near::All, |mut pairs| {
            pairs.retain(overlaps);
            Near::Pairs(pairs.into())
        })
    }

    fn look(&self, span: [f64; 2], value: f64, near: &Near) -> Option<Look> {
        let middle = span[0].midpoint(span[1]);
        let placed = [span[0], middle, span[1]].map(|at| self.placed(at));
        let views = placed.each_ref().map(|(a, b)| [View::of(a), View::of(b)]);
        // What is apart needs no way out of the front of a one-sided triangle.
        let (deep, apart) = (value - self.bound, -self.bound);
        if let Near::Pairs(pairs) = near
            && let Some(look) = self.among(pairs, deep, span, &views)
        {
            return Some(look);
        }
        let gap = self.gap(middle, value, &Near::All)?;
        let look = |near: Near| Look {
            distance: gap.distance,
            near,
        };
        if gap.distance < value {
            return Some(look(Near::All));
        }
        let [start, between, end] = &views;
        let stretch = span[1] - span[0];
        let Some(parts) = self.near_parts(between, stretch) else {
            return Some(look(Near::All));
        };
        let least = if leads_out_of_fronts(between, &parts, gap.normal) {
            deep
        } else {
            apart
        };
        if self.stays_above(least, span, [start, end], &parts, gap.normal) {
            return Some(look(Near::Pairs(Rc::new([]))));
        }
        let Some(pairs) = self.near_pairs(between, &parts, stretch) else {
            return Some(look(Near::All));
        };
        let among = self.among(&pairs, deep, span, &views);
        Some(look(among.map_or(Near::All, |found| found.near)))
    }

    /// A point of the one that lies inside of the other stays there for a while.
    fn overlaps_for(&self, at: f64, gap: &Gap) -> f64 {
        let of_first = self.stays_inside(gap.point_a, [0, 1], at);
        of_first.max(self.stays_inside(gap.point_b, [1, 0], at))
    }
}

#[cfg(test)]
mod tests {
    use super::super::rate;
    use super::super::search::first_below;
    use super::*;
    use crate::core::shape::{Cylinder, Facing, Mesh, Motion, Plane, Pose, SolidShape, Triangle};
    use std::cell::Cell;
    use std::f64::consts::FRAC_PI_2;
    use std::sync::Arc;

    /// Counts the gaps that are asked for.
    struct Counted<'s> {
        pair: &'s TurningPair<'s>,
        measured: &'s Cell<u32>,
    }

    impl Gaps for Counted<'_> {
        fn rate(&self) -> f64 {
            self.pair.rate
        }
        fn gap(&self, at: f64, enough: f64, near: &Near) -> Option<Gap> {
            self.measured.set(self.measured.get() + 1);
            self.pair.gap(at, enough, near)
        }
        fn overlapping(&self, at: f64) -> Near {
            self.pair.overlapping(at)
        }
        fn look(&self, span: [f64; 2], value: f64, near: &Near) -> Option<Look> {
            self.measured.set(self.measured.get() + 1);
            self.pair.look(span, value, near)
        }
        fn overlaps_for(&self, at: f64, gap: &Gap) -> f64 {
            self.pair.overlaps_for(at, gap)
        }
    }

    /// Gaps that are measured until a motion over a fixed floor, whose top is at y = 0, is known to come no deeper than `depth`.
    fn gaps_measured(shape: &Shape, turning: &Turning, floor: &Shape, depth: f64) -> u32 {
        let still = Turning::of(&Motion::still(Pose::IDENTITY));
        let rate = rate(shape, turning, floor, &still).unwrap();
        let pair = TurningPair::new((shape, turning), (floor, &still), rate);
        let measured = Cell::new(0);
        let counted = Counted {
            pair: &pair,
            measured: &measured,
        };
        assert_eq!(first_below(&counted, -depth.max(pair.bound), 1.0), None);
        measured.get()
    }

    /// A rod that spins 1e-5 m over a floor keeps its gap exactly. A disc that rolls there on its rim keeps it too, but its points fall
    /// by up to 0.3^2 x 0.3 h^2 / 8 m in a share h of the frame: less than the gap in 1/19 of it.
    #[test]
    fn a_body_that_spins_or_rolls_over_a_floor_takes_few_gaps() {
        let corners = [[-9.0, -9.0], [9.0, -9.0], [9.0, 9.0], [-9.0, 9.0]];
        let corners = corners.map(|[x, z]| DVec3::new(x, 0.0, z)).to_vec();
        let triangles = vec![[0, 2, 1], [0, 3, 2]];
        let floors = [
            Shape::Plane(Plane {
                normal: DVec3::Y,
                offset: 0.0,
            }),
            Shape::Triangle(Triangle {
                a: corners[0],
                b: corners[2],
                c: corners[1] * 2.0,
                facing: Facing::Both,
            }),
            Shape::Mesh(Arc::new(
                Mesh::new(corners, triangles, Facing::Both).unwrap(),
            )),
        ];
        let rod = Shape::Box {
            half_extents: DVec3::new(2.0, 0.005, 0.005),
        };
        let disc = Shape::Solid(SolidShape::Cylinder(Cylinder {
            half_height: 0.005,
            radius: 0.3,
        }));
        let upright = DQuat::from_rotation_x(FRAC_PI_2);
        let moving = |start: Pose, to: DVec3, turn: DVec3| Turning {
            motion: Motion {
                start,
                end: Pose {
                    position: start.position + to,
                    rotation: DQuat::from_scaled_axis(turn) * start.rotation,
                },
            },
            turn,
        };
        for floor in &floors {
            let low = Pose::at(DVec3::new(1.0, 0.00501, 0.5));
            let spun = moving(low, DVec3::X * 0.2, DVec3::Y * 0.3);
            let on_rim = Pose {
                position: DVec3::new(1.0, 0.30001, 0.5),
                rotation: upright,
            };
            let rolled = moving(on_rim, DVec3::X * -0.09, DVec3::Z * 0.3);
            for depth in [0.0, 4e-9, 1e-4] {
                let spinning = gaps_measured(&rod, &spun, floor, depth);
                let rolling = gaps_measured(&disc, &rolled, floor, depth);
                assert!(spinning <= 3 && rolling <= 70, "{spinning} {rolling}");
            }
        }
    }

    /// For how long a point of a small body stays in a box that turns, or that it turns in: never longer than until it leaves. In the box the point
    /// moves on a circle.
    #[test]
    fn a_point_does_not_stay_inside_longer_than_it_does() {
        let turned = |from: DVec3, turn: f64| Turning {
            motion: Motion {
                start: Pose::at(from),
                end: Pose {
                    position: from,
                    rotation: DQuat::from_rotation_z(turn),
                },
            },
            turn: DVec3::Z * turn,
        };
        let half_turn = std::f64::consts::PI;
        let tilted = DVec3::new(0.4_f64.cos(), -0.4_f64.sin(), 0.0) * 3.0;
        // Half extents of the box, its turn, the body's place and turn, the point, and when it leaves.
        for (half, turn, place, own, point, leaves) in [
            // It is 0.5 m above after a sixth of half a turn, and is inside again at the end.
            ([2.0, 0.5], 0.0, DVec3::ZERO, half_turn, DVec3::X, 1.0 / 6.0),
            ([2.0, 0.5], half_turn, DVec3::ZERO, 0.0, DVec3::X, 1.0 / 6.0),
            // From 0.4 rad before the middle of its side to 0.4 rad behind it, 3 m away: it is beyond the side where the cosine is more than 2.92 / 3.
            (
                [2.92, 4.0],
                -0.8,
                tilted,
                0.0,
                tilted,
                (0.4 - (2.92_f64 / 3.0).acos()) / 0.8,
            ),
        ] {
            let small = Shape::Box {
                half_extents: DVec3::splat(0.01),
            };
            let large = Shape::Box {
                half_extents: DVec3::new(half[0], half[1], 2.0),
            };
            let (own, other) = (turned(place, own), turned(DVec3::ZERO, turn));
            let pair = TurningPair::new((&small, &own), (&large, &other), 20.0);
            let stays = pair.stays_inside(point, [0, 1], 0.0);
            assert!(stays > 0.0 && stays <= leaves, "{stays} of {leaves}");
        }
    }

    /// Two bodies pass each other at 2 m per motion along x, while the direction across turns by a radian per motion: its part along their way grows by
    /// 2 x 2 x 1.
    #[test]
    fn a_direction_that_turns_bends_the_distance_of_what_passes() {
        let ball = Shape::Box {
            half_extents: DVec3::splat(0.01),
        };
        let passing = |from: f64| {
            let motion = Motion {
                start: Pose::at(DVec3::X * from),
                end: Pose::at(DVec3::X * -from),
            };
            Turning::of(&motion)
        };
        let (a, b) = (passing(0.5), passing(-0.5));
        let pair = TurningPair::new((&ball, &a), (&ball, &b), 2.0);
        let bend = pair.bend(DVec3::Z, DVec3::Y);
        assert!((4.0..6.0).contains(&bend), "{bend}");
    }

    /// Two bodies that tilt together, one 1e-4 m over the other, keep their gap but for the sag of the straight path, 0.6 x 0.022^2 / 8 m.
    #[test]
    fn bodies_that_turn_together_take_few_gaps() {
        let turn = DVec3::new(0.02, 0.0, 0.01);
        let (crate_shape, platform) = (DVec3::splat(0.5), DVec3::new(3.0, 0.1, 3.0));
        let moving = |position: DVec3| Turning {
            motion: Motion {
                start: Pose::at(position),
                end: Pose {
                    position: DQuat::from_scaled_axis(turn) * position,
                    rotation: DQuat::from_scaled_axis(turn),
                },
            },
            turn,
        };
        let bodies = [(crate_shape, DVec3::Y * 0.6001), (platform, DVec3::ZERO)];
        let [a, b] = bodies.map(|(half_extents, at)| (Shape::Box { half_extents }, moving(at)));
        let rate = rate(&a.0, &a.1, &b.0, &b.1).unwrap();
        let pair = TurningPair::new((&a.0, &a.1), (&b.0, &b.1), rate);
        let look = pair.look([0.0, 0.5], 0.0, &Near::All).unwrap();
        assert!(look.near.is_none());
    }
}
