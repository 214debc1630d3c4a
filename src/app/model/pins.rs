//! Pinned objects and pairs: their values and lanes stay visible whatever is selected.

use super::{Model, Session};
use crate::app::dock::Pane;
use crate::app::files::PinnedObject;
use crate::core::replay::now::{Now, now};
use crate::core::replay::{ObjectId, Subject};
use std::collections::BTreeSet;

/// Greatest number of pins.
const MOST: usize = 64;
/// Greatest number of lanes for selected objects.
const SELECTED: usize = 6;

/// Pinned objects and pairs, in the order they were pinned.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pins {
    list: Vec<Subject>,
    /// Values of the pins at the frame and fraction `at`.
    numbers: Vec<Now>,
    at: Option<(u32, u64)>,
}

impl Pins {
    /// The pins, in the order they were added.
    pub fn list(&self) -> &[Subject] {
        &self.list
    }

    /// Returns true if the subject is pinned; the order of a pair does not matter.
    pub fn contains(&self, subject: Subject) -> bool {
        self.list.iter().any(|one| one.sorted() == subject.sorted())
    }

    /// The pins with their values at the playhead.
    pub fn numbers(&self) -> impl Iterator<Item = (Subject, Option<&Now>)> {
        let numbers = (0..).map(|index: usize| self.numbers.get(index));
        self.list.iter().copied().zip(numbers)
    }

    /// Maps object ids to those of an edited scene; the values are computed again.
    pub(super) fn remap_objects(&mut self, ordinal: impl Fn(ObjectId) -> Option<ObjectId>) {
        let remapped = |subject: &Subject| {
            Some(match *subject {
                Subject::Level => Subject::Level,
                Subject::Object(a) => Subject::Object(ordinal(a)?),
                Subject::Pair(a, b) => Subject::Pair(ordinal(a)?, ordinal(b)?),
            })
        };
        self.list = self.list.iter().filter_map(remapped).collect();
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
    /// Pins or unpins a subject and stores the pins in the settings.
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
        self.save_pins();
        self.show_frame();
    }

    /// Pins or unpins the selected pair, else the selected object.
    pub(in crate::app) fn toggle_pin_of_selection(&mut self) {
        let subject = match (self.selection.pair(), self.selection.objects()) {
            (Some((a, b)), _) => Subject::Pair(a, b),
            (None, [one]) => Subject::Object(*one),
            _ => return,
        };
        self.toggle_pin(subject);
    }

    /// Removes all pins.
    pub(in crate::app) fn unpin_all(&mut self) {
        if let Some(session) = &mut self.session {
            session.pins = Pins::default();
            self.save_pins();
        }
    }

    /// Subjects with a lane and a plot line: the pins first, then the selected pair, then the selected objects.
    pub fn lanes(&self) -> Vec<Subject> {
        let pinned = self.session.as_ref().map(|session| &session.pins.list);
        let mut lanes = pinned.cloned().unwrap_or_default();
        let pair = self.selected_pair();
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

    /// The selected pair.
    pub fn selected_pair(&self) -> Option<Subject> {
        let (a, b) = self.selection.pair()?;
        Some(Subject::Pair(a, b))
    }

    /// Name of a subject.
    pub fn subject_name(&self, subject: Subject) -> String {
        let objects = self.document().map(|document| document.replay().objects());
        let name = |id: ObjectId| {
            let object = objects.and_then(|objects| objects.get(id as usize));
            object.map_or("?", |object| object.name.as_str())
        };
        match subject {
            Subject::Level => "frames".to_owned(),
            Subject::Object(id) => name(id).to_owned(),
            Subject::Pair(a, b) => format!("{} \u{2194} {}", name(a), name(b)),
        }
    }

    /// Requests the histories and the values of the pins that visible panels show.
    pub(super) fn update_subjects(&mut self) {
        let playhead = self.playback.playhead();
        let frames = self.playback.frames();
        self.time.follow(playhead.position(), frames);
        let mut wanted = BTreeSet::new();
        if self.shows(Pane::Timeline) || self.shows(Pane::Plots) {
            wanted.extend(self.lanes());
            wanted.insert(Subject::Level);
        }
        if self.shows(Pane::PairHistory) {
            wanted.extend(self.selected_pair());
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
        derived.histories.request(replay, &wanted, &mut self.jobs);
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

    /// Loads the pins of the open level from the settings, without those whose objects it does not have.
    pub(super) fn load_pins(&mut self) {
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

    fn save_pins(&mut self) {
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
