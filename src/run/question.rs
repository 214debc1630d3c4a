//! The findings that are looked for in each run.

use super::names::{CAMERA, fits, form};
use super::present::Present;
use super::program::{Failure, Judged};
use crate::core::diagnose::{Cause, Finding, Fix, Kind};
use crate::core::number::seconds;
use crate::core::problem::did_you_mean;
use crate::core::replay::Replay;
use crate::core::scene::UserUnits;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io;

/// Part of a time that is the rounding of its sum.
const ROUNDING: f64 = 1e-9;

/// Which findings are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Any of them.
    kinds: Vec<Kind>,
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
                    kinds: failing().collect(),
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
            kinds: vec![kind],
            cause,
            pair,
        })
    }

    /// The pair of a finding, whatever its numbers are, with any that fails a job: a body that is noticed at last and pushed out on the far side
    /// still passes. With this kind alone where it does not fail one.
    pub fn of(finding: &Finding) -> Self {
        Self {
            kinds: match finding.kind.fails_by_default() {
                true => failing().collect(),
                false => vec![finding.kind],
            },
            cause: None,
            pair: Some(pair(&form(&finding.a), &form(&finding.b))),
        }
    }

    /// The same against the obstacle of a finding, whatever its number is: of many bodies it is another one in each run that passes. Of the kinds by
    /// which a body passes it is any.
    fn against_obstacle(finding: &Finding) -> Self {
        let mut kinds = Kind::ALL.into_iter().filter(|kind| kind.passes()).collect();
        if !finding.kind.passes() {
            kinds = vec![finding.kind];
        }
        let mover = if finding.a == CAMERA { CAMERA } else { "*" };
        Self {
            kinds,
            cause: None,
            pair: (!finding.b.is_empty()).then(|| pair(mover, &form(&finding.b))),
        }
    }

    fn matches(&self, finding: &Finding) -> bool {
        self.kinds.contains(&finding.kind)
            && self.cause.is_none_or(|cause| finding.cause == cause)
            && self.pair.as_ref().is_none_or(|[a, b]| {
                let fit = |one: &str, other: &str| fits(a, one) && fits(b, other);
                fit(&finding.a, &finding.b) || fit(&finding.b, &finding.a)
            })
    }

    /// `Tunnels C01 of ball and wall`, `Tunnels, WrongSide or Sinks of any body against wall`.
    pub fn text(&self) -> String {
        let names = self.kinds.iter().map(|kind| kind.name());
        let kinds = match self.kinds.len() {
            _ if failing().eq(self.kinds.iter().copied()) => {
                "any finding that fails a job".to_owned()
            }
            _ => one_of(&names.collect::<Vec<_>>()),
        };
        let cause = self.cause.map(|cause| format!(" {}", cause.id()));
        let pair = self.pair.as_ref().map(|[a, b]| match [&**a, &**b] {
            ["", b] => format!(" of {b}"),
            ["*", b] | [b, "*"] => format!(" of any body against {b}"),
            [a, b] => format!(" of {a} and {b}"),
        });
        [kinds, cause.unwrap_or_default(), pair.unwrap_or_default()].concat()
    }

    /// The pair that a run must have to say something of it: one body at least where none is given.
    fn needed(&self) -> [String; 2] {
        self.pair.clone().unwrap_or_else(|| pair("", "*"))
    }

    /// The first of its names that no object of a run has.
    fn unknown(&self, replay: &Replay) -> Option<&str> {
        let names = self.pair.iter().flatten();
        let mut names = names.filter(|name| !name.is_empty() && *name != CAMERA);
        let is_there = |name: &String| replay.objects().iter().any(|it| fits(name, &it.name));
        names.find(|name| !is_there(name)).map(String::as_str)
    }
}

/// The lines of a run's findings.
pub(super) fn lines_of(judged: &Judged) -> Result<Vec<String>, Failure> {
    let mut lines = Vec::new();
    each(judged, &mut |finding| lines.push(finding.line()))?;
    Ok(lines)
}

/// What to say of a run without an object of a name that is looked for.
pub(super) fn unknown_name(
    judged: &Judged,
    patterns: &[Pattern],
) -> Result<Option<Failure>, Failure> {
    let replay = &judged.level.replay;
    let Some(name) = patterns.iter().find_map(|one| one.unknown(replay)) else {
        return Ok(None);
    };
    let names = replay.objects().iter().map(|object| object.name.as_str());
    let near = did_you_mean(name, names);
    let seen = seen_text(&lines_of(judged)?);
    let what = format!("no object of the first run is named \"{name}\": {near}; {seen}");
    Ok(Some(failure(what, judged)))
}

/// `it has Tunnels C01: ball → wall, frame 3; and 2 more`, the findings of the first run.
pub(super) fn seen_text(lines: &[String]) -> String {
    const SHOWN: usize = 5;
    if lines.is_empty() {
        return "it has no finding".to_owned();
    }
    let mut shown: Vec<&str> = lines.iter().take(SHOWN).map(String::as_str).collect();
    let more = format!("and {} more", lines.len() - shown.len());
    if lines.len() > SHOWN {
        shown.push(&more);
    }
    format!("it has {}", shown.join("; "))
}

/// The kinds that fail a job.
fn failing() -> impl Iterator<Item = Kind> {
    Kind::ALL.into_iter().filter(|kind| kind.fails_by_default())
}

/// `Tunnels, WrongSide or Sinks`.
fn one_of(names: &[&str]) -> String {
    match names {
        [all @ .., last] if !all.is_empty() => format!("{} or {last}", all.join(", ")),
        _ => names.concat(),
    }
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
    /// The kinds that fail a job of all findings of the first run, with the obstacle.
    known: BTreeSet<(Kind, String)>,
    /// The findings were given, and their names have `*` for any letters.
    is_given: bool,
    /// The pairs in question: of each a run must have one at least.
    pairs: BTreeSet<[String; 2]>,
    /// The causes in question, which must be judged in each run.
    causes: BTreeSet<Cause>,
    /// The latest start of a finding looked for, seconds from the start.
    until: f64,
    /// The first of the findings looked for, the most harm first.
    pub first: Sighting,
    /// The fixes of each of them, and the units of the level in which they are.
    pub fixes: Vec<Vec<Fix>>,
    pub units: UserUnits,
}

/// What one run says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// The first of the findings looked for.
    pub found: Option<Sighting>,
    /// Kinds of finding that fail a job and that the first run did not have against that obstacle.
    pub new_kinds: BTreeSet<Kind>,
    /// The two of some pair came near each other.
    pub near: bool,
}

impl Answer {
    /// None of the findings, of bodies that came near each other.
    pub fn none() -> Self {
        Self {
            found: None,
            new_kinds: BTreeSet::new(),
            near: true,
        }
    }
}

impl Question {
    /// Of a first run; `None` if it has none of the findings. Without `patterns`, what fails a job in it is looked for, of any body against the same
    /// obstacles.
    pub fn of(judged: &Judged, patterns: &[Pattern]) -> Result<Option<Self>, Failure> {
        let is_given = !patterns.is_empty();
        let replay = &judged.level.replay;
        let (mut found, mut known) = (Vec::new(), BTreeSet::new());
        each(judged, &mut |finding| {
            let fails = finding.kind.fails_by_default();
            let wanted = patterns.iter().find(|pattern| pattern.matches(finding));
            let default = || fails.then(|| Pattern::against_obstacle(finding));
            let wanted = match patterns {
                [] => default(),
                _ => wanted.cloned(),
            };
            found.extend(wanted.map(|pattern| (finding.clone(), pattern)));
            if fails {
                known.insert((finding.kind, form(&finding.b)));
            }
        })?;
        found.sort_by(|(one, _), (other, _)| one.by_harm(other));
        let Some((first, _)) = found.first() else {
            return Ok(None);
        };
        let mut patterns = patterns.to_vec();
        if patterns.is_empty() {
            for (_, pattern) in &found {
                if !patterns.contains(pattern) {
                    patterns.push(pattern.clone());
                }
            }
        }
        // What was given says what a run must have; else it is a body of each sort that the first one has.
        let needed = found.iter().map(|(finding, pattern)| match is_given {
            true => pattern.needed(),
            false => pair(&form(&finding.a), &form(&finding.b)),
        });
        let findings = || found.iter().map(|(finding, _)| finding);
        let starts = findings().map(|finding| replay.time(finding.frame));
        Ok(Some(Self {
            patterns,
            known,
            is_given,
            pairs: needed.collect(),
            causes: findings().map(|finding| finding.cause).collect(),
            until: starts.fold(0.0, f64::max),
            first: sighting(first, replay),
            fixes: findings().map(|it| it.fixes.clone()).collect(),
            units: replay.units(),
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
        let mut answer = Answer::none();
        each(judged, &mut |finding| {
            let is_wanted = self.patterns.iter().any(|it| it.matches(finding));
            if is_wanted && answer.found.is_none() {
                answer.found = Some(sighting(finding, replay));
            }
            let kind = finding.kind;
            // Of two moving bodies either may be the obstacle.
            let is_known = |name: &str| self.known.contains(&(kind, form(name)));
            if kind.fails_by_default() && !is_known(&finding.b) && !is_known(&finding.a) {
                answer.new_kinds.insert(kind);
            }
        })?;
        if answer.found.is_some() {
            return Ok(answer);
        }
        let present = Present::of(replay, self.is_given);
        if let Some(what) = self.obstacle(judged, &present) {
            return Err(failure(what, judged));
        }
        answer.near = self.pairs.iter().any(|pair| present.come_near(pair));
        Ok(answer)
    }

    /// Why a run without the findings could not have had them.
    fn obstacle(&self, judged: &Judged, present: &Present<'_>) -> Option<String> {
        let replay = &judged.level.replay;
        for names in &self.pairs {
            if let Some(what) = present.lack(names) {
                return Some(what);
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
        timed_out: false,
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
            kinds: vec![Kind::Tunnels],
            cause: cause.and_then(|id| Cause::ALL.into_iter().find(|one| one.id() == id)),
            pair: pair.map(|names| names.map(str::to_owned)),
        };
        assert_eq!(read("tunnels"), of(None, None));
        assert_eq!(read("Tunnels:c01"), of(Some("C01"), None));
        assert_eq!(read("Tunnels:wall:ball"), of(None, Some(["ball", "wall"])));
        let whole = of(Some("C01"), Some(["ball", "wall"]));
        assert_eq!(read("Tunnels:C01:ball:wall"), whole);
        let any = Pattern {
            kinds: failing().collect(),
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
    fn what_is_looked_for_is_said_in_words() {
        let text = |text| Pattern::parse(text).unwrap().text();
        assert_eq!(
            text("Tunnels:C01:wall:ball"),
            "Tunnels C01 of ball and wall"
        );
        assert_eq!(
            text("*:wall"),
            "any finding that fails a job of any body against wall"
        );
        assert_eq!(
            text("(wall):*"),
            "any finding that fails a job of any body against (wall)"
        );
        assert_eq!(text("Sinks"), "Sinks");
        assert_eq!(
            one_of(&["Tunnels", "WrongSide", "Sinks"]),
            "Tunnels, WrongSide or Sinks"
        );
    }
}
