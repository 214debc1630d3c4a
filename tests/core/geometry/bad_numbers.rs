//! A number that is none, or endless, is never in contact, never met and has no gap, in whatever place of whatever shape it stands.

use crate::common::random::Random;
use crate::common::rounds;
use glam::{DQuat, DVec3};
use hitstop::core::query::contact::{
    contact_aabb_aabb, contact_sphere_aabb, contact_sphere_capsule, contact_sphere_mesh,
    contact_sphere_obb, contact_sphere_plane, contact_sphere_segment, contact_sphere_sphere,
    contact_sphere_triangle,
};
use hitstop::core::query::distance::{
    distance_point_aabb, distance_point_capsule, distance_point_obb, distance_point_plane,
    distance_point_point, distance_point_segment, distance_point_sphere, distance_point_triangle,
};
use hitstop::core::query::overlap::{
    overlaps_aabb_aabb, overlaps_point_aabb, overlaps_point_capsule, overlaps_point_obb,
    overlaps_point_sphere, overlaps_sphere_aabb, overlaps_sphere_obb, overlaps_sphere_sphere,
};
use hitstop::core::query::polytope::{
    Polytope, contact_mesh_mesh, contact_obb_obb, contact_polytope_mesh, contact_polytope_polytope,
    gap_mesh_mesh, gap_polytope_mesh, gap_polytope_polytope, sweep_mesh_mesh, sweep_obb_obb,
    sweep_polytope_mesh, sweep_polytope_polytope,
};
use hitstop::core::query::sweep::{
    meeting_sphere_mesh, meeting_sphere_sphere, sweep_sphere_aabb, sweep_sphere_capsule,
    sweep_sphere_mesh, sweep_sphere_obb, sweep_sphere_plane, sweep_sphere_segment,
    sweep_sphere_sphere, sweep_sphere_triangle,
};
use hitstop::core::query::{
    Contact, Gap, SweepOutcome, contact, contact_capsule_mesh, contact_capsule_obb,
    contact_capsule_triangle, gap, gap_capsule_mesh, gap_capsule_obb, gap_capsule_triangle,
    overlaps, ray_cast, ray_cast_triangle, sweep, sweep_capsule_mesh, sweep_capsule_obb,
    sweep_capsule_triangle,
};
use hitstop::core::shape::{
    Aabb, Capsule, Facing, Mesh, Motion, Obb, Placed, Plane, Pose, Segment, Shape, Sphere, Triangle,
};

/// The numbers of a case, read one after the other.
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

    fn rotation(&mut self) -> DQuat {
        DQuat::from_xyzw(self.next(), self.next(), self.next(), self.next())
    }

    fn sphere(&mut self) -> Sphere {
        Sphere {
            center: self.vector(),
            radius: self.next(),
        }
    }

    fn segment(&mut self) -> Segment {
        Segment {
            a: self.vector(),
            b: self.vector(),
        }
    }

    fn capsule(&mut self) -> Capsule {
        Capsule {
            segment: self.segment(),
            radius: self.next(),
        }
    }

    fn triangle(&mut self) -> Triangle {
        Triangle {
            a: self.vector(),
            b: self.vector(),
            c: self.vector(),
            facing: Facing::Both,
        }
    }

    fn aabb(&mut self) -> Aabb {
        Aabb {
            min: self.vector(),
            max: self.vector(),
        }
    }

    fn obb(&mut self) -> Obb {
        Obb {
            center: self.vector(),
            half_extents: self.vector(),
            rotation: self.rotation(),
        }
    }

    fn plane(&mut self) -> Plane {
        Plane {
            normal: self.vector(),
            offset: self.next(),
        }
    }

    fn pose(&mut self) -> Pose {
        Pose {
            position: self.vector(),
            rotation: self.rotation(),
        }
    }
}

/// What a query says of two shapes: its numbers where they meet, `None` where they do not.
type Answer = Option<Vec<f64>>;

fn of_contact(contact: Option<Contact>) -> Answer {
    let contact = contact?;
    let mut numbers = vec![contact.depth];
    numbers.extend(contact.point.to_array());
    numbers.extend(contact.normal.to_array());
    Some(numbers)
}

fn of_gap(gap: Option<Gap>) -> Answer {
    let gap = gap?;
    let mut numbers = vec![gap.distance];
    numbers.extend(gap.point_a.to_array());
    numbers.extend(gap.point_b.to_array());
    Some(numbers)
}

fn of_sweep(outcome: SweepOutcome) -> Answer {
    match outcome {
        SweepOutcome::Overlapping { depth } => Some(vec![depth]),
        SweepOutcome::Hits(impact) => {
            let mut numbers = vec![impact.fraction];
            numbers.extend(impact.point.to_array());
            numbers.extend(impact.normal.to_array());
            Some(numbers)
        }
        _ => None,
    }
}

fn of_verdict(overlaps: bool) -> Answer {
    overlaps.then(Vec::new)
}

/// Of a distance, all that is no distance is as good as no answer.
fn of_distance(distance: f64) -> Answer {
    distance.is_finite().then(|| vec![distance])
}

/// Two shapes that meet, number by number, and a query of them.
struct Case {
    name: &'static str,
    numbers: Vec<f64>,
    ask: fn(&mut Numbers<'_>) -> Answer,
}

impl Case {
    fn answer(&self, numbers: &[f64]) -> Answer {
        (self.ask)(&mut Numbers(numbers.iter()))
    }

    /// With each number in turn replaced by another.
    fn with(&self, bad: f64) -> impl Iterator<Item = (usize, Answer)> + '_ {
        (0..self.numbers.len()).map(move |place| {
            let mut numbers = self.numbers.clone();
            numbers[place] = bad;
            (place, self.answer(&numbers))
        })
    }
}

fn numbers(parts: &[&[f64]]) -> Vec<f64> {
    parts.concat()
}

const BALL: [f64; 4] = [0.1, 1.0, 0.2, 1.25];
const POINT: [f64; 3] = [0.1, 0.2, -0.1];
const ROD: [f64; 7] = [-1.0, 0.5, 0.1, 1.0, 0.75, 0.2, 0.8];
const SEGMENT: [f64; 6] = [-1.0, 0.5, 0.1, 1.0, -0.75, 0.2];
const CUBE: [f64; 10] = [0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 0.0, 0.0, 0.0, 1.0];
const TURNED: [f64; 10] = [0.25, 0.5, 0.0, 0.5, 0.75, 0.5, 0.0, 0.6, 0.0, 0.8];
const SIDES: [f64; 6] = [-0.5, -0.5, -0.5, 0.5, 0.5, 0.5];
const OTHER_SIDES: [f64; 6] = [0.0, 0.25, -0.25, 1.0, 1.0, 1.0];
const FLOOR: [f64; 4] = [0.0, 1.0, 0.0, 0.25];
const FACE: [f64; 9] = [-2.0, 0.0, -2.0, 2.0, 0.0, -2.0, 0.0, 0.0, 2.0];
const PLACE: [f64; 7] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0];
const OTHER_PLACE: [f64; 7] = [0.25, 0.25, 0.1, 0.0, 0.6, 0.0, 0.8];
/// High above, and down again through everything.
const HIGH_BALL: [f64; 4] = [0.1, 8.0, 0.2, 1.25];
const HIGH_ROD: [f64; 7] = [-1.0, 8.5, 0.1, 1.0, 8.75, 0.2, 0.5];
const HIGH_BOX: [f64; 10] = [0.25, 8.5, 0.0, 0.5, 0.75, 0.5, 0.0, 0.6, 0.0, 0.8];
const HIGH_PLACE: [f64; 7] = [0.25, 8.25, 0.1, 0.0, 0.6, 0.0, 0.8];
const DOWN: [f64; 3] = [0.1, -9.0, 0.2];
const SLIGHTLY: [f64; 3] = [0.1, 0.2, -0.1];

/// A pyramid of triangles.
fn mesh() -> Mesh {
    let vertices = [
        [-1.0, -0.5, -1.0],
        [1.0, -0.5, -1.0],
        [0.0, -0.5, 1.0],
        [0.0, 0.75, 0.0],
    ];
    let triangles = vec![[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
    Mesh::new(
        vertices.map(DVec3::from_array).to_vec(),
        triangles,
        Facing::Both,
    )
    .expect("a pyramid is a mesh")
}

macro_rules! cases {
    ($($name:ident ($($part:ident),+) |$read:ident| $ask:expr;)+) => {
        vec![$(Case {
            name: stringify!($name),
            numbers: numbers(&[$(&$part),+]),
            ask: |$read| $ask,
        }),+]
    };
}

fn contacts() -> Vec<Case> {
    cases! {
        contact_sphere_sphere (BALL, BALL) |n| of_contact(contact_sphere_sphere(&n.sphere(), &n.sphere(), &mut ()));
        contact_sphere_segment (BALL, SEGMENT) |n| of_contact(contact_sphere_segment(&n.sphere(), &n.segment(), &mut ()));
        contact_sphere_capsule (BALL, ROD) |n| of_contact(contact_sphere_capsule(&n.sphere(), &n.capsule(), &mut ()));
        contact_sphere_plane (BALL, FLOOR) |n| of_contact(contact_sphere_plane(&n.sphere(), &n.plane(), &mut ()));
        contact_sphere_triangle (BALL, FACE) |n| of_contact(contact_sphere_triangle(&n.sphere(), &n.triangle(), &mut ()));
        contact_sphere_aabb (BALL, SIDES) |n| of_contact(contact_sphere_aabb(&n.sphere(), &n.aabb(), &mut ()));
        contact_sphere_obb (BALL, CUBE) |n| of_contact(contact_sphere_obb(&n.sphere(), &n.obb(), &mut ()));
        contact_sphere_obb (BALL, TURNED) |n| of_contact(contact_sphere_obb(&n.sphere(), &n.obb(), &mut ()));
        contact_sphere_mesh (BALL, PLACE) |n| of_contact(contact_sphere_mesh(&n.sphere(), &mesh(), &n.pose(), &mut ()));
        contact_aabb_aabb (SIDES, OTHER_SIDES) |n| of_contact(contact_aabb_aabb(&n.aabb(), &n.aabb(), &mut ()));
        contact_obb_obb (CUBE, TURNED) |n| of_contact(contact_obb_obb(&n.obb(), &n.obb(), &mut ()));
        contact_capsule_obb (ROD, TURNED) |n| of_contact(contact_capsule_obb(&n.capsule(), &n.obb(), &mut ()));
        contact_capsule_triangle (ROD, FACE) |n| of_contact(contact_capsule_triangle(&n.capsule(), &n.triangle(), &mut ()));
        contact_capsule_mesh (ROD, PLACE) |n| of_contact(contact_capsule_mesh(&n.capsule(), &mesh(), &n.pose(), &mut ()));
        contact_polytope_polytope (CUBE, FACE) |n| of_contact(contact_polytope_polytope(&Polytope::from_obb(&n.obb()), &Polytope::from_triangle(&n.triangle()), &mut ()));
        contact_polytope_polytope (SEGMENT, FACE) |n| of_contact(contact_polytope_polytope(&Polytope::from_segment(&n.segment()), &Polytope::from_triangle(&n.triangle()), &mut ()));
        contact_polytope_mesh (TURNED, PLACE) |n| of_contact(contact_polytope_mesh(&Polytope::from_obb(&n.obb()), &mesh(), &n.pose(), &mut ()));
        contact_mesh_mesh (PLACE, OTHER_PLACE) |n| of_contact(contact_mesh_mesh(&mesh(), &n.pose(), &mesh(), &n.pose(), &mut ()));
        contact_placed (CUBE, TURNED) |n| of_contact(contact(&Placed::Obb(n.obb()), &Placed::Obb(n.obb()), &mut ()));
        contact_placed (ROD, FLOOR) |n| of_contact(contact(&Placed::Capsule(n.capsule()), &Placed::Plane(n.plane()), &mut ()));
    }
}

fn gaps() -> Vec<Case> {
    cases! {
        gap_capsule_obb (HIGH_ROD, TURNED) |n| of_gap(gap_capsule_obb(&n.capsule(), &n.obb(), &mut ()));
        gap_capsule_triangle (HIGH_ROD, FACE) |n| of_gap(gap_capsule_triangle(&n.capsule(), &n.triangle(), &mut ()));
        gap_capsule_mesh (HIGH_ROD, PLACE) |n| of_gap(gap_capsule_mesh(&n.capsule(), &mesh(), &n.pose(), &mut ()));
        gap_polytope_polytope (HIGH_BOX, FACE) |n| of_gap(gap_polytope_polytope(&Polytope::from_obb(&n.obb()), &Polytope::from_triangle(&n.triangle()), &mut ()));
        gap_polytope_mesh (HIGH_BOX, PLACE) |n| of_gap(gap_polytope_mesh(&Polytope::from_obb(&n.obb()), &mesh(), &n.pose(), &mut ()));
        gap_mesh_mesh (HIGH_PLACE, PLACE) |n| of_gap(gap_mesh_mesh(&mesh(), &n.pose(), &mesh(), &n.pose(), &mut ()));
        gap_placed (HIGH_BALL, FACE) |n| of_gap(gap(&Placed::Sphere(n.sphere()), &Placed::Triangle(n.triangle())));
    }
}

fn sweeps() -> Vec<Case> {
    cases! {
        sweep_sphere_sphere (HIGH_BALL, DOWN, BALL, SLIGHTLY) |n| of_sweep(sweep_sphere_sphere(&n.sphere(), n.vector(), &n.sphere(), n.vector(), &mut ()));
        meeting_sphere_sphere (HIGH_BALL, DOWN, BALL, SLIGHTLY) |n| meeting_sphere_sphere(&n.sphere(), n.vector(), &n.sphere(), n.vector()).and_then(of_sweep);
        sweep_sphere_segment (HIGH_BALL, DOWN, SEGMENT, SLIGHTLY) |n| of_sweep(sweep_sphere_segment(&n.sphere(), n.vector(), &n.segment(), n.vector(), &mut ()));
        sweep_sphere_capsule (HIGH_BALL, DOWN, ROD, SLIGHTLY) |n| of_sweep(sweep_sphere_capsule(&n.sphere(), n.vector(), &n.capsule(), n.vector(), &mut ()));
        sweep_sphere_plane (HIGH_BALL, DOWN, FLOOR, SLIGHTLY) |n| of_sweep(sweep_sphere_plane(&n.sphere(), n.vector(), &n.plane(), n.vector(), &mut ()));
        sweep_sphere_triangle (HIGH_BALL, DOWN, FACE, SLIGHTLY) |n| of_sweep(sweep_sphere_triangle(&n.sphere(), n.vector(), &n.triangle(), n.vector(), &mut ()));
        sweep_sphere_aabb (HIGH_BALL, DOWN, SIDES, SLIGHTLY) |n| of_sweep(sweep_sphere_aabb(&n.sphere(), n.vector(), &n.aabb(), n.vector(), &mut ()));
        sweep_sphere_obb (HIGH_BALL, DOWN, TURNED, SLIGHTLY) |n| of_sweep(sweep_sphere_obb(&n.sphere(), n.vector(), &n.obb(), n.vector(), &mut ()));
        sweep_sphere_mesh (HIGH_BALL, DOWN, PLACE, SLIGHTLY) |n| of_sweep(sweep_sphere_mesh(&n.sphere(), n.vector(), &mesh(), &n.pose(), n.vector(), &mut ()));
        meeting_sphere_mesh (HIGH_BALL, DOWN, PLACE, SLIGHTLY) |n| meeting_sphere_mesh(&n.sphere(), n.vector(), &mesh(), &n.pose(), n.vector()).and_then(of_sweep);
        sweep_capsule_obb (HIGH_ROD, DOWN, TURNED, SLIGHTLY) |n| of_sweep(sweep_capsule_obb(&n.capsule(), n.vector(), &n.obb(), n.vector(), &mut ()));
        sweep_capsule_triangle (HIGH_ROD, DOWN, FACE, SLIGHTLY) |n| of_sweep(sweep_capsule_triangle(&n.capsule(), n.vector(), &n.triangle(), n.vector(), &mut ()));
        sweep_capsule_mesh (HIGH_ROD, DOWN, PLACE, SLIGHTLY) |n| of_sweep(sweep_capsule_mesh(&n.capsule(), n.vector(), &mesh(), &n.pose(), n.vector(), &mut ()));
        sweep_obb_obb (HIGH_BOX, DOWN, CUBE, SLIGHTLY) |n| of_sweep(sweep_obb_obb(&n.obb(), n.vector(), &n.obb(), n.vector(), &mut ()));
        sweep_polytope_polytope (HIGH_BOX, DOWN, FACE, SLIGHTLY) |n| of_sweep(sweep_polytope_polytope(&Polytope::from_obb(&n.obb()), n.vector(), &Polytope::from_triangle(&n.triangle()), n.vector(), &mut ()));
        sweep_polytope_mesh (HIGH_BOX, DOWN, PLACE, SLIGHTLY) |n| of_sweep(sweep_polytope_mesh(&Polytope::from_obb(&n.obb()), n.vector(), &mesh(), &n.pose(), n.vector(), &mut ()));
        sweep_mesh_mesh (HIGH_PLACE, DOWN, PLACE, SLIGHTLY) |n| of_sweep(sweep_mesh_mesh(&mesh(), &n.pose(), n.vector(), &mesh(), &n.pose(), n.vector(), &mut ()));
    }
}

fn verdicts() -> Vec<Case> {
    cases! {
        overlaps_point_aabb (POINT, SIDES) |n| of_verdict(overlaps_point_aabb(n.vector(), &n.aabb(), &mut ()));
        overlaps_point_obb (POINT, CUBE) |n| of_verdict(overlaps_point_obb(n.vector(), &n.obb(), &mut ()));
        overlaps_point_obb (POINT, TURNED) |n| of_verdict(overlaps_point_obb(n.vector(), &n.obb(), &mut ()));
        overlaps_point_sphere (POINT, BALL) |n| of_verdict(overlaps_point_sphere(n.vector(), &n.sphere(), &mut ()));
        overlaps_point_capsule (POINT, ROD) |n| of_verdict(overlaps_point_capsule(n.vector(), &n.capsule(), &mut ()));
        overlaps_aabb_aabb (SIDES, OTHER_SIDES) |n| of_verdict(overlaps_aabb_aabb(&n.aabb(), &n.aabb(), &mut ()));
        overlaps_sphere_aabb (BALL, SIDES) |n| of_verdict(overlaps_sphere_aabb(&n.sphere(), &n.aabb(), &mut ()));
        overlaps_sphere_obb (BALL, TURNED) |n| of_verdict(overlaps_sphere_obb(&n.sphere(), &n.obb(), &mut ()));
        overlaps_sphere_obb (BALL, CUBE) |n| of_verdict(overlaps_sphere_obb(&n.sphere(), &n.obb(), &mut ()));
        overlaps_sphere_sphere (BALL, BALL) |n| of_verdict(overlaps_sphere_sphere(&n.sphere(), &n.sphere(), &mut ()));
        overlaps_placed (BALL, BALL) |n| of_verdict(overlaps(&Placed::Sphere(n.sphere()), &Placed::Sphere(n.sphere())));
        ray_cast_triangle (SEGMENT, FACE) |n| of_verdict(ray_cast_triangle(&n.segment(), &n.triangle(), &mut ()).is_some());
    }
}

fn distances() -> Vec<Case> {
    cases! {
        distance_point_point (POINT, DOWN) |n| of_distance(distance_point_point(n.vector(), n.vector(), &mut ()));
        distance_point_segment (POINT, SEGMENT) |n| of_distance(distance_point_segment(n.vector(), &n.segment(), &mut ()));
        distance_point_capsule (POINT, ROD) |n| of_distance(distance_point_capsule(n.vector(), &n.capsule(), &mut ()));
        distance_point_triangle (POINT, FACE) |n| of_distance(distance_point_triangle(n.vector(), &n.triangle(), &mut ()));
        distance_point_aabb (POINT, SIDES) |n| of_distance(distance_point_aabb(n.vector(), &n.aabb(), &mut ()));
        distance_point_obb (POINT, TURNED) |n| of_distance(distance_point_obb(n.vector(), &n.obb(), &mut ()));
        distance_point_sphere (POINT, BALL) |n| of_distance(distance_point_sphere(n.vector(), &n.sphere(), &mut ()));
        distance_point_plane (POINT, FLOOR) |n| of_distance(distance_point_plane(n.vector(), &n.plane(), &mut ()));
    }
}

fn all() -> Vec<Case> {
    let groups = [contacts(), gaps(), sweeps(), verdicts(), distances()];
    groups.into_iter().flatten().collect()
}

#[test]
fn what_is_no_number_meets_nothing() {
    let mut wrong = Vec::new();
    for case in all() {
        let whole = case.answer(&case.numbers);
        assert!(whole.is_some(), "{}: the good numbers meet", case.name);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for (place, answer) in case.with(bad) {
                if answer.is_some() {
                    wrong.push(format!("{} with {bad} at {place}: {answer:?}", case.name));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} answers:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// However far from what a level holds: an answer's numbers are numbers.
#[test]
fn huge_and_tiny_numbers_give_none_that_is_no_number() {
    let mut wrong = Vec::new();
    let odd = [1e160, 5e-324, -1e300, 0.0, 1e40, -1e80, 1e-200];
    for case in all() {
        for &bad in odd.iter().take(rounds(30)) {
            for (place, answer) in case.with(bad) {
                let numbers = answer.unwrap_or_default();
                if !numbers.iter().all(|number| number.is_finite()) {
                    wrong.push(format!(
                        "{} with {bad:e} at {place}: {numbers:?}",
                        case.name
                    ));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} answers:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// Shapes of which every number is odd: what they are answered is finite, and normals are unit vectors.
#[test]
fn random_bad_input_gives_finite_answers() {
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
    for round in 0..rounds(20_000) {
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
                    SweepOutcome::Misses { by, fraction } => by > 0.0 && !fraction.is_nan(),
                    SweepOutcome::Overlapping { depth } => depth > 0.0,
                    SweepOutcome::Grazes { fraction } => !fraction.is_nan(),
                    _ => true,
                };
                assert!(right, "{what}: {outcome:?}");
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
