//! `CameraCrosses`: the camera's path crosses a surface, or its near plane cuts one.
//!
//! Surfaces are the objects that nothing pushes (fixed, kinematic, keyframes) except sensors. The path runs from the frame's start
//! to its end and includes the probe's pushes: a camera that its probe holds back is no finding. C01 is the headline when the
//! camera moved farther than its probe reaches, otherwise C23; the other is among `also` where it applies.

use crate::core::diagnose::cause::Cause;
use crate::core::diagnose::evidence::Key;
use crate::core::diagnose::facts::limits;
use crate::core::diagnose::finding::{Finding, Source};
use crate::core::diagnose::fix::{Fix, Quantity};
use crate::core::diagnose::kind::Kind;
use crate::core::diagnose::level_facts::context::Context;

use crate::core::query::{self, RayHit};
use crate::core::replay::unswept::{carrier, crosses};
use crate::core::replay::{Frame, ObjectId};
use crate::core::scene::{CAMERA, Camera, Object};
use crate::core::shape::{Aabb, Motion, Pose, Segment, Shape};
use glam::DVec3;

pub fn judge(context: &Context<'_>, frame: &Frame, findings: &mut Vec<Finding>) {
    let Some((motion, after)) = &frame.camera else {
        return;
    };
    if !motion.start.is_finite() || !after.is_finite() {
        return;
    }
    let path = Motion {
        start: motion.start,
        end: *after,
    };
    let lens = context.replay.scene().camera.as_ref();
    let corners = lens.map(|lens| near_corners(lens, after));
    let ends = [path.start.position, path.end.position];
    let Some(bounds) = Aabb::of_points(ends.into_iter().chain(corners.iter().flatten().copied()))
    else {
        return;
    };
    for &id in frame.start.ids() {
        let object = &context.replay.objects()[id as usize];
        let Some(carried) = carrier(frame, id, object) else {
            continue;
        };
        let [start, end] =
            [carried.start, carried.end].map(|pose| object.shape.placed(&pose).aabb());
        let around = start.zip(end).map(|(start, end)| start.union(&end));
        if around.is_some_and(|around| !around.overlaps(&bounds)) {
            continue;
        }
        let surface_hit = SurfaceHit {
            context,
            frame,
            lens,
            path: &path,
            intended: motion,
            object,
            id,
        };
        if let Some(through) = crosses(&path, object, &carried, &mut ()) {
            // The camera's own travel gives the time; the path with the push is used only where the push crosses.
            let hit = crosses(motion, object, &carried, &mut ()).unwrap_or(through);
            findings.push(surface_hit.path_finding(&hit, &carried));
        } else if let Some(hit) =
            corners.and_then(|corners| pokes(&path, &corners, object, &carried))
        {
            findings.push(surface_hit.near_finding(&hit, &carried));
        }
    }
}

/// Where a corner of the near plane lies behind the surface at the frame's end.
pub fn pokes(
    path: &Motion,
    corners: &[DVec3; 4],
    object: &Object,
    carried: &Motion,
) -> Option<RayHit> {
    let to_corner = |corner: &DVec3| {
        let segment = Segment {
            a: path.end.position,
            b: *corner,
        };
        query::ray_cast(&segment, &object.shape, &carried.end).filter(|hit| hit.fraction < 1.0)
    };
    corners.iter().find_map(to_corner)
}

/// Half the near plane's height and width, metres.
fn near_half(lens: &Camera) -> (f64, f64) {
    let half_height = lens.near * (0.5 * lens.fov).tan();
    (half_height, half_height * lens.aspect)
}

pub fn near_corners(lens: &Camera, pose: &Pose) -> [DVec3; 4] {
    let (up, right) = near_half(lens);
    [(up, right), (up, -right), (-up, right), (-up, -right)]
        .map(|(y, x)| pose.point(DVec3::new(x, y, -lens.near)))
}

/// Radius of a sphere around the camera that contains the near plane, metres.
fn needed_radius(lens: &Camera) -> f64 {
    let (up, right) = near_half(lens);
    DVec3::new(right, up, lens.near).length()
}

/// How far the probe's lines extend along a unit direction, metres.
fn probe_reach(lens: &Camera, direction: DVec3) -> f64 {
    lens.probe
        .lines()
        .iter()
        .map(|line| line.dot(direction).abs())
        .fold(0.0, f64::max)
}

/// A surface that the camera crossed, with the frame.
struct SurfaceHit<'r> {
    context: &'r Context<'r>,
    frame: &'r Frame,
    lens: Option<&'r Camera>,
    path: &'r Motion,
    intended: &'r Motion,
    object: &'r Object,
    id: ObjectId,
}

impl SurfaceHit<'_> {
    fn path_finding(&self, hit: &RayHit, carried: &Motion) -> Finding {
        let travel = self.intended.displacement() - carried.displacement();
        let displacement = travel.length();
        let probe_reach = travel
            .try_normalize()
            .and_then(|direction| Some(probe_reach(self.lens?, direction)))
            .unwrap_or(0.0);
        let dt = self.frame.dt;
        let units = self.context.replay.units();
        let moved = format!(
            "The camera moves {} in this frame ({})",
            units.length(displacement),
            units.speed(if dt > 0.0 { displacement / dt } else { 0.0 })
        );
        let too_fast = probe_reach > 0.0 && displacement > probe_reach;
        let name = &self.object.name;
        // A line extends as far behind the camera as before it; a surface behind it at the test pushes it on.
        let reach = limits::safe(probe_reach);
        let limit = |what, value: &dyn Fn(f64) -> Option<f64>| {
            Fix::limit(what, value(reach), value(2.0 * reach))
        };
        let substeps = |reach| limits::substeps(displacement, reach);
        let steps = limit(Quantity::Substeps, &substeps).filter(|_| too_fast);
        let speed = |reach| limits::max_speed(reach, dt);
        let speed = limit(Quantity::MaxSpeed, &speed).filter(|_| too_fast);
        let (cause, also, why) = if too_fast {
            let held = |fix: &Option<Fix>| fix.as_ref()?.held_text(units);
            let steps = held(&steps).map(|held| format!("{held} substeps, "));
            let speed = held(&speed).map(|held| format!("at most {held}, "));
            let why = format!(
                "{moved}, but its probe reaches only {} that way: it crossed {name} between two tests. Use {}{}or a sweep of its path.",
                units.length(probe_reach),
                steps.unwrap_or_default(),
                speed.unwrap_or_default(),
            );
            (Cause::TooFast, vec![Cause::Camera], why)
        } else if probe_reach > 0.0 {
            let why = format!(
                "{moved} and crosses {name}, within the {} its probe reaches that way: the probe did not stop it. Sweep its \
                 path.",
                units.length(probe_reach)
            );
            (Cause::Camera, Vec::new(), why)
        } else {
            let why = format!(
                "{moved} and crosses {name}; no probe line points that way. Sweep its path."
            );
            (Cause::Camera, Vec::new(), why)
        };
        let radius = self.lens.map(needed_radius);
        let radius = radius.and_then(|radius| Fix::set(Quantity::CameraRadius, radius));
        let fixes = [steps, speed, radius].into_iter().flatten().collect();
        let world = carried.pose(hit.fraction);
        Finding {
            point: world.point(hit.point).to_array(),
            normal: world.vector(hit.normal).to_array(),
            evidence: vec![
                (Key::Displacement, displacement),
                (Key::ProbeReach, probe_reach),
                (Key::Dt, dt),
            ],
            fixes,
            cause,
            also,
            ..self.blank(hit.fraction, why)
        }
    }

    fn near_finding(&self, hit: &RayHit, carried: &Motion) -> Finding {
        let needed = self.lens.map_or(0.0, needed_radius);
        let eye = Shape::Sphere { radius: 0.0 };
        let surface = self.object.shape.placed(&carried.end);
        let nearest = query::gap(&eye.placed(&self.path.end), &surface);
        let along_corner = hit.point.distance(self.path.end.position);
        let gap = nearest.map_or(along_corner, |gap| gap.distance);
        let object = &self.object.name;
        let units = self.context.replay.units();
        let place = match gap < 0.0 {
            true => format!("{} inside {object}", units.length(-gap)),
            false => format!("{} from {object}", units.length(gap)),
        };
        let text = format!(
            "The camera is {place} and its near plane cuts through it. A sphere of {} around the camera keeps the whole near plane clear.",
            units.length(needed)
        );
        Finding {
            point: hit.point.to_array(),
            normal: hit.normal.to_array(),
            evidence: vec![(Key::Distance, gap), (Key::NearPlaneReach, needed)],
            fixes: Fix::set(Quantity::CameraRadius, needed)
                .into_iter()
                .collect(),
            ..self.blank(1.0, text)
        }
    }

    /// At a fraction of the frame.
    fn blank(&self, fraction: f64, text: String) -> Finding {
        let (kind, cause) = (Kind::CameraCrosses, Cause::Camera);
        Finding {
            a: CAMERA.to_owned(),
            b: self.object.name.clone(),
            object_b: Some(self.id),
            text,
            source: Source::Camera,
            ..self.context.blank(kind, cause, self.frame.number, fraction)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::query::probe::ProbeMode;
    use crate::core::scene::{CameraMovement, Probe};

    fn lens() -> Camera {
        Camera {
            pose: Pose::IDENTITY,
            movement: CameraMovement::Fixed,
            probe: Probe::Standard,
            probe_mode: ProbeMode::InOrder,
            near: 0.1,
            fov: 60f64.to_radians(),
            aspect: 16.0 / 9.0,
        }
    }

    /// Near 0.1 m, 60 degrees, 16:9: 0.1 * sqrt(1 + tan(30)^2 (1 + (16/9)^2)) = 0.154494.
    #[test]
    fn the_ball_a_near_plane_needs() {
        assert!((needed_radius(&lens()) - 0.154_494).abs() < 5e-7);
    }

    #[test]
    fn the_published_lines_reach_half_a_metre_along_the_axes() {
        assert!((probe_reach(&lens(), DVec3::NEG_Z) - 0.5).abs() < 1e-15);
        let diagonal = DVec3::new(0.5f64.sqrt(), 0.0, -(0.5f64.sqrt()));
        assert!((probe_reach(&lens(), diagonal) - 0.8 * 0.5f64.sqrt()).abs() < 1e-15);
        let blind = Camera {
            probe: Probe::Off,
            ..lens()
        };
        assert_eq!(probe_reach(&blind, DVec3::X), 0.0);
    }
}
