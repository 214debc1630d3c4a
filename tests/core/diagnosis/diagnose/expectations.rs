//! The expectations of a scene, and their results.

use super::*;

#[test]
fn expectations_about_hits_and_findings() {
    let hit = |fraction: f64, frame: u32| Expectation::Hit {
        a: name("paper"),
        b: name("bullet"),
        frame,
        fraction,
        tolerance: 1e-3,
    };
    let finds =
        |kind: &str, cause: Option<&str>, a: Option<&str>, frame: Option<u32>| Expectation::Finds {
            kind: name(kind),
            cause: cause.map(name),
            a: a.map(name),
            b: None,
            frame,
        };
    let expect = vec![
        hit(0.7417, 0),
        hit(0.7, 0),
        hit(0.7417, 1),
        hit(0.7417, 99),
        finds("Tunnels", Some("C01"), Some("bullet"), Some(0)),
        finds("Tunnels", Some("C05"), None, None),
        finds("Clips", None, None, None),
        finds("Tunnels", None, Some("paper"), None),
        Expectation::NoFindings { kind: None },
        Expectation::NoFindings {
            kind: Some(name("WrongSide")),
        },
        Expectation::NoFindings {
            kind: Some(name("Tunnels")),
        },
        Expectation::Touches {
            a: name("bullet"),
            b: name("paper"),
        },
        Expectation::NeverTouches {
            a: name("bullet"),
            b: name("paper"),
        },
    ];
    let (report, passed) = outcomes(bullet(0.05, 400.0, 0.005, DT), expect);
    let wanted = [
        true, false, false, false, true, false, false, true, false, true, false, true, false,
    ];
    assert_eq!(passed, wanted, "{:#?}", report.expectations);
    assert!(report.findings[0].expected);
    assert_eq!(
        report.expectations[0].text,
        "Hit(a: \"paper\", b: \"bullet\", frame: 0, fraction: 0.7417, tolerance: 0.001)"
    );
    assert_eq!(
        report.expectations[4].text,
        "Finds(kind: Tunnels, cause: C01, a: \"bullet\", frame: 0)"
    );
}

#[test]
fn expectations_about_positions_and_pushes() {
    let objects = vec![
        ball("ball", 0.1, [-1.0, 0.0, 0.0], [61.2, 0.0, 0.0]),
        wall("wall", [0.1, 1.0, 1.0], [0.0; 3]),
        ball("far", 0.1, [0.0, 9.0, 0.0], [0.0; 3]),
    ];
    let pushed = Scene {
        response: Response::Push,
        ..scene(1, objects)
    };
    let position = |x: f64, frame: u32| Expectation::Position {
        object: name("ball"),
        frame,
        is: DVec3::new(x, 0.0, 0.0),
        tolerance: 1e-6,
    };
    let push = |x: f64, against: Option<&str>| Expectation::Push {
        object: name("ball"),
        against: against.map(name),
        frame: 0,
        is: DVec3::new(x, 0.0, 0.0),
        tolerance: 1e-6,
    };
    let never = Expectation::NeverTouches {
        a: name("far"),
        b: name("ball"),
    };
    let touches = Expectation::Touches {
        a: name("far"),
        b: name("ball"),
    };
    let camera = Expectation::CameraPush {
        frame: 0,
        is: DVec3::ZERO,
        tolerance: 1e-9,
    };
    let expect = vec![
        position(0.2, 1),
        position(-1.0, 0),
        position(0.3, 1),
        position(0.2, 7),
        push(0.18, Some("wall")),
        push(0.18, None),
        push(0.18, Some("far")),
        never,
        touches,
        camera,
    ];
    let (report, passed) = outcomes(pushed, expect);
    let wanted = [
        true, true, false, false, true, true, false, true, false, true,
    ];
    assert_eq!(passed, wanted, "{:#?}", report.expectations);
}
