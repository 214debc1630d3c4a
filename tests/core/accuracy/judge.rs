//! Diagnosis held against the truth, pair by pair and frame by frame.

use super::geometry::Form;
use super::levels::{self, Cell, Chance, FRAMES, Thing};
use super::played;
use super::tally::Tally;
use super::truth::{self, Open, Place, SLOP, Stretch, Truth};
use crate::common::levels::level_of;
use hitstop::core::diagnose::{Kind, Options, diagnose};
use hitstop::core::level::Level;
use hitstop::core::shape::{Motion, Pose};
use std::collections::BTreeMap;

/// The kinds that an overlap of two bodies decides.
pub const KINDS: [Kind; 5] = [
    Kind::Tunnels,
    Kind::Clips,
    Kind::WrongSide,
    Kind::Sinks,
    Kind::StartsInside,
];

/// Cells of a level.
pub const CELLS: usize = 12;

/// A frame (for what begins inside, a state) and a pair, in ascending order of the two.
type Key = (usize, usize, usize);

/// What is told of each, and whether it is told anew or goes on.
type Told = BTreeMap<Key, Vec<(Kind, bool)>>;

/// Lengths of a frame, seconds.
const DTS: [f64; 4] = [1.0 / 30.0, 1.0 / 60.0, 1.0 / 144.0, 0.1];

/// A log of positions: the truth asks the places that were written into it.
pub fn recorded(seed: u64) -> Tally {
    logged(seed, |chance| levels::level(chance, CELLS))
}

/// The same of things that turn inside their frames.
pub fn turning(seed: u64) -> Tally {
    logged(seed, |chance| levels::turning(chance, CELLS / 6))
}

fn logged(seed: u64, cells: impl Fn(&mut Chance) -> Vec<Cell>) -> Tally {
    let mut chance = Chance::new(seed);
    let cells = cells(&mut chance);
    let dt = DTS[chance.of(DTS.len())];
    let level = level_of(played::recorded(played::recording(&cells, dt)));
    hold(seed, &cells, &level, |pair, frame| {
        match pair.travel(frame) {
            true => vec![pair.stretch(frame)],
            false => Vec::new(),
        }
    })
}

/// A scene that the program steps itself: the truth asks the ways that it stepped.
pub fn stepped(seed: u64) -> Tally {
    let mut chance = Chance::new(seed);
    let dt = DTS[chance.of(DTS.len())];
    let cells = levels::flights(&mut chance, CELLS, dt);
    let level = level_of(played::stepped(&mut chance, &cells, dt));
    let frames: Vec<_> = (0..FRAMES as u32)
        .map(|frame| level.replay.frame(frame))
        .collect();
    hold(seed, &cells, &level, |pair, frame| {
        let ids = pair.numbers.map(|number| number as u32);
        let segments = frames[frame].straight_intervals(ids[0], ids[1]).into_iter();
        let place = |pose: Pose| Place {
            at: pose.position,
            turn: pose.rotation,
        };
        let stretch = |(_, _, a, b): (f64, f64, Motion, Motion)| Stretch {
            from: [place(a.start), place(b.start)],
            to: [place(a.end), place(b.end)],
            ..pair.stretch(frame)
        };
        segments.map(stretch).collect()
    })
}

/// Two things of a level.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'t> {
    pub things: [&'t Thing; 2],
    pub numbers: [usize; 2],
}

impl<'t> Pair<'t> {
    pub fn travel(&self, frame: usize) -> bool {
        self.things.iter().all(|thing| thing.travels_to(frame + 1))
    }

    fn places(&self, state: usize) -> [Place; 2] {
        self.things.map(|thing| thing.place(state))
    }

    pub fn stretch(&self, frame: usize) -> Stretch<'t> {
        Stretch {
            forms: self.things.map(|thing| &thing.form),
            from: self.places(frame),
            to: self.places(frame + 1),
            sensor: self.things.iter().any(|thing| thing.sensor),
        }
    }
}

/// A finding that lasts is told in each of its frames.
fn told(level: &Level) -> Told {
    let report = diagnose(level, &Options::default(), &()).expect("nobody cancels");
    let mut told = Told::new();
    for finding in &report.findings {
        let (Some(a), Some(b)) = (finding.object_a, finding.object_b) else {
            continue;
        };
        let (a, b) = (a.min(b) as usize, a.max(b) as usize);
        let mut frames = finding.frame as usize..=finding.last_frame as usize;
        if finding.kind == Kind::StartsInside && finding.fraction == 1.0 {
            frames = FRAMES..=FRAMES;
        }
        for frame in frames {
            let is_new = frame == finding.frame as usize || finding.fraction == 1.0;
            told.entry((frame, a, b))
                .or_default()
                .push((finding.kind, is_new));
        }
    }
    told
}

/// Holds what is told of every pair in every frame against the truth of its stretches of that frame.
fn hold<'t>(
    seed: u64,
    cells: &'t [Cell],
    level: &Level,
    stretches: impl Fn(&Pair<'t>, usize) -> Vec<Stretch<'t>>,
) -> Tally {
    let told = told(level);
    let mut tally = Tally::default();
    let mut first = 0;
    for cell in cells {
        tally.object_frames += (cell.len() * FRAMES) as u64;
        for i in 0..cell.len() {
            for j in i + 1..cell.len() {
                let pair = Pair {
                    things: [&cell[i], &cell[j]],
                    numbers: [first + i, first + j],
                };
                let of = |frame: usize| {
                    let told = told.get(&(frame, first + i, first + j));
                    told.map_or(&[][..], Vec::as_slice)
                };
                let name = format!("seed {seed}, {} and {}", first + i, first + j);
                for frame in 0..FRAMES {
                    let stretches = stretches(&pair, frame);
                    hold_frame(
                        &mut tally,
                        &format!("{name}, frame {frame}"),
                        &stretches,
                        of(frame),
                    );
                }
                for state in 0..=FRAMES {
                    hold_state(
                        &mut tally,
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
    tally
}

fn hold_frame(tally: &mut Tally, name: &str, stretches: &[Stretch<'_>], told: &[(Kind, bool)]) {
    tally.pair_frames += 1;
    let truths: Vec<Truth> = stretches.iter().map(truth::of).collect();
    let is_open = truths.iter().any(|truth| truth.open.len() > 1);
    let is_seen = truths.iter().any(|truth| truth.seen);
    tally.near += u64::from(is_open || truths.iter().any(|truth| truth.least <= 0.0));
    tally.undecided += u64::from(is_open);
    if is_open && std::env::var_os("ACCURACY_OPEN").is_some() {
        println!("{name}: open {truths:?}\n  {stretches:?}");
    }
    for kind in KINDS.into_iter().filter(|kind| *kind != Kind::StartsInside) {
        let possible = || {
            truths
                .iter()
                .filter(|truth| truth.open.contains(&Some(kind)))
        };
        if possible().any(|truth| truth.open.len() > 1) {
            continue;
        }
        let is_true = possible().next().is_some();
        let is_told = told.iter().any(|(known, _)| *known == kind);
        tally.count(kind, is_true, is_told, is_seen);
        if is_true != is_told {
            let what = if is_told { "false" } else { "missed" };
            let text = format!(
                "{} {what}; {name}: told {told:?}, {truths:?}\n  {stretches:?}",
                kind.name()
            );
            tally.disagreements.push(text);
        }
    }
    if is_seen {
        tally.overlaps += 1;
        let has_event = |truth: &Truth| truth.open.iter().any(Option::is_some);
        tally.overlaps_with_event += u64::from(truths.iter().any(has_event));
    }
}

/// Overlap where one of the two appears.
fn hold_state(tally: &mut Tally, name: &str, pair: &Pair<'_>, state: usize, told: &[(Kind, bool)]) {
    let things = pair.things;
    if things.iter().any(|thing| state < thing.appears) {
        return;
    }
    let is_new = things.iter().any(|thing| !thing.travels_to(state));
    let mut open = Open::from([None]);
    let mut depth = f64::NEG_INFINITY;
    if is_new && things.iter().all(|thing| !thing.sensor) {
        let forms = things.map(|thing| &thing.form);
        depth = -standing(forms, pair.places(state));
        let over = depth - SLOP * truth::size_of(forms);
        if over > truth::OPEN_DEPTH {
            open = Open::from([Some(Kind::StartsInside)]);
        } else if over > -truth::OPEN_DEPTH {
            open.insert(Some(Kind::StartsInside));
        }
    }
    if open.len() > 1 {
        tally.undecided += 1;
        return;
    }
    let is_true = open.contains(&Some(Kind::StartsInside));
    let lasts = told.iter().any(|(kind, _)| *kind == Kind::StartsInside);
    let begins = told
        .iter()
        .any(|(kind, is_new)| *kind == Kind::StartsInside && *is_new);
    // Where it is told already that they began inside each other, it is not told again.
    let is_told = if is_true { lasts } else { begins };
    tally.count(Kind::StartsInside, is_true, is_told, is_true);
    if is_true != is_told {
        let what = if is_told { "false" } else { "missed" };
        let text = format!("StartsInside {what}; {name}: told {told:?}, depth {depth} {pair:?}");
        tally.disagreements.push(text);
    }
}

/// The gap of two things as they stand, metres.
fn standing(forms: [&Form; 2], places: [Place; 2]) -> f64 {
    let stretch = Stretch {
        forms,
        from: places,
        to: places,
        sensor: false,
    };
    truth::of(&stretch).ends[0]
}
