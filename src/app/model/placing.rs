//! Objects placed by a command: in contact with another, at a keyframe; tags.

use super::messages::Severity;
use super::{Model, Session};
use crate::app::view_state::Playhead;
use crate::core::edit::snapping::{PlacedObject, move_to_contact};
use crate::core::edit::{Edit, transform, with_keyframe};
use crate::core::problem::Problem;
use crate::core::replay::ObjectId;
use crate::core::scene::Object;

impl Model {
    /// Everybody of the scene who is seen at the playhead.
    fn standing(&self) -> Vec<PlacedObject<'_>> {
        let (Some(authored), Some(document)) = (self.authored(), self.document()) else {
            return Vec::new();
        };
        let fraction = self.playback.playhead().fraction;
        let objects = (0..).zip(&authored.scene.objects);
        let standing = objects.filter_map(|(id, object)| {
            let pose = document.frame().pose(id, fraction)?;
            pose.is_finite().then_some((id, object, pose))
        });
        standing.collect()
    }

    /// The frame whose start the playhead stands on.
    fn at_frame(&self) -> Option<u32> {
        let Playhead { frame, fraction } = self.playback.playhead();
        match fraction {
            0.0 => Some(frame),
            1.0 => Some(frame + 1),
            _ => None,
        }
    }

    /// Moves the selected object until it just touches the nearest other; of two the first to the second.
    pub fn put_touching(&mut self) {
        let selected = self.selection.objects().to_vec();
        let (moves, onto) = match selected[..] {
            [] => return,
            [one] => (one, None),
            [.., a, b] => (a, Some(b)),
        };
        let standing = self.standing();
        let own = standing.iter().find(|(id, ..)| *id == moves);
        let Some(&(_, object, pose)) = own else {
            return;
        };
        let wanted = |id: ObjectId| id != moves && onto.is_none_or(|onto| onto == id);
        let others = standing.iter().filter(|(id, ..)| wanted(*id)).copied();
        let edit = move_to_contact(&object.shape, &pose, others).map(|by| {
            let moved = transform::moved(object, by, self.at_frame(), None);
            Edit::Objects("Move", vec![(moves, moved)])
        });
        let name = object.name.clone();
        match edit {
            Some(edit) => self.edit(edit),
            None => {
                let what = "it touches already, or there is nothing to touch";
                let help = "select what is to be moved, then what it is to touch";
                self.messages
                    .add(Severity::Notice, Problem::new(name, what, help));
            }
        }
    }

    /// Gives the selected objects a tag; those that have it keep it.
    pub fn tag(&mut self, tag: &str) {
        let Some(authored) = self.authored() else {
            return;
        };
        let objects = &authored.scene.objects;
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

    /// Everybody in the level with one of these tags, in the level's order.
    pub fn tagged(&self, tags: &[String]) -> Vec<ObjectId> {
        let Some(Session { document, .. }) = &self.session else {
            return Vec::new();
        };
        let objects = (0..).zip(document.replay().objects());
        let found = objects.filter(|(_, object)| object.tags.iter().any(|tag| tags.contains(tag)));
        found.map(|(id, _)| id).collect()
    }

    /// Every tag of the selected objects.
    pub fn tags_of_selection(&self) -> Vec<String> {
        let objects = self.document().map(|document| document.replay().objects());
        let selected = self.selection.objects().iter();
        let objects = selected.filter_map(|&id| objects?.get(id as usize));
        objects.flat_map(|object| object.tags.clone()).collect()
    }

    /// The selected objects have a keyframe at the playhead, where they are seen.
    pub fn set_keyframe(&mut self) {
        let Playhead { frame, fraction } = self.playback.playhead();
        // Keyframes stand at whole frames: the nearer one.
        let frame = frame + u32::from(fraction > 0.5);
        let selected = self.selection.objects();
        let standing = self.standing();
        let keyed: Vec<(ObjectId, Object)> = standing
            .iter()
            .filter(|(id, ..)| selected.contains(id))
            .map(|(id, object, pose)| (*id, with_keyframe(object, frame, pose)))
            .collect();
        if !keyed.is_empty() {
            self.edit(Edit::Objects("Keyframe of", keyed));
        }
    }
}
