//! Bugs that were fixed, each by name. The known faults of published forms have their own file, `published_faults.rs`.

use glam::DVec3;
use hitstop::core::query::{ray_cast_triangle, sweep};
use hitstop::core::shape::{Facing, Motion, Pose, Segment, Shape, Triangle};

const fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

/// Ericson's 5.5.7 tests only the capsule of the edge beyond which the ray enters the slabs. This ray enters beyond the edge
/// at +x +y, misses its capsule, and meets the one at +x +z.
#[test]
fn the_rounded_box_is_met_also_on_an_edge_the_ray_did_not_enter_by() {
    let cube = Shape::Box {
        half_extents: DVec3::ONE,
    };
    let still = Motion::still(Pose::IDENTITY);
    let mut found = 0;
    for number in 0..4000 {
        // A grid of rays from beyond the corner region at +x +y +z.
        let share = |k: i32| f64::from(number / k % 16) / 15.0;
        let start = at(3.0, 1.0 + 1.2 * share(1), 1.0 + 1.2 * share(16));
        let step = at(-4.0, -3.0 * share(256), -2.0);
        let motion = Motion {
            start: Pose::at(start),
            end: Pose::at(start + step),
        };
        let mover = Shape::Sphere { radius: 1.0 };
        let outcome = sweep(&mover, &motion, &cube, &still, &mut ()).outcome;
        let gap = |t: f64| {
            let p = start + step * t;
            (p - p.clamp(-DVec3::ONE, DVec3::ONE)).length() - 1.0
        };
        let least = (0..=4000)
            .map(|cut| gap(f64::from(cut) / 4000.0))
            .fold(f64::INFINITY, f64::min);
        if least < 0.0 {
            found += 1;
            let impact = outcome
                .impact()
                .unwrap_or_else(|| panic!("{start} {step} {outcome:?}"));
            assert!(gap(impact.fraction).abs() < 1e-12);
        } else if least > 2e-3 {
            assert!(outcome.impact().is_none(), "{start} {step} {outcome:?}");
        }
    }
    assert!(found > 100, "{found}");
}

/// Every sign of a segment that is not a number was taken from exact arithmetic, which knows none: it hit.
#[test]
fn a_segment_that_is_not_a_number_meets_no_triangle() {
    let triangle = Triangle {
        a: DVec3::ZERO,
        b: DVec3::X,
        c: DVec3::Y,
        facing: Facing::Both,
    };
    let through = Segment {
        a: DVec3::new(0.25, 0.25, 1.0),
        b: DVec3::new(0.25, 0.25, -1.0),
    };
    assert!(ray_cast_triangle(&through, &triangle, &mut ()).is_some());
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let from = Segment {
            a: DVec3::splat(bad),
            ..through
        };
        let to = Segment {
            b: DVec3::new(0.25, 0.25, bad),
            ..through
        };
        let corner = Triangle {
            c: DVec3::Y * bad,
            ..triangle
        };
        for (segment, triangle) in [(from, triangle), (to, triangle), (through, corner)] {
            assert_eq!(
                ray_cast_triangle(&segment, &triangle, &mut ()),
                None,
                "{bad}"
            );
        }
    }
}
