//! The camera, and what is no number.

use super::{DT, ball, check, fixed, logged, one, only, scene};
use glam::DVec3;
use hitstop::core::diagnose::{Cause, Finding, Kind};
use hitstop::core::query::probe::ProbeMode;
use hitstop::core::scene::{Camera, CameraMovement, Probe, Scene};
use hitstop::core::shape::{Facing, Pose, Shape, Triangle};

fn walked(speed: f64, probe: Probe) -> Finding {
    let camera = Camera {
        pose: Pose::IDENTITY,
        movement: CameraMovement::Velocity(DVec3::new(0.0, 0.0, -speed)),
        probe,
        probe_mode: ProbeMode::InOrder,
        near: 0.1,
        fov: 60_f64.to_radians(),
        aspect: 16.0 / 9.0,
    };
    let end = Shape::Triangle(Triangle {
        a: DVec3::new(-9.0, -9.0, -3.0),
        b: DVec3::new(9.0, -9.0, -3.0),
        c: DVec3::new(0.0, 18.0, -3.0),
        facing: Facing::Both,
    });
    only(Scene {
        camera: Some(camera),
        frames: 1,
        ..scene(vec![fixed(end, 0.0)])
    })
}

/// 4 m past a probe of half a metre to each side: eight substeps, 8 m/s; it is touched, behind the camera, in steps of a metre. Corner of the near plane: 0.1 sqrt(1 + (1 + (16/9)^2) / 3).
#[test]
pub fn c23_the_camera() {
    let corner = 0.1 * (1.0 + (1.0 + (16.0_f64 / 9.0).powi(2)) / 3.0).sqrt();
    assert!((corner - 0.1545).abs() < 1e-4);
    check(
        &walked(64.0, Probe::Standard),
        (Kind::CameraCrosses, Cause::TOO_FAST, &[Cause::CAMERA]),
        &[("displacement", 4.0), ("probe_reach", 0.5), ("dt", DT)],
        &[
            ("substeps", 8.0, Some(4.0), ""),
            ("max_speed", 8.0, Some(16.0), "m/s"),
            ("camera_radius", corner, None, "m"),
        ],
    );
    check(
        &walked(64.0, Probe::Off),
        (Kind::CameraCrosses, Cause::CAMERA, &[]),
        &[("displacement", 4.0), ("probe_reach", 0.0), ("dt", DT)],
        &[("camera_radius", corner, None, "m")],
    );
    // 2.95 m on, 5 cm before the wall: a corner of the near plane, 0.1 m ahead, is past it. From the camera to the wall
    // along that ray is half of the corner's distance.
    check(
        &walked(2.95 / DT, Probe::Off),
        (Kind::CameraCrosses, Cause::CAMERA, &[]),
        &[("distance", 0.5 * corner), ("near_plane_reach", corner)],
        &[("camera_radius", corner, None, "m")],
    );
}

/// A coordinate that is no number from state 1 on; two balls of 0.25 m in one place, half a metre deep.
#[test]
pub fn c24_not_a_number() {
    let states = [0.0, f64::NAN].map(|x| (DT, vec![(x, None)]));
    let found = one(&logged(vec![ball("ball", 0.25, 0.0, 0.0)], &states));
    check(
        &found,
        (Kind::BadNumber, Cause::NOT_A_NUMBER, &[]),
        &[("state", 1.0)],
        &[],
    );
    let met = [(-2.0, 2.0), (0.0, 0.0), (0.25, -0.25)];
    let states = met.map(|(a, b)| (DT, vec![(a, None), (b, None)]));
    let objects = vec![ball("one", 0.25, 0.0, 0.0), ball("two", 0.25, 0.0, 0.0)];
    let report = logged(objects, &states);
    let bad = report
        .findings
        .iter()
        .find(|found| found.kind == Kind::BadNumber);
    check(
        bad.expect("their middles coincide"),
        (Kind::BadNumber, Cause::NOT_A_NUMBER, &[]),
        &[("depth", 0.5)],
        &[("separation", 0.5, None, "m")],
    );
}
