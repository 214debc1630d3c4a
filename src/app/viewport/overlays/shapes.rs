//! Sensors, which are translucent, and the outlines of the selected objects and of the one under the pointer.

use super::super::ViewportInput;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::outline::{ghost, outline};
use super::super::section::CutPlane;
use crate::core::replay::ObjectId;

/// Alpha of a sensor.
const SENSOR: f32 = 0.16;

pub fn draw(
    builder: &mut DrawListBuilder,
    input: &ViewportInput<'_>,
    hovered: Option<ObjectId>,
    (sensors, cut): (&[ObjectId], Option<&CutPlane>),
) {
    let palette = builder.palette;
    let objects = input.replay.objects();
    let shown = |id: ObjectId| {
        let object = objects.get(id as usize)?;
        Some((object, input.pose(id).filter(|_| input.shows_body(id))?))
    };
    for (object, pose) in sensors.iter().filter_map(|&id| shown(id)) {
        let color = palette.object(object);
        ghost(builder, &object.shape, &pose, (color, SENSOR));
    }
    let style = LineStyle::new(palette.selected, 2.2).occluded(0.35);
    let selected = input.selection.objects().iter();
    let outlined = selected.map(|&id| (id, style));
    let hovered = hovered.filter(|id| !input.selection.contains(*id));
    let of_hovered = LineStyle::new(palette.hovered, 1.8).alpha(0.9);
    for (id, style) in outlined.chain(hovered.map(|id| (id, of_hovered.occluded(0.15)))) {
        if let Some((object, pose)) = shown(id) {
            builder.cut = cut.filter(|cut| cut.cuts(id)).cloned();
            outline(builder, &object.shape, &pose, style);
        }
    }
    builder.cut = None;
}
