//! What a file leaves to the user, before it is read.

use super::{Ending, ReadOptions};
use crate::core::file::open_file;
use crate::core::import::{AnimationClip, read_animations};
use crate::core::log::{Format, TablePreview};
use crate::core::scene::DiskFolder;
use std::path::Path;

/// What the user can choose about a file.
pub enum FileChoice {
    /// One of several animations of a glTF file, or all.
    Animation {
        /// Them, in the order of the file; at least two.
        clips: Vec<AnimationClip>,
        /// No two move the same node.
        are_parts: bool,
    },
    /// What the columns of a table are.
    Columns(Box<TablePreview>),
}

impl FileChoice {
    /// Returns true if files of this type may leave one.
    pub fn is_possible(path: &Path) -> bool {
        match Ending::of(path) {
            Ok(Ending::Animation) => true,
            Ok(Ending::Log(format)) => !matches!(format, Format::JsonLines | Format::Ovd),
            _ => false,
        }
    }

    /// Of a file on disk; `None` where there is nothing to choose, or the file cannot be read.
    pub fn of(path: &Path) -> Option<Self> {
        match Ending::of(path).ok()? {
            Ending::Scene | Ending::Mesh => None,
            Ending::Animation => {
                let name = path.file_name()?.to_str()?;
                let (clips, are_parts) = read_animations(&DiskFolder::of(path), name).ok()?;
                (clips.len() > 1).then_some(Self::Animation { clips, are_parts })
            }
            Ending::Log(format) => {
                let file = path.display().to_string();
                let preview = TablePreview::of(format, open_file(path).ok()?, &file)?;
                Some(Self::Columns(Box::new(preview)))
            }
        }
    }

    /// Returns true if the file can be read with this answer, `None` before there is one.
    pub fn is_settled(&self, answer: Option<&ReadOptions>) -> bool {
        match (self, answer) {
            (Self::Animation { .. }, None) => false,
            (Self::Animation { clips, .. }, Some(answer)) => {
                let wanted = answer.animation.as_ref();
                wanted.is_none_or(|wanted| clips.iter().any(|clip| clip.name == *wanted))
            }
            (Self::Columns(preview), None) => preview.is_recognised(&ReadOptions::default()),
            (Self::Columns(preview), Some(answer)) => preview.is_recognised(answer),
        }
    }

    /// The answer to start with: the first animation, or all where they are parts of one motion; the columns with the nearest names.
    pub fn guess(&self) -> ReadOptions {
        match self {
            Self::Animation { clips, are_parts } => ReadOptions {
                animation: clips
                    .first()
                    .filter(|_| !are_parts)
                    .map(|one| one.name.clone()),
                ..ReadOptions::default()
            },
            Self::Columns(preview) => preview.guess(),
        }
    }
}
