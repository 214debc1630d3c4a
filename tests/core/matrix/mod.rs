//! The matrix: every sort of body, against every sort of obstacle, for everything that happens between two, in every detail of a log.
//!
//! What is right in a cell follows from the kinds and causes of docs/causes.md and from motion along the normal of the plane y = 0.
//! `cargo test --no-default-features --test core published_matrix -- --ignored --nocapture` prints the table; `UPDATE_DOCS=1` writes it,
//! `MATRIX_ONE_IN` judges one of so many logs, and `MATRIX_WRONG` names a folder for those that are judged wrongly.

mod happens;
mod log;
mod motions;
mod movers;
mod obstacles;
mod table;
mod truth;

use super::common::is_full;
use super::common::levels::opened;
use happens::{Happens, Log, Pair, Turns};
use hitstop::core::diagnose::{Options, diagnose};
use log::{Detail, World};
use rayon::prelude::*;
use table::{Cell, Table};

/// Of this many logs, a run of the suite judges one. A prime, so that it meets every row and column.
const THINNED: usize = 31;

/// More than the logs of one cell.
const MOST: usize = 100;

/// Radians a frame of a body that turns.
const TURN: f64 = 0.3;

/// Judges the logs whose number passes the filter.
fn judged(chosen: impl Fn(usize) -> bool + Sync) -> Table {
    let happens = happens::all();
    let (movers, obstacles) = (movers::movers(), obstacles::obstacles());
    let (flat_movers, flat_obstacles) = (movers::flat_movers(), obstacles::flat_obstacles());
    let rows: Vec<(bool, Pair<'_>)> = [
        (false, &movers, &obstacles),
        (true, &flat_movers, &flat_obstacles),
    ]
    .into_iter()
    .flat_map(|(is_flat, movers, obstacles)| {
        let pairs = movers.iter().flat_map(move |mover| {
            obstacles
                .iter()
                .map(move |obstacle| Pair { mover, obstacle })
        });
        pairs.map(move |pair| (is_flat, pair))
    })
    .collect();
    let cell = |number: usize| {
        let (is_flat, pair) = rows[number / happens.len()];
        let happens = &happens[number % happens.len()];
        let chosen = |index: usize| chosen(number * MOST + index);
        let world = match (is_flat, happens.is_across) {
            (false, _) => World::Space,
            (true, false) => World::Along,
            (true, true) => World::Across,
        };
        cell_of(world, pair, happens, chosen)
    };
    let count = rows.len() * happens.len();
    let cells = (0..count).into_par_iter().map(cell).collect();
    Table {
        rows: rows
            .iter()
            .map(|(_, pair)| [pair.mover.name, pair.obstacle.name])
            .collect(),
        columns: happens.iter().map(|happens| happens.name).collect(),
        cells,
    }
}

fn cell_of(
    world: World,
    pair: Pair<'_>,
    happens: &Happens,
    chosen: impl Fn(usize) -> bool,
) -> Cell {
    if world == World::Across && pair.obstacle.seams == obstacles::Seams::Between {
        return Cell::LeftOut("the border of a flat row is that of a flat box");
    }
    let logs = match (happens.logs)(pair) {
        Ok(logs) => logs,
        Err(reason) => return Cell::LeftOut(reason),
    };
    let mut count = 0;
    let (mut right, mut total, mut wrong) = (0, 0, Vec::new());
    for (index, mut log) in logs.into_iter().enumerate() {
        // In a flat level the turn is about the axis out of it, and not about the normal.
        let may_turn = (happens.turns == Turns::All && !world.is_flat()) || pair.mover.is_round;
        for turn in [0.0, TURN].into_iter().take(if may_turn { 2 } else { 1 }) {
            log.states.iter_mut().for_each(|state| state.turn = turn);
            for (detail, truth) in &log.truths {
                count += 1;
                if !chosen(count) {
                    continue;
                }
                total += 1;
                let text = text_of(world, pair, &log, *detail);
                let said = said(text.clone(), truth);
                right += usize::from(said.is_none());
                let turns = if turn == 0.0 { "" } else { ", turning" };
                let title = format!(
                    "{} on {}: {} ({index}{turns}, {detail:?})",
                    pair.mover.name, pair.obstacle.name, happens.name
                );
                wrong.extend(said.map(|said| table::Wrong {
                    title,
                    truth: truth.to_string(),
                    said,
                    text,
                }));
            }
        }
    }
    assert!(count < MOST, "{} has {count} logs", happens.name);
    Cell::Judged {
        right,
        total,
        wrong,
    }
}

fn text_of(world: World, pair: Pair<'_>, log: &Log, detail: Detail) -> String {
    let mut objects = Vec::new();
    for place in &log.places {
        objects.extend(pair.obstacle.objects(world, objects.len() + 1, *place));
    }
    log::text(world, pair.mover, objects, &log.states, detail)
}

/// What is said instead of the truth; `None` if it is right.
fn said(text: String, truth: &truth::Truth) -> Option<String> {
    let level = opened("cell.jsonl", text);
    let report = diagnose(&level, &Options::default(), &()).expect("not cancelled");
    (!truth.is_right(&report)).then(|| truth::said(&report))
}

#[test]
fn every_cell_of_the_matrix_is_right() {
    let table = judged(|number| is_full() || number % THINNED == 0);
    table.write_wrong();
    table.assert_right();
}

#[test]
#[ignore = "takes minutes; prints the table of docs/accuracy.md"]
fn the_published_matrix() {
    let given = std::env::var("MATRIX_ONE_IN").ok();
    let one_in: usize = given.map_or(1, |text| text.parse().expect("a number"));
    let table = judged(|number| number % one_in == 0);
    println!("{table}");
    table.write_wrong();
    if std::env::var_os("UPDATE_DOCS").is_some() && one_in == 1 {
        table.write_document();
    }
    table.assert_right();
}
