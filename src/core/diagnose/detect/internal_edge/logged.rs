//! Logged contacts on an internal edge: with a normal that is neither face's, or with a face's at a point that the body does not touch.
//!
//! The second comes from speculative contacts: the engine takes the normal of the face for a point on an edge ahead of a sphere, where the
//! surface of a rolling one moves into the face.

use super::surfaces::{NormalAt, Surfaces, is_obstacle};
use super::{EdgeContact, FLAT_COSINE, InternalEdge, Place, is_surface, size};
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::finding::Finding;
use crate::core::diagnose::level_facts::context::{Context, name_of};
use crate::core::query;
use crate::core::replay::{FrameData, FrameState, LoggedContact, LoggedContacts, ObjectId};
use crate::core::shape::{Segment, Shape};
use crate::core::tolerance::{CONTACT_FRAMES, LOG_ROUNDING, NORMAL_COSINE, SLOP_SHARE};
use glam::DVec3;
use std::cell::OnceCell;
use std::sync::Arc;

/// Depth of a body from which on its contacts with edges are no bumps, as a share of the smaller one's inner radius (no unit).
///
/// Solvers leave less than a tenth at a true bump. Larger, and a body that hangs in a floor, where it touches edges all around, has bumps.
const DEEP_SHARE: f64 = 0.2;

/// Shares of the body's motion over the frame by which a point on no edge is taken back to one (no unit).
///
/// Engines log it on the obstacle, on the body or amid both, where the body was before the step or where it is after.
const MOVED: [f64; 3] = [0.0, 0.5, 1.0];

/// The contacts of a line.
pub struct Line {
    data: Arc<FrameData>,
    /// The state that it gives.
    state: u32,
    /// Whether each is on an internal edge, as far as it is known.
    on_edge: OnceCell<Vec<OnceCell<bool>>>,
}

impl Line {
    pub fn new(data: Arc<FrameData>, state: u32) -> Self {
        Self {
            data,
            state,
            on_edge: OnceCell::new(),
        }
    }

    pub fn contacts(&self) -> &LoggedContacts {
        &self.data.contacts
    }

    /// Whether the contact of a number is on an internal edge: [`LoggedEdge::of`].
    pub fn is_on_edge(
        &self,
        context: &Context<'_>,
        surfaces: &Surfaces<'_>,
        number: usize,
    ) -> bool {
        let unknown = || self.contacts().iter().map(|_| OnceCell::new()).collect();
        let known = &self.on_edge.get_or_init(unknown)[number];
        *known.get_or_init(|| {
            LoggedEdge::of(context, surfaces, &self.contacts()[number], self).is_some()
        })
    }
}

/// A logged contact of a body with a surface, on an edge inside it.
pub struct LoggedEdge<'c> {
    contact: &'c LoggedContact,
    at: EdgeContact,
    edge: InternalEdge,
    /// Distance of its point from the body, metres, where its normal is a face's.
    gap: Option<f64>,
}

impl<'c> LoggedEdge<'c> {
    /// `None` for a contact of a line that is not on an internal edge, or has the normal of a face and is on the body.
    pub fn of(
        context: &Context<'_>,
        surfaces: &Surfaces<'_>,
        contact: &'c LoggedContact,
        line: &Line,
    ) -> Option<Self> {
        let at = EdgeContact::logged(context, surfaces, contact)?;
        if !is_obstacle(&surfaces.objects[at.surface as usize]) {
            return None;
        }
        let (edge, gap) = match at.on_edge(context, surfaces, line) {
            Some(edge) => (edge, None),
            None => off_sphere(context, surfaces, &at).map(|(edge, gap)| (edge, Some(gap)))?,
        };
        Some(Self {
            contact,
            at,
            edge,
            gap,
        })
    }

    /// The body, and unit directions toward it: of the contact, and of the face.
    pub fn normals(&self) -> (ObjectId, [DVec3; 2]) {
        (self.at.body, [self.at.normal, self.edge.face])
    }

    /// Whether the body is too deep for a bump.
    pub fn is_deep(&self, context: &Context<'_>, surfaces: &Surfaces<'_>) -> bool {
        self.at.is_deep(context, surfaces)
    }

    /// Whether its point is off the body.
    pub fn is_off_body(&self) -> bool {
        self.gap.is_some()
    }

    /// The finding of a contact that gave the body this speed along its normal, metres per second.
    pub fn finding(&self, context: &Context<'_>, frame: u32, change: f64) -> Finding {
        let [body, surface] = [self.at.body, self.at.surface].map(|id| name_of(context, id));
        let units = context.replay.units();
        let what = format!(
            "has a logged contact with {surface} that gives it {} along its normal",
            units.speed(change),
        );
        let text = match self.gap {
            None => self.edge.blocks(&body, &what, units),
            Some(gap) => format!(
                "{body} {what} on an edge inside a flat surface, at a point {} from {body}: it rolls onto an internal edge ahead of it. \
                 Merge the faces, or use adjacency to drop contacts on such edges.",
                units.length(gap),
            ),
        };
        let mut evidence = vec![
            (Key::LoggedDepth, self.contact.depth),
            (Key::SpeedChange, change),
        ];
        evidence.extend(self.gap.map(|gap| (Key::ExactGap, gap)));
        self.at.finding(context, frame, &self.edge, evidence, text)
    }
}

/// How far a contact may be from where its engine found it, metres: that keeps the points of a contact while the body moves little, and gives
/// each with the depth that it has by now. At most the level's margin; 0 for a contact that the line before does not have.
fn carried(
    context: &Context<'_>,
    surfaces: &Surfaces<'_>,
    contact: &LoggedContact,
    state: u32,
) -> f64 {
    let replay = context.replay;
    // Where the point was at an earlier state if it moved with a body.
    let place = |id: ObjectId, earlier: u32| {
        let local = replay.body(state, id)?.pose.point_to_local(contact.point);
        Some(replay.body(earlier, id)?.pose.point(local))
    };
    let rounding = LOG_ROUNDING * contact.point.length();
    let is_known = |earlier: &u32| {
        let places = [contact.a, contact.b].map(|id| place(id, *earlier));
        let places = places.into_iter().flatten().chain([contact.point]);
        let places: Vec<DVec3> = places.collect();
        let is_same = |known: &LoggedContact| {
            let is_there = |at: &DVec3| known.point.distance(*at) <= rounding;
            (known.a, known.b) == (contact.a, contact.b)
                && known.normal.distance(contact.normal) <= LOG_ROUNDING
                && places.iter().any(is_there)
        };
        let line = replay
            .recording()
            .map(|log| log.data.events(*earlier as usize));
        line.is_some_and(|line| line.contacts.between(contact.a, contact.b).any(is_same))
    };
    let earlier = state.saturating_sub(CONTACT_FRAMES)..state;
    let Some(first) = earlier.rev().take_while(is_known).last() else {
        return 0.0;
    };
    // Found before the step to that state.
    let [a, b] = [contact.a, contact.b].map(|id| place(id, first.saturating_sub(1)));
    let moved = a.zip(b).map_or(0.0, |(a, b)| a.distance(b));
    moved.min(surfaces.margin)
}

/// The internal edge that a sphere does not touch in the direction of its contact's point, and the distance between them there, metres: at the
/// end of the frame at which it is nearer. `None` where the sphere has the contact's normal in that direction at one of the ends.
fn off_sphere(
    context: &Context<'_>,
    surfaces: &Surfaces<'_>,
    at: &EdgeContact,
) -> Option<(InternalEdge, f64)> {
    let Shape::Sphere { radius } = surfaces.objects[at.body as usize].shape else {
        return None;
    };
    let obstacle = &surfaces.objects[at.surface as usize].shape;
    let pose = surfaces.pose(at.surface)?;
    // The point may be on the surface or on the sphere.
    let place = |state: &FrameState| {
        let center = state.body(at.body)?.pose.position;
        let normal = (center - at.point).try_normalize()?;
        let through = Segment {
            a: center,
            b: at.point - normal * radius,
        };
        let point = query::ray_cast(&through, obstacle, &pose)?.point;
        let is_face = normal.dot(at.normal) >= FLAT_COSINE;
        (!is_face).then_some((normal, point, center.distance(point) - radius))
    };
    let places = [place(&surfaces.frame.start)?, place(&surfaces.frame.end)?];
    let gap = places
        .iter()
        .map(|(.., gap)| *gap)
        .fold(f64::INFINITY, f64::min);
    let edge = places.into_iter().find_map(|(normal, point, _)| {
        let seen = EdgeContact {
            normal,
            point,
            ..*at
        };
        surfaces.edge(context, &seen)
    })?;
    let slop = SLOP_SHARE * size(context, at.body, at.surface);
    (gap > slop).then_some((edge, gap))
}

/// The body of a contact amid a face of another object, and unit directions toward it: the logged normal, and the face's, where that is
/// another one. `None` where the body is deep in it.
pub fn off_face(
    context: &Context<'_>,
    surfaces: &Surfaces<'_>,
    contact: &LoggedContact,
) -> Option<(ObjectId, [DVec3; 2])> {
    let at = EdgeContact::logged(context, surfaces, contact)?;
    let NormalAt::Wrong(there) = surfaces.normal_at(context, &at) else {
        return None;
    };
    let is_off = there.place == Place::Face && there.face.dot(at.normal) < NORMAL_COSINE;
    (is_off && !at.is_deep(context, surfaces)).then_some((at.body, [at.normal, there.face]))
}

impl EdgeContact {
    fn logged(
        context: &Context<'_>,
        surfaces: &Surfaces<'_>,
        contact: &LoggedContact,
    ) -> Option<Self> {
        let is_body = |id: ObjectId| surfaces.objects[id as usize].is_pushable();
        // Of two obstacles, the one that can be pushed is the body.
        let is_swapped = match (
            is_surface(context, contact.a),
            is_surface(context, contact.b),
        ) {
            (true, true) => is_body(contact.b) && !is_body(contact.a),
            (is_swapped, _) => is_swapped,
        };
        let (body, surface, normal) = match is_swapped {
            false => (contact.a, contact.b, contact.normal),
            true => (contact.b, contact.a, -contact.normal),
        };
        let depth = Some(contact.depth.abs()).filter(|depth| depth.is_finite());
        let slop = SLOP_SHARE * size(context, body, surface);
        Some(Self {
            body,
            surface,
            point: contact.point,
            normal: normal.try_normalize()?,
            length: depth.unwrap_or(0.0),
            max_distance: depth.unwrap_or(0.0) + slop,
            fraction: 1.0,
        })
    }

    /// The internal edge that it is on. All points of its line and pair with its normal are one contact: one of them is on the edge, and no
    /// uncovered surface at any has the normal.
    fn on_edge(
        &self,
        context: &Context<'_>,
        surfaces: &Surfaces<'_>,
        line: &Line,
    ) -> Option<InternalEdge> {
        // Most contacts end here.
        if let NormalAt::Surface = surfaces.normal_at(context, self) {
            return None;
        }
        let is_same = |other: &Self| {
            (other.body, other.surface) == (self.body, self.surface)
                && other.normal.dot(self.normal) >= FLAT_COSINE
        };
        let of_pair = || {
            let contacts = line.contacts().between(self.body, self.surface);
            contacts.filter_map(|contact| {
                let own = Self::logged(context, surfaces, contact);
                Some((contact, own.filter(is_same)?))
            })
        };
        let mut points: Vec<Self> = of_pair().map(|(_, point)| point).collect();
        for share in MOVED {
            let (mut edge, mut elsewhere) = (None, Vec::new());
            for point in points {
                let before = surfaces.moved_from(&point)?;
                let place = Self {
                    point: point.point.lerp(before, share),
                    ..point
                };
                match surfaces.normal_at(context, &place) {
                    NormalAt::Surface => return None,
                    NormalAt::Wrong(there) if there.place != Place::Face => edge = Some(there),
                    NormalAt::Unsure => {}
                    _ => elsewhere.push(point),
                }
            }
            if edge.is_some() {
                let is_old = |(contact, point): (&LoggedContact, Self)| {
                    let by = carried(context, surfaces, contact, line.state);
                    point.was_on_face(context, surfaces, by)
                };
                return edge.filter(|_| !of_pair().any(is_old));
            }
            points = elsewhere;
        }
        None
    }

    /// Whether a surface has its normal within a distance by which the body carried it, metres.
    fn was_on_face(&self, context: &Context<'_>, surfaces: &Surfaces<'_>, carried: f64) -> bool {
        let wider = Self {
            max_distance: self.max_distance + carried,
            ..*self
        };
        carried > 0.0 && matches!(surfaces.normal_at(context, &wider), NormalAt::Surface)
    }

    /// Whether the body is so deep in the surface at an end of the frame that any of its edges may push it.
    fn is_deep(&self, context: &Context<'_>, surfaces: &Surfaces<'_>) -> bool {
        let (body, surface) = (self.body, self.surface);
        let most = DEEP_SHARE * size(context, body, surface);
        let frame = surfaces.frame;
        [&frame.start, &frame.end].into_iter().any(|state| {
            let placed = |id: ObjectId| {
                let shape = &surfaces.objects[id as usize].shape;
                Some(shape.placed(&state.body(id)?.pose))
            };
            let contact = placed(body)
                .zip(placed(surface))
                .and_then(|(body, surface)| query::contact(&body, &surface, &mut ()));
            contact.is_some_and(|contact| contact.depth > most)
        })
    }
}
