//! Random access to the frames of a stepped scene: states are cached at regular intervals, the rest is stepped from the
//! nearest one before.

use super::frame::StartBoxes;
use super::step;
use super::step::camera::{self, CameraStep};
use super::{BodyState, CameraState, Frame, FrameMotion, FrameState, Phase};
use crate::core::scene::Scene;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Memory that a player spends on remembered states, bytes.
const STATE_MEMORY: usize = 192 << 20;

/// Everything the next step depends on.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Every object.
    pub state: Arc<FrameState>,
    /// The camera, if the scene has one.
    pub camera: Option<CameraState>,
}

/// Steps a scene and caches states for fast seeking.
///
/// Stepping is a pure function of the state before, so the cache changes the time of an answer and never its bits.
#[derive(Debug)]
pub struct Player {
    /// Frames between two cached states.
    interval: u32,
    /// Limit of cached states of the last stepped interval.
    recent_limit: usize,
    /// State 0, made when it is first used.
    first: OnceLock<Snapshot>,
    cached: Mutex<CachedStates>,
    /// Held while states are stepped, so that threads share the work; cached answers never wait.
    turn: Mutex<()>,
}

#[derive(Debug, Default)]
struct CachedStates {
    /// At multiples of the interval.
    regular: BTreeMap<u32, Snapshot>,
    /// States of the last stepped interval: seeking backward steps it once, not once per frame.
    recent: BTreeMap<u32, Snapshot>,
}

impl Player {
    /// For a scene; nothing is stepped yet.
    pub fn new(scene: &Scene) -> Self {
        let size = (scene.objects.len().max(1)) * size_of::<Option<BodyState>>() + 256;
        Self::with_memory(scene, STATE_MEMORY / size)
    }

    /// With a cache of about `states` states.
    fn with_memory(scene: &Scene, states: usize) -> Self {
        let half = (states / 2).max(2);
        let interval = (scene.frames as usize / half + 1) as u32;
        Self {
            interval,
            recent_limit: half,
            first: OnceLock::new(),
            cached: Mutex::default(),
            turn: Mutex::new(()),
        }
    }

    fn first(&self, scene: &Scene) -> &Snapshot {
        self.first.get_or_init(|| Snapshot {
            state: Arc::new(step::first_state(scene)),
            camera: scene.camera.as_ref().map(camera::first),
        })
    }

    /// State `number`.
    pub fn snapshot(&self, scene: &Scene, number: u32) -> Snapshot {
        loop {
            let (at, snapshot) = self.nearest(scene, number);
            if at == number {
                return snapshot;
            }
            let _turn = lock(&self.turn);
            let (at, snapshot) = self.nearest(scene, number);
            if at < number {
                self.cache(at + 1, after(scene, &snapshot, at));
            }
        }
    }

    /// Frame `number`, with its inside.
    pub fn frame(&self, scene: &Scene, number: u32) -> Frame {
        let start = self.snapshot(scene, number);
        let stepped = step::step(scene, &start.state, number, true);
        let end = Arc::new(stepped.end);
        let mut phases = stepped.phases;
        let camera = camera_step(scene, &start, &end, number);
        phases.extend(camera.as_ref().and_then(CameraStep::phase));
        phases.push(Phase::End);
        self.cache(
            number + 1,
            Snapshot {
                state: Arc::clone(&end),
                camera: camera.as_ref().map(|step| CameraState { pose: step.end }),
            },
        );
        Frame {
            number,
            dt: scene.dt,
            start: start.state,
            end,
            motion: FrameMotion::Segments(stepped.segments),
            phases,
            camera: camera.map(|step| (step.travel, step.end)),
            gave_up: stepped.gave_up,
            start_boxes: StartBoxes::default(),
        }
    }

    /// The last cached state at or before a frame.
    fn nearest(&self, scene: &Scene, number: u32) -> (u32, Snapshot) {
        let cached = lock(&self.cached);
        let regular = cached.regular.range(..=number).next_back();
        let recent = cached.recent.range(..=number).next_back();
        let best = regular.into_iter().chain(recent).max_by_key(|(at, _)| **at);
        let best = best.map(|(at, snapshot)| (*at, snapshot.clone()));
        // Not held while the first state is made, which takes long in a large scene.
        drop(cached);
        best.unwrap_or_else(|| (0, self.first(scene).clone()))
    }

    fn cache(&self, number: u32, snapshot: Snapshot) {
        let mut cached = lock(&self.cached);
        if number.is_multiple_of(self.interval) {
            cached.regular.insert(number, snapshot);
            return;
        }
        cached.recent.insert(number, snapshot);
        while cached.recent.len() > self.recent_limit {
            // Drops the farthest state.
            let (first, last) = (
                cached
                    .recent
                    .first_key_value()
                    .map_or(number, |(at, _)| *at),
                cached.recent.last_key_value().map_or(number, |(at, _)| *at),
            );
            let farthest = if number - first >= last - number {
                first
            } else {
                last
            };
            cached.recent.remove(&farthest);
        }
    }
}

/// The state after one step.
fn after(scene: &Scene, snapshot: &Snapshot, number: u32) -> Snapshot {
    let end = Arc::new(step::step(scene, &snapshot.state, number, false).end);
    let camera = camera_step(scene, snapshot, &end, number);
    Snapshot {
        state: end,
        camera: camera.map(|step| CameraState { pose: step.end }),
    }
}

fn camera_step(
    scene: &Scene,
    start: &Snapshot,
    end: &FrameState,
    number: u32,
) -> Option<CameraStep> {
    let (camera, state) = scene.camera.as_ref().zip(start.camera.as_ref())?;
    Some(camera::step(
        camera,
        state,
        number,
        scene.dt,
        &scene.objects,
        end,
    ))
}

/// A poisoned lock is safe: its content is only ever replaced whole.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
