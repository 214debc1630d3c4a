//! Seeded levels, each judged as it is and changed in a way that changes nothing: the same solid written otherwise, the level rotated, moved,
//! mirrored, in other units, in another order.
//!
//! `METAMORPHIC_SEED` and `METAMORPHIC_LEVELS` choose other levels of the test that takes minutes.

mod changes;
mod compare;
pub mod levels;
pub mod scene;
mod solid;
mod writings;

use super::common::levels::opened;
use super::common::random::Random;
use super::common::rounds;
use changes::Change;
use compare::Differs;
use glam::DVec3;
use hitstop::core::diagnose::{Options, Report, diagnose};
use rayon::prelude::*;
use scene::Scene;
use serde_json::Value;
use solid::Solid;
use std::collections::BTreeMap;

const SEED: u64 = 37;

/// Levels of each change in a full run.
const LEVELS: u64 = 30;

fn array(vector: DVec3) -> Value {
    Value::from(vector.to_array().to_vec())
}

/// Two logs of the same level that are judged differently.
struct Difference {
    seed: u64,
    change: String,
    differs: Differs,
    text: String,
    logs: [String; 2],
}

fn judged(scene: &Scene) -> Report {
    let level = opened("level.jsonl", scene.text());
    diagnose(&level, &Options::default(), &()).expect("not cancelled")
}

fn compared(change: &Change, seed: u64) -> Option<Difference> {
    let random = &mut Random(seed);
    let scene = levels::level(random, change.ground);
    let mut changed = scene.clone();
    (change.apply)(&mut changed, random);
    let (differs, text) = compare::difference(&judged(&scene), &judged(&changed), change.same)?;
    (!is_explained(&scene, &changed)).then(|| Difference {
        seed,
        change: format!("{:?} {}", change.ground, change.name),
        differs,
        text,
        logs: [scene.text(), changed.text()],
    })
}

/// Differences that are meant.
fn is_explained(scene: &Scene, changed: &Scene) -> bool {
    // A closed mesh is hollow for an engine: a body that is wholly inside touches none of its triangles.
    let is_hollow = |scene: &Scene| matches!(scene.things[0].solid, Solid::Mesh(_));
    !is_hollow(scene) && is_hollow(changed) && ends_inside(scene)
}

/// Whether a body is wholly inside the box that is the obstacle at some state.
fn ends_inside(scene: &Scene) -> bool {
    let ground = &scene.things[0];
    let (Solid::Box { half, .. }, Some((at, turned))) = (&ground.solid, ground.fixed) else {
        return false;
    };
    let is_inside = |body: &scene::Moving| {
        let thing = scene
            .things
            .iter()
            .find(|thing| thing.id == body.id)
            .expect("a thing of each body");
        let within = |axis: DVec3| {
            let along = turned * axis;
            (body.p - at).dot(along) + thing.solid.extent(body.q.inverse() * along)
                < half.dot(axis.abs())
        };
        DVec3::AXES
            .into_iter()
            .all(|axis| within(axis) && within(-axis))
    };
    scene
        .lines
        .iter()
        .flat_map(|line| &line.bodies)
        .any(is_inside)
}

fn run(seed: u64, levels: u64) -> Vec<Difference> {
    let changes = changes::all();
    let cases: Vec<(usize, u64)> = (0..changes.len())
        .flat_map(|change| (0..levels).map(move |level| (change, level)))
        .collect();
    let one = |(change, level): &(usize, u64)| {
        let seed = seed
            .wrapping_mul(1_000_003)
            .wrapping_add(*level)
            .wrapping_mul(101)
            .wrapping_add(*change as u64);
        compared(&changes[*change], seed)
    };
    cases.par_iter().filter_map(one).collect()
}

/// Writes the logs of each difference into a temporary folder, and fails if there are any.
fn assert_none(differences: &[Difference]) {
    let folder = std::env::temp_dir().join("hitstop_metamorphic");
    let mut counts = BTreeMap::new();
    let mut shown = String::new();
    for difference in differences {
        let Difference {
            seed,
            change,
            differs,
            text,
            logs,
        } = difference;
        let count = counts.entry((change, *differs)).or_insert(0);
        *count += 1;
        if *count > 3 {
            continue;
        }
        std::fs::create_dir_all(&folder).expect("a temporary folder");
        for (name, log) in ["as_it_is", "changed"].into_iter().zip(logs) {
            let file = folder.join(format!("{seed}_{name}.jsonl"));
            std::fs::write(file, log).expect("a log can be written");
        }
        shown += &format!("{change} (seed {seed}), {differs:?}: {text}\n");
    }
    assert!(
        differences.is_empty(),
        "{shown}{} levels are judged otherwise when changed, {counts:#?}; the logs are in {}",
        differences.len(),
        folder.display()
    );
}

#[test]
fn a_level_is_judged_the_same_however_it_is_written() {
    assert_none(&run(SEED, rounds(LEVELS)));
}

#[test]
#[ignore = "takes minutes; METAMORPHIC_SEED and METAMORPHIC_LEVELS choose the levels"]
fn many_levels_are_judged_the_same_however_they_are_written() {
    let number = |name: &str, usual: u64| {
        let given = std::env::var(name).ok();
        given.map_or(usual, |text| text.parse().expect("a number"))
    };
    assert_none(&run(
        number("METAMORPHIC_SEED", SEED),
        number("METAMORPHIC_LEVELS", 4 * LEVELS),
    ));
}
