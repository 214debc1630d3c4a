//! An axis-aligned box.

use super::{Obb, Pose};
use crate::core::tolerance::SWEPT_BOX_MARGIN;
use glam::{BVec3, DVec3};

/// Points with `min <= p <= max` on every axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aabb {
    /// Metres; component-wise <= `max`.
    pub min: DVec3,
    /// Metres.
    pub max: DVec3,
}

impl Aabb {
    /// A box that meets nothing, not even itself: for what is absent or not finite.
    pub const NOWHERE: Self = Self {
        min: DVec3::NAN,
        max: DVec3::NAN,
    };

    /// The box of some points; `None` for no points, which have no box. Coordinates that are no number are left out.
    pub fn of_points(points: impl IntoIterator<Item = DVec3>) -> Option<Self> {
        let mut points = points.into_iter();
        let first = points.next()?;
        Some(points.fold(
            Self {
                min: first,
                max: first,
            },
            |aabb, point| Self {
                min: aabb.min.min(point),
                max: aabb.max.max(point),
            },
        ))
    }

    /// The middle.
    pub fn center(&self) -> DVec3 {
        self.min + (self.max - self.min) * 0.5
    }

    /// Half the edge lengths.
    pub fn half_extents(&self) -> DVec3 {
        (self.max - self.min) * 0.5
    }

    /// Its eight corners; the bits of an index choose the greater sides along x, y and z.
    pub fn corners(&self) -> [DVec3; 8] {
        std::array::from_fn(|index| {
            let greater = BVec3::from_array([0, 1, 2].map(|bit| index >> bit & 1 == 1));
            DVec3::select(greater, self.max, self.min)
        })
    }

    /// The smallest box around both; neither may be [`Self::NOWHERE`].
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// The box in the world around this box in the space of a pose.
    #[must_use]
    pub fn at(&self, pose: &Pose) -> Self {
        Obb {
            center: pose.point(self.center()),
            half_extents: self.half_extents(),
            rotation: pose.rotation,
        }
        .aabb()
    }

    /// Larger by `margin` metres on every side.
    #[must_use]
    pub fn grown(&self, margin: f64) -> Self {
        Self {
            min: self.min - DVec3::splat(margin),
            max: self.max + DVec3::splat(margin),
        }
    }

    /// Larger by what rounding may have taken on the way to it.
    #[must_use]
    pub fn grown_for_rounding(&self) -> Self {
        let largest = self.min.abs().max(self.max.abs()).max_element();
        self.grown(largest * SWEPT_BOX_MARGIN)
    }

    /// Inclusive: boxes that touch overlap.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Inclusive: a point on the surface is inside.
    pub fn contains(&self, point: DVec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }
}
