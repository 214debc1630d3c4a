//! Objects of the stream, and the values of their attributes.

use glam::{DQuat, DVec3};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Characters of an actor's name, as each of its shapes has it.
pub(super) const NAME_LIMIT: usize = 200;

pub(super) type Objects = HashMap<u64, Object>;

/// An object of the stream, by its handle: an address, which another object may have later.
pub(super) struct Object {
    pub class: Arc<str>,
    /// Counts the objects.
    pub serial: u64,
    /// The number of its last change that makes another shape of it.
    pub version: u64,
    pub values: BTreeMap<&'static str, Vec<u8>>,
}

impl Object {
    /// The bytes of an attribute, none for one that was not set.
    pub fn value(&self, name: &str) -> &[u8] {
        self.values.get(name).map_or(&[], Vec::as_slice)
    }

    pub fn number(&self, name: &str) -> Option<f64> {
        numbers(self.value(name)).next()
    }

    pub fn floats<const N: usize>(&self, name: &str) -> Option<[f64; N]> {
        grouped(numbers(self.value(name))).next()
    }

    pub fn handle(&self, name: &str) -> Option<u64> {
        handles(self.value(name))
            .next()
            .filter(|handle| *handle != 0)
    }

    /// Flags have one, two or four bytes, whatever their type in the stream.
    pub fn bits(&self, name: &str) -> u64 {
        let mut bytes = [0; 8];
        for (to, from) in bytes.iter_mut().zip(self.value(name)) {
            *to = *from;
        }
        u64::from_le_bytes(bytes)
    }

    /// The pose of an actor or a shape. Older streams have two attributes instead of one.
    pub fn place(&self, name: &str) -> Option<Pose> {
        self.pose(name).or_else(|| {
            let [x, y, z, w] = self.floats("rotation")?;
            let position = DVec3::from_array(self.floats("translation")?);
            Some((position, DQuat::from_xyzw(x, y, z, w)))
        })
    }

    /// A quaternion x, y, z, w before a position.
    pub fn pose(&self, name: &str) -> Option<Pose> {
        let [x, y, z, w, px, py, pz] = self.floats(name)?;
        Some((DVec3::new(px, py, pz), DQuat::from_xyzw(x, y, z, w)))
    }
}

/// A position and a rotation.
pub(super) type Pose = (DVec3, DQuat);

pub(super) const IDENTITY: Pose = (DVec3::ZERO, DQuat::IDENTITY);

pub(super) fn chained(outer: Pose, inner: Pose) -> Pose {
    (outer.0 + outer.1 * inner.0, outer.1 * inner.1)
}

pub(super) fn numbers(bytes: &[u8]) -> impl Iterator<Item = f64> {
    let (all, _) = bytes.as_chunks();
    all.iter()
        .map(|bytes| f64::from(f32::from_le_bytes(*bytes)))
}

pub(super) fn wholes(bytes: &[u8]) -> impl Iterator<Item = u32> {
    let (all, _) = bytes.as_chunks();
    all.iter().map(|bytes| u32::from_le_bytes(*bytes))
}

/// As many at a time as an array has; an incomplete one at the end is left out.
pub(super) fn grouped<T: Copy + Default, const N: usize>(
    mut all: impl Iterator<Item = T>,
) -> impl Iterator<Item = [T; N]> {
    std::iter::from_fn(move || {
        let mut group = [T::default(); N];
        for one in &mut group {
            *one = all.next()?;
        }
        Some(group)
    })
}

pub(super) fn handles(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (all, _) = bytes.as_chunks();
    all.iter().map(|bytes| u64::from_le_bytes(*bytes))
}

/// A text of an object: bytes with a zero at the end.
pub(super) fn text_of(object: &Object, name: &str) -> String {
    let bytes = object.value(name);
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * NAME_LIMIT)]);
    let text = text.trim_end_matches('\0').chars();
    text.take(NAME_LIMIT).collect()
}
