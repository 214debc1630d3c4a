//! Exact orientation: on which side of a plane or line something lies, right to the last bit (Shewchuk 1997, by the crate `robust`).

use crate::core::shape::Triangle;
use glam::DVec3;
use robust::Coord3D;

fn coordinates(DVec3 { x, y, z }: DVec3) -> Coord3D<f64> {
    Coord3D { x, y, z }
}

/// Six times the signed volume of a tetrahedron: positive where `d` is on the side from which a, b, c appear counter-clockwise. The
/// sign is exact; the size is good to rounding.
#[inline]
pub(crate) fn volume(a: DVec3, b: DVec3, c: DVec3, d: DVec3) -> f64 {
    let [a, b, c, d] = [a, b, c, d].map(coordinates);
    -robust::orient3d(a, b, c, d)
}

/// How far a point is in front of a triangle's plane, times twice the triangle's area; the sign is exact.
#[inline]
pub(crate) fn height(point: DVec3, triangle: &Triangle) -> f64 {
    volume(triangle.a, triangle.b, triangle.c, point)
}
