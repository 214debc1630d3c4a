//! Reads JSON Lines: a header, then one frame per line; a bad line is skipped.

use super::builder::Builder;
use super::compression::Compression;
use super::json::{
    self, BodyLine, CameraLine, ContactLine, FrameLine, HeaderLine, HitLine, LineError, Own, Peek,
    QueryLine, QueryWord,
};
use super::json_header::{Fault, engine_of, lens_of, space_of};
use super::line::{Line, Lines, TOO_LONG};
use super::object::{FIX_OBJECT, FaultText, object, swept_shape};
use super::open_fields::{Open, Unknown};
use super::parts::Parts;
use crate::core::problem::{Problem, Problems, nearest};
use crate::core::replay::{
    Body, Joint, LoggedCamera, LoggedContact, LoggedHit, LoggedPush, LoggedQuery, QueryKind,
    Recording, SweptShape,
};
use crate::core::scene::{Engine, Folder};
use crate::core::schema::{Bits, Number, ObjectLine, Space};
use crate::core::shape::Pose;
use std::collections::{BTreeSet, HashMap};
use std::io::BufRead;
use std::sync::Arc;

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
        let peek: Peek = json::parse(&mut lines.text).map_err(|error| Problem {
            help: HEADER_EXAMPLE.to_owned(),
            ..faulty(error)
        })?;
        match peek.hitstop {
            None => {
                let what = "the first line is not a header: it has no `hitstop`";
                return Err(fault(what.to_owned()).into());
            }
            Some(version) if version.as_u64() != Some(1) => {
                let what =
                    format!("the header says version {version}; this program reads version 1");
                return Err(fault(what).into());
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
        builder.recording.name = name.unwrap_or_else(|| stem(file));
        builder.recording.build = header.build.filter(|build| !build.trim().is_empty());
        builder.recording.gravity = gravity;
        builder.recording.engine = engine;
        builder.recording.lens = lens;
        let mut reader = Self {
            builder,
            space,
            folder,
            ids: HashMap::new(),
            numbers: Vec::new(),
            ignored_pairs: header.ignore.into_iter().map(|pair| (pair, line)).collect(),
            joined_pairs: header.joints,
            header_line: line,
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
                self.builder.recording.joints.push(Joint::new(None, a, b));
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
            let help = match nearest(name, unknown.known.iter().copied()) {
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
        self.parsed(number, json::parse(text));
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
        let spawned = !line.spawn.is_empty();
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
        let pairs = std::mem::take(&mut line.ignore).into_iter();
        self.ignored_pairs.extend(pairs.map(|pair| (pair, number)));
        if spawned && line.frame.is_none() && line.bodies.is_none() {
            return;
        }
        let mark = self.builder.mark();
        if let Err(what) = self.frame(number, line, unknown) {
            self.builder.rewind(mark);
            let what = format!("{what}; the line is left out");
            self.builder.notice_at(number, 1, what, "");
            self.builder.left_out();
        }
    }

    fn frame(
        &mut self,
        number: usize,
        line: &mut FrameLine,
        unknown: Unknown,
    ) -> Result<(), String> {
        // Most likely a typo: the bodies would vanish for a frame.
        if let (None, Some(name)) = (&line.bodies, unknown.names.first()) {
            return Err(format!(
                "the field `{name}` is not known, and the field `bodies` is missing"
            ));
        }
        self.ignore("a frame", unknown, number);
        let frame = line.frame.ok_or("the line has no `frame` number")?;
        if let Some(before) = self.builder.recording.frames.last()
            && frame <= before.number
        {
            return Err(format!(
                "frame {frame} comes after frame {}, and numbers must rise",
                before.number
            ));
        }
        for Open { value, unknown } in line.bodies.take().into_iter().flatten() {
            self.ignore("a body", unknown, number);
            let body = self.body(&value, number)?;
            self.builder.data.bodies.push(body);
        }
        let place = self.builder.recording.frames.len();
        for [a, b] in std::mem::take(&mut line.joints) {
            let joint = Joint::new(
                Some(place),
                self.known(a, "a joint")?,
                self.known(b, "a joint")?,
            );
            self.builder.recording.joints.push(joint);
        }
        let substeps = line.substeps.map(|substeps| (place, substeps));
        self.builder.recording.substeps.extend(substeps);
        for Open { value, unknown } in std::mem::take(&mut line.contacts) {
            self.ignore("a contact", unknown, number);
            let contact = self.contact(&value)?;
            self.builder.data.contacts.push(contact);
        }
        for Open { value, unknown } in std::mem::take(&mut line.pushes) {
            self.ignore("a push", unknown, number);
            let push = LoggedPush {
                object: self.known(value.id, "a push")?,
                push: self.space.vector(value.push),
            };
            self.builder.data.pushes.push(push);
        }
        for Open { value, unknown } in std::mem::take(&mut line.queries) {
            self.ignore("a query", unknown, number);
            let query = self.query(value, number)?;
            self.builder.data.queries.push(query);
        }
        let time = self.time(line.t, number);
        // The line's dt starts at a frame that may have been left out.
        let dt = self.dt(line.dt, number);
        let dt = dt.map(|dt| dt + self.builder.left_out_dt(frame));
        let camera = line.camera.take().map(|Open { value, unknown }| {
            self.ignore("a camera", unknown, number);
            self.camera(&value, number)
        });
        match self.builder.add_frame(frame, (time, dt), line.gap) {
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
        if self.numbers.get(id as usize) == Some(&id) {
            return Ok(id as u32);
        }
        self.ids.get(&id).copied().ok_or_else(|| {
            format!("{whose} has the id {id}, which neither the header nor a `spawn` defines")
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

    fn query(&mut self, line: QueryLine, number: usize) -> Result<LoggedQuery, String> {
        let object = line.id.map(|id| self.known(id, "a query")).transpose()?;
        let hit = line.hit.map(
            |Open {
                 value: hit,
                 unknown,
             }: Open<HitLine>| {
                self.ignore("a hit", unknown, number);
                Ok::<_, String>(LoggedHit {
                    object: self.known(hit.id, "a hit")?,
                    fraction: self.space.number(hit.fraction),
                    normal: hit.normal.map(|normal| self.space.direction(normal)),
                })
            },
        );
        let rotation = self.rotation(line.q, number, || "a query".into());
        let shape = line.shape.map(|text| swept_shape(&text, &self.space));
        let shape = shape.transpose()?;
        let shape = shape.map(|shape| Arc::new(SweptShape { shape, rotation }));
        Ok(LoggedQuery {
            kind: match line.kind {
                QueryWord::Ray => QueryKind::Ray,
                QueryWord::Sweep => QueryKind::Sweep,
            },
            object,
            from: self.space.vector(line.from),
            to: self.space.vector(line.to),
            radius: self.space.length(line.radius),
            shape,
            mask: line.mask.map(|Bits(bits)| bits),
            hit: hit.transpose()?,
        })
    }

    fn camera(&mut self, camera: &CameraLine, number: usize) -> LoggedCamera {
        LoggedCamera {
            pose: Pose {
                position: self.space.vector(camera.p),
                rotation: self.camera_rotation(camera.q, number),
            },
            push: camera.push.map(|push| self.space.vector(push)),
            teleported: camera.teleported,
        }
    }

    /// A camera looks along its own -Z whatever axis of the world is up: the world turns, its axes do not.
    fn camera_rotation(&mut self, written: Option<json::Vec4>, number: usize) -> glam::DQuat {
        let turned = self.rotation(written, number, || "the camera".into());
        turned * self.space.units.upright()
    }

    fn time(&mut self, written: Option<Own>, number: usize) -> Option<f64> {
        let Own(Number(time)) = written?;
        let before = self.builder.recording.frames.last();
        let before = before.and_then(|frame| frame.time);
        if !time.is_finite() {
            let what = format!("`t` is {time}; the frame is kept without it");
            self.builder.notice_at(number, 1, what, "");
            return None;
        }
        if let Some(before) = before.filter(|before| *before >= time) {
            let what = format!("`t` is {time} s after {before} s; dt is used instead");
            self.builder.notice_at(number, 1, what, "times must rise");
        }
        Some(time)
    }

    fn dt(&mut self, written: Option<Own>, number: usize) -> Option<f64> {
        let Own(Number(dt)) = written?;
        if dt > 0.0 && dt.is_finite() {
            return Some(dt);
        }
        let what = format!("`dt` is {dt}; the header's is used instead");
        let help = "dt is seconds since the frame before, above 0";
        self.builder.notice_at(number, 1, what, help);
        None
    }
}

/// A file's name without folder and endings.
pub(super) fn stem(file: &str) -> String {
    let path = Compression::without_ending(std::path::Path::new(file));
    path.file_stem()
        .map_or_else(|| file.to_string(), |stem| stem.to_string_lossy().into())
}
