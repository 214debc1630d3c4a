//! C08: a two-sided test hits where the one-sided one misses, or neighbouring triangles have opposite winding.

use super::{CauseInput, CauseMatch};
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;

use crate::core::shape::Mesh;
use std::collections::HashMap;

pub(super) fn check(input: &CauseInput<'_>) -> Option<CauseMatch> {
    let flipped = flipped_neighbours(input);
    let one_sided = input.pair.is_one_sided();
    if !input.event.is_from_behind() && (flipped == 0 || !one_sided) {
        return None;
    }
    let (surface, body) = match input.pair.obstacle.one_sided {
        true => (input.other, input.mover),
        false => (input.mover, input.other),
    };
    let how = match input.event.end {
        Some(_) => "and a one-sided test pushes it on, out of the front",
        None => "and a one-sided test detects nothing",
    };
    let neighbours = match flipped {
        0 => String::new(),
        1 => " 1 neighbouring triangle is wound the other way.".to_owned(),
        many => format!(" {many} neighbouring triangles are wound the other way."),
    };
    let came = if input.event.is_from_behind() {
        format!(
            "{} comes through {} from behind, moving {} in this frame, {how}: it collides from its front only, and a two-sided test would have hit it.",
            body.name,
            surface.name,
            input.units().length(input.metrics.travel)
        )
    } else {
        format!(
            "{} passes {} where neighbouring triangles have opposite winding.",
            body.name, surface.name
        )
    };
    let turn = match input.units().units.flat {
        true => "Reverse the order of its points",
        false => "Unify the winding",
    };
    let text = format!("{came}{neighbours} {turn}, make it two-sided, or use a closed solid.");
    Some(CauseMatch {
        cause: Cause::Facing,
        evidence: vec![(Key::FlippedNeighbours, f64::from(flipped))],
        fixes: Vec::new(),
        text,
    })
}

/// Number of neighbours with opposite winding: they share an edge and run along it in the same direction.
fn flipped_neighbours(input: &CauseInput<'_>) -> u32 {
    let hit = input.pair.mesh().zip(input.event.triangle);
    hit.map_or(0, |((mesh, _), hit)| flipped(mesh, hit))
}

fn flipped(mesh: &Mesh, hit: u32) -> u32 {
    if hit as usize >= mesh.count() {
        return 0;
    }
    // Per neighbour: the number of shared edges, and whether it runs along one of them in the same direction.
    let mut shared: HashMap<u32, (u32, bool)> = HashMap::new();
    for (other, is_flipped) in mesh.neighbours(hit) {
        let (edges, along) = shared.entry(other).or_default();
        *edges += 1;
        *along |= is_flipped;
    }
    // A duplicate shares all three and is no neighbour.
    let flipped = shared
        .values()
        .filter(|(edges, along)| *edges == 1 && *along);
    flipped.count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Facing;
    use glam::DVec3;

    #[test]
    fn winding_of_neighbours() {
        let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y];
        let consistent = Mesh::new(vertices.clone(), vec![[0, 1, 2], [2, 1, 3]], Facing::Front);
        assert_eq!(flipped(&consistent.unwrap(), 0), 0);
        let against = Mesh::new(vertices, vec![[0, 1, 2], [1, 2, 3]], Facing::Front).unwrap();
        assert_eq!(flipped(&against, 0), 1);
        assert_eq!(flipped(&against, 1), 1);
        assert_eq!(flipped(&against, 7), 0);
    }
}
