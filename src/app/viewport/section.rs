//! The plane that cuts bodies open: along the contact of the chosen finding, or where the user moves it.

use super::draw_list::Section;
use super::view::View;
use super::viewport_input::ViewportInput;
use crate::app::model::FindingKey;
use crate::app::view_state::Switch;
use crate::core::replay::ObjectId;
use crate::core::scene::{Movement, Objects};
use crate::core::shape::{Segment, Shape};
use glam::DVec3;

/// A plane; what is in front of it is not drawn of the objects that it cuts.
#[derive(Clone, Debug, PartialEq)]
pub struct CutPlane {
    /// A point of it, world, metres.
    pub point: DVec3,
    /// Its normal, unit, toward what is cut away.
    pub normal: DVec3,
    /// The objects that it cuts; `None` for all.
    pub objects: Option<Vec<ObjectId>>,
}

/// The plane of a finding.
#[derive(Clone, Debug)]
pub struct FindingCut {
    /// The finding.
    pub of: FindingKey,
    /// Its frame.
    pub frame: u32,
    /// Its plane.
    pub plane: CutPlane,
    /// The names of the objects that it cuts: after a change of the level another object may have the id.
    pub names: Vec<String>,
}

impl FindingCut {
    /// The plane, of the objects that are still the same.
    fn plane_in(&self, all: &Objects) -> CutPlane {
        let mut plane = self.plane.clone();
        if let Some(objects) = &mut plane.objects {
            let mut names = self.names.iter();
            objects.retain(|&id| {
                let object = all.get(id as usize).map(|object| &object.name);
                names.next().is_some_and(|name| object == Some(name))
            });
        }
        plane
    }
}

impl CutPlane {
    /// The plane that is shown: the one that the user moves, else that of the finding while it is chosen.
    pub fn shown(
        input: &ViewportInput<'_>,
        view: &View,
        of_finding: Option<&FindingCut>,
    ) -> Option<Self> {
        if let Some(distance) = input.layers.clip {
            let normal = view.world_from_view * DVec3::Z;
            return Some(Self {
                point: view.target + normal * distance * view.distance(),
                normal,
                objects: None,
            });
        }
        let is_of = |cut: &&FindingCut| input.selected.is_some_and(|one| one.is_same_pair(&cut.of));
        let cut = of_finding
            .filter(is_of)
            .filter(|_| input.layers.has(Switch::CutOpen))?;
        let plane = cut.plane_in(input.replay.objects());
        Some(match input.playhead.frame == cut.frame {
            true => plane,
            false => plane.in_another_frame(input.replay.objects()),
        })
    }

    /// The plane in a frame other than the finding's: moving objects are elsewhere there, and cover nothing.
    fn in_another_frame(mut self, all: &Objects) -> Self {
        if let Some(objects) = &mut self.objects {
            objects.retain(|&id| {
                let object = all.get(id as usize);
                object.is_some_and(|object| object.movement == Movement::Fixed)
            });
        }
        self
    }

    /// Returns true if it cuts an object.
    pub fn cuts(&self, object: ObjectId) -> bool {
        (self.objects.as_ref()).is_none_or(|objects| objects.contains(&object))
    }

    /// Returns true if a point is not in front of it.
    pub fn shows(&self, point: DVec3) -> bool {
        (point - self.point).dot(self.normal) <= 0.0
    }

    /// The part of a segment behind the plane; `None` when there is none.
    pub fn behind(&self, segment: &Segment) -> Option<Segment> {
        let [a, b] = [segment.a, segment.b].map(|end| (end - self.point).dot(self.normal));
        let crossing = || segment.a + (segment.b - segment.a) * (a / (a - b));
        match (a > 0.0, b > 0.0) {
            (true, true) => None,
            (false, false) => Some(*segment),
            (true, false) => Some(Segment {
                a: crossing(),
                b: segment.b,
            }),
            (false, true) => Some(Segment {
                a: segment.a,
                b: crossing(),
            }),
        }
    }

    /// The plane in the form that the shaders read, relative to an origin.
    pub fn section(&self, origin: DVec3) -> Section {
        Section {
            normal: self.normal.as_vec3(),
            offset: (self.point - origin).dot(self.normal) as f32,
            cuts_all: self.objects.is_none(),
        }
    }
}

/// Returns true if a cut through a shape shows more than a line.
pub fn has_inside(shape: &Shape) -> bool {
    !matches!(
        shape,
        Shape::Mesh(_) | Shape::Triangle(_) | Shape::Plane(_) | Shape::Segment(_)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::test_levels::{sphere, wall};

    #[test]
    fn only_fixed_objects_are_cut_in_another_frame() {
        let plane = CutPlane {
            point: DVec3::ZERO,
            normal: DVec3::Z,
            objects: Some(vec![0, 1]),
        };
        let ball = sphere("ball", 0.5, DVec3::ZERO, DVec3::X);
        let objects = vec![ball, wall("wall", DVec3::ONE, DVec3::X)];
        let other = plane.in_another_frame(&objects.into());
        assert!(!other.cuts(0) && other.cuts(1));
    }

    #[test]
    fn the_part_of_a_segment_behind_the_plane_ends_at_it() {
        let plane = CutPlane {
            point: DVec3::new(0.0, 0.0, 2.0),
            normal: DVec3::Z,
            objects: Some(vec![3]),
        };
        assert!(plane.cuts(3) && !plane.cuts(2));
        let (near, far) = (DVec3::new(1.0, 0.0, 4.0), DVec3::new(1.0, 4.0, 0.0));
        let crossing = DVec3::new(1.0, 2.0, 2.0);
        let behind = |a, b| plane.behind(&Segment { a, b });
        assert_eq!(
            behind(near, far).map(|part| (part.a, part.b)),
            Some((crossing, far))
        );
        assert_eq!(
            behind(far, near).map(|part| (part.a, part.b)),
            Some((far, crossing))
        );
        assert!(behind(near, near * 2.0).is_none());
        assert_eq!(plane.section(DVec3::Z).offset, 1.0);
    }
}
