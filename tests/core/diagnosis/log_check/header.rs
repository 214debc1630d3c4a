//! What the header and the objects of a log give: units, bits, and what is missing.

use super::{BALL, bundled, contact, frame, report};
use hitstop::core::diagnose::{Cause, Report};

/// The bullet has bit 01, the wall's mask is 10.
#[test]
fn the_missing_bit_is_named() {
    let masks = bundled("masks.ron");
    let found = &masks.findings[0];
    assert!(
        found.text.contains("the mask of wall (0x2) lacks bit 0"),
        "{}",
        found.text
    );
}

/// Balls of 50 m under 9.81 m/s² are no metres; neither is a scale that mirrors or is uneven, or a margin of more than 2 % of the radius.
#[test]
fn sizes_scales_and_margins_that_are_no_metres() {
    let shot = |header: &str, ball: &str, wall: &str| {
        let at = |x: f64| format!(r#""bodies":[{{"id":0,"p":[{x},0,0]}}]"#);
        let lines = [at(-400.0), at(400.0)];
        report(header, &[ball, wall], &[&lines[0], &lines[1]])
    };
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,100,100]}}}"#;
    let earth = r#","gravity":[0,-9.81,0]"#;
    let has_units = |report: &Report| {
        let found = &report.findings[0];
        found.cause.id() == "C16" || found.also.iter().any(|cause| cause.id() == "C16")
    };
    let ball = |radius: f64, more: &str| {
        format!(r#"{{"id":0,"name":"ball","shape":{{"sphere":{{"radius":{radius}}}}}{more}}}"#)
    };
    let in_metres = ball(2.5, "");
    let scaled = |scale: &str| ball(2.5, &format!(r#","scale":{scale}"#));
    let margin = |margin: f64| format!(r#"{earth},"margin":{margin}"#);
    for (header, ball, expected) in [
        (earth.to_owned(), &in_metres, false),
        (earth.to_owned(), &ball(25.0, ""), true),
        (earth.to_owned(), &scaled("[2,2,2]"), false),
        (earth.to_owned(), &scaled("[2,2,2.1]"), true),
        (earth.to_owned(), &scaled("[2,2,-2]"), true),
        (margin(0.05), &in_metres, false),
        (margin(0.5), &in_metres, true),
    ] {
        let found = shot(&header, ball, wall);
        assert_eq!(has_units(&found), expected, "{header} {ball}");
    }
}

#[test]
fn missing_log_data_is_listed() {
    let ids = |report: &Report| {
        let mut ids: Vec<&str> = report
            .not_judged
            .iter()
            .filter_map(|one| Some(one.cause?.id()))
            .collect();
        ids.sort();
        ids
    };
    let lines = [frame([0.0; 3], None, ""), frame([0.0; 3], None, "")];
    let bare = report("", &[BALL], &[&lines[0], &lines[1]]);
    for id in ["C11", "C13", "C15", "C16", "C18", "C19", "C22"] {
        assert!(ids(&bare).contains(&id), "{id}: {:?}", bare.not_judged);
    }
    let text =
        r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.5}},"ccd":true,"layer":1,"mask":1}"#;
    let query = r#","queries":[{"kind":"ray","from":[0,9,0],"to":[5,9,0],"hit":null}],"pushes":[{"id":0,"push":[0,0,0]}]"#;
    let lines = [
        frame([0.0; 3], Some([0.0; 3]), ""),
        frame([0.0; 3], Some([0.0; 3]), query),
    ];
    let full = report(
        r#","gravity":[0,-9.81,0]"#,
        &[text],
        &[&lines[0], &lines[1]],
    );
    let ours = ["C11", "C13", "C15", "C16", "C18", "C19", "C22"];
    assert!(
        ids(&full).iter().all(|id| !ours.contains(id)),
        "{:?}",
        full.not_judged
    );
    assert_eq!(bundled("masks.ron").not_judged, []);
    // A gravity of zero is given.
    let weightless = report(r#","gravity":[0,0,0]"#, &[BALL], &[&lines[0], &lines[1]]);
    assert!(!ids(&weightless).contains(&"C16"));
    let floor = r#"{"id":1,"name":"floor","shape":{"plane":{"normal":[0,1,0],"offset":-0.5}},"motion":"fixed"}"#;
    let lines = [
        frame([0.0; 3], None, &contact(0.0)),
        frame([0.0; 3], None, ""),
    ];
    let touched = report("", &[BALL, floor], &[&lines[0], &lines[1]]);
    let own = |report: &Report| {
        let mut all = report.not_judged.iter();
        all.find(|one| one.cause == Some(Cause::OwnQuery))
            .unwrap()
            .why
            .clone()
    };
    assert!(own(&touched).ends_with("the normals of its contacts were judged"));
    assert!(own(&bare).ends_with("none of the engine's queries"));
    let json = serde_json::to_value(&bare).unwrap();
    assert!(
        json["not_judged"][0]["log"]
            .as_str()
            .unwrap()
            .contains("`v` per body")
    );
}
