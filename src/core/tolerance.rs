//! Every small number of the core: its unit, its reason, and what breaks if it moves.

// Logs.

/// Squared length off 1 by less than this is a unit quaternion, kept bit for bit (a dimensionless number).
///
/// Normalising in `f64` ends within a few 1e-16, so that a second reading changes nothing; `f32` quaternions, off by 1e-7,
/// are normalised. Larger: boxes of `f32` logs are scaled by 1e-7. Smaller: reading twice is not reading once.
pub const UNIT_QUATERNION: f64 = 1e-12;

/// Length off 1 by more than this share is no rounding but a mistake, and is said (dimensionless).
///
/// `f16` and four printed digits stay below it.
pub const QUATERNION_LENGTH_SUSPECT: f64 = 0.01;

/// Times of a log that differ from its stated dt by less than this share are that dt, printed with few digits
/// (dimensionless). A real change of dt below it changes a computed velocity by the same share and no more.
pub const LOG_TIME_JITTER: f64 = 0.01;

/// Seconds per frame where a log gives neither dt nor time: 60 frames a second.
pub const DEFAULT_DT: f64 = 1.0 / 60.0;

/// Metres: the radius of a CSV's body where neither a scene nor a column gives one. Announced, never silent.
pub const DEFAULT_RADIUS: f64 = 0.5;
