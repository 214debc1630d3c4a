//! A finding with the what-if values: the poses at the start, at the impact and at the end, with the shapes of these values. The
//! path of a mover that is held ends at the impact.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use super::super::outline::{ghost, outline};
use crate::core::diagnose::phase_sweep::PhaseOutcome;
use crate::core::diagnose::what_if::session::Ghost;
use crate::core::shape::Pose;
use egui::Color32;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>) {
    let Some(what_if) = input.what_if else {
        return;
    };
    let color = builder.palette.outcome(what_if.outcome);
    let text = format!("What if: {}", what_if.outcome.name());
    let mut labelled = false;
    for one in &what_if.ghosts {
        let label = (!labelled && one.start != one.end).then_some(text.as_str());
        labelled |= label.is_some();
        let until = match what_if.outcome {
            PhaseOutcome::Resolved => Until::Impact,
            _ if what_if.values.substeps > 1 => Until::Test,
            _ => Until::End,
        };
        body(builder, one, until, color, label);
    }
    let style = LineStyle::new(builder.palette.contact, 7.0).occluded(0.8);
    builder.point(what_if.point, style);
}

/// The pose that decides the outcome.
#[derive(Clone, Copy, PartialEq)]
enum Until {
    /// Held: nothing is drawn past it.
    Impact,
    /// The first test at or past the touch; the end is drawn faintly.
    Test,
    End,
}

fn body(
    builder: &mut DrawListBuilder,
    one: &Ghost,
    until: Until,
    color: Color32,
    label: Option<&str>,
) {
    let palette = builder.palette;
    let finite = [one.start, one.impact, one.test, one.end];
    if !finite.iter().all(Pose::is_finite) {
        return;
    }
    if one.start == one.end {
        // Only the size of a body at rest can differ.
        outline(
            builder,
            &one.shape,
            &one.impact,
            LineStyle::new(color, 1.6).occluded(0.5),
        );
        return;
    }
    let (last, impact_color) = match until {
        Until::Impact => (&one.impact, color),
        Until::Test | Until::End => (&one.end, palette.ghost_impact),
    };
    let (start, end) = (one.start.position, last.position);
    let style = LineStyle::new(color, 1.6).occluded(0.5);
    builder.dashes(start, end, style);
    let solid = 0.28;
    let (impact_alpha, end_alpha) = match until {
        Until::Impact => (solid, None),
        Until::Test => (0.16, Some(0.08)),
        Until::End => (0.16, Some(solid)),
    };
    ghost(builder, &one.shape, &one.start, (palette.ghost_start, 0.12));
    ghost(
        builder,
        &one.shape,
        &one.impact,
        (impact_color, impact_alpha),
    );
    if let Some(alpha) = end_alpha {
        ghost(builder, &one.shape, &one.end, (color, alpha));
    }
    if until == Until::Test {
        ghost(builder, &one.shape, &one.test, (color, solid));
        builder.point(one.test.position, style.width(6.0));
    }
    let decisive = match until {
        Until::Impact => &one.impact,
        Until::Test | Until::End => &one.test,
    };
    if let Some(label) = label {
        let placed = one.shape.placed(decisive);
        let covered = builder.screen_bounds(&placed);
        let half = covered.map_or([3.0; 2], |rect| [rect.width() * 0.5, rect.height() * 0.5]);
        let along = builder.screen_direction(start, end - start);
        builder.label_around(
            (decisive.position, half),
            -along.perp(),
            label,
            color,
            Rank::Now,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::theme::Palette;
    use crate::app::viewport::draw_list::{Translucent, bytes, rgba};
    use crate::app::viewport::orbit::Orbit;
    use crate::core::shape::Shape;
    use glam::{DVec2, DVec3};

    /// The greatest x of the lines and the bodies in the outcome's colour, for a ball from x = -2 that touches at -1 and ends at 2.
    fn farthest(until: Until) -> f32 {
        let view = Orbit::default().view(DVec2::new(900.0, 600.0));
        let palette = Palette::of(&egui::Visuals::dark());
        let mut builder = DrawListBuilder::new(view, DVec3::ZERO, palette);
        let [start, impact, test, end] = [-2.0, -1.0, -0.5, 2.0].map(|x| Pose::at(DVec3::X * x));
        let shape = Shape::Sphere { radius: 0.1 };
        let one = Ghost {
            object: 0,
            shape,
            start,
            impact,
            test,
            end,
        };
        body(&mut builder, &one, until, palette.good, Some("What if"));
        let list = &builder.list;
        let dashes = list
            .lines
            .iter()
            .filter(|line| line.dash > 0.0)
            .map(|line| line.b[0]);
        let bodies = list.translucent.iter().filter_map(|one| match one {
            Translucent::Capsule(capsule) => Some(capsule.a[0]),
            Translucent::Mesh { .. } => None,
        });
        assert!(
            list.lines
                .iter()
                .any(|line| line.color_a[..3] == bytes(rgba(palette.good, 1.0))[..3])
        );
        dashes.chain(bodies).fold(f32::NEG_INFINITY, f32::max)
    }

    #[test]
    fn the_path_of_a_held_mover_ends_at_the_impact() {
        assert_eq!(farthest(Until::Impact), -1.0);
        assert_eq!(farthest(Until::Test), 2.0);
        assert_eq!(farthest(Until::End), 2.0);
    }
}
