//! Causes of findings, one file each: the condition, the evidence, the fixes and the sentence.
//!
//! Several causes may apply to one event. They are tested in the order of their ranks in the table, the most specific
//! first, and the first is the headline.

pub(super) mod bits;
mod ccd;
mod covered;
mod dt_spike;
mod facing;
mod far_from_origin;
mod fast_obstacle;
mod fields;
mod free_fall;
pub(super) mod gap;
mod hidden_speed;
mod pushed;
mod rotation;
mod sensor;
mod set_angle;
mod soft_contact;
pub(super) mod speed_clamp;
mod swept_separately;
mod table;
mod teleport;
mod too_fast;
mod touch;
pub(super) mod units;
mod unresolved_contact;
mod visual_only;
mod wrong_side;

pub use self::fields::{RelevantFields, SceneField};
pub use self::table::Help;
use self::table::RANKED;
pub use self::visual_only::is_undone;
use super::cause::Cause;
use super::evidence::{Evidence, Key};
use super::facts::event_metrics::EventMetrics;
use super::facts::limits;
use super::finding::{PUSHED, Reason};
use super::fix::{Fix, Quantity};
use super::judge::event::PairEvent;
use super::judge::mesh_triangles;
use super::judge::own_push::logged_velocities;
use super::judge::pair::Pair;
use super::level_facts::LevelFacts;
use super::level_facts::engines::{self, Preset};
use super::shape_metrics::{half_width, is_surface};
use super::what_if;
use crate::core::number::number;
use crate::core::replay::{Frame, Replay};
use crate::core::scene::{Movement, Object};
use crate::core::schema::UserUnits;
use crate::core::shape::{Motion, Shape};
use crate::core::tolerance::{SAME_SHARE, SLOP_SHARE};
use glam::DVec3;

/// What a cause is tested on: an event of a pair, with its metrics.
pub(super) struct CauseInput<'r> {
    pub replay: &'r Replay,
    pub facts: &'r LevelFacts,
    pub frame: &'r Frame,
    pub pair: &'r Pair<'r>,
    pub event: &'r PairEvent,
    pub mover: &'r Object,
    pub other: &'r Object,
    pub metrics: EventMetrics,
    /// Steps of the engine in the frame; the event is that of one of them.
    pub substeps: u32,
    /// Consecutive states up to the start with contact; 0 for every kind but `Sinks`.
    pub contact_frames: u32,
    /// The first state of the overlap in which the frame begins, as far as it was followed.
    pub since: Option<u32>,
}

/// A cause that applies, with its evidence and fixes.
pub(super) struct CauseMatch {
    pub cause: Cause,
    pub evidence: Evidence,
    pub fixes: Vec<Fix>,
    pub text: String,
}

impl CauseMatch {
    /// As a secondary cause of a finding.
    pub(super) fn into_reason(self) -> Reason {
        let finite = |(_, value): &(Key, f64)| value.is_finite();
        Reason {
            cause: self.cause,
            evidence: self.evidence.into_iter().filter(finite).collect(),
            fixes: self.fixes,
            text: self.text,
        }
    }
}

/// Every cause that applies, the headline first; never empty.
pub(super) fn all_matches(input: &CauseInput<'_>) -> Vec<CauseMatch> {
    let mut all_matches: Vec<CauseMatch> =
        RANKED.iter().filter_map(|checks| checks(input)).collect();
    if all_matches.is_empty() {
        let detected = unresolved_contact::detected(input);
        all_matches.push(detected.unwrap_or_else(|| too_fast::state(input)));
    }
    all_matches
}

impl CauseInput<'_> {
    /// Units and axes of the texts.
    fn units(&self) -> UserUnits {
        self.replay.units()
    }

    /// The limit for this kind of event.
    fn limit(&self) -> f64 {
        // Where a test detected the pair, its push has to move it back.
        if self.event.start().is_some() || self.event.end.is_some() {
            self.metrics.limit_side
        } else {
            self.metrics.limit_seen
        }
    }

    /// The evidence that every event of a pair has, whatever its cause.
    pub(super) fn evidence(&self) -> Evidence {
        let m = &self.metrics;
        let radius = match self.pair.mover.shape {
            Shape::Sphere { .. } => Key::Radius,
            _ => Key::HalfWidth,
        };
        let wrong = limits::wrong_share(m.displacement, m.limit_seen, m.limit_side);
        let mut evidence = vec![
            (Key::Displacement, m.displacement),
            (Key::LimitSeen, m.limit_seen),
            (Key::LimitSide, m.limit_side),
            (
                Key::MissedShare,
                limits::missed_share(m.displacement, m.limit_seen),
            ),
            (Key::WrongSideShare, wrong),
            (Key::Travel, m.travel),
            (Key::Speed, m.speed),
            (radius, m.slab.radius),
            (Key::Thickness, m.slab.thickness),
            (Key::Dt, self.frame.dt),
        ];
        if self.substeps > 1 {
            evidence.push((Key::Substeps, f64::from(self.substeps)));
        }
        evidence
    }

    /// "frame", or "substep" where the log has several in the frame: the engine's tests are at its ends.
    fn step(&self) -> &'static str {
        if self.substeps > 1 {
            "substep"
        } else {
            "frame"
        }
    }

    /// "8 substeps", "8 substeps instead of 4"; of an engine whose own substeps do not test for contacts "8 steps of 1/480 s".
    fn steps_text(&self, count: f64) -> String {
        let substeps = self.facts.row.and_then(|engine| engine.substeps.as_ref());
        match (self.substeps, substeps) {
            (1, Some(substeps)) if !substeps.detect => {
                format!("{count:.0} steps of 1/{:.0} s", count / self.frame.dt)
            }
            (1, _) => format!("{count:.0} substeps"),
            (now, _) => format!("{count:.0} substeps instead of {now}"),
        }
    }

    /// Whether the frame is within the limits already, or the limits do not explain the event.
    fn has_no_limit(&self) -> bool {
        let m = &self.metrics;
        let clear = self.event.start().is_none() && self.event.end.is_none();
        m.displacement <= if clear { m.limit_seen } else { m.limit_side }
    }

    /// Substeps, speed and dt that hold and that detect the mover. A body moved by its position needs a velocity as
    /// well, combined with the substeps as one fix.
    fn step_fixes(&self) -> Vec<Fix> {
        if self.has_no_limit() {
            return Vec::new();
        }
        let m = &self.metrics;
        let both = |what, value: &dyn Fn(f64) -> Option<f64>| {
            Fix::limit(
                what,
                value(limits::safe(m.limit_side)),
                value(limits::safe(m.limit_seen)),
            )
        };
        let stiff = |fix: Fix| Fix {
            with: self.contact_time().map(Box::new),
            ..fix
        };
        let substeps = both(Quantity::Substeps, &|limit| {
            limits::substeps(m.displacement * f64::from(self.substeps), limit)
        })
        .map(stiff);
        if let Some(drive) = self.drive() {
            return vec![Fix {
                with: substeps.map(Box::new),
                ..drive
            }];
        }
        // A lower speed does not slow a rotation.
        let travels = self.event.turned.is_none();
        let speed = both(self.speed_quantity(), &|limit| m.max_speed(limit)).filter(|_| travels);
        let dt = both(Quantity::MaxDt, &|limit| {
            Some(m.max_dt(limit)? * f64::from(self.substeps))
        })
        .map(stiff);
        [substeps, speed, dt].into_iter().flatten().collect()
    }

    /// The velocity for a body that is moved by its position or its angle.
    fn drive(&self) -> Option<Fix> {
        let speed = teleport::driven_speed(self);
        speed
            .and_then(|speed| Fix::set(Quantity::DriveSpeed, speed))
            .or_else(|| set_angle::drive(self))
    }

    /// Whether a body does more than rest in this frame: a sweep of the other against it where it starts is no other than that of both.
    fn moves(&self, motion: &Motion) -> bool {
        motion.displacement().length() > self.pair.slop
    }

    fn movements(&self) -> [&Movement; 2] {
        [&self.mover.movement, &self.other.movement]
    }

    fn both_move(&self) -> bool {
        self.moves(&self.pair.mover.motion) && self.moves(&self.pair.obstacle.motion)
    }

    fn speed_quantity(&self) -> Quantity {
        match self.both_move() {
            true => Quantity::MaxClosingSpeed,
            false => Quantity::MaxSpeed,
        }
    }

    /// Thickness and radius that hold and that detect: those of a slab, where the real shapes agree at every starting
    /// phase. No radius against a mesh: a larger body touches more of it.
    fn size_fixes(&self) -> Vec<Fix> {
        let m = &self.metrics;
        let (d, slab) = (m.displacement / limits::safe(1.0), &m.slab);
        let whole = m.limit_seen >= slab.detection_limit();
        let straight = self.event.turned.is_none() && teleport::driven_speed(self).is_none();
        if self.has_no_limit() || !whole || !straight {
            return Vec::new();
        }
        // Only boxes and surfaces can be made thicker.
        let surface = is_surface(self.pair.obstacle.shape);
        let thickness =
            (surface || matches!(self.pair.obstacle.shape, Shape::Box { .. })).then(|| {
                let held = limits::min_thickness_right_side(d, slab.radius);
                let detected = limits::min_thickness_detected(d, slab.radius);
                (Quantity::MinThickness, slab.thickness, held, detected)
            });
        let radius = (!matches!(self.pair.obstacle.shape, Shape::Mesh(_))).then(|| {
            let helps = if slab.surface { 0.0 } else { slab.thickness };
            let held = limits::min_radius_right_side(d, helps);
            let detected = limits::min_radius_detected(d, slab.thickness);
            (Quantity::MinRadius, slab.radius, held, detected)
        });
        let fix = |(what, now, held, detected): (Quantity, f64, f64, f64)| {
            let held = if self.pair.sensor { detected } else { held };
            let solid = what == Quantity::MinThickness;
            let suffices = (solid && surface)
                || mesh_triangles::on_judged_triangle(self.pair, self.event, |pair| {
                    what_if::sizes_suffice(pair, self.event, solid, now, (held, detected))
                });
            Fix::limit(what, Some(held), Some(detected)).filter(|_| held > now && suffices)
        };
        [thickness, radius]
            .into_iter()
            .flatten()
            .filter_map(fix)
            .collect()
    }

    /// "8 substeps", where they hold the body.
    fn held_substeps(&self) -> Vec<String> {
        let fixes = self.step_fixes().into_iter();
        let substeps = fixes.filter(|fix| fix.what == Quantity::Substeps);
        substeps
            .filter_map(|fix| Some(self.steps_text(fix.holds?)))
            .collect()
    }

    /// "8 substeps", "at most 8 m/s": the step sizes that hold the body.
    fn held_steps(&self) -> Vec<String> {
        let steps = |fix: &Fix| {
            let stiff = self.contact_time_text(fix);
            Some(format!("{}{stiff}", self.steps_text(fix.holds?)))
        };
        let text = |fix: Fix| match fix.what {
            Quantity::Substeps => steps(&fix),
            Quantity::MaxSpeed => fix
                .held()
                .map(|most| format!("at most {}", self.units().speed(most))),
            Quantity::MaxClosingSpeed => {
                let most = fix.held().map(|most| self.units().speed(most));
                most.map(|most| format!("at most {most} between them"))
            }
            Quantity::DriveSpeed | Quantity::DriveSpin => {
                let drive = match fix.what {
                    Quantity::DriveSpin => {
                        format!("an angular velocity of {} rad/s", number(fix.holds?))
                    }
                    _ => format!("a velocity of {}", self.units().speed(fix.holds?)),
                };
                Some(match fix.with.and_then(|with| steps(&with)) {
                    Some(steps) => format!("{drive} together with {steps}"),
                    None => drive,
                })
            }
            _ => None,
        };
        self.step_fixes().into_iter().filter_map(text).collect()
    }

    /// " From 4 substeps on it is detected, but it may be pushed out on the far side.", where fewer substeps detect than hold.
    fn detected_only(&self) -> String {
        let substeps = self
            .step_fixes()
            .into_iter()
            .find_map(|fix| match fix.what {
                Quantity::DriveSpeed | Quantity::DriveSpin => fix.with.map(|with| *with),
                Quantity::Substeps => Some(fix),
                _ => None,
            });
        let weaker = substeps.and_then(|fix| {
            let holds = fix.holds.unwrap_or(f64::INFINITY);
            let more = f64::from(self.substeps) + 1.0;
            fix.detects.filter(|count| (more..holds).contains(count))
        });
        weaker.map_or_else(String::new, |count| {
            let steps = self.steps_text(count);
            let steps = steps.split(" instead").next().unwrap_or(&steps);
            format!(" From {steps} on it is detected, but it may be pushed out on the far side.")
        })
    }

    /// "Use 8 substeps, at most 8 m/s, or a sweep.", what the engine calls a sweep, and from where on it is only detected. A body
    /// moved by its position has no velocity to sweep.
    fn advice(&self, sweeps: &[&str], others: &[&str]) -> String {
        let has_velocity = self.drive().is_none();
        let row = self.facts.row;
        let can_sweep = row.is_none_or(|row| row.coverage().is_some());
        let sweeps = if can_sweep { sweeps } else { &[] };
        let mut ways = self.held_steps();
        if has_velocity {
            ways.extend(sweeps.iter().chain(others).map(|way| (*way).to_owned()));
        }
        let note = match row {
            Some(row) if has_velocity && !sweeps.is_empty() => self.sweep_in(row),
            _ => String::new(),
        };
        match alternatives(&ways) {
            none if none.is_empty() => String::new(),
            ways => format!("Use {ways}.{note}{}", self.detected_only()),
        }
    }

    /// " In Jolt, `EMotionQuality::LinearCast` sweeps ball."; empty where no body can be swept, or it is on already.
    fn sweep_in(&self, engine: &Preset) -> String {
        let swept = [
            (self.mover, &self.pair.mover.motion),
            (self.other, &self.pair.obstacle.motion),
        ];
        let swept = swept
            .into_iter()
            .filter(|(object, motion)| object.is_pushable() && self.moves(motion))
            .map(|(object, _)| object);
        let both_move = self.both_move();
        let has = [self.mover, self.other].map(|object| object.ccd == Some(true));
        let is_on = both_move && engine.sweeps_relative_already(self.movements(), has);
        let names: Vec<String> = swept
            .filter(|object| !is_on && (both_move || object.ccd != Some(true)))
            .map(|object| object.name.clone())
            .collect();
        let other = self.movements().into_iter().max_by_key(|it| match it {
            Movement::Fixed => 2,
            Movement::Velocity => 0,
            _ => 1,
        });
        let set = other.and_then(|other| engine.switch(other)?.set());
        let Some(set) = set.filter(|_| !names.is_empty()) else {
            return String::new();
        };
        let name = engines::title(&self.facts.engine).unwrap_or_default();
        let names = names.join(" and ");
        let misses = match both_move && !engine.sweeps_relative(self.movements()) {
            true => " against the other at rest, which may miss such hits",
            false => "",
        };
        format!(" In {name}, `{set}` sweeps {names}{misses}.")
    }

    /// "bullet (radius 0.05 m) moves 6.67 m relative to paper (0.01 m thick) in this frame, at 400 m/s".
    fn motion(&self) -> String {
        let m = &self.metrics;
        let size = |radius: f64| self.units().length(radius);
        let mover = match &self.mover.shape {
            Shape::Sphere { radius } => format!(" (radius {})", size(*radius)),
            _ => String::new(),
        };
        let both = if self.pair.obstacle.motion.displacement().length_squared() > 0.0 {
            format!(
                "{} relative to {}",
                self.units().length(m.travel),
                self.other.name
            )
        } else {
            self.units().length(m.travel)
        };
        let speed = match self.pushed_from() {
            Some(own) => format!(
                "{} of it by its speed of {}, {PUSHED}",
                self.units().length(own * m.dt),
                self.units().speed(own)
            ),
            None => self.units().speed(m.speed),
        };
        format!(
            "{}{mover} moves {both} in this {} ({speed})",
            self.mover.name,
            self.step(),
        )
    }

    /// The logged relative speed, m/s, where a displacement is longer than that by a push along the contact normal, no longer than it takes
    /// to be out on the far side. Of the velocities at both ends that which leaves the shorter push: a game may set one before the step.
    fn pushed_from(&self) -> Option<f64> {
        let m = &self.metrics;
        let travel = self.pair.travel();
        let noise = SLOP_SHARE * travel.length();
        let push = |own: &DVec3| travel - *own * m.dt;
        let is_push = |own: &DVec3| {
            let push = push(own);
            let onward = -push.dot(self.event.normal);
            let aside = (push + onward * self.event.normal).length();
            onward > noise && aside <= noise && onward <= m.slab.detection_limit()
        };
        if !self.facts.recorded || self.event.turned.is_some() {
            return None;
        }
        let velocities = logged_velocities(self.pair, self.frame);
        if velocities.iter().any(|own| push(own).length() <= noise) {
            return None;
        }
        let shorter = |one: &DVec3, other: &DVec3| {
            let [one, other] = [one, other].map(|own| push(own).length());
            one.total_cmp(&other)
        };
        let own = velocities.into_iter().filter(is_push).min_by(shorter);
        own.map(DVec3::length)
    }

    /// "paper (0.01 m thick)".
    fn obstacle(&self) -> String {
        let thick = match &self.other.shape {
            Shape::Sphere { radius } => format!(" (radius {})", self.units().length(*radius)),
            Shape::Triangle(_) => " (a triangle, without thickness)".to_owned(),
            Shape::Plane(_) => " (a plane)".to_owned(),
            _ if is_surface(self.pair.obstacle.shape) && self.metrics.slab.thickness == 0.0 => {
                " (a surface without thickness)".to_owned()
            }
            _ => format!(" ({} thick)", self.units().length(self.thickness())),
        };
        format!("{}{thick}", self.other.name)
    }

    /// What the mover has to pass of an obstacle, metres: at a corner, where a way through it is shorter than it is thick anywhere, its width.
    fn thickness(&self) -> f64 {
        let shape = self.pair.obstacle.shape;
        let through = self.metrics.slab.thickness;
        if is_surface(shape) || through >= 2.0 * shape.inner_radius() * (1.0 - SAME_SHARE) {
            return through;
        }
        let pose = self.pair.obstacle.turning().pose(self.event.fraction);
        2.0 * half_width(shape, &pose, self.event.normal)
    }
}

/// "a", "a or b", "a, b, or c".
fn alternatives(ways: &[String]) -> String {
    match ways {
        [] => String::new(),
        [one] => one.clone(),
        [one, other] => format!("{one} or {other}"),
        [first @ .., last] => format!("{}, or {last}", first.join(", ")),
    }
}
