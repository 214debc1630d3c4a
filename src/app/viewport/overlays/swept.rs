//! The swept volume of an object in this frame: exact for translations, sampled for rotations.

use super::super::ViewportInput;
use super::super::draw_list::{Rgba, rgba};
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::outline::{capsule_silhouette, outline};
use crate::app::view_state::Layer;
use crate::core::shape::{Motion, Obb, Placed, Shape, Solid};
use glam::DVec3;

/// Poses drawn along the path of a rotating object.
const SAMPLES: u32 = 8;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let shown = super::shown(input, Layer::SweptVolumes);
    for (id, object, _) in shown.filter(|(id, ..)| !input.is_changed(*id)) {
        for segment in input.frame.segments(id) {
            let motion = &segment.motion;
            if motion.start.is_finite() && motion.end.is_finite() && motion.start != motion.end {
                swept(builder, &object.shape, motion);
            }
        }
    }
}

/// Draws the swept volume of one straight segment.
fn swept(builder: &mut DrawListBuilder, shape: &Shape, motion: &Motion) {
    let color = builder.palette.swept;
    let fill = rgba(color, 0.16);
    let style = LineStyle::new(color, 1.2).alpha(0.7).occluded(0.3);
    let along = motion.displacement();
    let (start, end) = (shape.placed(&motion.start), shape.placed(&motion.end));
    match (start, end) {
        (Placed::Sphere(one), Placed::Sphere(two)) => {
            builder.translucent_capsule(one.center, two.center, one.radius, fill);
            capsule_silhouette(builder, one.center, two.center, one.radius, style);
        }
        _ if motion.turns() => {
            for step in 0..=SAMPLES {
                let pose = motion.pose(f64::from(step) / f64::from(SAMPLES));
                outline(builder, shape, &pose, style.alpha(0.45));
            }
        }
        (Placed::Obb(one), _) => extruded_box(builder, &one, along, fill, style),
        (Placed::Mesh(mesh, pose), _) => {
            let local = mesh.aabb();
            let obb = Obb {
                center: pose.point(local.center()),
                half_extents: local.half_extents(),
                rotation: pose.rotation,
            };
            extruded_box(builder, &obb, along, fill, style);
        }
        (Placed::Solid(solid, pose), _) => {
            for [a, b] in solid.outline() {
                let (a, b) = (pose.point(a), pose.point(b));
                builder.double_sided_quad([a, b, b + along, a + along], fill);
            }
            outline(builder, shape, &motion.start, style);
            outline(builder, shape, &motion.end, style);
        }
        (Placed::Compound(compound, _), _) => {
            for part in compound.parts() {
                let motion = Motion {
                    start: motion.start.then(&part.pose),
                    end: motion.end.then(&part.pose),
                };
                swept(builder, &part.shape, &motion);
            }
        }
        (Placed::Segment(one), _) => {
            let corners = [one.a, one.b, one.b + along, one.a + along];
            builder.double_sided_quad(corners, fill);
            builder.loop_line(&corners, style);
        }
        (Placed::Triangle(one), _) => {
            let corners = [one.a, one.b, one.c];
            for (i, j) in [(0, 1), (1, 2), (2, 0)] {
                let quad = [
                    corners[i],
                    corners[j],
                    corners[j] + along,
                    corners[i] + along,
                ];
                builder.double_sided_quad(quad, fill);
                builder.loop_line(&quad, style);
            }
        }
        (Placed::Capsule(one), _) => {
            let (a, b, radius) = (one.segment.a, one.segment.b, one.radius);
            for (from, to) in [(a, a + along), (b, b + along)] {
                builder.translucent_capsule(from, to, radius, fill);
                capsule_silhouette(builder, from, to, radius, style);
            }
            if let Some(normal) = (b - a).cross(along).try_normalize() {
                for out in [normal * radius, normal * -radius] {
                    builder.double_sided_quad(
                        [a + out, b + out, b + along + out, a + along + out],
                        fill,
                    );
                }
            }
        }
        (Placed::Plane(_) | Placed::Sphere(_), _) => {}
    }
}

/// Draws the hull of a box at both ends of a displacement: the faces along it at the end, the others at the start, and quads
/// between them.
fn extruded_box(
    builder: &mut DrawListBuilder,
    obb: &Obb,
    along: DVec3,
    fill: Rgba,
    style: LineStyle,
) {
    let corners = obb.corners();
    let ahead = Obb::FACES.map(|face| {
        let [a, b, c, _] = face.map(|index| corners[index]);
        (b - a).cross(c - a).dot(along) > 0.0
    });
    let moved =
        |index: usize, ahead: bool| corners[index] + if ahead { along } else { DVec3::ZERO };
    for (face, &ahead) in Obb::FACES.iter().zip(&ahead) {
        builder.front_quad(face.map(|index| moved(index, ahead)), fill);
    }
    for (number, face) in Obb::FACES.iter().enumerate() {
        for side in 0..4 {
            let (i, j) = (face[side], face[(side + 1) % 4]);
            let other = (0..6).find(|&other| {
                other != number && Obb::FACES[other].contains(&i) && Obb::FACES[other].contains(&j)
            });
            if ahead[number] {
                builder.line(moved(i, true), moved(j, true), style.alpha(0.4));
            } else {
                builder.line(moved(i, false), moved(j, false), style.alpha(0.4));
            }
            // Counter-clockwise from outside, as the face at the start.
            if !ahead[number] && other.is_some_and(|other| ahead[other]) {
                let quad = [
                    moved(j, false),
                    moved(i, false),
                    moved(i, true),
                    moved(j, true),
                ];
                builder.front_quad(quad, fill);
                builder.line(moved(i, false), moved(i, true), style);
                builder.line(moved(j, false), moved(j, true), style);
            }
        }
    }
}
