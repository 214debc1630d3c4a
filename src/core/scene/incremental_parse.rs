//! Parsing only the changed objects, as a scene of a thousand objects is parsed many times during a drag.
//!
//! Objects are parsed separately ([`parse_objects`]), and depend on the rest of the scene only by their names. A text
//! that differs only inside some objects, with unchanged names, needs only those.

use super::spans::Spans;
use super::types::Scene;
use super::{Folder, parse_objects};
use std::ops::Range;

/// Limit of objects that are parsed separately; for more, the whole text is as fast.
const MOST: usize = 64;

/// The scene of the changed text; `None` where the whole text has to be parsed, or where it is not the expected scene.
///
/// `was` is the text of `old`, `now` that text edited to `new`.
pub(super) fn parse_incrementally(
    (was, old): (&str, &Scene),
    (now, new): (&str, &Scene),
    folder: &dyn Folder,
) -> Option<Scene> {
    let changed = changed(old, new)?;
    let (before, after) = (object_ranges(was, &changed)?, object_ranges(now, &changed)?);
    if !same_but(was, &before, now, &after) {
        return None;
    }
    for (&index, range) in changed.iter().zip(after) {
        let read = parse_objects(&now[range], new.units, folder).ok()?;
        if read.len() != 1 || read[0] != new.objects[index] {
            return None;
        }
    }
    Some(new.clone())
}

/// The objects that differ, in order; `None` when anything else differs, or a name.
fn changed(old: &Scene, new: &Scene) -> Option<Vec<usize>> {
    let Scene {
        name,
        notes,
        units,
        dt,
        frames,
        gravity,
        detection,
        response,
        engine,
        objects,
        ignore,
        camera,
        recording,
        bookmarks,
        expect,
    } = old;
    let same = (name, notes, units, dt) == (&new.name, &new.notes, &new.units, &new.dt)
        && (frames, gravity, detection) == (&new.frames, &new.gravity, &new.detection)
        && (response, engine, camera) == (&new.response, &new.engine, &new.camera)
        && *ignore == new.ignore
        && (recording, bookmarks, expect) == (&new.recording, &new.bookmarks, &new.expect)
        && objects.len() == new.objects.len();
    // A recording's objects depend on the log too.
    if !same || recording.is_some() {
        return None;
    }
    let changed = new.objects.changed_from(objects).into_iter();
    let changed: Vec<usize> = changed.map(|id| id as usize).collect();
    let same_name = |&index: &usize| objects[index].name == new.objects[index].name;
    (changed.len() <= MOST && changed.iter().all(same_name)).then_some(changed)
}

/// Byte ranges of these objects in a text.
fn object_ranges(text: &str, objects: &[usize]) -> Option<Vec<Range<usize>>> {
    let spans = Spans::new(text);
    let list = spans.field(spans.root()?, "objects")?;
    let items = spans.inner(spans.unwrapped(list));
    let range = |&index: &usize| Some(spans.range(*items.get(index)?));
    objects.iter().map(range).collect()
}

/// Whether two texts are equal outside these ranges, which are in order and of equal number.
fn same_but(was: &str, before: &[Range<usize>], now: &str, after: &[Range<usize>]) -> bool {
    let outside = |text: &str, object_ranges: &[Range<usize>]| {
        let mut rest = Vec::with_capacity(object_ranges.len() + 1);
        let mut from = 0;
        for range in object_ranges {
            rest.push(text.get(from..range.start)?.to_owned());
            from = range.end;
        }
        rest.push(text.get(from..)?.to_owned());
        Some(rest)
    };
    let (was, now) = (outside(was, before), outside(now, after));
    was.is_some() && was == now
}

#[cfg(test)]
mod tests {
    use super::super::{MemoryFolder, edit_text, edited, parse};
    use super::*;
    use glam::DVec3;

    const TEXT: &str = "Scene(version: 1, name: \"x\", dt: 1, frames: 1, /* two */ objects: [
        (name: \"a\", shape: Sphere(radius: 1), position: (1, 2, 3)), // the first
        (name: \"b\", shape: Sphere(radius: 1), velocity: (5, 0, 0)),
        (name: \"c\", shape: Box(half_extents: (1, 1, 1)), motion: Fixed)],
        expect: [Touches(a: \"a\", b: \"b\")])";

    fn read(text: &str) -> Scene {
        parse(text, "x", &MemoryFolder::default()).unwrap()
    }

    #[test]
    fn incremental_parse_equals_full_parse() {
        let old = read(TEXT);
        let folder = MemoryFolder::default();
        let mut new = old.clone();
        new.objects[0].pose.position = DVec3::new(0.1, -7.25, 3.0);
        new.objects[2].velocity.y = 1e-7;
        new.objects[2].tags.push("still".into());
        let text = edit_text(TEXT, &old, &new);
        let found = parse_incrementally((TEXT, &old), (&text, &new), &folder);
        assert_eq!(found, Some(read(&text)));
        let (again, scene) = edited(TEXT, "x", &folder, &old, &new).unwrap();
        assert_eq!((again, scene), (text, new));
    }

    #[test]
    fn other_changes_need_a_full_parse() {
        let old = read(TEXT);
        let folder = MemoryFolder::default();
        let refused = |text: &str, change: &dyn Fn(&mut Scene)| {
            let mut new = old.clone();
            change(&mut new);
            parse_incrementally((TEXT, &old), (text, &new), &folder).is_none()
        };
        let moved = |scene: &mut Scene| scene.objects[0].pose.position.x = 4.0;
        let good = TEXT.replace("(1, 2, 3)", "(4, 2, 3)");
        assert!(!refused(&good, &moved));
        // The text differs, or differs elsewhere, or cannot be parsed.
        assert!(refused(TEXT, &moved));
        assert!(refused(&good.replace("frames: 1", "frames: 2"), &moved));
        assert!(refused(&good.replace("(5, 0, 0)", "(6, 0, 0)"), &moved));
        assert!(refused(&good.replace("(4, 2, 3)", "(4, 2, inf)"), &moved));
        assert!(refused("", &moved));
        // Names, numbers of objects and the head are more than objects by themselves.
        assert!(refused(&good, &|scene| scene.objects[0].name = "d".into()));
        assert!(refused(&good, &|scene| scene.dt = 2.0));
        assert!(refused(&good, &|scene| {
            scene.objects.rebuild(|objects| drop(objects.pop()));
        }));
    }
}
