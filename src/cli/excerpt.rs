//! One frame of a level as a small scene of its own, which steps into the same collision.

use crate::core::diagnose::{Finding, Options, diagnose};
use crate::core::level::Level;
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use crate::core::replay::{Frame, Replay};
use crate::core::scene::{
    Camera, CameraMovement, Detection, Expectation, Movement, Object, Response, Scene,
};
use crate::core::shape::{Aabb, Motion, Pose};
use glam::DVec3;
use std::path::PathBuf;
use std::sync::Arc;

/// The scene of a frame: what is near its findings, at the poses of its start, with the velocities that lead to those of its
/// end; nothing responds, nothing falls. What cannot be kept is named.
///
/// # Errors
/// A sentence, when there is no such frame, or the work was cancelled.
pub(super) fn excerpt(
    level: &Level,
    number: u32,
    progress: &dyn Progress,
) -> Result<(Scene, Vec<Problem>), String> {
    let replay = &level.replay;
    if number >= replay.frames() {
        let last = replay.frames().saturating_sub(1);
        return Err(format!("there is no frame {number}; they are 0 to {last}"));
    }
    let frame = replay.frame(number);
    let mut notices = Vec::new();
    let mut note = |what: String| {
        notices.push(Problem::new(level.file.display().to_string(), what, ""));
    };
    let options = Options {
        frames: Some(number..=number),
        ..Options::default()
    };
    let report = diagnose(level, &options, progress).ok_or("the work was cancelled")?;
    let happens_here = |finding: &&Finding| finding.frame <= number && number <= finding.last_frame;
    let findings: Vec<&Finding> = report.findings.iter().filter(happens_here).collect();
    let travels = travels(replay, &frame);
    for (object, travel) in replay.objects().iter().zip(&travels) {
        if travel.is_some_and(|travel| !(travel.start.is_finite() && travel.end.is_finite())) {
            note(format!(
                "\"{}\" is left out: its pose is not finite",
                object.name
            ));
        }
    }
    let region = region(replay, &travels, &findings);
    let mut scene = Scene {
        name: format!("{}, frame {number}", replay.scene().name),
        notes: format!(
            "Frame {number} of {}, made by hitstop convert.",
            level.file.display()
        ),
        units: replay.scene().units,
        dt: frame.dt,
        frames: 1,
        gravity: DVec3::ZERO,
        detection: Detection::Overlap,
        response: Response::Ignore,
        objects: objects(replay, &travels, region, frame.dt),
        camera: camera(replay, &frame),
        recording: None,
        bookmarks: Vec::new(),
        expect: Vec::new(),
    };
    let again = diagnose(&stepped(&scene), &Options::default(), progress);
    let again = again.ok_or("the work was cancelled")?.findings;
    for finding in findings {
        let same = |other: &&Finding| {
            (other.kind, &other.a, &other.b) == (finding.kind, &finding.a, &finding.b)
        };
        match again.iter().find(same) {
            Some(found) => scene.expect.push(expected(found)),
            None => note(format!(
                "the scene does not repeat this, as it rests on frames before: {}",
                finding.text
            )),
        }
    }
    Ok((scene, notices))
}

fn stepped(scene: &Scene) -> Level {
    Level {
        file: PathBuf::from(&scene.name),
        replay: Arc::new(Replay::stepped(Arc::new(scene.clone()))),
        notices: Vec::new(),
    }
}

fn expected(finding: &Finding) -> Expectation {
    let name = |name: &String| (!name.is_empty()).then(|| name.clone());
    Expectation::Finds {
        kind: finding.kind.name().into(),
        cause: Some(finding.cause.id()),
        a: name(&finding.a),
        b: name(&finding.b),
        frame: Some(finding.frame),
    }
}

/// How each object gets through the frame, before its pushes; standing still where it was put elsewhere.
fn travels(replay: &Replay, frame: &Frame) -> Vec<Option<Motion>> {
    (0..replay.objects().len())
        .map(|index| {
            let body = frame.start.bodies.get(index).copied().flatten()?;
            let legs = frame.legs.get(index);
            match legs.and_then(|legs| Some((legs.first()?, legs.last()?))) {
                Some((first, last)) => Some(Motion {
                    start: first.motion.start,
                    end: last.motion.end,
                }),
                None => Some(Motion::still(body.pose)),
            }
        })
        .collect()
}

fn swept(object: &Object, travel: &Motion) -> Option<Aabb> {
    let start = object.shape.placed(&travel.start).aabb()?;
    Some(start.union(&object.shape.placed(&travel.end).aabb()?))
}

/// Where the findings' movers go, and as much around it; `None` (everywhere) when nothing is found.
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
        .filter(|(_, travel)| travel.start.is_finite() && travel.end.is_finite())
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
fn spin(start: &Pose, end: &Pose, dt: f64) -> DVec3 {
    let mut turn = end.rotation * start.rotation.conjugate();
    if turn.w < 0.0 {
        turn = -turn;
    }
    turn.to_scaled_axis() / dt
}

fn camera(replay: &Replay, frame: &Frame) -> Option<Camera> {
    let (motion, _) = frame.camera?;
    let camera = replay.scene().camera.clone()?;
    (motion.start.is_finite() && motion.end.is_finite()).then(|| Camera {
        pose: motion.start,
        movement: CameraMovement::Velocity(motion.displacement() / frame.dt),
        ..camera
    })
}
