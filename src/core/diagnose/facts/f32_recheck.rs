//! The pair computed in `f32`, as most engines do: rounded positions, and every step of the arithmetic in `f32`.
//!
//! A sphere against another shape is tested as engines do: nearest point, distance, minus the radius; a sweep by
//! conservative advancement. For other shapes only the positions are rounded, which no engine in `f32` can avoid.

use crate::core::diagnose::judge::pair::Pair;
use crate::core::query::{self, SweepOutcome};
use crate::core::replay::BodyState;
use crate::core::scene::Object;
use crate::core::shape::{Motion, Pose, Shape, Triangle};
use glam::{DVec3, Quat, Vec3};

/// Distance of neighbouring `f32` numbers, as a share of a ball's radius, above which `f32` is asked (no unit).
///
/// Below a hundredth the answers differ only where they are within rounding anyway.
pub const SINGLE_SHARE: f64 = 0.01;

/// Steps of a sweep before it counts as a hit.
const STEPS: u32 = 64;

/// The results of a pair when its positions are moved by `-origin` and rounded; `None` for shapes without a distance.
pub fn rounded(pair: &Pair<'_>, origin: DVec3) -> Option<F32Answer> {
    let (a, b) = (
        moved(&pair.mover.motion, origin),
        moved(&pair.obstacle.motion, origin),
    );
    let gap = |a: &Pose, b: &Pose| {
        let gap = query::gap(&pair.mover.shape.placed(a), &pair.obstacle.shape.placed(b))?;
        Some(gap.distance as f32)
    };
    let sweep = query::sweep(pair.mover.shape, &a, pair.obstacle.shape, &b, &mut ());
    Some(F32Answer {
        start: gap(&a.start, &b.start)?,
        end: gap(&a.end, &b.end)?,
        hits: matches!(
            sweep.outcome,
            SweepOutcome::Hits(_) | SweepOutcome::Overlapping { .. }
        ),
        past: is_past(&a, &b),
    })
}

/// A motion whose positions are moved by `-origin` and rounded.
fn moved(motion: &Motion, origin: DVec3) -> Motion {
    let rounded = |pose: &Pose| Pose {
        position: (pose.position - origin).as_vec3().as_dvec3(),
        ..*pose
    };
    Motion {
        start: rounded(&motion.start),
        end: rounded(&motion.end),
    }
}

/// Whether the first ends at or past the second's position, along its motion relative to it.
fn is_past(a: &Motion, b: &Motion) -> bool {
    let between = |one: &Pose, other: &Pose| one.position - other.position;
    let (from, to) = (between(&a.start, &b.start), between(&a.end, &b.end));
    to != from && to.dot(to - from) >= 0.0
}

/// A sphere and another shape over one interval.
#[derive(Clone, Copy, Debug)]
pub struct F32Pair<'r> {
    pub radius: f64,
    pub ball: Motion,
    pub other: &'r Shape,
    pub motion: Motion,
    /// The triangle, if the other is a mesh.
    pub triangle: Option<u32>,
}

/// Results in `f32`. Gaps in metres, negative in overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct F32Answer {
    pub start: f32,
    pub end: f32,
    /// The sweep hits.
    pub hits: bool,
    /// It ends at or past the other's centre, along the motion: a push there leads out on the far side.
    pub past: bool,
}

impl F32Answer {
    /// Whether two results differ in kind, whatever their digits.
    pub fn differs(&self, other: &Self) -> bool {
        let summary = |answer: &Self| {
            let overlaps = answer.end <= 0.0;
            (
                answer.start <= 0.0,
                overlaps,
                answer.hits,
                overlaps && answer.past,
            )
        };
        summary(self) != summary(other)
    }
}

impl F32Pair<'_> {
    /// The results with everything moved by `-origin` before rounding; `None` for a shape that is not supported.
    pub fn answer(&self, origin: DVec3) -> Option<F32Answer> {
        let start = self.gap(origin, 0.0)?;
        let end = self.gap(origin, 1.0)?;
        Some(F32Answer {
            start,
            end,
            hits: self.hits(origin)?,
            past: is_past(&moved(&self.ball, origin), &moved(&self.motion, origin)),
        })
    }

    /// Both poses are rounded at the ends of the step, and interpolated by `a + (b - a) t`.
    fn gap(&self, origin: DVec3, share: f32) -> Option<f32> {
        let at = |motion: &Motion| {
            let rounded = |pose: &Pose| (pose.position - origin).as_vec3();
            let (from, to) = (rounded(&motion.start), rounded(&motion.end));
            match share {
                0.0 => from,
                1.0 => to,
                share => from + (to - from) * share,
            }
        };
        let pose = self.motion.pose(f64::from(share));
        let rotation = pose.rotation.as_quat();
        let local = self.local(&pose, origin)?;
        gap(
            at(&self.ball),
            self.radius as f32,
            &local,
            at(&self.motion),
            rotation,
        )
    }

    fn hits(&self, origin: DVec3) -> Option<bool> {
        let travel = (self.ball.displacement() - self.motion.displacement())
            .as_vec3()
            .length();
        let mut share = 0.0_f32;
        for _ in 0..STEPS {
            let gap = self.gap(origin, share)?;
            if gap <= 0.0 {
                return Some(true);
            }
            let next = share + gap / travel;
            if next >= 1.0 || next.is_nan() {
                return Some(false);
            }
            if next == share {
                return Some(true);
            }
            share = next;
        }
        Some(true)
    }

    fn local(&self, pose: &Pose, origin: DVec3) -> Option<Local> {
        // Corners in the world, as a level's mesh is stored.
        let corners = |triangle: &Triangle| {
            let corners = [triangle.a, triangle.b, triangle.c];
            Local::Triangle(corners.map(|corner| (pose.point(corner) - origin).as_vec3()))
        };
        Some(match self.other {
            Shape::Sphere { radius } => Local::Ball(*radius as f32),
            Shape::Box { half_extents } => Local::Box(half_extents.as_vec3()),
            Shape::Plane(plane) => Local::Plane(plane.normal.as_vec3(), plane.offset as f32),
            Shape::Triangle(triangle) => corners(triangle),
            Shape::Mesh(mesh) => corners(&mesh.triangle(self.triangle?)),
            Shape::Segment(_) | Shape::Capsule(_) | Shape::Solid(_) | Shape::Compound(_) => {
                return None;
            }
        })
    }
}

enum Local {
    Ball(f32),
    Box(Vec3),
    Plane(Vec3, f32),
    /// In the world.
    Triangle([Vec3; 3]),
}

fn gap(center: Vec3, radius: f32, other: &Local, at: Vec3, rotation: Quat) -> Option<f32> {
    Some(match other {
        Local::Ball(other) => (center - at).length() - radius - other,
        Local::Box(half) => {
            let local = rotation.conjugate() * (center - at);
            let nearest = local.clamp(-*half, *half);
            if nearest == local {
                -(*half - local.abs()).min_element() - radius
            } else {
                (local - nearest).length() - radius
            }
        }
        Local::Plane(normal, offset) => {
            let normal = rotation * *normal;
            normal.dot(center) - (offset + normal.dot(at)) - radius
        }
        Local::Triangle(corners) => {
            (center - closest_on_triangle(center, *corners)).length() - radius
        }
    })
}

/// Ericson 2005, 5.1.5.
fn closest_on_triangle(p: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        return b + (c - b) * ((d4 - d3) / ((d4 - d3) + (d5 - d6)));
    }
    let sum = 1.0 / (va + vb + vc);
    a + ab * (vb * sum) + ac * (vc * sum)
}

/// The distance of neighbouring `f32` numbers at a coordinate, metres.
pub fn spacing(coordinate: f64) -> f64 {
    let rounded = coordinate.abs() as f32;
    f64::from(rounded.next_up()) - f64::from(rounded)
}

/// Share of a step below which neighbouring `f32` numbers cannot stop a body (no unit): engines divide a step into some substeps.
const FROZEN_SHARE: f64 = 0.125;

/// A step along one axis that rounding takes from a body of a log.
pub struct LostStep {
    /// On that axis, metres.
    pub coordinate: f64,
    /// Of neighbouring `f32` numbers there, metres.
    pub spacing: f64,
    /// Along the axis, metres per second.
    pub speed: f64,
    /// Metres.
    pub step: f64,
}

/// The longest step that a body does not take because of rounding: on that axis it stays exactly where it is, while it has a velocity. The
/// others may change: gravity and contacts work on numbers that are small.
pub fn lost_step(
    object: &Object,
    (start, end): (&BodyState, &BodyState),
    dt: f64,
) -> Option<LostStep> {
    if !object.is_pushable() || start.asleep || end.teleported {
        return None;
    }
    let [from, to] = [start, end].map(|body| body.pose.position.to_array());
    let (before, after) = (start.velocity?.to_array(), end.velocity?.to_array());
    let least = SINGLE_SHARE * object.shape.inner_radius();
    let of_axis = |axis: usize| {
        // A body that is kicked at the end of the frame has not moved yet.
        let keeps_on = before[axis] * after[axis] > 0.0;
        let speed = before[axis].abs().min(after[axis].abs());
        let (coordinate, step) = (to[axis].abs(), speed * dt);
        let spacing = spacing(coordinate);
        let is_lost = step > least && spacing >= FROZEN_SHARE * step && spacing.is_finite();
        (from[axis] == to[axis] && keeps_on && is_lost).then_some(LostStep {
            coordinate,
            spacing,
            speed,
            step,
        })
    };
    (0..3)
        .filter_map(of_axis)
        .max_by(|one, other| one.step.total_cmp(&other.step))
}

/// The power of two below which neighbouring `f32` numbers are no farther apart than `step` metres.
pub fn farthest(step: f64) -> f64 {
    // A number in [2^e, 2^(e+1)) has neighbours 2^(e-23) away.
    (step.log2().floor() + 24.0).exp2()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::{Facing, Plane};

    #[test]
    fn neighbours_of_f32() {
        assert_eq!(spacing(1.0), 2f64.powi(-23));
        assert_eq!(spacing(1e6), 0.0625);
        assert_eq!(spacing(-16_777_216.0), 2.0);
        // A thousandth of a metre is more than 2^-10: up to 2^14 metres.
        assert_eq!(farthest(0.001), 16384.0);
        assert!(spacing(16383.0) <= 0.001 && spacing(16384.0) > 0.001);
    }

    #[test]
    fn gaps_near_the_origin_are_right() {
        let f32_pair = |other: &Shape, x: f64| {
            let ball = Motion::still(Pose::at(DVec3::new(x, 0.25, 0.0)));
            let still = Motion::still(Pose::IDENTITY);
            let f32_pair = F32Pair {
                radius: 0.5,
                ball,
                other,
                motion: still,
                triangle: None,
            };
            f32_pair.answer(DVec3::ZERO).unwrap().start
        };
        let wall = Shape::Box {
            half_extents: DVec3::ONE,
        };
        assert_eq!(f32_pair(&wall, 2.0), 0.5);
        assert_eq!(f32_pair(&wall, 0.5), -1.0);
        let plane = Shape::Plane(Plane {
            normal: DVec3::X,
            offset: 1.0,
        });
        assert_eq!(f32_pair(&plane, 1.0), -0.5);
        let triangle = Shape::Triangle(Triangle {
            a: DVec3::NEG_Z,
            b: DVec3::Z,
            c: DVec3::Y,
            facing: Facing::Both,
        });
        assert_eq!(f32_pair(&triangle, 0.75), 0.25);
    }

    /// Two balls of 0.5 and 0.25 m whose centres, both off the origin, are 2 m apart.
    #[test]
    fn the_gap_of_two_balls_is_between_their_positions() {
        let other = Shape::Sphere { radius: 0.25 };
        let f32_pair = F32Pair {
            radius: 0.5,
            ball: Motion::still(Pose::at(DVec3::X)),
            other: &other,
            motion: Motion::still(Pose::at(DVec3::X * 3.0)),
            triangle: None,
        };
        assert_eq!(f32_pair.answer(DVec3::ZERO).unwrap().start, 1.25);
    }

    /// A level's mesh has its corners in the world: 4 cm beyond a million metres. The ball's centre is 14 cm before it.
    #[test]
    fn corners_of_the_world_are_moved_before_they_are_rounded() {
        let corner = |y: f64, z: f64| DVec3::new(1e6 + 0.04, y, z);
        let triangle = Shape::Triangle(Triangle {
            a: corner(0.0, -1.0),
            b: corner(0.0, 1.0),
            c: corner(1.0, 0.0),
            facing: Facing::Both,
        });
        let f32_pair = F32Pair {
            radius: 0.1,
            ball: Motion::still(Pose::at(DVec3::new(1e6 - 0.1, 0.25, 0.0))),
            other: &triangle,
            motion: Motion::still(Pose::IDENTITY),
            triangle: None,
        };
        let near = f32_pair.answer(DVec3::new(1e6, 0.0, 0.0)).unwrap();
        assert!((near.start - 0.04).abs() < 1e-6, "{near:?}");
        // To sixteenths: 0.0625 and -0.125.
        let far = f32_pair.answer(DVec3::ZERO).unwrap();
        assert!((far.start - 0.0875).abs() < 1e-6, "{far:?}");
    }

    /// A ball 2 cm deep in a wall at a million metres, where neighbouring numbers are 6.25 cm apart.
    #[test]
    fn far_out_the_answer_is_another() {
        let wall = Shape::Box {
            half_extents: DVec3::new(0.5, 5.0, 5.0),
        };
        let f32_pair = F32Pair {
            radius: 0.1,
            // Overlaps by 0.02 m: the wall's face is 0.5 m before its centre, the ball's centre 0.58.
            ball: Motion::still(Pose::at(DVec3::new(1e6 - 0.58, 0.0, 0.0))),
            other: &wall,
            motion: Motion::still(Pose::at(DVec3::new(1e6, 0.0, 0.0))),
            triangle: None,
        };
        let near = f32_pair.answer(DVec3::new(1e6, 0.0, 0.0)).unwrap();
        let far = f32_pair.answer(DVec3::ZERO).unwrap();
        assert!((near.start + 0.02).abs() < 1e-6, "{near:?}");
        // 0.58 is rounded to 9 steps below a million: 0.5625, deeper in; below a million the steps are the same.
        assert!((far.start - (0.5625 - 0.6)).abs() < 1e-6, "{far:?}");
    }

    /// Of a right triangle and of another, the corners, the edges and the face, with the corners in every order.
    #[test]
    fn the_nearest_point_of_a_triangle_in_each_of_its_seven_regions() {
        let right = [Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 3.0];
        let other = [Vec3::ZERO, Vec3::X * 4.0, Vec3::new(1.0, 3.0, 0.0)];
        for (corners, point, nearest) in [
            (right, [-1.0, -2.0, 1.0], [0.0, 0.0, 0.0]),
            (right, [6.0, -1.0, 1.0], [4.0, 0.0, 0.0]),
            (right, [-1.0, 5.0, 1.0], [0.0, 3.0, 0.0]),
            (right, [1.0, -2.0, 2.0], [1.0, 0.0, 0.0]),
            (right, [-2.0, 2.0, 1.0], [0.0, 2.0, 0.0]),
            // A quarter along the hypotenuse, and 5 m out.
            (right, [6.0, 4.75, 0.0], [3.0, 0.75, 0.0]),
            // 2.8 m along it from the second corner, and 0.4 m out.
            (right, [2.0, 2.0, 0.0], [1.76, 1.68, 0.0]),
            (right, [1.0, 1.5, 5.0], [1.0, 1.5, 0.0]),
            (other, [-1.0, -1.0, 2.0], [0.0, 0.0, 0.0]),
            (other, [6.0, -1.0, 1.0], [4.0, 0.0, 0.0]),
            (other, [5.0, 0.5, 0.0], [4.0, 0.0, 0.0]),
            (other, [1.0, 5.0, 0.0], [1.0, 3.0, 0.0]),
            (other, [2.0, -1.0, 1.0], [2.0, 0.0, 0.0]),
            (other, [3.0, -2.0, 0.0], [3.0, 0.0, 0.0]),
            (other, [-1.0, 2.0, 0.0], [0.5, 1.5, 0.0]),
            (other, [4.5, 2.5, 0.0], [3.0, 1.0, 0.0]),
            (other, [1.5, 1.0, 5.0], [1.5, 1.0, 0.0]),
            (other, [2.5, 0.5, -3.0], [2.5, 0.5, 0.0]),
        ] {
            let [a, b, c] = corners;
            for corners in [
                [a, b, c],
                [a, c, b],
                [b, a, c],
                [b, c, a],
                [c, a, b],
                [c, b, a],
            ] {
                let got = closest_on_triangle(Vec3::from(point), corners);
                let off = got.distance(Vec3::from(nearest));
                assert!(off < 1e-6, "{point:?} {corners:?}: {got}");
            }
        }
    }

    /// Past the middle, at it, and before it; one at rest goes nowhere.
    #[test]
    fn what_ends_at_the_middle_is_past_it() {
        let wall = Motion::still(Pose::IDENTITY);
        for (from, to, expected) in [
            (-1.0, 1.0, true),
            (-1.0, 0.0, true),
            (-1.0, -0.5, false),
            (1.0, 1.0, false),
        ] {
            let ball = Motion {
                start: Pose::at(DVec3::X * from),
                end: Pose::at(DVec3::X * to),
            };
            assert_eq!(is_past(&ball, &wall), expected, "{from} to {to}");
        }
    }

    /// At 2^24 m neighbouring numbers are 2 m apart: a ball of 0.1 m does not move there by 1/64 m, which is more than a hundredth of its radius. A step
    /// of half a thousandth is not missed.
    #[test]
    fn a_step_far_out_is_lost() {
        let ball = Object::new("ball", Shape::Sphere { radius: 0.1 }, DVec3::ZERO);
        let lost = |speed: f64| {
            let body = BodyState {
                pose: Pose::at(DVec3::X * 16_777_216.0),
                velocity: Some(DVec3::X * speed),
                spin: None,
                asleep: false,
                teleported: false,
            };
            lost_step(&ball, (&body, &body), 1.0 / 64.0).map(|lost| (lost.spacing, lost.step))
        };
        assert_eq!(lost(1.0), Some((2.0, 1.0 / 64.0)));
        assert_eq!(lost(0.032), None);
    }

    /// A ball of 0.5 m past a cube of half 1 m: through it, over it by 0.25 m, and up to 0.5 m before it.
    #[test]
    fn a_sweep_hits_what_is_in_its_way() {
        let wall = Shape::Box {
            half_extents: DVec3::ONE,
        };
        for (y, end, hits) in [(0.0, 3.0, true), (1.75, 3.0, false), (0.0, -2.0, false)] {
            let f32_pair = F32Pair {
                radius: 0.5,
                ball: Motion {
                    start: Pose::at(DVec3::new(-3.0, y, 0.0)),
                    end: Pose::at(DVec3::new(end, y, 0.0)),
                },
                other: &wall,
                motion: Motion::still(Pose::IDENTITY),
                triangle: None,
            };
            let answer = f32_pair.answer(DVec3::ZERO).unwrap();
            assert_eq!(answer.hits, hits, "{y} to {end}");
        }
    }
}
