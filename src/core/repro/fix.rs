//! The fix of a finding in an engine, as what a program of it changes.

use super::shrink::{Shrunk, find_again};
use crate::core::diagnose::{Cause, Finding, Fix, Key, Options, Quantity, diagnose, engines};
use crate::core::level::{Level, recorded};
use crate::core::scene::Engine;
use crate::core::shape::Shape;

/// What a program changes with the fix.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Change {
    /// As findings print it.
    pub text: String,
    /// Steps of a frame.
    pub substeps: Option<u32>,
    /// Continuous detection.
    pub ccd: bool,
    /// The object that has it; `None` for a setting of the world, or of any object.
    pub swept: Option<String>,
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
    /// As it was logged; in another engine off, so that the fault is the same.
    Set(bool),
}

/// The changes of which each fixes the finding in an engine, of those that diagnosis gives for it, and continuous detection before.
pub fn changes(shrunk: &Shrunk, engine: &str, edges: Option<&str>) -> (Vec<Change>, Before) {
    let mut recording = shrunk.recording.clone();
    let named = |name: &str| Engine {
        name: Some(name.to_owned()),
        ..Engine::default()
    };
    let row = |engine: &Engine| engines::preset(engine).map(|row| &row.name);
    let is_own = row(&recording.engine).is_some() && row(&recording.engine) == row(&named(engine));
    let logged = recording.objects.iter().find_map(|object| object.ccd);
    let before = match (is_own, logged) {
        (true, Some(ccd)) => Before::Set(ccd),
        (true, None) => Before::Default,
        (false, _) => Before::Set(false),
    };
    let mut finding = shrunk.finding.clone();
    if !is_own {
        recording.engine = named(engine);
        for object in &mut recording.objects {
            object.ccd = Some(false);
        }
        let level = recorded(&recording.name, recording.clone());
        finding = in_other_engine(&level, &finding).unwrap_or(finding);
    }
    let (units, dt) = (recording.units, recording.dt);
    let all = |fixes: &[Fix]| -> Vec<Change> {
        let tried = fixes.iter().map(|fix| {
            let mut change = Change {
                text: fix.text(units),
                ..Change::default()
            };
            apply(&mut change, fix, &finding, dt).then_some(change)
        });
        tried.flatten().collect()
    };
    let mut shapes = recording.objects.iter().map(|object| &object.shape);
    let has_mesh = shapes.any(|shape| matches!(shape, Shape::Mesh(_)));
    let of_edges = edges
        .filter(|_| finding.cause == Cause::InternalEdge && has_mesh)
        .map(|text| Change {
            text: text.to_owned(),
            edges: true,
            ..Change::default()
        });
    let mut changes: Vec<Change> = of_edges.into_iter().chain(all(&finding.fixes)).collect();
    // A pair that was not tested may be too fast besides.
    let others = finding
        .reasons
        .iter()
        .find_map(|reason| all(&reason.fixes).into_iter().next());
    if let Some(other) = others {
        for change in changes.iter_mut().filter(|change| change.mask) {
            *change = Change {
                text: format!("{} together with {}", change.text, other.text),
                mask: true,
                ..other.clone()
            };
        }
    }
    (changes, before)
}

/// The finding of the same pair in the same level of another engine, which may have another cause.
fn in_other_engine(level: &Level, finding: &Finding) -> Option<Finding> {
    find_again(level, finding).or_else(|| {
        let report = diagnose(level, &Options::default(), &())?;
        let same =
            |one: &&Finding| (one.kind, &one.a, &one.b) == (finding.kind, &finding.a, &finding.b);
        report.findings.iter().find(same).cloned()
    })
}

/// Whether a program can have the fix, and the one that it needs beside it.
fn apply(change: &mut Change, fix: &Fix, finding: &Finding, dt: f64) -> bool {
    let share = |key: Key| Some(fix.held()? / finding.value(key)?);
    match (fix.what, fix.held()) {
        (Quantity::ContinuousDetection, _) => {
            change.swept.clone_from(&fix.object);
            change.ccd = true;
        }
        (Quantity::Mask, _) => change.mask = true,
        (Quantity::DriveSpeed | Quantity::DriveSpin, _) => change.drive = true,
        (Quantity::Substeps, Some(steps)) => change.substeps = Some(steps as u32),
        (Quantity::MaxDt, Some(longest)) => {
            change.substeps = Some((dt / longest).ceil() as u32);
        }
        (Quantity::MaxContactTime, Some(time)) => change.contact_time = Some(time),
        (Quantity::MaxSpeed, _) => match share(Key::Speed) {
            Some(share) => change.speed = Some(share),
            None => return false,
        },
        (Quantity::MaxClosingSpeed, _) => match share(Key::ClosingSpeed) {
            Some(share) => change.speed = Some(share),
            None => return false,
        },
        _ => return false,
    }
    let with = fix.with.as_deref();
    with.is_none_or(|with| apply(change, with, finding, dt))
}
