//! Logged pushes.

use super::{BALL, FLOOR, close, frame, phantoms, report};
use crate::common::findings::evidence;
use hitstop::core::diagnose::Kind;

/// A push out of a floor that is 0.1 deep, partly or wholly, is valid; one without overlap, one that is five times
/// too long and one along the floor are not.
#[test]
fn pushes_need_an_overlap() {
    let cases = [
        (0.4, [0.0, 0.1, 0.0], None),
        (0.4, [0.0, 0.02, 0.0], None),
        // 5 mm farther than needed, which are within a fiftieth of the radius.
        (0.4, [0.0, 0.105, 0.0], None),
        (0.6, [0.0, 0.2, 0.0], Some(("C11", 0.1))),
        (0.4, [0.0, 0.5, 0.0], Some(("C22", 0.0))),
        (0.4, [0.3, 0.0, 0.0], Some(("C22", 0.0))),
    ];
    for (height, push, wanted) in cases {
        let end = [push[0], height + push[1], 0.0];
        let lines = [
            frame([0.0, height, 0.0], None, ""),
            frame(
                end,
                None,
                &format!(r#","pushes":[{{"id":0,"push":{push:?}}}]"#),
            ),
        ];
        let report = report("", &[BALL, FLOOR], &[&lines[0], &lines[1]]);
        let found = phantoms(&report);
        assert_eq!(
            found.len(),
            usize::from(wanted.is_some()),
            "{height} {push:?}: {:#?}",
            report.findings
        );
        if let Some((cause, gap)) = wanted {
            assert_eq!(found[0].cause.id(), cause);
            assert_eq!(found[0].b, "floor");
            close(evidence(found[0], "exact_gap"), gap);
            close(evidence(found[0], "push"), push[0] + push[1]);
            // Each is along one axis.
            assert_eq!(found[0].normal, push.map(f64::ceil));
            if cause == "C22" {
                close(evidence(found[0], "exact_depth"), 0.1);
            }
        }
    }
}

/// A ball that overlapped the floor by 5 mm has left it by 2 cm when a push lifts it by 0.3 m: no overlap needed that.
#[test]
fn a_push_after_the_overlap_has_ended_needed_none_of_it() {
    let lines = [
        frame([0.0, 0.495, 0.0], None, ""),
        frame(
            [0.0, 0.82, 0.0],
            None,
            r#","pushes":[{"id":0,"push":[0,0.3,0]}]"#,
        ),
    ];
    let all = report("", &[BALL, FLOOR], &[&lines[0], &lines[1]]);
    let found = phantoms(&all);
    assert_eq!(found.len(), 1, "{:#?}", all.findings);
    close(evidence(found[0], "exact_depth"), 0.0);
    close(evidence(found[0], "push"), 0.3);
}

/// A ball comes 0.3 m past the middle of a floor that is 1 m thick, from where the shortest push leads down, or to the middle. What counts is where
/// the engine pushed it.
#[test]
fn an_engine_that_pushes_out_on_the_right_side_has_no_finding() {
    let found = |bottom: f64, end: f64| {
        let push = end - bottom;
        let lines = [
            frame([0.0, 1.1, 0.0], None, ""),
            frame(
                [0.0, end, 0.0],
                None,
                &format!(r#","pushes":[{{"id":0,"push":[0,{push},0]}}]"#),
            ),
        ];
        let report = report("", &[BALL, FLOOR], &[&lines[0], &lines[1]]);
        let kinds = report.findings.iter().map(|found| found.kind);
        kinds.collect::<Vec<_>>()
    };
    assert_eq!(found(-0.8, 0.5), []);
    assert_eq!(found(-0.5, 0.5), []);
    assert_eq!(found(-0.8, -1.5), [Kind::WrongSide]);
}

/// A cylinder turns by half a turn beside a sphere, which its rim may touch on the way, in axes in which the boxes around the two are apart.
#[test]
fn a_push_of_a_turning_body_does_not_depend_on_the_axes() {
    let objects = [
        r#"{"id":0,"name":"obstacle a","shape":{"sphere":{"radius":1.76}},"motion":"fixed","position":[0.359196245397,0.71,1.407187996429],"rotation":[0.253736015704,0.146247367067,0.663790655504,0.689210931157]}"#,
        r#"{"id":7,"name":"mover f","shape":{"cylinder":{"half_height":0.06,"radius":0.13}},"motion":"dynamic"}"#,
    ];
    let lines = [
        r#""bodies":[{"id":7,"p":[2.317177573259,1.3,1.396741956835],"q":[-0.120683478854,0.825005676889,-0.455231257639,-0.307677807293]}]"#,
        r#""bodies":[{"id":7,"p":[2.295300248452,1.25,1.450791773294],"q":[-0.158616425062,0.705794226779,-0.442539071383,0.533623940098]}],"pushes":[{"id":7,"push":[-0.029750144284,-0.11,0.110067837787]}]"#,
    ];
    assert!(phantoms(&report("", &objects, &lines)).is_empty());
}

/// A ball rolls 1 m along a floor and is pushed back: over up to twice its travel that is a correction of a sweep that went farther.
#[test]
fn a_push_back_over_the_travel_is_a_correction() {
    for (push, expected) in [(-0.5, 0), (-1.5, 0), (-2.5, 1)] {
        let lines = [
            frame([0.0, 0.5, 0.0], None, ""),
            frame(
                [1.0 + push, 0.5, 0.0],
                None,
                &format!(r#","pushes":[{{"id":0,"push":[{push},0,0]}}]"#),
            ),
        ];
        let report = report("", &[BALL, FLOOR], &[&lines[0], &lines[1]]);
        let found = phantoms(&report).len();
        assert_eq!(found, expected, "{push}: {:#?}", report.findings);
    }
}

/// The distance from behind a one-sided surface is unknown, and a push near it may be right; 50 m away it explains none.
#[test]
fn a_surface_far_behind_explains_no_push() {
    for (x, expected) in [(-0.25, 0), (-50.0, 1)] {
        // Its front faces away from the ball.
        let sheet = format!(
            r#"{{"id":1,"name":"sheet","motion":"fixed","position":[{x},0,0],"shape":{{"triangle":{{"a":[0,-5,-5],"b":[0,0,5],"c":[0,5,-5],"facing":"front"}}}}}}"#
        );
        let lines = [
            frame([0.0; 3], None, ""),
            frame(
                [0.2, 0.0, 0.0],
                None,
                r#","pushes":[{"id":0,"push":[0.2,0,0]}]"#,
            ),
        ];
        let report = report("", &[BALL, &sheet], &[&lines[0], &lines[1]]);
        assert_eq!(
            phantoms(&report).len(),
            expected,
            "{x}: {:#?}",
            report.findings
        );
    }
}
