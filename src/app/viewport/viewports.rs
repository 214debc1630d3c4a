//! The viewports of the window: one; two with a camera each; or one for each replay of a comparison, with one camera.

use super::orbit::Orbit;
use super::other_side::OtherSide;
use super::renderer::{DeviceError, Renderer, Slot};
use super::shared::Shared;
use super::viewport_input::{Compared, ViewportInput};
use super::{Viewport, hud};
use crate::app::command::Command;
use crate::app::theme::Palette;
use crate::app::view_options::CompareView;
use crate::app::view_state::{Layer, Show, Switch};
use crate::core::diagnose::Finding;
use crate::core::replay::ObjectId;
use crate::core::scene::Lens;
use crate::core::shape::{Aabb, Pose};
use eframe::egui_wgpu::RenderState;
use egui::accesskit::Role;
use egui::{CursorIcon, Rect, Response, Sense, Stroke, Ui, UiBuilder, Vec2, WidgetInfo};
use glam::DVec3;

/// The least part of the width that a viewport beside another has.
const NARROWEST: f32 = 0.15;
/// Width of the border that is dragged, points.
const BORDER: f32 = 9.0;

/// All viewports, and what they share.
#[derive(Default)]
pub struct Viewports {
    first: Viewport,
    second: Viewport,
    /// That of the other replay of a comparison; it has the camera of the first.
    other: Viewport,
    side: Option<OtherSide>,
    shared: Shared,
    /// The rectangle of all in the last pass, points of the window.
    rect: Option<Rect>,
    /// The second one has been moved to the level.
    staged: bool,
    /// The second one was shown in the last pass, and was the last to be pressed.
    second_is_active: bool,
    /// The number of pictures beside each other in the last pass.
    pictures: usize,
    /// The level that was opened last is flat.
    is_flat: bool,
}

/// The viewports' answers in a pass, each with the object that its context menu is about.
pub type Responses = Vec<(Response, Option<ObjectId>)>;

impl Viewports {
    /// Viewports that draw with the window's wgpu device.
    pub fn new(state: &RenderState, ctx: &egui::Context, error: DeviceError) -> Self {
        let mut viewports = Self::default();
        viewports.shared.renderer = Renderer::new(state, ctx, error);
        viewports
    }

    /// Returns true once the graphics device has failed.
    pub fn has_failed(&self) -> bool {
        self.shared.renderer.has_failed()
    }

    /// Returns true if the processor draws the pictures.
    pub fn draws_in_software(&self) -> bool {
        self.shared.renderer.is_software
    }

    /// The rectangle of the last pass, points of the window.
    pub fn rect(&self) -> Option<Rect> {
        self.rect
    }

    /// Hides the tools, or shows them, while the viewport is saved as an image.
    pub fn hide_tools(&mut self, hidden: bool) {
        self.shared.without_tools = hidden;
    }

    /// Draws the level into the remaining space of `ui`, and turns clicks and drags into commands.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        input: &ViewportInput<'_>,
        commands: &mut Vec<Command>,
    ) -> Responses {
        let size = ui.available_size().max(Vec2::splat(1.0));
        let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
        self.rect = Some(rect);
        let compare_view = input.layers.compare_view;
        let responses = match &input.compared {
            Some(compared) if compare_view != CompareView::Overlaid => {
                self.second_is_active = false;
                self.compare(ui, (rect, compare_view), (input, compared), commands)
            }
            _ => {
                (self.shared.levels[1], self.side) = (None, None);
                let is_split = input.layout.split || looks_through(input);
                match is_split {
                    true => self.split(ui, rect, input, commands),
                    false => {
                        self.second_is_active = false;
                        self.keep_width(1, rect.width());
                        let mut part = child(ui, Slot::ONLY, [rect; 2]);
                        let shared = (&mut self.shared, Slot::ONLY);
                        let response = self.first.ui(&mut part, input, shared, commands);
                        vec![(response, self.first.menu_of)]
                    }
                }
            }
        };
        if self.shared.without_tools {
            hud::caption(ui, rect, input);
        }
        responses
    }

    /// Draws the level in two viewports.
    fn split(
        &mut self,
        ui: &mut Ui,
        rect: Rect,
        input: &ViewportInput<'_>,
        commands: &mut Vec<Command>,
    ) -> Responses {
        if !self.staged {
            self.stage_second();
        }
        let lens = input.replay.scene().camera.as_ref();
        let fov = lens.map_or_else(|| Lens::default().fov, |lens| lens.fov);
        let camera = input.camera().map(|pose| (pose, fov));
        // Across a cut of the camera it stays where it was.
        self.second.camera = match looks_through(input) {
            true => camera.or(self.second.camera),
            false => None,
        };
        let at = divider_at(rect, input, NARROWEST);
        let (left, right) = rect.split_left_right_at_x(at);
        self.keep_width(2, left.width());
        if ui.input(|input| input.pointer.any_pressed()) && ui.rect_contains_pointer(rect) {
            self.second_is_active = ui.rect_contains_pointer(right);
        }
        let slot = |index| Slot {
            index,
            count: 2,
            level: 0,
        };
        let hovered = [self.first.hovered, self.second.hovered];
        let of_first = ViewportInput {
            pointed: input.pointed.or(hovered[1]),
            ..*input
        };
        let mut part = child(ui, slot(0), [left; 2]);
        let shared = (&mut self.shared, slot(0));
        let first = self.first.ui(&mut part, &of_first, shared, commands);
        self.second.measured.clone_from(&self.first.measured);
        let mut layers = input.layers.clone();
        if self.second.camera.is_some() {
            // It is the camera.
            layers.set(Layer::Camera, Show::None);
        }
        // The second one stays where it is while the first walks.
        let of_second = ViewportInput {
            layers: &layers,
            pointed: input.pointed.or(self.first.hovered),
            walk: None,
            editing: input.editing.filter(|_| input.walk.is_none()),
            ..*input
        };
        let mut part = child(ui, slot(1), [right; 2]);
        let shared = (&mut self.shared, slot(1));
        let second = self.second.ui(&mut part, &of_second, shared, commands);
        self.first.measured.clone_from(&self.second.measured);
        if hovered != [self.first.hovered, self.second.hovered] {
            ui.ctx().request_repaint();
        }
        divider(ui, rect, at, commands);
        let active = if self.second_is_active { right } else { left };
        let color = Palette::of(ui.visuals()).text_weak;
        ui.painter_at(rect)
            .hline(active.x_range(), rect.top() + 1.0, Stroke::new(2.0, color));
        vec![(first, self.first.menu_of), (second, self.second.menu_of)]
    }

    /// Draws both replays of a comparison, with one camera.
    fn compare(
        &mut self,
        ui: &mut Ui,
        (rect, compare_view): (Rect, CompareView),
        (input, compared): (&ViewportInput<'_>, &Compared<'_>),
        commands: &mut Vec<Command>,
    ) -> Responses {
        let side = self.side.take().filter(|side| side.is_of(input, compared));
        let side = side.unwrap_or_else(|| OtherSide::of(input, compared));
        let wipe = compare_view == CompareView::Wipe;
        let at = divider_at(rect, input, if wipe { 0.0 } else { NARROWEST });
        let (left, right) = rect.split_left_right_at_x(at);
        // In a wipe both have the whole picture, of which a part is shown.
        let parts = [left, right].map(|part| [if wipe { rect } else { part }, part]);
        self.keep_width(if wipe { 1 } else { 2 }, parts[0][0].width());
        let slot = |index| Slot {
            index,
            count: 2,
            level: index,
        };
        let pointed = self.other.hovered.and_then(|b| side.to_a(b));
        let of_a = ViewportInput {
            pointed: input.pointed.or(pointed),
            differing: &side.differing[0],
            ..*input
        };
        let mut part = child(ui, slot(0), parts[0]);
        let shared = (&mut self.shared, slot(0));
        let response = self.first.ui(&mut part, &of_a, shared, commands);
        let mut responses = vec![(response, self.first.menu_of)];

        let mut part = child(ui, slot(1), parts[1]);
        let of_b = ViewportInput {
            pointed: input.pointed.or(self.first.hovered),
            ..*input
        };
        match side.input(&of_b, compared) {
            Some(of_b) => {
                let orbit = self.first.orbit;
                let other = &mut self.other;
                (other.orbit, other.animation) = (orbit, None);
                other.linked_cut = self.first.cut.as_ref().map(|cut| side.cut(cut));
                other.measured.clone_from(&self.first.measured);
                let before = commands.len();
                let shared = (&mut self.shared, slot(1));
                let response = other.ui(&mut part, &of_b, shared, commands);
                // Esc removes a command.
                let added = commands.split_off(before.min(commands.len()));
                commands.extend(added.into_iter().filter_map(|one| side.for_level(one)));
                if other.orbit != orbit || other.animation.is_some() {
                    (self.first.orbit, self.first.animation) = (other.orbit, other.animation);
                    ui.ctx().request_repaint();
                }
                self.first.measured.clone_from(&other.measured);
                let menu_of = other.menu_of.and_then(|b| side.to_a(b));
                responses.push((response, menu_of));
            }
            None => hud::absent(&part, right, compared.has_begun),
        }
        hud::caption_of_other(&mut part, right, compared);
        divider(ui, rect, at, commands);
        self.side = Some(side);
        responses
    }

    /// Moves the first viewport's camera, when the number of pictures changes, so that it shows the same width as before.
    fn keep_width(&mut self, pictures: usize, width: f32) {
        let before = std::mem::replace(&mut self.pictures, pictures);
        if before != pictures
            && before > 0
            && let Some(rect) = self.first.rect
        {
            let goal = self.first.goal();
            let distance = goal.distance * f64::from(rect.width() / width.max(1.0));
            self.first.move_to(Orbit { distance, ..goal }, false);
        }
    }

    /// Moves the second viewport to what the first shows, from above; from the front when that is from above.
    fn stage_second(&mut self) {
        let goal = self.first.goal();
        let from_above = goal.world_from_view() * DVec3::Z;
        let direction = match from_above.y > 0.9 {
            true => DVec3::NEG_Z,
            false => DVec3::NEG_Y,
        };
        let view = Orbit {
            orthographic: true,
            ..goal.looking(direction)
        };
        self.second.move_to(view, false);
        self.staged = true;
    }

    /// The viewport that was pressed last.
    fn active(&mut self) -> &mut Viewport {
        match self.second_is_active && self.second.camera.is_none() {
            true => &mut self.second,
            false => &mut self.first,
        }
    }

    /// Moves the first viewport so that a new level's box (metres, world) fills it, and the second to the same.
    pub fn look_at_new(&mut self, bounds: Aabb, is_flat: bool) {
        if is_flat != std::mem::replace(&mut self.is_flat, is_flat) {
            let view = match is_flat {
                true => self.first.goal().as_drawing(),
                false => Orbit::default(),
            };
            self.first.move_to(view, false);
        }
        self.first.look_at(bounds, false);
        self.second.camera = None;
        self.staged = false;
    }

    /// Moves the view so that a box (metres, world) fills the viewport, animated.
    pub fn look_at(&mut self, bounds: Aabb) {
        self.active().look_at(bounds, true);
    }

    /// Whether the view shows a box as [`Self::look_at`] leaves it.
    pub fn looks_at(&mut self, bounds: Aabb) -> bool {
        let active = self.active();
        active.goal() == active.goal().framing(bounds, active.size())
    }

    /// Moves the first viewport to a finding. Returns false if the finding has no finite position.
    pub fn look_at_finding(&mut self, input: &ViewportInput<'_>, finding: &Finding) -> bool {
        self.first.look_at_finding(input, finding)
    }

    /// Turns the view to a world direction, animated.
    pub fn look_along(&mut self, direction: DVec3) {
        self.active().look_along(direction);
    }

    /// Switches between perspective and orthographic.
    pub fn toggle_orthographic(&mut self) {
        self.active().toggle_orthographic();
    }

    /// The pose of the first viewport's camera.
    pub fn pose(&self) -> Pose {
        self.first.orbit().pose()
    }
}

/// Whether the second viewport shows what the level's camera sees.
fn looks_through(input: &ViewportInput<'_>) -> bool {
    input.layers.has(Switch::ThroughCamera) && input.replay.has_camera()
}

/// A part of `ui` for a viewport: the rectangle of its picture, and the part of it that is shown.
fn child(ui: &mut Ui, slot: Slot, [rect, shown]: [Rect; 2]) -> Ui {
    let builder = UiBuilder::new().max_rect(rect).id_salt(slot.index);
    let mut child = ui.new_child(builder);
    child.set_clip_rect(shown.intersect(ui.clip_rect()));
    child
}

/// The x of the divider; each side has at least a part of the width.
fn divider_at(rect: Rect, input: &ViewportInput<'_>, least: f32) -> f32 {
    let fraction = input.layout.divider;
    // From the settings file.
    let fraction = if fraction.is_finite() { fraction } else { 0.5 };
    (rect.left() + rect.width() * fraction.clamp(least, 1.0 - least)).round()
}

/// Adds the divider, which a drag moves and a double click centres.
fn divider(ui: &Ui, rect: Rect, at: f32, commands: &mut Vec<Command>) {
    let line = Rect::from_min_max(egui::pos2(at, rect.top()), egui::pos2(at, rect.bottom()));
    let bar = line.expand2(Vec2::new(BORDER * 0.5, 0.0));
    let response = ui.interact(bar, ui.scope_id().with("divider"), Sense::click_and_drag());
    let fraction = (at - rect.left()) / rect.width().max(1.0);
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::Splitter, true, "Divider of the viewports");
        info.value = Some(f64::from(fraction));
        info
    });
    let palette = Palette::of(ui.visuals());
    let active = response.hovered() || response.dragged();
    let color = if active {
        palette.text
    } else {
        palette.text_weak
    };
    let painter = ui.painter_at(rect);
    painter.vline(at, rect.y_range(), Stroke::new(1.5, color));
    let grip = Rect::from_center_size(line.center(), Vec2::new(5.0, 34.0));
    painter.rect_filled(grip, 2.5, color);
    if active {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if response.double_clicked() {
        commands.push(Command::SetDivider(0.5));
    } else if let Some(to) = response
        .interact_pointer_pos()
        .filter(|_| response.dragged())
    {
        let fraction = (to.x - rect.left()) / rect.width().max(1.0);
        commands.push(Command::SetDivider(fraction.clamp(0.0, 1.0)));
    }
}
