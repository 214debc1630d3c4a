//! The level's camera: its frustum, its path through the frame, its probe lines and hits.

use super::super::ViewportInput;
use super::super::draw_list::{Rank, rgba};
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use crate::app::model::probe_test::ProbeTest;
use crate::app::view_state::{Layer, Show};
use crate::core::query::probe::{ProbeHit, STANDARD_PROBE};
use crate::core::replay::Phase;
use crate::core::scene::{Camera, Probe};
use crate::core::shape::Pose;
use glam::DVec3;

/// Depth of the drawn frustum, metres; ten times the near distance where that is more.
const FRUSTUM_DEPTH: f64 = 0.8;
/// Most hits that are labelled.
const MAX_LABELS: usize = 12;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    if let Some(result) = input.probe {
        edited_probe(builder, input, result);
    }
    if input.walk.is_some() {
        return;
    }
    let (Some((motion, _)), Some(pose)) = (input.frame.camera, input.camera()) else {
        return;
    };
    let palette = builder.palette;
    let style = LineStyle::new(palette.camera, 1.6).occluded(0.35);
    if input.layers.get(Layer::Camera) != Show::None {
        if let Some(camera) = &input.replay.scene().camera {
            frustum(builder, camera, &pose, style);
        }
        builder.point(pose.position, style.width(7.0));
        if motion.start.position != motion.end.position {
            builder.dashes(motion.start.position, motion.end.position, style.alpha(0.8));
            let direction = builder.screen_direction(motion.start.position, motion.displacement());
            let long = builder.points(pose.position, motion.displacement().length()) > 30.0;
            let ends = [
                (motion.start.position, -direction, "Camera start"),
                (motion.end.position, direction, "Camera end"),
            ];
            for (at, toward, name) in ends {
                builder.point(at, style.width(5.0).alpha(0.7));
                // The ends of a short path are too close for labels.
                if long {
                    builder.label(at, toward, name, style.color, Rank::Ghost);
                }
            }
        }
    }
    if input.layers.get(Layer::Probe) != Show::None && input.probe.is_none() {
        scene_probe(builder, input, &pose);
    }
}

/// Draws the probe that is edited, or that of the walk mode, with its hits.
fn edited_probe(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, result: &ProbeTest) {
    let palette = builder.palette;
    let at = result.motion.end.position;
    // In walk mode the lines pass through the eye: only the hits are drawn.
    let walk_mode = input.walk.is_some();
    for (line, &offset) in (0..).zip(&result.lines).filter(|_| !walk_mode) {
        let pointed = input.probe_line == Some(line);
        let color = if pointed {
            palette.selected
        } else {
            palette.probe
        };
        let width = if pointed { 3.2 } else { 1.6 };
        let style = LineStyle::new(color, width).occluded(0.5);
        builder.line(at + offset, at - offset, style);
        if pointed {
            builder.point(at + offset, style.width(7.0));
            let outward = builder.screen_direction(at, offset);
            builder.label(
                at + offset,
                outward,
                format!("Start of line {}", line + 1),
                color,
                Rank::Now,
            );
        }
    }
    for (order, hit) in result.answer.hits.iter().enumerate() {
        let line = result.lines.get(hit.line as usize);
        if let Some(&offset) = line.filter(|_| !walk_mode) {
            hit_line(builder, hit, offset);
        }
        let style = LineStyle::new(palette.probe_hit, 9.0).occluded(0.7);
        builder.point(hit.point, style);
        if order < MAX_LABELS && !walk_mode {
            let outward = builder.screen_direction(hit.point, hit.point - hit.camera);
            let text = format!("Hit {}", order + 1);
            builder.label(hit.point, outward, text, style.color, Rank::Impact);
        }
    }
    let push = result.answer.push;
    if push.length_squared() > 0.0 && !walk_mode {
        builder.arrow(
            at,
            at + push,
            LineStyle::new(palette.push, 2.4).occluded(0.7),
        );
        let text = format!("Probe {}", builder.units.length(push.length()));
        let toward = builder.screen_direction(at, push);
        builder.label(at + push, toward, text, palette.push, Rank::Push);
    }
}

/// Draws a camera's frustum; a triangle marks its upper side.
pub fn frustum(builder: &mut DrawListBuilder, camera: &Camera, pose: &Pose, style: LineStyle) {
    let half_height = (camera.fov * 0.5).tan();
    let half_width = half_height * camera.aspect;
    let corners = |depth: f64| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(x, y): (f64, f64)| {
            pose.point(DVec3::new(x * half_width, y * half_height, -1.0) * depth)
        })
    };
    let depth = FRUSTUM_DEPTH.max(camera.near * 10.0);
    let (near, far) = (corners(camera.near), corners(depth));
    builder.double_sided_quad(near, rgba(style.color, 0.35));
    builder.loop_line(&near, style);
    builder.loop_line(&far, style.alpha(0.6));
    for corner in far {
        builder.line(pose.position, corner, style.alpha(0.8));
    }
    let up = DVec3::new(0.0, half_height * 1.35, -1.0) * depth;
    builder.loop_line(&[far[2], far[3], pose.point(up)], style.alpha(0.6));
}

fn scene_probe(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, pose: &Pose) {
    let palette = builder.palette;
    let none = Vec::new();
    let lines = match input
        .replay
        .scene()
        .camera
        .as_ref()
        .map(|camera| &camera.probe)
    {
        Some(Probe::Standard) => STANDARD_PROBE.to_vec(),
        Some(Probe::Lines(lines)) => lines.clone(),
        Some(Probe::Off) | None => none,
    };
    let answers = input.frame.phases.iter().filter_map(|phase| match phase {
        Phase::CameraPush { answer } => Some(answer),
        _ => None,
    });
    let hits: Vec<_> = answers.flat_map(|answer| &answer.hits).collect();
    let style = LineStyle::new(palette.probe, 1.6).occluded(0.5);
    for &offset in &lines {
        builder.line(pose.position + offset, pose.position - offset, style);
    }
    for (order, hit) in hits.iter().enumerate() {
        if let Some(&offset) = lines.get(hit.line as usize) {
            hit_line(builder, hit, offset);
        }
        let style = LineStyle::new(palette.probe_hit, 9.0).occluded(0.7);
        builder.point(hit.point, style);
        if order < MAX_LABELS {
            let outward = builder.screen_direction(hit.point, hit.point - hit.camera);
            let text = format!("Hit {}", order + 1);
            builder.label(hit.point, outward, text, style.color, Rank::Impact);
        }
    }
}

/// Draws the line of a hit at the camera's position then; the part behind the surface is marked.
fn hit_line(builder: &mut DrawListBuilder, hit: &ProbeHit, offset: DVec3) {
    let palette = builder.palette;
    let (from, to) = (hit.camera + offset, hit.camera - offset);
    let (front, behind) = if hit.fraction >= 0.5 {
        (from, to)
    } else {
        (to, from)
    };
    builder.line(
        front,
        hit.point,
        LineStyle::new(palette.probe, 2.6).occluded(0.5),
    );
    let style = LineStyle::new(palette.probe_hit, 3.6).occluded(0.75);
    builder.line(hit.point, behind, style);
    builder.point(behind, style.width(6.0));
    if let Some((u, v)) = offset
        .try_normalize()
        .map(|unit| unit.any_orthonormal_pair())
    {
        let radius = builder.view.metres_per_point(hit.point) * 10.0;
        builder.circle(hit.point, u, v, radius, style.width(1.6));
    }
}
