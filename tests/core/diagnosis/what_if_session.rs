//! A finding with other numbers: every verdict and limit compared with formulas that are derived here.

use crate::common::cancelled::Cancelled;
use crate::common::levels::{diagnosed, level_of};
use crate::common::slabs::{ball, scene, slab};
use glam::DVec3;
use hitstop::core::diagnose::phase_sweep::PhaseOutcome;
use hitstop::core::diagnose::what_if::Parameter;
use hitstop::core::diagnose::what_if::session::{Phases, Values, WhatIfSession};
use hitstop::core::diagnose::{Cause, Finding, Key, Kind, Options, diagnose};
use hitstop::core::level;
use hitstop::core::replay::Replay;
use hitstop::core::scene::Object;
use hitstop::core::shape::Shape;
use std::sync::Arc;

const DT: f64 = 1.0 / 60.0;

fn replay(objects: Vec<Object>) -> Arc<Replay> {
    Arc::new(Replay::stepped(Arc::new(scene(objects))))
}

fn findings(replay: &Arc<Replay>) -> Vec<Finding> {
    diagnosed(&level_of(Arc::clone(replay))).findings.into()
}

/// A session for the first finding of a level.
fn session(objects: Vec<Object>) -> WhatIfSession {
    let replay = replay(objects);
    let finding = findings(&replay).remove(0);
    WhatIfSession::of(&replay, &finding).expect("it can be tried")
}

/// A bullet through paper, a slow ball through a thick wall.
fn cases() -> [WhatIfSession; 3] {
    [
        session(vec![ball(0.05, -5.01, 400.0), slab(0.01)]),
        session(vec![ball(0.2, -1.013, 77.7), slab(0.2)]),
        session(vec![ball(0.01, -2.31, 201.0), slab(1.5)]),
    ]
}

fn close(got: f64, want: f64, what: &str) {
    let same = (got - want).abs() <= 1e-9 * want.abs().max(1e-9);
    assert!(same, "{what}: got {got}, want {want}");
}

/// A ball that is `past` metres past its first touch with a slab (collision.md, section 9): overlap ends at T + 2r, the push
/// changes sides at r + T/2. `None` within rounding of either.
fn by_hand(past: f64, radius: f64, thickness: f64) -> Option<PhaseOutcome> {
    let (detected, side) = (thickness + 2.0 * radius, radius + 0.5 * thickness);
    if [detected, side]
        .iter()
        .any(|limit| (past / limit - 1.0).abs() < 1e-9)
    {
        return None;
    }
    Some(if past > detected {
        PhaseOutcome::Missed
    } else if past > side {
        PhaseOutcome::WrongSide
    } else {
        PhaseOutcome::Resolved
    })
}

#[test]
fn every_cell_of_the_map_is_the_closed_form() {
    for session in cases() {
        let recorded = session.recorded();
        for (substeps, radius, thickness) in
            [(1, 1.0, 1.0), (3, 1.0, 1.0), (7, 2.5, 0.5), (1, 0.3, 6.0)]
        {
            let values = Values {
                substeps,
                radius: radius * recorded.radius,
                thickness: thickness * recorded.thickness,
                ..recorded
            };
            let values = session.checked(values);
            for phases in [Phases::Worst, Phases::This] {
                let map = session.map(&values, phases, (24, 16), &()).expect("a map");
                let mut kinds = [0; 4];
                for (row, speed) in map.speeds.iter().enumerate() {
                    for (column, dt) in map.dts.iter().enumerate() {
                        let step = dt * speed / f64::from(substeps);
                        // The worst of all phases: a test just before the touch, and the next a whole step on.
                        let past = match phases {
                            Phases::Worst => step,
                            Phases::This => {
                                let cut = values.phase * f64::from(substeps);
                                step * (1.0 - cut.fract())
                            }
                        };
                        let got = map.cell(column, row).unwrap();
                        if (row + column) % 8 == 0 {
                            let here = Values {
                                dt: *dt,
                                speed: *speed,
                                ..values
                            };
                            assert_eq!(session.verdict(&here, phases), Some(got), "{here:?}");
                        }
                        let place = PhaseOutcome::ALL
                            .iter()
                            .position(|one| *one == got)
                            .unwrap();
                        kinds[place] += 1;
                        if let Some(want) = by_hand(past, values.radius, values.thickness) {
                            assert_eq!(got, want, "dt {dt} speed {speed} of {values:?}");
                        }
                    }
                }
                assert_eq!([map.cell(24, 0), map.cell(0, 16)], [None; 2]);
                // The ranges end there.
                let shown = phases == Phases::This || substeps > 1;
                assert!(
                    shown || kinds[0] > 0 && kinds[2] > 0 && kinds[3] > 0,
                    "{kinds:?} of {values:?} {phases:?}"
                );
            }
        }
    }
}

#[test]
fn the_limits_are_those_of_the_slab() {
    for session in cases() {
        let recorded = session.recorded();
        let values = Values {
            dt: 0.7 * recorded.dt,
            substeps: 2,
            speed: 1.3 * recorded.speed,
            radius: 1.5 * recorded.radius,
            thickness: 0.8 * recorded.thickness,
            phase: 0.25,
        };
        let outcome_at = session.at(&values).expect("an answer");
        assert_eq!(outcome_at.values, values);
        let (r, t) = (values.radius, values.thickness);
        let d = values.dt * values.speed;
        let numbers = &outcome_at.numbers;
        let (detected, side) = (t + 2.0 * r, r + 0.5 * t);
        close(numbers.displacement, d, "displacement");
        close(numbers.step, 0.5 * d, "step");
        close(numbers.limit_seen, detected, "seen");
        close(numbers.limit_side, side, "side");
        let missed = (1.0 - detected / (0.5 * d)).max(0.0);
        let wrong = ((0.5 * d).min(detected) - side).max(0.0) / (0.5 * d);
        close(numbers.missed_share, missed, "missed");
        close(numbers.wrong_share, wrong, "wrong side");
        for (help, limit) in [(numbers.to_detect, detected), (numbers.to_resolve, side)] {
            assert_eq!(help.substeps, Some((d / limit).ceil()));
            close(help.speed.unwrap(), 2.0 * limit / values.dt, "speed");
            close(help.dt.unwrap(), 2.0 * limit / values.speed, "dt");
        }
        // Half of a phase of 0.25 in two substeps is left of the one that passes the touch.
        for (phases, share) in [(Phases::Worst, 1.0), (Phases::This, 0.5)] {
            let product = session.product_at(&outcome_at, side, phases);
            close(product.unwrap(), 2.0 * side / share, "product");
            assert_eq!(session.product_at(&outcome_at, 0.0, phases), None);
        }
        let step = 0.5 * d;
        let thickness = numbers.to_detect.thickness.unwrap();
        close(thickness, (step - 2.0 * r).max(0.0), "thickness to be seen");
        let thickness = numbers.to_resolve.thickness.unwrap();
        close(
            thickness,
            (2.0 * (step - r)).max(0.0),
            "thickness to be held",
        );
        // 64 phases against the shares: less than one phase apart.
        let counts = outcome_at.counts;
        assert!((counts.share(counts.missed) - missed).abs() <= 1.0 / 64.0);
        assert!((counts.share(counts.wrong_side) - wrong).abs() <= 1.0 / 64.0);
    }
}

#[test]
fn fix_values_suffice_and_a_little_less_does_not() {
    for session in cases() {
        let recorded = session.recorded();
        let held = session.at(&recorded).unwrap().numbers.to_resolve;
        for (what, value) in [
            (Parameter::Dt, held.dt),
            (Parameter::Speed, held.speed),
            (Parameter::Thickness, held.thickness),
        ] {
            let value = value.unwrap();
            let worse = if what == Parameter::Thickness {
                0.999
            } else {
                1.001
            };
            let all = |value: f64| {
                let counts = session.at(&recorded.with(what, value)).unwrap().counts;
                counts.resolved() == counts.phases
            };
            assert!(
                all(value * (1.0 + (1.0 - worse) * 1e-3)),
                "{what:?} {value}"
            );
            assert!(!all(value * worse), "{what:?} {value}");
        }
    }
}

#[test]
fn drawn_poses_agree_with_the_numbers() {
    let session = session(vec![ball(0.05, -5.01, 400.0), slab(0.01)]);
    let values = Values {
        dt: 0.01,
        substeps: 4,
        speed: 300.0,
        radius: 0.1,
        thickness: 0.5,
        phase: 0.4,
    };
    let outcome_at = session.at(&values).unwrap();
    let [body, wall] = &outcome_at.ghosts;
    // 3 m a frame, 0.75 m a substep; the wall keeps its near face at x = -0.005, the ball touches it at -0.105.
    close(body.impact.position.x, -0.105, "impact");
    close(body.start.position.x, -0.105 - 1.2, "start");
    close(body.end.position.x, -0.105 + 1.8, "end");
    // At 0.4 of the frame the second substep has gone 0.6 of its path: its end is 0.4 of a substep past the touch.
    close(body.test.position.x, -0.105 + 0.3, "test");
    close(wall.impact.position.x, -0.005 + 0.25, "wall");
    assert_eq!(body.shape, Shape::Sphere { radius: 0.1 });
    let Shape::Box { half_extents } = wall.shape else {
        panic!("{:?}", wall.shape);
    };
    close(half_extents.x, 0.25, "half the wall");
    // 0.3 past the touch, of 0.7 in which it is detected and 0.35 in which it is pushed back.
    assert_eq!(outcome_at.outcome, PhaseOutcome::Resolved);
    let later = session
        .at(&Values {
            phase: 0.3,
            ..values
        })
        .unwrap();
    // 1.2 substeps: 0.8 of one is left, 0.6 m.
    assert_eq!(later.outcome, PhaseOutcome::WrongSide);
}

/// Two balls that pass each other off centre: detected exactly while their centres are no farther apart than both radii.
#[test]
fn passing_balls_are_detected_while_they_overlap() {
    let mut one = ball(0.3, -6.0, 240.0);
    one.velocity.y = 30.0;
    let mut other = ball(0.2, 3.0, -180.0);
    other.name = "other".into();
    other.pose.position.y = 1.0;
    let replay = replay(vec![one, other]);
    let found = findings(&replay);
    let finding = &found[0];
    let session = WhatIfSession::of(&replay, finding).expect("it can be tried");
    let recorded = session.recorded();
    close(recorded.speed, 420.0_f64.hypot(30.0), "relative speed");
    let mut detected = [0; 2];
    for radius in [0.1, 0.3, 0.45] {
        let values = Values { radius, ..recorded };
        let Some(map) = session.map(&values, Phases::This, (30, 20), &()) else {
            continue;
        };
        // In units of the recorded step: the relative position at fraction x is p + x d.
        let (p, d) = (
            DVec3::new(-9.0, -1.0, 0.0),
            DVec3::new(420.0, 30.0, 0.0) * DT,
        );
        // The body that grows is the one of the two that travels farther: the first.
        let extent: f64 = radius + 0.2;
        let (a, b) = (d.length_squared(), p.dot(d));
        let root = (b * b - a * (p.length_squared() - extent * extent)).sqrt();
        let (enters, leaves) = ((-b - root) / a, (-b + root) / a);
        for (row, speed) in map.speeds.iter().enumerate() {
            for (column, dt) in map.dts.iter().enumerate() {
                let step = dt * speed / (recorded.dt * recorded.speed);
                let at = enters + step * (1.0 - recorded.phase);
                if (at - leaves).abs() < 1e-9 {
                    continue;
                }
                let got = map.cell(column, row).unwrap();
                let overlaps = at < leaves;
                detected[usize::from(overlaps)] += 1;
                assert_eq!(
                    matches!(got, PhaseOutcome::Resolved | PhaseOutcome::WrongSide),
                    overlaps
                );
            }
        }
    }
    assert!(detected[0] > 50 && detected[1] > 50, "{detected:?}");
}

#[test]
fn unchanged_values_reproduce_every_bundled_finding() {
    let mut outcome_at = 0;
    for entry in std::fs::read_dir("scenes").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|ending| ending != "ron") {
            continue;
        }
        let level = level::open(&path, &()).unwrap();
        let report = diagnose(&level, &Options::default(), &()).unwrap();
        for finding in report.findings.iter().take(40) {
            let Some(session) = WhatIfSession::of(&level.replay, finding) else {
                continue;
            };
            let name = format!("{} frame {}", path.display(), finding.frame);
            let result = session
                .at(&session.recorded())
                .expect("as it is, it can be asked");
            if session.began_before() {
                continue;
            }
            outcome_at += 1;
            let want = match finding.kind {
                Kind::Tunnels => PhaseOutcome::Missed,
                Kind::Clips => PhaseOutcome::Clipped,
                _ => PhaseOutcome::WrongSide,
            };
            if finding.evidence.iter().any(|(key, _)| *key == Key::Turn) {
                continue;
            }
            // A crossing from behind a one-sided surface is a crossing, whatever the front's result.
            if finding.cause == Cause::Facing {
                assert_ne!(result.outcome, PhaseOutcome::Resolved, "{name}");
                continue;
            }
            assert_eq!(result.outcome, want, "{name}");
            for (limit, got) in [
                ("limit_seen", result.numbers.limit_seen),
                ("limit_side", result.numbers.limit_side),
            ] {
                let value = finding.evidence.iter().find(|(key, _)| key.name() == limit);
                if let (Some((_, value)), Kind::Tunnels) = (value, finding.kind) {
                    let same = (got - value).abs() <= 1e-6 * value.abs();
                    assert!(same, "{name}: {limit} {got}, the finding has {value}");
                }
            }
        }
    }
    assert!(outcome_at > 20, "only {outcome_at} findings");
}

#[test]
fn invalid_values_are_clamped() {
    for session in cases() {
        let odd = [
            f64::NAN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            -1.0,
            0.0,
            1e300,
            1e-300,
        ];
        for value in odd {
            for what in Parameter::ALL {
                let values = session.checked(session.recorded().with(what, value));
                let (low, high) = session.range(what).unwrap();
                let got = values.get(what);
                assert!((low..=high).contains(&got), "{what:?} {value} gave {got}");
                if let Some(outcome_at) = session.at(&values) {
                    let numbers = outcome_at.numbers;
                    assert!(numbers.displacement.is_finite() && !numbers.limit_seen.is_nan());
                }
            }
            let phase = Values {
                phase: value,
                ..session.recorded()
            };
            assert!((0.0..1.0).contains(&session.checked(phase).phase));
        }
    }
}

#[test]
fn a_map_can_be_cancelled() {
    let session = cases().into_iter().next().unwrap();
    let map = session.map(&session.recorded(), Phases::Worst, (96, 64), &Cancelled);
    assert_eq!(map, None);
}

/// Over the edge of a box the normal of the touch is another for another radius: the numbers are those of a ball that has this radius in the level.
#[test]
fn the_numbers_of_another_radius_are_those_of_the_level_that_has_it() {
    let over = |radius: f64| {
        let mut ball = ball(radius, -3.0, 360.0);
        ball.pose.position.y = 1.2;
        let half_extents = DVec3::new(0.5, 1.0, 1.0);
        session(vec![
            ball,
            crate::common::slabs::fixed(Shape::Box { half_extents }),
        ])
    };
    let (small, large) = (over(0.5), over(0.8));
    let changed = Values {
        radius: large.recorded().radius,
        ..small.recorded()
    };
    let [tried, wanted] = [(&small, changed), (&large, large.recorded())]
        .map(|(session, values)| session.at(&values).expect("an answer").numbers);
    close(tried.displacement, wanted.displacement, "displacement");
    close(tried.limit_seen, wanted.limit_seen, "seen");
    close(tried.limit_side, wanted.limit_side, "side");
    close(tried.missed_share, wanted.missed_share, "missed");
}

/// A ball of 0.5 m at 6 m a frame through 0.02 m: each size goes from a hundredth of it to four frames' travel.
#[test]
fn sizes_range_from_a_hundredth_to_four_steps() {
    let session = session(vec![ball(0.5, -3.0, 360.0), slab(0.02)]);
    for (what, least) in [(Parameter::Radius, 0.005), (Parameter::Thickness, 0.0002)] {
        let (low, high) = session.range(what).unwrap();
        close(low, least, "least");
        close(high, 24.0, "most");
    }
}

/// The first bullet moves 20/3 m, and 0.05 + 0.005 m hold: the range goes to twice as many substeps as that takes, 242.4. The second moves 1.295 m, of
/// which 0.3 m hold: twice 4.3 is 8.6, and more than the 8 that are always there.
#[test]
fn substeps_range_to_twice_those_that_hold() {
    let [bullet, ball, _] = cases();
    for (session, most) in [(bullet, 243.0), (ball, 9.0)] {
        assert_eq!(session.range(Parameter::Substeps), Ok((1.0, most)));
    }
}

/// Through the back of a sheet no size helps.
#[test]
fn sizes_are_fixed_where_a_surface_is_passed_from_behind() {
    let level = level::open("scenes/back_face.ron".as_ref(), &()).unwrap();
    let report = diagnosed(&level);
    let finding = &report.findings[0];
    assert_eq!(finding.cause, Cause::Facing);
    let session = WhatIfSession::of(&level.replay, finding).expect("it can be tried");
    let why = session.range(Parameter::Radius).unwrap_err();
    assert!(why.contains("from behind"), "{why}");
}
