//! Limits of overlap tests at frame ends, for a ball against a slab, in closed form.
//!
//! A ball of radius `r` and a slab of thickness `T` overlap along `T + 2r` of the ball's path. When it travels `d`
//! along the slab's normal from one test to the next, every starting phase is detected exactly when `d <= T + 2r`.
//! Lengths are metres, times seconds, `d` is the displacement of one frame along the contact normal.

use crate::core::tolerance::{SAFE_SHARE, SAME_SHARE};

/// A ball against a slab.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slab {
    /// Half the mover's width along the normal; the radius of a ball. Metres, >= 0.
    pub radius: f64,
    /// Metres, >= 0; 0 for a triangle, infinite for a half space.
    pub thickness: f64,
    /// A surface without an inside (triangle, mesh): it pushes to whichever side the centre is on, so its thickness
    /// does not matter.
    pub surface: bool,
}

impl Slab {
    /// The longest displacement that is always detected: `T + 2r`.
    pub fn detection_limit(&self) -> f64 {
        self.thickness + 2.0 * self.radius
    }

    /// The longest displacement after which the shortest push still points back: `r + T/2`, for a surface `r`.
    pub fn right_side(&self) -> f64 {
        if self.surface {
            self.radius
        } else {
            self.radius + 0.5 * self.thickness
        }
    }
}

/// Fraction of starting phases without detection: `max(0, 1 - detection_limit / d)`; 0 for a displacement of 0 or less.
pub fn missed_share(displacement: f64, detection_limit: f64) -> f64 {
    if displacement > detection_limit {
        1.0 - detection_limit / displacement
    } else {
        0.0
    }
}

/// Fraction of starting phases that are pushed out on the wrong side: `max(0, min(d, detection_limit) - right_side) / d`.
pub fn wrong_share(displacement: f64, detection_limit: f64, right_side: f64) -> f64 {
    if displacement > 0.0 {
        (displacement.min(detection_limit) - right_side).max(0.0) / displacement
    } else {
        0.0
    }
}

/// A limit less the share by which suggested values stay below it.
pub fn safe(limit: f64) -> f64 {
    limit * (1.0 - SAFE_SHARE)
}

/// Least number of substeps, >= 1: `ceil(d / limit)`, with the limit from [`Slab::detection_limit`] or [`Slab::right_side`]; `None` for a limit
/// of 0 or an endless displacement.
pub fn substeps(displacement: f64, limit: f64) -> Option<f64> {
    // At a whole number rounding would decide.
    let steps = (1.0 - SAME_SHARE) * displacement / limit;
    (limit > 0.0 && displacement.is_finite()).then(|| steps.ceil().max(1.0))
}

/// Greatest safe speed along the normal, m/s: `limit / dt`; `None` when there is none.
pub fn max_speed(limit: f64, dt: f64) -> Option<f64> {
    (limit > 0.0 && limit.is_finite() && dt > 0.0).then(|| limit / dt)
}

/// Longest safe frame, seconds: `limit / speed`, where `closing_speed` is `v . n` along the normal, > 0; `None` otherwise.
pub fn max_dt(limit: f64, closing_speed: f64) -> Option<f64> {
    (limit > 0.0 && limit.is_finite() && closing_speed > 0.0).then(|| limit / closing_speed)
}

/// Least thickness that is always detected: `d - 2r`.
pub fn min_thickness_detected(displacement: f64, radius: f64) -> f64 {
    (displacement - 2.0 * radius).max(0.0)
}

/// Least thickness that always pushes back: `2 (d - r)`.
pub fn min_thickness_right_side(displacement: f64, radius: f64) -> f64 {
    (2.0 * (displacement - radius)).max(0.0)
}

/// Least radius that is always pushed back: `d - T/2`; against a surface, whose thickness is no help, `d`.
pub fn min_radius_right_side(displacement: f64, thickness: f64) -> f64 {
    (displacement - 0.5 * thickness).max(0.0)
}

/// Least radius that is always detected: `(d - T) / 2`.
pub fn min_radius_detected(displacement: f64, thickness: f64) -> f64 {
    (0.5 * (displacement - thickness)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: f64, want: f64) {
        assert!((got - want).abs() < 1e-12, "got {got}, want {want}");
    }

    /// A bullet of radius 5 cm at 400 m/s, 60 frames a second, through 1 cm of paper: by hand.
    #[test]
    fn bullet_through_paper() {
        let d = 400.0 / 60.0;
        let slab = Slab {
            radius: 0.05,
            thickness: 0.01,
            surface: false,
        };
        close(slab.detection_limit(), 0.11);
        close(slab.right_side(), 0.055);
        close(missed_share(d, slab.detection_limit()), 1.0 - 0.0165);
        close(
            wrong_share(d, slab.detection_limit(), slab.right_side()),
            0.00825,
        );
        close(substeps(d, slab.detection_limit()).unwrap(), 61.0);
        close(substeps(d, slab.right_side()).unwrap(), 122.0);
        close(max_speed(slab.detection_limit(), 1.0 / 60.0).unwrap(), 6.6);
        close(max_dt(slab.detection_limit(), 400.0).unwrap(), 0.000_275);
        close(min_thickness_detected(d, 0.05), 400.0 / 60.0 - 0.1);
        close(
            min_thickness_right_side(d, 0.05),
            2.0 * (400.0 / 60.0 - 0.05),
        );
        close(min_radius_detected(d, 0.01), 0.5 * (400.0 / 60.0 - 0.01));
        close(min_radius_right_side(d, 0.01), 400.0 / 60.0 - 0.005);
    }

    #[test]
    fn a_surface_is_right_only_up_to_the_radius() {
        let sheet = Slab {
            radius: 0.3,
            thickness: 0.2,
            surface: true,
        };
        close(sheet.right_side(), 0.3);
        close(sheet.detection_limit(), 0.8);
    }

    #[test]
    fn slow_movers_are_never_missed() {
        close(missed_share(0.1, 0.11), 0.0);
        close(missed_share(0.11, 0.11), 0.0);
        close(missed_share(0.0, 0.0), 0.0);
        close(wrong_share(0.05, 0.11, 0.055), 0.0);
        close(wrong_share(0.0, 0.11, 0.055), 0.0);
        close(substeps(0.05, 0.11).unwrap(), 1.0);
        // A wall from 1.9 to 2.1 is 0.2 m thick, to rounding.
        close(substeps(4.0, 0.2_f64.next_down()).unwrap(), 20.0);
        close(substeps(4.0, 0.19).unwrap(), 22.0);
    }

    #[test]
    fn a_half_space_is_always_detected() {
        let ground = Slab {
            radius: 0.5,
            thickness: f64::INFINITY,
            surface: false,
        };
        close(missed_share(1e9, ground.detection_limit()), 0.0);
        close(
            wrong_share(1e9, ground.detection_limit(), ground.right_side()),
            0.0,
        );
        assert_eq!(max_speed(ground.detection_limit(), 0.1), None);
    }

    #[test]
    fn points_against_sheets_have_no_safe_number() {
        assert_eq!(substeps(1.0, 0.0), None);
        assert_eq!(max_speed(0.0, 0.1), None);
        assert_eq!(max_dt(0.0, 1.0), None);
        close(missed_share(1.0, 0.0), 1.0);
    }

    /// The two fractions against counting: one million phases of a ball that steps through a slab.
    #[test]
    fn shares_agree_with_counting_phases() {
        for (radius, thickness, d) in [(0.05, 0.01, 0.3), (0.5, 1.0, 1.7), (0.2, 0.0, 0.35)] {
            let slab = Slab {
                radius,
                thickness,
                surface: false,
            };
            let phases = 1_000_000;
            let (mut missed, mut wrong) = (0, 0);
            for phase in 0..phases {
                // First test at or past the near touch, measured from it.
                let at = d * (f64::from(phase) + 0.5) / f64::from(phases);
                if at > slab.detection_limit() {
                    missed += 1;
                } else if at > slab.right_side() {
                    wrong += 1;
                }
            }
            let share = |count: i32| f64::from(count) / f64::from(phases);
            assert!((share(missed) - missed_share(d, slab.detection_limit())).abs() < 2e-6);
            assert!(
                (share(wrong) - wrong_share(d, slab.detection_limit(), slab.right_side())).abs()
                    < 2e-6
            );
        }
    }
}
