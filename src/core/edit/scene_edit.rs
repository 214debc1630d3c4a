//! The edits of a scene.

use super::array::Array;
use super::names::{UniqueNames, edit_name, object_names};
use super::new_object::{NewShape, new_camera, new_flat_object, new_object};
use crate::core::number::count;
use crate::core::replay::ObjectId;
use crate::core::scene::{
    Bookmark, CAMERA, Expectation, Expected, Folder, Keyframe, Movement, Object, Objects, Scene,
    parse, write,
};
use glam::{DQuat, DVec3};
use std::collections::HashSet;

/// An edit of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Replaces an object; expectations and ignored pairs follow its name.
    Object(ObjectId, Box<Object>),
    /// Replaces objects, by an operation of this name: `Move`, `Turn`.
    Objects(&'static str, Vec<(ObjectId, Object)>),
    /// Adds a new object of a shape, at a position.
    AddShape(NewShape, DVec3),
    /// Adds objects, under unique names.
    Add(Vec<Object>),
    /// Adds copies of objects, under unique names.
    Duplicate(Vec<ObjectId>),
    /// Adds an array of copies of each object.
    Array(Vec<ObjectId>, Array),
    /// Removes objects, and the expectations and ignored pairs that name them.
    Remove(Vec<ObjectId>),
    /// Replaces everything but the lists: name, time, gravity, camera and the like.
    Properties(Box<Scene>),
    /// Replaces the ignored pairs.
    IgnorePairs(Vec<(String, String)>),
    /// Adds an expectation.
    AddExpectation(Expectation),
    /// Replaces an expectation.
    Expectation(usize, Box<Expected>),
    /// Removes an expectation.
    RemoveExpectation(usize),
    /// Edits the bookmarks.
    Bookmark(BookmarkEdit),
}

/// An edit of the bookmarks.
#[derive(Clone, Debug, PartialEq)]
pub enum BookmarkEdit {
    /// Adds one at the end of the list.
    Add(Bookmark),
    /// Replaces the first that equals the first value by the second.
    Replace(Bookmark, Bookmark),
    /// Removes the first that equals this.
    Remove(Bookmark),
}

impl BookmarkEdit {
    /// Edits a list; returns false when the bookmark is not in it.
    pub fn apply(&self, list: &mut Vec<Bookmark>) -> bool {
        let index = |list: &[Bookmark], one: &Bookmark| list.iter().position(|it| it == one);
        match self {
            Self::Add(bookmark) => {
                list.push(bookmark.clone());
                true
            }
            Self::Replace(old, new) => index(list, old)
                .map(|index| list[index] = new.clone())
                .is_some(),
            Self::Remove(old) => index(list, old).map(|index| list.remove(index)).is_some(),
        }
    }

    /// Its name in the history.
    fn name(&self) -> String {
        let (what, bookmark) = match self {
            Self::Add(bookmark) => ("Add", bookmark),
            Self::Replace(_, bookmark) => ("Change", bookmark),
            Self::Remove(bookmark) => ("Remove", bookmark),
        };
        format!("{what} bookmark of frame {}", bookmark.frame)
    }
}

/// The result of an edit.
#[derive(Clone, Debug, PartialEq)]
pub struct Edited {
    /// Not validated.
    pub scene: Scene,
    /// The name of the edit in the history.
    pub name: String,
    /// The selection after the edit; `None` keeps it.
    pub select: Option<Vec<ObjectId>>,
}

impl Edited {
    /// Whether the scene is valid, given that the one before the edit is. Only what the edit changed is checked: objects depend on
    /// each other, and lists on objects, by name only.
    pub fn is_valid(&mut self, before: &Scene, folder: &dyn Folder) -> bool {
        let scene = &self.scene;
        // An edit removes objects or changes them, never both.
        let removes = scene.objects.len() < before.objects.len();
        let changed = match removes {
            true => Vec::new(),
            false => scene.objects.changed_from(&before.objects),
        };
        let is_renamed = |index: usize| {
            let old = before.objects.get(index);
            old.is_none_or(|old| old.name != scene.objects[index].name)
        };
        let renames = changed.iter().any(|&id| is_renamed(id as usize));
        let mut names = HashSet::new();
        let is_unique = !renames
            || scene
                .objects
                .iter()
                .all(|object| names.insert(&object.name));
        let mut part = properties_of(scene);
        let same_lists = scene.camera == before.camera
            && (&scene.ignore, &scene.expect) == (&before.ignore, &before.expect);
        if renames || removes || !same_lists {
            part.ignore.clone_from(&scene.ignore);
            part.expect.clone_from(&scene.expect);
            let expectations = part.expect.iter_mut().map(|one| &mut one.expectation);
            let expected = expectations
                .flat_map(object_names)
                .map(|name| name.as_str());
            let ignored = scene.ignore.iter().flat_map(|(a, b)| [a, b]);
            let named: HashSet<&str> = expected
                .chain(ignored.map(String::as_str))
                .chain([CAMERA])
                .collect();
            let objects = (0..).zip(&scene.objects);
            let meant = objects.filter(|(id, object)| {
                named.contains(object.name.as_str()) || changed.binary_search(id).is_ok()
            });
            part.objects = meant.map(|(_, object)| object.clone()).collect();
        } else {
            let objects = changed.iter().map(|&id| scene.objects[id as usize].clone());
            part.objects = objects.collect();
        }
        part.bookmarks.clone_from(&scene.bookmarks);
        is_unique && part.recording.is_none() && parse(&write(&part), "", folder).is_ok()
    }
}

impl Edit {
    /// Whether it edits the list of objects.
    pub fn changes_objects(&self) -> bool {
        !matches!(
            self,
            Self::Properties(_)
                | Self::IgnorePairs(_)
                | Self::AddExpectation(_)
                | Self::Expectation(..)
                | Self::RemoveExpectation(_)
                | Self::Bookmark(_)
        )
    }

    /// The edited scene; `None` when an object, expectation or bookmark of the edit does not exist.
    pub fn apply(self, scene: &Scene) -> Option<Edited> {
        let mut next = scene.clone();
        let mut select = None;
        let name = match self {
            Self::Object(id, object) => replace(&mut next, id, *object)?,
            Self::Objects(act, objects) => {
                let ids: Vec<ObjectId> = objects.iter().map(|(id, _)| *id).collect();
                for (id, object) in objects {
                    replace(&mut next, id, object)?;
                }
                format!("{act} {}", summary(&objects_of(scene, &ids)))
            }
            Self::Bookmark(edit) => {
                if !edit.apply(&mut next.bookmarks) {
                    return None;
                }
                edit.name()
            }
            Self::AddShape(shape, at) => {
                let object = match next.units.flat {
                    true => new_flat_object(shape, at),
                    false => new_object(shape, at),
                };
                select = Some(add(&mut next, vec![object]));
                format!("Add {}", next.objects.last()?.name)
            }
            Self::Add(objects) => {
                let name = format!("Add {}", summary(&objects));
                select = Some(add(&mut next, objects));
                name
            }
            Self::Duplicate(ids) => {
                let copies: Vec<Object> = objects_of(scene, &ids);
                let name = format!("Duplicate {}", summary(&copies));
                select = Some(add(&mut next, copies));
                name
            }
            Self::Array(ids, array) => {
                let originals: Vec<Object> = objects_of(scene, &ids);
                let name = format!("Array of {}", summary(&originals));
                let copies = array
                    .offsets()
                    .into_iter()
                    .flat_map(|offset| originals.iter().map(move |object| moved(object, offset)));
                let mut all = ids;
                all.extend(add(&mut next, copies.collect()));
                select = Some(all);
                name
            }
            Self::Remove(ids) => {
                select = Some(Vec::new());
                remove(&mut next, &ids)
            }
            Self::Properties(properties) => {
                let name = properties_edit_name(scene, &properties);
                next = Scene {
                    objects: next.objects,
                    ignore: next.ignore,
                    bookmarks: next.bookmarks,
                    expect: next.expect,
                    ..*properties
                };
                name
            }
            Self::IgnorePairs(pairs) => {
                next.ignore = pairs;
                "Change the ignored pairs".to_owned()
            }
            Self::AddExpectation(expectation) => {
                next.expect.push(expectation.into());
                "Add an expectation".to_owned()
            }
            Self::Expectation(index, expected) => {
                *next.expect.get_mut(index)? = *expected;
                "Change an expectation".to_owned()
            }
            Self::RemoveExpectation(index) => {
                next.expect.get(index)?;
                next.expect.remove(index);
                "Remove an expectation".to_owned()
            }
        };
        if next.units.flat {
            for id in next.objects.changed_from(&scene.objects) {
                flatten(&mut next.objects[id as usize]);
            }
        }
        Some(Edited {
            scene: next,
            name,
            select,
        })
    }
}

fn objects_of(scene: &Scene, ids: &[ObjectId]) -> Vec<Object> {
    let found = ids.iter().filter_map(|&id| scene.objects.get(id as usize));
    found.cloned().collect()
}

/// Keeps an object of a flat level in its plane; a shape that is not flat stays.
pub fn flatten(object: &mut Object) {
    if let Some(shape) = object.shape.flattened() {
        object.shape = shape;
    }
    let in_plane = |vector: &mut DVec3| vector.z = 0.0;
    let about_z = |rotation: &mut DQuat| {
        let turned = DQuat::from_xyzw(0.0, 0.0, rotation.z, rotation.w);
        if *rotation != turned {
            *rotation = match turned.length() {
                0.0 => DQuat::IDENTITY,
                _ => turned.normalize(),
            };
        }
    };
    in_plane(&mut object.pose.position);
    in_plane(&mut object.velocity);
    about_z(&mut object.pose.rotation);
    object.spin = DVec3::Z * object.spin.z;
    if let Movement::Keyframes(frames) = &mut object.movement {
        for frame in frames {
            in_plane(&mut frame.position);
            about_z(&mut frame.rotation);
        }
    }
}

/// `ball`, or `3 objects`.
fn summary(objects: &[Object]) -> String {
    match objects {
        [one] => one.name.clone(),
        many => count(many.len(), "object"),
    }
}

fn add(scene: &mut Scene, objects: Vec<Object>) -> Vec<ObjectId> {
    let mut names = UniqueNames::of(scene);
    let first = scene.objects.len() as ObjectId;
    scene
        .objects
        .extend(objects.into_iter().map(|object| Object {
            name: names.unique(&object.name),
            ..object
        }));
    (first..scene.objects.len() as ObjectId).collect()
}

/// The object with its keyframes, moved.
fn moved(object: &Object, by: DVec3) -> Object {
    let mut object = object.clone();
    object.pose.position += by;
    if let Movement::Keyframes(frames) = &mut object.movement {
        for Keyframe { position, .. } in frames {
            *position += by;
        }
    }
    object
}

fn replace(scene: &mut Scene, id: ObjectId, object: Object) -> Option<String> {
    let place = scene.objects.get_mut(id as usize)?;
    let old = std::mem::replace(place, object);
    let new = &*place;
    if old.name != new.name {
        let expectations = scene.expect.iter_mut().map(|one| &mut one.expectation);
        for name in expectations
            .flat_map(object_names)
            .filter(|name| **name == old.name)
        {
            name.clone_from(&new.name);
        }
        let ignored = scene.ignore.iter_mut().flat_map(|(a, b)| [a, b]);
        for name in ignored.filter(|name| **name == old.name) {
            name.clone_from(&new.name);
        }
    }
    Some(edit_name(&old, new))
}

fn remove(scene: &mut Scene, ids: &[ObjectId]) -> String {
    let removed = objects_of(scene, ids);
    let name = format!("Delete {}", summary(&removed));
    let names: HashSet<&String> = removed.iter().map(|object| &object.name).collect();
    let is_removed = |name: &String| names.contains(name);
    scene
        .objects
        .rebuild(|all| all.retain(|object| !is_removed(&object.name)));
    scene
        .ignore
        .retain(|(a, b)| !is_removed(a) && !is_removed(b));
    scene.expect.retain_mut(|expected| {
        let named = object_names(&mut expected.expectation);
        !named.into_iter().any(|name| is_removed(name))
    });
    name
}

fn properties_edit_name(old: &Scene, new: &Scene) -> String {
    let changes = [
        (old.name != new.name, "Rename the scene"),
        (old.notes != new.notes, "Change the notes"),
        (old.units != new.units, "Change the units"),
        (old.dt != new.dt, "Change the length of a frame"),
        (old.frames != new.frames, "Change the number of frames"),
        (old.gravity != new.gravity, "Change gravity"),
        (old.detection != new.detection, "Change detection"),
        (old.response != new.response, "Change the response"),
        (old.engine != new.engine, "Change the engine"),
        (old.camera != new.camera, "Change the camera"),
    ];
    let mut names = changes.iter().filter(|(differs, _)| *differs);
    match (names.next(), names.next()) {
        (Some((_, name)), None) => (*name).to_owned(),
        _ => "Change the scene".to_owned(),
    }
}

/// A scene without its lists, for [`Edit::Properties`].
pub fn properties_of(scene: &Scene) -> Scene {
    Scene {
        objects: Objects::default(),
        ignore: Vec::new(),
        bookmarks: Vec::new(),
        expect: Vec::new(),
        name: scene.name.clone(),
        notes: scene.notes.clone(),
        units: scene.units,
        dt: scene.dt,
        frames: scene.frames,
        gravity: scene.gravity,
        detection: scene.detection,
        response: scene.response,
        engine: scene.engine.clone(),
        camera: scene.camera.clone(),
        recording: scene.recording.clone(),
    }
}

/// The edit that adds or removes the camera of a scene, and its label.
pub fn toggle_camera(scene: &Scene) -> (&'static str, Edit) {
    let mut properties = properties_of(scene);
    let (text, camera) = match properties.camera {
        Some(_) => ("No camera plays in this scene", None),
        None => ("A camera plays in this scene", Some(new_camera())),
    };
    properties.camera = camera;
    (text, Edit::Properties(Box::new(properties)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::{MemoryFolder, parse};

    fn scene() -> Scene {
        let text = "Scene(version: 1, name: \"x\", dt: 1, frames: 1, objects: [
            (name: \"a\", shape: Sphere(radius: 1)), (name: \"b\", shape: Sphere(radius: 1), position: (5, 0, 0))],
            expect: [Touches(a: \"a\", b: \"b\"), NoFindings])";
        parse(text, "x", &MemoryFolder::default()).unwrap()
    }

    #[test]
    fn copies_get_unique_names_and_expectations_follow_a_rename() {
        let array = Array::Row {
            count: 3,
            step: DVec3::X,
        };
        let outcome = Edit::Array(vec![0], array).apply(&scene()).unwrap();
        let names: Vec<&str> = outcome
            .scene
            .objects
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        assert_eq!(names, ["a", "b", "a 2", "a 3"]);
        assert_eq!(outcome.select, Some(vec![0, 2, 3]));
        assert_eq!(outcome.name, "Array of a");

        let mut object = scene().objects[0].clone();
        object.name = "c".into();
        let outcome = Edit::Object(0, Box::new(object)).apply(&scene()).unwrap();
        assert_eq!(outcome.name, "Rename a to c");
        let touches = Expectation::Touches {
            a: "c".into(),
            b: "b".into(),
        };
        assert_eq!(outcome.scene.expect[0].expectation, touches);

        let outcome = Edit::Remove(vec![1]).apply(&scene()).unwrap();
        assert_eq!(outcome.scene.objects.len(), 1);
        let left = Expectation::NoFindings { kind: None };
        assert_eq!(outcome.scene.expect, [left.into()]);
        assert!(
            Edit::Object(9, Box::new(scene().objects[0].clone()))
                .apply(&scene())
                .is_none()
        );
    }

    #[test]
    fn edits_are_valid_when_the_whole_scene_is() {
        let mut before = scene();
        before.objects.push(Object::new(
            "camera",
            before.objects[0].shape.clone(),
            DVec3::ONE,
        ));
        let folder = MemoryFolder::default();
        let is_valid = |edit: Edit| {
            let mut edited = edit.apply(&before).unwrap();
            let valid = edited.is_valid(&before, &folder);
            let whole = parse(&write(&edited.scene), "x", &folder);
            assert_eq!(valid, whole.is_ok(), "{}", edited.name);
            valid
        };
        let changed = |change: &dyn Fn(&mut Object)| {
            let mut object = before.objects[0].clone();
            change(&mut object);
            is_valid(Edit::Object(0, Box::new(object.clone())))
                && is_valid(Edit::Objects("Move", vec![(0, object)]))
        };
        assert!(changed(&|object| object.pose.position.y = 3.0));
        assert!(changed(&|object| object.name = "c".into()));
        assert!(!changed(&|object| object.pose.position.y = f64::NAN));
        assert!(!changed(&|object| object.mass = -1.0));
        assert!(!changed(&|object| object.name = "b".into()));
        assert!(!changed(&|object| object.name = String::new()));
        assert!(is_valid(Edit::Remove(vec![0])));
        assert!(is_valid(Edit::Duplicate(vec![0, 1])));
        let far = DVec3::splat(f64::INFINITY);
        assert!(!is_valid(Edit::AddShape(NewShape::Sphere, far)));
        let touches = |b: &str| Expectation::Touches {
            a: "a".into(),
            b: b.into(),
        };
        assert!(is_valid(Edit::AddExpectation(touches("b"))));
        assert!(!is_valid(Edit::AddExpectation(touches("gone"))));
        let properties = |change: &dyn Fn(&mut Scene)| {
            let mut properties = properties_of(&before);
            change(&mut properties);
            is_valid(Edit::Properties(Box::new(properties)))
        };
        assert!(properties(&|scene| scene.frames = 7));
        assert!(!properties(&|scene| scene.dt = 0.0));
        // An object has that name.
        assert!(!properties(&|scene| scene.camera = Some(new_camera())));
    }
}
