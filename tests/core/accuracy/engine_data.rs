//! Logged contacts, swept spheres and camera paths that are right or wrong by construction.

use super::geometry::{self, Hull, TestShape};
use super::judge::{CELLS, Pair};
use super::levels::{self, Cell, FRAMES, LevelRandom, TestObject};
use super::replays;
use super::stats::Stats;
use super::straight;
use super::truth::{self, Interval, TestPose};
use crate::common::levels::{change_frames, diagnosed, level_of};
use glam::{DQuat, DVec3};
use hitstop::core::diagnose::{Cause, Finding, Kind};
use hitstop::core::replay::{
    LoggedCamera, LoggedContact, LoggedHit, LoggedQuery, QueryKind, Recording,
};
use hitstop::core::shape::Pose;

/// Distance of the pair of a false contact, metres: at least this, beyond any engine's margin.
const APART: f64 = 0.05;

/// Error of a wrong sweep result, as a fraction of the path: at least this.
const OFF: f64 = 0.2;

fn findings(recording: Recording) -> Vec<Finding> {
    let level = level_of(replays::recorded(recording));
    diagnosed(&level).findings.into()
}

fn reports(findings: &[Finding], frame: usize, is_it: impl Fn(&Finding) -> bool) -> bool {
    findings.iter().any(|finding| {
        (finding.frame as usize..=finding.last_frame as usize).contains(&frame) && is_it(finding)
    })
}

fn count(stats: &mut Stats, kind: Kind, name: &str, is_true: bool, is_reported: bool) {
    stats.count(kind, is_true, is_reported, false);
    if is_true != is_reported {
        let what = if is_reported { "false" } else { "missed" };
        stats
            .disagreements
            .push(format!("{} {what}; {name}", kind.name()));
    }
}

/// Contacts of pairs that touch on their path, and of pairs that are far apart.
pub fn contacts(seed: u64) -> Stats {
    let mut random = LevelRandom::new(seed);
    let cells = levels::level(&mut random, CELLS);
    let mut recording = replays::recording(&cells, 1.0 / 60.0);
    let (mut logged, mut all_contacts) = (Vec::new(), vec![Vec::new()]);
    for frame in 0..FRAMES {
        let mut contacts = Vec::new();
        let mut first = 0;
        for cell in &cells {
            let pair = Pair {
                objects: [&cell[0], &cell[1]],
                numbers: [first, first + 1],
            };
            first += cell.len();
            // Behind a one-sided surface there is no distance.
            let is_tested = pair.travel(frame)
                && !pair
                    .objects
                    .iter()
                    .any(|object| object.shape.is_one_sided());
            // An engine has no contact in a hollow mesh.
            let surfaces = pair.objects.map(|object| object.shape.surface());
            let interval = Interval {
                shapes: surfaces.each_ref(),
                ..pair.interval(frame)
            };
            let least = truth::of(&interval).least;
            let apart = APART + truth::SLOP * truth::size_of(interval.shapes);
            let is_false = least > 0.0 && straight::apart_by(&interval) > apart;
            if is_tested && (is_false || least < 0.0) {
                contacts.push(LoggedContact {
                    a: pair.numbers[0] as u32,
                    b: pair.numbers[1] as u32,
                    point: cell[0].positions[frame],
                    normal: DVec3::Y,
                    depth: 0.01,
                });
                logged.push((frame, pair.numbers, is_false));
            }
        }
        all_contacts.push(contacts);
    }
    change_frames(&mut recording, |index, data| {
        data.contacts = std::mem::take(&mut all_contacts[index]).into();
    });
    let found = findings(recording);
    let mut stats = Stats::default();
    for (frame, [a, b], is_false) in logged {
        let ids = [Some(a as u32), Some(b as u32)];
        let is_reported = reports(&found, frame, |finding| {
            let pair = [finding.object_a, finding.object_b];
            let same = pair == ids || pair == [ids[1], ids[0]];
            finding.kind == Kind::Phantom && finding.cause == Cause::Ghost && same
        });
        let name = format!("seed {seed}, contact of {a} and {b}, frame {frame}");
        count(&mut stats, Kind::Phantom, &name, is_false, is_reported);
    }
    stats
}

/// Fixed objects.
fn fixed_objects(random: &mut LevelRandom) -> Vec<Cell> {
    let object = |random: &mut LevelRandom| {
        let mut object = match random.below(3) {
            0 => levels::wall(random),
            1 => levels::surface(random),
            _ => levels::body(random),
        };
        object.fixed = true;
        object
    };
    let cells = (0..CELLS).map(|_| {
        loop {
            let object = object(random);
            if !object.shape.is_one_sided() {
                return vec![object];
            }
        }
    });
    let cells = cells.collect();
    levels::in_a_row(cells)
}

/// Swept spheres with the right result, with another fraction, with an invented hit, and with the hit left out.
pub fn queries(seed: u64) -> Stats {
    let mut random = LevelRandom::new(seed);
    let cells = fixed_objects(&mut random);
    let mut recording = replays::recording(&cells, 1.0 / 60.0);
    let mut logged = Vec::new();
    for frame in 0..FRAMES {
        // Another object than in the frame before, so that no finding continues.
        let number = (frame * 5 + 1) % CELLS;
        let object = &cells[number][0];
        let radius = random.magnitude(0.02, 0.5);
        let extent = object.shape.bound() + radius;
        let side = random.direction();
        let end = |random: &mut LevelRandom, side: DVec3| {
            let off = random.direction() * random.between(0.0, extent);
            object.positions[0] + side * extent * random.between(1.5, 6.0) + off
        };
        let (from, to) = (end(&mut random, side), end(&mut random, -side));
        let Some(exact) = swept(object, radius, from, to) else {
            continue;
        };
        let wrong = random.one_in(2);
        let fraction = match (exact, wrong) {
            (hit, false) => hit,
            (Some(_), true) if random.one_in(2) => None,
            (Some(at), true) if at > 0.5 => Some(at - random.between(OFF, 0.5)),
            (Some(at), true) => Some(at + random.between(OFF, 0.5)),
            (None, true) => Some(random.fraction()),
        };
        let query = LoggedQuery {
            kind: QueryKind::Sweep,
            object: None,
            from,
            to,
            radius,
            shape: None,
            mask: None,
            tag: None,
            hit: fraction.map(|fraction| LoggedHit {
                object: number as u32,
                fraction,
                normal: None,
            }),
        };
        change_frames(&mut recording, |index, data| {
            let of_frame = (index == frame + 1).then(|| query.clone());
            data.queries.extend(of_frame);
        });
        logged.push((frame, wrong));
    }
    let found = findings(recording);
    let mut stats = Stats::default();
    for (frame, is_wrong) in logged {
        let is_reported = reports(&found, frame, |finding| finding.cause == Cause::OwnQuery);
        let name = format!("seed {seed}, query in frame {frame}");
        count(&mut stats, Kind::Phantom, &name, is_wrong, is_reported);
    }
    stats
}

/// Fraction at which a sphere first touches an object on its path, if it does. `None` where it starts or ends near the object, and where a
/// sphere that is larger or smaller by the allowed error gives another result.
fn swept(object: &TestObject, radius: f64, from: DVec3, to: DVec3) -> Option<Option<f64>> {
    let path = SpherePath { object, from, to };
    let whole = path.judged(radius, 1.0, truth::of);
    if whole.ends.iter().any(|gap| *gap < APART) {
        return None;
    }
    let allowed = allowed(radius, from.abs().max(to.abs()).max_element());
    if whole.least > 0.0 {
        let apart = path.judged(radius, 1.0, straight::apart_by);
        return (apart > APART.max(allowed)).then_some(None);
    }
    if whole.least >= -allowed {
        return None;
    }
    // The shallower the graze, the later a slightly smaller sphere touches.
    let [early, late] = [allowed, -allowed].map(|more| path.touched(radius + more));
    (late - early < 0.5 * OFF).then(|| Some(path.touched(radius)))
}

/// Allowed error of an engine's sphere, metres: 5 mm, at most a tenth of its radius, at least a fiftieth of it, and eight roundings of an
/// `f32` at the farthest coordinate.
fn allowed(radius: f64, farthest: f64) -> f64 {
    (0.1 * radius).min(0.005).max(0.02 * radius) + 8.0 * f64::from(f32::EPSILON) * farthest
}

/// Path of a sphere past a fixed object.
struct SpherePath<'t> {
    object: &'t TestObject,
    from: DVec3,
    to: DVec3,
}

impl SpherePath<'_> {
    /// The truth up to a fraction of the path, for a sphere of this radius.
    fn judged<T>(&self, radius: f64, fraction: f64, of: impl Fn(&Interval<'_>) -> T) -> T {
        let ball = TestShape::Sphere(radius);
        let pose = |at: DVec3| TestPose {
            at,
            rotation: DQuat::IDENTITY,
        };
        let obstacle = self.object.pose(0);
        of(&Interval {
            shapes: [&ball, &self.object.shape],
            from: [pose(self.from), obstacle],
            to: [pose(self.from.lerp(self.to, fraction)), obstacle],
            gap_before: f64::INFINITY,
            sensor: false,
        })
    }

    /// First fraction up to which the sphere touches; 1 if it never does.
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

/// A camera that flies about fixed objects.
pub fn camera(seed: u64) -> Stats {
    let mut random = LevelRandom::new(seed);
    let cells = fixed_objects(&mut random);
    let mut recording = replays::recording(&cells, 1.0 / 60.0);
    let number = random.below(CELLS);
    let object = &cells[number][0];
    let extent = object.shape.bound();
    let eyes: Vec<DVec3> = (0..=FRAMES)
        .map(|_| object.positions[0] + random.direction() * extent * random.magnitude(0.2, 3.0))
        .collect();
    for (eye, frame) in eyes.iter().zip(&mut recording.frames) {
        frame.camera = Some(LoggedCamera {
            pose: Pose::at(*eye),
            push: None,
            teleported: false,
        });
    }
    let found = findings(recording);
    let hulls = object.shape.hulls(object.rotation);
    let centre = object.positions[0] + object.rotation * object.shape.centre();
    let mut stats = Stats::default();
    for (frame, ends) in eyes.windows(2).enumerate() {
        let [from, to] = [ends[0], ends[1]].map(|eye| eye - centre);
        let is_true = hulls.iter().any(|hull| crosses(hull, from, to));
        let is_reported = reports(&found, frame, |finding| {
            finding.kind == Kind::CameraCrosses
                && finding.object_b.or(finding.object_a) == Some(number as u32)
        });
        let name = format!("seed {seed}, camera in frame {frame}");
        count(&mut stats, Kind::CameraCrosses, &name, is_true, is_reported);
    }
    stats
}

/// Whether the path of a point crosses the surface of a hull.
fn crosses(hull: &Hull, from: DVec3, to: DVec3) -> bool {
    if hull.corners.len() == 3 {
        return geometry::passes((from, to), hull).is_some();
    }
    let inside = |fraction: f64| geometry::distance(hull, from.lerp(to, fraction)) <= 0.0;
    let steps = truth::STEPS as u32;
    let samples = (0..=steps).map(|step| inside(f64::from(step) / truth::STEPS));
    match (inside(0.0), inside(1.0)) {
        (true, true) => false,
        (false, false) => {
            samples.into_iter().any(|inside| inside) || geometry::enters(hull, from, to)
        }
        _ => true,
    }
}
