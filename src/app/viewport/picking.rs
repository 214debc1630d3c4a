//! Which object is under the cursor: exactly, by the core's own ray; thin and small things get a few points of kindness.

use super::ViewportInput;
use super::view::{Projection, View};
use crate::app::view_state::Layer;
use crate::core::bounds::bounding_sphere;
use crate::core::query;
use crate::core::replay::ObjectId;
use crate::core::scene::Object;
use crate::core::shape::{Placed, Pose, Segment};
use glam::{DVec2, DVec3};

/// How far beside a thin thing a click still means it, points.
const KINDNESS: f64 = 6.0;
/// What appears narrower than this is thin, points.
const THIN: f64 = 12.0;

/// The object that a click at a place (points from the top left corner) means.
pub fn pick(input: &ViewportInput<'_>, view: &View, at: DVec2) -> Option<ObjectId> {
    if input.replay.objects().is_empty() || !at.is_finite() {
        return None;
    }
    let ray = view.ray(at, view.distance() * 1e4);
    let along = (ray.b - ray.a).try_normalize()?;
    let reach = (ray.b - ray.a).length();
    let mut solid: Option<(ObjectId, f64)> = None;
    let mut thin: Option<(ObjectId, f64, f64)> = None;
    for (id, object, pose) in present(input) {
        if is_off(view, (&ray, along), object, &pose) {
            continue;
        }
        if let Some(hit) = query::ray_cast(&ray, &object.shape, &pose) {
            let away = hit.fraction * reach;
            if solid.is_none_or(|(_, nearest)| away < nearest) {
                solid = Some((id, away));
            }
        }
        if let Some((off, place)) = beside(view, at, &object.shape.placed(&pose))
            && off <= KINDNESS
            && thin.is_none_or(|(_, nearest, _)| off < nearest)
        {
            thin = Some((id, off, depth(view, place)));
        }
    }
    match (solid, thin) {
        // A thin thing in front of a wall is meant, one behind it is not.
        (Some((solid, depth)), Some((thin, _, away))) => {
            Some(if away <= depth { thin } else { solid })
        }
        (Some((id, _)), None) | (None, Some((id, ..))) => Some(id),
        (None, None) => None,
    }
}

/// Returns true if an object's bounding sphere is farther from the ray than a click reaches.
fn is_off(view: &View, (ray, along): (&Segment, DVec3), object: &Object, pose: &Pose) -> bool {
    bounding_sphere(&object.shape).is_some_and(|sphere| {
        let center = pose.point(sphere.center);
        let off = (center - ray.a).cross(along).length();
        // Its near side is nearer to the eye than its centre, where a point of the screen is less.
        off > sphere.radius * 1.1 + 2.0 * KINDNESS * view.metres_per_point(center)
    })
}

/// How far along the ray through it a place is, metres.
fn depth(view: &View, place: DVec3) -> f64 {
    match view.projection {
        Projection::Perspective { .. } => (place - view.eye).length(),
        // The ray of an orthographic view begins far behind the eye.
        Projection::Orthographic { .. } => view.distance() * 1e4 - view.to_view(place).z,
    }
}

/// Everyone who is drawn and present.
fn present<'m>(input: &'m ViewportInput<'_>) -> impl Iterator<Item = (ObjectId, &'m Object, Pose)> {
    let objects = input.replay.objects().iter().enumerate();
    objects.filter_map(move |(index, object)| {
        let id = index as ObjectId;
        let drawn = input
            .layers
            .shows(Layer::Shapes, input.selection.contains(id));
        let pose = input.pose(id)?;
        drawn.then_some((id, object, pose))
    })
}

/// How many points a thin shape is beside the cursor, and its nearest place; `None` for what is large enough to be hit.
fn beside(view: &View, at: DVec2, placed: &Placed<'_>) -> Option<(f64, DVec3)> {
    let size = |place: DVec3, metres: f64| metres / view.metres_per_point(place);
    match placed {
        Placed::Sphere(sphere) => {
            let radius = size(sphere.center, sphere.radius);
            (radius * 2.0 < THIN).then_some(())?;
            let off = (view.project(sphere.center)? - at).length() - radius;
            Some((off.max(0.0), sphere.center))
        }
        Placed::Segment(segment) => line(view, at, segment.a, segment.b),
        Placed::Capsule(capsule) => {
            let middle = (capsule.segment.a + capsule.segment.b) * 0.5;
            let radius = size(middle, capsule.radius);
            (radius * 2.0 < THIN).then_some(())?;
            let (off, place) = line(view, at, capsule.segment.a, capsule.segment.b)?;
            Some(((off - radius).max(0.0), place))
        }
        Placed::Obb(obb) => {
            let mut halves = obb.half_extents.to_array();
            halves.sort_by(f64::total_cmp);
            // Thin in two directions is a rod, thin in one is a sheet seen from its edge.
            (size(obb.center, halves[0]) * 2.0 < THIN).then_some(())?;
            (!is_far(view, at, obb.center, obb.half_extents.length())).then_some(())?;
            let corners = obb.corners();
            let edges = (0..8).flat_map(|i| (0..3).map(move |bit| (i, i | 1 << bit)));
            edges
                .filter(|(i, j)| i != j)
                .filter_map(|(i, j)| line(view, at, corners[i], corners[j]))
                .min_by(|one, two| one.0.total_cmp(&two.0))
        }
        Placed::Solid(solid, pose) => {
            (size(pose.position, solid.inner_radius()) * 2.0 < THIN).then_some(())?;
            let lines = solid.outline().into_iter();
            lines
                .filter_map(|[a, b]| line(view, at, pose.point(a), pose.point(b)))
                .min_by(|one, two| one.0.total_cmp(&two.0))
        }
        Placed::Triangle(triangle) => [
            (triangle.a, triangle.b),
            (triangle.b, triangle.c),
            (triangle.c, triangle.a),
        ]
        .into_iter()
        .filter_map(|(a, b)| line(view, at, a, b))
        .min_by(|one, two| one.0.total_cmp(&two.0)),
        Placed::Compound(compound, pose) => compound
            .placed(pose)
            .filter_map(|part| beside(view, at, &part))
            .min_by(|one, two| one.0.total_cmp(&two.0)),
        Placed::Plane(_) | Placed::Mesh(..) => None,
    }
}

/// Is a thing, a ball of it around a place, surely farther from the cursor than kindness reaches? Most are, in a crowd.
fn is_far(view: &View, at: DVec2, center: DVec3, radius: f64) -> bool {
    // Near the eye perspective stretches without bound; from four radii on by (1 + tan 35 deg) / (1 - 1/4) at most.
    let (depth, stretch) = (-view.to_view(center).z, 2.5);
    if matches!(view.projection, Projection::Perspective { .. }) && depth < radius * 4.0 {
        return false;
    }
    let reach = radius / view.metres_per_point(center) * stretch + KINDNESS;
    view.project(center)
        .is_some_and(|place| (place - at).length() > reach)
}

/// How many points a world line is beside the cursor, and its nearest place (by the screen's share along it).
fn line(view: &View, at: DVec2, a: DVec3, b: DVec3) -> Option<(f64, DVec3)> {
    let (p, q) = (view.project(a)?, view.project(b)?);
    let along = q - p;
    let square = along.length_squared();
    let share = if square > 0.0 {
        ((at - p).dot(along) / square).clamp(0.0, 1.0)
    } else {
        0.0
    };
    Some(((p + along * share - at).length(), a.lerp(b, share)))
}

#[cfg(test)]
mod tests {
    use super::super::orbit::Orbit;
    use super::*;
    use crate::core::shape::{Obb, Sphere};

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
    fn a_speck_is_hit_beside_itself_a_large_ball_is_not() {
        let view = view();
        let center = DVec3::new(1.0, 0.5, 0.0);
        let at = view.project(center).expect("in front") + DVec2::new(4.0, 0.0);
        let ball = |radius| Placed::Sphere(Sphere { center, radius });
        let (off, place) = beside(&view, at, &ball(0.001)).expect("a speck is thin");
        assert!(off > 3.0 && off < 4.0 && place == center);
        assert_eq!(beside(&view, at, &ball(1.0)), None);
    }

    #[test]
    fn a_line_is_as_far_as_its_nearest_place() {
        let view = view();
        let (a, b) = (DVec3::new(-1.0, 0.0, 0.0), DVec3::new(1.0, 0.0, 0.0));
        let (off, place) = line(&view, SIZE * 0.5 + DVec2::new(0.0, 5.0), a, b).expect("in front");
        assert!((off - 5.0).abs() < 1e-9 && place.length() < 1e-9);
        let end = view.project(b).expect("in front") + DVec2::new(3.0, 4.0);
        let (off, place) = line(&view, end, a, b).expect("in front");
        assert!((off - 5.0).abs() < 1e-9 && place == b);
    }

    /// Whatever is left out without looking at its edges has none near the cursor.
    #[test]
    fn what_is_far_has_no_edge_near_the_cursor() {
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
                let mut place = || DVec3::new(unit(), unit(), unit()) * 16.0 - DVec3::splat(8.0);
                let (center, half) = (place(), place() * 0.1);
                let obb = Obb {
                    center,
                    half_extents: half.abs(),
                    rotation: glam::DQuat::from_scaled_axis(place()),
                };
                let at = DVec2::new(unit(), unit()) * SIZE;
                if !is_far(&view, at, center, half.length()) {
                    continue;
                }
                far += 1;
                let corners = obb.corners();
                for i in 0..8 {
                    for j in 0..i {
                        let off = line(&view, at, corners[i], corners[j]);
                        assert!(off.is_none_or(|(off, _)| off > KINDNESS));
                    }
                }
            }
        }
        assert!(far > 2000, "{far}");
    }

    #[test]
    fn a_sheet_from_its_edge_is_thin() {
        let sheet = Placed::Obb(Obb {
            center: DVec3::ZERO,
            half_extents: DVec3::new(0.005, 1.0, 1.0),
            rotation: glam::DQuat::IDENTITY,
        });
        let (off, _) = beside(&view(), SIZE * 0.5 + DVec2::new(3.0, 0.0), &sheet).expect("thin");
        assert!(off < KINDNESS);
    }
}
