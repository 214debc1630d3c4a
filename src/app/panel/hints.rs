//! Three hints for new users, shown with the first level, each beside its panel.

use crate::app::command::Command;
use crate::app::dock::Pane;
use crate::app::model::{HINTS, Model};
use crate::app::theme::{Palette, Surfaces};
use crate::app::widget;
use egui::{
    Align, Area, Button, Context, Frame, Id, Layout, Order, Pos2, Rect, RichText, Stroke,
    StrokeKind, Ui, pos2, vec2,
};
use egui_material_icons::{MaterialIcon, icons};

const SIZE: egui::Vec2 = vec2(340.0, 150.0);

/// A hint.
struct Hint {
    /// The panel that it is beside; `None` for the centre of the window.
    pane: Option<Pane>,
    icon: MaterialIcon,
    title: &'static str,
    text: &'static str,
}

static TEXTS: [Hint; HINTS] = [
    Hint {
        pane: Some(Pane::Findings),
        icon: icons::ICON_FACT_CHECK,
        title: "Start with a finding",
        text: "Click a finding to select its pair and move the playhead and the view to its impact. \
               The keys [ and ] go to the previous and the next one.",
    },
    Hint {
        pane: Some(Pane::GapPlot),
        icon: icons::ICON_SHOW_CHART,
        title: "Look inside the frame",
        text: "Drag in this plot to move inside the frame. Where the curve is below zero, the pair overlaps. \
               Alt with an arrow key steps through the phases: sweep, impact, push.",
    },
    Hint {
        pane: None,
        icon: icons::ICON_SEARCH,
        title: "Find anything",
        text: "Ctrl+K finds commands, objects, findings and levels by a few letters. The key ? shows all \
               shortcuts, and everything has a tooltip.",
    },
];

/// Draws the current hint.
pub fn show(ctx: &Context, model: &Model, commands: &mut Vec<Command>) {
    let Some((number, hint)) = model
        .ui_state
        .hint
        .and_then(|number| Some((number, TEXTS.get(number)?)))
    else {
        return;
    };
    let about = hint
        .pane
        .filter(|pane| model.shows(*pane))
        .and_then(|pane| model.dock.rect(pane));
    if let Some(rect) = about {
        outline(ctx, rect);
    }
    // Above the panels, but below the notifications.
    Area::new(Id::unique("hint"))
        .order(Order::Middle)
        .fixed_pos(position(about, ctx.content_rect()))
        .show(ctx, |ui| card(ui, number, hint, commands));
}

/// The position of a hint: left of its panel, else above it, else below it; without a panel, the centre of the window.
fn position(about: Option<Rect>, window: Rect) -> Pos2 {
    let gap = 12.0;
    let center = window.center() - SIZE * 0.5;
    let Some(about) = about else {
        return center;
    };
    let at = if about.left() - SIZE.x - gap > window.left() + window.width() * 0.4 {
        pos2(about.left() - SIZE.x - gap, about.top() + gap)
    } else if about.top() - SIZE.y - gap > window.top() {
        pos2(about.center().x - SIZE.x * 0.5, about.top() - SIZE.y - gap)
    } else {
        pos2(about.center().x - SIZE.x * 0.5, about.bottom() + gap)
    };
    let last = (window.max - SIZE).max(window.min);
    at.clamp(window.min, last)
}

fn outline(ctx: &Context, rect: Rect) {
    let visuals = &ctx.global_style().visuals;
    let palette = Palette::of(visuals);
    let layer = egui::LayerId::new(Order::Middle, Id::unique("hint outline"));
    ctx.layer_painter(layer).rect_stroke(
        rect.shrink(1.0),
        6.0,
        Stroke::new(2.0, palette.playhead),
        StrokeKind::Inside,
    );
}

fn card(ui: &mut Ui, number: usize, hint: &Hint, commands: &mut Vec<Command>) {
    let surfaces = Surfaces::of(ui.visuals());
    let palette = Palette::of(ui.visuals());
    Frame::new()
        .fill(surfaces.raised)
        .stroke(Stroke::new(1.5, palette.playhead))
        .corner_radius(8)
        .shadow(ui.visuals().popup_shadow)
        .inner_margin(14)
        .show(ui, |ui| {
            ui.set_width(SIZE.x - 28.0);
            ui.horizontal(|ui| {
                ui.label(hint.icon.rich_text().size(20.0).color(palette.playhead));
                ui.label(RichText::new(hint.title).strong().size(15.0));
            });
            ui.add_space(2.0);
            ui.label(hint.text);
            ui.add_space(6.0);
            ui.horizontal(|ui| {
                ui.label(RichText::new(format!("{} of {HINTS}", number + 1)).weak());
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    buttons(ui, number, commands);
                });
            });
        });
}

fn buttons(ui: &mut Ui, number: usize, commands: &mut Vec<Command>) {
    let last = number + 1 == HINTS;
    let (text, help) = if last {
        ("Got it", "The Help menu shows the hints again")
    } else {
        ("Next hint", "Show the next hint")
    };
    let next = ui.add(widget::primary_button(ui, text));
    if next.on_hover_text(help).clicked() {
        commands.push(Command::ShowHint((!last).then_some(number + 1)));
    }
    if !last {
        let skip = ui.add(Button::new("No more hints").frame_when_inactive(false));
        if skip
            .on_hover_text("The Help menu shows the hints again")
            .clicked()
        {
            commands.push(Command::ShowHint(None));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_is_inside_the_window_and_does_not_cover_its_panel() {
        let window = Rect::from_min_size(Pos2::ZERO, vec2(1440.0, 900.0));
        let right = Rect::from_min_max(pos2(1080.0, 40.0), pos2(1440.0, 300.0));
        let below = Rect::from_min_max(pos2(220.0, 560.0), pos2(1070.0, 720.0));
        let above = Rect::from_min_max(pos2(0.0, 40.0), pos2(900.0, 130.0));
        for about in [right, below, above] {
            let card = Rect::from_min_size(position(Some(about), window), SIZE);
            assert!(window.contains_rect(card), "{card}");
            assert!(!card.intersects(about), "{card} {about}");
        }
        let card = Rect::from_min_size(position(None, window), SIZE);
        assert_eq!(card.center(), window.center());
    }
}
