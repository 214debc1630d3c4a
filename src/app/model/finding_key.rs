//! The identity of a finding, which a new report has at another index.

use super::Session;
use crate::core::diagnose::{Finding, Kind, NEAR_FRAMES};

/// What a finding is held by for longer than one report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FindingKey {
    kind: Kind,
    a: String,
    b: String,
    frame: u32,
}

impl From<&Finding> for FindingKey {
    fn from(finding: &Finding) -> Self {
        Self {
            kind: finding.kind,
            a: finding.a.clone(),
            b: finding.b.clone(),
            frame: finding.frame,
        }
    }
}

impl FindingKey {
    /// `Tunnels: ball → wall`.
    pub fn title(&self) -> String {
        let arrow = if self.b.is_empty() { "" } else { " \u{2192} " };
        format!("{}: {}{arrow}{}", self.kind.name(), self.a, self.b)
    }

    /// Whether both are of the same kind and pair.
    pub fn is_same_pair(&self, other: &Self) -> bool {
        (self.kind, &self.a, &self.b) == (other.kind, &other.a, &other.b)
    }

    /// Whether a finding is of the same kind and pair.
    fn is_of_pair(&self, finding: &Finding) -> bool {
        (self.kind, &self.a, &self.b) == (finding.kind, &finding.a, &finding.b)
    }

    /// The index of the finding in a report: of those of the kind and pair the nearest in time, if it is near, or the only one.
    pub fn find(&self, findings: &[Finding]) -> Option<usize> {
        let apart = |index: &usize| findings[*index].frame.abs_diff(self.frame);
        let same = (0..findings.len()).filter(|index| self.is_of_pair(&findings[*index]));
        let same: Vec<usize> = same.collect();
        let nearest = same.iter().copied().min_by_key(apart)?;
        (same.len() == 1 || apart(&nearest) <= NEAR_FRAMES).then_some(nearest)
    }
}

impl Session {
    /// Selects a finding of the report.
    pub(super) fn select_finding(&mut self, index: usize) {
        self.selected = self.document.findings().get(index).map(FindingKey::from);
        self.finding = self.selected.is_some().then_some(index);
        if self.selected.is_some() {
            self.last_finding.clone_from(&self.selected);
        }
    }

    /// Selects no finding.
    pub(in crate::app) fn deselect_finding(&mut self) {
        (self.selected, self.finding) = (None, None);
    }

    /// Finds the selected finding in a new report; while there is none, it stays selected. One that is not in the report of the `whole`
    /// is no longer selected.
    pub(super) fn find_selected(&mut self, whole: bool) {
        let findings = self.document.findings();
        self.finding = (self.selected.as_ref()).and_then(|selected| selected.find(findings));
        if let Some(index) = self.finding {
            self.selected = findings.get(index).map(FindingKey::from);
        } else if whole {
            self.selected = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_levels::{level, sphere, wall};
    use crate::core::diagnose::{Options, diagnose};
    use crate::core::level::Level;
    use glam::DVec3;

    #[test]
    fn a_finding_is_found_again_by_its_pair_and_frame() {
        let ball = sphere("ball", 0.5, DVec3::X * -2.0, DVec3::X * 80.0);
        let replay = level(
            0.05,
            [ball, wall("wall", DVec3::new(0.1, 5.0, 5.0), DVec3::ZERO)],
        );
        let level = Level {
            file: "test".into(),
            replay,
            notices: Vec::new(),
        };
        let report = diagnose(&level, &Options::default(), &()).unwrap();
        let finding = report.findings[0].clone();
        let at = |frame| {
            let mut other = finding.clone();
            other.frame = frame;
            other
        };
        let key = FindingKey::from(&at(100));
        let mut other = at(100);
        other.a = "other".to_owned();
        let found = |findings: &[Finding]| key.find(findings);
        assert_eq!(found(&[at(3), at(97), at(100), at(104)]), Some(2));
        assert_eq!(found(&[at(3), other.clone(), at(104)]), Some(2));
        assert_eq!(found(&[at(3), at(200)]), None, "that one is gone");
        assert_eq!(found(&[at(3), other]), Some(0), "it moved");
        assert_eq!(found(&[]), None);
    }
}
