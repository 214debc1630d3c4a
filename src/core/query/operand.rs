//! A convex shape as queries work on it: a core in world space and a radius.

use super::closest_point::triangle_normal;
use crate::core::shape::{
    Aabb, Facing, Feature, Obb, Placed, Pose, Segment, Solid, SolidFeature, SolidShape, Triangle,
    box_feature, core_aabb,
};
use crate::core::tolerance::{BOUND_ULPS, FEATURE_ANGLE};
use glam::{DMat3, DVec3};
use smallvec::SmallVec;

/// A convex shape: all points within `radius` of a core.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operand<'s> {
    pub core: Core<'s>,
    /// Metres, >= 0.
    pub radius: f64,
}

/// A convex set of points, world space or relative to some origin.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Core<'s> {
    Point(DVec3),
    Segment(Segment),
    Triangle(Face),
    Cuboid(Cuboid),
    Solid(PosedSolid<'s>),
}

/// A triangle and its normal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub triangle: Triangle,
    /// Unit; `None` without area.
    pub normal: Option<DVec3>,
}

/// A box by its axes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cuboid {
    pub center: DVec3,
    /// Unit, as columns.
    pub axes: DMat3,
    pub half_extents: DVec3,
}

/// A solid at a pose.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PosedSolid<'s> {
    pub solid: &'s SolidShape,
    /// Local to world.
    pub axes: DMat3,
    pub position: DVec3,
}

/// The part of a core that touches a plane.
pub(crate) type Part = SolidFeature;

impl Face {
    pub fn of(triangle: Triangle) -> Self {
        Self {
            normal: triangle_normal(&triangle),
            triangle,
        }
    }

    /// The front that a shape must be on to collide; `None` when both sides collide.
    #[inline]
    pub fn front(&self) -> Option<DVec3> {
        self.normal
            .filter(|_| self.triangle.facing == Facing::Front)
    }
}

impl Cuboid {
    #[inline]
    pub fn of(obb: &Obb) -> Self {
        Self {
            center: obb.center,
            axes: obb.axes(),
            half_extents: obb.half_extents,
        }
    }

    pub fn to_local(self, point: DVec3) -> DVec3 {
        self.axes.transpose() * (point - self.center)
    }

    pub fn to_world(self, point: DVec3) -> DVec3 {
        self.center + self.axes * point
    }
}

impl<'s> PosedSolid<'s> {
    #[inline]
    pub fn new(solid: &'s SolidShape, pose: &Pose) -> Self {
        Self {
            solid,
            axes: pose.axes(),
            position: pose.position,
        }
    }
}

impl<'s> Operand<'s> {
    /// A convex shape in the world. Planes, meshes and compounds are no operands: [`super::view::View`] takes them apart first.
    #[inline(always)]
    pub fn of_placed(placed: &Placed<'s>) -> Self {
        match placed {
            Placed::Sphere(sphere) => Self::point(sphere.center, sphere.radius),
            Placed::Obb(obb) => Self::obb(obb),
            Placed::Segment(segment) => Self::segment(*segment, 0.0),
            Placed::Capsule(capsule) => Self::segment(capsule.segment, capsule.radius),
            Placed::Triangle(triangle) => Self::triangle(*triangle),
            Placed::Solid(solid, pose) => Self::solid(solid, pose),
            Placed::Plane(_) | Placed::Mesh(..) | Placed::Compound(..) => {
                unreachable!("not convex")
            }
        }
    }

    #[inline(always)]
    pub fn point(center: DVec3, radius: f64) -> Self {
        Self::of(Core::Point(center), radius)
    }

    #[inline(always)]
    pub fn segment(segment: Segment, radius: f64) -> Self {
        // Without length it acts as a point.
        let core = match segment.a == segment.b {
            true => Core::Point(segment.a),
            false => Core::Segment(segment),
        };
        Self::of(core, radius)
    }

    #[inline]
    pub fn triangle(triangle: Triangle) -> Self {
        Self::of(Core::Triangle(Face::of(triangle)), 0.0)
    }

    #[inline]
    pub fn obb(obb: &Obb) -> Self {
        Self::of(Core::Cuboid(Cuboid::of(obb)), 0.0)
    }

    #[inline]
    pub fn solid(solid: &'s SolidShape, pose: &Pose) -> Self {
        Self::of(Core::Solid(PosedSolid::new(solid, pose)), solid.radius())
    }

    #[inline(always)]
    fn of(core: Core<'s>, radius: f64) -> Self {
        Self { core, radius }
    }

    /// The triangle, where it is one.
    #[inline]
    pub fn face(&self) -> Option<&Face> {
        match &self.core {
            Core::Triangle(face) => Some(face),
            _ => None,
        }
    }

    /// The front that a shape must be on to collide; `None` for all but one-sided triangles.
    #[inline]
    pub fn front(&self) -> Option<DVec3> {
        self.face().and_then(Face::front)
    }

    /// The unit axis about which the core may be turned by any angle and stays the same.
    pub fn axis(&self) -> Option<DVec3> {
        match &self.core {
            Core::Segment(segment) => (segment.b - segment.a).try_normalize(),
            Core::Solid(posed) => posed.solid.axis().map(|axis| posed.axes * axis),
            _ => None,
        }
    }

    /// The same shape moved by a displacement.
    #[must_use]
    pub fn moved(&self, by: DVec3) -> Self {
        let mut moved = *self;
        match &mut moved.core {
            Core::Point(point) => *point += by,
            Core::Segment(segment) => {
                segment.a += by;
                segment.b += by;
            }
            Core::Triangle(Face { triangle, .. }) => {
                triangle.a += by;
                triangle.b += by;
                triangle.c += by;
            }
            Core::Cuboid(cuboid) => cuboid.center += by,
            Core::Solid(posed) => posed.position += by,
        }
        moved
    }

    /// A point inside, from which the side of a one-sided triangle is judged.
    #[inline]
    pub fn center(&self) -> DVec3 {
        match &self.core {
            Core::Point(point) => *point,
            Core::Segment(segment) => segment.a.midpoint(segment.b),
            Core::Triangle(Face { triangle, .. }) => triangle.centroid(),
            Core::Cuboid(cuboid) => cuboid.center,
            Core::Solid(posed) => posed.position + posed.axes * posed.solid.centroid(),
        }
    }

    /// A point of the core that is farthest along a direction.
    #[inline(always)]
    pub fn support(&self, direction: DVec3) -> DVec3 {
        match &self.core {
            Core::Point(point) => *point,
            Core::Segment(segment) => {
                if (segment.b - segment.a).dot(direction) > 0.0 {
                    segment.b
                } else {
                    segment.a
                }
            }
            Core::Triangle(Face { triangle, .. }) => {
                let Triangle { a, b, c, .. } = triangle;
                let (ab, ac) = ((b - a).dot(direction), (c - a).dot(direction));
                if ab > 0.0 && ab >= ac {
                    *b
                } else if ac > 0.0 {
                    *c
                } else {
                    *a
                }
            }
            Core::Cuboid(cuboid) => {
                let local = cuboid.axes.transpose() * direction;
                cuboid.center + cuboid.axes * cuboid.half_extents.copysign(local)
            }
            Core::Solid(posed) => {
                let local = posed.solid.support(posed.axes.transpose() * direction);
                posed.position + posed.axes * local
            }
        }
    }

    /// The part of the core that touches a plane coming from a unit direction.
    pub fn part(&self, direction: DVec3) -> Part {
        match &self.core {
            Core::Point(point) => Part {
                feature: Feature::Round,
                ..Part::vertex(0, *point)
            },
            Core::Segment(Segment { a, b }) => part_of(&[*a, *b], direction),
            Core::Triangle(Face { triangle, normal }) => {
                let Triangle { a, b, c, .. } = *triangle;
                let mut part = part_of(&[a, b, c], direction);
                if part.points.len() == 3 {
                    let toward = |normal: DVec3| normal * 1.0_f64.copysign(normal.dot(direction));
                    part.normal = normal.map(toward);
                }
                part
            }
            Core::Cuboid(cuboid) => {
                let local = cuboid.axes.transpose() * direction;
                let (feature, mut points) = box_feature(local, cuboid.half_extents, FEATURE_ANGLE);
                points
                    .iter_mut()
                    .for_each(|point| *point = cuboid.to_world(*point));
                let axis = local.abs().max_position();
                let normal = cuboid.axes.col(axis) * 1.0_f64.copysign(local[axis]);
                Part {
                    feature,
                    normal: (points.len() == 4).then_some(normal),
                    points,
                }
            }
            Core::Solid(posed) => {
                let mut part = posed.solid.feature(posed.axes.transpose() * direction);
                let to_world = |point: &mut DVec3| *point = posed.position + posed.axes * *point;
                part.points.iter_mut().for_each(to_world);
                part.normal = part.normal.map(|normal| posed.axes * normal);
                part
            }
        }
    }

    /// The tight box around the shape, radius included.
    pub fn aabb(&self) -> Aabb {
        let core = match &self.core {
            Core::Point(point) => Aabb {
                min: *point,
                max: *point,
            },
            Core::Segment(segment) => segment.aabb(),
            Core::Triangle(face) => face.triangle.aabb(),
            Core::Cuboid(cuboid) => {
                let Cuboid {
                    axes, half_extents, ..
                } = cuboid;
                let half = axes.x_axis.abs() * half_extents.x
                    + axes.y_axis.abs() * half_extents.y
                    + axes.z_axis.abs() * half_extents.z;
                Aabb {
                    min: cuboid.center - half,
                    max: cuboid.center + half,
                }
            }
            Core::Solid(posed) => core_aabb(posed.solid, &posed.axes, posed.position),
        };
        core.grown(self.radius)
    }

    /// The largest coordinate that enters a query, metres.
    #[inline]
    pub fn largest(&self) -> f64 {
        let points = match &self.core {
            Core::Point(point) => point.abs(),
            Core::Segment(Segment { a, b }) => a.abs().max(b.abs()),
            Core::Triangle(Face { triangle, .. }) => {
                let Triangle { a, b, c, .. } = triangle;
                a.abs().max(b.abs()).max(c.abs())
            }
            Core::Cuboid(cuboid) => cuboid.center.abs() + cuboid.half_extents,
            Core::Solid(posed) => {
                posed.position.abs() + DVec3::splat(posed.solid.bounding_radius())
            }
        };
        points.max_element() + self.radius
    }

    /// Radius of a sphere around [`Self::center`] that holds the shape, metres.
    #[inline]
    pub fn bounding_radius(&self) -> f64 {
        let core = match &self.core {
            Core::Point(_) => 0.0,
            Core::Segment(segment) => segment.sphere().1,
            Core::Triangle(Face { triangle, .. }) => triangle.sphere().1,
            Core::Cuboid(cuboid) => cuboid.half_extents.length(),
            Core::Solid(posed) => posed.solid.outer_radius() - posed.solid.radius(),
        };
        core + self.radius
    }

    /// True for boxes and triangles with area: pairs of them are decided on separating axes.
    #[inline]
    pub fn is_flat(&self) -> bool {
        match &self.core {
            Core::Triangle(face) => face.normal.is_some(),
            core => matches!(core, Core::Cuboid(_)),
        }
    }
}

/// Error bound of a distance between two shapes, metres: [`BOUND_ULPS`] units in the last place of the largest coordinate.
#[inline]
pub(crate) fn error_bound(a: &Operand<'_>, b: &Operand<'_>) -> f64 {
    BOUND_ULPS * f64::EPSILON * a.largest().max(b.largest())
}

/// The points of a segment or triangle that are farthest along a unit direction.
fn part_of(points: &[DVec3], direction: DVec3) -> Part {
    let first = points[0];
    let along = |point: &DVec3| (*point - first).dot(direction);
    let most = points.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
    let size = points
        .iter()
        .map(|point| point.distance_squared(first))
        .fold(0.0, f64::max)
        .sqrt();
    let touching = |point: &DVec3| along(point) >= most - FEATURE_ANGLE * size;
    let found: SmallVec<[u32; 3]> = (0u32..)
        .zip(points)
        .filter(|(_, point)| touching(point))
        .map(|(index, _)| index)
        .collect();
    let feature = match (&found[..], points.len()) {
        (&[vertex], _) => Feature::Vertex(vertex),
        (_, 2) | (&[0, 1], _) => Feature::Edge(0),
        (&[1, 2], _) => Feature::Edge(1),
        (&[0, 2], _) => Feature::Edge(2),
        _ => Feature::Face(0),
    };
    Part {
        feature,
        points: found.iter().map(|&index| points[index as usize]).collect(),
        normal: None,
    }
}
