//! Copies of a node's mesh: `EXT_mesh_gpu_instancing`.

use super::buffers::Buffers;
use super::colliders::index;
use super::document::Node;
use super::fault;
use super::world::World;
use crate::core::problem::Problem;
use crate::core::tolerance::MAX_SCENE_OBJECTS;

/// The transforms of the copies of a node's mesh; its own where it is not instanced.
///
/// # Errors
/// When an attribute is not there, is of another type, or has not one value for each copy.
pub(super) fn of_node(
    buffers: &mut Buffers<'_>,
    node: &Node,
    world: &World,
) -> Result<Vec<World>, Problem> {
    let Some(instancing) = node.extensions.get("EXT_mesh_gpu_instancing") else {
        return Ok(vec![*world]);
    };
    let path = buffers.path;
    let accessor = |name: &str| instancing.get("attributes")?.get(name).and_then(index);
    let mut values = |name: &str, kind: &str, parts: u64| {
        let accessor = accessor(name);
        accessor
            .map(|at| buffers.numbers(at, kind, parts))
            .transpose()
    };
    let positions = values("TRANSLATION", "VEC3", 3)?;
    let rotations = values("ROTATION", "VEC4", 4)?;
    let scales = values("SCALE", "VEC3", 3)?;
    let counts = [(&positions, 3), (&rotations, 4), (&scales, 3)];
    let mut counts = counts
        .into_iter()
        .filter_map(|(list, parts)| Some(list.as_ref()?.len() / parts));
    let count = counts.next().unwrap_or(0);
    if counts.any(|other| other != count) {
        let what = format!(
            "the copies of \"{}\" have lists of different lengths",
            node.name
        );
        return Err(fault(path, what));
    }
    if count > MAX_SCENE_OBJECTS {
        let what = format!("\"{}\" has {count} copies", node.name);
        return Err(Problem::new(path, what, "join its meshes"));
    }
    let three =
        |list: &Option<Vec<f64>>, index: usize| Some(*list.as_ref()?.as_chunks().0.get(index)?);
    let copies = (0..count).map(|copy| {
        let place = Node {
            translation: three(&positions, copy),
            rotation: rotations
                .as_ref()
                .and_then(|list| list.as_chunks().0.get(copy).copied()),
            scale: three(&scales, copy),
            ..Node::default()
        };
        let copy = world.then(&World::of(&place));
        let is_placed = !World::is_unrotatable(&place) && copy.pose.position.is_finite();
        let what = || fault(path, format!("a copy of \"{}\" is not finite", node.name));
        is_placed.then_some(copy).ok_or_else(what)
    });
    copies.collect()
}
