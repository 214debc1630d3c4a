//! Evidence of a finding: named numbers with units.

use crate::core::number::{bits, degrees, number, with_unit};
use crate::core::schema::UserUnits;
use serde::de::{self, MapAccess, Visitor};
use serde::{Deserializer, Serializer};
use std::fmt;

/// What a number of the evidence measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unit {
    /// A count or a fraction.
    Number,
    /// A set of bits, shown in hexadecimal.
    Bits,
    /// On or off.
    Flag,
    /// From 0 to 1, shown in per cent.
    Share,
    Metre,
    Second,
    MetrePerSecond,
    Radian,
    Degree,
}

macro_rules! keys {
    ($($key:ident $name:literal $unit:ident,)*) => {
        /// The name of a number of the evidence.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Key {
            $(#[doc = concat!("`", $name, "`, ", stringify!($unit), ".")] $key,)*
        }

        impl Key {
            /// Every name, in alphabetical order.
            pub const ALL: &[Self] = &[$(Self::$key,)*];

            /// As files write it.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$key => $name,)*
                }
            }

            fn unit(self) -> Unit {
                match self {
                    $(Self::$key => Unit::$unit,)*
                }
            }
        }
    };
}

keys! {
    AllowedDepth "allowed_depth" Metre,
    AloneFractionA "alone_fraction_a" Number,
    AloneFractionB "alone_fraction_b" Number,
    AloneMisses "alone_misses" Number,
    Bend "bend" Radian,
    BlockedFrames "blocked_frames" Number,
    Bodies "bodies" Number,
    BoundaryEdges "boundary_edges" Number,
    CappedSpeed "capped_speed" MetrePerSecond,
    Ccd "ccd" Flag,
    CcdThreshold "ccd_threshold" Metre,
    ClosingSpeed "closing_speed" MetrePerSecond,
    CommandedSpeed "commanded_speed" MetrePerSecond,
    Coordinate "coordinate" Metre,
    Deepest "deepest" Metre,
    Depth "depth" Metre,
    DepthAfter "depth_after" Metre,
    Displacement "displacement" Metre,
    Distance "distance" Metre,
    Dt "dt" Second,
    ExactDepth "exact_depth" Metre,
    ExactFraction "exact_fraction" Number,
    ExactGap "exact_gap" Metre,
    Explained "explained" Metre,
    Extent "extent" Metre,
    F32GapEnd "f32_gap_end" Metre,
    F32GapStart "f32_gap_start" Metre,
    F32Step "f32_step" Metre,
    FlippedNeighbours "flipped_neighbours" Number,
    FramesInContact "frames_in_contact" Number,
    FreeStates "free_states" Number,
    GapWidth "gap_width" Metre,
    HalfWidth "half_width" Metre,
    HiddenSpeed "hidden_speed" MetrePerSecond,
    HiddenSpeedBefore "hidden_speed_before" MetrePerSecond,
    InnerRadius "inner_radius" Metre,
    LayerA "layer_a" Bits,
    LayerB "layer_b" Bits,
    LimitSeen "limit_seen" Metre,
    LimitSide "limit_side" Metre,
    LoggedContacts "logged_contacts" Number,
    LoggedDepth "logged_depth" Metre,
    LoggedFraction "logged_fraction" Number,
    LoggedSpeed "logged_speed" MetrePerSecond,
    Margin "margin" Metre,
    MaskA "mask_a" Bits,
    MaskB "mask_b" Bits,
    MedianDisplacement "median_displacement" Metre,
    MedianDt "median_dt" Second,
    MissedShare "missed_share" Share,
    NearGapEnd "near_gap_end" Metre,
    NearGapStart "near_gap_start" Metre,
    NearPlaneReach "near_plane_reach" Metre,
    NormalAngleDegrees "normal_angle_degrees" Degree,
    ObstacleShare "obstacle_share" Share,
    OffBy "off_by" Metre,
    OwnStep "own_step" Metre,
    PhaseMissedShare "phase_missed_share" Share,
    PhaseWrongSideShare "phase_wrong_side_share" Share,
    Phases "phases" Number,
    ProbeReach "probe_reach" Metre,
    Push "push" Metre,
    PushCosine "push_cosine" Number,
    QueryLength "query_length" Metre,
    Radius "radius" Metre,
    Reach "reach" Metre,
    ResolvedFrames "resolved_frames" Number,
    Room "room" Metre,
    ScaleX "scale_x" Number,
    ScaleY "scale_y" Number,
    ScaleZ "scale_z" Number,
    Sideways "sideways" Metre,
    SliverHeight "sliver_height" Metre,
    Speed "speed" MetrePerSecond,
    SpeedChange "speed_change" MetrePerSecond,
    Substeps "substeps" Number,
    State "state" Number,
    Swing "swing" Metre,
    Thickness "thickness" Metre,
    Tilt "tilt" Radian,
    Tolerance "tolerance" Metre,
    ToleranceFraction "tolerance_fraction" Number,
    Travel "travel" Metre,
    TravelA "travel_a" Metre,
    TravelB "travel_b" Metre,
    Turn "turn" Radian,
    Unexplained "unexplained" Metre,
    UnreportedDepth "unreported_depth" Metre,
    WrongSideShare "wrong_side_share" Share,
}

/// Named numbers, in the order in which they are shown; SI units.
pub type Evidence = Vec<(Key, f64)>;

impl Key {
    /// The SI unit of lengths and speeds; empty for others.
    pub fn unit_name(self) -> &'static str {
        match self.unit() {
            Unit::Metre => "m",
            Unit::MetrePerSecond => "m/s",
            _ => "",
        }
    }

    /// A value in SI units as text without its unit, in the user's: sets of bits in hexadecimal.
    pub fn number(self, value: f64, units: UserUnits) -> String {
        match self.unit() {
            Unit::Bits => bits(value),
            _ => number(units.value(value, self.unit_name())),
        }
    }

    /// A value in SI units as text with the user's unit: ratios in per cent, angles in degrees.
    pub fn text(self, value: f64, units: UserUnits) -> String {
        match self.unit() {
            Unit::Flag => if value == 0.0 { "off" } else { "on" }.to_owned(),
            Unit::Share => with_unit(value * 100.0, "%"),
            Unit::Number => number(value),
            Unit::Bits => bits(value),
            Unit::Metre => units.length(value),
            Unit::Second => with_unit(value, "s"),
            Unit::MetrePerSecond => units.speed(value),
            Unit::Radian => degrees(value),
            Unit::Degree => degrees(value.to_radians()),
        }
    }
}

/// A map from name to number.
pub(super) fn serialize<S: Serializer>(
    evidence: &Evidence,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(evidence.iter().map(|(key, value)| (key.name(), value)))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Evidence, D::Error> {
    struct Entries;

    impl<'de> Visitor<'de> for Entries {
        type Value = Evidence;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("numbers by name")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Evidence, A::Error> {
            let mut evidence = Evidence::new();
            while let Some((name, value)) = map.next_entry::<String, f64>()? {
                let mut keys = Key::ALL.iter();
                let key = keys.find(|key| key.name() == name);
                let unknown =
                    || de::Error::custom(format!("`{name}` is not a known evidence field"));
                evidence.push((*key.ok_or_else(unknown)?, value));
            }
            Ok(evidence)
        }
    }
    deserializer.deserialize_map(Entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_has_its_unit() {
        for (key, value, text) in [
            (Key::MissedShare, 0.9835, "98.4 %"),
            (Key::LimitSeen, 0.11, "0.11 m"),
            (Key::ClosingSpeed, 400.0, "400 m/s"),
            (Key::MedianDt, 0.5, "0.5 s"),
            (Key::PushCosine, -1.0, "-1"),
            (Key::FlippedNeighbours, 2.0, "2"),
            (Key::Tilt, std::f64::consts::FRAC_PI_4, "45°"),
            (Key::Ccd, 0.0, "off"),
            (Key::MaskA, f64::from(u32::MAX), "0xffffffff"),
            (Key::LayerB, 0.0, "0x0"),
        ] {
            assert_eq!(key.text(value, UserUnits::default()), text);
        }
    }
}
