//! Advice for the engine that a log names, and for contacts that give way.

use super::{close, frame, report};
use crate::common::findings::SAFE;
use hitstop::core::diagnose::{Cause, Finding, Fix, Kind, Quantity};

/// An engine whose contacts have a time constant.
const MUJOCO: &str = r#","engine":"mujoco""#;

/// A shot at a wall, and two bullets head on, in logs that name their engine.
#[test]
fn the_advice_names_the_setting_of_the_engine() {
    let object = |id: u32, more: &str| {
        format!(r#"{{"id":{id},"name":"o{id}","shape":{{"sphere":{{"radius":0.1}}}}{more}}}"#)
    };
    let crossing = |engine: &str, moves: &str, speed: f64| {
        let [one, other] = [object(0, ""), object(1, moves)];
        let at = |x: f64, y: f64| {
            format!(r#""bodies":[{{"id":0,"p":[{x},0,0]}},{{"id":1,"p":[{y},0,0]}}]"#)
        };
        let lines = [at(-1.0, 0.0), at(1.0, -speed)];
        let header = format!(r#","engine":"{engine}""#);
        let all = report(&header, &[&one, &other], &[&lines[0], &lines[1]]).findings;
        assert_eq!(all.len(), 1, "{all:#?}");
        all[0].text.clone()
    };
    let fixed = r#","motion":"fixed""#;
    for (engine, says) in [
        (
            "Box2D",
            "a sweep. In Box2D (version assumed: 3 or later), `enableContinuous = true` sweeps o0.",
        ),
        (
            "pybullet",
            "In PyBullet, `useMaximalCoordinates=True, ccdSweptSphereRadius=0.5 * radius` sweeps o0.",
        ),
        ("godot", "In Godot, `continuous_cd = true` sweeps o0."),
        (
            "jolt",
            "In Jolt, `mMotionQuality = EMotionQuality::LinearCast` sweeps o0.",
        ),
        (
            "PhysX",
            "In PhysX, `setRigidBodyFlag(PxRigidBodyFlag::eENABLE_CCD, true)` sweeps o0.",
        ),
        (
            "rapier 0.36",
            "In rapier 0.36, `IntegrationParameters::max_ccd_substeps = 1` sweeps o0.",
        ),
        (
            "unity",
            "In Unity, `collisionDetectionMode = CollisionDetectionMode.Continuous` sweeps o0.",
        ),
        (
            "mujoco 4.0",
            "In MuJoCo 4.0, `opt.enableflags |= mjENBL_SPECULATIVE` sweeps o0.",
        ),
    ] {
        let text = crossing(engine, fixed, 0.0);
        assert!(text.contains(says), "{engine}: {text}");
    }
    let none = crossing("mujoco 3.17", fixed, 0.0);
    assert!(!none.contains("sweep"), "{none}");
    for engine in ["", "my engine"] {
        let text = crossing(engine, fixed, 0.0);
        assert!(
            text.contains("or a sweep.") && !text.contains(" In "),
            "{text}"
        );
    }
    let both = crossing("rapier", "", 1.0);
    let alone =
        "`ccd_enabled(true)` sweeps o0 and o1 against the other at rest, which may miss such hits.";
    assert!(both.contains(alone), "{both}");
    let one = crossing("box2d", "", 1.0);
    let bullet =
        "`isBullet = true` sweeps o0 and o1 against the other at rest, which may miss such hits.";
    assert!(one.contains(bullet), "{one}");
    for (engine, says) in [
        ("physx", "eENABLE_CCD, true)` sweeps o0 and o1."),
        ("planck", "In planck, `bullet = true` sweeps o0 and o1."),
    ] {
        let relative = crossing(engine, "", 1.0);
        assert!(relative.contains(says), "{relative}");
        assert!(!relative.contains("at rest"), "{relative}");
    }
    // It settles by less than the slop, 0.005 m.
    let rests = crossing("rapier", "", 0.001);
    assert!(
        rests.contains("`ccd_enabled(true)` sweeps o0.") && !rests.contains("at rest"),
        "{rests}"
    );
}

/// In MuJoCo, a ball of radius 0.1 and a wall 0.2 m thick: the push leads back up to 0.2 m into it. Half of it may pass before the contact
/// acts, where a step is shorter; the rest is left to a spring, which stops a speed v within v times its time constant.
#[test]
fn a_contact_that_gives_way_has_a_time_constant_that_holds() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,2,2]}}}"#;
    let back = r#","contacts":[{"a":0,"b":1,"point":[-0.1,0,0],"normal":[-1,0,0],"depth":0.01}]"#;
    let found = |header: &str, states: &[(f64, f64)], last: &str| {
        let lines = states.iter().enumerate().map(|(index, (x, v))| {
            let more = if index + 1 == states.len() { last } else { "" };
            frame([*x, 0.0, 0.0], Some([*v, 0.0, 0.0]), more)
        });
        let lines: Vec<String> = lines.collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let all = report(header, &[ball, wall], &lines).findings;
        assert_eq!(all.len(), 1, "{all:#?}");
        all.into_iter().next().unwrap()
    };
    let time = |finding: &Finding| {
        assert_eq!(
            (finding.kind, finding.cause),
            (Kind::Sinks, Cause::LetThrough)
        );
        assert_eq!(finding.fixes.len(), 1, "{:?}", finding.fixes);
        let fix = &finding.fixes[0];
        assert_eq!(fix.what.name(), "max_contact_time");
        let with = fix.with.as_ref().and_then(|with| with.holds);
        (fix.holds.unwrap(), with)
    };
    // 15 m/s, 0.25 m a frame: in contact for one state only, 0.01 m deep.
    let fast = [(-0.44, 15.0), (-0.19, 15.0), (0.03, 13.2)];
    assert_eq!(found("", &fast, "").cause, Cause::LetThrough);
    let soft = found(MUJOCO, &fast, back);
    let (holds, substeps) = time(&soft);
    close(holds, 0.0999 / 15.0);
    assert_eq!(substeps, Some(3.0));
    assert!(
        soft.text.contains("at most 6.66 ms") && soft.text.contains("together with 3 substeps"),
        "{}",
        soft.text
    );
    // Pressed on by gravity: v t + g t^2 is the room.
    let (holds, _) = time(&found(
        &format!(r#"{MUJOCO},"gravity":[9.81,0,0]"#),
        &fast,
        back,
    ));
    close(15.0 * holds + 9.81 * holds * holds, 0.0999);
    // 5.99 m/s, 0.1 m a frame: short enough.
    let slow = [(-0.25, 5.99), (-0.15, 5.99), (-0.06, 5.4), (0.02, 4.8)];
    let (holds, substeps) = time(&found(MUJOCO, &slow, back));
    close(holds, (0.1998 - 5.99 / 60.0) / 5.99);
    assert_eq!(substeps, None);
}

/// Contacts of MuJoCo give way for 20 ms: at 60 m/s by more than the 0.05 + 0.02 m from which a push leads back. A time constant
/// that stops the ball within half of that is part of each fix by shorter steps. At 2 m/s the usual one stops it.
#[test]
fn shorter_steps_need_stiff_contacts_in_an_engine_with_soft_ones() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.05}}}"#;
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.02,2,2]}}}"#;
    let side = 0.07 * SAFE;
    let shot = |engine: &str, dt: f64| {
        let lines = [
            frame([-0.5, 0.0, 0.0], None, ""),
            frame([0.5, 0.0, 0.0], None, &format!(r#","dt":{dt}"#)),
        ];
        let header = format!(r#","engine":"{engine}""#);
        let all = report(&header, &[ball, wall], &[&lines[0], &lines[1]]).findings;
        assert_eq!(all.len(), 1, "{all:#?}");
        all.into_iter().next().unwrap()
    };
    let times = |finding: &Finding| -> Vec<(Quantity, Option<f64>)> {
        let time = |fix: &Fix| fix.with.as_ref().and_then(|with| with.holds);
        let fixes = finding.fixes.iter();
        fixes.map(|fix| (fix.what, time(fix))).collect()
    };
    let fast = shot("mujoco", 1.0 / 60.0);
    for (what, time) in times(&fast) {
        let shorter = matches!(what, Quantity::Substeps | Quantity::MaxDt);
        assert_eq!(time.is_some(), shorter, "{what:?}");
        close(time.unwrap_or(0.5 * side / 60.0), 0.5 * side / 60.0);
    }
    let with = "15 substeps with a contact time constant (`solref`) of at most 0.583 ms";
    assert!(fast.text.contains(with), "{}", fast.text);
    for (engine, dt) in [("mujoco", 0.5), ("jolt", 1.0 / 60.0)] {
        let times = times(&shot(engine, dt));
        assert!(times.iter().all(|(_, time)| time.is_none()), "{times:?}");
    }
}

/// A ball that lies on a floor, in contact, and passes its middle: smaller steps and the engine's own setting for stiff contacts, and nothing
/// that the engine does not have.
#[test]
fn a_contact_that_gave_way_names_what_the_engine_has() {
    let ball = r#"{"id":0,"name":"ball","shape":{"sphere":{"radius":0.1}}}"#;
    let wall =
        r#"{"id":1,"name":"wall","motion":"fixed","shape":{"box":{"half_extents":[0.1,2,2]}}}"#;
    let hand = r#"{"id":2,"name":"hand","motion":"kinematic","shape":{"sphere":{"radius":0.1}}}"#;
    let back = r#","contacts":[{"a":0,"b":1,"point":[-0.1,0,0],"normal":[-1,0,0],"depth":0.01}]"#;
    let found = |header: &str| {
        let lines = [(-0.44, 15.0), (-0.19, 15.0), (0.03, 13.2)].map(|(x, v)| {
            let more = if x > 0.0 { back } else { "" };
            format!(
                r#""bodies":[{{"id":0,"p":[{x},0,0],"v":[{v},0,0]}},{{"id":2,"p":[0,5,0]}}]{more}"#
            )
        });
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let all = report(header, &[ball, wall, hand], &lines).findings;
        assert_eq!(all.len(), 1, "{all:#?}");
        let found = all.into_iter().next().unwrap();
        assert_eq!((found.kind, found.cause), (Kind::Sinks, Cause::LetThrough));
        assert!(
            !found.text.contains("sweep does not help"),
            "{}",
            found.text
        );
        found
    };
    let quantities =
        |found: &Finding| -> Vec<&str> { found.fixes.iter().map(|fix| fix.what.name()).collect() };
    for (engine, says) in [
        ("box3d", "higher `contactHertz` (30"),
        ("box2d", "`b2World_Step`"),
        ("bullet", "`m_erp2` (0.2)"),
        ("jolt", "`inCollisionSteps`"),
        ("physx", "`setSolverIterationCounts`"),
        ("rapier3d 0.22", "`contact_natural_frequency` (30)"),
        ("godot", "`physics_ticks_per_second`"),
        ("pymunk", "`space.step`"),
        ("something else", "2 substeps"),
    ] {
        let found = found(&format!(r#","engine":"{engine}""#));
        assert!(found.text.contains(says), "{engine}: {}", found.text);
        let names = quantities(&found);
        assert_eq!(names[0], "substeps", "{engine}");
        assert!(!names.contains(&"max_contact_time"), "{engine}: {names:?}");
    }
    // Smaller steps were tried in Havok, and helped nothing.
    assert_eq!(quantities(&found(r#","engine":"havok""#)).len(), 0);
    let joined = found(r#","engine":"box3d","joints":[[0,2]]"#);
    assert!(
        joined.text.contains("A joint ties ball to hand"),
        "{}",
        joined.text
    );
    assert_eq!(quantities(&joined).len(), 0);
}
