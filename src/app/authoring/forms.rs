//! Forms: rows with a title and its help on the left, and fields on the right.

use super::marks::Marks;
use crate::app::edited_fields::{self, EditedFields};
pub use crate::app::number_field::{Kind, number, vector, whole};
use crate::app::theme::Palette;
use crate::app::widget;
use crate::core::diagnose::SceneField;
use crate::core::scene::{UserUnits, angle_of, euler_from_rotation, rotation_from_euler};
use egui::accesskit::Role;
use egui::{Align2, ComboBox, Key, Response, RichText, Sense, TextEdit, Ui, WidgetInfo, vec2};
use glam::{DQuat, DVec3};

/// The rows of a form.
pub struct Rows<'u> {
    ui: &'u mut Ui,
    /// First part of the name of each field; the title of the row is the last part.
    pub prefix: String,
    units: UserUnits,
    /// The scene's field in the next row.
    field: Option<SceneField>,
    marks: &'u Marks,
}

/// A table of fields.
pub fn form(ui: &mut Ui, id: &str, add: impl FnOnce(&mut Rows<'_>)) {
    marked_form(ui, id, &Marks::default(), add);
}

/// A table of fields, some of them marked.
pub fn marked_form(ui: &mut Ui, id: &str, marks: &Marks, add: impl FnOnce(&mut Rows<'_>)) {
    let units = EditedFields::with(ui.ctx(), |fields| fields.units);
    let grid = egui::Grid::new(id).num_columns(2).min_col_width(76.0);
    grid.spacing(vec2(8.0, 4.0)).show(ui, |ui| {
        add(&mut Rows {
            ui,
            prefix: String::new(),
            units,
            field: None,
            marks,
        });
    });
}

impl Rows<'_> {
    /// Whether the level is flat.
    pub fn is_flat(&self) -> bool {
        self.units.units.flat
    }

    /// Marks the next row if this field matters for the selected finding.
    pub fn of(&mut self, field: SceneField) -> &mut Self {
        self.field = Some(field);
        self
    }

    /// A row with any content, which gets the name of its field.
    pub fn row(&mut self, title: &str, help: &str, add: impl FnOnce(&mut Ui, &str)) {
        let name = format!("{}{title}", self.prefix);
        if self.title(title, help) {
            self.ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 4.0;
                add(ui, &name);
            });
            self.ui.end_row();
        }
    }

    pub fn number(&mut self, title: &str, help: &str, value: &mut f64, kind: Kind) {
        self.row(title, help, |ui, name| number(ui, name, value, kind));
    }

    pub fn vector(&mut self, title: &str, help: &str, value: &mut DVec3, kind: Kind) {
        self.row(title, help, |ui, name| vector(ui, name, value, kind));
    }

    /// A rotation as three angles, in a flat level as one.
    pub fn rotation(&mut self, value: &mut DQuat) {
        let units = self.units.units;
        let written = units.written_rotation(*value);
        if units.flat {
            let was = without_noise_of(angle_of(written).to_degrees());
            let mut degrees = was;
            self.of(SceneField::Rotation).number(
                "rotation",
                "Counter-clockwise",
                &mut degrees,
                Kind::degrees(),
            );
            if degrees != was {
                *value = units.rotation(DQuat::from_rotation_z(degrees.to_radians()));
            }
            return;
        }
        // Angles rounded to six decimals where they give the same rotation: without rounding errors of the conversion.
        let exact = euler_from_rotation(written);
        let short = (exact * 1e6).round() / 1e6 + DVec3::ZERO;
        let was = if rotation_from_euler(short).abs_diff_eq(written, 1e-12) {
            short
        } else {
            exact
        };
        let mut angles = was;
        let help = "About y, then the turned x, then the turned z";
        self.of(SceneField::Rotation)
            .vector("rotation", help, &mut angles, Kind::degrees());
        if angles != was {
            *value = units.rotation(rotation_from_euler(angles));
        }
    }

    pub fn whole(&mut self, title: &str, help: &str, value: &mut u32, least: u32, most: u32) {
        self.row(title, help, |ui, name| whole(ui, name, value, least, most));
    }

    pub fn text(&mut self, title: &str, help: &str, value: &mut String) {
        self.row(title, help, |ui, name| text(ui, name, value));
    }

    /// A text of several lines.
    pub fn long_text(&mut self, title: &str, help: &str, value: &mut String) {
        let name = format!("{}{title}", self.prefix);
        if self.title(title, help) {
            self.ui.vertical(|ui| text_or(ui, &name, value, "", true));
            self.ui.end_row();
        }
    }

    pub fn choice<T: PartialEq + Clone>(
        &mut self,
        title: &str,
        help: &str,
        value: &mut T,
        choices: &[(T, &str, &str)],
    ) {
        self.row(title, help, |ui, name| choice(ui, name, value, choices));
    }

    pub fn flag(&mut self, title: &str, help: &str, value: &mut bool) {
        self.row(title, help, |ui, name| flag(ui, name, value));
    }

    /// The title of a row, marked where it matters for the selected finding; false if the row is not shown.
    fn title(&mut self, name: &str, help: &str) -> bool {
        let ui = &mut *self.ui;
        let (shown, why) = self.marks.of_field(self.field.take());
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
}

/// Without the rounding of a conversion from radians.
fn without_noise_of(degrees: f64) -> f64 {
    let short = (degrees * 1e6).round() / 1e6 + 0.0;
    if (short - degrees).abs() < 1e-9 {
        short
    } else {
        degrees
    }
}

/// A flag for a value that may be absent, then the field of the value.
pub fn optional<T>(
    ui: &mut Ui,
    name: &str,
    value: &mut Option<T>,
    default: T,
    add: impl FnOnce(&mut Ui, &mut T),
) {
    let was = value.is_some();
    let mut given = was;
    flag(ui, name, &mut given);
    if given != was {
        *value = given.then_some(default);
    }
    if let Some(value) = value {
        add(ui, value);
    }
}

/// A text of one line.
pub fn text(ui: &mut Ui, name: &str, value: &mut String) {
    text_or(ui, name, value, "", false);
}

/// A text, with a hint while it is empty. Returns its response. It is applied when the field loses the focus or at Enter; Escape restores it.
pub fn text_or(
    ui: &mut Ui,
    name: &str,
    value: &mut String,
    hint: &str,
    many_lines: bool,
) -> Response {
    let key = ui.scope_id().with(("text of", name));
    // The typed text, and the value before.
    let kept = EditedFields::with(ui.ctx(), |fields| fields.typed.get(&key).cloned());
    let mut buffer = match kept {
        Some([typed, over]) if over == *value => typed,
        Some(_) => {
            edited_fields::clear_undo(ui.ctx(), key.with("field"));
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
        "{name}: applied when the field loses the focus; Esc restores it"
    ));
    if response.has_focus() {
        let typed = [buffer, value.clone()];
        EditedFields::with(ui.ctx(), |fields| {
            fields.typed.insert(key, typed);
        });
    } else {
        let dropped = ui.input(|input| input.key_pressed(Key::Escape));
        if response.lost_focus() && !dropped {
            *value = buffer;
        }
        EditedFields::with(ui.ctx(), |fields| fields.typed.remove(&key));
    }
    response
}

/// A drop-down list of choices, each with its text and help.
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

/// A check box.
pub fn flag(ui: &mut Ui, name: &str, value: &mut bool) {
    let response = widget::outlined(ui, |ui| ui.checkbox(value, ""));
    let on = *value;
    response.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, name));
    response.on_hover_text(name);
}
