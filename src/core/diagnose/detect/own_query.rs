//! C22: the engine's answer to its own query, or the normal of a logged contact, differs from the exact one.
//!
//! The query is repeated against the exact shapes, and the finding has both answers. There is no number to change; the
//! bug report is the case as a scene.

use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::{Evidence, Key};
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::{Context, name_of};
use crate::core::number::number;
use crate::core::replay::{LoggedContact, LoggedQuery, ObjectId, QueryKind};
use crate::core::schema::UserUnits;
use crate::core::shape::Shape;
use glam::DVec3;

/// What is wrong with an answer; fractions are of the query's path.
#[derive(Clone, Copy, Debug)]
pub enum Wrong {
    /// It hit an object that the exact query misses.
    Ghost {
        object: ObjectId,
        logged: f64,
        /// Distance of the path from the object, metres.
        by: f64,
        /// Metres.
        tolerance: f64,
    },
    /// It missed, or hit something behind the exact query's first hit.
    Missed {
        object: ObjectId,
        exact: f64,
        logged: Option<f64>,
        tolerance: f64,
    },
    /// The right object at another place.
    Fraction {
        object: ObjectId,
        logged: f64,
        exact: f64,
        tolerance: f64,
    },
    /// The right place with another normal.
    Normal {
        object: ObjectId,
        logged: DVec3,
        exact: DVec3,
        fraction: f64,
    },
}

/// A logged query with a wrong answer.
pub struct OwnQuery<'r> {
    pub query: &'r LoggedQuery,
    pub wrong: Wrong,
}

impl Wrong {
    fn object(&self) -> ObjectId {
        match self {
            Self::Ghost { object, .. }
            | Self::Missed { object, .. }
            | Self::Fraction { object, .. }
            | Self::Normal { object, .. } => *object,
        }
    }

    /// The fraction of the path at which the evidence is.
    fn fraction(&self) -> f64 {
        match self {
            Self::Ghost { logged, .. } => *logged,
            Self::Missed { exact, .. } | Self::Fraction { exact, .. } => *exact,
            Self::Normal { fraction, .. } => *fraction,
        }
    }

    /// Both numbers, the logged and ours.
    fn evidence(&self, length: f64) -> Evidence {
        let mut evidence = match *self {
            Self::Ghost {
                logged,
                by,
                tolerance,
                ..
            } => vec![
                (Key::LoggedFraction, logged),
                (Key::ExactGap, by),
                (Key::Tolerance, tolerance),
            ],
            Self::Missed {
                exact,
                logged,
                tolerance,
                ..
            } => {
                let mut evidence = vec![(Key::ExactFraction, exact)];
                evidence.extend(logged.map(|logged| (Key::LoggedFraction, logged)));
                evidence.push((Key::ToleranceFraction, tolerance));
                evidence
            }
            Self::Fraction {
                logged,
                exact,
                tolerance,
                ..
            } => vec![
                (Key::LoggedFraction, logged),
                (Key::ExactFraction, exact),
                (Key::OffBy, (logged - exact).abs() * length),
                (Key::ToleranceFraction, tolerance),
            ],
            Self::Normal {
                logged,
                exact,
                fraction,
                ..
            } => vec![
                (Key::ExactFraction, fraction),
                (
                    Key::NormalAngleDegrees,
                    logged.angle_between(exact).to_degrees(),
                ),
            ],
        };
        evidence.push((Key::QueryLength, length));
        evidence
    }

    fn normal(&self) -> DVec3 {
        match self {
            Self::Normal { exact, .. } => *exact,
            _ => DVec3::ZERO,
        }
    }
}

impl OwnQuery<'_> {
    pub fn finding(&self, context: &Context<'_>, frame: u32, fraction: f64) -> Finding {
        let query = self.query;
        let way = query.to - query.from;
        let object = self.wrong.object();
        let asker = match query.object {
            Some(id) => name_of(context, id),
            None => "query".to_owned(),
        };
        let b = name_of(context, object);
        let units = context.replay.units();
        let text = format!(
            "{} {}. Save this frame as a scene for the bug report.",
            self.query_text(&asker, units),
            self.answered(&b, way.length(), units),
        );
        Finding {
            a: asker,
            b,
            object_a: query.object,
            object_b: Some(object),
            point: (query.from + way * self.wrong.fraction()).to_array(),
            normal: self.wrong.normal().to_array(),
            evidence: self.wrong.evidence(way.length()),
            text,
            ..context.blank(Kind::Phantom, Cause::OwnQuery, frame, fraction)
        }
    }

    /// "The engine's sweep (radius 0.1 m) over 2 m for player".
    fn query_text(&self, asker: &str, units: UserUnits) -> String {
        let query = self.query;
        let length = units.length((query.to - query.from).length());
        let kind = match query.kind {
            QueryKind::Sweep => match query.swept_shape().map(|swept| swept.shape) {
                Some(Shape::Sphere { radius }) => {
                    format!("sweep (radius {})", units.length(radius))
                }
                Some(shape) => format!("sweep ({})", shape.kind_name()),
                None => "sweep".to_owned(),
            },
            QueryKind::Ray => "ray".to_owned(),
        };
        let whose = match query.object {
            Some(_) => format!(" for {asker}"),
            None => String::new(),
        };
        format!("The engine's {kind} of {length}{whose}")
    }

    fn answered(&self, b: &str, length: f64, units: UserUnits) -> String {
        match self.wrong {
            Wrong::Ghost { logged, by, .. } => format!(
                "hit {b} at {} of its path; the exact result passes {} clear of it",
                number(logged),
                units.length(by)
            ),
            Wrong::Missed { exact, logged, .. } => {
                let said = match (logged, self.query.hit) {
                    (Some(logged), _) => format!("hit something else at {}", number(logged)),
                    _ => "hit nothing".to_owned(),
                };
                let filter = match self.query.mask {
                    Some(_) => "",
                    None => " (if its filter excludes that object, log the query's `mask`)",
                };
                format!(
                    "{said}; the exact result hits {b} at {} of its path{filter}",
                    number(exact)
                )
            }
            Wrong::Fraction { logged, exact, .. } => format!(
                "hit {b} at {} of its path; the exact result is {}, {} away",
                number(logged),
                number(exact),
                units.length((logged - exact).abs() * length)
            ),
            Wrong::Normal { logged, exact, .. } => format!(
                "hit {b} with a normal {} degrees off the exact one",
                number(logged.angle_between(exact).to_degrees())
            ),
        }
    }
}

/// A logged contact whose normal differs from the exact one, both unit, toward its first body, and which changed a speed (metres per second).
pub fn tilted_contact(
    context: &Context<'_>,
    (frame, fraction): (u32, f64),
    contact: &LoggedContact,
    (logged, exact): (DVec3, DVec3),
    change: f64,
) -> Finding {
    let (a, b) = (name_of(context, contact.a), name_of(context, contact.b));
    let units = context.replay.units();
    let angle = logged.angle_between(exact).to_degrees();
    let text = format!(
        "The log's contact of {a} and {b} has the normal ({}), {} degrees off the exact one, ({}), and gave {} across that. Save this frame as a scene for the bug report.",
        units.normal(logged),
        number(angle),
        units.normal(exact),
        units.speed(change),
    );
    Finding {
        a,
        b,
        object_a: Some(contact.a),
        object_b: Some(contact.b),
        point: contact.point.to_array(),
        normal: exact.to_array(),
        evidence: vec![
            (Key::NormalAngleDegrees, angle),
            (Key::LoggedDepth, contact.depth),
            (Key::SpeedChange, change),
        ],
        text,
        ..context.blank(Kind::Phantom, Cause::OwnQuery, frame, fraction)
    }
}
