//! The bodies of the matrix: about 0.4 m wide, with the lengths that its truth needs.

use super::log::array;
use serde_json::{Value, json};

/// A body, in metres. Its shape is as high above its origin as below it.
pub struct Mover {
    pub name: &'static str,
    pub shape: Value,
    /// Height above and below its origin.
    pub height: f64,
    /// Half its width along x and z.
    pub side: f64,
    /// Half the length of the face that it stands on; 0 for a point.
    pub foot: f64,
    /// Radius of the largest ball inside it; of a compound, inside a part of it.
    pub inner: f64,
    /// A turn about the vertical axis gives the same solid.
    pub is_round: bool,
}

fn flat(name: &'static str, shape: Value) -> Mover {
    Mover {
        name,
        shape,
        height: 0.2,
        side: 0.2,
        foot: 0.2,
        inner: 0.2,
        is_round: false,
    }
}

fn octahedron() -> Mover {
    let corner = |axis: usize, sign: f64| {
        let mut point = [0.0; 3];
        point[axis] = 0.2 * sign;
        array(point)
    };
    let corners = (0..3).flat_map(|axis| [corner(axis, 1.0), corner(axis, -1.0)]);
    let points: Vec<Value> = corners.collect();
    Mover {
        foot: 0.0,
        inner: 0.2 / 3f64.sqrt(),
        ..flat("hull", json!({"convex_hull": {"points": points}}))
    }
}

fn compound() -> Mover {
    let half = |x: f64| json!({"shape": {"box": {"half_extents": [0.1, 0.2, 0.2]}}, "position": [x, 0.0, 0.0]});
    Mover {
        inner: 0.1,
        ..flat("compound", json!({"compound": [half(-0.1), half(0.1)]}))
    }
}

/// The bodies of flat levels.
pub fn flat_movers() -> Vec<Mover> {
    let half =
        |x: f64| json!({"shape": {"box": {"half_extents": [0.1, 0.2]}}, "position": [x, 0.0]});
    vec![
        Mover {
            foot: 0.0,
            is_round: true,
            ..flat("circle", json!({"circle": {"radius": 0.2}}))
        },
        flat("flat box", json!({"box": {"half_extents": [0.2, 0.2]}})),
        Mover {
            foot: 0.15,
            ..flat(
                "flat rounded box",
                json!({"box": {"half_extents": [0.15, 0.15], "radius": 0.05}}),
            )
        },
        Mover {
            height: 0.25,
            side: 0.1,
            foot: 0.0,
            inner: 0.1,
            ..flat(
                "flat capsule",
                json!({"capsule": {"half_height": 0.15, "radius": 0.1}}),
            )
        },
        Mover {
            foot: 0.0,
            inner: 0.2 / 2f64.sqrt(),
            ..flat(
                "polygon",
                json!({"polygon": {"points": [[0.2, 0.0], [0.0, 0.2], [-0.2, 0.0], [0.0, -0.2]]}}),
            )
        },
        Mover {
            inner: 0.1,
            ..flat(
                "flat compound",
                json!({"compound": [half(-0.1), half(0.1)]}),
            )
        },
    ]
}

pub fn movers() -> Vec<Mover> {
    let casing = json!({"half_height": 0.2, "radius": 0.2});
    vec![
        Mover {
            foot: 0.0,
            is_round: true,
            ..flat("sphere", json!({"sphere": {"radius": 0.2}}))
        },
        flat("box", json!({"box": {"half_extents": [0.2, 0.2, 0.2]}})),
        Mover {
            foot: 0.15,
            ..flat(
                "rounded box",
                json!({"box": {"half_extents": [0.15, 0.15, 0.15], "radius": 0.05}}),
            )
        },
        Mover {
            height: 0.25,
            side: 0.1,
            foot: 0.0,
            inner: 0.1,
            is_round: true,
            ..flat(
                "capsule",
                json!({"capsule": {"half_height": 0.15, "radius": 0.1}}),
            )
        },
        Mover {
            is_round: true,
            ..flat("cylinder", json!({"cylinder": casing}))
        },
        Mover {
            // Of a triangle of base 0.4 and height 0.4: twice its area over its circumference.
            inner: 0.16 / (0.4 + 2.0 * 0.2f64.hypot(0.4)),
            is_round: true,
            ..flat("cone", json!({"cone": casing}))
        },
        octahedron(),
        compound(),
    ]
}
