//! The frames of the rows of a table.

use super::{DEFAULT_RADIUS, Reader, Row};
use crate::core::log::builder::NOTICE_LIMIT;
use crate::core::log::columns::NAMES_LISTED;
use crate::core::log::headings::Column;
use crate::core::number::listed;
use crate::core::problem::Problem;

/// One of so many rows may repeat the moment of another where no column names the bodies.
const MOST_DOUBLED: u64 = 20;

impl Reader<'_> {
    /// Adds the frames of the rows at hand.
    pub(super) fn add_frames(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.sort_by_key(|row| (row.moment, row.body.object));
        self.lost.sort_unstable();
        for rows in rows.chunk_by(|a, b| a.moment == b.moment) {
            let moment = rows[0].moment;
            let number = match self.columns().has(Column::Frame) {
                true => moment,
                false => self.added.len() as u64,
            };
            let is_lost = |before: u64| {
                let lost = self.lost.partition_point(|lost| *lost <= before);
                self.lost.get(lost).is_some_and(|lost| *lost < moment)
            };
            let lost = self
                .added
                .last()
                .is_some_and(|(before, _)| is_lost(*before));
            self.frame(number, rows, lost.then_some(true));
            self.added.push((moment, rows[0].line));
        }
        rows.clear();
        self.rows = rows;
    }

    fn frame(&mut self, number: u64, rows: &[Row], gap: Option<bool>) {
        for (index, row) in rows.iter().enumerate() {
            if index > 0 && rows[index - 1].body.object == row.body.object {
                if self.unnamed.is_some() {
                    self.doubled += 1;
                    continue;
                }
                let help = "write a body once in each frame";
                self.leave_out(row.line, "the body is in this frame already", help);
                continue;
            }
            self.builder.data.bodies.push(row.body);
        }
        let time = rows.iter().find_map(|row| row.time);
        let before = self.builder.recording.frames.last();
        if let (Some(time), Some(before)) = (time, before.and_then(|frame| frame.time))
            && time <= before
        {
            let what = format!("time is {time} s after {before} s; dt is used instead");
            match self.frame_notices.len() < NOTICE_LIMIT {
                true => {
                    let notice = self.builder.problem(what, "times must rise");
                    self.frame_notices.push(notice.at(rows[0].line, 1));
                }
                false => self.more_notices += 1,
            }
        }
        let added = self.builder.add_frame(number, (time, None), gap);
        debug_assert!(added.is_ok(), "double bodies were left out above");
    }

    /// Rows of one moment are of several bodies, unless they are few; a body has several rows.
    ///
    /// # Errors
    /// Where no column names the bodies.
    pub(super) fn check_names(&mut self) -> Result<(), Problem> {
        let (objects, frames) = (self.builder.recording.objects.len(), self.added.len());
        if objects as u64 == self.count && frames > 1 && self.bodies.len() == 1 {
            let what = "each row is of another body, so that none moves";
            let help = "a column that numbers the rows is not the name: --columns \"name=..\"";
            self.builder.notice_at(1, 1, what, help);
        }
        let (Some(mapping), 1..) = (&self.unnamed, self.doubled) else {
            return Ok(());
        };
        let what = format!(
            "{} of {} rows have the moment of another, and no column names their bodies",
            self.doubled, self.count
        );
        let help = format!("{mapping}; with one body, write it once in each frame");
        if self.doubled * MOST_DOUBLED > self.count {
            return Err(self.builder.problem(what, &help));
        }
        self.builder
            .notice_at(1, 1, what + "; they are left out", &help);
        Ok(())
    }

    pub(super) fn note_default_shapes(&mut self) {
        if self.shapeless.is_empty() {
            return;
        }
        let names = listed(&self.shapeless, NAMES_LISTED);
        let what = format!(
            "no shape is given for {names}: a ball of radius {DEFAULT_RADIUS} m is assumed"
        );
        let help = "add a column `radius`, or a scene that names this log and its objects";
        self.builder.notice_at(1, 1, what, help);
    }
}
