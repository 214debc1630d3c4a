//! The distance of two objects and the segment between their closest points; for the ruler also its components.

use super::super::ViewportInput;
use super::super::draw_list::Rank;
use super::super::draw_list_builder::{DrawListBuilder, LineStyle};
use crate::app::view_state::Switch;
use crate::core::number;
use crate::core::query::ruler::{Ruler, measure_point_point, measure_shapes};
use crate::core::replay::ObjectId;
use crate::core::scene::UserUnits;
use crate::core::tolerance::ROUNDING_STEPS;
use glam::{DVec2, DVec3};

/// Shortest component along an axis that is drawn, points.
const MIN_COMPONENT: f64 = 24.0;

/// The ruler's values as text.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// The measured pair.
    pub pair: Option<(ObjectId, ObjectId)>,
    /// The measured objects, or a hint to select some.
    pub title: String,
    /// Names and lengths.
    pub rows: Vec<(&'static str, String)>,
}

/// Draws the segment between the closest points of the measured pair, with its components along the axes; returns the values
/// while the ruler is on.
pub fn draw(
    builder: &mut DrawListBuilder,
    input: &ViewportInput<'_>,
    hovered: Option<ObjectId>,
) -> Option<Reading> {
    if !input.layers.has(Switch::Ruler) {
        return None;
    }
    let pointed_at = || {
        let &first = input.selection.objects().first()?;
        Some((first, hovered.filter(|&id| id != first)?))
    };
    let pair = input.selection.pair().or_else(pointed_at);
    let Some((a, b)) = pair else {
        return Some(Reading {
            pair,
            title: "Ruler: select two objects".to_owned(),
            rows: Vec::new(),
        });
    };
    let name = |id: ObjectId| input.replay.objects().get(id as usize).map(|it| &*it.name);
    let title = format!("{} to {}", name(a).unwrap_or("?"), name(b).unwrap_or("?"));
    let mut rows = Vec::new();
    match measure(builder, input, a, b) {
        Some(Measured { result, ruler }) => {
            rows.push(result);
            if let Some(ruler) = ruler {
                components(builder, &ruler);
                rows.extend(rows_of(&ruler, builder.units));
            }
        }
        None => rows.push(("Distance", "none".to_owned())),
    }
    Some(Reading { pair, title, rows })
}

fn rows_of(ruler: &Ruler, units: UserUnits) -> [(&'static str, String); 6] {
    let [x, y, z] = units.vector(ruler.along).to_array();
    let text = |shown: f64| number::with_unit(shown, units.unit("m"));
    [
        ("Along x", text(x)),
        ("Along y", text(y)),
        ("Along z", text(z)),
        ("In plane xy", text(x.hypot(y))),
        ("In plane yz", text(y.hypot(z))),
        ("In plane zx", text(z.hypot(x))),
    ]
}

/// Draws the clicked points of a measurement and the segment between them; returns the values of two points.
pub fn draw_measured(builder: &mut DrawListBuilder, points: &[DVec3]) -> Option<Reading> {
    let color = builder.palette.normal;
    let style = LineStyle::new(color, 1.8).occluded(0.7);
    for &point in points {
        builder.point(point, style.width(7.0));
    }
    let [from, to] = points else {
        return None;
    };
    let ruler = measure_point_point(*from, *to, &mut ());
    builder.line(*from, *to, style);
    components(builder, &ruler);
    let distance = builder.units.length(ruler.distance);
    let middle = from.midpoint(*to);
    builder.label(middle, DVec2::NEG_Y, distance.clone(), color, Rank::Now);
    let mut rows = vec![("Distance", distance)];
    rows.extend(rows_of(&ruler, builder.units));
    Some(Reading {
        pair: None,
        title: "Measured".to_owned(),
        rows,
    })
}

/// Draws the shortest segment between two objects at the playhead, with its length, unless the ruler draws it.
pub fn gap(
    builder: &mut DrawListBuilder,
    input: &ViewportInput<'_>,
    (a, b): (ObjectId, ObjectId),
    measured: Option<(ObjectId, ObjectId)>,
) {
    if measured != Some((a, b)) && measured != Some((b, a)) {
        measure(builder, input, a, b);
    }
}

/// The distance of two objects.
struct Measured {
    /// Name and length.
    result: (&'static str, String),
    /// `None` when they touch.
    ruler: Option<Ruler>,
}

/// Measures two objects at the playhead and draws the segment between their closest points; `None` where they have no distance.
fn measure(
    builder: &mut DrawListBuilder,
    input: &ViewportInput<'_>,
    a: ObjectId,
    b: ObjectId,
) -> Option<Measured> {
    let objects = input.replay.objects();
    let (one, two) = (objects.get(a as usize)?, objects.get(b as usize)?);
    let (pose_a, pose_b) = (input.pose(a)?, input.pose(b)?);
    let placed = [one.shape.placed(&pose_a), two.shape.placed(&pose_b)];
    let ruler = measure_shapes(&placed[0], &placed[1], &mut ())?;
    let palette = builder.palette;
    let points = [pose_a.position, pose_b.position, ruler.from, ruler.to];
    let error_bound = error_bound(&points);
    let touching = ruler.distance.abs() <= error_bound;
    let apart = ruler.distance > 0.0 || touching;
    let color = if apart { palette.contact } else { palette.bad };
    let style = LineStyle::new(color, 1.8).occluded(0.7);
    builder.line(ruler.from, ruler.to, style);
    for end in [ruler.from, ruler.to] {
        builder.point(end, style.width(5.0));
    }
    let size = builder.units.length(ruler.distance.abs());
    let (text, result) = if touching {
        ("Touching".to_owned(), ("Distance", "touching".to_owned()))
    } else if apart {
        (format!("Gap {size}"), ("Distance", size))
    } else {
        (format!("Overlap {size}"), ("Depth", size))
    };
    for placed in &placed {
        builder.keep_clear_of(placed);
    }
    // Below the segment: the impact's label is above it.
    let along = builder.screen_direction(ruler.from, ruler.to - ruler.from);
    let down = if along.x.abs() < 0.3 {
        DVec2::Y
    } else {
        along.perp() * along.x.signum()
    };
    let midpoint = ruler.from.midpoint(ruler.to);
    builder.label(midpoint, down, text, color, Rank::Now);
    let exact = |part: f64| if part.abs() <= error_bound { 0.0 } else { part };
    let ruler = Ruler {
        along: ruler.along.map(exact),
        ..ruler
    };
    Some(Measured {
        result,
        ruler: (!touching).then_some(ruler),
    })
}

/// Draws the components of a ruler along x, y and z end to end; none where it is along one axis.
fn components(builder: &mut DrawListBuilder, ruler: &Ruler) {
    let palette = builder.palette;
    let names = ["x", "y", "z"].into_iter().zip(builder.units.axes());
    let colors = [palette.axis_x, palette.axis_y, palette.axis_z];
    let mut from = ruler.from;
    for ((name, axis), color) in names.zip(colors) {
        let part = ruler.along.dot(axis);
        let to = from + axis * part;
        let off_axis = (ruler.along - axis * part).length();
        let visible = |part: f64| builder.points(from, part.abs()) >= MIN_COMPONENT;
        if visible(part) && visible(off_axis) {
            builder.dashes(from, to, LineStyle::new(color, 1.4).occluded(0.6));
            let text = format!("{name} {}", builder.units.length(part));
            builder.label(from.midpoint(to), DVec2::Y, text, color, Rank::Push);
        }
        from = to;
    }
}

/// Bound on the rounding error of a distance between points with such coordinates, metres.
fn error_bound(points: &[DVec3]) -> f64 {
    let largest = points.iter().map(|point| point.abs().max_element());
    ROUNDING_STEPS * f64::EPSILON * largest.fold(1.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::super::super::orbit::Orbit;
    use super::*;
    use crate::app::theme::Palette;

    #[test]
    fn two_measured_points_have_a_distance_and_components() {
        let view = Orbit::default().view(DVec2::new(900.0, 600.0));
        let mut builder = DrawListBuilder::new(view, DVec3::ZERO, &Palette::DARK);
        let (from, to) = (DVec3::new(1.0, 1.0, 0.0), DVec3::new(2.0, -1.0, 2.0));
        assert_eq!(draw_measured(&mut builder, &[from]), None);
        let reading = draw_measured(&mut builder, &[from, to]).expect("a reading");
        let values: Vec<_> = reading.rows.iter().map(|(_, text)| &**text).collect();
        assert_eq!(values[..4], ["3 m", "1 m", "-2 m", "2 m"]);
    }

    #[test]
    fn the_error_bound_scales_with_the_coordinates() {
        assert!(error_bound(&[DVec3::ZERO]) > 3e-16 && error_bound(&[DVec3::ONE]) < 1e-14);
        let far = error_bound(&[DVec3::X * 1e7]);
        assert!(far > 1e-8 && far < 1e-7);
    }
}
