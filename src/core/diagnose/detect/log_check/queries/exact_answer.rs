//! The exact result of a logged query, with all results within the tolerance.

use crate::core::diagnose::detect::log_check::LogLine;
use crate::core::diagnose::detect::log_check::path_distance::apart;
use crate::core::query::{self, Feature, SweepOutcome};
use crate::core::replay::{LoggedQuery, ObjectId, SweptShape};
use crate::core::shape::{Aabb, Facing, Motion, Pose, Segment, Shape};
use crate::core::tolerance::{LOG_ROUNDING, QUERY_SLOP, QUERY_SLOP_SHARE, SLOP_SHARE};
use glam::DVec3;

/// A logged query, ready to be repeated.
pub(super) struct RepeatedQuery<'r> {
    log: &'r LogLine<'r>,
    /// `None` for a ray.
    swept: Option<SweptShape>,
    path: Segment,
    /// Bounding radius of what is swept, metres; 0 for a ray.
    radius: f64,
    /// Metres from its start to its end.
    pub length: f64,
}

/// Result of the query for one object.
pub(super) struct ExactAnswer {
    /// The result at the state of the line, or the one before.
    pub exact: Option<f64>,
    /// The least and the greatest fraction of all variants that hit; `None` when none does.
    pub fractions: Option<(f64, f64)>,
    /// The normal of the plain result first.
    pub normals: Vec<DVec3>,
    /// The hit is inside a face or on a round shape, where the normal is unique.
    pub flat: bool,
    /// Some variant misses.
    misses: bool,
    /// A start inside, or a hit from behind: unknown.
    pub unknown: bool,
    /// Least distance from the path, metres; 0 for a hit.
    pub by: f64,
    /// Metres.
    pub tolerance: f64,
}

impl ExactAnswer {
    /// Whether every variant hits.
    pub fn is_sure(&self) -> bool {
        !self.unknown && !self.misses && self.fractions.is_some()
    }
}

/// Result of one variant.
enum VariantAnswer {
    Miss,
    Unknown,
    Hit {
        fraction: f64,
        normal: DVec3,
        flat: bool,
    },
}

impl<'r> RepeatedQuery<'r> {
    /// `None` for a query without length, or with values that are not finite.
    pub fn new(log: &'r LogLine<'r>, query: &LoggedQuery) -> Option<Self> {
        let paths = query.to - query.from;
        let length = paths.length();
        let finite = query.from.is_finite() && length.is_finite() && query.radius.is_finite();
        let of_hit = query.hit.is_none_or(|hit| hit.fraction.is_finite());
        let swept = query.swept_shape();
        let radius = swept
            .as_ref()
            .map_or(0.0, |swept| swept.shape.reach().unwrap_or(f64::INFINITY));
        (finite && of_hit && length > 0.0).then(|| Self {
            log,
            swept,
            path: Segment {
                a: query.from,
                b: query.to,
            },
            radius,
            length,
        })
    }

    /// The poses an object may have had: after the step, and before it.
    fn poses(&self, id: ObjectId) -> (Option<Pose>, Option<Pose>) {
        let paths = &self.log.paths;
        let after = paths.end(id).map(|body| body.pose);
        let before = paths.start(id).map(|body| body.pose);
        (after, before.filter(|before| Some(*before) != after))
    }

    /// Tolerance, metres: from the smaller of swept shape and object, f32, and the skin of engines.
    fn tolerance(&self, id: ObjectId) -> f64 {
        let shape = &self.log.paths.objects[id as usize].shape;
        let swept = self.swept.as_ref().map(|swept| &swept.shape);
        let sizes = swept.into_iter().chain([shape]).map(Shape::inner_radius);
        let size = sizes
            .filter(|size| *size > 0.0)
            .fold(f64::INFINITY, f64::min);
        let size = if size.is_finite() { size } else { 0.0 };
        let far = self.path.a.length().max(self.path.b.length());
        let slop = if size > 0.0 {
            QUERY_SLOP.min(QUERY_SLOP_SHARE * size)
        } else {
            QUERY_SLOP
        };
        (SLOP_SHARE * size).max(slop) + LOG_ROUNDING * far + self.log.stated_margin()
    }

    /// The box of everything that the query could hit; `None` without bounds.
    pub fn region(&self) -> Option<Aabb> {
        let far = self.path.a.length().max(self.path.b.length());
        let around = self.radius * (1.0 + SLOP_SHARE) + QUERY_SLOP + LOG_ROUNDING * far;
        let paths = Aabb::of_points([self.path.a, self.path.b])?;
        let region = paths
            .grown(around + self.log.stated_margin())
            .grown_for_rounding();
        Some(region).filter(|region| region.min.is_finite() && region.max.is_finite())
    }

    /// Distance from the start of the path within which everything up to a fraction is, metres.
    pub fn farthest(&self, fraction: f64) -> f64 {
        // Enlarged for rounding.
        (fraction * self.length + self.radius) * (1.0 + 1e-9)
    }

    /// Whether an object's box is clear of the path.
    pub fn is_far(&self, id: ObjectId) -> bool {
        let shape = &self.log.paths.objects[id as usize].shape;
        let Some(paths) = Aabb::of_points([self.path.a, self.path.b]) else {
            return true;
        };
        let reach = self.radius + self.tolerance(id);
        let clear = |pose: Pose| {
            let bounds = shape.placed(&pose).aabb();
            bounds.is_some_and(|bounds| !bounds.overlaps(&paths.grown(reach)))
        };
        let (after, before) = self.poses(id);
        after.is_none_or(clear) && before.is_none_or(clear)
    }

    /// The result of all variants for one object; `None` when it is absent.
    pub fn answer(&self, id: ObjectId) -> Option<ExactAnswer> {
        let shape = &self.log.paths.objects[id as usize].shape;
        let tolerance = self.tolerance(id);
        let (after, before) = self.poses(id);
        let plain = after.or(before)?;
        let mut answer = ExactAnswer {
            exact: None,
            fractions: None,
            normals: Vec::new(),
            flat: false,
            misses: false,
            unknown: false,
            by: self.by(shape, &plain),
            tolerance,
        };
        if let VariantAnswer::Hit { fraction, flat, .. } =
            ask(&self.path, self.swept.as_ref(), shape, &plain)
        {
            (answer.exact, answer.flat) = (Some(fraction), flat);
        }
        for pose in [after, before].into_iter().flatten() {
            for (path, swept) in self.variants(&pose, tolerance) {
                answer.take(
                    ask(&path, swept.as_ref(), shape, &pose),
                    1.0 - tolerance / self.length,
                );
            }
        }
        // Between two states it may be anywhere on its path.
        if let (Some(after), Some(before)) = (after, before) {
            let passes = self.passes(id, &after, &before, tolerance);
            answer.unknown |= passes && answer.fractions.is_none();
            answer.misses |=
                after.position.distance(before.position) > tolerance && answer.fractions.is_none();
        }
        Some(answer)
    }

    /// The query first, then its variants: a sphere with another radius, anything else on another path.
    fn variants(&self, pose: &Pose, tolerance: f64) -> Vec<(Segment, Option<SweptShape>)> {
        let mut variants = vec![(self.path, self.swept.clone())];
        if let Some(SweptShape {
            shape: Shape::Sphere { radius },
            rotation,
        }) = self.swept
        {
            let radii = [radius + tolerance, radius - tolerance].into_iter();
            variants.extend(radii.filter(|radius| *radius > 0.0).map(|radius| {
                let shape = Shape::Sphere { radius };
                (self.path, Some(SweptShape { shape, rotation }))
            }));
        } else {
            let [one, other] = self.across(pose).map(|across| across * tolerance);
            variants.extend([one, -one, other, -other].map(|by| {
                let path = Segment {
                    a: self.path.a + by,
                    b: self.path.b + by,
                };
                (path, self.swept.clone())
            }));
        }
        variants
    }

    /// Two directions perpendicular to the path and to each other, by the axes of an object: those of the world say nothing about it.
    fn across(&self, pose: &Pose) -> [DVec3; 2] {
        /// Cosine above which an axis is too much along the path (no unit): of three axes, one is at most.
        const ALONG: f64 = 0.8;
        let path = (self.path.b - self.path.a) / self.length;
        let mut axes = DVec3::AXES.map(|axis| pose.vector(axis)).into_iter();
        let axis = axes.find(|axis| axis.dot(path).abs() <= ALONG);
        let one = axis.and_then(|axis| axis.reject_from_normalized(path).try_normalize());
        one.map_or([DVec3::ZERO; 2], |one| [one, path.cross(one)])
    }

    /// Distance of the path from a shape, metres.
    fn by(&self, shape: &Shape, pose: &Pose) -> f64 {
        if let Some(swept) = &self.swept
            && !swept.shape.is_ball()
        {
            let motion = swept_motion(&self.path, swept);
            let still = Motion::still(*pose);
            let nearest = query::closest_approach(&swept.shape, &motion, shape, &still, &mut ());
            return nearest.map_or(0.0, |nearest| nearest.distance);
        }
        let paths = Shape::Segment(self.path);
        query::gap(&paths.placed(&Pose::IDENTITY), &shape.placed(pose))
            .map_or(0.0, |gap| (gap.distance - self.radius).max(0.0))
    }

    /// Whether an object that moves between two poses may cross the query's path.
    fn passes(&self, id: ObjectId, after: &Pose, before: &Pose, tolerance: f64) -> bool {
        let paths = &self.log.paths;
        let reach = self.radius + tolerance + paths.turned(id).unwrap_or(f64::INFINITY);
        let motion = Motion {
            start: *before,
            end: *after,
        };
        let gap = apart(
            (&Shape::Segment(self.path), &Motion::still(Pose::IDENTITY)),
            (&paths.objects[id as usize].shape, &motion),
            reach,
        );
        gap.is_none_or(|gap| gap <= reach)
    }
}

impl ExactAnswer {
    /// Adds a variant; a hit beyond `last` counts as a miss as well.
    fn take(&mut self, one: VariantAnswer, last: f64) {
        match one {
            VariantAnswer::Miss => self.misses = true,
            VariantAnswer::Unknown => self.unknown = true,
            VariantAnswer::Hit {
                fraction,
                normal,
                flat,
            } => {
                self.misses |= fraction > last;
                self.flat &= flat;
                self.normals.push(normal);
                let (first, last) = self.fractions.unwrap_or((fraction, fraction));
                self.fractions = Some((first.min(fraction), last.max(fraction)));
            }
        }
    }
}

fn ask(path: &Segment, swept: Option<&SweptShape>, shape: &Shape, pose: &Pose) -> VariantAnswer {
    match swept {
        None => ask_ray(path, shape, pose),
        Some(swept) => ask_sweep(path, swept, shape, pose),
    }
}

fn swept_motion(path: &Segment, swept: &SweptShape) -> Motion {
    let at = |position| Pose {
        position,
        rotation: swept.rotation,
    };
    Motion {
        start: at(path.a),
        end: at(path.b),
    }
}

fn ask_ray(path: &Segment, shape: &Shape, pose: &Pose) -> VariantAnswer {
    match query::ray_cast(path, shape, pose) {
        None => match (
            shape,
            query::gap(
                &Shape::Segment(*path).placed(&Pose::IDENTITY),
                &shape.placed(pose),
            ),
        ) {
            // Inside a solid the ray hits no surface.
            (
                Shape::Sphere { .. } | Shape::Box { .. } | Shape::Capsule(_) | Shape::Plane(_),
                Some(gap),
            ) if gap.distance < 0.0 => VariantAnswer::Unknown,
            _ => VariantAnswer::Miss,
        },
        Some(hit) if hit.back => VariantAnswer::Unknown,
        Some(hit) => VariantAnswer::Hit {
            fraction: hit.fraction,
            normal: hit.normal,
            flat: true,
        },
    }
}

fn ask_sweep(path: &Segment, swept: &SweptShape, shape: &Shape, pose: &Pose) -> VariantAnswer {
    let motion = swept_motion(path, swept);
    match query::sweep(&swept.shape, &motion, shape, &Motion::still(*pose), &mut ()).outcome {
        SweepOutcome::Hits(impact) => VariantAnswer::Hit {
            fraction: impact.fraction,
            normal: impact.normal,
            flat: matches!(impact.feature_b, Feature::Face(_) | Feature::Round),
        },
        SweepOutcome::Overlapping { .. } => VariantAnswer::Unknown,
        // Engines differ from behind.
        _ if is_one_sided(shape)
            && query::ray_cast(path, shape, pose).is_some_and(|hit| hit.back) =>
        {
            VariantAnswer::Unknown
        }
        _ => VariantAnswer::Miss,
    }
}

fn is_one_sided(shape: &Shape) -> bool {
    match shape {
        Shape::Triangle(triangle) => triangle.facing == Facing::Front,
        Shape::Mesh(mesh) => mesh.facing() == Facing::Front,
        _ => false,
    }
}
