//! The layout of all handles in the viewport.

use super::{GizmoTarget, Handle, HandleLayout, VelocityHandle};
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
/// Start of an arrow's shaft, as a fraction of its length.
pub const SHAFT_START: f64 = 0.16;
/// Start and end of a plane handle's square, as fractions of an arrow's length.
pub const SQUARE: [f64; 2] = [0.30, 0.48];
/// Radius of a ring around an axis, points.
pub const AXIS_RING: f64 = 74.0;
/// Radius of the ring around the line of sight, points.
const VIEW_RING: f64 = 92.0;
/// Least fraction of its length at which an axis is drawn; a shorter one points at the eye and has no handle.
const MIN_FORESHORTENING: f64 = 0.18;

/// The layout of all handles for the current tool and selection.
pub fn layout_handles(input: &ViewportInput<'_>, view: &View) -> Vec<HandleLayout> {
    let Some(editing) = input.editing.filter(|_| input.walk.is_none()) else {
        return Vec::new();
    };
    let tool = editing.tools.tool;
    let mut layouts = Vec::new();
    match GizmoTarget::of(input) {
        Some(target) => {
            match tool {
                Tool::Select | Tool::Draw(_) => return layouts,
                Tool::Move => arrows(&mut layouts, &target, view),
                Tool::Rotate => rings(&mut layouts, &target, view),
                Tool::Scale => scale_handles(&mut layouts, input, &target, view),
            }
            if tool == Tool::Move {
                single_object_handles(&mut layouts, input, &target, view);
            }
        }
        None if tool == Tool::Move => probe_ends(&mut layouts, input, view),
        None => {}
    }
    layouts.retain(|layout| {
        layout.anchor.cmpge(DVec2::ZERO).all() && layout.anchor.cmplt(view.size).all()
    });
    layouts
}

/// Adds a knob at a point of the world.
fn knob(layouts: &mut Vec<HandleLayout>, handle: Handle, view: &View, at: DVec3) {
    if let Some(anchor) = view.project(at) {
        layouts.push(HandleLayout {
            handle,
            anchor,
            line: Vec::new(),
        });
    }
}

/// The layout of an arrow; `None` where it points at the eye.
fn arrow(view: &View, target: &GizmoTarget, axis: usize) -> Option<HandleLayout> {
    let length = view.metres_per_point(target.pivot) * ARROW;
    let along = target.axes[axis] * length;
    let start = view.project(target.pivot + along * SHAFT_START)?;
    let tip = view.project(target.pivot + along)?;
    ((tip - start).length() > ARROW * MIN_FORESHORTENING).then(|| HandleLayout {
        handle: Handle::MoveAlong(axis),
        anchor: tip,
        line: vec![start, tip],
    })
}

fn arrows(layouts: &mut Vec<HandleLayout>, target: &GizmoTarget, view: &View) {
    layouts.extend((0..3).filter_map(|axis| arrow(view, target, axis)));
    let length = view.metres_per_point(target.pivot) * ARROW;
    for axis in 0..3 {
        if let Some(corners) = square(view, target, axis) {
            let [u, v] = [(axis + 1) % 3, (axis + 2) % 3].map(|other| target.axes[other]);
            let center = (u + v) * (length * (SQUARE[0] + SQUARE[1]) * 0.5);
            let mut line: Vec<DVec2> = corners.to_vec();
            line.push(corners[0]);
            if let Some(anchor) = view.project(target.pivot + center) {
                layouts.push(HandleLayout {
                    handle: Handle::MoveAcross(axis),
                    anchor,
                    line,
                });
            }
        }
    }
    knob(layouts, Handle::MoveFreely, view, target.pivot);
}

/// The corners of the square perpendicular to an axis; `None` where it is seen from its edge.
pub fn square(view: &View, target: &GizmoTarget, axis: usize) -> Option<[DVec2; 4]> {
    let sight = (target.pivot - view.eye).try_normalize()?;
    if sight.dot(target.axes[axis]).abs() < MIN_FORESHORTENING {
        return None;
    }
    let length = view.metres_per_point(target.pivot) * ARROW;
    let [u, v] = [(axis + 1) % 3, (axis + 2) % 3].map(|other| target.axes[other] * length);
    let [near, far] = SQUARE;
    let at = |a: f64, b: f64| view.project(target.pivot + u * a + v * b);
    Some([
        at(near, near)?,
        at(far, near)?,
        at(far, far)?,
        at(near, far)?,
    ])
}

/// The points of a ring around a direction, world; `view_ring` for the radius of the one around the line of sight.
pub fn ring(view: &View, pivot: DVec3, normal: DVec3, view_ring: bool) -> Vec<DVec3> {
    let points = if view_ring { VIEW_RING } else { AXIS_RING };
    let radius = view.metres_per_point(pivot) * points;
    let (u, v) = normal.any_orthonormal_pair();
    let steps = 64;
    (0..=steps)
        .map(|step| {
            let angle = TAU * f64::from(step) / f64::from(steps);
            pivot + (u * angle.cos() + v * angle.sin()) * radius
        })
        .collect()
}

fn rings(layouts: &mut Vec<HandleLayout>, target: &GizmoTarget, view: &View) {
    let sight = sight(view);
    for axis in 0..3 {
        let points = ring(view, target.pivot, target.axes[axis], false);
        // Only the half nearer to the eye can be dragged; the anchor is its midpoint.
        let nearness = |p: &DVec3| -(*p - target.pivot).dot(sight);
        let near = points.iter().filter(|p| nearness(p) >= -1e-9);
        let nearest = points
            .iter()
            .max_by(|a, b| nearness(a).total_cmp(&nearness(b)));
        let line: Vec<DVec2> = near.filter_map(|p| view.project(*p)).collect();
        let line = rotate_to_gap(line);
        if let Some(anchor) = nearest.and_then(|p| view.project(*p)) {
            layouts.push(HandleLayout {
                handle: Handle::RotateAround(axis),
                anchor,
                line,
            });
        }
    }
    let points = ring(view, target.pivot, sight, true);
    let line: Vec<DVec2> = points.iter().filter_map(|p| view.project(*p)).collect();
    let at = target.pivot
        + view.axes() * DVec3::new(0.6, 0.8, 0.0) * view_ring_radius(view, target.pivot);
    if let Some(anchor) = view.project(at) {
        layouts.push(HandleLayout {
            handle: Handle::RotateInView,
            anchor,
            line,
        });
    }
}

fn view_ring_radius(view: &View, pivot: DVec3) -> f64 {
    view.metres_per_point(pivot) * VIEW_RING
}

/// Rotates the points of a half circle so that it begins at one of its ends.
fn rotate_to_gap(mut line: Vec<DVec2>) -> Vec<DVec2> {
    let longest = (1..line.len()).max_by(|&i, &j| {
        let gap = |i: usize| (line[i] - line[i - 1]).length();
        gap(i).total_cmp(&gap(j))
    });
    if let Some(start) = longest {
        let gap = (line[start] - line[start - 1]).length();
        if gap > AXIS_RING * 0.5 {
            line.rotate_left(start);
        }
    }
    line
}

/// The direction of sight, unit.
pub fn sight(view: &View) -> DVec3 {
    view.world_from_view * DVec3::NEG_Z
}

fn scale_handles(
    layouts: &mut Vec<HandleLayout>,
    input: &ViewportInput<'_>,
    target: &GizmoTarget,
    view: &View,
) {
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
    if !target.ids.iter().any(scales) {
        return;
    }
    if target.ids.len() == 1 {
        layouts.extend((0..3).filter_map(|axis| {
            Some(HandleLayout {
                handle: Handle::ScaleAlong(axis),
                ..arrow(view, target, axis)?
            })
        }));
    }
    knob(layouts, Handle::ScaleUniformly, view, target.pivot);
}

/// Adds the handles of a single selected object: corners and velocity.
fn single_object_handles(
    layouts: &mut Vec<HandleLayout>,
    input: &ViewportInput<'_>,
    target: &GizmoTarget,
    view: &View,
) {
    let one = input.editing.and_then(|editing| target.only(editing.scene));
    let Some((_, object, pose)) = one else {
        return;
    };
    for (index, corner) in transform::corners(object).into_iter().enumerate() {
        knob(layouts, Handle::Corner(index), view, pose.point(corner));
    }
    if let Some(velocity) = VelocityHandle::of(input, view, target) {
        knob(layouts, Handle::Velocity, view, velocity.tip);
        knob(
            layouts,
            Handle::EndOfFrame,
            view,
            end_knob(view, &object.shape, &velocity),
        );
    }
}

/// Position of the knob for the frame's end, world: below the ghost on the screen, because arrows often point up.
pub fn end_knob(view: &View, shape: &Shape, velocity: &VelocityHandle) -> DVec3 {
    let up = view.axes() * DVec3::Y;
    let bounds = shape.placed(&velocity.end_pose).aabb();
    let half = bounds.map_or(0.0, |bounds| bounds.half_extents().dot(up.abs()));
    let clearance = view.metres_per_point(velocity.end) * 12.0;
    velocity.end - up * (half + clearance)
}

/// Adds the ends of the probe lines of the scene's camera.
fn probe_ends(layouts: &mut Vec<HandleLayout>, input: &ViewportInput<'_>, view: &View) {
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
            knob(layouts, Handle::ProbeEnd(line, first), view, at);
        }
    }
}
