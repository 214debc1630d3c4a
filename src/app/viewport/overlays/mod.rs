//! One file per drawable; each reads the moment and draws on the canvas.

mod bounds;
mod camera;
mod compared;
mod ghosts;
mod grid;
mod names;
mod pushes;
mod ruler;
mod shapes;
mod sphere_trees;
mod swept;
mod trails;
mod velocities;
mod what_if;

pub use ruler::Reading;

use super::ViewportInput;
use super::draw_list_builder::DrawListBuilder;
use super::framing;
use super::impact;
use crate::app::view_state::Layer;
use crate::core::replay::ObjectId;
use crate::core::shape::Pose;

/// Draws the moment; `hovered` is under the cursor.
pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, hovered: Option<ObjectId>) {
    let level = framing::level_bounds(input);
    let meetings = impact::meetings(input);
    grid::draw(builder);
    shapes::draw(builder, input, hovered, level);
    compared::draw(builder, input);
    trails::draw(builder, input);
    bounds::draw(builder, input);
    sphere_trees::draw(builder, input);
    swept::draw(builder, input);
    velocities::draw(builder, input);
    camera::draw(builder, input);
    ruler::draw(builder, input, hovered);
    ghosts::draw(builder, input, &meetings);
    pushes::draw(builder, input);
    what_if::draw(builder, input);
    names::draw(builder, input, hovered);
}

/// Who is drawn on a layer and where they stand at the playhead: present, finite, in the level's order.
fn shown<'m>(
    input: &'m ViewportInput<'_>,
    layer: Layer,
) -> impl Iterator<Item = (ObjectId, &'m crate::core::scene::Object, Pose)> {
    input
        .replay
        .objects()
        .iter()
        .enumerate()
        .filter_map(move |(index, object)| {
            let id = index as ObjectId;
            if !input.layers.shows(layer, input.selection.contains(id)) {
                return None;
            }
            Some((id, object, input.pose(id)?))
        })
}
