//! Diagnosis of one pair in one frame: passed through, cut a corner, or pushed out on the wrong side.
//!
//! The recorded or stepped motions up to the frame's pushes are tested segment by segment, as relative motion. The
//! *body* is the object whose centre gives the side; the *solid* is the other. The contact plane moves with the solid;
//! the far side is behind it.

use super::compound_parts::{self, Parts};
use super::finding::Kind;
use super::shape_metrics::{center, inner_radius, is_body, is_one_sided, is_surface, pair_size};
use super::sweep_hit::{self, Hit};
use super::{mesh_triangles, rotating_pair};
use crate::core::query::{self, Contact, Sweep, SweepOutcome};
use crate::core::replay::ObjectId;
use crate::core::scene::Object;
use crate::core::shape::{Facing, Motion, Pose, Segment, Shape, Triangle};
use crate::core::tolerance::{FAR_SIDE_COSINE, SLOP_SHARE};
use glam::DVec3;

/// Two objects over one straight interval of a frame; `a` has the longer travel.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'r> {
    pub a: ObjectId,
    pub b: ObjectId,
    pub shape_a: &'r Shape,
    pub shape_b: &'r Shape,
    /// One of them is a sensor, which does not push.
    pub sensor: bool,
    /// One of the two can be pushed.
    pub pushable: bool,
    /// Fractions of the frame.
    pub from: f64,
    pub to: f64,
    pub motion_a: Motion,
    pub motion_b: Motion,
    /// Rotations over the interval, world axis times radians; zero for spheres.
    pub turn_a: DVec3,
    pub turn_b: DVec3,
    /// A single triangle replaces the mesh of `a` (true) or `b`; it has no centre of its own.
    pub cut: Option<bool>,
}

impl Pair<'_> {
    /// Depths and distances below this are ignored, metres: a fraction of the smaller body.
    pub fn slop(&self) -> f64 {
        SLOP_SHARE * pair_size(self.shape_a, self.shape_b)
    }
}

/// An event of a pair, with all that its causes need.
#[derive(Clone, Debug)]
pub(super) struct PairEvent {
    pub kind: Kind,
    /// Time of impact, fraction of the interval.
    pub fraction: f64,
    /// World, metres.
    pub point: DVec3,
    /// Unit, from `b` toward `a` at the impact.
    pub normal: DVec3,
    pub approach: Approach,
    /// Overlap at its end.
    pub end: Option<Contact>,
    /// The mesh triangle that was hit.
    pub triangle: Option<u32>,
    /// Found on that triangle alone.
    pub alone: bool,
    /// The parts of compounds that it was found on.
    pub parts: Parts,
    /// The rotation of the pair; `None` where the shapes were swept without it.
    pub turned: Option<Turned>,
}

/// How the pair came to touch.
#[derive(Clone, Copy, Debug)]
pub(super) enum Approach {
    /// Apart when the interval began. `detected`: the fraction of the interval during which an overlap test detects the
    /// pair; `None` when the frame ends in overlap, and when the exit is not found.
    Apart { detected: Option<f64> },
    /// From behind a one-sided surface, where no test detects it.
    Behind,
    /// They overlapped when the interval began.
    Overlap(Contact),
}

impl PairEvent {
    /// Overlap at the start of the interval.
    pub fn start(&self) -> Option<Contact> {
        match self.approach {
            Approach::Overlap(contact) => Some(contact),
            Approach::Apart { .. } | Approach::Behind => None,
        }
    }

    pub fn is_from_behind(&self) -> bool {
        matches!(self.approach, Approach::Behind)
    }

    /// Fraction of the interval during which an overlap test detects the pair, where known.
    pub fn detected_for(&self) -> Option<f64> {
        match self.approach {
            Approach::Apart { detected } => detected,
            Approach::Behind => Some(0.0),
            Approach::Overlap(_) => None,
        }
    }
}

/// The rotation of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turned {
    /// Without rotation they miss.
    pub held_misses: bool,
    /// Displacement that rotation adds at the touching point, at the rate of that moment, metres.
    pub swing: DVec3,
}

impl<'r> Pair<'r> {
    /// Orders the pair by travel, the longer first; equal travels, the lower number.
    pub(super) fn new(
        ids: (ObjectId, ObjectId),
        objects: (&'r Object, &'r Object),
        interval: (f64, f64, Motion, Motion),
    ) -> Self {
        let (from, to, motion_a, motion_b) = interval;
        let motion_a = rotating_pair::felt(&objects.0.shape, motion_a);
        let motion_b = rotating_pair::felt(&objects.1.shape, motion_b);
        let pair = Self {
            a: ids.0,
            b: ids.1,
            shape_a: &objects.0.shape,
            shape_b: &objects.1.shape,
            sensor: objects.0.sensor || objects.1.sensor,
            pushable: objects.0.is_pushable() || objects.1.is_pushable(),
            from,
            to,
            motion_a,
            motion_b,
            turn_a: rotating_pair::turn_of(&objects.0.shape, &motion_a, None),
            turn_b: rotating_pair::turn_of(&objects.1.shape, &motion_b, None),
            cut: None,
        };
        let travel_a = motion_a.displacement().length_squared();
        let travel_b = motion_b.displacement().length_squared();
        if travel_b > travel_a || (travel_b == travel_a && ids.1 < ids.0) {
            pair.swapped()
        } else {
            pair
        }
    }

    pub(super) fn swapped(&self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            shape_a: self.shape_b,
            shape_b: self.shape_a,
            motion_a: self.motion_b,
            motion_b: self.motion_a,
            turn_a: self.turn_b,
            turn_b: self.turn_a,
            cut: self.cut.map(|first| !first),
            ..*self
        }
    }

    /// Displacement of `a` as seen from `b`, metres.
    pub(super) fn travel(&self) -> DVec3 {
        self.motion_a.displacement() - self.motion_b.displacement()
    }

    /// Whether `a` is the one whose centre gives the side: unless it is a plane or mesh.
    pub(super) fn mover_is_a(&self) -> bool {
        self.has_center(true) || !self.has_center(false)
    }

    /// Whether the centre of `a` (or of `b`) gives its side.
    pub(super) fn has_center(&self, first: bool) -> bool {
        let shape = if first { self.shape_a } else { self.shape_b };
        is_body(shape) && self.cut != Some(first)
    }

    pub(super) fn contact_at(&self, pose: impl Fn(&Motion) -> Pose) -> Option<Contact> {
        let a = self.shape_a.placed(&pose(&self.motion_a));
        query::contact(&a, &self.shape_b.placed(&pose(&self.motion_b)), &mut ())
    }

    /// The interval after a fraction of it; `None` at its end.
    pub(super) fn rest(&self, from: f64) -> Option<Self> {
        let rest = |motion: &Motion| Motion {
            start: motion.pose(from),
            end: motion.end,
        };
        let left = 1.0 - from;
        (left > 0.0).then(|| Self {
            motion_a: rest(&self.motion_a),
            motion_b: rest(&self.motion_b),
            turn_a: self.turn_a * left,
            turn_b: self.turn_b * left,
            ..*self
        })
    }

    /// With another shape in the place of one.
    pub(super) fn with_shape(&self, first: bool, shape: &'r Shape) -> Self {
        let (shape_a, shape_b) = if first {
            (shape, self.shape_b)
        } else {
            (self.shape_a, shape)
        };
        Self {
            shape_a,
            shape_b,
            ..*self
        }
    }

    /// With a single triangle of a mesh in its place.
    pub(super) fn with_triangle(&self, first: bool, triangle: &'r Shape) -> Self {
        Self {
            cut: Some(first),
            ..self.with_shape(first, triangle)
        }
    }

    pub(super) fn contact_at_end(&self) -> Option<Contact> {
        self.contact_at(|motion| motion.end)
    }

    /// The sweep of both over the interval.
    pub(super) fn sweep(&self) -> Sweep {
        query::sweep(
            self.shape_a,
            &self.motion_a,
            self.shape_b,
            &self.motion_b,
            &mut (),
        )
    }

    /// Signed distance of the body's centre from the contact plane at the interval's end, metres; negative on the far side.
    ///
    /// `point` is on the surface of `b` at `fraction`; `depth` is how deep they overlap there.
    pub(super) fn side_at_end(
        &self,
        point: DVec3,
        normal: DVec3,
        depth: f64,
        fraction: f64,
    ) -> Option<f64> {
        let rest = 1.0 - fraction;
        if self.mover_is_a() {
            let plane = point + self.motion_b.displacement() * rest;
            Some((center(self.shape_a, &self.motion_a.end)? - plane).dot(normal))
        } else {
            let plane = point - normal * depth + self.motion_a.displacement() * rest;
            Some((center(self.shape_b, &self.motion_b.end)? - plane).dot(-normal))
        }
    }
}

/// Counts of the diagnosis.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct JudgeStats {
    /// Sweeps made.
    pub sweeps: u64,
    /// Crossings of rotating or bounding shapes that no centre's path proves.
    pub unproven: u64,
    /// Pairs that were skipped, as both objects have
    /// [`FINDINGS_PER_OBJECT`](crate::core::tolerance::FINDINGS_PER_OBJECT) findings in the frame already.
    pub left_out: u64,
}

/// The event of a pair's interval, if any.
///
/// Compounds are tested by their parts.
pub(super) fn judge(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    match compound_parts::are_many(pair) {
        true => compound_parts::judge(pair, stats),
        false => judge_alone(pair, stats),
    }
}

/// The same for two shapes that are no compounds.
///
/// A mesh gives its earliest or deepest triangle; hidden events are searched triangle by triangle.
pub(super) fn judge_alone(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    let whole = judge_whole(pair, stats);
    match &whole {
        Some(event) if event.kind != Kind::Clips => whole,
        _ => mesh_triangles::judge(pair, stats).or(whole),
    }
}

/// The same without the search for hidden triangles.
pub(super) fn judge_whole(pair: &Pair<'_>, stats: &mut JudgeStats) -> Option<PairEvent> {
    let slop = pair.slop();
    let one_sided = is_one_sided(pair.shape_a) || is_one_sided(pair.shape_b);
    stats.sweeps += 1;
    let sweep = pair.sweep();
    let turns = rotating_pair::can_follow(pair, &sweep);
    let event = match sweep.outcome {
        SweepOutcome::Overlapping { depth } => judge_from_overlap(pair, depth),
        SweepOutcome::Hits(impact) => {
            // Nothing can be deeper than the travel.
            if pair.travel().length() <= slop && !turns {
                return None;
            }
            let start = pair.contact_at(|motion| motion.start);
            if let Some(contact) = start {
                judge_from_overlap(pair, contact.depth)
            } else if turns {
                rotating_pair::judge(pair, false, slop)
            } else {
                sweep_hit::judge(pair, &Hit::of(&sweep, &impact), slop, stats)
            }
        }
        _ if one_sided => {
            judge_from_behind(pair).or_else(|| rotating_pair::judge_from_front(pair, slop))
        }
        _ if turns => rotating_pair::judge(pair, true, slop),
        _ => None,
    }?;
    Some(event)
}

/// The same for a pair that overlaps when the interval begins, without rotation.
pub(super) fn judge_overlap_without_rotation(pair: &Pair<'_>, depth: f64) -> Option<PairEvent> {
    let held = Pair {
        motion_a: pair.motion_a.with_rotation_held(),
        motion_b: pair.motion_b.with_rotation_held(),
        turn_a: DVec3::ZERO,
        turn_b: DVec3::ZERO,
        ..*pair
    };
    judge_from_overlap(&held, depth)
}

/// Overlap at the start: a finding only if the centre passes the contact plane while the push reverses.
fn judge_from_overlap(pair: &Pair<'_>, depth: f64) -> Option<PairEvent> {
    let turns = rotating_pair::turns(pair);
    let swing = rotating_pair::rims(pair).filter(|_| turns);
    let reach = pair.travel().length() + depth + swing.map_or(0.0, |(a, b)| a + b);
    let body = if pair.mover_is_a() {
        pair.shape_a
    } else {
        pair.shape_b
    };
    // Resting contact ends here: no centre moves so far.
    if pair.sensor || reach < inner_radius(body) {
        return None;
    }
    let start = pair.contact_at(|motion| motion.start)?;
    let event = |kind, end| PairEvent {
        kind,
        fraction: 0.0,
        point: start.point,
        normal: start.normal,
        approach: Approach::Overlap(start),
        end,
        triangle: start.triangle,
        alone: false,
        parts: [None; 2],
        turned: None,
    };
    if start.fallback && pair.pushable {
        return Some(event(Kind::BadNumber, None));
    }
    if swing.is_some() && !start.fallback {
        let (kind, end) = rotating_pair::judge_from_overlap(pair, &start)?;
        let turned = rotating_pair::led_by_turning(pair, &start);
        return Some(PairEvent {
            turned: turned.then(|| rotating_pair::turned_at(pair, true, 0.0, start.point)),
            ..event(kind, end)
        });
    }
    let side = pair.side_at_end(start.point, start.normal, start.depth, 0.0)?;
    let Some(end) = pair.contact_at_end() else {
        let exact = !start.fallback;
        let sinks = side < 0.0 && exact && leaves_behind(pair, start.normal);
        return sinks.then(|| event(Kind::Sinks, None));
    };
    let proven = !start.fallback;
    // An overlap past the centre at the start is no new event.
    let wrong = side < 0.0 && proven && !end.fallback && points_out_behind(&end, start.normal);
    wrong.then(|| event(Kind::WrongSide, Some(end)))
}

/// Whether the push of an overlap points out behind a contact plane, and not merely sideways.
pub(super) fn points_out_behind(contact: &Contact, normal: DVec3) -> bool {
    contact.normal.dot(normal) < -FAR_SIDE_COSINE
}

/// Whether a centre passes through the other and comes out behind a contact plane; not by rolling off an edge or
/// leaving through a flank.
fn leaves_behind(pair: &Pair<'_>, normal: DVec3) -> bool {
    let backward = Pair {
        motion_a: pair.motion_a.reversed(),
        motion_b: pair.motion_b.reversed(),
        ..*pair
    };
    [true, false].into_iter().any(|mover_is_a| {
        let (solid, shape) = if mover_is_a {
            (&pair.motion_b, pair.shape_b)
        } else {
            (&pair.motion_a, pair.shape_a)
        };
        // A plane has no centre, and a mesh's need not be on its surface.
        let toward_body = if mover_is_a { normal } else { -normal };
        pair.has_center(mover_is_a)
            && crossing_ray(&backward, mover_is_a)
                .filter(|hit| comes_out(hit, shape))
                .is_some_and(|hit| solid.end.vector(hit.normal).dot(toward_body) < -FAR_SIDE_COSINE)
    })
}

/// Whether a hit of the reversed path is an exit of a solid: not if it hits from inside.
pub(super) fn comes_out(hit: &query::RayHit, solid: &Shape) -> bool {
    is_surface(solid) || !hit.back
}

/// Whether the body's centre passes through the solid: proof where the sweep is not exact.
pub(super) fn center_passes(pair: &Pair<'_>) -> bool {
    crossing_ray(pair, pair.mover_is_a()).is_some()
}

/// The body's centre as a ray in the solid's frame (rotation included), against the solid.
pub(super) fn crossing_ray(pair: &Pair<'_>, mover_is_a: bool) -> Option<query::RayHit> {
    let (body, travel, solid, frame) = if mover_is_a {
        (pair.shape_a, &pair.motion_a, pair.shape_b, &pair.motion_b)
    } else {
        (pair.shape_b, &pair.motion_b, pair.shape_a, &pair.motion_a)
    };
    let path = Segment {
        a: frame.start.point_to_local(center(body, &travel.start)?),
        b: frame.end.point_to_local(center(body, &travel.end)?),
    };
    query::ray_cast(&path, solid, &Pose::IDENTITY)
}

/// A one-sided surface that was missed by the sweep: whether the other came through from behind.
///
/// It is a crossing in the frame in which the body's centre passes, at any speed: a one-sided test detects nothing
/// before, and afterwards pushes the body out on the far side.
fn judge_from_behind(pair: &Pair<'_>) -> Option<PairEvent> {
    let surface_is_a = !is_one_sided(pair.shape_b);
    let (surface, frame) = if surface_is_a {
        (pair.shape_a, &pair.motion_a)
    } else {
        (pair.shape_b, &pair.motion_b)
    };
    let ray = crossing_ray(pair, !surface_is_a).filter(|hit| hit.back)?;
    let local = match surface {
        Shape::Triangle(triangle) => *triangle,
        Shape::Mesh(mesh) => mesh.triangle(ray.triangle?),
        _ => return None,
    };
    let both = Shape::Triangle(Triangle {
        facing: Facing::Both,
        ..local
    });
    let sweep = if surface_is_a {
        query::sweep(&both, frame, pair.shape_b, &pair.motion_b, &mut ())
    } else {
        query::sweep(pair.shape_a, &pair.motion_a, &both, frame, &mut ())
    };
    let fraction = sweep
        .outcome
        .impact()
        .map_or(ray.fraction, |impact| impact.fraction);
    let pose = frame.pose(fraction);
    // Toward the body's start: behind the triangle.
    let toward_body = -pose.vector(local.normal()?);
    let normal = if surface_is_a {
        -toward_body
    } else {
        toward_body
    };
    Some(PairEvent {
        kind: Kind::Tunnels,
        fraction,
        point: pose.point(ray.point),
        normal,
        approach: Approach::Behind,
        end: pair.contact_at_end(),
        triangle: ray.triangle,
        alone: false,
        parts: [None; 2],
        turned: None,
    })
}
