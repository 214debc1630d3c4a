//! A mover and an obstacle over one interval of a frame.
//!
//! The recorded or stepped motions up to the frame's pushes are tested segment by segment, as relative motion. The *mover* is the object
//! whose centre gives the side; the *obstacle* is the other. Normals point from the obstacle toward the mover, the contact plane moves with
//! the obstacle, and the far side is behind it.

use super::event::{Entry, Parts};
use crate::core::diagnose::shape_metrics::{center, is_body, slop};
use crate::core::query::turning::Turning;
use crate::core::query::{self, Contact, RayHit, Sweep};
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::Movement;
use crate::core::shape::{Mesh, Motion, Placed, Pose, Segment, Shape};
use glam::DVec3;

/// One of the two objects of a pair.
#[derive(Clone, Copy, Debug)]
pub struct Side<'r> {
    pub id: ObjectId,
    pub shape: &'r Shape,
    pub motion: Motion,
    /// Rotation over the interval, world axis times radians; zero for spheres.
    pub turn: DVec3,
    /// Whether a collision moves it.
    pub pushable: bool,
    /// It collides from its front only; its shape here collides from both sides.
    pub one_sided: bool,
    /// The mesh of one that is closed, and is judged as a solid: inside it is hollow.
    pub shell: Option<&'r Shape>,
}

impl<'r> Side<'r> {
    fn new(replay: &'r Replay, id: ObjectId, motion: Motion) -> Option<Self> {
        let shape = replay.judged_shape(id)?;
        let motion = felt(shape, motion);
        Some(Self {
            id,
            shape,
            motion,
            turn: turn_of(shape, &motion, None),
            pushable: replay.objects()[id as usize].is_pushable(),
            one_sided: replay.is_one_sided(id),
            shell: replay.shell(id),
        })
    }

    /// With another shape, which feels a rotation or does not.
    fn with_shape(&self, shape: &'r Shape) -> Self {
        Self {
            shape,
            motion: felt(shape, self.motion),
            turn: if shape.is_ball() {
                DVec3::ZERO
            } else {
                self.turn
            },
            ..*self
        }
    }

    /// On another motion, with a share of the rotation.
    pub fn on(&self, motion: Motion, share: f64) -> Self {
        Self {
            motion,
            turn: self.turn * share,
            ..*self
        }
    }

    pub fn placed(&self, pose: &Pose) -> Placed<'r> {
        self.shape.placed(pose)
    }

    /// Its motion with rotation.
    pub fn turning(&self) -> Turning {
        Turning {
            motion: self.motion,
            turn: self.turn,
        }
    }
}

/// Two objects over one straight interval of a frame.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'r> {
    /// The one whose centre gives the side.
    pub mover: Side<'r>,
    pub obstacle: Side<'r>,
    /// One of them is a sensor, which does not push.
    pub sensor: bool,
    /// Fractions of the frame.
    pub from: f64,
    pub to: f64,
    /// Depths and distances up to this are not reported, metres.
    pub slop: f64,
    /// Where the mover came in before the interval.
    pub entered: Option<Entry>,
    /// The mover's motion lacks a push at its end that the log does not list.
    pub own_push: bool,
}

impl<'r> Pair<'r> {
    /// Two objects over an interval of a frame. The mover is the one whose centre gives a side (planes and surfaces have none); of two such the
    /// one with the longer travel; of equal travels the one that is freer to move, then that which turns less, as its centre moves in the
    /// space of the other, then the lower number. `None` when one does not exist.
    pub fn new(
        replay: &'r Replay,
        ids: (ObjectId, ObjectId),
        interval: (f64, f64, Motion, Motion),
    ) -> Option<Self> {
        let pair = Self::in_order(replay, ids, interval)?;
        let rank = |one: &Side<'_>, other: &Side<'_>| {
            let travel = |side: &Side<'_>| side.motion.displacement().length_squared();
            let freedom = |side: &Side<'_>| {
                let object = &replay.objects()[side.id as usize];
                (object.is_pushable(), object.movement != Movement::Fixed)
            };
            let swing = |side: &Side<'_>| side.turn.length() * side.shape.reach().unwrap_or(0.0);
            let order = is_body(other.shape).cmp(&is_body(one.shape));
            let order = order.then(travel(other).total_cmp(&travel(one)));
            let order = order.then(freedom(other).cmp(&freedom(one)));
            let order = order.then_with(|| swing(one).total_cmp(&swing(other)));
            order.then(one.id.cmp(&other.id))
        };
        let swaps = rank(&pair.mover, &pair.obstacle).is_gt();
        Some(match swaps {
            // The slop is that of the other mover.
            true => pair.swapped().with_skin(replay.margin().unwrap_or(0.0)),
            false => pair,
        })
    }

    /// The pair of a mover and an obstacle.
    pub fn in_order(
        replay: &'r Replay,
        (mover, obstacle): (ObjectId, ObjectId),
        (from, to, motion, other): (f64, f64, Motion, Motion),
    ) -> Option<Self> {
        let is_sensor = |id: ObjectId| Some(replay.objects().get(id as usize)?.sensor);
        let pair = Self {
            sensor: is_sensor(mover)? | is_sensor(obstacle)?,
            mover: Side::new(replay, mover, motion)?,
            obstacle: Side::new(replay, obstacle, other)?,
            from,
            to,
            slop: 0.0,
            entered: None,
            own_push: false,
        };
        Some(pair.with_skin(replay.margin().unwrap_or(0.0)))
    }

    /// With the overlap that the engine leaves alone, metres; it is at most half of the mover's inner radius.
    pub fn with_skin(self, skin: f64) -> Self {
        let ends = [self.mover, self.obstacle]
            .map(|side| [side.motion.start.position, side.motion.end.position]);
        let most = 0.5 * self.mover.shape.inner_radius();
        let shapes = (self.mover.shape, self.obstacle.shape);
        Self {
            slop: slop(shapes, most, (skin, ends.as_flattened())),
            ..self
        }
    }

    /// The obstacle as the mover; normals point the other way.
    pub fn swapped(&self) -> Self {
        Self {
            mover: self.obstacle,
            obstacle: self.mover,
            entered: None,
            ..*self
        }
    }

    /// With each side changed.
    pub fn map(&self, change: impl Fn(&Side<'r>) -> Side<'r>) -> Self {
        Self {
            mover: change(&self.mover),
            obstacle: change(&self.obstacle),
            ..*self
        }
    }

    /// The object numbers of mover and obstacle.
    pub fn ids(&self) -> (ObjectId, ObjectId) {
        (self.mover.id, self.obstacle.id)
    }

    /// The object number of the other of the two.
    pub fn other_than(&self, id: ObjectId) -> ObjectId {
        match id == self.mover.id {
            true => self.obstacle.id,
            false => self.mover.id,
        }
    }

    /// Whether a collision moves one of the two.
    pub fn is_pushable(&self) -> bool {
        self.mover.pushable || self.obstacle.pushable
    }

    /// Whether a collision moves both.
    pub fn both_pushable(&self) -> bool {
        self.mover.pushable && self.obstacle.pushable
    }

    /// Whether one of the two collides from its front only.
    pub fn is_one_sided(&self) -> bool {
        self.mover.one_sided || self.obstacle.one_sided
    }

    /// Displacement of the mover as seen from the obstacle, metres.
    pub fn travel(&self) -> DVec3 {
        self.mover.motion.displacement() - self.obstacle.motion.displacement()
    }

    pub fn contact_at(&self, pose: impl Fn(&Motion) -> Pose) -> Option<Contact> {
        self.contact_by(|side| pose(&side.motion))
    }

    /// The contact with each side at a pose of its own.
    pub fn contact_by(&self, pose: impl Fn(&Side<'r>) -> Pose) -> Option<Contact> {
        let placed = |side: &Side<'r>| side.placed(&pose(side));
        query::contact(&placed(&self.mover), &placed(&self.obstacle), &mut ())
    }

    /// With the mover's path elsewhere, by a displacement in metres.
    pub fn shifted(&self, by: DVec3) -> Self {
        self.resized(true, self.mover.shape, by)
    }

    /// With another part of the same solid, which is at rest, in the place of the obstacle.
    pub fn with_obstacle(&self, (id, shape, pose): (ObjectId, &'r Shape, Pose)) -> Self {
        let motion = Motion::still(pose);
        Self {
            obstacle: Side {
                id,
                shape,
                motion,
                ..self.obstacle
            },
            ..*self
        }
    }

    /// The mesh of the two, the obstacle's first, and whether it is the mover's.
    pub fn mesh(&self) -> Option<(&'r Mesh, bool)> {
        match (self.mover.shape, self.obstacle.shape) {
            (_, Shape::Mesh(mesh)) => Some((mesh, false)),
            (Shape::Mesh(mesh), _) => Some((mesh, true)),
            _ => None,
        }
    }

    /// With another shape in the place of the mover's or the obstacle's.
    pub fn with_shape(&self, of_mover: bool, shape: &'r Shape) -> Self {
        let mut pair = *self;
        let side = if of_mover {
            &mut pair.mover
        } else {
            &mut pair.obstacle
        };
        side.shape = shape;
        pair
    }

    /// With a shape of another size in the place of the mover's or the obstacle's, on a path elsewhere by a displacement in metres.
    pub fn resized(&self, of_mover: bool, shape: &'r Shape, away: DVec3) -> Self {
        let mut pair = self.with_shape(of_mover, shape);
        let side = if of_mover {
            &mut pair.mover
        } else {
            &mut pair.obstacle
        };
        side.motion.start.position += away;
        side.motion.end.position += away;
        pair
    }

    /// With parts in place of compounds.
    pub fn of_parts(&self, parts: Parts) -> Self {
        let part = |shape: &'r Shape, part: Option<u32>| {
            part.and_then(|part| parts_alone(shape).get(part as usize))
                .unwrap_or(shape)
        };
        self.with_shapes(
            part(self.mover.shape, parts[0]),
            part(self.obstacle.shape, parts[1]),
        )
    }

    /// With other shapes in the place of both.
    pub fn with_shapes(&self, mover: &'r Shape, obstacle: &'r Shape) -> Self {
        Self {
            mover: self.mover.with_shape(mover),
            obstacle: self.obstacle.with_shape(obstacle),
            ..*self
        }
    }

    /// With the surface of a closed mesh, which the mover is within, in place of its solid.
    pub fn within_shell(&self) -> Self {
        Self {
            obstacle: Side {
                shape: self.obstacle.shell.unwrap_or(self.obstacle.shape),
                one_sided: true,
                shell: None,
                ..self.obstacle
            },
            ..*self
        }
    }

    pub fn contact_at_end(&self) -> Option<Contact> {
        self.contact_at(|motion| motion.end)
    }

    /// The overlap at the end; inside of a closed mesh, without touching its surface, there is none.
    pub fn overlap_at_end(&self) -> Option<Contact> {
        let end = self.contact_at_end()?;
        let sides = [self.mover, self.obstacle];
        let is_hollow = sides.iter().any(|side| side.shell.is_some()) && {
            let [mover, obstacle] = sides
                .each_ref()
                .map(|side| side.shell.unwrap_or(side.shape).placed(&side.motion.end));
            !query::overlaps(&mover, &obstacle)
        };
        (!is_hollow).then_some(end)
    }

    /// The surface through which the mover came in before the interval, else that of the contact at its start.
    pub fn entry_or(&self, start: &Contact) -> (DVec3, DVec3) {
        let known = self.entered.map(|entry| (entry.point, entry.normal));
        known.unwrap_or((start.point, start.normal))
    }

    /// With the rotations of the interval's start throughout. Where no body comes, closed meshes are solids: they are hollow only for what is there.
    pub fn with_rotation_held(&self) -> Self {
        self.map(|side| Side {
            shell: None,
            ..side.on(side.motion.with_rotation_held(), 0.0)
        })
    }

    /// The sweep of both over the interval; the depth of an overlap up to the slop may be a greater one up to it.
    pub fn sweep(&self) -> Sweep {
        let [one, other] = [&self.mover, &self.obstacle].map(|side| (side.shape, &side.motion));
        query::sweep_to(one, other, self.slop, &mut ())
    }

    /// Signed distance of the mover's centre from the contact plane at the interval's end, metres; negative on the far side.
    ///
    /// `point` is on the surface of the obstacle at `fraction`.
    pub fn side_at_end(&self, point: DVec3, normal: DVec3, fraction: f64) -> Option<f64> {
        let plane = point + self.obstacle.motion.displacement() * (1.0 - fraction);
        Some((center(self.mover.shape, &self.mover.motion.end)? - plane).dot(normal))
    }

    /// The straight way of the mover's centre in the obstacle's own space, rotation included.
    pub fn center_way(&self) -> Option<Segment> {
        let (mover, frame) = (&self.mover, &self.obstacle.motion);
        Some(Segment {
            a: frame
                .start
                .point_to_local(center(mover.shape, &mover.motion.start)?),
            b: frame
                .end
                .point_to_local(center(mover.shape, &mover.motion.end)?),
        })
    }

    /// The mover's centre as a ray in the obstacle's space, against the obstacle.
    pub fn crossing_ray(&self) -> Option<RayHit> {
        query::ray_cast(&self.center_way()?, self.obstacle.shape, &Pose::IDENTITY)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::{Object, Scene};

    /// Of two balls as far from each other as before the one that is freer to move is the mover, whichever is first.
    #[test]
    fn of_two_at_rest_the_freer_one_is_the_mover() {
        use Movement::{Fixed, Kinematic, Velocity};
        let ball = |movement: &Movement, x: f64| Object {
            movement: movement.clone(),
            ..Object::new("x", Shape::Sphere { radius: 1.0 }, DVec3::X * x)
        };
        for (first, second, mover) in [
            (&Kinematic, &Fixed, 0),
            (&Fixed, &Kinematic, 1),
            (&Velocity, &Kinematic, 0),
            (&Fixed, &Velocity, 1),
            (&Fixed, &Fixed, 0),
        ] {
            let scene = Scene::new("test", vec![ball(first, 0.0), ball(second, 3.0)]);
            let replay = Replay::stepped(scene.into());
            let still = |x: f64| Motion::still(Pose::at(DVec3::X * x));
            let interval = (0.0, 1.0, still(0.0), still(3.0));
            let pair = Pair::new(&replay, (0, 1), interval).unwrap();
            assert_eq!(pair.mover.id, mover, "{first:?} {second:?}");
        }
    }
}
