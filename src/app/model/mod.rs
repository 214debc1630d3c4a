//! What the window shows, without a window: the opened level, the playhead, the selection, what is looked at.

pub mod asked;
mod author;
mod autosave;
pub mod bookmarks;
mod camera_story;
pub mod candidates;
pub mod compare;
pub mod document;
mod effect;
mod excerpt;
mod expect;
mod export;
mod file_watch;
pub mod find;
pub mod history;
pub mod import;
mod incoming;
mod job;
mod look;
mod mesh_files;
pub mod messages;
pub mod pins;
mod placing;
pub mod playback;
pub mod plotted;
pub mod probe;
pub mod probe_look;
mod probe_shapes;
mod recover;
mod rewriting;
mod saving;
mod scene_file;
pub mod session;
pub mod time_axis;
pub mod walk;
pub mod what_if;

use super::autosave_file::find_unsaved;
use super::command::Command;
use super::dock::{Dock, Pane};
use super::files::Settings;
use super::jobs::RequestRepaint;
use super::selection::Selection;
use super::source::{Source, load};
use super::view_state::{DEEPEST_SPHERES, FreezeOn, Layers};
use crate::bundled;
use crate::core::diagnose::Finding;
use crate::core::diagnose::what_if::session::WhatIfOutcome;
use crate::core::problem::Problem;
use crate::core::query::probe::ProbeMode;
use crate::core::replay::compare::Settings as CompareSettings;
use crate::core::replay::{Phase, Subject};
use crate::core::shape::{Shape, SphereTree};
use crate::view::pair_view::PairView;
pub use author::Ask;
use candidates::CandidatesView;
use compare::Against;
use document::Document;
pub use effect::{Dialog, Effect, Field, PlotsAs};
use egui::ThemePreference;
use glam::DVec3;
use history::Track;
pub use job::{JobDone, JobKind, Jobs, ShownJob};
pub use look::Look;
use messages::{Messages, Severity};
use playback::Playback;
use plotted::Plotted;
use probe_look::ProbeLook;
pub use session::{Derived, Session};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use time_axis::TimeAxis;

/// How many hints somebody new is shown.
pub const HINTS: usize = 3;

/// How long the end of the program waits for the settings to be saved.
const LAST_SAVE: Duration = Duration::from_secs(2);

/// Everything the window shows.
pub struct Model {
    /// The open level; `None` on the start page.
    pub session: Option<Session>,
    /// Where in time.
    pub playback: Playback,
    /// What is selected.
    pub selection: Selection,
    /// Which part of time the timeline and the plots show.
    pub time: TimeAxis,
    /// What the plots show.
    pub plotted: Plotted,
    /// Where the panels stand.
    pub dock: Dock,
    /// What the viewport draws, for whom.
    pub layers: Layers,
    /// Which parts are open.
    pub look: Look,
    /// What was not dismissed.
    pub messages: Messages,
    /// What is remembered from run to run.
    pub settings: Settings,
    settings_changed: bool,
    /// The bundled levels.
    pub bundle: Vec<bundled::Entry>,
    /// What the app is to do after the commands.
    pub effects: Vec<Effect>,
    /// Commands that follow from what was done; `apply` carries them out.
    pub(super) queue: Vec<Command>,
    /// What runs in the background.
    pub jobs: Jobs,
    /// The level that is being read.
    opening: Option<Source>,
    /// What the level that is being read is held against once it is there.
    beside: Option<PathBuf>,
    /// The press of the pointer, or the stay in a field, that is going on: its changes are one step back.
    pub gesture: Option<u64>,
    /// What must be answered first.
    pub ask: Option<Ask>,
    autosaving: autosave::Autosaving,
    /// The autosaved text that is to be shown in the level that is being read.
    recovering: Option<recover::Recovering>,
    saving_walk: Option<walk::Saving>,
    importing: Option<import::Import>,
    /// The probe that walked, for the level that its walk becomes.
    kept_probe: Option<(Source, Vec<DVec3>, ProbeMode)>,
}

impl Model {
    /// The start page; `request_repaint` is called when there is work for [`Model::poll`].
    pub fn new(settings: Settings, request_repaint: RequestRepaint) -> Self {
        let mut jobs = Jobs::new(request_repaint);
        jobs.start(JobKind::ListBundled, |_| {
            JobDone::ListBundled(bundled::entries())
        });
        let theme = match settings.theme.as_deref() {
            Some("dark") => ThemePreference::Dark,
            Some("light") => ThemePreference::Light,
            _ => ThemePreference::System,
        };
        let recovery = settings.recovery_folder();
        let autosave_after = settings.autosave_after;
        let ask = recovery.as_deref().and_then(find_unsaved).map(Ask::Recover);
        Self {
            session: None,
            playback: Playback::new(1),
            selection: Selection::default(),
            time: TimeAxis::default(),
            plotted: Plotted::default(),
            dock: settings.layout.clone().unwrap_or_default().checked(),
            saving_walk: None,
            importing: None,
            kept_probe: None,
            layers: Layers::default(),
            look: Look {
                bare: false,
                hitstop: true,
                freeze_on: FreezeOn::all().collect(),
                palette: false,
                tagging: false,
                cheat_sheet: false,
                hint: None,
                theme,
                zoom: settings.zoom.unwrap_or(1.0).clamp(0.5, 3.0),
                hidden_kinds: BTreeSet::new(),
            },
            messages: told_at_first(&settings),
            settings,
            settings_changed: false,
            bundle: Vec::new(),
            effects: Vec::new(),
            queue: Vec::new(),
            jobs,
            opening: None,
            beside: None,
            gesture: None,
            ask,
            autosaving: autosave::Autosaving::new(recovery, autosave_after),
            recovering: None,
        }
    }

    /// The open level.
    pub fn document(&self) -> Option<&Document> {
        Some(&self.session.as_ref()?.document)
    }

    /// The index of the selected finding in the report.
    pub fn finding(&self) -> Option<usize> {
        self.session.as_ref()?.finding
    }

    /// What is computed from the open scene.
    pub fn derived(&self) -> Option<&Derived> {
        Some(&self.session.as_ref()?.derived)
    }

    /// A subject's history, as far as it is known.
    pub fn track(&self, subject: Subject) -> Option<&Track> {
        self.derived()?.histories.get(subject)
    }

    /// A moment or an object was chosen by hand.
    pub(super) fn touch(&mut self) {
        if let Some(session) = &mut self.session {
            session.touched = true;
        }
    }

    /// Closes the level: the start page is shown.
    pub(super) fn close_level(&mut self) {
        self.end_session();
        self.jobs.drop(JobKind::Open);
        self.selection.clear();
        self.playback.pause();
    }

    /// Takes the session out, without its jobs.
    fn end_session(&mut self) -> Option<Session> {
        self.jobs.drop_where(JobKind::ends_with_session);
        self.session.take()
    }

    /// Begins to read a level; what is open stays until it is there.
    pub fn open(&mut self, source: Source) {
        self.opening = Some(source.clone());
        self.jobs.start(JobKind::Open, move |job| {
            let loaded = load(&source, job);
            JobDone::Open(source, loaded.map(Box::new))
        });
        self.beside = None;
        self.recovering = None;
    }

    /// Begins to read a level that is then held against another file.
    pub(super) fn open_beside(&mut self, path: PathBuf, other: PathBuf) {
        self.open(Source::File(path));
        self.beside = Some(other);
    }

    /// Says why nothing is made of so many files.
    pub(super) fn refuse_files(&mut self, count: usize) {
        let what = format!("{count} files were dropped at once");
        let help = "drop one level to open it, or two to compare them";
        self.messages
            .add(Severity::Notice, Problem::new("", what, help));
    }

    /// What is being read, with the share done.
    pub fn loading(&self) -> Option<(String, Option<f32>)> {
        let share = self.jobs.progress(JobKind::Open)?;
        Some((self.opening.as_ref()?.name(), share))
    }

    /// True while findings are looked for, with the share done.
    pub fn diagnosing(&self) -> Option<Option<f32>> {
        let running = self.jobs.progress(JobKind::Diagnose);
        let due = || self.session.as_ref()?.diagnose_at.map(|_| None);
        running.or_else(due)
    }

    /// The selected finding.
    pub fn selected_finding(&self) -> Option<&Finding> {
        self.session.as_ref()?.selected_finding()
    }

    /// Where time stands still while playing, in frames from the start, rising: findings, and the shown frame's impacts.
    pub fn freeze_points(&self) -> Vec<f64> {
        let Some(document) = self.document().filter(|_| self.look.hitstop) else {
            return Vec::new();
        };
        let held = |hold| self.look.freeze_on.contains(&hold);
        let frame = document.frame();
        let findings = document
            .findings()
            .iter()
            .filter(|finding| held(FreezeOn::Finding(finding.kind)))
            .map(|finding| f64::from(finding.frame) + finding.fraction);
        let impacts = frame.phases.iter().filter_map(|phase| match phase {
            Phase::Advance {
                to,
                impact: Some(_),
            } if held(FreezeOn::Impact) => Some(f64::from(frame.number) + to),
            _ => None,
        });
        let mut holds: Vec<f64> = findings.chain(impacts).collect();
        holds.sort_by(f64::total_cmp);
        holds.dedup();
        holds
    }

    /// Takes the frame at the playhead, and looks at the selected pair in it.
    pub fn show_frame(&mut self) {
        let lists_candidates = self.shows(Pane::Candidates);
        let explains = self.shows(Pane::Explain);
        let Some(Session {
            document, derived, ..
        }) = &mut self.session
        else {
            return;
        };
        let number = self.playback.playhead().frame;
        let before = Arc::clone(document.frame());
        let ahead = self.playback.playing().is_some();
        document.show_frame(number, ahead, &mut self.jobs);
        let frame = document.frame();
        if frame.number == before.number && !Arc::ptr_eq(frame, &before) {
            // The same frame of another scene: what is known is of the one before.
            derived.pair = None;
            derived.camera_explanation = None;
            derived.candidates = CandidatesView::default();
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
        camera_story::tell(
            &mut derived.camera_explanation,
            document,
            explains.then_some(self.selection.objects()),
        );
        match self.selection.objects().first() {
            Some(&of) if lists_candidates => {
                let (replay, frame) = (document.replay(), document.frame());
                derived.candidates.look(replay, frame, of, &mut self.jobs);
            }
            // The list that the pointer was on is not shown any more.
            _ => derived.pointed = None,
        }
        self.follow_subjects();
    }

    /// Returns true while the frame at the playhead is being stepped.
    pub fn is_stepping(&self) -> bool {
        self.jobs
            .is_any_running([JobKind::Frame, JobKind::OtherFrame])
    }

    /// Selects a finding and its pair, and goes to its moment and place.
    pub(super) fn go_to_finding(&mut self, index: usize) {
        let Some(session) = &mut self.session else {
            return;
        };
        let Some(finding) = session.document.findings().get(index) else {
            return;
        };
        session.finding = Some(index);
        self.selection
            .set([finding.object_a, finding.object_b].into_iter().flatten());
        self.playback.seek(finding.frame, finding.fraction);
        self.effects.push(Effect::LookAtFinding);
        self.show_frame();
    }

    /// What the edited probe finds: on a walk where it stands, else in the shown frame, while its panel is seen.
    pub fn probe_look(&self) -> Option<&Arc<ProbeLook>> {
        if let Some(walk) = self.walking() {
            return walk.look();
        }
        let session = self.session.as_ref().filter(|_| self.shows(Pane::Camera))?;
        session.probe.look()
    }

    /// The finding on the bench, where its numbers are changed and its panel is seen.
    pub fn tried(&self) -> Option<&Arc<WhatIfOutcome>> {
        let derived = self.derived().filter(|_| self.shows(Pane::WhatIf))?;
        let what_if = derived.what_if.as_ref()?;
        let bench = what_if.bench().filter(|bench| bench.is_changed())?;
        bench.tried()
    }

    /// Compares the open level with another replay.
    pub(super) fn compare_with(&mut self, against: Against) {
        let Some(session) = &mut self.session else {
            return;
        };
        let replay = session.document.replay();
        session.compare.start(against, replay, &mut self.jobs);
        self.show_pane(Pane::Compare);
    }

    /// Compares by other settings.
    pub(super) fn compare_by(&mut self, settings: CompareSettings) {
        if let Some(session) = &mut self.session {
            let replay = session.document.replay();
            session.compare.set(settings, replay, &mut self.jobs);
        }
    }

    /// Selects a row of what differs and goes to its first difference.
    pub(super) fn go_to_difference(&mut self, index: usize) {
        let Some(session) = &mut self.session else {
            return;
        };
        let found = session.compare.result().map(Arc::clone);
        let Some(row) = found.as_ref().and_then(|found| found.objects.get(index)) else {
            return;
        };
        session.finding = None;
        session.touched = true;
        session.compare.choose(row.subject);
        self.selection.set(row.subject.a());
        let first = row.first.map(|first| first.frame).or(row.motion_from);
        self.playback.seek(first.unwrap_or(0), 0.0);
        if row.subject.a().is_some() {
            self.effects.push(Effect::LookAtSelection);
        }
        self.show_frame();
    }

    /// The deepest level that is drawn of the sphere trees of the open level; `None` without a mesh.
    pub fn deepest_sphere_level(&self) -> Option<u32> {
        let document = self.document();
        let objects = document.iter().flat_map(|open| open.replay().objects());
        let levels = objects.filter_map(|object| match &object.shape {
            Shape::Mesh(mesh) => Some(SphereTree::deepest_level(mesh.triangles().len())),
            _ => None,
        });
        levels.max().map(|deepest| deepest.min(DEEPEST_SPHERES))
    }

    /// Is a panel seen?
    pub fn shows(&self, pane: Pane) -> bool {
        !self.look.bare && self.dock.is_shown(pane)
    }

    /// Brings a panel to the front, out of the picture that stands alone, too.
    pub(super) fn show_pane(&mut self, pane: Pane) {
        self.look.bare = false;
        self.dock.show(pane);
    }

    /// The panels were moved: they stand there the next time, too.
    pub(super) fn save_panels(&mut self) {
        self.settings.layout = Some(self.dock.clone());
        self.save_settings();
    }

    /// The settings were changed: they are saved in the background.
    pub(super) fn save_settings(&mut self) {
        self.settings_changed = true;
    }

    /// Saves changed settings, one save at a time.
    fn write_settings(&mut self) {
        if self.settings_changed && !self.jobs.is_running(JobKind::SaveSettings) {
            self.settings_changed = false;
            let settings = self.settings.clone();
            self.jobs.start(JobKind::SaveSettings, move |_| {
                JobDone::SaveSettings(settings.save())
            });
        }
    }

    /// Returns true where the file of the settings holds all of them.
    pub fn settings_are_saved(&self) -> bool {
        !self.settings_changed && !self.jobs.is_running(JobKind::SaveSettings)
    }

    /// Saves the settings before the program ends.
    pub(super) fn finish(&mut self) {
        let begun = Instant::now();
        while !self.settings_are_saved() && begun.elapsed() < LAST_SAVE {
            self.take_results();
            self.write_settings();
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// What there is to say before anything was done.
fn told_at_first(settings: &Settings) -> Messages {
    let mut messages = Messages::default();
    if let Some(aside) = &settings.set_aside {
        let file = aside.display().to_string();
        let what = "the settings could not be read: panels, recent files and pins are as at first";
        let help = "what they were is kept in this file";
        messages.add(Severity::Notice, Problem::new(file, what, help));
    }
    messages
}
