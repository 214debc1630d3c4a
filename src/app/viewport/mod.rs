//! The picture in the middle: the level at the playhead, in three dimensions.

mod canvas;
mod framing;
mod hud;
mod impact;
mod input;
pub mod orbit;
mod outline;
mod overlays;
mod picking;
pub mod picture;
pub mod renderer;
pub mod view;

use super::command::Command;
use super::selection::Selection;
use super::theme::Palette;
use super::view_state::{Layers, Playhead};
use crate::core::diagnose::Finding;
use crate::core::replay::{Frame, ObjectId, Replay};
use crate::core::shape::Aabb;
use canvas::Canvas;
use glam::{DVec2, DVec3};
use orbit::{Glide, Orbit};
use renderer::Screen;

pub use framing::{bounds_of, level_bounds};
pub use renderer::choose_renderer;

/// Everything the viewport reads to draw one picture.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// The level.
    pub replay: &'a Replay,
    /// The inside of the frame at the playhead.
    pub frame: &'a Frame,
    /// When.
    pub playhead: Playhead,
    /// What is selected.
    pub selection: &'a Selection,
    /// What to draw, for whom.
    pub layers: &'a Layers,
    /// The finding that was clicked, if any.
    pub finding: Option<&'a Finding>,
}

/// The picture of a moment, without a window: `size` in points, labels left out.
pub fn picture(
    moment: &Moment<'_>,
    orbit: &Orbit,
    size: DVec2,
    palette: &'static Palette,
) -> picture::Picture {
    let mut canvas = Canvas::new(orbit.view(size), palette);
    overlays::draw(&mut canvas, moment, None);
    canvas.picture
}

/// The picture's own state: where it is looked at from, and what draws it.
#[derive(Default)]
pub struct Viewport {
    orbit: Orbit,
    glide: Option<Glide>,
    /// Of the last picture, points.
    size: DVec2,
    hovered: Option<ObjectId>,
    screen: Screen,
}

impl Viewport {
    /// Draws through wgpu when the window runs on a real GPU, else with the rasteriser.
    pub fn new(context: &eframe::CreationContext<'_>) -> Self {
        Self {
            screen: Screen::new(context),
            ..Self::default()
        }
    }

    /// Draws the moment into the space that is left in `ui`, and turns clicks and drags into commands.
    pub fn ui(&mut self, ui: &mut egui::Ui, moment: &Moment<'_>, commands: &mut Vec<Command>) {
        let size = ui.available_size().max(egui::Vec2::splat(1.0));
        let (rect, response) = ui.allocate_exact_size(size, egui::Sense::click_and_drag());
        self.size = DVec2::new(f64::from(rect.width()), f64::from(rect.height()));
        self.advance(ui);
        input::steer(self, ui, &response);
        let view = self.orbit.view(self.size);
        input::point(self, ui, &response, moment, &view, commands);
        input::describe(ui, &response, &self.orbit);
        if !ui.is_rect_visible(rect) {
            return;
        }
        let palette = Palette::of(ui.visuals());
        let mut canvas = Canvas::new(view, palette);
        overlays::draw(&mut canvas, moment, self.hovered);
        let painter = ui.painter_at(rect);
        self.screen.draw(&painter, rect, canvas.picture);
        hud::labels(&painter, rect, &view, &canvas.labels, palette);
        hud::axes(&painter, rect, &view, palette);
    }

    /// Moves the looking camera so that a box (metres, world) fills the picture, softly or at once.
    pub fn look_at(&mut self, bounds: Aabb, softly: bool) {
        let goal = self.goal().framing(bounds, self.picture_size());
        self.go(goal, softly);
    }

    /// Looks at an impact from the side of the motion, so that the way through the frame runs across the picture.
    ///
    /// `motion` is the displacement over the frame (zero: the normal takes its place), `size` half of what must be seen,
    /// metres.
    pub fn look_at_impact(&mut self, point: DVec3, normal: DVec3, motion: DVec3, size: f64) {
        if point.is_finite() && size.is_finite() && motion.is_finite() {
            let goal = framing::impact_view(
                &self.goal(),
                point,
                normal,
                motion,
                size,
                self.picture_size(),
            );
            self.go(goal, true);
        }
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
