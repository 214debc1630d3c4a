//! Logged contacts with values that are no numbers.

use super::{BALL, FLOOR, frame, report};
use hitstop::core::diagnose::Kind;

/// The contact of the first state belongs to the start of frame 0, each later one to the end of the frame that leads to it. It is named once.
#[test]
fn a_bad_contact_is_found_at_its_state() {
    const BAD: &str = r#","contacts":[{"a":0,"b":1,"point":[0,0,0],"normal":[0,1,0],"depth":NaN}]"#;
    for (state, at) in [(0, (0, 0.0)), (1, (0, 1.0)), (3, (2, 1.0)), (5, (4, 1.0))] {
        let lines = [0, 1, 2, 3, 4, 5].map(|line| {
            let more = if line == state { BAD } else { "" };
            frame([0.0, 0.5, 0.0], None, more)
        });
        let lines = lines.each_ref().map(String::as_str);
        let report = report("", &[BALL, FLOOR], &lines);
        let bad = report.findings.iter();
        let bad = bad.filter(|found| found.kind == Kind::BadNumber);
        let places: Vec<_> = bad.map(|found| (found.frame, found.fraction)).collect();
        assert_eq!(places, [at], "state {state}");
    }
}
