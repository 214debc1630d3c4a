//! Fields of a form: a name with a hover text on the left, what is changed on the right.

use super::{expression, marks};
use crate::app::theme::Palette;
use egui::accesskit::Role;
use egui::{ComboBox, DragValue, Response, RichText, Sense, TextEdit, Ui, WidgetInfo, vec2};
use glam::DVec3;

/// What a number may be, and how it is dragged.
#[derive(Clone, Copy)]
pub struct Kind {
    pub unit: &'static str,
    pub least: f64,
    pub most: f64,
    /// Change for a point of dragging.
    pub speed: f64,
}

impl Kind {
    pub const fn any(unit: &'static str) -> Self {
        Self {
            unit,
            least: f64::MIN,
            most: f64::MAX,
            speed: 0.02,
        }
    }

    /// Above zero.
    pub const fn positive(unit: &'static str) -> Self {
        Self {
            least: 1e-9,
            speed: 0.005,
            ..Self::any(unit)
        }
    }

    pub const fn degrees() -> Self {
        Self {
            speed: 0.5,
            ..Self::any("°")
        }
    }

    pub const fn between(least: f64, most: f64) -> Self {
        Self {
            unit: "",
            least,
            most,
            speed: 0.005,
        }
    }
}

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
    if !named(ui, name, help) {
        return;
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        add(ui);
    });
    ui.end_row();
}

/// The name of a line, marked where it matters for the selected finding; false when the line is left out.
fn named(ui: &mut Ui, name: &str, help: &str) -> bool {
    let (shown, why) = marks::of_field(ui, name);
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
    if !named(ui, name, help) {
        return;
    }
    ui.vertical(add);
    ui.end_row();
}

/// A number: dragged, typed, or typed as an expression.
pub fn number(ui: &mut Ui, name: &str, value: &mut f64, kind: Kind) -> Response {
    let suffix = match kind.unit {
        "" => String::new(),
        "°" => "°".to_owned(),
        unit => format!(" {unit}"),
    };
    let field = DragValue::new(value)
        .speed(kind.speed)
        .range(kind.least..=kind.most)
        .clamp_existing_to_range(false)
        .suffix(suffix)
        .update_while_editing(false)
        .clip_text(true)
        // Every digit, so that a number that is only looked at stays as it is.
        .custom_formatter(|number, _| format!("{number}"))
        .custom_parser(expression::value);
    let response = ui.add(field);
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_label(name));
    response.on_hover_text(format!(
        "{name}: drag, or click to type; 400/60 is a number, too"
    ))
}

/// A whole number.
pub fn whole(ui: &mut Ui, name: &str, value: &mut u32, least: u32, most: u32) {
    let field = DragValue::new(value)
        .range(least..=most)
        .update_while_editing(false)
        .speed(0.2);
    let response = ui.add(field);
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_label(name));
    response.on_hover_text(name);
}

/// Three numbers.
pub fn vector(ui: &mut Ui, name: &str, value: &mut DVec3, kind: Kind) {
    let [mut x, mut y, mut z] = value.to_array();
    // Room for the unit at the end of the line.
    let unit = if kind.unit.is_empty() { 0.0 } else { 40.0 };
    let width = ((ui.available_width() - unit - 12.0) / 3.0).clamp(40.0, 90.0);
    for (axis, part) in [("x", &mut x), ("y", &mut y), ("z", &mut z)] {
        ui.scope(|ui| {
            ui.spacing_mut().interact_size.x = width;
            ui.set_max_width(width);
            number(
                ui,
                &format!("{name} {axis}"),
                part,
                Kind { unit: "", ..kind },
            );
        });
    }
    if !kind.unit.is_empty() {
        ui.label(RichText::new(kind.unit).weak().small());
    }
    *value = DVec3::new(x, y, z);
}

/// A text that is taken once the field is left, or at Enter.
pub fn text(ui: &mut Ui, name: &str, value: &mut String, many_lines: bool) {
    let key = ui.scope_id().with(("text of", name));
    let kept = ui.data_mut(|data| data.get_temp::<String>(key));
    let mut buffer = kept.unwrap_or_else(|| value.clone());
    let field = match many_lines {
        true => TextEdit::multiline(&mut buffer).desired_rows(2),
        false => TextEdit::singleline(&mut buffer),
    };
    let response = ui.add(field.desired_width(f32::INFINITY).id(key.with("field")));
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_label(name));
    let response = response.on_hover_text(format!("{name}: taken when the field is left"));
    if response.has_focus() {
        ui.data_mut(|data| data.insert_temp(key, buffer));
    } else {
        if response.lost_focus() {
            *value = buffer;
        }
        ui.data_mut(|data| data.remove_temp::<String>(key));
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
