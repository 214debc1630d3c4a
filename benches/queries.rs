//! Queries on one pair of shapes, and sweeps above a large mesh: ours, and parry's usual call on the same pairs in `f32` and in `f64`.
//!
//! `cargo bench --manifest-path benches/Cargo.toml --bench queries -- box mesh` runs the rows whose names contain one of the words. Each
//! prints a row of a table: our time, and in brackets how many times as fast that is as parry in `f32`, and in `f64`.

use glam::DVec3;
use hitstop::core::query::{SweepOutcome, contact, gap, sweep};
use hitstop::core::shape::{
    Capsule, Cone, ConvexHull, Cylinder, Facing, Mesh, Motion, Pose, Segment, Shape, SolidShape,
    Triangle,
};
use hitstop_benches::{Seeded, contestant, medians};
use std::sync::Arc;

const PAIRS: usize = 256;
/// For each column of a row.
const SECONDS: f64 = 0.1;
const KINDS: [[&str; 2]; 19] = [
    ["sphere", "sphere"],
    ["capsule", "capsule"],
    ["box", "box"],
    ["triangle", "triangle"],
    ["cylinder", "cylinder"],
    ["cone", "cone"],
    ["hull8", "hull8"],
    ["hull32", "hull32"],
    ["hull128", "hull128"],
    ["box", "cylinder"],
    ["box", "cone"],
    ["box", "hull32"],
    ["hull32", "sphere"],
    ["hull32", "capsule"],
    ["hull32", "cylinder"],
    ["hull32", "triangle"],
    ["box", "sphere"],
    ["box", "capsule"],
    ["cylinder", "sphere"],
];
const ABOVE_MESH: [&str; 5] = ["sphere", "capsule", "box", "hull32", "cylinder"];
const COLUMNS: [(&str, Query); 7] = [
    ("contact, 1 to 100 mm deep", Query::Contact),
    ("contact, 1 to 50 mm apart", Query::Contact),
    ("contact, 0.1 to 0.5 m apart", Query::Contact),
    ("distance, 1 to 50 mm", Query::Distance),
    ("distance, 0.1 to 0.5 m", Query::Distance),
    ("sweep, hits", Query::Sweep),
    ("sweep, misses", Query::Sweep),
];

#[derive(Clone, Copy)]
enum Query {
    Contact,
    Distance,
    Sweep,
}

/// The same shapes, poses and calls in a build of parry.
macro_rules! peer {
    ($name:ident, $parry:ident) => {
        mod $name {
            use super::Query;
            use glam::{DQuat, DVec3};
            use hitstop::core::shape::{
                Capsule, Motion, Pose, Segment, Shape, SolidShape, Triangle,
            };
            use $parry::math::{Pose as Isometry, Real, Rotation, Vector};
            use $parry::query::{self, ShapeCastOptions, cast_shapes};
            use $parry::shape::{SharedShape, TriMesh};

            #[derive(Clone)]
            pub struct Theirs(SharedShape);

            pub struct Pair([(SharedShape, Isometry, Vector); 2]);

            fn vector(v: DVec3) -> Vector {
                Vector::new(v.x as Real, v.y as Real, v.z as Real)
            }

            fn isometry(pose: &Pose) -> Isometry {
                let DQuat { x, y, z, w } = pose.rotation;
                let rotation = Rotation::from_xyzw(x as Real, y as Real, z as Real, w as Real);
                Isometry::from_parts(vector(pose.position), rotation)
            }

            /// `None` where parry has no such shape, or refuses it.
            pub fn shape(ours: &Shape) -> Option<Theirs> {
                Some(Theirs(match ours {
                    Shape::Sphere { radius } => SharedShape::ball(*radius as Real),
                    Shape::Capsule(Capsule {
                        segment: Segment { a, b },
                        radius,
                    }) => SharedShape::capsule(vector(*a), vector(*b), *radius as Real),
                    Shape::Box { half_extents: half } => {
                        SharedShape::cuboid(half.x as Real, half.y as Real, half.z as Real)
                    }
                    Shape::Triangle(Triangle { a, b, c, .. }) => {
                        SharedShape::triangle(vector(*a), vector(*b), vector(*c))
                    }
                    Shape::Solid(SolidShape::Cylinder(it)) => {
                        SharedShape::cylinder(it.half_height as Real, it.radius as Real)
                    }
                    Shape::Solid(SolidShape::Cone(it)) => {
                        SharedShape::cone(it.half_height as Real, it.radius as Real)
                    }
                    Shape::Solid(SolidShape::Hull(hull)) => {
                        let points: Vec<Vector> =
                            hull.points().iter().copied().map(vector).collect();
                        SharedShape::convex_hull(&points)?
                    }
                    Shape::Mesh(mesh) => {
                        let vertices = mesh.vertices().map(vector).collect();
                        let triangles = mesh.triangles().collect();
                        SharedShape::new(TriMesh::new(vertices, triangles).ok()?)
                    }
                    _ => return None,
                }))
            }

            impl Pair {
                pub fn new(shapes: [Theirs; 2], motions: [&Motion; 2]) -> Self {
                    let [one, other] = shapes;
                    let placed = |shape: Theirs, motion: &Motion| {
                        let displacement = vector(motion.displacement());
                        (shape.0, isometry(&motion.start), displacement)
                    };
                    Self([placed(one, motions[0]), placed(other, motions[1])])
                }

                pub fn ask(&self, query: Query) -> bool {
                    let [(a, at_a, d), (b, at_b, e)] = &self.0;
                    match query {
                        Query::Contact => {
                            matches!(query::contact(at_a, &**a, at_b, &**b, 0.0), Ok(Some(_)))
                        }
                        Query::Distance => query::distance(at_a, &**a, at_b, &**b)
                            .is_ok_and(|found| found.distance > 0.0),
                        Query::Sweep => {
                            let options = ShapeCastOptions {
                                max_time_of_impact: 1.0,
                                ..ShapeCastOptions::default()
                            };
                            let found = cast_shapes(at_a, *d, &**a, at_b, *e, &**b, options);
                            matches!(found, Ok(Some(_)))
                        }
                    }
                }
            }
        }
    };
}

peer!(single, parry3d);
peer!(double, parry3d_f64);

/// A shape of a kind, about a metre large.
fn shape_of(kind: &str, seeded: &mut Seeded) -> Option<Shape> {
    let [one, other, third] = [0; 3].map(|_| seeded.range(0.2, 0.6));
    let (half_height, radius) = (one, other);
    Some(match kind {
        "sphere" => Shape::Sphere { radius },
        "capsule" => Shape::Capsule(Capsule {
            segment: Segment {
                a: DVec3::Y * -half_height,
                b: DVec3::Y * half_height,
            },
            radius,
        }),
        "box" => Shape::Box {
            half_extents: DVec3::new(one, other, third),
        },
        "triangle" => {
            let [a, b, c] = [0; 3].map(|_| seeded.vector(0.6));
            let facing = Facing::Both;
            Shape::Triangle(Triangle { a, b, c, facing })
        }
        "cylinder" => Shape::Solid(SolidShape::Cylinder(Cylinder {
            half_height,
            radius,
        })),
        "cone" => Shape::Solid(SolidShape::Cone(Cone {
            half_height,
            radius,
        })),
        hull => {
            let count = hull.strip_prefix("hull")?.parse().ok()?;
            let on_sphere = |_| {
                seeded
                    .vector(1.0)
                    .normalize_or(DVec3::Y)
                    .as_vec3()
                    .as_dvec3()
                    * 0.5
            };
            let points = (0..count).map(on_sphere).collect();
            Shape::Solid(SolidShape::Hull(Arc::new(
                ConvexHull::new(points, 0.0).ok()?,
            )))
        }
    })
}

struct Pair {
    ours: [(Shape, Motion); 2],
    single: single::Pair,
    double: double::Pair,
}

impl Pair {
    fn distance(&self) -> Option<f64> {
        let [(a, from_a), (b, from_b)] = &self.ours;
        gap(&a.placed(&from_a.start), &b.placed(&from_b.start)).map(|gap| gap.distance)
    }

    fn sweep(&self) -> SweepOutcome {
        let [(a, motion_a), (b, motion_b)] = &self.ours;
        sweep(a, motion_a, b, motion_b, &mut ()).outcome
    }

    fn ask(&self, query: Query) -> bool {
        let [(a, from_a), (b, from_b)] = &self.ours;
        match query {
            Query::Contact => {
                let [a, b] = [a.placed(&from_a.start), b.placed(&from_b.start)];
                contact(&a, &b, &mut ()).is_some()
            }
            Query::Distance => self.distance().is_some_and(|distance| distance > 0.0),
            Query::Sweep => self.sweep().impact().is_some(),
        }
    }

    /// The columns of [`COLUMNS`] that it belongs to.
    fn columns(&self) -> [bool; 7] {
        let distance = self.distance();
        let within = |from: f64, to: f64| distance.is_some_and(|it| from < it && it < to);
        let (near, apart) = (within(0.001, 0.05), within(0.1, 0.5));
        let swept = self.sweep();
        let hits = swept.impact().is_some();
        let misses = matches!(swept, SweepOutcome::Misses) && within(0.0, f64::INFINITY);
        [within(-0.1, -0.001), near, apart, near, apart, hits, misses]
    }
}

/// The times of one column, and how many times as fast as theirs: `120 ns (1.5 x, 1.8 x)`.
fn cell(pairs: &[&Pair], query: Query, ratios: &mut Vec<[f64; 2]>) -> String {
    let count = |ask: &dyn Fn(&Pair) -> bool| pairs.iter().filter(|pair| ask(pair)).count() as f64;
    let times = medians(
        pairs.len(),
        SECONDS,
        &mut [
            contestant("hitstop", None, || count(&|pair| pair.ask(query))),
            contestant("f32", None, || count(&|pair| pair.single.ask(query))),
            contestant("f64", None, || count(&|pair| pair.double.ask(query))),
        ],
    );
    let [single, double] = [times[1] / times[0], times[2] / times[0]];
    ratios.push([single, double]);
    format!("{:.0} ns ({single:.2} x, {double:.2} x)", times[0])
}

/// Random pairs by column, as many as are found.
fn sorted(make: &mut dyn FnMut() -> Option<Pair>) -> [Vec<Pair>; 7] {
    let mut found = [const { Vec::new() }; 7];
    for _ in 0..PAIRS * 200 {
        let Some(pair) = make() else { continue };
        let columns = pair.columns();
        // A pair is timed in one column only, the one that has the fewest.
        let wanted = (0..columns.len()).filter(|&column| columns[column]);
        let Some(fewest) = wanted.min_by_key(|&column| found[column].len()) else {
            continue;
        };
        if found[fewest].len() < PAIRS {
            found[fewest].push(pair);
        }
        if found.iter().all(|pairs| pairs.len() == PAIRS) {
            break;
        }
    }
    found
}

fn print_row(name: &str, columns: &[usize], found: &[Vec<Pair>; 7], ratios: &mut Vec<[f64; 2]>) {
    let cells: Vec<String> = columns
        .iter()
        .map(|&column| match &found[column] {
            pairs if pairs.len() < PAIRS / 4 => String::new(),
            pairs => cell(&pairs.iter().collect::<Vec<_>>(), COLUMNS[column].1, ratios),
        })
        .collect();
    println!("| {name} | {} |", cells.join(" | "));
}

fn print_head(columns: &[usize]) {
    let names: Vec<&str> = columns.iter().map(|&column| COLUMNS[column].0).collect();
    println!(
        "\n| pair | {} |\n|---|{}",
        names.join(" | "),
        "---|".repeat(names.len())
    );
}

fn pairs_of([first, second]: [&str; 2], seeded: &mut Seeded) -> Option<Pair> {
    let (a, b) = (shape_of(first, seeded)?, shape_of(second, seeded)?);
    let mut motion = |reach: f64, path: f64| {
        let start = Pose {
            position: seeded.vector(reach),
            rotation: seeded.rotation(),
        };
        let end = Pose {
            position: start.position + seeded.vector(path),
            ..start
        };
        Motion { start, end }
    };
    let (of_a, of_b) = (motion(1.5, 2.0), motion(0.2, 0.0));
    let shapes = [single::shape(&a)?, single::shape(&b)?];
    let single = single::Pair::new(shapes, [&of_a, &of_b]);
    let shapes = [double::shape(&a)?, double::shape(&b)?];
    let double = double::Pair::new(shapes, [&of_a, &of_b]);
    Some(Pair {
        ours: [(a, of_a), (b, of_b)],
        single,
        double,
    })
}

/// A hilly ground of about 20,000 triangles.
fn ground(seeded: &mut Seeded) -> Option<Shape> {
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
    let mesh = Mesh::new(vertices, triangles, Facing::Both).ok()?;
    Some(Shape::Mesh(Arc::new(mesh)))
}

fn above_mesh(kind: &str, ratios: &mut Vec<[f64; 2]>) {
    let mut seeded = Seeded::new(900 + kind.len() as u64);
    let Some(mesh) = ground(&mut seeded) else {
        return;
    };
    let still = Motion::still(Pose::IDENTITY);
    let (Some(in_single), Some(in_double)) = (single::shape(&mesh), double::shape(&mesh)) else {
        return;
    };
    let mut make = || {
        let a = shape_of(kind, &mut seeded)?;
        let over = seeded.vector(20.0);
        let start = Pose {
            position: DVec3::new(over.x, seeded.range(0.5, 2.0), over.z),
            rotation: seeded.rotation(),
        };
        let end = Pose {
            position: start.position + seeded.vector(2.5),
            ..start
        };
        let motion = Motion { start, end };
        let single = single::Pair::new([single::shape(&a)?, in_single.clone()], [&motion, &still]);
        let double = double::Pair::new([double::shape(&a)?, in_double.clone()], [&motion, &still]);
        let ours = [(a, motion), (mesh.clone(), still)];
        Some(Pair {
            ours,
            single,
            double,
        })
    };
    let mut found = [const { Vec::new() }; 7];
    for _ in 0..PAIRS * 40 {
        let Some(pair) = make() else { continue };
        let column = match pair.sweep() {
            SweepOutcome::Hits(_) => 5,
            SweepOutcome::Misses => 6,
            _ => continue,
        };
        if found[column].len() < PAIRS {
            found[column].push(pair);
        }
        if found[5].len().min(found[6].len()) == PAIRS {
            break;
        }
    }
    print_row(&format!("{kind} above a mesh"), &[5, 6], &found, ratios);
}

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| !word.starts_with('-'))
        .collect();
    let asked =
        |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    let mut ratios = Vec::new();
    print_head(&[0, 1, 2, 3, 4, 5, 6]);
    for (seed, kinds) in (1..).zip(KINDS) {
        let name = kinds.join(" against ");
        if asked(&name) {
            let mut seeded = Seeded::new(seed);
            let found = sorted(&mut || pairs_of(kinds, &mut seeded));
            print_row(&name, &[0, 1, 2, 3, 4, 5, 6], &found, &mut ratios);
        }
    }
    print_head(&[5, 6]);
    for kind in ABOVE_MESH {
        if asked(&format!("{kind} mesh")) {
            above_mesh(kind, &mut ratios);
        }
    }
    let count = ratios.len().max(1) as f64;
    let [single, double] = [0, 1].map(|peer| {
        let logarithms = ratios.iter().map(|ratio| ratio[peer].ln());
        (logarithms.sum::<f64>() / count).exp()
    });
    println!(
        "\nGeometric mean of {} cells: {single:.2} x, {double:.2} x",
        ratios.len()
    );
}
