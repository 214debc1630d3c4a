//! Objects placed by a command: just touching another, at a keyframe, in a group.

use super::messages::Severity;
use super::{Model, Session};
use crate::app::view_state::Playhead;
use crate::core::edit::touching::{Standing, to_nearest};
use crate::core::edit::{Change, transform};
use crate::core::problem::Problem;
use crate::core::replay::ObjectId;
use crate::core::scene::{Keyframe, Movement, Object};
use crate::core::shape::Pose;

impl Model {
    /// Everybody of the scene who is seen at the playhead.
    fn standing(&self) -> Vec<Standing<'_>> {
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
        let change = to_nearest(&object.shape, &pose, others).map(|by| {
            let moved = transform::moved(object, by, self.at_frame(), None);
            Change::Objects("Move", vec![(moves, moved)])
        });
        let name = object.name.clone();
        match change {
            Some(change) => self.edit(change),
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
            self.edit(Change::Objects("Group", tagged));
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
            self.edit(Change::Objects("Keyframe of", keyed));
        }
    }
}

/// With a keyframe at a frame; one that was there is another then. What was moved otherwise stands at its place of frame 0 first.
fn with_keyframe(object: &Object, frame: u32, pose: &Pose) -> Object {
    let key = |frame: u32, pose: &Pose| Keyframe {
        frame,
        position: pose.position,
        rotation: pose.rotation,
    };
    let mut keys = match &object.movement {
        Movement::Keyframes(keys) => keys.clone(),
        _ if frame > 0 => vec![key(0, &object.pose)],
        _ => Vec::new(),
    };
    match keys.binary_search_by_key(&frame, |key| key.frame) {
        Ok(index) => keys[index] = key(frame, pose),
        Err(index) => keys.insert(index, key(frame, pose)),
    }
    Object {
        movement: Movement::Keyframes(keys),
        ..object.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Shape;
    use glam::DVec3;

    #[test]
    fn keyframes_are_sorted_and_one_a_frame() {
        let ball = Object::new("ball", Shape::Sphere { radius: 1.0 }, DVec3::X);
        let at = |y: f64| Pose::at(DVec3::Y * y);
        let late = with_keyframe(&ball, 9, &at(9.0));
        let both = with_keyframe(&late, 4, &at(4.0));
        let again = with_keyframe(&both, 4, &at(5.0));
        let Movement::Keyframes(keys) = &again.movement else {
            panic!("it is moved by keyframes");
        };
        let frames: Vec<_> = keys.iter().map(|key| (key.frame, key.position)).collect();
        let places = [(0, DVec3::X), (4, DVec3::Y * 5.0), (9, DVec3::Y * 9.0)];
        assert_eq!(frames, places);
    }
}
