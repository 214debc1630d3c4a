//! A recorded level per frame: candidate pairs, sweeps and diagnosis, against parry's rebuilt tree, traversal and casts.

use glam::DVec3;
use glam_parry::Vec3;
use hitstop::core::bounds::swept_aabb;
use hitstop::core::broad_phase::{Entry, candidate_pairs};
use hitstop::core::diagnose::{Options, diagnose};
use hitstop::core::level::Level;
use hitstop::core::query::sweep;
use hitstop::core::replay::{Body, FrameData, FrameState, RecordedFrame, Recording, Replay};
use hitstop::core::scene::{Detection, Movement, Object, Objects, Response, Scene};
use hitstop::core::shape::{Motion, Pose, Shape};
use hitstop_benches::{Seeded, contestant, race};
use parry3d::bounding_volume::{Aabb, BoundingVolume};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use parry3d::query::{ShapeCastOptions, cast_shapes};
use parry3d::shape::Ball;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

const DT: f64 = 1.0 / 60.0;

fn scene(objects: Vec<Object>, gravity: DVec3, detection: Detection, frames: u32) -> Scene {
    Scene {
        dt: DT,
        frames,
        gravity,
        detection,
        response: Response::Slide,
        ..Scene::new("bench", objects)
    }
}

/// Balls in a cube, about one of ten with a neighbour on its path.
fn scattered(count: usize) -> Vec<Object> {
    let mut seeded = Seeded::new(count as u64);
    let reach = (count as f64).cbrt() * 1.2;
    (0..count)
        .map(|number| {
            let radius = seeded.range(0.25, 0.5);
            let position = seeded.vector(reach);
            Object {
                velocity: seeded.vector(20.0),
                ..Object::new(format!("ball {number}"), Shape::Sphere { radius }, position)
            }
        })
        .collect()
}

/// Balls in a square tower on a floor: every one with several neighbours.
fn piled(count: usize) -> Vec<Object> {
    let mut seeded = Seeded::new(count as u64);
    let side = (count as f64 / 10.0).sqrt().ceil() as usize;
    let mut objects: Vec<Object> = (0..count - 1)
        .map(|number| {
            let (layer, place) = (number / (side * side), number % (side * side));
            let (x, z) = (place % side, place / side);
            let jitter = seeded.vector(0.01);
            let at = DVec3::new(x as f64, layer as f64 + 0.5, z as f64) * 0.99 + jitter;
            Object::new(format!("ball {number}"), Shape::Sphere { radius: 0.5 }, at)
        })
        .collect();
    let floor = Shape::Box {
        half_extents: DVec3::new(200.0, 1.0, 200.0),
    };
    objects.push(Object {
        movement: Movement::Fixed,
        ..Object::new("floor", floor, DVec3::NEG_Y)
    });
    objects
}

/// Every state of a stepped scene, recorded as by an engine.
fn recorded(stepped: &Replay) -> Replay {
    let objects = stepped.objects().iter().cloned().collect();
    let mut recording = Recording {
        name: "bench".into(),
        dt: DT,
        objects,
        ..Recording::default()
    };
    for number in 0..=stepped.frames() {
        let state = stepped.state(number);
        let mut data = FrameData::default();
        for (id, body) in state.present() {
            data.bodies.push(Body {
                velocity: body.velocity,
                spin: body.spin,
                ..Body::new(id, body.pose)
            });
        }
        let frame = RecordedFrame {
            number: u64::from(number),
            dt: DT,
            ..RecordedFrame::default()
        };
        recording.push(frame, data);
    }
    let bare = scene(
        recording.objects.clone(),
        DVec3::ZERO,
        Detection::Overlap,
        1,
    );
    Replay::recorded(Arc::new(bare), Arc::new(recording))
}

/// parry's usual frame: rebuild, find pairs, cast each.
fn parry_frame(balls: &[Ball], motions: &[(Vec3, Vec3)]) -> f64 {
    let boxes: Vec<Aabb> = balls
        .iter()
        .zip(motions)
        .map(|(ball, (start, step))| {
            let half = Vec3::splat(ball.radius);
            let at = |center: Vec3| Aabb::new(center - half, center + half);
            at(*start).merged(&at(*start + *step))
        })
        .collect();
    let tree = Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes);
    let mut pairs = Vec::new();
    for (index, own) in boxes.iter().enumerate() {
        pairs.extend(
            tree.intersect_aabb(own)
                .filter(|&other| (other as usize) > index)
                .map(|other| (index as u32, other)),
        );
    }
    let options = ShapeCastOptions {
        max_time_of_impact: 1.0,
        ..ShapeCastOptions::default()
    };
    let mut hits = 0.0;
    for (a, b) in pairs {
        let (a, b) = (a as usize, b as usize);
        let pose = |index: usize| parry3d::math::Pose::from_translation(motions[index].0);
        let cast = cast_shapes(
            &pose(a),
            motions[a].1,
            &balls[a],
            &pose(b),
            motions[b].1,
            &balls[b],
            options,
        );
        hits += f64::from(u8::from(matches!(cast, Ok(Some(_)))));
    }
    hits
}

/// The same work with our functions: boxes, pairs, sweeps.
fn our_pairs_and_sweeps(objects: &Objects, motions: &[Motion]) -> f64 {
    let entries: Vec<Entry> = objects
        .iter()
        .zip(motions)
        .map(|(object, motion)| Entry {
            bounds: swept_aabb(&object.shape, motion),
            moves: motion.start != motion.end,
        })
        .collect();
    let hits = candidate_pairs(&entries).into_iter().filter(|&(a, b)| {
        let (a, b) = (a as usize, b as usize);
        let (one, other) = (&objects[a].shape, &objects[b].shape);
        sweep(one, &motions[a], other, &motions[b], &mut ())
            .outcome
            .touches()
    });
    hits.count() as f64
}

fn frames_of(name: &str, count: usize, goal: Option<f64>) {
    let frames = 12;
    let stepped = Replay::stepped(Arc::new(scene(
        scattered(count),
        DVec3::ZERO,
        Detection::Overlap,
        frames,
    )));
    let replay = recorded(&stepped);
    let balls: Vec<Ball> = replay
        .objects()
        .iter()
        .map(|object| match object.shape {
            Shape::Sphere { radius } => Ball::new(radius as f32),
            _ => Ball::new(0.0),
        })
        .collect();
    let motions: Vec<Vec<Motion>> = (0..frames)
        .map(|number| {
            let (start, end) = (replay.state(number), replay.state(number + 1));
            let pose = |state: &FrameState, id| state.body(id).map_or(Pose::IDENTITY, |it| it.pose);
            let ids = 0..replay.objects().len() as u32;
            ids.map(|id| Motion {
                start: pose(&start, id),
                end: pose(&end, id),
            })
            .collect()
        })
        .collect();
    let f32s = |v: DVec3| Vec3::new(v.x as f32, v.y as f32, v.z as f32);
    let theirs: Vec<Vec<(Vec3, Vec3)>> = motions
        .iter()
        .map(|motions| {
            let ways = motions
                .iter()
                .map(|m| (f32s(m.start.position), f32s(m.displacement())));
            ways.collect()
        })
        .collect();
    let (mut at_theirs, mut at_pairs, mut at_ours) = (0, 0, 0);
    race(
        name,
        1,
        4.0,
        vec![
            contestant("parry: rebuild, pairs, casts", None, || {
                at_theirs = (at_theirs + 1) % frames as usize;
                parry_frame(&balls, &theirs[at_theirs])
            }),
            contestant("ours: boxes, pairs, sweeps", goal, || {
                at_pairs = (at_pairs + 1) % frames as usize;
                our_pairs_and_sweeps(replay.objects(), &motions[at_pairs])
            }),
            contestant("ours: the frame and all inside it", None, || {
                at_ours = (at_ours + 1) % frames;
                replay.frame(at_ours).phases.len() as f64
            }),
        ],
    );
}

fn once(name: &str, objects: Vec<Object>, gravity: DVec3, detection: Detection, frames: u32) {
    let count = objects.len();
    let stepped = Replay::stepped(Arc::new(scene(objects, gravity, detection, frames)));
    let begin = Instant::now();
    stepped.state(frames);
    let stepping = begin.elapsed().as_secs_f64() * 1e3 / f64::from(frames);
    let begin = Instant::now();
    for number in 0..frames {
        stepped.frame(number);
    }
    let inside = begin.elapsed().as_secs_f64() * 1e3 / f64::from(frames);
    let replay = recorded(&stepped);
    let begin = Instant::now();
    let mut candidates = 0;
    for number in 0..frames {
        for phase in &replay.frame(number).phases {
            if let hitstop::core::replay::Phase::Candidates { pairs } = phase {
                candidates += pairs.len();
            }
        }
    }
    let frame = begin.elapsed().as_secs_f64() * 1e3 / f64::from(frames);
    let judged = |replay: Replay| {
        let level = Level {
            file: PathBuf::from("bench"),
            replay: Arc::new(replay),
            notices: Vec::new(),
        };
        let begin = Instant::now();
        let report = diagnose(&level, &Options::default(), &()).expect("not cancelled");
        (
            begin.elapsed().as_secs_f64() * 1e3 / f64::from(frames),
            report.findings.len(),
        )
    };
    let (diagnosed_stepped, _) = judged(stepped);
    let (diagnosed, findings) = judged(replay);
    println!(
        "  {name:<26} {count:>6} objects: step {stepping:.2} ms, inside {inside:.2} ms, diagnosed {diagnosed_stepped:.2} ms; \
         recorded: frame {frame:.2} ms, diagnosed {diagnosed:.2} ms a frame; {} pairs a frame, {findings} findings",
        candidates / frames as usize,
    );
}

fn main() {
    frames_of(
        "A recorded level of 1,000, per frame, one thread",
        1_000,
        Some(4.5),
    );
    frames_of(
        "A recorded level of 10,000, per frame, one thread",
        10_000,
        Some(4.0),
    );
    let gravity = DVec3::NEG_Y * 9.81;
    let still = DVec3::ZERO;
    println!("\nWhole levels, per frame, all threads");
    for count in [1_000, 10_000] {
        once(
            "scattered, overlap",
            scattered(count),
            still,
            Detection::Overlap,
            8,
        );
        once(
            "scattered, sweep",
            scattered(count),
            still,
            Detection::Sweep,
            8,
        );
        once(
            "piled, overlap",
            piled(count),
            gravity,
            Detection::Overlap,
            8,
        );
    }
    once("piled, sweep", piled(1_000), gravity, Detection::Sweep, 8);
}
