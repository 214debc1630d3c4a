//! Draws on the GPU through wgpu: into a multisampled colour and depth image, which is then copied to the window.

mod buffers;
mod device_error;
mod gpu;
mod pipelines;
mod shadow;
#[cfg(test)]
mod tests;

pub use device_error::DeviceError;

use super::draw_list::RenderScene;
use super::hud;
use eframe::egui_wgpu::{self, RenderState};
use eframe::wgpu;
use egui::{Rect, Ui};
pub use gpu::Slot;
use gpu::{Gpu, SceneCallback};
use pipelines::SAMPLES;
use std::sync::Arc;

/// The renderer of the viewport.
#[derive(Default)]
pub struct Renderer {
    /// `None` without a graphics device, as in tests.
    error: Option<DeviceError>,
    /// The processor draws: there is no graphics card.
    pub is_software: bool,
}

impl Renderer {
    /// A renderer on the window's wgpu device; creates the pipelines.
    pub fn new(state: &RenderState, ctx: &egui::Context, error: DeviceError) -> Self {
        let (of_error, of_loss, ctx) = (error.clone(), error.clone(), ctx.clone());
        // Without a handler wgpu would end the program.
        let on_error = move |error: wgpu::Error| of_error.set(error.to_string());
        state.device.on_uncaptured_error(Arc::new(on_error));
        state
            .device
            .set_device_lost_callback(move |reason, message| {
                of_loss.on_lost(&ctx, reason, &message)
            });
        // Each sample costs a processor as much as a pixel.
        let is_software = state.adapter.get_info().device_type == wgpu::DeviceType::Cpu;
        let samples = if is_software { 1 } else { SAMPLES };
        let gpu = Gpu::new(&state.device, state.target_format, (samples, !is_software));
        state.renderer.write().callback_resources.insert(gpu);
        Self {
            error: Some(error),
            is_software,
        }
    }

    /// Draws a scene into a rectangle of the window; shows the error instead once the device has failed.
    pub fn draw(&self, ui: &mut Ui, rect: Rect, slot: Slot, scene: impl FnOnce() -> RenderScene) {
        let Some(error) = &self.error else {
            return;
        };
        if let Some(message) = error.get() {
            hud::device_error(ui, rect, message);
            return;
        }
        let pixels = pixels(rect, ui.ctx().pixels_per_point());
        let scene = scene();
        // In a wipe the rest is clipped.
        let shown = rect.intersect(ui.clip_rect());
        let column = |x: f32| ((x - rect.left()) * ui.ctx().pixels_per_point()).max(0.0);
        let columns = [
            column(shown.left()).floor() as u32,
            column(shown.right()).ceil() as u32,
        ];
        let callback = SceneCallback {
            scene,
            pixels,
            columns,
            slot,
            error: error.clone(),
        };
        ui.painter_at(rect)
            .add(egui_wgpu::Callback::new_paint_callback(rect, callback));
    }

    /// Returns true once the device has failed.
    pub fn has_failed(&self) -> bool {
        self.error
            .as_ref()
            .is_some_and(|error| error.get().is_some())
    }
}

/// Width and height of the picture in a rectangle, pixels, as egui rounds: one that is a pixel off would be blurred.
fn pixels(rect: Rect, pixels_per_point: f32) -> [u32; 2] {
    let [min, max] = [rect.min, rect.max].map(|at| (at.to_vec2() * pixels_per_point).round());
    [max.x - min.x, max.y - min.y].map(|side| (side as u32).max(1))
}
