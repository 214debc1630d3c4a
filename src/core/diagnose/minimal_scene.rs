//! One frame of a level as a small scene with the same collision.

mod query;

use super::diagnosis::{Options, diagnose};
use super::report::expect::{self, expected_finding};
use crate::core::diagnose::finding::{Finding, Source};
use crate::core::diagnose::judge::substeps;
use crate::core::diagnose::kind::Kind;
use crate::core::level::Level;
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use crate::core::query::sweep;
use crate::core::replay::{Frame, ObjectId, Replay};
use crate::core::scene::{
    Camera, CameraMovement, Expectation, MeshSource, Movement, Object, Scene,
};
use crate::core::shape::{Aabb, Motion, Pose, Shape};
use crate::core::tolerance::{EXPECT_FRACTION, MAX_MAGNITUDE};
use glam::DVec3;
use std::path::PathBuf;
use std::sync::Arc;

/// Which objects of a frame the scene holds.
#[derive(Clone, Copy, Debug)]
pub enum SceneSelection<'c> {
    /// What is near the frame's findings; everything where there are none.
    Neighbourhood,
    /// Two objects alone.
    Pair(ObjectId, ObjectId),
    /// The two objects of a finding, or the engine's query that it is about.
    Finding(&'c Finding),
}

impl SceneSelection<'_> {
    /// The selected pair, if it is one.
    fn pair(&self) -> Option<[ObjectId; 2]> {
        match self {
            Self::Neighbourhood => None,
            Self::Pair(a, b) => Some([*a, *b]),
            Self::Finding(finding) => Some([finding.object_a?, finding.object_b?]),
        }
    }
}

/// The scene of a frame: the selected objects at their start poses, with velocities that lead to their end poses,
/// without response or gravity. Its `expect` holds the findings; where the engine's log differs, it expects the exact
/// result, and the notes give the logged one. Also returns notices about what a scene cannot hold.
///
/// # Errors
/// A sentence, when there is no such frame, or the work was cancelled.
pub fn minimal_scene(
    level: &Level,
    number: u32,
    selection: SceneSelection<'_>,
    progress: &dyn Progress,
) -> Result<(Scene, Vec<Problem>), String> {
    let replay = &level.replay;
    if number >= replay.frames() {
        let last = replay.frames().saturating_sub(1);
        return Err(format!(
            "there is no frame {number}; the frames are 0 to {last}"
        ));
    }
    let frame = replay.frame(number);
    let options = Options {
        frames: Some(number..=number),
        ..Options::default()
    };
    let report = diagnose(level, &options, progress).ok_or("the work was cancelled")?;
    let happens_here = |finding: &&Finding| finding.frame <= number && number <= finding.last_frame;
    let pair = selection.pair();
    let chosen = |finding: &&Finding| {
        let of = [finding.object_a, finding.object_b];
        pair.is_none_or(|pair| pair.iter().all(|id| of.contains(&Some(*id))))
    };
    let findings: Vec<&Finding> = report
        .findings
        .iter()
        .filter(happens_here)
        .filter(chosen)
        .collect();
    let empty = empty_scene(level, &frame);
    if let SceneSelection::Finding(finding) = selection
        && let Source::Query(index) = finding.source
        && let Some(asked) = replay.recording().and_then(|log| log.query(index))
    {
        let notices = Notices::new(level);
        return Ok(query::scene(
            empty, replay, &frame, finding, &asked, notices,
        ));
    }
    let mut notices = Notices::new(level);
    let travels = travels(replay, &frame);
    let mut scene = Scene {
        objects: match pair {
            Some(pair) => two(replay, &travels, pair, frame.dt),
            None => {
                let region = region(replay, &travels, &findings);
                objects(replay, &travels, region, frame.dt)
            }
        }
        .into(),
        camera: camera(replay, &frame).filter(|_| pair.is_none()),
        ..empty
    };
    for (id, travel) in travels.iter().enumerate() {
        let asked = pair.is_none_or(|pair| pair.contains(&(id as ObjectId)));
        let object = &replay.objects()[id];
        if asked && travel.is_some_and(|travel| !fits_a_scene(object, &travel, frame.dt)) {
            let name = &object.name;
            notices.note(format!(
                "\"{name}\" is left out: its pose is not finite, or it is too far out, too fast or too large for a scene"
            ));
        }
    }
    expect_findings(&mut scene, &findings, &mut notices, progress)?;
    if let Some(pair) = pair
        && scene.expect.is_empty()
    {
        let [a, b] = pair.map(|id| replay.objects()[id as usize].name.clone());
        expect_answer(&mut scene, &a, &b, &mut notices);
    }
    Ok((scene, notices.list))
}

/// Writes every mesh into the scene's text, for a scene without its mesh files.
pub fn inline_meshes(scene: &mut Scene) {
    for index in 0..scene.objects.len() {
        if matches!(scene.objects[index].mesh, Some(MeshSource::File(_))) {
            scene.objects[index].mesh = Some(MeshSource::Inline);
        }
    }
}

/// The scene without objects and expectations.
fn empty_scene(level: &Level, frame: &Frame) -> Scene {
    let replay = &level.replay;
    let name = format!("{}, frame {}", replay.scene().name, frame.number);
    let substeps = substeps::count(replay, frame.number);
    Scene {
        notes: format!(
            "Frame {} of {}, made by hitstop.",
            frame.number,
            level.file.display()
        ),
        units: match replay.units().units {
            units if units.flat => units,
            _ => replay.scene().units,
        },
        dt: frame.dt / f64::from(substeps),
        frames: substeps,
        engine: replay.engine(),
        ..Scene::new(name, Vec::new())
    }
}

/// Notices about what the scene cannot hold.
struct Notices {
    file: String,
    list: Vec<Problem>,
}

impl Notices {
    fn new(level: &Level) -> Self {
        Self {
            file: level.file.display().to_string(),
            list: Vec::new(),
        }
    }

    fn note(&mut self, what: String) {
        self.list.push(Problem::new(self.file.clone(), what, ""));
    }
}

/// Adds the frame's findings as expectations, as far as the scene has their objects.
fn expect_findings(
    scene: &mut Scene,
    findings: &[&Finding],
    notices: &mut Notices,
    progress: &dyn Progress,
) -> Result<(), String> {
    let again = diagnose(&stepped(scene), &Options::default(), progress);
    let again = again.ok_or("the work was cancelled")?.findings;
    for finding in findings {
        let same = |other: &&Finding| {
            (other.kind, &other.a, &other.b) == (finding.kind, &finding.a, &finding.b)
        };
        if let Some(found) = again.iter().find(same) {
            scene.expect.push(expected_finding(found).into());
        } else if finding.kind == Kind::Phantom {
            // A stepped scene has no engine: it expects the exact result.
            scene.notes += &format!("\nThe engine's log differs: {}", finding.text);
            if !finding.b.is_empty() {
                expect_answer(scene, &finding.a, &finding.b, notices);
            }
        } else {
            notices.note(format!(
                "the scene does not reproduce this, as it depends on earlier frames: {}",
                finding.text
            ));
        }
    }
    Ok(())
}

/// Adds the result of the exact sweep of two objects as an expectation.
fn expect_answer(scene: &mut Scene, a: &str, b: &str, notices: &mut Notices) {
    let (a, b) = (a.to_owned(), b.to_owned());
    let replay = Replay::stepped(Arc::new(scene.clone()));
    let (Some(first), Some(second)) = (replay.object_named(&a), replay.object_named(&b)) else {
        notices.note(format!("{a} and {b} are not both in the scene"));
        return;
    };
    let fraction = replay
        .frame(0)
        .straight_intervals(first, second)
        .into_iter()
        .find_map(|(from, to, motion_a, motion_b)| {
            let shapes = [first, second].map(|id| &replay.objects()[id as usize].shape);
            let sweep = sweep(shapes[0], &motion_a, shapes[1], &motion_b, &mut ());
            let impact = sweep.outcome.impact()?;
            Some(from + impact.fraction * (to - from))
        });
    let answers = [
        fraction.map(|fraction| Expectation::Hit {
            a: a.clone(),
            b: b.clone(),
            frame: 0,
            fraction,
            tolerance: EXPECT_FRACTION,
        }),
        Some(Expectation::NeverTouches {
            a: a.clone(),
            b: b.clone(),
        }),
        Some(Expectation::Touches { a, b }),
    ];
    // The first of them that holds.
    for answer in answers.into_iter().flatten() {
        let asked = Scene {
            expect: vec![answer.clone().into()],
            ..scene.clone()
        };
        let results = expect::evaluate(&Replay::stepped(Arc::new(asked)), None, &mut [], None);
        if results.iter().all(|result| result.passed) {
            scene.expect.push(answer.into());
            return;
        }
    }
}

fn stepped(scene: &Scene) -> Level {
    Level {
        file: PathBuf::from(&scene.name),
        replay: Arc::new(Replay::stepped(Arc::new(scene.clone()))),
        notices: Vec::new(),
    }
}

/// Each object's motion over the frame before its pushes; at rest where it was teleported.
fn travels(replay: &Replay, frame: &Frame) -> Vec<Option<Motion>> {
    (0..replay.objects().len())
        .map(|index| {
            let body = frame.start.body(index as ObjectId)?;
            Some(match &frame.segments(index as ObjectId)[..] {
                [] => Motion::still(body.pose),
                [first, .., last] => Motion {
                    start: first.motion.start,
                    end: last.motion.end,
                },
                [only] => only.motion,
            })
        })
        .collect()
}

pub(in crate::core) fn swept(object: &Object, travel: &Motion) -> Option<Aabb> {
    let start = object.shape.placed(&travel.start).aabb()?;
    Some(start.union(&object.shape.placed(&travel.end).aabb()?))
}

/// A region twice as large as the paths of the findings' movers; `None` (everywhere) without findings.
fn region(replay: &Replay, travels: &[Option<Motion>], findings: &[&Finding]) -> Option<Aabb> {
    let of_findings = findings
        .iter()
        .flat_map(|f| [f.object_a, f.object_b])
        .flatten();
    let boxes = of_findings.filter_map(|id| {
        let travel = travels.get(id as usize).copied().flatten()?;
        let moves = travel.displacement() != DVec3::ZERO || travel.turns();
        let bounds = swept(&replay.objects()[id as usize], &travel)?;
        moves.then_some(bounds)
    });
    let all = boxes.reduce(|a, b| a.union(&b))?;
    Some(all.grown(all.half_extents().max_element()))
}

/// True when a scene may hold the object's shape, both poses and the velocity.
fn fits_a_scene(object: &Object, travel: &Motion, dt: f64) -> bool {
    let size = match &object.shape {
        Shape::Plane(plane) => plane.offset.abs(),
        shape => shape.reach().unwrap_or(f64::INFINITY),
    };
    size <= MAX_MAGNITUDE && motion_fits_a_scene(travel, dt)
}

fn motion_fits_a_scene(travel: &Motion, dt: f64) -> bool {
    let fits = |vector: DVec3| vector.abs().max_element() <= MAX_MAGNITUDE;
    let pose_fits = |pose: &Pose| pose.is_finite() && fits(pose.position);
    pose_fits(&travel.start) && pose_fits(&travel.end) && fits(travel.displacement() / dt)
}

/// Two objects alone.
fn two(replay: &Replay, travels: &[Option<Motion>], pair: [ObjectId; 2], dt: f64) -> Vec<Object> {
    let objects = replay.objects().iter().zip(travels).zip(0..);
    objects
        .filter(|(_, id)| pair.contains(id))
        .filter_map(|((object, travel), _)| Some((object, (*travel)?)))
        .filter(|(object, travel)| fits_a_scene(object, travel, dt))
        .map(|(object, travel)| moving(object, &travel, dt))
        .collect()
}

fn objects(
    replay: &Replay,
    travels: &[Option<Motion>],
    region: Option<Aabb>,
    dt: f64,
) -> Vec<Object> {
    let near = |object: &Object, travel: &Motion| match (region, swept(object, travel)) {
        (Some(region), Some(bounds)) => region.overlaps(&bounds),
        _ => true,
    };
    let all = replay.objects().iter().zip(travels);
    let present = all.filter_map(|(object, travel)| Some((object, (*travel)?)));
    present
        .filter(|(object, travel)| fits_a_scene(object, travel, dt))
        .filter(|(object, travel)| near(object, travel))
        .map(|(object, travel)| moving(object, &travel, dt))
        .collect()
}

fn moving(object: &Object, travel: &Motion, dt: f64) -> Object {
    let velocity = travel.displacement() / dt;
    let spin = if travel.turns() {
        spin(&travel.start, &travel.end, dt)
    } else {
        DVec3::ZERO
    };
    let still = velocity == DVec3::ZERO && spin == DVec3::ZERO;
    let movement = match object.movement {
        Movement::Fixed if still => Movement::Fixed,
        Movement::Velocity => Movement::Velocity,
        _ => Movement::Kinematic,
    };
    Object {
        pose: travel.start,
        velocity,
        spin,
        movement,
        ..object.clone()
    }
}

/// Radians per second about world axes, along the shortest arc.
pub(in crate::core) fn spin(start: &Pose, end: &Pose, dt: f64) -> DVec3 {
    let mut turn = end.rotation * start.rotation.conjugate();
    if turn.w < 0.0 {
        turn = -turn;
    }
    turn.to_scaled_axis() / dt
}

fn camera(replay: &Replay, frame: &Frame) -> Option<Camera> {
    let (motion, _) = frame.camera?;
    let camera = replay.scene().camera.clone()?;
    motion_fits_a_scene(&motion, frame.dt).then(|| Camera {
        pose: motion.start,
        movement: CameraMovement::Velocity(motion.displacement() / frame.dt),
        ..camera
    })
}
