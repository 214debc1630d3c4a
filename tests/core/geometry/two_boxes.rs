//! Two boxes in every relation that has a branch of its own in the code: rotated freely, alike, by quarters, slightly, with one
//! centre, just touching, far out, flat and large.

use super::exact::placed::contact_placed;
use crate::common::random::Random;
use crate::common::rounds;
use glam::{DQuat, DVec3};
use hitstop::core::query::{Contact, Feature, Step, Steps, contact};
use hitstop::core::shape::{Obb, Placed};
use std::f64::consts::FRAC_PI_2;

fn of_boxes(a: &Obb, b: &Obb) -> Option<Contact> {
    contact_placed(&Placed::Obb(*a), &Placed::Obb(*b))
}

const KINDS: u64 = 10;

fn vector(seeded: &mut Random, least: f64, most: f64) -> DVec3 {
    let mut part = || seeded.range(least, most);
    DVec3::new(part(), part(), part())
}

fn quarters(seeded: &mut Random) -> DQuat {
    let mut turn = |axis| DQuat::from_axis_angle(axis, FRAC_PI_2 * seeded.below(4) as f64);
    turn(DVec3::X) * turn(DVec3::Y) * turn(DVec3::Z)
}

fn pair(seeded: &mut Random, kind: u64) -> [Obb; 2] {
    let [mut a, mut b] = [0, 1].map(|_| Obb {
        center: vector(seeded, -1.5, 1.5),
        half_extents: vector(seeded, 0.2, 1.0),
        rotation: DQuat::from_scaled_axis(vector(seeded, -3.0, 3.0)),
    });
    let in_halves = |value: DVec3| (value * 2.0).round() * 0.5;
    match kind {
        1 => b.rotation = a.rotation,
        2 => (a.rotation, b.rotation) = (quarters(seeded), quarters(seeded)),
        3 => {
            for body in [&mut a, &mut b] {
                body.rotation = DQuat::IDENTITY;
                body.center = in_halves(body.center);
                body.half_extents = in_halves(body.half_extents).max(DVec3::splat(0.5));
            }
        }
        4 => {
            let tilt = vector(seeded, -1.0, 1.0) * 10_f64.powf(seeded.range(-16.0, -4.0));
            b.rotation = DQuat::from_scaled_axis(tilt) * a.rotation * quarters(seeded);
        }
        5 => b.center = a.center,
        6 => {
            if let Some(contact) = of_boxes(&a, &b) {
                a.center += contact.push();
            }
        }
        7 => {
            let away = vector(seeded, -1.0, 1.0) * 10_f64.powf(seeded.range(1.0, 7.0));
            (a.center, b.center) = (a.center + away, b.center + away);
        }
        8 => (a.half_extents.x, b.half_extents.z) = (1e-5, 0.0),
        9 => a.half_extents *= 1e3,
        _ => {}
    }
    [a, b]
}

#[test]
fn tracing_two_boxes_changes_no_result() {
    let mut seeded = Random(17);
    let mut hits = [0; KINDS as usize];
    for round in 0..rounds(40_000) {
        let kind = round % KINDS;
        let [a, b] = pair(&mut seeded, kind);
        let mut steps = Steps::default();
        let plain = of_boxes(&a, &b);
        let traced = contact(&Placed::Obb(a), &Placed::Obb(b), &mut steps);
        assert_eq!(plain, traced, "{a:?} {b:?}");
        let separated = matches!(steps.0.last(), Some(Step::SeparatingAxis { .. }));
        assert_eq!(plain.is_none(), separated, "{a:?} {b:?}");
        hits[kind as usize] += u32::from(plain.is_some());
    }
    assert!(
        hits.iter()
            .all(|&hits| (rounds(200)..=rounds(4000)).contains(&hits)),
        "{hits:?}"
    );
}

/// Distance of a point from a feature of a box, by the feature's index alone.
fn from_part(body: &Obb, part: Feature, point: DVec3) -> f64 {
    let local = body.rotation.inverse() * (point - body.center);
    let side = |axis: usize, positive: bool| {
        let half = body.half_extents[axis];
        (local[axis] - if positive { half } else { -half }).abs()
    };
    let within = |axis: usize| (local[axis].abs() - body.half_extents[axis]).max(0.0);
    let worst = |parts: [f64; 3]| parts.into_iter().fold(0.0, f64::max);
    match part {
        Feature::Vertex(bits) => worst([0, 1, 2].map(|axis| side(axis, bits >> axis & 1 == 1))),
        Feature::Edge(number) => {
            let along = (number / 4) as usize;
            let mut others = (0..3).filter(|&axis| axis != along);
            let (first, second) = (others.next().unwrap(), others.next().unwrap());
            worst([
                within(along),
                side(first, number & 1 == 1),
                side(second, number & 2 == 2),
            ])
        }
        Feature::Face(number) => {
            let axis = (number / 2) as usize;
            let others = [within((axis + 1) % 3), within((axis + 2) % 3)];
            worst([side(axis, number % 2 == 1), others[0], others[1]])
        }
        Feature::Round => f64::INFINITY,
    }
}

#[test]
fn two_boxes_touch_on_the_reported_features() {
    let mut seeded = Random(18);
    let mut pairs_of_parts = [0; 3];
    for _ in 0..rounds(20_000) {
        let [a, b] = pair(&mut seeded, 0);
        let Some(contact) = of_boxes(&a, &b) else {
            continue;
        };
        let pushed = Obb {
            center: a.center + contact.push(),
            ..a
        };
        let away = from_part(&pushed, contact.feature_a, contact.point).max(from_part(
            &b,
            contact.feature_b,
            contact.point,
        ));
        assert!(away < 1e-10, "{away} {a:?} {b:?} {contact:?}");
        pairs_of_parts[match (contact.feature_a, contact.feature_b) {
            (Feature::Vertex(_), Feature::Face(_)) => 0,
            (Feature::Face(_), Feature::Vertex(_)) => 1,
            (Feature::Edge(_), Feature::Edge(_)) => 2,
            other => panic!("{other:?}"),
        }] += 1;
    }
    assert!(
        pairs_of_parts.iter().all(|&count| count > rounds(1000)),
        "{pairs_of_parts:?}"
    );
}
