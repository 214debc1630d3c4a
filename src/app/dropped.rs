//! Files dropped on the window from another program.

use super::command::Command;
use super::model::compare::tracks::MOST_TRACKS;
use super::model::import::is_mesh_file;
use super::theme::Surfaces;
use egui::{Align2, Context, FontId, Id, LayerId, Order};
use std::path::PathBuf;

/// The action for dropped files.
#[derive(Clone, Copy, Debug, PartialEq)]
enum DropAction {
    Open,
    Import,
    Compare,
    Nothing,
}

impl DropAction {
    fn of(paths: &[PathBuf]) -> Self {
        let is_mesh = |path: &PathBuf| is_mesh_file(path);
        match paths {
            [one] if is_mesh(one) => Self::Import,
            [_] => Self::Open,
            [_, others @ ..] if others.len() <= MOST_TRACKS && !paths.iter().any(is_mesh) => {
                Self::Compare
            }
            _ => Self::Nothing,
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Open => "Drop to open",
            Self::Import => "Drop to add this mesh to the scene",
            Self::Compare => "Drop to compare the first file with the others",
            Self::Nothing => {
                "Drop one file to open it, or up to nine levels to compare the first with the others"
            }
        }
    }
}

/// The command for the files that were dropped in this pass.
pub fn command(ctx: &Context) -> Option<Command> {
    let paths: Vec<PathBuf> = ctx.input(|input| {
        let files = input.raw.dropped_files.iter();
        files.map(|file| file.path().to_owned()).collect()
    });
    if paths.is_empty() {
        return None;
    }
    let (action, count) = (DropAction::of(&paths), paths.len());
    let mut paths = paths.into_iter();
    Some(match (action, paths.next()) {
        (DropAction::Open, Some(path)) => Command::Open(path),
        (DropAction::Import, Some(path)) => Command::Import(path),
        (DropAction::Compare, Some(path)) => Command::OpenAndCompare(path, paths.collect()),
        _ => Command::RefuseFiles(count),
    })
}

/// Draws what a drop would do, while files are dragged over the window.
pub fn hint(ctx: &Context) {
    let paths: Vec<PathBuf> = ctx.input(|input| {
        let files = input.raw.hovered_files.iter();
        // Some systems report the path only at the drop.
        let path = |file: &egui::HoveredFile| file.path.clone().unwrap_or_default();
        files.map(path).collect()
    });
    if paths.is_empty() {
        return;
    }
    let layer = LayerId::new(Order::Tooltip, Id::unique("drop hint"));
    let painter = ctx.layer_painter(layer);
    let rect = ctx.content_rect();
    let surfaces = Surfaces::of(&ctx.global_style().visuals);
    painter.rect_filled(rect, 0.0, surfaces.sunken.gamma_multiply(0.85));
    painter.text(
        rect.center(),
        Align2::CENTER_CENTER,
        DropAction::of(&paths).hint(),
        FontId::proportional(24.0),
        surfaces.chosen_text,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_decide_the_action() {
        let of =
            |names: &[&str]| DropAction::of(&names.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(of(&["a.ron"]), DropAction::Open);
        assert_eq!(
            of(&["a.png"]),
            DropAction::Open,
            "opening reports the error"
        );
        assert_eq!(of(&[""]), DropAction::Open, "the path is unknown");
        assert_eq!(of(&["room.obj"]), DropAction::Import);
        assert_eq!(of(&["a.jsonl", "b.jsonl"]), DropAction::Compare);
        assert_eq!(of(&["a.jsonl", "room.obj"]), DropAction::Nothing);
        assert_eq!(of(&["a.ron", "b.ron", "c.ron"]), DropAction::Compare);
        assert_eq!(of(&["a.ron"; 10]), DropAction::Nothing);
    }
}
