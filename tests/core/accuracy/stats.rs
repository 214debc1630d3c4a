//! Counts of true and of reported events, and their table.

use hitstop::core::diagnose::Kind;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Counts of one kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row {
    /// True events.
    pub events: u64,
    /// True events that are reported.
    pub found: u64,
    /// Reported events that are not true.
    pub false_ones: u64,
    /// True events of which an overlap test at the ends of the frame detects a contact.
    pub detected: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Stats {
    pub rows: BTreeMap<Kind, Row>,
    pub object_frames: u64,
    pub pair_frames: u64,
    pub undecided: u64,
    /// Pairs in a frame that come near each other.
    pub near: u64,
    /// Pairs in a frame that overlap at one of its ends.
    pub overlaps: u64,
    /// Of these, those with an event.
    pub overlaps_with_event: u64,
    pub disagreements: Vec<String>,
}

impl Stats {
    pub fn add(mut self, other: Self) -> Self {
        for (kind, row) in other.rows {
            let sum = self.rows.entry(kind).or_default();
            sum.events += row.events;
            sum.found += row.found;
            sum.false_ones += row.false_ones;
            sum.detected += row.detected;
        }
        self.object_frames += other.object_frames;
        self.pair_frames += other.pair_frames;
        self.undecided += other.undecided;
        self.near += other.near;
        self.overlaps += other.overlaps;
        self.overlaps_with_event += other.overlaps_with_event;
        self.disagreements.extend(other.disagreements);
        self
    }

    /// Counts one case: whether there is an event of this kind, whether it is reported, and whether an overlap test detects contact.
    pub fn count(&mut self, kind: Kind, is_true: bool, is_reported: bool, overlap_detects: bool) {
        let row = self.rows.entry(kind).or_default();
        row.events += u64::from(is_true);
        row.found += u64::from(is_true && is_reported);
        row.detected += u64::from(is_true && overlap_detects);
        row.false_ones += u64::from(is_reported && !is_true);
    }

    pub fn sum(&self) -> Row {
        let mut sum = Row::default();
        for row in self.rows.values() {
            sum.events += row.events;
            sum.found += row.found;
            sum.false_ones += row.false_ones;
            sum.detected += row.detected;
        }
        sum
    }

    pub fn table(&self) -> String {
        let mut text = String::from(
            "| kind | true events | found | of the events | false | of the findings true | detected by an overlap test |\n\
             |---|---:|---:|---:|---:|---:|---:|\n",
        );
        for (kind, row) in &self.rows {
            text += &line(kind.name(), row, by_overlap(*kind));
        }
        text += &line("all", &self.sum(), true);
        let _ = writeln!(
            text,
            "\n{} object-frames; {} pairs in a frame, {} of them near each other, {} undecided ({:.2} % of the near ones). \
             An overlap test at the ends of the frame finds {} of the pairs in contact; {:.1} % of those have an event.",
            self.object_frames,
            self.pair_frames,
            self.near,
            self.undecided,
            percent(self.undecided, self.near),
            self.overlaps,
            percent(self.overlaps_with_event, self.overlaps),
        );
        text
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

/// Whether an overlap test can detect events of this kind.
fn by_overlap(kind: Kind) -> bool {
    !matches!(kind, Kind::Phantom | Kind::CameraCrosses)
}

fn line(name: &str, row: &Row, by_overlap: bool) -> String {
    let reported = row.found + row.false_ones;
    let detected = match by_overlap {
        true => format!("{:.1} %", percent(row.detected, row.events)),
        false => "-".to_owned(),
    };
    format!(
        "| {name} | {} | {} | {:.2} % | {} | {:.2} % | {detected} |\n",
        row.events,
        row.found,
        percent(row.found, row.events),
        row.false_ones,
        percent(row.found, reported),
    )
}
