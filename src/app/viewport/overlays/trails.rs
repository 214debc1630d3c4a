//! Where things came from over the last frames, in the other replay of a comparison too.

use super::super::canvas::{Canvas, Pen};
use super::super::moment::{Compared, Moment};
use crate::app::view_state::Layer;
use crate::core::replay::{ObjectId, Replay};
use egui::Color32;
use glam::DVec3;

/// Frames of a trail.
const FRAMES: u32 = 60;
/// All trails together, lines.
const MOST: usize = 12_000;

pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>) {
    let heads: Vec<(ObjectId, DVec3)> = super::shown(moment, Layer::Trails)
        .map(|(id, _, pose)| (id, pose.position))
        .collect();
    let color = canvas.palette.trail;
    behind(canvas, moment.replay, moment.frame.number, heads, color);
    if let Some(compared) = &moment.compared
        && let Some((frame, _)) = compared.at
    {
        let heads = of_other(moment, compared);
        let color = canvas.palette.other;
        behind(canvas, compared.replay, frame.number, heads, color);
    }
}

/// The same objects where the other replay of a comparison has them.
fn of_other(moment: &Moment<'_>, compared: &Compared<'_>) -> Vec<(ObjectId, DVec3)> {
    let shown = compared.subjects.iter().filter_map(|subject| {
        let selected = subject.a().is_some_and(|a| moment.selection.contains(a));
        let other = subject.b()?;
        let is_shown = moment.layers.shows(Layer::Trails, selected);
        let pose = compared.pose(other).filter(|_| is_shown)?;
        Some((other, pose.position))
    });
    shown.collect()
}

/// From where each is now, back over the states before.
fn behind(
    canvas: &mut Canvas,
    replay: &Replay,
    now: u32,
    mut heads: Vec<(ObjectId, DVec3)>,
    color: Color32,
) {
    if heads.is_empty() {
        return;
    }
    let frames = FRAMES.min((MOST / heads.len()).max(1) as u32);
    let pen = Pen::new(color, 1.6).through(0.3);
    for age in 0..frames.min(now + 1) {
        let state = replay.state(now - age);
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
