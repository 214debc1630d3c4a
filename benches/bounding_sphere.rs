//! Bounding spheres of points, per point, against parry's centroid sphere, and the smallest against the miniball crate's.

use glam::DVec3;
use glam_parry::Vec3;
use hitstop::core::bounds::{
    bounding_sphere_centroid, bounding_sphere_ritter, bounding_sphere_smallest,
};
use hitstop_benches::{Seeded, contestant, race};
use miniball::nalgebra::Point3;
use miniball::{Ball, Enclosing};
use parry3d::bounding_volume::details::point_cloud_bounding_sphere;
use std::collections::VecDeque;

fn main() {
    for count in [1_000, 100_000] {
        let mut seeded = Seeded::new(7);
        let points: Vec<DVec3> = (0..count).map(|_| seeded.vector(10.0)).collect();
        let singles: Vec<Vec3> = points
            .iter()
            .map(|p| Vec3::new(p.x as f32, p.y as f32, p.z as f32))
            .collect();
        let theirs = point_cloud_bounding_sphere(&singles).radius;
        let ours = bounding_sphere_smallest(&points).map_or(f64::NAN, |sphere| sphere.radius);
        let title = format!(
            "Bounding spheres of {count} points, per point (radius {theirs:.4}, ours smallest {ours:.4})"
        );
        race(
            &title,
            count,
            3.0,
            vec![
                contestant("parry: centroid", None, || {
                    f64::from(point_cloud_bounding_sphere(&singles).radius)
                }),
                contestant("ours: centroid", None, || {
                    bounding_sphere_centroid(&points).map_or(0.0, |s| s.radius)
                }),
                contestant("ours: Ritter", None, || {
                    bounding_sphere_ritter(&points).map_or(0.0, |s| s.radius)
                }),
                contestant("ours: smallest", Some(0.25), || {
                    bounding_sphere_smallest(&points).map_or(0.0, |s| s.radius)
                }),
            ],
        );
        let queue: VecDeque<Point3<f64>> =
            points.iter().map(|p| Point3::new(p.x, p.y, p.z)).collect();
        race(
            &format!("Smallest spheres of {count} points, per point"),
            count,
            3.0,
            vec![
                contestant("miniball crate", None, || {
                    // It reorders the points, so each run gets a copy.
                    Ball::enclosing_points(&mut queue.clone()).radius_squared
                }),
                contestant(
                    "ours: smallest",
                    (count == 100_000).then_some(100.0),
                    || bounding_sphere_smallest(&points).map_or(0.0, |s| s.radius),
                ),
            ],
        );
    }
}
