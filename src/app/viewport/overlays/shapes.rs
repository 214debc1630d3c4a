//! The objects themselves, where they stand at the playhead.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use super::super::outline::{capsule_rim, mesh_edges, outline};
use super::super::picture::{Rgba, mix, rgba};
use crate::app::view_state::Layer;
use crate::core::replay::ObjectId;
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Aabb, Mesh, Placed};
use egui::Color32;
use glam::DVec3;

/// A box's edges are drawn when it is larger than this on the screen, points.
const EDGES_FROM: f64 = 16.0;
/// Still things of at least this share of the level are floors and walls: they step back.
const LARGE: f64 = 0.35;
/// Meshes with more triangles than this show no edges.
const MOST_EDGES: usize = 4_000;

pub fn draw(
    canvas: &mut Canvas,
    moment: &Moment<'_>,
    hovered: Option<ObjectId>,
    level: Option<Aabb>,
) {
    let size = level.map_or(10.0, |bounds| bounds.half_extents().length());
    for (id, object, pose) in super::shown(moment, Layer::Shapes) {
        let placed = object.shape.placed(&pose);
        solid(canvas, object, &placed, level, size);
        if moment.selection.contains(id) {
            let pen = Pen::new(canvas.palette.selected, 2.2).through(0.35);
            outline(canvas, &placed, pen);
        } else if hovered == Some(id) {
            let pen = Pen::new(canvas.palette.hovered, 1.8)
                .alpha(0.9)
                .through(0.15);
            outline(canvas, &placed, pen);
        }
    }
}

fn solid(
    canvas: &mut Canvas,
    object: &Object,
    placed: &Placed<'_>,
    level: Option<Aabb>,
    size: f64,
) {
    let color = canvas.palette.object(object);
    let fill = fill(canvas, object, placed, color, size);
    if object.sensor {
        super::super::outline::ghost(canvas, placed, color, 0.16);
        return;
    }
    match placed {
        Placed::Sphere(sphere) => canvas.ball(sphere.center, sphere.radius, fill),
        Placed::Obb(obb) => {
            canvas.block(obb, fill);
            let middle = obb.half_extents.length();
            if canvas.points(obb.center, middle) > EDGES_FROM {
                canvas.box_edges(&obb.corners(), edge_pen(color));
            }
        }
        Placed::Segment(segment) => {
            let pen = Pen::new(color, 3.0);
            canvas.line(segment.a, segment.b, pen);
            canvas.point(segment.a, Pen { width: 5.0, ..pen });
            canvas.point(segment.b, Pen { width: 5.0, ..pen });
        }
        Placed::Capsule(capsule) => {
            let (a, b) = (capsule.segment.a, capsule.segment.b);
            canvas.capsule(a, b, capsule.radius, fill, false);
            let pen = edge_pen(color).alpha(0.25);
            capsule_rim(canvas, a, b, capsule.radius, pen);
        }
        Placed::Triangle(triangle) => {
            let corners = [triangle.a, triangle.b, triangle.c];
            canvas.triangle(corners, fill);
            canvas.loop_line(&corners, edge_pen(color));
        }
        Placed::Plane(plane) => {
            let around = level.map_or(DVec3::ZERO, |bounds| bounds.center());
            let half = (size * 2.5).clamp(1.0, 1e6);
            if let Some(corners) = Canvas::plane_patch(plane, around, half) {
                let pane = canvas.subdued(color, 0.45);
                canvas.pane_quad(corners, [pane[0], pane[1], pane[2], 0.55]);
                canvas.loop_line(&corners, edge_pen(color));
            }
        }
        Placed::Mesh(mesh, pose) => draw_mesh(canvas, mesh, pose, fill, color),
    }
}

fn draw_mesh(
    canvas: &mut Canvas,
    mesh: &Mesh,
    pose: &crate::core::shape::Pose,
    fill: Rgba,
    color: Color32,
) {
    for index in 0..mesh.triangles().len() {
        let triangle = mesh.triangle(index as u32).transformed(pose);
        canvas.triangle([triangle.a, triangle.b, triangle.c], fill);
    }
    if mesh.triangles().len() <= MOST_EDGES {
        let pen = edge_pen(color);
        for (a, b, strong) in mesh_edges(mesh) {
            let pen = if strong { pen } else { pen.alpha(0.14) };
            canvas.line(pose.point(a), pose.point(b), pen);
        }
    }
}

fn fill(canvas: &Canvas, object: &Object, placed: &Placed<'_>, color: Color32, size: f64) -> Rgba {
    let large = placed
        .aabb()
        .is_some_and(|bounds| bounds.half_extents().length() > size * LARGE);
    if object.movement == Movement::Fixed && large {
        canvas.subdued(color, 0.42)
    } else {
        rgba(color, 1.0)
    }
}

/// Edges of a surface: its colour, darker.
fn edge_pen(color: Color32) -> Pen {
    let dark = mix(rgba(color, 1.0), [0.0, 0.0, 0.0, 1.0], 0.55);
    let part = |share: f32| (share * 255.0 + 0.5) as u8;
    Pen::new(
        Color32::from_rgb(part(dark[0]), part(dark[1]), part(dark[2])),
        1.0,
    )
    .alpha(0.5)
}
