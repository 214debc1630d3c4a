//! Meshes and their tree against brute force, at every scale of numbers.

use super::*;
use crate::random::rounds;

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
            let moved = base.vertices().map(|v| v * scale + offset);
            let triangles = base.triangles().collect();
            let mesh = Mesh::new(moved.collect(), triangles, Facing::Both).unwrap();
            for index in 0..60 {
                let Triangle { a, b, c, .. } = mesh.triangle(index);
                let (mut by_box, mut along, mut near_way, mut near) = (false, true, true, false);
                mesh.for_each_in(&mesh.triangle(index).aabb(), &mut |t| by_box |= t == index);
                for (from, to) in [(a, b), (b, c), (c, a)] {
                    let (mut once, mut nearest) = (false, false);
                    mesh.for_each_along(from, to, 0.0, &mut |t, _| once |= t == index);
                    along &= once;
                    mesh.for_each_near_way(from, to, 0.0, &mut |t| {
                        nearest |= t == index;
                        0.0
                    });
                    near_way &= nearest;
                }
                // From far away, with a limit that it is just within.
                let eye = a + DVec3::splat(scale * 1e7);
                let limit = scale * 1e7 * 3.0_f64.sqrt();
                mesh.for_each_near_way(eye, eye, limit, &mut |t| {
                    near |= t == index;
                    limit
                });
                let found = (by_box, along, near_way, near);
                assert_eq!(found, (true, true, true, true), "{index} at {scale}");
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
                let on = triangle.a + (triangle.b - triangle.a) * u + (triangle.c - triangle.a) * v;
                least = least.min(point.distance(on));
            }
        }
    }
    least
}

/// Whatever is within the radius by sampling is visited, and, walking from near to far, whatever is within the limit.
#[test]
fn along_a_way_nothing_near_is_left_out() {
    for seed in 1..rounds(80) {
        let mut random = Random(seed * 15_485_863);
        let offset = if seed % 3 == 0 { 1e6 } else { 0.0 };
        let mesh = {
            let base = soup(&mut random, 150, 10.0, 1.0);
            let moved = base.vertices().map(|v| v + DVec3::splat(offset));
            Mesh::new(moved.collect(), base.triangles().collect(), Facing::Both).unwrap()
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
        let away = |triangle: u32| {
            let bounds = mesh.triangle(triangle).aabb();
            point.distance(point.clamp(bounds.min, bounds.max))
        };
        let (mut best, mut visits) = (f64::INFINITY, 0);
        mesh.for_each_near_way(point, point, best, &mut |triangle| {
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
fn very_many_triangles_all_in_one_place_make_a_tree() {
    let many: u32 = rounds(1_000_000);
    let vertices = vec![DVec3::ZERO, DVec3::X, DVec3::Y];
    let same = Mesh::new(vertices, vec![[0, 1, 2]; many as usize], Facing::Both).unwrap();
    assert_eq!(same.dirt().duplicate, many - 1);
    let mut count = 0;
    same.for_each_in(&same.aabb(), &mut |_| count += 1);
    assert_eq!(count, many);
}
