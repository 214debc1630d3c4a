//! Polygons of the plane as few convex parts.

use earcut::{Earcut, deviation};
use glam::DVec2;

/// An outline is cut into triangles well when they have its area to this share of it (no unit). Rounding is below; larger, and a corner is lost.
const CUT_SHARE: f64 = 1e-9;

fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - b)
}

/// The corners of the convex parts of a polygon, counter-clockwise.
pub(super) fn convex_parts(points: &[DVec2]) -> Result<Vec<Vec<usize>>, String> {
    let count = points.len();
    let next = |corner: usize| (corner + 1) % count;
    // From the first corner, so that areas far from the origin keep their digits.
    let area: f64 = (1..count)
        .map(|corner| (points[corner] - points[0]).perp_dot(points[next(corner)] - points[0]))
        .sum();
    let mut order: Vec<usize> = (0..count).collect();
    if area < 0.0 {
        order.reverse();
    }
    if is_convex(points, &order) {
        return Ok(vec![order]);
    }
    let outline: Vec<[f64; 2]> = order
        .iter()
        .map(|corner| (points[*corner] - points[0]).to_array())
        .collect();
    let mut cut: Vec<u32> = Vec::new();
    Earcut::new().earcut_slice(&outline, &[], &mut cut);
    if cut.is_empty() || deviation(outline.iter().copied(), &[], &cut) > CUT_SHARE {
        return Err("the outline of the polygon crosses itself, or has no area".into());
    }
    let triangles = cut.as_chunks::<3>().0.iter().map(|triangle| {
        let mut corners = triangle.map(|at| order[at as usize]).to_vec();
        let [a, b, c] = [0, 1, 2].map(|at| points[corners[at]]);
        if turn(a, b, c) < 0.0 {
            corners.reverse();
        }
        corners
    });
    Ok(joined(points, triangles.collect()))
}

/// Whether corners go around once, turning left or straight on at each (Hertel and Mehlhorn join triangles while this holds).
fn is_convex(points: &[DVec2], corners: &[usize]) -> bool {
    let count = corners.len();
    let at = |index: usize| points[corners[index % count]];
    let turns = (0..count).map(|index| turn(at(index), at(index + 1), at(index + 2)));
    let angles = (0..count).map(|index| {
        let (one, other) = (at(index + 1) - at(index), at(index + 2) - at(index + 1));
        one.perp_dot(other).atan2(one.dot(other))
    });
    turns.clone().all(|turn| turn >= 0.0)
        && turns.clone().any(|turn| turn > 0.0)
        && angles.sum::<f64>() < 3.0 * std::f64::consts::PI
}

/// Joins convex parts across the edges that two share, as long as the whole is convex.
fn joined(points: &[DVec2], mut parts: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut index = 0;
    while index < parts.len() {
        let grown = (index + 1..parts.len()).find_map(|other| {
            let whole = across(&parts[index], &parts[other])?;
            is_convex(points, &whole).then_some((other, whole))
        });
        match grown {
            Some((other, whole)) => {
                parts[index] = whole;
                parts.remove(other);
            }
            None => index += 1,
        }
    }
    parts
}

/// Two loops that share an edge as one loop without it.
fn across(one: &[usize], other: &[usize]) -> Option<Vec<usize>> {
    let edge = |corners: &[usize], at: usize| [corners[at], corners[(at + 1) % corners.len()]];
    let (mine, theirs) = (0..one.len()).find_map(|mine| {
        let [a, b] = edge(one, mine);
        let theirs = (0..other.len()).find(|theirs| edge(other, *theirs) == [b, a])?;
        Some((mine, theirs))
    })?;
    let after = |corners: &[usize], at: usize| {
        let (before, rest) = corners.split_at((at + 1) % corners.len());
        [rest, before].concat()
    };
    // From the end of the shared edge around to its start, then the other's corners between.
    let mut whole = after(one, mine);
    let between = after(other, theirs);
    whole.extend(&between[1..between.len() - 1]);
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(points: &[DVec2], corners: &[usize]) -> f64 {
        let first = points[corners[0]];
        let edges = corners[1..].windows(2);
        edges
            .map(|edge| 0.5 * (points[edge[0]] - first).perp_dot(points[edge[1]] - first))
            .sum()
    }

    #[test]
    fn a_concave_outline_is_cut_into_few_convex_parts_with_its_area() {
        let letter = |corners: &[[f64; 2]]| -> Vec<DVec2> {
            corners
                .iter()
                .map(|corner| DVec2::from_array(*corner))
                .collect()
        };
        let (l, star, square) = (
            letter(&[
                [0.0, 0.0],
                [3.0, 0.0],
                [3.0, 1.0],
                [1.0, 1.0],
                [1.0, 2.0],
                [0.0, 2.0],
            ]),
            letter(&[
                [0.0, 3.0],
                [-1.0, 1.0],
                [-3.0, 0.0],
                [-1.0, -1.0],
                [0.0, -3.0],
                [1.0, -1.0],
                [3.0, 0.0],
                [1.0, 1.0],
            ]),
            letter(&[[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [2.0, 2.0], [0.0, 2.0]]),
        );
        for (outline, whole, most) in [(l, 4.0, 2), (star, 12.0, 5), (square, 4.0, 1)] {
            for is_reversed in [false, true] {
                let mut outline = outline.clone();
                if is_reversed {
                    outline.reverse();
                }
                let parts = convex_parts(&outline).unwrap();
                assert!(parts.len() <= most, "{parts:?}");
                assert!(parts.iter().all(|part| is_convex(&outline, part)));
                let filled: f64 = parts.iter().map(|part| area(&outline, part)).sum();
                assert!((filled - whole).abs() < 1e-12, "{filled}");
            }
        }
        let bow = letter(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]);
        assert!(convex_parts(&bow).is_err());
        let twice = letter(&[
            [0.0, 0.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [0.0, 0.0],
            [1.0, 0.0],
            [0.0, 1.0],
        ]);
        assert!(!is_convex(&twice, &[0, 1, 2, 3, 4, 5]));
    }
}
