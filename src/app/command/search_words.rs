//! Search words of commands.

use super::arguments::{Export, Output};
use super::{Command, Pane};
use Command as C;

impl Command {
    /// Words that the palette finds a command by and that are not in its text.
    pub fn search_words(&self) -> &'static str {
        match self {
            C::OpenDialog => "load file",
            C::ImportDialog => "mesh model obj gltf glb load",
            C::ChooseReadOptions => {
                "columns mapping csv parquet table unit up axis animation clip import"
            }
            C::Listen => "live receive connect socket game engine stream follow",
            C::Reload => "check again refresh diagnose rerun",
            C::ExportDialog(Export::Image) => "screenshot picture view png",
            C::ExportDialog(_) => "gif video record animation",
            C::OutputDialog(Output::Report) => "html page bug export share",
            C::OutputDialog(Output::Findings) => "json sarif junit xml save ci",
            C::OutputDialog(Output::Recording) => "save as export jsonl csv log format",
            C::CloseLevel => "home welcome close",
            C::Quit => "exit",
            C::Undo => "back revert",
            C::Redo => "again repeat",
            C::Duplicate => "copy clone",
            C::Delete => "remove erase",
            C::ShowArrayForm(_) => "copies repeat pattern many clone duplicate scatter circle",
            C::SnapToContact => "drop place rest touch",
            C::ShowTagPrompt(_) => "label group name",
            C::SetKeyframe => "animate key path",
            C::AddShape(_) => "new object create insert",
            C::New(_) => "template create example",
            C::ToggleLocal => "local world space gizmo",
            C::ToggleSnap(_) => "magnet align grid",
            C::ToggleHitstop => "freeze pause impact break",
            C::ToggleLoop => "repeat cycle",
            C::LoopIn => "in point begin",
            C::LoopOut => "out point end",
            C::NextImpact | C::PreviousImpact => "hit contact collision touch",
            C::AddBookmark | C::AddBookmarkWithNote => "marker mark note",
            C::OpenFind => "search query",
            C::SaveFrameAs => "make extract repro reproduce bug report",
            C::ExpectFinding => "assert test claim",
            C::ToggleWalk => "fly first person camera",
            C::ShuffleProbe => "random order triangles probe line",
            C::CopyProbe | C::ResetProbe => "camera probe line",
            C::CompareDetection | C::CompareFile | C::CompareRunBefore => "diff difference",
            C::TogglePin | C::UnpinAll => "watch keep",
            C::ToggleMeasure => "distance length dx dy dz points tape",
            C::HideSelected => "hide invisible",
            C::IsolateSelected => "solo local view only hide others",
            C::ShowAllObjects => "unhide visible",
            C::LockSelected | C::UnlockAll => "freeze unselectable click through",
            C::ToggleFollow => "track camera lock",
            C::ToggleCutOpen | C::ToggleClip => "section slice cutaway clip",
            C::ColorBy(_) => "colour hue islands sleeping tags layers",
            C::ToggleSplitView => "split screen second camera quad view",
            C::CompareView(_) => "compare split slider difference before after",
            C::MeshView(_) => "wire triangles normals winding transparent mesh view",
            C::ToggleHeatMap => "density leaky places hot spots",
            C::ToggleMeshDefects => "boundary open edges slivers holes triangles",
            C::ToggleRuler => "measure distance gap depth length nearest",
            C::SelectNothing => "deselect clear none",
            C::FrameSelection | C::FrameAll => "focus zoom center view fit",
            C::ViewFrom(_) => "camera side axis look numpad",
            C::ToggleOrthographic => "ortho parallel projection camera",
            C::TogglePane(Pane::Text) => "source ron editor",
            C::TogglePane(Pane::Outliner) => "outliner hierarchy tree list",
            C::TogglePane(Pane::Inspector) => "properties form fields",
            C::TogglePane(Pane::Camera) => "line probe rays",
            C::TogglePane(Pane::Messages) => "log console output",
            C::TogglePane(_) => "panel",
            C::TogglePanels => "zen viewport only",
            C::ResetPanels => "layout",
            C::UseTheme(_) => "theme color mode",
            C::ZoomIn | C::ZoomOut | C::ZoomReset => "scale font size zoom",
            C::Help(_) => "manual documentation docs reference version licence license",
            C::ToggleCheatSheet => "shortcuts keys help bindings",
            _ => "",
        }
    }
}
