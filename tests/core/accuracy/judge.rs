//! Diagnosis compared with the truth, pair by pair and frame by frame.

use super::levels::{self, Cell, FRAMES, LevelRandom, TestObject};
use super::replays;
use super::stats::Stats;
use super::straight;
use super::truth::{self, Decisions, Interval, Outcomes, TestPose, Truth};
use crate::common::levels::level_of;
use glam::DVec3;
use hitstop::core::diagnose::{Kind, Options, diagnose};
use hitstop::core::level::Level;
use hitstop::core::shape::{Motion, Pose};
use std::collections::BTreeMap;

/// The kinds that follow from an overlap of two bodies.
pub const KINDS: [Kind; 5] = [
    Kind::Tunnels,
    Kind::Clips,
    Kind::WrongSide,
    Kind::Sinks,
    Kind::StartsInside,
];

/// Cells of a level.
pub const CELLS: usize = 12;

/// A frame (for `StartsInside`, a state) and a pair in ascending order.
type Key = (usize, usize, usize);

/// What is reported for each, and whether it begins there.
type Reported = BTreeMap<Key, Vec<(Kind, bool)>>;

/// Lengths of a frame, seconds.
const DTS: [f64; 4] = [1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0, 0.1];

/// A log of positions: the truth uses the poses that were written into it.
pub fn recorded(seed: u64) -> Stats {
    logged(seed, |random| levels::level(random, CELLS))
}

/// The same for objects that rotate within their frames.
pub fn rotating(seed: u64) -> Stats {
    logged(seed, |random| levels::rotating(random, CELLS / 6))
}

/// The same with rows of tiles, which are fixed: nothing depends on how a solid is divided.
pub fn tiled(seed: u64) -> Stats {
    logged(seed, |random| levels::tiled(random, CELLS / 4))
}

fn logged(seed: u64, cells: impl Fn(&mut LevelRandom) -> Vec<Cell>) -> Stats {
    let mut random = LevelRandom::new(seed);
    let cells = cells(&mut random);
    let dt = DTS[random.below(DTS.len())];
    let level = level_of(replays::recorded(replays::recording(&cells, dt)));
    compare(seed, &cells, &level, |pair, frame| {
        match pair.travel(frame) {
            true => vec![pair.interval(frame)],
            false => Vec::new(),
        }
    })
}

/// A scene that the program steps: the truth uses the motions of the stepper.
pub fn stepped(seed: u64) -> Stats {
    let mut random = LevelRandom::new(seed);
    let dt = DTS[random.below(DTS.len())];
    let cells = levels::flights(&mut random, CELLS, dt);
    let level = level_of(replays::stepped(&mut random, &cells, dt));
    let frames: Vec<_> = (0..FRAMES as u32)
        .map(|frame| level.replay.frame(frame))
        .collect();
    compare(seed, &cells, &level, |pair, frame| {
        let ids = pair.numbers.map(|number| number as u32);
        let segments = frames[frame].straight_intervals(ids[0], ids[1]).into_iter();
        let pose = |pose: Pose| TestPose {
            at: pose.position,
            rotation: pose.rotation,
        };
        let interval = |(_, _, a, b): (f64, f64, Motion, Motion)| Interval {
            from: [pose(a.start), pose(b.start)],
            to: [pose(a.end), pose(b.end)],
            ..pair.interval(frame)
        };
        segments.map(interval).collect()
    })
}

/// Two objects of a level.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'t> {
    pub objects: [&'t TestObject; 2],
    pub numbers: [usize; 2],
}

impl<'t> Pair<'t> {
    pub fn travel(&self, frame: usize) -> bool {
        self.objects
            .iter()
            .all(|object| object.travels_to(frame + 1))
    }

    fn poses(&self, state: usize) -> [TestPose; 2] {
        self.objects.map(|object| object.pose(state))
    }

    pub fn interval(&self, frame: usize) -> Interval<'t> {
        Interval {
            shapes: self.objects.map(|object| &object.shape),
            from: self.poses(frame),
            to: self.poses(frame + 1),
            sensor: self.objects.iter().any(|object| object.sensor),
            gap_before: f64::INFINITY,
        }
    }
}

/// A finding that lasts is listed in each of its frames.
fn reported(level: &Level, owners: &[usize]) -> Reported {
    let report = diagnose(level, &Options::default(), &()).expect("not cancelled");
    let mut reported = Reported::new();
    for finding in &report.findings {
        let (Some(a), Some(b)) = (finding.object_a, finding.object_b) else {
            continue;
        };
        let [a, b] = [a, b].map(|id| owners[id as usize]);
        let (a, b) = (a.min(b), a.max(b));
        let mut frames = finding.frame as usize..=finding.last_frame as usize;
        if finding.kind == Kind::StartsInside && finding.fraction == 1.0 {
            frames = FRAMES..=FRAMES;
        }
        for frame in frames {
            let is_new = frame == finding.frame as usize || finding.fraction == 1.0;
            reported
                .entry((frame, a, b))
                .or_default()
                .push((finding.kind, is_new));
        }
    }
    reported
}

/// Compares what is reported for every pair in every frame with the truth of the frame's intervals.
fn compare<'t>(
    seed: u64,
    cells: &'t [Cell],
    level: &Level,
    intervals: impl Fn(&Pair<'t>, usize) -> Vec<Interval<'t>>,
) -> Stats {
    let reported = reported(level, &replays::owners(cells));
    let mut stats = Stats::default();
    let mut first = 0;
    for cell in cells {
        stats.object_frames += (cell.len() * FRAMES) as u64;
        for i in 0..cell.len() {
            for j in i + 1..cell.len() {
                let pair = Pair {
                    objects: [&cell[i], &cell[j]],
                    numbers: [first + i, first + j],
                };
                let of = |frame: usize| {
                    let reported = reported.get(&(frame, first + i, first + j));
                    reported.map_or(&[][..], Vec::as_slice)
                };
                let name = format!("seed {seed}, {} and {}", first + i, first + j);
                // Of the frames in a row in which both travel.
                let mut history: Vec<Vec<Interval<'_>>> = Vec::new();
                for frame in 0..FRAMES {
                    let mut intervals = intervals(&pair, frame);
                    match (history.last(), intervals.first()) {
                        (_, None) => history.clear(),
                        (Some(before), Some(first)) => {
                            let gap_before = starting_gap(&before[0]).max(starting_gap(first));
                            // Whether contact at the states counts for what is later in the frame is open.
                            let later = match gap_before <= 0.0 {
                                true => f64::NAN,
                                false => gap_before,
                            };
                            for (number, one) in intervals.iter_mut().enumerate() {
                                one.gap_before = if number == 0 { gap_before } else { later };
                            }
                            history.push(intervals);
                        }
                        (None, Some(_)) => history.push(intervals),
                    }
                    let name = format!("{name}, frame {frame}");
                    compare_frame(&mut stats, &name, (&history, level.replay.dt(0)), of(frame));
                }
                for state in 0..=FRAMES {
                    compare_state(
                        &mut stats,
                        &format!("{name}, state {state}"),
                        &pair,
                        state,
                        of(state),
                    );
                }
            }
        }
        first += cell.len();
    }
    stats
}

fn compare_frame(
    stats: &mut Stats,
    name: &str,
    (history, dt): (&[Vec<Interval<'_>>], f64),
    reported: &[(Kind, bool)],
) {
    stats.pair_frames += 1;
    let intervals = history.last().map_or(&[][..], Vec::as_slice);
    let all: Vec<Interval<'_>> = history.iter().flatten().copied().collect();
    let earlier = all.len() - intervals.len();
    let after = |number: usize| truth::after(&all[..earlier + number], &all[earlier + number]);
    let mut truths: Vec<Truth> = (0..intervals.len()).map(after).collect();
    into_ground(&mut truths, history);
    let may_sink = may_sink(&truths, history, dt);
    let is_undecided = truths.iter().any(|truth| truth.outcomes.len() > 1);
    let overlap_detects = truths.iter().any(|truth| truth.overlap_detects);
    stats.near += u64::from(is_undecided || truths.iter().any(|truth| truth.least <= 0.0));
    stats.undecided += u64::from(is_undecided);
    if is_undecided && std::env::var_os("ACCURACY_UNDECIDED").is_some() {
        println!("{name}: outcomes {truths:?}\n  {intervals:?}");
    }
    let of_whole;
    let reported = match passage(&truths).filter(|_| is_divided(intervals)) {
        Some(kind)
            if reported
                .iter()
                .any(|(known, is_new)| *is_new && is_passage(*known)) =>
        {
            of_whole = [(kind, true)];
            &of_whole
        }
        _ => reported,
    };
    for kind in KINDS.into_iter().filter(|kind| *kind != Kind::StartsInside) {
        let possible = || {
            truths
                .iter()
                .filter(|truth| truth.outcomes.contains(&Some(kind)))
        };
        if possible().any(|truth| truth.outcomes.len() > 1) {
            continue;
        }
        let is_true = possible().next().is_some();
        // An overlap is one finding, which lasts: a later passage out of it is no other one.
        let lasts = intervals
            .first()
            .is_some_and(|first| starting_gap(first) < 0.0)
            && reported
                .iter()
                .any(|(known, is_new)| passes(*known) && !is_new);
        let begins = reported.contains(&(kind, true));
        if begins && !is_true && kind == Kind::Sinks && may_sink {
            continue;
        }
        let is_reported = begins || is_true && is_passage(kind) && lasts;
        stats.count(kind, is_true, is_reported, overlap_detects);
        if is_true != is_reported {
            let what = if is_reported { "false" } else { "missed" };
            let text = format!(
                "{} {what}; {name}: reported {reported:?}, {truths:?}\n  {intervals:?}",
                kind.name()
            );
            stats.disagreements.push(text);
        }
    }
    if overlap_detects {
        stats.overlaps += 1;
        let has_event = |truth: &Truth| truth.outcomes.iter().any(Option::is_some);
        stats.overlaps_with_event += u64::from(truths.iter().any(has_event));
    }
}

/// A body that is deep inside after contact in two states, or that stays inside for half a second, sinks without passing. Where it is not
/// certain to be wholly inside for the first time, or how long it has been there, both outcomes are right.
fn may_sink(truths: &[Truth], history: &[Vec<Interval<'_>>], dt: f64) -> bool {
    let (Some(truth), Some(now)) = (truths.last(), history.last()) else {
        return false;
    };
    let last = now[now.len() - 1];
    let mover = truth::mover_of(&last);
    let depth = -truth.ends[1];
    let inner = last.shapes[mover].inner();
    let states = history.iter().rev().map(|one| starting_gap(&one[0]));
    let states = states.take_while(|gap| *gap <= truth::ROUND_TOLERANCE);
    let states = states.count();
    let wholly = states >= 2 && depth >= 2.0 * inner - truth::ROUND_TOLERANCE;
    let stays = states as f64 * dt > 0.5 - 1e-9 && depth > 0.1 * inner - truth::ROUND_TOLERANCE;
    !last.sensor && (wholly || stays)
}

/// Whether one of the two is written as several objects. A passage of the whole may be of another kind at each of them: through one in a frame,
/// and into the next.
fn is_divided(intervals: &[Interval<'_>]) -> bool {
    let shapes = intervals.first().map(|first| first.shapes);
    shapes.is_some_and(|shapes| shapes.iter().any(|shape| shape.written().len() > 1))
}

/// The passage in a frame, where it is certain.
fn passage(truths: &[Truth]) -> Option<Kind> {
    match truths {
        [truth] if truth.outcomes.len() == 1 => truth.outcomes.first().copied()?,
        _ => None,
    }
    .filter(|kind| is_passage(*kind))
}

fn is_passage(kind: Kind) -> bool {
    kind == Kind::Tunnels || passes(kind)
}

/// Kinds of an overlap that a mover passes.
fn passes(kind: Kind) -> bool {
    matches!(kind, Kind::WrongSide | Kind::Sinks)
}

/// A body that was apart from the ground, then touched it in two states, ends the first frame wholly below it, and deeper than before.
fn into_ground(truths: &mut [Truth], history: &[Vec<Interval<'_>>]) {
    let (Some(truth), Some(now)) = (truths.last_mut(), history.last()) else {
        return;
    };
    let last = now[now.len() - 1];
    let Some((ground, body)) = [(0, 1), (1, 0)]
        .into_iter()
        .find(|(ground, body)| last.shapes[*ground].is_ground() && !last.shapes[*body].is_ground())
    else {
        return;
    };
    if last.sensor || !last.shapes[body].has_centre() || truth.outcomes != Outcomes::from([None]) {
        return;
    }
    // Heights of the body's top and its lowest point over the ground.
    let heights = |poses: [TestPose; 2]| {
        let up = poses[ground].rotation * DVec3::Y;
        let hulls = last.shapes[body].hulls(poses[body].rotation);
        let (mut top, mut low) = (f64::NEG_INFINITY, f64::INFINITY);
        for hull in &hulls {
            top = top.max(hull.radius - hull.least(-up));
            low = low.min(hull.least(up) - hull.radius);
        }
        let centre = poses[body].at + poses[body].rotation * last.shapes[body].centre();
        let at = (centre - poses[ground].at).dot(up);
        [at + top, at + low]
    };
    let [from, to] = [heights(last.from), heights(last.to)];
    let states: Vec<[f64; 2]> = history.iter().map(|one| heights(one[0].from)).collect();
    let touching = states
        .iter()
        .rev()
        .take_while(|[_, low]| *low <= 0.0)
        .count();
    let is_first = touching == 2 || touching > 2 && from[0] > 0.0;
    let was_apart = touching < states.len();
    if from[1] <= 0.0 && to[0] <= 0.0 && to[1] < from[1] && is_first && was_apart {
        truth.outcomes = Outcomes::from([Some(Kind::Sinks)]);
    }
    let near = |height: f64| height.abs() <= truth::ROUND_TOLERANCE;
    let doubtful = near(to[0]) || near(from[0]) || near(from[1]) || near(to[1] - from[1]);
    if doubtful && to[0] <= truth::ROUND_TOLERANCE && touching >= 1 {
        truth.outcomes = Outcomes::from([Some(Kind::Sinks), None]);
    }
}

/// Signed distance of two objects when an interval begins, metres.
fn starting_gap(interval: &Interval<'_>) -> f64 {
    truth::resting_gap(interval.shapes, interval.from)
}

/// Overlap in the state in which one of the two appears.
fn compare_state(
    stats: &mut Stats,
    name: &str,
    pair: &Pair<'_>,
    state: usize,
    reported: &[(Kind, bool)],
) {
    let objects = pair.objects;
    if objects.iter().any(|object| state < object.appears) {
        return;
    }
    let is_new = objects.iter().any(|object| !object.travels_to(state));
    let mut outcomes = Outcomes::from([None]);
    let mut depth = f64::NEG_INFINITY;
    if is_new && objects.iter().all(|object| !object.sensor) {
        let shapes = objects.map(|object| &object.shape);
        let poses = pair.poses(state);
        depth = -truth::resting_gap(shapes, poses);
        let at_rest = Interval {
            from: poses,
            to: poses,
            ..pair.interval(0)
        };
        // Either of the two may be the mover, and whether it is in front of a one-sided surface may be open.
        let gaps = straight::front_gaps(&at_rest, &Decisions::default());
        let slops = [0, 1].map(|mover| truth::slop_of(&at_rest, mover));
        let over = gaps.iter().flat_map(|gap| slops.map(|slop| -gap - slop));
        let (least, most) = over.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), over| {
            (least.min(over), most.max(over))
        });
        if least > truth::DEPTH_TOLERANCE {
            outcomes = Outcomes::from([Some(Kind::StartsInside)]);
        } else if most > -truth::DEPTH_TOLERANCE {
            outcomes.insert(Some(Kind::StartsInside));
        }
    }
    if outcomes.len() > 1 {
        stats.undecided += 1;
        return;
    }
    let is_true = outcomes.contains(&Some(Kind::StartsInside));
    let lasts = reported.iter().any(|(kind, _)| *kind == Kind::StartsInside);
    let begins = reported
        .iter()
        .any(|(kind, is_new)| *kind == Kind::StartsInside && *is_new);
    // A pair that is already reported as inside each other is not reported again.
    let is_reported = if is_true { lasts } else { begins };
    stats.count(Kind::StartsInside, is_true, is_reported, is_true);
    if is_true != is_reported {
        let what = if is_reported { "false" } else { "missed" };
        let text =
            format!("StartsInside {what}; {name}: reported {reported:?}, depth {depth} {pair:?}");
        stats.disagreements.push(text);
    }
}
