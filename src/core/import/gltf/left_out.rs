//! Notices of what a glTF file has that matters for collision and is not read.

use super::document::{Document, Node};
use crate::core::problem::Problem;
use serde_json::Value;
use std::collections::BTreeSet;

/// Extensions whose physics is read.
const READ: [&str; 7] = [
    "KHR_implicit_shapes",
    "KHR_physics_rigid_bodies",
    "OMI_collider",
    "OMI_physics_body",
    "OMI_physics_joint",
    "OMI_physics_shape",
    "OMI_physics_gravity",
];

pub(super) fn notices(document: &Document, path: &str) -> Vec<Problem> {
    let (nodes, mut found) = (&document.nodes, Vec::new());
    let mut add = |what: String, help: &str| found.push(Problem::new(path, what, help));
    let skinned = nodes.iter().filter(|node| node.skin.is_some()).count();
    if skinned > 0 {
        let what = "meshes with a skin are left out: they follow joints, which are not read";
        add(
            what.to_owned(),
            "add colliders to the joints, or bake the meshes",
        );
    }
    let used = document
        .extensions_used
        .iter()
        .chain(document.extensions.keys());
    let names: BTreeSet<&String> = used
        .chain(nodes.iter().flat_map(|node| node.extensions.keys()))
        .filter(|name| is_physics(name) && !READ.contains(&name.as_str()))
        .collect();
    if !names.is_empty() {
        let names: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
        let (noun, verb) = if names.len() == 1 {
            ("extension", "is")
        } else {
            ("extensions", "are")
        };
        let what = format!(
            "the physics {noun} {} {verb} not read; the meshes are taken",
            names.join(", ")
        );
        add(
            what,
            "export with KHR_physics_rigid_bodies and KHR_implicit_shapes, or OMI_physics_body",
        );
    }
    let centred = |node: &&Node| {
        let motion = |name: &str| node.extensions.get(name).and_then(|one| one.get("motion"));
        let motions = ["KHR_physics_rigid_bodies", "OMI_physics_body"]
            .into_iter()
            .filter_map(motion);
        motions
            .filter_map(|motion| motion.get("centerOfMass"))
            .any(|centre| {
                let numbers = centre.as_array().into_iter().flatten();
                numbers
                    .filter_map(Value::as_f64)
                    .any(|number| number != 0.0)
            })
    };
    let count = nodes.iter().filter(centred).count();
    if count > 0 {
        let what = format!(
            "the centre of mass of {count} bodies is left out: a scene turns a body about the position of its node"
        );
        add(what, "put the node at the centre of mass");
    }
    found
}

fn is_physics(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["physics", "collision", "collider", "rigid"]
        .iter()
        .any(|word| name.contains(word))
}
