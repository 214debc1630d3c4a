//! The table of known engines, `engines.ron`: what their continuous detection covers and from which threshold on, the overlap that they leave
//! alone, how contacts are made stiffer, and how smaller steps are made. A level may give another threshold and margin.
//!
//! What is not published and was not tried is left out: an engine without a value is treated like an unknown one.

mod lookup;

pub use self::lookup::{preset, slop, threshold, title};

use self::lookup::number_of;
use crate::core::diagnose::fix::{Quantity, toward_safe};
use crate::core::scene::Movement;
use crate::core::tolerance::SAME_SHARE;
use serde::Deserialize;
use std::sync::LazyLock;

/// What a threshold is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Measure {
    /// The radius of a ball that fits inside.
    InnerRadius,
    /// The whole width along the motion.
    Extent,
}

/// An engine's continuous detection.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub enum Continuous {
    /// The engine has none.
    Absent,
    /// What it covers.
    Swept(Coverage),
}

/// What sweeps a dynamic body against others. A field that is left out is not known.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// Against fixed ones.
    pub fixed: Option<Switch>,
    /// Against kinematic ones.
    pub kinematic: Option<Switch>,
    /// Against dynamic ones.
    pub dynamic: Option<Switch>,
    /// Of two bodies that both move.
    pub both_move: Option<BothMove>,
    /// A kinematic body is swept against where it is, and not along its motion.
    #[serde(default)]
    pub kinematic_rests: bool,
    /// Whether it follows a rotation.
    pub rotation: Option<bool>,
    /// Whether sensors are swept against.
    pub sensors: Option<bool>,
    /// What else it needs, or leaves out.
    pub note: Option<String>,
}

/// What switches continuous detection on.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub enum Switch {
    /// Nothing: it is always on.
    Always,
    /// A setting of the world.
    World {
        /// As code.
        set: String,
        /// On by default.
        #[serde(default)]
        on: bool,
    },
    /// A setting of the body that is swept.
    Body {
        /// As code.
        set: String,
        /// On by default.
        #[serde(default)]
        on: bool,
    },
}

impl Switch {
    /// The setting as code; `None` for what is always on.
    pub fn set(&self) -> Option<&str> {
        match self {
            Self::Always => None,
            Self::World { set, .. } | Self::Body { set, .. } => Some(set),
        }
    }
}

/// How an engine sweeps two bodies that both move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum BothMove {
    /// Their relative motion, as soon as one of the two has the setting.
    OneIsEnough,
    /// Both if both have the setting.
    BothNeeded,
    /// Each against the other at rest, which misses hits.
    Misses,
}

/// Travel in a step from which a body is swept.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Threshold {
    /// What the share is of.
    pub of: Measure,
    /// Share of the measure.
    pub share: f64,
    /// The setting, with `{share}`; `None` where it cannot be set.
    pub set: Option<String>,
}

/// Substeps of an engine's step.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Substeps {
    /// Their setting.
    pub name: String,
    /// The usual number.
    pub usual: Option<u32>,
    /// Whether contacts are tested for in each: else they only solve those that one test at their beginning found.
    pub detect: bool,
}

/// How a frame is cut into smaller steps that each test for contacts.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmallerSteps {
    /// In words: "lower `timestep`".
    pub say: String,
    /// As code, with `{n}` steps of a frame and `{hz}` steps a second.
    pub set: String,
}

/// Contacts that give way for a time.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Soft {
    /// The setting of their time constant.
    pub name: String,
    /// The usual time constant, seconds.
    pub usual: f64,
    /// As code, with `{time}` in seconds.
    pub set: String,
}

/// A length that the engine leaves alone.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slop {
    /// The setting.
    pub name: String,
    /// The usual one, units of the engine.
    pub usual: f64,
}

/// The `margin` of a log.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Margin {
    /// What of the engine it is.
    pub is: String,
    /// The usual one, units of the engine.
    pub usual: f64,
}

/// A setting that makes contacts stiffer, with its usual value; the value is empty where it is not known.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub enum Stiffer {
    /// A higher value is stiffer.
    Raise(String, String),
    /// A lower value is stiffer.
    Lower(String, String),
}

/// How layers and masks decide whether a pair collides.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub enum MaskRule {
    /// Each one's layer is in the other's mask.
    Both,
    /// One of the two is enough.
    Either,
    /// A table of layers.
    Table,
    /// Code of the game.
    Callback,
    /// Pairs that the game names, with this code: bits in a log are its recorder's.
    Pairs(String),
}

/// A row of the table: an engine, from a version on.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// As its manual writes it.
    pub name: String,
    /// As files name it: in lower case, letters and digits only.
    pub names: Vec<String>,
    /// The first version of the row; `None` for the oldest.
    pub from: Option<String>,
    /// The page or file that was read.
    pub source: String,
    /// The day on which it was read, `2026-11-27`.
    pub read: String,
    /// What was run to confirm it, with its version.
    pub tried: Option<String>,
    /// Its continuous detection.
    pub continuous: Continuous,
    /// From where on it sweeps a body.
    pub threshold: Option<Threshold>,
    /// Its substeps, if it has any.
    pub substeps: Option<Substeps>,
    /// How smaller steps are made; `None` where they were tried and did not help.
    pub smaller_steps: Option<SmallerSteps>,
    /// Contacts that give way for a time.
    pub soft: Option<Soft>,
    /// The overlap that its solver leaves alone.
    pub slop: Option<Slop>,
    /// Radius around its shapes, units of the engine.
    pub skin: Option<f64>,
    /// The `margin` to log.
    pub margin: Option<Margin>,
    /// What makes contacts stiffer.
    #[serde(default)]
    pub stiffer: Vec<Stiffer>,
    /// How layers and masks decide.
    pub mask: Option<MaskRule>,
    /// What collides from one side only.
    pub one_sided: Option<String>,
    /// The axis that points up, unless the game decides.
    pub up: Option<String>,
    /// Its unit of length.
    pub unit: Option<String>,
    /// An engine of two dimensions.
    #[serde(default)]
    pub flat: bool,
    /// The speed to which it limits bodies.
    pub speed_cap: Option<String>,
}

static TABLE: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    // Compiled in, and parsed by a test.
    ron::from_str(include_str!("../engines.ron")).unwrap_or_default()
});

/// All rows; those of one engine one after the other, the oldest first.
pub fn table() -> &'static [Preset] {
    &TABLE
}

impl Preset {
    /// The name, with the version where rows of the engine differ: "MuJoCo 4".
    pub fn title(&self) -> String {
        match self.next() {
            _ if self.from.is_some() => {
                format!("{} {}", self.name, self.from.as_deref().unwrap_or(""))
            }
            Some(next) => format!("{} before {next}", self.name),
            None => self.name.clone(),
        }
    }

    /// The first version that has another row.
    pub fn next(&self) -> Option<&'static str> {
        let mut rows = table().iter().filter(|row| row.name == self.name);
        let later =
            rows.find(|row| number_of(row.from.as_deref()) > number_of(self.from.as_deref()));
        later?.from.as_deref()
    }

    /// What sweeps a dynamic body against another; `None` if nothing does, or it is not known.
    pub fn switch(&self, other: &Movement) -> Option<&Switch> {
        let Continuous::Swept(coverage) = &self.continuous else {
            return None;
        };
        match other {
            Movement::Fixed => coverage.fixed.as_ref(),
            Movement::Velocity => coverage.dynamic.as_ref(),
            _ => coverage.kinematic.as_ref(),
        }
    }

    /// Whether it sweeps a dynamic body against another without being asked to; `ccd` is what the body's own setting is known to be.
    pub fn sweeps_by_default(&self, ccd: Option<bool>, other: &Movement) -> bool {
        match self.switch(other) {
            Some(Switch::Always) => true,
            Some(Switch::World { on, .. }) => *on,
            Some(Switch::Body { on, .. }) => *on && ccd != Some(false),
            None => false,
        }
    }

    /// What its continuous detection covers; `None` if there is none.
    pub fn coverage(&self) -> Option<&Coverage> {
        match &self.continuous {
            Continuous::Absent => None,
            Continuous::Swept(coverage) => Some(coverage),
        }
    }

    /// How it sweeps two bodies that both move; `None` if there is nothing that does, or it is not known.
    pub fn both_move(&self, of: [&Movement; 2]) -> Option<BothMove> {
        let coverage = self.coverage()?;
        let dynamic = of == [&Movement::Velocity; 2];
        match coverage.kinematic_rests && !dynamic {
            true => Some(BothMove::Misses),
            false => coverage.both_move,
        }
    }

    /// Whether two moving bodies are swept by their relative motion.
    pub fn sweeps_relative(&self, of: [&Movement; 2]) -> bool {
        let both = self.both_move(of);
        matches!(both, Some(BothMove::OneIsEnough | BothMove::BothNeeded))
    }

    /// Whether two moving bodies, each with the setting or without it, are swept by their relative motion as they are.
    pub fn sweeps_relative_already(&self, of: [&Movement; 2], has: [bool; 2]) -> bool {
        match self.both_move(of) {
            Some(BothMove::OneIsEnough) => has.contains(&true),
            Some(BothMove::BothNeeded) => has == [true; 2],
            _ => false,
        }
    }

    /// The engine's own setting for a value of a fix, as code; `dt` is the frame's length, seconds.
    pub fn setting(&self, what: Quantity, value: f64, dt: f64) -> Option<String> {
        match what {
            Quantity::Substeps => {
                let set = &self.smaller_steps.as_ref()?.set;
                let rate = (value / dt * (1.0 - SAME_SHARE)).ceil();
                let set = set.replace("{n}", &value.to_string());
                Some(set.replace("{hz}", &rate.to_string()))
            }
            Quantity::MaxContactTime => {
                let set = &self.soft.as_ref()?.set;
                Some(set.replace("{time}", &toward_safe(value, true).to_string()))
            }
            _ => None,
        }
    }

    /// "higher `m_erp2` (0.2) and `m_numIterations` (10)"; empty where nothing is known.
    pub fn stiffer_text(&self) -> String {
        let group = |word: &str, raises: bool| {
            let of = self.stiffer.iter().filter_map(|setting| match setting {
                Stiffer::Raise(name, usual) if raises => Some((name, usual)),
                Stiffer::Lower(name, usual) if !raises => Some((name, usual)),
                _ => None,
            });
            let names: Vec<String> = of.map(|(name, usual)| with_usual(name, usual)).collect();
            (!names.is_empty()).then(|| format!("{word} {}", names.join(", ")))
        };
        let groups = [group("higher", true), group("lower", false)];
        groups
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(", and ")
    }
}

/// "`solref` (0.02 s)"; a name of several words has its own marks.
fn with_usual(name: &str, usual: &str) -> String {
    let name = match name.contains('`') {
        true => name.to_owned(),
        false => format!("`{name}`"),
    };
    match usual.is_empty() {
        true => name,
        false => format!("{name} ({usual})"),
    }
}
