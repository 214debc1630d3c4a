//! An arrow for the displacement of one frame, in true length.

use super::super::Moment;
use super::super::canvas::{Canvas, Pen};
use crate::app::view_state::Layer;

pub fn draw(canvas: &mut Canvas, moment: &Moment<'_>) {
    let pen = Pen::new(canvas.palette.velocity, 2.0).through(0.45);
    for (id, _, pose) in super::shown(moment, Layer::Velocities) {
        let legs = moment.frame.segments.get(id as usize);
        let travel = legs.and_then(|legs| legs.first()).map(|leg| {
            let share = leg.to - leg.from;
            leg.motion.displacement() / if share > 0.0 { share } else { 1.0 }
        });
        let state = moment
            .frame
            .start
            .bodies
            .get(id as usize)
            .copied()
            .flatten();
        let travel = travel.or_else(|| Some(state?.velocity? * moment.frame.dt));
        if let Some(travel) = travel {
            canvas.arrow(pose.position, pose.position + travel, pen);
        }
    }
}
