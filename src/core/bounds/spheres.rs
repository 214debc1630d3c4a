//! Three spheres around points: quick and loose, quick and fair, and the smallest.
//!
//! Each contains every point, rounding included. No points, or a point that is not finite, have no sphere.

use super::super::shape::Sphere;
use super::super::tolerance;
use fearless_simd::{Level, dispatch};
use glam::{DMat3, DVec3};

/// Centre: the mean of the points. Radius: the farthest point. Rarely the smallest. `None` for no points, and where one is not
/// finite.
pub fn bounding_sphere_centroid(points: &[DVec3]) -> Option<Sphere> {
    let sum: DVec3 = points.iter().sum();
    around(points, sum / points.len() as f64)
}

/// Ritter's two passes (1990): a sphere over two points that lie far apart, then grown over every point outside.
/// `None` for no points, and where one is not finite.
pub fn bounding_sphere_ritter(points: &[DVec3]) -> Option<Sphere> {
    let &first = points.first()?;
    let (one, _) = farthest(points, DVec3::ZERO, first)?;
    let (other, distance) = farthest(points, DVec3::ZERO, one)?;
    let (mut center, mut radius) = (one.midpoint(other), distance * 0.5);
    for &point in points {
        let away = point.distance(center);
        if away > radius {
            let grown = (radius + away) * 0.5;
            center += (point - center) * ((grown - radius) / away);
            radius = grown;
        }
    }
    around(points, center)
}

/// The smallest sphere. While a point lies outside, the farthest one joins the at most four points that define the sphere, and
/// the smallest sphere over these is found anew (Gaertner 1999; Welzl 1991). `None` for no points, and where one is not finite.
///
/// Of many points a sample is tried first: its sphere is nearly as large, and few points lie outside it or near its surface.
/// The smallest sphere of those few is the smallest of all if it holds the others, too.
pub fn bounding_sphere_smallest(points: &[DVec3]) -> Option<Sphere> {
    let &base = points.first()?;
    // Relative to one of them, so that a small crowd far from the origin keeps its digits.
    let some: Vec<DVec3> = points
        .iter()
        .step_by(points.len() / tolerance::SMALLEST_SPHERE_SAMPLE + 1)
        .map(|&point| point - base)
        .collect();
    let mut search = Search::among(&some)?;
    if some.len() == points.len() {
        return around(points, base + search.best);
    }
    for _ in 0..LOOKS {
        let first = search.ball;
        let inner = first.radius * NEAR;
        if inner * inner < tolerance::SMALLEST_SQUARE {
            break;
        }
        let Some(outer) = outside(points, base, first.center, inner) else {
            break;
        };
        search.pivot_among(&outer, base)?;
        let sphere = around(&outer, base + search.best)?;
        // Is what lies within `inner` of the first centre in the sphere around the second?
        let aside = (sphere.center - base).distance(first.center);
        if inner + aside <= sphere.radius * tolerance::SURELY_INSIDE {
            return Some(sphere);
        }
    }
    search.pivot_among(points, base)?;
    around(points, base + search.best)
}

/// The smallest sphere as far as it is known.
struct Search {
    /// Through its carriers: never larger than the smallest that holds every point.
    ball: Sphere,
    carriers: Vec<DVec3>,
    /// The centre from which the farthest point was nearest, and that point's distance.
    best: DVec3,
    best_radius: f64,
}

impl Search {
    fn among(points: &[DVec3]) -> Option<Self> {
        let (first, _) = farthest(points, DVec3::ZERO, DVec3::ZERO)?;
        let mut search = Self {
            ball: Sphere {
                center: first,
                radius: 0.0,
            },
            carriers: vec![first],
            best: first,
            best_radius: f64::INFINITY,
        };
        search.pivot_among(points, DVec3::ZERO)?;
        Some(search)
    }

    /// Until it holds all the points, which become relative to `base`.
    fn pivot_among(&mut self, points: &[DVec3], base: DVec3) -> Option<()> {
        self.best_radius = f64::INFINITY;
        for _ in 0..tolerance::SMALLEST_SPHERE_PIVOTS {
            let (pivot, away) = farthest(points, base, self.ball.center)?;
            if !self.pivot(pivot, away) {
                break;
            }
        }
        Some(())
    }

    /// Takes the farthest point and its distance from the ball's centre in; false when that changes nothing any more.
    fn pivot(&mut self, pivot: DVec3, away: f64) -> bool {
        if away < self.best_radius {
            (self.best, self.best_radius) = (self.ball.center, away);
        }
        let enough = self.ball.radius * (1.0 + tolerance::SPHERE_PIVOT_SLACK);
        if away <= enough || self.carriers.contains(&pivot) {
            return false;
        }
        match carried_with(&self.carriers, pivot) {
            Some((next, chosen)) if next.radius > self.ball.radius => {
                (self.ball, self.carriers) = (next, chosen);
                true
            }
            _ => false,
        }
    }
}

/// Contains every point from this centre, and is a hair larger so that rounding leaves none outside.
fn around(points: &[DVec3], center: DVec3) -> Option<Sphere> {
    let (_, radius) = farthest(points, DVec3::ZERO, center)?;
    let radius = radius * (1.0 + tolerance::SPHERE_MARGIN);
    (center.is_finite() && radius.is_finite()).then_some(Sphere { center, radius })
}

/// The points outside a sphere around `from`, which is relative to `base`. `None` when there are none, or a number is not
/// finite.
fn outside(points: &[DVec3], base: DVec3, from: DVec3, radius: f64) -> Option<Vec<DVec3>> {
    dispatch!(Level::new(), _instructions => outside_in_lanes(points, base, from, radius))
}

#[inline(always)]
fn outside_in_lanes(points: &[DVec3], base: DVec3, from: DVec3, radius: f64) -> Option<Vec<DVec3>> {
    let (mut outer, limit) = (Vec::new(), radius * radius);
    // By the handful, without a jump for each point: few handfuls hold one that is outside.
    let (handfuls, rest) = points.as_chunks::<HANDFUL>();
    let mut sum = [0.0; HANDFUL];
    for handful in handfuls {
        let squares = handful.map(|point| (point - base).distance_squared(from));
        let mut any = false;
        for (sum, square) in sum.iter_mut().zip(squares) {
            *sum += square;
            any |= square > limit;
        }
        if any {
            let far = handful
                .iter()
                .zip(squares)
                .filter(|(_, square)| *square > limit);
            outer.extend(far.map(|(point, _)| *point));
        }
    }
    outer.extend_from_slice(rest);
    let finite = sum.iter().sum::<f64>().is_finite();
    (finite && !outer.is_empty()).then_some(outer)
}

/// The farthest point, relative to `base`, and its distance from a point that is so too; the first of equals. `None` without
/// points, or when one is not finite.
fn farthest(points: &[DVec3], base: DVec3, from: DVec3) -> Option<(DVec3, f64)> {
    let (mut found, mut most) = (0, -1.0);
    // By the handful, without a jump for each point: hardly any handful holds a new farthest.
    for (number, handful) in points.chunks(HANDFUL).enumerate() {
        let mut squares = [0.0; HANDFUL];
        for (square, point) in squares.iter_mut().zip(handful) {
            *square = (point - base).distance_squared(from);
        }
        let larger = |a: f64, b: f64| if a > b { a } else { b };
        let [a, b, c, d, e, f, g, h] = squares;
        let sum = (a + b) + (c + d) + ((e + f) + (g + h));
        let best = larger(
            larger(larger(a, b), larger(c, d)),
            larger(larger(e, f), larger(g, h)),
        );
        if !sum.is_finite() {
            return None;
        }
        if best > most {
            most = best;
            found = number * HANDFUL + squares.iter().position(|&square| square == best)?;
        }
    }
    points.get(found).map(|&point| (point - base, most.sqrt()))
}

/// Share of the radius of a first sphere within which points are hoped not to matter.
const NEAR: f64 = 0.9;

/// Looks at what is outside a sphere, each of the one before, until all points are asked.
const LOOKS: u32 = 3;

/// Points looked at together.
const HANDFUL: usize = 8;

/// The smallest sphere over the carriers and the pivot, which lies on it, and the points that carry it: every choice of
/// carriers is tried, as there are at most four.
fn carried_with(carriers: &[DVec3], pivot: DVec3) -> Option<(Sphere, Vec<DVec3>)> {
    let mut best: Option<(Sphere, Vec<DVec3>)> = None;
    for choice in 0_u32..1 << carriers.len() {
        if choice.count_ones() > 3 {
            continue;
        }
        let mut chosen = vec![pivot];
        chosen.extend(
            carriers
                .iter()
                .enumerate()
                .filter(|(index, _)| choice >> index & 1 == 1)
                .map(|(_, point)| point),
        );
        let Some(ball) = circumscribed(&chosen) else {
            continue;
        };
        let reach = ball.radius * (1.0 + tolerance::SPHERE_PIVOT_SLACK);
        let holds = carriers.iter().all(|p| p.distance(ball.center) <= reach);
        if holds && best.as_ref().is_none_or(|(b, _)| ball.radius < b.radius) {
            best = Some((ball, chosen));
        }
    }
    best
}

/// The smallest sphere with all of one to four points on it; `None` when they have none (on one line, on one circle).
///
/// With `e_i = p_i - p_0`, the centre `p_0 + x` lies in their span and has `2 e_i . x = |e_i|^2`.
fn circumscribed(points: &[DVec3]) -> Option<Sphere> {
    let base = points[0];
    let offset = match points[1..] {
        [] => DVec3::ZERO,
        [a] => (a - base) * 0.5,
        [a, b] => {
            let (a, b) = (a - base, b - base);
            let normal = a.cross(b);
            let squared = normal.length_squared();
            (b.cross(normal) * a.length_squared() + normal.cross(a) * b.length_squared())
                .checked_div(2.0 * squared)?
        }
        [a, b, c] => {
            let (a, b, c) = (a - base, b - base, c - base);
            let volume = DMat3::from_cols(a, b, c).determinant();
            (b.cross(c) * a.length_squared()
                + c.cross(a) * b.length_squared()
                + a.cross(b) * c.length_squared())
            .checked_div(2.0 * volume)?
        }
        _ => return None,
    };
    Some(Sphere {
        center: base + offset,
        radius: offset.length(),
    })
}

trait CheckedDiv: Sized {
    fn checked_div(self, by: f64) -> Option<Self>;
}

impl CheckedDiv for DVec3 {
    /// `None` instead of an answer that is not finite.
    fn checked_div(self, by: f64) -> Option<Self> {
        let quotient = self / by;
        quotient.is_finite().then_some(quotient)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Random, rounds};

    type Method = fn(&[DVec3]) -> Option<Sphere>;
    const METHODS: [(&str, Method); 3] = [
        ("centroid", bounding_sphere_centroid),
        ("Ritter", bounding_sphere_ritter),
        ("smallest", bounding_sphere_smallest),
    ];

    /// On a small grid, so that points coincide and lie on common lines, circles and spheres; or anywhere.
    fn point(random: &mut Random) -> DVec3 {
        match random.below(3) {
            0 => random.grid(2),
            1 => random.point(9.0),
            _ => random.grid(2) * DVec3::new(1e-3, 1e-3, 0.0) + DVec3::splat(1e5),
        }
    }

    /// The smallest over all choices of up to four points that carry it.
    fn by_trying_all(points: &[DVec3]) -> f64 {
        let mut best = f64::INFINITY;
        let count = points.len();
        let mut consider = |chosen: &[DVec3]| {
            if let Some(ball) = circumscribed(chosen) {
                let reach = ball.radius * (1.0 + 1e-9) + 1e-9;
                if points.iter().all(|p| p.distance(ball.center) <= reach) {
                    best = best.min(ball.radius);
                }
            }
        };
        for a in 0..count {
            consider(&[points[a]]);
            for b in 0..a {
                consider(&[points[a], points[b]]);
                for c in 0..b {
                    consider(&[points[a], points[b], points[c]]);
                    for d in 0..c {
                        consider(&[points[a], points[b], points[c], points[d]]);
                    }
                }
            }
        }
        best
    }

    #[test]
    fn every_method_holds_every_point() {
        for seed in 0..rounds(2560) {
            let mut random = Random(seed);
            let count = 1 + random.below(39);
            let points: Vec<DVec3> = (0..count).map(|_| point(&mut random)).collect();
            for (name, method) in METHODS {
                let sphere = method(&points).unwrap();
                for point in &points {
                    let squared = point.distance_squared(sphere.center);
                    let right = squared <= sphere.radius * sphere.radius;
                    assert!(right, "seed {seed}: {name}");
                }
            }
        }
    }

    #[test]
    fn the_smallest_is_the_smallest() {
        for seed in 0..rounds(2560) {
            let mut random = Random(seed);
            let count = 1 + random.below(9);
            let points: Vec<DVec3> = (0..count).map(|_| point(&mut random)).collect();
            let radius = bounding_sphere_smallest(&points).unwrap().radius;
            let expected = by_trying_all(&points);
            let off = (radius - expected).abs();
            assert!(
                off <= 1e-7 * (1.0 + expected),
                "seed {seed}: {radius} {expected}"
            );
        }
    }

    /// By adding the farthest point to a few until there is none outside.
    fn by_adding_the_farthest(points: &[DVec3]) -> f64 {
        // From one of them, as large coordinates have few digits to compare.
        let points: Vec<DVec3> = points.iter().map(|&point| point - points[0]).collect();
        let mut few = vec![points[0]];
        for _ in 0..100 {
            let center = bounding_sphere_smallest(&few).unwrap().center;
            let radius = by_trying_all(&few);
            let farthest = points
                .iter()
                .max_by(|a, b| a.distance(center).total_cmp(&b.distance(center)))
                .unwrap();
            if farthest.distance(center) <= radius * (1.0 + 1e-9) {
                return radius;
            }
            few.retain(|point| point.distance(center) >= radius * (1.0 - 1e-6));
            few.push(*farthest);
        }
        f64::NAN
    }

    /// More than are asked first; in the last crowd those lie on a line, so that one look is not enough.
    #[test]
    fn of_many_points_it_is_the_smallest() {
        let mut state = 88_172_645_463_325_252_u64;
        let mut unit = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1_u64 << 53) as f64 * 2.0 - 1.0
        };
        let mut vector = || DVec3::new(unit(), unit(), unit());
        let anywhere: Vec<DVec3> = (0..5000).map(|_| vector()).collect();
        let all = |change: &dyn Fn(usize, DVec3) -> DVec3| -> Vec<DVec3> {
            let points = anywhere.iter().enumerate();
            points.map(|(index, &point)| change(index, point)).collect()
        };
        let crowds = [
            all(&|_, p| p),
            all(&|_, p| p.normalize_or(DVec3::X) * 3.0),
            all(&|_, p| p * DVec3::new(1.0, 1e-3, 0.0)),
            all(&|index, p| p * if index == 4321 { 50.0 } else { 1.0 }),
            all(&|_, p| p + DVec3::splat(1e7)),
            all(&|_, p| p.round()),
            all(&|index, p| match (index % 10, index) {
                (0, _) => DVec3::X * p.x,
                (_, 77) => DVec3::Y * 3.0,
                _ => DVec3::Y * -0.85 + p * 0.01,
            }),
        ];
        for (number, points) in crowds.iter().enumerate() {
            let sphere = bounding_sphere_smallest(points).unwrap();
            let expected = by_adding_the_farthest(points);
            let off = (sphere.radius - expected).abs();
            assert!(
                off <= 1e-8 * expected,
                "{number}: {} {expected}",
                sphere.radius
            );
            for point in points {
                let squared = point.distance_squared(sphere.center);
                assert!(squared <= sphere.radius * sphere.radius, "{number}");
            }
        }
        let mut bad = anywhere.clone();
        bad[4003] = DVec3::new(0.0, f64::NAN, 0.0);
        assert_eq!(bounding_sphere_smallest(&bad), None);
        let tiny: Vec<DVec3> = anywhere.iter().map(|&point| point * 1e-145).collect();
        let sphere = bounding_sphere_smallest(&tiny).unwrap();
        let outside = |p: &&DVec3| p.distance(sphere.center) > sphere.radius;
        assert_eq!(tiny.iter().find(outside), None);
    }

    #[test]
    fn known_spheres() {
        let corners: Vec<DVec3> = (0..8)
            .map(|i| {
                DVec3::new(
                    f64::from(i & 1),
                    f64::from(i >> 1 & 1),
                    f64::from(i >> 2 & 1),
                )
            })
            .collect();
        let half_diagonal = 0.75_f64.sqrt();
        for (name, method) in METHODS {
            let radius = method(&corners).unwrap().radius;
            assert!((radius - half_diagonal).abs() < 1e-12, "{name} {radius}");
        }
        let right_angle = [DVec3::ZERO, DVec3::X * 3.0, DVec3::Y * 4.0];
        let sphere = bounding_sphere_smallest(&right_angle).unwrap();
        assert!((sphere.radius - 2.5).abs() < 1e-12);
        assert!((sphere.center - DVec3::new(1.5, 2.0, 0.0)).length() < 1e-12);
    }

    #[test]
    fn degenerate_points_have_spheres_and_bad_points_none() {
        for (name, method) in METHODS {
            assert_eq!(method(&[]), None, "{name}");
            assert_eq!(method(&[DVec3::NAN, DVec3::X]), None, "{name}");
            assert_eq!(method(&[DVec3::X, DVec3::INFINITY]), None, "{name}");
            let sphere = method(&[DVec3::X; 5]).unwrap();
            assert_eq!((sphere.center, sphere.radius), (DVec3::X, 0.0), "{name}");
        }
    }
}
