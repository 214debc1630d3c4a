//! Values as bytes, for the files that only this program reads.

use glam::{DQuat, DVec3};

/// Bytes being written.
#[derive(Default)]
pub struct Out(pub Vec<u8>);

impl Out {
    /// A number.
    pub fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// A number.
    pub fn u64(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// A number, to the bit.
    pub fn f64(&mut self, value: f64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Its three numbers.
    pub fn vector(&mut self, vector: DVec3) {
        vector
            .to_array()
            .into_iter()
            .for_each(|value| self.f64(value));
    }

    /// Its four numbers.
    pub fn rotation(&mut self, rotation: DQuat) {
        rotation
            .to_array()
            .into_iter()
            .for_each(|value| self.f64(value));
    }

    /// The length, and the entries.
    pub fn list<T>(&mut self, list: &[T], mut one: impl FnMut(&mut Self, &T)) {
        self.u32(list.len() as u32);
        list.iter().for_each(|entry| one(self, entry));
    }

    /// Whether there is one, and the value.
    pub fn option<T>(&mut self, value: Option<T>, some: impl FnOnce(&mut Self, T)) {
        self.0.push(u8::from(value.is_some()));
        if let Some(value) = value {
            some(self, value);
        }
    }

    /// The length in bytes, and the text.
    pub fn text(&mut self, text: &str) {
        self.u64(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }
}

/// Bytes being read.
pub struct In<'b>(pub &'b [u8]);

impl In<'_> {
    fn bytes<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (bytes, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*bytes)
    }

    /// A byte.
    pub fn u8(&mut self) -> Option<u8> {
        self.bytes().map(|[byte]| byte)
    }

    /// A number.
    pub fn u32(&mut self) -> Option<u32> {
        self.bytes().map(u32::from_le_bytes)
    }

    /// A number.
    pub fn u64(&mut self) -> Option<u64> {
        self.bytes().map(u64::from_le_bytes)
    }

    /// A number, to the bit.
    pub fn f64(&mut self) -> Option<f64> {
        self.bytes().map(f64::from_le_bytes)
    }

    /// Its three numbers.
    pub fn vector(&mut self) -> Option<DVec3> {
        Some(DVec3::new(self.f64()?, self.f64()?, self.f64()?))
    }

    /// Its four numbers.
    pub fn rotation(&mut self) -> Option<DQuat> {
        let [x, y, z, w] = [self.f64()?, self.f64()?, self.f64()?, self.f64()?];
        Some(DQuat::from_xyzw(x, y, z, w))
    }

    /// The length, and the entries.
    pub fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count = self.u32()? as usize;
        // Every entry has bytes, so that a wrong count takes no memory.
        let mut list = Vec::with_capacity(count.min(self.0.len()));
        for _ in 0..count {
            list.push(one(self)?);
        }
        Some(list)
    }

    /// Whether there is one, and the value.
    pub fn option<T>(&mut self, some: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        Some(match self.u8()? {
            0 => None,
            _ => Some(some(self)?),
        })
    }

    /// The length in bytes, and the text.
    pub fn text(&mut self) -> Option<String> {
        let length = usize::try_from(self.u64()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        String::from_utf8(text.to_vec()).ok()
    }
}
