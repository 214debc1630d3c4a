//! Each push of this frame, numbered, as an arrow in true length.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use super::ghosts::length;
use crate::app::view_state::Layer;
use crate::core::replay::Phase;
use glam::DVec3;

/// At most this many arrows carry words.
const MOST_LABELS: u32 = 24;

pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>) {
    let pen = Pen::new(canvas.palette.push, 2.6).through(0.6);
    for phase in &moment.frame.phases {
        match phase {
            Phase::Push {
                number,
                of,
                object,
                push,
                before,
                contact,
                ..
            } => {
                if !moment
                    .layers
                    .shows(Layer::Pushes, moment.selection.contains(*object))
                {
                    continue;
                }
                // From the surface it leaves, where it can be seen; from the centre when a log gave only the push.
                let from = contact.map_or(*before, |contact| contact.point - contact.push());
                arrow(
                    canvas,
                    from,
                    *push,
                    pen,
                    (*number <= MOST_LABELS).then(|| format!("{number}/{of}")),
                );
            }
            Phase::CameraPush { answer } if moment.layers.shows(Layer::Probe, true) => {
                let Some((motion, _)) = moment.frame.camera else {
                    continue;
                };
                arrow(
                    canvas,
                    motion.end.position,
                    answer.push,
                    pen,
                    Some("probe".to_owned()),
                );
            }
            _ => {}
        }
    }
}

fn arrow(canvas: &mut Canvas, from: DVec3, push: DVec3, pen: Pen, name: Option<String>) {
    if push == DVec3::ZERO || !push.is_finite() {
        return;
    }
    canvas.arrow(from, from + push, pen);
    canvas.point(from, Pen { width: 4.5, ..pen });
    if let Some(name) = name {
        let text = format!("{name}  {}", length(push.length()));
        canvas.label(from + push, [0.0, -14.0], text, pen.color);
    }
}
