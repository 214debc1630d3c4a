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

/// Bits of a world whose pairs the game names are made by the recorder, and nothing that one could set.
#[test]
fn an_engine_of_named_pairs_is_told_to_name_this_one() {
    let wall = r#"{"id":1,"name":"wall","motion":"fixed","layer":2,"mask":4,"shape":{"box":{"half_extents":[0.1,9,9]}}}"#;
    let ball = r#"{"id":0,"name":"ball","layer":8,"mask":1,"shape":{"sphere":{"radius":0.5}}}"#;
    let lines = [-2.0, 2.0].map(|x| frame([x, 0.0, 0.0], None, ""));
    let told = |engine: &str| {
        let header = format!(r#","engine":"{engine}""#);
        let found = report(&header, &[ball, wall], &[&lines[0], &lines[1]]).findings;
        assert_eq!((found.len(), found[0].cause), (1, Cause::Bits));
        (found[0].text.clone(), found[0].fixes.len())
    };
    let (text, fixes) = told("Phaser");
    assert!(text.contains("`this.physics.add.collider`"), "{text}");
    assert!(!text.contains("0x") && fixes == 0, "{text}");
    assert!(told("jolt").0.contains("lacks bit"));
}

/// Gravity of 1000 px/s² is near that of centimetres, and bodies of 50 m are large under 9.81 m/s²: a notice of the level each, and no cause
/// in place of the speed. A margin says nothing of the unit; a scale that mirrors or is uneven is a cause.
#[test]
fn units_are_a_notice_of_the_level_and_scales_a_cause() {
    let shot = |header: &str, ball: &str, wall: &str| {
        let at = |x: f64| format!(r#""bodies":[{{"id":0,"p":[{x},0,0]}}]"#);
        let lines = [at(-400.0), at(400.0)];
        report(header, &[ball, wall], &[&lines[0], &lines[1]])
    };
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,100,100]}}}"#;
    let ball = |radius: f64, more: &str| {
        format!(r#"{{"id":0,"name":"ball","shape":{{"sphere":{{"radius":{radius}}}}}{more}}}"#)
    };
    let in_metres = ball(2.5, "");
    let scaled = |scale: &str| ball(2.5, &format!(r#","scale":{scale}"#));
    let gravity = |gravity: f64| format!(r#","gravity":[0,{gravity},0]"#);
    let earth = gravity(-9.81);
    for (header, ball, notices, causes) in [
        (&earth, &in_metres, 0, 0),
        (&gravity(-1000.0), &in_metres, 1, 0),
        (&gravity(-31.25), &in_metres, 1, 0),
        (&gravity(-386.0), &in_metres, 1, 0),
        (&gravity(-25.0), &in_metres, 0, 0),
        (&earth, &ball(25.0, ""), 1, 0),
        (&earth, &scaled("[2,2,2]"), 0, 0),
        (&earth, &scaled("[2,2,2.1]"), 0, 1),
        (&earth, &scaled("[2,2,-2]"), 0, 1),
        (&format!(r#"{earth},"margin":0.5"#), &in_metres, 0, 0),
    ] {
        let report = shot(header, ball, wall);
        let told = report
            .notices
            .iter()
            .filter(|notice| notice.contains("gravity is"));
        assert_eq!(
            told.count(),
            notices,
            "{header} {ball}: {:?}",
            report.notices
        );
        let found = &report.findings[0];
        assert_eq!(found.cause, Cause::TooFast, "{header} {ball}");
        let beside = found.also.iter().filter(|cause| cause.id() == "C16");
        assert_eq!(beside.count(), causes, "{header} {ball}");
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
