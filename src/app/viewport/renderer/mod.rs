//! Draws on the GPU through wgpu: the viewport has its own multisampled colour and depth, and is then shown in the window.

mod buffers;
mod gpu;
mod pipelines;
#[cfg(test)]
mod tests;

pub use gpu::Scene;

use super::hud;
use eframe::egui_wgpu::{self, RenderState};
use eframe::wgpu;
use egui::{Rect, Ui, ViewportCommand};
use gpu::{Gpu, Show};
use pipelines::SAMPLES;
use std::sync::{Arc, OnceLock};

/// The first error of the graphics device, once there was one: it is the cause of the others.
#[derive(Clone, Debug, Default)]
pub struct Fault(Arc<OnceLock<String>>);

impl Fault {
    /// What went wrong.
    pub fn get(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }

    fn set(&self, what: String) {
        // One that was set before stays.
        let _ = self.0.set(what);
    }
}

/// What shows the viewport in the window.
#[derive(Default)]
pub struct Screen {
    /// `None` where nothing is drawn at all.
    fault: Option<Fault>,
}

impl Screen {
    /// For a window that is drawn by wgpu: makes the pipelines, kept beside the window's own.
    pub fn new(state: &RenderState, ctx: &egui::Context, fault: Fault) -> Self {
        let (of_error, of_loss, ctx) = (fault.clone(), fault.clone(), ctx.clone());
        // Without a handler wgpu would end the program.
        let on_error = move |error: wgpu::Error| of_error.set(error.to_string());
        state.device.on_uncaptured_error(Arc::new(on_error));
        state
            .device
            .set_device_lost_callback(move |reason, message| {
                // Closing the window destroys the device, which is no error.
                if reason != wgpu::DeviceLostReason::Destroyed {
                    of_loss.set(format!("the graphics device was lost: {message}"));
                    // Nothing can be shown any more.
                    ctx.send_viewport_cmd(ViewportCommand::Close);
                }
            });
        // Each sample costs a processor as much as a pixel.
        let samples = match state.adapter.get_info().device_type {
            wgpu::DeviceType::Cpu => 1,
            _ => SAMPLES,
        };
        let gpu = Gpu::new(&state.device, state.target_format, samples);
        state.renderer.write().callback_resources.insert(gpu);
        Self { fault: Some(fault) }
    }

    /// Draws a scene into a rectangle of the window; what went wrong instead, once the device has failed.
    pub fn draw(&self, ui: &mut Ui, rect: Rect, scene: impl FnOnce() -> Scene) {
        let Some(fault) = &self.fault else {
            return;
        };
        if let Some(what) = fault.get() {
            hud::fault(ui, rect, what);
            return;
        }
        let size = rect.size() * ui.ctx().pixels_per_point();
        let pixels = [size.x, size.y].map(|side| (side.round() as u32).max(1));
        let scene = scene();
        let show = Show { scene, pixels };
        ui.painter_at(rect)
            .add(egui_wgpu::Callback::new_paint_callback(rect, show));
    }

    /// True once the device has failed.
    pub fn has_failed(&self) -> bool {
        self.fault
            .as_ref()
            .is_some_and(|fault| fault.get().is_some())
    }
}
