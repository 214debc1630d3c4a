//! What if: the smallest change of one number that makes a finding vanish, found by bisection on the real geometry.
//!
//! A frame that ends a little later may see by luck what this one missed, so a change counts only when it holds at every
//! starting phase, the worst among them: a frame end that falls just short of the first touch. Two things are asked. The
//! event is *seen* when an overlap test sees the pair at every phase, and it is *held* when the push also leads back to the
//! side it came from. Each answer carries its proof: what the test says at the value, and just short of it.

mod geometry;
pub mod map;
mod replayed;
pub mod trial;
mod tried;

use super::cause::Measures;
use super::finding::{Finding, Kind};
use super::frame::pair_of;
use super::pair::{self, Event, Pair, Tally};
use super::phase_sweep::{Counts, PHASES, Passage, PhaseSweep};
use super::triangle_alone;
use super::words::{metres, number, seconds, speed};
use crate::core::progress::Progress;
use crate::core::replay::Replay;
use crate::core::tolerance::{SAME_SHARE, WHAT_IF_STEPS};
use geometry::{Grown, Study};
use serde::Serialize;

/// What is varied, one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Parameter {
    /// Seconds of a frame.
    Dt,
    /// Steps that a frame is cut in.
    Substeps,
    /// Relative speed of the two, metres per second.
    Speed,
    /// Radius of the body; of a box and the like half its width along the contact normal. Metres.
    Radius,
    /// Thickness of the solid, metres; its near side stays where it is.
    Thickness,
}

impl Parameter {
    /// In the order in which they are asked.
    pub const ALL: [Self; 5] = [
        Self::Dt,
        Self::Substeps,
        Self::Speed,
        Self::Radius,
        Self::Thickness,
    ];

    /// As people and files write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dt => "dt",
            Self::Substeps => "substeps",
            Self::Speed => "speed",
            Self::Radius => "radius",
            Self::Thickness => "thickness",
        }
    }

    /// Whether smaller or larger values are better, before the value that is enough.
    fn bound(self) -> &'static str {
        match self {
            Self::Dt | Self::Speed => "up to",
            Self::Substeps | Self::Radius | Self::Thickness => "from",
        }
    }

    /// Of its values; empty for a count.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Dt => "s",
            Self::Substeps => "",
            Self::Speed => "m/s",
            Self::Radius | Self::Thickness => "m",
        }
    }
}

/// A value that is enough, and the proof that it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Enough {
    /// The smallest change that is enough.
    pub after: f64,
    /// What an overlap test makes of the phases there.
    pub at_after: Counts,
    /// A value just short of it; `None` when nothing need be changed.
    pub below: Option<f64>,
    /// What an overlap test makes of the phases there: at least one fails.
    pub at_below: Option<Counts>,
    /// The scene stepped anew with the value does not have the finding; `None` where it cannot be stepped so, or not within the
    /// bound.
    pub replayed: Option<bool>,
    /// It was not stepped anew, as that would take more steps than the bound leaves.
    pub too_long: bool,
}

/// One parameter, varied.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Change {
    /// Which.
    pub what: Parameter,
    /// Unit of the values.
    pub unit: &'static str,
    /// As it is.
    pub before: f64,
    /// Where an overlap test sees the pair at every phase; `None` when no value does.
    pub seen: Option<Enough>,
    /// Where its push leads back at every phase too; `None` when no value does.
    pub held: Option<Enough>,
    /// Why nothing helps, where that is so; else empty.
    pub why_not: &'static str,
}

/// A finding, asked what would have to be otherwise.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WhatIf {
    /// The event as it is, at every starting phase.
    pub phases: PhaseSweep,
    /// In the order of [`Parameter::ALL`].
    pub changes: Vec<Change>,
}

impl WhatIf {
    /// A line for each parameter: `substeps 1: seen from 61, held from 122`.
    pub fn sentences(&self) -> Vec<String> {
        self.changes.iter().map(Change::sentence).collect()
    }
}

impl Change {
    /// `dt 16.7 ms: seen up to 0.275 ms, held up to 0.138 ms`.
    pub fn sentence(&self) -> String {
        let (name, before) = (self.what.name(), self.value(self.before));
        let Some(seen) = &self.seen else {
            return format!("{name}: no change helps, {}", self.why_not);
        };
        let one = |word: &str, enough: &Enough| {
            let at = match enough.below {
                None => "already".to_owned(),
                Some(_) => format!("{} {}", self.what.bound(), self.value(enough.after)),
            };
            let not_here = match enough.replayed {
                Some(false) => " (but not in this scene)",
                _ if enough.too_long => " (not tried on the scene: too many steps)",
                _ => "",
            };
            format!("{word} {at}{not_here}")
        };
        let held = match &self.held {
            Some(held) => one("held", held),
            None => "never held".to_owned(),
        };
        format!("{name} {before}: {}, {held}", one("seen", seen))
    }

    /// A value of this parameter with its unit, as people read it.
    pub fn value(&self, value: f64) -> String {
        match self.what {
            Parameter::Dt => seconds(value),
            Parameter::Substeps => number(value),
            Parameter::Speed => speed(value),
            Parameter::Radius | Parameter::Thickness => metres(value),
        }
    }
}

/// Can a finding be asked? Only what the luck of an overlap test decides can.
pub fn can_ask(finding: &Finding) -> bool {
    let kind = matches!(finding.kind, Kind::Tunnels | Kind::Clips | Kind::WrongSide);
    kind && finding.object_a.is_some() && finding.object_b.is_some()
}

/// Asks a finding of this replay.
///
/// `None` when cancelled, when the finding cannot be asked, and when it began in an overlap that leads back to no clear
/// start. The work is bounded: some ten thousand overlap tests of the one pair, and a few short replays of a stepped scene.
pub fn what_if(replay: &Replay, finding: &Finding, progress: &dyn Progress) -> Option<WhatIf> {
    if !can_ask(finding) {
        return None;
    }
    let Told { pair, event, dt } = find(replay, finding)?;
    triangle_alone::as_judged(&pair, &event, |pair| {
        ask(replay, finding, pair, &event, dt, progress)
    })
}

/// What a finding tells: the pair over its stretch, and the event.
struct Told<'r> {
    pair: Pair<'r>,
    event: Event,
    /// Seconds of the frame.
    dt: f64,
}

/// `None` where the finding is of no two objects, and where judging its frame does not give it.
fn find<'r>(replay: &'r Replay, finding: &Finding) -> Option<Told<'r>> {
    let frame = replay.frame(finding.frame);
    let ids = (finding.object_a?, finding.object_b?);
    let judged = |stretch| {
        let pair = pair_of(replay, ids, stretch)?;
        let event = pair::judge(&pair, &mut Tally::default())?;
        is_it(finding, &pair, &event).then_some(Told {
            pair,
            event,
            dt: frame.dt,
        })
    };
    frame
        .legs_together(ids.0, ids.1)
        .into_iter()
        .find_map(judged)
}

/// Is this the event that a finding tells?
fn is_it(finding: &Finding, pair: &Pair<'_>, event: &Event) -> bool {
    let fraction = pair.from + event.fraction * (pair.to - pair.from);
    event.kind == finding.kind && fraction == finding.fraction
}

fn ask(
    replay: &Replay,
    finding: &Finding,
    pair: &Pair<'_>,
    event: &Event,
    dt: f64,
    progress: &dyn Progress,
) -> Option<WhatIf> {
    let measures = Measures::of(pair, event, dt);
    let passage = Passage::of(pair, event)?;
    let study = Study {
        passage,
        event,
        progress,
    };
    let phases = PhaseSweep::of(&passage, &measures.slab, PHASES);
    let total = Parameter::ALL.len() as u64;
    let mut steps_left = WHAT_IF_STEPS;
    let mut changes = Vec::new();
    for (done, what) in (0..).zip(Parameter::ALL) {
        progress.report(done, total);
        let mut change = match what {
            Parameter::Dt => scaled(&study, what, dt),
            Parameter::Speed => scaled(&study, what, measures.speed),
            Parameter::Substeps => substeps(&study),
            Parameter::Radius => grown(&study, what, Grown::body(pair, event.normal)),
            Parameter::Thickness => grown(&study, what, Grown::solid(pair, event.normal)),
        };
        replayed::confirm(
            replay,
            finding,
            (pair, event),
            &mut change,
            &mut steps_left,
            progress,
        );
        if progress.cancelled() {
            return None;
        }
        changes.push(change);
    }
    progress.report(total, total);
    Some(WhatIf { phases, changes })
}

/// Which phases an answer needs to be good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    Seen,
    Held,
}

impl Aim {
    fn is_met(self, counts: &Counts) -> bool {
        match self {
            Self::Seen => counts.unseen() == 0,
            Self::Held => counts.held() == counts.phases,
        }
    }
}

fn change(
    what: Parameter,
    before: f64,
    seen: Option<Enough>,
    held: Option<Enough>,
    why_not: &'static str,
) -> Change {
    Change {
        what,
        unit: what.unit(),
        before,
        why_not: if seen.is_none() { why_not } else { "" },
        seen,
        held,
    }
}

/// dt and speed: both make the way of one step shorter by the same share.
fn scaled(study: &Study<'_>, what: Parameter, now: f64) -> Change {
    let find = |aim| {
        let found = study.step(aim)?;
        Some(Enough {
            after: now * found.good,
            at_after: study.counts(found.good),
            below: found.bad.map(|bad| now * bad),
            at_below: found.bad.map(|bad| study.counts(bad)),
            replayed: None,
            too_long: false,
        })
    };
    change(what, now, find(Aim::Seen), find(Aim::Held), study.why_not())
}

/// The same in whole numbers of steps.
fn substeps(study: &Study<'_>) -> Change {
    let find = |aim: Aim| {
        let found = study.step(aim)?;
        // Where a whole number is the limit itself, rounding would decide.
        let counts = |steps: f64| study.counts((1.0 - SAME_SHARE) / steps);
        let fewest = (1.0 / found.good).ceil().max(1.0);
        let steps = (-1..=1)
            .map(|by| fewest + f64::from(by))
            .find(|steps| *steps >= 1.0 && aim.is_met(&counts(*steps)))?;
        let below = Some(steps - 1.0).filter(|steps| *steps >= 1.0);
        Some(Enough {
            after: steps,
            at_after: counts(steps),
            below,
            at_below: below.map(counts),
            replayed: None,
            too_long: false,
        })
    };
    let (seen, held) = (find(Aim::Seen), find(Aim::Held));
    change(Parameter::Substeps, 1.0, seen, held, study.why_not())
}

/// Radius and thickness: a larger shape in the place of one.
fn grown(study: &Study<'_>, what: Parameter, grown: Result<Grown, Unable>) -> Change {
    let grown = match grown {
        Ok(grown) => grown,
        Err(unable) => return change(what, unable.before, None, None, unable.why),
    };
    let find = |aim| {
        let found = study.growth(&grown, aim)?;
        Some(Enough {
            after: grown.before + found.good,
            at_after: study.grown_counts(&grown, found.good)?,
            below: found.bad.map(|bad| grown.before + bad),
            at_below: found.bad.and_then(|bad| study.grown_counts(&grown, bad)),
            replayed: None,
            too_long: false,
        })
    };
    change(
        what,
        grown.before,
        find(Aim::Seen),
        find(Aim::Held),
        study.why_not_larger(),
    )
}

/// A shape that cannot be made larger, and why.
#[derive(Clone, Copy, Debug)]
struct Unable {
    before: f64,
    why: &'static str,
}
