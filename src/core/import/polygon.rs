//! Triangulation of a polygon by `earcut`.

use crate::core::tolerance::MAX_CUT_CORNERS;
use earcut::{Earcut, deviation};
use glam::DVec3;
use std::collections::BTreeMap;

/// A face is cut well when its triangles have its area to this share of it.
///
/// No unit. Areas of thousands of triangles round to 1e-12; larger, and a face could miss a triangle that a ball fits
/// through.
const CUT_SHARE: f64 = 1e-9;

/// Appends the triangles of a polygon, whose corners index `vertices`, keeping its winding.
///
/// A fan around the first corner where that covers the polygon, as for every convex one; else earcut along its normal.
/// Self-intersecting or empty polygons become a fan as well. False, and nothing appended, where it has too many corners.
pub(super) fn triangulate(
    vertices: &[DVec3],
    corners: &[u32],
    triangles: &mut Vec<[u32; 3]>,
) -> bool {
    if let [a, b, c] = *corners {
        triangles.push([a, b, c]);
        return true;
    }
    let flat = flatten(corners.iter().map(|index| vertices[*index as usize]));
    let mut cut: Vec<u32> = Vec::new();
    if !is_covered_by_its_fan(&flat) {
        if corners.len() > MAX_CUT_CORNERS {
            return false;
        }
        Earcut::new().earcut_slice(&flat, &[], &mut cut);
        let covers = deviation(flat.iter().copied(), &[], &cut) <= CUT_SHARE;
        if !covers {
            cut.clear();
        }
    }
    if cut.is_empty() {
        let fan = corners[1..].windows(2);
        triangles.extend(fan.map(|edge| [corners[0], edge[0], edge[1]]));
    } else {
        let mut cut = cut.as_chunks::<3>().0.to_vec();
        close(corners.len(), &mut cut);
        triangles.extend(cut.iter().map(|t| t.map(|at| corners[at as usize])));
    }
    true
}

/// Adds triangles so that each edge of the outline of `count` corners is in one triangle, and each other edge in two.
///
/// Earcut leaves out corners on an edge between two others. In a bent face they lie beside it: without them there is a hole.
fn close(count: usize, cut: &mut Vec<[u32; 3]>) {
    let count = count as u32;
    let mut open: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let of_cut = cut.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let outline = (0..count).map(|at| [(at + 1) % count, at]);
    for [from, to] in of_cut.chain(outline) {
        let back = open
            .get_mut(&to)
            .map(|ends| (ends.iter().position(|end| *end == from), ends));
        match back {
            Some((Some(at), ends)) => drop(ends.swap_remove(at)),
            _ => open.entry(from).or_default().push(to),
        }
    }
    // As many edges leave a corner as reach it, so that they are loops.
    while let Some((&start, _)) = open.iter().find(|(_, ends)| !ends.is_empty()) {
        let mut hole = vec![start];
        let mut at = start;
        while let Some(next) = open.get_mut(&at).and_then(Vec::pop)
            && next != start
        {
            hole.push(next);
            at = next;
        }
        hole.reverse();
        let fan = hole[1..].windows(2);
        cut.extend(fan.map(|edge| [hole[0], edge[0], edge[1]]));
        open.retain(|_, ends| !ends.is_empty());
    }
}

/// The corners projected along the polygon's normal (Newell's: the sum over all edges), counter-clockwise, from the first one.
///
/// The largest axis of the normal is dropped rather than turned away, so that the coordinates stay exact.
fn flatten(points: impl Iterator<Item = DVec3>) -> Vec<[f64; 2]> {
    let points: Vec<_> = points.collect();
    let from_first: Vec<_> = points.iter().map(|point| *point - points[0]).collect();
    let edges = from_first.iter().zip(from_first.iter().cycle().skip(1));
    let normal: DVec3 = edges.map(|(a, b)| a.cross(*b)).sum();
    let axis = normal.abs().max_position();
    let [x, y] = [(axis + 1) % 3, (axis + 2) % 3];
    let side = 1.0_f64.copysign(normal[axis]);
    from_first.iter().map(|p| [p[x] * side, p[y]]).collect()
}

/// Whether no triangle of the fan is flipped, so that the fan is the polygon.
fn is_covered_by_its_fan(flat: &[[f64; 2]]) -> bool {
    // The first corner is the origin.
    let mut edges = flat[1..].windows(2);
    edges.all(|edge| edge[0][0] * edge[1][1] >= edge[0][1] * edge[1][0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(vertices: &[DVec3], triangles: &[[u32; 3]]) -> f64 {
        let each = triangles.iter().map(|triangle| {
            let [a, b, c] = triangle.map(|index| vertices[index as usize]);
            (b - a).cross(c - a).length() * 0.5
        });
        each.sum()
    }

    fn check(name: &str, corners: &[[f64; 2]], expected_area: f64) {
        // In each of the three planes, and from both sides.
        for plane in 0..3 {
            for flip in [false, true] {
                let vertices: Vec<_> = corners
                    .iter()
                    .map(|[x, y]| match plane {
                        0 => DVec3::new(*x, *y, 5.0),
                        1 => DVec3::new(5.0, *x, *y),
                        _ => DVec3::new(*y, 5.0, *x),
                    })
                    .collect();
                let mut order: Vec<_> = (0..corners.len() as u32).collect();
                if flip {
                    order.reverse();
                }
                let mut triangles = Vec::new();
                assert!(triangulate(&vertices, &order, &mut triangles));
                assert_eq!(triangles.len(), corners.len() - 2, "{name}");
                let normal = |[a, b, c]: [u32; 3]| {
                    let [a, b, c] = [a, b, c].map(|index| vertices[index as usize]);
                    (b - a).cross(c - a)
                };
                let front = [DVec3::Z, DVec3::X, DVec3::Y][plane] * if flip { -1.0 } else { 1.0 };
                let turned = triangles.iter().filter(|t| normal(**t).dot(front) < 0.0);
                assert_eq!(turned.count(), 0, "{name} keeps its winding");
                // Every triangle covers area of the polygon once: the sum of absolute areas is the polygon's own.
                let got = area(&vertices, &triangles);
                assert!(
                    (got - expected_area).abs() < 1e-12,
                    "{name} {plane} {flip}: {got}"
                );
            }
        }
    }

    #[test]
    fn areas_are_those_of_the_polygon() {
        check(
            "square",
            &[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
            1.0,
        );
        let el = [
            [2.0, 1.0],
            [1.0, 1.0],
            [1.0, 2.0],
            [0.0, 2.0],
            [0.0, 0.0],
            [2.0, 0.0],
        ];
        check("an L", &el, 3.0);
        let arrow = [[0.0, 0.0], [2.0, 1.0], [0.0, 2.0], [1.0, 1.0]];
        check("an arrow head, concave quad", &arrow, 1.0);
        let straight = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        check("a corner on a straight edge", &straight, 4.0);
        let ring = [
            [0.0, 0.0],
            [4.0, 0.0],
            [4.0, 4.0],
            [0.0, 4.0],
            [0.0, 0.0],
            [1.0, 1.0],
            [1.0, 3.0],
            [3.0, 3.0],
            [3.0, 1.0],
            [1.0, 1.0],
        ];
        check("a square hole, reached over a bridge", &ring, 12.0);
    }

    /// Corners on an edge of the projection that lie beside it in space: each edge of the outline is in one triangle, each other in two.
    #[test]
    fn bent_and_concave_faces_keep_every_corner() {
        let mut random = 1_u32;
        for round in 0..300 {
            let mut next = |count: u32| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (random >> 8) % count
            };
            // A star on a coarse grid: many corners lie on lines between others.
            let count = 5 + next(12);
            let vertices: Vec<DVec3> = (0..count)
                .map(|index| {
                    let (sin, cos) =
                        (std::f64::consts::TAU * f64::from(index) / f64::from(count)).sin_cos();
                    let radius = f64::from(2 + next(4));
                    DVec3::new(
                        (cos * radius).round(),
                        (sin * radius).round(),
                        f64::from(next(3)),
                    )
                })
                .collect();
            let corners: Vec<u32> = (0..count).collect();
            let mut triangles = Vec::new();
            assert!(triangulate(&vertices, &corners, &mut triangles));
            let mut edges = BTreeMap::new();
            for [a, b, c] in triangles {
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    *edges.entry((from, to)).or_insert(0) += 1;
                    *edges.entry((to, from)).or_insert(0) -= 1;
                }
            }
            edges.retain(|_, sum| *sum > 0);
            let outline = (0..count).map(|at| ((at, (at + 1) % count), 1));
            assert_eq!(edges, outline.collect(), "round {round}: {vertices:?}");
        }
    }

    #[test]
    fn faces_without_area_still_give_triangles() {
        let line = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::X * 3.0];
        let mut triangles = Vec::new();
        assert!(triangulate(&line, &[0, 1, 2, 3], &mut triangles));
        assert_eq!(triangles.len(), 2);
    }

    #[test]
    fn self_intersecting_faces_become_fans() {
        let bow = [
            DVec3::ZERO,
            DVec3::X,
            DVec3::Y * 3.0,
            DVec3::new(1.0, 1.0, 0.0),
        ];
        let mut triangles = Vec::new();
        assert!(triangulate(&bow, &[0, 1, 2, 3], &mut triangles));
        assert_eq!(triangles, [[0, 1, 2], [0, 2, 3]]);
    }

    /// A star has an ear at every point and no fan: every second corner is a dent.
    #[test]
    fn the_largest_faces_are_cut_too() {
        let count = MAX_CUT_CORNERS;
        let step = std::f64::consts::TAU / count as f64;
        let vertices: Vec<_> = (0..count)
            .map(|index| {
                let radius = if index % 2 == 0 { 1.0 } else { 0.5 };
                let (sin, cos) = (index as f64 * step).sin_cos();
                DVec3::new(cos, sin, 0.0) * radius
            })
            .collect();
        let corners: Vec<_> = (0..count as u32).collect();
        let mut triangles = Vec::new();
        assert!(triangulate(&vertices, &corners, &mut triangles));
        assert_eq!(triangles.len(), count - 2);
        // As many triangles between neighbours and the centre as corners, of half the product of both radii each.
        let expected = 0.25 * step.sin() * count as f64;
        assert!((area(&vertices, &triangles) - expected).abs() < 1e-9);
    }
}
