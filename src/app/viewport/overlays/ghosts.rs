//! Ghosts: poses at the start, at the impact, and at the end without a collision; the contact point and its normal.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::impact::ShownImpact;
use super::super::outline::ghost;
use super::ruler::gap;
use crate::app::view_state::Layer;
use crate::core::diagnose::Finding;
use crate::core::replay::ObjectId;
use crate::core::shape::{Placed, Pose, Shape, Sphere};
use egui::Color32;
use glam::{DVec2, DVec3};

/// Length of a path on the screen from which on it has a tick at each tenth of the frame, points.
const TENTHS_FROM: f64 = 140.0;

/// Draws the ghosts, contacts and gaps of the frame's impacts and of the selected objects; `measured` is the ruler's pair.
pub fn draw(
    builder: &mut DrawListBuilder,
    input: &ViewportInput<'_>,
    impacts: &[ShownImpact],
    measured: Option<(ObjectId, ObjectId)>,
) {
    let mut drawn: Vec<ObjectId> = Vec::new();
    for impact in impacts {
        let mut labelled = impact.selected;
        for id in [impact.a, impact.b].into_iter().flatten() {
            let selected = input.selection.contains(id);
            let is_shown = impact.selected || input.layers.shows(Layer::Ghosts, selected);
            if is_shown && !drawn.contains(&id) {
                drawn.push(id);
                // Where both move, only one is labelled.
                let at = Some((impact.fraction, impact_color(builder, input, impact)));
                labelled &= !ghosts(builder, input, id, at, labelled);
            }
        }
        let selected = [impact.a, impact.b]
            .into_iter()
            .flatten()
            .any(|id| input.selection.contains(id));
        if impact.selected || input.layers.shows(Layer::Contacts, selected) {
            contact(builder, impact, impact_color(builder, input, impact));
        }
        // At the impact its own label is enough.
        if impact.selected
            && input.playhead.fraction != impact.fraction
            && let (Some(a), Some(b)) = (impact.a, impact.b)
        {
            gap(builder, input, (a, b), measured);
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
            gap(builder, input, (selected, pointed), measured);
        }
    } else if impacts.is_empty()
        && let Some((a, b)) = input.selection.pair()
    {
        gap(builder, input, (a, b), measured);
    }
}

/// Draws the poses of an object that moves in this frame: start, impact, end without a collision. Returns false if it does not move.
fn ghosts(
    builder: &mut DrawListBuilder,
    input: &ViewportInput<'_>,
    id: ObjectId,
    impact: Option<(f64, Color32)>,
    labelled: bool,
) -> bool {
    let Some(object) = input.replay.objects().get(id as usize) else {
        return false;
    };
    if input.is_changed(id) {
        return false;
    }
    let segments = input.frame.segments(id);
    let Some(segment) = segments.first() else {
        return false;
    };
    let (start, stop) = (segment.motion.start, segment.motion.end);
    if start == stop || !(start.is_finite() && stop.is_finite()) {
        return false;
    }
    let fraction = if segment.to > segment.from {
        segment.to - segment.from
    } else {
        1.0
    };
    let end = Pose {
        position: start.position + segment.motion.displacement() / fraction,
        rotation: stop.rotation,
    };
    let here = input.frame.pose(id, input.playhead.fraction);
    let palette = builder.palette;
    let along = builder.screen_direction(start.position, end.position - start.position);
    builder.dashes(
        start.position,
        end.position,
        LineStyle::new(palette.ghost_end, 1.2)
            .alpha(0.8)
            .occluded(0.5),
    );
    if labelled {
        let positions = (start.position, end.position);
        time_marks(builder, positions, impact);
    }
    ghost_pose(
        builder,
        &object.shape,
        (&start, here),
        palette.ghost_start,
        labelled.then_some(("0  start", -along, Rank::Ghost)),
    );
    ghost_pose(
        builder,
        &object.shape,
        (&end, here),
        palette.ghost_end,
        labelled.then_some(("1  end", along, Rank::Ghost)),
    );
    let touching = impact
        .and_then(|(fraction, color)| Some((fraction, color, input.frame.pose(id, fraction)?)));
    if let Some((fraction, color, pose)) = touching.filter(|(.., pose)| pose.is_finite()) {
        let text = format!("{fraction:.4}  impact");
        ghost_pose(
            builder,
            &object.shape,
            (&pose, here),
            color,
            labelled.then_some((&text, back_and_up(along), Rank::Impact)),
        );
    }
    true
}

/// Draws the time of the frame as ticks across a path: at its ends, at the impact, and short ones at each tenth if they have space.
fn time_marks(
    builder: &mut DrawListBuilder,
    (start, end): (DVec3, DVec3),
    impact: Option<(f64, Color32)>,
) {
    let Some(along) = (end - start).try_normalize() else {
        return;
    };
    let toward_eye = builder.view.world_from_view * DVec3::Z;
    let Some(across) = toward_eye.cross(along).try_normalize() else {
        return;
    };
    let palette = builder.palette;
    let has_space = builder.points(start, start.distance(end)) >= TENTHS_FROM;
    let tenths = (1..10).map(|tenth| (f64::from(tenth) * 0.1, palette.ghost_end, 3.0));
    let tenths = tenths.filter(|_| has_space);
    let ends = [
        (0.0, palette.ghost_start, 8.0),
        (1.0, palette.ghost_end, 8.0),
    ];
    let impact = impact.map(|(fraction, color)| (fraction, color, 8.0));
    for (fraction, color, points) in tenths.chain(ends).chain(impact) {
        let at = start.lerp(end, fraction);
        let half = across * builder.view.metres_per_point(at) * points;
        let style = LineStyle::new(color, 1.6).occluded(0.7);
        builder.line(at - half, at + half, style);
    }
}

/// The colour of an impact: that of the selected finding if it is its impact.
fn impact_color(
    builder: &DrawListBuilder,
    input: &ViewportInput<'_>,
    impact: &ShownImpact,
) -> Color32 {
    let is_it = |finding: &&Finding| {
        (finding.object_a, finding.object_b, finding.fraction)
            == (impact.a, impact.b, impact.fraction)
    };
    let palette = builder.palette;
    let finding = input.finding.filter(is_it);
    finding.map_or(palette.ghost_impact, |finding| palette.kind(finding.kind))
}

/// A screen direction above the path and somewhat backward, away from the obstacle.
fn back_and_up(along: DVec2) -> DVec2 {
    // The screen's y axis points down.
    let up = along.perp();
    let up = if up.y > 0.0 { -up } else { up };
    up - along * 0.6
}

fn ghost_pose(
    builder: &mut DrawListBuilder,
    shape: &Shape,
    (pose, here): (&Pose, Option<Pose>),
    color: Color32,
    label: Option<(&str, DVec2, Rank)>,
) {
    let placed = shape.placed(pose);
    // Coincident surfaces would flicker: a ghost around the body itself is not filled.
    let filled = here.is_none_or(|here| !nearly_covers(&placed, pose, &here));
    let alpha = if filled { 0.20 } else { 0.0 };
    ghost(builder, shape, pose, (color, alpha));
    if let Some((text, toward, rank)) = label {
        let bounds = placed.aabb();
        let center = bounds.map_or(pose.position, |bounds| bounds.center());
        builder.keep_clear_of(&placed);
        let covered = builder.screen_bounds(&placed);
        let half = covered.map_or([3.0; 2], |rect| [rect.width() * 0.5, rect.height() * 0.5]);
        builder.label_around((center, half), toward, text, color, rank);
    }
}

/// Returns true if a body at `here` covers its ghost at `pose`, up to a twentieth of its size.
fn nearly_covers(placed: &Placed<'_>, pose: &Pose, here: &Pose) -> bool {
    let size = placed
        .aabb()
        .map_or(0.0, |bounds| bounds.half_extents().length());
    pose.position.distance(here.position) <= 0.05 * size
        && pose.rotation.dot(here.rotation).abs() > 0.999
}

/// Draws the contact point, a ring in the contact plane, and the normal.
fn contact(builder: &mut DrawListBuilder, impact: &ShownImpact, color: Color32) {
    let palette = builder.palette;
    let scale = builder.view.metres_per_point(impact.point);
    if let Some(normal) = impact.normal {
        let (u, v) = normal.any_orthonormal_pair();
        let ring = LineStyle::new(color, 1.6).occluded(0.6);
        builder.circle(impact.point, u, v, scale * 14.0, ring);
        let style = LineStyle::new(palette.normal, 2.2).occluded(0.7);
        builder.arrow(impact.point, impact.point + normal * scale * 56.0, style);
    }
    builder.point(impact.point, LineStyle::new(color, 8.0).occluded(0.8));
    if impact.selected {
        builder.keep_clear_of(&Placed::Sphere(Sphere {
            center: impact.point,
            radius: scale * 12.0,
        }));
    }
}
