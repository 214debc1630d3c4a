//! What the window shows, without a window: the opened level, the playhead, the selection, what is looked at.

pub mod asked;
pub mod candidates;
pub mod document;
mod expect;
pub mod messages;
pub mod playback;

use super::dock::{Dock, Pane};
use super::files::Settings;
use super::jobs::{self, Job, Loaded, Part, Saved, Source, Wake};
use super::selection::Selection;
use super::view_state::{Hold, Layers};
use crate::bundled;
use crate::core::diagnose::pair_view::PairView;
use crate::core::diagnose::{Finding, Kind, Report};
use crate::core::problem::{Problem, Problems};
use crate::core::replay::{ObjectId, Phase};
use asked::Asked;
use candidates::CandidatesView;
use document::Document;
use egui::ThemePreference;
use messages::{Messages, Severity};
use playback::Playback;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Notices of one input that are shown one by one; the rest is counted.
const NOTICES: usize = 20;

/// Which parts of the window are open, and how they look.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Only the picture is shown.
    pub bare: bool,
    /// While playing, time stands still for a moment..
    pub hitstop: bool,
    /// .. at these.
    pub holds: BTreeSet<Hold>,
    /// Find anything.
    pub palette: bool,
    /// Every key.
    pub cheat_sheet: bool,
    /// Dark, light, or as the system says.
    pub theme: ThemePreference,
    /// Size of everything in the window.
    pub zoom: f32,
    /// Kinds that the findings list leaves out.
    pub hidden_kinds: BTreeSet<Kind>,
}

/// A field that a command puts the cursor into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// The outliner's filter.
    Filter,
    /// The timeline's frame number.
    Frame,
}

/// What only the window can do; the app carries these out after the commands.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// The view goes to the whole level.
    LookAtLevel {
        /// Gliding there, or at once.
        softly: bool,
    },
    /// The view goes to the selected objects, or to the level when nothing is selected.
    LookAtSelection,
    /// The view goes to the selected finding's impact.
    LookAtFinding,
    /// A text goes to the clipboard.
    Copy(String),
    /// The cursor goes to a field.
    Focus(Field),
    /// The system asks for a file.
    OpenDialog,
    /// The system asks where to save a scene, beginning in this folder.
    SceneDialog(Option<PathBuf>),
    /// Window or full screen.
    Fullscreen,
    /// The window closes.
    Quit,
}

/// Everything the window shows.
pub struct Model {
    /// The opened level; the start page when there is none.
    pub document: Option<Document>,
    /// Where in time.
    pub playback: Playback,
    /// What is selected.
    pub selection: Selection,
    /// The finding that is selected, by its place in the report.
    pub finding: Option<usize>,
    /// The selected pair in the shown frame.
    pub pair: Option<PairView>,
    /// The candidates of the object that was selected first, while their panel is open.
    pub candidates: CandidatesView,
    /// What the pointer is on in a list: shown in the picture.
    pub pointed: Option<ObjectId>,
    /// Where the panels stand.
    pub dock: Dock,
    /// The selected finding, asked what would have to be otherwise.
    pub asked: Option<Asked>,
    /// What the viewport draws, for whom.
    pub layers: Layers,
    /// Which parts are open.
    pub look: Look,
    /// What was not dismissed.
    pub messages: Messages,
    /// What is remembered from run to run.
    pub settings: Settings,
    /// The bundled levels.
    pub bundle: Vec<bundled::Entry>,
    /// What the app is to do after the commands.
    pub effects: Vec<Effect>,
    /// True once a person chose a moment or an object: then the first finding is not selected over it.
    pub(super) touched: bool,
    pub(super) loading: Option<(Source, Job<Result<Loaded, Problems>>)>,
    pub(super) diagnosing: Option<Job<Option<Report>>>,
    saving: Option<Job<Result<Saved, Problem>>>,
    expecting: Option<(PathBuf, Job<Result<(), Problems>>)>,
    listing: Option<Job<Result<Vec<bundled::Entry>, Problems>>>,
    wake: Wake,
}

impl Model {
    /// The start page; `wake` is called when something is ready to be taken by [`Model::poll`].
    pub fn new(settings: Settings, wake: Wake) -> Self {
        let theme = match settings.theme.as_deref() {
            Some("dark") => ThemePreference::Dark,
            Some("light") => ThemePreference::Light,
            _ => ThemePreference::System,
        };
        Self {
            document: None,
            playback: Playback::new(1),
            selection: Selection::default(),
            finding: None,
            pair: None,
            candidates: CandidatesView::default(),
            pointed: None,
            dock: settings.layout.clone().unwrap_or_default().checked(),
            asked: None,
            layers: Layers::default(),
            look: Look {
                bare: false,
                hitstop: true,
                holds: Hold::all().collect(),
                palette: false,
                cheat_sheet: false,
                theme,
                zoom: settings.zoom.unwrap_or(1.0).clamp(0.5, 3.0),
                hidden_kinds: BTreeSet::new(),
            },
            messages: Messages::default(),
            settings,
            bundle: Vec::new(),
            effects: Vec::new(),
            touched: false,
            loading: None,
            diagnosing: None,
            saving: None,
            expecting: None,
            listing: Some(Job::start(wake.clone(), |_| bundled::entries())),
            wake,
        }
    }

    /// Begins to read a level; what is open stays until it is there.
    pub fn open(&mut self, source: Source) {
        let job = jobs::load(source.clone(), self.wake.clone());
        self.loading = Some((source, job));
    }

    /// What is being read, with the share done.
    pub fn loading(&self) -> Option<(String, Option<f32>)> {
        let (source, job) = self.loading.as_ref()?;
        Some((source.name(), job.share()))
    }

    /// True while findings are looked for, with the share done.
    pub fn diagnosing(&self) -> Option<Option<f32>> {
        Some(self.diagnosing.as_ref()?.share())
    }

    /// The selected finding.
    pub fn selected_finding(&self) -> Option<&Finding> {
        self.document.as_ref()?.findings().get(self.finding?)
    }

    /// Where time stands still while playing, in frames from the start, rising: findings, and the shown frame's impacts.
    pub fn holds(&self) -> Vec<f64> {
        let Some(document) = self.document.as_ref().filter(|_| self.look.hitstop) else {
            return Vec::new();
        };
        let held = |hold| self.look.holds.contains(&hold);
        let frame = document.frame();
        let findings = document
            .findings()
            .iter()
            .filter(|finding| held(Hold::Finding(finding.kind)))
            .map(|finding| f64::from(finding.frame) + finding.fraction);
        let impacts = frame.phases.iter().filter_map(|phase| match phase {
            Phase::Advance {
                to,
                impact: Some(_),
            } if held(Hold::Impact) => Some(f64::from(frame.number) + to),
            _ => None,
        });
        let mut holds: Vec<f64> = findings.chain(impacts).collect();
        holds.sort_by(f64::total_cmp);
        holds.dedup();
        holds
    }

    /// Takes what finished beside the window, and the frame at the playhead.
    pub fn poll(&mut self) {
        self.take_bundle();
        self.take_expectation();
        self.take_level();
        self.take_report();
        self.take_saved();
        self.ask_finding();
        self.show_frame();
    }

    /// Asks the selected finding, once; the question about another is dropped.
    fn ask_finding(&mut self) {
        if self.asked.as_ref().map(|asked| asked.finding) != self.finding {
            let wake = self.wake.clone();
            let document = self.document.as_ref();
            self.asked = self.finding.zip(document).and_then(|(index, document)| {
                let finding = document.findings().get(index)?;
                Asked::start(index, finding, document.replay(), wake)
            });
        }
        if let Some(asked) = &mut self.asked {
            asked.poll();
        }
    }

    fn take_bundle(&mut self) {
        let Some(outcome) = self.listing.as_ref().and_then(Job::poll) else {
            return;
        };
        self.listing = None;
        match outcome {
            Ok(Ok(entries)) => self.bundle = entries,
            Ok(Err(problems)) => self.complain(problems),
            Err(fault) => self.own_fault("the bundled levels", &fault),
        }
    }

    fn take_level(&mut self) {
        let Some(outcome) = self.loading.as_ref().and_then(|(_, job)| job.poll()) else {
            return;
        };
        let Some((source, job)) = self.loading.take() else {
            return;
        };
        match outcome {
            Ok(Ok(loaded)) => self.show_level(loaded, source),
            Ok(Err(_)) if job.stopped() => {}
            Ok(Err(problems)) => self.complain(problems),
            Err(fault) => self.own_fault(&source.name(), &fault),
        }
    }

    fn show_level(&mut self, loaded: Loaded, source: Source) {
        let Loaded { level, first } = loaded;
        if let Source::File(path) = &source {
            self.settings.remember(path);
            self.save_settings();
        }
        self.announce(level.notices.clone());
        let again = self
            .document
            .as_ref()
            .is_some_and(|document| document.source == source);
        self.diagnosing = Some(jobs::diagnose(level.clone(), self.wake.clone()));
        let frames = level.replay.frames();
        let document = Document::new(level, source, first, self.wake.clone());
        self.finding = None;
        self.asked = None;
        self.pair = None;
        self.candidates.clear();
        self.pointed = None;
        if again {
            let playhead = self.playback.playhead();
            self.playback = Playback::new(frames);
            self.playback.seek(playhead.frame, playhead.fraction);
            let objects = document.replay().objects().len();
            let kept: Vec<_> = self.selection.objects().to_vec();
            self.selection
                .set(kept.into_iter().filter(|&id| (id as usize) < objects));
        } else {
            self.playback = Playback::new(frames);
            self.selection.clear();
            self.touched = false;
            self.effects.push(Effect::LookAtLevel { softly: false });
        }
        self.document = Some(document);
    }

    fn take_report(&mut self) {
        let Some(outcome) = self.diagnosing.as_ref().and_then(Job::poll) else {
            return;
        };
        self.diagnosing = None;
        let Some(document) = &mut self.document else {
            return;
        };
        match outcome {
            Ok(Some(report)) => {
                let file = document.level.file.display().to_string();
                let notices = report
                    .notices
                    .iter()
                    .filter(|text| {
                        // The level's own notices were shown when it opened.
                        !document
                            .level
                            .notices
                            .iter()
                            .any(|known| text.contains(&known.what))
                    })
                    .map(|text| Problem::new(file.clone(), text.clone(), ""))
                    .collect();
                let any = !report.findings.is_empty();
                document.report = Some(report);
                self.announce(notices);
                if any && !self.touched {
                    self.go_to_finding(0);
                }
            }
            Ok(None) => {}
            Err(fault) => {
                let name = document.source.name();
                self.own_fault(&name, &fault);
            }
        }
    }

    /// Makes a scene of the selected finding, else of the selected pair in the shown frame, else of that frame, and saves it.
    pub fn save_scene(&mut self, path: PathBuf) {
        let Some(document) = &self.document else {
            return;
        };
        let part = match (self.selected_finding(), self.selection.pair()) {
            (Some(finding), _) => Part::Finding(Box::new(finding.clone())),
            (None, Some((a, b))) => Part::Pair(a, b, document.frame().number),
            (None, None) => Part::Frame(document.frame().number),
        };
        let (level, folder) = (document.level.clone(), document.folder());
        self.saving = Some(jobs::save_scene(
            level,
            part,
            folder,
            path,
            self.wake.clone(),
        ));
    }

    /// True while a scene is made and saved.
    pub fn saving(&self) -> bool {
        self.saving.is_some()
    }

    fn take_saved(&mut self) {
        let Some(outcome) = self.saving.as_ref().and_then(Job::poll) else {
            return;
        };
        self.saving = None;
        match outcome {
            Ok(Ok(Saved { path, notices })) => {
                let file = path.display().to_string();
                let said = Problem::new(
                    file,
                    "the scene is saved",
                    "open it to see the frame by itself",
                );
                self.announce(std::iter::once(said).chain(notices).collect());
            }
            Ok(Err(problem)) => self.messages.add(Severity::Error, problem),
            Err(fault) => self.own_fault("the scene", &fault),
        }
    }

    /// Takes the frame at the playhead, and looks at the selected pair in it.
    pub fn show_frame(&mut self) {
        let Some(document) = &mut self.document else {
            self.pair = None;
            return;
        };
        let number = self.playback.playhead().frame;
        let outcome = document.show_frame(number);
        let frame = document.frame();
        match self.selection.pair() {
            Some((a, b)) => {
                let known = self
                    .pair
                    .as_ref()
                    .is_some_and(|pair| (pair.a, pair.b, pair.frame) == (a, b, frame.number));
                if !known {
                    self.pair = Some(PairView::of(document.replay(), frame, a, b));
                }
            }
            None => self.pair = None,
        }
        let asked = match self.selection.objects().first() {
            Some(&of) if self.dock.is_shown(Pane::Candidates) => {
                let (replay, frame) = (document.replay(), document.frame());
                self.candidates.look(replay, frame, of, &self.wake)
            }
            _ => Ok(()),
        };
        if let Err(fault) = outcome.and(asked) {
            let name = document.source.name();
            self.own_fault(&name, &fault);
        }
    }

    /// Selects a finding and its pair, and goes to its moment and place.
    pub(super) fn go_to_finding(&mut self, index: usize) {
        let Some(document) = &self.document else {
            return;
        };
        let Some(finding) = document.findings().get(index) else {
            return;
        };
        self.finding = Some(index);
        self.selection
            .set([finding.object_a, finding.object_b].into_iter().flatten());
        self.playback.seek(finding.frame, finding.fraction);
        self.effects.push(Effect::LookAtFinding);
        self.show_frame();
    }

    /// Shows every problem as an error.
    pub(super) fn complain(&mut self, problems: Problems) {
        for problem in problems.0 {
            self.messages.add(Severity::Error, problem);
        }
    }

    fn announce(&mut self, notices: Vec<Problem>) {
        let left_out = notices.len().saturating_sub(NOTICES);
        let file = notices.first().map(|notice| notice.file.clone());
        for notice in notices.into_iter().take(NOTICES) {
            self.messages.add(Severity::Notice, notice);
        }
        if let (Some(file), 1..) = (file, left_out) {
            let text = format!("{left_out} more notices of this kind");
            let mend = "`hitstop check` prints all of them";
            self.messages
                .add(Severity::Notice, Problem::new(file, text, mend));
        }
    }

    fn own_fault(&mut self, file: &str, fault: &str) {
        let text = format!("this is a fault of the program: {fault}");
        let mend = "please report it, with the file";
        self.messages
            .add(Severity::Error, Problem::new(file, text, mend));
    }

    /// The panels were moved: they stand there the next time, too.
    pub(super) fn save_panels(&mut self) {
        self.settings.layout = Some(self.dock.clone());
        self.save_settings();
    }

    pub(super) fn save_settings(&mut self) {
        if let Err(problem) = self.settings.save() {
            self.messages.add(Severity::Notice, problem);
        }
    }
}
