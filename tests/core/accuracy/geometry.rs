//! Signed static distance of two shapes at one time, written for the accuracy tests alone.
//!
//! It shares only the vector type with the program. Flat shapes are tested on every separating axis (face normals and
//! cross products of edges); for round shapes it is the distance of the cores, less the radii. Rims and rounded edges are in `round.rs`.

use super::round::{Circle, Rims};
use glam::{DQuat, DVec3};
use std::fmt;

/// Metres within which a number counts as being at its limit: far above rounding, far below any depth that matters.
pub const TOLERANCE: f64 = 1e-9;

/// A shape in its local space.
#[derive(Clone)]
pub enum TestShape {
    Sphere(f64),
    Box(DVec3),
    /// Half the length of the core along x, and the radius.
    Capsule(f64, f64),
    /// A box, and the radius added outside.
    RoundedBox(DVec3, f64),
    /// Half the height along y, and the radius.
    Cylinder(f64, f64),
    /// Half the height along y, and the radius; the tip is above, the origin at half the height. The centre is the centre of mass.
    Cone(f64, f64),
    /// A box written as a closed mesh of triangles; true if they are one-sided. It is hollow.
    Shell(DVec3, bool),
    /// A box written as that many boxes of the same size side by side along x, each an object.
    Row(DVec3, usize),
    /// Triangles; true if they are one-sided.
    Triangles(Vec<[DVec3; 3]>, bool),
    /// Heights, row after row along z, and the size of a cell along x and z.
    HeightField(Vec<Vec<f64>>, [f64; 2]),
    /// All below y = 0.
    HalfSpace,
}

/// Signed distance of a mover and an obstacle.
#[derive(Clone, Copy, Debug)]
pub struct Separation {
    /// Metres; negative when they overlap.
    pub gap: f64,
    /// Unit vector from the obstacle toward the mover.
    pub normal: DVec3,
    /// Another direction has the same distance.
    pub ambiguous: bool,
}

/// Corners, face normals and edges of a convex shape, relative to its centre; also of a point, segment or triangle.
#[derive(Clone, Debug)]
pub struct Hull {
    pub corners: Vec<DVec3>,
    pub normals: Vec<DVec3>,
    /// Edges, each with the sine between it and the normals of its round side.
    pub edges: Vec<(DVec3, f64)>,
    pub radius: f64,
    /// The circles around the corners of a cylinder or cone, the lower one first.
    pub rims: Option<Rims>,
    /// Direction in which it is unbounded: down, for the half space.
    endless: Option<DVec3>,
}

impl fmt::Debug for TestShape {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sphere(radius) => write!(out, "a ball of {radius}"),
            Self::Box(half) => write!(out, "a box of {half}"),
            Self::Capsule(half, radius) => write!(out, "a capsule of {half}, {radius}"),
            Self::RoundedBox(half, radius) => write!(out, "a box of {half} and {radius}"),
            Self::Cylinder(half, radius) => write!(out, "a cylinder of {half}, {radius}"),
            Self::Cone(half, radius) => write!(out, "a cone of {half}, {radius}"),
            Self::HeightField(rows, cell) => write!(out, "heights {rows:?} by {cell:?}"),
            Self::Row(half, count) => write!(out, "a row of {half} of {count} boxes"),
            Self::Shell(half, true) => write!(out, "a closed mesh of {half} with a front"),
            Self::Shell(half, false) => write!(out, "a closed mesh of {half}"),
            Self::Triangles(list, front) if list.len() == 1 => {
                write!(out, "a triangle {:?}, with a front: {front}", list[0])
            }
            Self::Triangles(list, false) => write!(out, "{} triangles", list.len()),
            Self::Triangles(list, true) => write!(out, "{} triangles with a front", list.len()),
            Self::HalfSpace => write!(out, "the ground"),
        }
    }
}

impl TestShape {
    /// Its triangles, if it is a surface.
    pub fn triangles(&self) -> Option<Vec<[DVec3; 3]>> {
        match self {
            Self::Triangles(list, _) => Some(list.clone()),
            Self::HeightField(rows, cell) => Some(field_triangles(rows, *cell)),
            _ => None,
        }
    }

    /// Centre, relative to the origin it rotates about.
    pub fn centre(&self) -> DVec3 {
        match self {
            Self::Cone(half, _) => DVec3::Y * (-0.5 * half),
            _ => DVec3::ZERO,
        }
    }

    /// Bounding radius around the origin.
    pub fn bound(&self) -> f64 {
        match self {
            Self::Sphere(radius) => *radius,
            Self::Box(half) | Self::Shell(half, _) | Self::Row(half, _) => half.length(),
            Self::Capsule(half, radius) => half + radius,
            Self::RoundedBox(half, radius) => half.length() + radius,
            Self::Cylinder(half, radius) | Self::Cone(half, radius) => half.hypot(*radius),
            Self::Triangles(..) | Self::HeightField(..) => {
                let corners = self.triangles().into_iter().flatten().flatten();
                corners.map(DVec3::length).fold(0.0, f64::max)
            }
            Self::HalfSpace => f64::INFINITY,
        }
    }

    /// Radius of the largest ball inside, around the centre; 0 for surfaces, infinite for the half space.
    pub fn inner(&self) -> f64 {
        match self {
            Self::Sphere(radius) | Self::Capsule(_, radius) => *radius,
            Self::Box(half) | Self::Shell(half, _) => half.min_element(),
            Self::Row(half, count) => Self::tile(*half, *count).min_element(),
            Self::RoundedBox(half, radius) => half.min_element() + radius,
            Self::Cylinder(half, radius) => half.min(*radius),
            Self::Cone(half, radius) => {
                0.5 * half * f64::min(1.0, 3.0 * radius / radius.hypot(2.0 * half))
            }
            Self::Triangles(..) | Self::HeightField(..) => 0.0,
            Self::HalfSpace => f64::INFINITY,
        }
    }

    /// A closed mesh as its triangles; else itself.
    pub fn surface(&self) -> Self {
        self.shell().unwrap_or_else(|| self.clone())
    }

    /// Whether its centre gives the side on which it is. Surfaces and the half space are what others are on a side of.
    pub fn has_centre(&self) -> bool {
        !matches!(self, Self::HalfSpace) && self.triangles().is_none()
    }

    /// Half extents of a box of a row.
    fn tile(half: DVec3, count: usize) -> DVec3 {
        DVec3::new(half.x / count as f64, half.y, half.z)
    }

    /// The shapes of the objects that it is written as, and where they are in its space.
    pub fn written(&self) -> Vec<(Self, DVec3)> {
        let Self::Row(half, count) = self else {
            return vec![(self.clone(), DVec3::ZERO)];
        };
        let tile = Self::tile(*half, *count);
        let place = |number: usize| DVec3::X * (tile.x * (2 * number + 1) as f64 - half.x);
        (0..*count)
            .map(|number| (Self::Box(tile), place(number)))
            .collect()
    }

    /// The surface of a closed mesh, which is hollow.
    pub fn shell(&self) -> Option<Self> {
        match self {
            Self::Shell(half, _) => Some(Self::Triangles(box_triangles(*half), false)),
            _ => None,
        }
    }

    pub fn is_ground(&self) -> bool {
        matches!(self, Self::HalfSpace)
    }

    pub fn is_one_sided(&self) -> bool {
        matches!(self, Self::Triangles(_, true))
    }

    /// Convex parts relative to the centre: the shape itself, or its triangles.
    pub fn hulls(&self, rotation: DQuat) -> Vec<Hull> {
        let rotated = |v: DVec3| rotation * v;
        let axes = [DVec3::X, DVec3::Y, DVec3::Z].map(rotated);
        let round = |corners: Vec<DVec3>, edges: Vec<DVec3>, radius: f64| Hull {
            corners,
            normals: Vec::new(),
            edges: edges.into_iter().map(|edge| (edge, 0.0)).collect(),
            radius,
            rims: None,
            endless: None,
        };
        match self {
            Self::Sphere(radius) => vec![round(vec![DVec3::ZERO], Vec::new(), *radius)],
            Self::Capsule(half, radius) => {
                let end = axes[0] * *half;
                vec![round(vec![-end, end], vec![axes[0]], *radius)]
            }
            Self::Box(half)
            | Self::Shell(half, _)
            | Self::Row(half, _)
            | Self::RoundedBox(half, _) => {
                let radius = match self {
                    Self::RoundedBox(_, radius) => *radius,
                    _ => 0.0,
                };
                let corner = |bits: i32| {
                    let sign = |bit: i32| if bits >> bit & 1 == 1 { 1.0 } else { -1.0 };
                    rotated(*half * DVec3::new(sign(0), sign(1), sign(2)))
                };
                vec![Hull {
                    normals: axes.to_vec(),
                    ..round((0..8).map(corner).collect(), axes.to_vec(), radius)
                }]
            }
            Self::Cylinder(half, radius) | Self::Cone(half, radius) => {
                let (axis, centre) = (axes[1], rotated(self.centre()));
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
                        vec![-axis * *half - centre, axis * *half - centre],
                        Vec::new(),
                        0.0,
                    )
                }]
            }
            Self::Triangles(..) | Self::HeightField(..) => {
                let triangles = self.triangles().into_iter().flatten();
                triangles
                    .map(|corners| flat(corners.map(rotated)))
                    .collect()
            }
            Self::HalfSpace => vec![Hull {
                normals: vec![axes[1]],
                endless: Some(-axes[1]),
                ..round(vec![DVec3::ZERO], Vec::new(), 0.0)
            }],
        }
    }
}

/// Twelve triangles, wound counter-clockwise from outside.
pub fn box_triangles(half: DVec3) -> Vec<[DVec3; 3]> {
    let mut list = Vec::new();
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let corner = |a: f64, b: f64| {
                let mut at = DVec3::ZERO;
                at[axis] = sign * half[axis];
                at[u] = sign * a * half[u];
                at[v] = b * half[v];
                at
            };
            let quad = [
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ];
            list.push([quad[0], quad[1], quad[2]]);
            list.push([quad[0], quad[2], quad[3]]);
        }
    }
    list
}

/// Two triangles per cell, split from the corner of least x and z to the opposite one.
fn field_triangles(rows: &[Vec<f64>], cell: [f64; 2]) -> Vec<[DVec3; 3]> {
    let (last_x, last_z) = (rows[0].len() - 1, rows.len() - 1);
    let at = |x: usize, z: usize| {
        let from_centre = |number: usize, last: usize| number as f64 - 0.5 * last as f64;
        let (x_offset, z_offset) = (from_centre(x, last_x), from_centre(z, last_z));
        DVec3::new(x_offset * cell[0], rows[z][x], z_offset * cell[1])
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
    /// Least extent of the core along a direction.
    pub fn least(&self, along: DVec3) -> f64 {
        let rims = self.rims.map_or([0.0; 2], |rims| rims.wide(along));
        let wide = rims.into_iter().chain(std::iter::repeat(0.0));
        let offsets = self.corners.iter().zip(wide);
        let offsets = offsets.map(|(corner, wide)| corner.dot(along) - wide);
        offsets.fold(f64::INFINITY, f64::min)
    }

    /// Sine of the angle, about, between a direction and the nearest outward normal of a face or round side.
    pub fn sine_to_surface(&self, normal: DVec3) -> f64 {
        let off = |face: DVec3| match face.dot(normal) > 0.0 {
            true => face.cross(normal).length(),
            false => 1.0,
        };
        if let Some(down) = self.endless {
            return off(-down);
        }
        let both_ways = |face: &DVec3| off(*face).min(off(-*face));
        match self.rims {
            None => self.normals.iter().map(both_ways).fold(1.0, f64::min),
            Some(rims) => {
                let is_cone = rims.radii[1] == 0.0;
                let caps = match is_cone {
                    true => off(-rims.axis),
                    false => both_ways(&rims.axis),
                };
                caps.min((normal.dot(rims.axis) - self.edges[0].1).abs())
            }
        }
    }

    /// Whether the surface is round where its outward direction is this one: a ball, a capsule, or the side of a cylinder or cone.
    pub fn is_round_at(&self, normal: DVec3) -> bool {
        match self.rims {
            None => self.is_thin(),
            Some(rims) => (normal.dot(rims.axis) - self.edges[0].1).abs() < 1e-6,
        }
    }

    /// Whether it is a point or a segment.
    fn is_thin(&self) -> bool {
        self.corners.len() <= 2 && self.rims.is_none()
    }

    /// Bounding sphere: centre and radius; infinite for the half space.
    pub fn ball(&self) -> (DVec3, f64) {
        let centre = self.corners.iter().sum::<DVec3>() / self.corners.len() as f64;
        (centre, self.bound(centre))
    }

    /// Bounding radius around a point, which is on the axis if there is one.
    pub fn bound(&self, centre: DVec3) -> f64 {
        if self.endless.is_some() {
            return f64::INFINITY;
        }
        let wide = self.rims.map_or(0.0, |rims| rims.radii[0]);
        let far = |corner: &DVec3| corner.distance(centre).hypot(wide);
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

/// A mover and one convex part of an obstacle, both rotated.
#[derive(Clone, Debug)]
pub struct Part {
    pub mover: Hull,
    pub obstacle: Hull,
    /// Every separating axis, with the sum of both extents along it.
    pub axes: Vec<(DVec3, f64)>,
    /// Directions between rims or rounded edges that may separate as well.
    pub circles: Vec<Circle>,
    /// Centre of the bounding sphere of the obstacle's part, and the sum of both radii.
    pub centre: DVec3,
    pub size: f64,
}

impl Part {
    pub fn new(mover: &Hull, obstacle: Hull) -> Self {
        let mut axes: Vec<DVec3> = mover
            .normals
            .iter()
            .chain(&obstacle.normals)
            .copied()
            .collect();
        for one in &mover.edges {
            axes.extend(obstacle.edges.iter().map(|other| one.0.cross(other.0)));
        }
        // Flat parts can be separated in their own plane as well.
        if obstacle.corners.len() == 3 {
            axes.extend(
                obstacle
                    .edges
                    .iter()
                    .map(|edge| edge.0.cross(obstacle.normals[0])),
            );
        }
        let both_ways = |axis: DVec3| [axis, -axis];
        let mut axes: Vec<DVec3> = axes
            .into_iter()
            .filter(|axis| axis.length() > 1e-9)
            .map(DVec3::normalize)
            .flat_map(both_ways)
            .collect();
        if let Some(down) = obstacle.endless {
            axes = vec![-down];
        }
        let sums = |axis: DVec3| (axis, mover.least(axis) + obstacle.least(-axis));
        let (centre, size) = obstacle.ball();
        let thick = mover.radius + obstacle.radius > 0.0 && !mover.is_thin() && !obstacle.is_thin();
        let has_rims = mover.rims.is_some() || obstacle.rims.is_some();
        let circles = match obstacle.endless.is_none() && (thick || has_rims) {
            true => Circle::all(mover, &obstacle),
            false => Vec::new(),
        };
        Self {
            axes: axes.into_iter().map(sums).collect(),
            mover: mover.clone(),
            circles,
            centre,
            size: size + mover.bound(DVec3::ZERO),
            obstacle,
        }
    }

    /// Signed distance with the mover's centre at `at`, relative to the obstacle's.
    pub fn separation(&self, at: DVec3) -> Separation {
        let radii = self.mover.radius + self.obstacle.radius;
        let mut separating = (f64::NEG_INFINITY, DVec3::Y);
        for (axis, sum) in &self.axes {
            let gap = at.dot(*axis) + sum;
            if gap > separating.0 {
                separating = (gap, *axis);
            }
        }
        if !self.circles.is_empty() {
            return self.rounded_separation(at, separating);
        }
        let both_round = self.mover.is_thin() && self.obstacle.is_thin();
        let round = radii > 0.0 && self.obstacle.endless.is_none();
        if round && (both_round || separating.0 > 0.0) {
            let (distance, normal) = self.core_distance(at);
            if distance > 1e-12 || self.axes.is_empty() {
                return Separation {
                    gap: distance - radii,
                    normal,
                    ambiguous: distance <= TOLERANCE,
                };
            }
        }
        let near = |(axis, sum): &(DVec3, f64)| {
            separating.0 - (at.dot(*axis) + sum) < TOLERANCE && axis.dot(separating.1) < 0.999
        };
        Separation {
            gap: separating.0 - radii,
            normal: separating.1,
            ambiguous: self.axes.iter().any(near),
        }
    }

    /// Distance and direction (toward the mover) of two disjoint cores, one of which is a point or a segment.
    fn core_distance(&self, at: DVec3) -> (f64, DVec3) {
        let away = if self.mover.is_thin() {
            from_core(&self.mover, at, &self.obstacle)
        } else {
            -from_core(&self.obstacle, -at, &self.mover)
        };
        (away.length(), away.normalize_or_zero())
    }
}

/// Vector from the nearest point of a hull to the nearest point of a point or segment whose centre is at `at`.
fn from_core(round: &Hull, at: DVec3, hull: &Hull) -> DVec3 {
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
        try_one(between_segments(ends, edge));
    }
    for corner in &hull.corners {
        try_one(on_segment(ends, *corner) - *corner);
    }
    best
}

pub fn on_segment((a, b): (DVec3, DVec3), point: DVec3) -> DVec3 {
    let path = b - a;
    a + path * ((point - a).dot(path) / path.length_squared()).clamp(0.0, 1.0)
}

/// Vector from the second segment to the first if both nearest points are inside; any longer vector if one is at an end.
fn between_segments(first: (DVec3, DVec3), second: (DVec3, DVec3)) -> DVec3 {
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

/// Point of a core that is nearest to a point.
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

/// Whether a point projects inside a triangle.
fn is_over([a, b, c]: [DVec3; 3], normal: DVec3, point: DVec3) -> bool {
    [(a, b), (b, c), (c, a)]
        .into_iter()
        .all(|(p, q)| (q - p).cross(point - p).dot(normal) >= 0.0)
}

/// Distance of a point from the core less the radius, relative to the centre: zero or less inside.
pub fn distance(hull: &Hull, point: DVec3) -> f64 {
    match hull.endless {
        Some(down) => -point.dot(down),
        None => point.distance(nearest_of(hull, point)) - hull.radius - 1e-13,
    }
}

/// Outward direction of the surface at a point on it, relative to the centre.
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

/// Where the path of a point crosses a triangle: the fraction of the path, and the normal toward the start.
pub fn passes(path: (DVec3, DVec3), triangle: &Hull) -> Option<(f64, DVec3)> {
    let (corner, normal) = (triangle.corners[0], triangle.normals[0]);
    let (from, to) = ((path.0 - corner).dot(normal), (path.1 - corner).dot(normal));
    if from * to > 0.0 || from == to {
        return None;
    }
    let fraction = from / (from - to);
    let at = path.0 + (path.1 - path.0) * fraction;
    let corners = [corner, triangle.corners[1], triangle.corners[2]];
    is_over(corners, normal, at).then(|| (fraction, normal * from.signum()))
}

/// A fraction of a path at which a point is in a convex hull, if it ever is. The distance along the path has one minimum.
fn inside(hull: &Hull, from: DVec3, to: DVec3) -> Option<f64> {
    let apart = |fraction: f64| distance(hull, from.lerp(to, fraction));
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..120 {
        let (left, right) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        let found = [low, left, right]
            .into_iter()
            .find(|fraction| apart(*fraction) <= 0.0);
        if found.is_some() {
            return found;
        }
        if apart(left) < apart(right) {
            high = right;
        } else {
            low = left;
        }
    }
    None
}

/// Whether the path of a point enters a convex hull.
pub fn enters(hull: &Hull, from: DVec3, to: DVec3) -> bool {
    inside(hull, from, to).is_some()
}

/// Where the path of a point that begins outside enters a convex hull, and the outward normal there.
pub fn entry_point(hull: &Hull, from: DVec3, to: DVec3) -> Option<(DVec3, DVec3)> {
    let (mut outside, mut inside) = (0.0, inside(hull, from, to)?);
    for _ in 0..80 {
        let middle = 0.5 * (outside + inside);
        if distance(hull, from.lerp(to, middle)) <= 0.0 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    let at = from.lerp(to, inside);
    Some((at, outward(hull, at)))
}
