//! The values of a shape that a file writes, checked and converted.

use super::check::{Check, Path};
use super::rotation::Turn;
use super::shape::{MeshSource, PartText, ReadMesh, ShapeText};
use super::space::Space;
use super::value::{Triple, Written};
use super::vector::Vec3;
use crate::core::shape::{
    COMPOUND_PARTS, Capsule, Compound, CompoundPart, Cone, ConvexHull, Cylinder, Diagonal, Facing,
    Mesh, Plane, Pose, RoundedBox, Segment, Shape, SolidShape, Triangle, mesh_of_rows,
};
use crate::core::tolerance::MAX_FIELD_HEIGHTS;
use glam::{DQuat, DVec3};
use std::sync::Arc;

impl<N: Written> ShapeText<N> {
    /// The shape in metres with Y up, and the source of a mesh; `None` where it has faults, which `check` then holds.
    pub fn build(
        &self,
        check: &mut Check,
        at: &Path<'_>,
        space: &Space,
        read_mesh: &mut ReadMesh<'_>,
    ) -> Option<(Shape, Option<MeshSource>)> {
        let mut on = ShapeBuilder {
            faults: check.len(),
            check,
            at,
            space,
        };
        if space.units.flat {
            return self.build_flat(on);
        }
        let shape = match self {
            Self::Circle { .. } => return on.refuse_flat("circle", "write a sphere"),
            Self::Polygon { .. } => return on.refuse_flat("polygon", "write a convex hull"),
            Self::Chain { .. } => return on.refuse_flat("chain", "write a mesh"),
            Self::Sphere { radius } => Shape::Sphere {
                radius: on.radius(*radius, "a point is a tiny radius"),
            },
            Self::Box {
                half_extents,
                radius,
            } => {
                let half_extents = on.half_extents(*half_extents);
                match on.added_radius(*radius) {
                    0.0 => Shape::Box { half_extents },
                    radius => Shape::Solid(SolidShape::RoundedBox(RoundedBox {
                        half_extents,
                        radius,
                    })),
                }
            }
            Self::Cylinder {
                half_height,
                radius,
            } => Shape::Solid(SolidShape::Cylinder(Cylinder {
                half_height: on.half_height(*half_height),
                radius: on.radius(*radius, "a line is a Segment"),
            })),
            Self::Cone {
                half_height,
                radius,
            } => Shape::Solid(SolidShape::Cone(Cone {
                half_height: on.half_height(*half_height),
                radius: on.radius(*radius, "a line is a Segment"),
            })),
            Self::Segment { a, b } => Shape::Segment(Segment {
                a: on.point("a", *a),
                b: on.point("b", *b),
            }),
            Self::Capsule {
                a,
                b,
                half_height,
                radius,
            } => Shape::Capsule(Capsule {
                segment: on.axis(*a, *b, *half_height)?,
                radius: on.radius(*radius, "without one, write Segment"),
            }),
            Self::ConvexHull { points, radius } => {
                let points = points.iter().map(|&at| on.point("points", at)).collect();
                let radius = on.added_radius(*radius);
                if !on.is_good() {
                    return None;
                }
                match ConvexHull::new(points, radius) {
                    Ok(hull) => Shape::Solid(SolidShape::Hull(Arc::new(hull))),
                    Err(reason) => {
                        on.check.problem(at, &reason, "see `points`");
                        return None;
                    }
                }
            }
            Self::Compound(parts) => on.compound(parts)?,
            Self::Triangle { a, b, c, facing } => Shape::Triangle(Triangle {
                a: on.point("a", *a),
                b: on.point("b", *b),
                c: on.point("c", *c),
                facing: facing.0,
            }),
            Self::Plane { normal, offset } => Shape::Plane(Plane {
                normal: on.direction("normal", *normal, "the normal"),
                offset: on.length("offset", *offset, "the offset"),
            }),
            Self::HeightField {
                heights,
                cell,
                diagonal,
            } => {
                let mesh = on.height_field(heights, *cell, diagonal.0);
                if !on.is_good() {
                    return None;
                }
                return match mesh {
                    Ok(mesh) => Some((Shape::Mesh(Arc::new(mesh)), Some(MeshSource::Heights))),
                    Err(reason) => {
                        on.check.problem(at, &reason, "see `heights`");
                        None
                    }
                };
            }
            Self::Mesh {
                file,
                vertices,
                triangles,
                facing,
            } => {
                return match (file, vertices, triangles) {
                    (Some(file), None, None) => on.mesh_file(file, facing.0, read_mesh),
                    (None, Some(vertices), Some(triangles)) => {
                        on.mesh(vertices, triangles, facing.0)
                    }
                    _ => {
                        on.check.problem(
                            at,
                            "a mesh is a file, or vertices and triangles",
                            "write either `file`, or `vertices` and `triangles`",
                        );
                        None
                    }
                };
            }
        };
        on.is_good().then_some((shape, None))
    }
}

/// A shape during validation: each value checked and converted. A faulty value is replaced and not used.
pub(super) struct ShapeBuilder<'b> {
    pub(super) check: &'b mut Check,
    /// Number of faults before.
    pub(super) faults: usize,
    pub(super) at: &'b Path<'b>,
    pub(super) space: &'b Space,
}

impl ShapeBuilder<'_> {
    pub(super) fn is_good(&self) -> bool {
        self.check.len() == self.faults
    }

    pub(super) fn length(&mut self, field: &'static str, length: impl Written, name: &str) -> f64 {
        let length = self.space.number(length);
        self.check.number(&self.at.field(field), length, name);
        length * self.space.units.length
    }

    /// A length above zero; `help` names the alternative for zero.
    pub(super) fn radius(&mut self, radius: impl Written, help: &str) -> f64 {
        let radius = self.space.number(radius);
        let at = self.at.field("radius");
        self.check.positive(&at, radius, "the radius", help);
        radius * self.space.units.length
    }

    /// The radius around a box or a hull; without one it is 0.
    pub(super) fn added_radius(&mut self, radius: Option<impl Written>) -> f64 {
        let radius = radius.map_or(0.0, |radius| self.space.number(radius));
        let at = self.at.field("radius");
        self.check.not_negative(&at, radius, "the radius");
        radius * self.space.units.length
    }

    /// Of numbers that may be faulty.
    fn height_field<N: Written>(
        &mut self,
        heights: &[Vec<N>],
        cell: [N; 2],
        diagonal: Diagonal,
    ) -> Result<Mesh, String> {
        let at = self.at.field("cell");
        let help = "write the distance of neighbouring heights along x and z";
        let cell = cell.map(|size| self.space.number(size));
        for size in cell {
            self.check.positive(&at, size, "the size of a cell", help);
        }
        let metres = self.space.units.length;
        let cell = cell.map(|size| size * metres);
        let height = |height: N| self.length("heights", height, "a height");
        mesh_of_rows(heights, height, cell, diagonal, MAX_FIELD_HEIGHTS)
    }

    pub(super) fn compound<N: Written>(&mut self, parts: &[PartText<N>]) -> Option<Shape> {
        // In a scene the list is inside `Compound(..)`.
        let inside = self.at.index(0);
        let list = if N::SCENE { &inside } else { self.at };
        if !COMPOUND_PARTS.contains(&parts.len()) {
            let (least, most) = (COMPOUND_PARTS.start(), COMPOUND_PARTS.end());
            let what = format!(
                "a compound has {least} to {most} parts, this one has {}",
                parts.len()
            );
            let help = "write each as (shape: .., position: .., rotation: ..)";
            self.check.problem(self.at, what, help);
            return None;
        }
        let mut built = Vec::with_capacity(parts.len());
        for (index, part) in parts.iter().enumerate() {
            let at = list.index(index);
            if let Some((what, help)) = part.shape.refused_as_part() {
                self.check.problem(&at.field("shape"), what, help);
                continue;
            }
            let position = self.space.numbers(part.position);
            let name = "the position of the part";
            let position = self.check.vector(&at.field("position"), position, name);
            let turned = at.field("rotation");
            let rotation = part.rotation.map_or(DQuat::IDENTITY, |rotation| {
                rotation.read(self.check, &turned, self.space)
            });
            let shape =
                part.shape
                    .build(self.check, &at.field("shape"), self.space, &mut |_, _| {
                        unreachable!("a mesh is refused")
                    });
            let pose = Pose {
                position: self.space.units.vector(position),
                rotation,
            };
            match shape {
                // A part that is made of parts: a capsule between two points or a concave polygon of a flat level.
                Some((Shape::Compound(inner), _)) => {
                    built.extend(inner.parts().iter().map(|part| CompoundPart {
                        shape: part.shape.clone(),
                        pose: pose.then(&part.pose),
                    }));
                }
                Some((Shape::Mesh(_), _)) => {
                    let what = "a segment cannot be a part of a compound of a flat level";
                    let help =
                        "write a capsule, or make it an object of its own with the same `body`";
                    self.check.problem(&at.field("shape"), what, help);
                }
                Some((shape, _)) => built.push(CompoundPart { shape, pose }),
                None => {}
            }
        }
        if !self.is_good() {
            return None;
        }
        match Compound::new(built) {
            Ok(compound) => Some(Shape::Compound(Arc::new(compound))),
            Err(reason) => {
                self.check.problem(self.at, reason, "");
                None
            }
        }
    }

    pub(super) fn half_height(&mut self, half_height: impl Written) -> f64 {
        let half_height = self.space.number(half_height);
        let at = self.at.field("half_height");
        let help = "write half the length along the axis";
        self.check
            .positive(&at, half_height, "the half height", help);
        half_height * self.space.units.length
    }

    pub(super) fn point<N: Written>(&mut self, name: &'static str, point: Vec3<N>) -> DVec3 {
        let point = self.space.numbers(point);
        let point = self.check.vector(&self.at.field(name), point, name);
        self.space.units.vector(point)
    }

    pub(super) fn direction<N: Written>(
        &mut self,
        field: &'static str,
        direction: Vec3<N>,
        name: &str,
    ) -> DVec3 {
        let direction = self.space.numbers(direction);
        let direction = self
            .check
            .unit_vector(&self.at.field(field), direction, name);
        self.space.units.direction(direction)
    }

    pub(super) fn half_extents<N: Written>(&mut self, written: Vec3<N>) -> DVec3 {
        let at = self.at.field("half_extents");
        let written = self.space.numbers(written);
        let extents = self.check.vector(&at, written, "the half extents");
        if extents.min_element() < 0.0 {
            self.check.problem(
                &at,
                "half extents must not be negative",
                "write half the length of each edge",
            );
        } else if N::SCENE && written.parts == [0.0; 3] {
            self.check.problem(
                &at,
                "half extents are all zero",
                "at least one must be above zero",
            );
        }
        self.space.units.half_extents(extents)
    }

    /// The axis of a capsule.
    pub(super) fn axis<N: Written>(
        &mut self,
        a: Option<Vec3<N>>,
        b: Option<Vec3<N>>,
        half_height: Option<N>,
    ) -> Option<Segment> {
        match (a, b, half_height) {
            (Some(a), Some(b), None) => Some(Segment {
                a: self.point("a", a),
                b: self.point("b", b),
            }),
            (None, None, Some(half_height)) => {
                let half_height = self.space.number(half_height);
                let at = self.at.field("half_height");
                self.check.not_negative(&at, half_height, "the half height");
                let b = DVec3::Y * (half_height * self.space.units.length);
                Some(Segment { a: -b, b })
            }
            _ => {
                self.check.problem(
                    self.at,
                    "a capsule has two ends, or a half height",
                    "write either `a` and `b`, or `half_height`",
                );
                None
            }
        }
    }

    pub(super) fn mesh_file(
        &mut self,
        file: &str,
        facing: Facing,
        read_mesh: &mut ReadMesh<'_>,
    ) -> Option<(Shape, Option<MeshSource>)> {
        match read_mesh(file, facing) {
            Ok(mesh) => {
                return Some((Shape::Mesh(mesh), Some(MeshSource::File(file.to_owned()))));
            }
            Err(problem) if problem.at.is_some() => self.check.elsewhere(problem),
            Err(problem) => {
                let what = format!("{file}: {}", problem.what);
                let at = self.at.field("file");
                self.check.problem(&at, what, problem.help);
            }
        }
        None
    }

    pub(super) fn mesh<N: Written>(
        &mut self,
        vertices: &[Vec3<N>],
        triangles: &[Triple],
        facing: Facing,
    ) -> Option<(Shape, Option<MeshSource>)> {
        let vertices_at = self.at.field("vertices");
        let triangles_at = self.at.field("triangles");
        let mut points = Vec::with_capacity(vertices.len());
        let mut good = true;
        for (index, vertex) in vertices.iter().enumerate() {
            let vertex = self.space.numbers(*vertex);
            good &= vertex.parts.iter().all(|part| part.is_finite());
            let vertex = self
                .check
                .vector(&vertices_at.index(index), vertex, "a vertex");
            points.push(self.space.units.vector(vertex));
        }
        for (index, Triple(triangle)) in triangles.iter().enumerate() {
            let count = vertices.len();
            if let Some(vertex) = triangle.iter().find(|it| **it as usize >= count) {
                good = false;
                self.check.problem(
                    &triangles_at.index(index),
                    format!("the triangle uses vertex {vertex}, there are {count}"),
                    "vertices are counted from 0",
                );
            }
        }
        if triangles.is_empty() {
            good = false;
            self.check.problem(
                &triangles_at,
                "the mesh has no triangle",
                "add one, or remove the object",
            );
        }
        if !good {
            return None;
        }
        let triangles = triangles.iter().map(|triangle| triangle.0).collect();
        match Mesh::new(points, triangles, facing) {
            Ok(mesh) => Some((Shape::Mesh(Arc::new(mesh)), Some(MeshSource::Inline))),
            Err(what) => {
                self.check.problem(self.at, what, "");
                None
            }
        }
    }
}
