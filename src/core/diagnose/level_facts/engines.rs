//! The table of known engines, `engines.ron`: what their continuous detection covers and from which threshold on, the overlap that they leave
//! alone, how contacts are made stiffer, and how smaller steps are made. A level may give another threshold and margin.
//!
//! What is not published and was not tried is left out: an engine without a value is treated like an unknown one.

use crate::core::diagnose::fix::{Quantity, toward_safe};
use crate::core::diagnose::shape_metrics::{half_width, inner_radius};
use crate::core::scene::{Engine, Movement};
use crate::core::shape::{Pose, Shape};
use crate::core::tolerance::SAME_SHARE;
use glam::DVec3;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum MaskRule {
    /// Each one's layer is in the other's mask.
    Both,
    /// One of the two is enough.
    Either,
    /// A table of layers.
    Table,
    /// Code of the game.
    Callback,
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
    ron::from_str(include_str!("engines.ron")).unwrap_or_default()
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

    /// What its continuous detection covers; `None` if there is none.
    pub fn coverage(&self) -> Option<&Coverage> {
        match &self.continuous {
            Continuous::Absent => None,
            Continuous::Swept(coverage) => Some(coverage),
        }
    }

    /// Whether two moving bodies are swept by their relative motion.
    pub fn sweeps_relative(&self) -> bool {
        let both = self.coverage().and_then(|coverage| coverage.both_move);
        matches!(both, Some(BothMove::OneIsEnough | BothMove::BothNeeded))
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

/// The row of a level's engine; `None` if it is not named or not known.
pub fn preset(engine: &Engine) -> Option<&'static Preset> {
    let (name, version) = name_and_version(engine.name.as_ref()?);
    let version = engine.version.as_deref().or(version.as_deref());
    let mut rows = table().iter().filter(|row| row.names.contains(&name));
    match version.map(|version| number_of(Some(version))) {
        Some(version) => {
            let oldest = rows.clone().next();
            let mut known = rows.filter(|row| number_of(row.from.as_deref()) <= version);
            known.next_back().or(oldest)
        }
        None => rows.next_back(),
    }
}

/// The title of the row of a level's engine: "Jolt", "MuJoCo 4", and "MuJoCo 4 (version assumed)" where the level names no version and rows
/// differ.
pub fn title(engine: &Engine) -> Option<String> {
    let (_, named) = name_and_version(engine.name.as_ref()?);
    let (row, version) = (preset(engine)?, engine.version.as_ref().or(named.as_ref()));
    let differs = row.from.is_some() || row.next().is_some();
    Some(match version.is_none() && differs {
        true => format!("{} (version assumed)", row.title()),
        false => row.title(),
    })
}

/// A name in letters and digits, and the version in it: "Matter-js 0.20" is `matterjs` and `0.20`, "Unity 2D" is `unity2d`, "box2d-v3.1" is
/// `box2d` and `3.1`, "PhysX5" is `physx` and `5`.
fn name_and_version(text: &str) -> (String, Option<String>) {
    let text = text.to_lowercase();
    let is_version = |word: &str| {
        let number = word.strip_prefix('v').unwrap_or(word);
        number.starts_with(|first: char| first.is_ascii_digit()) && !["2d", "3d"].contains(&word)
    };
    let (mut name, mut version) = (String::new(), None);
    let parts = text.split(|letter: char| letter.is_whitespace() || "-_@/".contains(letter));
    for word in parts.filter(|word| !word.is_empty()) {
        if is_version(word) && !name.is_empty() {
            version = version.or(Some(word.trim_start_matches('v').to_owned()));
        } else {
            name.extend(word.chars().filter(|letter| letter.is_alphanumeric()));
        }
    }
    let is_known = |name: &str| {
        table()
            .iter()
            .any(|row| row.names.iter().any(|it| it == name))
    };
    let stem = name.trim_end_matches(|last: char| last.is_ascii_digit());
    let stem = stem
        .strip_suffix('v')
        .filter(|stem| is_known(stem))
        .unwrap_or(stem);
    if version.is_none() && !is_known(&name) && is_known(stem) {
        let digits = name[stem.len()..].trim_start_matches('v');
        return (stem.to_owned(), Some(digits.to_owned()));
    }
    (name, version)
}

/// A version as numbers that compare: "3.1" is [3, 1]. `None` is older than any.
fn number_of(version: Option<&str>) -> Vec<u32> {
    let parts = version
        .unwrap_or_default()
        .trim_start_matches('v')
        .split('.');
    parts
        .map_while(|part| {
            let end = part.find(|letter: char| !letter.is_ascii_digit());
            part[..end.unwrap_or(part.len())].parse().ok()
        })
        .collect()
}

/// The overlap that the engine of a level leaves alone, metres: the level's margin, else the engine's own where its unit is a metre.
pub fn slop(engine: &Engine) -> Option<f64> {
    let own = || {
        let row = preset(engine).filter(|row| row.unit.as_deref() != Some("px"))?;
        Some(row.slop.as_ref()?.usual)
    };
    engine.margin.or_else(own)
}

/// Distance a body must move in a step before the engine sweeps it, metres; `None` when unknown.
pub fn threshold(engine: &Engine, shape: &Shape, pose: &Pose, along: DVec3) -> Option<f64> {
    let known = preset(engine).and_then(|preset| preset.threshold.as_ref());
    let share = engine
        .ccd_threshold
        .or(known.map(|threshold| threshold.share))?;
    let size = match known.map_or(Measure::InnerRadius, |threshold| threshold.of) {
        Measure::InnerRadius => inner_radius(shape),
        Measure::Extent => 2.0 * half_width(shape, pose, along.try_normalize()?),
    };
    Some(share * size).filter(|threshold| threshold.is_finite() && *threshold > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engine(name: &str, ccd_threshold: Option<f64>) -> Engine {
        Engine {
            name: Some(name.into()),
            ccd_threshold,
            ..Engine::default()
        }
    }

    #[test]
    fn the_table_can_be_read() {
        let table: Vec<Preset> = ron::from_str(include_str!("engines.ron")).unwrap();
        assert!(table.len() > 30);
        for row in &table {
            let others = table.iter().filter(|other| other.name != row.name);
            let names = others.flat_map(|other| &other.names);
            assert!(
                names.into_iter().all(|name| !row.names.contains(name)),
                "{}",
                row.name
            );
            let day: Vec<&str> = row.read.split('-').collect();
            let digits = |part: &&str| part.bytes().all(|digit| digit.is_ascii_digit());
            assert!(
                day.iter().map(|part| part.len()).eq([4, 2, 2]) && day.iter().all(digits),
                "{}",
                row.name
            );
            for name in &row.names {
                assert_eq!(name_and_version(name), (name.clone(), None));
            }
        }
        let versions = |rows: &[Preset]| {
            rows[0].name != rows[1].name
                || number_of(rows[0].from.as_deref()) < number_of(rows[1].from.as_deref())
        };
        assert!(table.windows(2).all(versions), "the older row comes first");
    }

    #[test]
    fn engines_are_known_by_any_spelling() {
        for (text, title) in [
            ("Box2D", "Box2D 3"),
            ("Box2D v3.1", "Box2D 3"),
            ("Box2D 2.4", "Box2D before 3"),
            ("box2d-v3.1", "Box2D 3"),
            ("box2dv3", "Box2D 3"),
            ("Box2D 2.4.1", "Box2D before 3"),
            ("mujoco 4.0", "MuJoCo 4"),
            ("MuJoCo 3.17.0", "MuJoCo before 4"),
            ("mujoco4", "MuJoCo 4"),
            ("rapier 0.34", "rapier before 0.35"),
            ("rapier3d 0.36.1", "rapier 0.35"),
            ("@dimforge/rapier3d-compat 0.19.3", "rapier.js before 0.20"),
            ("matter-js 0.20.0", "matter"),
            ("cannon-es", "cannon"),
            ("PhysX 5.6", "PhysX"),
            ("PhysX5", "PhysX"),
            ("Godot 4.6", "Godot"),
            ("Godot 2D", "Godot 2D"),
            ("Godot Jolt", "Godot with Jolt"),
            ("Unity 2D 6000.1", "Unity 2D"),
            ("p2.js", "p2"),
            ("avian3d 0.7.0", "avian before 0.8"),
            ("Newton 1.8", "Newton"),
            ("my engine", ""),
            ("3", ""),
            ("", ""),
        ] {
            let found = preset(&engine(text, None)).map(Preset::title);
            assert_eq!(found.unwrap_or_default(), title, "{text}");
        }
        let with = |name: &str, version: &str| Engine {
            version: Some(version.into()),
            ..engine(name, None)
        };
        for (name, version, title) in [
            ("box2d", "2.4.1", "Box2D before 3"),
            ("box2d", "v3.2", "Box2D 3"),
            ("mujoco 4.0", "3.1", "MuJoCo before 4"),
        ] {
            assert_eq!(preset(&with(name, version)).unwrap().title(), title);
        }
        for (engine, text) in [
            (engine("mujoco", None), "MuJoCo 4 (version assumed)"),
            (engine("mujoco 3", None), "MuJoCo before 4"),
            (with("mujoco", "4.0"), "MuJoCo 4"),
            (engine("jolt", None), "Jolt"),
        ] {
            assert_eq!(title(&engine).as_deref(), Some(text));
        }
    }

    #[test]
    fn the_margin_of_a_level_replaces_the_slop_of_its_engine() {
        let jolt = engine("jolt", None);
        assert_eq!(slop(&jolt), Some(0.02));
        let own = Engine {
            margin: Some(0.1),
            ..jolt
        };
        assert_eq!(slop(&own), Some(0.1));
        // In pixels.
        assert_eq!(slop(&engine("pymunk", None)), None);
    }

    /// A ball of radius 0.4: 0.75 * 0.4 = 0.3; 0.3 * 0.8 = 0.24. A box of half (0.1, 0.2, 1) along z: 0.75 * 0.1, 0.3 * 2.
    #[test]
    fn thresholds_of_the_presets() {
        let ball = Shape::Sphere { radius: 0.4 };
        let plank = Shape::Box {
            half_extents: DVec3::new(0.1, 0.2, 1.0),
        };
        let of = |engine: &Engine, shape: &Shape| {
            threshold(engine, shape, &Pose::IDENTITY, DVec3::Z * 7.0)
        };
        for (name, own, of_ball, of_plank) in [
            ("jolt", None, Some(0.3), Some(0.075)),
            ("PhysX", None, Some(0.3), Some(0.075)),
            ("Godot", None, Some(0.24), Some(0.6)),
            ("godot", Some(0.5), Some(0.4), Some(1.0)),
            ("jolt", Some(0.0), None, None),
            ("mine", None, None, None),
            ("mine", Some(0.5), Some(0.2), Some(0.05)),
        ] {
            let engine = engine(name, own);
            for (got, want) in [
                (of(&engine, &ball), of_ball),
                (of(&engine, &plank), of_plank),
            ] {
                assert_eq!(got.is_some(), want.is_some(), "{name}");
                assert!(
                    (got.unwrap_or(0.0) - want.unwrap_or(0.0)).abs() < 1e-15,
                    "{name}: {got:?}"
                );
            }
        }
        assert_eq!(
            threshold(&Engine::default(), &ball, &Pose::IDENTITY, DVec3::X),
            None
        );
    }
}
