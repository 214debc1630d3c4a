//! Builds a recording line by line, for both formats.

use super::columns::NAMES_LISTED;
use crate::core::number::listed;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::{
    Body, FrameData, FrameStore, Joint, LoggedImage, RecordedFrame, Recording, StaticBody,
};
use crate::core::scene::{Movement, Object};
use crate::core::tolerance::DEFAULT_DT;
use glam::DVec3;
use std::collections::{HashMap, HashSet};

/// Times of a log that differ from its stated dt by less than this share are that dt, printed with few digits
/// (dimensionless). A real change of dt below it changes a computed velocity by the same share and no more.
const LOG_TIME_JITTER: f64 = 0.01;

/// Pictures of a log that are kept: ten hours with three a second.
const MOST_IMAGES: usize = 100_000;

/// Limit of notices; the rest is counted.
pub(super) const NOTICE_LIMIT: usize = 100;

/// A recording under construction.
#[derive(Clone)]
pub(super) struct Builder {
    file: String,
    /// The recording so far.
    pub recording: Recording,
    /// Of the frame under construction.
    pub data: FrameData,
    /// Pairs that a joint connects in it.
    pub joined: Vec<[u32; 2]>,
    /// The steps of the engine to it, where its line has them.
    pub substeps: Option<u32>,
    /// The tick of the frame under construction.
    pub tick: Option<i64>,
    /// Its picture of the game.
    pub image: Option<String>,
    /// By pair: the place of its latest joint.
    latest_joints: HashMap<[u32; 2], usize>,
    /// By object: its first body.
    first_bodies: Vec<Option<Body>>,
    /// Objects by name.
    names: HashMap<String, u32>,
    /// For duplicate names: the number to try next.
    next_number: HashMap<String, u32>,
    /// By object: index of its first possible frame, above 0 for those of a later `spawn`.
    from: Vec<usize>,
    /// Objects that were removed: index of the first frame without each.
    until: HashMap<u32, usize>,
    /// A possible frame was left out after the last frame.
    left_out: bool,
    /// By frame: the logged gap before it.
    logged_gaps: Vec<Option<bool>>,
    suppressed: usize,
    /// The log's dt, if given.
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
            data: FrameData::default(),
            joined: Vec::new(),
            substeps: None,
            tick: None,
            image: None,
            latest_joints: HashMap::new(),
            first_bodies: Vec::new(),
            names: HashMap::new(),
            next_number: HashMap::new(),
            from: Vec::new(),
            until: HashMap::new(),
            left_out: false,
            logged_gaps: Vec::new(),
            suppressed: 0,
            stated_dt,
        }
    }

    /// A problem of this file.
    pub fn problem(&self, what: impl Into<String>, help: impl Into<String>) -> Problem {
        Problem::new(self.file.clone(), what, help)
    }

    /// Adds a notice.
    pub fn notice(&mut self, notice: Problem) {
        if self.recording.notices.len() < NOTICE_LIMIT {
            self.recording.notices.push(notice);
        } else {
            self.suppressed += 1;
        }
    }

    /// Adds a notice about a line.
    pub fn notice_at(&mut self, line: usize, column: usize, what: impl Into<String>, help: &str) {
        let notice = self.problem(what, help).at(line, column);
        self.notice(notice);
    }

    /// Counts notices that are not listed.
    pub fn suppress(&mut self, count: usize) {
        self.suppressed += count;
    }

    /// Takes all frames out, to be added again in another order.
    pub fn take_frames(&mut self) -> (Vec<RecordedFrame>, FrameStore) {
        self.first_bodies.clear();
        self.logged_gaps.clear();
        self.left_out = false;
        let recording = &mut self.recording;
        let frames = std::mem::take(&mut recording.frames);
        (frames, std::mem::take(&mut recording.data))
    }

    /// Counts a row that could not be read, beside which other rows of its frame may be whole.
    pub fn unread_row(&mut self) {
        self.recording.unread += 1;
    }

    /// Adds the notice of a file that ends early, beyond the limit too: nothing else says that frames are missing.
    pub fn broken(&mut self, notice: Option<Problem>) {
        self.recording.unread += usize::from(notice.is_some());
        self.recording.notices.extend(notice);
    }

    /// The object of a name.
    pub fn object_named(&self, name: &str) -> Option<u32> {
        self.names.get(name).copied()
    }

    /// Adds an object; a duplicate name gets a number, and the name is returned.
    pub fn add_object(&mut self, mut object: Object) -> (u32, Option<String>) {
        let index = self.recording.objects.len() as u32;
        let taken = self.names.contains_key(&object.name);
        let renamed = taken.then(|| self.free_name(&object.name));
        if let Some(name) = &renamed {
            object.name.clone_from(name);
        }
        self.names.insert(object.name.clone(), index);
        self.recording.objects.push(object);
        self.from.push(0);
        (index, renamed)
    }

    fn free_name(&mut self, name: &str) -> String {
        let number = self.next_number.entry(name.to_string()).or_insert(2);
        loop {
            let free = format!("{name} ({number})");
            *number += 1;
            if !self.names.contains_key(&free) {
                return free;
            }
        }
    }

    /// Marks an object as spawned with the next frame.
    pub fn spawned(&mut self, object: u32) {
        self.from[object as usize] = self.recording.frames.len();
    }

    /// Marks an object as removed before the next frame.
    pub fn removed(&mut self, object: u32) {
        let frame = self.recording.frames.len();
        self.until.entry(object).or_insert(frame);
    }

    /// Marks that a possible frame is left out here.
    pub fn left_out(&mut self) {
        self.recording.unread += 1;
        self.left_out = true;
    }

    /// The dt of the frames left out before frame `number`, as far as the log gives it.
    pub fn left_out_dt(&self, number: u64) -> f64 {
        let before = self.recording.frames.last().map(|frame| frame.number);
        match (self.left_out, before, self.stated_dt) {
            (true, Some(before), Some(dt)) => (number.saturating_sub(before + 1)) as f64 * dt,
            _ => 0.0,
        }
    }

    /// Removes the frame under construction.
    pub fn rewind(&mut self) {
        self.data = FrameData::default();
        self.joined.clear();
        self.substeps = None;
        self.tick = None;
        self.image = None;
    }

    /// Closes the frame under construction, bodies sorted; returns an object that is in it twice. `gap`
    /// is the logged gap before it.
    pub fn add_frame(
        &mut self,
        number: u64,
        (time, dt): (Option<f64>, Option<f64>),
        gap: Option<bool>,
    ) -> Result<&mut RecordedFrame, u32> {
        let (tick, image) = (self.tick.take(), self.image.take());
        let mut data = std::mem::take(&mut self.data);
        data.bodies.sort_by_key(|body| body.object);
        let mut pairs = data.bodies.windows(2);
        if let Some(pair) = pairs.find(|p| p[0].object == p[1].object) {
            return Err(pair[0].object);
        }
        self.add_joints();
        let recording = &mut self.recording;
        let place = recording.frames.len();
        recording
            .substeps
            .extend(self.substeps.take().map(|steps| (place, steps)));
        self.first_bodies.resize(recording.objects.len(), None);
        for body in &data.bodies {
            self.first_bodies[body.object as usize].get_or_insert(*body);
        }
        let before = recording.frames.last();
        let before = before.map(|frame| (frame.number, frame.time));
        let dt = dt.unwrap_or_else(|| derived_dt(self.stated_dt, before, number, time));
        let skips = before.is_some_and(|(before, _)| number > before.saturating_add(1));
        let left_out = std::mem::take(&mut self.left_out) && skips;
        self.logged_gaps.push(gap.or(left_out.then_some(true)));
        let frame = RecordedFrame {
            number,
            tick,
            time,
            dt,
            ..RecordedFrame::default()
        };
        if let Some(file) = image.filter(|_| recording.images.len() < MOST_IMAGES) {
            let state = place as u32;
            recording.images.push(LoggedImage { state, file });
        }
        recording.push(frame, data);
        Ok(recording.frames.last_mut().expect("just pushed"))
    }

    /// Adds the joints of the frame under construction: one that goes on is kept once.
    fn add_joints(&mut self) {
        let place = self.recording.frames.len();
        let joints = &mut self.recording.joints;
        for [a, b] in self.joined.drain(..) {
            let pair = [a.min(b), a.max(b)];
            let latest = self.latest_joints.get(&pair).map(|at| &mut joints[*at]);
            match latest.filter(|joint| joint.until >= place) {
                Some(joint) => joint.until = place + 1,
                None => {
                    self.latest_joints.insert(pair, joints.len());
                    joints.push(Joint::between(a, b, place..place + 1));
                }
            }
        }
    }

    /// The whole recording.
    ///
    /// # Errors
    /// When it has no frame.
    pub fn finish(mut self, no_frame: &str) -> Result<Recording, Problems> {
        if self.recording.frames.is_empty() {
            let notices = std::mem::take(&mut self.recording.notices);
            // The causes first: lines that could not be used. What the header leaves to be assumed comes last.
            let is_cause = |notice: &Problem| notice.at.is_none_or(|place| place.line > 1);
            let (mut problems, others): (Vec<_>, Vec<_>) = notices.into_iter().partition(is_cause);
            problems.push(self.problem("the log has no frame", no_frame));
            problems.extend(others);
            return Err(Problems(problems));
        }
        if self.stated_dt.is_none() {
            self.take_dt_from_frames();
        }
        settle_joints(&mut self.recording.joints);
        self.settle_gaps();
        self.settle_objects();
        self.note_absent();
        if self.suppressed > 0 {
            let notice = self.problem(format!("{} more lines like these", self.suppressed), "");
            self.recording.notices.push(notice);
        }
        Ok(self.recording)
    }

    /// The typical dt where the log gives none, which the first frame gets.
    fn take_dt_from_frames(&mut self) {
        let later = self.recording.frames.iter().skip(1);
        let mut all: Vec<f64> = later.map(|frame| frame.dt).collect();
        if !all.is_empty() {
            let middle = all.len() / 2;
            self.recording.dt = *all.select_nth_unstable_by(middle, f64::total_cmp).1;
        }
        self.recording.frames[0].dt = self.recording.dt;
    }

    /// The notice of objects that no line has, and that are not fixed: they are never there.
    fn note_absent(&mut self) {
        let objects = self.recording.objects.iter().zip(&self.first_bodies);
        let absent =
            objects.filter(|(object, first)| first.is_none() && object.movement != Movement::Fixed);
        let names: Vec<&str> = absent.map(|(object, _)| &*object.name).collect();
        if names.is_empty() {
            return;
        }
        let names = listed(&names, NAMES_LISTED);
        let what = format!("no line has these objects, so they are never there: {names}");
        let help = "what stays at its pose has `\"motion\": \"fixed\"`; every other object is listed in `bodies`";
        let notice = self.problem(what, help);
        self.notice(notice);
    }

    /// First frame of each object: that of its first body; fixed ones without bodies stay at their pose.
    fn settle_objects(&mut self) {
        let recording = &mut self.recording;
        self.first_bodies.resize(recording.objects.len(), None);
        for (object, first) in recording.objects.iter_mut().zip(&self.first_bodies) {
            if let Some(body) = first {
                object.pose = body.pose;
                object.velocity = body.velocity.unwrap_or(DVec3::ZERO);
                object.spin = body.spin.unwrap_or(DVec3::ZERO);
            }
        }
        let seen = self.first_bodies.iter().map(Option::is_some);
        let objects = recording.objects.iter().zip(seen).zip(&self.from);
        let unseen_fixed = |((object, seen), from): ((&Object, bool), &usize)| {
            (!seen && object.movement == Movement::Fixed).then_some(*from)
        };
        let frames = recording.frames.len();
        recording.static_bodies = objects
            .map(unseen_fixed)
            .zip(0..)
            .filter_map(|(from, object): (Option<usize>, u32)| {
                let until = self.until.get(&object).copied();
                let until = until.filter(|until| *until < frames);
                from.map(|from| StaticBody {
                    object,
                    from,
                    until,
                })
            })
            .collect();
    }

    /// Marks gaps: where the log gives them, where something was left out, and where the numbers skip more than usual
    /// (a log of every fourth frame has no gaps).
    fn settle_gaps(&mut self) {
        let frames = &self.recording.frames;
        let steps = frames
            .windows(2)
            .map(|pair| pair[1].number - pair[0].number);
        let mut sorted: Vec<u64> = steps.clone().collect();
        if sorted.is_empty() {
            return;
        }
        let middle = (sorted.len() - 1) / 2;
        let usual = *sorted.select_nth_unstable(middle).1;
        let steps: Vec<u64> = steps.collect();
        let (mut unstated_gaps, mut sampled) = (Vec::new(), false);
        for (index, step) in (1..).zip(steps) {
            let said = self.logged_gaps[index];
            let frames = &mut self.recording.frames;
            frames[index].gap = said.unwrap_or(step > usual);
            sampled |= step > 1 && !frames[index].gap && said.is_none();
            if frames[index].gap && said.is_none() {
                unstated_gaps.push((frames[index - 1].number, frames[index].number));
            }
        }
        let notice = |(before, after): (u64, u64)| {
            let more = match unstated_gaps.len() {
                1 => String::new(),
                all => {
                    let missing: u64 = unstated_gaps.iter().map(|(from, to)| to - from - 1).sum();
                    format!(", and at {} more places, {missing} in all", all - 1)
                }
            };
            let what = format!(
                "frames are missing between {before} and {after}{more}; the motion there is not diagnosed"
            );
            let help = "log every frame; a live recording leaves out what a slow viewer does not take: record to a file to have all of it";
            self.problem(what, help)
        };
        if let Some(notice) = unstated_gaps.first().copied().map(notice) {
            self.notice(notice);
        }
        if sampled {
            let what = format!(
                "only one in {usual} frames is logged; paths between them are taken as straight"
            );
            let notice = self.problem(what, "log every frame");
            self.notice(notice);
        }
    }
}

/// Sorts joints; of a pair that is joined in every state no other is kept.
fn settle_joints(joints: &mut Vec<Joint>) {
    let always = joints.iter().filter(|joint| joint.is_always());
    let always: HashSet<[u32; 2]> = always.map(|joint| [joint.a, joint.b]).collect();
    joints.retain(|joint| joint.is_always() || !always.contains(&[joint.a, joint.b]));
    joints.sort_unstable();
    joints.dedup();
}

/// Seconds from the frame before to this one, where the line does not give it: the log's dt per frame number, unless
/// the times differ by more than their rounding.
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
