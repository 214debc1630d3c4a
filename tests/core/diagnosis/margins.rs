//! The closest calls of levels without findings. Numbers by hand: a ball of radius r and a plate of thickness T are held wherever the ball
//! starts up to a step of r + T/2 along the normal, and seen up to T + 2r.

use crate::common::levels::{log_of, opened, scene_of};
use hitstop::core::diagnose::{Margin, Margins, Options, Report, diagnose};
use hitstop::core::scene::{self, MemoryFolder, UserUnits};

/// Radius 0.5 m.
fn ball(more: &str) -> String {
    format!(r#"{{"id":0,"name":"ball","shape":{{"sphere":{{"radius":0.5}}}}{more}}}"#)
}

/// 0.2 m thick, its front at x = -0.1.
fn wall(more: &str) -> String {
    format!(
        r#"{{"id":1,"name":"wall","motion":"fixed","shape":{{"box":{{"half_extents":[0.1,9,9]}}}}{more}}}"#
    )
}

/// A ball at these places along x, with these displacements by its velocity.
fn report(objects: [String; 2], places: &[f64], steps: &[f64]) -> Report {
    let line = |(x, step): (&f64, &f64)| {
        let v = 60.0 * step;
        format!(r#""bodies":[{{"id":0,"p":[{x},0.25,0],"v":[{v},0,0]}}]"#)
    };
    let lines: Vec<String> = places.iter().zip(steps).map(line).collect();
    let objects = [&*objects[0], &*objects[1]];
    let options = Options {
        margins: true,
        ..Options::default()
    };
    let level = opened("log.jsonl", log_of("", &objects, &lines));
    diagnose(&level, &options, &()).expect("not cancelled")
}

fn margins(report: &Report) -> &Margins {
    assert!(report.findings.is_empty(), "{:#?}", report.findings);
    report.margins.as_ref().unwrap()
}

fn only(report: &Report) -> &Margin {
    let [margin] = &margins(report).pairs[..] else {
        panic!("{:?}", report.margins);
    };
    margin
}

#[test]
fn a_step_is_a_share_of_the_longest_that_holds() {
    // Apart by 0.5 and then 0.2; the engine stops it at the wall.
    let places = [-1.1, -0.8, -0.6, -0.6];
    let steps = [0.3, 0.3, 0.0, 0.0];
    let solid = report([ball(""), wall("")], &places, &steps);
    let margin = only(&solid);
    assert_eq!((&*margin.a, &*margin.b, margin.frame), ("ball", "wall", 1));
    assert!((margin.displacement - 0.3).abs() < 1e-12, "{margin:?}");
    assert!((margin.limit - 0.6).abs() < 1e-12, "{margin:?}");
    assert!((margin.share - 0.5).abs() < 1e-12, "{margin:?}");
    assert_eq!(margins(&solid).closest(), margin.share);
    // Of twice the length the step is the whole limit, which still holds.
    assert_eq!(margins(&solid).lost_at(2.0 / 60.0 + 1e-9), 1);
    assert_eq!(margins(&solid).lost_at(1.9 / 60.0), 0);
    let sentence = margins(&solid).sentence(UserUnits::default());
    assert!(
        sentence.ends_with("; at 30 Hz all pairs would hold"),
        "{sentence}"
    );
    // A sensor only needs to be seen.
    let sensor = report([ball(""), wall(r#","sensor":true"#)], &places, &steps);
    assert!((only(&sensor).limit - 1.2).abs() < 1e-12);
}

/// 0.3 m toward a wall 0.2 m away, back, and 0.48 m toward one 0.38 m away: the second comes closer to the limit of 0.6.
#[test]
fn the_closest_call_is_the_largest_share() {
    let places = [-1.1, -0.8, -0.6, -1.2, -0.98, -0.6, -0.6];
    let steps = [0.3, 0.3, -0.6, 0.22, 0.48, 0.0, 0.0];
    let report = report([ball(""), wall("")], &places, &steps);
    let margin = only(&report);
    assert_eq!(margin.frame, 4);
    assert!((margin.share - 0.8).abs() < 1e-12, "{margin:?}");
}

/// A sheet without thickness holds a step of the radius, if its front faces the ball.
#[test]
fn only_the_front_of_a_one_sided_sheet_has_a_margin() {
    let sheet = |b: &str, c: &str| {
        format!(
            r#"{{"id":1,"name":"sheet","motion":"fixed","shape":{{"triangle":{{"a":[0,-9,-9],"b":{b},"c":{c},"facing":"front"}}}}}}"#
        )
    };
    let (up, along) = ("[0,27,-9]", "[0,-9,27]");
    let places = [-1.0, -0.7, -0.5, -0.5];
    let steps = [0.3, 0.3, 0.0, 0.0];
    let front = report([ball(""), sheet(along, up)], &places, &steps);
    assert!((only(&front).share - 0.3 / 0.5).abs() < 1e-12);
    let back = report([ball(""), sheet(up, along)], &places, &steps);
    assert_eq!(margins(&back).pairs, []);
}

/// What counts is what the two close: 0.2 m of the ball and 0.1 m of the wall are 0.3 m.
#[test]
fn a_wall_that_comes_closer_has_the_limit_of_one_at_rest() {
    let wall = wall("").replace("fixed", "kinematic");
    let states = [[-1.0, 0.2], [-0.8, 0.1], [-0.6, 0.0], [-0.6, 0.0]];
    let lines = states.map(|[x, wall]| {
        let moves = f64::from(wall > 0.0);
        let v = [0.2, -0.1].map(|step| 60.0 * step * moves);
        format!(
            r#""bodies":[{{"id":0,"p":[{x},0.25,0],"v":[{},0,0]}},{{"id":1,"p":[{wall},0,0],"v":[{},0,0]}}]"#,
            v[0], v[1]
        )
    });
    let options = Options {
        margins: true,
        ..Options::default()
    };
    let level = opened("log.jsonl", log_of("", &[&ball(""), &wall], &lines));
    let report = diagnose(&level, &options, &()).expect("not cancelled");
    let margin = only(&report);
    assert!((margin.displacement - 0.3).abs() < 1e-12, "{margin:?}");
    assert!((margin.limit - 0.6).abs() < 1e-12, "{margin:?}");
}

/// It lets bodies pass toward +x.
#[test]
fn a_one_way_platform_has_a_margin_from_one_side() {
    let steps = [0.3, 0.3, 0.0, 0.0];
    let places = [-1.1, -0.8, -0.6, -0.6];
    for (way, expected) in [("[1,0,0]", 0), ("[-1,0,0]", 1)] {
        let wall = wall(&format!(r#","one_way":{way}"#));
        let report = report([ball(""), wall], &places, &steps);
        assert_eq!(margins(&report).pairs.len(), expected, "{way}");
    }
}

/// What goes through is a finding, and no close call.
#[test]
fn a_pair_with_a_finding_has_no_margin() {
    let report = report([ball(""), wall("")], &[-2.0, 2.0, 2.0], &[4.0, 0.0, 0.0]);
    assert_eq!(report.findings.len(), 1, "{:#?}", report.findings);
    assert_eq!(report.margins.unwrap().pairs, []);
}

#[test]
fn what_cannot_reach_a_surface_or_is_swept_has_no_margin() {
    let stays = [0.3; 3];
    // Beyond its reach, away, along the wall's edge, slower than a twentieth of the limit.
    let table = [
        ("far", [-3.0, -2.7, -2.4], stays),
        ("away", [-0.7, -1.0, -1.3], [-0.3; 3]),
        ("slow", [-0.64, -0.63, -0.62], [0.01; 3]),
    ];
    for (name, places, steps) in table {
        let report = report([ball(""), wall("")], &places, &steps);
        assert_eq!(margins(&report).pairs, [], "{name}");
    }
    let swept = report(
        [ball(r#","ccd":true"#), wall("")],
        &[-1.1, -0.8, -0.6],
        &[0.3, 0.3, 0.0],
    );
    assert_eq!(
        (&margins(&swept).pairs[..], margins(&swept).swept),
        (&[][..], 1)
    );
}

/// rapier sweeps bodies against fixed ones from 0.35 on; Jolt only those that ask for it.
#[test]
fn what_an_engine_sweeps_by_itself_has_no_margin() {
    for (engine, pairs) in [("rapier 0.36", 0), ("rapier 0.30", 1), ("jolt", 1)] {
        let lines = [(-1.1, 18), (-0.8, 18), (-0.6, 0)]
            .map(|(x, v)| format!(r#""bodies":[{{"id":0,"p":[{x},0.25,0],"v":[{v},0,0]}}]"#));
        let header = format!(r#","engine":"{engine}""#);
        let log = log_of(&header, &[&ball(""), &wall("")], &lines);
        let options = Options {
            margins: true,
            ..Options::default()
        };
        let report = diagnose(&opened("log.jsonl", log), &options, &()).expect("not cancelled");
        let margins = report.margins.unwrap();
        let found = (margins.pairs.len(), margins.swept);
        assert_eq!(found, (pairs, 1 - pairs), "{engine}");
    }
}

/// A limit that is right: below it no start of 64 has a finding, above it some have.
#[test]
fn the_limit_is_where_findings_begin() {
    let passes = |share: f64, phase: u32| {
        let step = 0.6 * share;
        let start = -0.6 - step * (1.0 + f64::from(phase) / 64.0);
        let places: Vec<f64> = (0..6).map(|k| start + step * f64::from(k)).collect();
        // Until it is seen inside, from where the engine pushes it out the way it came.
        let inside = places.iter().position(|x| x.abs() < 0.6);
        let back = |index: usize| match inside {
            Some(seen) if index > seen && places[seen] <= 0.0 => -0.6,
            _ => places[index],
        };
        let places: Vec<f64> = (0..6).map(back).collect();
        report([ball(""), wall("")], &places, &[step; 6])
    };
    let found = |share: f64| {
        let all = (0..64).map(|phase| passes(share, phase));
        all.filter(|report| !report.findings.is_empty()).count()
    };
    assert_eq!(found(0.98), 0);
    assert!(found(1.1) > 0);
    let margin = passes(0.98, 7).margins.unwrap();
    assert!((margin.closest() - 0.98).abs() < 1e-9, "{margin:?}");
}

/// 0.3 m a step toward the wall, half of the limit; at 8 m a step it goes through.
#[test]
fn an_expectation_asks_for_a_margin() {
    let results = |speed: f64, below: f64| {
        let ball = format!(
            r#"(name: "ball", shape: Sphere(radius: 0.5), position: (-1.1, 0.25, 0.0), velocity: ({speed:?}, 0.0, 0.0))"#
        );
        let wall = r#"(name: "wall", shape: Box(half_extents: (0.1, 9.0, 9.0)), motion: Fixed)"#;
        let fields = format!("dt: 0.1, frames: 3, expect: [Margin(below: {below:?})]");
        let level = opened("scene.ron", scene_of(&fields, &[&ball, wall]));
        let report = diagnose(&level, &Options::default(), &()).expect("not cancelled");
        let [result] = &report.expectations[..] else {
            panic!("{:?}", report.expectations);
        };
        (result.passed, result.text.clone(), result.got.clone())
    };
    let (holds, text, got) = results(3.0, 0.6);
    assert!(holds && text == "Margin(below: 0.6)", "{text}");
    assert!(
        got.starts_with("ball at wall, 50 % of the limit in frame 1"),
        "{got}"
    );
    assert!(!results(3.0, 0.5).0);
    let (holds, _, got) = results(80.0, 1.0);
    assert!(!holds && got.contains("Tunnels"), "{got}");
}

#[test]
fn a_margin_is_a_share() {
    for (below, is_right) in [
        ("1.0", true),
        ("0.0", false),
        ("1.5", false),
        ("nan", false),
    ] {
        let fields = format!("dt: 0.1, frames: 3, expect: [Margin(below: {below})]");
        let ball = r#"(name: "ball", shape: Sphere(radius: 0.5), position: (0.0, 0.0, 0.0))"#;
        let read = scene::parse(
            &scene_of(&fields, &[ball]),
            "scene.ron",
            &MemoryFolder::default(),
        );
        assert_eq!(read.is_ok(), is_right, "{below}");
    }
}
