//! The row of an engine by its name and version, and what a level says besides.

use super::{Measure, Preset, table};
use crate::core::diagnose::shape_metrics::half_width;
use crate::core::scene::Engine;
use crate::core::shape::{Pose, Shape};
use glam::DVec3;

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

/// The engine of a level for a sentence: "Jolt"; where it has several rows, with the version of the level ("MuJoCo 3.17"), or with the versions
/// that the newest row holds for: "MuJoCo (version assumed: 4 or later)".
pub fn title(engine: &Engine) -> Option<String> {
    let (_, named) = name_and_version(engine.name.as_ref()?);
    let (row, version) = (preset(engine)?, engine.version.as_ref().or(named.as_ref()));
    let differs = row.from.is_some() || row.next().is_some();
    let numbers: Vec<String> = number_of(version.map(String::as_str))
        .iter()
        .map(ToString::to_string)
        .collect();
    Some(match (version, &row.from) {
        (Some(_), _) if differs && !numbers.is_empty() => {
            format!("{} {}", row.name, numbers.join("."))
        }
        (None, Some(from)) => format!("{} (version assumed: {from} or later)", row.name),
        _ => row.title(),
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
pub(super) fn number_of(version: Option<&str>) -> Vec<u32> {
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

/// The overlap that the engine of a level leaves alone, metres: the greater of the level's margin and the engine's own where its unit is a
/// metre. The margin of a log may be the distance of contacts, which is half of what Bullet leaves alone.
pub fn slop(engine: &Engine) -> Option<f64> {
    let own = || {
        let row = preset(engine).filter(|row| row.unit.as_deref() != Some("px"))?;
        Some(row.slop.as_ref()?.usual)
    };
    engine.margin.into_iter().chain(own()).reduce(f64::max)
}

/// Distance a body must move in a step before the engine sweeps it, metres; `None` when unknown.
pub fn threshold(engine: &Engine, shape: &Shape, pose: &Pose, along: DVec3) -> Option<f64> {
    let known = preset(engine).and_then(|preset| preset.threshold.as_ref());
    let share = engine
        .ccd_threshold
        .or(known.map(|threshold| threshold.share))?;
    let size = match known.map_or(Measure::InnerRadius, |threshold| threshold.of) {
        Measure::InnerRadius => shape.inner_radius(),
        Measure::Extent => 2.0 * half_width(shape, pose, along.try_normalize()?),
    };
    Some(share * size).filter(|threshold| threshold.is_finite() && *threshold > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::Movement;

    fn engine(name: &str, ccd_threshold: Option<f64>) -> Engine {
        Engine {
            name: Some(name.into()),
            ccd_threshold,
            ..Engine::default()
        }
    }

    #[test]
    fn the_table_can_be_read() {
        let table: Vec<Preset> = ron::from_str(include_str!("../engines.ron")).unwrap();
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

    /// avian sweeps against what is fixed unless a body has it off, and against other bodies on demand; Box2D by a setting of the world; Jolt on demand.
    #[test]
    fn what_an_engine_sweeps_by_itself() {
        for (name, ccd, fixed, moving) in [
            ("avian 0.8", None, true, false),
            ("avian 0.8", Some(true), true, false),
            ("avian 0.8", Some(false), false, false),
            ("box2d 3", Some(false), true, false),
            ("jolt 5.3", None, false, false),
        ] {
            let row = preset(&engine(name, None)).unwrap();
            let found = [Movement::Fixed, Movement::Velocity]
                .map(|other| row.sweeps_by_default(ccd, &other));
            assert_eq!(found, [fixed, moving], "{name} {ccd:?}");
        }
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
            (
                engine("mujoco", None),
                "MuJoCo (version assumed: 4 or later)",
            ),
            (engine("mujoco 3", None), "MuJoCo 3"),
            (with("mujoco", "v4.0"), "MuJoCo 4.0"),
            (with("mujoco", "main"), "MuJoCo before 4"),
            (engine("rapier3d 0.36.1", None), "rapier 0.36.1"),
            (engine("jolt", None), "Jolt"),
            (engine("jolt 5.3", None), "Jolt"),
        ] {
            assert_eq!(title(&engine).as_deref(), Some(text));
        }
    }

    #[test]
    fn the_slop_of_a_level_is_the_greater_of_its_margin_and_its_engine() {
        let jolt = engine("jolt", None);
        assert_eq!(slop(&jolt), Some(0.02));
        for (margin, most) in [(0.1, 0.1), (0.01, 0.02)] {
            let own = Engine {
                margin: Some(margin),
                ..jolt.clone()
            };
            assert_eq!(slop(&own), Some(most));
        }
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
