//! Where things came from over the last frames.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use crate::app::view_state::Layer;
use crate::core::replay::ObjectId;
use glam::DVec3;

/// Frames of a trail.
const FRAMES: u32 = 60;
/// All trails together, lines.
const MOST: usize = 12_000;

pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>) {
    let mut heads: Vec<(ObjectId, DVec3)> = super::shown(moment, Layer::Trails)
        .map(|(id, _, pose)| (id, pose.position))
        .collect();
    if heads.is_empty() {
        return;
    }
    let frames = FRAMES.min((MOST / heads.len()).max(1) as u32);
    let now = moment.frame.number;
    let pen = Pen::new(canvas.palette.trail, 1.6).through(0.3);
    for age in 0..frames.min(now + 1) {
        let state = moment.replay.state(now - age);
        let fade = |age: u32| (1.0 - age as f32 / frames as f32) * 0.9;
        heads.retain_mut(|(id, head)| {
            let body = state.bodies.get(*id as usize).copied().flatten();
            let Some(body) = body.filter(|body| body.pose.position.is_finite()) else {
                return false;
            };
            let tail = body.pose.position;
            if tail != *head {
                canvas.fading_line(tail, *head, pen, fade(age + 1), fade(age));
            }
            if age > 0 {
                canvas.point(tail, Pen { width: 2.6, ..pen }.alpha(fade(age)));
            }
            *head = tail;
            // It did not travel here: the trail begins here.
            !body.teleported
        });
    }
}
