//! The gap of two cores of which one has rims, and of two that have a radius and faces.
//!
//! It is the largest of all gaps along a direction. That one is a flat axis, leaves an edge or a side of one of the two, points from
//! a corner or rim to another, or, of two with rims, may be any. The gap along what leaves an edge is a function of an angle: a
//! peak is where its slope changes its sign.

use super::geometry::{Hull, Part, Stand, on_segment};
use super::levels::{self, Chance};
use glam::{DMat2, DVec2, DVec3};
use std::f64::consts::TAU;

/// Directions that are tried of a circle that leaves an edge, and of one from which another is looked for.
const TRIED: usize = 12;
const TRIED_STARTS: usize = 8;

/// Metres within which two pushes count as equally short.
const NEARLY: f64 = 1e-7;

/// The circles about the corners of a cylinder or cone, and across its axis.
#[derive(Clone, Copy, Debug)]
pub struct Rims {
    pub axis: DVec3,
    pub radii: [f64; 2],
}

impl Rims {
    /// How far each goes along a direction.
    pub fn wide(&self, along: DVec3) -> [f64; 2] {
        self.radii
            .map(|radius| radius * self.across(along).length())
    }

    fn across(&self, along: DVec3) -> DVec3 {
        along - self.axis * along.dot(self.axis)
    }

    /// The point of the surface that is nearest to a point, the outward direction there, and whether it is inside: in the half plane of
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
        let solid = |flat: DVec3| outward * flat.x + self.axis * flat.y;
        let inside = sides.iter().all(|side| side.2);
        (solid(*nearest), solid(*normal), inside)
    }
}

/// Directions of one sine with an edge.
#[derive(Clone, Debug)]
pub struct Circle {
    middle: DVec3,
    across: [DVec3; 2],
    tried: Vec<Tried>,
    /// It leaves no edge: of a peak on it, one beside it is higher.
    is_start: bool,
}

#[derive(Clone, Debug)]
struct Tried {
    direction: DVec3,
    /// How it changes with the angle.
    change: DVec3,
    /// From the solid's foremost point to the body's, when the body's middle is at the solid's.
    foremost: DVec3,
}

/// The gap along a direction of a circle, and its slope.
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

    /// How far from the first the tangents meet, and how high.
    fn meet(self, other: Self) -> (f64, f64) {
        let wide = other.angle - self.angle;
        let along = (other.gap - self.gap - other.slope * wide) / (self.slope - other.slope);
        (along, self.gap + self.slope * along)
    }
}

impl Circle {
    pub fn all(body: &Hull, solid: &Hull) -> Vec<Self> {
        let axis = |hull: &Hull| hull.rims.map(|rims| rims.axis);
        let (body_axis, solid_axis) = (axis(body), axis(solid));
        let leaves = |edge: DVec3, sine: f64, other: Option<DVec3>, is_start: bool| {
            let edge = edge.normalize();
            // Where the other's rim is seen from its edge, the gap changes fast: one is tried there.
            let first = other.and_then(|axis| (axis - edge * axis.dot(edge)).try_normalize());
            let first = first.unwrap_or_else(|| edge.any_orthonormal_vector());
            let cosine = (1.0 - sine * sine).sqrt();
            let mut circle = Self {
                middle: edge * sine,
                across: [first * cosine, edge.cross(first) * cosine],
                tried: Vec::new(),
                is_start,
            };
            let count = if is_start { TRIED_STARTS } else { TRIED };
            let tried = (0..=count).map(|number| {
                let (direction, change) = circle.at(number as f64 * TAU / count as f64);
                Tried {
                    direction,
                    change,
                    foremost: foremost(body, -direction).0 - foremost(solid, direction).0,
                }
            });
            circle.tried = tried.collect();
            circle
        };
        let of_body = body.edges.iter();
        let of_body = of_body.map(|(edge, sine)| leaves(*edge, -sine, solid_axis, false));
        let of_solid = solid.edges.iter();
        let of_solid = of_solid.map(|(edge, sine)| leaves(*edge, *sine, body_axis, false));
        let mut all: Vec<Self> = of_body.chain(of_solid).collect();
        if let (Some(axis), Some(other)) = (body_axis, solid_axis) {
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

/// The point of a core that is farthest along a direction, and the radius of the rim that it is on.
fn foremost(hull: &Hull, along: DVec3) -> (DVec3, f64) {
    let mut best = (hull.corners[0], 0.0);
    if let Some(rims) = hull.rims {
        let across = rims.across(along);
        // Along the axis it is rounding.
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
    /// How they stand, where `parted` is the best of the flat axes.
    pub fn round_stand(&self, at: DVec3, parted: (f64, DVec3)) -> Stand {
        let mut peaks = vec![parted];
        let mut best = parted.0;
        let add = |peaks: &mut Vec<(f64, DVec3)>, best: &mut f64, direction: DVec3| {
            let peak = (self.foremost(at, direction).dot(direction), direction);
            *best = best.max(peak.0);
            peaks.push(peak);
        };
        if let Some(direction) = self.between_corners(at) {
            add(&mut peaks, &mut best, direction);
        }
        for circle in &self.circles {
            for number in 1..circle.tried.len() {
                if let Some(direction) = self.peak(at, circle, number, best) {
                    add(&mut peaks, &mut best, direction);
                }
            }
        }
        let highest = |x: &&(f64, DVec3), y: &&(f64, DVec3)| x.0.total_cmp(&y.0);
        let (gap, normal) = *peaks.iter().max_by(highest).expect("there is one");
        let near = |peak: &(f64, DVec3)| gap - peak.0 < NEARLY && peak.1.dot(normal) < 0.999;
        let flat = |(axis, sum): &(DVec3, f64)| near(&(at.dot(*axis) + sum, *axis));
        Stand {
            gap: gap - self.body.radius - self.solid.radius,
            normal,
            ambiguous: peaks.iter().any(near) || self.axes.iter().any(flat),
        }
    }

    /// The peak before a direction of a circle, if it may be as high as `best`.
    fn peak(&self, at: DVec3, circle: &Circle, number: usize, best: f64) -> Option<DVec3> {
        // No point of either is farther from another.
        let most = at.distance(self.middle) + self.size;
        let step = TAU / (circle.tried.len() - 1) as f64;
        let tried = |number: usize| {
            let tried = &circle.tried[number];
            let away = at + tried.foremost;
            Sample::new(number as f64 * step, tried.direction, tried.change, away)
        };
        // By how much the gap may be above its tangents, and how close the peak is looked for.
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

    /// From the solid's foremost point to the body's, whose middle is at `at`.
    fn foremost(&self, at: DVec3, direction: DVec3) -> DVec3 {
        at + foremost(&self.body, -direction).0 - foremost(&self.solid, direction).0
    }

    /// The direction between the nearest corners and rims, where one of the two has none.
    fn between_corners(&self, at: DVec3) -> Option<DVec3> {
        let rims = match (self.body.rims, self.solid.rims) {
            (Some(_), Some(_)) => return None,
            (one, other) => one.or(other),
        };
        let mut best = DVec3::INFINITY;
        for (i, corner) in self.body.corners.iter().enumerate() {
            for (j, other) in self.solid.corners.iter().enumerate() {
                let mut away = at + corner - other;
                if let Some(rims) = rims {
                    let index = if self.body.rims.is_some() { i } else { j };
                    away -= rims.across(away).clamp_length_max(rims.radii[index]);
                }
                if away.length_squared() < best.length_squared() {
                    best = away;
                }
            }
        }
        best.try_normalize()
    }

    /// The highest gap near a direction, of two rims: Newton's method, for as long as it climbs.
    fn climb(&self, at: DVec3, mut direction: DVec3) -> DVec3 {
        let mut away = self.foremost(at, direction);
        for _ in 0..30 {
            let gap = away.dot(direction);
            let (x, y) = direction.any_orthonormal_pair();
            let slope = DVec2::new(away.dot(x), away.dot(y));
            // How fast the slope falls; a rim turns along itself.
            let mut bend = DMat2::from_diagonal(DVec2::splat(gap));
            for (hull, along) in [(&self.body, -direction), (&self.solid, direction)] {
                let Some(rims) = hull.rims else { continue };
                let tangent = rims.axis.cross(direction);
                let wide = tangent.length_squared() * tangent.length();
                let tangent = DVec2::new(tangent.dot(x), tangent.dot(y));
                let radius = foremost(hull, along).1;
                bend += DMat2::from_cols(tangent * tangent.x, tangent * tangent.y)
                    * (radius / wide.max(1e-12));
            }
            // Uphill in any case.
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

/// Of many directions, none parts two things by more than the gap that is found, and its own does by as much.
#[test]
fn no_direction_parts_rims_by_more() {
    let mut chance = Chance::new(5);
    for number in 0..60 {
        let body = levels::body(&mut chance, false);
        let solid = match number % 3 {
            0 => levels::wall(&mut chance),
            1 => levels::body(&mut chance, false),
            _ => levels::sheet(&mut chance),
        };
        let [one, other] = [&body, &solid].map(|thing| thing.form.hulls(thing.turn).remove(0));
        let size = body.form.bound() + solid.form.bound();
        let at = chance.direction() * size * chance.between(0.0, 1.2);
        let part = Part::new(&one, other, false);
        let parted = |along: DVec3| {
            let radii = part.body.radius + part.solid.radius;
            at.dot(along) + part.body.least(along) + part.solid.least(-along) - radii
        };
        let stand = part.stand(at);
        if !part.circles.is_empty() {
            let name = format!("{:?} and {:?} at {at}: {stand:?}", body.form, solid.form);
            assert!((parted(stand.normal) - stand.gap).abs() < 1e-9, "{name}");
            for _ in 0..300 {
                let along = chance.direction();
                assert!(parted(along) < stand.gap + 1e-9, "{name}, {along}");
            }
        }
    }
}
