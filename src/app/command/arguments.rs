//! The arguments of commands.

use crate::core::replay::ObjectId;
use crate::core::replay::search::SearchCondition;
use glam::DVec3;

/// What of the view is saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    /// What is seen now, as a PNG.
    Picture,
    /// The loop as it plays, as an animated GIF.
    Loop,
    /// The inside of the frame at the playhead, slowly, as an animated GIF.
    Inside,
}

impl Export {
    /// What the file's name ends with.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Picture => "png",
            Self::Loop | Self::Inside => "gif",
        }
    }
}

/// The answer to a question over the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Save first, and then do it. Of a file changed outside: keep what is here. Of one to be overwritten: save elsewhere.
    Save,
    /// Let the changes go. Of a file changed outside: take what is there. Of one to be overwritten: overwrite it.
    Discard,
    /// Do nothing.
    Cancel,
}

/// A set of lines to begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its `title`")]
pub enum Preset {
    Standard,
    T,
    Box,
    Spokes,
    NearPlane,
}

impl Preset {
    /// In the order of the menu.
    pub const ALL: [Self; 5] = [
        Self::Standard,
        Self::T,
        Self::Box,
        Self::Spokes,
        Self::NearPlane,
    ];

    /// As the menu writes it.
    pub fn title(self) -> &'static str {
        match self {
            Self::Standard => "The published five",
            Self::T => "A T",
            Self::Box => "A box",
            Self::Spokes => "A ball of 24 spokes",
            Self::NearPlane => "The near plane's corners",
        }
    }
}

/// The input of a walk in one pass of the window.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stride {
    /// Right, up and back, each -1 to 1, as the camera looks.
    pub way: DVec3,
    /// Radians to the left and up.
    pub turn: [f64; 2],
    /// Seconds since the last pass.
    pub seconds: f64,
    /// Run.
    pub fast: bool,
}

/// What can be asked for; the words of [`Condition::label`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its `label`")]
pub enum Condition {
    Touch,
    Deeper,
    Nearer,
    HitBefore,
    Faster,
    PushedFarther,
    LongerFrame,
    NotFinite,
    Appears,
    Disappears,
}

impl Condition {
    /// In the order of the list.
    pub const ALL: [Self; 10] = [
        Self::Touch,
        Self::Deeper,
        Self::Nearer,
        Self::HitBefore,
        Self::Faster,
        Self::PushedFarther,
        Self::LongerFrame,
        Self::NotFinite,
        Self::Appears,
        Self::Disappears,
    ];

    /// As the list says it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Touch => "a touches b",
            Self::Deeper => "a and b overlap deeper than",
            Self::Nearer => "a and b are nearer than",
            Self::HitBefore => "a meets b before the fraction",
            Self::Faster => "something is faster than",
            Self::PushedFarther => "something is pushed farther than",
            Self::LongerFrame => "the frame is longer than",
            Self::NotFinite => "a number is not finite",
            Self::Appears => "an object appears",
            Self::Disappears => "an object disappears",
        }
    }

    /// How many objects it asks about; those of the conditions about "something" may be left open.
    pub fn objects(self) -> usize {
        match self {
            Self::Touch | Self::Deeper | Self::Nearer | Self::HitBefore => 2,
            Self::LongerFrame => 0,
            _ => 1,
        }
    }

    /// May its object be any?
    pub fn of_any(self) -> bool {
        matches!(self, Self::Faster | Self::PushedFarther | Self::NotFinite)
    }

    /// The number it compares with: where it begins, and its unit.
    pub fn limit(self) -> Option<(f64, &'static str)> {
        match self {
            Self::Deeper => Some((0.001, "m")),
            Self::Nearer => Some((0.1, "m")),
            Self::HitBefore => Some((0.5, "")),
            Self::Faster => Some((10.0, "m/s")),
            Self::PushedFarther => Some((0.01, "m")),
            Self::LongerFrame => Some((1.0 / 50.0, "s")),
            Self::Touch | Self::NotFinite | Self::Appears | Self::Disappears => None,
        }
    }
}

/// What is looked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// What holds.
    pub condition: Condition,
    /// Of whom.
    pub a: Option<ObjectId>,
    /// And with whom.
    pub b: Option<ObjectId>,
    /// In the unit of [`Condition::limit`].
    pub limit: f64,
}

impl Default for Query {
    fn default() -> Self {
        Self {
            condition: Condition::Touch,
            a: None,
            b: None,
            limit: 0.0,
        }
    }
}

impl Query {
    /// As the core asks it; else what is still to be said.
    ///
    /// # Errors
    /// What to choose before it can be asked.
    pub fn wanted(&self) -> Result<SearchCondition, &'static str> {
        let limit = self.limit;
        let pair = || match (self.a, self.b) {
            (Some(a), Some(b)) if a == b => Err("choose two different objects"),
            (Some(a), Some(b)) => Ok((a, b)),
            _ => Err("choose two objects: type a name, or take the selected ones"),
        };
        let one = || {
            self.a
                .ok_or("choose an object: type its name, or take the selected one")
        };
        Ok(match self.condition {
            Condition::Touch => {
                let (a, b) = pair()?;
                SearchCondition::Touch(a, b)
            }
            Condition::Deeper => {
                let (a, b) = pair()?;
                SearchCondition::Deeper(a, b, limit)
            }
            Condition::Nearer => {
                let (a, b) = pair()?;
                SearchCondition::Nearer(a, b, limit)
            }
            Condition::HitBefore => {
                let (a, b) = pair()?;
                SearchCondition::HitBefore(a, b, limit)
            }
            Condition::Faster => SearchCondition::Faster(self.a, limit),
            Condition::PushedFarther => SearchCondition::PushedFarther(self.a, limit),
            Condition::LongerFrame => SearchCondition::LongerFrame(limit),
            Condition::NotFinite => SearchCondition::NotFinite(self.a),
            Condition::Appears => SearchCondition::Appears(one()?),
            Condition::Disappears => SearchCondition::Disappears(one()?),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_says_what_it_still_needs() {
        for condition in Condition::ALL {
            let mut query = Query {
                condition,
                ..Query::default()
            };
            let needed = if condition.of_any() {
                0
            } else {
                condition.objects()
            };
            assert_eq!(query.wanted().is_ok(), needed == 0, "{condition:?}");
            query.a = Some(3);
            assert_eq!(query.wanted().is_ok(), needed <= 1, "{condition:?}");
            query.b = Some(3);
            assert_eq!(query.wanted().is_ok(), needed <= 1, "the same twice");
            query.b = Some(4);
            assert!(query.wanted().is_ok(), "{condition:?}");
        }
    }
}
