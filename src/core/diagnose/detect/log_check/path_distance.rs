//! Least distance of two objects of a log on any estimate of their paths.
//!
//! A log has poses at frame ends, and perhaps velocities. The estimates are the straight path between the poses, the
//! path on from the pose before with the velocity before, and the path back from the pose after with the velocity
//! after: a body that bounces inside the frame touches on those. The distance is the least of all, so that only a pair
//! that is apart on every estimate counts as apart.

use crate::core::bounds::swept_aabb;
use crate::core::diagnose::detect::frame_findings::TouchingPairs;
use crate::core::diagnose::judge::pair::turn_of;
use crate::core::diagnose::shape_metrics::swing;
use crate::core::query;
use crate::core::replay::{BodyState, Frame, FrameState, ObjectId, Replay};
use crate::core::scene::{Movement, Object, Objects};
use crate::core::shape::{Aabb, BoxTree, Motion, Pose, Shape};
use glam::DVec3;

/// The paths to one state, from the state before it where there is one.
#[derive(Clone, Copy)]
pub(super) struct StatePaths<'f> {
    pub replay: &'f Replay,
    pub objects: &'f Objects,
    /// `None` for the first state of a level.
    pub before: Option<&'f Frame>,
    /// The pairs that hit or overlap in that frame's own sweep, where there was one.
    pub touching: Option<&'f TouchingPairs>,
    pub after: &'f FrameState,
    pub dt: f64,
    pub gravity: DVec3,
}

/// Frames of travel ahead in which a body that a margin stops would have hit.
const FRAMES_AHEAD: f64 = 4.0;

/// Estimates of the motion of one object.
const ESTIMATES: usize = 6;

impl<'f> StatePaths<'f> {
    fn body(&self, state: &'f FrameState, id: ObjectId) -> Option<&'f BodyState> {
        let body = state.body(id)?;
        body.pose.is_finite().then_some(body)
    }

    /// The shape of an object, or of the solid that it is a part of. A closed mesh stays hollow.
    pub(super) fn shape(&self, id: ObjectId) -> &'f Shape {
        let own = &self.objects[id as usize].shape;
        let solid = self.replay.solid_shape(id);
        solid.filter(|_| self.replay.is_part(id)).unwrap_or(own)
    }

    pub(super) fn start(&self, id: ObjectId) -> Option<&'f BodyState> {
        self.body(&self.before?.start, id)
    }

    pub(super) fn end(&self, id: ObjectId) -> Option<&'f BodyState> {
        self.body(self.after, id)
    }

    /// Straight, at rest before, at rest after, on with the old velocity (without and with gravity), back with the new one.
    ///
    /// Each is made when it is asked for: most contacts touch on the first.
    fn estimates(&self, id: ObjectId) -> impl Iterator<Item = Option<Motion>> {
        let object = &self.objects[id as usize];
        let (start, end) = (self.start(id), self.end(id));
        let segment = self
            .before
            .and_then(|frame| Some(frame.segments(id).first()?.motion))
            .filter(|motion| motion.start.is_finite() && motion.end.is_finite());
        let step = move |body: &BodyState| self.step(object, body, segment.as_ref());
        let on = move |pose: Pose, step: DVec3| Motion {
            start: pose,
            end: Pose {
                position: pose.position + step,
                ..pose
            },
        };
        let forward =
            move |more: DVec3| start.and_then(|body| Some(on(body.pose, step(body)? + more)));
        (0..ESTIMATES).map(move |estimate| match estimate {
            0 => segment,
            1 => start.map(|body| Motion::still(body.pose)),
            2 => end.map(|body| Motion::still(body.pose)),
            3 => forward(DVec3::ZERO),
            4 => forward(match object.movement {
                Movement::Velocity => self.gravity * self.dt * self.dt,
                _ => DVec3::ZERO,
            }),
            _ => end.and_then(|body| {
                let step = step(body)?;
                let earlier = Pose {
                    position: body.pose.position - step,
                    ..body.pose
                };
                Some(on(earlier, step))
            }),
        })
    }

    /// Displacement of one step by a logged velocity; objects at rest or on rails need not have one.
    fn step(&self, object: &Object, body: &BodyState, segment: Option<&Motion>) -> Option<DVec3> {
        let velocity = body.velocity.filter(|velocity| velocity.is_finite());
        velocity
            .map(|velocity| velocity * self.dt)
            .or_else(|| match object.movement {
                Movement::Fixed => Some(DVec3::ZERO),
                Movement::Velocity => None,
                _ => segment.map(Motion::displacement),
            })
    }

    /// At rest before and at rest after. Before the first line of a log a body was where its velocity leads back to.
    fn ends(&self, id: ObjectId) -> [Option<Motion>; 2] {
        let mut estimates = self.estimates(id).skip(1);
        let [before, after] = [(); 2].map(|()| estimates.next().flatten());
        let back = || Some(Motion::still(estimates.nth(2)??.start));
        [before.or_else(back), after]
    }

    /// The least distance of two objects, metres; 0 when any account lets them touch, and any one up to `enough` that an account lets
    /// them come to.
    ///
    /// A kinematic body may be tested where it ends against the other where it begins, as Bullet moves it first, or the other way round.
    /// The possible approach by rotation is subtracted. `None` when unknown: one of them is absent, or a one-sided
    /// surface is approached from behind.
    pub(super) fn distance(&self, a: ObjectId, b: ObjectId, enough: f64) -> Option<f64> {
        let shapes = [a, b].map(|id| self.shape(id));
        let turned = self.turned(a)? + self.turned(b)?;
        let touches = |pairs: &TouchingPairs| pairs.contains(&(a.min(b), a.max(b)));
        if self.touching.is_some_and(touches) {
            return Some(0.0);
        }
        let mut least = None;
        let is_moved = |id: ObjectId| {
            let movement = &self.objects[id as usize].movement;
            !matches!(movement, Movement::Fixed | Movement::Velocity)
        };
        let crossed = [a, b].into_iter().any(is_moved).then(|| {
            let ([a, later_a], [b, later_b]) = (self.ends(a), self.ends(b));
            [(a, later_b), (later_a, b)]
        });
        let accounts = self.estimates(a).zip(self.estimates(b));
        for (motion_a, motion_b) in accounts.chain(crossed.into_iter().flatten()) {
            let (Some(motion_a), Some(motion_b)) = (motion_a, motion_b) else {
                continue;
            };
            let (one, other) = ((shapes[0], &motion_a), (shapes[1], &motion_b));
            let apart = apart(one, other, enough + turned)? - turned;
            if apart <= enough {
                return Some(apart.max(0.0));
            }
            least = Some(least.map_or(apart, |least: f64| least.min(apart)));
        }
        least
    }

    /// Whether two objects may come within a distance of each other on the path that they would go on, with their velocities, spins and
    /// gravity: those before for some frames, or those after for the next.
    pub(super) fn hits_ahead(&self, a: ObjectId, b: ObjectId, slack: f64) -> bool {
        let old = [a, b].map(|id| self.start(id));
        let new = [a, b].map(|id| self.end(id));
        let shapes = [a, b].map(|id| self.shape(id));
        let comes_within = |bodies: [Option<&BodyState>; 2], time: f64| {
            let [Some(one), Some(other)] = bodies else {
                return false;
            };
            let on = |body: &BodyState| Motion {
                start: body.pose,
                end: Pose {
                    position: body.pose.position + body.velocity.unwrap_or(DVec3::ZERO) * time,
                    ..body.pose
                },
            };
            let swing_of = |shape: &Shape, body: &BodyState| {
                let turn = body.spin.unwrap_or(DVec3::ZERO) * time;
                swing(shape, &body.pose, turn).unwrap_or(0.0)
            };
            let swings = swing_of(shapes[0], one) + swing_of(shapes[1], other);
            let allowed = slack + swings + 0.5 * self.gravity.length() * time * time;
            apart((shapes[0], &on(one)), (shapes[1], &on(other)), allowed)
                .is_some_and(|apart| apart <= allowed)
        };
        comes_within(old, self.dt * FRAMES_AHEAD) || comes_within(new, self.dt)
    }

    /// Upper bound of the travel of an object's farthest point by rotation, metres.
    pub(super) fn turned(&self, id: ObjectId) -> Option<f64> {
        let (Some(start), Some(end)) = (self.start(id), self.end(id)) else {
            return Some(0.0);
        };
        let shape = self.shape(id);
        let motion = Motion {
            start: start.pose,
            end: end.pose,
        };
        swing(shape, &motion.start, turn_of(shape, &motion, None))
    }

    /// The box around every estimate of an object, and what turning may add; `None` without bounds.
    pub(super) fn bounds(&self, id: ObjectId) -> Option<Aabb> {
        let shape = self.shape(id);
        let boxes = self.estimates(id).flatten();
        let around = boxes
            .map(|motion| swept_aabb(shape, &motion))
            .reduce(|a, b| Some(a?.union(&b?)))
            .flatten()?;
        Some(around.grown(self.turned(id)?))
    }

    /// The same box and one more motion; `None` without bounds.
    pub(super) fn bounds_with(&self, id: ObjectId, more: &Motion) -> Option<Aabb> {
        let shape = self.shape(id);
        Some(self.bounds(id)?.union(&swept_aabb(shape, more)?))
    }

    /// Relative travel of two objects on the straight path, metres; 0 where unknown.
    pub(super) fn relative_travel(&self, a: ObjectId, b: ObjectId) -> f64 {
        let travel = |id: ObjectId| {
            let segment = self
                .before
                .and_then(|frame| frame.segments(id).first().copied());
            segment.map_or(DVec3::ZERO, |segment| segment.motion.displacement())
        };
        (travel(a) - travel(b)).length()
    }

    /// Whether an object is in the state before or the one after.
    fn is_there(&self, id: ObjectId) -> bool {
        self.start(id).is_some() || self.end(id).is_some()
    }
}

/// Spatial index of the objects on the paths to a state, without sensors.
pub(super) struct Nearby {
    /// The boxes around every estimate of an object, enlarged by its slack.
    tree: BoxTree,
    /// The objects of the tree's boxes, ascending.
    bounded: Vec<ObjectId>,
    /// Objects without bounds, ascending.
    unbounded: Vec<ObjectId>,
}

impl Nearby {
    /// `object_slack` is by how many metres the box of an object is grown.
    pub(super) fn of(paths: &StatePaths<'_>, object_slack: impl Fn(ObjectId) -> f64) -> Self {
        let (mut boxes, mut bounded, mut unbounded) = (Vec::new(), Vec::new(), Vec::new());
        for id in 0..paths.objects.len() as ObjectId {
            if paths.objects[id as usize].sensor || !paths.is_there(id) {
                continue;
            }
            let inflated = paths
                .bounds(id)
                .map(|bounds| bounds.grown(object_slack(id)));
            match inflated.filter(|inflated| inflated.min.is_finite() && inflated.max.is_finite()) {
                Some(inflated) => {
                    boxes.push(inflated.grown_for_rounding());
                    bounded.push(id);
                }
                None => unbounded.push(id),
            }
        }
        Self {
            tree: BoxTree::new(boxes),
            bounded,
            unbounded,
        }
    }

    /// The objects that may be in a region, those without bounds first; all for an unbounded region.
    pub(super) fn all_in(&self, region: Option<&Aabb>) -> Vec<ObjectId> {
        let mut found = self.unbounded.clone();
        match region {
            Some(region) => {
                let places = self.tree.all_in(region).into_iter();
                found.extend(places.map(|place| self.bounded[place as usize]));
            }
            None => found.extend(&self.bounded),
        }
        found
    }

    /// Visits the objects that may be in a region, roughly from near to far around a position: those without bounds
    /// first, then those within the limit, metres. `visit` returns the new limit.
    pub(super) fn for_each_from(
        &self,
        place: DVec3,
        region: &Aabb,
        mut limit: f64,
        mut visit: impl FnMut(ObjectId) -> f64,
    ) {
        for id in &self.unbounded {
            limit = visit(*id);
        }
        let place = Aabb {
            min: place,
            max: place,
        };
        self.tree
            .for_each_near_within(&place, region, limit, &mut |number| {
                visit(self.bounded[number as usize])
            });
    }

    /// The object with the least gap to a region, metres; of equal ones the lowest. `gap` is at least the distance from
    /// the region to the object's box; `None` excludes an object.
    pub(super) fn nearest(
        &self,
        region: Option<&Aabb>,
        gap: impl Fn(ObjectId) -> Option<f64>,
    ) -> Option<(ObjectId, f64)> {
        let mut nearest: Option<(ObjectId, f64)> = None;
        let mut ask = |id: ObjectId| {
            if let Some(gap) = gap(id)
                && nearest.is_none_or(|(known, least)| gap < least || (gap == least && id < known))
            {
                nearest = Some((id, gap));
            }
            nearest.map_or(f64::INFINITY, |(_, least)| least)
        };
        let limit = self.unbounded.iter().fold(f64::INFINITY, |_, id| ask(*id));
        match region {
            Some(region) => self.tree.for_each_near(region, limit, &mut |place| {
                ask(self.bounded[place as usize])
            }),
            None => self.bounded.iter().for_each(|id| {
                ask(*id);
            }),
        }
        nearest
    }
}

/// Least distance of two shapes without rotation, or any up to `enough` that they come to; `None` where distance is undefined.
pub(super) fn apart(a: (&Shape, &Motion), b: (&Shape, &Motion), enough: f64) -> Option<f64> {
    let nearest = query::closest_approach_until(a, b, enough, &mut ())?;
    Some(nearest.distance)
}
