//! One form for a solid that can be written in several ways, so that no answer depends on how it was written.

use super::compound::CompoundPart;
use super::joined::{joined_boxes, placed_at, upright};
use super::{
    Compound, ConvexHull, Facing, Mesh, Pose, RoundedBox, Shape, Solid, SolidShape, Triangle,
};
use crate::core::tolerance::{CONVEX_SHARE, SHARP_SHARE};
use glam::DVec3;
use std::sync::Arc;

/// Triangles of a mesh up to which it is tested for being convex (a count): the test takes the square of it.
const MOST_TRIANGLES: usize = 512;

/// The form in which a shape is judged; `None` where it is its own.
///
/// A compound of one part is that part. Parts without a gap that form a convex solid, and a closed convex mesh, are the hull of their
/// corners; boxes side by side among other parts are one part. A hull with the corners of a box is the box, and so is a box whose radius is
/// small against it. A mesh of one triangle is the triangle. Meshes and triangles collide from both sides: [`is_one_sided`] of the shape as
/// written says which do not.
pub(in crate::core) fn canonical(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Compound(compound) => of_compound(compound),
        Shape::Mesh(mesh) => of_mesh(mesh),
        Shape::Triangle(triangle) if triangle.facing == Facing::Front => {
            Some(Shape::Triangle(two_sided(*triangle)))
        }
        Shape::Solid(SolidShape::Hull(hull))
            if hull.radius() <= SHARP_SHARE * hull.inner_radius() =>
        {
            as_box(hull)
        }
        Shape::Solid(SolidShape::RoundedBox(RoundedBox {
            half_extents,
            radius,
        })) if *radius <= SHARP_SHARE * (half_extents.min_element() + radius) => Some(Shape::Box {
            half_extents: *half_extents + *radius,
        }),
        _ => None,
    }
}

/// True for a shape that collides from its front only, and is not a closed solid whose front is its outside.
pub(in crate::core) fn is_one_sided(shape: &Shape) -> bool {
    match shape {
        Shape::Triangle(triangle) => triangle.facing == Facing::Front,
        Shape::Mesh(mesh) => mesh.facing() == Facing::Front && convex_points(mesh).is_none(),
        _ => false,
    }
}

/// The surface of a closed mesh that [`canonical`] makes a solid, from both sides.
pub(in crate::core) fn shell(shape: &Shape) -> Option<Shape> {
    match shape {
        Shape::Mesh(mesh) if mesh.count() > 1 && convex_points(mesh).is_some() => {
            Some(Shape::Mesh(Arc::new(mesh.with_facing(Facing::Both))))
        }
        _ => None,
    }
}

fn two_sided(triangle: Triangle) -> Triangle {
    Triangle {
        facing: Facing::Both,
        ..triangle
    }
}

fn of_compound(compound: &Compound) -> Option<Shape> {
    if let Some(part) = compound.single() {
        return match canonical(&part.shape) {
            Some(shape) => Some(placed_at(&shape, &part.pose)),
            None if part.pose == Pose::IDENTITY => Some(part.shape.clone()),
            None => None,
        };
    }
    let own = compound.parts();
    let parts: Vec<CompoundPart> = own.iter().map(canonical_part).collect();
    // Boxes that form one box count once.
    let placed: Vec<(&Shape, Pose)> = parts.iter().map(|part| (&part.shape, part.pose)).collect();
    let solids = joined_boxes(&placed).into_iter().zip(&parts).enumerate();
    let solids = solids.filter_map(|(index, (joined, part))| match joined {
        Some(joined) if joined.first != index => None,
        Some(joined) => Some(placed_part(&joined.shape, &part.pose)),
        None => Some(part.clone()),
    });
    let solids: Vec<CompoundPart> = solids.collect();
    if let [solid] = &solids[..] {
        let solid = placed_at(&solid.shape, &solid.pose);
        return Some(canonical(&solid).unwrap_or(solid));
    }
    convex_whole(&solids).or_else(|| {
        let whole = (solids != own).then(|| Compound::new(solids))?;
        Some(Shape::Compound(Arc::new(whole.ok()?)))
    })
}

/// The convex solid that some parts without a gap form; `None` where they form another.
fn convex_whole(parts: &[CompoundPart]) -> Option<Shape> {
    let solids = parts.iter().map(corners_and_volume);
    let solids: Vec<(Vec<DVec3>, f64)> = solids.collect::<Option<_>>()?;
    let points = solids.iter().flat_map(|(points, _)| points);
    let hull = ConvexHull::new(points.copied().collect(), 0.0).ok()?;
    let filled: f64 = solids.iter().map(|(_, volume)| volume).sum();
    let is_convex = (volume(&hull) - filled).abs() <= CONVEX_SHARE * volume(&hull);
    is_convex.then(|| as_solid(hull))
}

fn canonical_part(part: &CompoundPart) -> CompoundPart {
    match canonical(&part.shape) {
        Some(shape) => placed_part(&shape, &part.pose),
        None => part.clone(),
    }
}

/// A shape, which may be a compound of one, as a part at a pose.
fn placed_part(shape: &Shape, pose: &Pose) -> CompoundPart {
    match shape {
        Shape::Compound(compound) if compound.single().is_some() => {
            let part = &compound.parts()[0];
            placed_part(&part.shape, &pose.then(&part.pose))
        }
        _ => CompoundPart {
            shape: shape.clone(),
            pose: *pose,
        },
    }
}

/// The corners of a sharp solid in the space of the whole, and its volume; `None` for one with a radius.
fn corners_and_volume(part: &CompoundPart) -> Option<(Vec<DVec3>, f64)> {
    let (points, volume) = match &part.shape {
        Shape::Box { half_extents } => {
            let half = *half_extents;
            let corner = |index: usize| {
                let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
                half * DVec3::new(side(0), side(1), side(2))
            };
            let volume = 8.0 * half.x * half.y * half.z;
            ((0..8).map(corner).collect::<Vec<_>>(), volume)
        }
        Shape::Solid(SolidShape::Hull(hull)) if hull.radius() == 0.0 => {
            (corner_points(hull), volume(hull))
        }
        _ => return None,
    };
    let in_whole = points.iter().map(|point| part.pose.point(*point));
    Some((in_whole.collect(), volume))
}

fn of_mesh(mesh: &Arc<Mesh>) -> Option<Shape> {
    if mesh.count() == 1 {
        return Some(Shape::Triangle(two_sided(mesh.triangle(0))));
    }
    let hull = || ConvexHull::new(convex_points(mesh)?, 0.0).ok();
    match (hull(), mesh.facing()) {
        (Some(hull), _) => Some(as_solid(hull)),
        (None, Facing::Front) => Some(Shape::Mesh(Arc::new(mesh.with_facing(Facing::Both)))),
        (None, Facing::Both) => None,
    }
}

/// The corners of a closed mesh that is the surface of a convex solid; `None` for every other mesh, and for a one-sided one with a
/// triangle that faces inward.
fn convex_points(mesh: &Mesh) -> Option<Vec<DVec3>> {
    let count = mesh.count();
    let closed = (4..=MOST_TRIANGLES).contains(&count) && mesh.edges().boundary() == 0;
    if !closed {
        return None;
    }
    let size = mesh.aabb().half_extents().length();
    let mut points: Vec<DVec3> = Vec::new();
    for corner in mesh.triangles().flatten() {
        let point = mesh.vertex(corner as usize);
        if !points.contains(&point) {
            points.push(point);
        }
    }
    let middle = points.iter().sum::<DVec3>() / points.len() as f64;
    let mut filled = 0.0;
    for index in 0..count as u32 {
        let triangle = mesh.triangle(index);
        let normal = triangle.normal()?;
        let out = normal * normal.dot(triangle.a - middle).signum();
        if mesh.facing() == Facing::Front && out.dot(normal) < 0.0 {
            return None;
        }
        let is_behind = |point: &DVec3| (*point - triangle.a).dot(out) <= CONVEX_SHARE * size;
        if !points.iter().all(is_behind) {
            return None;
        }
        let area = (triangle.b - triangle.a).cross(triangle.c - triangle.a);
        filled += area.dot(triangle.a - middle).abs() / 6.0;
    }
    // Two solids, or a surface that is there twice, fill more than the hull.
    let hull = ConvexHull::new(points.clone(), 0.0).ok()?;
    ((volume(&hull) - filled).abs() <= CONVEX_SHARE * volume(&hull)).then_some(points)
}

/// The points of a hull that are corners of its faces, each once.
fn corner_points(hull: &ConvexHull) -> Vec<DVec3> {
    let mut numbers: Vec<u32> = hull
        .faces()
        .iter()
        .flat_map(|face| face.corners.clone())
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    let points = numbers.iter().map(|number| hull.points()[*number as usize]);
    points.collect()
}

/// Volume of a hull without its radius, cubic metres.
fn volume(hull: &ConvexHull) -> f64 {
    let middle = hull.centroid();
    let part = |[a, b, c]: [DVec3; 3]| (a - middle).dot((b - middle).cross(c - middle)) / 6.0;
    hull.surface().into_iter().map(part).sum()
}

fn as_solid(hull: ConvexHull) -> Shape {
    as_box(&hull).unwrap_or_else(|| Shape::Solid(SolidShape::Hull(Arc::new(hull))))
}

/// The box that a hull is, its radius added; `None` for every other hull.
fn as_box(hull: &ConvexHull) -> Option<Shape> {
    let corners = corner_points(hull);
    if corners.len() != 8 || hull.faces().len() != 6 {
        return None;
    }
    let center = corners.iter().sum::<DVec3>() / 8.0;
    let size = corners[0].distance(center);
    let near = |one: f64, other: f64| (one - other).abs() <= CONVEX_SHARE * size;
    // The faces in pairs: along a normal, both are as far from the centre.
    let mut axes: Vec<(DVec3, f64)> = Vec::with_capacity(3);
    for face in hull.faces() {
        let height = face
            .normal
            .dot(hull.points()[face.corners[0] as usize] - center);
        match axes.iter().find(|(axis, _)| axis.dot(face.normal) < -0.5) {
            Some((axis, half)) => {
                if axis.dot(face.normal) > CONVEX_SHARE - 1.0 || !near(*half, height) {
                    return None;
                }
            }
            None => axes.push((face.normal, height)),
        }
    }
    let [(x, half_x), (y, half_y), (z, half_z)] = axes[..] else {
        return None;
    };
    let square = [x.dot(y), y.dot(z), z.dot(x)];
    if square.iter().any(|cosine| cosine.abs() > CONVEX_SHARE) {
        return None;
    }
    let half = DVec3::new(half_x, half_y, half_z) + hull.radius();
    let (rotation, half) = upright([x, y, z], half);
    let pose = Pose {
        position: if center.length() <= CONVEX_SHARE * size {
            DVec3::ZERO
        } else {
            center
        },
        rotation,
    };
    Some(placed_at(&Shape::Box { half_extents: half }, &pose))
}
