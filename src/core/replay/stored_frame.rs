//! The bytes of a frame in the temporary file of a recording. They are never read by another program.

use super::frame_data::FrameData;
use super::{
    Body, LoggedContact, LoggedContacts, LoggedHit, LoggedMove, LoggedNote, LoggedPush,
    LoggedQuery, MoveHit, MoveSweep, NoteKind, NoteLevel, NoteMark, NoteValue, QueryKind,
    SweptShape,
};
use crate::core::bytes::{In, Out};
use crate::core::shape::{Pose, Shape};
use std::cmp::Ordering;
use std::sync::Arc;

/// Of the shapes of queries the last ones are compared, so that a shape which many queries share is kept once.
const COMPARED: usize = 16;

/// The bytes of a frame. New shapes of its queries are appended to `shapes`.
pub(super) fn encode(data: &FrameData, shapes: &mut Vec<Shape>) -> Vec<u8> {
    let mut out = Out(Vec::with_capacity(128 * data.bodies.len() + 64));
    out.list(&data.bodies, write_body);
    let start = out.0.len();
    out.u64(0);
    out.list(&data.contacts, |out, contact| {
        out.u32(contact.a);
        out.u32(contact.b);
        out.vector(contact.point);
        out.vector(contact.normal);
        out.f64(contact.depth);
    });
    out.list(data.contacts.impulses(), |out, impulse| out.f64(*impulse));
    out.list(&data.pushes, |out, push| {
        out.u32(push.object);
        out.vector(push.push);
    });
    out.list(&data.queries, |out, query| write_query(out, query, shapes));
    let length = (out.0.len() - start - EVENTS) as u64;
    out.0[start..start + EVENTS].copy_from_slice(&length.to_le_bytes());
    out.list(&data.notes, write_note);
    out.0
}

/// Reads the bytes of a frame at an offset; `None` if it has fewer.
pub(super) trait Bytes: Fn(usize, &mut [u8]) -> Option<()> {}

impl<F: Fn(usize, &mut [u8]) -> Option<()>> Bytes for F {}

/// Visits the bodies of a frame; `None` if its bytes are none.
pub(super) fn visit_bodies(read: impl Bytes, mut visit: impl FnMut(&Body)) -> Option<()> {
    let count = body_count(&read)?;
    let mut buffer = vec![0; READ_AT_ONCE.min(count) * BODY];
    for first in (0..count).step_by(READ_AT_ONCE) {
        let bytes = &mut buffer[..READ_AT_ONCE.min(count - first) * BODY];
        read(4 + first * BODY, bytes)?;
        let mut bytes = In(bytes);
        while let Some(body) = read_body(&mut bytes) {
            visit(&body);
        }
    }
    Some(())
}

/// Bytes of the length of what diagnosis reads of a frame beside its bodies.
const EVENTS: usize = 8;

/// Where a frame of `length` bytes has its events, and where they end; `None` if its bytes are none.
fn events(length: usize, read: &impl Bytes) -> Option<(usize, usize)> {
    let begin = body_count(read)?.checked_mul(BODY)?.checked_add(4)?;
    let mut bytes = [0; EVENTS];
    read(begin, &mut bytes)?;
    let (begin, size) = (begin.checked_add(EVENTS)?, u64::from_le_bytes(bytes));
    let end = begin.checked_add(usize::try_from(size).ok()?)?;
    (end <= length).then_some((begin, end))
}

/// The notes of a frame of `length` bytes; `None` if its bytes are none.
pub(super) fn decode_notes(length: usize, read: impl Bytes) -> Option<Vec<LoggedNote>> {
    let (_, begin) = events(length, &read)?;
    let mut bytes = vec![0; length - begin];
    read(begin, &mut bytes)?;
    In(&bytes).list(read_note)
}

/// A frame of `length` bytes without its bodies and notes; `None` if its bytes are none.
pub(super) fn decode_events(
    length: usize,
    shapes: &[Shape],
    read: impl Bytes,
) -> Option<FrameData> {
    let (begin, end) = events(length, &read)?;
    let mut bytes = vec![0; end - begin];
    read(begin, &mut bytes)?;
    let mut input = In(&bytes);
    let contacts = input.list(|input| {
        Some(LoggedContact {
            a: input.u32()?,
            b: input.u32()?,
            point: input.vector()?,
            normal: input.vector()?,
            depth: input.f64()?,
        })
    })?;
    let impulses = input.list(In::f64)?;
    Some(FrameData {
        bodies: Vec::new(),
        contacts: LoggedContacts::new(contacts, impulses),
        pushes: input.list(|input| {
            Some(LoggedPush {
                object: input.u32()?,
                push: input.vector()?,
            })
        })?,
        queries: input.list(|input| read_query(input, shapes))?,
        notes: Vec::new(),
    })
}

fn body_count(read: &impl Bytes) -> Option<usize> {
    let mut count = [0; 4];
    read(0, &mut count)?;
    Some(u32::from_le_bytes(count) as usize)
}

/// The body of an object in a frame and its place among the others, which is first sought at `near`; `None` if it has none.
pub(super) fn find_body(object: u32, near: usize, read: impl Bytes) -> Option<(usize, Body)> {
    let count = body_count(&read)?;
    let body = |index: usize| {
        let mut bytes = [0; BODY];
        read(4 + index * BODY, &mut bytes)?;
        read_body(&mut In(&bytes))
    };
    // They are sorted, and their numbers mostly rise evenly.
    let (mut first, mut end) = (0, count);
    let mut guess = near.min(count.checked_sub(1)?);
    while first < end {
        let found = body(guess)?;
        let step = found.object.abs_diff(object) as usize;
        match found.object.cmp(&object) {
            Ordering::Equal => return Some((guess, found)),
            Ordering::Less => first = guess + 1,
            Ordering::Greater => end = guess,
        }
        let middle = usize::midpoint(first, end);
        guess = match found.object < object {
            true => middle.min(guess + step),
            false => middle.max(guess.saturating_sub(step)),
        };
    }
    None
}

/// Bodies that are read at once: their bytes stay in the cache of the processor.
const READ_AT_ONCE: usize = 512;

/// Bytes of a body: object, flags, island, position, rotation, velocity, spin.
const BODY: usize = 4 + 1 + 4 + 8 * (3 + 4 + 3 + 3);

// Flags of a body.
const VELOCITY: u8 = 1;
const SPIN: u8 = 2;
const TELEPORTED: u8 = 4;
const ASLEEP: u8 = 8;
const ISLAND: u8 = 16;

fn write_body(out: &mut Out, body: &Body) {
    out.u32(body.object);
    let flag = |is: bool, flag: u8| u8::from(is) * flag;
    out.0.push(
        flag(body.velocity.is_some(), VELOCITY)
            | flag(body.spin.is_some(), SPIN)
            | flag(body.teleported, TELEPORTED)
            | flag(body.asleep, ASLEEP)
            | flag(body.island.is_some(), ISLAND),
    );
    out.u32(body.island.unwrap_or_default());
    out.vector(body.pose.position);
    out.rotation(body.pose.rotation);
    // Every body takes the same bytes, so that one of them is found without the others.
    for vector in [body.velocity, body.spin] {
        out.vector(vector.unwrap_or_default());
    }
}

fn write_query(out: &mut Out, query: &LoggedQuery, shapes: &mut Vec<Shape>) {
    out.0.push(u8::from(query.kind == QueryKind::Sweep));
    out.option(query.object, Out::u32);
    out.vector(query.from);
    out.vector(query.to);
    out.f64(query.radius);
    out.option(query.shape.as_deref(), |out, swept| {
        let recent = shapes.len().saturating_sub(COMPARED);
        let known = shapes[recent..].iter().position(|one| *one == swept.shape);
        let index = known.map_or(shapes.len(), |at| recent + at);
        if known.is_none() {
            shapes.push(swept.shape.clone());
        }
        out.u32(index as u32);
        out.rotation(swept.rotation);
    });
    out.option(query.mask, Out::u32);
    out.option(query.tag.as_deref(), Out::text);
    out.option(query.hit, |out, hit| {
        out.u32(hit.object);
        out.f64(hit.fraction);
        out.option(hit.normal, Out::vector);
    });
}

// Kinds of a note.
const LINE: u8 = 0;
const NUMBER: u8 = 1;
const FLAG: u8 = 2;
const TEXT: u8 = 3;
const MARK: u8 = 4;
const MOVE: u8 = 5;

fn write_note(out: &mut Out, note: &LoggedNote) {
    out.option(note.object, Out::u32);
    out.text(&note.text);
    match &note.kind {
        NoteKind::Line(level) => out.0.extend([LINE, *level as u8]),
        NoteKind::Value(NoteValue::Number(value)) => {
            out.0.push(NUMBER);
            out.f64(*value);
        }
        NoteKind::Value(NoteValue::Flag(value)) => out.0.extend([FLAG, u8::from(*value)]),
        NoteKind::Value(NoteValue::Text(value)) => {
            out.0.push(TEXT);
            out.text(value);
        }
        NoteKind::Mark(mark) => {
            out.0.push(MARK);
            out.list(&mark.points, |out, point| out.vector(*point));
            out.f64(mark.radius);
            out.option(mark.color, |out, color| out.0.extend(color));
        }
        NoteKind::Move(made) => {
            out.0.push(MOVE);
            write_move(out, made);
        }
    }
}

fn write_move(out: &mut Out, made: &LoggedMove) {
    out.vector(made.from);
    out.vector(made.wish);
    out.vector(made.to);
    out.option(made.grounded, |out, it| out.0.push(u8::from(it)));
    out.option(made.up, Out::vector);
    for limit in [made.max_slope, made.max_step, made.snap, made.skin] {
        out.option(limit, Out::f64);
    }
    out.list(&made.sweeps, |out, sweep| {
        out.text(&sweep.kind);
        out.vector(sweep.from);
        out.vector(sweep.to);
        out.option(sweep.wish, Out::vector);
        out.option(sweep.hit, |out, hit| {
            out.u32(hit.object);
            out.option(hit.normal, Out::vector);
            out.option(hit.point, Out::vector);
        });
    });
}

fn read_move(input: &mut In<'_>) -> Option<LoggedMove> {
    Some(LoggedMove {
        from: input.vector()?,
        wish: input.vector()?,
        to: input.vector()?,
        grounded: input.option(|input| Some(input.u8()? != 0))?,
        up: input.option(In::vector)?,
        max_slope: input.option(In::f64)?,
        max_step: input.option(In::f64)?,
        snap: input.option(In::f64)?,
        skin: input.option(In::f64)?,
        sweeps: input.list(|input| {
            Some(MoveSweep {
                kind: input.text()?,
                from: input.vector()?,
                to: input.vector()?,
                wish: input.option(In::vector)?,
                hit: input.option(|input| {
                    Some(MoveHit {
                        object: input.u32()?,
                        normal: input.option(In::vector)?,
                        point: input.option(In::vector)?,
                    })
                })?,
            })
        })?,
    })
}

fn read_note(input: &mut In<'_>) -> Option<LoggedNote> {
    const LEVELS: [NoteLevel; 4] = [
        NoteLevel::Debug,
        NoteLevel::Info,
        NoteLevel::Warning,
        NoteLevel::Error,
    ];
    let (object, text) = (input.option(In::u32)?, input.text()?);
    let kind = match input.u8()? {
        LINE => NoteKind::Line(*LEVELS.get(usize::from(input.u8()?))?),
        NUMBER => NoteKind::Value(NoteValue::Number(input.f64()?)),
        FLAG => NoteKind::Value(NoteValue::Flag(input.u8()? != 0)),
        TEXT => NoteKind::Value(NoteValue::Text(input.text()?)),
        MARK => NoteKind::Mark(NoteMark {
            points: input.list(In::vector)?,
            radius: input.f64()?,
            color: input.option(|input| Some([input.u8()?, input.u8()?, input.u8()?]))?,
        }),
        MOVE => NoteKind::Move(Box::new(read_move(input)?)),
        _ => return None,
    };
    Some(LoggedNote { object, text, kind })
}

fn read_body(input: &mut In<'_>) -> Option<Body> {
    let (object, flags, island) = (input.u32()?, input.u8()?, input.u32()?);
    let pose = Pose {
        position: input.vector()?,
        rotation: input.rotation()?,
    };
    let (velocity, spin) = (input.vector()?, input.vector()?);
    Some(Body {
        velocity: (flags & VELOCITY != 0).then_some(velocity),
        spin: (flags & SPIN != 0).then_some(spin),
        teleported: flags & TELEPORTED != 0,
        asleep: flags & ASLEEP != 0,
        island: (flags & ISLAND != 0).then_some(island),
        ..Body::new(object, pose)
    })
}

fn read_query(input: &mut In<'_>, shapes: &[Shape]) -> Option<LoggedQuery> {
    Some(LoggedQuery {
        kind: match input.u8()? {
            0 => QueryKind::Ray,
            _ => QueryKind::Sweep,
        },
        object: input.option(In::u32)?,
        from: input.vector()?,
        to: input.vector()?,
        radius: input.f64()?,
        shape: input.option(|input| {
            let shape = shapes.get(input.u32()? as usize)?.clone();
            let rotation = input.rotation()?;
            Some(Arc::new(SweptShape { shape, rotation }))
        })?,
        mask: input.option(In::u32)?,
        tag: input.option(In::text)?.map(Arc::from),
        hit: input.option(|input| {
            Some(LoggedHit {
                object: input.u32()?,
                fraction: input.f64()?,
                normal: input.option(In::vector)?,
            })
        })?,
    })
}
