//! Gap of two cores of which one has rims, and of two that have a radius and faces.
//!
//! The gap is the largest gap along any direction. That direction is a face normal, or perpendicular to an edge or a round side, or points from
//! a corner or rim to another; for two rims it may be any. Around an edge the gap is a function of an angle, and a
//! peak is where its slope changes sign.

use super::geometry::{Hull, Part, Separation, on_segment};
use super::levels::{self, LevelRandom};
use glam::{DMat2, DVec2, DVec3};
use std::f64::consts::TAU;

/// Directions sampled on the circle around an edge, and on a circle of start directions.
const DIRECTIONS: usize = 12;
const START_DIRECTIONS: usize = 8;

/// Metres within which two pushes count as equally short.
const PUSH_TOLERANCE: f64 = 1e-7;

/// The circles at the ends of a cylinder or cone, across its axis.
#[derive(Clone, Copy, Debug)]
pub struct Rims {
    pub axis: DVec3,
    pub radii: [f64; 2],
}

impl Rims {
    /// Extent of each circle along a direction.
    pub fn wide(&self, along: DVec3) -> [f64; 2] {
        self.radii
            .map(|radius| radius * self.across(along).length())
    }

    fn across(&self, along: DVec3) -> DVec3 {
        along - self.axis * along.dot(self.axis)
    }

    /// Nearest point of the surface, the outward normal there, and whether the point is inside: in the half plane of
    /// distance from the axis and height.
    pub fn nearest(&self, corners: &[DVec3], point: DVec3) -> (DVec3, DVec3, bool) {
        let outward = self.across(point).try_normalize();
        let outward = outward.unwrap_or_else(|| self.axis.any_orthonormal_vector());
        let flat = DVec3::new(point.dot(outward), point.dot(self.axis), 0.0);
        let [low, high] = [0, 1].map(|end| corners[end].dot(self.axis));
        let outline = [
            DVec3::new(0.0, low, 0.0),
            DVec3::new(self.radii[0], low, 0.0),
            DVec3::new(self.radii[1], high, 0.0),
            DVec3::new(0.0, high, 0.0),
        ];
        let sides = outline.windows(2).filter(|ends| ends[0] != ends[1]);
        let sides = sides.map(|ends| {
            let nearest = on_segment((ends[0], ends[1]), flat);
            let normal = (ends[1] - ends[0]).cross(DVec3::Z).normalize();
            (nearest, normal, (flat - ends[0]).dot(normal) <= 0.0)
        });
        let sides: Vec<_> = sides.collect();
        let far = |side: &(DVec3, DVec3, bool)| side.0.distance(flat);
        let nearer = |x: &&_, y: &&_| far(x).total_cmp(&far(y));
        let (nearest, normal, _) = sides.iter().min_by(nearer).expect("it has sides");
        let in_space = |flat: DVec3| outward * flat.x + self.axis * flat.y;
        let inside = sides.iter().all(|side| side.2);
        (in_space(*nearest), in_space(*normal), inside)
    }
}

/// Directions at one angle to an edge.
#[derive(Clone, Debug)]
pub struct Circle {
    middle: DVec3,
    across: [DVec3; 2],
    samples: Vec<DirectionSample>,
    /// Belongs to no edge: beside a peak on it the gap may be higher.
    is_start: bool,
}

#[derive(Clone, Debug)]
struct DirectionSample {
    direction: DVec3,
    /// Derivative by the angle.
    change: DVec3,
    /// From the obstacle's support point to the mover's, with both centres in one place.
    foremost: DVec3,
}

/// Gap along a direction of a circle, and its slope.
#[derive(Clone, Copy)]
struct Sample {
    angle: f64,
    gap: f64,
    slope: f64,
}

impl Sample {
    fn new(angle: f64, direction: DVec3, change: DVec3, away: DVec3) -> Self {
        Self {
            angle,
            gap: away.dot(direction),
            slope: away.dot(change),
        }
    }

    /// Where the tangents intersect: the angle from the first, and the gap.
    fn meet(self, other: Self) -> (f64, f64) {
        let wide = other.angle - self.angle;
        let along = (other.gap - self.gap - other.slope * wide) / (self.slope - other.slope);
        (along, self.gap + self.slope * along)
    }
}

impl Circle {
    pub fn all(mover: &Hull, obstacle: &Hull) -> Vec<Self> {
        let axis = |hull: &Hull| hull.rims.map(|rims| rims.axis);
        let (mover_axis, obstacle_axis) = (axis(mover), axis(obstacle));
        let leaves = |edge: DVec3, sine: f64, other: Option<DVec3>, is_start: bool| {
            let edge = edge.normalize();
            // The gap changes fast where the other's rim is on the edge, so one direction is sampled there.
            let first = other.and_then(|axis| (axis - edge * axis.dot(edge)).try_normalize());
            let first = first.unwrap_or_else(|| edge.any_orthonormal_vector());
            let cosine = (1.0 - sine * sine).sqrt();
            let mut circle = Self {
                middle: edge * sine,
                across: [first * cosine, edge.cross(first) * cosine],
                samples: Vec::new(),
                is_start,
            };
            let count = if is_start {
                START_DIRECTIONS
            } else {
                DIRECTIONS
            };
            let tried = (0..=count).map(|number| {
                let (direction, change) = circle.at(number as f64 * TAU / count as f64);
                DirectionSample {
                    direction,
                    change,
                    foremost: foremost(mover, -direction).0 - foremost(obstacle, direction).0,
                }
            });
            circle.samples = tried.collect();
            circle
        };
        let of_mover = mover.edges.iter();
        let of_mover = of_mover.map(|(edge, sine)| leaves(*edge, -sine, obstacle_axis, false));
        let of_obstacle = obstacle.edges.iter();
        let of_obstacle = of_obstacle.map(|(edge, sine)| leaves(*edge, *sine, mover_axis, false));
        let mut all: Vec<Self> = of_mover.chain(of_obstacle).collect();
        if let (Some(axis), Some(other)) = (mover_axis, obstacle_axis) {
            let sines = [-0.85, -0.45, 0.0, 0.45, 0.85];
            all.extend(sines.map(|sine| leaves(axis, sine, Some(other), true)));
        }
        all
    }

    fn at(&self, angle: f64) -> (DVec3, DVec3) {
        let (sine, cosine) = angle.sin_cos();
        let [x, y] = self.across;
        (self.middle + x * cosine + y * sine, y * cosine - x * sine)
    }
}

/// Support point of a core along a direction, and the radius of its rim.
fn foremost(hull: &Hull, along: DVec3) -> (DVec3, f64) {
    let mut best = (hull.corners[0], 0.0);
    if let Some(rims) = hull.rims {
        let across = rims.across(along);
        // Along the axis this is rounding error.
        let wide = across.length();
        let outward = match wide > 1e-12 {
            true => across / wide,
            false => DVec3::ZERO,
        };
        let of_rim = |end: usize| {
            let radius = rims.radii[end];
            (hull.corners[end] + outward * radius, radius)
        };
        let (low, high) = (of_rim(0), of_rim(1));
        return match low.0.dot(along) > high.0.dot(along) {
            true => low,
            false => high,
        };
    }
    for corner in &hull.corners {
        if corner.dot(along) > best.0.dot(along) {
            best.0 = *corner;
        }
    }
    best
}

impl Part {
    /// Signed distance, where `separating` is the best flat axis.
    pub fn rounded_separation(&self, at: DVec3, separating: (f64, DVec3)) -> Separation {
        let mut peaks = vec![separating];
        let mut best = separating.0;
        let add = |peaks: &mut Vec<(f64, DVec3)>, best: &mut f64, direction: DVec3| {
            let peak = (self.foremost(at, direction).dot(direction), direction);
            *best = best.max(peak.0);
            peaks.push(peak);
        };
        if let Some(direction) = self.between_corners(at) {
            add(&mut peaks, &mut best, direction);
        }
        for circle in &self.circles {
            for number in 1..circle.samples.len() {
                if let Some(direction) = self.peak(at, circle, number, best) {
                    add(&mut peaks, &mut best, direction);
                }
            }
        }
        let highest = |x: &&(f64, DVec3), y: &&(f64, DVec3)| x.0.total_cmp(&y.0);
        let (gap, normal) = *peaks.iter().max_by(highest).expect("there is one");
        let near =
            |peak: &(f64, DVec3)| gap - peak.0 < PUSH_TOLERANCE && peak.1.dot(normal) < 0.999;
        let flat = |(axis, sum): &(DVec3, f64)| near(&(at.dot(*axis) + sum, *axis));
        Separation {
            gap: gap - self.mover.radius - self.obstacle.radius,
            normal,
            ambiguous: peaks.iter().any(near) || self.axes.iter().any(flat),
        }
    }

    /// Direction of the peak before a sample of the circle, if it may be as high as `best`.
    fn peak(&self, at: DVec3, circle: &Circle, number: usize, best: f64) -> Option<DVec3> {
        // No two points of the shapes are farther apart.
        let most = at.distance(self.centre) + self.size;
        let step = TAU / (circle.samples.len() - 1) as f64;
        let tried = |number: usize| {
            let tried = &circle.samples[number];
            let away = at + tried.foremost;
            Sample::new(number as f64 * step, tried.direction, tried.change, away)
        };
        // Bound of the gap above its tangents, and the number of refinements.
        let (above, count) = match circle.is_start {
            true => (step, 2),
            false => (0.125 * step * step, 45),
        };
        let (mut low, mut high) = (tried(number - 1), tried(number));
        if low.slope <= 0.0 || high.slope > 0.0 || low.meet(high).1 + most * above < best {
            return None;
        }
        for _ in 0..count {
            let wide = high.angle - low.angle;
            let along = low.meet(high).0.clamp(0.05 * wide, 0.95 * wide);
            let (direction, change) = circle.at(low.angle + along);
            let away = self.foremost(at, direction);
            let here = Sample::new(low.angle + along, direction, change, away);
            if here.slope > 0.0 {
                low = here;
            } else {
                high = here;
            }
            if here.slope.abs() < 1e-12 * most || wide < 1e-13 {
                break;
            }
        }
        let flatter = if low.slope < -high.slope { low } else { high };
        let direction = circle.at(flatter.angle).0;
        Some(match circle.is_start {
            true => self.climb(at, direction),
            false => direction,
        })
    }

    /// From the obstacle's support point to the mover's, whose centre is at `at`.
    fn foremost(&self, at: DVec3, direction: DVec3) -> DVec3 {
        at + foremost(&self.mover, -direction).0 - foremost(&self.obstacle, direction).0
    }

    /// Direction between the nearest corners and rims, if one of the two has no rims.
    fn between_corners(&self, at: DVec3) -> Option<DVec3> {
        let rims = match (self.mover.rims, self.obstacle.rims) {
            (Some(_), Some(_)) => return None,
            (one, other) => one.or(other),
        };
        let mut best = DVec3::INFINITY;
        for (i, corner) in self.mover.corners.iter().enumerate() {
            for (j, other) in self.obstacle.corners.iter().enumerate() {
                let mut away = at + corner - other;
                if let Some(rims) = rims {
                    let index = if self.mover.rims.is_some() { i } else { j };
                    away -= rims.across(away).clamp_length_max(rims.radii[index]);
                }
                if away.length_squared() < best.length_squared() {
                    best = away;
                }
            }
        }
        best.try_normalize()
    }

    /// Direction of the highest gap near a direction, for two rims: Newton's method, while it climbs.
    fn climb(&self, at: DVec3, mut direction: DVec3) -> DVec3 {
        let mut away = self.foremost(at, direction);
        for _ in 0..30 {
            let gap = away.dot(direction);
            let (x, y) = direction.any_orthonormal_pair();
            let slope = DVec2::new(away.dot(x), away.dot(y));
            // Second derivative; a rim curves along itself.
            let mut bend = DMat2::from_diagonal(DVec2::splat(gap));
            for (hull, along) in [(&self.mover, -direction), (&self.obstacle, direction)] {
                let Some(rims) = hull.rims else { continue };
                let tangent = rims.axis.cross(direction);
                let wide = tangent.length_squared() * tangent.length();
                let tangent = DVec2::new(tangent.dot(x), tangent.dot(y));
                let radius = foremost(hull, along).1;
                bend += DMat2::from_cols(tangent * tangent.x, tangent * tangent.y)
                    * (radius / wide.max(1e-12));
            }
            // Made negative definite.
            let (half, det) = (0.5 * (bend.x_axis.x + bend.y_axis.y), bend.determinant());
            let least = half - (half * half - det).max(0.0).sqrt();
            if least < 1e-3 * half.abs() {
                bend += DMat2::from_diagonal(DVec2::splat(1e-3 * half.abs() - least));
            }
            let mut step = (bend.inverse() * slope).clamp_length_max(0.3);
            let climbed = (0..12).find_map(|_| {
                let tried = (direction + x * step.x + y * step.y).normalize();
                step *= 0.5;
                let away = self.foremost(at, tried);
                (away.dot(tried) > gap).then_some((away, tried))
            });
            match climbed {
                Some(next) => (away, direction) = next,
                None => break,
            }
        }
        direction
    }
}

/// None of many directions separates two objects by more than the gap that is found, and the direction found separates by exactly that.
#[test]
fn no_direction_separates_rims_by_more() {
    let mut random = LevelRandom::new(5);
    for number in 0..60 {
        let mover = levels::body(&mut random);
        let obstacle = match number % 3 {
            0 => levels::wall(&mut random),
            1 => levels::body(&mut random),
            _ => levels::surface(&mut random),
        };
        let [one, other] =
            [&mover, &obstacle].map(|object| object.shape.hulls(object.rotation).remove(0));
        let size = mover.shape.bound() + obstacle.shape.bound();
        let at = random.direction() * size * random.between(0.0, 1.2);
        let part = Part::new(&one, other);
        let separating = |along: DVec3| {
            let radii = part.mover.radius + part.obstacle.radius;
            at.dot(along) + part.mover.least(along) + part.obstacle.least(-along) - radii
        };
        let separation = part.separation(at);
        if !part.circles.is_empty() {
            let name = format!(
                "{:?} and {:?} at {at}: {separation:?}",
                mover.shape, obstacle.shape
            );
            assert!(
                (separating(separation.normal) - separation.gap).abs() < 1e-9,
                "{name}"
            );
            for _ in 0..300 {
                let along = random.direction();
                assert!(separating(along) < separation.gap + 1e-9, "{name}, {along}");
            }
        }
    }
}
