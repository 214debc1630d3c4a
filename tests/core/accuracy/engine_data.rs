//! What a log claims itself, right and wrong by construction: contacts, swept balls, and a camera's way.

use super::geometry::{self, Form, Hull};
use super::judge::{CELLS, Pair};
use super::levels::{self, Cell, Chance, FRAMES, Thing};
use super::played;
use super::tally::Tally;
use super::truth::{self, Place, Stretch};
use crate::common::levels::{diagnosed, level_of};
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::{Cause, Finding, Kind};
use hitstop::core::replay::{
    LoggedCamera, LoggedContact, LoggedHit, LoggedQuery, QueryKind, Recording,
};
use hitstop::core::shape::Pose;

/// Metres that two things are apart at least where a contact of them is claimed and false: beyond any engine's margin.
const APART: f64 = 0.05;

/// Share of its path by which a swept ball's wrong answer is off at least.
const OFF: f64 = 0.2;

fn findings(recording: Recording) -> Vec<Finding> {
    let level = level_of(played::recorded(recording));
    diagnosed(&level).findings
}

fn tells(findings: &[Finding], frame: usize, is_it: impl Fn(&Finding) -> bool) -> bool {
    findings.iter().any(|finding| {
        (finding.frame as usize..=finding.last_frame as usize).contains(&frame) && is_it(finding)
    })
}

fn count(tally: &mut Tally, kind: Kind, name: &str, is_true: bool, is_told: bool) {
    tally.count(kind, is_true, is_told, false);
    if is_true != is_told {
        let what = if is_told { "false" } else { "missed" };
        tally
            .disagreements
            .push(format!("{} {what}; {name}", kind.name()));
    }
}

/// Contacts of pairs that touch on the way, and of pairs that come nowhere near.
pub fn contacts(seed: u64) -> Tally {
    let mut chance = Chance::new(seed);
    let cells = levels::level(&mut chance, CELLS);
    let mut recording = played::recording(&cells, 1.0 / 60.0);
    let mut claims = Vec::new();
    for frame in 0..FRAMES {
        let from = recording.contacts.len();
        let mut first = 0;
        for cell in &cells {
            let pair = Pair {
                things: [&cell[0], &cell[1]],
                numbers: [first, first + 1],
            };
            first += cell.len();
            // Behind a surface that is there from its front only there is no distance.
            let asked =
                pair.travel(frame) && !pair.things.iter().any(|thing| thing.form.is_one_sided());
            let least = truth::of(&pair.stretch(frame)).least;
            let size = truth::size_of(pair.things.map(|thing| &thing.form));
            let apart = APART + truth::SLOP * size;
            let is_false = least > 0.0 && truth::apart_by(&pair.stretch(frame)) > apart;
            if asked && (is_false || least < 0.0) {
                recording.contacts.push(LoggedContact {
                    a: pair.numbers[0] as u32,
                    b: pair.numbers[1] as u32,
                    point: cell[0].places[frame],
                    normal: DVec3::Y,
                    depth: 0.01,
                });
                claims.push((frame, pair.numbers, is_false));
            }
        }
        recording.frames[frame + 1].contacts = from..recording.contacts.len();
    }
    let found = findings(recording);
    let mut tally = Tally::default();
    for (frame, [a, b], is_false) in claims {
        let ids = [Some(a as u32), Some(b as u32)];
        let is_told = tells(&found, frame, |finding| {
            let pair = [finding.object_a, finding.object_b];
            let same = pair == ids || pair == [ids[1], ids[0]];
            finding.kind == Kind::Phantom && finding.cause == Cause::Ghost && same
        });
        let name = format!("seed {seed}, contact of {a} and {b}, frame {frame}");
        count(&mut tally, Kind::Phantom, &name, is_false, is_told);
    }
    tally
}

/// Things that stand, every one of them pushed by nothing.
fn standing(chance: &mut Chance) -> Vec<Cell> {
    let thing = |chance: &mut Chance| {
        let mut thing = match chance.of(3) {
            0 => levels::wall(chance),
            1 => levels::sheet(chance),
            _ => levels::body(chance, false),
        };
        thing.fixed = true;
        thing
    };
    let cells = (0..CELLS).map(|_| {
        loop {
            let thing = thing(chance);
            if !thing.form.is_one_sided() {
                return vec![thing];
            }
        }
    });
    let cells = cells.collect();
    levels::in_a_row(cells)
}

/// Swept balls with the right answer, with another fraction, with a hit that is none, and without the hit.
pub fn queries(seed: u64) -> Tally {
    let mut chance = Chance::new(seed);
    let cells = standing(&mut chance);
    let mut recording = played::recording(&cells, 1.0 / 60.0);
    let mut claims = Vec::new();
    for frame in 0..FRAMES {
        // Another thing than in the frame before, so that nothing goes on.
        let number = (frame * 5 + 1) % CELLS;
        let thing = &cells[number][0];
        let radius = chance.magnitude(0.02, 0.5);
        let reach = thing.form.bound() + radius;
        let side = chance.direction();
        let end = |chance: &mut Chance, side: DVec3| {
            let off = chance.direction() * chance.between(0.0, reach);
            thing.places[0] + side * reach * chance.between(1.5, 6.0) + off
        };
        let (from, to) = (end(&mut chance, side), end(&mut chance, -side));
        let Some(exact) = swept(thing, radius, from, to) else {
            continue;
        };
        let wrong = chance.one_in(2);
        let fraction = match (exact, wrong) {
            (hit, false) => hit,
            (Some(_), true) if chance.one_in(2) => None,
            (Some(at), true) if at > 0.5 => Some(at - chance.between(OFF, 0.5)),
            (Some(at), true) => Some(at + chance.between(OFF, 0.5)),
            (None, true) => Some(chance.share()),
        };
        let from_query = recording.queries.len();
        recording.queries.push(LoggedQuery {
            kind: QueryKind::Sweep,
            object: None,
            from,
            to,
            radius,
            mask: None,
            hit: fraction.map(|fraction| LoggedHit {
                object: number as u32,
                fraction,
                normal: None,
            }),
        });
        recording.frames[frame + 1].queries = from_query..recording.queries.len();
        claims.push((frame, wrong));
    }
    let found = findings(recording);
    let mut tally = Tally::default();
    for (frame, is_wrong) in claims {
        let is_told = tells(&found, frame, |finding| finding.cause == Cause::OwnQuery);
        let name = format!("seed {seed}, query in frame {frame}");
        count(&mut tally, Kind::Phantom, &name, is_wrong, is_told);
    }
    tally
}

/// When a ball first touches a thing on its way, if it does; `None` where it begins or ends near it, and where a ball that is
/// as much larger or smaller as an engine may be off answers otherwise.
fn swept(thing: &Thing, radius: f64, from: DVec3, to: DVec3) -> Option<Option<f64>> {
    let way = BallsWay { thing, from, to };
    let whole = way.judged(radius, 1.0, truth::of);
    if whole.ends.iter().any(|gap| *gap < APART) {
        return None;
    }
    let allowed = allowed(radius, from.abs().max(to.abs()).max_element());
    if whole.least > 0.0 {
        let apart = way.judged(radius, 1.0, truth::apart_by);
        return (apart > APART.max(allowed)).then_some(None);
    }
    if whole.least >= -allowed {
        return None;
    }
    // The more it grazes, the later a ball that is a little smaller touches.
    let [early, late] = [allowed, -allowed].map(|more| way.touched(radius + more));
    (late - early < 0.5 * OFF).then(|| Some(way.touched(radius)))
}

/// By how much an engine's ball may be off before its answer is wrong, metres: 5 mm, or a tenth of it where that is less, or a
/// fiftieth of it where that is more; and eight roundings of an `f32` at the farthest coordinate.
fn allowed(radius: f64, farthest: f64) -> f64 {
    (0.1 * radius).min(0.005).max(0.02 * radius) + 8.0 * f64::from(f32::EPSILON) * farthest
}

/// The way of a ball past a thing that stands.
struct BallsWay<'t> {
    thing: &'t Thing,
    from: DVec3,
    to: DVec3,
}

impl BallsWay<'_> {
    /// What is true up to a share of it, of a ball of some radius.
    fn judged<T>(&self, radius: f64, share: f64, of: impl Fn(&Stretch<'_>) -> T) -> T {
        let ball = Form::Ball(radius);
        let place = |at: DVec3| Place {
            at,
            turn: DQuat::IDENTITY,
        };
        let stands = self.thing.place(0);
        of(&Stretch {
            forms: [&ball, &self.thing.form],
            from: [place(self.from), stands],
            to: [place(self.from.lerp(self.to, share)), stands],
            sensor: false,
        })
    }

    /// Touched up to this share, and not up to a little less; 1 where it is never touched.
    fn touched(&self, radius: f64) -> f64 {
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            if self.judged(radius, middle, truth::of).least <= 0.0 {
                high = middle;
            } else {
                low = middle;
            }
        }
        high
    }
}

/// A camera that flies about things that stand.
pub fn camera(seed: u64) -> Tally {
    let mut chance = Chance::new(seed);
    let cells = standing(&mut chance);
    let mut recording = played::recording(&cells, 1.0 / 60.0);
    let number = chance.of(CELLS);
    let thing = &cells[number][0];
    let reach = thing.form.bound();
    let eyes: Vec<DVec3> = (0..=FRAMES)
        .map(|_| thing.places[0] + chance.direction() * reach * chance.magnitude(0.2, 3.0))
        .collect();
    for (eye, frame) in eyes.iter().zip(&mut recording.frames) {
        frame.camera = Some(LoggedCamera {
            pose: Pose::at(*eye),
            push: None,
            teleported: false,
        });
    }
    let found = findings(recording);
    let hulls = thing.form.hulls(thing.turn);
    let middle = thing.places[0] + thing.turn * thing.form.middle();
    let mut tally = Tally::default();
    for (frame, ends) in eyes.windows(2).enumerate() {
        let [from, to] = [ends[0], ends[1]].map(|eye| eye - middle);
        let is_true = hulls.iter().any(|hull| crosses(hull, from, to));
        let is_told = tells(&found, frame, |finding| {
            finding.kind == Kind::CameraCrosses
                && finding.object_b.or(finding.object_a) == Some(number as u32)
        });
        let name = format!("seed {seed}, camera in frame {frame}");
        count(&mut tally, Kind::CameraCrosses, &name, is_true, is_told);
    }
    tally
}

/// Does a point's way lead through the surface of a hull?
fn crosses(hull: &Hull, from: DVec3, to: DVec3) -> bool {
    if hull.corners.len() == 3 {
        return geometry::passes((from, to), hull).is_some();
    }
    let inside = |share: f64| geometry::apart(hull, from.lerp(to, share)) <= 0.0;
    let pieces = truth::PIECES as u32;
    let samples = (0..=pieces).map(|piece| inside(f64::from(piece) / truth::PIECES));
    match (inside(0.0), inside(1.0)) {
        (true, true) => false,
        (false, false) => {
            samples.into_iter().any(|inside| inside) || geometry::meets(hull, from, to)
        }
        _ => true,
    }
}
