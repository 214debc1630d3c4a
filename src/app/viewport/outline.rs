//! Shapes as outlines and as translucent shells: what ghosts, selections and hints are drawn with.

use super::draw_list::rgba;
use super::draw_list_builder::{DrawListBuilder, LineStyle};
use crate::core::shape::{Aabb, Mesh, Obb, Placed};
use egui::Color32;
use glam::DVec3;
use std::collections::HashMap;
use std::rc::Rc;

/// Meshes with more triangles than this have no translucent faces.
const MOST_FACES: usize = 4000;
/// Meshes with more sharp edges than this are outlined as their box.
const MOST_EDGES: usize = 20_000;
/// Half the edge of a plane's patch when nothing else says, metres.
const PATCH: f64 = 10.0;

/// The edges (boxes, triangles, meshes) or the rim (round shapes) of a shape.
pub fn outline(builder: &mut DrawListBuilder, placed: &Placed<'_>, style: LineStyle) {
    match placed {
        Placed::Sphere(sphere) => builder.rim(sphere.center, sphere.radius, style),
        Placed::Obb(obb) => builder.box_edges(&obb.corners(), style),
        Placed::Segment(segment) => builder.line(segment.a, segment.b, style),
        Placed::Capsule(capsule) => {
            capsule_rim(
                builder,
                capsule.segment.a,
                capsule.segment.b,
                capsule.radius,
                style,
            );
        }
        Placed::Solid(solid, pose) => {
            for [a, b] in solid.outline() {
                builder.line(pose.point(a), pose.point(b), style);
            }
        }
        Placed::Compound(compound, pose) => {
            for part in compound.placed(pose) {
                outline(builder, &part, style);
            }
        }
        Placed::Triangle(triangle) => {
            builder.loop_line(&[triangle.a, triangle.b, triangle.c], style);
        }
        Placed::Plane(plane) => {
            if let Some(corners) = DrawListBuilder::plane_patch(plane, builder.view.target, PATCH) {
                builder.loop_line(&corners, style);
            }
        }
        Placed::Mesh(mesh, pose) => {
            let edges = builder.edges.of(mesh);
            if edges.sharp > MOST_EDGES {
                let local = mesh.aabb();
                let obb = Obb {
                    center: pose.point(local.center()),
                    half_extents: local.half_extents(),
                    rotation: pose.rotation,
                };
                builder.box_edges(&obb.corners(), style);
            } else {
                for &(a, b, _) in edges.all.iter().filter(|edge| edge.2) {
                    builder.line(pose.point(a), pose.point(b), style);
                }
            }
        }
    }
}

/// The outline of a capsule: the two far half rims, and the two tangents between them.
pub fn capsule_rim(
    builder: &mut DrawListBuilder,
    a: DVec3,
    b: DVec3,
    radius: f64,
    style: LineStyle,
) {
    let axis = b - a;
    let toward = |at: DVec3| (builder.view.eye - at).try_normalize().unwrap_or(DVec3::Z);
    let Some(side) = axis.cross(toward((a + b) * 0.5)).try_normalize() else {
        builder.rim(if toward(a).dot(axis) > 0.0 { b } else { a }, radius, style);
        return;
    };
    let Some(up) = toward((a + b) * 0.5).cross(side).try_normalize() else {
        return;
    };
    let out = if up.dot(axis) < 0.0 { up } else { -up };
    let count = 16;
    let arc = |center: DVec3, out: DVec3| -> Vec<DVec3> {
        (0..=count)
            .map(|step| {
                let angle = std::f64::consts::PI * f64::from(step) / f64::from(count);
                center + (side * angle.cos() + out * angle.sin()) * radius
            })
            .collect()
    };
    let mut points = arc(a, out);
    points.extend(arc(b, -out).into_iter().rev());
    builder.loop_line(&points, style);
}

/// A translucent body with its outline.
pub fn ghost(builder: &mut DrawListBuilder, placed: &Placed<'_>, color: Color32, alpha: f32) {
    let shell = rgba(color, alpha);
    match placed {
        Placed::Compound(compound, pose) => {
            for part in compound.placed(pose) {
                ghost(builder, &part, color, alpha);
            }
            return;
        }
        Placed::Sphere(sphere) => {
            builder.capsule(sphere.center, sphere.center, sphere.radius, shell, true);
        }
        Placed::Obb(obb) => box_shell(builder, &obb.corners(), shell),
        Placed::Capsule(capsule) => {
            builder.capsule(
                capsule.segment.a,
                capsule.segment.b,
                capsule.radius,
                shell,
                true,
            );
        }
        Placed::Solid(solid, pose) => {
            for triangle in solid.surface() {
                builder.pane(triangle.map(|corner| pose.point(corner)), shell);
            }
        }
        Placed::Triangle(triangle) => builder.pane([triangle.a, triangle.b, triangle.c], shell),
        Placed::Mesh(mesh, pose) if mesh.triangles().len() <= MOST_FACES => {
            for index in 0..mesh.triangles().len() {
                let triangle = mesh.triangle(index as u32).transformed(pose);
                builder.pane(
                    [triangle.a, triangle.b, triangle.c],
                    rgba(color, alpha * 0.5),
                );
            }
        }
        Placed::Segment(_) | Placed::Plane(_) | Placed::Mesh(..) => {}
    }
    let style = LineStyle::new(color, 1.4).alpha(0.9).through(0.35);
    outline(builder, placed, style);
}

/// A translucent box, from its eight corners.
pub fn box_shell(
    builder: &mut DrawListBuilder,
    corners: &[DVec3; 8],
    color: super::draw_list::Rgba,
) {
    for face in Obb::FACES {
        builder.shell_quad(face.map(|index| corners[index]), color);
    }
}

/// The eight corners of an axis-aligned box; bits choose the positive sides.
pub fn aabb_corners(aabb: &Aabb) -> [DVec3; 8] {
    std::array::from_fn(|index| {
        let pick = |bit: usize, low: f64, high: f64| if index >> bit & 1 == 1 { high } else { low };
        DVec3::new(
            pick(0, aabb.min.x, aabb.max.x),
            pick(1, aabb.min.y, aabb.max.y),
            pick(2, aabb.min.z, aabb.max.z),
        )
    })
}

/// The edges of a mesh.
#[derive(Debug)]
pub struct MeshEdges {
    /// Local space; true where the surface is sharp or ends.
    pub all: Vec<(DVec3, DVec3, bool)>,
    /// How many are sharp.
    pub sharp: usize,
    /// Mean length, metres.
    pub length: f64,
}

/// The edges of the meshes of one level, found once.
#[derive(Debug, Default)]
pub struct Edges(HashMap<usize, Rc<MeshEdges>>);

impl Edges {
    /// Of one mesh.
    pub fn of(&mut self, mesh: &Mesh) -> Rc<MeshEdges> {
        // A mesh stays where it is as long as its level lives.
        let place = std::ptr::from_ref(mesh).addr();
        let found = self.0.entry(place).or_insert_with(|| {
            let all = mesh_edges(mesh);
            let total: f64 = all.iter().map(|(a, b, _)| (*b - *a).length()).sum();
            Rc::new(MeshEdges {
                sharp: all.iter().filter(|edge| edge.2).count(),
                length: total / all.len().max(1) as f64,
                all,
            })
        });
        Rc::clone(found)
    }
}

/// Every edge of a mesh once, local space; strong where two faces meet at an angle, or where only one face is.
fn mesh_edges(mesh: &Mesh) -> Vec<(DVec3, DVec3, bool)> {
    let vertices = mesh.vertices();
    let bits = |index: u32| vertices[index as usize].to_array().map(f64::to_bits);
    let mut edges: Vec<([[u64; 3]; 2], [u32; 2], DVec3)> = Vec::new();
    for (index, corners) in mesh.triangles().iter().enumerate() {
        let Some(normal) = mesh.triangle(index as u32).normal() else {
            continue;
        };
        for side in 0..3 {
            let (i, j) = (corners[side], corners[(side + 1) % 3]);
            let mut key = [bits(i), bits(j)];
            key.sort_unstable();
            edges.push((key, [i, j], normal));
        }
    }
    // By place, not by number: meshes often repeat a vertex for each face.
    edges.sort_by_key(|edge| edge.0);
    edges
        .chunk_by(|one, two| one.0 == two.0)
        .map(|same| {
            let [i, j] = same[0].1;
            let strong = same.len() != 2 || same[0].2.dot(same[1].2).abs() < 0.999;
            (vertices[i as usize], vertices[j as usize], strong)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Facing;

    #[test]
    fn a_quad_has_four_strong_edges_and_a_weak_diagonal() {
        let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z);
        let vertices = vec![
            corner(0.0, 0.0),
            corner(1.0, 0.0),
            corner(1.0, 1.0),
            corner(0.0, 1.0),
        ];
        let mesh = Mesh::new(vertices, vec![[0, 1, 2], [0, 2, 3]], Facing::Both).expect("a quad");
        let edges = mesh_edges(&mesh);
        assert_eq!(edges.len(), 5);
        assert_eq!(edges.iter().filter(|edge| !edge.2).count(), 1);
    }

    #[test]
    fn faces_of_a_box_turn_outward() {
        let corners = aabb_corners(&Aabb {
            min: -DVec3::ONE,
            max: DVec3::ONE,
        });
        for face in Obb::FACES {
            let [a, b, c, d] = face.map(|index| corners[index]);
            let normal = (b - a).cross(c - a);
            assert!(normal.dot(a + b + c + d) > 0.0, "{face:?}");
        }
    }
}
