//! Where findings are: triangles of meshes tinted, and elsewhere a translucent ball in each place, the larger the more there are.

use super::super::ViewportInput;
use super::super::draw_list::{Rank, rgba};
use super::super::draw_list_builder::DrawListBuilder;
use crate::app::text;
use crate::core::diagnose::Kind;
use crate::core::shape::{Shape, Triangle};
use glam::DVec2;

/// Places with a label.
const LABELLED: usize = 5;
/// The smallest and the largest ball, in cells.
const RADII: (f64, f64) = (0.25, 0.75);

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let Some(heat) = input.heat else {
        return;
    };
    let most = heat.places.first().map_or(1, |place| place.count).max(1);
    let color = builder.palette.kind(Kind::Tunnels);
    let most_near = heat.triangles.iter().map(|near| near.count).max();
    for near in &heat.triangles {
        let object = input.replay.objects().get(near.object as usize);
        let pose = input.pose(near.object);
        let (Some(Shape::Mesh(mesh)), Some(pose)) = (object.map(|it| &it.shape), pose) else {
            continue;
        };
        if input.visibility.hides(near.object) || near.triangle as usize >= mesh.count() {
            continue;
        }
        let share = near.count as f64 / most_near.unwrap_or(1) as f64;
        let Triangle { a, b, c, .. } = mesh.triangle(near.triangle);
        let corners = [a, b, c].map(|corner| pose.point(corner));
        let alpha = 0.25 + 0.5 * share.sqrt() as f32;
        builder.double_sided_triangle(corners, rgba(color, alpha));
    }
    for (rank, place) in heat.places.iter().enumerate() {
        let share = place.count as f64 / most as f64;
        let (least, largest) = RADII;
        // The area of a ball is as its number.
        let radius = heat.cell * (least + (largest - least) * share.sqrt());
        let alpha = 0.15 + 0.45 * share.sqrt() as f32;
        if !place.is_on_mesh {
            builder.translucent_capsule(place.center, place.center, radius, rgba(color, alpha));
        }
        if rank < LABELLED && place.count > 1 {
            let text = text::count(place.count, "finding");
            builder.label(place.center, DVec2::NEG_Y, text, color, Rank::Impact);
        }
    }
}
