//! The oracle of any two convex shapes: fixed point numbers of 200 binary digits, and bounds from both sides.
//!
//! A direction bounds the distance from below, two points bound it from above. The search for both (Gilbert, Johnson and Keerthi 1988)
//! takes the nearest point of each simplex without rounding, and ends where the bounds agree. An overlap along any direction bounds the
//! depth from above.

use super::oracle::{Whole, dot, minus, nearest, plus, ratio, sign, times, unit, whole};
use crate::common::random::Random;
use glam::DVec3;
use hitstop::core::shape::{Placed, Pose, Shape, Solid, SolidShape, Triangle};
use num_bigint::BigInt;
use std::cmp::Ordering;
use std::f64::consts::PI;

const POWER: i32 = 200;

/// As a fixed point number; what is far below any rounding of `f64` is 0.
fn fixed(value: f64) -> BigInt {
    if value.abs() < 2.0_f64.powi(-140) {
        return BigInt::ZERO;
    }
    whole(value, POWER)
}

pub fn fixed_vector(vector: DVec3) -> Whole {
    vector.to_array().map(fixed)
}

fn metres(value: &BigInt) -> f64 {
    ratio(value, &unit(POWER))
}

fn scaled(vector: &Whole, factor: &BigInt) -> Whole {
    times(vector, factor).map(|part| part >> POWER as usize)
}

fn along(x: &Whole, y: &Whole) -> BigInt {
    dot(x, y) >> POWER as usize
}

fn length(vector: &Whole) -> BigInt {
    dot(vector, vector).sqrt()
}

enum Core {
    Points(Vec<Whole>),
    /// A cylinder or cone.
    Round {
        has_tip: bool,
        half_height: BigInt,
        radius: BigInt,
        axes: Box<[Whole; 3]>,
        center: Whole,
    },
    HalfSpace {
        normal: Whole,
        offset: BigInt,
    },
}

/// A convex shape in the world.
pub struct Body {
    core: Core,
    radius: BigInt,
    /// The directions of its edges, or its axis.
    lines: Vec<DVec3>,
}

impl Body {
    /// The convex parts of a shape.
    pub fn parts(shape: &Shape, pose: &Pose) -> Vec<Self> {
        let axes = pose.axes();
        let center = fixed_vector(pose.position);
        let columns = [axes.x_axis, axes.y_axis, axes.z_axis].map(fixed_vector);
        let placed = |local: &Whole| {
            let moved = columns.iter().zip(local);
            moved.fold(center.clone(), |at, (column, part)| {
                plus(&at, &scaled(column, part))
            })
        };
        let cuboid = |half: DVec3, radius: f64| {
            let corners = (0..8).map(|index: usize| {
                let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
                placed(&fixed_vector(half * DVec3::new(side(0), side(1), side(2))))
            });
            let lines = [axes.x_axis, axes.y_axis, axes.z_axis];
            Self::of(Core::Points(corners.collect()), radius, lines.to_vec())
        };
        let round = |has_tip: bool, half_height: f64, radius: f64| {
            let core = Core::Round {
                has_tip,
                half_height: fixed(half_height),
                radius: fixed(radius),
                axes: Box::new(columns.clone()),
                center: center.clone(),
            };
            Self::of(core, 0.0, vec![axes.y_axis])
        };
        vec![match (shape, shape.placed(pose)) {
            (Shape::Compound(compound), _) => {
                let parts = compound.parts().iter();
                return parts
                    .flat_map(|part| Self::parts(&part.shape, &pose.then(&part.pose)))
                    .collect();
            }
            (_, Placed::Mesh(mesh, pose)) => {
                let triangles = 0..mesh.count() as u32;
                return triangles
                    .map(|index| Self::triangle(&mesh.triangle(index).transformed(&pose)))
                    .collect();
            }
            (_, Placed::Sphere(ball)) => Self::points(&[ball.center], ball.radius),
            (_, Placed::Obb(obb)) => cuboid(obb.half_extents, 0.0),
            (_, Placed::Segment(segment)) => Self::points(&[segment.a, segment.b], 0.0),
            (_, Placed::Capsule(capsule)) => {
                Self::points(&[capsule.segment.a, capsule.segment.b], capsule.radius)
            }
            (_, Placed::Triangle(triangle)) => Self::triangle(&triangle),
            (_, Placed::Plane(plane)) => {
                let core = Core::HalfSpace {
                    normal: fixed_vector(plane.normal),
                    offset: fixed(plane.offset),
                };
                Self::of(core, 0.0, vec![])
            }
            (Shape::Solid(SolidShape::Cylinder(it)), _) => round(false, it.half_height, it.radius),
            (Shape::Solid(SolidShape::Cone(it)), _) => round(true, it.half_height, it.radius),
            (Shape::Solid(SolidShape::RoundedBox(it)), _) => cuboid(it.half_extents, it.radius),
            (Shape::Solid(SolidShape::Hull(hull)), _) => {
                let points = hull.points();
                let corners = points.iter().map(|&at| placed(&fixed_vector(at)));
                let edges = hull.edges().iter();
                let lines = edges.map(|edge| {
                    let [a, b] = edge.map(|corner| points[corner as usize]);
                    axes * (b - a)
                });
                let lines = lines.collect();
                let radius = hull.radius();
                Self::of(Core::Points(corners.collect()), radius, lines)
            }
            _ => unreachable!("all shapes are listed"),
        }]
    }

    fn of(core: Core, radius: f64, lines: Vec<DVec3>) -> Self {
        let radius = fixed(radius);
        let lines = lines.into_iter().filter_map(DVec3::try_normalize).collect();
        Self {
            core,
            radius,
            lines,
        }
    }

    fn points(points: &[DVec3], radius: f64) -> Self {
        let next = |k: usize| points[(k + 1) % points.len()] - points[k];
        let lines = (0..points.len()).map(next).collect();
        let points = points.iter().copied().map(fixed_vector).collect();
        Self::of(Core::Points(points), radius, lines)
    }

    fn triangle(&Triangle { a, b, c, .. }: &Triangle) -> Self {
        Self::points(&[a, b, c], 0.0)
    }

    pub fn is_round(&self) -> bool {
        matches!(self.core, Core::Round { .. })
    }

    fn support(&self, direction: &Whole) -> Whole {
        match &self.core {
            Core::Points(points) => {
                let farthest = points.iter().max_by_key(|point| dot(point, direction));
                farthest.expect("a body has points").clone()
            }
            Core::Round {
                has_tip,
                half_height,
                radius,
                axes,
                center,
            } => {
                let local: Whole = std::array::from_fn(|k| along(&axes[k], direction));
                let sideways = (&local[0] * &local[0] + &local[2] * &local[2]).sqrt();
                let tip = *has_tip && half_height * &local[1] * 2 > radius * &sideways;
                let upper = if *has_tip {
                    tip
                } else {
                    sign(&local[1]) != Ordering::Less
                };
                let rim = |part: &BigInt| match sign(&sideways) {
                    _ if tip => BigInt::ZERO,
                    Ordering::Equal => BigInt::ZERO,
                    _ => radius * part / &sideways,
                };
                let point = [
                    rim(&local[0]),
                    if upper {
                        half_height.clone()
                    } else {
                        -half_height
                    },
                    rim(&local[2]),
                ];
                let moved = axes.iter().zip(&point);
                moved.fold(center.clone(), |at, (axis, part)| {
                    plus(&at, &scaled(axis, part))
                })
            }
            Core::HalfSpace { .. } => unreachable!("a half space has no farthest point"),
        }
    }

    /// A point of the core that is farthest along a direction.
    pub fn farthest(&self, direction: DVec3) -> DVec3 {
        let point = self.support(&fixed_vector(direction));
        DVec3::from_array(point.map(|part| metres(&part)))
    }
}

/// Two convex shapes: all differences of their points, the first moved to a place, or swept along a path.
pub struct Pair<'b> {
    pub a: &'b Body,
    pub b: &'b Body,
    /// By how much the first is moved.
    pub at: Whole,
    /// Along which it is swept from there.
    pub step: Whole,
}

impl Pair<'_> {
    fn support(&self, direction: &Whole) -> Whole {
        let back = direction.clone().map(|part| -part);
        let point = minus(
            &plus(&self.a.support(direction), &self.at),
            &self.b.support(&back),
        );
        if sign(&dot(&self.step, direction)) == Ordering::Greater {
            plus(&point, &self.step)
        } else {
            point
        }
    }

    fn radii(&self) -> BigInt {
        &self.a.radius + &self.b.radius
    }

    /// The distance of the cores, to `precision`; 0 where they overlap.
    fn cores(&self, toward: DVec3, precision: f64) -> BigInt {
        let precision = fixed(precision);
        let toward = fixed_vector(toward);
        let mut simplex = vec![self.support(&toward.map(|part| -part))];
        for _ in 0..400 {
            let found = nearest(&simplex);
            let vector = found.over.clone().map(|part| part / &found.under);
            let distance = length(&vector);
            if distance <= precision {
                return BigInt::ZERO;
            }
            let next = self.support(&vector.clone().map(|part| -part));
            let below = dot(&next, &vector) / &distance;
            if &distance - &below <= precision {
                return below;
            }
            let weights = found.weights.iter();
            let kept = simplex.drain(..).zip(weights);
            simplex = kept
                .filter(|(_, weight)| **weight != BigInt::ZERO)
                .map(|(point, _)| point)
                .collect();
            simplex.push(next);
        }
        panic!("the bounds of the distance do not meet");
    }

    /// The signed distance, metres, to `precision`; of cores that overlap minus the radii alone.
    pub fn distance(&self, toward: DVec3, precision: f64) -> f64 {
        metres(&match &self.b.core {
            Core::HalfSpace { normal, offset } => {
                let down = normal.clone().map(|part| -part);
                let mut lowest = plus(&self.a.support(&down), &self.at);
                if sign(&dot(&self.step, normal)) == Ordering::Less {
                    lowest = plus(&lowest, &self.step);
                }
                along(&lowest, normal) - offset - self.radii()
            }
            _ => self.cores(toward, precision) - self.radii(),
        })
    }

    /// The depth, or more where the search finds no shorter push, metres; minus the distance when they are apart.
    pub fn depth(&self, toward: DVec3, precision: f64, random: &mut Random) -> f64 {
        if let Core::HalfSpace { .. } = self.b.core {
            return -self.distance(toward, precision);
        }
        let cores = self.cores(toward, precision);
        if cores > BigInt::ZERO {
            return metres(&(self.radii() - cores));
        }
        self.least_overlap(toward, random)
    }

    /// By how much they overlap along a direction from the second toward the first, metres: the depth is at most this.
    pub fn overlap(&self, normal: DVec3) -> f64 {
        let normal = fixed_vector(normal);
        let size = length(&normal);
        if let Core::HalfSpace { .. } = self.b.core {
            return -self.distance(DVec3::Y, 0.0);
        }
        let back = normal.clone().map(|part| -part);
        let reach = dot(&self.support(&back), &back) / size;
        metres(&(reach + self.radii()))
    }

    /// The least overlap along the normals of faces, across pairs of edges, square to an edge, and of a search from these.
    fn least_overlap(&self, toward: DVec3, random: &mut Random) -> f64 {
        let lines: Vec<DVec3> = self.a.lines.iter().chain(&self.b.lines).copied().collect();
        let mut normals = lines.clone();
        normals.push(toward);
        for (k, one) in lines.iter().enumerate() {
            let across = lines[..k].iter().map(|other| one.cross(*other));
            normals.extend(across.filter_map(DVec3::try_normalize));
        }
        normals.extend((0..40).map(|_| random.direction()));
        let both = normals.iter().flat_map(|normal| [*normal, -*normal]);
        let mut tried: Vec<(f64, DVec3)> =
            both.map(|normal| (self.overlap(normal), normal)).collect();
        tried.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut least = tried[0].0;
        if self.a.is_round() || self.b.is_round() {
            for line in &lines {
                least = least.min(self.least_around(*line));
            }
            for &(_, start) in tried.iter().take(3) {
                least = least.min(self.least_near(start, random));
            }
        }
        least
    }

    fn least_around(&self, line: DVec3) -> f64 {
        let (one, other) = line.any_orthonormal_pair();
        let at = |angle: f64| self.overlap(one * angle.cos() + other * angle.sin());
        let steps = 24;
        let step = 2.0 * PI / f64::from(steps);
        let angles = (0..steps).map(|k| f64::from(k) * step);
        let best = angles.min_by(|x, y| at(*x).total_cmp(&at(*y)));
        let best = best.expect("there are steps");
        let (mut low, mut high) = (best - step, best + step);
        for _ in 0..45 {
            let (first, second) = (low + 0.382 * (high - low), low + 0.618 * (high - low));
            if at(first) < at(second) {
                high = second;
            } else {
                low = first;
            }
        }
        at(0.5 * (low + high))
    }

    fn least_near(&self, start: DVec3, random: &mut Random) -> f64 {
        let (mut best, mut normal) = (self.overlap(start), start);
        let mut reach = 0.3;
        while reach > 1e-9 {
            let tried =
                (0..6).filter_map(|_| (normal + random.direction() * reach).try_normalize());
            let tried = tried.map(|normal| (self.overlap(normal), normal));
            let found = tried.min_by(|one, other| one.0.total_cmp(&other.0));
            match found {
                Some((depth, other)) if depth < best => (best, normal) = (depth, other),
                _ => reach *= 0.4,
            }
        }
        best
    }
}
