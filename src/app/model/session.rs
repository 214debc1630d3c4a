//! Everything that lasts as long as a level is open.

use super::asked::Asked;
use super::bookmarks::Bookmarks;
use super::candidates::CandidatesView;
use super::compare::Compare;
use super::document::Document;
use super::file_watch::FileWatch;
use super::find::Find;
use super::history::Histories;
use super::mesh_files::MeshFiles;
use super::pins::Pins;
use super::probe::Probe;
use super::walk::Walk;
use super::what_if::WhatIf;
use crate::app::command::Command;
use crate::core::diagnose::Finding;
use crate::core::diagnose::explain::CameraExplanation;
use crate::core::replay::ObjectId;
use crate::view::pair_view::PairView;
use std::path::PathBuf;
use std::time::Instant;

/// An open level, and what is known of it.
pub struct Session {
    /// The level.
    pub document: Document,
    /// The index of the selected finding in the report.
    pub finding: Option<usize>,
    /// What is computed from the scene.
    pub derived: Derived,
    /// "The next frame where".
    pub find: Find,
    /// Pinned objects and pairs.
    pub pins: Pins,
    /// Moments with notes.
    pub bookmarks: Bookmarks,
    /// The comparison with another replay.
    pub compare: Compare,
    /// The camera's probe as it is edited.
    pub probe: Probe,
    /// The walk that goes on, or the last one while it is not saved.
    pub walk: Option<Walk>,
    /// A moment or an object was chosen by hand: the first finding is not selected over it.
    pub(in crate::app) touched: bool,
    /// When findings are to be looked for in the scene as it is now.
    pub(super) diagnose_at: Option<Instant>,
    /// The scene was changed while findings were looked for: they are looked for again after that.
    pub(super) look_again: bool,
    pub(super) scene_file: FileWatch,
    pub(super) meshes: MeshFiles,
    /// Where the scene is saved once the present save has ended.
    pub(super) save_next: Option<PathBuf>,
    /// What follows once the scene is saved.
    pub(super) after_save: Option<Command>,
}

/// What is computed from the scene, and is computed anew when the scene changes.
#[derive(Default)]
pub struct Derived {
    /// The selected pair in the shown frame.
    pub pair: Option<PairView>,
    /// The camera and the one selected object in the shown frame, while the panel with the explanation is open.
    pub camera_explanation: Option<CameraExplanation>,
    /// The candidates of the object that was selected first, while their panel is open.
    pub candidates: CandidatesView,
    /// What lanes and plots show.
    pub histories: Histories,
    /// The limits of the selected finding.
    pub asked: Option<Asked>,
    /// The selected finding with other values, while the panel for that is open.
    pub what_if: Option<WhatIf>,
    /// The object under the pointer in a list: highlighted in the view.
    pub pointed: Option<ObjectId>,
}

impl Session {
    /// A level that was just opened.
    pub(super) fn new(document: Document) -> Self {
        Self {
            probe: Probe::of(document.replay()),
            document,
            finding: None,
            derived: Derived::default(),
            find: Find::default(),
            pins: Pins::default(),
            bookmarks: Bookmarks::default(),
            compare: Compare::default(),
            walk: None,
            touched: false,
            diagnose_at: None,
            look_again: false,
            scene_file: FileWatch::default(),
            meshes: MeshFiles::default(),
            save_next: None,
            after_save: None,
        }
    }

    /// The selected finding.
    pub fn selected_finding(&self) -> Option<&Finding> {
        self.document.findings().get(self.finding?)
    }
}
