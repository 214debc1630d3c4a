//! Where every handle lies in the picture.

use super::{Handle, Laid, Speed, Stand};
use crate::app::authoring::Tool;
use crate::app::view_state::{Layer, Show};
use crate::app::viewport::ViewportInput;
use crate::app::viewport::view::View;
use crate::core::edit::transform;
use crate::core::scene::MeshSource;
use crate::core::shape::Shape;
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// Length of an arrow, points.
pub const ARROW: f64 = 88.0;
/// Where an arrow begins, as a share of it.
pub const ROOT: f64 = 0.16;
/// Where the square of a plane begins and ends, as a share of an arrow.
pub const SQUARE: [f64; 2] = [0.30, 0.48];
/// Radius of a ring around an axis, points; the one around the line of sight is farther out.
const RING: f64 = 74.0;
/// Radius of the ring around the line of sight, points.
const FACING: f64 = 92.0;
/// An axis that appears shorter than this share of its length points at the eye, and has no handle.
const SHORT: f64 = 0.18;

/// Every handle of the moment.
pub fn lay(input: &ViewportInput<'_>, view: &View) -> Vec<Laid> {
    let Some(editing) = input.editing.filter(|_| input.walk.is_none()) else {
        return Vec::new();
    };
    let tool = editing.tools.tool;
    let mut laid = Vec::new();
    match Stand::of(input) {
        Some(stand) => {
            match tool {
                Tool::Select => return laid,
                Tool::Move => arrows(&mut laid, &stand, view),
                Tool::Turn => rings(&mut laid, &stand, view),
                Tool::Scale => sizes(&mut laid, input, &stand, view),
            }
            if tool == Tool::Move {
                of_one(&mut laid, input, &stand, view);
            }
        }
        None if tool == Tool::Move => probe(&mut laid, input, view),
        None => {}
    }
    laid.retain(|laid| laid.anchor.cmpge(DVec2::ZERO).all() && laid.anchor.cmplt(view.size).all());
    laid
}

/// A handle at a place of the world.
fn knob(laid: &mut Vec<Laid>, handle: Handle, view: &View, at: DVec3) {
    if let Some(anchor) = view.project(at) {
        laid.push(Laid {
            handle,
            anchor,
            line: Vec::new(),
        });
    }
}

/// An arrow's shaft and its tip; `None` where it points at the eye.
fn shaft(view: &View, stand: &Stand, axis: usize) -> Option<Laid> {
    let length = view.metres_per_point(stand.pivot) * ARROW;
    let way = stand.axes[axis] * length;
    let root = view.project(stand.pivot + way * ROOT)?;
    let tip = view.project(stand.pivot + way)?;
    ((tip - root).length() > ARROW * SHORT).then(|| Laid {
        handle: Handle::MoveAlong(axis),
        anchor: tip,
        line: vec![root, tip],
    })
}

fn arrows(laid: &mut Vec<Laid>, stand: &Stand, view: &View) {
    laid.extend((0..3).filter_map(|axis| shaft(view, stand, axis)));
    let length = view.metres_per_point(stand.pivot) * ARROW;
    for axis in 0..3 {
        if let Some(corners) = square(view, stand, axis) {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3].map(|other| stand.axes[other]);
            let middle = (u + v) * (length * (SQUARE[0] + SQUARE[1]) * 0.5);
            let mut line: Vec<DVec2> = corners.to_vec();
            line.push(corners[0]);
            if let Some(anchor) = view.project(stand.pivot + middle) {
                laid.push(Laid {
                    handle: Handle::MoveAcross(axis),
                    anchor,
                    line,
                });
            }
        }
    }
    knob(laid, Handle::MoveFreely, view, stand.pivot);
}

/// The corners of the square across an axis; `None` where it is seen from its edge.
pub fn square(view: &View, stand: &Stand, axis: usize) -> Option<[DVec2; 4]> {
    let sight = (stand.pivot - view.eye).try_normalize()?;
    if sight.dot(stand.axes[axis]).abs() < SHORT {
        return None;
    }
    let length = view.metres_per_point(stand.pivot) * ARROW;
    let [u, v] = [(axis + 1) % 3, (axis + 2) % 3].map(|other| stand.axes[other] * length);
    let [near, far] = SQUARE;
    let at = |a: f64, b: f64| view.project(stand.pivot + u * a + v * b);
    Some([
        at(near, near)?,
        at(far, near)?,
        at(far, far)?,
        at(near, far)?,
    ])
}

/// The points of a ring across a direction, world.
pub fn ring(view: &View, pivot: DVec3, normal: DVec3, facing: bool) -> Vec<DVec3> {
    let radius = view.metres_per_point(pivot) * if facing { FACING } else { RING };
    let (u, v) = normal.any_orthonormal_pair();
    let steps = 64;
    (0..=steps)
        .map(|step| {
            let angle = TAU * f64::from(step) / f64::from(steps);
            pivot + (u * angle.cos() + v * angle.sin()) * radius
        })
        .collect()
}

fn rings(laid: &mut Vec<Laid>, stand: &Stand, view: &View) {
    let sight = sight(view);
    for axis in 0..3 {
        let points = ring(view, stand.pivot, stand.axes[axis], false);
        // Gripped at the nearer half; in its middle first of all.
        let nearness = |p: &DVec3| -(*p - stand.pivot).dot(sight);
        let near = points.iter().filter(|p| nearness(p) >= -1e-9);
        let nearest = points
            .iter()
            .max_by(|a, b| nearness(a).total_cmp(&nearness(b)));
        let line: Vec<DVec2> = near.filter_map(|p| view.project(*p)).collect();
        // A jump from the last to the first point is no part of the ring.
        let line = around(line);
        if let Some(anchor) = nearest.and_then(|p| view.project(*p)) {
            laid.push(Laid {
                handle: Handle::TurnAround(axis),
                anchor,
                line,
            });
        }
    }
    let points = ring(view, stand.pivot, sight, true);
    let line: Vec<DVec2> = points.iter().filter_map(|p| view.project(*p)).collect();
    let at = stand.pivot + view.axes() * DVec3::new(0.6, 0.8, 0.0) * ring_radius(view, stand.pivot);
    if let Some(anchor) = view.project(at) {
        laid.push(Laid {
            handle: Handle::TurnFacing,
            anchor,
            line,
        });
    }
}

fn ring_radius(view: &View, pivot: DVec3) -> f64 {
    view.metres_per_point(pivot) * FACING
}

/// A half circle that may begin in its middle, as one line.
fn around(mut line: Vec<DVec2>) -> Vec<DVec2> {
    let longest = (1..line.len()).max_by(|&i, &j| {
        let gap = |i: usize| (line[i] - line[i - 1]).length();
        gap(i).total_cmp(&gap(j))
    });
    if let Some(cut) = longest {
        let gap = (line[cut] - line[cut - 1]).length();
        if gap > RING * 0.5 {
            line.rotate_left(cut);
        }
    }
    line
}

/// The direction of sight, unit.
pub fn sight(view: &View) -> DVec3 {
    view.world_from_view * DVec3::NEG_Z
}

fn sizes(laid: &mut Vec<Laid>, input: &ViewportInput<'_>, stand: &Stand, view: &View) {
    let Some(editing) = input.editing else {
        return;
    };
    let scales = |id: &u32| {
        let object = &editing.scene.objects[*id as usize];
        match object.shape {
            Shape::Plane(_) => false,
            Shape::Mesh(_) => object.mesh == Some(MeshSource::Inline),
            _ => true,
        }
    };
    if !stand.ids.iter().any(scales) {
        return;
    }
    if stand.ids.len() == 1 {
        let shafts = (0..3).filter_map(|axis| shaft(view, stand, axis));
        laid.extend(shafts.zip(0..).map(|(shaft, _)| {
            let axis = match shaft.handle {
                Handle::MoveAlong(axis) => axis,
                _ => 0,
            };
            Laid {
                handle: Handle::ScaleAlong(axis),
                ..shaft
            }
        }));
    }
    knob(laid, Handle::ScaleEvenly, view, stand.pivot);
}

/// What only one object has: its velocity and its corners.
fn of_one(laid: &mut Vec<Laid>, input: &ViewportInput<'_>, stand: &Stand, view: &View) {
    let one = input.editing.and_then(|editing| stand.only(editing.scene));
    let Some((_, object, pose)) = one else {
        return;
    };
    for (index, corner) in transform::corners(object).into_iter().enumerate() {
        knob(laid, Handle::Corner(index), view, pose.point(corner));
    }
    if let Some(speed) = Speed::of(input, view, stand) {
        knob(laid, Handle::Velocity, view, speed.tip);
        knob(
            laid,
            Handle::EndOfFrame,
            view,
            end_knob(view, &object.shape, &speed),
        );
    }
}

/// Below the ghost at the frame's end, as it is seen: arrows often point up.
pub fn end_knob(view: &View, shape: &Shape, speed: &Speed) -> DVec3 {
    let up = view.axes() * DVec3::Y;
    let bounds = shape.placed(&speed.end_pose).aabb();
    let half = bounds.map_or(0.0, |bounds| bounds.half_extents().dot(up.abs()));
    let clear = view.metres_per_point(speed.end) * 12.0;
    speed.end - up * (half + clear)
}

/// The ends of the lines of the scene's camera.
fn probe(laid: &mut Vec<Laid>, input: &ViewportInput<'_>, view: &View) {
    let camera = input
        .editing
        .and_then(|editing| editing.scene.camera.as_ref());
    let (Some(camera), Some(pose)) = (camera, input.camera()) else {
        return;
    };
    if input.probe.is_some() || input.layers.get(Layer::Probe) == Show::None {
        return;
    }
    for (line, &offset) in camera.probe.lines().iter().enumerate() {
        for (first, offset) in [(true, offset), (false, -offset)] {
            let at = pose.position + offset;
            knob(laid, Handle::ProbeEnd(line, first), view, at);
        }
    }
}
