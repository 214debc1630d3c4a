//! Where shots are aimed: at places of surfaces, straight into them and at random angles.

use super::fixed::{Fixed, Solid};
use crate::core::diagnose::half_width;
use crate::core::query;
use crate::core::random::SplitMix64;
use crate::core::replay::ObjectId;
use crate::core::shape::{Aabb, Mesh, Pose, Segment, Shape, SolidShape};
use glam::DVec3;

/// Places along each axis of a face, as shares of its half extent (no unit); the outer ones are beside the face, where a gap would be.
const GRID: [f64; 5] = [-1.0, -0.8, 0.0, 0.8, 1.0];

/// Largest angle of a random shot to the surface's normal, as a cosine (no unit).
const STEEPEST: f64 = 0.5;

/// A place and a direction into it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    pub object: ObjectId,
    /// The triangle of a mesh, or the direction of another shape.
    pub face: u32,
    /// On the surface or beside its edge, world.
    pub point: DVec3,
    /// Unit, into the surface.
    pub along: DVec3,
    /// From behind a surface that collides from its front only: no test detects the mover.
    pub unseen: bool,
    pub class: Class,
}

/// How a place was chosen: the weakest shot of one class does not stand for those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// Straight into a face.
    Straight,
    /// Beside an edge, where a gap may be.
    Beside,
    /// At random.
    Random,
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

/// A face of a solid: its number, its shape, and whether no test detects what comes through it.
type FaceOf = (u32, Face, bool);

/// The faces of each solid. With `backs` also the backs of one-sided surfaces.
pub struct Faces(Vec<Vec<FaceOf>>);

impl Faces {
    pub fn of(fixed: &Fixed<'_>, backs: bool) -> Self {
        let of_solid = |solid: &Solid<'_>| {
            let mut found = Vec::new();
            faces(solid, backs, &mut |number, face, unseen| {
                found.push((number, face, unseen));
            });
            found
        };
        Self(fixed.solids.iter().map(of_solid).collect())
    }
}

fn faces(solid: &Solid<'_>, backs: bool, visit: &mut impl FnMut(u32, Face, bool)) {
    let pose = &solid.pose;
    match solid.shape {
        Shape::Plane(_) => {}
        Shape::Triangle(triangle) => {
            if let Some(along) = triangle.normal() {
                let corners = [triangle.a, triangle.b, triangle.c];
                both(solid, (corners, -along), 0, (false, backs), visit);
            }
        }
        Shape::Mesh(mesh) => {
            let flipped = match solid.one_sided {
                true => flipped_triangles(mesh),
                false => Vec::new(),
            };
            for index in 0..mesh.count() as u32 {
                let triangle = mesh.triangle(index);
                if let Some(normal) = triangle.normal() {
                    let corners = [triangle.a, triangle.b, triangle.c];
                    let is_flipped = flipped.get(index as usize) == Some(&true);
                    both(solid, (corners, -normal), index, (is_flipped, backs), visit);
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
                faces(&part, backs, visit);
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
    (corners, along): ([DVec3; 3], DVec3),
    index: u32,
    (is_flipped, backs): (bool, bool),
    visit: &mut impl FnMut(u32, Face, bool),
) {
    let corners = corners.map(|corner| solid.pose.point(corner));
    let along = solid.pose.vector(along);
    if !is_flipped || backs {
        visit(index, Face::Triangle { corners, along }, false);
    }
    if is_flipped || backs || !solid.one_sided {
        let along = -along;
        visit(index, Face::Triangle { corners, along }, solid.one_sided);
    }
}

/// By triangle: whether it faces the other way than most of the surface that it is connected to, by area.
pub fn flipped_triangles(mesh: &Mesh) -> Vec<bool> {
    let count = mesh.count() as u32;
    let mut side: Vec<Option<bool>> = vec![None; count as usize];
    for first in 0..count {
        if side[first as usize].is_some() {
            continue;
        }
        side[first as usize] = Some(false);
        let (mut next, mut connected) = (vec![first], Vec::new());
        while let Some(triangle) = next.pop() {
            connected.push(triangle);
            let own = side[triangle as usize];
            for (other, turns) in mesh.neighbours(triangle) {
                if side[other as usize].is_none() {
                    side[other as usize] = own.map(|own| own != turns);
                    next.push(other);
                }
            }
        }
        let area = |triangle: &u32| {
            let triangle = mesh.triangle(*triangle);
            (triangle.b - triangle.a)
                .cross(triangle.c - triangle.a)
                .length()
        };
        let turned = |triangle: &&u32| side[**triangle as usize] == Some(true);
        let of_turned: f64 = connected.iter().filter(turned).map(area).sum();
        let all: f64 = connected.iter().map(area).sum();
        if 2.0 * of_turned > all {
            for triangle in connected {
                let side = &mut side[triangle as usize];
                *side = side.map(|side| !side);
            }
        }
    }
    side.into_iter().map(|side| side == Some(true)).collect()
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

/// Targets of all surfaces for a mover of this half width, metres: straight into them, and beside edges near which something else may be.
pub fn straight(fixed: &Fixed<'_>, faces: &Faces, width: f64) -> Vec<Target> {
    let mut all = Vec::new();
    for (solid, faces) in fixed.solids.iter().zip(&faces.0) {
        straight_into(fixed, (solid, faces), width, &mut |target| all.push(target));
    }
    all
}

fn straight_into(
    fixed: &Fixed<'_>,
    (solid, faces): (&Solid<'_>, &[FaceOf]),
    width: f64,
    visit: &mut impl FnMut(Target),
) {
    let mesh = match solid.shape {
        Shape::Mesh(mesh) => Some(mesh),
        _ => None,
    };
    let has_parts = matches!(solid.shape, Shape::Compound(_));
    let is_near_another = |point: DVec3| {
        let region = Aabb::of_points([point]).map(|point| point.grown(2.0 * width));
        let others = region.map(|region| fixed.near(&region));
        has_parts || others.is_some_and(|others| others.iter().any(|other| other.id != solid.id))
    };
    for &(number, face, unseen) in faces {
        let target = |point, along, class| Target {
            object: solid.id,
            face: number,
            point,
            along,
            unseen,
            class,
        };
        match face {
            Face::Side { at, along, axes } => {
                for (u, v) in GRID.iter().flat_map(|u| GRID.map(|v| (*u, v))) {
                    let share = |by: f64, (axis, half): (DVec3, f64)| match by.abs() >= 1.0 {
                        true => axis * (by * (half + 0.5 * width)),
                        false => axis * (by * half),
                    };
                    let point = at + share(u, axes[0]) + share(v, axes[1]);
                    match on_surface(solid, point, along) {
                        Some(point) => visit(target(point, along, Class::Straight)),
                        None if is_near_another(point) => {
                            visit(target(point, along, Class::Beside))
                        }
                        None => {}
                    }
                }
            }
            Face::Triangle { corners, along } => {
                let center = (corners[0] + corners[1] + corners[2]) / 3.0;
                visit(target(center, along, Class::Straight));
                // Where a large one is thin behind, or near its corners.
                let reaches = |corner: &DVec3| corner.distance(center) > 2.0 * width;
                if corners.iter().any(reaches) {
                    for corner in corners {
                        visit(target(center.lerp(corner, 0.8), along, Class::Straight));
                    }
                }
                let Some(mesh) = mesh else {
                    continue;
                };
                for edge in (0..3).filter(|edge| mesh.edges().is_boundary(number, *edge)) {
                    let of_edge = mesh.edge(number, edge);
                    let [a, b] = [of_edge.a, of_edge.b].map(|end| solid.pose.point(end));
                    let away = (b - a).cross(along).try_normalize().unwrap_or(DVec3::ZERO);
                    let away = away * (a - center).dot(away).signum();
                    let places: &[f64] = match a.distance(b) > 4.0 * width {
                        true => &[0.1, 0.5, 0.9],
                        false => &[0.5],
                    };
                    for share in places {
                        let point = a.lerp(b, *share) + away * (0.5 * width);
                        visit(target(point, along, Class::Beside));
                    }
                }
            }
        }
    }
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

/// From -1 to below 1.
fn signed(random: &mut SplitMix64) -> f64 {
    2.0 * random.fraction() - 1.0
}

/// A number below a count, which is above 0.
fn below(random: &mut SplitMix64, count: usize) -> usize {
    ((random.fraction() * count as f64) as usize).min(count - 1)
}

/// Targets at random places, at random angles, of all solids alike.
pub fn random(
    fixed: &Fixed<'_>,
    Faces(all): &Faces,
    width: f64,
    random: &mut SplitMix64,
    count: u32,
) -> Vec<Target> {
    let solids: Vec<usize> = (0..all.len())
        .filter(|index| !all[*index].is_empty())
        .collect();
    if solids.is_empty() {
        return Vec::new();
    }
    let targets = (0..count).filter_map(|_| {
        let index = solids[below(random, solids.len())];
        let (face, shape, unseen) = all[index][below(random, all[index].len())];
        let solid = &fixed.solids[index];
        let mut beside = |(axis, half): (DVec3, f64)| axis * ((half + width) * signed(random));
        let (point, inward) = match shape {
            Face::Side { at, along, axes } => {
                let point = at + beside(axes[0]) + beside(axes[1]);
                (on_surface(solid, point, along).unwrap_or(point), along)
            }
            Face::Triangle { corners, along } => {
                let [one, other] = across(along).map(|axis| beside((axis, 0.0)));
                let (mut u, mut v) = (random.fraction(), random.fraction());
                if u + v > 1.0 {
                    (u, v) = (1.0 - u, 1.0 - v);
                }
                let [a, b, c] = corners;
                (a + (b - a) * u + (c - a) * v + one + other, along)
            }
        };
        let cosine = 1.0 - random.fraction() * (1.0 - STEEPEST);
        let turn = signed(random) * std::f64::consts::PI;
        let [one, other] = across(inward);
        let sine = (1.0 - cosine * cosine).max(0.0).sqrt();
        let along = inward * cosine + (one * turn.cos() + other * turn.sin()) * sine;
        Some(Target {
            object: solid.id,
            face,
            point,
            along: along.try_normalize()?,
            unseen,
            class: Class::Random,
        })
    });
    targets.collect()
}
