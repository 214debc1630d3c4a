//! Arrows for the pushes of this frame, in true length; the selected or largest ones with labels.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::outline::ghost;
use crate::app::view_state::Layer;
use crate::core::replay::{ObjectId, Phase};
use crate::core::shape::Pose;
use glam::DVec3;

/// Labelled pushes without a selection, the largest.
const LARGEST: usize = 3;
/// Labelled pushes of the selection.
const OF_SELECTION: usize = 8;

/// The arrow of a push.
struct Arrow {
    /// Index of the push's phase.
    phase: usize,
    from: DVec3,
    push: DVec3,
    name: String,
    /// The pushed object, and its positions before and after.
    moved: Option<(ObjectId, DVec3, DVec3)>,
    /// True for pushes of the selection.
    selected: bool,
}

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let mut arrows = arrows(input);
    arrows.retain(|arrow| arrow.push != DVec3::ZERO && arrow.push.is_finite());
    let labelled = labelled(&arrows);
    for (index, arrow) in arrows.iter().enumerate() {
        let now = input.phase == Some(arrow.phase);
        let later = input.phase.is_some_and(|phase| phase < arrow.phase);
        let style = LineStyle::new(builder.palette.push, if now { 4.5 } else { 2.4 }).occluded(0.6);
        // Pushes of later phases are faint.
        let style = if later { style.alpha(0.35) } else { style };
        let to = arrow.from + arrow.push;
        builder.arrow(arrow.from, to, style);
        let width = if now { 8.0 } else { 4.5 };
        builder.point(arrow.from, LineStyle { width, ..style });
        if now {
            before_and_after(builder, input, arrow);
        }
        if now || labelled.contains(&index) {
            let text = format!(
                "{}  {}",
                arrow.name,
                builder.units.length(arrow.push.length())
            );
            let toward = builder.screen_direction(to, arrow.push);
            let rank = if now { Rank::Now } else { Rank::Push };
            builder.label(to, toward, text, style.color, rank);
        }
    }
}

/// Draws the pushed object before and after its push.
fn before_and_after(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, arrow: &Arrow) {
    let Some((id, before, after)) = arrow.moved else {
        return;
    };
    let object = input.replay.objects().get(id as usize);
    let Some((object, pose)) = object.zip(input.pose(id)) else {
        return;
    };
    let along = builder.screen_direction(before, arrow.push);
    let palette = builder.palette;
    for (position, color, text, toward) in [
        (before, palette.ghost_end, "Before", -along),
        (after, palette.push, "After", along),
    ] {
        let pose = Pose { position, ..pose };
        if !pose.is_finite() {
            continue;
        }
        let placed = object.shape.placed(&pose);
        ghost(builder, &object.shape, &pose, (color, 0.0));
        let bounds = placed.aabb();
        let center = bounds.map_or(position, |bounds| bounds.center());
        let covered = builder.screen_bounds(&placed);
        let half = covered.map_or([3.0; 2], |rect| [rect.width() * 0.5, rect.height() * 0.5]);
        builder.label_around((center, half), toward, text, color, Rank::Ghost);
    }
}

fn arrows(input: &ViewportInput<'_>) -> Vec<Arrow> {
    let phases = input.frame.phases.iter().enumerate();
    let arrow = |(index, phase): (usize, &Phase)| match phase {
        Phase::Push {
            number,
            of,
            object,
            against,
            push,
            before,
            after,
            contact,
            ..
        } => {
            let in_selection = input.selection.contains(*object);
            // Beside a finding those of other objects would cover it.
            let is_apart = input.finding.is_some() && !in_selection && input.phase != Some(index);
            let is_shown = input.layers.shows(Layer::Pushes, in_selection) && !is_apart;
            is_shown.then(|| Arrow {
                phase: index,
                // Starts at the surface, where it is visible; at the object's position when a log has no contact.
                from: contact.map_or(*before, |contact| contact.point - contact.push()),
                push: *push,
                name: format!("push {number} of {of}"),
                moved: Some((*object, *before, *after)),
                selected: is_selected(input, *object, *against),
            })
        }
        // The edited probe has an arrow of its own.
        Phase::CameraPush { answer }
            if input.layers.shows(Layer::Probe, true) && input.probe.is_none() =>
        {
            Some(Arrow {
                phase: index,
                from: input.frame.camera?.0.end.position,
                push: answer.push,
                name: "Probe".to_owned(),
                moved: None,
                selected: true,
            })
        }
        _ => None,
    };
    phases.filter_map(arrow).collect()
}

/// Returns true if a push is between the selected pair or, without a pair, of a selected object.
fn is_selected(input: &ViewportInput<'_>, object: ObjectId, against: Option<ObjectId>) -> bool {
    match (input.selection.pair(), against) {
        (Some((a, b)), Some(against)) => {
            (object == a && against == b) || (object == b && against == a)
        }
        _ => input.selection.contains(object),
    }
}

/// Indices of the labelled arrows: those of the selection, else the largest.
fn labelled(arrows: &[Arrow]) -> Vec<usize> {
    let any = arrows.iter().any(|arrow| arrow.selected);
    let mut labelled: Vec<usize> = (0..arrows.len())
        .filter(|index| !any || arrows[*index].selected)
        .collect();
    let size = |index: usize| arrows[index].push.length();
    labelled.sort_by(|&one, &two| size(two).total_cmp(&size(one)));
    labelled.truncate(if any { OF_SELECTION } else { LARGEST });
    labelled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow(length: f64, selected: bool) -> Arrow {
        Arrow {
            phase: 0,
            from: DVec3::ZERO,
            push: DVec3::X * length,
            name: String::new(),
            moved: None,
            selected,
        }
    }

    #[test]
    fn labels_are_of_the_selection_or_of_the_largest_pushes() {
        let mut arrows: Vec<Arrow> = (0..72)
            .map(|number| arrow(f64::from(number), false))
            .collect();
        assert_eq!(labelled(&arrows), [71, 70, 69]);
        arrows[5].selected = true;
        assert_eq!(labelled(&arrows), [5]);
    }
}
