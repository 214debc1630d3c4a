//! The tour of the causes: of each its level to be changed, until its finding is gone and nothing was taken away for it.

use super::job::{JobDone, JobKind};
use super::messages::Severity;
use super::{Model, cause_film};
use crate::app::help_topics;
use crate::app::source::Source;
use crate::bundled;
use crate::core::diagnose::{Cause, Finding, Kind, Report};
use crate::core::problem::Problem;
use crate::core::replay::history::History;
use crate::core::replay::{ObjectId, Replay, Subject};
use crate::core::scene::Object;
use std::mem::discriminant;
use std::sync::Arc;

/// How fast the mover must still begin, as a share of its speed in the level (no unit).
const AS_FAST: f64 = 0.5;

/// What the open level of a cause lacks to be fixed; empty once it is.
pub type Lacks = Vec<String>;

impl Model {
    /// The causes of the tour, each with its level: those whose level is a scene, which can be changed.
    pub fn tour(&self) -> impl Iterator<Item = (Cause, &bundled::Entry)> {
        Cause::ALL.into_iter().filter_map(|cause| {
            let file = help_topics::level_of(cause)?;
            let entry = self.bundle.iter().find(|entry| entry.file == file)?;
            (!entry.is_recorded).then_some((cause, entry))
        })
    }

    /// The cause of the tour whose level is open.
    pub fn toured(&self) -> Option<Cause> {
        let Source::Bundled(open) = &self.document()?.source else {
            return None;
        };
        let (cause, _) = self.tour().find(|(_, entry)| entry.file == open)?;
        Some(cause)
    }

    /// What the open level lacks, once it is judged.
    pub fn tour_lacks(&self) -> Option<&Lacks> {
        let (of, lacks) = self.tour_lacks.as_ref()?;
        (Some(*of) == self.toured()).then_some(lacks)
    }

    /// Starts judging the open level, after its diagnosis.
    pub(super) fn judge_tour(&mut self, report: &Arc<Report>) {
        let Some((cause, document)) = self.toured().zip(self.document()) else {
            return;
        };
        let (replay, report) = (Arc::clone(document.replay()), Arc::clone(report));
        self.jobs.start(JobKind::JudgeTour, move |job| {
            let before = cause_film::level_and_finding(cause, job);
            let lacks = before.map(|(level, finding)| {
                lacks((&level.replay, &finding), &replay, &report.findings, cause)
            });
            JobDone::JudgeTour(cause, lacks)
        });
    }

    /// Stores what a level lacks; a fixed one is kept in the settings.
    pub(super) fn take_tour(&mut self, cause: Cause, lacks: Option<Lacks>) {
        let Some(lacks) = lacks else {
            return;
        };
        let is_new = lacks.is_empty() && !self.is_fixed(cause);
        self.tour_lacks = Some((cause, lacks));
        if is_new {
            self.settings.fixed_causes.insert(cause.id().to_owned());
            self.save_settings();
            let (fixed, all) = self.tour_progress();
            let what = format!("{} {}: fixed, {fixed} of {all}", cause.id(), cause.title());
            self.messages
                .add(Severity::Done, Problem::new("Fix the causes", what, ""));
        }
    }

    /// Whether the level of a cause was fixed once.
    pub fn is_fixed(&self, cause: Cause) -> bool {
        self.settings.fixed_causes.contains(cause.id())
    }

    /// How many levels are fixed, of how many.
    pub fn tour_progress(&self) -> (usize, usize) {
        let fixed = self.tour().filter(|(cause, _)| self.is_fixed(*cause));
        (fixed.count(), self.tour().count())
    }
}

/// What a changed level lacks; `before` is the level as it comes, with its finding.
fn lacks(
    (before, finding): (&Replay, &Finding),
    now: &Replay,
    findings: &[Finding],
    cause: Cause,
) -> Lacks {
    let mut lacks = Lacks::new();
    let of_cause = |it: &&Finding| it.cause == cause || it.also.contains(&cause);
    let same_pair = |it: &&Finding| {
        let names = [&it.a, &it.b];
        names == [&finding.a, &finding.b] || names == [&finding.b, &finding.a]
    };
    if let Some(left) = findings.iter().find(|it| of_cause(it) || same_pair(it)) {
        lacks.push(format!("there is still a finding: {}", left.text));
    }
    // The surface that a phantom came from may become a part of another one.
    let names = match finding.kind {
        Kind::Phantom => vec![finding.object_a],
        _ => vec![finding.object_a, finding.object_b],
    };
    let objects = names.into_iter().flatten();
    for was in objects.filter_map(|id| before.objects().get(id as usize)) {
        match now.objects().iter().find(|it| it.name == was.name) {
            None => lacks.push(format!("{} is gone", was.name)),
            Some(is) if discriminant(&is.movement) != discriminant(&was.movement) => {
                lacks.push(format!("{} moves in another way than before", was.name));
            }
            Some(is) if is_slow(is, was) => {
                lacks.push(format!("{} is less than half as fast as before", was.name));
            }
            Some(_) => {}
        }
    }
    if finding.object_a.is_none() && before.scene().camera.is_some() && now.scene().camera.is_none()
    {
        lacks.push("the camera is gone".to_owned());
    }
    let must_meet = [Kind::Tunnels, Kind::Clips, Kind::WrongSide, Kind::Sinks];
    let mover = now.object_named(&finding.a);
    if let Some(mover) = mover.filter(|_| must_meet.contains(&finding.kind))
        && !(0..now.objects().len() as ObjectId)
            .any(|other| other != mover && meet(now, mover, other))
    {
        lacks.push(format!("{} no longer meets anything", finding.a));
    }
    lacks
}

fn is_slow(is: &Object, was: &Object) -> bool {
    let speed = was.velocity.length();
    speed > 0.0 && is.velocity.length() < AS_FAST * speed
}

/// Whether two objects touch in any frame.
fn meet(replay: &Replay, a: ObjectId, b: ObjectId) -> bool {
    let mut history = History::new(Subject::Pair(a, b));
    (0..replay.frames()).any(|number| {
        history.add(replay, &replay.frame(number));
        !history.contacts.is_empty() || !history.impacts.is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::diagnose::{Options, diagnose};
    use crate::core::level;

    /// What the level of a cause lacks after these changes of its text.
    fn after(cause: Cause, changes: &[(&str, &str)]) -> Lacks {
        let (level, finding) = cause_film::level_and_finding(cause, &()).expect("a finding");
        let file = help_topics::level_of(cause).expect("a level");
        let mut folder = bundled::folder();
        let bytes = folder.files.get_mut(file).expect("it is bundled");
        let mut text = String::from_utf8(bytes.clone()).expect("text");
        for (from, to) in changes {
            assert!(text.contains(from), "{file}: {from}");
            text = text.replace(from, to);
        }
        *bytes = text.into_bytes();
        let now = match level::open_in(&folder, file, &()) {
            Ok(now) => now,
            Err(problems) => return vec![problems.to_string()],
        };
        let report = diagnose(&now, &Options::default(), &()).expect("a report");
        lacks(
            (&level.replay, &finding),
            &now.replay,
            &report.findings,
            cause,
        )
    }

    /// The two halves of the floor of C10, and the floor as one mesh.
    const HALVES: [&str; 2] = [
        r#"(name: "right half", shape: Triangle(a: (0.0, 0.0, 2.0), b: (2.0, 0.0, 0.0), c: (0.0, 0.0, -2.0)), motion: Fixed),"#,
        r#"(name: "left half", shape: Triangle(a: (0.0, 0.0, -2.0), b: (-2.0, 0.0, 0.0), c: (0.0, 0.0, 2.0)), motion: Fixed),"#,
    ];
    const EXPECTED: &str =
        r#"Finds(kind: Phantom, cause: C10, a: "ball", b: "right half", frame: 0),"#;
    const MERGED: &str = r#"(name: "floor", shape: Mesh(vertices: [(0.0, 0.0, 2.0), (2.0, 0.0, 0.0), (0.0, 0.0, -2.0), (-2.0, 0.0, 0.0)], triangles: [(0, 1, 2), (2, 3, 0)]), motion: Fixed),"#;

    /// Every level of the tour can be fixed, and is not as it comes.
    #[test]
    fn every_level_can_be_fixed() {
        let sweep = ("frames:", "detection: Sweep, frames:");
        let push = ("response: Ignore", "response: Push");
        let fixes: [(&str, &[(&str, &str)]); 16] = [
            ("C01", &[("detection: Overlap", "detection: Sweep")]),
            ("C02", &[sweep, push]),
            ("C03", &[sweep]),
            (
                "C04",
                &[
                    ("dt: 0.016666666666666666", "dt: 0.00119047619"),
                    ("frames: 2", "frames: 28"),
                ],
            ),
            ("C05", &[("detection: Overlap", "detection: Sweep")]),
            ("C06", &[sweep]),
            ("C07", &[("response: Push", "response: Slide")]),
            (
                "C08",
                &[
                    ("facing: Front", "facing: Both"),
                    ("response: Push", "response: Slide"),
                ],
            ),
            ("C09", &[sweep, ("-0.005", "0.0"), ("0.005", "0.0")]),
            (
                "C10",
                &[(HALVES[0], MERGED), (HALVES[1], ""), (EXPECTED, "")],
            ),
            ("C12", &[("(0.0, 0.3, 0.0)", "(0.0, 0.495, 0.0)")]),
            (
                "C17",
                &[
                    sweep,
                    push,
                    ("999999.6000000001", "-0.4"),
                    ("1000000.04", "0.04"),
                ],
            ),
            (
                "C18",
                &[sweep, push, ("layer: 2, mask: 2", "layer: 2, mask: 3")],
            ),
            ("C20", &[("half_extents: (0.1,", "half_extents: (0.6,")]),
            ("C23", &[("probe: Off", "probe: Standard")]),
            (
                "C24",
                &[("(frame: 1, position: (0.0,", "(frame: 1, position: (-1.2,")],
            ),
        ];
        let mut missing = Vec::new();
        for (id, changes) in fixes {
            let cause = Cause::from_id(id).expect("a cause");
            let before = after(cause, &[]);
            assert!(
                before[0].starts_with("there is still a finding: "),
                "{before:?}"
            );
            let lacks = after(cause, changes);
            if !lacks.is_empty() {
                missing.push((id, lacks));
            }
        }
        assert_eq!(missing, []);
    }
}
