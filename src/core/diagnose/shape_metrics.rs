//! Width, thickness, inner radius and centre of shapes.

use crate::core::query;
use crate::core::query::closest_point::closest_point_on_triangle;
use crate::core::shape::{self, Pose, Segment, Shape, Solid};
use crate::core::tolerance::SLOP_SHARE;
use glam::{DQuat, DVec3};

/// Where the ray that measures a mesh's thickness starts behind the surface, as a share of the mesh's diagonal (no unit).
///
/// It must leave the triangle that was hit behind it. Walls thinner than this count as sheets.
const THICKNESS_RAY_SKIP: f64 = 1e-9;

/// Roundings of a position by which a body that rests as deep as the engine's margin is deeper (a count): those of two positions and of a
/// distance.
const MARGIN_ROUNDINGS: f64 = 8.0;

/// Centre of a shape, world space; `None` for a plane.
pub(super) fn center(shape: &Shape, pose: &Pose) -> Option<DVec3> {
    let unbounded = matches!(shape, Shape::Plane(_));
    (!unbounded).then(|| pose.point(shape.centroid()))
}

/// True for shapes whose centre gives the side on which they are: all but planes and surfaces.
pub(super) fn is_body(shape: &Shape) -> bool {
    !matches!(shape, Shape::Plane(_) | Shape::Mesh(_) | Shape::Triangle(_))
}

/// True for shapes that are surfaces without an inside.
pub(super) fn is_surface(shape: &Shape) -> bool {
    matches!(shape, Shape::Triangle(_) | Shape::Mesh(_))
}

/// Height of a local point over the plane of a surface's nearest triangle, metres; negative behind it. `None` for other shapes.
pub(super) fn height_over(shape: &Shape, point: DVec3) -> Option<f64> {
    let nearest = match shape {
        Shape::Triangle(triangle) => *triangle,
        Shape::Mesh(mesh) => {
            let bounds = mesh.aabb();
            let far = (point - bounds.center()).length() + bounds.half_extents().length();
            let mut nearest: Option<(f64, u32)> = None;
            mesh.for_each_near_way(point, point, far, &mut |index| {
                let on = closest_point_on_triangle(point, &mesh.triangle(index)).0;
                let found = (on.distance(point), index);
                if nearest.is_none_or(|known| found < known) {
                    nearest = Some(found);
                }
                nearest.map_or(far, |(least, _)| least)
            });
            mesh.triangle(nearest?.1)
        }
        _ => return None,
    };
    Some((point - nearest.a).dot(nearest.normal()?))
}

/// How far a rotation moves the outermost points of a shape, metres: world axis times radians. `None` for a plane, which has no bound.
pub(super) fn swing(shape: &Shape, pose: &Pose, turn: DVec3) -> Option<f64> {
    match turn.length() {
        0.0 => Some(0.0),
        angle => Some(angle * shape.reach_about(pose.vector_to_local(turn))?),
    }
}

/// Half the width along a unit world direction, metres; infinite for a plane.
pub(in crate::core) fn half_width(shape: &Shape, pose: &Pose, along: DVec3) -> f64 {
    let local = pose.vector_to_local(along);
    let spread = |points: &[DVec3]| {
        let (least, most) = points.iter().fold(
            (f64::INFINITY, f64::NEG_INFINITY),
            |(least, most), point| {
                let at = point.dot(local);
                (least.min(at), most.max(at))
            },
        );
        0.5 * (most - least)
    };
    match shape {
        Shape::Sphere { radius } => *radius,
        Shape::Box { half_extents } => half_extents.dot(local.abs()),
        Shape::Segment(segment) => spread(&[segment.a, segment.b]),
        Shape::Capsule(capsule) => spread(&[capsule.segment.a, capsule.segment.b]) + capsule.radius,
        Shape::Triangle(triangle) => spread(&[triangle.a, triangle.b, triangle.c]),
        Shape::Solid(solid) => 0.5 * shape::thickness(solid, local),
        Shape::Mesh(mesh) => mesh.aabb().half_extents().dot(local.abs()),
        Shape::Compound(compound) => {
            let along_x = DQuat::from_rotation_arc(local, DVec3::X);
            let turned = Pose {
                rotation: along_x,
                ..Pose::IDENTITY
            };
            compound.aabb_at(&turned).half_extents().x
        }
        Shape::Plane(_) => f64::INFINITY,
    }
}

/// Reference size for small depths of a pair: the least non-zero inner radius, metres; 0 for none.
pub(super) fn pair_size(a: &Shape, b: &Shape) -> f64 {
    let size = [a, b]
        .into_iter()
        .map(Shape::inner_radius)
        .filter(|radius| *radius > 0.0)
        .fold(f64::INFINITY, f64::min);
    if size.is_finite() { size } else { 0.0 }
}

/// Spacing of single precision that is small whatever the numbers are, as a share of the overlap that is not a finding (no unit).
const NEAR_SHARE: f64 = 1e-3;

/// Overlap of two shapes that is not a finding, metres: the largest of a share of the smaller body and, up to `most`, the engine's margin and the
/// spacing of the numbers of some positions.
pub(super) fn slop(
    (a, b): (&Shape, &Shape),
    most: f64,
    (margin, positions): (f64, &[DVec3]),
) -> f64 {
    let share = SLOP_SHARE * pair_size(a, b);
    // How the numbers are written matters far out only.
    let single = f64::from(f32::EPSILON) * largest(positions);
    let spacing = match single <= NEAR_SHARE * share {
        true => single,
        false => spacing(positions),
    };
    // A body that rests as deep as the margin is in by some roundings more. Far out the spacing counts, and not the margin.
    let rounding = (MARGIN_ROUNDINGS * spacing).min(SLOP_SHARE * margin);
    let skin = (margin + rounding).max(spacing).min(most);
    if skin.is_finite() {
        share.max(skin)
    } else {
        share
    }
}

/// Spacing of neighbouring numbers as large as the coordinates of some positions, metres: of single precision, where all are such numbers.
pub(super) fn spacing(positions: &[DVec3]) -> f64 {
    let epsilon = match are_single(positions) {
        true => f64::from(f32::EPSILON),
        false => f64::EPSILON,
    };
    epsilon * largest(positions)
}

/// The largest coordinate of some positions.
pub(super) fn largest(positions: &[DVec3]) -> f64 {
    let coordinates = positions.iter().flat_map(|at| at.to_array());
    coordinates.fold(0.0, |most: f64, value| most.max(value.abs()))
}

/// Whether all coordinates are numbers of single precision: exactly, or as their shortest decimals or nine digits give them.
pub(super) fn are_single(positions: &[DVec3]) -> bool {
    let is_single = |value: f64| {
        let single = value as f32;
        let is_written_so = |text: String| text.parse() == Ok(value);
        f64::from(single) == value
            || is_written_so(single.to_string())
            || is_written_so(format!("{single:.8e}"))
    };
    let mut coordinates = positions.iter().flat_map(|at| at.to_array());
    coordinates.all(is_single)
}

/// Thickness of a shape behind a contact, metres: from `point` on its surface (world) against the unit surface normal.
///
/// Spheres and segments: their width. Boxes and capsules: the length of a ray through them. Triangles: 0. Half spaces:
/// infinity. Meshes: the distance to the next surface behind (the far side of a closed mesh, or the second of two
/// sheets), 0 for an open sheet. Compounds: the part whose surface is nearest to the point.
pub(super) fn thickness(shape: &Shape, pose: &Pose, point: DVec3, normal: DVec3) -> f64 {
    match shape {
        Shape::Sphere { .. } | Shape::Segment(_) => 2.0 * half_width(shape, pose, normal),
        Shape::Capsule(capsule) => {
            let length = capsule.segment.a.distance(capsule.segment.b);
            way_through(shape, pose, (point, normal), length + 2.0 * capsule.radius)
                .unwrap_or_else(|| 2.0 * half_width(shape, pose, normal))
        }
        Shape::Solid(solid) => {
            let reach = 2.0 * solid.bounding_radius();
            way_through(shape, pose, (point, normal), reach)
                .unwrap_or_else(|| 2.0 * half_width(shape, pose, normal))
        }
        Shape::Compound(compound) => {
            let parts = compound.parts().iter();
            let placed = parts.map(|part| (&part.shape, pose.then(&part.pose)));
            let away = |(shape, pose): &(&Shape, Pose)| {
                let at = Shape::Sphere { radius: 0.0 };
                query::gap(&at.placed(&Pose::at(point)), &shape.placed(pose))
                    .map_or(f64::INFINITY, |gap| gap.distance.abs())
            };
            placed
                .min_by(|one, other| away(one).total_cmp(&away(other)))
                .map_or(0.0, |(shape, pose)| thickness(shape, &pose, point, normal))
        }
        Shape::Box { half_extents } => box_thickness(*half_extents, pose, point, normal),
        Shape::Triangle(_) => 0.0,
        Shape::Plane(_) => f64::INFINITY,
        Shape::Mesh(mesh) => {
            let reach = 2.0 * mesh.aabb().half_extents().length();
            way_through(shape, pose, (point, normal), reach).unwrap_or(0.0)
        }
    }
}

/// Length of a ray from just behind a surface to the next one, metres; `None` when there is none within `reach`.
fn way_through(
    shape: &Shape,
    pose: &Pose,
    (point, normal): (DVec3, DVec3),
    reach: f64,
) -> Option<f64> {
    let skip = reach * THICKNESS_RAY_SKIP;
    let inward = Segment {
        a: point - normal * skip,
        b: point - normal * (reach + skip),
    };
    query::ray_cast(&inward, shape, pose).map(|hit| skip + hit.fraction * reach)
}

/// Length of a ray through a box, from a point on its surface: the earliest exit of the three slabs.
fn box_thickness(half_extents: DVec3, pose: &Pose, point: DVec3, normal: DVec3) -> f64 {
    let from = pose.point_to_local(point).to_array();
    let way = (-pose.vector_to_local(normal)).to_array();
    let half = half_extents.to_array();
    let exit = (0..3)
        .filter(|axis| way[*axis] != 0.0)
        .map(|axis| (half[axis].copysign(way[axis]) - from[axis]) / way[axis])
        .fold(f64::INFINITY, f64::min);
    if exit.is_finite() { exit.max(0.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::{Facing, Mesh, Plane, Triangle};
    use std::sync::Arc;

    fn slab_mesh(half: DVec3) -> Shape {
        let corner = |index: usize| {
            let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
            half * DVec3::new(side(0), side(1), side(2))
        };
        let triangles = vec![
            [0, 4, 6],
            [0, 6, 2],
            [1, 3, 7],
            [1, 7, 5],
            [0, 1, 5],
            [0, 5, 4],
            [2, 6, 7],
            [2, 7, 3],
            [0, 2, 3],
            [0, 3, 1],
            [4, 5, 7],
            [4, 7, 6],
        ];
        let mesh = Mesh::new((0..8).map(corner).collect(), triangles, Facing::Both);
        Shape::Mesh(Arc::new(mesh.unwrap()))
    }

    fn close(got: f64, want: f64) {
        assert!((got - want).abs() < 1e-9, "got {got}, want {want}");
    }

    #[test]
    fn thickness_of_each_shape() {
        let pose = Pose::at(DVec3::new(10.0, 0.0, 0.0));
        let thick =
            |shape: &Shape, x: f64| thickness(shape, &pose, DVec3::new(x, 0.1, 0.2), DVec3::NEG_X);
        close(thick(&Shape::Sphere { radius: 0.5 }, 9.5), 1.0);
        let half_extents = DVec3::new(0.005, 1.0, 1.0);
        close(thick(&Shape::Box { half_extents }, 9.995), 0.01);
        close(thick(&slab_mesh(half_extents), 9.995), 0.01);
        let plane = Plane {
            normal: DVec3::NEG_X,
            offset: 0.0,
        };
        assert_eq!(thick(&Shape::Plane(plane), 10.0), f64::INFINITY);
        let triangle = Triangle {
            a: DVec3::NEG_Y,
            b: DVec3::Y,
            c: DVec3::Z,
            facing: Facing::Both,
        };
        close(thick(&Shape::Triangle(triangle), 10.0), 0.0);
    }

    #[test]
    fn a_turned_box_is_thicker_along_the_world_axis() {
        let pose = Pose {
            position: DVec3::ZERO,
            rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_4),
        };
        let shape = Shape::Box {
            half_extents: DVec3::new(0.1, 5.0, 5.0),
        };
        let surface = DVec3::new(-0.1 * 2f64.sqrt(), 0.0, 0.0);
        close(
            thickness(&shape, &pose, surface, DVec3::NEG_X),
            0.2 * 2f64.sqrt(),
        );
        close(half_width(&shape, &pose, DVec3::X), 5.1 / 2f64.sqrt());
    }

    /// A cap hit at 45 degrees: in through the cap's centre, out through the flank, r + r / sin 45. The width along the normal,
    /// which is 2r and the length's share of it, is another number.
    #[test]
    fn capsule_thickness_is_the_ray_length() {
        let segment = Segment {
            a: DVec3::X * -3.0,
            b: DVec3::X * 3.0,
        };
        let shape = Shape::Capsule(shape::Capsule {
            segment,
            radius: 0.5,
        });
        let turn = DQuat::from_rotation_y(0.7);
        let pose = Pose {
            position: DVec3::new(1.0, 2.0, 3.0),
            rotation: turn,
        };
        for (local_normal, from, want) in [
            (DVec3::Y, DVec3::ZERO, 1.0),
            (DVec3::X, DVec3::X * 3.0, 7.0),
            (
                DVec3::new(0.5_f64.sqrt(), 0.5_f64.sqrt(), 0.0),
                DVec3::X * 3.0,
                0.5 + 0.5 * 2f64.sqrt(),
            ),
        ] {
            let normal = turn * local_normal;
            let point = pose.point(from + local_normal * 0.5);
            close(thickness(&shape, &pose, point, normal), want);
        }
    }

    /// A wall of two skins, wound alike or against each other: what counts is where the second one is.
    #[test]
    fn two_skins_are_a_wall_however_they_are_wound() {
        let skin =
            |x: f64| [(-1.0, -1.0), (1.0, -1.0), (0.0, 1.0)].map(|(y, z)| DVec3::new(x, y, z));
        for second in [[3, 4, 5], [3, 5, 4]] {
            for facing in [Facing::Both, Facing::Front] {
                let vertices = [skin(0.0), skin(0.25)].concat();
                let mesh = Mesh::new(vertices, vec![[0, 1, 2], second], facing).unwrap();
                let pose = Pose {
                    position: DVec3::new(4.0, 0.0, 0.0),
                    rotation: DQuat::from_rotation_z(0.3),
                };
                let shape = Shape::Mesh(Arc::new(mesh));
                let normal = pose.vector(DVec3::NEG_X);
                close(thickness(&shape, &pose, pose.position, normal), 0.25);
            }
        }
    }

    /// A closed mesh, turned and hit at an angle of its own: as thick as the box it is.
    #[test]
    fn a_closed_mesh_is_as_thick_as_its_box() {
        let half_extents = DVec3::new(0.1, 2.0, 3.0);
        let pose = Pose {
            position: DVec3::new(-2.0, 5.0, 1.0),
            rotation: DQuat::from_rotation_y(1.1) * DQuat::from_rotation_x(0.4),
        };
        for local in [DVec3::NEG_X, DVec3::Y, DVec3::Z] {
            let point = pose.point(local * half_extents + (DVec3::ONE - local.abs()) * 0.03);
            let normal = pose.vector(local);
            let want = 2.0 * half_extents.dot(local.abs());
            close(
                thickness(&slab_mesh(half_extents), &pose, point, normal),
                want,
            );
            close(
                thickness(&Shape::Box { half_extents }, &pose, point, normal),
                want,
            );
        }
    }

    /// A foil of 0.1 mm is no sheet, though its mesh is 2.8 m across.
    #[test]
    fn a_thin_closed_mesh_has_a_thickness() {
        let foil = slab_mesh(DVec3::new(5e-5, 1.0, 1.0));
        let at = DVec3::new(-5e-5, 0.1, 0.2);
        close(thickness(&foil, &Pose::IDENTITY, at, DVec3::NEG_X), 1e-4);
    }

    #[test]
    fn an_open_sheet_has_no_thickness() {
        let vertices = vec![DVec3::NEG_Y, DVec3::Y, DVec3::Z];
        let mesh = Mesh::new(vertices, vec![[0, 1, 2]], Facing::Both).unwrap();
        let shape = Shape::Mesh(Arc::new(mesh));
        let at = DVec3::new(0.0, 0.0, 0.3);
        close(thickness(&shape, &Pose::IDENTITY, at, DVec3::X), 0.0);
    }
}
