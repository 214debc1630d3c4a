//! The toolbar in the upper left corner of the viewport, for scenes that can be edited.

use super::handles::Editing;
use crate::app::authoring::{Drawn, STEPS, Snap, Tool};
use crate::app::command::Command;
use crate::app::number_field::{Kind, number};
use crate::app::widget::icon_command;
use egui::{Align, Frame, Layout, Rect, Ui, UiBuilder, vec2};

/// Height of the toolbar with its margin, points.
pub const TOOLBAR: f32 = 42.0;

/// Shows the toolbar over the level.
pub fn show(
    ui: &mut Ui,
    rect: Rect,
    (editing, is_flat): (&Editing<'_>, bool),
    commands: &mut Vec<Command>,
) {
    let tools = editing.tools;
    let area = Rect::from_min_max(rect.min + vec2(8.0, 8.0), rect.max);
    let builder = UiBuilder::new()
        .max_rect(area)
        .layout(Layout::left_to_right(Align::Min));
    ui.scope_builder(builder, |ui| {
        let fill = ui.visuals().panel_fill.gamma_multiply(0.92);
        Frame::new()
            .fill(fill)
            .corner_radius(6)
            .inner_margin(3)
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.x = 2.0;
                ui.horizontal(|ui| {
                    for tool in [Tool::Select, Tool::Move, Tool::Rotate, Tool::Scale] {
                        let on = tools.tool == tool;
                        icon_command(ui, &Command::UseTool(tool), on, commands);
                    }
                    if is_flat {
                        ui.add_space(6.0);
                        for tool in Drawn::ALL.map(Tool::Draw) {
                            let on = tools.tool == tool;
                            icon_command(ui, &Command::UseTool(tool), on, commands);
                        }
                    }
                    if tools.tool != Tool::Select {
                        settings(ui, editing, commands);
                    }
                });
            });
    });
}

fn settings(ui: &mut Ui, editing: &Editing<'_>, commands: &mut Vec<Command>) {
    let tools = editing.tools;
    ui.add_space(6.0);
    icon_command(ui, &Command::ToggleLocal, tools.local, commands);
    ui.add_space(6.0);
    for snap in [Snap::Grid, Snap::Surface, Snap::Contact] {
        let on = tools.snapping && tools.snap == snap;
        icon_command(ui, &Command::ToggleSnap(snap), on, commands);
    }
    let mut step = tools.step;
    let kind = Kind::between(*STEPS.start(), *STEPS.end()).with_unit("m");
    number(
        ui,
        "Grid step",
        &mut step,
        kind.with_speed(tools.step * 0.02),
    );
    if step != tools.step {
        commands.push(Command::GridStep(step));
    }
}
