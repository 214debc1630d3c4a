//! Which panels are open and where they stand: a tree of tiles that people rearrange by dragging tabs.
//!
//! Here is the data; `show` draws it.

use crate::app::command::Command;
use egui_tiles::{Container, Linear, LinearDir, Tabs, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};

/// A panel that can be docked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each is its `title`")]
pub enum Pane {
    Viewport,
    Outliner,
    Findings,
    Inspector,
    Explain,
    Candidates,
    WhatIf,
    Camera,
    Compare,
    GapPlot,
    Timeline,
    Text,
    History,
    Find,
    Plots,
    Pinned,
    Bookmarks,
    Messages,
}

impl Pane {
    /// Every panel.
    pub const ALL: &[Self] = &[
        Self::Viewport,
        Self::Outliner,
        Self::Findings,
        Self::Inspector,
        Self::Explain,
        Self::Candidates,
        Self::WhatIf,
        Self::Camera,
        Self::Compare,
        Self::GapPlot,
        Self::Timeline,
        Self::Text,
        Self::History,
        Self::Find,
        Self::Plots,
        Self::Pinned,
        Self::Bookmarks,
        Self::Messages,
    ];

    /// What it is for, and the keys that bring it.
    pub fn help(self, ctx: &egui::Context) -> String {
        let Some(entry) = Command::TogglePane(self).entry() else {
            return "The level in space".to_owned();
        };
        match entry.keys.first() {
            Some(keys) => format!("{}  ·  {}", entry.tooltip, ctx.format_shortcut(keys)),
            None => entry.tooltip.to_owned(),
        }
    }

    /// As its tab says it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Viewport => "View",
            Self::Outliner => "Objects",
            Self::Findings => "Findings",
            Self::Inspector => "Inspector",
            Self::Explain => "Why",
            Self::Candidates => "Candidates",
            Self::WhatIf => "What if",
            Self::Camera => "Camera",
            Self::Compare => "Compare",
            Self::GapPlot => "Gap",
            Self::Timeline => "Time",
            Self::Text => "Text",
            Self::History => "History",
            Self::Find => "Find",
            Self::Plots => "Plots",
            Self::Pinned => "Pinned",
            Self::Bookmarks => "Bookmarks",
            Self::Messages => "Messages",
        }
    }
}

/// The arrangement of the panels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Dock {
    pub(super) tree: Tree<Pane>,
}

impl Default for Dock {
    /// The picture in the middle, objects left, findings and what is selected right, time along the bottom.
    fn default() -> Self {
        let mut tiles = Tiles::default();
        let mut tabs = |panes: &[Pane]| {
            let children: Vec<TileId> = panes.iter().map(|&pane| tiles.insert_pane(pane)).collect();
            tiles.insert_container(Tabs::new(children))
        };
        let outliner = tabs(&[Pane::Outliner, Pane::History]);
        let picture = tabs(&[Pane::Viewport]);
        let plots = tabs(&[Pane::GapPlot, Pane::Plots, Pane::Text]);
        let pinned = tabs(&[Pane::Pinned]);
        let findings = tabs(&[Pane::Findings, Pane::Find, Pane::Bookmarks]);
        let selected = tabs(&[
            Pane::Inspector,
            Pane::Explain,
            Pane::Candidates,
            Pane::WhatIf,
            Pane::Camera,
            Pane::Compare,
        ]);
        let timeline = tabs(&[Pane::Timeline, Pane::Messages]);
        let mut split = |dir, parts: &[(TileId, f32)]| {
            let mut linear = Linear::new(dir, parts.iter().map(|(id, _)| *id).collect());
            for &(id, share) in parts {
                linear.shares.set_share(id, share);
            }
            tiles.insert_container(Container::Linear(linear))
        };
        let middle = split(LinearDir::Vertical, &[(picture, 3.0), (plots, 1.0)]);
        let right = split(LinearDir::Vertical, &[(findings, 4.0), (selected, 5.0)]);
        let left = split(LinearDir::Vertical, &[(outliner, 3.0), (pinned, 2.0)]);
        let columns = [(left, 15.0), (middle, 60.0), (right, 25.0)];
        let upper = split(LinearDir::Horizontal, &columns);
        let root = split(LinearDir::Vertical, &[(upper, 74.0), (timeline, 26.0)]);
        let mut dock = Self {
            tree: Tree::new(egui::Id::unique("dock"), root, tiles),
        };
        for pane in Self::CLOSED_AT_FIRST {
            dock.hide(*pane);
        }
        dock
    }
}

impl Dock {
    /// Panels that come with what they are about: the first pin, a comparison, a search; or by the View menu and the plus beside
    /// the tabs. Every tab of the others is then in sight.
    const CLOSED_AT_FIRST: &'static [Pane] = &[
        Pane::Pinned,
        Pane::History,
        Pane::Find,
        Pane::Bookmarks,
        Pane::Camera,
        Pane::Compare,
    ];

    /// Makes an arrangement read from a file whole: exactly one tile for every panel, else the default.
    pub fn checked(self) -> Self {
        let panes = self.tree.tiles.tiles().filter_map(|tile| match tile {
            Tile::Pane(pane) => Some(*pane),
            Tile::Container(_) => None,
        });
        let mut panes: Vec<Pane> = panes.collect();
        panes.sort_unstable();
        let mut wanted = Pane::ALL.to_vec();
        wanted.sort_unstable();
        let reached = self.tree.root().is_some_and(|root| {
            Pane::ALL
                .iter()
                .filter_map(|pane| self.tree.tiles.find_pane(pane))
                .all(|tile| self.is_under(tile, root))
        });
        if panes == wanted && reached {
            self
        } else {
            Self::default()
        }
    }

    fn is_under(&self, tile: TileId, root: TileId) -> bool {
        let mut at = tile;
        // As many steps as there are tiles: a file may hold a ring.
        for _ in 0..=self.tree.tiles.len() {
            if at == root {
                return true;
            }
            match self.tree.tiles.parent_of(at) {
                Some(parent) => at = parent,
                None => return false,
            }
        }
        false
    }

    pub(super) fn tile(&self, pane: Pane) -> Option<TileId> {
        self.tree.tiles.find_pane(&pane)
    }

    /// Is it open, and the front one of its tabs?
    pub fn is_shown(&self, pane: Pane) -> bool {
        self.tile(pane)
            .is_some_and(|tile| self.tree.active_tiles().contains(&tile))
    }

    /// Where it stands, points of the window, when it is shown.
    pub fn rect(&self, pane: Pane) -> Option<egui::Rect> {
        let tile = self.tile(pane).filter(|_| self.is_shown(pane))?;
        self.tree.tiles.rect(tile)
    }

    /// Opens it and brings it to the front.
    pub fn show(&mut self, pane: Pane) {
        if let Some(tile) = self.tile(pane) {
            self.tree.set_visible(tile, true);
            self.tree.make_active(|id, _| id == tile);
        }
    }

    /// Closes it; its place is kept. The picture stays.
    pub fn hide(&mut self, pane: Pane) {
        if let Some(tile) = self.tile(pane).filter(|_| pane != Pane::Viewport) {
            self.tree.set_visible(tile, false);
        }
    }

    /// Closes it when it is in front, else brings it there.
    pub fn toggle(&mut self, pane: Pane) {
        if self.is_shown(pane) {
            self.hide(pane);
        } else {
            self.show(pane);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_are_hidden_and_come_back_to_the_front() {
        let mut dock = Dock::default();
        assert!(dock.is_shown(Pane::Inspector) && !dock.is_shown(Pane::Explain));
        dock.toggle(Pane::Explain);
        assert!(dock.is_shown(Pane::Explain) && !dock.is_shown(Pane::Inspector));
        dock.toggle(Pane::Explain);
        assert!(!dock.is_shown(Pane::Explain));
        dock.toggle(Pane::Outliner);
        assert!(!dock.is_shown(Pane::Outliner));
        dock.show(Pane::Outliner);
        assert!(dock.is_shown(Pane::Outliner));
        dock.toggle(Pane::Viewport);
        assert!(dock.is_shown(Pane::Viewport), "the picture stays");
    }

    #[test]
    fn an_arrangement_survives_its_file() {
        let mut dock = Dock::default();
        dock.hide(Pane::GapPlot);
        dock.show(Pane::Candidates);
        let text = serde_json::to_string(&dock).unwrap();
        let read: Dock = serde_json::from_str(&text).unwrap();
        assert_eq!(read.checked(), dock);
    }

    #[test]
    fn a_panel_that_a_file_lacks_or_doubles_gives_the_default() {
        let mut lacking = Dock::default();
        let tile = lacking.tile(Pane::GapPlot).unwrap();
        lacking.tree.remove_recursively(tile);
        assert_eq!(lacking.checked(), Dock::default());
        let mut doubled = Dock::default();
        let _ = doubled.tree.tiles.insert_pane(Pane::GapPlot);
        assert_eq!(doubled.checked(), Dock::default());
        let rootless = Dock {
            tree: Tree::empty(egui::Id::unique("dock")),
        };
        assert_eq!(rootless.checked(), Dock::default());
    }
}
