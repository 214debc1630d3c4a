//! Thresholds from which engines sweep a body whose continuous detection is on. A level may give another one.

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

/// An engine's own threshold.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Preset {
    /// In lower case, as files name it.
    pub name: &'static str,
    pub measure: Measure,
    pub share: f64,
}

/// The engines whose thresholds are published: Jolt's `PhysicsSettings::mLinearCastThreshold`, PhysX's fast-moving test
/// (of the inscribed sphere), Godot's motion test in its body solver.
pub(super) const PRESETS: [Preset; 3] = [
    Preset {
        name: "jolt",
        measure: Measure::InnerRadius,
        share: 0.75,
    },
    Preset {
        name: "physx",
        measure: Measure::InnerRadius,
        share: 0.75,
    },
    Preset {
        name: "godot",
        measure: Measure::Extent,
        share: 0.3,
    },
];

/// Distance a body must move in a step before the engine sweeps it, metres; `None` when unknown.
pub(super) fn threshold(engine: &Engine, shape: &Shape, pose: &Pose, along: DVec3) -> Option<f64> {
    let name = engine.name.as_deref().map(str::to_lowercase);
    let preset = PRESETS
        .iter()
        .find(|preset| Some(preset.name) == name.as_deref());
    let share = engine.ccd_threshold.or(preset.map(|preset| preset.share))?;
    let size = match preset.map_or(Measure::InnerRadius, |preset| preset.measure) {
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
