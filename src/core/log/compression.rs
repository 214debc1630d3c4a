//! Compressed logs: gzip and zstd, recognised by their first bytes when read and by the file's ending when written.

use crate::core::file::is_of_disk;
use crate::core::progress::Progress;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes to which any compressed log, also one in Parquet, may expand.
pub(super) const FREE_BYTES: u64 = 1 << 30;

/// Times its own size to which a compressed log may expand beyond [`FREE_BYTES`]: a few bytes can stand for terabytes. Logs
/// of moving bodies expand to 3 to 10 times their size.
pub(super) const EXPANSION: u64 = 100;

/// Power of two of the bytes that a zstd stream may have to look back, and that reading it holds: zstd's own default.
const WINDOW_LOG: u32 = 27;

/// Bytes of a zstd block: zstd's own are of 128 KiB, which is all of a short log.
const BLOCK: usize = 1 << 14;

/// Bytes of a buffer.
const BUFFER: usize = 1 << 16;

/// A compression of a log, named by a second ending (`run.jsonl.zst`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// `.gz`
    Gzip,
    /// `.zst`
    Zstd,
}

impl Compression {
    /// By the file's ending, case ignored.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "gz" => Some(Self::Gzip),
            "zst" => Some(Self::Zstd),
            _ => None,
        }
    }

    /// A path without the ending of a compression.
    pub(super) fn without_ending(path: &Path) -> PathBuf {
        match Self::of_path(path) {
            Some(_) => path.with_extension(""),
            None => path.to_path_buf(),
        }
    }

    /// By the first bytes of a file.
    pub(super) fn of_content(start: &[u8]) -> Option<Self> {
        match start {
            [0x1F, 0x8B, ..] => Some(Self::Gzip),
            // Parallel compressors put a frame to be skipped first.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    /// The decompressed bytes of a stream.
    pub(super) fn decoded<'r>(
        self,
        input: impl BufRead + 'r,
        progress: &'r CompressedProgress<'r>,
    ) -> io::Result<impl BufRead + 'r> {
        let read = &progress.read;
        let input = Counted { input, read };
        let decoder: Box<dyn Read + 'r> = match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(input)),
            Self::Zstd => {
                let mut decoder = zstd::Decoder::with_buffer(input)?;
                decoder.window_log_max(WINDOW_LOG)?;
                Box::new(decoder)
            }
        };
        let bounded = Bounded {
            decoder,
            bytes: 0,
            read,
            free: FREE_BYTES,
        };
        Ok(BufReader::with_capacity(BUFFER, bounded))
    }
}

/// Copies the bytes of a log of some length, decompressed, to an output: every number stays as it is written.
///
/// # Errors
/// Of reading, decompressing and writing.
pub fn copy_log(mut input: impl BufRead, length: u64, output: &mut impl Write) -> io::Result<()> {
    let progress = CompressedProgress::new(&(), length);
    match Compression::of_content(input.fill_buf()?) {
        Some(compression) => io::copy(&mut compression.decoded(input, &progress)?, output),
        None => io::copy(&mut input, output),
    }?;
    Ok(())
}

/// The progress of reading a compressed file: by its own bytes, as the number of those it expands to is not known.
pub(super) struct CompressedProgress<'p> {
    progress: &'p dyn Progress,
    read: AtomicU64,
    length: u64,
}

impl<'p> CompressedProgress<'p> {
    /// Of a file of `length` bytes, 0 when unknown.
    pub fn new(progress: &'p dyn Progress, length: u64) -> Self {
        let read = AtomicU64::new(0);
        Self {
            progress,
            read,
            length,
        }
    }
}

impl Progress for CompressedProgress<'_> {
    fn report(&self, _done: u64, _total: u64) {
        let read = self.read.load(Ordering::Relaxed);
        self.progress.report(read, self.length);
    }

    fn cancelled(&self) -> bool {
        self.progress.cancelled()
    }
}

/// Counts the bytes that are consumed.
struct Counted<'c, R> {
    input: R,
    read: &'c AtomicU64,
}

impl<R: BufRead> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.read.fetch_add(amount as u64, Ordering::Relaxed);
        self.input.consume(amount);
    }
}

/// Fails once a stream has expanded too far.
struct Bounded<'c, R> {
    decoder: R,
    /// Decompressed so far.
    bytes: u64,
    /// Compressed so far.
    read: &'c AtomicU64,
    free: u64,
}

impl<R: Read> Read for Bounded<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer).map_err(|error| {
            // Damaged data, for zstd; the system's own errors have a number.
            match error.kind() == ErrorKind::Other
                && error.raw_os_error().is_none()
                && !is_of_disk(&error)
            {
                true => io::Error::new(ErrorKind::InvalidData, error),
                false => error,
            }
        })?;
        self.bytes += read as u64;
        let from = self.read.load(Ordering::Relaxed);
        if self.bytes > self.free && self.bytes / EXPANSION > from {
            let what = format!(
                "the file expands to more than {} MiB, {EXPANSION} times its size",
                self.free >> 20
            );
            return Err(io::Error::new(ErrorKind::FileTooLarge, what));
        }
        Ok(read)
    }
}

/// An output that compresses what is written into it, or does not.
///
/// ```
/// use hitstop::core::log::{Compression, Compressor, Header, Recorder};
///
/// let output = Compressor::new(Vec::new(), Some(Compression::Zstd))?;
/// let recorder = Recorder::new(output, Header::default())?;
/// let bytes = recorder.finish()?.finish()?;
/// assert_eq!(bytes[..4], [0x28, 0xB5, 0x2F, 0xFD]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Compressor<W: Write>(Encoder<W>);

/// Buffered, as lines are written in small pieces.
enum Encoder<W: Write> {
    Plain(W),
    Gzip(BufWriter<GzEncoder<W>>),
    Zstd(BufWriter<ShortBlocks<W>>),
}

/// A zstd stream of short blocks: of a file that is cut off, whole blocks can be read.
struct ShortBlocks<W: Write>(zstd::Encoder<'static, W>);

impl<W: Write> Write for ShortBlocks<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let block = &bytes[..bytes.len().min(BLOCK)];
        self.0.write_all(block)?;
        self.0.flush()?;
        Ok(block.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl<W: Write + std::fmt::Debug> std::fmt::Debug for Encoder<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Plain(output) => f.debug_tuple("Plain").field(output).finish(),
            Self::Gzip(encoder) => f
                .debug_tuple("Gzip")
                .field(encoder.get_ref().get_ref())
                .finish(),
            Self::Zstd(encoder) => f
                .debug_tuple("Zstd")
                .field(encoder.get_ref().0.get_ref())
                .finish(),
        }
    }
}

impl<W: Write> Compressor<W> {
    /// Over an output; `None` writes it as it is. Buffer the output.
    ///
    /// # Errors
    /// When the compressor cannot be set up.
    pub fn new(output: W, compression: Option<Compression>) -> io::Result<Self> {
        Ok(Self(match compression {
            None => Encoder::Plain(output),
            Some(Compression::Gzip) => {
                // The default takes five times as long for a seventh less.
                let level = flate2::Compression::fast();
                Encoder::Gzip(BufWriter::with_capacity(
                    BUFFER,
                    GzEncoder::new(output, level),
                ))
            }
            Some(Compression::Zstd) => {
                let encoder = zstd::Encoder::new(output, zstd::DEFAULT_COMPRESSION_LEVEL)?;
                Encoder::Zstd(BufWriter::with_capacity(BLOCK, ShortBlocks(encoder)))
            }
        }))
    }

    /// Writes the end, without which a reader calls the file cut off, and returns the output.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Encoder::Plain(mut output) => {
                output.flush()?;
                Ok(output)
            }
            Encoder::Gzip(encoder) => encoder.into_inner()?.finish(),
            Encoder::Zstd(encoder) => encoder.into_inner()?.0.finish(),
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Encoder::Plain(output) => output.write(bytes),
            Encoder::Gzip(encoder) => encoder.write(bytes),
            Encoder::Zstd(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Encoder::Plain(output) => output.flush(),
            Encoder::Gzip(encoder) => encoder.flush(),
            Encoder::Zstd(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_that_expands_too_far_is_an_error() {
        for compression in [Compression::Gzip, Compression::Zstd] {
            let mut output = Compressor::new(Vec::new(), Some(compression)).unwrap();
            let block = [b' '; 1 << 16];
            (0..64).for_each(|_| output.write_all(&block).unwrap());
            let bytes = output.finish().unwrap();
            let decoded = |free| {
                let progress = CompressedProgress::new(&(), bytes.len() as u64);
                let mut bounded = Bounded {
                    decoder: compression.decoded(&*bytes, &progress).unwrap(),
                    bytes: 0,
                    read: &progress.read,
                    free,
                };
                io::copy(&mut bounded, &mut io::sink())
            };
            assert_eq!(decoded(64 << 16).unwrap(), 64 << 16, "{compression:?}");
            let error = decoded(1 << 20).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::FileTooLarge, "{compression:?}");
        }
    }
}
