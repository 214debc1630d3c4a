//! The camera that plays in the level: its pyramid with the near plane, its way through the frame, its probe lines and hits.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use super::super::picture::{Rank, rgba};
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

pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>) {
    if let Some(look) = moment.probe {
        looked(canvas, moment, look);
    }
    if moment.walk.is_some() {
        return;
    }
    let (Some((motion, _)), Some(pose)) = (moment.frame.camera, moment.camera()) else {
        return;
    };
    let palette = canvas.palette;
    let pen = Pen::new(palette.camera, 1.6).through(0.35);
    if moment.layers.get(Layer::Camera) != Show::None {
        if let Some(camera) = &moment.replay.scene().camera {
            pyramid(canvas, camera, &pose, pen);
        }
        canvas.point(pose.position, Pen { width: 7.0, ..pen });
        if motion.start.position != motion.end.position {
            canvas.dashes(motion.start.position, motion.end.position, pen.alpha(0.8));
            let way = canvas.heading(motion.start.position, motion.displacement());
            let long = canvas.points(pose.position, motion.displacement().length()) > 30.0;
            let ends = [
                (motion.start.position, -way, "camera's start"),
                (motion.end.position, way, "camera's end"),
            ];
            for (at, toward, name) in ends {
                canvas.point(at, Pen { width: 5.0, ..pen }.alpha(0.7));
                // Of a way that is hardly seen the ends need no names.
                if long {
                    canvas.label(at, toward, name, pen.color, Rank::Ghost);
                }
            }
        }
    }
    if moment.layers.get(Layer::Probe) != Show::None && moment.probe.is_none() {
        probe(canvas, moment, &pose);
    }
}

/// The probe as it is edited, or as somebody walks with it: where it stands before it acts, and what it meets.
fn looked(canvas: &mut Canvas, moment: &Moment<'_>, look: &ProbeLook) {
    let palette = canvas.palette;
    let at = look.way.end.position;
    // Whoever walks has the lines through the eye: only what they meet is drawn then.
    let walks = moment.walk.is_some();
    for (line, &offset) in (0..).zip(&look.lines).filter(|_| !walks) {
        let pointed = moment.probe_line == Some(line);
        let color = if pointed {
            palette.selected
        } else {
            palette.probe
        };
        let width = if pointed { 3.2 } else { 1.6 };
        let pen = Pen::new(color, width).through(0.5);
        canvas.line(at + offset, at - offset, pen);
        if pointed {
            canvas.point(at + offset, Pen { width: 7.0, ..pen });
            let away = canvas.heading(at, offset);
            canvas.label(
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
            met(canvas, hit, offset);
        }
        let pen = Pen::new(palette.probe_hit, 9.0).through(0.7);
        canvas.point(hit.point, pen);
        if order < MOST_NUMBERS && !walks {
            let away = canvas.heading(hit.point, hit.point - hit.camera);
            let text = format!("hit {}", order + 1);
            canvas.label(hit.point, away, text, pen.color, Rank::Impact);
        }
    }
    let push = look.answer.push;
    if push.length_squared() > 0.0 && !walks {
        canvas.arrow(at, at + push, Pen::new(palette.push, 2.4).through(0.7));
        let text = format!("probe {}", super::ruler::length(push.length()));
        let back = canvas.heading(at, push);
        canvas.label(at + push, back, text, palette.push, Rank::Push);
    }
}

/// From the eye through the near plane; a triangle marks its upper side.
pub fn pyramid(canvas: &mut Canvas, camera: &Camera, pose: &Pose, pen: Pen) {
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
    let pen = Pen::new(palette.probe, 1.6).through(0.5);
    for &offset in &lines {
        canvas.line(pose.position + offset, pose.position - offset, pen);
    }
    for (order, hit) in hits.iter().enumerate() {
        if let Some(&offset) = lines.get(hit.line as usize) {
            met(canvas, hit, offset);
        }
        let pen = Pen::new(palette.probe_hit, 9.0).through(0.7);
        canvas.point(hit.point, pen);
        if order < MOST_NUMBERS {
            let away = canvas.heading(hit.point, hit.point - hit.camera);
            let text = format!("hit {}", order + 1);
            canvas.label(hit.point, away, text, pen.color, Rank::Impact);
        }
    }
}

/// The line that met a surface, where the camera stood then: the part that pokes through is marked.
fn met(canvas: &mut Canvas, hit: &ProbeHit, offset: DVec3) {
    let palette = canvas.palette;
    let (from, to) = (hit.camera + offset, hit.camera - offset);
    let (inside, through) = if hit.fraction >= 0.5 {
        (from, to)
    } else {
        (to, from)
    };
    canvas.line(inside, hit.point, Pen::new(palette.probe, 2.6).through(0.5));
    let pen = Pen::new(palette.probe_hit, 3.6).through(0.75);
    canvas.line(hit.point, through, pen);
    canvas.point(through, Pen { width: 6.0, ..pen });
    if let Some((u, v)) = offset.try_normalize().map(|way| way.any_orthonormal_pair()) {
        let radius = canvas.view.metres_per_point(hit.point) * 10.0;
        canvas.circle(hit.point, u, v, radius, Pen { width: 1.6, ..pen });
    }
}
