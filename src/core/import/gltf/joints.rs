//! Joints of a glTF file, as pairs of bodies that do not collide: `KHR_physics_rigid_bodies` and `OMI_physics_joint`.

use super::colliders::index;
use super::document::{Document, Node};
use crate::core::import::ignored::{MAX_PAIRS, Sides};
use crate::core::import::{Part, Role};
use crate::core::query::overlaps;
use crate::core::shape::{Pose, Shape};
use glam::DVec3;
use serde_json::Value;
use std::collections::BTreeSet;

/// A node of the scene, as joints need it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) node: usize,
    pub(super) parent: Option<usize>,
    /// The node of its body; `None` where it is fixed.
    pub(super) body: Option<usize>,
    pub(super) position: DVec3,
}

/// The two nodes that a joint of a node connects; `None` without one, or where they collide.
fn connected(number: usize, node: &Node) -> Option<[usize; 2]> {
    if let Some(joint) = node
        .extensions
        .get("KHR_physics_rigid_bodies")?
        .get("joint")
    {
        let collides = joint.get("enableCollision").and_then(Value::as_bool);
        let other = joint.get("connectedNode").and_then(index)?;
        return (collides != Some(true)).then_some([number, other]);
    }
    None
}

fn omi(node: &Node) -> Option<[usize; 2]> {
    let joint = node.extensions.get("OMI_physics_joint")?;
    Some([index(joint.get("nodeA")?)?, index(joint.get("nodeB")?)?])
}

/// The sides of all joints, and what is left out of them. `places` are the nodes of the scene, in any order.
pub(super) fn sides(
    document: &Document,
    places: &[Place],
    parts: &[Part],
) -> (Vec<Sides>, Vec<String>) {
    let mut by_node = vec![None; document.nodes.len()];
    for place in places {
        by_node[place.node] = Some(*place);
    }
    let (mut found, mut left_out, mut pairs) = (Vec::new(), Vec::new(), 0);
    for place in places {
        let node = &document.nodes[place.node];
        let Some(ends) = connected(place.node, node).or_else(|| omi(node)) else {
            continue;
        };
        let [a, b] = ends.map(|end| by_node.get(end).copied().flatten());
        let (Some(a), Some(b)) = (a, b) else {
            let what = format!(
                "the joint of \"{}\" connects a node that is not in the scene, and is left out",
                node.name
            );
            left_out.push(what);
            continue;
        };
        if a.body == b.body {
            continue;
        }
        let sides = [a, b].map(|end| side(&end, &by_node, parts));
        pairs += sides[0].len() * sides[1].len();
        if pairs > MAX_PAIRS {
            left_out.push(format!(
                "joints connect more than {MAX_PAIRS} pairs of colliders; the rest of them is left out"
            ));
            break;
        }
        found.push(sides);
    }
    (found, left_out)
}

/// The nodes of the colliders that an end of a joint holds: those of its body. Where it is fixed, those below the node; else those
/// of nodes above it; else those at its place.
fn side(end: &Place, by_node: &[Option<Place>], parts: &[Part]) -> BTreeSet<usize> {
    let place = |node: usize| by_node.get(node).copied().flatten();
    let colliders = || {
        let colliders = parts.iter().filter(|part| part.role != Role::Seen);
        colliders.filter_map(|part| Some((part, place(part.node?)?)))
    };
    if end.body.is_some() {
        let own = colliders().filter(|(_, at)| at.body == end.body);
        return own.map(|(_, at)| at.node).collect();
    }
    let is_above = |above: usize, node: usize| {
        let mut chain = std::iter::successors(Some(node), |&node| place(node)?.parent);
        chain.any(|node| node == above)
    };
    let fixed = || colliders().filter(|(_, at)| at.body.is_none());
    let below = fixed().filter(|(_, at)| is_above(end.node, at.node));
    let below: BTreeSet<usize> = below.map(|(_, at)| at.node).collect();
    if !below.is_empty() {
        return below;
    }
    let above = fixed().filter(|(_, at)| is_above(at.node, end.node));
    let above: BTreeSet<usize> = above.map(|(_, at)| at.node).collect();
    if !above.is_empty() {
        return above;
    }
    let point = Shape::Sphere { radius: 0.0 };
    let touches = |part: &Part| {
        let object = &part.object;
        overlaps(
            &point.placed(&Pose::at(end.position)),
            &object.shape.placed(&object.pose),
        )
    };
    fixed()
        .filter(|(part, _)| touches(part))
        .map(|(_, at)| at.node)
        .collect()
}
