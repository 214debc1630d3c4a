//! The arguments that say about a file what it does not say itself.

use crate::core::level::ReadOptions;
use crate::core::log::{ColumnNames, unit_of_length};
use crate::core::scene::{Axis, LengthName};
use clap::{Args, ValueEnum};

/// Arguments of the commands that open files.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Files that do not say it themselves")]
pub struct ReadArguments {
    /// Columns of a table, by their headings: "px=Position.X,py=Position.Y"; or all of them in their order, for a file without headings:
    /// "time,px,py,pz"
    #[arg(long, value_name = "NAMES")]
    pub columns: Option<ColumnNames>,

    /// Unit of length and axis that points up
    #[command(flatten)]
    pub units: UnitArguments,

    /// Animation of a glTF file, by its name, or its number from 0
    #[arg(long, value_name = "NAME")]
    pub animation: Option<String>,
}

impl ReadArguments {
    /// As the readers take them.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            columns: self.columns.clone(),
            animation: self.animation.clone(),
            ..self.units.options()
        }
    }
}

/// Those of the units.
#[derive(Clone, Debug, Default, Args)]
pub struct UnitArguments {
    /// Unit of length of an OBJ file, a table or a recording of PhysX: m, cm, mm, km, in, ft, px (of which a metre has 100), or a number of metres
    #[arg(long, value_name = "UNIT", value_parser = parse_unit)]
    pub unit: Option<Unit>,

    /// Axis that points up in it [default: y; in a recording of PhysX, away from gravity]
    #[arg(long, value_name = "x|y|z|-y", allow_hyphen_values = true)]
    pub up: Option<UpArgument>,
}

impl UnitArguments {
    /// As the readers take them.
    pub fn options(&self) -> ReadOptions {
        ReadOptions {
            unit: self.unit.map(|unit| unit.metres),
            unit_name: self.unit.and_then(|unit| unit.name),
            up: self.up.map(|up| match up {
                UpArgument::X => Axis::X,
                UpArgument::Y => Axis::Y,
                UpArgument::Z => Axis::Z,
                UpArgument::MinusY => Axis::MinusY,
            }),
            ..ReadOptions::default()
        }
    }
}

/// `--up` in the command line's own spelling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UpArgument {
    /// X is up
    X,
    /// Y is up
    Y,
    /// Z is up
    Z,
    /// Y grows downward, as on screens
    #[value(name = "-y")]
    MinusY,
}

/// A unit of length.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    metres: f64,
    name: Option<LengthName>,
}

fn parse_unit(text: &str) -> Result<Unit, String> {
    let text = text.to_lowercase();
    let metres = unit_of_length(&text).or_else(|| text.parse().ok());
    let name = matches!(&*text, "px" | "pixel" | "pixels").then_some(LengthName::Px);
    metres
        .filter(|metres| metres.is_finite() && *metres > 0.0)
        .map(|metres| Unit { metres, name })
        .ok_or_else(|| {
            format!("unknown unit \"{text}\": expected m, cm, mm, km, in, ft, px or metres")
        })
}
