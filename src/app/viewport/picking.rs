//! Picking: the object under the pointer by a ray cast; thin and small objects have a pick radius of a few points.

use super::ViewportInput;
use super::body_spheres::{BodySpheres, Near};
use super::section::{CutPlane, has_inside};
use super::view::{Projection, View};
use crate::core::query;
use crate::core::replay::ObjectId;
use crate::core::scene::Object;
use crate::core::shape::{Placed, Pose, Segment, Shape, Solid};
use glam::{DVec2, DVec3};

/// Distance within which a click picks a thin object, points.
const PICK_RADIUS: f64 = 6.0;
/// Width on the screen below which an object is thin, points.
const THIN: f64 = 12.0;

/// The object that a click at a screen position (points from the top left corner) picks, and the clicked point of its surface. What
/// `cut` cuts away is not picked.
pub fn pick(
    input: &ViewportInput<'_>,
    (view, spheres): (&View, &mut Option<BodySpheres>),
    at: DVec2,
    cut: Option<&CutPlane>,
) -> Option<(ObjectId, DVec3)> {
    if input.replay.objects().is_empty() || !at.is_finite() {
        return None;
    }
    let ray = view.ray(at, view.distance() * 1e4);
    let along = (ray.b - ray.a).try_normalize()?;
    let mut solid: Option<(ObjectId, f64)> = None;
    let mut thin: Vec<Thin> = Vec::new();
    spheres.take_if(|spheres| !spheres.is_of(input));
    let spheres = spheres.get_or_insert_with(|| BodySpheres::of(input));
    let length = (ray.b - ray.a).length();
    for Near { id, first, last } in spheres.near(view, (ray.a, along), 2.0 * PICK_RADIUS) {
        // All that follow are behind what is hit.
        if solid.is_some_and(|(_, nearest)| first > nearest) {
            break;
        }
        let Some((object, pose)) = present(input, id) else {
            continue;
        };
        let cut = cut.filter(|cut| cut.cuts(id));
        // A short ray meets fewer triangles of a mesh, and keeps more digits.
        let part = Segment {
            a: ray.a + along * first.clamp(0.0, length),
            b: ray.a + along * last.clamp(0.0, length),
        };
        let shown = cut.map_or(Some(part), |cut| cut.behind(&part));
        let hit = shown.and_then(|shown| {
            let hit = query::ray_cast(&shown, &object.shape, &pose)?;
            // From the inside of a cut body the cut surface is seen.
            Some(
                match hit.back && cut.is_some() && has_inside(&object.shape) {
                    true => shown.a,
                    false => shown.a + (shown.b - shown.a) * hit.fraction,
                },
            )
        });
        if let Some(hit) = hit {
            let distance = (hit - ray.a).length();
            let is_nearer = |(other, nearest)| (distance, id) < (nearest, other);
            if solid.is_none_or(is_nearer) {
                solid = Some((id, distance));
            }
        }
        let near = match (&object.shape, input.is_flat()) {
            (Shape::Mesh(_), true) => pick_chain(view, at, &object.shape, &pose),
            (shape, _) => pick_thin(view, at, &shape.placed(&pose)),
        };
        if let Some((off, point)) = near
            && off <= PICK_RADIUS
            && cut.is_none_or(|cut| cut.shows(point))
        {
            thin.push(Thin { id, off, point });
        }
    }
    // A thin object is picked in front of a solid one, not behind it.
    let in_front = thin.into_iter().filter(|thin| {
        let depth = depth(view, thin.point);
        solid.is_none_or(|(_, nearest)| depth <= nearest)
    });
    let order =
        |one: &Thin, other: &Thin| one.off.total_cmp(&other.off).then(one.id.cmp(&other.id));
    match (in_front.min_by(order), solid) {
        (Some(thin), _) => Some((thin.id, thin.point)),
        (None, Some((solid, depth))) => Some((solid, ray.a + along * depth)),
        (None, None) => None,
    }
}

/// A thin object near the pointer.
struct Thin {
    id: ObjectId,
    /// Distance to the pointer, points.
    off: f64,
    /// Its nearest point, world.
    point: DVec3,
}

/// Distance of a point along the ray through it, metres.
fn depth(view: &View, point: DVec3) -> f64 {
    match view.projection {
        Projection::Perspective { .. } => (point - view.eye).length(),
        // An orthographic ray starts far behind the eye.
        Projection::Orthographic { .. } => view.distance() * 1e4 - view.to_view(point).z,
    }
}

/// An object with its pose, if it is drawn and not locked.
fn present<'m>(input: &'m ViewportInput<'_>, id: ObjectId) -> Option<(&'m Object, Pose)> {
    let object = input.replay.objects().get(id as usize)?;
    let shown = input.shows_body(id) && !input.visibility.locks(id);
    Some((object, input.pose(id)?)).filter(|_| shown)
}

/// Distance from the pointer to a thin shape, points, and its nearest point, world; `None` for shapes that are not thin.
fn pick_thin(view: &View, at: DVec2, placed: &Placed<'_>) -> Option<(f64, DVec3)> {
    let size = |point: DVec3, metres: f64| metres / view.metres_per_point(point);
    match placed {
        Placed::Sphere(sphere) => {
            let radius = size(sphere.center, sphere.radius);
            (radius * 2.0 < THIN).then_some(())?;
            let off = (view.project(sphere.center)? - at).length() - radius;
            Some((off.max(0.0), sphere.center))
        }
        Placed::Segment(segment) => distance_to_line(view, at, segment.a, segment.b),
        Placed::Capsule(capsule) => {
            let center = (capsule.segment.a + capsule.segment.b) * 0.5;
            let radius = size(center, capsule.radius);
            (radius * 2.0 < THIN).then_some(())?;
            let (off, point) = distance_to_line(view, at, capsule.segment.a, capsule.segment.b)?;
            Some(((off - radius).max(0.0), point))
        }
        Placed::Obb(obb) => {
            let mut halves = obb.half_extents.to_array();
            halves.sort_by(f64::total_cmp);
            // A rod, or a sheet, which may be seen from its edge.
            (size(obb.center, halves[0]) * 2.0 < THIN).then_some(())?;
            (!fast_reject_edges(view, at, obb.center, obb.half_extents.length())).then_some(())?;
            let corners = obb.corners();
            let edges = (0..8).flat_map(|i| (0..3).map(move |bit| (i, i | 1 << bit)));
            edges
                .filter(|(i, j)| i != j)
                .filter_map(|(i, j)| distance_to_line(view, at, corners[i], corners[j]))
                .min_by(|one, two| one.0.total_cmp(&two.0))
        }
        Placed::Solid(solid, pose) => {
            (size(pose.position, solid.inner_radius()) * 2.0 < THIN).then_some(())?;
            let lines = solid.outline().into_iter();
            lines
                .filter_map(|[a, b]| distance_to_line(view, at, pose.point(a), pose.point(b)))
                .min_by(|one, two| one.0.total_cmp(&two.0))
        }
        Placed::Triangle(triangle) => [
            (triangle.a, triangle.b),
            (triangle.b, triangle.c),
            (triangle.c, triangle.a),
        ]
        .into_iter()
        .filter_map(|(a, b)| distance_to_line(view, at, a, b))
        .min_by(|one, two| one.0.total_cmp(&two.0)),
        Placed::Compound(compound, pose) => compound
            .placed(pose)
            .filter_map(|part| pick_thin(view, at, &part))
            .min_by(|one, two| one.0.total_cmp(&two.0)),
        Placed::Plane(_) | Placed::Mesh(..) => None,
    }
}

/// The same of a chain of a flat level, which is seen from its edge.
fn pick_chain(view: &View, at: DVec2, shape: &Shape, pose: &Pose) -> Option<(f64, DVec3)> {
    let placed = |point: DVec2| pose.point(point.extend(0.0));
    let (segments, _) = shape.chain_segments();
    segments
        .into_iter()
        .filter_map(|[a, b]| distance_to_line(view, at, placed(a), placed(b)))
        .min_by(|one, two| one.0.total_cmp(&two.0))
}

/// Returns true if everything inside a sphere is certainly farther from the pointer than the pick radius.
fn fast_reject_edges(view: &View, at: DVec2, center: DVec3, radius: f64) -> bool {
    // Perspective stretches without bound near the eye; beyond four radii by at most (1 + tan 35 deg) / (1 - 1/4).
    let (depth, stretch) = (-view.to_view(center).z, 2.5);
    if matches!(view.projection, Projection::Perspective { .. }) && depth < radius * 4.0 {
        return false;
    }
    let limit = radius / view.metres_per_point(center) * stretch + PICK_RADIUS;
    view.project(center)
        .is_some_and(|center| (center - at).length() > limit)
}

/// Distance from the pointer to a world segment, points, and its nearest point, by the fraction along it on the screen.
fn distance_to_line(view: &View, at: DVec2, a: DVec3, b: DVec3) -> Option<(f64, DVec3)> {
    let (p, q) = (view.project(a)?, view.project(b)?);
    let along = q - p;
    let square = along.length_squared();
    let fraction = if square > 0.0 {
        ((at - p).dot(along) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    Some(((p + along * fraction - at).length(), a.lerp(b, fraction)))
}

#[cfg(test)]
mod tests {
    use super::super::orbit::Orbit;
    use super::*;
    use crate::app::selection::Selection;
    use crate::app::test_levels::{level, sphere, wall};
    use crate::app::view_state::Layers;
    use crate::core::shape::{Obb, Sphere};
    use crate::random::{Random, rounds};

    const SIZE: DVec2 = DVec2::new(900.0, 600.0);

    fn view() -> View {
        Orbit {
            yaw: 0.0,
            pitch: 0.0,
            distance: 10.0,
            ..Orbit::default()
        }
        .view(SIZE)
    }

    #[test]
    fn only_a_small_sphere_has_a_pick_radius() {
        let view = view();
        let center = DVec3::new(1.0, 0.5, 0.0);
        let at = view.project(center).expect("in front") + DVec2::new(4.0, 0.0);
        let ball = |radius| Placed::Sphere(Sphere { center, radius });
        let (off, point) = pick_thin(&view, at, &ball(0.001)).expect("thin");
        assert!(off > 3.0 && off < 4.0 && point == center);
        assert_eq!(pick_thin(&view, at, &ball(1.0)), None);
    }

    #[test]
    fn distance_to_a_line_is_that_of_its_nearest_point() {
        let view = view();
        let (a, b) = (DVec3::new(-1.0, 0.0, 0.0), DVec3::new(1.0, 0.0, 0.0));
        let at = SIZE * 0.5 + DVec2::new(0.0, 5.0);
        let (off, point) = distance_to_line(&view, at, a, b).expect("in front");
        assert!((off - 5.0).abs() < 1e-9 && point.length() < 1e-9);
        let end = view.project(b).expect("in front") + DVec2::new(3.0, 4.0);
        let (off, point) = distance_to_line(&view, end, a, b).expect("in front");
        assert!((off - 5.0).abs() < 1e-9 && point == b);
    }

    #[test]
    fn the_fast_reject_drops_no_edge_near_the_pointer() {
        let mut seed = 11_u64;
        let mut unit = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 40) as f64 / (1_u64 << 24) as f64
        };
        let mut far = 0;
        for perspective in [true, false] {
            let view = Orbit {
                distance: 10.0,
                orthographic: !perspective,
                ..Orbit::default()
            }
            .view(SIZE);
            for _ in 0..4000 {
                let mut point = || DVec3::new(unit(), unit(), unit()) * 16.0 - DVec3::splat(8.0);
                let (center, half) = (point(), point() * 0.1);
                let obb = Obb {
                    center,
                    half_extents: half.abs(),
                    rotation: glam::DQuat::from_scaled_axis(point()),
                };
                let at = DVec2::new(unit(), unit()) * SIZE;
                if !fast_reject_edges(&view, at, center, half.length()) {
                    continue;
                }
                far += 1;
                let corners = obb.corners();
                for i in 0..8 {
                    for j in 0..i {
                        let off = distance_to_line(&view, at, corners[i], corners[j]);
                        assert!(off.is_none_or(|(off, _)| off > PICK_RADIUS));
                    }
                }
            }
        }
        assert!(far > 2000, "{far}");
    }

    #[test]
    fn looking_near_the_pointer_picks_what_looking_at_all_picks() {
        let mut hits = 0;
        for seed in 0..rounds(200) {
            let mut random = Random(seed);
            // Far from the origin, where `f32` is coarse, and around the eye.
            let middle = random.point(if seed % 2 == 0 { 1.0 } else { 1e6 });
            let objects = (0..60).map(|index| {
                let half = random.point(0.5).abs() + DVec3::splat(0.01);
                let at = middle + random.point(4.0);
                match index % 3 {
                    0 => sphere("", half.x, at, DVec3::ZERO),
                    1 => wall("", half, at),
                    _ => wall("", half * DVec3::new(0.01, 1.0, 1.0), at),
                }
            });
            let replay = level(0.5, objects.collect::<Vec<_>>());
            let (selection, layers) = (Selection::default(), Layers::default());
            let frame = replay.frame(0);
            let input = ViewportInput::of_level(&replay, &frame, &selection, &layers);
            let view = Orbit {
                target: middle,
                distance: 10.0,
                orthographic: seed % 3 == 0,
                ..Orbit::default()
            }
            .view(SIZE);
            let mut all = Some(BodySpheres::unbounded(&input));
            let mut few = None;
            for _ in 0..20 {
                let at = DVec2::new(random.range(0.0, SIZE.x), random.range(0.0, SIZE.y));
                let expected = pick(&input, (&view, &mut all), at, None);
                let picked = pick(&input, (&view, &mut few), at, None);
                let ids = [picked, expected].map(|it| it.map(|(id, _)| id));
                assert_eq!(ids[0], ids[1], "seed {seed}");
                if let (Some((_, one)), Some((_, other))) = (picked, expected) {
                    let rounding = 1e-12 * (middle.length() + view.distance() * 1e4);
                    assert!(one.distance(other) <= rounding, "seed {seed}");
                    hits += 1;
                }
            }
        }
        assert!(hits > 40, "{hits}");
    }

    #[test]
    fn a_sheet_seen_from_its_edge_is_thin() {
        let sheet = Placed::Obb(Obb {
            center: DVec3::ZERO,
            half_extents: DVec3::new(0.005, 1.0, 1.0),
            rotation: glam::DQuat::IDENTITY,
        });
        let (off, _) = pick_thin(&view(), SIZE * 0.5 + DVec2::new(3.0, 0.0), &sheet).expect("thin");
        assert!(off < PICK_RADIUS);
    }
}
