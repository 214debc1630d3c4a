//! The nine known faults of the published forms. Each form is written out as published (under other names), shown to be right where
//! it is right and wrong where it is wrong, and ours must be right in both cases.

use super::exact::placed::{contact_placed, sweep_placed};
use glam::{DMat3, DQuat, DVec3};
use hitstop::core::query::closest_point::closest_point_on_segment;
use hitstop::core::query::probe::{ProbeMode, STANDARD_PROBE, probe};
use hitstop::core::query::{Contact, SweepOutcome, ray_cast_triangle, sweep_probe};
use hitstop::core::shape::{Aabb, Facing, Obb, Placed, Segment, Sphere, Triangle};

const fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

const fn ball(center: DVec3, radius: f64) -> Sphere {
    Sphere { center, radius }
}

fn contact_of(ball: &Sphere, other: Placed<'_>) -> Option<Contact> {
    contact_placed(&Placed::Sphere(*ball), &other)
}

fn sweep(ball: &Sphere, displacement: DVec3, target: &Sphere) -> SweepOutcome {
    let (ball, target) = (Placed::Sphere(*ball), Placed::Sphere(*target));
    sweep_placed(&ball, displacement, &target, DVec3::ZERO)
}

/// A wall in the plane x = 0, facing +x.
const fn wall(facing: Facing) -> Triangle {
    Triangle {
        a: at(0.0, -4.0, -4.0),
        b: at(0.0, 8.0, -4.0),
        c: at(0.0, -4.0, 8.0),
        facing,
    }
}

/// The push-out of two spheres as published: of the first one, by its name.
fn published_push_of_spheres(a: &Sphere, b: &Sphere) -> DVec3 {
    let between = a.center - b.center;
    let distance = between.length();
    between / distance * (distance - (a.radius + b.radius))
}

#[test]
fn e1_the_push_of_two_spheres_drives_them_apart() {
    let a = ball(at(0.0, 0.0, 0.0), 1.0);
    for b in [
        ball(at(1.5, 0.0, 0.0), 1.0),
        ball(at(0.0, -0.5, 0.0), 0.25),
        ball(at(0.75, 0.0, -1.0), 0.5),
    ] {
        let distance = |push: DVec3| (a.center + push - b.center).length();
        let published = published_push_of_spheres(&a, &b);
        assert!(distance(published) < distance(DVec3::ZERO), "closer: {b:?}");

        let push = contact_of(&a, Placed::Sphere(b)).unwrap().push();
        assert!((distance(push) - (a.radius + b.radius)).abs() < 1e-15);
        assert!((push + published).length() < 1e-15, "only the sign differs");
    }
}

/// The push-out of a sphere from a segment as published.
fn published_push_of_segment(sphere: &Sphere, segment: &Segment) -> Option<DVec3> {
    let along = segment.b - segment.a;
    let share = (sphere.center - segment.a).dot(along) / along.length_squared();
    let closest = segment.a + along * share.clamp(0.0, 1.0);
    let away = sphere.center - closest;
    (away.length() <= sphere.radius).then_some(away)
}

#[test]
fn e2_the_push_out_of_a_segment_is_the_penetration_only() {
    let segment = Segment {
        a: at(-1.0, 0.0, 0.0),
        b: at(1.0, 0.0, 0.0),
    };
    // Centre, and the correct push-out: radius 1 less the distance, along it.
    for (center, expected) in [
        (at(0.0, 0.75, 0.0), at(0.0, 0.25, 0.0)),
        (at(1.5, 0.0, 0.0), at(0.5, 0.0, 0.0)),
        (at(-0.5, 0.0, -0.125), at(0.0, 0.0, -0.875)),
    ] {
        let ball = ball(center, 1.0);
        let after = |push: DVec3| {
            let moved = ball.center + push;
            (moved - closest_point_on_segment(moved, &segment).0).length()
        };
        let published = published_push_of_segment(&ball, &segment).unwrap();
        let distance = after(DVec3::ZERO);
        assert_eq!(after(published), 2.0 * distance, "twice the distance");
        let push = contact_of(&ball, Placed::Segment(segment)).unwrap();
        assert_eq!((push.push(), after(push.push())), (expected, 1.0));
    }
    // At half the radius the published vector is right by coincidence; beyond the radius both agree that there is none.
    let half = ball(at(0.0, 0.5, 0.0), 1.0);
    let ours = contact_of(&half, Placed::Segment(segment)).unwrap();
    assert_eq!(
        published_push_of_segment(&half, &segment),
        Some(ours.push())
    );
    let apart = ball(at(0.0, 1.5, 0.0), 1.0);
    assert!(published_push_of_segment(&apart, &segment).is_none());
    assert!(contact_of(&apart, Placed::Segment(segment)).is_none());
}

#[test]
fn e3_the_back_of_a_triangle_is_an_explicit_facing() {
    // For a centre over the face: the text uses the plane within the radius, the listing exits early as soon as it is behind.
    let by_text = |distance: f64, radius: f64| distance.abs() <= radius;
    let by_listing = |distance: f64, radius: f64| distance >= 0.0 && distance <= radius;
    for (distance, radius) in [(0.5, 1.0), (-0.5, 1.0), (2.0, 1.0), (-2.0, 1.0)] {
        let sphere = ball(at(distance, 0.0, 0.0), radius);
        let two_sided = contact_of(&sphere, Placed::Triangle(wall(Facing::Both)));
        let one_sided = contact_of(&sphere, Placed::Triangle(wall(Facing::Front)));
        // The publication has two results; here each is an explicit facing.
        let (text, listing) = (by_text(distance, radius), by_listing(distance, radius));
        assert_eq!(text != listing, distance == -0.5, "{distance}");
        assert_eq!(two_sided.is_some(), text, "{distance}");
        assert_eq!(one_sided.is_some(), listing, "{distance}");
        if let Some(contact) = two_sided {
            let push = at(distance.signum() * (radius - distance.abs()), 0.0, 0.0);
            assert_eq!(contact.push(), push, "to the side the centre is on");
        }
    }
}

#[test]
fn e4_a_centre_on_the_centre_the_line_or_the_edge_is_still_pushed_out() {
    let sphere = ball(at(0.0, 1.0, 0.0), 0.5);
    assert!(published_push_of_spheres(&sphere, &sphere).is_nan());
    let spheres = contact_of(&sphere, Placed::Sphere(sphere)).unwrap();
    assert!(spheres.fallback);
    assert_eq!(spheres.push(), at(0.0, 1.0, 0.0));

    // For a segment and for an edge, normalised as in the text: zero over zero.
    let published = |away: DVec3, radius: f64| away / away.length() * (radius - away.length());
    for along in [DVec3::X, DVec3::Y, DVec3::ONE] {
        let segment = Segment {
            a: sphere.center - along,
            b: sphere.center + along,
        };
        let away = published_push_of_segment(&sphere, &segment).unwrap();
        assert!(published(away, sphere.radius).is_nan());
        let contact = contact_of(&sphere, Placed::Segment(segment)).unwrap();
        assert!(contact.fallback);
        assert!((contact.depth - 0.5).abs() < 1e-15);
        assert!(contact.normal.dot(along).abs() < 1e-15);
        let after = sphere.center + contact.push();
        let (closest, _) = closest_point_on_segment(after, &segment);
        assert!(((after - closest).length() - 0.5).abs() < 1e-15);
    }
    // A segment without length divides by it already.
    let point = Segment {
        a: sphere.center,
        b: sphere.center,
    };
    assert!(published_push_of_segment(&sphere, &point).is_none_or(|push| push.is_nan()));
    let contact = contact_of(&sphere, Placed::Segment(point)).unwrap();
    assert_eq!((contact.depth, contact.normal.length()), (0.5, 1.0));

    let edge = Triangle {
        a: at(-1.0, 1.0, 0.0),
        b: at(1.0, 1.0, 0.0),
        c: at(0.0, 0.0, 0.0),
        facing: Facing::Both,
    };
    let on_edge = published_push_of_segment(
        &sphere,
        &Segment {
            a: edge.a,
            b: edge.b,
        },
    );
    assert!(published(on_edge.unwrap(), sphere.radius).is_nan());
    let contact = contact_of(&sphere, Placed::Triangle(edge)).unwrap();
    assert_eq!(contact.push(), at(0.0, 0.0, -0.5), "along the front normal");
}

/// The improved test of the article as printed: a boolean, no time. `last` is its last line.
fn published_sweep(between: DVec3, step: DVec3, reach: f64, last: fn(f64) -> bool) -> bool {
    let (a, b) = (step.length_squared(), between.dot(step));
    let c = between.length_squared() - reach * reach;
    if c < 0.0 {
        return true;
    }
    if b >= 0.0 || (a + b <= 0.0 && a + 2.0 * b + c >= 0.0) {
        return false;
    }
    last(c + b * (-b / a))
}

const AS_PRINTED: fn(f64) -> bool = |clearance| clearance > 0.0;
const FIXED: fn(f64) -> bool = |clearance| clearance < 0.0;

#[test]
fn e5_a_hit_is_a_hit_and_a_miss_is_a_miss() {
    let (step, target) = (at(10.0, 0.0, 0.0), ball(DVec3::ZERO, 0.5));
    // Offset by less and by more than the sum of radii, 1.
    for (aside, hits) in [
        (0.0, true),
        (0.5, true),
        (0.999, true),
        (1.001, false),
        (3.0, false),
    ] {
        let mover = ball(at(-5.0, aside, 0.0), 0.5);
        let between = target.center - mover.center;
        assert_ne!(published_sweep(between, -step, 1.0, AS_PRINTED), hits);
        assert_eq!(published_sweep(between, -step, 1.0, FIXED), hits);
        let ours = sweep(&mover, step, &target);
        assert_eq!(ours.impact().is_some(), hits, "{ours:?}");
    }
    // Before its last line the article is right, and ours agrees: overlapping, receding, later.
    for (x, step, hits) in [(-0.5, 1.0, true), (-5.0, -1.0, false), (-5.0, 2.0, false)] {
        let mover = ball(at(x, 0.0, 0.0), 0.5);
        let step = at(step, 0.0, 0.0);
        let between = target.center - mover.center;
        assert_eq!(published_sweep(between, -step, 1.0, AS_PRINTED), hits);
        let ours = sweep(&mover, step, &target);
        let met = matches!(
            ours,
            SweepOutcome::Hits(_) | SweepOutcome::Overlapping { .. }
        );
        assert_eq!(met, hits, "{ours:?}");
    }
}

#[test]
fn e6_the_motion_is_one_frame_s_and_the_time_is_returned() {
    let (mover, target) = (ball(at(-5.0, 0.0, 0.0), 0.5), ball(DVec3::ZERO, 0.5));
    let (velocity, dt) = (at(40.0, 0.0, 0.0), 1.0 / 60.0);
    let between = target.center - mover.center;
    // Metres per second in place of metres: it reports a hit that is six frames away.
    assert!(published_sweep(between, -velocity, 1.0, FIXED));
    assert!(!published_sweep(between, -velocity * dt, 1.0, FIXED));
    let mut met = None;
    for frame in 0..10 {
        let there = ball(mover.center + velocity * dt * f64::from(frame), 0.5);
        match sweep(&there, velocity * dt, &target) {
            SweepOutcome::Misses => {}
            SweepOutcome::Hits(impact) => {
                met = Some(f64::from(frame) + impact.fraction);
                break;
            }
            other => panic!("{other:?}"),
        }
    }
    // 4 metres at 40 a second are a tenth of a second: the start of frame 6, up to rounding.
    assert!((met.unwrap() * dt - 0.1).abs() < 1e-12, "{met:?}");
    let second = sweep(&mover, velocity, &target);
    assert_eq!(second.impact().unwrap().fraction, 0.1);
}

/// Sphere against box as published: normal and depth, `None` apart.
fn published_sphere_and_box(sphere: &Sphere, obb: &Obb) -> Option<(DVec3, f64)> {
    let local = obb.rotation.conjugate() * (sphere.center - obb.center);
    if (local.abs() - DVec3::splat(sphere.radius))
        .cmpgt(obb.half_extents)
        .any()
    {
        return None;
    }
    let closest = local.clamp(-obb.half_extents, obb.half_extents);
    let square = (closest - local).length_squared();
    if square > sphere.radius * sphere.radius {
        return None;
    }
    let away = sphere.center - (obb.rotation * closest + obb.center);
    Some((away / away.length(), sphere.radius - square.sqrt()))
}

#[test]
fn e7_a_centre_inside_a_box_leaves_by_the_nearest_face() {
    let obb = Obb {
        center: at(1.0, 0.0, 0.0),
        half_extents: at(1.0, 2.0, 3.0),
        rotation: DQuat::IDENTITY,
    };
    // Outside, the published form is right.
    let outside = ball(at(2.25, 0.5, 0.5), 0.5);
    let ours = contact_of(&outside, Placed::Obb(obb)).unwrap();
    let published = published_sphere_and_box(&outside, &obb);
    assert_eq!(published, Some((ours.normal, ours.depth)));
    assert_eq!(published, Some((DVec3::X, 0.25)));

    let inside = ball(at(1.25, 0.5, 0.5), 0.5);
    let (normal, _) = published_sphere_and_box(&inside, &obb).unwrap();
    assert!(normal.is_nan());
    let contact = contact_of(&inside, Placed::Obb(obb)).unwrap();
    // 0.75 to the face at x = 2, and the radius.
    assert_eq!(contact.push(), at(1.25, 0.0, 0.0));
    assert!(!contact.fallback);
    let middle = ball(obb.center, 0.5);
    let contact = contact_of(&middle, Placed::Obb(obb)).unwrap();
    // Both faces are equally near: each is a direction of the box.
    assert!(!contact.fallback);
    assert_eq!(contact.push(), at(1.5, 0.0, 0.0));
    // On the surface itself the published normal is undefined too.
    let on_face = ball(at(2.0, 0.0, 0.0), 0.5);
    assert!(published_sphere_and_box(&on_face, &obb).unwrap().0.is_nan());
    let contact = contact_of(&on_face, Placed::Obb(obb)).unwrap();
    assert_eq!(contact.push(), at(0.5, 0.0, 0.0));
}

/// The probe's line from `camera + offset` to `camera - offset` as published: the push, where it crosses the triangle.
fn published_probe(camera: DVec3, offset: DVec3, triangle: &Triangle) -> Option<DVec3> {
    let (start, end) = (camera + offset, camera - offset);
    let (q1, q2) = (triangle.b - triangle.a, triangle.c - triangle.a);
    let normal = q1.cross(q2) / q1.cross(q2).length();
    let (s1, s2) = (
        (start - triangle.a).dot(normal),
        (end - triangle.a).dot(normal),
    );
    if s1 * s2 > 0.0 {
        return None;
    }
    let t = s1 / (s1 - s2);
    let hit = start + (end - start) * t;
    let r = hit - triangle.a;
    // Lengyel's weights from the Gram matrix.
    let (a, b, c) = (q1.dot(q1), q1.dot(q2), q2.dot(q2));
    let scale = 1.0 / (a * c - b * b);
    let w1 = scale * (c * r.dot(q1) - b * r.dot(q2));
    let w2 = scale * (a * r.dot(q2) - b * r.dot(q1));
    if w1 < 0.0 || w2 < 0.0 || w1 + w2 > 1.0 {
        return None;
    }
    Some(if t >= 0.5 { hit - end } else { hit - start })
}

#[test]
fn e8_a_degenerate_triangle_is_harmless_to_the_probe() {
    let camera = at(0.25, 0.0, -4.0);
    // For a triangle with area the published form and ours agree.
    let wall = wall(Facing::Both);
    let by_published = published_probe(at(0.25, 0.0, 0.0), STANDARD_PROBE[0], &wall).unwrap();
    let by_ours = probe(
        at(0.25, 0.0, 0.0),
        &STANDARD_PROBE[..1],
        &[wall],
        ProbeMode::InOrder,
        &mut (),
    );
    assert_eq!(
        (by_ours.push, by_published),
        (at(0.25, 0.0, 0.0), by_ours.push)
    );

    let sliver = Triangle {
        c: at(0.0, 2.0, -4.0),
        ..wall
    };
    let published = published_probe(camera, STANDARD_PROBE[0], &sliver).unwrap();
    assert!(published.is_nan(), "the camera is gone: {published}");
    for mode in [ProbeMode::InOrder, ProbeMode::Deepest] {
        let result = probe(camera, &STANDARD_PROBE, &[sliver], mode, &mut ());
        assert!(result.hits.is_empty());
        assert_eq!(result.push, DVec3::ZERO);
    }
}

#[test]
fn e8_a_camera_faster_than_its_probe_is_detected_by_its_swept_path() {
    let (from, to) = (at(3.0, 0.0, 0.0), at(-3.0, 0.0, 0.0));
    let wall = wall(Facing::Both);
    for end in [from, to] {
        let detected = STANDARD_PROBE
            .iter()
            .find_map(|&offset| published_probe(end, offset, &wall));
        assert_eq!(detected, None, "published: nothing at either end");
    }
    let path = Segment { a: from, b: to };
    let crossing = ray_cast_triangle(&path, &wall, &mut ()).unwrap();
    assert_eq!(crossing.fraction, 0.5);
    let swept = sweep_probe(from, to, &STANDARD_PROBE, &[wall], &mut ());
    assert!(swept.path.is_some() && !swept.probe_sees);
    let impact = *swept.ball.unwrap().impact().unwrap();
    assert!((impact.fraction - (3.0 - swept.reach) / 6.0).abs() < 1e-15);
}

/// The box of points as published, on each axis, from where minimum and maximum begin.
fn published_extent(values: &[f64], min: f64, max: f64) -> (f64, f64) {
    let (mut min, mut max) = (min, max);
    for &value in values {
        if value < min {
            min = value;
        } else if value > max {
            max = value;
        }
    }
    (min, max)
}

#[test]
fn e9_the_box_of_points_does_not_depend_on_where_it_starts() {
    let falling = [3.0, 2.0, 1.0];
    let empty = (f64::INFINITY, f64::NEG_INFINITY);
    let from_first = published_extent(&falling, falling[0], falling[0]);
    let from_empty = published_extent(&falling, empty.0, empty.1);
    assert_eq!(from_first, (1.0, 3.0), "right only because of its start");
    assert_eq!(from_empty, (1.0, f64::NEG_INFINITY));
    for turned in [DMat3::IDENTITY, DMat3::from_diagonal(-DVec3::ONE)] {
        let points = falling.map(|x| turned * DVec3::splat(x));
        let aabb = Aabb::of_points(points).unwrap();
        let corners = [turned * DVec3::ONE, turned * DVec3::splat(3.0)];
        assert_eq!(aabb.min, corners[0].min(corners[1]));
        assert_eq!(aabb.max, corners[0].max(corners[1]));
    }
    assert!(Aabb::of_points([]).is_none());
}
