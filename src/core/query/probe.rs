//! The camera's line probe: short lines through the camera that pull it out of what they poke through, after a published tutorial on
//! camera collision (lines against triangles as in Lengyel, Mathematics for 3D Game Programming, 5.2.1), which divides by zero at
//! degenerate triangles.

use super::closed_form::segment_triangle::ray_cast_triangle;
use super::trace::{Step, Trace};
use crate::core::shape::{Segment, Triangle};
use crate::core::tolerance::BOUND_ULPS;
use glam::DVec3;
use std::cmp::Ordering;

/// How a probe that meets several triangles moves its camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ProbeMode {
    /// As published: the camera moves during the loop, so the order of the triangles matters.
    #[default]
    InOrder,
    /// The longest push first, again until none is left or [`MAX_PROBE_PUSHES`]; the order of the triangles does not matter.
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

/// What a probe found. With [`ProbeMode::Deepest`], [`MAX_PROBE_PUSHES`] hits may mean that it gave up (the trace says `GivesUp`).
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
/// degenerate triangles and numbers that are not finite push nothing. Which way a triangle faces does not matter.
pub fn probe(
    position: DVec3,
    lines: &[DVec3],
    triangles: &[Triangle],
    mode: ProbeMode,
    trace: &mut impl Trace,
) -> ProbeAnswer {
    let answer = match mode {
        ProbeMode::InOrder => probe_in_order(position, lines, triangles, trace),
        ProbeMode::Deepest => probe_deepest(position, lines, triangles, trace),
    };
    trace.step(Step::ProbeEnds {
        pushes: answer.hits.len() as u32,
        push: answer.push,
    });
    answer
}

fn probe_in_order(
    position: DVec3,
    lines: &[DVec3],
    triangles: &[Triangle],
    trace: &mut impl Trace,
) -> ProbeAnswer {
    let mut answer = ProbeAnswer::default();
    tell_pairs(lines, triangles, trace);
    for (triangle, shape) in (0..).zip(triangles) {
        for (line, &offset) in (0..).zip(lines) {
            let camera = position + answer.push;
            let hit = cross(camera, (line, offset), (triangle, shape));
            answer.act(hit, lines, triangles, trace);
        }
    }
    answer
}

/// How many lines are held against how many triangles.
fn tell_pairs(lines: &[DVec3], triangles: &[Triangle], trace: &mut impl Trace) {
    trace.step(Step::LinesTested {
        lines: lines.len() as u32,
        triangles: triangles.len() as u32,
    });
}

fn probe_deepest(
    position: DVec3,
    lines: &[DVec3],
    triangles: &[Triangle],
    trace: &mut impl Trace,
) -> ProbeAnswer {
    let mut answer = ProbeAnswer::default();
    loop {
        if answer.hits.len() >= MAX_PROBE_PUSHES {
            trace.step(Step::GivesUp {
                pushes: MAX_PROBE_PUSHES as u32,
            });
            break;
        }
        tell_pairs(lines, triangles, trace);
        let camera = position + answer.push;
        let mut longest: Option<ProbeHit> = None;
        for (triangle, shape) in (0..).zip(triangles) {
            for (line, &offset) in (0..).zip(lines) {
                let Some(hit) = cross(camera, (line, offset), (triangle, shape)) else {
                    continue;
                };
                if longest.is_none_or(|known| acts_before(&hit, &known, triangles)) {
                    longest = Some(hit);
                }
            }
        }
        if longest.is_none() {
            trace.step(Step::NothingCrosses);
            break;
        }
        answer.act(longest, lines, triangles, trace);
    }
    answer
}

/// The longer push; of equal ones the lower line, then the triangle that lies first in space: never the one that happens to
/// be listed first, so that the order of the triangles decides nothing.
fn acts_before(hit: &ProbeHit, known: &ProbeHit, triangles: &[Triangle]) -> bool {
    let corners = |hit: &ProbeHit| {
        let Triangle { a, b, c, .. } = triangles[hit.triangle as usize];
        [a, b, c].map(|corner| corner.to_array())
    };
    let [(long, one), (known_long, other)] = [hit, known].map(|hit| {
        let length = hit.push.length_squared();
        (length, (hit.line, corners(hit)))
    });
    match long.total_cmp(&known_long) {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => one.0 < other.0 || (one.0 == other.0 && lies_before(&one.1, &other.1)),
    }
}

/// In the order of their coordinates.
fn lies_before(one: &[[f64; 3]; 3], other: &[[f64; 3]; 3]) -> bool {
    let pairs = one.as_flattened().iter().zip(other.as_flattened());
    let mut order = pairs.map(|(one, other)| one.total_cmp(other));
    order.find(|order| order.is_ne()) == Some(Ordering::Less)
}

impl ProbeAnswer {
    fn act(
        &mut self,
        hit: Option<ProbeHit>,
        lines: &[DVec3],
        triangles: &[Triangle],
        trace: &mut impl Trace,
    ) {
        if let Some(hit) = hit {
            if trace.is_enabled() {
                hit.tell(
                    lines[hit.line as usize],
                    &triangles[hit.triangle as usize],
                    trace,
                );
            }
            self.push += hit.push;
            self.hits.push(hit);
        }
    }
}

impl ProbeHit {
    /// The line's crossing once more, by the same code, for its steps; then what it asks of the camera.
    fn tell(&self, offset: DVec3, triangle: &Triangle, trace: &mut impl Trace) {
        trace.step(Step::LineCrosses {
            line: self.line,
            triangle: self.triangle,
        });
        ray_cast_triangle(&line_at(self.camera, offset), triangle, trace);
        trace.step(Step::LinePush {
            end: self.fraction >= 0.5,
            push: self.push,
        });
    }
}

fn line_at(camera: DVec3, offset: DVec3) -> Segment {
    Segment {
        a: camera + offset,
        b: camera - offset,
    }
}

/// One line against one triangle; `None` also when the push is only rounding, as after the push before.
fn cross(camera: DVec3, line: (u32, DVec3), triangle: (u32, &Triangle)) -> Option<ProbeHit> {
    let segment = line_at(camera, line.1);
    let hit = ray_cast_triangle(&segment, triangle.1, &mut ())?;
    let end = if hit.fraction >= 0.5 {
        segment.b
    } else {
        segment.a
    };
    let push = hit.point - end;
    let largest = camera
        .abs()
        .max(line.1.abs())
        .max(hit.point.abs())
        .max_element();
    // An end brought onto a surface stands there only up to rounding.
    let acts = push.is_finite() && push.length() > 4.0 * BOUND_ULPS * f64::EPSILON * largest;
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

#[cfg(test)]
mod tests {
    use super::lies_before;

    /// By the first coordinate that differs; of equal triangles none is before the other.
    #[test]
    fn triangles_lie_in_the_order_of_their_coordinates() {
        let triangle = |last: f64| [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0], [6.0, 7.0, last]];
        let lower = [[-1.0, 9.0, 9.0]; 3];
        for (one, other, expected) in [
            (lower, triangle(8.0), true),
            (triangle(8.0), lower, false),
            (triangle(8.0), triangle(9.0), true),
            (triangle(9.0), triangle(8.0), false),
            (triangle(8.0), triangle(8.0), false),
        ] {
            assert_eq!(lies_before(&one, &other), expected, "{one:?} {other:?}");
        }
    }
}
