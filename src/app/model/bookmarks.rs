//! Moments worth coming back to, with a note: saved in the scene's own file, for a recording kept on this machine.

use super::messages::Severity;
use super::{Model, Session};
use crate::app::dock::Pane;
use crate::app::model::{Effect, Field};
use crate::app::source::Source;
use crate::app::text::moment_text;
use crate::core::edit::{BookmarkEdit, Edit};
use crate::core::problem::Problem;
use crate::core::scene::Bookmark;

/// Where the bookmarks of a level are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Home {
    /// In the scene's own file.
    #[default]
    Scene,
    /// With the settings of this machine: a recording, or a bundled level, has no place for them.
    Machine,
}

/// The bookmarks of the opened level.
#[derive(Default)]
pub struct Bookmarks {
    list: Vec<Bookmark>,
    home: Home,
}

fn position(bookmark: &Bookmark) -> f64 {
    f64::from(bookmark.frame) + bookmark.fraction
}

impl Bookmarks {
    /// In the order of time.
    pub fn list(&self) -> &[Bookmark] {
        &self.list
    }

    /// Where they are kept.
    pub fn home(&self) -> Home {
        self.home
    }

    fn sort(&mut self) {
        // Stable: those of one moment stay in the order they were made.
        self.list
            .sort_by(|a, b| position(a).total_cmp(&position(b)));
    }
}

impl Model {
    /// A bookmark at the playhead; where one is already, that is shown. With a note the cursor goes to it.
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

    /// Changes the list: in the scene, as every change of it, or on this machine.
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

    /// Goes to the next bookmark in time, or to the one before.
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
            session.touched = true;
            self.playback.seek(bookmark.frame, bookmark.fraction);
            self.show_frame();
        } else {
            let side = if forward { "after" } else { "before" };
            let (what, help) = match session.bookmarks.list.is_empty() {
                true => ("no bookmark yet".to_owned(), "the key B marks this moment"),
                false => (format!("no bookmark {side} {}", moment_text(here)), ""),
            };
            let problem = Problem::new("bookmarks", what, help);
            self.messages.add(Severity::Notice, problem);
        }
    }

    /// The bookmarks of the level as it is now.
    pub(super) fn recall_bookmarks(&mut self) {
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
        // A bundled scene is not written to, and a recording has no place for them.
        let is_bundled = matches!(document.source, Source::Bundled(_));
        let (home, list) = match document.authored {
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
    fn the_list_stays_in_the_order_of_time() {
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
        assert!(!change.apply(list), "it is gone");
        assert!(BookmarkEdit::Remove(bookmark(5, "")).apply(list));
        bookmarks.sort();
        assert_eq!(bookmarks.list(), [bookmark(7, ""), bookmark(9, "late")]);
    }
}
