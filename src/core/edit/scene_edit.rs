//! What can be changed in a scene: one value each, carried out on a scene, giving another.

use super::names::{Taken, named_in, of_change};
use super::new_object::{NewShape, new_object};
use crate::core::number::count;
use crate::core::replay::ObjectId;
use crate::core::scene::{Bookmark, Expectation, Expected, Keyframe, Movement, Object, Scene};
use glam::DVec3;

/// A change of the scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// An object becomes this; expectations follow its name.
    Object(ObjectId, Box<Object>),
    /// Objects become these, by one act of the hand: `Move`, `Turn`.
    Objects(&'static str, Vec<(ObjectId, Object)>),
    /// A new object of a shape, here.
    AddShape(NewShape, DVec3),
    /// These objects, under names that are free.
    Add(Vec<Object>),
    /// The same again, under names that are free.
    Duplicate(Vec<ObjectId>),
    /// Many of each.
    Array(Vec<ObjectId>, Array),
    /// Out of the scene, with the expectations that name them.
    Remove(Vec<ObjectId>),
    /// Everything but the lists: name, time, gravity, camera and the like.
    Head(Box<Scene>),
    /// The pairs that never meet become these.
    Ignore(Vec<(String, String)>),
    /// One more expectation.
    Expect(Expectation),
    /// An expectation becomes this.
    Expected(usize, Box<Expected>),
    /// An expectation less.
    Unexpect(usize),
    /// A bookmark more, another or less.
    Bookmark(BookmarkChange),
}

/// A change of the bookmarks.
#[derive(Clone, Debug, PartialEq)]
pub enum BookmarkChange {
    /// One more, at the end of the list.
    Add(Bookmark),
    /// The first that equals the one becomes the other.
    Replace(Bookmark, Bookmark),
    /// The first that equals this goes.
    Remove(Bookmark),
}

impl BookmarkChange {
    /// Carries it out on a list; false when the bookmark that it names is not there.
    pub fn on(&self, list: &mut Vec<Bookmark>) -> bool {
        let place = |list: &[Bookmark], one: &Bookmark| list.iter().position(|it| it == one);
        match self {
            Self::Add(bookmark) => {
                list.push(bookmark.clone());
                true
            }
            Self::Replace(old, new) => place(list, old)
                .map(|index| list[index] = new.clone())
                .is_some(),
            Self::Remove(old) => place(list, old).map(|index| list.remove(index)).is_some(),
        }
    }

    /// As the list of changes calls it.
    fn name(&self) -> String {
        let (what, bookmark) = match self {
            Self::Add(bookmark) => ("Add", bookmark),
            Self::Replace(_, bookmark) => ("Change", bookmark),
            Self::Remove(bookmark) => ("Remove", bookmark),
        };
        format!("{what} bookmark of frame {}", bookmark.frame)
    }
}

/// Copies of an object, set out in an order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Array {
    /// Each as far from the one before.
    Row {
        /// How many, the first one too.
        count: u32,
        /// Metres.
        step: DVec3,
    },
    /// Rows of rows, in the plane of the ground.
    Grid {
        /// Along x.
        columns: u32,
        /// Along z.
        rows: u32,
        /// Metres between neighbours.
        spacing: f64,
    },
    /// Around the place where the first one stands, in the plane of the ground.
    Ring {
        /// How many.
        count: u32,
        /// Metres.
        radius: f64,
    },
    /// Anywhere in a cube around the first one.
    Random {
        /// How many, the first one too.
        count: u32,
        /// Metres, half the side of the cube.
        reach: f64,
        /// The same seed gives the same places.
        seed: u64,
    },
}

/// Most objects that one array makes.
const MOST: u32 = 10_000;

impl Array {
    /// Where the copies stand, from the first one; that stays where it is.
    pub fn offsets(&self) -> Vec<DVec3> {
        match *self {
            Self::Row { count, step } => {
                (1..count.min(MOST)).map(|i| step * f64::from(i)).collect()
            }
            Self::Grid {
                columns,
                rows,
                spacing,
            } => {
                let (columns, rows) = (columns.clamp(1, 100), rows.clamp(1, 100));
                let places =
                    (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
                places
                    .skip(1)
                    .map(|(x, z)| DVec3::new(f64::from(x), 0.0, f64::from(z)) * spacing)
                    .collect()
            }
            Self::Ring { count, radius } => (0..count.min(MOST))
                .map(|i| {
                    let angle = std::f64::consts::TAU * f64::from(i) / f64::from(count.min(MOST));
                    DVec3::new(angle.cos(), 0.0, angle.sin()) * radius
                })
                .collect(),
            Self::Random { count, reach, seed } => {
                let mut state = seed;
                let mut share = || {
                    // SplitMix64 (Steele, Lea, Flood 2014); 53 bits of it, in [0, 1).
                    state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                    let mut z = state;
                    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                    ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
                };
                (1..count.min(MOST))
                    .map(|_| (DVec3::new(share(), share(), share()) * 2.0 - 1.0) * reach)
                    .collect()
            }
        }
    }
}

/// A scene after a change.
pub struct Outcome {
    /// As it is wanted; whether it may be so is for the scene's own rules to say.
    pub scene: Scene,
    /// What the change is called.
    pub name: String,
    /// What is selected then; `None` leaves it as it is.
    pub select: Option<Vec<ObjectId>>,
}

impl Change {
    /// Does it change objects, by their place in the scene?
    pub fn is_of_objects(&self) -> bool {
        !matches!(
            self,
            Self::Head(_)
                | Self::Ignore(_)
                | Self::Expect(_)
                | Self::Expected(..)
                | Self::Unexpect(_)
                | Self::Bookmark(_)
        )
    }

    /// Carries it out; `None` when what it names is not there.
    pub fn on(self, scene: &Scene) -> Option<Outcome> {
        let mut next = scene.clone();
        let mut select = None;
        let name = match self {
            Self::Object(id, object) => changed(&mut next, id, *object)?,
            Self::Objects(act, objects) => {
                let ids: Vec<ObjectId> = objects.iter().map(|(id, _)| *id).collect();
                for (id, object) in objects {
                    changed(&mut next, id, object)?;
                }
                format!("{act} {}", some(&found(scene, &ids)))
            }
            Self::Bookmark(change) => {
                if !change.on(&mut next.bookmarks) {
                    return None;
                }
                change.name()
            }
            Self::AddShape(shape, at) => {
                let object = new_object(shape, at);
                select = Some(added(&mut next, vec![object]));
                format!("Add {}", next.objects.last()?.name)
            }
            Self::Add(objects) => {
                let name = format!("Add {}", some(&objects));
                select = Some(added(&mut next, objects));
                name
            }
            Self::Duplicate(ids) => {
                let copies: Vec<Object> = found(scene, &ids);
                let name = format!("Duplicate {}", some(&copies));
                select = Some(added(&mut next, copies));
                name
            }
            Self::Array(ids, array) => {
                let originals: Vec<Object> = found(scene, &ids);
                let name = format!("Array of {}", some(&originals));
                let copies = array
                    .offsets()
                    .into_iter()
                    .flat_map(|offset| originals.iter().map(move |object| moved(object, offset)));
                let mut all = ids;
                all.extend(added(&mut next, copies.collect()));
                select = Some(all);
                name
            }
            Self::Remove(ids) => {
                select = Some(Vec::new());
                removed(&mut next, &ids)
            }
            Self::Head(head) => {
                let name = of_head(scene, &head);
                next = Scene {
                    objects: next.objects,
                    ignore: next.ignore,
                    bookmarks: next.bookmarks,
                    expect: next.expect,
                    ..*head
                };
                name
            }
            Self::Ignore(pairs) => {
                next.ignore = pairs;
                "Change the ignored pairs".to_owned()
            }
            Self::Expect(claim) => {
                next.expect.push(claim.into());
                "Add an expectation".to_owned()
            }
            Self::Expected(index, expected) => {
                *next.expect.get_mut(index)? = *expected;
                "Change an expectation".to_owned()
            }
            Self::Unexpect(index) => {
                next.expect.get(index)?;
                next.expect.remove(index);
                "Remove an expectation".to_owned()
            }
        };
        Some(Outcome {
            scene: next,
            name,
            select,
        })
    }
}

fn found(scene: &Scene, ids: &[ObjectId]) -> Vec<Object> {
    let found = ids.iter().filter_map(|&id| scene.objects.get(id as usize));
    found.cloned().collect()
}

/// `ball`, or `3 objects`.
fn some(objects: &[Object]) -> String {
    match objects {
        [one] => one.name.clone(),
        many => count(many.len() as u64, "object"),
    }
}

fn added(scene: &mut Scene, objects: Vec<Object>) -> Vec<ObjectId> {
    let mut taken = Taken::of(scene);
    let first = scene.objects.len() as ObjectId;
    scene
        .objects
        .extend(objects.into_iter().map(|object| Object {
            name: taken.free(&object.name),
            ..object
        }));
    (first..scene.objects.len() as ObjectId).collect()
}

/// The same elsewhere, its keyframes too.
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

fn changed(scene: &mut Scene, id: ObjectId, object: Object) -> Option<String> {
    let place = scene.objects.get_mut(id as usize)?;
    let old = std::mem::replace(place, object);
    let new = place.clone();
    if old.name != new.name {
        let claims = scene.expect.iter_mut().map(|one| &mut one.expectation);
        for name in claims.flat_map(named_in).filter(|name| **name == old.name) {
            name.clone_from(&new.name);
        }
        let ignored = scene.ignore.iter_mut().flat_map(|(a, b)| [a, b]);
        for name in ignored.filter(|name| **name == old.name) {
            name.clone_from(&new.name);
        }
    }
    Some(of_change(&old, &new))
}

fn removed(scene: &mut Scene, ids: &[ObjectId]) -> String {
    let gone = found(scene, ids);
    let name = format!("Delete {}", some(&gone));
    let is_gone = |name: &String| gone.iter().any(|object| object.name == *name);
    scene.objects.retain(|object| !is_gone(&object.name));
    scene.ignore.retain(|(a, b)| !is_gone(a) && !is_gone(b));
    scene.expect.retain_mut(|expected| {
        let named = named_in(&mut expected.expectation);
        !named.into_iter().any(|name| is_gone(name))
    });
    name
}

fn of_head(old: &Scene, new: &Scene) -> String {
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

/// The scene without its lists: those are changed elsewhere, and may be long.
pub fn head_of(scene: &Scene) -> Scene {
    Scene {
        objects: Vec::new(),
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
    fn arrays_stand_where_their_order_says() {
        let row = Array::Row {
            count: 3,
            step: DVec3::new(1.0, 2.0, 0.0),
        };
        let two = DVec3::new(2.0, 4.0, 0.0);
        assert_eq!(row.offsets(), [two / 2.0, two]);
        let grid = Array::Grid {
            columns: 3,
            rows: 2,
            spacing: 0.5,
        };
        let places = grid.offsets();
        assert_eq!(places.len(), 5);
        assert_eq!(places[4], DVec3::new(1.0, 0.0, 0.5));
        let ring = Array::Ring {
            count: 7,
            radius: 3.0,
        };
        let places = ring.offsets();
        let side = (places[1] - places[0]).length();
        for (place, next) in places.iter().zip(places.iter().cycle().skip(1)) {
            assert!((place.length() - 3.0).abs() < 1e-12 && place.y == 0.0);
            assert!(((*next - *place).length() - side).abs() < 1e-12);
        }
        let random = |seed| Array::Random {
            count: 100,
            reach: 2.0,
            seed,
        };
        let places = random(1).offsets();
        assert_eq!(places, random(1).offsets());
        assert_ne!(places, random(2).offsets());
        assert!(places.iter().all(|place| place.abs().max_element() <= 2.0));
        let many = Array::Ring {
            count: u32::MAX,
            radius: 1.0,
        };
        assert_eq!(many.offsets().len(), MOST as usize);
    }

    #[test]
    fn copies_have_names_of_their_own_and_expectations_follow_a_name() {
        let array = Array::Row {
            count: 3,
            step: DVec3::X,
        };
        let outcome = Change::Array(vec![0], array).on(&scene()).unwrap();
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
        let outcome = Change::Object(0, Box::new(object)).on(&scene()).unwrap();
        assert_eq!(outcome.name, "Rename a to c");
        let touches = Expectation::Touches {
            a: "c".into(),
            b: "b".into(),
        };
        assert_eq!(outcome.scene.expect[0].expectation, touches);

        let outcome = Change::Remove(vec![1]).on(&scene()).unwrap();
        assert_eq!(outcome.scene.objects.len(), 1);
        let left = Expectation::NoFindings { kind: None };
        assert_eq!(outcome.scene.expect, [left.into()]);
        assert!(
            Change::Object(9, Box::new(scene().objects[0].clone()))
                .on(&scene())
                .is_none()
        );
    }
}
