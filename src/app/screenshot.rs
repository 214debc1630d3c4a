//! Images and clips of the viewport and of the plots: screenshots of the window, one for each time, saved in the background.

use super::command::arguments::Export;
use super::docked_panels::Panels;
use super::model::playback::Playback;
use super::model::{JobKind, Model};
use super::viewport::export::{self, CapturedImage, ClipImage, ClipRange, schedule};
use egui::{ColorImage, Context, Rect};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError, TrySendError};

/// A part of the window to capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The viewport, at the current time or over a range.
    View(Export),
    /// The plots.
    Plots,
}

/// A capture that is running.
pub struct Capture {
    part: Part,
    /// The times to capture; `None` for the current view.
    clip_images: Vec<Option<ClipImage>>,
    /// The number of images taken.
    taken: usize,
    /// The window shows the next time, from this pass on.
    in_place: bool,
    requested: Option<Receiver<Arc<ColorImage>>>,
    /// An image that waits for the encoder.
    pending: Option<CapturedImage>,
    encoder: SyncSender<CapturedImage>,
    /// The playback to restore at the end.
    before: Playback,
    /// The revision of the level.
    of: u64,
}

impl Capture {
    /// Starts a capture; `None` if no level is open or another export is running.
    pub fn start(model: &mut Model, part: Part, path: PathBuf) -> Option<Self> {
        let document = model.document()?;
        let (replay, of) = (document.replay().clone(), document.revision);
        let range = match part {
            Part::Plots | Part::View(Export::Image) => None,
            Part::View(Export::Frame) => Some(ClipRange::Frame(model.playback.playhead().frame)),
            Part::View(Export::Loop) => {
                let (from, to) = model.playback.loop_bounds();
                let speed = model.playback.speed();
                Some(ClipRange::Loop { from, to, speed })
            }
        };
        let clip_images = match range {
            None => vec![None],
            Some(range) => {
                let clip_images = schedule(range, |frame| replay.dt(frame), &model.freeze_points());
                clip_images.into_iter().map(Some).collect()
            }
        };
        let count = clip_images.len();
        let (encoder, images) = mpsc::sync_channel(2);
        let to = path.clone();
        let started = model.begin_export(path, move |job| match range {
            None => export::save_image(&images, &to, job),
            Some(_) => export::save_clip(&images, count, &to, job),
        });
        started.then(|| Self {
            part,
            clip_images,
            taken: 0,
            in_place: false,
            requested: None,
            pending: None,
            encoder,
            before: model.playback.clone(),
            of,
        })
    }

    /// Moves the playhead to the next time to capture; called before a pass is drawn.
    pub fn seek(&mut self, model: &mut Model, panels: &mut Panels) {
        panels.viewport.hide_tools(self.part != Part::Plots);
        panels.plots.forget_rect();
        self.in_place = true;
        if let Some(Some(ClipImage { at, .. })) = self.clip_images.get(self.taken) {
            model.playback.seek(at.frame, at.fraction);
            model.show_frame();
        }
    }

    /// Takes the screenshot; called after a pass was drawn. `None` when the capture is complete or was stopped.
    ///
    /// A clip of a level that was changed, read again or closed meanwhile is not saved.
    pub fn take(mut self, ctx: &Context, model: &mut Model, panels: &mut Panels) -> Option<Self> {
        ctx.request_repaint();
        let is_clip = self.clip_images.iter().any(Option::is_some);
        let is_same = model
            .document()
            .is_some_and(|open| open.revision == self.of);
        if is_clip && !is_same {
            model.jobs.cancel(JobKind::SaveView);
        }
        let is_running = model.session.is_some() && model.exporting().is_some();
        let is_running = is_running && (is_same || !is_clip);
        if !is_running || self.step(ctx, model, panels).is_err() {
            panels.viewport.hide_tools(false);
            // A clip has moved the playhead.
            if is_same && is_clip {
                model.playback = self.before;
                model.show_frame();
            }
            return None;
        }
        Some(self)
    }

    /// # Errors
    /// If there are no more images to take.
    fn step(&mut self, ctx: &Context, model: &Model, panels: &mut Panels) -> Result<(), ()> {
        if let Some(requested) = &self.requested {
            match requested.try_recv() {
                Ok(window) => {
                    let part = self.rect(panels).ok_or(())?;
                    let image = export::crop(&window, part, ctx.pixels_per_point()).ok_or(())?;
                    let clip_image = self.clip_images[self.taken];
                    let hundredths = clip_image.map_or(0, |clip_image| clip_image.hundredths);
                    self.pending = Some(CapturedImage { image, hundredths });
                    self.requested = None;
                }
                Err(TryRecvError::Empty) => return Ok(()),
                // Another screenshot replaced this one.
                Err(TryRecvError::Disconnected) => self.requested = None,
            }
        }
        if let Some(image) = self.pending.take() {
            match self.encoder.try_send(image) {
                Ok(()) => {
                    self.taken += 1;
                    self.in_place = false;
                }
                Err(TrySendError::Full(image)) => self.pending = Some(image),
                Err(TrySendError::Disconnected(_)) => return Err(()),
            }
            return (self.taken < self.clip_images.len())
                .then_some(())
                .ok_or(());
        }
        let document = model.document().ok_or(())?;
        let frame = document.frame();
        let is_shown = frame.number == model.playback.playhead().frame && frame.is_swept();
        if self.in_place && is_shown && self.rect(panels).is_some() {
            let (sender, requested) = mpsc::channel();
            // It fails only if the capture was stopped.
            ctx.request_screenshot(move |window| drop(sender.send(window)));
            self.requested = Some(requested);
        }
        Ok(())
    }

    /// The rectangle of the part in the window, points; `None` before it was drawn.
    fn rect(&self, panels: &Panels) -> Option<Rect> {
        match self.part {
            Part::View(_) => panels.viewport.rect(),
            Part::Plots => panels.plots.rect(),
        }
    }
}
