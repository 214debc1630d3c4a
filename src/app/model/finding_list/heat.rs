//! Where the listed findings are: their numbers by cells of space.

use crate::core::diagnose::Finding;
use crate::core::replay::{ObjectId, Replay};
use crate::core::shape::{Aabb, Mesh, Pose, Shape, Triangle};
use glam::DVec3;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// Most cells; those with the most findings are kept.
const MOST: usize = 600;
/// Most triangles that are tinted.
const MOST_TRIANGLES: usize = 50_000;
/// Most triangles that are looked at.
const MOST_VISITS: usize = 5_000_000;
/// Cells along the longest side of the box around the findings.
const CELLS: f64 = 24.0;

/// The numbers of findings by place.
#[derive(Debug, Default, PartialEq)]
pub struct HeatMap {
    /// Edge of a cell, metres.
    pub cell: f64,
    /// The most first.
    pub places: Vec<HeatPlace>,
    /// Triangles of meshes with findings within half a cell of their centres, ascending.
    pub triangles: Vec<HeatTriangle>,
}

/// A triangle of a mesh near findings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatTriangle {
    /// The mesh's object.
    pub object: ObjectId,
    /// Its number in the mesh.
    pub triangle: u32,
    /// The number of findings near it.
    pub count: usize,
}

/// A finding that counts.
pub struct HeatPoint<'m> {
    /// World, metres.
    pub point: DVec3,
    /// The mesh on which it is, with its pose.
    pub mesh: Option<(ObjectId, &'m Mesh, Pose)>,
}

impl<'m> HeatPoint<'m> {
    /// Of a finding.
    pub fn of(finding: &Finding, replay: &'m Replay) -> Self {
        let ids = [finding.object_b, finding.object_a].into_iter().flatten();
        let mesh = ids.into_iter().find_map(|id| {
            let object = replay.objects().get(id as usize)?;
            match &object.shape {
                Shape::Mesh(mesh) => Some((id, &**mesh, replay.body(finding.frame, id)?.pose)),
                _ => None,
            }
        });
        Self {
            point: finding.point.into(),
            mesh,
        }
    }
}

/// A cell with findings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HeatPlace {
    /// The mean of their points, world, metres.
    pub center: DVec3,
    /// The number of findings.
    pub count: usize,
    /// All of them are on a mesh, whose triangles show it.
    pub is_on_mesh: bool,
}

impl HeatMap {
    /// The places of findings. Points that are not finite are left out.
    pub fn of<'m>(findings: impl Iterator<Item = HeatPoint<'m>>) -> Self {
        let findings: Vec<HeatPoint<'_>> = findings
            .filter(|finding| finding.point.is_finite())
            .collect();
        let points = || findings.iter().map(|finding| finding.point);
        let bounds = |(low, high): (DVec3, DVec3), point: DVec3| (low.min(point), high.max(point));
        let (low, high) = points().fold((DVec3::INFINITY, DVec3::NEG_INFINITY), bounds);
        let extent = (high - low).max_element();
        if !(extent > 0.0 && extent.is_finite()) {
            return Self::default();
        }
        let cell = extent / CELLS;
        let mut sums: HashMap<[i32; 3], (DVec3, usize, usize)> = HashMap::new();
        for HeatPoint { point, mesh } in &findings {
            let key = ((point - low) / cell).to_array().map(|at| at as i32);
            let (sum, count, on_mesh) = sums.entry(key).or_default();
            *sum += point - low;
            *count += 1;
            *on_mesh += usize::from(mesh.is_some());
        }
        let places = sums.into_values().map(|(sum, count, on_mesh)| HeatPlace {
            center: low + sum / count as f64,
            count,
            is_on_mesh: on_mesh == count,
        });
        let mut places: Vec<HeatPlace> = places.collect();
        // The same order in each run.
        places.sort_by(|one, other| {
            let place = one.center.to_array().partial_cmp(&other.center.to_array());
            let most = Reverse(one.count).cmp(&Reverse(other.count));
            most.then(place.unwrap_or(std::cmp::Ordering::Equal))
        });
        places.truncate(MOST);
        Self {
            cell,
            places,
            triangles: triangles(&findings, 0.5 * cell),
        }
    }
}

/// The triangles with findings within a distance of their centres.
fn triangles(findings: &[HeatPoint<'_>], within: f64) -> Vec<HeatTriangle> {
    let mut counts: BTreeMap<(ObjectId, u32), usize> = BTreeMap::new();
    let mut visits = 0;
    for HeatPoint { point, mesh } in findings {
        let Some((object, mesh, pose)) = mesh.filter(|_| visits < MOST_VISITS) else {
            continue;
        };
        let local = pose.point_to_local(*point);
        let around = Aabb {
            min: local,
            max: local,
        };
        mesh.for_each_in(&around.grown(within), &mut |index| {
            visits += 1;
            let Triangle { a, b, c, .. } = mesh.triangle(index);
            // A large one has its centre farther away than all that is on it.
            let reach = within.max(a.distance(b).max(b.distance(c)).max(c.distance(a)));
            if ((a + b + c) / 3.0).distance(local) <= reach {
                *counts.entry((object, index)).or_default() += 1;
            }
        });
    }
    let triangles = counts
        .into_iter()
        .map(|((object, triangle), count)| HeatTriangle {
            object,
            triangle,
            count,
        });
    triangles.take(MOST_TRIANGLES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::shape::Facing;

    #[test]
    fn points_are_counted_by_place() {
        let near = |x: f64| DVec3::new(x, 2.0, -1.0);
        let points = [near(0.0), near(24.0), near(0.25), near(0.5), DVec3::NAN];
        let free = |point: DVec3| HeatPoint { point, mesh: None };
        let heat = HeatMap::of(points.into_iter().map(free));
        assert_eq!(heat.cell, 1.0);
        let places: Vec<_> = heat
            .places
            .iter()
            .map(|one| (one.center, one.count))
            .collect();
        assert_eq!(places, [(near(0.25), 3), (near(24.0), 1)]);
        // All in one point: there is no scale.
        let one = [near(1.0); 3].into_iter().map(free);
        assert!(HeatMap::of(one).places.is_empty());
    }

    /// A floor of two rows of squares, a metre wide, which lies 10 m aside: two findings in the first square and one in the last.
    #[test]
    fn triangles_near_findings_are_counted() {
        let vertices = (0..=24).flat_map(|x| [0.0, 1.0].map(|z| DVec3::new(f64::from(x), 0.0, z)));
        let triangles = (0..24).flat_map(|x| {
            let [a, b, c, d] = [2 * x, 2 * x + 1, 2 * x + 2, 2 * x + 3];
            [[a, b, c], [c, b, d]]
        });
        let mesh =
            Mesh::new(vertices.collect(), triangles.collect(), Facing::Both).expect("a floor");
        let pose = Pose::at(DVec3::X * 10.0);
        let at = |x: f64| HeatPoint {
            point: DVec3::new(10.0 + x, 0.0, 0.5),
            mesh: Some((7, &mesh, pose)),
        };
        let heat = HeatMap::of([at(0.0), at(0.2), at(24.0)].into_iter());
        assert_eq!(heat.cell, 1.0);
        let count = |triangle: u32| {
            let found = heat.triangles.iter().find(|it| it.triangle == triangle);
            found.map(|it| (it.object, it.count))
        };
        assert_eq!(count(0), Some((7, 2)));
        assert_eq!(count(47), Some((7, 1)));
        assert_eq!(count(20), None);
        assert!(heat.places.iter().all(|place| place.is_on_mesh));
    }
}
