//! The keys of objects over the states of a level.

use crate::core::problem::Problem;
use crate::core::replay::Replay;
use crate::core::shape::Pose;

/// The poses of an object from the state in which it appears until it is absent for the first time.
pub struct Track {
    pub from: u32,
    pub first: Pose,
    pub count: usize,
    /// Empty while it stays where it is.
    pub moved: Vec<Key>,
    /// It is absent before or after.
    pub partly: bool,
}

/// Position and rotation of a state, as the file has them.
pub type Key = ([f32; 3], [f32; 4]);

impl Track {
    /// Of each object that is ever there.
    ///
    /// # Errors
    /// As soon as the keys do not fit into a file.
    pub fn all(
        replay: &Replay,
        fits: impl Fn(usize) -> Result<(), Problem>,
    ) -> Result<Vec<Option<Self>>, Problem> {
        let mut tracks: Vec<Option<Self>> = replay.objects().iter().map(|_| None).collect();
        let mut keys = 0;
        for number in 0..=replay.frames() {
            let state = replay.state(number);
            for (id, track) in (0..).zip(&mut tracks) {
                let pose = state.body(id).map(|body| body.pose);
                match (pose.filter(Pose::is_finite), track) {
                    (None, None) => {}
                    (None, Some(track)) => track.partly = true,
                    (Some(pose), track @ None) => {
                        *track = Some(Self {
                            from: number,
                            first: pose,
                            count: 1,
                            moved: Vec::new(),
                            partly: number > 0,
                        });
                    }
                    (Some(pose), Some(track)) => {
                        let ended = track.from as usize + track.count < number as usize;
                        keys += if ended { 0 } else { track.push(&pose) };
                    }
                }
            }
            fits(keys * size_of::<Key>())?;
        }
        Ok(tracks)
    }

    /// Adds a state and returns how many keys that adds.
    fn push(&mut self, pose: &Pose) -> usize {
        let key = |pose: &Pose| {
            let rotation = pose.rotation.as_quat().to_array();
            (pose.position.as_vec3().to_array(), rotation)
        };
        let before = self.moved.len();
        if self.moved.is_empty() && *pose != self.first {
            self.moved = vec![key(&self.first); self.count];
        }
        self.count += 1;
        if !self.moved.is_empty() {
            self.moved.push(key(pose));
        }
        self.moved.len() - before
    }
}
