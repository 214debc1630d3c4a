//! Puts a recording together, line by line, and finishes it: shared by both formats.

use crate::core::problem::{Problem, Problems};
use crate::core::replay::{Body, RecordedFrame, Recording};
use crate::core::scene::{Movement, Object};
use crate::core::tolerance::{DEFAULT_DT, LOG_TIME_JITTER};
use glam::DVec3;
use std::collections::HashMap;

/// Notices that are kept; the rest are counted, so that a log of a million bad lines is one sentence more, not a million.
pub(super) const NOTICE_LIMIT: usize = 100;

/// Sizes of the flat arrays, to go back to when a line turns out bad.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    bodies: usize,
    contacts: usize,
    pushes: usize,
    queries: usize,
}

/// A recording in the making.
pub(super) struct Builder {
    file: String,
    /// What is there so far.
    pub recording: Recording,
    /// Objects by name.
    names: HashMap<String, u32>,
    /// Objects that `spawn` brought, and the place of the first frame they may be in.
    spawned: Vec<(u32, usize)>,
    untold: usize,
    /// The dt that the log states, if it does.
    stated_dt: Option<f64>,
}

impl Builder {
    /// An empty recording of a file.
    pub fn new(file: &str, stated_dt: Option<f64>) -> Self {
        Self {
            file: file.to_string(),
            recording: Recording {
                dt: stated_dt.unwrap_or(DEFAULT_DT),
                ..Recording::default()
            },
            names: HashMap::new(),
            spawned: Vec::new(),
            untold: 0,
            stated_dt,
        }
    }

    /// A problem of this file.
    pub fn problem(&self, what: impl Into<String>, mend: impl Into<String>) -> Problem {
        Problem::new(self.file.clone(), what, mend)
    }

    /// Says something that does not stop the reading.
    pub fn notice(&mut self, notice: Problem) {
        if self.recording.notices.len() < NOTICE_LIMIT {
            self.recording.notices.push(notice);
        } else {
            self.untold += 1;
        }
    }

    /// Says something about a line.
    pub fn notice_at(&mut self, line: usize, column: usize, what: impl Into<String>, mend: &str) {
        let notice = self.problem(what, mend).at(line, column);
        self.notice(notice);
    }

    /// The object of a name.
    pub fn object_named(&self, name: &str) -> Option<u32> {
        self.names.get(name).copied()
    }

    /// Adds an object; a name that is taken gets a number behind it, and the new name is returned.
    pub fn add_object(&mut self, mut object: Object) -> (u32, Option<String>) {
        let index = self.recording.objects.len() as u32;
        let renamed = self.names.contains_key(&object.name).then(|| {
            (2_u32..)
                .map(|count| format!("{} ({count})", object.name))
                .find(|name| !self.names.contains_key(name))
                .unwrap_or_default()
        });
        if let Some(name) = &renamed {
            object.name.clone_from(name);
        }
        self.names.insert(object.name.clone(), index);
        self.recording.objects.push(object);
        (index, renamed)
    }

    /// Notes that an object came with the next frame, not with the header.
    pub fn spawned(&mut self, object: u32) {
        self.spawned.push((object, self.recording.frames.len()));
    }

    /// Where the flat arrays end.
    pub fn mark(&self) -> Mark {
        let recording = &self.recording;
        Mark {
            bodies: recording.bodies.len(),
            contacts: recording.contacts.len(),
            pushes: recording.pushes.len(),
            queries: recording.queries.len(),
        }
    }

    /// Forgets what was added after a mark.
    pub fn rewind(&mut self, mark: Mark) {
        self.recording.bodies.truncate(mark.bodies);
        self.recording.contacts.truncate(mark.contacts);
        self.recording.pushes.truncate(mark.pushes);
        self.recording.queries.truncate(mark.queries);
    }

    /// Closes a frame over what was added after a mark, its bodies sorted; returns an object that is in it twice.
    pub fn add_frame(
        &mut self,
        mark: Mark,
        number: u64,
        time: Option<f64>,
        dt: Option<f64>,
    ) -> Result<&mut RecordedFrame, u32> {
        let recording = &mut self.recording;
        let bodies = &mut recording.bodies[mark.bodies..];
        bodies.sort_by_key(|body| body.object);
        if let Some(pair) = bodies.windows(2).find(|p| p[0].object == p[1].object) {
            return Err(pair[0].object);
        }
        let before = recording.frames.last();
        let before = before.map(|frame| (frame.number, frame.time));
        let dt = dt.unwrap_or_else(|| derived_dt(self.stated_dt, before, number, time));
        recording.frames.push(RecordedFrame {
            number,
            time,
            dt,
            bodies: mark.bodies..recording.bodies.len(),
            contacts: mark.contacts..recording.contacts.len(),
            pushes: mark.pushes..recording.pushes.len(),
            queries: mark.queries..recording.queries.len(),
            camera: None,
        });
        Ok(recording.frames.last_mut().expect("just pushed"))
    }

    /// The whole recording.
    ///
    /// # Errors
    /// When it has no frame.
    pub fn finish(mut self, no_frame: &str) -> Result<Recording, Problems> {
        if self.recording.frames.is_empty() {
            let mut problems = std::mem::take(&mut self.recording.notices);
            problems.insert(0, self.problem("the log has no frame", no_frame));
            return Err(Problems(problems));
        }
        if self.stated_dt.is_none() {
            self.take_dt_from_frames();
        }
        self.settle_objects();
        if self.untold > 0 {
            let notice = self.problem(format!("{} more lines like these", self.untold), "");
            self.recording.notices.push(notice);
        }
        Ok(self.recording)
    }

    /// The typical dt where the log states none; the first frame has no other.
    fn take_dt_from_frames(&mut self) {
        let later = self.recording.frames.iter().skip(1);
        let mut all: Vec<f64> = later.map(|frame| frame.dt).collect();
        if !all.is_empty() {
            let middle = all.len() / 2;
            self.recording.dt = *all.select_nth_unstable_by(middle, f64::total_cmp).1;
        }
        self.recording.frames[0].dt = self.recording.dt;
    }

    /// Where each object begins: at its first body; fixed ones without any stay where they were put.
    fn settle_objects(&mut self) {
        let recording = &mut self.recording;
        let mut seen = vec![false; recording.objects.len()];
        for body in &recording.bodies {
            let index = body.object as usize;
            if !std::mem::replace(&mut seen[index], true) {
                let object = &mut recording.objects[index];
                object.pose = body.pose;
                object.velocity = body.velocity.unwrap_or(DVec3::ZERO);
                object.spin = body.spin.unwrap_or(DVec3::ZERO);
            }
        }
        let unseen_fixed = (0..recording.objects.len() as u32).filter(|&index| {
            !seen[index as usize] && recording.objects[index as usize].movement == Movement::Fixed
        });
        let late = |index: &u32| {
            self.spawned
                .iter()
                .any(|(object, from)| object == index && *from > 0)
        };
        let (late, still): (Vec<u32>, Vec<u32>) = unseen_fixed.partition(late);
        recording.still = still;
        if !late.is_empty() {
            let spawned = self.spawned.iter().copied();
            let late: Vec<_> = spawned
                .filter(|(object, _)| late.contains(object))
                .collect();
            write_out(recording, &late);
        }
    }
}

/// Gives fixed objects that came late a body in every frame from theirs on.
fn write_out(recording: &mut Recording, late: &[(u32, usize)]) {
    let old = std::mem::take(&mut recording.bodies);
    for (index, frame) in recording.frames.iter_mut().enumerate() {
        let start = recording.bodies.len();
        recording
            .bodies
            .extend_from_slice(&old[frame.bodies.clone()]);
        for &(object, _) in late.iter().filter(|(_, from)| *from <= index) {
            let pose = recording.objects[object as usize].pose;
            recording.bodies.push(Body::new(object, pose));
        }
        recording.bodies[start..].sort_by_key(|body| body.object);
        frame.bodies = start..recording.bodies.len();
    }
}

/// Seconds from the frame before to this one, where the line does not say: the log's own dt for each frame number on the
/// way, unless the times say otherwise by more than their rounding.
pub(super) fn derived_dt(
    stated: Option<f64>,
    before: Option<(u64, Option<f64>)>,
    number: u64,
    time: Option<f64>,
) -> f64 {
    let dt = stated.unwrap_or(DEFAULT_DT);
    let Some((number_before, time_before)) = before else {
        return dt;
    };
    let by_number = dt * number.saturating_sub(number_before).max(1) as f64;
    let by_time = match (time, time_before) {
        (Some(time), Some(before)) if time > before => time - before,
        _ => return by_number,
    };
    if stated.is_some() && (by_time - by_number).abs() <= LOG_TIME_JITTER * by_number {
        by_number
    } else {
        by_time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dt_of_a_frame() {
        let before = Some((4, Some(1.0)));
        let table = [
            (
                Some(0.02),
                None,
                0,
                Some(0.0),
                0.02,
                "the first has the stated one",
            ),
            (Some(0.02), before, 5, Some(1.02), 0.02, "times agree"),
            (
                Some(0.02),
                before,
                5,
                Some(1.0201),
                0.02,
                "but for their rounding",
            ),
            (Some(0.02), before, 5, Some(1.5), 0.5, "times say otherwise"),
            (Some(0.25), before, 7, None, 0.75, "two frames are left out"),
            (
                Some(0.02),
                before,
                5,
                Some(0.9),
                0.02,
                "times that go back say nothing",
            ),
            (None, before, 5, Some(1.5), 0.5, "nothing stated"),
            (None, before, 5, None, DEFAULT_DT, "nothing at all"),
        ];
        for (stated, before, number, time, expected, why) in table {
            let dt = derived_dt(stated, before, number, time);
            assert_eq!(dt, expected, "{why}");
        }
    }
}
