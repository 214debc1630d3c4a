//! All colours, by their meaning. An object has the same colour in its list row and in the viewport.
//!
//! | colour | meaning |
//! |---|---|
//! | red, and the hues of [`Palette::kind`] | a finding, an error |
//! | blue-grey | a contact, an impact that is no finding |
//! | green | safe: detected, held, passed |
//! | cyan | the selection |
//! | amber | the playhead |
//! | neutral | bodies: light or lilac if they move, grey if fixed |
//!
//! Tests check that the colours of a group differ for colour-blind eyes, and the contrast of text.

mod contrast;
#[cfg(test)]
mod tests;

pub use contrast::readable;

use crate::core::diagnose::Kind;
use crate::core::diagnose::explain::Severity;
use crate::core::diagnose::phase_sweep::PhaseOutcome;
use crate::core::scene::{Movement, Object};
use egui::Color32;

/// The colours of one theme.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "each field is named for what it colours")]
pub struct Palette {
    /// Behind an orthographic view, and the ground far below the horizon of one in perspective.
    pub background: Color32,
    pub horizon: Color32,
    pub sky: Color32,
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
    /// The other replay of a comparison.
    pub other: Color32,
    pub playhead: Color32,
    pub good: Color32,
    pub bad: Color32,
    pub text: Color32,
    pub text_weak: Color32,
    /// From the least of a quantity to the most, darker or lighter all the way.
    pub ramp: [Color32; 4],
}

impl Palette {
    /// The dark theme.
    pub const DARK: Self = Self {
        background: Color32::from_rgb(22, 24, 29),
        horizon: Color32::from_rgb(50, 56, 66),
        sky: Color32::from_rgb(28, 32, 40),
        daylight: 0.0,
        grid: Color32::from_rgb(52, 56, 64),
        grid_major: Color32::from_rgb(74, 80, 92),
        axis_x: Color32::from_rgb(214, 84, 78),
        axis_y: Color32::from_rgb(112, 178, 86),
        axis_z: Color32::from_rgb(84, 140, 222),
        moving: Color32::from_rgb(222, 214, 200),
        kinematic: Color32::from_rgb(96, 158, 180),
        fixed: Color32::from_rgb(176, 184, 198),
        sensor: Color32::from_rgb(150, 130, 200),
        selected: Color32::from_rgb(100, 245, 255),
        hovered: Color32::from_rgb(200, 250, 255),
        bounds: Color32::from_rgb(186, 170, 130),
        velocity: Color32::from_rgb(86, 160, 245),
        swept: Color32::from_rgb(86, 160, 245),
        ghost_start: Color32::from_rgb(178, 184, 192),
        ghost_impact: Color32::from_rgb(120, 150, 200),
        ghost_end: Color32::from_rgb(190, 100, 250),
        normal: Color32::from_rgb(240, 242, 248),
        contact: Color32::from_rgb(140, 166, 206),
        push: Color32::from_rgb(230, 200, 245),
        trail: Color32::from_rgb(150, 140, 110),
        camera: Color32::from_rgb(200, 205, 215),
        probe: Color32::from_rgb(150, 165, 225),
        probe_hit: Color32::from_rgb(140, 166, 206),
        other: Color32::from_rgb(100, 155, 255),
        playhead: Color32::from_rgb(255, 200, 60),
        good: Color32::from_rgb(60, 190, 140),
        bad: Color32::from_rgb(255, 100, 84),
        text: Color32::from_rgb(224, 228, 235),
        text_weak: Color32::from_rgb(150, 157, 168),
        ramp: [
            Color32::from_rgb(58, 72, 122),
            Color32::from_rgb(38, 128, 158),
            Color32::from_rgb(110, 190, 120),
            Color32::from_rgb(255, 226, 96),
        ],
    };

    /// The light theme.
    pub const LIGHT: Self = Self {
        background: Color32::from_rgb(240, 243, 248),
        horizon: Color32::from_rgb(255, 255, 255),
        sky: Color32::from_rgb(226, 234, 245),
        daylight: 0.2,
        grid: Color32::from_rgb(196, 203, 214),
        grid_major: Color32::from_rgb(166, 175, 190),
        axis_x: Color32::from_rgb(190, 50, 45),
        axis_y: Color32::from_rgb(70, 135, 45),
        axis_z: Color32::from_rgb(40, 95, 185),
        moving: Color32::from_rgb(214, 180, 232),
        kinematic: Color32::from_rgb(110, 130, 138),
        fixed: Color32::from_rgb(158, 166, 180),
        sensor: Color32::from_rgb(130, 105, 190),
        selected: Color32::from_rgb(0, 160, 235),
        hovered: Color32::from_rgb(60, 180, 240),
        bounds: Color32::from_rgb(120, 100, 50),
        velocity: Color32::from_rgb(10, 60, 200),
        swept: Color32::from_rgb(10, 60, 200),
        ghost_start: Color32::from_rgb(128, 136, 148),
        ghost_impact: Color32::from_rgb(74, 96, 130),
        ghost_end: Color32::from_rgb(180, 0, 210),
        normal: Color32::from_rgb(40, 46, 60),
        contact: Color32::from_rgb(74, 96, 130),
        push: Color32::from_rgb(140, 60, 255),
        trail: Color32::from_rgb(150, 135, 95),
        camera: Color32::from_rgb(70, 76, 88),
        probe: Color32::from_rgb(60, 80, 170),
        probe_hit: Color32::from_rgb(74, 96, 130),
        other: Color32::from_rgb(25, 75, 200),
        playhead: Color32::from_rgb(200, 125, 0),
        good: Color32::from_rgb(0, 125, 85),
        bad: Color32::from_rgb(190, 34, 30),
        text: Color32::from_rgb(30, 34, 42),
        text_weak: Color32::from_rgb(95, 103, 116),
        ramp: [
            Color32::from_rgb(176, 204, 232),
            Color32::from_rgb(92, 158, 208),
            Color32::from_rgb(84, 84, 182),
            Color32::from_rgb(110, 0, 84),
        ],
    };

    /// The palette of the theme with these visuals.
    pub fn of(visuals: &egui::Visuals) -> &'static Self {
        if visuals.dark_mode {
            &Self::DARK
        } else {
            &Self::LIGHT
        }
    }

    /// The colour of an object in its list row and in the viewport: its own, else that of its motion.
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

    /// The colour of a result.
    pub fn severity(&self, severity: Severity) -> Color32 {
        match severity {
            Severity::None => self.text_weak,
            Severity::Clear => self.good,
            Severity::Excluded => self.push,
            Severity::Impact => self.ghost_impact,
            Severity::Bad => self.bad,
        }
    }

    /// The colour of a phase's outcome: that of the kind of finding it would be, or good.
    pub fn outcome(&self, outcome: PhaseOutcome) -> Color32 {
        match outcome {
            PhaseOutcome::Missed => self.kind(Kind::Tunnels),
            PhaseOutcome::Clipped => self.kind(Kind::Clips),
            PhaseOutcome::WrongSide => self.kind(Kind::WrongSide),
            PhaseOutcome::Resolved => self.good,
        }
    }

    /// The colour of a share of the most of a quantity, in [0, 1].
    pub fn share(&self, share: f64) -> Color32 {
        let steps = self.ramp.len() - 1;
        let at = share.clamp(0.0, 1.0) * steps as f64;
        let step = (at as usize).min(steps - 1);
        self.ramp[step].lerp_to_gamma(self.ramp[step + 1], (at - step as f64) as f32)
    }

    /// The colour of a plot line and of its lane, by index.
    pub fn line(&self, index: usize) -> Color32 {
        let lines = [
            self.velocity,
            self.push,
            self.ghost_end,
            self.normal,
            self.sensor,
            self.bounds,
            self.kinematic,
            self.ghost_impact,
        ];
        lines[index % lines.len()]
    }

    /// The colour of a kind of finding, in lists, on the timeline and in the viewport.
    pub fn kind(&self, kind: Kind) -> Color32 {
        let dark = *self == Self::DARK;
        let pick = |on_dark: (u8, u8, u8), on_light: (u8, u8, u8)| {
            let (r, g, b) = if dark { on_dark } else { on_light };
            Color32::from_rgb(r, g, b)
        };
        match kind {
            Kind::Tunnels => pick((255, 85, 34), (171, 14, 31)),
            Kind::Clips => pick((232, 133, 82), (175, 74, 12)),
            Kind::WrongSide => pick((207, 114, 191), (154, 57, 112)),
            Kind::StartsInside => pick((85, 162, 253), (0, 93, 231)),
            Kind::Sinks => pick((193, 175, 250), (137, 70, 195)),
            Kind::CameraCrosses => pick((252, 98, 116), (211, 0, 85)),
            Kind::Phantom => pick((226, 84, 229), (179, 14, 156)),
            Kind::BadNumber => pick((252, 241, 220), (73, 93, 40)),
        }
    }
}

/// The colours of the backgrounds and lines of the window, for one theme.
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
    /// The dark theme.
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

    /// The light theme.
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

    /// The surfaces of the theme with these visuals.
    pub fn of(visuals: &egui::Visuals) -> &'static Self {
        if visuals.dark_mode {
            &Self::DARK
        } else {
            &Self::LIGHT
        }
    }
}
