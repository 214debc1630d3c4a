//! A box in any orientation.

use super::{Aabb, Pose};
use glam::{DMat3, DQuat, DVec3};

/// A rotated box.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obb {
    /// Metres.
    pub center: DVec3,
    /// Half the edge lengths along the box's own axes, metres, >= 0.
    pub half_extents: DVec3,
    /// Unit quaternion, box to world.
    pub rotation: DQuat,
}

impl Obb {
    /// The numbers of each face's corners (-x +x -y +y -z +z), counter-clockwise seen from outside.
    pub const FACES: [[usize; 4]; 6] = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];

    /// The frame in which the box is axis-aligned around the origin.
    pub fn pose(&self) -> Pose {
        Pose {
            position: self.center,
            rotation: self.rotation,
        }
    }

    /// The box's own axes in world space, unit, as columns.
    pub fn axes(&self) -> DMat3 {
        self.pose().axes()
    }

    /// The eight corners; bit 0, 1, 2 of the index choose the positive side of x, y, z.
    pub fn corners(&self) -> [DVec3; 8] {
        let pose = self.pose();
        std::array::from_fn(|index| {
            let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
            pose.point(self.half_extents * DVec3::new(side(0), side(1), side(2)))
        })
    }

    /// The tight box around it.
    pub fn aabb(&self) -> Aabb {
        let axes = self.axes();
        let reach = axes.x_axis.abs() * self.half_extents.x
            + axes.y_axis.abs() * self.half_extents.y
            + axes.z_axis.abs() * self.half_extents.z;
        Aabb {
            min: self.center - reach,
            max: self.center + reach,
        }
    }
}
