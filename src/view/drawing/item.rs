//! Primitives of a drawing, in points from its upper left corner, and their styles.

use glam::DVec2;

/// A primitive; later ones are above earlier ones.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Closed outlines of one winding, filled as their union.
    Fill {
        /// Its meaning.
        ink: Ink,
        /// Corners of each.
        outlines: Vec<Vec<DVec2>>,
    },
    /// An open line.
    Line {
        /// Its meaning.
        ink: Ink,
        /// At least two.
        points: Vec<DVec2>,
    },
    /// A disc.
    Circle {
        /// Its meaning.
        ink: Ink,
        /// Its centre.
        center: DVec2,
        /// > 0.
        radius: f64,
    },
    /// One line of text, not escaped.
    Text {
        /// Its meaning.
        ink: Ink,
        /// On the base line.
        at: DVec2,
        /// The part of the text that is there.
        anchor: Anchor,
        /// Its content.
        text: String,
    },
}

/// The part of a text that is at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Its left end.
    Start,
    /// Its middle.
    Middle,
    /// Its right end.
    End,
}

impl Anchor {
    /// The distances from its point to the ends of a text of this width.
    pub fn sides(self, width: f64) -> (f64, f64) {
        match self {
            Self::Start => (0.0, width),
            Self::Middle => (0.5 * width, 0.5 * width),
            Self::End => (width, 0.0),
        }
    }
}

/// A colour by its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Behind everything.
    Ground,
    /// The mover and its path.
    Mover,
    /// The obstacle.
    Obstacle,
    /// Where they touch.
    Impact,
    /// Normals.
    Normal,
    /// What is allowed.
    Allowed,
    /// Labels.
    Text,
    /// Dimensions and notes.
    Weak,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 8] = [
        Self::Ground,
        Self::Mover,
        Self::Obstacle,
        Self::Impact,
        Self::Normal,
        Self::Allowed,
        Self::Text,
        Self::Weak,
    ];

    /// Red, green and blue, on a light and on a dark ground; each has a contrast of at least 4.5 to it.
    pub fn color(self, is_dark: bool) -> [u8; 3] {
        let [light, dark] = match self {
            Self::Ground => [[0xf6, 0xf7, 0xf9], [0x1d, 0x21, 0x28]],
            Self::Mover => [[0x0b, 0x5c, 0xad], [0x7c, 0xb7, 0xff]],
            Self::Obstacle => [[0x6b, 0x72, 0x80], [0xa4, 0xad, 0xb8]],
            Self::Impact => [[0xb4, 0x23, 0x18], [0xff, 0x8a, 0x80]],
            Self::Normal => [[0x7c, 0x3a, 0xed], [0xc4, 0xa5, 0xff]],
            Self::Allowed => [[0x1a, 0x7f, 0x37], [0x6f, 0xd0, 0x8c]],
            Self::Text => [[0x1b, 0x1f, 0x24], [0xe7, 0xea, 0xee]],
            Self::Weak => [[0x57, 0x60, 0x6a], [0xa4, 0xad, 0xb8]],
        };
        if is_dark { dark } else { light }
    }
}

/// How a primitive is painted.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Style {
    /// Its inside, with the opacity.
    pub fill: Option<(Role, f64)>,
    /// Its edge, with the width in points.
    pub stroke: Option<(Role, f64)>,
    /// Points of stroke and gap.
    pub dash: Option<[f64; 2]>,
}

/// What a primitive means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The ground, also of a lens.
    Ground,
    /// The obstacle.
    Obstacle,
    /// What it sweeps.
    ObstacleSweep,
    /// A surface without thickness, or a cut through one.
    Surface,
    /// The mover at the impact.
    Mover,
    /// The mover at another moment.
    Ghost,
    /// The mover after a push.
    Pushed,
    /// What it sweeps.
    Sweep,
    /// The path of its centre.
    Path,
    /// The view of a camera, an answer of the engine.
    Look,
    /// The contact.
    Contact,
    /// Its normal.
    Normal,
    /// A push.
    Push,
    /// A place where an overlap test finds nothing.
    Missed,
    /// A place where it finds an overlap.
    Detected,
    /// A dimension line.
    Dimension,
    /// The travel that is allowed.
    Allowed,
    /// The rim of a lens.
    Lens,
    /// The name of a part, the moments.
    Label,
    /// A value of a dimension, a note.
    Note,
    /// A value of what is allowed.
    AllowedNote,
}

impl Ink {
    /// Every one.
    pub const ALL: [Self; 21] = [
        Self::Ground,
        Self::Obstacle,
        Self::ObstacleSweep,
        Self::Surface,
        Self::Mover,
        Self::Ghost,
        Self::Pushed,
        Self::Sweep,
        Self::Path,
        Self::Look,
        Self::Contact,
        Self::Normal,
        Self::Push,
        Self::Missed,
        Self::Detected,
        Self::Dimension,
        Self::Allowed,
        Self::Lens,
        Self::Label,
        Self::Note,
        Self::AllowedNote,
    ];

    /// Its name in style sheets.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ground => "ground",
            Self::Obstacle => "obstacle",
            Self::ObstacleSweep => "obstacle-sweep",
            Self::Surface => "surface",
            Self::Mover => "mover",
            Self::Ghost => "ghost",
            Self::Pushed => "pushed",
            Self::Sweep => "sweep",
            Self::Path => "path",
            Self::Look => "look",
            Self::Contact => "contact",
            Self::Normal => "normal",
            Self::Push => "push",
            Self::Missed => "missed",
            Self::Detected => "detected",
            Self::Dimension => "dimension",
            Self::Allowed => "allowed",
            Self::Lens => "lens",
            Self::Label => "label",
            Self::Note => "note",
            Self::AllowedNote => "allowed-note",
        }
    }

    /// Its style; texts have the colour of the fill.
    pub fn style(self) -> Style {
        let filled = |role, opacity| Style {
            fill: Some((role, opacity)),
            ..Style::default()
        };
        let edged = |style: Style, role, width| Style {
            stroke: Some((role, width)),
            ..style
        };
        let line = |role, width| edged(Style::default(), role, width);
        let dashed = |style: Style, dash| Style {
            dash: Some(dash),
            ..style
        };
        match self {
            Self::Ground => filled(Role::Ground, 1.0),
            Self::Obstacle => edged(filled(Role::Obstacle, 0.28), Role::Obstacle, 1.4),
            Self::ObstacleSweep => filled(Role::Obstacle, 0.13),
            Self::Surface => line(Role::Obstacle, 2.2),
            Self::Mover => edged(filled(Role::Mover, 0.22), Role::Mover, 1.8),
            Self::Ghost => dashed(
                edged(filled(Role::Mover, 0.10), Role::Mover, 1.2),
                [4.0, 3.0],
            ),
            Self::Pushed => dashed(
                edged(filled(Role::Impact, 0.08), Role::Impact, 1.2),
                [2.0, 2.0],
            ),
            Self::Sweep => filled(Role::Mover, 0.11),
            Self::Path => dashed(line(Role::Mover, 1.1), [2.0, 3.0]),
            Self::Look => edged(filled(Role::Mover, 1.0), Role::Mover, 1.4),
            Self::Contact => edged(filled(Role::Impact, 1.0), Role::Ground, 1.0),
            Self::Normal => edged(filled(Role::Normal, 1.0), Role::Normal, 1.6),
            Self::Push => edged(filled(Role::Impact, 1.0), Role::Impact, 1.6),
            Self::Missed => edged(filled(Role::Ground, 1.0), Role::Weak, 1.8),
            Self::Detected => edged(filled(Role::Impact, 1.0), Role::Ground, 1.2),
            Self::Dimension => edged(filled(Role::Weak, 1.0), Role::Weak, 1.0),
            Self::Allowed => edged(filled(Role::Allowed, 1.0), Role::Allowed, 2.0),
            Self::Lens => line(Role::Weak, 1.2),
            Self::Label => filled(Role::Text, 1.0),
            Self::Note => filled(Role::Weak, 1.0),
            Self::AllowedNote => filled(Role::Allowed, 1.0),
        }
    }
}
