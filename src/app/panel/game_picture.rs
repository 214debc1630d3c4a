//! The panel of the picture that the game has logged at or before the playhead.

use crate::app::model::{Model, Session};
use crate::app::{style, widget};
use egui::{ColorImage, Image, RichText, TextureHandle, TextureOptions, Ui};
use egui_material_icons::icons;
use std::sync::Arc;

/// State of the panel: the picture on the graphics device.
#[derive(Default)]
pub struct GamePicturePanel {
    texture: Option<(Arc<ColorImage>, TextureHandle)>,
}

impl GamePicturePanel {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model) {
        let Some(Session {
            document, derived, ..
        }) = &model.session
        else {
            return;
        };
        let replay = document.replay();
        let Some((file, picture)) = derived.game_picture.shown() else {
            let has_any = replay.recording().is_some_and(|log| !log.images.is_empty());
            let (title, help) = match has_any {
                true => ("No picture yet", "The first one is of a later frame."),
                false => (
                    "No pictures",
                    "The image of a frame of a log is a picture of the game then: a PNG or JPEG file beside the log.",
                ),
            };
            return widget::empty_state(ui, icons::ICON_IMAGE, title, help);
        };
        let picture = match picture {
            Ok(picture) => picture,
            Err(problem) => {
                let frame = replay.number(derived.game_picture.state());
                let title = format!("The picture of frame {frame} cannot be shown");
                let help = format!("{}: {}.\n{}.", problem.file, problem.what, problem.help);
                return widget::empty_state(ui, icons::ICON_ERROR, &title, &help);
            }
        };
        let caption = format!(
            "frame {}: {file}",
            replay.number(derived.game_picture.state())
        );
        ui.add(egui::Label::new(RichText::new(&caption).font(style::small()).weak()).truncate());
        let known = self.texture.as_ref();
        if known.is_none_or(|(known, _)| !Arc::ptr_eq(known, picture)) {
            let image = ColorImage::clone(picture);
            let texture = ui.ctx().load_texture("game", image, TextureOptions::LINEAR);
            self.texture = Some((Arc::clone(picture), texture));
        }
        if let Some((_, texture)) = &self.texture {
            let image = Image::new(texture).max_size(ui.available_size());
            ui.centered_and_justified(|ui| ui.add(image.alt_text(caption)));
        }
    }
}
