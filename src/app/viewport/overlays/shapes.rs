//! The objects themselves, where they stand at the playhead.

use super::super::ViewportInput;
use super::super::draw_list::{Rgba, mix, rgba};
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::outline::{capsule_rim, outline};
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
    builder: &mut DrawListBuilder,
    input: &ViewportInput<'_>,
    hovered: Option<ObjectId>,
    level: Option<Aabb>,
) {
    let size = level.map_or(10.0, |bounds| bounds.half_extents().length());
    for (id, object, pose) in super::shown(input, Layer::Shapes) {
        let placed = object.shape.placed(&pose);
        solid(builder, object, &placed, level, size);
        if input.selection.contains(id) {
            let style = LineStyle::new(builder.palette.selected, 2.2).through(0.35);
            outline(builder, &placed, style);
        } else if hovered == Some(id) {
            let style = LineStyle::new(builder.palette.hovered, 1.8)
                .alpha(0.9)
                .through(0.15);
            outline(builder, &placed, style);
        }
    }
}

fn solid(
    builder: &mut DrawListBuilder,
    object: &Object,
    placed: &Placed<'_>,
    level: Option<Aabb>,
    size: f64,
) {
    let color = builder.palette.object(object);
    let fill = fill(builder, object, placed, color, size);
    if object.sensor {
        super::super::outline::ghost(builder, placed, color, 0.16);
        return;
    }
    match placed {
        Placed::Sphere(sphere) => builder.ball(sphere.center, sphere.radius, fill),
        Placed::Obb(obb) => {
            builder.block(obb, fill);
            let middle = obb.half_extents.length();
            if builder.points(obb.center, middle) > EDGES_FROM {
                builder.box_edges(&obb.corners(), edge_pen(color));
            }
        }
        Placed::Segment(segment) => {
            let style = LineStyle::new(color, 3.0);
            builder.line(segment.a, segment.b, style);
            builder.point(
                segment.a,
                LineStyle {
                    width: 5.0,
                    ..style
                },
            );
            builder.point(
                segment.b,
                LineStyle {
                    width: 5.0,
                    ..style
                },
            );
        }
        Placed::Capsule(capsule) => {
            let (a, b) = (capsule.segment.a, capsule.segment.b);
            builder.capsule(a, b, capsule.radius, fill, false);
            let style = edge_pen(color).alpha(0.25);
            capsule_rim(builder, a, b, capsule.radius, style);
        }
        Placed::Solid(solid, pose) => {
            for triangle in solid.surface() {
                builder.triangle(triangle.map(|corner| pose.point(corner)), fill);
            }
            for [a, b] in solid.outline() {
                builder.line(pose.point(a), pose.point(b), edge_pen(color));
            }
        }
        Placed::Triangle(triangle) => {
            let corners = [triangle.a, triangle.b, triangle.c];
            builder.triangle(corners, fill);
            builder.loop_line(&corners, edge_pen(color));
        }
        Placed::Plane(plane) => {
            let around = level.map_or(DVec3::ZERO, |bounds| bounds.center());
            let half = (size * 2.5).clamp(1.0, 1e6);
            if let Some(corners) = DrawListBuilder::plane_patch(plane, around, half) {
                let pane = builder.subdued(color, 0.45);
                builder.pane_quad(corners, [pane[0], pane[1], pane[2], 0.55]);
                builder.loop_line(&corners, edge_pen(color));
            }
        }
        Placed::Mesh(mesh, pose) => draw_mesh(builder, mesh, pose, fill, color),
        Placed::Compound(compound, pose) => {
            for part in compound.placed(pose) {
                solid(builder, object, &part, level, size);
            }
        }
    }
}

fn draw_mesh(
    builder: &mut DrawListBuilder,
    mesh: &Mesh,
    pose: &crate::core::shape::Pose,
    fill: Rgba,
    color: Color32,
) {
    for index in 0..mesh.triangles().len() {
        let triangle = mesh.triangle(index as u32).transformed(pose);
        builder.triangle([triangle.a, triangle.b, triangle.c], fill);
    }
    let edges = builder.edges.of(mesh);
    let length = builder.points(pose.point(mesh.aabb().center()), edges.length);
    let shown = ((length - FADE.0) / (FADE.1 - FADE.0)).clamp(0.0, 1.0) as f32;
    let sharp_only = edges.all.len() > MOST_EDGES;
    // Few edges are an outline at any size.
    let shown = if edges.sharp < 200 { 1.0 } else { shown };
    if shown < 0.03 {
        return;
    }
    let style = edge_pen(color);
    for &(a, b, sharp) in &edges.all {
        if sharp || !sharp_only {
            let alpha = if sharp { style.alpha } else { 0.14 };
            builder.line(pose.point(a), pose.point(b), style.alpha(alpha * shown));
        }
    }
}

fn fill(
    builder: &DrawListBuilder,
    object: &Object,
    placed: &Placed<'_>,
    color: Color32,
    size: f64,
) -> Rgba {
    let large = placed
        .aabb()
        .is_some_and(|bounds| bounds.half_extents().length() > size * LARGE);
    if object.movement == Movement::Fixed && large {
        builder.subdued(color, 0.42)
    } else {
        rgba(color, 1.0)
    }
}

/// Edges of a surface: its colour, darker.
fn edge_pen(color: Color32) -> LineStyle {
    let dark = mix(rgba(color, 1.0), [0.0, 0.0, 0.0, 1.0], 0.55);
    let part = |share: f32| (share * 255.0 + 0.5) as u8;
    LineStyle::new(
        Color32::from_rgb(part(dark[0]), part(dark[1]), part(dark[2])),
        1.0,
    )
    .alpha(0.5)
}
