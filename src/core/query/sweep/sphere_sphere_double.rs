//! Two swept spheres with twice the digits: what the quick form leaves open is nearly always told here.

use crate::core::query::exact::{DOUBLE_NOISE, Double, DoubleVector, Verdict};
use crate::core::shape::Sphere;
use glam::DVec3;

/// The outcome as [`ExactSweep::verdict`](crate::core::query::exact::ExactSweep::verdict) gives it; `None` where even so many
/// digits do not tell (an exact touch). The squares of all lengths must be in the range of the quick form.
pub(super) fn decided_with_twice_the_digits(
    first: (&Sphere, DVec3),
    second: (&Sphere, DVec3),
) -> Option<Verdict> {
    let between = DoubleVector::difference(second.0.center, first.0.center);
    let step = DoubleVector::difference(second.1, first.1);
    let reach = Double::sum(first.0.radius, second.0.radius);
    let (far, square) = (between.dot(&between), reach.times(reach));
    let (a, b, c) = (step.dot(&step), between.dot(&step), far.minus(square));
    let size = far.high + square.high;
    let across = (far.high * a.high).sqrt();
    if !is_sure(c, size) {
        return None;
    }
    if c.high < 0.0 {
        return Some(Verdict::Overlapping);
    }
    if a.high == 0.0 {
        return Some(Verdict::Receding);
    }
    if !is_sure(b, across) {
        return None;
    }
    if b.high > 0.0 {
        return Some(Verdict::Receding);
    }
    let along = a.plus(b);
    let at_end = along.plus(b.plus(c));
    let discriminant = b.times(b).minus(a.times(c));
    let hits = || {
        let fraction = c.high / (discriminant.high.max(0.0).sqrt() - b.high);
        Verdict::Hits(fraction.clamp(0.0, 1.0_f64.next_down()))
    };
    if !is_sure(at_end, 2.0 * (size + a.high)) {
        return None;
    }
    if at_end.high < 0.0 {
        return Some(hits());
    }
    if !is_sure(along, a.high + across) {
        return None;
    }
    if along.high < 0.0 {
        return Some(Verdict::Later);
    }
    if !is_sure(discriminant, 2.0 * a.high * size) {
        return None;
    }
    if discriminant.high > 0.0 {
        return Some(hits());
    }
    // The least distance less the reach, from the difference of their squares.
    let beyond = -discriminant.high / a.high;
    let by = beyond / ((square.high + beyond).sqrt() + reach.high);
    Some(Verdict::Misses(by.max(f64::MIN_POSITIVE)))
}

fn is_sure(value: Double, size: f64) -> bool {
    value.high.abs() > DOUBLE_NOISE * size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::query::exact::{ExactSweep, exact_point};
    use crate::random::{Random, rounds};

    /// A pair that touches at its start, at its end or between, but for a few last places: two centres with their displacements, and radii.
    fn touching(random: &mut Random) -> ([DVec3; 4], [f64; 2]) {
        let (center, out) = (random.point(1e3), random.direction());
        let (other, step) = (random.point(2.0), random.point(5.0));
        let radii = [(); 2].map(|()| random.range(0.1, 2.0));
        let kind = random.index(3);
        let out = match kind {
            // Square to the displacement: a graze.
            2 => out.cross(step).try_normalize().unwrap_or(out),
            _ => out,
        };
        let at = [0.0, 1.0, random.unit()][kind];
        let second = center + out * (radii[0] + radii[1]) - step * at;
        ([center, other, second, other + step], radii)
    }

    #[test]
    fn twice_the_digits_decide_as_exact_arithmetic_does() {
        for seed in 0..rounds(20_000) {
            let ([center, d, second, e], [a, b]) = touching(&mut Random(seed));
            let one = Sphere { center, radius: a };
            let other = Sphere {
                center: second,
                radius: b,
            };
            let found = decided_with_twice_the_digits((&one, d), (&other, e));
            let found = found.expect("no two of these touch exactly");
            let exact = ExactSweep::new(exact_point(center, second), d, e, [a, b]).verdict();
            let near = |x: f64, y: f64| (x - y).abs() <= 1e-12 * y.abs() + 1e-300;
            let same = match (found, exact) {
                (Verdict::Misses(x), Verdict::Misses(y)) => near(x, y),
                (Verdict::Hits(x), Verdict::Hits(y)) => near(x, y),
                (found, exact) => found == exact,
            };
            assert!(same, "seed {seed}: {found:?} {exact:?}");
        }
    }
}
