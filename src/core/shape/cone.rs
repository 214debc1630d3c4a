//! A cone: truly round, not a polygon.

use super::cylinder::{DRAWN_POINTS, RIM_POINTS, around, on_rim, radial, rim, sideways};
use super::feature::Feature;
use super::pose::direction_and_length;
use super::solid::{Solid, SolidFeature, SurfacePoint};
use crate::core::tolerance::{FEATURE_ANGLE, ON_AXIS};
use glam::{DVec2, DVec3};

/// A cone around the Y axis: its base at y = -`half_height`, its tip at y = +`half_height`.
///
/// Face 0 is the base, edge 0 its rim, vertex 0 the tip; the side is round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cone {
    /// Metres, > 0.
    pub half_height: f64,
    /// Of the base, metres, > 0.
    pub radius: f64,
}

impl Cone {
    fn tip(&self) -> DVec3 {
        DVec3::Y * self.half_height
    }

    /// How much farther the tip is along a direction than the rim, metres.
    fn tip_lead(&self, direction: DVec3) -> f64 {
        2.0 * self.half_height * direction.y - self.radius * sideways(direction)
    }

    /// Length of the side from the rim to the tip, metres.
    fn slant(&self) -> f64 {
        self.radius.hypot(2.0 * self.half_height)
    }
}

impl Solid for Cone {
    fn kind_name(&self) -> &'static str {
        "Cone"
    }

    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        if self.tip_lead(direction) > 0.0 {
            self.tip()
        } else {
            on_rim(direction, self.radius) - self.tip()
        }
    }

    fn feature(&self, direction: DVec3) -> SolidFeature {
        let across = sideways(direction);
        if across <= FEATURE_ANGLE && direction.y < 0.0 {
            let base = rim(-self.tip(), self.radius, RIM_POINTS);
            return SolidFeature::face(0, base, -DVec3::Y);
        }
        let on_base = on_rim(direction, self.radius) - self.tip();
        let lead = self.tip_lead(direction) / self.slant();
        if lead.abs() <= FEATURE_ANGLE {
            return SolidFeature::edge(Feature::Round, [on_base, self.tip()]);
        }
        if lead > 0.0 {
            return SolidFeature::vertex(0, self.tip());
        }
        SolidFeature {
            feature: Feature::Edge(0),
            ..SolidFeature::vertex(0, on_base)
        }
    }

    fn nearest(&self, point: DVec3) -> Option<SurfacePoint> {
        let slant = self.slant();
        if slant <= 0.0 {
            return None;
        }
        let (radial, axial) = radial(point, self.radius);
        let on_axis = axial <= ON_AXIS * self.radius;
        // The side leads from the rim to the tip; across and along it, the point from the rim.
        let (run, rise) = (self.radius / slant, 2.0 * self.half_height / slant);
        let (out, up) = (axial - self.radius, point.y + self.half_height);
        let (beyond_side, along) = (out * rise + up * run, up * rise - out * run);
        let beyond_base = -up;
        let from = |place: DVec3, feature: Feature| {
            let (normal, distance) = direction_and_length(point - place)?;
            Some(SurfacePoint {
                point: place,
                normal,
                distance,
                feature,
                fallback: false,
            })
        };
        let inside = beyond_side <= 0.0 && beyond_base <= 0.0;
        let on_base = if inside {
            beyond_base >= beyond_side
        } else {
            beyond_base > 0.0 && out <= 0.0
        };
        if on_base {
            return Some(SurfacePoint {
                point: point - DVec3::Y * up,
                normal: -DVec3::Y,
                distance: beyond_base,
                feature: Feature::Face(0),
                fallback: beyond_base == beyond_side && on_axis,
            });
        }
        if !inside && (along <= 0.0 || beyond_base > 0.0) {
            return from(radial * self.radius - self.tip(), Feature::Edge(0));
        }
        if !inside && along >= slant {
            return from(self.tip(), Feature::Vertex(0));
        }
        let normal = radial * rise + DVec3::Y * run;
        Some(SurfacePoint {
            point: point - normal * beyond_side,
            normal,
            distance: beyond_side,
            feature: Feature::Round,
            fallback: on_axis,
        })
    }

    #[inline]
    fn centroid(&self) -> DVec3 {
        DVec3::Y * (-0.5 * self.half_height)
    }

    #[inline]
    fn axis(&self) -> Option<DVec3> {
        Some(DVec3::Y)
    }

    fn inner_radius(&self) -> f64 {
        let to_side = 1.5 * self.half_height * self.radius / self.slant();
        to_side.min(0.5 * self.half_height)
    }

    #[inline]
    fn outer_radius(&self) -> f64 {
        // The apex, or the rim.
        let to_rim = DVec2::new(self.radius, 0.5 * self.half_height).length();
        to_rim.max(1.5 * self.half_height)
    }

    #[inline]
    fn bounding_radius(&self) -> f64 {
        (self.radius * self.radius + self.half_height * self.half_height).sqrt()
    }

    fn outline(&self) -> Vec<[DVec3; 2]> {
        let base: Vec<DVec3> = rim(-self.tip(), self.radius, DRAWN_POINTS).collect();
        let sides = base.iter().step_by(DRAWN_POINTS / 4);
        let sides = sides.map(|&at| [at, self.tip()]);
        sides.chain(around(&base)).collect()
    }

    fn surface(&self) -> Vec<[DVec3; 3]> {
        let base: Vec<DVec3> = rim(-self.tip(), self.radius, DRAWN_POINTS).collect();
        let side = around(&base).map(|[a, b]| [a, b, self.tip()]);
        let bottom = around(&base).map(|[a, b]| [-self.tip(), b, a]);
        side.chain(bottom).collect()
    }
}
