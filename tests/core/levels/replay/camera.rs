//! The camera and its probe.

use super::*;

#[test]
fn the_probe_stops_a_slow_camera_and_misses_a_fast_one() {
    let slow = corridor(0.2 / DT);
    for frame in 0..=60 {
        assert!(
            slow.camera(frame).unwrap().pose.position.x <= 0.5 + 1e-12,
            "{frame}"
        );
    }
    assert!((slow.camera(60).unwrap().pose.position.x - 0.5).abs() < 1e-12);
    let held = slow.frame(30);
    let (travel, end) = held.camera.unwrap();
    assert!((travel.end.position.x - 0.7).abs() < 1e-12 && (end.position.x - 0.5).abs() < 1e-12);
    assert!(
        held.phases
            .iter()
            .any(|phase| matches!(phase, Phase::CameraPush { answer } if answer.push.x < -0.19))
    );
    // Three metres a frame, past a probe of one.
    let fast = corridor(3.0 / DT);
    assert!((fast.camera(1).unwrap().pose.position.x - 3.0).abs() < 1e-12);
}
