//! The objects themselves, where they stand at the playhead.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use super::super::outline::{capsule_rim, outline};
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
/// Of a mesh with more edges than this only the sharp ones are drawn.
const MOST_EDGES: usize = 12_000;
/// Edges of a mesh fade out where they are shorter than the second, on average, and are gone at the first, points.
const FADE: (f64, f64) = (3.0, 14.0);

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
        Placed::Solid(solid, pose) => {
            for triangle in solid.surface() {
                canvas.triangle(triangle.map(|corner| pose.point(corner)), fill);
            }
            for [a, b] in solid.outline() {
                canvas.line(pose.point(a), pose.point(b), edge_pen(color));
            }
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
        Placed::Compound(compound, pose) => {
            for part in compound.placed(pose) {
                solid(canvas, object, &part, level, size);
            }
        }
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
    let edges = canvas.edges.of(mesh);
    let length = canvas.points(pose.point(mesh.aabb().center()), edges.length);
    let shown = ((length - FADE.0) / (FADE.1 - FADE.0)).clamp(0.0, 1.0) as f32;
    let sharp_only = edges.all.len() > MOST_EDGES;
    // Few edges are an outline at any size.
    let shown = if edges.sharp < 200 { 1.0 } else { shown };
    if shown < 0.03 {
        return;
    }
    let pen = edge_pen(color);
    for &(a, b, sharp) in &edges.all {
        if sharp || !sharp_only {
            let alpha = if sharp { pen.alpha } else { 0.14 };
            canvas.line(pose.point(a), pose.point(b), pen.alpha(alpha * shown));
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
