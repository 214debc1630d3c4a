//! Reads JSON Lines: a header, then one frame per line; a bad line is skipped.

use super::builder::Builder;
use super::compression::Compression;
use super::json::{self, FrameLine, HeaderLine, IS_RESULT, LineError, Own, Peek};
use super::json_header::{Fault, engine_of, lens_of, space_of};
use super::line::{Line, Lines, TOO_LONG};
use super::object::{FIX_OBJECT, FaultText, object};
use super::open_fields::{Open, Unknown};
use super::parts::Parts;
use super::scan;
use crate::core::problem::{Problem, Problems};
use crate::core::replay::{Joint, Recording};
use crate::core::scene::{Engine, Folder};
use crate::core::schema::{Axis, Number, ObjectLine, Space, UserUnits, meant};
use crate::core::shape::Shape;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::BufRead;
use std::net::SocketAddr;
use std::sync::Arc;

mod frame;
mod notes;

const HEADER_EXAMPLE: &str = "begin with {\"hitstop\": 1, \"dt\": 0.0166667, \"objects\": [..]} on one line; see docs/log-format.md";

/// See [`super::read`].
pub(super) fn read(
    mut lines: Lines<'_, impl BufRead>,
    folder: &dyn Folder,
    mut parts: Parts<'_>,
) -> Result<Recording, Problems> {
    let mut reader = Reader::open(&mut lines, folder)?;
    loop {
        let line = lines.next()?;
        reader.offer(&mut parts);
        match line {
            Line::End => break,
            Line::Waiting => {}
            Line::TooLong => reader.too_long(lines.number),
            Line::Read if lines.is_blank() => {}
            Line::Read => reader.line(lines.number, &mut lines.text),
        }
    }
    reader.builder.broken(lines.broken);
    reader.finish()
}

/// Reads a log line by line.
#[derive(Clone)]
pub(super) struct Reader<'f> {
    builder: Builder,
    space: Space,
    folder: &'f dyn Folder,
    /// Objects by the log's own number.
    ids: HashMap<u64, u32>,
    /// The log's own numbers of the objects: most logs number them as they come, which needs no look-up.
    numbers: Vec<u64>,
    /// Ignored pairs by the log's ids, as their objects may come later, each with the number of its line.
    ignored_pairs: Vec<([u64; 2], usize)>,
    joined_pairs: Vec<[u64; 2]>,
    header_line: usize,
    /// Shapes of sweeps by their text.
    swept_shapes: HashMap<String, Shape>,
    tags: HashSet<Arc<str>>,
    /// Unknown fields, each with its owner: one notice each.
    ignored: BTreeSet<(&'static str, String)>,
}

impl<'f> Reader<'f> {
    fn open(lines: &mut Lines<'_, impl BufRead>, folder: &'f dyn Folder) -> Result<Self, Problems> {
        lines.header(HEADER_EXAMPLE)?;
        let (file, number) = (lines.file, lines.number);
        let fault = |what: String| Problem::new(file, what, HEADER_EXAMPLE).at(number, 1);
        let faulty =
            |error: LineError| Problem::new(file, error.what, error.help).at(number, error.column);
        let start = lines.text.trim_ascii_start();
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
        if !start.starts_with(b"{") && std::str::from_utf8(start).is_ok() {
            return Err(
                fault("the first line is not a JSON object, which a header is".to_owned()).into(),
            );
        }
        let peek: Peek = json::parse(&mut lines.text).map_err(|error| Problem {
            help: HEADER_EXAMPLE.to_owned(),
            ..faulty(error)
        })?;
        match peek.hitstop {
            None if peek.is_result() => {
                let help = "`hitstop merge` reads it; open the level that it names";
                return Err(Problem::new(file, IS_RESULT, help).into());
            }
            None => {
                let what = "the first line is not a header: it has no `hitstop`";
                return Err(fault(what.to_owned()).into());
            }
            Some(version) if version.as_u64() != Some(1) => {
                return Err(fault(other_version(version)).into());
            }
            Some(_) => {}
        }
        let header: HeaderLine = json::parse(&mut lines.text).map_err(faulty)?;
        Self::with_header(header, number, file, folder)
    }

    /// Of a header, on a line.
    ///
    /// # Errors
    /// Its faults.
    pub fn with_header(
        header: HeaderLine,
        line: usize,
        file: &str,
        folder: &'f dyn Folder,
    ) -> Result<Self, Problems> {
        let fault = |(what, help): Fault| Problem::new(file, what, help).at(line, 1);
        let mut faults = Vec::new();
        let space = space_of(&header).unwrap_or_else(|what| {
            faults.push(fault(what));
            Space::default()
        });
        let dt = header.dt.map(|Own(Number(dt))| dt);
        if let Some(dt) = dt.filter(|dt| !(*dt > 0.0 && dt.is_finite())) {
            let what = format!("`dt` is {dt}; it is seconds per frame, and must be above 0");
            let help = "write the length of a frame: 60 frames a second are 0.016666666666666666";
            faults.push(fault((what, help)));
        }
        let gravity = header.gravity.map(|gravity| space.vector(gravity));
        let gravity = gravity.transpose().unwrap_or_else(|what| {
            faults.push(fault((format!("`gravity`: {what}"), "")));
            None
        });
        if gravity.is_some_and(|gravity| !gravity.is_finite()) {
            let what = "`gravity` is not finite".to_owned();
            faults.push(fault((what, "write three numbers: [0, -9.81, 0]")));
        }
        let engine = engine_of(&header, &space).unwrap_or_else(|what| {
            faults.push(fault(what));
            Engine::default()
        });
        let lens = header.lens.map(|lens| lens_of(lens, &space)).transpose();
        let lens = lens.unwrap_or_else(|what| {
            faults.push(fault(what));
            None
        });
        let mut builder = Builder::new(file, dt);
        let name = header.name.filter(|name| !name.trim().is_empty());
        builder.recording.name = name.unwrap_or_else(|| match file.parse::<SocketAddr>() {
            Ok(_) => "live recording".to_owned(),
            Err(_) => stem(file),
        });
        builder.recording.build = header.build.filter(|build| !build.trim().is_empty());
        builder.recording.gravity = gravity;
        builder.recording.engine = engine;
        builder.recording.lens = lens;
        builder.recording.units = UserUnits {
            units: space.units,
            mirrored: header.mirrored.map(Axis::from),
        };
        let mut reader = Self {
            builder,
            space,
            folder,
            ids: HashMap::new(),
            numbers: Vec::new(),
            ignored_pairs: header.ignore.into_iter().map(|pair| (pair, line)).collect(),
            joined_pairs: header.joints,
            header_line: line,
            swept_shapes: HashMap::new(),
            tags: HashSet::new(),
            ignored: BTreeSet::new(),
        };
        for object in header.objects {
            if let Err(whats) = reader.object(object, line) {
                let faulty = |(what, help)| Problem::new(file, what, help).at(line, 1);
                faults.extend(whats.into_iter().map(faulty));
            }
        }
        if faults.is_empty() {
            Ok(reader)
        } else {
            Err(Problems(faults))
        }
    }

    /// The log's pairs, once all objects are known.
    fn settle_pairs(&mut self) {
        for (pair, line) in std::mem::take(&mut self.ignored_pairs) {
            if let Some((a, b)) = self.pair("ignore", pair, line) {
                let objects = &mut self.builder.recording.objects;
                let name = objects[b as usize].name.clone();
                objects[a as usize].ignores.push(name);
            }
        }
        let line = self.header_line;
        for pair in std::mem::take(&mut self.joined_pairs) {
            if let Some((a, b)) = self.pair("joints", pair, line) {
                self.builder.recording.joints.push(Joint::always(a, b));
            }
        }
    }

    fn pair(&mut self, field: &str, [a, b]: [u64; 2], line: usize) -> Option<(u32, u32)> {
        let pair = self
            .known(a, "a pair")
            .and_then(|a| Ok((a, self.known(b, "a pair")?)));
        match pair {
            Ok(pair) => Some(pair),
            Err(what) => {
                let what = format!("`{field}`: {what}; the pair is left out");
                let help = "name objects by their ids";
                self.builder.notice_at(line, 1, what, help);
                None
            }
        }
    }

    /// Notes the fields of `of` that are not known, each name once.
    fn ignore(&mut self, of: &'static str, unknown: Unknown, number: usize) {
        for name in unknown.names {
            let field = (of, name);
            if self.ignored.contains(&field) {
                continue;
            }
            let (_, name) = &field;
            let what = format!("the field `{name}` of {of} is not known and is ignored");
            let own = "put data of your own into the field `x`, which is free";
            let help = match meant(name, unknown.known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? Else {own}"),
                None => own.to_owned(),
            };
            self.builder.notice_at(number, 1, what, &help);
            self.ignored.insert(field);
        }
    }

    /// Adds an object.
    fn object(&mut self, line: Open<ObjectLine>, number: usize) -> Result<u32, Vec<FaultText>> {
        self.ignore("an object", line.unknown, number);
        let line = line.value;
        let id = line.id;
        self.builder.recording.has_bits |= line.layer.is_some() || line.mask.is_some();
        let called = match &line.name {
            Some(name) => format!("object {id} \"{name}\""),
            None => format!("object {id}"),
        };
        let (object, odd) = object(line, &self.space, self.folder).map_err(|faults| {
            let of_it = |(what, help)| (format!("{called}: {what}"), help);
            faults.into_iter().map(of_it).collect::<Vec<_>>()
        })?;
        if self.ids.contains_key(&id) {
            let what = format!("{called}: the id {id} is taken by an earlier object");
            return Err(vec![(what, FIX_OBJECT.to_owned())]);
        }
        let (index, renamed) = self.builder.add_object(object);
        self.ids.insert(id, index);
        self.numbers.push(id);
        if let Some(name) = renamed {
            let what = format!("{called}: the name is taken, so it is called \"{name}\" here");
            self.builder
                .notice_at(number, 1, what, "give every object a name of its own");
        }
        if let Some(odd) = odd {
            self.builder
                .notice_at(number, 1, format!("{called}: {odd}"), "");
        }
        Ok(index)
    }

    fn too_long(&mut self, number: usize) {
        let what = format!("{TOO_LONG}; the line is left out");
        self.builder
            .notice_at(number, 1, what, "write one line a frame");
        self.builder.left_out();
    }

    /// Whether an object has this id.
    pub fn has(&self, id: u64) -> bool {
        self.known(id, "").is_ok()
    }

    /// Adds a notice.
    pub fn notice(&mut self, notice: Problem) {
        self.builder.notice(notice);
    }

    /// Adds the notice of a recording that ends early.
    pub fn broken(&mut self, notice: Option<Problem>) {
        self.builder.broken(notice);
    }

    /// Sets the distance at which the engine makes contacts, in units of the log.
    pub fn set_margin(&mut self, margin: f64) {
        let margin = self.space.length(margin);
        self.builder.recording.engine.margin = Some(margin).filter(|margin| *margin > 0.0);
    }

    /// Adds the notice of frames that cannot be read.
    #[cfg(feature = "parquet")]
    pub fn left_out(&mut self, notice: Problem) {
        self.builder.notice(notice);
        self.builder.left_out();
    }

    /// Hands on the frames so far, if that is due.
    pub fn offer(&self, parts: &mut Parts<'_>) {
        let frames = self.builder.recording.frames.len();
        parts.offer(frames, || self.clone().finish().ok());
    }

    /// The whole recording.
    ///
    /// # Errors
    /// When it has no frame.
    pub fn finish(mut self) -> Result<Recording, Problems> {
        self.settle_pairs();
        self.builder
            .finish("after the header, write one line a frame: {\"frame\": 0, \"bodies\": [..]}")
    }

    fn line(&mut self, number: usize, text: &mut [u8]) {
        let quick = scan::frame_line(text).map(Open::from);
        self.parsed(number, quick.map_or_else(|| json::parse(text), Ok));
    }

    /// The object with an id of the log; `what` refers to it.
    fn known(&self, id: u64, what: &str) -> Result<u32, String> {
        if self.numbers.get(id as usize) == Some(&id) {
            return Ok(id as u32);
        }
        self.ids.get(&id).copied().ok_or_else(|| {
            format!("{what} has the id {id}, which neither the header nor a `spawn` defines")
        })
    }

    /// Adds the frame of a line, or the notice of one that is not read.
    pub fn parsed(&mut self, number: usize, line: Result<Open<FrameLine>, LineError>) {
        match line {
            Ok(line) => self.frame_line(number, line),
            Err(error) => {
                let what = format!("{}; the line is left out", error.what);
                self.builder
                    .notice_at(number, error.column, what, &error.help);
                self.builder.left_out();
            }
        }
    }

    fn frame_line(&mut self, number: usize, line: Open<FrameLine>) {
        let Open { mut value, unknown } = line;
        let line = &mut value;
        // New objects are kept even if this line is bad.
        let defines = !(line.spawn.is_empty() && line.ignore.is_empty() && line.remove.is_empty());
        for object in std::mem::take(&mut line.spawn) {
            match self.object(object, number) {
                Ok(index) => self.builder.spawned(index),
                Err(whats) => {
                    for (what, help) in whats {
                        self.builder.notice_at(number, 1, what, &help);
                    }
                }
            }
        }
        for id in &line.remove {
            match self.known(*id, "`remove`") {
                Ok(object) => self.builder.removed(object),
                Err(what) => self.builder.notice_at(number, 1, what, ""),
            }
        }
        let pairs = std::mem::take(&mut line.ignore).into_iter();
        self.ignored_pairs.extend(pairs.map(|pair| (pair, number)));
        if defines && line.frame.is_none() && line.bodies.is_none() {
            return;
        }
        if let Err(what) = self.frame(number, line, unknown) {
            self.builder.rewind();
            let what = format!("{what}; the line is left out");
            self.builder.notice_at(number, 1, what, "");
            self.builder.left_out();
        }
    }
}

/// A file's name without folder and endings.
pub(super) fn stem(file: &str) -> String {
    let path = Compression::without_ending(std::path::Path::new(file));
    path.file_stem()
        .map_or_else(|| file.to_string(), |stem| stem.to_string_lossy().into())
}

/// What is wrong with the header of a later version.
pub(super) fn other_version(version: impl std::fmt::Display) -> String {
    format!("the header says version {version}; this program reads version 1")
}
