//! Several convex shapes that are one, each at a place of its own.

use super::{Aabb, BoxTree, Placed, Pose, Shape};
use crate::core::tolerance::ROTATION;
use glam::DVec3;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Fewest and most parts of a compound.
pub const COMPOUND_PARTS: RangeInclusive<usize> = 1..=256;

/// Convex shapes, each at a pose in the space of the whole. They may overlap and need not touch.
#[derive(Clone, Debug)]
pub struct Compound {
    parts: Vec<CompoundPart>,
    /// Each part as a shape of its own, in the space of the whole; empty where that is the whole.
    alone: Vec<Shape>,
    /// Over the box of each part, in the space of the whole; `None` over one, and where one is not finite.
    tree: Option<Arc<BoxTree>>,
    /// What the functions of these names answer with.
    aabb: Aabb,
    reach: f64,
    inner_radius: f64,
}

/// Everything else follows from the parts.
impl PartialEq for Compound {
    fn eq(&self, other: &Self) -> bool {
        self.parts == other.parts
    }
}

/// A part of a compound.
#[derive(Clone, Debug, PartialEq)]
pub struct CompoundPart {
    /// Convex and bounded; see [`CompoundPart::is_allowed`].
    pub shape: Shape,
    /// In the space of the whole.
    pub pose: Pose,
}

impl CompoundPart {
    /// True for shapes that a compound can be made of: convex ones with an inside, and segments.
    pub fn is_allowed(shape: &Shape) -> bool {
        match shape {
            Shape::Sphere { .. }
            | Shape::Box { .. }
            | Shape::Segment(_)
            | Shape::Capsule(_)
            | Shape::Solid(_) => true,
            Shape::Triangle(_) | Shape::Plane(_) | Shape::Mesh(_) | Shape::Compound(_) => false,
        }
    }

    fn alone(&self) -> Shape {
        if self.pose == Pose::IDENTITY {
            return self.shape.clone();
        }
        Shape::Compound(Arc::new(Compound::of(vec![self.clone()], Vec::new())))
    }

    /// Its box in the space of the whole; `None` where a number is not finite, or its rotation is not one.
    fn aabb(&self) -> Option<Aabb> {
        let bounds = self.shape.placed(&self.pose).aabb()?;
        let turned = ROTATION.contains(&self.pose.rotation.length_squared());
        (turned && bounds.min.is_finite() && bounds.max.is_finite()).then_some(bounds)
    }
}

impl Compound {
    /// # Errors
    /// A sentence, when there is no part, too many, or one that is not convex or has no inside.
    pub fn new(parts: Vec<CompoundPart>) -> Result<Self, String> {
        if !COMPOUND_PARTS.contains(&parts.len()) {
            return Err(format!(
                "a compound has {} to {} parts; this one has {}",
                COMPOUND_PARTS.start(),
                COMPOUND_PARTS.end(),
                parts.len()
            ));
        }
        let refused = |part: &CompoundPart| !CompoundPart::is_allowed(&part.shape);
        if let Some(index) = parts.iter().position(refused) {
            return Err(format!(
                "part {index} is a {}: the parts of a compound are convex solids",
                parts[index].shape.kind_name()
            ));
        }
        let alone = match &parts[..] {
            [_] => Vec::new(),
            parts => parts.iter().map(CompoundPart::alone).collect(),
        };
        Ok(Self::of(parts, alone))
    }

    fn of(parts: Vec<CompoundPart>, alone: Vec<Shape>) -> Self {
        let boxes: Option<Vec<Aabb>> = parts.iter().map(CompoundPart::aabb).collect();
        let whole = boxes.iter().flatten().copied();
        let farthest = |part: &CompoundPart| {
            let reach = part.shape.reach().unwrap_or(f64::INFINITY);
            part.pose.position.length() + reach
        };
        Self {
            aabb: whole
                .reduce(|one, other| one.union(&other))
                .unwrap_or(Aabb::NOWHERE),
            reach: parts.iter().map(farthest).fold(0.0, f64::max),
            inner_radius: parts
                .iter()
                .map(|part| part.shape.inner_radius())
                .fold(f64::INFINITY, f64::min),
            tree: boxes
                .filter(|boxes| boxes.len() > 1)
                .map(|boxes| Arc::new(BoxTree::new(boxes))),
            parts,
            alone,
        }
    }

    /// The parts; never empty.
    pub fn parts(&self) -> &[CompoundPart] {
        &self.parts
    }

    /// The only part, if there is but one.
    pub fn single(&self) -> Option<&CompoundPart> {
        match &self.parts[..] {
            [part] => Some(part),
            _ => None,
        }
    }

    /// Each part as a shape in the space of the whole; none where the whole is one part.
    pub fn alone(&self) -> &[Shape] {
        &self.alone
    }

    /// The numbers of the parts whose box in the space of the whole overlaps a region, and maybe more; of all without one. Ascending.
    pub(in crate::core) fn parts_in(&self, region: Option<&Aabb>) -> Vec<u32> {
        match self.tree.as_ref().zip(region) {
            Some((tree, region)) => tree.all_in(region),
            None => (0..self.parts.len() as u32).collect(),
        }
    }

    /// The parts in the world, when the whole is at `pose`.
    pub fn placed(&self, pose: &Pose) -> impl Iterator<Item = Placed<'_>> {
        let pose = *pose;
        let parts = self.parts.iter();
        parts.map(move |part| part.shape.placed(&pose.then(&part.pose)))
    }

    /// Local bounds of the parts; nowhere when a number of one is not finite, or a rotation is not one.
    pub fn aabb(&self) -> Aabb {
        self.aabb
    }

    /// The tight box around the parts when the whole is at `pose`.
    pub fn aabb_at(&self, pose: &Pose) -> Aabb {
        let bounds = self.placed(pose).filter_map(|part| part.aabb());
        bounds
            .reduce(|one, other| one.union(&other))
            .unwrap_or(Aabb::NOWHERE)
    }

    /// Distance of the farthest point from the origin of the whole, metres, or a little more.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// Radius of a sphere that fits into each part, metres.
    pub fn inner_radius(&self) -> f64 {
        self.inner_radius
    }

    /// A point amid the parts: the middle of their box.
    pub fn centroid(&self) -> DVec3 {
        match self.single() {
            Some(part) => part.pose.point(part.shape.centroid()),
            None => self.aabb.center(),
        }
    }
}
