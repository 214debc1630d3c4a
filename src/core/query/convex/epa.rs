//! Penetration of two convex cores that overlap: the face of their Minkowski difference nearest to the origin (expanding polytope,
//! van den Bergen 2001).

use super::super::operand::Operand;
use super::gjk::normal_of;
use super::round::{self, Foot, LESS_NEARLY, NEARLY_ROUND, Rims};
use super::simplex::{Simplex, Vertex};
use crate::core::shape::UnitOrZero;
use crate::core::tolerance::{POLYTOPE_BEYOND, POLYTOPE_GAIN, POLYTOPE_LINE};
use glam::DVec3;
use smallvec::{SmallVec, smallvec};

/// How two cores overlap.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Penetration {
    /// Metres; negative for cores that are just apart.
    pub depth: f64,
    /// Unit, from b toward a: moving a by `normal * depth` separates the cores.
    pub normal: DVec3,
    /// Metres by which the least depth may be smaller, where [`MOST_FACES`] or the caller ended the search.
    pub slack: f64,
    /// Faces that were built.
    pub faces: u32,
}

/// Faces after which the nearest found so far is taken.
const MOST_FACES: usize = 1024;
/// Faces up to which the nearest face anywhere is replaced next.
const SPREAD_FACES: usize = 512;

/// A face of the polytope, counter-clockwise seen from outside.
#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [u16; 3],
    /// The faces across the edges, in their order.
    neighbours: [u16; 3],
    /// Unit, outward.
    normal: DVec3,
    /// Of its plane from the origin, metres; infinite when it was replaced or cannot be.
    distance: f64,
}

impl Face {
    fn edges(&self) -> [[u16; 2]; 3] {
        let [i, j, k] = self.corners;
        [[i, j], [j, k], [k, i]]
    }
}

/// Small ones need no memory.
struct Polytope {
    vertices: SmallVec<[Vertex; 64]>,
    faces: SmallVec<[Face; 128]>,
    /// The least depth known, metres.
    least: f64,
}

/// The least translation that separates two cores that share the origin of a simplex. `None` for a Minkowski difference that is a
/// line or a point, which has no direction of its own. It ends where `is_enough` says so of the least and the most that the depth may be.
pub(crate) fn penetration(
    a: &Operand<'_>,
    b: &Operand<'_>,
    start: &Simplex,
    is_enough: &dyn Fn([f64; 2]) -> bool,
) -> Option<Penetration> {
    let size = start
        .vertices()
        .iter()
        .map(|v| v.difference.length())
        .fold(0.0, f64::max);
    let points = match tetrahedron(a, b, start)? {
        Hull::Solid(points) => points,
        Hull::Flat(normal) => {
            let offset = start.vertices()[0].difference.dot(normal);
            let apart = offset.abs() > POLYTOPE_GAIN * size;
            return Some(Penetration {
                depth: if apart { -offset.abs() } else { 0.0 },
                normal: if apart && offset < 0.0 {
                    -normal
                } else {
                    normal
                },
                slack: 0.0,
                faces: 1,
            });
        }
    };
    let mut polytope = Polytope {
        vertices: SmallVec::new(),
        faces: SmallVec::new(),
        least: f64::INFINITY,
    };
    polytope.begin(&points);
    // Along any direction the support point bounds the depth from above; the faces bound it from below.
    let mut best: Option<(f64, DVec3)> = None;
    let mut newest = 0;
    // Whether no face is nearer than the nearest one that is left.
    let mut is_bound = true;
    let mut slack = 0.0;
    // Of round cores; what is found there may be proven to be the least before the faces have come as near.
    let rims = [a, b].map(Rims::of);
    let mut foot: Option<Foot> = None;
    let mut nearly = if rims.iter().any(Option::is_some) {
        NEARLY_ROUND
    } else {
        0.0
    };
    while let Some(nearest) = polytope.nearest(0, polytope.least) {
        // Around a round core many faces are as near as each other: from some number on, one place is refined to the end at a time.
        let among_newest = (polytope.faces.len() >= SPREAD_FACES)
            .then(|| polytope.nearest(newest, polytope.least - POLYTOPE_GAIN * size));
        let index = among_newest.flatten().unwrap_or(nearest);
        let face = polytope.faces[usize::from(index)];
        let vertex = Vertex::along(a, b, face.normal);
        let height = vertex.difference.dot(face.normal);
        if height < polytope.least {
            best = Some((height, face.normal));
            polytope.least = height;
        }
        let gain = POLYTOPE_GAIN * size.max(vertex.difference.length());
        let lower = polytope.faces[usize::from(nearest)].distance;
        if polytope.least <= lower + gain {
            break;
        }
        // The nearest face is a bound from inside only.
        if is_bound && lower > 0.0 && is_enough([lower, polytope.least]) {
            slack = polytope.least - lower;
            break;
        }
        foot = foot.filter(|foot| height > foot.distance - gain);
        if foot.is_none() && polytope.is_nearly(&face, height - face.distance, nearly) {
            nearly *= LESS_NEARLY;
            let start = polytope.weighted(&face);
            foot = round::foot([a, b], &rims, (&start.0, start.1), face.normal, gain)
                .filter(|foot| foot.distance <= polytope.least + gain);
            if let Some(foot) = &foot {
                best = Some((foot.distance, foot.outward));
                polytope.least = foot.distance;
            }
        }
        if let Some(foot) = &foot
            && foot.is_least(polytope.cotangent(foot.outward))
        {
            break;
        }
        if polytope.faces.len() >= MOST_FACES {
            slack = polytope.least - lower;
            break;
        }
        newest = polytope.faces.len();
        if !polytope.expand(vertex, index) {
            polytope.faces[usize::from(index)].distance = f64::INFINITY;
            // What lies beyond it is not known.
            (foot, nearly, is_bound) = (None, 0.0, false);
        }
    }
    best.map(|(depth, normal)| Penetration {
        depth,
        normal: -normal,
        slack,
        faces: polytope.faces.len() as u32,
    })
}

#[expect(
    clippy::large_enum_variant,
    reason = "there is one for a moment, on the stack"
)]
enum Hull {
    Solid([Vertex; 4]),
    /// The Minkowski difference lies in a plane through the origin with this normal.
    Flat(DVec3),
}

/// Extends a simplex to a tetrahedron.
fn tetrahedron(a: &Operand<'_>, b: &Operand<'_>, start: &Simplex) -> Option<Hull> {
    let mut points: SmallVec<[Vertex; 4]> = SmallVec::from_slice(start.vertices());
    let scale = |points: &[Vertex]| {
        points
            .iter()
            .map(|v| v.difference.length())
            .fold(0.0, f64::max)
    };
    let far = |vertex: &Vertex, points: &[Vertex]| {
        let least = POLYTOPE_LINE * scale(points).max(vertex.difference.length());
        points
            .iter()
            .all(|p| p.difference.distance(vertex.difference) > least)
    };
    points.dedup_by(|one, other| one.difference == other.difference);
    if points.len() == 1 {
        let axes = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let mut found = axes.map(|axis| Vertex::along(a, b, axis));
        let found = found.find(|vertex| far(vertex, &points))?;
        points.push(found);
    }
    let off_line = |vertex: &Vertex, points: &[Vertex]| {
        let along = points[1].difference - points[0].difference;
        let to = vertex.difference - points[0].difference;
        to.cross(along).length() > POLYTOPE_LINE * along.length() * to.length().max(along.length())
    };
    if points.len() >= 3 && !off_line(&points[2], &points) {
        points.truncate(2);
    }
    if points.len() == 2 {
        let along = (points[1].difference - points[0].difference).unit_or_zero();
        let (one, other) = along.any_orthonormal_pair();
        let around = (0..6).map(|step| {
            let (sine, cosine) = (f64::from(step) * std::f64::consts::FRAC_PI_3).sin_cos();
            Vertex::along(a, b, one * cosine + other * sine)
        });
        let mut around = around.filter(|vertex| off_line(vertex, &points));
        let found = around.next();
        drop(around);
        points.push(found?);
    }
    let corner = points[0].difference;
    let normal = (points[1].difference - corner)
        .cross(points[2].difference - corner)
        .unit_or_zero();
    if normal == DVec3::ZERO {
        return None;
    }
    let height = |vertex: &Vertex| (vertex.difference - corner).dot(normal);
    let size = scale(&points);
    let flat = |vertex: &Vertex| {
        height(vertex).abs() <= POLYTOPE_GAIN * size.max(vertex.difference.length())
    };
    if points.len() == 4 && flat(&points[3]) {
        points.truncate(3);
    }
    if points.len() == 3 {
        let sides = [normal, -normal].map(|side| Vertex::along(a, b, side));
        let farther = if height(&sides[0]) >= -height(&sides[1]) {
            sides[0]
        } else {
            sides[1]
        };
        if flat(&farther) {
            return Some(Hull::Flat(outward(a, b, normal)));
        }
        points.push(farther);
    }
    points.truncate(4);
    if height(&points[3]) > 0.0 {
        points.swap(0, 1);
    }
    points.into_inner().ok().map(Hull::Solid)
}

/// Of both directions of a normal, the one from b's centre toward a's; +Y, +X or +Z of equal ones.
fn outward(a: &Operand<'_>, b: &Operand<'_>, normal: DVec3) -> DVec3 {
    let side = normal.dot(a.center() - b.center());
    let upward = [normal.y, normal.x, normal.z]
        .into_iter()
        .find(|part| *part != 0.0);
    let side = if side == 0.0 {
        upward.unwrap_or(1.0)
    } else {
        side
    };
    normal * 1.0_f64.copysign(side)
}

impl Polytope {
    /// Becomes a tetrahedron.
    fn begin(&mut self, points: &[Vertex; 4]) {
        self.vertices.extend_from_slice(points);
        for (corners, neighbours) in [
            ([0, 1, 2], [1, 2, 3]),
            ([0, 3, 1], [3, 2, 0]),
            ([1, 3, 2], [1, 3, 0]),
            ([2, 3, 0], [2, 1, 0]),
        ] {
            self.add(corners, neighbours);
        }
    }

    fn add(&mut self, corners: [u16; 3], neighbours: [u16; 3]) {
        let points = corners.map(|corner| self.vertices[usize::from(corner)].difference);
        let normal = normal_of(points).unit_or_zero();
        // A sliver without a normal lies between its neighbours and is never the nearest.
        let distance = if normal == DVec3::ZERO {
            f64::INFINITY
        } else {
            normal.dot(points[0])
        };
        self.faces.push(Face {
            corners,
            neighbours,
            normal,
            distance,
        });
    }

    fn corners(&self, face: &Face) -> [Vertex; 3] {
        face.corners
            .map(|corner| self.vertices[usize::from(corner)])
    }

    /// True when the surface is no farther beyond a face than a share of the face's size.
    fn is_nearly(&self, face: &Face, beyond: f64, share: f64) -> bool {
        let square = normal_of(self.corners(face).map(|vertex| vertex.difference)).length();
        share > 0.0 && beyond * beyond <= share * share * square
    }

    /// The corners of a face, with the weights of their sum that is nearest to the origin.
    fn weighted(&self, face: &Face) -> ([Vertex; 3], [f64; 3]) {
        let corners = self.corners(face);
        let [p, q, r] = corners.map(|vertex| vertex.difference);
        let areas = [(q, r), (r, p), (p, q)].map(|(from, to)| from.cross(to).dot(face.normal));
        let sum: f64 = areas.iter().sum();
        (corners, areas.map(|area| area / sum))
    }

    /// No plane that supports the difference is nearer than the least depth known but within an angle around a normal: the cotangent of half
    /// of it.
    ///
    /// A plane that is nearer holds all vertices behind it. Of the points that stand for planes, each along its normal at the inverse of its
    /// distance, those of such planes lie in the hull of the faces' points, outside the ball of the least depth; so the normal
    /// is no farther from that of some face than the tangents from the face's point to the ball reach.
    fn cotangent(&self, normal: DVec3) -> f64 {
        let sine = |cosine: f64| (1.0 - cosine * cosine).max(0.0).sqrt();
        let mut least: f64 = 1.0 - f64::EPSILON;
        for face in &self.faces {
            if face.distance >= self.least {
                continue;
            }
            let (from, reach) = (face.normal.dot(normal), face.distance / self.least);
            let (from_sine, reach_sine) = (sine(from), sine(reach));
            if reach <= 0.0 || from_sine * reach + from * reach_sine <= 0.0 {
                return 0.0;
            }
            least = least.min(from * reach - from_sine * reach_sine);
        }
        ((1.0 + least) / (1.0 - least)).sqrt()
    }

    /// Of the faces from a number on, the one nearest to the origin; `None` where none is nearer than a bound.
    fn nearest(&self, first: usize, bound: f64) -> Option<u16> {
        let mut least = bound;
        let mut found = None;
        for (index, face) in (0u16..).zip(&self.faces).skip(first) {
            if face.distance < least {
                (least, found) = (face.distance, Some(index));
            }
        }
        found
    }

    /// Replaces the connected faces that a vertex lies beyond, of which `nearest` is one, by a fan around it. False, with nothing
    /// changed, when rounding leaves no simple outline.
    fn expand(&mut self, vertex: Vertex, nearest: u16) -> bool {
        let at = vertex.difference;
        let beyond = POLYTOPE_BEYOND * at.length();
        let is_beyond = |face: &Face| face.normal.dot(at) > face.distance + beyond;
        let mut replaced: SmallVec<[u16; 16]> = smallvec![nearest];
        // Edges, and the faces across them.
        let mut outline: SmallVec<[([u16; 2], u16); 16]> = smallvec![];
        let mut next = 0;
        while let Some(&index) = replaced.get(next) {
            next += 1;
            let face = &self.faces[usize::from(index)];
            for (edge, neighbour) in face.edges().into_iter().zip(face.neighbours) {
                if replaced.contains(&neighbour) {
                    continue;
                }
                if is_beyond(&self.faces[usize::from(neighbour)]) {
                    replaced.push(neighbour);
                } else {
                    outline.push((edge, neighbour));
                }
            }
        }
        let begins = |corner: u16| outline.iter().position(|([from, _], _)| *from == corner);
        let is_simple = outline.len() >= 3
            && outline
                .iter()
                .enumerate()
                .all(|(number, &([from, to], _))| {
                    begins(from) == Some(number)
                        && begins(to).is_some()
                        && self.vertices[usize::from(from)].difference != at
                });
        if !is_simple {
            return false;
        }
        for index in replaced {
            self.faces[usize::from(index)].distance = f64::INFINITY;
        }
        let number = self.vertices.len() as u16;
        self.vertices.push(vertex);
        let first = self.faces.len();
        for &([from, to], across) in &outline {
            let follows = outline.iter().position(|([next, _], _)| *next == to);
            let leads = outline.iter().position(|([_, last], _)| *last == from);
            let new = self.faces.len() as u16;
            let beside = |place: Option<usize>| (first + place.unwrap_or_default()) as u16;
            self.add([from, to, number], [across, beside(follows), beside(leads)]);
            let outside = &mut self.faces[usize::from(across)];
            let edge = outside.edges().iter().position(|edge| *edge == [to, from]);
            outside.neighbours[edge.unwrap_or_default()] = new;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A face at half of the least depth, 30 degrees from the normal: planes that are nearer are up to 60 degrees more from it. The cotangent of half of 90
    /// degrees is 1. A face as far as the least depth hides none.
    #[test]
    fn nearer_planes_are_within_an_angle_of_the_faces() {
        let polytope = |faces: &[(DVec3, f64)]| Polytope {
            vertices: SmallVec::new(),
            faces: faces
                .iter()
                .map(|(normal, distance)| Face {
                    corners: [0; 3],
                    neighbours: [0; 3],
                    normal: *normal,
                    distance: *distance,
                })
                .collect(),
            least: 2.0,
        };
        let (sine, cosine) = std::f64::consts::FRAC_PI_6.sin_cos();
        let normal = DVec3::new(sine, 0.0, cosine);
        let near = polytope(&[(DVec3::Z, 1.0), (DVec3::NEG_Z, 2.0)]);
        let got = near.cotangent(normal);
        assert!((got - 1.0).abs() < 1e-12, "{got}");
        // Behind the origin nothing is known.
        assert_eq!(polytope(&[(DVec3::Z, -0.1)]).cotangent(normal), 0.0);
    }
}
