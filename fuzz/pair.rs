//! Two shapes, and how one moves past the other: a sweep against the distances along its path, and against itself with the bodies swapped,
//! with boxes as hulls, elsewhere, and in halves of the frame.

use hitstop::core::query::{SweepOutcome, gap, sweep};
use hitstop::prelude::{
    Capsule, Cone, ConvexHull, Cylinder, DQuat, DVec3, Facing, Motion, Pose, RoundedBox, Segment, Shape, SolidShape, Triangle,
};
use std::sync::Arc;

/// Metres by which answers may differ, of shapes of at most some 8 m: a thousand times the published bound.
const TOLERANCE: f64 = 1e-6;
/// Times within the motion at which the distance is looked at.
const SAMPLES: u32 = 32;

/// Numbers from bytes: coarse ones, so that shapes often touch or are parallel.
struct Numbers<'d>(std::slice::Iter<'d, u8>);

impl Numbers<'_> {
    fn byte(&mut self) -> Option<u8> {
        self.0.next().copied()
    }

    /// Between -4 and 4, in steps of 1/32; at times a hair aside.
    fn number(&mut self) -> Option<f64> {
        let byte = self.byte()?;
        let hair = match byte {
            7 => f64::from(self.byte()?) * 1e-12,
            _ => 0.0,
        };
        Some(f64::from(byte as i8) / 32.0 + hair)
    }

    fn length(&mut self) -> Option<f64> {
        Some(self.number()?.abs().max(0.03125))
    }

    fn point(&mut self) -> Option<DVec3> {
        Some(DVec3::new(self.number()?, self.number()?, self.number()?))
    }

    fn shape(&mut self) -> Option<Shape> {
        let lengths = |it: &mut Self| Some(DVec3::new(it.length()?, it.length()?, it.length()?));
        Some(match self.byte()? % 9 {
            0 => Shape::Sphere { radius: self.length()? },
            1 => Shape::Box { half_extents: lengths(self)? },
            2 => Shape::Segment(Segment { a: self.point()?, b: self.point()? }),
            3 => Shape::Capsule(Capsule {
                segment: Segment { a: self.point()?, b: self.point()? },
                radius: self.length()?,
            }),
            4 => Shape::Triangle(Triangle { a: self.point()?, b: self.point()?, c: self.point()?, facing: Facing::Both }),
            5 => Shape::Solid(SolidShape::Cylinder(Cylinder { half_height: self.length()?, radius: self.length()? })),
            6 => Shape::Solid(SolidShape::Cone(Cone { half_height: self.length()?, radius: self.length()? })),
            7 => Shape::Solid(SolidShape::RoundedBox(RoundedBox { half_extents: lengths(self)?, radius: self.length()? })),
            _ => {
                let count = 4 + usize::from(self.byte()? % 8);
                let corners = (0..count).map(|_| self.point()).collect::<Option<Vec<_>>>()?;
                Shape::Solid(SolidShape::Hull(Arc::new(ConvexHull::new(corners, 0.0).ok()?)))
            }
        })
    }

    fn pose(&mut self) -> Option<Pose> {
        let position = self.point()?;
        // Often without a rotation, or by a quarter turn.
        let angle = match self.byte()? {
            byte @ 0..128 => f64::from(byte % 4) * std::f64::consts::FRAC_PI_2,
            byte => f64::from(byte) / 40.0,
        };
        let axis = self.point()?.try_normalize().unwrap_or(DVec3::Y);
        Some(Pose { position, rotation: DQuat::from_axis_angle(axis, angle) })
    }
}

/// Two shapes that move without turning.
#[derive(Clone, Debug)]
struct Pair {
    shapes: [Shape; 2],
    motions: [Motion; 2],
}

impl Pair {
    fn of(numbers: &mut Numbers<'_>) -> Option<Self> {
        let mut motion = || {
            let shape = numbers.shape()?;
            let start = numbers.pose()?;
            let position = start.position + 2.0 * numbers.point()?;
            Some((shape, Motion { start, end: Pose { position, ..start } }))
        };
        let [(a, motion_a), (b, motion_b)] = [motion()?, motion()?];
        Some(Self { shapes: [a, b], motions: [motion_a, motion_b] })
    }

    fn outcome(&self) -> SweepOutcome {
        let ([a, b], [from, to]) = (&self.shapes, &self.motions);
        sweep(a, from, b, to, &mut ()).outcome
    }

    fn distance(&self, time: f64) -> f64 {
        let placed = |side: usize| {
            let Motion { start, end } = self.motions[side];
            Pose { position: start.position.lerp(end.position, time), ..start }
        };
        let (at_a, at_b) = (placed(0), placed(1));
        let gap = gap(&self.shapes[0].placed(&at_a), &self.shapes[1].placed(&at_b));
        gap.expect("two shapes that are bounded have a distance").distance
    }

    /// The deepest overlap between two times, of those that are looked at.
    fn deepest(&self, from: f64, to: f64) -> f64 {
        let times = (0..=SAMPLES).map(|number| from + (to - from) * f64::from(number) / f64::from(SAMPLES));
        times.map(|time| -self.distance(time)).fold(0.0, f64::max)
    }

    fn changed(&self, change: impl FnOnce(&mut Self)) -> Self {
        let mut other = self.clone();
        change(&mut other);
        other
    }

    /// A part of the motion.
    fn part(&self, from: f64, to: f64) -> Self {
        self.changed(|pair| {
            for motion in &mut pair.motions {
                let at = |time: f64| motion.start.position.lerp(motion.end.position, time);
                let [start, end] = [at(from), at(to)].map(|position| Pose { position, ..motion.start });
                *motion = Motion { start, end };
            }
        })
    }
}

fn as_hull(shape: &mut Shape) {
    if let Shape::Box { half_extents } = *shape {
        let corner = |number: u32| {
            let sign = |bit: u32| if number & bit == 0 { -1.0 } else { 1.0 };
            half_extents * DVec3::new(sign(1), sign(2), sign(4))
        };
        let hull = ConvexHull::new((0..8).map(corner).collect(), 0.0);
        *shape = Shape::Solid(SolidShape::Hull(Arc::new(hull.expect("a box is not flat"))));
    }
}

pub fn pair(data: &[u8]) {
    let Some(pair) = Pair::of(&mut Numbers(data.iter())) else {
        return;
    };
    let outcome = pair.outcome();
    match &outcome {
        SweepOutcome::Overlapping { .. } => {
            let distance = pair.distance(0.0);
            assert!(distance <= TOLERANCE, "they do not overlap at the start, but are {distance:e} apart: {pair:?}");
        }
        SweepOutcome::Hits(impact) => {
            let distance = pair.distance(impact.fraction);
            assert!(distance.abs() <= TOLERANCE, "a hit at {} with a distance of {distance:e}: {pair:?}", impact.fraction);
            let before = pair.deepest(0.0, impact.fraction);
            assert!(before <= TOLERANCE, "{before:e} deep before the hit at {}: {pair:?}", impact.fraction);
        }
        SweepOutcome::Grazes { .. } | SweepOutcome::Misses => {
            let deepest = pair.deepest(0.0, 1.0);
            // A touch from which they part is not a hit.
            let starts = pair.distance(0.0).abs() <= TOLERANCE;
            assert!(starts || deepest <= TOLERANCE, "{outcome:?}, but they overlap by {deepest:e}: {pair:?}");
        }
    }
    let swapped = pair.changed(|pair| {
        pair.shapes.swap(0, 1);
        pair.motions.swap(0, 1);
    });
    let hulls = pair.changed(|pair| pair.shapes.iter_mut().for_each(as_hull));
    let elsewhere = pair.changed(|pair| {
        for motion in &mut pair.motions {
            motion.start.position += DVec3::new(16.0, -8.0, 4.0);
            motion.end.position += DVec3::new(16.0, -8.0, 4.0);
        }
    });
    let touches = outcome.touches();
    let halves = [pair.part(0.0, 0.5), pair.part(0.5, 1.0)];
    let of_halves = halves.iter().any(|half| half.outcome().touches());
    for (name, other) in [
        ("swapped", swapped.outcome().touches()),
        ("as hulls", hulls.outcome().touches()),
        ("elsewhere", elsewhere.outcome().touches()),
        ("in halves", of_halves),
    ] {
        if touches != other {
            let deepest = pair.deepest(0.0, 1.0);
            assert!(deepest <= TOLERANCE, "{name} they touch: {other}, but {outcome:?}, {deepest:e} deep: {pair:?}");
        }
    }
}
