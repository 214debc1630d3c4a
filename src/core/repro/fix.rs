//! The fix of a finding in an engine, as what a program of it changes.

use super::shrink::{Shrunk, find_again};
use crate::core::diagnose::{Cause, Finding, Fix, Key, Quantity, engines};
use crate::core::level::recorded;
use crate::core::schema::UserUnits;

/// What a program changes with the fix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// As findings print it.
    pub text: String,
    /// Steps of a frame.
    pub substeps: Option<u32>,
    /// Continuous detection.
    pub ccd: bool,
    /// Share of the velocities.
    pub speed: Option<f64>,
    /// A velocity for a body whose position was set.
    pub drive: bool,
    /// Collisions between two that did not collide.
    pub mask: bool,
    /// Time constant of soft contacts, seconds.
    pub contact_time: Option<f64>,
    /// The engine's treatment of internal edges.
    pub edges: bool,
}

/// Continuous detection before the fix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// The engine's own default.
    Default,
    /// As it was logged, or as another engine has it.
    Set(bool),
}

/// The first fix that a program can have, of those that diagnosis gives for the engine.
pub fn change(shrunk: &Shrunk, engine: &str, edges: Option<&str>) -> (Option<Change>, Before) {
    let mut recording = shrunk.recording.clone();
    let name_of = |name: Option<&str>| {
        let known = engines::preset(&crate::core::scene::Engine {
            name: name.map(str::to_owned),
            ..Default::default()
        });
        known.map(|row| row.name.clone())
    };
    let is_own = name_of(recording.engine.name.as_deref()) == name_of(Some(engine));
    let finding = &shrunk.finding;
    let logged = recording.objects.iter().find_map(|object| object.ccd);
    if !is_own {
        recording.engine = crate::core::scene::Engine {
            name: Some(engine.to_owned()),
            ..Default::default()
        };
        for object in &mut recording.objects {
            object.ccd = object.ccd.or(Some(false));
        }
    }
    let again = match is_own {
        true => None,
        false => {
            let level = recorded(&recording.name, recording.clone());
            find_again(&level, finding)
        }
    };
    let before = match logged {
        Some(ccd) => Before::Set(ccd),
        None if is_own => Before::Default,
        None => Before::Set(false),
    };
    let finding = again.as_ref().unwrap_or(finding);
    let units = recording.units;
    let of_edges = edges
        .filter(|_| finding.cause == Cause::InternalEdge)
        .map(|text| Change {
            text: text.to_owned(),
            edges: true,
            ..Change::default()
        });
    let chosen = finding.fixes.iter().find_map(|fix| {
        let mut change = Change {
            text: fix.text(units),
            ..Change::default()
        };
        apply(&mut change, fix, finding, units, recording.dt).then_some(change)
    });
    (of_edges.or(chosen), before)
}

/// Whether a program can have the fix, and the one that it needs beside it.
fn apply(change: &mut Change, fix: &Fix, finding: &Finding, units: UserUnits, dt: f64) -> bool {
    let share = |key: Key| Some(fix.held()? / finding.value(key)?);
    let applied = match (fix.what, fix.held()) {
        (Quantity::ContinuousDetection, _) => Some(change.ccd = true),
        (Quantity::Mask, _) => Some(change.mask = true),
        (Quantity::DriveSpeed | Quantity::DriveSpin, _) => Some(change.drive = true),
        (Quantity::Substeps, Some(steps)) => Some(change.substeps = Some(steps as u32)),
        (Quantity::MaxDt, Some(longest)) => {
            Some(change.substeps = Some((dt / longest).ceil() as u32))
        }
        (Quantity::MaxContactTime, Some(time)) => Some(change.contact_time = Some(time)),
        (Quantity::MaxSpeed, _) => share(Key::Speed).map(|share| change.speed = Some(share)),
        (Quantity::MaxClosingSpeed, _) => {
            share(Key::ClosingSpeed).map(|share| change.speed = Some(share))
        }
        _ => None,
    };
    let with = fix.with.as_deref();
    applied.is_some() && with.is_none_or(|with| apply(change, with, finding, units, dt))
}
