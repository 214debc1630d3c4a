//! The other replay of a comparison as the input of a viewport of its own.

use super::section::CutPlane;
use super::viewport_input::{Compared, DrawCacheKey, ViewportInput};
use crate::app::command::Command;
use crate::app::selection::Selection;
use crate::app::view_options::Visibility;
use crate::app::view_state::Playhead;
use crate::core::replay::ObjectId;
use crate::core::replay::compare::Tolerance;

/// The objects of the other replay that correspond to those of the level, and the state of the window in them, at one time.
pub struct OtherSide {
    key: DrawCacheKey,
    tolerance: Tolerance,
    /// By object of the level.
    b_of_a: Vec<Option<ObjectId>>,
    /// By object of the other replay.
    a_of_b: Vec<Option<ObjectId>>,
    /// The objects of each replay that differ at this time.
    pub differing: [Vec<ObjectId>; 2],
    selection: Selection,
    visibility: Visibility,
}

impl OtherSide {
    /// The other side of a comparison in this pass.
    pub fn of(input: &ViewportInput<'_>, compared: &Compared<'_>) -> Self {
        let mut side = Self {
            key: input.key(),
            tolerance: compared.tolerance,
            b_of_a: vec![None; input.replay.objects().len()],
            a_of_b: vec![None; compared.replay.objects().len()],
            differing: [Vec::new(), Vec::new()],
            selection: Selection::default(),
            visibility: input.visibility.clone(),
        };
        for subject in compared.subjects {
            let (a, b) = (subject.a(), subject.b());
            if let Some(place) = a.and_then(|a| side.b_of_a.get_mut(a as usize)) {
                *place = b;
            }
            if let Some(place) = b.and_then(|b| side.a_of_b.get_mut(b as usize)) {
                *place = a;
            }
            // After the end of the other there is nothing to differ from.
            if compared.at.is_none() || a.is_some_and(|a| input.visibility.hides(a)) {
                continue;
            }
            let poses = (
                a.and_then(|a| input.pose(a)),
                b.and_then(|b| compared.pose(b)),
            );
            let differs = match poses {
                (Some(one), Some(other)) => compared.tolerance.separates(&one, &other),
                (one, other) => one.is_some() || other.is_some(),
            };
            if differs {
                side.differing[0].extend(a.filter(|_| poses.0.is_some()));
                side.differing[1].extend(b.filter(|_| poses.1.is_some()));
            }
        }
        let selected = input.selection.objects().iter();
        let selected: Vec<ObjectId> = selected.filter_map(|&a| side.to_b(a)).collect();
        side.selection.set(selected);
        let b_of_a = &side.b_of_a;
        side.visibility
            .remap_objects(|a| b_of_a.get(a as usize).copied().flatten());
        // The viewport of the level follows, and the two have one camera.
        side.visibility.followed = None;
        side
    }

    /// Returns true if it is that of this pass.
    pub fn is_of(&self, input: &ViewportInput<'_>, compared: &Compared<'_>) -> bool {
        self.key.has_same_bodies(input) && self.tolerance == compared.tolerance
    }

    /// The object of the other replay that corresponds to one of the level.
    pub fn to_b(&self, a: ObjectId) -> Option<ObjectId> {
        self.b_of_a.get(a as usize).copied().flatten()
    }

    /// The object of the level that corresponds to one of the other replay.
    pub fn to_a(&self, b: ObjectId) -> Option<ObjectId> {
        self.a_of_b.get(b as usize).copied().flatten()
    }

    /// The input of the other replay's viewport; `None` after its end.
    pub fn input<'s>(
        &'s self,
        input: &ViewportInput<'s>,
        compared: &Compared<'s>,
    ) -> Option<ViewportInput<'s>> {
        let (frame, fraction) = compared.at?;
        Some(ViewportInput {
            playhead: Playhead {
                frame: frame.number,
                fraction,
            },
            visibility: &self.visibility,
            pointed: input.pointed.and_then(|a| self.to_b(a)),
            differing: &self.differing[1],
            layout: input.layout,
            ..ViewportInput::of_level(compared.replay, frame, &self.selection, input.layers)
        })
    }

    /// The plane that cuts open the other replay's objects where one cuts those of the level.
    pub fn cut(&self, cut: &CutPlane) -> CutPlane {
        let objects = cut.objects.as_ref().map(|objects| {
            let objects = objects.iter();
            objects.filter_map(|&a| self.to_b(a)).collect()
        });
        CutPlane {
            objects,
            ..cut.clone()
        }
    }

    /// A command of the other replay's viewport, for the objects of the level; `None` when the level has no such object.
    pub fn for_level(&self, command: Command) -> Option<Command> {
        Some(match command {
            Command::Select(Some(b)) => Command::Select(Some(self.to_a(b)?)),
            Command::ToggleSelect(b) => Command::ToggleSelect(self.to_a(b)?),
            Command::SelectMany(objects, more) => {
                let objects = objects.into_iter().filter_map(|b| self.to_a(b));
                Command::SelectMany(objects.collect(), more)
            }
            other => other,
        })
    }
}
