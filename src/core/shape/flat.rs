//! Shapes of flat levels, which lie in the plane z = 0.
//!
//! They are the shapes of space with a depth along z, half of it on each side of the plane: a box or a polygon is a prism, a chain of segments
//! an upright strip of triangles. Each is as deep as its outline is wide, so that the shortest way out of any two never leads along z, and
//! normals, pushes and distances are those of the outlines.

use super::canonical::canonical;
use super::convex_parts::convex_parts;
use super::joined::{Joined, joined_boxes};
use super::{
    Compound, CompoundPart, ConvexHull, Facing, Mesh, Pose, RoundedBox, Shape, Solid, SolidShape,
};
use glam::{DQuat, DVec2, DVec3};
use std::sync::Arc;

/// Most corners of an outline (a count): cutting it takes the square of it.
const MOST_CORNERS: usize = 1024;

/// The sides from which a chain of segments collides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChainFacing {
    /// From its left: the side of `(-y, x)` of a segment `(x, y)`.
    Left,
    /// From its right, as the chains of Box2D.
    Right,
    /// From both sides.
    #[default]
    Both,
}

impl ChainFacing {
    /// The same sides where y grows the other way.
    #[must_use]
    pub fn mirrored(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Both => Self::Both,
        }
    }
}

/// Half the depth of a shape whose outline is within this distance of a point.
fn depth(radius: f64) -> f64 {
    2.0 * radius
}

fn solid(hull: ConvexHull) -> Shape {
    Shape::Solid(SolidShape::Hull(Arc::new(hull)))
}

/// Farthest distance of a point from the mean.
fn radius_of(points: &[DVec2]) -> f64 {
    let mean = points.iter().sum::<DVec2>() / points.len().max(1) as f64;
    let away = points.iter().map(|point| point.distance(mean));
    away.fold(0.0, f64::max)
}

impl Shape {
    /// A circle of a flat level.
    pub fn circle(radius: f64) -> Self {
        Self::Sphere { radius }
    }

    /// A rectangle of a flat level; the radius, 0 or more, is added outside.
    pub fn rectangle(half_extents: DVec2, radius: f64) -> Self {
        let half_extents = half_extents.extend(depth(half_extents.length() + radius));
        match radius {
            0.0 => Self::Box { half_extents },
            radius => Self::Solid(SolidShape::RoundedBox(RoundedBox {
                half_extents,
                radius,
            })),
        }
    }

    /// A capsule of a flat level: a segment between two points with a radius above 0.
    pub fn stadium(a: DVec2, b: DVec2, radius: f64) -> Self {
        let along = b - a;
        let length = along.length();
        let (shape, turn) = match length {
            0.0 => (Self::circle(radius), None),
            _ => (
                Self::rectangle(DVec2::new(0.0, 0.5 * length), radius),
                Some(along / length).filter(|unit| *unit != DVec2::Y),
            ),
        };
        let pose = Pose {
            position: a.midpoint(b).extend(0.0),
            rotation: turn.map_or(DQuat::IDENTITY, |unit| {
                DQuat::from_rotation_arc(DVec3::Y, unit.extend(0.0))
            }),
        };
        placed(shape, pose)
    }

    /// The two ends and the radius of a capsule of a flat level; `None` for every other shape.
    pub fn as_stadium(&self) -> Option<([DVec2; 2], f64)> {
        match self {
            Self::Solid(SolidShape::RoundedBox(RoundedBox {
                half_extents,
                radius,
            })) if half_extents.x == 0.0 => {
                let end = DVec2::new(0.0, half_extents.y);
                Some(([-end, end], *radius))
            }
            Self::Compound(compound) => {
                let part = compound.single()?;
                let (ends, radius) = part.shape.as_stadium()?;
                let placed = |end: DVec2| part.pose.point(end.extend(0.0)).truncate();
                Some((ends.map(placed), radius))
            }
            _ => None,
        }
    }

    /// A capsule of a flat level with another radius; `None` for every other shape.
    pub fn as_stadium_of(&self, radius: f64) -> Option<Self> {
        let (mut shape, pose) = match self {
            Self::Compound(compound) => {
                let part = compound.single()?;
                (part.shape.clone(), part.pose)
            }
            _ => (self.clone(), Pose::IDENTITY),
        };
        match &mut shape {
            Self::Solid(SolidShape::RoundedBox(rounded)) if rounded.half_extents.x == 0.0 => {
                rounded.radius = radius;
            }
            _ => return None,
        }
        Some(placed(shape, pose))
    }

    /// A polygon of a flat level by its corners, in either order around it; the radius, 0 or more, is added outside. One that is not convex is
    /// cut into convex parts: the second value is their number.
    ///
    /// # Errors
    /// A sentence: it has no area, crosses itself, or has too many corners.
    pub fn polygon(points: &[DVec2], radius: f64) -> Result<(Self, usize), String> {
        if points.len() < 3 {
            return Err(format!(
                "a polygon has 3 corners or more, this one has {}; two are a segment or a capsule",
                points.len()
            ));
        }
        if points.len() > MOST_CORNERS {
            return Err(format!(
                "a polygon has at most {MOST_CORNERS} corners, this one has {}",
                points.len()
            ));
        }
        let parts = convex_parts(points)?;
        let prism = |corners: &[usize]| {
            let corners: Vec<DVec2> = corners.iter().map(|corner| points[*corner]).collect();
            let deep = depth(radius_of(&corners) + radius);
            let both = corners
                .iter()
                .flat_map(|corner| [corner.extend(-deep), corner.extend(deep)]);
            ConvexHull::new(both.collect(), radius).map(solid)
        };
        if let [_] = &parts[..] {
            let as_written: Vec<usize> = (0..points.len()).collect();
            return Ok((prism(&as_written)?, 1));
        }
        let solids = parts.iter().map(|part| {
            Ok(CompoundPart {
                shape: prism(part)?,
                pose: Pose::IDENTITY,
            })
        });
        let compound = Compound::new(solids.collect::<Result<_, String>>()?)?;
        Ok((Self::Compound(Arc::new(compound)), parts.len()))
    }

    /// A chain of segments of a flat level; closed, its last point is joined to its first.
    ///
    /// # Errors
    /// A sentence: it has too few points, or two that follow each other are one.
    pub fn chain(points: &[DVec2], is_closed: bool, facing: ChainFacing) -> Result<Self, String> {
        let least = if is_closed { 3 } else { 2 };
        if points.len() < least {
            let name = if is_closed {
                "a closed chain"
            } else {
                "a chain"
            };
            return Err(format!(
                "{name} has {least} points or more, this one has {}",
                points.len()
            ));
        }
        let count = points.len();
        let edges = if is_closed { count } else { count - 1 };
        let ends = |edge: usize| [edge, (edge + 1) % count];
        let lengths = (0..edges).map(|edge| {
            let [a, b] = ends(edge);
            points[a].distance(points[b])
        });
        let longest = lengths.clone().fold(0.0, f64::max);
        if let Some(edge) = lengths.clone().position(|length| length == 0.0) {
            return Err(format!("points {edge} and {} are one", ends(edge)[1]));
        }
        let deep = depth(longest);
        let vertices = points
            .iter()
            .flat_map(|point| [point.extend(-deep), point.extend(deep)]);
        let triangles = (0..edges).flat_map(|edge| {
            let [a, b] = ends(edge).map(|point| 2 * point as u32);
            match facing {
                ChainFacing::Right => [[a, b, b + 1], [a, b + 1, a + 1]],
                ChainFacing::Left | ChainFacing::Both => [[a, b + 1, b], [a, a + 1, b + 1]],
            }
        });
        let side = match facing {
            ChainFacing::Both => Facing::Both,
            ChainFacing::Left | ChainFacing::Right => Facing::Front,
        };
        let mesh = Mesh::new(vertices.collect(), triangles.collect(), side)?;
        Ok(Self::Mesh(Arc::new(mesh)))
    }

    /// The points of a chain of a flat level, whether it is closed, and its sides; `None` for every other shape.
    pub fn as_chain(&self) -> Option<(Vec<DVec2>, bool, ChainFacing)> {
        let Self::Mesh(mesh) = self else { return None };
        let vertices: Vec<DVec3> = mesh.vertices().collect();
        let points: Vec<DVec2> = vertices
            .iter()
            .step_by(2)
            .map(|low| low.truncate())
            .collect();
        let is_closed = mesh.count() == vertices.len();
        let second = mesh.triangles().next()?[1];
        let facing = match (mesh.facing(), second % 2) {
            (Facing::Both, _) => ChainFacing::Both,
            (Facing::Front, 0) => ChainFacing::Right,
            (Facing::Front, _) => ChainFacing::Left,
        };
        let same = Self::chain(&points, is_closed, facing).ok()?;
        (same == *self).then_some((points, is_closed, facing))
    }

    /// The corners of the outline of a shape of a flat level, and the radius around them; `None` for a plane and a compound.
    pub fn outline_corners(&self) -> Option<(Vec<DVec2>, f64)> {
        let corners = |half: DVec3| {
            let half = half.truncate();
            vec![half, half.with_x(-half.x), -half, half.with_y(-half.y)]
        };
        Some(match self {
            Self::Sphere { radius } => (vec![DVec2::ZERO], *radius),
            Self::Box { half_extents } => (corners(*half_extents), 0.0),
            Self::Solid(SolidShape::RoundedBox(rounded)) => {
                (corners(rounded.half_extents), rounded.radius)
            }
            Self::Solid(SolidShape::Hull(_)) => self.as_polygon()?,
            Self::Mesh(_) => {
                let (segments, _) = self.chain_segments();
                (segments.into_flattened(), 0.0)
            }
            _ => return None,
        })
    }

    /// The segments of a chain of a flat level, each as a mesh has it, and the sign of the side from which they collide: 1 left, -1 right,
    /// 0 both.
    pub fn chain_segments(&self) -> (Vec<[DVec2; 2]>, f64) {
        let Self::Mesh(mesh) = self else {
            return (Vec::new(), 0.0);
        };
        let point = |corner: u32| mesh.vertex(corner as usize).truncate();
        let firsts = mesh.triangles().step_by(2);
        let segments = firsts.clone().map(|[a, b, _]| [point(a), point(b)]);
        let is_left = firsts.take(1).any(|[_, second, _]| second % 2 == 1);
        let side = match mesh.facing() {
            Facing::Both => 0.0,
            Facing::Front if is_left => 1.0,
            Facing::Front => -1.0,
        };
        (segments.collect(), side)
    }

    /// The corners and the radius of a convex polygon of a flat level; `None` for every other shape.
    pub fn as_polygon(&self) -> Option<(Vec<DVec2>, f64)> {
        let Self::Solid(SolidShape::Hull(hull)) = self else {
            return None;
        };
        let front = hull.points().iter().filter(|point| point.z > 0.0);
        Some((front.map(|point| point.truncate()).collect(), hull.radius()))
    }
}

impl Shape {
    /// The shape of a flat level with this outline, however deep it is; `None` for one that a flat level does not have.
    pub fn flattened(&self) -> Option<Self> {
        let outline = |shape: &Self| match shape {
            Self::Sphere { .. } | Self::Plane(_) => Some(shape.clone()),
            Self::Box { half_extents } => Some(Self::rectangle(half_extents.truncate(), 0.0)),
            Self::Solid(SolidShape::RoundedBox(rounded)) => Some(Self::rectangle(
                rounded.half_extents.truncate(),
                rounded.radius,
            )),
            Self::Solid(SolidShape::Hull(_)) => {
                let (points, radius) = shape.as_polygon()?;
                Some(Self::polygon(&points, radius).ok()?.0)
            }
            Self::Capsule(capsule) => Some(Self::stadium(
                capsule.segment.a.truncate(),
                capsule.segment.b.truncate(),
                capsule.radius,
            )),
            Self::Mesh(mesh) => {
                let (segments, side) = shape.chain_segments();
                let mut points: Vec<DVec2> = segments.iter().map(|[a, _]| *a).collect();
                let is_closed = mesh.count() == mesh.vertices().len();
                points.extend(segments.last().filter(|_| !is_closed).map(|[_, b]| *b));
                let facing = match side {
                    1.0 => ChainFacing::Left,
                    -1.0 => ChainFacing::Right,
                    _ => ChainFacing::Both,
                };
                Self::chain(&points, is_closed, facing).ok()
            }
            _ => None,
        };
        let Self::Compound(compound) = self else {
            return outline(self);
        };
        let parts = compound.parts().iter().map(|part| {
            Some(CompoundPart {
                shape: outline(&part.shape)?,
                pose: part.pose,
            })
        });
        let parts = Compound::new(parts.collect::<Option<_>>()?).ok()?;
        Some(Self::Compound(Arc::new(parts)))
    }
}

/// As [`canonical`]; in a flat level, how deep the parts of a solid are does not count.
pub(in crate::core) fn canonical_in(shape: &Shape, is_flat: bool) -> Option<Shape> {
    match shape {
        Shape::Compound(compound) if is_flat && compound.single().is_none() => {
            canonical(&as_deep(shape, depth_of(shape)))
        }
        _ => canonical(shape),
    }
}

/// As [`joined_boxes`]; in a flat level, how deep the boxes are does not count.
pub(in crate::core) fn joined_in(solids: &[(&Shape, Pose)], is_flat: bool) -> Vec<Option<Joined>> {
    if !is_flat {
        return joined_boxes(solids);
    }
    let depths = solids.iter().map(|(shape, _)| depth_of(shape));
    let most = depths.fold(0.0, f64::max);
    let deep: Vec<Shape> = solids
        .iter()
        .map(|(shape, _)| as_deep(shape, most))
        .collect();
    let poses = solids.iter().map(|(_, pose)| *pose);
    joined_boxes(&deep.iter().zip(poses).collect::<Vec<_>>())
}

/// Half the depth of the deepest box or polygon of a shape.
fn depth_of(shape: &Shape) -> f64 {
    match shape {
        Shape::Box { half_extents } => half_extents.z,
        Shape::Solid(SolidShape::RoundedBox(rounded)) => rounded.half_extents.z,
        Shape::Solid(SolidShape::Hull(hull)) => {
            let heights = hull.points().iter().map(|point| point.z);
            heights.fold(0.0, f64::max)
        }
        Shape::Compound(compound) => {
            let parts = compound.parts().iter().map(|part| depth_of(&part.shape));
            parts.fold(0.0, f64::max)
        }
        _ => 0.0,
    }
}

/// A shape whose boxes and polygons have this depth.
fn as_deep(shape: &Shape, depth: f64) -> Shape {
    let mut shape = shape.clone();
    match &mut shape {
        Shape::Box { half_extents } => half_extents.z = depth,
        Shape::Solid(SolidShape::RoundedBox(rounded)) => rounded.half_extents.z = depth,
        Shape::Solid(SolidShape::Hull(hull)) => {
            let points = hull.points().iter();
            let points = points.map(|point| point.truncate().extend(depth.copysign(point.z)));
            if let Ok(deep) = ConvexHull::new(points.collect(), hull.radius()) {
                *hull = Arc::new(deep);
            }
        }
        Shape::Compound(compound) => {
            let parts = compound.parts().iter().map(|part| CompoundPart {
                shape: as_deep(&part.shape, depth),
                pose: part.pose,
            });
            if let Ok(deep) = Compound::new(parts.collect()) {
                *compound = Arc::new(deep);
            }
        }
        _ => {}
    }
    shape
}

/// A shape at a pose in its object.
fn placed(shape: Shape, pose: Pose) -> Shape {
    if pose == Pose::IDENTITY {
        return shape;
    }
    let compound = Compound::new(vec![CompoundPart { shape, pose }]);
    Shape::Compound(Arc::new(compound.expect("a convex solid is a part")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_come_back_as_they_were_made() {
        let points = [[0.0, 0.0], [2.0, 0.5], [3.0, 2.0]].map(DVec2::from_array);
        for is_closed in [false, true] {
            for facing in [ChainFacing::Left, ChainFacing::Right, ChainFacing::Both] {
                let chain = Shape::chain(&points, is_closed, facing).unwrap();
                assert_eq!(chain.as_chain(), Some((points.to_vec(), is_closed, facing)));
                let Shape::Mesh(mesh) = &chain else {
                    panic!("a chain is a mesh")
                };
                // The first segment runs along (2, 0.5): its left is (-0.5, 2).
                let normal = mesh.triangle(0).normal().unwrap();
                let left = if facing == ChainFacing::Right {
                    -1.0
                } else {
                    1.0
                };
                assert!(normal.dot(DVec3::new(-0.5, 2.0, 0.0)) * left > 0.0);
            }
        }
        let (triangle, parts) = Shape::polygon(&points, 0.1).unwrap();
        assert_eq!(
            (parts, triangle.as_polygon()),
            (1, Some((points.to_vec(), 0.1)))
        );
        let (ends, radius) = Shape::stadium(points[0], points[1], 0.3)
            .as_stadium()
            .unwrap();
        assert_eq!(radius, 0.3);
        assert!(
            ends.iter()
                .zip(&points)
                .all(|(end, point)| end.distance(*point) < 1e-15)
        );
    }
}
