//! Validation of expectations: their words, names and frames must exist.

use super::super::raw;
use super::super::types::{Expectation, Expected};
use crate::core::problem::{KnownNames, did_you_mean};
use crate::core::schema::{Check, ObjectText, Path, Units, Vec3, Word};
use crate::core::tolerance::{EXPECT_FRACTION, EXPECT_LENGTH};
use glam::DVec3;
use std::collections::HashSet;

/// Letters that are looked at, and pairs of letters that are compared, to suggest names for mistyped ones in one scene.
///
/// About a second. Names that are little alike cost their letters alone: of 50,000 names of 30 letters some 250 mistyped ones get
/// a suggestion, more than are listed.
const SPELLING_WORK: usize = 400_000_000;

/// The kinds of finding that a scene can expect: as diagnosis names them, and in its order.
pub const FINDING_KINDS: [&str; 8] = [
    "Tunnels",
    "Clips",
    "WrongSide",
    "StartsInside",
    "Sinks",
    "CameraCrosses",
    "Phantom",
    "BadNumber",
];

/// Causes are C01 to this one.
const LAST_CAUSE: u8 = 25;

/// The word by which findings name the camera.
pub const CAMERA: &str = "camera";

/// Length of a level; unknown when a recording gives it.
#[derive(Clone, Copy)]
pub(super) struct Timeline {
    pub(super) frames: Option<u32>,
}

impl Timeline {
    /// An interval: 0 to `frames - 1`.
    fn interval(self, check: &mut Check, at: &Path<'_>, frame: u32) {
        if let Some(frames) = self.frames
            && frame >= frames
        {
            let last = frames.saturating_sub(1);
            let what = format!("frame {frame} is past the timeline, its last is {last}");
            check.problem(at, what, format!("write 0 to {last}, or raise `frames`"));
        }
    }

    /// A state, between intervals: 0 to `frames`.
    pub(super) fn state(self, check: &mut Check, at: &Path<'_>, frame: u32) {
        if let Some(frames) = self.frames
            && frame > frames
        {
            let what = format!("frame {frame} is past the timeline, which ends at {frames}");
            check.problem(at, what, format!("write 0 to {frames}, or raise `frames`"));
        }
    }
}

/// The objects that can be named.
pub(super) struct KnownObjects<'r> {
    names: KnownNames<'r>,
    lookup: HashSet<&'r str>,
    /// False when others may exist: those of a recording, or of an object that could not be parsed.
    complete: bool,
    recorded: bool,
    camera: bool,
}

impl<'r> KnownObjects<'r> {
    pub(super) fn new(objects: &'r [Option<ObjectText>], recorded: bool, camera: bool) -> Self {
        let names: Vec<_> = objects
            .iter()
            .flatten()
            .map(|object| object.name.as_str())
            .collect();
        Self {
            lookup: names.iter().copied().collect(),
            complete: !recorded && objects.iter().all(Option::is_some),
            names: KnownNames::new(names, SPELLING_WORK),
            recorded,
            camera,
        }
    }

    /// Findings name the camera `camera`; an object of that name would be ambiguous.
    pub(super) fn camera_name_is_free(&self, check: &mut Check) {
        let taken = self.names.names().iter().position(|name| *name == CAMERA);
        if let (true, Some(index)) = (self.camera, taken) {
            let root = Path::ROOT;
            let objects = root.field("objects");
            let object = objects.index(index);
            check.problem(
                &object.field("name"),
                "findings call the scene's camera `camera`, so an object cannot have that name",
                "rename the object",
            );
        }
    }

    pub(super) fn object(&self, check: &mut Check, at: &Path<'_>, name: &str) {
        if self.complete && !self.lookup.contains(name) && !check.is_full() {
            let help = self.names.did_you_mean(name);
            check.problem(at, format!("there is no object `{name}`"), help);
        }
    }

    fn object_or_camera(&self, check: &mut Check, at: &Path<'_>, name: &Option<String>) {
        match name.as_deref() {
            Some(CAMERA) if self.camera || self.recorded => {}
            Some(name) => self.object(check, at, name),
            None => {}
        }
    }

    fn pair(&self, check: &mut Check, at: &Path<'_>, a: &str, b: &str) {
        self.object(check, &at.field("a"), a);
        self.object(check, &at.field("b"), b);
        if a == b {
            check.problem(
                &at.field("b"),
                format!("`{a}` is paired with itself"),
                "name two objects",
            );
        }
    }
}

pub(super) fn expectations(
    check: &mut Check,
    raw: Vec<Option<raw::Expectation>>,
    known_objects: &KnownObjects<'_>,
    timeline: Timeline,
    units: Units,
) -> Vec<Expected> {
    let root = Path::ROOT;
    let list = root.field("expect");
    let mut expectations = Vec::new();
    for (index, raw) in raw.into_iter().enumerate() {
        let Some(mut raw) = raw else { continue };
        let at = list.index(index);
        let expected_to_fail = raw.expected_to_fail();
        if expected_to_fail
            .as_ref()
            .is_some_and(|why| why.trim().is_empty())
        {
            let what = "`expected_to_fail` has no reason";
            let help = "write the reason or the bug's number, or leave it out";
            check.problem(&at.field("expected_to_fail"), what, help);
        }
        let mut reader = ExpectationReader {
            check: &mut *check,
            at: &at,
            known_objects,
            timeline,
            units,
        };
        expectations.push(Expected {
            expectation: reader.expectation(raw),
            expected_to_fail,
        });
    }
    expectations
}

/// An expectation during validation.
struct ExpectationReader<'c, 'p> {
    check: &'c mut Check,
    at: &'p Path<'p>,
    known_objects: &'c KnownObjects<'c>,
    timeline: Timeline,
    units: Units,
}

impl ExpectationReader<'_, '_> {
    fn expectation(&mut self, raw: raw::Expectation) -> Expectation {
        use raw::Expectation as Raw;
        match raw {
            Raw::Hit {
                a,
                b,
                frame,
                fraction,
                tolerance,
                ..
            } => {
                self.pair(&a, &b);
                self.interval(frame);
                self.fraction(fraction);
                let tolerance = self.tolerance(tolerance, 1.0).unwrap_or(EXPECT_FRACTION);
                Expectation::Hit {
                    a,
                    b,
                    frame,
                    fraction,
                    tolerance,
                }
            }
            Raw::Finds {
                kind,
                cause,
                a,
                b,
                frame,
                ..
            } => self.finds(kind, cause, (a, b), frame),
            Raw::NoFindings { kind, .. } => {
                self.kind(&kind);
                let kind = kind.map(|kind| kind.0);
                Expectation::NoFindings { kind }
            }
            Raw::Margin { below, .. } => {
                let at = self.at.field("below");
                if self.check.number(&at, below, "the share") && !(below > 0.0 && below <= 1.0) {
                    let what = format!("a share of {below} is not between 0 and 1");
                    let help = "write 0.8 for steps below 80 % of their limit";
                    self.check.problem(&at, what, help);
                }
                Expectation::Margin { below }
            }
            Raw::Position {
                object,
                frame,
                is,
                tolerance,
                ..
            } => {
                self.object("object", &object);
                self.timeline
                    .state(self.check, &self.at.field("frame"), frame);
                Expectation::Position {
                    object,
                    frame,
                    is: self.vector(is),
                    tolerance: self.length_tolerance(tolerance),
                }
            }
            Raw::Push {
                object,
                against,
                frame,
                is,
                tolerance,
                ..
            } => {
                self.object("object", &object);
                if let Some(against) = &against {
                    self.object("against", against);
                }
                self.interval(frame);
                Expectation::Push {
                    object,
                    against,
                    frame,
                    is: self.vector(is),
                    tolerance: self.length_tolerance(tolerance),
                }
            }
            Raw::CameraPush {
                frame,
                is,
                tolerance,
                ..
            } => {
                if !self.known_objects.camera && !self.known_objects.recorded {
                    let help = "add `camera: (position: ..)`, or remove this";
                    self.check.problem(self.at, "the scene has no camera", help);
                }
                self.interval(frame);
                Expectation::CameraPush {
                    frame,
                    is: self.vector(is),
                    tolerance: self.length_tolerance(tolerance),
                }
            }
            Raw::Touches { a, b, .. } => {
                self.pair(&a, &b);
                Expectation::Touches { a, b }
            }
            Raw::NeverTouches { a, b, .. } => {
                self.pair(&a, &b);
                Expectation::NeverTouches { a, b }
            }
        }
    }

    fn finds(
        &mut self,
        kind: Word,
        cause: Option<Word>,
        (a, b): (Option<String>, Option<String>),
        frame: Option<u32>,
    ) -> Expectation {
        let kind = Some(kind);
        self.kind(&kind);
        if let Some(cause) = &cause
            && !is_cause(&cause.0)
        {
            let what = format!("`{}` is not a cause", cause.0);
            let help = format!("causes are C01 to C{LAST_CAUSE}");
            self.check.problem(&self.at.field("cause"), what, help);
        }
        self.known_objects
            .object_or_camera(self.check, &self.at.field("a"), &a);
        self.known_objects
            .object_or_camera(self.check, &self.at.field("b"), &b);
        if let Some(frame) = frame {
            self.interval(frame);
        }
        Expectation::Finds {
            kind: kind.map(|kind| kind.0).unwrap_or_default(),
            cause: cause.map(|cause| cause.0),
            a,
            b,
            frame,
        }
    }

    fn kind(&mut self, kind: &Option<Word>) {
        if let Some(Word(kind)) = kind
            && !FINDING_KINDS.contains(&kind.as_str())
        {
            let what = format!("`{kind}` is not a kind of finding");
            self.check.problem(
                &self.at.field("kind"),
                what,
                did_you_mean(kind, FINDING_KINDS),
            );
        }
    }

    fn pair(&mut self, a: &str, b: &str) {
        self.known_objects.pair(self.check, self.at, a, b);
    }

    fn object(&mut self, field: &'static str, name: &str) {
        self.known_objects
            .object(self.check, &self.at.field(field), name);
    }

    fn interval(&mut self, frame: u32) {
        self.timeline
            .interval(self.check, &self.at.field("frame"), frame);
    }

    fn fraction(&mut self, fraction: f64) {
        if !(0.0..1.0).contains(&fraction) {
            let what = format!("the fraction must be 0 or more and below 1, here it is {fraction}");
            let help = "a contact at exactly 1 belongs to the next frame, at 0";
            self.check.problem(&self.at.field("fraction"), what, help);
        }
    }

    fn vector(&mut self, is: Vec3) -> DVec3 {
        let is = self
            .check
            .vector(&self.at.field("is"), is, "the expected value");
        self.units.vector(is)
    }

    fn tolerance(&mut self, written: Option<f64>, unit: f64) -> Option<f64> {
        let written = written?;
        let at = self.at.field("tolerance");
        self.check.not_negative(&at, written, "the tolerance");
        Some(written * unit)
    }

    fn length_tolerance(&mut self, written: Option<f64>) -> f64 {
        let unit = self.units.length;
        self.tolerance(written, unit).unwrap_or(EXPECT_LENGTH)
    }
}

/// `C01` to `C25`.
fn is_cause(word: &str) -> bool {
    word.strip_prefix('C')
        .filter(|digits| digits.len() == 2 && digits.bytes().all(|digit| digit.is_ascii_digit()))
        .and_then(|digits| digits.parse::<u8>().ok())
        .is_some_and(|number| (1..=LAST_CAUSE).contains(&number))
}
