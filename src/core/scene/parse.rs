//! Text to a raw scene: limits, version, then each item strictly.

use super::raw::{Bookmark, Expectation, Header, SceneText};
use super::spans::{Lines, Spans};
use super::syntax;
use super::tokens::skip_trivia;
use crate::core::problem::{Problem, Problems};
use crate::core::schema::{ObjectText, Step};
use crate::core::tolerance::{MAX_PROBLEMS, MAX_SCENE_BYTES, MAX_SCENE_OBJECTS};
use ron::Options;
use ron::extensions::Extensions;
use ron::value::RawValue;
use serde::de::DeserializeOwned;
use std::cell::OnceCell;

/// Brackets in brackets. The deepest scene needs 8; more only costs stack.
const MAX_SCENE_NESTING: usize = 64;

/// The supported version.
const VERSION: u64 = 1;

/// A scene as written, all items parsed.
pub(super) struct RawScene<'t> {
    pub(super) head: SceneText<'t>,
    /// `None` where an item could not be read; the problem is listed.
    pub(super) objects: Vec<Option<ObjectText>>,
    pub(super) bookmarks: Vec<Option<Bookmark>>,
    pub(super) expect: Vec<Option<Expectation>>,
}

/// The problem of a scene whose text is longer than [`MAX_SCENE_BYTES`].
pub(super) fn too_large(file: &str) -> Problem {
    Problem::new(
        file,
        format!("the scene is larger than {} MiB", MAX_SCENE_BYTES >> 20),
        "put large meshes in OBJ files and long recordings in logs",
    )
}

/// Parses the text; problems of single items are collected, and the rest is still validated.
pub(super) fn read<'t>(
    text: &'t str,
    file: &str,
) -> Result<(RawScene<'t>, Vec<Problem>), Problems> {
    if text.len() > MAX_SCENE_BYTES {
        return Err(too_large(file).into());
    }
    let reader = Reader::new(text, file);
    if skip_trivia(text, 0) == text.len() {
        return Err(
            Problem::new(file, "the file is empty", "a scene begins with `Scene(`")
                .at(1, 1)
                .into(),
        );
    }
    reader.check_version()?;
    let head: SceneText<'t> = reader
        .options
        .from_str(text)
        .map_err(|error| reader.problem(&error, text))?;
    let objects = head.objects.as_deref().unwrap_or_default();
    if objects.len() > MAX_SCENE_OBJECTS {
        return Err(Problem::new(
            file,
            format!("the scene has more than {MAX_SCENE_OBJECTS} objects"),
            "split it, or join static geometry into meshes",
        )
        .at(1, 1)
        .into());
    }
    let reader = reader.with_extensions_of(text);
    let mut problems = Vec::new();
    let raw = RawScene {
        objects: reader.items(objects, &mut problems),
        bookmarks: reader.items(&head.bookmarks, &mut problems),
        expect: reader.expectations(&head.expect, &mut problems),
        head,
    };
    Ok((raw, problems))
}

struct Reader<'t> {
    text: &'t str,
    file: &'t str,
    options: Options,
    /// Built for the first problem.
    lines: OnceCell<Lines<'t>>,
}

impl<'t> Reader<'t> {
    fn new(text: &'t str, file: &'t str) -> Self {
        Self {
            text,
            file,
            options: Options::default()
                .with_default_extension(Extensions::IMPLICIT_SOME)
                .with_recursion_limit(MAX_SCENE_NESTING),
            lines: OnceCell::new(),
        }
    }

    /// Extensions that a text enables apply to its items too.
    fn with_extensions_of(mut self, text: &str) -> Self {
        if let Ok(reader) = ron::Deserializer::from_str_with_options(text, &self.options) {
            self.options = self.options.with_default_extension(reader.extensions());
        }
        self
    }

    fn problem(&self, error: &ron::error::SpannedError, part: &str) -> Problem {
        // Items are slices of the text, so the difference of addresses is the offset.
        let start = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let lines = self.lines.get_or_init(|| Lines::new(self.text));
        syntax::problem(error, part, start, lines, self.file)
    }

    /// An unknown version is its own error: its fields may be unknown too, and would hide the reason.
    fn check_version(&self) -> Result<(), Problem> {
        let Ok(header) = self.options.from_str::<Header>(self.text) else {
            // Strict parsing reports the reason.
            return Ok(());
        };
        let (what, help) = match header.version {
            Some(VERSION) => return Ok(()),
            Some(version) => (
                format!("the scene has version {version}, this program reads version {VERSION}"),
                "open it with a newer program, or write it anew as version 1",
            ),
            None => (
                "the scene has no version".to_owned(),
                "add `version: 1,` as its first field",
            ),
        };
        let place = Spans::new(self.text).of(&[Step::Field("version")]);
        Err(Problem::new(self.file, what, help).at(place.line, place.column))
    }

    fn items<T: DeserializeOwned>(
        &self,
        items: &[&RawValue],
        problems: &mut Vec<Problem>,
    ) -> Vec<Option<T>> {
        let mut read = Vec::new();
        for item in items {
            read.push(self.item(item.get_ron(), problems));
            // No more are listed; the last one, unread, marks names as incomplete for validation.
            if problems.len() > MAX_PROBLEMS {
                break;
            }
        }
        read
    }

    fn item<T: DeserializeOwned>(&self, text: &str, problems: &mut Vec<Problem>) -> Option<T> {
        if problems.len() > MAX_PROBLEMS {
            return None;
        }
        let read = self.options.from_str(text);
        read.map_err(|error| problems.push(self.problem(&error, text)))
            .ok()
    }

    /// `NoFindings` may stand alone, without brackets, which no struct variant may.
    fn expectations(
        &self,
        items: &[&RawValue],
        problems: &mut Vec<Problem>,
    ) -> Vec<Option<Expectation>> {
        let texts = items.iter().map(|item| item.get_ron());
        texts
            .map(|text| {
                let start = skip_trivia(text, 0);
                match text[start..].strip_prefix("NoFindings") {
                    Some(rest) if skip_trivia(rest, 0) == rest.len() => {
                        Some(Expectation::NoFindings {
                            kind: None,
                            expected_to_fail: None,
                        })
                    }
                    _ => self.item(text, problems),
                }
            })
            .collect()
    }
}
