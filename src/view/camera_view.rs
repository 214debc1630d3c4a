//! The camera and an object over one frame, for plots: its clearance and its explanation.

use super::gap_curve::{GapCurve, Mark, MarkKind};
use crate::core::diagnose::explain::{CameraExplanation, explain_camera};
use crate::core::query;
use crate::core::replay::{Frame, ObjectId, Replay};
use crate::core::shape::{Pose, Shape};
use glam::DVec3;

/// The camera and an object in one frame.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraView {
    /// The explanation: path, near plane, probe.
    pub explanation: CameraExplanation,
    /// Distance of the camera's point to the surface of the object, before any push; negative inside a closed shape.
    pub clearance: GapCurve,
    /// The same after the probe's push; `None` without one.
    pub after_push: Option<f64>,
}

impl CameraView {
    /// The view of the camera and an object over a frame.
    pub fn of(replay: &Replay, frame: &Frame, id: ObjectId) -> Self {
        let explanation = explain_camera(replay, frame, id);
        let mut view = Self {
            clearance: GapCurve::default(),
            after_push: None,
            explanation,
        };
        let object = replay.objects().get(id as usize);
        let (Some(object), Some((path, after))) = (object, &frame.camera) else {
            return view;
        };
        let distance = |camera: &Pose, fraction: f64| {
            let point = Shape::Sphere { radius: 0.0 }.placed(camera);
            let surface = object.shape.placed(&frame.pose(id, fraction)?);
            Some(query::gap(&point, &surface)?.distance)
        };
        let crossing = view.explanation.path.map(|hit| Mark {
            fraction: hit.fraction,
            gap: 0.0,
            kind: MarkKind::Impact,
        });
        let at = |fraction: f64| distance(&path.pose(fraction), fraction);
        view.clearance = GapCurve::of(crossing.into_iter().collect(), &at);
        let is_pushed = view.explanation.pushed != DVec3::ZERO;
        view.after_push = is_pushed.then(|| distance(after, 1.0)).flatten();
        view
    }

    /// The reach of the probe: its longest line, metres; `None` without a probe.
    pub fn reach(&self) -> Option<f64> {
        Some(self.explanation.probe.as_ref()?.reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::scene::{Camera, CameraMovement, Movement, Object, Probe, Scene};
    use std::sync::Arc;

    #[test]
    fn a_camera_through_a_wall_has_a_clearance_below_zero_inside_it() {
        // From x = -4 by 8 m to 4, through a wall from -1 to 1: the clearance is |8 t - 4| - 1.
        let wall = Object {
            movement: Movement::Fixed,
            ..Object::new(
                "wall",
                Shape::Box {
                    half_extents: DVec3::new(1.0, 8.0, 8.0),
                },
                DVec3::ZERO,
            )
        };
        let camera = Camera {
            movement: CameraMovement::Velocity(DVec3::X * 8.0),
            ..Camera::at(Pose::at(DVec3::X * -4.0), Probe::Off)
        };
        let replay = Replay::stepped(Arc::new(Scene {
            dt: 1.0,
            frames: 1,
            camera: Some(camera),
            ..Scene::new("walk", vec![wall])
        }));
        let view = CameraView::of(&replay, &replay.frame(0), 0);
        let marks = view.clearance.marks.iter();
        let marks: Vec<_> = marks.map(|mark| (mark.kind, mark.fraction)).collect();
        let wanted = [(MarkKind::Impact, 0.375), (MarkKind::Leaves, 0.625)];
        assert_eq!(marks, wanted);
        for [fraction, gap] in &view.clearance.samples {
            let wanted = (8.0 * fraction - 4.0).abs() - 1.0;
            assert!((gap - wanted).abs() < 1e-12, "{fraction}: {gap} {wanted}");
        }
        let lens = view.clearance.lens().map(|lens| lens.into_inner());
        assert_eq!(lens, Some((0.25, 0.75)));
    }
}
