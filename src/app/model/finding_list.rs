//! The listed findings: filtered, sorted and grouped, for the list, the timeline and the view.

mod by_object;
mod filter;
mod heat;
mod of_report;
mod tree;

use super::Model;
use crate::app::view_state::{GroupBy, SortBy};
use crate::core::diagnose::{Cause, Finding, Kind, LevelFix, Report, causes_that_stay};
use crate::core::replay::{ObjectId, Replay};
pub use by_object::FindingsByObject;
pub use filter::Words;
use filter::{Filter, Surroundings};
pub use heat::{HeatMap, HeatPlace, HeatPoint, HeatTriangle};
pub use of_report::OfReport;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;
pub use tree::{BUCKETS, Node};

/// With so many findings or fewer there are no groups: each row is on the screen.
const FEW: usize = 8;

/// How findings are listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListOptions {
    /// The text of the filter.
    pub filter: String,
    /// The groups.
    pub group: GroupBy,
    /// The order.
    pub sort: SortBy,
    /// Kinds that are not listed.
    pub hidden_kinds: BTreeSet<Kind>,
}

/// The listed findings; computed again when anything of its inputs changes.
#[derive(Default)]
pub struct FindingList {
    inputs: Option<Inputs>,
    /// Indices of the report's findings in the order of the list. The members of a group are neighbours.
    pub order: Vec<usize>,
    /// By index in the report.
    listed: Vec<bool>,
    /// The groups, each before those inside it; none for few findings.
    pub groups: Vec<Node>,
    heat: OnceCell<Arc<HeatMap>>,
    by_object: OnceCell<Arc<FindingsByObject>>,
    stays: OnceCell<Vec<(Cause, usize)>>,
    /// What does not depend on the filter.
    pub of_report: OfReport,
}

/// Everything that the list depends on.
struct Inputs {
    report: Option<Arc<Report>>,
    options: ListOptions,
    selected: Vec<ObjectId>,
    stays_with: Option<usize>,
    level_fixes: usize,
}

impl Inputs {
    fn is_of(&self, report: Option<&Arc<Report>>) -> bool {
        self.report.as_ref().map(Arc::as_ptr) == report.map(Arc::as_ptr)
    }

    fn are(&self, other: &Self) -> bool {
        let rest = |of: &Self| (of.stays_with, of.level_fixes);
        self.is_of(other.report.as_ref())
            && rest(self) == rest(other)
            && self.options == other.options
            && self.selected == other.selected
    }
}

impl FindingList {
    /// True for a finding that is listed, by its index in the report.
    pub fn contains(&self, index: usize) -> bool {
        self.listed.get(index).copied().unwrap_or(false)
    }

    /// The causes that no change of the level fixes, given the changes and all findings.
    pub fn that_stay(&self, rows: &[LevelFix], findings: &[Finding]) -> &[(Cause, usize)] {
        self.stays.get_or_init(|| causes_that_stay(rows, findings))
    }

    /// Where the listed findings are, given all of them.
    pub fn heat(&self, findings: &[Finding], replay: &Replay) -> &Arc<HeatMap> {
        self.heat.get_or_init(|| {
            let listed = self.order.iter().map(|&index| &findings[index]);
            let points = listed.map(|finding| HeatPoint::of(finding, replay));
            Arc::new(HeatMap::of(points))
        })
    }

    /// The listed findings of each object, given all of them.
    pub fn by_object(&self, findings: &[Finding]) -> &Arc<FindingsByObject> {
        self.by_object.get_or_init(|| {
            let listed = findings.iter().zip(&self.listed);
            let listed = listed.filter_map(|(finding, is_listed)| is_listed.then_some(finding));
            Arc::new(FindingsByObject::of(listed))
        })
    }
}

impl Model {
    /// The listed findings.
    pub fn finding_list(&self) -> Option<&FindingList> {
        Some(&self.session.as_ref()?.finding_list)
    }

    /// True for a finding that the list shows, by its index in the report.
    pub fn lists(&self, index: usize) -> bool {
        self.finding_list().is_some_and(|list| list.contains(index))
    }

    /// Lists the findings anew, if the report or the options have changed.
    pub(super) fn update_finding_list(&mut self) {
        let Some(session) = &mut self.session else {
            return;
        };
        let options = &self.ui_state.findings;
        let derived = &session.derived;
        let filter = Filter::parse(&options.filter);
        let selected = match filter.follows_selection() {
            true => self.selection.objects().to_vec(),
            false => Vec::new(),
        };
        let report = session.document.report.as_ref();
        let inputs = Inputs {
            report: report.map(Arc::clone),
            options: options.clone(),
            selected,
            stays_with: derived.stays_with,
            level_fixes: derived.level_fixes.len(),
        };
        let known = session.finding_list.inputs.as_ref();
        if known.is_some_and(|known| known.are(&inputs)) {
            return;
        }
        let same_report = known.is_some_and(|known| known.is_of(report));
        let same_fixes = known.is_some_and(|known| known.level_fixes == inputs.level_fixes);
        let known = std::mem::take(&mut session.finding_list);
        let of_report = match same_report {
            true => known.of_report,
            false => OfReport::new(session.document.findings()),
        };
        let stays = match same_report && same_fixes {
            true => known.stays,
            false => OnceCell::new(),
        };
        let findings = session.document.findings();
        let changes = session.changes.as_ref();
        let around = Surroundings {
            selected: &inputs.selected,
            new: changes.map_or(&[], |changes| &changes.new),
            units: session.document.units(),
            findings,
            of_report: &of_report,
        };
        let staying = derived
            .stays_with
            .and_then(|row| derived.level_fixes.get(row));
        let is_listed = |index: usize, finding: &Finding| {
            !options.hidden_kinds.contains(&finding.kind)
                && staying.is_none_or(|row| row.stays.binary_search(&index).is_ok())
                && filter.fits(index, finding, &around)
        };
        let listed: Vec<bool> = findings
            .iter()
            .enumerate()
            .map(|(index, finding)| is_listed(index, finding))
            .collect();
        let mut order: Vec<usize> = (0..findings.len()).collect();
        order.retain(|&index| listed[index]);
        let few = findings.len() <= FEW;
        of_report.sort(&mut order, findings, options.sort);
        let groups = match few {
            true => Vec::new(),
            false => {
                let units = session.document.units();
                let fixes = (derived.level_fixes.as_slice(), units);
                tree::arrange(&mut order, findings, &of_report, options, fixes)
            }
        };
        session.finding_list = FindingList {
            heat: OnceCell::new(),
            by_object: OnceCell::new(),
            stays,
            of_report,
            inputs: Some(inputs),
            order,
            listed,
            groups,
        };
    }

    /// True if there are enough findings for a filter and groups.
    pub fn has_many_findings(&self) -> bool {
        let findings = self.document().map_or(&[][..], |open| open.findings());
        findings.len() > FEW || !self.ui_state.findings.filter.is_empty()
    }
}
