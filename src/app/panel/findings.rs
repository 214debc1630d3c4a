//! The Findings panel: what would fix most, the findings, and the results of the scene's expectations.

mod changes;
mod level_card;
mod list;
mod logged;
mod margins;
mod outside;
mod toolbar;

use crate::app::command::Command;
use crate::app::dock::Pane;
use crate::app::list_row::TALL_ROW;
use crate::app::model::Model;
use crate::app::model::document::Document;
use crate::app::style;
use crate::app::text;
use crate::app::theme::Palette;
use crate::app::widget;
use crate::core::diagnose::{ExpectationResult, NotJudged, Report};
use egui::{CollapsingHeader, Frame, Panel, RichText, ScrollArea, TextStyle, Ui};
use egui_material_icons::{MaterialIcon, icons};
use std::collections::HashSet;

/// Height of the unfolded list of causes that were not checked, points.
const NOT_CHECKED: f32 = 96.0;
/// Height of the closed list of expectations, points.
const CLOSED: f32 = 28.0;
/// In a panel lower than this that list is hidden, points.
const LOW: f32 = 130.0;

/// The findings panel.
#[derive(Default)]
pub struct FindingsPanel {
    /// The ids of the open groups.
    open: HashSet<u64>,
    /// The selected finding that was last scrolled to.
    shown: Option<usize>,
    /// The list of causes that were not checked is to be unfolded.
    unfolds: bool,
    logged: logged::Logged,
    margins: margins::MarginsView,
}

impl FindingsPanel {
    /// Draws the findings list.
    pub fn ui(&mut self, ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
        let Some(document) = model.document() else {
            return;
        };
        match &document.report {
            None if model.is_reading() => widget::empty_state(
                ui,
                icons::ICON_HOURGLASS_TOP,
                "Reading…",
                "The findings come when the whole file is read. The level can be used meanwhile.",
            ),
            None if model.diagnosing().is_some() || model.is_live() => {
                widget::empty_state(
                    ui,
                    icons::ICON_SEARCH_ACTIVITY,
                    "Diagnosing…",
                    "Every pair is swept in every frame. The level can be used meanwhile.",
                );
            }
            None => widget::empty_state(
                ui,
                icons::ICON_SEARCH_OFF,
                "Not diagnosed",
                "The diagnosis was stopped. F5 starts it again.",
            ),
            Some(report) => {
                changes::show(ui, model, commands);
                level_card::show(ui, model, commands);
                // Both stand at the bottom, so that what is above stays where it is when they come.
                self.logged.show(ui, document, commands);
                outside::show(ui, &report.outside, commands);
                not_checked(ui, &report.not_judged, std::mem::take(&mut self.unfolds));
                toolbar::show(ui, model, commands);
                // The list has the height that it needs, the expectations the rest.
                let available = ui.available_height();
                let expectations = &report.expectations;
                let failed = expectations.iter().filter(|one| !one.passed).count();
                let reserved = match (expectations.len(), failed) {
                    (0, _) => 0.0,
                    (_, 0) => CLOSED,
                    (number, _) => (number as f32 * 28.0 + CLOSED).min(available * 0.4),
                } + self.margins.reserved(document, available);
                let height = (available - reserved).max(TALL_ROW);
                let is_empty = document.findings().is_empty();
                if is_empty && !margins::has_pairs(document) {
                    // Sentences: a low panel scrolls.
                    ScrollArea::vertical().id_salt("none").show(ui, |ui| {
                        self.unfolds = no_findings(ui, model, document, report, commands);
                        if !expectations.is_empty() {
                            expectation_list(ui, expectations);
                        }
                        self.margins.show(ui, model, document, commands);
                    });
                    return;
                }
                if is_empty {
                    self.unfolds = no_findings(ui, model, document, report, commands);
                } else {
                    self.list(ui, model, height, commands);
                }
                if !expectations.is_empty() {
                    expectation_list(ui, expectations);
                }
                self.margins.show(ui, model, document, commands);
            }
        }
    }
}

/// A line at the bottom that unfolds: the causes that were not checked, and the data to log for them.
fn not_checked(ui: &mut Ui, not_judged: &[NotJudged], unfold: bool) {
    // A low panel shows only the findings.
    if not_judged.is_empty() || ui.available_height() < LOW {
        return;
    }
    let causes = not_judged.iter().filter(|one| one.cause.is_some()).count();
    let title = match (causes, not_judged.len()) {
        (0, _) => "Some pairs not judged".to_owned(),
        (1, 1) => "1 cause not checked".to_owned(),
        (count, all) if count == all => format!("{count} causes not checked"),
        (1, _) => "1 cause not checked, some pairs not judged".to_owned(),
        (count, _) => format!("{count} causes not checked, some pairs not judged"),
    };
    let small = |text: String| RichText::new(text).font(style::small()).weak();
    Panel::bottom("not checked")
        .frame(Frame::NONE)
        .show_separator_line(false)
        .show(ui, |ui| {
            let title = widget::header_title(ui, &title, &style::small());
            let header = CollapsingHeader::new(small(title)).open(unfold.then_some(true));
            header.show(ui, |ui| {
                let area = ScrollArea::vertical().max_height(NOT_CHECKED);
                area.show(ui, |ui| {
                    let weak = ui.visuals().weak_text_color();
                    for one in not_judged {
                        let sentence = widget::marked(ui, &one.sentence(), TextStyle::Small, weak);
                        ui.label(sentence);
                    }
                });
            });
        });
}

/// What stands in place of findings: a green tick only where all was judged. Returns true to unfold the list of what was not.
fn no_findings(
    ui: &mut Ui,
    model: &Model,
    document: &Document,
    report: &Report,
    commands: &mut Vec<Command>,
) -> bool {
    if document.replay().objects().is_empty() {
        ui.label("This scene is empty.");
        return false;
    }
    let palette = Palette::of(ui.visuals());
    let line = |ui: &mut Ui, icon: MaterialIcon, colour, words: String| {
        ui.horizontal_top(|ui| {
            ui.label(icon.rich_text().size(18.0).color(colour));
            ui.add(egui::Label::new(words).wrap());
        });
    };
    let amber = ui.visuals().warn_fg_color;
    let not_judged = &report.not_judged;
    if !document.is_diagnosed() || model.diagnosing().is_some() {
        let frames = text::count(report.frames as usize, "frame");
        let words = match document.is_diagnosed() {
            true => "No findings before the last change; it is being diagnosed.".to_owned(),
            false => format!("No findings in the first {frames}."),
        };
        line(ui, icons::ICON_HOURGLASS_TOP, amber, words);
        return false;
    }
    if let Some(passes) = not_judged.iter().find(|one| !one.passing.is_empty()) {
        line(
            ui,
            icons::ICON_WARNING,
            amber,
            format!("{}.", text::prose(&passes.why)),
        );
        let judge = ui.button("Judge it");
        let help = "Mark it as a character, which must not pass, and diagnose again";
        if judge.on_hover_text(help).clicked() {
            commands.push(Command::JudgeCharacters(passes.passing.clone()));
        }
        return false;
    }
    if !document.has_motion() {
        let words = "Nothing moves in this level, so nothing can pass anything.".to_owned();
        line(ui, icons::ICON_WARNING, amber, words);
        let look = ui.button("Look for leaks");
        let help = "Shoot at each surface with a shape and a speed that you name";
        if look.on_hover_text(help).clicked() {
            commands.push(Command::ShowPane(Pane::Leaks));
        }
        return false;
    }
    let causes = not_judged.iter().filter(|one| one.cause.is_some()).count();
    if causes > 0 {
        let verb = if causes == 1 { "was" } else { "were" };
        let causes = text::count(causes, "cause");
        let words =
            format!("No findings, but {causes} {verb} not checked, as the log lacks their data.");
        line(ui, icons::ICON_WARNING, amber, words);
        let unfolds = ui.button("What to log");
        return unfolds.on_hover_text("List what to log for each").clicked();
    }
    let words = "No findings in this level.".to_owned();
    line(ui, icons::ICON_CHECK_CIRCLE, palette.good, words);
    let help = "Select two objects (Ctrl+click adds the second) to explain their collision or to add it as an expectation.";
    ui.add(egui::Label::new(RichText::new(help).weak()).wrap());
    false
}

/// The results of the expectations; closed while all pass.
fn expectation_list(ui: &mut Ui, expectations: &[ExpectationResult]) {
    let passed = expectations.iter().filter(|one| one.passed).count();
    let all_passed = passed == expectations.len();
    let palette = Palette::of(ui.visuals());
    let title = format!("Expectations: {passed} of {} passed", expectations.len());
    let title = widget::header_title(ui, &title, &TextStyle::Button.resolve(ui.style()));
    let title = RichText::new(title).color(if all_passed {
        palette.good
    } else {
        palette.bad
    });
    // A failure opens the list again.
    let header = CollapsingHeader::new(title).id_salt(("expectations", all_passed));
    header.default_open(!all_passed).show_unindented(ui, |ui| {
        ScrollArea::vertical()
            .id_salt("expectations")
            .min_scrolled_height(0.0)
            .auto_shrink([false, true])
            .show(ui, |ui| {
                for one in expectations {
                    widget::expectation(ui, one);
                }
            });
    });
}
