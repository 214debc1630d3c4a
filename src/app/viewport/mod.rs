//! The 3D view of the level at the playhead.

mod body_spheres;
mod box_select;
mod color_by;
pub mod draw_list;
mod draw_list_builder;
mod drawing;
pub mod export;
mod flat_shapes;
mod framing;
mod geometry;
mod handles;
mod hud;
mod impact;
mod input;
mod labels;
mod level_shapes;
pub mod orbit;
mod other_side;
mod out_of_view;
mod outline;
mod overlays;
mod picking;
mod renderer;
mod section;
mod shared;
mod toolbar;
pub mod view;
mod view_bar;
mod view_moves;
mod viewpoint;
mod viewport_input;
mod viewports;
mod walk;

use super::command::Command;
use super::theme::Palette;
use super::view_state::Switch;
use crate::core::replay::ObjectId;
use crate::core::shape::Pose;
use draw_list::{Background, CameraParams, DrawList, Label, RenderScene, ShadowArea, rgba};
use draw_list_builder::DrawListBuilder;
use glam::{DVec2, DVec3};
use labels::LabelPlaces;
use orbit::{Animation, Orbit};
use renderer::Slot;
use section::{CutPlane, FindingCut};
use shared::{LevelCache, Shared};
use std::sync::Arc;
use toolbar::TOOLBAR;
use view::View;
use viewport_input::DrawCacheKey;

pub use handles::Editing;

pub use renderer::DeviceError;

pub use framing::{bounds_of, level_bounds, whole_bounds};
pub use viewport_input::{Compared, ViewportInput};
pub use viewports::Viewports;

/// From how far surfaces darken each other, as a fraction of the eye's distance from its target.
const OCCLUSION: f32 = 0.05;

/// The state of one viewport: its view of a level, and what is drawn of it.
#[derive(Default)]
pub struct Viewport {
    orbit: Orbit,
    animation: Option<Animation>,
    /// Whether the level of the last pass is flat.
    is_flat: bool,
    /// The last scroll was of a trackpad.
    trackpad: bool,
    /// The view of the last finding that was looked at: while it is the current one, it is fitted to a new size.
    at_finding: Option<Orbit>,
    /// The rectangle of the last pass, points of the window.
    rect: Option<egui::Rect>,
    hovered: Option<ObjectId>,
    /// The object that the context menu is about.
    pub menu_of: Option<ObjectId>,
    /// Pointer position at which `hovered` was found, points from the corner.
    cursor: Option<DVec2>,
    /// The pose and the field of view of the level's camera, through which this one looks.
    camera: Option<(Pose, f64)>,
    /// The view before a walk began.
    before_walk: Option<Orbit>,
    overlay_cache: Option<OverlayCache>,
    /// The handle under the pointer or being dragged.
    highlighted: Option<handles::Handle>,
    /// The drag in progress.
    drag: Option<handles::HandleDrag>,
    /// The corners of the selection box, first where the drag began, points of the window.
    selection_box: Option<[egui::Pos2; 2]>,
    /// The plane that cuts open what covers the finding that the view was last moved to.
    finding_cut: Option<FindingCut>,
    /// The plane of the last pass.
    cut: Option<CutPlane>,
    /// The plane of the viewport that this one is linked with.
    linked_cut: Option<CutPlane>,
    /// The followed object and its position in the last pass.
    followed: Option<(ObjectId, DVec3)>,
    /// The clicked points of a measurement, at most two, world, metres.
    measured: Vec<DVec3>,
    /// The points of what is being drawn in a flat level, and where the pointer is.
    drawn_points: Vec<DVec2>,
    drawn_to: Option<DVec2>,
}

/// The cached draw list that depends on the view: overlays and labels.
struct OverlayCache {
    key: DrawCacheKey,
    hovered: Option<ObjectId>,
    view: View,
    cut: Option<CutPlane>,
    measured: Vec<DVec3>,
    origin: DVec3,
    palette: &'static Palette,
    list: Arc<DrawList>,
    labels: Vec<Label>,
    places: LabelPlaces,
    legend: Vec<(egui::Color32, String)>,
    keep_clear: Vec<egui::Rect>,
    reading: Option<overlays::Reading>,
}

impl Viewport {
    /// Draws the level into the remaining space of `ui`, and turns clicks and drags into commands.
    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        input: &ViewportInput<'_>,
        (shared, slot): (&mut Shared, Slot),
        commands: &mut Vec<Command>,
    ) -> egui::Response {
        let size = ui.available_size().max(egui::Vec2::splat(1.0));
        let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click_and_drag());
        let before = self.rect.replace(rect);
        self.is_flat = input.is_flat();
        let is_resized = before.is_some_and(|before| before.size() != rect.size());
        if let Some(finding) = input.finding
            && is_resized
            && self.at_finding == Some(self.goal())
            && finding.frame == input.frame.number
        {
            self.look_at_finding(input, finding);
        }
        self.advance(ui);
        let view = self.view();
        let busy = drawing::interact(self, ui, &response, (input, &view), commands)
            || handles::interact(self, ui, &response, input, &view, commands)
            || box_select::interact(self, ui, &response, (input, &view), commands);
        match input.walk {
            Some(pose) => walk::steer(self, ui, (&response, &pose), commands),
            // The recording moves it.
            None if self.camera.is_some() => {}
            None => {
                walk::end_walk(self, ui);
                input::steer(self, ui, &response, busy);
            }
        }
        self.follow(input);
        if !input.layers.has(Switch::Measure) {
            self.measured.clear();
        }
        let view = self.view();
        let linked = self.linked_cut.take();
        let cut = linked.or_else(|| CutPlane::shown(input, &view, self.finding_cut.as_ref()));
        if busy || self.highlighted.is_some() {
            (self.hovered, self.cursor) = (None, None);
        } else {
            let spheres = &mut shared.spheres[slot.level];
            let looks = (&view, cut.as_ref(), spheres);
            input::hover_and_click(self, ui, &response, input, looks, commands);
        }
        if response.secondary_clicked() {
            self.menu_of = self.hovered;
        }
        input::describe(&response, slot, &view, cut.is_some());
        if !ui.is_rect_visible(rect) {
            return response;
        }
        let palette = Palette::of(ui.visuals());
        shared
            .geometries
            .repaint
            .get_or_insert_with(|| ui.ctx().clone());
        let level = shared.take_level(input, (view, slot), (palette, cut.as_ref()));
        let mut drawn =
            self.update_overlays(input, (view, shared), (palette, &level, cut.as_ref()));
        shared.renderer.draw(ui, rect, slot, || RenderScene {
            lists: [Arc::clone(&level.list), Arc::clone(&drawn.list)],
            camera: CameraParams::of(&view, level.origin),
            background: Background {
                sky: [palette.background, palette.horizon, palette.sky]
                    .map(|color| rgba(color, 1.0)),
                daylight: palette.daylight,
            },
            shadow: ShadowArea::of(&view, level.origin),
            occlusion: match input.layers.has(Switch::ContactShading) {
                true => view.distance() as f32 * OCCLUSION,
                false => 0.0,
            },
            section: cut.as_ref().map(|cut| cut.section(level.origin)),
        });
        // In a wipe only a part of the picture is shown.
        let shown = rect.intersect(ui.clip_rect());
        if !shared.renderer.has_failed() {
            drawn.paint_text(ui, rect, shown);
        }
        let mut legend = match &input.compared {
            Some(compared) => hud::legend_of_comparison(compared, input, palette),
            None => level.legend.clone(),
        };
        legend.extend_from_slice(&drawn.legend);
        if !legend.is_empty() && slot.is_first() {
            // Below the toolbar.
            let toolbar = if input.editing.is_some() {
                TOOLBAR
            } else {
                0.0
            };
            let mut below = shown;
            below.min.y += toolbar;
            hud::legend(ui, below, &legend, palette);
        }
        shared.levels[slot.level] = Some(level);
        self.overlay_cache = Some(drawn);
        self.cut = cut;
        let is_moved = input.walk.is_none() && self.camera.is_none();
        let clickable = is_moved && !shared.without_tools;
        if let Some(side) = hud::axes(ui, rect, &view, input.replay.units(), clickable) {
            self.look_along(-side.axis());
            ui.ctx().request_repaint();
        }
        if !shared.without_tools {
            self.paint_tools(ui, (rect, slot), (input, &view), commands);
        }
        response
    }

    fn view(&self) -> View {
        match &self.camera {
            Some((pose, fov)) => View::of_camera(pose, *fov, self.size()),
            None => self.orbit.view(self.size()),
        }
    }

    /// Paints handles, the selection box and the toolbar over the level.
    fn paint_tools(
        &self,
        ui: &mut egui::Ui,
        (rect, slot): (egui::Rect, Slot),
        (input, view): (&ViewportInput<'_>, &View),
        commands: &mut Vec<Command>,
    ) {
        let palette = Palette::of(ui.visuals());
        let painter = ui.painter_at(rect);
        let active = (self.highlighted, self.drag.as_ref());
        handles::paint(&painter, rect, (input, view), active, palette);
        box_select::paint(self, &painter, palette);
        drawing::paint(self, &painter, rect, (input, view), palette);
        out_of_view::show(ui, rect, input, view);
        if !slot.is_first() {
            return;
        }
        hud::invalid_poses(ui, rect, input);
        if input.walk.is_some() {
            hud::walk(&painter, rect, palette);
        }
        view_bar::show(ui, rect, input, commands);
        if let Some(editing) = input.editing.filter(|_| input.walk.is_none()) {
            toolbar::show(ui, rect, (&editing, input.is_flat()), commands);
        }
    }

    /// Overlays and labels; refilled when the view or the input has changed.
    fn update_overlays(
        &mut self,
        input: &ViewportInput<'_>,
        (view, shared): (View, &mut Shared),
        (palette, level, cut): (&'static Palette, &LevelCache, Option<&CutPlane>),
    ) -> OverlayCache {
        let origin = level.origin;
        let last = self.overlay_cache.take();
        let current = last.filter(|drawn| {
            drawn.hovered == self.hovered
                && drawn.view == view
                && drawn.cut.as_ref() == cut
                && drawn.measured == self.measured
                && drawn.origin == origin
                && std::ptr::eq(drawn.palette, palette)
                && drawn.key.matches(input)
        });
        if let Some(current) = current {
            return current;
        }
        let mut builder = DrawListBuilder::new(view, origin, palette);
        builder.units = input.replay.units();
        builder.geometries = std::mem::take(&mut shared.geometries);
        builder.list.restart();
        let hovered = self.hovered.or(input.pointed);
        let reading = overlays::draw(&mut builder, input, (hovered, &level.shapes.sensors, cut));
        let reading = overlays::draw_measured(&mut builder, &self.measured).or(reading);
        shared.geometries = builder.geometries;
        if let Some(reading) = &reading {
            let size = egui::vec2(view.size.x as f32, view.size.y as f32);
            let area = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
            builder.keep_clear.push(hud::ruler_rect(area, reading));
        }
        OverlayCache {
            key: input.key(),
            hovered: self.hovered,
            view,
            cut: cut.cloned(),
            measured: self.measured.clone(),
            origin,
            palette,
            list: Arc::new(builder.list),
            labels: builder.labels,
            places: LabelPlaces::default(),
            legend: builder.legend,
            keep_clear: builder.keep_clear,
            reading,
        }
    }
}

impl OverlayCache {
    /// Paints labels and the ruler.
    fn paint_text(&mut self, ui: &mut egui::Ui, rect: egui::Rect, shown: egui::Rect) {
        let painter = ui.painter_at(rect);
        let labels = (&*self.labels, &mut self.places);
        let clear = &self.keep_clear;
        hud::labels(&painter, rect, &self.view, labels, clear, self.palette);
        if let Some(reading) = &self.reading {
            hud::ruler(ui, shown, reading);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::selection::Selection;
    use crate::app::test_levels::{level, sphere};
    use crate::app::view_state::{Layers, Playhead};

    /// The revisions of both lists after a pass at a fraction of the first frame.
    fn pass(
        (viewport, shared): (&mut Viewport, &mut Shared),
        replay: &Arc<crate::core::replay::Replay>,
        fraction: f64,
    ) -> [u64; 2] {
        let (selection, layers) = (Selection::default(), Layers::default());
        let frame = replay.frame(0);
        let input = ViewportInput {
            playhead: Playhead { frame: 0, fraction },
            ..ViewportInput::of_level(replay, &frame, &selection, &layers)
        };
        let ctx = egui::Context::default();
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            viewport.ui(ui, &input, (shared, Slot::ONLY), &mut Vec::new());
        });
        output.textures_delta.clear();
        let level = shared.levels[0].as_ref().expect("drawn");
        let overlays = viewport.overlay_cache.as_ref().expect("drawn");
        [level.list.revision, overlays.list.revision]
    }

    #[test]
    fn moving_the_view_refills_only_the_overlay_list() {
        let replay = level(0.5, [sphere("ball", 0.5, DVec3::ZERO, DVec3::X)]);
        let (mut viewport, mut shared) = (Viewport::default(), Shared::default());
        let [level, overlays] = pass((&mut viewport, &mut shared), &replay, 0.0);
        assert_eq!(
            pass((&mut viewport, &mut shared), &replay, 0.0),
            [level, overlays]
        );
        viewport.orbit.rotate(DVec2::new(30.0, 4.0));
        let [turned, moved] = pass((&mut viewport, &mut shared), &replay, 0.0);
        assert_eq!(turned, level);
        assert_ne!(moved, overlays);
        let [later, _] = pass((&mut viewport, &mut shared), &replay, 0.5);
        assert_ne!(later, level);
        // So far away that `f32` is too coarse.
        viewport.orbit.target = DVec3::X * 1e9;
        let [elsewhere, _] = pass((&mut viewport, &mut shared), &replay, 0.5);
        assert_ne!(elsewhere, later);
    }
}
