//! The window: lays out the panels, hands their commands to `apply`, carries out what only a window can do.

use super::apply::{apply, apply_queued};
use super::authoring::{array_form, ask, import_form, tag_ask};
use super::command::Command;
use super::dialogs::Dialogs;
use super::docked_panels::Panels;
use super::dropped;
use super::files::Settings;
use super::gestures::Gestures;
use super::jobs::RequestRepaint;
use super::keys::Keys;
use super::model::walk::Walk;
use super::model::{Effect, Field, Model, Session};
use super::panel::palette::CommandPalette;
use super::panel::start_page::StartPage;
use super::panel::toasts::Toasts;
use super::panel::{cheat_sheet, hints, menu_bar, status_bar};
use super::screenshot::{Capture, Part};
use super::source::Source;
use super::style;
use super::text_focus::TextFocus;
use super::theme::Surfaces;
use super::view_state::Playhead;
use super::viewport::{Compared, Editing, Viewport, ViewportInput, bounds_of, level_bounds};
use crate::core::shape::Aabb;
use egui::{Context, Frame, Margin, Panel, Ui, ViewportCommand};
use glam::DVec3;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Fonts, themes and keys, once, before the first pass.
pub fn setup(ctx: &Context) {
    style::install(ctx);
    ctx.add_plugin(Keys::default());
}

/// Requests another pass of the window.
fn repaint_of(ctx: &Context) -> RequestRepaint {
    let ctx = ctx.clone();
    Arc::new(move || ctx.request_repaint())
}

/// The window's state.
pub struct App {
    /// What it shows.
    pub model: Model,
    panels: Panels,
    start_page: StartPage,
    palette: CommandPalette,
    toasts: Toasts,
    dialogs: Dialogs,
    /// Counts the presses of the pointer and the stays in fields.
    gestures: Gestures,
    text_focus: TextFocus,
    capture: Option<Capture>,
    title: String,
    /// Panels were moved and their places not yet kept.
    rearranged: bool,
}

impl App {
    /// The window, with a level to open or with the start page; [`setup`] goes first.
    pub fn new(
        ctx: &Context,
        settings: Settings,
        open: Option<Source>,
        viewport: Viewport,
    ) -> Self {
        let mut model = Model::new(settings, repaint_of(ctx));
        if let Some(source) = open {
            model.open(source);
        }
        Self {
            model,
            panels: Panels {
                viewport,
                ..Panels::default()
            },
            start_page: StartPage::default(),
            palette: CommandPalette::default(),
            toasts: Toasts::default(),
            dialogs: Dialogs::default(),
            gestures: Gestures::default(),
            text_focus: TextFocus::default(),
            capture: None,
            title: String::new(),
            rearranged: false,
        }
    }

    /// Begins to save a picture or a clip of what is shown.
    fn capture(&mut self, part: Part, path: PathBuf) {
        let begun = Capture::begin(&mut self.model, part, path);
        self.capture = self.capture.take().or(begun);
    }

    /// One pass: what happened since the last one, then the panels, then the commands.
    pub fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.apply_look(&ctx);
        self.model.poll();
        apply_queued(&mut self.model);
        Keys::walk(&ctx, self.model.walking().is_some());
        let asked = self.model.ask.is_some() || self.model.import().is_some();
        Keys::ask(&ctx, asked);
        if let Some(capture) = &mut self.capture {
            capture.place(&mut self.model, &mut self.panels);
        }
        let mut commands = Keys::take(&ctx);
        self.take_files(&ctx, &mut commands);
        self.advance(&ctx);
        self.text_focus.watch(&ctx);
        self.model.gesture = self.gestures.at(&ctx);
        self.keep_open(&ctx, &mut commands);
        self.panels(ui, &mut commands);
        let (model, panels) = (&mut self.model, &mut self.panels);
        self.capture = self
            .capture
            .take()
            .and_then(|one| one.take(&ctx, model, panels));
        for command in commands {
            apply(&mut self.model, command);
            // What a command chose is drawn in the next pass.
            ctx.request_repaint();
        }
        self.carry_out(&ctx);
        // Here too, so that no pass begins in one theme and ends in the other.
        self.apply_look(&ctx);
        self.look_now_and_then(&ctx);
        if self.model.is_stepping() || self.model.shown_jobs().next().is_some() {
            ctx.request_repaint_after(Duration::from_millis(100));
        }
    }

    /// The scene's file is looked at, and changes are kept, while nobody moves the pointer, too.
    fn look_now_and_then(&mut self, ctx: &Context) {
        let focused = |event: &egui::Event| matches!(event, egui::Event::WindowFocused(true));
        if ctx.input(|input| input.events.iter().any(focused)) {
            self.model.check_scene_file();
        }
        if let Some(time) = self.model.is_due_in() {
            ctx.request_repaint_after(time);
        }
    }

    fn panels(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let fill = ui.visuals().panel_fill;
        let frame = |x: i8, y: i8| {
            Frame::new()
                .fill(fill)
                .inner_margin(Margin::symmetric(x, y))
        };
        let model = &self.model;
        Panel::top("menu bar")
            .frame(frame(8, 4))
            .show(ui, |ui| menu_bar::show(ui, model, commands));
        Panel::bottom("status bar")
            .frame(frame(10, 1))
            // As high as the button that stops work: nothing moves when work begins.
            .exact_size(30.0)
            .show(ui, |ui| status_bar::show(ui, model, commands));
        if model.session.is_some() {
            self.level(ui, commands);
        } else {
            egui::CentralPanel::no_frame()
                .frame(frame(0, 0))
                .show(ui, |ui| self.start_page.ui(ui, &self.model, commands));
        }
        let ctx = ui.ctx();
        ask::show(ctx, &self.model, commands);
        tag_ask::show(ctx, &self.model, commands);
        import_form::show(ctx, &self.model, commands);
        self.dialogs.ui(ctx, commands);
        let look = &self.model.look;
        // A hint waits behind whatever is asked or looked up.
        let covered = look.cheat_sheet || look.palette || look.tagging;
        let covered = covered || self.model.ask.is_some() || self.model.import().is_some();
        if self.model.session.is_some() && !covered {
            hints::show(ctx, &self.model, commands);
        }
        // Not in a picture that is being taken.
        if self.capture.is_none() {
            self.toasts.show(ctx, &self.model, commands);
        }
        cheat_sheet::show(ctx, &self.model, commands);
        self.palette.ui(ctx, &self.model, commands);
        dropped::hint(ctx);
    }

    fn level(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let fill = Surfaces::of(ui.visuals()).sunken;
        let frame = Frame::new().fill(fill);
        egui::CentralPanel::no_frame().frame(frame).show(ui, |ui| {
            // Panels read the model, with the arrangement as it was, while it is rearranged.
            let mut dock = self.model.dock.clone();
            let moment = moment(&self.model);
            if self.model.look.bare {
                if let Some(moment) = &moment {
                    self.panels.viewport.ui(ui, moment, commands);
                }
            } else {
                let (panels, model) = (&mut self.panels, &self.model);
                let edited = dock.ui(ui, panels, model, moment.as_ref(), commands);
                self.rearranged |= edited;
            }
            self.model.dock = dock;
        });
        // While a border is dragged, every pass edits.
        if self.rearranged && !ui.input(|input| input.pointer.any_down()) {
            self.rearranged = false;
            self.model.save_panels();
        }
    }

    /// Moves the view; false while the frame to look at is still being stepped.
    fn look(&mut self, effect: &Effect) -> bool {
        let model = &self.model;
        let Some(moment) = moment(model) else {
            return true;
        };
        if moment.frame.number != model.playback.playhead().frame {
            return false;
        }
        let level = level_bounds(&moment);
        let selected = bounds_of(&moment, model.selection.objects()).or(level);
        if let (Effect::LookAtFinding, Some(finding)) = (effect, moment.finding)
            && self.panels.viewport.look_at_finding(&moment, finding)
        {
            return true;
        }
        match (effect, selected, level) {
            (Effect::LookAtFinding | Effect::LookAtSelection, Some(bounds), _) => {
                self.panels.viewport.look_at(bounds, true);
            }
            (Effect::LookAtLevel { softly }, _, Some(bounds)) => {
                self.panels.viewport.look_at(bounds, *softly);
            }
            // An empty scene begins at the middle of the world.
            (Effect::LookAtLevel { softly }, _, None) => {
                let around = Aabb {
                    min: DVec3::splat(-2.0),
                    max: DVec3::splat(2.0),
                };
                self.panels.viewport.look_at(around, *softly);
            }
            _ => {}
        }
        true
    }

    fn advance(&mut self, ctx: &Context) {
        let model = &mut self.model;
        if model.playback.playing().is_some() {
            let holds = model.holds();
            let Some(Session { document, .. }) = &model.session else {
                return;
            };
            // A window that was hidden does not leap ahead; a slow pass loses no time.
            let passed = f64::from(ctx.input(|input| input.stable_dt)).min(1.0);
            let replay = document.replay();
            if model
                .playback
                .advance(passed, |frame| replay.dt(frame), &holds)
            {
                ctx.request_repaint();
            }
            model.show_frame();
        }
    }

    fn take_files(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        commands.extend(dropped::taken(ctx));
        self.dialogs.take(commands);
    }

    /// A window with changes that no file holds is not closed before they were asked about.
    fn keep_open(&self, ctx: &Context, commands: &mut Vec<Command>) {
        // Nothing could be asked without a graphics device; changes are autosaved.
        let shows = !self.panels.viewport.has_failed();
        if shows
            && ctx.input(|input| input.viewport().close_requested())
            && self.model.has_unsaved()
        {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            commands.push(Command::Quit);
        }
    }

    fn apply_look(&mut self, ctx: &Context) {
        let look = &self.model.look;
        if ctx.options(|options| options.theme_preference) != look.theme {
            ctx.set_theme(look.theme);
            // This pass began in the other one.
            ctx.request_repaint();
        }
        ctx.set_zoom_factor(look.zoom);
        let title = match self.model.document() {
            Some(document) => {
                let mark = if self.model.has_unsaved() { "*" } else { "" };
                format!("{}{mark} - Hitstop", document.title())
            }
            None => "Hitstop".to_owned(),
        };
        if title != self.title {
            ctx.send_viewport_cmd(ViewportCommand::Title(title.clone()));
            self.title = title;
        }
    }

    fn carry_out(&mut self, ctx: &Context) {
        for effect in std::mem::take(&mut self.model.effects) {
            match effect {
                Effect::LookAtLevel { .. } | Effect::LookAtSelection | Effect::LookAtFinding => {
                    if !self.look(&effect) {
                        self.model.effects.push(effect);
                        continue;
                    }
                }
                Effect::Copy(text) => {
                    ctx.copy_text(text);
                    self.model.messages.done("", "copied");
                }
                Effect::Focus(Field::Filter) => self.panels.outliner.focus_filter(),
                Effect::Focus(Field::Frame) => self.panels.timeline.focus_frame_field(),
                Effect::Focus(Field::Note) => self.panels.bookmarks.focus_note(),
                Effect::SetOut(order) => array_form::begin(ctx, order),
                Effect::Ask(dialog) => self.dialogs.ask(dialog, repaint_of(ctx)),
                Effect::WalkFromView => {
                    let pose = self.panels.viewport.orbit().pose();
                    self.model.start_walk(pose);
                }
                Effect::SavePlots(path) => self.capture(Part::Plots, path),
                Effect::Export(what, path) => self.capture(Part::View(what), path),
                Effect::Fullscreen => {
                    let full = ctx.input(|input| input.viewport().fullscreen.unwrap_or(false));
                    ctx.send_viewport_cmd(ViewportCommand::Fullscreen(!full));
                }
                Effect::Quit => ctx.send_viewport_cmd(ViewportCommand::Close),
            }
            ctx.request_repaint();
        }
    }
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut Ui, _frame: &mut eframe::Frame) {
        self.ui(ui);
    }

    fn on_exit(&mut self) {
        self.model.finish();
    }
}

/// What the viewport draws now.
fn moment(model: &Model) -> Option<ViewportInput<'_>> {
    let session = model.session.as_ref()?;
    let document = &session.document;
    let frame = document.frame();
    let playhead = model.playback.playhead();
    // While the frame at the playhead is being stepped, the one before stands still.
    let at_playhead = frame.number == playhead.frame;
    let playhead = if at_playhead {
        playhead
    } else {
        let fraction = f64::from(u8::from(frame.number < playhead.frame));
        Playhead {
            frame: frame.number,
            fraction,
        }
    };
    Some(ViewportInput {
        replay: document.replay(),
        frame,
        playhead,
        phase: model
            .playback
            .phase(frame.phases.len())
            .filter(|_| at_playhead),
        selection: &model.selection,
        layers: &model.layers,
        finding: model.selected_finding(),
        pointed: session.derived.pointed,
        what_if: model.tried(),
        probe: model.probe_look(),
        probe_line: session.probe.pointed,
        walk: model.walking().map(Walk::pose),
        compared: compared(session, playhead),
        editing: editing(model),
    })
}

/// The scene that handles in the picture change: objects of a recording move as it says.
fn editing(model: &Model) -> Option<Editing<'_>> {
    let scene = &model.authored()?.scene;
    let tools = &model.settings.tools;
    let still = scene.recording.is_none() && model.playback.playing().is_none();
    still.then_some(Editing { scene, tools })
}

/// The other replay at the same moment.
fn compared(session: &Session, playhead: Playhead) -> Option<Compared<'_>> {
    let other = session.compare.other()?;
    let replay = session.document.replay();
    let at = session.compare.moment(replay, playhead);
    Some(Compared {
        name: &other.name,
        replay: &other.replay,
        subjects: &other.subjects,
        at,
    })
}
