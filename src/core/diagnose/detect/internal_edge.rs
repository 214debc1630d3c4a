//! C10: a push or contact on an edge inside a flat surface or on a face that another obstacle covers, with a normal that no uncovered
//! surface there has, or at a point off the body: the body is blocked by something that should not exist. A contact counts only if it
//! changes the velocity along its normal, or across the right one.
//!
//! Tested on logged contacts and on pushes: of a stepped scene, and of spheres in a log. Obstacles of any shape, parts of a compound and
//! triangles cover each other where they touch. A boundary edge, or an edge bent by more than 5 degrees, is a real edge.

mod blocks;
mod logged;
mod surfaces;

pub use self::logged::{Line, LoggedEdge, off_face};
pub use self::surfaces::Surfaces;
use self::surfaces::is_obstacle;
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::{Evidence, Key};
use crate::core::diagnose::finding::{Finding, Source};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::{Context, name_of};
use crate::core::diagnose::shape_metrics::pair_size;
use crate::core::number::number;
use crate::core::query::{self, Feature};
use crate::core::replay::{Frame, ObjectId, Phase};
use crate::core::schema::UserUnits;
use crate::core::shape::{Aabb, Segment, Shape};
use crate::core::tolerance::{LOG_ROUNDING, SAME_SHARE};
use glam::DVec3;

/// Cosine of 5 degrees: faces that are bent less are one flat surface, and a normal that is turned less is theirs (no unit).
///
/// The limit of the published advice on internal edges; terrain is bent more, floors of many triangles less.
const FLAT_COSINE: f64 = 0.996_194_698_091_745_5;

/// Sideways part of a push over an edge that is not there, as a share of the smaller body's inner radius, that is no finding (no
/// unit). Below it the stumble is not visible.
const PHANTOM_SHARE: f64 = 1e-3;

/// An edge inside a flat surface, or a face that is covered.
#[derive(Clone, Copy, Debug)]
pub struct InternalEdge {
    /// Greatest angle between the uncovered faces there, radians; 0 where they form a real edge.
    pub bend: f64,
    /// Angle from the given normal to the nearest uncovered face's, radians.
    pub tilt: f64,
    /// That face's normal, unit, toward the body.
    pub face: DVec3,
    pub place: Place,
}

/// Where a contact with a wrong normal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On an edge that is covered.
    Edge,
    /// On a face that is covered, with its normal.
    CoveredFace,
    /// Amid a face, where nothing is covered: no internal edge.
    Face,
}

/// Tests the pushes of a frame; its logged contacts are tested with the log.
pub fn judge(
    context: &Context<'_>,
    frame: &Frame,
    surfaces: &Surfaces<'_>,
    findings: &mut Vec<Finding>,
) {
    for (number, phase) in frame.phases.iter().enumerate() {
        let edge_contact = match phase {
            Phase::Push {
                object,
                push,
                before,
                contact: None,
                ..
            } => pushed_off(context, surfaces, (*object, *push, *before)),
            Phase::Push {
                at,
                object,
                against: Some(surface),
                push,
                contact: Some(contact),
                ..
            } if matches!(contact.feature_b, Feature::Edge(_) | Feature::Vertex(_)) => {
                Some(EdgeContact {
                    body: *object,
                    surface: *surface,
                    point: contact.point,
                    normal: contact.normal,
                    length: push.length(),
                    max_distance: SAME_SHARE.sqrt() * size(context, *object, *surface),
                    fraction: *at,
                })
            }
            _ => None,
        };
        let found = edge_contact.and_then(|edge_contact| edge_contact.pushed(context, surfaces));
        findings.extend(found.map(|found| Finding {
            source: Source::Phase(number),
            ..found
        }));
    }
}

/// The contact of a sphere's logged push, which has only a direction: the surface point opposite to it, if within the sphere.
fn pushed_off(
    context: &Context<'_>,
    surfaces: &Surfaces<'_>,
    (body, push, before): (ObjectId, DVec3, DVec3),
) -> Option<EdgeContact> {
    let objects = context.replay.objects();
    let &Shape::Sphere { radius } = &objects.get(body as usize)?.shape else {
        return None;
    };
    let normal = push.try_normalize()?;
    let inward = Segment {
        a: before,
        b: before - normal * radius,
    };
    let touching = |id: ObjectId| {
        let other = &objects[id as usize];
        if id == body {
            return None;
        }
        let pose = surfaces.frame.end.body(id)?.pose;
        Some((id, query::ray_cast(&inward, &other.shape, &pose)?))
    };
    let hits = (surfaces
        .within(&Aabb::of_points([inward.a, inward.b])?)
        .into_iter())
    .filter_map(touching);
    let (surface, hit) = hits.min_by(|x, y| x.1.fraction.total_cmp(&y.1.fraction))?;
    let rounding = LOG_ROUNDING * before.length();
    Some(EdgeContact {
        body,
        surface,
        point: hit.point,
        normal,
        length: push.length(),
        // A tighter tolerance than for a contact: a push may be the sum of two, whose direction has nothing to do with a point.
        max_distance: PHANTOM_SHARE * size(context, body, surface) + rounding,
        fraction: 1.0,
    })
}

fn size(context: &Context<'_>, a: ObjectId, b: ObjectId) -> f64 {
    let shape = |id: ObjectId| {
        context
            .replay
            .objects()
            .get(id as usize)
            .map(|object| &object.shape)
    };
    match (shape(a), shape(b)) {
        (Some(a), Some(b)) => pair_size(a, b),
        _ => 0.0,
    }
}

/// Whether the first of two objects would meet an internal edge of the second, or a covered face, at a point with a normal toward it; the
/// point is within a distance of the surface, metres.
pub fn is_on_edge(
    context: &Context<'_>,
    surfaces: &Surfaces<'_>,
    (body, surface): (ObjectId, ObjectId),
    (point, normal): (DVec3, DVec3),
    max_distance: f64,
) -> bool {
    let contact = EdgeContact {
        body,
        surface,
        point,
        normal,
        length: 0.0,
        max_distance,
        fraction: 1.0,
    };
    surfaces.edge(context, &contact).is_some()
}

fn is_surface(context: &Context<'_>, id: ObjectId) -> bool {
    let object = context.replay.objects().get(id as usize);
    object.is_some_and(is_obstacle)
}

impl InternalEdge {
    /// The sentence of a body that it blocks.
    fn blocks(&self, body: &str, what: &str, units: UserUnits) -> String {
        let place = match self.place == Place::CoveredFace {
            true => "on a face that its neighbour covers, where the two are one surface".to_owned(),
            false => format!(
                "on an edge inside a flat surface, with a normal {} degrees off both faces",
                number(self.tilt.to_degrees()),
            ),
        };
        if units.units.flat {
            return format!(
                "{body} {what} {place}: it is blocked by an internal edge, a ghost vertex. Make one chain of the edges, merge the \
                 tiles, or round the corners of {body}."
            );
        }
        format!(
            "{body} {what} {place}: it is blocked by an internal edge. Merge the faces, use adjacency to take the face's normal ({}), \
             or round the body.",
            units.normal(self.face),
        )
    }
}

/// A push or contact of a body at a surface.
#[derive(Clone, Copy)]
struct EdgeContact {
    body: ObjectId,
    surface: ObjectId,
    /// World.
    point: DVec3,
    /// Unit, toward the body.
    normal: DVec3,
    /// Length of the push, or how deep or far apart the contact says they are, metres.
    length: f64,
    /// Greatest distance of the point from the surface, metres.
    max_distance: f64,
    fraction: f64,
}

impl EdgeContact {
    /// The finding of a push.
    fn pushed(&self, context: &Context<'_>, surfaces: &Surfaces<'_>) -> Option<Finding> {
        let edge = surfaces.edge(context, self)?;
        let sideways = self.length * edge.tilt.sin();
        // A push that moves nothing is no stumble.
        if sideways <= PHANTOM_SHARE * size(context, self.body, self.surface) {
            return None;
        }
        let units = context.replay.units();
        let what = format!(
            "is pushed by {} by {}, of it {} sideways",
            name_of(context, self.surface),
            units.length(self.length),
            units.length(sideways),
        );
        let text = edge.blocks(&name_of(context, self.body), &what, units);
        let evidence = vec![(Key::Depth, self.length), (Key::Sideways, sideways)];
        Some(self.finding(context, surfaces.frame.number, &edge, evidence, text))
    }

    fn finding(
        &self,
        context: &Context<'_>,
        frame: u32,
        edge: &InternalEdge,
        numbers: Evidence,
        text: String,
    ) -> Finding {
        let mut evidence = vec![(Key::Tilt, edge.tilt), (Key::Bend, edge.bend)];
        evidence.extend(numbers);
        Finding {
            a: name_of(context, self.body),
            b: name_of(context, self.surface),
            object_a: Some(self.body),
            object_b: Some(self.surface),
            point: self.point.to_array(),
            normal: self.normal.to_array(),
            evidence,
            text,
            ..context.blank(Kind::Phantom, Cause::InternalEdge, frame, self.fraction)
        }
    }
}
