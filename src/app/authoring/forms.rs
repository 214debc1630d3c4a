//! Fields of a form: a name with a hover text on the left, what is changed on the right.

use super::marks;
pub use crate::app::number_field::{Kind, number, vector, whole};
use crate::app::text_focus;
use crate::app::theme::Palette;
use crate::core::diagnose::SceneField;
use egui::accesskit::Role;
use egui::{Align2, ComboBox, Key, RichText, Sense, TextEdit, Ui, WidgetInfo, vec2};

/// A table of fields.
pub fn form(ui: &mut Ui, id: &str, add: impl FnOnce(&mut Ui)) {
    egui::Grid::new(id)
        .num_columns(2)
        .spacing(vec2(8.0, 4.0))
        .min_col_width(76.0)
        .show(ui, add);
}

/// One line of a form.
pub fn row(ui: &mut Ui, name: &str, help: &str, add: impl FnOnce(&mut Ui)) {
    row_of(ui, None, name, help, add);
}

/// One line of a form, of a field that findings may depend on.
pub fn field_row(
    ui: &mut Ui,
    field: SceneField,
    name: &str,
    help: &str,
    add: impl FnOnce(&mut Ui),
) {
    row_of(ui, Some(field), name, help, add);
}

fn row_of(
    ui: &mut Ui,
    field: Option<SceneField>,
    name: &str,
    help: &str,
    add: impl FnOnce(&mut Ui),
) {
    if !named(ui, field, name, help) {
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        add(ui);
    });
    ui.end_row();
}

/// The name of a line, marked where it matters for the selected finding; false when the line is left out.
fn named(ui: &mut Ui, field: Option<SceneField>, name: &str, help: &str) -> bool {
    let (shown, why) = marks::of_field(ui, field);
    if !shown {
        return false;
    }
    let Some(why) = why else {
        ui.label(RichText::new(name).weak()).on_hover_text(help);
        return true;
    };
    let color = Palette::of(ui.visuals()).ghost_impact;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new(name).strong()).on_hover_text(help);
        let (rect, response) = ui.allocate_exact_size(vec2(8.0, 8.0), Sense::hover());
        ui.painter().circle_filled(rect.center(), 3.5, color);
        let text = format!("{name} matters");
        response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &text));
        response.on_hover_text(why);
    });
    true
}

/// A line of a form that is higher than one line of text.
pub fn tall_row(ui: &mut Ui, name: &str, help: &str, add: impl FnOnce(&mut Ui)) {
    if !named(ui, None, name, help) {
        return;
    }
    ui.vertical(add);
    ui.end_row();
}

/// A text that is taken once the field is left, or at Enter; Escape leaves it as it was.
pub fn text(ui: &mut Ui, name: &str, value: &mut String, many_lines: bool) {
    text_or(ui, name, value, "", many_lines);
}

/// The same, with what stands there weakly while it is empty.
pub fn text_or(ui: &mut Ui, name: &str, value: &mut String, hint: &str, many_lines: bool) {
    let key = ui.scope_id().with(("text of", name));
    // What is typed, and what it was typed over.
    let kept = ui.data_mut(|data| data.get_temp::<[String; 2]>(key));
    let mut buffer = match kept {
        Some([typed, over]) if over == *value => typed,
        Some(_) => {
            text_focus::clear_undo(ui.ctx(), key.with("field"));
            value.clone()
        }
        None => value.clone(),
    };
    let field = match many_lines {
        true => TextEdit::multiline(&mut buffer).desired_rows(2),
        false => TextEdit::singleline(&mut buffer).align(Align2::LEFT_CENTER),
    };
    let response = ui.add(
        field
            .hint_text(hint)
            .desired_width(f32::INFINITY)
            .id(key.with("field")),
    );
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_label(name));
    let response = response.on_hover_text(format!(
        "{name}: taken when the field is left; Esc leaves it as it was"
    ));
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(key, [buffer, value.clone()]));
    } else {
        let dropped = ui.input(|input| input.key_pressed(Key::Escape));
        if response.lost_focus() && !dropped {
            *value = buffer;
        }
        ui.data_mut(|data| data.remove_temp::<[String; 2]>(key));
    }
}

/// One of a few.
pub fn choice<T: PartialEq + Clone>(
    ui: &mut Ui,
    name: &str,
    value: &mut T,
    choices: &[(T, &str, &str)],
) {
    let now = choices.iter().find(|(choice, ..)| choice == value);
    let (now, means) = now.map_or(("", ""), |(_, text, help)| (*text, *help));
    let response = ComboBox::from_id_salt(name)
        .selected_text(now)
        .show_ui(ui, |ui| {
            for (choice, text, help) in choices {
                let item = ui.selectable_label(choice == value, *text);
                if item.on_hover_text(*help).clicked() {
                    *value = choice.clone();
                }
            }
        })
        .response;
    let label = format!("{name}: {now}");
    response.widget_info(|| WidgetInfo::labeled(Role::ComboBox, true, &label));
    let help = if means.is_empty() { name } else { means };
    response.on_hover_text(help);
}

/// Yes or no.
pub fn flag(ui: &mut Ui, name: &str, value: &mut bool) {
    let response = ui.checkbox(value, "");
    let on = *value;
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, name));
    response.on_hover_text(format!("{name}: yes or no"));
}
