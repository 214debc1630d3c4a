//! Reads what the program says for itself. Nothing is judged by it, so that an entry of another form costs no frame: it is left out, with one
//! notice for all of its kind.

use super::super::json::FrameLine;
use super::super::json_notes::{
    Entries, Lenient, MarkLine, MoveLine, MoveSweepLine, TextLine, ValueLine, ValueWord,
};
use super::super::open_fields::Open;
use super::Reader;
use crate::core::replay::{
    LoggedMove, LoggedNote, MOST_VALUE_NAMES, MoveHit, MoveSweep, NoteKind, NoteLevel, NoteMark,
    NoteValue,
};
use crate::core::scene::relative_path;
use crate::core::schema::{Number, Vec3};
use crate::core::tolerance::MAX_MAGNITUDE;
use glam::DVec3;

/// Entries of a kind in a line that are kept.
const MOST_NOTES: usize = 1024;
/// Letters of a text that are kept.
const MOST_LETTERS: usize = 1000;
/// Points of a mark, and sweeps of a move, that are kept.
const MOST_POINTS: usize = 256;
/// The largest tick: whole numbers up to it are exact.
const MOST_TICK: f64 = (1_u64 << 53) as f64;
/// Letters of a sweep's kind that are kept.
const MOST_KIND_LETTERS: usize = 64;

impl Reader<'_> {
    /// Adds the lines of the program's log, its values, its marks and the moves of its characters.
    pub(super) fn notes(&mut self, line: &mut FrameLine, number: usize) {
        let log = std::mem::take(&mut line.log);
        let form =
            "a line of `log` is a text, or {\"text\": \"..\", \"id\": 0, \"level\": \"warning\"}";
        self.add("a line of `log`", log, form, number, |reader, line| {
            let (text, id, word) = match line {
                TextLine::Plain(text) => (text, None, None),
                TextLine::Full(Open { value, unknown }) => {
                    reader.ignore("a line of `log`", unknown, number);
                    (value.text, value.id, value.level)
                }
            };
            Some((id, text, NoteKind::Line(level(word.as_deref()))))
        });
        let form = "a value is {\"name\": \"..\", \"value\": 1.5}, with true or false, or with `text` in place of `value`";
        let values = std::mem::take(&mut line.values);
        self.add("a value", values, form, number, |reader, line| {
            let Open {
                value: line,
                unknown,
            }: Open<ValueLine> = line;
            reader.ignore("a value", unknown, number);
            let value = match (line.value, line.text) {
                (_, Some(text)) => NoteValue::Text(shortened(text)),
                (Some(ValueWord::Flag(flag)), None) => NoteValue::Flag(flag),
                (Some(ValueWord::Number(Number(value))), None) => NoteValue::Number(value),
                // As a number that is none is written by some programs.
                (None, None) => NoteValue::Number(f64::NAN),
            };
            // Beyond 2^53 it is not exact.
            if let NoteValue::Number(number) = value
                && (line.name == "tick" && line.id.is_none())
                && (number.fract() == 0.0 && number.abs() <= MOST_TICK)
            {
                reader.builder.tick = Some(number as i64);
            }
            let names = &mut reader.builder.recording.value_names;
            let is_plotted = !matches!(value, NoteValue::Text(_)) && names.len() < MOST_VALUE_NAMES;
            let name = shortened(line.name.clone());
            if is_plotted && !names.contains(&name) {
                names.push(name);
            }
            Some((line.id, line.name, NoteKind::Value(value)))
        });
        let form = "a mark is {\"points\": [[0, 1, 0]], \"name\": \"..\"}, with 1 to 256 points";
        let marks = std::mem::take(&mut line.marks);
        self.add("a mark", marks, form, number, |reader, line| {
            let Open {
                value: line,
                unknown,
            }: Open<MarkLine> = line;
            reader.ignore("a mark", unknown, number);
            let point = |point: Vec3<Number>| reader.space.vector(point).ok();
            let points = line.points.into_iter().take(MOST_POINTS).map(point);
            let points = points.collect::<Option<Vec<_>>>();
            let mark = NoteMark {
                points: points.filter(|points| !points.is_empty())?,
                radius: line
                    .radius
                    .map_or(0.0, |radius| reader.space.length(radius).max(0.0)),
                color: line.color.and_then(Lenient::read),
            };
            Some((line.id, line.name, NoteKind::Mark(mark)))
        });
        self.builder.image = self.image(line, number);
        let form = "a move is {\"id\": 0, \"from\": [..], \"wish\": [..], \"to\": [..]}, with `sweeps` of {\"kind\": \"slide\", \"from\": [..], \"to\": [..], \"hit\": {\"id\": 1} or null}, numbers below 1e15";
        let moves = std::mem::take(&mut line.moves);
        self.add("a move", moves, form, number, |reader, line| {
            let Open {
                value: line,
                unknown,
            }: Open<MoveLine> = line;
            reader.ignore("a move", unknown, number);
            let id = line.id;
            // Without its object it has no shape.
            reader.known(id, "a move").ok()?;
            let made = reader.made_move(line, number).ok()?;
            Some((Some(id), String::new(), NoteKind::Move(Box::new(made))))
        });
    }

    /// The path of a picture in the folder of the log.
    fn image(&mut self, line: &mut FrameLine, number: usize) -> Option<String> {
        let form =
            "`image` is the path of a PNG file from the log's folder, such as \"shots/1.png\"";
        let (what, help) = match line.image.take()? {
            Lenient::Other(_) => ("it is not a text".to_owned(), form.to_owned()),
            Lenient::Read(file) if file.len() > MOST_LETTERS => {
                let what = format!("its path is longer than {MOST_LETTERS} bytes");
                (what, form.to_owned())
            }
            Lenient::Read(file) => match relative_path(&file) {
                Ok(_) => return Some(file),
                Err(problem) => (problem.what, problem.help),
            },
        };
        let fault = format!("the picture of a frame is left out: {what}");
        self.once("image", &what, fault, &help, number);
        None
    }

    /// A place or displacement of a move: one that is larger has no length.
    fn place(&self, vector: Vec3<Number>) -> Result<DVec3, String> {
        let vector = self.space.vector(vector)?;
        match vector.abs().max_element() > MAX_MAGNITUDE {
            true => Err("it is too large".to_owned()),
            false => Ok(vector),
        }
    }

    fn made_move(&mut self, line: MoveLine, number: usize) -> Result<LoggedMove, String> {
        let length = |number: Option<Number>| number.map(|number| self.space.length(number));
        let (max_step, snap, skin) = (length(line.max_step), length(line.snap), length(line.skin));
        if line.sweeps.len() > MOST_POINTS {
            let fault =
                format!("some moves have more than {MOST_POINTS} sweeps; others are left out");
            self.once("a move", "sweeps", fault, "", number);
        }
        let sweeps = line.sweeps.into_iter().take(MOST_POINTS);
        let sweeps = sweeps.map(|Open { value, unknown }| {
            self.ignore("a sweep of a move", unknown, number);
            self.move_sweep(value, number)
        });
        Ok(LoggedMove {
            sweeps: sweeps.collect::<Result<_, String>>()?,
            from: self.place(line.from)?,
            wish: self.place(line.wish)?,
            to: self.place(line.to)?,
            grounded: line.grounded,
            up: line.up.map(|up| self.space.direction(up)).transpose()?,
            max_slope: line.max_slope.map(f64::from),
            max_step,
            snap,
            skin,
        })
    }

    fn move_sweep(&mut self, line: MoveSweepLine, number: usize) -> Result<MoveSweep, String> {
        let mut kind = line.kind;
        cut(&mut kind, MOST_KIND_LETTERS);
        let hit = line.hit.map(
            |Open {
                 value: hit,
                 unknown,
             }| {
                self.ignore("what a move hits", unknown, number);
                Ok::<_, String>(MoveHit {
                    object: self.known(hit.id, "what a move hits")?,
                    normal: hit.normal.map(|it| self.space.direction(it)).transpose()?,
                    point: hit.point.map(|it| self.space.vector(it)).transpose()?,
                })
            },
        );
        Ok(MoveSweep {
            kind,
            from: self.place(line.from)?,
            to: self.place(line.to)?,
            wish: line.wish.map(|wish| self.place(wish)).transpose()?,
            hit: hit.transpose()?,
        })
    }

    /// Adds the entries of a kind; `form` is what one looks like.
    fn add<T>(
        &mut self,
        what: &'static str,
        entries: Entries<T>,
        form: &str,
        number: usize,
        note: impl Fn(&mut Self, T) -> Option<(Option<u64>, String, NoteKind)>,
    ) {
        let Lenient::Read(entries) = entries else {
            let fault = format!("a list is expected, of which {what} is an entry: it is left out");
            return self.once(what, "list", fault, form, number);
        };
        if entries.len() > MOST_NOTES {
            let count = entries.len() - MOST_NOTES;
            let fault = format!("{count} more are left out, as a frame keeps {MOST_NOTES}: {what}");
            self.once(what, "too many", fault, "", number);
        }
        for entry in entries.into_iter().take(MOST_NOTES) {
            let made = entry.read().and_then(|entry| note(self, entry));
            let Some((id, text, kind)) = made else {
                let fault = format!("{what} cannot be read and is left out");
                self.once(what, "form", fault, form, number);
                continue;
            };
            let object = id.and_then(|id| match self.known(id, what) {
                Ok(object) => Some(object),
                Err(fault) => {
                    self.once(what, "id", fault, "it is kept without its object", number);
                    None
                }
            });
            let text = shortened(text);
            let note = LoggedNote { object, text, kind };
            self.builder.data.notes.push(note);
        }
    }

    /// A notice that is given once for all entries of a kind.
    pub(super) fn once(
        &mut self,
        of: &'static str,
        why: &str,
        what: String,
        help: &str,
        number: usize,
    ) {
        if self.ignored.insert((of, format!("\0{why}"))) {
            self.builder.notice_at(number, 1, what, help);
        }
    }
}

/// Programs have names of their own for it.
fn level(word: Option<&str>) -> NoteLevel {
    match word.unwrap_or_default().to_ascii_lowercase().as_str() {
        "trace" | "debug" | "verbose" => NoteLevel::Debug,
        "warn" | "warning" => NoteLevel::Warning,
        "error" | "fatal" | "critical" => NoteLevel::Error,
        _ => NoteLevel::Info,
    }
}

fn shortened(mut text: String) -> String {
    if cut(&mut text, MOST_LETTERS) {
        text.push('…');
    }
    text
}

/// Cuts a text at so many letters; returns whether it was longer.
pub(super) fn cut(text: &mut String, letters: usize) -> bool {
    let end = text.char_indices().nth(letters);
    text.truncate(end.map_or(text.len(), |(end, _)| end));
    end.is_some()
}
