//! Shapes whose results are known by hand.

use glam::DVec3;
use hitstop::core::shape::{Capsule, Facing, Mesh, Plane, Segment, Shape, Triangle};
use std::sync::Arc;

pub fn at(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

pub fn ball(radius: f64) -> Shape {
    Shape::Sphere { radius }
}

pub fn cube() -> Shape {
    Shape::Box {
        half_extents: DVec3::ONE,
    }
}

/// In the plane y = 0, its front up.
pub fn floor(facing: Facing) -> Triangle {
    Triangle {
        a: at(-4.0, 0.0, -4.0),
        b: at(0.0, 0.0, 6.0),
        c: at(4.0, 0.0, -4.0),
        facing,
    }
}

pub fn mesh() -> Arc<Mesh> {
    let Triangle { a, b, c, .. } = floor(Facing::Both);
    let vertices = vec![a, b, c, a - DVec3::Y, b - DVec3::Y, c - DVec3::Y];
    Arc::new(Mesh::new(vertices, vec![[0, 1, 2], [3, 4, 5]], Facing::Both).unwrap())
}

pub fn segment() -> Segment {
    Segment {
        a: at(-1.0, 0.0, 0.0),
        b: at(1.0, 0.0, 0.0),
    }
}

pub fn rod() -> Shape {
    Shape::Capsule(Capsule {
        segment: segment(),
        radius: 0.25,
    })
}

pub fn ground() -> Shape {
    Shape::Plane(Plane {
        normal: DVec3::Y,
        offset: 0.0,
    })
}
