//! Shapes of many convex parts: the deepest contact, the earliest hit and the nearest of their parts. Ties go to the lowest index.

use super::operand::Operand;
use super::outcome::{Contact, Impact, SweepOutcome};
use super::trace::{Role, Step};
use crate::core::shape::{Aabb, Compound, Mesh, Obb, Pose, Triangle};
use crate::core::tolerance::{BOUND_ULPS, EARLY_OUT_SHARE, EARLY_OUT_SINE};
use glam::{DMat3, DVec3};
use smallvec::SmallVec;

/// A shape of many convex parts, in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Composite<'s> {
    Mesh(&'s Mesh, Pose),
    Compound(&'s Compound, Pose),
}

/// What encloses the shape that a composite is queried with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub bounds: Aabb,
    /// A sphere around the shape.
    pub center: DVec3,
    pub radius: f64,
}

impl Extent {
    /// Of a shape known by its box alone.
    pub fn of(bounds: Aabb) -> Self {
        Self {
            bounds,
            center: bounds.center(),
            radius: bounds.half_extents().length(),
        }
    }
}

/// What a query found over all parts.
pub(crate) struct Best<R, I = u32> {
    /// The answer that comes first, and the index of its part.
    pub found: Option<(R, I)>,
    /// Parts that the query was run on.
    pub tested: u32,
}

impl<R, I: Ord> Best<R, I> {
    const NONE: Self = Self {
        found: None,
        tested: 0,
    };

    /// Keeps an answer whose key is less than that of the one kept; of equal keys that of the lower index.
    fn keep<const N: usize>(&mut self, found: R, index: I, key: impl Fn(&R) -> [f64; N]) {
        let comes_first = self.found.as_ref().is_none_or(|(known, number)| {
            let by_key = key(&found)
                .iter()
                .zip(&key(known))
                .map(|(one, other)| one.total_cmp(other))
                .find(|order| order.is_ne());
            by_key.unwrap_or_else(|| index.cmp(number)).is_lt()
        });
        if comes_first {
            self.found = Some((found, index));
        }
    }
}

impl<'s> Composite<'s> {
    /// The deepest contact with any part. Without an extent all parts are tested, as by the other operations.
    pub fn deepest(
        &self,
        other: Option<&Extent>,
        mut contact: impl FnMut(Operand<'s>) -> Option<Contact>,
    ) -> Best<Contact> {
        let mut best = Best::NONE;
        let mut visit = |index: u32| {
            let Some(part) = self.part_near(index, other) else {
                return;
            };
            best.tested += 1;
            if let Some(found) = contact(part) {
                best.keep(found, index, |contact| [-contact.depth]);
            }
        };
        match other {
            Some(other) => self.for_each_in(&other.bounds.grown_for_rounding(), &mut visit),
            None => (0..self.count() as u32).for_each(visit),
        }
        best
    }

    /// Whether any part touches.
    pub fn any(
        &self,
        other: Option<&Extent>,
        mut touches: impl FnMut(Operand<'s>) -> bool,
    ) -> bool {
        let mut found = false;
        self.deepest(other, |part| {
            found = found || touches(part);
            None
        });
        found
    }

    /// The part with the least key, a distance first, of those that come within a limit of the other shape as it moves. The query is
    /// given the least distance so far. Less than `enough` ends it.
    pub fn nearest<R>(
        &self,
        other: Option<&Extent>,
        (displacement, [enough, limit]): (DVec3, [f64; 2]),
        mut query: impl FnMut(Operand<'s>, f64) -> Option<R>,
        key: impl Fn(&R) -> [f64; 2],
    ) -> Best<R> {
        let mut best = Best::NONE;
        let least = |best: &Best<R>| {
            best.found
                .as_ref()
                .map_or(limit, |(known, _)| key(known)[0])
        };
        let path = other.map(|Extent { bounds, .. }| Aabb {
            min: bounds.min + displacement.min(DVec3::ZERO),
            max: bounds.max + displacement.max(DVec3::ZERO),
        });
        let mut visit = |index: u32| {
            let limit = least(&best);
            let apart = |path: &Aabb| {
                let near = path.grown(limit.max(0.0)).grown_for_rounding();
                !near.overlaps(&self.bounds_of(index))
            };
            if path.as_ref().is_some_and(apart) {
                return rest(limit, enough);
            }
            best.tested += 1;
            // Of overlaps the deepest counts, whichever was found first: all are exact.
            if let Some(found) = query(self.part(index), limit.max(0.0)) {
                best.keep(found, index, &key);
            }
            rest(least(&best), enough)
        };
        match other {
            Some(&Extent { center, radius, .. }) => self.for_each_near(
                center,
                center + displacement,
                limit + radius,
                &mut |index| visit(index) + radius,
            ),
            None => (0..self.count() as u32).for_each(|index| {
                visit(index);
            }),
        }
        best
    }

    /// As [`Self::nearest`] for two meshes at rest; the query is given a triangle of the other and one of this. `None` for others.
    pub fn nearest_pair<R>(
        &self,
        other: &Self,
        [enough, limit]: [f64; 2],
        mut query: impl FnMut(Operand<'s>, Operand<'s>, f64) -> Option<R>,
        key: impl Fn(&R) -> f64,
    ) -> Option<Best<R>> {
        let (Self::Mesh(mesh, pose), Self::Mesh(second, at)) = (self, other) else {
            return None;
        };
        let relative = pose.to_local(at);
        let axes = relative.axes();
        let spread = DMat3::from_cols(axes.x_axis.abs(), axes.y_axis.abs(), axes.z_axis.abs());
        let to_own = |bounds: &Aabb| {
            let center = relative.position + axes * bounds.center();
            let half = spread * bounds.half_extents();
            Aabb {
                min: center - half,
                max: center + half,
            }
        };
        let size = |mesh: &Mesh| largest([mesh.aabb().min, mesh.aabb().max]);
        let rounding = 32.0
            * f64::EPSILON
            * (largest([pose.position, at.position]) + size(mesh) + size(second));
        let mut best = Best::NONE;
        let least = |best: &Best<R, (u32, u32)>| {
            let found = best.found.as_ref();
            found.map_or(limit, |(known, _)| rest(key(known), enough))
        };
        mesh.for_each_pair_near(second, &to_own, limit + rounding, &mut |one, two| {
            let indices = (one, two);
            let [one, two] = [
                mesh.triangle(one).transformed(pose),
                second.triangle(two).transformed(at),
            ];
            let limit = least(&best);
            let is_far = is_beyond(&one, [two.a, two.b, two.c], limit)
                || is_beyond(&two, [one.a, one.b, one.c], limit);
            if !is_far {
                best.tested += 1;
                let parts = (Operand::triangle(two), Operand::triangle(one));
                if let Some(found) = query(parts.0, parts.1, limit) {
                    best.keep(found, indices, |found| [key(found)]);
                }
            }
            least(&best) + rounding
        });
        Some(Best {
            found: best.found.map(|(found, (index, _))| (found, index)),
            tested: best.tested,
        })
    }

    /// The earliest hit of any part by a shape that moves by a displacement; the deepest overlap at the start comes first. No part for a
    /// miss. What touches later than the fraction that the sweep is given may miss, and of overlaps up to `shallow` any may be the one.
    pub fn earliest(
        &self,
        other: Option<&Extent>,
        (displacement, shallow): (DVec3, f64),
        mut sweep: impl FnMut(Operand<'s>, f64) -> SweepOutcome,
    ) -> Best<SweepOutcome> {
        // Until its box could be hit, no part is.
        let mut ahead: SmallVec<[(f64, u32); 32]> = SmallVec::new();
        match other {
            Some(other) => {
                let end = other.center + displacement;
                self.for_each_along(other.center, end, other.radius, &mut |index| {
                    let entry = entry_of_box(&other.bounds, &self.bounds_of(index), displacement);
                    ahead.extend(entry.map(|entry| (entry, index)));
                });
            }
            None => ahead.extend((0..self.count() as u32).map(|index| (0.0, index))),
        }
        ahead.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let mut best = Best::NONE;
        for (entry, index) in ahead {
            let until = match best.found {
                // Of which none need be the deepest.
                Some((SweepOutcome::Overlapping { .. }, _)) if shallow == f64::INFINITY => break,
                Some((SweepOutcome::Overlapping { .. }, _)) => 0.0,
                Some((SweepOutcome::Hits(impact), _)) => impact.fraction,
                _ => 1.0,
            };
            if entry > until {
                break;
            }
            best.tested += 1;
            let found = sweep(self.part(index), until);
            if found != SweepOutcome::Misses {
                best.keep(found, index, order_of);
            }
        }
        best
    }

    /// True for a compound: beside a mesh, its few parts are gone through, not the triangles.
    pub fn is_compound(&self) -> bool {
        matches!(self, Self::Compound(..))
    }

    /// World bounds: a box around the rotated local box.
    pub fn aabb(&self) -> Aabb {
        match self {
            Self::Mesh(mesh, pose) => mesh.aabb_at(pose),
            Self::Compound(compound, pose) => compound.aabb().at(pose),
        }
    }

    /// Parts, roughly what a query against all of them costs.
    pub fn count(&self) -> usize {
        match self {
            Self::Mesh(mesh, _) => mesh.count(),
            Self::Compound(compound, _) => compound.parts().len(),
        }
    }

    /// Parts that have an inside: those of a compound.
    pub fn solids(&self) -> usize {
        if self.is_compound() { self.count() } else { 0 }
    }

    /// One part in the world.
    pub fn part(&self, index: u32) -> Operand<'s> {
        match self {
            Self::Mesh(mesh, pose) => Operand::triangle(mesh.triangle(index).transformed(pose)),
            Self::Compound(compound, pose) => {
                let part = &compound.parts()[index as usize];
                Operand::of_placed(&part.shape.placed(&pose.then(&part.pose)))
            }
        }
    }

    /// The number of a mesh's triangle; parts of a compound have none.
    pub fn triangle(&self, index: u32) -> Option<u32> {
        matches!(self, Self::Mesh(..)).then_some(index)
    }

    /// The step that names the part that decides.
    pub fn decided_by(&self, index: u32, role: Role) -> Step {
        let kind = match self {
            Self::Mesh(..) => "Triangle",
            Self::Compound(compound, _) => compound.parts()[index as usize].shape.kind_name(),
        };
        Step::Part { index, kind, role }
    }

    /// World bounds of one part.
    #[inline]
    pub fn bounds_of(&self, index: u32) -> Aabb {
        match self {
            Self::Mesh(mesh, pose) => mesh.triangle(index).transformed(pose).aabb(),
            Self::Compound(..) => self.part(index).aabb(),
        }
    }

    /// One part in the world; `None` when it surely lies apart from the sphere of an extent.
    #[inline]
    fn part_near(&self, index: u32, other: Option<&Extent>) -> Option<Operand<'s>> {
        match (self, other) {
            (Self::Mesh(mesh, pose), Some(other)) => {
                let triangle = mesh.triangle(index).transformed(pose);
                let apart = is_beyond(&triangle, [other.center], other.radius);
                (!apart).then(|| Operand::triangle(triangle))
            }
            _ => Some(self.part(index)),
        }
    }

    /// Visits the index of every part whose box overlaps a world region, and may be of a few more.
    pub fn for_each_in(&self, region: &Aabb, visit: &mut impl FnMut(u32)) {
        match self {
            Self::Mesh(mesh, pose) => mesh.for_each_in(&to_local(region, pose), visit),
            Self::Compound(compound, pose) => compound
                .parts_in(Some(&to_local(region, pose)))
                .into_iter()
                .filter(|&index| self.bounds_of(index).overlaps(region))
                .for_each(visit),
        }
    }

    /// Visits the index of every part that may come within `radius` of a straight world path, and a few more.
    pub fn for_each_along(&self, from: DVec3, to: DVec3, radius: f64, visit: &mut impl FnMut(u32)) {
        match self {
            Self::Mesh(mesh, pose) => {
                let ends = [from, to].map(|end| pose.point_to_local(end));
                let rounding =
                    16.0 * f64::EPSILON * (largest(ends) + largest([from, pose.position]));
                mesh.for_each_along(ends[0], ends[1], radius + rounding, &mut |index, _| {
                    visit(index)
                });
            }
            Self::Compound(..) => self.for_each_in(&around(from, to, radius), visit),
        }
    }

    /// Visits parts roughly from near to far around a straight world path, leaving out what lies farther away than the
    /// limit, metres. `visit` answers with the limit from there on.
    pub fn for_each_near(
        &self,
        from: DVec3,
        to: DVec3,
        limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        match self {
            Self::Mesh(mesh, pose) => {
                let ends = [from, to].map(|end| pose.point_to_local(end));
                let rounding =
                    16.0 * f64::EPSILON * (largest(ends) + largest([from, pose.position]));
                mesh.for_each_near_way(ends[0], ends[1], limit + rounding, &mut |index| {
                    visit(index) + rounding
                });
            }
            Self::Compound(compound, pose) => {
                let mut limit = limit;
                let region = || to_local(&around(from, to, limit), pose);
                let region = limit.is_finite().then(region);
                for index in compound.parts_in(region.as_ref()) {
                    if around(from, to, limit).overlaps(&self.bounds_of(index)) {
                        limit = visit(index);
                    }
                }
            }
        }
    }
}

/// Up to which distance parts are of interest once one is known.
fn rest(known: f64, enough: f64) -> f64 {
    if known < enough {
        f64::NEG_INFINITY
    } else {
        known.max(0.0)
    }
}

/// True when all of some points surely lie on one side of a triangle's plane, farther away than `reach`.
#[inline]
fn is_beyond<const N: usize>(triangle: &Triangle, points: [DVec3; N], reach: f64) -> bool {
    let Triangle { a, b, c, .. } = *triangle;
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let square = normal.length_squared();
    // Rounding is far less, but for slivers, which are left to the query.
    if square <= EARLY_OUT_SINE * EARLY_OUT_SINE * ab.length_squared() * ac.length_squared() {
        return false;
    }
    let heights = points.map(|point| (point - a).dot(normal));
    let size = points
        .iter()
        .fold(a.abs(), |size, point| size.max(point.abs()))
        .max_element()
        + largest([ab, ac]);
    let reach = reach + EARLY_OUT_SHARE * (reach + size);
    let beyond = reach * reach * square * (1.0 + EARLY_OUT_SHARE);
    heights
        .iter()
        .all(|height| height * heights[0] > 0.0 && height * height > beyond)
}

/// Overlaps before hits before grazes before misses; the deeper or the earlier first.
fn order_of(outcome: &SweepOutcome) -> [f64; 2] {
    match *outcome {
        SweepOutcome::Overlapping { depth } => [0.0, -depth],
        SweepOutcome::Hits(Impact { fraction, .. }) => [1.0, fraction],
        SweepOutcome::Grazes { fraction } => [2.0, fraction],
        SweepOutcome::Misses => [3.0, 0.0],
    }
}

/// A fraction before which two boxes do not touch, the first of which moves by `displacement`; `None` when they never do.
fn entry_of_box(a: &Aabb, b: &Aabb, displacement: DVec3) -> Option<f64> {
    let largest = a
        .min
        .abs()
        .max(a.max.abs())
        .max(b.min.abs())
        .max(b.max.abs())
        .max_element();
    let slack = 2.0 * BOUND_ULPS * f64::EPSILON * (largest + displacement.abs().max_element());
    let (mut begin, mut end) = (0.0_f64, 1.0_f64);
    for axis in 0..3 {
        let (below, above) = (
            b.min[axis] - a.max[axis] - slack,
            b.max[axis] - a.min[axis] + slack,
        );
        let along = displacement[axis];
        if along == 0.0 {
            if below > 0.0 || above < 0.0 {
                return None;
            }
            continue;
        }
        let (one, other) = (below / along, above / along);
        begin = begin.max(one.min(other));
        end = end.min(one.max(other));
    }
    (begin <= end).then_some(begin)
}

/// A box around all that is within `radius` of a straight path, rounding included.
fn around(from: DVec3, to: DVec3, radius: f64) -> Aabb {
    let path = Aabb {
        min: from.min(to),
        max: from.max(to),
    };
    path.grown_for_rounding().grown(radius)
}

fn largest(points: [DVec3; 2]) -> f64 {
    points[0].abs().max(points[1].abs()).max_element()
}

/// A box in the local space of a pose that holds a world region, rounding included.
fn to_local(region: &Aabb, pose: &Pose) -> Aabb {
    let region = region.grown_for_rounding();
    let local = Obb {
        center: pose.point_to_local(region.center()),
        half_extents: region.half_extents(),
        rotation: pose.rotation.conjugate(),
    };
    let rounding = largest([region.min, region.max]).max(largest([pose.position, DVec3::ZERO]));
    local.aabb().grown(16.0 * f64::EPSILON * rounding)
}
