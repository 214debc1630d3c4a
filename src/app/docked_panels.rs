//! Draws the docked panels and their tabs.

use super::dock::{Dock, Pane};
use crate::app::authoring::history_panel;
use crate::app::authoring::text_panel::TextPanel;
use crate::app::command::Command;
use crate::app::model::Model;
use crate::app::panel::bookmarks::Bookmarks;
use crate::app::panel::candidates::Candidates;
use crate::app::panel::compare::ComparePanel;
use crate::app::panel::engine_log::EngineLogPanel;
use crate::app::panel::find::FindPanel;
use crate::app::panel::findings::FindingsPanel;
use crate::app::panel::game_picture::GamePicturePanel;
use crate::app::panel::gap_plot::GapPlot;
use crate::app::panel::inspector::Inspector;
use crate::app::panel::messages::Log;
use crate::app::panel::outliner::Outliner;
use crate::app::panel::pair_history::PairHistory;
use crate::app::panel::plots::Plots;
use crate::app::panel::timeline::Timeline;
use crate::app::panel::{camera_probe, explain, leaks, pinned, what_if_live};
use crate::app::theme::Surfaces;
use crate::app::viewport::{ViewportInput, Viewports};
use crate::app::{context_menu, text, widget};
use egui::accesskit::Role;
use egui::containers::menu::MenuButton;
use egui::style::ScrollAnimation;
use egui::{
    Button, Color32, Frame, Margin, Response, Stroke, TextStyle, Ui, Vec2, Visuals, WidgetInfo,
    WidgetText,
};
use egui_material_icons::icons;
use egui_tiles::{
    Behavior, Container, EditAction, SimplificationOptions, TabState, Tabs, Tile, TileId, Tiles,
    UiResponse,
};
use std::collections::HashSet;

/// The space on both sides of a tab's title, points.
const TITLE_SPACE: f32 = 9.0;
/// The space of the buttons of a tab bar, to close a tab and to open another, points.
const BUTTONS: f32 = 48.0;

/// The panels with a state.
#[derive(Default)]
pub struct Panels {
    /// The 3D view.
    pub viewport: Viewports,
    /// The list of objects.
    pub outliner: Outliner,
    /// The findings.
    pub findings: FindingsPanel,
    /// The fields of the selected objects.
    pub inspector: Inspector,
    /// The timeline.
    pub timeline: Timeline,
    /// The gap of the selected pair.
    pub gap_plot: GapPlot,
    /// The other objects of the frame.
    pub candidates: Candidates,
    /// What the program and its engine logged.
    pub engine_log: EngineLogPanel,
    /// The picture of the game at the playhead.
    pub game_picture: GamePicturePanel,
    /// The scene's text.
    pub text: TextPanel,
    /// The search for a frame.
    pub find: FindPanel,
    /// Numbers over time.
    pub plots: Plots,
    /// The frames of the selected pair.
    pub pair_history: PairHistory,
    /// The bookmarks with their notes.
    pub bookmarks: Bookmarks,
    /// The comparison with another replay.
    pub compare: ComparePanel,
    /// The message log.
    pub log: Log,
    previous: PreviousPass,
}

impl Panels {
    /// The panels with this 3D view.
    pub fn new(viewport: Viewports) -> Self {
        Self {
            viewport,
            ..Self::default()
        }
    }

    /// Draws the 3D view, with the menu of the object under the pointer.
    pub fn viewport(
        &mut self,
        ui: &mut Ui,
        input: &ViewportInput<'_>,
        model: &Model,
        commands: &mut Vec<Command>,
    ) {
        for (response, menu_of) in self.viewport.ui(ui, input, commands) {
            if let Some(id) = menu_of {
                response.context_menu(widget::content(|ui| {
                    context_menu::object(ui, model, id, commands)
                }));
            }
        }
    }
}

impl Dock {
    /// Draws every open panel. Returns true if the user changed the layout.
    pub fn ui(
        &mut self,
        ui: &mut Ui,
        panels: &mut Panels,
        model: &Model,
        input: Option<&ViewportInput<'_>>,
        commands: &mut Vec<Command>,
    ) -> bool {
        let front = self.tree.active_tiles();
        let newly_shown = panels.previous.newly_shown(ui.available_size(), &front);
        let viewport_tile = self.tile(Pane::Viewport);
        let mut behavior = DockBehavior {
            panels,
            model,
            input,
            commands,
            viewport_tile,
            newly_shown,
            front,
            as_icons: HashSet::new(),
            edited: false,
        };
        behavior.as_icons = behavior.tabs_as_icons(ui, &self.tree.tiles);
        self.tree.ui(&mut behavior, ui);
        behavior.edited
    }
}

struct DockBehavior<'a> {
    panels: &'a mut Panels,
    model: &'a Model,
    input: Option<&'a ViewportInput<'a>>,
    commands: &'a mut Vec<Command>,
    viewport_tile: Option<TileId>,
    /// The tabs in front, before any click of this pass.
    front: Vec<TileId>,
    /// The tabs that came to the front just now.
    newly_shown: Vec<TileId>,
    /// The tabs whose title is an icon, as the titles need more space than there is.
    as_icons: HashSet<TileId>,
    edited: bool,
}

impl DockBehavior<'_> {
    fn contents(&mut self, ui: &mut Ui, pane: Pane) {
        let (model, commands) = (self.model, &mut *self.commands);
        match pane {
            Pane::Viewport => {
                if let Some(input) = self.input {
                    self.panels.viewport(ui, input, model, commands);
                }
            }
            Pane::Outliner => self.panels.outliner.ui(ui, model, commands),
            Pane::Findings => self.panels.findings.ui(ui, model, commands),
            Pane::Inspector => self.panels.inspector.ui(ui, model, commands),
            Pane::Explain => explain::show(ui, model, commands),
            Pane::Candidates => self.panels.candidates.ui(ui, model, commands),
            Pane::WhatIf => what_if_live::show(ui, model, commands),
            Pane::Camera => camera_probe::show(ui, model, commands),
            Pane::Compare => self.panels.compare.ui(ui, model, commands),
            Pane::GapPlot => self.panels.gap_plot.ui(ui, model, commands),
            Pane::Timeline => self.panels.timeline.ui(ui, model, commands),
            Pane::Text => self.panels.text.ui(ui, model, commands),
            Pane::History => history_panel::show(ui, model, commands),
            Pane::Find => self.panels.find.ui(ui, model, commands),
            Pane::Plots => {
                let axis = self.panels.timeline.axis();
                let axis = axis.filter(|_| model.shows(Pane::Timeline));
                self.panels.plots.ui(ui, model, axis, commands);
            }
            Pane::PairHistory => self.panels.pair_history.ui(ui, model, commands),
            Pane::Pinned => pinned::show(ui, model, commands),
            Pane::Bookmarks => self.panels.bookmarks.ui(ui, model, commands),
            Pane::Leaks => leaks::show(ui, model, commands),
            Pane::EngineLog => self.panels.engine_log.ui(ui, model, commands),
            Pane::GamePicture => self.panels.game_picture.ui(ui, model),
            Pane::Messages => self.panels.log.ui(ui, model, commands),
        }
    }

    /// The tabs behind others in tab bars that are too narrow for all titles.
    fn tabs_as_icons(&self, ui: &Ui, tiles: &Tiles<Pane>) -> HashSet<TileId> {
        let font = TextStyle::Button.resolve(ui.style());
        let width = |tile: &TileId| {
            let title = tiles.get_pane(tile).map(|pane| self.title(*pane));
            let color = Color32::PLACEHOLDER;
            let text = ui
                .painter()
                .layout_no_wrap(title.unwrap_or_default(), font.clone(), color);
            text.size().x + 2.0 * TITLE_SPACE
        };
        let mut as_icons = HashSet::new();
        for (id, tile) in tiles.iter() {
            let (Tile::Container(Container::Tabs(tabs)), Some(rect)) = (tile, tiles.rect(*id))
            else {
                continue;
            };
            let shown = || tabs.children.iter().filter(|tile| tiles.is_visible(**tile));
            if shown().map(width).sum::<f32>() + BUTTONS > rect.width() {
                let behind = shown().filter(|tile| !self.front.contains(tile));
                as_icons.extend(behind.copied());
            }
        }
        as_icons
    }

    /// The title of a tab, with its count.
    fn title(&self, pane: Pane) -> String {
        match self.count(pane) {
            Some(count) if count > 0 => format!("{} {}", pane.title(), text::grouped(count)),
            _ => pane.title().to_owned(),
        }
    }

    /// The count in a tab's title.
    fn count(&self, pane: Pane) -> Option<usize> {
        let session = self.model.session.as_ref()?;
        let document = &session.document;
        match pane {
            Pane::Outliner => Some(document.replay().objects().len()),
            Pane::Findings => document
                .report
                .as_ref()
                .map(|report| report.findings.total()),
            Pane::Pinned => Some(session.pins.list().len()),
            Pane::Bookmarks => Some(session.bookmarks.list().len()),
            Pane::Leaks => session
                .derived
                .leaks
                .found()
                .map(|found| found.places.len()),
            Pane::Messages => Some(self.model.messages.shown().len()),
            _ => None,
        }
    }
}

impl Behavior<Pane> for DockBehavior<'_> {
    fn pane_ui(&mut self, ui: &mut Ui, _tile: TileId, pane: &mut Pane) -> UiResponse {
        let margin = match pane {
            Pane::Viewport => Margin::ZERO,
            Pane::Timeline | Pane::GapPlot | Pane::Plots => Margin::symmetric(10, 4),
            _ => Margin::symmetric(8, 6),
        };
        Frame::new().inner_margin(margin).show(ui, |ui| {
            ui.set_min_size(ui.available_size());
            // A panel is never wider than its tile.
            ui.set_max_size(ui.available_size());
            ui.shrink_clip_rect(ui.max_rect().expand(4.0));
            self.contents(ui, *pane);
        });
        UiResponse::None
    }

    fn tab_title_for_pane(&mut self, pane: &Pane) -> WidgetText {
        self.title(*pane).into()
    }

    fn tab_title_for_tile(&mut self, tiles: &Tiles<Pane>, tile: TileId) -> WidgetText {
        let Some(pane) = tiles.get_pane(&tile) else {
            return WidgetText::default();
        };
        match Command::TogglePane(*pane).entry() {
            Some(entry) if self.as_icons.contains(&tile) => {
                entry.icon.rich_text().size(16.0).into()
            }
            _ => self.title(*pane).into(),
        }
    }

    /// Only the tab in front, so that the others have more space for their titles.
    fn is_tab_closable(&self, tiles: &Tiles<Pane>, tile: TileId) -> bool {
        let pane = tiles.get_pane(&tile);
        pane.is_some_and(|pane| *pane != Pane::Viewport) && self.front.contains(&tile)
    }

    fn on_tab_button(&mut self, tiles: &mut Tiles<Pane>, tile: TileId, tab: Response) -> Response {
        let Some(pane) = tiles.get_pane(&tile) else {
            return tab;
        };
        if self.newly_shown.contains(&tile) {
            // It may be outside of the tab bar, or under one of its arrows.
            if tab.interact_rect.width() < tab.rect.width() - 0.5 {
                tab.scroll_to_me_animation(None, ScrollAnimation::none());
            }
            tab.ctx.request_repaint();
        }
        let (title, help) = (self.title(*pane), help(*pane, &tab.ctx));
        if !self.as_icons.contains(&tile) {
            return tab.on_hover_text(help);
        }
        tab.widget_info(|| WidgetInfo::labeled(Role::Button, true, &title));
        tab.on_hover_text(format!("{title}\n{help}"))
    }

    /// A plus button with the closed panels of this tile.
    fn top_bar_right_ui(
        &mut self,
        tiles: &Tiles<Pane>,
        ui: &mut Ui,
        _tile: TileId,
        tabs: &Tabs,
        _scroll_offset: &mut f32,
    ) {
        let closed = tabs
            .children
            .iter()
            .filter(|tile| !tiles.is_visible(**tile));
        let closed: Vec<Pane> = closed
            .filter_map(|tile| tiles.get_pane(tile).copied())
            .collect();
        if closed.is_empty() {
            return;
        }
        let plus = Button::new(icons::ICON_ADD.rich_text().size(16.0)).frame_when_inactive(false);
        let (response, _) = MenuButton::from_button(plus).ui(
            ui,
            widget::content(|ui| {
                for pane in closed {
                    if let Some(entry) = Command::TogglePane(pane).entry() {
                        let command = entry.command.clone();
                        widget::menu_item(ui, &command, self.model, self.commands);
                    }
                }
            }),
        );
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "More panels"));
        response.on_hover_text("Open one of the closed panels of this tile");
    }

    fn on_tab_close(&mut self, tiles: &mut Tiles<Pane>, tile: TileId) -> bool {
        if tiles.get_pane(&tile).is_some() {
            tiles.set_visible(tile, false);
            self.edited = true;
        }
        // It keeps its position: a command opens it there again.
        false
    }

    /// False for the viewport if it is the only tab.
    fn is_tab_bar_visible(&self, _tile: TileId, tabs: &Tabs) -> bool {
        tabs.children.len() != 1
            || self
                .viewport_tile
                .is_none_or(|viewport| tabs.children[0] != viewport)
    }

    fn on_edit(&mut self, _action: EditAction) {
        self.edited = true;
    }

    fn simplification_options(&self) -> SimplificationOptions {
        SimplificationOptions {
            all_panes_must_have_tabs: true,
            ..SimplificationOptions::default()
        }
    }

    fn gap_width(&self, _style: &egui::Style) -> f32 {
        3.0
    }

    fn min_size(&self) -> f32 {
        90.0
    }

    fn tab_bar_color(&self, visuals: &Visuals) -> Color32 {
        Surfaces::of(visuals).sunken
    }

    fn tab_outline_stroke(
        &self,
        _visuals: &Visuals,
        _tiles: &Tiles<Pane>,
        _tile: TileId,
        _state: &TabState,
    ) -> Stroke {
        Stroke::NONE
    }

    fn tab_bar_hline_stroke(&self, visuals: &Visuals) -> Stroke {
        Stroke::new(1.0, Surfaces::of(visuals).sunken)
    }

    fn tab_text_color(
        &self,
        visuals: &Visuals,
        _tiles: &Tiles<Pane>,
        _tile: TileId,
        state: &TabState,
    ) -> Color32 {
        if state.active {
            visuals.strong_text_color()
        } else {
            visuals.weak_text_color()
        }
    }

    fn tab_title_spacing(&self, _visuals: &Visuals) -> f32 {
        TITLE_SPACE
    }
}

/// Passes until the layout of a tab bar is stable: its arrows appear a pass after scrolling and take space from the tabs.
const SETTLE_PASSES: u8 = 8;

/// The tabs in front in the previous pass.
#[derive(Default)]
struct PreviousPass {
    front: Vec<TileId>,
    size: Vec2,
    newly_shown: Vec<TileId>,
    /// Passes until the tab bars are stable.
    settling: u8,
}

impl PreviousPass {
    /// The tiles that came to the front just now; all tiles in front if the size of the tab bars changed.
    fn newly_shown(&mut self, size: Vec2, front: &[TileId]) -> Vec<TileId> {
        let is_new = |tile: &&TileId| self.size != size || !self.front.contains(*tile);
        let new: Vec<TileId> = front.iter().filter(is_new).copied().collect();
        (self.front, self.size) = (front.to_vec(), size);
        if !new.is_empty() {
            (self.newly_shown, self.settling) = (new, SETTLE_PASSES);
        } else if self.settling == 0 {
            self.newly_shown.clear();
        }
        self.settling = self.settling.saturating_sub(1);
        self.newly_shown.clone()
    }
}

/// The tooltip of a tab: a description of the panel and the shortcut.
fn help(pane: Pane, ctx: &egui::Context) -> String {
    let Some(entry) = Command::TogglePane(pane).entry() else {
        return "The 3D view of the level".to_owned();
    };
    match entry.keys.first() {
        Some(keys) => format!("{}  ·  {}", entry.tooltip, ctx.format_shortcut(keys)),
        None => entry.tooltip.to_owned(),
    }
}
