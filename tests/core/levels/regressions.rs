//! Bugs that were fixed, each by name. The known faults of published forms have their own file, `published_faults.rs`.

use crate::common::levels::{diagnosed, log_of, opened};
use crate::common::random::Random;
use crate::common::rounds;
use glam::DVec3;
use hitstop::core::diagnose::{Kind, Report};
use hitstop::core::query::{ray_cast_triangle, sweep};
use hitstop::core::shape::{Facing, Motion, Pose, Segment, Shape, Triangle};

const fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Ericson's 5.5.7 tests only the capsule of the edge beyond which the ray enters the slabs. This ray enters beyond the edge
/// at +x +y, misses its capsule, and hits the one at +x +z.
#[test]
fn a_ray_hits_a_rounded_box_on_an_edge_it_did_not_enter_by() {
    let cube = Shape::Box {
        half_extents: DVec3::ONE,
    };
    let still = Motion::still(Pose::IDENTITY);
    let mut found = 0;
    for number in 0..4000 {
        // A grid of rays from beyond the corner region at +x +y +z.
        let share = |k: i32| f64::from(number / k % 16) / 15.0;
        let start = at(3.0, 1.0 + 1.2 * share(1), 1.0 + 1.2 * share(16));
        let step = at(-4.0, -3.0 * share(256), -2.0);
        let motion = Motion {
            start: Pose::at(start),
            end: Pose::at(start + step),
        };
        let mover = Shape::Sphere { radius: 1.0 };
        let outcome = sweep(&mover, &motion, &cube, &still, &mut ()).outcome;
        let gap = |t: f64| {
            let p = start + step * t;
            (p - p.clamp(-DVec3::ONE, DVec3::ONE)).length() - 1.0
        };
        let least = (0..=4000)
            .map(|cut| gap(f64::from(cut) / 4000.0))
            .fold(f64::INFINITY, f64::min);
        if least < 0.0 {
            found += 1;
            let impact = outcome
                .impact()
                .unwrap_or_else(|| panic!("{start} {step} {outcome:?}"));
            assert!(gap(impact.fraction).abs() < 1e-12);
        } else if least > 2e-3 {
            assert!(outcome.impact().is_none(), "{start} {step} {outcome:?}");
        }
    }
    assert!(found > 100, "{found}");
}

/// Every sign of a NaN segment came from exact arithmetic, which has no NaN: it hit.
#[test]
fn a_nan_segment_hits_no_triangle() {
    let triangle = Triangle {
        a: DVec3::ZERO,
        b: DVec3::X,
        c: DVec3::Y,
        facing: Facing::Both,
    };
    let through = Segment {
        a: DVec3::new(0.25, 0.25, 1.0),
        b: DVec3::new(0.25, 0.25, -1.0),
    };
    assert!(ray_cast_triangle(&through, &triangle, &mut ()).is_some());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let from = Segment {
            a: DVec3::splat(bad),
            ..through
        };
        let to = Segment {
            b: DVec3::new(0.25, 0.25, bad),
            ..through
        };
        let corner = Triangle {
            c: DVec3::Y * bad,
            ..triangle
        };
        for (segment, triangle) in [(from, triangle), (to, triangle), (through, corner)] {
            assert_eq!(
                ray_cast_triangle(&segment, &triangle, &mut ()),
                None,
                "{bad}"
            );
        }
    }
}

/// One frame of a ball of 5 cm past an obstacle at the origin, by its position and velocity at both ends.
fn kicked(target: &str, start: [DVec3; 2], end: [DVec3; 2]) -> Report {
    let target = format!(r#"{{"id":1,"name":"target","shape":{target},"motion":"fixed"}}"#);
    let objects = [
        r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.05}}}"#,
        &target,
    ];
    let frames = [start, end].map(|[position, velocity]| {
        let [p, v] = [position, velocity].map(|vector| vector.to_array());
        format!(r#""bodies":[{{"id":0,"p":{p:?},"v":{v:?}}}]"#)
    });
    diagnosed(&opened("kick.jsonl", log_of("", &objects, &frames)))
}

/// A ball that a third body kicks while it is inside a wall: the velocities give its path a corner there, and each of the two
/// straight segments alone is a collision that an overlap test at the corner would resolve. The ball still went through.
#[test]
fn a_body_kicked_inside_a_wall_goes_through_it() {
    let mut missed = Vec::new();
    for (before, after) in [(30.0, 20.0), (20.0, 30.0), (24.0, 16.0)] {
        for step in -30..=30 {
            // The corner: before, inside and behind the wall.
            let corner = f64::from(step) * 0.01;
            let dt = 1.0 / 60.0;
            for aside in [0.0, 4.0, 15.0, 40.0] {
                let start = corner - 0.5 * before * dt;
                let end = corner + 0.5 * after * dt;
                if start > -0.16 || end < 0.16 {
                    continue;
                }
                let drift = 0.5 * aside * dt;
                let report = kicked(
                    r#"{"box":{"half_extents":[0.1,2,2]}}"#,
                    [at(start, 0.0, 0.0), at(before, 0.0, 0.0)],
                    [at(end, drift, 0.0), at(after, aside, 0.0)],
                );
                let kinds: Vec<Kind> = report.findings.iter().map(|found| found.kind).collect();
                if kinds != [Kind::Tunnels] {
                    missed.push((before, corner, aside, kinds));
                }
            }
        }
    }
    assert!(missed.is_empty(), "{missed:?}");
}

/// The same past a ball: wherever the path with its corner goes deep through it and leaves it again, there is a finding.
#[test]
fn a_body_kicked_inside_a_ball_goes_through_it() {
    let mut missed = Vec::new();
    let mut judged = 0;
    let dt = 1.0 / 60.0;
    for seed in 0..rounds(20_000) {
        let mut random = Random(seed);
        let before = DVec3::new(random.range(15.0, 40.0), random.range(-4.0, 4.0), 0.0);
        let after = DVec3::new(random.range(10.0, 40.0), random.range(-15.0, 15.0), 0.0);
        let corner = DVec3::new(random.range(-0.2, 0.2), random.range(-0.15, 0.15), 0.0);
        let time = random.range(0.2, 0.8);
        let start = corner - before * dt * time;
        let end = corner + after * dt * (1.0 - time);
        let path = (0..=400).map(|step| f64::from(step) / 400.0);
        let nearest = path
            .map(|t| match t < time {
                true => start.lerp(corner, t / time),
                false => corner.lerp(end, (t - time) / (1.0 - time)),
            })
            .map(DVec3::length)
            .fold(f64::INFINITY, f64::min);
        // Balls of 5 and 10 cm. Both paths must pass deep inside, or the positions alone are no evidence.
        let chord = (end - start).normalize_or(DVec3::X);
        let aside = (start - chord * start.dot(chord)).length();
        if start.length() < 0.16 || end.length() < 0.16 || nearest > 0.1 || aside > 0.1 {
            continue;
        }
        judged += 1;
        let target = r#"{"sphere":{"radius":0.1}}"#;
        let report = kicked(target, [start, before], [end, after]);
        if report.findings.is_empty() {
            missed.push((seed, nearest, aside, corner));
        }
    }
    assert!(judged > 50, "{judged}");
    assert!(
        missed.is_empty(),
        "{} of {judged}: {:?}",
        missed.len(),
        &missed[..missed.len().min(5)]
    );
}
