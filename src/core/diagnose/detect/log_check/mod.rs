//! Comparison of a log's contacts, pushes and queries with the exact results over the same frame.
//!
//! A line of a log describes the motion to its state. What it states is accepted if any estimate of that motion
//! supports it, within a slack for single precision, skins and margins; otherwise it is a finding with both numbers.

mod contacts;
mod missing_contact;
pub mod opposed;
mod path_distance;
mod pushes;
mod queries;
mod stuck;

use self::path_distance::{Nearby, StatePaths};
pub use self::queries::behind_notice;
use super::internal_edge::{Line, Surfaces};
use super::piles::Piles;
use crate::core::diagnose::detect::frame_findings::{FrameFindings, TouchingPairs};
use crate::core::diagnose::finding::{Finding, Source};
use crate::core::diagnose::level_facts::context::Context;
use crate::core::diagnose::shape_metrics::{center, pair_size};
use crate::core::number;
use crate::core::replay::{
    BodyState, Frame, FrameData, FrameState, LoggedContact, ObjectId, RecordedFrame, Replay,
};
use crate::core::shape::Shape;
use crate::core::tolerance::{LOG_ROUNDING, SLOP_SHARE};
use glam::DVec3;
use std::cell::OnceCell;
use std::sync::Arc;

/// Metres: distance up to which a logged contact that changed nothing is an engine's margin and no finding, where the log names
/// none.
///
/// PhysX and Jolt look 0.02 m ahead by default, Box2D and Unity less. Smaller, and good logs of their contacts are full of findings.
const CONTACT_MARGIN: f64 = 0.02;

/// Findings about the log lines of a frame.
///
/// Those are the line of the state the frame leads to and, for the first frame, the one of its start. Pairs in a pile
/// are not tested for missing contacts.
pub fn judge(
    context: &Context<'_>,
    (frame, touching): (&Frame, Option<&TouchingPairs>),
    piles: &Piles,
    surfaces: &Surfaces<'_>,
    judged: &mut FrameFindings,
) {
    let Some(recording) = context.replay.recording() else {
        return;
    };
    if frame.number == 0
        && let Some(line) = recording.frames.first()
    {
        LogLine::new(context, (frame, None), 0, surfaces).judge(line, judged);
    }
    let state = frame.number + 1;
    // Across a gap the path is unknown.
    if let Some(line) = recording
        .frames
        .get(state as usize)
        .filter(|line| !line.gap)
    {
        let log = LogLine::new(context, (frame, touching), state, surfaces);
        log.judge(line, judged);
        missing_contact::judge(&log, recording, piles, &mut judged.findings);
        stuck::judge(&log, recording, &mut judged.findings);
    }
}

/// The message about contacts whose normals are off by these angles (degrees) without an effect on the motion.
pub fn tilted_notice(replay: &Replay, angles: &[f64]) -> Option<String> {
    let all = replay.recording()?.data.totals().contacts;
    let (reversed, tilted): (Vec<f64>, Vec<f64>) =
        angles.iter().partition(|angle| **angle > REVERSED);
    let contacts = |count: usize| number::count(count, "logged contact");
    if 2 * reversed.len() > all {
        let reversed = contacts(reversed.len());
        return Some(format!(
            "{reversed} of {all} have a reversed normal: are a and b swapped? It must point from b to a"
        ));
    }
    (!tilted.is_empty()).then(|| {
        let count = contacts(tilted.len());
        let least = tilted.iter().copied().fold(f64::INFINITY, f64::min);
        let most = tilted.iter().copied().fold(0.0, f64::max);
        let (least, most) = (format!("{least:.0}"), format!("{most:.0}"));
        let off = if least == most { most } else { format!("{least} to {most}") };
        format!("{count} of {all} have a normal {off} degrees off the exact one, without an effect on the motion: engines keep contacts of earlier steps")
    })
}

/// Degrees above which a normal is reversed and not tilted.
const REVERSED: f64 = 150.0;

/// A log line with the paths to its state.
struct LogLine<'r> {
    context: &'r Context<'r>,
    frame: &'r Frame,
    /// The state of the line.
    state: u32,
    data: Arc<FrameData>,
    line: Line,
    /// That of the state before, whose contacts may be those of its end; empty where there is none.
    line_before: Line,
    paths: StatePaths<'r>,
    surfaces: &'r Surfaces<'r>,
    /// Built on first use.
    nearby: OnceCell<Nearby>,
}

impl<'r> LogLine<'r> {
    fn new(
        context: &'r Context<'r>,
        (frame, touching): (&'r Frame, Option<&'r TouchingPairs>),
        state: u32,
        surfaces: &'r Surfaces<'r>,
    ) -> Self {
        let after: &FrameState = if state == frame.number {
            &frame.start
        } else {
            &frame.end
        };
        let data = |state: u32| match context.replay.recording() {
            Some(recording) => recording.data.events(state as usize),
            None => Arc::default(),
        };
        let has_before = state > frame.number;
        let before = match has_before {
            true => data(frame.number),
            false => Arc::default(),
        };
        let data = data(state);
        Self {
            context,
            frame,
            state,
            line: Line::new(Arc::clone(&data), state),
            data,
            line_before: Line::new(before, frame.number),
            paths: StatePaths {
                replay: context.replay,
                objects: context.replay.objects(),
                before: has_before.then_some(frame),
                touching,
                after,
                dt: frame.dt,
                gravity: context.gravity(),
            },
            surfaces,
            nearby: OnceCell::new(),
        }
    }

    fn judge(&self, line: &RecordedFrame, judged: &mut FrameFindings) {
        let FrameFindings {
            findings,
            tilted_contacts,
            queries_behind,
            ..
        } = judged;
        let mut add = |source: Source, found: Option<Finding>| {
            findings.extend(found.map(|found| Finding { source, ..found }));
        };
        // Those of the line before directly precede those of the line.
        let before = self.line_before.contacts();
        let first = line.first.contacts - before.len();
        for (number, contact) in (first..).zip(before) {
            let found = contacts::judge_at_start(self, contact);
            add(Source::Contact(number), found);
        }
        for (number, contact) in (line.first.contacts..).zip(&self.data.contacts) {
            let found = contacts::judge(self, contact, tilted_contacts);
            add(Source::Contact(number), found);
        }
        let pushes = pushes::judge(self, &self.data.pushes);
        for (number, found) in (line.first.pushes..).zip(pushes) {
            add(Source::Push(number), found);
        }
        for (number, query) in (line.first.queries..).zip(&self.data.queries) {
            let behind = queries::starts_behind(self, query);
            queries_behind.extend(behind.map(|(body, surface)| (self.state, body, surface)));
            let found = queries::judge(self, query);
            add(Source::Query(number), found);
        }
    }

    /// Velocities of a body when the frame begins and when it ends, metres per second: as logged, else by its positions.
    fn velocities(&self, id: ObjectId) -> Option<[DVec3; 2]> {
        let (start, end) = (self.paths.start(id)?, self.paths.end(id)?);
        if let (Some(before), Some(after)) = (start.velocity, end.velocity) {
            return Some([before, after]);
        }
        let number = self.frame.number.checked_sub(1)?;
        let (replay, dt) = (self.context.replay, self.frame.dt);
        let earlier = replay.at(number).body(id)?.pose.position;
        let before = (start.pose.position - earlier) / replay.dt(number);
        let after = (end.pose.position - start.pose.position) / dt;
        (before.is_finite() && after.is_finite() && !start.teleported).then_some([before, after])
    }

    /// Velocities of a body's point when the frame begins and when it ends, metres per second; zero where they are unknown.
    fn velocities_at(&self, id: ObjectId, point: DVec3) -> [DVec3; 2] {
        let ends = || Some([self.paths.start(id)?, self.paths.end(id)?]);
        let Some((ends, velocities)) = ends().zip(self.velocities(id)) else {
            return [DVec3::ZERO; 2];
        };
        let arm = point - ends[0].pose.position;
        let turn = |end: usize| ends[end].spin.unwrap_or(DVec3::ZERO).cross(arm);
        [0, 1].map(|end| velocities[end] + turn(end))
    }

    /// Velocity of a body's point when the frame begins, metres per second; zero where it is unknown.
    fn velocity_at(&self, id: ObjectId, point: DVec3) -> DVec3 {
        self.velocities_at(id, point)[0]
    }

    /// Whether the two objects of a contact come together in the frame: one with a negative depth is only near until its gap closes.
    fn is_reached(&self, contact: &LoggedContact) -> bool {
        let LoggedContact {
            a,
            b,
            point,
            normal,
            depth,
        } = *contact;
        let apart = self.velocity_at(a, point) - self.velocity_at(b, point);
        let fall = self.paths.gravity.length() * self.paths.dt;
        let closing = fall - apart.dot(normal).min(0.0);
        let is_known = [a, b].map(|id| self.velocities(id).is_some()) == [true; 2];
        !is_known || -depth <= self.slack(a, b) + closing * self.paths.dt
    }

    /// The engine's contact margin, or the usual one, metres.
    fn margin(&self) -> f64 {
        self.context.facts.engine.margin.unwrap_or(CONTACT_MARGIN)
    }

    /// The engine's contact margin that the level gives, metres; 0 without one.
    fn stated_margin(&self) -> f64 {
        self.context.facts.engine.margin.unwrap_or(0.0)
    }

    /// Fraction of the frame at which the line was written.
    fn fraction(&self) -> f64 {
        f64::from(self.state - self.frame.number)
    }

    /// Distance below which two objects count as touching, metres: a fraction of the smaller one, and single precision.
    fn slack(&self, a: ObjectId, b: ObjectId) -> f64 {
        let size = pair_size(self.solid(a), self.solid(b));
        SLOP_SHARE * size + LOG_ROUNDING * self.coordinate(a).max(self.coordinate(b))
    }

    /// The shape by which an object's size is told, however it is written.
    fn solid(&self, id: ObjectId) -> &Shape {
        let own = &self.paths.objects[id as usize].shape;
        self.context.replay.solid_shape(id).unwrap_or(own)
    }

    /// Distance of an object's centre from the origin, metres: its largest coordinate under any axes, however its solid is written.
    fn coordinate(&self, id: ObjectId) -> f64 {
        let body = self.paths.end(id).or_else(|| self.paths.start(id));
        let place = |body: &BodyState| {
            let center = center(self.solid(id), &body.pose);
            center.unwrap_or(body.pose.position).length()
        };
        body.map_or(0.0, place)
    }

    /// An object's slack, metres; the sum of two is at least the slack of the pair.
    fn object_slack(&self, id: ObjectId) -> f64 {
        let size = self.solid(id).inner_radius();
        let size = if size.is_finite() { size } else { 0.0 };
        SLOP_SHARE * size + LOG_ROUNDING * self.coordinate(id)
    }

    fn nearby(&self) -> &Nearby {
        self.nearby
            .get_or_init(|| Nearby::of(&self.paths, |id| self.object_slack(id)))
    }

    /// Whether anything but `other` comes within the slack of `id`, which would explain a change of its speed.
    fn touches_another(&self, id: ObjectId, other: ObjectId) -> bool {
        let around = self.paths.bounds(id);
        let region = around.map(|around| around.grown(self.object_slack(id)));
        let near = self.nearby().all_in(region.as_ref()).into_iter();
        near.filter(|third| *third != id && *third != other)
            .any(|third| {
                let slack = self.slack(id, third);
                let far = around
                    .zip(self.paths.bounds(third))
                    .is_some_and(|(a, b)| !a.grown(slack).overlaps(&b));
                let gap = || self.paths.distance(id, third, slack);
                !far && gap().is_none_or(|gap| gap <= slack)
            })
    }
}
