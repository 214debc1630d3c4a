//! An arrow for the displacement of one frame, in true length.

use super::super::ViewportInput;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use crate::app::view_state::Layer;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let style = LineStyle::new(builder.palette.velocity, 2.0).through(0.45);
    for (id, _, pose) in super::shown(input, Layer::Velocities) {
        let legs = input.frame.segments.get(id as usize);
        let travel = legs.and_then(|legs| legs.first()).map(|leg| {
            let share = leg.to - leg.from;
            leg.motion.displacement() / if share > 0.0 { share } else { 1.0 }
        });
        let state = input.frame.start.bodies.get(id as usize).copied().flatten();
        let travel = travel.or_else(|| Some(state?.velocity? * input.frame.dt));
        if let Some(travel) = travel {
            builder.arrow(pose.position, pose.position + travel, style);
        }
    }
}
