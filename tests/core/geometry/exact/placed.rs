//! Sweeps of placed shapes.

use glam::DVec3;
use hitstop::core::query::{Contact, SweepOutcome, contact, sweep};
use hitstop::core::shape::{Motion, Placed, Pose, Shape};

pub fn contact_placed(a: &Placed<'_>, b: &Placed<'_>) -> Option<Contact> {
    contact(a, b, &mut ())
}

/// The first moves by `d`, the second by `e`.
pub fn sweep_placed(a: &Placed<'_>, d: DVec3, b: &Placed<'_>, e: DVec3) -> SweepOutcome {
    let (one, other) = (moving(a, d), moving(b, e));
    sweep(&one.0, &one.1, &other.0, &other.1, &mut ()).outcome
}

/// The same against a shape at a pose that moves by `e`.
pub fn sweep_against(
    a: &Placed<'_>,
    d: DVec3,
    (shape, pose): (&Shape, &Pose),
    e: DVec3,
) -> SweepOutcome {
    let (one, motion) = moving(a, d);
    let other = Motion {
        start: *pose,
        end: Pose {
            position: pose.position + e,
            ..*pose
        },
    };
    sweep(&one, &motion, shape, &other, &mut ()).outcome
}

pub fn moving(placed: &Placed<'_>, displacement: DVec3) -> (Shape, Motion) {
    let (shape, start) = match *placed {
        Placed::Sphere(ball) => (
            Shape::Sphere {
                radius: ball.radius,
            },
            Pose::at(ball.center),
        ),
        Placed::Obb(obb) => (
            Shape::Box {
                half_extents: obb.half_extents,
            },
            obb.pose(),
        ),
        Placed::Segment(segment) => (Shape::Segment(segment), Pose::IDENTITY),
        Placed::Capsule(capsule) => (Shape::Capsule(capsule), Pose::IDENTITY),
        Placed::Triangle(triangle) => (Shape::Triangle(triangle), Pose::IDENTITY),
        Placed::Plane(plane) => (Shape::Plane(plane), Pose::IDENTITY),
        Placed::Mesh(..) | Placed::Solid(..) | Placed::Compound(..) => {
            unreachable!("these are swept as shapes")
        }
    };
    let end = Pose {
        position: start.position + displacement,
        ..start
    };
    (shape, Motion { start, end })
}
