//! Meshes as wireframes, their boundary edges and their slivers.

use super::super::draw_list::rgba;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::viewport_input::ViewportInput;
use crate::app::view_options::MeshView;
use crate::app::view_state::Switch;
use crate::core::replay::ObjectId;
use crate::core::shape::{Mesh, Pose, Shape, Triangle};

/// Most triangles whose edges are drawn.
const MAX_TRIANGLES: usize = 60_000;
/// Height of a triangle as a fraction of its longest edge below which it is a sliver.
const SLIVER: f64 = 0.02;
/// Alpha of the faces of an X-ray.
const X_RAY: f32 = 0.10;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let layers = input.layers;
    if layers.mesh_view.is_opaque() && !layers.has(Switch::MeshDefects) {
        return;
    }
    let mut left = MAX_TRIANGLES;
    for (id, object) in (0..).zip(input.replay.objects()) {
        let Shape::Mesh(mesh) = &object.shape else {
            continue;
        };
        let id: ObjectId = id;
        let Some(pose) = input.pose(id).filter(|_| input.shows_body(id)) else {
            continue;
        };
        if mesh.count() > left {
            continue;
        }
        left -= mesh.count();
        let color = builder.palette.object(object);
        if !layers.mesh_view.is_opaque() {
            edges(
                builder,
                mesh,
                &pose,
                LineStyle::new(color, 1.2).occluded(0.5),
            );
        }
        if layers.mesh_view == MeshView::XRay {
            builder.translucent_shape(&object.shape, &pose, rgba(color, X_RAY));
        }
        if layers.has(Switch::MeshDefects) {
            defects(builder, mesh, &pose);
        }
    }
}

/// Draws every edge of a mesh once.
fn edges(builder: &mut DrawListBuilder, mesh: &Mesh, pose: &Pose, style: LineStyle) {
    for side in sides(mesh) {
        if mesh.edges().sides(side.0, side.1).next() == Some(side) {
            edge(builder, mesh, pose, side, style);
        }
    }
}

fn defects(builder: &mut DrawListBuilder, mesh: &Mesh, pose: &Pose) {
    let color = builder.palette.bad;
    let style = LineStyle::new(color, 3.0).occluded(0.6);
    for side in sides(mesh).filter(|side| mesh.edges().is_boundary(side.0, side.1)) {
        edge(builder, mesh, pose, side, style);
    }
    for index in 0..mesh.count() as u32 {
        let triangle = mesh.triangle(index);
        if is_sliver(&triangle) {
            let corners = [triangle.a, triangle.b, triangle.c].map(|corner| pose.point(corner));
            builder.double_sided_triangle(corners, rgba(color, 0.5));
            builder.loop_line(&corners, style);
        }
    }
}

/// Every edge of every triangle.
fn sides(mesh: &Mesh) -> impl Iterator<Item = (u32, u32)> {
    let count = mesh.count() as u32;
    (0..count).flat_map(|triangle| [0, 1, 2].map(|edge| (triangle, edge)))
}

fn edge(
    builder: &mut DrawListBuilder,
    mesh: &Mesh,
    pose: &Pose,
    (triangle, edge): (u32, u32),
    style: LineStyle,
) {
    let segment = mesh.edge(triangle, edge);
    builder.line(pose.point(segment.a), pose.point(segment.b), style);
}

/// Returns true if a triangle is much longer than high, or has no area.
fn is_sliver(triangle: &Triangle) -> bool {
    let [a, b, c] = [triangle.a, triangle.b, triangle.c];
    let longest = [b - a, c - b, a - c].map(|edge| edge.length());
    let longest = longest.into_iter().fold(0.0, f64::max);
    // The height is twice the area over the longest edge.
    (b - a).cross(c - a).length() < SLIVER * longest * longest
}

#[cfg(test)]
mod tests {
    use super::super::super::orbit::Orbit;
    use super::*;
    use crate::app::theme::Palette;
    use crate::core::shape::Facing;
    use glam::{DVec2, DVec3};

    /// A square of two triangles, and a sliver on one of its sides.
    fn square() -> Mesh {
        let corner = |x: f64, z: f64| DVec3::new(x, 0.0, z);
        let corners = vec![
            corner(0.0, 0.0),
            corner(1.0, 0.0),
            corner(1.0, 1.0),
            corner(0.0, 1.0),
            corner(0.5, -0.01),
        ];
        let triangles = vec![[0, 1, 2], [0, 2, 3], [0, 4, 1]];
        Mesh::new(corners, triangles, Facing::Both).expect("a mesh")
    }

    #[test]
    fn every_edge_is_drawn_once_and_defects_are_marked() {
        let view = Orbit::default().view(DVec2::new(900.0, 600.0));
        let mut builder = DrawListBuilder::new(view, DVec3::ZERO, &Palette::DARK);
        let style = LineStyle::new(Palette::DARK.fixed, 1.0);
        edges(&mut builder, &square(), &Pose::IDENTITY, style);
        // Nine sides, of which two are shared.
        assert_eq!(builder.list.lines.len(), 7);
        builder.list.restart();
        defects(&mut builder, &square(), &Pose::IDENTITY);
        // Five boundary edges, and the outline of the sliver.
        assert_eq!(builder.list.lines.len(), 5 + 3);
        assert_eq!(builder.list.translucent.len(), 1);
    }
}
