//! One of several parts of a set of files.

use crate::core::file::size_of;
use blake3::Hasher;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Returns the hash of a file's content; `None` if it cannot be read.
pub type HashOf<'h> = &'h (dyn Fn(&Path) -> Option<String> + Sync);

/// Most parts.
const MOST: u32 = 1 << 16;

/// One of several parts, which together are all files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// From 0.
    index: u32,
    count: u32,
}

/// Files that stay together: a scene and the logs that it replays, or one file.
#[derive(Default)]
struct Unit<'f> {
    files: Vec<&'f PathBuf>,
    /// Of all of them, bytes.
    size: u64,
    /// Of their content; `None` where the size alone gives the order.
    hash: Option<String>,
}

impl Shard {
    /// Reads `2/5`: the second of five parts.
    ///
    /// # Errors
    /// What is expected instead.
    pub fn parse(text: &str) -> Result<Self, String> {
        let invalid = || {
            format!(
                "invalid part \"{text}\": expected I/N with I from 1 to N, and N at most {MOST}"
            )
        };
        let (index, count) = text.split_once('/').ok_or_else(invalid)?;
        let [index, count] = [index, count].map(|number| number.parse::<u32>().ok());
        let (index, count) = index.zip(count).ok_or_else(invalid)?;
        match (1..=count).contains(&index) && count <= MOST {
            true => Ok(Self {
                index: index - 1,
                count,
            }),
            false => Err(invalid()),
        }
    }

    /// Its files, in the same order. `scene_of` has the scenes that replay logs; `hash_of` is the hash of a file's content.
    ///
    /// The largest files are assigned first, each to the part with the least bytes so far. Files of one size are in the order of the hashes of
    /// their content.
    pub fn select(
        self,
        files: Vec<PathBuf>,
        scene_of: &HashMap<PathBuf, PathBuf>,
        hash_of: HashOf<'_>,
    ) -> Vec<PathBuf> {
        let mut loads = vec![0; self.count as usize];
        let mut mine: HashSet<&PathBuf> = HashSet::new();
        for unit in sorted_units(&files, scene_of, hash_of) {
            let least = (0..loads.len()).min_by_key(|&part| (loads[part], part));
            let least = least.unwrap_or_default();
            // An empty file takes time too.
            loads[least] += unit.size.max(1);
            if least == self.index as usize {
                mine.extend(unit.files);
            }
        }
        let mine: Vec<bool> = files.iter().map(|file| mine.contains(file)).collect();
        let files = files.into_iter().zip(mine);
        files.filter_map(|(file, is)| is.then_some(file)).collect()
    }
}

/// The files in the order of their assignment.
fn sorted_units<'f>(
    files: &'f [PathBuf],
    scene_of: &HashMap<PathBuf, PathBuf>,
    hash_of: HashOf<'_>,
) -> Vec<Unit<'f>> {
    let mut of_first: HashMap<&PathBuf, usize> = HashMap::new();
    let mut units: Vec<Unit<'f>> = Vec::new();
    // Scenes come before their logs.
    let (logs, others): (Vec<&PathBuf>, Vec<_>) =
        files.iter().partition(|file| scene_of.contains_key(*file));
    for file in others.into_iter().chain(logs) {
        let first = scene_of.get(file).unwrap_or(file);
        let unit = *of_first.entry(first).or_insert(units.len());
        if unit == units.len() {
            units.push(Unit::default());
        }
        units[unit].files.push(file);
        units[unit].size += size_of(file).unwrap_or(0);
    }
    units.sort_by_key(|unit| Reverse(unit.size));
    units
        .chunk_by_mut(|one, next| one.size == next.size)
        .filter(|same| same.len() > 1)
        .flatten()
        .collect::<Vec<_>>()
        .into_par_iter()
        .for_each(|unit| {
            let mut hasher = Hasher::new();
            for file in &unit.files {
                hasher.update(hash_of(file).unwrap_or_default().as_bytes());
            }
            unit.hash = Some(hasher.finalize().to_hex().to_string());
        });
    // Equal contents stay in the order of their paths.
    units.sort_by(|one, other| {
        let sizes = other.size.cmp(&one.size);
        sizes.then_with(|| one.hash.cmp(&other.hash))
    });
    units
}
