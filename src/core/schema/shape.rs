//! A shape as files write it: `Sphere(radius: 1.0)` in a scene, `{"sphere": {"radius": 1}}` in a log.
//!
//! A new shape is one variant of [`ShapeText`], one arm of [`ShapeText::build`] and one of [`ShapeText::new`].

use super::rotation::Turn;
use super::units::Units;
use super::value::{Camel, Keyword, Triple, Written};
use super::vector::Vec3;
use crate::core::problem::Problem;
use crate::core::shape::{
    Capsule, ChainFacing, CompoundPart, Diagonal, Facing, Mesh, Plane, Segment, Shape, Solid,
    SolidShape, Triangle,
};
use glam::DQuat;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::sync::Arc;

/// A shape with the numbers of a text; see the variants of [`Shape`].
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(
    remote = "Self",
    rename = "Shape",
    rename_all = "snake_case",
    deny_unknown_fields,
    bound = "N: Written"
)]
pub enum ShapeText<N: Written> {
    Sphere {
        radius: N,
    },
    /// With a radius, the box is rounded: the radius is added outside.
    Box {
        half_extents: Vec3<N>,
        #[serde(skip_serializing_if = "Option::is_none")]
        radius: Option<N>,
    },
    Segment {
        a: Vec3<N>,
        b: Vec3<N>,
    },
    /// Between two points, or of a half height along the up axis.
    Capsule {
        #[serde(skip_serializing_if = "Option::is_none")]
        a: Option<Vec3<N>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        b: Option<Vec3<N>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        half_height: Option<N>,
        radius: N,
    },
    /// Along the up axis.
    Cylinder {
        half_height: N,
        radius: N,
    },
    /// Along the up axis, its tip above.
    Cone {
        half_height: N,
        radius: N,
    },
    /// The hull of points; with a radius, it is added outside.
    ConvexHull {
        points: Vec<Vec3<N>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        radius: Option<N>,
    },
    /// Convex shapes as one.
    Compound(Vec<PartText<N>>),
    Triangle {
        a: Vec3<N>,
        b: Vec3<N>,
        c: Vec3<N>,
        #[serde(default, skip_serializing_if = "Keyword::is_default")]
        facing: Keyword<N, Facing>,
    },
    Plane {
        normal: Vec3<N>,
        #[serde(default = "zero", skip_serializing_if = "is_left_out")]
        offset: N,
    },
    /// Rows of heights along z, columns along x, centred.
    HeightField {
        heights: Vec<Vec<N>>,
        cell: [N; 2],
        #[serde(default, skip_serializing_if = "Keyword::is_default")]
        diagonal: Keyword<N, Diagonal>,
    },
    Mesh {
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        vertices: Option<Vec<Vec3<N>>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        triangles: Option<Vec<Triple>>,
        #[serde(default, skip_serializing_if = "Keyword::is_default")]
        facing: Keyword<N, Facing>,
    },
    /// Of a flat level.
    Circle {
        radius: N,
    },
    /// Of a flat level: corners in order around it; with a radius, it is added outside.
    Polygon {
        points: Vec<Vec3<N>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        radius: Option<N>,
    },
    /// Of a flat level: segments from point to point.
    Chain {
        points: Vec<Vec3<N>>,
        #[serde(rename = "loop", default, skip_serializing_if = "is_false")]
        is_loop: bool,
        #[serde(default, skip_serializing_if = "Keyword::is_default")]
        facing: Keyword<N, ChainFacing>,
    },
}

/// A part of a compound, in the space of the whole.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename = "Part", deny_unknown_fields, bound = "N: Written")]
pub struct PartText<N: Written> {
    pub shape: ShapeText<N>,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub position: Vec3<N>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotation: Option<N::Turn>,
}

fn is_zero<N: Written>(vector: &Vec3<N>) -> bool {
    vector.parts.iter().all(|&part| part.into() == 0.0)
}

fn zero<N: Written>() -> N {
    N::from(0.0)
}

fn is_false(value: &bool) -> bool {
    !value
}

fn is_left_out<N: Written>(number: &N) -> bool {
    N::SCENE && (*number).into() == 0.0
}

impl<'de, N: Written> Deserialize<'de> for ShapeText<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match N::SCENE {
            true => Self::deserialize(Camel(deserializer)),
            false => Self::deserialize(deserializer),
        }
    }
}

impl<N: Written> Serialize for ShapeText<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// Source of a mesh's triangles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeshSource {
    /// A file, relative to the scene's folder.
    File(String),
    /// In the scene's own text.
    Inline,
    /// As a grid of heights in the scene's own text.
    Heights,
}

/// Reads a mesh file by its path. A problem with a place is in that file's text, one without is about the file.
pub type ReadMesh<'r> = dyn FnMut(&str, Facing) -> Result<Arc<Mesh>, Problem> + 'r;

impl<N: Written> ShapeText<N> {
    /// A shape in written units. A mesh that came from a file is named by it; others are written out.
    pub fn new(shape: &Shape, source: Option<&MeshSource>, units: Units) -> Self {
        if let Some(flat) = units.flat.then(|| Self::flat(shape, units)).flatten() {
            return flat;
        }
        let length = |metres| N::from(units.written_length(metres));
        let point = |point| Vec3::from(units.written_vector(point));
        match shape {
            Shape::Sphere { radius } => Self::Sphere {
                radius: length(*radius),
            },
            Shape::Box { half_extents } => Self::Box {
                half_extents: units.written_extents(*half_extents).into(),
                radius: None,
            },
            Shape::Solid(SolidShape::RoundedBox(rounded)) => Self::Box {
                half_extents: units.written_extents(rounded.half_extents).into(),
                radius: Some(length(rounded.radius)),
            },
            Shape::Solid(SolidShape::Cylinder(cylinder)) => Self::Cylinder {
                half_height: length(cylinder.half_height),
                radius: length(cylinder.radius),
            },
            Shape::Solid(SolidShape::Hull(hull)) => Self::ConvexHull {
                points: hull.points().iter().copied().map(point).collect(),
                radius: (hull.radius() > 0.0).then(|| length(hull.radius())),
            },
            Shape::Solid(SolidShape::Cone(cone)) => Self::Cone {
                half_height: length(cone.half_height),
                radius: length(cone.radius),
            },
            Shape::Segment(Segment { a, b }) => Self::Segment {
                a: point(*a),
                b: point(*b),
            },
            Shape::Capsule(Capsule { segment, radius }) => Self::Capsule {
                a: Some(point(segment.a)),
                b: Some(point(segment.b)),
                half_height: None,
                radius: length(*radius),
            },
            Shape::Triangle(Triangle { a, b, c, facing }) => Self::Triangle {
                a: point(*a),
                b: point(*b),
                c: point(*c),
                facing: Keyword::new(*facing),
            },
            Shape::Plane(Plane { normal, offset }) => Self::Plane {
                normal: units.written_direction(*normal).into(),
                offset: length(*offset),
            },
            Shape::Compound(compound) => {
                let parts = compound.parts().iter();
                let text = |part: &CompoundPart| PartText {
                    shape: Self::new(&part.shape, None, units),
                    position: point(part.pose.position),
                    rotation: (part.pose.rotation != DQuat::IDENTITY)
                        .then(|| Turn::new(part.pose.rotation, units)),
                };
                Self::Compound(parts.map(text).collect())
            }
            Shape::Mesh(mesh) => {
                let in_file = matches!(source, Some(MeshSource::File(_)));
                // Written with a facing, a height field is a mesh.
                if let Some(grid) = mesh.grid()
                    && !in_file
                    && mesh.facing() == Facing::Both
                {
                    let row = |row: &[f64]| row.iter().map(|&height| length(height)).collect();
                    return Self::HeightField {
                        heights: grid.rows().map(row).collect(),
                        cell: grid.cell().map(length),
                        diagonal: Keyword::new(grid.diagonal()),
                    };
                }
                let facing = Keyword::new(mesh.facing());
                let (file, vertices, triangles) = match source {
                    Some(MeshSource::File(file)) => (Some(file.clone()), None, None),
                    _ => (
                        None,
                        Some(mesh.vertices().map(point).collect()),
                        Some(mesh.triangles().map(Triple).collect()),
                    ),
                };
                Self::Mesh {
                    file,
                    vertices,
                    triangles,
                    facing,
                }
            }
        }
    }

    /// Why it cannot be a part of a compound, and what to write instead.
    pub(super) fn refused_as_part(&self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Compound(_) => Some((
                "a compound inside a compound",
                "list the inner parts in the outer compound, at their places in it",
            )),
            Self::Plane { .. } => Some((
                "an infinite plane cannot be a part of a compound",
                "write a Box, or make the plane an object of its own with the same `body`",
            )),
            Self::Chain { .. } => Some((
                "a chain cannot be a part of a compound",
                "write a polygon, or make the chain an object of its own with the same `body`",
            )),
            Self::Triangle { .. } | Self::HeightField { .. } | Self::Mesh { .. } => Some((
                "a surface cannot be a part of a compound",
                "write a ConvexHull, or make the surface an object of its own with the same `body`",
            )),
            _ => None,
        }
    }
}
