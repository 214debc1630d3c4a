//! Pictures and clips of the view and of plots: the window's own pixels, moment by moment, saved in the background.

use super::command::arguments::Export;
use super::docked_panels::Panels;
use super::model::Model;
use super::model::playback::Playback;
use super::viewport::export::{self, Instant, Picture, Span, schedule};
use egui::{ColorImage, Context, Rect};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError, TrySendError};

/// What is cut out of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The viewport, now or over a time.
    View(Export),
    /// The plots.
    Plots,
}

/// Pictures that are being taken.
pub struct Capture {
    part: Part,
    /// `None` is what is shown anyway.
    moments: Vec<Option<Instant>>,
    /// How many are taken.
    taken: usize,
    /// The moment is shown from this pass on.
    placed: bool,
    asked: Option<Receiver<Arc<ColorImage>>>,
    /// The encoder is still busy with those before.
    waiting: Option<Picture>,
    encoder: SyncSender<Picture>,
    /// Where time goes back to.
    before: Playback,
}

impl Capture {
    /// Begins; `None` where nothing is open, or something is being saved already.
    pub fn begin(model: &mut Model, part: Part, path: PathBuf) -> Option<Self> {
        let replay = model.document()?.replay().clone();
        let span = match part {
            Part::Plots | Part::View(Export::Picture) => None,
            Part::View(Export::Inside) => Some(Span::Inside(model.playback.playhead().frame)),
            Part::View(Export::Loop) => {
                let (from, to) = model.playback.loop_bounds();
                let speed = model.playback.speed();
                Some(Span::Loop { from, to, speed })
            }
        };
        let moments = match span {
            None => vec![None],
            Some(span) => {
                let instants = schedule(span, |frame| replay.dt(frame), &model.holds());
                instants.into_iter().map(Some).collect()
            }
        };
        let count = moments.len();
        let (encoder, pictures) = mpsc::sync_channel(2);
        let to = path.clone();
        let begun = model.begin_export(path, move |job| match span {
            None => export::save_picture(&pictures, &to, job),
            Some(_) => export::save_clip(&pictures, count, &to, job),
        });
        begun.then(|| Self {
            part,
            moments,
            taken: 0,
            placed: false,
            asked: None,
            waiting: None,
            encoder,
            before: model.playback.clone(),
        })
    }

    /// Before a pass is drawn: goes to the moment that is to be taken.
    pub fn place(&mut self, model: &mut Model, panels: &mut Panels) {
        panels.viewport.without_tools = self.part != Part::Plots;
        panels.plots.forget_rect();
        self.placed = true;
        if let Some(Some(Instant { at, .. })) = self.moments.get(self.taken) {
            model.playback.seek(at.frame, at.fraction);
            model.show_frame();
        }
    }

    /// After a pass was drawn: takes its picture; `None` when all are taken, or it was stopped.
    pub fn take(mut self, ctx: &Context, model: &mut Model, panels: &mut Panels) -> Option<Self> {
        ctx.request_repaint();
        let goes_on = model.session.is_some() && model.exporting().is_some();
        if !goes_on || self.step(ctx, model, panels).is_err() {
            panels.viewport.without_tools = false;
            // A clip has moved the playhead.
            if model.session.is_some() && self.moments.iter().any(Option::is_some) {
                model.playback = self.before;
                model.show_frame();
            }
            return None;
        }
        Some(self)
    }

    /// # Errors
    /// When there is nothing more to take.
    fn step(&mut self, ctx: &Context, model: &Model, panels: &mut Panels) -> Result<(), ()> {
        if let Some(asked) = &self.asked {
            match asked.try_recv() {
                Ok(window) => {
                    let part = self.rect(panels).ok_or(())?;
                    let image = export::cut(&window, part, ctx.pixels_per_point()).ok_or(())?;
                    let moment = self.moments[self.taken];
                    let hundredths = moment.map_or(0, |moment| moment.hundredths);
                    self.waiting = Some(Picture { image, hundredths });
                    self.asked = None;
                }
                Err(TryRecvError::Empty) => return Ok(()),
                // Another picture was asked for meanwhile.
                Err(TryRecvError::Disconnected) => self.asked = None,
            }
        }
        if let Some(picture) = self.waiting.take() {
            match self.encoder.try_send(picture) {
                Ok(()) => {
                    self.taken += 1;
                    self.placed = false;
                }
                Err(TrySendError::Full(picture)) => self.waiting = Some(picture),
                Err(TrySendError::Disconnected(_)) => return Err(()),
            }
            return (self.taken < self.moments.len()).then_some(()).ok_or(());
        }
        let document = model.document().ok_or(())?;
        let is_shown = document.frame().number == model.playback.playhead().frame;
        if self.placed && is_shown && self.rect(panels).is_some() {
            let (sender, asked) = mpsc::channel();
            // Nobody listens when it was stopped meanwhile.
            ctx.request_screenshot(move |window| drop(sender.send(window)));
            self.asked = Some(asked);
        }
        Ok(())
    }

    /// Where the part is in the window, once it was drawn, points.
    fn rect(&self, panels: &Panels) -> Option<Rect> {
        match self.part {
            Part::View(_) => panels.viewport.rect(),
            Part::Plots => panels.plots.rect(),
        }
    }
}
