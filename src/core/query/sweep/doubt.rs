//! Where rounding could decide, and who decides there instead.

use super::Path;
use crate::core::query::exact::ExactSweep;
use crate::core::query::nearest::Nearest;
use crate::core::shape::Pose;
use crate::core::tolerance::{NOISE_ULPS, SMALLEST_QUICK};
use glam::{DQuat, DVec3};

/// The error bound of a sweep's quick form, and the same sweep without rounding.
pub(crate) struct Doubt<'a> {
    /// Metres: how far off a distance of the quick form may be.
    pub noise: f64,
    /// Makes the exact form; called inside the bound only.
    pub exact: &'a dyn Fn() -> ExactSweep,
}

impl Doubt<'_> {
    /// Do products of these lengths leave the range of `f64`? A length of zero does not.
    fn out_of_range(path: &Path, radius: f64) -> bool {
        let odd = |length: f64| {
            length != 0.0 && !(SMALLEST_QUICK..1.0 / SMALLEST_QUICK).contains(&length)
        };
        odd(radius)
            || odd(path.step.abs().max_element())
            || path.start.abs().max_element() > 1.0 / SMALLEST_QUICK
    }

    /// Could rounding decide between overlapping, touching and apart, or between approaching and receding?
    pub fn at_start(&self, path: &Path, radius: f64, start: &Nearest, gap: f64, rate: f64) -> bool {
        gap.abs() <= self.noise
            || Self::out_of_range(path, radius)
            || (gap > 0.0 && path.step != DVec3::ZERO && !self.is_sure(path, start, rate))
    }

    /// Is the sign of a rate of approach sure, metres over the frame? A normal is as good as the distance it comes from.
    pub fn is_sure(&self, path: &Path, nearest: &Nearest, rate: f64) -> bool {
        let turn = self.noise / nearest.distance.max(self.noise) + NOISE_ULPS * f64::EPSILON;
        rate.abs() > turn * path.step.length()
    }
}

/// Metres of rounding that a point takes on its way into the frame of a pose, where it is `local`; and by how much a quaternion
/// that is not quite unit stretches its way there.
pub(crate) fn rounding_at(local: DVec3, pose: &Pose) -> f64 {
    if *pose == Pose::IDENTITY {
        return 0.0;
    }
    noise_of(&[local]) + stretched(pose.rotation, &[local])
}

/// Metres by which a quaternion that is not quite unit moves what it turns; kept are those that are 1e-12 off.
pub(crate) fn stretched(rotation: DQuat, lengths: &[DVec3]) -> f64 {
    let stretch = (rotation.length_squared() - 1.0).abs();
    let sizes = lengths.iter().map(|length| length.abs().element_sum());
    2.0 * stretch * sizes.sum::<f64>()
}

/// Metres of rounding among lengths that are measured from where a motion starts.
pub(crate) fn noise_of(lengths: &[DVec3]) -> f64 {
    let largest = lengths.iter().fold(0.0, |largest: f64, length| {
        largest.max(length.abs().max_element())
    });
    NOISE_ULPS * f64::EPSILON * largest
}
