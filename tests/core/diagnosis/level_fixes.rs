//! What would fix most: against closed forms, and against runs of the scene with the changed number.

use crate::common::cancelled::Cancelled;
use crate::common::levels::{add_frame, ball, diagnosed, fixed_box, level_of, recording_of};
use crate::common::sentences::check_text;
use crate::common::slabs::scene;
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Finding, Kind, LevelFix, Quantity, Report};
use hitstop::core::diagnose::{causes_that_stay, level_fixes, stay_with_each};
use hitstop::core::level::Level;
use hitstop::core::replay::{Body, Replay};
use hitstop::core::scene::UserUnits;
use hitstop::core::scene::{Movement, Object, Response, Scene};
use hitstop::core::shape::Pose;
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;
const RADIUS: f64 = 0.1;
const THICKNESS: f64 = 0.2;
/// The longest step that the push leads back from: r + T / 2.
const HELD: f64 = 0.2;

/// Metres in a frame of ten balls; their holding substeps are 3 to 12.
fn steps() -> impl Iterator<Item = f64> {
    (0..10).map(|number| 0.5 + 0.2 * f64::from(number))
}

/// Balls that are clear of the wall at both ends of the first frame, too far apart to touch each other.
fn balls(name: &str) -> Vec<Object> {
    let one = |(number, step): (usize, f64)| {
        let position = DVec3::new(-0.5 * step, number as f64, 0.0);
        let velocity = DVec3::new(step / DT, 0.0, 0.0);
        ball(
            &format!("{name} {}", number + 1),
            RADIUS,
            position,
            velocity,
        )
    };
    steps().enumerate().map(one).collect()
}

fn wall() -> Object {
    fixed_box("wall", (0.5 * THICKNESS, 1000.0, 1000.0), DVec3::ZERO)
}

fn stepped(objects: Vec<Object>) -> (Level, Report) {
    let level = level_of(Replay::stepped(Arc::new(scene(objects))));
    let report = diagnosed(&level);
    (level, report)
}

/// A log of bodies that keep their velocities, from the first state to that after each of these times.
fn logged(engine: Option<&str>, objects: Vec<Object>, dts: &[f64]) -> (Level, Report) {
    let mut recording = recording_of(dts[0], objects.clone());
    recording.engine.name = engine.map(str::to_owned);
    let mut time = 0.0;
    for dt in [0.0].iter().chain(dts) {
        time += dt;
        let body = |(object, id): (&Object, u32)| {
            let pose = Pose::at(object.pose.position + object.velocity * time);
            Body {
                velocity: Some(object.velocity),
                ..Body::new(id, pose)
            }
        };
        let bodies: Vec<Body> = objects.iter().zip(0..).map(body).collect();
        add_frame(&mut recording, *dt, bodies);
    }
    let level = level_of(Replay::recorded(
        Arc::new(Scene::new("log", Vec::new())),
        Arc::new(recording),
    ));
    let report = diagnosed(&level);
    (level, report)
}

fn rows((level, report): &(Level, Report)) -> Vec<LevelFix> {
    let rows = level_fixes(&level.replay, report, &()).expect("not cancelled");
    for row in &rows {
        check_text(&row.text, &[]);
        let mut all = [&row.fixed[..], &row.stays[..]].concat();
        assert!(row.fixed.is_sorted() && row.stays.is_sorted());
        all.sort_unstable();
        assert!(all.iter().copied().eq(0..report.findings.len()), "{all:?}");
    }
    assert!(rows.is_sorted_by_key(|row| std::cmp::Reverse(row.fixed.len())));
    rows
}

fn summary(rows: &[LevelFix]) -> Vec<(String, usize)> {
    let one = |row: &LevelFix| (row.change(UserUnits::default()), row.fixed.len());
    rows.iter().map(one).collect()
}

/// The steps of the balls of these findings.
fn steps_of(report: &Report, findings: &[usize]) -> Vec<f64> {
    let step = |index: &usize| {
        let number = report.findings[*index].a.rsplit(' ').next().unwrap();
        steps().nth(number.parse::<usize>().unwrap() - 1).unwrap()
    };
    findings.iter().map(step).collect()
}

/// The fifth of ten balls moves 1.3 m, the last 2.3 m: held from 1.3 / 0.2 and 2.3 / 0.2 substeps, and all of them up to 0.2 m a frame,
/// less a thousandth.
#[test]
fn each_row_fixes_what_the_closed_form_says() {
    let level = stepped([balls("ball"), vec![wall()]].concat());
    let report = &level.1;
    assert_eq!(report.findings.len(), 10);
    let rows = rows(&level);
    assert_eq!(
        summary(&rows),
        [
            ("continuous detection on ball *", 10),
            ("12 substeps", 10),
            ("a speed of at most 11.9 m/s for ball *", 10),
            ("7 substeps", 5),
        ]
        .map(|(change, fixed)| (change.to_owned(), fixed))
    );
    let [sweep, twelve, speed, seven] = &rows[..] else {
        unreachable!("four rows");
    };
    assert_eq!((sweep.value, &*sweep.object), (None, "ball *"));
    assert_eq!((speed.value, &*speed.object), (Some(11.9), "ball *"));
    assert_eq!(speed.unit, "m/s");
    assert_eq!((twelve.value, &*twelve.object), (Some(12.0), ""));
    let is_held = |step: &f64| step / 7.0 <= HELD;
    assert!(steps_of(report, &seven.fixed).iter().all(is_held));
    assert!(!steps_of(report, &seven.stays).iter().any(is_held));
    assert_eq!(seven.text, "7 substeps fix 5 of 10 findings (50 %).");
    assert_eq!(causes_that_stay(&rows, &report.findings), []);
    assert_eq!(stay_with_each(&rows, &report.findings), None);
}

/// Three balls that move 0.5 m are held from a wall of 2 (0.5 / 0.999 - 0.1) m, four times as thick; if they move 2.3 m, one of 4.4 m is no fix,
/// nor is a radius of 2.2 m.
#[test]
fn a_wall_may_be_thicker_within_reason() {
    let of_step = |step: f64| {
        let mut objects = balls("ball");
        objects.truncate(3);
        for object in &mut objects {
            object.pose.position.x = -0.5 * step;
            object.velocity.x = step / DT;
        }
        objects.push(wall());
        rows(&stepped(objects))
    };
    let slow = of_step(0.5);
    let thickness = slow.iter().find(|row| row.what == Quantity::MinThickness);
    let thickness = thickness.unwrap_or_else(|| panic!("{slow:#?}"));
    assert_eq!(
        (thickness.value, &*thickness.unit, &*thickness.object),
        (Some(0.801), "m", "wall")
    );
    assert_eq!(
        thickness.text,
        "A thickness of 0.801 m for wall fixes 3 of 3 findings (100 %)."
    );
    let fast: Vec<Quantity> = of_step(2.3).iter().map(|row| row.what).collect();
    let wanted = [
        Quantity::ContinuousDetection,
        Quantity::Substeps,
        Quantity::MaxSpeed,
    ];
    assert_eq!(fast, wanted);
}

/// Not by phases of the recorded path, but by running the scene with each number of substeps from 64 starts.
#[test]
fn substeps_hold_in_runs_from_every_phase_and_only_where_they_say_so() {
    let level = stepped([balls("ball"), vec![wall()]].concat());
    let rows = rows(&level);
    let substeps = rows.iter().filter(|row| row.what == Quantity::Substeps);
    let substeps: Vec<&LevelFix> = substeps.collect();
    assert_eq!(substeps.len(), 2);
    for row in substeps {
        let count = row.value.unwrap();
        let mut lost = vec![false; 10];
        for phase in 0..64 {
            let mut objects = balls("ball");
            for (object, step) in objects.iter_mut().zip(steps()) {
                object.pose.position.x -= step / count * f64::from(phase) / 64.0;
            }
            objects.push(wall());
            let scene = Scene {
                dt: DT / count,
                frames: 2 * count as u32,
                response: Response::Push,
                ..Scene::new("run", objects)
            };
            let replay = Replay::stepped(Arc::new(scene));
            for (id, lost) in (0..).zip(&mut lost) {
                let end = replay.state(2 * count as u32);
                *lost |= end.body(id).unwrap().pose.position.x > 0.0;
            }
        }
        let named = |index: &usize| level.1.findings[*index].object_a.unwrap() as usize;
        assert!(
            row.fixed.iter().all(|index| !lost[named(index)]),
            "{count}: {lost:?}"
        );
        assert!(
            row.stays.iter().all(|index| lost[named(index)]),
            "{count}: {lost:?}"
        );
    }
}

/// A ball that overlaps from the start, and one whose mask lacks the wall, stay whatever changes.
#[test]
fn what_nothing_fixes_stays_with_its_cause() {
    let mut objects = [balls("ball"), vec![wall()]].concat();
    let within = ball("within", 0.5, (0.0, -50.0, 0.0), DVec3::ZERO);
    let mut masked = ball("masked", RADIUS, (-1.0, -20.0, 0.0), (120.0, 0.0, 0.0));
    masked.mask = 2;
    objects.extend([within, masked]);
    let level = stepped(objects);
    let report = &level.1;
    let rows = rows(&level);
    let others = |cause| {
        let found = report.findings.iter().position(|one| one.cause == cause);
        found.unwrap_or_else(|| panic!("no {cause:?} in {:#?}", report.findings))
    };
    let others = [others(Cause::InitialOverlap), others(Cause::Bits)];
    assert_eq!(report.findings.len(), 12);
    assert_eq!(rows.len(), 4);
    for row in &rows {
        assert!(others.iter().all(|index| row.stays.contains(index)));
        assert!(row.count().contains("of 12 ("), "{}", row.text);
    }
    assert_eq!(
        causes_that_stay(&rows, &report.findings),
        [(Cause::InitialOverlap, 1), (Cause::Bits, 1)]
    );
    let text = stay_with_each(&rows, &report.findings).expect("some stay");
    let text = text.replace('\u{a0}', " ");
    for part in ["None of these fixes: ", "C12 ", "C18 ", " (1); "] {
        assert!(text.contains(part), "{text}");
    }
}

#[test]
fn groups_are_named_by_their_pattern_and_all_of_them_by_a_star() {
    let mut shots = balls("shot");
    shots.truncate(4);
    shots
        .iter_mut()
        .for_each(|shot| shot.pose.position.z = 10.0);
    let mut lone = ball("lone", RADIUS, (-1.0, -20.0, 0.0), (120.0, 0.0, 0.0));
    lone.pose.position.z = 20.0;
    let objects = [balls("ball"), shots, vec![lone, wall()]].concat();
    let rows = rows(&stepped(objects));
    let sweeps: Vec<_> = rows
        .iter()
        .filter(|row| row.what == Quantity::ContinuousDetection)
        .map(|row| (&*row.object, row.fixed.len(), &*row.text))
        .collect();
    let all = "Continuous detection on every moving body fixes 15 of 15 findings (100 %).";
    let group = "Continuous detection on ball * fixes 10 of 15 findings (66.7 %).";
    assert_eq!(sweeps, [("*", 15, all), ("ball *", 10, group)]);
}

/// Pairs that cross at a right angle: each swept against where the other was when the frame began, they miss.
#[test]
fn continuous_detection_is_that_of_the_engine() {
    let mut crossing = Vec::new();
    for number in 0..3 {
        let at = DVec3::new(0.0, 0.0, 10.0 * f64::from(number));
        let from = |along: DVec3| (at - along, 2.0 * along / DT);
        let (a, b) = (from(DVec3::X), from(1.1 * DVec3::Y));
        crossing.push(ball(&format!("a {number}"), RADIUS, a.0, a.1));
        crossing.push(ball(&format!("b {number}"), RADIUS, b.0, b.1));
    }
    let swept = |engine, objects: &[Object]| {
        let level = logged(engine, objects.to_vec(), &[DT, DT]);
        assert!(level.1.findings.len() >= 3, "{:?}", level.1.findings);
        let rows = rows(&level);
        let sweep = rows
            .iter()
            .find(|row| row.what == Quantity::ContinuousDetection);
        sweep.map_or(0, |row| row.fixed.len())
    };
    assert_eq!(swept(None, &crossing), 3);
    assert_eq!(swept(Some("PhysX"), &crossing), 3);
    assert_eq!(swept(Some("rapier"), &crossing), 0);
    let still = [balls("ball"), vec![wall()]].concat();
    for (engine, wanted) in [
        ("rapier", 10),
        ("Box2D", 10),
        ("MuJoCo 3", 0),
        ("MuJoCo 4", 10),
    ] {
        assert_eq!(swept(Some(engine), &still), wanted, "{engine}");
    }
    // Continuous detection that is on already lets them through all the same.
    let mut on = still;
    on.iter_mut().for_each(|object| object.ccd = Some(true));
    assert_eq!(swept(None, &on), 0);
}

/// 10 m/s are 0.1 m in a usual frame and 1 m in the long one; they are held up to 0.2 m.
#[test]
fn a_long_frame_is_clamped() {
    let balls = (0..3).map(|number| {
        let position = (-1.0, f64::from(number), 0.0);
        ball(
            &format!("ball {number}"),
            RADIUS,
            position,
            (10.0, 0.0, 0.0),
        )
    });
    let objects = balls.chain([wall()]).collect();
    let level = logged(None, objects, &[0.01, 0.01, 0.01, 0.01, 0.1, 0.01, 0.01]);
    assert_eq!(level.1.findings.len(), 3);
    assert!(
        level
            .1
            .findings
            .iter()
            .all(|one| one.cause == Cause::DtSpike)
    );
    let rows = rows(&level);
    let clamp = rows.iter().find(|row| row.what == Quantity::MaxDt).unwrap();
    assert_eq!((clamp.value, clamp.fixed.len()), (Some(0.0199), 3));
    assert_eq!(
        clamp.text,
        "A time step of at most 19.9 ms fixes 3 of 3 findings (100 %)."
    );
}

/// 29 balls at 10 m/s are held up to 0.2 m, a frame of 20 ms; one at 15 m/s is not.
#[test]
fn a_time_step_that_is_short_enough_for_most_is_not_for_all() {
    let of_number = |number: usize| {
        let speed = if number < 29 { 10.0 } else { 15.0 };
        let position = (-0.06 * speed - 0.4, number as f64, 0.0);
        ball(
            &format!("ball {number}"),
            RADIUS,
            position,
            (speed, 0.0, 0.0),
        )
    };
    let objects = (0..30).map(of_number).chain([wall()]).collect();
    let level = logged(None, objects, &[0.01, 0.01, 0.01, 0.01, 0.1, 0.01, 0.01]);
    assert_eq!(level.1.findings.len(), 30);
    let rows = rows(&level);
    let clamps = rows.iter().filter(|row| row.what == Quantity::MaxDt);
    let clamps: Vec<(Option<f64>, usize)> =
        clamps.map(|row| (row.value, row.fixed.len())).collect();
    assert_eq!(clamps, [(Some(0.0199), 29)], "{rows:#?}");
}

#[test]
fn one_finding_needs_no_list() {
    let one = stepped(vec![balls("ball").swap_remove(0), wall()]);
    assert_eq!(one.1.findings.len(), 1);
    assert_eq!(rows(&one), []);
    assert_eq!(rows(&stepped(vec![wall()])), []);
}

#[test]
fn the_list_is_the_same_for_any_number_of_threads_and_can_be_cancelled() {
    let level = stepped([balls("ball"), vec![wall()]].concat());
    let threads = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    assert_eq!(threads.install(|| rows(&level)), rows(&level));
    let replay = &level.0.replay;
    assert_eq!(level_fixes(replay, &level.1, &Cancelled), None);
}

/// 29 balls that go 0.5 m a frame are held by 2 (0.5 / 0.999 - 0.1) m; one that goes 0.69 m needs 1.18 m, which is not worth it.
#[test]
fn a_wall_that_is_thick_enough_for_most_is_not_for_all() {
    let of_number = |number: usize| {
        let step = if number < 29 { 0.5 } else { 0.69 };
        let position = (-0.5 * step, number as f64, 0.0);
        ball(
            &format!("ball {number}"),
            RADIUS,
            position,
            (step / DT, 0.0, 0.0),
        )
    };
    let rows = rows(&stepped((0..30).map(of_number).chain([wall()]).collect()));
    let walls = rows.iter().filter(|row| row.what == Quantity::MinThickness);
    let walls: Vec<(Option<f64>, usize)> = walls.map(|row| (row.value, row.fixed.len())).collect();
    assert_eq!(walls, [(Some(0.801), 29)], "{rows:#?}");
}

/// 0.3 m a frame is more than a push leads back from and less than a test misses: continuous detection helps all the same.
#[test]
fn continuous_detection_keeps_what_is_pushed_to_the_wrong_side() {
    let mut objects = balls("ball");
    objects.truncate(3);
    for object in &mut objects {
        object.pose.position.x = -0.24;
        object.velocity.x = 0.3 / DT;
    }
    objects.push(wall());
    let level = stepped(objects);
    let is_wrong = |found: &Finding| found.kind == Kind::WrongSide;
    assert!(level.1.findings.iter().all(is_wrong));
    assert_eq!(level.1.findings.len(), 3);
    let row = ("continuous detection on ball *".to_owned(), 3);
    assert!(summary(&rows(&level)).contains(&row), "{:#?}", rows(&level));
}

/// Nothing pushes a kinematic ball back out of a fixed wall: no number of the level holds it.
#[test]
fn what_nothing_pushes_has_no_rows() {
    let kinematic = |ball: Object| Object {
        movement: Movement::Kinematic,
        ..ball
    };
    let balls = balls("ball").into_iter().map(kinematic);
    let level = stepped(balls.chain([wall()]).collect());
    assert_eq!(level.1.findings.len(), 10);
    assert_eq!(summary(&rows(&level)), []);
}
