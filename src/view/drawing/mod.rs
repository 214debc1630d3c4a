//! The drawing of a finding: orthographic, edge-on to the surface that is hit, the mover from left to right.
//!
//! A list of lines, fills and texts in points, which the report writes as SVG and the window can paint.

mod clip;
mod item;
mod labels;
mod layout;
mod outlines;
mod pane;
mod plane;
mod sheet;
mod subject;

pub use item::{Anchor, Ink, Item, Role, Style};

use self::labels::short_names;
use self::layout::layout;
use self::subject::{Subject, query_of};
use super::pair_view::PairView;
use crate::core::diagnose::Finding;
use crate::core::number::count;
use crate::core::replay::{Frame, Replay};
use glam::{DVec2, DVec3};

/// A finding as a drawing.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// Points.
    pub size: DVec2,
    /// Later ones are above earlier ones.
    pub items: Vec<Item>,
    /// One line: which pair, in which frame.
    pub title: String,
    /// Sentences: what it shows, and what it cannot show.
    pub text: String,
}

/// A drawing, and what moves in it over the frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    /// What stays.
    pub drawing: Drawing,
    /// The mover, and the obstacle where it moves, at evenly spaced times from the start of the frame to its end; above the drawing.
    pub moments: Vec<Vec<Item>>,
}

impl Film {
    /// The drawing of a finding with so many moments; `None` without the geometry of two bodies.
    pub fn of(
        replay: &Replay,
        frame: &Frame,
        finding: &Finding,
        pair: Option<&PairView>,
        (width, moments): (f64, usize),
    ) -> Option<Self> {
        let query = query_of(replay, finding);
        let subject = Subject::of(replay, frame, finding, pair, query.as_ref())?;
        let layout = layout(&subject, width);
        let [a, b] = short_names(&finding.a, &finding.b);
        let mut text = vec![format!(
            "The frame to scale, {}.",
            subject.view.name(subject.units)
        )];
        if layout.has_lens {
            text.push("The lens shows the part at the contact larger.".to_owned());
        }
        if subject.ends.iter().any(Option::is_some) {
            text.push("Rings are the overlap tests at both ends of the frame, filled where they find an overlap.".to_owned());
        }
        text.extend(subject.notes());
        if layout.left_out > 0 {
            text.push(format!(
                "{} of the surface are left out.",
                count(layout.left_out, "triangle")
            ));
        }
        let last = moments.saturating_sub(1).max(1) as f64;
        let at = |index: usize| {
            let mut items = Vec::new();
            for pane in &layout.panes {
                let mut pane = pane.like();
                subject.draw_at(&mut pane, index as f64 / last);
                items.append(&mut pane.items);
            }
            items
        };
        Some(Self {
            moments: (0..moments).map(at).collect(),
            drawing: Drawing {
                size: layout.size,
                items: layout.items,
                title: format!("{a} and {b} in {}", replay.frame_name(frame.number)),
                text: text.join(" "),
            },
        })
    }
}

impl Drawing {
    /// The drawing of a finding in its frame, as wide as this in points; `None` without the geometry of two bodies. `pair` is that of its objects.
    pub fn of(
        replay: &Replay,
        frame: &Frame,
        finding: &Finding,
        pair: Option<&PairView>,
        width: f64,
    ) -> Option<Self> {
        let film = Film::of(replay, frame, finding, pair, (width, 0));
        film.map(|film| film.drawing)
    }
}

/// The directions that point right and up in the drawing of a finding, world, unit; `None` where it has none.
pub fn view_of(replay: &Replay, frame: &Frame, finding: &Finding) -> Option<[DVec3; 2]> {
    let query = query_of(replay, finding);
    let subject = Subject::of(replay, frame, finding, None, query.as_ref())?;
    Some([subject.view.right, subject.view.up])
}
