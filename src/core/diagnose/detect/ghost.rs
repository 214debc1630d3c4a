//! C11: a contact is logged, or a speed changed by one, and the pair did not touch on any estimate of its path.
//!
//! Engines create contacts ahead of time, for bodies within a margin; where the body would have passed by, the contact
//! is a ghost. The fix is a margin below the distance at which the body passes.

use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::{Context, name_of};

use crate::core::replay::{LoggedContact, ObjectId};
use glam::DVec3;

/// A logged contact without a touch.
pub struct GhostContact<'r> {
    pub contact: &'r LoggedContact,
    /// The logged one, unit.
    pub normal: DVec3,
    /// The least distance on any path estimate, metres.
    pub gap: f64,
    /// The distance that counts as touching, metres.
    pub slack: f64,
    /// Speed change along its normal, metres per second; `None` for none, or where the log does not give it.
    pub change: Option<f64>,
    /// The last state in which the two overlapped, where the engine has kept the contact since then.
    pub touched: Option<u32>,
}

impl GhostContact<'_> {
    pub fn finding(&self, context: &Context<'_>, frame: u32, fraction: f64) -> Finding {
        let (a, b) = (
            name_of(context, self.contact.a),
            name_of(context, self.contact.b),
        );
        let depth = self.contact.depth;
        let units = context.replay.units();
        let status = if depth >= 0.0 {
            format!("{} deep", units.length(depth))
        } else {
            format!("{} ahead of the touch", units.length(-depth))
        };
        let effect = match self.change {
            Some(change) => format!(
                " It changed a speed by {} along its normal.",
                units.speed(change)
            ),
            None => String::new(),
        };
        let gap = units.length(self.gap);
        let margin = context.facts.engine.margin;
        let met = margin.filter(|margin| *margin <= self.gap);
        let why = match (self.touched, met) {
            (Some(state), _) => format!(
                "it is of an earlier state, kept by the engine (a stale manifold); they touch last in state {state}.{effect} Drop points that the poses of now do not confirm."
            ),
            (None, Some(margin)) => format!(
                "farther than the engine's margin of {}.{effect} Look for a contact that the engine keeps after it has ended, and for another shape or \
                 pose in the engine.",
                units.length(margin)
            ),
            (None, None) => format!(
                "a ghost of the engine's margin.{effect} Make the margin smaller than {gap}."
            ),
        };
        let text = format!(
            "The log has a contact of {a} and {b}, {status}, but they never come closer than {gap} in this frame: {why}"
        );
        let mut evidence = vec![
            (Key::LoggedDepth, depth),
            (Key::ExactGap, self.gap),
            (Key::Tolerance, self.slack),
        ];
        evidence.extend(self.change.map(|change| (Key::SpeedChange, change)));
        Finding {
            a,
            b,
            object_a: Some(self.contact.a),
            object_b: Some(self.contact.b),
            point: self.contact.point.to_array(),
            normal: self.normal.to_array(),
            evidence,
            fixes: Fix::set(Quantity::MaxMargin, self.gap)
                .filter(|_| self.touched.is_none() && met.is_none())
                .into_iter()
                .collect(),
            text,
            ..context.blank(Kind::Phantom, Cause::Ghost, frame, fraction)
        }
    }
}

/// A logged push without an overlap that needs it.
pub struct GhostPush {
    pub object: ObjectId,
    /// World, metres.
    pub push: DVec3,
    /// Position before the push, world.
    pub at: DVec3,
    /// The nearest object on any path estimate, and its distance, metres.
    pub nearest: Option<(ObjectId, f64)>,
    /// The depth of the overlap, metres, where something was touched; the push is then too long or in another direction.
    pub needed: Option<f64>,
}

impl GhostPush {
    pub fn finding(&self, context: &Context<'_>, frame: u32, fraction: f64) -> Finding {
        let a = name_of(context, self.object);
        let b = self
            .nearest
            .map_or_else(String::new, |(id, _)| name_of(context, id));
        let length = self.push.length();
        let units = context.replay.units();
        let (cause, why) = match (self.needed, self.nearest) {
            (Some(depth), _) => (
                Cause::OwnQuery,
                format!(
                    "; it touches {b}, {} deep, and that push neither ends nor reduces this overlap, or is too long",
                    units.length(depth)
                ),
            ),
            (None, Some((_, gap))) => (
                Cause::Ghost,
                format!(
                    ", but touches nothing: {b}, the nearest, is {} away",
                    units.length(gap)
                ),
            ),
            (None, None) => (
                Cause::Ghost,
                ", but there is nothing in reach that it touches".to_owned(),
            ),
        };
        let mut evidence = vec![(Key::Push, length)];
        evidence.extend(self.nearest.map(|(_, gap)| (Key::ExactGap, gap)));
        evidence.extend(self.needed.map(|depth| (Key::ExactDepth, depth)));
        evidence.retain(|(_, value)| value.is_finite());
        Finding {
            a: a.clone(),
            b,
            object_a: Some(self.object),
            object_b: self.nearest.map(|(id, _)| id),
            point: self.at.to_array(),
            normal: (self.push / length).to_array(),
            evidence,
            text: format!("The engine pushed {a} by {}{why}.", units.length(length)),
            ..context.blank(Kind::Phantom, cause, frame, fraction)
        }
    }
}
