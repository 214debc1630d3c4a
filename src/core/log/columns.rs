//! Columns of a CSV log.

use super::headings::{Column, Heading};
use crate::core::number::listed;
use crate::core::schema::{Number, special_number};
use csv::StringRecord;
use std::collections::HashSet;

/// Limit of names in a list.
pub(super) const NAMES_LISTED: usize = 5;

/// The position of each column, for a body.
#[derive(Debug, Clone)]
pub(super) struct Columns {
    places: [Option<usize>; Column::ALL.len()],
    /// From the units of the headings to those of the log.
    scales: [f64; Column::ALL.len()],
    /// Whether a comma in a cell is the decimal one.
    pub has_decimal_comma: bool,
    /// Whether the heading of the time names its unit.
    pub has_time_unit: bool,
}

impl Default for Columns {
    fn default() -> Self {
        Self {
            places: [None; Column::ALL.len()],
            scales: [1.0; Column::ALL.len()],
            has_decimal_comma: false,
            has_time_unit: false,
        }
    }
}

/// The bodies of each row of a table.
#[derive(Debug, Default, Clone)]
pub(super) struct Table {
    /// At least one. `None` is the body that the column `name` names; empty is the one body of a table without that column.
    pub bodies: Vec<(Option<String>, Columns)>,
    /// Headings that are not known.
    pub ignored: Vec<String>,
    /// What is assumed, and how to change it.
    pub assumed: Vec<(String, String)>,
}

/// Why the first row of a table does not name its columns.
pub(super) struct TableFault {
    pub what: String,
    pub help: String,
    /// Missing columns, each with the place of the one that is most like it.
    pub nearest: Vec<(Column, usize)>,
}

impl Table {
    /// Reads the first row; letter case is ignored. `length` is the log's unit, metres.
    ///
    /// # Errors
    /// The missing or duplicate columns, and which are needed.
    pub fn of(header: &StringRecord, length: f64) -> Result<Self, TableFault> {
        let mut plain = Columns::default();
        let mut wide: Vec<(String, Columns)> = Vec::new();
        let (mut exact, mut ignored) = (HashSet::new(), Vec::new());
        // The format's own names first: others mean the same only without them.
        for wants_exact in [true, false] {
            for (place, written) in header.iter().enumerate() {
                let shown = || format!("`{}`", written.trim_start_matches('\u{feff}').trim());
                let Some(heading) = Heading::of(written) else {
                    if wants_exact && shown().len() > 2 {
                        ignored.push(shown());
                    }
                    continue;
                };
                if heading.is_exact != wants_exact {
                    continue;
                }
                let index = heading.column as usize;
                if wants_exact && !exact.insert(index) {
                    let what = format!("the column `{}` is there twice", heading.column.name());
                    return Err(TableFault {
                        what,
                        help: "remove one of the two".to_owned(),
                        nearest: Vec::new(),
                    });
                }
                let columns = match heading.body {
                    None => &mut plain,
                    Some(body) => {
                        let known = wide.iter().position(|(name, _)| *name == body);
                        let known = known.unwrap_or_else(|| {
                            wide.push((body, Columns::default()));
                            wide.len() - 1
                        });
                        &mut wide[known].1
                    }
                };
                if let Some(first) = columns.places[index] {
                    if header[first].trim().eq_ignore_ascii_case(written.trim()) {
                        let what = format!("the column {} is there twice", shown());
                        return Err(TableFault {
                            what,
                            help: RENAME.to_owned(),
                            nearest: Vec::new(),
                        });
                    }
                    ignored.push(shown());
                    continue;
                }
                columns.places[index] = Some(place);
                columns.has_time_unit |= heading.column == Column::Time && heading.scale.is_some();
                let unit = if heading.column.is_length() {
                    length
                } else {
                    1.0
                };
                columns.scales[index] = heading.scale.map_or(1.0, |scale| scale / unit);
            }
        }
        let written = |place: usize| format!("`{}`", header.get(place).unwrap_or_default().trim());
        for columns in wide.iter_mut().map(|(_, own)| own).chain([&mut plain]) {
            ignored.extend(columns.drop_parts(&exact).into_iter().map(written));
        }
        let is_flat = |columns: &Columns| columns.axes() >= 2;
        let is_placed = is_flat(&plain);
        let is_one = !plain.has(Column::Name);
        if !is_placed
            && is_one
            && !plain.has(Column::Px)
            && wide.iter().any(|(_, own)| is_flat(own))
        {
            let (bodies, others): (Vec<_>, Vec<_>) =
                wide.into_iter().partition(|(_, own)| is_flat(own));
            let others = others.iter().flat_map(|(_, own)| own.places);
            ignored.extend(others.flatten().map(written));
            let mut assumed = vec![bodies_by_headings(&bodies, header)];
            let of_row = plain.places.into_iter().skip(ROW.len()).flatten();
            let of_row: Vec<String> = of_row.map(written).collect();
            if !of_row.is_empty() {
                let what = format!("columns of no body are ignored: {}", of_row.join(", "));
                let name = format!("{}_{}", bodies[0].0, of_row[0].trim_matches('`'));
                assumed.push((
                    what,
                    format!("begin each with the name of a body: `{name}`"),
                ));
            }
            let bodies = bodies
                .into_iter()
                .map(|(name, own)| (Some(name), own.with(&plain)));
            let mut table = Self::assuming(bodies.collect(), ignored);
            table.assumed.append(&mut assumed);
            return Ok(table);
        }
        let all = plain.missing(is_placed);
        let is_optional =
            |name: &str| name == "name" || (is_one && matches!(name, "frame or time" | "time"));
        let missing = all.iter().copied().filter(|name| !is_optional(name));
        let missing: Vec<&str> = missing.collect();
        if missing.is_empty() {
            let name = is_one.then(String::new);
            ignored.extend(
                wide.iter()
                    .flat_map(|(_, own)| own.places.into_iter().flatten())
                    .map(written),
            );
            return Ok(Self::assuming(vec![(name, plain)], ignored));
        }
        let there: Vec<&str> = header.iter().collect();
        let what = format!(
            "columns are missing: {}; there are: {}",
            missing.join(", "),
            there.join(", ")
        );
        let help = "; needed are px, py, pz, and name, and frame or time, unless each row is of one body; qx to qw, vx to vz and wx to wz only together. Also read: x, pos_x, Position.X, `x (cm)`, `time (ms)`, and ball_x, ball_y, ball_z for each body";
        let is_wanted = |name: &str| !is_optional(name);
        let nearest = nearest(&all, &there);
        Err(TableFault {
            what,
            help: mapping(&nearest, is_wanted, &there) + help,
            nearest: nearest
                .into_iter()
                .filter_map(|(wanted, place)| Some((Column::named(wanted)?, place?)))
                .collect(),
        })
    }

    fn assuming(bodies: Vec<(Option<String>, Columns)>, ignored: Vec<String>) -> Self {
        let mut assumed = Vec::new();
        for axis in Column::GROUPS[0] {
            if bodies.iter().any(|(_, own)| !own.has(*axis)) {
                let what = format!(
                    "there is no column of {}, which is taken as 0",
                    &axis.name()[1..]
                );
                assumed.push((what, format!("add a column `{}`", axis.name())));
            }
        }
        if let [(Some(name), _)] = bodies.as_slice()
            && name.is_empty()
        {
            let what =
                "no column names the body, so each row is of one body, with the name of the file";
            let help = "add a column `name`, or name the one there is: --columns \"name=..\"";
            assumed.push((what.to_owned(), help.to_owned()));
        }
        Self {
            bodies,
            ignored,
            assumed,
        }
    }
}

impl Columns {
    /// Drops groups of which other names give only a part, as the angles `rotation.x`, `.y`, `.z`; returns their places.
    fn drop_parts(&mut self, exact: &HashSet<usize>) -> Vec<usize> {
        let mut dropped = Vec::new();
        for group in &Column::GROUPS[1..] {
            let is_exact = |column: &Column| exact.contains(&(*column as usize));
            let is_whole = self.absent(group).next().is_none();
            if is_whole || group.iter().any(is_exact) {
                continue;
            }
            dropped.extend(
                group
                    .iter()
                    .filter_map(|column| self.places[*column as usize].take()),
            );
        }
        dropped
    }

    /// With the columns of the whole row.
    fn with(mut self, row: &Self) -> Self {
        for column in ROW {
            let index = column as usize;
            (self.places[index], self.scales[index]) = (row.places[index], row.scales[index]);
        }
        self.has_time_unit = row.has_time_unit;
        self
    }

    /// How many axes of the position are there.
    fn axes(&self) -> usize {
        let axes = Column::GROUPS[0].iter();
        axes.filter(|axis| self.has(**axis)).count()
    }

    /// The columns of a group that are needed and not there; of velocities, those along the axes of the position are needed.
    fn absent<'g>(&'g self, group: &'g [Column]) -> impl Iterator<Item = Column> + 'g {
        let is_needed = |column: Column| match column {
            Column::Vx => self.has(Column::Px),
            Column::Vy => self.has(Column::Py),
            Column::Vz => self.has(Column::Pz),
            _ => true,
        };
        let absent = group.iter().copied().filter(|column| !self.has(*column));
        absent.filter(move |column| is_needed(*column))
    }

    fn missing(&self, is_placed: bool) -> Vec<&'static str> {
        let mut missing = Vec::new();
        if !self.has(Column::Frame) && !self.has(Column::Time) {
            missing.push("frame or time");
        }
        if !self.has(Column::Name) {
            missing.push("name");
        }
        for (index, group) in Column::GROUPS.into_iter().enumerate() {
            let needed = match index {
                0 => !is_placed,
                _ => group.iter().any(|column| self.has(*column)),
            };
            if needed {
                missing.extend(self.absent(group).map(Column::name));
            }
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
        let scale = self.scales[column as usize];
        let scaled = |Number(value)| Some(Number(if scale == 1.0 { value } else { value * scale }));
        cell_number(text, self.has_decimal_comma)
            .map(scaled)
            .ok_or_else(|| format!("{} is `{text}`, not a number", column.name()))
    }

    /// Numbers that are present together or not at all; 0 for those without a column.
    pub fn group<const N: usize>(
        &self,
        record: &StringRecord,
        columns: [Column; N],
    ) -> Result<Option<[Number; N]>, String> {
        let mut numbers = [Number(0.0); N];
        let (mut found, mut wanted) = (0, 0);
        for (number, column) in numbers.iter_mut().zip(columns) {
            wanted += usize::from(self.has(column));
            if let Some(read) = self.number(record, column)? {
                *number = read;
                found += 1;
            }
        }
        match found {
            0 => Ok(None),
            found if found == wanted => Ok(Some(numbers)),
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

/// The first columns of `Column::ALL`, which are of the whole row of a wide table.
const ROW: [Column; 2] = [Column::Frame, Column::Time];

/// Which columns a wide table has of each body, and how to say that they mean something else.
fn bodies_by_headings(bodies: &[(String, Columns)], header: &StringRecord) -> (String, String) {
    let of = |(name, own): &(String, Columns)| {
        let mut places: Vec<usize> = own.places.into_iter().flatten().collect();
        places.sort_unstable();
        let written = places
            .iter()
            .map(|place| format!("`{}`", header[*place].trim()));
        format!("{name} ({})", written.collect::<Vec<_>>().join(", "))
    };
    let bodies: Vec<String> = bodies.iter().map(of).collect();
    let what = format!(
        "columns are read as those of a body by what their headings begin with: {}",
        listed(&bodies, NAMES_LISTED)
    );
    let help = "if that is not its name, name the columns: --columns \"px=..,py=..,pz=..\"";
    (what, help.to_owned())
}

const RENAME: &str = "give each column a name of its own";

/// The mapping to try for missing columns, `..` to be filled in where one is needed.
pub(super) fn mapping(
    nearest: &[(&'static str, Option<usize>)],
    is_needed: impl Fn(&str) -> bool,
    there: &[&str],
) -> String {
    let wanted = nearest
        .iter()
        .filter(|(wanted, place)| place.is_some() || is_needed(wanted));
    let pairs = wanted.map(|(wanted, place)| {
        let heading = place.map_or("..", |place| there[place]);
        format!("{wanted}={heading}")
    });
    let pairs: Vec<String> = pairs.collect();
    format!("name them: --columns \"{}\"", pairs.join(","))
}

/// Missing columns, each with the place of the heading that is most like it.
pub(super) fn nearest(
    missing: &[&'static str],
    there: &[&str],
) -> Vec<(&'static str, Option<usize>)> {
    let unknown = |place: &usize| Heading::of(there[*place]).is_none();
    let mut free: Vec<usize> = (0..there.len()).filter(unknown).collect();
    let pair = |wanted: &&'static str| {
        let (wanted, signs) = match *wanted {
            "frame or time" => ("time", &["time", "clock", "stamp", "sec"][..]),
            "name" => (
                "name",
                &["name", "id", "object", "body", "entity", "type", "label"][..],
            ),
            axis => (axis, &[][..]),
        };
        let last = wanted.chars().last();
        let is_like = |place: &usize| {
            let text = Heading::without_unit(there[*place]);
            let lower = text.to_lowercase();
            match signs {
                [] => lower.chars().last() == last && has_axis(text),
                _ => signs.iter().any(|sign| is_word_of(sign, &lower)),
            }
        };
        let found = free.iter().position(is_like);
        (wanted, found.map(|at| free.remove(at)))
    };
    missing.iter().map(pair).collect()
}

/// Whether a heading ends in a letter of its own: `accel y`, `posY`, not `density`.
fn has_axis(text: &str) -> bool {
    let mut letters = text.chars().rev();
    let last = letters.next().is_some_and(char::is_uppercase);
    letters
        .next()
        .is_none_or(|before| !before.is_alphanumeric() || (last && before.is_lowercase()))
}

/// Whether a word of a heading in lower case ends so: `track_id`, not `video`.
fn is_word_of(sign: &str, heading: &str) -> bool {
    let mut words = heading.split(|c: char| !c.is_alphanumeric());
    words.any(|word| word.ends_with(sign))
}

/// A cell as a number, with the C and C++ spellings of NaN and infinity.
fn cell_number(text: &str, has_decimal_comma: bool) -> Option<Number> {
    let with_point = || text.replacen(',', ".", 1).parse().ok();
    let value = text.parse().ok().or_else(|| special_number(text));
    let value = value.or_else(|| has_decimal_comma.then(with_point).flatten())?;
    Some(Number(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_columns_are_listed_with_present_ones() {
        let header = StringRecord::from(vec!["Frame", "px", "PY", "qw"]);
        let TableFault { what, help, .. } = Table::of(&header, 1.0).err().unwrap();
        assert_eq!(
            what,
            "columns are missing: qx, qy, qz; there are: Frame, px, PY, qw"
        );
        assert!(help.contains("frame or time"));
    }

    #[test]
    fn missing_columns_have_the_nearest_mapping() {
        for (header, mapping) in [
            (
                "sim clock,actor type,accel x,accel y,accel z",
                "time=sim clock,name=actor type,px=accel x,py=accel y,pz=accel z",
            ),
            // `density` ends in y, `video` has an id in it.
            ("video,density,gazeX,b", "px=gazeX,py=..,pz=.."),
            ("time,name,a,b,PZ", "px=..,py=.."),
        ] {
            let header: StringRecord = header.split(',').collect();
            let TableFault { help, .. } = Table::of(&header, 1.0).err().unwrap();
            let wanted = format!("name them: --columns \"{mapping}\"; ");
            assert!(help.starts_with(&wanted), "{help}");
        }
    }
}
