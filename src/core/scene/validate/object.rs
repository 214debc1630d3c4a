//! Validation of objects.

use super::super::folder::Folder;
use super::super::mesh_file::MeshFiles;
use super::super::types::{Object, is_direction};
use super::moving;
use crate::core::schema::{Check, ObjectText, Path, Space, Units};
use std::collections::HashMap;

/// Every object; `None` without a usable shape, which is then among the problems.
pub(super) fn objects(
    check: &mut Check,
    raw: &[Option<ObjectText>],
    units: Units,
    folder: &dyn Folder,
) -> Vec<Option<Object>> {
    let root = Path::ROOT;
    let list = root.field("objects");
    let mut names: HashMap<&str, usize> = HashMap::new();
    let mut files = MeshFiles::new(folder, units);
    let mut objects = Vec::with_capacity(raw.len());
    for (index, raw) in raw.iter().enumerate() {
        let Some(raw) = raw else { continue };
        let at = list.index(index);
        let name_at = at.field("name");
        if raw.name.trim().is_empty() {
            check.problem(
                &name_at,
                "the object has no name",
                "give it a name of its own",
            );
        } else if let Some(first) = names.get(raw.name.as_str()) {
            let first = list.index(*first);
            let what = format!("`{}` is already the name of the object", raw.name);
            check.clash(&name_at, &first.field("name"), what, "rename one of them");
        } else {
            names.insert(&raw.name, index);
        }
        objects.push(object(check, &at, raw, units, &mut files));
    }
    objects
}

fn object(
    check: &mut Check,
    at: &Path<'_>,
    raw: &ObjectText,
    units: Units,
    files: &mut MeshFiles<'_>,
) -> Option<Object> {
    let (movement, pose) = moving::movement(check, at, raw, units);
    let velocity = check.vector(&at.field("velocity"), raw.velocity, "the velocity");
    let spin = check.spin(&at.field("spin"), raw.spin, "the spin");
    check.positive(
        &at.field("mass"),
        raw.mass,
        "the mass",
        "what cannot be moved is motion: Fixed",
    );
    if raw.body.as_ref().is_some_and(|body| body.trim().is_empty()) {
        check.problem(
            &at.field("body"),
            "the body has no name",
            "name the body that the object is a part of, or leave it out",
        );
    }
    let scale = raw
        .scale
        .map(|scale| check.scale(&at.field("scale"), scale, "the scale"));
    let one_way = raw.one_way.map(|way| {
        let at = at.field("one_way");
        let way = check.vector(&at, way, "the direction");
        if !is_direction(way) {
            let help = "write the direction in which bodies pass, or leave it out";
            check.problem(&at, "the direction has no length", help);
        }
        way
    });
    let space = Space {
        units,
        ..Space::default()
    };
    let shape_at = at.field("shape");
    let (shape, mesh) = raw
        .shape
        .build(check, &shape_at, &space, &mut |file, facing| {
            files.mesh(file, facing)
        })?;
    Some(Object {
        name: raw.name.clone(),
        shape,
        mesh,
        pose,
        velocity: units.vector(velocity),
        spin: units.direction(spin),
        movement,
        mass: raw.mass,
        layer: raw.layer.0,
        mask: raw.mask.0,
        body: raw.body.clone(),
        ignores: Vec::new(),
        sensor: raw.sensor,
        character: raw.character,
        one_way: one_way.map(|way| units.direction(way)),
        ccd: raw.ccd,
        scale,
        color: raw.color.map(|color| color.0),
        tags: raw.tags.clone(),
    })
}
