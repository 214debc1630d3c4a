//! The other replay of a comparison, in a colour of its own: what stands elsewhere than in the level.

use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::outline::ghost;
use super::super::viewport_input::{Compared, ViewportInput};
use super::camera::pyramid;
use crate::app::text::metres;
use crate::app::view_state::{Layer, Show};
use crate::core::replay::ObjectId;
use crate::core::shape::Pose;
use egui::{Rect, pos2};
use glam::DVec3;

/// Bodies drawn whole; of the rest a point each.
const MOST_BODIES: usize = 400;
/// Lines from where an object is to where the other replay has it.
const MOST_LINES: usize = 60;

/// One minus the cosine of half the angle below which a turn is not seen: 0.2 degrees.
const SAME_TURN: f64 = 1.5e-6;

/// Where the legend stands, about: no words there, points.
const LEGEND: Rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(300.0, 60.0));

/// An object of the other replay, and where the level has it.
struct Elsewhere {
    id: ObjectId,
    pose: Pose,
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
    builder.keep_clear.push(LEGEND);
    camera(builder, input, compared);
    let mut elsewhere = elsewhere(input, compared);
    // The selected ones first; a stable sort keeps the level's order.
    elsewhere.sort_by_key(|one| !one.selected);
    let color = builder.palette.other;
    for (number, one) in elsewhere.iter().enumerate() {
        let Some(object) = compared.replay.objects().get(one.id as usize) else {
            continue;
        };
        if one
            .here
            .is_some_and(|here| is_same_place(builder, &here, &one.pose))
        {
            continue;
        }
        let placed = object.shape.placed(&one.pose);
        if one.selected || number < MOST_BODIES {
            ghost(builder, &object.shape, &one.pose, (color, 0.28));
        } else {
            builder.point(one.pose.position, LineStyle::new(color, 4.0).through(0.4));
        }
        let Some(here) = one.here else {
            continue;
        };
        if one.selected || number < MOST_LINES {
            let style = LineStyle::new(color, 1.4).alpha(0.8).through(0.5);
            builder.dashes(here.position, one.pose.position, style);
        }
        if one.selected {
            builder.keep_clear_of(&placed);
            apart(builder, &here, &one.pose);
        }
    }
}

/// The other replay's camera, where it stands elsewhere or looks elsewhere.
fn camera(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, compared: &Compared<'_>) {
    if input.layers.get(Layer::Camera) == Show::None || input.walk.is_some() {
        return;
    }
    let Some(there) = compared.camera() else {
        return;
    };
    let here = input.camera();
    if here.is_some_and(|here| is_same_place(builder, &here, &there)) {
        return;
    }
    let style = LineStyle::new(builder.palette.other, 1.6).through(0.35);
    if let Some(lens) = &compared.replay.scene().camera {
        pyramid(builder, lens, &there, style);
    }
    builder.point(
        there.position,
        LineStyle {
            width: 7.0,
            ..style
        },
    );
    if let Some(here) = here {
        builder.dashes(here.position, there.position, style.alpha(0.8));
        apart(builder, &here, &there);
    }
}

/// Who stands elsewhere at this moment, or is only in the other replay.
fn elsewhere(input: &ViewportInput<'_>, compared: &Compared<'_>) -> Vec<Elsewhere> {
    let subjects = compared.subjects.iter();
    let all = subjects.filter_map(|subject| {
        let id = subject.b()?;
        let pose = compared.pose(id)?;
        let here = subject.a().and_then(|a| input.pose(a));
        let a = subject.a();
        // Where both agree the level's own body says so: two surfaces in one place flicker through each other.
        (here != Some(pose)).then_some(Elsewhere {
            id,
            pose,
            here,
            selected: a.is_some_and(|a| input.selection.contains(a)),
        })
    });
    all.collect()
}

/// Are two poses too close together to be told apart in this picture? Their two surfaces would flicker through each other.
fn is_same_place(builder: &DrawListBuilder, here: &Pose, there: &Pose) -> bool {
    let metres = here.position.distance(there.position);
    let turned = here.rotation.dot(there.rotation).abs() < 1.0 - SAME_TURN;
    !turned && builder.points(here.position, metres) < 0.5
}

/// How far the two are apart, beside the line between them.
fn apart(builder: &mut DrawListBuilder, here: &Pose, there: &Pose) {
    let way = there.position - here.position;
    if way == DVec3::ZERO {
        return;
    }
    let along = builder.heading(here.position, way);
    let text = format!("{} apart", metres(way.length()));
    let middle = (here.position + there.position) * 0.5;
    let color = builder.palette.other;
    builder.label(middle, -along.perp(), text, color, Rank::Selected);
}
