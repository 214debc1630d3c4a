//! Moves of the view: to a box, to a finding, to a side.

use super::Viewport;
use super::framing::bounds_of;
use super::orbit::{Animation, Orbit};
use super::section::{CutPlane, FindingCut};
use super::viewpoint::{Subject, covering, viewpoint};
use super::viewport_input::ViewportInput;
use crate::core::diagnose::Finding;
use crate::core::replay::ObjectId;
use crate::core::shape::Aabb;
use glam::{DVec2, DVec3};

/// How far from the contact a finding of a flat level is shown at most, in radii of the mover (no unit). With more the mover is too small.
const DRAWN_RADII: f64 = 10.0;

impl Viewport {
    /// Moves the view so that a box (metres, world) fills the viewport.
    pub fn look_at(&mut self, bounds: Aabb, animated: bool) {
        let goal = self.goal().framing(bounds, self.size());
        self.move_to(goal, animated);
    }

    /// Moves the view to a finding of the shown frame, seen from the side of the motion, animated, and cuts open what covers it.
    /// Returns false if the finding has no finite position.
    pub fn look_at_finding(&mut self, input: &ViewportInput<'_>, finding: &Finding) -> bool {
        let Some(subject) = Subject::of(input, finding) else {
            return false;
        };
        let view = Orbit {
            edge_on: true,
            ..viewpoint(&self.goal(), &subject, self.size())
        };
        if input.is_flat() {
            // Nothing covers anything in a drawing.
            self.finding_cut = None;
            let near = view.as_drawing();
            let pair: Vec<ObjectId> = subject.pair.into_iter().flatten().collect();
            let reach = DVec3::splat(DRAWN_RADII * subject.radius);
            let both = bounds_of(input, &pair).map(|bounds| Aabb {
                min: bounds.min.max(subject.point - reach),
                max: bounds.max.min(subject.point + reach),
            });
            let both = both.map(|bounds| near.framing(bounds, self.size()));
            let far = both.filter(|both| both.distance > near.distance);
            self.move_to(far.unwrap_or(near), true);
            self.at_finding = Some(self.goal());
            return true;
        }
        let normal = view.world_from_view() * DVec3::Z;
        let objects = covering(input, finding, &subject, view.eye());
        let all = input.replay.objects();
        let name = |id: &ObjectId| all.get(*id as usize).map(|object| object.name.clone());
        self.finding_cut = Some(FindingCut {
            of: finding.into(),
            frame: finding.frame,
            names: objects.iter().filter_map(name).collect(),
            plane: CutPlane {
                // Slightly in front, so that a face in the plane of the contact remains.
                point: subject.point + normal * subject.radius * 0.01,
                normal,
                objects: Some(objects),
            },
        });
        self.move_to(view, true);
        self.at_finding = Some(self.goal());
        true
    }

    /// Moves the view with the followed object.
    pub(super) fn follow(&mut self, input: &ViewportInput<'_>) {
        let now = input.visibility.followed;
        let now = now.and_then(|id| Some((id, input.pose(id)?.position)));
        if let (Some((last, before)), Some((id, position))) = (self.followed, now)
            && last == id
        {
            self.orbit.target += position - before;
            if let Some(animation) = &mut self.animation {
                animation.shift(position - before);
            }
        }
        self.followed = now;
    }

    /// Turns the view to a world direction, around the same target, animated.
    pub fn look_along(&mut self, direction: DVec3) {
        self.move_to(self.goal().looking(direction), true);
    }

    /// Switches between perspective and orthographic.
    pub fn toggle_orthographic(&mut self) {
        let goal = self.goal();
        self.move_to(goal.with_other_projection(), false);
    }

    /// The current view.
    pub fn orbit(&self) -> &Orbit {
        &self.orbit
    }

    /// The view at the end of the animation, or the current one.
    pub(super) fn goal(&self) -> Orbit {
        self.animation
            .map_or(self.orbit, |animation| animation.to())
    }

    pub(super) fn move_to(&mut self, goal: Orbit, animated: bool) {
        if animated {
            self.animation = Some(Animation::new(self.orbit, goal));
        } else {
            self.orbit = goal;
            self.animation = None;
        }
    }

    /// Width and height, points; a usual size before the first pass.
    pub(super) fn size(&self) -> DVec2 {
        let size = self
            .rect
            .map_or(egui::vec2(900.0, 600.0), |rect| rect.size());
        DVec2::new(f64::from(size.x), f64::from(size.y))
    }

    pub(super) fn advance(&mut self, ui: &egui::Ui) {
        if let Some(animation) = &mut self.animation {
            let seconds = f64::from(ui.input(|input| input.stable_dt));
            let (orbit, done) = animation.step(seconds);
            self.orbit = orbit;
            if done {
                self.animation = None;
            }
            ui.ctx().request_repaint();
        }
    }
}
