//! The camera: walls that its probe stops it at, and walls that it passes.

use super::*;

fn corridor(speed: f64, probe: Probe) -> Scene {
    let camera = Camera {
        pose: Pose::at(DVec3::new(0.0, 0.0, 0.0)),
        movement: CameraMovement::Velocity(DVec3::new(0.0, 0.0, -speed)),
        probe,
        probe_mode: ProbeMode::InOrder,
        near: 0.1,
        fov: 60f64.to_radians(),
        aspect: 16.0 / 9.0,
    };
    let end = fixed("end", triangle(Facing::Both), [0.0, 0.0, -5.0]);
    Scene {
        camera: Some(camera),
        ..scene(240, vec![end])
    }
}

#[test]
fn a_stopped_camera_is_no_finding_and_a_fast_one_crosses() {
    assert_eq!(report(corridor(2.0, Probe::Standard)).findings, []);
    let crossed = report(corridor(160.0, Probe::Standard));
    let path = &crossed.findings[0];
    assert_eq!(
        (path.kind, path.cause),
        (Kind::CameraCrosses, Cause::TooFast)
    );
    assert_eq!(
        (path.a.as_str(), path.b.as_str(), path.frame),
        ("camera", "end", 1)
    );
    // 5 m at 8/3 m a frame.
    close(path.fraction, 0.875, 1e-9);
    assert_eq!(path.object_a, None);
    close(fix(path, "max_speed"), SAFE * 30.0, 1e-9);
    close(fix(path, "substeps"), 6.0, 0.0);
    // A line of 0.5 m to each side crosses it in some step of a metre.
    close(detected(path, "max_speed"), SAFE * 60.0, 1e-9);
    close(detected(path, "substeps"), 3.0, 0.0);
    assert_eq!(crossed.findings.len(), 1);
}

#[test]
fn a_camera_without_a_probe_is_found_by_its_near_plane_first() {
    let report = report(corridor(2.0, Probe::Off));
    let found = single(&report);
    assert_eq!(
        (found.kind, found.cause),
        (Kind::CameraCrosses, Cause::Camera)
    );
    // The near plane is 0.1 m ahead; the camera walks 1/30 m a frame from 5 m: past 4.9 m after 148 steps.
    assert_eq!(found.frame, 147);
    assert!(found.last_frame > found.frame);
    // The wall's own distance, not the one along the frustum's corner.
    close(evidence(found, "distance"), 5.0 - 148.0 / 30.0, 1e-9);
    close(fix(found, "camera_radius"), 0.154_494, 5e-7);
}

/// From 0.5 m before a wall to 0.4 m behind it in a frame. A probe that reaches 2 m ahead and 10 m to the side goes past the wall, and one to the
/// side alone does not point to it.
#[test]
fn a_passed_wall_says_what_the_probe_reaches() {
    for (ahead, says) in [
        (2.0, "within the 2 m its probe reaches that way"),
        (0.0, "no probe line points that way"),
    ] {
        let lines = vec![DVec3::new(10.0, 0.0, -ahead)];
        let report = report(corridor(0.9 / DT, Probe::Lines(lines)));
        let found = single(&report);
        assert_eq!(
            (found.kind, found.cause, found.frame),
            (Kind::CameraCrosses, Cause::Camera, 5)
        );
        assert!(found.text.contains(says), "{}", found.text);
    }
}
