//! Where a line enters a round part of a Minkowski difference: Newton's method on the rims and vertices that touch there.

use super::super::operand::{Core, Operand};
use super::gjk::Vertex;
use super::line::{AGREES, Corner, Line};
use crate::core::shape::UnitOrZero;
use glam::DVec3;
use smallvec::SmallVec;

/// Steps of Newton's method; some three or four converge.
const MOST_STEPS: u32 = 10;
/// Share of an error that a step may leave; Newton's method squares it.
const SLOWEST: f64 = 0.5;
/// Share of a rim's size within which two of its centres are one (no unit).
const SAME_RIM: f64 = 1e-9;

/// The fraction and the outward normal at which the line enters a round part, from three corners near it.
///
/// There all pieces touch one plane, and the weighted sum of their points is on the line.
pub(super) fn entry(
    line: &Line<'_>,
    rims: &[Option<Rims>; 2],
    corners: &[Corner; 3],
    mut outward: DVec3,
) -> Option<(f64, DVec3)> {
    let piece = |vertex: &Vertex, weight: f64| Piece {
        circles: [
            Circle::of(rims[0].as_ref(), vertex.a),
            Circle::of(rims[1].as_ref(), vertex.b),
        ],
        weight,
    };
    let mut pieces: SmallVec<[Piece; 3]> = SmallVec::new();
    for (corner, weight) in corners.iter().zip(line.weights(corners)) {
        let piece = piece(&corner.vertex, weight);
        match pieces.iter_mut().find(|known| known.is_same(&piece)) {
            Some(known) => known.weight += weight,
            None => pieces.push(piece),
        }
    }
    let within = AGREES * line.bound;
    let mut before = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let tangent = Tangent::new(line, &pieces, outward);
        if tangent.off > within {
            if tangent.off > SLOWEST * before {
                return None;
            }
            before = tangent.off;
            outward = tangent.step(&mut pieces)?;
            continue;
        }
        before = f64::INFINITY;
        if let Some(negative) = pieces.iter().position(|piece| piece.weight < 0.0) {
            pieces.remove(negative);
            let sum: f64 = pieces.iter().map(|piece| piece.weight).sum();
            pieces.iter_mut().for_each(|piece| piece.weight /= sum);
            continue;
        }
        let next = line.farthest(outward);
        let on_line = line.displacement * tangent.fraction;
        if outward.dot(next.at + on_line) <= within {
            return Some((tangent.fraction, outward));
        }
        let piece = piece(&next.vertex, 0.0);
        if pieces.len() == 3 || pieces.iter().any(|known| known.is_same(&piece)) {
            return None;
        }
        pieces.push(piece);
        outward = Tangent::new(line, &pieces, outward).step(&mut pieces)?;
    }
    None
}

/// Pieces as seen along a normal.
struct Tangent {
    /// Unit: the normal and two directions square to it.
    outward: DVec3,
    across: [DVec3; 2],
    /// At which the line is level with the weighted sum of the points.
    fraction: f64,
    /// Metres by which the sum is off the line then, or a point out of the plane of the others.
    off: f64,
    /// Points along both directions, past what the line moves while it is level, and along the normal.
    points: [DVec3; 3],
    /// How the sum moves along both when the normal turns toward either.
    turns: [[f64; 2]; 2],
}

impl Tangent {
    fn new(line: &Line<'_>, pieces: &[Piece], outward: DVec3) -> Self {
        let (one, other) = outward.any_orthonormal_pair();
        let across = [one, other];
        let approach = line.displacement.dot(outward);
        let skewed = across.map(|across| {
            let slope = line.displacement.dot(across) / approach;
            across - outward * slope
        });
        let mut points = [DVec3::ZERO; 3];
        let mut turns = [[line.radii, 0.0], [0.0, line.radii]];
        let mut sum = DVec3::ZERO;
        for (piece, seen) in pieces.iter().zip(&mut points) {
            let mut point = outward * line.radii;
            for (circle, side) in piece.circles.iter().zip([1.0, -1.0]) {
                let (at, bend) = circle.at(outward * side);
                point += at * side;
                let bends = across.map(|across| bend.dot(across));
                for (row, along) in turns.iter_mut().zip(bends) {
                    row[0] += piece.weight * along * bends[0];
                    row[1] += piece.weight * along * bends[1];
                }
            }
            *seen = DVec3::new(
                point.dot(skewed[0]),
                point.dot(skewed[1]),
                point.dot(outward),
            );
            sum += *seen * piece.weight;
        }
        let level = points[..pieces.len()]
            .iter()
            .map(|point| (point.z - points[0].z).abs());
        Self {
            outward,
            across,
            fraction: -sum.z / approach,
            off: level.fold(sum.x.abs() + sum.y.abs(), f64::max),
            points,
            turns,
        }
    }

    /// The normal after a step of Newton's method, which changes the weights; `None` where it does not lead to one.
    fn step(&self, pieces: &mut [Piece]) -> Option<DVec3> {
        // Unknown are the weights but the first, and the turn toward both directions.
        let rest = pieces.len() - 1;
        let size = rest + 2;
        let first = self.points[0];
        let mut rows = [[0.0; 5]; 4];
        for (row, turns) in self.turns.iter().enumerate() {
            rows[row][rest..size].copy_from_slice(turns);
            rows[row][size] = -first[row];
        }
        for (column, point) in self.points[1..=rest].iter().enumerate() {
            let apart = point - first;
            (rows[0][column], rows[1][column]) = (apart.x, apart.y);
            let level = &mut rows[2 + column];
            level[rest..=size].copy_from_slice(&[apart.x, apart.y, -apart.z]);
        }
        let found = solve(&mut rows, size)?;
        let [one, other] = self.across;
        let turn = one * found[rest] + other * found[rest + 1];
        if turn.length_squared() > 1.0 {
            return None;
        }
        pieces[0].weight = 1.0 - found[..rest].iter().sum::<f64>();
        for (piece, weight) in pieces[1..].iter_mut().zip(found) {
            piece.weight = weight;
        }
        Some((self.outward + turn).unit_or_zero())
    }
}

/// A rim or vertex of each core, and its weight.
struct Piece {
    circles: [Circle; 2],
    weight: f64,
}

impl Piece {
    fn is_same(&self, other: &Self) -> bool {
        let mut both = self.circles.iter().zip(&other.circles);
        both.all(|(one, other)| one.is_same(other))
    }
}

/// The axis that all rims of a core are around.
pub(super) struct Rims {
    middle: DVec3,
    /// Unit.
    axis: DVec3,
    /// Metres from the axis up to which a point is on it.
    least: f64,
}

impl Rims {
    pub fn of(operand: &Operand<'_>) -> Option<Self> {
        let is_solid = matches!(operand.core, Core::Solid(_));
        let axis = operand.axis().filter(|_| is_solid)?;
        Some(Self {
            middle: operand.center(),
            axis,
            least: SAME_RIM * operand.bounding_radius(),
        })
    }
}

/// A rim, or a vertex.
struct Circle {
    center: DVec3,
    /// Unit.
    axis: DVec3,
    /// Metres; 0 for a vertex.
    radius: f64,
}

impl Circle {
    /// What of a core a support point lies on.
    fn of(rims: Option<&Rims>, point: DVec3) -> Self {
        let vertex = Self {
            center: point,
            axis: DVec3::ZERO,
            radius: 0.0,
        };
        let Some(Rims {
            middle,
            axis,
            least,
        }) = rims
        else {
            return vertex;
        };
        let center = middle + axis * axis.dot(point - middle);
        let radius = center.distance(point);
        if radius <= *least {
            return vertex;
        }
        Self {
            center,
            axis: *axis,
            radius,
        }
    }

    fn is_same(&self, other: &Self) -> bool {
        let apart = SAME_RIM * self.radius.min(other.radius);
        self.center.distance_squared(other.center) <= apart * apart
    }

    /// The point farthest along a direction, and how it moves when the direction turns: along the vector, by its square a radian.
    fn at(&self, direction: DVec3) -> (DVec3, DVec3) {
        if self.radius == 0.0 {
            return (self.center, DVec3::ZERO);
        }
        let across = direction - self.axis * self.axis.dot(direction);
        let length = across.length();
        if length == 0.0 {
            return (self.center, DVec3::ZERO);
        }
        let unit = across / length;
        let bend = self.axis.cross(unit) * (self.radius / length).sqrt();
        (self.center + unit * self.radius, bend)
    }
}

/// Solves a system of linear equations, the right side last in each row; `None` when it is singular.
fn solve(rows: &mut [[f64; 5]; 4], size: usize) -> Option<[f64; 4]> {
    for column in 0..size {
        let size_at = |row: usize| rows[row][column].abs();
        let largest = (column + 1..size).fold(column, |best, row| {
            if size_at(row) > size_at(best) {
                row
            } else {
                best
            }
        });
        rows.swap(column, largest);
        let pivot = rows[column];
        if pivot[column] == 0.0 || !pivot[column].is_finite() {
            return None;
        }
        let inverse = 1.0 / pivot[column];
        for row in &mut rows[column + 1..size] {
            let factor = row[column] * inverse;
            for (value, above) in row.iter_mut().zip(pivot).skip(column + 1) {
                *value -= factor * above;
            }
        }
    }
    let mut found = [0.0; 4];
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| rows[row][k] * found[k]).sum();
        found[row] = (rows[row][size] - known) / rows[row][row];
    }
    Some(found)
}
