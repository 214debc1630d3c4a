//! Outlines and lines cut by a convex outline.

use glam::DVec2;

/// On which side of the edge from `a` to `b` of an outline that turns to the left a point is: >= 0 inside.
fn side(a: DVec2, b: DVec2, point: DVec2) -> f64 {
    (b - a).perp_dot(point - a)
}

/// Where the segment `p`, `q` crosses a line, of which the two have these sides.
fn crossing((p, at_p): (DVec2, f64), (q, at_q): (DVec2, f64)) -> DVec2 {
    p + (q - p) * (at_p / (at_p - at_q))
}

/// The part of a closed outline inside a convex one that turns to the left (Sutherland and Hodgman, 1974); empty when there is none.
pub fn clip_outline(outline: &[DVec2], convex: &[DVec2]) -> Vec<DVec2> {
    let mut rest = outline.to_vec();
    for (index, a) in convex.iter().enumerate() {
        let b = convex[(index + 1) % convex.len()];
        let sides: Vec<f64> = rest.iter().map(|point| side(*a, b, *point)).collect();
        if sides.iter().all(|side| *side >= 0.0) {
            continue;
        }
        let mut cut = Vec::with_capacity(rest.len() + 2);
        for (place, point) in rest.iter().enumerate() {
            let before = (place + rest.len() - 1) % rest.len();
            if (sides[before] >= 0.0) != (sides[place] >= 0.0) {
                cut.push(crossing(
                    (rest[before], sides[before]),
                    (*point, sides[place]),
                ));
            }
            if sides[place] >= 0.0 {
                cut.push(*point);
            }
        }
        rest = cut;
    }
    rest
}

/// The part of a segment inside a convex outline that turns to the left (Cyrus and Beck, 1978).
pub fn clip_segment(mut p: DVec2, mut q: DVec2, convex: &[DVec2]) -> Option<[DVec2; 2]> {
    for (index, a) in convex.iter().enumerate() {
        let b = convex[(index + 1) % convex.len()];
        let (at_p, at_q) = (side(*a, b, p), side(*a, b, q));
        match (at_p >= 0.0, at_q >= 0.0) {
            (true, true) => {}
            (false, false) => return None,
            (true, false) => q = crossing((p, at_p), (q, at_q)),
            (false, true) => p = crossing((p, at_p), (q, at_q)),
        }
    }
    Some([p, q])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [DVec2; 4] = [
        DVec2::new(0.0, 0.0),
        DVec2::new(1.0, 0.0),
        DVec2::new(1.0, 1.0),
        DVec2::new(0.0, 1.0),
    ];

    fn area(outline: &[DVec2]) -> f64 {
        let next = outline.iter().cycle().skip(1);
        let twice: f64 = outline.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum();
        0.5 * twice
    }

    #[test]
    fn an_outline_keeps_the_area_inside() {
        let moved = |by: DVec2, size: f64| SQUARE.map(|corner| corner * size + by);
        for (outline, wanted) in [
            (moved(DVec2::splat(0.25), 0.5), 0.25),
            (moved(DVec2::splat(-1e9), 2e9), 1.0),
            (moved(DVec2::new(0.5, 0.25), 1.0), 0.375),
            (moved(DVec2::splat(2.0), 1.0), 0.0),
        ] {
            let found = area(&clip_outline(&outline, &SQUARE));
            assert!((found - wanted).abs() < 1e-6, "{found} {wanted}");
        }
    }

    #[test]
    fn a_segment_keeps_the_part_inside() {
        let cut = clip_segment(DVec2::new(-1.0, 0.5), DVec2::new(3.0, 0.5), &SQUARE);
        assert_eq!(cut, Some([DVec2::new(0.0, 0.5), DVec2::new(1.0, 0.5)]));
        let miss = clip_segment(DVec2::new(-1.0, 0.5), DVec2::new(0.5, 2.5), &SQUARE);
        assert_eq!(miss, None);
    }
}
