//! The menu bar: the menus, the toolbar and the level's name.

use crate::app::authoring::Tool;
use crate::app::command::Command;
use crate::app::command::arguments::{Export, Output};
use crate::app::dock::Pane;
use crate::app::entry::{Entry, Group, TABLE};
use crate::app::help_topics::HelpPage;
use crate::app::model::Model;
use crate::app::view_options::CompareView;
use crate::app::view_state::{FreezeOn, Layer, Show, Switch};
use crate::app::widget;
use egui::accesskit::Role;
use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    Align, Button, Layout, MenuBar, PopupCloseBehavior, RichText, ScrollArea, ThemePreference, Ui,
    WidgetInfo,
};
use egui_material_icons::{MaterialIcon, icons};

/// The width of the toolbars beside the menus, points.
const TOOLBARS: f32 = 546.0;

/// Draws the menu bar with the toolbar.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    MenuBar::new().ui(ui, |ui| {
        // As high as the toolbar's buttons, so that text and icons have the same centre line.
        ui.set_min_height(26.0);
        // New is a submenu of File; View and Help come last.
        let apart = [Group::New, Group::View, Group::Help];
        for group in Group::ALL.into_iter().filter(|it| !apart.contains(it)) {
            ui.menu_button(
                group.title(),
                widget::content(|ui| menu_of(ui, group, model, commands)),
            );
        }
        view_menu(ui, model, commands);
        ui.menu_button(
            Group::Help.title(),
            widget::content(|ui| {
                menu_of(ui, Group::Help, model, commands);
            }),
        );
        ui.separator();
        // A narrow window has no toolbar; the menus have the same commands.
        if ui.available_width() > TOOLBARS {
            toolbar(ui, model, commands);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            right_side(ui, model, commands);
        });
    });
}

fn menu_of(ui: &mut Ui, group: Group, model: &Model, commands: &mut Vec<Command>) {
    ui.set_min_width(210.0);
    let entries = TABLE.iter().filter(|entry| entry.group == group);
    for entry in entries {
        let command = &entry.command;
        if begins_section(command) {
            ui.separator();
        }
        let text = menu_text(entry, model);
        widget::menu_item_as(ui, entry, &text, model, commands);
        if *command == Command::ToggleHitstop {
            freeze_menu(ui, model, commands);
        }
        if group == Group::File && *command == Command::OpenDialog {
            recent_menu(ui, model, commands);
            new_menu(ui, model, commands);
        }
    }
}

/// Returns true for the first command of a section of a menu, which a line separates from those before.
fn begins_section(command: &Command) -> bool {
    use Command as C;
    matches!(
        command,
        // File.
        C::Save
            | C::ImportDialog
            | C::ExportDialog(Export::Image)
            | C::OutputDialog(Output::Report)
            | C::StopJob
            | C::CloseLevel
            | C::Quit
            // Edit.
            | C::Duplicate
            | C::CopyObjects
            | C::UseTool(Tool::Select)
            | C::ToggleLocal
            | C::Rename
            | C::SetKeyframe
            // Time.
            | C::NextFrame
            | C::NextPhase
            | C::GoToStart
            | C::Faster
            | C::ToggleHitstop
            | C::ToggleLoop
            | C::NextImpact
            | C::AddBookmark
            | C::FitTime
            // Findings.
            | C::NextFinding
            | C::CopyFinding
            | C::ResetWhatIf
            // View.
            | C::ToggleOrthographic
            | C::ResetLayers
            | C::CompareView(CompareView::Overlaid)
            | C::StopComparing
            // Help.
            | C::Help(HelpPage::Guide)
            | C::ShowHints
            | C::DismissAllMessages
    )
}

/// The text of a menu item; for undo and redo with the name of the change.
fn menu_text(entry: &Entry, model: &Model) -> String {
    let history = model.scene_doc().map(|scene_doc| &scene_doc.history);
    let change = history.and_then(|history| match entry.command {
        Command::Undo => history.undoes(),
        Command::Redo => history.redoes(),
        _ => None,
    });
    match change {
        Some(change) => format!("{}: {}", entry.text, change.to_lowercase()),
        None => entry.text.to_owned(),
    }
}

/// The templates.
fn new_menu(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let label = (icons::ICON_NOTE_ADD.rich_text().size(15.0), "New");
    let response = ui.menu_button(
        label,
        widget::content(|ui| menu_of(ui, Group::New, model, commands)),
    );
    response
        .response
        .widget_info(|| WidgetInfo::labeled(Role::MenuItem, true, "New"));
}

fn recent_menu(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let recent = &model.settings.recent;
    ui.add_enabled_ui(!recent.is_empty(), |ui| {
        let label = (icons::ICON_HISTORY.rich_text().size(15.0), "Open recent");
        let response = ui.menu_button(
            label,
            widget::content(|ui| {
                for path in recent {
                    if ui.button(path.display().to_string()).clicked() {
                        commands.push(Command::Open(path.clone()));
                        ui.close();
                    }
                }
            }),
        );
        let enabled = !recent.is_empty();
        response
            .response
            .widget_info(|| WidgetInfo::labeled(Role::MenuItem, enabled, "Open recent"));
    });
}

/// The menu of the events that freeze playback; it stays open on clicks.
fn freeze_menu(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let label = (icons::ICON_TIMER_PAUSE.rich_text().size(15.0), "Hitstop at");
    let response = egui::containers::menu::SubMenuButton::new(label)
        .config(config)
        .ui(
            ui,
            widget::content(|ui| {
                for event in FreezeOn::all() {
                    let mut on = model.ui_state.freeze_on.contains(&event);
                    let item = widget::outlined(ui, |ui| ui.checkbox(&mut on, event.label()));
                    if item.changed() {
                        commands.push(Command::FreezeAt(event, on));
                    }
                }
            }),
        )
        .0;
    response.widget_info(|| WidgetInfo::labeled(Role::MenuItem, true, "Hitstop at"));
}

/// The View menu; it stays open on clicks, to change several layers.
fn view_menu(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    MenuButton::new(Group::View.title()).config(config).ui(
        ui,
        widget::content(|ui| {
            // It scrolls in a low window.
            let height = ui.ctx().content_rect().height() - 60.0;
            let area = ScrollArea::vertical()
                .max_height(height.max(120.0))
                .min_scrolled_height(height.max(120.0));
            area.show(ui, |ui| {
                ui.set_min_width(330.0);
                layers(ui, model, commands);
                ui.separator();
                for submenu in &SUBMENUS {
                    view_submenu(ui, submenu, model, commands);
                }
                let in_submenu =
                    |command: &Command| SUBMENUS.iter().any(|submenu| (submenu.has)(command));
                let others = of_view().filter(|entry| !in_submenu(&entry.command));
                for entry in others {
                    let command = &entry.command;
                    if begins_section(command) {
                        ui.separator();
                    }
                    widget::menu_item(ui, command, model, commands);
                }
            });
        }),
    );
}

fn of_view() -> impl Iterator<Item = &'static Entry> {
    TABLE.iter().filter(|entry| entry.group == Group::View)
}

/// A submenu of the View menu.
struct Submenu {
    icon: MaterialIcon,
    name: &'static str,
    /// Returns true for its commands.
    has: fn(&Command) -> bool,
}

const SUBMENUS: [Submenu; 8] = {
    use Command as C;
    [
        Submenu {
            icon: icons::ICON_WEB_ASSET,
            name: "Panels",
            has: |command| matches!(command, C::TogglePane(_) | C::TogglePanels | C::ResetPanels),
        },
        Submenu {
            icon: icons::ICON_FORMAT_PAINT,
            name: "Color by",
            has: |command| matches!(command, C::ColorBy(_)),
        },
        Submenu {
            icon: icons::ICON_POLYLINE,
            name: "Mesh view",
            has: |command| matches!(command, C::MeshView(_) | C::Toggle(Switch::MeshDefects)),
        },
        Submenu {
            icon: icons::ICON_3D_ROTATION,
            name: "View from",
            has: |command| matches!(command, C::ViewFrom(_)),
        },
        Submenu {
            icon: icons::ICON_SQUARE_FOOT,
            name: "Measure and cut",
            has: |command| {
                matches!(
                    command,
                    C::Toggle(Switch::Ruler | Switch::Measure | Switch::CutOpen) | C::ToggleClip
                )
            },
        },
        Submenu {
            icon: icons::ICON_SHOW_CHART,
            name: "Save plots",
            has: |command| matches!(command, C::ExportCsv | C::ExportPng),
        },
        Submenu {
            icon: icons::ICON_VISIBILITY,
            name: "Hide and lock",
            has: |command| {
                matches!(
                    command,
                    C::HideSelected
                        | C::IsolateSelected
                        | C::ShowAllObjects
                        | C::LockSelected
                        | C::UnlockAll
                )
            },
        },
        Submenu {
            icon: icons::ICON_PALETTE,
            name: "Theme and size",
            has: |command| {
                matches!(
                    command,
                    C::UseTheme(_)
                        | C::ZoomIn
                        | C::ZoomOut
                        | C::ZoomReset
                        | C::ToggleFullscreen
                        | C::Toggle(Switch::ContactShading)
                )
            },
        },
    ]
};

/// A submenu with its commands of the View menu.
fn view_submenu(ui: &mut Ui, submenu: &Submenu, model: &Model, commands: &mut Vec<Command>) {
    let label = (submenu.icon.rich_text().size(15.0), submenu.name);
    let menu = ui.menu_button(
        label,
        widget::content(|ui| {
            for entry in of_view().filter(|entry| (submenu.has)(&entry.command)) {
                widget::menu_item(ui, &entry.command, model, commands);
            }
        }),
    );
    menu.response
        .widget_info(|| WidgetInfo::labeled(Role::MenuItem, true, submenu.name));
}

/// The options None, Selected and All of each layer.
fn layers(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    egui::Grid::new("layers")
        .num_columns(2)
        .spacing([18.0, 2.0])
        .show(ui, |ui| {
            ui.label(RichText::new("Layer").weak());
            ui.label(RichText::new("Show: none / selected / all").weak());
            ui.end_row();
            for layer in Layer::ALL {
                ui.label(layer.label()).on_hover_text(layer.help());
                ui.horizontal(|ui| {
                    ui.spacing_mut().item_spacing.x = 2.0;
                    for (show, text) in [
                        (Show::None, "None"),
                        (Show::Selected, "Selected"),
                        (Show::All, "All"),
                    ] {
                        let on = model.layers.get(layer) == show;
                        let response = ui.add(Button::selectable(on, text));
                        let name = format!("{}: {text}", layer.label());
                        response.widget_info(|| {
                            WidgetInfo::selected(Role::RadioButton, true, on, &name)
                        });
                        if response.clicked() {
                            commands.push(Command::ShowLayer(layer, show));
                        }
                    }
                });
                ui.end_row();
                if layer == Layer::SphereTrees {
                    sphere_level(ui, model, commands);
                }
            }
        });
}

/// The level of the sphere trees to draw, up to the deepest of the level's meshes.
fn sphere_level(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some(deepest) = model.deepest_sphere_level() else {
        return;
    };
    let chosen = model.layers.sphere_level.min(deepest);
    let help = "The level of the trees to draw: level 0 is the sphere around the whole mesh, each level below halves the parts";
    ui.label("    Level").on_hover_text(help);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for level in 0..=deepest {
            let on = level == chosen;
            let response = ui.add(Button::selectable(on, level.to_string()));
            let name = format!("Sphere trees: level {level}");
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, &name));
            if response.clicked() {
                commands.push(Command::SphereLevel(level));
            }
        }
    });
    ui.end_row();
}

fn toolbar(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = 2.0;
    for command in [
        Command::OpenDialog,
        Command::Save,
        Command::Undo,
        Command::Redo,
        Command::Reload,
        Command::Listen,
        Command::PreviousFinding,
        Command::NextFinding,
        Command::FrameSelection,
        Command::FrameAll,
        Command::ToggleSplitView,
    ] {
        widget::command_button(ui, &command, model, commands);
    }
}

fn right_side(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = 2.0;
    widget::command_button(ui, &Command::ToggleCheatSheet, model, commands);
    let other = if ui.visuals().dark_mode {
        Command::UseTheme(ThemePreference::Light)
    } else {
        Command::UseTheme(ThemePreference::Dark)
    };
    widget::command_button(ui, &other, model, commands);
    if let Some(document) = model.document() {
        for command in [
            Command::TogglePane(Pane::Candidates),
            Command::TogglePane(Pane::Explain),
            Command::TogglePane(Pane::Inspector),
            Command::TogglePane(Pane::Plots),
            Command::TogglePane(Pane::GapPlot),
            Command::TogglePane(Pane::Outliner),
        ] {
            widget::command_button(ui, &command, model, commands);
        }
        ui.add_space(8.0);
        let notes = &document.replay().scene().notes;
        let mark = if model.has_unsaved() { " *" } else { "" };
        let title = RichText::new(format!("{}{mark}", document.title())).strong();
        let title = ui.add(egui::Label::new(title).truncate());
        if !notes.is_empty() {
            title.on_hover_text(notes);
        }
    }
}
