//! Rotations of flat levels: angles about z.

use glam::DQuat;

/// A turn about z, radians: the rotation of a flat level.
pub fn about_z(angle: f64) -> DQuat {
    let (sin, cos) = (0.5 * angle).sin_cos();
    DQuat::from_xyzw(0.0, 0.0, sin, cos)
}

/// The angle of a turn about z, radians between minus and plus two pi: to the bit where an angle gives exactly this rotation.
pub fn angle_of(rotation: DQuat) -> f64 {
    let angle = 2.0 * rotation.z.atan2(rotation.w);
    exact(rotation, angle, about_z).unwrap_or(angle)
}

/// The angle at or beside a guess that gives exactly a rotation.
pub fn exact(rotation: DQuat, guess: f64, turned: impl Fn(f64) -> DQuat) -> Option<f64> {
    let around = [
        guess,
        guess.next_up(),
        guess.next_down(),
        guess.next_up().next_up(),
        guess.next_down().next_down(),
    ];
    around.into_iter().find(|angle| turned(*angle) == rotation)
}
