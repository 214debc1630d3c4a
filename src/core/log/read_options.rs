//! What a file does not say about itself: names of columns, units, which animation.

use super::headings::{Column, Heading};
use crate::core::problem::nearest;
use crate::core::schema::{Axis, LengthName, Units};
use csv::StringRecord;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What the user says about a file that is opened; each value replaces the one of the file, or of the scene that names it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ReadOptions {
    /// Columns of a table.
    pub columns: Option<ColumnNames>,
    /// Metres per unit of length, > 0, of OBJ files and tables.
    pub unit: Option<f64>,
    /// The name of that unit, where it has one.
    #[serde(default)]
    pub unit_name: Option<LengthName>,
    /// The axis that points up in OBJ files and tables.
    pub up: Option<Axis>,
    /// Name of the animation of a glTF file, or its number from 0.
    pub animation: Option<String>,
}

impl ReadOptions {
    /// The units of a file, else those that are known of it.
    pub fn units(&self, known: Units) -> Units {
        Units {
            length: self.unit.unwrap_or(known.length),
            name: match self.unit {
                Some(_) => self.unit_name,
                None => known.name,
            },
            up: self.up.unwrap_or(known.up),
            ..known
        }
    }

    /// The options that are given and not among those that a file uses, as in the command line.
    pub fn unused(&self, used: &[&str]) -> Vec<&'static str> {
        let given = [
            ("--columns", self.columns.is_some()),
            ("--unit", self.unit.is_some()),
            ("--up", self.up.is_some()),
            ("--animation", self.animation.is_some()),
        ];
        let unused = given.into_iter().filter(|(_, is_given)| *is_given);
        let unused = unused.map(|(name, _)| name);
        unused.filter(|name| !used.contains(name)).collect()
    }

    /// The names of the columns of a table whose first row is this.
    ///
    /// # Errors
    /// A column that is not there, and how to fix it.
    pub(super) fn renamed(&self, header: StringRecord) -> Result<StringRecord, (String, String)> {
        match &self.columns {
            Some(ColumnNames(Names::Mapped(pairs))) => mapped(pairs, &header),
            _ => Ok(header),
        }
    }

    /// The names of all columns, where the option lists them.
    pub(super) fn listed(&self) -> Option<StringRecord> {
        match &self.columns {
            Some(ColumnNames(Names::Listed(names))) => Some(names.iter().collect()),
            _ => None,
        }
    }
}

/// The columns of a table: `px=Position.X,py=Position.Y` by their headings, or `time,px,py,pz` in their order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnNames(Names);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Names {
    /// Columns, each with its heading.
    Mapped(Vec<(Column, String)>),
    /// Headings of all columns in their order; an empty one is left out.
    Listed(Vec<String>),
}

impl ColumnNames {
    /// The columns that are chosen for those of a table, which have these headings, or none.
    pub(super) fn of(chosen: &[Option<Column>], headings: Option<&StringRecord>) -> Option<Self> {
        if chosen.iter().all(Option::is_none) {
            return None;
        }
        let Some(headings) = headings else {
            let name = |column: &Option<Column>| column.map_or("", Column::name).to_owned();
            return Some(Self(Names::Listed(chosen.iter().map(name).collect())));
        };
        let pairs = chosen.iter().zip(headings);
        let pairs = pairs.filter_map(|(column, heading)| Some(((*column)?, heading.to_owned())));
        Some(Self(Names::Mapped(pairs.collect())))
    }

    /// The columns that they name of a table with so many columns, which have these headings, or none.
    pub(super) fn chosen(
        &self,
        columns: usize,
        headings: Option<&StringRecord>,
    ) -> Vec<Option<Column>> {
        let mut chosen = vec![None; columns];
        match (&self.0, headings) {
            (Names::Mapped(pairs), Some(headings)) => {
                for (column, heading) in pairs {
                    if let Some(slot) = place(heading, headings).and_then(|at| chosen.get_mut(at)) {
                        *slot = Some(*column);
                    }
                }
            }
            (Names::Mapped(_), None) => {}
            (Names::Listed(names), _) => {
                for (slot, name) in chosen.iter_mut().zip(names) {
                    *slot = Heading::of(name).map(|heading| heading.column);
                }
            }
        }
        chosen
    }
}

impl FromStr for ColumnNames {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let items = || text.split(',').map(str::trim);
        if !text.contains('=') {
            return Ok(Self(Names::Listed(items().map(str::to_owned).collect())));
        }
        let pair = |item: &str| {
            let (name, heading) = item
                .split_once('=')
                .ok_or_else(|| format!("`{item}` has no heading: expected px=HEADING"))?;
            let column = Column::named(name.trim())
                .ok_or_else(|| format!("unknown column `{name}`: known are {}", Column::names()))?;
            Ok((column, heading.trim().to_owned()))
        };
        let pairs: Result<Vec<_>, String> = items().map(pair).collect();
        Ok(Self(Names::Mapped(pairs?)))
    }
}

fn mapped(
    pairs: &[(Column, String)],
    header: &StringRecord,
) -> Result<StringRecord, (String, String)> {
    let mut names: Vec<String> = header.iter().map(str::to_owned).collect();
    for (column, _) in pairs {
        // The other column of this name.
        let is_own = |name: &&mut String| Heading::is_named(name, *column);
        names.iter_mut().filter(is_own).for_each(String::clear);
    }
    for (column, wanted) in pairs {
        let Some(place) = place(wanted, header) else {
            let there: Vec<&str> = header.iter().collect();
            let what = format!("--columns names `{wanted}`, which is not a column");
            let help = match nearest(wanted, there.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? There are: {}", there.join(", ")),
                None => format!("there are: {}", there.join(", ")),
            };
            return Err((what, help));
        };
        names[place] = Heading::renamed(&header[place], *column);
    }
    Ok(names.into_iter().collect())
}

/// The place of the column with a heading, with or without its unit.
fn place(wanted: &str, header: &StringRecord) -> Option<usize> {
    header.iter().position(|written| {
        let without_unit = Heading::without_unit(written);
        [written.trim(), without_unit]
            .iter()
            .any(|name| name.eq_ignore_ascii_case(wanted.trim()))
    })
}
