//! Findings of a log as scenes.

use super::phantoms;
use crate::common::levels::{log_of, opened};
use glam::DVec3;
use hitstop::core::diagnose::{Options, SceneSelection, diagnose, minimal_scene};
use hitstop::core::level;
use hitstop::core::scene::{Expectation, MemoryFolder, write};

/// A wrong logged value becomes a scene with our result, which reads back to the same.
#[test]
fn a_phantom_becomes_a_scene_with_the_exact_result() {
    for (name, expectation) in [
        ("speculative_ghost.ron", "NeverTouches"),
        ("own_query.ron", "Hit"),
    ] {
        let folder = hitstop::bundled::folder();
        let level = level::open_in(&folder, name, &()).unwrap();
        let report = diagnose(&level, &Options::default(), &()).unwrap();
        assert!(!phantoms(&report).is_empty());
        for finding in phantoms(&report) {
            let (scene, notices) =
                minimal_scene(&level, finding.frame, SceneSelection::Finding(finding), &())
                    .unwrap();
            assert!(notices.is_empty(), "{notices:?}");
            assert_eq!(scene.objects.len(), 2);
            assert!(scene.notes.contains(&finding.text), "{}", scene.notes);
            assert_eq!(scene.expect.len(), 1);
            assert!(
                format!("{:?}", scene.expect[0].expectation).starts_with(expectation),
                "{:?}",
                scene.expect
            );
            let text = write(&scene);
            let folder = MemoryFolder {
                files: [("made.ron".to_owned(), text.into_bytes())].into(),
            };
            let made = level::open_in(&folder, "made.ron", &())
                .unwrap_or_else(|problems| panic!("{problems}"));
            let again = diagnose(&made, &Options::default(), &()).unwrap();
            assert!(
                again.expectations.iter().all(|held| held.passed),
                "{:?}",
                again.expectations
            );
            assert!(again.findings.is_empty(), "{:#?}", again.findings);
        }
    }
}

/// A log may contain a wall that is larger than a scene may, or a body that is faster; the scene leaves it out with a notice.
#[test]
fn an_object_too_large_or_too_fast_for_a_scene_is_left_out_of_the_minimal_one() {
    for (half, end, left_out) in [("6.7e24", "1", "wall"), ("1", "9e14", "ball")] {
        let text = format!(
            r#"{{"hitstop":1,"dt":0.1,"objects":[{{"id":0,"name":"ball","shape":{{"sphere":{{"radius":0.1}}}}}},{{"id":1,"name":"wall","shape":{{"box":{{"half_extents":[0.05,1,{half}]}}}},"motion":"fixed"}}]}}
{{"frame":0,"bodies":[{{"id":0,"p":[-1,0,0]}}]}}
{{"frame":1,"bodies":[{{"id":0,"p":[{end},0,0]}}]}}
"#
        );
        let level = opened("log.jsonl", text);
        let (scene, notices) =
            minimal_scene(&level, 0, SceneSelection::Neighbourhood, &()).unwrap();
        let expected = format!("\"{left_out}\" is left out");
        assert!(
            notices.iter().any(|notice| notice.what.contains(&expected)),
            "{notices:?}"
        );
        opened("made.ron", write(&scene));
    }
}

/// The pair of a finding alone: two objects of the sixteen, and the same finding, expected.
#[test]
fn a_pair_becomes_a_scene_that_repeats_its_finding() {
    let folder = hitstop::bundled::folder();
    let level = level::open_in(&folder, "recordings/warehouse.jsonl", &()).unwrap();
    let named = |name: &str| level.replay.object_named(name).unwrap();
    let pair = SceneSelection::Pair(named("bullet 120 m/s"), named("thin wall"));
    let (scene, notices) = minimal_scene(&level, 4, pair, &()).unwrap();
    assert!(notices.is_empty(), "{notices:?}");
    let names: Vec<&str> = scene
        .objects
        .iter()
        .map(|object| object.name.as_str())
        .collect();
    assert_eq!(names, ["thin wall", "bullet 120 m/s"]);
    assert!(
        matches!(scene.expect.iter().map(|expected| &expected.expectation).collect::<Vec<_>>()[..], [Expectation::Finds { kind, frame: Some(0), .. }] if kind == "Tunnels")
    );
    // Two that do not collide in that frame: the result is that they never touch.
    let pair = SceneSelection::Pair(named("crate 1"), named("thin wall"));
    let (scene, _) = minimal_scene(&level, 4, pair, &()).unwrap();
    assert!(
        matches!(
            scene
                .expect
                .iter()
                .map(|expected| &expected.expectation)
                .collect::<Vec<_>>()[..],
            [Expectation::NeverTouches { .. }]
        ),
        "{:?}",
        scene.expect
    );
}

/// Of a frame in which a bar that turns by a right angle about Z hits a post: what is far away is left out, and the bar has its spin.
#[test]
fn a_neighbourhood_has_the_spins_and_not_what_is_far_away() {
    let objects = [
        r#"{"id":0,"name":"bar","motion":"kinematic","shape":{"box":{"half_extents":[2,0.1,0.1]}}}"#,
        r#"{"id":1,"name":"post","motion":"fixed","shape":{"sphere":{"radius":0.2}},"position":[1,1,0]}"#,
        r#"{"id":2,"name":"beside","motion":"fixed","shape":{"sphere":{"radius":0.2}},"position":[0,3,0]}"#,
        r#"{"id":3,"name":"far","motion":"fixed","shape":{"sphere":{"radius":0.2}},"position":[0,50,0]}"#,
        r#"{"id":4,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#,
    ];
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let line = |q: [f64; 4], x: f64| {
        format!(r#""bodies":[{{"id":0,"p":[0,0,0],"q":{q:?}}},{{"id":4,"p":[{x},1,0]}}]"#)
    };
    let lines = [
        line([0.0, 0.0, 0.0, 1.0], -1.0),
        line([0.0, 0.0, half, half], 3.0),
    ];
    let level = opened("log.jsonl", log_of("", &objects, &lines));
    let (scene, _) = minimal_scene(&level, 0, SceneSelection::Neighbourhood, &()).unwrap();
    let names: Vec<&str> = scene.objects.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["bar", "post", "beside", "ball"]);
    let spin = DVec3::Z * std::f64::consts::FRAC_PI_2 * 60.0;
    assert!(
        scene.objects[0].spin.distance(spin) < 1e-6,
        "{}",
        scene.objects[0].spin
    );
}
