//! The camera's line probe (collision.md section 7).

use super::ray_cast_triangle;
use super::sweep::noise_of;
use crate::core::shape::{Segment, Triangle};
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

/// How often [`ProbeMode::Deepest`] pushes before it gives up: two walls closer together than a line is long push forever.
pub const MAX_PROBE_PUSHES: usize = 64;

/// Pulls a camera at `position` out of the triangles its lines poke through. World space, metres.
///
/// Each line reaches from `position + offset` to `position - offset`. Where it crosses a triangle at share t, the half that
/// pokes through is pulled back to the surface: push `hit - end` if `t >= 0.5`, else `hit - start`. Ends that only touch,
/// degenerate triangles and numbers that are not finite push nothing.
pub fn probe(
    position: DVec3,
    lines: &[DVec3],
    triangles: &[Triangle],
    mode: ProbeMode,
) -> ProbeAnswer {
    match mode {
        ProbeMode::InOrder => probe_in_order(position, lines, triangles),
        ProbeMode::Deepest => probe_deepest(position, lines, triangles),
    }
}

fn probe_in_order(position: DVec3, lines: &[DVec3], triangles: &[Triangle]) -> ProbeAnswer {
    let mut answer = ProbeAnswer::default();
    for (triangle, shape) in (0..).zip(triangles) {
        for (line, &offset) in (0..).zip(lines) {
            let camera = position + answer.push;
            answer.act(cross(camera, (line, offset), (triangle, shape)));
        }
    }
    answer
}

fn probe_deepest(position: DVec3, lines: &[DVec3], triangles: &[Triangle]) -> ProbeAnswer {
    let mut answer = ProbeAnswer::default();
    while answer.hits.len() < MAX_PROBE_PUSHES {
        let camera = position + answer.push;
        let mut longest: Option<ProbeHit> = None;
        for (triangle, shape) in (0..).zip(triangles) {
            for (line, &offset) in (0..).zip(lines) {
                let Some(hit) = cross(camera, (line, offset), (triangle, shape)) else {
                    continue;
                };
                let length = hit.push.length_squared();
                if longest.is_none_or(|known| length > known.push.length_squared()) {
                    longest = Some(hit);
                }
            }
        }
        if longest.is_none() {
            break;
        }
        answer.act(longest);
    }
    answer
}

impl ProbeAnswer {
    fn act(&mut self, hit: Option<ProbeHit>) {
        if let Some(hit) = hit {
            self.push += hit.push;
            self.hits.push(hit);
        }
    }
}

/// One line against one triangle; `None` also when the push is only rounding, as after the push before.
fn cross(camera: DVec3, line: (u32, DVec3), triangle: (u32, &Triangle)) -> Option<ProbeHit> {
    let segment = Segment {
        a: camera + line.1,
        b: camera - line.1,
    };
    let hit = ray_cast_triangle(&segment, triangle.1, &mut ())?;
    let end = if hit.fraction >= 0.5 {
        segment.b
    } else {
        segment.a
    };
    let push = hit.point - end;
    // An end brought onto a surface stands there only up to rounding.
    let acts = push.is_finite() && push.length() > noise_of(&[camera, line.1, hit.point]);
    acts.then_some(ProbeHit {
        line: line.0,
        triangle: triangle.0,
        fraction: hit.fraction,
        point: hit.point,
        weights: hit.weights,
        push,
        camera,
    })
}
