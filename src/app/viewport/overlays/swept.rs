//! The space an object passes through in this frame: exact for straight motion, sampled when it turns.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use super::super::outline::{capsule_rim, outline};
use super::super::picture::{Rgba, rgba};
use crate::app::view_state::Layer;
use crate::core::shape::{Motion, Obb, Placed, Shape};
use glam::DVec3;

/// Poses drawn along the way of something that turns.
const SAMPLES: u32 = 8;

pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>) {
    for (id, object, _) in super::shown(moment, Layer::SweptVolumes) {
        for leg in moment.frame.segments.get(id as usize).into_iter().flatten() {
            let motion = &leg.motion;
            if motion.start.is_finite() && motion.end.is_finite() && motion.start != motion.end {
                swept(canvas, &object.shape, motion);
            }
        }
    }
}

/// One straight stretch.
fn swept(canvas: &mut Canvas, shape: &Shape, motion: &Motion) {
    let color = canvas.palette.swept;
    let shell = rgba(color, 0.16);
    let pen = Pen::new(color, 1.2).alpha(0.7).through(0.3);
    let along = motion.displacement();
    let (start, end) = (shape.placed(&motion.start), shape.placed(&motion.end));
    match (start, end) {
        (Placed::Sphere(one), Placed::Sphere(two)) => {
            canvas.capsule(one.center, two.center, one.radius, shell, true);
            capsule_rim(canvas, one.center, two.center, one.radius, pen);
        }
        _ if motion.turns() => {
            for step in 0..=SAMPLES {
                let pose = motion.pose(f64::from(step) / f64::from(SAMPLES));
                outline(canvas, &shape.placed(&pose), pen.alpha(0.45));
            }
        }
        (Placed::Obb(one), _) => extruded_box(canvas, &one, along, shell, pen),
        (Placed::Mesh(mesh, pose), _) => {
            let local = mesh.aabb();
            let obb = Obb {
                center: pose.point(local.center()),
                half_extents: local.half_extents(),
                rotation: pose.rotation,
            };
            extruded_box(canvas, &obb, along, shell, pen);
        }
        (Placed::Solid(solid, pose), _) => {
            for [a, b] in solid.outline() {
                let (a, b) = (pose.point(a), pose.point(b));
                canvas.pane_quad([a, b, b + along, a + along], shell);
            }
            outline(canvas, &start, pen);
            outline(canvas, &end, pen);
        }
        (Placed::Compound(compound, _), _) => {
            for part in compound.parts() {
                let motion = Motion {
                    start: motion.start.then(&part.pose),
                    end: motion.end.then(&part.pose),
                };
                swept(canvas, &part.shape, &motion);
            }
        }
        (Placed::Segment(one), _) => {
            let corners = [one.a, one.b, one.b + along, one.a + along];
            canvas.pane_quad(corners, shell);
            canvas.loop_line(&corners, pen);
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
                canvas.pane_quad(quad, shell);
                canvas.loop_line(&quad, pen);
            }
        }
        (Placed::Capsule(one), _) => {
            let (a, b, radius) = (one.segment.a, one.segment.b, one.radius);
            for (from, to) in [(a, a + along), (b, b + along)] {
                canvas.capsule(from, to, radius, shell, true);
                capsule_rim(canvas, from, to, radius, pen);
            }
            if let Some(normal) = (b - a).cross(along).try_normalize() {
                for out in [normal * radius, normal * -radius] {
                    canvas.pane_quad([a + out, b + out, b + along + out, a + along + out], shell);
                }
            }
        }
        (Placed::Plane(_) | Placed::Sphere(_), _) => {}
    }
}

/// The hull of a box at both ends of a straight way: faces that look along it at the end, the others at the start, and the
/// edges between the two kinds drawn out.
fn extruded_box(canvas: &mut Canvas, obb: &Obb, along: DVec3, shell: Rgba, pen: Pen) {
    let corners = obb.corners();
    let ahead = Obb::FACES.map(|face| {
        let [a, b, c, _] = face.map(|index| corners[index]);
        (b - a).cross(c - a).dot(along) > 0.0
    });
    let moved =
        |index: usize, ahead: bool| corners[index] + if ahead { along } else { DVec3::ZERO };
    for (face, &ahead) in Obb::FACES.iter().zip(&ahead) {
        canvas.shell_quad(face.map(|index| moved(index, ahead)), shell);
    }
    for (number, face) in Obb::FACES.iter().enumerate() {
        for side in 0..4 {
            let (i, j) = (face[side], face[(side + 1) % 4]);
            let other = (0..6).find(|&other| {
                other != number && Obb::FACES[other].contains(&i) && Obb::FACES[other].contains(&j)
            });
            if ahead[number] {
                canvas.line(moved(i, true), moved(j, true), pen.alpha(0.4));
            } else {
                canvas.line(moved(i, false), moved(j, false), pen.alpha(0.4));
            }
            // Seen from outside, the rim of the faces that stay runs the way its own face does.
            if !ahead[number] && other.is_some_and(|other| ahead[other]) {
                let quad = [
                    moved(j, false),
                    moved(i, false),
                    moved(i, true),
                    moved(j, true),
                ];
                canvas.shell_quad(quad, shell);
                canvas.line(moved(i, false), moved(i, true), pen);
                canvas.line(moved(j, false), moved(j, true), pen);
            }
        }
    }
}
