//! The bar at the bottom of the viewport: what is hidden, locked, followed, clipped or measured, each with a way to end it.

use super::viewport_input::ViewportInput;
use crate::app::command::Command;
use crate::app::view_state::Switch;
use egui::accesskit::Role;
use egui::{Align, Button, Frame, Label, Layout, Rect, Slider, Ui, UiBuilder, WidgetInfo, vec2};

/// Shows the bar over the level; nothing when there is nothing to show.
pub fn show(ui: &mut Ui, rect: Rect, input: &ViewportInput<'_>, commands: &mut Vec<Command>) {
    let (visibility, layers) = (input.visibility, input.layers);
    let (hidden, locked) = (visibility.hidden(), visibility.locked());
    let objects = input.replay.objects();
    let followed = visibility.followed.and_then(|id| objects.get(id as usize));
    if hidden + locked == 0
        && followed.is_none()
        && layers.clip.is_none()
        && !layers.has(Switch::Measure)
    {
        return;
    }
    // Beside the axes in the corner.
    let area = Rect::from_min_max(
        rect.left_bottom() + vec2(104.0, -40.0),
        rect.max - vec2(8.0, 6.0),
    );
    let builder = UiBuilder::new()
        .max_rect(area)
        .layout(Layout::left_to_right(Align::Center));
    ui.scope_builder(builder, |ui| {
        let fill = ui.visuals().panel_fill.gamma_multiply(0.92);
        let frame = Frame::new().fill(fill).corner_radius(6).inner_margin(4);
        frame.show(ui, |ui| {
            if hidden > 0 {
                let text = format!("{hidden} hidden");
                button(
                    ui,
                    &text,
                    "Show all objects",
                    Command::ShowAllObjects,
                    commands,
                );
            }
            if locked > 0 {
                let text = format!("{locked} locked");
                let help = "Unlock all objects";
                button(ui, &text, help, Command::UnlockAll, commands);
            }
            if let Some(object) = followed {
                let text = format!("Following {}", object.name);
                button(ui, &text, "Stop following", Command::ToggleFollow, commands);
            }
            if let Some(place) = layers.clip {
                clip(ui, place, commands);
            }
            if layers.has(Switch::Measure) {
                let hint = "Measuring: click two points";
                button(
                    ui,
                    hint,
                    "Stop measuring",
                    Command::Toggle(Switch::Measure),
                    commands,
                );
            }
        });
    });
}

fn button(ui: &mut Ui, text: &str, tooltip: &str, command: Command, commands: &mut Vec<Command>) {
    let response = ui.add(Button::new(text).small().truncate());
    if response.on_hover_text(tooltip).clicked() {
        commands.push(command);
    }
}

/// The slider of the clipping plane; to the right is away from the eye.
fn clip(ui: &mut Ui, place: f64, commands: &mut Vec<Command>) {
    let mut depth = -place;
    ui.add(Label::new("Clip").selectable(false));
    let slider = Slider::new(&mut depth, -1.0..=1.0).show_value(false);
    let response = ui.add(slider);
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::Slider, true, "Clipping plane");
        info.value = Some(depth);
        info
    });
    let changed = response.changed();
    response.on_hover_text(
        "Depth of the clipping plane: the middle is at the point that the view turns around",
    );
    if changed {
        commands.push(Command::SetClip(-depth));
    }
    button(
        ui,
        "x",
        "Remove the clipping plane",
        Command::ToggleClip,
        commands,
    );
}
