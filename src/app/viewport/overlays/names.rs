//! Each object's name above it; only the nearest ones when there are too many.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::DrawListBuilder;
use crate::app::view_state::Layer;
use crate::core::replay::ObjectId;
use glam::{DVec2, DVec3};

/// Most names that are drawn.
const MAX_NAMES: usize = 120;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, hovered: Option<ObjectId>) {
    let mut names: Vec<(f64, DVec3, &str, ObjectId)> = super::shown(input, Layer::Names)
        .filter(|(id, ..)| hovered != Some(*id))
        .filter_map(|(id, object, pose)| {
            // A plane is unbounded and has no top.
            let bounds = object.shape.placed(&pose).aabb()?;
            let center = bounds.center();
            let top = DVec3::new(center.x, bounds.max.y, center.z);
            builder.view.project(top)?;
            let distance = (top - builder.view.eye).length();
            Some((distance, top, object.name.as_str(), id))
        })
        .collect();
    names.sort_by(|one, two| one.0.total_cmp(&two.0).then(one.3.cmp(&two.3)));
    names.truncate(MAX_NAMES);
    let palette = builder.palette;
    // Nearest first: the farthest are dropped where space is short.
    for (_, top, name, id) in names {
        let color = if input.selection.contains(id) {
            palette.selected
        } else {
            palette.text
        };
        let rank = if input.selection.contains(id) {
            Rank::Selected
        } else {
            Rank::Name
        };
        builder.label(top, DVec2::NEG_Y, name, color, rank);
    }
}
