//! The orbit camera: rotates around a target, pans, zooms to the pointer, flies, and animates between views.

use super::view::{Projection, View};
use crate::core::shape::{Aabb, Pose};
use glam::{DQuat, DVec2, DVec3, EulerRot};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Vertical field of view, radians (40 degrees): a compromise of distortion at the border and sense of depth.
const FIELD_OF_VIEW: f64 = 0.698;
/// Least and greatest distance from the target, metres.
const DISTANCES: (f64, f64) = (1e-4, 1e9);

/// Distance from a single point, metres.
const FROM_A_POINT: f64 = 0.02;
/// Greatest pitch, radians; keeps "up" defined.
const MAX_PITCH: f64 = FRAC_PI_2 - 1e-4;
/// Rotation per point of drag, radians: half a turn over 600 points.
const ROTATION: f64 = TAU / 1200.0;
/// Duration of the animation between two views, seconds.
const ANIMATION: f64 = 0.35;

/// A view around a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Orbit {
    /// The point that the camera orbits, world, metres.
    pub target: DVec3,
    /// Angle around +Y, radians; 0 looks along -Z.
    pub yaw: f64,
    /// Angle up, radians, less than a right angle.
    pub pitch: f64,
    /// Distance from the target, metres, > 0.
    pub distance: f64,
    /// True for orthographic, false for perspective.
    pub orthographic: bool,
    /// The drawing of a finding: orthographic until the view is turned.
    pub edge_on: bool,
}

impl Default for Orbit {
    fn default() -> Self {
        Self {
            target: DVec3::ZERO,
            yaw: 0.6,
            pitch: -0.4,
            distance: 12.0,
            orthographic: false,
            edge_on: false,
        }
    }
}

impl Orbit {
    /// The same view straight from the front, as a drawing of a flat level.
    #[must_use]
    pub fn as_drawing(&self) -> Self {
        Self {
            yaw: 0.0,
            pitch: 0.0,
            orthographic: true,
            ..*self
        }
    }

    /// The rotation from view space to the world.
    pub fn world_from_view(&self) -> DQuat {
        DQuat::from_euler(EulerRot::YXZ, self.yaw, self.pitch, 0.0)
    }

    /// The camera's position, world, metres.
    pub fn eye(&self) -> DVec3 {
        self.target + self.world_from_view() * DVec3::Z * self.distance
    }

    /// The camera's pose, looking along local -Z.
    pub fn pose(&self) -> Pose {
        Pose {
            position: self.eye(),
            rotation: self.world_from_view(),
        }
    }

    /// The view of an upright camera, with the target one metre ahead of it.
    pub fn from_camera(pose: &Pose) -> Self {
        let (yaw, pitch, _) = pose.rotation.to_euler(EulerRot::YXZ);
        let distance = 1.0;
        Self {
            target: pose.position + pose.rotation * DVec3::NEG_Z * distance,
            yaw,
            pitch,
            distance,
            orthographic: false,
            edge_on: false,
        }
    }

    /// The view for a viewport of this size in points.
    pub fn view(&self, size: DVec2) -> View {
        let tangent = (FIELD_OF_VIEW * 0.5).tan();
        View {
            eye: self.eye(),
            target: self.target,
            world_from_view: self.world_from_view(),
            projection: if self.is_orthographic() {
                Projection::Orthographic {
                    half_height: self.distance * tangent,
                }
            } else {
                Projection::Perspective { tangent }
            },
            size: size.max(DVec2::ONE),
        }
    }

    /// Whether it is drawn without perspective.
    pub fn is_orthographic(&self) -> bool {
        self.orthographic || self.edge_on
    }

    /// The other of orthographic and perspective.
    #[must_use]
    pub fn with_other_projection(&self) -> Self {
        Self {
            orthographic: !self.is_orthographic(),
            edge_on: false,
            ..*self
        }
    }

    /// Rotates around the target by a drag in points.
    pub fn rotate(&mut self, drag: DVec2) {
        self.edge_on = false;
        self.yaw -= drag.x * ROTATION;
        self.pitch = (self.pitch - drag.y * ROTATION).clamp(-MAX_PITCH, MAX_PITCH);
    }

    /// Rotates around the eye by a drag in points; the target moves.
    pub fn look_around(&mut self, drag: DVec2) {
        let eye = self.eye();
        self.rotate(drag * 0.6);
        self.target = eye - self.world_from_view() * DVec3::Z * self.distance;
    }

    /// Moves in the view plane so that the point under the pointer, at the target's depth, stays under it.
    pub fn pan(&mut self, drag: DVec2, size: DVec2) {
        let metres = self.view(size).metres_per_point(self.target);
        self.target += self.world_from_view() * DVec3::new(-drag.x, drag.y, 0.0) * metres;
    }

    /// Divides the distance by `factor`, and keeps the point under the pointer in place.
    pub fn zoom(&mut self, factor: f64, cursor: DVec2, size: DVec2) {
        if !(factor.is_finite() && factor > 0.0) {
            return;
        }
        let before = self.distance;
        self.distance = clamped(self.distance / factor);
        let half_height = before * (FIELD_OF_VIEW * 0.5).tan();
        let off = (cursor - size * 0.5) / (size.y.max(1.0) * 0.5);
        let under = self.world_from_view() * DVec3::new(off.x, -off.y, 0.0) * half_height;
        self.target += under * (1.0 - self.distance / before);
    }

    /// Moves eye and target along `direction` (view space) for some seconds.
    pub fn fly(&mut self, direction: DVec3, seconds: f64, fast: bool) {
        self.edge_on = false;
        let speed = self.distance * if fast { 3.0 } else { 0.8 };
        self.target += self.world_from_view() * direction * speed * seconds;
    }

    /// The view in the same direction in which a box fills nine tenths of the viewport.
    #[must_use]
    pub fn framing(&self, bounds: Aabb, size: DVec2) -> Self {
        let (center, half) = (bounds.center(), bounds.half_extents());
        if !(half.is_finite() && center.is_finite()) {
            return *self;
        }
        let tangent = (FIELD_OF_VIEW * 0.5).tan() * 0.9;
        let wide = tangent * (size.x / size.y.max(1.0)).max(0.1);
        // A corner (x, y, z) of the rotated box is inside if |x| <= wide (distance - z), and likewise for y.
        let view_from_world = self.world_from_view().conjugate();
        let distances = bounds.corners().map(|corner| {
            let corner = view_from_world * (corner - center);
            corner.z + (corner.x.abs() / wide).max(corner.y.abs() / tangent)
        });
        let distance = distances
            .into_iter()
            .fold(0.0, f64::max)
            .max(half.length() * 1.2);
        Self {
            target: center,
            distance: clamped(distance),
            edge_on: false,
            ..*self
        }
    }

    /// The same view at the distance where a half width and height (metres, at the target) fit into the viewport.
    #[must_use]
    pub fn fitting(&self, half: DVec2, size: DVec2) -> Self {
        let tangent = (FIELD_OF_VIEW * 0.5).tan();
        let wide = tangent * (size.x / size.y.max(1.0)).max(0.1);
        let distance = (half.x / wide).max(half.y / tangent);
        Self {
            distance: clamped(distance),
            ..*self
        }
    }

    /// The same view with a pitch of zero.
    #[must_use]
    pub fn looking_level(&self) -> Self {
        Self {
            pitch: 0.0,
            ..*self
        }
    }

    /// The view along a direction (world, need not be unit), around the same target; unchanged for zero.
    #[must_use]
    pub fn looking(&self, along: DVec3) -> Self {
        let Some(along) = along.try_normalize() else {
            return *self;
        };
        let horizontal = DVec2::new(along.x, along.z);
        Self {
            yaw: if horizontal.length() > 1e-6 {
                f64::atan2(-along.x, -along.z)
            } else {
                self.yaw
            },
            pitch: along.y.clamp(-1.0, 1.0).asin().clamp(-MAX_PITCH, MAX_PITCH),
            edge_on: false,
            ..*self
        }
    }

    /// The view between this one at 0 and the other at 1; yaw takes the shorter arc.
    #[must_use]
    pub fn interpolate(&self, other: &Self, fraction: f64) -> Self {
        if fraction >= 1.0 {
            return *other;
        }
        let turn = (other.yaw - self.yaw + TAU * 0.5).rem_euclid(TAU) - TAU * 0.5;
        Self {
            target: self.target.lerp(other.target, fraction),
            yaw: self.yaw + turn * fraction,
            pitch: self.pitch + (other.pitch - self.pitch) * fraction,
            distance: self.distance * (other.distance / self.distance).powf(fraction),
            orthographic: other.orthographic,
            edge_on: other.edge_on,
        }
    }
}

/// An animation from one view to another.
#[derive(Clone, Copy, Debug)]
pub struct Animation {
    from: Orbit,
    to: Orbit,
    /// Seconds since the start.
    elapsed: f64,
}

impl Animation {
    /// An animation that starts now.
    pub fn new(from: Orbit, to: Orbit) -> Self {
        Self {
            from,
            to,
            elapsed: 0.0,
        }
    }

    /// Moves both views.
    pub fn shift(&mut self, by: DVec3) {
        self.from.target += by;
        self.to.target += by;
    }

    /// The final view.
    pub fn to(&self) -> Orbit {
        self.to
    }

    /// Advances by some seconds; returns the view, and whether the animation has ended.
    pub fn step(&mut self, seconds: f64) -> (Orbit, bool) {
        self.elapsed += seconds.clamp(0.0, 0.1);
        let fraction = (self.elapsed / ANIMATION).min(1.0);
        let eased = fraction * fraction * (3.0 - 2.0 * fraction);
        (self.from.interpolate(&self.to, eased), fraction >= 1.0)
    }
}

fn clamped(distance: f64) -> f64 {
    let distance = if distance > 0.0 {
        distance
    } else {
        FROM_A_POINT
    };
    distance.clamp(DISTANCES.0, DISTANCES.1)
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
    fn the_view_from_a_camera_has_its_pose() {
        let camera = Pose {
            position: DVec3::new(3.0, 1.5, -2.0),
            rotation: DQuat::from_euler(EulerRot::YXZ, 2.1, -0.7, 0.0),
        };
        let pose = Orbit::from_camera(&camera).pose();
        assert!(close(pose.position, camera.position));
        assert!(close(
            pose.rotation * DVec3::NEG_Z,
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
    fn looking_around_keeps_the_eye_in_place() {
        let mut orbit = Orbit::default();
        let eye = orbit.eye();
        orbit.look_around(DVec2::new(90.0, -20.0));
        assert!(close(orbit.eye(), eye));
    }

    #[test]
    fn framing_fits_the_box_and_fills_the_viewport() {
        let bounds = Aabb {
            min: DVec3::new(3.0, 0.0, -1.0),
            max: DVec3::new(7.0, 2.0, 1.0),
        };
        let orbit = Orbit::default().framing(bounds, SIZE);
        let view = orbit.view(SIZE);
        let mut filled = 0.0_f64;
        for corner in bounds.corners() {
            let point = view.project(corner).expect("in front");
            assert!(point.cmpge(DVec2::ZERO).all() && point.cmple(SIZE).all());
            filled = filled.max(((point - SIZE * 0.5) / (SIZE * 0.5)).abs().max_element());
        }
        assert!(filled > 0.5, "{filled}");
    }

    #[test]
    fn an_animation_ends_exactly_and_takes_the_shorter_arc() {
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
        let mut animation = Animation::new(from, to);
        let (middle, done) = animation.step(0.1);
        assert!(!done && middle.yaw > 3.0 && middle.yaw < 3.3);
        for _ in 0..10 {
            animation.step(0.1);
        }
        assert_eq!(animation.step(0.0), (to, true));
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
