//! The greatest depth of a pair over an interval.
//!
//! The depth of two convex shapes in straight relative motion is a concave function of time with one maximum; the depth of a mesh
//! is the greatest of its triangles. Evenly spread samples find the interval with the maximum, ternary search narrows it down.

use super::pair::Pair;

/// How often the stretch around the deepest of those moments is cut to two thirds (a count).
///
/// 40 times leave less than a ten-millionth of it, over which a depth changes by less than the slop it is held against.
const DEPTH_THIRDS: u32 = 40;

/// Moments at which the depth of a cut corner is looked at first (a count).
///
/// One is enough between two convex shapes; a mesh shows a triangle at a time. Fewer, and a deep cut between two shallow ones of a mesh
/// is not reported; more only costs time.
const DEPTH_SAMPLES: u32 = 16;

/// Whether the overlap is deeper than `slop` metres between two fractions of the interval.
pub fn exceeds(pair: &Pair<'_>, (from, to): (f64, f64), slop: f64) -> bool {
    let width = (to - from) / f64::from(DEPTH_SAMPLES);
    let mut deepest = (0.0, from);
    for sample in 0..DEPTH_SAMPLES {
        let share = from + width * (f64::from(sample) + 0.5);
        let depth = at(pair, share);
        if depth > slop {
            return true;
        }
        if depth > deepest.0 {
            deepest = (depth, share);
        }
    }
    let (mut low, mut high) = ((deepest.1 - width).max(from), (deepest.1 + width).min(to));
    for _ in 0..DEPTH_THIRDS {
        let third = (high - low) / 3.0;
        let (left, right) = (at(pair, low + third), at(pair, high - third));
        if left.max(right) > slop {
            return true;
        }
        if left < right {
            low += third;
        } else {
            high -= third;
        }
    }
    false
}

/// Depth of the overlap at a fraction of the interval, rotations included, metres; 0 where there is none.
fn at(pair: &Pair<'_>, share: f64) -> f64 {
    let contact = pair.contact_by(|side| side.turning().pose(share));
    contact.map_or(0.0, |contact| contact.depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::replay::Replay;
    use crate::core::scene::{Object, Scene};
    use crate::core::shape::{Motion, Pose, Shape};
    use glam::DVec3;

    /// A ball of 1 m that passes another at 1.5 m is deepest, 0.5 m, half-way, between two of the samples: at these, 0.5 m before and after, it is
    /// 2 m less the root of 2.5 m², 0.42 m.
    #[test]
    fn the_depth_between_two_samples_is_found() {
        let ball = |name: &str, position: DVec3| {
            Object::new(name, Shape::Sphere { radius: 1.0 }, position)
        };
        let objects = vec![
            ball("mover", DVec3::new(-8.0, 1.5, 0.0)),
            ball("other", DVec3::ZERO),
        ];
        let replay = Replay::stepped(Scene::new("test", objects).into());
        let path = Motion {
            start: Pose::at(DVec3::new(-8.0, 1.5, 0.0)),
            end: Pose::at(DVec3::new(8.0, 1.5, 0.0)),
        };
        let interval = (0.0, 1.0, path, Motion::still(Pose::IDENTITY));
        let pair = Pair::new(&replay, (0, 1), interval).unwrap();
        for (slop, expected) in [(0.41, true), (0.49999, true), (0.50001, false)] {
            assert_eq!(exceeds(&pair, (0.0, 1.0), slop), expected, "{slop}");
        }
    }
}
