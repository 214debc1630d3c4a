//! A polygon cut into triangles.

use glam::{DVec2, DVec3};

/// Appends the triangles of a polygon, whose corners index `vertices`, keeping its winding.
///
/// Convex polygons become a fan around their first corner; concave ones lose one ear after another (Ericson 2005, 12.5.2), seen
/// along their normal (Newell's: the sum over all edges). What has no such cut, as it crosses itself or has no area, becomes a
/// fan as well.
pub(super) fn triangulate(vertices: &[DVec3], corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    if let [a, b, c] = *corners {
        triangles.push([a, b, c]);
        return;
    }
    let points: Vec<_> = corners
        .iter()
        .map(|index| vertices[*index as usize])
        .collect();
    let flat = flatten(&points);
    let start = triangles.len();
    // Ears cost the square of the corners; polygons of thousands of corners are fanned instead of hanging.
    if is_convex(&flat) || corners.len() > 4096 || !clip_ears(&flat, corners, triangles) {
        triangles.truncate(start);
        let fan = corners[1..].windows(2);
        triangles.extend(fan.map(|edge| [corners[0], edge[0], edge[1]]));
    }
}

/// The corners seen along the polygon's normal, counter-clockwise.
fn flatten(points: &[DVec3]) -> Vec<DVec2> {
    let origin = points.first().copied().unwrap_or_default();
    let next = points.iter().cycle().skip(1);
    let normal: DVec3 = points
        .iter()
        .zip(next)
        .map(|(a, b)| (*a - origin).cross(*b - origin))
        .sum();
    let size = normal.abs();
    // Drop the largest axis of the normal, and keep the turn.
    points
        .iter()
        .map(|point| {
            let p = *point - origin;
            let (flat, sign) = if size.x >= size.y && size.x >= size.z {
                (DVec2::new(p.y, p.z), normal.x)
            } else if size.y >= size.z {
                (DVec2::new(p.z, p.x), normal.y)
            } else {
                (DVec2::new(p.x, p.y), normal.z)
            };
            if sign < 0.0 {
                DVec2::new(-flat.x, flat.y)
            } else {
                flat
            }
        })
        .collect()
}

/// Twice the signed area of a triangle, positive counter-clockwise.
fn turn(a: DVec2, b: DVec2, c: DVec2) -> f64 {
    (b - a).perp_dot(c - a)
}

/// Turns left (or not) at every corner, and around once only: the fan's triangles are all counter-clockwise too.
fn is_convex(flat: &[DVec2]) -> bool {
    let count = flat.len();
    let at = |index: usize| flat[index % count];
    (0..count).all(|i| turn(at(i), at(i + 1), at(i + 2)) >= 0.0)
        && (1..count - 1).all(|i| turn(at(0), at(i), at(i + 1)) >= 0.0)
}

/// False when no ear can be found before the end.
fn clip_ears(flat: &[DVec2], corners: &[u32], triangles: &mut Vec<[u32; 3]>) -> bool {
    let mut left: Vec<usize> = (0..flat.len()).collect();
    while left.len() > 3 {
        let count = left.len();
        let ear = (0..count).find(|&i| {
            let [a, b, c] = [
                left[(i + count - 1) % count],
                left[i],
                left[(i + 1) % count],
            ];
            turn(flat[a], flat[b], flat[c]) > 0.0
                && left.iter().all(|&other| {
                    let p = flat[other];
                    // Corners at the same place (a bridge to a hole) do not block.
                    [flat[a], flat[b], flat[c]].contains(&p)
                        || turn(flat[a], flat[b], p) < 0.0
                        || turn(flat[b], flat[c], p) < 0.0
                        || turn(flat[c], flat[a], p) < 0.0
                })
        });
        let Some(i) = ear else { return false };
        let [a, c] = [left[(i + count - 1) % count], left[(i + 1) % count]];
        triangles.push([corners[a], corners[left[i]], corners[c]]);
        left.remove(i);
    }
    triangles.push([corners[left[0]], corners[left[1]], corners[left[2]]]);
    true
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
                triangulate(&vertices, &order, &mut triangles);
                assert_eq!(triangles.len(), corners.len() - 2, "{name}");
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
    }

    #[test]
    fn what_has_no_area_still_gives_triangles() {
        let line = [DVec3::ZERO, DVec3::X, DVec3::X * 2.0, DVec3::X * 3.0];
        let mut triangles = Vec::new();
        triangulate(&line, &[0, 1, 2, 3], &mut triangles);
        assert_eq!(triangles.len(), 2);
    }
}
