//! Files dropped on the window from another program: what letting go will do, and what it does.

use super::command::Command;
use super::model::import::is_mesh_file;
use super::theme::Surfaces;
use egui::{Align2, Context, FontId, Id, LayerId, Order};
use std::path::PathBuf;

/// What is made of the dropped files.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Use {
    Open,
    Import,
    Compare,
    Nothing,
}

impl Use {
    fn of(paths: &[PathBuf]) -> Self {
        let is_mesh = |path: &PathBuf| is_mesh_file(path);
        match paths {
            [one] if is_mesh(one) => Self::Import,
            [_] => Self::Open,
            [one, other] if !is_mesh(one) && !is_mesh(other) => Self::Compare,
            _ => Self::Nothing,
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Self::Open => "Drop to open",
            Self::Import => "Drop to add this mesh to the scene",
            Self::Compare => "Drop to compare the two",
            Self::Nothing => "Too many: drop one level to open it, or two to compare them",
        }
    }
}

/// What the files that were let go in this pass ask for.
pub fn taken(ctx: &Context) -> Option<Command> {
    let paths: Vec<PathBuf> = ctx.input(|input| {
        let files = input.raw.dropped_files.iter();
        files.map(|file| file.path().to_owned()).collect()
    });
    if paths.is_empty() {
        return None;
    }
    let (what, count) = (Use::of(&paths), paths.len());
    let mut paths = paths.into_iter();
    Some(match (what, paths.next(), paths.next()) {
        (Use::Open, Some(path), _) => Command::Open(path),
        (Use::Import, Some(path), _) => Command::Import(path),
        (Use::Compare, Some(path), Some(other)) => Command::OpenBeside(path, other),
        _ => Command::RefuseFiles(count),
    })
}

/// While files hover over the window: what letting go will do.
pub fn hint(ctx: &Context) {
    let paths: Vec<PathBuf> = ctx.input(|input| {
        let files = input.raw.hovered_files.iter();
        // Where the system does not tell the path yet, it is some file.
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
        Use::of(&paths).hint(),
        FontId::proportional(24.0),
        surfaces.chosen_text,
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_of_dropped_files() {
        let of = |names: &[&str]| Use::of(&names.iter().map(PathBuf::from).collect::<Vec<_>>());
        assert_eq!(of(&["a.ron"]), Use::Open);
        assert_eq!(of(&["a.png"]), Use::Open, "which says that it cannot");
        assert_eq!(of(&[""]), Use::Open, "a path that is not known yet");
        assert_eq!(of(&["room.obj"]), Use::Import);
        assert_eq!(of(&["a.jsonl", "b.jsonl"]), Use::Compare);
        assert_eq!(of(&["a.jsonl", "room.obj"]), Use::Nothing);
        assert_eq!(of(&["a.ron", "b.ron", "c.ron"]), Use::Nothing);
    }
}
