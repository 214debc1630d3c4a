//! Fonts, sizes, spacing and colours of the widgets, in both themes.

use super::theme::{Palette, Surfaces};
use egui::style::WidgetVisuals;
use egui::{
    Context, CornerRadius, FontDefinitions, FontFamily, FontId, Margin, Shadow, Stroke, Style,
    TextStyle, Theme, Visuals, vec2,
};

/// Height of a row in lists, points.
pub const ROW: f32 = 22.0;

const RADIUS: CornerRadius = CornerRadius::same(4);

/// Installs the fonts and both themes; called once, before the first pass.
pub fn install(ctx: &Context) {
    let mut fonts = FontDefinitions::default();
    // The proportional font lacks arrows, Greek and mathematical signs, which names of objects may contain.
    if let Some(family) = fonts.families.get_mut(&FontFamily::Proportional) {
        family.push("Hack".to_owned());
    }
    ctx.set_fonts(fonts);
    egui_material_icons::initialize(ctx);
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| shape(style, theme));
    }
    // Larger and smaller are commands, so that menus and the cheat sheet list them.
    ctx.options_mut(|options| options.zoom_with_keyboard = false);
}

/// The font of captions, axes and badges.
pub fn small() -> FontId {
    FontId::new(11.0, FontFamily::Proportional)
}

/// The font of numbers that change in place.
pub fn mono() -> FontId {
    FontId::new(12.0, FontFamily::Monospace)
}

fn shape(style: &mut Style, theme: Theme) {
    style.text_styles = [
        (TextStyle::Small, small()),
        (TextStyle::Body, FontId::new(13.0, FontFamily::Proportional)),
        (
            TextStyle::Button,
            FontId::new(13.0, FontFamily::Proportional),
        ),
        (
            TextStyle::Heading,
            FontId::new(16.0, FontFamily::Proportional),
        ),
        (TextStyle::Monospace, mono()),
    ]
    .into();
    let spacing = &mut style.spacing;
    spacing.item_spacing = vec2(6.0, 4.0);
    spacing.button_padding = vec2(7.0, 2.0);
    spacing.interact_size = vec2(28.0, 22.0);
    spacing.menu_margin = Margin::same(6);
    spacing.window_margin = Margin::same(12);
    spacing.indent = 14.0;
    spacing.tooltip_width = 360.0;
    spacing.combo_height = 320.0;
    spacing.scroll.bar_width = 8.0;
    spacing.scroll.floating = true;
    style.animation_time = 0.08;
    style.interaction.tooltip_delay = 0.35;
    style.visuals = visuals(theme);
}

fn visuals(theme: Theme) -> Visuals {
    let (mut visuals, palette, surfaces) = match theme {
        Theme::Dark => (Visuals::dark(), Palette::DARK, Surfaces::DARK),
        Theme::Light => (Visuals::light(), Palette::LIGHT, Surfaces::LIGHT),
    };
    let widget = |fill, stroke, text| WidgetVisuals {
        bg_fill: fill,
        weak_bg_fill: fill,
        bg_stroke: stroke,
        fg_stroke: Stroke::new(1.0, text),
        corner_radius: RADIUS,
        expansion: 0.0,
    };
    let line = Stroke::new(1.0, surfaces.line);
    visuals.widgets.noninteractive = widget(surfaces.panel, line, palette.text);
    visuals.widgets.inactive = widget(surfaces.widget, Stroke::NONE, palette.text);
    visuals.widgets.hovered = widget(surfaces.widget_hovered, Stroke::NONE, palette.text);
    // Also of what has the focus of the keyboard.
    let focus = Stroke::new(1.5, surfaces.link);
    visuals.widgets.active = widget(surfaces.widget_pressed, focus, palette.text);
    visuals.widgets.open = widget(surfaces.widget_hovered, Stroke::NONE, palette.text);
    visuals.selection.bg_fill = surfaces.chosen;
    visuals.selection.stroke = Stroke::new(1.0, surfaces.chosen_text);
    visuals.weak_text_color = Some(palette.text_weak);
    visuals.hyperlink_color = surfaces.link;
    visuals.panel_fill = surfaces.panel;
    visuals.window_fill = surfaces.raised;
    visuals.window_stroke = line;
    visuals.extreme_bg_color = surfaces.sunken;
    visuals.faint_bg_color = surfaces.stripe;
    visuals.code_bg_color = surfaces.sunken;
    visuals.warn_fg_color = palette.kind(crate::core::diagnose::Kind::Clips);
    visuals.error_fg_color = palette.bad;
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    let shadow = Shadow {
        offset: [0, 6],
        blur: 18,
        spread: 0,
        color: surfaces.shadow,
    };
    visuals.window_shadow = shadow;
    visuals.popup_shadow = shadow;
    visuals
}
