//! State of the window without its drawing: the open level, the playhead, the selection, background jobs.

pub mod asking;
mod autosave;
pub mod bookmarks;
mod camera_view;
pub mod candidates;
pub mod cause_film;
mod characters;
mod closing;
pub mod compare;
mod comparing;
mod diagnosing;
mod disk;
pub mod document;
mod editing;
mod effect;
pub mod engine_log;
mod excerpt;
mod expect;
mod export;
mod file_watch;
pub mod find;
mod finding_key;
pub mod finding_list;
pub mod game_picture;
mod growing;
pub mod history;
pub mod import;
mod importing;
mod incoming;
mod job;
mod layout;
pub mod leaks;
mod mesh_files;
pub mod messages;
pub mod motion_explanation;
mod moves;
mod on_job;
mod opened;
pub mod other_gap;
pub mod other_level;
mod part;
pub mod pins;
mod placing;
pub mod playback;
pub mod plotted;
pub mod probe;
mod probe_shapes;
pub mod probe_test;
mod received;
mod recent;
mod recover;
mod rewriting;
mod saving;
mod scene_file;
mod searching;
pub mod session;
mod shown_jobs;
pub mod time_axis;
pub mod tour;
pub mod tuning;
mod ui_state;
pub mod unswept;
pub mod walk;
pub mod what_if;
pub mod what_if_search;
mod write_output;

use super::autosave_file::find_unsaved;
use super::build_command::BuildCommand;
use super::command::Command;
use super::dock::{Dock, Height, Pane};
use super::files::Settings;
use super::jobs::RequestRepaint;
use super::selection::Selection;
use super::source::Source;
use super::view_state::{DEEPEST_SPHERES, FreezeOn, Layers};
use crate::bundled;
use crate::core::diagnose::what_if::applies_to;
use crate::core::diagnose::what_if::session::WhatIfOutcome;
use crate::core::diagnose::{Cause, Finding};
use crate::core::problem::Problem;
use crate::core::query::probe::ProbeMode;
use crate::core::replay::{Phase, Subject};
use crate::core::scene::UserUnits;
use crate::core::shape::{Shape, SphereTree};
use crate::core::tolerance::MAX_MESH_TRIANGLES;
use crate::view::pair_view::PairView;
use asking::Asks;
use candidates::CandidatesView;
use document::Document;
pub use editing::Prompt;
pub use effect::{Dialog, Effect, Field, PlotsAs};
use egui::ThemePreference;
pub use finding_key::FindingKey;
use finding_list::ListOptions;
use glam::DVec3;
use history::Track;
pub use job::{JobDone, JobKind, Jobs, RecentFiles};
use messages::{Messages, Severity};
use motion_explanation::MotionExplanationView;
use moves::MovesView;
use playback::Playback;
use plotted::Plotted;
use probe_test::ProbeTest;
pub use session::{Derived, Session};
pub use shown_jobs::ShownJob;
use std::path::PathBuf;
use std::sync::Arc;
use time_axis::TimeAxis;
pub use ui_state::UiState;

/// Number of hints for new users.
pub const HINTS: usize = 3;

/// State of the window.
pub struct Model {
    /// The open level; `None` on the start page.
    pub session: Option<Session>,
    /// Playhead and playback.
    pub playback: Playback,
    /// The selected objects.
    pub selection: Selection,
    /// The time range of the timeline and the plots.
    pub time: TimeAxis,
    /// The plotted quantities.
    pub plotted: Plotted,
    /// Layout of the panels.
    pub dock: Dock,
    /// The height of the window.
    pub height: Height,
    /// Overlays of the viewport, and the objects they are drawn for.
    pub layers: Layers,
    /// Open overlays, theme, zoom, filters.
    pub ui_state: UiState,
    /// The log and the notifications.
    pub messages: Messages,
    /// Settings, stored between runs.
    pub settings: Settings,
    settings_changed: bool,
    /// The graphics adapter and its interface, for the help.
    pub renderer: Option<String>,
    /// The bundled levels.
    pub bundle: Vec<bundled::Entry>,
    /// The recent files as they are on the disk.
    pub recent: RecentFiles,
    /// Requests to the window, handled after the commands.
    pub effects: Vec<Effect>,
    /// Commands that follow from earlier ones; `apply` carries them out.
    pub(super) queue: Vec<Command>,
    /// Background jobs.
    pub jobs: Jobs,
    /// The moving drawings of causes.
    cause_films: cause_film::CauseFilms,
    /// What the level of a cause lacks to be fixed.
    tour_lacks: Option<(Cause, tour::Lacks)>,
    /// The level that is being read.
    opening: Option<Source>,
    /// The files to compare with once the level is read.
    pending_comparison: Vec<PathBuf>,
    /// The running gesture (a drag, or typing in a field): its edits are one undo step.
    pub gesture: Option<u64>,
    /// The open prompt.
    pub prompt: Option<Prompt>,
    autosaving: autosave::Autosaving,
    received: received::Received,
    /// The autosave to apply to the level that is being read.
    recovering: Option<recover::Recovering>,
    saving_walk: Option<walk::Saving>,
    importing: Option<import::Import>,
    asking: Option<asking::Asking>,
    /// The level that waits for the unsaved changes of the open one.
    opened: Option<opened::Opened>,
    /// The command that is asked for.
    build_command: Option<BuildCommand>,
    /// The runs for findings, one entry a finding.
    tunings: Vec<tuning::Tuning>,
    /// The probe of a saved walk, for the level that the walk is opened as.
    walk_probe: Option<(Source, Vec<DVec3>, ProbeMode)>,
}

impl Model {
    /// Creates the model of the start page; `request_repaint` is called when there is work for [`Model::poll`].
    pub fn new(settings: Settings, request_repaint: RequestRepaint) -> Self {
        let mut jobs = Jobs::new(request_repaint);
        jobs.start(JobKind::ListBundled, |_| {
            JobDone::ListBundled(bundled::entries())
        });
        recent::check(&settings.recent, &mut jobs);
        let theme = match settings.theme.as_deref() {
            Some("dark") => ThemePreference::Dark,
            Some("light") => ThemePreference::Light,
            _ => ThemePreference::System,
        };
        let recovery = settings.recovery_folder();
        let autosave_after = settings.autosave_after;
        let prompt = recovery
            .as_deref()
            .and_then(find_unsaved)
            .map(Prompt::Recover);
        Self {
            session: None,
            playback: Playback::new(1),
            selection: Selection::default(),
            time: TimeAxis::default(),
            plotted: Plotted::default(),
            height: Height::default(),
            dock: settings.layout.clone().unwrap_or_default().checked(),
            saving_walk: None,
            importing: None,
            asking: None,
            opened: None,
            build_command: None,
            tunings: Vec::new(),
            walk_probe: None,
            layers: Layers::default(),
            ui_state: UiState {
                panels_hidden: false,
                hitstop: true,
                freeze_on: FreezeOn::all().collect(),
                palette: false,
                tagging: false,
                cheat_sheet: false,
                help: None,
                hint: None,
                theme,
                zoom: settings.zoom.unwrap_or(1.0).clamp(0.5, 3.0),
                findings: ListOptions::default(),
            },
            messages: initial_messages(&settings),
            settings,
            settings_changed: false,
            renderer: None,
            bundle: Vec::new(),
            recent: RecentFiles::default(),
            effects: Vec::new(),
            queue: Vec::new(),
            jobs,
            opening: None,
            cause_films: cause_film::CauseFilms::new(),
            tour_lacks: None,
            pending_comparison: Vec::new(),
            gesture: None,
            prompt,
            autosaving: autosave::Autosaving::new(recovery, autosave_after),
            recovering: None,
            received: received::Received::new(),
        }
    }

    /// The open level.
    pub fn document(&self) -> Option<&Document> {
        Some(&self.session.as_ref()?.document)
    }

    /// The units and axes of the open level.
    pub fn units(&self) -> UserUnits {
        self.document().map(Document::units).unwrap_or_default()
    }

    /// Returns true while a dialog is open that takes all keys.
    pub fn has_dialog(&self) -> bool {
        let is_asked = self.asking.is_some() || self.build_command.is_some();
        self.prompt.is_some() || self.import().is_some() || is_asked
    }

    /// The index of the selected finding in the report.
    pub fn finding(&self) -> Option<usize> {
        self.session.as_ref()?.finding
    }

    /// Data computed from the open scene.
    pub fn derived(&self) -> Option<&Derived> {
        Some(&self.session.as_ref()?.derived)
    }

    /// A subject's history, as far as it is computed.
    pub fn track(&self, subject: Subject) -> Option<&Track> {
        self.derived()?.histories.get(subject)
    }

    /// Called when the user chooses a time or an object.
    pub(super) fn mark_navigated(&mut self) {
        if let Some(session) = &mut self.session {
            session.user_navigated = true;
        }
    }

    /// Closes the level and shows the start page.
    pub(super) fn close_level(&mut self) {
        self.drop_opened();
        self.end_session();
        self.jobs.drop(JobKind::Open);
        self.selection.clear();
        self.playback.pause();
        recent::check(&self.settings.recent, &mut self.jobs);
    }

    /// Stops the jobs of the session and takes it out.
    fn end_session(&mut self) -> Option<Session> {
        self.jobs.drop_where(JobKind::ends_with_session);
        let session = self.session.take()?;
        self.keep_cut_off(&session);
        Some(session)
    }

    /// Starts reading a level; the open one stays until it is read.
    pub fn open(&mut self, source: Source) {
        self.pending_comparison.clear();
        self.recovering = None;
        self.read(source, Asks::IfNeeded);
    }

    fn read(&mut self, source: Source, asks: Asks) {
        self.asking = None;
        self.opening = Some(source.clone());
        let cache = self.settings.cache.clone();
        let answer = match &source {
            Source::File(path) => self.answer(path),
            _ => None,
        };
        self.jobs.start(JobKind::Open, move |job| {
            growing::open(source, (asks, answer), cache.as_ref(), job)
        });
    }

    /// Starts reading a level, to compare it with other files.
    pub(super) fn open_and_compare(&mut self, path: PathBuf, others: Vec<PathBuf>) {
        self.open(Source::File(path));
        self.compare_opened(others);
    }

    /// Compares the level that is being read with files, once it is shown.
    pub(super) fn compare_opened(&mut self, others: Vec<PathBuf>) {
        self.pending_comparison = others;
    }

    /// Adds a message that so many files cannot be opened at once.
    pub(super) fn refuse_files(&mut self, count: usize) {
        let what = format!("{count} files were dropped at once");
        let help = "drop one level to open it, or up to nine to compare the first with the others";
        self.messages
            .add(Severity::Notice, Problem::new("", what, help));
    }

    /// Which level is being read, and the progress, 0..1 where known.
    pub fn loading(&self) -> Option<(String, Option<f32>)> {
        let share = self.jobs.progress(JobKind::Open)?;
        let reading = || Some(format!("Loading {}", self.opening.as_ref()?.name()));
        Some((self.live_text().or_else(reading)?, share))
    }

    /// Progress of the diagnosis, 0..1 where known; `None` when none is running or scheduled.
    pub fn diagnosing(&self) -> Option<Option<f32>> {
        if self.session.as_ref()?.growing.is_some() {
            return None;
        }
        let running = self.jobs.progress(JobKind::Diagnose);
        let due = || self.session.as_ref()?.diagnose_at.map(|_| None);
        running.or_else(due)
    }

    /// The selected finding.
    pub fn selected_finding(&self) -> Option<&Finding> {
        self.session.as_ref()?.selected_finding()
    }

    /// Positions where playback freezes, in frames, sorted: findings, and the impacts of the selected pair in the shown frame.
    pub fn freeze_points(&self) -> Vec<f64> {
        let Some(document) = self.document().filter(|_| self.ui_state.hitstop) else {
            return Vec::new();
        };
        let freezes = |event| self.ui_state.freeze_on.contains(&event);
        let frame = document.frame();
        let moments = self.finding_list().map(|list| &list.of_report.moments);
        let findings = moments.into_iter().flatten();
        let findings = findings.filter(|(_, kind)| freezes(FreezeOn::Finding(*kind)));
        let pair = self.selection.pair();
        let is_selected = |a, b| pair == Some((a, b)) || pair == Some((b, a));
        let impacts = frame.phases.iter().filter_map(|phase| match *phase {
            Phase::Advance {
                to,
                impact: Some((a, b, _)),
            } if freezes(FreezeOn::Impact) && is_selected(a, b) => {
                Some(f64::from(frame.number) + to)
            }
            _ => None,
        });
        let mut points: Vec<f64> = findings.map(|(at, _)| *at).chain(impacts).collect();
        points.sort_by(f64::total_cmp);
        points.dedup();
        points
    }

    /// Shows the frame at the playhead, and updates the data derived from it.
    pub fn show_frame(&mut self) {
        let lists_candidates = self.shows(Pane::Candidates);
        let (explains_motion, inspects) = (self.shows(Pane::Explain), self.shows(Pane::Inspector));
        let lists_log = self.shows(Pane::EngineLog);
        let shows_picture = self.shows(Pane::GamePicture);
        let explains = explains_motion || self.shows(Pane::GapPlot);
        let Some(Session {
            document,
            drawn_fraction,
            derived,
            engine_log_filter,
            ..
        }) = &mut self.session
        else {
            return;
        };
        if lists_log {
            let replay = document.replay();
            let jobs = &mut self.jobs;
            derived.engine_log.request(replay, engine_log_filter, jobs);
        }
        let playhead = self.playback.playhead();
        if shows_picture {
            let (replay, state) = (Arc::clone(document.replay()), playhead.state());
            let folder = || document.source.folder();
            let picture = &mut derived.game_picture;
            picture.request(&replay, state, folder, &mut self.jobs);
        }
        let before = Arc::clone(document.frame());
        let ahead = self.playback.playing().is_some();
        document.show_frame(playhead.frame, ahead, &mut self.jobs);
        let frame = document.frame();
        if frame.number == playhead.frame {
            *drawn_fraction = playhead.fraction;
        }
        if !frame.is_swept() {
            // The derived data is that of the frame before until this one is swept.
            return self.update_subjects();
        }
        if frame.number == before.number && !Arc::ptr_eq(frame, &before) {
            // The same frame of an edited scene: the derived data is of the scene before.
            derived.pair = None;
            derived.camera_view = None;
            derived.candidates = CandidatesView::default();
            derived.motion = MotionExplanationView::default();
            derived.moves = MovesView::default();
        }
        let objects = self.selection.objects();
        derived.moves.update(document.replay(), frame, objects);
        if !ahead {
            let replay = document.replay();
            derived.unswept.request(replay, frame, &mut self.jobs);
            if let [object] = *self.selection.objects() {
                let at = (object, playhead.state());
                if explains_motion {
                    derived.motion.request(replay, at, &mut self.jobs);
                }
                if inspects {
                    derived.motion.request_change(replay, at, &mut self.jobs);
                }
            }
        }
        match self.selection.pair() {
            Some((a, b)) => {
                let known = derived
                    .pair
                    .as_ref()
                    .is_some_and(|pair| (pair.a, pair.b, pair.frame) == (a, b, frame.number));
                if !known {
                    derived.pair = Some(PairView::of(document.replay(), frame, a, b));
                }
            }
            None => derived.pair = None,
        }
        camera_view::update(
            &mut derived.camera_view,
            document,
            explains.then_some(self.selection.objects()),
        );
        match self.selection.objects().first() {
            Some(&of) if lists_candidates => {
                let (replay, frame) = (document.replay(), document.frame());
                derived
                    .candidates
                    .request(replay, frame, of, &mut self.jobs);
            }
            // The list that the pointer was on is closed.
            _ => derived.pointed = None,
        }
        self.update_subjects();
    }

    /// Returns true while the frame at the playhead is being stepped.
    pub fn is_stepping(&self) -> bool {
        self.jobs
            .is_any_running([JobKind::Frame, JobKind::OtherFrame])
    }

    /// Selects a finding and its pair, and moves playhead and view to it.
    pub(super) fn go_to_finding(&mut self, index: usize) {
        let Some(session) = &mut self.session else {
            return;
        };
        let Some(finding) = session.document.findings().get(index) else {
            return;
        };
        self.selection
            .set([finding.object_a, finding.object_b].into_iter().flatten());
        self.playback.seek(finding.frame, finding.fraction);
        let has_what_if = applies_to(finding);
        session.select_finding(index);
        session.derived.motion.unask();
        self.effects.push(Effect::LookAtFinding);
        // One of the panels that have something about the finding is always in front.
        let is_shown = |pane| self.dock.is_shown(pane);
        let what_if = has_what_if && is_shown(Pane::WhatIf);
        if !(what_if || is_shown(Pane::Inspector) || is_shown(Pane::Explain)) {
            self.dock.show(Pane::Inspector);
        }
        self.show_frame();
    }

    /// The test of the edited probe: on a walk at the camera, else in the shown frame while its panel is visible.
    pub fn probe_test(&self) -> Option<&Arc<ProbeTest>> {
        if let Some(walk) = self.walking() {
            return walk.probe_test();
        }
        let session = self.session.as_ref().filter(|_| self.shows(Pane::Camera))?;
        session.probe.test()
    }

    /// The outcome of the What-if, while its values are changed and its panel is visible.
    pub fn what_if_outcome(&self) -> Option<&Arc<WhatIfOutcome>> {
        let derived = self.derived().filter(|_| self.shows(Pane::WhatIf))?;
        let what_if = derived.what_if.as_ref()?;
        let state = what_if.ready().filter(|state| state.is_changed())?;
        state.changed()
    }

    /// The deepest level of the sphere trees that can be drawn; `None` without a mesh.
    pub fn deepest_sphere_level(&self) -> Option<u32> {
        let document = self.document();
        let objects = document.iter().flat_map(|open| open.replay().objects());
        let levels = objects.filter_map(|object| match &object.shape {
            Shape::Mesh(mesh) if mesh.count() <= MAX_MESH_TRIANGLES => {
                Some(SphereTree::deepest_level(mesh.count()))
            }
            _ => None,
        });
        levels.max().map(|deepest| deepest.min(DEEPEST_SPHERES))
    }
}

/// Messages of the start of the program.
fn initial_messages(settings: &Settings) -> Messages {
    let mut messages = Messages::default();
    if let Some(aside) = &settings.set_aside {
        let file = aside.display().to_string();
        let what = "settings could not be read; defaults are used";
        let help = "the unreadable file is kept here";
        messages.add(Severity::Notice, Problem::new(file, what, help));
    }
    messages
}
