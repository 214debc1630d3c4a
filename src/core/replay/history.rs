//! History of an object, a pair or the level: presence, contacts and quantities over time.
//!
//! Built frame by frame, in order, so that partial results of a long level can be shown.

use super::pair_motion::PairMotion;
pub use super::quantity::{Quantity, Subject};
use super::{BodyState, Frame, FrameState, NoteKind, NoteValue, ObjectId, Phase, Replay};
use crate::core::tolerance::SPAN_JOIN;
use glam::DVec3;

/// An interval of time, in frames from the start; `from <= to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// Its first moment.
    pub from: f64,
    /// Its last.
    pub to: f64,
}

/// A quantity over time: runs of (frames from the start, value), a new run after each break. Every value is finite.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// The quantity.
    pub quantity: Quantity,
    /// Runs, none of them empty.
    pub runs: Vec<Vec<[f64; 2]>>,
}

/// A pair in one frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairFrame {
    /// Which frame.
    pub frame: u32,
    /// Gap at its start, metres; `None` when one of them is absent or teleported, or they have no distance.
    pub gap: Option<f64>,
    /// The greatest depth in it, before any push, metres; 0 without an overlap.
    pub depth: f64,
    /// Relative travel over its seconds, m/s.
    pub speed: Option<f64>,
    /// They touch in it, by exact sweeps and gaps.
    pub touches: bool,
    /// The log has a contact of them in it.
    pub logged: bool,
    /// Length of their pushes by each other, metres.
    pub push: f64,
}

/// A history of the frames added so far. Moments are frames from the start.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Subject.
    pub subject: Subject,
    /// Presence (of a pair: both).
    pub present: Vec<Span>,
    /// Contacts (of a pair: with each other).
    pub contacts: Vec<Span>,
    /// Impacts of an exact sweep after being apart.
    pub impacts: Vec<f64>,
    /// Pushes (of a pair: by each other).
    pub pushes: Vec<f64>,
    /// Teleports.
    pub teleports: Vec<f64>,
    /// Of the level: frames missing from a log.
    pub missing: Vec<Span>,
    /// Only quantities with values.
    pub series: Vec<Series>,
    /// Of a pair: every frame.
    pub pair_frames: Vec<PairFrame>,
}

impl History {
    /// An empty history.
    pub fn new(subject: Subject) -> Self {
        Self {
            subject,
            present: Vec::new(),
            contacts: Vec::new(),
            impacts: Vec::new(),
            pushes: Vec::new(),
            teleports: Vec::new(),
            missing: Vec::new(),
            series: Vec::new(),
            pair_frames: Vec::new(),
        }
    }

    /// The series of a quantity.
    pub fn series(&self, quantity: Quantity) -> Option<&Series> {
        self.series.iter().find(|one| one.quantity == quantity)
    }

    /// Adds the next frame.
    pub fn add(&mut self, replay: &Replay, frame: &Frame) {
        match self.subject {
            Subject::Level => self.add_level(replay, frame.number),
            Subject::Object(id) => self.add_object(replay, frame, id),
            Subject::Pair(a, b) => self.add_pair(replay, frame, a, b),
        }
    }

    /// Appends the history of the frames that follow.
    pub fn append(&mut self, next: Self) {
        for (mine, more) in [
            (&mut self.present, next.present),
            (&mut self.contacts, next.contacts),
            (&mut self.missing, next.missing),
        ] {
            more.into_iter().for_each(|span| join(mine, span));
        }
        self.impacts.extend(next.impacts);
        self.pushes.extend(next.pushes);
        self.teleports.extend(next.teleports);
        self.pair_frames.extend(next.pair_frames);
        for Series { quantity, runs } in next.series {
            for run in runs {
                self.run(quantity, run);
            }
        }
    }

    /// The level's history of a frame; nothing is stepped.
    pub fn add_level(&mut self, replay: &Replay, number: u32) {
        let start = f64::from(number);
        self.step(Quantity::Dt, start, replay.dt(number));
        self.add_values(replay, number, None);
        let next = number as usize + 1;
        let recorded = replay.recording().and_then(|log| log.frames.get(next));
        if recorded.is_some_and(|frame| frame.gap) {
            let to = start + 1.0;
            join(&mut self.missing, Span { from: start, to });
        }
    }

    fn add_object(&mut self, replay: &Replay, frame: &Frame, id: ObjectId) {
        let start = f64::from(frame.number);
        let (first, last) = (body(&frame.start, id), body(&frame.end, id));
        self.presence(start, first.is_some(), last.is_some());
        if last.is_some_and(|body| body.teleported) {
            self.teleports.push(start + 1.0);
        }
        if let Some(body) = first {
            self.state(start, body);
        }
        if let Some(body) = last.filter(|_| frame.number + 1 == replay.frames()) {
            self.state(start + 1.0, body);
        }
        self.add_values(replay, frame.number, Some(id));
        if let Some(speed) = speed(frame, id) {
            self.step(Quantity::Speed, start, speed);
        }
        let pushed = |object: ObjectId, _: Option<ObjectId>| object == id;
        self.add_pushes(frame, pushed, first.is_some() && last.is_some());
        self.add_logged(replay, frame, |a, b| a == id || b == Some(id));
        let mut contacts: Vec<Span> = Vec::new();
        for (a, b) in candidates(frame).filter(|&(a, b)| a == id || b == id) {
            let Some(pair) = PairMotion::of(replay, frame, a, b) else {
                continue;
            };
            if pair.stay_apart() {
                continue;
            }
            let timeline = pair.timeline();
            self.impacts
                .extend(timeline.impacts.iter().map(|at| start + at));
            contacts.extend(timeline.contacts.iter().map(|&(from, to)| Span {
                from: start + from,
                to: start + to,
            }));
        }
        contacts.sort_by(|a, b| a.from.total_cmp(&b.from));
        for span in contacts {
            join(&mut self.contacts, span);
        }
        self.sort_impacts(start);
    }

    fn add_pair(&mut self, replay: &Replay, frame: &Frame, a: ObjectId, b: ObjectId) {
        let start = f64::from(frame.number);
        let both = |state: &FrameState| body(state, a).is_some() && body(state, b).is_some();
        let (first, last) = (both(&frame.start), both(&frame.end));
        self.presence(start, first, last);
        let put = |id: ObjectId| body(&frame.end, id).is_some_and(|body| body.teleported);
        if put(a) || put(b) {
            self.teleports.push(start + 1.0);
        }
        let between = |object: ObjectId, against: Option<ObjectId>| {
            (object == a && against == Some(b)) || (object == b && against == Some(a))
        };
        let velocities = velocity(frame, a).zip(velocity(frame, b));
        let speed = velocities.map(|(a, b)| (a - b).length());
        let mut row = PairFrame {
            frame: frame.number,
            speed: speed.filter(|speed| speed.is_finite()),
            push: self.add_pushes(frame, between, first && last),
            ..PairFrame::default()
        };
        row.logged = self.add_logged(replay, frame, |one, other| {
            (one == a && other == Some(b)) || (one == b && other == Some(a))
        });
        let timeline = PairMotion::of(replay, frame, a, b).map(|pair| pair.timeline());
        let timeline = timeline.unwrap_or_default();
        row.touches = !(timeline.contacts.is_empty() && timeline.impacts.is_empty());
        row.gap = timeline.gaps.first().map(|[_, gap]| *gap);
        let depths = timeline.gaps.iter().map(|[_, gap]| -gap);
        row.depth = depths.fold(0.0, f64::max);
        self.pair_frames.push(row);
        let at = |fraction: f64| start + fraction;
        self.impacts.extend(timeline.impacts.iter().map(|f| at(*f)));
        for (from, to) in timeline.contacts {
            let (from, to) = (at(from), at(to));
            join(&mut self.contacts, Span { from, to });
        }
        let gaps = timeline.gaps.iter();
        let gap: Vec<[f64; 2]> = gaps.map(|[f, gap]| [at(*f), *gap]).collect();
        let depth = gap.iter().map(|[f, gap]| [*f, (-gap).max(0.0)]).collect();
        self.run(Quantity::Gap, gap);
        self.run(Quantity::Depth, depth);
    }

    fn presence(&mut self, start: f64, first: bool, last: bool) {
        let (from, to) = match (first, last) {
            (true, _) => (start, start + 1.0),
            (false, true) => (start + 1.0, start + 1.0),
            (false, false) => return,
        };
        join(&mut self.present, Span { from, to });
    }

    fn state(&mut self, at: f64, body: &BodyState) {
        let place = body.pose.position.to_array();
        let of_place = [
            Quantity::PositionX,
            Quantity::PositionY,
            Quantity::PositionZ,
        ];
        for (quantity, value) in of_place.into_iter().zip(place) {
            self.point(quantity, at, value);
        }
        let of_velocity = [
            Quantity::VelocityX,
            Quantity::VelocityY,
            Quantity::VelocityZ,
        ];
        if let Some(velocity) = body.velocity {
            for (quantity, value) in of_velocity.into_iter().zip(velocity.to_array()) {
                self.point(quantity, at, value);
            }
        }
        if let Some(spin) = body.spin {
            self.point(Quantity::Spin, at, spin.length());
        }
    }

    /// Adds the moments of the subject's pushes in a frame and the sum of their lengths. Returns that sum, 0 without any.
    fn add_pushes(
        &mut self,
        frame: &Frame,
        is_meant: impl Fn(ObjectId, Option<ObjectId>) -> bool,
        there: bool,
    ) -> f64 {
        let start = f64::from(frame.number);
        let mut length = 0.0;
        for phase in &frame.phases {
            if let Phase::Push {
                object,
                against,
                push,
                at,
                ..
            } = phase
                && is_meant(*object, *against)
            {
                length += push.length();
                self.pushes.push(start + at);
            }
        }
        if there || length > 0.0 {
            self.step(Quantity::Push, start, length);
        }
        length
    }

    /// Adds the values of the program at the end of a frame; at the first one, those of its start, too.
    fn add_values(&mut self, replay: &Replay, number: u32, of: Option<ObjectId>) {
        let Some(log) = replay.recording().filter(|log| !log.value_names.is_empty()) else {
            return;
        };
        let first = if number == 0 { 0 } else { number + 1 };
        for state in first..=number + 1 {
            let notes = log.data.notes(state as usize).into_iter();
            for note in notes.filter(|note| note.object == of) {
                let value = match note.kind {
                    NoteKind::Value(NoteValue::Number(value)) => value,
                    NoteKind::Value(NoteValue::Flag(value)) => f64::from(u8::from(value)),
                    _ => continue,
                };
                let place = log.value_names.iter().position(|name| *name == note.text);
                if let Some(place) = place {
                    let quantity = Quantity::Value(place as u8);
                    self.point(quantity, f64::from(state), value);
                }
            }
        }
    }

    /// Adds quantities of the logged contacts and pushes of a frame. Returns true if a contact is logged.
    fn add_logged(
        &mut self,
        replay: &Replay,
        frame: &Frame,
        is_meant: impl Fn(ObjectId, Option<ObjectId>) -> bool,
    ) -> bool {
        let Some(log) = replay.recording() else {
            return false;
        };
        let data = log.data.events(frame.number as usize + 1);
        let start = f64::from(frame.number);
        let contacts = data.contacts.iter();
        let meant = contacts.filter(|contact| is_meant(contact.a, Some(contact.b)));
        let depths = meant.map(|contact| contact.depth);
        let deepest = depths.max_by(f64::total_cmp);
        if let Some(deepest) = deepest {
            self.step(Quantity::LoggedDepth, start, deepest);
        }
        if let Subject::Object(_) = self.subject {
            let pushes = data.pushes.iter();
            let meant = pushes.filter(|push| is_meant(push.object, None));
            let lengths: Vec<f64> = meant.map(|push| push.push.length()).collect();
            if !lengths.is_empty() {
                self.step(Quantity::LoggedPush, start, lengths.iter().sum());
            }
        }
        deepest.is_some()
    }

    fn sort_impacts(&mut self, from: f64) {
        let first = self.impacts.partition_point(|&at| at < from);
        self.impacts[first..].sort_by(f64::total_cmp);
        self.impacts.dedup();
    }

    /// The same value from a frame's start to its end.
    fn step(&mut self, quantity: Quantity, start: f64, value: f64) {
        self.run(quantity, vec![[start, value], [start + 1.0, value]]);
    }

    /// A value at a frame's start, joined to that of the frame before.
    fn point(&mut self, quantity: Quantity, at: f64, value: f64) {
        if !value.is_finite() {
            return;
        }
        let runs = self.runs(quantity);
        match runs.last_mut() {
            Some(run) if run.last().is_some_and(|last| at - last[0] <= 1.0) => {
                run.push([at, value])
            }
            _ => runs.push(vec![[at, value]]),
        }
    }

    /// Adds points; they continue the last run where that ends no earlier than they begin, or a frame before it.
    fn run(&mut self, quantity: Quantity, points: Vec<[f64; 2]>) {
        let by_state = matches!(
            quantity,
            Quantity::PositionX
                | Quantity::PositionY
                | Quantity::PositionZ
                | Quantity::VelocityX
                | Quantity::VelocityY
                | Quantity::VelocityZ
                | Quantity::Spin
                | Quantity::Value(_)
        );
        let reach = if by_state { 1.0 } else { 0.0 };
        let mut points = points.into_iter().filter(|[_, value]| value.is_finite());
        let Some(first) = points.next() else {
            return;
        };
        let runs = self.runs(quantity);
        let last = runs.last().and_then(|run| run.last());
        if !last.is_some_and(|last| first[0] - last[0] <= reach) {
            runs.push(Vec::new());
        }
        if let Some(run) = runs.last_mut() {
            run.push(first);
            run.extend(points);
        }
    }

    fn runs(&mut self, quantity: Quantity) -> &mut Vec<Vec<[f64; 2]>> {
        let known = self.series.iter().position(|one| one.quantity == quantity);
        let index = known.unwrap_or_else(|| {
            let runs = Vec::new();
            self.series.push(Series { quantity, runs });
            self.series.len() - 1
        });
        &mut self.series[index].runs
    }
}

/// The candidate pairs of a frame.
pub(super) fn candidates(frame: &Frame) -> impl Iterator<Item = (ObjectId, ObjectId)> + '_ {
    let chosen = frame.phases.iter().filter_map(|phase| match phase {
        Phase::Candidates { pairs } => Some(pairs),
        _ => None,
    });
    chosen.flatten().copied()
}

fn body(state: &FrameState, id: ObjectId) -> Option<&BodyState> {
    state.body(id)
}

/// Adds an interval; it is joined to the last one if they overlap or nearly touch.
fn join(spans: &mut Vec<Span>, span: Span) {
    match spans.last_mut() {
        Some(last) if span.from <= last.to + SPAN_JOIN => last.to = last.to.max(span.to),
        _ => spans.push(span),
    }
}

/// Displacement of a frame over its seconds; `None` when it is absent or was teleported.
fn velocity(frame: &Frame, id: ObjectId) -> Option<DVec3> {
    let segments = frame.segments(id);
    let (first, last) = (segments.first()?, segments.last()?);
    Some((last.motion.end.position - first.motion.start.position) / frame.dt)
}

/// The length of [`velocity`]; `None` also when the frame has no length.
pub(super) fn speed(frame: &Frame, id: ObjectId) -> Option<f64> {
    let speed = velocity(frame, id)?.length();
    speed.is_finite().then_some(speed)
}
