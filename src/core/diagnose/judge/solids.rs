//! Spatial index of the solids of a frame that nothing pushes, and what they cover of each other.
//!
//! A face, edge or push that leads into another such solid is not a surface and not a way out: of tiles side by side only their common
//! top is left.

use super::event::PairEvent;
use super::pair::Pair;
use crate::core::diagnose::level_facts::context::Context;
use crate::core::diagnose::shape_metrics::{center, half_width};
use crate::core::query::{self, Contact};
use crate::core::replay::{Frame, FrameState, ObjectId};
use crate::core::shape::{Aabb, BoxTree, Pose, Segment, Shape, SolidShape};
use crate::core::tolerance::{BACK_COSINE, LOG_ROUNDING, SKIN_SHARE};
use glam::DVec3;
use std::cell::OnceCell;

/// The solids of a frame that nothing pushes; sensors are left out.
pub struct Solids<'r> {
    context: &'r Context<'r>,
    frame: &'r Frame,
    /// Boxes around both ends of the frame and the objects, ascending; built on first use.
    tree: OnceCell<(BoxTree, Vec<ObjectId>)>,
}

impl<'r> Solids<'r> {
    pub fn of(context: &'r Context<'r>, frame: &'r Frame) -> Self {
        Self {
            context,
            frame,
            tree: OnceCell::new(),
        }
    }

    /// Whether an object is a solid that nothing pushes.
    pub fn contains(&self, id: ObjectId) -> bool {
        let object = &self.context.replay.objects()[id as usize];
        !object.is_pushable() && !object.sensor
    }

    fn placed_box(&self, id: ObjectId, state: &FrameState) -> Option<Aabb> {
        let pose = state.body(id)?.pose;
        let bounds = self
            .context
            .replay
            .colliding_shape(id)?
            .placed(&pose)
            .aabb()?;
        Some(bounds).filter(|bounds| bounds.min.is_finite() && bounds.max.is_finite())
    }

    /// Those whose boxes overlap a region, ascending. Planes, which have no box, are left out.
    fn within(&self, region: &Aabb) -> Vec<ObjectId> {
        let (tree, ids) = self.tree.get_or_init(|| {
            let present = self.frame.ids();
            let solid = present.iter().copied().filter(|id| self.contains(*id));
            let all = solid.filter_map(|id| {
                let ends = [&self.frame.start, &self.frame.end];
                let boxes = ends
                    .into_iter()
                    .filter_map(|state| self.placed_box(id, state));
                Some((boxes.reduce(|one, other| one.union(&other))?, id))
            });
            let (boxes, ids): (Vec<Aabb>, _) = all.unzip();
            (BoxTree::new(boxes), ids)
        });
        let places = tree.all_in(&region.grown_for_rounding()).into_iter();
        places.map(|place| ids[place as usize]).collect()
    }

    /// The others that the mover of a pair collides with near a region, with their shapes at a state.
    fn others<'s>(
        &'s self,
        pair: &Pair<'_>,
        region: &Aabb,
        state: &'s FrameState,
    ) -> impl Iterator<Item = (ObjectId, &'s Shape, Pose)> + 's {
        let (mover, obstacle) = pair.ids();
        let (replay, number) = (self.context.replay, self.frame.number);
        let objects = replay.objects();
        let solid = replay.solid_of(obstacle);
        let near = self.within(region).into_iter().filter(move |id| {
            replay.solid_of(*id) != solid
                && *id != mover
                && objects[*id as usize].collides_with(&objects[mover as usize])
                && replay.exemption(number, mover, *id).is_none()
        });
        let mut solids: Vec<ObjectId> = near.collect();
        // Of boxes that are one solid the first that is near stands for it.
        let mut known = Vec::new();
        solids.retain(|id| {
            let first = replay.solid_of(*id);
            let is_new = !known.contains(&first);
            known.push(first);
            is_new
        });
        solids.into_iter().filter_map(move |id| {
            let pose = state.body(id)?.pose;
            Some((id, replay.solid_shape(id)?, pose))
        })
    }

    /// Whether another solid covers the surface of the obstacle at a point with a unit normal toward the mover, at the start of the frame.
    pub fn covers(&self, pair: &Pair<'_>, point: DVec3, toward_mover: DVec3) -> bool {
        let skin = self.skin(pair, point);
        let ahead = Segment {
            a: point + toward_mover * (0.5 * skin),
            b: point + toward_mover * (2.0 * skin),
        };
        let Some(region) = Aabb::of_points([ahead.a, ahead.b]) else {
            return false;
        };
        let probe = Shape::Segment(ahead);
        let mut others = self.others(pair, &region, &self.frame.start);
        others.any(|(_, shape, pose)| {
            query::overlaps(&probe.placed(&Pose::IDENTITY), &shape.placed(&pose))
        })
    }

    /// Whether another solid covers the surface of the obstacle where a push of the mover at a pose brings its centre out.
    pub fn covers_exit(&self, pair: &Pair<'_>, pose: Pose, push: DVec3) -> bool {
        let shape = pair.mover.shape;
        let along = push.try_normalize();
        along
            .zip(center(shape, &pose))
            .is_some_and(|(along, center)| {
                let exit = center + push - along * half_width(shape, &pose, along);
                self.covers(pair, exit, along)
            })
    }

    /// Width of the gap between two solids up to which they touch, metres: the engine's margin, the radius of rounded edges, and rounding.
    fn skin(&self, pair: &Pair<'_>, point: DVec3) -> f64 {
        let rounding = LOG_ROUNDING * point.abs().max_element();
        let margin = self.context.facts.skin;
        let radius = |shape: &Shape| match shape {
            Shape::Solid(SolidShape::RoundedBox(rounded)) => rounded.radius,
            _ => 0.0,
        };
        let radius = radius(pair.mover.shape).max(radius(pair.obstacle.shape));
        let least = SKIN_SHARE * pair.slop;
        margin.max(radius).max(rounding).max(least)
    }

    /// The displacement across the mover's path that leads from the touch of an event into the obstacle, by two skins.
    pub fn toward_obstacle(&self, pair: &Pair<'_>, event: &PairEvent) -> DVec3 {
        let obstacle = pair.obstacle.id;
        let center = self.frame.start.body(obstacle).and_then(|body| {
            let shape = self.context.replay.judged_shape(obstacle)?;
            center(shape, &body.pose)
        });
        let along = pair.travel().try_normalize().unwrap_or(DVec3::ZERO);
        let inward = center.map_or(DVec3::ZERO, |center| center - event.point);
        let across = inward - along * inward.dot(along);
        let skin = self.skin(pair, event.point).max(pair.slop);
        across.try_normalize().unwrap_or(DVec3::ZERO) * (2.0 * skin)
    }

    /// The same without those that do not touch the obstacle: what touches it covers a part of it.
    fn beside<'s>(
        &'s self,
        pair: &Pair<'_>,
        region: &Aabb,
        state: &'s FrameState,
    ) -> impl Iterator<Item = (ObjectId, &'s Shape, Pose)> + 's {
        let obstacle = pair.obstacle.id;
        let own = self
            .context
            .replay
            .solid_shape(obstacle)
            .zip(state.body(obstacle));
        let skin = own.map_or(0.0, |(_, body)| self.skin(pair, body.pose.position));
        self.others(pair, region, state)
            .filter(move |(_, shape, pose)| {
                own.is_some_and(|(own, at)| {
                    let gap = query::gap(&own.placed(&at.pose), &shape.placed(pose));
                    gap.is_some_and(|gap| gap.distance <= skin)
                })
            })
    }

    /// Whether a push of the mover at a state leads into another solid, deeper than the slop: it is not a way out. A floor that the mover lies in
    /// anyway is no obstacle to it.
    pub fn blocks(&self, pair: &Pair<'_>, pose: Pose, push: DVec3, state: &FrameState) -> bool {
        let shape = pair.mover.shape;
        let pushed = Pose {
            position: pose.position + push,
            ..pose
        };
        let (before, after) = (shape.placed(&pose), shape.placed(&pushed));
        let Some(bounds) = after.aabb() else {
            return false;
        };
        let mut others = self.beside(pair, &bounds, state);
        others.any(|(_, shape, pose)| {
            let other = shape.placed(&pose);
            let contact = |body| query::contact(body, &other, &mut ());
            let is_in_the_way = |after: &Contact| {
                let depth = contact(&before).map_or(0.0, |before| before.depth);
                let against = after.normal.dot(push) < -BACK_COSINE * push.length();
                against || after.depth > depth + pair.slop
            };
            let after = contact(&after).filter(|after| after.depth > pair.slop);
            after.is_some_and(|after| is_in_the_way(&after))
        })
    }

    /// How far the mover at a pose has to move along a unit direction until it is clear of the obstacle and of the solids that touch the
    /// mover on its way, metres.
    pub fn way_out(&self, pair: &Pair<'_>, pose: Pose, along: DVec3, state: &FrameState) -> f64 {
        let shape = pair.mover.shape;
        let obstacle = pair.obstacle.id;
        let own = self.context.replay.solid_shape(obstacle);
        let Some(size) = own.and_then(Shape::reach) else {
            return f64::INFINITY;
        };
        let reach = shape.reach().unwrap_or(0.0);
        let from_obstacle = state
            .body(obstacle)
            .map_or(0.0, |body| body.pose.position.distance(pose.position));
        let far = 2.0 * (size + reach) + from_obstacle;
        let outside = Pose {
            position: pose.position + along * far,
            ..pose
        };
        let motion = crate::core::shape::Motion {
            start: outside,
            end: pose,
        };
        let Some(bounds) = crate::core::bounds::swept_aabb(shape, &motion) else {
            return f64::INFINITY;
        };
        let own = own.zip(state.body(obstacle));
        let own = own.map(|(shape, body)| (obstacle, shape, body.pose));
        let all = self.beside(pair, &bounds, state).chain(own);
        let first = all.filter_map(|(_, other, at)| {
            let touches_now = query::overlaps(&shape.placed(&pose), &other.placed(&at));
            let still = crate::core::shape::Motion::still(at);
            let sweep = query::sweep(shape, &motion, other, &still, &mut ());
            let impact = sweep.outcome.impact().filter(|_| touches_now)?;
            Some(impact.fraction)
        });
        far * (1.0 - first.fold(1.0, f64::min))
    }

    /// The shortest displacement of the mover at a pose that leads to a free place: a push out of a part of the obstacle, else one along an axis
    /// of it. `None` where these lead into the obstacle or into another solid.
    pub fn free_push(
        &self,
        pair: &Pair<'_>,
        pose: Pose,
        push: DVec3,
        state: &FrameState,
    ) -> Option<DVec3> {
        let shape = pair.mover.shape;
        let obstacle = pair.obstacle.id;
        let own = self.context.replay.solid_shape(obstacle)?;
        let at = state.body(obstacle)?.pose;
        let is_out = |push: &DVec3| {
            let pushed = Pose {
                position: pose.position + *push,
                ..pose
            };
            let contact = query::contact(&shape.placed(&pushed), &own.placed(&at), &mut ());
            contact.is_none_or(|contact| contact.depth <= pair.slop)
        };
        let is_free = |push: &DVec3| {
            push.is_finite() && is_out(push) && !self.blocks(pair, pose, *push, state)
        };
        if is_free(&push) {
            return Some(push);
        }
        let sides = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        let ways = sides.map(|side| {
            let along = at.vector(side);
            along * self.way_out(pair, pose, along, state)
        });
        let free = ways.filter(is_free);
        free.min_by(|one, other| one.length().total_cmp(&other.length()))
    }

    /// Whether another solid that overlaps the mover at a state, and touches the obstacle, stands for the same event: it is deeper, or as
    /// deep and comes first.
    pub fn stands_for(&self, pair: &Pair<'_>, pose: Pose, state: &FrameState, depth: f64) -> bool {
        let shape = pair.mover.shape;
        let obstacle = pair.obstacle.id;
        let replay = self.context.replay;
        let placed = shape.placed(&pose);
        let Some(bounds) = placed.aabb() else {
            return false;
        };
        let mut others = self.beside(pair, &bounds, state);
        others.any(|(id, shape, pose)| {
            let contact = query::contact(&placed, &shape.placed(&pose), &mut ());
            contact.is_some_and(|contact| {
                let difference = contact.depth - depth;
                match difference.abs() <= 1e-6 * depth {
                    true => replay.solid_of(id) < replay.solid_of(obstacle),
                    false => difference > 0.0,
                }
            })
        })
    }
}
