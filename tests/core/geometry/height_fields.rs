//! A height field answers every question as the mesh of its triangles, bit for bit.

use super::exact::all_pairs::{KINDS, shape};
use crate::common::random::Random;
use crate::common::rounds;
use glam::DVec3;
use hitstop::core::bounds::{bounding_sphere, sphere_tree};
use hitstop::core::query::turning::{Turning, sweep_turning};
use hitstop::core::query::{closest_approach, contact, gap, overlaps, ray_cast, sweep};
use hitstop::core::shape::{
    Aabb, Diagonal, Facing, HeightField, Mesh, Motion, Pose, Segment, Shape,
};
use std::sync::Arc;

/// A field of up to 40 x 40 heights: rough, level, in whole steps, or with a few peaks.
fn field(random: &mut Random) -> Mesh {
    let mut count = || {
        let most = random.pick(&[2, 5, 6, 18, 40]);
        2 + random.index(most - 1)
    };
    let (rows, columns) = (count(), count());
    let kind = random.below(4);
    let height = |random: &mut Random| match kind {
        0 => random.range(-1.0, 1.0),
        1 => 0.0,
        2 => random.below(3) as f64,
        _ if random.below(9) == 0 => 20.0 * random.unit(),
        _ => 0.0,
    };
    let row = |random: &mut Random| (0..columns).map(|_| height(random)).collect();
    let heights = (0..rows).map(|_| row(random)).collect();
    let cell = [0, 1].map(|_| random.pick(&[0.25, 0.7, 1.0, 3.1]));
    let diagonal = random.pick(&[Diagonal::Main, Diagonal::Anti]);
    let field = HeightField { heights, cell };
    field.split(diagonal, 1600).expect("a field")
}

/// The same triangles as a list of them.
fn listed(field: &Mesh) -> Mesh {
    let (vertices, triangles) = (field.vertices().collect(), field.triangles().collect());
    Mesh::new(vertices, triangles, field.facing()).expect("a mesh")
}

/// A place on or near the field.
fn near(field: &Mesh, random: &mut Random) -> DVec3 {
    let half = field.aabb().half_extents();
    let vertex = random.index(field.vertices().len());
    let aside = random.point(0.3 * half.max_element());
    match random.below(4) {
        0 => field.vertex(vertex),
        1 => field.vertex(vertex) + DVec3::Y * random.unit(),
        2 => half * random.point(1.2) + aside,
        _ => field.vertex(vertex) + aside,
    }
}

fn region(field: &Mesh, random: &mut Random) -> Aabb {
    let from = near(field, random);
    let to = match random.yes() {
        true => near(field, random),
        false => from + random.point(1.0),
    };
    Aabb {
        min: from.min(to),
        max: from.max(to),
    }
}

#[test]
fn a_field_is_made_as_the_mesh_of_its_triangles() {
    for seed in 0..rounds(400) {
        let mut random = Random(seed * 7919 + 1);
        let field = field(&mut random);
        let mesh = listed(&field);
        assert_eq!(field, mesh, "seed {seed}");
        let facts = |mesh: &Mesh| {
            let shape = Shape::Mesh(Arc::new(mesh.clone()));
            let facts = (mesh.aabb(), mesh.reach(), mesh.dirt(), mesh.winding());
            format!("{facts:?} {:?}", bounding_sphere(&shape))
        };
        assert_eq!(facts(&field), facts(&mesh), "seed {seed}");
        assert_eq!(sphere_tree(&field), sphere_tree(&mesh), "seed {seed}");
        assert_eq!(field.edges().boundary(), mesh.edges().boundary());
        for triangle in 0..mesh.count() as u32 {
            for edge in 0..3 {
                let sides = |mesh: &Mesh| mesh.edges().sides(triangle, edge).collect::<Vec<_>>();
                let both = (sides(&field), sides(&mesh));
                assert_eq!(both.0, both.1, "seed {seed}: {triangle}, {edge}");
            }
        }
        for _ in 0..20 {
            let region = region(&field, &mut random);
            let found = |mesh: &Mesh| {
                let mut found = Vec::new();
                mesh.for_each_in(&region, &mut |index| found.push(index));
                found.sort_unstable();
                found
            };
            assert_eq!(found(&field), found(&mesh), "seed {seed}");
        }
    }
}

/// Along a way, each triangle is found whose box is near enough, and not many more; so are the pairs of two meshes.
#[test]
fn walks_over_a_field_leave_nothing_out() {
    for seed in 0..rounds(400) {
        let mut random = Random(seed * 104_729 + 5);
        let field = field(&mut random);
        for _ in 0..10 {
            let (from, to) = (near(&field, &mut random), near(&field, &mut random));
            let radius = random.pick(&[0.0, 0.1, 1.0, 7.0]);
            let count = field.count();
            let (mut along, mut by_limit) = (vec![false; count], vec![false; count]);
            field.for_each_along(from, to, radius, &mut |index, triangle| {
                assert_eq!(*triangle, field.triangle(index));
                along[index as usize] = true;
            });
            field.for_each_near_way(from, to, radius, &mut |index| {
                by_limit[index as usize] = true;
                radius
            });
            let way = Segment { a: from, b: to };
            for index in 0..count {
                let bounds = field.triangle(index as u32).aabb();
                let grown = Shape::Box {
                    half_extents: bounds.half_extents() + radius,
                };
                let line = Shape::Segment(way);
                let line = line.placed(&Pose::IDENTITY);
                // Larger by the radius on every side, and by rounding.
                let at = Pose::at(bounds.center());
                let crossed = overlaps(&line, &grown.placed(&at));
                assert!(along[index] || !crossed, "seed {seed}: {index}");
                let exact = Shape::Box {
                    half_extents: bounds.half_extents(),
                };
                let away = gap(&line, &exact.placed(&at))
                    .expect("both are finite")
                    .distance;
                assert!(by_limit[index] || away > radius, "seed {seed}: {index}");
                let much = radius + 1e-9;
                assert!(
                    !along[index] || away <= much * 3_f64.sqrt(),
                    "seed {seed}: {index}"
                );
            }
        }
    }
}

#[test]
fn a_field_answers_every_query_as_the_mesh_of_its_triangles() {
    // In 517 a compound is deep inside of the triangles.
    for seed in (0..rounds(2000)).chain([517]) {
        let mut random = Random(seed * 15_485_863 + 3);
        let facing = random.pick(&[Facing::Both, Facing::Both, Facing::Front]);
        let field = field(&mut random).with_facing(facing);
        let mesh = listed(&field);
        let shapes = [field.clone(), mesh].map(|mesh| Shape::Mesh(Arc::new(mesh)));
        let kind = random.index(KINDS.len() + 1);
        let other = match KINDS.get(kind) {
            Some(kind) => shape(kind, &mut random),
            None => Shape::Mesh(Arc::new(self::field(&mut random))),
        };
        let at = match random.yes() {
            true => Pose::IDENTITY,
            false => random.pose(10.0),
        };
        let place = |random: &mut Random| Pose {
            position: at.point(near(&field, random)),
            ..random.pose(1.0)
        };
        let motion = Motion {
            start: place(&mut random),
            end: place(&mut random),
        };
        let rests = Motion::still(at);
        let depth = random.pick(&[0.0, 0.05]);
        let way = Segment {
            a: motion.start.position,
            b: motion.end.position,
        };
        let swaps = random.yes();
        let answers = |shape: &Shape| {
            let placed = (other.placed(&motion.start), shape.placed(&at));
            let pair = match swaps {
                false => (&placed.0, &placed.1),
                true => (&placed.1, &placed.0),
            };
            let moving = match swaps {
                false => ((&other, &motion), (shape, &rests)),
                true => ((shape, &rests), (&other, &motion)),
            };
            let ((a, motion_a), (b, motion_b)) = moving;
            let turning = (Turning::of(motion_a), Turning::of(motion_b));
            let exact = [
                format!("{:?}", overlaps(pair.0, pair.1)),
                format!("{:?}", contact(pair.0, pair.1, &mut ())),
                format!("{:?}", gap(pair.0, pair.1)),
                format!("{:?}", sweep(a, motion_a, b, motion_b, &mut ())),
                format!("{:?}", closest_approach(a, motion_a, b, motion_b, &mut ())),
                format!("{:?}", ray_cast(&way, shape, &at)),
            ];
            let turned = sweep_turning(a, &turning.0, b, &turning.1, depth, &mut ());
            (exact, turned.map(|hit| (hit.fraction, hit.exit)))
        };
        let (one, two) = (answers(&shapes[0]), answers(&shapes[1]));
        let name = format!("seed {seed}, {}", other.kind_name());
        assert_eq!(one.0, two.0, "{name}");
        // A turning shape is followed until a gap below a limit is found, and which one is found first follows from the tree.
        let same = |one: f64, two: f64| (one - two).abs() < 1e-9;
        let is_same = match (one.1, two.1) {
            (Some((one, leaves)), Some((two, other_leaves))) => {
                same(one, two) && same(leaves.unwrap_or(2.0), other_leaves.unwrap_or(2.0))
            }
            (one, two) => one == two,
        };
        assert!(is_same, "{name}: {:?} {:?}", one.1, two.1);
    }
}
