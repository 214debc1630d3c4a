//! Colours have meanings and live here; a thing has one colour in its list row and in the viewport.
//!
//! The hues are Okabe and Ito's (2008), which stay apart for colour-blind eyes.

use crate::core::diagnose::Kind;
use crate::core::scene::{Movement, Object};
use egui::Color32;

/// The meanings of colours, for one theme.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "each field is named for what it colours")]
pub struct Palette {
    pub sky_top: Color32,
    pub sky_bottom: Color32,
    pub daylight: f32,
    pub grid: Color32,
    pub grid_major: Color32,
    pub axis_x: Color32,
    pub axis_y: Color32,
    pub axis_z: Color32,
    pub moving: Color32,
    pub kinematic: Color32,
    pub fixed: Color32,
    pub sensor: Color32,
    pub selected: Color32,
    pub hovered: Color32,
    pub bounds: Color32,
    pub velocity: Color32,
    pub swept: Color32,
    pub ghost_start: Color32,
    pub ghost_impact: Color32,
    pub ghost_end: Color32,
    pub normal: Color32,
    pub contact: Color32,
    pub push: Color32,
    pub trail: Color32,
    pub camera: Color32,
    pub probe: Color32,
    pub probe_hit: Color32,
    pub playhead: Color32,
    pub good: Color32,
    pub bad: Color32,
    pub text: Color32,
    pub text_weak: Color32,
}

impl Palette {
    /// On a dark ground.
    pub const DARK: Self = Self {
        sky_top: Color32::from_rgb(38, 42, 50),
        sky_bottom: Color32::from_rgb(22, 24, 29),
        daylight: 0.0,
        grid: Color32::from_rgb(52, 56, 64),
        grid_major: Color32::from_rgb(74, 80, 92),
        axis_x: Color32::from_rgb(214, 84, 78),
        axis_y: Color32::from_rgb(112, 178, 86),
        axis_z: Color32::from_rgb(84, 140, 222),
        moving: Color32::from_rgb(232, 190, 110),
        kinematic: Color32::from_rgb(130, 190, 170),
        fixed: Color32::from_rgb(138, 146, 160),
        sensor: Color32::from_rgb(150, 130, 200),
        selected: Color32::from_rgb(255, 205, 72),
        hovered: Color32::from_rgb(255, 235, 180),
        bounds: Color32::from_rgb(120, 200, 150),
        velocity: Color32::from_rgb(86, 180, 233),
        swept: Color32::from_rgb(86, 180, 233),
        ghost_start: Color32::from_rgb(150, 160, 175),
        ghost_impact: Color32::from_rgb(240, 110, 60),
        ghost_end: Color32::from_rgb(204, 121, 167),
        normal: Color32::from_rgb(240, 228, 66),
        contact: Color32::from_rgb(240, 110, 60),
        push: Color32::from_rgb(0, 190, 140),
        trail: Color32::from_rgb(150, 140, 110),
        camera: Color32::from_rgb(200, 205, 215),
        probe: Color32::from_rgb(120, 200, 220),
        probe_hit: Color32::from_rgb(240, 110, 60),
        playhead: Color32::from_rgb(255, 205, 72),
        good: Color32::from_rgb(60, 190, 140),
        bad: Color32::from_rgb(240, 110, 60),
        text: Color32::from_rgb(224, 228, 235),
        text_weak: Color32::from_rgb(150, 157, 168),
    };

    /// On a light ground.
    pub const LIGHT: Self = Self {
        sky_top: Color32::from_rgb(236, 240, 246),
        sky_bottom: Color32::from_rgb(214, 220, 229),
        daylight: 0.4,
        grid: Color32::from_rgb(196, 203, 214),
        grid_major: Color32::from_rgb(166, 175, 190),
        axis_x: Color32::from_rgb(190, 50, 45),
        axis_y: Color32::from_rgb(70, 135, 45),
        axis_z: Color32::from_rgb(40, 95, 185),
        moving: Color32::from_rgb(214, 158, 62),
        kinematic: Color32::from_rgb(80, 155, 135),
        fixed: Color32::from_rgb(158, 166, 180),
        sensor: Color32::from_rgb(130, 105, 190),
        selected: Color32::from_rgb(215, 130, 0),
        hovered: Color32::from_rgb(190, 140, 50),
        bounds: Color32::from_rgb(40, 130, 75),
        velocity: Color32::from_rgb(0, 105, 170),
        swept: Color32::from_rgb(0, 105, 170),
        ghost_start: Color32::from_rgb(110, 120, 135),
        ghost_impact: Color32::from_rgb(205, 80, 0),
        ghost_end: Color32::from_rgb(165, 70, 125),
        normal: Color32::from_rgb(150, 130, 0),
        contact: Color32::from_rgb(205, 80, 0),
        push: Color32::from_rgb(0, 130, 95),
        trail: Color32::from_rgb(150, 135, 95),
        camera: Color32::from_rgb(70, 76, 88),
        probe: Color32::from_rgb(0, 120, 145),
        probe_hit: Color32::from_rgb(205, 80, 0),
        playhead: Color32::from_rgb(200, 115, 0),
        good: Color32::from_rgb(0, 125, 85),
        bad: Color32::from_rgb(200, 75, 0),
        text: Color32::from_rgb(30, 34, 42),
        text_weak: Color32::from_rgb(95, 103, 116),
    };

    /// The palette of the theme that a piece of the window is drawn in.
    pub fn of(visuals: &egui::Visuals) -> &'static Self {
        if visuals.dark_mode {
            &Self::DARK
        } else {
            &Self::LIGHT
        }
    }

    /// The colour of an object, in its list row and in the viewport: its own, else that of how it moves.
    pub fn object(&self, object: &Object) -> Color32 {
        if let Some([r, g, b]) = object.color {
            return Color32::from_rgb(r, g, b);
        }
        if object.sensor {
            return self.sensor;
        }
        match object.movement {
            Movement::Velocity => self.moving,
            Movement::Kinematic | Movement::Keyframes(_) => self.kinematic,
            Movement::Fixed => self.fixed,
        }
    }

    /// The colour of a kind of finding, in lists, on the timeline and in the viewport.
    pub fn kind(&self, kind: Kind) -> Color32 {
        let dark = *self == Self::DARK;
        let pick = |on_dark: (u8, u8, u8), on_light: (u8, u8, u8)| {
            let (r, g, b) = if dark { on_dark } else { on_light };
            Color32::from_rgb(r, g, b)
        };
        match kind {
            Kind::Tunnels => pick((240, 96, 56), (200, 70, 0)),
            Kind::Clips => pick((230, 159, 0), (176, 116, 0)),
            Kind::WrongSide => pick((214, 130, 178), (165, 70, 125)),
            Kind::StartsInside => pick((86, 180, 233), (0, 105, 170)),
            Kind::Sinks => pick((80, 130, 230), (40, 80, 180)),
            Kind::CameraCrosses => pick((0, 190, 140), (0, 125, 85)),
            Kind::Phantom => pick((240, 228, 66), (140, 122, 0)),
            Kind::BadNumber => pick((200, 205, 215), (90, 96, 108)),
        }
    }
}

/// Least contrast of words to their ground (WCAG 2.2, level AA).
const CONTRAST: f64 = 4.5;

/// A colour in which words can be read on a ground: itself, or as much toward black or white as it takes.
pub fn readable(color: Color32, ground: Color32) -> Color32 {
    let end = if luminance(ground) > 0.18 {
        Color32::BLACK
    } else {
        Color32::WHITE
    };
    let steps = 20;
    let mixed = |step: i32| color.lerp_to_gamma(end, step as f32 / steps as f32);
    (0..=steps)
        .map(mixed)
        .find(|mixed| contrast(*mixed, ground) >= CONTRAST)
        .unwrap_or(end)
}

/// Contrast ratio of two opaque colours, from 1 to 21 (WCAG 2.2).
fn contrast(one: Color32, other: Color32) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Relative luminance of an opaque colour, from 0 to 1 (WCAG 2.2).
fn luminance(color: Color32) -> f64 {
    let linear = |byte: u8| {
        let part = f64::from(byte) / 255.0;
        if part <= 0.04045 {
            part / 12.92
        } else {
            ((part + 0.055) / 1.055).powf(2.4)
        }
    };
    0.2126 * linear(color.r()) + 0.7152 * linear(color.g()) + 0.0722 * linear(color.b())
}

/// The grounds and lines of the window itself, for one theme.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "each field is named for what it colours")]
pub struct Surfaces {
    pub panel: Color32,
    pub raised: Color32,
    pub sunken: Color32,
    pub stripe: Color32,
    pub line: Color32,
    pub widget: Color32,
    pub widget_hovered: Color32,
    pub widget_pressed: Color32,
    pub chosen: Color32,
    pub chosen_text: Color32,
    pub link: Color32,
    pub shadow: Color32,
}

impl Surfaces {
    /// On a dark ground.
    pub const DARK: Self = Self {
        panel: Color32::from_rgb(28, 31, 37),
        raised: Color32::from_rgb(36, 40, 47),
        sunken: Color32::from_rgb(20, 22, 27),
        stripe: Color32::from_rgb(33, 36, 43),
        line: Color32::from_rgb(49, 54, 63),
        widget: Color32::from_rgb(44, 48, 57),
        widget_hovered: Color32::from_rgb(57, 63, 74),
        widget_pressed: Color32::from_rgb(70, 77, 91),
        chosen: Color32::from_rgb(48, 74, 112),
        chosen_text: Color32::from_rgb(226, 236, 250),
        link: Color32::from_rgb(120, 180, 240),
        shadow: Color32::from_black_alpha(110),
    };

    /// On a light ground.
    pub const LIGHT: Self = Self {
        panel: Color32::from_rgb(246, 247, 249),
        raised: Color32::from_rgb(255, 255, 255),
        sunken: Color32::from_rgb(233, 236, 241),
        stripe: Color32::from_rgb(238, 240, 244),
        line: Color32::from_rgb(212, 217, 225),
        widget: Color32::from_rgb(227, 231, 237),
        widget_hovered: Color32::from_rgb(214, 220, 229),
        widget_pressed: Color32::from_rgb(198, 206, 218),
        chosen: Color32::from_rgb(196, 218, 246),
        chosen_text: Color32::from_rgb(18, 46, 86),
        link: Color32::from_rgb(20, 92, 170),
        shadow: Color32::from_black_alpha(40),
    };

    /// The surfaces of the theme that a piece of the window is drawn in.
    pub fn of(visuals: &egui::Visuals) -> &'static Self {
        if visuals.dark_mode {
            &Self::DARK
        } else {
            &Self::LIGHT
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_every_colour_can_be_read() {
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-9);
        for palette in [Palette::DARK, Palette::LIGHT] {
            let ground = palette.sky_bottom;
            for hue in [
                palette.text,
                palette.selected,
                palette.push,
                palette.playhead,
                palette.bad,
                palette.ghost_start,
                palette.ghost_impact,
                palette.ghost_end,
                palette.probe_hit,
                palette.camera,
                ground,
            ] {
                assert!(
                    contrast(readable(hue, ground), ground) >= CONTRAST,
                    "{hue:?}"
                );
            }
            assert_eq!(readable(palette.text, ground), palette.text);
        }
    }
}
