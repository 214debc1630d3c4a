//! The least push of two boxes that overlap, and where they meet.

use super::super::{Contact, Feature, Trace};
use super::box_look::BoxLook;
use super::cuboid::edge_number;
use super::row::Row;
use super::witness::Meeting;
use crate::core::tolerance::{CLEAR_SQUARE, FEATURE_ANGLE};
use glam::DVec3;

/// The axis after each.
const NEXT: [usize; 3] = [1, 2, 0];

/// The least push, by the axis along which it is.
pub(super) struct Push {
    /// The row and the lane of the axis.
    place: [usize; 2],
    /// Metres.
    pub depth: f64,
    /// From b toward a, unit.
    pub normal: DVec3,
    /// Both ways along the axis are as short: the geometry does not say which.
    ambiguous: bool,
    /// The normal's sign along the axis.
    sign: f64,
}

impl Push {
    /// The first of the shortest, faces before edges; `slack` is by how many metres an edge must be shorter than a face.
    #[inline(always)]
    pub fn least(look: &BoxLook, slack: f64) -> Self {
        let faces = [look.overlap[0], look.overlap[1]];
        let depth = faces[0].min(faces[1]).least();
        let limit = depth - slack;
        if limit > 0.0
            && let Some(push) = Self::along_edges(look, limit)
        {
            return push;
        }
        let [of_b, of_a, ..] = look.center;
        let is_middle = of_b.abs().min(of_a.abs()).least() == 0.0;
        let place = if is_middle {
            upward(look, &faces, depth)
        } else {
            Row::place_within(&faces, depth)
        };
        let place = [place / 4, place % 4];
        let direction = look.frames[1 - place[0]].axis(place[1]);
        Self::along(look, place, direction, depth)
    }

    /// The least along an edge axis, where it is less than a limit.
    #[inline(always)]
    fn along_edges(look: &BoxLook, limit: f64) -> Option<Self> {
        let [.., one, two, three] = look.overlap;
        let edges = [
            one.not_below_zero(),
            two.not_below_zero(),
            three.not_below_zero(),
        ];
        let [one, two, three] = [
            edges[0] * edges[0],
            edges[1] * edges[1],
            edges[2] * edges[2],
        ];
        // `overlap / sine < limit`, without the root.
        let (square, limit) = (&look.square, limit * limit);
        let longer = [
            one - square[0] * limit,
            two - square[1] * limit,
            three - square[2] * limit,
        ];
        if Row::least_of(longer) >= 0.0 {
            return None;
        }
        let squares = [one / square[0], two / square[1], three / square[2]];
        let place = Row::place_within(&squares, Row::least_of(squares));
        let (i, j) = (place / 4, place % 4);
        let [a, b] = &look.frames;
        let cross = a.axis(i).cross(b.axis(j));
        let depth = edges[i].at(j) / look.square[i].at(j).sqrt();
        let direction = cross / cross.length();
        Some(Self::along(look, [2 + i, j], direction, depth))
    }

    /// Where both ways are as short, the one that points up.
    #[inline(always)]
    fn along(look: &BoxLook, place: [usize; 2], direction: DVec3, depth: f64) -> Self {
        let center = look.center[place[0]].at(place[1]);
        let side = if center == 0.0 { direction.y } else { center };
        let sign = if side < 0.0 { -1.0 } else { 1.0 };
        Self {
            place,
            depth,
            normal: direction * sign,
            ambiguous: center == 0.0,
            sign,
        }
    }

    /// Where they meet, relative to b's center, `between` leading from there to a's. `None` where more than a corner or two
    /// crossing edges may touch. For boxes whose axes are square to each other but for rounding.
    #[inline(always)]
    pub fn meeting(&self, look: &BoxLook, between: DVec3) -> Option<Meeting> {
        match self.place {
            [row @ (0 | 1), lane] => self.corner_on_face(look, [row, lane], between),
            [row, lane] => self.edge_on_edge(look, [row - 2, lane]),
        }
    }

    /// Whose face it is, no processor guesses: both ways are one.
    #[inline(always)]
    fn corner_on_face(
        &self,
        look: &BoxLook,
        [row, lane]: [usize; 2],
        between: DVec3,
    ) -> Option<Meeting> {
        let of_b = row == 0;
        // With the other's axes.
        let cosine = |k: usize| {
            let (i, j) = if of_b { (k, lane) } else { (lane, k) };
            look.cosine[i].at(j)
        };
        let cosines = Row::new([cosine(0), cosine(1), cosine(2)]);
        if cosines.abs().least() <= FEATURE_ANGLE {
            return None;
        }
        let toward = if of_b { -self.sign } else { self.sign };
        let (frame, sides) = (&look.frames[row], cosines * toward);
        let arm = |k: usize| frame.axis(k) * frame.half.at(k).copysign(sides.at(k));
        let bit = |k: usize| positive(sides.at(k)) << k;
        let corner = Feature::Vertex(bit(0) | bit(1) | bit(2));
        let face = Feature::Face(2 * lane as u32 + positive(-toward));
        // A corner of a lies below b's face by the depth.
        let (start, below) = if of_b {
            (between, self.depth)
        } else {
            (DVec3::ZERO, 0.0)
        };
        Some(Meeting {
            point: start + (arm(0) + arm(1) + arm(2)) + self.normal * below,
            feature_a: if of_b { corner } else { face },
            feature_b: if of_b { face } else { corner },
        })
    }

    /// Told, with the depth that was decided on.
    #[inline(always)]
    pub fn contact(
        &self,
        center_of_b: DVec3,
        depth: f64,
        meeting: &Meeting,
        trace: &mut impl Trace,
    ) -> Contact {
        let normal = self.normal;
        trace.step(
            "least push",
            &[
                ("depth", depth),
                ("x", normal.x),
                ("y", normal.y),
                ("z", normal.z),
            ],
        );
        Contact {
            point: center_of_b + meeting.point,
            normal,
            depth,
            feature_a: meeting.feature_a,
            feature_b: meeting.feature_b,
            triangle: None,
            fallback: self.ambiguous,
            via_bounding_sphere: false,
        }
    }

    /// Seen along the normal, two edges cross in a point.
    ///
    /// In a frame of three axes x, y, z that follow each other, the cross product of x and a vector v is v.y along z, and -v.z along
    /// y; so the cosines tell which edges lie against each other. The point of b's edge is where its way from a's has no part
    /// along b's axis square to a's.
    #[inline(always)]
    fn edge_on_edge(&self, look: &BoxLook, [i, j]: [usize; 2]) -> Option<Meeting> {
        let square = look.square[i].at(j);
        let (i1, j1) = (NEXT[i], NEXT[j]);
        let (i2, j2) = (NEXT[i1], NEXT[j1]);
        let of_a = [&look.cosine[i], &look.cosine[i1], &look.cosine[i2]];
        // Along the others of each, away from the other body.
        let (a1, a2) = (of_a[2].at(j) * self.sign, -of_a[1].at(j) * self.sign);
        let (b1, b2) = (of_a[0].at(j2) * self.sign, -of_a[0].at(j1) * self.sign);
        let least = (a1.abs().min(a2.abs())).min(b1.abs().min(b2.abs()));
        if square <= CLEAR_SQUARE || least * least <= FEATURE_ANGLE * FEATURE_ANGLE * square {
            return None;
        }
        let [a, b] = &look.frames;
        let (a1, a2) = (a.half.at(i1).copysign(a1), a.half.at(i2).copysign(a2));
        let (b1, b2) = (b.half.at(j1).copysign(b1), b.half.at(j2).copysign(b2));
        // From the middle of b's edge to a's, along a's other axes.
        let center = &look.center[1];
        let way_1 = center.at(i1) + a1 - (of_a[1].at(j1) * b1 + of_a[1].at(j2) * b2);
        let way_2 = center.at(i2) + a2 - (of_a[2].at(j1) * b1 + of_a[2].at(j2) * b2);
        let along = (of_a[1].at(j) * way_1 + of_a[2].at(j) * way_2) / square;
        let half = b.half.at(j);
        let along = along.max(-half).min(half);
        let edge = |axis: usize, [(one, first), (other, second)]: [(usize, f64); 2]| {
            let bits = positive(first) << one | positive(second) << other;
            Feature::Edge(edge_number(axis, bits))
        };
        Some(Meeting {
            point: b.axis(j) * along + (b.axis(j1) * b1 + b.axis(j2) * b2),
            feature_a: edge(i, [(i1, a1), (i2, a2)]),
            feature_b: edge(j, [(j1, b1), (j2, b2)]),
        })
    }
}

/// Of those faces along which either way is as short, the one that points up.
#[cold]
fn upward(look: &BoxLook, faces: &[Row; 2], depth: f64) -> usize {
    let mut best = Row::place_within(faces, depth);
    let center = |place: usize| look.center[place / 4].at(place % 4);
    let up = |place: usize| {
        let y = look.frames[1 - place / 4].axis(place % 4).y;
        if center(place) == 0.0 {
            y.abs()
        } else {
            y * center(place).signum()
        }
    };
    for place in [1, 2, 4, 5, 6] {
        let ties = center(place) == 0.0 && faces[place / 4].at(place % 4) == depth;
        if ties && place > best && up(place) > up(best) {
            best = place;
        }
    }
    best
}

#[inline(always)]
fn positive(number: f64) -> u32 {
    u32::from(number > 0.0)
}
