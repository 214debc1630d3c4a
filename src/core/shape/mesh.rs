//! Triangles that share vertices, with the tree that finds the few near a query.

use super::mesh_edges::MeshEdges;
use super::mesh_tree::{MeshTree, Place};
use super::{Aabb, Facing, Pose, Segment, Sphere, Triangle};
use glam::DVec3;
use prefetch_index::prefetch_index;
use smallvec::SmallVec;
use std::sync::OnceLock;

/// A triangle mesh in local space; immutable once made.
///
/// Real levels are dirty: degenerate and duplicate triangles are counted, kept and harmless.
#[derive(Debug)]
pub struct Mesh {
    vertices: Vec<DVec3>,
    triangles: Vec<[u32; 3]>,
    facing: Facing,
    dirt: MeshDirt,
    aabb: Aabb,
    reach: f64,
    tree: MeshTree,
    /// The vertices by the tree's numbers: those of triangles that lie together, together.
    near: Vec<DVec3>,
    bounding_sphere: OnceLock<Sphere>,
    edges: OnceLock<MeshEdges>,
}

/// Everything else follows from these.
impl PartialEq for Mesh {
    fn eq(&self, other: &Self) -> bool {
        self.facing == other.facing
            && self.triangles == other.triangles
            && self.vertices == other.vertices
    }
}

/// What is wrong with a mesh, harmless but worth showing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MeshDirt {
    /// Triangles without area.
    pub degenerate: u32,
    /// Triangles with the same three corners as an earlier one, in whichever order.
    pub duplicate: u32,
}

impl Mesh {
    /// Checks the indices and builds the tree.
    ///
    /// # Errors
    /// A sentence, when there is no triangle, an index is out of range or a vertex is not finite.
    pub fn new(
        vertices: Vec<DVec3>,
        triangles: Vec<[u32; 3]>,
        facing: Facing,
    ) -> Result<Self, String> {
        check(&vertices, &triangles)?;
        let boxes: Vec<Aabb> = triangles
            .iter()
            .map(|&corners| box_of(&vertices, corners))
            .collect();
        let aabb = boxes[1..]
            .iter()
            .fold(boxes[0], |bounds, next| bounds.union(next));
        let used = triangles.iter().flatten();
        let reach = used.fold(0.0_f64, |most, &vertex| {
            most.max(vertices[vertex as usize].length())
        });
        let mut tree = MeshTree::new(&boxes, &triangles);
        Ok(Self {
            dirt: count_dirt(&vertices, &triangles),
            near: tree.renumber(&vertices),
            tree,
            vertices,
            triangles,
            facing,
            aabb,
            reach,
            bounding_sphere: OnceLock::new(),
            edges: OnceLock::new(),
        })
    }

    /// Local space, metres.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Vertex indices, counter-clockwise seen from the front.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Which sides collide.
    pub fn facing(&self) -> Facing {
        self.facing
    }

    /// Degenerate and duplicate triangles.
    pub fn dirt(&self) -> MeshDirt {
        self.dirt
    }

    /// One triangle, local space.
    #[inline]
    pub fn triangle(&self, index: u32) -> Triangle {
        self.of_corners(&self.vertices, self.triangles[index as usize])
    }

    #[inline(always)]
    fn at(&self, place: &Place) -> Triangle {
        self.of_corners(&self.near, place.corners)
    }

    #[inline(always)]
    fn of_corners(&self, vertices: &[DVec3], [a, b, c]: [u32; 3]) -> Triangle {
        Triangle {
            a: vertices[a as usize],
            b: vertices[b as usize],
            c: vertices[c as usize],
            facing: self.facing,
        }
    }

    /// Which triangles meet at which edge; found on the first call and remembered.
    pub fn edges(&self) -> &MeshEdges {
        let places = || number_places(&self.vertices);
        self.edges
            .get_or_init(|| MeshEdges::new(&places(), &self.triangles))
    }

    /// Both ends of a triangle's edge (0 is ab, 1 is bc, 2 is ca), local space.
    pub fn edge(&self, triangle: u32, edge: u32) -> Segment {
        let corners = self.triangles[triangle as usize];
        let at = |corner: u32| self.vertices[corners[corner as usize % 3] as usize];
        Segment {
            a: at(edge),
            b: at(edge + 1),
        }
    }

    /// Local bounds of the triangles.
    pub fn aabb(&self) -> Aabb {
        self.aabb
    }

    /// Distance of the farthest corner of a triangle from the local origin, metres: turning never takes it farther.
    pub fn reach(&self) -> f64 {
        self.reach
    }

    /// World bounds at a pose: a box around the rotated local box.
    pub fn aabb_at(&self, pose: &Pose) -> Aabb {
        let local = self.aabb;
        super::Obb {
            center: pose.point(local.center()),
            half_extents: local.half_extents(),
            rotation: pose.rotation,
        }
        .aabb()
    }

    /// Visits every triangle whose own box overlaps a region of local space, inclusively; in no order that means anything,
    /// but always the same one.
    pub fn for_each_in(&self, region: &Aabb, visit: &mut impl FnMut(u32)) {
        self.tree.for_each_in(region, &mut |place| {
            if box_of(&self.near, place.corners).overlaps(region) {
                visit(place.triangle);
            }
        });
    }

    /// Visits every triangle whose own box comes within `radius` of a straight way in local space, and a few more; in no order
    /// that means anything, but always the same one.
    pub fn for_each_along(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
        visit: &mut impl FnMut(u32, &Triangle),
    ) {
        self.tree.for_each_along([from, to], radius, &mut |place| {
            visit(place.triangle, &self.at(place));
        });
    }

    /// The same triangles, all read before any is looked at: where there are several, they come from far-off memory side by side.
    pub(in crate::core) fn all_along(
        &self,
        from: DVec3,
        to: DVec3,
        radius: f64,
    ) -> SmallVec<[(u32, Triangle); 16]> {
        let mut found: SmallVec<[Place; 16]> = SmallVec::new();
        self.tree.all_along([from, to], radius, &mut |place| {
            for vertex in place.corners {
                prefetch_index(&self.near, vertex as usize);
            }
            found.push(*place);
        });
        let triangle = |place: &Place| (place.triangle, self.at(place));
        found.iter().map(triangle).collect()
    }

    /// [`Mesh::for_each_near`] around a straight way in local space.
    pub fn for_each_near_way(
        &self,
        from: DVec3,
        to: DVec3,
        limit: f64,
        visit: &mut impl FnMut(u32) -> f64,
    ) {
        self.tree
            .for_each_near_way(from, to, limit, &mut |place| visit(place.triangle));
    }

    /// Visits triangles roughly from near to far around a region of local space, leaving out what lies farther away than the
    /// limit (metres between boxes). `visit` answers with the limit from there on: the best distance found so far.
    pub fn for_each_near(&self, region: &Aabb, limit: f64, visit: &mut impl FnMut(u32) -> f64) {
        self.tree
            .for_each_near(region, limit, &mut |place| visit(place.triangle));
    }

    /// The sphere around it, made by `make` from the vertices on the first call and remembered.
    pub(in crate::core) fn bounding_sphere_or(
        &self,
        make: impl FnOnce(&[DVec3]) -> Sphere,
    ) -> Sphere {
        *self.bounding_sphere.get_or_init(|| make(&self.vertices))
    }
}

fn check(vertices: &[DVec3], triangles: &[[u32; 3]]) -> Result<(), String> {
    if triangles.is_empty() {
        return Err("a mesh needs at least one triangle".into());
    }
    if triangles.len() > u32::MAX as usize {
        return Err(format!(
            "a mesh holds at most {} triangles; this one has {}",
            u32::MAX,
            triangles.len()
        ));
    }
    if let Some(index) = vertices.iter().position(|vertex| !vertex.is_finite()) {
        let DVec3 { x, y, z } = vertices[index];
        return Err(format!(
            "vertex {index} is not a finite point: ({x}, {y}, {z})"
        ));
    }
    for (index, corners) in triangles.iter().enumerate() {
        if let Some(vertex) = corners.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(format!(
                "triangle {index} asks for vertex {vertex}, but there are {} vertices (numbered from 0)",
                vertices.len()
            ));
        }
    }
    Ok(())
}

fn box_of(vertices: &[DVec3], corners: [u32; 3]) -> Aabb {
    let [a, b, c] = corners.map(|vertex| vertices[vertex as usize]);
    Aabb {
        min: a.min(b).min(c),
        max: a.max(b).max(c),
    }
}

/// Corners are compared by position, as files often repeat a vertex for each triangle.
fn count_dirt(vertices: &[DVec3], triangles: &[[u32; 3]]) -> MeshDirt {
    let place = number_places(vertices);
    let mut corners: Vec<[u32; 3]> = triangles
        .iter()
        .map(|corners| {
            let mut places = corners.map(|vertex| place[vertex as usize]);
            places.sort_unstable();
            places
        })
        .collect();
    let degenerate = triangles.iter().filter(|&&[a, b, c]| {
        let [a, b, c] = [a, b, c].map(|vertex| vertices[vertex as usize]);
        a == b || b == c || c == a || (b - a).cross(c - a) == DVec3::ZERO
    });
    let degenerate = degenerate.count() as u32;
    corners.sort_unstable();
    let duplicate = corners.windows(2).filter(|pair| pair[0] == pair[1]).count() as u32;
    MeshDirt {
        degenerate,
        duplicate,
    }
}

/// Equal positions get equal numbers.
fn number_places(vertices: &[DVec3]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    // Adding 0 makes -0 and 0 the same number to a total order.
    let key = |index: u32| vertices[index as usize] + DVec3::ZERO;
    let compare = |a: DVec3, b: DVec3| {
        let by = |axis: usize| a[axis].total_cmp(&b[axis]);
        by(0).then_with(|| by(1)).then_with(|| by(2))
    };
    order.sort_unstable_by(|&a, &b| compare(key(a), key(b)).then(a.cmp(&b)));
    let mut places = vec![0; vertices.len()];
    for pair in order.windows(2) {
        let [before, after] = [pair[0], pair[1]];
        let step = u32::from(key(before) != key(after));
        places[after as usize] = places[before as usize] + step;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator: the same numbers on every machine.
    struct Random(u64);

    impl Random {
        fn unit(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn point(&mut self, size: f64) -> DVec3 {
            DVec3::new(self.unit(), self.unit(), self.unit()) * size
        }
    }

    fn soup(random: &mut Random, count: usize, world: f64, size: f64) -> Mesh {
        let mut vertices = Vec::new();
        for _ in 0..count {
            let base = random.point(world);
            vertices.extend([base, base + random.point(size), base + random.point(size)]);
        }
        let triangles = (0..count as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]);
        Mesh::new(vertices, triangles.collect(), Facing::Both).unwrap()
    }

    fn error(vertices: Vec<DVec3>, triangles: Vec<[u32; 3]>) -> String {
        Mesh::new(vertices, triangles, Facing::Both).unwrap_err()
    }

    #[test]
    fn bad_meshes_are_refused_with_the_place_named() {
        assert_eq!(
            error(vec![DVec3::ZERO], vec![]),
            "a mesh needs at least one triangle"
        );
        let text = error(vec![DVec3::ZERO; 3], vec![[0, 1, 2], [0, 7, 1]]);
        assert!(text.contains("triangle 1 asks for vertex 7"), "{text}");
        assert!(text.contains("3 vertices"), "{text}");
        let text = error(vec![DVec3::ZERO, DVec3::NAN, DVec3::X], vec![[0, 1, 2]]);
        assert!(text.contains("vertex 1"), "{text}");
    }

    #[test]
    fn dirt_is_counted_by_position() {
        let vertices = vec![
            DVec3::ZERO,
            DVec3::X,
            DVec3::Y,
            DVec3::X * 2.0,
            DVec3::new(-0.0, 0.0, 0.0),
        ];
        let triangles = vec![
            [0, 1, 2],
            // The same corners, wound against it, through a repeated vertex.
            [2, 1, 4],
            // On one line, and with two corners in one place.
            [0, 1, 3],
            [0, 4, 2],
        ];
        let dirt = Mesh::new(vertices, triangles, Facing::Both).unwrap().dirt();
        assert_eq!(
            dirt,
            MeshDirt {
                degenerate: 2,
                duplicate: 1
            }
        );
    }

    #[test]
    fn unused_vertices_do_not_widen_the_bounds() {
        let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::splat(1e6)];
        let mesh = Mesh::new(vertices, vec![[0, 1, 2]], Facing::Both).unwrap();
        assert_eq!(mesh.aabb().max, DVec3::new(1.0, 1.0, 0.0));
        assert_eq!(mesh.reach(), 1.0);
    }

    #[test]
    fn the_tree_finds_what_brute_force_finds() {
        for seed in 1..40 {
            let mut random = Random(seed * 7919);
            let count = 1 + (random.unit() * 300.0) as usize;
            let mesh = soup(&mut random, count, 10.0, 1.0);
            for _ in 0..50 {
                let min = random.point(11.0) - DVec3::splat(0.5);
                let region = Aabb {
                    min,
                    max: min + random.point(3.0),
                };
                let mut found = Vec::new();
                mesh.for_each_in(&region, &mut |triangle| found.push(triangle));
                found.sort_unstable();
                let expected: Vec<u32> = (0..count as u32)
                    .filter(|&triangle| mesh.triangle(triangle).aabb().overlaps(&region))
                    .collect();
                assert_eq!(found, expected, "seed {seed}");
            }
        }
    }

    /// However small or large the numbers are: each triangle is found by its own box, along each of its edges and as the nearest.
    #[test]
    fn the_tree_finds_triangles_of_every_size() {
        for scale in [1e-300, 1e-30, 1e-6, 1e6, 1e30, 1e300] {
            let mut random = Random(104_729);
            let base = soup(&mut random, 60, 10.0, 1.0);
            let offset = DVec3::splat(scale * 1e3);
            for offset in [DVec3::ZERO, offset] {
                let moved = base.vertices().iter().map(|&v| v * scale + offset);
                let triangles = base.triangles().to_vec();
                let mesh = Mesh::new(moved.collect(), triangles, Facing::Both).unwrap();
                for index in 0..60 {
                    let Triangle { a, b, c, .. } = mesh.triangle(index);
                    let mut found = [false, true, false, false];
                    mesh.for_each_in(&mesh.triangle(index).aabb(), &mut |t| {
                        found[0] |= t == index
                    });
                    for (from, to) in [(a, b), (b, c), (c, a)] {
                        let mut along = false;
                        mesh.for_each_along(from, to, 0.0, &mut |t, _| along |= t == index);
                        let all = mesh.all_along(from, to, 0.0);
                        found[1] &= along && all.iter().any(|&(t, _)| t == index);
                        mesh.for_each_near_way(from, to, 0.0, &mut |t| {
                            found[2] |= t == index;
                            0.0
                        });
                    }
                    // From far away, with a limit that it is just within.
                    let eye = a + DVec3::splat(scale * 1e7);
                    let region = Aabb { min: eye, max: eye };
                    let limit = scale * 1e7 * 3.0_f64.sqrt();
                    mesh.for_each_near(&region, limit, &mut |t| {
                        found[3] |= t == index;
                        limit
                    });
                    assert_eq!(found, [true; 4], "{index} at {scale}");
                }
            }
        }
    }

    /// The least distance of a way from a triangle, over many points of both.
    fn sampled_gap(from: DVec3, to: DVec3, triangle: &Triangle) -> f64 {
        let mut least = f64::INFINITY;
        for step in 0..=40 {
            let point = from.lerp(to, f64::from(step) / 40.0);
            for i in 0..=12 {
                for j in 0..=12 - i {
                    let (u, v) = (f64::from(i) / 12.0, f64::from(j) / 12.0);
                    let on =
                        triangle.a + (triangle.b - triangle.a) * u + (triangle.c - triangle.a) * v;
                    least = least.min(point.distance(on));
                }
            }
        }
        least
    }

    /// Whatever is within the radius by sampling is visited, and, walking from near to far, whatever is within the limit.
    #[test]
    fn along_a_way_nothing_near_is_left_out() {
        for seed in 1..30 {
            let mut random = Random(seed * 15_485_863);
            let offset = if seed % 3 == 0 { 1e6 } else { 0.0 };
            let mesh = {
                let base = soup(&mut random, 150, 10.0, 1.0);
                let moved = base.vertices().iter().map(|&v| v + DVec3::splat(offset));
                Mesh::new(moved.collect(), base.triangles().to_vec(), Facing::Both).unwrap()
            };
            for _ in 0..8 {
                let from = random.point(12.0) - DVec3::ONE + DVec3::splat(offset);
                let mut to = from + random.point(8.0) - DVec3::splat(4.0);
                if random.unit() < 0.3 {
                    to.x = from.x;
                }
                let radius = random.unit();
                let (mut along, mut near) = (vec![false; 150], vec![false; 150]);
                mesh.for_each_along(from, to, radius, &mut |t, _| along[t as usize] = true);
                mesh.for_each_near_way(from, to, radius, &mut |t| {
                    near[t as usize] = true;
                    radius
                });
                assert!(along.iter().any(|&seen| !seen), "seed {seed}");
                for triangle in 0..150 {
                    let gap = sampled_gap(from, to, &mesh.triangle(triangle));
                    let (along, near) = (along[triangle as usize], near[triangle as usize]);
                    assert!(gap > radius || (along && near), "seed {seed}: {triangle}");
                }
            }
        }
    }

    #[test]
    fn near_to_far_finds_the_nearest_box() {
        for seed in 1..40 {
            let mut random = Random(seed * 104_729);
            let mesh = soup(&mut random, 200, 10.0, 0.5);
            let point = random.point(14.0) - DVec3::splat(2.0);
            let region = Aabb {
                min: point,
                max: point,
            };
            let away = |triangle: u32| {
                let bounds = mesh.triangle(triangle).aabb();
                point.distance(point.clamp(bounds.min, bounds.max))
            };
            let (mut best, mut visits) = (f64::INFINITY, 0);
            mesh.for_each_near(&region, best, &mut |triangle| {
                visits += 1;
                best = best.min(away(triangle));
                best
            });
            let expected = (0..200).map(away).fold(f64::INFINITY, f64::min);
            assert_eq!(best, expected, "seed {seed}");
            assert!(visits < 200, "seed {seed}: nothing was left out");
        }
    }

    #[test]
    fn touching_boxes_are_visited() {
        let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
        let mesh = Mesh::new(vertices, vec![[0, 1, 2]], Facing::Both).unwrap();
        let visits = |min: DVec3| {
            let mut count = 0;
            let max = min + DVec3::ONE;
            mesh.for_each_in(&Aabb { min, max }, &mut |_| count += 1);
            count
        };
        assert_eq!(visits(DVec3::X), 1);
        assert_eq!(visits(DVec3::new(1.0_f64.next_up(), 0.0, 0.0)), 0);
        assert_eq!(visits(DVec3::NAN), 0);
    }

    #[test]
    fn a_million_triangles_all_in_one_place_make_a_tree() {
        let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
        let same = Mesh::new(vertices, vec![[0, 1, 2]; 1_000_000], Facing::Both).unwrap();
        assert_eq!(same.dirt().duplicate, 999_999);
        let mut count = 0;
        same.for_each_in(&same.aabb(), &mut |_| count += 1);
        assert_eq!(count, 1_000_000);
    }
}
