//! What the viewports share: the renderer, the geometries, and the bodies of each level, which are built once.

use super::body_spheres::BodySpheres;
use super::color_by::ObjectColors;
use super::draw_list::DrawList;
use super::draw_list_builder::DrawListBuilder;
use super::geometry::GeometryCache;
use super::level_shapes::LevelShapes;
use super::overlays;
use super::renderer::{Renderer, Slot};
use super::section::CutPlane;
use super::view::View;
use super::viewport_input::{DrawCacheKey, ViewportInput};
use crate::app::theme::Palette;
use crate::core::replay::ObjectId;
use glam::DVec3;
use std::sync::Arc;

/// Farthest target from the origin of the draw lists, in distances of the eye from its target. Beyond it `f32` is too coarse, and
/// the origin moves to the target.
const FARTHEST_ORIGIN: f64 = 2e3;

/// The renderer and the caches of all viewports.
#[derive(Default)]
pub struct Shared {
    /// The renderer.
    pub renderer: Renderer,
    /// The meshes of shapes.
    pub geometries: GeometryCache,
    /// The bodies of the open level, and of the one that it is compared with.
    pub levels: [Option<LevelCache>; 2],
    /// Where the bodies of both are, since something was last looked for among them.
    pub spheres: [Option<BodySpheres>; 2],
    /// Hides the tools while the viewport is saved as an image.
    pub without_tools: bool,
}

/// The cached draw list that does not depend on the view.
pub struct LevelCache {
    /// The bodies.
    pub shapes: LevelShapes,
    /// Origin of the positions in both lists.
    pub origin: DVec3,
    key: DrawCacheKey,
    /// The objects that are cut open.
    cut: Option<Vec<ObjectId>>,
    /// The legend of the objects' colours.
    pub legend: Vec<(egui::Color32, String)>,
    /// The filled list.
    pub list: Arc<DrawList>,
}

impl Shared {
    /// The bodies of a viewport's level; refilled when their input has changed. A second viewport of a level draws those of the
    /// first.
    pub fn take_level(
        &mut self,
        input: &ViewportInput<'_>,
        (view, slot): (View, Slot),
        (palette, cut): (&'static Palette, Option<&CutPlane>),
    ) -> LevelCache {
        let last = self.levels[slot.level].take();
        let last = match last {
            Some(of_first) if slot.index != slot.level => return of_first,
            last => last,
        };
        let cut = cut.and_then(|cut| cut.objects.clone());
        let mut legend = Vec::new();
        let fits = |last: &mut LevelCache, geometries: &mut GeometryCache| {
            let shapes = &mut last.shapes;
            shapes.has_colors(palette)
                && (shapes.is_of(input.replay) || shapes.follow(input.replay, geometries))
        };
        let mut last = last;
        let fitting = last.take_if(|last| fits(last, &mut self.geometries));
        let (mut shapes, last) = match fitting {
            Some(last) => {
                let same = last.cut == cut && last.key.has_same_bodies(input);
                legend = last.legend;
                (last.shapes, Some((last.origin, last.key, last.list, same)))
            }
            None => {
                self.geometries.prune();
                let shapes = LevelShapes::new(input.replay, palette, &mut self.geometries);
                (shapes, None)
            }
        };
        let near =
            |origin: &DVec3| view.target.distance(*origin) <= FARTHEST_ORIGIN * view.distance();
        let origin = last
            .as_ref()
            .map_or_else(|| on_grid(shapes.center()), |(origin, ..)| *origin);
        let origin = Some(origin).filter(near).unwrap_or(view.target);
        let list = match last {
            Some((before, key, list, true)) if before == origin => {
                return LevelCache {
                    shapes,
                    origin,
                    key,
                    cut,
                    legend,
                    list,
                };
            }
            Some((.., list, _)) => list,
            None => Arc::default(),
        };
        let mut builder = DrawListBuilder::new(view, origin, palette);
        builder.units = input.replay.units();
        // Reuses the memory of the last list, unless the renderer still holds it.
        builder.list = Arc::try_unwrap(list).unwrap_or_default();
        builder.list.restart();
        let cut_objects = cut.as_deref().unwrap_or_default();
        let colors = ObjectColors::at(input, palette);
        let looks = (cut_objects, colors.as_ref());
        shapes.draw(input, origin, looks, &mut builder.list);
        builder.geometries = std::mem::take(&mut self.geometries);
        overlays::draw_level(&mut builder, input);
        self.geometries = std::mem::take(&mut builder.geometries);
        LevelCache {
            shapes,
            origin,
            key: input.key(),
            cut,
            legend: colors.map_or_else(Vec::new, |colors| colors.legend),
            list: Arc::new(builder.list),
        }
    }
}

/// The nearest point whose coordinates are multiples of ten metres, so that the grid of surfaces has its lines at whole metres.
fn on_grid(point: DVec3) -> DVec3 {
    (point / 10.0).round() * 10.0
}
