//! Two renderers of one [`DrawList`], and the choice between them.

mod choose;
mod gpu;
pub mod light;
pub mod software;

pub use choose::choose_renderer;

use super::draw_list::DrawList;
use eframe::egui_wgpu;
use egui::{ColorImage, Painter, Rect, TextureHandle, TextureOptions};
use std::sync::Arc;

/// The rasteriser draws at most this many pixels; larger pictures are drawn smaller and stretched.
const MOST_PIXELS: f32 = 1_600_000.0;

/// Two pictures of a moment that did not change are one; others may still be alike.
fn same(one: &Arc<DrawList>, other: &Arc<DrawList>) -> bool {
    Arc::ptr_eq(one, other) || one == other
}

/// What shows pictures in the window; draws anew only when the picture or its size has changed.
#[derive(Default)]
pub struct Screen {
    /// Pipelines stand ready beside the window's own.
    gpu: bool,
    /// Nothing is shown at all.
    nothing: bool,
    texture: Option<TextureHandle>,
    shown: Option<(Arc<DrawList>, [usize; 2])>,
}

impl Screen {
    /// For a window: through wgpu when it runs on a real GPU (or the person asked for it), else the rasteriser.
    pub fn new(context: &eframe::CreationContext<'_>) -> Self {
        let state = context.wgpu_render_state.as_ref().filter(|state| {
            choose::asked().unwrap_or_else(|| choose::is_real(&state.adapter.get_info()))
        });
        if let Some(state) = state {
            gpu::install(state);
        }
        Self {
            gpu: state.is_some(),
            ..Self::default()
        }
    }

    /// Shows nothing.
    pub fn nothing() -> Self {
        Self {
            nothing: true,
            ..Self::default()
        }
    }

    /// Draws a picture into a rectangle of the window.
    pub fn draw(&mut self, painter: &Painter, rect: Rect, picture: &Arc<DrawList>) {
        let size = rect.size() * painter.ctx().pixels_per_point();
        let shrink = if self.gpu {
            1.0
        } else {
            (MOST_PIXELS / (size.x * size.y).max(1.0)).sqrt().min(1.0)
        };
        let pixels = [size.x, size.y].map(|side| ((side * shrink).round() as usize).max(1));
        let changed = self
            .shown
            .as_ref()
            .is_none_or(|(shown, size)| !same(shown, picture) || *size != pixels);
        if changed {
            self.shown = Some((Arc::clone(picture), pixels));
        }
        let Some((picture, _)) = self.shown.as_ref().filter(|_| !self.nothing) else {
            return;
        };
        if self.gpu {
            let show = gpu::Show {
                picture: Arc::clone(picture),
                pixels: pixels.map(|side| side as u32),
            };
            painter.add(egui_wgpu::Callback::new_paint_callback(rect, show));
            return;
        }
        if changed || self.texture.is_none() {
            let bytes = software::render(picture, pixels[0], pixels[1]);
            let image = ColorImage::from_rgba_premultiplied(pixels, &bytes);
            match &mut self.texture {
                Some(texture) => texture.set(image, TextureOptions::LINEAR),
                None => {
                    let context = painter.ctx();
                    let texture = context.load_texture("viewport", image, TextureOptions::LINEAR);
                    self.texture = Some(texture);
                }
            }
        }
        if let Some(texture) = &self.texture {
            let whole = Rect::from_min_max(egui::Pos2::ZERO, egui::Pos2::new(1.0, 1.0));
            painter.image(texture.id(), rect, whole, egui::Color32::WHITE);
        }
    }
}
