//! Arrows for the displacements of one frame, in true length.

use super::super::ViewportInput;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use crate::app::view_state::Layer;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let style = LineStyle::new(builder.palette.velocity, 2.0).occluded(0.45);
    let shown = super::shown(input, Layer::Velocities);
    for (id, _, pose) in shown.filter(|(id, ..)| !input.is_changed(*id)) {
        let segments = input.frame.segments(id);
        let displacement = segments.first().map(|segment| {
            let fraction = segment.to - segment.from;
            segment.motion.displacement() / if fraction > 0.0 { fraction } else { 1.0 }
        });
        let state = input.frame.start.body(id);
        let displacement = displacement.or_else(|| Some(state?.velocity? * input.frame.dt));
        if let Some(displacement) = displacement {
            builder.arrow(pose.position, pose.position + displacement, style);
        }
    }
}
