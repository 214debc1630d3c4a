//! Obstacles near a contact, with what they cover of each other.

use super::blocks::{Block, Nearness, Surface};
use super::{EdgeContact, FLAT_COSINE, InternalEdge, PHANTOM_SHARE, Place, size};
use crate::core::diagnose::level_facts::context::Context;
use crate::core::diagnose::shape_metrics::center;
use crate::core::replay::{Frame, FrameState, ObjectId};
use crate::core::scene::{Object, Objects};
use crate::core::shape::{Aabb, BoxTree, Pose, Shape};
use crate::core::tolerance::{LOG_ROUNDING, SLOP_SHARE};
use glam::DVec3;
use std::cell::OnceCell;

/// Sine of 5 degrees (no unit): a normal that leads less into a surface leads along it.
const FLAT_SINE: f64 = 0.087_155_742_747_658_17;

/// Spatial index of the obstacles at a frame's end.
pub struct Surfaces<'r> {
    pub(super) objects: &'r Objects,
    pub(super) frame: &'r Frame,
    /// The engine's margin that the level gives, metres; 0 without one.
    pub(super) margin: f64,
    /// Their boxes and numbers, ascending, and those without bounds; built on first use.
    tree: OnceCell<(BoxTree, Vec<ObjectId>, Vec<ObjectId>)>,
}

/// What the surfaces at a contact say about its normal.
pub(super) enum NormalAt {
    /// An uncovered one has it, or an edge between two.
    Surface,
    /// None has it.
    Wrong(InternalEdge),
    /// They bend: a tilted normal may be that of a real edge.
    Unsure,
    /// There are none.
    Nothing,
}

/// Whether an object is an obstacle, with surfaces that others may cover, or parts that cover each other.
pub(super) fn is_obstacle(object: &Object) -> bool {
    let has_parts = matches!(
        object.shape,
        Shape::Mesh(_) | Shape::Triangle(_) | Shape::Compound(_)
    );
    !object.sensor && (has_parts || !object.is_pushable())
}

impl<'r> Surfaces<'r> {
    pub fn of(context: &Context<'r>, frame: &'r Frame) -> Self {
        Self {
            objects: context.replay.objects(),
            frame,
            margin: context.facts.engine.margin.unwrap_or(0.0),
            tree: OnceCell::new(),
        }
    }

    pub(super) fn pose(&self, id: ObjectId) -> Option<Pose> {
        let body = self.frame.end.body(id)?;
        Some(body.pose).filter(Pose::is_finite)
    }

    /// Those whose boxes overlap a region, world; those without bounds first.
    pub(super) fn within(&self, region: &Aabb) -> Vec<ObjectId> {
        let (tree, ids, unbounded) = self.tree.get_or_init(|| {
            let (mut boxes, mut ids, mut unbounded) = (Vec::new(), Vec::new(), Vec::new());
            for (id, object) in (0..).zip(self.objects) {
                let Some(pose) = self.pose(id).filter(|_| is_obstacle(object)) else {
                    continue;
                };
                match object.shape.placed(&pose).aabb() {
                    Some(bounds) if bounds.min.is_finite() && bounds.max.is_finite() => {
                        boxes.push(bounds);
                        ids.push(id);
                    }
                    Some(_) => {}
                    None => unbounded.push(id),
                }
            }
            (BoxTree::new(boxes), ids, unbounded)
        });
        let places = tree.all_in(&region.grown_for_rounding()).into_iter();
        let bounded = places.map(|place| ids[place as usize]);
        unbounded.iter().copied().chain(bounded).collect()
    }

    /// The internal edge or covered face that a contact is on.
    pub(super) fn edge(
        &self,
        context: &Context<'_>,
        contact: &EdgeContact,
    ) -> Option<InternalEdge> {
        match self.normal_at(context, contact) {
            NormalAt::Wrong(edge) if edge.place != Place::Face => Some(edge),
            _ => None,
        }
    }

    /// Whether an uncovered surface at a contact, or an edge between two, has its normal.
    pub(super) fn normal_at(&self, context: &Context<'_>, contact: &EdgeContact) -> NormalAt {
        let Some(near) = self.nearness(context, contact) else {
            return NormalAt::Nothing;
        };
        let blocks = self.blocks(contact, &near);
        let edges: Vec<Surface> = (blocks.iter().enumerate())
            .flat_map(|(index, block)| block.surfaces(&near).map(move |side| (index, side)))
            .collect();
        let is_covered =
            |(block, side): &Surface| blocks[*block].is_covered(*side, (&blocks, &edges), &near);
        let has_normal = |normal: DVec3| normal.dot(contact.normal) >= FLAT_COSINE;
        // Most contacts end here.
        let mut with_normal = edges.iter().filter(|(_, side)| has_normal(side.normal));
        if with_normal.any(|edge| !is_covered(edge)) {
            return NormalAt::Surface;
        }
        let (covered, open): (Vec<&Surface>, Vec<&Surface>) =
            edges.iter().partition(|edge| is_covered(edge));
        let of_surface = |(block, _): &&Surface| blocks[*block].id == contact.surface;
        let open: Vec<DVec3> = open.iter().map(|(_, side)| side.normal).collect();
        let along = |normal: &DVec3| normal.dot(contact.normal);
        let Some(face) = (open.iter()).max_by(|x, y| along(x).total_cmp(&along(y))) else {
            return NormalAt::Nothing;
        };
        let least = open
            .iter()
            .map(|other| other.dot(*face))
            .fold(1.0, f64::min);
        let is_flat = least >= FLAT_COSINE;
        let is_side = covered.iter().any(|(_, side)| has_normal(side.normal));
        let place = match (covered.is_empty(), is_side) {
            (true, _) => Place::Face,
            (false, true) => Place::CoveredFace,
            (false, false) => Place::Edge,
        };
        if is_between(&open, contact.normal) {
            return NormalAt::Surface;
        }
        let is_of_another = !covered.is_empty() && !covered.iter().any(of_surface);
        if is_of_another || !is_flat && !is_side || along(face) < -FLAT_SINE {
            return NormalAt::Unsure;
        }
        NormalAt::Wrong(InternalEdge {
            bend: if is_flat { least.min(1.0).acos() } else { 0.0 },
            tilt: along(face).clamp(-1.0, 1.0).acos(),
            face: *face,
            place,
        })
    }

    /// Where a point that moved with the body of a contact was when the frame began, seen from the surface.
    pub(super) fn moved_from(&self, contact: &EdgeContact) -> Option<DVec3> {
        let carried = |id: ObjectId, point: DVec3, [from, to]: [&FrameState; 2]| {
            let local = from.body(id)?.pose.point_to_local(point);
            Some(to.body(id)?.pose.point(local))
        };
        let (start, end) = (&self.frame.start, &self.frame.end);
        let before = carried(contact.body, contact.point, [end, start])?;
        carried(contact.surface, before, [start, end]).filter(|point| point.is_finite())
    }

    fn nearness(&self, context: &Context<'_>, contact: &EdgeContact) -> Option<Nearness> {
        let size = size(context, contact.body, contact.surface);
        let is_surface = |id: ObjectId| self.objects.get(id as usize).is_some_and(is_obstacle);
        if !is_surface(contact.surface) || size <= 0.0 || !contact.point.is_finite() {
            return None;
        }
        let shape = &self.objects[contact.body as usize].shape;
        let pose = self.frame.start.body(contact.body)?.pose;
        let rounding = LOG_ROUNDING * contact.point.length();
        let margin = self.margin.min(0.5 * shape.inner_radius());
        Some(Nearness {
            point: contact.point,
            body: center(shape, &pose)?,
            reach: contact.max_distance + rounding,
            skin: margin.max(SLOP_SHARE * size) + rounding,
            step: PHANTOM_SHARE * size / 3.0 + rounding,
        })
    }

    /// The pieces of the obstacles at a contact: of its surface, and of whatever else the body touches and does not push away.
    fn blocks(&self, contact: &EdgeContact, near: &Nearness) -> Vec<Block<'r>> {
        let body = &self.objects[contact.body as usize];
        let at = Aabb {
            min: near.point,
            max: near.point,
        };
        let mut blocks = Vec::new();
        for id in self.within(&at.grown(near.reach + near.skin)) {
            let object = &self.objects[id as usize];
            let others = || !object.is_pushable() && body.collides_with(object);
            if let Some(pose) = self.pose(id)
                && id != contact.body
                && (id == contact.surface || others())
            {
                Block::collect(id, (&object.shape, &pose), near, &mut blocks);
            }
        }
        blocks
    }
}

/// Whether a direction is between some normals: that of an edge or a corner that real surfaces form.
fn is_between(normals: &[DVec3], direction: DVec3) -> bool {
    let mut distinct: Vec<DVec3> = Vec::new();
    for normal in normals {
        if distinct
            .iter()
            .all(|known| known.dot(*normal) < FLAT_COSINE)
        {
            distinct.push(*normal);
        }
    }
    let pairs = |from: usize| distinct[from..].iter().enumerate();
    (distinct.iter().enumerate()).any(|(index, one)| {
        pairs(index + 1).any(|(more, two)| {
            is_on_edge(direction, [*one, *two])
                || pairs(index + more + 2)
                    .any(|(_, three)| is_on_corner(direction, [*one, *two, *three]))
        })
    })
}

/// Whether a direction is within 5 degrees of the shorter arc between two normals.
fn is_on_edge(direction: DVec3, [one, two]: [DVec3; 2]) -> bool {
    let Some(across) = one.cross(two).try_normalize() else {
        return false;
    };
    let flat = direction.reject_from_normalized(across);
    across.dot(direction).abs() <= FLAT_SINE
        && one.cross(flat).dot(across) >= 0.0
        && flat.cross(two).dot(across) >= 0.0
}

/// Whether a direction is a sum of three normals with shares of at least 0.
fn is_on_corner(direction: DVec3, [one, two, three]: [DVec3; 3]) -> bool {
    let volume = one.cross(two).dot(three);
    let shares = [two.cross(three), three.cross(one), one.cross(two)];
    volume.abs() > FLAT_SINE * FLAT_SINE
        && shares
            .iter()
            .all(|across| across.dot(direction) * volume >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The faces of a cube that meet in a corner: their edges and the directions between all three are real, what leads back into the cube is not.
    /// Normals in one plane form no corner.
    #[test]
    fn directions_between_normals() {
        let cube = [DVec3::X, DVec3::Y, DVec3::Z];
        let [edge, corner, back] = [[1.0, 1.0, 0.0], [1.0, 2.0, 3.0], [-1.0, 2.0, 3.0]]
            .map(|direction| DVec3::from(direction) / DVec3::from(direction).length());
        let fan = [DVec3::X, DVec3::Y, edge];
        for (normals, direction, expected) in [
            (&cube[..], edge, true),
            (&cube, corner, true),
            (&cube, back, false),
            (&cube[..2], corner, false),
            (&fan, DVec3::Z, false),
        ] {
            assert_eq!(
                is_between(normals, direction),
                expected,
                "{direction} of {normals:?}"
            );
        }
    }
}
