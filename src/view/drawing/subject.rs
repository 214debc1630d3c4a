//! What a drawing shows: the two shapes over the frame, the contact, and the lengths that are measured.

use super::item::Ink;
use super::outlines;
use super::pane::Pane;
use super::plane::{Area, View};
use crate::core::diagnose::{Finding, Key, Kind, Source};
use crate::core::number::degrees;
use crate::core::replay::{Frame, LoggedQuery, MotionSegment, ObjectId, Replay};
use crate::core::scene::UserUnits;
use crate::core::shape::{Motion, Pose, Shape};
use crate::view::lengths::length;
use crate::view::pair_view::{End, PairView};
use glam::{DQuat, DVec2, DVec3};

/// Angle from which a rotation in a frame is named, radians.
const TURN: f64 = 0.01;

/// Data of a finding's drawing.
pub struct Subject<'r> {
    /// The user's units.
    pub units: UserUnits,
    /// What is drawn.
    pub finding: &'r Finding,
    /// From where it is seen.
    pub view: View,
    /// Start, impact, end.
    pub moments: Vec<Moment>,
    /// The overlap tests at both ends.
    pub ends: [Option<End>; 2],
    /// The query of the engine, where the finding is about one.
    query: Option<LoggedQuery>,
    mover: Body<'r>,
    obstacle: Body<'r>,
}

/// An object; the camera and a ray have no shape.
struct Body<'r> {
    shape: Option<&'r Shape>,
    segments: Vec<MotionSegment>,
}

/// Both bodies at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// `start`, `impact` or `end`.
    pub word: &'static str,
    mover: Pose,
    obstacle: Pose,
}

impl Body<'_> {
    /// From its first pose to the last one before pushes, as overlap tests at the ends see it.
    fn motion(&self) -> Option<Motion> {
        let (first, last) = (self.segments.first()?, self.segments.last()?);
        Some(Motion {
            start: first.motion.start,
            end: last.motion.end,
        })
    }

    /// The axis around which it turns, world, unit; `None` where it does not, and of balls.
    fn axis(&self) -> Option<DVec3> {
        let is_ball = self.shape.is_some_and(Shape::is_ball);
        let motion = self.motion().filter(|_| !is_ball)?;
        let turn = motion.end.rotation * motion.start.rotation.conjugate();
        turn.xyz()
            .try_normalize()
            .filter(|_| turn_of(&motion) >= TURN)
    }

    fn pose(&self, fraction: f64) -> Option<Pose> {
        let segment = self.segments.iter().find(|segment| fraction <= segment.to);
        Some(segment.or(self.segments.last())?.pose(fraction))
    }
}

impl<'r> Subject<'r> {
    /// The subject of a finding in its frame; `None` without two bodies that have finite poses. `query` is that of a finding about one.
    pub fn of(
        replay: &'r Replay,
        frame: &Frame,
        finding: &'r Finding,
        pair: Option<&PairView>,
        query: Option<&'r LoggedQuery>,
    ) -> Option<Self> {
        let obstacle = object(replay, frame, finding, finding.object_b?)?;
        let mover = match (query, finding.object_a) {
            (Some(query), _) => of_query(query),
            (None, Some(id)) => object(replay, frame, finding, id)?,
            (None, None) => Body {
                shape: None,
                segments: vec![whole(frame.camera?.0)],
            },
        };
        let motions = [mover.motion()?, obstacle.motion()?];
        let relative = motions[0].displacement() - motions[1].displacement();
        let view = match replay.units().dimensions() {
            2 => View::FRONT,
            _ => {
                let axis = mover.axis().or(obstacle.axis());
                let axis = axis.filter(|_| relative == DVec3::ZERO);
                View::edge_on(relative, DVec3::from_array(finding.normal), axis)
            }
        };
        let ends = match (pair, query) {
            (Some(pair), None) => pair.ends(),
            _ => [None; 2],
        };
        let mut subject = Self {
            units: replay.units(),
            finding,
            view,
            moments: Vec::new(),
            ends,
            query: query.cloned(),
            mover,
            obstacle,
        };
        subject.moments = subject.moments()?;
        Some(subject)
    }

    /// Start, impact, end; without an impact that is one of the ends. `None` when a pose is missing or not finite.
    fn moments(&self) -> Option<Vec<Moment>> {
        let impact = match &self.query {
            Some(_) => self.finding.value(Key::ExactFraction).unwrap_or(0.0),
            None => self.finding.fraction,
        };
        let inside = (impact > 0.0 && impact < 1.0).then_some(("impact", impact));
        let moments = [("start", 0.0)]
            .into_iter()
            .chain(inside)
            .chain([("end", 1.0)]);
        moments
            .map(|(word, fraction)| {
                let mover = self.mover.pose(fraction)?;
                let obstacle = self.obstacle.pose(fraction)?;
                let is_finite =
                    mover.is_finite() && obstacle.is_finite() && self.contact().is_finite();
                is_finite.then_some(Moment {
                    word,
                    mover,
                    obstacle,
                })
            })
            .collect()
    }

    /// The moment of the impact; without one inside the frame, its start.
    pub fn impact(&self) -> &Moment {
        self.moments
            .iter()
            .find(|moment| moment.word == "impact")
            .unwrap_or(&self.moments[0])
    }

    /// World, metres.
    fn contact(&self) -> DVec3 {
        DVec3::from_array(self.finding.point)
    }

    /// The contact in the drawing, with its normal, which is foreshortened and may be zero.
    pub fn contact_in_plane(&self) -> (DVec2, DVec2) {
        let normal = DVec3::from_array(self.finding.normal);
        (self.view.point(self.contact()), self.view.vector(normal))
    }

    /// The mover's centre in the drawing.
    pub fn center(&self, moment: &Moment) -> DVec2 {
        self.view.point(moment.mover.position)
    }

    /// The mover's bounds in the drawing; the camera's is a point.
    pub fn mover_area(&self, moment: &Moment) -> Area {
        let of_shape = self
            .mover
            .shape
            .and_then(|shape| outlines::area(shape, &moment.mover, self.view));
        of_shape.unwrap_or(Area::around(self.center(moment), 0.0))
    }

    /// The obstacle's bounds in the drawing.
    pub fn obstacle_area(&self, moment: &Moment) -> Option<Area> {
        outlines::area(self.obstacle.shape?, &moment.obstacle, self.view)
    }

    /// The path of the mover's centre.
    pub fn path(&self) -> Vec<[DVec2; 2]> {
        let ends = |segment: &MotionSegment| {
            [segment.motion.start, segment.motion.end].map(|pose| self.view.point(pose.position))
        };
        self.mover.segments.iter().map(ends).collect()
    }

    /// Whether the obstacle moves.
    pub fn obstacle_moves(&self) -> bool {
        self.moments[0].obstacle != self.moments[self.moments.len() - 1].obstacle
    }

    /// The obstacle's thickness at the contact along the normal, where it is known and finite, metres.
    pub fn thickness(&self) -> Option<f64> {
        let thickness = self.finding.value(Key::Thickness)?;
        (thickness > 0.0 && thickness.is_finite()).then_some(thickness)
    }

    /// Whether the obstacle has no inside.
    pub fn is_surface(&self) -> bool {
        matches!(
            self.obstacle.shape,
            Some(Shape::Mesh(_) | Shape::Triangle(_))
        )
    }

    /// How far the mover may move toward the surface in a frame, so that the response keeps it on its side, metres.
    pub fn allowed(&self) -> Option<f64> {
        let limit = self.finding.value(Key::LimitSide)?;
        (limit > 0.0 && limit.is_finite()).then_some(limit)
    }

    /// The distance that the mover's centre travels, metres.
    pub fn travel(&self) -> f64 {
        let motion = self.mover.motion();
        motion.map_or(0.0, |motion| motion.displacement().length())
    }

    /// How the mover or the obstacle turns, and what else the drawing cannot show.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for (body, name) in [(&self.mover, "The mover"), (&self.obstacle, "The obstacle")] {
            let turn = body
                .motion()
                .filter(|_| !body.shape.is_some_and(Shape::is_ball))
                .map_or(0.0, |motion| turn_of(&motion));
            if turn >= TURN {
                notes.push(format!("{name} turns by {} in this frame.", degrees(turn)));
            }
        }
        if self.is_surface() {
            notes.push("The surface is cut at the depth of the contact.".to_owned());
        }
        notes
    }

    /// The push of the overlap test at the end, in the drawing; `None` without an overlap there.
    pub fn push_at_end(&self) -> Option<DVec2> {
        let contact = self.ends[1]?.contact?;
        let is_meant = self.finding.kind == Kind::WrongSide || self.finding.kind == Kind::Sinks;
        is_meant.then(|| self.view.vector(contact.normal * contact.depth))
    }

    /// The result of the overlap test at an end (0 or 1): its words, and whether it finds an overlap.
    pub fn test_at(&self, end: usize) -> Option<(String, bool)> {
        let test = self.ends[end]?;
        Some(match test.contact {
            Some(_) if test.gap < 0.0 => {
                (format!("overlaps {}", length(-test.gap, self.units)), true)
            }
            Some(_) => ("touches".to_owned(), true),
            None => (format!("{} apart", length(test.gap, self.units)), false),
        })
    }

    /// The engine's answer to the query: where on the path, with its words.
    pub fn answer(&self) -> Option<(Option<DVec2>, String)> {
        let query = self.query.as_ref()?;
        Some(match query.hit {
            Some(hit) => {
                let at = query.from + (query.to - query.from) * hit.fraction;
                let text = format!("engine: hit at {:.4}", hit.fraction);
                (Some(self.view.point(at)), text)
            }
            None => (None, "engine: no hit".to_owned()),
        })
    }

    /// Draws the obstacle at the impact, what both sweep, and the path. Returns how many triangles are left out.
    pub fn draw_frame(&self, pane: &mut Pane) -> usize {
        let view = self.view;
        let left_out = self.draw_obstacle(pane);
        if let Some(shape) = self.obstacle.shape.filter(|_| self.obstacle_moves()) {
            pane.fill(
                Ink::ObstacleSweep,
                &outlines::swept(shape, &self.obstacle.segments, view),
            );
        }
        if let Some(shape) = self.mover.shape {
            pane.fill(
                Ink::Sweep,
                &outlines::swept(shape, &self.mover.segments, view),
            );
        }
        for [from, to] in self.path() {
            pane.line(Ink::Path, from, to);
        }
        left_out
    }

    /// Draws the obstacle at the impact. Returns how many triangles are left out.
    pub fn draw_obstacle(&self, pane: &mut Pane) -> usize {
        let (pose, contact) = (&self.impact().obstacle, self.contact());
        let shape = self.obstacle.shape;
        shape.map_or(0, |shape| {
            outlines::draw(pane, Ink::Obstacle, shape, pose, self.view, contact)
        })
    }

    /// Draws the mover at a moment; the camera is a point with a direction.
    pub fn draw_mover(&self, pane: &mut Pane, moment: &Moment) {
        let ink = if std::ptr::eq(moment, self.impact()) {
            Ink::Mover
        } else {
            Ink::Ghost
        };
        self.draw_mover_as(pane, moment, ink);
    }

    /// Draws the mover at a fraction of the frame, and the obstacle where it moves.
    pub fn draw_at(&self, pane: &mut Pane, fraction: f64) {
        let both = self.mover.pose(fraction).zip(self.obstacle.pose(fraction));
        let Some((mover, obstacle)) = both else {
            return;
        };
        let moment = Moment {
            word: "",
            mover,
            obstacle,
        };
        if let Some(shape) = self.obstacle.shape.filter(|_| self.obstacle_moves()) {
            let (view, contact) = (self.view, self.contact());
            outlines::draw(pane, Ink::Obstacle, shape, &obstacle, view, contact);
        }
        self.draw_mover_as(pane, &moment, Ink::Mover);
    }

    fn draw_mover_as(&self, pane: &mut Pane, moment: &Moment, ink: Ink) {
        match self.mover.shape {
            Some(shape) => {
                outlines::draw(pane, ink, shape, &moment.mover, self.view, self.contact());
            }
            None if self.query.is_some() => pane.dot(Ink::Look, self.center(moment), 2.0),
            None => {
                pane.dot(Ink::Look, self.center(moment), 4.0);
                pane.arrow(
                    Ink::Look,
                    self.center(moment),
                    self.view.vector(moment.mover.vector(DVec3::NEG_Z)),
                    22.0,
                );
            }
        }
    }

    /// Draws the mover after the push at the end.
    pub fn draw_pushed(&self, pane: &mut Pane) {
        let (Some(shape), Some(contact), Some(end)) = (
            self.mover.shape,
            self.ends[1].and_then(|end| end.contact),
            self.moments.last(),
        ) else {
            return;
        };
        let pose = Pose {
            position: end.mover.position + contact.normal * contact.depth,
            ..end.mover
        };
        outlines::draw(pane, Ink::Pushed, shape, &pose, self.view, self.contact());
    }
}

fn whole(motion: Motion) -> MotionSegment {
    MotionSegment {
        from: 0.0,
        to: 1.0,
        motion,
    }
}

fn object<'r>(
    replay: &'r Replay,
    frame: &Frame,
    finding: &Finding,
    id: ObjectId,
) -> Option<Body<'r>> {
    let shape = Some(&replay.objects().get(id as usize)?.shape);
    let mut segments = frame.segments(id).into_vec();
    if segments.is_empty() {
        // Teleported, or there at one end only: its path is not known.
        let at = [finding.fraction, 1.0, 0.0];
        let pose = at
            .into_iter()
            .find_map(|fraction| frame.pose(id, fraction))?;
        segments.push(whole(Motion::still(pose)));
    }
    Some(Body { shape, segments })
}

fn of_query(query: &LoggedQuery) -> Body<'_> {
    let swept = query.shape.as_deref();
    let rotation = swept.map_or(DQuat::IDENTITY, |swept| swept.rotation);
    let [start, end] = [query.from, query.to].map(|position| Pose { position, rotation });
    Body {
        shape: swept.map(|swept| &swept.shape),
        segments: vec![whole(Motion { start, end })],
    }
}

/// The angle between two rotations, radians.
fn turn_of(motion: &Motion) -> f64 {
    if motion.turns() {
        motion.start.rotation.angle_between(motion.end.rotation)
    } else {
        0.0
    }
}

/// The query of a finding about one.
pub fn query_of(replay: &Replay, finding: &Finding) -> Option<LoggedQuery> {
    match finding.source {
        Source::Query(number) => {
            let mut query = replay.recording()?.query(number)?;
            query.shape = query.swept_shape().map(std::sync::Arc::new);
            Some(query)
        }
        _ => None,
    }
}
