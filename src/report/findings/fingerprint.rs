//! Fingerprints by which services track a result between runs.
//!
//! The hash of file, kind, cause, both objects and the index among equal ones, in order of time. Frames are left out,
//! as they shift in a new recording.

use crate::core::diagnose::Finding;
use std::collections::BTreeMap;

/// Name and version of the fingerprint.
const NAME: &str = "hitstop/v1";

/// Makes the fingerprints of a file's findings, asked for in their order.
pub struct Fingerprints {
    file: String,
    /// How often each hash was there.
    count: BTreeMap<u64, u32>,
}

impl Fingerprints {
    /// Of a file, named as in the results.
    pub fn of(file: &str) -> Self {
        Self {
            file: file.to_owned(),
            count: BTreeMap::new(),
        }
    }

    /// The next finding's.
    pub fn next(&mut self, finding: &Finding) -> BTreeMap<&'static str, String> {
        let parts = [
            &self.file,
            finding.kind.name(),
            finding.cause.id(),
            &finding.a,
            &finding.b,
        ];
        let hash = hash(&parts);
        let count = self.count.entry(hash).or_default();
        *count += 1;
        named(hash, *count)
    }

    /// An expectation's: its text is one in its file.
    pub fn of_expectation(file: &str, text: &str) -> BTreeMap<&'static str, String> {
        named(hash(&[file, "expectation", text]), 1)
    }
}

fn named(hash: u64, count: u32) -> BTreeMap<&'static str, String> {
    BTreeMap::from([(NAME, format!("{hash:016x}:{count}"))])
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo 1991), over the parts, each behind its length.
fn hash(parts: &[&str]) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for part in parts {
        (part.len() as u64)
            .to_le_bytes()
            .into_iter()
            .for_each(&mut eat);
        part.bytes().for_each(&mut eat);
    }
    hash
}
