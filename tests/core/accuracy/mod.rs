//! Accuracy of diagnosis on levels whose truth is computed by brute force: docs/accuracy.md.
//!
//! `cargo test --no-default-features --test core published_table -- --ignored --nocapture` prints its table; `ACCURACY_SEED` and `ACCURACY_LEVELS`
//! choose other levels, and `UPDATE_DOCS` writes the document.
#![expect(
    clippy::disallowed_methods,
    reason = "the generator makes no vector of no length, and the oracle shares no code with the library"
)]

mod engine_data;
mod geometry;
mod judge;
mod levels;
mod replays;
mod rotating;
mod round;
mod stats;
mod straight;
mod truth;

use hitstop::core::diagnose::Kind;
use rayon::prelude::*;
use stats::Stats;
use std::path::Path;

/// The published levels.
const SEED: u64 = 20_250_101;
const LEVELS: u64 = 40;

fn run(seed: u64, levels: u64) -> Stats {
    let one = |level: u64| {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(level);
        let parts = [
            judge::recorded,
            judge::stepped,
            judge::rotating,
            judge::tiled,
            engine_data::contacts,
            engine_data::queries,
            engine_data::camera,
        ];
        let add = |sum: Stats, part: fn(u64) -> Stats| sum.add(part(seed));
        parts.into_iter().fold(Stats::default(), add)
    };
    let levels = (0..levels).into_par_iter().map(one);
    levels.reduce(Stats::default, Stats::add)
}

/// The line of the document above its table.
fn heading(seed: u64, levels: u64) -> String {
    format!("Seed {seed}, {levels} levels of each sort.\n")
}

fn document(stats: &Stats) -> String {
    let (first, rest) = (first(), rest());
    format!(
        "{first}\n{}\n{}{rest}",
        heading(SEED, LEVELS),
        stats.table()
    )
}

/// What comes before the table: the fixes, reports and reproductions that were tried in engines, and how the table is made.
fn first() -> String {
    [
        include_str!("head.md"),
        include_str!("engines.md"),
        include_str!("reports.md"),
        include_str!("repros.md"),
        include_str!("document.md"),
    ]
    .concat()
}

/// What follows the table: the matrix, the mutants, and the limits.
fn rest() -> String {
    [
        include_str!("matrix.md"),
        include_str!("mutants.md"),
        include_str!("limits.md"),
    ]
    .concat()
}

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/accuracy.md")
}

/// The most disagreements in the published table, as a share of its true events: what its limits name.
const MOST_WRONG: f64 = 1e-3;

/// A small set of levels at every test run: every true event is found, and nothing else.
#[test]
fn every_event_is_found_and_no_false_one() {
    let stats = run(7, 5);
    let text = stats.disagreements.join("\n");
    assert!(text.is_empty(), "{}\n{text}", stats.table());
    for kind in judge::KINDS
        .into_iter()
        .chain([Kind::Phantom, Kind::CameraCrosses])
    {
        assert!(stats.rows[&kind].events > 0, "no {} to find", kind.name());
    }
    assert!(stats.object_frames > 2000);
    assert!(100 * stats.undecided < stats.near, "{}", stats.table());
}

/// The document has the text and the settings of this module, and a table with no more missed events and false findings than its limits name.
#[test]
fn the_document_matches_its_levels() {
    let text = std::fs::read_to_string(path()).expect("docs/accuracy.md");
    let (first, rest) = (first(), rest());
    assert!(text.starts_with(&first) && text.ends_with(&rest));
    let text = &text[first.len()..text.len() - rest.len()];
    assert!(text.contains(&heading(SEED, LEVELS)));
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains(" %"))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), judge::KINDS.len() + 3);
    let counts = |row: &Vec<&str>| [2, 3, 5].map(|column| row[column].parse().expect("a count"));
    let all = rows.iter().find(|row| row[1] == "all").expect("the sum");
    let [events, found, false_ones]: [f64; 3] = counts(all);
    assert!(
        events - found + false_ones <= MOST_WRONG * events,
        "{all:?}"
    );
}

#[test]
#[ignore = "takes minutes; prints the table of docs/accuracy.md"]
fn the_published_table() {
    let number = |name: &str, usual: u64| {
        let given = std::env::var(name).ok();
        given.map_or(usual, |text| text.parse().expect("a number"))
    };
    let (seed, levels) = (
        number("ACCURACY_SEED", SEED),
        number("ACCURACY_LEVELS", LEVELS),
    );
    let stats = run(seed, levels);
    println!("{}\n{}", heading(seed, levels), stats.table());
    for text in &stats.disagreements {
        println!("{text}");
    }
    assert!(stats.object_frames >= 25_000 || levels < LEVELS);
    let most = MOST_WRONG * stats.sum().events as f64;
    assert!(stats.disagreements.len() as f64 <= most);
    if std::env::var_os("UPDATE_DOCS").is_some() && (seed, levels) == (SEED, LEVELS) {
        std::fs::write(path(), document(&stats)).expect("docs/accuracy.md can be written");
    }
}
