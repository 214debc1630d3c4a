//! What contacts, sweeps, rays and trees say of themselves: the order of their steps, the early-out or feature that decided,
//! and their numbers.

use crate::common::samples::{at, ball, cube, floor, ground, mesh, rod, segment};
use crate::common::steps::{close, names, number};
use glam::{DQuat, DVec3};
use hitstop::core::bounds::{SphereTree, sweep_sphere_tree};
use hitstop::core::query::contact::contact_aabb_aabb;
use hitstop::core::query::polytope::sweep_obb_obb;
use hitstop::core::query::{Steps, contact, ray_cast_triangle, sweep};
use hitstop::core::shape::{Aabb, Facing, Motion, Obb, Pose, Segment, Shape, Sphere};

fn turned_cube(position: DVec3) -> (Shape, Pose) {
    let rotation = DQuat::from_rotation_y(0.4);
    (cube(), Pose { position, rotation })
}

fn resting(a: (&Shape, Pose), b: (&Shape, Pose)) -> Steps {
    let mut steps = Steps::default();
    contact(&a.0.placed(&a.1), &b.0.placed(&b.1), &mut steps);
    steps
}

#[test]
fn every_resting_contact_names_its_steps() {
    let unit = ball(1.0);
    let above = |y: f64| (&unit, Pose::at(at(0.0, y, 0.0)));
    let still = Pose::IDENTITY;
    let slab = Shape::Triangle(floor(Facing::Both));
    let line = Shape::Segment(segment());
    let heap = Shape::Mesh(mesh());
    for (other, expected, depth) in [
        (ball(0.5), vec!["Overlapping"], 0.75),
        (ground(), vec!["Overlapping"], 0.25),
        (line, vec!["ClosestOnSegment", "Overlapping"], 0.25),
        (rod(), vec!["ClosestOnSegment", "Overlapping"], 0.5),
        (
            slab,
            vec!["PlaneDistance", "NearestFace", "Overlapping"],
            0.25,
        ),
        (
            heap,
            vec![
                "TrianglesTested",
                "DeepestTriangle",
                "PlaneDistance",
                "NearestFace",
                "Overlapping",
            ],
            0.25,
        ),
    ] {
        let steps = resting(above(0.75), (&other, still));
        assert_eq!(names(&steps), expected, "{}", other.kind_name());
        close(number(&steps, "Overlapping", "depth"), depth);
    }
    let steps = resting(above(1.75), (&cube(), still));
    assert_eq!(names(&steps), ["AxisEarlyOut", "Overlapping"]);
    close(number(&steps, "AxisEarlyOut", "y"), 0.75);
}

#[test]
fn early_outs_say_that_they_fired_and_by_how_much() {
    let (unit, still) = (ball(1.0), Pose::IDENTITY);
    let steps = resting((&unit, Pose::at(at(0.0, 2.5, 0.0))), (&cube(), still));
    assert_eq!(names(&steps), ["AxisEarlyOut", "SeparatedOnAxis"]);
    close(number(&steps, "SeparatedOnAxis", "distance"), 1.5);
    // Beside the corner every axis passes, and the closest point decides.
    let steps = resting((&unit, Pose::at(at(1.9, 1.9, 1.9))), (&cube(), still));
    assert_eq!(names(&steps), ["AxisEarlyOut", "Separated"]);
    close(
        number(&steps, "Separated", "distance"),
        0.9 * 3.0_f64.sqrt(),
    );
    let behind = Shape::Triangle(floor(Facing::Front));
    let steps = resting((&unit, Pose::at(at(0.0, -0.5, 0.0))), (&behind, still));
    assert_eq!(names(&steps), ["PlaneDistance", "BehindOneSided"]);
    let steps = resting((&unit, still), (&unit, still));
    assert_eq!(names(&steps), ["Overlapping", "FallbackNormal"]);
    let steps = resting((&unit, Pose::at(DVec3::NAN)), (&unit, still));
    assert_eq!(names(&steps), ["BadNumber"]);
    let one = Aabb {
        min: DVec3::ZERO,
        max: DVec3::ONE,
    };
    let mut steps = Steps::default();
    contact_aabb_aabb(&one, &one.grown(0.25), &mut steps);
    assert_eq!(names(&steps), ["OverlapPerAxis", "LeastOverlap"]);
    close(number(&steps, "LeastOverlap", "depth"), 1.25);
}

#[test]
fn boxes_name_each_axis_and_the_one_that_decides() {
    let low = turned_cube(DVec3::ZERO);
    let steps = resting((&cube(), Pose::at(at(0.1, 1.75, 0.0))), (&low.0, low.1));
    let told = names(&steps);
    assert!(
        told[..3].iter().all(|name| *name == "face axis"),
        "{told:?}"
    );
    assert_eq!(told.last(), Some(&"least push"));
    close(number(&steps, "least push", "depth"), 0.25);
    close(number(&steps, "least push", "y"), 1.0);
    let steps = resting((&cube(), Pose::at(at(0.1, 2.5, 0.0))), (&low.0, low.1));
    assert_eq!(names(&steps).last(), Some(&"separating axis"));
    close(number(&steps, "separating axis", "y").abs(), 1.0);
    let pierced = resting(
        (&rod(), Pose::at(at(0.0, 0.9, 0.0))),
        (&cube(), Pose::IDENTITY),
    );
    assert_eq!(names(&pierced).last(), Some(&"Overlapping"));
    close(number(&pierced, "least push", "depth"), 0.1);
    close(number(&pierced, "Overlapping", "depth"), 0.35);
}

/// From 2 above, 2 down: a ball of radius 0.5 meets what ends at y = 0 after 0.75.
fn falling(shape: &Shape, other: &Shape) -> Steps {
    let mut steps = Steps::default();
    let fall = Motion {
        start: Pose::at(at(0.0, 2.0, 0.0)),
        end: Pose::IDENTITY,
    };
    sweep(
        shape,
        &fall,
        other,
        &Motion::still(Pose::IDENTITY),
        &mut steps,
    );
    steps
}

#[test]
fn every_sweep_names_its_steps_its_feature_and_its_tolerance() {
    let half = ball(0.5);
    let face = ["Start", "OnFace", "Hits"];
    for (other, expected, fraction) in [
        (ball(0.5), vec!["Parabola", "Hits"], 0.5),
        (ground(), face.to_vec(), 0.75),
        (
            Shape::Segment(segment()),
            vec!["Start", "OnEdge", "Hits"],
            0.75,
        ),
        (rod(), vec!["Start", "OnEdge", "Hits"], 0.625),
        (cube(), face.to_vec(), 0.25),
        (Shape::Triangle(floor(Facing::Both)), face.to_vec(), 0.75),
        (
            Shape::Triangle(floor(Facing::Front)),
            vec!["PlaneDistance", "Start", "OnFace", "Hits"],
            0.75,
        ),
        (
            Shape::Mesh(mesh()),
            vec![
                "TrianglesTested",
                "EarliestTriangle",
                "Start",
                "OnFace",
                "Hits",
            ],
            0.75,
        ),
    ] {
        let steps = falling(&half, &other);
        assert_eq!(names(&steps), expected, "{}", other.kind_name());
        close(number(&steps, "Hits", "fraction"), fraction);
        let first = if expected[0] == "Parabola" {
            "Parabola"
        } else {
            "Start"
        };
        let noise = number(&steps, first, "noise");
        // It decides who decides, not what: a bound of rounding, larger for a slim triangle.
        assert!(noise > 0.0 && noise < 1e-12, "{noise}");
    }
}

#[test]
fn capsules_and_boxes_name_their_steps_on_the_way() {
    for (other, fraction) in [
        (cube(), 0.375),
        (Shape::Triangle(floor(Facing::Both)), 0.875),
        (rod(), 0.75),
    ] {
        let steps = falling(&rod(), &other);
        assert_eq!(names(&steps)[0], "Start", "{}", other.kind_name());
        close(number(&steps, "Hits", "fraction"), fraction);
    }
    let one_sided = falling(&rod(), &Shape::Triangle(floor(Facing::Front)));
    assert_eq!(names(&one_sided)[0], "PlaneDistances");
    let on_mesh = falling(&rod(), &Shape::Mesh(mesh()));
    assert_eq!(
        names(&on_mesh)[..3],
        ["TrianglesTested", "EarliestTriangle", "Start"]
    );
    let on_plane = falling(&cube(), &ground());
    assert_eq!(names(&on_plane), ["DeepestVertex", "Hits"]);
    let boxes = falling(
        &Shape::Box {
            half_extents: DVec3::splat(0.5),
        },
        &cube(),
    );
    close(number(&boxes, "Hits", "fraction"), 0.25);
    close(number(&boxes, "Hits", "y"), 1.0);
    assert!(names(&boxes).contains(&"no motion along the axis"));
}

/// Two cubes, 1 apart, close by 4; turned by 45 degrees one reaches sqrt(2), and 2 - sqrt(2) is between them.
#[test]
fn moving_boxes_tell_the_interval_of_each_axis() {
    for (rotation, fraction) in [
        (DQuat::IDENTITY, 0.25),
        (
            DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4),
            (2.0 - 2.0_f64.sqrt()) / 4.0,
        ),
    ] {
        let boxes = [at(3.0, 0.0, 0.0), DVec3::ZERO].map(|center| Obb {
            center,
            half_extents: DVec3::ONE,
            rotation,
        });
        let still = Obb {
            rotation: DQuat::IDENTITY,
            ..boxes[1]
        };
        let mut steps = Steps::default();
        let step = at(-4.0, 0.0, 0.0);
        let outcome = sweep_obb_obb(&boxes[0], step, &still, DVec3::ZERO, &mut steps);
        close(outcome.impact().unwrap().fraction, fraction);
        close(number(&steps, "Hits", "fraction"), fraction);
        close(number(&steps, "Hits", "x"), 1.0);
        let last = steps.0.iter().filter_map(|step| {
            let begin = step.numbers.iter().find(|(name, _)| *name == "begin");
            begin.map(|(_, begin)| *begin)
        });
        close(last.fold(f64::NEG_INFINITY, f64::max), fraction);
    }
}

#[test]
fn rays_and_trees_count_what_they_looked_at() {
    let mut steps = Steps::default();
    let down = Segment {
        a: at(0.0, 1.0, 0.0),
        b: at(0.0, -1.0, 0.0),
    };
    ray_cast_triangle(&down, &floor(Facing::Both), &mut steps);
    assert_eq!(names(&steps), ["PlaneDistances", "EdgeSigns", "Hits"]);
    close(number(&steps, "Hits", "fraction"), 0.5);
    let mut steps = Steps::default();
    let above = Segment {
        b: at(0.0, 0.5, 0.0),
        ..down
    };
    ray_cast_triangle(&above, &floor(Facing::Both), &mut steps);
    assert_eq!(names(&steps), ["PlaneDistances", "NoCrossing"]);
    let (mesh, mut steps) = (mesh(), Steps::default());
    let tree = SphereTree::new(&mesh);
    let sphere = Sphere {
        center: at(0.0, 2.0, 0.0),
        radius: 0.5,
    };
    let still = DVec3::ZERO;
    sweep_sphere_tree(
        &sphere,
        at(0.0, -2.0, 0.0),
        (&mesh, &tree),
        &Pose::IDENTITY,
        still,
        &mut steps,
    );
    close(number(&steps, "SphereTree", "spheres"), 1.0);
    close(number(&steps, "SphereTree", "triangles"), 2.0);
}
