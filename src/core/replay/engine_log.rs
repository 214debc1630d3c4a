//! What a log has of the program and its engine beside the bodies, as a list: queries, lines, states that change, marks that appear, and moves
//! that are stopped.

use super::recording::{LoggedQuery, QueryKind};
use super::{LoggedMove, LoggedNote, NoteKind, NoteLevel, NoteValue, ObjectId, Recording, Replay};
use crate::core::escape::escaped;
use crate::core::number::{count, listed, significant};
use crate::core::progress::Progress;
use crate::core::scene::UserUnits;
use glam::DVec3;
use std::collections::HashMap;

/// Rows of a list at most (a count).
const MOST_ROWS: usize = 20_000;
/// Named values and marks that are followed at most (a count).
const MOST_STATES: usize = 4_096;
/// Lines of a log between two progress reports (a count).
const REPORT_LINES: usize = 256;
/// Frames with entries of which the kinds are looked at (a count).
const LOOKED_AT: usize = 64;
/// Share of a way below which a move is stopped (no unit).
const WENT: f64 = 0.9;

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineLogKind {
    /// A ray or a sweep, with its number in the log.
    Query(usize),
    /// A line of the program's log.
    Line(NoteLevel),
    /// A flag or a named state that is another than before.
    State,
    /// A place in the level, where the state before has no mark of that name.
    Mark,
    /// A move that is stopped, where that of the state before goes on, or that leaves the floor.
    Move,
}

impl EngineLogKind {
    /// Its bit in [`EngineLog::kinds`]: the higher, the more important, and mostly the rarer.
    pub fn bit(self) -> u8 {
        1 << match self {
            Self::Query(_) => 0,
            Self::Line(NoteLevel::Debug | NoteLevel::Info) => 1,
            Self::State => 2,
            Self::Mark => 3,
            Self::Move => 4,
            Self::Line(NoteLevel::Warning) => 5,
            Self::Line(NoteLevel::Error) => 6,
        }
    }
}

/// A row of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct EngineLogRow {
    /// The state: an index of [`Recording::frames`].
    pub state: u32,
    /// What it is.
    pub kind: EngineLogKind,
    /// The object that it is about, and the one that is hit.
    pub objects: [Option<ObjectId>; 2],
    /// A sentence.
    pub text: String,
    /// The ends of a query, the corners of a mark: world, metres.
    pub place: Option<[DVec3; 2]>,
}

/// The rows that fit, by state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EngineLog {
    /// The first of them.
    pub rows: Vec<EngineLogRow>,
    /// Further ones.
    pub more: usize,
    /// What fits of each state, of the further ones too: bits of [`EngineLogKind::bit`]. It ends with the last state of which anything does.
    pub kinds: Vec<u8>,
}

/// Lists what fits; `None` if it is cancelled. A stepped scene has none.
pub fn engine_log(
    replay: &Replay,
    fits: impl Fn(&EngineLogRow) -> bool,
    progress: &impl Progress,
) -> Option<EngineLog> {
    let mut found = EngineLog::default();
    let Some(recording) = replay.recording() else {
        return Some(found);
    };
    let mut before = Before::default();
    let totals = recording.data.totals();
    let frames = &recording.frames;
    for (state, frame) in frames.iter().enumerate() {
        if state.is_multiple_of(REPORT_LINES) {
            progress.report(state as u64, frames.len() as u64);
            if progress.cancelled() {
                return None;
            }
        }
        let next = frames.get(state + 1).map_or(totals, |next| next.first);
        let mut add = |kind, objects, place, text| {
            let row = EngineLogRow {
                state: state as u32,
                kind,
                objects,
                text,
                place,
            };
            if !fits(&row) {
                return;
            }
            found.kinds.resize(state + 1, 0);
            found.kinds[state] |= kind.bit();
            match found.rows.len() < MOST_ROWS {
                true => found.rows.push(row),
                false => found.more += 1,
            }
        };
        if next.queries > frame.first.queries {
            let data = recording.data.events(state);
            for (number, query) in (frame.first.queries..).zip(&data.queries) {
                let hit = query.hit.map(|hit| hit.object);
                let text = query_text(recording, query);
                let end = query.hit.map_or(1.0, |hit| hit.fraction);
                let place = [query.from, query.from.lerp(query.to, end)];
                let objects = [query.object, hit];
                add(EngineLogKind::Query(number), objects, Some(place), text);
            }
        }
        if next.notes > frame.first.notes {
            for note in recording.data.notes(state) {
                let objects = [note.object, None];
                let units = replay.units();
                if let Some((kind, text)) = note_row((recording, units), &note, state, &mut before)
                {
                    add(kind, objects, place_of(&note.kind), text);
                }
            }
        }
    }
    Some(found)
}

/// The corners of a mark.
fn place_of(kind: &NoteKind) -> Option<[DVec3; 2]> {
    let NoteKind::Mark(mark) = kind else {
        return None;
    };
    let corner = |corner: fn(DVec3, DVec3) -> DVec3| mark.points.iter().copied().reduce(corner);
    Some([corner(DVec3::min)?, corner(DVec3::max)?])
}

/// The kinds of entries that a recording has, in its first frames with such: `moves`.
pub fn logged_kinds(recording: &Recording) -> Vec<&'static str> {
    let totals = recording.data.totals();
    let noted = recording.frames.windows(2).map(|pair| pair[1].first.notes);
    let noted = noted.chain([totals.notes]).enumerate();
    let noted = noted.filter(|(state, end)| *end > recording.frames[*state].first.notes);
    let mut found = [false; 4];
    for (state, _) in noted.take(LOOKED_AT) {
        for note in recording.data.notes(state) {
            let kind = match note.kind {
                NoteKind::Move(_) => 0,
                NoteKind::Mark(_) => 1,
                NoteKind::Value(_) => 2,
                NoteKind::Line(_) => 3,
            };
            found[kind] = true;
        }
    }
    let kinds = ["moves of characters", "marks", "values", "lines"];
    let queries = (totals.queries > 0).then_some("queries");
    let notes = kinds.into_iter().zip(found).filter(|(_, found)| *found);
    notes.map(|(kind, _)| kind).chain(queries).collect()
}

/// `ray "ground" of player hits floor at 0.41`: what the program calls it is not the name of an object.
fn query_text(recording: &Recording, query: &LoggedQuery) -> String {
    let mut text = match query.kind {
        QueryKind::Ray => "ray".to_owned(),
        QueryKind::Sweep => "sweep".to_owned(),
    };
    if let Some(tag) = &query.tag {
        text += &format!(" \"{}\"", escaped(tag));
    }
    if let Some(id) = query.object {
        text += &format!(" of {}", name(recording, id));
    }
    match query.hit {
        Some(hit) => {
            let (object, at) = (name(recording, hit.object), significant(hit.fraction, 4));
            text + &format!(" hits {object} at {at}")
        }
        None => text + " hits nothing",
    }
}

/// What was logged before, by object and name.
#[derive(Default)]
struct Before {
    values: HashMap<(Option<u32>, String), NoteValue>,
    /// The latest state with the mark.
    marks: HashMap<(Option<u32>, String), usize>,
    /// The latest state with a move that was stopped.
    moves: HashMap<Option<u32>, usize>,
    /// Whether the controller said that it stands on a floor.
    grounded: HashMap<Option<u32>, bool>,
}

/// Sets the value of a key, unless too many are followed; returns the value before.
fn replaced<K: Eq + std::hash::Hash, V>(map: &mut HashMap<K, V>, key: K, value: V) -> Option<V> {
    match map.len() < MOST_STATES || map.contains_key(&key) {
        true => map.insert(key, value),
        false => None,
    }
}

/// A note's row; `None` for a number, for a value that is the same as before, and for a mark or a stop that goes on.
fn note_row(
    (recording, units): (&Recording, UserUnits),
    note: &LoggedNote,
    state: usize,
    before: &mut Before,
) -> Option<(EngineLogKind, String)> {
    let key = || (note.object, note.text.clone());
    let text = escaped(&note.text);
    let of = note.object.map(|id| name(recording, id));
    let about = of.as_ref().map_or_else(String::new, |of| format!("{of}: "));
    Some(match &note.kind {
        NoteKind::Line(level) => (EngineLogKind::Line(*level), format!("{about}{text}")),
        NoteKind::Value(NoteValue::Number(_)) => return None,
        NoteKind::Value(value) => {
            if replaced(&mut before.values, key(), value.clone()).as_ref() == Some(value) {
                return None;
            }
            (EngineLogKind::State, format!("{about}{text} is {value}"))
        }
        NoteKind::Mark(mark) => {
            let latest = replaced(&mut before.marks, key(), state);
            if latest.is_some_and(|latest| latest + 1 >= state) {
                return None;
            }
            let of = of.map_or_else(String::new, |of| format!(" of {of}"));
            let points = match mark.points.len() {
                1 => String::new(),
                points => format!(", {}", count(points, "point")),
            };
            (EngineLogKind::Mark, format!("mark \"{text}\"{of}{points}"))
        }
        NoteKind::Move(made) => {
            let stood =
                (made.grounded).and_then(|now| replaced(&mut before.grounded, note.object, now));
            if stood == Some(true) && made.grounded == Some(false) {
                let of = of.unwrap_or_default();
                return Some((EngineLogKind::Move, of + " leaves the floor"));
            }
            let stopped = stopped_text(recording, units, made)?;
            let latest = replaced(&mut before.moves, note.object, state);
            if latest.is_some_and(|latest| latest + 1 >= state) {
                return None;
            }
            let of = of.unwrap_or_default();
            (EngineLogKind::Move, of + &stopped)
        }
    })
}

/// ` meets step: 0.02 m of 0.1 m`; `None` of a move that goes on.
fn stopped_text(recording: &Recording, units: UserUnits, made: &LoggedMove) -> Option<String> {
    let up = made.up.and_then(DVec3::try_normalize).unwrap_or(DVec3::Y);
    let asked = made.wish.reject_from_normalized(up);
    let went = (made.to - made.from).dot(asked.try_normalize()?);
    if went >= WENT * asked.length() {
        return None;
    }
    let mut met: Vec<ObjectId> = made.met().collect();
    met.sort_unstable();
    met.dedup();
    let met: Vec<String> = met.into_iter().map(|id| name(recording, id)).collect();
    let met = match met.is_empty() {
        true => " is stopped".to_owned(),
        false => format!(" meets {}", listed(&met, 3)),
    };
    let (went, asked) = (units.length(went), units.length(asked.length()));
    Some(format!("{met}: {went} of {asked}"))
}

fn name(recording: &Recording, id: ObjectId) -> String {
    let object = recording.objects.get(id as usize);
    object.map_or_else(|| "?".to_owned(), |object| escaped(&object.name).into())
}
