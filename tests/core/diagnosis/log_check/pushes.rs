//! Logged pushes.

use super::{BALL, FLOOR, close, frame, phantoms, report};
use crate::common::findings::evidence;

/// A push out of a floor that is 0.1 deep, partly or wholly, is valid; one without overlap, one that is five times
/// too long and one along the floor are not.
#[test]
fn pushes_need_an_overlap() {
    let cases = [
        (0.4, [0.0, 0.1, 0.0], None),
        (0.4, [0.0, 0.02, 0.0], None),
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
            if cause == "C22" {
                close(evidence(found[0], "exact_depth"), 0.1);
            }
        }
    }
}
