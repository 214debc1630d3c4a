//! Distance of two convex cores from their support points (Gilbert, Johnson and Keerthi 1988).
//!
//! The Minkowski difference of two cores contains the origin exactly when they overlap; its point nearest to the origin is the
//! vector between their closest points. A simplex of support points moves toward the origin until no support point is nearer
//! along the vector found, by more than rounding.

use super::super::closed_form::point;
use super::super::closest_point::direction_and_length;
use super::super::operand::Operand;
use super::polish::is_round;
use super::round::{self, LESS_NEARLY};
use super::simplex::{Simplex, Vertex};
use crate::core::tolerance::{CLOSEST_POINTS_GAIN, POLYTOPE_GAIN};
use glam::DVec3;

impl Simplex {
    /// Cuts it down to the vertices that carry a point.
    fn keep(&mut self, point: Nearest, kept: u8) -> Nearest {
        let mut weights = [0.0; 4];
        let mut count = 0;
        for index in 0..self.count {
            if kept & 1 << index != 0 {
                self.vertices[count] = self.vertices[index];
                weights[count] = point.weights[index];
                count += 1;
            }
        }
        self.count = count;
        Nearest { weights, ..point }
    }
}

/// What is known of two cores.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Cores {
    Apart(Closest),
    /// They overlap, or are so near to touching that rounding decides; the simplex is near the origin.
    Touching(Simplex),
}

/// The closest points of two cores that are apart.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closest {
    /// Metres, > 0.
    pub distance: f64,
    /// What the distance is at least.
    pub least: f64,
    /// Unit, from b toward a.
    pub normal: DVec3,
    /// On a, and on b.
    pub points: [DVec3; 2],
    /// The simplex that carries them.
    pub simplex: Simplex,
    /// Support points computed.
    pub iterations: u32,
}

/// Support points after which the distance found so far is taken: some ten for polytopes, some thirty for round cores.
const MOST_ITERATIONS: u32 = 100;

/// Share of the squared distance that is left to gain below which the closest points may be found at a round part (no unit).
const NEARLY_FOUND: f64 = 0.05;

/// The closest points of two cores, relative to an origin near them. `toward` is a guess of the vector from b to a. Distances that are
/// surely more than `limit` are not refined.
pub(crate) fn closest(a: &Operand<'_>, b: &Operand<'_>, toward: DVec3, limit: f64) -> Cores {
    let guess = if toward == DVec3::ZERO {
        DVec3::X
    } else {
        toward
    };
    let mut simplex = Simplex::new(Vertex::along(a, b, -guess));
    let mut largest = simplex.vertices[0].difference.length_squared();
    let mut nearest = Nearest::at(simplex.vertices[0].difference);
    let mut iterations = 1;
    let mut least_progress = f64::INFINITY;
    // Sharp cores are found in fewer steps than a try takes.
    let mut nearly = if is_round(a) || is_round(b) {
        NEARLY_FOUND
    } else {
        0.0
    };
    loop {
        let square = nearest.vector.length_squared();
        // Nearer than rounding of the vertices: the origin is on the simplex.
        if square <= (8.0 * f64::EPSILON).powi(2) * largest {
            return Cores::Touching(simplex);
        }
        let vertex = Vertex::along(a, b, -nearest.vector);
        iterations += 1;
        let progress = square - nearest.vector.dot(vertex.difference);
        let size = vertex.difference.length_squared();
        largest = largest.max(size);
        let rounding = 2.0 * f64::EPSILON * (square * largest).sqrt();
        let known = simplex
            .vertices()
            .iter()
            .any(|v| v.difference == vertex.difference);
        // Only a plane between the origin and the whole difference proves that they are apart.
        let proven = progress < square;
        let ended = |simplex: Simplex, nearest: Nearest| {
            if proven {
                let least = (square - progress) / square.sqrt();
                Cores::Apart(nearest.closest(&simplex, iterations, least))
            } else {
                Cores::Touching(simplex)
            }
        };
        let gain = CLOSEST_POINTS_GAIN * square + rounding;
        if known
            || progress <= gain
            || iterations >= MOST_ITERATIONS
            || limit.is_finite() && limit >= 0.0 && square - progress > limit * square.sqrt()
        {
            return ended(simplex, nearest);
        }
        if progress <= nearly * square {
            nearly *= LESS_NEARLY;
            if let Some((normal, points)) = closest_at_once(a, b, simplex, nearest, largest.sqrt())
            {
                let distance = (points[0] - points[1]).dot(normal);
                return Cores::Apart(Closest {
                    distance,
                    least: distance,
                    normal,
                    points,
                    simplex,
                    iterations,
                });
            }
        }
        // Toward a vertex far aside the vector turns, by more than rounding, where its length no longer shows it.
        let turns = progress < least_progress && progress > 32.0 * gain;
        least_progress = least_progress.min(progress);
        let is_nearer = |found: &Nearest| {
            let length = found.vector.length_squared();
            let is_same = length <= square * (1.0 + 4.0 * f64::EPSILON);
            length < square || turns && is_same && found.vector != nearest.vector
        };
        simplex.push(vertex);
        match nearest_of(&simplex) {
            None => return Cores::Touching(simplex),
            Some((found, kept)) if is_nearer(&found) => nearest = simplex.keep(found, kept),
            _ => {
                // Rounding of a sliver: from the point found before straight toward the new vertex it must come nearer.
                simplex.count -= 1;
                let mut straight = Simplex::new(nearest.vertex(&simplex));
                straight.push(vertex);
                match nearest_of(&straight) {
                    Some((found, kept)) if is_nearer(&found) => {
                        simplex = straight;
                        nearest = simplex.keep(found, kept);
                    }
                    // No nearer: what was found before is the answer to rounding.
                    _ => return ended(simplex, nearest),
                }
            }
        }
    }
}

/// The normal and the closest points near a simplex, where they have a formula. Its arguments are values, so that the loop keeps its own in
/// registers.
#[inline(never)]
fn closest_at_once(
    a: &Operand<'_>,
    b: &Operand<'_>,
    simplex: Simplex,
    nearest: Nearest,
    size: f64,
) -> Option<(DVec3, [DVec3; 2])> {
    let near = nearest.vertex(&simplex);
    if let Some((normal, [point, on_core])) = from_point(near.b, b, a, size) {
        return Some((-normal, [on_core, point]));
    }
    from_point(near.a, a, b, size).or_else(|| {
        let outward = -nearest.vector.try_normalize()?;
        let found = (simplex.vertices(), &nearest.weights[..]);
        round::closest([a, b], found, outward, POLYTOPE_GAIN * size)
    })
}

/// Points of a core tried as the one that is nearest to another.
const MOST_POINTS: u32 = 3;

/// The normal toward a core, its point that is nearest to another core with a formula, and the point there: from a point near it. The plane that
/// its distance is taken from supports the other core, and proves that it is the least where it supports this one, too.
fn from_point(
    mut point: DVec3,
    core: &Operand<'_>,
    other: &Operand<'_>,
    size: f64,
) -> Option<(DVec3, [DVec3; 2])> {
    for _ in 0..MOST_POINTS {
        let found = point::nearest(point, &other.core).filter(|found| found.distance > 0.0)?;
        let next = core.support(-found.normal);
        let gain = (point - next).dot(found.normal);
        if gain <= CLOSEST_POINTS_GAIN * size {
            return Some((found.normal, [point, found.point]));
        }
        point = next;
    }
    None
}

/// The point of a simplex nearest to the origin.
#[derive(Clone, Copy, Debug)]
struct Nearest {
    /// From the origin.
    vector: DVec3,
    /// Of the simplex's vertices; they add up to 1.
    weights: [f64; 4],
}

impl Nearest {
    fn at(at: DVec3) -> Self {
        Self {
            vector: at,
            weights: [1.0, 0.0, 0.0, 0.0],
        }
    }

    /// The point itself, as a vertex inside the difference.
    fn vertex(&self, simplex: &Simplex) -> Vertex {
        let weighted = |point: fn(&Vertex) -> DVec3| {
            let vertices = simplex.vertices().iter().zip(self.weights);
            vertices
                .map(|(vertex, weight)| point(vertex) * weight)
                .sum()
        };
        Vertex {
            a: weighted(|vertex| vertex.a),
            b: weighted(|vertex| vertex.b),
            difference: self.vector,
        }
    }

    fn closest(&self, simplex: &Simplex, iterations: u32, least: f64) -> Closest {
        let (normal, distance) = direction_and_length(self.vector).unwrap_or((DVec3::Y, 0.0));
        let Vertex { a, b, .. } = self.vertex(simplex);
        Closest {
            distance,
            least,
            normal,
            points: [a, b],
            simplex: *simplex,
            iterations,
        }
    }
}

/// The point of a simplex nearest to the origin, and which vertices carry it; `None` when the origin is inside.
///
/// The last vertex brings it nearer than the others alone, so it lies on no edge or face without that vertex.
fn nearest_of(Simplex { vertices, count }: &Simplex) -> Option<Found> {
    match count {
        2 => Some(on_edge(vertices, [0, 1])),
        3 => {
            let normal = normal_of([0, 1, 2].map(|corner| vertices[corner].difference));
            let inside = on_face(vertices, [0, 1, 2], normal);
            Some(
                inside.unwrap_or_else(|| {
                    nearer(on_edge(vertices, [1, 2]), on_edge(vertices, [2, 0]))
                }),
            )
        }
        _ => on_tetrahedron(vertices),
    }
}

/// The nearest point, with weights by vertex, and which vertices carry it.
type Found = (Nearest, u8);

#[inline]
fn on_edge(vertices: &[Vertex; 4], [i, j]: [usize; 2]) -> Found {
    let (a, b) = (vertices[i].difference, vertices[j].difference);
    let ab = b - a;
    let square = ab.length_squared();
    let share = if square > 0.0 {
        -a.dot(ab) / square
    } else {
        0.0
    };
    let mut weights = [0.0; 4];
    if share <= 0.0 || share >= 1.0 {
        let end = if share <= 0.0 { i } else { j };
        weights[end] = 1.0;
        let vector = vertices[end].difference;
        return (Nearest { vector, weights }, 1 << end);
    }
    (weights[i], weights[j]) = (1.0 - share, share);
    // From the nearer end, whose coordinates lose fewer digits.
    let vector = if share <= 0.5 {
        a + ab * share
    } else {
        b - ab * (1.0 - share)
    };
    (Nearest { vector, weights }, 1 << i | 1 << j)
}

/// Inside a triangle; `None` where an edge is nearer.
#[inline]
fn on_face(vertices: &[Vertex; 4], [i, j, k]: [usize; 3], normal: DVec3) -> Option<Found> {
    let [a, b, c] = [i, j, k].map(|corner| vertices[corner].difference);
    let square = normal.length_squared();
    // Areas opposite each corner, as seen along the normal.
    let area = |from: DVec3, to: DVec3| from.cross(to - from).dot(normal);
    let (at_a, at_b, at_c) = (area(b, c), area(c, a), area(a, b));
    let sum = at_a + at_b + at_c;
    let inside = at_a >= 0.0 && at_b >= 0.0 && at_c >= 0.0;
    (inside && square > 0.0 && sum > 0.0).then(|| {
        let mut weights = [0.0; 4];
        (weights[i], weights[j], weights[k]) = (at_a / sum, at_b / sum, at_c / sum);
        // Along the normal, as the weighted sum of the corners loses digits of a small distance.
        let vector = normal * (a.dot(normal) / square);
        (Nearest { vector, weights }, 1 << i | 1 << j | 1 << k)
    })
}

/// Twice the area of a triangle as a vector, from the two shorter edges: support points of round shapes come to lie close together, and
/// long edges that are almost the same would lose the digits of the short one.
#[inline]
pub(super) fn normal_of([a, b, c]: [DVec3; 3]) -> DVec3 {
    let (ab, bc, ca) = (b - a, c - b, a - c);
    let [long_ab, long_bc, long_ca] = [ab, bc, ca].map(DVec3::length_squared);
    if long_ab >= long_bc && long_ab >= long_ca {
        bc.cross(ca)
    } else if long_bc >= long_ca {
        ca.cross(ab)
    } else {
        ab.cross(bc)
    }
}

#[inline]
fn nearer(one: Found, other: Found) -> Found {
    if other.0.vector.length_squared() < one.0.vector.length_squared() {
        other
    } else {
        one
    }
}

/// The last point is beyond the others as seen from the origin, whose face with them carries no nearest point.
fn on_tetrahedron(vertices: &[Vertex; 4]) -> Option<Found> {
    const FACES: [([usize; 3], usize); 3] = [([0, 3, 1], 2), ([0, 2, 3], 1), ([1, 3, 2], 0)];
    let mut best: Option<Found> = None;
    let mut keep = |found: Found| best = Some(best.map_or(found, |best| nearer(best, found)));
    let mut inside = true;
    // The vertices of faces of which an edge may be nearest.
    let mut edges = 0;
    for (corners, opposite) in FACES {
        let [a, b, c] = corners.map(|corner| vertices[corner].difference);
        let normal = normal_of([a, b, c]);
        let to_apex = vertices[opposite].difference - a;
        let (origin, apex) = (-a.dot(normal), to_apex.dot(normal));
        // A flat tetrahedron has no inside.
        let size = normal.length_squared() * to_apex.length_squared();
        let flat = apex * apex <= (16.0 * f64::EPSILON).powi(2) * size;
        if !flat && (origin > 0.0) == (apex > 0.0) && origin != 0.0 {
            continue;
        }
        inside = false;
        match on_face(vertices, corners, normal) {
            Some(found) => keep(found),
            None => corners.iter().for_each(|corner| edges |= 1 << corner),
        }
    }
    for end in 0..3 {
        if edges & 1 << end != 0 {
            keep(on_edge(vertices, [end, 3]));
        }
    }
    if inside { None } else { best }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Four points of a plane 1 m from the origin, whose foot is between the first three: a flat tetrahedron holds nothing, whichever way its faces turn.
    #[test]
    fn a_flat_tetrahedron_does_not_hold_the_origin() {
        for z in [1.0, -1.0] {
            for order in [[0, 1, 2], [0, 2, 1]] {
                let corners = [[2.0, 0.0, z], [-1.0, 2.0, z], [-1.0, -2.0, z]];
                let at = |[x, y, z]: [f64; 3]| {
                    let difference = DVec3::new(x, y, z);
                    Vertex {
                        a: difference,
                        b: DVec3::ZERO,
                        difference,
                    }
                };
                let [a, b, c] = order.map(|corner| at(corners[corner]));
                let found = on_tetrahedron(&[a, b, c, at([0.25, 0.25, z])]);
                let (nearest, _) = found.expect("it is outside");
                let off = nearest.vector.distance(DVec3::Z * z);
                assert!(off < 1e-12, "{z} {order:?}: {}", nearest.vector);
            }
        }
    }
}
