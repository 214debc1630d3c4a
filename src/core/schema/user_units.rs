//! The axes and the unit of length in which a level's file is written, for everything that is shown of it.

use super::units::{Axis, LengthName, Units, shortest_inverse};
use crate::core::number::{self, DIGITS, trimmed, without_noise};
use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Units of length, of their speeds and accelerations in SI units.
const SI: [&str; 3] = ["m", "m/s", "m/s²"];
/// Names of a unit without a name of its own.
const UNNAMED: [&str; 3] = ["units", "units/s", "units/s²"];

fn names(name: LengthName) -> [&'static str; 3] {
    match name {
        LengthName::M => SI,
        LengthName::Cm => ["cm", "cm/s", "cm/s²"],
        LengthName::Mm => ["mm", "mm/s", "mm/s²"],
        LengthName::Km => ["km", "km/s", "km/s²"],
        LengthName::In => ["in", "in/s", "in/s²"],
        LengthName::Ft => ["ft", "ft/s", "ft/s²"],
        LengthName::Px => ["px", "px/s", "px/s²"],
    }
}

/// As reports write it.
#[derive(Serialize, Deserialize)]
struct Written {
    /// Metres per unit.
    length: f64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    name: Option<LengthName>,
    /// Points are in the plane z = 0.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    flat: bool,
    up: Name,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mirrored: Option<Name>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Name {
    X,
    Y,
    Z,
    #[serde(rename = "-y")]
    MinusY,
}

impl From<Written> for UserUnits {
    fn from(written: Written) -> Self {
        let axis = |name| match name {
            Name::X => Axis::X,
            Name::Y => Axis::Y,
            Name::Z => Axis::Z,
            Name::MinusY => Axis::MinusY,
        };
        Self {
            units: Units {
                length: written.length,
                up: axis(written.up),
                name: written.name,
                flat: written.flat,
            },
            mirrored: written.mirrored.map(axis),
        }
    }
}

impl From<UserUnits> for Written {
    fn from(UserUnits { units, mirrored }: UserUnits) -> Self {
        let name = |axis| match axis {
            Axis::X => Name::X,
            Axis::Y => Name::Y,
            Axis::Z => Name::Z,
            Axis::MinusY => Name::MinusY,
        };
        Self {
            length: units.length,
            name: units.name,
            flat: units.flat,
            up: name(units.up),
            mirrored: mirrored.map(name),
        }
    }
}

/// The units and axes in which the user writes and reads a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct UserUnits {
    /// Those of the file.
    pub units: Units,
    /// The axis that the file negates, as the axes of its program are left-handed.
    pub mirrored: Option<Axis>,
}

impl UserUnits {
    /// Those of a file with right-handed axes.
    pub fn of(units: Units) -> Self {
        Self {
            units,
            mirrored: None,
        }
    }

    /// The metres of a unit of length.
    pub fn metres(&self) -> f64 {
        self.units.length
    }

    fn names(&self) -> [&'static str; 3] {
        let is_it = |name: &LengthName| {
            let metres = name.metres();
            (metres - self.units.length).abs() <= 1e-9 * metres
        };
        let known = self.units.name;
        let known = known.or_else(|| LengthName::ALL.into_iter().find(is_it));
        known.map_or(UNNAMED, names)
    }

    /// The unit in place of metres, metres per second and the like; others are the same.
    pub fn unit(&self, si: &'static str) -> &'static str {
        let place = SI.iter().position(|name| *name == si);
        place.map_or(si, |place| self.names()[place])
    }

    /// A value of [`Self::unit`] from one in an SI unit.
    pub fn value(&self, value: f64, si: &str) -> f64 {
        match SI.contains(&si) {
            true => value / self.units.length,
            false => value,
        }
    }

    /// A value in an SI unit from one of [`Self::unit`].
    pub fn si(&self, value: f64, si: &str) -> f64 {
        match SI.contains(&si) {
            true => value * self.units.length,
            false => value,
        }
    }

    /// [`Self::value`], to the fewest digits that [`Self::si`] turns back into exactly this value.
    pub fn written(&self, value: f64, si: &str) -> f64 {
        shortest_inverse(value, self.value(value, si), |shown| self.si(shown, si))
    }

    /// A direction in the user's axes.
    pub fn direction(&self, ours: DVec3) -> DVec3 {
        let written = self.units.written_direction(ours);
        written * self.signs()
    }

    /// The inverse of [`Self::direction`].
    pub fn our_direction(&self, shown: DVec3) -> DVec3 {
        self.units.direction(shown * self.signs())
    }

    /// The axis of a rotation or of a spin in the user's axes: its sense of rotation turns around in left-handed ones.
    pub fn spin(&self, ours: DVec3) -> DVec3 {
        let hand = if self.mirrored.is_some() { -1.0 } else { 1.0 };
        self.direction(ours) * hand
    }

    /// The inverse of [`Self::spin`].
    pub fn our_spin(&self, shown: DVec3) -> DVec3 {
        let hand = if self.mirrored.is_some() { -1.0 } else { 1.0 };
        self.our_direction(shown) * hand
    }

    /// A point, displacement, velocity or the like in the user's units and axes.
    pub fn vector(&self, ours: DVec3) -> DVec3 {
        self.direction(ours) / self.units.length
    }

    /// The inverse of [`Self::vector`].
    pub fn our_vector(&self, shown: DVec3) -> DVec3 {
        self.our_direction(shown) * self.units.length
    }

    /// For each of the user's axes, its direction in ours.
    pub fn axes(&self) -> [DVec3; 3] {
        DVec3::AXES.map(|axis| self.our_direction(axis))
    }

    /// The user's half extents or sizes along axes.
    pub fn extents(&self, ours: DVec3) -> DVec3 {
        self.vector(ours).abs()
    }

    /// The corners of a box along our axes, of which the first has the least of the user's coordinates.
    pub fn corners(&self, [one, other]: [DVec3; 2]) -> [DVec3; 2] {
        let (one, other) = (self.vector(one), self.vector(other));
        [one.min(other), one.max(other)].map(|corner| self.our_vector(corner))
    }

    fn signs(&self) -> DVec3 {
        match self.mirrored {
            None => DVec3::ONE,
            Some(Axis::X) => DVec3::new(-1.0, 1.0, 1.0),
            Some(Axis::Y | Axis::MinusY) => DVec3::new(1.0, -1.0, 1.0),
            Some(Axis::Z) => DVec3::new(1.0, 1.0, -1.0),
        }
    }

    /// A length with its unit. One below a nanometre is the rounding of a result, so its digits mean nothing.
    pub fn length(&self, metres: f64) -> String {
        match metres != 0.0 && metres.abs() < 1e-9 {
            true => number::metres(metres),
            false => self.text(metres, "m"),
        }
    }

    /// A speed with its unit.
    pub fn speed(&self, value: f64) -> String {
        self.text(value, "m/s")
    }

    /// A value in an SI unit, in the user's unit and with it.
    pub fn text(&self, value: f64, si: &'static str) -> String {
        number::with_unit(self.value(value, si), self.unit(si))
    }

    /// 2 in a flat level, else 3.
    pub fn dimensions(&self) -> usize {
        if self.units.flat { 2 } else { 3 }
    }

    /// The components of a point or displacement, without their unit.
    pub fn point(&self, ours: DVec3) -> String {
        number::point(self.vector(ours), self.dimensions())
    }

    /// The components of a displacement with their unit.
    pub fn displacement(&self, ours: DVec3) -> String {
        format!("{} {}", self.point(ours), self.unit("m"))
    }

    /// Lengths along our axes, or in the planes normal to them, as texts along the user's.
    pub fn along_axes(&self, ours: DVec3) -> [String; 3] {
        let turned = self.direction(ours).abs();
        turned.to_array().map(|metres| self.length(metres))
    }

    /// The user's name of the axis along one of our axes.
    pub fn axis_name(&self, ours: DVec3) -> &'static str {
        let turned = self.direction(ours).abs();
        ["x", "y", "z"][turned.max_position()]
    }

    /// The components of a unit vector, without brackets.
    pub fn normal(&self, ours: DVec3) -> String {
        number::direction(self.direction(ours), self.dimensions())
    }

    /// The components of a direction.
    pub fn unit_vector(&self, ours: DVec3) -> String {
        number::components(self.direction(ours), self.dimensions())
    }

    /// The position of something of this size, metres, with as many digits as resolve the size.
    pub fn place(&self, at: DVec3, size: f64) -> String {
        let size = size / self.units.length;
        let parts = without_noise(self.vector(at)).to_array();
        let shown = parts.map(|value| number_beside(value, size));
        format!("({})", shown[..self.dimensions()].join(", "))
    }
}

/// A coordinate of something of this size, in the same unit: at least as many digits as [`number::number`], and as many decimals as a
/// thousandth of the size has, at most 17 digits: `1000039.94` for a size of 0.2.
fn number_beside(value: f64, size: f64) -> String {
    let plain = number::number(value);
    let has_digits = size > 0.0 && size.is_finite() && value.is_finite() && value != 0.0;
    if !has_digits {
        return plain;
    }
    // The first digit of a thousandth of the size.
    let wanted = 3 - size.log10().floor() as i32;
    let before = value.abs().log10().floor() as i32;
    let decimals = wanted.min(16 - before).max(0);
    if decimals < DIGITS - before || before >= 17 || !(-5..9).contains(&before) && decimals == 0 {
        return plain;
    }
    trimmed(&format!("{value:.prec$}", prec = decimals as usize)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_has_the_digits_that_its_size_needs() {
        for (value, size, text) in [
            (1_000_039.94, 0.2, "1000039.94"),
            (1e6 + 0.8125, 0.4, "1000000.8125"),
            (-1e6, 0.2, "-1000000"),
            (1.0 / 3.0, 1.0, "0.333"),
            (61.25, 1000.0, "61.2"),
            (2e12 + 0.25, 0.5, "2000000000000.25"),
            // 17 digits of it, of a size that has more.
            (1e12 + 0.1, 1e-9, "1000000000000.1"),
            // There is no more in it.
            (1e17, 1e-3, "1e17"),
            (f64::NAN, 0.2, "not a number"),
            (0.0, 0.2, "0"),
            (5.0, 0.0, "5"),
            (5.0, f64::INFINITY, "5"),
        ] {
            assert_eq!(number_beside(value, size), text);
        }
        // Two ends of a ball have different texts wherever it is.
        for power in -6..15 {
            let (at, size) = (10_f64.powi(power), 0.2);
            let ends = [at - 0.1, at + 0.1].map(|end| number_beside(end, size));
            assert_ne!(ends[0], ends[1]);
        }
    }

    /// Unreal: x forward, y right, z up, left-handed, centimetres; its recorder negates y. One metre to the right is y = 100 there.
    #[test]
    fn left_handed_axes_are_shown_as_their_program_has_them() {
        let unreal = UserUnits {
            units: Units {
                length: 0.01,
                up: Axis::Z,
                ..Units::default()
            },
            mirrored: Some(Axis::Y),
        };
        // In the file, right-handed: (1, -2, 3) units.
        let ours = unreal.units.vector(DVec3::new(1.0, -2.0, 3.0));
        assert_eq!(unreal.vector(ours), DVec3::new(1.0, 2.0, 3.0));
        assert_eq!(unreal.our_vector(unreal.vector(ours)), ours);
        // What turns from x toward y there turns about -z here, as left-handed axes turn the other way.
        let [x, y, _] = unreal.axes();
        let turn = unreal.spin(x.cross(y));
        assert_eq!(turn, DVec3::Z);
        assert_eq!(unreal.length(0.5), "50 cm");
        assert_eq!(unreal.speed(12.0), "1200 cm/s");
        assert_eq!(unreal.text(2.0, "s"), "2 s");
        assert_eq!(unreal.point(ours), "(1, 2, 3)");
    }
}
