//! A batch answers every pair with the very bits of the query that takes one at a time, on every set of instructions there is.

use crate::common::random::Random;
use crate::common::rounds;
use glam::{DQuat, DVec3};
use hitstop::core::query::batch::{
    Boxes, Contacts, Lanes, Meetings, MovingSpheres, RayHits, Segments, Spheres, SweepKinds,
    Triangles, contact_sphere_obb_pairs, contact_sphere_triangle_pairs, meeting_sphere_pairs,
    ray_cast_triangle_pairs, sweep_sphere_pairs,
};
use hitstop::core::query::contact::{contact_sphere_obb, contact_sphere_triangle};
use hitstop::core::query::sweep::sweep_sphere_sphere;
use hitstop::core::query::{Steps, SweepKind, SweepOutcome, ray_cast_triangle};
use hitstop::core::shape::{Facing, Obb, Segment, Sphere, Triangle};
use std::fmt::Debug;

/// Nothing, one, around a stretch of 256, and some stretches.
const LENGTHS: [usize; 12] = [0, 1, 7, 255, 256, 257, 512, 1000, 1000, 3000, 3000, 3000];

impl Random {
    /// A coordinate of the kind of case at hand: halves, in which touches and degenerate shapes are exact; anything; or now
    /// and then a number that is none, or that overflows or underflows when squared.
    fn coordinate(&mut self, kind: u64) -> f64 {
        match kind {
            0..=3 => self.below(9) as f64 * 0.5 - 2.0,
            4..=7 => self.range(-2.0, 2.0),
            8 => self.range(-2.0, 2.0) * 1e-3,
            9 => self.range(-2.0, 2.0) * 1e4,
            _ => match self.below(12) {
                0 => f64::NAN,
                1 => f64::INFINITY,
                2 => -1e200,
                3 => 1e-200,
                4 => 5e-324,
                5 => -0.0,
                _ => self.range(-2.0, 2.0),
            },
        }
    }

    fn vector(&mut self, kind: u64) -> DVec3 {
        DVec3::new(
            self.coordinate(kind),
            self.coordinate(kind),
            self.coordinate(kind),
        )
    }

    /// A kind of case, and how far from the origin it lies.
    fn case(&mut self) -> (u64, DVec3) {
        let away = [0.0, 0.0, 1e5, 1e7][self.below(4) as usize];
        (self.below(11), DVec3::new(away, -away, 0.5 * away))
    }

    /// So many cases: each of its own, or of one kind and in one place for a stretch, as what is rounded is measured by its neighbours.
    fn cases(&mut self, count: usize) -> Vec<(u64, DVec3)> {
        let stretch = [1, 64][self.below(2) as usize];
        let cases = (0..count.div_ceil(stretch)).map(|_| self.case());
        let cases: Vec<_> = cases.collect();
        (0..count).map(|pair| cases[pair / stretch]).collect()
    }

    fn radius(&mut self, kind: u64) -> f64 {
        match kind {
            0..=3 => self.below(5) as f64 * 0.5,
            10 => self.coordinate(10).abs(),
            _ => self.range(0.0, 1.0),
        }
    }

    fn rotation_of(&mut self, kind: u64) -> DQuat {
        match kind {
            0..=1 => DQuat::IDENTITY,
            2 => DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2),
            _ => DQuat::from_scaled_axis(DVec3::new(
                self.range(-3.0, 3.0),
                self.range(-3.0, 3.0),
                self.range(-3.0, 3.0),
            )),
        }
    }

    fn sphere(&mut self, kind: u64, away: DVec3) -> Sphere {
        Sphere {
            center: away + self.vector(kind),
            radius: self.radius(kind),
        }
    }

    fn triangle(&mut self, kind: u64, away: DVec3) -> Triangle {
        Triangle {
            a: away + self.vector(kind),
            b: away + self.vector(kind),
            c: away + self.vector(kind),
            facing: if self.below(2) == 0 {
                Facing::Both
            } else {
                Facing::Front
            },
        }
    }
}

/// The digits that name a number exactly; a number that is none is named too.
fn digits(value: &impl Debug) -> String {
    format!("{value:?}")
}

/// The answer of a query that nobody hears, which may take a short cut, and that of one that is told, which may not: the same bits.
fn heard_and_not<T: Debug>(query: impl Fn(Option<&mut Steps>) -> T) -> T {
    let unheard = query(None);
    let heard = query(Some(&mut Steps::default()));
    assert_eq!(digits(&unheard), digits(&heard));
    unheard
}

fn expect_same<T: Debug>(what: &str, lanes: Lanes, batch: &[(u32, T)], single: &[(u32, T)]) {
    for (got, expected) in batch.iter().zip(single) {
        assert_eq!(digits(got), digits(expected), "{what}, {lanes:?}");
    }
    assert_eq!(batch.len(), single.len(), "{what}, {lanes:?}");
}

#[test]
fn swept_spheres_have_the_outcomes_of_one_at_a_time() {
    let mut seeded = Random(1);
    let mut seen = [0; 6];
    for count in LENGTHS {
        let (mut first, mut second) = (MovingSpheres::default(), MovingSpheres::default());
        for (kind, away) in seeded.cases(count) {
            first.push(&seeded.sphere(kind, away), seeded.vector(kind));
            // Now and then both move alike, or touch where they start.
            let (sphere, step) = first.get(first.len() - 1);
            let step = match seeded.below(4) {
                0 => step,
                _ => seeded.vector(kind),
            };
            let mut other = seeded.sphere(kind, away);
            let reach = DVec3::X * (sphere.radius + other.radius);
            match seeded.below(8) {
                0 => other.center = sphere.center + reach,
                // Past it, a radius aside: where these numbers are exact, it grazes.
                1 => {
                    other.center = sphere.center + reach - DVec3::Y;
                    second.push(&other, first.get(first.len() - 1).1 + 2.0 * DVec3::Y);
                    continue;
                }
                _ => {}
            }
            second.push(&other, step);
        }
        let expected: Vec<SweepKind> = (0..count)
            .map(|pair| {
                let ((a, d), (b, e)) = (first.get(pair), second.get(pair));
                sweep_sphere_sphere(&a, d, &b, e, &mut ()).kind()
            })
            .collect();
        expected.iter().for_each(|kind| seen[*kind as usize] += 1);
        for lanes in Lanes::available() {
            let mut kinds = SweepKinds::default();
            sweep_sphere_pairs(lanes, &first, &second, &mut kinds);
            assert_eq!(kinds.len(), count);
            for (pair, expected) in expected.iter().enumerate() {
                let what = (first.get(pair), second.get(pair));
                assert_eq!(kinds.get(pair), *expected, "{lanes:?}: {what:?}");
            }
            let meetings = (0..count).filter(|&pair| expected[pair].meets());
            assert!(kinds.meetings().eq(meetings));
            let singly: Meetings = (0..count)
                .filter_map(|pair| {
                    let ((a, d), (b, e)) = (first.get(pair), second.get(pair));
                    let outcome = sweep_sphere_sphere(&a, d, &b, e, &mut ());
                    let meets = outcome.kind().meets();
                    meets.then_some((pair as u32, outcome))
                })
                .collect();
            let mut meetings = Meetings::default();
            meeting_sphere_pairs(lanes, &first, &second, &mut meetings);
            expect_same("swept spheres", lanes, &meetings, &singly);
        }
    }
    assert!(seen.iter().all(|&count| count > 9), "{seen:?}");
}

#[test]
fn spheres_touch_triangles_as_one_at_a_time() {
    let mut seeded = Random(2);
    let mut touching = 0;
    for count in LENGTHS {
        let (mut spheres, mut triangles) = (Spheres::default(), Triangles::default());
        for (kind, away) in seeded.cases(count) {
            spheres.push(&seeded.sphere(kind, away));
            triangles.push(&seeded.triangle(kind, away));
        }
        let expected: Contacts = (0..count)
            .filter_map(|pair| {
                let (sphere, triangle) = (spheres.get(pair), triangles.get(pair));
                let contact = heard_and_not(|heard| match heard {
                    Some(trace) => contact_sphere_triangle(&sphere, &triangle, trace),
                    None => contact_sphere_triangle(&sphere, &triangle, &mut ()),
                })?;
                Some((pair as u32, contact))
            })
            .collect();
        touching += expected.iter().filter(|(_, c)| c.depth == 0.0).count();
        for lanes in Lanes::available() {
            let mut contacts = Contacts::default();
            contact_sphere_triangle_pairs(lanes, &spheres, &triangles, &mut contacts);
            expect_same("sphere and triangle", lanes, &contacts, &expected);
        }
    }
    assert!(touching > 0);
}

#[test]
fn spheres_touch_boxes_as_one_at_a_time() {
    let mut seeded = Random(3);
    let (mut touching, mut inside) = (0, 0);
    for count in LENGTHS {
        let (mut spheres, mut boxes) = (Spheres::default(), Boxes::default());
        for (kind, away) in seeded.cases(count) {
            spheres.push(&seeded.sphere(kind, away));
            boxes.push(&Obb {
                center: away + seeded.vector(kind),
                half_extents: seeded.vector(kind).abs(),
                rotation: seeded.rotation_of(kind),
            });
        }
        let expected: Contacts = (0..count)
            .filter_map(|pair| {
                let (sphere, solid) = (spheres.get(pair), boxes.get(pair));
                let contact = heard_and_not(|heard| match heard {
                    Some(trace) => contact_sphere_obb(&sphere, &solid, trace),
                    None => contact_sphere_obb(&sphere, &solid, &mut ()),
                })?;
                inside += usize::from(contact.depth > sphere.radius);
                Some((pair as u32, contact))
            })
            .collect();
        touching += expected.iter().filter(|(_, c)| c.depth == 0.0).count();
        for lanes in Lanes::available() {
            let mut contacts = Contacts::default();
            contact_sphere_obb_pairs(lanes, &spheres, &boxes, &mut contacts);
            expect_same("sphere and box", lanes, &contacts, &expected);
        }
    }
    assert!(touching > 0 && inside > 0, "{touching} {inside}");
}

#[test]
fn segments_meet_triangles_as_one_at_a_time() {
    let mut seeded = Random(4);
    let mut on_an_edge = 0;
    for count in LENGTHS {
        let (mut segments, mut triangles) = (Segments::default(), Triangles::default());
        for (kind, away) in seeded.cases(count) {
            segments.push(&Segment {
                a: away + seeded.vector(kind),
                b: away + seeded.vector(kind),
            });
            triangles.push(&seeded.triangle(kind, away));
        }
        let expected: RayHits = (0..count)
            .filter_map(|pair| {
                let (segment, triangle) = (segments.get(pair), triangles.get(pair));
                let hit = heard_and_not(|heard| match heard {
                    Some(trace) => ray_cast_triangle(&segment, &triangle, trace),
                    None => ray_cast_triangle(&segment, &triangle, &mut ()),
                })?;
                Some((pair as u32, hit))
            })
            .collect();
        on_an_edge += expected
            .iter()
            .filter(|(_, hit)| hit.weights.min_element() == 0.0)
            .count();
        for lanes in Lanes::available() {
            let mut hits = RayHits::default();
            ray_cast_triangle_pairs(lanes, &segments, &triangles, &mut hits);
            expect_same("segment and triangle", lanes, &hits, &expected);
        }
    }
    assert!(on_an_edge > 0);
}

/// What hardly touches, or hardly does not, is told by no look that rounds.
#[test]
fn what_nearly_touches_is_answered_as_one_at_a_time() {
    let mut seeded = Random(5);
    let (mut spheres, mut triangles, mut boxes) =
        (Spheres::default(), Triangles::default(), Boxes::default());
    let mut balls = Spheres::default();
    let (mut first, mut second) = (MovingSpheres::default(), MovingSpheres::default());
    let (mut ways, mut corners) = (Segments::default(), Triangles::default());
    for number in 0..rounds(20_000) {
        // In stretches, as what is rounded is measured by its neighbours.
        let away = [0.0, 0.0, 30.0, 1e3, 1e5][number / 64 % 5];
        let (size, away) = (seeded.range(0.01, 2.0), DVec3::new(away, -away, away));
        let share =
            1.0 + seeded.range(-1.0, 1.0) * [1e-9, 1e-7, 1e-6, 1e-5][seeded.below(4) as usize];
        let mut triangle = seeded.triangle(4, DVec3::ZERO);
        for corner in [&mut triangle.a, &mut triangle.b, &mut triangle.c] {
            *corner = away + *corner * size;
        }
        triangle.facing = Facing::Both;
        let mut ball = seeded.sphere(4, away);
        let mut reaching = |depth: &dyn Fn(&Sphere) -> f64| {
            // So large that it touches: what it is deep is what it need not be.
            ball.radius = 50.0;
            ball.radius = (50.0 - depth(&ball)).max(0.0) * share;
            ball
        };
        let to_triangle = |ball: &Sphere| {
            contact_sphere_triangle(ball, &triangle, &mut ()).map_or(50.0, |contact| contact.depth)
        };
        spheres.push(&reaching(&to_triangle));
        triangles.push(&triangle);
        let solid = Obb {
            center: away + seeded.vector(4) * size,
            half_extents: seeded.vector(4).abs() * size,
            rotation: seeded.rotation_of(4),
        };
        let to_box =
            |ball: &Sphere| contact_sphere_obb(ball, &solid, &mut ()).map_or(50.0, |c| c.depth);
        balls.push(&reaching(&to_box));
        boxes.push(&solid);
        let (mut one, mut other) = (seeded.sphere(4, away), seeded.sphere(4, away));
        (one.radius, other.radius) = (0.0, 0.1 * size);
        let (step, other_step) = (seeded.vector(4), seeded.vector(4));
        if let SweepOutcome::Misses { by, .. } =
            sweep_sphere_sphere(&one, step, &other, other_step, &mut ())
        {
            one.radius = by * share;
        }
        first.push(&one, step);
        second.push(&other, other_step);
        let (along, across) = (triangle.b - triangle.a, triangle.c - triangle.b);
        let past = triangle.a + along * seeded.range(-0.2, 1.2) + across * (share - 1.0);
        let way = seeded.vector(4) * size;
        ways.push(&Segment {
            a: past - way * seeded.range(0.0, 1.0) * share,
            b: past + way,
        });
        corners.push(&triangle);
    }
    let count = spheres.len();
    let hit: RayHits = (0..count)
        .filter_map(|pair| {
            let (segment, triangle) = (ways.get(pair), corners.get(pair));
            let hit = heard_and_not(|heard| match heard {
                Some(trace) => ray_cast_triangle(&segment, &triangle, trace),
                None => ray_cast_triangle(&segment, &triangle, &mut ()),
            });
            Some((pair as u32, hit?))
        })
        .collect();
    let of_triangles: Contacts = (0..count)
        .filter_map(|pair| {
            let (sphere, triangle) = (spheres.get(pair), triangles.get(pair));
            let contact = heard_and_not(|heard| match heard {
                Some(trace) => contact_sphere_triangle(&sphere, &triangle, trace),
                None => contact_sphere_triangle(&sphere, &triangle, &mut ()),
            });
            Some((pair as u32, contact?))
        })
        .collect();
    let of_boxes: Contacts = (0..count)
        .filter_map(|pair| {
            let (sphere, solid) = (balls.get(pair), boxes.get(pair));
            Some((
                pair as u32,
                heard_and_not(|heard| match heard {
                    Some(trace) => contact_sphere_obb(&sphere, &solid, trace),
                    None => contact_sphere_obb(&sphere, &solid, &mut ()),
                })?,
            ))
        })
        .collect();
    let met: Meetings = (0..count)
        .filter_map(|pair| {
            let ((a, d), (b, e)) = (first.get(pair), second.get(pair));
            let outcome = sweep_sphere_sphere(&a, d, &b, e, &mut ());
            outcome.kind().meets().then_some((pair as u32, outcome))
        })
        .collect();
    let some = count / 10..count - count / 10;
    for touching in [of_triangles.len(), of_boxes.len(), met.len(), hit.len()] {
        assert!(some.contains(&touching), "{touching}");
    }
    for lanes in Lanes::available() {
        let mut contacts = Contacts::default();
        contact_sphere_triangle_pairs(lanes, &spheres, &triangles, &mut contacts);
        expect_same("sphere and triangle", lanes, &contacts, &of_triangles);
        contact_sphere_obb_pairs(lanes, &balls, &boxes, &mut contacts);
        expect_same("sphere and box", lanes, &contacts, &of_boxes);
        let mut meetings = Meetings::default();
        meeting_sphere_pairs(lanes, &first, &second, &mut meetings);
        expect_same("swept spheres", lanes, &meetings, &met);
        let mut hits = RayHits::default();
        ray_cast_triangle_pairs(lanes, &ways, &corners, &mut hits);
        expect_same("segment and triangle", lanes, &hits, &hit);
    }
}

/// A batch that is emptied forgets how large its numbers were: small ones after large ones are answered as they are alone.
#[test]
fn a_batch_that_is_filled_again_is_as_good_as_new() {
    for lanes in Lanes::available() {
        let mut random = Random(61);
        let (mut balls, mut faces) = (Spheres::default(), Triangles::default());
        let (mut found, mut alone) = (Contacts::default(), Contacts::default());
        for scale in [1e9, 1.0] {
            balls.clear();
            faces.clear();
            for _ in 0..100 {
                let sphere = Sphere {
                    center: random.vector(4) * scale,
                    radius: 0.5 * scale,
                };
                let [a, b, c] = [0, 1, 2].map(|_| random.vector(4) * scale);
                balls.push(&sphere);
                faces.push(&Triangle {
                    a,
                    b,
                    c,
                    facing: Facing::Both,
                });
            }
            contact_sphere_triangle_pairs(lanes, &balls, &faces, &mut found);
            let fresh: Spheres = (0..100)
                .map(|i| balls.get(i))
                .collect::<Vec<_>>()
                .iter()
                .collect();
            let others: Triangles = (0..100)
                .map(|i| faces.get(i))
                .collect::<Vec<_>>()
                .iter()
                .collect();
            contact_sphere_triangle_pairs(lanes, &fresh, &others, &mut alone);
            assert!(!found.is_empty(), "some touch");
            assert_eq!(format!("{found:?}"), format!("{alone:?}"));
        }
    }
}

/// Columns of different lengths: the pairs that both have.
#[test]
fn a_batch_ends_with_the_shorter_side() {
    let ball = Sphere {
        center: DVec3::ZERO,
        radius: 1.0,
    };
    let (mut one, mut three) = (MovingSpheres::default(), MovingSpheres::default());
    one.push(&ball, DVec3::ZERO);
    (0..3).for_each(|_| three.push(&ball, DVec3::ZERO));
    let mut kinds = SweepKinds::default();
    for lanes in Lanes::available() {
        sweep_sphere_pairs(lanes, &one, &three, &mut kinds);
        assert_eq!(kinds.len(), 1);
        assert_eq!(kinds.get(0), SweepKind::Overlapping);
        sweep_sphere_pairs(lanes, &three, &one, &mut kinds);
        assert_eq!(kinds.len(), 1);
    }
    for (few, many) in [(1, 3), (33, 64)] {
        every_batch_has_as_many_as_the_shorter_side(few, many);
    }
}

/// All pairs of them meet.
fn every_batch_has_as_many_as_the_shorter_side(few: usize, many: usize) {
    let ball = Sphere {
        center: DVec3::new(0.25, 0.0, 0.25),
        radius: 1.0,
    };
    let face = Triangle {
        a: DVec3::ZERO,
        b: DVec3::X,
        c: DVec3::Z,
        facing: Facing::Both,
    };
    let solid = Obb {
        center: DVec3::ZERO,
        half_extents: DVec3::ONE,
        rotation: DQuat::IDENTITY,
    };
    let way = Segment {
        a: ball.center + DVec3::Y,
        b: ball.center - DVec3::Y,
    };
    for (left, right) in [(few, many), (many, few)] {
        let balls: Spheres = vec![ball; left].iter().collect();
        let ways: Segments = vec![way; left].iter().collect();
        let faces: Triangles = vec![face; right].iter().collect();
        let solids: Boxes = vec![solid; right].iter().collect();
        for lanes in Lanes::available() {
            let (mut contacts, mut hits) = (Contacts::default(), RayHits::default());
            contact_sphere_triangle_pairs(lanes, &balls, &faces, &mut contacts);
            assert_eq!(contacts.len(), few);
            contact_sphere_obb_pairs(lanes, &balls, &solids, &mut contacts);
            assert_eq!(contacts.len(), few);
            ray_cast_triangle_pairs(lanes, &ways, &faces, &mut hits);
            assert_eq!(hits.len(), few);
        }
    }
}
