//! Segments and spheres aimed at edges and vertices of a closed mesh never pass between its triangles.
//!
//! A full run aims a million of them, a minute or two.

use super::exact::placed::sweep_against;
use crate::common::few_rounds;
use crate::common::random::Random;
use glam::{DQuat, DVec3};
use hitstop::core::query::{SweepOutcome, ray_cast};
use hitstop::core::shape::{Facing, Mesh, Placed, Pose, Segment, Shape, Sphere};
use std::collections::HashMap;
use std::sync::Arc;

/// Segments and spheres of a full run: a million together.
const SEGMENTS: usize = 400_000;
const SPHERES: usize = 200_000;

/// A closed mesh, a point that it surrounds, and a radius around that point inside and one outside.
struct Solid {
    name: &'static str,
    mesh: Arc<Mesh>,
    /// Position in the world.
    pose: Pose,
    middle: DVec3,
    inner: f64,
    outer: f64,
}

/// An icosahedron, each triangle divided in four this many times with its corners projected onto the sphere, then moved by `shape`.
fn icosphere(cuts: u32, shape: impl Fn(DVec3) -> DVec3) -> Mesh {
    let g = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let signs = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
    let mut vertices: Vec<DVec3> = vec![];
    for axis in 0..3 {
        for (s, t) in signs {
            let mut vertex = DVec3::ZERO;
            (vertex[axis], vertex[(axis + 1) % 3]) = (s, t * g);
            vertices.push(vertex);
        }
    }
    // Its faces are the triples whose corners are all 2 apart, wound outward.
    let mut triangles: Vec<[u32; 3]> = vec![];
    let near = |a: DVec3, b: DVec3| ((a - b).length() - 2.0).abs() < 1e-9;
    for i in 0..12 {
        for j in i + 1..12 {
            for k in j + 1..12 {
                let [a, b, c] = [vertices[i], vertices[j], vertices[k]];
                if near(a, b) && near(b, c) && near(c, a) {
                    let outward = (b - a).cross(c - a).dot(a) > 0.0;
                    let [i, j, k] = [i as u32, j as u32, k as u32];
                    triangles.push(if outward { [i, j, k] } else { [i, k, j] });
                }
            }
        }
    }
    assert_eq!(triangles.len(), 20);
    for _ in 0..cuts {
        let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
        let mut cut = vec![];
        for [a, b, c] in triangles {
            let mut middle = |i: u32, j: u32| {
                *middles.entry((i.min(j), i.max(j))).or_insert_with(|| {
                    vertices.push((vertices[i as usize] + vertices[j as usize]) * 0.5);
                    vertices.len() as u32 - 1
                })
            };
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            cut.extend([[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]);
        }
        triangles = cut;
    }
    let vertices = vertices.iter().map(|v| shape(*v / v.length())).collect();
    Mesh::new(vertices, triangles, Facing::Both).unwrap()
}

/// A box whose faces are grids; `height` lifts the top's inner corners (a piece of land with a floor and walls).
fn block(cells: u32, turn: DQuat, offset: DVec3, height: impl Fn(f64, f64) -> f64) -> Mesh {
    let mut vertices = vec![];
    let mut triangles = vec![];
    let mut known: HashMap<[i64; 3], u32> = HashMap::new();
    for axis in 0..3 {
        for side in [0, i64::from(cells)] {
            for u in 0..i64::from(cells) {
                for v in 0..i64::from(cells) {
                    let mut corner = |du: i64, dv: i64| {
                        let mut key = [0; 3];
                        (key[axis], key[(axis + 1) % 3], key[(axis + 2) % 3]) =
                            (side, u + du, v + dv);
                        *known.entry(key).or_insert_with(|| {
                            let mut place = DVec3::from_array(key.map(|k| k as f64));
                            place = place * (2.0 / f64::from(cells)) - DVec3::ONE;
                            if key[1] == i64::from(cells) {
                                place.y += height(place.x, place.z);
                            }
                            vertices.push(turn * place + offset);
                            vertices.len() as u32 - 1
                        })
                    };
                    let [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
                    triangles.extend(if side == 0 {
                        [[a, c, b], [a, d, c]]
                    } else {
                        [[a, b, c], [a, c, d]]
                    });
                }
            }
        }
    }
    Mesh::new(vertices, triangles, Facing::Both).unwrap()
}

/// The same surface as in careless data: a third of the triangles twice, some reversed, some without area
/// between two corners of an edge.
fn dirty(mesh: &Mesh) -> Mesh {
    let mut triangles = vec![];
    for (number, [a, b, c]) in mesh.triangles().enumerate() {
        match number % 6 {
            0 => triangles.extend([[a, b, c], [b, c, a]]),
            1 => triangles.extend([[a, b, c], [c, b, a]]),
            2 => triangles.extend([[a, a, b], [a, b, c]]),
            3 => triangles.extend([[b, b, b], [c, a, c], [a, b, c]]),
            _ => triangles.push([a, b, c]),
        }
    }
    Mesh::new(mesh.vertices().collect(), triangles, Facing::Both).unwrap()
}

fn solids() -> Vec<Solid> {
    let turn = DQuat::from_axis_angle(DVec3::new(1.0, 2.0, -0.5) / 5.25_f64.sqrt(), 0.7);
    let far = DVec3::new(1e5, -2e5, 3e5);
    let flat = |_: f64, _: f64| 0.0;
    let land = |x: f64, z: f64| 0.2 * (5.0 * x).sin() * (4.0 * z).cos();
    let solid = |name, mesh: Mesh, middle, inner, outer| Solid {
        name,
        mesh: Arc::new(mesh),
        pose: Pose::IDENTITY,
        middle,
        inner,
        outer,
    };
    let lumpy = |v: DVec3| v * (1.0 + 0.2 * (6.0 * v.x).sin() * (5.0 * v.y).cos());
    let origin = DVec3::ZERO;
    let straight_land = || block(8, DQuat::IDENTITY, origin, land);
    let very_far = DVec3::new(-1e7, 1e7, 1e7);
    let placed = Pose {
        position: far,
        rotation: turn,
    };
    vec![
        solid("ball", icosphere(2, |v| v), origin, 0.5, 1.5),
        solid("lumpy ball", icosphere(3, lumpy), origin, 0.4, 1.8),
        solid(
            "box",
            block(1, DQuat::IDENTITY, origin, flat),
            origin,
            0.5,
            2.0,
        ),
        solid(
            "turned box of cells",
            block(4, turn, origin, flat),
            origin,
            0.5,
            2.0,
        ),
        solid("land", straight_land(), origin, 0.4, 2.2),
        solid("land far away", block(8, turn, far, land), far, 0.4, 2.2),
        solid("dirty land", dirty(&straight_land()), origin, 0.4, 2.2),
        solid(
            "ball very far away",
            icosphere(2, |v| v + very_far),
            very_far,
            0.5,
            1.5,
        ),
        Solid {
            pose: placed,
            ..solid(
                "lumpy ball at a pose",
                icosphere(3, lumpy),
                origin,
                0.4,
                1.8,
            )
        },
    ]
}

impl Solid {
    /// A vertex, or a point on an edge, as nearly as `f64` represents it.
    fn seam(&self, random: &mut Random) -> DVec3 {
        let triangle = random.index(self.mesh.count());
        let corners = self.mesh.triangles().nth(triangle).unwrap();
        let first = random.index(3);
        let [a, b] =
            [corners[first], corners[(first + 1) % 3]].map(|v| self.mesh.vertex(v as usize));
        match random.index(4) {
            0 => a,
            1 => a + (b - a) * 0.5,
            2 => a + (b - a) * 0.25,
            _ => a + (b - a) * random.unit(),
        }
    }

    /// In the world.
    fn placed(&self, segment: Segment) -> Segment {
        Segment {
            a: self.pose.point(segment.a),
            b: self.pose.point(segment.b),
        }
    }

    /// From a point inside through a seam to a point outside, in either direction; it must hit the surface.
    fn seam_segment(&self, random: &mut Random) -> (DVec3, DVec3) {
        loop {
            let seam = self.seam(random);
            let inside = self.middle + random.point(self.inner / 3.0_f64.sqrt());
            let along = seam - inside;
            let outside = inside + along * (2.0 * self.outer / along.length() + 1.0);
            if (outside - self.middle).length() > self.outer {
                return if random.index(2) == 0 {
                    (inside, outside)
                } else {
                    (outside, inside)
                };
            }
        }
    }
}

#[test]
fn no_segment_slips_between_the_triangles_of_a_closed_mesh() {
    aim_segments(few_rounds(SEGMENTS), 1);
}

#[test]
fn no_sphere_slips_between_the_triangles_of_a_closed_mesh() {
    aim_spheres(few_rounds(SPHERES), 2);
}

/// From outside onto a closed ball of one-sided triangles, past its silhouette or through it: a segment aimed at a seam hits.
#[test]
fn no_sphere_slips_into_a_ball_of_one_sided_triangles() {
    aim_at_one_sided_ball(few_rounds(SPHERES) / 2, 5);
}

fn aim_segments(count: usize, seed: u64) {
    let solids = solids();
    let count_per_solid = count.div_ceil(solids.len());
    let mut random = Random(seed);
    for solid in solids {
        let name = solid.name;
        let shape = Shape::Mesh(Arc::clone(&solid.mesh));
        for number in 0..count_per_solid {
            let (a, b) = solid.seam_segment(&mut random);
            let segment = Segment { a, b };
            let hit = ray_cast(&solid.placed(segment), &shape, &solid.pose);
            assert!(
                hit.is_some(),
                "{name}, seed {seed}, number {number}: {segment:?}"
            );
        }
        println!("{name}: {count_per_solid} segments, none slipped through");
    }
}

/// A path through a seam, short beside the solid: the ball must hit something, unless it touches something at the start.
fn aim_spheres(count: usize, seed: u64) {
    let solids = solids();
    let count_per_solid = count.div_ceil(solids.len());
    let mut random = Random(seed);
    let mut hits = 0;
    for solid in &solids {
        let name = solid.name;
        let shape = Shape::Mesh(Arc::clone(&solid.mesh));
        for number in 0..count_per_solid {
            let seam = solid.seam(&mut random);
            let half = random.point(0.25);
            let (center, step) = (seam - half, half * 2.0);
            // Far away the aim is off by the rounding of the coordinates, and a ball of less than the error bound only grazes.
            let aim = 1e-14 * (solid.middle.length() + solid.pose.position.length());
            let radius = [1e-9_f64, 1e-6, 1e-3, 0.02][random.index(4)].max(aim);
            let ball = Sphere {
                center: solid.pose.point(center),
                radius,
            };
            let step = solid.pose.vector(step);
            let mesh = (&shape, &solid.pose);
            let outcome = sweep_against(&Placed::Sphere(ball), step, mesh, DVec3::ZERO);
            match outcome {
                SweepOutcome::Hits(_) => hits += 1,
                SweepOutcome::Overlapping { .. } => {}
                _ => panic!(
                    "{name}, seed {seed}, number {number}: {outcome:?} of {ball:?} by {step}"
                ),
            }
        }
        println!("{name}: {count_per_solid} spheres, none slipped through");
    }
    assert!(hits > count * 9 / 10, "{hits}");
}

fn aim_at_one_sided_ball(count: usize, seed: u64) {
    let two_sided = icosphere(2, |v| v);
    let (vertices, triangles) = (
        two_sided.vertices().collect(),
        two_sided.triangles().collect(),
    );
    let solid = Solid {
        name: "one-sided ball",
        mesh: Arc::new(Mesh::new(vertices, triangles, Facing::Front).unwrap()),
        pose: Pose::IDENTITY,
        middle: DVec3::ZERO,
        inner: 0.5,
        outer: 1.5,
    };
    let shape = Shape::Mesh(Arc::clone(&solid.mesh));
    let mut random = Random(seed);
    for number in 0..count {
        let (a, b) = solid.seam_segment(&mut random);
        let (inside, outside) = if a.length() < b.length() {
            (a, b)
        } else {
            (b, a)
        };
        let radius = [1e-9, 1e-6, 1e-3, 0.02][random.index(4)];
        let ball = Sphere {
            center: outside,
            radius,
        };
        let step = inside - outside;
        let mesh = (&shape, &Pose::IDENTITY);
        let outcome = sweep_against(&Placed::Sphere(ball), step, mesh, DVec3::ZERO);
        assert!(
            outcome.impact().is_some(),
            "seed {seed}, number {number}: {outcome:?} of {ball:?} by {step}"
        );
    }
    println!("{}: {count} spheres, none slipped through", solid.name);
}
