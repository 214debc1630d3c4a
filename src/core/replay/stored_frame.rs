//! The bytes of a frame in the temporary file of a recording. They are never read by another program.

use super::frame_data::FrameData;
use super::{
    Body, LoggedContact, LoggedContacts, LoggedHit, LoggedPush, LoggedQuery, QueryKind, SweptShape,
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
    out.list(&data.contacts, |out, contact| {
        out.u32(contact.a);
        out.u32(contact.b);
        out.vector(contact.point);
        out.vector(contact.normal);
        out.f64(contact.depth);
    });
    out.list(&data.pushes, |out, push| {
        out.u32(push.object);
        out.vector(push.push);
    });
    out.list(&data.queries, |out, query| write_query(out, query, shapes));
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

/// A frame of `length` bytes without its bodies; `None` if its bytes are none.
pub(super) fn decode_events(
    length: usize,
    shapes: &[Shape],
    read: impl Bytes,
) -> Option<FrameData> {
    let begin = body_count(&read)?.checked_mul(BODY)?.checked_add(4)?;
    let mut bytes = vec![0; length.checked_sub(begin)?];
    read(begin, &mut bytes)?;
    let mut input = In(&bytes);
    Some(FrameData {
        bodies: Vec::new(),
        contacts: LoggedContacts::from(input.list(|input| {
            Some(LoggedContact {
                a: input.u32()?,
                b: input.u32()?,
                point: input.vector()?,
                normal: input.vector()?,
                depth: input.f64()?,
            })
        })?),
        pushes: input.list(|input| {
            Some(LoggedPush {
                object: input.u32()?,
                push: input.vector()?,
            })
        })?,
        queries: input.list(|input| read_query(input, shapes))?,
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

/// Bytes of a body: object, flags, position, rotation, velocity, spin.
const BODY: usize = 4 + 1 + 8 * (3 + 4 + 3 + 3);

// Flags of a body.
const VELOCITY: u8 = 1;
const SPIN: u8 = 2;
const TELEPORTED: u8 = 4;
const ASLEEP: u8 = 8;

fn write_body(out: &mut Out, body: &Body) {
    out.u32(body.object);
    let flag = |is: bool, flag: u8| u8::from(is) * flag;
    out.0.push(
        flag(body.velocity.is_some(), VELOCITY)
            | flag(body.spin.is_some(), SPIN)
            | flag(body.teleported, TELEPORTED)
            | flag(body.asleep, ASLEEP),
    );
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
    out.option(query.hit, |out, hit| {
        out.u32(hit.object);
        out.f64(hit.fraction);
        out.option(hit.normal, Out::vector);
    });
}

fn read_body(input: &mut In<'_>) -> Option<Body> {
    let (object, flags) = (input.u32()?, input.u8()?);
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
        hit: input.option(|input| {
            Some(LoggedHit {
                object: input.u32()?,
                fraction: input.f64()?,
                normal: input.option(In::vector)?,
            })
        })?,
    })
}
