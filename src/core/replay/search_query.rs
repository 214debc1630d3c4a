//! Search conditions as they are entered, with their words.

use super::search::{SearchCondition, SearchDirection, SearchHit};
use super::{ObjectId, Replay};

/// The kind of a search condition.
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
    /// Every kind, in the order of menus.
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

    /// Its label.
    pub fn label(self) -> &'static str {
        match self {
            Self::Touch => "a touches b",
            Self::Deeper => "a and b overlap deeper than",
            Self::Nearer => "a and b are nearer than",
            Self::HitBefore => "a hits b before the fraction",
            Self::Faster => "something is faster than",
            Self::PushedFarther => "something is pushed farther than",
            Self::LongerFrame => "the frame is longer than",
            Self::NotFinite => "a number is not finite",
            Self::Appears => "an object appears",
            Self::Disappears => "an object disappears",
        }
    }

    /// The number of its objects. In the conditions about "something" they may be left open.
    pub fn objects(self) -> usize {
        match self {
            Self::Touch | Self::Deeper | Self::Nearer | Self::HitBefore => 2,
            Self::LongerFrame => 0,
            _ => 1,
        }
    }

    /// Whether its object may be left open.
    pub fn of_any(self) -> bool {
        matches!(self, Self::Faster | Self::PushedFarther | Self::NotFinite)
    }

    /// The usual limit that it compares with, and its unit; `None` without a limit.
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

/// A search condition as it is entered: objects may be missing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchQuery {
    /// The kind.
    pub kind: Condition,
    /// The first object.
    pub a: Option<ObjectId>,
    /// The second object.
    pub b: Option<ObjectId>,
    /// In the unit of [`Condition::limit`].
    pub limit: f64,
}

impl Default for SearchQuery {
    fn default() -> Self {
        Self {
            kind: Condition::Touch,
            a: None,
            b: None,
            limit: 0.0,
        }
    }
}

impl SearchQuery {
    /// The search condition.
    ///
    /// # Errors
    /// What is missing.
    pub fn condition(&self) -> Result<SearchCondition, &'static str> {
        let limit = self.limit;
        let pair = || match (self.a, self.b) {
            (Some(a), Some(b)) if a == b => Err("choose two different objects"),
            (Some(a), Some(b)) => Ok((a, b)),
            _ => Err("choose two objects: enter their names or use the selection"),
        };
        let one = || {
            self.a
                .ok_or("choose an object: enter its name or use the selection")
        };
        Ok(match self.kind {
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

    /// What holds at a hit, with the value: `ball moves at 12 m/s`.
    pub fn answer(&self, hit: &SearchHit, replay: &Replay) -> String {
        let (objects, units) = (replay.objects(), replay.units());
        let name = |id: Option<ObjectId>| {
            let object = id.and_then(|id| objects.get(id as usize));
            object.map_or("?", |object| object.name.as_str())
        };
        let (a, b, of) = (name(self.a), name(self.b), name(hit.object));
        let unit = self.kind.limit().map_or("m", |(_, unit)| unit);
        let value = hit.value.map(|value| units.text(value, unit));
        let value = value.unwrap_or_default();
        match self.kind {
            Condition::Touch if value.is_empty() => format!("{a} begins to touch {b}"),
            Condition::Touch => format!("{a} and {b} overlap already, {value} deep"),
            Condition::Deeper => format!("{a} and {b} overlap, {value} deep"),
            Condition::Nearer => format!("{a} and {b} are {value} apart"),
            Condition::HitBefore => format!("{a} hits {b} at {value}"),
            Condition::Faster => format!("{of} moves at {value}"),
            Condition::PushedFarther => format!("{of} is pushed by {value}"),
            Condition::LongerFrame => format!("the frame takes {value}"),
            Condition::NotFinite => format!("{of} has a number that is not finite"),
            Condition::Appears => format!("{of} appears"),
            Condition::Disappears => format!("{of} disappears at its end"),
        }
    }
}

/// The result of a search for `what` without a hit, from a frame and fraction.
pub fn not_found(what: &str, (number, fraction): (u64, f64), direction: SearchDirection) -> String {
    let side = match direction {
        SearchDirection::Forward => "after",
        SearchDirection::Backward => "before",
    };
    format!("no such {what} {side} frame {number} + {fraction:.4}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::{Object, Scene};
    use crate::core::shape::Shape;
    use glam::DVec3;
    use std::sync::Arc;

    #[test]
    fn a_condition_needs_its_objects() {
        for condition in Condition::ALL {
            let mut query = SearchQuery {
                kind: condition,
                ..SearchQuery::default()
            };
            let needed = if condition.of_any() {
                0
            } else {
                condition.objects()
            };
            assert_eq!(query.condition().is_ok(), needed == 0, "{condition:?}");
            query.a = Some(3);
            assert_eq!(query.condition().is_ok(), needed <= 1, "{condition:?}");
            query.b = Some(3);
            assert_eq!(query.condition().is_ok(), needed <= 1, "the same twice");
            query.b = Some(4);
            assert!(query.condition().is_ok(), "{condition:?}");
        }
    }

    #[test]
    fn an_answer_has_its_value_and_unit() {
        let objects = ["ball", "wall"]
            .map(|name| Object::new(name, Shape::Sphere { radius: 1.0 }, DVec3::ZERO));
        let replay = Replay::stepped(Arc::new(Scene::new("test", objects.into())));
        let query = |kind| SearchQuery {
            kind,
            a: Some(0),
            b: Some(1),
            limit: 0.0,
        };
        let hit = |value, object| SearchHit {
            frame: 3,
            fraction: 0.5,
            value,
            object,
        };
        for (kind, hit, text) in [
            (
                Condition::Touch,
                hit(None, None),
                "ball begins to touch wall",
            ),
            (
                Condition::Touch,
                hit(Some(0.25), None),
                "ball and wall overlap already, 0.25 m deep",
            ),
            (
                Condition::Faster,
                hit(Some(12.0), Some(1)),
                "wall moves at 12 m/s",
            ),
            (
                Condition::HitBefore,
                hit(Some(0.5), None),
                "ball hits wall at 0.5",
            ),
        ] {
            assert_eq!(query(kind).answer(&hit, &replay), text);
        }
        let text = "no such frame before frame 3 + 0.5000";
        assert_eq!(
            not_found("frame", (3, 0.5), SearchDirection::Backward),
            text
        );
    }
}
