//! The way in for JSON Lines: a header, then a frame a line; a bad line costs itself and nothing else.

use super::builder::Builder;
use super::json::{
    self, BodyLine, ContactLine, FrameLine, HeaderLine, Number, ObjectLine, Peek, QueryLine,
    QueryWord, Up,
};
use super::line::{LINE_LIMIT, Line, Lines, foreign_encoding};
use super::object::object;
use super::space::Space;
use crate::core::problem::{Problem, Problems};
use crate::core::progress::Progress;
use crate::core::replay::{
    Body, LoggedCamera, LoggedContact, LoggedHit, LoggedPush, LoggedQuery, QueryKind, Recording,
};
use crate::core::scene::{Axis, Engine, Folder, Units};
use crate::core::shape::Pose;
use glam::DVec3;
use std::collections::HashMap;
use std::io::BufRead;

const HEADER_EXAMPLE: &str = "begin with {\"hitstop\": 1, \"dt\": 0.0166667, \"objects\": [..]} on one line; see docs/log-format.md";
/// Lines between two looks at the progress.
const LINES_PER_REPORT: usize = 256;

/// See [`super::read`].
pub(super) fn read(
    input: impl BufRead,
    bytes: u64,
    file: &str,
    folder: &dyn Folder,
    progress: &dyn Progress,
) -> Result<Recording, Problems> {
    read_limited(input, bytes, file, folder, progress, LINE_LIMIT)
}

fn read_limited(
    input: impl BufRead,
    bytes: u64,
    file: &str,
    folder: &dyn Folder,
    progress: &dyn Progress,
    limit: usize,
) -> Result<Recording, Problems> {
    let mut lines = Lines::new(input, limit);
    let mut reader = Reader::open(&mut lines, file, folder)?;
    loop {
        if lines.number.is_multiple_of(LINES_PER_REPORT) {
            progress.report(lines.bytes, bytes);
            if progress.cancelled() {
                return Err(reader.builder.problem("reading was cancelled", "").into());
            }
        }
        match next(&mut lines, file)? {
            Line::End => break,
            Line::TooLong => reader.too_long(lines.number, limit),
            Line::Read if is_blank(&lines.text) => {}
            Line::Read => reader.line(lines.number, &mut lines.text),
        }
    }
    progress.report(lines.bytes, bytes);
    reader
        .builder
        .finish("after the header, write one line a frame: {\"frame\": 0, \"bodies\": [..]}")
}

fn next<R: BufRead>(lines: &mut Lines<R>, file: &str) -> Result<Line, Problems> {
    lines.next().map_err(|error| {
        Problem::new(file, format!("the log cannot be read: {error}"), "")
            .at(lines.number + 1, 1)
            .into()
    })
}

fn is_blank(text: &[u8]) -> bool {
    text.iter().all(u8::is_ascii_whitespace)
}

/// What a header line says, but for its objects.
fn space_of(header: &HeaderLine) -> Result<Space, String> {
    let length = header.length.map_or(1.0, |Number(length)| length);
    if !(length > 0.0 && length.is_finite()) {
        return Err(format!(
            "`length` is {length}; it is metres per unit, and must be above 0"
        ));
    }
    let up = match header.up {
        Some(Up::X) => Axis::X,
        None | Some(Up::Y) => Axis::Y,
        Some(Up::Z) => Axis::Z,
    };
    Ok(Space {
        units: Units { length, up },
        scalar: header.scalar.unwrap_or_default(),
    })
}

/// What a header says of its engine.
fn engine_of(header: &HeaderLine, space: &Space) -> Result<Engine, String> {
    let threshold = header
        .ccd_threshold
        .map(|threshold| space.number(threshold));
    if let Some(threshold) = threshold.filter(|it| !(*it > 0.0 && it.is_finite())) {
        return Err(format!(
            "`ccd_threshold` is {threshold}; it is a share of a body's size, and must be above 0"
        ));
    }
    let margin = header.margin.map(|margin| space.length(margin));
    if let Some(margin) = margin.filter(|margin| !(*margin >= 0.0 && margin.is_finite())) {
        return Err(format!("`margin` is {margin} m, and must not be below 0"));
    }
    Ok(Engine {
        name: header.engine.clone(),
        ccd_threshold: threshold,
        margin,
    })
}

struct Reader<'f> {
    builder: Builder,
    space: Space,
    folder: &'f dyn Folder,
    /// Objects by the log's own number.
    ids: HashMap<u64, u32>,
}

impl<'f> Reader<'f> {
    fn open<R: BufRead>(
        lines: &mut Lines<R>,
        file: &str,
        folder: &'f dyn Folder,
    ) -> Result<Self, Problems> {
        let no_header = |what: &str| Problem::new(file, what, HEADER_EXAMPLE);
        loop {
            match next(lines, file)? {
                Line::End => return Err(no_header("the log is empty").into()),
                Line::TooLong => {
                    let what = "the first line is too long to be a header";
                    return Err(no_header(what).at(lines.number, 1).into());
                }
                Line::Read if is_blank(&lines.text) => {}
                Line::Read => break,
            }
        }
        if let Some(encoding) = foreign_encoding(&lines.text) {
            let what = format!("this is {encoding}, not UTF-8 text");
            return Err(Problem::new(file, what, "save the log as plain UTF-8 text").into());
        }
        let at = |column: usize, what: String| {
            Problem::new(file, what, HEADER_EXAMPLE).at(lines.number, column)
        };
        let peek: Peek =
            json::parse(&mut lines.text).map_err(|error| at(error.column, error.what))?;
        match peek.hitstop {
            None => {
                return Err(
                    at(1, "the first line is no header: it has no `hitstop`".into()).into(),
                );
            }
            Some(version) if version.as_u64() != Some(1) => {
                let what =
                    format!("the header says version {version}; this program reads version 1");
                return Err(at(1, what).into());
            }
            Some(_) => {}
        }
        let header: HeaderLine =
            json::parse(&mut lines.text).map_err(|error| at(error.column, error.what))?;
        Self::with_header(header, lines.number, file, folder)
    }

    fn with_header(
        header: HeaderLine,
        line: usize,
        file: &str,
        folder: &'f dyn Folder,
    ) -> Result<Self, Problems> {
        let fault = |what: String| Problem::new(file, what, "").at(line, 1);
        let mut faults = Vec::new();
        let space = space_of(&header).unwrap_or_else(|what| {
            faults.push(fault(what));
            Space::default()
        });
        let dt = header.dt.map(|Number(dt)| dt);
        if let Some(dt) = dt.filter(|dt| !(*dt > 0.0 && dt.is_finite())) {
            let what = format!("`dt` is {dt}; it is seconds per frame, and must be above 0");
            faults.push(fault(what));
        }
        let gravity = header.gravity.map_or(DVec3::ZERO, |g| space.vector(g));
        if !gravity.is_finite() {
            faults.push(fault("`gravity` is not finite".into()));
        }
        let engine = engine_of(&header, &space).unwrap_or_else(|what| {
            faults.push(fault(what));
            Engine::default()
        });
        let mut builder = Builder::new(file, dt);
        builder.recording.name = header.name.unwrap_or_else(|| stem(file));
        builder.recording.gravity = gravity;
        builder.recording.engine = engine;
        let mut reader = Self {
            builder,
            space,
            folder,
            ids: HashMap::new(),
        };
        for object in header.objects {
            if let Err(whats) = reader.object(object, line) {
                faults.extend(whats.into_iter().map(fault));
            }
        }
        if faults.is_empty() {
            Ok(reader)
        } else {
            Err(Problems(faults))
        }
    }

    /// Adds an object.
    fn object(&mut self, line: ObjectLine, number: usize) -> Result<u32, Vec<String>> {
        let id = line.id;
        self.builder.recording.has_bits |= line.layer.is_some() || line.mask.is_some();
        let called = match &line.name {
            Some(name) => format!("object {id} \"{name}\""),
            None => format!("object {id}"),
        };
        let (object, odd) = object(line, &self.space, self.folder).map_err(|faults| {
            let of_it = |fault| format!("{called}: {fault}");
            faults.into_iter().map(of_it).collect::<Vec<_>>()
        })?;
        if self.ids.contains_key(&id) {
            return Err(vec![format!(
                "{called}: the id {id} is taken by an earlier object"
            )]);
        }
        let (index, renamed) = self.builder.add_object(object);
        self.ids.insert(id, index);
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

    fn too_long(&mut self, number: usize, limit: usize) {
        let what = format!("the line is longer than {limit} bytes and is left out");
        self.builder
            .notice_at(number, 1, what, "write one line a frame");
        self.builder.left_out();
    }

    fn line(&mut self, number: usize, text: &mut [u8]) {
        match json::parse::<FrameLine>(text) {
            Ok(line) => self.frame_line(number, line),
            Err(error) => {
                let what = format!("{}; the line is left out", error.what);
                self.builder.notice_at(number, error.column, what, "");
                self.builder.left_out();
            }
        }
    }

    fn frame_line(&mut self, number: usize, mut line: FrameLine) {
        // Later lines need the new objects even when this one turns out bad.
        let spawned = !line.spawn.is_empty();
        for object in std::mem::take(&mut line.spawn) {
            match self.object(object, number) {
                Ok(index) => self.builder.spawned(index),
                Err(whats) => {
                    for what in whats {
                        self.builder.notice_at(number, 1, what, "");
                    }
                }
            }
        }
        if spawned && line.frame.is_none() && line.bodies.is_none() {
            return;
        }
        let mark = self.builder.mark();
        if let Err(what) = self.frame(number, &line) {
            self.builder.rewind(mark);
            let what = format!("{what}; the line is left out");
            self.builder.notice_at(number, 1, what, "");
            self.builder.left_out();
        }
    }

    fn frame(&mut self, number: usize, line: &FrameLine) -> Result<(), String> {
        let frame = line.frame.ok_or("the line has no `frame` number")?;
        if let Some(before) = self.builder.recording.frames.last()
            && frame <= before.number
        {
            return Err(format!(
                "frame {frame} comes after frame {}, and numbers must rise",
                before.number
            ));
        }
        let mark = self.builder.mark();
        for body in line.bodies.iter().flatten() {
            let body = self.body(body, number)?;
            self.builder.recording.bodies.push(body);
        }
        for contact in &line.contacts {
            let contact = self.contact(contact)?;
            self.builder.recording.contacts.push(contact);
        }
        for push in &line.pushes {
            let push = LoggedPush {
                object: self.known(push.id, "a push")?,
                push: self.space.vector(push.push),
            };
            self.builder.recording.pushes.push(push);
        }
        for query in &line.queries {
            let query = self.query(query)?;
            self.builder.recording.queries.push(query);
        }
        let time = self.time(line.t, number);
        // The line's dt counts from a frame that may have been left out.
        let dt = self.dt(line.dt, number);
        let dt = dt.map(|dt| dt + self.builder.left_out_dt(frame));
        let camera = self.camera(line, number);
        match self.builder.add_frame(mark, frame, (time, dt), line.gap) {
            Ok(frame) => {
                frame.camera = camera;
                Ok(())
            }
            Err(object) => {
                let name = &self.builder.recording.objects[object as usize].name;
                Err(format!("\"{name}\" is in the frame twice"))
            }
        }
    }

    fn known(&self, id: u64, whose: &str) -> Result<u32, String> {
        self.ids.get(&id).copied().ok_or_else(|| {
            format!("{whose} has the id {id}, which neither the header nor a `spawn` knows")
        })
    }

    fn rotation(
        &mut self,
        written: Option<json::Vec4>,
        line: usize,
        whose: impl FnOnce() -> String,
    ) -> glam::DQuat {
        let Some(written) = written else {
            return Pose::IDENTITY.rotation;
        };
        let (rotation, odd) = self.space.rotation(written);
        if let Some(odd) = odd {
            self.builder
                .notice_at(line, 1, format!("{}: {odd}", whose()), "");
        }
        rotation
    }

    fn body(&mut self, line: &BodyLine, number: usize) -> Result<Body, String> {
        let object = self.known(line.id, "a body")?;
        Ok(Body {
            object,
            pose: Pose {
                position: self.space.vector(line.p),
                rotation: self.rotation(line.q, number, || format!("body {}", line.id)),
            },
            velocity: line.v.map(|v| self.space.vector(v)),
            spin: line.w.map(|w| self.space.direction(w)),
            teleported: line.teleported,
            asleep: line.asleep,
        })
    }

    fn contact(&self, line: &ContactLine) -> Result<LoggedContact, String> {
        Ok(LoggedContact {
            a: self.known(line.a, "a contact")?,
            b: self.known(line.b, "a contact")?,
            point: self.space.vector(line.point),
            normal: self.space.direction(line.normal),
            depth: self.space.length(line.depth),
        })
    }

    fn query(&self, line: &QueryLine) -> Result<LoggedQuery, String> {
        let object = line.id.map(|id| self.known(id, "a query")).transpose()?;
        let hit = line.hit.as_ref().map(|hit| {
            Ok::<_, String>(LoggedHit {
                object: self.known(hit.id, "a hit")?,
                fraction: self.space.number(hit.fraction),
                normal: hit.normal.map(|normal| self.space.direction(normal)),
            })
        });
        Ok(LoggedQuery {
            kind: match line.kind {
                QueryWord::Ray => QueryKind::Ray,
                QueryWord::Sweep => QueryKind::Sweep,
            },
            object,
            from: self.space.vector(line.from),
            to: self.space.vector(line.to),
            radius: self.space.length(line.radius),
            mask: line.mask,
            hit: hit.transpose()?,
        })
    }

    fn camera(&mut self, line: &FrameLine, number: usize) -> Option<LoggedCamera> {
        let camera = line.camera.as_ref()?;
        Some(LoggedCamera {
            pose: Pose {
                position: self.space.vector(camera.p),
                rotation: self.rotation(camera.q, number, || "the camera".into()),
            },
            push: camera.push.map(|push| self.space.vector(push)),
            teleported: camera.teleported,
        })
    }

    fn time(&mut self, written: Option<Number>, number: usize) -> Option<f64> {
        let Number(time) = written?;
        let before = self.builder.recording.frames.last();
        let before = before.and_then(|frame| frame.time);
        if !time.is_finite() {
            let what = format!("`t` is {time}; the frame is kept without it");
            self.builder.notice_at(number, 1, what, "");
            return None;
        }
        if let Some(before) = before.filter(|before| *before >= time) {
            let what = format!("`t` is {time} s after {before} s; dt is taken instead");
            self.builder.notice_at(number, 1, what, "times must rise");
        }
        Some(time)
    }

    fn dt(&mut self, written: Option<Number>, number: usize) -> Option<f64> {
        let Number(dt) = written?;
        if dt > 0.0 && dt.is_finite() {
            return Some(dt);
        }
        let what = format!("`dt` is {dt}; the header's is taken instead");
        let mend = "dt is seconds since the frame before, above 0";
        self.builder.notice_at(number, 1, what, mend);
        None
    }
}

/// A file's name without folder and ending.
pub(super) fn stem(file: &str) -> String {
    let path = std::path::Path::new(file);
    path.file_stem()
        .map_or_else(|| file.to_string(), |stem| stem.to_string_lossy().into())
}
