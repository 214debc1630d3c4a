//! One pair at a time, hits and misses, and a large mesh: ours in `f64`, parry's usual call in `f32`, on the same pairs.
//!
//! `cargo bench --manifest-path benches/Cargo.toml --bench queries -- box mesh` runs the rows whose names contain one of the words.

use glam::{DQuat, DVec3};
use glam_parry::{Quat, Vec3};
use hitstop::core::query::{SweepOutcome, contact, sweep};
use hitstop::core::shape::{
    Capsule, Cone, ConvexHull, Cylinder, Facing, Mesh, Motion, Pose, Segment, Shape, SolidShape,
    Triangle,
};
use hitstop_benches::{Seeded, contestant, race};
use parry3d::math::Pose as Isometry;
use parry3d::query::{self, ShapeCastOptions, cast_shapes};
use parry3d::shape::{SharedShape, TriMesh};
use std::sync::Arc;

const PAIRS: usize = 512;
const SECONDS: f64 = 0.3;
const KINDS: [&str; 7] = [
    "sphere", "capsule", "box", "triangle", "cylinder", "cone", "hull",
];

fn single(v: DVec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

fn posed(pose: &Pose) -> Isometry {
    let DQuat { x, y, z, w } = pose.rotation;
    let rotation = Quat::from_xyzw(x as f32, y as f32, z as f32, w as f32);
    Isometry::from_parts(single(pose.position), rotation)
}

/// A shape of a kind, about a metre large, for both.
fn shape_of(kind: usize, seeded: &mut Seeded) -> Option<(Shape, SharedShape)> {
    let mut size = || seeded.range(0.2, 0.6);
    let (one, other, third) = (size(), size(), size());
    let upright = Segment {
        a: DVec3::Y * -one,
        b: DVec3::Y * one,
    };
    let (small, large) = (one as f32, other as f32);
    Some(match kind {
        0 => (Shape::Sphere { radius: one }, SharedShape::ball(small)),
        1 => (
            Shape::Capsule(Capsule {
                segment: upright,
                radius: other,
            }),
            SharedShape::capsule(single(upright.a), single(upright.b), large),
        ),
        2 => (
            Shape::Box {
                half_extents: DVec3::new(one, other, third),
            },
            SharedShape::cuboid(small, large, third as f32),
        ),
        3 => {
            let [a, b, c] = [0, 1, 2].map(|_| seeded.vector(0.6));
            let facing = Facing::Both;
            (
                Shape::Triangle(Triangle { a, b, c, facing }),
                SharedShape::triangle(single(a), single(b), single(c)),
            )
        }
        4 => (
            Shape::Solid(SolidShape::Cylinder(Cylinder {
                half_height: one,
                radius: other,
            })),
            SharedShape::cylinder(small, large),
        ),
        5 => (
            Shape::Solid(SolidShape::Cone(Cone {
                half_height: one,
                radius: other,
            })),
            SharedShape::cone(small, large),
        ),
        _ => {
            let points: Vec<DVec3> = (0..24).map(|_| seeded.vector(0.6)).collect();
            let theirs: Vec<Vec3> = points.iter().copied().map(single).collect();
            let hull = ConvexHull::new(points, 0.0).ok()?;
            (
                Shape::Solid(SolidShape::Hull(Arc::new(hull))),
                SharedShape::convex_hull(&theirs)?,
            )
        }
    })
}

struct Pair {
    ours: [(Shape, Motion); 2],
    theirs: [(SharedShape, Isometry, Vec3); 2],
}

impl Pair {
    fn new(ours: [(Shape, Motion); 2], shapes: [SharedShape; 2]) -> Self {
        let [first, second] = shapes;
        let placed =
            |shape, motion: &Motion| (shape, posed(&motion.start), single(motion.displacement()));
        let theirs = [placed(first, &ours[0].1), placed(second, &ours[1].1)];
        Self { ours, theirs }
    }

    fn sweep(&self) -> SweepOutcome {
        let [(a, motion_a), (b, motion_b)] = &self.ours;
        sweep(a, motion_a, b, motion_b, &mut ()).outcome
    }

    fn overlaps(&self) -> bool {
        let [(a, motion_a), (b, motion_b)] = &self.ours;
        contact(
            &a.placed(&motion_a.start),
            &b.placed(&motion_b.start),
            &mut (),
        )
        .is_some()
    }

    fn cast(&self) -> bool {
        let [(a, at_a, d), (b, at_b, e)] = &self.theirs;
        let options = ShapeCastOptions {
            max_time_of_impact: 1.0,
            ..ShapeCastOptions::default()
        };
        matches!(
            cast_shapes(at_a, *d, &**a, at_b, *e, &**b, options),
            Ok(Some(_))
        )
    }

    fn contact(&self) -> bool {
        let [(a, at_a, _), (b, at_b, _)] = &self.theirs;
        matches!(query::contact(at_a, &**a, at_b, &**b, 0.0), Ok(Some(_)))
    }
}

/// Random pairs, hits and misses, or overlapping and apart.
fn sorted(
    make: &mut dyn FnMut() -> Option<Pair>,
    is_first: impl Fn(&Pair) -> Option<bool>,
) -> [Vec<Pair>; 2] {
    let mut found = [Vec::new(), Vec::new()];
    for _ in 0..PAIRS * 40 {
        let Some(pair) = make() else { continue };
        let Some(first) = is_first(&pair) else {
            continue;
        };
        let list = &mut found[usize::from(!first)];
        if list.len() < PAIRS {
            list.push(pair);
        }
        if found.iter().all(|list| list.len() >= PAIRS) {
            break;
        }
    }
    found
}

fn count(answers: impl Iterator<Item = bool>) -> f64 {
    f64::from(answers.map(u32::from).sum::<u32>())
}

fn race_sweeps(title: &str, pairs: &[Pair]) {
    race(
        title,
        pairs.len(),
        SECONDS,
        vec![
            contestant("parry", None, || count(pairs.iter().map(Pair::cast))),
            contestant("hitstop", None, || {
                count(pairs.iter().map(|pair| pair.sweep().impact().is_some()))
            }),
        ],
    );
}

fn race_contacts(title: &str, pairs: &[Pair]) {
    race(
        title,
        pairs.len(),
        SECONDS,
        vec![
            contestant("parry", None, || count(pairs.iter().map(Pair::contact))),
            contestant("hitstop", None, || count(pairs.iter().map(Pair::overlaps))),
        ],
    );
}

fn pairs_of(first: usize, second: usize) {
    let mut seeded = Seeded::new(1 + (first * KINDS.len() + second) as u64);
    let mut make = || {
        let ((a, theirs_a), (b, theirs_b)) = (
            shape_of(first, &mut seeded)?,
            shape_of(second, &mut seeded)?,
        );
        let mut motion = |reach: f64| {
            let start = Pose {
                position: seeded.vector(reach),
                rotation: seeded.rotation(),
            };
            let end = Pose {
                position: start.position + seeded.vector(2.0),
                ..start
            };
            Motion { start, end }
        };
        let motions = [motion(1.0), motion(0.5)];
        let [motion_a, motion_b] = motions;
        Some(Pair::new(
            [(a, motion_a), (b, motion_b)],
            [theirs_a, theirs_b],
        ))
    };
    let names = format!("{} against {}", KINDS[first], KINDS[second]);
    let [touching, apart] = sorted(&mut make, |pair| Some(pair.overlaps()));
    race_contacts(&format!("Contact: {names}, overlapping"), &touching);
    race_contacts(&format!("Contact: {names}, apart"), &apart);
    let swept = |pair: &Pair| match pair.sweep() {
        SweepOutcome::Overlapping { .. } => None,
        outcome => Some(outcome.impact().is_some()),
    };
    let [hits, misses] = sorted(&mut make, swept);
    race_sweeps(&format!("Sweep: {names}, hits"), &hits);
    race_sweeps(&format!("Sweep: {names}, misses"), &misses);
}

/// A hilly ground of about 20,000 triangles.
fn ground(seeded: &mut Seeded) -> Option<(Shape, SharedShape)> {
    let count = 100_u32;
    let at = |index: u32| (f64::from(index) - 50.0) * 0.5;
    let grid = (0..=count).flat_map(|row| (0..=count).map(move |column| (row, column)));
    let vertices: Vec<DVec3> = grid
        .map(|(row, column)| DVec3::new(at(column), seeded.range(-0.3, 0.3), at(row)))
        .collect();
    let number = |row: u32, column: u32| row * (count + 1) + column;
    let cells = (0..count).flat_map(|row| (0..count).map(move |column| (row, column)));
    let triangles: Vec<[u32; 3]> = cells
        .flat_map(|(row, column)| {
            let (near, far) = (number(row, column), number(row + 1, column + 1));
            [
                [near, number(row + 1, column), far],
                [near, far, number(row, column + 1)],
            ]
        })
        .collect();
    let theirs = vertices.iter().copied().map(single).collect();
    let theirs = SharedShape::new(TriMesh::new(theirs, triangles.clone()).ok()?);
    let ours = Mesh::new(vertices, triangles, Facing::Both).ok()?;
    Some((Shape::Mesh(Arc::new(ours)), theirs))
}

fn against_mesh(kind: usize) {
    let mut seeded = Seeded::new(900 + kind as u64);
    let Some((mesh, theirs_mesh)) = ground(&mut seeded) else {
        return;
    };
    let still = Motion::still(Pose::IDENTITY);
    let mut make = || {
        let (a, theirs) = shape_of(kind, &mut seeded)?;
        let height = seeded.range(0.5, 2.0);
        let over = seeded.vector(20.0);
        let start = Pose {
            position: DVec3::new(over.x, height, over.z),
            rotation: seeded.rotation(),
        };
        let end = Pose {
            position: start.position + seeded.vector(2.5),
            ..start
        };
        let ours = [(a, Motion { start, end }), (mesh.clone(), still)];
        Some(Pair::new(ours, [theirs, theirs_mesh.clone()]))
    };
    let swept = |pair: &Pair| match pair.sweep() {
        SweepOutcome::Overlapping { .. } => None,
        outcome => Some(outcome.impact().is_some()),
    };
    let [hits, misses] = sorted(&mut make, swept);
    race_sweeps(
        &format!("Sweep: {} against a mesh, hits", KINDS[kind]),
        &hits,
    );
    race_sweeps(
        &format!("Sweep: {} against a mesh, misses", KINDS[kind]),
        &misses,
    );
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let asked =
        |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    for (first, a) in KINDS.iter().enumerate() {
        for (second, b) in KINDS.iter().enumerate().skip(first) {
            if asked(&format!("{a} {b}")) {
                pairs_of(first, second);
            }
        }
    }
    for (kind, name) in KINDS.iter().enumerate() {
        if asked(&format!("{name} mesh")) {
            against_mesh(kind);
        }
    }
}
