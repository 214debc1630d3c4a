//! Where things start, where they would touch, where they end without a collision; the contact point, its normal.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::impact::Meeting;
use super::super::outline::ghost;
use super::ruler::gap;
use crate::app::view_state::Layer;
use crate::core::replay::ObjectId;
use crate::core::shape::{Placed, Pose, Shape, Sphere};
use egui::Color32;
use glam::DVec2;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, meetings: &[Meeting]) {
    let mut drawn: Vec<ObjectId> = Vec::new();
    for meeting in meetings {
        let mut named = meeting.chosen;
        for id in [meeting.a, meeting.b].into_iter().flatten() {
            let selected = input.selection.contains(id);
            let wanted = meeting.chosen || input.layers.shows(Layer::Ghosts, selected);
            if wanted && !drawn.contains(&id) {
                drawn.push(id);
                // Where both move, one of them carries the words for the two.
                named &= !ghosts(builder, input, id, Some(meeting.fraction), named);
            }
        }
        let selected = [meeting.a, meeting.b]
            .into_iter()
            .flatten()
            .any(|id| input.selection.contains(id));
        if meeting.chosen || input.layers.shows(Layer::Contacts, selected) {
            contact(builder, meeting);
        }
        if meeting.chosen
            && let (Some(a), Some(b)) = (meeting.a, meeting.b)
        {
            gap(builder, input, a, b);
        }
    }
    let others: Vec<ObjectId> = super::shown(input, Layer::Ghosts)
        .map(|(id, ..)| id)
        .filter(|id| !drawn.contains(id))
        .take(200)
        .collect();
    for id in others {
        ghosts(builder, input, id, None, false);
    }
    if let (Some(pointed), Some(&selected)) = (input.pointed, input.selection.objects().first()) {
        if pointed != selected {
            gap(builder, input, selected, pointed);
        }
    } else if meetings.is_empty()
        && let Some((a, b)) = input.selection.pair()
    {
        gap(builder, input, a, b);
    }
}

/// The poses of an object that moves in this frame: start, impact, unhindered end. False when it does not move.
fn ghosts(
    builder: &mut DrawListBuilder,
    input: &ViewportInput<'_>,
    id: ObjectId,
    impact: Option<f64>,
    named: bool,
) -> bool {
    let Some(object) = input.replay.objects().get(id as usize) else {
        return false;
    };
    let Some(leg) = input
        .frame
        .segments
        .get(id as usize)
        .and_then(|legs| legs.first())
    else {
        return false;
    };
    let (start, stop) = (leg.motion.start, leg.motion.end);
    if start == stop || !(start.is_finite() && stop.is_finite()) {
        return false;
    }
    let share = if leg.to > leg.from {
        leg.to - leg.from
    } else {
        1.0
    };
    let end = Pose {
        position: start.position + leg.motion.displacement() / share,
        rotation: stop.rotation,
    };
    let here = input.frame.pose(id, input.playhead.fraction);
    let palette = builder.palette;
    let way = builder.heading(start.position, end.position - start.position);
    builder.dashes(
        start.position,
        end.position,
        LineStyle::new(palette.ghost_end, 1.2)
            .alpha(0.8)
            .through(0.5),
    );
    one(
        builder,
        &object.shape,
        (&start, here),
        palette.ghost_start,
        named.then_some(("start", -way, Rank::Ghost)),
    );
    one(
        builder,
        &object.shape,
        (&end, here),
        palette.ghost_end,
        named.then_some(("end", way, Rank::Ghost)),
    );
    let touching = impact.and_then(|fraction| Some((fraction, input.frame.pose(id, fraction)?)));
    if let Some((fraction, pose)) = touching.filter(|(_, pose)| pose.is_finite()) {
        let text = format!("impact {fraction:.4}");
        one(
            builder,
            &object.shape,
            (&pose, here),
            palette.ghost_impact,
            named.then_some((&text, back_and_up(way), Rank::Impact)),
        );
    }
    true
}

/// Beside the way, above it, a little toward where it came from: away from what is hit.
fn back_and_up(way: DVec2) -> DVec2 {
    // Downward on the screen is positive: of the two sides the upper one.
    let up = way.perp();
    let up = if up.y > 0.0 { -up } else { up };
    up - way * 0.6
}

fn one(
    builder: &mut DrawListBuilder,
    shape: &Shape,
    (pose, here): (&Pose, Option<Pose>),
    color: Color32,
    name: Option<(&str, DVec2, Rank)>,
) {
    let placed = shape.placed(pose);
    // Two surfaces in one place flicker through each other: the body itself fills the ghost it stands in.
    let filled = here.is_none_or(|here| !nearly_covers(&placed, pose, &here));
    let alpha = if filled { 0.20 } else { 0.0 };
    ghost(builder, shape, pose, (color, alpha));
    if let Some((name, toward, rank)) = name {
        let bounds = placed.aabb();
        let center = bounds.map_or(pose.position, |bounds| bounds.center());
        builder.keep_clear_of(&placed);
        let covered = builder.cover(&placed);
        let half = covered.map_or([3.0; 2], |rect| [rect.width() * 0.5, rect.height() * 0.5]);
        builder.label_around((center, half), toward, name, color, rank);
    }
}

/// Does a body at `here` hide its own ghost at `pose`, all but a twentieth of its size?
fn nearly_covers(placed: &Placed<'_>, pose: &Pose, here: &Pose) -> bool {
    let size = placed
        .aabb()
        .map_or(0.0, |bounds| bounds.half_extents().length());
    pose.position.distance(here.position) <= 0.05 * size
        && pose.rotation.dot(here.rotation).abs() > 0.999
}

/// The contact point, a ring in the contact plane, and the normal.
fn contact(builder: &mut DrawListBuilder, meeting: &Meeting) {
    let palette = builder.palette;
    let scale = builder.view.metres_per_point(meeting.point);
    if let Some(normal) = meeting.normal {
        let (u, v) = normal.any_orthonormal_pair();
        let ring = LineStyle::new(palette.contact, 1.6).through(0.6);
        builder.circle(meeting.point, u, v, scale * 14.0, ring);
        let style = LineStyle::new(palette.normal, 2.2).through(0.7);
        builder.arrow(meeting.point, meeting.point + normal * scale * 56.0, style);
    }
    builder.point(
        meeting.point,
        LineStyle::new(palette.contact, 8.0).through(0.8),
    );
    if meeting.chosen {
        builder.keep_clear_of(&Placed::Sphere(Sphere {
            center: meeting.point,
            radius: scale * 12.0,
        }));
    }
}
