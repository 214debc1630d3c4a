//! Numbers in forms: dragged, typed, or typed as an expression; what cannot be read is said at its field.

use super::expression;
use crate::app::exact_field::{exact, select_all, short};
use egui::{DragValue, Id, RectAlign, Response, RichText, Tooltip, Ui};
use glam::DVec3;
use std::cell::RefCell;

/// Room for the unit at the end of a line of three numbers, points.
const UNIT: f32 = 40.0;
/// Width of a number by itself, points; more where it is longer.
const ALONE: f32 = 60.0;
/// Letters of a number by itself, at rest.
const LETTERS: usize = 12;
/// Change for a point of dragging, as a share of the number: 400 m/s is not dragged in steps of centimetres.
const SHARE: f64 = 0.004;
/// How much coarser a drag with Ctrl is.
const COARSE: f64 = 10.0;
/// How long a number that could not be taken is told about, seconds.
const TOLD: f64 = 6.0;

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

    /// In words, what of its range a number is outside of.
    fn outside(&self, number: f64) -> Option<String> {
        let Self { least, most, .. } = *self;
        match number {
            _ if number < least && least == Self::positive("").least => Some("above 0".into()),
            _ if number < least && most == f64::MAX => Some(format!("{least} or more")),
            _ if number < least || number > most => Some(format!("from {least} to {most}")),
            _ => None,
        }
    }
}

/// A number: dragged, typed, or typed as an expression.
pub fn number(ui: &mut Ui, name: &str, value: &mut f64, kind: Kind) -> Response {
    let suffix = match kind.unit {
        "" => String::new(),
        "°" => "°".to_owned(),
        unit => format!(" {unit}"),
    };
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.x = ALONE;
        shown(ui, name, value, kind, Some(&suffix))
    })
    .inner
}

/// The field; one of three has no suffix, and stays as wide as it is.
fn shown(ui: &mut Ui, name: &str, value: &mut f64, kind: Kind, suffix: Option<&str>) -> Response {
    let id = ui.next_auto_id();
    let typed = ui.memory(|memory| memory.has_focus(id));
    let letters = suffix.map_or_else(|| room(ui), |_| LETTERS);
    let coarse = ui.input(|input| input.modifiers.command);
    let speed = kind.speed.max(value.abs() * SHARE) * if coarse { COARSE } else { 1.0 };
    let stands = exact(*value);
    let field = DragValue::new(value)
        .speed(speed)
        .range(kind.least..=kind.most)
        .suffix(suffix.unwrap_or_default())
        .clip_text(suffix.is_none())
        .custom_formatter(|number, _| match typed {
            // Every digit, so that a number that is only looked at stays as it is.
            true => exact(number),
            false => short(number, letters),
        });
    let response = read_into(ui, name, &stands, |text| taken(text, &kind), field);
    response.on_hover_text(format!(
        "{name}: {stands} {}\nDrag (Shift finer, Ctrl coarser), or click to type; 400/60 is a number, too",
        kind.unit
    ))
}

/// A whole number.
pub fn whole(ui: &mut Ui, name: &str, value: &mut u32, least: u32, most: u32) {
    let kind = Kind {
        speed: 0.2,
        ..Kind::between(f64::from(least), f64::from(most))
    };
    let read = |text: &str| {
        taken(text, &kind).and_then(|number| match number.fract() {
            0.0 => Ok(number),
            _ => Err(format!("{number} is not a whole number")),
        })
    };
    let stands = value.to_string();
    let field = DragValue::new(value).range(least..=most).speed(kind.speed);
    let response = read_into(ui, name, &stands, read, field);
    response.on_hover_text(format!("{name}: drag, or click to type"));
}

/// Adds a field whose text is read when it is left; what stands there already is not read anew, and why something cannot be taken
/// is said at the field.
fn read_into(
    ui: &mut Ui,
    name: &str,
    stands: &str,
    read: impl Fn(&str) -> Result<f64, String>,
    field: DragValue<'_>,
) -> Response {
    let refused = RefCell::new(None);
    let read = |text: &str| {
        if text.trim() == stands {
            return None;
        }
        read(text).map_err(|why| refused.replace(Some(why))).ok()
    };
    let field = field
        .clamp_existing_to_range(false)
        .update_while_editing(false)
        .custom_parser(read);
    let response = ui.add(field);
    select_all(&response, stands);
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_label(name));
    tell_refused(ui, &response, name, refused.into_inner());
    response
}

/// Three numbers.
pub fn vector(ui: &mut Ui, name: &str, value: &mut DVec3, kind: Kind) {
    let [mut x, mut y, mut z] = value.to_array();
    let width = ((ui.available_width() - UNIT - 12.0) / 3.0).clamp(40.0, 90.0);
    for (axis, part) in [("x", &mut x), ("y", &mut y), ("z", &mut z)] {
        ui.scope(|ui| {
            ui.spacing_mut().interact_size.x = width;
            ui.spacing_mut().button_padding.x = 3.0;
            ui.set_max_width(width);
            shown(ui, &format!("{name} {axis}"), part, kind, None);
        });
    }
    if !kind.unit.is_empty() {
        ui.label(RichText::new(kind.unit).weak().small());
    }
    *value = DVec3::new(x, y, z);
}

/// The number that a text comes to, or why it is none.
fn taken(text: &str, kind: &Kind) -> Result<f64, String> {
    let shown = text.trim();
    let Some(number) = expression::value_in(text, kind.unit) else {
        return Err(match shown {
            "" => "A number belongs here".to_owned(),
            _ => format!("“{shown}” is no number: write 3.5, 400/60 or 2*pi"),
        });
    };
    match kind.outside(number) {
        Some(range) => Err(format!("{number} cannot be: it must be {range}")),
        None => Ok(number),
    }
}

/// How many letters of a number have room in a field.
fn room(ui: &Ui) -> usize {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0')).max(1.0);
    let inside = ui.available_width() - 2.0 * ui.spacing().button_padding.x;
    (inside / digit).clamp(4.0, 40.0) as usize
}

/// Says below the field why what was typed was not taken, for a while.
fn tell_refused(ui: &Ui, response: &Response, name: &str, refused: Option<String>) {
    let (key, now) = (
        Id::unique("a number that was not taken"),
        ui.input(|input| input.time),
    );
    if let Some(why) = refused {
        ui.data_mut(|data| data.insert_temp(key, (response.id, why, now)));
    }
    let told = ui.data(|data| data.get_temp::<(Id, String, f64)>(key));
    let Some((id, why, since)) = told.filter(|told| told.0 == response.id) else {
        return;
    };
    // What is done next goes on without it, in whichever field.
    let goes_on = now > since
        && ui.input(|input| {
            let typed = |event: &egui::Event| matches!(event, egui::Event::Text(_));
            input.pointer.any_pressed() || input.events.iter().any(typed)
        });
    if now - since > TOLD || goes_on || (response.has_focus() && now > since) {
        ui.data_mut(|data| data.remove::<(Id, String, f64)>(key));
        return;
    }
    ui.ctx()
        .request_repaint_after(std::time::Duration::from_secs_f64(TOLD));
    let color = ui.visuals().error_fg_color;
    let frame = response.rect.expand(1.0);
    let stroke = egui::Stroke::new(1.5, color);
    ui.painter()
        .rect_stroke(frame, 3.0, stroke, egui::StrokeKind::Outside);
    // Beside the whole form, never over the field that is wanted next.
    let row = response.rect.with_min_x(ui.clip_rect().left());
    let row = row.with_max_x(ui.clip_rect().right().max(row.left()));
    let (ctx, layer) = (ui.ctx().clone(), response.layer_id);
    let mut tip = Tooltip::always_open(ctx, layer, id.with("why not"), row);
    let beside = &[RectAlign::RIGHT, RectAlign::TOP, RectAlign::BOTTOM];
    tip.popup = tip.popup.align(RectAlign::LEFT).align_alternatives(beside);
    tip.show(|ui| {
        ui.label(RichText::new(name).strong());
        ui.label(why);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_says_why() {
        let said = |text: &str, kind| taken(text, &kind).unwrap_err();
        assert!(said("-1", Kind::positive("m")).contains("above 0"));
        assert!(said("2", Kind::between(0.0, 1.0)).contains("from 0 to 1"));
        assert!(said("4oo", Kind::any("m")).contains("“4oo” is no number"));
        assert_eq!(taken("5 cm", &Kind::any("m")), Ok(0.05));
    }
}
