//! The distance of the truth: signed, static, one moment at a time, written here and for this alone.
//!
//! It shares nothing with the program but vectors. What is flat is tried on every axis that can part it (face normals and
//! products of edges); what is round is the distance of its core, less the radius.

use glam::{DQuat, DVec3};
use std::fmt;

/// Metres within which a number counts as being at its limit: far above rounding, far below anything that is seen.
pub const OPEN: f64 = 1e-9;

/// A shape in its own space.
#[derive(Clone)]
pub enum Form {
    Ball(f64),
    Box(DVec3),
    /// Half the length of the core along x, and the radius.
    Capsule(f64, f64),
    /// Corners by threes; true for those that are there from their front only.
    Sheet(Vec<[DVec3; 3]>, bool),
    /// All that is below y = 0.
    Ground,
}

/// How a body and a solid stand to each other.
#[derive(Clone, Copy, Debug)]
pub struct Stand {
    /// Metres; negative is the depth of the overlap.
    pub gap: f64,
    /// Unit, from the solid toward the body.
    pub normal: DVec3,
    /// Another direction is as short.
    pub ambiguous: bool,
}

/// Corners, face normals and edges of something convex about its middle; a point, segment or triangle is a flat one.
#[derive(Clone, Debug)]
pub struct Hull {
    pub corners: Vec<DVec3>,
    pub normals: Vec<DVec3>,
    edges: Vec<DVec3>,
    pub radius: f64,
    /// Along which it has no end: the ground's way down.
    endless: Option<DVec3>,
}

impl fmt::Debug for Form {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ball(radius) => write!(out, "a ball of {radius}"),
            Self::Box(half) => write!(out, "a box of {half}"),
            Self::Capsule(half, radius) => write!(out, "a capsule of {half}, {radius}"),
            Self::Sheet(list, false) => write!(out, "{} triangles", list.len()),
            Self::Sheet(list, true) => write!(out, "{} triangles with a front", list.len()),
            Self::Ground => write!(out, "the ground"),
        }
    }
}

impl Form {
    /// The radius of the ball around its middle that holds all of it.
    pub fn bound(&self) -> f64 {
        match self {
            Self::Ball(radius) => *radius,
            Self::Box(half) => half.length(),
            Self::Capsule(half, radius) => half + radius,
            Self::Sheet(list, _) => {
                let corners = list.iter().flatten();
                corners.map(|corner| corner.length()).fold(0.0, f64::max)
            }
            Self::Ground => f64::INFINITY,
        }
    }

    /// The largest ball inside; 0 for what is hollow, infinite for the ground.
    pub fn inner(&self) -> f64 {
        match self {
            Self::Ball(radius) | Self::Capsule(_, radius) => *radius,
            Self::Box(half) => half.min_element(),
            Self::Sheet(..) => 0.0,
            Self::Ground => f64::INFINITY,
        }
    }

    /// Has it a middle that says on which side of something it is? A single triangle has, meshes and the ground surround others.
    pub fn is_body(&self) -> bool {
        match self {
            Self::Sheet(list, _) => list.len() == 1,
            _ => !matches!(self, Self::Ground),
        }
    }

    pub fn is_one_sided(&self) -> bool {
        matches!(self, Self::Sheet(_, true))
    }

    /// What it is made of: itself, or its triangles.
    pub fn hulls(&self, turn: DQuat) -> Vec<Hull> {
        let turned = |v: DVec3| turn * v;
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(turned);
        let round = |corners: Vec<DVec3>, edges: Vec<DVec3>, radius: f64| Hull {
            corners,
            normals: Vec::new(),
            edges,
            radius,
            endless: None,
        };
        match self {
            Self::Ball(radius) => vec![round(vec![DVec3::ZERO], Vec::new(), *radius)],
            Self::Capsule(half, radius) => {
                let end = axes[0] * *half;
                vec![round(vec![-end, end], vec![axes[0]], *radius)]
            }
            Self::Box(half) => {
                let corner = |bits: i32| {
                    let sign = |bit: i32| if bits >> bit & 1 == 1 { 1.0 } else { -1.0 };
                    turned(*half * DVec3::new(sign(0), sign(1), sign(2)))
                };
                vec![Hull {
                    normals: axes.to_vec(),
                    ..round((0..8).map(corner).collect(), axes.to_vec(), 0.0)
                }]
            }
            Self::Sheet(list, _) => {
                let hulls = list.iter().map(|corners| flat(corners.map(turned)));
                hulls.collect()
            }
            Self::Ground => vec![Hull {
                normals: vec![axes[1]],
                endless: Some(-axes[1]),
                ..round(vec![DVec3::ZERO], Vec::new(), 0.0)
            }],
        }
    }
}

fn flat([a, b, c]: [DVec3; 3]) -> Hull {
    Hull {
        corners: vec![a, b, c],
        normals: vec![(b - a).cross(c - a).normalize()],
        edges: vec![b - a, c - b, a - c],
        radius: 0.0,
        endless: None,
    }
}

impl Hull {
    fn least(&self, along: DVec3) -> f64 {
        let places = self.corners.iter().map(|corner| corner.dot(along));
        places.fold(f64::INFINITY, f64::min)
    }

    /// A ball around it: its middle and radius; infinite for the ground.
    pub fn ball(&self) -> (DVec3, f64) {
        let middle = self.corners.iter().sum::<DVec3>() / self.corners.len() as f64;
        let far = |corner: &DVec3| corner.distance(middle);
        let reach = self.corners.iter().map(far).fold(0.0, f64::max);
        match self.endless {
            Some(_) => (middle, f64::INFINITY),
            None => (middle, reach + self.radius),
        }
    }

    fn edges(&self) -> impl Iterator<Item = (DVec3, DVec3)> + '_ {
        let count = self.corners.len();
        let along = move |i: usize, j: usize| match count {
            8 => (i ^ j).is_power_of_two(),
            _ => true,
        };
        (0..count)
            .flat_map(move |i| (i + 1..count).map(move |j| (i, j)))
            .filter(move |(i, j)| along(*i, *j))
            .map(|(i, j)| (self.corners[i], self.corners[j]))
    }
}

/// A body and one convex part of a solid, as both are turned.
#[derive(Clone, Debug)]
pub struct Part {
    body: Hull,
    pub solid: Hull,
    /// Every axis that can part them, with what both reach along it.
    axes: Vec<(DVec3, f64)>,
    pub one_sided: bool,
    /// A ball around the solid's part, and of both the size.
    pub middle: DVec3,
    pub size: f64,
}

impl Part {
    pub fn new(body: &Hull, body_bound: f64, solid: Hull, one_sided: bool) -> Self {
        let mut axes: Vec<DVec3> = body.normals.iter().chain(&solid.normals).copied().collect();
        for one in &body.edges {
            axes.extend(solid.edges.iter().map(|other| one.cross(*other)));
        }
        // Flat things are parted in their own plane as well.
        if solid.corners.len() == 3 {
            axes.extend(solid.edges.iter().map(|edge| edge.cross(solid.normals[0])));
        }
        let both_ways = |axis: DVec3| [axis, -axis];
        let mut axes: Vec<DVec3> = axes
            .into_iter()
            .filter(|axis| axis.length() > 1e-9)
            .map(DVec3::normalize)
            .flat_map(both_ways)
            .collect();
        if let Some(down) = solid.endless {
            axes = vec![-down];
        }
        let sums = |axis: DVec3| (axis, body.least(axis) + solid.least(-axis));
        let (middle, size) = solid.ball();
        Self {
            axes: axes.into_iter().map(sums).collect(),
            body: body.clone(),
            solid,
            one_sided,
            middle,
            size: size + body_bound,
        }
    }

    /// How far the body's middle is in front of a flat part.
    pub fn height(&self, at: DVec3) -> f64 {
        (at - self.solid.corners[0]).dot(self.solid.normals[0])
    }

    /// How they stand when the body's middle is at `at`, seen from the solid's.
    pub fn stand(&self, at: DVec3) -> Stand {
        let radii = self.body.radius + self.solid.radius;
        let mut parted = (f64::NEG_INFINITY, DVec3::Y);
        for (axis, sum) in &self.axes {
            let gap = at.dot(*axis) + sum;
            if gap > parted.0 {
                parted = (gap, *axis);
            }
        }
        let both_round = self.body.corners.len() <= 2 && self.solid.corners.len() <= 2;
        let round = radii > 0.0 && self.solid.endless.is_none();
        if round && (both_round || parted.0 > 0.0) {
            let (distance, normal) = self.cores_apart(at);
            if distance > 1e-12 || self.axes.is_empty() {
                return Stand {
                    gap: distance - radii,
                    normal,
                    ambiguous: distance <= OPEN,
                };
            }
        }
        let near = |(axis, sum): &(DVec3, f64)| {
            parted.0 - (at.dot(*axis) + sum) < OPEN && axis.dot(parted.1) < 0.999
        };
        Stand {
            gap: parted.0 - radii,
            normal: parted.1,
            ambiguous: self.axes.iter().any(near),
        }
    }

    /// Distance and direction (toward the body) of two cores that do not meet, of which one is a point or a segment.
    fn cores_apart(&self, at: DVec3) -> (f64, DVec3) {
        let away = if self.body.corners.len() <= 2 {
            round_from(&self.body, at, &self.solid)
        } else {
            -round_from(&self.solid, -at, &self.body)
        };
        (away.length(), away.normalize_or_zero())
    }
}

/// From the nearest point of a hull to that of a point or segment whose middle is at `at`.
fn round_from(round: &Hull, at: DVec3, hull: &Hull) -> DVec3 {
    let ends = (
        at + round.corners[0],
        at + round.corners[round.corners.len() - 1],
    );
    let from_point = |point: DVec3| point - nearest_of(hull, point);
    let mut best = from_point(ends.0);
    if ends.0 == ends.1 {
        return best;
    }
    let mut try_one = |away: DVec3| {
        if away.length_squared() < best.length_squared() {
            best = away;
        }
    };
    try_one(from_point(ends.1));
    for edge in hull.edges() {
        try_one(segments_apart(ends, edge));
    }
    for corner in &hull.corners {
        try_one(on_segment(ends, *corner) - *corner);
    }
    best
}

fn on_segment((a, b): (DVec3, DVec3), point: DVec3) -> DVec3 {
    let way = b - a;
    a + way * ((point - a).dot(way) / way.length_squared()).clamp(0.0, 1.0)
}

/// From the second segment to the first where both are nearest inside; any longer way where that is at an end.
fn segments_apart(first: (DVec3, DVec3), second: (DVec3, DVec3)) -> DVec3 {
    let (u, v, w) = (first.1 - first.0, second.1 - second.0, first.0 - second.0);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let det = uu * vv - uv * uv;
    if det <= 1e-18 * uu * vv {
        return w;
    }
    let s = ((uv * v.dot(w) - vv * u.dot(w)) / det).clamp(0.0, 1.0);
    let t = ((uu * v.dot(w) - uv * u.dot(w)) / det).clamp(0.0, 1.0);
    w + u * s - v * t
}

/// The point of a core (point, segment, triangle, box) that is nearest to a point.
fn nearest_of(hull: &Hull, point: DVec3) -> DVec3 {
    match hull.corners[..] {
        [only] => only,
        [a, b] => on_segment((a, b), point),
        [a, b, c] => {
            let normal = hull.normals[0];
            if is_over([a, b, c], normal, point) {
                return point - normal * (point - a).dot(normal);
            }
            let edges = [(a, b), (b, c), (c, a)].map(|edge| on_segment(edge, point));
            let far = |x: &DVec3| point.distance_squared(*x);
            let nearer = |x: &DVec3, y: &DVec3| far(x).total_cmp(&far(y));
            edges.into_iter().min_by(nearer).unwrap_or(a)
        }
        _ => hull.normals.iter().fold(DVec3::ZERO, |near, axis| {
            let half = hull.corners[7].dot(*axis);
            near + *axis * point.dot(*axis).clamp(-half, half)
        }),
    }
}

/// Is a point over or under the inside of a triangle?
fn is_over([a, b, c]: [DVec3; 3], normal: DVec3, point: DVec3) -> bool {
    [(a, b), (b, c), (c, a)]
        .into_iter()
        .all(|(p, q)| (q - p).cross(point - p).dot(normal) >= 0.0)
}

/// How far a point is from a solid's core, less its radius: zero or less inside. Seen from the solid's middle.
pub fn apart(hull: &Hull, point: DVec3) -> f64 {
    match hull.endless {
        Some(down) => -point.dot(down),
        None => point.distance(nearest_of(hull, point)) - hull.radius - 1e-13,
    }
}

/// The outward direction of a solid's surface at a point on it, seen from its middle.
pub fn outward(hull: &Hull, point: DVec3) -> DVec3 {
    if let Some(down) = hull.endless {
        return -down;
    }
    if hull.corners.len() <= 2 {
        return (point - nearest_of(hull, point)).normalize_or_zero();
    }
    let depth = |axis: &DVec3| (hull.corners[7].dot(*axis) - point.dot(*axis).abs()).abs();
    let nearer = |x: &&DVec3, y: &&DVec3| depth(x).total_cmp(&depth(y));
    let axis = hull
        .normals
        .iter()
        .min_by(nearer)
        .copied()
        .unwrap_or(DVec3::Y);
    axis * point.dot(axis).signum()
}

/// Where a point's way passes a triangle: the share of the way, and the direction toward where it came from.
pub fn passes(way: (DVec3, DVec3), triangle: &Hull) -> Option<(f64, DVec3)> {
    let (corner, normal) = (triangle.corners[0], triangle.normals[0]);
    let (from, to) = ((way.0 - corner).dot(normal), (way.1 - corner).dot(normal));
    if from * to > 0.0 || from == to {
        return None;
    }
    let share = from / (from - to);
    let at = way.0 + (way.1 - way.0) * share;
    let corners = [corner, triangle.corners[1], triangle.corners[2]];
    is_over(corners, normal, at).then(|| (share, normal * from.signum()))
}

/// Does a point on its way come into a convex hull? How far it is from that has one least value.
pub fn meets(hull: &Hull, from: DVec3, to: DVec3) -> bool {
    let apart = |share: f64| apart(hull, from.lerp(to, share));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if apart(left) < apart(right) {
            high = right;
        } else {
            low = left;
        }
    }
    apart(low) <= 0.0
}
