//! The plots as a picture: the pixels of the window.

use super::model::Model;
use egui::{ColorImage, Context, Rect};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};

/// A picture of the plots that was requested.
pub struct PlotsPicture {
    /// The plots, in points.
    part: Rect,
    pixels: f32,
    path: PathBuf,
    picture: Receiver<Arc<ColorImage>>,
}

impl PlotsPicture {
    /// Requests the pixels of the window, of which a part goes to a file.
    pub fn request(ctx: &Context, part: Rect, path: PathBuf) -> Self {
        let (sender, picture) = mpsc::channel();
        let repaint = ctx.clone();
        ctx.request_screenshot(move |picture| {
            // It fails when another picture was requested meanwhile.
            let _ = sender.send(picture);
            repaint.request_repaint();
        });
        Self {
            part,
            pixels: ctx.pixels_per_point(),
            path,
            picture,
        }
    }

    /// Saves the pixels once they are there; returns itself while they are not.
    pub fn save(self, model: &mut Model) -> Option<Self> {
        match self.picture.try_recv() {
            Ok(image) => {
                model.save_plots_as_png(image, self.part, self.pixels, self.path);
                None
            }
            Err(TryRecvError::Empty) => Some(self),
            Err(TryRecvError::Disconnected) => None,
        }
    }
}
