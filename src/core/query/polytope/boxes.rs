//! Two boxes: fifteen axes in the boxes' own frames (Gottschalk et al. 1996; Ericson 2005, 4.4.1), with the least push.
//!
//! On each axis the distance of the centres stands against the sum of both reaches. In the frame of one box its own reach is
//! an extent and the other's a row of the matrix of cosines; on the cross product of an edge of each, two products of either.
//! Nothing is normalised, rooted or named before no axis parts the boxes, and then only for an axis that may be the push.

use super::super::{Contact, Trace};
use super::Polytope;
use super::box_axes::{BoxAxis, Frames, PARALLEL, is_parallel};
use super::cuboid::{Cuboid, skew};
use super::exact_pair::{ExactPair, Relation};
use super::witness::meeting_of;
use crate::core::shape::Obb;
use crate::core::tolerance::{FACE_PREFERENCE, PLACE_ROUNDING};
use glam::DVec3;

/// The contact of two boxes with the least push; `None` when they are apart. Touching counts, with depth 0.
///
/// Exact for the parallelepipeds that centre, half extents and the rotation's matrix span. Where an edge axis is hardly
/// shorter than a face, the face is taken, so that what rests on a face is pushed along it.
pub fn contact_obb_obb(a: &Obb, b: &Obb, trace: &mut impl Trace) -> Option<Contact> {
    let solid = |obb: &Obb| obb.half_extents.cmpgt(DVec3::ZERO).all();
    if solid(a) && solid(b) {
        let halves = [a.half_extents, b.half_extents];
        let near = Near::of(a.center - b.center, halves, skew(a) + skew(b), trace)?;
        return contact_near(&Cuboid::of(a), &Cuboid::of(b), &near, trace);
    }
    let (a, b) = (Polytope::from_obb(a), Polytope::from_obb(b));
    super::contact_polytope_polytope(&a, &b, trace)
}

/// For boxes with three extents.
pub(super) fn contact_cuboids(a: &Cuboid, b: &Cuboid, trace: &mut impl Trace) -> Option<Contact> {
    let between = a.center - b.center;
    let near = Near::of(between, [a.half, b.half], a.skew + b.skew, trace)?;
    contact_near(a, b, &near, trace)
}

/// Two boxes whose spheres touch.
struct Near {
    /// From b's center to a's.
    between: DVec3,
    /// Both radii.
    reach: f64,
    noise: f64,
}

impl Near {
    /// `None` where the spheres are apart, or a number is not finite.
    #[inline]
    fn of(between: DVec3, halves: [DVec3; 2], skew: f64, trace: &mut impl Trace) -> Option<Self> {
        let reach = halves[0].length() + halves[1].length();
        let noise = noise(between, reach, skew);
        let (distance, beyond) = (between.length_squared(), reach + noise);
        if !noise.is_finite() {
            return None;
        }
        if distance > beyond * beyond {
            let numbers = [("distance", distance.sqrt()), ("radii", reach)];
            trace.step("SpheresApart", &numbers);
            return None;
        }
        Some(Self {
            between,
            reach,
            noise,
        })
    }
}

fn contact_near(a: &Cuboid, b: &Cuboid, near: &Near, trace: &mut impl Trace) -> Option<Contact> {
    let between = near.between;
    let mut search = Search {
        a,
        b,
        between,
        frames: Frames::of(a, b, between),
        noise: near.noise,
        least: Least::new(FACE_PREFERENCE * near.reach),
        doubts: 0,
    };
    // A trace is told by which axis; nobody else is.
    if !trace.is_heard() && (search.a_face_parts() || search.an_edge_parts()) {
        return None;
    }
    search.faces(trace)?;
    search.edges(trace)?;
    search.contact(trace)
}

/// Metres within which rounding, and axes that are not quite square, could turn a verdict.
pub(super) fn noise(between: DVec3, reach: f64, skew: f64) -> f64 {
    let size = between.x.abs() + between.y.abs() + between.z.abs() + reach;
    // The smallest numbers round by more than their share.
    size * (PLACE_ROUNDING + 4.0 * skew) + f64::MIN_POSITIVE
}

/// The axes as they are gone through.
struct Search<'p> {
    a: &'p Cuboid,
    b: &'p Cuboid,
    between: DVec3,
    frames: Frames,
    noise: f64,
    least: Least,
    /// The axes on which rounding could decide.
    doubts: u32,
}

/// The least push so far.
struct Least {
    depth: f64,
    axis: BoxAxis,
    /// Of the centres along the axis.
    center: f64,
    of_face: bool,
    /// What an edge must be shorter than a face.
    slack: f64,
}

impl Least {
    fn new(slack: f64) -> Self {
        Self {
            depth: f64::INFINITY,
            axis: BoxAxis::FaceOfB(1),
            center: 0.0,
            of_face: true,
            slack,
        }
    }
}

impl Search<'_> {
    /// Does one of the six face axes part them? All are asked before the one jump, as no processor guesses which it is.
    #[inline]
    fn a_face_parts(&self) -> bool {
        let Self { a, b, frames, .. } = self;
        let of_b = |j: usize| frames.reach_on_b(a, b, j) - frames.of_b[j].abs();
        let of_a = |i: usize| frames.reach_on_a(a, b, i) - frames.of_a[i].abs();
        let apart = |overlap: f64| overlap < -self.noise;
        (apart(of_b(0)) | apart(of_b(1)) | apart(of_b(2)))
            | (apart(of_a(0)) | apart(of_a(1)) | apart(of_a(2)))
    }

    /// The same of the nine edge axes.
    #[inline]
    fn an_edge_parts(&self) -> bool {
        let Self { a, b, frames, .. } = self;
        let apart = |i: usize, j: usize| {
            let center = frames.along_edges(&frames.of_a, i, j);
            let overlap = frames.reach_on_edges(a, b, i, j) - center.abs();
            (overlap < -self.noise) & (frames.square(i, j) > PARALLEL)
        };
        let of_edge = |i: usize| apart(i, 0) | apart(i, 1) | apart(i, 2);
        of_edge(0) | of_edge(1) | of_edge(2)
    }

    fn faces(&mut self, trace: &mut impl Trace) -> Option<()> {
        self.face_of_b::<0>(trace)?;
        self.face_of_b::<1>(trace)?;
        self.face_of_b::<2>(trace)?;
        self.face_of_a::<0>(trace)?;
        self.face_of_a::<1>(trace)?;
        self.face_of_a::<2>(trace)
    }

    #[inline]
    fn face_of_b<const J: usize>(&mut self, trace: &mut impl Trace) -> Option<()> {
        let reach = self.frames.reach_on_b(self.a, self.b, J);
        let center = self.frames.of_b[J];
        self.face(BoxAxis::FaceOfB(J), center, reach, true, trace)
    }

    #[inline]
    fn face_of_a<const I: usize>(&mut self, trace: &mut impl Trace) -> Option<()> {
        let reach = self.frames.reach_on_a(self.a, self.b, I);
        let center = self.frames.of_a[I];
        // One that b has too would say the same.
        let new = (0..3).all(|j| self.frames.square(I, j) > PARALLEL);
        self.face(BoxAxis::FaceOfA(I), center, reach, new, trace)
    }

    #[inline]
    fn face(
        &mut self,
        axis: BoxAxis,
        center: f64,
        reach: f64,
        new: bool,
        trace: &mut impl Trace,
    ) -> Option<()> {
        let overlap = reach - center.abs();
        self.told(axis, overlap, [reach, center], "face axis", trace)?;
        let tie = center == 0.0 && overlap == self.least.depth;
        if new && (overlap < self.least.depth || tie && self.points_up(axis)) {
            self.least.depth = overlap;
            self.least.axis = axis;
            self.least.center = center;
        }
        Some(())
    }

    /// Whether an axis parts them; says so, and remembers a doubt.
    #[inline(always)]
    fn told(
        &mut self,
        axis: BoxAxis,
        overlap: f64,
        [reach, center]: [f64; 2],
        name: &'static str,
        trace: &mut impl Trace,
    ) -> Option<()> {
        let apart = overlap < -self.noise;
        if overlap <= self.noise {
            self.doubts |= axis.bit();
        }
        if !trace.is_heard() {
            return if apart { None } else { Some(()) };
        }
        let direction = axis.direction(self.a, self.b);
        // Of cross products the length is taken out.
        let length = match axis {
            BoxAxis::Edges(i, j) => self.frames.square(i, j).sqrt(),
            BoxAxis::FaceOfA(_) | BoxAxis::FaceOfB(_) => 1.0,
        };
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
        if apart { None } else { Some(()) }
    }

    /// Of two axes, either way along which is as short, the one that points up.
    #[cold]
    fn points_up(&self, axis: BoxAxis) -> bool {
        let (normal, _) = self.least.normal(self.a, self.b);
        axis.direction(self.a, self.b).y.abs() > normal.y
    }

    fn edges(&mut self, trace: &mut impl Trace) -> Option<()> {
        self.edge::<0, 0>(trace)?;
        self.edge::<0, 1>(trace)?;
        self.edge::<0, 2>(trace)?;
        self.edge::<1, 0>(trace)?;
        self.edge::<1, 1>(trace)?;
        self.edge::<1, 2>(trace)?;
        self.edge::<2, 0>(trace)?;
        self.edge::<2, 1>(trace)?;
        self.edge::<2, 2>(trace)
    }

    #[inline]
    fn edge<const I: usize, const J: usize>(&mut self, trace: &mut impl Trace) -> Option<()> {
        let axis = BoxAxis::Edges(I, J);
        let square = self.frames.square(I, J);
        if square <= PARALLEL {
            if !is_parallel(self.a.axes[I], self.b.axes[J]) {
                self.doubts |= axis.bit();
            }
            return Some(());
        }
        let center = self.frames.along_edges(&self.frames.of_a, I, J);
        let reach = self.frames.reach_on_edges(self.a, self.b, I, J);
        let overlap = reach - center.abs();
        self.told(axis, overlap, [reach, center], "edge axis", trace)?;
        let slack = if self.least.of_face {
            self.least.slack
        } else {
            0.0
        };
        let limit = self.least.depth - slack;
        // `overlap / sine < limit`; the root only where it may be so.
        if limit > 0.0 && overlap * overlap < limit * limit * square {
            self.least.depth = overlap.max(0.0) / square.sqrt();
            self.least.axis = axis;
            self.least.center = center;
            self.least.of_face = false;
        }
        Some(())
    }

    fn contact(self, trace: &mut impl Trace) -> Option<Contact> {
        let Self { a, b, least, .. } = &self;
        let (normal, fallback) = least.normal(a, b);
        let parts = (a.support(-normal), b.support(normal));
        let meeting = meeting_of(parts, self.between, normal, b.reach(normal));
        let depth = if self.doubts == 0 || self.shares(meeting.point, normal) {
            least.depth
        } else {
            self.exact_depth(trace)?
        };
        trace.step(
            "least push",
            &[
                ("depth", depth),
                ("x", normal.x),
                ("y", normal.y),
                ("z", normal.z),
            ],
        );
        Some(Contact {
            point: b.center + meeting.point,
            normal,
            depth,
            feature_a: meeting.feature_a,
            feature_b: meeting.feature_b,
            triangle: None,
            fallback,
            via_bounding_sphere: false,
        })
    }

    /// Is the middle of the overlap inside both, by more than rounding? Then no axis parts them.
    #[cold]
    fn shares(&self, on_b: DVec3, normal: DVec3) -> bool {
        let point = on_b - normal * (0.5 * self.least.depth);
        self.b.holds(point, self.noise) && self.a.holds(point - self.between, self.noise)
    }

    #[cold]
    fn exact_depth(&self, trace: &mut impl Trace) -> Option<f64> {
        trace.step("DecidedExactly", &[("noise", self.noise)]);
        match ExactPair::relation_of_boxes([self.a, self.b], self.doubts) {
            Relation::Apart => {
                trace.step("separated by less than rounding", &[]);
                None
            }
            Relation::Touching => Some(0.0),
            Relation::Overlapping => Some(self.least.depth.max(f64::MIN_POSITIVE)),
        }
    }
}

impl Least {
    /// Toward the first box, and whether the geometry does not say which way.
    #[inline]
    fn normal(&self, a: &Cuboid, b: &Cuboid) -> (DVec3, bool) {
        let direction = self.axis.direction(a, b);
        if self.center == 0.0 {
            let up = if direction.y < 0.0 {
                -direction
            } else {
                direction
            };
            return (up, true);
        }
        (direction * self.center.signum(), false)
    }
}
