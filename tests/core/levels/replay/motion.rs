//! Motion without collisions: closed forms.

use super::*;

#[test]
fn free_fall_follows_the_closed_form_of_semi_implicit_euler() {
    for detection in [Detection::Overlap, Detection::Sweep] {
        let start = DVec3::new(1.0, 100.0, -2.0);
        let thrown = DVec3::new(3.0, 5.0, 0.5);
        let replay = stepped(Scene {
            gravity: GRAVITY,
            frames: 120,
            ..scene(
                detection,
                Response::Push,
                vec![ball("ball", 0.5, start, thrown)],
            )
        });
        for n in [0, 1, 7, 120] {
            let k = f64::from(n);
            // v_n = v + n g dt; p_n = p + n v dt + n (n + 1) / 2 g dt^2
            let p = start + thrown * (k * DT) + GRAVITY * (DT * DT * k * (k + 1.0) / 2.0);
            assert!(
                position(&replay, n, 0).distance(p) < 1e-11,
                "{detection:?} {n}"
            );
            assert!(velocity(&replay, n, 0).distance(thrown + GRAVITY * (k * DT)) < 1e-12);
            assert_eq!(replay.time(n), k * DT);
        }
    }
}

#[test]
fn each_movement_moves_as_specified() {
    let still = Object {
        movement: Movement::Fixed,
        ..ball("fixed", 0.1, DVec3::ZERO, DVec3::X)
    };
    let kinematic = Object {
        movement: Movement::Kinematic,
        spin: DVec3::Z * 3.0,
        ..ball("kinematic", 0.1, DVec3::Y * 5.0, DVec3::X)
    };
    let key = |frame, x| Keyframe {
        frame,
        position: DVec3::new(x, 9.0, 0.0),
        rotation: DQuat::IDENTITY,
    };
    let lift = Object {
        movement: Movement::Keyframes(vec![key(0, 0.0), key(4, 2.0)]),
        ..ball("lift", 0.1, DVec3::ZERO, DVec3::ZERO)
    };
    let replay = stepped(Scene {
        gravity: GRAVITY,
        ..scene(
            Detection::Overlap,
            Response::Push,
            vec![still, kinematic, lift],
        )
    });
    assert_eq!(position(&replay, 60, 0), DVec3::ZERO);
    assert!(position(&replay, 60, 1).distance(DVec3::new(1.0, 5.0, 0.0)) < 1e-13);
    let turned = replay.state(60).body(1).unwrap().pose.rotation;
    assert!((turned * DVec3::X).distance(DVec3::new(3_f64.cos(), 3_f64.sin(), 0.0)) < 1e-12);
    assert_eq!(position(&replay, 3, 2), DVec3::new(1.5, 9.0, 0.0));
    assert_eq!(position(&replay, 50, 2), DVec3::new(2.0, 9.0, 0.0));
    assert!(velocity(&replay, 3, 2).distance(DVec3::X * 0.5 / DT) < 1e-12);
    assert_eq!(velocity(&replay, 4, 2), DVec3::ZERO);
}
