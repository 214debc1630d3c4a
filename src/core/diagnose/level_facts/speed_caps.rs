//! Speed caps of bodies, by their velocities and positions.

use crate::core::replay::{BodyState, FrameState};

/// Cosine between a body's velocity and its travel above which it moves along its velocity (no unit): 2.6 degrees. What slides along
/// something it is pressed against turns off by more.
const CLAMP_STRAIGHT: f64 = 0.999;

/// Frames in a row at one speed that make it a cap; fewer may be chance.
const CLAMP_FRAMES: u32 = 3;

/// Relative difference below which two speeds of a body are the same cap (no unit): positions in `f32` give three digits.
pub const CLAMP_SAME: f64 = 0.01;

/// Share of its velocity below which a body's speed by positions counts as held back (no unit).
///
/// Drag, gravity and velocities half a step off explain a few percent. Smaller, and mild caps are missed.
pub const CLAMP_SHARE: f64 = 0.95;

/// One body's run of frames at one speed.
#[derive(Clone, Copy, Default)]
struct Run {
    frames: u32,
    speed: f64,
    /// Least and greatest ratio of the speed to the velocity.
    shares: (f64, f64),
    /// Least and greatest velocity.
    commanded: (f64, f64),
}

/// The speed caps of a level's objects, over the frames added so far.
#[derive(Clone, Default)]
pub struct SpeedCaps {
    runs: Vec<Run>,
    /// By object: the speed of its runs, metres per second; mostly `None`.
    caps: Vec<Option<f64>>,
    fastest: Vec<f64>,
}

impl SpeedCaps {
    /// Makes room for a number of objects.
    pub fn resize(&mut self, objects: usize) {
        self.runs.resize(objects, Run::default());
        self.caps.resize(objects, None);
        self.fastest.resize(objects, 0.0);
    }

    /// Adds the frame between two states, `dt` seconds apart.
    pub fn add(&mut self, before: &FrameState, after: &FrameState, dt: f64) {
        for (id, start) in before.present() {
            let (end, id) = (after.body(id), id as usize);
            let run = &mut self.runs[id];
            let measured = end.and_then(|end| measure(start, end, dt));
            let Some((measured, commanded)) = measured else {
                *run = Run::default();
                continue;
            };
            self.fastest[id] = self.fastest[id].max(measured);
            run.take(measured, commanded);
            if run.frames >= CLAMP_FRAMES && run.is_cap() {
                let cap = &mut self.caps[id];
                *cap = Some(cap.map_or(run.speed, |cap: f64| cap.max(run.speed)));
            }
        }
    }

    /// By object: its speed cap, metres per second; mostly `None`.
    pub fn caps(&self) -> Vec<Option<f64>> {
        let is_cap = |(cap, fastest): (&Option<f64>, &f64)| {
            cap.filter(|cap| *fastest <= cap * (1.0 + CLAMP_SAME))
        };
        self.caps.iter().zip(&self.fastest).map(is_cap).collect()
    }
}

/// Speed from positions and from logged velocities; `None` where the motion is not straight along them.
pub fn measure(start: &BodyState, end: &BodyState, dt: f64) -> Option<(f64, f64)> {
    let travel = end.pose.position - start.pose.position;
    let (old, new) = (start.velocity?, end.velocity?);
    let commanded = old.length().min(new.length());
    let measured = travel.length() / dt;
    let sound = measured.is_finite() && commanded.is_finite() && measured > 0.0 && !end.teleported;
    let along = |velocity: glam::DVec3| {
        velocity.dot(travel) >= CLAMP_STRAIGHT * velocity.length() * travel.length()
    };
    (sound && along(old) && along(new)).then_some((measured, commanded))
}

impl Run {
    fn take(&mut self, measured: f64, commanded: f64) {
        if measured >= CLAMP_SHARE * commanded {
            *self = Self::default();
            return;
        }
        let share = measured / commanded;
        if self.frames > 0 && (measured - self.speed).abs() <= CLAMP_SAME * self.speed {
            self.frames += 1;
            self.shares = (self.shares.0.min(share), self.shares.1.max(share));
            self.commanded = (
                self.commanded.0.min(commanded),
                self.commanded.1.max(commanded),
            );
        } else {
            *self = Self {
                frames: 1,
                speed: measured,
                shares: (share, share),
                commanded: (commanded, commanded),
            };
        }
    }

    /// Not one fraction of a velocity that changes.
    fn is_cap(&self) -> bool {
        let varies = |(least, most): (f64, f64)| most - least > CLAMP_SAME * most;
        !varies(self.commanded) || varies(self.shares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Pose;
    use glam::DVec3;

    /// The cap of a body with these displacements and velocities, frames of a second each.
    fn cap(frames: &[(f64, f64)]) -> Option<f64> {
        let state = |x: f64, speed: f64| -> FrameState {
            let body = BodyState {
                pose: Pose::at(DVec3::X * x),
                velocity: Some(DVec3::X * speed),
                spin: None,
                asleep: false,
                teleported: false,
            };
            [(0, body)].into_iter().collect()
        };
        let mut caps = SpeedCaps::default();
        caps.resize(1);
        let mut x = 0.0;
        for (step, speed) in frames {
            caps.add(&state(x, *speed), &state(x + step, *speed), 1.0);
            x += step;
        }
        caps.caps()[0]
    }

    #[test]
    fn a_cap_holds_in_every_frame_and_for_every_velocity() {
        assert_eq!(cap(&[(4.0, 8.0); 3]), Some(4.0));
        assert_eq!(cap(&[(4.0, 8.0); 2]), None);
        assert_eq!(cap(&[(4.0, 8.0), (4.0, 16.0), (4.0, 12.0)]), Some(4.0));
        // Faster elsewhere, even without a velocity: something moves it.
        assert_eq!(cap(&[(4.0, 8.0), (4.0, 8.0), (4.0, 8.0), (6.0, 7.0)]), None);
        assert_eq!(cap(&[(4.0, 8.0), (4.0, 8.0), (4.0, 8.0), (6.0, 0.0)]), None);
        // Half of a velocity that changes is another unit.
        assert_eq!(cap(&[(50.0, 100.0), (50.4, 100.8), (50.45, 101.5)]), None);
    }
}
