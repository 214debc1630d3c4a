//! What the log has of the program and its engine beside the bodies, with a link to the engine log.

use crate::app::command::Command;
use crate::app::dock::Pane;
use crate::app::model::document::Document;
use crate::app::style;
use crate::core::number::listed;
use crate::core::replay::engine_log::logged_kinds;
use egui::{Frame, Link, Panel, RichText, Ui};

/// In a panel lower than this it is hidden, points.
const LOW: f32 = 100.0;

/// The kinds of entries, of a revision of the document.
#[derive(Default)]
pub struct Logged {
    of: Option<(u64, u32)>,
    kinds: Vec<&'static str>,
}

impl Logged {
    /// Draws a line at the bottom: `In the engine log: moves of characters, queries`; a click opens that panel.
    pub fn show(&mut self, ui: &mut Ui, document: &Document, commands: &mut Vec<Command>) {
        let Some(recording) = document.replay().recording() else {
            return;
        };
        let of = Some((document.revision, document.replay().frames()));
        if self.of != of {
            self.of = of;
            self.kinds = logged_kinds(recording);
        }
        if self.kinds.is_empty() || ui.available_height() < LOW {
            return;
        }
        let text = format!("In the engine log: {}", listed(&self.kinds, 5));
        Panel::bottom("in the engine log")
            .frame(Frame::NONE)
            .show_separator_line(false)
            .show(ui, |ui| {
                let link = ui.add(Link::new(RichText::new(text).font(style::small())));
                if link
                    .on_hover_text("Show them over the whole recording")
                    .clicked()
                {
                    commands.push(Command::ShowPane(Pane::EngineLog));
                }
            });
    }
}
