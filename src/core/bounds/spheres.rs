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
    let (one, _) = farthest(points, first)?;
    let (other, distance) = farthest(points, one)?;
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
pub fn bounding_sphere_smallest(points: &[DVec3]) -> Option<Sphere> {
    let &base = points.first()?;
    // Relative to one of them, so that a small crowd far from the origin keeps its digits.
    let offsets: Vec<DVec3> = points.iter().map(|&point| point - base).collect();
    around(points, base + smallest_center(&offsets)?)
}

fn smallest_center(points: &[DVec3]) -> Option<DVec3> {
    let (first, _) = farthest(points, DVec3::ZERO)?;
    let mut carriers = vec![first];
    let mut ball = Sphere {
        center: first,
        radius: 0.0,
    };
    let (mut best, mut best_radius) = (ball.center, f64::INFINITY);
    for _ in 0..tolerance::SMALLEST_SPHERE_PIVOTS {
        let (pivot, away) = farthest(points, ball.center)?;
        if away < best_radius {
            (best, best_radius) = (ball.center, away);
        }
        let enough = ball.radius * (1.0 + tolerance::SPHERE_PIVOT_SLACK);
        if away <= enough || carriers.contains(&pivot) {
            break;
        }
        match carried_with(&carriers, pivot) {
            Some((next, chosen)) if next.radius > ball.radius => (ball, carriers) = (next, chosen),
            _ => break,
        }
    }
    Some(best)
}

/// Contains every point from this centre, and is a hair larger so that rounding leaves none outside.
fn around(points: &[DVec3], center: DVec3) -> Option<Sphere> {
    let (_, radius) = farthest(points, center)?;
    let radius = radius * (1.0 + tolerance::SPHERE_MARGIN);
    (center.is_finite() && radius.is_finite()).then_some(Sphere { center, radius })
}

fn farthest(points: &[DVec3], from: DVec3) -> Option<(DVec3, f64)> {
    let mut found: Option<(DVec3, f64)> = None;
    for &point in points {
        let away = point.distance_squared(from);
        if !away.is_finite() {
            return None;
        }
        if found.is_none_or(|(_, most)| away > most) {
            found = Some((point, away));
        }
    }
    found.map(|(point, away)| (point, away.sqrt()))
}

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
