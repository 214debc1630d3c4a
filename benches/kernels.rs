//! One pair at a time, and a large mesh: ours in `f64` with exact verdicts, parry's usual call in `f32`.
//!
//! `cargo bench --bench kernels -- box_box large_mesh` runs those two races.

use fearless_simd::{Level, dispatch};
use glam::{DQuat, DVec3};
use glam_parry::{Quat, Vec3};
use hitstop::core::query::batch::{
    Boxes, Contacts, Lanes, Meetings, MovingSpheres, RayHits, Segments, Spheres, SweepKinds,
    Triangles, contact_sphere_obb_pairs, contact_sphere_triangle_pairs, meeting_sphere_pairs,
    ray_cast_triangle_pairs, sweep_sphere_pairs,
};
use hitstop::core::query::contact::{contact_sphere_obb, contact_sphere_triangle};
use hitstop::core::query::sweep::{
    meeting_sphere_mesh, meeting_sphere_sphere, sweep_sphere_mesh, sweep_sphere_sphere,
};
use hitstop::core::query::{SweepOutcome, contact, ray_cast, ray_cast_triangle};
use hitstop::core::shape::{Facing, Mesh, Obb, Placed, Pose, Segment, Shape, Sphere, Triangle};
use hitstop_benches::{Seeded, agreement, contestant, race};
use parry3d::math::Pose as Isometry;
use parry3d::query::details::local_ray_intersection_with_triangle;
use parry3d::query::{self, Ray, RayCast, ShapeCastOptions, cast_shapes};
use parry3d::shape::{Ball, Cuboid, TriMesh};
use std::hint::black_box;
use std::sync::Arc;

const STREAMED: usize = 1_000_000;
const CACHED: usize = 8_192;
const MIXED: usize = 20_000;
/// Pairs of bodies with corners or half extents that stay in the cache.
const FEW: usize = 4_096;

fn single(v: DVec3) -> Vec3 {
    Vec3::new(v.x as f32, v.y as f32, v.z as f32)
}

fn at(v: DVec3) -> Isometry {
    Isometry::from_translation(single(v))
}

fn posed(obb: &Obb) -> Isometry {
    let DQuat { x, y, z, w } = obb.rotation;
    Isometry::from_parts(
        single(obb.center),
        Quat::from_xyzw(x as f32, y as f32, z as f32, w as f32),
    )
}

fn options() -> ShapeCastOptions {
    ShapeCastOptions {
        max_time_of_impact: 1.0,
        ..ShapeCastOptions::default()
    }
}

fn again(passes: usize, mut work: impl FnMut() -> f64) -> f64 {
    (0..passes).map(|_| black_box(work())).sum()
}

/// In as many parts as the widest instructions want, with those.
fn sum(numbers: &[f32]) -> f64 {
    dispatch!(Level::new(), _instructions => sum_of_parts(numbers))
}

#[inline(always)]
fn sum_of_parts(numbers: &[f32]) -> f64 {
    let mut parts = [0.0_f32; 64];
    for some in numbers.chunks_exact(64) {
        for (part, number) in parts.iter_mut().zip(some) {
            *part += number;
        }
    }
    parts.iter().copied().map(f64::from).sum()
}

fn yes(answers: impl Iterator<Item = bool>) -> f64 {
    f64::from(answers.map(u32::from).sum::<u32>())
}

fn batch_agrees(batch: &[bool], one_at_a_time: &[bool]) {
    let differ = batch
        .iter()
        .zip(one_at_a_time)
        .filter(|(a, b)| a != b)
        .count();
    println!("  the batch: {differ} verdicts differ from one at a time");
}

/// Which pairs a batch has an answer for.
fn met<T>(count: usize, answers: &[(u32, T)]) -> Vec<bool> {
    let mut met = vec![false; count];
    answers
        .iter()
        .for_each(|(pair, _)| met[*pair as usize] = true);
    met
}

/// All pairs, `passes` times over at each turn: what fits stays in the cache.
fn swept_spheres(count: usize, passes: usize, seconds: f64, batch_goal: f64) {
    let mut seeded = Seeded::new(1);
    let pairs: Vec<[(Sphere, DVec3); 2]> = (0..count)
        .map(|_| {
            [0, 1].map(|_| {
                let sphere = Sphere {
                    center: seeded.vector(4.0),
                    radius: seeded.range(0.2, 1.0),
                };
                (sphere, seeded.vector(4.0))
            })
        })
        .collect();
    let theirs: Vec<[(Vec3, Ball, Vec3); 2]> = pairs
        .iter()
        .map(|pair| pair.map(|(s, d)| (single(s.center), Ball::new(s.radius as f32), single(d))))
        .collect();
    let ours = |[a, b]: &[(Sphere, DVec3); 2]| {
        let outcome = sweep_sphere_sphere(&a.0, a.1, &b.0, b.1, &mut ());
        matches!(
            outcome,
            SweepOutcome::Hits(_) | SweepOutcome::Overlapping { .. }
        )
    };
    let parry = |[a, b]: &[(Vec3, Ball, Vec3); 2]| {
        let pose = |at: Vec3| Isometry::from_translation(at);
        matches!(
            cast_shapes(&pose(a.0), a.2, &a.1, &pose(b.0), b.2, &b.1, options()),
            Ok(Some(_))
        )
    };
    let meets =
        |[a, b]: &[(Sphere, DVec3); 2]| meeting_sphere_sphere(&a.0, a.1, &b.0, b.1).is_some();
    let lanes = Lanes::widest();
    let columns: [MovingSpheres; 2] = [0, 1].map(|which| {
        let mut columns = MovingSpheres::default();
        pairs
            .iter()
            .for_each(|pair| columns.push(&pair[which].0, pair[which].1));
        columns
    });
    let [first, second] = &columns;
    let mut kinds = SweepKinds::default();
    let mut meetings = Meetings::default();
    // As many bytes as a batch must read of either side: seven numbers in `f32`.
    let numbers = [0.5_f32, 0.25].map(|number| vec![number; 7 * count]);
    race(
        &format!("Swept sphere pair, {count} pairs"),
        count * passes,
        seconds,
        vec![
            contestant("parry: cast_shapes", None, || {
                again(passes, || yes(theirs.iter().map(parry)))
            }),
            contestant("ours, the hits", Some(4.0), || {
                again(passes, || yes(pairs.iter().map(meets)))
            }),
            contestant("ours, and by how much the others miss", None, || {
                again(passes, || yes(pairs.iter().map(ours)))
            }),
            contestant("ours, in a batch: the hits", Some(batch_goal), || {
                again(passes, || {
                    meeting_sphere_pairs(lanes, first, second, &mut meetings);
                    meetings.len() as f64
                })
            }),
            contestant("ours, in a batch: every outcome", None, || {
                again(passes, || {
                    sweep_sphere_pairs(lanes, first, second, &mut kinds);
                    kinds.meetings().count() as f64
                })
            }),
            contestant("only reading: the numbers of a pair, summed", None, || {
                again(passes, || numbers.iter().map(|side| sum(side)).sum())
            }),
        ],
    );
    let own: Vec<bool> = pairs.iter().map(ours).collect();
    let parry: Vec<bool> = theirs.iter().map(parry).collect();
    agreement("verdicts", &own, &parry);
    let batch: Vec<bool> = (0..count).map(|pair| kinds.get(pair).meets()).collect();
    batch_agrees(&batch, &own);
    batch_agrees(&met(count, &meetings), &own);
}

fn triangles(seeded: &mut Seeded, count: usize) -> Vec<Triangle> {
    (0..count)
        .map(|_| Triangle {
            a: seeded.vector(1.0),
            b: seeded.vector(1.0),
            c: seeded.vector(1.0),
            facing: Facing::Both,
        })
        .collect()
}

fn sphere_triangle(count: usize, passes: usize) {
    let mut seeded = Seeded::new(2);
    let triangles = triangles(&mut seeded, count);
    let spheres: Vec<Sphere> = (0..count)
        .map(|_| Sphere {
            center: seeded.vector(1.2),
            radius: seeded.range(0.2, 0.6),
        })
        .collect();
    let theirs: Vec<_> = triangles
        .iter()
        .zip(&spheres)
        .map(|(t, s)| {
            let triangle = parry3d::shape::Triangle::new(single(t.a), single(t.b), single(t.c));
            (at(s.center), Ball::new(s.radius as f32), triangle)
        })
        .collect();
    let (balls, faces): (Spheres, Triangles) =
        (spheres.iter().collect(), triangles.iter().collect());
    let mut contacts = Contacts::default();
    let ours = |(t, s): (&Triangle, &Sphere)| contact_sphere_triangle(s, t, &mut ()).is_some();
    let parry = |(pose, ball, triangle): &(Isometry, Ball, parry3d::shape::Triangle)| {
        matches!(
            query::contact(pose, ball, &Isometry::IDENTITY, triangle, 0.0),
            Ok(Some(_))
        )
    };
    race(
        &format!("Sphere and triangle, contact with push, {count} pairs"),
        count * passes,
        3.0,
        vec![
            contestant("parry: contact", None, || {
                again(passes, || yes(theirs.iter().map(parry)))
            }),
            contestant("ours, one at a time", Some(3.0), || {
                again(passes, || yes(triangles.iter().zip(&spheres).map(ours)))
            }),
            contestant("ours, in a batch", Some(15.0), || {
                again(passes, || {
                    contact_sphere_triangle_pairs(Lanes::widest(), &balls, &faces, &mut contacts);
                    contacts.len() as f64
                })
            }),
        ],
    );
    let own: Vec<bool> = triangles.iter().zip(&spheres).map(ours).collect();
    batch_agrees(&met(count, &contacts), &own);
    agreement(
        "verdicts",
        &own,
        &theirs.iter().map(parry).collect::<Vec<_>>(),
    );
}

fn obbs(seeded: &mut Seeded, count: usize) -> Vec<Obb> {
    (0..count)
        .map(|_| Obb {
            center: seeded.vector(1.5),
            half_extents: DVec3::new(
                seeded.range(0.2, 1.0),
                seeded.range(0.2, 1.0),
                seeded.range(0.2, 1.0),
            ),
            rotation: seeded.rotation(),
        })
        .collect()
}

fn sphere_box(count: usize, passes: usize) {
    let mut seeded = Seeded::new(3);
    let boxes = obbs(&mut seeded, count);
    let spheres: Vec<Sphere> = (0..count)
        .map(|_| Sphere {
            center: seeded.vector(1.5),
            radius: seeded.range(0.2, 0.6),
        })
        .collect();
    let theirs: Vec<_> = boxes
        .iter()
        .zip(&spheres)
        .map(|(b, s)| {
            (
                at(s.center),
                Ball::new(s.radius as f32),
                posed(b),
                Cuboid::new(single(b.half_extents)),
            )
        })
        .collect();
    let (balls, solids): (Spheres, Boxes) = (spheres.iter().collect(), boxes.iter().collect());
    let mut contacts = Contacts::default();
    let ours = |(b, s): (&Obb, &Sphere)| contact_sphere_obb(s, b, &mut ()).is_some();
    let parry = |(ball_pose, ball, pose, cuboid): &(Isometry, Ball, Isometry, Cuboid)| {
        matches!(
            query::contact(ball_pose, ball, pose, cuboid, 0.0),
            Ok(Some(_))
        )
    };
    race(
        &format!("Sphere and rotated box, contact with push, {count} pairs"),
        count * passes,
        3.0,
        vec![
            contestant("parry: contact", None, || {
                again(passes, || yes(theirs.iter().map(parry)))
            }),
            contestant("ours, one at a time", Some(4.0), || {
                again(passes, || yes(boxes.iter().zip(&spheres).map(ours)))
            }),
            contestant("ours, in a batch", Some(15.0), || {
                again(passes, || {
                    contact_sphere_obb_pairs(Lanes::widest(), &balls, &solids, &mut contacts);
                    contacts.len() as f64
                })
            }),
        ],
    );
    let own: Vec<bool> = boxes.iter().zip(&spheres).map(ours).collect();
    batch_agrees(&met(count, &contacts), &own);
    agreement(
        "verdicts",
        &own,
        &theirs.iter().map(parry).collect::<Vec<_>>(),
    );
}

fn box_box() {
    let mut seeded = Seeded::new(4);
    let (first, second) = (obbs(&mut seeded, MIXED), obbs(&mut seeded, MIXED));
    let theirs: Vec<_> = first
        .iter()
        .zip(&second)
        .map(|(a, b)| {
            (
                posed(a),
                Cuboid::new(single(a.half_extents)),
                posed(b),
                Cuboid::new(single(b.half_extents)),
            )
        })
        .collect();
    type Theirs = (Isometry, Cuboid, Isometry, Cuboid);
    let ours =
        |(a, b): (&Obb, &Obb)| contact(&Placed::Obb(*a), &Placed::Obb(*b), &mut ()).is_some();
    let meets = |(pa, a, pb, b): &Theirs| matches!(query::intersection_test(pa, a, pb, b), Ok(found) if found.intersecting);
    let full = |(pa, a, pb, b): &Theirs| matches!(query::contact(pa, a, pb, b, 0.0), Ok(Some(_)));
    race(
        "Two rotated boxes: parry's yes or no, ours with push",
        MIXED,
        3.0,
        vec![
            contestant("parry: intersection_test", None, || {
                yes(theirs.iter().map(meets))
            }),
            contestant("ours, with push", Some(3.0), || {
                yes(first.iter().zip(&second).map(ours))
            }),
        ],
    );
    race(
        "Two rotated boxes, contact with push",
        MIXED,
        3.0,
        vec![
            contestant("parry: contact", None, || yes(theirs.iter().map(full))),
            contestant("ours, with push", Some(20.0), || {
                yes(first.iter().zip(&second).map(ours))
            }),
        ],
    );
    let own: Vec<bool> = first.iter().zip(&second).map(ours).collect();
    agreement(
        "verdicts (yes or no)",
        &own,
        &theirs.iter().map(meets).collect::<Vec<_>>(),
    );
}

fn segment_triangle() {
    let mut seeded = Seeded::new(5);
    let triangles = triangles(&mut seeded, MIXED);
    let segments: Vec<Segment> = (0..MIXED)
        .map(|_| Segment {
            a: seeded.vector(1.5),
            b: seeded.vector(1.5),
        })
        .collect();
    let theirs: Vec<_> = triangles
        .iter()
        .zip(&segments)
        .map(|(t, s)| {
            (
                [single(t.a), single(t.b), single(t.c)],
                Ray::new(single(s.a), single(s.b) - single(s.a)),
            )
        })
        .collect();
    let (ways, faces): (Segments, Triangles) =
        (segments.iter().collect(), triangles.iter().collect());
    let mut hits = RayHits::default();
    let ours = |(t, s): (&Triangle, &Segment)| ray_cast_triangle(s, t, &mut ()).is_some();
    let parry = |([a, b, c], ray): &([Vec3; 3], Ray)| {
        local_ray_intersection_with_triangle(*a, *b, *c, ray)
            .is_some_and(|(hit, _)| hit.time_of_impact <= 1.0)
    };
    race(
        "Segment and triangle, with weights",
        MIXED,
        3.0,
        vec![
            contestant("parry: ray and triangle (it may leak)", None, || {
                yes(theirs.iter().map(parry))
            }),
            contestant("ours, one at a time, watertight", Some(1.7), || {
                yes(triangles.iter().zip(&segments).map(ours))
            }),
            contestant("ours, in a batch, watertight", Some(8.0), || {
                ray_cast_triangle_pairs(Lanes::widest(), &ways, &faces, &mut hits);
                hits.len() as f64
            }),
        ],
    );
    let own: Vec<bool> = triangles.iter().zip(&segments).map(ours).collect();
    batch_agrees(&met(MIXED, &hits), &own);
    agreement(
        "verdicts",
        &own,
        &theirs.iter().map(parry).collect::<Vec<_>>(),
    );
}

/// Hills of 224 x 224 squares: 100,352 triangles.
fn hills() -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let side = 225_u32;
    let height =
        |x: f64, z: f64| 2.0 * (x * 0.2).sin() * (z * 0.17).cos() + 0.3 * (x * 1.3 + z).sin();
    let vertices = (0..side * side)
        .map(|at| {
            let (x, z) = (f64::from(at % side) * 0.5, f64::from(at / side) * 0.5);
            DVec3::new(x, height(x, z), z).as_vec3().as_dvec3()
        })
        .collect();
    let squares = (0..side - 1).flat_map(|z| (0..side - 1).map(move |x| z * side + x));
    let triangles = squares
        .flat_map(|at| [[at, at + side, at + 1], [at + 1, at + side, at + side + 1]])
        .collect();
    (vertices, triangles)
}

fn large_mesh() {
    let (vertices, triangles) = hills();
    let singles = vertices.iter().map(|&v| single(v)).collect();
    let theirs = TriMesh::new(singles, triangles.clone()).expect("the hills are a mesh");
    let ours =
        Arc::new(Mesh::new(vertices, triangles, Facing::Both).expect("the hills are a mesh"));
    let shape = Shape::Mesh(Arc::clone(&ours));
    let mut seeded = Seeded::new(6);
    let segments: Vec<Segment> = (0..MIXED)
        .map(|_| {
            let a = DVec3::new(
                seeded.range(0.0, 112.0),
                seeded.range(-3.0, 3.0),
                seeded.range(0.0, 112.0),
            );
            Segment {
                a,
                b: (a + seeded.vector(1.5)).as_vec3().as_dvec3(),
            }
        })
        .collect();
    let rays: Vec<Ray> = segments
        .iter()
        .map(|s| Ray::new(single(s.a), single(s.b) - single(s.a)))
        .collect();
    let cast = |segment: &Segment| ray_cast(segment, &shape, &Pose::IDENTITY).is_some();
    let parry = |ray: &Ray| {
        theirs
            .cast_local_ray_and_get_normal(ray, 1.0, false)
            .is_some()
    };
    race(
        "Short segments against a mesh of 100,352 triangles",
        MIXED,
        4.0,
        vec![
            contestant("parry: ray, with normal", None, || {
                yes(rays.iter().map(parry))
            }),
            contestant("ours", Some(2.0), || yes(segments.iter().map(cast))),
        ],
    );
    let own: Vec<bool> = segments.iter().map(cast).collect();
    agreement(
        "verdicts",
        &own,
        &rays.iter().map(parry).collect::<Vec<_>>(),
    );
    let few = MIXED / 10;
    let ball = Ball::new(0.25);
    let sweep = |s: &Segment| {
        let sphere = Sphere {
            center: s.a,
            radius: 0.25,
        };
        let outcome = sweep_sphere_mesh(
            &sphere,
            s.b - s.a,
            &ours,
            &Pose::IDENTITY,
            DVec3::ZERO,
            &mut (),
        );
        matches!(
            outcome,
            SweepOutcome::Hits(_) | SweepOutcome::Overlapping { .. }
        )
    };
    let meets = |s: &Segment| {
        let sphere = Sphere {
            center: s.a,
            radius: 0.25,
        };
        let pose = &Pose::IDENTITY;
        meeting_sphere_mesh(&sphere, s.b - s.a, &ours, pose, DVec3::ZERO).is_some()
    };
    let parry = |s: &Segment| {
        let found = cast_shapes(
            &at(s.a),
            single(s.b - s.a),
            &ball,
            &Isometry::IDENTITY,
            Vec3::ZERO,
            &theirs,
            options(),
        );
        matches!(found, Ok(Some(_)))
    };
    race(
        "Swept spheres against the same mesh",
        few,
        4.0,
        vec![
            contestant("parry: cast_shapes", None, || {
                yes(segments[..few].iter().map(parry))
            }),
            contestant("ours, the hits", Some(4.0), || {
                yes(segments[..few].iter().map(meets))
            }),
            contestant("ours, and by how much the others miss", None, || {
                yes(segments[..few].iter().map(sweep))
            }),
        ],
    );
    let own: Vec<bool> = segments[..few].iter().map(sweep).collect();
    agreement(
        "verdicts",
        &own,
        &segments[..few].iter().map(parry).collect::<Vec<_>>(),
    );
}

/// All races, or those that are named on the command line.
///
/// # Panics
/// When there is no race of that name.
fn main() {
    let named: Vec<String> = std::env::args()
        .skip(1)
        .filter(|name| !name.starts_with('-'))
        .collect();
    let races: [(&str, fn()); 7] = [
        ("streamed", || swept_spheres(STREAMED, 1, 4.0, 15.0)),
        ("cached", || swept_spheres(CACHED, 16, 2.0, 30.0)),
        ("sphere_triangle", || {
            sphere_triangle(MIXED, 1);
            sphere_triangle(FEW, 5);
        }),
        ("sphere_box", || {
            sphere_box(MIXED, 1);
            sphere_box(FEW, 5);
        }),
        ("box_box", box_box),
        ("segment_triangle", segment_triangle),
        ("large_mesh", large_mesh),
    ];
    for wanted in &named {
        let names = races.map(|(name, _)| name);
        assert!(
            names.contains(&wanted.as_str()),
            "no race is named {wanted}: {names:?}"
        );
    }
    for (name, race) in races {
        if named.is_empty() || named.iter().any(|wanted| wanted == name) {
            race();
        }
    }
}
