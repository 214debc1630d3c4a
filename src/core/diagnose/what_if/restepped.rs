//! Confirms a value by running the scene with it.

use crate::core::diagnose::facts::change::{Change, Parameter};
use crate::core::diagnose::facts::threshold_search::InflatedShape;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::judge::compound_parts;
use crate::core::diagnose::judge::event::{JudgeStats, PairEvent};
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::kind::Kind;
use crate::core::progress::Progress;
use crate::core::query;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::{Movement, Response, Scene};
use crate::core::shape::Shape;
use std::sync::Arc;

/// Margin by which a value exceeds the limit when it is confirmed: at the limit rounding would decide.
pub(in crate::core::diagnose) const MARGIN: f64 = 1e-6;

/// Frames past the finding's frame that are stepped: a wrong push may come a frame after the touch.
const BEYOND: f64 = 2.0;

/// Confirms both values by running the scene; a recording cannot be run. `steps_left` bounds the steps of all runs for
/// the finding, per object.
pub(in crate::core::diagnose) fn confirm(
    replay: &Replay,
    finding: &Finding,
    (pair, event): (&Pair<'_>, &PairEvent),
    (what, change): (Parameter, &mut Change),
    steps_left: &mut u32,
    progress: &dyn Progress,
) {
    let scene = replay.scene();
    if replay.recording().is_some() || !can_be_changed(scene, pair, what) {
        return;
    }
    let undetected: &[Kind] = &[Kind::Tunnels, Kind::Clips];
    let pushed: &[Kind] = &[Kind::Tunnels, Kind::Clips, Kind::WrongSide];
    // Without a response everything passes, however well it is detected.
    let does_something = scene.response != Response::Ignore;
    let before = change.before;
    let mut try_out = |threshold: &mut Option<crate::core::diagnose::facts::change::Threshold>,
                       kinds: &[Kind]| {
        if let Some(threshold) = threshold
            && let Some((mut scene, frames)) = changed(
                scene,
                finding,
                (pair, event),
                what,
                (before, threshold.after),
            )
        {
            let steps = frames * scene.objects.len() as f64;
            // Nor where it is not finite.
            if steps <= f64::from(*steps_left) {
                *steps_left -= steps as u32;
                scene.frames = frames as u32;
                threshold.replayed =
                    vanishes(scene, (pair.mover.id, pair.obstacle.id), kinds, progress);
            } else {
                threshold.too_long = true;
            }
        }
    };
    try_out(&mut change.detects, undetected);
    if does_something {
        try_out(&mut change.holds, pushed);
    }
}

/// Keyframes are tied to frame numbers: another dt makes another motion of them.
fn can_be_changed(scene: &Scene, pair: &Pair<'_>, what: Parameter) -> bool {
    let keyframed = |id: ObjectId| {
        scene
            .objects
            .get(id as usize)
            .is_none_or(|object| matches!(object.movement, Movement::Keyframes(_)))
    };
    let time = matches!(what, Parameter::Dt | Parameter::Substeps | Parameter::Speed);
    !(time && (keyframed(pair.mover.id) || keyframed(pair.obstacle.id)))
}

/// The scene with one number changed, and the number of frames past the finding; `None` where it cannot be changed.
fn changed(
    scene: &Scene,
    finding: &Finding,
    (pair, event): (&Pair<'_>, &PairEvent),
    what: Parameter,
    (before, after): (f64, f64),
) -> Option<(Scene, f64)> {
    let mut changed = scene.clone();
    // The ratio of frames for the same travel.
    let longer = match what {
        Parameter::Dt => {
            changed.dt = after * (1.0 - MARGIN);
            before / after
        }
        Parameter::Substeps => {
            changed.dt = scene.dt / after * (1.0 - MARGIN);
            after
        }
        Parameter::Speed => {
            for id in [pair.mover.id, pair.obstacle.id] {
                changed.objects.get_mut(id as usize)?.velocity *= after / before * (1.0 - MARGIN);
            }
            before / after
        }
        Parameter::Radius | Parameter::Thickness => {
            let inflated = match what {
                Parameter::Radius => InflatedShape::body(pair, event.normal),
                _ => InflatedShape::solid(pair, event.normal),
            };
            let inflated = inflated.ok()?;
            let id = if inflated.of_mover {
                pair.mover.id
            } else {
                pair.obstacle.id
            };
            let object = changed.objects.get_mut(id as usize)?;
            // What grows is a part of it; the whole has no such measure.
            if matches!(object.shape, Shape::Compound(_)) {
                return None;
            }
            let by = (after - before) * (1.0 + MARGIN);
            object.shape = inflated.shape(by);
            object.pose = inflated.pose(&object.pose, by);
            1.0
        }
    };
    let frames = ((f64::from(finding.frame) + 1.0 + BEYOND) * longer).ceil();
    Some((changed, frames))
}

/// Whether a scene has no event of these kinds for one pair; `None` when cancelled, and when the larger shapes begin in overlap.
fn vanishes(
    scene: Scene,
    ids: (ObjectId, ObjectId),
    kinds: &[Kind],
    progress: &dyn Progress,
) -> Option<bool> {
    let frames = scene.frames;
    let replay = Replay::stepped(Arc::new(scene));
    if start_together(&replay, ids) {
        return None;
    }
    for number in 0..frames {
        if progress.cancelled() {
            return None;
        }
        let frame = replay.frame(number);
        for interval in frame.straight_intervals(ids.0, ids.1) {
            let pair = Pair::new(&replay, ids, interval)?;
            let event = compound_parts::judge(&pair, &mut JudgeStats::default());
            if event.is_some_and(|event| kinds.contains(&event.kind)) {
                return Some(false);
            }
        }
    }
    Some(true)
}

fn start_together(replay: &Replay, (a, b): (ObjectId, ObjectId)) -> bool {
    let [a, b] = [a, b].map(|id| &replay.objects()[id as usize]);
    query::overlaps(&a.shape.placed(&a.pose), &b.shape.placed(&b.pose))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::Object;
    use glam::DVec3;

    /// Balls of 1 m.
    #[test]
    fn what_overlaps_starts_together() {
        for (apart, expected) in [(1.5, true), (2.5, false)] {
            let ball = |x: f64| Object::new("ball", Shape::Sphere { radius: 1.0 }, DVec3::X * x);
            let replay = Replay::stepped(Scene::new("test", vec![ball(0.0), ball(apart)]).into());
            assert_eq!(start_together(&replay, (0, 1)), expected, "{apart}");
        }
    }
}
