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

use super::Moment;
use super::canvas::Canvas;
use super::framing;
use super::impact;
use crate::app::view_state::Layer;
use crate::core::replay::ObjectId;
use crate::core::shape::Pose;

/// Draws the moment; `hovered` is under the cursor.
pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>, hovered: Option<ObjectId>) {
    let level = framing::level_bounds(moment);
    let meetings = impact::meetings(moment);
    grid::draw(canvas);
    shapes::draw(canvas, moment, hovered, level);
    compared::draw(canvas, moment);
    trails::draw(canvas, moment);
    bounds::draw(canvas, moment);
    sphere_trees::draw(canvas, moment);
    swept::draw(canvas, moment);
    velocities::draw(canvas, moment);
    camera::draw(canvas, moment);
    ruler::draw(canvas, moment, hovered);
    ghosts::draw(canvas, moment, &meetings);
    pushes::draw(canvas, moment);
    what_if::draw(canvas, moment);
    names::draw(canvas, moment, hovered);
}

/// Who is drawn on a layer and where they stand at the playhead: present, finite, in the level's order.
fn shown<'m>(
    moment: &'m Moment<'_>,
    layer: Layer,
) -> impl Iterator<Item = (ObjectId, &'m crate::core::scene::Object, Pose)> {
    moment
        .replay
        .objects()
        .iter()
        .enumerate()
        .filter_map(move |(index, object)| {
            let id = index as ObjectId;
            if !moment.layers.shows(layer, moment.selection.contains(id)) {
                return None;
            }
            Some((id, object, moment.pose(id)?))
        })
}
