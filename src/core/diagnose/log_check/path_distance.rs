//! How near two objects of a log come to each other on the way to a state, by every account the log gives of their paths.
//!
//! A log has poses at frame ends, and perhaps velocities. The straight way between the poses is one account; on from the pose
//! before with the velocity before, and back from the pose after with the velocity after, are others: a body that bounces
//! inside the frame touches on those and not on the straight one. The distance is the least of all of them, so that only what
//! no account supports counts as apart.

use crate::core::bounds::swept_aabb;
use crate::core::query;
use crate::core::replay::{BodyState, Frame, FrameState, ObjectId};
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Aabb, BoxTree, Motion, Pose, Shape};
use glam::DVec3;
use smallvec::SmallVec;

/// The way to one state: from the state before it where there is one.
#[derive(Clone, Copy)]
pub(super) struct StatePaths<'f> {
    pub objects: &'f [Object],
    /// `None` on the way to the first state of a level.
    pub before: Option<&'f Frame>,
    pub after: &'f FrameState,
    pub dt: f64,
    pub gravity: DVec3,
}

/// One object's travel by each account that is told.
type PathEstimates = SmallVec<[Option<Motion>; ESTIMATES]>;
const ESTIMATES: usize = 6;

impl<'f> StatePaths<'f> {
    fn body(&self, state: &'f FrameState, id: ObjectId) -> Option<&'f BodyState> {
        let body = state.body(id)?;
        body.pose.is_finite().then_some(body)
    }

    pub(super) fn start(&self, id: ObjectId) -> Option<&'f BodyState> {
        self.body(&self.before?.start, id)
    }

    pub(super) fn end(&self, id: ObjectId) -> Option<&'f BodyState> {
        self.body(self.after, id)
    }

    /// Straight, standing before, standing after, on with the old velocity (without and with gravity), back with the new one.
    fn estimates(&self, id: ObjectId) -> PathEstimates {
        let object = &self.objects[id as usize];
        let (start, end) = (self.start(id), self.end(id));
        let segment = self
            .before
            .and_then(|frame| frame.segments.get(id as usize)?.first())
            .map(|segment| segment.motion)
            .filter(|motion| motion.start.is_finite() && motion.end.is_finite());
        let step = |body: &BodyState| self.step(object, body, segment.as_ref());
        let from = |pose: Pose, step: DVec3| Motion {
            start: pose,
            end: Pose {
                position: pose.position + step,
                ..pose
            },
        };
        let fall = match object.movement {
            Movement::Velocity => self.gravity * self.dt * self.dt,
            _ => DVec3::ZERO,
        };
        let forward =
            |more: DVec3| start.and_then(|body| Some(from(body.pose, step(body)? + more)));
        let backward = end.and_then(|body| {
            let step = step(body)?;
            let earlier = Pose {
                position: body.pose.position - step,
                ..body.pose
            };
            Some(from(earlier, step))
        });
        SmallVec::from_buf([
            segment,
            start.map(|body| Motion::still(body.pose)),
            end.map(|body| Motion::still(body.pose)),
            forward(DVec3::ZERO),
            forward(fall),
            backward,
        ])
    }

    /// What a logged velocity makes of one step; a log need not give that of what stands or is led.
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

    /// The least distance of two objects, metres; 0 when any account lets them touch.
    ///
    /// A body that turns may come nearer than its sweep at one rotation tells; that much is taken off. `None` when nothing
    /// can be said: one of them is not there, or a surface that collides from its front only is asked from behind.
    pub(super) fn distance(&self, a: ObjectId, b: ObjectId) -> Option<f64> {
        let shapes = [a, b].map(|id| &self.objects[id as usize].shape);
        let turned = self.turned(a)? + self.turned(b)?;
        let mut least = None;
        for (motion_a, motion_b) in self.estimates(a).into_iter().zip(self.estimates(b)) {
            let (Some(motion_a), Some(motion_b)) = (motion_a, motion_b) else {
                continue;
            };
            let apart = apart(shapes[0], &motion_a, shapes[1], &motion_b)? - turned;
            if apart <= 0.0 {
                return Some(0.0);
            }
            least = Some(least.map_or(apart, |least: f64| least.min(apart)));
        }
        least
    }

    /// How far the farthest point of an object goes by turning, metres at most.
    fn turned(&self, id: ObjectId) -> Option<f64> {
        let (Some(start), Some(end)) = (self.start(id), self.end(id)) else {
            return Some(0.0);
        };
        let shape = &self.objects[id as usize].shape;
        if start.pose.rotation == end.pose.rotation || matches!(shape, Shape::Sphere { .. }) {
            return Some(0.0);
        }
        let (from, to) = (start.pose.rotation, end.pose.rotation);
        // A chord of unit quaternions is twice the sine of a quarter of the turn; q and -q are one rotation.
        let chord = (from - to).length().min((from + to).length());
        Some(shape.reach()? * 4.0 * (0.5 * chord).min(1.0).asin())
    }

    /// The box around every account of an object; `None` for what has no bounds.
    pub(super) fn bounds(&self, id: ObjectId) -> Option<Aabb> {
        let shape = &self.objects[id as usize].shape;
        let boxes = self.estimates(id).into_iter().flatten();
        boxes
            .map(|motion| swept_aabb(shape, &motion))
            .reduce(|a, b| Some(a?.union(&b?)))
            .flatten()
    }

    /// The same box and one more way; `None` for what has no bounds.
    pub(super) fn bounds_with(&self, id: ObjectId, more: &Motion) -> Option<Aabb> {
        let shape = &self.objects[id as usize].shape;
        Some(self.bounds(id)?.union(&swept_aabb(shape, more)?))
    }

    /// How far two objects travel relative to each other on the straight way, metres; 0 where it is not known.
    pub(super) fn relative_travel(&self, a: ObjectId, b: ObjectId) -> f64 {
        let travel = |id: ObjectId| {
            let segment = self
                .before
                .and_then(|frame| frame.segments.get(id as usize)?.first());
            segment.map_or(DVec3::ZERO, |segment| segment.motion.displacement())
        };
        (travel(a) - travel(b)).length()
    }

    /// Is an object in the state before or in the one after?
    fn is_there(&self, id: ObjectId) -> bool {
        self.start(id).is_some() || self.end(id).is_some()
    }
}

/// What there is on the way to a state, but for sensors: found by place, so that a line of a log costs what is near it.
pub(super) struct Nearby {
    /// The boxes around every account of an object, grown by its room.
    tree: BoxTree,
    /// The objects of the tree's boxes, ascending.
    bounded: Vec<ObjectId>,
    /// What has no bounds, ascending.
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

    /// What may be in a region, without bounds first; all where the region has none.
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

    /// Visits what may be in a region, roughly from near to far around a place: what has no bounds first, then what comes within the
    /// limit, metres. `visit` answers with the limit from there on.
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

    /// The object of the least gap to what is in a region, metres; of equal ones the lowest. `gap` is never less than the
    /// distance from the region to the object's box; `None` for an object that is not asked.
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

/// How near two shapes come on one way, neither turning; `None` where distance has no meaning.
pub(super) fn apart(a: &Shape, motion_a: &Motion, b: &Shape, motion_b: &Motion) -> Option<f64> {
    let nearest = query::closest_approach(a, motion_a, b, motion_b, &mut ())?;
    Some(nearest.distance)
}
