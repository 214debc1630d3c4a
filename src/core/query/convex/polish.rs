//! The closest points of two cores that almost touch, from the features of their support points.
//!
//! Near a touch the difference of two support points loses digits, and a thin simplex of differences turns its normal by as much. The
//! corners, edges and triangles of either core that the simplex consists of still give their distance to rounding, in closed form.

use super::super::closed_form::axes::square_to;
use super::super::closest_point::{
    closest_point_on_segment, closest_point_on_triangle, closest_points_of_segments,
    direction_and_length, triangle_normal,
};
use super::super::operand::{Core, Operand};
use super::simplex::{Simplex, Vertex};
use crate::core::shape::{Facing, Feature, Segment, Triangle, UnitOrZero};
use glam::DVec3;
use smallvec::SmallVec;

/// Support points of one core.
type Points = SmallVec<[DVec3; 8]>;

/// Support points up to which a core is made more of: those of a simplex, and some that come nearer.
const MOST_POINTS: usize = 8;

/// Share of the size of the differences below which the distance is taken from the features (no unit): thin simplices lose digits there.
///
/// Smaller, and distances just before a touch are off by more than the error bound; larger costs time.
const NEAR_TOUCH: f64 = 1e-4;

/// The closest points of two sharp cores that are known to be apart, by about `distance`, and near which a simplex ended: any two points are
/// at least as far apart. With the normal of the features that face each other there, toward a,
/// where it separates them. `None` where the simplex itself is as good.
pub(super) fn polished(
    a: &Operand<'_>,
    b: &Operand<'_>,
    simplex: &Simplex,
    distance: f64,
) -> Option<([DVec3; 2], Option<DVec3>)> {
    let lengths = simplex
        .vertices()
        .iter()
        .map(|vertex| vertex.difference.length());
    let size = lengths.fold(0.0, f64::max);
    if distance > NEAR_TOUCH * size || is_round(a) || is_round(b) {
        return None;
    }
    let rounding = 4.0 * f64::EPSILON * size;
    let (mut of_a, mut of_b) = (Points::new(), Points::new());
    for vertex in simplex.vertices() {
        add(&mut of_a, vertex.a);
        add(&mut of_b, vertex.b);
    }
    loop {
        let (points, normal) = closest_of(&of_a, &of_b);
        let (between, distance) = direction_and_length(points[0] - points[1])?;
        // Two points that almost touch hardly have a direction between them.
        let normal = normal.map_or(between, |normal| {
            normal * 1.0_f64.copysign(normal.dot(between))
        });
        let next = Vertex::along(a, b, -normal);
        let separated = distance - next.difference.dot(normal) <= rounding;
        // The direction may be too rough for a plane between them: then all points that it leads to are there.
        let added = [add(&mut of_a, next.a), add(&mut of_b, next.b)] != [false, false];
        if separated || !added || of_a.len().max(of_b.len()) > MOST_POINTS {
            return Some((points, separated.then_some(normal)));
        }
    }
}

/// True for a cylinder or cone, whose rim has no corners.
pub(super) fn is_round(operand: &Operand<'_>) -> bool {
    matches!(operand.core, Core::Solid(_)) && operand.axis().is_some()
}

/// False for a point that is there already.
fn add(points: &mut Points, point: DVec3) -> bool {
    let new = !points.contains(&point);
    if new {
        points.push(point);
    }
    new
}

/// The closest points of the hulls of two sets of points that are apart: of corners, edges and triangles; and the direction that is square to
/// the edges or the triangle they lie on.
fn closest_of(a: &Points, b: &Points) -> ([DVec3; 2], Option<DVec3>) {
    let mut best = (f64::INFINITY, ([a[0], b[0]], None));
    let mut keep = |pair: [DVec3; 2], normal: Option<DVec3>| {
        let square = pair[0].distance_squared(pair[1]);
        if square < best.0 {
            best = (square, (pair, normal));
        }
    };
    for &point in a {
        for_each_nearest(point, b, &mut |near, normal| keep([point, near], normal));
    }
    for &point in b {
        for_each_nearest(point, a, &mut |near, normal| keep([near, point], normal));
    }
    for one in edges(a) {
        for other in edges(b) {
            let (s, t) = closest_points_of_segments(&one, &other);
            if is_within(s) && is_within(t) {
                let points = [one.a.lerp(one.b, s), other.a.lerp(other.b, t)];
                keep(points, square_to(along(&one), along(&other)));
            }
        }
    }
    best.1
}

fn is_within(share: f64) -> bool {
    0.0 < share && share < 1.0
}

fn along(edge: &Segment) -> DVec3 {
    (edge.b - edge.a).unit_or_zero()
}

/// Visits the points nearest to a point on the corners, edges and triangles of a set of points.
fn for_each_nearest(point: DVec3, points: &Points, visit: &mut impl FnMut(DVec3, Option<DVec3>)) {
    points.iter().for_each(|&corner| visit(corner, None));
    for edge in edges(points) {
        let (near, s) = closest_point_on_segment(point, &edge);
        if is_within(s) {
            let across = (point - near).reject_from_normalized(along(&edge));
            visit(near, direction_and_length(across).map(|(unit, _)| unit));
        }
    }
    for (k, &c) in points.iter().enumerate() {
        for edge in edges(&points[..k]) {
            let facing = Facing::Both;
            let Segment { a, b } = edge;
            let triangle = Triangle { a, b, c, facing };
            if let (near, Feature::Face(_)) = closest_point_on_triangle(point, &triangle) {
                visit(near, triangle_normal(&triangle));
            }
        }
    }
}

/// All segments between two of some points.
fn edges(points: &[DVec3]) -> impl Iterator<Item = Segment> {
    let ends = points.iter().enumerate();
    ends.flat_map(|(k, &b)| points.iter().take(k).map(move |&a| Segment { a, b }))
}
