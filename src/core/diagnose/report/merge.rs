//! Merges the findings of one continuing event over many frames.
//!
//! A crossing ends with its frame. A lasting event is merged: an overlap past the centre, a phantom or a camera in a surface while
//! the frames follow each other, a bad number for good (only its first frame and field matter), an initial overlap until the pair
//! is clear for the first time. An overlap without a logged contact and the crossing in it are one event. A pile is one event as long
//! as most of its members are the same.

use super::content::{Group, NotJudged};
use super::finding_list::{Brief, FindingList, Place, Store};
use super::group;
use super::platforms::Platforms;
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::causes::gap::LASTING;
use crate::core::diagnose::detect::piles;
use crate::core::diagnose::finding::{Finding, MissingContact, PileState};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::Context;
use crate::core::replay::{Frame, ObjectId, Replay};
use crate::core::scene::Objects;
use glam::DVec3;
use rayon::prelude::*;
use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Kind, the cause of a phantom, the pair, and the name of anything that is no object (the camera, a query).
type Key = (Kind, Option<Cause>, [Option<ObjectId>; 2], Option<String>);

/// The pair of a finding, in ascending order, and as the same for all parts of a solid: coincident bodies push each other, and a body goes on from
/// one part of a wall to the next.
fn pair_of(replay: &Replay, objects: [Option<ObjectId>; 2]) -> [Option<ObjectId>; 2] {
    let mut pair = objects.map(|id| Some(replay.solid_of(id?)));
    pair.sort_unstable();
    pair
}

fn key(replay: &Replay, kind: Kind, finding: &Finding) -> Key {
    let pair = pair_of(replay, [finding.object_a, finding.object_b]);
    let other = finding.object_a.is_none().then(|| finding.a.clone());
    // The log may have a ghost and a wrong answer about one pair, frame after frame.
    let cause = (kind == Kind::Phantom).then_some(finding.cause);
    (kind, cause, pair, other)
}

/// Merges the findings of frames in their order.
#[derive(Clone)]
pub(in crate::core::diagnose) struct Merger {
    /// Findings in memory at most, apart from those that may still continue.
    most: usize,
    findings: Vec<Finding>,
    /// Findings that cannot continue are stored when there are more than so many.
    store_at: usize,
    store: Option<Store>,
    /// Of the stored ones.
    briefs: Vec<Brief>,
    /// Looked up only, never iterated.
    latest: HashMap<Key, usize>,
    /// Initial overlaps, and overlaps without a logged contact, that have not ended yet, by index in `findings`.
    open: Vec<usize>,
    /// The latest pile of each object, by index in `findings`. Looked up only, never iterated.
    piles: HashMap<ObjectId, usize>,
}

/// The merged findings.
pub(in crate::core::diagnose) struct Merged {
    pub findings: FindingList,
    /// Of all of them.
    pub groups: Vec<Group>,
    /// What was left out as a platform.
    pub platforms: Vec<NotJudged>,
    /// Piles that are no fault by themselves, in the same order.
    pub notices: Vec<String>,
}

impl Merger {
    /// No findings yet; `most` are kept in memory.
    pub(in crate::core::diagnose) fn new(most: usize) -> Self {
        Self {
            most,
            findings: Vec::new(),
            store_at: most.saturating_add(most / 4),
            store: None,
            briefs: Vec::new(),
            latest: HashMap::new(),
            open: Vec::new(),
            piles: HashMap::new(),
        }
    }

    /// An empty one for the same number.
    pub(in crate::core::diagnose) fn restarted(&self) -> Self {
        Self::new(self.most)
    }

    /// Adds a finding; frames must not go back.
    pub(in crate::core::diagnose) fn add(&mut self, replay: &Replay, finding: Finding) {
        if finding.pile.is_some() {
            return self.add_pile(finding);
        }
        if let Some(at) = self.same_overlap(replay, &finding) {
            let known = &mut self.findings[at];
            let last_frame = known.last_frame.max(finding.last_frame);
            // That of a body that stays inside is found first.
            if finding.frame < known.frame {
                *known = finding;
            }
            known.last_frame = last_frame;
            return;
        }
        let key = key(replay, finding.kind, &finding);
        if let Some(known) = self.latest.get(&key).map(|at| &mut self.findings[*at])
            && continues(known, &finding)
        {
            known.last_frame = known.last_frame.max(finding.frame);
            return;
        }
        if self.starts_inside(replay, &finding) || self.covered_by_start(replay, &finding) {
            return;
        }
        if finding.kind == Kind::StartsInside
            || finding.missing_contact() == Some(MissingContact::Overlaps)
        {
            self.open.push(self.findings.len());
        }
        self.latest.insert(key, self.findings.len());
        self.findings.push(finding);
    }

    /// The finding of the overlap in which the pair of another one still is.
    fn same_overlap(&self, replay: &Replay, finding: &Finding) -> Option<usize> {
        let since = finding.since?;
        let kinds = Kind::ALL.into_iter().filter(|kind| kind.passes());
        let known = kinds.filter_map(|kind| self.latest.get(&key(replay, kind, finding)).copied());
        // What comes through a surface from behind overlaps it until it is out in front.
        let goes_on = |known: &Finding| {
            let [one, other] = [known, finding].map(|one| DVec3::from_array(one.normal));
            let is_same_way = one.dot(other) > 0.0;
            known.cause == Cause::Facing && is_same_way == (known.object_a == finding.object_a)
        };
        let lasts = |at: &usize| {
            let known = &self.findings[*at];
            known.kind != Kind::Tunnels || goes_on(known)
        };
        let known = known.filter(lasts).max()?;
        (self.findings[known].last_frame + 1 >= since).then_some(known)
    }

    /// Continues the pile that most of its members were in, or begins a new one.
    fn add_pile(&mut self, finding: Finding) {
        let members = finding.pile.iter().flat_map(|pile| &pile.members);
        let members: Vec<ObjectId> = members.copied().collect();
        let mut known: Vec<usize> = members
            .iter()
            .filter_map(|id| self.piles.get(id).copied())
            .collect();
        known.sort_unstable();
        let most = known
            .chunk_by(|one, next| one == next)
            .find(|same| 2 * same.len() > members.len());
        let at = most.map_or(self.findings.len(), |same| same[0]);
        for id in members {
            self.piles.insert(id, at);
        }
        match self.findings.get_mut(at) {
            None => {
                self.open.push(at);
                self.findings.push(finding);
            }
            Some(known) => {
                let last_frame = known.last_frame.max(finding.last_frame);
                // The most relevant frame is reported, and of those the one with the most bodies.
                let rank = |one: &Finding| one.pile.as_ref().map(|pile| (pile.how, pile.bodies));
                if rank(&finding) > rank(known) {
                    *known = finding;
                }
                known.last_frame = last_frame;
            }
        }
    }

    /// Whether a pair that overlaps since its first state is still in that overlap, however long ago it began.
    fn starts_inside(&self, replay: &Replay, finding: &Finding) -> bool {
        let start = self.latest.get(&key(replay, Kind::StartsInside, finding));
        let start = start.map(|at| &self.findings[*at]);
        let is_same =
            |(start, since): (&Finding, u32)| start.frame <= since && since <= start.last_frame + 1;
        finding.still_inside && start.zip(finding.since).is_some_and(is_same)
    }

    /// Whether a coincident pair was reported as an initial overlap already.
    fn covered_by_start(&self, replay: &Replay, finding: &Finding) -> bool {
        let pile_of = |id: Option<ObjectId>| self.piles.get(&id?);
        if finding.kind == Kind::BadNumber
            && let (Some(one), Some(other)) = (pile_of(finding.object_a), pile_of(finding.object_b))
            && one == other
            && finding.frame <= self.findings[*one].last_frame + 1
        {
            return true;
        }
        let start = key(replay, Kind::StartsInside, finding);
        finding.kind == Kind::BadNumber
            && finding.object_b.is_some()
            && self
                .latest
                .get(&start)
                .map(|at| &self.findings[*at])
                .is_some_and(|start| {
                    start.also.contains(&Cause::NotANumber) && finding.frame <= start.last_frame + 1
                })
    }

    /// Extends the open overlaps through these frames.
    pub(in crate::core::diagnose) fn follow(
        &mut self,
        context: &Context<'_>,
        frames: &[Arc<Frame>],
    ) {
        let lasts: Vec<(u32, bool)> = self
            .open
            .par_iter()
            .map(|at| follow_one(context, &self.findings[*at], frames))
            .collect();
        let mut still_open = Vec::new();
        for (at, (last, lasting)) in self.open.drain(..).zip(lasts) {
            self.findings[at].last_frame = last;
            if lasting {
                still_open.push(at);
            }
        }
        self.open = still_open;
    }

    /// Moves findings that cannot continue to a temporary file, when there are many; frames before `next` are merged.
    pub(in crate::core::diagnose) fn store_settled(&mut self, objects: &Objects, next: u32) {
        if self.findings.len() < self.store_at {
            return;
        }
        let open: HashSet<usize> = self.open.iter().copied().collect();
        // Those that will be listed stay whole. Within a frame the order is another than here.
        let listed_to = self.findings[self.most.max(1) - 1].frame;
        let is_settled = |(index, finding): &(usize, &Finding)| {
            let for_good = finding.kind == Kind::BadNumber && finding.object_b.is_none();
            let may_continue = for_good || finding.pile.is_some() || open.contains(index);
            finding.frame > listed_to && !may_continue && finding.last_frame + 1 < next
        };
        let all = self.findings.iter().enumerate();
        let (places, settled): (Vec<usize>, Vec<&Finding>) = all.filter(is_settled).unzip();
        if self.store.is_none() {
            self.store = Store::new().ok();
        }
        let stored = self.store.as_mut().map(|store| store.append(&settled));
        // Without room for a file, they stay in memory.
        if let Some(Ok(stored)) = stored {
            let briefs = settled.iter().zip(stored);
            self.briefs
                .extend(briefs.map(|(finding, place)| Brief::of(finding, objects, place)));
            self.remove(&places);
        }
        self.store_at = self.findings.len() + self.most / 4;
    }

    /// Removes findings by their indices, ascending.
    fn remove(&mut self, gone: &[usize]) {
        let mut index = 0;
        let mut rest = gone.iter().copied().peekable();
        let mut new_index = Vec::with_capacity(self.findings.len());
        self.findings.retain(|_| {
            let is_gone = rest.next_if_eq(&new_index.len()).is_some();
            new_index.push((!is_gone).then_some(index));
            index += usize::from(!is_gone);
            !is_gone
        });
        let renumber = |at: &mut usize| new_index[*at].map(|new| *at = new).is_some();
        self.latest.retain(|_, at| renumber(at));
        self.piles.retain(|_, at| renumber(at));
        self.open.retain_mut(renumber);
    }

    /// The findings in order, and whether all could be read.
    pub(in crate::core::diagnose) fn finish(
        self,
        replay: &Replay,
        platforms: Platforms,
    ) -> io::Result<Merged> {
        let objects = replay.objects();
        let in_memory = self.findings.iter().enumerate();
        let mut all: Vec<Brief> = in_memory
            .map(|(index, finding)| Brief::of(finding, objects, Place::Memory(index)))
            .chain(self.briefs)
            .collect();
        drop_reported_overlaps(replay, &mut all);
        // An undefined direction explains none of the others.
        let is_bad = |brief: &Brief| brief.cause == Cause::NotANumber;
        all.sort_by(|x, y| {
            (x.frame.cmp(&y.frame))
                .then(is_bad(x).cmp(&is_bad(y)))
                .then(x.fraction.total_cmp(&y.fraction))
                .then_with(|| x.names(objects).cmp(&y.names(objects)))
                .then(x.kind.cmp(&y.kind))
        });
        let mut notices = Vec::new();
        all.retain(|brief| {
            let finding = match brief.place {
                Place::Memory(index) => Some(&self.findings[index]),
                Place::Stored { .. } => None,
            };
            let is_fault = |finding: &&Finding| {
                let pile = finding.pile.as_ref();
                pile.is_none_or(|pile| pile.how == PileState::Placed)
            };
            let pile = finding.filter(|finding| !is_fault(finding));
            notices.extend(pile.map(notice));
            pile.is_none()
        });
        let platforms = platforms.leave_out(replay, &mut all);
        let groups = group::groups(&all, objects);
        let findings = FindingList::new(all, self.findings, self.store, self.most)?;
        Ok(Merged {
            findings,
            groups,
            platforms,
            notices,
        })
    }
}

/// `frames 3 to 9: ` and the sentence of a pile.
fn notice(pile: &Finding) -> String {
    format!("{}: {}", pile.frames(), pile.text)
}

fn continues(known: &Finding, next: &Finding) -> bool {
    match next.kind {
        // A body teleported to the same place in every frame is still inside.
        Kind::CameraCrosses | Kind::StartsInside => next.frame <= known.last_frame + 1,
        // Past the centre and back, in one overlap.
        Kind::WrongSide => next.from_contact && next.frame <= known.last_frame + 1,
        Kind::Phantom => next.frame <= known.last_frame + 1,
        Kind::BadNumber => next.object_b.is_none() || next.frame <= known.last_frame + 1,
        _ => false,
    }
}

/// Removes the overlaps without a logged contact in which the body crosses: the crossing reports the missing contact too. And those without a
/// direction after which the body goes on to the far side: that is the event.
fn drop_reported_overlaps(replay: &Replay, findings: &mut Vec<Brief>) {
    let pair = |finding: &Brief| pair_of(replay, finding.objects);
    let mut crossings: HashMap<_, Vec<RangeInclusive<u32>>> = HashMap::new();
    let mut passages: HashMap<_, Vec<u32>> = HashMap::new();
    for finding in findings.iter() {
        if finding.kind.passes() && finding.objects[1].is_some() {
            let frames = passages.entry(pair(finding)).or_default();
            frames.push(finding.frame);
        }
        if finding.missing_contact == Some(MissingContact::Crosses) {
            let overlaps = crossings.entry(pair(finding)).or_default();
            let since = finding.since.unwrap_or(finding.frame);
            overlaps.push(since.min(finding.frame)..=finding.frame);
        }
    }
    findings.retain(|finding| {
        if finding.cause == Cause::NotANumber && finding.kind == Kind::BadNumber {
            let mut frames = passages.get(&pair(finding)).into_iter().flatten();
            let later = finding.frame + 1..=finding.last_frame + 1;
            return !frames.any(|frame| later.contains(frame));
        }
        let first = (finding.frame + 1).saturating_sub(LASTING);
        let mut overlaps = crossings.get(&pair(finding)).into_iter().flatten();
        finding.missing_contact != Some(MissingContact::Overlaps)
            || !overlaps.any(|of| *of.start() <= finding.last_frame && first <= *of.end())
    });
}

/// The last frame of an overlap within these frames, and whether it continues.
fn follow_one(context: &Context<'_>, finding: &Finding, frames: &[Arc<Frame>]) -> (u32, bool) {
    let (Some(a), Some(b)) = (finding.object_a, finding.object_b) else {
        return (finding.last_frame, false);
    };
    let mut last = finding.last_frame;
    // The state at a frame's end is the start of the next.
    for frame in frames.iter().filter(|frame| frame.number >= finding.frame) {
        if piles::too_deep(context, &frame.end, a, b).is_none() {
            return (last, false);
        }
        last = last.max((frame.number + 1).min(context.last));
    }
    (last, true)
}
