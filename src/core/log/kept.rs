//! Large recordings that were read once, in a form that opens at once.
//!
//! The bytes of all frames come first, so that each is fetched when it is needed. Then comes everything else: the recording as JSON Lines
//! without bodies, contacts, pushes, queries and notes, and what is not in such a log. No other program reads these files.

use super::parts::Parts;
use super::{Format, Lines, read_json, write};
use crate::core::bytes::{In, Out};
use crate::core::file::DataFile;
use crate::core::problem::{Place, Problem};
use crate::core::progress::Progress;
use crate::core::replay::{FrameStore, LoggedImage, RecordedFrame, Recording, StaticBody, Totals};
use crate::core::scene::{MemoryFolder, MeshSource, Object};
use crate::core::schema::{Axis, LengthName, Units, UserUnits};
use crate::core::shape::Pose;
use std::io;

/// Changes with this format and with the rules by which logs are read.
const VERSION: &str = concat!("hitstop ", env!("CARGO_PKG_VERSION"), " kept 11");
/// Frames between two progress reports.
const REPORT_FRAMES: usize = 64;

/// Writes a recording and the notices about it. `key` tells it from others. False when it cannot be kept, as it depends on other files or
/// would not be the same again.
///
/// # Errors
/// Those of the output; [`Interrupted`](io::ErrorKind::Interrupted) when it is cancelled.
pub fn keep(
    recording: &Recording,
    notices: &[Problem],
    key: &str,
    output: &mut dyn io::Write,
    progress: &dyn Progress,
) -> io::Result<bool> {
    let is_file = |object: &Object| matches!(object.mesh, Some(MeshSource::File { .. }));
    if recording.objects.iter().any(is_file) {
        return Ok(false);
    }
    let count = recording.data.len();
    let (mut lengths, mut written) = (Vec::with_capacity(count), 0);
    for index in 0..count {
        if index % REPORT_FRAMES == 0 {
            progress.report(index as u64, count as u64);
            if progress.cancelled() {
                return Err(io::ErrorKind::Interrupted.into());
            }
        }
        let length = recording.data.write(index, output)?;
        lengths.push(length);
        written += length as u64;
    }
    let shapes = recording.data.shapes();
    let mut out = Out::default();
    out.text(VERSION);
    out.text(key);
    out.list(notices, |out, notice| {
        out.text(&notice.file);
        out.option(notice.at, |out, at| {
            out.u64(at.line as u64);
            out.u64(at.column as u64);
        });
        out.text(&notice.what);
        out.text(&notice.help);
    });
    // The shapes of queries are objects in it.
    let shape_objects = shapes.iter().map(|shape| {
        let name = "shape of a query".to_owned();
        Object::new(name, shape.clone(), glam::DVec3::ZERO)
    });
    let objects = recording.objects.iter().cloned().chain(shape_objects);
    let plain = Recording {
        objects: objects.collect(),
        static_bodies: Vec::new(),
        data: FrameStore::default(),
        notices: Vec::new(),
        // To the bit, in metres and space.
        units: UserUnits::default(),
        ..recording.clone()
    };
    let mut lines = Vec::new();
    write(Format::JsonLines, &plain, &mut lines)?;
    out.u64(lines.len() as u64);
    out.0.append(&mut lines);
    out.0.push(u8::from(recording.has_bits));
    out.0.push(u8::from(recording.has_empty_contacts));
    out.u64(recording.unread as u64);
    let UserUnits { units, mirrored } = recording.units;
    out.f64(units.length);
    out.0.push(units.up as u8);
    out.0.push(u8::from(units.flat));
    out.option(units.name, |out, name| out.0.push(name as u8));
    out.option(mirrored, |out, axis| out.0.push(axis as u8));
    out.list(&recording.value_names, |out, name| out.text(name));
    out.list(&recording.images, |out, image| {
        out.u32(image.state);
        out.text(&image.file);
    });
    out.list(&recording.objects, |out, object| {
        out.vector(object.pose.position);
        out.rotation(object.pose.rotation);
        out.vector(object.velocity);
        out.vector(object.spin);
    });
    out.list(&recording.static_bodies, |out, still| {
        out.u32(still.object);
        out.u64(still.from as u64);
        out.option(still.until, |out, until| out.u64(until as u64));
    });
    out.list(&lengths, |out, length| out.u64(*length as u64));
    out.list(&recording.frames, |out, frame| {
        write_totals(out, frame.first);
        out.option(frame.tick, |out, tick| out.u64(tick as u64));
    });
    write_totals(&mut out, recording.data.totals());
    out.list(&recording.data.still(), |out, object| out.u32(*object));
    // Compared before anything relies on it.
    let again = read_rest(&out.0, key).map(|rest| Recording {
        data: recording.data.clone(),
        ..rest.recording
    });
    if !again.is_some_and(|again| is_same(&again, recording)) {
        return Ok(false);
    }
    output.write_all(&out.0)?;
    output.write_all(&written.to_le_bytes())?;
    Ok(true)
}

/// Whether two recordings with the same frame data are the same, apart from their notices.
fn is_same(one: &Recording, other: &Recording) -> bool {
    let plain = |recording: &Recording| Recording {
        data: FrameStore::default(),
        notices: Vec::new(),
        // To the bit, in metres and space.
        units: UserUnits::default(),
        ..recording.clone()
    };
    plain(one) == plain(other)
}

/// The recording that a file keeps, and the notices about it. `None` if it is another one, of another version, or damaged.
pub fn reopen(file: DataFile, key: &str) -> Option<(Recording, Vec<Problem>)> {
    let end = file.length().checked_sub(8)?;
    let start = u64::from_le_bytes(file.read(end, 8).ok()?.try_into().ok()?);
    let rest = end
        .checked_sub(start)
        .and_then(|length| usize::try_from(length).ok())?;
    let rest = read_rest(&file.read(start, rest).ok()?, key)?;
    let data = FrameStore::of_file(file, &rest.lengths, rest.totals, rest.shapes, &rest.still)?;
    let recording = Recording {
        data,
        ..rest.recording
    };
    (recording.data.len() == recording.frames.len()).then_some((recording, rest.notices))
}

/// Everything but the data of the frames.
struct Rest {
    recording: Recording,
    notices: Vec<Problem>,
    shapes: Vec<crate::core::shape::Shape>,
    lengths: Vec<usize>,
    totals: Totals,
    still: Vec<u32>,
}

fn read_rest(bytes: &[u8], key: &str) -> Option<Rest> {
    let mut input = In(bytes);
    if input.text()? != VERSION || input.text()? != key {
        return None;
    }
    let notices = input.list(|input| {
        Some(Problem {
            file: input.text()?,
            at: input.option(|input| {
                let (line, column) = (input.u64()? as usize, input.u64()? as usize);
                Some(Place { line, column })
            })?,
            what: input.text()?,
            help: input.text()?,
        })
    })?;
    let lines = input.text()?;
    let folder = MemoryFolder::default();
    let lines = Lines::new(lines.as_bytes(), 0, "", &());
    let mut recording = read_json::read(lines, &folder, Parts::none()).ok()?;
    recording.notices.clear();
    recording.has_bits = input.u8()? != 0;
    recording.has_empty_contacts = input.u8()? != 0;
    recording.unread = usize::try_from(input.u64()?).ok()?;
    let axis = |input: &mut In<'_>| {
        [Axis::X, Axis::Y, Axis::Z, Axis::MinusY]
            .get(usize::from(input.u8()?))
            .copied()
    };
    recording.units = UserUnits {
        units: Units {
            length: input.f64()?,
            up: axis(&mut input)?,
            flat: input.u8()? != 0,
            name: input.option(|input| LengthName::ALL.get(usize::from(input.u8()?)).copied())?,
        },
        mirrored: input.option(axis)?,
    };
    recording.value_names = input.list(In::text)?;
    recording.images = input.list(|input| {
        let (state, file) = (input.u32()?, input.text()?);
        Some(LoggedImage { state, file })
    })?;
    let states = input.list(|input| {
        let position = input.vector()?;
        let rotation = input.rotation()?;
        let pose = Pose { position, rotation };
        Some((pose, input.vector()?, input.vector()?))
    })?;
    if states.len() > recording.objects.len() {
        return None;
    }
    let shapes = recording.objects.split_off(states.len());
    for (object, state) in recording.objects.iter_mut().zip(states) {
        (object.pose, object.velocity, object.spin) = state;
    }
    recording.static_bodies = input.list(|input| {
        let (object, from) = (input.u32()?, input.u64()? as usize);
        let until = input.option(|input| Some(input.u64()? as usize))?;
        Some(StaticBody {
            object,
            from,
            until,
        })
    })?;
    let lengths = input.list(|input| usize::try_from(input.u64()?).ok())?;
    let firsts = input.list(|input| {
        let first = read_totals(input)?;
        let tick = input.option(|input| Some(input.u64()? as i64))?;
        Some((first, tick))
    })?;
    if firsts.len() != recording.frames.len() {
        return None;
    }
    let frames: &mut Vec<RecordedFrame> = &mut recording.frames;
    for (frame, (first, tick)) in frames.iter_mut().zip(firsts) {
        (frame.first, frame.tick) = (first, tick);
    }
    let (totals, still) = (read_totals(&mut input)?, input.list(In::u32)?);
    let is_known = |object: &u32| (*object as usize) < recording.objects.len();
    let is_whole = still.iter().all(is_known) && still.is_sorted();
    is_whole.then(|| Rest {
        notices,
        shapes: shapes.into_iter().map(|object| object.shape).collect(),
        lengths,
        totals,
        still,
        recording,
    })
}

fn write_totals(out: &mut Out, totals: Totals) {
    for count in [
        totals.bodies,
        totals.contacts,
        totals.pushes,
        totals.queries,
        totals.notes,
    ] {
        out.u64(count as u64);
    }
}

fn read_totals(input: &mut In<'_>) -> Option<Totals> {
    let mut count = || usize::try_from(input.u64()?).ok();
    Some(Totals {
        bodies: count()?,
        contacts: count()?,
        pushes: count()?,
        queries: count()?,
        notes: count()?,
    })
}
