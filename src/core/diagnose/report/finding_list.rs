//! The findings of a level: the first in memory, the others in a temporary file.

use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::finding::{Finding, MissingContact, Source};
use crate::core::diagnose::kind::Kind;
use crate::core::file::DataFile;
use crate::core::replay::ObjectId;
use crate::core::scene::Objects;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Error as _, Serialize, SerializeSeq, Serializer};
use serde_json::value::RawValue;
use std::collections::VecDeque;
use std::fmt;
use std::io::{self, ErrorKind};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// Findings in memory, about 4 kB each. A number for people: below it, a list can be worked through.
pub const LISTED: usize = 20_000;

/// Findings that are compressed together.
const BLOCK: usize = 256;

/// Blocks that are kept while the findings are read in their order, which is nearly that in which they were written.
const OPEN_BLOCKS: usize = 8;

/// The findings of a level, sorted by frame, fraction, a, b, kind; those of C24 last in their frame.
///
/// As a list it has the first [`LISTED`]. As JSON, and for [`for_each_json`](Self::for_each_json), it has all. Where earlier ones were left out
/// after they had been found, the last of the list come from the file, and no other numbers can be tried on them.
#[derive(Clone, Default)]
pub struct FindingList {
    listed: Vec<Finding>,
    more: Option<Arc<More>>,
}

/// The findings after the listed ones.
struct More {
    /// `None` where all are in memory.
    store: Option<Store>,
    order: Vec<Brief>,
    /// Those that are not in the store.
    kept: Vec<Finding>,
}

/// What is known of a finding without reading it from the file.
#[derive(Clone, Debug)]
pub(in crate::core::diagnose) struct Brief {
    pub kind: Kind,
    pub cause: Cause,
    pub objects: [Option<ObjectId>; 2],
    pub frame: u32,
    pub last_frame: u32,
    /// The first state of the overlap that it is about.
    pub since: Option<u32>,
    pub fraction: f64,
    pub normal: [f64; 3],
    pub source: Source,
    pub missing_contact: Option<MissingContact>,
    /// The names of `a` and `b`, where they are not those of the objects.
    names: Option<Box<[String; 2]>>,
    pub place: Place,
}

/// Location of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::diagnose) enum Place {
    /// By its index among those in memory.
    Memory(usize),
    /// A part of a block of the store.
    Stored { block: u32, from: u32, to: u32 },
}

impl Brief {
    pub fn of(finding: &Finding, objects: &Objects, place: Place) -> Self {
        let ids = [finding.object_a, finding.object_b];
        let names = [&finding.a, &finding.b];
        let same = (0..2).all(|side| names[side] == name(objects, ids[side]));
        Self {
            kind: finding.kind,
            cause: finding.cause,
            objects: ids,
            frame: finding.frame,
            last_frame: finding.last_frame,
            since: finding.since,
            fraction: finding.fraction,
            normal: finding.normal,
            source: finding.source,
            missing_contact: finding.missing_contact(),
            names: (!same).then(|| Box::new(names.map(String::clone))),
            place,
        }
    }

    /// `a` and `b` of the finding.
    pub fn names<'s>(&'s self, objects: &'s Objects) -> [&'s str; 2] {
        match &self.names {
            Some(names) => [&names[0], &names[1]],
            None => self.objects.map(|id| name(objects, id)),
        }
    }
}

/// The name of an object; empty for none.
fn name(objects: &Objects, id: Option<ObjectId>) -> &str {
    id.map_or("", |id| &*objects[id as usize].name)
}

/// Findings as JSON, one a line, in compressed blocks of a temporary file.
#[derive(Clone)]
pub(in crate::core::diagnose) struct Store {
    file: Arc<DataFile>,
    /// Offset and length of each block in the file, and its length before compression.
    blocks: Vec<(u64, usize, usize)>,
}

impl Store {
    /// # Errors
    /// When no temporary file can be created.
    pub fn new() -> io::Result<Self> {
        Ok(Self {
            file: Arc::new(DataFile::temporary()?),
            blocks: Vec::new(),
        })
    }

    /// Appends findings; returns their places.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn append(&mut self, findings: &[&Finding]) -> io::Result<Vec<Place>> {
        let mut places = Vec::with_capacity(findings.len());
        let known = self.blocks.len();
        for block in findings.chunks(BLOCK) {
            let added = self.append_block(block, &mut places);
            if added.is_err() {
                self.blocks.truncate(known);
            }
            added?;
        }
        Ok(places)
    }

    fn append_block(&mut self, block: &[&Finding], places: &mut Vec<Place>) -> io::Result<()> {
        let number = u32::try_from(self.blocks.len()).map_err(io::Error::other)?;
        let mut text = Vec::new();
        for finding in block {
            let from = text.len() as u32;
            serde_json::to_writer(&mut text, finding)?;
            places.push(Place::Stored {
                block: number,
                from,
                to: text.len() as u32,
            });
        }
        let bytes = zstd::bulk::compress(&text, 1)?;
        let offset = self.file.append(&bytes)?;
        self.blocks.push((offset, bytes.len(), text.len()));
        Ok(())
    }

    fn block(&self, number: u32) -> io::Result<Vec<u8>> {
        let (offset, length, whole) = self.blocks[number as usize];
        zstd::bulk::decompress(&self.file.read(offset, length)?, whole)
    }
}

/// Reads findings of a store.
struct Reader<'s> {
    store: Option<&'s Store>,
    open: VecDeque<(u32, Vec<u8>)>,
}

impl<'s> Reader<'s> {
    fn new(store: Option<&'s Store>) -> Self {
        Self {
            store,
            open: VecDeque::new(),
        }
    }

    fn json(&mut self, (block, from, to): (u32, u32, u32)) -> io::Result<&str> {
        let at = match self.open.iter().position(|(number, _)| *number == block) {
            Some(at) => at,
            None => {
                self.open.truncate(OPEN_BLOCKS - 1);
                let store = self.store.ok_or(ErrorKind::NotFound)?;
                self.open.push_front((block, store.block(block)?));
                0
            }
        };
        let bytes = &self.open[at].1[from as usize..to as usize];
        std::str::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
    }
}

impl FindingList {
    /// The findings in the order of `order`, of which `memory` has those that are not in `store`.
    ///
    /// # Errors
    /// When the store's file cannot be read.
    pub(in crate::core::diagnose) fn new(
        order: Vec<Brief>,
        memory: Vec<Finding>,
        store: Option<Store>,
        most: usize,
    ) -> io::Result<Self> {
        let mut memory: Vec<Option<Finding>> = memory.into_iter().map(Some).collect();
        let mut order = order.into_iter();
        let mut reader = Reader::new(store.as_ref());
        let mut listed = Vec::new();
        for brief in order.by_ref().take(most) {
            listed.extend(match brief.place {
                Place::Memory(index) => memory[index].take(),
                Place::Stored { block, from, to } => {
                    let json = reader.json((block, from, to))?;
                    Some(Finding {
                        object_a: brief.objects[0],
                        object_b: brief.objects[1],
                        source: brief.source,
                        ..serde_json::from_str(json)?
                    })
                }
            });
        }
        let mut kept = Vec::new();
        let order: Vec<Brief> = order
            .map(|mut brief| {
                if let Place::Memory(index) = &mut brief.place {
                    kept.extend(memory[*index].take());
                    *index = kept.len() - 1;
                }
                brief
            })
            .collect();
        let more = !order.is_empty();
        let more = more.then(|| Arc::new(More { store, order, kept }));
        Ok(Self { listed, more })
    }

    /// Number of all findings.
    pub fn total(&self) -> usize {
        self.listed.len() + self.beyond().count()
    }

    /// Number of all findings of a kind.
    pub fn of_kind(&self, kind: Kind) -> usize {
        let listed = self.listed.iter().filter(|one| one.kind == kind);
        listed.count() + self.beyond().filter(|one| *one == kind).count()
    }

    /// The kinds of the findings that are not listed. None of them is expected or known.
    pub fn beyond(&self) -> impl Iterator<Item = Kind> {
        let more = self.more.iter().flat_map(|more| &more.order);
        more.map(|brief| brief.kind)
    }

    /// The first frame of those that are not listed.
    pub(in crate::core::diagnose) fn first_beyond(&self) -> Option<u32> {
        Some(self.more.as_ref()?.order.first()?.frame)
    }

    /// Calls a function with each finding and its index, in order, until it fails.
    ///
    /// # Errors
    /// As [`for_each_json`](Self::for_each_json).
    pub fn for_each(
        &self,
        on: &mut dyn FnMut(usize, &Finding) -> io::Result<()>,
    ) -> io::Result<()> {
        for (index, finding) in self.listed.iter().enumerate() {
            on(index, finding)?;
        }
        let mut indices = self.listed.len()..;
        self.for_each_json(&mut |json| {
            let index = indices.next().unwrap_or_default();
            on(index, &serde_json::from_str(json)?)
        })
    }

    /// Calls a function with each finding as JSON that is not listed, in order, until it fails.
    ///
    /// # Errors
    /// When one cannot be read, or the function fails.
    pub fn for_each_json(&self, on: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let Some(more) = &self.more else {
            return Ok(());
        };
        let mut reader = Reader::new(more.store.as_ref());
        for brief in &more.order {
            match brief.place {
                Place::Memory(index) => on(&serde_json::to_string(&more.kept[index])?)?,
                Place::Stored { block, from, to } => on(reader.json((block, from, to))?)?,
            }
        }
        Ok(())
    }
}

impl From<Vec<Finding>> for FindingList {
    fn from(listed: Vec<Finding>) -> Self {
        Self { listed, more: None }
    }
}

impl From<FindingList> for Vec<Finding> {
    /// Returns the listed findings.
    fn from(list: FindingList) -> Self {
        list.listed
    }
}

impl Deref for FindingList {
    type Target = [Finding];

    fn deref(&self) -> &[Finding] {
        &self.listed
    }
}

impl DerefMut for FindingList {
    fn deref_mut(&mut self) -> &mut [Finding] {
        &mut self.listed
    }
}

impl<'l> IntoIterator for &'l FindingList {
    type Item = &'l Finding;
    type IntoIter = std::slice::Iter<'l, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.listed.iter()
    }
}

/// The listed findings.
impl IntoIterator for FindingList {
    type Item = Finding;
    type IntoIter = std::vec::IntoIter<Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.listed.into_iter()
    }
}

impl PartialEq for FindingList {
    fn eq(&self, other: &Self) -> bool {
        self.total() == other.total() && self.listed == other.listed
    }
}

impl<const N: usize> PartialEq<[Finding; N]> for FindingList {
    fn eq(&self, other: &[Finding; N]) -> bool {
        self.total() == N && self.listed == other
    }
}

impl fmt::Debug for FindingList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.listed.fmt(f)
    }
}

impl Serialize for FindingList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut all = serializer.serialize_seq(Some(self.total()))?;
        for finding in &self.listed {
            all.serialize_element(finding)?;
        }
        // The error of the serializer is not an `io::Error`.
        let mut failed = None;
        let read = self.for_each_json(&mut |json| {
            let raw: &RawValue = serde_json::from_str(json)?;
            all.serialize_element(raw).map_err(|error| {
                failed = Some(error);
                io::Error::other("not written")
            })
        });
        match (failed, read) {
            (Some(error), _) => Err(error),
            (None, read) => {
                read.map_err(S::Error::custom)?;
                all.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for FindingList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

#[cfg(test)]
mod tests {
    use crate::core::diagnose::diagnosis::Diagnosis;
    use crate::core::diagnose::finding::Finding;
    use crate::core::diagnose::kind::Kind;
    use crate::core::diagnose::report::content::Report;
    use crate::core::level;
    use std::fmt::Write as _;
    use std::io::Write as _;

    const BALLS: usize = 12;
    const FRAMES: usize = 60;

    /// Balls and a platform that jump through a wall in every frame.
    fn log() -> String {
        let mut log = String::from(
            "{\"hitstop\":1,\"name\":\"storm\",\"dt\":0.0166667,\"objects\":[\
             {\"id\":0,\"name\":\"wall\",\"motion\":\"fixed\",\"shape\":{\"box\":{\"half_extents\":[0.1,50,50]}}},\
             {\"id\":1,\"name\":\"lift\",\"motion\":\"kinematic\",\"shape\":{\"box\":{\"half_extents\":[0.2,0.2,0.2]}}}",
        );
        for id in 2..BALLS + 2 {
            let _ = write!(
                log,
                ",{{\"id\":{id},\"name\":\"ball {id}\",\"shape\":{{\"sphere\":{{\"radius\":0.2}}}}}}"
            );
        }
        log += "]}\n";
        for frame in 0..FRAMES {
            let x = if frame % 2 == 0 { -2.0 } else { 2.0 };
            let _ = write!(log, "{{\"frame\":{frame},\"bodies\":[");
            for id in 1..BALLS + 2 {
                let comma = if id > 1 { "," } else { "" };
                let _ = write!(log, "{comma}{{\"id\":{id},\"p\":[{x},{},0]}}", 2 * id);
            }
            log += "]}\n";
        }
        log
    }

    #[test]
    fn findings_in_the_file_are_the_same_as_in_memory() {
        let mut file = tempfile::Builder::new()
            .suffix(".jsonl")
            .tempfile()
            .expect("a temporary file");
        file.write_all(log().as_bytes()).expect("room");
        let level = level::open(file.path(), &()).expect("a level");
        let report = |most| -> Report {
            let mut diagnosis = Diagnosis::listing(0, most);
            let last = level.replay.frames() - 1;
            let done = diagnosis.advance(&level.replay, last, &(), &mut |_| ());
            done.expect("not cancelled");
            diagnosis.finish(&level.replay, &level.file)
        };
        let json = |findings: &[Finding]| serde_json::to_string(findings).expect("JSON");
        let all = report(usize::MAX);
        let found = BALLS * (FRAMES - 1);
        assert_eq!(all.findings.len(), found);
        assert_eq!(all.findings.total(), found);
        let whole = |report: &Report| serde_json::to_string(&report.findings).expect("JSON");
        // A few beyond those that are listed need no file.
        for listed in [100, found - 1, found - found / 8] {
            let some = report(listed);
            assert_eq!(some.findings.len(), listed);
            // Platforms were left out since, so that the last few come from the file.
            assert_eq!(some.findings[..listed - 10], all.findings[..listed - 10]);
            assert!(json(&some.findings) == json(&all.findings[..listed]));
            assert_eq!(some.findings.total(), found);
            for kind in Kind::ALL {
                let count = all.findings.iter().filter(|one| one.kind == kind).count();
                assert_eq!(some.findings.of_kind(kind), count, "{}", kind.name());
            }
            assert_eq!(some.groups, all.groups);
            assert_eq!(some.not_judged, all.not_judged);
            assert_eq!(some.notices.len(), all.notices.len() + 1);
            assert!(whole(&some) == whole(&all));
        }
    }
}
