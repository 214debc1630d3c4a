//! The cells of one row of CSV, and the numbers in them.

use csv::StringRecord;

/// The most frequent separator of the first line: comma, semicolon or tab; blanks where it has none of them.
pub(super) fn delimiter(header: &str) -> char {
    let count = |wanted: char| header.chars().filter(|c| *c == wanted).count();
    let separators = ['\t', ';', ','].into_iter();
    match separators.max_by_key(|&separator| count(separator)) {
        Some(separator) if count(separator) > 0 => separator,
        _ if header.trim().contains(' ') => ' ',
        _ => ',',
    }
}

/// Splits a row into trimmed cells; a quoted cell ends on the row. Cells before a fault are kept.
pub(super) fn split(
    row: &str,
    delimiter: char,
    record: &mut StringRecord,
) -> Result<(), &'static str> {
    record.clear();
    if delimiter == ' ' {
        row.split_whitespace()
            .for_each(|cell| record.push_field(cell));
        return Ok(());
    }
    let is_blank = |c: char| c.is_whitespace() && c != delimiter;
    let mut rest = row;
    loop {
        let Some(mut quoted) = rest.trim_start_matches(is_blank).strip_prefix('"') else {
            let Some((cell, next)) = rest.split_once(delimiter) else {
                record.push_field(rest.trim());
                return Ok(());
            };
            record.push_field(cell.trim());
            rest = next;
            continue;
        };
        let mut cell = String::new();
        let behind = loop {
            let (text, behind) = quoted
                .split_once('"')
                .ok_or("a quote opens a cell that does not end on its line")?;
            cell += text;
            match behind.strip_prefix('"') {
                Some(more) => {
                    cell.push('"');
                    quoted = more;
                }
                None => break behind.trim_start_matches(is_blank),
            }
        };
        record.push_field(cell.trim());
        match behind.strip_prefix(delimiter) {
            Some(next) => rest = next,
            None if behind.is_empty() => return Ok(()),
            None => return Err("text follows the closing quote of a cell"),
        }
    }
}

/// Accepts `12.0`, as spreadsheets write whole numbers.
pub(super) fn frame_number(text: &str) -> Option<u64> {
    let whole = |value: &f64| value.fract() == 0.0 && (0.0..9e15).contains(value);
    text.parse().ok().or_else(|| {
        text.parse()
            .ok()
            .filter(whole)
            .map(|value: f64| value as u64)
    })
}

/// Bits that sort as the finite number does; both zeros are one.
pub(super) fn sortable(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_sort_as_numbers_do() {
        let ordered = [-1e300, -2.0, -1e-300, 0.0, 1e-300, 1.0, 1e300];
        for pair in ordered.windows(2) {
            assert!(sortable(pair[0]) < sortable(pair[1]), "{pair:?}");
        }
        assert_eq!(sortable(-0.0), sortable(0.0));
    }

    #[test]
    fn frame_numbers_as_spreadsheets_write_them() {
        assert_eq!(frame_number("12"), Some(12));
        assert_eq!(frame_number("12.0"), Some(12));
        for bad in ["12.5", "-1", "NaN", "", "x", "1e300"] {
            assert_eq!(frame_number(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_separator_is_detected() {
        assert_eq!(delimiter("frame,name"), ',');
        assert_eq!(delimiter("frame;name;px"), ';');
        assert_eq!(delimiter("frame\tname"), '\t');
        assert_eq!(delimiter("frame"), ',');
        assert_eq!(delimiter("0.1 1 2 3"), ' ');
    }

    fn cells(row: &str, delimiter: char) -> Result<Vec<String>, &'static str> {
        let mut record = StringRecord::new();
        split(row, delimiter, &mut record)?;
        Ok(record.iter().map(str::to_owned).collect())
    }

    /// RFC 4180, but for line breaks in a cell.
    #[test]
    fn quoted_cells_hold_separators_and_doubled_quotes() {
        for (row, wanted) in [
            ("a, b ,c", vec!["a", "b", "c"]),
            ("", vec![""]),
            ("a,,", vec!["a", "", ""]),
            (r#""a,b","say ""so""",c"#, vec!["a,b", r#"say "so""#, "c"]),
            (r#" "a" , "" "#, vec!["a", ""]),
            (r#"5" wide,b"#, vec![r#"5" wide"#, "b"]),
        ] {
            assert_eq!(cells(row, ',').unwrap(), wanted, "{row}");
        }
        assert_eq!(cells("a\t\"b\tc\"\t", '\t').unwrap(), ["a", "b\tc", ""]);
        assert!(
            cells(r#"1,"ball,2"#, ',')
                .unwrap_err()
                .contains("does not end")
        );
        assert!(cells(r#""a"b,2"#, ',').unwrap_err().contains("follows"));
    }
}
