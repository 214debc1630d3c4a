//! What one picture shows: the level at the playhead, and where everything stands then.

use super::handles::Editing;
use crate::app::model::probe_look::ProbeLook;
use crate::app::selection::Selection;
use crate::app::view_state::{Layers, Playhead};
use crate::core::diagnose::Finding;
use crate::core::diagnose::what_if::session::WhatIfOutcome;
use crate::core::replay::compare::Subject;
use crate::core::replay::{Frame, ObjectId, Phase, Replay};
use crate::core::shape::Pose;
use std::sync::{Arc, Weak};

/// Everything the viewport reads to draw one picture.
#[derive(Clone, Copy)]
pub struct ViewportInput<'a> {
    /// The level.
    pub replay: &'a Arc<Replay>,
    /// The inside of the frame at the playhead.
    pub frame: &'a Arc<Frame>,
    /// When.
    pub playhead: Playhead,
    /// The phase of the frame that the playhead was stepped to, if it was.
    pub phase: Option<usize>,
    /// What is selected.
    pub selection: &'a Selection,
    /// What to draw, for whom.
    pub layers: &'a Layers,
    /// The finding that was clicked, if any.
    pub finding: Option<&'a Finding>,
    /// What the pointer is on in a list.
    pub pointed: Option<ObjectId>,
    /// The finding with other numbers, where it is being tried.
    pub what_if: Option<&'a Arc<WhatIfOutcome>>,
    /// What the edited probe finds, where it is looked at.
    pub probe: Option<&'a Arc<ProbeLook>>,
    /// The line of it that the pointer is on in its list.
    pub probe_line: Option<u32>,
    /// The camera that somebody walks with, while they do.
    pub walk: Option<Pose>,
    /// The replay that the level is held against.
    pub compared: Option<Compared<'a>>,
    /// The scene, where it can be changed by hand.
    pub editing: Option<Editing<'a>>,
}

/// Another replay at the same moment.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// As the legend calls it.
    pub name: &'a str,
    /// What happens in it.
    pub replay: &'a Arc<Replay>,
    /// Who is who.
    pub subjects: &'a [Subject],
    /// The inside of its frame, and the fraction; `None` where it has ended.
    pub at: Option<(&'a Arc<Frame>, f64)>,
}

impl Compared<'_> {
    /// Where one of its own objects stands; `None` when absent or not finite.
    pub fn pose(&self, object: ObjectId) -> Option<Pose> {
        let (frame, fraction) = self.at?;
        let pose = frame.pose(object, fraction)?;
        pose.is_finite().then_some(pose)
    }

    /// Where its camera stands, after the probe's push at the end of its frame; `None` without one.
    pub fn camera(&self) -> Option<Pose> {
        let (frame, fraction) = self.at?;
        let (motion, after) = frame.camera?;
        let pose = if fraction < 1.0 {
            motion.pose(fraction)
        } else {
            after
        };
        pose.is_finite().then_some(pose)
    }

    fn key(&self) -> ComparedKey {
        ComparedKey {
            replay: Arc::downgrade(self.replay),
            at: self
                .at
                .map(|(frame, fraction)| (Arc::downgrade(frame), fraction)),
        }
    }
}

/// The same, as it can be remembered.
struct ComparedKey {
    replay: Weak<Replay>,
    at: Option<(Weak<Frame>, f64)>,
}

impl ComparedKey {
    fn is(&self, compared: &Compared<'_>) -> bool {
        let same_moment = match (&self.at, compared.at) {
            (None, None) => true,
            (Some((frame, fraction)), Some((now, at))) => {
                std::ptr::eq(frame.as_ptr(), Arc::as_ptr(now)) && *fraction == at
            }
            _ => false,
        };
        same_moment && std::ptr::eq(self.replay.as_ptr(), Arc::as_ptr(compared.replay))
    }
}

impl<'a> ViewportInput<'a> {
    /// The level alone, at the start of frame 0: nothing that the window adds to it.
    pub fn of_level(
        replay: &'a Arc<Replay>,
        frame: &'a Arc<Frame>,
        selection: &'a Selection,
        layers: &'a Layers,
    ) -> Self {
        Self {
            replay,
            frame,
            playhead: Playhead::default(),
            phase: None,
            selection,
            layers,
            finding: None,
            pointed: None,
            what_if: None,
            probe: None,
            probe_line: None,
            walk: None,
            compared: None,
            editing: None,
        }
    }

    /// Where an object stands at the playhead; in a phase among pushes, after those done so far. `None` when absent or not
    /// finite.
    pub fn pose(&self, object: ObjectId) -> Option<Pose> {
        let pose = self.frame.pose(object, self.playhead.fraction)?;
        let pushed = self.phase.and_then(|phase| self.pushed(object, phase));
        let pose = pushed.map_or(pose, |position| Pose { position, ..pose });
        pose.is_finite().then_some(pose)
    }

    /// The camera in the level at the playhead; before the probe's push in the phases before it.
    pub fn camera(&self) -> Option<Pose> {
        let (motion, after) = self.frame.camera?;
        let fraction = self.playhead.fraction;
        let probe = |phase: &Phase| matches!(phase, Phase::CameraPush { .. });
        let push = self.frame.phases.iter().position(probe);
        let before = matches!((self.phase, push), (Some(now), Some(push)) if now < push);
        let pose = if fraction < 1.0 || before {
            motion.pose(fraction.min(1.0))
        } else {
            after
        };
        pose.is_finite().then_some(pose)
    }

    /// Where the pushes of this instant have put an object when those up to a phase are done; `None` when they say no more
    /// than the frame does.
    fn pushed(&self, object: ObjectId, phase: usize) -> Option<glam::DVec3> {
        let fraction = self.playhead.fraction;
        let mut done = None;
        for (number, push) in self.frame.phases.iter().enumerate() {
            match push {
                Phase::Push {
                    at,
                    object: moved,
                    before,
                    after,
                    ..
                } if *moved == object && *at == fraction => {
                    if number > phase {
                        return Some(*before);
                    }
                    done = Some(*after);
                }
                _ => {}
            }
        }
        // At the frame's end its own state is the exact answer.
        done.filter(|_| fraction < 1.0)
    }

    /// What tells this moment from others, without keeping the level alive.
    pub fn key(&self) -> DrawCacheKey {
        DrawCacheKey {
            replay: Arc::downgrade(self.replay),
            frame: Arc::downgrade(self.frame),
            playhead: self.playhead,
            phase: self.phase,
            selection: self.selection.clone(),
            layers: self.layers.clone(),
            finding: self.finding.cloned(),
            pointed: self.pointed,
            what_if: self.what_if.cloned(),
            probe: (self.probe.cloned(), self.probe_line),
            walks: self.walk.is_some(),
            compared: self.compared.as_ref().map(Compared::key),
        }
    }
}

/// A moment as it can be remembered: equal keys draw equal pictures.
pub struct DrawCacheKey {
    replay: Weak<Replay>,
    frame: Weak<Frame>,
    playhead: Playhead,
    phase: Option<usize>,
    selection: Selection,
    layers: Layers,
    finding: Option<Finding>,
    pointed: Option<ObjectId>,
    what_if: Option<Arc<WhatIfOutcome>>,
    probe: (Option<Arc<ProbeLook>>, Option<u32>),
    walks: bool,
    compared: Option<ComparedKey>,
}

impl DrawCacheKey {
    /// Is it of the same level?
    fn same_level(&self, input: &ViewportInput<'_>) -> bool {
        // A weak reference holds its address, so that no other level can have it.
        std::ptr::eq(self.replay.as_ptr(), Arc::as_ptr(input.replay))
    }

    /// Are bodies, trails and bounding boxes drawn as for this input?
    pub fn has_same_bodies(&self, input: &ViewportInput<'_>) -> bool {
        self.same_level(input)
            && std::ptr::eq(self.frame.as_ptr(), Arc::as_ptr(input.frame))
            && self.playhead == input.playhead
            && self.phase == input.phase
            && self.selection == *input.selection
            && self.layers == *input.layers
            && match (&self.compared, &input.compared) {
                (None, None) => true,
                (Some(key), Some(compared)) => key.is(compared),
                _ => false,
            }
    }

    /// Is it of the same input?
    pub fn is(&self, input: &ViewportInput<'_>) -> bool {
        self.has_same_bodies(input)
            && self.finding.as_ref() == input.finding
            && self.pointed == input.pointed
            && same(self.what_if.as_ref(), input.what_if)
            && same(self.probe.0.as_ref(), input.probe)
            && self.probe.1 == input.probe_line
            && self.walks == input.walk.is_some()
    }
}

/// Are both the very same, or both nothing?
fn same<T>(one: Option<&Arc<T>>, other: Option<&Arc<T>>) -> bool {
    one.map(Arc::as_ptr) == other.map(Arc::as_ptr)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_levels::{sphere, wall};
    use crate::core::scene::{Response, Scene};
    use glam::DVec3;

    /// A ball of radius 1 that ends a frame at x = -0.5, before a wall whose face is at x = 0: it is pushed to x = -1.
    fn pushed_out() -> Arc<Replay> {
        let objects = vec![
            sphere("ball", 1.0, DVec3::new(-2.5, 0.0, 0.0), DVec3::X * 2.0),
            wall("wall", DVec3::splat(4.0), DVec3::X * 4.0),
        ];
        Arc::new(Replay::stepped(Arc::new(Scene {
            dt: 1.0,
            frames: 2,
            response: Response::Push,
            ..Scene::new("pushed out", objects)
        })))
    }

    #[test]
    fn in_a_phase_objects_stand_after_the_pushes_done_so_far() {
        let replay = pushed_out();
        let frame = replay.frame(0);
        let push = |phase: &Phase| matches!(phase, Phase::Push { .. });
        let push = frame.phases.iter().position(push).expect("a push");
        let (selection, layers) = (Selection::default(), Layers::default());
        let at = |phase| ViewportInput {
            playhead: Playhead {
                frame: 0,
                fraction: 1.0,
            },
            phase,
            ..ViewportInput::of_level(&replay, &frame, &selection, &layers)
        };
        let x = |phase| at(phase).pose(0).expect("the ball").position.x;
        assert!((x(Some(push - 1)) + 0.5).abs() < 1e-12, "before the push");
        assert!((x(Some(push)) + 1.0).abs() < 1e-9, "after it");
        let end = frame.pose(0, 1.0).expect("the ball").position.x;
        assert_eq!(x(Some(frame.phases.len() - 1)), end);
        assert_eq!(x(None), end, "without a phase the frame's end is its end");
        assert!(at(None).key().is(&at(None)));
        assert!(!at(None).key().is(&at(Some(push))));
    }
}
