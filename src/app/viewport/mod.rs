//! The picture in the middle: the level at the playhead, in three dimensions.

mod box_select;
pub mod draw_list;
mod draw_list_builder;
pub mod export;
mod framing;
mod handles;
mod hud;
mod impact;
mod input;
mod labels;
pub mod orbit;
mod outline;
mod overlays;
mod picking;
pub mod renderer;
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
use draw_list::{DrawList, Label};
use draw_list_builder::DrawListBuilder;
use export::Shot;
use glam::{DVec2, DVec3};
use orbit::{Glide, Orbit};
use outline::Edges;
use renderer::Screen;
use std::sync::Arc;
use view::View;
use viewpoint::{Obstacles, Subject, viewpoint};
use viewport_input::DrawCacheKey;

pub use handles::Editing;

pub use framing::{bounds_of, level_bounds};
pub use renderer::choose_renderer;
pub use viewport_input::{Compared, ViewportInput};

/// The picture of a moment, without a window: `size` in points, labels left out.
pub fn picture(
    input: &ViewportInput<'_>,
    orbit: &Orbit,
    size: DVec2,
    palette: &'static Palette,
) -> DrawList {
    let mut builder = DrawListBuilder::new(orbit.view(size), palette);
    overlays::draw(&mut builder, input, None);
    builder.picture
}

/// The picture's own state: where it is looked at from, and what draws it.
#[derive(Default)]
pub struct Viewport {
    orbit: Orbit,
    glide: Option<Glide>,
    /// Of the last picture, points.
    size: DVec2,
    /// Of the last picture, pixels per point.
    scale: f64,
    hovered: Option<ObjectId>,
    /// The view before a walk began.
    before_walk: Option<Orbit>,
    screen: Screen,
    drawn: Option<Drawn>,
    /// Of the meshes of a level.
    edges: Edges,
    /// Under the pointer or in the hand.
    hot: Option<handles::Handle>,
    /// In the hand.
    grip: Option<handles::Grip>,
    /// The corners of a box that selects, where it was begun and where it is now, points of the window.
    boxed: Option<[egui::Pos2; 2]>,
}

/// The last picture, and what it shows.
struct Drawn {
    key: DrawCacheKey,
    hovered: Option<ObjectId>,
    view: View,
    palette: &'static Palette,
    picture: Arc<DrawList>,
    labels: Vec<Label>,
    keep_clear: Vec<egui::Rect>,
    reading: Option<overlays::Reading>,
}

impl Viewport {
    /// Draws through wgpu when the window runs on a real GPU, else with the rasteriser.
    pub fn new(context: &eframe::CreationContext<'_>) -> Self {
        Self {
            screen: Screen::new(context),
            ..Self::default()
        }
    }

    /// Prepares every picture and shows none: to measure the one without the other.
    pub fn without_renderer() -> Self {
        Self {
            screen: Screen::nothing(),
            ..Self::default()
        }
    }

    /// The moment as it is seen, to be drawn beside the window.
    pub fn shot(&self, input: &ViewportInput<'_>, palette: &'static Palette) -> Shot {
        let scale = if self.scale > 0.0 { self.scale } else { 1.0 };
        Shot::of(input, self.orbit, self.picture_size(), scale, palette)
    }

    /// Draws the moment into the space that is left in `ui`, and turns clicks and drags into commands.
    pub fn ui(
        &mut self,
        ui: &mut egui::Ui,
        input: &ViewportInput<'_>,
        commands: &mut Vec<Command>,
    ) {
        let size = ui.available_size().max(egui::Vec2::splat(1.0));
        let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click_and_drag());
        self.size = DVec2::new(f64::from(rect.width()), f64::from(rect.height()));
        self.scale = f64::from(ui.ctx().pixels_per_point());
        self.advance(ui);
        let view = self.orbit.view(self.size);
        let busy = handles::work(self, ui, &response, input, &view, commands)
            || box_select::work(self, ui, &response, (input, &view), commands);
        match input.walk {
            Some(pose) => walk::steer(self, ui, (&response, &pose), commands),
            None => {
                walk::leave(self, ui);
                input::steer(self, ui, &response, busy);
            }
        }
        let view = self.orbit.view(self.size);
        if busy || self.hot.is_some() {
            self.hovered = None;
        } else {
            input::point(self, ui, &response, input, &view, commands);
        }
        input::describe(&response, &self.orbit);
        if !ui.is_rect_visible(rect) {
            return;
        }
        let palette = Palette::of(ui.visuals());
        let last = self.drawn.take();
        if !last
            .as_ref()
            .is_some_and(|drawn| drawn.key.same_level(input))
        {
            self.edges = Edges::default();
        }
        let current = last.filter(|drawn| {
            drawn.hovered == self.hovered
                && drawn.view == view
                && std::ptr::eq(drawn.palette, palette)
                && drawn.key.is(input)
        });
        let drawn = current.unwrap_or_else(|| self.draw(input, view, palette));
        let painter = ui.painter_at(rect);
        self.screen.draw(&painter, rect, &drawn.picture);
        hud::labels(
            &painter,
            rect,
            &view,
            &drawn.labels,
            &drawn.keep_clear,
            palette,
        );
        hud::axes(&painter, rect, &view, palette);
        if let Some(reading) = &drawn.reading {
            hud::ruler(ui, rect, reading);
        }
        if input.walk.is_some() {
            hud::walk(&painter, rect, palette);
        }
        if let Some(compared) = &input.compared {
            // Below the tools, where there are any.
            let tools = if input.editing.is_some() { 42.0 } else { 0.0 };
            let mut below = rect;
            below.min.y += tools;
            hud::legend(&painter, below, compared, palette);
        }
        self.drawn = Some(drawn);
        self.over(ui, rect, (input, &view), commands);
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
        if let Some(editing) = input.editing.filter(|_| input.walk.is_none()) {
            toolbar::show(ui, rect, &editing, commands);
        }
    }

    fn draw(&mut self, input: &ViewportInput<'_>, view: View, palette: &'static Palette) -> Drawn {
        let mut builder = DrawListBuilder::new(view, palette);
        builder.edges = std::mem::take(&mut self.edges);
        overlays::draw(&mut builder, input, self.hovered.or(input.pointed));
        self.edges = builder.edges;
        if let Some(reading) = &builder.reading {
            let size = egui::vec2(self.size.x as f32, self.size.y as f32);
            let picture = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
            builder.keep_clear.push(hud::ruler_place(picture, reading));
        }
        Drawn {
            key: input.key(),
            hovered: self.hovered,
            view,
            palette,
            picture: Arc::new(builder.picture),
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

    /// Before the first picture its size is not known: the usual one.
    fn picture_size(&self) -> DVec2 {
        if self.size == DVec2::ZERO {
            DVec2::new(900.0, 600.0)
        } else {
            self.size
        }
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
