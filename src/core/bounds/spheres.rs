//! Three spheres around points: quick and loose, quick and fair, and the smallest.
//!
//! Each contains every point, rounding included. No points, or a point that is not finite, have no sphere.

use super::super::shape::Sphere;
use super::super::tolerance;
use glam::{DMat3, DVec3};

/// Centre: the mean of the points. Radius: the farthest point. Rarely the smallest.
pub fn bounding_sphere_centroid(points: &[DVec3]) -> Option<Sphere> {
    let sum: DVec3 = points.iter().sum();
    around(points, sum / points.len() as f64)
}

/// Ritter's two passes (1990): a sphere over two points that lie far apart, then grown over every point outside.
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

/// The smallest sphere, by pivoting on the farthest point (Gaertner 1999): while a point lies outside, the few points that
/// carry the sphere are chosen anew among themselves and that one (Welzl 1991: at most four carry it).
///
/// Of many points some are asked first: their sphere is nearly as large, and few points are outside it or near enough to it.
pub fn bounding_sphere_smallest(points: &[DVec3]) -> Option<Sphere> {
    let &base = points.first()?;
    // Relative to one of them, so that a small crowd far from the origin keeps its digits.
    let some: Vec<DVec3> = points
        .iter()
        .step_by(points.len() / tolerance::SMALLEST_SPHERE_SAMPLE + 1)
        .map(|&point| point - base)
        .collect();
    let mut search = Search::among(&some)?;
    if some.len() < points.len() {
        search.best_radius = f64::INFINITY;
        search.among_many(points, base)?;
    }
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
        search.pivot_among(points)?;
        Some(search)
    }

    fn pivot_among(&mut self, points: &[DVec3]) -> Option<()> {
        for _ in 0..tolerance::SMALLEST_SPHERE_PIVOTS {
            let (pivot, away) = farthest(points, DVec3::ZERO, self.ball.center)?;
            if !self.pivot(pivot, away) {
                break;
            }
        }
        Some(())
    }

    /// The same among points that are not yet relative to `base`; of them only those that matter are copied.
    fn among_many(&mut self, points: &[DVec3], base: DVec3) -> Option<()> {
        for _ in 0..tolerance::SMALLEST_SPHERE_PIVOTS {
            let ball = self.ball;
            // The farthest of each part: whichever is the farthest, the others are often outside the next ball too.
            let parts = points.chunks(points.len() / PARTS + 1);
            let parts: Option<Vec<(DVec3, f64)>> = parts
                .map(|part| farthest(part, base, ball.center))
                .collect();
            let parts = parts?;
            let farther = |a: (DVec3, f64), b: &(DVec3, f64)| if b.1 > a.1 { *b } else { a };
            let (pivot, away) = parts.iter().fold(parts[0], farther);
            if !self.pivot(pivot, away) {
                break;
            }
            let far: Vec<DVec3> = parts.into_iter().map(|(point, _)| point).collect();
            let best = (self.best, self.best_radius);
            self.pivot_among(&far)?;
            (self.best, self.best_radius) = best;
            let inner = surely_inside(&ball, away);
            if inner > ENOUGH * ball.radius {
                return self.pivot_among(&outside(points, base, ball.center, inner));
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

/// How near a ball's centre points are inside every later ball as well; negative when none need be.
///
/// Later balls are larger than this one and not larger than the farthest point is away from its centre, so that their centres
/// are within the leg of a right angle between the two (Badoiu and Clarkson 2003, lemma 2.2).
fn surely_inside(ball: &Sphere, away: f64) -> f64 {
    let leg = (away * away - ball.radius * ball.radius).max(0.0).sqrt();
    (ball.radius - leg) * tolerance::SURELY_INSIDE
}

/// Contains every point from this centre, and is a hair larger so that rounding leaves none outside.
fn around(points: &[DVec3], center: DVec3) -> Option<Sphere> {
    let (_, radius) = farthest(points, DVec3::ZERO, center)?;
    let radius = radius * (1.0 + tolerance::SPHERE_MARGIN);
    (center.is_finite() && radius.is_finite()).then_some(Sphere { center, radius })
}

/// The points outside a sphere around `from`, relative to `base` like it.
fn outside(points: &[DVec3], base: DVec3, from: DVec3, radius: f64) -> Vec<DVec3> {
    let mut outer = Vec::new();
    for some in points.chunks(256) {
        let (mut kept, mut count) = ([DVec3::ZERO; 256], 0);
        for &point in some {
            // Written always and kept where it counts: a jump would be guessed wrong too often.
            let offset = point - base;
            kept[count] = offset;
            count += usize::from(offset.distance_squared(from) > radius * radius);
        }
        outer.extend_from_slice(&kept[..count]);
    }
    outer
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

/// Share of the radius within which points must not matter before the others are copied.
const ENOUGH: f64 = 0.9;

/// Parts of many points whose farthest are looked at together.
const PARTS: usize = 64;

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
    use proptest::prelude::*;

    type Method = fn(&[DVec3]) -> Option<Sphere>;
    const METHODS: [(&str, Method); 3] = [
        ("centroid", bounding_sphere_centroid),
        ("Ritter", bounding_sphere_ritter),
        ("smallest", bounding_sphere_smallest),
    ];

    /// On a small grid, so that points coincide and lie on common lines, circles and spheres; or anywhere.
    fn point() -> impl Strategy<Value = DVec3> {
        let grid = || (-2_i32..3).prop_map(f64::from);
        prop_oneof![
            [grid(), grid(), grid()].prop_map(DVec3::from),
            [-9.0..9.0, -9.0..9.0, -9.0..9.0].prop_map(DVec3::from),
            (grid(), grid()).prop_map(|(x, y)| DVec3::new(x, y, 0.0) * 1e-3 + DVec3::splat(1e5)),
        ]
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

    proptest! {
        #[test]
        fn every_method_holds_every_point(points in prop::collection::vec(point(), 1..40)) {
            for (name, method) in METHODS {
                let sphere = method(&points).unwrap();
                for point in &points {
                    let squared = point.distance_squared(sphere.center);
                    prop_assert!(squared <= sphere.radius * sphere.radius, "{name}");
                }
            }
        }

        #[test]
        fn the_smallest_is_the_smallest(points in prop::collection::vec(point(), 1..10)) {
            let radius = bounding_sphere_smallest(&points).unwrap().radius;
            let expected = by_trying_all(&points);
            prop_assert!((radius - expected).abs() <= 1e-7 * (1.0 + expected), "{radius} {expected}");
        }
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
