//! Every file in `scenes/` is a demo, a fixture and a bug report at once: it opens, and its findings are exactly those it expects.

use crate::common::{is_full, sentences::check_report};
use hitstop::core::diagnose::what_if::what_if;
use hitstop::core::diagnose::{Cause, Finding, Fix, Kind, Options, Report, diagnose};
use hitstop::core::level;
use hitstop::core::scene::{DiskFolder, FINDING_KINDS, MemoryFolder, parse, write};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

pub fn scenes(ending: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let mut found: Vec<PathBuf> = [root.clone(), root.join("recordings")]
        .iter()
        .flat_map(|folder| folder.read_dir().unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|own| own == ending))
        .collect();
    found.sort();
    assert!(!found.is_empty());
    found
}

pub fn report(path: &Path) -> Report {
    let level = level::open(path, &()).unwrap_or_else(|problems| panic!("{problems}"));
    diagnose(&level, &Options::default(), &()).expect("not cancelled")
}

#[test]
fn every_scene_reports_exactly_its_expectations() {
    let mut wrong = Vec::new();
    for path in scenes("ron") {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let report = report(&path);
        assert!(!report.expectations.is_empty(), "{name} expects nothing");
        for expectation in report
            .expectations
            .iter()
            .filter(|expectation| !expectation.passed)
        {
            wrong.push(format!(
                "{name}: {} failed, got {}",
                expectation.text, expectation.got
            ));
        }
        for finding in report.findings.iter().filter(|finding| !finding.expected) {
            wrong.push(format!(
                "{name}: unexpected {} {}: {}",
                finding.kind.name(),
                finding.cause.id(),
                finding.text
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The sentences, also those of *what if*; the report, read back from its JSON; and each fix against that search, which tests the real shapes at 64 phases.
#[test]
fn every_sentence_is_complete_and_every_fix_holds_in_every_scene_and_log() {
    let (mut asked, mut compared) = (0, 0);
    let mut alike = HashMap::new();
    for path in [scenes("ron"), scenes("jsonl")].concat() {
        let level = level::open(&path, &()).unwrap_or_else(|problems| panic!("{problems}"));
        let mut report = diagnose(&level, &Options::default(), &()).expect("not cancelled");
        // Of findings with equal values, the first few: of each level in a full run, else of all levels.
        if is_full() {
            alike.clear();
        }
        for finding in report.findings.iter_mut() {
            let count = alike.entry((finding.kind, finding.cause)).or_insert(0);
            *count += 1;
            if *count > if is_full() { 20 } else { 3 } {
                continue;
            }
            finding.what_if = what_if(&level.replay, finding, &());
            asked += usize::from(finding.what_if.is_some());
            compared += against_what_if(finding);
        }
        check_report(&report);
        let json = serde_json::to_string(&report).unwrap();
        let again: Report = serde_json::from_str(&json).unwrap();
        assert_eq!(serde_json::to_string(&again).unwrap(), json);
    }
    assert!(
        asked > 30 && compared > 100,
        "{asked} searched, {compared} compared"
    );
}

/// Number of values of a finding's fixes that are no better than those that the search found to be enough.
fn against_what_if(finding: &Finding) -> usize {
    let Some(answer) = &finding.what_if else {
        return 0;
    };
    let with = |fix| std::iter::successors(Some(fix), |fix: &&Fix| fix.with.as_deref());
    let mut compared = 0;
    for fix in finding.fixes.iter().flat_map(with) {
        let Some(change) = answer.changes.iter().find(|change| change.what == fix.what) else {
            continue;
        };
        // A surface can be made a solid, and a rotation has another speed: neither is searched.
        let searched = change.detects.is_some();
        for (value, enough) in [(fix.holds, change.holds), (fix.detects, change.detects)] {
            let Some(value) = value.filter(|_| searched) else {
                continue;
            };
            // No change is needed, so the search has no limit.
            if enough.is_some_and(|enough| enough.below.is_none()) {
                continue;
            }
            let enough = enough.map(|enough| enough.after);
            let is_enough = |enough: f64| match change.what.bound() {
                "up to" => value <= enough * (1.0 + 1e-6),
                _ => value >= enough * (1.0 - 1e-6),
            };
            assert!(
                enough.is_some_and(is_enough),
                "{fix}: {change:?} of {finding:#?}"
            );
            compared += 1;
        }
    }
    compared
}

#[test]
fn the_recorded_level_tunnels_and_its_clean_twin_does_not() {
    let warehouses = scenes("jsonl")
        .into_iter()
        .filter(|path| path.to_string_lossy().contains("warehouse"));
    for path in warehouses {
        let tunnels = report(&path)
            .findings
            .iter()
            .filter(|finding| finding.kind == Kind::Tunnels)
            .count();
        if path.to_string_lossy().contains("ccd") {
            assert_eq!(tunnels, 0, "{}", path.display());
        } else {
            assert!(tunnels > 0, "{}", path.display());
        }
    }
}

#[test]
fn every_scene_is_written_back_to_an_equal_scene() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes");
    let folder = DiskFolder { root };
    for path in scenes("ron") {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(&path).unwrap();
        let scene = parse(&text, &name, &folder).unwrap_or_else(|problems| panic!("{problems}"));
        let again =
            parse(&write(&scene), &name, &folder).unwrap_or_else(|problems| panic!("{problems}"));
        assert_eq!(scene, again, "{name}");
    }
}

#[test]
fn a_report_is_the_same_on_every_run_and_any_number_of_threads() {
    let all = [scenes("ron"), scenes("jsonl")].concat();
    for path in all.iter().step_by(all.len() / 5) {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| report(path))
        };
        let one = on(1);
        assert_eq!(one, on(2), "{}", path.display());
        assert_eq!(one, on(7), "{}", path.display());
    }
}

/// Scenes do not depend on diagnosis, so they have their own list of its names.
#[test]
fn expectations_use_the_names_of_diagnosis() {
    assert_eq!(FINDING_KINDS, Kind::ALL.map(Kind::name));
    for cause in Cause::ALL {
        let text = format!(
            "Scene(version: 1, name: \"x\", dt: 1, frames: 1, objects: [(name: \"a\", shape: Sphere(radius: 1))], expect: [Finds(kind: Tunnels, cause: {})])",
            cause.id()
        );
        parse(&text, "x.ron", &MemoryFolder::default())
            .unwrap_or_else(|problems| panic!("{problems}"));
    }
}
