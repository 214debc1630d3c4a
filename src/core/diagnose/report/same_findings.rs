//! The findings that two reports share.

use crate::core::diagnose::finding::Finding;
use std::collections::BTreeMap;

/// Frames by which the same finding may differ between two reports: events shift by a few frames in a new recording.
pub const NEAR_FRAMES: u32 = 10;

/// What makes a finding the same one in another report: kind, cause and both objects are equal, and the frame is near.
#[derive(Clone, Copy, Debug)]
pub struct Identity<'f> {
    /// The names of its kind and cause, of the mover and of the other object.
    pub names: [&'f str; 4],
    /// Its first frame.
    pub frame: u32,
}

impl<'f> From<&'f Finding> for Identity<'f> {
    fn from(finding: &'f Finding) -> Self {
        let (kind, cause) = (finding.kind.name(), finding.cause.id());
        Self {
            names: [kind, cause, &finding.a, &finding.b],
            frame: finding.frame,
        }
    }
}

/// The indices of equal findings in both lists, as many pairs as possible; each finding is in one pair at most.
pub fn same_findings(before: &[Identity<'_>], now: &[Identity<'_>]) -> Vec<(usize, usize)> {
    let mut groups: BTreeMap<[&str; 4], [Vec<usize>; 2]> = BTreeMap::new();
    for (side, list) in [before, now].into_iter().enumerate() {
        for (index, one) in list.iter().enumerate() {
            groups.entry(one.names).or_default()[side].push(index);
        }
    }
    let mut same = Vec::new();
    for [mut known, mut found] in groups.into_values() {
        known.sort_by_key(|&index| before[index].frame);
        found.sort_by_key(|&index| now[index].frame);
        // The earliest fit gives the largest number of pairs, as for intervals of one length.
        let (mut i, mut j) = (0, 0);
        while let (Some(&one), Some(&other)) = (known.get(i), found.get(j)) {
            let (earlier, later) = (before[one].frame, now[other].frame);
            if earlier.abs_diff(later) <= NEAR_FRAMES {
                same.push((one, other));
                (i, j) = (i + 1, j + 1);
            } else if earlier < later {
                i += 1;
            } else {
                j += 1;
            }
        }
    }
    same
}

/// What changed from one list of findings to another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Indices of findings before, ascending: they are no longer found.
    pub fixed: Vec<usize>,
    /// Indices of findings now, ascending: they were not found before.
    pub new: Vec<usize>,
    /// The number of findings in both.
    pub unchanged: usize,
}

impl Changes {
    /// Compares two lists of findings.
    pub fn between(before: &[Finding], now: &[Finding]) -> Self {
        let [one, other] = [before, now].map(|list| list.iter().map(Identity::from).collect());
        let one: Vec<Identity<'_>> = one;
        let same = same_findings(&one, &other);
        let mut lost = vec![true; before.len()];
        let mut new = vec![true; now.len()];
        for &(earlier, later) in &same {
            (lost[earlier], new[later]) = (false, false);
        }
        let marked = |marks: &[bool]| (0..marks.len()).filter(|&at| marks[at]).collect();
        Self {
            fixed: marked(&lost),
            new: marked(&new),
            unchanged: same.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_frames_are_paired_as_often_as_they_can_be() {
        let known = [0, 5, 40, 100];
        let found = [9, 12, 51, 95];
        let names = ["Tunnels", "C01", "ball", "wall"];
        let [known, found] =
            [known, found].map(|frames| frames.map(|frame| Identity { names, frame }));
        // 0 with 9, 5 with 12, 100 with 95; 40 and 51 are 11 apart.
        assert_eq!(same_findings(&known, &found), [(0, 0), (1, 1), (3, 3)]);
    }
}
