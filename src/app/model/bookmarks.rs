//! Bookmarks: points in time with a note, stored in the scene's file or, for a recording, in the settings.

use super::messages::Severity;
use super::{Model, Session};
use crate::app::dock::Pane;
use crate::app::model::{Effect, Field};
use crate::app::source::Source;
use crate::app::text::moment_text;
use crate::core::edit::{BookmarkEdit, Edit};
use crate::core::problem::Problem;
use crate::core::scene::Bookmark;

/// Storage of a level's bookmarks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Home {
    /// The scene's file.
    #[default]
    Scene,
    /// The settings: for recordings and bundled levels, which are not written to.
    Machine,
}

/// Bookmarks of the open level.
#[derive(Default)]
pub struct Bookmarks {
    list: Vec<Bookmark>,
    home: Home,
}

fn position(bookmark: &Bookmark) -> f64 {
    f64::from(bookmark.frame) + bookmark.fraction
}

impl Bookmarks {
    /// Bookmarks sorted by time.
    pub fn list(&self) -> &[Bookmark] {
        &self.list
    }

    /// Where the bookmarks are stored.
    pub fn home(&self) -> Home {
        self.home
    }

    fn sort(&mut self) {
        // Stable: bookmarks of the same time keep the order in which they were added.
        self.list
            .sort_by(|a, b| position(a).total_cmp(&position(b)));
    }
}

impl Model {
    /// Adds a bookmark at the playhead unless there is one. `with_note` also focuses its note.
    pub(in crate::app) fn add_bookmark(&mut self, with_note: bool) {
        let Some(session) = &self.session else {
            return;
        };
        let playhead = self.playback.playhead();
        let bookmark = Bookmark {
            frame: playhead.frame,
            fraction: playhead.fraction,
            note: String::new(),
        };
        let here = position(&bookmark);
        let mut list = session.bookmarks.list.iter();
        if !list.any(|one| position(one) == here) {
            self.change_bookmarks(BookmarkEdit::Add(bookmark));
        }
        if with_note {
            self.show_pane(Pane::Bookmarks);
            self.effects.push(Effect::Focus(Field::Note));
        }
    }

    /// Edits the list, in the scene or in the settings.
    pub(in crate::app) fn change_bookmarks(&mut self, change: BookmarkEdit) {
        let Some(session) = &mut self.session else {
            return;
        };
        match session.bookmarks.home {
            Home::Scene => self.edit(Edit::Bookmark(change)),
            Home::Machine => {
                let source = session.document.source.key();
                if !change.apply(&mut session.bookmarks.list) {
                    return;
                }
                session.bookmarks.sort();
                let list = session.bookmarks.list.clone();
                self.settings.change_file_entries(|settings| {
                    settings.bookmarks.insert(source, list);
                });
                self.save_settings();
            }
        }
    }

    /// Moves the playhead to the next or previous bookmark.
    pub(in crate::app) fn step_bookmark(&mut self, forward: bool) {
        let Some(session) = &mut self.session else {
            return;
        };
        let here = self.playback.playhead().position();
        let mut list = session.bookmarks.list.iter();
        let next = if forward {
            list.find(|one| position(one) > here)
        } else {
            list.rfind(|one| position(one) < here)
        };
        if let Some(bookmark) = next {
            session.user_navigated = true;
            self.playback.seek(bookmark.frame, bookmark.fraction);
            self.show_frame();
        } else {
            let side = if forward { "after" } else { "before" };
            let what = format!(
                "no bookmark {side} {}",
                moment_text(session.document.replay(), here)
            );
            let problem = Problem::new("bookmarks", what, "");
            self.messages.add(Severity::Notice, problem);
        }
    }

    /// Loads the bookmarks of the open level.
    pub(super) fn load_bookmarks(&mut self) {
        let Some(Session {
            document,
            bookmarks,
            ..
        }) = &mut self.session
        else {
            return;
        };
        let of_scene = document.replay().scene().bookmarks.clone();
        let kept = self.settings.bookmarks.get(&document.source.key());
        // Bundled scenes and recordings are not written to.
        let is_bundled = matches!(document.source, Source::Bundled(_));
        let (home, list) = match document.scene_doc {
            Some(_) if !is_bundled => (Home::Scene, of_scene),
            _ => (Home::Machine, kept.cloned().unwrap_or(of_scene)),
        };
        *bookmarks = Bookmarks { list, home };
        bookmarks.sort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bookmarks_are_sorted_by_time() {
        let bookmark = |frame: u32, note: &str| Bookmark {
            frame,
            fraction: 0.5,
            note: note.to_owned(),
        };
        let mut bookmarks = Bookmarks::default();
        let list = &mut bookmarks.list;
        for frame in [7, 3, 5] {
            assert!(BookmarkEdit::Add(bookmark(frame, "")).apply(list));
        }
        let change = BookmarkEdit::Replace(bookmark(3, ""), bookmark(9, "late"));
        assert!(change.apply(list));
        assert!(!change.apply(list), "already replaced");
        assert!(BookmarkEdit::Remove(bookmark(5, "")).apply(list));
        bookmarks.sort();
        assert_eq!(bookmarks.list(), [bookmark(7, ""), bookmark(9, "late")]);
    }
}
