//! Piles: many bodies that overlap in one place, reported as one finding.
//!
//! n bodies in one place are n (n - 1) / 2 overlapping pairs. Bodies that each overlap at least [`PILE_PARTNERS`] others, and that
//! are connected by such overlaps, are one pile: one finding (C12) when they begin or appear so, one notice when all of them sleep
//! (a pool of parked objects) or came together by moving. Their pairs are neither swept nor stored.

use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::finding::{Finding, Pile, PileState};
use crate::core::diagnose::judge::compound_parts;
use crate::core::diagnose::judge::contact_history::is_within_shell;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::{Context, name_of};
use crate::core::diagnose::shape_metrics::{center, height_over, pair_size, slop};
use crate::core::number::number;
use crate::core::query::turning::Turning;
use crate::core::query::{self, Contact};
use crate::core::replay::{FrameState, ObjectId};
use crate::core::shape::{Aabb, Pose, Shape};
use glam::DVec3;

/// Names of a pile's members that are written out.
const PILE_NAMES: usize = 3;

/// Overlapping partners from which on a body may be part of a pile, which is reported as one.
///
/// Fewer bodies than this and one more have at most 136 pairs, each of which is a finding of its own. In a heap a body has some
/// twelve neighbours. Larger, and a few bodies in one place are thousands of findings; smaller, and findings are hidden.
const PILE_PARTNERS: u32 = 16;

/// The piles of one state.
#[derive(Debug, Default)]
pub struct Piles {
    /// By object: its pile and its box. Empty without piles.
    of: Vec<Option<(u32, Aabb)>>,
    /// Members in ascending order; piles in the order of their first members.
    pub all: Vec<Vec<ObjectId>>,
}

impl Piles {
    /// The piles among pairs whose boxes overlap; `visit` visits each pair once, in any order.
    pub fn of(
        context: &Context<'_>,
        state: &FrameState,
        visit: impl Fn(&mut dyn FnMut(ObjectId, ObjectId)),
    ) -> Self {
        let objects = context.replay.objects();
        let can_pile = |id: ObjectId| {
            let object = &objects[id as usize];
            object.is_pushable() && !object.sensor
        };
        let pairs = |each: &mut dyn FnMut(usize, usize)| {
            visit(&mut |a, b| {
                let collide = || objects[a as usize].collides_with(&objects[b as usize]);
                if can_pile(a) && can_pile(b) && collide() {
                    each(a as usize, b as usize);
                }
            });
        };
        // By boxes first: in most states no body has so many neighbours.
        let mut near = vec![0_u32; objects.len()];
        pairs(&mut |a, b| {
            near[a] += 1;
            near[b] += 1;
        });
        let crowded = |count: &[u32], a: usize, b: usize| count[a].min(count[b]) >= PILE_PARTNERS;
        if near.iter().all(|count| *count < PILE_PARTNERS) {
            return Self::default();
        }
        let deep = |a: usize, b: usize| too_deep(context, state, a as u32, b as u32).is_some();
        // Counted only up to the threshold, so that a pile does not cost all its pairs.
        let mut partners = vec![0_u32; objects.len()];
        pairs(&mut |a, b| {
            if crowded(&near, a, b) && !crowded(&partners, a, b) && deep(a, b) {
                partners[a] += 1;
                partners[b] += 1;
            }
        });
        let mut groups = Groups::new(objects.len());
        pairs(&mut |a, b| {
            if crowded(&partners, a, b) && groups.first_of(a) != groups.first_of(b) && deep(a, b) {
                groups.join(a, b);
            }
        });
        Self::from_groups(&mut groups, |id| {
            let pose = state.body(id)?.pose;
            objects[id as usize].shape.placed(&pose).aabb()
        })
    }

    /// Smaller groups have few pairs; each is reported.
    fn from_groups(groups: &mut Groups, bounds: impl Fn(ObjectId) -> Option<Aabb>) -> Self {
        let count = groups.parents.len();
        let mut members: Vec<Vec<ObjectId>> = vec![Vec::new(); count];
        for id in 0..count {
            members[groups.first_of(id)].push(id as ObjectId);
        }
        members.retain(|members| members.len() > PILE_PARTNERS as usize);
        let mut piles = Self {
            of: Vec::new(),
            all: members,
        };
        if !piles.all.is_empty() {
            piles.of = vec![None; count];
        }
        for (members, pile) in piles.all.iter().zip(0..) {
            for &id in members {
                piles.of[id as usize] = bounds(id).map(|bounds| (pile, bounds));
            }
        }
        piles
    }

    /// Whether two objects are in one pile and their boxes overlap. The pile stands for such a pair.
    pub fn hold(&self, a: ObjectId, b: ObjectId) -> bool {
        let of = |id: ObjectId| self.of.get(id as usize).copied().flatten();
        of(a)
            .zip(of(b))
            .is_some_and(|((one, a), (other, b))| one == other && a.overlaps(&b))
    }

    /// The piles as findings; `how` gives the state of piles of awake bodies, `None` leaves a pile out.
    pub fn findings(
        &self,
        context: &Context<'_>,
        at: (u32, f64),
        state: &FrameState,
        how: impl Fn(&[ObjectId]) -> Option<PileState>,
    ) -> Vec<Finding> {
        let asleep = |id: &ObjectId| state.body(*id).is_some_and(|body| body.asleep);
        let of_pile = |members: &Vec<ObjectId>| {
            let mut how = how(members)?;
            if members.iter().all(asleep) {
                how = PileState::Asleep;
            }
            // Of a row the first two need not overlap.
            let first = members[0];
            let partner = members[1..].iter().find(|id| self.hold(first, **id));
            let pair = (first, partner.copied().unwrap_or(members[1]));
            Some(finding(context, at, state, (pair, members), how))
        };
        self.all.iter().filter_map(of_pile).collect()
    }
}

/// Disjoint sets of objects; each is named by its first member.
struct Groups {
    parents: Vec<u32>,
}

impl Groups {
    fn new(count: usize) -> Self {
        Self {
            parents: (0..count as u32).collect(),
        }
    }

    fn first_of(&mut self, id: usize) -> usize {
        let mut at = id;
        while self.parents[at] as usize != at {
            // Path halving.
            self.parents[at] = self.parents[self.parents[at] as usize];
            at = self.parents[at] as usize;
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.first_of(a), self.first_of(b));
        self.parents[a.max(b)] = a.min(b) as u32;
    }
}

/// The deepest contact of a pair in a state that is deeper than resting contact, and the size it is held against, metres. Of
/// compounds each part has its own.
pub fn too_deep(
    context: &Context<'_>,
    state: &FrameState,
    a: ObjectId,
    b: ObjectId,
) -> Option<(Contact, f64)> {
    let standing = |id: ObjectId| {
        let pose = state.body(id)?.pose;
        let shape = context.replay.solid_shape(id)?;
        pose.is_finite().then_some((shape, pose))
    };
    let ((shape_a, pose_a), (shape_b, pose_b)) = (standing(a)?, standing(b)?);
    // A one-sided surface is not there for what is behind it.
    let is_behind = |surface: (ObjectId, &Shape, &Pose), body: (&Shape, &Pose)| {
        let height = || height_over(surface.1, surface.2.point_to_local(center(body.0, body.1)?));
        context.replay.is_one_sided(surface.0) && height().is_some_and(|height| height < 0.0)
    };
    if is_behind((a, shape_a, &pose_a), (shape_b, &pose_b))
        || is_behind((b, shape_b, &pose_b), (shape_a, &pose_a))
    {
        return None;
    }
    let ends = [(a, pose_a), (b, pose_b)];
    let within = |body, mesh| is_within_shell(context.replay, body, mesh);
    if within(ends[0], ends[1]) || within(ends[1], ends[0]) {
        return None;
    }
    let mut deepest: Option<(Contact, f64)> = None;
    let ways = [pose_a, pose_b].map(Turning::still);
    for [(_, one), (_, other)] in compound_parts::near([shape_a, shape_b], &ways, [None, None]) {
        let placed = (one.placed(&pose_a), other.placed(&pose_b));
        let size = pair_size(one, other);
        let slop = slop(
            (one, other),
            0.5 * size,
            (context.facts.skin, &[pose_a.position, pose_b.position]),
        );
        if let Some(contact) = query::contact(&placed.0, &placed.1, &mut ())
            && contact.depth > slop
            && deepest.is_none_or(|(known, _)| contact.depth > known.depth)
        {
            deepest = Some((contact, size));
        }
    }
    deepest
}

fn finding(
    context: &Context<'_>,
    (frame, fraction): (u32, f64),
    state: &FrameState,
    ((a, b), members): ((ObjectId, ObjectId), &[ObjectId]),
    how: PileState,
) -> Finding {
    let at = |id: &ObjectId| state.body(*id).map(|body| body.pose.position);
    let (min, max) = members
        .iter()
        .filter_map(at)
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(min, max), at| {
            (min.min(at), max.max(at))
        });
    let place = min.midpoint(max);
    let names: Vec<String> = members
        .iter()
        .take(PILE_NAMES)
        .map(|id| name_of(context, *id))
        .collect();
    let pile = Pile {
        bodies: members.len(),
        place: place.to_array(),
        names,
        how,
        members: members.to_vec(),
    };
    let doing = match how {
        PileState::Asleep => "sleep in one place",
        PileState::Moved => "came to overlap in one place",
        PileState::Placed if (frame, fraction) == (0, 0.0) => {
            "overlap in one place when the level begins"
        }
        PileState::Placed => "overlap in one place where some of them appear",
    };
    let text = format!(
        "{} bodies {doing}, ({}): {}. Each of them overlaps at least {PILE_PARTNERS} others; their pairs are not tested one by one.{}",
        pile.bodies,
        pile.place.map(number).join(", "),
        pile.title(),
        match how {
            PileState::Placed =>
                " Place them apart, let them exclude each other by layer and mask, or let them sleep while they are parked.",
            _ => "",
        },
    );
    Finding {
        a: name_of(context, a),
        b: name_of(context, b),
        object_a: Some(a),
        object_b: Some(b),
        point: pile.place,
        evidence: vec![
            (Key::Bodies, pile.bodies as f64),
            (Key::Extent, (max - min).max_element()),
        ],
        text,
        pile: Some(pile),
        ..context.blank(Kind::StartsInside, Cause::InitialOverlap, frame, fraction)
    }
}
