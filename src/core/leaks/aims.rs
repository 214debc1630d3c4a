//! Where shots are aimed: at places of surfaces, straight into them and at random angles.

use super::fixed::{Fixed, Solid};
use crate::core::diagnose::{flipped_neighbours, half_width};
use crate::core::query;
use crate::core::replay::ObjectId;
use crate::core::shape::{Mesh, Pose, Segment, Shape, SolidShape};
use glam::DVec3;

/// Places along each axis of a face, as shares of its half extent (no unit); the outer ones are beside the face, where a gap would be.
const GRID: [f64; 5] = [-1.0, -0.8, 0.0, 0.8, 1.0];

/// Largest angle of a random shot to the surface's normal, as a cosine (no unit).
const STEEPEST: f64 = 0.5;

/// A place and a direction into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aim {
    pub object: ObjectId,
    /// The triangle of a mesh, or the direction of another shape.
    pub face: u32,
    /// On the surface or beside its edge, world.
    pub point: DVec3,
    /// Unit, into the surface.
    pub along: DVec3,
    /// A triangle that collides from its front only, and faces the other way than its neighbours.
    pub flipped: bool,
}

/// Numbers that look random and depend only on a seed (SplitMix64).
#[derive(Clone, Copy, Debug)]
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to below 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// From -1 to below 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    fn below(&mut self, count: usize) -> usize {
        ((self.unit() * count as f64) as usize).min(count.saturating_sub(1))
    }
}

/// A face that shots are aimed at: a plane rectangle around it, or a triangle.
#[derive(Clone, Copy)]
enum Face {
    /// Into the shape along a direction, within half extents along two unit axes; all in world space.
    Side {
        at: DVec3,
        along: DVec3,
        axes: [(DVec3, f64); 2],
    },
    Triangle {
        corners: [DVec3; 3],
        along: DVec3,
    },
}

/// The faces of a solid, with their numbers.
fn faces(solid: &Solid<'_>, visit: &mut impl FnMut(u32, Face, bool)) {
    let pose = &solid.pose;
    match solid.shape {
        Shape::Plane(_) => {}
        Shape::Triangle(triangle) => {
            if let Some(along) = triangle.normal() {
                let corners = [triangle.a, triangle.b, triangle.c];
                both(solid, pose, (corners, -along), 0, false, visit);
            }
        }
        Shape::Mesh(mesh) => {
            let count = mesh.count() as u32;
            for index in 0..count {
                let triangle = mesh.triangle(index);
                if let Some(normal) = triangle.normal() {
                    let corners = [triangle.a, triangle.b, triangle.c];
                    let is_flipped = solid.one_sided && is_flipped(mesh, index);
                    both(solid, pose, (corners, -normal), index, is_flipped, visit);
                }
            }
        }
        Shape::Compound(compound) => {
            for part in compound.parts() {
                let part = Solid {
                    shape: &part.shape,
                    pose: pose.then(&part.pose),
                    ..*solid
                };
                faces(&part, visit);
            }
        }
        shape => {
            let Some(bounds) = shape.placed(&Pose::IDENTITY).aabb() else {
                return;
            };
            for (number, outward) in (0..).zip(directions(shape)) {
                let axes = across(outward);
                let half = |axis: DVec3| half_width(shape, &Pose::IDENTITY, axis);
                let face = Face::Side {
                    at: pose.point(bounds.center() + outward * half(outward)),
                    along: -pose.vector(outward),
                    axes: axes.map(|axis| (pose.vector(axis), half(axis))),
                };
                visit(number, face, false);
            }
        }
    }
}

/// A triangle from its front, and from its back where that collides; a flipped one from its back, where its neighbours have their front.
fn both(
    solid: &Solid<'_>,
    pose: &Pose,
    (corners, along): ([DVec3; 3], DVec3),
    index: u32,
    is_flipped: bool,
    visit: &mut impl FnMut(u32, Face, bool),
) {
    let corners = corners.map(|corner| pose.point(corner));
    let along = pose.vector(along);
    if !is_flipped {
        visit(index, Face::Triangle { corners, along }, false);
    }
    if is_flipped || !solid.one_sided {
        let along = -along;
        visit(index, Face::Triangle { corners, along }, is_flipped);
    }
}

/// Whether most neighbours of a triangle face the other way.
fn is_flipped(mesh: &Mesh, triangle: u32) -> bool {
    let (flipped, all) = flipped_neighbours(mesh, triangle);
    2 * flipped > all
}

/// Outward directions into which a shape's surfaces face, local.
fn directions(shape: &Shape) -> Vec<DVec3> {
    match shape {
        Shape::Box { .. } => axes().collect(),
        Shape::Solid(SolidShape::RoundedBox(_)) => axes().collect(),
        Shape::Solid(SolidShape::Hull(hull)) => {
            hull.faces().iter().map(|face| face.normal).collect()
        }
        _ => {
            let steps = [-1.0, 0.0, 1.0];
            let of = |x: f64| steps.map(|y| steps.map(|z| DVec3::new(x, y, z)));
            let all = steps.map(of);
            let all = all.as_flattened().as_flattened().iter();
            all.filter_map(|direction| direction.try_normalize())
                .collect()
        }
    }
}

fn axes() -> impl Iterator<Item = DVec3> {
    DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis])
}

/// Two unit vectors across a third.
pub fn across(along: DVec3) -> [DVec3; 2] {
    let (one, other) = along.any_orthonormal_pair();
    [one, other]
}

/// Aims of a solid's surfaces for a mover of this half width, metres: straight into them.
pub fn straight(solid: &Solid<'_>, width: f64, visit: &mut impl FnMut(Aim)) {
    let boundary = match solid.shape {
        Shape::Mesh(mesh) => Some(mesh),
        _ => None,
    };
    faces(solid, &mut |number, face, flipped| {
        let aim = |point, along| Aim {
            object: solid.id,
            face: number,
            point,
            along,
            flipped,
        };
        match face {
            Face::Side { at, along, axes } => {
                for (u, v) in GRID.iter().flat_map(|u| GRID.map(|v| (*u, v))) {
                    let share = |by: f64, (axis, half): (DVec3, f64)| match by.abs() >= 1.0 {
                        true => axis * (by * (half + 0.5 * width)),
                        false => axis * (by * half),
                    };
                    let point = at + share(u, axes[0]) + share(v, axes[1]);
                    let is_beside = u.abs() >= 1.0 || v.abs() >= 1.0;
                    let on = on_surface(solid, point, along);
                    if let Some(point) = on.or(is_beside.then_some(point)) {
                        visit(aim(point, along));
                    }
                }
            }
            Face::Triangle { corners, along } => {
                let center = (corners[0] + corners[1] + corners[2]) / 3.0;
                visit(aim(center, along));
                // Where a large one is thin behind, or near its corners.
                if corners
                    .iter()
                    .any(|corner| corner.distance(center) > 2.0 * width)
                {
                    for corner in corners {
                        visit(aim(center.lerp(corner, 0.8), along));
                    }
                }
                let Some(mesh) = boundary else {
                    return;
                };
                for edge in (0..3).filter(|edge| mesh.edges().is_boundary(number, *edge)) {
                    let of_edge = mesh.edge(number, edge);
                    let middle = solid.pose.point(of_edge.a.midpoint(of_edge.b));
                    let run = solid.pose.vector(of_edge.b - of_edge.a);
                    let away = run.cross(along).try_normalize().unwrap_or(DVec3::ZERO);
                    let away = away * (middle - center).dot(away).signum();
                    visit(aim(middle + away * (0.5 * width), along));
                }
            }
        }
    });
}

/// The place of a solid's surface below a point of the plane in front of it.
fn on_surface(solid: &Solid<'_>, point: DVec3, along: DVec3) -> Option<DVec3> {
    let reach = 2.0 * half_width(solid.shape, &solid.pose, along);
    let way = Segment {
        a: point - along * (1e-3 * reach),
        b: point + along * reach,
    };
    Some(query::ray_cast(&way, solid.shape, &solid.pose)?.point)
}

/// Aims at random places, at random angles, of all solids alike.
pub fn random(fixed: &Fixed<'_>, width: f64, random: &mut Random, count: u32) -> Vec<Aim> {
    let all: Vec<Vec<(u32, Face, bool)>> = fixed
        .solids
        .iter()
        .map(|solid| {
            let mut found = Vec::new();
            faces(solid, &mut |number, face, flipped| {
                found.push((number, face, flipped))
            });
            found
        })
        .collect();
    let solids: Vec<usize> = (0..all.len())
        .filter(|index| !all[*index].is_empty())
        .collect();
    if solids.is_empty() {
        return Vec::new();
    }
    let aims = (0..count).filter_map(|_| {
        let index = solids[random.below(solids.len())];
        let (face, shape, flipped) = all[index][random.below(all[index].len())];
        let solid = &fixed.solids[index];
        let mut beside = |(axis, half): (DVec3, f64)| axis * ((half + width) * random.signed());
        let (point, inward) = match shape {
            Face::Side { at, along, axes } => {
                let point = at + beside(axes[0]) + beside(axes[1]);
                (on_surface(solid, point, along).unwrap_or(point), along)
            }
            Face::Triangle { corners, along } => {
                let [one, other] = across(along).map(|axis| beside((axis, 0.0)));
                let (mut u, mut v) = (random.unit(), random.unit());
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                let [a, b, c] = corners;
                (a + (b - a) * u + (c - a) * v + one + other, along)
            }
        };
        let cosine = 1.0 - random.unit() * (1.0 - STEEPEST);
        let turn = random.signed() * std::f64::consts::PI;
        let [one, other] = across(inward);
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        let along = inward * cosine + (one * turn.cos() + other * turn.sin()) * sine;
        Some(Aim {
            object: solid.id,
            face,
            point,
            along: along.try_normalize()?,
            flipped,
        })
    });
    aims.collect()
}
