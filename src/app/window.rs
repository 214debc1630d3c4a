//! The window: lays out the panels, passes their commands to `apply`, and performs the effects.

use super::apply::{apply, apply_queued};
use super::authoring::tag_prompt::TagPrompt;
use super::authoring::{import_form, prompt, read_form, tune_form};
use super::command::Command;
use super::dialogs::Dialogs;
use super::dock::Height;
use super::dock::Pane;
use super::docked_panels::Panels;
use super::dropped;
use super::edited_fields::EditedFields;
use super::files::Settings;
use super::gestures::Gestures;
use super::jobs::RequestRepaint;
use super::keyboard_focus::KeyboardFocus;
use super::keys::Keys;
use super::model::walk::Walk;
use super::model::{Effect, Field, Model, Session};
use super::panel::help::Help;
use super::panel::palette::CommandPalette;
use super::panel::start_page::StartPage;
use super::panel::toasts::Toasts;
use super::panel::{cheat_sheet, hints, menu_bar, status_bar};
use super::screenshot::{Capture, Part};
use super::source::Source;
use super::style;
use super::view_state::{Playhead, Switch};
use super::viewport::{
    Compared, Editing, ViewportInput, Viewports, bounds_of, level_bounds, whole_bounds,
};
use crate::core::shape::Aabb;
use egui::{Context, Frame, InputState, Margin, Panel, Ui, ViewportCommand, Visuals};
use glam::DVec3;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Time between the pictures of a playing level where the processor draws them: half of what a screen shows.
const SOFTWARE_FRAME: Duration = Duration::from_micros(33_333);

/// Installs fonts, themes and keys; called once, before the first pass.
pub fn setup(ctx: &Context) {
    style::install(ctx);
    ctx.add_plugin(Keys::default());
    ctx.add_plugin(EditedFields::default());
    ctx.add_plugin(KeyboardFocus::default());
}

/// A function that requests another pass of the window.
fn repaint_of(ctx: &Context) -> RequestRepaint {
    let ctx = ctx.clone();
    Arc::new(move || ctx.request_repaint())
}

/// The state of the window.
pub struct App {
    /// The model that the panels show.
    pub model: Model,
    panels: Panels,
    start_page: StartPage,
    palette: CommandPalette,
    help: Help,
    toasts: Toasts,
    dialogs: Dialogs,
    tag_prompt: TagPrompt,
    /// Numbers the gestures, for the undo history.
    gestures: Gestures,
    capture: Option<Capture>,
    title: String,
    /// The layout of the panels was changed and is not saved yet.
    layout_changed: bool,
    /// The last pass was one of a playing level.
    plays: bool,
}

impl App {
    /// The window, with a level to open or with the start page. Call [`setup`] first.
    pub fn new(
        ctx: &Context,
        settings: Settings,
        open: Option<Source>,
        viewport: Viewports,
    ) -> Self {
        let mut model = Model::new(settings, repaint_of(ctx));
        if viewport.draws_in_software() {
            model.layers.toggle(Switch::ContactShading);
        }
        if let Some(source) = open {
            model.open(source);
        }
        Self {
            model,
            panels: Panels::new(viewport),
            start_page: StartPage::default(),
            palette: CommandPalette::default(),
            help: Help::default(),
            toasts: Toasts::default(),
            dialogs: Dialogs::default(),
            tag_prompt: TagPrompt::default(),
            gestures: Gestures::default(),
            capture: None,
            title: String::new(),
            layout_changed: false,
            plays: false,
        }
    }

    /// Starts to save an image or a clip of a part of the window.
    fn capture(&mut self, part: Part, path: PathBuf) {
        let started = Capture::start(&mut self.model, part, path);
        self.capture = self.capture.take().or(started);
    }

    /// One pass: polls the background jobs, draws the panels, and executes the commands.
    pub fn ui(&mut self, ui: &mut Ui) {
        let ctx = ui.ctx().clone();
        self.apply_ui_state(&ctx);
        self.model.poll();
        apply_queued(&mut self.model);
        Keys::set_walking(&ctx, self.model.walking().is_some());
        Keys::set_prompt_open(&ctx, self.model.has_dialog());
        Keys::set_start_page(&ctx, self.model.session.is_none());
        if let Some(capture) = &mut self.capture {
            capture.seek(&mut self.model, &mut self.panels);
        }
        let mut commands = Keys::take(&ctx);
        self.take_files(&ctx, &mut commands);
        self.advance(&ctx);
        self.model.gesture = self.gestures.current(&ctx);
        self.confirm_close(&ctx, &mut commands);
        self.panels(ui, &mut commands);
        let (model, panels) = (&mut self.model, &mut self.panels);
        self.capture = self
            .capture
            .take()
            .and_then(|one| one.take(&ctx, model, panels));
        for command in commands {
            apply(&mut self.model, command);
            // The effect of a command is drawn in the next pass.
            ctx.request_repaint();
        }
        self.run_effects(&ctx);
        // Again, so that no pass begins in one theme and ends in the other.
        self.apply_ui_state(&ctx);
        self.check_file(&ctx);
        if self.model.is_stepping() || self.model.shown_jobs().any(|job| !job.waits) {
            ctx.request_repaint_after(Duration::from_millis(100));
        }
    }

    /// Checks the scene's file when the window gets the focus, and requests a pass for the next autosave, also while there is no
    /// input.
    fn check_file(&mut self, ctx: &Context) {
        let focused = |event: &egui::Event| matches!(event, egui::Event::WindowFocused(true));
        if ctx.input(|input| input.events.iter().any(focused)) {
            self.model.check_scene_file();
        }
        if let Some(time) = self.model.is_due_in() {
            ctx.request_repaint_after(time);
        }
    }

    fn panels(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let frame = |x: i8, y: i8| Frame::new().inner_margin(Margin::symmetric(x, y));
        let model = &self.model;
        Panel::top("menu bar")
            .frame(frame(8, 4))
            .show(ui, |ui| menu_bar::show(ui, model, commands));
        Panel::bottom("status bar")
            .frame(frame(10, 1))
            // As high as the button that stops a job, so that nothing moves when a job starts.
            .exact_size(30.0)
            .show(ui, |ui| status_bar::show(ui, model, commands));
        if model.session.is_some() {
            self.level_panels(ui, commands);
        } else {
            egui::CentralPanel::no_frame()
                .show(ui, |ui| self.start_page.ui(ui, &self.model, commands));
        }
        let ctx = ui.ctx();
        prompt::show(ctx, &self.model, commands);
        self.tag_prompt.ui(ctx, &self.model, commands);
        import_form::show(ctx, &self.model, commands);
        read_form::show(ctx, &self.model, commands);
        tune_form::show(ctx, &self.model, commands);
        self.dialogs.ui(ctx, commands);
        let ui_state = &self.model.ui_state;
        // A hint is not shown over a prompt or the palette.
        let covered = ui_state.cheat_sheet || ui_state.palette || ui_state.tagging;
        let covered = covered || self.model.has_dialog();
        if self.model.session.is_some() && !covered {
            hints::show(ctx, &self.model, commands);
        }
        // Not while an image is captured.
        if self.capture.is_none() {
            self.toasts.show(ctx, &self.model, commands);
        }
        self.help.ui(ctx, &self.model, commands);
        cheat_sheet::show(ctx, &self.model, commands);
        self.palette.ui(ctx, &self.model, commands);
        dropped::hint(ctx);
    }

    fn level_panels(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        egui::CentralPanel::no_frame().show(ui, |ui| {
            self.model.fit_panels(Height::of(ui.available_height()));
            // Panels read the model with the unchanged layout while this copy changes.
            let mut dock = self.model.dock.clone();
            let input = viewport_input(&self.model);
            if self.model.ui_state.panels_hidden {
                if let Some(input) = &input {
                    self.panels.viewport(ui, input, &self.model, commands);
                }
            } else {
                let (panels, model) = (&mut self.panels, &self.model);
                let edited = dock.ui(ui, panels, model, input.as_ref(), commands);
                self.layout_changed |= edited;
            }
            self.model.dock = dock;
        });
        // While a border is dragged, every pass changes the layout.
        if self.layout_changed && !ui.input(|input| input.pointer.any_down()) {
            self.layout_changed = false;
            self.model.save_panels();
        }
    }

    /// Moves the view. Returns false while the frame at the playhead is still being stepped.
    fn move_view(&mut self, effect: &Effect) -> bool {
        let model = &self.model;
        let Some(input) = viewport_input(model) else {
            return true;
        };
        if input.frame.number != model.playback.playhead().frame {
            return false;
        }
        let level = level_bounds(&input);
        let selected = bounds_of(&input, model.selection.objects()).or(level);
        if let (Effect::LookAtFinding, Some(finding)) = (effect, input.finding)
            && self.panels.viewport.look_at_finding(&input, finding)
        {
            return true;
        }
        match (effect, selected, level) {
            (Effect::LookAt(bounds), ..) => self.panels.viewport.look_at(*bounds),
            (Effect::LookAtFinding | Effect::LookAtSelection, Some(bounds), _) => {
                self.panels.viewport.look_at(bounds);
            }
            (Effect::LookAtLevel { softly }, _, Some(bounds)) => {
                let is_flat = input.is_flat();
                // The second time also what flew away.
                let all = whole_bounds(&input).filter(|_| *softly);
                let all = all.filter(|_| self.panels.viewport.looks_at(bounds));
                self.look_at_level((all.unwrap_or(bounds), is_flat), *softly);
            }
            // In an empty scene: around the origin.
            (Effect::LookAtLevel { softly }, _, None) => {
                let around = Aabb {
                    min: DVec3::splat(-2.0),
                    max: DVec3::splat(2.0),
                };
                let is_flat = input.is_flat();
                self.look_at_level((around, is_flat), *softly);
            }
            _ => {}
        }
        true
    }

    /// Moves the view to the whole level; not softly when it was just opened.
    fn look_at_level(&mut self, (bounds, is_flat): (Aabb, bool), softly: bool) {
        match softly {
            true => self.panels.viewport.look_at(bounds),
            false => self.panels.viewport.look_at_new(bounds, is_flat),
        }
    }

    fn advance(&mut self, ctx: &Context) {
        let model = &mut self.model;
        let was_playing = std::mem::replace(&mut self.plays, model.playback.playing().is_some());
        if self.plays {
            let freeze_points = model.freeze_points();
            let Some(Session { document, .. }) = &model.session else {
                return;
            };
            let since = |input: &InputState| match was_playing {
                true => input.unstable_dt,
                false => input.predicted_dt,
            };
            // At most a second, so that a window that was hidden does not jump ahead.
            let passed = f64::from(ctx.input(since)).min(1.0);
            let replay = document.replay();
            if model
                .playback
                .advance(passed, |frame| replay.dt(frame), &freeze_points)
            {
                ctx.request_repaint_after(match self.panels.viewport.draws_in_software() {
                    true => SOFTWARE_FRAME,
                    false => Duration::ZERO,
                });
            }
            model.show_frame();
        }
    }

    fn take_files(&mut self, ctx: &Context, commands: &mut Vec<Command>) {
        commands.extend(dropped::command(ctx));
        self.dialogs.take(commands);
    }

    /// Cancels closing the window while there are unsaved changes, and shows the prompt for them.
    fn confirm_close(&self, ctx: &Context, commands: &mut Vec<Command>) {
        // Without a graphics device no prompt can be shown; changes are autosaved.
        let shows = !self.panels.viewport.has_failed();
        if shows
            && ctx.input(|input| input.viewport().close_requested())
            && self.model.has_unsaved()
        {
            ctx.send_viewport_cmd(ViewportCommand::CancelClose);
            commands.push(Command::Quit);
        }
    }

    fn apply_ui_state(&mut self, ctx: &Context) {
        let units = self.model.units();
        EditedFields::with(ctx, |fields| fields.units = units);
        let ui_state = &self.model.ui_state;
        if ctx.options(|options| options.theme_preference) != ui_state.theme {
            ctx.set_theme(ui_state.theme);
            // This pass began in the previous theme.
            ctx.request_repaint();
        }
        ctx.set_zoom_factor(ui_state.zoom);
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

    fn run_effects(&mut self, ctx: &Context) {
        for effect in std::mem::take(&mut self.model.effects) {
            match effect {
                Effect::LookAtLevel { .. }
                | Effect::LookAtSelection
                | Effect::LookAtFinding
                | Effect::LookAt(_) => {
                    if !self.move_view(&effect) {
                        self.model.effects.push(effect);
                        continue;
                    }
                }
                Effect::ViewFrom(side) => {
                    self.panels.viewport.look_along(-side.axis());
                    ctx.request_repaint();
                }
                Effect::ToggleOrthographic => {
                    self.panels.viewport.toggle_orthographic();
                    ctx.request_repaint();
                }
                Effect::Copy(text) => {
                    ctx.copy_text(text);
                    self.model.messages.done("", "copied");
                }
                Effect::Focus(Field::Name) => {
                    EditedFields::with(ctx, |fields| fields.focus_name = true);
                }
                Effect::Focus(Field::Filter) => self.panels.outliner.focus_filter(),
                Effect::Focus(Field::Frame) => self.panels.timeline.focus_frame_field(),
                Effect::Focus(Field::Note) => self.panels.bookmarks.focus_note(),
                Effect::ShowArrayForm(layout) => self.panels.inspector.show_array_form(layout),
                Effect::OpenDialog(dialog) => self.dialogs.show(dialog, repaint_of(ctx)),
                Effect::WalkFromView => {
                    let pose = self.panels.viewport.pose();
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

    /// The background of all panels: filling each of them would double the time of a frame where a processor draws it.
    fn clear_color(&self, visuals: &Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }

    fn on_exit(&mut self) {
        self.model.finish();
    }
}

/// The input of the viewport.
fn viewport_input(model: &Model) -> Option<ViewportInput<'_>> {
    let session = model.session.as_ref()?;
    let document = &session.document;
    let frame = document.frame();
    let playhead = model.playback.playhead();
    let at_playhead = frame.number == playhead.frame;
    let playhead = Playhead {
        frame: frame.number,
        fraction: session.drawn_fraction,
    };
    Some(ViewportInput {
        replay: document.replay(),
        frame,
        playhead,
        phase: model
            .playback
            .phase(frame.phases.len())
            .filter(|_| at_playhead && frame.is_swept()),
        selection: &model.selection,
        layers: &model.layers,
        visibility: &session.visibility,
        finding: model.selected_finding(),
        selected: session.selected.as_ref(),
        moves: session.derived.moves.list(),
        pointed: session.derived.pointed,
        what_if: model.what_if_outcome(),
        probe: model.probe_test(),
        heat: (model.layers.has(Switch::HeatMap)).then(|| {
            session
                .finding_list
                .heat(document.findings(), document.replay())
        }),
        by_object: (model.layers.color_by.is_of_findings())
            .then(|| session.finding_list.by_object(document.findings())),
        leaks: (model.shows(Pane::Leaks))
            .then(|| session.derived.leaks.found())
            .flatten()
            .map(|found| (found, session.derived.leaks.chosen)),
        probe_line: session.probe.pointed,
        walk: model.walking().map(Walk::pose),
        compared: compared(session, playhead),
        differing: &[],
        editing: editing(model),
        layout: model.settings.view_layout,
    })
}

/// The scene that the handles edit; `None` for objects of a recording, which cannot be edited.
fn editing(model: &Model) -> Option<Editing<'_>> {
    let scene = &model.scene_doc()?.scene;
    let tools = &model.settings.tools;
    let editable = scene.recording.is_none() && model.playback.playing().is_none();
    editable.then_some(Editing { scene, tools })
}

/// The other replay at the same time.
fn compared(session: &Session, playhead: Playhead) -> Option<Compared<'_>> {
    let other = session.compare.other()?;
    let replay = session.document.replay();
    let at = session.compare.frame_at(replay, playhead);
    Some(Compared {
        name: &other.name,
        own_name: &session.document.replay().scene().name,
        tolerance: session.compare.settings.tolerance,
        replay: &other.replay,
        subjects: &other.subjects,
        at,
        has_begun: session.compare.has_begun(replay, playhead),
    })
}
