//! The shapes of flat levels as files write them.

use super::rotation::Turn;
use super::shape::{MeshSource, PartText, ShapeText};
use super::shape_builder::ShapeBuilder;
use super::units::{Axis, Units};
use super::value::{Keyword, Written};
use super::vector::Vec3;
use crate::core::shape::{
    ChainFacing, Compound, CompoundPart, Plane, RoundedBox, Shape, SolidShape,
};
use glam::{DQuat, DVec2, DVec3};

impl<N: Written> ShapeText<N> {
    /// As [`Self::build`], of a flat level.
    pub(super) fn build_flat(
        &self,
        mut on: ShapeBuilder<'_>,
    ) -> Option<(Shape, Option<MeshSource>)> {
        let shape = match self {
            Self::Circle { radius } | Self::Sphere { radius } => {
                Shape::circle(on.radius(*radius, "a point is a tiny radius"))
            }
            Self::Box {
                half_extents,
                radius,
            } => {
                let half_extents = on.half_extents(*half_extents).truncate();
                if on.is_good() && half_extents.min_element() == 0.0 && radius.is_none() {
                    let help = "a line is a segment: {\"segment\": {\"a\": [x, y], \"b\": [x, y]}}";
                    let at = on.at.field("half_extents");
                    on.check
                        .problem(&at, "a box of a flat level has two extents above 0", help);
                }
                let radius = on.added_radius(*radius);
                Shape::rectangle(half_extents, radius)
            }
            Self::Capsule {
                a,
                b,
                half_height,
                radius,
            } => {
                let axis = on.axis(*a, *b, *half_height)?;
                let radius = on.radius(*radius, "without one, write segment");
                Shape::stadium(axis.a.truncate(), axis.b.truncate(), radius)
            }
            Self::Polygon { points, radius } | Self::ConvexHull { points, radius } => {
                let points = on.flat_points(points);
                let radius = on.added_radius(*radius);
                if !on.is_good() {
                    return None;
                }
                match Shape::polygon(&points, radius) {
                    Ok((shape, _)) => shape,
                    Err(reason) => {
                        on.check.problem(on.at, reason, "see `points`");
                        return None;
                    }
                }
            }
            Self::Segment { a, b } => {
                let ends = [on.point("a", *a), on.point("b", *b)].map(DVec3::truncate);
                return on.chain(&ends, false, ChainFacing::Both);
            }
            Self::Chain {
                points,
                is_loop,
                facing,
            } => {
                let points = on.flat_points(points);
                let facing = turned(facing.0, on.space.units);
                return on.chain(&points, *is_loop, facing);
            }
            Self::Plane { normal, offset } => Shape::Plane(Plane {
                normal: on.direction("normal", *normal, "the normal"),
                offset: on.length("offset", *offset, "the offset"),
            }),
            Self::Compound(parts) => on.compound(parts)?,
            Self::Cylinder { .. } | Self::Cone { .. } => {
                return on.refuse("a solid of revolution", "write a box or a polygon");
            }
            Self::Triangle { .. } => {
                return on.refuse(
                    "a triangle in space",
                    "write a polygon, or a chain for its outline",
                );
            }
            Self::HeightField { .. } | Self::Mesh { .. } => {
                return on.refuse(
                    "a surface in space",
                    "write a chain: {\"chain\": {\"points\": [[x, y], ..]}}",
                );
            }
        };
        on.is_good().then_some((shape, None))
    }

    /// As [`Self::new`], of a flat level; `None` for a shape that is not flat.
    pub(super) fn flat(shape: &Shape, units: Units) -> Option<Self> {
        let length = |metres| N::from(units.written_length(metres));
        let point = |at: DVec2| units.written(at.extend(0.0));
        if let Some((points, is_loop, facing)) = shape.as_chain() {
            if let ([a, b], ChainFacing::Both) = (&points[..], facing) {
                return Some(Self::Segment {
                    a: point(*a),
                    b: point(*b),
                });
            }
            return Some(Self::Chain {
                points: points.into_iter().map(point).collect(),
                is_loop,
                facing: Keyword::new(turned(facing, units)),
            });
        }
        if let Some((ends, radius)) = shape.as_stadium() {
            let [a, b] = as_written(shape, ends, radius, units);
            let is_upright = a == -b && a.x == 0.0;
            return Some(Self::Capsule {
                a: (!is_upright).then(|| point(a)),
                b: (!is_upright).then(|| point(b)),
                half_height: is_upright.then(|| length(b.y.abs())),
                radius: length(radius),
            });
        }
        let extents = |half: DVec3| {
            let written = units.written_extents(half);
            Vec3::flat([written.x, written.y].map(N::from))
        };
        Some(match shape {
            Shape::Sphere { radius } => Self::Circle {
                radius: length(*radius),
            },
            Shape::Box { half_extents } => Self::Box {
                half_extents: extents(*half_extents),
                radius: None,
            },
            Shape::Solid(SolidShape::RoundedBox(RoundedBox {
                half_extents,
                radius,
            })) => Self::Box {
                half_extents: extents(*half_extents),
                radius: Some(length(*radius)),
            },
            Shape::Solid(SolidShape::Hull(_)) => {
                let (points, radius) = shape.as_polygon()?;
                Self::Polygon {
                    points: points.into_iter().map(point).collect(),
                    radius: (radius > 0.0).then(|| length(radius)),
                }
            }
            Shape::Plane(Plane { normal, offset }) => Self::Plane {
                normal: units.written_way(*normal),
                offset: length(*offset),
            },
            Shape::Compound(compound) => Self::flat_compound(compound, units)?,
            Shape::Segment(_)
            | Shape::Capsule(_)
            | Shape::Triangle(_)
            | Shape::Mesh(_)
            | Shape::Solid(SolidShape::Cylinder(_) | SolidShape::Cone(_)) => return None,
        })
    }

    fn flat_compound(compound: &Compound, units: Units) -> Option<Self> {
        let text = |part: &CompoundPart| {
            Some(PartText {
                shape: Self::flat(&part.shape, units)?,
                position: units.written(part.pose.position),
                rotation: (part.pose.rotation != DQuat::IDENTITY)
                    .then(|| N::Turn::new(part.pose.rotation, units)),
            })
        };
        let parts: Option<_> = compound.parts().iter().map(text).collect();
        Some(Self::Compound(parts?))
    }
}

/// The ends of a capsule as they were written, as far as some short numbers give exactly this shape: its own are those of its middle and its turn.
fn as_written(shape: &Shape, ends: [DVec2; 2], radius: f64, units: Units) -> [DVec2; 2] {
    let rounded = |digits: usize| {
        let short = |value: f64| format!("{value:.digits$e}").parse().unwrap_or(value);
        ends.map(|end| {
            let written = units.written_vector(end.extend(0.0)).to_array().map(short);
            units.vector(written.into()).truncate()
        })
    };
    let all = [15, 14, 13, 12, 11].map(rounded);
    let same = all
        .into_iter()
        .find(|[a, b]| Shape::stadium(*a, *b, radius) == *shape);
    same.unwrap_or(ends)
}

/// Left and right of a chain are those of its numbers: where y grows downward, they are the other way around here.
fn turned(facing: ChainFacing, units: Units) -> ChainFacing {
    match units.up {
        Axis::MinusY => facing.mirrored(),
        _ => facing,
    }
}

impl ShapeBuilder<'_> {
    fn flat_points<N: Written>(&mut self, points: &[Vec3<N>]) -> Vec<DVec2> {
        let points = points.iter();
        points
            .map(|point| self.point("points", *point).truncate())
            .collect()
    }

    fn chain(
        &mut self,
        points: &[DVec2],
        is_loop: bool,
        facing: ChainFacing,
    ) -> Option<(Shape, Option<MeshSource>)> {
        if !self.is_good() {
            return None;
        }
        match Shape::chain(points, is_loop, facing) {
            Ok(shape) => Some((shape, Some(MeshSource::Inline))),
            Err(reason) => {
                self.check.problem(self.at, reason, "");
                None
            }
        }
    }

    /// A shape that a flat level does not have.
    fn refuse(&mut self, what: &str, help: &str) -> Option<(Shape, Option<MeshSource>)> {
        let what = format!("a flat level does not have {what}");
        self.check.problem(self.at, what, help);
        None
    }

    /// A shape that only a flat level has.
    pub(super) fn refuse_flat(
        &mut self,
        name: &str,
        deep: &str,
    ) -> Option<(Shape, Option<MeshSource>)> {
        let what = format!("a {name} is a shape of flat levels");
        let help = format!("write `flat: true` at the top of the level, or {deep}");
        self.check.problem(self.at, what, help);
        None
    }
}

/// Whether a flat level can have this shape.
pub(crate) fn is_flat(shape: &Shape) -> bool {
    let units = Units {
        flat: true,
        ..Units::default()
    };
    ShapeText::<f64>::flat(shape, units).is_some()
}
