//! What keeps an engine from looking, and what makes every number wrong: caps, units, bits, flags, sensors.

use super::{DT, ball, check, logged, one, only, scene, slab, through, through_fixes};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Kind};
use hitstop::core::scene::{Engine, Object, Scene};

/// The usual event: 2 1/32 m before the middle of half a metre of wall, 4 m a frame.
fn usual() -> [Object; 2] {
    [ball("ball", 0.25, -2.53125, 64.0), slab(0.25, 0.0)]
}

fn once(objects: [Object; 2], engine: Engine) -> Scene {
    Scene {
        frames: 1,
        engine,
        ..scene(objects.into())
    }
}

/// Told to move at 128 m/s it moves at 64, in every frame.
#[test]
pub fn c15_a_capped_speed() {
    let xs = [-10.53125, -6.53125, -2.53125, 1.46875, 5.46875];
    let states = xs.map(|x| (DT, vec![(x, Some(128.0)), (0.0, Some(0.0))]));
    let found = one(&logged(usual().into(), &states));
    assert_eq!(found.frame, 2);
    check(
        &found,
        (Kind::Tunnels, Cause::TOO_FAST, &[Cause::SPEED_CLAMP]),
        &through(&[("commanded_speed", 128.0), ("capped_speed", 64.0)]),
        &through_fixes(&[("speed_cap", 128.0, None, "m/s")]),
    );
}

/// 981 is 9.81 in hundredths.
#[test]
pub fn c16_gravity_in_centimetres() {
    let states = [-2.53125, 1.46875].map(|x| (DT, vec![(x, None), (0.0, None)]));
    let mut recording = super::recording(usual().into(), &states);
    recording.gravity = DVec3::new(0.0, -981.0, 0.0);
    check(
        &one(&super::judged(recording)),
        (Kind::Tunnels, Cause::UNITS, &[Cause::TOO_FAST]),
        &through(&[("gravity", 981.0), ("earth_gravity", 9.81)]),
        &through_fixes(&[("length", 0.01, None, "m")]),
    );
}

/// The usual event 128 times as large, under the gravity of the usual one: a ball 64 m across. Times and shares stay as they are.
#[test]
pub fn c16_bodies_of_another_order() {
    let objects = vec![ball("ball", 32.0, 0.0, 0.0), {
        let half_extents = DVec3::new(32.0, 9000.0, 9000.0);
        super::fixed(hitstop::core::shape::Shape::Box { half_extents }, 0.0)
    }];
    let states = [-324.0, 188.0].map(|x| (DT, vec![(x, None), (0.0, None)]));
    let mut recording = super::recording(objects, &states);
    recording.gravity = DVec3::new(0.0, -9.81, 0.0);
    let lengths = [
        "displacement",
        "limit_seen",
        "limit_side",
        "travel",
        "speed",
        "radius",
        "thickness",
    ];
    let mut evidence = through(&[]);
    for (name, value) in &mut evidence {
        *value *= if lengths.contains(name) { 128.0 } else { 1.0 };
    }
    evidence.extend([("gravity", 9.81), ("body_size", 64.0)]);
    check(
        &one(&super::judged(recording)),
        (Kind::Tunnels, Cause::UNITS, &[Cause::TOO_FAST]),
        &evidence,
        &[
            ("substeps", 8.0, Some(4.0), ""),
            ("max_speed", 8.0 * 128.0, Some(16.0 * 128.0), "m/s"),
            ("max_dt", 0.5 / 64.0, Some(1.0 / 64.0), "s"),
            ("min_thickness", 7.5 * 128.0, Some(3.5 * 128.0), "m"),
            ("min_radius", 3.75 * 128.0, Some(1.75 * 128.0), "m"),
        ],
    );
}

/// A scale that mirrors; an engine's margin of 1 cm where 2 % of 0.25 m are 5 mm.
#[test]
pub fn c16_a_scale_and_a_margin() {
    let [mut mover, wall] = usual();
    mover.scale = Some(DVec3::new(1.0, -2.0, 1.0));
    check(
        &only(once([mover, wall], Engine::default())),
        (Kind::Tunnels, Cause::TOO_FAST, &[Cause::UNITS]),
        &through(&[("scale_x", 1.0), ("scale_y", -2.0), ("scale_z", 1.0)]),
        &through_fixes(&[]),
    );
    let engine = Engine {
        margin: Some(0.01),
        ..Engine::default()
    };
    check(
        &only(once(usual(), engine)),
        (Kind::Tunnels, Cause::TOO_FAST, &[Cause::UNITS]),
        &through(&[("margin", 0.01), ("inner_radius", 0.25)]),
        &through_fixes(&[("max_margin", 0.005, None, "m")]),
    );
}

/// The ball is in bit 0 and looks for bit 1; the wall is in bit 1 and looks for bit 1: its mask needs bits 0 and 1, 3.
#[test]
pub fn c18_one_side_excludes() {
    let [mut mover, mut wall] = usual();
    (mover.layer, mover.mask) = (1, 2);
    (wall.layer, wall.mask) = (2, 2);
    check(
        &only(once([mover, wall], Engine::default())),
        (Kind::Tunnels, Cause::BITS, &[Cause::TOO_FAST]),
        &through(&[
            ("layer_a", 1.0),
            ("mask_a", 2.0),
            ("layer_b", 2.0),
            ("mask_b", 2.0),
        ]),
        &through_fixes(&[("mask", 3.0, None, "")]),
    );
}

/// Swept from 17 inner radii on, 4.25 m, where it moves 4; and switched off.
#[test]
pub fn c19_below_the_threshold_and_off() {
    let [mut mover, wall] = usual();
    mover.ccd = Some(true);
    let engine = Engine {
        ccd_threshold: Some(17.0),
        ..Engine::default()
    };
    check(
        &only(once([mover.clone(), wall.clone()], engine)),
        (Kind::Tunnels, Cause::CCD, &[Cause::TOO_FAST]),
        &through(&[("own_step", 4.0), ("ccd_threshold", 4.25)]),
        &through_fixes(&[("max_ccd_threshold", 4.0, None, "m")]),
    );
    mover.ccd = Some(false);
    check(
        &only(once([mover, wall], Engine::default())),
        (Kind::Tunnels, Cause::TOO_FAST, &[Cause::CCD]),
        &through(&[("ccd", 0.0)]),
        &through_fixes(&[]),
    );
}

/// The usual event with a trigger: what is seen is the same. It pushes nothing, so that there is no side to speak of.
#[test]
pub fn c20_a_sensor() {
    let [mover, mut trigger] = usual();
    trigger.sensor = true;
    let mut evidence = through(&[]);
    evidence.retain(|(name, _)| !name.contains("side"));
    // For the same reason it takes no more to hold it than to detect it.
    let mut fixes = through_fixes(&[]);
    for (_, holds, detects, _) in &mut fixes {
        *holds = detects.unwrap();
    }
    check(
        &only(once([mover, trigger], Engine::default())),
        (Kind::Tunnels, Cause::SENSOR, &[Cause::TOO_FAST]),
        &evidence,
        &fixes,
    );
}
