//! Orthographic views of a pair: along the world axis that shows its motion and normal best.

use crate::core::scene::UserUnits;
use glam::{DVec2, DVec3};

/// A view along a world axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// World direction that points right, unit.
    pub right: DVec3,
    /// World direction that points up, unit.
    pub up: DVec3,
}

/// From the front, from the side, from above.
const VIEWS: [View; 3] = [
    View {
        right: DVec3::X,
        up: DVec3::Y,
    },
    View {
        right: DVec3::NEG_Z,
        up: DVec3::Y,
    },
    View {
        right: DVec3::X,
        up: DVec3::NEG_Z,
    },
];

impl View {
    /// The direction as text, in the user's axes: `seen from +z: x to the right, y up`.
    pub fn name(&self, units: UserUnits) -> String {
        let signed = |ours: DVec3| {
            let (shown, axis) = (units.direction(ours), units.axis_name(ours));
            (shown.element_sum() > 0.0, axis)
        };
        let (from, right, up) = (
            signed(self.right.cross(self.up)),
            signed(self.right),
            signed(self.up),
        );
        let sign = if from.0 { "+" } else { "-" };
        let side = if right.0 { "right" } else { "left" };
        let way = if up.0 { "up" } else { "down" };
        format!(
            "seen from {sign}{}: {} to the {side}, {} {way}",
            from.1, right.1, up.1
        )
    }

    /// The view in which a motion (any length) and a normal (unit) are longest; the first of equals.
    pub fn best(motion: DVec3, normal: DVec3) -> Self {
        let way = motion.try_normalize().unwrap_or(DVec3::ZERO);
        let seen =
            |view: &Self| view.vector(way).length_squared() + view.vector(normal).length_squared();
        let mut best = VIEWS[0];
        for view in &VIEWS[1..] {
            // With a tolerance, so that rounding does not choose the view.
            if seen(view) > seen(&best) + 1e-9 {
                best = *view;
            }
        }
        best
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

    #[test]
    fn the_axis_shows_motion_and_normal() {
        for (motion, normal, wanted) in [
            (DVec3::X, DVec3::NEG_X, "+z"),
            (DVec3::NEG_Y, DVec3::Y, "+z"),
            (DVec3::Z, DVec3::NEG_Z, "+x"),
            (DVec3::new(1.0, 0.0, 1.0), DVec3::Z, "+y"),
            (DVec3::new(0.0, -1.0, 1.0), DVec3::Y, "+x"),
            (DVec3::ZERO, DVec3::ZERO, "+z"),
        ] {
            let view = View::best(motion, normal);
            assert!(
                view.name(UserUnits::default()).contains(wanted),
                "{motion} {normal}: {}",
                view.name(UserUnits::default())
            );
        }
    }

    #[test]
    fn every_view_is_from_its_side() {
        for (view, from) in VIEWS.into_iter().zip([DVec3::Z, DVec3::X, DVec3::Y]) {
            assert_eq!(view.right.cross(view.up), from);
        }
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
