//! The camera's swept probe, and the ruler.

use glam::DVec3;
use hitstop::core::query::probe::STANDARD_PROBE;
use hitstop::core::query::ruler::{measure_point_point, measure_shapes};
use hitstop::core::query::{SweepOutcome, sweep_probe};
use hitstop::core::shape::{Facing, Placed, Sphere, Triangle};

/// A large wall across x.
fn wall(x: f64) -> Triangle {
    Triangle {
        a: DVec3::new(x, -50.0, -50.0),
        b: DVec3::new(x, -50.0, 50.0),
        c: DVec3::new(x, 50.0, 0.0),
        facing: Facing::Both,
    }
}

#[test]
fn a_fast_camera_goes_through_what_its_probe_does_not_see() {
    let walls = [wall(3.0), wall(1.0)];
    let from = DVec3::new(-1.0, 0.0, 0.0);
    let seen = sweep_probe(
        from,
        from + DVec3::X * 8.0,
        &STANDARD_PROBE,
        &walls,
        &mut (),
    );
    assert!((seen.path.is_some() && !seen.probe_sees));
    let path = seen.path.unwrap();
    assert_eq!((path.fraction, path.triangle), (0.25, Some(1)));
    // The longest line is (0.4, 0, 0.4): its length is the reach.
    let reach = 0.32_f64.sqrt();
    assert!((seen.reach - reach).abs() < 1e-15);
    let Some(SweepOutcome::Hits(impact)) = seen.ball else {
        panic!("{:?}", seen.ball);
    };
    assert!((impact.fraction - (2.0 - reach) / 8.0).abs() < 1e-15);
    assert_eq!(impact.triangle, Some(1));
}

#[test]
fn a_slow_camera_is_held_by_its_probe() {
    let from = DVec3::new(0.3, 0.0, 0.0);
    let seen = sweep_probe(from, DVec3::X * 0.7, &STANDARD_PROBE, &[wall(1.0)], &mut ());
    assert_eq!((seen.path, seen.probe_sees), (None, true));
    assert!(seen.path.is_none() || seen.probe_sees);
    assert!(matches!(seen.ball, Some(SweepOutcome::Hits(_))));
    let near = sweep_probe(
        DVec3::X * 0.9,
        DVec3::X * 0.7,
        &STANDARD_PROBE,
        &[wall(1.0)],
        &mut (),
    );
    let Some(SweepOutcome::Overlapping { depth }) = near.ball else {
        panic!("{:?}", near.ball);
    };
    assert!((depth - (0.32_f64.sqrt() - 0.1)).abs() < 1e-15);
}

#[test]
fn nothing_and_no_number_see_nothing() {
    let seen = sweep_probe(
        DVec3::ZERO,
        DVec3::NAN,
        &STANDARD_PROBE,
        &[wall(1.0)],
        &mut (),
    );
    assert_eq!((seen.path, seen.ball, seen.probe_sees), (None, None, false));
    let seen = sweep_probe(DVec3::ZERO, DVec3::X, &[], &[], &mut ());
    assert_eq!((seen.reach, seen.path, seen.ball), (0.0, None, None));
}

#[test]
fn reads_each_plane() {
    // 3, 4, 12: 5 in xy, 13 in all.
    let ruler = measure_point_point(DVec3::ONE, DVec3::new(4.0, 5.0, 13.0), &mut ());
    assert_eq!(ruler.along, DVec3::new(3.0, 4.0, 12.0));
    assert!((ruler.distance - 13.0).abs() < 1e-14);
    assert!((ruler.in_xy - 5.0).abs() < 1e-14);
    assert!((ruler.in_yz - 160.0_f64.sqrt()).abs() < 1e-14);
    assert!((ruler.in_zx - 153.0_f64.sqrt()).abs() < 1e-14);
}

#[test]
fn between_shapes_it_lies_on_their_surfaces() {
    let ball = |x: f64, radius: f64| {
        Placed::Sphere(Sphere {
            center: DVec3::new(x, 2.0, 0.0),
            radius,
        })
    };
    let ruler = measure_shapes(&ball(0.0, 1.0), &ball(5.0, 1.5), &mut ()).unwrap();
    assert_eq!(ruler.distance, 2.5);
    assert_eq!(ruler.along, DVec3::X * 2.5);
    assert_eq!((ruler.in_xy, ruler.in_yz, ruler.in_zx), (2.5, 0.0, 2.5));
    let inside = measure_shapes(&ball(0.0, 1.0), &ball(1.0, 1.5), &mut ()).unwrap();
    assert_eq!(inside.distance, -1.5);
    assert_eq!(
        measure_shapes(&ball(f64::NAN, 1.0), &ball(0.0, 1.0), &mut ()),
        None
    );
}
