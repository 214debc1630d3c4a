//! The distance of the truth: signed, static, one moment at a time, written here and for this alone.
//!
//! It shares nothing with the program but vectors. What is flat is tried on every axis that can part it (face normals and
//! products of edges); what is round is the distance of its core, less the radius. Rims and rounded edges are in `round.rs`.

use super::round::{Circle, Rims};
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
    /// A box, and the radius added outside.
    Rounded(DVec3, f64),
    /// Half the height along y, and the radius.
    Cylinder(f64, f64),
    /// The same, with its tip above; it turns about the middle of its height, and its middle is its centre of mass.
    Cone(f64, f64),
    /// Corners by threes; true for those that are there from their front only.
    Sheet(Vec<[DVec3; 3]>, bool),
    /// Heights, row after row along z, and the size of a cell along x and z.
    Field(Vec<Vec<f64>>, [f64; 2]),
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
    /// The directions that leave an edge or a round side: all of one sine with it.
    pub edges: Vec<(DVec3, f64)>,
    pub radius: f64,
    /// Of a cylinder or cone: what is about its corners, the lower one first.
    pub rims: Option<Rims>,
    /// Along which it has no end: the ground's way down.
    endless: Option<DVec3>,
}

impl fmt::Debug for Form {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ball(radius) => write!(out, "a ball of {radius}"),
            Self::Box(half) => write!(out, "a box of {half}"),
            Self::Capsule(half, radius) => write!(out, "a capsule of {half}, {radius}"),
            Self::Rounded(half, radius) => write!(out, "a box of {half} and {radius}"),
            Self::Cylinder(half, radius) => write!(out, "a cylinder of {half}, {radius}"),
            Self::Cone(half, radius) => write!(out, "a cone of {half}, {radius}"),
            Self::Field(rows, cell) => write!(out, "heights {rows:?} by {cell:?}"),
            Self::Sheet(list, false) => write!(out, "{} triangles", list.len()),
            Self::Sheet(list, true) => write!(out, "{} triangles with a front", list.len()),
            Self::Ground => write!(out, "the ground"),
        }
    }
}

impl Form {
    /// Corners by threes, of what is made of triangles.
    pub fn triangles(&self) -> Option<Vec<[DVec3; 3]>> {
        match self {
            Self::Sheet(list, _) => Some(list.clone()),
            Self::Field(rows, cell) => Some(field_triangles(rows, *cell)),
            _ => None,
        }
    }

    /// Its middle, seen from the point that it turns about.
    pub fn middle(&self) -> DVec3 {
        match self {
            Self::Cone(half, _) => DVec3::Y * (-0.5 * half),
            _ => DVec3::ZERO,
        }
    }

    /// The radius of the ball around the point it turns about that holds all of it.
    pub fn bound(&self) -> f64 {
        match self {
            Self::Ball(radius) => *radius,
            Self::Box(half) => half.length(),
            Self::Capsule(half, radius) => half + radius,
            Self::Rounded(half, radius) => half.length() + radius,
            Self::Cylinder(half, radius) | Self::Cone(half, radius) => half.hypot(*radius),
            Self::Sheet(..) | Self::Field(..) => {
                let corners = self.triangles().into_iter().flatten().flatten();
                corners.map(DVec3::length).fold(0.0, f64::max)
            }
            Self::Ground => f64::INFINITY,
        }
    }

    /// The largest ball inside about its middle; 0 for what is hollow, infinite for the ground.
    pub fn inner(&self) -> f64 {
        match self {
            Self::Ball(radius) | Self::Capsule(_, radius) => *radius,
            Self::Box(half) => half.min_element(),
            Self::Rounded(half, radius) => half.min_element() + radius,
            Self::Cylinder(half, radius) => half.min(*radius),
            Self::Cone(half, radius) => {
                0.5 * half * f64::min(1.0, 3.0 * radius / radius.hypot(2.0 * half))
            }
            Self::Sheet(..) | Self::Field(..) => 0.0,
            Self::Ground => f64::INFINITY,
        }
    }

    /// Has it a middle that says on which side of something it is? A single triangle has, meshes and the ground surround others.
    pub fn is_body(&self) -> bool {
        match self {
            Self::Sheet(list, _) => list.len() == 1,
            _ => !matches!(self, Self::Field(..) | Self::Ground),
        }
    }

    pub fn is_one_sided(&self) -> bool {
        matches!(self, Self::Sheet(_, true))
    }

    /// What it is made of, about its middle: itself, or its triangles.
    pub fn hulls(&self, turn: DQuat) -> Vec<Hull> {
        let turned = |v: DVec3| turn * v;
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(turned);
        let round = |corners: Vec<DVec3>, edges: Vec<DVec3>, radius: f64| Hull {
            corners,
            normals: Vec::new(),
            edges: edges.into_iter().map(|edge| (edge, 0.0)).collect(),
            radius,
            rims: None,
            endless: None,
        };
        match self {
            Self::Ball(radius) => vec![round(vec![DVec3::ZERO], Vec::new(), *radius)],
            Self::Capsule(half, radius) => {
                let end = axes[0] * *half;
                vec![round(vec![-end, end], vec![axes[0]], *radius)]
            }
            Self::Box(half) | Self::Rounded(half, _) => {
                let radius = match self {
                    Self::Rounded(_, radius) => *radius,
                    _ => 0.0,
                };
                let corner = |bits: i32| {
                    let sign = |bit: i32| if bits >> bit & 1 == 1 { 1.0 } else { -1.0 };
                    turned(*half * DVec3::new(sign(0), sign(1), sign(2)))
                };
                vec![Hull {
                    normals: axes.to_vec(),
                    ..round((0..8).map(corner).collect(), axes.to_vec(), radius)
                }]
            }
            Self::Cylinder(half, radius) | Self::Cone(half, radius) => {
                let (axis, middle) = (axes[1], turned(self.middle()));
                let is_cone = matches!(self, Self::Cone(..));
                let (upper, sine) = match is_cone {
                    true => (0.0, radius / radius.hypot(2.0 * half)),
                    false => (*radius, 0.0),
                };
                vec![Hull {
                    normals: vec![axis],
                    edges: vec![(axis, sine)],
                    rims: Some(Rims {
                        axis,
                        radii: [*radius, upper],
                    }),
                    ..round(
                        vec![-axis * *half - middle, axis * *half - middle],
                        Vec::new(),
                        0.0,
                    )
                }]
            }
            Self::Sheet(..) | Self::Field(..) => {
                let triangles = self.triangles().into_iter().flatten();
                triangles.map(|corners| flat(corners.map(turned))).collect()
            }
            Self::Ground => vec![Hull {
                normals: vec![axes[1]],
                endless: Some(-axes[1]),
                ..round(vec![DVec3::ZERO], Vec::new(), 0.0)
            }],
        }
    }
}

/// Two triangles a cell, which is split from its corner of least x and z to the opposite one.
fn field_triangles(rows: &[Vec<f64>], cell: [f64; 2]) -> Vec<[DVec3; 3]> {
    let (last_x, last_z) = (rows[0].len() - 1, rows.len() - 1);
    let at = |x: usize, z: usize| {
        let from_middle = |number: usize, last: usize| number as f64 - 0.5 * last as f64;
        let (x_share, z_share) = (from_middle(x, last_x), from_middle(z, last_z));
        DVec3::new(x_share * cell[0], rows[z][x], z_share * cell[1])
    };
    let cells = (0..last_z).flat_map(|z| (0..last_x).map(move |x| (x, z)));
    let halves = cells.flat_map(|(x, z)| {
        let (least, most) = (at(x, z), at(x + 1, z + 1));
        [[least, at(x, z + 1), most], [least, most, at(x + 1, z)]]
    });
    halves.collect()
}

fn flat([a, b, c]: [DVec3; 3]) -> Hull {
    Hull {
        corners: vec![a, b, c],
        normals: vec![(b - a).cross(c - a).normalize()],
        edges: [b - a, c - b, a - c].map(|edge| (edge, 0.0)).to_vec(),
        radius: 0.0,
        rims: None,
        endless: None,
    }
}

impl Hull {
    /// How far its core begins along a direction.
    pub fn least(&self, along: DVec3) -> f64 {
        let rims = self.rims.map_or([0.0; 2], |rims| rims.wide(along));
        let wide = rims.into_iter().chain(std::iter::repeat(0.0));
        let places = self.corners.iter().zip(wide);
        let places = places.map(|(corner, wide)| corner.dot(along) - wide);
        places.fold(f64::INFINITY, f64::min)
    }

    /// No more than a point or a segment.
    fn is_thin(&self) -> bool {
        self.corners.len() <= 2 && self.rims.is_none()
    }

    /// A ball around it: its middle and radius; infinite for the ground.
    pub fn ball(&self) -> (DVec3, f64) {
        let middle = self.corners.iter().sum::<DVec3>() / self.corners.len() as f64;
        (middle, self.bound(middle))
    }

    /// The radius of the ball about a point, of the axis where there is one, that holds all of it.
    pub fn bound(&self, middle: DVec3) -> f64 {
        if self.endless.is_some() {
            return f64::INFINITY;
        }
        let wide = self.rims.map_or(0.0, |rims| rims.radii[0]);
        let far = |corner: &DVec3| corner.distance(middle).hypot(wide);
        self.corners.iter().map(far).fold(0.0, f64::max) + self.radius
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
    pub body: Hull,
    pub solid: Hull,
    /// Every axis that can part them, with what both reach along it.
    pub axes: Vec<(DVec3, f64)>,
    /// Where others can, of what has rims or rounded edges.
    pub circles: Vec<Circle>,
    pub one_sided: bool,
    /// A ball around the solid's part, and of both the size.
    pub middle: DVec3,
    pub size: f64,
}

impl Part {
    pub fn new(body: &Hull, solid: Hull, one_sided: bool) -> Self {
        let mut axes: Vec<DVec3> = body.normals.iter().chain(&solid.normals).copied().collect();
        for one in &body.edges {
            axes.extend(solid.edges.iter().map(|other| one.0.cross(other.0)));
        }
        // Flat things are parted in their own plane as well.
        if solid.corners.len() == 3 {
            axes.extend(
                solid
                    .edges
                    .iter()
                    .map(|edge| edge.0.cross(solid.normals[0])),
            );
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
        let thick = body.radius + solid.radius > 0.0 && !body.is_thin() && !solid.is_thin();
        let has_rims = body.rims.is_some() || solid.rims.is_some();
        let circles = match solid.endless.is_none() && (thick || has_rims) {
            true => Circle::all(body, &solid),
            false => Vec::new(),
        };
        Self {
            axes: axes.into_iter().map(sums).collect(),
            body: body.clone(),
            circles,
            one_sided,
            middle,
            size: size + body.bound(DVec3::ZERO),
            solid,
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
        if !self.circles.is_empty() {
            return self.round_stand(at, parted);
        }
        let both_round = self.body.is_thin() && self.solid.is_thin();
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
        let away = if self.body.is_thin() {
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

pub fn on_segment((a, b): (DVec3, DVec3), point: DVec3) -> DVec3 {
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

/// The point of a core that is nearest to a point.
fn nearest_of(hull: &Hull, point: DVec3) -> DVec3 {
    if let Some(rims) = &hull.rims {
        let (nearest, _, inside) = rims.nearest(&hull.corners, point);
        return if inside { point } else { nearest };
    }
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
    if let Some(rims) = &hull.rims {
        return rims.nearest(&hull.corners, point).1;
    }
    if hull.radius > 0.0 {
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
