//! Overlays, one file each: functions that read the input and add to the draw list.

mod bounds;
mod camera;
mod compared;
mod ghosts;
mod grid;
mod heat;
mod leaks;
mod logged;
mod mesh_lines;
mod names;
mod pushes;
mod queries;
mod ruler;
mod shapes;
mod sphere_trees;
mod struck_triangle;
mod swept;
mod trails;
mod velocities;
mod what_if;

pub use ruler::{Reading, draw_measured};

use super::ViewportInput;
use super::draw_list_builder::DrawListBuilder;
use super::impact;
use super::section::CutPlane;
use crate::app::view_state::{Layer, Show};
use crate::core::replay::ObjectId;
use crate::core::shape::Pose;

/// Draws the overlays that depend on the view; `hovered` is the object under the pointer, `cut` the plane that cuts bodies open.
/// Returns the ruler's values while it is on.
pub fn draw(
    builder: &mut DrawListBuilder,
    input: &ViewportInput<'_>,
    (hovered, sensors, cut): (Option<ObjectId>, &[ObjectId], Option<&CutPlane>),
) -> Option<Reading> {
    let impacts = impact::shown_impacts(input);
    grid::draw(builder);
    heat::draw(builder, input);
    leaks::draw(builder, input);
    shapes::draw(builder, input, hovered, (sensors, cut));
    compared::draw(builder, input);
    compared::mark(builder, input);
    bounds::draw_spheres(builder, input);
    sphere_trees::draw(builder, input);
    swept::draw(builder, input);
    velocities::draw(builder, input);
    camera::draw(builder, input);
    let reading = ruler::draw(builder, input, hovered);
    let measured = reading.as_ref().and_then(|reading| reading.pair);
    ghosts::draw(builder, input, &impacts, measured);
    struck_triangle::draw(builder, input, &impacts);
    struck_triangle::edge_angle(builder, input);
    pushes::draw(builder, input);
    queries::draw(builder, input);
    logged::draw(builder, input);
    what_if::draw(builder, input);
    names::draw(builder, input, hovered);
    reading
}

/// Draws the overlays that do not depend on the view.
pub fn draw_level(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    trails::draw(builder, input);
    bounds::draw_boxes(builder, input);
    mesh_lines::draw(builder, input);
}

/// The objects shown on a layer with their finite poses at the playhead, in the level's order.
fn shown<'m>(
    input: &'m ViewportInput<'_>,
    layer: Layer,
) -> impl Iterator<Item = (ObjectId, &'m crate::core::scene::Object, Pose)> {
    let ids: Vec<ObjectId> = match input.layers.get(layer) {
        Show::None => Vec::new(),
        Show::Selected => {
            let mut selected = input.selection.objects().to_vec();
            selected.sort_unstable();
            selected
        }
        Show::All => (0..input.replay.objects().len() as ObjectId).collect(),
    };
    let objects = input.replay.objects();
    ids.into_iter()
        .filter(|&id| !input.visibility.hides(id))
        .filter_map(move |id| Some((id, objects.get(id as usize)?, input.pose(id)?)))
}
