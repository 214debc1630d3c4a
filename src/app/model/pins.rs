//! What is pinned: its numbers and its lane stay, whatever is selected and wherever the playhead goes.

use super::{Model, Session};
use crate::app::dock::Pane;
use crate::app::files::PinnedObject;
use crate::core::replay::now::{Now, now};
use crate::core::replay::{ObjectId, Subject};
use std::collections::BTreeSet;

/// As many as a person keeps an eye on.
const MOST: usize = 64;
/// Lanes of the selection.
const SELECTED: usize = 6;

/// Pinned objects and pairs, in the order they were pinned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pins {
    list: Vec<Subject>,
    /// Their numbers at a moment, and the moment.
    numbers: Vec<Now>,
    at: Option<(u32, u64)>,
}

impl Pins {
    /// In the order they were pinned.
    pub fn list(&self) -> &[Subject] {
        &self.list
    }

    /// Is it pinned? A pair is, in either order.
    pub fn contains(&self, subject: Subject) -> bool {
        self.list.iter().any(|one| one.sorted() == subject.sorted())
    }

    /// Each with its numbers at the playhead.
    pub fn numbers(&self) -> impl Iterator<Item = (Subject, Option<&Now>)> {
        let numbers = (0..).map(|index: usize| self.numbers.get(index));
        self.list.iter().copied().zip(numbers)
    }

    /// The scene was changed: its objects have other ordinals, or none any more, and other numbers.
    pub(super) fn follow(&mut self, ordinal: impl Fn(ObjectId) -> Option<ObjectId>) {
        let follow = |subject: &Subject| {
            Some(match *subject {
                Subject::Level => Subject::Level,
                Subject::Object(a) => Subject::Object(ordinal(a)?),
                Subject::Pair(a, b) => Subject::Pair(ordinal(a)?, ordinal(b)?),
            })
        };
        self.list = self.list.iter().filter_map(follow).collect();
        self.at = None;
    }

    fn toggle(&mut self, subject: Subject) {
        if self.contains(subject) {
            self.list.retain(|one| one.sorted() != subject.sorted());
        } else if self.list.len() < MOST {
            self.list.push(subject);
        }
        self.at = None;
    }
}

impl Model {
    /// In if it was out, out if it was in; kept for the next time the level is opened.
    pub(in crate::app) fn toggle_pin(&mut self, subject: Subject) {
        let Some(Session { pins, .. }) = &mut self.session else {
            return;
        };
        if subject == Subject::Level {
            return;
        }
        pins.toggle(subject);
        if pins.contains(subject) {
            self.show_pane(Pane::Pinned);
        }
        self.keep_pins();
        self.show_frame();
    }

    /// Pins the selected pair, else the selected object; a second time lets go.
    pub(in crate::app) fn toggle_pin_of_selection(&mut self) {
        let subject = match (self.selection.pair(), self.selection.objects()) {
            (Some((a, b)), _) => Subject::Pair(a, b),
            (None, [one]) => Subject::Object(*one),
            _ => return,
        };
        self.toggle_pin(subject);
    }

    /// Lets go of all.
    pub(in crate::app) fn unpin_all(&mut self) {
        if let Some(session) = &mut self.session {
            session.pins = Pins::default();
            self.keep_pins();
        }
    }

    /// What has a lane and a line in the plots: the pinned first, then the selected pair, then the selected objects.
    pub fn lanes(&self) -> Vec<Subject> {
        let pinned = self.session.as_ref().map(|session| &session.pins.list);
        let mut lanes = pinned.cloned().unwrap_or_default();
        let pair = self.selection.pair().map(|(a, b)| Subject::Pair(a, b));
        let objects = self.selection.objects().iter().rev().take(SELECTED).rev();
        let selected = pair
            .into_iter()
            .chain(objects.map(|id| Subject::Object(*id)));
        for subject in selected {
            if !lanes.iter().any(|one| one.sorted() == subject.sorted()) {
                lanes.push(subject);
            }
        }
        lanes
    }

    /// What a subject is called.
    pub fn subject_name(&self, subject: Subject) -> String {
        let objects = self
            .document()
            .map_or(&[][..], |document| document.replay().objects());
        let name = |id: ObjectId| {
            let object = objects.get(id as usize);
            object.map_or("?", |object| object.name.as_str())
        };
        match subject {
            Subject::Level => "frames".to_owned(),
            Subject::Object(id) => name(id).to_owned(),
            Subject::Pair(a, b) => format!("{} \u{2194} {}", name(a), name(b)),
        }
    }

    /// Asks for the histories of what has a lane, while somebody shows them; and for the numbers of what is pinned.
    pub(super) fn follow_subjects(&mut self) {
        let playhead = self.playback.playhead();
        let frames = self.playback.frames();
        self.time.follow(playhead.position(), frames);
        let mut wanted = BTreeSet::new();
        if self.shows(Pane::Timeline) || self.shows(Pane::Plots) {
            wanted.extend(self.lanes());
            wanted.insert(Subject::Level);
        }
        let shows_pins = self.shows(Pane::Pinned);
        let Some(Session {
            document,
            derived,
            pins,
            ..
        }) = &mut self.session
        else {
            return;
        };
        let replay = document.replay();
        derived.histories.want(replay, &wanted, &mut self.jobs);
        let frame = document.frame();
        let at = Some((frame.number, playhead.fraction.to_bits()));
        if shows_pins && frame.number == playhead.frame && pins.at != at {
            let numbers = pins.list.iter();
            pins.numbers = numbers
                .map(|subject| now(replay, frame, playhead.fraction, *subject))
                .collect();
            pins.at = at;
        }
    }

    /// The pins of a level that was opened, as far as it has the objects.
    pub(super) fn recall_pins(&mut self) {
        let Some(Session { document, pins, .. }) = &mut self.session else {
            return;
        };
        let replay = document.replay();
        let kept = self.settings.pins.get(&document.source.key());
        let list = kept.into_iter().flatten().filter_map(|named| {
            let ids: Option<Vec<ObjectId>> = named.iter().map(|one| one.find(replay)).collect();
            match ids?[..] {
                [one] => Some(Subject::Object(one)),
                [a, b] if a != b => Some(Subject::Pair(a, b)),
                _ => None,
            }
        });
        *pins = Pins {
            list: list.take(MOST).collect(),
            ..Pins::default()
        };
    }

    fn keep_pins(&mut self) {
        let Some(Session { document, pins, .. }) = &self.session else {
            return;
        };
        let objects = document.replay().objects();
        let named = |id: ObjectId| {
            let object = objects.get(id as usize)?;
            let name = object.name.clone();
            Some(PinnedObject { name, id })
        };
        let list: Vec<Vec<PinnedObject>> = pins
            .list
            .iter()
            .map(|subject| subject.objects().filter_map(named).collect())
            .collect();
        let file = document.source.key();
        self.settings.change_file_entries(|settings| {
            if list.is_empty() {
                settings.pins.remove(&file);
            } else {
                settings.pins.insert(file, list);
            }
        });
        self.save_settings();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_pinned_once_in_either_order() {
        let mut pins = Pins::default();
        pins.toggle(Subject::Pair(4, 2));
        assert!(pins.contains(Subject::Pair(2, 4)) && !pins.contains(Subject::Object(4)));
        pins.toggle(Subject::Pair(2, 4));
        assert!(pins.list().is_empty());
    }
}
