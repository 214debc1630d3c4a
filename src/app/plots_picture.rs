//! The plots as a picture: the window's pixels where they stand, saved beside it.

use super::jobs::{self, Job, Wake};
use super::model::Model;
use crate::core::problem::Problem;
use egui::{ColorImage, Context, Rect};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};

/// A picture of the plots on its way to a file.
pub enum PlotsPicture {
    /// The window was asked for its pixels.
    Asked(Asked),
    /// They are being saved.
    Saving(PathBuf, Job<Result<(), Problem>>),
}

/// Pixels that were asked for.
pub struct Asked {
    /// Where the plots stand, in points.
    part: Rect,
    pixels: f32,
    path: PathBuf,
    picture: Receiver<Arc<ColorImage>>,
    wake: Wake,
}

impl PlotsPicture {
    /// Asks the window for its pixels, of which a part goes to a file.
    pub fn ask(ctx: &Context, part: Rect, path: PathBuf, wake: Wake) -> Self {
        let (sender, picture) = mpsc::channel();
        let waking = wake.clone();
        ctx.request_screenshot(move |picture| {
            // Nobody listens when another picture was asked for meanwhile.
            let _ = sender.send(picture);
            waking();
        });
        Self::Asked(Asked {
            part,
            pixels: ctx.pixels_per_point(),
            path,
            picture,
            wake,
        })
    }

    /// One step further: saves what the window gave, and says what became of it; `None` when there is no more to do.
    pub fn go_on(self, model: &mut Model) -> Option<Self> {
        match self {
            Self::Asked(asked) => match asked.picture.try_recv() {
                Ok(image) => {
                    let Asked {
                        part,
                        pixels,
                        path,
                        wake,
                        ..
                    } = asked;
                    let job = jobs::save_png(image, part, pixels, path.clone(), wake);
                    Some(Self::Saving(path, job))
                }
                Err(TryRecvError::Empty) => Some(Self::Asked(asked)),
                Err(TryRecvError::Disconnected) => None,
            },
            Self::Saving(path, job) => match job.poll() {
                Some(outcome) => {
                    model.exported(path, outcome);
                    None
                }
                None => Some(Self::Saving(path, job)),
            },
        }
    }
}
