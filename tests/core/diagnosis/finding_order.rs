//! Which findings come first, and which are slight.

use crate::common::levels::{diagnosed, opened, scene_of};
use hitstop::core::diagnose::{Finding, Key, Kind};

/// A finding with evidence of its own.
fn with(kind: Kind, evidence: &[(Key, f64)]) -> Finding {
    let ball = "(name: \"ball\", shape: Sphere(radius: 0.1), position: (0.0, 1.0, 0.0), velocity: (0.0, -120.0, 0.0))";
    let floor = "(name: \"floor\", shape: Box(half_extents: (5.0, 0.05, 5.0)), motion: Fixed)";
    let fields = "dt: 0.0625, frames: 1, response: Ignore";
    let report = diagnosed(&opened("x.ron", scene_of(fields, &[ball, floor])));
    let mut found = report.findings[0].clone();
    found.kind = kind;
    found.evidence = evidence.to_vec();
    found
}

/// What has no position comes first, then what is let through, then what overlaps, then what is only reported wrong.
#[test]
fn kinds_are_ordered_by_their_harm() {
    let worst_first = [
        Kind::BadNumber,
        Kind::Tunnels,
        Kind::WrongSide,
        Kind::Sinks,
        Kind::CameraCrosses,
        Kind::Clips,
        Kind::StartsInside,
        Kind::Phantom,
    ];
    assert_eq!(worst_first.len(), Kind::ALL.len());
    let ranks: Vec<usize> = worst_first.into_iter().map(Kind::rank).collect();
    assert_eq!(ranks, (0..8).collect::<Vec<_>>());
}

/// The phases that miss and those that end on the wrong side are lost; without phases there is no share.
#[test]
fn lost_are_missed_phases_and_those_on_the_wrong_side() {
    let share = |evidence: &[(Key, f64)]| with(Kind::Tunnels, evidence).lost_share();
    let (missed, wrong) = (Key::PhaseMissedShare, Key::PhaseWrongSideShare);
    assert_eq!(share(&[(missed, 0.25), (wrong, 0.125)]), Some(0.375));
    assert_eq!(share(&[(missed, 0.25)]), Some(0.25));
    assert_eq!(share(&[(wrong, 0.25)]), None);
    assert_eq!(share(&[(Key::Depth, 0.25)]), None);
}

/// Slight is less than a tenth of the phases, or of the bodies' size: five times the allowed fiftieth of it.
#[test]
fn a_small_share_is_slight() {
    let missed = Key::PhaseMissedShare;
    let overlap = |depth: f64| [(Key::Depth, depth), (Key::AllowedDepth, 0.01)];
    type Values<'v> = &'v [(Key, f64)];
    let table: [(Kind, Values<'_>, bool); 8] = [
        (Kind::Tunnels, &[(missed, 0.09)], true),
        (Kind::Tunnels, &[(missed, 0.11)], false),
        (Kind::StartsInside, &overlap(0.015), true),
        (Kind::StartsInside, &overlap(0.049), true),
        (Kind::StartsInside, &overlap(0.051), false),
        (Kind::StartsInside, &[(Key::Depth, 0.01)], false),
        (Kind::Sinks, &overlap(0.015), false),
        (Kind::Phantom, &[], true),
    ];
    for (kind, evidence, expected) in table {
        assert_eq!(with(kind, evidence).is_slight(), expected, "{evidence:?}");
    }
}
