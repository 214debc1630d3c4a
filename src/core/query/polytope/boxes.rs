//! Two boxes: fifteen axes in the boxes' own frames (Gottschalk et al. 1996; Ericson 2005, 4.4.1), with the least push.
//!
//! On each axis the distance of the centres stands against the sum of both reaches. In the frame of one box its own reach is
//! an extent and the other's a row of the matrix of cosines; on the cross product of an edge of each, two products of either.
//! All fifteen are asked at once, as no processor guesses which of them parts a pair; nothing is normalised or rooted before
//! no axis parts the boxes, and then only for the axis that is the push.

use super::super::in_range::is_refused;
use super::super::{Contact, Trace};
use super::Polytope;
use super::box_axes::BoxAxis;
use super::box_look::{BoxLook, Frame};
use super::box_push::Push;
use super::cuboid::{Cuboid, skew};
use super::exact_pair::{ExactPair, Relation};
use super::witness::{Meeting, meeting_of};
use crate::core::shape::Obb;
use crate::core::tolerance::{
    BALL_SHARE, FACE_PREFERENCE, LARGEST_NUMBER, NEARLY_UNIT, PLACE_ROUNDING, SMALLEST_BALL_SQUARE,
    SQUARE_ENOUGH,
};
use glam::{DMat3, DVec3};

/// The contact of two boxes with the least push; `None` when they are apart. Touching counts, with depth 0.
///
/// Exact for the parallelepipeds that centre, half extents and the rotation's matrix span. Where an edge axis is hardly
/// shorter than a face, the face is taken, so that what rests on a face is pushed along it.
#[inline(always)]
pub fn contact_obb_obb(a: &Obb, b: &Obb, trace: &mut impl Trace) -> Option<Contact> {
    if !trace.is_heard() && are_far(a, b) {
        return None;
    }
    if !are_small(a, b) && are_refused(*a, *b, trace) {
        return None;
    }
    contact_near_obbs(a, b, trace)
}

/// Takes copies, so that the boxes of all others need not be in memory.
#[cold]
#[inline(never)]
fn are_refused(a: Obb, b: Obb, trace: &mut impl Trace) -> bool {
    is_refused(&[&a, &b], trace)
}

/// Are all numbers in range? One look; `false` where they may be nevertheless.
#[inline(always)]
fn are_small(a: &Obb, b: &Obb) -> bool {
    let size = |obb: &Obb| {
        let vectors = obb.center.abs() + obb.half_extents.abs();
        vectors.x + vectors.y + vectors.z
    };
    (size(a) + size(b) <= LARGEST_NUMBER) & is_nearly_unit(a) & is_nearly_unit(b)
}

#[inline(always)]
fn is_nearly_unit(obb: &Obb) -> bool {
    (obb.rotation.length_squared() - 1.0).abs() < NEARLY_UNIT
}

/// Are two boxes surely apart, by the balls around them alone?
#[inline(always)]
fn are_far(a: &Obb, b: &Obb) -> bool {
    let halves = [a.half_extents, b.half_extents];
    balls_part(a.center - b.center, halves) & is_nearly_unit(a) & is_nearly_unit(b)
}

/// Do the balls around two boxes part them? Without a root: d d - r r - s s stands against 2 r s, with the distance d and the
/// radii r and s.
///
/// Of d d a share of 2^-11 is left for rounding, which is far less, and for axes that are not quite unit or not quite square: such
/// a box reaches farther than its ball by a share of some [`NEARLY_UNIT`].
#[inline(always)]
fn balls_part(between: DVec3, halves: [DVec3; 2]) -> bool {
    let squares = [halves[0].length_squared(), halves[1].length_squared()];
    let distance = between.length_squared() * (1.0 - BALL_SHARE);
    let beyond = distance - (squares[0] + squares[1] + SMALLEST_BALL_SQUARE);
    (beyond > 0.0) & (beyond * beyond > 4.0 * (squares[0] * squares[1]))
}

/// The contact of boxes that may touch. Inlined, so that what is known of both need not be written and read again.
#[inline(always)]
fn contact_near_obbs(a: &Obb, b: &Obb, trace: &mut impl Trace) -> Option<Contact> {
    let solid = |obb: &Obb| obb.half_extents.cmpgt(DVec3::ZERO).all();
    if !(solid(a) & solid(b)) {
        return contact_flat(*a, *b, trace);
    }
    let place = |obb: &Obb| Place {
        center: obb.center,
        half: obb.half_extents,
        skew: skew(obb),
    };
    let frame = |obb: &Obb| {
        let axes = DMat3::from_quat(obb.rotation);
        Frame::new([axes.x_axis, axes.y_axis, axes.z_axis], obb.half_extents)
    };
    contact_frames([place(a), place(b)], frame(a), frame(b), trace)
}

#[cold]
fn contact_flat(a: Obb, b: Obb, trace: &mut impl Trace) -> Option<Contact> {
    let (a, b) = (Polytope::from_obb(&a), Polytope::from_obb(&b));
    super::contact_polytope_polytope(&a, &b, trace)
}

/// For boxes with three extents.
pub(super) fn contact_cuboids(a: &Cuboid, b: &Cuboid, trace: &mut impl Trace) -> Option<Contact> {
    let square = a.skew + b.skew < NEARLY_UNIT;
    if !trace.is_heard() && square && balls_part(a.center - b.center, [a.half, b.half]) {
        return None;
    }
    let place = |body: &Cuboid| Place {
        center: body.center,
        half: body.half,
        skew: body.skew,
    };
    let frame = |body: &Cuboid| Frame::new(body.axes, body.half);
    contact_frames([place(a), place(b)], frame(a), frame(b), trace)
}

/// A box but for its axes.
#[derive(Clone, Copy)]
struct Place {
    center: DVec3,
    half: DVec3,
    skew: f64,
}

/// All axes are asked; what no axis parts is handed on.
#[inline(always)]
fn contact_frames(
    places: [Place; 2],
    a: Frame,
    b: Frame,
    trace: &mut impl Trace,
) -> Option<Contact> {
    let between = places[0].center - places[1].center;
    let look = BoxLook::new(a, b, between);
    let skew = places[0].skew + places[1].skew;
    // Not less than both radii, without a root.
    let reach = places[0].half.element_sum() + places[1].half.element_sum();
    // A trace is told by which axis; nobody else is. What is no number is not near either.
    let near = look.least() >= -noise(between, reach, skew);
    if !trace.is_heard() && !near {
        return None;
    }
    let mut near = Near {
        look,
        between,
        skew,
    };
    near.contact(&places, trace)
}

/// Two boxes that most likely touch.
struct Near {
    look: BoxLook,
    /// From b's center to a's.
    between: DVec3,
    skew: f64,
}

impl Near {
    #[inline(never)]
    fn contact(&mut self, places: &[Place; 2], trace: &mut impl Trace) -> Option<Contact> {
        let radii = places[0].half.length() + places[1].half.length();
        let noise = noise(self.between, radii, self.skew);
        let least = self.look.least();
        let apart = if trace.is_heard() {
            !self.tell(radii, noise, trace)
        } else {
            least < -noise
        };
        if apart || !noise.is_finite() {
            return None;
        }
        let parallel = self.look.has_parallel();
        let doubts = if least <= noise || parallel {
            self.look.doubts(noise)
        } else {
            0
        };
        if parallel {
            self.look.leave_parallel_out();
        }
        let push = Push::least(&self.look, FACE_PREFERENCE * radii);
        let meeting = self.meeting(places, &push);
        let depth = if doubts == 0 || self.shares(places, noise, &push, meeting.point) {
            push.depth
        } else {
            self.exact_depth(places, doubts, push.depth, noise, trace)?
        };
        Some(push.contact(places[1].center, depth, &meeting, trace))
    }

    #[inline(always)]
    fn meeting(&self, places: &[Place; 2], push: &Push) -> Meeting {
        let meeting = if self.skew <= SQUARE_ENOUGH {
            push.meeting(&self.look, self.between)
        } else {
            None
        };
        match meeting {
            Some(meeting) => meeting,
            None => self.meeting_of_parts(places, push.normal),
        }
    }

    fn cuboids(&self, places: &[Place; 2]) -> [Cuboid; 2] {
        [0, 1].map(|which: usize| Cuboid {
            center: places[which].center,
            axes: self.look.frames[which].axes(),
            half: places[which].half,
            skew: places[which].skew,
        })
    }

    /// Whatever parts meet.
    #[cold]
    fn meeting_of_parts(&self, places: &[Place; 2], normal: DVec3) -> Meeting {
        let [a, b] = self.cuboids(places);
        let parts = (a.support(-normal), b.support(normal));
        meeting_of(parts, self.between, normal, b.reach(normal))
    }

    /// Is the middle of the overlap inside both, by more than rounding? Then no axis parts them.
    #[cold]
    fn shares(&self, places: &[Place; 2], noise: f64, push: &Push, on_b: DVec3) -> bool {
        let [a, b] = self.cuboids(places);
        let middle = on_b - push.normal * (0.5 * push.depth);
        b.holds(middle, noise) && a.holds(middle - self.between, noise)
    }

    #[cold]
    fn exact_depth(
        &self,
        places: &[Place; 2],
        doubts: u32,
        depth: f64,
        noise: f64,
        trace: &mut impl Trace,
    ) -> Option<f64> {
        let [a, b] = self.cuboids(places);
        trace.step("DecidedExactly", &[("noise", noise)]);
        match ExactPair::relation_of_boxes([&a, &b], doubts) {
            Relation::Apart => {
                trace.step("separated by less than rounding", &[]);
                None
            }
            Relation::Touching => Some(0.0),
            Relation::Overlapping => Some(depth.max(f64::MIN_POSITIVE)),
        }
    }

    /// Says how they lie, until something parts them; whether nothing does.
    #[cold]
    fn tell(&self, radii: f64, noise: f64, trace: &mut impl Trace) -> bool {
        let distance = self.between.length();
        if distance > radii + noise {
            trace.step("SpheresApart", &[("distance", distance), ("radii", radii)]);
            return false;
        }
        BoxAxis::all_in(u32::MAX).all(|axis| self.tell_axis(axis, noise, trace))
    }

    fn tell_axis(&self, axis: BoxAxis, noise: f64, trace: &mut impl Trace) -> bool {
        let look = &self.look;
        let [a, b] = &look.frames;
        // Of cross products the length is taken out.
        let (length, name, direction) = match axis {
            BoxAxis::Edges(i, j) if look.is_parallel(i, j) => return true,
            BoxAxis::Edges(i, j) => {
                let cross = a.axis(i).cross(b.axis(j));
                let length = look.square(i, j).sqrt();
                (length, "edge axis", cross / cross.length())
            }
            BoxAxis::FaceOfA(i) => (1.0, "face axis", a.axis(i)),
            BoxAxis::FaceOfB(j) => (1.0, "face axis", b.axis(j)),
        };
        let apart = look.overlap(axis) < -noise;
        let (reach, center) = (look.reach(axis), look.center(axis));
        trace.step(
            if apart { "separating axis" } else { name },
            &[
                ("forward", (reach - center) / length),
                ("backward", (reach + center) / length),
                ("x", direction.x),
                ("y", direction.y),
                ("z", direction.z),
            ],
        );
        !apart
    }
}

/// Metres within which rounding, and axes that are not quite square, could turn a verdict.
#[inline]
pub(super) fn noise(between: DVec3, reach: f64, skew: f64) -> f64 {
    let size = between.x.abs() + between.y.abs() + between.z.abs() + reach;
    // The smallest numbers round by more than their share.
    size * (PLACE_ROUNDING + 4.0 * skew) + f64::MIN_POSITIVE
}
