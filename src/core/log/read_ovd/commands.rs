//! The commands of an OmniPVD stream, one by one.
//!
//! A stream begins with three numbers of 32 bits, its version; then each command is a byte and its fields, all little-endian. Classes,
//! attributes and the values of flags are registered by name before they are used.

use super::super::line::{is_early_end, is_waiting};
use crate::core::problem::Problem;
use crate::core::progress::Progress;
use std::collections::HashMap;
use std::io::{self, BufRead, ErrorKind};
use std::sync::Arc;

/// The beginning of a stream over a socket, before a number of 32 bits and the stream itself (ovphysx 0.7, from what it sends).
pub(super) const SOCKET: &[u8; 4] = b"LDVO";

/// Bytes between two progress reports, which also allow cancelling.
const REPORT_BYTES: u64 = 256 << 10;

/// Bytes of one value, beyond which it is left out: the triangles of the largest mesh that is read fit.
const VALUE_LIMIT: u32 = 64 << 20;

/// The attributes that are read; values of all others are skipped. A name has one meaning for each class of objects.
const READ: &[&str] = &[
    "actor0",
    "actor1",
    "actors",
    "angularVelocity",
    "articulation",
    "articulationFlags",
    "articulations",
    "axis",
    "cMassLocalPose",
    "callbacks",
    "childLink",
    "constraintFlags",
    "contactOffset",
    "convexMesh",
    "core",
    "elapsedTime",
    "extents",
    "flags",
    "geom",
    "globalPose",
    "gravity",
    "halfExtents",
    "halfHeight",
    "height",
    "heightField",
    "inboundJoint",
    "isSleeping",
    "length",
    "linearVelocity",
    "localPose",
    "margin",
    "mass",
    "name",
    "pairsActors",
    "pairsContactCounts",
    "pairsContactNormals",
    "pairsContactPoints",
    "pairsContactSeparations",
    "pairsContactShapes",
    "parentLink",
    "physxVersionBugfix",
    "physxVersionMajor",
    "physxVersionMinor",
    "radius",
    "restOffset",
    "rigidBodyFlags",
    "rotation",
    "scale",
    "selfCollision",
    "shapeFlags",
    "shapes",
    "simulationFilterData",
    "tolerancesScale",
    "translation",
    "triangleMesh",
    "tris",
    "verts",
];

/// What the stream changes.
pub(super) enum Command {
    Create {
        object: u64,
        class: Arc<str>,
    },
    Destroy {
        object: u64,
    },
    /// Sets an attribute of an object.
    Set {
        object: u64,
        name: &'static str,
        value: Vec<u8>,
    },
    /// Adds to a list of an object, or removes from it.
    Member {
        object: u64,
        name: &'static str,
        member: u64,
        is_added: bool,
    },
    /// A frame of a scene ends.
    Stop {
        scene: u64,
    },
    /// A message of the engine: an error or a warning.
    Message(String),
    /// Nothing that is read.
    Other,
}

/// What comes next.
pub(super) enum Next {
    Command(Command),
    /// There is nothing more at present.
    Waiting,
    End,
}

/// Why a stream is not read on.
pub(super) enum Fault {
    /// It ends within a command, or is damaged: what came before can be used.
    Broken(Problem),
    /// It cannot be read, or the reading was cancelled.
    Failed(Problem),
}

/// The names that a stream has registered so far.
#[derive(Default)]
pub(super) struct Names {
    classes: HashMap<u32, Arc<str>>,
    attributes: HashMap<u32, &'static str>,
    /// Values of flags, by class and name.
    flags: HashMap<(Arc<str>, String), u32>,
}

impl Names {
    /// The bits of a flag of a class; none for one that the stream does not register.
    pub fn flag(&self, class: &str, name: &str) -> u64 {
        let key = (Arc::from(class), name.to_owned());
        self.flags.get(&key).copied().map_or(0, u64::from)
    }

    /// Whether the stream has an attribute of this name.
    pub fn has(&self, name: &str) -> bool {
        self.attributes.values().any(|known| *known == name)
    }
}

/// A stream, read command by command.
pub(super) struct Commands<'p, R> {
    input: R,
    file: &'p str,
    progress: &'p dyn Progress,
    /// Length of the stream; 0 when unknown.
    total: u64,
    /// Least number of bytes that a whole stream has.
    expected: u64,
    /// Bytes read so far.
    pub at: u64,
    /// Bytes at which the progress is next reported.
    due: u64,
    has_base_classes: bool,
    pub names: Names,
    /// Values that were too long: the byte of the first, and how many.
    pub too_long: Option<(u64, usize)>,
}

impl<'p, R: BufRead> Commands<'p, R> {
    /// Reads the version.
    ///
    /// # Errors
    /// When it is not such a stream, or one of another version.
    pub fn open(
        input: R,
        (total, expected): (u64, u64),
        file: &'p str,
        progress: &'p dyn Progress,
    ) -> Result<Self, Problem> {
        let mut commands = Self {
            input,
            file,
            progress,
            total,
            expected,
            at: 0,
            due: 0,
            has_base_classes: true,
            names: Names::default(),
            too_long: None,
        };
        let help = "record it with OmniPVD of PhysX 5, whose files have the versions 0.2 to 0.4";
        let version = commands.version().map_err(|fault| match fault {
            Fault::Failed(problem) => problem,
            Fault::Broken(_) => {
                let at = commands.at;
                let what = format!("this is not a recording of OmniPVD: it has {at} bytes");
                Problem::new(file, what, help)
            }
        })?;
        let [major, minor, patch] = version;
        if major != 0 || !(2..=4).contains(&minor) {
            let what = match version {
                [0, 0..100, 0..100] => format!(
                    "the recording has the version {major}.{minor}.{patch} of OmniPVD, which is not read"
                ),
                _ => "this is not a recording of OmniPVD: its first bytes are not a version"
                    .to_owned(),
            };
            return Err(Problem::new(file, what, help));
        }
        commands.has_base_classes = minor >= 3;
        Ok(commands)
    }

    fn version(&mut self) -> Result<[u32; 3], Fault> {
        let mut first = self.u32()?;
        if first == u32::from_le_bytes(*SOCKET) {
            self.u32()?;
            first = self.u32()?;
        }
        Ok([first, self.u32()?, self.u32()?])
    }

    /// The next command.
    ///
    /// # Errors
    /// When there is none that can be read.
    pub fn next(&mut self) -> Result<Next, Fault> {
        match self.input.fill_buf() {
            Ok([]) => return self.end(),
            Ok(_) => {}
            // After a signal there may be nothing more.
            Err(error) if is_waiting(&error) || error.kind() == ErrorKind::Interrupted => {
                return Ok(Next::Waiting);
            }
            // It comes again.
            Err(_) => {}
        }
        let start = self.at;
        let [code] = self.bytes()?;
        Ok(Next::Command(match code {
            1 => self.class()?,
            3..=5 => self.attribute(code)?,
            6..=8 => self.value(code)?,
            9 => {
                self.u64()?;
                let class = self.u32()?;
                let object = self.u64()?;
                self.text()?;
                let class = self.names.classes.get(&class).cloned().unwrap_or_default();
                Command::Create { object, class }
            }
            10 => {
                self.u64()?;
                let object = self.u64()?;
                Command::Destroy { object }
            }
            11 | 12 => {
                let scene = self.u64()?;
                self.u64()?;
                match code {
                    11 => Command::Other,
                    _ => Command::Stop { scene },
                }
            }
            13 => {
                self.u64()?;
                let message = self.text()?;
                self.text()?;
                self.skip(12)?;
                Command::Message(message)
            }
            _ => {
                let what = format!(
                    "byte {start} is {code}, which is not a command of OmniPVD; what follows is not read, the frames before are kept"
                );
                let help = "copy the whole file again, or record it again";
                return Err(Fault::Broken(Problem::new(self.file, what, help)));
            }
        }))
    }

    fn end(&self) -> Result<Next, Fault> {
        self.progress.report(self.at, self.total);
        if self.at >= self.expected {
            return Ok(Next::End);
        }
        let (read, all) = (self.at, self.expected);
        let what = format!("the recording cannot be read: {read} of its {all} bytes are there");
        let help = "copy it to a disk that can be read, and wait until it is written";
        Err(Fault::Failed(Problem::new(self.file, what, help)))
    }

    fn class(&mut self) -> Result<Command, Fault> {
        let handle = self.u32()?;
        if self.has_base_classes {
            self.u32()?;
        }
        let name = self.text()?;
        self.names.classes.insert(handle, name.into());
        Ok(Command::Other)
    }

    fn attribute(&mut self, code: u8) -> Result<Command, Fault> {
        /// The type of a named value of flags.
        const FLAG: u16 = 12;
        let class = self.u32()?;
        let handle = self.u32()?;
        let (mut kind, mut detail) = (0, 0);
        if code != 4 {
            kind = u16::from_le_bytes(self.bytes()?);
        }
        if code != 5 {
            detail = self.u32()?;
        }
        let name = self.text()?;
        if kind == FLAG && code == 3 {
            if let Some(class) = self.names.classes.get(&class) {
                self.names.flags.insert((class.clone(), name), detail);
            }
        } else if let Some(known) = READ.iter().find(|known| **known == name) {
            self.names.attributes.insert(handle, known);
        }
        Ok(Command::Other)
    }

    fn value(&mut self, code: u8) -> Result<Command, Fault> {
        self.u64()?;
        let object = self.u64()?;
        let [depth] = self.bytes()?;
        let mut attribute = 0;
        for _ in 0..depth {
            attribute = self.u32()?;
        }
        let start = self.at;
        let length = self.u32()?;
        let name = self.names.attributes.get(&attribute).copied();
        let Some(name) = name.filter(|_| length <= VALUE_LIMIT) else {
            if name.is_some() {
                self.too_long.get_or_insert((start, 0)).1 += 1;
            }
            self.skip(length.into())?;
            return Ok(Command::Other);
        };
        let mut value = Vec::new();
        self.take(length.into(), |part| value.extend_from_slice(part))?;
        let member = value.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
        Ok(match (code, member) {
            (6, _) => Command::Set {
                object,
                name,
                value,
            },
            (_, Some(member)) => Command::Member {
                object,
                name,
                member,
                is_added: code == 7,
            },
            (_, None) => Command::Other,
        })
    }

    fn u32(&mut self) -> Result<u32, Fault> {
        self.bytes().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Fault> {
        self.bytes().map(u64::from_le_bytes)
    }

    /// A text with its length before it; what is not UTF-8 in it is replaced.
    fn text(&mut self) -> Result<String, Fault> {
        let length = u16::from_le_bytes(self.bytes()?);
        let mut text = Vec::new();
        self.take(length.into(), |part| text.extend_from_slice(part))?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    }

    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        let (mut bytes, mut filled) = ([0; N], 0);
        self.take(N as u64, |part| {
            bytes[filled..filled + part.len()].copy_from_slice(part);
            filled += part.len();
        })?;
        Ok(bytes)
    }

    fn skip(&mut self, length: u64) -> Result<(), Fault> {
        self.take(length, |_| ())
    }

    /// Hands on so many bytes in parts, as they come: nothing is allocated for bytes that are only announced.
    fn take(&mut self, length: u64, mut on_part: impl FnMut(&[u8])) -> Result<(), Fault> {
        let end = self.at + length;
        while self.at < end {
            self.report()?;
            let part = match self.input.fill_buf() {
                Ok([]) => return Err(self.broken(&ErrorKind::UnexpectedEof.into())),
                Ok(part) => part,
                Err(error) if is_waiting(&error) || error.kind() == ErrorKind::Interrupted => {
                    continue;
                }
                Err(error) => return Err(self.broken(&error)),
            };
            let left = usize::try_from(end - self.at).unwrap_or(usize::MAX);
            let count = part.len().min(left);
            on_part(&part[..count]);
            self.input.consume(count);
            self.at += count as u64;
        }
        Ok(())
    }

    fn broken(&self, error: &io::Error) -> Fault {
        let at = self.at;
        let (what, help) = match error.kind() {
            ErrorKind::UnexpectedEof => (
                format!("the recording is cut off at byte {at}; the frames before are kept"),
                "copy the whole file again; a program that was stopped loses its last frame",
            ),
            _ if is_early_end(error) => (
                format!(
                    "the recording is damaged at byte {at}: {error}; the frames before are kept"
                ),
                "copy it to a disk that can be read, or record it again",
            ),
            kind => {
                let what = format!("the recording cannot be read at byte {at}: {error}");
                let help = match kind {
                    ErrorKind::FileTooLarge => "decompress it first, and open the result",
                    _ => "copy it to a disk that can be read, or record it again",
                };
                return Fault::Failed(Problem::new(self.file, what, help));
            }
        };
        Fault::Broken(Problem::new(self.file, what, help))
    }

    fn report(&mut self) -> Result<(), Fault> {
        if self.at < self.due {
            return Ok(());
        }
        self.due = self.at + REPORT_BYTES;
        self.progress.report(self.at, self.total);
        match self.progress.cancelled() {
            true => Err(Fault::Failed(Problem::new(
                self.file,
                "reading was cancelled",
                "",
            ))),
            false => Ok(()),
        }
    }
}
