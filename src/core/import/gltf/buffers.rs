//! Buffers and accessors of a glTF file: from its own bytes, from base64 text, or from files beside it.

use super::document::{Accessor, Document, SparsePart};
use super::fault;
use crate::core::problem::Problem;
use crate::core::scene::{Folder, relative_path};
use crate::core::tolerance::{MAX_FILE_BYTES, MAX_MESH_TRIANGLES};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Buffers, each read on first use.
pub(super) struct Buffers<'d> {
    pub(super) path: &'d str,
    pub(super) document: &'d Document,
    /// The binary chunk of a GLB file.
    pub(super) blob: Option<&'d [u8]>,
    pub(super) folder: &'d dyn Folder,
    pub(super) known: BTreeMap<usize, Cow<'d, [u8]>>,
    /// Bytes of all that were read.
    pub(super) total: u64,
}

/// Location of an accessor's elements.
struct Layout {
    view: usize,
    offset: u64,
    count: u64,
    component: Component,
    parts: u64,
}

#[derive(Clone, Copy)]
struct Component {
    code: u32,
    normalized: bool,
}

impl Component {
    fn bytes(self) -> Option<u64> {
        match self.code {
            5120 | 5121 => Some(1),
            5122 | 5123 => Some(2),
            5125 | 5126 => Some(4),
            _ => None,
        }
    }

    /// The number in these bytes, [`Component::bytes`] of them.
    fn read(self, bytes: &[u8]) -> f64 {
        let two = || bytes.try_into().unwrap_or([0; 2]);
        let four = || bytes.try_into().unwrap_or([0; 4]);
        let first = bytes.first().copied().unwrap_or(0);
        let (number, most) = match self.code {
            5120 => (f64::from(first.cast_signed()), 127.0),
            5121 => (f64::from(first), 255.0),
            5122 => (f64::from(i16::from_le_bytes(two())), 32767.0),
            5123 => (f64::from(u16::from_le_bytes(two())), 65535.0),
            5125 => (f64::from(u32::from_le_bytes(four())), f64::from(u32::MAX)),
            _ => return f64::from(f32::from_le_bytes(four())),
        };
        match self.normalized {
            true => (number / most).max(-1.0),
            false => number,
        }
    }
}

impl Buffers<'_> {
    fn wrong(&self, what: impl Into<String>) -> Problem {
        fault(self.path, what)
    }

    /// Three numbers an element.
    pub(super) fn vectors(&mut self, accessor: usize) -> Result<Vec<[f64; 3]>, Problem> {
        let numbers = self.numbers(accessor, "VEC3", 3)?;
        Ok(numbers.as_chunks::<3>().0.to_vec())
    }

    /// One whole number an element.
    pub(super) fn indices(&mut self, accessor: usize) -> Result<Vec<u32>, Problem> {
        let numbers = self.numbers(accessor, "SCALAR", 1)?;
        Ok(numbers.into_iter().map(|number| number as u32).collect())
    }

    pub(super) fn numbers(
        &mut self,
        index: usize,
        kind: &str,
        parts: u64,
    ) -> Result<Vec<f64>, Problem> {
        let document = self.document;
        let missing = || self.wrong(format!("there is no accessor {index}"));
        let accessor = document.accessors.get(index).ok_or_else(missing)?;
        if accessor.kind != kind {
            let what = format!("accessor {index} holds {}, not {kind}", accessor.kind);
            return Err(self.wrong(what));
        }
        let most = 3 * MAX_MESH_TRIANGLES as u64;
        if accessor.count > most {
            let what = format!("accessor {index} has {} elements", accessor.count);
            return Err(Problem::new(
                self.path,
                what,
                format!("split the mesh: at most {most}"),
            ));
        }
        let component = Component {
            code: accessor.component_type,
            normalized: accessor.normalized,
        };
        let mut numbers = match accessor.buffer_view {
            Some(view) => self.elements(&Layout {
                view,
                offset: accessor.byte_offset,
                count: accessor.count,
                component,
                parts,
            })?,
            // Zeros, some replaced by a sparse accessor.
            None => vec![0.0; (accessor.count * parts) as usize],
        };
        self.replace_some(accessor, component, parts, &mut numbers)?;
        Ok(numbers)
    }

    fn replace_some(
        &mut self,
        accessor: &Accessor,
        component: Component,
        parts: u64,
        numbers: &mut [f64],
    ) -> Result<(), Problem> {
        let Some(sparse) = &accessor.sparse else {
            return Ok(());
        };
        let layout = |part: &SparsePart, component, parts| Layout {
            view: part.buffer_view,
            offset: part.byte_offset,
            count: sparse.count.min(accessor.count),
            component,
            parts,
        };
        let whole = Component {
            code: sparse.indices.component_type.unwrap_or(0),
            normalized: false,
        };
        let places = self.elements(&layout(&sparse.indices, whole, 1))?;
        let values = self.elements(&layout(&sparse.values, component, parts))?;
        let parts = parts as usize;
        for (place, value) in places.into_iter().zip(values.chunks_exact(parts)) {
            let from = (place as usize).saturating_mul(parts);
            let target = numbers.get_mut(from..from.saturating_add(parts));
            target
                .ok_or_else(|| {
                    fault(
                        self.path,
                        "a sparse accessor names an element that is not there",
                    )
                })?
                .copy_from_slice(value);
        }
        Ok(())
    }

    fn elements(&mut self, layout: &Layout) -> Result<Vec<f64>, Problem> {
        let (path, document) = (self.path, self.document);
        let view = document.buffer_views.get(layout.view);
        let view =
            view.ok_or_else(|| fault(path, format!("there is no buffer view {}", layout.view)))?;
        if view.extensions.contains_key("EXT_meshopt_compression") {
            return Err(compressed(path));
        }
        let size = layout.component.bytes();
        let size = size.ok_or_else(|| fault(path, "numbers of a kind that glTF does not have"))?;
        let element = size * layout.parts;
        let stride = view.byte_stride.unwrap_or(element);
        let what = || {
            fault(
                path,
                format!(
                    "the numbers of buffer view {} lie beyond its end",
                    layout.view
                ),
            )
        };
        // Overlapping elements would let a small file expand without limit.
        if stride < element {
            return Err(what());
        }
        let bytes = self.buffer(view.buffer)?;
        let range = || {
            let end = view.byte_offset.checked_add(view.byte_length)?;
            let bytes =
                bytes.get(usize::try_from(view.byte_offset).ok()?..usize::try_from(end).ok()?)?;
            let bytes = bytes.get(usize::try_from(layout.offset).ok()?..)?;
            let last = layout.count.saturating_sub(1).checked_mul(stride)?;
            let needed = if layout.count == 0 {
                0
            } else {
                last.checked_add(element)?
            };
            (needed <= bytes.len() as u64).then_some(bytes)
        };
        let bytes = range().ok_or_else(what)?;
        let elements = bytes
            .chunks(stride.max(1) as usize)
            .take(layout.count as usize);
        let numbers = elements.flat_map(|chunk| {
            let parts = chunk
                .chunks_exact(size as usize)
                .take(layout.parts as usize);
            parts.map(|part| layout.component.read(part))
        });
        Ok(numbers.collect())
    }

    fn buffer(&mut self, index: usize) -> Result<&[u8], Problem> {
        if !self.known.contains_key(&index) {
            let bytes = self.read(index)?;
            self.total += bytes.len() as u64;
            if self.total > MAX_FILE_BYTES {
                let what = format!("its buffers hold more than {} MiB", MAX_FILE_BYTES >> 20);
                return Err(Problem::new(
                    self.path,
                    what,
                    "split it, or leave out what has no collision",
                ));
            }
            self.known.insert(index, bytes);
        }
        Ok(self.known.get(&index).map_or(&[], |bytes| bytes))
    }
}

impl<'d> Buffers<'d> {
    fn read(&self, index: usize) -> Result<Cow<'d, [u8]>, Problem> {
        let path = self.path;
        let buffer = self.document.buffers.get(index);
        let buffer = buffer.ok_or_else(|| fault(path, format!("there is no buffer {index}")))?;
        let bytes = match (&buffer.uri, self.blob) {
            (None, Some(blob)) if index == 0 => Cow::Borrowed(blob),
            (None, _) => return Err(fault(path, format!("buffer {index} has no bytes"))),
            (Some(uri), _) => match uri.strip_prefix("data:") {
                Some(data) => Cow::Owned(from_text(path, data)?),
                None => Cow::Owned(self.folder.read(&beside(path, uri)?)?),
            },
        };
        if (bytes.len() as u64) < buffer.byte_length {
            let what = format!(
                "buffer {index} has {} bytes, and should have {}",
                bytes.len(),
                buffer.byte_length
            );
            return Err(fault(path, what));
        }
        Ok(bytes)
    }
}

pub(super) fn compressed(path: &str) -> Problem {
    let what = "its meshes are compressed (Draco or meshopt)";
    Problem::new(path, what, "export it without compression")
}

/// The content of a `data:` URI.
fn from_text(path: &str, data: &str) -> Result<Vec<u8>, Problem> {
    let text = data.split_once(";base64,").map(|(_, text)| text);
    let bytes = text.and_then(|text| STANDARD.decode(text).ok());
    bytes.ok_or_else(|| fault(path, "a buffer in the file's own text is not base64"))
}

/// The path of a file that a glTF file names, from the folder that its own path starts in.
fn beside(path: &str, uri: &str) -> Result<String, Problem> {
    let name = percent_decoded(uri);
    let refuse = |what: &str| {
        Err(Problem::new(
            path,
            format!("{what}: {name}"),
            "export it as one .glb file",
        ))
    };
    if name.contains("://") || name.starts_with("//") {
        return refuse("a buffer is on the network, which is not supported");
    }
    if relative_path(&name).is_err() {
        return refuse("a buffer lies outside the folder of the file");
    }
    let folder = path.rfind('/').map_or("", |at| &path[..=at]);
    Ok(format!("{folder}{name}"))
}

/// Percent-decodes; invalid escapes stay.
fn percent_decoded(uri: &str) -> String {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .and_then(|pair| std::str::from_utf8(pair).ok());
        let code = code.and_then(|pair| u8::from_str_radix(pair, 16).ok());
        (rest, _) = match (first, code) {
            (b'%', Some(code)) => (&after[2..], bytes.push(code)),
            _ => (after, bytes.push(first)),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
