//! A pair of objects in one frame, and an event of it.
//!
//! The recorded or stepped motions up to the frame's pushes are tested segment by segment, as relative motion. The
//! *body* is the object whose centre gives the side; the *solid* is the other. The contact plane moves with the solid;
//! the far side is behind it.

use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::shape_metrics::{center, inner_radius, is_body, is_surface, slop};
use crate::core::query::turning::Turning;
use crate::core::query::{self, Contact, Sweep};
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::Movement;
use crate::core::shape::{Motion, Pose, Segment, Shape};
use crate::core::tolerance::FAR_SIDE_COSINE;
use glam::DVec3;

/// The part numbers of both, `None` for a shape that is no compound.
pub type Parts = [Option<u32>; 2];

/// Two objects over one straight interval of a frame; `a` has the longer travel.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'r> {
    pub a: ObjectId,
    pub b: ObjectId,
    pub shape_a: &'r Shape,
    pub shape_b: &'r Shape,
    /// One of them is a sensor, which does not push.
    pub sensor: bool,
    /// Which of the two can be pushed.
    pub pushable: [bool; 2],
    /// Fractions of the frame.
    pub from: f64,
    pub to: f64,
    pub motion_a: Motion,
    pub motion_b: Motion,
    /// Rotations over the interval, world axis times radians; zero for spheres.
    pub turn_a: DVec3,
    pub turn_b: DVec3,
    /// Depths and distances up to this are not reported, metres.
    pub slop: f64,
    /// Which of the two collide from their front only; their shapes here collide from both sides.
    pub one_sided: [bool; 2],
    /// The meshes of those that are closed, and are judged as solids: inside they are hollow.
    pub shells: [Option<&'r Shape>; 2],
    /// Where the mover came in before the interval.
    pub entered: Option<Entry>,
}

/// The surface through which a mover came into an obstacle, as that carries it to the start of an interval; world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    pub point: DVec3,
    /// Unit, from `b` toward `a`.
    pub normal: DVec3,
    /// The unit normal of the obstacle where the mover's centre came out of it since then; `None` if it did not.
    pub exit: Option<DVec3>,
}

/// An event of a pair, with all that its causes need.
#[derive(Clone, Debug, PartialEq)]
pub struct PairEvent {
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
    /// The first touch is on a round part of the obstacle: its plane is passed wherever the mover's centre goes.
    pub round: bool,
    /// How the mover is inside, where it neither passes nor is pushed on.
    pub inside: Option<Inside>,
}

/// A mover that sinks without passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// For the first time wholly inside the obstacle.
    Wholly,
    /// Deeper than it rests for [`STAYS_INSIDE`](crate::core::tolerance::STAYS_INSIDE).
    Stays,
}

/// How the pair came to touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Approach {
    /// Apart when the interval began. `detected`: the fraction of the interval during which an overlap test detects the
    /// pair; `None` when the frame ends in overlap, and when the exit is not found.
    Apart { detected: Option<f64> },
    /// From behind a one-sided surface, where no test detects it.
    Behind,
    /// They overlapped when the interval began.
    Overlap(Contact),
}

impl PairEvent {
    /// An event of whole shapes, without an overlap at its end.
    pub fn new(
        kind: Kind,
        fraction: f64,
        (point, normal): (DVec3, DVec3),
        approach: Approach,
    ) -> Self {
        Self {
            kind,
            fraction,
            point,
            normal,
            approach,
            end: None,
            triangle: None,
            alone: false,
            parts: [None; 2],
            turned: None,
            round: false,
            inside: None,
        }
    }

    /// The event of an overlap in which the interval begins.
    pub fn overlapping(kind: Kind, start: Contact) -> Self {
        let approach = Approach::Overlap(start);
        Self {
            triangle: start.triangle,
            ..Self::new(kind, 0.0, (start.point, start.normal), approach)
        }
    }

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
pub struct Turned {
    /// Without rotation they miss, or it leads to no event.
    pub held_misses: bool,
    /// Displacement that rotation adds at the touching point, at the rate of that moment, metres.
    pub swing: DVec3,
}

impl<'r> Pair<'r> {
    /// Depths and distances up to this are not reported, metres.
    pub fn slop(&self) -> f64 {
        self.slop
    }

    /// Two objects over an interval of a frame, the one with the longer travel first; of equal travels the one that is freer to move, then that
    /// which turns less, as its centre moves in the space of the other, then the lower number. `None` when one does not exist.
    pub fn new(
        replay: &'r Replay,
        ids: (ObjectId, ObjectId),
        interval: (f64, f64, Motion, Motion),
    ) -> Option<Self> {
        let pair = Self::in_order(replay, ids, interval)?;
        let [travel_a, travel_b] =
            [&pair.motion_a, &pair.motion_b].map(|motion| motion.displacement().length_squared());
        let order = travel_b.total_cmp(&travel_a);
        let freedom = |id: ObjectId| {
            let object = &replay.objects()[id as usize];
            (object.is_pushable(), object.movement != Movement::Fixed)
        };
        let order = order.then(freedom(pair.b).cmp(&freedom(pair.a)));
        let swing = |shape: &Shape, turn: DVec3| turn.length() * shape.reach().unwrap_or(0.0);
        let order = order.then_with(|| {
            let [one, other] = [(pair.shape_a, pair.turn_a), (pair.shape_b, pair.turn_b)]
                .map(|(shape, turn)| swing(shape, turn));
            one.total_cmp(&other)
        });
        let swap = order.then(ids.0.cmp(&ids.1)).is_gt();
        Some(if swap { pair.swapped() } else { pair })
    }

    /// The pair in the order given.
    pub fn in_order(
        replay: &'r Replay,
        ids: (ObjectId, ObjectId),
        interval: (f64, f64, Motion, Motion),
    ) -> Option<Self> {
        let object = |id: ObjectId| replay.objects().get(id as usize);
        let (a, b) = (object(ids.0)?, object(ids.1)?);
        let [shape_a, shape_b] = [replay.judged_shape(ids.0)?, replay.judged_shape(ids.1)?];
        let (from, to, motion_a, motion_b) = interval;
        let motion_a = felt(shape_a, motion_a);
        let motion_b = felt(shape_b, motion_b);
        let pair = Self {
            a: ids.0,
            b: ids.1,
            shape_a,
            shape_b,
            sensor: a.sensor || b.sensor,
            pushable: [a.is_pushable(), b.is_pushable()],
            from,
            to,
            motion_a,
            motion_b,
            turn_a: turn_of(shape_a, &motion_a, None),
            turn_b: turn_of(shape_b, &motion_b, None),
            slop: 0.0,
            one_sided: [replay.is_one_sided(ids.0), replay.is_one_sided(ids.1)],
            shells: [replay.shell(ids.0), replay.shell(ids.1)],
            entered: None,
        };
        Some(Self {
            slop: pair.slop_with(replay.margin().unwrap_or(0.0)),
            ..pair
        })
    }

    /// With the overlap that the engine leaves alone, metres.
    pub fn with_skin(self, skin: f64) -> Self {
        Self {
            slop: self.slop_with(skin),
            ..self
        }
    }

    /// The [`slop`] of the pair; its skins are at most half of the mover's inner radius.
    fn slop_with(&self, margin: f64) -> f64 {
        let mover = if self.mover_is_a() {
            self.shape_a
        } else {
            self.shape_b
        };
        let ends = [self.motion_a, self.motion_b]
            .map(|motion| [motion.start.position, motion.end.position]);
        let most = 0.5 * inner_radius(mover);
        slop(
            (self.shape_a, self.shape_b),
            most,
            (margin, ends.as_flattened()),
        )
    }

    pub fn swapped(&self) -> Self {
        Self {
            a: self.b,
            b: self.a,
            shape_a: self.shape_b,
            shape_b: self.shape_a,
            motion_a: self.motion_b,
            motion_b: self.motion_a,
            turn_a: self.turn_b,
            turn_b: self.turn_a,
            pushable: [self.pushable[1], self.pushable[0]],
            one_sided: [self.one_sided[1], self.one_sided[0]],
            shells: [self.shells[1], self.shells[0]],
            entered: self.entered.map(|entry| Entry {
                normal: -entry.normal,
                ..entry
            }),
            ..*self
        }
    }

    /// Whether a collision moves one of the two.
    pub fn is_pushable(&self) -> bool {
        self.pushable.contains(&true)
    }

    /// Displacement of `a` as seen from `b`, metres.
    pub fn travel(&self) -> DVec3 {
        self.motion_a.displacement() - self.motion_b.displacement()
    }

    /// The object whose centre gives the side, and the other.
    pub fn mover_and_obstacle(&self) -> (ObjectId, ObjectId) {
        match self.mover_is_a() {
            true => (self.a, self.b),
            false => (self.b, self.a),
        }
    }

    /// The shape and the motion of the object whose centre gives the side.
    pub fn mover_shape(&self) -> (&'r Shape, &Motion) {
        match self.mover_is_a() {
            true => (self.shape_a, &self.motion_a),
            false => (self.shape_b, &self.motion_b),
        }
    }

    /// The shape and the motion of the other.
    pub fn obstacle_shape(&self) -> (&'r Shape, &Motion) {
        match self.mover_is_a() {
            true => (self.shape_b, &self.motion_b),
            false => (self.shape_a, &self.motion_a),
        }
    }

    /// Whether `a` is the one whose centre gives the side: unless it is a plane or surface.
    pub fn mover_is_a(&self) -> bool {
        self.has_center(true) || !self.has_center(false)
    }

    /// Whether the centre of `a` (or of `b`) gives its side.
    pub fn has_center(&self, first: bool) -> bool {
        let shape = if first { self.shape_a } else { self.shape_b };
        is_body(shape)
    }

    pub fn contact_at(&self, pose: impl Fn(&Motion) -> Pose) -> Option<Contact> {
        let a = self.shape_a.placed(&pose(&self.motion_a));
        query::contact(&a, &self.shape_b.placed(&pose(&self.motion_b)), &mut ())
    }

    /// With the mover's path elsewhere, by a displacement in metres.
    pub fn shifted(&self, by: DVec3) -> Self {
        let moved = |motion: Motion| {
            let at = |pose: Pose| Pose {
                position: pose.position + by,
                ..pose
            };
            Motion {
                start: at(motion.start),
                end: at(motion.end),
            }
        };
        match self.mover_is_a() {
            true => Self {
                motion_a: moved(self.motion_a),
                ..*self
            },
            false => Self {
                motion_b: moved(self.motion_b),
                ..*self
            },
        }
    }

    /// With another part of the same solid, which is at rest, in the place of the obstacle.
    pub fn with_obstacle(&self, (id, shape, pose): (ObjectId, &'r Shape, Pose)) -> Self {
        let motion = Motion::still(pose);
        match self.mover_is_a() {
            true => Self {
                b: id,
                shape_b: shape,
                motion_b: motion,
                ..*self
            },
            false => Self {
                a: id,
                shape_a: shape,
                motion_a: motion,
                ..*self
            },
        }
    }

    /// With another shape in the place of one.
    pub fn with_shape(&self, first: bool, shape: &'r Shape) -> Self {
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

    /// With parts in place of compounds.
    pub fn of_parts(&self, parts: Parts) -> Self {
        let part = |shape: &'r Shape, part: Option<u32>| {
            part.and_then(|part| parts_alone(shape).get(part as usize))
                .unwrap_or(shape)
        };
        let [a, b] = parts;
        self.with_shapes(part(self.shape_a, a), part(self.shape_b, b))
    }

    /// With other shapes in the place of both.
    pub fn with_shapes(&self, shape_a: &'r Shape, shape_b: &'r Shape) -> Self {
        let turn = |shape: &Shape, turn: DVec3| if shape.is_ball() { DVec3::ZERO } else { turn };
        Self {
            shape_a,
            shape_b,
            motion_a: felt(shape_a, self.motion_a),
            motion_b: felt(shape_b, self.motion_b),
            turn_a: turn(shape_a, self.turn_a),
            turn_b: turn(shape_b, self.turn_b),
            ..*self
        }
    }

    /// With the surface of a closed mesh, which the mover is within, in place of its solid.
    pub fn within_shell(&self) -> Self {
        if !self.mover_is_a() {
            return self.swapped().within_shell().swapped();
        }
        Self {
            shape_b: self.shells[1].unwrap_or(self.shape_b),
            one_sided: [self.one_sided[0], true],
            shells: [self.shells[0], None],
            ..*self
        }
    }

    pub fn contact_at_end(&self) -> Option<Contact> {
        self.contact_at(|motion| motion.end)
    }

    /// The overlap at the end; inside of a closed mesh, without touching its surface, there is none.
    pub fn overlap_at_end(&self) -> Option<Contact> {
        let end = self.contact_at_end()?;
        let placed = |shape: &'r Shape, shell: Option<&'r Shape>, motion: &Motion| {
            shell.unwrap_or(shape).placed(&motion.end)
        };
        let [shell_a, shell_b] = self.shells;
        let is_hollow = (shell_a.is_some() || shell_b.is_some())
            && !query::overlaps(
                &placed(self.shape_a, shell_a, &self.motion_a),
                &placed(self.shape_b, shell_b, &self.motion_b),
            );
        (!is_hollow).then_some(end)
    }

    /// The surface through which the mover came in before the interval, else that of the contact at its start.
    pub fn entry_or(&self, start: &Contact) -> (DVec3, DVec3) {
        let known = self.entered.map(|entry| (entry.point, entry.normal));
        known.unwrap_or((start.point, start.normal))
    }

    /// With the rotations of the interval's start throughout.
    pub fn with_rotation_held(&self) -> Self {
        Self {
            motion_a: self.motion_a.with_rotation_held(),
            motion_b: self.motion_b.with_rotation_held(),
            turn_a: DVec3::ZERO,
            turn_b: DVec3::ZERO,
            ..*self
        }
    }

    /// Both motions with rotation.
    pub fn turnings(&self) -> (Turning, Turning) {
        let turning = |motion, turn| Turning { motion, turn };
        (
            turning(self.motion_a, self.turn_a),
            turning(self.motion_b, self.turn_b),
        )
    }

    /// The sweep of both over the interval.
    pub fn sweep(&self) -> Sweep {
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
    pub fn side_at_end(
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

/// Result of an overlap test at one frame end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PhaseOutcome {
    /// Not detected, and the body is on the far side.
    Missed,
    /// Not detected, and the body is on the side it came from.
    Clipped,
    /// Detected past the contact plane, and not pushed back: out on the far side, or sideways.
    WrongSide,
    /// Detected, and pushed back.
    Resolved,
}

impl PhaseOutcome {
    /// From the best to the worst.
    pub const ALL: [Self; 4] = [Self::Resolved, Self::Clipped, Self::WrongSide, Self::Missed];

    /// A few words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Missed => "tunnels",
            Self::Clipped => "clips",
            Self::WrongSide => "wrong side",
            Self::Resolved => "held",
        }
    }

    /// A sentence without its full stop.
    pub fn help(self) -> &'static str {
        match self {
            Self::Missed => "No test detects the overlap, and the body is on the far side",
            Self::Clipped => {
                "No test detects the overlap; the body crosses a corner and is on its own side again"
            }
            Self::WrongSide => "A test detects the overlap, and the push ends on the far side",
            Self::Resolved => "A test detects the overlap, and the push moves the body back",
        }
    }

    /// The worse of two, in the order of [`PhaseOutcome::ALL`].
    #[must_use]
    pub fn worse(self, other: Self) -> Self {
        let rank = |one: Self| Self::ALL.iter().position(|known| *known == one);
        if rank(other) > rank(self) {
            other
        } else {
            self
        }
    }
}

/// Counts of the diagnosis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JudgeStats {
    /// Sweeps made.
    pub sweeps: u64,
    /// Crossings of rotating or bounding shapes that no centre's path proves.
    pub unproven: u64,
    /// Depth of the overlap with which the last pair began, metres; 0 where it was apart.
    pub start_depth: f64,
    /// Pairs that were skipped, as both objects have
    /// [`FINDINGS_PER_OBJECT`](crate::core::tolerance::FINDINGS_PER_OBJECT) findings in the frame already.
    pub left_out: u64,
}

/// Whether the push of an overlap points out behind a contact plane, and not merely sideways.
pub fn points_out_behind(contact: &Contact, normal: DVec3) -> bool {
    contact.normal.dot(normal) < -FAR_SIDE_COSINE
}

/// Whether the push of an overlap points back in front of a contact plane. One that points sideways lets the body slip past.
pub fn pushes_back(contact: &Contact, normal: DVec3) -> bool {
    contact.normal.dot(normal) > FAR_SIDE_COSINE
}

/// Whether a hit of the reversed path is an exit of a solid: not if it hits from inside.
pub fn comes_out(hit: &query::RayHit, solid: &Shape) -> bool {
    is_surface(solid) || !hit.back
}

/// The body's centre as a ray in the solid's frame (rotation included), against the solid.
pub fn crossing_ray(pair: &Pair<'_>, mover_is_a: bool) -> Option<query::RayHit> {
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

/// Rotation of a shape over an interval; zero for a sphere. `spun` is the rotation by its spin, if known.
pub fn turn_of(shape: &Shape, motion: &Motion, spun: Option<DVec3>) -> DVec3 {
    match spun {
        _ if shape.is_ball() => DVec3::ZERO,
        Some(spun) => Turning::with_turn(motion, spun).turn,
        None => Turning::of(motion).turn,
    }
}

/// A motion without rotation that has no effect: a sphere that rotates about its centre.
pub fn felt(shape: &Shape, motion: Motion) -> Motion {
    match shape.is_ball() {
        true => motion.with_rotation_held(),
        false => motion,
    }
}

/// The parts of a compound as shapes of their own; none of another shape.
pub fn parts_alone(shape: &Shape) -> &[Shape] {
    match shape {
        Shape::Compound(compound) => compound.alone(),
        _ => &[],
    }
}
