//! The bytes of a frame in the temporary file of a recording. They are never read by another program.

use super::frame_data::FrameData;
use super::{Body, LoggedContact, LoggedHit, LoggedPush, LoggedQuery, QueryKind, SweptShape};
use crate::core::shape::{Pose, Shape};
use glam::{DQuat, DVec3};
use std::sync::Arc;

/// Of the shapes of queries the last ones are compared, so that a shape which many queries share is kept once.
const COMPARED: usize = 16;

/// The bytes of a frame. New shapes of its queries are appended to `shapes`.
pub(super) fn encode(data: &FrameData, shapes: &mut Vec<Shape>) -> Vec<u8> {
    let mut out = Out(Vec::with_capacity(128 * data.bodies.len() + 64));
    out.list(&data.bodies, Out::body);
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
    out.list(&data.queries, |out, query| out.query(query, shapes));
    out.0
}

/// The frame of some bytes; `None` if they are none.
pub(super) fn decode(bytes: &[u8], shapes: &[Shape]) -> Option<FrameData> {
    let mut input = In(bytes);
    Some(FrameData {
        bodies: input.list(In::body)?,
        contacts: input.list(|input| {
            Some(LoggedContact {
                a: input.u32()?,
                b: input.u32()?,
                point: input.vector()?,
                normal: input.vector()?,
                depth: input.f64()?,
            })
        })?,
        pushes: input.list(|input| {
            Some(LoggedPush {
                object: input.u32()?,
                push: input.vector()?,
            })
        })?,
        queries: input.list(|input| input.query(shapes))?,
    })
}

// Flags of a body.
const VELOCITY: u8 = 1;
const SPIN: u8 = 2;
const TELEPORTED: u8 = 4;
const ASLEEP: u8 = 8;

/// Bytes being written.
struct Out(Vec<u8>);

impl Out {
    fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn f64(&mut self, value: f64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    fn vector(&mut self, vector: DVec3) {
        vector
            .to_array()
            .into_iter()
            .for_each(|value| self.f64(value));
    }

    fn rotation(&mut self, rotation: DQuat) {
        rotation
            .to_array()
            .into_iter()
            .for_each(|value| self.f64(value));
    }

    fn list<T>(&mut self, list: &[T], mut one: impl FnMut(&mut Self, &T)) {
        self.u32(list.len() as u32);
        list.iter().for_each(|entry| one(self, entry));
    }

    fn option<T>(&mut self, value: Option<T>, some: impl FnOnce(&mut Self, T)) {
        self.0.push(u8::from(value.is_some()));
        if let Some(value) = value {
            some(self, value);
        }
    }

    fn body(&mut self, body: &Body) {
        self.u32(body.object);
        let flag = |is: bool, flag: u8| u8::from(is) * flag;
        self.0.push(
            flag(body.velocity.is_some(), VELOCITY)
                | flag(body.spin.is_some(), SPIN)
                | flag(body.teleported, TELEPORTED)
                | flag(body.asleep, ASLEEP),
        );
        self.vector(body.pose.position);
        self.rotation(body.pose.rotation);
        for vector in [body.velocity, body.spin].into_iter().flatten() {
            self.vector(vector);
        }
    }

    fn query(&mut self, query: &LoggedQuery, shapes: &mut Vec<Shape>) {
        self.0.push(u8::from(query.kind == QueryKind::Sweep));
        self.option(query.object, Self::u32);
        self.vector(query.from);
        self.vector(query.to);
        self.f64(query.radius);
        self.option(query.shape.as_deref(), |out, swept| {
            let recent = shapes.len().saturating_sub(COMPARED);
            let known = shapes[recent..].iter().position(|one| *one == swept.shape);
            let index = known.map_or(shapes.len(), |at| recent + at);
            if known.is_none() {
                shapes.push(swept.shape.clone());
            }
            out.u32(index as u32);
            out.rotation(swept.rotation);
        });
        self.option(query.mask, Self::u32);
        self.option(query.hit, |out, hit| {
            out.u32(hit.object);
            out.f64(hit.fraction);
            out.option(hit.normal, Self::vector);
        });
    }
}

/// Bytes being read.
struct In<'b>(&'b [u8]);

impl In<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*bytes)
    }

    fn u8(&mut self) -> Option<u8> {
        self.bytes().map(|[byte]| byte)
    }

    fn u32(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn f64(&mut self) -> Option<f64> {
        self.bytes().map(f64::from_le_bytes)
    }

    fn vector(&mut self) -> Option<DVec3> {
        Some(DVec3::new(self.f64()?, self.f64()?, self.f64()?))
    }

    fn rotation(&mut self) -> Option<DQuat> {
        let [x, y, z, w] = [self.f64()?, self.f64()?, self.f64()?, self.f64()?];
        Some(DQuat::from_xyzw(x, y, z, w))
    }

    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.u32()? as usize;
        // Every entry has bytes, so that a wrong count takes no memory.
        let mut list = Vec::with_capacity(count.min(self.0.len()));
        for _ in 0..count {
            list.push(one(self)?);
        }
        Some(list)
    }

    fn option<T>(&mut self, some: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        Some(match self.u8()? {
            0 => None,
            _ => Some(some(self)?),
        })
    }

    fn body(&mut self) -> Option<Body> {
        let (object, flags) = (self.u32()?, self.u8()?);
        let pose = Pose {
            position: self.vector()?,
            rotation: self.rotation()?,
        };
        let mut vector = |flag: u8| match flags & flag {
            0 => Some(None),
            _ => self.vector().map(Some),
        };
        Some(Body {
            velocity: vector(VELOCITY)?,
            spin: vector(SPIN)?,
            teleported: flags & TELEPORTED != 0,
            asleep: flags & ASLEEP != 0,
            ..Body::new(object, pose)
        })
    }

    fn query(&mut self, shapes: &[Shape]) -> Option<LoggedQuery> {
        Some(LoggedQuery {
            kind: match self.u8()? {
                0 => QueryKind::Ray,
                _ => QueryKind::Sweep,
            },
            object: self.option(Self::u32)?,
            from: self.vector()?,
            to: self.vector()?,
            radius: self.f64()?,
            shape: self.option(|input| {
                let shape = shapes.get(input.u32()? as usize)?.clone();
                let rotation = input.rotation()?;
                Some(Arc::new(SweptShape { shape, rotation }))
            })?,
            mask: self.option(Self::u32)?,
            hit: self.option(|input| {
                Some(LoggedHit {
                    object: input.u32()?,
                    fraction: input.f64()?,
                    normal: input.option(Self::vector)?,
                })
            })?,
        })
    }
}
