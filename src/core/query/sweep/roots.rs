//! Where a straight path enters a ball or a cylinder.
//!
//! With `w` the start from the centre and `d` the step, `a t^2 + 2 b t + c = 0`, `a = d.d`, `b = w.d`, `c = w.w - R^2`. The
//! discriminant is taken in its perpendicular form, `b^2 - a c = a R^2 - |w x d|^2`: the schoolbook difference of two large
//! near-equal numbers is wrong for small things that move fast. The root is `c / (sqrt(D) - b)`, in which nothing cancels.

use super::Path;
use crate::core::shape::Segment;
use glam::DVec3;

/// The fraction (>= 0, any size) at which a path enters a ball; `None` when it moves away, passes or only grazes.
/// A start inside answers 0.
pub(crate) fn enter_ball(path: &Path, center: DVec3, radius: f64) -> Option<f64> {
    let from_center = path.start - center;
    root(
        path.step.length_squared(),
        from_center.dot(path.step),
        from_center.length_squared() - radius * radius,
        from_center.cross(path.step).length_squared(),
        radius,
    )
}

/// The fraction (>= 0) at which a path enters a cylinder through its round side, between the two end planes.
/// `None` for a zero-length axis, whose ends are balls.
pub(crate) fn enter_cylinder(path: &Path, axis: &Segment, radius: f64) -> Option<f64> {
    let along = axis.b - axis.a;
    let square = along.length_squared();
    if square <= 0.0 {
        return None;
    }
    let unit = along / square.sqrt();
    let from_axis = path.start - axis.a;
    // Crossed with the axis, only what is perpendicular to it remains, turned by a right angle.
    let (across, step) = (from_axis.cross(unit), path.step.cross(unit));
    let fraction = root(
        step.length_squared(),
        across.dot(step),
        across.length_squared() - radius * radius,
        across.cross(step).length_squared(),
        radius,
    )?;
    let s = (from_axis + path.step * fraction).dot(along);
    (0.0..=square).contains(&s).then_some(fraction)
}

fn root(a: f64, b: f64, c: f64, perpendicular_square: f64, radius: f64) -> Option<f64> {
    if b >= 0.0 {
        return None;
    }
    let discriminant = a * radius * radius - perpendicular_square;
    (discriminant > 0.0).then(|| c.max(0.0) / (discriminant.sqrt() - b))
}
