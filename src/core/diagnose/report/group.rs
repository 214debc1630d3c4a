//! Groups of similar findings: a floor that lets everything through is one group, not ten thousand findings.

use super::content::Group;
use super::finding_list::Brief;
use crate::core::scene::Objects;
use std::collections::HashMap;

/// Findings that say the same (kind, cause and other object) from which on they are listed as one group.
///
/// A number for people: below it every row fits on one screen. The findings themselves stay complete.
const GROUP_LEAST: usize = 6;

/// The groups of at least [`GROUP_LEAST`] findings, in the order of their first members. A finding is in one group at most.
pub(in crate::core::diagnose) fn groups(findings: &[Brief], objects: &Objects) -> Vec<Group> {
    let key = |finding: &Brief| (finding.kind, finding.cause, finding.objects[1]);
    // Ordered by first appearance, not by the map.
    let mut places = HashMap::new();
    let mut all: Vec<Vec<usize>> = Vec::new();
    for (index, finding) in findings.iter().enumerate() {
        let place = *places.entry(key(finding)).or_insert_with(|| {
            all.push(Vec::new());
            all.len() - 1
        });
        all[place].push(index);
    }
    let many = all
        .into_iter()
        .filter(|members| members.len() >= GROUP_LEAST);
    many.map(|members| group(findings, members, objects))
        .collect()
}

/// The group of each finding, if it is in one.
pub fn group_of_each(groups: &[Group], findings: usize) -> Vec<Option<&Group>> {
    let mut each = vec![None; findings];
    for group in groups {
        for &member in &group.members {
            if let Some(slot) = each.get_mut(member) {
                *slot = Some(group);
            }
        }
    }
    each
}

fn group(findings: &[Brief], members: Vec<usize>, objects: &Objects) -> Group {
    let first = &findings[members[0]];
    let mut movers: Vec<_> = members
        .iter()
        .map(|index| findings[*index].objects[0])
        .collect();
    movers.sort_unstable();
    movers.dedup();
    let last_frames = members.iter().map(|index| findings[*index].last_frame);
    Group {
        kind: first.kind,
        cause: first.cause,
        b: first.names(objects)[1].to_owned(),
        count: members.len(),
        movers: movers.len(),
        frame: first.frame,
        last_frame: last_frames.max().unwrap_or(first.last_frame),
        members,
    }
}
