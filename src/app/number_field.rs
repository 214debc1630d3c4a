//! Number fields: dragged, or typed as a number, an expression or with a unit. A field shows a short text at rest and every digit while
//! edited, keeps a value that is not edited, and shows why an input is refused.

mod kind;

pub use kind::Kind;

use super::edited_fields::{EditedFields, Refused};
use crate::core::scene::UserUnits;
use egui::text::CCursorRange;
use egui::{DragValue, RectAlign, Response, RichText, TextEdit, Tooltip, Ui};
use glam::DVec3;
use std::cell::RefCell;

/// Room for the unit at the end of a line of three numbers, points.
const UNIT: f32 = 40.0;
/// Width of a number by itself, points; more where it is longer.
const ALONE: f32 = 60.0;
/// The most characters of a number by itself, at rest.
const LETTERS: usize = 12;
/// Change for a point of dragging, as a fraction of the number: 400 m/s is not dragged in steps of centimetres.
const SHARE: f64 = 0.004;
/// How much coarser a drag with Ctrl is.
const COARSE: f64 = 10.0;
/// How long the reason of a refused input is shown, seconds.
const SHOWN: f64 = 6.0;

/// A field that shows this text at rest. The input is applied when the field loses the focus or at Enter. A value that is not edited is
/// not changed, even if it is out of range.
pub fn number_field(
    ui: &mut Ui,
    name: &str,
    value: &mut f64,
    kind: Kind,
    at_rest: impl Fn(f64) -> String,
) -> Response {
    parsed_field(ui, name, value, kind, at_rest, |text| kind.parse(text))
}

/// The same, with a parser of its own.
pub fn parsed_field(
    ui: &mut Ui,
    name: &str,
    value: &mut f64,
    kind: Kind,
    at_rest: impl Fn(f64) -> String,
    parse: impl Fn(&str) -> Result<f64, String>,
) -> Response {
    let current = exact(*value);
    let id = ui.next_auto_id();
    let editing = ui.memory(|memory| memory.has_focus(id));
    let refused = RefCell::new(None);
    let parser = |text: &str| {
        if text.trim() == current {
            return None;
        }
        parse(text).map_err(|why| refused.replace(Some(why))).ok()
    };
    let field = DragValue::new(value)
        .speed(kind.speed)
        .range(kind.least..=kind.most)
        .clamp_existing_to_range(false)
        .update_while_editing(false)
        .clip_text(kind.clip)
        .custom_formatter(|number, _| match editing {
            true => exact(number),
            false => at_rest(number),
        })
        .custom_parser(parser);
    let response = ui.add(field);
    select_all(&response, &current);
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_label(name));
    show_refused(ui, &response, name, refused.into_inner());
    response
}

/// A field of a form for one number in an SI unit, which is shown and typed in the level's.
pub fn number(ui: &mut Ui, name: &str, value: &mut f64, kind: Kind) {
    let (units, si) = (units_of(ui), kind.unit);
    let kind = kind.in_units(&units);
    let was = units.written(*value, si);
    let mut shown = was;
    alone(ui, name, &mut shown, kind);
    if shown != was {
        *value = units.si(shown, si);
    }
}

/// A field for a number that is alone in its line, in its own unit.
fn alone(ui: &mut Ui, name: &str, shown: &mut f64, kind: Kind) {
    ui.scope(|ui| {
        ui.spacing_mut().interact_size.x = ALONE;
        in_form(ui, name, shown, kind, |number| {
            kind.with_its_unit(&short(number, LETTERS))
        });
    });
}

/// The units and axes of the edited level.
fn units_of(ui: &Ui) -> UserUnits {
    EditedFields::with(ui.ctx(), |fields| fields.units)
}

/// A field of a form, with its help.
fn in_form(ui: &mut Ui, name: &str, value: &mut f64, kind: Kind, at_rest: impl Fn(f64) -> String) {
    let help = format!(
        "{name}: {} {}\nDrag (Shift finer, Ctrl coarser), or click to type; 400/60 is a number, too",
        exact(*value),
        kind.unit
    );
    let coarse = ui.input(|input| input.modifiers.command);
    let speed = kind.speed.max(value.abs() * SHARE) * if coarse { COARSE } else { 1.0 };
    number_field(ui, name, value, kind.with_speed(speed), at_rest).on_hover_text(help);
}

/// A field of a form for a whole number.
pub fn whole(ui: &mut Ui, name: &str, value: &mut u32, least: u32, most: u32) {
    let kind = Kind::between(f64::from(least), f64::from(most)).with_speed(0.2);
    let parse = |text: &str| {
        kind.parse(text).and_then(|number| match number.fract() {
            0.0 => Ok(number),
            _ => Err(format!("{number} is not a whole number")),
        })
    };
    let mut number = f64::from(*value);
    let at_rest = |number: f64| exact(number.round());
    parsed_field(ui, name, &mut number, kind, at_rest, parse)
        .on_hover_text(format!("{name}: drag, or click to type"));
    *value = number.round() as u32;
}

/// Three fields of a form, in a flat level two, or one for a spin.
pub fn vector(ui: &mut Ui, name: &str, value: &mut DVec3, kind: Kind) {
    let (units, si) = (units_of(ui), kind.unit);
    let kind = kind.in_units(&units);
    let written = |ours: DVec3| {
        kind.turn
            .shown(ours, &units)
            .map(|part| units.written(part, si))
    };
    let was = written(*value);
    let mut shown = was;
    parts(ui, name, &mut shown, kind, units.units.flat);
    if shown != was {
        *value = kind.turn.ours(shown.map(|part| units.si(part, si)), &units);
    }
}

fn parts(ui: &mut Ui, name: &str, shown: &mut DVec3, kind: Kind, is_flat: bool) {
    if is_flat && kind.is_spin() {
        return alone(ui, name, &mut shown.z, kind);
    }
    let count = if is_flat { 2 } else { 3 };
    let [mut x, mut y, mut z] = shown.to_array();
    let width = ((ui.available_width() - UNIT - 12.0) / count as f32).clamp(40.0, 90.0);
    let parts = [("x", &mut x), ("y", &mut y), ("z", &mut z)];
    for (axis, part) in parts.into_iter().take(count) {
        ui.scope(|ui| {
            ui.spacing_mut().interact_size.x = width;
            ui.spacing_mut().button_padding.x = 3.0;
            ui.set_max_width(width);
            let (kind, characters) = (kind.clipped(), room(ui));
            let at_rest = |number| short(number, characters);
            in_form(ui, &format!("{name} {axis}"), part, kind, at_rest);
        });
    }
    if !kind.unit.is_empty() {
        ui.label(RichText::new(kind.unit).weak().small());
    }
    *shown = DVec3::new(x, y, z);
}

/// The number of characters that fit in a field.
fn room(ui: &Ui) -> usize {
    let font = egui::TextStyle::Button.resolve(ui.style());
    let digit = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0')).max(1.0);
    let inside = ui.available_width() - 2.0 * ui.spacing().button_padding.x;
    (inside / digit).clamp(4.0, 40.0) as usize
}

/// Selects all digits of the field after a click. egui would select only as many as were shown at rest.
fn select_all(response: &Response, current: &str) {
    if response.clicked() {
        let ctx = &response.ctx;
        let mut state = TextEdit::load_state(ctx, response.id).unwrap_or_default();
        let all = CCursorRange::select_all_str(current);
        state.cursor.set_char_range(Some(all));
        state.store(ctx, response.id);
    }
}

/// Shows beside the field why an input is refused, for a few seconds.
fn show_refused(ui: &Ui, response: &Response, name: &str, refused: Option<String>) {
    let now = ui.input(|input| input.time);
    let shown = EditedFields::with(ui.ctx(), |fields| {
        if let Some(why) = refused {
            fields.refused = Some(Refused {
                field: response.id,
                why,
                since: now,
            });
        }
        fields.refused.clone()
    });
    let Some(Refused { field, why, since }) = shown.filter(|shown| shown.field == response.id)
    else {
        return;
    };
    // The next input in any field removes it.
    let is_next_input = now > since
        && ui.input(|input| {
            let typed = |event: &egui::Event| matches!(event, egui::Event::Text(_));
            input.pointer.any_pressed() || input.events.iter().any(typed)
        });
    if now - since > SHOWN || is_next_input || (response.has_focus() && now > since) {
        return EditedFields::with(ui.ctx(), |fields| fields.refused = None);
    }
    ui.ctx()
        .request_repaint_after(std::time::Duration::from_secs_f64(SHOWN));
    let color = ui.visuals().error_fg_color;
    let frame = response.rect.expand(1.0);
    let stroke = egui::Stroke::new(1.5, color);
    ui.painter()
        .rect_stroke(frame, 3.0, stroke, egui::StrokeKind::Outside);
    // Beside the whole form, so that it covers no other field.
    let row = response.rect.with_min_x(ui.clip_rect().left());
    let row = row.with_max_x(ui.clip_rect().right().max(row.left()));
    let (ctx, layer) = (ui.ctx().clone(), response.layer_id);
    let mut tip = Tooltip::always_open(ctx, layer, field.with("why not"), row);
    let beside = &[RectAlign::RIGHT, RectAlign::TOP, RectAlign::BOTTOM];
    tip.popup = tip.popup.align(RectAlign::LEFT).align_alternatives(beside);
    tip.show(|ui| {
        ui.label(RichText::new(name).strong());
        ui.label(why);
    });
}

/// The shortest text that is read back as the same number: `0.1`, `-12`, `0.30000000000000004`, `1e-9`.
pub fn exact(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A number in at most this many characters; an ellipsis at the end marks a number with more digits.
pub fn short(number: f64, characters: usize) -> String {
    let whole = exact(number);
    if whole.len() <= characters {
        return whole;
    }
    let kept = characters.saturating_sub(1);
    let cut = (0..=kept)
        .rev()
        .map(|digits| format!("{number:.digits$}"))
        .find(|text| text.len() <= kept);
    match cut.filter(|text| number == 0.0 || text.parse() != Ok(0.0)) {
        Some(text) => format!("{}…", with_one_zero(&text)),
        None => {
            let digits = kept.saturating_sub(6);
            format!("{number:.digits$e}")
        }
    }
}

/// Removes the zeros at the end of a decimal fraction; `0.00` becomes `0.0`.
fn with_one_zero(text: &str) -> String {
    let Some((whole, fraction)) = text.split_once('.') else {
        return text.to_owned();
    };
    match fraction.trim_end_matches('0') {
        "" => format!("{whole}.0"),
        fraction => format!("{whole}.{fraction}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::expression;

    #[test]
    fn a_refused_text_has_a_reason() {
        let said = |text: &str, kind: Kind| kind.parse(text).unwrap_err();
        assert!(said("-1", Kind::positive("m")).contains("above 0"));
        assert!(said("2", Kind::between(0.0, 1.0)).contains("from 0 to 1"));
        assert!(said("4oo", Kind::any("m")).contains("“4oo” is not a number"));
        assert_eq!(Kind::any("m").parse("5 cm"), Ok(0.05));
    }

    #[test]
    fn exact_texts_are_read_back_as_the_same_numbers() {
        let numbers = [
            (0.1, "0.1"),
            (0.1 + 0.2, "0.30000000000000004"),
            (-12.0, "-12"),
            (0.0, "0"),
            (1e-9, "1e-9"),
            (1e300, "1e300"),
            (2.5e-7, "2.5e-7"),
            (f64::MIN_POSITIVE, "2.2250738585072014e-308"),
        ];
        for (number, text) in numbers {
            assert_eq!(exact(number), text);
            assert_eq!(
                expression::value(text).map(f64::to_bits),
                Some(number.to_bits())
            );
        }
        // Numbers of every magnitude.
        let mut number = 1e-280_f64;
        while number < 1e280 {
            assert_eq!(exact(number).parse(), Ok(number));
            number *= 7.300_000_01;
        }
    }

    #[test]
    fn a_long_number_ends_with_an_ellipsis() {
        for (number, characters, wanted) in [
            (0.5, 6, "0.5"),
            (0.123456789, 6, "0.123…"),
            (-12.3456789, 6, "-12.3…"),
            (1234567.0, 7, "1234567"),
            (-4.000000001, 5, "-4.0…"),
            (0.1 + 0.2, 12, "0.3…"),
            (1.0 / 60.0, 12, "0.016666667…"),
            (0.49999999999999994, 12, "0.5…"),
        ] {
            assert_eq!(short(number, characters), wanted);
        }
        // In scientific notation if only zeros would be left.
        assert_eq!(short(1.3e-9, 8), "1.3e-9");
        assert_eq!(short(-2e20, 6), "-2e20");
    }
}
