//! Arrows at the border of the viewport towards selected objects that are out of view.

use super::ViewportInput;
use super::view::{Projection, View};
use crate::app::text::short_name;
use crate::app::theme::{Palette, readable};
use crate::core::shape::Aabb;
use egui::accesskit::Role;
use egui::{Align2, FontId, Rect, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, vec2};
use glam::{DVec2, DVec3};

/// Most arrows.
const MOST: usize = 4;
/// Distance of an arrow from the border, points: the toolbar is above it.
const MARGIN: Vec2 = vec2(20.0, 48.0);
/// Length of an arrow, points.
const LENGTH: f32 = 14.0;

/// Shows an arrow with the name of each selected object that is out of view.
pub fn show(ui: &Ui, rect: Rect, input: &ViewportInput<'_>, view: &View) {
    let palette = Palette::of(ui.visuals());
    let painter = ui.painter_at(rect);
    let shown = input.selection.objects().iter().take(MOST);
    for &id in shown.filter(|&&id| !input.visibility.hides(id)) {
        let object = input.replay.objects().get(id as usize);
        let Some((object, pose)) = object.zip(input.pose(id)) else {
            continue;
        };
        let bounds = object.shape.placed(&pose).aabb();
        let Some(along) = bounds.and_then(|bounds| direction_to(view, &bounds)) else {
            continue;
        };
        let along = vec2(along.x as f32, along.y as f32);
        let inner = rect.shrink2(MARGIN.min(rect.size() * 0.4));
        let reach = (inner.size() * 0.5 / along.abs()).min_elem();
        let tip = inner.center() + along * reach;
        let color = readable(palette.selected, palette.background);
        let across = along.rot90() * (LENGTH * 0.4);
        let back = tip - along * LENGTH;
        let corners = vec![tip, back + across, back - across];
        painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
        let name = short_name(&object.name);
        // Beside the arrow, towards the middle.
        let anchor = match along.x.abs() > 0.5 {
            true if along.x > 0.0 => Align2::RIGHT_CENTER,
            true => Align2::LEFT_CENTER,
            false if along.y > 0.0 => Align2::CENTER_BOTTOM,
            false => Align2::CENTER_TOP,
        };
        let at = tip - along * (LENGTH + 4.0);
        painter.text(at, anchor, name, FontId::proportional(12.0), color);
        let area = Rect::from_center_size(tip - along * (LENGTH * 0.5), Vec2::splat(LENGTH * 1.5));
        let response = ui.interact(
            area,
            ui.scope_id().with(("out of view", id)),
            Sense::hover(),
        );
        let text = format!("{} is out of view", object.name);
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
        response.on_hover_text(format!("{text}: F moves the view"));
    }
}

/// The direction on the screen (right and down, unit) to a box that is out of view; `None` where it may be in view.
fn direction_to(view: &View, bounds: &Aabb) -> Option<DVec2> {
    let corners = bounds.corners().map(|corner| view.to_view(corner));
    let half_height = |at: DVec3| match view.projection {
        Projection::Perspective { tangent } => tangent * -at.z,
        Projection::Orthographic { half_height } => half_height,
    };
    let aspect = view.size.x / view.size.y;
    // A box is out of view if it is behind one plane of the view's frustum.
    let behind: [&dyn Fn(DVec3) -> bool; 5] = [
        &|at| at.x > aspect * half_height(at),
        &|at| -at.x > aspect * half_height(at),
        &|at| at.y > half_height(at),
        &|at| -at.y > half_height(at),
        &|at| matches!(view.projection, Projection::Perspective { .. }) && -at.z < view.near(),
    ];
    let is_out = behind.iter().any(|is| corners.iter().all(|at| is(*at)));
    let center = view.to_view(bounds.center());
    let along = DVec2::new(center.x, -center.y);
    is_out.then(|| along.try_normalize().unwrap_or(DVec2::Y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Random, rounds};
    use glam::DQuat;

    /// At the origin, looking along -z.
    fn view(projection: Projection) -> View {
        View {
            eye: DVec3::ZERO,
            target: DVec3::NEG_Z * 5.0,
            world_from_view: DQuat::IDENTITY,
            projection,
            size: DVec2::new(900.0, 600.0),
        }
    }

    fn around(center: DVec3, half: f64) -> Aabb {
        let half = DVec3::splat(half);
        Aabb {
            min: center - half,
            max: center + half,
        }
    }

    #[test]
    fn an_arrow_points_to_what_is_beside_or_behind_the_view() {
        for projection in [
            Projection::Perspective { tangent: 0.4 },
            Projection::Orthographic { half_height: 2.0 },
        ] {
            let to = |center, half| direction_to(&view(projection), &around(center, half));
            assert_eq!(to(DVec3::new(90.0, 0.0, -5.0), 1.0), Some(DVec2::X));
            assert_eq!(to(DVec3::new(0.0, 90.0, -5.0), 1.0), Some(DVec2::NEG_Y));
            assert_eq!(to(DVec3::new(0.0, 0.0, -5.0), 1.0), None);
            // Its centre is beside the view, and a part of it is seen.
            assert_eq!(to(DVec3::new(90.0, 0.0, -5.0), 89.0), None);
        }
        let perspective = view(Projection::Perspective { tangent: 0.4 });
        let behind = direction_to(&perspective, &around(DVec3::new(0.0, 3.0, 5.0), 1.0));
        assert_eq!(behind, Some(DVec2::NEG_Y));
    }

    #[test]
    fn nothing_that_is_seen_has_an_arrow() {
        let mut arrows = 0;
        for seed in 0..rounds(2000) {
            let mut random = Random(seed);
            let tangent = random.range(0.2, 1.0);
            let view = view(Projection::Perspective { tangent });
            let bounds = around(random.point(12.0), random.range(0.1, 4.0));
            let sees = |at: DVec3| {
                let at = view.project(at);
                at.is_some_and(|at| at.cmpge(DVec2::ZERO).all() && at.cmple(view.size).all())
            };
            if direction_to(&view, &bounds).is_some() {
                arrows += 1;
                for _ in 0..100 {
                    let inside = bounds.center() + random.point(1.0) * bounds.half_extents();
                    assert!(!sees(inside), "seed {seed}: {inside}");
                }
            }
        }
        assert!(arrows > 20, "{arrows}");
    }
}
