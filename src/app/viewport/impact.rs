//! Which meetings of two objects the picture shows at this frame.

use super::ViewportInput;
use crate::app::view_state::{Layer, Show};
use crate::core::diagnose::Kind;
use crate::core::query::{self, SweepOutcome};
use crate::core::replay::{ObjectId, Phase};
use glam::DVec3;

/// At most this many are drawn when a layer is drawn for all.
const MOST: usize = 64;

/// Two objects that meet inside the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// The mover; `None` is the camera.
    pub a: Option<ObjectId>,
    /// What it met.
    pub b: Option<ObjectId>,
    /// When, as a share of the frame.
    pub fraction: f64,
    /// World, metres.
    pub point: DVec3,
    /// Unit, from the second toward the first; `None` when a log gave none.
    pub normal: Option<DVec3>,
    /// True for the chosen finding and the selected pair: these are labelled.
    pub chosen: bool,
}

impl Meeting {
    fn joins(&self, a: ObjectId, b: ObjectId) -> bool {
        (self.a == Some(a) && self.b == Some(b)) || (self.a == Some(b) && self.b == Some(a))
    }
}

/// The chosen finding's meeting, the selected pair's, and those the layers ask for; the chosen ones first.
pub fn meetings(input: &ViewportInput<'_>) -> Vec<Meeting> {
    let mut found = Vec::new();
    found.extend(of_finding(input));
    if let Some((a, b)) = input.selection.pair()
        && !found.iter().any(|meeting: &Meeting| meeting.joins(a, b))
    {
        found.extend(of_pair(input, a, b));
    }
    let shown = |object: ObjectId| {
        let selected = input.selection.contains(object);
        input.layers.shows(Layer::Ghosts, selected) || input.layers.shows(Layer::Contacts, selected)
    };
    let wanted = |layer| input.layers.get(layer) != Show::None;
    if wanted(Layer::Ghosts) || wanted(Layer::Contacts) {
        for phase in &input.frame.phases {
            let Phase::Sweep { impacts, .. } = phase else {
                continue;
            };
            for &(a, b, impact) in impacts {
                if found.len() >= MOST {
                    return found;
                }
                if (shown(a) || shown(b)) && !found.iter().any(|meeting| meeting.joins(a, b)) {
                    found.push(Meeting {
                        a: Some(a),
                        b: Some(b),
                        fraction: impact.fraction,
                        point: impact.point,
                        normal: impact.normal.try_normalize(),
                        chosen: false,
                    });
                }
            }
        }
    }
    found
}

fn of_finding(input: &ViewportInput<'_>) -> Option<Meeting> {
    let finding = input.finding?;
    // Who is at no place met nobody there.
    let start = finding.object_a.and_then(|id| input.frame.pose(id, 0.0));
    let placeless = finding.kind == Kind::BadNumber && start.is_some_and(|pose| !pose.is_finite());
    (finding.frame == input.frame.number && !placeless).then(|| Meeting {
        a: finding.object_a,
        b: finding.object_b,
        fraction: finding.fraction,
        point: DVec3::from_array(finding.point),
        normal: DVec3::from_array(finding.normal).try_normalize(),
        chosen: true,
    })
}

/// The pair's own sweep over the stretches in which both move straight.
fn of_pair(input: &ViewportInput<'_>, a: ObjectId, b: ObjectId) -> Option<Meeting> {
    let objects = input.replay.objects();
    let (one, two) = (objects.get(a as usize)?, objects.get(b as usize)?);
    for (from, to, motion_a, motion_b) in input.frame.straight_intervals(a, b) {
        let sweep = query::sweep(&one.shape, &motion_a, &two.shape, &motion_b, &mut ());
        if let SweepOutcome::Hits(impact) = sweep.outcome {
            return Some(Meeting {
                a: Some(a),
                b: Some(b),
                fraction: from + (to - from) * impact.fraction,
                point: impact.point,
                normal: impact.normal.try_normalize(),
                chosen: true,
            });
        }
    }
    None
}
