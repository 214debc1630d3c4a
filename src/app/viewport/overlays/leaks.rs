//! Where movers pass the fixed surfaces: triangles of meshes tinted, the shot of each place as an arrow, that of the chosen one with its speed.

use super::super::ViewportInput;
use super::super::draw_list::{Rank, rgba};
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use crate::core::shape::Shape;
use glam::DVec2;

/// Triangles that are tinted at most.
const TINTED: usize = 20_000;
/// Places with an arrow at most, the worst first.
const ARROWS: usize = 500;
/// Length of an arrow on each side of the surface, points.
const LENGTH: f64 = 26.0;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let Some((found, chosen)) = input.leaks else {
        return;
    };
    let units = input.replay.units();
    let (color, mut tinted) = (builder.palette.bad, 0);
    for (index, leak) in found.places.iter().enumerate() {
        let object = input.replay.objects().get(leak.object_id as usize);
        let (Some(object), Some(pose)) = (object, input.pose(leak.object_id)) else {
            continue;
        };
        if input.visibility.hides(leak.object_id) {
            continue;
        }
        let is_chosen = chosen == Some(index);
        if let Shape::Mesh(mesh) = &object.shape {
            let alpha = if is_chosen { 0.55 } else { 0.28 };
            let faces = leak
                .faces
                .iter()
                .filter(|face| (**face as usize) < mesh.count());
            for face in faces.take(TINTED.saturating_sub(tinted)) {
                let triangle = mesh.triangle(*face);
                let corners = [triangle.a, triangle.b, triangle.c].map(|corner| pose.point(corner));
                builder.double_sided_triangle(corners, rgba(color, alpha));
                tinted += 1;
            }
        }
        if index < ARROWS || is_chosen {
            let reach = builder.view.metres_per_point(leak.point) * LENGTH;
            let style = LineStyle::new(color, if is_chosen { 3.0 } else { 1.6 }).occluded(0.4);
            builder.arrow(
                leak.point - leak.along * reach,
                leak.point + leak.along * reach,
                style,
            );
        }
        if is_chosen {
            let text = format!("held up to {}", units.speed(leak.holds));
            builder.label(leak.point, DVec2::NEG_Y, text, color, Rank::Impact);
        }
    }
}
