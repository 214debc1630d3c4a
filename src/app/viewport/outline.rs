//! Shapes as outlines and as translucent shells: what ghosts, selections and hints are drawn with.

use super::canvas::{Canvas, Pen};
use super::picture::rgba;
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
pub fn outline(canvas: &mut Canvas, placed: &Placed<'_>, pen: Pen) {
    match placed {
        Placed::Sphere(sphere) => canvas.rim(sphere.center, sphere.radius, pen),
        Placed::Obb(obb) => canvas.box_edges(&obb.corners(), pen),
        Placed::Segment(segment) => canvas.line(segment.a, segment.b, pen),
        Placed::Capsule(capsule) => {
            capsule_rim(
                canvas,
                capsule.segment.a,
                capsule.segment.b,
                capsule.radius,
                pen,
            );
        }
        Placed::Solid(solid, pose) => {
            for [a, b] in solid.outline() {
                canvas.line(pose.point(a), pose.point(b), pen);
            }
        }
        Placed::Compound(compound, pose) => {
            for part in compound.placed(pose) {
                outline(canvas, &part, pen);
            }
        }
        Placed::Triangle(triangle) => {
            canvas.loop_line(&[triangle.a, triangle.b, triangle.c], pen);
        }
        Placed::Plane(plane) => {
            if let Some(corners) = Canvas::plane_patch(plane, canvas.view.target, PATCH) {
                canvas.loop_line(&corners, pen);
            }
        }
        Placed::Mesh(mesh, pose) => {
            let edges = canvas.edges.of(mesh);
            if edges.sharp > MOST_EDGES {
                let local = mesh.aabb();
                let obb = Obb {
                    center: pose.point(local.center()),
                    half_extents: local.half_extents(),
                    rotation: pose.rotation,
                };
                canvas.box_edges(&obb.corners(), pen);
            } else {
                for &(a, b, _) in edges.all.iter().filter(|edge| edge.2) {
                    canvas.line(pose.point(a), pose.point(b), pen);
                }
            }
        }
    }
}

/// The outline of a capsule: the two far half rims, and the two tangents between them.
pub fn capsule_rim(canvas: &mut Canvas, a: DVec3, b: DVec3, radius: f64, pen: Pen) {
    let axis = b - a;
    let toward = |at: DVec3| (canvas.view.eye - at).try_normalize().unwrap_or(DVec3::Z);
    let Some(side) = axis.cross(toward((a + b) * 0.5)).try_normalize() else {
        canvas.rim(if toward(a).dot(axis) > 0.0 { b } else { a }, radius, pen);
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
    canvas.loop_line(&points, pen);
}

/// A translucent body with its outline.
pub fn ghost(canvas: &mut Canvas, placed: &Placed<'_>, color: Color32, alpha: f32) {
    let shell = rgba(color, alpha);
    match placed {
        Placed::Compound(compound, pose) => {
            for part in compound.placed(pose) {
                ghost(canvas, &part, color, alpha);
            }
            return;
        }
        Placed::Sphere(sphere) => {
            canvas.capsule(sphere.center, sphere.center, sphere.radius, shell, true);
        }
        Placed::Obb(obb) => box_shell(canvas, &obb.corners(), shell),
        Placed::Capsule(capsule) => {
            canvas.capsule(
                capsule.segment.a,
                capsule.segment.b,
                capsule.radius,
                shell,
                true,
            );
        }
        Placed::Solid(solid, pose) => {
            for triangle in solid.surface() {
                canvas.pane(triangle.map(|corner| pose.point(corner)), shell);
            }
        }
        Placed::Triangle(triangle) => canvas.pane([triangle.a, triangle.b, triangle.c], shell),
        Placed::Mesh(mesh, pose) if mesh.triangles().len() <= MOST_FACES => {
            for index in 0..mesh.triangles().len() {
                let triangle = mesh.triangle(index as u32).transformed(pose);
                canvas.pane(
                    [triangle.a, triangle.b, triangle.c],
                    rgba(color, alpha * 0.5),
                );
            }
        }
        Placed::Segment(_) | Placed::Plane(_) | Placed::Mesh(..) => {}
    }
    let pen = Pen::new(color, 1.4).alpha(0.9).through(0.35);
    outline(canvas, placed, pen);
}

/// A translucent box, from its eight corners.
pub fn box_shell(canvas: &mut Canvas, corners: &[DVec3; 8], color: super::picture::Rgba) {
    for face in Obb::FACES {
        canvas.shell_quad(face.map(|index| corners[index]), color);
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
