//! Results in a few words, each with its severity.

use super::camera::CameraExplanation;
use super::candidates::Candidate;
use super::{Ending, Explanation, Filter, Outcome, OverlapTest};
use crate::core::broad_phase::Verdict;
use crate::core::number::{count, number};
use crate::core::schema::UserUnits;
use glam::DVec3;

/// The severity of a result. The window has a colour for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// There is no result.
    None,
    /// No contact.
    Clear,
    /// Layers, masks or exemptions exclude the pair.
    Excluded,
    /// An impact in the frame.
    Impact,
    /// An overlap, or something that goes through a surface.
    Bad,
}

/// A result in a few words.
pub type Summary = (Severity, String);

impl Outcome {
    /// The outcome in a few words: `hits at 0.31`.
    pub fn summary(&self, units: UserUnits) -> Summary {
        match *self {
            Self::Hits(impact) => (
                Severity::Impact,
                format!("hits at {}", number(impact.fraction)),
            ),
            Self::Overlapping { depth } => (
                Severity::Bad,
                format!("overlaps by {} at the start", units.length(depth)),
            ),
            Self::Misses { by, fraction } => (
                Severity::Clear,
                format!("misses by {} at {}", units.length(by), number(fraction)),
            ),
            Self::Grazes { fraction } => {
                (Severity::Clear, format!("grazes at {}", number(fraction)))
            }
            Self::Later => (Severity::Clear, "approaches, apart at the end".to_owned()),
            Self::Receding => (Severity::Clear, "not approaching".to_owned()),
        }
    }
}

impl OverlapTest {
    /// The result in a few words: `overlap, 0.1 m deep`; `None` is an object that is not present.
    pub fn summary(test: Option<&Self>, units: UserUnits) -> Summary {
        let Some(test) = test else {
            return (Severity::None, ABSENT.to_owned());
        };
        match (&test.contact, test.gap) {
            (Some(contact), _) if contact.depth == 0.0 => (Severity::Bad, "touching".to_owned()),
            (Some(contact), _) => (
                Severity::Bad,
                format!("overlap, {} deep", units.length(contact.depth)),
            ),
            (None, Some(gap)) => (Severity::Clear, format!("apart by {}", units.length(gap))),
            (None, None) => (
                Severity::None,
                "no overlap: behind a one-sided surface".to_owned(),
            ),
        }
    }
}

const ABSENT: &str = "not both present";

impl Ending {
    fn summary(&self, filter: &Filter, broad: Option<Verdict>, units: UserUnits) -> Summary {
        match self {
            Self::NoPair => (Severity::None, "not a pair".to_owned()),
            Self::Absent(..) => (Severity::None, ABSENT.to_owned()),
            Self::Masked => (
                Severity::Excluded,
                match filter.exemption {
                    Some(exemption) => exemption.reason().to_owned(),
                    None => "masked".to_owned(),
                },
            ),
            Self::LeftOut => (
                Severity::Clear,
                match broad {
                    Some(Verdict::Culled { axis, by }) => {
                        format!(
                            "culled on {} by {}",
                            units.axis_name(DVec3::AXES[axis]),
                            units.length(by)
                        )
                    }
                    Some(Verdict::BothRest) => "both at rest".to_owned(),
                    Some(Verdict::NotFinite) => "not a number".to_owned(),
                    _ => "culled".to_owned(),
                },
            ),
            Self::Swept(outcome) => outcome.summary(units),
        }
    }
}

impl Explanation {
    /// The sweep's result in a few words.
    pub fn summary(&self) -> Summary {
        self.ending.summary(&self.filter, self.broad, self.units)
    }
}

impl Candidate {
    /// The result in a few words: `culled on y by 0.3 m`, `masked`, `hits at 0.31`.
    pub fn summary(&self, units: UserUnits) -> Summary {
        let (severity, text) = self.ending.summary(&self.filter, self.broad, units);
        match (self.ending, self.turning) {
            (Ending::Swept(Outcome::Overlapping { .. }), _) => (severity, text),
            (Ending::Swept(_), Some(at)) => (
                Severity::Impact,
                format!("hits at {} while rotating", number(at)),
            ),
            (Ending::Swept(Outcome::Receding | Outcome::Later), _) => (
                severity,
                format!("{text}, {} away", units.length(self.distance)),
            ),
            _ => (severity, text),
        }
    }
}

impl CameraExplanation {
    /// Each test of the camera against the object: what it tests, and its result in a few words.
    pub fn summaries(&self) -> [(&'static str, Summary); 4] {
        [
            ("Its path", self.path_summary()),
            ("A ball of its probe's length", self.ball_summary()),
            ("Its near plane at the end", self.near_summary()),
            ("Its probe at the end", self.probe_summary()),
        ]
    }

    fn path_summary(&self) -> Summary {
        match &self.path {
            Some(hit) => (
                Severity::Bad,
                format!("crosses it at {}", number(hit.fraction)),
            ),
            None => (Severity::Clear, "stays outside".to_owned()),
        }
    }

    fn ball_summary(&self) -> Summary {
        match &self.ball {
            Some((outcome, _)) => outcome.summary(self.units),
            None => (Severity::None, "no probe".to_owned()),
        }
    }

    fn near_summary(&self) -> Summary {
        match &self.near {
            Some(hit) => (
                Severity::Bad,
                format!("goes through at {}", self.units.point(hit.point)),
            ),
            None => (Severity::Clear, "clear".to_owned()),
        }
    }

    fn probe_summary(&self) -> Summary {
        let Some(probe) = &self.probe else {
            return (Severity::None, "no probe".to_owned());
        };
        match probe.answer.hits.len() {
            0 if self.path.is_some() => (Severity::Bad, "no hits".to_owned()),
            0 => (Severity::Clear, "no hits".to_owned()),
            hits => (
                Severity::Clear,
                format!(
                    "{}, push {}",
                    count(hits, "hit"),
                    self.units.length(probe.answer.push.length())
                ),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outcome_has_its_number_and_severity() {
        for (outcome, severity, text) in [
            (
                Outcome::Overlapping { depth: 0.125 },
                Severity::Bad,
                "overlaps by 0.125 m at the start",
            ),
            (
                Outcome::Misses {
                    by: 0.02,
                    fraction: 0.5,
                },
                Severity::Clear,
                "misses by 0.02 m at 0.5",
            ),
            (
                Outcome::Grazes { fraction: 0.25 },
                Severity::Clear,
                "grazes at 0.25",
            ),
            (Outcome::Receding, Severity::Clear, "not approaching"),
        ] {
            assert_eq!(
                outcome.summary(UserUnits::default()),
                (severity, text.to_owned())
            );
        }
        let absent = (Severity::None, "not both present".to_owned());
        assert_eq!(OverlapTest::summary(None, UserUnits::default()), absent);
    }
}
