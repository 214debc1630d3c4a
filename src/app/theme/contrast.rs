//! The contrast of colours (WCAG 2.2).

use egui::Color32;

/// The least contrast of text to its background (WCAG 2.2, level AA).
pub(super) const MIN_CONTRAST: f64 = 4.5;

/// The colour for text on a background: the given one, moved toward black or white until the contrast is sufficient.
pub fn readable(color: Color32, background: Color32) -> Color32 {
    let end = if luminance(background) > 0.18 {
        Color32::BLACK
    } else {
        Color32::WHITE
    };
    let steps = 20;
    let mixed = |step: i32| color.lerp_to_gamma(end, step as f32 / steps as f32);
    (0..=steps)
        .map(mixed)
        .find(|mixed| contrast(*mixed, background) >= MIN_CONTRAST)
        .unwrap_or(end)
}

/// Contrast ratio of two opaque colours, from 1 to 21 (WCAG 2.2).
pub(super) fn contrast(one: Color32, other: Color32) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Relative luminance of an opaque colour, from 0 to 1 (WCAG 2.2).
fn luminance(color: Color32) -> f64 {
    0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
}

/// The linear value of a byte of sRGB, from 0 to 1.
pub(super) fn linear(byte: u8) -> f64 {
    let part = f64::from(byte) / 255.0;
    if part <= 0.04045 {
        part / 12.92
    } else {
        ((part + 0.055) / 1.055).powf(2.4)
    }
}
