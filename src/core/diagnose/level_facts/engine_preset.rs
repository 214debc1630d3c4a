//! The table of known engines: their setting for continuous detection and the threshold from which it sweeps a body, the overlap that they
//! leave alone, how contacts are made stiffer, and how smaller steps are made. A level may give another threshold and margin.
//!
//! What is not published is left out: an engine without a value is treated like an unknown one.

use crate::core::diagnose::shape_metrics::{half_width, inner_radius};
use crate::core::scene::Engine;
use crate::core::shape::{Pose, Shape};
use glam::DVec3;

/// What a threshold is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The radius of a ball that fits inside.
    InnerRadius,
    /// The whole width along the motion.
    Extent,
}

/// An engine's continuous detection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Continuous {
    /// The engine has none.
    Absent,
    /// The setting is not known.
    Unknown,
    /// The setting of a body that is swept against others at rest.
    EachAlone(&'static str),
    /// The same of one of two moving bodies, and the setting of the world that sweeps all bodies against fixed ones.
    OneAlone {
        body: &'static str,
        world: &'static str,
    },
    /// The setting of a body whose motion relative to the other is swept; one of two moving bodies is enough. And that of the world, as above,
    /// or the same.
    Relative {
        body: &'static str,
        world: &'static str,
    },
}

impl Continuous {
    /// The setting that sweeps a body against a fixed one, or against one that moves.
    pub fn setting(self, fixed: bool) -> Option<&'static str> {
        match self {
            Self::Absent | Self::Unknown => None,
            Self::EachAlone(setting) => Some(setting),
            Self::OneAlone { body, world } | Self::Relative { body, world } => {
                Some(if fixed { world } else { body })
            }
        }
    }
}

/// A known engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// As its manual writes it.
    pub name: &'static str,
    /// As files name it: in lower case, letters and digits only.
    pub names: &'static [&'static str],
    pub continuous: Continuous,
    /// Travel per step from which it sweeps a body, if published: a share of a measure.
    pub threshold: Option<(Measure, f64)>,
    /// Of contacts that give way: the setting of their time constant, and the usual one, seconds.
    pub soft: Option<(&'static str, f64)>,
    /// The setting of the overlap that its solver leaves alone, and the usual one, metres. `None` where lengths are pixels.
    pub slop: Option<(&'static str, f64)>,
    /// Its substeps solve the contacts that one test at their beginning found, so that more of them detect nothing more.
    pub substeps_solve_only: bool,
    /// What makes contacts stiffer, with the usual values; empty where not known.
    pub stiffer: &'static str,
    /// How a frame is cut into smaller steps; empty where smaller steps were tried and did not help.
    pub smaller_steps: &'static str,
}

const SEVERAL_STEPS: &str = "step the world several times a frame";

/// An engine of which only the name is known.
const UNKNOWN: Preset = Preset {
    name: "",
    names: &[],
    continuous: Continuous::Unknown,
    threshold: None,
    soft: None,
    slop: None,
    substeps_solve_only: false,
    stiffer: "",
    smaller_steps: SEVERAL_STEPS,
};

const BULLET: Preset = Preset {
    name: "Bullet",
    names: &["bullet", "bullet3", "pybullet"],
    continuous: Continuous::EachAlone("`setCcdMotionThreshold` with `setCcdSweptSphereRadius`"),
    slop: Some(("the collision margin", 0.04)),
    stiffer: "`m_erp2` (0.2) and `m_numIterations` (10) of `btContactSolverInfo`",
    smaller_steps: "lower `fixedTimeStep` of `stepSimulation`",
    ..UNKNOWN
};

const RAPIER: Preset = Preset {
    name: "rapier",
    names: &["rapier", "rapier2d", "rapier3d"],
    continuous: Continuous::EachAlone("`ccd_enabled`"),
    slop: Some(("`normalized_allowed_linear_error`", 0.001)),
    stiffer: "`contact_natural_frequency` (30) and `num_solver_iterations` (4)",
    smaller_steps: "lower `IntegrationParameters::dt`",
    ..UNKNOWN
};

const BOX2D: Preset = Preset {
    name: "Box2D",
    names: &["box2d", "box2dv3"],
    continuous: Continuous::OneAlone {
        body: "`isBullet`",
        world: "`enableContinuous` of the world",
    },
    slop: Some(("the linear slop", 0.005)),
    substeps_solve_only: true,
    stiffer: "`contactHertz` (30) of version 3",
    smaller_steps: "call `b2World_Step` several times a frame, as its `subStepCount` does not test for contacts more often",
    ..UNKNOWN
};

/// The known engines. What they sweep is as measured with two bullets, in docs/accuracy.md and in planck; of Box2D 3 and Godot's own physics as
/// their source has it (against the other where it ends the step), of the others as their manuals say. Thresholds: Jolt's
/// `PhysicsSettings::mLinearCastThreshold`, PhysX's fast-moving test (of the inscribed sphere), Godot's motion test in its body solver.
const PRESETS: [Preset; 19] = [
    BOX2D,
    Preset {
        name: "Box3D",
        names: &["box3d"],
        stiffer: "`contactHertz` (30)",
        smaller_steps: "call `b3World_Step` several times a frame, or raise its `subStepCount` (4)",
        ..BOX2D
    },
    BULLET,
    Preset {
        name: "ammo.js",
        names: &["ammo", "ammojs"],
        stiffer: "`set_m_numIterations` (10) of the solver info",
        ..BULLET
    },
    Preset {
        name: "cannon",
        names: &["cannon", "cannones", "cannonjs"],
        continuous: Continuous::Absent,
        stiffer: "`contactEquationStiffness` (1e7), lower `contactEquationRelaxation` (3) and more `solver.iterations` (10)",
        smaller_steps: "lower the step of `world.step`",
        ..UNKNOWN
    },
    Preset {
        name: "Godot",
        names: &["godot", "godot3d"],
        continuous: Continuous::EachAlone("`continuous_cd`"),
        threshold: Some((Measure::Extent, 0.3)),
        slop: Some(("`contact_max_allowed_penetration`", 0.01)),
        stiffer: "`default_contact_bias` (0.8) and `solver_iterations` (16)",
        smaller_steps: "raise `physics_ticks_per_second`",
        ..UNKNOWN
    },
    Preset {
        name: "Godot 2D",
        names: &["godot2d"],
        continuous: Continuous::EachAlone("`continuous_cd`"),
        stiffer: "`default_contact_bias` (0.8) and `solver_iterations` (16)",
        smaller_steps: "raise `physics_ticks_per_second`",
        ..UNKNOWN
    },
    Preset {
        name: "Havok",
        names: &["havok", "babylonhavok"],
        smaller_steps: "",
        ..UNKNOWN
    },
    Preset {
        name: "Jolt",
        names: &["jolt", "joltphysics", "godotjolt"],
        continuous: Continuous::EachAlone("`EMotionQuality::LinearCast`"),
        threshold: Some((Measure::InnerRadius, 0.75)),
        slop: Some(("`mPenetrationSlop`", 0.02)),
        stiffer: "`mBaumgarte` (0.2), `mNumVelocitySteps` (10) and `mNumPositionSteps` (2)",
        smaller_steps: "raise `inCollisionSteps` of `PhysicsSystem::Update`",
        ..UNKNOWN
    },
    Preset {
        name: "matter",
        names: &["matter", "matterjs"],
        continuous: Continuous::Absent,
        stiffer: "`positionIterations` (6) and `velocityIterations` (4)",
        smaller_steps: "call `Engine.update` several times a frame",
        ..UNKNOWN
    },
    Preset {
        name: "MuJoCo",
        names: &["mujoco"],
        continuous: Continuous::Absent,
        soft: Some(("`solref`", 0.02)),
        stiffer: "`solref` (0.02 s)",
        smaller_steps: "lower `timestep`",
        ..UNKNOWN
    },
    Preset {
        name: "p2",
        names: &["p2", "p2js", "p2es"],
        continuous: Continuous::EachAlone("`ccdSpeedThreshold` with `ccdIterations`"),
        stiffer: "`stiffness` (1e6) of the contact material, lower `relaxation` (4) and more `solver.iterations` (10)",
        smaller_steps: "lower the step of `world.step`",
        ..UNKNOWN
    },
    Preset {
        name: "Phaser",
        names: &["phaser", "phaserarcade", "arcade", "arcadephysics"],
        continuous: Continuous::Absent,
        smaller_steps: "raise `fps` of the arcade world",
        ..UNKNOWN
    },
    Preset {
        name: "PhysX",
        names: &["physx"],
        continuous: Continuous::Relative {
            body: "`PxRigidBodyFlag::eENABLE_CCD`",
            world: "`PxRigidBodyFlag::eENABLE_CCD`",
        },
        threshold: Some((Measure::InnerRadius, 0.75)),
        stiffer: "`setSolverIterationCounts` (4 for positions, 1 for velocities)",
        smaller_steps: "call `simulate` several times a frame",
        ..UNKNOWN
    },
    Preset {
        name: "planck",
        names: &["planck", "planckjs"],
        continuous: Continuous::Relative {
            body: "`bullet`",
            world: "`continuousPhysics` of the world",
        },
        slop: Some(("`Settings.linearSlop`", 0.005)),
        stiffer: "`Settings.baumgarte` (0.2), `velocityIterations` (8) and `positionIterations` (3)",
        ..UNKNOWN
    },
    Preset {
        name: "pymunk",
        names: &["pymunk", "chipmunk"],
        continuous: Continuous::Absent,
        stiffer: "`iterations` (10) and lower `collision_bias` (0.0018)",
        smaller_steps: "call `space.step` several times a frame",
        ..UNKNOWN
    },
    RAPIER,
    Preset {
        name: "Unity",
        names: &["unity", "unity3d"],
        continuous: Continuous::Relative {
            body: "`collisionDetectionMode = ContinuousDynamic`",
            world: "`collisionDetectionMode = ContinuousDynamic`",
        },
        stiffer: "`solverIterations` (6) and `solverVelocityIterations` (1)",
        smaller_steps: "lower `Time.fixedDeltaTime`",
        ..UNKNOWN
    },
    Preset {
        name: "Unity 2D",
        names: &["unity2d"],
        continuous: Continuous::EachAlone("`collisionDetectionMode = Continuous`"),
        stiffer: "`Physics2D.velocityIterations` (8) and `Physics2D.positionIterations` (3)",
        smaller_steps: "lower `Time.fixedDeltaTime`",
        ..UNKNOWN
    },
];

/// The engine of a level; `None` if it is not named or not known.
pub fn preset(engine: &Engine) -> Option<&'static Preset> {
    let name = plain_name(engine.name.as_ref()?);
    PRESETS.iter().find(|preset| preset.names.contains(&&*name))
}

/// A name without versions and without anything but letters and digits: "Matter-js 0.20" is `matterjs`, "Unity 2D" is `unity2d`.
fn plain_name(name: &str) -> String {
    let name = name.to_lowercase();
    let is_version = |word: &&str| {
        let number = word.strip_prefix('v').unwrap_or(word);
        number.starts_with(|first: char| first.is_ascii_digit()) && !["2d", "3d"].contains(word)
    };
    let words = name.split_whitespace().filter(|word| !is_version(word));
    words
        .flat_map(str::chars)
        .filter(|letter| letter.is_alphanumeric())
        .collect()
}

/// The overlap that the engine of a level leaves alone, metres: the level's margin, else the engine's own.
pub fn slop(engine: &Engine) -> Option<f64> {
    let own = || Some(preset(engine)?.slop?.1);
    engine.margin.or_else(own)
}

/// Distance a body must move in a step before the engine sweeps it, metres; `None` when unknown.
pub fn threshold(engine: &Engine, shape: &Shape, pose: &Pose, along: DVec3) -> Option<f64> {
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

    #[test]
    fn engines_are_known_by_any_spelling() {
        for (text, name) in [
            ("Box2D", Some("Box2D")),
            ("Box2D v3.1", Some("Box2D")),
            ("matter-js 0.20.0", Some("matter")),
            ("cannon-es", Some("cannon")),
            ("Godot 4.6", Some("Godot")),
            ("Godot 2D", Some("Godot 2D")),
            ("Unity 2D 6000.1", Some("Unity 2D")),
            ("p2.js", Some("p2")),
            ("my engine", None),
            ("", None),
        ] {
            let found = preset(&engine(text, None)).map(|preset| preset.name);
            assert_eq!(found, name, "{text}");
        }
        let mut names: Vec<&str> = PRESETS
            .iter()
            .flat_map(|preset| preset.names)
            .copied()
            .collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "two engines have one name");
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
        assert_eq!(slop(&engine("matter", None)), None);
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
