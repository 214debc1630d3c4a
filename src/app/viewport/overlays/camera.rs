//! The camera that plays in the level: its pyramid with the near plane, its way through the frame, its probe lines and hits.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use super::super::picture::rgba;
use crate::app::view_state::{Layer, Show};
use crate::core::query::probe::STANDARD_PROBE;
use crate::core::replay::Phase;
use crate::core::scene::{Camera, Probe};
use crate::core::shape::Pose;
use glam::DVec3;

/// The pyramid is drawn this deep, metres, or ten times the near plane where that is deeper.
const PYRAMID: f64 = 0.8;

pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>) {
    let Some((motion, after)) = moment.frame.camera else {
        return;
    };
    let fraction = moment.playhead.fraction;
    let pose = if fraction >= 1.0 {
        after
    } else {
        motion.pose(fraction)
    };
    if !pose.is_finite() {
        return;
    }
    let palette = canvas.palette;
    let pen = Pen::new(palette.camera, 1.6).through(0.35);
    if moment.layers.get(Layer::Camera) != Show::None {
        if let Some(camera) = &moment.replay.scene().camera {
            pyramid(canvas, camera, &pose, pen);
        }
        canvas.point(pose.position, Pen { width: 7.0, ..pen });
        if motion.start.position != motion.end.position {
            canvas.dashes(motion.start.position, motion.end.position, pen.alpha(0.8));
            canvas.point(motion.start.position, Pen { width: 4.0, ..pen }.alpha(0.6));
            canvas.point(motion.end.position, Pen { width: 4.0, ..pen }.alpha(0.6));
        }
    }
    if moment.layers.get(Layer::Probe) != Show::None {
        probe(canvas, moment, &pose);
    }
}

/// From the eye through the near plane; a triangle marks its upper side.
fn pyramid(canvas: &mut Canvas, camera: &Camera, pose: &Pose, pen: Pen) {
    let high = (camera.fov * 0.5).tan();
    let wide = high * camera.aspect;
    let corners = |depth: f64| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y): (f64, f64)| pose.point(DVec3::new(x * wide, y * high, -1.0) * depth))
    };
    let deep = PYRAMID.max(camera.near * 10.0);
    let (near, far) = (corners(camera.near), corners(deep));
    canvas.pane_quad(near, rgba(pen.color, 0.35));
    canvas.loop_line(&near, pen);
    canvas.loop_line(&far, pen.alpha(0.6));
    for corner in far {
        canvas.line(pose.position, corner, pen.alpha(0.8));
    }
    let up = DVec3::new(0.0, high * 1.35, -1.0) * deep;
    canvas.loop_line(&[far[2], far[3], pose.point(up)], pen.alpha(0.6));
}

fn probe(canvas: &mut Canvas, moment: &Moment<'_>, pose: &Pose) {
    let palette = canvas.palette;
    let none = Vec::new();
    let lines = match moment
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
    let answers = moment.frame.phases.iter().filter_map(|phase| match phase {
        Phase::CameraPush { answer } => Some(answer),
        _ => None,
    });
    let hits: Vec<_> = answers.flat_map(|answer| &answer.hits).collect();
    for (number, &offset) in lines.iter().enumerate() {
        let met = hits.iter().any(|hit| hit.line as usize == number);
        let color = if met {
            palette.probe_hit
        } else {
            palette.probe
        };
        let pen = Pen::new(color, if met { 2.4 } else { 1.6 }).through(0.5);
        canvas.line(pose.position + offset, pose.position - offset, pen);
    }
    let pen = Pen::new(palette.probe_hit, 7.0).through(0.7);
    for (order, hit) in hits.iter().enumerate() {
        canvas.point(hit.point, pen);
        if order < 12 {
            canvas.label(
                hit.point,
                [10.0, -10.0],
                format!("{}", order + 1),
                pen.color,
            );
        }
    }
}
