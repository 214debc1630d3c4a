//! The report as a whole: order, ranges, threads, and cancelling.

use super::*;
use crate::common::cancelled::Cancelled;
use hitstop::core::diagnose::with_detection;

fn busy() -> Scene {
    let mut objects = Vec::new();
    for index in 0..60 {
        let at = f64::from(index);
        objects.push(ball(
            &format!("ball {index}"),
            0.2,
            [at * 0.7 - 20.0, 0.3 * (at % 5.0), 0.0],
            [200.0 - 3.0 * at, 0.0, 0.0],
        ));
    }
    for index in 0..20 {
        objects.push(wall(
            &format!("wall {index}"),
            [0.05, 3.0, 3.0],
            [f64::from(index) * 3.0, 0.0, 0.0],
        ));
    }
    scene(50, objects)
}

/// A log of one state has no frame, also where one is asked for.
#[test]
fn a_single_state_is_a_notice() {
    let log = Log::new(vec![wall("wall", [1.0; 3], [0.0; 3])]).frame(DT, &[at([0.0; 3])]);
    let level = level(log.replay());
    for frames in [None, Some(0..=0)] {
        let options = Options {
            frames,
            ..Options::default()
        };
        let report = diagnose(&level, &options, &()).unwrap();
        assert_eq!(report.frames, 0);
        assert_eq!(
            report.notices,
            ["no frame was diagnosed: the level has a single state"]
        );
    }
}

/// Two balls with one centre have no push direction (C24) in frame 0; a bullet crosses a wall in frame 3. What is certain and large comes first.
#[test]
fn the_order_is_that_of_harm() {
    let objects = vec![
        ball("one", 0.5, [0.0, 20.0, 0.0], [0.0; 3]),
        ball("two", 0.5, [0.0, 20.0, 0.0], [0.0; 3]),
        ball("bullet", 0.1, [-35.0, 0.0, 0.0], [10.0 / DT, 0.0, 0.0]),
        wall("wall", [0.05, 3.0, 3.0], [0.0; 3]),
    ];
    let report = report(scene(5, objects));
    let kinds: Vec<_> = report
        .order
        .iter()
        .map(|index| report.findings[*index].kind)
        .collect();
    assert_ne!(
        report.findings[0].kind,
        Kind::Tunnels,
        "{:?}",
        report.findings
    );
    assert_eq!(kinds[0], Kind::Tunnels);
    assert_eq!(kinds.len(), report.findings.len());
}

#[test]
fn any_number_of_threads_gives_the_same_report() {
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| serde_json::to_string(&report(busy())).unwrap())
    };
    let one = with(1);
    assert!(one.len() > 10_000, "there is something to compare");
    assert_eq!(one, with(4));
    assert_eq!(one, with(7));
}

#[test]
fn findings_are_sorted_and_a_range_gives_a_subset() {
    let level = level(Replay::stepped(Arc::new(busy())));
    let whole = diagnose(&level, &Options::default(), &()).unwrap();
    let key = |found: &Finding| {
        (
            found.frame,
            found.cause == Cause::NotANumber,
            found.fraction,
            found.a.clone(),
            found.b.clone(),
        )
    };
    assert!(
        whole
            .findings
            .windows(2)
            .all(|two| key(&two[0]) <= key(&two[1]))
    );
    let options = Options {
        frames: Some(10..=19),
        ..Options::default()
    };
    let part = diagnose(&level, &options, &()).unwrap();
    let inside = whole
        .findings
        .iter()
        .filter(|found| (10..=19).contains(&found.frame));
    assert_eq!(*part.findings, *inside.cloned().collect::<Vec<_>>());
    assert_eq!(part.frames, 10);
    let beyond = Options {
        frames: Some(100..=200),
        ..Options::default()
    };
    assert_eq!(diagnose(&level, &beyond, &()).unwrap().frames, 0);
}

#[test]
fn cancelling_gives_no_report() {
    let level = level(Replay::stepped(Arc::new(busy())));
    assert!(diagnose(&level, &Options::default(), &Cancelled).is_none());
}

#[test]
fn layers_and_sensors_are_respected() {
    let mut layered = bullet(0.05, 400.0, 0.005, DT);
    layered.objects[0].mask = 2;
    // One side excludes the other, or both do: the bullet passes the fixed paper untested.
    assert_eq!(single(&report(layered.clone())).cause, Cause::Bits);
    layered.objects[1].mask = 2;
    let both = report(layered.clone());
    let found = single(&both);
    assert_eq!(found.cause, Cause::Bits);
    let masks = found.fixes[0].to_string();
    assert_eq!(masks, "mask 0x3 together with mask 0x3");
    // Two dynamic bodies that exclude each other are filtered on purpose.
    layered.objects[1].movement = Movement::Velocity;
    assert_eq!(report(layered).findings, []);
    let mut sensors = bullet(0.05, 400.0, 0.005, DT);
    sensors.objects[0].sensor = true;
    assert_eq!(
        report(sensors.clone()).findings.len(),
        1,
        "a trigger was missed"
    );
    sensors.objects[1].sensor = true;
    assert_eq!(report(sensors).findings, []);
}

/// Two bullets that differ in nothing but how fast they are.
#[test]
fn lists_of_findings_are_compared_by_their_content() {
    let of_speed = |speed: f64| report(bullet(0.05, speed, 0.01, DT)).findings;
    let (slow, fast) = (of_speed(400.0), of_speed(500.0));
    assert_eq!((slow.total(), fast.total()), (1, 1));
    assert_ne!(slow, fast);
    assert_eq!(slow, of_speed(400.0));
    // 4.94 m to the paper, 6.67 m a frame.
    assert_eq!(slow[0].line(), "Tunnels C01: bullet → paper, frame 0");
}

/// Another detection steps a scene anew; a recording is what it is.
#[test]
fn only_a_scene_is_stepped_with_another_detection() {
    let stepped = Arc::new(Replay::stepped(Arc::new(busy())));
    let own = stepped.scene().detection;
    let recorded = Log::new(vec![ball("ball", 0.1, [0.0; 3], [0.0; 3])])
        .frame(DT, &[at([0.0; 3])])
        .frame(DT, &[at([1.0, 0.0, 0.0])]);
    let recorded = Arc::new(recorded.replay());
    let others = [Detection::Overlap, Detection::Sweep].map(Some);
    for detection in others.into_iter().chain([None]) {
        let same = |replay| Arc::ptr_eq(&with_detection(replay, detection), replay);
        assert!(same(&recorded), "{detection:?}");
        let as_it_is = detection.is_none_or(|detection| detection == own);
        assert_eq!(same(&stepped), as_it_is, "{detection:?}");
    }
}
