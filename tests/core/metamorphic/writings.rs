//! Other ways to write a box.

use super::solid::{Sheet, Solid, corners};
use glam::{DQuat, DVec3};

/// A rounded box of the same size.
pub fn tiny_radius(half: DVec3) -> Solid {
    let radius = 1e-9 * half.min_element();
    Solid::Box {
        half: half - radius,
        radius,
    }
}

/// A compound of one part.
pub fn alone(half: DVec3) -> Solid {
    Solid::Compound(vec![(
        Solid::Box { half, radius: 0.0 },
        DVec3::ZERO,
        DQuat::IDENTITY,
    )])
}

/// A compound of two parts beside each other.
pub fn halves(half: DVec3) -> Solid {
    let by = DVec3::X * 0.5 * half.x;
    let part = |at: DVec3| {
        (
            Solid::Box {
                half: half - by,
                radius: 0.0,
            },
            at,
            DQuat::IDENTITY,
        )
    };
    Solid::Compound(vec![part(-by), part(by)])
}

/// Twelve triangles.
pub fn closed(half: DVec3, front: bool) -> Sheet {
    // Corner numbers have a bit for each positive axis; each side counter-clockwise seen from outside.
    let sides = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let triangles = sides
        .into_iter()
        .flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    Sheet {
        vertices: corners(half),
        triangles: triangles.collect(),
        front,
    }
}
