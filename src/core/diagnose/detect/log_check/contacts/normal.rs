//! The normal of a logged contact against the exact one, for spheres, whose normal points from the nearest point to their centre, and for
//! other bodies amid a face of an obstacle.
//!
//! At edges these touch in corners, edges and areas at once, of which engines pick one. A sphere on a mesh has a normal
//! for each triangle in range, and any of them is accepted; so is any between the normals at the two ends of the frame.
//! Normals on an edge inside a flat surface belong to C10.

use super::effect::unexplained_change;
use crate::core::diagnose::detect::internal_edge;
use crate::core::diagnose::detect::log_check::LogLine;
use crate::core::diagnose::detect::own_query::tilted_contact;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::shape_metrics::is_surface;
use crate::core::query;
use crate::core::query::closest_point::closest_point_on_triangle;
use crate::core::replay::{BodyState, LoggedContact, ObjectId};
use crate::core::shape::{Aabb, Mesh, Pose, Shape};
use crate::core::tolerance::{NORMAL_COSINE, SLOP_SHARE};
use glam::DVec3;
use smallvec::SmallVec;

/// The sphere of a contact with its radius, the other object, and the sign of the normal toward the sphere.
fn ball_of(log: &LogLine<'_>, contact: &LoggedContact) -> Option<(ObjectId, f64, ObjectId, f64)> {
    let (a, b) = (contact.a, contact.b);
    let radius = |id: ObjectId| match log.paths.objects[id as usize].shape {
        Shape::Sphere { radius } => Some(radius),
        _ => None,
    };
    match (radius(a), radius(b)) {
        (Some(radius), _) => Some((a, radius, b, 1.0)),
        (None, Some(radius)) => Some((b, radius, a, -1.0)),
        (None, None) => None,
    }
}

/// Whether a sphere touches the other object when the frame ends, with the logged unit normal.
pub(super) fn is_exact(log: &LogLine<'_>, contact: &LoggedContact, normal: DVec3) -> bool {
    let exact = || {
        let (ball, radius, other, sign) = ball_of(log, contact)?;
        let (center, pose) = (
            log.paths.end(ball)?.pose.position,
            log.paths.end(other)?.pose,
        );
        let shape = &log.paths.objects[other as usize].shape;
        let reach = radius + log.slack(ball, other);
        match normals(center, radius, reach, shape, &pose)? {
            BallNormals::Normals(normals) => {
                Some((normals.iter()).any(|ours| ours.dot(normal) * sign >= NORMAL_COSINE))
            }
            BallNormals::Apart | BallNormals::Unknown => None,
        }
    };
    exact().unwrap_or(false)
}

/// The finding of a contact whose unit normal is none of the exact ones.
///
/// Without an effect on the motion it is no finding, and its angle is added to `without_effect`, degrees.
pub(super) fn tilted(
    log: &LogLine<'_>,
    contact: &LoggedContact,
    normal: DVec3,
    without_effect: &mut Vec<f64>,
) -> Option<Finding> {
    let Some((ball, radius, other, sign)) = ball_of(log, contact) else {
        if is_reversed(log, contact, normal) {
            without_effect.push(180.0);
            return None;
        }
        return off_face(log, contact, normal);
    };
    let shape = &log.paths.objects[other as usize].shape;
    // Past a surface the engine may still push toward the side it came from.
    if contact.depth > radius && is_surface(shape) {
        return None;
    }
    let reach = radius + log.slack(ball, other) + log.stated_margin().max(contact.depth.abs());
    let of = |ball: Option<&BodyState>, other: Option<&BodyState>| {
        normals(ball?.pose.position, radius, reach, shape, &other?.pose)
    };
    let paths = &log.paths;
    let logged = normal * sign;
    let supports = |ours: &DVec3| ours.dot(logged) >= NORMAL_COSINE;
    // `None` where the normal is unknown, as the engine may have tested there, or the logged one.
    let known = |ball: Option<&BodyState>, other: Option<&BodyState>| match of(ball, other) {
        Some(BallNormals::Normals(normals)) => {
            Some(normals).filter(|all| !all.iter().any(supports))
        }
        Some(BallNormals::Apart | BallNormals::Unknown) => None,
        None => (ball.is_none() || other.is_none()).then(NormalList::new),
    };
    let start = known(paths.start(ball), paths.start(other))?;
    let ends = (paths.end(ball), paths.end(other));
    // Whether the ball leaves what it overlaps. An engine that tests at the start has a contact all the same.
    let leaves = matches!(of(ends.0, ends.1), Some(BallNormals::Apart))
        && overlaps_at_start(log, (ball, other));
    let end = match leaves {
        // What turns takes its normals along.
        true => {
            let [from, to] = [paths.start(other)?, paths.end(other)?].map(|body| body.pose);
            let turn = |normal: &DVec3| to.vector(from.vector_to_local(*normal));
            start.iter().map(turn).collect()
        }
        false => known(ends.0, ends.1)?,
    };
    let between = |one: &DVec3, two: &DVec3| {
        let whole = one.angle_between(*two);
        let parts = one.angle_between(logged) + logged.angle_between(*two);
        parts - whole <= 2.0 * NORMAL_COSINE.acos()
    };
    let (mut of_each, mut of_all) = (
        start.iter().zip(&end),
        start
            .iter()
            .flat_map(|one| end.iter().map(move |two| (one, two))),
    );
    let is_between = |(one, two): (&DVec3, &DVec3)| between(one, two);
    let turned = match leaves {
        true => of_each.any(is_between),
        false => of_all.any(is_between),
    };
    if turned {
        return None;
    }
    let nearest = |x: &&DVec3, y: &&DVec3| x.dot(logged).total_cmp(&y.dot(logged));
    let at_end = end.iter().filter(|_| !leaves);
    let ours = *at_end.chain(&start).max_by(nearest)?;
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

/// Whether the normal of a contact of two solids, of which none is a sphere, leads into the other.
fn is_reversed(log: &LogLine<'_>, contact: &LoggedContact, normal: DVec3) -> bool {
    let placed = |id: ObjectId| {
        let shape = Some(&log.paths.objects[id as usize].shape).filter(|shape| !is_surface(shape));
        let pose = log.paths.end(id)?.pose;
        Some((shape?.placed(&pose), pose.position))
    };
    let exact = || {
        let ((a, at), (b, from)) = (placed(contact.a)?, placed(contact.b)?);
        // Of most contacts this is enough.
        if normal.dot(at - from) >= 0.0 {
            return None;
        }
        Some(query::gap(&a, &b)?.normal.dot(normal) < -NORMAL_COSINE)
    };
    exact().unwrap_or(false)
}

/// The finding of a contact of any shape amid a face, whose normal it does not have.
fn off_face(log: &LogLine<'_>, contact: &LoggedContact, normal: DVec3) -> Option<Finding> {
    let (context, surfaces) = (log.context, log.surfaces);
    let (body, normals) =
        internal_edge::off_face(context, surfaces, contact).filter(|_| log.is_reached(contact))?;
    let change = unexplained_change(log, contact, body, normals)?;
    let ours = if body == contact.a {
        normals[1]
    } else {
        -normals[1]
    };
    let at = (log.frame.number, log.fraction());
    Some(tilted_contact(context, at, contact, (normal, ours), change))
}

/// Whether a pair is deeper than the slack when the frame begins: no test there misses it.
fn overlaps_at_start(log: &LogLine<'_>, (a, b): (ObjectId, ObjectId)) -> bool {
    let placed = |id: ObjectId| {
        let shape = &log.paths.objects[id as usize].shape;
        Some(shape.placed(&log.paths.start(id)?.pose))
    };
    let contact = placed(a)
        .zip(placed(b))
        .and_then(|(a, b)| query::contact(&a, &b, &mut ()));
    contact.is_some_and(|contact| contact.depth > log.slack(a, b))
}

/// Most spheres have one.
type NormalList = SmallVec<[DVec3; 2]>;

/// Normals of a sphere at a pose.
enum BallNormals {
    /// Unit, toward its centre, of each part in range; not empty.
    Normals(NormalList),
    /// Nothing is in range.
    Apart,
    /// Its centre is inside the other or on its surface: engines differ.
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
    let found: NormalList = match other {
        Shape::Mesh(mesh) => of_mesh(pose.point_to_local(center), reach, mesh)
            .into_iter()
            .map(|normal| pose.vector(normal))
            .collect(),
        Shape::Compound(compound) => {
            let mut found = NormalList::new();
            for part in compound.parts() {
                match normals(center, radius, reach, &part.shape, &pose.then(&part.pose))? {
                    BallNormals::Normals(normals) => found.extend(normals),
                    BallNormals::Apart | BallNormals::Unknown => {}
                }
            }
            found
        }
        _ => {
            let center_shape = Shape::Sphere { radius: 0.0 };
            let gap = query::gap(&center_shape.placed(&Pose::at(center)), &other.placed(pose))?;
            if gap.distance > reach {
                return Some(BallNormals::Apart);
            }
            let Some(normal) = (center - gap.point_b).try_normalize() else {
                return Some(BallNormals::Unknown);
            };
            match gap.distance {
                outside if outside > 0.0 => NormalList::from_slice(&[normal]),
                // Hardly past a face: out of it, or on through the far one.
                inside if inside >= -SLOP_SHARE * radius => {
                    NormalList::from_slice(&[normal, -normal])
                }
                _ => return Some(BallNormals::Unknown),
            }
        }
    };
    // Close to the centre a direction is rounding.
    Some(match found.is_empty() || radius <= 0.0 {
        true => BallNormals::Unknown,
        false => BallNormals::Normals(found),
    })
}

/// Directions to a point from every triangle in range; local.
fn of_mesh(point: DVec3, reach: f64, mesh: &Mesh) -> NormalList {
    let mut normals = NormalList::new();
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
