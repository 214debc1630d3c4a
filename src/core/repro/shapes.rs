//! Parts of shapes, and simpler shapes of about the same size.

use crate::core::shape::{Aabb, Compound, CompoundPart, Mesh, Pose, Shape};
use glam::{DVec2, DVec3};
use std::collections::HashMap;
use std::sync::Arc;

/// The part of a mesh, a chain or a compound that overlaps a box in its space; `None` where that is all of it, or nothing.
pub fn cut(shape: &Shape, region: &Aabb) -> Option<Shape> {
    if let Shape::Compound(compound) = shape {
        return cut_compound(compound, region);
    }
    let Shape::Mesh(mesh) = shape else {
        return None;
    };
    match shape.as_chain() {
        Some((points, is_closed, facing)) => {
            let (points, is_closed) = cut_chain(&points, is_closed, region)?;
            Shape::chain(&points, is_closed, facing).ok()
        }
        None => cut_mesh(mesh, region),
    }
}

fn cut_mesh(mesh: &Mesh, region: &Aabb) -> Option<Shape> {
    let mut kept = Vec::new();
    mesh.for_each_in(region, &mut |triangle| kept.push(triangle));
    kept.sort_unstable();
    kept.dedup();
    if kept.is_empty() || kept.len() == mesh.count() {
        return None;
    }
    let mut new_index: HashMap<u32, u32> = HashMap::new();
    let mut vertices: Vec<DVec3> = Vec::new();
    let is_kept = |(_, triangle): &([u32; 3], u32)| kept.binary_search(triangle).is_ok();
    let triangles = mesh
        .triangles()
        .zip(0..)
        .filter(is_kept)
        .map(|(corners, _)| {
            corners.map(|old| {
                *new_index.entry(old).or_insert_with(|| {
                    vertices.push(mesh.vertex(old as usize));
                    vertices.len() as u32 - 1
                })
            })
        });
    let triangles = triangles.collect();
    Some(Shape::Mesh(Arc::new(
        Mesh::new(vertices, triangles, mesh.facing()).ok()?,
    )))
}

/// The points of the segments in a box, from the first to the last of them.
fn cut_chain(points: &[DVec2], is_closed: bool, region: &Aabb) -> Option<(Vec<DVec2>, bool)> {
    let edges = if is_closed {
        points.len()
    } else {
        points.len() - 1
    };
    let at = |index: usize| points[index % points.len()];
    let is_near = |edge: &usize| {
        let ends = [at(*edge), at(edge + 1)].map(|point| point.extend(0.0));
        Aabb::of_points(ends).is_some_and(|edge| edge.overlaps(region))
    };
    let first = (0..edges).find(is_near)?;
    let last = (0..edges).rev().find(is_near)?;
    let kept = last + 1 - first;
    (kept < edges).then(|| ((first..=last + 1).map(at).collect(), false))
}

fn cut_compound(compound: &Compound, region: &Aabb) -> Option<Shape> {
    let parts = compound.parts();
    let is_near = |part: &&CompoundPart| {
        part.shape
            .placed(&part.pose)
            .aabb()
            .is_some_and(|aabb| aabb.overlaps(region))
    };
    let near: Vec<CompoundPart> = parts.iter().filter(is_near).cloned().collect();
    if near.is_empty() || near.len() == parts.len() {
        return None;
    }
    match &near[..] {
        [part] if part.pose == Pose::IDENTITY => Some(part.shape.clone()),
        _ => Some(Shape::Compound(Arc::new(Compound::new(near).ok()?))),
    }
}

/// Shapes that are written with fewer numbers, in the same space: a ball and a box.
pub fn simpler_shapes(shape: &Shape, is_flat: bool) -> Vec<Shape> {
    let is_simple = matches!(
        shape,
        Shape::Sphere { .. }
            | Shape::Box { .. }
            | Shape::Plane(_)
            | Shape::Segment(_)
            | Shape::Triangle(_)
    );
    let Some(bounds) = shape.placed(&Pose::IDENTITY).aabb().filter(|_| !is_simple) else {
        return Vec::new();
    };
    let half = bounds.half_extents();
    // A shape around another place would need another position.
    if bounds.center().length() > 1e-6 * half.length() {
        return Vec::new();
    }
    let sides = if is_flat {
        &half.to_array()[..2]
    } else {
        &half.to_array()[..]
    };
    let narrowest = sides.iter().copied().fold(f64::INFINITY, f64::min);
    let widest = sides.iter().copied().fold(0.0, f64::max);
    let ball = Shape::Sphere { radius: narrowest };
    let cuboid = match is_flat {
        true => Shape::rectangle(half.truncate(), 0.0),
        false => Shape::Box { half_extents: half },
    };
    let is_round = narrowest > 0.9 * widest && !matches!(shape, Shape::Mesh(_));
    let simpler = [
        (ball, is_round),
        (cuboid.clone(), narrowest > 0.0 && cuboid != *shape),
    ];
    simpler
        .into_iter()
        .filter(|(_, fits)| *fits)
        .map(|(shape, _)| shape)
        .collect()
}
