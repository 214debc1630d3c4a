//! Where findings are: a translucent ball in each place, the larger the more there are.

use super::super::ViewportInput;
use super::super::draw_list::{Rank, rgba};
use super::super::draw_list_builder::DrawListBuilder;
use crate::app::text;
use crate::core::diagnose::Kind;
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
    for (rank, place) in heat.places.iter().enumerate() {
        let share = place.count as f64 / most as f64;
        let (least, largest) = RADII;
        // The area of a ball is as its number.
        let radius = heat.cell * (least + (largest - least) * share.sqrt());
        let alpha = 0.15 + 0.45 * share.sqrt() as f32;
        builder.translucent_capsule(place.center, place.center, radius, rgba(color, alpha));
        if rank < LABELLED && place.count > 1 {
            let text = text::count(place.count, "finding");
            builder.label(place.center, DVec2::NEG_Y, text, color, Rank::Impact);
        }
    }
}
