//! One level of the bounding-sphere trees of meshes. Nodes that the sweep of the selected pair skips are dimmed.

use super::super::ViewportInput;
use super::super::draw_list_builder::DrawListBuilder;
use super::bounds::{draw_sphere, sphere_style};
use crate::app::view_state::Layer;
use crate::core::bounds::sphere_tree;
use crate::core::diagnose::explain::tree_sweep;
use crate::core::replay::ObjectId;
use crate::core::shape::{Shape, SphereTree};

/// With more spheres than this only their silhouettes are drawn.
const MAX_DETAILED: usize = 64;

/// Factor on the alpha of a skipped sphere.
const SKIPPED: f32 = 0.25;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let style = sphere_style(builder);
    let level = input.layers.sphere_level;
    for (id, object, pose) in super::shown(input, Layer::SphereTrees) {
        let Shape::Mesh(mesh) = &object.shape else {
            continue;
        };
        let Some(tree) = sphere_tree(mesh) else {
            continue;
        };
        let skipped = skipped(input, id, tree);
        let detailed = tree.cut(level).take(MAX_DETAILED + 1).count() <= MAX_DETAILED;
        for (index, node) in tree.cut(level) {
            let style = match skipped.get(index as usize) {
                Some(true) => style.alpha(style.alpha * SKIPPED),
                _ => style.width(1.8),
            };
            if detailed {
                draw_sphere(builder, &node.sphere, &pose, style);
            } else {
                builder.silhouette(pose.point(node.sphere.center), node.sphere.radius, style);
            }
        }
    }
}

/// For each node of a mesh's tree, whether the sweep of the selected pair skips it or one of its ancestors. Empty where that pair
/// is not swept through the tree.
fn skipped(input: &ViewportInput<'_>, mesh: ObjectId, tree: &SphereTree) -> Vec<bool> {
    let sweep = || {
        let (a, b) = input.selection.pair()?;
        if a != mesh && b != mesh {
            return None;
        }
        let [one, other] = [a, b].map(|id| input.replay.objects().get(id as usize));
        // Of two meshes, the second one's tree is tested.
        if a == mesh && matches!(other?.shape, Shape::Mesh(_)) {
            return None;
        }
        let mut intervals = input.frame.straight_intervals(a, b).into_iter();
        let (.., motion_a, motion_b) =
            intervals.find(|&(_, to, ..)| input.playhead.fraction <= to)?;
        tree_sweep(
            (&one?.shape, &motion_a),
            (&other?.shape, &motion_b),
            &mut (),
        )
    };
    let Some(sweep) = sweep() else {
        return Vec::new();
    };
    let mut skipped = vec![false; tree.nodes().len()];
    for node in &sweep.skipped {
        skipped[node.node as usize] = true;
    }
    // Parents come before their children.
    for (index, node) in tree.nodes().iter().enumerate() {
        for child in node.children.into_iter().flatten() {
            skipped[child as usize] |= skipped[index];
        }
    }
    skipped
}

#[cfg(test)]
mod tests {
    use super::super::super::orbit::Orbit;
    use super::*;
    use crate::app::selection::Selection;
    use crate::app::test_levels::{level, sphere};
    use crate::app::theme::Palette;
    use crate::app::view_state::{Layers, Show};
    use crate::core::scene::{Movement, Object};
    use crate::core::shape::HeightField;
    use glam::{DVec2, DVec3};
    use std::sync::Arc;

    /// The alpha of each line of the layer at a tree level: a ball falls on the first of a strip of 8 squares along x.
    fn alphas(sphere_level: u32, selected: &[ObjectId]) -> Vec<u8> {
        let field = HeightField {
            heights: vec![vec![0.0; 9]; 2],
            cell: [10.0, 1.0],
        };
        let strip = Shape::Mesh(Arc::new(field.mesh(100).unwrap()));
        let strip = Object {
            movement: Movement::Fixed,
            ..Object::new("strip", strip, DVec3::ZERO)
        };
        let ball = sphere("ball", 0.5, DVec3::new(-35.0, 2.0, 0.0), DVec3::NEG_Y);
        let replay = level(1.0, [ball, strip]);
        let frame = replay.frame(0);
        let mut selection = Selection::default();
        selection.set(selected.iter().copied());
        let mut layers = Layers::default();
        layers.set(Layer::SphereTrees, Show::All);
        layers.sphere_level = sphere_level;
        let input = ViewportInput::of_level(&replay, &frame, &selection, &layers);
        let orbit = Orbit {
            orthographic: true,
            ..Orbit::default()
        };
        let view = orbit.view(DVec2::new(900.0, 600.0));
        let mut builder =
            DrawListBuilder::new(view, DVec3::ZERO, Palette::of(&egui::Visuals::dark()));
        draw(&mut builder, &input);
        let lines = builder.list.lines.iter();
        lines.map(|line| line.color_a[3]).collect()
    }

    #[test]
    fn each_level_has_more_spheres_down_to_the_leaves() {
        // 16 triangles: the root, two, and four leaves.
        let counts = [0, 1, 2, 3].map(|level| alphas(level, &[]).len());
        assert!(counts[0] > 0 && counts[0] < counts[1] && counts[1] < counts[2]);
        assert_eq!(counts[2], counts[3]);
    }

    #[test]
    fn skipped_spheres_are_dimmed() {
        let dimmed = |selected: &[ObjectId]| {
            let (all, bright) = (alphas(1, &[]), alphas(1, selected));
            let pairs = all.iter().zip(&bright);
            (all.len(), pairs.filter(|(all, now)| now < all).count())
        };
        // The far one of two halves of equal size.
        let (all, dim) = dimmed(&[0, 1]);
        assert_eq!(dim * 2, all);
        assert_eq!(dimmed(&[1, 0]).1, dim);
        assert_eq!(dimmed(&[1]).1, 0);
    }
}
