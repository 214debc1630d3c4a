//! Each push of this frame as an arrow in true length; the numbers of those that matter.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::outline::ghost;
use crate::app::text::metres;
use crate::app::view_state::Layer;
use crate::core::replay::{ObjectId, Phase};
use crate::core::shape::Pose;
use glam::DVec3;

/// Without a selection so many of the largest pushes carry words.
const LARGEST: usize = 3;
/// With one, so many of its pushes.
const OF_SELECTION: usize = 8;

/// A push as it is drawn.
struct Arrow {
    /// The phase in which it is made.
    phase: usize,
    from: DVec3,
    push: DVec3,
    name: String,
    /// Who is moved, from where to where.
    moved: Option<(ObjectId, DVec3, DVec3)>,
    /// Of the selection.
    chosen: bool,
}

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let mut arrows = arrows(input);
    arrows.retain(|arrow| arrow.push != DVec3::ZERO && arrow.push.is_finite());
    let labelled = labelled(&arrows);
    for (index, arrow) in arrows.iter().enumerate() {
        let now = input.phase == Some(arrow.phase);
        let later = input.phase.is_some_and(|phase| phase < arrow.phase);
        let style = LineStyle::new(builder.palette.push, if now { 4.5 } else { 2.4 }).through(0.6);
        // A push still to come is only hinted at.
        let style = if later { style.alpha(0.35) } else { style };
        let to = arrow.from + arrow.push;
        builder.arrow(arrow.from, to, style);
        let width = if now { 8.0 } else { 4.5 };
        builder.point(arrow.from, LineStyle { width, ..style });
        if now {
            before_and_after(builder, input, arrow);
        }
        if now || labelled.contains(&index) {
            let text = format!("{}  {}", arrow.name, metres(arrow.push.length()));
            let toward = builder.heading(to, arrow.push);
            let rank = if now { Rank::Now } else { Rank::Push };
            builder.label(to, toward, text, style.color, rank);
        }
    }
}

/// The body of a push where it was before, and where it is after.
fn before_and_after(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, arrow: &Arrow) {
    let Some((id, before, after)) = arrow.moved else {
        return;
    };
    let object = input.replay.objects().get(id as usize);
    let Some((object, pose)) = object.zip(input.pose(id)) else {
        return;
    };
    let way = builder.heading(before, arrow.push);
    let palette = builder.palette;
    for (position, color, word, toward) in [
        (before, palette.ghost_end, "before", -way),
        (after, palette.push, "after", way),
    ] {
        let pose = Pose { position, ..pose };
        if !pose.is_finite() {
            continue;
        }
        let placed = object.shape.placed(&pose);
        ghost(builder, &object.shape, &pose, (color, 0.0));
        let bounds = placed.aabb();
        let center = bounds.map_or(position, |bounds| bounds.center());
        let covered = builder.cover(&placed);
        let half = covered.map_or([3.0; 2], |rect| [rect.width() * 0.5, rect.height() * 0.5]);
        builder.label_around((center, half), toward, word, color, Rank::Ghost);
    }
}

fn arrows(input: &ViewportInput<'_>) -> Vec<Arrow> {
    let phases = input.frame.phases.iter().enumerate();
    let arrow = |(phase, what): (usize, &Phase)| match what {
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
            let chosen = chosen(input, *object, *against);
            let selected = input.selection.contains(*object);
            input.layers.shows(Layer::Pushes, selected).then(|| Arrow {
                phase,
                // From the surface it leaves, where it can be seen; from the centre when a log gave only the push.
                from: contact.map_or(*before, |contact| contact.point - contact.push()),
                push: *push,
                name: format!("{number}/{of}"),
                moved: Some((*object, *before, *after)),
                chosen,
            })
        }
        // The edited probe draws its own.
        Phase::CameraPush { answer }
            if input.layers.shows(Layer::Probe, true) && input.probe.is_none() =>
        {
            Some(Arrow {
                phase,
                from: input.frame.camera?.0.end.position,
                push: answer.push,
                name: "probe".to_owned(),
                moved: None,
                chosen: true,
            })
        }
        _ => None,
    };
    phases.filter_map(arrow).collect()
}

/// Is it between the selected pair, or of what is selected alone?
fn chosen(input: &ViewportInput<'_>, object: ObjectId, against: Option<ObjectId>) -> bool {
    match (input.selection.pair(), against) {
        (Some((a, b)), Some(against)) => {
            (object == a && against == b) || (object == b && against == a)
        }
        _ => input.selection.contains(object),
    }
}

/// Which arrows carry words: those of the selection, else the largest.
fn labelled(arrows: &[Arrow]) -> Vec<usize> {
    let chosen = |index: &usize| arrows[*index].chosen;
    let any = arrows.iter().any(|arrow| arrow.chosen);
    let mut shown: Vec<usize> = (0..arrows.len())
        .filter(|index| !any || chosen(index))
        .collect();
    let size = |index: usize| arrows[index].push.length();
    shown.sort_by(|&one, &two| size(two).total_cmp(&size(one)));
    shown.truncate(if any { OF_SELECTION } else { LARGEST });
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow(length: f64, chosen: bool) -> Arrow {
        Arrow {
            phase: 0,
            from: DVec3::ZERO,
            push: DVec3::X * length,
            name: String::new(),
            moved: None,
            chosen,
        }
    }

    #[test]
    fn words_go_to_the_selection_or_to_the_largest() {
        let mut arrows: Vec<Arrow> = (0..72)
            .map(|number| arrow(f64::from(number), false))
            .collect();
        assert_eq!(labelled(&arrows), [71, 70, 69]);
        arrows[5].chosen = true;
        assert_eq!(labelled(&arrows), [5]);
    }
}
