//! Speed caps of bodies, by their velocities and positions.

use crate::core::replay::{BodyState, Replay};

/// Cosine between a body's velocity and its travel above which it moves along its velocity (no unit): 2.6 degrees. What slides along
/// something it is pressed against turns off by more.
const CLAMP_STRAIGHT: f64 = 0.999;

/// Frames in a row at one speed that make it a cap; fewer may be chance.
const CLAMP_FRAMES: u32 = 3;

/// Relative difference below which two speeds of a body are the same cap (no unit): positions in `f32` give three digits.
pub(in crate::core::diagnose) const CLAMP_SAME: f64 = 0.01;

/// Share of its velocity below which a body's speed by positions counts as held back (no unit).
///
/// Drag, gravity and velocities half a step off explain a few percent. Smaller, and mild caps are missed.
pub(in crate::core::diagnose) const CLAMP_SHARE: f64 = 0.95;

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

/// The speed cap of each object, metres per second; mostly `None`.
pub(in crate::core::diagnose) fn caps(replay: &Replay) -> Vec<Option<f64>> {
    let count = replay.objects().len();
    let mut runs = vec![Run::default(); count];
    let mut caps: Vec<Option<f64>> = vec![None; count];
    let mut fastest = vec![0.0f64; count];
    let mut before = replay.state(0);
    for frame in 0..replay.frames() {
        let after = replay.state(frame + 1);
        let dt = replay.dt(frame);
        for (id, run) in runs.iter_mut().enumerate() {
            let body = |state: &'_ crate::core::replay::FrameState| {
                state.bodies.get(id).copied().flatten()
            };
            let measured = body(&before)
                .zip(body(&after))
                .and_then(|(start, end)| measure(&start, &end, dt));
            let Some((measured, commanded)) = measured else {
                *run = Run::default();
                continue;
            };
            fastest[id] = fastest[id].max(measured);
            run.take(measured, commanded);
            if run.frames >= CLAMP_FRAMES && run.is_cap() {
                caps[id] = Some(caps[id].map_or(run.speed, |cap: f64| cap.max(run.speed)));
            }
        }
        before = after;
    }
    for (cap, fastest) in caps.iter_mut().zip(fastest) {
        *cap = cap.filter(|cap| fastest <= cap * (1.0 + CLAMP_SAME));
    }
    caps
}

/// Speed from positions and from logged velocities; `None` where the motion is not straight along them.
pub(in crate::core::diagnose) fn measure(
    start: &BodyState,
    end: &BodyState,
    dt: f64,
) -> Option<(f64, f64)> {
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
