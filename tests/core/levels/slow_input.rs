//! Logs from an input that has nothing at times, or is interrupted by signals.

use hitstop::core::log::{self, Compression, Compressor, Format};
use hitstop::core::problem::Problems;
use hitstop::core::replay::Recording;
use hitstop::core::scene::MemoryFolder;
use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::path::Path;

/// It gives nothing three times before each part.
struct Hesitant<'t> {
    rest: &'t [u8],
    kind: ErrorKind,
    asked: u32,
}

impl Read for Hesitant<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.asked += 1;
        if !self.asked.is_multiple_of(4) {
            return Err(self.kind.into());
        }
        let count = self.rest.len().min(buffer.len()).min(40);
        buffer[..count].copy_from_slice(&self.rest[..count]);
        self.rest = &self.rest[count..];
        Ok(count)
    }
}

fn read(format: Format, input: impl io::BufRead) -> Result<Recording, Problems> {
    let folder = MemoryFolder::default();
    log::read(format, input, 0, "run", None, &folder, &())
}

/// A part, the first or the end may be what it waits for; that a log is compressed is told by its first bytes.
#[test]
fn an_input_that_has_nothing_yet_is_asked_again() {
    let csv = b"frame,name,x,y,z\n0,ball,0,1,0\n1,ball,0,1,0\n2,ball,0,1,0\n";
    let compressed = |compression: Option<Compression>| {
        let mut output = Compressor::new(Vec::new(), compression).unwrap();
        output.write_all(csv).unwrap();
        output.finish().unwrap()
    };
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/core/levels/ovd/ball_and_wall.ovd.zst");
    let (file, mut ovd) = (std::fs::read(file).unwrap(), Vec::new());
    log::copy_log(&file[..], file.len() as u64, &mut ovd).unwrap();
    for (format, bytes) in [
        (Format::Csv, csv.to_vec()),
        (Format::Csv, compressed(Some(Compression::Gzip))),
        (Format::Ovd, ovd),
    ] {
        let whole = read(format, &bytes[..]).unwrap();
        for kind in [ErrorKind::WouldBlock, ErrorKind::Interrupted] {
            let (rest, asked) = (&bytes[..], 0);
            let input = BufReader::new(Hesitant { rest, kind, asked });
            let got = read(format, input).unwrap_or_else(|problems| panic!("{kind:?}: {problems}"));
            assert_eq!(got.frames, whole.frames, "{format:?} {kind:?}");
            assert_eq!(got.notices, whole.notices, "{format:?} {kind:?}");
        }
    }
}
