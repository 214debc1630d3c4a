//! The tour of the causes: their levels, each with a tick once it is fixed.

use super::connected::tick;
use crate::app::command::Command;
use crate::app::dock::Pane;
use crate::app::help_topics::HelpPage;
use crate::app::model::Model;
use crate::core::diagnose::Cause;
use egui::{Label, RichText, Ui};

const RULES: &str = "Open a level, read its finding, and change the scene: a speed, a thickness, the substeps, the detection. It is fixed once its finding is gone, while \
    the objects of the finding are still there and move in the same way, and the mover is at least half as fast as before and still meets something. Changes are of the open level alone: nothing is \
    saved over the example.";

/// Draws the list.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    ui.add(Label::new(RULES).wrap());
    ui.add_space(6.0);
    let (fixed, all) = model.tour_progress();
    ui.label(RichText::new(format!("{fixed} of {all} fixed")).strong());
    ui.add_space(4.0);
    let open = model.toured();
    for (cause, entry) in model.tour() {
        let (id, title) = (cause.id(), cause.title());
        ui.horizontal(|ui| {
            tick(ui, model.is_fixed(cause), &format!("{id} {title}"));
            if open == Some(cause) {
                ui.weak("open");
            }
        });
        ui.horizontal(|ui| {
            ui.add_space(26.0);
            let button = |ui: &mut Ui, text: &str, name: &str, help: &str| {
                let response = ui.small_button(text);
                let name = format!("{name} {id}");
                response.widget_info(|| {
                    egui::WidgetInfo::labeled(egui::accesskit::Role::Button, true, &name)
                });
                response.on_hover_text(help).clicked()
            };
            let level = format!("Open the level \u{201c}{}\u{201d}", entry.title);
            if button(ui, &entry.title, "Open the level of", &level) {
                commands.push(Command::OpenBundled(entry.file.to_owned()));
                commands.push(Command::CloseHelp);
            }
            if button(
                ui,
                "Hint",
                "Hint for",
                "What this cause means, with its drawing",
            ) {
                commands.push(Command::Help(HelpPage::Cause(cause)));
            }
            let finding = (open == Some(cause))
                .then(|| finding_of(model, cause))
                .flatten();
            if let Some(index) = finding
                && button(
                    ui,
                    "Show the fix",
                    "Show the fix of",
                    "Select the finding, whose card has its fixes",
                )
            {
                commands.push(Command::SelectFinding(index));
                commands.push(Command::ShowPane(Pane::Findings));
                commands.push(Command::CloseHelp);
            }
        });
        let lacks = model.tour_lacks().filter(|_| open == Some(cause));
        for one in lacks.into_iter().flatten() {
            let line = RichText::new(format!("Not yet: {one}")).weak();
            ui.add(Label::new(line).wrap());
        }
        ui.add_space(4.0);
    }
    let others = Cause::ALL.len() - all;
    ui.add_space(6.0);
    let rest = format!(
        "The levels of {others} further causes were recorded from engines, which is where they are fixed. The page of each cause has its drawing and its levels."
    );
    ui.add(Label::new(RichText::new(rest).weak()).wrap());
}

fn finding_of(model: &Model, cause: Cause) -> Option<usize> {
    let mut findings = model.document()?.findings().iter();
    findings.position(|finding| finding.cause == cause || finding.also.contains(&cause))
}
