//! The engine's own settings in fixes: those of the table, first, and none that is on already.

use crate::common::levels::{diagnosed, opened};
use hitstop::core::diagnose::engines::{self, Preset, Switch};
use hitstop::core::diagnose::{Finding, Fix, Quantity};
use hitstop::core::scene::Movement;

/// A ball of radius 0.1 that moves 2 m in a frame, and another object in its path.
fn shot(engine: &str, ball: &str, other: &str, moves: f64) -> Finding {
    let log = format!(
        r#"{{"hitstop":1,"dt":0.0166667{engine},"objects":[{{"id":0,"name":"ball","shape":{{"sphere":{{"radius":0.1}}}}{ball}}},{{"id":1,"name":"other","shape":{{"sphere":{{"radius":0.1}}}}{other}}}]}}
{{"frame":0,"bodies":[{{"id":0,"p":[-1,0,0]}},{{"id":1,"p":[0,0,0]}}]}}
{{"frame":1,"bodies":[{{"id":0,"p":[1,0,0]}},{{"id":1,"p":[{moves},0,0]}}]}}
"#
    );
    let findings = diagnosed(&opened("log.jsonl", log)).findings;
    assert_eq!(findings.len(), 1, "{engine}: {findings:?}");
    findings[0].clone()
}

fn header(row: &Preset) -> String {
    let version = match (&row.from, row.next()) {
        (Some(from), _) => from.clone(),
        (None, Some(_)) => "0.0.1".to_owned(),
        (None, None) => "9".to_owned(),
    };
    format!(
        r#","engine":"{}","engine_version":"{version}""#,
        row.names[0]
    )
}

/// Whether a text is a template whose words in braces are replaced.
fn is_of(template: &str, text: &str) -> bool {
    let mut rest = text;
    template.split('{').enumerate().all(|(index, part)| {
        let part = match index {
            0 => part,
            _ => part.split_once('}').map_or(part, |(_, after)| after),
        };
        let found = rest.find(part);
        rest = found.map_or("", |at| &rest[at + part.len()..]);
        found.is_some()
    })
}

fn parts(fix: &Fix) -> impl Iterator<Item = &Fix> {
    std::iter::successors(Some(fix), |fix| fix.with.as_deref())
}

/// Every row of the table, against a fixed, a kinematic and a dynamic obstacle.
#[test]
fn every_printed_setting_is_in_the_table_and_the_first_row() {
    for row in engines::table() {
        for (motion, movement) in [
            ("fixed", Movement::Fixed),
            ("kinematic", Movement::Kinematic),
            ("dynamic", Movement::Velocity),
        ] {
            let found = shot(&header(row), "", &format!(r#","motion":"{motion}""#), 0.0);
            let wanted = row.switch(&movement).and_then(Switch::set);
            let first = &found.fixes[0];
            let is_first = first.what == Quantity::ContinuousDetection;
            assert_eq!(is_first, wanted.is_some(), "{} {motion}", row.title());
            if is_first {
                assert_eq!(first.setting.as_deref(), wanted);
                let of_ball = matches!(row.switch(&movement), Some(Switch::Body { .. }));
                assert_eq!(first.object.as_deref(), of_ball.then_some("ball"));
            }
            let steps = row.smaller_steps.as_ref().map(|steps| &steps.set);
            let time = row.soft.as_ref().map(|soft| &soft.set);
            for fix in found.fixes[usize::from(is_first)..].iter().flat_map(parts) {
                let template = match fix.what {
                    Quantity::Substeps => steps,
                    Quantity::MaxContactTime => time,
                    _ => None,
                };
                let setting = fix.setting.as_ref();
                assert_eq!(setting.is_some(), template.is_some(), "{fix}");
                let pair = setting.zip(template);
                assert!(pair.is_none_or(|(text, set)| is_of(set, text)), "{fix}");
            }
        }
    }
}

/// 2 m in a frame of 1/60 s, and 0.1998 m hold: 11 steps, 660 a second.
#[test]
fn settings_have_the_value_that_holds() {
    let fixed = r#","motion":"fixed""#;
    let text = |engine: &str| {
        let found = shot(&format!(r#","engine":"{engine}""#), "", fixed, 0.0);
        let fixes = found.fixes.iter().map(Fix::to_string);
        fixes.collect::<Vec<_>>().join("; ")
    };
    for (engine, says) in [
        (
            "jolt",
            "continuous detection: `mMotionQuality = EMotionQuality::LinearCast` of ball; substeps 11 (detected from 6): `inCollisionSteps = 11`",
        ),
        (
            "box3d",
            "continuous detection: `enableContinuous = true`; substeps 11 (detected from 6): `b3World_Step(world, 1.0f / 660, 4); // 11 times a frame`",
        ),
        (
            "mujoco 4.0",
            "continuous detection: `opt.enableflags |= mjENBL_SPECULATIVE`; substeps 11",
        ),
        ("mujoco 3.1", "`solref[0] = 0.000832`"),
    ] {
        let text = text(engine);
        assert!(text.contains(says), "{engine}: {text}");
    }
    let found = shot(
        r#","engine":"jolt","ccd_threshold":30"#,
        r#","ccd":true"#,
        fixed,
        0.0,
    );
    let text: Vec<String> = found.fixes.iter().map(Fix::to_string).collect();
    // It moves 20 of its inner radii.
    let lowered = |text: &String| text.ends_with(": `mLinearCastThreshold = 20`");
    assert!(text.iter().any(lowered), "{text:?}");
}

#[test]
fn what_is_on_already_is_not_printed() {
    let fixed = r#","motion":"fixed""#;
    let (on, moving) = (r#","ccd":true"#, 0.5);
    let sets = |engine: &str, ball: &str, other: &str, moves: f64| -> Vec<(Option<String>, bool)> {
        let found = shot(&format!(r#","engine":"{engine}""#), ball, other, moves);
        let fixes = found.fixes.iter().flat_map(parts);
        let sweeps = fixes.filter(|fix| fix.what == Quantity::ContinuousDetection);
        sweeps
            .map(|fix| (fix.object.clone(), fix.setting.is_some()))
            .collect()
    };
    let of = |name: &str| (Some(name.to_owned()), true);
    assert_eq!(sets("jolt", "", fixed, 0.0), [of("ball")]);
    assert_eq!(sets("jolt", on, fixed, 0.0), []);
    // Always on; and none at all.
    assert_eq!(sets("havok", "", fixed, 0.0), []);
    assert_eq!(sets("matter", "", fixed, 0.0), []);
    // Nor is it a cause that an engine's flag is off which it does not have.
    let off = |engine: &str| {
        let engine = format!(r#","engine":"{engine}""#);
        let found = shot(&engine, r#","ccd":false"#, fixed, 0.0);
        found.cause.id() == "C19" || found.also.iter().any(|cause| cause.id() == "C19")
    };
    assert_eq!(
        ["jolt", "matter", "mujoco 3", "mujoco 4"].map(off),
        [true, false, false, true]
    );
    // PhysX needs it on both of two moving bodies, planck on one.
    assert_eq!(sets("physx", "", "", moving), [of("ball"), of("other")]);
    assert_eq!(sets("physx", on, "", moving), [of("other")]);
    assert_eq!(sets("physx", "", on, moving), [of("ball")]);
    assert_eq!(sets("physx", on, on, moving), []);
    // The other goes farther, and is the one that passes.
    assert_eq!(sets("physx", "", on, -4.0), [of("ball")]);
    assert_eq!(sets("physx", on, "", -4.0), [of("other")]);
    assert_eq!(sets("planck", "", "", moving), [of("ball")]);
    assert_eq!(sets("planck", "", on, moving), []);
    // A kinematic body that comes toward the ball: PhysX sweeps along its motion too, Bullet against it where it is.
    let kinematic = r#","motion":"kinematic""#;
    assert_eq!(sets("physx", "", kinematic, -2.0), [of("ball")]);
    assert_eq!(sets("bullet", "", kinematic, -2.0), []);
}

/// A bar of 2 m turns by half a radian past a ball that rests 0.9 m from its axis: sweeps follow that in Box2D, not in Jolt.
#[test]
fn a_rotation_is_swept_where_the_engine_follows_it() {
    let found = |engine: &str| {
        let half = 0.25_f64 / 2.0;
        let (sin, cos) = half.sin_cos();
        let log = format!(
            r#"{{"hitstop":1,"dt":0.0166667,"engine":"{engine}","objects":[{{"id":0,"name":"bar","shape":{{"box":{{"half_extents":[1,0.03,0.1]}}}}}},{{"id":1,"name":"ball","shape":{{"sphere":{{"radius":0.05}}}}}}]}}
{{"frame":0,"bodies":[{{"id":0,"p":[0,0,0],"q":[0,0,-{sin},{cos}]}},{{"id":1,"p":[0.9,0,0]}}]}}
{{"frame":1,"bodies":[{{"id":0,"p":[0,0,0],"q":[0,0,{sin},{cos}]}},{{"id":1,"p":[0.9,0,0]}}]}}
"#
        );
        let findings = diagnosed(&opened("log.jsonl", log)).findings;
        assert_eq!(findings.len(), 1, "{engine}: {findings:?}");
        assert_eq!(findings[0].cause.id(), "C04");
        findings[0].fixes[0].clone()
    };
    for engine in ["box2d 3.1", "box3d", "planck"] {
        let first = found(engine);
        assert_eq!(first.what, Quantity::ContinuousDetection, "{engine}");
        assert_eq!(first.object.as_deref(), Some("bar"));
    }
    for engine in ["jolt", "physx"] {
        assert_eq!(found(engine).what, Quantity::Substeps, "{engine}");
    }
}

/// A flag of continuous detection is asked for only where the engine has that, and does not sweep every body against fixed ones unasked: of those that do,
/// recorders give a flag to the bodies that differ.
#[test]
fn flags_that_an_engine_does_not_have_are_not_missed() {
    for (engine, is_missed) in [
        ("matter", false),
        ("jolt", true),
        ("mine", true),
        ("rapier.js 0.19.3", true),
        ("rapier.js 0.21.0", false),
        ("planck", false),
        ("Box2D 3", false),
        ("Havok", false),
        ("unity", true),
        ("pybullet", true),
    ] {
        let log = format!(
            r#"{{"hitstop":1,"engine":"{engine}","objects":[{{"id":0,"name":"ball","shape":{{"sphere":{{"radius":0.1}}}}}}]}}
{{"frame":0,"bodies":[{{"id":0,"p":[0,0,0]}}]}}
{{"frame":1,"bodies":[{{"id":0,"p":[0,0,0]}}]}}
"#
        );
        let report = diagnosed(&opened("log.jsonl", log));
        let said: Vec<&str> = report.not_judged.iter().map(|one| &*one.log).collect();
        assert_eq!(
            said.iter().any(|fix| fix.contains("`ccd`")),
            is_missed,
            "{engine}: {said:?}"
        );
    }
}

/// Two balls that pass each other with continuous detection on both, in an engine that sweeps them by their relative motion: what the table says
/// of it does not hold for them, and is not advised.
#[test]
fn a_relative_sweep_that_is_on_already_is_no_advice() {
    let on = r#","ccd":true"#;
    let found = shot(r#","engine":"rapier 0.21""#, on, on, -2.0);
    assert_eq!(found.cause.id(), "C02");
    assert!(!found.text.contains("ccd_enabled"), "{}", found.text);
    let off = shot(r#","engine":"rapier 0.21""#, "", "", -2.0);
    assert_eq!(off.cause.id(), "C01");
    assert!(off.text.contains("ccd_enabled"), "{}", off.text);
}

/// Godot sweeps a body from 0.3 of its extent along its own step: 0.06 m for a rod across its length, whichever way the other moves.
#[test]
fn the_threshold_is_of_the_extent_along_the_body_s_own_step() {
    for (own, is_cause) in [(0.05, true), (0.1, false)] {
        let log = format!(
            r#"{{"hitstop":1,"dt":0.0166667,"engine":"godot","objects":[{{"id":0,"name":"rod","ccd":true,"shape":{{"box":{{"half_extents":[0.5,0.1,0.1]}}}}}},{{"id":1,"name":"door","motion":"kinematic","shape":{{"box":{{"half_extents":[0.1,2,2]}}}}}}]}}
{{"frame":0,"bodies":[{{"id":0,"p":[0,0,0]}},{{"id":1,"p":[-2.5,0,0]}}]}}
{{"frame":1,"bodies":[{{"id":0,"p":[0,{own},0]}},{{"id":1,"p":[2.5,0,0]}}]}}
"#
        );
        let findings = diagnosed(&opened("log.jsonl", log)).findings;
        assert_eq!(findings.len(), 1, "{findings:?}");
        let evidence = &findings[0].evidence;
        let threshold = evidence
            .iter()
            .find(|(key, _)| key.name() == "ccd_threshold");
        assert_eq!(threshold.is_some(), is_cause, "{own}: {findings:#?}");
        if let Some((_, threshold)) = threshold {
            assert!((threshold - 0.06).abs() < 1e-12, "{threshold}");
        }
    }
}

/// Box2D sweeps a bullet against sensors from version 3 on.
#[test]
fn a_sensor_is_swept_where_the_engine_sweeps_sensors() {
    for (engine, is_swept) in [("box2d 3.1", true), ("box2d 2.4", false)] {
        let sensor = r#","motion":"fixed","sensor":true"#;
        let found = shot(&format!(r#","engine":"{engine}""#), "", sensor, 0.0);
        let mut fixes = found.fixes.iter();
        let continuous = fixes.any(|fix| fix.what == Quantity::ContinuousDetection);
        assert_eq!(continuous, is_swept, "{engine}: {:?}", found.fixes);
    }
}

/// A setting of the body counts as it is by default, unless the body is known to have it off.
#[test]
fn a_body_s_own_setting_may_be_off_where_it_is_on_by_default() {
    let fixed = &Movement::Fixed;
    let is_own = |row: &&Preset| matches!(row.switch(fixed), Some(Switch::Body { on: true, .. }));
    let mut rows = engines::table().iter().filter(is_own).peekable();
    assert!(rows.peek().is_some());
    for row in rows {
        let sweeps = [None, Some(true), Some(false)].map(|ccd| row.sweeps_by_default(ccd, fixed));
        assert_eq!(sweeps, [true, true, false], "{}", row.title());
    }
}

/// 11 steps of a frame of 1/64 s are 704 a second, and no more.
#[test]
fn a_whole_number_of_steps_a_second_is_not_rounded_up() {
    let found = |names: &str| {
        engines::table()
            .iter()
            .find(|row| row.names[0] == names)
            .unwrap()
    };
    let setting = found("box3d").setting(Quantity::Substeps, 11.0, 1.0 / 64.0);
    let setting = setting.expect("it has steps");
    assert!(setting.contains("1.0f / 704"), "{setting}");
}

/// The ball comes from behind the sheet, whose front faces +x: no sweep of a one-sided sheet sees it.
#[test]
fn no_sweep_is_advised_behind_a_one_sided_sheet() {
    for (from, expected) in [(-1.0, false), (1.0, true)] {
        let to = -from;
        let sheet = r#"{"id":1,"name":"sheet","motion":"fixed","shape":{"triangle":{"a":[0,-9,-9],"b":[0,27,-9],"c":[0,-9,27],"facing":"front"}}}"#;
        let log = format!(
            r#"{{"hitstop":1,"dt":0.0166667,"engine":"jolt","objects":[{{"id":0,"name":"ball","shape":{{"sphere":{{"radius":0.1}}}}}},{sheet}]}}
{{"frame":0,"bodies":[{{"id":0,"p":[{from},0,0]}}]}}
{{"frame":1,"bodies":[{{"id":0,"p":[{to},0,0]}}]}}
"#
        );
        let findings = diagnosed(&opened("log.jsonl", log)).findings;
        assert_eq!(findings.len(), 1, "{findings:?}");
        let mut fixes = findings[0].fixes.iter();
        let is_advised = fixes.any(|fix| fix.what == Quantity::ContinuousDetection);
        assert_eq!(is_advised, expected, "{from}: {:?}", findings[0]);
    }
}
