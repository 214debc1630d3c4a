//! What is asked of all findings in every pass and with every letter of the filter: made once for a report.

use super::tree::AllKeys;
use crate::app::view_state::SortBy;
use crate::core::diagnose::{Finding, Kind};
use crate::core::replay::{ObjectId, Subject};
use std::cell::OnceCell;
use std::collections::HashMap;

/// What the findings of a report have, whichever are listed.
#[derive(Default)]
pub struct OfReport {
    /// Of each finding the time in frames and the kind.
    pub moments: Vec<(f64, Kind)>,
    /// The findings in the order of time.
    pub by_time: Vec<usize>,
    /// Those of each object, in the order of time.
    about: HashMap<ObjectId, Vec<usize>>,
    /// The number of findings of each kind.
    pub counts: [usize; Kind::ALL.len()],
    /// Of each finding its place by harm.
    places: OnceCell<Vec<u32>>,
    /// Of each finding its kind, cause and names, in lower case, one a line.
    texts: OnceCell<Vec<String>>,
    /// What findings are grouped by, one for each level of a tree.
    pub(super) keys: AllKeys,
}

impl OfReport {
    /// Of these findings.
    pub(super) fn new(findings: &[Finding]) -> Self {
        let mut of_report = Self::default();
        for finding in findings {
            let at = f64::from(finding.frame) + finding.fraction;
            of_report.moments.push((at, finding.kind));
            of_report.counts[finding.kind as usize] += 1;
        }
        of_report.by_time = (0..findings.len()).collect();
        let at = |index: &usize| of_report.moments[*index].0;
        of_report
            .by_time
            .sort_by(|one, other| at(one).total_cmp(&at(other)));
        for &index in &of_report.by_time {
            let finding = &findings[index];
            let piled = finding
                .pile
                .iter()
                .flat_map(|pile| pile.members.iter().copied());
            let pair = [finding.object_a, finding.object_b];
            for id in pair.into_iter().flatten().chain(piled) {
                let of_object = of_report.about.entry(id).or_default();
                if of_object.last() != Some(&index) {
                    of_object.push(index);
                }
            }
        }
        of_report
    }

    /// The findings about all objects of a subject, in the order of time.
    pub fn about(&self, subject: Subject, findings: &[Finding]) -> impl Iterator<Item = usize> {
        let lists = subject
            .objects()
            .map(|id| (id, self.about.get(&id).map_or(&[][..], Vec::as_slice)));
        let least = lists.min_by_key(|(_, list)| list.len());
        let list = least.map_or(&[][..], |(_, list)| list);
        // All in the list of one object are about it.
        let is_pair = subject.objects().count() > 1;
        let is_about =
            move |finding: &Finding| !is_pair || subject.objects().all(|id| finding.is_about(id));
        list.iter()
            .copied()
            .filter(move |index| is_about(&findings[*index]))
    }

    /// Sorts indices of findings.
    pub(super) fn sort(&self, order: &mut [usize], findings: &[Finding], sort: SortBy) {
        let by_frame = |index: &usize| (findings[*index].frame, *index);
        match sort {
            SortBy::Severity => {
                let places = self.places.get_or_init(|| {
                    let mut order: Vec<usize> = (0..findings.len()).collect();
                    order.sort_by(|one, other| {
                        let worse = findings[*one].by_harm(&findings[*other]);
                        worse.then_with(|| by_frame(one).cmp(&by_frame(other)))
                    });
                    let mut places = vec![0; order.len()];
                    for (index, place) in order.into_iter().zip(0..) {
                        places[index] = place;
                    }
                    places
                });
                order.sort_unstable_by_key(|index| places[*index]);
            }
            SortBy::Frame | SortBy::Count => order.sort_by_key(by_frame),
        }
    }

    /// Whether a part, in lower case and without spaces, is in the kind, the cause or a name of a finding.
    pub(super) fn contains(&self, index: usize, part: &str, findings: &[Finding]) -> bool {
        let texts = self.texts.get_or_init(|| {
            let text = |finding: &Finding| {
                let own = [
                    finding.kind.name(),
                    finding.cause.title(),
                    &finding.a,
                    &finding.b,
                ];
                let piled = finding.pile.iter().flat_map(|pile| &pile.names);
                let all = own.into_iter().chain(piled.map(String::as_str));
                all.collect::<Vec<_>>().join("\n").to_lowercase()
            };
            findings.iter().map(text).collect()
        });
        texts[index].contains(part)
    }
}
