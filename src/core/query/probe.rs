//! The camera's line probe (collision.md section 7).

use super::super::shape::Triangle;
use glam::DVec3;

/// How a probe that meets several triangles moves its camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ProbeMode {
    /// As published: the camera moves during the loop, so the order of the triangles matters.
    #[default]
    InOrder,
    /// The longest push first, again until none is left or `max_iterations`.
    Deepest,
}

/// One line that met one triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProbeHit {
    /// Which line of the probe.
    pub line: u32,
    /// Which triangle, by its place in the slice.
    pub triangle: u32,
    /// Share of the line from `+offset` to `-offset`.
    pub fraction: f64,
    /// World, metres.
    pub point: DVec3,
    /// Barycentric weights.
    pub weights: DVec3,
    /// The translation this hit asks of the camera.
    pub push: DVec3,
    /// Where the camera stood when this hit was found.
    pub camera: DVec3,
}

/// The published five lines, as offsets.
pub const STANDARD_PROBE: [DVec3; 5] = [
    DVec3::new(0.5, 0.0, 0.0),
    DVec3::new(0.0, 0.5, 0.0),
    DVec3::new(0.0, 0.0, 0.5),
    DVec3::new(0.4, 0.0, 0.4),
    DVec3::new(-0.4, 0.0, 0.4),
];

/// What a probe found: the hits in the order they acted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProbeAnswer {
    /// In the order they acted.
    pub hits: Vec<ProbeHit>,
    /// Sum of the pushes that acted.
    pub push: DVec3,
}

/// Pulls a camera at `position` out of the triangles its lines poke through.
pub fn probe(
    position: DVec3,
    lines: &[DVec3],
    triangles: &[Triangle],
    mode: ProbeMode,
) -> ProbeAnswer {
    let _ = (position, lines, triangles, mode);
    todo!("helper query")
}
