//! Lists of points in a form.

use super::forms::{self, Kind, Rows};
use crate::app::widget;
use egui::{Button, Ui};
use egui_material_icons::icons;
use glam::DVec3;

/// Points, each with a button that removes it; so many are left.
pub(super) fn points(
    rows: &mut Rows<'_>,
    (name, help): (&str, &str),
    points: &mut Vec<DVec3>,
    least: usize,
) {
    let (count, mut gone) = (points.len(), None);
    for (index, point) in points.iter_mut().enumerate() {
        let name = format!("{name} {}", index + 1);
        rows.row(&name, help, |ui, name| {
            if remove(ui, name, count > least) {
                gone = Some(index);
            }
            forms::vector(ui, name, point, Kind::any("m"));
        });
    }
    if let Some(index) = gone {
        points.remove(index);
    }
    let last = points.last().copied().unwrap_or(DVec3::NEG_Z * 0.5);
    rows.row("", "", |ui, _| {
        let button = ui.add(Button::new(format!("Add a {name}")).small());
        if button.on_hover_text("Another one, like the last").clicked() {
            points.push(last);
        }
    });
}

/// The button that removes an item of a list.
pub(super) fn remove(ui: &mut Ui, name: &str, enabled: bool) -> bool {
    let name = format!("Remove {name}");
    ui.add_enabled_ui(enabled, |ui| {
        widget::icon_button(ui, icons::ICON_DELETE, &name, "", false).clicked()
    })
    .inner
}
