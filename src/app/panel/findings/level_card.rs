//! The card of the level: the single changes that fix most findings.

use crate::app::command::Command;
use crate::app::model::{JobKind, Model};
use crate::app::theme::{Palette, Surfaces};
use crate::app::{style, text, widget};
use crate::core::diagnose::{Cause, LevelFix, text_of_staying};
use crate::core::scene::UserUnits;
use egui::accesskit::Role;
use egui::{
    Align2, CollapsingHeader, Label, Rect, RichText, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    pos2, vec2,
};

/// Height of a row, points.
const ROW: f32 = 21.0;
/// The space between two rows, points.
const SPACE: f32 = 2.0;
/// The part of the panel's height that the rows may use; the findings need the rest.
const PART: f32 = 0.2;
/// The most rows that are shown at first.
const MOST: usize = 4;
/// In a row narrower than this the count is only a share, points.
const NARROW: f32 = 260.0;

/// Draws the changes of the open level, each with the share of the findings that it fixes. A click lists those that stay. Its height is the same
/// while they are searched: what is below stays where it is.
pub fn show(ui: &mut Ui, model: &Model, commands: &mut Vec<Command>) {
    let Some((derived, document)) = model.derived().zip(model.document()) else {
        return;
    };
    let (rows, findings) = (&derived.level_fixes, document.findings());
    if findings.len() < 2 {
        return;
    }
    let title = RichText::new("What would fix most").strong();
    let header = CollapsingHeader::new(title).default_open(true);
    let fit = (ui.available_height() * PART / (ROW + SPACE)) as usize;
    let fit = fit.clamp(1, MOST.min(findings.len()));
    header.show_unindented(ui, |ui| {
        ui.spacing_mut().item_spacing.y = SPACE;
        let line = ui.text_style_height(&egui::TextStyle::Small) + 2.0 * SPACE;
        ui.set_min_height(fit as f32 * (ROW + SPACE) + line);
        let weak = |text: &str| RichText::new(text).font(style::small()).weak();
        if !document.is_diagnosed() || model.diagnosing().is_some() {
            ui.label(weak("Searched when all frames are diagnosed."));
            return;
        }
        if model.jobs.is_running(JobKind::LevelFixes) {
            ui.label(weak("Searching what would fix most\u{2026}"));
            return;
        }
        if rows.is_empty() {
            ui.label(weak("No single change fixes two of them."));
        }
        let shown_in_full = ui.scope_id().with("all");
        let all = ui.data(|data| data.get_temp(shown_in_full) == Some(true));
        let count = if all { rows.len() } else { rows.len().min(fit) };
        for (index, row) in rows.iter().enumerate().take(count) {
            let chosen = derived.stays_with == Some(index);
            if one(ui, row, chosen, model.units()) {
                commands.push(Command::ListStaying((!chosen).then_some(index)));
            }
        }
        ui.horizontal(|ui| {
            if count < rows.len() {
                let more = text::count_of(rows.len() - count, "more change", "more changes");
                if ui.link(RichText::new(more).font(style::small())).clicked() {
                    ui.data_mut(|data| data.insert_temp(shown_in_full, true));
                }
            }
            let list = model.finding_list();
            let causes = list.map_or(&[][..], |list| list.that_stay(rows, findings));
            let most = causes.first();
            if let Some((cause, number)) = most.filter(|(_, it)| 2 * it >= findings.len()) {
                most_stay(ui, *cause, (*number, findings.len()), commands);
            } else if let Some(stay) = text_of_staying(causes) {
                let text = RichText::new(&stay).font(style::small()).weak();
                ui.add(Label::new(text).truncate()).on_hover_text(stay);
            }
        });
    });
    ui.add_space(4.0);
}

/// Names the cause of most findings, which no change fixes; a click lists them.
fn most_stay(
    ui: &mut Ui,
    cause: Cause,
    (number, all): (usize, usize),
    commands: &mut Vec<Command>,
) {
    let share = (100.0 * number as f64 / all as f64).round();
    let (id, title) = (cause.id(), cause.title());
    let text = format!("{share} % are {id} {title}: none of these changes fixes them");
    let label = Label::new(RichText::new(&text).font(style::small()).underline());
    let link = ui.add(label.truncate().sense(Sense::click()));
    link.widget_info(|| WidgetInfo::labeled(Role::Link, true, &text));
    if link.on_hover_text("Click to list them").clicked() {
        commands.push(Command::FilterFindings(id.to_owned()));
    }
}

/// Draws a change; returns true on a click.
fn one(ui: &mut Ui, row: &LevelFix, chosen: bool, units: UserUnits) -> bool {
    let size = vec2(ui.available_width(), ROW);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    response
        .widget_info(|| WidgetInfo::selected(Role::ListItem, true, chosen, text::prose(&row.text)));
    if ui.is_rect_visible(rect) {
        paint(ui, rect, (row, units), chosen || response.hovered());
    }
    let help = match (row.stays.len(), chosen) {
        (_, true) => "Click to list all findings again".to_owned(),
        (0, _) => "No finding stays".to_owned(),
        (stays, _) => format!("Click to list only the {stays} that stay"),
    };
    response
        .on_hover_text(format!("{}\n{help}", text::prose(&row.text)))
        .clicked()
}

/// The change and its count, over a bar of the findings that it fixes.
fn paint(ui: &Ui, rect: Rect, (row, units): (&LevelFix, UserUnits), marked: bool) {
    let (palette, surfaces) = (Palette::of(ui.visuals()), Surfaces::of(ui.visuals()));
    let painter = ui.painter().with_clip_rect(rect);
    let all = (row.fixed.len() + row.stays.len()).max(1) as f32;
    let width = rect.width() * row.fixed.len() as f32 / all;
    let filled = Rect::from_min_size(rect.min, vec2(width, rect.height()));
    painter.rect_filled(rect, 3.0, surfaces.sunken);
    painter.rect_filled(filled, 3.0, palette.good.gamma_multiply(0.25));
    if marked {
        let stroke = Stroke::new(1.0, palette.good);
        painter.rect_stroke(rect, 3.0, stroke, StrokeKind::Inside);
    }
    let (left, right, middle) = (rect.left() + 6.0, rect.right() - 6.0, rect.center().y);
    let count = painter.text(
        pos2(right, middle),
        Align2::RIGHT_CENTER,
        match rect.width() < NARROW {
            true => row.share(),
            false => row.count(),
        },
        style::small(),
        palette.text,
    );
    widget::line(
        &painter,
        pos2(left, middle),
        count.left() - left - 8.0,
        &text::prose(&row.change(units)),
        style::small(),
        palette.text,
    );
}
