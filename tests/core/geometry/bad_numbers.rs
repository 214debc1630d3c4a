//! A value that is not finite is never in contact, never hit and has no gap, in any component of any shape.

use crate::common::random::Random;
use crate::common::{is_full, rounds};
use glam::{DQuat, DVec3};
use hitstop::core::query::probe::{ProbeMode, STANDARD_PROBE, probe};
use hitstop::core::query::ruler::measure_shapes;
use hitstop::core::query::turning::{Turning, sweep_turning};
use hitstop::core::query::{
    SweepOutcome, closest_approach, contact, gap, overlaps, ray_cast, ray_cast_triangle, sweep,
    sweep_probe,
};
use hitstop::core::shape::{
    Capsule, Cone, Cylinder, Facing, Mesh, Motion, Plane, Pose, RoundedBox, Segment, Shape,
    SolidShape, Triangle,
};
use std::sync::Arc;

/// The numbers of a case, read in order.
struct Numbers<'n>(std::slice::Iter<'n, f64>);

impl Numbers<'_> {
    fn next(&mut self) -> f64 {
        *self
            .0
            .next()
            .expect("a case has as many numbers as it reads")
    }

    fn vector(&mut self) -> DVec3 {
        DVec3::new(self.next(), self.next(), self.next())
    }

    fn segment(&mut self) -> Segment {
        Segment {
            a: self.vector(),
            b: self.vector(),
        }
    }
}

/// A kind of shape around its origin: its numbers, and the function that builds it.
struct Kind {
    name: &'static str,
    numbers: &'static [f64],
    make: fn(&mut Numbers<'_>) -> Shape,
}

const KINDS: [Kind; 11] = [
    Kind {
        name: "sphere",
        numbers: &[1.25],
        make: |n| Shape::Sphere { radius: n.next() },
    },
    Kind {
        name: "box",
        numbers: &[0.5, 0.75, 0.6],
        make: |n| Shape::Box {
            half_extents: n.vector(),
        },
    },
    Kind {
        name: "segment",
        numbers: &[-1.0, -0.5, 0.1, 1.0, 0.75, 0.2],
        make: |n| Shape::Segment(n.segment()),
    },
    Kind {
        name: "capsule",
        numbers: &[-1.0, 0.5, 0.1, 1.0, 0.75, 0.2, 0.8],
        make: |n| {
            Shape::Capsule(Capsule {
                segment: n.segment(),
                radius: n.next(),
            })
        },
    },
    Kind {
        name: "triangle",
        numbers: &FACE,
        make: |n| Shape::Triangle(triangle(n, Facing::Both)),
    },
    Kind {
        name: "one-sided triangle",
        numbers: &FACE,
        make: |n| Shape::Triangle(triangle(n, Facing::Front)),
    },
    Kind {
        name: "cylinder",
        numbers: &[0.75, 0.5],
        make: |n| {
            Shape::Solid(SolidShape::Cylinder(Cylinder {
                half_height: n.next(),
                radius: n.next(),
            }))
        },
    },
    Kind {
        name: "cone",
        numbers: &[0.75, 0.5],
        make: |n| {
            Shape::Solid(SolidShape::Cone(Cone {
                half_height: n.next(),
                radius: n.next(),
            }))
        },
    },
    Kind {
        name: "rounded box",
        numbers: &[0.5, 0.75, 0.6, 0.2],
        make: |n| {
            Shape::Solid(SolidShape::RoundedBox(RoundedBox {
                half_extents: n.vector(),
                radius: n.next(),
            }))
        },
    },
    Kind {
        name: "plane",
        numbers: &[0.0, 1.0, 0.0, 0.25],
        make: |n| {
            Shape::Plane(Plane {
                normal: n.vector(),
                offset: n.next(),
            })
        },
    },
    Kind {
        name: "mesh",
        numbers: &[],
        make: |_| Shape::Mesh(Arc::new(pyramid())),
    },
];

/// Its front faces up.
const FACE: [f64; 9] = [-2.0, 0.0, -2.0, 0.0, 0.0, 2.0, 2.0, 0.0, -2.0];

fn triangle(n: &mut Numbers<'_>, facing: Facing) -> Triangle {
    Triangle {
        a: n.vector(),
        b: n.vector(),
        c: n.vector(),
        facing,
    }
}

fn pyramid() -> Mesh {
    let vertices = [
        [-1.0, -0.5, -1.0],
        [1.0, -0.5, -1.0],
        [0.0, -0.5, 1.0],
        [0.0, 0.75, 0.0],
    ];
    let triangles = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
    let vertices = vertices.map(DVec3::from_array).to_vec();
    Mesh::new(vertices, triangles, Facing::Both).expect("a pyramid is a mesh")
}

/// Two kinds of shapes, and all input numbers: of both shapes, of their positions, of the first's displacement, and of the ends
/// of a segment.
struct Case {
    kinds: [&'static Kind; 2],
    numbers: Vec<f64>,
}

/// Name of every query of two shapes, and the numbers of its result, if it has one.
type Results = Vec<(&'static str, Option<Vec<f64>>)>;

impl Case {
    /// The first falls on the second from 6 above, or lies on it, a little above its centre.
    fn new(first: &'static Kind, second: &'static Kind, height: f64) -> Self {
        let mut numbers = [first.numbers, second.numbers].concat();
        numbers.extend([0.1, height, 0.05]);
        numbers.extend([0.0, 0.05, 0.1]);
        numbers.extend([0.1, -9.0, 0.2]);
        Self {
            kinds: [first, second],
            numbers,
        }
    }

    fn results(&self, numbers: &[f64]) -> Results {
        let mut numbers = Numbers(numbers.iter());
        let [a, b] = self.kinds.map(|kind| (kind.make)(&mut numbers));
        let start = Pose {
            position: numbers.vector(),
            rotation: DQuat::from_rotation_y(0.3),
        };
        let rest = Motion::still(Pose::at(numbers.vector()));
        let flight = Motion {
            start,
            end: Pose {
                position: start.position + numbers.vector(),
                ..start
            },
        };
        let (p, q) = (a.placed(&start), b.placed(&rest.start));
        let touch = contact(&p, &q, &mut ());
        assert_eq!(overlaps(&p, &q), touch.is_some());
        let mut results = vec![
            (
                "contact",
                touch.map(|touch| of(&[touch.depth], &[touch.point, touch.normal])),
            ),
            (
                "gap",
                gap(&p, &q).map(|gap| of(&[gap.distance], &[gap.point_a, gap.point_b])),
            ),
            (
                "ruler",
                measure_shapes(&p, &q, &mut ()).map(|ruler| of(&[ruler.distance], &[ruler.along])),
            ),
            (
                "sweep",
                of_sweep(&sweep(&a, &flight, &b, &rest, &mut ()).outcome),
            ),
            (
                "closest approach",
                closest_approach(&a, &flight, &b, &rest, &mut ())
                    .map(|found| vec![found.distance, found.fraction]),
            ),
        ];
        let [turning, still] = [&flight, &rest].map(Turning::of);
        let hit = sweep_turning(&a, &turning, &b, &still, 0.1, &mut ());
        results.push((
            "turning",
            hit.map(|hit| of(&[hit.fraction, hit.deep], &[hit.contact.point])),
        ));
        results
    }

    fn name(&self) -> String {
        let [first, second] = self.kinds.map(|kind| kind.name);
        format!("{first} against {second}")
    }
}

fn of(numbers: &[f64], vectors: &[DVec3]) -> Vec<f64> {
    let mut all = numbers.to_vec();
    vectors.iter().for_each(|v| all.extend(v.to_array()));
    all
}

fn of_sweep(outcome: &SweepOutcome) -> Option<Vec<f64>> {
    match outcome {
        SweepOutcome::Misses => None,
        SweepOutcome::Overlapping { depth } => Some(vec![*depth]),
        SweepOutcome::Grazes { fraction } => Some(vec![*fraction]),
        SweepOutcome::Hits(impact) => Some(of(&[impact.fraction], &[impact.point, impact.normal])),
    }
}

/// Every pair of kinds, touching and falling.
fn cases() -> impl Iterator<Item = Case> {
    let pairs = KINDS
        .iter()
        .flat_map(|first| KINDS.iter().map(move |second| (first, second)));
    pairs.flat_map(|(first, second)| [0.1, 6.0].map(|height| Case::new(first, second, height)))
}

/// In a full run all of them, else at each `nth` turn the next one.
fn some_of(numbers: &[f64], turn: usize, nth: usize) -> impl Iterator<Item = f64> {
    let count = match is_full() {
        true => numbers.len(),
        false => usize::from(turn.is_multiple_of(nth)),
    };
    let first = turn / nth;
    (first..first + count).map(|at| numbers[at % numbers.len()])
}

#[test]
fn non_finite_numbers_have_no_result() {
    let mut answered = 0;
    const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    for (round, case) in cases().enumerate() {
        let name = case.name();
        // Good numbers are computed with, which takes longer than to refuse bad ones.
        if is_full() || round % 8 == 0 {
            let good = case.results(&case.numbers);
            answered += good.iter().filter(|(_, result)| result.is_some()).count();
        }
        for place in 0..case.numbers.len() {
            for bad in some_of(&BAD, round + place, 1) {
                let mut numbers = case.numbers.clone();
                numbers[place] = bad;
                // Queries at rest do not read the displacement.
                let moves = place + 3 >= numbers.len();
                for (query, result) in case.results(&numbers) {
                    let at_rest = ["contact", "gap", "ruler"].contains(&query);
                    assert!(
                        result.is_none() || moves && at_rest,
                        "{query} of {name} with {bad} at {place}: {result:?}"
                    );
                }
            }
        }
    }
    let least = if is_full() { 1000 } else { 125 };
    assert!(answered > least, "{answered}");
}

/// Coordinates far beyond any level: the numbers of a result are finite.
#[test]
fn huge_and_tiny_numbers_never_give_nan() {
    const ODD: [f64; 7] = [1e40, -1e80, 1e160, -1e300, 5e-324, 1e-200, 0.0];
    for (round, case) in cases().enumerate() {
        let name = case.name();
        for place in 0..case.numbers.len() {
            for odd in some_of(&ODD, round + place, 10) {
                let mut numbers = case.numbers.clone();
                numbers[place] = odd;
                for (query, result) in case.results(&numbers) {
                    let numbers = result.unwrap_or_default();
                    assert!(
                        !numbers.iter().any(|number| number.is_nan()),
                        "{query} of {name} with {odd:e} at {place}: {numbers:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn rays_and_probes_reject_bad_numbers() {
    let bads = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    let odds = [1e40, -1e80, 1e160, -1e300, 5e-324, 1e-200, 0.0];
    for kind in &KINDS {
        let mut good = kind.numbers.to_vec();
        good.extend([0.1, 4.0, 0.05, 0.1, -4.0, 0.07]);
        for place in 0..good.len() {
            for bad in bads.into_iter().chain(odds) {
                let mut numbers = good.clone();
                numbers[place] = bad;
                let mut read = Numbers(numbers.iter());
                let shape = (kind.make)(&mut read);
                let ray = read.segment();
                let hit = ray_cast(&ray, &shape, &Pose::IDENTITY);
                let name = format!("{} with {bad:e} at {place}: {hit:?}", kind.name);
                assert!(bad.is_finite() || hit.is_none(), "{name}");
                if let Some(hit) = hit {
                    let numbers = of(&[hit.fraction], &[hit.point, hit.normal, hit.weights]);
                    assert!(!numbers.iter().any(|number| number.is_nan()), "{name}");
                    assert!((0.0..=1.0).contains(&hit.fraction), "{name}");
                }
                if let Shape::Triangle(triangle) = shape {
                    let hit = ray_cast_triangle(&ray, &triangle, &mut ());
                    assert!(bad.is_finite() || hit.is_none(), "{name}");
                    let walls = [triangle];
                    for mode in [ProbeMode::InOrder, ProbeMode::Deepest] {
                        let push = probe(ray.a, &STANDARD_PROBE, &walls, mode, &mut ()).push;
                        assert!(!push.is_nan(), "{name}: {push}");
                        assert!(bad.is_finite() || push == DVec3::ZERO, "{name}: {push}");
                    }
                    let detected = sweep_probe(ray.a, ray.b, &STANDARD_PROBE, &walls, &mut ());
                    assert!(
                        bad.is_finite() || detected.path.is_none(),
                        "{name}: {detected:?}"
                    );
                }
            }
        }
    }
}

/// Shapes of which every number is extreme: results are finite, and normals are unit vectors.
#[test]
fn random_bad_input_gives_finite_results() {
    let odd = [
        0.0,
        -0.0,
        1.0,
        f64::MIN_POSITIVE,
        5e-324,
        1e-160,
        1e74,
        1e300,
        f64::INFINITY,
        f64::NAN,
    ];
    let unit = |normal: DVec3| (normal.length() - 1.0).abs() < 1e-9;
    let mut random = Random(7);
    for round in 0..rounds(5000) {
        let mut number = || random.pick(&odd);
        let mut point = || DVec3::new(number(), number(), number());
        let (a, b, c, d) = (point(), point(), point(), point());
        let (start, step, from) = (point(), point(), point());
        let radius = number();
        let segment = Segment { a, b: a };
        let facing = Facing::Front;
        let normal = DVec3::Y;
        let shapes = [
            Shape::Sphere { radius },
            Shape::Box { half_extents: a },
            Shape::Segment(Segment { a, b }),
            Shape::Capsule(Capsule { segment, radius }),
            Shape::Solid(SolidShape::Cylinder(Cylinder {
                half_height: a.x,
                radius,
            })),
            Shape::Solid(SolidShape::Cone(Cone {
                half_height: a.y,
                radius,
            })),
            Shape::Solid(SolidShape::RoundedBox(RoundedBox {
                half_extents: a,
                radius,
            })),
            Shape::Triangle(Triangle { a, b, c, facing }),
            Shape::Triangle(Triangle {
                a,
                b: a,
                c: a,
                facing: Facing::Both,
            }),
            Shape::Plane(Plane {
                normal,
                offset: radius,
            }),
        ];
        let flight = Motion {
            start: Pose::at(start),
            end: Pose::at(start + step),
        };
        let rest = Motion::still(Pose::at(from));
        for first in &shapes {
            for second in &shapes {
                let what = format!("round {round}: {first:?} {second:?} {flight:?} {rest:?}");
                let (placed, other) = (first.placed(&flight.start), second.placed(&rest.start));
                if let Some(contact) = contact(&placed, &other, &mut ()) {
                    let right = !contact.depth.is_nan() && unit(contact.normal);
                    assert!(right, "{what}: {contact:?}");
                }
                if let Some(gap) = gap(&placed, &other) {
                    assert!(!gap.distance.is_nan(), "{what}: {gap:?}");
                }
                let outcome = sweep(first, &flight, second, &rest, &mut ()).outcome;
                let right = match outcome {
                    SweepOutcome::Hits(impact) => {
                        (0.0..1.0).contains(&impact.fraction) && unit(impact.normal)
                    }
                    SweepOutcome::Overlapping { depth } => depth > 0.0,
                    SweepOutcome::Grazes { fraction } => !fraction.is_nan(),
                    SweepOutcome::Misses => true,
                };
                assert!(right, "{what}: {outcome:?}");
                if let Some(nearest) = closest_approach(first, &flight, second, &rest, &mut ()) {
                    let right = nearest.distance >= 0.0 && (0.0..=1.0).contains(&nearest.fraction);
                    assert!(right, "{what}: {nearest:?}");
                }
            }
            let ray = Segment { a: d, b: start };
            if let Some(hit) = ray_cast(&ray, first, &rest.start) {
                assert!(
                    (0.0..=1.0).contains(&hit.fraction),
                    "round {round}: {hit:?}"
                );
            }
        }
    }
}

/// Numbers beyond 1e75 are refused, also where two that are allowed add up to one; bodies that fly there side by side are near each other.
#[test]
fn a_closing_speed_beyond_the_largest_number_is_refused() {
    let ball = Shape::Sphere { radius: 0.5 };
    let moving = |y: f64, displacement: f64| Motion {
        start: Pose::at(DVec3::Y * y),
        end: Pose::at(DVec3::new(displacement, y, 0.0)),
    };
    let distance = |a: f64, b: f64| {
        let found = closest_approach(&ball, &moving(2.0, a), &ball, &moving(0.0, b), &mut ());
        found.map(|found| found.distance)
    };
    assert_eq!(distance(8e74, -8e74), None);
    assert_eq!(distance(8e74, 8e74), Some(1.0));
}
