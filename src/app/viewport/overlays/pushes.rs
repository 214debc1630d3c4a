//! Each push of this frame as an arrow in true length; the numbers of those that matter.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use super::super::outline::ghost;
use super::super::picture::Rank;
use super::ruler::length;
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

pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>) {
    let mut arrows = arrows(moment);
    arrows.retain(|arrow| arrow.push != DVec3::ZERO && arrow.push.is_finite());
    let labelled = labelled(&arrows);
    for (index, arrow) in arrows.iter().enumerate() {
        let now = moment.phase == Some(arrow.phase);
        let later = moment.phase.is_some_and(|phase| phase < arrow.phase);
        let pen = Pen::new(canvas.palette.push, if now { 4.5 } else { 2.4 }).through(0.6);
        // A push still to come is only hinted at.
        let pen = if later { pen.alpha(0.35) } else { pen };
        let to = arrow.from + arrow.push;
        canvas.arrow(arrow.from, to, pen);
        let width = if now { 8.0 } else { 4.5 };
        canvas.point(arrow.from, Pen { width, ..pen });
        if now {
            before_and_after(canvas, moment, arrow);
        }
        if now || labelled.contains(&index) {
            let text = format!("{}  {}", arrow.name, length(arrow.push.length()));
            let toward = canvas.heading(to, arrow.push);
            let rank = if now { Rank::Now } else { Rank::Push };
            canvas.label(to, toward, text, pen.color, rank);
        }
    }
}

/// The body of a push where it was before, and where it is after.
fn before_and_after(canvas: &mut Canvas, moment: &Moment<'_>, arrow: &Arrow) {
    let Some((id, before, after)) = arrow.moved else {
        return;
    };
    let object = moment.replay.objects().get(id as usize);
    let Some((object, pose)) = object.zip(moment.pose(id)) else {
        return;
    };
    let way = canvas.heading(before, arrow.push);
    let palette = canvas.palette;
    for (position, color, word, toward) in [
        (before, palette.ghost_end, "before", -way),
        (after, palette.push, "after", way),
    ] {
        let pose = Pose { position, ..pose };
        if !pose.is_finite() {
            continue;
        }
        let placed = object.shape.placed(&pose);
        ghost(canvas, &placed, color, 0.0);
        let bounds = placed.aabb();
        let center = bounds.map_or(position, |bounds| bounds.center());
        let covered = canvas.cover(&placed);
        let half = covered.map_or([3.0; 2], |rect| [rect.width() * 0.5, rect.height() * 0.5]);
        canvas.label_around((center, half), toward, word, color, Rank::Ghost);
    }
}

fn arrows(moment: &Moment<'_>) -> Vec<Arrow> {
    let phases = moment.frame.phases.iter().enumerate();
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
            let chosen = chosen(moment, *object, *against);
            let selected = moment.selection.contains(*object);
            moment.layers.shows(Layer::Pushes, selected).then(|| Arrow {
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
            if moment.layers.shows(Layer::Probe, true) && moment.probe.is_none() =>
        {
            Some(Arrow {
                phase,
                from: moment.frame.camera?.0.end.position,
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
fn chosen(moment: &Moment<'_>, object: ObjectId, against: Option<ObjectId>) -> bool {
    match (moment.selection.pair(), against) {
        (Some((a, b)), Some(against)) => {
            (object == a && against == b) || (object == b && against == a)
        }
        _ => moment.selection.contains(object),
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
