//! Where a straight motion brings two convex shapes together: the line of the motion against their Minkowski difference.
//!
//! Moved by `fraction * displacement`, the first touches the second when the point `-fraction * displacement` lies in the difference. Seen along
//! the motion, three support points around the line prove that it passes through; else a plane along the motion separates. One of the
//! three is then replaced by a support point beyond their plane, until there is none (portal refinement, Snethen 2008): a finite search for
//! sharp shapes. At a round part, Newton's method takes over on the vertices and rims that the three points lie on.
//!
//! What it answers is proven: a time is late enough by a point of the difference, and early enough by a plane that supports it.

use super::super::operand::{Core, Operand};
use super::gjk::Vertex;
use crate::core::shape::UnitOrZero;
use glam::{DMat3, DVec2, DVec3};
use smallvec::SmallVec;

/// What is known of a motion.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entry {
    /// They stay apart by more than the bound.
    Misses,
    Touches {
        fraction: f64,
        /// Unit, from b toward a.
        normal: DVec3,
        /// True when they surely overlap later, by more than the bound.
        deep: bool,
    },
    /// Touching or overlapping at the start, or too near to tell.
    Unclear,
}

/// Support points around the line up to which it is followed, and beyond which rounding leads in circles.
const MOST_AROUND: u32 = 12;
const MOST_BEYOND: u32 = 40;
/// Steps of Newton's method; some three or four converge.
const MOST_STEPS: u32 = 10;
/// Share of the size of three points below which what lies beyond their plane may be a round part near them (no unit).
const NEARLY_ROUND: f64 = 0.1;
/// Bounds within which a point of the difference and the line agree (no unit), as both are rounded.
const AGREES: f64 = 4.0;
/// Share of a rim's size within which two of its centres are one (no unit).
const SAME_RIM: f64 = 1e-9;

/// Two shapes, of which the first moves.
struct Line<'o> {
    a: &'o Operand<'o>,
    b: &'o Operand<'o>,
    displacement: DVec3,
    /// Unit: of the displacement, and two square to it, right-handed.
    along: DVec3,
    across: [DVec3; 2],
    radii: f64,
    bound: f64,
}

/// A point of the difference.
#[derive(Clone, Copy)]
struct Corner {
    vertex: Vertex,
    /// With the radii.
    at: DVec3,
    /// As seen along the motion.
    seen: DVec2,
}

/// The first touch of two shapes apart at the start; `displacement` is that of a relative to b.
pub(crate) fn of(a: &Operand<'_>, b: &Operand<'_>, displacement: DVec3, bound: f64) -> Entry {
    let along = displacement.unit_or_zero();
    if along == DVec3::ZERO {
        return Entry::Unclear;
    }
    let one = along.any_orthonormal_vector();
    let line = Line {
        a,
        b,
        displacement,
        along,
        across: [one, along.cross(one)],
        radii: a.radius + b.radius,
        bound,
    };
    let center = a.center() - b.center();
    let first = line.farthest(-center);
    if line.stays_outside(-center, first.at) {
        return Entry::Misses;
    }
    match line.around(first) {
        Around::Outside => Entry::Misses,
        Around::Unclear => Entry::Unclear,
        Around::Corners(corners) => line.enter(corners, center),
    }
}

enum Around {
    Outside,
    Corners([Corner; 3]),
    Unclear,
}

impl Line<'_> {
    #[inline]
    fn farthest(&self, outward: DVec3) -> Corner {
        let vertex = Vertex::along(self.a, self.b, outward);
        let at = if self.radii > 0.0 {
            vertex.difference + outward.unit_or_zero() * self.radii
        } else {
            vertex.difference
        };
        Corner {
            vertex,
            at,
            seen: DVec2::new(at.dot(self.across[0]), at.dot(self.across[1])),
        }
    }

    /// True when the plane through a support point keeps the whole motion more than the bound outside.
    #[inline]
    fn stays_outside(&self, outward: DVec3, farthest: DVec3) -> bool {
        let approach = outward.dot(self.displacement).max(0.0);
        let limit = self.bound * outward.length();
        -outward.dot(farthest) - approach > limit
    }

    /// Three support points that surround the line, counter-clockwise as seen against the motion.
    fn around(&self, first: Corner) -> Around {
        let lifted = |direction: DVec2| self.across[0] * direction.x + self.across[1] * direction.y;
        let mut direction = if first.seen == DVec2::ZERO {
            DVec2::X
        } else {
            -first.seen
        };
        let mut corners: SmallVec<[Corner; 2]> = SmallVec::from_slice(&[first]);
        for _ in 0..MOST_AROUND {
            let next = self.farthest(lifted(direction));
            let beyond = next.seen.dot(direction);
            let limit = self.bound * direction.length();
            if beyond < -limit {
                return Around::Outside;
            }
            if beyond <= limit {
                return Around::Unclear;
            }
            // The line is on the new corner's side of the edge between the other two, which are counter-clockwise with it.
            let outside = |from: &Corner, to: &Corner| from.seen.perp_dot(to.seen) < 0.0;
            match corners[..] {
                [_, other] if outside(&other, &next) => corners[0] = next,
                [one, _] if outside(&next, &one) => corners[1] = next,
                [one, other] => return Around::Corners([one, other, next]),
                _ => corners.push(next),
            }
            // Counter-clockwise with the line on their left.
            if outside(&corners[0], &corners[1]) {
                corners.swap(0, 1);
            }
            direction = (corners[1].seen - corners[0].seen).perp();
        }
        Around::Unclear
    }

    fn enter(&self, mut corners: [Corner; 3], center: DVec3) -> Entry {
        let is_round = self.radii > 0.0 || [self.a, self.b].into_iter().any(has_rims);
        let mut nearly = NEARLY_ROUND;
        for _ in 0..MOST_BEYOND {
            let [p, q, r] = corners.map(|corner| corner.at);
            let outward = (q - p).cross(r - p);
            let (length, approach) = (outward.length(), outward.dot(self.displacement));
            let fraction = -outward.dot(p) / approach;
            // What has passed a point of the difference is inside, or behind.
            if approach <= 0.0 || !fraction.is_finite() || fraction <= 0.0 {
                return Entry::Unclear;
            }
            let next = self.farthest(outward);
            if self.stays_outside(outward, next.at) {
                return Entry::Misses;
            }
            let beyond = outward.dot(next.at - p);
            let found = if beyond <= self.bound * length {
                Some((fraction, outward / length))
            } else if is_round && beyond * beyond <= nearly * nearly * length * length * length {
                nearly *= 0.25;
                self.at_round_part(&corners, outward / length)
            } else {
                None
            };
            if let Some((fraction, outward)) = found {
                let start = fraction * outward.dot(self.displacement);
                if start <= AGREES * self.bound {
                    return Entry::Unclear;
                }
                return Entry::Touches {
                    fraction,
                    normal: -outward,
                    deep: self.goes_deep(&corners, center),
                };
            }
            // The line passes through one of the triangles of the new corner and an edge.
            let sides = corners.map(|corner| next.seen.perp_dot(corner.seen));
            let edge = (0..3).find(|&k| sides[k] >= 0.0 && sides[(k + 1) % 3] <= 0.0);
            let Some(edge) = edge else {
                return Entry::Unclear;
            };
            corners[(edge + 2) % 3] = next;
        }
        Entry::Unclear
    }

    /// Weights of three corners at the line.
    fn weights(&self, [p, q, r]: &[Corner; 3]) -> [f64; 3] {
        let areas = [
            q.seen.perp_dot(r.seen),
            r.seen.perp_dot(p.seen),
            p.seen.perp_dot(q.seen),
        ];
        let sum: f64 = areas.iter().sum();
        areas.map(|area| area / sum)
    }

    /// True when behind three corners, in the tetrahedron of them and the difference of the centres, the motion comes deeper than the bound.
    fn goes_deep(&self, corners: &[Corner; 3], center: DVec3) -> bool {
        let [p, q, r] = corners.map(|corner| corner.at - center);
        let outward = (q - p).cross(r - p);
        let volume = outward.dot(p);
        let approach = outward.dot(self.along);
        let reach = self.displacement.length() + outward.dot(p + center) / approach;
        // Along the motion the weight of each corner changes at a rate.
        let sides = [q.cross(r), r.cross(p), p.cross(q)];
        let weights = self.weights(corners);
        let mut step = reach.min(0.5 * volume / approach);
        for (side, weight) in sides.iter().zip(weights) {
            let loss = side.dot(self.along) / volume;
            if loss > 0.0 {
                step = step.min(0.5 * weight / loss);
            }
        }
        let depths = sides
            .iter()
            .zip(weights)
            .map(|(side, weight)| 0.5 * weight * volume / side.length());
        let least = depths.fold(step * approach / outward.length(), f64::min);
        volume > 0.0 && least > AGREES * self.bound
    }

    /// The fraction and the outward normal at which the line enters a round part, from three corners near it.
    fn at_round_part(&self, corners: &[Corner; 3], outward: DVec3) -> Option<(f64, DVec3)> {
        let mut pieces: SmallVec<[Piece; 3]> = SmallVec::new();
        for (corner, weight) in corners.iter().zip(self.weights(corners)) {
            let piece = self.piece(&corner.vertex, weight);
            match pieces.iter_mut().find(|known| known.is_same(&piece)) {
                Some(known) => known.weight += weight,
                None => pieces.push(piece),
            }
        }
        let (mut outward, mut fraction) = (outward, None::<f64>);
        let within = AGREES * self.bound;
        for _ in 0..MOST_STEPS {
            let points: SmallVec<[DVec3; 3]> = pieces
                .iter()
                .map(|piece| piece.a.at(outward) - piece.b.at(-outward) + outward * self.radii)
                .collect();
            if let Some(fraction) = fraction {
                let sum: DVec3 = points
                    .iter()
                    .zip(&pieces)
                    .map(|(p, piece)| p * piece.weight)
                    .sum();
                let off = (sum + self.displacement * fraction).length();
                let level = points
                    .iter()
                    .all(|p| (p - points[0]).dot(outward).abs() <= within);
                if off <= within && level {
                    if let Some(negative) = pieces.iter().position(|piece| piece.weight < 0.0) {
                        if pieces.len() == 1 {
                            return None;
                        }
                        pieces.remove(negative);
                        continue;
                    }
                    let next = self.farthest(outward);
                    if outward.dot(next.at - points[0]) <= within {
                        return Some((fraction, outward));
                    }
                    let piece = self.piece(&next.vertex, 0.0);
                    if pieces.len() == 3 || pieces.iter().any(|known| known.is_same(&piece)) {
                        return None;
                    }
                    pieces.push(piece);
                    continue;
                }
            }
            let (turned, then) = self.newton_step(&mut pieces, &points, outward)?;
            (outward, fraction) = (turned, Some(then));
        }
        None
    }

    /// One step toward the outward normal, weights and fraction at which all pieces touch one plane and their weighted sum is on the line.
    fn newton_step(
        &self,
        pieces: &mut [Piece],
        points: &[DVec3],
        outward: DVec3,
    ) -> Option<(DVec3, f64)> {
        let (one, other) = outward.any_orthonormal_pair();
        let mut turns = [one, other].map(|turn| turn * self.radii);
        for piece in pieces.iter() {
            for rim in [&piece.a, &piece.b] {
                let (tangent, bend) = rim.bend(outward);
                turns[0] += tangent * (piece.weight * bend * tangent.dot(one));
                turns[1] += tangent * (piece.weight * bend * tangent.dot(other));
            }
        }
        // Unknown are the weights but the first, two turns and the fraction.
        let rest = pieces.len() - 1;
        let size = rest + 3;
        let mut rows = [[0.0; 6]; 5];
        for axis in 0..3 {
            for (column, point) in points[1..].iter().enumerate() {
                rows[axis][column] = (point - points[0])[axis];
            }
            rows[axis][rest] = turns[0][axis];
            rows[axis][rest + 1] = turns[1][axis];
            rows[axis][rest + 2] = self.displacement[axis];
            rows[axis][size] = -points[0][axis];
        }
        for (row, point) in points[1..].iter().enumerate() {
            let apart = point - points[0];
            rows[3 + row][rest] = apart.dot(one);
            rows[3 + row][rest + 1] = apart.dot(other);
            rows[3 + row][size] = -apart.dot(outward);
        }
        let found = solve(&mut rows, size)?;
        let turn = one * found[rest] + other * found[rest + 1];
        if turn.length_squared() > 1.0 {
            return None;
        }
        pieces[0].weight = 1.0 - found[..rest].iter().sum::<f64>();
        for (piece, weight) in pieces[1..].iter_mut().zip(found) {
            piece.weight = weight;
        }
        Some(((outward + turn).normalize_or_zero(), found[rest + 2]))
    }

    fn piece(&self, vertex: &Vertex, weight: f64) -> Piece {
        Piece {
            a: Rim::of(self.a, vertex.a),
            b: Rim::of(self.b, vertex.b),
            weight,
        }
    }
}

/// A vertex or rim of each core, and its weight.
struct Piece {
    a: Rim,
    b: Rim,
    weight: f64,
}

impl Piece {
    fn is_same(&self, other: &Self) -> bool {
        self.a.is_same(&other.a) && self.b.is_same(&other.b)
    }
}

/// A circle, or a point.
struct Rim {
    center: DVec3,
    /// Unit.
    axis: DVec3,
    /// Metres; 0 for a point.
    radius: f64,
}

fn has_rims(operand: &Operand<'_>) -> bool {
    matches!(operand.core, Core::Solid(_)) && operand.axis().is_some()
}

impl Rim {
    /// What of a core a support point lies on.
    fn of(operand: &Operand<'_>, point: DVec3) -> Self {
        let corner = Self {
            center: point,
            axis: DVec3::Y,
            radius: 0.0,
        };
        if !has_rims(operand) {
            return corner;
        }
        let Some(axis) = operand.axis() else {
            return corner;
        };
        let middle = operand.center();
        let center = middle + axis * axis.dot(point - middle);
        let radius = center.distance(point);
        if radius <= SAME_RIM * operand.bounding_radius() {
            return corner;
        }
        Self {
            center,
            axis,
            radius,
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        let apart = SAME_RIM * self.radius.max(other.radius);
        (self.radius > 0.0) == (other.radius > 0.0)
            && self.center.distance_squared(other.center) <= apart * apart
    }

    /// The point farthest along a direction.
    fn at(&self, direction: DVec3) -> DVec3 {
        if self.radius == 0.0 {
            return self.center;
        }
        let across = direction - self.axis * self.axis.dot(direction);
        self.center + across.unit_or_zero() * self.radius
    }

    /// The unit direction in which the farthest point moves when the direction turns, and by how much a radian.
    fn bend(&self, direction: DVec3) -> (DVec3, f64) {
        let side = self.axis.cross(direction);
        let length = side.length();
        if self.radius == 0.0 || length == 0.0 {
            return (DVec3::ZERO, 0.0);
        }
        (side / length, self.radius / length)
    }
}

/// Solves a system of linear equations, the right side last in each row; `None` when it is singular.
fn solve(rows: &mut [[f64; 6]; 5], size: usize) -> Option<[f64; 5]> {
    for column in 0..size {
        let largest = (column..size)
            .max_by(|&i, &j| rows[i][column].abs().total_cmp(&rows[j][column].abs()))?;
        rows.swap(column, largest);
        let pivot = rows[column];
        if pivot[column] == 0.0 || !pivot[column].is_finite() {
            return None;
        }
        for row in &mut rows[column + 1..size] {
            let factor = row[column] / pivot[column];
            for k in column..=size {
                row[k] -= factor * pivot[k];
            }
        }
    }
    let mut found = [0.0; 5];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| rows[row][k] * found[k]).sum();
        found[row] = (rows[row][size] - known) / rows[row][row];
    }
    Some(found)
}
