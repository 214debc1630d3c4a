//! Groups of findings, and groups inside them.

use super::{ListOptions, OfReport};
use crate::app::view_state::{GroupBy, SortBy};
use crate::core::diagnose::{Finding, Kind, LevelFix, name_pattern};
use crate::core::scene::UserUnits;
use glam::DVec3;
use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::Range;

/// The number of columns of a group's histogram over time.
pub const BUCKETS: usize = 24;

/// No place.
const NONE: u32 = u32::MAX;

/// The smallest group with groups inside; a number for people: so many rows are read at a glance.
const SPLIT_LEAST: usize = 9;

/// The levels of the tree, from the outermost.
fn levels(group: GroupBy) -> &'static [Level] {
    match group {
        GroupBy::Cause => &[Level::Cause, Level::Surfaces, Level::Surface],
        GroupBy::Surface => &[Level::Surfaces, Level::Surface, Level::Cause],
        GroupBy::Mover => &[Level::Movers, Level::Mover, Level::Cause],
        GroupBy::Place => &[Level::Place, Level::Surface],
        GroupBy::Fix => &[Level::Fix, Level::Cause],
        GroupBy::Nothing => &[],
    }
}

/// One level of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Level {
    Cause,
    /// Surfaces whose names differ in a number alone.
    Surfaces,
    Surface,
    Movers,
    Mover,
    /// The following depend on more than the finding.
    Place,
    Fix,
}

/// The levels that depend on the finding alone.
const OF_FINDING: usize = 5;

/// The groups of one level, whichever findings are listed: the titles, and of each finding the place of its own.
#[derive(Debug, Default)]
pub struct Keys {
    titles: Vec<String>,
    of: Vec<u32>,
}

impl Keys {
    /// Of these of all findings; the others are in the first group.
    fn new(
        indices: impl Iterator<Item = usize>,
        all: usize,
        title: impl Fn(usize) -> String,
    ) -> Self {
        let mut keys = Self {
            titles: Vec::new(),
            of: vec![0; all],
        };
        let mut known: HashMap<String, u32> = HashMap::new();
        for index in indices {
            keys.of[index] = match known.entry(title(index)) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    let place = keys.titles.len() as u32;
                    keys.titles.push(new.key().clone());
                    *new.insert(place)
                }
            };
        }
        keys
    }
}

/// Those of each level that depends on the finding alone, made when they are first asked for.
pub type AllKeys = [OnceCell<Keys>; OF_FINDING];

/// A group of findings.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The same for the same group of another report.
    pub id: u64,
    /// What its findings have in common.
    pub title: String,
    /// The kind, if all findings have the same one.
    pub kind: Option<Kind>,
    /// Its members, as places in the order of the list.
    pub members: Range<usize>,
    /// The number of groups around it.
    pub depth: usize,
    /// The end of the groups inside it, which follow it.
    pub end: usize,
    /// The number of moving bodies.
    pub movers: usize,
    /// The first and the last frame.
    pub frames: (u32, u32),
    /// The findings over the time of all listed findings.
    pub histogram: [u32; BUCKETS],
}

/// Sorts the listed findings, which are in their order, into groups; returns the groups.
pub(super) fn arrange(
    order: &mut [usize],
    findings: &[Finding],
    of_report: &OfReport,
    options: &ListOptions,
    (fixes, units): (&[LevelFix], UserUnits),
) -> Vec<Node> {
    let frames = order.iter().map(|&index| findings[index].frame);
    let first = frames.clone().min().unwrap_or(0);
    let last = frames.max().unwrap_or(0);
    let listed = order.iter().copied();
    let own = match options.group {
        GroupBy::Place => {
            let cell = cell(order, findings);
            let center = |at: f64| ((at / cell).floor() + 0.5) * cell;
            Keys::new(listed, findings.len(), |index| {
                let place = DVec3::from_array(findings[index].point.map(center));
                format!("around {}", units.point(place))
            })
        }
        GroupBy::Fix => Keys::new(listed, findings.len(), |index| {
            let mut rows = fixes.iter();
            match rows.find(|row| row.fixed.binary_search(&index).is_ok()) {
                Some(row) => row.change(units),
                None => "no single change".to_owned(),
            }
        }),
        _ => Keys::default(),
    };
    let mut tree = Tree {
        findings,
        of_report,
        own: &own,
        places: Vec::new(),
        sort: options.sort,
        first,
        span: last - first + 1,
        nodes: Vec::new(),
    };
    let all = 0..order.len();
    tree.split(order, all, levels(options.group), 0, 0);
    tree.nodes
}

struct Tree<'t> {
    findings: &'t [Finding],
    of_report: &'t OfReport,
    /// The groups of [`Level::Place`] or [`Level::Fix`].
    own: &'t Keys,
    /// By key the place among the groups that are being made; `NONE` for no group.
    places: Vec<u32>,
    sort: SortBy,
    first: u32,
    span: u32,
    nodes: Vec<Node>,
}

impl<'t> Tree<'t> {
    /// Adds the groups of a range of the order, which it sorts by group.
    fn split(
        &mut self,
        order: &mut [usize],
        range: Range<usize>,
        levels: &[Level],
        depth: usize,
        parent: u64,
    ) {
        let Some((&level, deeper)) = levels.split_first() else {
            return;
        };
        let keys = self.keys(level);
        self.places
            .resize(self.places.len().max(keys.titles.len()), NONE);
        let mut groups: Vec<(u32, Vec<usize>)> = Vec::new();
        for &index in &order[range.clone()] {
            let key = keys.of[index];
            let place = &mut self.places[key as usize];
            if *place == NONE {
                *place = groups.len() as u32;
                groups.push((key, Vec::new()));
            }
            groups[*place as usize].1.push(index);
        }
        for (key, _) in &groups {
            self.places[*key as usize] = NONE;
        }
        if groups.len() == 1 {
            return self.split(order, range, deeper, depth, parent);
        }
        let size = |members: &[usize]| Reverse(members.len());
        match self.sort {
            SortBy::Severity => groups.sort_by_key(|(_, members)| {
                let worst = members.first().map(|at| self.findings[*at].kind.rank());
                (worst, size(members))
            }),
            SortBy::Count => groups.sort_by_key(|(_, members)| size(members)),
            // By their first members.
            SortBy::Frame => {}
        }
        let mut start = range.start;
        for (key, members) in groups {
            let title = keys.titles[key as usize].clone();
            let members_at = start..start + members.len();
            order[members_at.clone()].copy_from_slice(&members);
            start = members_at.end;
            // A single finding is its own row.
            if members.len() == 1 {
                continue;
            }
            let id = hash(parent, &title);
            let place = self.nodes.len();
            let node = self.node(id, title, &members, members_at.clone(), depth);
            self.nodes.push(node);
            if members.len() >= SPLIT_LEAST {
                self.split(order, members_at, deeper, depth + 1, id);
            }
            self.nodes[place].end = self.nodes.len();
        }
    }

    fn node(
        &self,
        id: u64,
        title: String,
        members: &[usize],
        range: Range<usize>,
        depth: usize,
    ) -> Node {
        let of = |index: &usize| &self.findings[*index];
        let mut movers: Vec<_> = members.iter().map(|at| of(at).object_a).collect();
        movers.sort_unstable();
        movers.dedup();
        let mut histogram = [0; BUCKETS];
        for finding in members.iter().map(of) {
            let share = f64::from(finding.frame - self.first) / f64::from(self.span);
            let bucket = (share * BUCKETS as f64) as usize;
            histogram[bucket.min(BUCKETS - 1)] += 1;
        }
        let first_frames = members.iter().map(|at| of(at).frame);
        let last_frames = members.iter().map(|at| of(at).last_frame);
        let kind = members.first().map(|at| of(at).kind);
        Node {
            id,
            title,
            kind: kind.filter(|kind| members.iter().all(|at| of(at).kind == *kind)),
            members: range,
            depth,
            end: 0,
            movers: movers.len(),
            frames: (
                first_frames.min().unwrap_or(0),
                last_frames.max().unwrap_or(0),
            ),
            histogram,
        }
    }

    fn keys(&self, level: Level) -> &'t Keys {
        let Some(keys) = self.of_report.keys.get(level as usize) else {
            return self.own;
        };
        let surface = |finding: &'t Finding| match finding.b.as_str() {
            "" => "no surface",
            name => name,
        };
        let title = |finding: &'t Finding| match level {
            Level::Cause => format!("{} {}", finding.cause.id(), finding.cause.title()),
            Level::Surfaces => name_pattern(surface(finding)),
            Level::Movers => name_pattern(&finding.a),
            Level::Mover => finding.a.clone(),
            Level::Surface | Level::Place | Level::Fix => surface(finding).to_owned(),
        };
        let all = self.findings;
        keys.get_or_init(|| Keys::new(0..all.len(), all.len(), |index| title(&all[index])))
    }
}

/// The edge of the cells that places are grouped by: 1, 2 or 5 times a power of ten, about a sixth of the box around the findings.
fn cell(order: &[usize], findings: &[Finding]) -> f64 {
    let extent = (0..3).map(|axis| {
        let along = order.iter().map(|&index| findings[index].point[axis]);
        let along = along.filter(|at| at.is_finite());
        let (low, high) = along.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| {
            (low.min(at), high.max(at))
        });
        high - low
    });
    let wanted = extent.fold(0.0, f64::max) / 6.0;
    if wanted <= 0.0 || !wanted.is_finite() {
        return 1.0;
    }
    let power = 10_f64.powf(wanted.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|digit| digit * power);
    steps
        .into_iter()
        .find(|step| *step >= wanted)
        .unwrap_or(10.0 * power)
}

fn hash(parent: u64, title: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (parent, title).hash(&mut hasher);
    hasher.finish()
}
