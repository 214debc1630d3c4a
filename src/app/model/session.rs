//! State that lasts while a level is open.

use super::bookmarks::Bookmarks;
use super::candidates::CandidatesView;
use super::compare::Compare;
use super::document::Document;
use super::engine_log::EngineLogView;
use super::file_watch::FileWatch;
use super::find::Find;
use super::finding_key::FindingKey;
use super::finding_list::FindingList;
use super::game_picture::GamePictureView;
use super::growing::Growing;
use super::history::Histories;
use super::leaks::{LeaksForm, LeaksView};
use super::mesh_files::MeshFiles;
use super::motion_explanation::MotionExplanationView;
use super::moves::MovesView;
use super::pins::Pins;
use super::probe::Probe;
use super::unswept::UnsweptView;
use super::walk::Walk;
use super::what_if::WhatIf;
use super::what_if_search::WhatIfSearch;
use crate::app::command::Command;
use crate::app::view_options::Visibility;
use crate::core::diagnose::what_if::Parameter;
use crate::core::diagnose::{Changes, Finding, LevelFix, Report};
use crate::core::edit::ObjectMatching;
use crate::core::replay::ObjectId;
use crate::view::camera_view::CameraView;
use crate::view::pair_view::PairView;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// An open level with its derived data.
pub struct Session {
    /// The level.
    pub document: Document,
    /// The fraction of its frame at which the level was drawn last: while the frame at the playhead is being stepped, the picture
    /// stays.
    pub drawn_fraction: f64,
    /// The selected finding; it stays selected while there is no report of a changed level.
    pub selected: Option<FindingKey>,
    /// Its index in the report.
    pub finding: Option<usize>,
    /// The finding that was selected last, to which the next step goes back while none is selected.
    pub(in crate::app) last_finding: Option<FindingKey>,
    /// Data computed from the scene.
    pub derived: Derived,
    /// The listed findings.
    pub finding_list: FindingList,
    /// The report that the findings are compared with: that of the run before the last reload, else the first one.
    pub(super) report_before: Option<Arc<Report>>,
    /// The changes since that report.
    pub changes: Option<Changes>,
    /// Search for a frame.
    pub find: Find,
    /// Hidden and followed objects.
    pub visibility: Visibility,
    /// Pinned objects and pairs.
    pub pins: Pins,
    /// Bookmarks.
    pub bookmarks: Bookmarks,
    /// The comparison with another replay.
    pub compare: Compare,
    /// The edited camera probe.
    pub probe: Probe,
    /// The names of the objects of a recording that are judged as characters.
    pub(super) characters: BTreeSet<String>,
    /// The filter of the engine log.
    pub engine_log_filter: String,
    /// What the Leaks panel searches.
    pub leaks_form: LeaksForm,
    /// The running walk, or the last one while it is not saved.
    pub walk: Option<Walk>,
    /// True after the user chose a time or an object: then the first finding is not selected automatically.
    pub(in crate::app) user_navigated: bool,
    /// While only a part of the level is read or received.
    pub(super) growing: Option<Growing>,
    /// Time of the scheduled diagnosis.
    pub(super) diagnose_at: Option<Instant>,
    /// True if the scene was edited during the diagnosis: another one follows.
    pub(super) diagnose_again: bool,
    pub(super) scene_file: FileWatch,
    pub(super) meshes: MeshFiles,
    /// The file to save to after the running save.
    pub(super) save_next: Option<PathBuf>,
    /// The command to run after the scene is saved.
    pub(super) after_save: Option<Command>,
}

/// Data computed from the scene; reset when the scene changes.
#[derive(Default)]
pub struct Derived {
    /// The selected pair in the shown frame.
    pub pair: Option<PairView>,
    /// The camera and the selected object in the shown frame, while the Explanation or the Gap panel is open.
    pub camera_view: Option<CameraView>,
    /// The candidates of the first selected object, while their panel is open.
    pub candidates: CandidatesView,
    /// Why the selected object is where it is, while the Explanation panel is open.
    pub motion: MotionExplanationView,
    /// The picture of the game at the playhead, while its panel is open.
    pub game_picture: GamePictureView,
    /// The moves of the selected object.
    pub moves: MovesView,
    /// What the program and its engine logged, while its panel is open.
    pub engine_log: EngineLogView,
    /// The places where movers pass the fixed surfaces, once they are searched.
    pub leaks: LeaksView,
    /// The impacts of the shown frame that its sweep cannot find.
    pub unswept: UnsweptView,
    /// Histories for lanes and plots.
    pub histories: Histories,
    /// The changes that fix most findings, once they are searched.
    pub level_fixes: Vec<LevelFix>,
    /// The change of which the list shows the findings that stay.
    pub stays_with: Option<usize>,
    /// The limits of the selected finding.
    pub what_if_search: Option<WhatIfSearch>,
    /// The What-if of the selected finding, while its panel is open.
    pub what_if: Option<WhatIf>,
    /// A value for the What-if of the selected finding, until it is prepared.
    pub try_next: Option<(Parameter, f64)>,
    /// The object under the pointer in a list: highlighted in the view.
    pub pointed: Option<ObjectId>,
}

impl Session {
    /// Creates the session of an opened level.
    pub(super) fn new(document: Document) -> Self {
        Self {
            probe: Probe::of(document.replay()),
            document,
            drawn_fraction: 0.0,
            selected: None,
            finding: None,
            last_finding: None,
            derived: Derived::default(),
            finding_list: FindingList::default(),
            report_before: None,
            changes: None,
            find: Find::default(),
            visibility: Visibility::default(),
            pins: Pins::default(),
            bookmarks: Bookmarks::default(),
            compare: Compare::default(),
            characters: BTreeSet::new(),
            engine_log_filter: String::new(),
            leaks_form: LeaksForm::default(),
            walk: None,
            user_navigated: false,
            growing: None,
            diagnose_at: None,
            diagnose_again: false,
            scene_file: FileWatch::default(),
            meshes: MeshFiles::default(),
            save_next: None,
            after_save: None,
        }
    }

    /// Replaces the level by another state of the same one, as its file was read again. What the user has set stays, objects by their
    /// names.
    pub(super) fn replace_document(&mut self, document: Document) {
        let before = std::mem::replace(&mut self.document, document);
        let now = self.document.replay();
        let matching = ObjectMatching::new(before.replay().objects(), now.objects());
        let ordinal = |id| matching.after(id);
        self.find.remap_objects(ordinal);
        self.visibility.remap_objects(ordinal);
        let probe = std::mem::replace(&mut self.probe, Probe::of(now));
        self.probe.keep_changes(probe);
        self.finding = None;
        self.finding_list = FindingList::default();
        self.derived = Derived::default();
        self.report_before = before.report.or(self.report_before.take());
        self.changes = None;
        (self.growing, self.diagnose_at, self.diagnose_again) = (None, None, false);
        // A change while the level was read is seen by the next check.
        self.scene_file.reset();
        self.meshes = MeshFiles::default();
        (self.save_next, self.after_save) = (None, None);
        self.mark_characters();
    }

    /// The findings of the run before that are no longer found.
    pub fn fixed_findings(&self) -> Vec<&Finding> {
        let before = self.report_before.as_ref();
        let fixed = self.changes.iter().flat_map(|changes| &changes.fixed);
        fixed
            .filter_map(|&index| before?.findings.get(index))
            .collect()
    }

    /// The selected finding.
    pub fn selected_finding(&self) -> Option<&Finding> {
        self.document.findings().get(self.finding?)
    }
}
