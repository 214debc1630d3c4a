//! Each object's name above it; only the nearest ones when there are too many.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::DrawListBuilder;
use super::super::view::View;
use crate::app::text::short_name;
use crate::app::view_state::Layer;
use crate::core::replay::ObjectId;
use crate::core::shape::Aabb;
use glam::{DVec2, DVec3};

/// Most names that are drawn.
const MAX_NAMES: usize = 120;

pub fn draw(builder: &mut DrawListBuilder, input: &ViewportInput<'_>, hovered: Option<ObjectId>) {
    let mut names: Vec<(f64, DVec3, &str, ObjectId)> = super::shown(input, Layer::Names)
        .filter(|(id, ..)| hovered != Some(*id))
        .filter_map(|(id, object, pose)| {
            // A plane is unbounded and has no top.
            let bounds = object.shape.placed(&pose).aabb()?;
            let at = name_at(&builder.view, &bounds)?;
            let distance = (at - builder.view.eye).length();
            Some((distance, at, object.name.as_str(), id))
        })
        .collect();
    names.sort_by(|one, two| one.0.total_cmp(&two.0).then(one.3.cmp(&two.3)));
    names.truncate(MAX_NAMES);
    let palette = builder.palette;
    // Nearest first: the farthest are dropped where space is short.
    for (_, at, name, id) in names {
        let color = if input.selection.contains(id) {
            palette.selected
        } else {
            palette.text
        };
        let rank = if input.selection.contains(id) {
            Rank::Selected
        } else {
            Rank::Name
        };
        builder.label(at, DVec2::NEG_Y, short_name(name), color, rank);
    }
}

/// Where the name of an object stands: above it. Of a wall whose top is out of view it is the point nearest to what is looked at.
fn name_at(view: &View, bounds: &Aabb) -> Option<DVec3> {
    let center = bounds.center();
    let top = DVec3::new(center.x, bounds.max.y, center.z);
    let nearest = view.target.clamp(bounds.min, bounds.max);
    let is_in_view = |at: &DVec3| {
        let at = view.project(*at);
        at.is_some_and(|at| at.cmpge(DVec2::ZERO).all() && at.cmple(view.size).all())
    };
    [top, nearest].into_iter().find(is_in_view)
}

#[cfg(test)]
mod tests {
    use super::super::super::orbit::Orbit;
    use super::*;

    #[test]
    fn a_wall_that_is_higher_than_the_view_has_its_name_where_one_looks() {
        let view = Orbit {
            target: DVec3::ZERO,
            distance: 2.0,
            ..Orbit::default()
        }
        .view(DVec2::new(900.0, 600.0));
        let wall = |x: f64, half_height: f64| Aabb {
            min: DVec3::new(x - 0.02, -half_height, -0.1),
            max: DVec3::new(x + 0.02, half_height, 0.1),
        };
        let top = DVec3::new(0.1, 0.2, 0.0);
        assert!(
            name_at(&view, &wall(0.1, 0.2))
                .unwrap()
                .abs_diff_eq(top, 1e-12)
        );
        let nearest = DVec3::new(0.08, 0.0, 0.0);
        assert_eq!(name_at(&view, &wall(0.1, 50.0)), Some(nearest));
        assert_eq!(name_at(&view, &wall(90.0, 50.0)), None);
    }
}
