//! The kinds of numbers: unit, range, and how they turn into the level's axes.

use crate::app::expression;
use crate::core::scene::UserUnits;
use glam::DVec3;

/// The unit and range of a number, and how fast it is dragged.
#[derive(Clone, Copy)]
pub struct Kind {
    pub unit: &'static str,
    pub least: f64,
    pub most: f64,
    above_zero: bool,
    /// Change for a point of dragging.
    pub speed: f64,
    /// A long text is clipped, and the field stays as wide as it is.
    pub(super) clip: bool,
    pub(super) turn: Turn,
}

/// How three numbers turn from our axes into those of the level.
#[derive(Clone, Copy)]
pub(super) enum Turn {
    /// As a point or a displacement.
    Vector,
    /// As an angular velocity.
    Spin,
    /// As sizes along the axes, without a sign.
    Extents,
    /// They are in the level's axes already.
    Not,
}

impl Turn {
    pub fn shown(self, ours: DVec3, units: &UserUnits) -> DVec3 {
        let turned = match self {
            Self::Vector => units.direction(ours),
            Self::Spin => units.spin(ours),
            Self::Extents => units.direction(ours).abs(),
            Self::Not => return ours,
        };
        // Without negative zeros.
        turned + DVec3::ZERO
    }

    pub fn ours(self, shown: DVec3, units: &UserUnits) -> DVec3 {
        let turned = match self {
            Self::Vector => units.our_direction(shown),
            Self::Spin => units.our_spin(shown),
            Self::Extents => units.our_direction(shown).abs(),
            Self::Not => return shown,
        };
        turned + DVec3::ZERO
    }
}

impl Kind {
    pub const fn any(unit: &'static str) -> Self {
        Self {
            unit,
            least: f64::MIN,
            most: f64::MAX,
            above_zero: false,
            speed: 0.02,
            clip: false,
            turn: Turn::Vector,
        }
    }

    /// Radians per second.
    pub const fn spin() -> Self {
        Self {
            turn: Turn::Spin,
            ..Self::any("rad/s")
        }
    }

    /// Of a vector: sizes along the axes.
    pub const fn along_axes(self) -> Self {
        Self {
            turn: Turn::Extents,
            ..self
        }
    }

    /// Of a vector: its numbers are in the level's axes.
    pub const fn unturned(self) -> Self {
        Self {
            turn: Turn::Not,
            ..self
        }
    }

    /// In a field that keeps its width.
    pub(super) fn clipped(self) -> Self {
        Self { clip: true, ..self }
    }

    /// Whether it is an angular velocity.
    pub(super) fn is_spin(&self) -> bool {
        matches!(self.turn, Turn::Spin)
    }

    /// The same in the level's units.
    pub(super) fn in_units(self, units: &UserUnits) -> Self {
        let value = |si: f64| match si {
            f64::MIN | f64::MAX => si,
            si => units.value(si, self.unit),
        };
        Self {
            unit: units.unit(self.unit),
            least: value(self.least),
            most: value(self.most),
            speed: value(self.speed),
            ..self
        }
    }

    /// Above zero.
    pub const fn positive(unit: &'static str) -> Self {
        Self {
            least: 1e-9,
            above_zero: true,
            speed: 0.005,
            ..Self::any(unit)
        }
    }

    pub const fn degrees() -> Self {
        Self {
            speed: 0.5,
            ..Self::any("°").unturned()
        }
    }

    pub const fn between(least: f64, most: f64) -> Self {
        Self {
            least,
            most,
            speed: 0.005,
            ..Self::any("")
        }
    }

    pub const fn with_speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    pub const fn with_unit(self, unit: &'static str) -> Self {
        Self { unit, ..self }
    }

    /// A number of this kind with its unit.
    pub fn with_its_unit(&self, number: &str) -> String {
        match self.unit {
            "" | "°" => format!("{number}{}", self.unit),
            unit => format!("{number} {unit}"),
        }
    }

    /// The value of a text; else why it is refused.
    pub fn parse(&self, text: &str) -> Result<f64, String> {
        let shown = text.trim();
        let Some(number) = expression::value_in(text, self.unit) else {
            return Err(match shown {
                "" => "Enter a number".to_owned(),
                _ => format!("“{shown}” is not a number: write 3.5, 400/60 or 2*pi"),
            });
        };
        match self.outside(number) {
            Some(range) => Err(format!("{number} cannot be: it must be {range}")),
            None => Ok(number),
        }
    }

    /// The range, in words, if a number is outside it.
    fn outside(&self, number: f64) -> Option<String> {
        let Self {
            least,
            most,
            above_zero,
            ..
        } = *self;
        match number {
            _ if number < least && above_zero => Some("above 0".into()),
            _ if number < least && most == f64::MAX => Some(format!("{least} or more")),
            _ if number < least || number > most => Some(format!("from {least} to {most}")),
            _ => None,
        }
    }
}
