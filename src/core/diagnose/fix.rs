//! A number that fixes a finding: the value that holds (the response keeps the body on its side), and the weaker one
//! that detects (an overlap test notices it).

use crate::core::number::{bits, words};
use crate::core::schema::UserUnits;
use serde::de::IntoDeserializer;
use serde::de::value::Error as ValueError;
use serde::ser::SerializeStruct as _;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt;

/// The quantity that a fix changes. All outputs use its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Quantity {
    /// Substeps of a frame.
    Substeps,
    /// Greatest speed of the one moving body.
    MaxSpeed,
    /// Greatest relative speed of two moving bodies.
    MaxClosingSpeed,
    /// Longest frame.
    MaxDt,
    /// Least thickness of the obstacle.
    MinThickness,
    /// Least radius of the mover; for boxes and the like half its width along the contact normal.
    MinRadius,
    /// Greatest angular speed of the one that turns.
    MaxSpin,
    /// Velocity for a body that is moved by its position.
    DriveSpeed,
    /// Angular velocity for a body whose angle is set.
    DriveSpin,
    /// Speed that the engine's cap must allow.
    SpeedCap,
    /// Speed into the surface that is left on contact.
    SpeedOnContact,
    /// Set of layers to collide with.
    Mask,
    /// Greatest distance from the origin along an axis.
    MaxCoordinate,
    /// Metres of a unit of length.
    Length,
    /// Width within which vertices are welded.
    WeldDistance,
    /// Greatest threshold of the engine's continuous detection.
    MaxCcdThreshold,
    /// Longest push-out.
    MaxPush,
    /// Greatest margin around shapes.
    MaxMargin,
    /// Longest time constant of a soft contact, 1 / (2 pi frequency).
    MaxContactTime,
    /// Distance to move the two apart.
    Separation,
    /// Radius of a sphere around the camera.
    CameraRadius,
    /// Continuous detection, to switch on: it has no value.
    ContinuousDetection,
}

impl Quantity {
    /// Its name in files and on the command line; `max_` and `min_` give the direction.
    pub fn name(self) -> &'static str {
        match self {
            Self::Substeps => "substeps",
            Self::MaxSpeed => "max_speed",
            Self::MaxClosingSpeed => "max_closing_speed",
            Self::MaxDt => "max_dt",
            Self::MinThickness => "min_thickness",
            Self::MinRadius => "min_radius",
            Self::MaxSpin => "max_spin",
            Self::DriveSpeed => "drive_speed",
            Self::DriveSpin => "drive_spin",
            Self::SpeedCap => "speed_cap",
            Self::SpeedOnContact => "speed_on_contact",
            Self::Mask => "mask",
            Self::MaxCoordinate => "max_coordinate",
            Self::Length => "length",
            Self::WeldDistance => "weld_distance",
            Self::MaxCcdThreshold => "max_ccd_threshold",
            Self::MaxPush => "max_push",
            Self::MaxMargin => "max_margin",
            Self::MaxContactTime => "max_contact_time",
            Self::Separation => "separation",
            Self::CameraRadius => "camera_radius",
            Self::ContinuousDetection => "continuous_detection",
        }
    }

    /// The quantity of a name, with or without its side: `max_dt`, `dt`.
    pub fn named(name: &str) -> Option<Self> {
        let exact = |name: String| {
            Self::deserialize(IntoDeserializer::<ValueError>::into_deserializer(name)).ok()
        };
        let mut sides = ["", "max_", "min_"].into_iter();
        sides.find_map(|side| exact(format!("{side}{name}")))
    }

    /// The name without the side: `dt` of `max_dt`.
    pub fn short_name(self) -> &'static str {
        let name = self.name();
        let side = ["max_", "min_"];
        side.iter()
            .find_map(|side| name.strip_prefix(side))
            .unwrap_or(name)
    }

    /// Unit of its values; empty for a count.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Substeps | Self::Mask | Self::ContinuousDetection => "",
            Self::MaxDt | Self::MaxContactTime => "s",
            Self::MaxSpin | Self::DriveSpin => "rad/s",
            Self::MaxSpeed
            | Self::MaxClosingSpeed
            | Self::DriveSpeed
            | Self::SpeedCap
            | Self::SpeedOnContact => "m/s",
            Self::MinThickness
            | Self::MinRadius
            | Self::MaxCoordinate
            | Self::Length
            | Self::WeldDistance
            | Self::MaxCcdThreshold
            | Self::MaxPush
            | Self::MaxMargin
            | Self::Separation
            | Self::CameraRadius => "m",
        }
    }

    /// The word before a sufficient value: `up to` or `from`.
    pub fn bound(self) -> &'static str {
        if self.is_most() { "up to" } else { "from" }
    }

    /// Whether a limit on it is a greatest value.
    pub fn is_most(self) -> bool {
        self.name().starts_with("max_")
    }
}

/// Share of a value that its text may leave out (no unit).
const SHOWN: f64 = 1e-5;

/// A change that fixes a finding.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Fix {
    /// What to change.
    pub what: Quantity,
    /// The value from which the response holds the mover at every starting phase (a sensor: detects it), or the value
    /// to set where detection does not matter. `None` where no value does.
    pub holds: Option<f64>,
    /// The value from which an overlap test detects the mover at every starting phase. `None` where the quantity is no
    /// limit of an overlap test.
    pub detects: Option<f64>,
    /// A second change that is needed as well.
    pub with: Option<Box<Self>>,
    /// The engine's own setting with the value to give it, as code; `None` where it is not known.
    #[serde(default)]
    pub setting: Option<String>,
    /// The object that has the setting; `None` for a setting of the world.
    #[serde(default)]
    pub object: Option<String>,
}

impl Fix {
    /// This change, and those that are made together with it.
    pub fn together(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |fix| fix.with.as_deref())
    }

    /// A value to set: no limit of an overlap test.
    pub(super) fn set(what: Quantity, value: f64) -> Option<Self> {
        Self::limit(what, Some(value), None)
    }

    /// Both limits of an overlap test, as far as they exist; `None` where neither does.
    pub(super) fn limit(what: Quantity, holds: Option<f64>, detects: Option<f64>) -> Option<Self> {
        let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
        let (holds, detects) = (finite(holds), finite(detects));
        (holds.is_some() || detects.is_some()).then_some(Self {
            what,
            holds,
            detects,
            with: None,
            setting: None,
            object: None,
        })
    }

    /// The value that holds, to three digits toward the safe side; `None` where no value does.
    pub fn held(&self) -> Option<f64> {
        let value = self.holds?;
        if self.detects.is_none() || self.what == Quantity::Substeps || value <= 0.0 {
            return Some(value);
        }
        Some(toward_safe(value, self.what.is_most()))
    }

    /// The value that holds with its unit, as text; `None` where no value does.
    pub fn held_text(&self, units: UserUnits) -> Option<String> {
        let value = self.held()?;
        Some(match self.what {
            Quantity::Mask => bits(value),
            what => units.text(value, what.unit()),
        })
    }

    /// `detected from 61`; `None` where it equals the value that holds.
    pub fn detected_text(&self, units: UserUnits) -> Option<String> {
        let value = self.detects.filter(|value| Some(*value) != self.holds)?;
        let (bound, value) = (self.what.bound(), units.text(value, self.what.unit()));
        Some(format!("detected {bound} {value}"))
    }

    /// `substeps 122 (detected from 61)`; with the engine's own setting `substeps 122 (detected from 61): inCollisionSteps = 122`.
    pub fn text(&self, units: UserUnits) -> String {
        let name = words(self.what.name());
        let mut text = match (self.held_text(units), self.detected_text(units)) {
            (Some(held), Some(detected)) => format!("{name} {held} ({detected})"),
            (Some(held), None) => format!("{name} {held}"),
            (None, Some(detected)) => format!("{name}: {detected}, held by no value"),
            (None, None) => name,
        };
        match (&self.setting, &self.object) {
            (Some(setting), Some(object)) => text += &format!(": `{setting}` of {object}"),
            (Some(setting), None) => text += &format!(": `{setting}`"),
            (None, _) => {}
        }
        if let Some(other) = &self.with {
            text += &format!(" together with {}", other.text(units));
        }
        text
    }
}

/// A value to three digits: down where it is the most that is allowed, else up.
pub(super) fn toward_safe(value: f64, is_most: bool) -> f64 {
    let scale = 10_f64.powi(2 - value.log10().floor() as i32);
    match is_most {
        true => (value * scale * (1.0 + SHOWN)).floor() / scale,
        false => (value * scale * (1.0 - SHOWN)).ceil() / scale,
    }
}

/// Its [`text`](Fix::text) in SI units.
impl fmt::Display for Fix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(UserUnits::default()))
    }
}

impl Serialize for Fix {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let number = |value: Option<f64>| value.map(Number);
        let more = [
            self.with.is_some(),
            self.setting.is_some(),
            self.object.is_some(),
        ];
        let fields = 4 + more.into_iter().filter(|has| *has).count();
        let mut form = serializer.serialize_struct("Fix", fields)?;
        form.serialize_field("what", &self.what)?;
        form.serialize_field("holds", &number(self.holds))?;
        form.serialize_field("detects", &number(self.detects))?;
        form.serialize_field("unit", self.what.unit())?;
        if let Some(setting) = &self.setting {
            form.serialize_field("setting", setting)?;
        }
        if let Some(object) = &self.object {
            form.serialize_field("object", object)?;
        }
        if let Some(with) = &self.with {
            form.serialize_field("with", with)?;
        }
        form.end()
    }
}

/// A number that is written without `.0`: `61`.
struct Number(f64);

/// A value as fixes write it.
pub(super) fn serialize_value<S: Serializer>(
    value: &Option<f64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    value.map(Number).serialize(serializer)
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        if self.0.fract() == 0.0 && self.0.abs() < EXACT {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(what: Quantity, holds: Option<f64>, detects: Option<f64>) -> Fix {
        Fix::limit(what, holds, detects).unwrap()
    }

    #[test]
    fn the_value_that_holds_comes_first() {
        let substeps = limit(Quantity::Substeps, Some(122.0), Some(61.0));
        let speed = limit(Quantity::MaxSpeed, Some(3.3), Some(6.6));
        let unheld = limit(Quantity::Substeps, None, Some(61.0));
        let driven = Fix {
            with: Some(Box::new(substeps.clone())),
            ..Fix::set(Quantity::DriveSpeed, 64.0).unwrap()
        };
        for (fix, text) in [
            (&substeps, "substeps 122 (detected from 61)"),
            (&speed, "max speed 3.3 m/s (detected up to 6.6 m/s)"),
            (
                &limit(Quantity::MinRadius, Some(2.0), Some(2.0)),
                "min radius 2 m",
            ),
            (&unheld, "substeps: detected from 61, held by no value"),
            (
                &driven,
                "drive speed 64 m/s together with substeps 122 (detected from 61)",
            ),
        ] {
            assert_eq!(fix.to_string(), text);
        }
        // 0.0029166 s is not rounded up to 0.00292, nor 1.4812 m down to 1.48.
        let mask = Fix::set(Quantity::Mask, 4_294_967_295.0).unwrap();
        assert_eq!(mask.to_string(), "mask 0xffffffff");
        let dt = limit(Quantity::MaxDt, Some(0.175 / 60.0), Some(0.35 / 60.0));
        assert_eq!(dt.held_text(UserUnits::default()).unwrap(), "0.00291 s");
        let radius = limit(Quantity::MinRadius, Some(1.4812), Some(0.7));
        assert_eq!(radius.held_text(UserUnits::default()).unwrap(), "1.49 m");
        assert_eq!(
            serde_json::to_string(&substeps).unwrap(),
            r#"{"what":"substeps","holds":122,"detects":61,"unit":""}"#
        );
        assert_eq!(
            serde_json::to_string(&speed).unwrap(),
            r#"{"what":"max_speed","holds":3.3,"detects":6.6,"unit":"m/s"}"#
        );
        let with: serde_json::Value = serde_json::to_value(&driven).unwrap();
        assert_eq!(with["detects"], serde_json::Value::Null);
        assert_eq!(with["with"]["holds"], 122);
    }

    #[test]
    fn a_fix_without_a_finite_value_is_no_fix() {
        assert_eq!(Fix::set(Quantity::Length, f64::NAN), None);
        assert_eq!(Fix::limit(Quantity::MaxDt, None, Some(f64::INFINITY)), None);
    }
}
