//! The normal of a logged contact against the exact one, for spheres, whose normal points from the nearest point to their centre.
//!
//! Other shapes touch in corners, edges and areas at once, of which engines pick one. A sphere on a mesh has a normal
//! for each triangle in range, and any of them is accepted; so is any between the normals at the two ends of the frame.
//! Normals on an edge inside a flat surface belong to C10.

use super::super::LogLine;
use super::effect::unexplained_change;
use crate::core::diagnose::detect::own_query::tilted_contact;
use crate::core::diagnose::finding::Finding;
use crate::core::query;
use crate::core::query::closest_point::closest_point_on_triangle;
use crate::core::replay::{BodyState, LoggedContact};
use crate::core::shape::{Aabb, Mesh, Pose, Shape};
use crate::core::tolerance::NORMAL_COSINE;
use glam::DVec3;

/// The finding of a contact whose unit normal is none of the exact ones.
///
/// Without an effect on the motion it is no finding, and its angle is added to `without_effect`, degrees.
pub(super) fn tilted(
    log: &LogLine<'_>,
    contact: &LoggedContact,
    normal: DVec3,
    without_effect: &mut Vec<f64>,
) -> Option<Finding> {
    let objects = log.paths.objects;
    let (a, b) = (contact.a, contact.b);
    let at = |id| match &objects[id as usize].shape {
        Shape::Sphere { radius } => Some(*radius),
        _ => None,
    };
    // With the sphere first.
    let (ball, radius, other, sign) = match (at(a), at(b)) {
        (Some(radius), _) => (a, radius, b, 1.0),
        (None, Some(radius)) => (b, radius, a, -1.0),
        (None, None) => return None,
    };
    // Past the surface the engine may still push toward the side it came from.
    if contact.depth > radius {
        return None;
    }
    let shape = &objects[other as usize].shape;
    let reach = radius + log.slack(a, b) + log.stated_margin().max(contact.depth.abs());
    let of = |ball: Option<&BodyState>, other: Option<&BodyState>| {
        normals(ball?.pose.position, radius, reach, shape, &other?.pose)
    };
    let paths = &log.paths;
    let before = of(paths.start(ball), paths.start(other));
    let after = of(paths.end(ball), paths.end(other));
    // At one of the ends the normal is unknown: the engine may have tested there.
    let known = |found: Option<BallNormals>, there: bool| match found {
        Some(BallNormals::Normals(normals)) => Some(normals),
        Some(BallNormals::Unknown) => None,
        None => (!there).then(Vec::new),
    };
    let start = known(
        before,
        paths.start(ball).is_some() && paths.start(other).is_some(),
    )?;
    let end = known(
        after,
        paths.end(ball).is_some() && paths.end(other).is_some(),
    )?;
    let logged = normal * sign;
    let supports = |ours: &DVec3| ours.dot(logged) >= NORMAL_COSINE;
    let between = |one: &DVec3, two: &DVec3| {
        let whole = one.angle_between(*two);
        let parts = one.angle_between(logged) + logged.angle_between(*two);
        parts - whole <= 2.0 * NORMAL_COSINE.acos()
    };
    let turned = start
        .iter()
        .any(|one| end.iter().any(|two| between(one, two)));
    if turned || start.iter().chain(&end).any(supports) {
        return None;
    }
    let nearest = |x: &&DVec3, y: &&DVec3| x.dot(logged).total_cmp(&y.dot(logged));
    let ours = *end.iter().chain(&start).max_by(nearest)?;
    // The part that the right normal does not have.
    let side = logged - ours * logged.dot(ours);
    let side = side.try_normalize().unwrap_or(logged);
    let effect = unexplained_change(log, contact, ball, [side, ours])
        .or_else(|| unexplained_change(log, contact, other, [-side, -ours]));
    let Some(change) = effect else {
        without_effect.push(ours.angle_between(logged).to_degrees());
        return None;
    };
    Some(tilted_contact(
        log.context,
        (log.frame.number, log.fraction()),
        contact,
        (normal, ours * sign),
        change,
    ))
}

/// Normals of a sphere at a pose.
enum BallNormals {
    /// Unit, toward its centre, of each part in range; not empty.
    Normals(Vec<DVec3>),
    /// Its centre is inside the other or on its surface, or nothing is in range: engines differ.
    Unknown,
}

/// `None` for a surface without a distance from behind.
fn normals(
    center: DVec3,
    radius: f64,
    reach: f64,
    other: &Shape,
    pose: &Pose,
) -> Option<BallNormals> {
    let found = match other {
        Shape::Mesh(mesh) => of_mesh(pose.point_to_local(center), reach, mesh)
            .into_iter()
            .map(|normal| pose.vector(normal))
            .collect(),
        Shape::Compound(compound) => {
            let mut found = Vec::new();
            for part in compound.parts() {
                match normals(center, radius, reach, &part.shape, &pose.then(&part.pose))? {
                    BallNormals::Normals(normals) => found.extend(normals),
                    BallNormals::Unknown => {}
                }
            }
            found
        }
        _ => {
            let center_shape = Shape::Sphere { radius: 0.0 };
            let gap = query::gap(&center_shape.placed(&Pose::at(center)), &other.placed(pose))?;
            if gap.distance <= 0.0 || gap.distance > reach {
                return Some(BallNormals::Unknown);
            }
            let normal = (center - gap.point_b).try_normalize();
            normal.into_iter().collect::<Vec<_>>()
        }
    };
    // Close to the centre a direction is rounding.
    Some(match found.is_empty() || radius <= 0.0 {
        true => BallNormals::Unknown,
        false => BallNormals::Normals(found),
    })
}

/// Directions to a point from every triangle in range; local.
fn of_mesh(point: DVec3, reach: f64, mesh: &Mesh) -> Vec<DVec3> {
    let mut normals = Vec::new();
    let around = Aabb {
        min: point,
        max: point,
    };
    mesh.for_each_in(&around.grown(reach), &mut |index| {
        let triangle = mesh.triangle(index);
        let nearest = closest_point_on_triangle(point, &triangle).0;
        if nearest.distance(point) <= reach {
            // Engines also return the face normal, on the sphere's side.
            let away = point - nearest;
            normals.extend(away.try_normalize());
            normals.extend(triangle.normal().map(|face| face * face.dot(away).signum()));
        }
    });
    normals
}
