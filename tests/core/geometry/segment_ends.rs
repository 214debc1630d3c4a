//! The ends of segments and capsules: where they are closest, and which feature that is.

use glam::DVec3;
use hitstop::core::query::closest_point::closest_point_on_segment;
use hitstop::core::query::{Feature, contact};
use hitstop::core::shape::{Capsule, Pose, Segment, Shape};

/// A point beyond an end is closest to that end; the fraction along the segment is 0 at its start and 1 at its end.
#[test]
fn the_fraction_along_a_segment_ends_with_it() {
    let segment = Segment {
        a: DVec3::ZERO,
        b: DVec3::new(2.0, 0.0, 0.0),
    };
    for (x, at, fraction) in [
        (-1.0, 0.0, 0.0),
        (0.0, 0.0, 0.0),
        (0.5, 0.5, 0.25),
        (1.5, 1.5, 0.75),
        (2.0, 2.0, 1.0),
        (3.0, 2.0, 1.0),
    ] {
        let (point, got) = closest_point_on_segment(DVec3::new(x, 1.0, 0.0), &segment);
        assert_eq!((point, got), (DVec3::new(at, 0.0, 0.0), fraction), "{x}");
    }
}

/// A ball of 0.5 m a tenth deep in a capsule of 0.5 m: 0.9 m beyond its ends, which are vertices 0 and 1, and beside its middle.
#[test]
fn a_ball_touches_an_end_of_a_capsule_or_its_side() {
    let capsule = Shape::Capsule(Capsule {
        segment: Segment {
            a: DVec3::new(-1.0, 0.0, 0.0),
            b: DVec3::new(1.0, 0.0, 0.0),
        },
        radius: 0.5,
    });
    let ball = Shape::Sphere { radius: 0.5 };
    for (at, feature) in [
        (DVec3::new(-1.9, 0.0, 0.0), Feature::Vertex(0)),
        (DVec3::new(1.9, 0.0, 0.0), Feature::Vertex(1)),
        (DVec3::new(0.25, 0.9, 0.0), Feature::Edge(0)),
    ] {
        let placed = [(&ball, at), (&capsule, DVec3::ZERO)];
        let [a, b] = placed.map(|(shape, at)| shape.placed(&Pose::at(at)));
        let found = contact(&a, &b, &mut ()).expect("they overlap");
        assert_eq!(found.feature_b, feature, "{at}");
        assert!((found.depth - 0.1).abs() < 1e-12, "{at}: {found:?}");
    }
}
