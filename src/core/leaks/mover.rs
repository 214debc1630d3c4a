//! What passes, and how fast.

use crate::core::diagnose::engines::preset;
use crate::core::diagnose::is_swept_against;
use crate::core::number::positive;
use crate::core::replay::Replay;
use crate::core::scene::{Movement, Object};
use crate::core::schema::UserUnits;
use crate::core::shape::{Capsule, Cylinder, Pose, Segment, Shape, SolidShape};
use glam::{DQuat, DVec3};

/// Frames of a level in which the speed of its own movers is measured.
const MEASURED: u32 = 10_000;

/// Movers that a level gives at most.
const MOST: usize = 16;

/// A shape that may come to any place at any speed up to the greatest.
#[derive(Clone, Debug, PartialEq)]
pub struct Mover {
    /// As the text names it.
    pub name: String,
    /// In local space, metres.
    pub shape: Shape,
    /// Its rotation does not change.
    pub rotation: DQuat,
    /// Greatest speed, m/s.
    pub speed: f64,
    /// Layer and mask bits.
    pub bits: (u32, u32),
}

impl Mover {
    /// `player: capsule 0.3 0.9, up to 12 m/s`: a name, a shape with its measures, and the greatest speed; in the unit and the axes of a level.
    ///
    /// # Errors
    /// A sentence that says what is missing.
    pub fn parse(text: &str, units: UserUnits) -> Result<Self, String> {
        const FORM: &str = "write it as in \"player: capsule 0.3 0.9, up to 12 m/s\"; the shapes are sphere R, capsule R HALF_HEIGHT, box X Y Z (half extents) and cylinder R HALF_HEIGHT, in the unit of the level";
        let wrong = |what: &str| format!("{what}: {FORM}");
        let (name, rest) = text
            .split_once(':')
            .ok_or_else(|| wrong("no name before a colon"))?;
        if name.trim().is_empty() {
            return Err(wrong("no name before the colon"));
        }
        if units.units.flat {
            return Err("movers of flat levels are the level's own: leave --mover out".into());
        }
        let (shape, speed) = rest
            .split_once(',')
            .ok_or_else(|| wrong("no speed after a comma"))?;
        let speed = speed.trim().trim_start_matches("up to").trim();
        let speed = speed
            .strip_suffix(units.unit("m/s"))
            .unwrap_or(speed)
            .trim();
        let speed = positive(speed).ok_or_else(|| wrong("the speed is not a number above 0"))?;
        let speed = units.si(speed, "m/s");
        let mut words = shape.split_whitespace();
        let kind = words.next().ok_or_else(|| wrong("no shape"))?;
        let measures: Option<Vec<f64>> = words
            .map(|word| Some(units.si(positive(word)?, "m")))
            .collect();
        let measures = measures.ok_or_else(|| wrong("a measure is not a number above 0"))?;
        let shape = match (kind, &measures[..]) {
            ("sphere", [radius]) => Shape::Sphere { radius: *radius },
            ("box", [x, y, z]) => Shape::Box {
                half_extents: units.our_direction(DVec3::new(*x, *y, *z)).abs(),
            },
            ("capsule", [radius, half]) => Shape::Capsule(Capsule {
                segment: Segment {
                    a: DVec3::NEG_Y * *half,
                    b: DVec3::Y * *half,
                },
                radius: *radius,
            }),
            ("cylinder", [radius, half]) => Shape::Solid(SolidShape::Cylinder(Cylinder {
                radius: *radius,
                half_height: *half,
            })),
            ("sphere" | "box" | "capsule" | "cylinder", _) => {
                return Err(wrong(&format!("{kind} with {} measures", measures.len())));
            }
            _ => return Err(wrong(&format!("no shape is called {kind}"))),
        };
        Ok(Self {
            name: name.trim().to_owned(),
            shape,
            rotation: DQuat::IDENTITY,
            speed,
            bits: (1, u32::MAX),
        })
    }

    /// At the origin, with its rotation.
    pub fn pose(&self) -> Pose {
        Pose {
            rotation: self.rotation,
            ..Pose::IDENTITY
        }
    }

    /// As an object of a level.
    pub fn object(&self) -> Object {
        Object {
            layer: self.bits.0,
            mask: self.bits.1,
            movement: Movement::Velocity,
            ..Object::new(self.name.clone(), self.shape.clone(), DVec3::ZERO)
        }
    }
}

/// The level's own moving bodies: of each shape the fastest, as fast as it gets. Objects that do not move, that the engine sweeps, and shapes without
/// a size, are none.
///
/// # Errors
/// A sentence, when there is none.
pub fn movers_of(replay: &Replay) -> Result<Vec<Mover>, String> {
    let row = preset(&replay.engine());
    let mut swept = 0;
    let objects = replay.objects();
    let frames = replay.frames().min(MEASURED);
    let mut fastest = vec![0.0_f64; objects.len()];
    for frame in 0..frames {
        let (from, to) = (replay.state(frame), replay.state(frame + 1));
        let dt = replay.dt(frame);
        for (id, from) in from.present() {
            let Some(to) = to.body(id) else {
                continue;
            };
            let moved = (to.pose.position - from.pose.position).length() / dt;
            if !to.teleported && moved.is_finite() {
                let speed = &mut fastest[id as usize];
                *speed = speed.max(moved);
            }
        }
    }
    let mut movers: Vec<Mover> = Vec::new();
    for ((object, speed), id) in objects.iter().zip(fastest).zip(0..) {
        let counts = object.is_pushable() && !object.sensor && speed > 0.0;
        if !counts || object.shape.reach().is_none_or(|reach| reach <= 0.0) {
            continue;
        }
        if is_swept_against(replay, row, object, &Movement::Fixed) {
            swept += 1;
            continue;
        }
        let rotation = replay
            .body(0, id)
            .map_or(DQuat::IDENTITY, |body| body.pose.rotation);
        let mover = Mover {
            name: object.name.clone(),
            shape: object.shape.clone(),
            rotation: if object.shape.is_ball() {
                DQuat::IDENTITY
            } else {
                rotation
            },
            speed,
            bits: (object.layer, object.mask),
        };
        let alike = |known: &&mut Mover| known.shape == mover.shape && known.bits == mover.bits;
        match movers.iter_mut().find(alike) {
            Some(known) if known.speed < mover.speed => *known = mover,
            Some(_) => {}
            None => movers.push(mover),
        }
    }
    movers.sort_by(|one, other| other.speed.total_cmp(&one.speed));
    movers.truncate(MOST);
    match (movers.is_empty(), swept) {
        (false, _) => Ok(movers),
        (true, 0) => Err("nothing in the level moves by itself, so it gives no mover: state one, as in \"player: capsule 0.3 0.9, up to 12 m/s\"".into()),
        (true, _) => Err("the engine sweeps all that moves in this level, so no step is too long for it: state a mover that it does not sweep".into()),
    }
}
