//! The map from world to screen and back: a point to a pixel, a pixel to a ray.

use crate::core::shape::{Pose, Segment};
use glam::{DMat3, DQuat, DVec2, DVec3};

/// The projection of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Size falls with distance.
    Perspective {
        /// Tangent of half the vertical field of view.
        tangent: f64,
    },
    /// Size does not depend on distance.
    Orthographic {
        /// Half the height of the viewport, metres.
        half_height: f64,
    },
}

/// A camera and the size of its viewport. View space: x right, y up, looking along -z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Position of the camera, world, metres.
    pub eye: DVec3,
    /// The point that the camera orbits, world, metres.
    pub target: DVec3,
    /// Rotation from view space to the world, unit.
    pub world_from_view: DQuat,
    /// Perspective or orthographic.
    pub projection: Projection,
    /// Width and height in points, each at least 1.
    pub size: DVec2,
}

impl View {
    /// The view of a camera (it looks along its -z) with a vertical field of view in radians.
    pub fn of_camera(pose: &Pose, fov: f64, size: DVec2) -> Self {
        Self {
            eye: pose.position,
            target: pose.point(DVec3::NEG_Z),
            world_from_view: pose.rotation,
            projection: Projection::Perspective {
                tangent: (fov * 0.5).tan(),
            },
            size: size.max(DVec2::ONE),
        }
    }

    /// Metres from the eye to its target.
    pub fn distance(&self) -> f64 {
        (self.eye - self.target).length()
    }

    /// Distance of the near plane in perspective, metres along the view.
    pub fn near(&self) -> f64 {
        (self.distance() * 1e-3).max(1e-6)
    }

    /// A world point in view space.
    pub fn to_view(&self, world: DVec3) -> DVec3 {
        self.world_from_view.conjugate() * (world - self.eye)
    }

    /// The view's right, up and backward directions in the world, as columns.
    pub fn axes(&self) -> DMat3 {
        DMat3::from_quat(self.world_from_view)
    }

    /// The screen position of a world point, in points from the top left corner; `None` behind the near plane or not finite.
    pub fn project(&self, world: DVec3) -> Option<DVec2> {
        let view = self.to_view(world);
        let half_height = match self.projection {
            Projection::Perspective { tangent } => {
                if -view.z <= self.near() {
                    return None;
                }
                tangent * -view.z
            }
            Projection::Orthographic { half_height } => half_height,
        };
        let scale = self.size.y * 0.5 / half_height;
        let point = DVec2::new(
            self.size.x * 0.5 + view.x * scale,
            self.size.y * 0.5 - view.y * scale,
        );
        point.is_finite().then_some(point)
    }

    /// Metres that one point of the screen covers at a world point; never zero or negative.
    pub fn metres_per_point(&self, world: DVec3) -> f64 {
        let half_height = match self.projection {
            Projection::Perspective { tangent } => {
                tangent * (-self.to_view(world).z).max(self.near())
            }
            Projection::Orthographic { half_height } => half_height,
        };
        half_height * 2.0 / self.size.y
    }

    /// The ray through a screen point, as a segment from the eye to `length` metres along it; orthographic from `length` metres behind
    /// the eye's plane to as far ahead of it.
    pub fn ray(&self, point: DVec2, length: f64) -> Segment {
        let x = (point.x - self.size.x * 0.5) / (self.size.y * 0.5);
        let y = (self.size.y * 0.5 - point.y) / (self.size.y * 0.5);
        match self.projection {
            Projection::Perspective { tangent } => {
                let along = DVec3::new(x * tangent, y * tangent, -1.0);
                let along = along.try_normalize().unwrap_or(DVec3::NEG_Z);
                Segment {
                    a: self.eye,
                    b: self.eye + self.world_from_view * along * length,
                }
            }
            Projection::Orthographic { half_height } => {
                let across = DVec3::new(x * half_height, y * half_height, 0.0);
                let origin = self.eye + self.world_from_view * across;
                let along = self.world_from_view * DVec3::NEG_Z;
                Segment {
                    a: origin - along * length,
                    b: origin + along * length,
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(projection: Projection) -> View {
        View {
            eye: DVec3::new(1e7 + 3.0, 2.0, 8.0),
            target: DVec3::new(1e7, 1.0, 0.0),
            world_from_view: DQuat::from_euler(glam::EulerRot::YXZ, 0.4, -0.2, 0.0),
            projection,
            size: DVec2::new(900.0, 600.0),
        }
    }

    #[test]
    fn ray_passes_through_the_point_that_projects_there() {
        for projection in [
            Projection::Perspective { tangent: 0.4 },
            Projection::Orthographic { half_height: 3.0 },
        ] {
            let view = view(projection);
            for local in [
                DVec3::new(0.3, -0.2, -5.0),
                DVec3::new(-1.0, 0.7, -9.0),
                DVec3::new(0.0, 0.0, -2.0),
            ] {
                let world = view.eye + view.world_from_view * local;
                let screen = view.project(world).expect("in front of the eye");
                let ray = view.ray(screen, 100.0);
                let along = (ray.b - ray.a).try_normalize().expect("a direction");
                let off = (world - ray.a).cross(along).length();
                assert!(off < 1e-6, "{projection:?} {local} off by {off}");
            }
        }
    }

    #[test]
    fn screen_axes_follow_the_view_axes() {
        let view = view(Projection::Perspective { tangent: 0.4 });
        let at = |x, y| {
            view.project(view.eye + view.world_from_view * DVec3::new(x, y, -4.0))
                .expect("in front")
        };
        assert!(at(1.0, 0.0).x > at(0.0, 0.0).x);
        assert!(at(0.0, 1.0).y < at(0.0, 0.0).y);
        // Four metres away, the half height is 4 * 0.4 = 1.6 metres for 300 points.
        assert!((at(0.0, 1.6).y - 0.0).abs() < 1e-6);
        let metres = view.metres_per_point(view.eye + view.world_from_view * DVec3::NEG_Z * 4.0);
        assert!((metres - 1.6 / 300.0).abs() < 1e-12);
    }

    #[test]
    fn points_behind_the_eye_do_not_project() {
        let view = view(Projection::Perspective { tangent: 0.4 });
        assert_eq!(
            view.project(view.eye + view.world_from_view * DVec3::Z),
            None
        );
        assert_eq!(view.project(DVec3::NAN), None);
    }
}
