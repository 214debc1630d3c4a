//! Trails of objects over the last frames, also of the other replay of a comparison.

use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::viewport_input::{Compared, ViewportInput};
use crate::app::view_state::Layer;
use crate::core::replay::{ObjectId, Replay};
use egui::Color32;
use glam::DVec3;

/// Longest trail, frames.
const FRAMES: u32 = 60;
/// Most lines of all trails.
const MAX_LINES: usize = 12_000;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let heads: Vec<(ObjectId, DVec3)> = super::shown(input, Layer::Trails)
        .map(|(id, _, pose)| (id, pose.position))
        .collect();
    let color = builder.palette.trail;
    trail(builder, input.replay, input.frame.number, heads, color);
    if let Some(compared) = &input.compared
        && let Some((frame, _)) = compared.at
    {
        let heads = of_other(input, compared);
        let color = builder.palette.other;
        trail(builder, compared.replay, frame.number, heads, color);
    }
}

/// The objects of the other replay of a comparison that have trails, with their positions.
fn of_other(input: &ViewportInput<'_>, compared: &Compared<'_>) -> Vec<(ObjectId, DVec3)> {
    let shown = compared.subjects.iter().filter_map(|subject| {
        let selected = subject.a().is_some_and(|a| input.selection.contains(a));
        let other = subject.b()?;
        let is_shown = input.layers.shows(Layer::Trails, selected);
        let pose = compared.pose(other).filter(|_| is_shown)?;
        Some((other, pose.position))
    });
    shown.collect()
}

/// Draws trails from the heads back over the states before frame `now`.
fn trail(
    builder: &mut DrawListBuilder,
    replay: &Replay,
    now: u32,
    mut heads: Vec<(ObjectId, DVec3)>,
    color: Color32,
) {
    if heads.is_empty() {
        return;
    }
    let frames = FRAMES.min((MAX_LINES / heads.len()).max(1) as u32);
    let style = LineStyle::new(color, 1.6).occluded(0.3);
    for age in 0..frames.min(now + 1) {
        let fade = |age: u32| (1.0 - age as f32 / frames as f32) * 0.9;
        heads.retain_mut(|(id, head)| {
            let body = replay.body(now - age, *id);
            let Some(body) = body.filter(|body| body.pose.position.is_finite()) else {
                return false;
            };
            let tail = body.pose.position;
            if tail != *head {
                builder.fading_line(tail, *head, style, fade(age + 1), fade(age));
            }
            if age > 0 {
                builder.point(tail, style.width(2.6).alpha(fade(age)));
            }
            *head = tail;
            // The trail begins after a teleport.
            !body.teleported
        });
    }
}
