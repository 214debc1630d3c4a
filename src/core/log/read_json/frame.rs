//! Reads the line of one frame.

use super::super::json::{
    BodyLine, CameraLine, ContactLine, FrameLine, HitLine, Own, QueryLine, QueryWord,
};
use super::super::json_notes::Lenient;
use super::super::object::swept_shape;
use super::super::open_fields::{Open, Unknown};
use super::Reader;
use super::notes::cut;
use crate::core::replay::{
    Body, LoggedCamera, LoggedContact, LoggedHit, LoggedPush, LoggedQuery, QueryKind, SweptShape,
};
use crate::core::schema::{Bits, LogTurn, Number, ShapeText};
use crate::core::shape::{Pose, Shape};
use std::sync::Arc;

/// Shapes of sweeps that are shared.
const MOST_SHARED: usize = 256;
/// Different tags of a log, and letters of one, that are kept.
const MOST_TAGS: usize = 1024;
const MOST_TAG_LETTERS: usize = 64;

impl Reader<'_> {
    /// Adds the frame of a line.
    ///
    /// # Errors
    /// What is wrong with it; some of it may be added.
    pub(super) fn frame(
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
        for [a, b] in std::mem::take(&mut line.joints) {
            let pair = [self.known(a, "a joint")?, self.known(b, "a joint")?];
            self.builder.joined.push(pair);
        }
        self.builder.substeps = line.substeps;
        let contacts = line.contacts.take();
        let is_empty = contacts.as_ref().is_some_and(Vec::is_empty);
        self.builder.recording.has_empty_contacts |= is_empty;
        for Open { value, unknown } in contacts.into_iter().flatten() {
            self.ignore("a contact", unknown, number);
            let contact = self.contact(&value)?;
            let impulse = value.impulse.and_then(Lenient::read);
            let impulse = impulse.map(|impulse| self.space.length(impulse));
            self.builder.data.contacts.push_with(contact, impulse);
        }
        for Open { value, unknown } in std::mem::take(&mut line.pushes) {
            self.ignore("a push", unknown, number);
            let push = LoggedPush {
                object: self.known(value.id, "a push")?,
                push: self.space.vector(value.push)?,
            };
            self.builder.data.pushes.push(push);
        }
        for Open { value, unknown } in std::mem::take(&mut line.queries) {
            self.ignore("a query", unknown, number);
            let query = self.query(value, number)?;
            self.builder.data.queries.push(query);
        }
        self.notes(line, number);
        let time = self.time(line.t, number);
        // The line's dt starts at a frame that may have been left out.
        let dt = self.dt(line.dt, number);
        let dt = dt.map(|dt| dt + self.builder.left_out_dt(frame));
        let camera = line.camera.take().map(|Open { value, unknown }| {
            self.ignore("a camera", unknown, number);
            self.camera(&value, number)
        });
        let camera = camera.transpose()?;
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

    fn rotation(
        &mut self,
        written: Option<LogTurn>,
        line: usize,
        name: impl FnOnce() -> String,
    ) -> Result<glam::DQuat, String> {
        let Some(written) = written else {
            return Ok(Pose::IDENTITY.rotation);
        };
        let (rotation, odd) = self.space.turn(written)?;
        if let Some(odd) = odd {
            self.builder
                .notice_at(line, 1, format!("{}: {odd}", name()), "");
        }
        Ok(rotation)
    }

    fn body(&mut self, line: &BodyLine, number: usize) -> Result<Body, String> {
        let object = self.known(line.id, "a body")?;
        Ok(Body {
            object,
            pose: Pose {
                position: self.space.vector(line.p)?,
                rotation: self.rotation(line.q, number, || format!("body {}", line.id))?,
            },
            velocity: line.v.map(|v| self.space.vector(v)).transpose()?,
            spin: line.w.map(|w| self.space.spin(w)).transpose()?,
            teleported: line.teleported,
            asleep: line.asleep,
            island: line.island.as_ref().and_then(Lenient::value),
        })
    }

    fn contact(&self, line: &ContactLine) -> Result<LoggedContact, String> {
        Ok(LoggedContact {
            a: self.known(line.a, "a contact")?,
            b: self.known(line.b, "a contact")?,
            point: self.space.vector(line.point)?,
            normal: self.space.direction(line.normal)?,
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
                let normal = hit.normal.map(|normal| self.space.direction(normal));
                Ok::<_, String>(LoggedHit {
                    object: self.known(hit.id, "a hit")?,
                    fraction: self.space.number(hit.fraction),
                    normal: normal.transpose()?,
                })
            },
        );
        let rotation = self.rotation(line.q, number, || "a query".into())?;
        let shape = line.shape.map(|text| self.swept_shape(&text)).transpose()?;
        let shape = shape.map(|shape| Arc::new(SweptShape { shape, rotation }));
        Ok(LoggedQuery {
            kind: match line.kind {
                QueryWord::Ray => QueryKind::Ray,
                QueryWord::Sweep => QueryKind::Sweep,
            },
            object,
            from: self.space.vector(line.from)?,
            to: self.space.vector(line.to)?,
            radius: self.space.length(line.radius),
            shape,
            mask: line.mask.map(|Bits(bits)| bits),
            tag: self.tag(line.tag.and_then(Lenient::read), number),
            hit: hit.transpose()?,
        })
    }

    /// The shape of a sweep: one that many have is made once.
    fn swept_shape(&mut self, text: &ShapeText<Number>) -> Result<Shape, String> {
        let key = serde_json::to_string(text).map_err(|error| error.to_string())?;
        if let Some(known) = self.swept_shapes.get(&key) {
            return Ok(known.clone());
        }
        let shape = swept_shape(text, &self.space)?;
        if self.swept_shapes.len() == MOST_SHARED {
            self.swept_shapes.clear();
        }
        self.swept_shapes.insert(key, shape.clone());
        Ok(shape)
    }

    /// The tag of a query, of which many have the same.
    fn tag(&mut self, text: Option<String>, number: usize) -> Option<Arc<str>> {
        let mut text = text?;
        cut(&mut text, MOST_TAG_LETTERS);
        if let Some(known) = self.tags.get(&*text) {
            return Some(Arc::clone(known));
        }
        if self.tags.len() == MOST_TAGS {
            let what =
                format!("queries have more than {MOST_TAGS} different tags; this one is left out");
            self.once(
                "a query",
                "tags",
                what,
                "tag queries by what they are for",
                number,
            );
            return None;
        }
        let tag: Arc<str> = Arc::from(text);
        self.tags.insert(Arc::clone(&tag));
        Some(tag)
    }

    fn camera(&mut self, camera: &CameraLine, number: usize) -> Result<LoggedCamera, String> {
        Ok(LoggedCamera {
            pose: Pose {
                position: self.space.vector(camera.p)?,
                rotation: self.camera_rotation(camera.q, number)?,
            },
            push: camera
                .push
                .map(|push| self.space.vector(push))
                .transpose()?,
            teleported: camera.teleported,
        })
    }

    /// A camera looks along its own -Z whatever axis of the world is up: the world turns, its axes do not.
    fn camera_rotation(
        &mut self,
        written: Option<LogTurn>,
        number: usize,
    ) -> Result<glam::DQuat, String> {
        let turned = self.rotation(written, number, || "the camera".into())?;
        Ok(turned * self.space.units.upright())
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
