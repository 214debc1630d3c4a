//! What the heading of a column means, as other programs write it: `Position.X`, `pos_x`, `x (cm)`, `ball_x`.

use serde::{Deserialize, Serialize};
use std::f64::consts::PI;

/// A known column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "docs/log-format.md describes each by its name")]
pub enum Column {
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
    Island,
    Angle,
    W,
}

impl Column {
    /// All of them, in the order they are written.
    pub const ALL: [(Self, &'static str); 22] = [
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
        (Self::Island, "island"),
        (Self::Angle, "angle"),
        (Self::W, "w"),
    ];

    /// Whether a table of a flat level has it, or one in space.
    pub(super) fn is_in(self, is_flat: bool) -> bool {
        match self {
            Self::Angle | Self::W => is_flat,
            Self::Pz | Self::Vz | Self::Qx | Self::Qy | Self::Qz | Self::Qw => !is_flat,
            Self::Wx | Self::Wy | Self::Wz => !is_flat,
            _ => true,
        }
    }

    /// Columns that are present together or not at all.
    pub(super) const GROUPS: [&'static [Self]; 4] = [
        &[Self::Px, Self::Py, Self::Pz],
        &[Self::Qx, Self::Qy, Self::Qz, Self::Qw],
        &[Self::Vx, Self::Vy, Self::Vz],
        &[Self::Wx, Self::Wy, Self::Wz],
    ];

    /// Its name in the format.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// The column of a name of the format; letter case is ignored.
    pub(super) fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find_map(|(column, own)| own.eq_ignore_ascii_case(name).then_some(column))
    }

    /// All names, for a message.
    pub(super) fn names() -> String {
        Self::ALL.map(|(_, name)| name).join(", ")
    }
}

/// A column of a table.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Heading {
    pub column: Column,
    /// The body of a wide table, in whose name the heading begins.
    pub body: Option<String>,
    /// From the unit of the heading to the log's own; `None` without a unit.
    pub scale: Option<f64>,
    /// It is one of the names of the format itself.
    pub is_exact: bool,
}

/// Beginnings of headings of three numbers that are no positions of a body.
const NO_BODIES: [&str; 22] = [
    "acc",
    "accel",
    "acceleration",
    "linearacceleration",
    "angularacceleration",
    "gyro",
    "mag",
    "magnetometer",
    "force",
    "torque",
    "impulse",
    "rot",
    "rotation",
    "euler",
    "orientation",
    "scale",
    "size",
    "normal",
    "gravity",
    "b",
    "angle",
    "eulerangles",
];

impl Heading {
    /// The meaning of a heading; `None` for an unknown one.
    pub fn of(written: &str) -> Option<Self> {
        let (text, unit) = split_unit(written);
        if let Some(column) = Column::named(text) {
            return Self::new(column, None, unit.as_deref(), true);
        }
        let mut words: Vec<(usize, String)> = Vec::new();
        let mut at = 0;
        for word in text.split(|c: char| !c.is_alphanumeric()) {
            if !word.is_empty() {
                words.push((at, word.to_ascii_lowercase()));
            }
            at += word.len()
                + text[at + word.len()..]
                    .chars()
                    .next()
                    .map_or(0, char::len_utf8);
        }
        let mut unit = unit;
        if words.len() > 1 && unit.is_none() && words.last().is_some_and(|(_, last)| is_unit(last))
        {
            unit = words.pop().map(|(_, word)| word);
        }
        // EuRoC: `p_RS_R_x`, `q_RS_w`; `b_` are biases.
        if words.iter().any(|(_, word)| word == "rs") {
            let [first, .., last] = words.as_slice() else {
                return None;
            };
            let name = format!("{}{}", first.1, last.1);
            return Self::new(alias(&name)?, None, unit.as_deref(), false);
        }
        let joined = |words: &[(usize, String)]| {
            words
                .iter()
                .map(|(_, word)| word.as_str())
                .collect::<String>()
        };
        if let Some(column) = alias(&joined(&words)) {
            return Self::new(column, None, unit.as_deref(), false);
        }
        (1..words.len()).find_map(|from| {
            let column = alias(&joined(&words[from..])).filter(|column| column.is_of_body())?;
            let body = text[..words[from].0].trim_end_matches(|c: char| !c.is_alphanumeric());
            let mut words = words[..from].iter();
            let is_body = !words.any(|(_, word)| NO_BODIES.contains(&word.as_str()));
            let heading = || Self::new(column, Some(body.to_owned()), unit.as_deref(), false);
            is_body.then(heading).flatten()
        })
    }

    /// True for the format's own name of a column, with a unit or without.
    pub fn is_named(written: &str, column: Column) -> bool {
        Column::named(split_unit(written).0) == Some(column)
    }

    /// A heading without its unit in brackets.
    pub fn without_unit(written: &str) -> &str {
        split_unit(written).0
    }

    /// The heading of a column that is written in another way, with the same unit.
    pub fn renamed(written: &str, column: Column) -> String {
        let (text, unit) = split_unit(written);
        let last = text.rsplit_once(|c: char| !c.is_alphanumeric());
        let last = last.map(|(_, last)| last.to_lowercase());
        let unit = unit.or(last.filter(|last| is_unit(last)));
        match unit.filter(|unit| column.scale(unit).is_some()) {
            Some(unit) => format!("{} ({unit})", column.name()),
            None => column.name().to_owned(),
        }
    }

    /// `None` for a unit that does not fit.
    fn new(
        column: Column,
        body: Option<String>,
        unit: Option<&str>,
        is_exact: bool,
    ) -> Option<Self> {
        let scale = unit.map(|unit| column.scale(unit));
        let scale = match scale {
            Some(None) => return None,
            Some(scale) => scale,
            None => None,
        };
        Some(Self {
            column,
            body,
            scale,
            is_exact,
        })
    }
}

/// A heading without its unit in brackets, and the unit.
fn split_unit(written: &str) -> (&str, Option<String>) {
    let text = written.trim_start_matches(['\u{feff}', '#', ' ']).trim();
    for (open, close) in [('(', ')'), ('[', ']')] {
        let inner = text
            .strip_suffix(close)
            .and_then(|rest| rest.rsplit_once(open));
        if let Some((name, unit)) = inner {
            let unit = unit.trim().to_lowercase();
            return (name.trim(), (!unit.is_empty()).then_some(unit));
        }
    }
    (text, None)
}

impl Column {
    fn is_of_body(self) -> bool {
        !matches!(self, Self::Frame | Self::Time | Self::Name)
    }

    /// From a unit to the log's own, metres, seconds and radians; `None` if it does not fit.
    fn scale(self, unit: &str) -> Option<f64> {
        // Of a velocity: `m/s`, `m s^-1`.
        let first = unit.split(['/', ' ']).next().unwrap_or(unit);
        match self {
            Self::Time => duration(unit),
            Self::Px | Self::Py | Self::Pz | Self::Radius => length(unit),
            Self::Vx | Self::Vy | Self::Vz => length(first),
            Self::Wx | Self::Wy | Self::Wz | Self::W | Self::Angle => angle(first),
            _ => Some(1.0),
        }
    }

    /// Whether its unit is of a length.
    pub(super) fn is_length(self) -> bool {
        matches!(
            self,
            Self::Px | Self::Py | Self::Pz | Self::Vx | Self::Vy | Self::Vz | Self::Radius
        )
    }
}

fn is_unit(word: &str) -> bool {
    length(word).is_some() || duration(word).is_some() || angle(word).is_some()
}

/// Metres of a unit of length.
pub fn length(unit: &str) -> Option<f64> {
    Some(match unit {
        "m" | "meter" | "meters" | "metre" | "metres" => 1.0,
        "cm" => 0.01,
        "mm" => 0.001,
        "km" => 1000.0,
        "in" | "inch" | "inches" => 0.0254,
        "ft" | "feet" => 0.3048,
        // A metre has 100, as in a log with this unit.
        "px" | "pixel" | "pixels" => 0.01,
        _ => return None,
    })
}

fn duration(unit: &str) -> Option<f64> {
    Some(match unit {
        "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
        "ms" | "msec" | "millis" | "milliseconds" => 1e-3,
        "us" | "µs" | "μs" | "usec" | "micros" | "microseconds" => 1e-6,
        "ns" | "nsec" | "nanos" | "nanoseconds" => 1e-9,
        _ => return None,
    })
}

fn angle(unit: &str) -> Option<f64> {
    Some(match unit {
        "rad" | "radians" => 1.0,
        "deg" | "degrees" | "°" => PI / 180.0,
        _ => return None,
    })
}

/// The column of a name without separators, in lower case.
fn alias(name: &str) -> Option<Column> {
    use Column::{
        Angle, Frame, Name, Px, Py, Pz, Qw, Qx, Qy, Qz, Radius, Time, Vx, Vy, Vz, W, Wx, Wy, Wz,
    };
    match name {
        "frame" | "framenumber" | "frameindex" | "frameid" | "step" | "tick" => return Some(Frame),
        "time" | "t" | "timestamp" | "times" | "sec" | "secs" | "seconds" | "elapsed"
        | "elapsedtime" | "simtime" | "gametime" => return Some(Time),
        "name" | "id" | "label" => return Some(Name),
        "radius" => return Some(Radius),
        "angle" | "rotation" | "theta" => return Some(Angle),
        "omega" | "angularvelocity" | "spin" => return Some(W),
        _ => {}
    }
    let named = name.strip_suffix("name").or(name.strip_suffix("id"));
    if let "object" | "body" | "entity" | "actor" | "agent" | "player" | "vehicle" | "robot"
    | "particle" | "track" = named.unwrap_or(name)
    {
        return Some(Name);
    }
    let (stem, axis) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let columns = match stem {
        "" | "p" | "pos" | "position" | "localposition" | "worldposition" | "t" | "trans"
        | "translation" | "loc" | "location" | "coord" => [Px, Py, Pz, Px],
        "q" | "quat" | "quaternion" | "rot" | "rotation" | "orientation" => [Qx, Qy, Qz, Qw],
        "v" | "vel" | "velocity" | "linearvelocity" | "linvel" => [Vx, Vy, Vz, Vx],
        "w" | "omega" | "angvel" | "angularvelocity" => [Wx, Wy, Wz, Wx],
        _ => return None,
    };
    match axis {
        "x" => Some(columns[0]),
        "y" => Some(columns[1]),
        "z" => Some(columns[2]),
        "w" if columns[3] == Qw => Some(Qw),
        _ => None,
    }
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
    fn headings_of_other_programs() {
        for (written, column, body, scale) in [
            ("px", Column::Px, None, None),
            ("x", Column::Px, None, None),
            ("Position.Y", Column::Py, None, None),
            ("pos_z", Column::Pz, None, None),
            ("posX", Column::Px, None, None),
            ("x (m)", Column::Px, None, Some(1.0)),
            ("x_cm", Column::Px, None, Some(0.01)),
            ("angle_deg", Column::Angle, None, Some(PI / 180.0)),
            ("ball_x", Column::Px, Some("ball"), None),
            ("left hand.pos.x", Column::Px, Some("left hand"), None),
            ("Ball_vx [cm/s]", Column::Vx, Some("Ball"), Some(0.01)),
            ("time (ms)", Column::Time, None, Some(1e-3)),
            ("t", Column::Time, None, None),
            ("track_id", Column::Name, None, None),
            ("PlayerName", Column::Name, None, None),
            ("position.x", Column::Px, None, None),
            ("ball.pos.x", Column::Px, Some("ball"), None),
            ("#timestamp [ns]", Column::Time, None, Some(1e-9)),
            ("p_RS_R_x [m]", Column::Px, None, Some(1.0)),
            ("q_RS_w []", Column::Qw, None, None),
            ("v_RS_R_z [m s^-1]", Column::Vz, None, Some(1.0)),
        ] {
            let found = Heading::of(written).unwrap_or_else(|| panic!("{written}"));
            assert_eq!(
                (found.column, found.body.as_deref(), found.scale),
                (column, body, scale),
                "{written}"
            );
        }
        for unknown in [
            "b_w_RS_S_x [rad s^-1]",
            "accel_x",
            "score",
            "team_id",
            "video",
            "pos_w",
            "rotation euler x",
            "x (kg)",
            "",
        ] {
            assert_eq!(Heading::of(unknown), None, "{unknown}");
        }
    }
}
