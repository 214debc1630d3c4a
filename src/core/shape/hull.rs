//! A convex hull of points, with an optional radius.

use super::columns::Columns;
use super::feature::Feature;
use super::solid::{Solid, SolidFeature};
use crate::core::shape::UnitOrZero;
use crate::core::tolerance::{FEATURE_ANGLE, HULL_FLATNESS};
use glam::DVec3;
use robust::Coord3D;
use smallvec::SmallVec;
use std::collections::HashSet;

/// Fewest and most points of a hull.
pub const HULL_POINTS: std::ops::RangeInclusive<usize> = 4..=1024;

/// The convex hull of some points; the radius is added outside.
///
/// Points inside the hull are kept as they were given, and play no part. Vertices are numbered as the points, faces and edges by
/// [`Self::faces`] and [`Self::edges`].
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexHull {
    points: Vec<DVec3>,
    radius: f64,
    faces: Vec<HullFace>,
    edges: Vec<[u32; 2]>,
    /// The points on the hull.
    corners: Vec<u32>,
    /// The same.
    columns: Columns,
    /// Of each of them, where in `first_faces` the faces begin of which it is the first corner.
    begins: Vec<u32>,
    first_faces: Vec<u32>,
    centroid: DVec3,
    inner_radius: f64,
    outer_radius: f64,
    bounding_radius: f64,
}

/// A flat face of a hull.
#[derive(Clone, Debug, PartialEq)]
pub struct HullFace {
    /// Numbers of its corners, counter-clockwise seen from outside.
    pub corners: Vec<u32>,
    /// Unit, outward.
    pub normal: DVec3,
}

impl ConvexHull {
    /// Builds the hull by adding one point after another; which side of a face a point is on is decided exactly.
    ///
    /// # Errors
    /// A sentence, when there are too few or too many points, one is not finite, or all lie in a plane.
    pub fn new(points: Vec<DVec3>, radius: f64) -> Result<Self, String> {
        if !HULL_POINTS.contains(&points.len()) {
            return Err(format!(
                "a convex hull has {} to {} points; this one has {}",
                HULL_POINTS.start(),
                HULL_POINTS.end(),
                points.len()
            ));
        }
        if let Some(index) = points.iter().position(|point| !point.is_finite()) {
            return Err(format!("point {index} is not finite"));
        }
        let triangles = triangles_of(&points)?;
        let faces = merged(&points, &triangles);
        let edges = edges_of(&faces);
        let mut corners: Vec<u32> = faces.iter().flat_map(|face| face.corners.clone()).collect();
        corners.sort_unstable();
        corners.dedup();
        let on_hull: Vec<DVec3> = corners
            .iter()
            .map(|&corner| points[corner as usize])
            .collect();
        let first = |face: &HullFace| face.corners.iter().min().copied();
        let mut first_faces: Vec<u32> = (0..faces.len() as u32).collect();
        first_faces.sort_by_key(|&face| first(&faces[face as usize]));
        let begins_at = |&corner: &u32| {
            let before = |&face: &u32| first(&faces[face as usize]) < Some(corner);
            first_faces.partition_point(before) as u32
        };
        let mut begins: Vec<u32> = corners.iter().map(begins_at).collect();
        begins.push(first_faces.len() as u32);
        let centroid = centroid_of(&points, &triangles);
        let height = |face: &HullFace| face.normal.dot(points[face.corners[0] as usize] - centroid);
        let inner_radius = faces
            .iter()
            .map(height)
            .fold(f64::INFINITY, f64::min)
            .max(0.0);
        let farthest = |from: DVec3| {
            let lengths = points.iter().map(|point| point.distance(from));
            lengths.fold(0.0, f64::max)
        };
        Ok(Self {
            inner_radius: inner_radius + radius,
            outer_radius: farthest(centroid) + radius,
            bounding_radius: farthest(DVec3::ZERO) + radius,
            points,
            radius,
            faces,
            edges,
            corners,
            columns: Columns::new(&on_hull),
            begins,
            first_faces,
            centroid,
        })
    }

    /// As given, local, metres.
    pub fn points(&self) -> &[DVec3] {
        &self.points
    }

    /// Flat faces; triangles that lie in one plane are one face.
    pub fn faces(&self) -> &[HullFace] {
        &self.faces
    }

    /// Both ends of every edge between two faces.
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The faces of which a corner, by its number in columns, is the first.
    fn faces_from(&self, number: u32) -> impl Iterator<Item = u32> {
        let [begin, end] = [number, number + 1].map(|number| self.begins[number as usize] as usize);
        self.first_faces[begin..end].iter().copied()
    }

    fn at(&self, corner: u32) -> DVec3 {
        self.points[corner as usize]
    }
}

impl Solid for ConvexHull {
    fn kind_name(&self) -> &'static str {
        "ConvexHull"
    }

    #[inline]
    fn support(&self, direction: DVec3) -> DVec3 {
        self.columns.farthest(direction)
    }

    fn feature(&self, direction: DVec3) -> SolidFeature {
        let along = |corner: u32| self.at(corner).dot(direction);
        let slack = FEATURE_ANGLE * (self.outer_radius - self.radius);
        let numbers = self.columns.near_farthest(direction, slack);
        let touching: SmallVec<[u32; 8]> = numbers
            .iter()
            .map(|&number| self.corners[number as usize])
            .collect();
        if touching.len() > 2 {
            let faces = numbers.iter().flat_map(|&number| self.faces_from(number));
            let mut ahead: SmallVec<[(f64, u32); 8]> = faces
                .map(|face| (self.faces[face as usize].normal.dot(direction), face))
                // A face seen from the side is smaller than the slack.
                .filter(|(along, _)| *along > 0.5)
                .collect();
            ahead.sort_unstable_by(|one, other| other.0.total_cmp(&one.0));
            for (_, number) in ahead {
                let face = &self.faces[number as usize];
                if face.corners.iter().all(|at| touching.contains(at)) {
                    let points = face.corners.iter().map(|&corner| self.at(corner));
                    return SolidFeature::face(number, points, face.normal);
                }
            }
        }
        // Corners are in order, as are edges.
        for (k, &from) in touching.iter().enumerate() {
            for &to in &touching[k + 1..] {
                if let Ok(number) = self.edges.binary_search(&[from, to]) {
                    let edge = Feature::Edge(number as u32);
                    return SolidFeature::edge(edge, [self.at(from), self.at(to)]);
                }
            }
        }
        let farthest = touching
            .into_iter()
            .max_by(|&a, &b| along(a).total_cmp(&along(b)));
        let corner = farthest.unwrap_or(0);
        SolidFeature::vertex(corner, self.at(corner))
    }

    #[inline]
    fn centroid(&self) -> DVec3 {
        self.centroid
    }

    #[inline]
    fn radius(&self) -> f64 {
        self.radius
    }

    fn inner_radius(&self) -> f64 {
        self.inner_radius
    }

    #[inline]
    fn outer_radius(&self) -> f64 {
        self.outer_radius
    }

    #[inline]
    fn bounding_radius(&self) -> f64 {
        self.bounding_radius
    }

    fn outline(&self) -> Vec<[DVec3; 2]> {
        self.edges
            .iter()
            .map(|ends| ends.map(|end| self.at(end)))
            .collect()
    }

    fn surface(&self) -> Vec<[DVec3; 3]> {
        let fan = |face: &HullFace| -> Vec<[DVec3; 3]> {
            let first = self.at(face.corners[0]);
            let rest = face.corners[1..].windows(2);
            rest.map(|pair| [first, self.at(pair[0]), self.at(pair[1])])
                .collect()
        };
        self.faces.iter().flat_map(fan).collect()
    }
}

/// Positive when `d` is outside the plane of a, b, c, counter-clockwise seen from outside; the sign is exact.
fn outside([a, b, c, d]: [DVec3; 4]) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(|DVec3 { x, y, z }| Coord3D { x, y, z });
    -robust::orient3d(a, b, c, d)
}

/// The hull as triangles of point numbers.
fn triangles_of(points: &[DVec3]) -> Result<Vec<[usize; 3]>, String> {
    let start = tetrahedron(points)?;
    let mut triangles: Vec<[usize; 3]> = Vec::new();
    for corners in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] {
        triangles.push(corners.map(|corner| start[corner]));
    }
    for (number, &point) in points.iter().enumerate() {
        let sees =
            |[a, b, c]: &[usize; 3]| outside([points[*a], points[*b], points[*c], point]) > 0.0;
        let (seen, rest): (Vec<[usize; 3]>, Vec<[usize; 3]>) =
            triangles.iter().copied().partition(sees);
        if seen.is_empty() {
            continue;
        }
        let mut outline: HashSet<[usize; 2]> = HashSet::new();
        let mut ring: Vec<[usize; 2]> = Vec::new();
        for [a, b, c] in seen {
            for edge in [[a, b], [b, c], [c, a]] {
                if !outline.remove(&[edge[1], edge[0]]) {
                    outline.insert(edge);
                    ring.push(edge);
                }
            }
        }
        triangles = rest;
        // In the order in which they were found, so that the same points give the same hull.
        let open = ring.into_iter().filter(|edge| outline.contains(edge));
        triangles.extend(open.map(|[from, to]| [from, to, number]));
    }
    Ok(triangles)
}

/// Four points that are not in a plane, the fourth behind the plane of the others.
fn tetrahedron(points: &[DVec3]) -> Result<[usize; 4], String> {
    let farthest = |measure: &dyn Fn(DVec3) -> f64| {
        let measured = points.iter().map(|&point| measure(point)).enumerate();
        measured
            .max_by(|(_, one), (_, other)| one.total_cmp(other))
            .unwrap_or((0, 0.0))
    };
    let (a, _) = farthest(&|point| -point.x);
    let (b, length) = farthest(&|point| point.distance(points[a]));
    let along = (points[b] - points[a]).unit_or_zero();
    let (c, width) = farthest(&|point| (point - points[a]).cross(along).length());
    let normal = along.cross(points[c] - points[a]).unit_or_zero();
    let (d, height) = farthest(&|point| (point - points[a]).dot(normal).abs());
    let flat = if length == 0.0 {
        Some("all points are one; write a Sphere")
    } else if width <= HULL_FLATNESS * length {
        Some("all points lie on a line; write a Segment or a Capsule")
    } else if height <= HULL_FLATNESS * length {
        Some(
            "all points lie in a plane; write a Mesh, or give it thickness, or in a flat level a Polygon",
        )
    } else {
        None
    };
    if let Some(reason) = flat {
        return Err(format!("a convex hull needs volume: {reason}"));
    }
    let behind = outside([points[a], points[b], points[c], points[d]]) < 0.0;
    Ok(if behind { [a, b, c, d] } else { [b, a, c, d] })
}

/// Triangles that lie in one plane, to rounding, joined to faces.
fn merged(points: &[DVec3], triangles: &[[usize; 3]]) -> Vec<HullFace> {
    let first = points[triangles[0][0]];
    let lengths = points.iter().map(|point| point.distance(first));
    let size = lengths.fold(0.0, f64::max);
    let slack = HULL_FLATNESS * size;
    let normal = |[a, b, c]: &[usize; 3]| {
        let cross = (points[*b] - points[*a]).cross(points[*c] - points[*a]);
        (cross.unit_or_zero(), cross.length())
    };
    // Large triangles first: their normals are the most accurate.
    let mut order: Vec<(usize, DVec3, f64)> = triangles
        .iter()
        .enumerate()
        .map(|(index, triangle)| {
            let (normal, area) = normal(triangle);
            (index, normal, area)
        })
        .collect();
    order.sort_by(|one, other| other.2.total_cmp(&one.2).then(one.0.cmp(&other.0)));
    let mut taken = vec![false; triangles.len()];
    let mut faces = Vec::new();
    for &(first, normal, area) in &order {
        if taken[first] || area == 0.0 {
            continue;
        }
        let on_plane = points[triangles[first][0]];
        let flat = |corners: &[usize; 3]| {
            corners
                .iter()
                .all(|&corner| (points[corner] - on_plane).dot(normal).abs() <= slack)
        };
        let mut corners: Vec<u32> = Vec::new();
        for (index, triangle) in triangles.iter().enumerate() {
            if !taken[index] && flat(triangle) {
                taken[index] = true;
                corners.extend(triangle.map(|corner| corner as u32));
            }
        }
        corners.sort_unstable();
        corners.dedup();
        let middle = corners
            .iter()
            .map(|&corner| points[corner as usize])
            .sum::<DVec3>()
            / corners.len() as f64;
        let (across, up) = normal.any_orthonormal_pair();
        let angle = |corner: &u32| {
            let from = points[*corner as usize] - middle;
            from.dot(up).atan2(from.dot(across))
        };
        corners.sort_by(|one, other| angle(one).total_cmp(&angle(other)));
        faces.push(HullFace { corners, normal });
    }
    faces
}

/// Every edge once, in the order of the faces.
fn edges_of(faces: &[HullFace]) -> Vec<[u32; 2]> {
    let mut edges = Vec::new();
    for face in faces {
        let next = face.corners.iter().cycle().skip(1);
        for (&from, &to) in face.corners.iter().zip(next) {
            let edge = [from.min(to), from.max(to)];
            edges.push(edge);
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// The centre of mass.
fn centroid_of(points: &[DVec3], triangles: &[[usize; 3]]) -> DVec3 {
    let origin = points[triangles[0][0]];
    let (mut sum, mut volume) = (DVec3::ZERO, 0.0);
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| points[corner] - origin);
        let part = a.dot(b.cross(c));
        sum += (a + b + c) * (part / 4.0);
        volume += part;
    }
    origin + sum / volume
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube() -> Vec<DVec3> {
        (0..8)
            .map(|index| {
                let side = |bit: usize| if index >> bit & 1 == 1 { 1.0 } else { -1.0 };
                DVec3::new(side(0), side(1), side(2))
            })
            .collect()
    }

    /// A cube with points inside and on its faces has six square faces, twelve edges, and its centre in the middle.
    #[test]
    fn a_cube_has_six_faces() {
        let mut points = cube();
        points.extend([DVec3::ZERO, DVec3::X, DVec3::new(0.5, 1.0, 0.25)]);
        let hull = ConvexHull::new(points, 0.5).unwrap();
        assert_eq!((hull.faces().len(), hull.edges().len()), (6, 12));
        assert!(hull.centroid().length() < 1e-15);
        assert!((hull.inner_radius() - 1.5).abs() < 1e-15);
        assert!((hull.bounding_radius() - 3.0_f64.sqrt() - 0.5).abs() < 1e-15);
        assert_eq!(
            hull.support(DVec3::new(1.0, 2.0, -3.0)),
            DVec3::new(1.0, 1.0, -1.0)
        );
    }

    /// A regular tetrahedron around the origin: the inner ball is a third of the outer.
    #[test]
    fn a_tetrahedron_is_its_own_hull() {
        let corners = [(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)];
        let points = corners.map(|(x, y, z)| DVec3::new(f64::from(x), f64::from(y), f64::from(z)));
        let hull = ConvexHull::new(points.to_vec(), 0.0).unwrap();
        assert_eq!((hull.faces().len(), hull.edges().len()), (4, 6));
        assert!((hull.inner_radius() - 1.0 / 3.0_f64.sqrt()).abs() < 1e-15);
    }

    #[test]
    fn what_has_no_volume_is_refused_with_a_reason() {
        let refused = |points: Vec<DVec3>| ConvexHull::new(points, 0.0).unwrap_err();
        assert!(refused(vec![DVec3::ONE; 5]).contains("Sphere"));
        let line = (0..5).map(|index| DVec3::ONE * f64::from(index)).collect();
        assert!(refused(line).contains("line"));
        let square = cube()
            .into_iter()
            .map(|point| point * DVec3::new(1.0, 0.0, 1.0))
            .collect();
        assert!(refused(square).contains("plane"));
        assert!(refused(cube()[..3].to_vec()).contains("4 to 1024 points"));
        assert!(refused(vec![DVec3::NAN; 4]).contains("not finite"));
    }

    /// Every point is inside every face of its hull, also of a thousand points on a sphere.
    #[test]
    fn a_hull_holds_its_points() {
        let golden = std::f64::consts::PI * (3.0 - 5.0_f64.sqrt());
        let on_sphere = |index: usize| {
            let y = 1.0 - 2.0 * (index as f64 + 0.5) / 1000.0;
            let (sine, cosine) = (golden * index as f64).sin_cos();
            DVec3::new(
                (1.0 - y * y).sqrt() * cosine,
                y,
                (1.0 - y * y).sqrt() * sine,
            )
        };
        let points: Vec<DVec3> = (0..1000).map(on_sphere).collect();
        let hull = ConvexHull::new(points.clone(), 0.0).unwrap();
        // Euler: corners - edges + faces = 2.
        assert_eq!(1000 + hull.faces().len(), hull.edges().len() + 2);
        for face in hull.faces() {
            let plane = points[face.corners[0] as usize];
            assert!(
                points
                    .iter()
                    .all(|point| (*point - plane).dot(face.normal) < 1e-12)
            );
        }
    }
}
