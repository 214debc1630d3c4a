//! The findings that are looked for in each run.

use super::program::{Failure, Judged};
use crate::core::bounds::swept_aabb;
use crate::core::diagnose::{Cause, Finding, Fix, Kind};
use crate::core::number::seconds;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::UserUnits;
use crate::core::shape::{Motion, Shape};
use serde::Serialize;
use std::collections::BTreeSet;
use std::io;

/// Name of the camera in findings.
const CAMERA: &str = "camera";
/// Part of a time that is the rounding of its sum.
const ROUNDING: f64 = 1e-9;

/// Whether the boxes around the ways of two objects come near each other in any frame; true where one is not an object of the level, or has no box.
fn come_near(replay: &Replay, names: &[String; 2]) -> bool {
    let ids = names.each_ref().map(|name| replay.object_named(name));
    let [Some(a), Some(b)] = ids else {
        return true;
    };
    let way = |frame: u32, id: ObjectId| {
        let pose = |state: u32| Some(replay.body(state, id)?.pose);
        let (start, end) = (pose(frame)?, pose(frame + 1)?);
        Some(Motion { start, end })
    };
    let [a_shape, b_shape] = [a, b].map(|id| &replay.objects()[id as usize].shape);
    // Engines hold bodies some way off, at most by about their size.
    let reach = |shape: &Shape| shape.reach().unwrap_or(f64::INFINITY);
    let off = reach(a_shape).min(reach(b_shape));
    (0..replay.frames()).any(|frame| {
        let Some((a_way, b_way)) = way(frame, a).zip(way(frame, b)) else {
            return false;
        };
        match (swept_aabb(a_shape, &a_way), swept_aabb(b_shape, &b_way)) {
            (Some(a), Some(b)) => a.grown(off).overlaps(&b),
            _ => true,
        }
    })
}

/// Which findings are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// `None` for each kind that fails a job.
    kind: Option<Kind>,
    cause: Option<Cause>,
    /// In any order; `None` for any.
    pair: Option<[String; 2]>,
}

impl Pattern {
    /// Reads `KIND[:CAUSE][:A:B]`, or `A:B` for any finding of the two that fails a job; `*` in a name stands for any letters.
    ///
    /// # Errors
    /// What is expected.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut words: Vec<&str> = text.split(':').map(str::trim).collect();
        let kind = match (Kind::parse(words[0]), words.len()) {
            (Err(_), 2) => {
                return Ok(Self {
                    kind: None,
                    cause: None,
                    pair: Some(pair(words[0], words[1])),
                });
            }
            (kind, _) => kind?,
        };
        words.remove(0);
        let mut causes = Cause::ALL.into_iter();
        let cause = words.first().and_then(|word| {
            let is_it = |cause: &Cause| cause.id().eq_ignore_ascii_case(word);
            causes.find(is_it)
        });
        if cause.is_some() {
            words.remove(0);
        }
        let pair = match words[..] {
            [] => None,
            [a, b] => Some(pair(a, b)),
            _ => {
                return Err(format!(
                    "invalid finding \"{text}\": expected KIND, KIND:CAUSE, A:B, KIND:A:B or KIND:CAUSE:A:B, with a cause such as C01 and the names of two objects; a name with a colon cannot be given"
                ));
            }
        };
        Ok(Self {
            kind: Some(kind),
            cause,
            pair,
        })
    }

    /// The pair of a finding with any that fails a job: a body that is noticed at last and pushed out on the far side still passes. With this kind
    /// alone where it does not fail one.
    pub fn of(finding: &Finding) -> Self {
        Self {
            kind: (!finding.kind.fails_by_default()).then_some(finding.kind),
            cause: None,
            pair: Some(pair(&finding.a, &finding.b)),
        }
    }

    fn matches(&self, finding: &Finding) -> bool {
        let is_kind = match self.kind {
            Some(kind) => finding.kind == kind,
            None => finding.kind.fails_by_default(),
        };
        is_kind
            && self.cause.is_none_or(|cause| finding.cause == cause)
            && self.pair.as_ref().is_none_or(|[a, b]| {
                let fit = |one: &str, other: &str| fits(a, one) && fits(b, other);
                fit(&finding.a, &finding.b) || fit(&finding.b, &finding.a)
            })
    }

    fn text(&self) -> String {
        let kind = self.kind.map_or("a finding that fails", Kind::name);
        let cause = self.cause.map(|cause| format!(" {}", cause.id()));
        let pair = self.pair.as_ref().map(|[a, b]| match a.as_str() {
            "" => format!(" of {b}"),
            _ => format!(" of {a} and {b}"),
        });
        [kind, &cause.unwrap_or_default(), &pair.unwrap_or_default()].concat()
    }
}

/// Whether a name is one, or has the form of one with `*` for any letters.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    name.strip_prefix(start).is_some_and(|name| {
        let ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
        ends.into_iter().any(|at| fits(rest, &name[at..]))
    })
}

fn pair(a: &str, b: &str) -> [String; 2] {
    let (first, second) = (a.min(b), a.max(b));
    [first.to_owned(), second.to_owned()]
}

/// A finding of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sighting {
    /// `Tunnels C01: ball → wall, frame 12`.
    pub line: String,
    /// The finding's sentence.
    pub text: String,
    /// The changes that fix it, as text.
    pub fixes: Vec<String>,
}

/// What is asked of each run, after a first one that has the findings looked for.
#[derive(Clone, Debug)]
pub(super) struct Question {
    patterns: Vec<Pattern>,
    /// All findings of the first run that fail a job.
    known: BTreeSet<(Kind, [String; 2])>,
    /// The pairs in question.
    pairs: BTreeSet<[String; 2]>,
    /// The causes in question, which must be judged in each run.
    causes: BTreeSet<Cause>,
    /// The latest start of a finding looked for, seconds from the start.
    until: f64,
    /// The first of the findings looked for, the most harm first.
    pub first: Sighting,
    /// The fixes of all of them, and the units of the level in which they are.
    pub fixes: Vec<Fix>,
    pub units: UserUnits,
}

/// What one run says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// The first of the findings looked for.
    pub found: Option<Sighting>,
    /// Kinds of finding that fail a job and that the first run did not have in that pair.
    pub new_kinds: BTreeSet<Kind>,
    /// The two of some pair came near each other.
    pub near: bool,
}

impl Question {
    /// Of a first run; `None` if it has none of the findings. Without `patterns`, each pair with a finding that fails a job is looked for, with any
    /// such finding: a body that is noticed at last and pushed out on the far side still passes.
    pub fn of(judged: &Judged, patterns: &[Pattern]) -> Result<Option<Self>, Failure> {
        let replay = &judged.level.replay;
        let (mut found, mut known) = (Vec::new(), BTreeSet::new());
        each(judged, &mut |finding| {
            let fails = finding.kind.fails_by_default();
            let is_wanted = patterns.iter().any(|pattern| pattern.matches(finding));
            if is_wanted || patterns.is_empty() && fails {
                found.push(finding.clone());
            }
            if fails {
                known.insert((finding.kind, pair(&finding.a, &finding.b)));
            }
        })?;
        found.sort_by(Finding::by_harm);
        let Some(first) = found.first() else {
            return Ok(None);
        };
        let pairs: BTreeSet<[String; 2]> = found.iter().map(|it| pair(&it.a, &it.b)).collect();
        let of_pair = |pair: &[String; 2]| Pattern {
            kind: None,
            cause: None,
            pair: Some(pair.clone()),
        };
        let patterns = match patterns {
            [] => pairs.iter().map(of_pair).collect(),
            _ => patterns.to_vec(),
        };
        let starts = found.iter().map(|finding| replay.time(finding.frame));
        Ok(Some(Self {
            patterns,
            known,
            causes: found.iter().map(|finding| finding.cause).collect(),
            until: starts.fold(0.0, f64::max),
            first: sighting(first, replay),
            fixes: found.iter().flat_map(|it| it.fixes.clone()).collect(),
            units: replay.units(),
            pairs,
        }))
    }

    /// What is looked for, as text.
    pub fn texts(&self) -> Vec<String> {
        self.patterns.iter().map(Pattern::text).collect()
    }

    /// What a run says.
    ///
    /// # Errors
    /// When it has none of the findings and could not have had them: then it says nothing.
    pub fn ask(&self, judged: &Judged) -> Result<Answer, Failure> {
        let replay = &judged.level.replay;
        let mut answer = Answer {
            found: None,
            new_kinds: BTreeSet::new(),
            near: true,
        };
        each(judged, &mut |finding| {
            let is_wanted = self.patterns.iter().any(|it| it.matches(finding));
            if is_wanted && answer.found.is_none() {
                answer.found = Some(sighting(finding, replay));
            }
            let kind = finding.kind;
            if kind.fails_by_default()
                && !self.known.contains(&(kind, pair(&finding.a, &finding.b)))
            {
                answer.new_kinds.insert(kind);
            }
        })?;
        if answer.found.is_none()
            && let Some(what) = self.obstacle(judged)
        {
            return Err(failure(what, judged));
        }
        // Without a pair the pattern matches any.
        let is_any = self.patterns.iter().any(|pattern| pattern.pair.is_none());
        answer.near = answer.found.is_some()
            || is_any
            || self.pairs.iter().any(|pair| come_near(replay, pair));
        Ok(answer)
    }

    /// Why a run without the findings could not have had them.
    fn obstacle(&self, judged: &Judged) -> Option<String> {
        let replay = &judged.level.replay;
        for names in &self.pairs {
            let named = |name: &String| !name.is_empty() && name != CAMERA;
            let mut ids = Vec::new();
            for name in names.iter().filter(|name| named(name)) {
                let id = replay.object_named(name);
                let is_there = |id| (0..=replay.frames()).any(|at| replay.body(at, id).is_some());
                match id.filter(|id| is_there(*id)) {
                    Some(id) => ids.push(id),
                    None => return Some(format!("its log has no state of \"{name}\"")),
                }
            }
            if let [a, b] = ids[..]
                && replay.exemption(0, a, b).is_some()
            {
                let [a, b] = names;
                return Some(format!(
                    "\"{a}\" and \"{b}\" are not tested against each other in its log: one body, a joint or an ignore list"
                ));
            }
        }
        let missing = judged.report.not_judged.iter();
        let mut missing =
            missing.filter(|one| one.cause.is_some_and(|it| self.causes.contains(&it)));
        if let Some(one) = missing.next() {
            return Some(format!(
                "a cause looked for was not judged: {}",
                one.sentence()
            ));
        }
        // A phase may shift the finding by a frame, and times are sums with rounding.
        let end = replay.time(replay.frames());
        (end < self.until * (1.0 - ROUNDING)).then(|| {
            format!(
                "its log ends after {}, before the finding of the first run at {}",
                seconds(end),
                seconds(self.until)
            )
        })
    }
}

/// Calls a function with each finding that is not expected.
fn each(judged: &Judged, on: &mut dyn FnMut(&Finding)) -> Result<(), Failure> {
    let read = judged.report.findings.for_each(&mut |_, finding| {
        if !finding.is_accepted() {
            on(finding);
        }
        io::Result::Ok(())
    });
    read.map_err(|error| {
        let what = format!("its findings could not be read back: {error}");
        failure(what, judged)
    })
}

fn failure(what: String, judged: &Judged) -> Failure {
    Failure {
        what,
        last_lines: judged.last_lines.clone(),
    }
}

fn sighting(finding: &Finding, replay: &Replay) -> Sighting {
    let units = replay.units();
    Sighting {
        line: finding.line(),
        text: finding.text.clone(),
        fixes: finding.fixes.iter().map(|fix| fix.text(units)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_read_with_and_without_cause_and_pair() {
        let read = |text| Pattern::parse(text).unwrap();
        let of = |cause: Option<&str>, pair: Option<[&str; 2]>| Pattern {
            kind: Some(Kind::Tunnels),
            cause: cause.and_then(|id| Cause::ALL.into_iter().find(|one| one.id() == id)),
            pair: pair.map(|names| names.map(str::to_owned)),
        };
        assert_eq!(read("tunnels"), of(None, None));
        assert_eq!(read("Tunnels:c01"), of(Some("C01"), None));
        assert_eq!(read("Tunnels:wall:ball"), of(None, Some(["ball", "wall"])));
        let whole = of(Some("C01"), Some(["ball", "wall"]));
        assert_eq!(read("Tunnels:C01:ball:wall"), whole);
        let any = Pattern {
            kind: None,
            ..of(None, Some(["ball", "wall"]))
        };
        assert_eq!(read("ball:wall"), any);
        for wrong in [
            "",
            "Tunels",
            "Tunnels:C99",
            "Tunnels:a:b:c",
            "Tunnels:C01:a",
        ] {
            assert!(Pattern::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_star_stands_for_any_letters() {
        for name in ["bullet 1", "bullet 12", "bullet "] {
            assert!(fits("bullet *", name), "{name}");
        }
        assert!(fits("*", "") && fits("a*b*c", "a-b-b-c") && fits("äö*", "äöü"));
        for name in ["bullet", "a bullet 1", "Bullet 1"] {
            assert!(!fits("bullet *", name), "{name}");
        }
        assert!(!fits("a*b", "ab1") && !fits("", "a"));
    }
}
