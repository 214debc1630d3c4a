//! Orthographic views of a pair: edge-on to the surface that is hit, the mover from left to right.

use crate::core::scene::UserUnits;
use glam::{DVec2, DVec3};

/// Sine of the angle from which a motion is oblique to a normal, so that both lie in the plane (no unit).
const OBLIQUE: f64 = 0.05;
/// Part of an axis in a direction up to which the direction counts as along the other axes (no unit).
const ALONG: f64 = 1e-6;
/// Part of the up axis in the plane from which it points up in the drawing (no unit).
const UPRIGHT: f64 = 0.2;

/// A view along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// World direction that points right, unit.
    pub right: DVec3,
    /// World direction that points up, unit.
    pub up: DVec3,
}

impl View {
    /// From the front, as flat levels are seen.
    pub const FRONT: Self = Self {
        right: DVec3::X,
        up: DVec3::Y,
    };

    /// The view in whose plane a motion (any length) and a normal (unit or zero) lie, from which the motion goes to the right. Where many do,
    /// that across an axis (unit) around which a body turns, else the one that has the world's up axis in its plane.
    pub fn edge_on(motion: DVec3, normal: DVec3, axis: Option<DVec3>) -> Self {
        let path = motion.try_normalize().unwrap_or(DVec3::ZERO);
        let across = path.cross(normal);
        let level = |along: DVec3| along.cross(DVec3::Y).try_normalize();
        let toward = match across.length() > OBLIQUE {
            true => across.try_normalize(),
            false if axis.is_some_and(|axis| axis.dot(normal).abs() < OBLIQUE) => axis,
            false => {
                let along = if normal == DVec3::ZERO { path } else { normal };
                level(along).filter(|_| along.reject_from_normalized(DVec3::Y).length() > ALONG)
            }
        };
        let toward = snapped(toward.unwrap_or(DVec3::Z));
        let up = DVec3::Y.reject_from_normalized(toward);
        let view = match up.try_normalize().filter(|_| up.length() > UPRIGHT) {
            // The same axis from its positive side, from which a level is usually seen.
            Some(up) => {
                let toward = if toward.dot(DVec3::new(0.5, 0.0, 1.0)) < 0.0 {
                    -toward
                } else {
                    toward
                };
                Self {
                    right: up.cross(toward),
                    up,
                }
            }
            None => {
                let toward = if toward.y < 0.0 { -toward } else { toward };
                let up = DVec3::NEG_Z.reject_from_normalized(toward);
                let up = up.try_normalize().unwrap_or(DVec3::X);
                Self {
                    right: up.cross(toward),
                    up,
                }
            }
        };
        if path.dot(view.right) >= -ALONG {
            return view;
        }
        match view.up.y > UPRIGHT {
            // From the other side; from above, turned around.
            true => Self {
                right: -view.right,
                ..view
            },
            false => Self {
                right: -view.right,
                up: -view.up,
            },
        }
    }

    /// The direction as text, in the user's axes: `seen from +z: x to the right, y up`.
    pub fn name(&self, units: UserUnits) -> String {
        let toward = self.right.cross(self.up);
        let is_axis = |ours: DVec3| units.direction(ours).abs().max_element() > 1.0 - ALONG;
        let sign = |ours: DVec3| {
            if units.direction(ours).element_sum() > 0.0 {
                "+"
            } else {
                "-"
            }
        };
        if !is_axis(toward) {
            return format!("seen from ({})", units.normal(toward));
        }
        let mut text = format!("seen from {}{}", sign(toward), units.axis_name(toward));
        for (way, positive, negative) in [
            (self.right, "to the right", "to the left"),
            (self.up, "up", "down"),
        ] {
            if is_axis(way) {
                let separator = if text.contains(':') { "," } else { ":" };
                let word = if sign(way) == "+" { positive } else { negative };
                text += &format!("{separator} {} {word}", units.axis_name(way));
            }
        }
        text
    }

    /// A world point in the picture: metres to the right and up.
    pub fn point(&self, point: DVec3) -> DVec2 {
        self.vector(point)
    }

    /// A world direction in the drawing, foreshortened.
    pub fn vector(&self, vector: DVec3) -> DVec2 {
        DVec2::new(vector.dot(self.right), vector.dot(self.up))
    }
}

/// An axis in place of a direction that is one up to rounding.
fn snapped(direction: DVec3) -> DVec3 {
    let mut axes = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let axis = axes.find(|axis| axis.dot(direction) > 1.0 - ALONG);
    axis.unwrap_or(direction)
}

/// A rectangle in the picture, metres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left and low.
    pub low: DVec2,
    /// Right and high.
    pub high: DVec2,
}

impl Area {
    /// A square around a point.
    pub fn around(center: DVec2, half: f64) -> Self {
        Self {
            low: center - half,
            high: center + half,
        }
    }

    /// The smallest around points; `None` without any.
    pub fn of(points: impl IntoIterator<Item = DVec2>) -> Option<Self> {
        points.into_iter().fold(None, |area: Option<Self>, point| {
            let area = area.unwrap_or(Self {
                low: point,
                high: point,
            });
            Some(Self {
                low: area.low.min(point),
                high: area.high.max(point),
            })
        })
    }

    /// Both together.
    pub fn join(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    /// The intersection; `None` when they are apart.
    pub fn overlap(self, other: Self) -> Option<Self> {
        let (low, high) = (self.low.max(other.low), self.high.min(other.high));
        (low.cmple(high).all()).then_some(Self { low, high })
    }

    /// Larger by this much on every side.
    pub fn grown(self, by: f64) -> Self {
        Self {
            low: self.low - by,
            high: self.high + by,
        }
    }

    /// Width and height.
    pub fn size(&self) -> DVec2 {
        self.high - self.low
    }

    /// Its centre.
    pub fn center(&self) -> DVec2 {
        0.5 * (self.low + self.high)
    }
}

/// The convex hull of points, counter-clockwise, without points on its edges (Andrew's monotone chain, 1979).
pub fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.retain(|point| point.is_finite());
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let half = |points: &mut dyn Iterator<Item = DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(point - b) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut lower = half(&mut points.iter().copied());
    lower.extend(half(&mut points.iter().rev().copied()));
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Edge-on: motion and normal lie in the plane, and the motion goes to the right.
    #[test]
    fn motion_and_normal_lie_in_the_plane() {
        let slanted = DVec3::new(1.0, 2.0, -2.0) / 3.0;
        for (motion, normal) in [
            (DVec3::X, DVec3::NEG_X),
            (DVec3::NEG_X, DVec3::X),
            (DVec3::NEG_Y, DVec3::Y),
            (DVec3::Z, DVec3::NEG_Z),
            (DVec3::new(1.0, 0.0, 1.0), DVec3::Z),
            (DVec3::new(-1.0, 0.0, 1.0), DVec3::Z),
            (DVec3::new(0.0, -1.0, 1.0), DVec3::Y),
            (slanted * -4.0, slanted),
            (DVec3::new(-3.0, 0.5, 0.1), slanted),
            (DVec3::ZERO, slanted),
            (DVec3::ZERO, DVec3::ZERO),
        ] {
            let view = View::edge_on(motion, normal, None);
            let toward = view.right.cross(view.up);
            assert!((toward.length() - 1.0).abs() < 1e-12, "{motion} {normal}");
            for inside in [motion, normal] {
                assert!(
                    inside.dot(toward).abs() < 1e-9,
                    "{motion} {normal}: {view:?}"
                );
            }
            assert!(
                motion.dot(view.right) >= -1e-9,
                "{motion} {normal}: {view:?}"
            );
        }
    }

    #[test]
    fn the_up_axis_points_up_and_a_map_is_seen_from_above() {
        let units = UserUnits::default();
        for (motion, normal, wanted) in [
            (DVec3::X, DVec3::NEG_X, "seen from +z: x to the right, y up"),
            (DVec3::NEG_X, DVec3::X, "seen from -z: x to the left, y up"),
            (DVec3::Z, DVec3::NEG_Z, "seen from -x: z to the right, y up"),
            (DVec3::NEG_Y, DVec3::Y, "seen from +z: x to the right, y up"),
            (
                DVec3::new(1.0, 0.0, 1.0),
                DVec3::Z,
                "seen from +y: x to the right, z down",
            ),
        ] {
            assert_eq!(View::edge_on(motion, normal, None).name(units), wanted);
        }
        // What turns around the up axis and is hit on its flank.
        let turning = View::edge_on(DVec3::ZERO, DVec3::X, Some(DVec3::Y));
        assert_eq!(turning.name(units), "seen from +y: x to the right, z down");
    }

    #[test]
    fn a_hull_holds_every_point_and_keeps_the_corners() {
        let square = |x: f64, y: f64| DVec2::new(x, y);
        let points = vec![
            square(0.0, 0.0),
            square(1.0, 0.0),
            square(0.5, 0.5),
            square(1.0, 1.0),
            square(0.5, 0.0),
            square(0.0, 1.0),
            square(0.0, 0.0),
        ];
        let hull = hull(points);
        let corners = [
            square(0.0, 0.0),
            square(1.0, 0.0),
            square(1.0, 1.0),
            square(0.0, 1.0),
        ];
        assert_eq!(hull, corners);
        assert_eq!(super::hull(vec![square(1.0, 1.0); 3]), [square(1.0, 1.0)]);
        assert!(super::hull(vec![square(f64::NAN, 0.0)]).is_empty());
    }
}
