//! Widgets that several panels use.

use super::command::Command;
use super::entry::{Entry, checked};
use super::model::Model;
use super::text::middle_ellipsis;
use super::theme::{Palette, Surfaces};
use crate::core::escape::parts;
use egui::accesskit::Role;
use egui::text::{LayoutJob, TextFormat};
use egui::{
    Align, Button, Color32, FontId, Key, KeyboardShortcut, Layout, Response, RichText, TextStyle,
    Ui, Vec2, WidgetInfo, vec2,
};
use egui_material_icons::{MaterialIcon, icons};

use crate::core::diagnose::{ExpectationResult, Verdict};
use crate::core::scene::Expectation;
use crate::core::shape::{Shape, SolidShape};

/// The content of a menu or a tooltip, boxed: egui's generic code for these is long, and is so compiled once instead of for each content.
pub fn content<'c>(content: impl FnOnce(&mut Ui) + 'c) -> Box<dyn FnOnce(&mut Ui) + 'c> {
    Box::new(content)
}

/// A square button with only an icon. The name is the accessible label and the title of the tooltip.
pub fn icon_button(ui: &mut Ui, icon: MaterialIcon, name: &str, help: &str, on: bool) -> Response {
    let text = icon.rich_text().size(17.0);
    let button = Button::new(text)
        .frame_when_inactive(on)
        .selected(on)
        .min_size(Vec2::splat(26.0));
    let response = ui.add(button);
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::selected(Role::Button, enabled, on, name));
    let tooltip = |ui: &mut Ui| {
        ui.label(RichText::new(name).strong());
        if !help.is_empty() {
            ui.label(help);
        }
    };
    describe(&response, if help.is_empty() { name } else { help });
    // A disabled button has the same tooltip.
    response
        .on_hover_ui(content(tooltip))
        .on_disabled_hover_ui(content(tooltip))
}

/// Sets the accessible description of a widget.
pub fn describe(response: &Response, text: &str) {
    let ctx = &response.ctx;
    if ctx.has_accesskit_node(response.id) {
        ctx.accesskit_node_builder(response.id, |node| node.set_description(text));
    }
}

/// The pointer's position while a widget is dragged, and at the release: a quick drag has no pass in between.
pub fn dragged_to(response: &Response) -> Option<egui::Pos2> {
    let down = response.is_pointer_button_down_on();
    let released = response.drag_stopped() || response.clicked();
    let position = response.interact_pointer_pos();
    position.filter(|_| down || released)
}

/// The icon button of a command.
pub fn command_button(ui: &mut Ui, command: &Command, model: &Model, commands: &mut Vec<Command>) {
    if let Some(entry) = command.entry() {
        let on = checked(command, model);
        command_button_as(ui, entry, entry.icon, on, model, commands);
    }
}

/// The icon button of a command with another icon, for example pause on the play button.
pub fn command_button_as(
    ui: &mut Ui,
    entry: &Entry,
    icon: MaterialIcon,
    on: bool,
    model: &Model,
    commands: &mut Vec<Command>,
) {
    let why_not = entry.unavailable(model);
    entry_button(ui, (entry, icon), on, why_not, commands);
}

/// The icon button of a command that is available wherever it is shown.
pub fn icon_command(ui: &mut Ui, command: &Command, on: bool, commands: &mut Vec<Command>) {
    if let Some(entry) = command.entry() {
        entry_button(ui, (entry, entry.icon), on, None, commands);
    }
}

/// The reason why a command is disabled, as the last line of its tooltip.
fn reason_line(why_not: Option<&str>) -> String {
    why_not.map_or_else(String::new, |reason| format!("\n{reason}."))
}

fn entry_button(
    ui: &mut Ui,
    (entry, icon): (&Entry, MaterialIcon),
    on: bool,
    why_not: Option<&str>,
    commands: &mut Vec<Command>,
) {
    let mut help = match shortcut(ui, entry) {
        Some(keys) => format!("{}  ·  {keys}", entry.tooltip),
        None => entry.tooltip.to_owned(),
    };
    help += &reason_line(why_not);
    ui.add_enabled_ui(why_not.is_none(), |ui| {
        if icon_button(ui, icon, entry.text, &help, on).clicked() {
            commands.push(entry.command.clone());
        }
    });
}

/// The menu item of a command.
pub fn menu_item(ui: &mut Ui, command: &Command, model: &Model, commands: &mut Vec<Command>) {
    if let Some(entry) = command.entry() {
        menu_item_as(ui, entry, entry.text, model, commands);
    }
}

/// The menu item of a command with another text, for example the change that undo reverts.
pub fn menu_item_as(
    ui: &mut Ui,
    entry: &Entry,
    text: &str,
    model: &Model,
    commands: &mut Vec<Command>,
) {
    let on = checked(&entry.command, model);
    let why_not = entry.unavailable(model);
    let icon = if on { icons::ICON_CHECK } else { entry.icon };
    let button = Button::new((icon.rich_text().size(15.0), text))
        .shortcut_text(shortcut(ui, entry).unwrap_or_default());
    let response = ui.add_enabled(why_not.is_none(), button);
    response.widget_info(|| WidgetInfo::selected(Role::MenuItem, why_not.is_none(), on, text));
    let help = format!("{}{}", entry.tooltip, reason_line(why_not));
    let response = response.on_hover_text(&help);
    if response.on_disabled_hover_text(&help).clicked() {
        commands.push(entry.command.clone());
        ui.close();
    }
}

/// The keyboard shortcut that menus show.
pub fn shortcut(ui: &Ui, entry: &Entry) -> Option<String> {
    Some(keys_text(ui, entry.keys.first()?))
}

/// A keyboard shortcut as text: `Ctrl+O`, `]`.
pub fn keys_text(ui: &Ui, keys: &KeyboardShortcut) -> String {
    let text = ui.ctx().format_shortcut(keys);
    let character = match keys.logical_key {
        Key::OpenBracket => "[",
        Key::CloseBracket => "]",
        Key::Comma => ",",
        Key::Period => ".",
        Key::Questionmark => "?",
        Key::Plus => "+",
        Key::Equals => "=",
        Key::Minus => "-",
        _ => return text,
    };
    text.replace(keys.logical_key.name(), character)
}

/// A heading in a panel, with widgets at its right; the text is truncated where there is too little space.
pub fn heading(ui: &mut Ui, text: &str, right: impl FnOnce(&mut Ui)) {
    let sides = egui::Sides::new().height(24.0).shrink_left().truncate();
    let title = |ui: &mut Ui| {
        let font = TextStyle::Body.resolve(ui.style());
        let shown = shortened(ui.painter(), text, &font, ui.available_width());
        let label = ui.label(RichText::new(shown).strong());
        label.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    };
    sides.show(ui, title, right);
}

/// A row of a table of facts: the name and the value.
pub fn fact(ui: &mut Ui, name: &str, value: impl Into<String>) {
    ui.label(RichText::new(name).weak());
    let value: String = value.into();
    ui.add(egui::Label::new(RichText::new(value).monospace()).wrap());
    ui.end_row();
}

/// A table of facts, in two columns.
pub fn facts(ui: &mut Ui, id: &str, add: impl FnOnce(&mut Ui)) {
    egui::Grid::new(id)
        .num_columns(2)
        .spacing(vec2(10.0, 3.0))
        .min_col_width(76.0)
        .show(ui, add);
}

/// Draws check boxes and radio buttons with an outline, without which an unchecked one is hardly visible.
pub fn outlined<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let outlined = |ui: &mut Ui| {
        let stroke = egui::Stroke::new(1.0, ui.visuals().weak_text_color());
        let widgets = &mut ui.visuals_mut().widgets;
        for state in [
            &mut widgets.inactive,
            &mut widgets.hovered,
            &mut widgets.active,
        ] {
            state.bg_stroke = stroke;
        }
        add(ui)
    };
    ui.scope(outlined).inner
}

/// The placeholder of an empty panel: a title, and what to do.
pub fn empty_state(ui: &mut Ui, icon: MaterialIcon, title: &str, help: &str) {
    ui.vertical_centered(|ui| {
        ui.add_space((ui.available_height() * 0.3 - 20.0).clamp(8.0, 80.0));
        ui.label(icon.rich_text().size(26.0).weak());
        ui.label(RichText::new(title).strong());
        ui.add(egui::Label::new(RichText::new(help).weak()).wrap());
    });
}

/// The result of an expectation, on one line: an icon and a description.
pub fn expectation(ui: &mut Ui, result: &ExpectationResult) {
    let palette = Palette::of(ui.visuals());
    let (icon, color) = match result.verdict {
        Verdict::Held => (icons::ICON_CHECK, palette.good),
        Verdict::Failed => (icons::ICON_CLOSE, palette.bad),
        Verdict::FailedAsExpected => (icons::ICON_BUG_REPORT, palette.text_weak),
        Verdict::HeldUnexpectedly => (icons::ICON_PRIORITY_HIGH, palette.bad),
        Verdict::NotJudged => (icons::ICON_REMOVE, palette.text_weak),
    };
    let status = result.verdict.words();
    ui.horizontal(|ui| {
        ui.label(icon.rich_text().size(15.0).color(color));
        let label = egui::Label::new(&result.wanted).truncate();
        let response = ui.add(label.show_tooltip_when_elided(false));
        let name = format!("{status}: {}", result.text);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
        response.on_hover_ui(content(|ui| {
            ui.label(RichText::new(status).strong());
            ui.label(format!("Expected: {}", result.wanted));
            ui.label(format!("Actual: {}", result.got));
            ui.label(RichText::new(&result.text).monospace().weak());
            if let Some(why) = &result.expected_to_fail {
                ui.label(format!("Expected to fail: {why}"));
            }
        }));
    });
}

/// A button that adds an expectation to the scene.
pub fn expect_button(
    ui: &mut Ui,
    what: &str,
    wanted: impl FnOnce() -> Expectation,
    commands: &mut Vec<Command>,
) {
    let button = Button::new((icons::ICON_FACT_CHECK.rich_text().size(15.0), what)).small();
    let response = ui.add(button);
    let enabled = ui.is_enabled();
    response.widget_info(|| WidgetInfo::labeled(Role::Button, enabled, what));
    if response
        .on_hover_text(
            "Add an expectation to the scene, so that hitstop check fails when this changes",
        )
        .clicked()
    {
        commands.push(Command::Expect(wanted()));
    }
}

/// The buttons of a prompt, from right to left: add the primary button first and Cancel last.
pub fn dialog_buttons(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    ui.add_space(10.0);
    let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(size, Layout::right_to_left(Align::Center), add);
}

/// The primary button of a prompt.
pub fn primary_button<'a>(ui: &Ui, text: &'a str) -> Button<'a> {
    Button::new(text).fill(ui.visuals().selection.bg_fill)
}

/// A raised frame with a margin.
pub fn card<R>(ui: &mut Ui, add: impl FnOnce(&mut Ui) -> R) -> R {
    let surfaces = Surfaces::of(ui.visuals());
    egui::Frame::new()
        .fill(surfaces.raised)
        .stroke(egui::Stroke::new(1.0, surfaces.line))
        .corner_radius(6)
        .inner_margin(10)
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            add(ui)
        })
        .inner
}

/// The icon of a kind of shape.
pub fn shape_icon(shape: &Shape) -> MaterialIcon {
    match shape {
        Shape::Sphere { .. } => icons::ICON_CIRCLE,
        Shape::Box { .. } => icons::ICON_DEPLOYED_CODE,
        Shape::Segment(_) => icons::ICON_HORIZONTAL_RULE,
        Shape::Capsule(_) => icons::ICON_PILL,
        Shape::Solid(SolidShape::Cylinder(_)) => icons::ICON_DATABASE,
        Shape::Solid(SolidShape::Cone(_)) => icons::ICON_DETAILS,
        Shape::Solid(SolidShape::RoundedBox(_)) => icons::ICON_ROUNDED_CORNER,
        Shape::Solid(SolidShape::Hull(_)) => icons::ICON_HEXAGON,
        Shape::Triangle(_) => icons::ICON_CHANGE_HISTORY,
        Shape::Plane(_) => icons::ICON_FLOOR,
        Shape::Mesh(_) => icons::ICON_POLYLINE,
        Shape::Compound(_) => icons::ICON_CATEGORY,
    }
}

/// Room for half of the last label of an axis, points.
const AXIS_END: f32 = 16.0;

/// A plot without its own zoom and pan; clicks and drags are left to the caller.
pub fn fixed_plot<'a>(ui: &Ui, name: impl egui::AsIdSalt) -> egui_plot::Plot<'a> {
    egui_plot::Plot::new(name)
        .show_background(false)
        // A low panel shows all of it.
        .min_size(Vec2::splat(8.0))
        .width(ui.available_width() - AXIS_END)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .grid_color(Surfaces::of(ui.visuals()).line)
        .grid_fade(0.0)
}

/// A text of the core, with names and code set apart from prose.
pub fn marked(ui: &Ui, text: &str, style: TextStyle, color: Color32) -> LayoutJob {
    let font = style.resolve(ui.style());
    let plain = TextFormat::simple(font.clone(), color);
    let name = name_format(ui, font);
    let mut job = LayoutJob::default();
    for (part, is_name) in parts(text) {
        job.append(part, 0.0, if is_name { &name } else { &plain }.clone());
    }
    job
}

/// The format of names and code in prose, so that an object called "end" is not read as a word.
pub fn name_format(ui: &Ui, font: FontId) -> TextFormat {
    let mut format = TextFormat::simple(font, ui.visuals().strong_text_color());
    format.background = Surfaces::of(ui.visuals()).sunken;
    format
}

/// The title of a collapsing header, which egui does not wrap: shortened to the width of the panel.
pub fn header_title(ui: &Ui, text: &str, font: &FontId) -> String {
    let width = ui.available_width() - ui.spacing().indent - 4.0;
    shortened(ui.painter(), text, font, width)
}

/// A text shortened in its middle to this width; each name of a pair by itself.
pub fn shortened(painter: &egui::Painter, text: &str, font: &FontId, width: f32) -> String {
    let fits = |text: &str| {
        let galley = painter.layout_no_wrap(text.to_owned(), font.clone(), Color32::PLACEHOLDER);
        galley.size().x <= width
    };
    middle_ellipsis(text, fits).into_owned()
}

/// Paints one line of text, truncated with an ellipsis at this width.
pub fn line(
    painter: &egui::Painter,
    left_center: egui::Pos2,
    width: f32,
    text: &str,
    font: FontId,
    color: Color32,
) {
    let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
    job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(0.0));
    let galley = painter.layout_job(job);
    let at = left_center - vec2(0.0, galley.size().y * 0.5);
    painter.galley(at, galley, color);
}

/// Paints a name, shortened in its middle to this width: names that begin alike differ at their ends.
pub fn name_line(
    painter: &egui::Painter,
    left_center: egui::Pos2,
    width: f32,
    name: &str,
    font: FontId,
    color: Color32,
) {
    let name = shortened(painter, name, &font, width);
    line(painter, left_center, width, &name, font, color);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_label_of_an_axis_is_not_cut_off() {
        let ctx = egui::Context::default();
        let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, Vec2::new(250.0, 120.0));
        let mut shapes = Vec::new();
        for _ in 0..2 {
            let input = egui::RawInput {
                screen_rect: Some(screen),
                ..Default::default()
            };
            let mut output = ctx.run_ui(input, |ui| {
                fixed_plot(ui, "plot").show(ui, |plot| plot.set_plot_bounds_x(0.0..=1001.0));
            });
            output.textures_delta.clear();
            shapes = output.shapes;
        }
        let labels = shapes.iter().filter_map(|clipped| match &clipped.shape {
            egui::Shape::Text(text) if text.galley.text() == "1000" => {
                Some((clipped.clip_rect, text.visual_bounding_rect()))
            }
            _ => None,
        });
        let labels: Vec<_> = labels.collect();
        assert!(!labels.is_empty(), "{shapes:?}");
        for (clip, label) in labels {
            assert!(clip.contains_rect(label), "{label} in {clip}");
        }
    }
}
