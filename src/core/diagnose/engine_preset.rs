//! What is known of engines: their setting for continuous detection, the threshold from which it sweeps a body, and whether contacts are
//! soft. A level may give another threshold.

use crate::core::diagnose::shape_metrics::{half_width, inner_radius};
use crate::core::scene::Engine;
use crate::core::shape::{Pose, Shape};
use glam::DVec3;

/// What a threshold is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// The radius of a ball that fits inside.
    InnerRadius,
    /// The whole width along the motion.
    Extent,
}

/// An engine's continuous detection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Continuous {
    /// The engine has none.
    Absent,
    /// The setting of a body that is swept against others at rest.
    EachAlone(&'static str),
    /// The same of one of two moving bodies, and the setting of the world that sweeps all bodies against fixed ones.
    OneAlone {
        body: &'static str,
        world: &'static str,
    },
    /// The setting of a body whose motion relative to the other is swept.
    Relative(&'static str),
}

impl Continuous {
    /// The setting that sweeps a body against a fixed one, or against one that moves.
    pub(super) fn setting(self, fixed: bool) -> Option<&'static str> {
        match self {
            Self::Absent => None,
            Self::EachAlone(setting) | Self::Relative(setting) => Some(setting),
            Self::OneAlone { body, world } => Some(if fixed { world } else { body }),
        }
    }
}

/// A known engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Preset {
    /// As its manual writes it.
    pub name: &'static str,
    /// In lower case, as files name it.
    pub names: &'static [&'static str],
    pub continuous: Continuous,
    /// Travel per step from which it sweeps a body, if published: a share of a measure.
    pub threshold: Option<(Measure, f64)>,
    /// Of contacts that give way: the setting of their time constant, and the usual one, seconds.
    pub soft: Option<(&'static str, f64)>,
}

/// The known engines. What they sweep is as measured with two bullets in docs/accuracy.md; of Box2D 3 and Godot's own physics as their
/// source has it (against the other where it ends the step), of Unity as its manual says. Thresholds: Jolt's
/// `PhysicsSettings::mLinearCastThreshold`, PhysX's fast-moving test (of the inscribed sphere), Godot's motion test in its body solver.
pub(super) const PRESETS: [Preset; 8] = [
    Preset {
        name: "Box2D",
        names: &["box2d"],
        continuous: Continuous::OneAlone {
            body: "`isBullet`",
            world: "`enableContinuous` of the world",
        },
        threshold: None,
        soft: None,
    },
    Preset {
        name: "Bullet",
        names: &["bullet", "pybullet"],
        continuous: Continuous::EachAlone("`setCcdMotionThreshold` with `setCcdSweptSphereRadius`"),
        threshold: None,
        soft: None,
    },
    Preset {
        name: "Godot",
        names: &["godot"],
        continuous: Continuous::EachAlone("`continuous_cd`"),
        threshold: Some((Measure::Extent, 0.3)),
        soft: None,
    },
    Preset {
        name: "Jolt",
        names: &["jolt"],
        continuous: Continuous::EachAlone("`EMotionQuality::LinearCast`"),
        threshold: Some((Measure::InnerRadius, 0.75)),
        soft: None,
    },
    Preset {
        name: "MuJoCo",
        names: &["mujoco"],
        continuous: Continuous::Absent,
        threshold: None,
        soft: Some(("`solref`", 0.02)),
    },
    Preset {
        name: "PhysX",
        names: &["physx"],
        continuous: Continuous::Relative("`PxRigidBodyFlag::eENABLE_CCD`"),
        threshold: Some((Measure::InnerRadius, 0.75)),
        soft: None,
    },
    Preset {
        name: "rapier",
        names: &["rapier", "rapier2d", "rapier3d"],
        continuous: Continuous::EachAlone("`ccd_enabled`"),
        threshold: None,
        soft: None,
    },
    Preset {
        name: "Unity",
        names: &["unity"],
        continuous: Continuous::Relative("`collisionDetectionMode = ContinuousDynamic`"),
        threshold: None,
        soft: None,
    },
];

/// The engine of a level; `None` if it is not named or not known.
pub(super) fn preset(engine: &Engine) -> Option<&'static Preset> {
    let name = engine.name.as_ref()?.to_lowercase();
    PRESETS.iter().find(|preset| preset.names.contains(&&*name))
}

/// Distance a body must move in a step before the engine sweeps it, metres; `None` when unknown.
pub(super) fn threshold(engine: &Engine, shape: &Shape, pose: &Pose, along: DVec3) -> Option<f64> {
    let known = preset(engine).and_then(|preset| preset.threshold);
    let share = engine.ccd_threshold.or(known.map(|(_, share)| share))?;
    let size = match known.map_or(Measure::InnerRadius, |(measure, _)| measure) {
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
            margin: None,
        }
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
