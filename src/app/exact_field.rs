//! Fields of numbers: short at rest, every digit while they are typed in, and as they were where they are only looked at.

use crate::app::authoring::value;
use egui::text::CCursorRange;
use egui::{DragValue, Layout, Response, TextEdit, Ui, Vec2};

/// A number as short as it can be written and read back as the same one: `0.1`, `-12`, `0.30000000000000004`, `1e-9`.
pub fn exact(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// A number in so many letters; a sign at its end says that there is more of it.
pub fn short(number: f64, letters: usize) -> String {
    let whole = exact(number);
    if whole.len() <= letters {
        return whole;
    }
    let kept = letters.saturating_sub(1);
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

/// Of the zeros at the end of a fraction only one, where nothing else is left of it.
fn with_one_zero(text: &str) -> String {
    let Some((whole, fraction)) = text.split_once('.') else {
        return text.to_owned();
    };
    match fraction.trim_end_matches('0') {
        "" => format!("{whole}.0"),
        fraction => format!("{whole}.{fraction}"),
    }
}

/// Adds a field, as large as it is or of a size. What is typed is taken when the field is left, or at Enter; a number that stands
/// there and is not touched stays as it is, also where it is out of the field's range.
pub fn exact_field(
    ui: &mut Ui,
    size: Option<Vec2>,
    value: &mut f64,
    at_rest: impl Fn(f64) -> String,
    with: impl for<'v> FnOnce(DragValue<'v>) -> DragValue<'v>,
) -> Response {
    let add = |ui: &mut Ui| {
        let id = ui.next_auto_id();
        let typed = ui.memory(|memory| memory.has_focus(id));
        let stands = exact(*value);
        let field = DragValue::new(value)
            .clamp_existing_to_range(false)
            .update_while_editing(false)
            .custom_formatter(|number, _| match typed {
                true => exact(number),
                false => at_rest(number),
            })
            .custom_parser(|text| read(text, &stands));
        let response = ui.add(with(field));
        select_all(&response, &stands);
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

/// Who clicks into a field types another number: all of the digits that appear then are selected, not as many as were shown.
pub fn select_all(response: &Response, stands: &str) {
    if response.clicked() {
        let ctx = &response.ctx;
        let mut state = TextEdit::load_state(ctx, response.id).unwrap_or_default();
        let all = CCursorRange::select_all_str(stands);
        state.cursor.set_char_range(Some(all));
        state.store(ctx, response.id);
    }
}

/// What a text comes to; nothing where it is what stands there.
pub fn read(text: &str, stands: &str) -> Option<f64> {
    (text.trim() != stands).then(|| value(text)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_as_the_same_number() {
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
        // Numbers of every size, with digits of every kind.
        let mut number = 1e-280_f64;
        while number < 1e280 {
            assert_eq!(exact(number).parse(), Ok(number));
            number *= 7.300_000_01;
        }
    }

    #[test]
    fn what_stands_there_is_not_read_anew() {
        assert_eq!(read("0.25", "0.25"), None);
        assert_eq!(read(" 0.25 ", "0.25"), None);
        assert_eq!(read("1/4", "0.5"), Some(0.25));
        assert_eq!(read("nonsense", "0.5"), None);
    }

    #[test]
    fn a_long_number_says_that_there_is_more_of_it() {
        for (number, letters, wanted) in [
            (0.5, 6, "0.5"),
            (0.123456789, 6, "0.123…"),
            (-12.3456789, 6, "-12.3…"),
            (1234567.0, 7, "1234567"),
            (-4.000000001, 5, "-4.0…"),
            (0.1 + 0.2, 12, "0.3…"),
            (1.0 / 60.0, 12, "0.016666667…"),
            (0.49999999999999994, 12, "0.5…"),
        ] {
            assert_eq!(short(number, letters), wanted);
        }
        // What would read as nothing says its power.
        assert_eq!(short(1.3e-9, 8), "1.3e-9");
        assert_eq!(short(-2e20, 6), "-2e20");
    }
}
