//! The finding of an event of a pair: ranked causes, evidence and fixes.

use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::causes::{self, CauseInput, CauseMatch};
use crate::core::diagnose::detect;
use crate::core::diagnose::evidence::{Evidence, Key};
use crate::core::diagnose::facts::engine_sweep;
use crate::core::diagnose::facts::event_metrics::EventMetrics;
use crate::core::diagnose::facts::phase_sweep::{Crossing, PHASES, PhaseSweep};
use crate::core::diagnose::finding::{Finding, Source};
use crate::core::diagnose::fix::Fix;
use crate::core::diagnose::judge::event::{JudgeStats, PairEvent};
use crate::core::diagnose::judge::judged_event::JudgedEvent;
use crate::core::diagnose::judge::pair::Pair;
use crate::core::diagnose::judge::{compound_parts, contact_history, mesh_triangles, substeps};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::Context;
use crate::core::diagnose::level_facts::{Meeting, gravity};
use crate::core::replay::Frame;
use crate::core::tolerance::CONTACT_FRAMES;
use glam::DVec3;
use std::sync::Arc;

/// Evidence about the side of a push.
const SIDES: [Key; 3] = [
    Key::LimitSide,
    Key::WrongSideShare,
    Key::PhaseWrongSideShare,
];

/// The finding of an event, and of the overlap that began at a state: ranked causes, evidence and fixes.
pub fn finding(
    context: &Context<'_>,
    frame: &Frame,
    pair: &Pair<'_>,
    (event, since): (&PairEvent, Option<u32>),
) -> Finding {
    if event.kind == Kind::BadNumber {
        let start = event
            .start()
            .or_else(|| pair.contact_at(|motion| motion.start));
        if let Some(start) = start {
            let ids = pair.ids();
            let undefined = detect::bad_number::undefined_normal;
            return Finding {
                since,
                ..undefined(context, frame, ids, pair.from, &start)
            };
        }
    }
    let objects = context.replay.objects();
    let steps = substeps::count(context.replay, frame.number);
    let judged = event
        .kind
        .depends_on_phase()
        .then(|| Arc::new(JudgedEvent::of(pair, event, frame.dt, steps)));
    let whole = pair;
    let pair = &pair.of_parts(event.parts);
    let input = CauseInput {
        replay: context.replay,
        facts: context.facts,
        frame,
        pair,
        event,
        mover: &objects[pair.mover.id as usize],
        other: &objects[pair.obstacle.id as usize],
        metrics: EventMetrics::of(pair, event, frame.dt),
        substeps: steps,
        contact_frames: match event.kind {
            Kind::Sinks => {
                contact_history::frames_in_contact(context, frame, pair, CONTACT_FRAMES).max(1)
            }
            _ => 0,
        },
        since,
    };
    let mut all_matches = causes::all_matches(&input);
    let headline = all_matches.remove(0);
    let mut evidence = input.evidence();
    let mut text = headline.text;
    if Meeting::of(input.mover, input.other) == Meeting::Driven {
        text.push_str(
            " No engine pushes a kinematic body out: its controller has to sweep each move, and to push it out of what it overlaps.",
        );
    }
    let objects = [input.mover, input.other];
    text.extend(compound_parts::sentence(whole, event, objects));
    if let Some(phases) = phases_of(pair, event, &input.metrics) {
        evidence.extend(phases.evidence());
        text.extend(phases.sentence().map(|sentence| format!(" {sentence}")));
    }
    // A sensor pushes nothing.
    evidence.retain(|(name, _)| !pair.sensor || !SIDES.contains(name));
    add_new(&mut evidence, &headline.evidence);
    let mut fixes = headline.fixes;
    for check in &all_matches {
        add_new(&mut evidence, &check.evidence);
        // No smaller step fixes a surface that faces the wrong way, a pair that is not tested, a body that another one pushes, or a push that rounding turns.
        // Nor does a margin that is large for the body make it pass.
        let alone = match headline.cause {
            Cause::Facing | Cause::Bits | Cause::NextWall | Cause::InternalEdge => true,
            cause => cause == Cause::FarFromOrigin && event.kind == Kind::WrongSide,
        };
        if !alone && check.cause != Cause::Units {
            add_missing(&mut fixes, &check.fixes);
        }
    }
    let has = |cause| headline.cause == cause || all_matches.iter().any(|it| it.cause == cause);
    engine_sweep::own_settings(context.replay, (pair, event, frame.dt), has, &mut fixes);
    // JSON has no infinity.
    evidence.retain(|(_, value)| value.is_finite());
    let fraction = pair.from + event.fraction * (pair.to - pair.from);
    Finding {
        also: all_matches.iter().map(|check| check.cause).collect(),
        reasons: all_matches
            .into_iter()
            .map(CauseMatch::into_reason)
            .collect(),
        a: input.mover.name.clone(),
        b: input.other.name.clone(),
        object_a: Some(pair.mover.id),
        object_b: Some(pair.obstacle.id),
        point: event.point.to_array(),
        normal: event.normal.to_array(),
        evidence,
        fixes,
        text,
        from_contact: event.start().is_some(),
        still_inside: event.end.is_some() && !event.is_from_behind(),
        judged,
        since,
        ..context.blank(event.kind, headline.cause, frame.number, fraction)
    }
}

/// Each number once, by its name.
fn add_new(evidence: &mut Evidence, more: &[(Key, f64)]) {
    for (key, value) in more {
        if evidence.iter().all(|(known, _)| known != key) {
            evidence.push((*key, *value));
        }
    }
}

/// The phase sweep of an event; only for kinds that depend on the phase.
fn phases_of(pair: &Pair<'_>, event: &PairEvent, metrics: &EventMetrics) -> Option<PhaseSweep> {
    // The phase sweep shifts a straight path.
    let applies = event.turned.is_none() && event.kind.depends_on_phase();
    applies
        .then(|| {
            mesh_triangles::on_judged_triangle(pair, event, |pair| {
                let crossing = Crossing::of(pair, event)?;
                Some(PhaseSweep::of(&crossing, &metrics.slab, PHASES))
            })
        })
        .flatten()
}

/// The phase sweep of the event in a pair's interval, if there is one.
pub fn phase_sweep_of(pair: &Pair<'_>, dt: f64) -> Option<PhaseSweep> {
    let event = compound_parts::judge(pair, &mut JudgeStats::default())?;
    let pair = &pair.of_parts(event.parts);
    phases_of(pair, &event, &EventMetrics::of(pair, &event, dt))
}

fn add_missing(fixes: &mut Vec<Fix>, more: &[Fix]) {
    for fix in more {
        if fixes.iter().all(|known| known.what != fix.what) {
            fixes.push(fix.clone());
        }
    }
}

impl Context<'_> {
    /// Gravity, metres per second squared: the log's, else the scene's.
    pub fn gravity(&self) -> DVec3 {
        gravity(self.replay)
    }

    /// A finding without objects, position or numbers.
    pub fn blank(&self, kind: Kind, cause: Cause, frame: u32, fraction: f64) -> Finding {
        Finding {
            kind,
            cause,
            also: Vec::new(),
            reasons: Vec::new(),
            frame,
            last_frame: frame,
            log_frame: self.replay.log_frame(frame),
            fraction,
            time: self.replay.start_time()
                + self.replay.time(frame)
                + fraction * self.replay.dt(frame),
            a: String::new(),
            b: String::new(),
            object_a: None,
            object_b: None,
            point: [0.0; 3],
            normal: [0.0; 3],
            evidence: Vec::new(),
            fixes: Vec::new(),
            text: String::new(),
            expected: false,
            known: false,
            from_contact: false,
            still_inside: false,
            since: None,
            source: Source::State,
            judged: None,
            pile: None,
            what_if: None,
        }
    }
}
