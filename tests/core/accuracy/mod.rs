//! How often diagnosis is right, where the truth is known by brute force: docs/accuracy.md.
//!
//! `cargo test --no-default-features --test core published_table -- --ignored --nocapture` prints its table; `ACCURACY_SEED` and `ACCURACY_LEVELS`
//! choose other levels, and more of them, `UPDATE_DOCS` writes the document anew.
#![expect(
    clippy::disallowed_methods,
    reason = "the generator makes no vector of no length, and the oracle shares no code with the library"
)]

mod geometry;
mod judge;
mod levels;
mod played;
mod round;
mod tally;
mod truth;
mod turned;
mod views;

use hitstop::core::diagnose::Kind;
use rayon::prelude::*;
use std::path::Path;
use tally::Tally;

/// The published levels.
const SEED: u64 = 20_250_101;
const LEVELS: u64 = 400;

fn run(seed: u64, levels: u64) -> Tally {
    let one = |level: u64| {
        let seed = seed.wrapping_mul(1_000_003).wrapping_add(level);
        let parts = [
            judge::recorded,
            judge::stepped,
            judge::turning,
            views::contacts,
            views::queries,
            views::camera,
        ];
        let add = |sum: Tally, part: fn(u64) -> Tally| sum.add(part(seed));
        parts.into_iter().fold(Tally::default(), add)
    };
    let levels = (0..levels).into_par_iter().map(one);
    levels.reduce(Tally::default, Tally::add)
}

/// What the document says of the run, above its table.
fn heading(seed: u64, levels: u64) -> String {
    format!("Seed {seed}, {levels} levels of each sort.\n")
}

fn document(tally: &Tally) -> String {
    let (text, limits) = (include_str!("document.md"), include_str!("limits.md"));
    format!(
        "{text}\n{}\n{}{limits}",
        heading(SEED, LEVELS),
        tally.table()
    )
}

fn path() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/accuracy.md")
}

fn all_right(tally: &Tally) {
    let shown: Vec<&str> = tally
        .disagreements
        .iter()
        .take(12)
        .map(String::as_str)
        .collect();
    assert!(
        tally.disagreements.is_empty(),
        "{}\n{} disagreements, of them:\n{}",
        tally.table(),
        tally.disagreements.len(),
        shown.join("\n")
    );
}

/// Some levels, at every run of the tests: everything true is found, and nothing else.
#[test]
fn every_event_is_found_and_no_false_one() {
    let tally = run(7, 4);
    all_right(&tally);
    for kind in judge::KINDS
        .into_iter()
        .chain([Kind::Phantom, Kind::CameraCrosses])
    {
        assert!(tally.rows[&kind].events > 0, "no {} to find", kind.name());
    }
    assert!(tally.object_frames > 2000);
    assert!(100 * tally.undecided < tally.near, "{}", tally.table());
}

/// The document is that of these levels, and its table tells of no event that was missed and of no false one.
#[test]
fn the_document_is_that_of_these_levels() {
    let text = std::fs::read_to_string(path()).expect("docs/accuracy.md");
    let (before, after) = (include_str!("document.md"), include_str!("limits.md"));
    assert!(text.starts_with(before) && text.ends_with(after));
    assert!(text.contains(&heading(SEED, LEVELS)));
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains('%'))
        .map(|line| line.split('|').map(str::trim).collect())
        .collect();
    assert_eq!(rows.len(), judge::KINDS.len() + 3);
    for row in rows {
        assert_eq!((row[2], row[5]), (row[3], "0"), "{row:?}");
    }
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
    let tally = run(seed, levels);
    println!("{}\n{}", heading(seed, levels), tally.table());
    for text in &tally.disagreements {
        println!("{text}");
    }
    assert!(tally.object_frames >= 100_000 || levels < LEVELS);
    all_right(&tally);
    if std::env::var_os("UPDATE_DOCS").is_some() && (seed, levels) == (SEED, LEVELS) {
        std::fs::write(path(), document(&tally)).expect("docs/accuracy.md can be written");
    }
}
