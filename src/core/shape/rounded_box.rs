//! A box with rounded edges.

use super::Obb;
use super::feature::box_feature;
use super::solid::{Solid, SolidFeature};
use crate::core::tolerance::FEATURE_ANGLE;
use glam::{DQuat, DVec3};

/// All points within `radius` of a box; the radius is added outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundedBox {
    /// Half the edge lengths of the inner box, metres, each >= 0.
    pub half_extents: DVec3,
    /// Metres, > 0.
    pub radius: f64,
}

impl RoundedBox {
    fn corners(&self) -> [DVec3; 8] {
        let inner = Obb {
            center: DVec3::ZERO,
            half_extents: self.half_extents,
            rotation: DQuat::IDENTITY,
        };
        inner.corners()
    }
}

impl Solid for RoundedBox {
    fn kind_name(&self) -> &'static str {
        "Box"
    }

    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        self.half_extents.copysign(direction)
    }

    fn feature(&self, direction: DVec3) -> SolidFeature {
        let (feature, points) = box_feature(direction, self.half_extents, FEATURE_ANGLE);
        let normal = (points.len() == 4).then(|| {
            let axis = direction.abs().max_position();
            DVec3::AXES[axis] * 1.0_f64.copysign(direction[axis])
        });
        SolidFeature {
            feature,
            points,
            normal,
        }
    }

    #[inline]
    fn centroid(&self) -> DVec3 {
        DVec3::ZERO
    }

    #[inline]
    fn radius(&self) -> f64 {
        self.radius
    }

    fn inner_radius(&self) -> f64 {
        self.half_extents.min_element() + self.radius
    }

    #[inline]
    fn outer_radius(&self) -> f64 {
        self.bounding_radius()
    }

    #[inline]
    fn bounding_radius(&self) -> f64 {
        self.half_extents.length() + self.radius
    }

    fn outline(&self) -> Vec<[DVec3; 2]> {
        let corners = self.corners();
        let across = |index: usize, axis: usize| [corners[index], corners[index | 1 << axis]];
        (0..3)
            .flat_map(|axis| {
                (0..8)
                    .filter(move |index| index >> axis & 1 == 0)
                    .map(move |index| (index, axis))
            })
            .map(|(index, axis)| across(index, axis))
            .collect()
    }

    fn surface(&self) -> Vec<[DVec3; 3]> {
        let corners = self.corners();
        Obb::FACES
            .iter()
            .flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]])
            .map(|triangle| triangle.map(|corner| corners[corner]))
            .collect()
    }
}
