//! The other replay of a comparison, in a colour of its own: what stands elsewhere than in the level.

use super::super::canvas::{Canvas, Pen};
use super::super::moment::{Compared, Moment};
use super::super::outline::ghost;
use super::super::picture::Rank;
use super::camera::pyramid;
use super::ruler::length;
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

pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>) {
    let Some(compared) = &moment.compared else {
        return;
    };
    if moment.layers.get(Layer::Shapes) == Show::None {
        return;
    }
    canvas.keep_clear.push(LEGEND);
    camera(canvas, moment, compared);
    let mut elsewhere = elsewhere(moment, compared);
    // The selected ones first; a stable sort keeps the level's order.
    elsewhere.sort_by_key(|one| !one.selected);
    let color = canvas.palette.other;
    for (number, one) in elsewhere.iter().enumerate() {
        let Some(object) = compared.replay.objects().get(one.id as usize) else {
            continue;
        };
        if one
            .here
            .is_some_and(|here| is_same_place(canvas, &here, &one.pose))
        {
            continue;
        }
        let placed = object.shape.placed(&one.pose);
        if one.selected || number < MOST_BODIES {
            ghost(canvas, &placed, color, 0.28);
        } else {
            canvas.point(one.pose.position, Pen::new(color, 4.0).through(0.4));
        }
        let Some(here) = one.here else {
            continue;
        };
        if one.selected || number < MOST_LINES {
            let pen = Pen::new(color, 1.4).alpha(0.8).through(0.5);
            canvas.dashes(here.position, one.pose.position, pen);
        }
        if one.selected {
            canvas.keep_clear_of(&placed);
            apart(canvas, &here, &one.pose);
        }
    }
}

/// The other replay's camera, where it stands elsewhere or looks elsewhere.
fn camera(canvas: &mut Canvas, moment: &Moment<'_>, compared: &Compared<'_>) {
    if moment.layers.get(Layer::Camera) == Show::None || moment.walk.is_some() {
        return;
    }
    let Some(there) = compared.camera() else {
        return;
    };
    let here = moment.camera();
    if here.is_some_and(|here| is_same_place(canvas, &here, &there)) {
        return;
    }
    let pen = Pen::new(canvas.palette.other, 1.6).through(0.35);
    if let Some(lens) = &compared.replay.scene().camera {
        pyramid(canvas, lens, &there, pen);
    }
    canvas.point(there.position, Pen { width: 7.0, ..pen });
    if let Some(here) = here {
        canvas.dashes(here.position, there.position, pen.alpha(0.8));
        apart(canvas, &here, &there);
    }
}

/// Who stands elsewhere at this moment, or is only in the other replay.
fn elsewhere(moment: &Moment<'_>, compared: &Compared<'_>) -> Vec<Elsewhere> {
    let subjects = compared.subjects.iter();
    let all = subjects.filter_map(|subject| {
        let id = subject.b()?;
        let pose = compared.pose(id)?;
        let here = subject.a().and_then(|a| moment.pose(a));
        let a = subject.a();
        // Where both agree the level's own body says so: two surfaces in one place flicker through each other.
        (here != Some(pose)).then_some(Elsewhere {
            id,
            pose,
            here,
            selected: a.is_some_and(|a| moment.selection.contains(a)),
        })
    });
    all.collect()
}

/// Are two poses too close together to be told apart in this picture? Their two surfaces would flicker through each other.
fn is_same_place(canvas: &Canvas, here: &Pose, there: &Pose) -> bool {
    let metres = here.position.distance(there.position);
    let turned = here.rotation.dot(there.rotation).abs() < 1.0 - SAME_TURN;
    !turned && canvas.points(here.position, metres) < 0.5
}

/// How far the two are apart, beside the line between them.
fn apart(canvas: &mut Canvas, here: &Pose, there: &Pose) {
    let way = there.position - here.position;
    if way == DVec3::ZERO {
        return;
    }
    let along = canvas.heading(here.position, way);
    let text = format!("{} apart", length(way.length()));
    let middle = (here.position + there.position) * 0.5;
    let color = canvas.palette.other;
    canvas.label(middle, -along.perp(), text, color, Rank::Selected);
}
