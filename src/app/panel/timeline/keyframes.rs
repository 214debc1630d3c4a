//! The keyframes of the selected objects, as diamonds on the ruler.

use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::theme::{Palette, Surfaces};
use crate::app::time_map::{TimeMap, seek_to};
use crate::core::scene::Movement;
use egui::accesskit::Role;
use egui::{Rect, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2};
use std::collections::BTreeMap;

/// The keyframes of more selected objects than this are not shown.
const MAX_OBJECTS: usize = 16;
/// The distance from the centre of a diamond to its corners, points.
const SIZE: f32 = 4.5;
/// The height of a diamond's centre above the bottom of the ruler, points: above the loop.
const ABOVE_BOTTOM: f32 = 15.0;

/// Draws the diamonds; a click on one goes to its frame.
pub fn show(
    ui: &mut Ui,
    map: &TimeMap,
    ruler: Rect,
    model: &Model,
    document: &Document,
    commands: &mut Vec<Command>,
) {
    let mut last = f32::NEG_INFINITY;
    let y = ruler.bottom() - ABOVE_BOTTOM;
    for (frame, names) in keyframes(model, document, map) {
        let x = map.x(f64::from(frame));
        // Keyframes in the same column of pixels are drawn once.
        if !ruler.x_range().contains(x) || x - last < 1.0 {
            continue;
        }
        last = x;
        let rect = Rect::from_center_size(pos2(x, y), Vec2::splat(2.0 * SIZE + 2.0));
        let id = ui.scope_id().with(("keyframe", frame));
        let response = ui.interact(rect, id, Sense::click());
        let text = format!("Keyframe of {}, frame {frame}", names.join(", "));
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &text));
        paint(ui, rect, response.hovered());
        if response.on_hover_text(text).clicked() {
            commands.push(seek_to(f64::from(frame), model.playback.frames()));
        }
    }
}

/// The visible frames with keyframes, and the names of their objects.
fn keyframes<'d>(
    model: &Model,
    document: &'d Document,
    map: &TimeMap,
) -> BTreeMap<u32, Vec<&'d str>> {
    let (from, to) = (map.from - 1.0, map.to() + 1.0);
    let mut found: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    let selected = model.selection.objects();
    if selected.len() > MAX_OBJECTS {
        return found;
    }
    let objects = document.replay().objects();
    for object in selected.iter().filter_map(|&id| objects.get(id as usize)) {
        let Movement::Keyframes(keys) = &object.movement else {
            continue;
        };
        let frames = keys.iter().map(|key| key.frame);
        let last = model.playback.frames();
        for frame in
            frames.filter(|&frame| frame <= last && (from..=to).contains(&f64::from(frame)))
        {
            found.entry(frame).or_default().push(&object.name);
        }
    }
    found
}

fn paint(ui: &Ui, rect: Rect, hovered: bool) {
    let (palette, surfaces) = (Palette::of(ui.visuals()), Surfaces::of(ui.visuals()));
    let center = rect.center();
    let size = if hovered { SIZE + 1.5 } else { SIZE };
    let corners = [(-size, 0.0), (0.0, -size), (size, 0.0), (0.0, size)];
    let diamond = corners.map(|(x, y)| center + Vec2::new(x, y)).to_vec();
    let edge = Stroke::new(1.0, surfaces.sunken);
    ui.painter()
        .add(Shape::convex_polygon(diamond, palette.selected, edge));
}
