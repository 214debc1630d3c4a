//! The explanation of a pair: one level for each way it can end, with numbers by hand in the sentences.

use crate::common::levels::{ball, fixed, fixed_box};
use crate::common::steps::traced;
use glam::DVec3;
use hitstop::core::broad_phase::Verdict;
use hitstop::core::diagnose::explain::{
    Ending, Explanation, Outcome, OverlapTest, candidates_of, explain, sentence_of,
};
use hitstop::core::query;
use hitstop::core::replay::Replay;
use hitstop::core::scene::UserUnits;
use hitstop::core::scene::{Detection, Movement, Object, Response, Scene};
use hitstop::core::shape::{Facing, Mesh, Motion, Plane, Pose, Shape};
use std::sync::Arc;

fn replay(detection: Detection, response: Response, objects: Vec<Object>) -> Replay {
    Replay::stepped(Arc::new(Scene {
        dt: 1.0,
        frames: 2,
        detection,
        response,
        ..Scene::new("test", objects)
    }))
}

fn wall() -> Object {
    fixed_box("wall", [0.5, 1.0, 1.0], DVec3::ZERO)
}

fn still_ball() -> Object {
    fixed("post", Shape::Sphere { radius: 1.0 }, DVec3::ZERO)
}

/// The first two objects of a level without response.
fn explanation(objects: Vec<Object>) -> Explanation {
    let replay = replay(Detection::Overlap, Response::Ignore, objects);
    explain(&replay, &replay.frame(0), 0, 1)
}

#[track_caller]
fn assert_sentences(explanation: &Explanation, expected: &[&str]) {
    let sentences = explanation.sentences();
    for sentence in expected {
        assert!(
            sentences.iter().any(|sentences| sentences == sentence),
            "missing: {sentence}\n{sentences:#?}"
        );
    }
    for sentence in &sentences {
        assert!(sentence.ends_with('.'), "{sentence}");
        assert!(
            !sentence.contains("NaN") && !sentence.contains("inf"),
            "{sentence}"
        );
    }
}

#[test]
fn a_hit_without_overlap_test() {
    // From -6 the ball of radius 0.5 hits the face at -0.5 after 5 of its 10.
    let explanation = explanation(vec![
        ball("bullet", 0.5, [-6.0, 0.0, 0.0], [10.0, 0.0, 0.0]),
        wall(),
    ]);
    assert_sentences(
        &explanation,
        &[
            "In frame 0 (1 s), `bullet` (sphere) and `wall` (box).",
            "The broad phase kept the pair: the boxes around their motions overlap by 1 m on x, 1 m on y and 1 m on z.",
            "Over the whole frame, `bullet` moves 10 m relative to `wall`, by (10, 0, 0).",
            "At the start they are 5 m apart; along the normal the motion brings them 10 m closer. The error bound is 2.93e-14 m.",
            "They hit at 0.5 of the frame (0.5 s), at (-0.5, 0, 0); the normal is (-1, 0, 0).",
            "An overlap test at the start of the frame finds nothing: they are 5 m apart.",
            "An overlap test at the end of the frame finds nothing: they are 3 m apart.",
            "So an overlap test at frame ends does not detect this hit.",
            "This scene tests for collisions only at frame ends.",
        ],
    );
    assert!(explanation.listed && explanation.acted.is_empty());
    // 1 m of wall and twice 0.5 m are 2 of 10 m.
    let phases = explanation.phases.expect("it depends on the phase");
    assert_eq!((phases.counts.phases, phases.closed_missed), (64, 0.8));
    assert!(matches!(
        explanation.ending,
        Ending::Swept(Outcome::Hits(_))
    ));
}

/// A ball that cuts 1 mm off a corner of the wall's edge, undetected: less than a fiftieth of its radius.
#[test]
fn a_hit_too_shallow_for_a_finding() {
    let explanation = explanation(vec![
        ball("bullet", 0.5, [-6.0, 1.499, 0.0], [12.0, 0.0, 0.0]),
        wall(),
    ]);
    assert_sentences(
        &explanation,
        &[
            "So an overlap test at frame ends does not detect this hit.",
            "It is a finding only if they overlap by more than 0.01 m in between, 2 % of the smaller one.",
        ],
    );
}

/// A position far from the origin is given to the millimetre.
#[test]
fn a_position_far_from_the_origin_keeps_its_digits() {
    let mut wall = wall();
    wall.pose.position.x = 1e6;
    let bullet = ball("bullet", 0.5, [1e6 - 6.0, 0.0, 0.0], [10.0, 0.0, 0.0]);
    let explanation = explanation(vec![bullet, wall]);
    assert_sentences(
        &explanation,
        &["They hit at 0.5 of the frame (0.5 s), at (999999.5, 0, 0); the normal is (-1, 0, 0)."],
    );
}

#[test]
fn a_pair_that_the_broad_phase_culls() {
    let explanation = explanation(vec![
        ball("bullet", 0.5, [-6.0, 1.8, 0.0], [10.0, 0.0, 0.0]),
        wall(),
    ]);
    assert_sentences(
        &explanation,
        &[
            "The broad phase culled the pair on y: the boxes around their motions are 0.3 m apart there.",
        ],
    );
    assert_eq!(explanation.ending, Ending::LeftOut);
    assert!(!explanation.listed);
    let Some(Verdict::Culled { axis: 1, by }) = explanation.broad else {
        panic!("{:?}", explanation.broad);
    };
    assert!((by - 0.3).abs() < 1e-9);
}

#[test]
fn a_miss() {
    // The paths pass at (0, 1.5, 1.5): 2.1213 between centres, sum of radii 2.
    let explanation = explanation(vec![
        ball("ball", 1.0, [-5.0, 1.5, 1.5], [10.0, 0.0, 0.0]),
        still_ball(),
    ]);
    assert_sentences(
        &explanation,
        &[
            "The closest approach is 0.121 m, at 0.5 of the motion.",
            "They miss each other by 0.121 m, nearest at 0.5 of the frame.",
        ],
    );
}

#[test]
fn a_graze_is_no_hit() {
    // The boxes touch on y exactly, and so do the balls.
    let explanation = explanation(vec![
        ball("ball", 1.0, [-5.0, 2.0, 0.0], [10.0, 0.0, 0.0]),
        still_ball(),
    ]);
    assert_sentences(
        &explanation,
        &["They only graze at 0.5 of the frame, which is no hit."],
    );
}

#[test]
fn receding_and_later() {
    let receding = explanation(vec![
        ball("ball", 1.0, [1.5, 1.5, 0.0], [2.0, 0.0, 0.0]),
        still_ball(),
    ]);
    assert_sentences(&receding, &["They cannot hit."]);
    let later = explanation(vec![
        ball("ball", 1.0, [-4.0, 1.5, 0.0], [2.5, 0.0, 0.0]),
        still_ball(),
    ]);
    assert_sentences(
        &later,
        &[
            "They approach, but are still apart at the end of the frame.",
            "An overlap test at the end of the frame finds nothing: they are 0.121 m apart.",
        ],
    );
}

#[test]
fn overlapping_from_the_start() {
    let explanation = explanation(vec![
        ball("ball", 1.0, [1.75, 0.0, 0.0], [1.0, 0.0, 0.0]),
        still_ball(),
    ]);
    assert_sentences(
        &explanation,
        &[
            "They overlap by 0.25 m already at the start.",
            "An overlap test at the start of the frame finds an overlap of 0.25 m, with a push along (1, 0, 0).",
            "An overlap test at the end of the frame finds nothing: they are 0.75 m apart.",
        ],
    );
    let start = explanation.end_tests[0].as_ref();
    let (_, text) = OverlapTest::summary(start, UserUnits::default());
    assert_eq!(text, "overlap, 0.25 m deep");
}

#[test]
fn a_mask_forbids_and_a_sensor_only_reports() {
    let mut ghost = ball("ghost", 0.5, [-6.0, 0.0, 0.0], [10.0, 0.0, 0.0]);
    ghost.layer = 2;
    let mut one_eyed = wall();
    one_eyed.mask = 1;
    let masked = explanation(vec![ghost.clone(), one_eyed]);
    assert_sentences(
        &masked,
        &[
            "The pair is masked: the mask of `wall` has no layer of `ghost`.",
            "Without the mask: they hit at 0.5 of the frame (0.5 s), at (-0.5, 0, 0); the normal is (-1, 0, 0).",
        ],
    );
    assert_eq!(masked.ending, Ending::Masked);
    assert!(masked.filter.b_ignores_a && !masked.filter.a_ignores_b && !masked.listed);
    let mut zone = wall();
    zone.sensor = true;
    assert_sentences(
        &explanation(vec![ghost, zone]),
        &["`wall` is a sensor: it reports, and neither pushes nor is pushed."],
    );
}

#[test]
fn a_single_object_and_two_at_rest() {
    let lone = explanation(vec![still_ball()]);
    assert_eq!(lone.ending, Ending::NoPair);
    assert_sentences(&lone, &["A pair needs two existing objects."]);
    let rest = explanation(vec![wall(), still_ball()]);
    assert_sentences(
        &rest,
        &["The broad phase culled the pair: neither moves in this frame."],
    );
    assert_eq!(rest.ending, Ending::LeftOut);
}

#[test]
fn an_unbounded_plane_is_a_candidate() {
    let ground = fixed(
        "ground",
        Shape::Plane(Plane {
            normal: DVec3::Y,
            offset: 0.0,
        }),
        DVec3::ZERO,
    );
    let explanation = explanation(vec![
        ball("ball", 0.5, [0.0, 3.0, 0.0], [0.0, -5.0, 0.0]),
        ground,
    ]);
    assert_sentences(
        &explanation,
        &[
            "The broad phase kept the pair: one of the two is unbounded.",
            "They hit at 0.5 of the frame (0.5 s), at (0, 0, 0); the normal is (0, 1, 0).",
            "An overlap test at the end of the frame finds an overlap of 2.5 m, with a push along (0, 1, 0).",
        ],
    );
}

#[test]
fn pushes_and_the_rest_are_explained() {
    let replay = replay(
        Detection::Overlap,
        Response::Push,
        vec![
            ball("ball", 1.0, [4.0, 0.0, 0.0], [-2.5, 0.0, 0.0]),
            still_ball(),
        ],
    );
    let explanation = explain(&replay, &replay.frame(0), 0, 1);
    assert_sentences(
        &explanation,
        &[
            "An overlap test at the end of the frame finds an overlap of 0.5 m, with a push along (1, 0, 0).",
            "At 1 of the frame `ball` was pushed by 0.5 m, (0.5, 0, 0).",
        ],
    );
    let after = explanation.after_pushes.unwrap();
    assert!(after.abs() < 1e-12);
}

#[test]
fn a_sweeping_level_is_explained_by_segment() {
    let replay = replay(
        Detection::Sweep,
        Response::Bounce { restitution: 1.0 },
        vec![
            ball("ball", 0.5, [-6.0, 0.0, 0.0], [10.0, 0.0, 0.0]),
            wall(),
        ],
    );
    let explanation = explain(&replay, &replay.frame(0), 0, 1);
    assert_eq!(explanation.intervals.len(), 2);
    assert_sentences(
        &explanation,
        &[
            "The stepper stopped them at 0.5 of the frame.",
            "They hit at 0.5 of the frame (0.5 s), at (-0.5, 0, 0); the normal is (-1, 0, 0).",
        ],
    );
    // For the wall, the normal points the other way.
    let back = explain(&replay, &replay.frame(0), 1, 0);
    let Some(Outcome::Hits(impact)) = back.swept() else {
        panic!("{:?}", back.swept());
    };
    assert!(impact.normal.distance(DVec3::X) < 1e-12);
}

/// It passes the gate of another mask after half of the frame, and rebounds from the wall behind it after 0.8, at a fifth of its speed: 0.4 m back.
#[test]
fn the_hit_of_an_earlier_part_of_the_way_is_the_one_of_the_frame() {
    let mut ghost = ball("ghost", 0.5, [-6.0, 0.0, 0.0], [10.0, 0.0, 0.0]);
    ghost.layer = 2;
    let mut gate = wall();
    gate.mask = 1;
    let end = fixed_box("end", [0.5, 1.0, 1.0], DVec3::X * 3.0);
    let replay = replay(
        Detection::Sweep,
        Response::Bounce { restitution: 0.2 },
        vec![ghost, gate, end],
    );
    let explanation = explain(&replay, &replay.frame(0), 0, 1);
    assert_eq!(explanation.intervals.len(), 2);
    let Some(Outcome::Hits(impact)) = explanation.swept() else {
        panic!("{:?}", explanation.swept());
    };
    assert!((impact.fraction - 0.5).abs() < 1e-12);
}

#[test]
fn every_other_object_has_its_reason_nearest_first() {
    let mut masked = ball("masked", 0.5, [-6.0, 0.0, 0.0], [0.0; 3]);
    masked.mask = 0;
    masked.pose.position = DVec3::new(-3.0, 1.25, 0.0);
    let above = ball("above", 0.5, [0.0, 1.3, 0.0], [0.0; 3]);
    let beside = ball("beside", 0.5, [0.0, 0.8, 0.8], [0.0; 3]);
    let target = ball("target", 0.5, [2.0, 0.0, 0.0], [0.0; 3]);
    let replay = replay(
        Detection::Overlap,
        Response::Ignore,
        vec![
            ball("mover", 0.5, [-5.0, 0.0, 0.0], [10.0, 0.0, 0.0]),
            above,
            masked,
            beside,
            target,
        ],
    );
    let found = candidates_of(&replay, &replay.frame(0), 0);
    let sentences: Vec<_> = found
        .iter()
        .map(|candidate| {
            (
                candidate.name.as_str(),
                candidate.summary(UserUnits::default()).1,
            )
        })
        .collect();
    // Beside: (0.8, 0.8) is 1.1314 from the path. Above: 1.3 minus both radii. Target: 7 between centres, 6 of 10 left.
    let expected = [
        ("target", "hits at 0.6"),
        ("beside", "misses by 0.131 m at 0.5"),
        ("masked", "masked"),
        ("above", "culled on y by 0.3 m"),
    ];
    let expected = expected.map(|(name, reason)| (name, reason.to_owned()));
    assert_eq!(sentences, expected);
    assert!(found.is_sorted_by(|a, b| a.distance <= b.distance));
    assert!(candidates_of(&replay, &replay.frame(0), 99).is_empty());
}

/// A blade of half thickness 0.02 rotates by 1 rad, and the ball of radius 0.1 is 1 m from the hub at half of that rotation:
/// flank and ball touch while less than asin(0.12 / 1) is between them.
#[test]
fn a_hit_of_a_sweep_with_rotation_is_explained() {
    let half_extents = DVec3::new(1.5, 0.1, 0.02);
    let mut blade = Object::new("blade", Shape::Box { half_extents }, DVec3::ZERO);
    blade.movement = Movement::Kinematic;
    blade.spin = DVec3::Y;
    let at = |angle: f64| [angle.cos(), 0.0, -angle.sin()];
    let level = |objects: Vec<Object>| replay(Detection::Overlap, Response::Ignore, objects);
    let near = 0.12_f64.asin();
    let touched = level(vec![blade.clone(), ball("ball", 0.1, at(0.5), [0.0; 3])]);
    for (a, b) in [(0, 1), (1, 0)] {
        let explanation = explain(&touched, &touched.frame(0), a, b);
        let found = explanation.rotation_touch().unwrap();
        let touch = found.touch.unwrap();
        assert!((touch.fraction - (0.5 - near)).abs() < 1e-6, "{touch:?}");
        assert!((found.parts.unwrap() - (0.5 + near)).abs() < 1e-6);
        // From the second toward the first, along the flank's normal at that time.
        let turned = DVec3::new(-touch.fraction.sin(), 0.0, -touch.fraction.cos());
        let normal = if a == 0 { -turned } else { turned };
        assert!(touch.normal.distance(normal) < 1e-3, "{touch:?}");
        assert_sentences(
            &explanation,
            &[
                "Without rotation: they cannot hit.",
                "So neither an overlap test at frame ends nor a sweep without rotation detects this hit.",
            ],
        );
    }
    let reasons = candidates_of(&touched, &touched.frame(0), 0);
    assert_eq!(
        reasons[0].summary(UserUnits::default()).1,
        "hits at 0.38 while rotating"
    );
    assert_eq!(reasons[0].distance, 0.0);

    let passed = level(vec![blade, ball("ball", 0.1, at(1.3), [0.0; 3])]);
    let explanation = explain(&passed, &passed.frame(0), 0, 1);
    assert_eq!(explanation.rotation_touch(), None);
    let sentences = explanation.sentences();
    let never = "With rotation, they never overlap by more than";
    assert!(
        sentences
            .iter()
            .any(|sentences| sentences.starts_with(never)),
        "{sentences:#?}"
    );
}

/// Eight squares of two triangles face a ball, 10 m apart. The sphere of the last four, around 30 by 2 by 2 centred at x = 55, is
/// touched after the hit on the first.
#[test]
fn a_sweep_against_a_mesh_lists_the_spheres_it_skips() {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    for wall in 0..8 {
        let (x, first) = (10.0 * f64::from(wall), 4 * wall);
        vertices.extend(
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(y, z)| DVec3::new(x, y, z)),
        );
        triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    }
    let mesh = Shape::Mesh(Arc::new(
        Mesh::new(vertices, triangles, Facing::Both).unwrap(),
    ));
    let walls = || fixed("walls", mesh.clone(), DVec3::ZERO);
    let bullet = || ball("bullet", 0.5, [-2.5, 0.0, 0.0], [100.0, 0.0, 0.0]);
    // Half of the diagonal is 15.067: 55 - 15.067 - 0.5 + 2.5 of 100.
    let skipped = "Skipped on level 1: a sphere of 8 triangles, which the swept bounding sphere touches at 0.419, after the hit at 0.02 of the motion.";
    for objects in [vec![bullet(), walls()], vec![walls(), bullet()]] {
        let explanation = explanation(objects);
        let hit = explanation.intervals[0].sweep.outcome.impact().unwrap();
        assert!((hit.fraction - 0.02).abs() < 1e-12);
        assert_sentences(
            &explanation,
            &[
                "Through the mesh's tree of bounding spheres, the same sweep tests 5 spheres and 4 of 16 triangles.",
                skipped,
            ],
        );
    }
    let aside = ball("bullet", 0.5, [-2.5, 50.0, 0.0], [100.0, 0.0, 0.0]);
    let sentences = explanation(vec![aside, walls()]).sentences();
    assert!(
        sentences
            .iter()
            .any(|sentences| sentences.contains("tests 1 sphere and none of 16 triangles")),
        "{sentences:#?}"
    );
    assert!(
        sentences.iter()
            .any(|sentences| sentences.starts_with("Skipped on level 0: a sphere of 16 triangles, which the swept bounding sphere misses by ")),
        "{sentences:#?}"
    );
}

/// A cube of 2 m at -5 goes 10 m along x past one at the origin: from 3 m to 7 m of the way they overlap along x. Along y nothing moves: there they
/// overlap, or at 3 m are apart.
#[test]
fn each_axis_of_a_sweep_is_a_sentence() {
    let cube = Shape::Box {
        half_extents: DVec3::ONE,
    };
    for (y, along_y) in [
        (0.0, "nothing moves, and they overlap."),
        (3.0, "nothing moves, and they are apart."),
    ] {
        let motion = Motion {
            start: Pose::at(DVec3::new(-5.0, y, 0.0)),
            end: Pose::at(DVec3::new(5.0, y, 0.0)),
        };
        let still = Motion::still(Pose::IDENTITY);
        let (_, steps) = traced(|steps| query::sweep(&cube, &motion, &cube, &still, steps));
        let sentences: Vec<String> = steps
            .iter()
            .map(|step| sentence_of(step, UserUnits::default()))
            .collect();
        for (axis, says) in [
            (DVec3::X, "they overlap from 0.3 to 0.7 of the motion."),
            (DVec3::Y, along_y),
        ] {
            let [x, y, z] = axis.to_array();
            let sentence = format!("Along a face's normal, ({x}, {y}, {z}), {says}");
            assert!(sentences.contains(&sentence), "{sentence}\n{sentences:#?}");
        }
    }
}
