//! The Candidates panel: every other object of the frame with the reason why the selected one hits it or not.

use crate::app::command::Command;
use crate::app::list_row::ListRow;
use crate::app::model::Model;
use crate::app::model::candidates::List;
use crate::app::style::{self, ROW};
use crate::app::theme::Palette;
use crate::app::{text, widget};
use crate::core::diagnose::explain::{Candidate, Ending, Outcome};
use egui::accesskit::Role;
use egui::{RichText, ScrollArea, Ui, WidgetInfo};
use egui_material_icons::icons;

/// Sort order of the list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Order {
    #[default]
    Nearest,
    Name,
    Reason,
}

impl Order {
    const ALL: [(Self, &'static str); 3] = [
        (Self::Nearest, "Nearest"),
        (Self::Name, "Name"),
        (Self::Reason, "Reason"),
    ];
}

/// State of the panel: the sort order of the list.
#[derive(Default)]
pub struct Candidates {
    order: Order,
    sorted: Vec<usize>,
    /// The revision of the list that `sorted` was made for, and its order.
    of: Option<(u64, Order)>,
}

impl Candidates {
    /// Draws the panel.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(selected) = model.selection.objects().first() else {
            let help =
                "Select an object to list every other one with the reason why it is hit or not.";
            widget::empty_state(ui, icons::ICON_RULE, "No object selected", help);
            return;
        };
        let Some(derived) = model.derived() else {
            return;
        };
        let Some(list) = derived.candidates.list() else {
            widget::empty_state(ui, icons::ICON_SEARCH_ACTIVITY, "Testing all pairs…", "");
            return;
        };
        let name = model
            .document()
            .and_then(|document| document.replay().objects().get(list.of as usize))
            .map_or("?", |object| object.name.as_str());
        let number = model
            .document()
            .map_or(0, |document| document.replay().number(list.frame));
        let title = format!("{name}, frame {number}");
        widget::heading(ui, &title, |ui| {
            if list.of != *selected {
                ui.spinner();
            }
            self.orders(ui);
        });
        self.sort(list);
        let mut pointed = None;
        ui.spacing_mut().item_spacing.y = 0.0;
        ScrollArea::vertical()
            .id_salt("candidates")
            .auto_shrink(false)
            .show_rows(ui, ROW, self.sorted.len(), |ui, range| {
                for &index in &self.sorted[range] {
                    let candidate = &list.candidates[index];
                    if row(ui, model, list.of, candidate, commands) {
                        pointed = Some(candidate.object);
                    }
                }
            });
        if pointed != derived.pointed {
            commands.push(Command::PointAt(pointed));
        }
    }

    fn orders(&mut self, ui: &mut Ui) {
        // Right to left.
        for (order, name) in Order::ALL.into_iter().rev() {
            let on = self.order == order;
            let response = ui.add(egui::Button::selectable(
                on,
                RichText::new(name).font(style::small()),
            ));
            let name = format!("Sort by {}", name.to_lowercase());
            response.widget_info(|| WidgetInfo::selected(Role::RadioButton, true, on, &name));
            if response.on_hover_text(name.clone()).clicked() {
                self.order = order;
            }
        }
    }

    fn sort(&mut self, list: &List) {
        let key = Some((list.revision, self.order));
        if self.of == key {
            return;
        }
        let candidates = &list.candidates;
        self.sorted = (0..candidates.len()).collect();
        match self.order {
            // The list is sorted so.
            Order::Nearest => {}
            Order::Name => self
                .sorted
                .sort_by(|&a, &b| text::by_name(&candidates[a].name, &candidates[b].name)),
            Order::Reason => self.sorted.sort_by_key(|&index| rank(&candidates[index])),
        }
        self.of = key;
    }
}

/// Rank of a candidate when sorted by reason; the most relevant is 0.
fn rank(candidate: &Candidate) -> u8 {
    match candidate.ending {
        Ending::Swept(Outcome::Overlapping { .. }) => 0,
        Ending::Swept(Outcome::Hits(_)) => 1,
        Ending::Swept(_) if candidate.turning.is_some() => 1,
        Ending::Masked => 2,
        Ending::Swept(Outcome::Grazes { .. }) => 3,
        Ending::Swept(Outcome::Misses { .. }) => 4,
        Ending::Swept(Outcome::Later) => 5,
        Ending::Swept(Outcome::Receding) => 6,
        Ending::LeftOut => 7,
        Ending::Absent(..) => 8,
        Ending::NoPair => 9,
    }
}

/// Draws one object; returns true while the pointer is on it.
fn row(
    ui: &mut Ui,
    model: &Model,
    of: u32,
    candidate: &Candidate,
    commands: &mut Vec<Command>,
) -> bool {
    let (severity, reason) = candidate.summary(model.units());
    let name = format!("{}: {reason}", candidate.name);
    let color = Palette::of(ui.visuals()).severity(severity);
    let row = ListRow {
        text: &candidate.name,
        name: Some(&name),
        selected: model.selection.pair() == Some((of, candidate.object)),
        aside: (&reason, Some(color)),
        ..ListRow::default()
    };
    let response = row.show(ui);
    let hovered = response.hovered();
    if response.on_hover_text(&name).clicked() {
        commands.push(Command::SelectPair(of, candidate.object));
    }
    hovered
}
