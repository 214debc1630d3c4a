//! The picture in the middle: the level at the playhead, in three dimensions.

mod box_select;
pub mod draw_list;
mod draw_list_builder;
pub mod export;
mod framing;
mod geometry;
mod handles;
mod hud;
mod impact;
mod input;
mod labels;
mod level_shapes;
pub mod orbit;
mod outline;
mod overlays;
mod picking;
mod renderer;
mod toolbar;
pub mod view;
mod viewpoint;
mod viewport_input;
mod walk;

use super::command::Command;
use super::theme::Palette;
use crate::core::diagnose::Finding;
use crate::core::replay::ObjectId;
use crate::core::shape::Aabb;
use draw_list::{Background, CameraParams, DrawList, Label, rgba};
use draw_list_builder::DrawListBuilder;
use eframe::egui_wgpu::RenderState;
use geometry::GeometryCache;
use glam::{DVec2, DVec3};
use level_shapes::LevelShapes;
use orbit::{Glide, Orbit};
use renderer::{Scene, Screen};
use std::sync::Arc;
use view::View;
use viewpoint::{Obstacles, Subject, viewpoint};
use viewport_input::DrawCacheKey;

pub use handles::Editing;

pub use renderer::Fault;

pub use framing::{bounds_of, level_bounds};
pub use viewport_input::{Compared, ViewportInput};

/// More distances of the eye from its target than this, and the view is too far from the origin for `f32`.
const FAR: f64 = 2e3;

/// The viewport's own state: from where the level is seen, and what is drawn of it.
#[derive(Default)]
pub struct Viewport {
    orbit: Orbit,
    glide: Option<Glide>,
    /// Where it was drawn last, points of the window.
    rect: Option<egui::Rect>,
    hovered: Option<ObjectId>,
    /// Where the pointer was when that was found, points from the corner.
    cursor: Option<DVec2>,
    /// The view before a walk began.
    before_walk: Option<Orbit>,
    screen: Screen,
    geometries: GeometryCache,
    level: Option<LevelDrawn>,
    drawn: Option<Drawn>,
    /// Under the pointer or in the hand.
    hot: Option<handles::Handle>,
    /// In the hand.
    grip: Option<handles::Grip>,
    /// The corners of a box that selects, where it was begun and where it is now, points of the window.
    boxed: Option<[egui::Pos2; 2]>,
    /// Tools are left out while the viewport is saved as a picture.
    pub without_tools: bool,
}

/// What does not depend on the view.
struct LevelDrawn {
    shapes: LevelShapes,
    /// What positions in both lists are relative to.
    origin: DVec3,
    key: DrawCacheKey,
    list: Arc<DrawList>,
}

/// What depends on the view: overlays and labels.
struct Drawn {
    key: DrawCacheKey,
    hovered: Option<ObjectId>,
    view: View,
    origin: DVec3,
    palette: &'static Palette,
    list: Arc<DrawList>,
    labels: Vec<Label>,
    keep_clear: Vec<egui::Rect>,
    reading: Option<overlays::Reading>,
}

impl Viewport {
    /// For a window that is drawn by wgpu.
    pub fn new(state: &RenderState, ctx: &egui::Context, fault: Fault) -> Self {
        Self {
            screen: Screen::new(state, ctx, fault),
            ..Self::default()
        }
    }

    /// True once the graphics device has failed.
    pub fn has_failed(&self) -> bool {
        self.screen.has_failed()
    }

    /// Where it was drawn last, points of the window.
    pub fn rect(&self) -> Option<egui::Rect> {
        self.rect
    }

    /// Draws the level into the space that is left in `ui`, and turns clicks and drags into commands.
    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        input: &ViewportInput<'_>,
        commands: &mut Vec<Command>,
    ) {
        let size = ui.available_size().max(egui::Vec2::splat(1.0));
        let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click_and_drag());
        self.rect = Some(rect);
        self.advance(ui);
        let view = self.orbit.view(self.picture_size());
        let busy = handles::work(self, ui, &response, input, &view, commands)
            || box_select::work(self, ui, &response, (input, &view), commands);
        match input.walk {
            Some(pose) => walk::steer(self, ui, (&response, &pose), commands),
            None => {
                walk::leave(self, ui);
                input::steer(self, ui, &response, busy);
            }
        }
        let view = self.orbit.view(self.picture_size());
        if busy || self.hot.is_some() {
            (self.hovered, self.cursor) = (None, None);
        } else {
            input::point(self, ui, &response, input, &view, commands);
        }
        input::describe(&response, &self.orbit);
        if !ui.is_rect_visible(rect) {
            return;
        }
        let palette = Palette::of(ui.visuals());
        self.geometries.wake.get_or_insert_with(|| ui.ctx().clone());
        let level = self.level_drawn(input, view, palette);
        let drawn = self.drawn(input, view, (palette, &level));
        self.screen.draw(ui, rect, || Scene {
            lists: [Arc::clone(&level.list), Arc::clone(&drawn.list)],
            camera: CameraParams::of(&view, level.origin),
            background: Background {
                sky: [rgba(palette.sky_top, 1.0), rgba(palette.sky_bottom, 1.0)],
                daylight: palette.daylight,
            },
        });
        self.level = Some(level);
        if !self.screen.has_failed() {
            drawn.words(ui, rect);
        }
        if let Some(compared) = &input.compared {
            // Below the tools, where there are any.
            let tools = if input.editing.is_some() { 42.0 } else { 0.0 };
            let mut below = rect;
            below.min.y += tools;
            hud::legend(&ui.painter_at(rect), below, compared, palette);
        }
        self.drawn = Some(drawn);
        if !self.without_tools {
            self.over(ui, rect, (input, &view), commands);
        }
    }

    /// What lies over the picture: handles, the box that selects, the tools.
    fn over(
        &self,
        ui: &mut egui::Ui,
        rect: egui::Rect,
        (input, view): (&ViewportInput<'_>, &View),
        commands: &mut Vec<Command>,
    ) {
        let palette = Palette::of(ui.visuals());
        let painter = ui.painter_at(rect);
        let hand = (self.hot, self.grip.as_ref());
        handles::paint(&painter, rect, (input, view), hand, palette);
        box_select::paint(self, &painter, palette);
        hud::placeless(ui, rect, input);
        if input.walk.is_some() {
            hud::walk(&painter, rect, palette);
        }
        if let Some(editing) = input.editing.filter(|_| input.walk.is_none()) {
            toolbar::show(ui, rect, &editing, commands);
        }
    }

    /// The list that does not depend on the view: filled again when what is shown has changed.
    fn level_drawn(
        &mut self,
        input: &ViewportInput<'_>,
        view: View,
        palette: &'static Palette,
    ) -> LevelDrawn {
        let last = self.level.take();
        let (shapes, last) = match last {
            Some(last) if last.shapes.are_of(input.replay, palette) => {
                (last.shapes, Some((last.origin, last.key, last.list)))
            }
            _ => {
                self.geometries.prune();
                let shapes = LevelShapes::new(input.replay, palette, &mut self.geometries);
                (shapes, None)
            }
        };
        let near = |origin: &DVec3| view.target.distance(*origin) <= FAR * view.distance();
        let origin = last
            .as_ref()
            .map_or(shapes.center(), |(origin, ..)| *origin);
        let origin = Some(origin).filter(near).unwrap_or(view.target);
        let list = match last {
            Some((before, key, list)) if before == origin && key.has_same_bodies(input) => {
                return LevelDrawn {
                    shapes,
                    origin,
                    key,
                    list,
                };
            }
            Some((.., list)) => list,
            None => Arc::default(),
        };
        let mut builder = DrawListBuilder::new(view, origin, palette);
        // The memory of the last one is used again, unless it is still on its way to the window.
        builder.list = Arc::try_unwrap(list).unwrap_or_default();
        builder.list.restart();
        shapes.draw(input, origin, &mut builder.list);
        overlays::draw_level(&mut builder, input);
        LevelDrawn {
            shapes,
            origin,
            key: input.key(),
            list: Arc::new(builder.list),
        }
    }

    /// Overlays and labels: made again when the view or what is shown has changed.
    fn drawn(
        &mut self,
        input: &ViewportInput<'_>,
        view: View,
        (palette, level): (&'static Palette, &LevelDrawn),
    ) -> Drawn {
        let origin = level.origin;
        let last = self.drawn.take();
        let current = last.filter(|drawn| {
            drawn.hovered == self.hovered
                && drawn.view == view
                && drawn.origin == origin
                && std::ptr::eq(drawn.palette, palette)
                && drawn.key.is(input)
        });
        if let Some(current) = current {
            return current;
        }
        let mut builder = DrawListBuilder::new(view, origin, palette);
        builder.geometries = std::mem::take(&mut self.geometries);
        builder.list.restart();
        let hovered = self.hovered.or(input.pointed);
        overlays::draw(&mut builder, input, (hovered, &level.shapes.sensors));
        self.geometries = builder.geometries;
        if let Some(reading) = &builder.reading {
            let size = egui::vec2(view.size.x as f32, view.size.y as f32);
            let picture = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
            builder.keep_clear.push(hud::ruler_place(picture, reading));
        }
        Drawn {
            key: input.key(),
            hovered: self.hovered,
            view,
            origin,
            palette,
            list: Arc::new(builder.list),
            labels: builder.labels,
            keep_clear: builder.keep_clear,
            reading: builder.reading,
        }
    }

    /// Moves the looking camera so that a box (metres, world) fills the picture, softly or at once.
    pub fn look_at(&mut self, bounds: Aabb, softly: bool) {
        let goal = self.goal().framing(bounds, self.picture_size());
        self.go(goal, softly);
    }

    /// Looks at a finding of the moment's frame from the side of the motion, softly; false when it has no place.
    pub fn look_at_finding(&mut self, input: &ViewportInput<'_>, finding: &Finding) -> bool {
        let Some(subject) = Subject::of(input, finding) else {
            return false;
        };
        let (goal, size) = (self.goal(), self.picture_size());
        let [middle, start, end] = subject.stations;
        let far = viewpoint(&goal, &subject, size, |_, _| false);
        let reach = far.distance + start.distance(end);
        let obstacles = Obstacles::of(input, finding, middle, reach);
        let view = viewpoint(&goal, &subject, size, |eye, place| {
            obstacles.hide(eye, place)
        });
        self.go(view, true);
        true
    }

    /// Looks along a world direction at the same target, softly.
    pub fn look_along(&mut self, direction: DVec3) {
        self.go(self.goal().looking(direction), true);
    }

    /// Perspective or not.
    pub fn toggle_orthographic(&mut self) {
        let goal = self.goal();
        self.go(
            Orbit {
                orthographic: !goal.orthographic,
                ..goal
            },
            false,
        );
    }

    /// Where it is looked at from.
    pub fn orbit(&self) -> &Orbit {
        &self.orbit
    }

    /// Where the camera is going, or where it is.
    fn goal(&self) -> Orbit {
        self.glide.map_or(self.orbit, |glide| glide.to())
    }

    fn go(&mut self, goal: Orbit, softly: bool) {
        if softly {
            self.glide = Some(Glide::new(self.orbit, goal));
        } else {
            self.orbit = goal;
            self.glide = None;
        }
    }

    /// Points; before the first picture the usual size.
    fn picture_size(&self) -> DVec2 {
        let size = self
            .rect
            .map_or(egui::vec2(900.0, 600.0), |rect| rect.size());
        DVec2::new(f64::from(size.x), f64::from(size.y))
    }

    fn advance(&mut self, ui: &egui::Ui) {
        if let Some(glide) = &mut self.glide {
            let seconds = f64::from(ui.input(|input| input.stable_dt));
            let (orbit, done) = glide.step(seconds);
            self.orbit = orbit;
            if done {
                self.glide = None;
            }
            ui.ctx().request_repaint();
        }
    }
}

impl Drawn {
    /// Labels, the axes and the ruler, over the picture.
    fn words(&self, ui: &mut egui::Ui, rect: egui::Rect) {
        let painter = ui.painter_at(rect);
        let (labels, clear) = (&self.labels, &self.keep_clear);
        hud::labels(&painter, rect, &self.view, labels, clear, self.palette);
        hud::axes(&painter, rect, &self.view, self.palette);
        if let Some(reading) = &self.reading {
            hud::ruler(ui, rect, reading);
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
        viewport: &mut Viewport,
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
            viewport.ui(ui, &input, &mut Vec::new());
        });
        output.textures_delta.clear();
        let level = viewport.level.as_ref().expect("drawn");
        let overlays = viewport.drawn.as_ref().expect("drawn");
        [level.list.revision, overlays.list.revision]
    }

    #[test]
    fn moving_the_view_fills_only_the_list_of_overlays_again() {
        let replay = level(0.5, [sphere("ball", 0.5, DVec3::ZERO, DVec3::X)]);
        let mut viewport = Viewport::default();
        let [level, overlays] = pass(&mut viewport, &replay, 0.0);
        assert_eq!(pass(&mut viewport, &replay, 0.0), [level, overlays]);
        viewport.orbit.turn(DVec2::new(30.0, 4.0));
        let [turned, moved] = pass(&mut viewport, &replay, 0.0);
        assert_eq!(turned, level);
        assert_ne!(moved, overlays);
        let [later, _] = pass(&mut viewport, &replay, 0.5);
        assert_ne!(later, level);
        // So far away that `f32` would not do.
        viewport.orbit.target = DVec3::X * 1e9;
        let [elsewhere, _] = pass(&mut viewport, &replay, 0.5);
        assert_ne!(elsewhere, later);
    }
}
