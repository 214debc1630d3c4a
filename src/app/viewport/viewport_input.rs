//! The input of the viewport: the level at the playhead, and the poses of all objects then.

use super::handles::Editing;
use crate::app::model::FindingKey;
use crate::app::model::finding_list::{FindingsByObject, HeatMap};
use crate::app::model::probe_test::ProbeTest;
use crate::app::selection::Selection;
use crate::app::view_options::{ViewLayout, Visibility};
use crate::app::view_state::{Layer, Layers, Playhead};
use crate::core::diagnose::Finding;
use crate::core::diagnose::what_if::session::WhatIfOutcome;
use crate::core::explain_move::MoveExplanation;
use crate::core::leaks::Leaks;
use crate::core::replay::compare::{Subject, Tolerance};
use crate::core::replay::{Frame, FrameState, ObjectId, Phase, Replay};
use crate::core::shape::Pose;
use std::sync::{Arc, Weak};

static ALL_VISIBLE: Visibility = Visibility::all();

/// Everything the viewport reads in one pass.
#[derive(Clone, Copy)]
pub struct ViewportInput<'a> {
    /// The level.
    pub replay: &'a Arc<Replay>,
    /// The inside of the frame at the playhead.
    pub frame: &'a Arc<Frame>,
    /// The shown time.
    pub playhead: Playhead,
    /// The phase of the frame that the playhead was stepped to, if it was.
    pub phase: Option<usize>,
    /// The selected objects.
    pub selection: &'a Selection,
    /// Which layers to draw, and for which objects.
    pub layers: &'a Layers,
    /// Hidden and followed objects.
    pub visibility: &'a Visibility,
    /// The selected finding.
    pub finding: Option<&'a Finding>,
    /// Its identity, also while a changed level has no report.
    pub selected: Option<&'a FindingKey>,
    /// Where the listed findings are, while that is shown.
    pub heat: Option<&'a Arc<HeatMap>>,
    /// The listed findings of each object, while they give the colours.
    pub by_object: Option<&'a Arc<FindingsByObject>>,
    /// The places where movers pass the fixed surfaces, and the chosen one.
    pub leaks: Option<(&'a Arc<Leaks>, Option<usize>)>,
    /// The moves of the selected object.
    pub moves: &'a [MoveExplanation],
    /// The object under the pointer in a list of a panel.
    pub pointed: Option<ObjectId>,
    /// The outcome of the what-if values, while the finding has some.
    pub what_if: Option<&'a Arc<WhatIfOutcome>>,
    /// The result of the edited probe, while its panel is open.
    pub probe: Option<&'a Arc<ProbeTest>>,
    /// The line of the probe under the pointer in its list.
    pub probe_line: Option<u32>,
    /// The camera's pose in walk mode.
    pub walk: Option<Pose>,
    /// The replay that the level is compared with.
    pub compared: Option<Compared<'a>>,
    /// The objects that are marked because they differ from the other replay.
    pub differing: &'a [ObjectId],
    /// The scene and the tools, where the scene can be edited.
    pub editing: Option<Editing<'a>>,
    /// One viewport or two.
    pub layout: ViewLayout,
}

impl ViewportInput<'_> {
    /// Whether the level is in the plane z = 0.
    pub fn is_flat(&self) -> bool {
        self.replay.units().units.flat
    }
}

/// The other replay of a comparison, at the same time.
#[derive(Clone, Copy)]
pub struct Compared<'a> {
    /// Name in the legend.
    pub name: &'a str,
    /// Name of the open level.
    pub own_name: &'a str,
    /// Poses that are closer are equal.
    pub tolerance: Tolerance,
    /// The replay.
    pub replay: &'a Arc<Replay>,
    /// Which objects of the two replays correspond.
    pub subjects: &'a [Subject],
    /// The inside of its frame, and the fraction; `None` before its begin and after its end.
    pub at: Option<(&'a Arc<Frame>, f64)>,
    /// False before its begin.
    pub has_begun: bool,
}

impl Compared<'_> {
    /// The pose of one of its objects; `None` when absent or not finite.
    pub fn pose(&self, object: ObjectId) -> Option<Pose> {
        let (frame, fraction) = self.at?;
        let pose = frame.pose(object, fraction)?;
        pose.is_finite().then_some(pose)
    }

    /// The pose of its camera, after the probe's push at the end of its frame; `None` without a camera.
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

/// Identity of a compared replay and its frame, which keeps neither alive.
struct ComparedKey {
    replay: Weak<Replay>,
    at: Option<(Weak<Frame>, f64)>,
}

impl ComparedKey {
    fn matches(&self, compared: &Compared<'_>) -> bool {
        let same_time = match (&self.at, compared.at) {
            (None, None) => true,
            (Some((frame, fraction)), Some((now, at))) => {
                std::ptr::eq(frame.as_ptr(), Arc::as_ptr(now)) && *fraction == at
            }
            _ => false,
        };
        same_time && std::ptr::eq(self.replay.as_ptr(), Arc::as_ptr(compared.replay))
    }
}

impl<'a> ViewportInput<'a> {
    /// The level alone, at the start of frame 0, without a finding, a comparison, or tools.
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
            visibility: &ALL_VISIBLE,
            finding: None,
            selected: None,
            heat: None,
            by_object: None,
            leaks: None,
            moves: &[],
            pointed: None,
            what_if: None,
            probe: None,
            probe_line: None,
            walk: None,
            compared: None,
            differing: &[],
            editing: None,
            layout: ViewLayout::default(),
        }
    }

    /// The pose of an object at the playhead; in a phase, after the pushes up to it. `None` when absent or not finite.
    #[inline]
    pub fn pose(&self, object: ObjectId) -> Option<Pose> {
        let pose = self.frame.pose(object, self.playhead.fraction)?;
        let pushed = self.phase.and_then(|phase| self.pushed(object, phase));
        let pose = pushed.map_or(pose, |position| Pose { position, ..pose });
        pose.is_finite().then_some(pose)
    }

    /// Returns true if the body of an object is drawn where it is present.
    pub fn shows_body(&self, object: ObjectId) -> bool {
        let selected = self.selection.contains(object);
        self.layers.shows(Layer::Shapes, selected) && !self.visibility.hides(object)
    }

    /// Returns true if the changed values of the what-if move this object, whose own path is then not drawn.
    pub fn is_changed(&self, object: ObjectId) -> bool {
        let mut ghosts = self.what_if.iter().flat_map(|what_if| &what_if.ghosts);
        ghosts.any(|ghost| ghost.object == object)
    }

    /// The pose of the level's camera at the playhead; in the phases before the probe's push, before it.
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

    /// The position of an object after the pushes at the playhead's time up to a phase; `None` where the frame's own pose is exact.
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
        // The state at the frame's end is exact.
        done.filter(|_| fraction < 1.0)
    }

    /// The key of this input, which does not keep the level alive.
    pub fn key(&self) -> DrawCacheKey {
        DrawCacheKey {
            replay: Arc::downgrade(self.replay),
            frame: Arc::downgrade(self.frame),
            start: Arc::downgrade(&self.frame.start),
            playhead: self.playhead,
            phase: self.phase,
            selection: self.selection.clone(),
            layers: self.layers.clone(),
            visibility: self.visibility.clone(),
            finding: self.finding.cloned(),
            heat: self.heat.cloned(),
            by_object: self.by_object.cloned(),
            leaks: self
                .leaks
                .map(|(found, chosen)| (Arc::clone(found), chosen)),
            pointed: self.pointed,
            what_if: self.what_if.cloned(),
            probe: (self.probe.cloned(), self.probe_line),
            walk_mode: self.walk.is_some(),
            compared: self.compared.as_ref().map(Compared::key),
            differing: self.differing.to_vec(),
        }
    }
}

/// Key of a cached draw list: inputs with equal keys are drawn alike.
pub struct DrawCacheKey {
    replay: Weak<Replay>,
    frame: Weak<Frame>,
    /// Of the frame: all bodies of a level depend on it.
    start: Weak<FrameState>,
    playhead: Playhead,
    phase: Option<usize>,
    selection: Selection,
    layers: Layers,
    visibility: Visibility,
    finding: Option<Finding>,
    heat: Option<Arc<HeatMap>>,
    by_object: Option<Arc<FindingsByObject>>,
    leaks: Option<(Arc<Leaks>, Option<usize>)>,
    pointed: Option<ObjectId>,
    what_if: Option<Arc<WhatIfOutcome>>,
    probe: (Option<Arc<ProbeTest>>, Option<u32>),
    walk_mode: bool,
    compared: Option<ComparedKey>,
    differing: Vec<ObjectId>,
}

impl DrawCacheKey {
    /// Returns true if it is of the same level.
    fn same_level(&self, input: &ViewportInput<'_>) -> bool {
        // A weak reference holds its address, so that no other level can have it.
        std::ptr::eq(self.replay.as_ptr(), Arc::as_ptr(input.replay))
    }

    /// Returns true if all bodies are where they are in this input.
    pub fn has_same_time(&self, input: &ViewportInput<'_>) -> bool {
        self.same_level(input)
            && std::ptr::eq(self.start.as_ptr(), Arc::as_ptr(&input.frame.start))
            && self.playhead == input.playhead
            && self.phase == input.phase
    }

    /// Returns true if bodies, trails and bounding boxes are drawn as for this input.
    pub fn has_same_bodies(&self, input: &ViewportInput<'_>) -> bool {
        self.has_same_time(input)
            && self.selection == *input.selection
            && self.layers == *input.layers
            && self.visibility == *input.visibility
            && same(self.by_object.as_ref(), input.by_object)
            && match (&self.compared, &input.compared) {
                (None, None) => true,
                (Some(key), Some(compared)) => key.matches(compared),
                _ => false,
            }
    }

    /// Returns true if everything is drawn as for this input.
    pub fn matches(&self, input: &ViewportInput<'_>) -> bool {
        self.has_same_bodies(input)
            && std::ptr::eq(self.frame.as_ptr(), Arc::as_ptr(input.frame))
            && self.finding.as_ref() == input.finding
            && same(self.heat.as_ref(), input.heat)
            && same(
                self.leaks.as_ref().map(|(found, _)| found),
                input.leaks.map(|(found, _)| found),
            )
            && self.leaks.as_ref().map(|(_, chosen)| *chosen)
                == input.leaks.map(|(_, chosen)| chosen)
            && self.pointed == input.pointed
            && same(self.what_if.as_ref(), input.what_if)
            && same(self.probe.0.as_ref(), input.probe)
            && self.probe.1 == input.probe_line
            && self.walk_mode == input.walk.is_some()
            && self.differing == input.differing
    }
}

/// Returns true if both are the same allocation, or both `None`.
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
    fn poses_in_a_phase_include_the_pushes_up_to_it() {
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
        assert!(at(None).key().matches(&at(None)));
        assert!(!at(None).key().matches(&at(Some(push))));
    }
}
