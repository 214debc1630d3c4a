//! Columns of a CSV log.

use crate::core::schema::{Number, special_number};
use csv::StringRecord;

/// A known column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Column {
    Frame,
    Time,
    Name,
    Px,
    Py,
    Pz,
    Qx,
    Qy,
    Qz,
    Qw,
    Vx,
    Vy,
    Vz,
    Wx,
    Wy,
    Wz,
    Radius,
    Teleported,
    Asleep,
}

impl Column {
    /// All of them, in the order they are written.
    pub const ALL: [(Self, &'static str); 19] = [
        (Self::Frame, "frame"),
        (Self::Time, "time"),
        (Self::Name, "name"),
        (Self::Px, "px"),
        (Self::Py, "py"),
        (Self::Pz, "pz"),
        (Self::Qx, "qx"),
        (Self::Qy, "qy"),
        (Self::Qz, "qz"),
        (Self::Qw, "qw"),
        (Self::Vx, "vx"),
        (Self::Vy, "vy"),
        (Self::Vz, "vz"),
        (Self::Wx, "wx"),
        (Self::Wy, "wy"),
        (Self::Wz, "wz"),
        (Self::Radius, "radius"),
        (Self::Teleported, "teleported"),
        (Self::Asleep, "asleep"),
    ];

    /// Columns that are present together or not at all.
    const GROUPS: [&'static [Self]; 4] = [
        &[Self::Px, Self::Py, Self::Pz],
        &[Self::Qx, Self::Qy, Self::Qz, Self::Qw],
        &[Self::Vx, Self::Vy, Self::Vz],
        &[Self::Wx, Self::Wy, Self::Wz],
    ];

    fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// All names, for a message.
    pub fn names() -> String {
        Self::ALL.map(|(_, name)| name).join(", ")
    }
}

/// The position of each column.
#[derive(Debug, Default, Clone)]
pub(super) struct Columns {
    places: [Option<usize>; Column::ALL.len()],
}

impl Columns {
    /// Reads the first row; letter case is ignored. Also returns the names that are not known.
    ///
    /// # Errors
    /// The missing or duplicate columns, and which are needed.
    pub fn of(header: &StringRecord) -> Result<(Self, Vec<String>), (String, String)> {
        let mut columns = Self::default();
        let mut ignored = Vec::new();
        for (place, written) in header.iter().enumerate() {
            let written = written.trim_start_matches('\u{feff}').trim();
            let name = written.to_ascii_lowercase();
            match Column::ALL.iter().find(|(_, known)| *known == name) {
                None if name.is_empty() => {}
                None => ignored.push(format!("`{written}`")),
                Some((column, _)) => {
                    let place = columns.places[*column as usize].replace(place);
                    if place.is_some() {
                        let what = format!("the column `{name}` is there twice");
                        return Err((what, "remove one of the two".to_owned()));
                    }
                }
            }
        }
        let missing = columns.missing();
        if missing.is_empty() {
            return Ok((columns, ignored));
        }
        let there: Vec<&str> = header.iter().collect();
        let what = format!(
            "columns are missing: {}; there are: {}",
            missing.join(", "),
            there.join(", ")
        );
        let help = "needed are name, px, py, pz, and frame or time; qx to qw, vx to vz and wx to wz only together";
        Err((what, help.into()))
    }

    fn missing(&self) -> Vec<&'static str> {
        let mut missing = Vec::new();
        if !self.has(Column::Frame) && !self.has(Column::Time) {
            missing.push("frame or time");
        }
        if !self.has(Column::Name) {
            missing.push("name");
        }
        for (index, group) in Column::GROUPS.into_iter().enumerate() {
            let needed = index == 0 || group.iter().any(|column| self.has(*column));
            let absent = group.iter().filter(|column| needed && !self.has(**column));
            missing.extend(absent.map(|column| column.name()));
        }
        missing
    }

    /// Whether the column is present.
    pub fn has(&self, column: Column) -> bool {
        self.places[column as usize].is_some()
    }

    /// A cell that is not empty.
    pub fn text<'r>(&self, record: &'r StringRecord, column: Column) -> Option<&'r str> {
        let text = record.get(self.places[column as usize]?)?;
        (!text.is_empty()).then_some(text)
    }

    /// A number, if there is one.
    pub fn number(&self, record: &StringRecord, column: Column) -> Result<Option<Number>, String> {
        let Some(text) = self.text(record, column) else {
            return Ok(None);
        };
        cell_number(text)
            .map(Some)
            .ok_or_else(|| format!("{} is `{text}`, not a number", column.name()))
    }

    /// Numbers that are present together or not at all.
    pub fn group<const N: usize>(
        &self,
        record: &StringRecord,
        columns: [Column; N],
    ) -> Result<Option<[Number; N]>, String> {
        let mut numbers = [Number(0.0); N];
        let mut found = 0;
        for (number, column) in numbers.iter_mut().zip(columns) {
            if let Some(read) = self.number(record, column)? {
                *number = read;
                found += 1;
            }
        }
        match found {
            0 => Ok(None),
            found if found == N => Ok(Some(numbers)),
            _ => {
                let names = columns.map(Column::name).join(", ");
                Err(format!("only {found} of {names} are given"))
            }
        }
    }

    /// True for `true`, `yes`, `1`; false for their opposites and an empty cell.
    pub fn flag(&self, record: &StringRecord, column: Column) -> Result<bool, String> {
        match self.text(record, column).map(str::to_ascii_lowercase) {
            None => Ok(false),
            Some(text) => match text.as_str() {
                "true" | "yes" | "1" => Ok(true),
                "false" | "no" | "0" => Ok(false),
                _ => Err(format!("{} is `{text}`, not true or false", column.name())),
            },
        }
    }
}

/// A cell as a number, with the C and C++ spellings of NaN and infinity.
fn cell_number(text: &str) -> Option<Number> {
    let value = text.parse().ok().or_else(|| special_number(text))?;
    Some(Number(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_the_order_of_the_enum() {
        for (index, (column, _)) in Column::ALL.into_iter().enumerate() {
            assert_eq!(column as usize, index, "{column:?}");
        }
    }

    #[test]
    fn missing_columns_are_listed_with_present_ones() {
        let header = StringRecord::from(vec!["Frame", "px", "PY", "qw"]);
        let (what, help) = Columns::of(&header).unwrap_err();
        assert_eq!(
            what,
            "columns are missing: name, pz, qx, qy, qz; there are: Frame, px, PY, qw"
        );
        assert!(help.contains("frame or time"));
    }
}
