//! Many bodies in one place: reported as one finding, in memory and time that grow with the bodies and not with their pairs.

use crate::common::findings::evidence;
use crate::common::levels::{diagnosed, log_of, opened, scene_of};
use hitstop::core::diagnose::{Cause, Finding, Kind, PileState, Report};
use std::fmt::Write as _;

/// A level without response of balls of 0.1 m, at these positions with these velocities along x.
fn balls(fields: &str, positions: &[([f64; 3], f64)]) -> Report {
    let objects: Vec<String> = positions
        .iter()
        .enumerate()
        .map(|(index, ([x, y, z], speed))| {
            format!(
                "(name: \"b{index}\", shape: Sphere(radius: 0.1), position: ({x:?}, {y:?}, {z:?}), \
                 velocity: ({speed:?}, 0.0, 0.0))"
            )
        })
        .collect();
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let fields = format!("dt: 0.02, frames: 2, response: Ignore{fields}");
    diagnosed(&opened("x.ron", scene_of(&fields, &objects)))
}

/// A log of balls of 0.1 m; each frame lists the bodies' positions and further fields.
fn logged(count: usize, frames: &[String]) -> Report {
    let objects: Vec<String> = (0..count)
        .map(|id| format!(r#"{{"id":{id},"name":"b{id}","shape":{{"sphere":{{"radius":0.1}}}}}}"#))
        .collect();
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    diagnosed(&opened("x.jsonl", log_of("", &objects, frames)))
}

fn bodies(each: impl Iterator<Item = (usize, [f64; 3], &'static str)>) -> String {
    let mut text = String::from("\"bodies\":[");
    for (index, (id, at, more)) in each.enumerate() {
        let comma = if index > 0 { "," } else { "" };
        write!(text, "{comma}{{\"id\":{id},\"p\":{at:?}{more}}}").unwrap();
    }
    text + "]"
}

const ASLEEP: &str = ",\"asleep\":true";

/// 40 balls have 780 pairs.
#[test]
fn coincident_bodies_are_one_finding_with_count_position_and_some_names() {
    let report = balls("", &[([1.0, 2.0, 3.0], 5.0); 40]);
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    assert!(report.notices.is_empty(), "{:?}", report.notices);
    let finding = &report.findings[0];
    assert_eq!(finding.kind, Kind::StartsInside);
    assert_eq!(finding.cause, Cause::InitialOverlap);
    assert_eq!(evidence(finding, "bodies"), 40.0);
    let pile = finding.pile.as_ref().unwrap();
    assert_eq!((pile.bodies, pile.place), (40, [1.0, 2.0, 3.0]));
    assert_eq!(pile.how, PileState::Placed);
    assert_eq!(pile.title(), "b0, b1, b2 and 37 more");
    assert_eq!(
        finding.line(),
        "StartsInside C12: b0, b1, b2 and 37 more, frame 0"
    );
    for part in [
        "40 bodies overlap in one place when the level begins, (1, 2, 3)",
        "b0, b1, b2 and 37 more",
    ] {
        assert!(finding.text.contains(part), "{part}: {}", finding.text);
    }
    // It lasts through both frames.
    assert_eq!((finding.frame, finding.last_frame), (0, 1));
}

/// One more touches only some of them, and begins 0.05 m deep in them: it is no part of the pile.
#[test]
fn what_is_beside_a_pile_is_no_member() {
    // 17 in one place, of which each has 16 partners, and two in a row beside it: the first has 18, the second 1.
    let mut positions = vec![([0.0; 3], 0.0); 17];
    positions.extend([([0.15, 0.0, 0.0], 0.0), ([0.3, 0.0, 0.0], 0.0)]);
    let report = balls("", &positions);
    let pile = report.findings.iter().find_map(|found| found.pile.as_ref());
    assert_eq!(pile.map(|pile| pile.bodies), Some(18));
    let pair = report.findings.iter().find(|found| found.pile.is_none());
    assert_eq!(pair.map(|found| found.kind), Some(Kind::StartsInside));
    assert_eq!(report.findings.len(), 2, "{:#?}", report.findings);
}

/// Each of 16 bodies has 15 partners, one too few for a pile: 16 * 15 / 2 pairs.
#[test]
fn few_coincident_bodies_are_one_finding_per_pair() {
    let report = balls("", &[([0.0; 3], 0.0); 16]);
    assert_eq!(report.findings.len(), 120);
    assert!(report.findings.iter().all(|one| one.pile.is_none()));
}

/// The work is measured by the sweeps: 300 balls that move as one have 44,850 pairs.
#[test]
fn the_pairs_of_a_pile_are_not_swept() {
    let report = balls("", &[([0.0; 3], 5.0); 300]);
    assert_eq!(report.findings.len(), 1);
    assert!(report.pairs_swept < 3_000, "{}", report.pairs_swept);
}

/// Two heaps of 30 balls, spread over 0.1 m, so that each ball overlaps all others of its heap, and one pair beside them.
#[test]
fn separate_piles_are_counted_separately() {
    let spread = |x: f64| move |index: usize| ([x + index as f64 / 300.0, 0.0, 0.0], 0.0);
    let mut positions: Vec<_> = (0..30).map(spread(0.0)).collect();
    positions.extend((0..30).map(spread(50.0)));
    positions.extend([([9.0, 0.0, 0.0], 0.0), ([9.05, 0.0, 0.0], 0.0)]);
    let report = balls("", &positions);
    let names: Vec<String> = report.findings.iter().map(|one| one.title()).collect();
    assert_eq!(
        names,
        [
            "b0, b1, b2 and 27 more",
            "b30, b31, b32 and 27 more",
            "b60 → b61"
        ]
    );
    let counted: Vec<f64> = report.findings[..2]
        .iter()
        .map(|finding| evidence(finding, "bodies"))
        .collect();
    assert_eq!(counted, [30.0, 30.0]);
}

/// A chain: each ball overlaps the 20 balls on either side, 0.0095 m apart each, and the ends are 3.8 m apart.
#[test]
fn a_dense_row_is_one_pile_though_its_ends_are_apart() {
    let positions: Vec<_> = (0..400)
        .map(|index| ([f64::from(index) * 0.0095, 0.0, 0.0], 0.0))
        .collect();
    let report = balls("", &positions);
    let pile = report.findings[0].pile.as_ref().unwrap();
    // Those at the ends have their 16 partners on one side only.
    assert_eq!(pile.bodies, 400);
    assert_eq!(report.findings.len(), 1);
}

#[test]
fn a_pile_fulfils_expectations_of_its_pairs() {
    let expect = ", expect: [Finds(kind: StartsInside, a: \"b39\", b: \"b5\", frame: 0), \
                  Finds(kind: StartsInside, a: \"b5\")]";
    let report = balls(expect, &[([0.0; 3], 0.0); 40]);
    assert!(report.expectations.iter().all(|one| one.passed));
    assert!(report.findings[0].expected);
    let other = ", expect: [Finds(kind: StartsInside, a: \"b40\", b: \"b5\")]";
    let mut positions = vec![([0.0; 3], 0.0); 40];
    positions.push(([7.0, 0.0, 0.0], 0.0));
    assert!(!balls(other, &positions).expectations[0].passed);
}

/// Bodies that cannot collide are no pile: 40 balls on one layer that their masks exclude.
#[test]
fn bodies_that_exclude_each_other_are_no_pile() {
    let objects: Vec<String> = (0..40)
        .map(|index| format!("(name: \"b{index}\", shape: Sphere(radius: 0.1), layer: 2, mask: 1)"))
        .collect();
    let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
    let report = diagnosed(&opened(
        "x.ron",
        scene_of("dt: 0.02, frames: 1, response: Ignore", &objects),
    ));
    assert!(report.findings.is_empty() && report.notices.is_empty());
}

/// What cannot be pushed away, or pushes nothing, makes no pile of the 16 bodies around it.
#[test]
fn fixed_objects_and_sensors_are_not_counted_as_bodies_of_a_pile() {
    for last in ["motion: Fixed", "sensor: true", "motion: Kinematic"] {
        let bodies =
            (0..16).map(|index| format!("(name: \"b{index}\", shape: Sphere(radius: 0.1))"));
        let last = format!("(name: \"last\", shape: Sphere(radius: 0.1), {last})");
        let objects: Vec<String> = bodies.chain([last]).collect();
        let objects: Vec<&str> = objects.iter().map(String::as_str).collect();
        let fields = "dt: 0.02, frames: 1, response: Ignore";
        let report = diagnosed(&opened("x.ron", scene_of(fields, &objects)));
        let pairs = |one: &&Finding| one.pile.is_none() && one.b != "last" && one.a != "last";
        assert_eq!(report.findings.iter().filter(pairs).count(), 120);
        assert!(report.findings.iter().all(|one| one.pile.is_none()));
    }
}

/// 40 balls of which the log has the first positions in its second line.
#[test]
fn a_pile_that_appears_later_is_said_to_appear() {
    let pile = || (0..40).map(|id| (id, [0.0; 3], ""));
    let alone = || [(40, [9.0, 0.0, 0.0], "")];
    let frames = [
        bodies(alone().into_iter()),
        bodies(pile().chain(alone())),
        bodies(pile().chain(alone())),
    ];
    let report = logged(41, &frames);
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    let text = &report.findings[0].text;
    let part = "40 bodies overlap in one place where some of them appear, (0, 0, 0)";
    assert!(text.contains(part), "{text}");
}

/// A pool of inactive objects, as games park them: asleep, all in one place, while another ball flies.
#[test]
fn a_parked_pool_that_sleeps_is_one_notice() {
    let frame = |number: usize| {
        let parked = (0..40).map(|id| (id, [0.0, -1000.0, 0.0], ASLEEP));
        bodies(parked.chain([(40, [number as f64 * 0.1, 0.0, 0.0], "")]))
    };
    let report = logged(41, &[frame(0), frame(1), frame(2)]);
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    let [notice] = &report.notices[..] else {
        panic!("{:?}", report.notices);
    };
    for part in ["40 bodies", "(0, -1000, 0)", "b0, b1, b2 and 37 more"] {
        assert!(notice.contains(part), "{notice}");
    }
}

/// In each frame one object leaves the pool and the previous one returns, marked `teleported` in the log.
#[test]
fn a_pool_in_use_is_still_one_notice() {
    let frame = |number: usize| {
        let each = (0..40).map(move |id| match id {
            id if id == number => (id, [5.0, 0.0, 0.0], ",\"teleported\":true"),
            id if id + 1 == number => {
                (id, [0.0, -9.0, 0.0], ",\"asleep\":true,\"teleported\":true")
            }
            id => (id, [0.0, -9.0, 0.0], ASLEEP),
        });
        bodies(each)
    };
    let frames: Vec<String> = (0..8).map(frame).collect();
    let report = logged(40, &frames);
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    assert_eq!(report.notices.len(), 1, "{:?}", report.notices);
    assert!(
        report.notices[0].contains("39 bodies"),
        "{:?}",
        report.notices
    );
}

#[test]
fn a_pool_of_which_one_is_awake_is_one_finding() {
    let frame = bodies((0..40).map(|id| (id, [0.0; 3], if id == 7 { "" } else { ASLEEP })));
    let report = logged(40, &[frame.clone(), frame]);
    assert_eq!(report.findings.len(), 1);
    assert!(report.notices.is_empty(), "{:?}", report.notices);
}

/// 20 balls are in one place and drift, and after two states as many others come to them: half of the members make another pile.
#[test]
fn a_pile_that_doubles_is_another_one() {
    let frame = |state: usize| {
        let at = move |id: usize| match id < 20 || state >= 2 {
            true => [0.001 * state as f64, 0.0, 0.0],
            false => [5.0 + id as f64, 0.0, 0.0],
        };
        bodies((0..40).map(|id| (id, at(id), "")))
    };
    let frames: Vec<String> = (0..5).map(frame).collect();
    let report = logged(40, &frames);
    let piles = report.findings.iter();
    let piles = piles.filter_map(|found| found.pile.as_ref());
    let piles: Vec<_> = piles.map(|pile| (pile.bodies, pile.how)).collect();
    assert_eq!(piles, [(20, PileState::Placed)]);
    let [notice] = &report.notices[..] else {
        panic!("{:?}", report.notices);
    };
    assert!(notice.starts_with("frames 2 to 3: 40 bodies"), "{notice}");
}

/// 40 balls converge over three frames and stay: the pairs past their centres in the last of them are not listed from then on.
#[test]
fn converging_bodies_are_one_notice() {
    let frame = |fraction: f64| {
        let each = (0..40).map(move |id| {
            let angle = id as f64 / 40.0 * std::f64::consts::TAU;
            (
                id,
                [
                    9.0 * fraction * angle.cos(),
                    9.0 * fraction * angle.sin(),
                    0.0,
                ],
                "",
            )
        });
        bodies(each)
    };
    let frames: Vec<String> = [1.0, 0.5, 0.001, 0.0005, 0.0002].map(frame).into();
    let report = logged(40, &frames);
    let piles: Vec<&String> = report
        .notices
        .iter()
        .filter(|notice| notice.contains("40 bodies"))
        .collect();
    assert_eq!(piles.len(), 1, "{:?}", report.notices);
    assert!(piles[0].starts_with("frames 2 to "), "{}", piles[0]);
    assert!(
        report
            .findings
            .iter()
            .all(|one| one.kind != Kind::StartsInside)
    );
}

/// 80 balls on a circle cross at its centre within one frame: all 3,160 pairs pass through each other. Each of the first 64 is
/// listed with every other, the last 16 have 64 findings each by then, and their 16 * 15 / 2 pairs are counted.
#[test]
fn crossings_of_all_with_all_are_bounded_and_counted() {
    let frame = |side: f64| {
        let each = (0..80).map(move |id| {
            let angle = id as f64 / 80.0 * std::f64::consts::TAU;
            (
                id,
                [9.0 * side * angle.cos(), 9.0 * side * angle.sin(), 0.0],
                "",
            )
        });
        bodies(each)
    };
    let report = logged(80, &[frame(1.0), frame(-1.0)]);
    assert_eq!(report.findings.len(), 3160 - 120);
    assert!(
        report.notices[0].starts_with("120 pairs "),
        "{:?}",
        report.notices
    );
}

#[test]
fn piles_are_the_same_for_any_number_of_threads() {
    let positions: Vec<_> = (0..60)
        .map(|index| {
            (
                [f64::from(index % 2) * 0.03, f64::from(index % 3) * 9.0, 0.0],
                1.0,
            )
        })
        .collect();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| balls("", &positions))
    };
    assert_eq!(on(1), on(4));
}
