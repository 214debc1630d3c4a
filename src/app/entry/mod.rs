//! The commands without an argument as menus, toolbar, cheat sheet, palette, keyboard and tests show them: [`TABLE`] has the text, icon, keys,
//! needs, tooltip and search words of each.

mod needs;
mod table;

use super::command::Command;
use super::model::Model;
use egui::KeyboardShortcut;
use egui_material_icons::MaterialIcon;

pub use table::TABLE;

/// The menu that lists a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its `title`")]
pub enum Group {
    File,
    New,
    Edit,
    Add,
    Time,
    Findings,
    Camera,
    Compare,
    Selection,
    View,
    Help,
}

impl Group {
    /// Every group, in the order of the menu bar.
    pub const ALL: [Self; 11] = [
        Self::File,
        Self::New,
        Self::Edit,
        Self::Add,
        Self::Time,
        Self::Findings,
        Self::Compare,
        Self::Camera,
        Self::Selection,
        Self::View,
        Self::Help,
    ];

    /// The title in menus and in the cheat sheet.
    pub fn title(self) -> &'static str {
        match self {
            Self::File => "File",
            Self::New => "New",
            Self::Edit => "Edit",
            Self::Add => "Add",
            Self::Time => "Time",
            Self::Findings => "Findings",
            Self::Camera => "Camera",
            Self::Compare => "Compare",
            Self::Selection => "Selection",
            Self::View => "View",
            Self::Help => "Help",
        }
    }
}

/// The entry of a command in the menus, the toolbar, the cheat sheet and the keyboard shortcuts.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The command.
    pub command: Command,
    /// The menu that lists it.
    pub group: Group,
    /// The label, a few words.
    pub text: &'static str,
    /// The tooltip, one sentence.
    pub tooltip: &'static str,
    /// Its keyboard shortcuts; menus show the first.
    pub keys: &'static [KeyboardShortcut],
    /// Its icon.
    pub icon: MaterialIcon,
    /// Why it cannot be carried out now.
    needs: fn(&Command, &Model) -> Reason,
    /// Words that the palette finds it by and that are not in its text.
    pub words: &'static str,
}

/// The reason why a command cannot be carried out now; `None` when it can.
pub type Reason = Option<&'static str>;

impl Entry {
    /// Why the command cannot be carried out now.
    pub fn unavailable(&self, model: &Model) -> Reason {
        (self.needs)(&self.command, model)
    }
}

/// Why a command without an argument cannot be carried out now.
pub fn unavailable(command: &Command, model: &Model) -> Reason {
    command.entry()?.unavailable(model)
}

impl Command {
    /// The entry in [`TABLE`]; `None` for a command with an argument.
    pub fn entry(&self) -> Option<&'static Entry> {
        TABLE.iter().find(|entry| entry.command == *self)
    }
}

/// Returns true when what a command switches on is on.
pub fn checked(command: &Command, model: &Model) -> bool {
    use Command as C;
    let tools = &model.settings.tools;
    match command {
        C::TogglePane(pane) => model.dock.is_shown(*pane),
        C::TogglePanels => model.ui_state.panels_hidden,
        C::ToggleLoop => model.playback.looping(),
        C::ToggleHitstop => model.ui_state.hitstop,
        C::Toggle(switch) => model.layers.has(*switch),
        C::ToggleClip => model.layers.clip.is_some(),
        C::ColorBy(property) => model.layers.color_by == *property,
        C::MeshView(look) => model.layers.mesh_view == *look,
        C::CompareView(view) => model.layers.compare_view == *view,
        C::ToggleSplitView => model.settings.view_layout.split,
        C::ToggleFollow => {
            (model.session.as_ref()).is_some_and(|session| session.visibility.followed.is_some())
        }
        C::ToggleWalk => model.walking().is_some(),
        C::UseTheme(theme) => model.ui_state.theme == *theme,
        C::UseTool(tool) => tools.tool == *tool,
        C::ToggleLocal => tools.local,
        C::ToggleSnap(snap) => tools.snapping && tools.snap == *snap,
        _ => false,
    }
}
