//! The looking camera: turns around a target, moves in the picture's plane, goes to the cursor, flies; glides between views.

use super::view::{Projection, View};
use crate::core::shape::{Aabb, Pose};
use glam::{DQuat, DVec2, DVec3, EulerRot};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Vertical field of view, radians (40 degrees): little distortion at the rim, still a sense of depth.
const FIELD_OF_VIEW: f64 = 0.698;
/// Closest and farthest, metres.
const DISTANCES: (f64, f64) = (1e-4, 1e9);
/// Looking straight down must leave "up" defined, radians.
const STEEPEST: f64 = FRAC_PI_2 - 1e-4;
/// Radians per point of drag: half a turn over 600 points.
const TURN: f64 = TAU / 1200.0;
/// Seconds of a glide from one view to another.
const GLIDE: f64 = 0.35;

/// A view around a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// World, metres.
    pub target: DVec3,
    /// Radians around +Y; 0 looks along -Z.
    pub yaw: f64,
    /// Radians, positive looks up; within a right angle.
    pub pitch: f64,
    /// Metres from the target, > 0.
    pub distance: f64,
    /// No perspective.
    pub orthographic: bool,
}

impl Default for Orbit {
    fn default() -> Self {
        Self {
            target: DVec3::ZERO,
            yaw: 0.6,
            pitch: -0.4,
            distance: 12.0,
            orthographic: false,
        }
    }
}

impl Orbit {
    /// Turns view directions into world directions.
    pub fn world_from_view(&self) -> DQuat {
        DQuat::from_euler(EulerRot::YXZ, self.yaw, self.pitch, 0.0)
    }

    /// World, metres.
    pub fn eye(&self) -> DVec3 {
        self.target + self.world_from_view() * DVec3::Z * self.distance
    }

    /// The eye as a camera: where it is, looking along local -Z.
    pub fn pose(&self) -> Pose {
        Pose {
            position: self.eye(),
            rotation: self.world_from_view(),
        }
    }

    /// The view of a camera that stands upright, turning around a point one metre ahead of it.
    pub fn through(pose: &Pose) -> Self {
        let (yaw, pitch, _) = pose.rotation.to_euler(EulerRot::YXZ);
        let distance = 1.0;
        Self {
            target: pose.position + pose.rotation * DVec3::NEG_Z * distance,
            yaw,
            pitch,
            distance,
            orthographic: false,
        }
    }

    /// The map from world to screen for a picture of this size in points.
    pub fn view(&self, size: DVec2) -> View {
        let tangent = (FIELD_OF_VIEW * 0.5).tan();
        View {
            eye: self.eye(),
            target: self.target,
            world_from_view: self.world_from_view(),
            projection: if self.orthographic {
                Projection::Orthographic {
                    half_height: self.distance * tangent,
                }
            } else {
                Projection::Perspective { tangent }
            },
            size: size.max(DVec2::ONE),
        }
    }

    /// Turns around the target by a drag in points.
    pub fn turn(&mut self, drag: DVec2) {
        self.yaw -= drag.x * TURN;
        self.pitch = (self.pitch - drag.y * TURN).clamp(-STEEPEST, STEEPEST);
    }

    /// Turns in place by a drag in points: the eye stays, the target moves.
    pub fn look_around(&mut self, drag: DVec2) {
        let eye = self.eye();
        self.turn(drag * 0.6);
        self.target = eye - self.world_from_view() * DVec3::Z * self.distance;
    }

    /// Moves in the picture's plane so that what is under the cursor (at the target's depth) stays under it.
    pub fn pan(&mut self, drag: DVec2, size: DVec2) {
        let metres = self.view(size).metres_per_point(self.target);
        self.target += self.world_from_view() * DVec3::new(-drag.x, drag.y, 0.0) * metres;
    }

    /// Closer by `factor` (> 1) or away (< 1), keeping the point under the cursor where it is.
    pub fn zoom(&mut self, factor: f64, cursor: DVec2, size: DVec2) {
        if !(factor.is_finite() && factor > 0.0) {
            return;
        }
        let before = self.distance;
        self.distance = (self.distance / factor).clamp(DISTANCES.0, DISTANCES.1);
        let half_height = before * (FIELD_OF_VIEW * 0.5).tan();
        let off = (cursor - size * 0.5) / (size.y.max(1.0) * 0.5);
        let under = self.world_from_view() * DVec3::new(off.x, -off.y, 0.0) * half_height;
        self.target += under * (1.0 - self.distance / before);
    }

    /// Moves eye and target together: `direction` in view space, `seconds` of flight.
    pub fn fly(&mut self, direction: DVec3, seconds: f64, fast: bool) {
        let speed = self.distance * if fast { 3.0 } else { 0.8 };
        self.target += self.world_from_view() * direction * speed * seconds;
    }

    /// Goes to a box so that it fills nine tenths of the picture, from the side it is seen from now.
    #[must_use]
    pub fn framing(&self, bounds: Aabb, size: DVec2) -> Self {
        let (center, half) = (bounds.center(), bounds.half_extents());
        if !(half.is_finite() && center.is_finite()) {
            return *self;
        }
        let tangent = (FIELD_OF_VIEW * 0.5).tan() * 0.9;
        let wide = tangent * (size.x / size.y.max(1.0)).max(0.1);
        // A corner at (x, y, z) of the turned box is inside when |x| <= wide (distance - z), and likewise for y.
        let view_from_world = self.world_from_view().conjugate();
        let distances = (0..8).map(|index| {
            let side = |bit: i32| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
            let corner = view_from_world * (half * DVec3::new(side(0), side(1), side(2)));
            corner.z + (corner.x.abs() / wide).max(corner.y.abs() / tangent)
        });
        let distance = distances.fold(0.0, f64::max).max(half.length() * 1.2);
        Self {
            target: center,
            distance: distance.max(0.02).clamp(DISTANCES.0, DISTANCES.1),
            ..*self
        }
    }

    /// Far enough from its target that half a width and height (metres, at the target) fit into the picture.
    #[must_use]
    pub fn holding(&self, half: DVec2, size: DVec2) -> Self {
        let tangent = (FIELD_OF_VIEW * 0.5).tan();
        let wide = tangent * (size.x / size.y.max(1.0)).max(0.1);
        let distance = (half.x / wide).max(half.y / tangent);
        Self {
            distance: distance.max(0.02).clamp(DISTANCES.0, DISTANCES.1),
            ..*self
        }
    }

    /// The same direction, neither up nor down.
    #[must_use]
    pub fn looking_level(&self) -> Self {
        Self {
            pitch: 0.0,
            ..*self
        }
    }

    /// Looks along a direction (world, need not be unit; kept when it is zero).
    #[must_use]
    pub fn looking(&self, along: DVec3) -> Self {
        let Some(along) = along.try_normalize() else {
            return *self;
        };
        let level = DVec2::new(along.x, along.z);
        Self {
            yaw: if level.length() > 1e-6 {
                f64::atan2(-along.x, -along.z)
            } else {
                self.yaw
            },
            pitch: along.y.clamp(-1.0, 1.0).asin().clamp(-STEEPEST, STEEPEST),
            ..*self
        }
    }

    /// Between two views: 0 is this one, 1 the other; turns the short way round.
    #[must_use]
    pub fn toward(&self, other: &Self, share: f64) -> Self {
        if share >= 1.0 {
            return *other;
        }
        let turn = (other.yaw - self.yaw + TAU * 0.5).rem_euclid(TAU) - TAU * 0.5;
        Self {
            target: self.target.lerp(other.target, share),
            yaw: self.yaw + turn * share,
            pitch: self.pitch + (other.pitch - self.pitch) * share,
            distance: self.distance * (other.distance / self.distance).powf(share),
            orthographic: other.orthographic,
        }
    }
}

/// A view on its way to another.
#[derive(Clone, Copy, Debug)]
pub struct Glide {
    from: Orbit,
    to: Orbit,
    /// Seconds so far.
    elapsed: f64,
}

impl Glide {
    /// Begins now.
    pub fn new(from: Orbit, to: Orbit) -> Self {
        Self {
            from,
            to,
            elapsed: 0.0,
        }
    }

    /// Where it ends.
    pub fn to(&self) -> Orbit {
        self.to
    }

    /// The view after some more seconds, and whether it has arrived.
    pub fn step(&mut self, seconds: f64) -> (Orbit, bool) {
        self.elapsed += seconds.clamp(0.0, 0.1);
        let share = (self.elapsed / GLIDE).min(1.0);
        let eased = share * share * (3.0 - 2.0 * share);
        (self.from.toward(&self.to, eased), share >= 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: DVec2 = DVec2::new(900.0, 600.0);

    fn close(a: DVec3, b: DVec3) -> bool {
        (a - b).length() < 1e-9
    }

    #[test]
    fn yaw_zero_looks_along_minus_z() {
        let orbit = Orbit {
            yaw: 0.0,
            pitch: 0.0,
            distance: 5.0,
            ..Orbit::default()
        };
        assert!(close(orbit.eye(), DVec3::new(0.0, 0.0, 5.0)));
        assert!(close(orbit.world_from_view() * DVec3::X, DVec3::X));
        let turned = orbit.looking(DVec3::NEG_X);
        assert!(close(turned.eye(), DVec3::new(5.0, 0.0, 0.0)));
    }

    #[test]
    fn through_a_camera_it_stands_and_looks_as_the_camera_does() {
        let camera = Pose {
            position: DVec3::new(3.0, 1.5, -2.0),
            rotation: DQuat::from_euler(EulerRot::YXZ, 2.1, -0.7, 0.0),
        };
        let seen = Orbit::through(&camera).pose();
        assert!(close(seen.position, camera.position));
        assert!(close(
            seen.rotation * DVec3::NEG_Z,
            camera.rotation * DVec3::NEG_Z
        ));
    }

    #[test]
    fn zoom_keeps_the_point_under_the_cursor() {
        let mut orbit = Orbit::default();
        let cursor = DVec2::new(700.0, 120.0);
        let before = orbit.view(SIZE);
        let ray = before.ray(cursor, 1.0);
        let along = ray.b - ray.a;
        let back = orbit.world_from_view() * DVec3::Z;
        let point = ray.a + along * ((orbit.target - ray.a).dot(back) / along.dot(back));
        orbit.zoom(1.7, cursor, SIZE);
        let after = orbit.view(SIZE).project(point).expect("in front");
        assert!((after - cursor).length() < 1e-6, "{after}");
        assert!((orbit.distance - 12.0 / 1.7).abs() < 1e-12);
    }

    #[test]
    fn pan_keeps_the_target_plane_under_the_cursor() {
        let mut orbit = Orbit::default();
        let target = orbit.target;
        orbit.pan(DVec2::new(40.0, -25.0), SIZE);
        let now = orbit.view(SIZE).project(target).expect("in front");
        assert!((now - SIZE * 0.5 - DVec2::new(40.0, -25.0)).length() < 1e-6);
    }

    #[test]
    fn looking_around_leaves_the_eye() {
        let mut orbit = Orbit::default();
        let eye = orbit.eye();
        orbit.look_around(DVec2::new(90.0, -20.0));
        assert!(close(orbit.eye(), eye));
    }

    #[test]
    fn framing_holds_the_box_and_fills_the_picture() {
        let bounds = Aabb {
            min: DVec3::new(3.0, 0.0, -1.0),
            max: DVec3::new(7.0, 2.0, 1.0),
        };
        let orbit = Orbit::default().framing(bounds, SIZE);
        let view = orbit.view(SIZE);
        let mut reach = 0.0_f64;
        for index in 0..8 {
            let pick = |bit: i32| index >> bit & 1 == 1;
            let corner = DVec3::new(
                if pick(0) { bounds.max.x } else { bounds.min.x },
                if pick(1) { bounds.max.y } else { bounds.min.y },
                if pick(2) { bounds.max.z } else { bounds.min.z },
            );
            let point = view.project(corner).expect("in front");
            assert!(point.cmpge(DVec2::ZERO).all() && point.cmple(SIZE).all());
            reach = reach.max(((point - SIZE * 0.5) / (SIZE * 0.5)).abs().max_element());
        }
        assert!(reach > 0.5, "{reach}");
    }

    #[test]
    fn glide_arrives_exactly_and_turns_the_short_way() {
        let from = Orbit {
            yaw: 3.0,
            ..Orbit::default()
        };
        let to = Orbit {
            yaw: -3.0,
            distance: 3.0,
            target: DVec3::new(1e7, 0.0, 0.0),
            ..from
        };
        let mut glide = Glide::new(from, to);
        let (middle, done) = glide.step(0.1);
        assert!(!done && middle.yaw > 3.0 && middle.yaw < 3.3);
        for _ in 0..10 {
            glide.step(0.1);
        }
        assert_eq!(glide.step(0.0), (to, true));
    }

    #[test]
    fn straight_down_keeps_up_defined() {
        let orbit = Orbit::default().looking(DVec3::NEG_Y);
        assert!(orbit.eye().is_finite());
        assert!(
            orbit
                .view(SIZE)
                .project(DVec3::new(1.0, 0.0, 0.0))
                .is_some()
        );
    }
}
