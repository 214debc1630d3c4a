//! The triangle of a mesh that an impact struck: lit, with its neighbours, normals and winding; at an edge that it shares, the angle
//! between the faces.

use super::super::draw_list::{Rank, rgba};
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::impact::ShownImpact;
use super::super::viewport_input::ViewportInput;
use crate::core::diagnose::{Cause, Finding, Key};
use crate::core::number;
use crate::core::query::closest_point::{closest_point_on_segment, closest_point_on_triangle};
use crate::core::shape::{Aabb, Mesh, Pose, Shape, Triangle};
use egui::Color32;
use glam::{DVec2, DVec3};

/// Distance of the contact from a triangle or an edge up to which it is on it, as a fraction of the size of the mesh or the edge.
const ON_IT: f64 = 1e-3;
/// Length of a normal on the screen, points.
const NORMAL: f64 = 44.0;

/// Draws the struck triangles of the impacts that are labelled.
pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, impacts: &[ShownImpact]) {
    for impact in impacts.iter().filter(|impact| impact.selected) {
        for id in [impact.a, impact.b].into_iter().flatten() {
            let object = input.replay.objects().get(id as usize);
            let pose = input.frame.pose(id, impact.fraction);
            let (Some(object), Some(pose)) = (object, pose.filter(Pose::is_finite)) else {
                continue;
            };
            if let Shape::Mesh(mesh) = &object.shape
                && !input.visibility.hides(id)
                && let Some(struck) = struck(mesh, &pose, impact)
            {
                show(builder, mesh, &pose, (struck, impact.point));
            }
        }
    }
}

/// Writes how far the normal of an internal edge's contact is off the faces, at the contact.
pub fn edge_angle(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let at_edge = |finding: &&Finding| {
        finding.cause == Cause::InternalEdge && finding.frame == input.frame.number
    };
    if let Some(finding) = input.finding.filter(at_edge)
        && let Some(tilt) = finding.value(Key::Tilt)
    {
        let (point, color) = (DVec3::from_array(finding.point), builder.palette.normal);
        let text = format!("{} off the face", number::degrees(tilt));
        builder.label(point, DVec2::Y, text, color, Rank::Impact);
    }
}

/// The triangle at a contact; of several the one whose normal is nearest to the contact's.
fn struck(mesh: &Mesh, pose: &Pose, impact: &ShownImpact) -> Option<u32> {
    let point = pose.point_to_local(impact.point);
    let normal = pose.vector_to_local(impact.normal.unwrap_or(DVec3::ZERO));
    let near = mesh.aabb().half_extents().length() * ON_IT;
    let region = Aabb {
        min: point - DVec3::splat(near),
        max: point + DVec3::splat(near),
    };
    let mut best: Option<(f64, u32)> = None;
    mesh.for_each_in(&region, &mut |index| {
        let triangle = mesh.triangle(index);
        let (closest, _) = closest_point_on_triangle(point, &triangle);
        let facing = triangle.normal().map_or(0.0, |own| own.dot(normal).abs());
        let cost = closest.distance(point) / near - facing;
        if closest.distance(point) <= near && best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, index));
        }
    });
    best.map(|(_, index)| index)
}

fn corners(triangle: &Triangle, pose: &Pose) -> [DVec3; 3] {
    [triangle.a, triangle.b, triangle.c].map(|corner| pose.point(corner))
}

fn show(builder: &mut DrawListBuilder, mesh: &Mesh, pose: &Pose, (struck, point): (u32, DVec3)) {
    let color = builder.palette.bad;
    let lit = corners(&mesh.triangle(struck), pose);
    for edge in 0..3 {
        let others = mesh.edges().sides(struck, edge);
        for (other, _) in others.filter(|(other, _)| *other != struck) {
            let style = LineStyle::new(builder.palette.contact, 1.6).occluded(0.4);
            builder.loop_line(&corners(&mesh.triangle(other), pose), style);
        }
    }
    builder.double_sided_triangle(lit, rgba(color, 0.45));
    builder.loop_line(&lit, LineStyle::new(color, 2.4).occluded(0.6));
    winding(builder, lit);
    let center = (lit[0] + lit[1] + lit[2]) / 3.0;
    let own = builder.palette.normal;
    normal(builder, &mesh.triangle(struck), pose, (center, own));
    let text = format!("triangle {struck}");
    builder.label(center, DVec2::Y, text, color, Rank::Ghost);
    if let Some((other, angle)) = edge_at(mesh, struck, pose.point_to_local(point)) {
        let sides = [(struck, own), (other, builder.palette.push)];
        for (side, color) in sides {
            normal(builder, &mesh.triangle(side), pose, (point, color));
        }
        let text = format!("{angle:.1}\u{b0} between faces");
        builder.label(point, DVec2::NEG_Y, text, own, Rank::Impact);
    }
}

/// Draws an arrow along each edge, inside the triangle, in the order of its corners.
fn winding(builder: &mut DrawListBuilder, corners: [DVec3; 3]) {
    let center = (corners[0] + corners[1] + corners[2]) / 3.0;
    let style = LineStyle::new(builder.palette.contact, 1.6).occluded(0.4);
    for side in 0..3 {
        let [from, to] = [corners[side], corners[(side + 1) % 3]];
        let inside = |fraction: f64| from.lerp(to, fraction).lerp(center, 0.2);
        builder.arrow(inside(0.3), inside(0.7), style);
    }
}

fn normal(
    builder: &mut DrawListBuilder,
    triangle: &Triangle,
    pose: &Pose,
    (at, color): (DVec3, Color32),
) {
    if let Some(normal) = triangle.normal() {
        let length = builder.view.metres_per_point(at) * NORMAL;
        let style = LineStyle::new(color, 2.0).occluded(0.6);
        builder.arrow(at, at + pose.vector(normal) * length, style);
    }
}

/// The other triangle of the edge on which a local point lies, and the angle between the faces, degrees: 0 in one plane. `None` inside
/// the triangle and at the boundary.
fn edge_at(mesh: &Mesh, struck: u32, point: DVec3) -> Option<(u32, f64)> {
    (0..3).find_map(|edge| {
        let segment = mesh.edge(struck, edge);
        let (closest, _) = closest_point_on_segment(point, &segment);
        let length = segment.a.distance(segment.b);
        let mut others = mesh.edges().sides(struck, edge);
        let (other, _) = others.find(|(other, _)| *other != struck)?;
        let [one, two] = [struck, other].map(|side| mesh.triangle(side).normal());
        let cosine = one?.dot(two?).clamp(-1.0, 1.0);
        (closest.distance(point) <= ON_IT * length).then(|| (other, cosine.acos().to_degrees()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Facing;

    /// A square floor of two triangles, and a wall on its side at x = 1.
    fn corner() -> Mesh {
        let points = [
            [0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0],
            [1.0, 0.0, 1.0],
            [0.0, 0.0, 1.0],
            [1.0, 1.0, 0.0],
        ];
        let triangles = vec![[0, 2, 1], [0, 3, 2], [1, 2, 4]];
        Mesh::new(
            points.map(DVec3::from_array).to_vec(),
            triangles,
            Facing::Both,
        )
        .expect("a mesh")
    }

    #[test]
    fn the_struck_triangle_is_the_one_that_the_normal_is_of() {
        let pose = Pose {
            position: DVec3::X * 10.0,
            ..Pose::IDENTITY
        };
        // On the edge between floor and wall.
        let impact = |normal| ShownImpact {
            a: Some(0),
            b: Some(1),
            fraction: 0.5,
            point: DVec3::new(11.0, 0.0, 0.25),
            normal: Some(normal),
            selected: true,
        };
        assert_eq!(struck(&corner(), &pose, &impact(DVec3::Y)), Some(0));
        assert_eq!(struck(&corner(), &pose, &impact(DVec3::NEG_X)), Some(2));
        let away = ShownImpact {
            point: DVec3::new(11.0, 2.0, 0.25),
            ..impact(DVec3::Y)
        };
        assert_eq!(struck(&corner(), &pose, &away), None);
    }

    #[test]
    fn an_edge_has_the_angle_between_its_faces() {
        let mesh = corner();
        let between = edge_at(&mesh, 0, DVec3::new(0.5, 0.0, 0.5)).expect("the diagonal");
        assert!(between.0 == 1 && between.1.abs() < 1e-6, "{between:?}");
        let corner = edge_at(&mesh, 0, DVec3::new(1.0, 0.0, 0.5)).expect("the wall");
        assert!(
            corner.0 == 2 && (corner.1 - 90.0).abs() < 1e-6,
            "{corner:?}"
        );
        assert_eq!(edge_at(&mesh, 0, DVec3::new(0.8, 0.0, 0.3)), None, "inside");
        assert_eq!(
            edge_at(&mesh, 0, DVec3::new(0.5, 0.0, 0.0)),
            None,
            "the boundary"
        );
    }
}
