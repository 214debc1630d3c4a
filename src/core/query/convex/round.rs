//! Where a line enters a round part of a Minkowski difference, and where its surface is nearest to the origin: Newton's method on the rims
//! and vertices that touch there.

use super::super::operand::{Core, Operand};
use super::line::{AGREES, Corner, Line};
use super::simplex::Vertex;
use crate::core::shape::UnitOrZero;
use crate::core::tolerance::EARLY_OUT_SHARE;
use glam::{DVec2, DVec3};
use smallvec::SmallVec;

/// Share of the size of three points below which what lies beyond their plane may be a round part near them (no unit).
pub(super) const NEARLY_ROUND: f64 = 0.04;
/// What is left of that share after a try in vain.
pub(super) const LESS_NEARLY: f64 = 0.25;
/// Steps of Newton's method; some three or four converge.
const MOST_STEPS: u32 = 10;
/// Share of an error that a step may leave; Newton's method squares it.
const SLOWEST: f64 = 0.5;
/// Share of a rim's size within which two of its centres are one (no unit).
const SAME_RIM: f64 = 1e-9;

/// Rims or vertices of both cores that touch one plane.
type Pieces = SmallVec<[Piece; 3]>;

/// The fraction and the outward normal at which the line enters a round part, from three corners near it.
///
/// There all pieces touch one plane, and the weighted sum of their points is on the line.
pub(super) fn entry(
    line: &Line<'_>,
    rims: &[Option<Rims>; 2],
    corners: &[Corner; 3],
    outward: DVec3,
) -> Option<(f64, DVec3)> {
    let vertices = corners.map(|corner| corner.vertex);
    let mut pieces = pieces_of(rims, &vertices, &line.weights(corners));
    let farthest = |outward: DVec3| {
        let corner = line.farthest(outward);
        (corner.vertex, corner.at)
    };
    let aim = Aim {
        displacement: Some(line.displacement),
        radii: line.radii,
        within: AGREES * line.bound,
    };
    let found = aim.settle(rims, &mut pieces, outward, farthest)?;
    Some((found.fraction, found.outward))
}

/// A plane that supports the difference, and touches it at the foot of the perpendicular from the origin.
pub(super) struct Foot {
    /// Unit.
    pub outward: DVec3,
    /// Of the plane from the origin, metres.
    pub distance: f64,
    /// How far flat parts reach around it in two directions of the plane, metres; symmetric.
    flat: [f64; 3],
    /// Of the rims of each core there: the radius, the unit axis along both directions and the normal.
    rims: [(f64, DVec3); 2],
}

/// Where the surface of two cores' difference is nearest to the origin, at a round part, from three vertices near it with the weights of
/// their sum that is nearest.
pub(super) fn foot(
    [a, b]: [&Operand<'_>; 2],
    rims: &[Option<Rims>; 2],
    (vertices, weights): (&[Vertex; 3], [f64; 3]),
    outward: DVec3,
    within: f64,
) -> Option<Foot> {
    let (tangent, pieces) = perpendicular([a, b], rims, (vertices, &weights), outward, within)?;
    let points = tangent.points.map(|point| DVec2::new(point.x, point.y));
    let flat = match (pieces.len(), points) {
        (2, [one, other, _]) => {
            let side = (other - one).normalize_or_zero().perp();
            let reach = one.length().min(other.length());
            [side.x * side.x, side.x * side.y, side.y * side.y].map(|part| part * reach)
        }
        (3, [one, other, third]) => {
            let edges = [(one, other), (other, third), (third, one)];
            let reach = edges.map(|(from, to)| from.perp_dot(to).abs() / from.distance(to));
            let least = reach.into_iter().fold(f64::INFINITY, f64::min);
            [least, 0.0, least]
        }
        _ => [0.0; 3],
    };
    let [x, y] = tangent.across;
    let rims = [0, 1].map(|core| {
        let circles = || pieces.iter().map(|piece| &piece.circles[core]);
        let radius = circles()
            .map(|circle| circle.radius)
            .fold(f64::INFINITY, f64::min);
        let axis = pieces[0].circles[core].axis;
        (
            radius,
            DVec3::new(axis.dot(x), axis.dot(y), axis.dot(tangent.outward)),
        )
    });
    Some(Foot {
        outward: tangent.outward,
        distance: -tangent.fraction,
        flat,
        rims,
    })
}

/// The normal, toward a, and the closest points of two cores at a round part, from vertices near it with the weights of their sum, which is
/// nearest to the origin. `None` unless they are surely apart.
pub(super) fn closest(
    cores: [&Operand<'_>; 2],
    (vertices, weights): (&[Vertex], &[f64]),
    outward: DVec3,
    within: f64,
) -> Option<(DVec3, [DVec3; 2])> {
    let rims = cores.map(Rims::of);
    let found = perpendicular(cores, &rims, (vertices, weights), outward, within);
    let (tangent, pieces) = found.filter(|(found, _)| found.fraction > AGREES * within)?;
    let outward = tangent.outward;
    let mut points = [DVec3::ZERO; 2];
    for piece in &pieces {
        for ((point, circle), side) in points.iter_mut().zip(&piece.circles).zip([1.0, -1.0]) {
            *point += circle.at(outward * side).0 * piece.weight;
        }
    }
    Some((-outward, points))
}

/// The plane that touches the difference of two cores at the foot of the perpendicular from the origin, and the pieces there.
fn perpendicular(
    [a, b]: [&Operand<'_>; 2],
    rims: &[Option<Rims>; 2],
    (vertices, weights): (&[Vertex], &[f64]),
    outward: DVec3,
    within: f64,
) -> Option<(Tangent, Pieces)> {
    let mut pieces = pieces_of(rims, vertices, weights);
    let farthest = |outward: DVec3| {
        let vertex = Vertex::along(a, b, outward);
        (vertex, vertex.difference)
    };
    let aim = Aim {
        displacement: None,
        radii: 0.0,
        within,
    };
    let tangent = aim.settle(rims, &mut pieces, outward, farthest)?;
    Some((tangent, pieces))
}

impl Foot {
    /// True when no plane that supports the difference is nearer to the origin, of those within an angle whose half has the cotangent.
    ///
    /// Turned by an angle t along a great circle, whose plane is square to the unit vector b, the distance d becomes at least
    /// `d cos t + f sin t + c (1 - cos t)`: the flat part reaches f from the foot in that direction, and a circle of radius r around a unit
    /// axis e bends by `r (e . b)^2 / s^3`, where s is the sine between the axis and the normal, of which c takes the largest on the way.
    /// That is d at least where `f cot(t / 2) + c >= d`, which falls with the angle.
    pub fn is_least(&self, cotangent: f64) -> bool {
        let mut least = self.flat.map(|flat| flat * cotangent);
        let square = cotangent * cotangent;
        let (cosine, sine) = (
            (square - 1.0) / (square + 1.0),
            2.0 * cotangent / (square + 1.0),
        );
        for (radius, axis) in &self.rims {
            let (away, along) = (axis.truncate().length(), axis.z.abs());
            let passes = along * cosine <= away * sine;
            let largest = if passes {
                1.0
            } else {
                away * cosine + along * sine
            };
            let bend = radius / (largest * largest * largest);
            let products = [axis.x * axis.x, axis.x * axis.y, axis.y * axis.y];
            for (sum, product) in least.iter_mut().zip(products) {
                *sum += bend * product;
            }
        }
        let [xx, xy, yy] = least;
        let least = 0.5 * (xx + yy - DVec2::new(xx - yy, 2.0 * xy).length());
        least > self.distance * (1.0 + EARLY_OUT_SHARE)
    }
}

/// The pieces that vertices lie on, with their weights.
fn pieces_of(rims: &[Option<Rims>; 2], vertices: &[Vertex], weights: &[f64]) -> Pieces {
    let mut pieces = Pieces::new();
    for (vertex, &weight) in vertices.iter().zip(weights) {
        let piece = Piece::of(rims, vertex, weight);
        match pieces.iter_mut().find(|known| known.is_same(&piece)) {
            Some(known) => known.weight += weight,
            None => pieces.push(piece),
        }
    }
    pieces
}

/// What the weighted sum of the points of pieces shall meet: the line of a displacement, or without one the perpendicular from the origin
/// to their plane.
struct Aim {
    displacement: Option<DVec3>,
    radii: f64,
    /// Metres.
    within: f64,
}

impl Aim {
    /// The plane that touches all pieces where their sum is on the line, from a normal near it.
    fn settle(
        &self,
        rims: &[Option<Rims>; 2],
        pieces: &mut Pieces,
        mut outward: DVec3,
        farthest: impl Fn(DVec3) -> (Vertex, DVec3),
    ) -> Option<Tangent> {
        let mut before = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            let tangent = Tangent::new(self, pieces, outward);
            if tangent.off > self.within {
                if tangent.off > SLOWEST * before {
                    return None;
                }
                before = tangent.off;
                outward = tangent.step(pieces)?;
                continue;
            }
            before = f64::INFINITY;
            if let Some(negative) = pieces.iter().position(|piece| piece.weight < 0.0) {
                pieces.remove(negative);
                let sum: f64 = pieces.iter().map(|piece| piece.weight).sum();
                pieces.iter_mut().for_each(|piece| piece.weight /= sum);
                continue;
            }
            let (vertex, at) = farthest(outward);
            let on_line = self.displacement.unwrap_or(outward) * tangent.fraction;
            if outward.dot(at + on_line) <= self.within {
                return Some(tangent);
            }
            let piece = Piece::of(rims, &vertex, 0.0);
            if pieces.len() == 3 || pieces.iter().any(|known| known.is_same(&piece)) {
                return None;
            }
            pieces.push(piece);
            outward = Tangent::new(self, pieces, outward).step(pieces)?;
        }
        None
    }
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
    fn new(aim: &Aim, pieces: &[Piece], outward: DVec3) -> Self {
        let (one, other) = outward.any_orthonormal_pair();
        let across = [one, other];
        let displacement = aim.displacement.unwrap_or(outward);
        let approach = displacement.dot(outward);
        let skewed = across.map(|across| {
            let slope = displacement.dot(across) / approach;
            across - outward * slope
        });
        let mut points = [DVec3::ZERO; 3];
        let mut turns = [[aim.radii, 0.0], [0.0, aim.radii]];
        let mut sum = DVec3::ZERO;
        for (piece, seen) in pieces.iter().zip(&mut points) {
            let mut point = outward * aim.radii;
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
        if aim.displacement.is_none() {
            // The perpendicular turns with the plane.
            turns[0][0] -= sum.z;
            turns[1][1] -= sum.z;
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
    fn of(rims: &[Option<Rims>; 2], vertex: &Vertex, weight: f64) -> Self {
        Self {
            circles: [
                Circle::of(rims[0].as_ref(), vertex.a),
                Circle::of(rims[1].as_ref(), vertex.b),
            ],
            weight,
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    /// A plane 1 m away, and rims of radius r whose axis is square to the normal along y, and 0.8 of the way to the normal from x. Turned by a right angle
    /// about y (cotangent 1) the first is seen from the side on the way: it bends by 0.36 r. Turned by twice the angle of cotangent 3, the sine between its
    /// axis and the normal is 0.96 at most: 0.36 r / 0.96^3.
    #[test]
    fn the_least_distance_is_told_by_how_much_the_rims_bend() {
        let foot = |radius: f64| Foot {
            outward: DVec3::Z,
            distance: 1.0,
            flat: [0.0; 3],
            rims: [
                (radius, DVec3::new(0.6, 0.0, 0.8)),
                (100.0, DVec3::new(0.0, 1.0, 0.0)),
            ],
        };
        for (cotangent, bend) in [(1.0, 0.36), (3.0, 0.36 / 0.96_f64.powi(3))] {
            assert!(foot(1.01 / bend).is_least(cotangent), "{cotangent}");
            assert!(!foot(0.99 / bend).is_least(cotangent), "{cotangent}");
        }
    }
}
