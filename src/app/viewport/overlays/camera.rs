//! The camera that plays in the level: its pyramid with the near plane, its way through the frame, its probe lines and hits.

use super::super::ViewportInput;
use super::super::draw_list::{Rank, rgba};
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use crate::app::model::probe_look::ProbeLook;
use crate::app::view_state::{Layer, Show};
use crate::core::query::probe::{ProbeHit, STANDARD_PROBE};
use crate::core::replay::Phase;
use crate::core::scene::{Camera, Probe};
use crate::core::shape::Pose;
use glam::DVec3;

/// The pyramid is drawn this deep, metres, or ten times the near plane where that is deeper.
const PYRAMID: f64 = 0.8;
/// At most this many hits carry their number.
const MOST_NUMBERS: usize = 12;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    if let Some(look) = input.probe {
        looked(builder, input, look);
    }
    if input.walk.is_some() {
        return;
    }
    let (Some((motion, _)), Some(pose)) = (input.frame.camera, input.camera()) else {
        return;
    };
    let palette = builder.palette;
    let style = LineStyle::new(palette.camera, 1.6).through(0.35);
    if input.layers.get(Layer::Camera) != Show::None {
        if let Some(camera) = &input.replay.scene().camera {
            pyramid(builder, camera, &pose, style);
        }
        builder.point(
            pose.position,
            LineStyle {
                width: 7.0,
                ..style
            },
        );
        if motion.start.position != motion.end.position {
            builder.dashes(motion.start.position, motion.end.position, style.alpha(0.8));
            let way = builder.heading(motion.start.position, motion.displacement());
            let long = builder.points(pose.position, motion.displacement().length()) > 30.0;
            let ends = [
                (motion.start.position, -way, "camera's start"),
                (motion.end.position, way, "camera's end"),
            ];
            for (at, toward, name) in ends {
                builder.point(
                    at,
                    LineStyle {
                        width: 5.0,
                        ..style
                    }
                    .alpha(0.7),
                );
                // Of a way that is hardly seen the ends need no names.
                if long {
                    builder.label(at, toward, name, style.color, Rank::Ghost);
                }
            }
        }
    }
    if input.layers.get(Layer::Probe) != Show::None && input.probe.is_none() {
        probe(builder, input, &pose);
    }
}

/// The probe as it is edited, or as somebody walks with it: where it stands before it acts, and what it meets.
fn looked(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, look: &ProbeLook) {
    let palette = builder.palette;
    let at = look.way.end.position;
    // Whoever walks has the lines through the eye: only what they meet is drawn then.
    let walks = input.walk.is_some();
    for (line, &offset) in (0..).zip(&look.lines).filter(|_| !walks) {
        let pointed = input.probe_line == Some(line);
        let color = if pointed {
            palette.selected
        } else {
            palette.probe
        };
        let width = if pointed { 3.2 } else { 1.6 };
        let style = LineStyle::new(color, width).through(0.5);
        builder.line(at + offset, at - offset, style);
        if pointed {
            builder.point(
                at + offset,
                LineStyle {
                    width: 7.0,
                    ..style
                },
            );
            let away = builder.heading(at, offset);
            builder.label(
                at + offset,
                away,
                format!("line {} starts", line + 1),
                color,
                Rank::Now,
            );
        }
    }
    for (order, hit) in look.answer.hits.iter().enumerate() {
        if let Some(&offset) = look.lines.get(hit.line as usize).filter(|_| !walks) {
            met(builder, hit, offset);
        }
        let style = LineStyle::new(palette.probe_hit, 9.0).through(0.7);
        builder.point(hit.point, style);
        if order < MOST_NUMBERS && !walks {
            let away = builder.heading(hit.point, hit.point - hit.camera);
            let text = format!("hit {}", order + 1);
            builder.label(hit.point, away, text, style.color, Rank::Impact);
        }
    }
    let push = look.answer.push;
    if push.length_squared() > 0.0 && !walks {
        builder.arrow(
            at,
            at + push,
            LineStyle::new(palette.push, 2.4).through(0.7),
        );
        let text = format!("probe {}", crate::app::text::metres(push.length()));
        let back = builder.heading(at, push);
        builder.label(at + push, back, text, palette.push, Rank::Push);
    }
}

/// From the eye through the near plane; a triangle marks its upper side.
pub fn pyramid(builder: &mut DrawListBuilder, camera: &Camera, pose: &Pose, style: LineStyle) {
    let high = (camera.fov * 0.5).tan();
    let wide = high * camera.aspect;
    let corners = |depth: f64| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y): (f64, f64)| pose.point(DVec3::new(x * wide, y * high, -1.0) * depth))
    };
    let deep = PYRAMID.max(camera.near * 10.0);
    let (near, far) = (corners(camera.near), corners(deep));
    builder.double_sided_quad(near, rgba(style.color, 0.35));
    builder.loop_line(&near, style);
    builder.loop_line(&far, style.alpha(0.6));
    for corner in far {
        builder.line(pose.position, corner, style.alpha(0.8));
    }
    let up = DVec3::new(0.0, high * 1.35, -1.0) * deep;
    builder.loop_line(&[far[2], far[3], pose.point(up)], style.alpha(0.6));
}

fn probe(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, pose: &Pose) {
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
    let style = LineStyle::new(palette.probe, 1.6).through(0.5);
    for &offset in &lines {
        builder.line(pose.position + offset, pose.position - offset, style);
    }
    for (order, hit) in hits.iter().enumerate() {
        if let Some(&offset) = lines.get(hit.line as usize) {
            met(builder, hit, offset);
        }
        let style = LineStyle::new(palette.probe_hit, 9.0).through(0.7);
        builder.point(hit.point, style);
        if order < MOST_NUMBERS {
            let away = builder.heading(hit.point, hit.point - hit.camera);
            let text = format!("hit {}", order + 1);
            builder.label(hit.point, away, text, style.color, Rank::Impact);
        }
    }
}

/// The line that met a surface, where the camera stood then: the part that pokes through is marked.
fn met(builder: &mut DrawListBuilder, hit: &ProbeHit, offset: DVec3) {
    let palette = builder.palette;
    let (from, to) = (hit.camera + offset, hit.camera - offset);
    let (inside, through) = if hit.fraction >= 0.5 {
        (from, to)
    } else {
        (to, from)
    };
    builder.line(
        inside,
        hit.point,
        LineStyle::new(palette.probe, 2.6).through(0.5),
    );
    let style = LineStyle::new(palette.probe_hit, 3.6).through(0.75);
    builder.line(hit.point, through, style);
    builder.point(
        through,
        LineStyle {
            width: 6.0,
            ..style
        },
    );
    if let Some((u, v)) = offset.try_normalize().map(|way| way.any_orthonormal_pair()) {
        let radius = builder.view.metres_per_point(hit.point) * 10.0;
        builder.circle(
            hit.point,
            u,
            v,
            radius,
            LineStyle {
                width: 1.6,
                ..style
            },
        );
    }
}
