//! The objects of the other replay of a comparison whose poses differ from the level's, in their own colour.

use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::outline::{ghost, outline};
use super::super::toolbar::TOOLBAR;
use super::super::viewport_input::{Compared, ViewportInput};
use super::camera::frustum;
use crate::app::view_options::CompareView;
use crate::app::view_state::{Layer, Show};
use crate::core::replay::ObjectId;
use crate::core::shape::Pose;
use egui::{Rect, pos2, vec2};
use glam::DVec3;

/// Most objects drawn as bodies; the others are drawn as points.
const MAX_BODIES: usize = 400;
/// Most lines between an object's two positions.
const MAX_LINES: usize = 60;

/// One minus the cosine of half the angle below which two rotations look equal: 0.2 degrees.
const SAME_ROTATION: f64 = 1.5e-6;

/// Area of the legend, approximately, points; kept clear of labels.
const LEGEND: Rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(300.0, 60.0));

/// An object of the other replay with a pose that differs from the level's.
struct Moved {
    id: ObjectId,
    pose: Pose,
    /// Its pose in the level.
    here: Option<Pose>,
    selected: bool,
}

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let Some(compared) = &input.compared else {
        return;
    };
    if input.layers.get(Layer::Shapes) == Show::None {
        return;
    }
    keep_legend_clear(builder, input);
    if input.layers.compare_view != CompareView::Overlaid {
        return;
    }
    camera(builder, input, compared);
    let mut moved = moved(input, compared);
    // The selected objects first; a stable sort keeps the level's order.
    moved.sort_by_key(|one| !one.selected);
    let color = builder.palette.other;
    for (number, one) in moved.iter().enumerate() {
        let Some(object) = compared.replay.objects().get(one.id as usize) else {
            continue;
        };
        if one
            .here
            .is_some_and(|here| looks_same(builder, &here, &one.pose))
        {
            continue;
        }
        let placed = object.shape.placed(&one.pose);
        if one.selected || number < MAX_BODIES {
            ghost(builder, &object.shape, &one.pose, (color, 0.28));
        } else {
            builder.point(one.pose.position, LineStyle::new(color, 4.0).occluded(0.4));
        }
        let Some(here) = one.here else {
            continue;
        };
        if one.selected || number < MAX_LINES {
            let style = LineStyle::new(color, 1.4).alpha(0.8).occluded(0.5);
            builder.dashes(here.position, one.pose.position, style);
        }
        if one.selected {
            builder.keep_clear_of(&placed);
            distance_label(builder, &here, &one.pose);
        }
    }
}

fn keep_legend_clear(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let toolbar = if input.editing.is_some() {
        TOOLBAR
    } else {
        0.0
    };
    builder
        .keep_clear
        .push(LEGEND.translate(vec2(0.0, toolbar)));
}

/// Outlines the objects that differ from the other replay, each in its own picture.
pub fn mark(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    if input.differing.is_empty() {
        return;
    }
    keep_legend_clear(builder, input);
    let color = builder.palette.other;
    for (number, &id) in input.differing.iter().enumerate() {
        let object = input.replay.objects().get(id as usize);
        let (Some(object), Some(pose)) = (object, input.pose(id)) else {
            continue;
        };
        if number < MAX_BODIES {
            let style = LineStyle::new(color, 2.4).occluded(0.4);
            outline(builder, &object.shape, &pose, style);
        } else {
            builder.point(pose.position, LineStyle::new(color, 4.0).occluded(0.4));
        }
    }
}

/// Draws the other replay's camera where its pose differs from the level's.
fn camera(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, compared: &Compared<'_>) {
    if input.layers.get(Layer::Camera) == Show::None || input.walk.is_some() {
        return;
    }
    let Some(there) = compared.camera() else {
        return;
    };
    let here = input.camera();
    if here.is_some_and(|here| looks_same(builder, &here, &there)) {
        return;
    }
    let style = LineStyle::new(builder.palette.other, 1.6).occluded(0.35);
    if let Some(camera) = &compared.replay.scene().camera {
        frustum(builder, camera, &there, style);
    }
    builder.point(there.position, style.width(7.0));
    if let Some(here) = here {
        builder.dashes(here.position, there.position, style.alpha(0.8));
        distance_label(builder, &here, &there);
    }
}

/// The objects whose poses differ at this time, or that are in the other replay only.
fn moved(input: &ViewportInput<'_>, compared: &Compared<'_>) -> Vec<Moved> {
    let subjects = compared.subjects.iter();
    let all = subjects.filter_map(|subject| {
        let id = subject.b()?;
        let pose = compared.pose(id)?;
        let here = subject.a().and_then(|a| input.pose(a));
        let a = subject.a();
        // Coincident surfaces would flicker.
        (here != Some(pose)).then_some(Moved {
            id,
            pose,
            here,
            selected: a.is_some_and(|a| input.selection.contains(a)),
        })
    });
    all.collect()
}

/// Returns true if two poses look equal in this view; their surfaces would flicker.
fn looks_same(builder: &DrawListBuilder, here: &Pose, there: &Pose) -> bool {
    let metres = here.position.distance(there.position);
    let rotated = here.rotation.dot(there.rotation).abs() < 1.0 - SAME_ROTATION;
    !rotated && builder.points(here.position, metres) < 0.5
}

/// Adds a label with the distance of two positions, beside the line between them.
fn distance_label(builder: &mut DrawListBuilder, here: &Pose, there: &Pose) {
    let offset = there.position - here.position;
    if offset == DVec3::ZERO {
        return;
    }
    let along = builder.screen_direction(here.position, offset);
    let text = format!("{} apart", builder.units.length(offset.length()));
    let center = (here.position + there.position) * 0.5;
    let color = builder.palette.other;
    builder.label(center, -along.perp(), text, color, Rank::Selected);
}
