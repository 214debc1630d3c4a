//! Edits of a scene's text that keep comments, order and layout of everything unchanged.

use super::incremental_parse::parse_incrementally;
use super::layout::Doc;
use super::patch::{Patch, align, pair_gaps};
use super::types::Scene;
use super::write::{self, Lists};
use super::{Folder, parse};
use crate::core::problem::Problems;
use std::collections::HashMap;

/// The text of a scene, edited to another scene. Unchanged parts keep their bytes.
///
/// Objects are matched by name (renamed ones by position). A field at its default is removed, a list item with its
/// comments (on its line and directly above). All other comments stay.
///
/// `old` is what [`parse`] reads from the text. A text that does not fit is written anew. The result may differ from
/// the new scene for unusual texts; [`edited`] verifies it.
pub fn edit_text(text: &str, old: &Scene, new: &Scene) -> String {
    try_edit(text, old, new, false).unwrap_or_else(|| write::write(new))
}

/// The text of a scene, edited as by [`edit_text`], and the scene that it parses to.
///
/// The result is parsed and compared with the new scene; where a small edit does not suffice, larger parts are written
/// anew. In units other than metres a number may change in its last digit.
///
/// # Errors
/// What is wrong with the new scene, at its position in the edited text.
pub fn edited(
    text: &str,
    file: &str,
    folder: &dyn Folder,
    old: &Scene,
    new: &Scene,
) -> Result<(String, Scene), Problems> {
    let first = edit_text(text, old, new);
    if let Some(scene) = parse_incrementally((text, old), (&first, new), folder) {
        return Ok((first, scene));
    }
    let outcome = parse(&first, file, folder);
    // Nearly always equal; comparing the written texts takes far longer.
    if outcome.as_ref().is_ok_and(|scene| scene == new) {
        return outcome.map(|scene| (first, scene));
    }
    let wanted = write::write(new);
    if let Ok(scene) = &outcome
        && write::write(scene) == wanted
    {
        return outcome.map(|scene| (first, scene));
    }
    let coarse = try_edit(text, old, new, true);
    for text in coarse.into_iter().chain([wanted.clone()]) {
        if let Ok(scene) = parse(&text, file, folder)
            && (write::write(&scene) == wanted || text == wanted)
        {
            return Ok((text, scene));
        }
    }
    outcome.map(|scene| (first, scene))
}

fn try_edit(whole: &str, old: &Scene, new: &Scene, coarse: bool) -> Option<String> {
    let text = whole.strip_prefix('\u{FEFF}').unwrap_or(whole);
    let mark = &whole[..whole.len() - text.len()];
    let mut patch = Patch::new(text, coarse);
    let root = patch.spans.root()?;
    patch.spans.body(root)?;
    let (mut was, mut wanted) = (Lists::default(), Lists::default());
    let has = |name| patch.spans.field(root, name);
    let (objects, bookmarks, expect) = (has("objects"), has("bookmarks"), has("expect"));
    // A list in the text is edited item by item; here it only keeps its position among the fields.
    let place = || Some(Doc::from(""));
    if objects.is_some() {
        (was.objects, wanted.objects) = (place(), place());
    } else if !new.objects.is_empty() {
        wanted.objects = Some(write::objects(new));
    }
    if bookmarks.is_some() {
        (was.bookmarks, wanted.bookmarks) = (place(), place());
    } else {
        wanted.bookmarks = write::bookmarks(new);
    }
    if expect.is_some() {
        (was.expect, wanted.expect) = (place(), place());
    } else {
        wanted.expect = write::expectations(new);
    }
    let (mut before, mut after) = (write::fields(old, was), write::fields(new, wanted));
    camera(&mut patch, root, old, new, [&mut before, &mut after]);
    patch.fields(root, &before, &after);
    if let Some(node) = objects {
        self::objects(&mut patch, node, old, new)?;
    }
    let units = [old.units, new.units];
    if let Some(node) = bookmarks {
        let docs = [old, new].map(|scene| scene.bookmarks.iter().map(write::bookmark).collect());
        list(&mut patch, node, docs)?;
    }
    if let Some(node) = expect {
        let [was, wanted] = [(old, units[0]), (new, units[1])].map(|(scene, units)| {
            let expect = scene.expect.iter();
            expect.map(|one| write::expectation(one, units)).collect()
        });
        list(&mut patch, node, [was, wanted])?;
    }
    Some(format!("{mark}{}", patch.finish()))
}

/// `look_at` is replaced by a rotation once the camera is moved or rotated.
fn camera(patch: &mut Patch<'_>, root: usize, old: &Scene, new: &Scene, docs: [&mut Vec<Doc>; 2]) {
    let node = patch.spans.field(root, "camera");
    let looks_at = node.and_then(|node| patch.spans.field(node, "look_at"));
    let (Some(looks_at), Some(was), Some(wanted)) = (looks_at, &old.camera, &new.camera) else {
        return;
    };
    if was.pose != wanted.pose || old.units != new.units {
        let range = patch.spans.start(looks_at)..patch.spans.range(looks_at).end;
        let rotation = write::rotation(wanted.pose.rotation, new.units).print_at(0, 0);
        let comments = patch.comments_of(&patch.text[range.clone()], range.start);
        patch.edit(range, format!("{comments}rotation: {rotation}"));
    }
    for doc in docs.into_iter().flatten() {
        if let Doc::Named("camera", camera) = doc
            && let Doc::Group { items, .. } = &mut **camera
        {
            items.retain(|item| !matches!(item, Doc::Named("rotation", _)));
        }
    }
}

fn objects(patch: &mut Patch<'_>, node: usize, old: &Scene, new: &Scene) -> Option<()> {
    let node = list_node(patch, node, old.objects.len())?;
    let by_name: HashMap<&str, usize> = (0..)
        .zip(&old.objects)
        .map(|(i, object)| (object.name.as_str(), i))
        .collect();
    let known = |name: &str| by_name.get(name).copied();
    let mut pairs: Vec<Option<usize>> = Vec::with_capacity(new.objects.len());
    let mut taken = vec![false; old.objects.len()];
    for object in &new.objects {
        let found = known(&object.name).filter(|&i| !std::mem::replace(&mut taken[i], true));
        pairs.push(found);
    }
    pair_gaps(&mut pairs, old.objects.len());
    let (was, wanted) = (old.units, new.units);
    patch.list(
        node,
        &pairs,
        |patch, node, i, j| {
            let (a, b) = (&old.objects[i], &new.objects[j]);
            if was != wanted || a != b {
                patch.value(node, &write::object(a, was), &write::object(b, wanted));
            }
        },
        |j| write::object(&new.objects[j], wanted),
    );
    Some(())
}

fn list(patch: &mut Patch<'_>, node: usize, docs: [Vec<Doc>; 2]) -> Option<()> {
    let [old, new] = docs;
    let node = list_node(patch, node, old.len())?;
    let pairs = align(old.len(), new.len(), |i, j| old[i] == new[j]);
    patch.list(
        node,
        &pairs,
        |patch, node, i, j| patch.value(node, &old[i], &new[j]),
        |j| new[j].clone(),
    );
    Some(())
}

/// The list, if it has the expected number of items.
fn list_node(patch: &Patch<'_>, node: usize, items: usize) -> Option<usize> {
    let node = patch.spans.unwrapped(node);
    let is_list = patch.text[patch.spans.range(node).start..].starts_with('[');
    (is_list && patch.spans.inner(node).len() == items).then_some(node)
}
