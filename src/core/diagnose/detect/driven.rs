//! Which object of a pair is moved through the other on purpose.

use super::piles;
use crate::core::diagnose::level_facts::context::Context;
use crate::core::replay::{FrameState, ObjectId};
use crate::core::scene::{Movement, Objects};

/// The kinematic object of a pair with a fixed one, if it is inside the fixed one and not shaped like a character.
pub fn inside(
    context: &Context<'_>,
    state: &FrameState,
    (a, b): (ObjectId, ObjectId),
) -> Option<ObjectId> {
    let objects = context.replay.objects();
    let (driven, other) = driven_and_other(objects, (a, b))?;
    let is_fixed = objects[other as usize].movement == Movement::Fixed;
    let is_character = objects[driven as usize].is_character();
    (is_fixed && !is_character && piles::too_deep(context, state, a, b).is_some()).then_some(driven)
}

/// The kinematic object of a pair that nothing pushes, and the other, which is fixed or kinematic as well.
pub fn driven_and_other(
    objects: &Objects,
    (a, b): (ObjectId, ObjectId),
) -> Option<(ObjectId, ObjectId)> {
    let is_fixed = |id: ObjectId| objects[id as usize].movement == Movement::Fixed;
    let pushes_none = |id: ObjectId| !objects[id as usize].is_pushable();
    let mut orders = [(a, b), (b, a)].into_iter();
    orders.find(|(one, other)| pushes_none(*one) && pushes_none(*other) && !is_fixed(*one))
}
