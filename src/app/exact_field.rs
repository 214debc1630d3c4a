//! Number fields that show a short text at rest and every digit while edited, and that keep a value that is not edited.

use crate::app::authoring::value;
use egui::text::CCursorRange;
use egui::{DragValue, Layout, Response, TextEdit, Ui, Vec2};

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

/// Adds a number field, of its own size or of this one. The input is applied when the field loses the focus or at Enter. A value
/// that is not edited is not changed, even if it is out of the field's range.
pub fn exact_field(
    ui: &mut Ui,
    size: Option<Vec2>,
    value: &mut f64,
    at_rest: impl Fn(f64) -> String,
    with: impl for<'v> FnOnce(DragValue<'v>) -> DragValue<'v>,
) -> Response {
    let add = |ui: &mut Ui| {
        let id = ui.next_auto_id();
        let editing = ui.memory(|memory| memory.has_focus(id));
        let current = exact(*value);
        let field = DragValue::new(value)
            .clamp_existing_to_range(false)
            .update_while_editing(false)
            .custom_formatter(|number, _| match editing {
                true => exact(number),
                false => at_rest(number),
            })
            .custom_parser(|text| parse(text, &current));
        let response = ui.add(with(field));
        select_all(&response, &current);
        response
    };
    match size {
        Some(size) => {
            let layout = Layout::centered_and_justified(ui.layout().main_dir());
            ui.allocate_ui_with_layout(size, layout, add).inner
        }
        None => add(ui),
    }
}

/// Selects all digits of the field after a click. egui would select only as many as were shown at rest.
pub fn select_all(response: &Response, current: &str) {
    if response.clicked() {
        let ctx = &response.ctx;
        let mut state = TextEdit::load_state(ctx, response.id).unwrap_or_default();
        let all = CCursorRange::select_all_str(current);
        state.cursor.set_char_range(Some(all));
        state.store(ctx, response.id);
    }
}

/// The value of an expression; `None` if it is invalid or the same text as the current value.
pub fn parse(text: &str, current: &str) -> Option<f64> {
    (text.trim() != current).then(|| value(text)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

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
            assert_eq!(value(text).map(f64::to_bits), Some(number.to_bits()));
        }
        // Numbers of every magnitude.
        let mut number = 1e-280_f64;
        while number < 1e280 {
            assert_eq!(exact(number).parse(), Ok(number));
            number *= 7.300_000_01;
        }
    }

    #[test]
    fn an_unchanged_text_has_no_new_value() {
        assert_eq!(parse("0.25", "0.25"), None);
        assert_eq!(parse(" 0.25 ", "0.25"), None);
        assert_eq!(parse("1/4", "0.5"), Some(0.25));
        assert_eq!(parse("nonsense", "0.5"), None);
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
