//! The impacts that the viewport shows at this frame.

use super::ViewportInput;
use crate::app::view_state::{Layer, Show};
use crate::core::diagnose::Kind;
use crate::core::query::{self, SweepOutcome};
use crate::core::replay::{ObjectId, Phase};
use glam::DVec3;

/// Most impacts that are drawn when a layer is drawn for all objects.
const MAX_IMPACTS: usize = 64;

/// An impact of two objects inside the frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShownImpact {
    /// The mover; `None` is the camera.
    pub a: Option<ObjectId>,
    /// The obstacle.
    pub b: Option<ObjectId>,
    /// Time of impact as a fraction of the frame.
    pub fraction: f64,
    /// The contact point, world, metres.
    pub point: DVec3,
    /// Contact normal, unit, from the second toward the first; `None` when a log has none.
    pub normal: Option<DVec3>,
    /// True for the selected finding and the selected pair, which are labelled.
    pub selected: bool,
}

impl ShownImpact {
    fn is_of_pair(&self, a: ObjectId, b: ObjectId) -> bool {
        (self.a == Some(a) && self.b == Some(b)) || (self.a == Some(b) && self.b == Some(a))
    }
}

/// The impacts of the selected finding, of the selected pair, and of the objects whose layers are on, in this order.
pub fn shown_impacts(input: &ViewportInput<'_>) -> Vec<ShownImpact> {
    let mut found = Vec::new();
    found.extend(of_finding(input));
    if let Some((a, b)) = input.selection.pair()
        && !found
            .iter()
            .any(|shown: &ShownImpact| shown.is_of_pair(a, b))
    {
        found.extend(of_pair(input, a, b));
    }
    let is_shown = |object: ObjectId| {
        let selected = input.selection.contains(object);
        input.layers.shows(Layer::Ghosts, selected) || input.layers.shows(Layer::Contacts, selected)
    };
    let is_on = |layer| input.layers.get(layer) != Show::None;
    if is_on(Layer::Ghosts) || is_on(Layer::Contacts) {
        for phase in &input.frame.phases {
            let Phase::Sweep { impacts, .. } = phase else {
                continue;
            };
            for &(a, b, impact) in impacts {
                if found.len() >= MAX_IMPACTS {
                    return found;
                }
                if (is_shown(a) || is_shown(b)) && !found.iter().any(|shown| shown.is_of_pair(a, b))
                {
                    found.push(ShownImpact {
                        a: Some(a),
                        b: Some(b),
                        fraction: impact.fraction,
                        point: impact.point,
                        normal: impact.normal.try_normalize(),
                        selected: false,
                    });
                }
            }
        }
    }
    found
}

fn of_finding(input: &ViewportInput<'_>) -> Option<ShownImpact> {
    let finding = input.finding?;
    // An object without a finite pose has no impact.
    let start = finding.object_a.and_then(|id| input.frame.pose(id, 0.0));
    let invalid = finding.kind == Kind::BadNumber && start.is_some_and(|pose| !pose.is_finite());
    (finding.frame == input.frame.number && !invalid).then(|| ShownImpact {
        a: finding.object_a,
        b: finding.object_b,
        fraction: finding.fraction,
        point: DVec3::from_array(finding.point),
        normal: DVec3::from_array(finding.normal).try_normalize(),
        selected: true,
    })
}

/// The first impact of a pair, by sweeps over the intervals in which both move straight.
fn of_pair(input: &ViewportInput<'_>, a: ObjectId, b: ObjectId) -> Option<ShownImpact> {
    let objects = input.replay.objects();
    let (one, two) = (objects.get(a as usize)?, objects.get(b as usize)?);
    for (from, to, motion_a, motion_b) in input.frame.straight_intervals(a, b) {
        let sweep = query::sweep(&one.shape, &motion_a, &two.shape, &motion_b, &mut ());
        if let SweepOutcome::Hits(impact) = sweep.outcome {
            return Some(ShownImpact {
                a: Some(a),
                b: Some(b),
                fraction: from + (to - from) * impact.fraction,
                point: impact.point,
                normal: impact.normal.try_normalize(),
                selected: true,
            });
        }
    }
    None
}
