//! Commands on the selected objects: snapping to contact, tags, keyframes.

use super::messages::Severity;
use super::{Model, Session};
use crate::app::view_state::Playhead;
use crate::core::edit::snapping::{PlacedObject, move_to_contact};
use crate::core::edit::{Edit, transform, with_keyframe};
use crate::core::problem::Problem;
use crate::core::replay::ObjectId;
use crate::core::scene::Object;

impl Model {
    /// The objects of the scene that are present at the playhead.
    fn placed(&self) -> Vec<PlacedObject<'_>> {
        let (Some(scene_doc), Some(document)) = (self.scene_doc(), self.document()) else {
            return Vec::new();
        };
        let fraction = self.playback.playhead().fraction;
        let objects = (0..).zip(&scene_doc.scene.objects);
        let placed = objects.filter_map(|(id, object)| {
            let pose = document.frame().pose(id, fraction)?;
            pose.is_finite().then_some((id, object, pose))
        });
        placed.collect()
    }

    /// The frame whose start the playhead is at.
    fn at_frame(&self) -> Option<u32> {
        let Playhead { frame, fraction } = self.playback.playhead();
        match fraction {
            0.0 => Some(frame),
            1.0 => Some(frame + 1),
            _ => None,
        }
    }

    /// Moves the selected object into contact with the nearest other; with two selected, the first to the second.
    pub fn snap_to_contact(&mut self) {
        let selected = self.selection.objects().to_vec();
        let (moves, onto) = match selected[..] {
            [] => return,
            [one] => (one, None),
            [.., a, b] => (a, Some(b)),
        };
        let placed = self.placed();
        let own = placed.iter().find(|(id, ..)| *id == moves);
        let Some(&(_, object, pose)) = own else {
            return;
        };
        let wanted = |id: ObjectId| id != moves && onto.is_none_or(|onto| onto == id);
        let others = placed.iter().filter(|(id, ..)| wanted(*id)).copied();
        let edit = move_to_contact(&object.shape, &pose, others).map(|by| {
            let moved = transform::moved(object, by, self.at_frame(), None);
            Edit::Objects("Move", vec![(moves, moved)])
        });
        let name = object.name.clone();
        match edit {
            Some(edit) => self.edit(edit),
            None => {
                let what = "it is in contact already, or there is no other object";
                let help = "select the object to move, then the object to snap to";
                self.messages
                    .add(Severity::Notice, Problem::new(name, what, help));
            }
        }
    }

    /// Adds a tag to the selected objects.
    pub fn tag(&mut self, tag: &str) {
        let Some(scene_doc) = self.scene_doc() else {
            return;
        };
        let objects = &scene_doc.scene.objects;
        let untagged = self.selection.objects().iter().filter_map(|&id| {
            let object = objects.get(id as usize)?;
            (!object.tags.iter().any(|own| own == tag)).then_some((id, object))
        });
        let tagged = untagged.map(|(id, object)| {
            let mut object = object.clone();
            object.tags.push(tag.to_owned());
            (id, object)
        });
        let tagged: Vec<(ObjectId, Object)> = tagged.collect();
        if !tagged.is_empty() {
            self.edit(Edit::Objects("Group", tagged));
        }
    }

    /// The objects of the level with one of these tags, in the level's order.
    pub fn tagged(&self, tags: &[String]) -> Vec<ObjectId> {
        let Some(Session { document, .. }) = &self.session else {
            return Vec::new();
        };
        let objects = (0..).zip(document.replay().objects());
        let found = objects.filter(|(_, object)| object.tags.iter().any(|tag| tags.contains(tag)));
        found.map(|(id, _)| id).collect()
    }

    /// All tags of the selected objects.
    pub fn tags_of_selection(&self) -> Vec<String> {
        let objects = self.document().map(|document| document.replay().objects());
        let selected = self.selection.objects().iter();
        let objects = selected.filter_map(|&id| objects?.get(id as usize));
        objects.flat_map(|object| object.tags.clone()).collect()
    }

    /// Sets a keyframe of the selected objects at the frame nearest to the playhead.
    pub fn set_keyframe(&mut self) {
        let Playhead { frame, fraction } = self.playback.playhead();
        // Keyframes are at whole frames: take the nearer one.
        let frame = frame + u32::from(fraction > 0.5);
        let selected = self.selection.objects();
        let placed = self.placed();
        let keyed: Vec<(ObjectId, Object)> = placed
            .iter()
            .filter(|(id, ..)| selected.contains(id))
            .map(|(id, object, pose)| (*id, with_keyframe(object, frame, pose)))
            .collect();
        if !keyed.is_empty() {
            self.edit(Edit::Objects("Keyframe of", keyed));
        }
    }
}
