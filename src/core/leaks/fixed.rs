//! The solids of a level that nothing moves, as a mover meets them.

use crate::core::query;
use crate::core::replay::{ObjectId, Replay};
use crate::core::scene::{Movement, Object};
use crate::core::shape::{Aabb, BoxTree, Placed, Pose, Shape};

/// A solid that stays where it is: an object, or several boxes that form one.
#[derive(Clone, Copy)]
pub struct Solid<'r> {
    pub id: ObjectId,
    pub shape: &'r Shape,
    pub pose: Pose,
    /// It collides from its front only.
    pub one_sided: bool,
}

impl<'r> Solid<'r> {
    pub fn placed(&self) -> Placed<'r> {
        self.shape.placed(&self.pose)
    }
}

/// Those with which a mover collides.
pub struct Fixed<'r> {
    pub solids: Vec<Solid<'r>>,
    tree: BoxTree,
    /// By leaf of the tree.
    bounded: Vec<usize>,
    /// Planes, which have no box.
    unbounded: Vec<usize>,
}

impl<'r> Fixed<'r> {
    /// Of the first state of a level.
    pub fn of(replay: &'r Replay, mover: &Object) -> Self {
        let objects = replay.objects().iter().zip(0..);
        let solids = objects.filter_map(|(object, id): (&Object, ObjectId)| {
            let stays = object.movement == Movement::Fixed && !object.sensor;
            let is_first = replay.solid_of(id) == id;
            if !stays || !is_first || !object.collides_with(mover) {
                return None;
            }
            Some(Solid {
                id,
                shape: replay.solid_shape(id)?,
                pose: replay
                    .body(0, id)
                    .filter(|body| body.pose.is_finite())?
                    .pose,
                one_sided: replay.is_one_sided(id),
            })
        });
        let solids: Vec<Solid<'r>> = solids.collect();
        let (mut boxes, mut bounded, mut unbounded) = (Vec::new(), Vec::new(), Vec::new());
        for (index, solid) in solids.iter().enumerate() {
            match solid.placed().aabb() {
                Some(bounds) => {
                    boxes.push(bounds);
                    bounded.push(index);
                }
                None => unbounded.push(index),
            }
        }
        Self {
            solids,
            tree: BoxTree::new(boxes),
            bounded,
            unbounded,
        }
    }

    /// Around all that has bounds.
    pub fn bounds(&self) -> Option<Aabb> {
        let boxes = self
            .bounded
            .iter()
            .filter_map(|index| self.solids[*index].placed().aabb());
        boxes.reduce(|one, other| one.union(&other))
    }

    /// Those whose boxes overlap a region, and the planes.
    pub fn near(&self, region: &Aabb) -> Vec<&Solid<'r>> {
        let leaves = self.tree.all_in(&region.grown_for_rounding()).into_iter();
        let near = leaves.map(|leaf| self.bounded[leaf as usize]);
        near.chain(self.unbounded.iter().copied())
            .map(|index| &self.solids[index])
            .collect()
    }

    /// Whether a shape at a pose touches none of them.
    pub fn is_free(&self, shape: &Shape, pose: &Pose) -> bool {
        let body = shape.placed(pose);
        let Some(bounds) = body.aabb() else {
            return false;
        };
        is_clear(&body, &self.near(&bounds))
    }
}

/// Whether a body touches none of some solids.
pub fn is_clear(body: &Placed<'_>, solids: &[&Solid<'_>]) -> bool {
    let mut solids = solids.iter();
    !solids.any(|solid| query::overlaps(body, &solid.placed()))
}
