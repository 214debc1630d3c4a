//! The layout of the panels: a tree of tiles that is rearranged by dragging tabs. `docked_panels` draws it.

use egui_tiles::{Container, Linear, LinearDir, Tabs, Tile, TileId, Tiles, Tree};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The tabs of the default layout that a panel is among.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Center,
    Lists,
    Objects,
    Pinned,
    Plots,
    Details,
    Times,
}

/// Whether a panel is open in the default layout.
const OPEN: bool = true;
/// It opens on use (the first pin, a comparison, a search), from the View menu or with the plus beside the tabs. The tabs of all other
/// panels fit.
const CLOSED: bool = false;

macro_rules! panes {
    ($($pane:ident, $title:literal, $place:ident, $open:ident;)*) => {
        /// A panel that can be docked.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[expect(missing_docs, reason = "each is its `title`")]
        pub enum Pane {
            $($pane),*
        }

        impl Pane {
            /// Every panel.
            pub const ALL: &[Self] = &[$(Self::$pane),*];

            /// The title of its tab.
            pub fn title(self) -> &'static str {
                match self {
                    $(Self::$pane => $title),*
                }
            }

            /// Where it is in the default layout, and whether it is open.
            fn place(self) -> (Place, bool) {
                match self {
                    $(Self::$pane => (Place::$place, $open)),*
                }
            }
        }
    };
}

// In the order of the tabs.
panes! {
    Viewport, "View", Center, OPEN;
    Findings, "Findings", Lists, OPEN;
    Find, "Find", Lists, CLOSED;
    Bookmarks, "Bookmarks", Lists, CLOSED;
    Leaks, "Leaks", Lists, CLOSED;
    EngineLog, "Engine log", Lists, CLOSED;
    Outliner, "Objects", Objects, OPEN;
    History, "History", Objects, CLOSED;
    Pinned, "Pinned", Pinned, CLOSED;
    GapPlot, "Gap", Plots, OPEN;
    Plots, "Plots", Plots, OPEN;
    PairHistory, "Pair history", Plots, CLOSED;
    Text, "Text", Plots, OPEN;
    Inspector, "Inspector", Details, OPEN;
    Explain, "Explanation", Details, OPEN;
    Candidates, "Candidates", Details, OPEN;
    WhatIf, "What if", Details, OPEN;
    Camera, "Camera", Details, CLOSED;
    GamePicture, "Game picture", Details, CLOSED;
    Compare, "Compare", Details, CLOSED;
    Timeline, "Time", Times, OPEN;
    Messages, "Messages", Times, OPEN;
}

impl Pane {
    /// The panels of some tabs of the default layout.
    fn all_in(place: Place) -> Vec<Self> {
        let all = Self::ALL.iter().copied();
        all.filter(|pane| pane.place().0 == place).collect()
    }

    fn is_open_at_first(self) -> bool {
        self.place().1
    }
}

/// The layout of the panels.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Dock {
    pub(super) tree: Tree<Pane>,
}

impl Default for Dock {
    /// The viewport in the centre, findings and objects on the left, the inspector on the right, the timeline at the bottom.
    fn default() -> Self {
        Self::of(Height::High)
    }
}

/// Height of the panels below which they are arranged for a low window, points.
const LOW: f32 = 540.0;

/// What fits into the height of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Height {
    /// All that is open at first.
    #[default]
    High,
    /// As at 800x600 or at a scale of 200 %: the viewport and the timeline, with the plots as tabs of it.
    Low,
}

impl Height {
    /// Of the panels, points.
    pub fn of(height: f32) -> Self {
        match height < LOW {
            true => Self::Low,
            false => Self::High,
        }
    }
}

impl Dock {
    /// The layout of a new window.
    pub fn of(height: Height) -> Self {
        let mut tiles = Tiles::default();
        let mut tabs = |panes: &[Pane]| {
            let children: Vec<TileId> = panes.iter().map(|&pane| tiles.insert_pane(pane)).collect();
            tiles.insert_container(Tabs::new(children))
        };
        let [center, outliner, pinned, findings, selected] = [
            Place::Center,
            Place::Objects,
            Place::Pinned,
            Place::Lists,
            Place::Details,
        ]
        .map(|place| tabs(&Pane::all_in(place)));
        let (plots, times) = (Pane::all_in(Place::Plots), Pane::all_in(Place::Times));
        let (plots, timeline, part) = match height {
            Height::High => (Some(tabs(&plots)), tabs(&times), 26.0),
            Height::Low => (
                None,
                tabs(&[&times[..1], &plots, &times[1..]].concat()),
                42.0,
            ),
        };
        let mut split = |dir, parts: &[(TileId, f32)]| {
            let mut linear = Linear::new(dir, parts.iter().map(|(id, _)| *id).collect());
            for &(id, share) in parts {
                linear.shares.set_share(id, share);
            }
            tiles.insert_container(Container::Linear(linear))
        };
        let center = match plots {
            Some(plots) => split(LinearDir::Vertical, &[(center, 3.0), (plots, 1.0)]),
            None => center,
        };
        let lists = [(findings, 7.0), (outliner, 3.0), (pinned, 2.0)];
        let left = split(LinearDir::Vertical, &lists);
        let columns = [(left, 22.0), (center, 53.0), (selected, 25.0)];
        let upper = split(LinearDir::Horizontal, &columns);
        let root = split(
            LinearDir::Vertical,
            &[(upper, 100.0 - part), (timeline, part)],
        );
        let mut dock = Self {
            tree: Tree::new(egui::Id::unique("dock"), root, tiles),
        };
        let closed = Pane::ALL.iter().filter(|pane| !pane.is_open_at_first());
        closed.for_each(|pane| dock.hide(*pane));
        dock
    }

    /// Removes panels of other releases from a layout in a file.
    pub fn remove_unknown(layout: &mut Value) {
        if let Some(tiles) = layout
            .pointer_mut("/tiles/tiles")
            .and_then(Value::as_object_mut)
        {
            tiles.retain(|_, tile| {
                let pane = tile.get("Pane");
                pane.is_none_or(|pane| Pane::deserialize(pane).is_ok())
            });
        }
    }

    /// Validates a layout that was read from a file: exactly one tile for every panel, else the default layout. Panels that it lacks, as
    /// they are of a later release, come beside their neighbours of the default layout.
    pub fn checked(mut self) -> Self {
        self.complete();
        let panes = self.tree.tiles.tiles().filter_map(|tile| match tile {
            Tile::Pane(pane) => Some(*pane),
            Tile::Container(_) => None,
        });
        let mut panes: Vec<Pane> = panes.collect();
        panes.sort_unstable();
        let mut wanted = Pane::ALL.to_vec();
        wanted.sort_unstable();
        let all_in_tree = self.tree.root().is_some_and(|root| {
            Pane::ALL
                .iter()
                .filter_map(|pane| self.tree.tiles.find_pane(pane))
                .all(|tile| self.is_under(tile, root))
        });
        if panes == wanted && all_in_tree {
            self
        } else {
            Self::default()
        }
    }

    fn complete(&mut self) {
        let tiles = &mut self.tree.tiles;
        let all: Vec<TileId> = tiles.tile_ids().collect();
        for id in &all {
            if let Some(Tile::Container(container)) = tiles.get_mut(*id) {
                container.retain(|child| all.contains(&child));
            }
        }
        let missing = Pane::ALL.iter().filter(|pane| self.tile(**pane).is_none());
        let missing: Vec<Pane> = missing.copied().collect();
        if missing.is_empty() {
            return;
        }
        let default = Self::default();
        for pane in missing {
            let neighbours = default.tabs_of(pane).map(|(_, panes)| panes);
            let mut neighbours = neighbours.unwrap_or_default().into_iter();
            let Some(tabs) = neighbours.find_map(|pane| Some(self.tabs_of(pane)?.0)) else {
                return;
            };
            let tile = self.tree.tiles.insert_pane(pane);
            if let Some(Tile::Container(container)) = self.tree.tiles.get_mut(tabs) {
                container.add_child(tile);
            }
            self.tree.set_visible(tile, pane.is_open_at_first());
        }
    }

    /// The tabs that a panel is in, and the panels in them.
    fn tabs_of(&self, pane: Pane) -> Option<(TileId, Vec<Pane>)> {
        let tabs = self.tree.tiles.parent_of(self.tile(pane)?)?;
        let Some(Tile::Container(container @ Container::Tabs(_))) = self.tree.tiles.get(tabs)
        else {
            return None;
        };
        let panes = container
            .children()
            .filter_map(|id| self.tree.tiles.get_pane(id));
        Some((tabs, panes.copied().collect()))
    }

    fn is_under(&self, tile: TileId, root: TileId) -> bool {
        let mut at = tile;
        // At most as many steps as there are tiles: a file may contain a cycle.
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

    /// Returns true if it is open and the front one of its tabs.
    pub fn is_shown(&self, pane: Pane) -> bool {
        self.tile(pane)
            .is_some_and(|tile| self.tree.active_tiles().contains(&tile))
    }

    /// Its rectangle in the window, points, if it is shown.
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

    /// Closes it but keeps its position. The viewport cannot be closed.
    pub fn hide(&mut self, pane: Pane) {
        if let Some(tile) = self.tile(pane).filter(|_| pane != Pane::Viewport) {
            self.tree.set_visible(tile, false);
        }
    }

    /// Closes it if it is in front, else brings it to the front.
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
    fn panels_are_closed_and_shown() {
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
        assert!(dock.is_shown(Pane::Viewport), "the viewport stays");
    }

    #[test]
    fn a_layout_is_written_and_read() {
        let mut dock = Dock::default();
        dock.hide(Pane::GapPlot);
        dock.show(Pane::Candidates);
        let text = serde_json::to_string(&dock).unwrap();
        let read: Dock = serde_json::from_str(&text).unwrap();
        assert_eq!(read.checked(), dock);
    }

    /// The layout was reset once.
    #[test]
    fn panels_of_other_releases_leave_the_layout() {
        let mut dock = Dock::default();
        dock.hide(Pane::GapPlot);
        dock.show(Pane::Candidates);
        let text = serde_json::to_string(&dock).unwrap();
        // Of two panels this release knows nothing.
        let text = text
            .replace("\"WhatIf\"", "\"Later\"")
            .replace("\"Find\"", "\"Later\"");
        let mut value: Value = serde_json::from_str(&text).unwrap();
        Dock::remove_unknown(&mut value);
        let read = serde_json::from_value::<Dock>(value).unwrap().checked();
        assert_ne!(read, Dock::default());
        for (pane, neighbour, is_open) in [
            (Pane::WhatIf, Pane::Inspector, true),
            (Pane::Find, Pane::Findings, false),
        ] {
            let tile = read.tile(pane).unwrap();
            assert_eq!(read.tree.tiles.is_visible(tile), is_open, "{pane:?}");
            let tabs = read.tabs_of(neighbour).unwrap();
            assert!(tabs.1.contains(&pane), "{pane:?}");
        }
        assert!(!read.is_shown(Pane::GapPlot) && read.is_shown(Pane::Candidates));
    }

    #[test]
    fn a_duplicate_panel_gives_the_default_layout() {
        let mut duplicate = Dock::default();
        let _ = duplicate.tree.tiles.insert_pane(Pane::GapPlot);
        assert_eq!(duplicate.checked(), Dock::default());
        let rootless = Dock {
            tree: Tree::empty(egui::Id::unique("dock")),
        };
        assert_eq!(rootless.checked(), Dock::default());
    }
}
