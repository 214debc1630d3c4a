//! C10: a push or contact on an edge inside a flat surface, with a normal that is neither face's or at a point off the body: the body is
//! blocked by an edge that should not exist. A contact counts only if it changes the velocity along its normal.
//!
//! Tested on logged contacts and on pushes: of a stepped scene, and of spheres in a log. The faces around the point may belong to
//! one mesh, to triangles that are objects, or to boxes side by side. A boundary edge, or an edge bent by more than 5 degrees, is a real
//! edge.

mod logged;
mod seam;
mod surfaces;

pub(in crate::core::diagnose) use self::logged::LoggedEdge;
pub(in crate::core::diagnose) use self::surfaces::Surfaces;
use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::context::{Context, name_of};
use crate::core::diagnose::evidence::{Evidence, Key};
use crate::core::diagnose::finding::{Finding, Source};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::pair_size;
use crate::core::number::{metres, number};
use crate::core::query::closest_point::closest_point_on_segment;
use crate::core::query::{self, Feature};
use crate::core::replay::{Frame, ObjectId, Phase};
use crate::core::scene::Object;
use crate::core::shape::{Aabb, Segment, Shape, Triangle};
use crate::core::tolerance::{LOG_ROUNDING, SAME_SHARE};
use glam::DVec3;

/// Cosine of 5 degrees: faces that are bent less are one flat surface, and a normal that is turned less is theirs (no unit).
///
/// The limit of the published advice on internal edges; terrain is bent more, floors of many triangles less.
const FLAT_COSINE: f64 = 0.996_194_698_091_745_5;

/// Sideways part of a push over an edge that is not there, as a share of the smaller body's inner radius, that is no finding (no
/// unit). Below it the stumble is not visible.
const PHANTOM_SHARE: f64 = 1e-3;

/// An edge inside a flat surface.
#[derive(Clone, Copy, Debug)]
pub(in crate::core::diagnose) struct InternalEdge {
    /// Angle between its two faces, radians.
    pub bend: f64,
    /// Angle from the given normal to the nearest face's, radians.
    pub tilt: f64,
    /// That face's normal, unit; toward the body, where the body is known.
    pub face: DVec3,
}

/// Tests the pushes of a frame; its logged contacts are tested with the log.
pub(in crate::core::diagnose) fn judge(
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
        if id == body || other.sensor {
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
    let rounding = LOG_ROUNDING * before.abs().max_element();
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

fn is_surface(context: &Context<'_>, id: ObjectId) -> bool {
    let object = context.replay.objects().get(id as usize);
    object.is_some_and(has_internal_edges)
}

/// Whether an edge of it may be inside a flat surface: that of a mesh, of triangles, or of boxes side by side.
fn has_internal_edges(object: &Object) -> bool {
    match object.shape {
        Shape::Mesh(_) | Shape::Triangle(_) => true,
        Shape::Box { .. } => !object.is_pushable(),
        _ => false,
    }
}

impl InternalEdge {
    /// The sentence of a body that it blocks.
    fn blocks(&self, body: &str, what: &str) -> String {
        format!(
            "{body} {what} on an edge inside a flat surface, with a normal {} degrees off both faces: it is blocked by an internal edge. Merge the faces, use adjacency to take the face's normal ({}), \
             or round the body.",
            number(self.tilt.to_degrees()),
            self.face.to_array().map(number).join(", "),
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
    /// The internal edge that it is on.
    fn edge(&self, context: &Context<'_>, surfaces: &Surfaces<'_>) -> Option<InternalEdge> {
        let size = size(context, self.body, self.surface);
        if !is_surface(context, self.surface) || size <= 0.0 || !self.point.is_finite() {
            return None;
        }
        if let Shape::Box { .. } = surfaces.objects[self.surface as usize].shape {
            return surfaces.seam(self, PHANTOM_SHARE * size);
        }
        let faces = surfaces.faces_near(self.surface, self.point, self.max_distance);
        let edge = internal_edge(&faces, self.point, self.normal, self.max_distance)?;
        let out = surfaces.frame.start.body(self.body)?.pose.position - self.point;
        let toward_body = edge.face * edge.face.dot(out).signum();
        Some(InternalEdge {
            face: toward_body,
            ..edge
        })
    }

    /// The finding of a push.
    fn pushed(&self, context: &Context<'_>, surfaces: &Surfaces<'_>) -> Option<Finding> {
        let edge = self.edge(context, surfaces)?;
        let sideways = self.length * edge.tilt.sin();
        // A push that moves nothing is no stumble.
        if sideways <= PHANTOM_SHARE * size(context, self.body, self.surface) {
            return None;
        }
        let what = format!(
            "is pushed by {} by {}, of it {} sideways",
            name_of(context, self.surface),
            metres(self.length),
            metres(sideways),
        );
        let text = edge.blocks(&name_of(context, self.body), &what);
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

/// The edge inside a flat surface at a point, if all faces there are flat and the normal is none of theirs.
fn internal_edge(
    faces: &[Triangle],
    point: DVec3,
    normal: DVec3,
    max_distance: f64,
) -> Option<InternalEdge> {
    let normals: Vec<DVec3> = faces.iter().map(Triangle::normal).collect::<Option<_>>()?;
    let first = normals.first()?;
    let flat = normals
        .iter()
        .all(|other| other.dot(*first).abs() >= FLAT_COSINE);
    let (face, along) = normals
        .iter()
        .map(|face| (*face, face.dot(normal)))
        .max_by(|x, y| x.1.abs().total_cmp(&y.1.abs()))?;
    if !flat || along.abs() >= FLAT_COSINE {
        return None;
    }
    let mut bend: Option<f64> = None;
    for (index, one) in faces.iter().enumerate() {
        for edge in edges(one) {
            if closest_point_on_segment(point, &edge.0).0.distance(point) > max_distance {
                continue;
            }
            let mut others = faces
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != index);
            // A boundary edge is real, and so is a fold.
            let angle = others.find_map(|(_, other)| angle_across(&edge, other))?;
            bend = Some(bend.map_or(angle, |known: f64| known.max(angle)));
        }
    }
    let bend = bend.filter(|bend| bend.cos() >= FLAT_COSINE)?;
    Some(InternalEdge {
        bend,
        tilt: along.abs().min(1.0).acos(),
        face,
    })
}

/// The edges of a triangle, each with the corner opposite of it.
fn edges(triangle: &Triangle) -> [(Segment, DVec3); 3] {
    let Triangle { a, b, c, .. } = *triangle;
    [(a, b, c), (b, c, a), (c, a, b)].map(|(a, b, opposite)| (Segment { a, b }, opposite))
}

/// Angle by which two triangles that share an edge differ from one plane, radians; `None` without a shared edge, or for
/// one triangle twice.
fn angle_across((edge, opposite): &(Segment, DVec3), other: &Triangle) -> Option<f64> {
    let same = |p: DVec3, q: DVec3| p.distance(q) <= SAME_SHARE * p.abs().max_element().max(1.0);
    let (_, beyond) = edges(other).into_iter().find(|(its, _)| {
        (same(its.a, edge.a) && same(its.b, edge.b)) || (same(its.a, edge.b) && same(its.b, edge.a))
    })?;
    if same(beyond, *opposite) {
        return None;
    }
    let along = (edge.b - edge.a).try_normalize()?;
    let away = |corner: DVec3| {
        (corner - edge.a)
            .reject_from_normalized(along)
            .try_normalize()
    };
    let (here, there) = (away(*opposite)?, away(beyond)?);
    // Side by side, one leads away as the other leads back.
    Some(here.cross(-there).length().atan2(here.dot(-there)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Facing;

    fn triangle(a: [f64; 3], b: [f64; 3], c: [f64; 3]) -> Triangle {
        let [a, b, c] = [a, b, c].map(DVec3::from_array);
        Triangle {
            a,
            b,
            c,
            facing: Facing::Both,
        }
    }

    /// Two faces along the z axis, the second one bent down by an angle in degrees.
    fn faces(bend: f64) -> [Triangle; 2] {
        let down = bend.to_radians().sin_cos();
        [
            triangle([0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0]),
            triangle([0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [down.1, -down.0, 0.0]),
        ]
    }

    fn find_edge(faces: &[Triangle], point: [f64; 3], tilt: f64) -> Option<InternalEdge> {
        let (sine, cosine) = tilt.to_radians().sin_cos();
        let normal = DVec3::new(-sine, cosine, 0.0);
        internal_edge(faces, DVec3::from_array(point), normal, 1e-3)
    }

    #[test]
    fn a_tilted_normal_on_a_flat_edge() {
        let found = find_edge(&faces(0.0), [0.0, 0.0, 0.2], 20.0).unwrap();
        assert!((found.tilt.to_degrees() - 20.0).abs() < 1e-9, "{found:?}");
        assert!(
            found.bend < 1e-9 && found.face.abs().abs_diff_eq(DVec3::Y, 1e-12),
            "{found:?}"
        );
        let found = find_edge(&faces(4.0), [0.0, 0.0, 0.2], 20.0).unwrap();
        assert!((found.bend.to_degrees() - 4.0).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn accepted_pushes_are_no_phantom() {
        // The normal is a face's.
        assert!(find_edge(&faces(0.0), [0.0, 0.0, 0.2], 4.0).is_none());
        // A real edge, 6 degrees.
        assert!(find_edge(&faces(6.0), [0.0, 0.0, 0.2], 20.0).is_none());
        // A fold back onto itself.
        assert!(find_edge(&faces(180.0), [0.0, 0.0, 0.2], 20.0).is_none());
        // A border, a corner at the border, the middle of a face, far away.
        assert!(find_edge(&faces(0.0)[..1], [0.0, 0.0, 0.2], 20.0).is_none());
        assert!(find_edge(&faces(0.0), [0.0, 0.0, 1.0], 20.0).is_none());
        assert!(find_edge(&faces(0.0), [-0.4, 0.0, 0.0], 20.0).is_none());
        assert!(find_edge(&[], [0.0, 0.0, 0.0], 20.0).is_none());
    }
}
